/* binding.h - the sandbox that descriptions run in, and what they make there.
 *
 * A description makes two sorts of value: numbers that know their origin
 * (gs.spec, gs.measured ...) and things (gs.system, gs.phase ...).  Both are
 * opaque to it and remember the line that made them. */
#ifndef GPUSCALE_BINDING_H
#define GPUSCALE_BINDING_H

#include "language/language.h"

#include <lua.h>

/* ---- running a file ----------------------------------------------------- */

/* Runs the file and then read(L, closure), with what the file returned at
 * index 1.  All of it is protected and under the limits; read() may call back
 * into Lua and must own no memory of its own.
 *
 * Given  extend  runs, protected, before the file does; it may lua_rawset()
 *                globals and fields of the global `gs`.  NULL: nothing
 *        kept    NULL, or takes the file as it has run, for sandbox_again();
 *                NULL after a failure */
typedef struct sandbox sandbox;
int sandbox_run(const char *path, const limits *most,
                void (*extend)(lua_State *L, void *closure),
                void (*read)(lua_State *L, void *closure), void *closure,
                sandbox **kept, failure *why);
/* read() once more, with what the file returned then: under the limits of a
 * run, but for memory, which is the file's. */
int sandbox_again(sandbox *s, void (*read)(lua_State *L, void *closure),
                  void *closure, failure *why);
void sandbox_free(sandbox *s);

/* What functions that the run calls find under the address of a key of theirs;
 * NULL: nothing was kept there. */
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

/* For functions that take their time: ends the run if it took too long. */
void stop_if_late(lua_State *L);
/* Counts what a function did as so many instructions, and ends the run beyond
 * the limit; whoever catches that stops too. */
void charge(lua_State *L, unsigned long instructions);
/* The line of the file that is running now; 0 if none is. */
int line_now(lua_State *L);

/* Notes "path:line: text" (no line if it is 0) and returns: the run goes on,
 * to find more, and fails when read() has returned, with all that was noted in
 * the order of lines.  What is said twice is noted once; when there is no room
 * for more, it ends the run. */
void complain(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run if anything was noted. */
void stop_if_noted(lua_State *L);
/* Notes it and ends the run. */
_Noreturn void refuse(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run with a status and a text of its own, without path and line;
 * nothing that was noted is shown. */
_Noreturn void refuse_as(lua_State *L, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the run with the status of a limit that it went beyond. */
_Noreturn void refuse_limit(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes reading a name the table on top does not have an error that says
 * "WHAT 'name' is not defined", and so is setting one. */
void make_strict(lua_State *L, const char *what);

/* ---- what files make (values.c) ----------------------------------------- */

/* A number as written: plain, or text with a unit. */
typedef struct amount {
  bool is_text;
  double plain;
  char text[48];
} amount;

/* The values that a knob may have. */
typedef struct knob_range {
  bool whole;
  gscale_dim dim;
  double least, most;
} knob_range;
/* NULL, or in `text` why a value is none of them (domain.c). */
const char *knob_objection(const knob_range *r, double value, char *text,
                           size_t size);
/* Whether a number of what the host does may have that value. */
bool number_fits(const gscale_field *f, double value);

/* A number, or a list of points, with its origin. */
typedef struct quantity {
  gscale_origin origin;
  int line;
  bool bad;       /* it was complained about; the rest means nothing */
  bool has_error; /* `err` was given */
  bool is_list;   /* push_list() instead of `value` */
  amount value;
  amount err;       /* measured: the standard error */
  amount low, high; /* assumed: the range */
  char source[sizeof((gscale_param *)0)->source];
} quantity;

typedef enum thing {
  THING_SYSTEM,
  THING_TOPOLOGY,
  THING_WORKLOAD,
  THING_PHASE,
  THING_KNOB,
  THING_SHARES, /* of a step, measured on one GPU */
  THING_END
} thing;

/* Pushes a table of the functions that make them: `gs`. */
void push_constructors(lua_State *L);
/* What to call the type of a value: "gs.phase", "table" ... */
const char *type_name(lua_State *L, int index);
/* True, and *a filled in, if the value is a number or short text. */
bool to_amount(lua_State *L, int index, amount *a);
/* The quantity at index, or NULL if it is something else. */
const quantity *to_quantity(lua_State *L, int index);
/* Pushes what the quantity at index was made of: its list, if it has one. */
void push_list(lua_State *L, int index);
/* If the value is such a thing, pushes its table or function and returns the
 * line that made it; else pushes nothing and returns 0. */
int push_thing(lua_State *L, int index, thing t);

/* ---- files (search.c) --------------------------------------------------- */

/* Whether it is the path of a description, not a name. */
bool is_file(const char *what);
/* The path of a description: `what` itself if it looks like a file, else the
 * first file of that name on the search path. */
int find_description(kind k, const char *what, char *path, size_t size,
                     failure *why);

/* ---- what one system takes from another (like.c) ------------------------ */

/* Whether a parameter may be taken from a system that another one is like: not
 * the link's, nor what a GPU is (its memory, SMs, threads, rates). */
bool is_alike(gscale_param_id id);
/* Sets the parameters that may be taken, that are not mentioned, and that *base
 * measured or assumes: the same values, assumed, in the ranges of like.c; their
 * source says the name of *base. */
void take_alike(gscale_system *s, const gscale_system *base, const char *name,
                const bool mentioned[]);

/* ---- what the model is off by (residuals.c) ------------------------------ */

/* Reads data/residuals.csv on the search path. */
int read_shared_residuals(gscale_system *s, failure *why);

#endif /* GPUSCALE_BINDING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
