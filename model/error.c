/* error.c - standard error and applicability of a prediction. */

#include "internal.h"
#include "object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const applicabilities[GSCALE_APPLICABILITY_END] = {
    [GSCALE_INSIDE] = "inside",
    [GSCALE_INTERPOLATED] = "interpolated",
    [GSCALE_EXTRAPOLATED] = "extrapolated",
    [GSCALE_BY_ASSUMPTION] = "assumed",
};

const char *gscale_applicability_name(gscale_applicability a)
{
  return a < GSCALE_APPLICABILITY_END ? applicabilities[a] : NULL;
}

/* An assumed number that moves the time by more than this share of its own
 * relative change makes the whole prediction one by assumption. */
static const double MATTERS = 0.1;

/* What is held fixed while one number is moved. */
typedef struct base {
  gscale_plan *plan;
  const gscale_workload *w;
  int n;
  size_t paradigm;
  const gscale_knobs *k;
  double time;
  bool *no_memory; /* for some plan; no error is known then */
} base;

/* The time on system s for workload w; NaN if it cannot be predicted. */
static double time_on(const base *b, const gscale_system *s,
                      const gscale_workload *w)
{
  gscale_plan *p = NULL;
  const gscale_status st = gscale_plan_new(s, w, b->n, &p, NULL);

  *b->no_memory = *b->no_memory || st == GSCALE_ENOMEM;
  if (st != GSCALE_OK) return (double)NAN;
  const double t = gscale_predict_time(p, b->paradigm, b->k);
  gscale_plan_free(p);
  return t;
}

/* The time if parameter id had this value. */
static double time_at(const base *b, gscale_system *s, size_t id, double value)
{
  const double was = s->param[id].val;
  double t;

  if (gscale__plan_uses((gscale_param_id)id)) {
    s->param[id].val = value;
    t = time_on(b, s, b->w);
    s->param[id].val = was;
  } else {
    b->plan->p[id] = value;
    t = gscale_predict_time(b->plan, b->paradigm, b->k);
    b->plan->p[id] = was;
  }
  return t;
}

/* Change of the time when parameter id moves by `step`: towards its domain's
 * inside if it would leave it. */
static double change(const base *b, gscale_system *s, size_t id, double step)
{
  const double value = s->param[id].val;
  const bool back = value + step > gscale_param_info_at(id)->most;
  const double d =
      time_at(b, s, id, back ? value - step : value + step) - b->time;

  return back ? -d : d;
}

static gscale_sensitivity sensitivity(const base *b, gscale_system *s,
                                      size_t id)
{
  const gscale_param *p = &s->param[id];
  gscale_sensitivity out = {0.0, 0.0};

  if (!(fabs(p->val) > 0.0) || !isfinite(p->val)) {
    if (p->err > 0.0) out.err = fabs(change(b, s, id, p->err));
    return out;
  }
  out.elasticity = change(b, s, id, 0.01 * p->val) / b->time / 0.01;
  if (p->err > 0.0) out.err = fabs(change(b, s, id, p->err));
  return out;
}

/* The measured single-GPU time is a parameter of the workload. */
static double error_of_single(const base *b, const gscale_system *s)
{
  if (!(b->w->single.val > 0.0) || !(b->w->single.err > 0.0)) return 0.0;

  gscale_workload moved = *b->w;
  moved.single.val += moved.single.err;
  return fabs(time_on(b, s, &moved) - b->time);
}

/* T_infinite is T times the opportunity, to rounding. */
static double own_scale(const gscale_prediction *p)
{
  return gscale_discrepancy_scale(p->time, p->time * fmin(1.0, p->opportunity));
}

static void leave(gscale_error *e, gscale_applicability a, const char *why)
{
  if (e->applicability >= a) return;
  e->applicability = a;
  gscale__copy_text(e->reason, sizeof e->reason, why);
}

static void check_sizes(const gscale_system *s, const gscale_plan *p,
                        size_t paradigm, gscale_error *e)
{
  char why[128];

  if (s->calibrated > 0 && p->n > s->calibrated) {
    snprintf(why, sizeof why, "%d GPUs, %d were measured", p->n, s->calibrated);
    leave(e, GSCALE_EXTRAPOLATED, why);
  }
  if (p->beyond) leave(e, GSCALE_EXTRAPOLATED, "more GPUs than built");
  if (s->membw.n > 0 && (p->largest_footprint > s->membw.x[s->membw.n - 1] ||
                         p->smallest_footprint < s->membw.x[0])) {
    snprintf(why, sizeof why, "footprint of %.3g .. %.3g MB",
             p->smallest_footprint / 1e6, p->largest_footprint / 1e6);
    leave(e, GSCALE_EXTRAPOLATED, why);
  }
  const char *name = gscale_paradigm_at(paradigm)->name;
  for (size_t i = 0; strncmp(name, "memcpy", 6) == 0 && i < p->phases; i++) {
    const double copy = p->phase[i].copy;
    if (copy > 0.0 && (copy < s->copy_least || copy > s->copy_most)) {
      snprintf(why, sizeof why, "copies of %.3g B", copy);
      leave(e, GSCALE_EXTRAPOLATED, why);
    }
  }
}

static void check_assumptions(const gscale_system *s, gscale_error *e)
{
  double strongest = MATTERS;

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const double strength = fabs(e->of[id].elasticity);
    if (s->param[id].origin != GSCALE_ASSUMED || !(strength > strongest))
      continue;
    strongest = strength;
    e->applicability = GSCALE_BY_ASSUMPTION;
    gscale__copy_text(e->reason, sizeof e->reason,
                      gscale_param_info_at(id)->name);
  }
}

gscale_status gscale_predict_error(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   size_t paradigm, const gscale_knobs *k,
                                   gscale_error *out, gscale_diag *diag)
{
  gscale_plan *p = NULL;
  gscale_prediction now;
  gscale_error e = {.applicability = GSCALE_INSIDE};

  gscale_status st = gscale_plan_new(s, w, n, &p, diag);
  if (st != GSCALE_OK) return st;
  st = gscale_predict(p, paradigm, k, &now, diag);
  if (st != GSCALE_OK) {
    gscale_plan_free(p);
    return st;
  }

  bool no_memory = false;
  const base b = {p, w, n, paradigm, &now.knobs, now.time, &no_memory};
  gscale_system moved = *s;
  double sum = 0.0;
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    if (gscale__of_timelines((gscale_param_id)id)) continue;
    e.of[id] = sensitivity(&b, &moved, id);
    sum += e.of[id].err * e.of[id].err;
  }
  e.of_single = error_of_single(&b, s);
  e.of_parameters = sqrt(sum + e.of_single * e.of_single);
  e.model = gscale_system_pool(s, w->name, paradigm);
  if (n > 1) e.of_model = e.model.sigma * own_scale(&now);
  e.time = hypot(e.of_parameters, e.of_model);
  check_sizes(s, p, paradigm, &e);
  check_assumptions(s, &e);

  gscale_plan_free(p);
  if (no_memory)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the error");
  if (!isfinite(e.time))
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "%s on %d GPUs: no finite error of the time",
                        gscale_paradigm_at(paradigm)->name, n);
  *out = e;
  return GSCALE_OK;
}
