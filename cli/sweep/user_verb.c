/* user_verb.c - runs verbs of users.
 *
 * The command `gpuscale NAME` runs verbs/NAME.lua of the search path as `run`
 * does. A built-in verb of the same name has precedence. */

#include "sweep/user_verb.h"
#include "sweep/script.h"

#include <string.h>

/* Returns whether a verb may have this name, which is no option and no path. */
static bool is_word(const char *name)
{
  const size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_-");

  return letters > 0 && letters < GSCALE_NAME_MAX && !name[letters] &&
         name[0] != '-';
}

static int find_script(const char *name, char *path, size_t size, failure *why)
{
  char file[GSCALE_NAME_MAX + sizeof "lua/verbs/.lua"];

  if (!is_word(name)) return fail(why, EXIT_USAGE, "no verb '%.60s'", name);
  snprintf(file, sizeof file, "lua/verbs/%s.lua", name);
  return find_shared(file + 4, path, size, why) == EXIT_OK
             ? EXIT_OK
             : find_shared(file, path, size, why);
}

static int own_main(options *o, failure *why)
{
  char path[sizeof((about *)0)->path];
  int st = find_script(o->verb, path, sizeof path, why);

  if (st == EXIT_OK && o->arguments > 1)
    st = need_arguments(o, 1, "at most a WORKLOAD", why);
  return st == EXIT_OK ? script_run(o, path, 60.0, why) : st;
}

const verb *own_verb(const char *name)
{
  static char path[sizeof((about *)0)->path], summary[sizeof path + 32],
      examples[2 * GSCALE_NAME_MAX];
  static const char accepts[] =
      "system link gpus paradigm set proposed weak format output";
  static verb own = {.usage = "[WORKLOAD] [options]",
                     .summary = summary,
                     .examples = examples,
                     .accepts = accepts,
                     .run = own_main};

  if (find_script(name, path, sizeof path, &(failure){0}) != EXIT_OK)
    return NULL;
  snprintf(summary, sizeof summary, "what %s predicts and prints", path);
  snprintf(examples, sizeof examples, "gpuscale %s jacobi --system h200x8\n",
           name);
  own.name = name;
  return &own;
}

typedef struct guess {
  const char *word;
  own_name *near;
} guess;

static int compare(const char *path, const char *name, void *closure,
                   failure *why)
{
  const guess *g = closure;
  const char *const both[] = {*g->near, name};

  (void)path;
  (void)why;
  if (is_word(name) && nearest(g->word, both, 2) == name)
    snprintf(*g->near, sizeof *g->near, "%s", name);
  return EXIT_OK;
}

int own_nearest(const char *word, own_name *near, failure *why)
{
  guess g = {word, near};

  return each_description(KIND_VERB, compare, &g, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
