/* ground.h - functions that the files of model/ share, for model/ only. */
#ifndef GPUSCALE_GROUND_GROUND_H
#define GPUSCALE_GROUND_GROUND_H

#include "gpuscale/all.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum {
  GSCALE__GPUS_MAX = 65536, /* most GPUs of a system */
  GSCALE__NODE_MAX = 2048   /* most GPUs of a node */
};

/* Writes the reason of a failure into diag, unless diag is NULL, and returns
 * st, for use as: return gscale__fail(diag, GSCALE_..., ...). diag->text may be
 * an argument, and errno is unchanged. */
gscale_status gscale__fail(gscale_diag *diag, gscale_status st, const char *fmt,
                           ...) __attribute__((format(printf, 3, 4)));

/* Returns NaN if memory is exhausted. gscale_refusals() counts the call like a
 * GSCALE_ENOMEM of gscale__fail(). */
double gscale__refused(void);

/* snprintf and vsnprintf with the numbers of the C locale. */
int gscale__print(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int gscale__vprint(char *buf, size_t size, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Reads a number [+-]digits[.digits][e[+-]digits] at the start of text in the C
 * locale, and sets *end to the first character after the number.  Fails with
 * GSCALE_EPARSE, and leaves *end and *out unchanged, if there is no number or
 * if the number is not finite. */
gscale_status gscale__parse_number(const char *text, const char **end,
                                   double *out);

/* Minimises |y - sum_j c_j column_j| over c >= 0.  `a` holds m columns of
 * `rows` numbers, m at most GSCALE_FIT_MAX, then y, and is destroyed.  The
 * coefficient of a column that combines other columns becomes 0. */
void gscale__nnls(double *a, size_t rows, size_t m, double *c);

static inline bool gscale__is_time(double x)
{
  return x > 0.0 && isfinite(x);
}

/* Times must be > 0 and errors >= 0, and all must be finite; if not,
 * GSCALE_EDOMAIN names the row.  Arrays of errors may be NULL. */
gscale_status gscale__check_rows(const double *predicted, const double *err,
                                 const double *measured, const double *sigma,
                                 size_t n, gscale_diag *diag);

/* Number of kernels that begin slowly if kernels launch several at once, which
 * was measured up to 16 on H200. */
enum {
  GSCALE__FEW = 16
};

/* Calls of memset (with 0) and memcpy.  The string instructions that compilers
 * inline on x86-64 are three times slower for blocks of some hundred bytes. */
void gscale__clear(void *at, size_t size);
void gscale__copy(void *to, const void *from, size_t size);
/* Copies text, which is truncated to `size` and always terminated. */
void gscale__copy_text(char *to, size_t size, const char *from);
/* Returns the size of the byte-order mark of UTF-8 at the begin, or 0. */
size_t gscale__mark_size(const char *at, size_t n);

/* An fmax without a library call on a plain x86-64.  The result is NaN if
 * either argument is NaN, so that an invalid time is never lost. */
static inline double gscale__max(double a, double b)
{
  return a > b || isnan(a) ? a : b;
}

/* floor and ceil of x >= 0 without library calls; from 2^52 on, x is whole. */
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
