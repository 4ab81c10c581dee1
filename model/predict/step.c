/* step.c - a step by a paradigm: compiled at plan time, evaluated with what the
 * paradigm makes of each phase.
 *
 *   time = sum over what the host waits for at once (a phase, or all of them)
 *          of repeats * period of its schedule */

#include "predict/step.h"

#include "describe/program.h"
#include "equation/flow.h"
#include "price/between.h"
#include "price/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- costs that matter -----------------------------------------------------
 */

static uint64_t bit(int cost)
{
  return (uint64_t)1 << cost;
}

static uint64_t call_bits(gscale_action_kind k)
{
  return bit(GSCALE_COST_ISSUE + (int)k) | bit(GSCALE_COST_CROWD + (int)k);
}

/* Costs that a term of a form, or what fills in its duration, looks at. */
static uint64_t bits_of(int cost)
{
  if (cost < GSCALE_COST_END) return bit(cost);
  switch ((cost - GSCALE_COST_END) % GSCALE__SLOTS) {
  case GSCALE__LAUNCHES:
  case GSCALE__BOUNDARY:
    return call_bits(GSCALE_LAUNCH);
  case GSCALE__COPY_CALLS:
    return call_bits(GSCALE_COPY_D2D);
  case GSCALE__MORE_CALLS:
  case GSCALE__OWN_CALLS:
    return call_bits(GSCALE_LAUNCH) | call_bits(GSCALE_COPY_D2D) |
           call_bits(GSCALE_RECORD);
  case GSCALE__BARRIER:
  case GSCALE__BARRIER_LATE:
    return bit(GSCALE_COST_BARRIER) | bit(GSCALE_COST_BARRIER_MORE) |
           bit(GSCALE_COST_STRAGGLE);
  default:
    return 0;
  }
}

uint64_t gscale__step_costs_used(const gscale_plan *p, size_t paradigm)
{
  uint64_t used = 0;

  const gscale__form *f;
  for (size_t i = 0; (f = gscale__form_nth(p, paradigm, i)) != NULL; i++) {
    if (f->paths == 0) return ~(uint64_t)0;
    for (int t = 0; t < f->first[f->paths]; t++)
      used |= bits_of(f->term[t].cost);
  }
  return used;
}

/* Those of which durations are made. */
static uint64_t bits_of_durations(void)
{
  return call_bits(GSCALE_LAUNCH) | call_bits(GSCALE_COPY_D2D) |
         call_bits(GSCALE_RECORD) | bit(GSCALE_COST_BARRIER) |
         bit(GSCALE_COST_BARRIER_MORE) | bit(GSCALE_COST_STRAGGLE);
}

/* ---- durations ------------------------------------------------------------
 */

static double call(const gscale_plan *p, gscale_action_kind kind)
{
  return p->cost[GSCALE_COST_ISSUE + (int)kind] +
         p->cost[GSCALE_COST_CROWD + (int)kind];
}

static double calls(const gscale_plan *p, const gscale_calls *c)
{
  return c->launches * call(p, GSCALE_LAUNCH) +
         c->copies * call(p, GSCALE_COPY_D2D) +
         c->events * call(p, GSCALE_RECORD);
}

/* Of the program, besides: one launch has a place of its own. */
static double own_calls(const gscale_plan *p, const gscale_calls *c)
{
  gscale_calls others = *c;

  if (others.launches >= 1.0) others.launches -= 1.0;
  return calls(p, &others);
}

static double last_copy(const gscale__last_copy *l)
{
  return l->initiation + l->wire + l->latency;
}

/* Between host threads that do nothing else. */
static double barrier(const gscale_plan *p)
{
  return p->threads < 2
             ? 0.0
             : p->cost[GSCALE_COST_BARRIER] +
                   (p->threads - 2) * p->cost[GSCALE_COST_BARRIER_MORE];
}

static void fill_norm(const gscale_plan *p, double *d)
{
  const gscale_host *h = &p->host;

  if (!(h->norm.copy > 0.0)) return;
  d[GSCALE__CLEAR] = gscale__ask(p, GSCALE_DEVICE_START);
  d[GSCALE__NORM] = p->norm;
  d[GSCALE__FETCH] =
      gscale__ask(p, GSCALE_COPY_INITIATION) + gscale__to_host(p, h->norm.copy);
}

static const double all_on[GSCALE_MECHANISM_END] = {1, 1, 1, 1, 1,
                                                    1, 1, 1, 1, 1};

/* The last copy is the only one. */
static bool is_only(const gscale__phase_plan *f, const gscale__stage *l)
{
  return l->row && !(f->copies > 1.0);
}

static double far_time(const gscale__stage *l)
{
  return l->far.post + l->far.latency + l->far.transfer;
}

/* Durations that are made of the system's costs alone. */
static void fill_calls(const gscale_plan *p, size_t phase,
                       const gscale__stage *l, double *d)
{
  const double launch = call(p, GSCALE_LAUNCH);

  d[GSCALE__LAUNCHES] = gscale__max(0.0, l->kernels - 2.0) * launch;
  d[GSCALE__BOUNDARY] = launch + l->before;
  d[GSCALE__COPY_CALLS] =
      gscale__max(0.0, p->phase[phase].copies - 2.0) * call(p, GSCALE_COPY_D2D);
  d[GSCALE__MORE_CALLS] = calls(p, &l->more);
  d[GSCALE__OWN_CALLS] = own_calls(p, &p->phase[phase].calls);
  d[GSCALE__BARRIER] = barrier(p);
  d[GSCALE__BARRIER_LATE] =
      barrier(p) + (p->threads < 2 ? 0.0 : p->cost[GSCALE_COST_STRAGGLE]);
}

static void fill_durations(const gscale_plan *p, size_t phase,
                           const gscale__stage *l, double *d)
{
  fill_calls(p, phase, l, d);
  d[GSCALE__KERNELS] = l->length + (l->by_device ? far_time(l) : 0.0);
  d[GSCALE__MESSAGES] = l->by_device ? 0.0 : far_time(l);
  d[GSCALE__MEETING] = gscale__meeting(p);
  d[GSCALE__LAST_KERNEL] = 0.0;
  d[GSCALE__AGENT] = 0.0;
  const double copies = gscale__bulk(&l->copies, all_on);
  d[GSCALE__LAST_COPY] =
      is_only(&p->phase[phase], l) ? copies : last_copy(&l->last);
  d[GSCALE__COPIES] = gscale__max(0.0, copies - d[GSCALE__LAST_COPY]);
  d[GSCALE__COLLECTIVE] = l->collective.time.start +
                          l->collective.time.latency +
                          l->collective.time.transfer;
  d[GSCALE__CLEAR] = d[GSCALE__NORM] = d[GSCALE__FETCH] = 0.0;
  if (phase + 1 == p->phases) fill_norm(p, d);
}

/* ---- periods --------------------------------------------------------------
 */

static double along(const gscale__form *f, int path, const double *cost)
{
  double sum = 0.0;

  for (int i = f->first[path]; i < f->first[path + 1]; i++)
    sum += f->term[i].times * cost[f->term[i].cost];
  return sum;
}

/* The longest path; of some that are as long the first. */
static double longest(const gscale__form *f, const double *cost,
                      double *gradient)
{
  double most = along(f, 0, cost);
  int best = 0;

  for (int i = 1; i < f->paths; i++) {
    const double t = along(f, i, cost);
    if (t > most || isnan(t)) {
      most = t;
      best = i;
    }
  }
  if (!gradient) return most;
  memset(gradient, 0,
         (size_t)(GSCALE_COST_END + f->durations) * sizeof *gradient);
  for (int i = f->first[best]; i < f->first[best + 1]; i++)
    gradient[f->term[i].cost] = f->term[i].times;
  return most;
}

/* A timeline's own memory: what is small is on the stack. */
static double ask_timeline(const gscale__form *f, const double *cost,
                           double *gradient)
{
  enum {
    SMALL = 32768
  };
  _Alignas(max_align_t) char small[SMALL];
  const size_t size = gscale_timeline_scratch(f->timeline);
  void *large = size > SMALL ? malloc(size) : NULL;

  if (size > SMALL && !large) return (double)NAN;
  const double t = gscale_timeline_period(f->timeline, cost,
                                          large ? large : small, gradient);
  free(large);
  return t;
}

static double period(const gscale__form *f, const double *cost,
                     double *gradient)
{
  return f->paths > 0 ? longest(f, cost, gradient)
                      : ask_timeline(f, cost, gradient);
}

/* ---- what it is made of ----------------------------------------------------
 */

gscale_mechanism gscale__cost_mechanism(int cost)
{
  if (cost < GSCALE_COST_BARRIER) return GSCALE_M_HOST;
  switch (cost) {
  case GSCALE_COST_BARRIER:
  case GSCALE_COST_BARRIER_MORE:
  case GSCALE_COST_STRAGGLE:
  case GSCALE_COST_WAKE:
  case GSCALE_COST_KERNEL_HOST:
  case GSCALE_COST_COPY_HOST:
    return GSCALE_M_SYNC;
  default:
    return GSCALE_M_LATENCY;
  }
}

static void spend(gscale__spent *s, gscale_mechanism m, double time)
{
  s->of[m] += time;
  s->saved[m] += 0.01 * time;
}

/* Mechanisms that the flow has some of. */
static bool has(const gscale_flow *f, int m)
{
  switch (m) {
  case GSCALE_M_COMPUTE:
    return f->compute > 0.0;
  case GSCALE_M_BANDWIDTH:
    return f->wire + f->slowdown > 0.0;
  case GSCALE_M_ISSUE:
    return f->issue > 0.0;
  case GSCALE_M_INITIATION:
    return f->gap > 0.0;
  case GSCALE_M_FAULT:
    return f->start > 0.0;
  case GSCALE_M_TRACKING:
    return f->tracking > 0.0;
  case GSCALE_M_TAIL:
    return f->chunk + f->burst > 0.0;
  case GSCALE_M_LATENCY:
    return f->latency + f->waiting > 0.0;
  default:
    return false;
  }
}

/* Mechanism m of a flow, `on` times what it is in *f. */
static void scale_mechanism(gscale_flow *to, const gscale_flow *f, int m,
                            double on)
{
  switch (m) {
  case GSCALE_M_COMPUTE:
    to->compute = on * f->compute;
    to->busy = on * f->busy;
    break;
  case GSCALE_M_BANDWIDTH:
    to->wire = on * f->wire;
    to->slowdown = on * f->slowdown;
    break;
  case GSCALE_M_ISSUE:
    to->issue = on * f->issue;
    break;
  case GSCALE_M_INITIATION:
    to->gap = on * f->gap;
    break;
  case GSCALE_M_FAULT:
    to->start = on * f->start;
    break;
  case GSCALE_M_TRACKING:
    to->tracking = on * f->tracking;
    break;
  case GSCALE_M_TAIL:
    to->tail = on * f->tail;
    break;
  case GSCALE_M_LATENCY:
    to->latency = on * f->latency;
    to->waiting = on * f->waiting;
    break;
  default:
    break;
  }
}

/* A flow's mechanisms are switched on one after the other: kernels alone take
 * what they take, and with the last one it takes `whole`. */
static void switch_on(gscale__spent *s, const gscale_flow *f,
                      const gscale__chunks *c, double whole, double times)
{
  gscale_flow part = *f;
  double before = 0.0;
  int last = 0;

  for (int m = 0; m < GSCALE_MECHANISM_END; m++) {
    scale_mechanism(&part, f, m, 0.0);
    if (has(f, m)) last = m;
  }
  for (int m = 0; m <= last; m++) {
    scale_mechanism(&part, f, m, 1.0);
    if (!has(f, m)) continue;
    const double now = m == last               ? whole
                       : m == GSCALE_M_COMPUTE ? f->compute
                                               : gscale__flow_length(&part, c);
    s->of[m] += times * (now - before);
    before = now;
  }
}

/* Each is relaxed alone. */
static void relax(gscale__spent *s, const gscale_flow *f,
                  const gscale__chunks *c, double whole, double times)
{
  gscale_flow less = *f;

  for (int m = 0; m < GSCALE_MECHANISM_END; m++) {
    if (!has(f, m)) continue;
    scale_mechanism(&less, f, m, 0.99);
    s->saved[m] += times * (whole - gscale__flow_length(&less, c));
    scale_mechanism(&less, f, m, 1.0);
  }
}

static void spend_flow(gscale__spent *s, const gscale_flow *f, double whole,
                       double times)
{
  gscale__chunks c;

  if (!(times > 0.0)) return;
  if (f->chunk > 0.0) gscale__chunks_of(f, true, &c);
  switch_on(s, f, &c, whole, times);
  relax(s, f, &c, whole, times);
}

/* All copies of a row, or the last of it alone. */
static void spend_copies(gscale__spent *s, const gscale__phase_plan *f,
                         const gscale__stage *l, const double *times)
{
  const gscale__copies_of *c = &l->copies;
  const double wire = gscale__max(c->wire, c->queue);
  const double row = times[is_only(f, l) ? GSCALE__LAST_COPY : GSCALE__COPIES];
  const double last = times[GSCALE__LAST_COPY] - row;

  spend(s, GSCALE_M_BANDWIDTH, row * wire + last * l->last.wire);
  spend(s, GSCALE_M_INITIATION,
        row * (gscale__bulk(c, all_on) - wire) + last * l->last.initiation);
  spend(s, GSCALE_M_LATENCY, last * l->last.latency);
}

/* Returns dT/d(length of the flow). */
static double spend_phase(const gscale_plan *p, const gscale__phase_plan *f,
                          const gscale__stage *l, const double *d,
                          const double *times, double weight, gscale__spent *s)
{
  double t[GSCALE__SLOTS];

  for (int i = 0; i < GSCALE__SLOTS; i++) t[i] = weight * times[i];
  spend_flow(s, &l->flow,
             d[GSCALE__KERNELS] - (l->by_device ? far_time(l) : 0.0),
             t[GSCALE__KERNELS]);
  const double sent = t[l->by_device ? GSCALE__KERNELS : GSCALE__MESSAGES];
  spend(s, l->by_device ? GSCALE_M_ISSUE : GSCALE_M_HOST, sent * l->far.post);
  spend(s, GSCALE_M_LATENCY, sent * l->far.latency);
  spend(s, GSCALE_M_BANDWIDTH, sent * l->far.transfer);
  spend(s, GSCALE_M_SYNC, t[GSCALE__MEETING] * d[GSCALE__MEETING]);
  spend(s, GSCALE_M_HOST, t[GSCALE__BOUNDARY] * call(p, GSCALE_LAUNCH));
  spend(s, GSCALE_M_COMPUTE, t[GSCALE__BOUNDARY] * l->before);
  spend_copies(s, f, l, t);
  spend(s, GSCALE_M_INITIATION,
        t[GSCALE__COLLECTIVE] * l->collective.time.start);
  spend(s, GSCALE_M_LATENCY,
        t[GSCALE__COLLECTIVE] * l->collective.time.latency);
  spend(s, GSCALE_M_BANDWIDTH,
        t[GSCALE__COLLECTIVE] * l->collective.time.transfer);
  spend(s, GSCALE_M_HOST,
        t[GSCALE__LAUNCHES] * d[GSCALE__LAUNCHES] +
            t[GSCALE__COPY_CALLS] * d[GSCALE__COPY_CALLS] +
            t[GSCALE__MORE_CALLS] * d[GSCALE__MORE_CALLS] +
            t[GSCALE__OWN_CALLS] * d[GSCALE__OWN_CALLS]);
  spend(s, GSCALE_M_COMPUTE,
        t[GSCALE__CLEAR] * d[GSCALE__CLEAR] +
            t[GSCALE__NORM] * d[GSCALE__NORM]);
  spend(s, GSCALE_M_INITIATION, t[GSCALE__FETCH] * d[GSCALE__FETCH]);
  spend(s, GSCALE_M_SYNC,
        t[GSCALE__BARRIER] * d[GSCALE__BARRIER] +
            t[GSCALE__BARRIER_LATE] * d[GSCALE__BARRIER_LATE]);
  return t[GSCALE__KERNELS];
}

double gscale__step_repeats(const gscale_plan *p, size_t paradigm, size_t i)
{
  const bool each = gscale__step_span(p, paradigm) == 1 &&
                    p->host.waits == GSCALE_WAITS_PHASE;
  return each ? p->phase[i].repeats : 1.0;
}

/* The plan's is for another GPU's event; for one of its own it costs the host
 * what a record does. */
static double mean_wait(const gscale_plan *p, double far)
{
  const double near = p->cost[GSCALE_COST_ISSUE + (int)GSCALE_RECORD];

  return near + far * (p->cost[GSCALE_COST_ISSUE + (int)GSCALE_WAIT] - near);
}

/* One way for all phases. */
bool gscale__by_device(const gscale_plan *p, const gscale__stage *stage)
{
  for (size_t i = 0; p->nodes > 1 && i < p->phases; i++)
    if (stage[i].by_device) return true;
  return false;
}

/* Of a program's own schedule: what no paradigm puts there. */
static void fill_own(const gscale_plan *p, double *d)
{
  const gscale_program *own = gscale__published_as(p, NULL);

  for (int i = 0; own && i < own->schedule.durations; i++)
    d[i] = gscale__own_work(p, &own->work[i], 0.0, NULL);
}

static void fill_costs(const gscale_plan *p, const gscale__form *f,
                       double *cost)
{
  for (int c = 0; c < GSCALE_COST_END; c++) cost[c] = p->cost[c];
  cost[GSCALE_COST_ISSUE + (int)GSCALE_WAIT] = mean_wait(p, f->far);
}

double gscale__step_piece(const gscale_plan *p, size_t paradigm, size_t i,
                          const gscale__stage *stage, double *cost,
                          double *gradient)
{
  const size_t in = gscale__step_span(p, paradigm);
  const gscale__form *f =
      gscale__form_at(p, paradigm, gscale__by_device(p, stage), i);

  fill_costs(p, f, cost);
  for (size_t k = 0; k < in; k++)
    fill_durations(p, i + k, &stage[i + k],
                   cost + GSCALE_COST_END + k * GSCALE__SLOTS);
  fill_own(p, cost + GSCALE_COST_END + in * GSCALE__SLOTS);
  return period(f, cost, gradient);
}

/* ---- by durations ----------------------------------------------------------
 */

void gscale__step_durations(const gscale_plan *p, const gscale__stage *stage,
                            gscale__durations *out)
{
  for (size_t i = 0; i < p->phases; i++)
    fill_durations(p, i, &stage[i], out->of + i * GSCALE__SLOTS);
}

double gscale__step_lasting(const gscale_plan *p, size_t paradigm,
                            const gscale__stage *stage,
                            const gscale__durations *d,
                            gscale__durations *slope)
{
  double cost[GSCALE__STEP_COSTS], gradient[GSCALE__STEP_COSTS];
  const size_t in = gscale__step_span(p, paradigm), slots = in * GSCALE__SLOTS;
  const bool by_device = gscale__by_device(p, stage);
  double sum = 0.0;

  for (size_t i = 0; i < p->phases; i += in) {
    const gscale__form *f = gscale__form_at(p, paradigm, by_device, i);
    const double weight = gscale__step_repeats(p, paradigm, i);
    const size_t at = i * GSCALE__SLOTS;

    fill_costs(p, f, cost);
    memcpy(cost + GSCALE_COST_END, d->of + at, slots * sizeof *cost);
    memset(gradient, 0, (GSCALE_COST_END + slots) * sizeof *gradient);
    sum += weight * period(f, cost, slope ? gradient : NULL);
    for (size_t k = 0; slope && k < slots; k++)
      slope->of[at + k] = weight * gradient[GSCALE_COST_END + k];
  }
  return sum;
}

bool gscale__step_is_sums(const gscale_plan *p, size_t paradigm)
{
  const gscale__form *f;

  for (size_t i = 0; (f = gscale__form_nth(p, paradigm, i)) != NULL; i++)
    if (f->paths == 0) return false;
  return true;
}

void gscale__step_tangent(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, gscale__tangent *out)
{
  gscale__step_durations(p, stage, &out->at);
  out->time = gscale__step_lasting(p, paradigm, stage, &out->at, &out->slope);
}

double gscale__step_least(const gscale_plan *p, const gscale__tangent *t,
                          const gscale__durations *d)
{
  double sum = t->time;

  for (size_t i = 0; i < p->phases * GSCALE__SLOTS; i++)
    sum += t->slope.of[i] * (d->of[i] - t->at.of[i]);
  return sum;
}

/* ---- again, where little changes ------------------------------------------
 */

_Static_assert((size_t)GSCALE__STEP_COSTS <=
                   (size_t)GSCALE__PHASES_MAX * GSCALE__PHASE_COSTS,
               "a form of all phases, with a program's own work, has room");

/* Where the costs of the piece that begins with phase i are: it has at least
 * that phase. */
static double *costs_at(gscale__held *h, size_t i)
{
  return h->cost + i * GSCALE__PHASE_COSTS;
}

double gscale__step_hold(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__held *out)
{
  const size_t in = gscale__step_span(p, paradigm);
  double sum = 0.0;

  out->by_device = gscale__by_device(p, stage);
  for (size_t i = 0; i < p->phases; i += in) {
    out->period[i] =
        gscale__step_piece(p, paradigm, i, stage, costs_at(out, i), NULL);
    sum += gscale__step_repeats(p, paradigm, i) * out->period[i];
  }
  return sum;
}

static double piece_again(const gscale_plan *p, const gscale__form *f, size_t i,
                          size_t in, const gscale__stage *stage,
                          const double *held, uint64_t phases, uint64_t costs)
{
  double cost[GSCALE__STEP_COSTS];

  memcpy(cost, held, (GSCALE_COST_END + in * GSCALE__SLOTS) * sizeof *cost);
  if (costs != 0) fill_costs(p, f, cost);
  for (size_t k = 0; k < in; k++) {
    double *d = cost + GSCALE_COST_END + k * GSCALE__SLOTS;
    if ((phases & gscale__phase_bit(i + k)) != 0)
      fill_durations(p, i + k, &stage[i + k], d);
    else if ((costs & bits_of_durations()) != 0)
      fill_calls(p, i + k, &stage[i + k], d);
  }
  fill_own(p, cost + GSCALE_COST_END + in * GSCALE__SLOTS);
  return period(f, cost, NULL);
}

static uint64_t bits_between(size_t i, size_t end)
{
  uint64_t bits = 0;

  for (; i < end; i++) bits |= gscale__phase_bit(i);
  return bits;
}

double gscale__step_again(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, gscale__held *h,
                          uint64_t phases, uint64_t costs)
{
  const size_t in = gscale__step_span(p, paradigm);
  const bool by_device = gscale__by_device(p, stage);
  double sum = 0.0;

  if (by_device != h->by_device)
    return gscale__step_time(p, paradigm, stage, NULL);
  for (size_t i = 0; i < p->phases; i += in) {
    const bool same = costs == 0 && (phases & bits_between(i, i + in)) == 0;
    const double t =
        same ? h->period[i]
             : piece_again(p, gscale__form_at(p, paradigm, by_device, i), i, in,
                           stage, costs_at(h, i), phases, costs);
    sum += gscale__step_repeats(p, paradigm, i) * t;
  }
  return sum;
}

/* ---- what it is made of, all of it ----------------------------------------
 */

/* What they are made of, so many of each. */
static void spend_own(const gscale_plan *p, const double *times,
                      gscale__spent *s)
{
  const gscale_program *own = gscale__published_as(p, NULL);

  for (int d = 0; own && d < own->schedule.durations; d++) {
    double of[GSCALE_MECHANISM_END] = {0};

    if (!(times[d] > 0.0)) continue;
    gscale__own_work(p, &own->work[d], times[d], of);
    for (int m = 0; m < GSCALE_MECHANISM_END; m++)
      spend(s, (gscale_mechanism)m, of[m]);
  }
}

/* Adds what so many periods of a piece are made of. */
static void spend_piece(const gscale_plan *p, size_t i, size_t in,
                        const gscale__stage *stage, const double *cost,
                        const double *gradient, double weight, gscale__spent *s)
{
  for (int c = 0; c < GSCALE_COST_END; c++)
    if (gradient[c] > 0.0)
      spend(s, gscale__cost_mechanism(c), weight * gradient[c] * cost[c]);
  for (size_t k = 0; k < in; k++) {
    const size_t at = GSCALE_COST_END + k * GSCALE__SLOTS;
    s->flow[i + k] = spend_phase(p, &p->phase[i + k], &stage[i + k], cost + at,
                                 gradient + at, weight, s);
  }
  spend_own(p, gradient + GSCALE_COST_END + in * GSCALE__SLOTS, s);
}

double gscale__step_time(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__spent *spent)
{
  double cost[GSCALE__STEP_COSTS], gradient[GSCALE__STEP_COSTS];
  const size_t in = gscale__step_span(p, paradigm);
  double sum = 0.0;

  if (spent) {
    memset(spent->of, 0, sizeof spent->of);
    memset(spent->saved, 0, sizeof spent->saved);
  }
  for (size_t i = 0; i < p->phases; i += in) {
    const double weight = gscale__step_repeats(p, paradigm, i);
    sum += weight * gscale__step_piece(p, paradigm, i, stage, cost,
                                       spent ? gradient : NULL);
    if (spent) spend_piece(p, i, in, stage, cost, gradient, weight, spent);
  }
  if (spent) spent->time = sum;
  return sum;
}

/* ---- plans ----------------------------------------------------------------
 */

/* A kernel of that length, which moves nothing. */
static void set_ideal(const gscale_plan *p, size_t i, double compute,
                      gscale__stage *l)
{
  gscale__compute_only(p, &p->phase[i], l);
  l->flow.ready = &gscale_profile_linear;
  l->flow.compute = compute;
  l->length = gscale_flow_time(&l->flow);
}

double gscale__step_infinite(const gscale_plan *p)
{
  gscale__stage stage[GSCALE__PHASES_MAX];

  for (size_t i = 0; i < p->phases; i++)
    set_ideal(p, i, p->phase[i].compute, &stage[i]);
  return gscale__step_time(p, 0, stage, NULL);
}

/* T(x) and its slope, all kernels' work x times what the plan says. */
static double step_at(const gscale_plan *one, double x, double *slope)
{
  gscale__stage stage[GSCALE__PHASES_MAX];
  gscale__spent spent;

  for (size_t i = 0; i < one->phases; i++) {
    const gscale__phase_plan *f = &one->phase[i];
    set_ideal(one, i, x * (f->compute - f->start) + f->start, &stage[i]);
  }
  const double t = gscale__step_time(one, 0, stage, &spent);
  *slope = 0.0;
  for (size_t i = 0; i < one->phases; i++)
    *slope += spent.flow[i] * (one->phase[i].compute - one->phase[i].start);
  return t;
}

gscale_status gscale__step_factor(gscale_plan *one, double single,
                                  const gscale__forms *like, double *factor,
                                  gscale_diag *diag)
{
  const gscale_status st = gscale__step_open(one, 1, like, diag);

  if (st != GSCALE_OK) return st;
  *factor = gscale__solve_factor(one, single, step_at);
  gscale__forms_close(&one->single);
  one->single = one->forms;
  one->forms = (gscale__forms){0};
  return GSCALE_OK;
}

void gscale__step_costs(gscale_plan *p)
{
  const double crowd =
      p->host.processes ? 0.0 : gscale__crowd(p->value, p->near, p->threads);

  gscale__costs(p->value, p->near, p->threads, p->cost);
  for (int k = 0; k < GSCALE_CALL_END; k++)
    p->cost[GSCALE_COST_CROWD + k] *= crowd;
  /* A second wait takes as long whatever the threads (launch_sync2): they do
   * not wait at the same moment. */
  p->cost[GSCALE_COST_CROWD + (int)GSCALE_SYNC_STREAM] = 0.0;
  /* What it takes a kernel to begin is in host.sync, too; a copy that is called
   * for when the kernels have been waited for has none before it. */
  if (p->host.barriers > 1) p->cost[GSCALE_COST_COPY_HOST] = 0.0;
  if (gscale__staged(p))
    p->cost[GSCALE_COST_KERNEL_COPY] = gscale__ask(p, GSCALE_STAGED_LATENCY);
  /* for another GPU's event; forms have others, too */
  p->cost[GSCALE_COST_ISSUE + (int)GSCALE_WAIT] +=
      gscale__costs_behind(p->value, p->near, p->threads).far_wait;
}
