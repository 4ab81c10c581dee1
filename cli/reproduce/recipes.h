/* recipes.h - the files of lua/published/ while they run, and what they may
 * call. */
#ifndef GPUSCALE_RECIPES_H
#define GPUSCALE_RECIPES_H

#include "common/cli.h"
#include "reproduce/published.h"

#include <lua.h>

/* What a row's function used. */
typedef struct usage {
  bool modelled, constant[CONSTANTS_MAX];
  char machines[96], programs[128];
  size_t questions;
  char question[640];
} usage;

/* One file while it runs. */
typedef struct recipes {
  publication *p;
  usage now;
  const char *name; /* "ct" */
  char path[512];
  const char *text;   /* of the file */
  const char *only;   /* id, or NULL: all */
  const char *traces; /* the directory */
  char missing[48];   /* a trace that is not there */
  chart *chart;       /* wanted, or NULL */
  void (*each)(const char *name, const char *title, void *closure);
  void *closure;
} recipes;

/* Those that run, of a function that they may call. */
static inline recipes *of(lua_State *L)
{
  return lua_touserdata(L, lua_upvalueindex(1));
}

/* gs.fit { ... }, gs.choose { ... }, gs.constant(NAME) (constants.c) */
int recipes_fit(lua_State *L);
int recipes_choose(lua_State *L);
int recipes_constant(lua_State *L);

/* The names of the files, in the order in which they run; NULL ends them. */
extern const char *const recipes_files[];

/* Runs one of them, and what() with the table that it returned. */
int recipes_follow(recipes *k, const char *name,
                   void (*what)(lua_State *L, void *closure), const options *o,
                   failure *why);

/* gs.replay { trace =, queue = ... } for recipes (replays.c): pushes a table of
 * counts from DIRECTORY/trace.trace and returns NULL, or the name of a trace
 * that is not there. */
const char *recipes_replay(lua_State *L, const char *directory);

/* Whether the words, which blanks part, have this one of n bytes. */
bool has_word(const char *words, const char *word, size_t n);

/* ---- what is asked (recipe_question.c)
 * -----------------------------------------------
 */

/* The number `key` of a shipped system in that unit, and whether it says that
 * it was fitted. */
int system_says(const char *system, const char *key, const char *unit,
                double *value, bool *fitted, failure *why);
/* The knob `key` of a shipped workload, or its t1 in that unit. */
int workload_says(const char *workload, const char *key, const char *unit,
                  double *value, failure *why);
/* gs.setting { key =, from = } */
int recipes_setting(lua_State *L, recipes *k);
/* Of the question at index 1: refuses settings that no gs.setting names, notes
 * the constants of its system and, if it is a prediction, its command line. */
void recipes_ask(lua_State *L, recipes *k, bool predicts);

#endif /* GPUSCALE_RECIPES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
