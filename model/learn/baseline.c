/* baseline.c - laws of scaling that are fitted to runs: what others use, and
 * what a prediction has to beat. */

#include "internal.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[GSCALE_LAW_END] = {
    [GSCALE_AMDAHL] = "amdahl",
    [GSCALE_USL] = "usl",
    [GSCALE_MESSAGES] = "messages",
};

static const size_t terms[GSCALE_LAW_END] = {
    [GSCALE_AMDAHL] = 2, [GSCALE_USL] = 3, [GSCALE_MESSAGES] = 3};

const char *gscale_law_name(gscale_law l)
{
  return l < GSCALE_LAW_END ? names[l] : NULL;
}

/* ---- each law as a sum of columns --------------------------------------- */

/* T(N) = sum of coefficient * column; the coefficients are
 *   amdahl    T1 s, T1 (1 - s)
 *   usl       T1, T1 a, T1 b
 *   messages  C, alpha, beta                                              */
static void columns_of(gscale_law l, int gpus, gscale_traffic t,
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
  case GSCALE_LAW_END:
    break;
  }
}

/* Those coefficients from the law's own. */
static void to_linear(gscale_law l, const double *c,
                      double linear[GSCALE_LAW_TERMS])
{
  linear[0] = l == GSCALE_AMDAHL ? c[0] * c[1] : c[0];
  linear[1] = l == GSCALE_AMDAHL ? c[0] * (1.0 - c[1])
              : l == GSCALE_USL  ? c[0] * c[1]
                                 : c[1];
  linear[2] = l == GSCALE_USL ? c[0] * c[2] : c[2];
}

static void from_linear(gscale_law l, const double *linear,
                        double c[GSCALE_LAW_TERMS])
{
  const double t1 = l == GSCALE_AMDAHL ? linear[0] + linear[1] : linear[0];

  c[0] = t1;
  c[1] = l == GSCALE_AMDAHL ? linear[0] / t1
         : l == GSCALE_USL  ? linear[1] / t1
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
    return (double)NAN;
  columns_of(l, gpus, t, x);
  to_linear(l, c, linear);
  for (size_t j = 0; j < terms[l]; j++) sum += linear[j] * x[j];
  return sum;
}

/* ---- fits --------------------------------------------------------------- */

static size_t different(const int *gpus, size_t n)
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
  const size_t count = different(gpus, n);
  if (count < terms[l])
    return gscale__fail(diag, GSCALE_EDATA,
                        "%s: needs runs on %zu different N, there are %zu",
                        names[l], terms[l], count);
  return GSCALE_OK;
}

gscale_status gscale_law_fit(gscale_law l, const int *gpus,
                             const gscale_traffic *t, const double *time,
                             size_t n, double c[GSCALE_LAW_TERMS],
                             gscale_diag *diag)
{
  const gscale_traffic none = {0.0, 0.0};
  const gscale_status st = check(l, gpus, t, time, n, diag);
  double linear[GSCALE_LAW_TERMS] = {0.0};

  if (st != GSCALE_OK) return st;
  double *a = malloc((terms[l] + 1) * n * sizeof *a);
  if (!a) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a fit");
  for (size_t i = 0; i < n; i++) {
    double x[GSCALE_LAW_TERMS] = {0.0};
    columns_of(l, gpus[i], t ? t[i] : none, x);
    for (size_t j = 0; j < terms[l]; j++) a[j * n + i] = x[j] / time[i];
    a[terms[l] * n + i] = 1.0;
  }
  gscale__nnls(a, n, terms[l], linear);
  free(a);
  const double t1 = l == GSCALE_USL ? linear[0] : linear[0] + linear[1];
  if (l != GSCALE_MESSAGES && !(t1 > 0.0))
    return gscale__fail(diag, GSCALE_EDATA, "%s: T1 = 0", names[l]);
  from_linear(l, linear, c);
  return GSCALE_OK;
}

double gscale_scale_factor(const double *predicted, const double *measured,
                           size_t n)
{
  double sum = 0.0, square = 0.0;

  for (size_t i = 0; i < n; i++) {
    const double r = predicted[i] / measured[i];
    if (!(predicted[i] > 0.0) || !(measured[i] > 0.0)) return (double)NAN;
    sum += r;
    square += r * r;
  }
  return n > 0 ? sum / square : (double)NAN;
}
