/* recipes.c - runs lua/published/ *.lua: for each printed number the expression
 * that gives ours.
 *
 * A file returns a table of functions by the id of the row, and of tables by
 * the name of a figure.  It may call what scripts may, and
 *
 *   gs.printed(id)                 a printed number
 *   gs.fit(value, name, id, ...)   the value: a constant chosen to match rows
 *   gs.constant(name)              the value of one chosen before, in whatever
 *                                  file
 */

#include "reproduce/recipes.h"
#include "cli/draft.h"
#include "predict/script.h"
#include "reproduce/published.h"

#include <errno.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One file while it runs. */
typedef struct recipes {
  publication *p;
  const char *name; /* "ct" */
  char path[512];
  const char *text;   /* of the file */
  const char *only;   /* id, or NULL: all */
  const char *traces; /* the directory */
  char missing[48];   /* a trace that is not there */
  chart *chart;       /* wanted, or NULL */
  void (*each)(const char *name, const char *title, void *closure);
  void *closure;
} recipes;

static recipes *of(lua_State *L)
{
  return lua_touserdata(L, lua_upvalueindex(1));
}

/* ---- what files may call ------------------------------------------------ */

static published *row_named(lua_State *L, const recipes *k, int index)
{
  const char *id = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index)
                                                     : "a value that is no id";
  published *r = publication_find(k->p, id);

  if (!r) refuse(L, line_now(L), "no printed number '%.40s'", id);
  return r;
}

static int printed(lua_State *L)
{
  const published *r = row_named(L, of(L), 1);

  if (isnan(r->least))
    refuse(L, line_now(L), "%s: '%s' is no number", r->id, r->value);
  lua_pushnumber(L, r->least);
  return 1;
}

static void note_row(lua_State *L, fitted *f, const published *r)
{
  const size_t used = strlen(f->rows);

  if (r->standing != STANDING_FITTED && r->standing != STANDING_CONFLICT)
    refuse(L, line_now(L), "%s is classed %s, but a constant is fitted to it",
           r->id, standing_name(r->standing));
  snprintf(f->rows + used, sizeof f->rows - used, "%s%s", used ? " " : "",
           r->id);
}

static int fit(lua_State *L)
{
  publication *p = of(L)->p;
  fitted f = {0};

  if (lua_gettop(L) < 3 || lua_type(L, 2) != LUA_TSTRING)
    refuse(L, line_now(L), "gs.fit: needs a value, its name, and ids of rows");
  if (p->constants == FITTED_MAX)
    refuse(L, line_now(L), "gs.fit: more than %d constants", FITTED_MAX);
  snprintf(f.name, sizeof f.name, "%s", lua_tostring(L, 2));
  for (int i = 3; i <= lua_gettop(L); i++)
    note_row(L, &f, row_named(L, of(L), i));
  lua_pushvalue(L, 1); /* tolstring() would change a number */
  snprintf(f.value, sizeof f.value, "%s", luaL_tolstring(L, -1, NULL));
  p->constant[p->constants++] = f;
  lua_settop(L, 1);
  return 1;
}

static int constant(lua_State *L)
{
  const publication *p = of(L)->p;
  const char *name = luaL_checkstring(L, 1);
  size_t i = 0;

  while (i < p->constants && strcmp(p->constant[i].name, name) != 0) i++;
  if (i == p->constants)
    refuse(L, line_now(L), "no constant '%.60s' was fitted before", name);
  if (lua_stringtonumber(L, p->constant[i].value) == 0)
    lua_pushstring(L, p->constant[i].value);
  return 1;
}

/* Without the trace the recipe ends; see cook(). */
static int replay(lua_State *L)
{
  recipes *k = of(L);
  const char *missing = recipes_replay(L, k->traces);

  if (!missing) return 1;
  snprintf(k->missing, sizeof k->missing, "%s", missing);
  lua_pushlightuserdata(L, k);
  return lua_error(L);
}

static void set_function(lua_State *L, const char *name, lua_CFunction f,
                         void *closure)
{
  lua_pushlightuserdata(L, closure);
  lua_pushcclosure(L, f, 1);
  lua_setfield(L, -2, name);
}

static void extend(lua_State *L, void *closure)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_getfield(L, -1, "gs");
  set_function(L, "printed", printed, closure);
  set_function(L, "fit", fit, closure);
  set_function(L, "constant", constant, closure);
  set_function(L, "replay", replay, closure);
  lua_pop(L, 2);
}

/* ---- the expression ----------------------------------------------------- */

static const char *line_of(const char *text, int line)
{
  for (int i = 1; text && i < line; i++) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  return text;
}

/* Appends `n` bytes with one blank for each run of them. */
static void append(char *to, size_t size, const char *text, size_t n)
{
  size_t used = strlen(to);

  for (size_t i = 0; i < n && used + 1 < size; i++) {
    const bool blank = text[i] == ' ' || text[i] == '\n';

    if (blank && (used == 0 || to[used - 1] == ' ')) continue;
    to[used++] = blank ? ' ' : text[i];
  }
  while (used > 0 && to[used - 1] == ' ') used--;
  to[used] = '\0';
}

/* What stands between `function () return` and `end` of the function on top of
 * the stack, as it is written. */
static void quote(lua_State *L, const recipes *k, char *how, size_t size)
{
  static const char opening[] = "function ()", returning[] = "return ";
  const char *from, *to;
  lua_Debug at;

  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &at);
  from = line_of(k->text, at.linedefined);
  to = line_of(k->text, at.lastlinedefined + 1);
  how[0] = '\0';
  if (!from || !to) return;
  from = strstr(from, opening);
  if (!from) return;
  from += strlen(opening);
  while (to > from && strncmp(to, "end", 3) != 0) to--;
  from += strspn(from, " \n");
  if (strncmp(from, returning, strlen(returning)) == 0)
    from += strlen(returning);
  append(how, size, from, (size_t)(to - from));
}

/* ---- the rows ----------------------------------------------------------- */

/* Calls the function on top of the stack; it goes. */
static void cook(lua_State *L, recipes *k, published *r)
{
  stop_if_late(L);
  if (lua_type(L, -1) != LUA_TFUNCTION)
    refuse(L, 0, "%s: is a %s, not a function", r->id, type_name(L, -1));
  if (!is_judged(r->standing) && r->standing != STANDING_CONFLICT)
    refuse(L, 0, "%s: is classed %s, but has a recipe", r->id,
           standing_name(r->standing));
  quote(L, k, r->how, sizeof r->how);
  snprintf(r->from, sizeof r->from, "%s", k->name);
  if (lua_pcall(L, 0, 2, 0) != LUA_OK) {
    if (lua_touserdata(L, -1) != k) lua_error(L); /* goes on failing */
    snprintf(r->detail, sizeof r->detail, "needs the trace %s", k->missing);
    lua_pop(L, 1);
    return;
  }
  if (lua_type(L, -2) != LUA_TNUMBER)
    refuse(L, 0, "%s: gives a %s, not a number", r->id, type_name(L, -2));
  r->ours = lua_tonumber(L, -2);
  if (lua_type(L, -1) == LUA_TSTRING)
    snprintf(r->detail, sizeof r->detail, "%s", lua_tostring(L, -1));
  lua_pop(L, 2);
  r->known = true;
  r->met = published_met(r);
}

static void check_ids(lua_State *L, const recipes *k)
{
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_istable(L, -1)) continue; /* a figure */
    const published *r = row_named(L, k, -2);

    if (r->from[0]) refuse(L, 0, "%s: has a recipe elsewhere too", r->id);
  }
}

static void read(lua_State *L, void *closure)
{
  recipes *k = closure;

  if (!lua_istable(L, 1)) refuse(L, 0, "returns no table of recipes");
  check_ids(L, k);
  for (size_t i = 0; i < k->p->n; i++) {
    if (k->only && strcmp(k->only, k->p->v[i].id) != 0) continue;
    lua_pushstring(L, k->p->v[i].id);
    if (lua_rawget(L, 1) == LUA_TNIL)
      lua_pop(L, 1);
    else
      cook(L, k, &k->p->v[i]);
  }
}

/* ---- the files ---------------------------------------------------------- */

static int no_memory(const recipes *k, failure *why)
{
  return fail(why, EXIT_INTERNAL, "no memory for %.300s", k->path);
}

static int read_text(const recipes *k, FILE *f, draft *t, failure *why)
{
  char buffer[4096];
  size_t n;

  if (!draft_open(t)) return no_memory(k, why);
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    fwrite(buffer, 1, n, t->f);
  if (ferror(f))
    return fail(why, EXIT_IO, "%.300s: %s", k->path, strerror(errno));
  return draft_end(t) ? EXIT_OK : no_memory(k, why);
}

static int read_file(const recipes *k, draft *t, failure *why)
{
  FILE *f = fopen(k->path, "r");
  int st;

  if (!f && errno == ENOMEM) return no_memory(k, why);
  if (!f) return fail(why, EXIT_IO, "%.300s: %s", k->path, strerror(errno));
  st = read_text(k, f, t, why);
  fclose(f);
  return st;
}

static int follow(recipes *k, const char *name,
                  void (*what)(lua_State *L, void *closure), const options *o,
                  failure *why)
{
  draft t = {0};
  char relative[64];
  int st;

  k->name = name;
  k->traces = o->traces ? o->traces : "build/traces";
  snprintf(relative, sizeof relative, "lua/published/%s.lua", name);
  st = find_shared(relative, k->path, sizeof k->path, why);
  if (st == EXIT_OK) st = read_file(k, &t, why);
  k->text = t.at;
  if (st == EXIT_OK)
    st = script_run_more(o, k->path, (script_more){extend, what, k}, why);
  draft_free(&t);
  k->text = NULL;
  return st;
}

static const char *const files[] = {"proact", "ct", "gps", "finepack",
                                    "beyond"};
enum {
  FILES = sizeof files / sizeof files[0]
};

/* A constant must have been fitted to what is called fitted. */
static bool is_fitted(const publication *p, const char *id)
{
  const size_t n = strlen(id);

  for (size_t i = 0; i < p->constants; i++)
    for (const char *s = p->constant[i].rows; (s = strstr(s, id)); s += n)
      if (s[n] == '\0' || s[n] == ' ') return true;
  return false;
}

static int check(const publication *p, failure *why)
{
  for (size_t i = 0; i < p->n; i++) {
    const published *r = &p->v[i];

    if (is_judged(r->standing) && !r->from[0])
      return fail(why, EXIT_DATA, "%s: is classed %s, but has no recipe", r->id,
                  standing_name(r->standing));
    if (r->standing == STANDING_FITTED && !is_fitted(p, r->id))
      return fail(why, EXIT_DATA, "%s: is classed fitted, but no constant is",
                  r->id);
  }
  return EXIT_OK;
}

int publication_reproduce(publication *p, const char *id, const options *o,
                          failure *why)
{
  recipes k = {.p = p, .only = id};
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < FILES; i++)
    st = follow(&k, files[i], read, o, why);
  return st == EXIT_OK && !id ? check(p, why) : st;
}

/* ---- figures ------------------------------------------------------------ */

static void copy_field(lua_State *L, const char *key, char *to, size_t size)
{
  to[0] = '\0';
  lua_getfield(L, -1, key);
  if (lua_type(L, -1) == LUA_TSTRING)
    snprintf(to, size, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
}

static void read_categories(lua_State *L, chart *c)
{
  lua_getfield(L, -1, "categories");
  for (int i = 1; lua_istable(L, -1) && i <= (int)lua_rawlen(L, -1); i++) {
    if (c->categories == CATEGORIES_MAX)
      refuse(L, 0, "figure %s: more than %d categories", c->name,
             CATEGORIES_MAX);
    lua_rawgeti(L, -1, i);
    snprintf(c->category[c->categories++], sizeof c->category[0], "%s",
             luaL_checkstring(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static size_t series_named(lua_State *L, chart *c, const char *name)
{
  size_t i = 0;

  while (i < c->all_series && strcmp(c->series[i], name) != 0) i++;
  if (i < c->all_series) return i;
  if (i == SERIES_MAX)
    refuse(L, 0, "figure %s: more than %d series", c->name, SERIES_MAX);
  snprintf(c->series[c->all_series++], sizeof c->series[0], "%s", name);
  return i;
}

/* The row { series, x, y [, "printed"] } on top of the stack. */
static void read_mark(lua_State *L, chart *c)
{
  mark *m;

  if (c->n == c->room) {
    const size_t room = c->room ? 2 * c->room : 256;
    mark *more = realloc(c->v, room * sizeof *more);

    if (!more) refuse_as(L, EXIT_INTERNAL, "no memory for the figure");
    c->v = more;
    c->room = room;
  }
  m = &c->v[c->n];
  for (int i = 1; i <= 4; i++) lua_rawgeti(L, -i, i);
  m->series = series_named(L, c, luaL_checkstring(L, -4));
  m->x = luaL_checknumber(L, -3);
  m->y = luaL_checknumber(L, -2);
  m->printed = !lua_isnil(L, -1);
  lua_pop(L, 4);
  c->n++;
}

/* The figure's table is on top of the stack. */
static void read_figure(lua_State *L, recipes *k)
{
  chart *c = k->chart;
  char log[4];

  snprintf(c->from, sizeof c->from, "%s", k->name);
  copy_field(L, "title", c->title, sizeof c->title);
  copy_field(L, "x", c->x, sizeof c->x);
  copy_field(L, "y", c->y, sizeof c->y);
  copy_field(L, "log", log, sizeof log);
  c->log_x = strchr(log, 'x') != NULL;
  c->log_y = strchr(log, 'y') != NULL;
  read_categories(L, c);
  lua_getfield(L, -1, "rows");
  if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
    if (lua_touserdata(L, -1) != k) lua_error(L);
    refuse_as(L, EXIT_DATA,
              "figure %s: needs the trace %s; scripts/traces DIR, --traces DIR",
              c->name, k->missing);
  }
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
    lua_rawgeti(L, -1, i);
    read_mark(L, c);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void find_figure(lua_State *L, void *closure)
{
  recipes *k = closure;

  if (!lua_istable(L, 1)) refuse(L, 0, "returns no table of recipes");
  lua_getfield(L, 1, k->chart->name);
  if (lua_istable(L, -1)) read_figure(L, k);
}

int chart_read(chart *c, const char *name, const options *o, failure *why)
{
  publication p;
  recipes k = {.p = &p, .chart = c};
  int st = publication_read(&p, why);

  *c = (chart){0};
  snprintf(c->name, sizeof c->name, "%s", name);
  for (size_t i = 0; st == EXIT_OK && !c->from[0] && i < FILES; i++)
    st = follow(&k, files[i], find_figure, o, why);
  publication_free(&p);
  if (st == EXIT_OK && !c->from[0])
    return fail(why, EXIT_DATA,
                "no figure '%.40s'; see `gpuscale list figures`", name);
  return st;
}

void chart_free(chart *c)
{
  free(c->v);
  *c = (chart){0};
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_figures(lua_State *L, void *closure)
{
  const recipes *k = closure;
  const char *names[64];
  char title[96];
  size_t n = 0;

  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
    if (lua_istable(L, -1) && lua_type(L, -2) == LUA_TSTRING && n < 64)
      names[n++] = lua_tostring(L, -2); /* the table holds it */
  qsort(names, n, sizeof *names, by_name);
  for (size_t i = 0; i < n; i++) {
    lua_getfield(L, 1, names[i]);
    copy_field(L, "title", title, sizeof title);
    k->each(names[i], title, k->closure);
    lua_pop(L, 1);
  }
}

int each_chart(const options *o,
               void (*each)(const char *name, const char *title, void *closure),
               void *closure, failure *why)
{
  publication p;
  recipes k = {.p = &p, .each = each, .closure = closure};
  int st = publication_read(&p, why);

  for (size_t i = 0; st == EXIT_OK && i < FILES; i++)
    st = follow(&k, files[i], list_figures, o, why);
  publication_free(&p);
  return st;
}
