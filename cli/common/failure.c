/* failure.c - prints failure messages of verbs on stderr. */

#include "common/cli.h"

#include <stdarg.h>
#include <string.h>

void print_failure(const failure *why)
{
  char text[sizeof why->text];

  memcpy(text, why->text, sizeof text);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    fprintf(stderr, "gpuscale: %s\n", line);
}

void print_note(const char *fmt, ...)
{
  char text[4096];
  va_list args;

  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  plain_text(text, false);
  fprintf(stderr, "gpuscale: note: %s\n", text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
