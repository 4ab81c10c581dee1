/* drawings.c - the figures among the recipes of lua/published/: a table with a
 * name and a function that gives the rows. */

#include "reproduce/recipes.h"
#include "say/script.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

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
              "figure %s: needs the trace %s; `make traces`, --traces DIR",
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
  for (size_t i = 0; st == EXIT_OK && !c->from[0] && recipes_files[i]; i++)
    st = recipes_follow(&k, recipes_files[i], find_figure, o, why);
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

  for (size_t i = 0; st == EXIT_OK && recipes_files[i]; i++)
    st = recipes_follow(&k, recipes_files[i], list_figures, o, why);
  publication_free(&p);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
