/* template.h - programs of Lua as templates: a line is written if all letters
 * before its '|' are wanted, and '@word' is replaced by a text. */
#ifndef GPUSCALE_DESCRIBE_TEMPLATE_H
#define GPUSCALE_DESCRIBE_TEMPLATE_H

#include "describe/describe.h"

typedef struct lua_template {
  const profile *p;
  int gpu;
  const char *system; /* NULL: none */
  const char *const *line;
  size_t lines;
  const char *wanted; /* letters */
  /* Writes the text of a word that is none of origin, name, file, gpus, system.
   */
  void (*put)(FILE *f, const char *word, const void *closure);
  const void *closure;
} lua_template;

bool is_word(const char *word, const char *name);
void put_template(FILE *f, const lua_template *t);
/* Writes at most `most` bytes of text in double quotes of Lua. */
void put_text(FILE *f, const char *text, size_t most);

#endif /* GPUSCALE_DESCRIBE_TEMPLATE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
