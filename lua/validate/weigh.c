/* weigh.c - ours given the runs that laws are given, and an answer that weighs
 * it and them.
 *
 * What each said of the largest N that it might have had, had it not been given
 * it, is known: the weight of an answer is 1 / e^4, with e^2 the mean square of
 * ln(predicted / measured) there over all series of a file and two more of 10
 * %, so that one lucky hit is not believed; 10 % and two are assumed.  The
 * weighted answer is the geometric mean.  Without such an N it is ours. */

#include "validate/given.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>

static const double BEFORE =
    0.1; /* error that any answer is thought to have, */
static const double COUNTS = 2.0; /* as if it was seen so often */

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
  return k < a->r->fits && a->s->trials[i].role == ROLE_SCORED;
}

static bool is_scored(const study *s, const rivals *r, size_t i)
{
  return s->trials[i].role == ROLE_SCORED &&
         s->runs[i].gpus > r->fit[r->fits - 1];
}

static size_t count_given(const asked *a)
{
  size_t n = 0;

  for (size_t i = 0; i < a->s->n; i++) n += is_given(a, i);
  return n;
}

static int predict_given(const study *s, rivals *r, const given *g,
                         gscale_posterior *p, failure *why)
{
  gscale_diag diag;

  for (size_t i = 0; i < s->n; i++) {
    if (!is_scored(s, r, i)) continue;
    const gscale_status st = gscale_posterior_predict(
        p, &g->run[i], &r->time[i][RIVAL_GIVEN], &r->err[i], &diag);
    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  }
  return EXIT_OK;
}

/* Where there are too few runs to give: ours as it is. */
static void predict_alone(const study *s, rivals *r)
{
  for (size_t i = 0; i < s->n; i++)
    if (is_scored(s, r, i)) r->time[i][RIVAL_GIVEN] = s->trials[i].time;
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
  gscale_posterior_free(p);
  free(row);
  given_free(&g);
  return st;
}

/* ---- weights ------------------------------------------------------------ */

/* Of a rival on the runs of a file by what it said of them; 0 if it said
 * nothing. */
static double weight_of(const study *s, const rivals *seen, size_t rival,
                        const char *path)
{
  double square = 0.0;
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    const double t = seen->time[i][rival];

    if (s->runs[i].path != path || s->trials[i].role != ROLE_SCORED || isnan(t))
      continue;
    const double e = log(t / s->runs[i].time);
    square += e * e;
    n++;
  }
  const double mean =
      (square + COUNTS * BEFORE * BEFORE) / ((double)n + COUNTS);
  return n > 0 ? 1.0 / (mean * mean) : 0.0;
}

static void weigh_run(rivals *r, const double *weight, size_t i)
{
  double sum = 0.0, all = 0.0;

  for (size_t k = 0; k < RIVALS; k++) {
    const double w = is_candidate(k) && !isnan(r->time[i][k]) ? weight[k] : 0.0;
    r->weight[i][k] = w;
    all += w;
  }
  for (size_t k = 0; all > 0.0 && k < RIVALS; k++) {
    r->weight[i][k] /= all;
    if (r->weight[i][k] > 0.0) sum += r->weight[i][k] * log(r->time[i][k]);
  }
  if (all > 0.0) r->time[i][RIVAL_WEIGHTED] = exp(sum);
}

/* What is seen of the runs on the largest N only: those of `seen` that are
 * given now. */
static void weigh_file(const study *s, rivals *r, const rivals *seen,
                       const char *path)
{
  double weight[RIVALS] = {0.0};

  for (size_t k = 0; k < RIVALS; k++)
    if (is_candidate(k))
      weight[k] = seen ? weight_of(s, seen, k, path) : k == RIVAL_GIVEN;
  for (size_t i = 0; i < s->n; i++)
    if (s->runs[i].path == path && is_scored(s, r, i)) weigh_run(r, weight, i);
}

/* Only the largest N that is given now is looked back at. */
static void forget_others(const study *s, const rivals *r, const rivals *seen)
{
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; s->runs[i].gpus != r->fit[r->fits - 1] && k < RIVALS;
         k++)
      seen->time[i][k] = (double)NAN;
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
    r->unfitted[RIVAL_GIVEN] += is_scored(s, r, i);
}

int rivals_look_back(const study *s, rivals *seen, failure *why)
{
  const asked a = {s, seen};
  const int st = count_given(&a) < 2 ? EXIT_DATA : give_runs(s, seen, why);

  if (is_refused(st)) predict_alone(s, seen);
  return is_refused(st) ? EXIT_OK : st;
}

int rivals_weigh(const study *s, rivals *r, const rivals *seen, failure *why)
{
  const asked a = {s, r};
  int st = EXIT_OK;

  if (!s->system) return EXIT_OK; /* predictions that were frozen */
  if (count_given(&a) < 2)
    give_up(s, r, "needs two runs on more than one GPU");
  else
    st = give_runs(s, r, why);
  if (is_refused(st)) give_up(s, r, why->text); /* laws take any runs */
  if (st != EXIT_OK && !is_refused(st)) return st;
  if (seen) forget_others(s, r, seen);
  for (size_t i = 0; i < s->n; i++)
    if (i == 0 || s->runs[i].path != s->runs[i - 1].path)
      weigh_file(s, r, seen, s->runs[i].path);
  return EXIT_OK;
}

void print_weights(const rivals *r, size_t i, char *text, size_t size)
{
  size_t used = 0;

  text[0] = '\0';
  for (size_t k = 0; k < RIVALS && used < size; k++)
    if (r->weight[i][k] >= 0.005)
      used += (size_t)snprintf(text + used, size - used, "%s%s %.0f%%",
                               used ? ", " : "", rival_name(k),
                               100.0 * r->weight[i][k]);
}
