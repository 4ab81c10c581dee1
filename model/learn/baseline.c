/* baseline.c - fits of scaling laws to runs, as baselines of predictions. */

#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>

static const size_t terms[GSCALE_LAW_END] = {
    [GSCALE_AMDAHL] = 2,     [GSCALE_USL] = 3,
    [GSCALE_MESSAGES] = 3,   [GSCALE_NORMAL_FORM] = 2,
    [GSCALE_CONTENTION] = 2, [GSCALE_SUPERLINEAR] = 2};

/* Returns how many different N a law needs: one per coefficient, and one more
 * if a term is chosen. */
static size_t needs(gscale_law l)
{
  return terms[l] + (l == GSCALE_NORMAL_FORM);
}

/* The powers of N of the normal form, each without and with a logarithm. */
static const double powers[] = {
    -1.0,      -3.0 / 4.0, -2.0 / 3.0, -1.0 / 2.0, -1.0 / 3.0, -1.0 / 4.0, 0.0,
    1.0 / 4.0, 1.0 / 3.0,  1.0 / 2.0,  2.0 / 3.0,  3.0 / 4.0,  1.0};
enum {
  POWERS = sizeof powers / sizeof *powers,
  FORMS = 2 * POWERS
};

/* Returns a term of the normal form, or NaN past the end and for the constant,
 * which the form already has. */
static double form_of(double index, double n)
{
  const size_t i =
      index >= 0.0 && index < (double)FORMS ? (size_t)index : FORMS;
  const double power = i < FORMS ? powers[i % POWERS] : NAN;
  const double least = i < POWERS ? 0.0 : -1.0;

  if (!(fabs(power) > least)) return NAN;
  return pow(n, power) * (i < POWERS ? 1.0 : log2(n));
}

/* Computes the columns of a law, where T(N) is the sum of coefficient * column.
 * The coefficients are
 *   amdahl    T1 s, T1 (1 - s)
 *   usl       T1, T1 a, T1 b
 *   messages  C, alpha, beta
 *   extra-p   C, D
 *   contention  T1, T1 a.
 * The superlinear law has no columns, because it is a line of logarithms. */
static void columns_of(gscale_law l, int gpus, gscale_traffic t, double form,
                       double x[GSCALE_LAW_TERMS])
{
  const double n = gpus;

  switch (l) {
  case GSCALE_AMDAHL:
    x[0] = 1.0;
    x[1] = 1.0 / n;
    break;
  case GSCALE_USL:
    x[0] = 1.0 / n;
    x[1] = (n - 1.0) / n;
    x[2] = n - 1.0;
    break;
  case GSCALE_MESSAGES:
    x[0] = 1.0 / n;
    x[1] = t.messages;
    x[2] = t.bytes;
    break;
  case GSCALE_NORMAL_FORM:
    x[0] = 1.0;
    x[1] = form_of(form, n);
    break;
  case GSCALE_CONTENTION:
    x[0] = 1.0 / n;
    x[1] = (n - 1.0) / n;
    break;
  case GSCALE_SUPERLINEAR:
  case GSCALE_LAW_END:
    break;
  }
}

static bool relative_to_t1(gscale_law l)
{
  return l == GSCALE_USL || l == GSCALE_CONTENTION;
}

/* Converts a law's coefficients to coefficients of the linear form. */
static void to_linear(gscale_law l, const double *c,
                      double linear[GSCALE_LAW_TERMS])
{
  linear[0] = l == GSCALE_AMDAHL ? c[0] * c[1] : c[0];
  linear[1] = l == GSCALE_AMDAHL  ? c[0] * (1.0 - c[1])
              : relative_to_t1(l) ? c[0] * c[1]
                                  : c[1];
  linear[2] = l == GSCALE_USL ? c[0] * c[2] : c[2];
}

static void from_linear(gscale_law l, const double *linear,
                        double c[GSCALE_LAW_TERMS])
{
  const double t1 = l == GSCALE_AMDAHL ? linear[0] + linear[1] : linear[0];

  c[0] = t1;
  c[1] = l == GSCALE_AMDAHL  ? linear[0] / t1
         : relative_to_t1(l) ? linear[1] / t1
                             : linear[1];
  c[2] = l == GSCALE_AMDAHL ? 0.0
         : l == GSCALE_USL  ? linear[2] / t1
                            : linear[2];
}

double gscale_law_time(gscale_law l, const double *c, int gpus,
                       gscale_traffic t)
{
  double x[GSCALE_LAW_TERMS] = {0.0}, linear[GSCALE_LAW_TERMS], sum = 0.0;

  if (l >= GSCALE_LAW_END || gpus < 1 || !(t.messages >= 0.0) ||
      !(t.bytes >= 0.0))
    return NAN;
  if (l == GSCALE_SUPERLINEAR) return c[0] * pow(gpus, -c[1]);
  columns_of(l, gpus, t, c[2], x);
  to_linear(l, c, linear);
  for (size_t j = 0; j < terms[l]; j++) sum += linear[j] * x[j];
  return sum;
}

void gscale_law_formula(gscale_law l, const double *c, char *text, size_t size)
{
  const size_t form = l == GSCALE_NORMAL_FORM ? (size_t)c[2] : 0;

  *text = '\0';
  if (l == GSCALE_MESSAGES || l >= GSCALE_LAW_END) return;
  gscale_append(text, size, "T = %.4g s", c[0]);
  if (l == GSCALE_AMDAHL)
    gscale_append(text, size, " (%.3g + %.3g / N)", c[1], 1.0 - c[1]);
  if (l == GSCALE_SUPERLINEAR) gscale_append(text, size, " N^-%.3g", c[1]);
  if (l == GSCALE_NORMAL_FORM)
    gscale_append(text, size, " + %.4g s N^%.3g%s", c[1], powers[form % POWERS],
                  form < POWERS ? "" : " log2(N)");
  if (relative_to_t1(l)) gscale_append(text, size, " (1 + %.3g (N-1)", c[1]);
  if (l == GSCALE_USL) gscale_append(text, size, " + %.3g N (N-1)", c[2]);
  if (relative_to_t1(l)) gscale_append(text, size, ") / N");
}

static size_t count_distinct(const int *gpus, size_t n)
{
  size_t count = 0;

  for (size_t i = 0; i < n; i++) {
    size_t j = 0;
    while (gpus[j] != gpus[i]) j++;
    if (j == i) count++;
  }
  return count;
}

static gscale_status check(gscale_law l, const int *gpus,
                           const gscale_traffic *t, const double *time,
                           size_t n, gscale_diag *diag)
{
  if (l >= GSCALE_LAW_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "no law %d", (int)l);
  for (size_t i = 0; i < n; i++) {
    if (gpus[i] < 1 || !(time[i] > 0.0) || !isfinite(time[i]))
      return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: %g s on %d GPUs", i,
                          time[i], gpus[i]);
    if (t && (!(t[i].messages >= 0.0) || !isfinite(t[i].messages) ||
              !(t[i].bytes >= 0.0) || !isfinite(t[i].bytes)))
      return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: %g messages, %g B", i,
                          t[i].messages, t[i].bytes);
  }
  const size_t count = count_distinct(gpus, n);
  if (count < needs(l))
    return gscale__fail(diag, GSCALE_EDATA,
                        "%s: needs runs on %zu different N, there are %zu",
                        gscale_name(GSCALE_LAW_NAMES, l), needs(l), count);
  return GSCALE_OK;
}

/* The input of a fit, with scratch memory in the matrix a. */
typedef struct fitted {
  gscale_law l;
  const int *gpus;
  const gscale_traffic *t;
  const double *time;
  size_t n;
  double *a;
} fitted;

/* Fits all runs except those on `but` GPUs (0: no exception). */
static void fit_once(const fitted *f, double form, int but,
                     double linear[GSCALE_LAW_TERMS])
{
  const gscale_traffic none = {0.0, 0.0};
  const size_t m = terms[f->l];
  size_t rows = 0, k = 0;

  for (size_t i = 0; i < f->n; i++) rows += f->gpus[i] != but;
  for (size_t i = 0; i < f->n; i++) {
    double x[GSCALE_LAW_TERMS] = {0.0};
    if (f->gpus[i] == but) continue;
    columns_of(f->l, f->gpus[i], f->t ? f->t[i] : none, form, x);
    for (size_t j = 0; j < m; j++) f->a[j * rows + k] = x[j] / f->time[i];
    f->a[m * rows + k++] = 1.0;
  }
  gscale__nnls(f->a, rows, m, linear);
}

/* Returns the mean |T/time - 1| if each N is predicted from all other N. */
static double left_out_error(const fitted *f, double form)
{
  double sum = 0.0;

  for (size_t i = 0; i < f->n; i++) {
    double linear[GSCALE_LAW_TERMS] = {0.0}, x[GSCALE_LAW_TERMS] = {0.0};
    fit_once(f, form, f->gpus[i], linear);
    columns_of(f->l, f->gpus[i], (gscale_traffic){0.0, 0.0}, form, x);
    sum += fabs((linear[0] * x[0] + linear[1] * x[1]) / f->time[i] - 1.0);
  }
  return sum / (double)f->n;
}

static double best_form(const fitted *f)
{
  double best = 0.0, least = INFINITY;

  for (int i = 0; i < FORMS; i++) {
    const double error =
        isnan(form_of(i, 2.0)) ? INFINITY : left_out_error(f, (double)i);
    if (!(error < least * (1.0 - 1e-9))) continue;
    least = error;
    best = i;
  }
  return best;
}

/* Fits a line to ln(time) over ln(N), where time must fall faster than 1 / N,
 * which laws without negative terms cannot express. */
static gscale_status fit_line(const int *gpus, const double *time, size_t n,
                              double c[GSCALE_LAW_TERMS], gscale_diag *diag)
{
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;

  for (size_t i = 0; i < n; i++) {
    x += log(gpus[i]) / (double)n;
    y += log(time[i]) / (double)n;
  }
  for (size_t i = 0; i < n; i++) {
    xx += (log(gpus[i]) - x) * (log(gpus[i]) - x);
    xy += (log(gpus[i]) - x) * (log(time[i]) - y);
  }
  const double power = -xy / xx;
  if (!(power > 1.0))
    return gscale__fail(
        diag, GSCALE_EDATA, "%s: the runs are not: time goes as N^%.2g",
        gscale_name(GSCALE_LAW_NAMES, GSCALE_SUPERLINEAR), -power);
  c[0] = exp(y + power * x);
  c[1] = power;
  c[2] = 0.0;
  return GSCALE_OK;
}

gscale_status gscale_law_fit(gscale_law l, const int *gpus,
                             const gscale_traffic *t, const double *time,
                             size_t n, double c[GSCALE_LAW_TERMS],
                             gscale_diag *diag)
{
  const gscale_status st = check(l, gpus, t, time, n, diag);
  double linear[GSCALE_LAW_TERMS] = {0.0};
  fitted f = {l, gpus, t, time, n, NULL};

  if (st != GSCALE_OK) return st;
  if (l == GSCALE_SUPERLINEAR) return fit_line(gpus, time, n, c, diag);
  f.a = malloc((terms[l] + 1) * n * sizeof *f.a);
  if (!f.a) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a fit");
  const double form = l == GSCALE_NORMAL_FORM ? best_form(&f) : 0.0;
  fit_once(&f, form, 0, linear);
  free(f.a);
  const double t1 = relative_to_t1(l) ? linear[0] : linear[0] + linear[1];
  if (l != GSCALE_MESSAGES && !(t1 > 0.0))
    return gscale__fail(diag, GSCALE_EDATA, "%s: T1 = 0",
                        gscale_name(GSCALE_LAW_NAMES, l));
  from_linear(l, linear, c);
  if (l == GSCALE_NORMAL_FORM) c[2] = form;
  return GSCALE_OK;
}

double gscale_scale_factor(const double *predicted, const double *measured,
                           size_t n)
{
  double sum = 0.0, square = 0.0;

  for (size_t i = 0; i < n; i++) {
    const double r = predicted[i] / measured[i];
    if (!(predicted[i] > 0.0) || !(measured[i] > 0.0)) return NAN;
    sum += r;
    square += r * r;
  }
  return n > 0 ? sum / square : NAN;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
