/* script.h - runs scripts of users, and adds functions of verbs to them. */
#ifndef GPUSCALE_SCRIPT_H
#define GPUSCALE_SCRIPT_H

#include "common/cli.h"
#include "language/binding.h"

/* Functions that a verb adds to a script, as in sandbox_run(). */
typedef struct script_more {
  void (*extend)(lua_State *L, void *closure);
  void (*read)(lua_State *L, void *closure); /* takes the result, or NULL */
  void *closure;
  double seconds; /* time limit; 0: limit of users */
  bool silent;    /* prints no output */
} script_more;

/* Runs a file with the functions of scripts and of `more`. The script's output
 * goes to the options' output. */
int script_run_more(const options *o, const char *path, script_more more,
                    failure *why);
/* Returns the output of the script. */
output *script_output(lua_State *L);

/* ---- shared functions --------------------------------------------------- */

/* Adds gs.NAME. Called by extend(). */
void set_call(lua_State *L, const char *name, lua_CFunction f);

enum {
  LIST_TEXT = 1024 /* B of a list in options */
};
/* A question as options. The table owns the texts. */
typedef struct asking {
  options o;               /* large */
  const char *workload[1]; /* argument of the options */
  char gpus[LIST_TEXT], paradigm[LIST_TEXT];
} asking;

/* Reads the table of a call with the keys workload, system, link, gpus,
 * paradigm, proposed and set. `more` is NULL or lists further keys and ends
 * with NULL. Any other key is an error. */
void read_question(lua_State *L, const char *call, const char *const more[],
                   asking *q);
/* Adds gs.question, the options as a question. Called by extend(). */
void set_question(lua_State *L, const options *o);
/* Reads the word or the list of words on top of the stack as "a,b,c". */
void list_value(lua_State *L, const char *call, const char *key, char *list);
/* Returns true if a key of the table at index 1 is true. */
bool flag_field(lua_State *L, const char *key);
/* Returns the text of a key of the table at index 1, which owns the text, or
 * NULL if the key is missing. Any other type is an error of the call. */
const char *text_field(lua_State *L, const char *call, const char *key);
/* Returns the number of a key of the table at index 1, or `otherwise` if the
 * key is missing. Any other type is an error of the call. */
double number_field(lua_State *L, const char *call, const char *key,
                    double otherwise);
/* Sets a key of the table on top of the stack. NaN becomes nil. */
void set_number(lua_State *L, const char *name, double v);
/* Reads `set = { name = value }` of the table at index 1 in alphabetical order,
 * so that every run reports the same error. */
void settings_field(lua_State *L, const char *call, settings *set);
/* Makes calls in this state report failures of the program in *said. The status
 * of *said must be EXIT_OK (script_error.c). */
void pass_to(lua_State *L, failure *said);
/* Ends the run with a failure of the program at the line of the call. The
 * message may have several lines. */
_Noreturn void pass_on(lua_State *L, const char *call, const failure *why);
/* Pushes a table of the cells of the columns that have names. */
void push_columns(lua_State *L, const column *columns, const cell *c, size_t n);
/* gs.remote (script_message.c) and gs.replay (script_replay.c) of scripts. */
int ask_remote(lua_State *L);
int ask_replay(lua_State *L);
/* Adds gs.goodput and gs.equation to the table at index `gs` (equations.c). */
void push_equations(lua_State *L, int gs);

#endif /* GPUSCALE_SCRIPT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
