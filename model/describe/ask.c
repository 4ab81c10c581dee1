/* ask.c - storage of parameters and workloads, with a record of readers. */

#include "describe/ask.h"

#include "ground/ground.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- parameters of a system ---------------------------------------------- */

/* Content of gscale__params. */
typedef struct store {
  gscale_param number[GSCALE_PARAM_END];
  double value[GSCALE_PARAM_END]; /* copies of number[].val */
  bool set[GSCALE_PARAM_END];
  bool guessed[GSCALE_PARAM_END]; /* default that depends on others */
  bool leads[GSCALE_PARAM_END];   /* other guesses depend on it */
} store;

_Static_assert(sizeof(store) <= sizeof(gscale__params), "it has room");

static store *store_of(gscale_system *s)
{
  return (store *)(void *)&s->params;
}

static const store *stored(const gscale_system *s)
{
  return (const store *)(const void *)&s->params;
}

static void write(store *p, gscale_param_id id, const gscale_param *n)
{
  p->number[id] = *n;
  p->value[id] = n->val;
}

/* Returns a value on which a guess depends, and notes the dependence. */
static double read_leader(store *p, gscale_param_id id)
{
  p->leads[id] = true;
  return p->number[id].val;
}

/* Guesses a number from a sufficient number of machines that measured it.
 * Machines with unmeasured launches are a separate population. */
static gscale_param guess_of(const store *p, size_t id)
{
  gscale_param n = gscale_param_default(id);

  gscale_param_population(
      id, p->number[GSCALE_HOST_LAUNCH].origin == GSCALE_ASSUMED, &n);
  return n;
}

/* Returns the factor by which measured launches are slower than guesses. */
static double call_slowdown(store *p)
{
  const double launch = read_leader(p, GSCALE_HOST_LAUNCH);

  return p->set[GSCALE_HOST_LAUNCH]
             ? launch / guess_of(p, GSCALE_HOST_LAUNCH).val
             : 1.0;
}

/* Guesses the unmeasured call costs of a machine from its launch cost. */
static void set_guesses(store *p)
{
  const double slower = call_slowdown(p);

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const double scale =
        gscale_param_info_at(id)->dim == GSCALE_TIME ? slower : 1.0;

    if (!p->guessed[id]) continue;
    gscale_param n = guess_of(p, id);
    n.val *= scale;
    n.err *= scale;
    write(p, id, &n);
  }
}

/* Guesses again after a change of the launches' value; texts remain. */
static void update_guesses(store *p)
{
  const bool other = p->number[GSCALE_HOST_LAUNCH].origin == GSCALE_ASSUMED;
  const double slower = call_slowdown(p);

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const double scale =
        gscale_param_info_at(id)->dim == GSCALE_TIME ? slower : 1.0;
    double value, err;

    if (!p->guessed[id]) continue;
    if (!gscale__population_of(id, other, &value, &err)) {
      const gscale_param n = gscale_param_default(id);
      value = n.val;
      err = n.err;
    }
    p->number[id].val = p->value[id] = value * scale;
    p->number[id].err = err * scale;
  }
}

void gscale__params_init(gscale_system *s)
{
  store *p = store_of(s);

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    p->set[id] = !gscale_param_info_at(id)->required;
    const gscale_param n = gscale_param_default(id);
    write(p, id, &n);
    p->guessed[id] = gscale_param_info_at(id)->scales;
  }
  set_guesses(p);
}

const gscale_param *gscale_system_get(const gscale_system *s,
                                      gscale_param_id id)
{
  return id < GSCALE_PARAM_END ? &stored(s)->number[id] : NULL;
}

bool gscale_system_guessed(const gscale_system *s, gscale_param_id id)
{
  return id < GSCALE_PARAM_END && stored(s)->guessed[id];
}

bool gscale__param_set(const gscale_system *s, gscale_param_id id)
{
  return stored(s)->set[id];
}

bool gscale__param_leads(const gscale_system *s, gscale_param_id id)
{
  return stored(s)->leads[id] ||
         (s->hosted && (id == GSCALE_STAGED_RATE || id == GSCALE_LINK_RATE));
}

void gscale__renew_hosted(gscale_system *s)
{
  const double *value = stored(s)->value;

  if (s->hosted)
    s->fabric.staged =
        fmax(1e-9, value[GSCALE_STAGED_RATE] / value[GSCALE_LINK_RATE]);
}

void gscale__param_put(gscale_system *s, gscale_param_id id,
                       const gscale_param *p)
{
  store *to = store_of(s);

  write(to, id, p);
  to->set[id] = true;
  to->guessed[id] = false;
  if (to->leads[id]) set_guesses(to);
  gscale__renew_hosted(s);
}

void gscale__param_move(gscale_system *s, gscale_param_id id, double value)
{
  store *p = store_of(s);

  p->number[id].val = p->value[id] = value;
  if (p->leads[id]) update_guesses(p);
  gscale__renew_hosted(s);
}

void gscale__param_take(gscale_system *s, const gscale_system *from,
                        gscale_param_id id)
{
  store *to = store_of(s);

  write(to, id, &stored(from)->number[id]);
  to->set[id] = stored(from)->set[id];
  to->guessed[id] = stored(from)->guessed[id];
  if (to->leads[id]) set_guesses(to);
  gscale__renew_hosted(s);
}

/* ---- sources of a plan --------------------------------------------------- */

typedef struct whole {
  gscale__source about;
  double value[GSCALE_PARAM_END];
  const gscale_system *s;
  const gscale_workload *w;
} whole;

_Static_assert(offsetof(whole, value) == sizeof(gscale__source),
               "gscale__read() finds the values");

static const whole *all_of(const gscale__source *s)
{
  return (const whole *)(const void *)s;
}

static const whole *note_read(const gscale__source *s, size_t what)
{
  if (s->asked) s->asked[what] |= s->asking;
  return all_of(s);
}

/* Returns true if the curve's value at x depends on point i. */
static bool depends_on_point(const gscale_curve *c, size_t i, double x)
{
  return !(i > 0 && x <= c->x[i - 1]) && !(i + 1 < c->n && x > c->x[i + 1]);
}

double gscale__read_curve(const gscale__source *s, double footprint)
{
  const gscale_curve *c = &note_read(s, GSCALE__CURVE)->s->membw;

  for (size_t i = 0; s->asked && i < c->n; i++)
    if (depends_on_point(c, i, footprint)) note_read(s, GSCALE__POINT + i);
  return gscale_curve_at(c, footprint);
}

const gscale_curve *gscale__read_curve_all(const gscale__source *s)
{
  const gscale_curve *c = &note_read(s, GSCALE__CURVE)->s->membw;

  for (size_t i = 0; i < c->n; i++) note_read(s, GSCALE__POINT + i);
  return c;
}

const gscale_fabric *gscale__read_fabric(const gscale__source *s)
{
  return &note_read(s, GSCALE__FABRIC)->s->fabric;
}

const gscale_remote *gscale__read_remote(const gscale__source *s)
{
  return &note_read(s, GSCALE__REMOTE)->s->remote;
}

double gscale__read_single(const gscale__source *s)
{
  return note_read(s, GSCALE__SINGLE)->w->single.val;
}

size_t gscale__shares_of(const gscale__source *s,
                         const gscale_share_of **shares)
{
  const gscale_workload *w = all_of(s)->w;

  if (shares) *shares = w->share;
  return w->shares;
}

double gscale__read_elsewhere(const gscale__source *s)
{
  const whole *of = note_read(s, GSCALE__SINGLE);

  return gscale_workload_t1_elsewhere(of->w, of->s->name) ? of->w->t1_roofline
                                                          : 0.0;
}

const gscale_host *gscale__read_host(const gscale__source *s, int n)
{
  return gscale__host_on(note_read(s, GSCALE__SHORT)->w, n);
}

const gscale_workload *gscale__read_schedules(const gscale__source *s)
{
  return note_read(s, GSCALE__SCHEDULE)->w;
}

const gscale_phase *gscale__read_phase(const gscale__source *s, size_t i)
{
  return &note_read(s, GSCALE__PHASE + i)->w->phase[i];
}

const gscale_phase *gscale__read_phase_on(const gscale__source *s, size_t i,
                                          int n, gscale_phase *room)
{
  return gscale__phase_on(note_read(s, GSCALE__PHASE + i)->w, i, n, room);
}

gscale_status gscale__read_check(const gscale__source *s, gscale_diag *diag)
{
  const gscale_system *of = all_of(s)->s;

  if (!of->linked)
    return gscale__fail(diag, GSCALE_ENEED, "%s: link is missing", of->name);
  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    if (!stored(of)->set[id])
      return gscale__fail(diag, GSCALE_ENEED, "%s: %s is missing (%s)",
                          of->name, gscale_param_info_at(id)->name,
                          gscale_param_info_at(id)->meaning);
  return gscale__check_paths(s, diag);
}

const gscale_link *gscale__link_of(const gscale__source *s)
{
  return &all_of(s)->s->link;
}

gscale__machine gscale__machine_of(const gscale__source *s)
{
  const gscale_system *of = all_of(s)->s;
  const gscale_workload *w = all_of(s)->w;

  return (gscale__machine){.name = of->name,
                           .workload = w ? w->name : "",
                           .link = &of->link,
                           .can = &of->can,
                           .network = &of->network,
                           .power = &of->power,
                           .gpus = of->gpus,
                           .built = gscale_system_about(of).gpus,
                           .grows = of->grows,
                           .phases = w ? w->phases : 0};
}

_Static_assert(sizeof(whole) <= sizeof(gscale__source_room), "it has room");

gscale__source *gscale__source_in(gscale__source_room *room,
                                  const gscale_system *s,
                                  const gscale_workload *w)
{
  whole *all = (whole *)(void *)room;

  all->about = (gscale__source){NULL, 0};
  all->s = s;
  all->w = w;
  if (s) memcpy(all->value, stored(s)->value, sizeof all->value);
  return &all->about;
}

void gscale__put(gscale__source *s, gscale_param_id id, double value)
{
  ((whole *)(void *)s)->value[id] = value;
}

/* ---- changes ------------------------------------------------------------- */

static bool differ(double a, double b)
{
  return a < b || a > b;
}

uint64_t gscale__changed(const gscale__source *was, const uint64_t *asked,
                         const gscale_system *s)
{
  const double *a = all_of(was)->value, *b = stored(s)->value;
  const size_t at_once = 16; /* most calls change only one number */
  uint64_t who = 0;

  for (size_t id = 0; id < GSCALE_PARAM_END; id += at_once) {
    const size_t left = GSCALE_PARAM_END - id;
    const size_t n = left < at_once ? left : at_once;
    if (memcmp(a + id, b + id, n * sizeof *a) == 0) continue;
    for (size_t i = id; i < id + n; i++)
      if (differ(a[i], b[i])) who |= asked[i];
  }
  return who;
}

static uint64_t of_host(const uint64_t *asked, const gscale_workload *was,
                        const gscale_workload *w)
{
  const bool host = memcmp(&w->host, &was->host, sizeof w->host) != 0 ||
                    w->there != was->there;
  const bool single = differ(w->single.val, was->single.val) ||
                      differ(w->t1_roofline, was->t1_roofline) ||
                      w->shares != was->shares ||
                      memcmp(w->share, was->share, sizeof w->share) != 0;

  return (host ? asked[GSCALE__SHORT] : 0) |
         (w->program != was->program ? asked[GSCALE__SCHEDULE] : 0) |
         (single ? asked[GSCALE__SINGLE] : 0);
}

static uint64_t of_curve(const uint64_t *asked, const gscale_curve *was,
                         const gscale_curve *c)
{
  const bool others =
      c->n != was->n || memcmp(c->x, was->x, c->n * sizeof *c->x) != 0;
  uint64_t who = others ? asked[GSCALE__CURVE] : 0;

  for (size_t i = 0; i < c->n; i++)
    if (differ(c->y[i], was->y[i])) who |= asked[GSCALE__POINT + i];
  return who;
}

uint64_t gscale__changed_else(const uint64_t *asked, const gscale_system *s_was,
                              const gscale_workload *w_was,
                              const gscale_system *s, const gscale_workload *w)
{
  uint64_t who = of_host(asked, w_was, w);

  if (w->phases != w_was->phases) return ~(uint64_t)0;
  who |= of_curve(asked, &s_was->membw, &s->membw);
  if (memcmp(&s->fabric, &s_was->fabric, sizeof s->fabric) != 0)
    who |= asked[GSCALE__FABRIC];
  if (memcmp(&s->remote, &s_was->remote, sizeof s->remote) != 0)
    who |= asked[GSCALE__REMOTE];
  const bool moved = w->on != w_was->on || w->ways + w_was->ways > 0;
  for (size_t k = 0; w != w_was && moved && k < w->ons; k++)
    who |= asked[GSCALE__PHASE + w->on[k].put.phase];
  for (size_t k = 0; w != w_was && moved && k < w_was->ons; k++)
    who |= asked[GSCALE__PHASE + w_was->on[k].put.phase];
  for (size_t i = 0; w != w_was && i < w->phases; i++)
    if (memcmp(&w->phase[i], &w_was->phase[i], sizeof w->phase[i]) != 0)
      who |= asked[GSCALE__PHASE + i];
  return who;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
