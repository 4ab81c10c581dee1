/* failure.c - prints failure messages of verbs on stderr. */

#include "common/cli.h"

#include <stdarg.h>
#include <string.h>

enum {
  NOTES_MOST = 3 /* most notes without --notes */
};

void print_failure(const failure *why)
{
  char text[sizeof why->text];

  memcpy(text, why->text, sizeof text);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    fprintf(stderr, "gpuscale: %s\n", line);
}

int no_memory(failure *why)
{
  return fail(why, EXIT_INTERNAL, "no memory for the answer");
}

#define NOTE "gpuscale: note: "

bool notes_all;
static size_t notes;
static char third[4096]; /* third note, printed at the end */

void print_note(const char *fmt, ...)
{
  char text[sizeof third];
  va_list args;

  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  plain_text(text, false);
  if (++notes == NOTES_MOST && !notes_all)
    memcpy(third, text, sizeof third);
  else if (notes < NOTES_MOST || notes_all)
    fprintf(stderr, NOTE "%s\n", text);
}

void print_said(char *text)
{
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    if (strncmp(line, NOTE, sizeof NOTE - 1) == 0)
      print_note("%s", line + sizeof NOTE - 1);
    else
      fprintf(stderr, "%s\n", line);
}

void notes_end(void)
{
  if (notes_all || notes < NOTES_MOST) return;
  if (notes > NOTES_MOST)
    snprintf(third, sizeof third, "%zu more, by --notes",
             notes - NOTES_MOST + 1);
  fprintf(stderr, NOTE "%s\n", third);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
