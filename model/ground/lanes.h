/* lanes.h - the same of several numbers beside each other, for model/ only.
 *
 * A formula that is asked for one number and for several is written once, as an
 * inline function of how many: `n` is a constant where it is called, 1 or
 * GSCALE__AT_ONCE, and its loops become scalars or vector instructions. */
#ifndef GPUSCALE_GROUND_LANES_H
#define GPUSCALE_GROUND_LANES_H

#include "ground/ground.h"

enum {
  GSCALE__AT_ONCE = 8
};

/* A number of each. */
typedef struct gscale__lanes {
  double v[GSCALE__AT_ONCE];
} gscale__lanes;

/* For each of them, k.  A loop that gcc unrolls it no longer makes vectors of.
 */
#if defined __GNUC__ && !defined __clang__
#define GSCALE__EACH_OF(n) _Pragma("GCC unroll 1") for (int k = 0; k < (n); k++)
#else
#define GSCALE__EACH_OF(n) for (int k = 0; k < (n); k++)
#endif
#define GSCALE__EACH     GSCALE__EACH_OF(GSCALE__AT_ONCE)
#define GSCALE__TEMPLATE static inline __attribute__((always_inline))

/* gscale__max(): of one number by branches, which are foreseen; of several
 * without, so that they become vector instructions. */
GSCALE__TEMPLATE double gscale__larger(int n, double a, double b)
{
  if (n == 1) return gscale__max(a, b);
  return ((a > b) | (a != a)) ? a : b;
}

/* A function that is compiled for wider vectors, too, and chosen when the
 * program starts.  Without fused operations its numbers are the same. */
#if defined __x86_64__ && defined __GLIBC__ && defined __OPTIMIZE__ &&         \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ &&           \
    !defined __clang__
#define GSCALE__WIDE                                                           \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define GSCALE__WIDE
#endif

#endif /* GPUSCALE_GROUND_LANES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
