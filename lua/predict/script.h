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

#endif /* GPUSCALE_SCRIPT_H */
