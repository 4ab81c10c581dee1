/* recipes.h - the files of lua/published/ while they run, and what they may
 * call. */
#ifndef GPUSCALE_RECIPES_H
#define GPUSCALE_RECIPES_H

#include "cli/cli.h"
#include "reproduce/published.h"

#include <lua.h>

/* What a row's function used. */
typedef struct usage {
  bool modelled, constant[CONSTANTS_MAX];
  char machines[96], programs[128];
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

#endif /* GPUSCALE_RECIPES_H */
