/* ground.h - what the files of model/ share and nobody else sees. */
#ifndef GPUSCALE_GROUND_GROUND_H
#define GPUSCALE_GROUND_GROUND_H

#include "gpuscale/all.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>

enum {
  GSCALE__GPUS_MAX = 2048 /* of a system */
};

/* Writes the reason of a failure into diag (if there is one) and returns st,
 * so that a failing function reads:  return gscale__fail(diag, GSCALE_..., ...)
 * diag->text may be among the arguments; errno is left as it was. */
gscale_status gscale__fail(gscale_diag *diag, gscale_status st, const char *fmt,
                           ...) __attribute__((format(printf, 3, 4)));

/* NaN for want of memory, counted by gscale_refusals(), as gscale__fail()
 * counts a GSCALE_ENOMEM. */
double gscale__refused(void);

/* snprintf and vsnprintf with the numbers of the C locale. */
int gscale__print(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int gscale__vprint(char *buf, size_t size, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Reads a number [+-]digits[.digits][e[+-]digits] at the start of text, in the
 * C locale.  *end is then the first character after it.
 * Fails with GSCALE_EPARSE if there is none, or if it is not finite; *end and
 * *out are then as they were. */
gscale_status gscale__parse_number(const char *text, const char **end,
                                   double *out);

/* min |y - sum_j c_j column_j|, c >= 0.  `a` holds m columns of `rows` numbers,
 * m at most GSCALE_FIT_MAX, then y, and is destroyed.  A column that is a
 * combination of others gets 0. */
void gscale__nnls(double *a, size_t rows, size_t m, double *c);

static inline bool gscale__is_time(double x)
{
  return x > 0.0 && isfinite(x);
}

/* Times > 0 and errors >= 0, all finite; else GSCALE_EDOMAIN naming the row.
 * The errors may be NULL. */
gscale_status gscale__check_rows(const double *predicted, const double *err,
                                 const double *measured, const double *sigma,
                                 size_t n, gscale_diag *diag);
gscale_status gscale__check_times(size_t i, double predicted, double err,
                                  double measured, double sigma,
                                  gscale_diag *diag);

/* Of the kernels that kernels launch at once, so many begin slowly: measured,
 * to 16, on H200. */
enum {
  GSCALE__FEW = 16
};

/* memset to 0 and memcpy, by calls: of some hundred bytes what compilers put in
 * their place takes three times as long (string instructions of x86-64). */
void gscale__clear(void *at, size_t size);
void gscale__copy(void *to, const void *from, size_t size);
/* `at` moved to where `need` items of `size` have room; NULL without memory,
 * and `at` is then still there. */
void *gscale__reserve(void *at, size_t *room, size_t need, size_t size);
/* Copies text, cut to fit, always terminated. */
void gscale__copy_text(char *to, size_t size, const char *from);

/* fmax without the call that fmax is on a plain x86-64, for the hot path; NaN
 * when either is, for a length that is none must not be lost. */
static inline double gscale__max(double a, double b)
{
  return a > b || isnan(a) ? a : b;
}

/* floor and ceil of x >= 0, without the call likewise; numbers from 2^52 on are
 * whole anyway. */
static inline double gscale__floor(double x)
{
  return x < 0x1p52 ? (double)(int64_t)x : x;
}

static inline double gscale__ceil(double x)
{
  const double below = gscale__floor(x);
  return below < x ? below + 1.0 : below;
}

#endif /* GPUSCALE_GROUND_GROUND_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
