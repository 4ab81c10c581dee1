/* plans.c - plans of a workload on n GPUs of a system, for any paradigm.
 *
 * A plan has the phases (price/plan.c), the factors of a measured step, the
 * schedules of its paradigms, and the times to which others are compared. */

#include "predict/step.h"
#include "price/actions.h"
#include "price/costs.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes --------------------------------------------------------------- */

/* A plan is for the first n paradigms without those with a bit in `left`. */
typedef struct selection {
  size_t n;
  uint64_t left;
} selection;

/* Scratch memory of a plan. */
typedef struct work {
  gscale__earlier was;
  gscale__traffic_room traffic;
} work;

void gscale__step_costs(gscale_plan *p)
{
  const double crowd =
      p->host.processes ? 0.0 : gscale__crowd(p->source, p->near, p->threads);

  gscale__costs(p->source, p->near, p->threads, p->cost);
  for (int k = 0; k < GSCALE_CALL_END; k++)
    p->cost[GSCALE_COST_CROWD + k] *= crowd;
  /* The cost of a second wait is the same for any number of threads
   * (launch_sync2), since threads do not wait at the same moment. */
  if (!gscale__as_written(p))
    p->cost[GSCALE_COST_CROWD + GSCALE_SYNC_STREAM] = 0.0;
  if (gscale__staged(p))
    p->cost[GSCALE_COST_KERNEL_COPY] = gscale__ask(p, GSCALE_STAGED_LATENCY);
  /* forms also have waits for the same GPU */
  p->cost[GSCALE_COST_ISSUE + GSCALE_WAIT] +=
      gscale__far_wait(p->source, p->near, p->threads);
  for (int c = 0; c < GSCALE_COST_END; c++) p->cost[c] *= p->host_by;
}

static void fill_costs(gscale_plan *p)
{
  const uint64_t before = p->source->asking;

  if (before == GSCALE__BY_PLAN) gscale__asking(p, GSCALE__BY_COSTS);
  gscale__step_costs(p);
  gscale__asking(p, before);
}

/* Fills T_infinite and, if its form is open, the time of runs of `infinite`. */
static void time_infinite(gscale_plan *p)
{
  const size_t left_out = gscale_paradigm_count();
  const uint64_t before = gscale__asking(p, GSCALE__BY_INFINITE);

  p->infinite = p->left_out = gscale__step_bound(p, 0);
  if (p->n == p->baseline) gscale__bound_spent(p, p->alone);
  if (gscale__form_opened(p, left_out))
    p->left_out = gscale__step_bound(p, left_out);
  gscale__asking(p, before);
}

/* Returns true if nothing changed on which lists of actions depend: counts of
 * the workload, and the GPUs.  Lists depend on no parameter of the system. */
static bool same_lists(gscale_plan *p, const gscale__earlier *was)
{
  const size_t phases = gscale__machine_of(p->source).phases;
  const uint64_t before = gscale__asking(p, GSCALE__BY_LISTS);

  gscale__read_host(p->source, p->n);
  gscale__read_schedules(p->source);
  for (size_t i = 0; i < phases; i++) gscale__read_phase(p->source, i);
  gscale__asking(p, before);
  return was->plan && (was->changed & GSCALE__BY_LISTS) == 0;
}

/* A measured step of one GPU that does one of `parts` parts of the work. */
typedef struct measured {
  int parts;
  double time; /* s */
} measured;

/* Fills the two measured shares around 1/n, which are equal if 1/n is measured
 * or lies beyond all measured shares. */
static void nearest_shares(const gscale__source *s, int n, measured at[2])
{
  const double single = gscale__read_single(s);
  const gscale_share_of *share;
  const size_t shares = gscale__shares_of(s, &share);

  at[0] = at[1] = (measured){1, single};
  for (size_t i = 0; i < shares && at[1].parts < n; i++) {
    at[0] = at[1];
    at[1] = (measured){share[i].parts, share[i].of_single * single};
  }
  if (at[1].parts <= n) at[0] = at[1];
}

/* Returns the time in s of the rooflines of one part of the work. */
static double roofline_of(gscale_plan *one, int parts)
{
  double sum = 0.0;

  gscale__plan_single(one, parts);
  for (size_t i = 0; i < one->phases; i++)
    sum += one->phase[i].repeats * gscale__roofline(&one->phase[i]);
  return sum;
}

/* Interpolates kernel time linearly between two shares: t = a + b * share. */
static double interpolate_shares(const measured at[2], double whole,
                                 double part, int n)
{
  const double first = 1.0 / at[0].parts, second = 1.0 / at[1].parts;

  return part + (whole - part) * (1.0 / n - second) / (first - second);
}

/* Finds factors on the rooflines, and on all other times, with which a step of
 * one GPU takes the measured time, with launches and waits. */
static gscale_status find_factors(gscale_plan *one, int n,
                                  const gscale__forms *like, bool same,
                                  gscale__traffic_room *room,
                                  gscale__factors *of, gscale_diag *diag)
{
  measured at[2];
  gscale__factors k[2];
  double kernels[2];

  nearest_shares(one->source, n, at);
  gscale__plan_machine(one, 1);
  gscale__step_costs(one);
  gscale_status st = gscale__program_place(one, 1, room, diag);
  const int points = at[1].parts > at[0].parts ? 2 : 1;
  for (int i = 0; st == GSCALE_OK && i < points; i++) {
    kernels[i] = roofline_of(one, at[i].parts);
    st = gscale__step_factor(one, at[i].time, at[i].parts, like, same, &k[i],
                             diag);
    kernels[i] *= k[i].compute;
  }
  if (st != GSCALE_OK) return st;
  const double roof = points > 1 ? roofline_of(one, n) : 0.0;
  *of = k[0];
  if (points > 1) of->host = interpolate_shares(at, k[0].host, k[1].host, n);
  if (roof > 0.0)
    of->compute = interpolate_shares(at, kernels[0], kernels[1], n) / roof;
  return GSCALE_OK;
}

/* Fills a plan and opens the forms of some paradigms.  The plan itself asks for
 * all numbers of the measured step, including costs. */
static gscale_status fill(gscale_plan *p, int n, selection by, work *r,
                          gscale_diag *diag)
{
  const gscale_plan *was = r->was.plan;
  const bool same = same_lists(p, &r->was);
  gscale__factors of = {1.0, 1.0};
  gscale_status st = GSCALE_OK;

  p->host_by = 1.0;
  if (gscale__read_single(p->source) > 0.0)
    st = find_factors(p, n, was ? &was->single : NULL, same, &r->traffic, &of,
                      diag);
  if (st != GSCALE_OK) return st;
  p->host_by = of.host;
  gscale__plan_machine(p, n);
  fill_costs(p);
  st = gscale__program_place(p, n, &r->traffic, diag);
  if (st != GSCALE_OK) return st;
  gscale__plan_phases(p, of.compute, &r->was, &r->traffic);
  return gscale__step_open(p, by.n, by.left, was ? &was->forms : NULL, same,
                           diag);
}

/* ---- construction -------------------------------------------------------- */

/* Returns an empty plan that notes the askers of each number, or fails if no
 * plan of n GPUs exists. */
static gscale_status begin(const gscale_system *s, const gscale_workload *w,
                           int n, gscale_plan **out, gscale_diag *diag)
{
  if (!s || !w)
    return gscale__fail(diag, GSCALE_ENEED,
                        "a plan needs a system and a workload");
  const size_t size =
      offsetof(gscale_plan, phase) + w->phases * sizeof(gscale__phase_plan);
  gscale_plan *p = calloc(1, size);

  if (!p) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  p->source = gscale__source_in(&p->room, s, w);
  p->source->asked = p->by;
  gscale__asking(p, GSCALE__BY_CHECK);
  const gscale_status st = gscale__check_source(p->source, n, diag);
  if (st != GSCALE_OK) {
    free(p);
    return st;
  }
  gscale__asking(p, GSCALE__BY_BASELINE);
  p->baseline = gscale__baseline(p->source);
  *out = p;
  return GSCALE_OK;
}

/* Ends a plan's notes of askers. */
static gscale_status end(gscale_plan *p, gscale_status made, gscale_plan **out)
{
  p->source->asked = NULL;
  if (made == GSCALE_OK)
    *out = p;
  else
    gscale_plan_free(p);
  return made;
}

/* Opens the scratch memory of a plan.  `was` may be NULL. */
static gscale_status open_room(gscale_plan *p, int n,
                               const gscale__earlier *was, work *r,
                               gscale_diag *diag)
{
  const gscale_status st = gscale__program_check(p, n, diag);

  if (st != GSCALE_OK) return st;
  *r = (work){.was = was ? *was : (gscale__earlier){NULL, 0}};
  return gscale__traffic_room_open(&r->traffic, n)
             ? GSCALE_OK
             : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
}

/* Fills the plan of the baseline, for its time only, then that of n GPUs. */
static gscale_status fill_sizes(gscale_plan *p, int n, work *r,
                                gscale_diag *diag)
{
  const selection all = {gscale__paradigm_rows(), 0};
  const bool own = n != p->baseline;

  if (own) {
    gscale__asking(p, GSCALE__BY_BASE);
    const gscale_status st = fill(p, p->baseline, (selection){1, 0}, r, diag);
    if (st != GSCALE_OK) return st;
    time_infinite(p);
    p->infinite_baseline = p->infinite;
    gscale__step_close(p);
  }
  gscale__asking(p, GSCALE__BY_PLAN);
  const gscale_status st = fill(p, n, all, r, diag);
  if (st != GSCALE_OK) return st;
  time_infinite(p);
  if (!own) p->infinite_baseline = p->infinite;
  return GSCALE_OK;
}

static gscale_status check_infinite(const gscale_plan *p, gscale_diag *diag)
{
  const gscale__machine of = gscale__machine_of(p->source);

  if (isfinite(p->infinite) && isfinite(p->infinite_baseline)) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENUMERIC,
                      "%s on %d GPUs of %s: no finite time: the compute or the "
                      "host's calls overflow",
                      of.workload, p->n, of.name);
}

gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag)
{
  gscale_plan *p;
  work r;
  gscale_status st = begin(s, w, n, &p, diag);

  if (st != GSCALE_OK) return st;
  st = open_room(p, n, NULL, &r, diag);
  if (st != GSCALE_OK) return end(p, st, out);
  st = fill_sizes(p, n, &r, diag);
  gscale__traffic_room_close(&r.traffic);
  if (st == GSCALE_OK) st = check_infinite(p, diag);
  p->held = gscale__program_hold(p->own);
  return end(p, st, out);
}

/* Fills a plan of n GPUs for its times in some paradigms.  Numbers of other
 * paradigms are not read. */
static gscale_status fill_like(gscale_plan *p, int n, selection by,
                               const gscale__earlier *was, gscale_diag *diag)
{
  work r;
  gscale_status st = open_room(p, n, was, &r, diag);

  if (st != GSCALE_OK) return st;
  gscale__asking(p, GSCALE__BY_PLAN);
  st = fill(p, n, by, &r, diag);
  gscale__traffic_room_close(&r.traffic);
  return st;
}

gscale_status gscale__plan_moved(const gscale_plan *plan, uint64_t changed,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out)
{
  const gscale__earlier was = {plan, changed};
  gscale_plan *p;
  gscale_status st = begin(s, w, plan->n, &p, NULL);

  if (st != GSCALE_OK) return st;
  p->baseline = plan->baseline;
  st = fill_like(p, plan->n, (selection){gscale__paradigm_rows(), 0}, &was,
                 NULL);
  p->infinite_baseline = plan->infinite_baseline;
  memcpy(p->alone, plan->alone, sizeof p->alone);
  p->infinite = plan->infinite;
  p->left_out = plan->left_out;
  return end(p, st, out);
}

/* ---- baselines ----------------------------------------------------------- */

void gscale__based_free(gscale__based *b)
{
  gscale_plan_free(b->plan);
  gscale_plan_free(b->base);
  *b = (gscale__based){NULL, NULL};
}

/* Returns a plan of n GPUs for its times in some paradigms. */
static gscale_status plan_like(const gscale_system *s, const gscale_workload *w,
                               int n, selection by, const gscale__earlier *was,
                               gscale_plan **out, gscale_diag *diag)
{
  gscale_plan *p;
  gscale_status st = begin(s, w, n, &p, diag);

  if (st != GSCALE_OK) return st;
  st = fill_like(p, n, by, was, diag);
  if (st == GSCALE_OK) time_infinite(p);
  return end(p, st, out);
}

gscale_status gscale__based_new(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale__based *out, gscale_diag *diag)
{
  gscale__based b = {NULL, NULL};
  gscale_status st = gscale_plan_new(s, w, n, &b.plan, diag);

  if (st == GSCALE_OK && b.plan->baseline != n)
    st = plan_like(s, w, b.plan->baseline, (selection){1, 0}, NULL, &b.base,
                   diag);
  if (st == GSCALE_OK)
    *out = b;
  else
    gscale__based_free(&b);
  return st;
}

static gscale_status take_baseline(gscale__based *b, gscale_diag *diag)
{
  b->plan->infinite_baseline = b->base ? b->base->infinite : b->plan->infinite;
  if (b->base) memcpy(b->plan->alone, b->base->alone, sizeof b->plan->alone);
  return check_infinite(b->plan, diag);
}

static gscale__earlier earlier_of(const gscale_plan *p, const gscale_system *s)
{
  return (gscale__earlier){p, p ? gscale__changed(p->source, p->by, s) : 0};
}

/* Returns the earlier plan with changes of both system and workload. */
static gscale__earlier earlier_with(const gscale_plan *p,
                                    const gscale_system *s_was,
                                    const gscale_system *s,
                                    const gscale_workload *w_was,
                                    const gscale_workload *w)
{
  gscale__earlier e = earlier_of(p, s);

  if (p && (w != w_was || s != s_was))
    e.changed |= gscale__changed_else(p->by, s_was, w_was, s, w);
  return e;
}

gscale_status gscale__based_again(const gscale__based *was,
                                  const gscale_system *s_was,
                                  const gscale_system *s,
                                  const gscale_workload *w_was,
                                  const gscale_workload *w, uint64_t left,
                                  gscale__based *out, gscale_diag *diag)
{
  const int n = was->plan->n, baseline = was->plan->baseline;
  const gscale__earlier plan = earlier_with(was->plan, s_was, s, w_was, w),
                        base = earlier_with(was->base, s_was, s, w_was, w);
  const gscale__earlier lists = {was->base ? was->base : was->plan,
                                 ~(uint64_t)0};
  gscale__based b = {NULL, NULL};
  gscale_status st;

  st = plan_like(s, w, n, (selection){gscale__paradigm_rows(), left}, &plan,
                 &b.plan, diag);
  if (st == GSCALE_OK && b.plan->baseline != n)
    st =
        plan_like(s, w, b.plan->baseline, (selection){1, 0},
                  b.plan->baseline == baseline ? &base : &lists, &b.base, diag);
  if (st == GSCALE_OK) st = take_baseline(&b, diag);
  if (st == GSCALE_OK)
    *out = b;
  else
    gscale__based_free(&b);
  return st;
}

void gscale__based_lend(gscale__based *to, gscale__based *from)
{
  gscale__forms_lend(&to->plan->forms, &from->plan->forms);
  gscale__forms_lend(&to->plan->single, &from->plan->single);
  if (from->base)
    gscale__forms_lend(to->base ? &to->base->forms : &to->plan->forms,
                       &from->base->forms);
  if (from->base)
    gscale__forms_lend(to->base ? &to->base->single : &to->plan->single,
                       &from->base->single);
}

void gscale_plan_free(gscale_plan *p)
{
  if (!p) return;
  gscale__program_close(p);
  gscale__step_close(p);
  gscale__program_drop(p->held);
  free(p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
