/* flow.c - transfers that start while data is still being produced. */

#include "equation/flow.h"
#include "ground/ground.h"

#include <math.h>
#include <string.h>

const gscale_profile gscale_profile_linear = {2, {0, 1}, {0, 1}};

/* Positions that agree to this fraction of a chunk (or of all data) are one:
 * a chunk that ends where a flat piece of the profile begins is ready before
 * the flat piece, however the division was rounded. */
static const double SAME = 1e-9;

/* Time share at which the data share x is ready, on the piece that ends at
 * point i. */
static double when_on(const gscale_profile *p, size_t i, double x)
{
  const double rise = p->ready[i] - p->ready[i - 1];
  const double run = p->at[i] - p->at[i - 1];
  return p->at[i - 1] + run * (x - p->ready[i - 1]) / rise;
}

/* Share of the compute time after which the share x of the data is ready; where
 * the profile is flat, the end of the flat piece for data beyond it, its
 * beginning for data up to it. */
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

/* Stretches of the chunks between the first and the last with positions in
 * (ready[i-1], ready[i]] of a profile, at the chunk's end, or its beginning. */
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

static gscale__chunks cut_up(double bytes, double chunk)
{
  const double n =
      gscale__max(1.0, gscale__floor(bytes / chunk + (1.0 - SAME)));

  return (gscale__chunks){.n = n,
                          .unit = smaller(1.0, chunk / bytes),
                          .first = (bytes - (n - 1.0) * chunk) / bytes};
}

#define EACH GSCALE__EACH_OF(n)

/* max over chunks j of  compute * when(position of j) + (n-1-j) step; `row` is
 * that of the first, which may be smaller.
 *
 * On one piece of the profile this is linear in j, so its first and last chunk
 * suffice. */
GSCALE__TEMPLATE void latest(int n, const gscale__stretches *s, double chunks,
                             const double *compute, const double *step,
                             const double *row, double *worst)
{
  EACH worst[k] =
      gscale__larger(n, compute[k] * s->end, compute[k] * s->first + row[k]);
  for (size_t i = 0; i < s->n; i++) {
    const gscale__stretch *p = &s->piece[i];
    EACH
    {
      const double slope = compute[k] * p->run;
      const double j = slope > step[k] ? p->last : p->first;
      worst[k] = gscale__larger(n, worst[k],
                                compute[k] * p->at + slope * j +
                                    (chunks - 1.0 - j) * step[k]);
    }
  }
}

/* s between the starts of two chunks, of which one takes so long. */
GSCALE__TEMPLATE double step_of(int n, double one, double gap, bool serial)
{
  return serial ? one + gap : gscale__larger(n, one, gap);
}

/* End of a kernel that stores straight to its peers, and of its stores: it
 * cannot run ahead of the link by more than what may be on its way.
 *
 *   made_i = max( made_(i-1) + (at_i - at_(i-1)) compute,
 *                 m + (ready_i - ahead) transfer )
 *   m      = max_(j<i) ( made_j - ready_j transfer )
 *   end    = max( made_n, m + transfer )
 *
 * over the points (at, ready) of the profile: the link has moved a share x of
 * the stores at m + x transfer, and until then none beyond x + ahead is made,
 * nor what the kernel does after that. */
GSCALE__TEMPLATE void end_of_stores(int n, const gscale_profile *f,
                                    const double *compute,
                                    const double *transfer, const double *ahead,
                                    double *end)
{
  double made[GSCALE__AT_ONCE], m[GSCALE__AT_ONCE];

  EACH made[k] = m[k] = 0.0;
  for (size_t i = 1; i < f->n; i++) {
    const double run = f->at[i] - f->at[i - 1], ready = f->ready[i];
    EACH
    {
      made[k] = gscale__larger(n, made[k] + run * compute[k],
                               m[k] + (ready - ahead[k]) * transfer[k]);
      m[k] = gscale__larger(n, m[k], made[k] - ready * transfer[k]);
    }
  }
  EACH end[k] = gscale__larger(n, made[k], m[k] + transfer[k]);
}

/* ---- a transfer with its producer ---------------------------------------- */

static const gscale_profile at_the_end = {3, {0, 1, 1}, {0, 0, 1}};

static const gscale_profile *profile_of(const gscale_flow *f)
{
  return f->ready ? f->ready : &at_the_end;
}

/* A number of flow k. */
#define OF(number) of[(int)(number)*n + k]

/* Whether some number is positive. */
GSCALE__TEMPLATE bool any(int n, const double *of)
{
  double positive = 0.0;

  EACH positive += of[k] > 0.0 ? 1.0 : 0.0;
  return positive > 0.0;
}

GSCALE__TEMPLATE void in_small_pieces(int n, const gscale_flow *like,
                                      const double *of, double *end)
{
  double work[GSCALE__AT_ONCE], transfer[GSCALE__AT_ONCE];

  EACH
  {
    work[k] = OF(GSCALE__FLOW_COMPUTE) + OF(GSCALE__FLOW_TRACKING) +
              OF(GSCALE__FLOW_WAITING) + OF(GSCALE__FLOW_SLOWDOWN);
    transfer[k] =
        OF(GSCALE__FLOW_START) +
        gscale__larger(n, OF(GSCALE__FLOW_WIRE), OF(GSCALE__FLOW_ISSUE));
  }
  end_of_stores(n, profile_of(like), work, transfer,
                of + (int)GSCALE__FLOW_WINDOW * n, end);
  EACH end[k] += OF(GSCALE__FLOW_TAIL) * OF(GSCALE__FLOW_BURST) *
                     smaller(work[k], transfer[k]) +
                 OF(GSCALE__FLOW_LATENCY);
}

/* s, of a chunk, by whoever holds it up: the link, and who moves it. */
GSCALE__TEMPLATE double pace(int n, bool worker, double wire, double issue,
                             double gap)
{
  return gscale__larger(n, wire,
                        worker ? gap + issue : gscale__larger(n, gap, issue));
}

/* s of compute that the pipe sees the less of, as chunks take longer while it
 * keeps the memory busy. */
GSCALE__TEMPLATE void less_beside(int n, const gscale_flow *like,
                                  const double *of, double *own)
{
  const double share = like->chunk / like->bytes;

  EACH
  {
    const double wire = share * OF(GSCALE__FLOW_WIRE),
                 issue = share * OF(GSCALE__FLOW_ISSUE),
                 gap = OF(GSCALE__FLOW_GAP), beside = OF(GSCALE__FLOW_BESIDE);
    const double alone = pace(n, like->worker, wire, issue, gap);
    const double longer =
        pace(n, like->worker, wire, beside * issue, beside * gap);
    const double slower = longer / alone;
    const double less = OF(GSCALE__FLOW_BUSY) * (1.0 - 1.0 / slower);
    own[k] -= ((beside > 1.0) & (alone > 0.0)) ? less : 0.0;
  }
}

void gscale__chunks_of(const gscale_flow *f, bool all, gscale__chunks *out)
{
  const gscale__chunks c = cut_up(f->bytes, f->chunk);

  out->n = c.n;
  out->unit = c.unit;
  out->first = c.first;
  if (all || f->tail < 1.0)
    stretches_of(profile_of(f), out, true, &out->begins);
  if (all || f->tail > 0.0) stretches_of(profile_of(f), out, false, &out->ends);
}

/* The pipe beside compute of this length: in the mean of chunks that leave with
 * their first byte and when they are complete; `held`: all chunks after that
 * share of compute; `burst`: a worker takes as long for the first as for a
 * whole one. */
GSCALE__TEMPLATE void pipe_end(int n, const gscale_flow *like, const double *of,
                               const gscale__chunks *c, const double *own,
                               const double *transfer, const double *gap,
                               double *end)
{
  double step[GSCALE__AT_ONCE], row[GSCALE__AT_ONCE], at[GSCALE__AT_ONCE];
  double first[GSCALE__AT_ONCE], late[GSCALE__AT_ONCE];
  const double less = like->worker ? c->unit - c->first : 0.0;

  EACH
  {
    const double tail = OF(GSCALE__FLOW_TAIL);
    const double before =
        gap[k] - less * OF(GSCALE__FLOW_ISSUE) * (1.0 - OF(GSCALE__FLOW_BURST));
    step[k] = step_of(n, c->unit * transfer[k], gap[k], like->serial);
    row[k] = step_of(n, c->first * transfer[k], before, like->serial) +
             (c->n - 2.0) * step[k];
    row[k] = c->n > 1.0 ? row[k] : 0.0;
    first[k] = 1.0 - tail;
    late[k] = OF(GSCALE__FLOW_HELD);
    end[k] = 0.0;
  }
  if (any(n, first)) {
    latest(n, &c->begins, c->n, own, step, row, at);
    EACH end[k] =
        first[k] * gscale__larger(n, own[k], at[k] + c->unit * transfer[k]);
  }
  if (any(n, of + (int)GSCALE__FLOW_TAIL * n)) {
    latest(n, &c->ends, c->n, own, step, row, at);
    EACH end[k] += OF(GSCALE__FLOW_TAIL) * (at[k] + c->unit * transfer[k]);
  }
  if (!any(n, late)) return;
  EACH
  {
    const double after = late[k] * own[k] + c->unit * transfer[k] + row[k];
    const double both = gscale__larger(n, end[k], after);
    end[k] = late[k] > 0.0 ? both : end[k];
  }
}

GSCALE__TEMPLATE void in_chunks(int n, const gscale_flow *like,
                                const double *of, const gscale__chunks *c,
                                double *end)
{
  double transfer[GSCALE__AT_ONCE], gap[GSCALE__AT_ONCE], own[GSCALE__AT_ONCE],
      more[GSCALE__AT_ONCE];

  EACH
  {
    const double wire = OF(GSCALE__FLOW_WIRE), issue = OF(GSCALE__FLOW_ISSUE);
    transfer[k] = gscale__larger(n, wire, issue);
    gap[k] = OF(GSCALE__FLOW_GAP) + (like->worker ? issue * c->unit : 0.0);
    own[k] = OF(GSCALE__FLOW_COMPUTE) + OF(GSCALE__FLOW_TRACKING);
    more[k] = OF(GSCALE__FLOW_BESIDE) - 1.0;
  }
  if (any(n, more)) less_beside(n, like, of, own);
  pipe_end(n, like, of, c, own, transfer, gap, end);
  EACH
  {
    const double tail = OF(GSCALE__FLOW_TAIL);
    const double compute = OF(GSCALE__FLOW_COMPUTE) + OF(GSCALE__FLOW_TRACKING);
    const double slowed = compute + OF(GSCALE__FLOW_SLOWDOWN);
    const bool none = (transfer[k] == 0.0) & (gap[k] == 0.0) & (tail == 0.0);
    const double last =
        gscale__larger(n, tail * c->unit * transfer[k], OF(GSCALE__FLOW_START));
    const double both =
        gscale__larger(n, compute + (end[k] - own[k]), slowed + last);
    end[k] = (none ? slowed : both) + OF(GSCALE__FLOW_LATENCY);
  }
}

GSCALE__TEMPLATE void lengths_of(int n, const gscale_flow *like,
                                 const double *of, const gscale__chunks *c,
                                 double *length)
{
  if (like->chunk > 0.0)
    in_chunks(n, like, of, c, length);
  else
    in_small_pieces(n, like, of, length);
}

GSCALE__TEMPLATE void list_numbers(const gscale_flow *f, double *of, int n)
{
  of[GSCALE__FLOW_COMPUTE * n] = f->compute;
  of[GSCALE__FLOW_BUSY * n] = f->busy;
  of[GSCALE__FLOW_WIRE * n] = f->wire;
  of[GSCALE__FLOW_SLOWDOWN * n] = f->slowdown;
  of[GSCALE__FLOW_ISSUE * n] = f->issue;
  of[GSCALE__FLOW_GAP * n] = f->gap;
  of[GSCALE__FLOW_START * n] = f->start;
  of[GSCALE__FLOW_TRACKING * n] = f->tracking;
  of[GSCALE__FLOW_TAIL * n] = f->tail;
  of[GSCALE__FLOW_LATENCY * n] = f->latency;
  of[GSCALE__FLOW_WAITING * n] = f->waiting;
  of[GSCALE__FLOW_HELD * n] = f->held;
  of[GSCALE__FLOW_WINDOW * n] = f->window;
  of[GSCALE__FLOW_BURST * n] = f->burst;
  of[GSCALE__FLOW_BESIDE * n] = f->beside;
}

/* Whether a flow is in its domain: no number is negative, and shares end at 1.
 */
static inline bool check(const gscale_flow *like, const double *of)
{
  bool ok = like->bytes >= 0.0 && like->chunk >= 0.0 &&
            (!(like->chunk > 0.0) || like->bytes > 0.0);

  for (int i = 0; ok && i < GSCALE__FLOW_NUMBERS; i++) ok = of[i] >= 0.0;
  return ok && of[GSCALE__FLOW_HELD] <= 1.0 && of[GSCALE__FLOW_BURST] <= 1.0 &&
         of[GSCALE__FLOW_TAIL] <= 1.0;
}

void gscale__flow_numbers(const gscale_flow *f, double *of, int n)
{
  list_numbers(f, of, n);
}

static bool same_profile(const gscale_profile *a, const gscale_profile *b)
{
  if (a == b) return true;
  return a && b && a->n == b->n &&
         memcmp(a->at, b->at, a->n * sizeof *a->at) == 0 &&
         memcmp(a->ready, b->ready, a->n * sizeof *a->ready) == 0;
}

bool gscale__flow_alike(const gscale_flow *a, const gscale_flow *b)
{
  return a->worker == b->worker && a->serial == b->serial &&
         a->chunk == b->chunk && a->bytes == b->bytes &&
         same_profile(a->ready, b->ready);
}

bool gscale__flow_ok(const gscale_flow *f)
{
  double of[GSCALE__FLOW_NUMBERS];

  list_numbers(f, of, 1);
  return check(f, of);
}

double gscale__flow_length_of(const gscale_flow *like, const double *of,
                              const gscale__chunks *c)
{
  double length;

  lengths_of(1, like, of, c, &length);
  return length;
}

GSCALE__WIDE void gscale__flow_lengths(const gscale_flow *like,
                                       const double *of,
                                       const gscale__chunks *c, double *length)
{
  lengths_of(GSCALE__AT_ONCE, like, of, c, length);
}

GSCALE__WIDE void gscale__flows_refuse(const double *of, double *length)
{
  static const int shares[] = {GSCALE__FLOW_HELD, GSCALE__FLOW_BURST,
                               GSCALE__FLOW_TAIL};
  gscale__lanes wrong;

  GSCALE__EACH wrong.v[k] = 0.0;
  for (int i = 0; i < GSCALE__FLOW_NUMBERS; i++)
    GSCALE__EACH wrong.v[k] += of[i * GSCALE__AT_ONCE + k] >= 0.0 ? 0.0 : 1.0;
  for (int i = 0; i < 3; i++)
    GSCALE__EACH wrong.v[k] +=
        of[shares[i] * GSCALE__AT_ONCE + k] <= 1.0 ? 0.0 : 1.0;
  GSCALE__EACH length[k] = wrong.v[k] > 0.0 ? (double)NAN : length[k];
}

double gscale__flow_length(const gscale_flow *f, const gscale__chunks *c)
{
  double of[GSCALE__FLOW_NUMBERS], length;

  list_numbers(f, of, 1);
  lengths_of(1, f, of, c, &length);
  return length;
}

double gscale_flow_time(const gscale_flow *f)
{
  double of[GSCALE__FLOW_NUMBERS], length;
  gscale__chunks c;

  list_numbers(f, of, 1);
  if (!check(f, of)) return (double)NAN;
  if (f->chunk > 0.0) gscale__chunks_of(f, false, &c);
  lengths_of(1, f, of, &c, &length);
  return length;
}

/* Share of the compute time after which the first byte, or chunk, is ready. */
static double first_ready(const gscale_flow *f)
{
  const gscale_profile *p = f->ready;
  const double first = f->chunk > 0.0 ? cut_up(f->bytes, f->chunk).first : 0.0;

  if (!p) return 1.0;
  return gscale__max(f->held, f->tail * profile_when(p, first) +
                                  (1.0 - f->tail) * profile_when(p, 0.0));
}

double gscale_flow_first(const gscale_flow *f)
{
  const double all = gscale_flow_time(f);
  double first;

  if (!(f->wire > 0.0) && !(f->issue > 0.0) && !(f->bytes > 0.0))
    return (double)NAN;
  first = (f->compute + f->tracking) * first_ready(f) + f->start;
  if (f->chunk > 0.0) first += f->latency;
  return all > first ? first : all;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
