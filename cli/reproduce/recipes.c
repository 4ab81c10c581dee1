/* recipes.c - the host of lua/reproduce.lua. The script returns a function with
 * these arguments:
 *
 *   what    "print", "list", "draw", or a piece of "print": "cook", "trial"
 *   of      the figure or the number of the piece
 *   held    a text for all pieces
 *   host    the functions below and the options
 *
 * The function returns a status and a message, or a list of texts. */

#include "reproduce/recipes.h"
#include "common/jobs.h"
#include "figures/figures.h"
#include "say/script.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The recipes make many predictions. A sanitized build takes several times the
 * limit of a user's script. */
static const double RECIPE_SECONDS = 120.0;

/* One run of the script. */
typedef struct run {
  const options *o;
  const char *what, *of, *held;
  FILE *to; /* takes the texts; NULL: show the output */
  rows *table;
  claim answer;
  char said[256]; /* second result of the script */
  int status;     /* first result unless a list */
  failure failed; /* a failure outside the script */
} run;

static int run_recipes(run *r, failure *why);

static run *of(lua_State *L)
{
  return lua_touserdata(L, lua_upvalueindex(1));
}

/* Ends the run. The failure of a piece keeps its original path and line. */
static _Noreturn void stop_with(lua_State *L, const failure *why)
{
  of(L)->failed = *why;
  refuse_as(L, why->status, "%s", why->text);
}

/* Adds the recipe's line to a mistake of the recipe only. */
static _Noreturn void refuse_with(lua_State *L, const failure *why)
{
  if (why->status == EXIT_DATA) refuse_now(L, "gs.fit: %.200s", why->text);
  refuse_as(L, why->status, "gs.fit: %.200s", why->text);
}

/* ---- files --------------------------------------------------------------- */

static void find(lua_State *L, char *path, size_t size)
{
  failure why;

  if (find_shared(luaL_checkstring(L, 1), path, size, &why) != EXIT_OK)
    stop_with(L, &why);
}

/* Implements host.load(FILE), which returns the file as function and text. */
static int load_file(lua_State *L)
{
  char path[sizeof((about *)0)->path];

  find(L, path, sizeof path);
  sandbox_load(L, path);
  return 2;
}

/* Pushes the value of a text "return VALUE". On failure, pushes a message and
 * returns false. */
static bool push_value(lua_State *L, const char *text, size_t size)
{
  return luaL_loadbufferx(L, text, size, "=value", "t") == LUA_OK &&
         lua_pcall(L, 0, 1, 0) == LUA_OK;
}

/* Implements host.value(TEXT), which returns the value of "return VALUE". */
static int value_of(lua_State *L)
{
  size_t size;
  const char *text = luaL_checklstring(L, 1, &size);

  if (!push_value(L, text, size)) lua_error(L);
  return 1;
}

/* Implements host.exists(FILE), which returns whether the file can be read. */
static int exists(lua_State *L)
{
  lua_pushboolean(L, access(luaL_checkstring(L, 1), R_OK) == 0);
  return 1;
}

/* Returns the length of the list of columns at index 2. */
static size_t column_count(lua_State *L)
{
  const size_t n = lua_rawlen(L, 2);

  if (n > ROW_MAX) luaL_error(L, "more than %d columns", ROW_MAX);
  return n;
}

/* Finds the columns listed at index 2. */
static gscale_status find_columns(lua_State *L, const gscale_table *t,
                                  size_t *at, gscale_diag *diag)
{
  const size_t n = column_count(L);
  gscale_status st = GSCALE_OK;

  for (size_t k = 0; k < n && st == GSCALE_OK; k++) {
    lua_rawgeti(L, 2, (lua_Integer)k + 1);
    st = gscale_table_column(t, luaL_checkstring(L, -1), &at[k], diag);
    lua_pop(L, 1);
  }
  return st;
}

/* Pushes a row with the columns listed at index 2. */
static void push_cells(lua_State *L, const gscale_table *t, size_t row,
                       const size_t *at)
{
  const size_t n = lua_rawlen(L, 2);

  lua_newtable(L);
  for (size_t k = 0; k < n; k++) {
    lua_rawgeti(L, 2, (lua_Integer)k + 1);
    lua_pushstring(L, gscale_table_text(t, row, at[k]));
    lua_rawset(L, -3);
  }
}

/* Implements host.table(FILE, COLUMNS), which returns the rows, each with its
 * place in `at`. */
static int read_table(lua_State *L)
{
  char path[512];
  size_t at[ROW_MAX];
  gscale_table *t = NULL;
  gscale_diag diag;
  failure why;

  find(L, path, sizeof path);
  gscale_status st = gscale_table_read(path, &t, &diag);
  if (st == GSCALE_OK) st = find_columns(L, t, at, &diag);
  if (st != GSCALE_OK) {
    gscale_table_free(t);
    fail_gscale(&why, st, &diag);
    stop_with(L, &why);
  }
  lua_newtable(L);
  for (size_t i = 0; i < gscale_table_rows(t); i++) {
    push_cells(L, t, i, at);
    lua_pushfstring(L, "%s:%d", path, gscale_table_line(t, i));
    lua_setfield(L, -2, "at");
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  gscale_table_free(t);
  return 1;
}

/* ---- numbers ------------------------------------------------------------- */

/* Returns false if the system has no number of that name. */
static bool number_of(const gscale_system *s, const char *name,
                      gscale_param *out, gscale_dim *dim)
{
  const gscale_param_id id = gscale_param_find(name);
  const gscale_field *f = gscale_field_find(GSCALE_OF_REMOTE, name);
  const bool known = id < gscale_param_count();
  const gscale_param *p = known ? gscale_system_get(s, id)
                          : f   ? gscale_system_remote_said(s, f)
                                : NULL;

  if (!p) return false;
  *out = *p;
  *dim = known ? gscale_param_info_at(id)->dim : f->dim;
  return true;
}

static int system_says(const char *system, const char *key, const char *unit,
                       gscale_param *p, failure *why)
{
  settings none = {0};
  gscale_system *s = NULL;
  gscale_dim dim = GSCALE_COUNT;
  gscale_diag diag;
  char one[24];
  double times = 1.0;
  int st = load_system(system, &none, &s, NULL, why);

  if (st != EXIT_OK) return st;
  if (!number_of(s, key, p, &dim))
    st = fail(why, EXIT_DATA, "%s has no number '%.60s'", system, key);
  snprintf(one, sizeof one, "1 %.20s", unit);
  if (st == EXIT_OK && *unit && strcmp(unit, "whole") != 0) {
    const gscale_status read = gscale_parse_quantity(one, dim, &times, &diag);
    if (read != GSCALE_OK) st = fail_gscale(why, read, &diag);
  }
  p->val /= times;
  gscale_system_free(s);
  return st;
}

/* Implements host.system(SYSTEM, KEY, UNIT), which returns the number, whether
 * it was fitted, and whether it describes messages between nodes. */
static int system_number_of(lua_State *L)
{
  const char *key = luaL_checkstring(L, 2);
  gscale_param p = {0};
  failure why;

  if (system_says(luaL_checkstring(L, 1), key, luaL_checkstring(L, 3), &p,
                  &why) != EXIT_OK)
    refuse_with(L, &why);
  lua_pushnumber(L, p.val);
  lua_pushboolean(L, p.origin == GSCALE_FITTED);
  lua_pushboolean(L, gscale_param_find(key) >= gscale_param_count());
  return 3;
}

static int workload_says(const char *workload, const char *key, double *value,
                         failure *why)
{
  settings none = {0};
  gscale_workload *w = NULL;
  about more = {0};
  size_t i = 0;
  int st = load_workload(workload, &none, &w, &more, why);

  if (st != EXIT_OK) return st;
  while (i < more.knobs && strcmp(more.knob[i].name, key) != 0) i++;
  if (strcmp(key, "t1") == 0)
    *value = gscale_workload_about(w).t1->val;
  else if (i < more.knobs)
    *value = strtod(more.knob[i].value, NULL);
  else
    st = fail(why, EXIT_DATA, "%s has no knob '%.60s'", more.name, key);
  gscale_workload_free(w);
  return st;
}

/* Implements host.workload(WORKLOAD, KEY), which returns the value of the knob
 * KEY, or t1 in seconds for the key "t1". */
static int workload_number_of(lua_State *L)
{
  double value = 0.0;
  failure why;

  if (workload_says(luaL_checkstring(L, 1), luaL_checkstring(L, 2), &value,
                    &why) != EXIT_OK)
    refuse_with(L, &why);
  lua_pushnumber(L, value);
  return 1;
}

/* Implements host.paradigm(NAME), which returns the paradigm's index or nil. */
static int paradigm(lua_State *L)
{
  const size_t i = gscale_paradigm_find(luaL_checkstring(L, 1));

  if (i < gscale_paradigm_count())
    lua_pushinteger(L, (lua_Integer)i);
  else
    lua_pushnil(L);
  return 1;
}

/* ---- functions ----------------------------------------------------------- */

/* Implements host.refuse(TEXT [, STATUS]), which fails at the recipe's line, or
 * with STATUS. */
static int refuse_text(lua_State *L)
{
  if (lua_isinteger(L, 2))
    refuse_as(L, (int)lua_tointeger(L, 2), "%s", luaL_checkstring(L, 1));
  refuse_now(L, "%s", luaL_checkstring(L, 1));
}

/* Implements host.attempt(FUNCTION), which returns true and the results, or
 * false and the table that the function raised. Other errors are passed on. */
static int attempt(lua_State *L)
{
  stop_if_late(L);
  lua_settop(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  if (lua_pcall(L, 0, LUA_MULTRET, 0) == LUA_OK) return lua_gettop(L);
  if (!lua_istable(L, -1)) lua_error(L);
  lua_pushboolean(L, 0);
  lua_replace(L, 1);
  return 2;
}

static int call_first(lua_State *L)
{
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* Implements host.keeping(FUNCTION), which wraps a function, so that "return
 * FUNCTION()" keeps its line. */
static int keeping(lua_State *L)
{
  lua_settop(L, 1);
  lua_pushcclosure(L, call_first, 1);
  return 1;
}

/* Implements host.lines(FUNCTION), which returns the first and the last line of
 * the function's text. */
static int lines_of(lua_State *L)
{
  lua_Debug at;

  lua_settop(L, 1);
  lua_getinfo(L, ">S", &at);
  lua_pushinteger(L, at.linedefined);
  lua_pushinteger(L, at.lastlinedefined);
  return 2;
}

/* ---- output -------------------------------------------------------------- */

/* Implements host.note(TEXT), which prints a note. */
static int note(lua_State *L)
{
  print_note("%s", luaL_checkstring(L, 1));
  return 0;
}

/* Implements host.say(TEXT [, NUMBER]), which sets the answer and prints it
 * before a table. */
static int say(lua_State *L)
{
  run *r = of(L);

  claim_begin(&r->answer);
  claim_say(&r->answer, "%s", luaL_checkstring(L, 1));
  if (lua_isnumber(L, 2)) r->answer.value = lua_tonumber(L, 2);
  if (r->o->format == FORMAT_TABLE) {
    claim_put(script_output(L)->f, &r->answer);
    putc('\n', script_output(L)->f);
  }
  return 0;
}

/* Reads columns { name, heading [, "number"|"integer"] } from the table at
 * index 2, which keeps their texts. */
static size_t read_columns(lua_State *L, column *columns)
{
  const size_t n = column_count(L);

  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    for (int k = 1; k <= 3; k++) lua_rawgeti(L, -k, k);
    const char *type = lua_tostring(L, -1);
    columns[i] =
        (column){lua_tostring(L, -3), lua_tostring(L, -2), GSCALE_COUNT,
                 !type                          ? COLUMN_TEXT
                 : strcmp(type, "integer") == 0 ? COLUMN_INTEGER
                                                : COLUMN_NUMBER,
                 false};
    lua_pop(L, 4);
  }
  return n;
}

static void read_row(lua_State *L, const column *columns, size_t n, cell *c)
{
  for (size_t k = 0; k < n; k++) {
    const int type = lua_getfield(L, -1, columns[k].name);

    if (columns[k].type != COLUMN_TEXT)
      c[k].number = type == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    else if (type == LUA_TSTRING)
      c[k].whole = lua_tostring(L, -1); /* the row owns the text */
    lua_pop(L, 1);
  }
}

/* Implements host.rows(LIST, COLUMNS, SCHEMA), which writes a list's rows. */
static int write_rows(lua_State *L)
{
  static column columns[ROW_MAX];
  run *r = of(L);
  const lua_Integer rows_ = (lua_Integer)lua_rawlen(L, 1);
  const size_t n = read_columns(L, columns);
  failure why;

  r->table = rows_new(luaL_checkstring(L, 3), columns, n);
  for (lua_Integer i = 1; i <= rows_; i++) {
    lua_rawgeti(L, 1, i);
    read_row(L, columns, n, rows_add(r->table));
    lua_pop(L, 1);
  }
  if (*r->answer.text) rows_answer(r->table, &r->answer);
  if (rows_write(r->table, r->o->format, script_output(L), &why) != EXIT_OK)
    stop_with(L, &why);
  return 0;
}

/* ---- pieces -------------------------------------------------------------- */

typedef struct batch {
  lua_State *L;
  int results; /* index of the list of results */
  size_t n;
  run *r;
  const char *what, *held;
} batch;

/* Sends a piece, or false for a trial that a recipe refuses. */
static int send_piece(size_t i, FILE *f, void *closure, failure *why)
{
  const batch *b = closure;
  char number[24];
  run piece = {
      .o = b->r->o, .what = b->what, .of = number, .held = b->held, .to = f};

  snprintf(number, sizeof number, "%zu", i + 1);
  const int st = run_recipes(&piece, why);
  if (strcmp(b->what, "trial") != 0 || st == EXIT_OK || st == EXIT_INTERNAL)
    return st;
  fputs("return false", f);
  return EXIT_OK;
}

static int take_piece(size_t i, const char *text, size_t size, void *closure,
                      failure *why)
{
  const batch *b = closure;

  if (!push_value(b->L, text, size)) return no_memory(why);
  lua_rawseti(b->L, b->results, (lua_Integer)i + 1);
  progress("documents", i + 1, b->n);
  return EXIT_OK;
}

/* Implements host.pieces(N, WHAT, HELD), which returns the results of the
 * pieces 1 .. N, computed in several processes. */
static int pieces(lua_State *L)
{
  batch b = {L,
             4,
             (size_t)luaL_checkinteger(L, 1),
             of(L),
             luaL_checkstring(L, 2),
             luaL_checkstring(L, 3)};
  const jobs j = {b.n, send_piece, take_piece, &b};
  failure why;

  lua_settop(L, 3);
  lua_newtable(L);
  const int st = jobs_run(&j, jobs_count(b.r->o, b.n), &why);
  progress_end();
  sandbox_restart(L);
  if (st != EXIT_OK) stop_with(L, &why);
  return 1;
}

/* ---- run ----------------------------------------------------------------- */

static void push_options(lua_State *L, const options *o)
{
  lua_newtable(L);
  lua_pushstring(L, o->arguments > 0 ? o->argument[0] : NULL);
  lua_setfield(L, -2, "argument");
  lua_pushstring(L, o->traces ? o->traces : "build/traces");
  lua_setfield(L, -2, "traces");
  lua_pushboolean(L, o->format == FORMAT_TABLE);
  lua_setfield(L, -2, "table");
  lua_pushboolean(L, o->strict);
  lua_setfield(L, -2, "strict");
  lua_pushboolean(L, o->refit);
  lua_setfield(L, -2, "refit");
  lua_pushnumber(L, o->perturb);
  lua_setfield(L, -2, "perturb");
}

/* Pushes the host and the string library, and removes methods from texts. */
static void push_host(lua_State *L, run *r)
{
  static const luaL_Reg functions[] = {{"load", load_file},
                                       {"value", value_of},
                                       {"exists", exists},
                                       {"table", read_table},
                                       {"system", system_number_of},
                                       {"workload", workload_number_of},
                                       {"paradigm", paradigm},
                                       {"refuse", refuse_text},
                                       {"attempt", attempt},
                                       {"keeping", keeping},
                                       {"lines", lines_of},
                                       {"note", note},
                                       {"say", say},
                                       {"rows", write_rows},
                                       {"pieces", pieces},
                                       {NULL, NULL}};

  lua_newtable(L);
  lua_pushlightuserdata(L, r);
  luaL_setfuncs(L, functions, 1);
  push_options(L, r->o);
  lua_setfield(L, -2, "options");
  lua_pushcfunction(L, luaopen_string);
  lua_call(L, 0, 1);
  lua_setfield(L, -2, "string");
  lua_pushliteral(L, "");
  lua_pushnil(L);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

static void call(lua_State *L, void *closure)
{
  run *r = closure;

  lua_pushvalue(L, 1);
  lua_pushstring(L, r->what);
  lua_pushstring(L, r->of);
  lua_pushstring(L, r->held);
  push_host(L, r);
  lua_call(L, 4, 2);
  r->status = (int)lua_tointeger(L, -2);
  snprintf(r->said, sizeof r->said, "%s",
           lua_isstring(L, -1) ? lua_tostring(L, -1) : "");
  for (lua_Integer i = 1; lua_istable(L, 2) && r->to; i++) {
    if (lua_rawgeti(L, 2, i) != LUA_TSTRING) break;
    fputs(lua_tostring(L, -1), r->to);
    lua_pop(L, 1);
  }
}

static int run_recipes(run *r, failure *why)
{
  char path[sizeof((about *)0)->path];
  const script_more more = {.read = call,
                            .closure = r,
                            .seconds = RECIPE_SECONDS,
                            .silent = r->to != NULL};
  int st = find_shared("lua/reproduce.lua", path, sizeof path, why);

  if (st == EXIT_OK) st = script_run_more(r->o, path, more, why);
  rows_free(r->table);
  if (st != EXIT_OK && r->failed.status != EXIT_OK) *why = r->failed;
  return st;
}

/* A run may fail after it has printed everything. */
int recipes_print(const options *o, failure *why)
{
  run r = {.o = o, .what = "print"};
  const int st = run_recipes(&r, why);

  return st == EXIT_OK && r.status != EXIT_OK
             ? fail(why, r.status, "reproduce: %s", r.said)
             : st;
}

int recipes_list(const options *o, failure *why)
{
  run r = {.o = o, .what = "list"};

  return run_recipes(&r, why);
}

int recipes_draw(const char *figure_, const options *o, failure *why)
{
  figure g;
  run r = {.o = o, .what = "draw", .of = figure_};
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  r.to = g.f;
  if (st == EXIT_OK) st = run_recipes(&r, why);
  if (st == EXIT_OK) st = figure_draw(&g, "p_printed.gp", r.said, o, why);
  figure_free(&g);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
