/* host.c - costs of a host's calls and waits. */

#include "recipe.h"

#include <math.h>

/* Returns the standard error of c1 / c0. */
static double ratio_err(const gscale_fit *f)
{
  const double r = f->value[1] / f->value[0];
  return hypot(f->err[1] / f->value[0], r * f->err[0] / f->value[0]);
}

static double most_threads(bench_run *b, const wanted *w)
{
  double most = 0.0;

  EACH_ROW (b, w, r) most = fmax(most, r->threads);
  return most;
}

/* Adds rows with a thread per GPU.  Returns true if any has several threads. */
static bool add_threads(bench_run *b, const char *bench)
{
  const wanted w = {.bench = bench};
  bool several = false;

  EACH_ROW (b, &w, r) {
    if (r->gpus > 0 && r->threads > r->gpus) continue;
    several = several || r->threads > 1.0;
    gscale__add_item(b, r, (double[]){1.0, r->threads - 1.0});
  }
  return several;
}

/* Fits the time per call: cost + cost * crowd * (threads - 1).  Two numbers of
 * threads identify both terms only with the other bench of the call.  If there
 * is no other bench, the base's crowd and the rows with most threads give the
 * cost. */
static void calls(bench_run *b, const char *bench, const char *other,
                  const char *both, gscale_param_id cost, gscale_param_id crowd)
{
  const wanted w = {.bench = bench};
  const char *benches = bench;

  gscale__begin(b, 2);
  bool several = add_threads(b, bench);
  if (b->p.n > 0 && b->p.n < 3) {
    several = add_threads(b, other) || several;
    benches = both;
  }
  if (!several || b->p.n < 3) {
    const double most = most_threads(b, &w);
    const double others = fmax(0.0, most - 1.0);
    several = false;
    benches = bench;
    gscale__begin(b, 1);
    gscale__add_items(b, (wanted){.bench = bench, .threads_least = most},
                      1.0 / (1.0 + gscale__value(b, crowd) * others));
  }
  if (!gscale__solve(b, cost, benches)) {
    gscale__copy_note(b, crowd, cost);
    return;
  }
  gscale__conclude_term(b, cost, 0);
  if (several && b->fit.value[0] > 0.0)
    gscale__conclude(b, crowd, b->fit.value[1] / b->fit.value[0],
                     ratio_err(&b->fit), benches);
}

/* Fits events.  Records and waits cost the same, within their scatter. */
static void host_event(bench_run *b)
{
  const char *benches = "issue_event, issue_wait";

  gscale__begin(b, 1);
  gscale__add_items(b, (wanted){.bench = "issue_event"}, 1.0);
  gscale__add_items(b, (wanted){.bench = "issue_wait"}, 1.0);
  gscale__solve_term(b, GSCALE_HOST_EVENT, 0, benches);
}

/* Fits the time to launch and synchronise a kernel: launch + kernel + sync.
 * Consecutive launches give the kernel's time. */
static void host_sync(bench_run *b)
{
  const char *benches = "membw_sync, membw";
  const wanted w = {.bench = "membw_sync"};
  const double launch = gscale__value(b, GSCALE_HOST_LAUNCH);

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) {
    const wanted same = {
        .bench = "membw", .size_least = r->size, .size_most = r->size};
    const double kernel = gscale__item_time(b, same);
    gscale__add_point(b, r, r->time / r->count - kernel - launch, 0.1e-6, NULL);
  }
  gscale__solve_term(b, GSCALE_HOST_SYNC, 0, benches);
}

/* Fits a wait for an idle stream.  If there are no such rows, the estimate is
 * the time of an empty kernel in each of two streams and a wait for both, less
 * the time of one stream and less the second launch.  The estimate may be 0,
 * because the second kernel runs during the first wait. */
static void host_sync_more(bench_run *b)
{
  const wanted idle = {
      .bench = "call_idle", .threads_least = 1, .threads_most = 1};
  const double alone = gscale__item_time(b, idle);

  if (!isnan(alone)) {
    gscale__conclude_unfitted(b, GSCALE_HOST_SYNC_MORE, 1, alone,
                              GSCALE__FLOOR * alone, idle.bench);
    return;
  }
  const char *benches = "launch_sync2, launch_sync";
  const wanted one = {.bench = "launch_sync", .threads_most = 1};
  const wanted two = {.bench = "launch_sync2", .threads_most = 1};
  const double apart = gscale__item_time(b, one),
               both = gscale__item_time(b, two);
  const double launch = gscale__value(b, GSCALE_HOST_LAUNCH);
  const double more = both - apart - launch;

  gscale__conclude_unfitted(
      b, GSCALE_HOST_SYNC_MORE, 2, isnan(more) ? more : fmax(0.0, more),
      hypot(gscale_system_get(b->s, GSCALE_HOST_LAUNCH)->err,
            GSCALE__FLOOR * both),
      benches);
}

/* Returns the slowdown of launches by another thread if these rows identify it,
 * or 0.  The slowdown then counts as part of the barrier. */
static double slower_launches(const bench_run *b)
{
  return b->out->of[GSCALE_HOST_LAUNCH_CONTENTION].fitted
             ? gscale__value(b, GSCALE_HOST_LAUNCH) *
                   gscale__value(b, GSCALE_HOST_LAUNCH_CONTENTION)
             : 0.0;
}

/* Returns the time of a barrier without other work; 0: not measured. */
static double bare_barrier(bench_run *b, const gscale_measurement *r)
{
  const double bare =
      gscale__item_time(b, (wanted){.bench = "barrier",
                                    .threads_least = r->threads,
                                    .threads_most = r->threads});
  return isnan(bare) ? 0.0 : bare;
}

/* Fits a round trip with a barrier, less that of one thread and the slower
 * launches: barrier + more * (threads - 2).  Launches between waits contend
 * less than consecutive ones, so that a bare barrier is the lower limit. */
static void host_barrier(bench_run *b)
{
  const char *bench = "launch_sync_barrier";
  const wanted w = {.bench = bench, .threads_least = 2};
  const double alone = gscale__item_time(
      b,
      (wanted){.bench = "launch_sync", .threads_least = 1, .threads_most = 1});
  const double crowd = slower_launches(b);
  const double drift = hypot(GSCALE__FLOOR * alone,
                             gscale_system_get(b->s, GSCALE_HOST_LAUNCH)->err);

  const bool several = most_threads(b, &w) > 2.0;

  gscale__begin(b, several ? 2 : 1); /* a constant for two threads */
  EACH_ROW (b, &w, r) {
    const double x[] = {1.0, r->threads - 2.0};
    const double left = r->time / r->count - alone - crowd * (r->threads - 1.0);
    gscale__add_point(b, r, fmax(left, bare_barrier(b, r)), 0.1e-6, x);
  }
  if (!gscale__solve(b, GSCALE_HOST_BARRIER, bench)) {
    gscale__copy_note(b, GSCALE_HOST_BARRIER_MORE, GSCALE_HOST_BARRIER);
    return;
  }
  gscale__conclude(b, GSCALE_HOST_BARRIER, b->fit.value[0],
                   hypot(b->fit.err[0], gscale__shared_err(b, 0, drift)),
                   bench);
  if (several) gscale__conclude_term(b, GSCALE_HOST_BARRIER_MORE, 1);
}

void gscale__recipes_host(bench_run *b)
{
  calls(b, "issue_launch", "call_launch", "issue_launch, call_launch",
        GSCALE_HOST_LAUNCH, GSCALE_HOST_LAUNCH_CONTENTION);
  calls(b, "issue_copy", "call_copy", "issue_copy, call_copy", GSCALE_HOST_COPY,
        GSCALE_HOST_COPY_CONTENTION);
  host_event(b);
  host_sync(b);
  host_sync_more(b);
  host_barrier(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
