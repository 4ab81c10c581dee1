/* schedule.c - converts the notes of calls.c for all GPUs to one schedule. The
 * functions run inside the sandbox, which may end them at any call into Lua. */

#include "language/schedule.h"

#include "language/notes.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- host ---------------------------------------------------------------- */

static void read_streams(lua_State *L, notes *o)
{
  const size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

  if (n < 1 || n > NAMES_MAX)
    refuse(L, o->line, "host.streams: needs a list of 1 to %d names",
           NAMES_MAX);
  o->streams.n = 0; /* read again for each set of knobs */
  for (size_t i = 0; i < n; i++) {
    char *to = o->streams.name[o->streams.n];

    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    if (lua_type(L, -1) != LUA_TSTRING || !*lua_tostring(L, -1) ||
        strlen(lua_tostring(L, -1)) >= NAME_SIZE)
      refuse(L, o->line,
             "host.streams: item %zu: needs a name of 1 to %d "
             "letters",
             i + 1, NAME_SIZE - 1);
    strcpy(to, lua_tostring(L, -1));
    if (notes_find(&o->streams, to) < o->streams.n)
      refuse(L, o->line, "host.streams: '%s' is there twice", to);
    o->streams.n++;
    lua_pop(L, 1);
  }
}

static void read_threads(lua_State *L, notes *o)
{
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";

  o->one = strcmp(word, "one") == 0;
  if (!o->one && strcmp(word, "per gpu") != 0)
    refuse(L, o->line, "host.threads: needs one of \"per gpu\", \"one\"");
}

static void read_depth(lua_State *L, notes *o)
{
  int whole;
  const lua_Integer depth = lua_tointegerx(L, -1, &whole);

  if (lua_type(L, -1) != LUA_TNUMBER || !whole || depth < 1 ||
      depth > DEPTH_MOST)
    refuse(L, o->line, "host.depth: needs a whole number from 1 to %d",
           DEPTH_MOST);
  o->depth = (int)depth;
}

/* Reads the `host` table on top of the stack. */
static void read_host(lua_State *L, notes *o)
{
  static const char *const known[] = {"threads", "streams", "depth"};
  static void (*const read[])(lua_State *, notes *) = {
      read_threads, read_streams, read_depth};

  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    size_t i = 0;

    while (lua_type(L, -2) == LUA_TSTRING && i < LENGTH(known) &&
           strcmp(known[i], lua_tostring(L, -2)) != 0)
      i++;
    if (lua_type(L, -2) != LUA_TSTRING || i == LENGTH(known))
      refuse(
          L, o->line,
          "host: with a schedule it has threads, streams, depth; not '%.40s'",
          lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "1");
  }
  for (size_t i = 0; i < LENGTH(known); i++) {
    lua_pushstring(L, known[i]);
    if (lua_rawget(L, -2) != LUA_TNIL) read[i](L, o);
    lua_pop(L, 1);
  }
}

/* ---- schedule ------------------------------------------------------------ */

static const call *call_at(const notes *o, size_t i)
{
  return (const call *)o->list.at + i;
}

static size_t first_of(const notes *o, int parity, int gpu)
{
  return ((const size_t *)o->first.at)[parity * o->gpus + gpu];
}

/* Calls schedule() at the given stack index for all GPUs and both parities. */
static void call_all(lua_State *L, int schedule, notes *o)
{
  o->list.used = o->first.used = 0;
  for (int i = 0; i < 2; i++)
    for (int g = 0; g < o->gpus; g++) {
      *(size_t *)notes_add(L, &o->first, sizeof(size_t)) = o->list.used;
      o->owner = o->device = g;
      o->called = 0;
      o->joined = 0;
      o->open = true;
      lua_pushvalue(L, schedule);
      lua_pushinteger(L, g);
      lua_pushinteger(L, o->gpus);
      lua_pushinteger(L, i);
      lua_call(L, 3, 0);
      o->open = false;
    }
  *(size_t *)notes_add(L, &o->first, sizeof(size_t)) = o->list.used;
}

static bool same_action(const gscale_action *a, const gscale_action *b)
{
  return a->kind == b->kind && a->stream == b->stream && a->event == b->event &&
         a->peer == b->peer && a->length == b->length;
}

/* Returns whether even and odd steps have the same calls. */
static bool is_steady(const notes *o)
{
  const size_t half = first_of(o, 1, 0);

  if (o->list.used != 2 * half) return false;
  for (int g = 0; g < o->gpus; g++)
    if (first_of(o, 1, g) != half + first_of(o, 0, g)) return false;
  for (size_t i = 0; i < half; i++)
    if (!same_action(&call_at(o, i)->a, &call_at(o, half + i)->a)) return false;
  return true;
}

static void emit(lua_State *L, notes *o, gscale_action a, gscale_parity parity,
                 int line)
{
  a.parity = parity;
  *(gscale_action *)notes_add(L, &o->out, sizeof a) = a;
  *(int *)notes_add(L, &o->from, sizeof line) = line;
}

/* Returns whether a call before the next barrier issues work to the device.
 * Waits and host work issue none. */
static bool is_issuing(const notes *o, size_t at, size_t end)
{
  for (; at < end; at++) {
    const gscale_action_kind k = call_at(o, at)->a.kind;

    if (k == GSCALE_BARRIER) return false;
    if (k < GSCALE_SYNC_STREAM || k == GSCALE_PUBLISH) return true;
  }
  return false;
}

/* Emits the calls of GPU g from *at to the next barrier or the end. Returns
 * whether there was a barrier. A single thread sets the device before it issues
 * to a GPU, and needs no barriers. */
static bool emit_round(lua_State *L, notes *o, int g, size_t *at, size_t end,
                       gscale_parity parity)
{
  if (o->one && o->gpus > 1 && is_issuing(o, *at, end))
    emit(L, o, (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = g}, parity,
         call_at(o, *at)->line);
  while (*at < end) {
    const call *c = call_at(o, (*at)++);
    const bool meets = c->a.kind == GSCALE_BARRIER;

    if (!meets || !o->one) emit(L, o, c->a, parity, c->line);
    if (meets) return true;
  }
  return false;
}

/* Emits all calls, from barrier to barrier in the order of GPUs. */
static void emit_steps(lua_State *L, notes *o, int i, gscale_parity parity)
{
  size_t *at = lua_newuserdatauv(L, (size_t)o->gpus * sizeof *at, 0);
  bool again = true;

  for (int g = 0; g < o->gpus; g++) at[g] = first_of(o, i, g);
  for (int round = 1; again; round++) {
    int met = 0, left = -1;

    for (int g = 0; g < o->gpus; g++) {
      const size_t end = g + 1 < o->gpus ? first_of(o, i, g + 1)
                         : i == 0        ? first_of(o, 1, 0)
                                         : o->list.used;
      if (emit_round(L, o, g, &at[g], end, parity))
        met++;
      else
        left = g;
    }
    again = met > 0;
    if (o->one && met > 0 && left >= 0)
      refuse(L, o->line,
             "schedule (n = %d): GPU %d does not reach barrier %d of the "
             "others",
             o->gpus, left, round);
  }
  lua_pop(L, 1);
}

/* ---- workload ------------------------------------------------------------ */

/* Refuses an event that no call records, and names the event. */
static void check_events(lua_State *L, const notes *o)
{
  const gscale_action *a = o->out.at;
  const size_t n = (size_t)(o->events.n * o->gpus) + 1;
  bool *recorded = lua_newuserdatauv(L, n, 0);

  memset(recorded, 0, n);
  for (size_t i = 0; i < o->out.used; i++)
    if (a[i].kind == GSCALE_RECORD) recorded[a[i].event] = true;
  for (size_t i = 0; i < o->out.used; i++)
    if ((a[i].kind == GSCALE_WAIT || a[i].kind == GSCALE_SYNC_EVENT) &&
        !recorded[a[i].event])
      refuse(L, ((const int *)o->from.at)[i],
             "schedule (n = %d): nobody records event '%s' of GPU %d", o->gpus,
             o->events.name[a[i].event / o->gpus], a[i].event % o->gpus);
  lua_pop(L, 1);
}

/* Requires that all GPUs join a step's k-th collective with equal arguments. */
static void check_collective(lua_State *L, const notes *o, int k,
                             gscale_parity parity)
{
  const gscale_action *a = o->out.at, *first = NULL;
  int members = 0, line = o->line;

  for (size_t i = 0; i < o->out.used; i++) {
    if (a[i].kind != GSCALE_COLLECTIVE || a[i].event != k ||
        a[i].parity != parity)
      continue;
    line = ((const int *)o->from.at)[i];
    if (!first) first = &a[i];
    if (a[i].length != first->length)
      refuse(L, line,
             "schedule (n = %d): collective %d of a step is not the same on "
             "all GPUs",
             o->gpus, k + 1);
    members++;
  }
  if (members > 0 && members < o->gpus)
    refuse(L, line,
           "schedule (n = %d): %d GPUs call collective %d of a step, not all",
           o->gpus, members, k + 1);
}

/* Converts "action 7 (wait, thread 0, stream 2): why" to the line of the action
 * and a message without the number 7. */
static _Noreturn void refuse_action(lua_State *L, const notes *o,
                                    const gscale_diag *diag)
{
  const char *why = strstr(diag->text, "): ");
  size_t i;
  int line = o->line;
  char what[TEXT_MAX] = "";

  if (why && sscanf(diag->text, "action %zu (", &i) == 1 && i < o->out.used) {
    const gscale_action *a = (const gscale_action *)o->out.at + i;

    line = ((const int *)o->from.at)[i];
    snprintf(what, sizeof what, "%s: ", gscale_action_name(a->kind));
    why += strlen("): ");
  } else {
    why = diag->text;
  }
  refuse(L, line, "schedule (n = %d): %s%s", o->gpus, what, why);
}

/* Lists the names of all GPUs' streams or events. If there are fewer names than
 * `n`, the remaining places are empty. */
static const char *const *list_names(lua_State *L, const names *all, int gpus,
                                     bool by_gpu, int n)
{
  const char **list = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *list, 0);

  for (int i = 0; i < n; i++)
    list[i] = i >= all->n * gpus ? ""
              : by_gpu           ? all->name[i % all->n]
                                 : all->name[i / gpus];
  return list;
}

static void add_program(lua_State *L, notes *o, gscale_workload *w)
{
  const int streams = o->streams.n * o->gpus;
  const int named = o->events.n * o->gpus;
  const int events = named > o->collectives ? named : o->collectives;
  int *stream_gpu =
      lua_newuserdatauv(L, ((size_t)streams + 1) * sizeof *stream_gpu, 0);
  const gscale_program p = {
      .schedule = {.gpus = o->gpus,
                   .threads = o->one ? 1 : o->gpus,
                   .streams = streams,
                   .events = events > o->collectives ? events : o->collectives,
                   .durations = (int)o->work.used,
                   .stream_gpu = stream_gpu,
                   .actions = o->out.used,
                   .action = o->out.at,
                   .depth = o->depth},
      .work = o->work.at,
      .stream_name = list_names(L, &o->streams, o->gpus, true, streams),
      .event_name = list_names(L, &o->events, o->gpus, false, events)};
  gscale_diag diag;
  gscale_status st;

  for (int i = 0; i < streams; i++) stream_gpu[i] = i / o->streams.n;
  st = gscale_workload_add_program(w, &p, &diag);
  if (st == GSCALE_ENOMEM) refuse_as(L, EXIT_INTERNAL, "%s", diag.text);
  if (st != GSCALE_OK) refuse_action(L, o, &diag);
  stop_if_late(L);
  lua_pop(L, 3);
}

/* Charges the later planning to the limits already here. The time and memory of
 * planning are proportional to the calls of all GPUs over all N. */
static void count_cost(lua_State *L, notes *o)
{
  *o->cost += o->out.used * (o->one ? COST_ONE : COST_CALL);
  if (*o->cost <= COST_MOST) return;
  refuse_as(L, EXIT_LIMIT,
            "%s:%d: schedule (n = %d): more than %d calls of all GPUs, of all "
            "numbers of GPUs that are asked about together: ask about fewer",
            path_now(L), o->line, o->gpus,
            COST_MOST / (o->one ? COST_ONE : COST_CALL));
}

static void read_one(lua_State *L, int schedule, notes *o, gscale_workload *w,
                     int gpus)
{
  o->gpus = gpus;
  o->events.n = o->collectives = 0;
  o->work.used = o->out.used = o->from.used = 0;
  call_all(L, schedule, o);
  if (is_steady(o)) {
    emit_steps(L, o, 0, GSCALE_EVERY_STEP);
  } else {
    emit_steps(L, o, 0, GSCALE_EVEN_STEPS);
    emit_steps(L, o, 1, GSCALE_ODD_STEPS);
  }
  count_cost(L, o);
  check_events(L, o);
  for (int k = 0; k < o->collectives; k++)
    for (int p = 0; p < GSCALE_PARITY_END; p++)
      check_collective(L, o, k, (gscale_parity)p);
  add_program(L, o, w);
}

/* Pushes the value of a key in the table that step() returned. */
static int push_key(lua_State *L, int step, const char *key)
{
  lua_pushstring(L, key);
  return lua_rawget(L, step);
}

bool read_schedule(lua_State *L, int step, int line, gscale_workload *w,
                   const target *t)
{
  notes *o = notes_of(L);
  const int top = lua_gettop(L);
  const int type = push_key(L, step, "schedule");
  size_t own = 0;

  o->w = w;
  o->line = line;
  o->depth = DEPTH;
  o->node = t->node;
  o->cost = t->cost ? t->cost : &own;
  push_key(L, step, "host");
  if (type == LUA_TFUNCTION && !lua_isnil(L, -1) && !lua_istable(L, -1))
    complain(L, line, "host: needs a table, got a %s", type_name(L, -1));
  if (type != LUA_TNIL && type != LUA_TFUNCTION)
    complain(L, line, "schedule: needs a function, got a %s",
             type_name(L, top + 1));
  stop_if_noted(L);
  if (type == LUA_TFUNCTION) {
    if (lua_istable(L, -1)) read_host(L, o);
    if (o->streams.n == 0) strcpy(o->streams.name[o->streams.n++], "main");
    for (size_t i = 0; i < t->n; i++) read_one(L, top + 1, o, w, t->gpus[i]);
  }
  lua_settop(L, top);
  return type == LUA_TFUNCTION;
}

/* ---- targets ------------------------------------------------------------- */

static bool has_room(const gscale_system *s, const gscale_workload *w, int n)
{
  return gscale_plan_check(s, w, n, NULL) != GSCALE_ESIZE;
}

/* Lists 1, the baseline (the smallest N whose data fit), and the numbers in
 * gpus[] that can be planned. */
static size_t sizes_for(const gscale_system *s, const gscale_workload *w,
                        const int *gpus, size_t n, int *list)
{
  size_t count = 0;
  int baseline = 1, most = 1;

  for (size_t j = 0; j < n; j++) most = gpus[j] > most ? gpus[j] : most;
  while (baseline < most && !has_room(s, w, baseline)) baseline++;
  list[count++] = 1;
  if (baseline > 1) list[count++] = baseline;
  for (size_t j = 0; j < n; j++) {
    bool there = gpus[j] < baseline || !has_room(s, w, gpus[j]);

    for (size_t i = 0; !there && i < count; i++) there = list[i] == gpus[j];
    if (!there) list[count++] = gpus[j];
  }
  return count;
}

static int schedule_for(const gscale_system *s, description *d, settings *set,
                        const int *gpus, size_t n, double grown, size_t *cost,
                        gscale_workload **w, failure *why)
{
  gscale_workload *again;
  int *list, st;

  if (!gscale_workload_about(*w).has_program &&
      !gscale_workload_about(*w).varies)
    return EXIT_OK;
  list = malloc((n + 2) * sizeof *list);
  if (!list) return fail(why, EXIT_INTERNAL, "no memory for the schedules");
  n = sizes_for(s, *w, gpus, n, list);
  const target t = {
      .gpus = list,
      .n = n,
      .node = gscale_system_about(s).network ? gscale_system_about(s).node : 0,
      .grown = grown,
      .cost = cost};
  st = ask_for(d, set, &t, &again, NULL, why);
  free(list);
  if (st != EXIT_OK) return st;
  gscale_workload_free(*w);
  *w = again;
  return EXIT_OK;
}

int load_schedules(const gscale_system *s, description *d, settings *set,
                   const int *gpus, size_t n, gscale_workload **w, failure *why)
{
  return schedule_for(s, d, set, gpus, n, 0.0, NULL, w, why);
}

int load_grown(const gscale_system *s, description *d, settings *set, int n,
               size_t *cost, gscale_workload **out, about *more, failure *why)
{
  static const int one = 1;
  const target t = {.gpus = &one, .n = 1, .grown = n};
  int st = ask_for(d, set, &t, out, more, why);

  if (st != EXIT_OK) return st;
  st = schedule_for(s, d, set, &n, 1, n, cost, out, why);
  if (st == EXIT_OK) return st;
  gscale_workload_free(*out);
  *out = NULL;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
