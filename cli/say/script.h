/* script.h - scripts of users, and what verbs add to them. */
#ifndef GPUSCALE_SCRIPT_H
#define GPUSCALE_SCRIPT_H

#include "common/cli.h"
#include "language/binding.h"

/* What a verb adds to a script: functions, as sandbox_run() has them. */
typedef struct script_more {
  void (*extend)(lua_State *L, void *closure);
  void (*read)(lua_State *L, void *closure); /* or NULL: its output is shown */
  void *closure;
  double seconds; /* that it may take; 0: as a user's */
} script_more;

/* Runs a file that may call what scripts may, and `more`; what it writes goes
 * to the options' output unless `more` reads what it returns. */
int script_run_more(const options *o, const char *path, script_more more,
                    failure *why);

/* ---- what the files of scripts share ------------------------------------- */

/* Adds gs.NAME; for extend(). */
void set_call(lua_State *L, const char *name, lua_CFunction f);

enum {
  LIST_TEXT = 1024 /* B, of a list as options have it */
};
/* A question, as options have it; its texts are the table's. */
typedef struct asking {
  options o;               /* large */
  const char *workload[1]; /* its argument */
  char gpus[LIST_TEXT], paradigm[LIST_TEXT];
} asking;

/* The one table that a call takes: workload, system, link, gpus, paradigm,
 * proposed, set.  Other keys are refused, but for those in `more`, which ends
 * with NULL or is NULL. */
void read_question(lua_State *L, const char *call, const char *const more[],
                   asking *q);
/* Adds gs.question, what the options ask as read_question() takes it; for
 * extend(). */
void set_question(lua_State *L, const options *o);
/* The word or the list of words on top, as "a,b,c". */
void list_value(lua_State *L, const char *call, const char *key, char *list);
/* Whether a key of the table at index 1 is true. */
bool flag_field(lua_State *L, const char *key);
/* Text of a key of the table at index 1, which holds it; NULL if there is none.
 * Anything else is refused in the name of the call. */
const char *text_field(lua_State *L, const char *call, const char *key);
/* `set = { name = value }` of the table at index 1, in the order of the
 * alphabet, so that errors are the same in every run. */
void settings_field(lua_State *L, const char *call, settings *set);
/* Where failures of the program go that a call passes on (script_error.c). */
typedef struct passed {
  const char *path; /* of the script */
  failure said;     /* its status is EXIT_OK before */
} passed;
/* Calls of this state pass them on to *p from here on. */
void pass_to(lua_State *L, passed *p);
/* Ends the run with a failure of the program, which may be of several lines, at
 * the line of the call. */
_Noreturn void pass_on(lua_State *L, const char *call, const failure *why);
/* Pushes what is in a cell; nil for a missing number. */
void push_cell(lua_State *L, const column *c, const cell *v);
/* gs.remote (script_message.c). */
int ask_remote(lua_State *L);
/* Puts gs.goodput and gs.equation into the table at index `gs` (equations.c).
 */
void push_equations(lua_State *L, int gs);

#endif /* GPUSCALE_SCRIPT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
