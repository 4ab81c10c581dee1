/* binding.h - the sandbox that runs descriptions, and the values that they
 * create.
 *
 * A description creates numbers with an origin (gs.spec, gs.measured) and
 * things (gs.system, gs.phase). Numbers and things are opaque to the
 * description, and store the line that created them. */
#ifndef GPUSCALE_BINDING_H
#define GPUSCALE_BINDING_H

#include "language/language.h"

#include <lua.h>

/* ---- files --------------------------------------------------------------- */

/* Runs the file and then read(L, closure), with the file's result at index 1.
 * The file and read() are protected and under the limits. read() may call back
 * into Lua and must not own memory. If not NULL, extend() runs, protected,
 * before the file. `extend` may lua_rawset() globals and fields of the global
 * `gs`. If `kept` is not NULL, *kept is the sandbox after the run, for
 * sandbox_read(). After a failure *kept is NULL. */
typedef struct sandbox sandbox;
int sandbox_run(const char *path, const limits *most,
                void (*extend)(lua_State *L, void *closure),
                void (*read)(lua_State *L, void *closure), void *closure,
                sandbox **kept, failure *why);
/* Calls read() again with the file's result. All limits are reset, except that
 * memory counts for the whole file. */
int sandbox_read(sandbox *s, void (*read)(lua_State *L, void *closure),
                 void *closure, failure *why);
void sandbox_free(sandbox *s);
/* Loads another file in the same state during a run, and pushes its function
 * and its text. Messages then name the other file, and the limits of time are
 * reset. */
void sandbox_load(lua_State *L, const char *path);
/* Resets the limits of time. */
void sandbox_restart(lua_State *L);

/* Functions that store and find a pointer under the address of a key. If the
 * key is missing, the result is NULL. */
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

/* Ends the run if its time exceeds the limit. Slow functions call
 * stop_if_late(). */
void stop_if_late(lua_State *L);
/* Charges the work of a function as instructions, and ends the run beyond the
 * limit. The run ends even if the script catches the error. */
void charge(lua_State *L, unsigned long instructions);
/* Returns true if the time of the run exceeds the limit. Loops that end by
 * themselves call late_now(). */
bool late_now(lua_State *L);
/* The file that messages name, and the number of the running line, or 0. */
const char *path_now(lua_State *L);
int line_now(lua_State *L);

/* Notes "path:line: text", or "path: text" if the line is 0, and returns. After
 * a mistake, the run continues in order to find others; read() then fails and
 * lists all notes by line. Duplicates are noted once. If there is no room for a
 * note, the run ends. */
void complain(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the run if a mistake was noted. */
void stop_if_noted(lua_State *L);
/* Notes a mistake and ends the run. */
_Noreturn void refuse(lua_State *L, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Refuses the running line. */
#define refuse_now(L, ...) refuse(L, line_now(L), __VA_ARGS__)
/* Ends the run with a status and with a text that has neither path nor line.
 * Earlier notes are not shown. */
_Noreturn void refuse_as(lua_State *L, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes the table on top of the stack strict: reading or setting a missing name
 * raises the error "WHAT 'name' is not defined". */
void make_strict(lua_State *L, const char *what);

/* ---- values.c ------------------------------------------------------------ */

/* An amount is a number as the file gives it: plain, or text with a unit. */
typedef struct amount {
  bool is_text;
  double plain;
  char text[48];
} amount;

/* The range of a knob's values. */
typedef struct knob_range {
  bool whole;
  gscale_dim dim;
  double least, most;
} knob_range;
/* Returns NULL, or the reason why a value is outside the range (domain.c). */
const char *knob_objection(const knob_range *r, double value, char *text,
                           size_t size);
/* Returns whether a field of the host accepts the value. */
bool number_fits(const gscale_field *f, double value);

/* A quantity is a number, or a list of points, with its origin. */
typedef struct quantity {
  gscale_origin origin;
  int line;
  bool bad;       /* a mistake was reported */
  bool has_error; /* `err` was given */
  bool is_list;   /* use push_list() */
  amount value;
  amount err;       /* standard error of a measured value */
  amount low, high; /* range of an assumed value */
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
/* Returns the type of a value, such as "gs.phase" or "table". */
const char *type_name(lua_State *L, int index);
/* Reads a number or a short text into *a. Returns false for any other value. */
bool to_amount(lua_State *L, int index, amount *a);
/* Returns the quantity at the index, or NULL for any other value. */
const quantity *to_quantity(lua_State *L, int index);
/* Pushes the list that was given for the quantity at the index. */
void push_list(lua_State *L, int index);
/* Pushes the table or function of a thing and returns the line that created the
 * thing. For any other value the function pushes nothing and returns 0. */
int push_thing(lua_State *L, int index, thing t);

/* ---- search.c ------------------------------------------------------------ */

/* Returns whether the text is a description's path rather than a name. */
bool is_file(const char *what);
/* Finds the path of a description: `what` itself if it is a path, otherwise the
 * first file named `what` on the search path. */
int find_description(kind k, const char *what, char *path, size_t size,
                     failure *why);

/* ---- like.c -------------------------------------------------------------- */

/* Returns whether a system may take the parameter from another system. Excluded
 * are the link's parameters, and the GPU's memory, SMs, threads and rates. */
bool is_inheritable(gscale_param_id id);
/* Copies the parameters that are not mentioned and that *base measured or
 * assumes. The copied values become assumed, with the ranges of like.c, and
 * their source is the name of *base. */
void inherit_params(gscale_system *s, const gscale_system *base,
                    const char *name, const bool mentioned[]);

/* ---- residuals.c --------------------------------------------------------- */

/* Reads data/residuals.csv and params/strangers.csv from the search path. */
int read_shared_residuals(gscale_system *s, failure *why);

#endif /* GPUSCALE_BINDING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
