/* thresholds.c - checks the demands of --max-error and --require. */

#include "validate/study.h"

#include <math.h>
#include <string.h>

typedef struct demands { /* NaN: not asked */
  double mean, worst, best, covered_least, covered_most;
  bool baselines;
} demands;

/* ---- reading ------------------------------------------------------------ */

static int take_number(const char *text, double *out, failure *why)
{
  gscale_diag diag;

  if (gscale_parse_quantity(text, GSCALE_COUNT, out, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--require: %s", diag.text);
  if (*out < 0.0)
    return fail(why, EXIT_USAGE, "--require: %.60s is below 0", text);
  return EXIT_OK;
}

/* Takes a range such as "0.60-0.76". */
static int take_range(const char *text, demands *d, failure *why)
{
  char first[32];
  const size_t length = strcspn(text, "-");
  int st;

  if (!text[length] || length >= sizeof first)
    return fail(why, EXIT_USAGE,
                "--require: covered: '%.60s' is not of the form 0.60-0.76",
                text);
  snprintf(first, sizeof first, "%.*s", (int)length, text);
  st = take_number(first, &d->covered_least, why);
  return st == EXIT_OK ? take_number(text + length + 1, &d->covered_most, why)
                       : st;
}

static int take_demand(const char *word, void *closure, failure *why)
{
  demands *d = closure;
  const char *value = strchr(word, '=');
  char name[32];

  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  if (strcmp(word, "baselines") == 0) {
    d->baselines = true;
    return EXIT_OK;
  }
  if (value && strcmp(name, "mean") == 0)
    return take_number(value + 1, &d->mean, why);
  if (value && strcmp(name, "worst") == 0)
    return take_number(value + 1, &d->worst, why);
  if (value && strcmp(name, "best") == 0)
    return take_number(value + 1, &d->best, why);
  if (value && strcmp(name, "covered") == 0)
    return take_range(value + 1, d, why);
  return fail(why, EXIT_USAGE,
              "--require: '%s' is not one of mean=X, worst=X, best=X, "
              "covered=LOW-HIGH, baselines",
              word);
}

static int read_demands(const options *o, demands *d, failure *why)
{
  const double unset = NAN;

  *d = (demands){o->max_error, unset, unset, unset, unset, false};
  if (!o->demands) return EXIT_OK;
  return each_word("--require", o->demands, take_demand, d, why);
}

int demand_check(const options *o, failure *why)
{
  demands d;
  const int st = read_demands(o, &d, why);

  if (st == EXIT_OK && d.baselines && !o->laws)
    return fail(why, EXIT_USAGE, "--require: baselines needs --baselines LIST");
  return st;
}

/* ---- judging ------------------------------------------------------------ */

/* Adds one line to a refusal. */
static void object(failure *why, const char *fmt, double a, double b)
{
  char text[160];

  snprintf(text, sizeof text, fmt, a, b);
  if (why->status != EXIT_NO) why->text[0] = '\0';
  gscale_append(why->text, sizeof why->text, "%s%s", *why->text ? "\n" : "",
                text);
  why->status = EXIT_NO;
}

static void judge_scores(const gscale_score *s, const demands *d, failure *why)
{
  if (!isnan(d->mean) && !(s->mean_abs <= d->mean))
    object(why, "mean |error| %.1f%% exceeds %.1f%%", 100.0 * s->mean_abs,
           100.0 * d->mean);
  if (!isnan(d->worst) && !(fabs(s->worst) <= d->worst))
    object(why, "the worst error %+.1f%% exceeds %.1f%%", 100.0 * s->worst,
           100.0 * d->worst);
  if (!isnan(d->covered_least) && !(s->covered >= d->covered_least))
    object(why, "the intervals cover %.1f%%, less than %.1f%%",
           100.0 * s->covered, 100.0 * d->covered_least);
  if (!isnan(d->covered_most) && !(s->covered <= d->covered_most))
    object(why, "the intervals cover %.1f%%, more than %.1f%%",
           100.0 * s->covered, 100.0 * d->covered_most);
}

static void judge_choices(const score_line *all, const demands *d, failure *why)
{
  const double right =
      all->clear > 0 ? (double)all->right / (double)all->clear : 0.0;

  if (isnan(d->best)) return;
  if (all->clear == 0)
    object(why, "no paradigm leads by more than 5%% anywhere", 0, 0);
  else if (!(right >= d->best))
    object(why, "the best paradigm was named right in %.1f%%, less than %.1f%%",
           100.0 * right, 100.0 * d->best);
}

/* Requires that the model is not worse than any law on the law's rows, and that
 * some row was fitted. */
static int judge_rivals(const study *s, const rivals *r, failure *why)
{
  bool any = false;

  for (size_t k = 0; k < GSCALE_LAW_END; k++) {
    gscale_score theirs, ours;
    const int st = rivals_score(s, r, k, &theirs, &ours, why);

    if (st != EXIT_OK && st != EXIT_NO) return st;
    any = any || theirs.n > 0;
    if (theirs.n > 0 && !(ours.mean_abs <= theirs.mean_abs)) {
      char text[128];
      snprintf(text, sizeof text,
               "mean |error| %%.1f%%%% is not below the %%.1f%%%% of %s",
               rival_name(k));
      object(why, text, 100.0 * ours.mean_abs, 100.0 * theirs.mean_abs);
    }
  }
  if (!any) object(why, "no law could be fitted to hold ours against", 0, 0);
  return EXIT_OK;
}

int demand_judge(const summary *m, const study *s, const rivals *r,
                 const options *o, failure *why)
{
  demands d;
  int st = read_demands(o, &d, why);

  if (st != EXIT_OK || (isnan(o->max_error) && !o->demands)) return st;
  if (m->lines == 0 || strcmp(m->line[0].group, "all") != 0)
    return fail(why, EXIT_DATA,
                "validate: no run on more than one GPU to score");
  why->status = EXIT_OK;
  judge_scores(&m->line[0].s, &d, why);
  judge_choices(&m->line[0], &d, why);
  if (d.baselines) st = judge_rivals(s, r, why);
  return st == EXIT_OK ? why->status : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
