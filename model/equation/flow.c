/* flow.c - transfers that overlap with the kernels that produce the data. */

#include "equation/flow.h"
#include "ground/ground.h"

#include <math.h>

const gscale_profile gscale_profile_linear = {2, {0, 1}, {0, 1}};

/* Positions within this fraction of a chunk (or of all data) are equal.  A
 * chunk that ends where a flat piece of the profile begins is therefore ready
 * before that piece, in spite of rounding errors. */
static const double SAME = 1e-9;

/* Returns the share of time after which the share x of the data is ready, on
 * the piece of the profile that ends at point i. */
static double when_on(const gscale_profile *p, size_t i, double x)
{
  const double rise = p->ready[i] - p->ready[i - 1];
  const double run = p->at[i] - p->at[i - 1];
  return p->at[i - 1] + run * (x - p->ready[i - 1]) / rise;
}

/* Returns the share of the compute time after which the share x of the data is
 * ready.  At a flat piece, data up to x are ready at the start of the piece,
 * and data beyond x at the end. */
static double profile_when(const gscale_profile *p, double x)
{
  for (size_t i = 1; i < p->n; i++)
    if (p->ready[i] > p->ready[i - 1] && x <= p->ready[i] + SAME)
      return fmin(when_on(p, i, x), p->at[i]);
  return 1.0;
}

static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

/* For each piece i of the profile, finds the chunks whose end (or beginning) is
 * in (ready[i-1], ready[i]], except the first and the last chunk. */
static void stretches_of(const gscale_profile *p, const gscale__chunks *c,
                         bool begin, gscale__stretches *out)
{
  const double per_all = 1.0 / c->unit;
  const double shift = c->first * per_all - (begin ? 1.0 : 0.0);

  out->n = 0;
  out->first = profile_when(p, begin ? 0.0 : c->first);
  out->end = begin ? profile_when(p, 1.0 - c->unit) : 1.0;
  for (size_t i = 1; i < p->n && c->n > 2.0; i++) {
    const double rise = p->ready[i] - p->ready[i - 1];
    if (!(rise > 0.0)) continue;
    const double first = gscale__max(
        1.0, gscale__floor(p->ready[i - 1] * per_all - shift + (1.0 + SAME)));
    const double last = smaller(
        c->n - 2.0,
        gscale__floor(p->ready[i] * per_all - shift + (1.0 + SAME)) - 1.0);
    if (first > last) continue;
    const double run = (p->at[i] - p->at[i - 1]) / rise * c->unit;
    const double at = p->at[i - 1] - run * (p->ready[i - 1] * per_all - shift);
    out->piece[out->n++] = (gscale__stretch){first, last, at, run};
  }
}

static gscale__chunks cut_into_chunks(double bytes, double chunk)
{
  const double n =
      gscale__max(1.0, gscale__floor(bytes / chunk + (1.0 - SAME)));

  return (gscale__chunks){.n = n,
                          .unit = smaller(1.0, chunk / bytes),
                          .first = (bytes - (n - 1.0) * chunk) / bytes};
}

/* Returns the maximum over all chunks j of compute * when(position of j) +
 * (n-1-j) step.  `row` is the term of the first chunk, which may be smaller.
 *
 * The term is linear in j on one piece of the profile, so that the first and
 * last chunk of each piece suffice. */
static double latest_chunk(const gscale__stretches *s, double n, double compute,
                           double step, double row)
{
  double worst = gscale__max(compute * s->end, compute * s->first + row);

  for (size_t i = 0; i < s->n; i++) {
    const gscale__stretch *p = &s->piece[i];
    const double slope = compute * p->run;
    const double j = slope > step ? p->last : p->first;
    worst =
        gscale__max(worst, compute * p->at + slope * j + (n - 1.0 - j) * step);
  }
  return worst;
}

/* Returns the time between the starts of two chunks, s, for chunks that take
 * `one`. */
static double step_of(double one, double gap, bool serial)
{
  return serial ? one + gap : gscale__max(one, gap);
}

/* Returns when a kernel that stores directly to peers, and all stores, have
 * ended.  The kernel cannot be ahead of the link by more than `ahead`:
 *
 *   made_i = max( made_(i-1) + (at_i - at_(i-1)) compute,
 *                 m + (ready_i - ahead) transfer ),
 *   m      = max_(j<i) ( made_j - ready_j transfer ),
 *   end    = max( made_n, m + transfer ).
 *
 * Here (at_i, ready_i) are the points of the profile.  The link has moved the
 * share x of the stores at the time m + x * transfer.  Before this time the
 * kernel makes no store beyond the share x + ahead, and does no later work. */
static double end_of_stores(const gscale_profile *f, double compute,
                            double transfer, double ahead)
{
  double made = 0.0, m = 0.0;

  for (size_t i = 1; i < f->n; i++) {
    const double alone = made + (f->at[i] - f->at[i - 1]) * compute;
    made = gscale__max(alone, m + (f->ready[i] - ahead) * transfer);
    m = gscale__max(m, made - f->ready[i] * transfer);
  }
  return gscale__max(made, m + transfer);
}

static const gscale_profile at_the_end = {3, {0, 1, 1}, {0, 0, 1}};

static bool flow_ok(const gscale_flow *f)
{
  return f->compute >= 0.0 && f->tracking >= 0.0 && f->waiting >= 0.0 &&
         f->slowdown >= 0.0 && f->busy >= 0.0 && f->held >= 0.0 &&
         f->held <= 1.0 && f->start >= 0.0 && f->wire >= 0.0 &&
         f->issue >= 0.0 && f->latency >= 0.0 && f->window >= 0.0 &&
         f->burst >= 0.0 && f->burst <= 1.0 && f->bytes >= 0.0 &&
         f->chunk >= 0.0 && f->gap >= 0.0 && f->beside >= 0.0 &&
         f->tail >= 0.0 && f->tail <= 1.0 &&
         !(f->chunk > 0.0 && !(f->bytes > 0.0));
}

static const gscale_profile *profile_of(const gscale_flow *f)
{
  return f->ready ? f->ready : &at_the_end;
}

static double unchunked_time(const gscale_flow *f)
{
  const double work = f->compute + f->tracking + f->waiting + f->slowdown;
  const double transfer = f->start + gscale__max(f->wire, f->issue);

  return end_of_stores(profile_of(f), work, transfer, f->window) +
         f->tail * f->burst * fmin(work, transfer) + f->latency;
}

/* Returns the time of a chunk, s, on the link or in the agent, whichever is
 * slower. */
static double chunk_time(const gscale_flow *f, double slower)
{
  const double share = f->chunk / f->bytes;
  const double issue = slower * (share * f->issue), gap = slower * f->gap;

  return gscale__max(share * f->wire,
                     f->worker ? gap + issue : gscale__max(gap, issue));
}

/* Returns the factor by which chunks are slower while compute keeps the memory
 * busy. */
static double contention_factor(const gscale_flow *f)
{
  const double alone = chunk_time(f, 1.0);

  return f->beside > 1.0 && alone > 0.0 ? chunk_time(f, f->beside) / alone
                                        : 1.0;
}

void gscale__chunks_of(const gscale_flow *f, bool all, gscale__chunks *out)
{
  const gscale__chunks c = cut_into_chunks(f->bytes, f->chunk);

  out->n = c.n;
  out->unit = c.unit;
  out->first = c.first;
  if (all || f->tail < 1.0)
    stretches_of(profile_of(f), out, true, &out->begins);
  if (all || f->tail > 0.0) stretches_of(profile_of(f), out, false, &out->ends);
}

/* Returns the end of a pipeline that overlaps with compute of the length `own`.
 * The end is the weighted mean for chunks that leave with the first byte and
 * for chunks that leave when complete.  No chunk leaves before the share `held`
 * of compute.  With `burst`, a worker takes as long for the first chunk as for
 * a full chunk. */
static double pipe_end(const gscale_flow *f, const gscale__chunks *c,
                       double own, double transfer, double gap)
{
  const double less = f->worker ? c->unit - c->first : 0.0;
  const double step = step_of(c->unit * transfer, gap, f->serial);
  const double one = step_of(
      c->first * transfer, gap - less * f->issue * (1.0 - f->burst), f->serial);
  const double row = c->n > 1.0 ? one + (c->n - 2.0) * step : 0.0;
  const double last = c->unit * transfer;
  double end = 0.0;

  if (f->tail < 1.0)
    end =
        (1.0 - f->tail) *
        gscale__max(own, latest_chunk(&c->begins, c->n, own, step, row) + last);
  if (f->tail > 0.0)
    end += f->tail * (latest_chunk(&c->ends, c->n, own, step, row) + last);
  if (f->held > 0.0) end = gscale__max(end, f->held * own + last + row);
  return end;
}

static double chunked_time(const gscale_flow *f, const gscale__chunks *c)
{
  const double compute = f->compute + f->tracking;
  const double slowed = compute + f->slowdown;
  const double transfer = gscale__max(f->wire, f->issue);
  const double gap = f->gap + (f->worker ? f->issue * c->unit : 0.0);

  if (transfer == 0.0 && gap == 0.0 && f->tail == 0.0)
    return slowed + f->latency;

  const double own = compute - f->busy * (1.0 - 1.0 / contention_factor(f));
  const double end = pipe_end(f, c, own, transfer, gap);
  const double last = gscale__max(f->tail * c->unit * transfer, f->start);
  return gscale__max(compute + (end - own), slowed + last) + f->latency;
}

double gscale__flow_length(const gscale_flow *f, const gscale__chunks *c)
{
  return f->chunk > 0.0 ? chunked_time(f, c) : unchunked_time(f);
}

double gscale_flow_time(const gscale_flow *f)
{
  gscale__chunks c;

  if (!flow_ok(f)) return NAN;
  if (f->chunk > 0.0) gscale__chunks_of(f, false, &c);
  return gscale__flow_length(f, &c);
}

/* Returns the share of compute after which the first byte or the first chunk is
 * ready. */
static double first_ready(const gscale_flow *f)
{
  const gscale_profile *p = f->ready;
  const double first =
      f->chunk > 0.0 ? cut_into_chunks(f->bytes, f->chunk).first : 0.0;

  if (!p) return 1.0;
  return gscale__max(f->held, f->tail * profile_when(p, first) +
                                  (1.0 - f->tail) * profile_when(p, 0.0));
}

double gscale_flow_first(const gscale_flow *f)
{
  const double all = gscale_flow_time(f);
  double first;

  if (!(f->wire > 0.0) && !(f->issue > 0.0) && !(f->bytes > 0.0)) return NAN;
  first = (f->compute + f->tracking) * first_ready(f) + f->start;
  if (f->chunk > 0.0) first += f->latency;
  return all > first ? first : all;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
