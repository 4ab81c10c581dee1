/* equations.c - gs.goodput and gs.equation.NAME for scripts. */

#include "say/script.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* Finds a link by name and applies any given payload. */
static gscale_link link_of(lua_State *L)
{
  const char *name = text_field(L, "gs.goodput", "link");
  const gscale_link *found = name ? gscale_link_find(name) : NULL;
  const gscale_link_options o = {
      .payload = number_field(L, "gs.goodput", "payload", 0.0)};
  gscale_link l;
  gscale_diag diag;

  if (!found)
    refuse(L, line_now(L), "gs.goodput: link: no link '%.60s'",
           name ? name : "");
  l = *found;
  if (gscale_link_change(&l, &o, &diag) != GSCALE_OK)
    refuse(L, line_now(L), "gs.goodput: %s", diag.text);
  return l;
}

/* Implements gs.goodput { link =, size =, access = "store", partial =, payload
 * = }, the useful share of the bytes of one aligned message. */
static int goodput(lua_State *L)
{
  gscale_link l;
  const char *access;
  double v;

  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    refuse(L, line_now(L), "gs.goodput: needs one table");
  l = link_of(L);
  access = text_field(L, "gs.goodput", "access");
  if (access && strcmp(access, "store") != 0 && strcmp(access, "copy") != 0)
    refuse(L, line_now(L), "gs.goodput: access: '%.60s' is not store or copy",
           access);
  lua_pushliteral(L, "partial");
  lua_rawget(L, 1);
  v = gscale_goodput(&l, access && *access == 'c' ? GSCALE_COPY : GSCALE_STORE,
                     number_field(L, "gs.goodput", "size", (double)NAN),
                     lua_toboolean(L, -1));
  if (isnan(v)) refuse(L, line_now(L), "gs.goodput: size: needs bytes, > 0");
  lua_pushnumber(L, v);
  return 1;
}

/* An equation of numbers only, named as in gpuscale.h without gscale_. */
typedef struct equation {
  const char *name;
  int arguments;
  double (*of)(const double *x);
} equation;

static double entry_bits(const double *x)
{
  return gscale_gps_entry_bits((int)x[0], x[1], (int)x[2], (int)x[3]);
}
static double queue_bytes(const double *x)
{
  return gscale_gps_queue_bytes(x[0], x[1]);
}
static double bitmap_bytes(const double *x)
{
  return gscale_gps_bitmap_bytes(x[0], x[1]);
}
static double range(const double *x)
{
  return gscale_finepack_range((int)x[0]);
}
static double finepack_queue(const double *x)
{
  return gscale_finepack_queue_bytes((int)x[0], x[1]);
}
static double finepack_stores(const double *x)
{
  return gscale_finepack_stores(x[0], x[1]);
}
static double subscribed(const double *x)
{
  return gscale_subscribed(x[0], x[1]);
}
static double tlb_hits(const double *x)
{
  return gscale_tlb_hits(x[0], x[1]);
}

static double opposite(const double *x)
{
  return gscale_opposite(x[0]);
}
static double queued(const double *x)
{
  return gscale_queued(x[0], x[1], x[2], x[3]);
}
static double on_stream_0(const double *x)
{
  return gscale_on_streams(x[0], x[1], true);
}
static double on_streams(const double *x)
{
  return gscale_on_streams(x[0], x[1], false);
}

static const equation equations[] = {
    {"gps_entry_bits", 4, entry_bits},
    {"gps_queue_bytes", 2, queue_bytes},
    {"gps_bitmap_bytes", 2, bitmap_bytes},
    {"finepack_range", 1, range},
    {"finepack_queue_bytes", 2, finepack_queue},
    {"finepack_stores", 2, finepack_stores},
    {"subscribed", 2, subscribed},
    {"tlb_hits", 2, tlb_hits},
    {"opposite", 1, opposite},
    {"queued", 4, queued},
    {"on_stream_0", 2, on_stream_0},
    {"on_streams", 2, on_streams},
};

static int evaluate(lua_State *L)
{
  const equation *e = lua_touserdata(L, lua_upvalueindex(1));
  double x[4] = {0}, v;

  if (lua_gettop(L) != e->arguments)
    refuse(L, line_now(L), "gs.equation.%s: needs %d numbers", e->name,
           e->arguments);
  for (int i = 0; i < e->arguments; i++) {
    if (lua_type(L, i + 1) != LUA_TNUMBER)
      refuse(L, line_now(L), "gs.equation.%s: argument %d is a %s", e->name,
             i + 1, type_name(L, i + 1));
    x[i] = lua_tonumber(L, i + 1);
  }
  v = e->of(x);
  if (isnan(v))
    refuse(L, line_now(L), "gs.equation.%s: outside its domain", e->name);
  lua_pushnumber(L, v);
  return 1;
}

void push_equations(lua_State *L, int gs)
{
  lua_pushliteral(L, "goodput");
  lua_pushcfunction(L, goodput);
  lua_rawset(L, gs);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof equations / sizeof *equations; i++) {
    const void *of = &equations[i];

    lua_pushlightuserdata(L, (void *)(uintptr_t)of);
    lua_pushcclosure(L, evaluate, 1);
    lua_setfield(L, -2, equations[i].name);
  }
  lua_setfield(L, gs, "equation");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
