/* t_crossing.c - where functions pass 0, against looking everywhere. */

#include "cases.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_test.h>
#include <pthread.h>

static double parabola(double x, void *closure)
{
  (void)closure;
  return (x - 2.0) * (x - 5.0);
}

static double step(double x, void *closure)
{
  return x < *(double *)closure ? -1.0 : 1.0;
}

static double above(double x, void *closure)
{
  return x - *(double *)closure;
}

static double gap(double x, void *closure)
{
  (void)closure;
  return x < 3.0 ? -1.0 : x < 4.0 ? (double)NAN : 1.0;
}

static void by_hand(void)
{
  const gscale_axis even = {.from = 1, .to = 10, .steps = 10};
  const gscale_axis whole = {.from = 1, .to = 1000, .whole = true, .steps = 5};
  gscale_crossing c[4];
  double place = 123.4;
  size_t n;
  bool first;

  gscale_crossings(parabola, NULL, &even, c, 4, &n, &first);
  gsl_test(n != 2 || !first, "a parabola passes twice, from above");
  gsl_test_rel(c[0].x, 2.0, 1e-9, "first");
  gsl_test_rel(c[1].x, 5.0, 1e-9, "second");
  gsl_test(c[0].rising || !c[1].rising, "down and up");
  gscale_crossings(step, &place, &whole, c, 4, &n, &first);
  gsl_test(n != 1 || first, "a step passes once");
  gsl_test_abs(c[0].x, 124.0, 0.0, "at the first whole number behind it");
  place = 124.0;
  gscale_crossings(above, &place, &whole, c, 4, &n, &first);
  gsl_test(n != 1 || first, "a line passes once");
  gsl_test_abs(c[0].x, 124.0, 0.0, "at 0 itself it has reached the target");
  place = 123.4;
  gscale_crossings(step, &place, &even, c, 4, &n, &first);
  gsl_test(n != 0 || first, "beyond the axis there is none");
  gscale_crossings(gap, NULL, &even, c, 4, &n, &first);
  gsl_test(n != 0, "nor over a gap without values");
}

/* ---- questions about predictions ----------------------------------------- */

typedef struct question {
  gscale_system *s;
  const gscale_workload *w;
  int n;
  gscale_param_id id;
  size_t paradigm;
  double target; /* s */
} question;

static double excess(double x, void *closure)
{
  const question *q = closure;
  const gscale_param to = {.val = x, .origin = GSCALE_ASSUMED};
  const gscale_knobs k = {.v = {65536, 1024}};
  gscale_plan *plan;

  if (gscale_system_set(q->s, q->id, &to, NULL) != GSCALE_OK ||
      gscale_plan_new(q->s, q->w, q->n, &plan, NULL) != GSCALE_OK)
    return (double)NAN;
  const double time = gscale_predict_time(plan, q->paradigm, &k);
  gscale_plan_free(plan);
  return q->target / time - 1.0;
}

static struct {
  int asked, none, wrong, off;
} tally;

/* Times fall with a rate: where is the target, if anywhere?  By halving 60
 * times, knowing no more than that. */
static void ask(const question *q, const gscale_axis *a)
{
  const double low = excess(a->from, (void *)q),
               high = excess(a->to, (void *)q);
  gscale_crossing c[8];
  double from = a->from, to = a->to;
  size_t n;
  bool first;

  if (isnan(low) || isnan(high)) return;
  tally.asked++;
  gscale_crossings(excess, (void *)q, a, c, 8, &n, &first);
  if ((low >= 0) == (high >= 0)) {
    tally.none++;
    tally.wrong += n != 0;
    return;
  }
  for (int i = 0; i < 60; i++) {
    const double x = sqrt(from * to);
    *(excess(x, (void *)q) >= 0 ? &to : &from) = x;
  }
  tally.wrong += n != 1;
  /* where a time hardly falls, the target is reached in many places */
  tally.off += n == 1 && fabs(c[0].x / to - 1) > 1e-6 &&
               fabs(excess(c[0].x, (void *)q)) > 1e-12;
}

static void as_everywhere(uint64_t seed)
{
  static const char *const rates[] = {"link.rate", "copy.efficiency",
                                      "device.membw", "store.rate"};
  rng r = {seed};
  gscale_system *s = random_system(&r);
  gscale_workload *w = random_workload(&r);
  question q = {.s = s, .w = w, .id = gscale_param_find(rates[pick(&r, 4)])};
  const double now = gscale_system_get(s, q.id)->val;
  const double most = gscale_param_info_at(q.id)->most;
  const gscale_axis a = {
      .from = now / 50, .to = fmin(now * 50, most), .log = true, .steps = 33};
  static const char *const ways[] = {"memcpy", "inline", "rdl", "broadcast"};

  q.paradigm = gscale_paradigm_find(ways[pick(&r, 4)]);
  if (now > 0) {
    q.n = 2 + pick(&r, 7);
    q.target = 1.0;
    q.target = uniform(&r, 0.7, 1.5) / (excess(now, &q) + 1.0);
    if (q.target > 0) ask(&q, &a);
  }
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* ---- the handler of the process ------------------------------------------ */

static void mine(const char *reason, const char *file, int line, int error)
{
  gsl_test(1, "%s:%d: %s, %d", file, line, reason, error);
}

/* Places of jumps and roots, and of what is infinite on one side. */
static double steep(double x, void *closure)
{
  const double y = x - *(double *)closure;

  return y > 0.1 ? INFINITY : y;
}

static void *seek(void *unused)
{
  const gscale_axis a = {.from = 1, .to = 9, .steps = 3};
  gscale_crossing c[4];
  double place = 3.3;
  size_t n;
  bool first;

  for (int i = 0; i < 5000; i++)
    gscale_crossings(i % 2 ? above : steep, &place, &a, c, 4, &n, &first);
  return unused;
}

/* It is set before all else, and still there behind it. */
static void handler_stays(void)
{
  pthread_t thread[2];

  for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, seek, NULL);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  gsl_test(gsl_set_error_handler(mine) != mine,
           "GSL's handler is the caller's");
}

int main(void)
{
  const int draws = cases(100, 1500);

  gsl_set_error_handler(mine);
  by_hand();
  for (int i = 0; i < draws; i++) as_everywhere((uint64_t)i + 1);
  handler_stays();
  gsl_test(tally.asked < draws / 3 || tally.none < draws / 20,
           "%d questions, %d without an answer", tally.asked, tally.none);
  gsl_test(tally.wrong > 0, "%d have another number of answers", tally.wrong);
  gsl_test(tally.off > 0, "%d are further than 1e-6 off", tally.off);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
