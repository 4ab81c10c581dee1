/* t_flow.c - the closed forms against the recurrence they come from. */

#include "gpuscale/all.h"
#include "pipe.h"
#include "random.h"

#include <gsl/gsl_test.h>

enum {
  CHUNKS_MAX = 4096
};

/* The recurrence, chunk by chunk, on data cut as the closed form cuts it; with
 * `begin`, chunks are ready when their first byte is. */
static double by_recurrence(const pipe *p, const gscale_profile *f,
                            double compute, double bytes, double chunk,
                            bool begin)
{
  static double ready[CHUNKS_MAX], part[CHUNKS_MAX];
  const size_t n = (size_t)fmax(1, ceil(bytes / chunk - 1e-9));

  for (size_t j = 0; j < n; j++) {
    const double after = (double)(n - 1 - j) * chunk; /* B behind it */
    part[j] = j > 0 ? chunk : bytes - after;
    ready[j] =
        compute *
        profile_when(f, fmax(0, 1 - (begin ? after + part[j] : after) / bytes));
  }
  if (!begin) ready[n - 1] = compute;
  return pipe_end(p, n, ready, part);
}

static void recurrence_by_hand(void)
{
  /* L 0.5, g 2, B 10; ready 1, 1, 7; 10, 30, 5 B:
   * start 1.5, 3.5, 7.5; end 2.5, 6.5, 8.0
   * serial: start 1.5, 4.5, 9.5 (7.5 + 2); end 2.5, 7.5, 10.0 */
  const double ready[] = {1, 1, 7}, bytes[] = {10, 30, 5};
  pipe p = {0.5, 2, 10, false};

  gsl_test_rel(pipe_end(&p, 3, ready, bytes), 8.0, 1e-15, "by hand");
  p.serial = true;
  gsl_test_rel(pipe_end(&p, 3, ready, bytes), 10.0, 1e-15, "serial");
}

static void published_limits(void)
{
  /* One chunk at the end: bulk copy after compute. */
  const pipe bulk = {2.3e-6, 1.7e-6, 187e9, false};
  gsl_test_rel(in_chunks(&bulk, &gscale_profile_linear, 311e-6, 41e6, 41e6, 1),
               311e-6 + 2.3e-6 + 41e6 / 187e9, 1e-14, "one chunk");
  /* Producer and n sends, protocols 7.3:
   * T = Tc/n + (n-1) max(Tc/n, o + S/(nB)) + o + S/(nB) + l, where the send
   * occupies o + S/(nB): a serial pipe whose first gap is its latency. */
  const double o = 1.3e-6, l = 0.9e-6, B = 23e9, S = 3.1e6;
  for (int n = 1; n <= 64; n *= 2)
    for (double Tc = 20e-6; Tc < 1e-3; Tc *= 1.7) {
      const pipe p = {o + l, o, B, true};
      const double send = o + S / (n * B);
      gsl_test_rel(in_chunks(&p, &gscale_profile_linear, Tc, S, S / n, 1),
                   Tc / n + (n - 1) * fmax(Tc / n, send) + send + l, 1e-12,
                   "producer and %d sends, Tc %g", n, Tc);
    }
  /* Bandwidth-bound PROACT, published 2.6: flat, max(Tc, V/B) for fine chunks
   */
  const pipe fine = {0, 0, 16e9, false};
  gsl_test_rel(
      in_chunks(&fine, &gscale_profile_linear, 16e-3, 256e6, 256e6 / 100000, 1),
      16e-3, 1e-4, "compute = copy: the ideal factor of two");
  gsl_test_rel(
      in_chunks(&fine, &gscale_profile_linear, 1e-9, 256e6, 256e6 / 64, 1),
      16e-3, 1e-6, "transfer alone");
  gsl_test_rel(in_chunks(&fine, &gscale_profile_linear, 3e-3, 0, 1, 1), 3e-3, 0,
               "nothing to move");
}

static void two_faces(void)
{
  /* Half the data after 1/64 of the kernel, half at its end: 8 chunks of
   * 1/8; the cut through the middle falls on the flat piece exactly. */
  const gscale_profile f = {4, {0, 1.0 / 64, 63.0 / 64, 1}, {0, 0.5, 0.5, 1}};
  const pipe p = {0, 0, 1, true};
  /* chunks 1-4 leave early; chunk 5 is ready at 64 (63 + 1/4) of 64 s with
   * compute 64: ends are 63.25 + 4 * 0.25 = 64.25 or 64 + 0.25. */
  gsl_test_rel(in_chunks(&p, &f, 64, 2, 0.25, 1), 64.25, 1e-13,
               "two faces, 8 chunks");
  gsl_test_rel(profile_when(&f, 0.5), 1.0 / 64, 1e-15, "before the flat");
  gsl_test(!(profile_when(&f, 0.5001) > 63.0 / 64), "after the flat");
  /* one byte per chunk of 1e6: the tie survives rounding */
  for (int n = 2; n <= 3000; n += 2)
    gsl_test(in_chunks(&p, &f, 64, 2, 2.0 / n, 1) > 65 + 1e-9,
             "tie at the flat piece, %d chunks", n);
}

static void against_recurrence(void)
{
  rng r = {20211};
  const int n = cases(20000, 1000000);
  int wrong = 0, wrong_begin = 0, order = 0, below = 0;

  for (int i = 0; i < n; i++) {
    const gscale_profile f = random_profile(&r);
    const double compute = pick(&r, 9) ? spread(&r, 1e-7, 1e-1) : 0;
    const double bytes = spread(&r, 1, 1e9);
    const double chunk = bytes / spread(&r, 0.3, (double)CHUNKS_MAX - 1.0);
    const pipe p = {pick(&r, 2) ? spread(&r, 1e-8, 1e-4) : 0,
                    pick(&r, 3) ? spread(&r, 1e-8, 1e-4) : 0,
                    spread(&r, 1e6, 1e12), pick(&r, 2)};
    const double t = in_chunks(&p, &f, compute, bytes, chunk, 1);
    const double want =
        fmax(compute + fmin(bytes, chunk) / p.bandwidth + p.latency,
             by_recurrence(&p, &f, compute, bytes, chunk, false));
    const double early = in_chunks(&p, &f, compute, bytes, chunk, 0);
    const double want_early =
        fmax(compute + p.latency,
             by_recurrence(&p, &f, compute, bytes, chunk, true));
    wrong += !(fabs(t / want - 1) < 1e-9);
    wrong_begin += !(fabs(early / want_early - 1) < 1e-9);
    order += early > t * (1 + 1e-12);
    below += t < compute;
  }
  gsl_test_int(wrong, 0, "%d random pipes: closed form = recurrence", n);
  gsl_test_int(wrong_begin, 0, "cut-through = recurrence on beginnings");
  gsl_test_int(order, 0, "cut-through never later");
  gsl_test_int(below, 0, "never before compute ends");
}

/* The same store by store: the link takes one after the other, and none is made
 * before the one `ahead` of it has been taken. */
static double store_by_store(const gscale_profile *f, double compute,
                             double transfer, double ahead)
{
  enum {
    STORES = 4000
  };
  static double taken[STORES + 1];
  const int room = (int)fmax(1.0, ahead * (double)STORES);
  double made = 0.0, at = 0.0;

  taken[0] = 0.0;
  for (int i = 1; i <= STORES; i++) {
    const double when =
        profile_when(f, (double)i / (double)STORES); /* share of compute */
    made += compute * (when - at);
    at = when;
    if (i > room) made = fmax(made, taken[i - room]);
    taken[i] = fmax(made, taken[i - 1]) + transfer / (double)STORES;
  }
  return fmax(made + compute * (1.0 - at), taken[STORES]);
}

static void stores(void)
{
  rng r = {20264};
  const int n = cases(300, 20000);
  int wrong = 0, below = 0, falling = 0;

  for (int i = 0; i < n; i++) {
    const gscale_profile f = random_profile(&r);
    const double compute = spread(&r, 1e-6, 1e-3);
    const double transfer = spread(&r, 1e-6, 1e-3);
    const double ahead = pick(&r, 3) ? pick(&r, 1000) / 1000.0 : 2.0;
    const double t = stores_end(&f, compute, transfer, ahead);
    const double want = store_by_store(&f, compute, transfer, ahead);
    wrong += !(fabs(t - want) < 4e-3 * (compute + transfer));
    below += t < fmax(compute, transfer) * (1 - 1e-12);
    falling += stores_end(&f, compute, transfer, ahead / 2) < t * (1 - 1e-12);
  }
  gsl_test_int(wrong, 0, "%d random kernels: closed form = store by store", n);
  gsl_test_int(below, 0, "never before either ends");
  gsl_test_int(falling, 0, "less room never helps");
}

static void stores_by_hand(void)
{
  const gscale_profile first = {3, {0, 0.5, 1}, {0, 1, 1}};

  gsl_test_rel(stores_end(&gscale_profile_linear, 3, 2, 0), 3, 1e-15,
               "side by side");
  gsl_test_rel(stores_end(&gscale_profile_linear, 2, 3, 0), 3, 1e-15,
               "the link binds");
  gsl_test_rel(stores_end(&first, 4, 3, 0), 5, 1e-15,
               "the rest waits for the link");
  gsl_test_rel(stores_end(&first, 4, 3, 1), 4, 1e-15, "nothing waits");
  gsl_test_rel(stores_end(&first, 4, 3, 1.0 / 3), 4, 1e-15,
               "a third may wait: the link takes it beside the rest");
  gsl_test(!isnan(stores_end(&first, -1, 3, 0)), "compute < 0");
  gsl_test(!isnan(stores_end(&first, 1, -3, 0)), "transfer < 0");
  gsl_test(!isnan(stores_end(&first, 1, 3, -1)), "ahead < 0");
}

static void homogeneous(void)
{
  /* time times k, bytes times m: a lost or inverted quantity shows up */
  const double k = 3.7, m = 0.41;
  const pipe a = {1.1e-6, 2.3e-7, 187e9, false};
  const pipe b = {a.latency * k, a.gap * k, a.bandwidth * m / k, false};
  const gscale_profile f = {3, {0, 0.3, 1}, {0, 0.8, 1}};

  gsl_test_rel(in_chunks(&b, &f, 51e-6 * k, 7.3e6 * m, 1.1e5 * m, 1),
               in_chunks(&a, &f, 51e-6, 7.3e6, 1.1e5, 1) * k, 1e-12,
               "homogeneous");
}

static void domain(void)
{
  const gscale_profile *f = &gscale_profile_linear;
  const pipe good = {1, 1, 1, false}, late = {-1, 1, 1, false},
             back = {1, -1, 1, false}, lost = {1, 1, (double)NAN, false};

  gsl_test(!isnan(in_chunks(&late, f, 1, 1, 1, 1)), "latency < 0");
  gsl_test(!isnan(in_chunks(&back, f, 1, 1, 1, 1)), "gap < 0");
  gsl_test(!isnan(in_chunks(&lost, f, 1, 1, 1, 1)), "NaN rate");
  gsl_test(!isnan(in_chunks(&good, f, -1, 1, 1, 1)), "compute < 0");
}

/* One function, and what it is for the ways of moving data: the terms on the
 * right are what each would be alone. */
static void flows(void)
{
  const gscale_profile first = {3, {0, 0.4, 1}, {0, 1, 1}};
  const gscale_flow kernel = {.ready = &gscale_profile_linear,
                              .compute = 7.0,
                              .tracking = 0.5,
                              .waiting = 0.25,
                              .slowdown = 0.125,
                              .latency = 3.0,
                              .tail = 1.0};
  const double work = 7.875;
  gscale_flow f = kernel;

  gsl_test_rel(gscale_flow_time(&f), work + 3.0, 1e-15, "no transfer");
  f.ready = NULL;
  f.start = 2.0;
  f.wire = 5.0;
  f.issue = 6.0;
  gsl_test_rel(gscale_flow_time(&f), work + 2.0 + 6.0 + 3.0, 1e-15, "behind");

  f = kernel;
  f.window = 1.0;
  f.burst = 0.2;
  f.wire = 11.0;
  gsl_test_rel(gscale_flow_time(&f), 11.0 + 0.2 * work + 3.0, 1e-15, "stores");
  f.tail = 0.5;
  gsl_test_rel(gscale_flow_time(&f), 11.0 + 0.1 * work + 3.0, 1e-15, "tail");

  f = kernel;
  f.ready = &first;
  f.wire = 5.0;
  gsl_test_rel(gscale_flow_time(&f), 5.0 + 0.6 * work + 3.0, 1e-15, "loads");
  f.wire = 3.0; /* below 0.4 * work */
  gsl_test_rel(gscale_flow_time(&f), work + 3.0, 1e-15,
               "loads that are hidden");
}

/* 7.5 of compute and tracking; chunks of a fifth, of an agent with latency
 * 0.25. */
static void first_bytes(void)
{
  const gscale_profile late = {3, {0, 0.4, 1}, {0, 0, 1}};
  gscale_flow f = {.ready = &gscale_profile_linear,
                   .compute = 7.0,
                   .tracking = 0.5,
                   .latency = 0.25,
                   .tail = 1.0};

  gsl_test(!isnan(gscale_flow_first(&f)), "nothing moves: no first byte");
  f.wire = 5.0;
  f.window = 1.0;
  gsl_test_abs(gscale_flow_first(&f), 0.0, 1e-15, "stores from the beginning");
  f.ready = &late;
  gsl_test_rel(gscale_flow_first(&f), 3.0, 1e-15, "stores of a last part");
  f.ready = NULL;
  f.start = 2.0;
  gsl_test_rel(gscale_flow_first(&f), 9.5, 1e-15, "behind the kernels");
  f.start = 0.0;
  f.ready = &gscale_profile_linear;
  f.bytes = 10.0;
  f.chunk = 2.0;
  gsl_test_rel(gscale_flow_first(&f), 1.75, 1e-15, "a chunk that is complete");
  f.tail = 0.0;
  gsl_test_rel(gscale_flow_first(&f), 0.25, 1e-15, "a chunk that is begun");
  f.tail = 1.0;
  f.held = 0.6;
  gsl_test_rel(gscale_flow_first(&f), 4.75, 1e-15, "held");
  f.compute = -1.0;
  gsl_test(!isnan(gscale_flow_first(&f)), "outside the domain");
}

/* 10 B in chunks of 2; compute 10 with tracking. */
static void flows_in_chunks(void)
{
  gscale_flow f = {.ready = &gscale_profile_linear,
                   .compute = 8.0,
                   .tracking = 2.0,
                   .slowdown = 1.0,
                   .wire = 5.0,
                   .issue = 2.5,
                   .gap = 0.5,
                   .latency = 0.25,
                   .bytes = 10.0,
                   .chunk = 2.0,
                   .tail = 1.0};

  /* compute ends last: its slow-down, and one chunk of 1 s */
  gsl_test_rel(gscale_flow_time(&f), 11.0 + 1.0 + 0.25, 1e-15, "compute");
  f.tail = 0.0;
  gsl_test_rel(gscale_flow_time(&f), 11.0 + 0.25, 1e-15, "no tail");
  f.tail = 1.0;
  f.wire = 20.0; /* 4 s a chunk from 2 s on: 2 + 5 * 4 */
  gsl_test_rel(gscale_flow_time(&f), 22.0 + 0.25, 1e-15, "the link");
  f.held = 0.5; /* none before 5 s */
  gsl_test_rel(gscale_flow_time(&f), 25.0 + 0.25, 1e-15, "held");
  f.held = 0.0;
  f.wire = 5.0;
  f.gap = 3.0; /* 2 + 4 * 3, and 1 for the last */
  gsl_test_rel(gscale_flow_time(&f), 15.0 + 0.25, 1e-15, "the gap");
  f.worker = true; /* 2 + 4 * 3.5, and 1 */
  gsl_test_rel(gscale_flow_time(&f), 17.0 + 0.25, 1e-15, "a worker");
  f.busy = 4.0;
  f.beside = 2.0; /* a chunk 7 for 3.5: 4 s of 10 count as 2, so ready at 1.6 */
  gsl_test_rel(gscale_flow_time(&f), 2.0 + 1.6 + 15.0 + 0.25, 1e-15,
               "a worker beside a busy memory");
}

static void flows_outside(void)
{
  const gscale_flow good = {.compute = 1.0, .tail = 1.0};
  const struct {
    const char *name;
    size_t at;
  } field[] = {{"compute", offsetof(gscale_flow, compute)},
               {"tracking", offsetof(gscale_flow, tracking)},
               {"waiting", offsetof(gscale_flow, waiting)},
               {"slowdown", offsetof(gscale_flow, slowdown)},
               {"busy", offsetof(gscale_flow, busy)},
               {"held", offsetof(gscale_flow, held)},
               {"start", offsetof(gscale_flow, start)},
               {"wire", offsetof(gscale_flow, wire)},
               {"issue", offsetof(gscale_flow, issue)},
               {"latency", offsetof(gscale_flow, latency)},
               {"window", offsetof(gscale_flow, window)},
               {"burst", offsetof(gscale_flow, burst)},
               {"bytes", offsetof(gscale_flow, bytes)},
               {"chunk", offsetof(gscale_flow, chunk)},
               {"gap", offsetof(gscale_flow, gap)},
               {"beside", offsetof(gscale_flow, beside)},
               {"tail", offsetof(gscale_flow, tail)}};

  gsl_test(isnan(gscale_flow_time(&good)), "a kernel is in the domain");
  for (size_t i = 0; i < sizeof field / sizeof *field; i++)
    for (int lost = 0; lost < 2; lost++) {
      gscale_flow f = good;
      *(double *)(void *)((char *)&f + field[i].at) = lost ? (double)NAN : -1.0;
      gsl_test(!isnan(gscale_flow_time(&f)), "%s %s", field[i].name,
               lost ? "NaN" : "< 0");
    }
  gscale_flow f = good;
  f.chunk = 1.0;
  gsl_test(!isnan(gscale_flow_time(&f)), "chunks of nothing");
}

int main(void)
{
  flows();
  first_bytes();
  flows_in_chunks();
  flows_outside();
  recurrence_by_hand();
  published_limits();
  two_faces();
  against_recurrence();
  stores();
  stores_by_hand();
  homogeneous();
  domain();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
