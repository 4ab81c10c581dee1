/* script.h - scripts of users, and what verbs add to them. */
#ifndef GPUSCALE_SCRIPT_H
#define GPUSCALE_SCRIPT_H

#include "cli/cli.h"
#include "language/binding.h"

/* Runs a script of the user's; what it writes goes to the options' output. */
int script_run(const options *o, const char *path, failure *why);

/* What a verb adds to a script: functions, as sandbox_run_more() has them. */
typedef struct script_more {
  void (*extend)(lua_State *L, void *closure);
  void (*read)(lua_State *L, void *closure); /* or NULL: its output is shown */
  void *closure;
} script_more;

/* Runs a file that may call what scripts may, and `more`. */
int script_run_more(const options *o, const char *path, script_more more,
                    failure *why);

/* ---- what the files of scripts share ------------------------------------- */

/* Text of a key of the table at index 1, which holds it; NULL if there is none.
 * Anything else is refused in the name of the call. */
const char *text_field(lua_State *L, const char *call, const char *key);
/* `set = { name = value }` of the table at index 1, in the order of the
 * alphabet, so that errors are the same in every run. */
void settings_field(lua_State *L, const char *call, settings *set);
/* Ends the run with a failure of the program, which may be of several lines, at
 * the line of the call. */
_Noreturn void pass_on(lua_State *L, const char *call, const failure *why);
/* gs.remote (remote.c). */
int ask_remote(lua_State *L);
/* Puts gs.goodput and gs.equation into the table at index `gs` (equations.c).
 */
void push_equations(lua_State *L, int gs);

#endif /* GPUSCALE_SCRIPT_H */
