/* managed.c - migration of managed pages, also from the host at first touch. */

#include "recipe.h"

static bool from_host(const gscale_measurement *r)
{
  return r->src[0] == 'h';
}

static bool between_gpus(const gscale_measurement *r)
{
  return r->src[0] != 'h' && r->dst[0] != 'h';
}

/* Fits migrations: time = start + bytes / rate. */
static void moves(bench_run *b, const char *bench,
                  bool (*which)(const gscale_measurement *r),
                  gscale_param_id start, gscale_param_id rate)
{
  const wanted w = {.bench = bench};

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r)
    if (which(r)) gscale__add_item(b, r, (double[]){1.0, r->size});
  if (!gscale__solve(b, rate, bench)) {
    gscale__copy_note(b, start, rate);
    return;
  }
  gscale__conclude_term(b, start, 0);
  gscale__conclude_inverse(b, rate, 1);
}

void gscale__recipes_managed(bench_run *b)
{
  moves(b, "um_migrate", between_gpus, GSCALE_UM_FAULT_START,
        GSCALE_UM_FAULT_RATE);
  moves(b, "um_prefetch", from_host, GSCALE_UM_PREFETCH_START,
        GSCALE_UM_PREFETCH_RATE);
  moves(b, "um_prefetch", between_gpus, GSCALE_UM_PEER_START,
        GSCALE_UM_PEER_RATE);
  moves(b, "um_fault", from_host, GSCALE_UM_TOUCH_START, GSCALE_UM_TOUCH_RATE);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
