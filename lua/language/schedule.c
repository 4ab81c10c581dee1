/* schedule.c - schedules that workloads say call by call.
 *
 * Runs inside the sandbox, which may end it at any call into Lua.  What is
 * noted lies in Lua's memory, under its limits, and the registry holds it. */

#include "language/schedule.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NAMES_MAX = 64, /* streams, and events, of a GPU */
  NAME_SIZE = 32,
  WORKS_MAX = 4096,     /* different durations */
  DEPTH = 1024,         /* launches that a stream holds, see lua/README.md */
  DEPTH_MOST = 1000000, /* of what may be said */
  TEXT_MAX = 96         /* "GPU 3: wait", of a message */
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

typedef struct names {
  int n;
  char name[NAMES_MAX][NAME_SIZE];
} names;

typedef struct call {
  gscale_action a;
  int line;
} call;

/* A block of Lua's memory that grows. */
typedef struct block {
  void *at;
  size_t used, room;
} block;

/* What schedule(g, n, i) called.  Streams of GPU g are g * streams.n + k,
 * events k * n + g. */
typedef struct notes {
  bool open; /* schedule() is running */
  int gpus, owner, device, parity;
  int line;      /* of gs.workload */
  size_t called; /* by this run of it */
  const gscale_workload *w;
  bool one; /* host thread for all */
  int depth;
  names streams, events;
  block list;  /* of call */
  block first; /* of size_t: into the list, of parity i and GPU g i * n + g */
  block work;  /* of gscale_work */
  block out;   /* of gscale_action, in the order of the schedule ... */
  block from;  /* ... and the line of each, as int */
} notes;

/* ---- memory ---------------------------------------------------------------
 */

static void *add_to(lua_State *L, block *b, size_t size)
{
  if (b->used == b->room) {
    const size_t room = b->room ? 2 * b->room : 64;
    void *more = lua_newuserdatauv(L, room * size, 0);

    if (b->used > 0) memcpy(more, b->at, b->used * size);
    lua_rawsetp(L, LUA_REGISTRYINDEX, b); /* lets go of the old one */
    b->at = more;
    b->room = room;
  }
  return (char *)b->at + b->used++ * size;
}

static const char registered; /* its address is the key */

static notes *notes_of(lua_State *L)
{
  notes *o;

  lua_rawgetp(L, LUA_REGISTRYINDEX, &registered);
  o = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return o;
}

/* ---- arguments ------------------------------------------------------------
 */

/* A call that is being made: its name, and the stack index of its options. */
typedef struct asked {
  lua_State *L;
  notes *o;
  const char *call;
  int options; /* 0: none */
} asked;

static _Noreturn void wrong(const asked *k, const char *key, const char *needs)
{
  refuse(k->L, line_now(k->L), "gs.%s: %s%sneeds %s, got a %s", k->call, key,
         *key ? ": " : "", needs, type_name(k->L, -1));
}

/* Only inside schedule(), with at most `most` arguments. */
static asked begin(lua_State *L, const char *name, int most)
{
  const asked k = {L, notes_of(L), name, 0};

  stop_if_late(L);
  if (!k.o->open)
    refuse(L, line_now(L), "gs.%s: only inside schedule = function (g, n, i)",
           name);
  if (lua_gettop(L) > most)
    refuse(L, line_now(L), "gs.%s: takes %d argument%s, got %d", name, most,
           most == 1 ? "" : "s", lua_gettop(L));
  lua_settop(L, most);
  return k;
}

static void check_option(const asked *k, const char *const keys[], size_t n)
{
  const char *key, *near;

  if (lua_type(k->L, -2) != LUA_TSTRING)
    refuse(k->L, line_now(k->L), "gs.%s: an option without a name", k->call);
  key = lua_tostring(k->L, -2);
  for (size_t i = 0; i < n; i++)
    if (strcmp(keys[i], key) == 0) return;
  near = nearest(key, keys, n);
  refuse(k->L, line_now(k->L), "gs.%s: %.60s: unknown option%s%s%s", k->call,
         key, near ? "; did you mean '" : "", near ? near : "",
         near ? "'?" : "");
}

/* The last argument is a table of options, or nil. */
static void take_options(asked *k, const char *const keys[], size_t n)
{
  lua_State *L = k->L;
  const int at = lua_gettop(L);

  if (lua_isnil(L, at)) return;
  if (!lua_istable(L, at)) wrong(k, "", "{ option = value, ... }");
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) check_option(k, keys, n);
  k->options = at;
}

/* Pushes an option, or nil, and returns its type. */
static int push_option(const asked *k, const char *key)
{
  if (!k->options) {
    lua_pushnil(k->L);
    return LUA_TNIL;
  }
  lua_pushstring(k->L, key);
  return lua_rawget(k->L, k->options);
}

/* The name on top of the stack; popped. */
static const char *pop_name(const asked *k, const char *key)
{
  const char *text;

  if (lua_type(k->L, -1) != LUA_TSTRING) wrong(k, key, "a name");
  text = lua_tostring(k->L, -1);
  if (!*text || strlen(text) >= NAME_SIZE)
    refuse(k->L, line_now(k->L), "gs.%s: %s: a name of 1 to %d letters",
           k->call, key, NAME_SIZE - 1);
  lua_pop(k->L, 1); /* stays: the file or its options hold it */
  return text;
}

/* A number of a GPU that is there; popped. */
static int pop_gpu(const asked *k, const char *key)
{
  int whole;
  const lua_Integer g = lua_tointegerx(k->L, -1, &whole);

  if (lua_type(k->L, -1) != LUA_TNUMBER || !whole)
    wrong(k, key, "the number of a GPU");
  if (g < 0 || g >= k->o->gpus)
    refuse(k->L, line_now(k->L), "gs.%s: %s%sthere is no GPU %lld of %d",
           k->call, key, *key ? ": " : "", (long long)g, k->o->gpus);
  lua_pop(k->L, 1);
  return (int)g;
}

static int gpu_option(const asked *k, const char *key)
{
  if (push_option(k, key) != LUA_TNIL) return pop_gpu(k, key);
  lua_pop(k->L, 1);
  return k->o->device;
}

/* A plain number is in SI units; popped. */
static double pop_amount(const asked *k, const char *key, gscale_dim dim)
{
  amount a;
  gscale_diag diag;

  if (!to_amount(k->L, -1, &a))
    wrong(k, key, "a number or short text with a unit");
  if (a.is_text &&
      gscale_parse_quantity(a.text, dim, &a.plain, &diag) != GSCALE_OK)
    refuse(k->L, line_now(k->L), "gs.%s: %s%s%s", k->call, key,
           *key ? ": " : "", diag.text);
  lua_pop(k->L, 1);
  return a.plain;
}

static int find(const names *n, const char *name)
{
  int i = 0;

  while (i < n->n && strcmp(n->name[i], name) != 0) i++;
  return i;
}

/* The stream of the device's that the option names, or its first. */
static int stream_option(const asked *k)
{
  notes *o = k->o;
  const char *name;
  int i = 0;

  if (push_option(k, "stream") != LUA_TNIL) {
    name = pop_name(k, "stream");
    i = find(&o->streams, name);
    if (i == o->streams.n)
      refuse(k->L, line_now(k->L),
             "gs.%s: stream: there is no '%s'; host = { streams = { ... } } "
             "names them",
             k->call, name);
  } else {
    lua_pop(k->L, 1);
  }
  return o->device * o->streams.n + i;
}

/* The event of that name, of a GPU; new names are noted. */
static int event_of(const asked *k, const char *name, int gpu)
{
  names *all = &k->o->events;
  const int i = find(all, name);

  if (i == NAMES_MAX)
    refuse(k->L, line_now(k->L), "gs.%s: more than %d events of a GPU", k->call,
           NAMES_MAX);
  if (i == all->n) strcpy(all->name[all->n++], name);
  return i * k->o->gpus + gpu;
}

/* ---- calls ----------------------------------------------------------------
 */

static int note(const asked *k, gscale_action a)
{
  notes *o = k->o;
  call *c;

  if (++o->called > GSCALE_ACTIONS_MAX)
    refuse(k->L, line_now(k->L), "gs.%s: more than %d actions of GPU %d",
           k->call, GSCALE_ACTIONS_MAX, o->owner);
  a.thread = o->one ? 0 : o->owner;
  c = add_to(k->L, &o->list, sizeof *c);
  *c = (call){a, line_now(k->L)};
  return 0;
}

static int duration(const asked *k, const gscale_work *w)
{
  block *all = &k->o->work;

  for (size_t i = 0; i < all->used; i++) {
    const gscale_work *v = (const gscale_work *)all->at + i;
    const double apart = fabs(v->share - w->share) + fabs(v->bytes - w->bytes) +
                         fabs(v->time - w->time);
    if (v->kind == w->kind && v->phase == w->phase && apart == 0.0)
      return (int)i;
  }
  if (all->used == WORKS_MAX)
    refuse(k->L, line_now(k->L), "gs.%s: more than %d different durations",
           k->call, WORKS_MAX);
  *(gscale_work *)add_to(k->L, all, sizeof *w) = *w;
  return (int)all->used - 1;
}

static double bytes_option(const asked *k)
{
  double bytes;

  push_option(k, "bytes");
  bytes = pop_amount(k, "bytes", GSCALE_BYTES);
  if (!(bytes > 0.0) || !isfinite(bytes))
    refuse(k->L, line_now(k->L), "gs.%s: bytes: %g is not > 0", k->call, bytes);
  return bytes;
}

static size_t phase_named(const asked *k, const char *name)
{
  const char *all[KNOBS_MAX], *near;
  const size_t n = gscale_workload_phases(k->o->w);
  size_t i = 0;

  while (i < n && strcmp(gscale_workload_phase(k->o->w, i)->name, name) != 0)
    i++;
  if (i < n) return i;
  for (i = 0; i < n && i < LENGTH(all); i++)
    all[i] = gscale_workload_phase(k->o->w, i)->name;
  near = nearest(name, all, i);
  refuse(k->L, line_now(k->L), "gs.launch: there is no phase '%s'%s%s%s", name,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static int launch(lua_State *L)
{
  static const char *const keys[] = {"stream", "share"};
  asked k = begin(L, "launch", 2);
  gscale_work w = {.kind = GSCALE_LAUNCH, .share = 1.0};
  gscale_action a = {.kind = GSCALE_LAUNCH};

  take_options(&k, keys, LENGTH(keys));
  lua_pushvalue(L, 1);
  w.phase = phase_named(&k, pop_name(&k, "phase"));
  if (push_option(&k, "share") != LUA_TNIL) {
    w.share = pop_amount(&k, "share", GSCALE_COUNT);
    if (!(w.share > 0.0 && w.share <= 1.0))
      refuse(L, line_now(L), "gs.launch: share: %g is not > 0 and <= 1",
             w.share);
  }
  a.stream = stream_option(&k);
  a.length = duration(&k, &w);
  return note(&k, a);
}

static gscale_action_kind kind_option(const asked *k)
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
  refuse(k->L, line_now(k->L),
         "gs.copy: kind: '%s': needs one of \"d2d\", \"d2h\", \"h2d\"", word);
}

static int copy(lua_State *L)
{
  static const char *const keys[] = {"to", "bytes", "stream", "kind"};
  asked k = begin(L, "copy", 1);
  gscale_work w = {.share = 1.0};
  gscale_action a = {0};
  bool to;

  take_options(&k, keys, LENGTH(keys));
  a.kind = w.kind = kind_option(&k);
  to = push_option(&k, "to") != LUA_TNIL;
  if (to != (a.kind == GSCALE_COPY_D2D))
    refuse(L, line_now(L), "gs.copy: %s",
           to ? "to: only between GPUs" : "needs to = the number of a GPU");
  if (to) a.peer = pop_gpu(&k, "to");
  w.bytes = bytes_option(&k);
  a.stream = stream_option(&k);
  a.length = duration(&k, &w);
  return note(&k, a);
}

static int clear(lua_State *L)
{
  static const char *const keys[] = {"bytes", "stream"};
  asked k = begin(L, "memset", 1);
  gscale_work w = {.kind = GSCALE_MEMSET, .share = 1.0};
  gscale_action a = {.kind = GSCALE_MEMSET};

  take_options(&k, keys, LENGTH(keys));
  w.bytes = bytes_option(&k);
  a.stream = stream_option(&k);
  a.length = duration(&k, &w);
  return note(&k, a);
}

static int record(lua_State *L)
{
  static const char *const keys[] = {"stream"};
  asked k = begin(L, "record", 2);
  gscale_action a = {.kind = GSCALE_RECORD};

  take_options(&k, keys, LENGTH(keys));
  lua_pushvalue(L, 1);
  a.event = event_of(&k, pop_name(&k, "event"), k.o->device);
  a.stream = stream_option(&k);
  return note(&k, a);
}

static int wait_for(lua_State *L)
{
  static const char *const keys[] = {"of", "stream"};
  asked k = begin(L, "wait", 2);
  gscale_action a = {.kind = GSCALE_WAIT};

  take_options(&k, keys, LENGTH(keys));
  lua_pushvalue(L, 1);
  a.event = event_of(&k, pop_name(&k, "event"), gpu_option(&k, "of"));
  a.stream = stream_option(&k);
  return note(&k, a);
}

static int synchronize(lua_State *L)
{
  static const char *const keys[] = {"stream", "event", "of"};
  asked k = begin(L, "synchronize", 1);
  gscale_action a = {.kind = GSCALE_SYNC_STREAM};

  take_options(&k, keys, LENGTH(keys));
  if (push_option(&k, "event") != LUA_TNIL) {
    a.kind = GSCALE_SYNC_EVENT;
    a.event = event_of(&k, pop_name(&k, "event"), gpu_option(&k, "of"));
  } else {
    a.stream = stream_option(&k);
  }
  return note(&k, a);
}

static int barrier(lua_State *L)
{
  const asked k = begin(L, "barrier", 0);

  return note(&k, (gscale_action){.kind = GSCALE_BARRIER});
}

static int host(lua_State *L)
{
  const asked k = begin(L, "host", 1);
  gscale_work w = {.kind = GSCALE_HOST_WORK, .share = 1.0};
  gscale_action a = {.kind = GSCALE_HOST_WORK};

  w.time = pop_amount(&k, "", GSCALE_TIME);
  if (!(w.time >= 0.0) || !isfinite(w.time))
    refuse(L, line_now(L), "gs.host: %g s is no time", w.time);
  a.length = duration(&k, &w);
  return note(&k, a);
}

static int set_device(lua_State *L)
{
  const asked k = begin(L, "setdevice", 1);
  const int gpu = pop_gpu(&k, "");

  k.o->device = gpu;
  return note(&k, (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = gpu});
}

void offer_calls(lua_State *L, void *closure)
{
  static const luaL_Reg calls[] = {{"launch", launch},
                                   {"copy", copy},
                                   {"memset", clear},
                                   {"record", record},
                                   {"wait", wait_for},
                                   {"barrier", barrier},
                                   {"host", host},
                                   {"setdevice", set_device},
                                   {"synchronize", synchronize}};

  (void)closure;
  memset(lua_newuserdatauv(L, sizeof(notes), 0), 0, sizeof(notes));
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registered);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "gs");
  lua_rawget(L, -2);
  for (size_t i = 0; i < LENGTH(calls); i++) {
    lua_pushstring(L, calls[i].name);
    lua_pushcfunction(L, calls[i].func);
    lua_rawset(L, -3);
  }
  lua_pop(L, 2);
}

/* ---- host = { ... } -------------------------------------------------------
 */

static void read_streams(lua_State *L, notes *o)
{
  const size_t n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;

  if (n < 1 || n > NAMES_MAX)
    refuse(L, o->line, "host.streams: needs a list of 1 to %d names",
           NAMES_MAX);
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
    if (find(&o->streams, to) < o->streams.n)
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

/* The table on top of the stack. */
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
      refuse(L, o->line, "host: unknown key; it has threads, streams, depth");
    read[i](L, o);
  }
}

/* ---- the schedule of all GPUs ---------------------------------------------
 */

static const call *call_at(const notes *o, size_t i)
{
  return (const call *)o->list.at + i;
}

static size_t first_of(const notes *o, int parity, int gpu)
{
  return ((const size_t *)o->first.at)[parity * o->gpus + gpu];
}

/* Calls schedule(), at that index, for all GPUs and both kinds of steps. */
static void call_all(lua_State *L, int schedule, notes *o)
{
  o->list.used = o->first.used = 0;
  for (int i = 0; i < 2; i++)
    for (int g = 0; g < o->gpus; g++) {
      *(size_t *)add_to(L, &o->first, sizeof(size_t)) = o->list.used;
      o->owner = o->device = g;
      o->parity = i;
      o->called = 0;
      o->open = true;
      lua_pushvalue(L, schedule);
      lua_pushinteger(L, g);
      lua_pushinteger(L, o->gpus);
      lua_pushinteger(L, i);
      lua_call(L, 3, 0);
      o->open = false;
    }
  *(size_t *)add_to(L, &o->first, sizeof(size_t)) = o->list.used;
}

static bool same_action(const gscale_action *a, const gscale_action *b)
{
  return a->kind == b->kind && a->stream == b->stream && a->event == b->event &&
         a->peer == b->peer && a->length == b->length;
}

/* Whether even and odd steps are alike. */
static bool steady(const notes *o)
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
  *(gscale_action *)add_to(L, &o->out, sizeof a) = a;
  *(int *)add_to(L, &o->from, sizeof line) = line;
}

/* Whether what is called up to the next barrier is for the thread's device;
 * waiting and work of the host are not. */
static bool is_issuing(const notes *o, size_t at, size_t end)
{
  for (; at < end; at++) {
    const gscale_action_kind k = call_at(o, at)->a.kind;

    if (k == GSCALE_BARRIER) return false;
    if (k < GSCALE_SYNC_STREAM) return true;
  }
  return false;
}

/* The calls of GPU g from *at on, up to its next barrier or the end; whether
 * there was a barrier.  One thread sets the device before it issues to a GPU,
 * and has no other thread to meet. */
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

/* All GPUs up to their next barriers, GPU after GPU, then again. */
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

/* ---- into the workload ----------------------------------------------------
 */

/* Events that nobody records, by name. */
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

/* "action 7 (wait, thread 0, stream 2): why": the line of that action, and what
 * and why without its number. */
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

/* The names of all GPUs' streams or events. */
static const char *const *list_names(lua_State *L, const names *all, int gpus,
                                     bool by_gpu)
{
  const int n = all->n * gpus;
  const char **list = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *list, 0);

  for (int i = 0; i < n; i++)
    list[i] = all->name[by_gpu ? i % all->n : i / gpus];
  return list;
}

static void give(lua_State *L, notes *o, gscale_workload *w)
{
  const int streams = o->streams.n * o->gpus;
  int *stream_gpu =
      lua_newuserdatauv(L, ((size_t)streams + 1) * sizeof *stream_gpu, 0);
  const gscale_program p = {
      .schedule = {.gpus = o->gpus,
                   .threads = o->one ? 1 : o->gpus,
                   .streams = streams,
                   .events = o->events.n * o->gpus,
                   .durations = (int)o->work.used,
                   .stream_gpu = stream_gpu,
                   .actions = o->out.used,
                   .action = o->out.at,
                   .depth = o->depth},
      .work = o->work.at,
      .stream_name = list_names(L, &o->streams, o->gpus, true),
      .event_name = list_names(L, &o->events, o->gpus, false)};
  gscale_diag diag;
  gscale_status st;

  for (int i = 0; i < streams; i++) stream_gpu[i] = i / o->streams.n;
  st = gscale_workload_add_program(w, &p, &diag);
  if (st == GSCALE_ENOMEM) refuse_as(L, EXIT_INTERNAL, "%s", diag.text);
  if (st != GSCALE_OK) refuse_action(L, o, &diag);
  stop_if_late(L);
  lua_pop(L, 3);
}

static void read_one(lua_State *L, int schedule, notes *o, gscale_workload *w,
                     int gpus)
{
  o->gpus = gpus;
  o->events.n = 0;
  o->work.used = o->out.used = o->from.used = 0;
  call_all(L, schedule, o);
  if (steady(o)) {
    emit_steps(L, o, 0, GSCALE_EVERY_STEP);
  } else {
    emit_steps(L, o, 0, GSCALE_EVEN_STEPS);
    emit_steps(L, o, 1, GSCALE_ODD_STEPS);
  }
  check_events(L, o);
  give(L, o, w);
}

/* Pushes the value of a key of step()'s table. */
static int push_key(lua_State *L, int step, const char *key)
{
  lua_pushstring(L, key);
  return lua_rawget(L, step);
}

bool read_schedule(lua_State *L, int step, int line, gscale_workload *w,
                   const int *gpus, size_t n)
{
  notes *o = notes_of(L);
  const int top = lua_gettop(L);
  const int type = push_key(L, step, "schedule");

  o->w = w;
  o->line = line;
  o->depth = DEPTH;
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
    for (size_t i = 0; i < n; i++) read_one(L, top + 1, o, w, gpus[i]);
  }
  lua_settop(L, top);
  return type == LUA_TFUNCTION;
}

/* ---- for whom -------------------------------------------------------------
 */

static bool has_room(const gscale_system *s, const gscale_workload *w, int n)
{
  return gscale_plan_check(s, w, n, NULL) != GSCALE_ESIZE;
}

/* One, the least that holds it, which speedups are over, and those of gpus[]
 * that can be planned; into list[], which has room for n + 2. */
static size_t sizes_of(const gscale_system *s, const gscale_workload *w,
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

/* The file runs once more: what it is is known from the first time. */
int load_schedules(const gscale_system *s, const char *what, settings *set,
                   const int *gpus, size_t n, gscale_workload **w, failure *why)
{
  void (*const tell)(const char *, const char *, size_t) = on_source;
  gscale_workload *again;
  int *list, st;

  if (!gscale_workload_has_program(*w)) return EXIT_OK;
  list = malloc((n + 2) * sizeof *list);
  if (!list) return fail(why, EXIT_INTERNAL, "no memory for the schedules");
  n = sizes_of(s, *w, gpus, n, list);
  on_source = NULL;
  st = load_for(what, set, list, n, &again, why);
  on_source = tell;
  free(list);
  if (st != EXIT_OK) return st;
  gscale_workload_free(*w);
  *w = again;
  return EXIT_OK;
}
