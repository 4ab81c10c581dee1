/* calls.c - host calls, contention of threads, wake-ups, device hand-overs.
 *
 * The parameters are defined so that nothing is counted twice:
 *
 * - device.start is the time per consecutive kernel, less the kernel's work.
 * - copy.initiation is the time per consecutive copy, less the copy's bytes.
 *   Kernel and copy times include the hand-over to the next one of the same
 *   kind.
 * - copy.latency is from a kernel to a copy that waits for it, as observed by
 *   a program that waits for both (copy.c).
 * - hand.copy_kernel is from a copy to a kernel.
 * - hand.near is the additional cost of an event between streams of a GPU.
 * - hand.remote is the whole cost of an event between GPUs, if one waits. */

#include "recipe.h"

#include <math.h>

/* A call and its benches.  Some calls also have issue_* benches (host.c), which
 * measure their cost or their contention. */
typedef struct call {
  const char *bench[2];
  const char *benches;
  int kind;
  bool issue, crowd; /* no other bench measures it */
} call;

static const call calls[] = {
    {{"call_launch", NULL}, "call_launch", GSCALE_LAUNCH, false, false},
    {{"call_graph", "call_graph8"}, /* a graph is one host call */
     "call_graph, call_graph8",
     GSCALE_GRAPH,
     true,
     true},
    {{"call_memset", NULL}, "call_memset", GSCALE_MEMSET, true, true},
    {{"call_copy", NULL}, "call_copy", GSCALE_COPY_D2D, false, false},
    {{"call_d2h", NULL}, "call_d2h", GSCALE_COPY_D2H, true, true},
    {{"call_h2d", NULL}, "call_h2d", GSCALE_COPY_H2D, true, true},
    {{"call_record", "call_near"},
     "call_record, call_near",
     GSCALE_RECORD,
     false,
     true},
    {{"call_far", NULL}, "call_far", GSCALE__WAIT_FAR, true, true},
    {{"call_idle", NULL}, "call_idle", GSCALE_SYNC_STREAM, false, true},
    {{"call_done", NULL}, "call_done", GSCALE_SYNC_EVENT, true, true},
    {{"call_device", NULL}, "call_device", GSCALE_SET_DEVICE, true, true},
};

enum {
  CALLS = sizeof calls / sizeof *calls,
  TERMS = 3
};

/* ---- calls --------------------------------------------------------------- */

/* Returns the number of host threads that share a GPU. */
static double sharing(const gscale_measurement *r)
{
  return r->gpus > 0 ? ceil(r->threads / r->gpus) : 1.0;
}

/* Returns the contention of threads that share a GPU: 0 for one, 1 for two. */
static double shared(const gscale_measurement *r, double room)
{
  return gscale_timeline_crowd((int)sharing(r), room);
}

/* Collects the points of a call.  With one thread per GPU, the time per call is
 * issue * (1 + crowd * (threads - 1)).  With shared GPUs, the time is
 * issue * (1 + share * c(threads of a GPU)), where c is
 * gscale_timeline_crowd().  Returns false if the rows cannot separate the
 * terms. */
static bool collect(bench_run *b, const call *c, double room)
{
  bool apart = false, together = false;

  gscale__begin(b, TERMS);
  for (int k = 0; k < 2 && c->bench[k]; k++) {
    const wanted w = {.bench = c->bench[k], .threads_least = 1};
    EACH_ROW (b, &w, r) {
      const bool alone = sharing(r) <= 1.0;
      const double x[TERMS] = {1.0, alone ? r->threads - 1.0 : 0.0,
                               alone ? 0.0 : shared(r, room)};
      apart = apart || x[1] > 0.0;
      together = together || x[2] > 0.0;
      gscale__add_item(b, r, x);
    }
  }
  return apart && together && b->p.n > TERMS;
}

/* Returns the sum of (model / measured - 1)^2 over *n rows of all calls. */
static double misfit(bench_run *b, double room, double *n)
{
  double sum = 0.0;

  *n = 0.0;
  for (int k = 0; k < CALLS; k++) {
    gscale_fit f;
    if (!collect(b, &calls[k], room) ||
        gscale_fit_linear(b->p.x, b->p.y, b->p.sigma, b->p.n, TERMS,
                          GSCALE__FLOOR, &f, NULL) != GSCALE_OK)
      continue;
    for (size_t i = 0; i < b->p.n; i++) {
      const double *x = &b->p.x[i * TERMS];
      const double off =
          (f.value[0] * x[0] + f.value[1] * x[1] + f.value[2] * x[2]) /
              b->p.y[i] -
          1.0;
      sum += off * off;
    }
    *n += (double)b->p.n;
  }
  return sum;
}

/* Fits the room of all calls together, by golden section over log room. */
static double best_room(bench_run *b, double least, double most)
{
  const double golden = 0.5 * (sqrt(5.0) - 1.0);
  double low = log(least), high = log(most), n;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double of_left = misfit(b, exp(left), &n),
         of_right = misfit(b, exp(right), &n);

  while (high - low > 1e-9) {
    const bool down = of_left < of_right;
    if (down) {
      high = right;
      right = left;
      of_right = of_left;
      left = high - golden * (high - low);
      of_left = misfit(b, exp(left), &n);
    } else {
      low = left;
      left = right;
      of_left = of_right;
      right = low + golden * (high - low);
      of_right = misfit(b, exp(right), &n);
    }
  }
  return exp(0.5 * (low + high));
}

/* Computes the error of the room from the curvature of the squares over log
 * room.  The data cannot identify a room at an end of the range. */
static void find_room(bench_run *b)
{
  static const double LEAST = 0.1, MOST = 1e4, STEP = 0.5;
  const char *benches = "call_*";
  double n;

  misfit(b, 1.0, &n);
  if (!(n > 0.0)) {
    gscale__set_note(b, GSCALE_SHARE_ROOM, "not measured");
    return;
  }
  const double room = best_room(b, LEAST, MOST);
  const double at = misfit(b, room, &n);
  const double curve = misfit(b, room * exp(STEP), &n) - 2.0 * at +
                       misfit(b, room * exp(-STEP), &n);
  const double scatter = at / (n - CALLS * TERMS - 1.0);
  const double err =
      curve > 0.0 ? STEP * sqrt(2.0 * scatter / curve) : INFINITY;
  if (room < 1.01 * LEAST || room > MOST / 1.01 || !(err < 1e3))
    gscale__set_note(b, GSCALE_SHARE_ROOM, "the data cannot tell");
  else
    gscale__conclude_unfitted(b, GSCALE_SHARE_ROOM, (size_t)n, room, room * err,
                              benches);
}

/* Returns the error of coefficient j, or half its limit if it is 0. */
static double own_err(const gscale_fit *f, size_t j)
{
  return f->bound[j] ? 0.5 * f->limit[j] : f->err[j];
}

static void conclude_ratio(bench_run *b, gscale_param_id id, size_t j,
                           const char *benches)
{
  const gscale_fit *f = &b->fit;
  const double r = f->value[j] / f->value[0];

  gscale__conclude(
      b, id, r, hypot(own_err(f, j), r * own_err(f, 0)) / f->value[0], benches);
}

/* Returns true unless host.c has fitted a contention of this call. */
static bool fits_crowd(const bench_run *b, const call *c)
{
  return c->crowd || !b->out->of[gscale__calls[c->kind].crowd].fitted;
}

static void one_call(bench_run *b, const call *c)
{
  const gscale__call_numbers *n = &gscale__calls[c->kind];
  const bool crowd = fits_crowd(b, c);
  const bool several = collect(b, c, gscale__value(b, GSCALE_SHARE_ROOM));

  if (!several) { /* only one thread */
    gscale__begin(b, 1);
    for (int k = 0; k < 2 && c->bench[k]; k++)
      gscale__add_items(
          b,
          (wanted){.bench = c->bench[k], .threads_least = 1, .threads_most = 1},
          1.0);
  }
  if (!gscale__solve(b, n->share, c->benches) || !(b->fit.value[0] > 0.0)) {
    if (c->issue) gscale__copy_note(b, n->issue, n->share);
    if (crowd) gscale__copy_note(b, n->crowd, n->share);
    return;
  }
  if (c->issue)
    gscale__conclude(b, n->issue, b->fit.value[0], own_err(&b->fit, 0),
                     c->benches);
  if (!several) return;
  if (crowd) conclude_ratio(b, n->crowd, 1, c->benches);
  conclude_ratio(b, n->share, 2, c->benches);
}

/* Models a thread that alternates between GPUs, for redundant benches. */
static double alternating(const bench_run *b, const gscale_measurement *r,
                          gscale_param_id issue)
{
  (void)r;
  return gscale__value(b, issue) + gscale__value(b, GSCALE_HOST_SET_DEVICE);
}

static double turn_launch(const bench_run *b, const gscale_measurement *r)
{
  return alternating(b, r, GSCALE_HOST_LAUNCH);
}

static double turn_copy(const bench_run *b, const gscale_measurement *r)
{
  return alternating(b, r, GSCALE_HOST_COPY);
}

static double turn_record(const bench_run *b, const gscale_measurement *r)
{
  return alternating(b, r, GSCALE_HOST_EVENT);
}

/* Models the mean call of a record and of another GPU's wait for the record. */
static double turn_far(const bench_run *b, const gscale_measurement *r)
{
  return 0.5 * (alternating(b, r, GSCALE_HOST_EVENT) +
                alternating(b, r, GSCALE_HOST_WAIT_REMOTE));
}

/* Models the mean call of a kernel, a record, a wait for it and a copy. */
static double mixed(const bench_run *b, const gscale_measurement *r)
{
  static const int kinds[] = {GSCALE_LAUNCH, GSCALE_RECORD, GSCALE_WAIT,
                              GSCALE_COPY_D2D};
  const size_t n = sizeof kinds / sizeof *kinds;
  const bool alone = sharing(r) <= 1.0;
  const double with =
      alone ? r->threads - 1.0 : shared(r, gscale__value(b, GSCALE_SHARE_ROOM));
  double sum = 0.0;

  for (size_t i = 0; i < n; i++) {
    const gscale__call_numbers *c = &gscale__calls[kinds[i]];
    const double more = gscale__value(b, alone ? c->crowd : c->share);
    sum += gscale__value(b, c->issue) * (1.0 + more * with);
  }
  return sum / (double)n;
}

/* ---- wake-ups ------------------------------------------------------------ */

/* Returns the time of another bench with equal threads and GPUs. */
static double matching(bench_run *b, const char *bench,
                       const gscale_measurement *r)
{
  return gscale__item_time(b, (wanted){.bench = bench,
                                       .threads_least = r->threads,
                                       .threads_most = r->threads,
                                       .gpus = r->gpus});
}

/* A polling thread notices the end one `query` late on average: half a query
 * until the next query begins, a quarter until that query looks and a quarter
 * until it returns.  With one thread per GPU, the wake-up is
 *
 * wake = wake_stream - (wake_query - call_query) */
static void wake(bench_run *b)
{
  const char *benches = "wake_stream, wake_query, call_query";
  const wanted w = {.bench = "wake_stream"};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    if (sharing(r) <= 1.0)
      gscale__add_point(b, r,
                        r->time / r->count - matching(b, "wake_query", r) +
                            matching(b, "call_query", r),
                        r->sigma / r->count, NULL);
  gscale__solve_term(b, GSCALE_HOST_WAKE, 0, benches);
}

/* Fits both waits: constant + host.sync * share * c(threads of a GPU). */
static void shared_wake(bench_run *b)
{
  const char *benches = "wake_stream, wake_event";
  const char *const names[] = {"wake_stream", "wake_event"};
  const double sync = gscale__value(b, GSCALE_HOST_SYNC);
  const double room = gscale__value(b, GSCALE_SHARE_ROOM);

  gscale__begin(b, 2);
  for (int k = 0; k < 2; k++) {
    const wanted w = {.bench = names[k]};
    EACH_ROW (b, &w, r)
      gscale__add_item(b, r, (double[]){1.0, shared(r, room)});
  }
  if (gscale__solve(b, GSCALE_SHARE_WAKE, benches) && sync > 0.0)
    gscale__conclude(b, GSCALE_SHARE_WAKE, b->fit.value[1] / sync,
                     own_err(&b->fit, 1) / sync, benches);
}

/* The spread between the first and last return is twice the delay of the last
 * return after the mean, which wake_stream measures.  With one thread per GPU,
 * the fit is
 *
 * spread / 2 = straggle + more * (threads - 2) */
static void straggle(bench_run *b)
{
  const char *bench = "wake_spread";
  const wanted w = {.bench = bench, .threads_least = 2};

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r)
    if (sharing(r) <= 1.0)
      gscale__add_point(b, r, 0.5 * r->time / r->count,
                        0.5 * r->sigma / r->count,
                        (double[]){1.0, r->threads - 2.0});
  if (!gscale__solve(b, GSCALE_HOST_STRAGGLE, bench)) {
    gscale__copy_note(b, GSCALE_HOST_STRAGGLE_MORE, GSCALE_HOST_STRAGGLE);
    return;
  }
  gscale__conclude(b, GSCALE_HOST_STRAGGLE, b->fit.value[0],
                   own_err(&b->fit, 0), bench);
  gscale__conclude(b, GSCALE_HOST_STRAGGLE_MORE, b->fit.value[1],
                   own_err(&b->fit, 1), bench);
}

/* Fits threads of a shared GPU: spread / 2 = straggle * c(threads of a GPU). */
static void shared_straggle(bench_run *b)
{
  const char *bench = "wake_spread";
  const wanted w = {.bench = bench, .threads_least = 2};
  const double room = gscale__value(b, GSCALE_SHARE_ROOM);

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    if (sharing(r) > 1.0)
      gscale__add_point(b, r, 0.5 * r->time / r->count,
                        0.5 * r->sigma / r->count, (double[]){shared(r, room)});
  gscale__solve_term(b, GSCALE_SHARE_STRAGGLE, 0, bench);
}

/* Fits threads without other work: time = barrier + more * (threads - 2). */
static void bare_barrier(bench_run *b)
{
  const char *bench = "barrier_bare";
  const wanted w = {.bench = bench, .threads_least = 2};

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r) gscale__add_item(b, r, (double[]){1.0, r->threads - 2.0});
  if (!gscale__solve(b, GSCALE_HOST_BARRIER_BARE, bench)) {
    gscale__copy_note(b, GSCALE_HOST_BARRIER_BARE_MORE,
                      GSCALE_HOST_BARRIER_BARE);
    return;
  }
  gscale__conclude(b, GSCALE_HOST_BARRIER_BARE, b->fit.value[0],
                   own_err(&b->fit, 0), bench);
  gscale__conclude(b, GSCALE_HOST_BARRIER_BARE_MORE, b->fit.value[1],
                   own_err(&b->fit, 1), bench);
}

/* ---- device hand-over ---------------------------------------------------- */

/* Times of the first round after the gate and of each further round. */
typedef struct rounds {
  double one, each; /* s, NaN if not measured */
} rounds;

static rounds rounds_of(bench_run *b, const char *bench)
{
  const wanted w = {.bench = bench};
  double one = NAN, many = NAN, n = NAN;

  EACH_ROW (b, &w, r) {
    if (r->count > 1.0) {
      many = r->time;
      n = r->count;
    } else {
      one = r->time;
    }
  }
  return (rounds){one, (many - one) / (n - 1.0)};
}

/* A round consists of a kernel, the hand-over to a copy, the copy and the
 * hand-over back, but the last round has no hand-over back.  For a copy x to a
 * GPU or to the host, the hand-over back is
 *
 * back = each(kx) - (one(kx) - one(k)) - each(k) */
static void copy_kernel(bench_run *b)
{
  const char *benches = "hand_k, hand_kc, hand_kd";
  const char *const names[] = {"hand_kc", "hand_kd"};
  const rounds k = rounds_of(b, "hand_k");

  gscale__begin(b, 1);
  for (int i = 0; i < 2; i++) {
    const wanted w = {.bench = names[i]};
    const rounds both = rounds_of(b, names[i]);
    EACH_ROW (b, &w, r)
      if (r->count > 1.0)
        gscale__add_point(b, r, both.each - (both.one - k.one) - k.each,
                          r->sigma / (r->count - 1.0), NULL);
  }
  gscale__solve_term(b, GSCALE_HAND_COPY_KERNEL, 0, benches);
}

/* A chain has `count` pieces, each after an event of the previous piece, and
 * one more event at the end:
 *
 *   time = begin + count / pieces * (round + pieces * event).
 *
 * Without events, the chain takes `begin` once, and then `round` for every
 * `pieces` pieces. */
static void add_chain(bench_run *b, const char *bench, double begin,
                      double pieces, double round)
{
  const wanted w = {.bench = bench};

  EACH_ROW (b, &w, r) {
    const double of_events = (r->time - begin) / (r->count / pieces) - round;
    gscale__add_point(b, r, of_events, r->sigma / (r->count / pieces),
                      (double[]){pieces});
  }
}

/* Fits events.  Between streams of a GPU, an event adds to the hand-over
 * between kernel and copy.  Between GPUs, the event replaces the hand-over. */
static void events(bench_run *b)
{
  const char *near = "hand_near, hand_near_kc", *far = "hand_far, hand_far_kc";
  const rounds k = rounds_of(b, "hand_k"), c = rounds_of(b, "hand_c");
  const rounds kc = rounds_of(b, "hand_kc");
  const double back = gscale__value(b, GSCALE_HAND_COPY_KERNEL);

  gscale__begin(b, 1);
  add_chain(b, "hand_near", k.one - k.each, 1.0, k.each);
  add_chain(b, "hand_near_kc", k.one - k.each - back, 2.0, kc.each);
  gscale__solve_term(b, GSCALE_HAND_NEAR, 0, near);
  gscale__begin(b, 1);
  add_chain(b, "hand_far", k.one - k.each, 1.0, k.each);
  add_chain(b, "hand_far_kc", c.one - c.each, 2.0, k.each + c.each);
  gscale__solve_term(b, GSCALE_HAND_REMOTE, 0, far);
  gscale__begin(b, 1);
  add_chain(b, "hand_meet", k.one - k.each, 1.0, k.each);
  if (gscale__solve(b, GSCALE_HAND_MEET, "hand_meet"))
    gscale__conclude(b, GSCALE_HAND_MEET, fmax(0.0, b->fit.value[0]),
                     b->fit.err[0], "hand_meet");
}

void gscale__recipes_calls(bench_run *b)
{
  find_room(b);
  for (int i = 0; i < CALLS; i++) one_call(b, &calls[i]);
  gscale__compare(b, "turn_launch", turn_launch);
  gscale__compare(b, "turn_copy", turn_copy);
  gscale__compare(b, "turn_record", turn_record);
  gscale__compare(b, "turn_far", turn_far);
  gscale__compare(b, "mix_chunk", mixed);
  wake(b);
  shared_wake(b);
  straggle(b);
  shared_straggle(b);
  bare_barrier(b);
  copy_kernel(b);
  events(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
