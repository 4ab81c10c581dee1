/* template.c - writes programs of Lua from templates. */

#include "describe/template.h"

#include <ctype.h>
#include <string.h>

void put_text(FILE *f, const char *text, size_t most)
{
  for (size_t i = 0; text[i] && i < most; i++)
    if ((unsigned char)text[i] >= ' ' && text[i] != '"' && text[i] != '\\')
      putc(text[i], f);
}

bool is_word(const char *word, const char *name)
{
  return strcmp(word, name) == 0;
}

/* Writes the file's name up to the first dot as the program's name, with `-` in
 * place of what a name cannot have. */
static void put_name(FILE *f, const char *path)
{
  const char *const name = base_name(path);
  const size_t n = strcspn(name, ".");

  for (size_t i = 0; i < n && i < 40; i++)
    putc(isalnum((unsigned char)name[i]) || strchr("_+-", name[i]) ? name[i]
                                                                   : '-',
         f);
}

static void put_origin(FILE *f, const profile *p, int gpu)
{
  char time[48], err[48];

  gscale_format_quantity(p->period, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(p->period_err, GSCALE_TIME, err, sizeof err);
  fprintf(f, "%zu step%s (%s) on %d GPU%s; one takes %s +/- %s.",
          p->gpu[gpu].steps, PLURAL(p->gpu[gpu].steps), p->period_from, p->gpus,
          PLURAL(p->gpus), time, err);
}

/* Writes the text of a word that all templates have, or of their own. */
static void put_word(FILE *f, const char *word, const lua_template *t)
{
  if (is_word(word, "origin"))
    put_origin(f, t->p, t->gpu);
  else if (is_word(word, "name"))
    put_name(f, t->p->path[0]);
  else if (is_word(word, "file"))
    put_text(f, base_name(t->p->path[0]), 90);
  else if (is_word(word, "gpus"))
    fprintf(f, "%.0f", gpus_of_run(t->p));
  else if (is_word(word, "system"))
    put_text(f, t->system, 100);
  else
    t->put(f, word, t->closure);
}

void put_template(FILE *f, const lua_template *t)
{
  for (size_t i = 0; i < t->lines; i++) {
    const size_t letters = strcspn(t->line[i], "|");
    const char *at = t->line[i] + letters + 1;
    if (strspn(t->line[i], t->wanted) < letters) continue;
    const bool alone = *at == '@'; /* the word writes lines */
    while (*at) {
      const size_t before = strcspn(at, "@");
      char word[16] = "";
      fwrite(at, 1, before, f);
      at += before;
      if (*at != '@') break;
      const size_t size = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
      memcpy(word, at + 1, size < sizeof word ? size : sizeof word - 1);
      put_word(f, word, t);
      at += 1 + size + (alone && at[1 + size] == '\n');
    }
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
