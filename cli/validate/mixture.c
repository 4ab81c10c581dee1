/* mixture.c - ours given the runs that laws are given, and an answer that
 * weighs it and them.
 *
 * What each said of the largest N that it might have had, had it not been given
 * it, is known.  Its mean square error of ln(time) is thought to be
 *
 *   f^2 = (2 b^2 + sum over the series of its file) / (2 + their number)
 *   e^2 = (own^2 + f^2) / 2     of a series with such an N, else f^2
 *
 * so that one lucky hit is not believed, and its weight is 1 / e^4; b = 10 %,
 * the two and the half are assumed.  The weighted answer is the geometric mean.
 * Its variance is the mean of theirs, which grow as N goes on (e^2 (N - last)),
 * and of how far they lie apart.  Without such an N it is ours, or that of
 * contention. */

#include "validate/conditioning.h"
#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BEFORE =
    0.1; /* error that any answer is thought to have, */
static const double COUNTS = 2.0; /* as if it was seen so often */

/* Fitted: |ln(time / measured)| on 3 GPUs that 68 % of the rows by contention
 * do not exceed, given those on 1 and 2 (h200x4 and h200x8). */
static const double TWO_ONLY = 0.15;

static bool is_candidate(size_t rival)
{
  return rival != RIVAL_SCALED && rival != RIVAL_WEIGHTED;
}

/* ---- ours, given the runs ----------------------------------------------- */

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

/* What a posterior predicts of a run hangs on. */
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

/* Runs of one step are predicted once. */
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

/* Where there are too few runs to give: ours as it is. */
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

/* Steps that no run on several GPUs of the machine is given for: ours, as runs
 * elsewhere have it. */
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

/* What each said of the runs on the largest N that are given now: ln(time /
 * measured), by the curve of the run; NaN where it said nothing. */
typedef struct foretold {
  size_t *curve; /* of each run */
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

/* Mean square error of a rival on a file; *any: it foretold some of it. */
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

/* Standard error of ln(time) by a rival: at least what it was off by before. */
static double spread_of(const rivals *r, size_t i, size_t rival, double square,
                        int ahead)
{
  const double law = square * (ahead > 1 ? ahead : 1);
  const double own = rival == RIVAL_GIVEN ? r->err[i] : 0.0;

  return fmax(law, own * own);
}

/* What a file says of the rivals: mean squares, and which foretold some of it.
 */
typedef struct seen_file {
  double square[RIVALS];
  bool any[RIVALS], none; /* none did */
} seen_file;

/* Nothing was foretold: ours, or where that says nothing what needs two N. */
static bool stands_alone(const rivals *r, size_t i, size_t rival)
{
  return rival ==
         (isnan(r->time[i][RIVAL_GIVEN]) ? GSCALE_CONTENTION : RIVAL_GIVEN);
}

/* Contention is Amdahl's law where a step does not take longer than on one GPU:
 * what both say counts once. */
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

/* Where nothing was foretold ours says itself how far off it is. */
static double first_square(const rivals *r, size_t i, size_t k)
{
  const double err = k == RIVAL_GIVEN ? r->err[i] : TWO_ONLY;

  return fmax(err * err, 1e-12);
}

/* last: N of the last run that is given; 0: nothing goes on from runs. */
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

/* Only the largest N that is given now is looked back at. */
static void forget_others(const study *s, const rivals *r, const rivals *seen)
{
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; s->runs[i].gpus != r->fit[r->fits - 1] && k < RIVALS;
         k++)
      seen->time[i][k] = (double)NAN;
}

/* ---- steps that were run --------------------------------------------------
 */

static const double REPEAT = 0.01; /* another day, of ln(time) */

/* On one GPU nothing moves, by whatever way. */
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

/* A step that is asked for and was run takes what was measured, as far as that
 * is known better than the rest: however often it was run, a day is a day.
 * next: the other runs of the step, from `first` on. */
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

/* Runs that no numbers are fitted to. */
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

  if (!s->system && !s->bare) return EXIT_OK; /* predictions that were frozen */
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
