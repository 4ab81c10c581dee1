/* mixture.c - predicts a series beyond its runs by the model, extrapolated from
 * the runs, and by laws, as a weighted mean.
 *
 * M(N) is the time by the model with the numbers fitted to the runs, R(N) the
 * measured time, L the last measured N, and T1 the time on the smallest N times
 * that N. Besides the laws there are two answers:
 *
 *   excess = T1/N + (M(N) - T1/N) (R(L) - T1/L) / (M(L) - T1/L)
 *   added  = M(N) + (R(L) - M(L)) (1 - 1/N) / (1 - 1/L), like a serial share,
 *            or M(N) + R(L) - M(L) if R(L) is below the model.
 *
 * Between runs, residuals are interpolated in ln N. The variance of ln(time) of
 * an answer is
 *
 *   v = first^2 + LOOK e^2 + miss^2,
 *
 * where e is the error of the answer on the largest given N if it is predicted
 * from the others, if possible, and miss that of the law fitted to all given N.
 * A special case of another law has no weight beside it. Each weight is 1 / v,
 * at most MOST. The weighted answer is the geometric mean, but not faster than
 * perfect scaling from the last run. Its variance is the mean of v (GROWS
 * log2(N / L))^2 plus the variance between the answers. At a measured N the
 * answer is the run. A paradigm without a series takes the least residual of
 * those with one or, if no runs make a series, that of the runs, like a serial
 * share, if positive, and without a time on one GPU like kernels too. */

#include "validate/conditioning.h"
#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers were chosen by hand on runs of A100, Mustard and this project.
 * Scores on the runs of A100, Mustard and this project are therefore scores of
 * a fit. An answer without a number here has no weight. */
static const double FIRST[RIVALS] = {
    [GSCALE_USL] = 0.1,          [GSCALE_MESSAGES] = 0.25,
    [GSCALE_NORMAL_FORM] = 0.15, [GSCALE_CONTENTION] = 0.12,
    [GSCALE_SUPERLINEAR] = 0.12, [RIVAL_EXCESS] = 0.06,
    [RIVAL_ADDED] = 0.1};
static const double FARTHEST = 5.0; /* largest factor on the model's excess */
static const double LOOK = 0.3;     /* weight of a squared error */
static const double UNSEEN = 0.1;   /* squared error if e is unknown */
static const double GROWS = 1.2;    /* growth of an error per doubling */
static const double MOST = 0.8;     /* largest weight of an answer */
static const double MOSTLY = 0.5;   /* least part of the excess */
static const double REPEAT = 0.01;  /* error of ln(time) between days */

/* ---- model -------------------------------------------------------------- */

typedef struct asked {
  const study *s;
  const rivals *r;
} asked;

static bool is_given(const void *closure, size_t i)
{
  const asked *a = closure;
  size_t k = 0;

  while (k < a->r->fits && a->r->fit[k] != a->s->runs[i].gpus) k++;
  return k < a->r->fits && a->s->trials[i].role == ROLE_SCORED &&
         !a->s->runs[i].asked;
}

static size_t count_given(const asked *a)
{
  size_t n = 0;

  for (size_t i = 0; i < a->s->n; i++) n += is_given(a, i);
  return n;
}

/* Hashes the inputs of the posterior's prediction. */
static uint64_t hash_given(const void *all, size_t i)
{
  const gscale_run *r = &((const gscale_run *)all)[i];
  uint64_t hash = hash_number((uintptr_t)r->program, r->paradigm), bits;

  hash = hash_number(hash, (uint64_t)r->gpus);
  memcpy(&bits, &r->off, sizeof bits);
  return hash_number(hash, bits);
}

static bool same_given(const void *all, size_t i, size_t j)
{
  const gscale_run *a = &((const gscale_run *)all)[i],
                   *b = &((const gscale_run *)all)[j];

  return a->program == b->program && a->paradigm == b->paradigm &&
         a->gpus == b->gpus &&
         memcmp(&a->knobs, &b->knobs, sizeof a->knobs) == 0 &&
         memcmp(&a->off, &b->off, sizeof a->off) == 0 &&
         memcmp(&a->known, &b->known, sizeof a->known) == 0;
}

/* Predicts each step only once, even if the step has several runs. */
static int predict_given(const study *s, rivals *r, const given *g,
                         gscale_posterior *p, failure *why)
{
  gscale_diag diag;
  size_t *first = group_rows(s->n, (likeness){hash_given, same_given, g->run});
  size_t *known = first ? malloc(s->n * sizeof *known) : NULL;
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; known && i < s->n; i++) known[i] = NO_ROW;
  for (size_t i = 0; known && st == GSCALE_OK && i < s->n; i++) {
    size_t *same = &known[first[i]];

    if (!rivals_scores(s, r, i)) continue;
    if (*same == NO_ROW)
      st = gscale_posterior_predict(p, &g->run[i], &r->time[i][RIVAL_GIVEN],
                                    &r->bare[i], &r->err[i], &diag);
    if (*same == NO_ROW) *same = i;
    r->time[i][RIVAL_GIVEN] = r->time[*same][RIVAL_GIVEN];
    r->bare[i] = r->bare[*same];
    r->err[i] = r->err[*same];
  }
  const bool room = known;
  free(first);
  free(known);
  if (!room) return no_memory(why);
  return check_gscale(why, st, &diag);
}

static int learn(const gscale_posterior *p, gscale_system *s, failure *why)
{
  gscale_diag diag;
  return check_gscale(why, gscale_posterior_apply(p, s, &diag), &diag);
}

/* Takes the predictions without runs. Asked steps take residuals of other
 * machines, because the numbers cannot be fitted to runs of this machine. */
static void predict_elsewhere(const study *s, rivals *r)
{
  for (size_t i = 0; i < s->n; i++) {
    const trial *t = &s->trials[i];

    if (!(t->time > 0.0)) continue;
    const double all = pow(asinh(t->err / t->time), 2.0);
    const double own = fmax(0.0, all - pow(t->of_parameters / t->time, 2.0));

    r->bare[i] = t->time * exp(t->off);
    if (!s->runs[i].asked) continue;
    r->time[i][RIVAL_GIVEN] = r->bare[i];
    r->err[i] = sqrt(fmax(0.0, all - t->known * own));
  }
}

static int give_runs(const study *s, rivals *r, failure *why)
{
  const asked a = {s, r};
  given g;
  gscale_posterior *p = NULL;
  size_t *row = NULL, n;
  int st = given_load(&g, s, why);

  if (st == EXIT_OK)
    st = given_fit(&g, s->system, 1.0, is_given, &a, &p, &row, &n, why);
  for (size_t k = 0; st == EXIT_OK && k < n; k++)
    r->bare[row[k]] = gscale_posterior_run(p, k)->bare;
  if (st == EXIT_OK) st = predict_given(s, r, &g, p, why);
  if (st == EXIT_OK && r->learned) st = learn(p, r->learned, why);
  gscale_posterior_free(p);
  free(row);
  given_free(&g);
  return st;
}

/* ---- answers of a series ------------------------------------------------ */

/* Returns the model's time at a point. On one GPU the model's time is the
 * measured time. */
static double model_at(const rivals *r, const points *p, size_t k)
{
  return p->gpus[k] == 1 ? p->time[k] : r->bare[p->run[k]];
}

/* Returns ln(time / at) at n GPUs. Between points the residual is linear in ln
 * n, and outside the points the residual of the nearest point is used. */
static double residual_at(const points *p, const double *at, int n)
{
  size_t b = 0;

  while (b < p->n && p->gpus[b] < n) b++;
  const size_t hi = b < p->n ? b : p->n - 1, lo = b > 0 ? b - 1 : 0;
  const double above = log(p->time[hi] / at[hi]);
  const double below = log(p->time[lo] / at[lo]);
  const double wide = log((double)p->gpus[hi] / p->gpus[lo]);

  if (!(wide > 0.0)) return above;
  return below + (above - below) * log((double)n / p->gpus[lo]) / wide;
}

void rivals_carry(const rivals *r, const points *p, int gpus, double bare,
                  double *time)
{
  const size_t last = p->n - 1;
  const double first =
      p->time[0] * p->gpus[0]; /* time of perfect scaling times N */

  if (gpus < p->gpus[last]) {
    double at[GPUS_LISTED];

    for (size_t k = 0; k < p->n; k++) at[k] = model_at(r, p, k);
    time[RIVAL_ADDED] = bare * exp(residual_at(p, at, gpus));
    return;
  }
  const double ran = p->time[last], said = model_at(r, p, last);
  const double part =
      (ran - first / p->gpus[last]) / (said - first / p->gpus[last]);

  const double share =
      ran > said ? (1.0 - 1.0 / gpus) / (1.0 - 1.0 / p->gpus[last]) : 1.0;

  time[RIVAL_ADDED] = bare + (ran - said) * share;
  if (part > 0.0 && part < FARTHEST && said > first / p->gpus[last])
    time[RIVAL_EXCESS] = first / gpus + (bare - first / gpus) * part;
}

/* ---- weights ------------------------------------------------------------ */

/* Returns whether an answer has a weight. The superlinear law needs three N,
 * because its gain on two N may be the noise of a run. */
static bool takes_part(const double *time, size_t k, bool three)
{
  return FIRST[k] > 0.0 && time[k] > 0.0 &&
         (three || k != GSCALE_SUPERLINEAR) &&
         !(k == GSCALE_CONTENTION && time[GSCALE_USL] > 0.0);
}

/* Limits the largest of several weights to MOST. */
static void limit(double *weight, double all)
{
  size_t most = 0;

  for (size_t k = 0; k < RIVALS; k++) {
    weight[k] /= all;
    if (weight[k] > weight[most]) most = k;
  }
  const double rest = 1.0 - weight[most];
  if (!(weight[most] > MOST) || !(rest > 1e-9)) return;
  for (size_t k = 0; k < RIVALS; k++)
    weight[k] *= k == most ? MOST / weight[k] : (1.0 - MOST) / rest;
}

/* Uses the model alone if no answer of the series exists, but not faster than
 * perfect scaling from a run. */
static void stand_alone(rivals *r, size_t i, int gpus, double perfect)
{
  const int last = r->fits > 0 ? r->fit[r->fits - 1] : gpus;
  const double over = fmax(0.0, log2((double)gpus / last));
  double *const time = r->time[i];

  if (isnan(time[RIVAL_GIVEN])) return;
  time[RIVAL_WEIGHTED] = fmax(time[RIVAL_GIVEN], perfect);
  r->weighted[i] = hypot(r->err[i], FIRST[RIVAL_ADDED] * GROWS * over) +
                   log(time[RIVAL_WEIGHTED] / time[RIVAL_GIVEN]);
  r->weight[i][RIVAL_GIVEN] = 1.0;
}

/* Returns the number of doublings from the nearest point to a step. */
static double doublings(const points *p, int gpus)
{
  double least = INFINITY;

  for (size_t k = 0; k < p->n; k++)
    least = fmin(least, fabs(log2((double)gpus / p->gpus[k])));
  return least;
}

void rivals_mix(rivals *r, size_t i, const points *p, int gpus,
                const double *ran, const double *seen)
{
  double *const time = r->time[i], *const weight = r->weight[i];
  const int last = p->n > 0 ? p->gpus[p->n - 1] : 1;
  const double perfect =
      last > 1 && gpus > last ? p->time[p->n - 1] * last / gpus : 0.0;
  const double grown = GROWS * doublings(p, gpus);
  const bool three = seen && !isnan(seen[GSCALE_CONTENTION]);
  double v[RIVALS], all = 0.0, sum = 0.0, spread = REPEAT * REPEAT;

  for (size_t k = 0; k < RIVALS; k++) {
    const double e = seen ? log(seen[k] / p->time[p->n - 1]) : 0.0;
    const double off = isnan(e) ? three * UNSEEN : e * e;
    const double miss = isnan(ran[k]) ? 0.0 : log(ran[k] / p->time[p->n - 1]);

    v[k] = FIRST[k] * FIRST[k] + LOOK * off + miss * miss;
    weight[k] = takes_part(time, k, three) ? 1.0 / v[k] : 0.0;
    all += weight[k];
  }
  if (!(all > 0.0)) {
    stand_alone(r, i, gpus, perfect);
    return;
  }
  limit(weight, all);
  const double floor = weight[GSCALE_SUPERLINEAR] > 0.0 ? 0.0 : perfect;
  for (size_t k = 0; k < RIVALS; k++)
    if (weight[k] > 0.0) sum += weight[k] * log(fmax(time[k], floor));
  for (size_t k = 0; k < RIVALS; k++)
    if (weight[k] > 0.0)
      spread += weight[k] * (v[k] * grown * grown +
                             pow(log(fmax(time[k], floor)) - sum, 2.0));
  time[RIVAL_WEIGHTED] = exp(sum);
  /* If the answer is below Amdahl's law, the interval includes the law. */
  r->weighted[i] = fmax(sqrt(spread), log(time[GSCALE_CONTENTION]) - sum);
}

/* ---- paradigms without a series ----------------------------------------- */

/* A step teaches step i of the same program: an asked one on its N with a
 * series or, without one, a run on another N or by another paradigm. */
static bool teaches(const study *s, const rivals *r, size_t k, size_t i,
                    bool mixed)
{
  const run *x = &s->runs[k], *y = &s->runs[i];

  if (x->program != y->program || x->gpus < 2) return false;
  return mixed ? x->asked && x->gpus == y->gpus &&
                     !(r->weight[k][RIVAL_GIVEN] > 0.0)
               : !x->asked;
}

/* Returns the residual that step k leaves on the N of step i (s).  That of a
 * run is a serial share. */
static double left_at(const study *s, const rivals *r, size_t k, size_t i,
                      bool mixed)
{
  const double n = s->runs[i].gpus, last = s->runs[k].gpus;

  if (mixed) return r->time[k][RIVAL_ADDED] - r->bare[k];
  return (s->runs[k].time - r->bare[k]) * (1.0 - 1.0 / n) / (1.0 - 1.0 / last);
}

/* Returns the step with the least residual, one by the same paradigm first. */
static size_t least_residual(const study *s, const rivals *r, size_t i,
                             bool mixed)
{
  size_t best = NO_ROW;
  double least = INFINITY;
  bool own = false;

  for (size_t k = 0; k < s->n; k++) {
    const double left = left_at(s, r, k, i, mixed);
    const bool same = s->runs[k].paradigm == s->runs[i].paradigm;

    if (!teaches(s, r, k, i, mixed) || isnan(left) || same < own ||
        (same == own && !(left < least)))
      continue;
    least = left;
    own = same;
    best = k;
  }
  return best;
}

static bool knows_single(const study *s, size_t i)
{
  return s->trials[i].given || runs_single(s->runs, s->n, &s->runs[i]);
}

/* Without a time on one GPU, the residual of run k may be a factor on every N,
 * as of kernels, or grow from one GPU on like a serial share.  The answer is
 * their geometric mean, weighted by the share of kernels in the step. */
static void carry_both(const study *s, rivals *r, size_t k, size_t i)
{
  double *const time = &r->time[i][RIVAL_WEIGHTED];
  const double factor = s->runs[k].time / r->bare[k];
  const double grown = 1.0 + fmax(0.0, left_at(s, r, k, i, false)) / r->bare[i];
  const double kernels = fmin(1.0, s->trials[k].infinite / r->bare[k]);
  const double apart = log(factor / grown);

  r->single = kernels * log(factor);
  *time = r->bare[i] * grown * exp(kernels * apart);
  r->weighted[i] = hypot(r->err[i], sqrt(kernels * (1.0 - kernels)) * apart);
}

/* Gives steps without a series the least residual of those with one. */
static void carry_over(const study *s, rivals *r)
{
  for (size_t i = 0; i < s->n; i++) {
    if (!s->runs[i].asked || !(r->weight[i][RIVAL_GIVEN] > 0.0)) continue;
    size_t of = least_residual(s, r, i, true);
    const bool mixed = of != NO_ROW;
    double *const time = &r->time[i][RIVAL_WEIGHTED];

    if (!mixed) of = least_residual(s, r, i, false);
    if (!mixed && of != NO_ROW && !knows_single(s, i)) {
      carry_both(s, r, of, i);
      continue;
    }
    if (s->runs[i].gpus < 2) continue;
    const double left = of == NO_ROW ? 0.0 : left_at(s, r, of, i, mixed);
    if (!(left > 0.0)) continue;
    const double own = *time * r->err[i];
    const double its =
        mixed ? r->time[of][RIVAL_WEIGHTED] * r->weighted[of] : MOSTLY * left;
    *time = mixed ? *time + left : fmax(*time, r->bare[i] + left);
    /* If most of the excess is not in the description, no paradigm avoids it.
     */
    if (left >
        MOSTLY * (r->time[of][GSCALE_CONTENTION] - s->trials[of].infinite))
      *time = fmax(*time, r->time[of][GSCALE_CONTENTION]);
    r->weighted[i] = hypot(own, its) / *time;
  }
}

/* ---- measurements ------------------------------------------------------- */

/* On one GPU the paradigm does not matter, because nothing moves. */
static bool same_step(const void *all, size_t i, size_t j)
{
  const run *x = &((const run *)all)[i], *y = &((const run *)all)[j];

  return x->gpus == 1 && y->gpus == 1 ? runs_alike(x, y) : runs_same_row(x, y);
}

static uint64_t hash_step(const void *all, size_t i)
{
  const run *r = &((const run *)all)[i];

  return hash_number(hash_text(0, r->program), (uint64_t)r->gpus);
}

/* Sets an asked step to the mean of its measurements. Repeats do not reduce the
 * error between days. The chain `next` lists the runs, starting with
 * `first`. */
static void take_measured(const study *s, rivals *r, size_t i, size_t first,
                          const size_t *next)
{
  double sum = 0.0, square = 0.0, n = 0.0;
  bool own = false; /* a run has its paradigm */

  for (size_t k = first; k != NO_ROW; k = next[k])
    own = own ||
          (!s->runs[k].asked && s->runs[k].paradigm == s->runs[i].paradigm);
  for (size_t k = first; k != NO_ROW; k = next[k]) {
    const run *one = &s->runs[k];

    if (one->asked || (own && one->paradigm != s->runs[i].paradigm)) continue;
    sum += log(one->time);
    square += pow(one->sigma / one->time, 2.0);
    n += 1.0;
  }
  if (!(n > 0.0)) return;
  for (size_t k = 0; k < RIVALS; k++) r->weight[i][k] = k == RIVAL_WEIGHTED;
  r->time[i][RIVAL_WEIGHTED] = exp(sum / n);
  r->weighted[i] = sqrt(square / (n * n) + REPEAT * REPEAT);
}

static int take_all_measured(const study *s, rivals *r, failure *why)
{
  size_t *first = group_rows(s->n, (likeness){hash_step, same_step, s->runs});
  size_t *next = first ? chain_rows(s->n, first) : NULL;

  for (size_t i = 0; next && i < s->n; i++)
    if (s->runs[i].asked) take_measured(s, r, i, first[i], next);
  const bool room = next;
  free(first);
  free(next);
  return room ? EXIT_OK : no_memory(why);
}

/* Returns whether the model cannot be fitted to the runs. */
static bool is_refused(int status)
{
  return status == EXIT_DATA || status == EXIT_NO;
}

static void give_up(const study *s, rivals *r, const char *reason)
{
  snprintf(r->reason[RIVAL_GIVEN], sizeof r->reason[RIVAL_GIVEN],
           "ours-given: %.200s", reason);
  for (size_t i = 0; i < s->n; i++)
    r->unfitted[RIVAL_GIVEN] += rivals_scores(s, r, i);
}

int rivals_model(const study *s, rivals *r, failure *why)
{
  const asked a = {s, r};
  const bool any = count_given(&a) > 0;

  if (!s->system) return EXIT_OK; /* frozen predictions, or no description */
  const int st = any ? give_runs(s, r, why) : EXIT_OK;
  if (is_refused(st))
    give_up(s, r, why->text); /* other answers accept any runs */
  if (is_refused(st) || !any) predict_elsewhere(s, r);
  return is_refused(st) ? EXIT_OK : st;
}

int rivals_finish(const study *s, rivals *r, failure *why)
{
  if (!s->system && !s->bare) return EXIT_OK;
  carry_over(s, r);
  const int st = take_all_measured(s, r, why);
  if (st == EXIT_OK && r->wants_next) rivals_next(s, r);
  return st;
}

void print_weights(const rivals *r, size_t i, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t k = 0; k < RIVALS; k++)
    if (r->weight[i][k] >= 0.005)
      gscale_append(text, size, "%s%s %.0f%%", *text ? ", " : "",
                    k == RIVAL_WEIGHTED ? "measured" : rival_name(k),
                    100.0 * r->weight[i][k]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
