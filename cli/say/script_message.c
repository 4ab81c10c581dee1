/* script_message.c - implements gs.remote for scripts. gs.remote computes times
 * of messages between two nodes by the closed forms of gpuscale/message.h,
 * exchange.h and energy.h. The table of gs.remote has `system`, `what` and
 * `set`, and the further keys in the row of `what` below. */

#include "say/script.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char call_name[] = "gs.remote";

/* A question that is copied before memory is allocated, since Lua may jump. */
typedef struct message_question {
  const char *system, *name;
  gscale_remote_call call;
  gscale_place buffers;
  double gpus, values, time, busy, host;
  bool load, kernel, all;
  gscale_halves halves;
  settings set;
} message_question;

typedef double answer_to(const gscale_system *s, const message_question *a);

/* ---- reading ------------------------------------------------------------- */

static double number_of(lua_State *L, const char *key, double otherwise)
{
  return number_field(L, call_name, key, otherwise);
}

static gscale_place place_of(lua_State *L, const char *key)
{
  const char *text = text_field(L, call_name, key);

  for (int i = 0; text && i < GSCALE_PLACE_END; i++)
    if (strcmp(gscale_name(GSCALE_PLACE_NAMES, (gscale_place)i), text) == 0)
      return (gscale_place)i;
  if (text)
    refuse_now(L, "%s: %s: '%.40s' is not gpu or host", call_name, key, text);
  return GSCALE_ON_GPU;
}

static void read_call(lua_State *L, gscale_remote_call *c)
{
  *c = gscale_remote_call_of(number_of(L, "bytes", 0.0));
  c->from = place_of(L, "from");
  c->to = place_of(L, "to");
  c->queues = place_of(L, "queues");
  c->far = flag_field(L, "far");
  c->polled = flag_field(L, "polled");
  c->notified = flag_field(L, "notified");
  c->get = flag_field(L, "get");
  c->sharing = number_of(L, "sharing", c->sharing);
  c->connections = number_of(L, "connections", c->connections);
  c->word = number_of(L, "word", c->word);
  c->stride = number_of(L, "stride", c->stride);
  c->chunk = number_of(L, "chunk", c->chunk);
}

static void read_halves(lua_State *L, gscale_halves *h)
{
  h->compute = number_of(L, "compute", 0.0);
  h->send = number_of(L, "send", 0.0);
  h->post = number_of(L, "post", NAN); /* default: the system's */
  h->poll = number_of(L, "poll", NAN);
  h->launch = number_of(L, "launch", NAN);
  h->event = number_of(L, "event", 0.0);
  h->between = number_of(L, "between", 0.0);
  h->blocks = number_of(L, "blocks", 1.0);
  h->wait = number_of(L, "wait", 0.0);
  h->barrier = number_of(L, "barrier", 0.0);
}

static void read_asked(lua_State *L, message_question *a)
{
  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    refuse_now(L, "%s: needs one table", call_name);
  *a = (message_question){.system = text_field(L, call_name, "system"),
                          .name = text_field(L, call_name, "name")};
  if (!a->system)
    refuse_now(L, "%s: system: missing; needs a name or a file", call_name);
  read_call(L, &a->call);
  read_halves(L, &a->halves);
  a->buffers = place_of(L, "buffers");
  a->gpus = number_of(L, "gpus", 2.0);
  a->values = number_of(L, "values", 0.0);
  a->time = number_of(L, "time", 0.0);
  a->busy = number_of(L, "busy", 0.0);
  a->host = number_of(L, "host", 0.0);
  a->load = flag_field(L, "load");
  a->kernel = flag_field(L, "kernel");
  a->all = flag_field(L, "all");
  settings_field(L, call_name, &a->set);
}

/* ---- answers ------------------------------------------------------------- */

static gscale_message message(const gscale_system *s, const message_question *a)
{
  return gscale_remote_message(gscale_system_about(s).remote,
                               gscale_method_find(a->name ? a->name : ""),
                               &a->call);
}

static double latency(const gscale_system *s, const message_question *a)
{
  return message(s, a).latency;
}

static double gap(const gscale_system *s, const message_question *a)
{
  return message(s, a).gap;
}

static double busy(const gscale_system *s, const message_question *a)
{
  return message(s, a).busy;
}

static double rate(const gscale_system *s, const message_question *a)
{
  return gscale_remote_rate(gscale_system_about(s).remote, &a->call);
}

static double switch_at(const gscale_system *s, const message_question *a)
{
  return gscale_remote_switch(gscale_system_about(s).remote, &a->call);
}

static double atomic(const gscale_system *s, const message_question *a)
{
  return gscale_remote_atomic(gscale_system_about(s).remote,
                              gscale_method_find(a->name ? a->name : ""),
                              a->call.queues);
}

static double requests(const gscale_system *s, const message_question *a)
{
  return gscale_remote_requests(gscale_system_about(s).remote, a->values,
                                a->call.word, a->call.stride, a->load);
}

static double barrier(const gscale_system *s, const message_question *a)
{
  return gscale_remote_barrier(gscale_system_about(s).remote, (int)a->gpus,
                               a->kernel);
}

static double reduce(const gscale_system *s, const message_question *a)
{
  int g = 0;

  while (g < GSCALE_GATHER_END &&
         (!a->name ||
          strcmp(gscale_name(GSCALE_GATHER_NAMES, (gscale_gather)g), a->name)))
    g++;
  return gscale_remote_reduce(
      gscale_system_about(s).remote, (gscale_gather)g, (int)a->gpus,
      a->call.bytes,
      gscale_system_get(s, gscale_param_find("device.membw"))->val, a->all);
}

static double allreduce(const gscale_system *s, const message_question *a)
{
  return gscale_host_allreduce(gscale_system_about(s).remote, (int)a->gpus,
                               a->call.sharing, a->buffers);
}

static double control(const gscale_system *s, const message_question *a)
{
  const gscale_remote *r = gscale_system_about(s).remote;
  gscale_halves h = a->halves;
  int c = 0;

  if (isnan(h.post)) h.post = r->control.post_gpu;
  if (isnan(h.poll)) h.poll = r->control.poll_gpu;
  if (isnan(h.launch)) h.launch = r->control.launch;
  while (
      c < GSCALE_CONTROL_END &&
      (!a->name ||
       strcmp(gscale_name(GSCALE_CONTROL_NAMES, (gscale_control)c), a->name)))
    c++;
  return gscale_control_step((gscale_control)c, &h);
}

static double energy(const gscale_system *s, const message_question *a)
{
  return gscale_energy(gscale_system_about(s).power, a->time, a->busy, a->host,
                       0.0);
}

/* Returns the number of a description that has the path. */
static double number(const gscale_system *s, const message_question *a)
{
  const char *name = a->name ? a->name : "";
  const gscale_param_id id = gscale_param_find(name);
  const gscale_field *f = gscale_field_find(GSCALE_OF_REMOTE, name);
  const gscale_param *p = f ? gscale_system_remote_said(s, f) : NULL;

  if (id < gscale_param_count()) return gscale_system_get(s, id)->val;
  return p ? p->val : NAN;
}

static const struct {
  const char *what;
  answer_to *of;
} answers[] = {
    {"latency", latency},     {"gap", gap},          {"busy", busy},
    {"rate", rate},           {"switch", switch_at}, {"atomic", atomic},
    {"requests", requests},   {"barrier", barrier},  {"reduce", reduce},
    {"allreduce", allreduce}, {"control", control},  {"energy", energy},
    {"number", number},
};
enum {
  ANSWERS = LENGTH(answers)
};

static size_t find_answer(lua_State *L)
{
  const char *what = text_field(L, call_name, "what");
  size_t i = 0;

  while (i < ANSWERS && (!what || strcmp(answers[i].what, what) != 0)) i++;
  if (i == ANSWERS)
    refuse_now(L, "%s: what: '%.40s' is no question", call_name,
               what ? what : "");
  return i;
}

int ask_remote(lua_State *L)
{
  static message_question a; /* large; each call sets it */
  static failure why;
  gscale_system *s = NULL;
  double v = NAN;
  int st;

  read_asked(L, &a);
  const size_t which = find_answer(L);
  st = load_system(a.system, &a.set, &s, NULL, &why);
  if (st == EXIT_OK) st = settings_all_used(&a.set, &why);
  if (st == EXIT_OK) v = answers[which].of(s, &a);
  gscale_system_free(s);
  if (st != EXIT_OK) pass_on(L, call_name, &why);
  if (isnan(v))
    refuse_now(L, "%s: %s: %s cannot say it, or is outside its domain",
               call_name, answers[which].what, a.system);
  lua_pushnumber(L, v);
  return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
