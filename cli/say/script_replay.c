/* script_replay.c - implements gs.replay for scripts, which replays a trace
 * through a write queue:
 *
 *   gs.replay { trace = FILE, queue = Q, ... } */

#include "say/script.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum {
  BLOCK = 4096 /* records read at a time */
};

/* ---- question ------------------------------------------------------------ */

/* Reads the numbers of the table at index 1 and refuses unknown keys. */
static void read_numbers(lua_State *L, gscale_replay_options *o)
{
  int page = 0;
  const struct {
    const char *key;
    int *to;
  } row[] = {{"capacity", &o->capacity},
             {"tlb", &o->tlb},
             {"ways", &o->ways},
             {"subheader", &o->subheader},
             {"profile", &o->profile},
             {"page", &page},
             {"merge", &o->merge},
             {"gpus", &o->gpus},
             {"trace", NULL},
             {"queue", NULL}};
  const size_t n = LENGTH(row);

  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    size_t i = 0;

    while (i < n && strcmp(row[i].key, key) != 0) i++;
    if (i == n) refuse_now(L, "gs.replay: unknown key '%.40s'", key);
  }
  for (size_t i = 0; i < n && row[i].to; i++) {
    const double v = number_field(L, "gs.replay", row[i].key, *row[i].to);
    if (!(fabs(v) <= INT_MAX && v <= floor(v)))
      refuse_now(L, "gs.replay: %s: needs a whole number", row[i].key);
    *row[i].to = (int)v;
  }
  if (page > 0) o->page = (uint64_t)page;
}

static gscale_queue queue_named(lua_State *L)
{
  const char *name = text_field(L, "gs.replay", "queue");
  gscale_queue q = GSCALE_QUEUE_SM;

  while (name && q < GSCALE_QUEUE_END &&
         strcmp(gscale_name(GSCALE_QUEUE_NAMES, q), name) != 0)
    q++;
  if (q == GSCALE_QUEUE_END)
    refuse_now(L, "gs.replay: queue: no '%.40s'", name);
  return q;
}

/* ---- answer -------------------------------------------------------------- */

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

/* ---- run ----------------------------------------------------------------- */

/* Feeds the trace to the replay, and stops if the run took too long. The run is
 * ended by ask_replay(). */
static gscale_status feed(lua_State *L, gscale_replay *r, gscale_trace *t,
                          gscale_diag *diag)
{
  static gscale_record v[BLOCK];
  size_t n = BLOCK;
  gscale_status st = GSCALE_OK;

  while (st == GSCALE_OK && n > 0 && !late_now(L)) {
    st = gscale_trace_read(t, v, BLOCK, &n, diag);
    if (st == GSCALE_OK) st = gscale_replay_push(r, v, n, diag);
  }
  return st;
}

/* Replays a file. Lua jumps out of push_result() only if memory is exhausted,
 * which ends the run anyway. */
static gscale_status replay_file(lua_State *L, const char *path,
                                 gscale_replay_options *o, gscale_diag *diag)
{
  gscale_trace *t = NULL;
  gscale_replay *r = NULL;
  gscale_replay_result result;
  gscale_status st = gscale_trace_open(path, o->gpus, &t, diag);

  if (st == GSCALE_OK) {
    o->gpus = gscale_trace_gpus(t);
    st = gscale_replay_new(o, &r, diag);
  }
  if (st == GSCALE_OK) st = feed(L, r, t, diag);
  if (st == GSCALE_OK) st = gscale_replay_finish(r, &result, diag);
  if (st == GSCALE_OK) push_result(L, r, &result);
  gscale_replay_free(r);
  gscale_trace_close(t);
  return st;
}

int ask_replay(lua_State *L)
{
  gscale_replay_options o;
  gscale_diag diag;
  struct stat file;

  stop_if_late(L);
  if (!lua_istable(L, 1)) refuse_now(L, "gs.replay: needs a table");
  gscale_replay_options_init(&o, queue_named(L));
  o.gpus = 0; /* the trace gives it */
  read_numbers(L, &o);
  const char *trace = text_field(L, "gs.replay", "trace");
  if (!trace) refuse_now(L, "gs.replay: trace: needs a file");
  if (stat(trace, &file) == 0 && !S_ISREG(file.st_mode))
    refuse_now(L, "gs.replay: %.200s: not a regular file", trace);
  const gscale_status st = replay_file(L, trace, &o, &diag);
  stop_if_late(L);
  if (st != GSCALE_OK) refuse_now(L, "gs.replay: %s", diag.text);
  return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
