/* script.c - runs scripts of users. A script may call the functions of
 * descriptions and gs.predict, gs.rows, gs.goodput, gs.equation, gs.remote and
 * print. script_question.c reads the tables of gs.predict and similar calls.
 * sweep/script.c adds gs.sweep and gs.solve.
 *
 * Scripts run inside the sandbox. Lua may jump out of any call, so that memory
 * owned by C is kept in `script` and freed outside. */

#include "say/script.h"
#include "say/predict.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A script asks many questions, and has larger limits than a description. */
static const limits script_limits = {(size_t)64 << 20, 100000000, 4.0};

enum {
  OUTPUT_MAX = 64 << 20, /* B written by a script */
  COLUMNS_MAX = 64,
  CELLS_MAX = 1 << 20 /* cells of one table */
};

typedef struct script {
  const options *o;
  output out;
  question q; /* of the last gs.predict */
  answer *a;
  bool noted_t1; /* t1 was noted */
  bool noted;    /* extrapolated N were noted */
  bool left_out; /* missing N were noted */
  bool missed;   /* missing paradigms were noted */
  rows *r;       /* of the last gs.rows */
  failure said;  /* passed on from the program */
  script_more more;
  asking asked;
  size_t long_text; /* B in the rows of one gs.rows */
  column column[COLUMNS_MAX];
} script;

static const char script_key; /* key in the registry */

static script *of(lua_State *L)
{
  return kept_under(L, &script_key);
}

static void forget_answers(script *s)
{
  question_free(&s->q);
  free(s->a);
  s->a = NULL;
}

/* ---- writing ------------------------------------------------------------ */

static void check_output(lua_State *L)
{
  const long size = ftell(of(L)->out.f);

  if (size < 0 || size > OUTPUT_MAX)
    refuse_as(L, EXIT_LIMIT, "%s:%d: wrote more than %d MiB", path_now(L),
              line_now(L), OUTPUT_MAX >> 20);
}

/* Writes texts and numbers. For other values only the type is written, since
 * addresses would differ from run to run. */
static void write_value(lua_State *L, int index)
{
  FILE *f = of(L)->out.f;
  size_t n;
  const char *text;

  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN:
    fputs(lua_toboolean(L, index) ? "true" : "false", f);
    break;
  case LUA_TNUMBER:
  case LUA_TSTRING:
    text = lua_tolstring(L, index, &n);
    fwrite(text, 1, n, f);
    break;
  default:
    fputs(type_name(L, index), f);
  }
}

static int print(lua_State *L)
{
  const int n = lua_gettop(L);

  stop_if_late(L);
  for (int i = 1; i <= n; i++) {
    if (i > 1) putc('\t', of(L)->out.f);
    write_value(L, i);
  }
  putc('\n', of(L)->out.f);
  check_output(L);
  return 0;
}

/* ---- gs.predict --------------------------------------------------------- */

static void push_cell(lua_State *L, const column *c, const cell *v)
{
  if (c->type == COLUMN_TEXT)
    lua_pushstring(L, cell_text(v));
  else if (isnan(v->number))
    lua_pushnil(L);
  else if (c->type == COLUMN_INTEGER)
    lua_pushinteger(L, (lua_Integer)v->number);
  else
    lua_pushnumber(L, v->number);
}

void push_columns(lua_State *L, const column *columns, const cell *c, size_t n)
{
  lua_createtable(L, 0, (int)n);
  for (size_t k = 0; k < n; k++) {
    if (!columns[k].name) continue;
    push_cell(L, &columns[k], &c[k]);
    lua_setfield(L, -2, columns[k].name);
  }
}

static void push_row(lua_State *L, size_t i, size_t j)
{
  const column *columns;
  const size_t n = prediction_columns(&columns);
  const question *const q = &of(L)->q;
  cell cells[COLUMNS_MAX] = {0};

  prediction_row(cells, q, i, j, of(L)->a);
  push_columns(L, columns, cells, n);
  const double *const memory =
      q->weak ? q->weak[q->gpus[j]].memory : q->about_workload.memory;
  set_number(L, "state_B", memory[0] > 0.0 ? memory[0] : NAN);
  set_number(L, "memory_B", memory[1] > 0.0 ? memory[1] : NAN);
}

static void push_rows(lua_State *L)
{
  const question *q = &of(L)->q;
  lua_Integer n = 0;

  lua_newtable(L);
  for (size_t i = 0; i < q->paradigms; i++)
    for (size_t j = 0; j < q->n; j++) {
      if (!of(L)->a[i * q->n + j].met) continue;
      push_row(L, i, j);
      lua_rawseti(L, -2, ++n);
    }
}

/* Answers one N at a time, so that the time limit is checked in between. */
static void answer_all(lua_State *L)
{
  script *s = of(L);
  const size_t asked = s->q.n + s->q.left.n;
  failure why = {EXIT_OK, ""};

  if (question_fit(&s->q, s->left_out, &why) != EXIT_OK)
    pass_on(L, "gs.predict", &why);
  if (question_join(&s->q, &why) != EXIT_OK) pass_on(L, "gs.predict", &why);
  s->left_out = s->left_out || s->q.n < asked;
  s->a = question_answers(&s->q);
  if (!s->a) refuse_as(L, EXIT_INTERNAL, "no memory for the predictions");
  for (size_t j = 0; j < s->q.n; j++) {
    stop_if_late(L);
    if (question_answer_at(&s->q, j, true, s->a, &why) != EXIT_OK)
      pass_on(L, "gs.predict", &why);
  }
  if (question_settle(&s->q, s->a, s->missed, &why) != EXIT_OK)
    pass_on(L, "gs.predict", &why);
  s->missed = true;
  if (!s->noted_t1) s->noted_t1 = question_note_t1(&s->q);
  if (!s->noted) question_note_beyond(&s->q);
  if (s->q.gpus[s->q.n - 1] > gscale_system_about(s->q.system).gpus)
    s->noted = true;
}

static int predict(lua_State *L)
{
  script *s = of(L);
  failure why;

  stop_if_late(L);
  read_question(L, "gs.predict", NULL, &s->asked);
  forget_answers(s);
  if (question_load(&s->q, &s->asked.o, GPUS_DOUBLED, &why) != EXIT_OK)
    pass_on(L, "gs.predict", &why);
  answer_all(L);
  push_rows(L);
  return 1;
}

/* ---- columns ------------------------------------------------------------ */

/* Infers the dimension of a column from the end of its name. */
static gscale_dim dim_of(const char *name)
{
  static const struct {
    const char *end;
    gscale_dim dim;
  } units[] = {
      {"_s", GSCALE_TIME}, {"_B", GSCALE_BYTES}, {"_Bps", GSCALE_BYTERATE}};
  const size_t n = strlen(name);

  for (size_t i = 0; i < LENGTH(units); i++) {
    const size_t k = strlen(units[i].end);

    if (n > k && strcmp(name + n - k, units[i].end) == 0) return units[i].dim;
  }
  return GSCALE_COUNT;
}

static const column *find_prediction(const char *name)
{
  const column *columns;
  const size_t n = prediction_columns(&columns);

  for (size_t i = 0; i < n; i++)
    if (columns[i].name && strcmp(columns[i].name, name) == 0)
      return &columns[i];
  return NULL;
}

/* Pushes field `name` of row i of the list at index 1 and returns its type. */
static int push_item(lua_State *L, lua_Integer i, const char *name)
{
  lua_rawgeti(L, 1, i);
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  return lua_type(L, -1);
}

/* Infers a column's type. Returns false if no row has the field. */
static bool set_type(lua_State *L, column *c)
{
  const lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  bool number = true, whole = true, any = false;

  for (lua_Integer i = 1; number && i <= n; i++) {
    const int type = push_item(L, i, c->name);

    number = type == LUA_TNUMBER || type == LUA_TNIL;
    whole = whole && (type == LUA_TNIL || lua_isinteger(L, -1));
    any = any || type != LUA_TNIL;
    lua_pop(L, 1);
  }
  c->type = !number ? COLUMN_TEXT : whole ? COLUMN_INTEGER : COLUMN_NUMBER;
  return any;
}

/* Adds a column of `predict`, or a column with an inferred type. A script may
 * store any value in any column. */
static void add_column(lua_State *L, size_t *n, const char *name)
{
  const column *known = find_prediction(name);
  column *c = &of(L)->column[*n];

  if (*n == COLUMNS_MAX)
    refuse_now(L, "gs.rows: more than %d columns", COLUMNS_MAX);
  *c = (column){.name = name, .heading = name, .dim = dim_of(name)};
  if (!set_type(L, c))
    refuse_now(L, "gs.rows: no row has a field '%.60s'", name);
  if (known && (known->type == COLUMN_TEXT) == (c->type == COLUMN_TEXT)) {
    *c = *known;
    if (!c->heading) c->heading = c->name;
  }
  (*n)++;
}

static size_t name_columns(lua_State *L)
{
  const lua_Integer given = (lua_Integer)lua_rawlen(L, 2);
  size_t n = 0;

  for (lua_Integer i = 1; i <= given; i++) {
    lua_rawgeti(L, 2, i);
    if (lua_type(L, -1) != LUA_TSTRING)
      refuse_now(L, "gs.rows: column %d is a %s; needs a name", (int)i,
                 type_name(L, -1));
    add_column(L, &n, lua_tostring(L, -1)); /* kept by the table */
    lua_pop(L, 1);
  }
  return n;
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the names in the first row that `predict` lacks, in order. */
static size_t other_names(lua_State *L, const char **names)
{
  size_t n = 0;

  lua_rawgeti(L, 1, 1);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      refuse_now(L, "gs.rows: row 1: a key that is a %s, not a name",
                 type_name(L, -2));
    if (find_prediction(lua_tostring(L, -2))) continue;
    if (n == COLUMNS_MAX)
      refuse_now(L, "gs.rows: more than %d columns", COLUMNS_MAX);
    names[n++] = lua_tostring(L, -2); /* kept by the row */
  }
  lua_pop(L, 1);
  qsort(names, n, sizeof *names, by_text);
  return n;
}

/* Hides the columns that `predict` hides in tables. A text that `predict` puts
 * into the title of a table remains. */
static void show_as_predict(column *c, const column *known)
{
  if (known->type == COLUMN_TEXT)
    c->optional = true;
  else if (c->type != COLUMN_TEXT)
    c->heading = known->heading;
}

/* Uses the columns of the first row, and begins with those of `predict`. */
static size_t guess_columns(lua_State *L)
{
  const char *names[COLUMNS_MAX];
  const column *columns;
  const size_t known = prediction_columns(&columns);
  const size_t others = other_names(L, names);
  size_t n = 0;

  for (size_t i = 0; i < known; i++) {
    if (!columns[i].name) continue;
    if (push_item(L, 1, columns[i].name) != LUA_TNIL) {
      add_column(L, &n, columns[i].name);
      show_as_predict(&of(L)->column[n - 1], &columns[i]);
    }
    lua_pop(L, 1);
  }
  for (size_t i = 0; i < others; i++) add_column(L, &n, names[i]);
  return n;
}

/* ---- cells -------------------------------------------------------------- */

/* Refers to the settings of a prediction, which may be long, without copying
 * them. The list keeps the text until the rows are written. */
static bool take_settings(lua_State *L, const column *c, cell *to)
{
  script *s = of(L);

  if (strcmp(c->name, "settings") != 0 || lua_type(L, -1) != LUA_TSTRING)
    return false;
  s->long_text += lua_rawlen(L, -1);
  if (s->long_text > OUTPUT_MAX)
    refuse_as(L, EXIT_LIMIT, "%s:%d: gs.rows: more than %d MiB of settings",
              path_now(L), line_now(L), OUTPUT_MAX >> 20);
  to->whole = lua_tostring(L, -1);
  return true;
}

static void read_text(lua_State *L, const column *c, lua_Integer i, cell *to)
{
  size_t size;
  const char *text;

  if (lua_isnil(L, -1) || take_settings(L, c, to)) return;
  if (lua_isboolean(L, -1)) {
    set_text(to, lua_toboolean(L, -1) ? "true" : "false");
    return;
  }
  if (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TSTRING)
    refuse_now(L, "gs.rows: row %d: %.60s: is a %s", (int)i, c->name,
               type_name(L, -1));
  text = lua_tolstring(L, -1, &size);
  if (size >= sizeof to->text)
    refuse_now(L, "gs.rows: row %d: %.60s: longer than %zu bytes", (int)i,
               c->name, sizeof to->text - 1);
  set_text(to, text);
}

static void read_row(lua_State *L, size_t columns, lua_Integer i)
{
  script *s = of(L);
  cell *to = rows_add(s->r);

  for (size_t k = 0; k < columns; k++) {
    const column *c = &s->column[k];

    push_item(L, i, c->name);
    if (c->type == COLUMN_TEXT)
      read_text(L, c, i, &to[k]);
    else if (!lua_isnil(L, -1))
      to[k].number = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

static void check_list(lua_State *L)
{
  lua_Integer n;

  if (lua_gettop(L) < 1 || lua_gettop(L) > 2 || !lua_istable(L, 1))
    refuse_now(L, "gs.rows: needs a list of rows and may have a list "
                  "of columns");
  if (!lua_isnoneornil(L, 2) && !lua_istable(L, 2))
    refuse_now(L, "gs.rows: columns: needs a list of names, got a %s",
               type_name(L, 2));
  n = (lua_Integer)lua_rawlen(L, 1);
  if (n == 0) refuse_now(L, "gs.rows: no rows");
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, 1, i);
    if (!lua_istable(L, -1))
      refuse_now(L, "gs.rows: row %d is a %s; needs a table", (int)i,
                 type_name(L, -1));
    lua_pop(L, 1);
  }
}

static int write_rows(lua_State *L)
{
  script *s = of(L);
  lua_Integer n;
  size_t columns;
  failure why;

  stop_if_late(L);
  check_list(L);
  lua_settop(L, 2);
  columns = lua_istable(L, 2) ? name_columns(L) : guess_columns(L);
  if (columns == 0) refuse_now(L, "gs.rows: no columns");
  rows_free(s->r);
  s->r = rows_new("gpuscale.run/1", s->column, columns);
  n = (lua_Integer)lua_rawlen(L, 1);
  if ((size_t)n > CELLS_MAX / columns)
    refuse_as(L, EXIT_LIMIT, "%s:%d: gs.rows: more than %d cells", path_now(L),
              line_now(L), CELLS_MAX);
  s->long_text = 0;
  for (lua_Integer i = 1; i <= n; i++) read_row(L, columns, i);
  if (rows_write(s->r, s->o->format, &s->out, &why) != EXIT_OK)
    pass_on(L, "gs.rows", &why);
  check_output(L);
  return 0;
}

/* ---- the script --------------------------------------------------------- */

void set_call(lua_State *L, const char *name, lua_CFunction f)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "gs");
  lua_rawget(L, -2);
  lua_pushstring(L, name);
  lua_pushcfunction(L, f);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

static void extend(lua_State *L, void *closure)
{
  const int top = lua_gettop(L);

  keep_under(L, &script_key, closure);
  pass_to(L, &((script *)closure)->said);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "print");
  lua_pushcfunction(L, print);
  lua_rawset(L, top + 1);
  set_call(L, "predict", predict);
  set_call(L, "rows", write_rows);
  set_call(L, "remote", ask_remote);
  set_call(L, "replay", ask_replay);
  lua_pushliteral(L, "gs");
  lua_rawget(L, top + 1);
  push_equations(L, top + 2);
  lua_settop(L, top);
}

/* Refuses a returned value, because a script prints its results. */
static void read_result(lua_State *L, void *closure)
{
  const script *s = closure;

  if (s->more.read)
    s->more.read(L, s->more.closure);
  else if (!lua_isnil(L, -1))
    refuse(L, 1,
           "returns a %s, which `run` has no use for: a script prints; "
           "`gpuscale predict` takes programs and systems",
           lua_isuserdata(L, -1) ? "description" : luaL_typename(L, -1));
}

static void extend_more(lua_State *L, void *closure)
{
  const script *s = closure;

  extend(L, closure);
  if (s->more.extend) s->more.extend(L, s->more.closure);
}

output *script_output(lua_State *L)
{
  return &of(L)->out;
}

int script_run_more(const options *o, const char *path, script_more more,
                    failure *why)
{
  limits most = script_limits;
  script *s = calloc(1, sizeof *s);
  int st = s ? EXIT_OK : fail(why, EXIT_INTERNAL, "%s: no memory", path);

  if (!s) return st;
  if (more.seconds > 0.0) most.seconds = more.seconds;
  s->o = o;
  s->more = more;
  st = output_open(&s->out, more.silent ? NULL : o->output, why);
  if (st == EXIT_OK) {
    st = sandbox_run(path, &most, extend_more, read_result, s, NULL, why);
    forget_answers(s);
    rows_free(s->r);
    if (st == EXIT_OK && !more.silent)
      st = output_close(&s->out, why);
    else
      output_discard(&s->out);
    if (st != EXIT_OK && s->said.status != EXIT_OK) *why = s->said;
  }
  free(s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
