/* summary.c - prints the best paradigm on each N, and a ranking, for people. */

#include "say/predict.h"

#include <math.h>
#include <string.h>

/* ---- curves ------------------------------------------------------------- */

/* Prints the largest N up to the peak at which GPUs are used well. */
static void print_knee(FILE *f, const question *q, const spot *knee,
                       const spot *peak, double speedup)
{
  spot_words text;

  if (peak->gpus > 1 && speedup < 1.0)
    fprintf(f, "slower than one GPU");
  else if (peak->gpus == q->gpus[0])
    fprintf(f, "more GPUs only slow it");
  else if (knee->gpus == q->gpus[0])
    fprintf(f, "marginal efficiency below 50%% from the start");
  else
    fprintf(f, "marginal efficiency >= 50%% up to %s", say_spot(knee, text));
}

/* Counts the leading N whose weak efficiency is at least one half. */
static size_t half_used(const question *q, const answer *a)
{
  size_t half = 0;

  while (half < q->n && a[half].p.efficiency >= 0.5) half++;
  return half;
}

/* Prints the weak efficiency on the most GPUs and where it falls to half,
 * because weak scaling has no peak or knee. */
static void print_weak(FILE *f, const question *q, const answer *a,
                       const char *name)
{
  const size_t last = q->n - 1, half = half_used(q, a);
  char knobs[256];
  lost_words lost;

  print_moves(knobs, sizeof knobs, q->workload, &a[last].p);
  fprintf(f, "%s: efficiency %.0f%% on %d GPU%s%s%s%s", name,
          100.0 * a[last].p.efficiency, q->gpus[last], PLURAL(q->gpus[last]),
          *knobs ? " (" : "", knobs, *knobs ? ")" : "");
  if (half == 0)
    fprintf(f, ", below 50%% from the start");
  else if (half < q->n)
    fprintf(f, ", >= 50%% up to %d", q->gpus[half - 1]);
  fputs(",\n", f);
  put_line(f, 2, "  lost to %s", say_lost(&a[last], lost));
}

void summary_weak(FILE *f, const question *q)
{
  char last[128] = "";

  if (!q->weak) return;
  if (q->n > 1)
    snprintf(last, sizeof last, ", %s on %d", q->weak[q->gpus[q->n - 1]].size,
             q->gpus[q->n - 1]);
  put_line(f, 2,
           "weak scaling, %s (%s on %d GPU%s%s); efficiency is T(1) / T(N), "
           "speedup N times that",
           q->rule, q->weak[q->gpus[0]].size, q->gpus[0], PLURAL(q->gpus[0]),
           last);
}

/* Returns true for a step that mostly moves data, so that speedups mean
 * little. */
static bool only_moves(const question *q, const answer *a)
{
  const double next_to = 0.05; /* share of compute in the time */

  for (size_t j = 0; j < q->n; j++)
    if (q->gpus[j] > 1 && !(a[j].p.speedup < next_to)) return false;
  return q->gpus[q->n - 1] > 1;
}

/* Prints the time on the most GPUs and its losses. */
static void print_moving(FILE *f, const question *q, const answer *a,
                         const char *name)
{
  const size_t last = q->n - 1;
  char time[32];
  lost_words lost;

  gscale_format_quantity(a[last].p.time, GSCALE_TIME, time, sizeof time);
  put_line(f, 2, "%s: moves data and nothing else, %s on %d GPUs, lost to %s",
           name, time, q->gpus[last], say_lost(&a[last], lost));
}

/* Prints the peak, the knee and the losses of a curve. */
static void print_curve(FILE *f, const question *q, const answer *a,
                        const char *name)
{
  char knobs[256];
  lost_words lost;
  const size_t peak = curve_fastest(q, a);
  const spot at = curve_peak(q, a);
  spot_words where;
  print_moves(knobs, sizeof knobs, q->workload, &a[peak].p);
  fprintf(f, "%s: %s%.*fx at %s GPU%s%s%s%s", name, q->n > 1 ? "best " : "",
          a[peak].p.speedup < 1.0 ? 2 : 1, a[peak].p.speedup,
          say_spot(&at, where), PLURAL(q->gpus[peak]), *knobs ? " (" : "",
          knobs, *knobs ? ")" : "");
  if (q->n > 1) {
    const spot knee = curve_knee(q, a);
    const bool wide = *knobs || at.from != at.to ||
                      (knee.from != knee.to && !(a[peak].p.speedup < 1.0));

    fprintf(f, wide ? ",\n  " : ", "); /* fits 80 columns */
    print_knee(f, q, &knee, &at, a[peak].p.speedup);
  }
  fputs(",\n", f);
  put_line(f, 2, "  lost to %s", say_lost(&a[peak], lost));
}

void summary_curves(FILE *f, const question *q, const answer *a)
{
  putc('\n', f);
  for (size_t i = 0; i < q->paradigms; i++) {
    const answer *of = &a[i * q->n];
    if (!question_shows(q, a, i) || !curve_is_whole(q, of)) continue;
    (only_moves(q, of) ? print_moving
     : q->weak         ? print_weak
                       : print_curve)(f, q, of, question_paradigm(q, i));
  }
}

/* ---- intervals ----------------------------------------------------------- */

#define INTERVAL                                                               \
  {                                                                            \
    NULL, "+/-", GSCALE_COUNT, COLUMN_TEXT, true                               \
  }

void say_interval(const answer *a, char *text, size_t size)
{
  const double narrow = 0.1, none = 0.0005; /* shares of the time */
  const gscale_interval t = gscale_interval_of(a->p.time, a->err, 1.0);
  const double share = a->err / a->p.time;

  if (!(share >= none))
    text[0] = '\0';
  else if (share < narrow)
    snprintf(text, size, "%.1f%%", 100.0 * share);
  else
    snprintf(text, size, "+%.0f/-%.0f%%", 100.0 * (t.hi / a->p.time - 1.0),
             100.0 * (1.0 - t.lo / a->p.time));
}

void say_error(const answer *a, char *text, size_t size)
{
  char interval[32];

  say_interval(a, interval, sizeof interval);
  snprintf(text, size, "%s%s", *interval && *interval != '+' ? "+/- " : "",
           interval);
}

/* ---- best paradigms ----------------------------------------------------- */

enum {
  BEST_GPUS,
  BEST_PARADIGM,
  BEST_TIME,
  BEST_ERR,
  BEST_SPEEDUP,
  BEST_EFFICIENCY,
  BEST_LOST,
  BEST_RANGE,
  BEST_SIZE, /* last, only with --weak */
  BEST_COLUMNS
};

static const column best_columns[BEST_COLUMNS] = {
    [BEST_GPUS] = INTEGER(NULL, "GPUs"),
    [BEST_PARADIGM] = TEXT(NULL, "paradigm"),
    [BEST_TIME] = NUMBER(NULL, "time", GSCALE_TIME),
    [BEST_ERR] = INTERVAL,
    [BEST_SPEEDUP] = NUMBER(NULL, "speedup", GSCALE_COUNT),
    [BEST_EFFICIENCY] = PERCENT(NULL, "effic."),
    [BEST_LOST] = TEXT(NULL, "lost to"),
    [BEST_RANGE] = TEXT(NULL, "applicability"),
    [BEST_SIZE] = TEXT(NULL, "size"),
};

/* Returns whether the best answer on the most GPUs has a bus bandwidth, which
 * then takes the place of speedups. */
static bool has_bus(const question *q, const answer *a)
{
  const size_t last = q->n - 1, i = question_best(q, a, last);

  return i < q->paradigms && a[i * q->n + last].bus > 0.0;
}

static void fill_best(cell *c, const question *q, const answer *a, size_t j)
{
  const size_t i = question_best(q, a, j);
  const answer *best = &a[i * q->n + j];
  range_words range;
  paradigm_words paradigm;

  c[BEST_GPUS].number = q->gpus[j];
  set_text(&c[BEST_PARADIGM],
           q->gpus[j] == 1 && q->paradigms > 1
               ? "any"
               : say_paradigm(q, i, &best->p.knobs, paradigm));
  c[BEST_TIME].number = best->p.time;
  say_interval(best, c[BEST_ERR].text, sizeof c->text);
  c[BEST_SPEEDUP].number = has_bus(q, a) ? best->bus : best->p.speedup;
  c[BEST_EFFICIENCY].number = has_bus(q, a) ? NAN : best->p.efficiency;
  set_text(&c[BEST_LOST], say_most_lost(best));
  set_text(&c[BEST_RANGE], say_range(best, range));
  if (q->weak) set_text(&c[BEST_SIZE], q->weak[q->gpus[j]].size);
}

static void fill_bests(rows *r, const question *q, const answer *a)
{
  for (size_t j = 0; j < q->n; j++)
    if (question_best(q, a, j) < q->paradigms) fill_best(rows_add(r), q, a, j);
}

/* Prints the ties of the best on the most GPUs. */
static void print_ties(FILE *f, const question *q, const answer *a)
{
  size_t of[PARADIGMS_MAX];
  const size_t last = q->n - 1, n = question_tied(q, a, last, of);
  char also[512];

  if (n < 2 || q->gpus[last] == 1) return;
  say_also(q, of, n, ", ", also, sizeof also);
  put_line(f, 2, "\non %d GPUs also: %s", q->gpus[last], also);
}

/* ---- the ranking --------------------------------------------------------- */

enum {
  RANK,
  RANK_PARADIGM,
  RANK_TIME,
  RANK_ERR,
  RANK_SPEEDUP,
  RANK_BEHIND,
  RANK_PEAK, /* --weak: efficiency */
  RANK_KNEE, /* --weak: half-efficiency limit */
  RANK_LOST,
  RANK_COLUMNS
};

#define RANKED(third, fourth)                                                  \
  {                                                                            \
    [RANK] = INTEGER(NULL, ""), [RANK_PARADIGM] = TEXT(NULL, "paradigm"),      \
    [RANK_TIME] = NUMBER(NULL, "time", GSCALE_TIME), [RANK_ERR] = INTERVAL,    \
    [RANK_SPEEDUP] = NUMBER(NULL, "speedup", GSCALE_COUNT),                    \
    [RANK_BEHIND] = NUMBER(NULL, "x best", GSCALE_COUNT),                      \
    [RANK_PEAK] = TEXT(NULL, third), [RANK_KNEE] = TEXT(NULL, fourth),         \
    [RANK_LOST] = TEXT(NULL, "lost to"),                                       \
  }
static const column rank_columns[RANK_COLUMNS] = RANKED("peak", "knee");
static const column weak_columns[RANK_COLUMNS] = RANKED("effic.", "50% to");

static void fill_weak(cell *c, const question *q, const answer *a)
{
  const size_t half = half_used(q, a);

  snprintf(c[RANK_PEAK].text, sizeof c->text, "%.1f%%",
           100.0 * a[q->n - 1].p.efficiency);
  if (half > 0)
    snprintf(c[RANK_KNEE].text, sizeof c->text, "%d", q->gpus[half - 1]);
}

/* Prints the N with the smallest time, and the knee. */
static void fill_curve(cell *c, const question *q, const answer *a)
{
  const spot peak = curve_peak(q, a), knee = curve_knee(q, a);
  spot_words text;

  set_text(&c[RANK_PEAK], say_reach(&peak, text));
  set_text(&c[RANK_KNEE], say_reach(&knee, text));
}

static void fill_ranks(rows *r, const question *q, const answer *a,
                       const size_t *rank, size_t n)
{
  const size_t j = q->n - 1;
  double least = INFINITY;

  for (size_t k = 0; k < n; k++)
    least = fmin(least, a[rank[k] * q->n + j].p.time);
  for (size_t k = 0; k < n; k++) {
    const answer *one = &a[rank[k] * q->n + j];
    cell *c = rows_add(r);
    paradigm_words paradigm;

    c[RANK].number = (double)(k + 1);
    set_text(&c[RANK_PARADIGM],
             k == 0 ? say_paradigm(q, rank[k], &one->p.knobs, paradigm)
                    : question_paradigm(q, rank[k]));
    c[RANK_TIME].number = one->p.time;
    say_interval(one, c[RANK_ERR].text, sizeof c->text);
    c[RANK_SPEEDUP].number = one->p.speedup;
    c[RANK_BEHIND].number = one->p.time / least;
    if (curve_is_whole(q, &a[rank[k] * q->n]))
      (q->weak ? fill_weak : fill_curve)(c, q, &a[rank[k] * q->n]);
    set_text(&c[RANK_LOST], say_most_lost(one));
  }
}

/* Prints the zero-cost communication time, a bound. */
static void print_ideal(FILE *f, const question *q, const answer *a)
{
  const size_t infinite = gscale_paradigm_find("infinite");

  for (size_t i = 0; i < q->paradigms; i++) {
    const answer *one = &a[i * q->n + q->n - 1];
    char time[48];

    if (q->paradigm[i] != infinite || !one->met) continue;
    gscale_format_quantity(one->p.time, GSCALE_TIME, time, sizeof time);
    put_line(f, 2,
             "\nzero-cost communication (infinite) would take %s, %.2fx; "
             "--all has every row",
             time, one->p.speedup);
  }
}

static void print_winner(FILE *f, const question *q, const answer *a, size_t i)
{
  const answer *one = &a[i * q->n + q->n - 1];
  const gscale_prediction *p = &one->p;
  char knobs[256];
  paradigm_words paradigm;

  print_moves(knobs, sizeof knobs, q->workload, p);
  if (*knobs)
    put_line(f, 2, "\n%s with %s", say_paradigm(q, i, &p->knobs, paradigm),
             knobs);
}

static int print_ranking(output *out, const question *q, const answer *a,
                         failure *why)
{
  size_t rank[PARADIGMS_MAX];
  const size_t n = question_rank(q, a, q->n - 1, rank);
  const int gpus = q->gpus[q->n - 1];
  rows *r;
  int st;

  fprintf(out->f,
          q->weak
              ? "\nranking on %d GPU%s; 50%% to: the last N up to which "
                "efficiency\n"
                "is half or more\n\n"
              : "\nranking on %d GPU%s; peak: the N with the smallest time,\n"
                "knee: the last N at which added GPUs give half or more; "
                "4-8: alike\n\n",
          gpus, PLURAL(gpus));
  r = rows_new("", q->weak ? weak_columns : rank_columns, RANK_COLUMNS);
  fill_ranks(r, q, a, rank, n);
  st = rows_end(EXIT_OK, r, FORMAT_TABLE, out, why);
  if (st != EXIT_OK) return st;
  print_winner(out->f, q, a, rank[0]);
  print_ideal(out->f, q, a);
  return EXIT_OK;
}

/* ---- both ---------------------------------------------------------------- */

/* Returns true if there are several paradigms and several GPUs to rank. */
static bool has_ranking(const question *q, const answer *a)
{
  size_t rank[PARADIGMS_MAX];

  return q->gpus[q->n - 1] > 1 && question_rank(q, a, q->n - 1, rank) > 1;
}

int summary_print(output *out, const question *q, const answer *a, failure *why)
{
  static column shown[BEST_COLUMNS];

  memcpy(shown, best_columns, sizeof shown);
  if (has_bus(q, a))
    shown[BEST_SPEEDUP] = (column)NUMBER(NULL, "busbw", GSCALE_BYTERATE);
  rows *r = rows_new("", shown, q->weak ? BEST_COLUMNS : (size_t)BEST_SIZE);
  int st;

  fill_bests(r, q, a);
  st = rows_end(EXIT_OK, r, FORMAT_TABLE, out, why);
  if (st != EXIT_OK) return st;
  print_ties(out->f, q, a);
  if (has_ranking(q, a)) return print_ranking(out, q, a, why);
  if (q->gpus[q->n - 1] == 1 && q->paradigms > 1)
    fputs("\non one GPU nothing moves: every paradigm takes the same time\n",
          out->f);
  else
    summary_curves(out->f, q, a);
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
