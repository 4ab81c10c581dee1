/* plans.c - plans: what a step of a workload is on n GPUs of a system, whatever
 * the paradigm (price/plan.c), the factor of a measured step, the schedules
 * that paradigms need of it, and the times that all others are compared with.
 */

#include "describe/program.h"
#include "ground/ground.h"
#include "predict/prepare.h"
#include "predict/step.h"
#include "price/traffic.h"

#include <math.h>
#include <stdlib.h>

/* ---- of so many GPUs ---------------------------------------------------- */

/* What a plan is made in. */
typedef struct room {
  gscale__before was;
  gscale__traffic_room traffic;
} room;

static void place_machine(gscale_plan *p, const gscale_system *s,
                          const gscale_workload *w, int n)
{
  gscale__plan_machine(p, s, w, n);
  gscale__step_costs(p);
}

static double infinite_time(const gscale_plan *p)
{
  return p->program ? gscale__program_infinite(p) : gscale__step_infinite(p);
}

/* Factor on the rooflines so that the step of one GPU, with its launches and
 * waits, takes the measured time. */
static gscale_status measured_factor(const gscale_system *s,
                                     const gscale_workload *w,
                                     const gscale__forms *like,
                                     gscale_plan *one, double *factor,
                                     gscale_diag *diag)
{
  *factor = 1.0;
  if (!(w->single.val > 0.0)) return GSCALE_OK;
  gscale__plan_single(one, s, w);
  if (one->program) {
    *factor = gscale__program_factor(one, w->single.val);
    return GSCALE_OK;
  }
  return gscale__step_factor(one, w->single.val, like, factor, diag);
}

/* Opens the forms of so many paradigms. */
static gscale_status fill(gscale_plan *p, const gscale_system *s,
                          const gscale_workload *w, int n, size_t paradigms,
                          room *r, gscale_diag *diag)
{
  double factor = 1.0;

  place_machine(p, s, w, 1);
  if (w->single.val > 0.0) gscale__program_place(p, s, w, 1, &r->traffic);
  const gscale_status st = measured_factor(
      s, w, r->was.plan ? &r->was.plan->single : NULL, p, &factor, diag);
  if (st != GSCALE_OK) return st;

  place_machine(p, s, w, n);
  gscale__program_place(p, s, w, n, &r->traffic);
  gscale__plan_phases(p, s, w, n, factor, &r->was, &r->traffic);
  if (p->program) return GSCALE_OK;
  return gscale__step_open(p, paradigms,
                           r->was.plan ? &r->was.plan->forms : NULL, diag);
}

/* ---- and of its baseline ------------------------------------------------- */

static gscale_status fill_sizes(gscale_plan *p, const gscale_system *s,
                                const gscale_workload *w, int n, room *r,
                                gscale_diag *diag)
{
  const size_t all = gscale_paradigm_count();
  const bool own = n != p->baseline;
  gscale_status st = fill(p, s, w, p->baseline, own ? 1 : all, r, diag);

  if (st != GSCALE_OK) return st;
  p->infinite = p->infinite_baseline = infinite_time(p);
  if (!own) return GSCALE_OK;
  gscale__step_close(p);
  st = fill(p, s, w, n, all, r, diag);
  if (st == GSCALE_OK) p->infinite = infinite_time(p);
  return st;
}

/* The plan of the baseline, for its time alone, then that of n GPUs. */
static gscale_status fill_both(gscale_plan *p, const gscale_system *s,
                               const gscale_workload *w, int n,
                               gscale_diag *diag)
{
  gscale_status st = gscale__program_open(p, w, n, diag);
  room r = {0};

  if (st != GSCALE_OK) return st;
  if (!gscale__traffic_room_open(&r.traffic, n))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  st = fill_sizes(p, s, w, n, &r, diag);
  gscale__traffic_room_close(&r.traffic);
  return st;
}

/* That of so many GPUs, most of whose ways are known. */
static gscale_status fill_like(gscale_plan *p, const gscale_system *s,
                               const gscale_workload *w, int n,
                               size_t paradigms, const gscale__before *was,
                               gscale_diag *diag)
{
  gscale_status st = gscale__program_open(p, w, n, diag);
  room r = {.was = *was};

  if (st != GSCALE_OK) return st;
  if (!gscale__traffic_room_open(&r.traffic, n))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  st = fill(p, s, w, n, paradigms, &r, diag);
  gscale__traffic_room_close(&r.traffic);
  return st;
}

/* The same, whose times of infinite are kept. */
static gscale_status fill_again(gscale_plan *p, const gscale_system *s,
                                const gscale_workload *w,
                                const gscale__before *was)
{
  const gscale_status st =
      fill_like(p, s, w, was->plan->n, gscale_paradigm_count(), was, NULL);

  if (st == GSCALE_OK) {
    p->infinite_baseline = was->plan->infinite_baseline;
    p->infinite = was->plan->infinite;
  }
  return st;
}

static gscale_status check_infinite(const gscale_plan *p,
                                    const gscale_system *s,
                                    const gscale_workload *w, gscale_diag *diag)
{
  if (isfinite(p->infinite) && isfinite(p->infinite_baseline)) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENUMERIC,
                      "%s on %d GPUs of %s: no finite time: the compute or the "
                      "host's calls overflow",
                      w->name, p->n, s->name);
}

gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag)
{
  const gscale_status st = gscale_plan_check(s, w, n, diag);
  if (st != GSCALE_OK) return st;

  gscale_plan *p = calloc(1, gscale__plan_size(w->phases));
  if (!p) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");

  p->baseline = gscale__baseline_of(s, w);
  gscale_status made = fill_both(p, s, w, n, diag);
  if (made == GSCALE_OK) made = check_infinite(p, s, w, diag);
  if (made == GSCALE_OK)
    *out = p;
  else
    gscale_plan_free(p);
  return made;
}

gscale_status gscale__plan_moved(const gscale_plan *plan,
                                 const gscale_system *s_was,
                                 const gscale_workload *w_was,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out)
{
  const gscale__before was = {plan, s_was, w_was};
  const gscale_status st = gscale_plan_check(s, w, plan->n, NULL);
  if (st != GSCALE_OK) return st;

  gscale_plan *p = calloc(1, gscale__plan_size(w->phases));
  if (!p) return GSCALE_ENOMEM;

  p->baseline = plan->baseline;
  const gscale_status made = fill_again(p, s, w, &was);
  if (made == GSCALE_OK)
    *out = p;
  else
    gscale_plan_free(p);
  return made;
}

/* ---- with its baseline, again --------------------------------------------
 */

void gscale__based_free(gscale__based *b)
{
  gscale_plan_free(b->plan);
  gscale_plan_free(b->base);
  *b = (gscale__based){NULL, NULL};
}

/* A plan of so many GPUs for its times by the first `paradigms`. */
static gscale_status plan_like(const gscale_system *s, const gscale_workload *w,
                               int n, size_t paradigms,
                               const gscale__before *was, gscale_plan **out,
                               gscale_diag *diag)
{
  gscale_plan *p = calloc(1, gscale__plan_size(w->phases));
  if (!p) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");

  p->baseline = n; /* what it is of others' is not asked for */
  const gscale_status st = fill_like(p, s, w, n, paradigms, was, diag);
  if (st == GSCALE_OK)
    *out = p;
  else
    gscale_plan_free(p);
  return st;
}

gscale_status gscale__based_new(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale__based *out, gscale_diag *diag)
{
  const gscale__before nothing = {NULL, NULL, NULL};
  gscale__based b = {NULL, NULL};
  gscale_status st = gscale_plan_new(s, w, n, &b.plan, diag);

  if (st == GSCALE_OK && b.plan->baseline != n && !b.plan->program)
    st = plan_like(s, w, b.plan->baseline, 1, &nothing, &b.base, diag);
  if (st == GSCALE_OK)
    *out = b;
  else
    gscale__based_free(&b);
  return st;
}

static gscale_status fill_infinite(gscale__based *b, const gscale_system *s,
                                   const gscale_workload *w, gscale_diag *diag)
{
  b->plan->infinite = infinite_time(b->plan);
  b->plan->infinite_baseline =
      b->base ? infinite_time(b->base) : b->plan->infinite;
  return check_infinite(b->plan, s, w, diag);
}

gscale_status gscale__based_again(const gscale__based *was,
                                  const gscale_system *s_was,
                                  const gscale_system *s,
                                  const gscale_workload *w, gscale__based *out,
                                  gscale_diag *diag)
{
  const int n = was->plan->n, baseline = was->plan->baseline;
  const gscale__before plan = {was->plan, s_was, w},
                       base = {was->base, s_was, w};
  gscale__based b = {NULL, NULL};
  gscale_status st = gscale_plan_check(s, w, n, diag);

  if (st != GSCALE_OK) return st;
  if (was->plan->program || gscale__baseline_of(s, w) != baseline)
    return gscale__based_new(s, w, n, out, diag);
  st = plan_like(s, w, n, gscale_paradigm_count(), &plan, &b.plan, diag);
  if (st == GSCALE_OK && was->base)
    st = plan_like(s, w, baseline, 1, &base, &b.base, diag);
  if (st == GSCALE_OK) {
    b.plan->baseline = baseline;
    st = fill_infinite(&b, s, w, diag);
  }
  if (st == GSCALE_OK)
    *out = b;
  else
    gscale__based_free(&b);
  return st;
}

static void take_costs(gscale_plan *p, const gscale_system *s)
{
  gscale__plan_values(p, s);
  gscale__step_costs(p);
}

gscale_status gscale__based_costs(gscale__based *b, const gscale_system *s,
                                  const gscale_workload *w, gscale_diag *diag)
{
  take_costs(b->plan, s);
  if (b->base) take_costs(b->base, s);
  return fill_infinite(b, s, w, diag);
}

void gscale_plan_free(gscale_plan *p)
{
  if (!p) return;
  gscale__program_close(p);
  gscale__step_close(p);
  free(p);
}
