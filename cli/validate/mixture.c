/* mixture.c - the model's prediction given measured runs, weighted with laws.
 *
 * Each answer also predicts the runs on the largest given N without them.  Its
 * mean square error of ln(time) is assumed to be
 *
 *   f^2 = (2 b^2 + sum over the series of its file) / (2 + their number)
 *   e^2 = (own^2 + f^2) / 2     of a series with such an N, else f^2
 *
 * so that one lucky hit has little effect.  Its weight is 1 / e^4.  The values
 * b = 10 %, the two and the half are assumed.  The weighted answer is the
 * geometric mean.  Its variance is the mean of the answers' variances, which
 * grow as e^2 (N - last), plus the variance between the answers.  The model
 * or contention answers alone if there is no such N. */

#include "validate/conditioning.h"
#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BEFORE = 0.1; /* prior error of any answer */
static const double COUNTS = 2.0; /* weight of the prior, in runs */

/* This value is fitted. 68 % of the contention rows on 3 GPUs, given the runs
 * on 1 and 2, have at most this |ln(time / measured)| (h200x4 and h200x8). */
static const double TWO_ONLY = 0.15;

static bool is_candidate(size_t rival)
{
  return rival != RIVAL_SCALED && rival != RIVAL_WEIGHTED;
}

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

/* Hashes inputs of the posterior's prediction. */
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

/* Predicts each step once, even if it has several runs. */
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
                                    &r->err[i], &diag);
    if (*same == NO_ROW) *same = i;
    r->time[i][RIVAL_GIVEN] = r->time[*same][RIVAL_GIVEN];
    r->err[i] = r->err[*same];
  }
  const bool room = known != NULL;
  free(first);
  free(known);
  if (!room) return fail(why, EXIT_INTERNAL, "no memory to predict runs");
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

/* Takes the unconditioned prediction, because the given runs are too few. */
static void predict_alone(const study *s, rivals *r)
{
  for (size_t i = 0; i < s->n; i++)
    if (rivals_scores(s, r, i)) r->time[i][RIVAL_GIVEN] = s->trials[i].time;
}

static int learn(const gscale_posterior *p, gscale_system *s, failure *why)
{
  gscale_diag diag;
  const gscale_status st = gscale_posterior_apply(p, s, &diag);

  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

/* Predicts asked steps by the residuals of other machines, because no run on
 * several GPUs of this machine is given. */
static void predict_elsewhere(const study *s, rivals *r)
{
  for (size_t i = 0; i < s->n; i++) {
    const trial *t = &s->trials[i];

    if (!s->runs[i].asked || !(t->time > 0.0)) continue;
    const double all = pow(asinh(t->err / t->time), 2.0);
    const double own = fmax(0.0, all - pow(t->of_parameters / t->time, 2.0));

    r->time[i][RIVAL_GIVEN] = t->time * exp(t->off);
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
  if (st == EXIT_OK) st = predict_given(s, r, &g, p, why);
  if (st == EXIT_OK && r->wants_next) st = rivals_ask_next(&g, r, p, why);
  if (st == EXIT_OK && r->learned) st = learn(p, r->learned, why);
  gscale_posterior_free(p);
  free(row);
  given_free(&g);
  return st;
}

/* ---- weights ------------------------------------------------------------ */

/* Holds the residuals ln(time / measured) of each answer on the largest given N
 * by curve.  NaN means no prediction. */
typedef struct foretold {
  size_t *curve; /* curve of each run */
  double (*off)[RIVALS];
} foretold;

static int look_at(const study *s, const rivals *seen, foretold *f,
                   failure *why)
{
  *f = (foretold){.curve = study_curves(s, why),
                  .off = malloc((s->n + 1) * sizeof *f->off)};
  if (!f->curve || !f->off)
    return fail(why, EXIT_INTERNAL, "no memory for the weights");
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < RIVALS; k++) f->off[i][k] = (double)NAN;
  for (size_t i = 0; seen && i < s->n; i++)
    for (size_t k = 0; k < RIVALS && !s->runs[i].asked; k++)
      if (s->trials[i].role == ROLE_SCORED && !isnan(seen->time[i][k]))
        f->off[f->curve[i]][k] = log(seen->time[i][k] / s->runs[i].time);
  return EXIT_OK;
}

static void close_look(foretold *f)
{
  free(f->curve);
  free(f->off);
}

/* Returns the mean square error of a rival on a file.  *any tells whether it
 * predicted a run of the file. */
static double of_file(const study *s, const foretold *f, size_t rival,
                      const char *path, bool *any)
{
  double square = 0.0;
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    const double e = f->off[i][rival];

    if (s->runs[i].path != path || isnan(e)) continue;
    square += e * e;
    n++;
  }
  *any = n > 0;
  return (square + COUNTS * BEFORE * BEFORE) / ((double)n + COUNTS);
}

static double of_series(const foretold *f, size_t i, size_t rival, double file)
{
  const double own = f->off[f->curve[i]][rival];

  return isnan(own) ? file : 0.5 * (own * own + file);
}

/* Returns the variance of ln(time) by a rival, at least its earlier mean
 * square. */
static double spread_of(const rivals *r, size_t i, size_t rival, double square,
                        int ahead)
{
  const double law = square * (ahead > 1 ? ahead : 1);
  const double own = rival == RIVAL_GIVEN ? r->err[i] : 0.0;

  return fmax(law, own * own);
}

/* Holds the mean square error of each rival on a file. */
typedef struct seen_file {
  double square[RIVALS];
  bool any[RIVALS], none; /* whether a rival, or none, predicted a run */
} seen_file;

/* The model answers alone if no rival predicted a run.  Contention replaces a
 * model without an answer, because it needs only two N. */
static bool stands_alone(const rivals *r, size_t i, size_t rival)
{
  return rival ==
         (isnan(r->time[i][RIVAL_GIVEN]) ? GSCALE_CONTENTION : RIVAL_GIVEN);
}

/* Contention equals Amdahl's law if a step takes no longer than on one GPU, so
 * that both count once. */
static bool says_same(const double *time)
{
  return fabs(log(time[GSCALE_AMDAHL] / time[GSCALE_CONTENTION])) < 1e-9;
}

static bool takes_part(const rivals *r, size_t i, size_t k, const seen_file *of)
{
  return is_candidate(k) && !isnan(r->time[i][k]) &&
         !(k == GSCALE_AMDAHL && says_same(r->time[i])) &&
         (of->none ? stands_alone(r, i, k) : of->any[k]);
}

/* Returns the variance that the model, or else contention, has of its own. */
static double first_square(const rivals *r, size_t i, size_t k)
{
  const double err = k == RIVAL_GIVEN ? r->err[i] : TWO_ONLY;

  return fmax(err * err, 1e-12);
}

/* The parameter `last` is the largest given N, or 0 if no run is given. */
static void weigh_run(const study *s, const foretold *f, rivals *r, size_t i,
                      const seen_file *of, int last)
{
  const int ahead = last > 0 ? s->runs[i].gpus - last : 1;
  double square[RIVALS], sum = 0.0, all = 0.0, spread = 0.0;

  for (size_t k = 0; k < RIVALS; k++) {
    square[k] =
        of->none ? first_square(r, i, k) : of_series(f, i, k, of->square[k]);
    r->weight[i][k] = takes_part(r, i, k, of) ? pow(square[k], -2.0) : 0.0;
    all += r->weight[i][k];
  }
  for (size_t k = 0; all > 0.0 && k < RIVALS; k++) {
    r->weight[i][k] /= all;
    if (r->weight[i][k] > 0.0) sum += r->weight[i][k] * log(r->time[i][k]);
  }
  if (!(all > 0.0)) return;
  for (size_t k = 0; k < RIVALS; k++)
    if (r->weight[i][k] > 0.0)
      spread += r->weight[i][k] * (spread_of(r, i, k, square[k], ahead) +
                                   pow(log(r->time[i][k]) - sum, 2.0));
  r->time[i][RIVAL_WEIGHTED] = exp(sum);
  r->weighted[i] = sqrt(spread);
}

static void weigh_file(const study *s, rivals *r, const foretold *f,
                       const char *path)
{
  const asked a = {s, r};
  const int last = count_given(&a) > 0 ? r->fit[r->fits - 1] : 0;
  seen_file of = {.none = true};

  for (size_t k = 0; k < RIVALS; k++) {
    of.square[k] = of_file(s, f, k, path, &of.any[k]);
    of.none = of.none && !of.any[k];
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->runs[i].path == path && rivals_scores(s, r, i))
      weigh_run(s, f, r, i, &of, last);
}

/* Clears the earlier predictions on all N but the largest given one. */
static void forget_others(const study *s, const rivals *r, const rivals *seen)
{
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; s->runs[i].gpus != r->fit[r->fits - 1] && k < RIVALS;
         k++)
      seen->time[i][k] = (double)NAN;
}

/* ---- measurements ------------------------------------------------------- */

static const double REPEAT = 0.01; /* error of ln(time) between days */

/* The paradigm does not matter on one GPU, where nothing moves. */
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

/* Combines the prediction of an asked step with its measurements by their
 * variances.  Repeats do not reduce the error between days.  The chain `next`
 * lists the runs of the step from `first` on. */
static void take_measured(const study *s, rivals *r, size_t i, size_t first,
                          const size_t *next)
{
  double sum = 0.0, square = 0.0, n = 0.0;

  for (size_t k = first; k != NO_ROW; k = next[k]) {
    const run *one = &s->runs[k];

    if (one->asked) continue;
    sum += log(one->time);
    square += pow(one->sigma / one->time, 2.0);
    n += 1.0;
  }
  if (!(n > 0.0)) return;
  const double seen = 1.0 / (square / (n * n) + REPEAT * REPEAT);
  const double said =
      isnan(r->time[i][RIVAL_WEIGHTED]) ? 0.0 : 1.0 / pow(r->weighted[i], 2.0);
  const double before = said > 0.0 ? log(r->time[i][RIVAL_WEIGHTED]) : 0.0;
  r->time[i][RIVAL_WEIGHTED] =
      exp((seen * sum / n + said * before) / (seen + said));
  r->weighted[i] = 1.0 / sqrt(seen + said);
}

static int take_all_measured(const study *s, rivals *r, failure *why)
{
  size_t *first = group_rows(s->n, (likeness){hash_step, same_step, s->runs});
  size_t *next = first ? chain_rows(s->n, first) : NULL;

  for (size_t i = 0; next && i < s->n; i++)
    if (s->runs[i].asked) take_measured(s, r, i, first[i], next);
  const bool room = next != NULL;
  free(first);
  free(next);
  return room ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory for the weights");
}

/* Returns whether the numbers cannot be fitted to the runs. */
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

int rivals_look_back(const study *s, rivals *seen, failure *why)
{
  const asked a = {s, seen};
  const int st = count_given(&a) < 1 ? EXIT_DATA : give_runs(s, seen, why);

  if (is_refused(st)) predict_alone(s, seen);
  return is_refused(st) ? EXIT_OK : st;
}

int rivals_weigh(const study *s, rivals *r, const rivals *seen, failure *why)
{
  const asked a = {s, r};
  int st = EXIT_OK;

  if (!s->system && !s->bare) return EXIT_OK; /* frozen predictions */
  if (s->bare)
    st = EXIT_OK;
  else if (count_given(&a) > 0)
    st = give_runs(s, r, why);
  else
    predict_elsewhere(s, r);
  if (is_refused(st)) give_up(s, r, why->text); /* laws take any runs */
  if (st != EXIT_OK && !is_refused(st)) return st;
  if (seen) forget_others(s, r, seen);
  foretold f;
  int looked = look_at(s, seen, &f, why);
  for (size_t i = 0; looked == EXIT_OK && i < s->n; i++)
    if (i == 0 || s->runs[i].path != s->runs[i - 1].path)
      weigh_file(s, r, &f, s->runs[i].path);
  if (looked == EXIT_OK) looked = take_all_measured(s, r, why);
  if (looked == EXIT_OK && r->wants_next && r->offers == 0) rivals_offer(s, r);
  if (looked == EXIT_OK && r->wants_next) rivals_next(s, r);
  close_look(&f);
  return looked;
}

void print_weights(const rivals *r, size_t i, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t k = 0; k < RIVALS; k++)
    if (r->weight[i][k] >= 0.005)
      gscale_append(text, size, "%s%s %.0f%%", *text ? ", " : "", rival_name(k),
                    100.0 * r->weight[i][k]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
