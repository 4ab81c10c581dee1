/* calibrate.c - parameters of a system from the times of microbenchmarks.
 *
 * Every recipe collects points  y = sum_j c_j x_j  whose coefficients are the
 * parameters, fits them, and stores what they say.  They run in the order of
 * the table at the end, because later ones subtract what earlier ones found. */

#include "internal.h"
#include "object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  POINTS_MAX = 512
};

static const double FLOOR = 0.01; /* relative; clocks drift by as much */
static const double MIB = 1048576.0;
static const double SMALL_COPY = 4096.0; /* B: initiation is all it costs */

typedef struct points {
  size_t n, terms;
  double y[POINTS_MAX], sigma[POINTS_MAX];
  double x[POINTS_MAX * GSCALE_FIT_MAX];
  const gscale_measurement *from[POINTS_MAX];
} points;

typedef struct bench_run { /* one calibration */
  const gscale_measurements *m;
  gscale_system *s;
  gscale_calibration *out;
  bool *used; /* of the measurements */
  points p;
  gscale_fit fit;
} bench_run;

/* ---- measurements ------------------------------------------------------- */

/* What a recipe looks for; zero and NULL match everything. */
typedef struct wanted {
  const char *bench, *access;
  double size_least, size_most;
  double threads_least, threads_most;
  int gpus;
} wanted;

static bool matches(const gscale_measurement *r, const wanted *w)
{
  return strcmp(r->bench, w->bench) == 0 &&
         (!w->access || strcmp(r->access, w->access) == 0) &&
         r->size >= w->size_least &&
         (w->size_most <= 0.0 || r->size <= w->size_most) &&
         r->threads >= w->threads_least &&
         (w->threads_most <= 0.0 || r->threads <= w->threads_most) &&
         (w->gpus == 0 || r->gpus == w->gpus);
}

/* The next match from *i on, or NULL. */
static const gscale_measurement *next(bench_run *b, const wanted *w, size_t *i)
{
  const gscale_measurement *r;

  while ((r = gscale_measurements_at(b->m, *i)) != NULL) {
    (*i)++;
    if (!matches(r, w)) continue;
    b->used[*i - 1] = true;
    return r;
  }
  return NULL;
}

/* Mean time of one item over all matches; NaN if there is none. */
static double item_time(bench_run *b, wanted w)
{
  const gscale_measurement *r;
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; (r = next(b, &w, &i)) != NULL; n++)
    sum += r->time / r->count;
  return n > 0.0 ? sum / n : (double)NAN;
}

/* Standard error of item_time. */
static double item_sigma(bench_run *b, wanted w)
{
  const gscale_measurement *r;
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; (r = next(b, &w, &i)) != NULL; n++)
    sum += r->sigma / r->count * (r->sigma / r->count);
  return n > 0.0 ? sqrt(sum) / n : (double)NAN;
}

static void add_point(bench_run *b, const gscale_measurement *r, double y,
                      double sigma, const double *x)
{
  points *p = &b->p;

  if (p->n == POINTS_MAX || !(y > 0.0)) return;
  p->y[p->n] = y;
  p->sigma[p->n] = sigma;
  p->from[p->n] = r;
  memcpy(&p->x[p->n * p->terms], x, p->terms * sizeof *x);
  p->n++;
}

static void begin(bench_run *b, size_t terms)
{
  b->p.n = 0;
  b->p.terms = terms;
}

/* Points  factor time of one item = c  of all matches. */
static void add_items(bench_run *b, wanted w, double factor)
{
  const gscale_measurement *r;

  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r, factor * r->time / r->count, factor * r->sigma / r->count,
              (double[]){1.0});
}

/* ---- results ------------------------------------------------------------ */

static void name_outliers(const bench_run *b, gscale_calibrated *c)
{
  size_t used = 0;

  for (size_t i = 0; i < b->fit.outliers && used < sizeof c->note; i++) {
    const gscale_measurement *r = b->p.from[b->fit.outlier[i]];
    used +=
        (size_t)gscale__print(c->note + used, sizeof c->note - used, "%s%s:%d",
                              i ? ", " : "outliers: ", r->file, r->line);
  }
}

static void set_note(bench_run *b, gscale_param_id id, const char *text)
{
  gscale__copy_text(b->out->of[id].note, sizeof b->out->of[id].note, text);
}

/* Stores a parameter with the fit behind it. */
static void conclude(bench_run *b, gscale_param_id id, double value, double err,
                     const char *benches)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  gscale_calibrated *c = &b->out->of[id];
  gscale_param p = {value, err, GSCALE_MEASURED, ""};
  gscale_diag why;

  gscale__copy_text(c->benches, sizeof c->benches, benches);
  gscale__copy_text(p.source, sizeof p.source,
                    b->p.n > 0 ? b->p.from[0]->file : benches);
  if (!isfinite(value) || !isfinite(err)) {
    set_note(b, id, "the data cannot tell");
    return;
  }
  p.val = fmin(fmax(value, info->least), info->most);
  if (gscale_system_set(b->s, id, &p, &why) != GSCALE_OK) {
    set_note(b, id, why.text);
    return;
  }
  c->fitted = true;
  c->note[0] = '\0';
  c->value = p.val;
  c->err = p.err;
  c->points = b->fit.points;
  c->mean_abs = b->fit.mean_abs;
  c->worst = b->fit.worst;
  c->left_out = b->fit.left_out;
  name_outliers(b, c);
  if (p.val < value || p.val > value)
    gscale__print(c->note, sizeof c->note,
                  "%.4g, held at the limit: is the base right?", value);
}

/* One point and one coefficient: nothing to fit.  Its error is the point's own,
 * at least that of a clock. */
static bool single_point(bench_run *b)
{
  const points *p = &b->p;

  if (p->n != 1 || p->terms != 1 || !(p->x[0] > 0.0)) return false;
  b->fit = (gscale_fit){.points = 1, .terms = 1};
  b->fit.value[0] = p->y[0] / p->x[0];
  b->fit.err[0] = fmax(p->sigma[0], FLOOR * p->y[0]) / p->x[0];
  b->fit.worst = b->fit.left_out = (double)NAN;
  return true;
}

/* Fits what was collected.  False, with a note at the parameter, if it cannot
 * be done. */
static bool solve(bench_run *b, gscale_param_id id, const char *benches)
{
  gscale_calibrated *c = &b->out->of[id];
  gscale_diag why = {""};

  gscale__copy_text(c->benches, sizeof c->benches, benches);
  if (b->p.n == 0) {
    set_note(b, id, "not measured");
    return false;
  }
  if (single_point(b)) return true;
  if (gscale_fit_linear(b->p.x, b->p.y, b->p.sigma, b->p.n, b->p.terms, FLOOR,
                        &b->fit, &why) == GSCALE_OK)
    return true;
  set_note(b, id, why.text);
  return false;
}

/* What was said of one parameter holds for another of the same recipe. */
static void likewise(bench_run *b, gscale_param_id id, gscale_param_id other)
{
  memcpy(b->out->of[id].note, b->out->of[other].note,
         sizeof b->out->of[id].note);
  memcpy(b->out->of[id].benches, b->out->of[other].benches,
         sizeof b->out->of[id].benches);
}

/* Error of coefficient j through a number that was subtracted from all points
 * alike, with standard error `sigma`: in a relative fit of y = c x a shift d of
 * y moves c by the mean of d/x. */
static double shared_err(const bench_run *b, size_t j, double sigma)
{
  const points *p = &b->p;
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; i < p->n; i++) {
    const double x = p->x[i * p->terms + j];
    if (!(x > 0.0)) continue;
    sum += sigma / x;
    n += 1.0;
  }
  return n > 0.0 ? sum / n : 0.0;
}

static double value_of(const bench_run *b, gscale_param_id id)
{
  return b->s->param[id].val;
}

/* Stores 1/c_j; of a c_j = 0 the data cannot tell. */
static void conclude_inverse(bench_run *b, gscale_param_id id, size_t j,
                             const char *benches)
{
  const double c = b->fit.value[j];

  conclude(b, id, 1.0 / c, b->fit.err[j] / (c * c), benches);
}

/* Of c1/c0. */
static double ratio_err(const gscale_fit *f)
{
  const double r = f->value[1] / f->value[0];
  return hypot(f->err[1] / f->value[0], r * f->err[0] / f->value[0]);
}

/* ---- the host ----------------------------------------------------------- */

/* time per call = cost + cost crowd (threads - 1) */
static void calls(bench_run *b, const char *bench, gscale_param_id cost,
                  gscale_param_id crowd)
{
  const wanted w = {.bench = bench};
  const gscale_measurement *r;
  bool several = false;

  begin(b, 2);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const double x[] = {1.0, r->threads - 1.0};
    several = several || r->threads > 1.0;
    add_point(b, r, r->time / r->count, r->sigma / r->count, x);
  }
  if (!several) { /* one thread only: a constant */
    begin(b, 1);
    add_items(b, w, 1.0);
  }
  if (!solve(b, cost, bench)) {
    likewise(b, crowd, cost);
    return;
  }
  conclude(b, cost, b->fit.value[0], b->fit.err[0], bench);
  if (several && b->fit.value[0] > 0.0)
    conclude(b, crowd, b->fit.value[1] / b->fit.value[0], ratio_err(&b->fit),
             bench);
}

static void host_launch(bench_run *b)
{
  calls(b, "issue_launch", GSCALE_HOST_LAUNCH, GSCALE_HOST_LAUNCH_CROWD);
}

static void host_copy(bench_run *b)
{
  calls(b, "issue_copy", GSCALE_HOST_COPY, GSCALE_HOST_COPY_CROWD);
}

/* A constant: the mean time of one item of a bench. */
static void constant(bench_run *b, gscale_param_id id, wanted w, double factor)
{
  begin(b, 1);
  add_items(b, w, factor);
  if (solve(b, id, w.bench))
    conclude(b, id, b->fit.value[0], b->fit.err[0], w.bench);
}

/* Recording and awaiting cost the same within their scatter: one number. */
static void host_event(bench_run *b)
{
  const char *benches = "issue_event, issue_wait";

  begin(b, 1);
  add_items(b, (wanted){.bench = "issue_event"}, 1.0);
  add_items(b, (wanted){.bench = "issue_wait"}, 1.0);
  if (solve(b, GSCALE_HOST_EVENT, benches))
    conclude(b, GSCALE_HOST_EVENT, b->fit.value[0], b->fit.err[0], benches);
}

static void device_start(bench_run *b)
{
  constant(b, GSCALE_DEVICE_START, (wanted){.bench = "kernel_gap"}, 1.0);
}

/* launch and synchronise a kernel = launch + the kernel + sync, where the same
 * kernels in a row say how long the kernel takes. */
static void host_sync(bench_run *b)
{
  const char *benches = "membw_sync, membw";
  const wanted w = {.bench = "membw_sync"};
  const gscale_measurement *r;
  const double launch = value_of(b, GSCALE_HOST_LAUNCH);

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const wanted same = {
        .bench = "membw", .size_least = r->size, .size_most = r->size};
    const double kernel = item_time(b, same);
    add_point(b, r, r->time / r->count - kernel - launch, 0.1e-6,
              (double[]){1.0});
  }
  if (solve(b, GSCALE_HOST_SYNC, benches))
    conclude(b, GSCALE_HOST_SYNC, b->fit.value[0], b->fit.err[0], benches);
}

/* A null kernel in each of two streams and a wait for both, less one of them
 * and the second launch; nothing, if that is not longer. */
static void host_sync_more(bench_run *b)
{
  const char *benches = "launch_sync2, launch_sync";
  const wanted one = {.bench = "launch_sync", .threads_most = 1};
  const wanted two = {.bench = "launch_sync2", .threads_most = 1};
  const double apart = item_time(b, one), both = item_time(b, two);
  const double launch = value_of(b, GSCALE_HOST_LAUNCH);
  const double more = both - apart - launch;

  begin(b, 1);
  b->fit = (gscale_fit){.points = isfinite(more) ? 2 : 0};
  if (isfinite(more))
    conclude(b, GSCALE_HOST_SYNC_MORE, fmax(0.0, more),
             hypot(b->s->param[GSCALE_HOST_LAUNCH].err, FLOOR * both), benches);
  else
    set_note(b, GSCALE_HOST_SYNC_MORE, "not measured");
}

static double most_threads(bench_run *b, const wanted *w)
{
  const gscale_measurement *r;
  double most = 0.0;

  for (size_t i = 0; (r = next(b, w, &i)) != NULL;)
    most = fmax(most, r->threads);
  return most;
}

/* A round trip with a barrier, less the one of a single thread and the slower
 * launches = barrier + more (threads - 2) */
static void host_barrier(bench_run *b)
{
  const char *bench = "launch_sync_barrier";
  const wanted w = {.bench = bench, .threads_least = 2};
  const gscale_measurement *r;
  const double alone = item_time(
      b,
      (wanted){.bench = "launch_sync", .threads_least = 1, .threads_most = 1});
  const double crowd =
      value_of(b, GSCALE_HOST_LAUNCH) * value_of(b, GSCALE_HOST_LAUNCH_CROWD);
  const double drift =
      hypot(FLOOR * alone, b->s->param[GSCALE_HOST_LAUNCH].err);

  const bool several = most_threads(b, &w) > 2.0;

  begin(b, several ? 2 : 1); /* two threads only: a constant */
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const double x[] = {1.0, r->threads - 2.0};
    add_point(b, r, r->time / r->count - alone - crowd * (r->threads - 1.0),
              0.1e-6, x);
  }
  if (!solve(b, GSCALE_HOST_BARRIER, bench)) {
    likewise(b, GSCALE_HOST_BARRIER_MORE, GSCALE_HOST_BARRIER);
    return;
  }
  conclude(b, GSCALE_HOST_BARRIER, b->fit.value[0],
           hypot(b->fit.err[0], shared_err(b, 0, drift)), bench);
  if (several)
    conclude(b, GSCALE_HOST_BARRIER_MORE, b->fit.value[1], b->fit.err[1],
             bench);
}

/* ---- the device --------------------------------------------------------- */

/* time = start + bytes/membw, at large footprints */
static void device_membw(bench_run *b)
{
  const wanted w = {.bench = "membw", .size_least = 256 * MIB};
  const gscale_measurement *r;

  begin(b, 2);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const double x[] = {1.0, r->size};
    add_point(b, r, r->time / r->count, r->sigma / r->count, x);
  }
  if (solve(b, GSCALE_DEVICE_MEMBW, "membw"))
    conclude_inverse(b, GSCALE_DEVICE_MEMBW, 1, "membw");
}

static int by_footprint(const void *x, const void *y)
{
  const gscale_measurement *a = *(const gscale_measurement *const *)x;
  const gscale_measurement *c = *(const gscale_measurement *const *)y;
  return (a->size > c->size) - (a->size < c->size);
}

/* factor = bytes / (time - start) / membw at each footprint, means of equals */
static void membw_curve(bench_run *b)
{
  const wanted w = {.bench = "membw"};
  const gscale_measurement *row[POINTS_MAX], *r;
  const double start = value_of(b, GSCALE_DEVICE_START);
  const double membw = value_of(b, GSCALE_DEVICE_MEMBW);
  gscale_curve c = {.n = 0};
  size_t n = 0;

  for (size_t i = 0; n < POINTS_MAX && (r = next(b, &w, &i)) != NULL;)
    row[n++] = r;
  qsort(row, n, sizeof *row, by_footprint);
  for (size_t i = 0, same; i < n && c.n < GSCALE_CURVE_MAX; i += same) {
    double sum = 0.0;
    for (same = 0; i + same < n && !(row[i + same]->size > row[i]->size);
         same++)
      sum += row[i + same]->time / row[i + same]->count - start;
    if (!(sum > 0.0)) continue;
    c.x[c.n] = row[i]->size;
    c.y[c.n++] = row[i]->size / (sum / (double)same) / membw;
  }
  if (c.n > 0 && gscale_system_set_membw_curve(b->s, &c, NULL) == GSCALE_OK)
    b->out->curve_points = c.n;
}

/* ---- copies ------------------------------------------------------------- */

/* Seconds of wire at the formatted rate, efficiency 1. */
static double wire_time(const bench_run *b, gscale_access a, double bytes,
                        bool masked)
{
  return gscale_wire_bytes(&b->s->link, a, bytes, masked) /
         value_of(b, GSCALE_LINK_RATE);
}

/* copies in a row: time of one = initiation + wire / (rate efficiency) */
static void copy_alone(bench_run *b)
{
  const wanted w = {.bench = "dma"};
  const gscale_measurement *r;

  double least = INFINITY, most = 0.0;

  begin(b, 2);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const double x[] = {1.0, wire_time(b, GSCALE_COPY, r->size, false)};
    add_point(b, r, r->time / r->count, r->sigma / r->count, x);
    least = fmin(least, r->size);
    most = fmax(most, r->size);
  }
  if (!solve(b, GSCALE_COPY_EFFICIENCY, "dma")) {
    likewise(b, GSCALE_COPY_INITIATION, GSCALE_COPY_EFFICIENCY);
    return;
  }
  gscale_system_set_copy_range(b->s, least, most, NULL);
  conclude(b, GSCALE_COPY_INITIATION, b->fit.value[0], b->fit.err[0], "dma");
  conclude_inverse(b, GSCALE_COPY_EFFICIENCY, 1, "dma");
}

/* Items the busiest GPU sends in a pattern of these names. */
static double items_sent(const gscale_measurement *r)
{
  return strncmp(r->bench, "alltoall", 8) == 0 ? r->gpus - 1 : 1.0;
}

/* all GPUs at once, large:
 *   time = begin + items (initiation + wire / (rate efficiency active)) */
static void all_active(bench_run *b, gscale_access a, const char *ring,
                       const char *alltoall, gscale_param_id efficiency,
                       gscale_param_id id, const char *benches)
{
  const char *access = a == GSCALE_COPY ? "copy" : "store";
  const char *const names[] = {ring, alltoall};
  const double start =
      a == GSCALE_COPY ? value_of(b, GSCALE_COPY_INITIATION) : 0.0;
  const gscale_measurement *r;

  begin(b, 2);
  for (size_t k = 0; k < 2; k++) {
    const wanted w = {
        .bench = names[k], .access = access, .size_least = 16 * MIB};
    for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
      const double x[] = {1.0, items_sent(r) * wire_time(b, a, r->size, false) /
                                   value_of(b, efficiency)};
      add_point(b, r, r->time - items_sent(r) * start, r->sigma, x);
    }
  }
  if (solve(b, id, benches)) conclude_inverse(b, id, 1, benches);
}

static void copy_all_active(bench_run *b)
{
  all_active(b, GSCALE_COPY, "ring", "alltoall_row", GSCALE_COPY_EFFICIENCY,
             GSCALE_COPY_ALL_ACTIVE, "ring, alltoall_row");
}

/* alltoall, each GPU's copies in several streams, against alltoall_row, where
 * no two of them meet: time = row / contended */
static void copy_contended(bench_run *b)
{
  const char *benches = "alltoall, alltoall_row";
  const wanted w = {
      .bench = "alltoall", .access = "copy", .size_least = 16 * MIB};
  const gscale_measurement *r;

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const wanted row = {.bench = "alltoall_row",
                        .access = "copy",
                        .size_least = r->size,
                        .size_most = r->size,
                        .gpus = r->gpus};
    const double apart = item_time(b, row) * r->count;
    if (r->gpus > 2) add_point(b, r, r->time, r->sigma, &apart);
  }
  if (solve(b, GSCALE_COPY_CONTENDED, benches))
    conclude_inverse(b, GSCALE_COPY_CONTENDED, 0, benches);
}

/* A small copy behind a kernel, less the kernel and the initiation; and what
 * all GPUs copying at once take longer than one. */
static void copy_latency(bench_run *b)
{
  const char *benches = "dma_after_kernel, ring";
  const wanted w = {.bench = "dma_after_kernel", .size_most = SMALL_COPY};
  const gscale_measurement *r;
  const double kernel = item_time(b, (wanted){.bench = "null_kernel"});
  const double size = 65536.0;
  const wanted one = {
      .bench = "dma_single", .size_least = size, .size_most = size};
  const wanted all = {
      .bench = "ring", .access = "copy", .size_least = size, .size_most = size};
  const double single = item_time(b, one);
  double together = 0.0, n = 0.0;

  for (size_t i = 0; (r = next(b, &all, &i)) != NULL; n++) together += r->time;
  const double wire = wire_time(b, GSCALE_COPY, size, false) /
                      value_of(b, GSCALE_COPY_EFFICIENCY);
  const double slower = wire / value_of(b, GSCALE_COPY_ALL_ACTIVE) - wire;
  const double more = n > 0.0 ? fmax(0.0, together / n - slower - single) : 0.0;
  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r,
              r->time - kernel - value_of(b, GSCALE_COPY_INITIATION) + more,
              fmax(r->sigma, 0.2 * more), (double[]){1.0});
  if (solve(b, GSCALE_COPY_LATENCY, benches))
    conclude(b, GSCALE_COPY_LATENCY, b->fit.value[0],
             hypot(b->fit.err[0], 0.3 * more), benches);
}

/* compute beside copies both ways: time more per byte sent */
static void copy_interference(bench_run *b)
{
  const char *bench = "overlap_copy_both";
  const wanted w = {.bench = bench};
  const gscale_measurement *r;
  const wanted none = {.bench = "overlap_none"};
  const double alone = item_time(b, none);
  const double drift = 4.0 * item_sigma(b, none); /* of 4 */

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r, r->time - alone * r->count, r->sigma,
              (double[]){r->size / 2.0});
  if (solve(b, GSCALE_COPY_INTERFERENCE, bench))
    conclude(b, GSCALE_COPY_INTERFERENCE, b->fit.value[0],
             hypot(b->fit.err[0], shared_err(b, 0, drift)), bench);
}

/* ---- stores ------------------------------------------------------------- */

/* A warp's dense stores leave as whole packets. */
static void store_alone(bench_run *b)
{
  const wanted w = {.bench = "store_dense"};
  const double line = 128.0; /* B, what a warp's dense stores fill */
  const double packet = fmin(b->s->link.store_payload, line);
  const gscale_measurement *r;

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
    const double packets = r->size * r->count / packet;
    const double x = packets * wire_time(b, GSCALE_STORE, packet, false);
    add_point(b, r, r->time, r->sigma, &x);
  }
  if (solve(b, GSCALE_STORE_EFFICIENCY, "store_dense"))
    conclude_inverse(b, GSCALE_STORE_EFFICIENCY, 0, "store_dense");
}

/* scattered runs up to a sector: as many per second whatever their size */
static void store_rate(bench_run *b)
{
  const wanted w = {.bench = "store_scatter", .size_most = 32.0};
  const gscale_measurement *r;

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r, r->time, r->sigma, &r->count);
  if (solve(b, GSCALE_STORE_RATE, "store_scatter"))
    conclude_inverse(b, GSCALE_STORE_RATE, 0, "store_scatter");
}

static void store_all_active(bench_run *b)
{
  all_active(b, GSCALE_STORE, "ring", "alltoall", GSCALE_STORE_EFFICIENCY,
             GSCALE_STORE_ALL_ACTIVE, "ring, alltoall");
}

static void store_latency(bench_run *b)
{
  constant(b, GSCALE_STORE_LATENCY, (wanted){.bench = "flag_pingpong"}, 0.5);
}

/* What an agent moved while the compute ran: all of it, less what it moved
 * afterwards at the rate it has alone. */
static double moved_beside(bench_run *b, const gscale_measurement *r)
{
  char transfer[40];
  snprintf(transfer, sizeof transfer, "%s_t", r->bench);
  const wanted t = {
      .bench = transfer, .size_least = r->size, .size_most = r->size};
  const wanted a = {.bench = "copy_alone",
                    .access = "store",
                    .size_least = r->size,
                    .size_most = r->size};
  const double lasted = item_time(b, t), alone = item_time(b, a);
  const double after = fmax(0.0, lasted - r->time);

  return r->size - after * r->size / alone;
}

/* compute beside stores out, and beside stores in: their costs per byte add */
static void store_interference(bench_run *b)
{
  const char *const benches[] = {"overlap_store_out", "overlap_store_in"};
  const wanted none = {.bench = "overlap_none"};
  const double alone = item_time(b, none);
  const double drift = 4.0 * item_sigma(b, none); /* of 4 */
  const gscale_measurement *r;

  begin(b, 2);
  for (size_t k = 0; k < 2; k++) {
    const wanted w = {.bench = benches[k]};
    for (size_t i = 0; (r = next(b, &w, &i)) != NULL;) {
      double x[] = {0.0, 0.0};
      x[k] = moved_beside(b, r);
      if (x[k] > 0.0) add_point(b, r, r->time - alone * r->count, r->sigma, x);
    }
  }
  if (solve(b, GSCALE_STORE_INTERFERENCE, "overlap_store_out, _in"))
    conclude(b, GSCALE_STORE_INTERFERENCE, b->fit.value[0] + b->fit.value[1],
             hypot(hypot(b->fit.err[0], b->fit.err[1]),
                   shared_err(b, 0, drift) + shared_err(b, 1, drift)),
             "overlap_store_out, _in");
}

/* ---- agents ------------------------------------------------------------- */

/* widths at which threads bind, not the link: time = bytes/threads/rate */
static void agent_thread_rate(bench_run *b)
{
  const wanted w = {
      .bench = "agent_width", .threads_least = 256, .threads_most = 2048};
  const gscale_measurement *r;

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r, r->time, r->sigma, (double[]){r->size / r->threads});
  if (solve(b, GSCALE_AGENT_THREAD_RATE, "agent_width"))
    conclude_inverse(b, GSCALE_AGENT_THREAD_RATE, 0, "agent_width");
}

static void agent_gap(bench_run *b)
{
  constant(b, GSCALE_AGENT_GAP,
           (wanted){.bench = "agent_chunk",
                    .size_most = SMALL_COPY,
                    .threads_least = 1024},
           1.0);
}

/* a hand-off with 128 B to copy, less half a hand-shake */
static void agent_latency(bench_run *b)
{
  const wanted w = {
      .bench = "agent_latency", .size_least = 128, .size_most = 128};
  const wanted none = {.bench = "agent_latency", .size_most = 1e-9};
  const double shake = item_time(b, none);
  const gscale_measurement *r;

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r, r->time / r->count - shake / 2.0, 0.1 * shake,
              (double[]){1.0});
  if (solve(b, GSCALE_AGENT_LATENCY, "agent_latency"))
    conclude(b, GSCALE_AGENT_LATENCY, b->fit.value[0],
             hypot(b->fit.err[0], 0.1 * shake), "agent_latency");
}

/* kernels whose blocks count, less those that do not, per block of 4 KiB */
static void agent_track(bench_run *b)
{
  const wanted w = {.bench = "track_on", .size_most = 4096};
  const double plain =
      item_time(b, (wanted){.bench = "track_off", .size_most = 4096});
  const gscale_measurement *r;

  begin(b, 1);
  for (size_t i = 0; (r = next(b, &w, &i)) != NULL;)
    add_point(b, r, r->time / r->count - plain,
              hypot(r->sigma / r->count, FLOOR * plain), (double[]){1.0});
  if (solve(b, GSCALE_AGENT_TRACK, "track_on, track_off"))
    conclude(b, GSCALE_AGENT_TRACK, b->fit.value[0], b->fit.err[0],
             "track_on, track_off");
}

/* Times slower beside a kernel that keeps the memory busy: in chunks per
 * second, and in bytes per second against what its threads load alone.  The
 * geometric mean of both, their spread its error. */
static void agent_beside(bench_run *b)
{
  const char *benches = "agent_chunk_beside, overlap_store_out";
  const wanted busy = {.bench = "agent_chunk_beside", .size_most = 65536};
  const wanted idle = {.bench = "agent_chunk_free", .size_most = 65536};
  const wanted out = {.bench = "overlap_store_out"};
  const double chunks = item_time(b, busy) / item_time(b, idle);
  const gscale_measurement *r;
  double bytes = 0.0, n = 0.0;

  for (size_t i = 0; (r = next(b, &out, &i)) != NULL;) {
    const double beside = moved_beside(b, r) / r->time;
    const double alone = r->threads * value_of(b, GSCALE_AGENT_THREAD_RATE);
    if (!(beside > 0.0)) continue;
    bytes += alone / beside;
    n += 1.0;
  }
  begin(b, 1);
  b->fit = (gscale_fit){.points = (size_t)n + 1};
  if (n > 0.0 && chunks > 0.0)
    conclude(b, GSCALE_AGENT_BESIDE, sqrt(chunks * bytes / n),
             fabs(chunks - bytes / n) / sqrt(12.0), benches);
  else
    set_note(b, GSCALE_AGENT_BESIDE, "not measured");
}

/* ---- the table of recipes ----------------------------------------------- */

static void (*const recipes[])(bench_run *) = {
    host_launch,      host_copy,         host_event,         device_start,
    device_membw,     membw_curve,       host_sync,          host_sync_more,
    host_barrier,     copy_alone,        copy_all_active,    copy_contended,
    copy_latency,     copy_interference, store_alone,        store_rate,
    store_all_active, store_latency,     store_interference, agent_thread_rate,
    agent_gap,        agent_latency,     agent_track,        agent_beside,
};

static void begin_report(const gscale_system *s, gscale_calibration *out)
{
  *out = (gscale_calibration){.n = GSCALE_PARAM_END};
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    out->of[id].id = (gscale_param_id)id;
    out->of[id].base = s->param[id].val;
    gscale__copy_text(out->of[id].note, sizeof out->of[id].note,
                      "no bench identifies it");
  }
}

static bool bench_is_used(const bench_run *b, const char *bench)
{
  for (size_t i = 0; i < gscale_measurements_count(b->m); i++)
    if (b->used[i] &&
        strcmp(gscale_measurements_at(b->m, i)->bench, bench) == 0)
      return true;
  return false;
}

static bool named(const char *list, const char *bench)
{
  const size_t n = strlen(bench);

  for (const char *at = list; (at = strstr(at, bench)) != NULL; at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ',' || !at[n])) return true;
  return false;
}

/* Names the benches of which no recipe used a row.  A bench that is in the list
 * is not searched again: there may be a million rows of it. */
static void name_unused(const bench_run *b, gscale_calibration *out)
{
  size_t used = 0;

  for (size_t i = 0; i < gscale_measurements_count(b->m); i++) {
    const char *bench = gscale_measurements_at(b->m, i)->bench;
    const bool known = named(out->unused_benches, bench);
    if (b->used[i] || (!known && bench_is_used(b, bench))) continue;
    out->unused++;
    if (known || used + strlen(bench) + 3 > sizeof out->unused_benches)
      continue;
    used += (size_t)gscale__print(out->unused_benches + used,
                                  sizeof out->unused_benches - used, "%s%s",
                                  used ? ", " : "", bench);
  }
}

gscale_status gscale_calibrate(gscale_system *s, const gscale_measurements *m,
                               gscale_calibration *out, gscale_diag *diag)
{
  gscale_system fitted = *s;
  gscale_calibration report;
  bench_run *b = calloc(1, sizeof *b);
  bool *used = calloc(gscale_measurements_count(m) + 1, sizeof *used);
  size_t n = 0;

  if (!b || !used) {
    free(b);
    free(used);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a calibration");
  }
  b->m = m;
  b->s = &fitted;
  b->out = &report;
  b->used = used;
  begin_report(s, &report);
  for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) recipes[i](b);
  name_unused(b, &report);
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) n += report.of[id].fitted;
  free(used);
  free(b);
  if (n == 0)
    return gscale__fail(diag, GSCALE_EDATA,
                        "no measurement identifies a parameter");
  *s = fitted;
  *out = report;
  return GSCALE_OK;
}
