/* check.c - checks that precede a plan. */

#include "describe/program.h"
#include "ground/ground.h"
#include "price/phase.h"

static bool fits(const gscale__source *s, int n)
{
  const double memory = gscale__read(s, GSCALE_DEVICE_MEMORY);
  const size_t phases = gscale__machine_of(s).phases;

  for (size_t i = 0; i < phases; i++)
    if (gscale__footprint(gscale__read_phase(s, i), n) > memory) return false;
  return true;
}

/* Returns the first phase whose grid does not fit n GPUs.  Every grid fits one
 * GPU, which has no neighbours. */
static const gscale_phase *no_grid(const gscale__source *s, int n)
{
  const size_t phases = gscale__machine_of(s).phases;
  int grid[GSCALE_DIMS_MAX];

  for (size_t i = 0; n > 1 && i < phases; i++) {
    const gscale_phase *w = gscale__read_phase(s, i);
    if (w->to == GSCALE_TO_NEIGHBOURS && !gscale_phase_grid(w, n, grid))
      return w;
  }
  return NULL;
}

static bool has_kernel(const gscale_phase *w)
{
  return w->kernels > 0.0;
}

/* Returns true if a phase moves data, as loops of only collectives do. */
static bool is_sent(const gscale_phase *w)
{
  return w->reduce > 0.0 || (w->publish > 0.0 && w->to != GSCALE_TO_NONE);
}

static bool has_work(const gscale_phase *w)
{
  return w->flop > 0.0 || w->bytes > 0.0;
}

static bool any_phase(const gscale__source *s, int n,
                      bool (*has)(const gscale_phase *))
{
  const size_t phases = gscale__machine_of(s).phases;
  gscale_phase room;

  for (size_t i = 0; i < phases; i++)
    if (has(gscale__read_phase_on(s, i, n, &room))) return true;
  return false;
}

static bool has_flop(const gscale_phase *w)
{
  return w->flop > 0.0 || w->pack.flop > 0.0;
}

/* Refuses precisions for which the system has no rate. */
static gscale_status check_precision(const gscale__source *s, int n,
                                     gscale_diag *diag)
{
  const gscale__machine of = gscale__machine_of(s);
  gscale_phase room;

  for (size_t i = 0; i < of.phases; i++) {
    const gscale_phase *w = gscale__read_phase_on(s, i, n, &room);
    if (has_flop(w) && !(gscale__flops(s, w) > 0.0))
      return gscale__fail(
          diag, GSCALE_ENEED, "%s: %s computes in %s: %s of %s is not known",
          of.workload, w->name, gscale_precision_name(w->precision),
          gscale_param_info_at(gscale_precision_rate(w->precision))->name,
          of.name);
  }
  return GSCALE_OK;
}

/* Checks the phases, the grids and the schedule of the workload. */
static gscale_status check_workload(const gscale__source *s, int n,
                                    gscale_diag *diag)
{
  const gscale__machine of = gscale__machine_of(s);

  if (of.phases == 0)
    return gscale__fail(diag, GSCALE_ENEED, "%s: no phases", of.workload);
  if (!any_phase(s, n, has_kernel) && !any_phase(s, n, is_sent))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: no phase has a kernel, or sends anything",
                        of.workload);
  if (n == 1 && !any_phase(s, n, has_kernel))
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s: one GPU has nothing to do: it only sends",
                        of.workload);
  if (gscale__read_single(s) > 0.0 && !any_phase(s, 1, has_work))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: t1: its phases need flop or bytes, to divide "
                        "the time among them",
                        of.workload);
  const gscale_phase *lost = no_grid(s, n);
  if (lost)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s: %s: grid.gpus: {%g, %g, %g} is no grid of %d "
                        "GPUs",
                        of.workload, lost->name, lost->grid[0], lost->grid[1],
                        lost->grid[2], n);
  if (of.network->nodes > 0 && n > of.gpus &&
      gscale__any_published(gscale__read_schedules(s)))
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s: %d GPUs are several nodes: the program's own "
                        "schedule covers one node",
                        of.workload, n);
  return GSCALE_OK;
}

gscale_status gscale__check_source(const gscale__source *s, int n,
                                   gscale_diag *diag)
{
  const gscale__machine of = gscale__machine_of(s);
  gscale_status st = gscale__read_check(s, diag);

  if (st != GSCALE_OK) return st;
  const int most = of.network->nodes > 0 ? GSCALE__GPUS_MAX : GSCALE__NODE_MAX;
  if (n < 1 || n > most)
    return gscale__fail(
        diag, GSCALE_ESIZE, "%d GPUs%s: not in 1 .. %d", n,
        of.network->nodes > 0 ? "" : " of a system without nodes", most);
  if (n > of.built && !of.grows)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s has %d GPUs and no rule to grow to %d", of.name,
                        of.built, n);
  st = check_workload(s, n, diag);
  if (st == GSCALE_OK) st = check_precision(s, n, diag);
  if (st == GSCALE_OK && !fits(s, n))
    st = gscale__fail(diag, GSCALE_ESIZE,
                      "%s on %d GPU%s does not fit device.memory of %s "
                      "(%.4g GB each)",
                      of.workload, n, n > 1 ? "s" : "", of.name,
                      gscale__read(s, GSCALE_DEVICE_MEMORY) / 1e9);
  return st;
}

gscale_status gscale_plan_check(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale_diag *diag)
{
  gscale__source_room room;

  return gscale__check_source(gscale__source_in(&room, s, w), n, diag);
}

int gscale__baseline(const gscale__source *s)
{
  int n = 1;

  while (!fits(s, n) || no_grid(s, n)) n++;
  return n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
