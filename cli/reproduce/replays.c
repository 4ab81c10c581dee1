/* replays.c - gs.replay for recipes: what a trace puts on a link through a
 * write queue. */

#include "language/binding.h"
#include "reproduce/published.h"
#include "reproduce/recipes.h"

#include <lauxlib.h>
#include <string.h>
#include <unistd.h>

enum {
  BLOCK = 4096 /* records read at a time */
};

/* ---- the question ------------------------------------------------------- */

/* Numbers of the table at index 1 and where they go. */
static void read_numbers(lua_State *L, gscale_replay_options *o)
{
  int page = 0;
  const struct {
    const char *key;
    int *to;
  } row[] = {{"capacity", &o->capacity}, {"tlb", &o->tlb},
             {"ways", &o->ways},         {"subheader", &o->subheader},
             {"profile", &o->profile},   {"page", &page},
             {"merge", &o->merge}};

  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    lua_getfield(L, 1, row[i].key);
    if (lua_isinteger(L, -1)) *row[i].to = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  if (page > 0) o->page = (uint64_t)page;
}

/* Other keys are mistakes. */
static void refuse_unknown(lua_State *L)
{
  static const char known[] =
      " trace queue capacity tlb ways subheader profile page merge ";

  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    const char *at = strstr(known, key);

    if (!at || at == known || key[0] == '\0' || at[-1] != ' ' ||
        at[strlen(key)] != ' ')
      refuse(L, line_now(L), "gs.replay: unknown key '%.40s'", key);
  }
}

static gscale_queue queue_named(lua_State *L)
{
  gscale_queue q = GSCALE_QUEUE_SM;
  const char *name;

  lua_getfield(L, 1, "queue");
  name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  while (q < GSCALE_QUEUE_END && strcmp(gscale_queue_name(q), name) != 0) q++;
  if (q == GSCALE_QUEUE_END)
    refuse(L, line_now(L), "gs.replay: queue: no '%.40s'", name);
  lua_pop(L, 1);
  return q;
}

/* ---- the answer --------------------------------------------------------- */

static void set_number(lua_State *L, const char *name, double v)
{
  lua_pushnumber(L, v);
  lua_setfield(L, -2, name);
}

static void push_result(lua_State *L, const gscale_replay *r,
                        const gscale_replay_result *result)
{
  const gscale_replay_counts *c = &result->stage[GSCALE_STAGE_STEADY];
  double packets;
  const gscale_bytes b = gscale_replay_bytes(
      r, GSCALE_STAGE_STEADY, gscale_link_find("pcie4"), &packets);

  lua_newtable(L);
  set_number(L, "stores", (double)c->stores);
  set_number(L, "store_B", (double)c->store_bytes);
  set_number(L, "atomics", (double)c->atomics);
  set_number(L, "queued", (double)c->queued);
  set_number(L, "hits", (double)c->hits);
  set_number(L, "entries", (double)c->entries);
  set_number(L, "tlb_lookups", (double)c->tlb_lookups);
  set_number(L, "tlb_hits", (double)c->tlb_hits);
  set_number(L, "sends", (double)(c->sends - c->direct));
  set_number(L, "packets", packets);
  set_number(L, "wire_B", b.wire);
  set_number(L, "useful_B", b.useful);
  lua_newtable(L);
  for (int n = 1; n <= GSCALE_REPLAY_GPUS_MAX; n++) {
    lua_pushnumber(L, (double)result->pages[n]);
    lua_rawseti(L, -2, n);
  }
  lua_setfield(L, -2, "pages");
}

/* ---- the run ------------------------------------------------------------ */

static gscale_status feed(gscale_replay *r, gscale_trace *t, gscale_diag *diag)
{
  static gscale_record v[BLOCK];
  size_t n = BLOCK;
  gscale_status st = GSCALE_OK;

  while (st == GSCALE_OK && n > 0) {
    st = gscale_trace_read(t, v, BLOCK, &n, diag);
    if (st == GSCALE_OK) st = gscale_replay_push(r, v, n, diag);
  }
  return st;
}

/* Lua jumps out of push_result() only if memory is out, which ends the run. */
static gscale_status replay_file(lua_State *L, const char *path,
                                 gscale_replay_options *o, gscale_diag *diag)
{
  gscale_trace *t = NULL;
  gscale_replay *r = NULL;
  gscale_replay_result result;
  gscale_status st = gscale_trace_open(path, 0, &t, diag);

  if (st == GSCALE_OK) {
    o->gpus = gscale_trace_gpus(t);
    st = gscale_replay_new(o, &r, diag);
  }
  if (st == GSCALE_OK) st = feed(r, t, diag);
  if (st == GSCALE_OK) st = gscale_replay_finish(r, &result, diag);
  if (st == GSCALE_OK) push_result(L, r, &result);
  gscale_replay_free(r);
  gscale_trace_close(t);
  return st;
}

const char *recipes_replay(lua_State *L, const char *directory)
{
  gscale_replay_options o;
  gscale_diag diag;
  char path[512];
  const char *trace;

  stop_if_late(L);
  if (!lua_istable(L, 1)) refuse(L, line_now(L), "gs.replay: needs a table");
  refuse_unknown(L);
  lua_getfield(L, 1, "trace");
  if (lua_type(L, -1) != LUA_TSTRING)
    refuse(L, line_now(L), "gs.replay: trace: needs a name");
  trace = lua_tostring(L, -1); /* the table holds it */
  lua_pop(L, 1);
  snprintf(path, sizeof path, "%s/%s.trace", directory, trace);
  if (access(path, R_OK) != 0) return trace;
  gscale_replay_options_init(&o, queue_named(L));
  read_numbers(L, &o);
  if (replay_file(L, path, &o, &diag) != GSCALE_OK)
    refuse(L, line_now(L), "gs.replay: %s", diag.text);
  return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
