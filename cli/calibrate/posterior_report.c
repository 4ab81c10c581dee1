/* posterior_report.c - reports a fit to runs: changed numbers with their rows,
 * unknown numbers, and errors before and after. */

#include "calibrate/posterior_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NUMBER_,
  VALUE,
  ERR,
  BASE,
  BASE_ERR,
  SIGMAS,
  LEFT,
  LOW,
  HIGH,
  EDGE,
  ROWS,
  WITH,
  CORRELATION,
  MEASURE,
  MEASURED_LEFT,
  SHOWN,
  SHOWN_BASE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [NUMBER_] = TEXT("parameter", "number"),
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT), /* SI units */
    [ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [BASE] = NUMBER("base", NULL, GSCALE_COUNT),
    [BASE_ERR] = NUMBER("base_err", NULL, GSCALE_COUNT),
    [SIGMAS] = NUMBER("moved_sigmas", "moved", GSCALE_COUNT),
    [LEFT] = PERCENT("err_left", "left"),
    [LOW] = NUMBER("low95", NULL, GSCALE_COUNT),
    [HIGH] = NUMBER("high95", NULL, GSCALE_COUNT),
    [EDGE] = INTEGER("at_edge", NULL),
    [ROWS] = TEXT("rows", "mostly by"),
    [WITH] = TEXT("correlated_with", NULL),
    [CORRELATION] = NUMBER("correlation", NULL, GSCALE_COUNT),
    [MEASURE] = TEXT("measure_next", NULL),
    [MEASURED_LEFT] = PERCENT("err_left_then", NULL),
    [SHOWN] = {NULL, "value", GSCALE_COUNT, COLUMN_TEXT, true},
    [SHOWN_BASE] = {NULL, "base", GSCALE_COUNT, COLUMN_TEXT, true},
};

/* ---- numbers ------------------------------------------------------------ */

/* Names a step, such as "jacobi memcpy on 4 GPUs". */
static void name_step(const gscale_run *r, char *text, size_t size)
{
  snprintf(text, size, "%.60s %s on %d GPUs",
           gscale_workload_about(r->program).name,
           gscale_paradigm_at(r->paradigm)->name, r->gpus);
}

/* Lists the pull of each row in standard deviations, as in "runs.csv:12 +0.4,
 * runs.csv:31 -0.2". */
static void name_rows(const learning *l, const gscale_learned *n, size_t most,
                      char *text, size_t size)
{
  text[0] = '\0';
  for (size_t k = 0; k < n->rows && k < most; k++) {
    const run *r = &l->s.runs[l->row[n->row[k]]];
    gscale_append(text, size, "%s%.60s:%d %+.2g", k ? ", " : "",
                  base_name(r->path ? r->path : ""), r->line, n->pull[k]);
  }
}

/* Finds the number with the strongest correlation to number i. */
static size_t most_correlated(const learning *l, size_t i, double *r)
{
  const size_t n = gscale_posterior_count(l->p);
  size_t found = n;

  *r = 0.0;
  for (size_t j = 0; j < n; j++) {
    const double c = gscale_posterior_correlation(l->p, i, j);
    if (j == i || !(fabs(c) > fabs(*r))) continue;
    *r = c;
    found = j;
  }
  return found;
}

static void put_quantity(char *text, size_t size, const gscale_param *p,
                         gscale_dim dim)
{
  gscale_format_quantity(p->val, dim, text, size);
  if (p->val > 0.0)
    gscale_append(text, size, " +/- %.2g%%", 100.0 * p->err / p->val);
}

static void fill_number(const learning *l, size_t i, cell *c)
{
  const gscale_learned *n = gscale_posterior_number(l->p, i);
  const size_t with = most_correlated(l, i, &c[CORRELATION].number);

  set_text(&c[NUMBER_], n->name);
  c[VALUE].number = n->posterior.val;
  c[ERR].number = n->posterior.err;
  c[BASE].number = n->prior.val;
  c[BASE_ERR].number = n->prior.err;
  c[SIGMAS].number = n->shift;
  c[LEFT].number = n->sd;
  c[LOW].number = n->low;
  c[HIGH].number = n->high;
  c[EDGE].number = n->edge;
  name_rows(l, n, 3, c[ROWS].text, sizeof c[ROWS].text);
  if (with < gscale_posterior_count(l->p))
    set_text(&c[WITH], gscale_posterior_number(l->p, with)->name);
  c[MEASURED_LEFT].number = l->after[i];
  if (l->measure[i] < l->n_could)
    name_step(&l->could[l->measure[i]], c[MEASURE].text,
              sizeof c[MEASURE].text);
  put_quantity(c[SHOWN].text, sizeof c[SHOWN].text, &n->posterior, n->dim);
  put_quantity(c[SHOWN_BASE].text, sizeof c[SHOWN_BASE].text, &n->prior,
               n->dim);
}

static int print_numbers(const learning *l, const options *o, output *out,
                         failure *why)
{
  rows *r = rows_new("gpuscale.learned/1", columns, COLUMNS);

  for (size_t i = 0; i < gscale_posterior_count(l->p); i++)
    fill_number(l, i, rows_add(r));
  return rows_end(EXIT_OK, r, o->format, out, why);
}

/* ---- for people --------------------------------------------------------- */

/* The numbers that changed, sorted by change, or the numbers that should be
 * known better, sorted by their effect. */
typedef struct ranked {
  size_t i;
  double by;
} ranked;

static int falling(const void *a, const void *b)
{
  const ranked *x = a, *y = b;

  if (x->by > y->by || x->by < y->by) return x->by > y->by ? -1 : 1;
  return GSCALE_ORDER(x->i, y->i);
}

static size_t rank(const learning *l, bool moved, ranked *out)
{
  size_t n = 0;

  for (size_t i = 0; i < gscale_posterior_count(l->p); i++) {
    const gscale_learned *k = gscale_posterior_number(l->p, i);
    const double by = moved ? fabs(k->shift) : k->sd - l->after[i];

    if (k->of_workload || (moved ? !k->moved : k->sd < 0.7 || by < 0.05))
      continue;
    out[n++] = (ranked){i, by};
  }
  qsort(out, n, sizeof *out, falling);
  return n;
}

enum {
  MOST = 12 /* lines of a list */
};

static void print_changes(FILE *f, const learning *l, const ranked *of,
                          size_t n)
{
  fprintf(f, "%zu numbers moved%s\n", n, n > MOST ? "; most:" : "");
  for (size_t k = 0; k < n && k < MOST; k++) {
    const gscale_learned *i = gscale_posterior_number(l->p, of[k].i);
    char from[64], to[64], by[128];

    put_quantity(from, sizeof from, &i->prior, i->dim);
    put_quantity(to, sizeof to, &i->posterior, i->dim);
    name_rows(l, i, 1, by, sizeof by);
    fprintf(f, "  %-20s %s -> %s\n", i->name, from, to);
    fprintf(f, "  %-20s %+.1f sigma, mostly by %s\n", "", i->shift, by);
  }
}

static void print_edges(FILE *f, const learning *l)
{
  for (size_t i = 0; i < gscale_posterior_count(l->p); i++) {
    const gscale_learned *n = gscale_posterior_number(l->p, i);
    if (n->edge)
      fprintf(f, "  %s is at its range's edge: is the base right?\n", n->name);
  }
}

static void print_correlations(FILE *f, const learning *l)
{
  const size_t n = gscale_posterior_count(l->p);

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const double r = gscale_posterior_correlation(l->p, i, j);
      if (fabs(r) > 0.7)
        fprintf(f, "  %s and %s: determined only together (%+.2f)\n",
                gscale_posterior_number(l->p, j)->name,
                gscale_posterior_number(l->p, i)->name, r);
    }
}

static void print_unknown(FILE *f, const learning *l, const ranked *of,
                          size_t n)
{
  if (n > 0)
    fprintf(f, "\nstill uncertain, and the run that would determine it\n");
  for (size_t k = 0; k < n && k < MOST; k++) {
    const size_t i = of[k].i;
    char step[128];

    name_step(&l->could[l->measure[i]], step, sizeof step);
    fprintf(f, "  %-20s %3.0f%% of its error left; %.0f%% with %s\n",
            gscale_posterior_number(l->p, i)->name,
            100.0 * gscale_posterior_number(l->p, i)->sd, 100.0 * l->after[i],
            step);
  }
}

/* Returns the mean |error| of all runs by the written file. */
static double mean_error(const learning *l)
{
  double sum = 0.0, n = 0.0;

  for (size_t k = 0; k < l->n_told; k++) {
    sum += l->told[k].off * (double)l->told[k].rows;
    n += (double)l->told[k].rows;
  }
  return sum / n;
}

static void print_missed(FILE *f, const learning *l)
{
  for (size_t k = 0; k < l->n_told; k++) {
    const run *of = &l->s.runs[l->told[k].of];
    char title[160];

    if (!(l->told[k].off > EXPLAINED)) continue;
    run_title(of, title, sizeof title);
    fprintf(f, "  not explained: %.120s by %s, %.1f%% off over %zu runs\n",
            title, gscale_paradigm_at(of->paradigm)->name,
            100.0 * l->told[k].off, l->told[k].rows);
  }
}

static void print_runs(FILE *f, const learning *l)
{
  double before = 0.0, after = 0.0;

  for (size_t k = 0; k < l->n; k++) {
    const gscale_learned_run *r = gscale_posterior_run(l->p, k);
    const run *of = &l->s.runs[l->row[k]];

    before += fabs(r->before / of->time - 1.0) / (double)l->n;
    after += fabs(r->after / of->time - 1.0) / (double)l->n;
    if (r->outlier)
      fprintf(f, "  %.60s:%d deviates by %.1f of its errors: weight %.2f\n",
              base_name(of->path ? of->path : ""), of->line, fabs(r->residual),
              r->weight);
  }
  fprintf(
      f,
      "\nmean |error| of %zu runs: %.1f%% before, %.1f%% by the written file\n "
      " (%.1f%% with the residual of each program, which is not in the file)\n",
      l->n, 100.0 * before, 100.0 * mean_error(l), 100.0 * after);
  print_missed(f, l);
  for (size_t i = 0; i < l->outs; i++)
    fprintf(f, "  without %-12s %3zu runs of it: %5.1f%% before, %5.1f%%\n",
            l->out[i].what, l->out[i].rows, 100.0 * l->out[i].before,
            100.0 * l->out[i].after);
}

static int print_report(FILE *f, const learning *l, failure *why)
{
  ranked *of = calloc(gscale_posterior_count(l->p) + 1, sizeof *of);

  if (!of) return no_memory(why);
  print_changes(f, l, of, rank(l, true, of));
  print_edges(f, l);
  print_correlations(f, l);
  print_unknown(f, l, of, rank(l, false, of));
  print_runs(f, l);
  free(of);
  return EXIT_OK;
}

int learning_print(const learning *l, const options *o, failure *why)
{
  output out;
  int st = output_open(&out, NULL, why);

  if (st != EXIT_OK) return st;
  st = o->format == FORMAT_TABLE ? print_report(out.f, l, why)
                                 : print_numbers(l, o, &out, why);
  return output_end(st, &out, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
