/* collective_offs.c - errors of collectives by size, from a fit's calls. */

#include "lines.h"

#include <math.h>
#include <stdlib.h>

static const double
    OTHERS = 5.0,
    OTHERS_NET = 0.5; /* number of calls for which other machines count */

typedef struct sized_off {
  double bytes, off; /* B; |ln(time / measured)| */
} sized_off;

static int by_off(const void *a, const void *b)
{
  const sized_off *x = a, *y = b;

  return GSCALE_ORDER(x->off, y->off);
}

static size_t size_of(double bytes)
{
  const double mib = 1048576.0;

  return bytes < mib ? 0 : bytes <= 64.0 * mib ? 1 : 2;
}

/* Pools the calls with those of other machines, which count as k calls.  Calls
 * between nodes vary more between machines. */
static double pooled(gscale_param_id id, double off, size_t calls)
{
  const double n = (double)calls;
  const double other = gscale_param_info_at(id)->otherwise;
  const double k = id < GSCALE_COLL_NET_OFF_SMALL ? OTHERS : OTHERS_NET;

  return sqrt((n * off * off + k * other * other) / (n + k));
}

void gscale__conclude_offs(bench_run *b, gscale_param_id small, const timed *at,
                           size_t n, const char *benches)
{
  const double share = 0.6827;
  const size_t least = 6; /* smallest number of rows */
  sized_off *of = calloc(n, sizeof *of);

  if (!of) {
    gscale__no_memory(b);
    return;
  }
  for (size_t i = 0; i < n; i++)
    of[i] =
        (sized_off){at[i].call.bytes,
                    fabs(log(gscale__row_time(b->s, at[i].r) / at[i].r->time))};
  qsort(of, n, sizeof *of, by_off);
  for (size_t size = 0; size < 3; size++) {
    const gscale_param_id id = (gscale_param_id)(small + size);
    size_t all = 0, k = 0;
    for (size_t i = 0; i < n; i++) all += size_of(of[i].bytes) == size;
    if (all < least) {
      gscale__set_note(b, id, "fewer than six calls of such a size");
      continue;
    }
    const size_t last = (size_t)ceil(share * (double)all);
    for (size_t i = 0; i < n && k < last; i++)
      if (size_of(of[i].bytes) == size && ++k == last)
        gscale__conclude_unfitted(b, id, all, pooled(id, sinh(of[i].off), all),
                                  0.0, benches);
  }
  free(of);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
