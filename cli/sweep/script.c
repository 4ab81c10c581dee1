/* script.c - studies in scripts of users:
 *
 *   gs.sweep { workload =, system =, over =,... }   a list of rows
 *   gs.solve { workload =, system =, ["for"] =,... } a list of crossings
 *   gs.question                                      what the options ask
 *
 * Lua may jump out of any call into Lua. Therefore, memory owned by C is kept
 * in `study` and freed outside, as in say/script.c. */

#include "sweep/script.h"
#include "say/script.h"
#include "sweep/solution.h"

#include <stdlib.h>
#include <string.h>

enum {
  OVERS = sizeof((options *)0)->over / sizeof((options *)0)->over[0],
  ROWS_MAX = 100000 /* of one gs.sweep */
};

/* The last study. */
static struct {
  asking asked; /* large */
  char over[OVERS][LIST_TEXT];
  walk *w;
  problem m; /* large */
  solution s;
  knee k; /* large */
  /* rows of one point */
  sweep_table table;
  const column *columns;
  size_t n;    /* number of columns */
  cell *cells; /* cells of `room` rows */
  size_t count, room;
} study;

static void forget_study(void)
{
  walk_free(study.w);
  problem_close(&study.m);
  knee_free(&study.k);
  free(study.cells);
  study.w = NULL;
  study.cells = NULL;
  study.count = study.room = 0;
}

/* Converts a usage error of the call to an error of the script. */
static _Noreturn void pass_study(lua_State *L, const char *call, failure *why)
{
  if (why->status == EXIT_USAGE) why->status = EXIT_DATA;
  pass_on(L, call, why);
}

/* ---- question ----------------------------------------------------------- */

/* Adds the axis "NAME=VALUES", or the text `name` if `values` is NULL. */
static void add_axis(lua_State *L, const char *name, const char *values)
{
  options *o = &study.asked.o;

  if (o->overs == OVERS)
    refuse_now(L, "gs.sweep: over: more than %d", (int)OVERS);
  study.over[o->overs][0] = '\0';
  if (!gscale_append(study.over[o->overs++], LIST_TEXT, "%s%s%s", name,
                     values ? "=" : "", values ? values : ""))
    refuse_now(L, "gs.sweep: over: %.60s: longer than %d bytes", name,
               LIST_TEXT - 1);
}

/* Reads a list of the form { "NAME=FROM..TO",... }, in order. */
static void read_listed(lua_State *L, lua_Integer n)
{
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    if (!lua_isinteger(L, -2))
      refuse_now(L, "gs.sweep: over: both a list and names");
  for (lua_Integer i = 1; i <= n; i++) {
    if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
      refuse_now(L,
                 "gs.sweep: over: needs a list of \"NAME=FROM..TO\", got a %s",
                 type_name(L, -1));
    add_axis(L, lua_tostring(L, -1), NULL);
    lua_pop(L, 1);
  }
}

static int by_axis(const void *a, const void *b)
{
  return strcmp(a, b);
}

/* Reads a table { ["link.rate"] = "FROM..TO", n = { 64, 128 } } in alphabetical
 * order, because Lua does not order such a table. */
static void read_named(lua_State *L)
{
  char values[LIST_TEXT];

  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      refuse_now(L, "gs.sweep: over: a key that is a %s, not a name",
                 type_name(L, -2));
    list_value(L, "gs.sweep: over", lua_tostring(L, -2), values);
    add_axis(L, lua_tostring(L, -2), values);
  }
  qsort(study.over, study.asked.o.overs, sizeof study.over[0], by_axis);
}

static void read_axes(lua_State *L)
{
  options *o = &study.asked.o;

  lua_pushliteral(L, "over");
  if (lua_rawget(L, 1) == LUA_TSTRING) {
    add_axis(L, lua_tostring(L, -1), NULL);
  } else if (lua_istable(L, -1)) {
    const lua_Integer n = (lua_Integer)lua_rawlen(L, -1);

    if (n > 0)
      read_listed(L, n);
    else
      read_named(L);
  } else {
    refuse_now(L, "gs.sweep: over: needs { NAME = \"FROM..TO\" }, got a %s",
               type_name(L, -1));
  }
  lua_pop(L, 1);
  if (o->overs == 0) refuse_now(L, "gs.sweep: over: is empty");
  for (size_t i = 0; i < o->overs; i++) o->over[i] = study.over[i];
}

static int whole_field(lua_State *L, const char *key, int least, int most)
{
  lua_Integer v = 0;

  lua_pushstring(L, key);
  if (lua_rawget(L, 1) != LUA_TNIL) {
    v = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
    if (v < least || v > most)
      refuse_now(L, "gs.sweep: %s: needs a whole number, %d to %d", key, least,
                 most);
  }
  lua_pop(L, 1);
  return (int)v;
}

static void read_sweep(lua_State *L)
{
  static const char *const more[] = {"over", "design", "points", "seed",
                                     "best", "errors", NULL};
  options *o = &study.asked.o;

  read_question(L, "gs.sweep", more, &study.asked);
  read_axes(L);
  o->design = text_field(L, "gs.sweep", "design");
  o->points = whole_field(L, "points", 1, ROWS_MAX);
  o->seed = whole_field(L, "seed", 0, 1000000000);
  o->best = flag_field(L, "best");
  o->errors = flag_field(L, "errors");
}

/* ---- rows --------------------------------------------------------------- */

/* Keeps the rows of a point. The function runs inside the walk and may not call
 * Lua. */
static int keep_rows(const point *p, void *closure, failure *why)
{
  size_t shown[PARADIGMS_MAX];
  const size_t n = sweep_shown(study.w, p, shown);
  cell *more = gscale_reserve(study.cells, &study.room, study.count + n,
                              study.n * sizeof *more);

  (void)closure;
  if (!more) return no_memory(why);
  study.cells = more;
  for (size_t i = 0; i < n; i++) {
    cell *c = study.cells + study.count++ * study.n;

    memset(c, 0, study.n * sizeof *c);
    sweep_row(c, study.w, p, shown[i]);
  }
  return EXIT_OK;
}

static _Noreturn void refuse_rows(lua_State *L)
{
  failure why;

  fail(&why, EXIT_LIMIT, "more than %d rows", (int)ROWS_MAX);
  pass_on(L, "gs.sweep", &why);
}

/* Computes one point at a time, so that the limits of scripts apply. */
static void push_points(lua_State *L)
{
  const uint64_t points = walk_points(study.w);
  lua_Integer n = 0;
  failure why;

  if (points > ROWS_MAX) refuse_rows(L);
  lua_newtable(L);
  for (uint64_t i = 0; i < points; i++) {
    stop_if_late(L);
    study.count = 0;
    if (walk_through(study.w, i, i + 1, keep_rows, NULL, &why) != EXIT_OK)
      pass_study(L, "gs.sweep", &why);
    if ((size_t)n + study.count > ROWS_MAX) refuse_rows(L);
    for (size_t j = 0; j < study.count; j++) {
      push_columns(L, study.columns, study.cells + j * study.n, study.n);
      lua_rawseti(L, -2, ++n);
    }
  }
}

static int sweep(lua_State *L)
{
  failure why;

  stop_if_late(L);
  forget_study();
  read_sweep(L);
  if (walk_new(&study.asked.o, &study.w, &why) != EXIT_OK)
    pass_study(L, "gs.sweep", &why);
  study.n = sweep_columns(study.w, &study.table);
  study.columns = study.table.of;
  push_points(L);
  gaps_note(walk_gaps(study.w));
  forget_study();
  return 1;
}

/* ---- gs.solve ------------------------------------------------------------ */

/* Pushes the columns of `solve`. Values are numbers in SI units. */
static void push_found(lua_State *L, const question *q, const found *f)
{
  const column *columns = solution_columns();
  cell c[SOLVE_COLUMNS] = {0};

  found_row(c, &study.m, q, f);
  push_columns(L, columns, c, SOLVE_COLUMNS);
  set_number(L, columns[SOLVE_VALUE].name, f->at.x);
  set_number(L, columns[SOLVE_VALUE_LO].name, f->lo);
  set_number(L, columns[SOLVE_VALUE_HI].name, f->hi);
}

static void read_solve(lua_State *L)
{
  static const char *const more[] = {"for", "until", "crossover", "knee", NULL};
  options *o = &study.asked.o;

  read_question(L, "gs.solve", more, &study.asked);
  o->what = text_field(L, "gs.solve", "for");
  o->until = text_field(L, "gs.solve", "until");
  o->crossover = text_field(L, "gs.solve", "crossover");
  o->knee = flag_field(L, "knee");
  if (o->knee) return;
  if (!o->what) refuse_now(L, "gs.solve: for: missing; needs a name");
  if (!o->until == !o->crossover)
    refuse_now(L,
               "gs.solve: needs until = \"WHAT=VALUE\" or crossover = \"A,B\"");
}

static void push_turn(lua_State *L, turn which)
{
  const column *columns = solution_columns();
  const spot *s = &study.k.at[which];
  cell c[SOLVE_COLUMNS] = {0};

  knee_row(c, &study.k, which);
  push_columns(L, columns, c, SOLVE_COLUMNS);
  set_number(L, columns[SOLVE_VALUE].name, s->gpus);
  set_number(L, columns[SOLVE_VALUE_LO].name, s->from);
  set_number(L, columns[SOLVE_VALUE_HI].name, s->to);
}

/* Pushes the knee and the peak, and true if any added GPUs are worthwhile. */
static int solve_knee(lua_State *L)
{
  failure why;

  if (knee_find(&study.k, &study.asked.o, &why) != EXIT_OK)
    pass_study(L, "gs.solve", &why);
  lua_createtable(L, TURNS, 0);
  for (turn i = KNEE; i < TURNS; i++) {
    push_turn(L, i);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_pushboolean(L, knee_index(&study.k, KNEE) > 0);
  forget_study();
  return 2;
}

static int solve(lua_State *L)
{
  failure why;
  point at;
  int st;

  stop_if_late(L);
  forget_study();
  read_solve(L);
  if (study.asked.o.knee) return solve_knee(L);
  st = problem_open(&study.m, &study.asked.o, &why);
  if (st == EXIT_OK) st = problem_solve(&study.m, &study.s, &why);
  if (st == EXIT_OK) st = problem_at_start(&study.m, &at, &why);
  if (st != EXIT_OK) pass_study(L, "gs.solve", &why);
  lua_createtable(L, (int)study.s.n, 0);
  for (size_t i = 0; i < study.s.n; i++) {
    push_found(L, at.q, &study.s.v[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_pushboolean(L, study.s.first);
  forget_study();
  return 2;
}

/* ---- script ------------------------------------------------------------- */

static void extend(lua_State *L, void *closure)
{
  set_call(L, "sweep", sweep);
  set_call(L, "solve", solve);
  set_question(L, *(const options *const *)closure);
}

int script_run(const options *o, const char *path, double seconds, failure *why)
{
  const script_more more = {
      .extend = extend, .closure = &o, .seconds = seconds};
  const int st = script_run_more(o, path, more, why);

  forget_study();
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
