/* calls.c - the functions gs.launch, gs.copy and others, which store the calls
 * of schedule(g, n, i) as notes.
 *
 * The functions run inside the sandbox, which may end them at any call into
 * Lua. The notes are in Lua's memory, under the limits of Lua, and the registry
 * refers to the notes. */

#include "language/notes.h"
#include "language/schedule.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------- */

void *notes_add(lua_State *L, block *b, size_t size)
{
  if (b->used == b->room) {
    const size_t room = b->room ? 2 * b->room : 64;
    void *more = lua_newuserdatauv(L, room * size, 0);

    if (b->used > 0) memcpy(more, b->at, b->used * size);
    lua_rawsetp(L, LUA_REGISTRYINDEX, b); /* frees the old block */
    b->at = more;
    b->room = room;
  }
  return (char *)b->at + b->used++ * size;
}

static const char registered; /* registry key */

notes *notes_of(lua_State *L)
{
  return kept_under(L, &registered);
}

/* ---- arguments ----------------------------------------------------------- */

/* The state of a call has its name and the stack index of its options. */
typedef struct call_read {
  lua_State *L;
  notes *o;
  const char *call;
  int options; /* 0 if there are none */
} call_read;

static _Noreturn void wrong(const call_read *k, const char *key,
                            const char *needs)
{
  refuse_now(k->L, "gs.%s: %s%sneeds %s, got a %s", k->call, key,
             *key ? ": " : "", needs, type_name(k->L, -1));
}

/* Starts a call. Refuses calls outside schedule() or with more than `most`
 * arguments. */
static call_read begin(lua_State *L, const char *name, int most)
{
  const call_read k = {L, notes_of(L), name, 0};

  if (k.o->list.used % 32 == 0) stop_if_late(L); /* a clock is dear */
  if (!k.o->open)
    refuse_now(L, "gs.%s: only inside schedule = function (g, n, i)", name);
  if (lua_gettop(L) > most)
    refuse_now(L, "gs.%s: takes %d argument%s, got %d", name, most,
               PLURAL(most), lua_gettop(L));
  lua_settop(L, most);
  return k;
}

/* Refuses unknown options and names the alphabetically first one. */
static void check_options(const call_read *k, int at, const char *const keys[])
{
  lua_State *L = k->L;
  const char *worst = NULL;
  size_t n = 0;

  while (keys[n]) n++;
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TSTRING)
      refuse_now(L, "gs.%s: an option without a name", k->call);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    const char *key = lua_tostring(L, -2);
    size_t i = 0;

    while (i < n && strcmp(keys[i], key) != 0) i++;
    if (i == n && (!worst || strcmp(key, worst) < 0)) worst = key;
  }
  if (!worst) return;

  hint near;

  refuse_now(L, "gs.%s: %.60s: unknown option%s", k->call, worst,
             suggested(near, worst, keys, n, ""));
}

/* Takes the last argument, which is a table of options or nil. */
static void take_options(call_read *k, const char *const keys[])
{
  lua_State *L = k->L;
  const int at = lua_gettop(L);

  if (lua_isnil(L, at)) return;
  if (!lua_istable(L, at)) wrong(k, "", "{ option = value, ... }");
  check_options(k, at, keys);
  k->options = at;
}

/* Pushes an option, or nil if it is missing, and returns its type. */
static int push_option(const call_read *k, const char *key)
{
  if (!k->options) {
    lua_pushnil(k->L);
    return LUA_TNIL;
  }
  lua_pushstring(k->L, key);
  return lua_rawget(k->L, k->options);
}

/* Pops a name from the stack. */
static const char *pop_name(const call_read *k, const char *key)
{
  const char *text;

  if (lua_type(k->L, -1) != LUA_TSTRING) wrong(k, key, "a name");
  text = lua_tostring(k->L, -1);
  if (!*text || strlen(text) >= NAME_SIZE)
    refuse_now(k->L, "gs.%s: %s: a name of 1 to %d letters", k->call, key,
               NAME_SIZE - 1);
  lua_pop(k->L, 1); /* the file refers to the text */
  return text;
}

/* Pops the number of an existing GPU. */
static int pop_gpu(const call_read *k, const char *key)
{
  int whole;
  const lua_Integer g = lua_tointegerx(k->L, -1, &whole);

  if (lua_type(k->L, -1) != LUA_TNUMBER || !whole)
    wrong(k, key, "the number of a GPU");
  if (g < 0 || g >= k->o->gpus)
    refuse_now(k->L, "gs.%s: %s%sthere is no GPU %lld of %d", k->call, key,
               *key ? ": " : "", (long long)g, k->o->gpus);
  lua_pop(k->L, 1);
  return (int)g;
}

static int gpu_option(const call_read *k, const char *key)
{
  if (push_option(k, key) != LUA_TNIL) return pop_gpu(k, key);
  lua_pop(k->L, 1);
  return k->o->device;
}

/* Pops an amount from the stack. A plain number is in SI units. */
static double pop_amount(const call_read *k, const char *key, gscale_dim dim)
{
  amount a;
  gscale_diag diag;

  if (!to_amount(k->L, -1, &a))
    wrong(k, key, "a number or short text with a unit");
  if (a.is_text &&
      gscale_parse_quantity(a.text, dim, &a.plain, &diag) != GSCALE_OK)
    refuse_now(k->L, "gs.%s: %s%s%s", k->call, key, *key ? ": " : "",
               diag.text);
  lua_pop(k->L, 1);
  return a.plain;
}

int notes_find(const names *n, const char *name)
{
  int i = 0;

  while (i < n->n && strcmp(n->name[i], name) != 0) i++;
  return i;
}

/* Returns the stream that the option names, by default the first one. */
static int stream_option(const call_read *k)
{
  notes *o = k->o;
  const char *name;
  int i = 0;

  if (push_option(k, "stream") != LUA_TNIL) {
    name = pop_name(k, "stream");
    i = notes_find(&o->streams, name);
    if (i == o->streams.n)
      refuse_now(
          k->L,
          "gs.%s: stream: there is no '%s'; host = { streams = { ... } } "
          "names them",
          k->call, name);
  } else {
    lua_pop(k->L, 1);
  }
  return o->device * o->streams.n + i;
}

/* Returns the GPU's event of a name. A new name is added. */
static int event_of(const call_read *k, const char *name, int gpu)
{
  names *all = &k->o->events;
  const int i = notes_find(all, name);

  if (i == NAMES_MAX)
    refuse_now(k->L, "gs.%s: more than %d events of a GPU", k->call, NAMES_MAX);
  if (i == all->n) strcpy(all->name[all->n++], name);
  return i * k->o->gpus + gpu;
}

/* ---- calls --------------------------------------------------------------- */

static int note_call(const call_read *k, gscale_action a)
{
  notes *o = k->o;
  call *c;

  if (++o->called > GSCALE_ACTIONS_MAX)
    refuse_now(k->L, "gs.%s: more than %d actions of GPU %d", k->call,
               GSCALE_ACTIONS_MAX, o->owner);
  a.thread = o->one ? 0 : o->owner;
  c = notes_add(k->L, &o->list, sizeof *c);
  *c = (call){a, line_now(k->L)};
  return 0;
}

static bool equal(double a, double b)
{
  return a >= b && a <= b;
}

static int duration(const call_read *k, const gscale_work *w)
{
  block *all = &k->o->work;

  for (size_t i = 0; i < all->used; i++) {
    const gscale_work *v = (const gscale_work *)all->at + i;
    if (v->kind == w->kind && v->phase == w->phase && v->more == w->more &&
        v->pull == w->pull && v->coll == w->coll &&
        v->algorithm == w->algorithm && v->protocol == w->protocol &&
        v->over == w->over && v->streamed == w->streamed &&
        v->pageable == w->pageable && equal(v->share, w->share) &&
        equal(v->bytes, w->bytes) && equal(v->time, w->time))
      return (int)i;
  }
  if (all->used == WORKS_MAX)
    refuse_now(k->L, "gs.%s: more than %d different durations", k->call,
               WORKS_MAX);
  *(gscale_work *)notes_add(k->L, all, sizeof *w) = *w;
  return (int)all->used - 1;
}

/* Notes work, in the stream that the options name. */
static int note_work(const call_read *k, gscale_action a, const gscale_work *w)
{
  a.kind = w->kind;
  a.stream = stream_option(k);
  a.length = duration(k, w);
  return note_call(k, a);
}

static double bytes_option(const call_read *k)
{
  double bytes;

  push_option(k, "bytes");
  bytes = pop_amount(k, "bytes", GSCALE_BYTES);
  if (!(bytes > 0.0) || !isfinite(bytes))
    refuse_now(k->L, "gs.%s: bytes: %g is not > 0", k->call, bytes);
  return bytes;
}

static size_t phase_named(const call_read *k, const char *name)
{
  const char *all[KNOBS_MAX];
  hint near;
  const size_t n = gscale_workload_about(k->o->w).phases;
  size_t i = 0;

  while (i < n && strcmp(gscale_workload_phase(k->o->w, i)->name, name) != 0)
    i++;
  if (i < n) return i;
  for (i = 0; i < n && i < LENGTH(all); i++)
    all[i] = gscale_workload_phase(k->o->w, i)->name;
  refuse_now(k->L, "gs.%s: there is no phase '%s'%s", k->call, name,
             suggested(near, name, all, i, ""));
}

static int launch(const call_read *k)
{
  gscale_work w = {.kind = GSCALE_LAUNCH, .share = 1.0};

  lua_pushvalue(k->L, 1);
  w.phase = phase_named(k, pop_name(k, "phase"));
  if (push_option(k, "share") != LUA_TNIL) {
    w.share = pop_amount(k, "share", GSCALE_COUNT);
    if (!(w.share > 0.0 && w.share <= 1.0))
      refuse_now(k->L, "gs.launch: share: %g is not > 0 and <= 1", w.share);
  }
  return note_work(k, (gscale_action){0}, &w);
}

/* Reads a graph's list of names of consecutive phases. */
static void read_graph(const call_read *k, gscale_work *w)
{
  lua_State *L = k->L;
  const size_t n = lua_istable(L, 1) ? lua_rawlen(L, 1) : 0;

  if (n < 1)
    refuse_now(L, "gs.graph: needs a list of phases, got a %s",
               type_name(L, 1));
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);

    const size_t phase = phase_named(k, pop_name(k, "phase"));
    if (i == 0) w->phase = phase;
    if (phase != w->phase + i)
      refuse_now(
          L,
          "gs.graph: '%s' does not follow '%s' in the workload: a graph is "
          "of phases in the order that step returns them",
          gscale_workload_phase(k->o->w, phase)->name,
          gscale_workload_phase(k->o->w, w->phase + i - 1)->name);
  }
  w->more = n - 1;
}

/* A graph is one call for the kernels of several phases. */
static int graph(const call_read *k)
{
  gscale_work w = {.kind = GSCALE_GRAPH, .share = 1.0};

  read_graph(k, &w);
  return note_work(k, (gscale_action){0}, &w);
}

/* Returns the stream in which the phase was last launched in this run. */
static int launched_in(const call_read *k, size_t phase)
{
  const notes *o = k->o;
  const call *list = o->list.at;
  const gscale_work *work = o->work.at;

  for (size_t i = o->called; i > 0; i--) {
    const gscale_action *a = &list[o->list.used - 1 - (o->called - i)].a;
    if (a->kind == GSCALE_LAUNCH && work[a->length].phase == phase)
      return a->stream;
  }
  refuse_now(k->L, "gs.publish: '%s' is not launched before it",
             gscale_workload_phase(o->w, phase)->name);
}

/* Publishes the data of a phase after its launch. */
static int publish(const call_read *k)
{
  gscale_work w = {.kind = GSCALE_PUBLISH, .share = 1.0};
  gscale_action a = {.kind = GSCALE_PUBLISH};

  lua_pushvalue(k->L, 1);
  w.phase = phase_named(k, pop_name(k, "phase"));
  a.stream = launched_in(k, w.phase);
  a.length = duration(k, &w);
  return note_call(k, a);
}

/* Reads true or false. A missing option means false. */
static bool flag_option(const call_read *k, const char *key)
{
  const int type = push_option(k, key);
  const bool set = lua_toboolean(k->L, -1);

  if (type != LUA_TNIL && type != LUA_TBOOLEAN) wrong(k, key, "true or false");
  lua_pop(k->L, 1);
  return set;
}

static gscale_action_kind kind_option(const call_read *k)
{
  static const struct {
    const char *name;
    gscale_action_kind kind;
  } kinds[] = {{"d2d", GSCALE_COPY_D2D},
               {"d2h", GSCALE_COPY_D2H},
               {"h2d", GSCALE_COPY_H2D}};
  const char *word;

  if (push_option(k, "kind") == LUA_TNIL) {
    lua_pop(k->L, 1);
    return GSCALE_COPY_D2D;
  }
  word = pop_name(k, "kind");
  for (size_t i = 0; i < LENGTH(kinds); i++)
    if (strcmp(kinds[i].name, word) == 0) return kinds[i].kind;
  refuse_now(k->L,
             "gs.copy: kind: '%s': needs one of \"d2d\", \"d2h\", \"h2d\"",
             word);
}

/* Reads the peer GPU of a copy. The option `from` makes the copy a pull. */
static void read_peer(const call_read *k, gscale_action *a, gscale_work *w)
{
  lua_State *L = k->L;
  const bool to = push_option(k, "to") != LUA_TNIL;

  if (to) a->peer = pop_gpu(k, "to");
  w->pull = push_option(k, "from") != LUA_TNIL;
  if (to && w->pull)
    refuse_now(L, "gs.copy: to and from exclude one another: the "
                  "other end is this GPU");
  if ((to || w->pull) != (a->kind == GSCALE_COPY_D2D))
    refuse_now(L, "gs.copy: %s",
               to        ? "to: only between GPUs"
               : w->pull ? "from: only between GPUs"
                         : "needs to or from = the number of a GPU");
  if (w->pull) a->peer = pop_gpu(k, "from");
}

static int copy(const call_read *k)
{
  gscale_work w = {.share = 1.0};
  gscale_action a = {0};

  a.kind = w.kind = kind_option(k);
  w.pageable = flag_option(k, "pageable");
  if (w.pageable && a.kind == GSCALE_COPY_D2D)
    refuse_now(k->L, "gs.copy: pageable: only from and to the host");
  read_peer(k, &a, &w);
  if (a.kind == GSCALE_COPY_D2D && k->o->node > 0)
    w.over = a.peer / k->o->node != k->o->device / k->o->node;
  w.bytes = bytes_option(k);
  return note_work(k, a, &w);
}

static int clear(const call_read *k)
{
  gscale_work w = {.kind = GSCALE_MEMSET, .share = 1.0};

  w.bytes = bytes_option(k);
  return note_work(k, (gscale_action){0}, &w);
}

static int record(const call_read *k)
{
  gscale_action a = {.kind = GSCALE_RECORD};

  lua_pushvalue(k->L, 1);
  a.event = event_of(k, pop_name(k, "event"), k->o->device);
  a.stream = stream_option(k);
  return note_call(k, a);
}

static int wait_for(const call_read *k)
{
  gscale_action a = {.kind = GSCALE_WAIT};

  lua_pushvalue(k->L, 1);
  a.event = event_of(k, pop_name(k, "event"), gpu_option(k, "of"));
  a.stream = stream_option(k);
  return note_call(k, a);
}

static int synchronize(const call_read *k)
{
  gscale_action a = {.kind = GSCALE_SYNC_STREAM};

  if (push_option(k, "event") != LUA_TNIL) {
    a.kind = GSCALE_SYNC_EVENT;
    a.event = event_of(k, pop_name(k, "event"), gpu_option(k, "of"));
  } else {
    a.stream = stream_option(k);
  }
  return note_call(k, a);
}

/* Returns the index of an option's word in a list of names. */
static int word_option(const call_read *k, const char *key, gscale_names of,
                       int otherwise)
{
  const char *all[16], *word;
  hint near;
  size_t n = 0, i = 0;

  if (push_option(k, key) == LUA_TNIL && otherwise >= 0) {
    lua_pop(k->L, 1);
    return otherwise;
  }
  word = pop_name(k, key);
  for (; n < LENGTH(all) && gscale_name(of, n); n++)
    all[n] = gscale_name(of, n);
  while (i < n && strcmp(all[i], word) != 0) i++;
  if (i < n) return (int)i;
  refuse_now(k->L, "gs.%s: %s: there is no '%s'%s", k->call, key, word,
             suggested(near, word, all, n, ""));
}

/* A GPU's k-th collective joins the k-th of all other GPUs. */
static int collective(const call_read *k)
{
  gscale_work w = {.kind = GSCALE_COLLECTIVE, .share = 1.0};
  gscale_action a = {0};

  w.coll = (gscale_coll_kind)word_option(k, "kind", GSCALE_COLL_KIND_NAMES, -1);
  w.bytes = bytes_option(k);
  w.algorithm = (gscale_coll_algorithm)word_option(
      k, "algorithm", GSCALE_COLL_ALGORITHM_NAMES, GSCALE_COLL_ALGORITHM_END);
  w.protocol = (gscale_coll_protocol)word_option(
      k, "protocol", GSCALE_COLL_PROTOCOL_NAMES, GSCALE_COLL_PROTOCOL_END);
  w.streamed = flag_option(k, "streamed");
  a.event = k->o->joined++;
  if (k->o->joined > k->o->collectives) k->o->collectives = k->o->joined;
  return note_work(k, a, &w);
}

static int barrier(const call_read *k)
{
  return note_call(k, (gscale_action){.kind = GSCALE_BARRIER});
}

static int host(const call_read *k)
{
  gscale_work w = {.kind = GSCALE_HOST_WORK, .share = 1.0};
  gscale_action a = {.kind = GSCALE_HOST_WORK};

  w.time = pop_amount(k, "", GSCALE_TIME);
  if (!(w.time >= 0.0) || !isfinite(w.time))
    refuse_now(k->L, "gs.host: %g s is no time", w.time);
  a.length = duration(k, &w);
  return note_call(k, a);
}

static int set_device(const call_read *k)
{
  const int gpu = pop_gpu(k, "");

  k->o->device = gpu;
  return note_call(k, (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = gpu});
}

/* The functions of `gs` for schedules. */
static const struct gs_call {
  const char *name;
  int (*run)(const call_read *k);
  int most;              /* arguments */
  const char *option[7]; /* of the last argument, if there is one */
} calls[] = {
    {"launch", launch, 2, {"stream", "share"}},
    {"graph", graph, 2, {"stream"}},
    {"publish", publish, 1, {NULL}},
    {"copy", copy, 1, {"to", "from", "bytes", "stream", "kind", "pageable"}},
    {"memset", clear, 1, {"bytes", "stream"}},
    {"record", record, 2, {"stream"}},
    {"wait", wait_for, 2, {"of", "stream"}},
    {"barrier", barrier, 0, {NULL}},
    {"host", host, 1, {NULL}},
    {"collective",
     collective,
     1,
     {"kind", "bytes", "algorithm", "protocol", "stream", "streamed"}},
    {"setdevice", set_device, 1, {NULL}},
    {"synchronize", synchronize, 1, {"stream", "event", "of"}}};

/* Implements the call that its upvalue names. */
static int run_call(lua_State *L)
{
  const struct gs_call *c = &calls[lua_tointeger(L, lua_upvalueindex(1))];
  call_read k = begin(L, c->name, c->most);

  if (*c->option) take_options(&k, c->option);
  return c->run(&k);
}

/* Refuses MPI calls, because the model omits how they synchronize. */
static int message(lua_State *L)
{
  refuse_now(
      L,
      "gs.%s: messages of MPI are not modelled in a schedule; gs.copy to a "
      "GPU of another node is one as by gpudirect, gs.collective NCCL's",
      lua_tostring(L, lua_upvalueindex(1)));
}

static void offer_messages(lua_State *L)
{
  static const char *const unknown[] = {
      "send", "recv", "isend", "irecv", "waitall", "sendrecv", "allreduce"};

  for (size_t i = 0; i < LENGTH(unknown); i++) {
    lua_pushstring(L, unknown[i]);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, message, 1);
    lua_rawset(L, -3);
  }
}

void reset_calls(lua_State *L)
{
  notes *o = notes_of(L);

  o->open = o->one = false;
  o->streams.n = 0;
}

void offer_calls(lua_State *L, void *closure)
{
  (void)closure;
  memset(lua_newuserdatauv(L, sizeof(notes), 0), 0, sizeof(notes));
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registered);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "gs");
  lua_rawget(L, -2);
  for (size_t i = 0; i < LENGTH(calls); i++) {
    lua_pushstring(L, calls[i].name);
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, run_call, 1);
    lua_rawset(L, -3);
  }
  offer_messages(L);
  lua_pop(L, 2);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
