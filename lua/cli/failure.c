/* failure.c - why a verb failed, on stderr. */

#include "cli/cli.h"

#include <string.h>

void print_failure(const failure *why)
{
  char text[sizeof why->text];

  memcpy(text, why->text, sizeof text);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    fprintf(stderr, "gpuscale: %s\n", line);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
