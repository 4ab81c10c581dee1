/* failure.c - why a verb failed, on stderr. */

#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

/* What a user typed may hold anything; a failure is lines of text. */
void print_failure(const failure *why)
{
  char text[sizeof why->text];
  size_t i;

  for (i = 0; why->text[i]; i++) {
    const unsigned char c = (unsigned char)why->text[i];
    text[i] = iscntrl(c) && c != '\n' ? '?' : why->text[i];
  }
  text[i] = '\0';
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    fprintf(stderr, "gpuscale: %s\n", line);
}
