/* learned.c - reads the runs to which a system's numbers were fitted. */

#include "language/learned.h"

#include <stdlib.h>
#include <string.h>

enum {
  HEX = 16,
  ROWS_MAX = 100000
};

static void read_row(const reader *r, job *j, size_t i)
{
  const char *text =
      lua_type(r->L, -1) == LUA_TSTRING ? lua_tostring(r->L, -1) : "";
  gscale_diag diag;

  if (strlen(text) != HEX || text[strspn(text, "0123456789abcdef")])
    complain_of(r, "fitted_to[%zu]: needs 16 hexadecimal digits", i + 1);
  else if (gscale_system_add_row(j->system, strtoull(text, NULL, HEX), &diag) !=
           GSCALE_OK)
    complain_of(r, "%s", diag.text);
}

/* Reads { "host.sync", "host.launch", -0.4 } from the top of the stack. */
static bool read_pair(const reader *r, gscale_correlation *c)
{
  gscale_param_id *const id[] = {&c->a, &c->b};
  bool ok = lua_istable(r->L, -1) && lua_rawlen(r->L, -1) == 3;

  for (int k = 0; ok && k < 2; k++) {
    lua_rawgeti(r->L, -1, k + 1);
    ok = lua_type(r->L, -1) == LUA_TSTRING;
    *id[k] =
        ok ? gscale_param_find(lua_tostring(r->L, -1)) : gscale_param_count();
    lua_pop(r->L, 1);
  }
  if (!ok) return false;
  lua_rawgeti(r->L, -1, 3);
  ok = lua_type(r->L, -1) == LUA_TNUMBER;
  c->r = lua_tonumber(r->L, -1);
  lua_pop(r->L, 1);
  return ok;
}

static void read_correlation(const reader *r, job *j, size_t i)
{
  gscale_correlation c;
  gscale_diag diag;

  if (!read_pair(r, &c))
    complain_of(r, "correlations[%zu]: needs two parameters and a number",
                i + 1);
  else if (gscale_system_correlate(j->system, &c, &diag) != GSCALE_OK)
    complain_of(r, "correlations[%zu]: %s", i + 1, diag.text);
}

static bool read_size(const char *text, double *out)
{
  return text &&
         gscale_parse_quantity(text, GSCALE_BYTES, out, NULL) == GSCALE_OK;
}

/* Reads { "memcpy", 2, 4, "1 MB", "64 MB" } from the top of the stack. */
static void read_cover(const reader *r, job *j, size_t i)
{
  gscale_cover c = {.paradigm = gscale_paradigm_count()};
  const int top = lua_gettop(r->L);
  bool ok = lua_istable(r->L, -1) && lua_rawlen(r->L, -1) == 5;
  gscale_diag diag;

  for (int k = 1; ok && k <= 5; k++) lua_rawgeti(r->L, top, k);
  ok = ok && lua_type(r->L, top + 1) == LUA_TSTRING &&
       lua_isinteger(r->L, top + 2) && lua_isinteger(r->L, top + 3) &&
       lua_type(r->L, top + 4) == LUA_TSTRING &&
       lua_type(r->L, top + 5) == LUA_TSTRING &&
       read_size(lua_tostring(r->L, top + 4), &c.small) &&
       read_size(lua_tostring(r->L, top + 5), &c.large);
  if (ok) {
    c.paradigm = gscale_paradigm_find(lua_tostring(r->L, top + 1));
    c.least = (int)lua_tointeger(r->L, top + 2);
    c.most = (int)lua_tointeger(r->L, top + 3);
  }
  lua_settop(r->L, top);
  if (c.paradigm >= gscale_paradigm_count() ||
      gscale_system_cover(j->system, &c, &diag) != GSCALE_OK)
    complain_of(r, "fitted_over[%zu]: needs a paradigm, two N and two sizes",
                i + 1);
}

static void read_items(const reader *r, job *j, const char *key, size_t most,
                       void (*item)(const reader *r, job *j, size_t i))
{
  size_t n = 0;

  if (push_field(r, key) != LUA_TNIL) is_list(r, key, "a list", 0, most, &n);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    item(r, j, i);
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
}

void read_learned(const reader *r, job *j)
{
  read_items(r, j, "fitted_to", ROWS_MAX, read_row);
  read_items(r, j, "fitted_over", gscale_paradigm_count(), read_cover);
  read_items(r, j, "correlations",
             gscale_param_count() * gscale_param_count() / 2, read_correlation);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
