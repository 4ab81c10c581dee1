/* headline.c - formats an answer as a sentence and a number. */

#include "common/cli.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void claim_begin(claim *c)
{
  *c = (claim){.value = NAN, .low = NAN, .high = NAN, .probability = NAN};
}

void claim_say(claim *c, const char *words, ...)
{
  const size_t used = strlen(c->text);
  va_list arguments;

  va_start(arguments, words);
  vsnprintf(c->text + used, sizeof c->text - used, words, arguments);
  va_end(arguments);
}

void claim_put(FILE *f, const claim *c)
{
  put_line(f, 2, "%s", c->text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
