/* binding.h - the sandbox that runs descriptions, and the values that they
 * create.
 *
 * A description creates numbers with an origin (gs.spec, gs.measured) and
 * things (gs.system, gs.phase). Both are opaque to it and store the line that
 * created them. */
#ifndef GPUSCALE_BINDING_H
#define GPUSCALE_BINDING_H

#include "language/language.h"

#include <lua.h>

/* ---- files --------------------------------------------------------------- */

/* Runs the file and then read(L, closure), with the file's result at index 1.
 * Both are protected and under the limits. read() may call back into Lua and
 * must own no memory of its own. `extend` runs, protected, before the file
 * unless it is NULL. It may lua_rawset() globals and fields of the global `gs`.
 * `kept` takes the sandbox after the run, for sandbox_read(), unless it is
 * NULL. After a failure *kept is NULL. */
typedef struct sandbox sandbox;
int sandbox_run(const char *path, const limits *most,
                void (*extend)(lua_State *L, void *closure),
                void (*read)(lua_State *L, void *closure), void *closure,
                sandbox **kept, failure *why);
/* Calls read() again with the file's result. The limits are those of a run,
 * except that memory counts for the whole file. */
int sandbox_read(sandbox *s, void (*read)(lua_State *L, void *closure),
                 void *closure, failure *why);
void sandbox_free(sandbox *s);
/* Within a run, another file in the same state: pushes the function that it is
 * and its text.  From here on messages name that file, and limits begin anew.
 */
void sandbox_load(lua_State *L, const char *path);
/* Limits of time begin anew. */
void sandbox_restart(lua_State *L);

/* These store and find a pointer under the address of a key. A missing key
 * gives NULL. */
static inline void keep_under(lua_State *L, const void *key, void *p)
{
  lua_pushlightuserdata(L, p);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static inline void *kept_under(lua_State *L, const void *key)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, key);
  void *p = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return p;
}

/* Ends the run if it took too long. Slow functions call it. */
void stop_if_late(lua_State *L);
/* Charges a function's work as instructions and ends the run beyond the limit.
 * A script that catches the error stops too. */
void charge(lua_State *L, unsigned long instructions);
/* Returns true if the run took too long, for loops that end by themselves. */
bool late_now(lua_State *L);
/* Returns the file that messages name, and its running line, or 0. */
const char *path_now(lua_State *L);
int line_now(lua_State *L);

/* Notes "path:line: text", without a line if it is 0, and returns. The run goes
 * on to find more mistakes and fails after read() with all notes in the order
 * of lines. Duplicates are noted once. The run ends when there is no room for
 * more. */
void complain(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run if anything was noted. */
void stop_if_noted(lua_State *L);
/* Notes a mistake and ends the run. */
_Noreturn void refuse(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run with a status and a text without path and line. Earlier notes
 * are not shown. */
_Noreturn void refuse_as(lua_State *L, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the run with the status of an exceeded limit. */
_Noreturn void refuse_limit(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes the table on top strict: reading or setting a missing name is the error
 * "WHAT 'name' is not defined". */
void make_strict(lua_State *L, const char *what);

/* ---- values.c ------------------------------------------------------------ */

/* An amount is a number as written: plain, or text with a unit. */
typedef struct amount {
  bool is_text;
  double plain;
  char text[48];
} amount;

/* A knob's values lie in this range. */
typedef struct knob_range {
  bool whole;
  gscale_dim dim;
  double least, most;
} knob_range;
/* Returns the reason in `text` why a value is outside the range, or NULL
 * (domain.c). */
const char *knob_objection(const knob_range *r, double value, char *text,
                           size_t size);
/* Returns whether a field of the host accepts the value. */
bool number_fits(const gscale_field *f, double value);

/* A quantity is a number, or a list of points, with its origin. */
typedef struct quantity {
  gscale_origin origin;
  int line;
  bool bad;       /* already reported */
  bool has_error; /* `err` was given */
  bool is_list;   /* use push_list() */
  amount value;
  amount err;       /* measured: standard error */
  amount low, high; /* assumed: range */
  char source[sizeof((gscale_param *)0)->source];
} quantity;

typedef enum thing {
  THING_SYSTEM,
  THING_TOPOLOGY,
  THING_WORKLOAD,
  THING_PHASE,
  THING_KNOB,
  THING_SHARES, /* measured shares */
  THING_END
} thing;

/* Pushes `gs`, the table of constructors. */
void push_constructors(lua_State *L);
/* Returns the name of a value's type, such as "gs.phase" or "table". */
const char *type_name(lua_State *L, int index);
/* Reads a number or a short text into *a. Returns false for another value. */
bool to_amount(lua_State *L, int index, amount *a);
/* Returns the quantity at index, or NULL for other values. */
const quantity *to_quantity(lua_State *L, int index);
/* Pushes the list that the quantity at index was made of. */
void push_list(lua_State *L, int index);
/* Pushes the table or function of a thing and returns the line that created it.
 * For another value it pushes nothing and returns 0. */
int push_thing(lua_State *L, int index, thing t);

/* ---- search.c ------------------------------------------------------------ */

/* Returns whether it is a description's path and not a name. */
bool is_file(const char *what);
/* Finds the path of a description: `what` itself if it is a path, else the
 * first file of that name on the search path. */
int find_description(kind k, const char *what, char *path, size_t size,
                     failure *why);

/* ---- like.c -------------------------------------------------------------- */

/* Returns whether another system may supply the parameter. It may not supply
 * those of the link, nor the GPU's memory, SMs, threads and rates. */
bool is_inheritable(gscale_param_id id);
/* Takes the parameters that are not mentioned and that *base measured or
 * assumes. Their values become assumed, with the ranges of like.c, and their
 * source is the name of *base. */
void inherit_params(gscale_system *s, const gscale_system *base,
                    const char *name, const bool mentioned[]);

/* ---- residuals.c --------------------------------------------------------- */

/* Reads data/residuals.csv on the search path. */
int read_shared_residuals(gscale_system *s, failure *why);

#endif /* GPUSCALE_BINDING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
