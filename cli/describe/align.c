/* align.c - finds clock offsets of processes, and missing ranks. */

#include "describe/describe.h"

#include <math.h>
#include <stdlib.h>

int process_of(const profile *p, int gpu)
{
  return what_of(p, p->gpu[gpu].item[0].record)->process;
}

/* Returns the median of `n` differences, or 0 below twice its error. */
static double offset_of(double *v, size_t n)
{
  const double offset = median_of(v, n);
  const double err = spread_of(v, n, offset);

  return fabs(offset) > 2.0 * err ? offset : 0.0;
}

/* Returns true for the first GPU of a process, which gives the offset. */
static bool is_first(const profile *p, int gpu)
{
  for (int g = 0; g < gpu; g++)
    if (process_of(p, g) == process_of(p, gpu)) return false;
  return true;
}

static bool has_own_clock(const profile *p, int gpu)
{
  return process_of(p, gpu) != process_of(p, 0) && is_first(p, gpu);
}

int align_by_collectives(profile *p, failure *why)
{
  const size_t n = count_collectives(p, 0);
  double *const v = malloc((n + 1) * sizeof *v);

  if (!v) return no_memory(why);
  for (int g = 1; g < p->gpus && n > 0; g++) {
    size_t own = next_collective(p, 0, 0), i = next_collective(p, g, 0);
    if (!has_own_clock(p, g) || count_collectives(p, g) != n) continue;
    for (size_t k = 0; k < n; k++) {
      v[k] = end_of(p, p->gpu[g].item[i].record) -
             end_of(p, p->gpu[0].item[own].record);
      own = next_collective(p, 0, own + 1);
      i = next_collective(p, g, i + 1);
    }
    p->offset[process_of(p, g)] = offset_of(v, n);
  }
  free(v);
  return EXIT_OK;
}

static void move_steps(profile *p, int process, double by)
{
  p->offset[process] += by;
  for (int g = 0; g < p->gpus; g++) {
    gpu_steps *const l = &p->gpu[g];
    if (process_of(p, g) != process) continue;
    for (size_t k = 0; k < l->steps; k++) l->begin[k] -= by, l->end[k] -= by;
  }
}

static bool shares_file(const profile *p, int gpu)
{
  return gscale_recording_file(p->r, process_of(p, gpu)) ==
         gscale_recording_file(p->r, process_of(p, 0));
}

int align_by_steps(profile *p, failure *why)
{
  const gpu_steps *const ref = &p->gpu[0];
  double *const v = malloc((ref->steps + 1) * sizeof *v);

  if (!v) return no_memory(why);
  for (int g = 1; g < p->gpus; g++) {
    const gpu_steps *const l = &p->gpu[g];
    const size_t n = l->steps < ref->steps ? l->steps : ref->steps;
    if (!has_own_clock(p, g) || shares_file(p, g) || n == 0 ||
        count_collectives(p, g) > 0)
      continue;
    for (size_t k = 0; k < n; k++) v[k] = l->begin[k] - ref->begin[k];
    move_steps(p, process_of(p, g), offset_of(v, n));
  }
  free(v);
  return EXIT_OK;
}

/* ---- ranks -------------------------------------------------------------- */

bool has_copies(const profile *p, bool host)
{
  const size_t n = gscale_recording_about(p->r).whats;
  bool any = false;

  for (size_t i = 0; i < n; i++) {
    const gscale_recorded_copy c = gscale_recording_what(p->r, i)->copy;
    any |= host ? c == GSCALE_RECORDED_H2D || c == GSCALE_RECORDED_D2H
                : c == GSCALE_RECORDED_P2P;
  }
  return any;
}

/* Returns the GPUs of all groups. Groups of two sizes cross: 2 GPUs of tensor
 * parallelism by 4 of data parallelism are 8. */
static double gpus_of_groups(const profile *p)
{
  const size_t n = gscale_recording_about(p->r).whats;
  const double world = gscale_recording_about(p->r).world;
  double most = 1.0, least = INFINITY;

  for (size_t i = 0; i < n; i++) {
    const int ranks = gscale_recording_what(p->r, i)->ranks;
    if (ranks < 2) continue;
    most = fmax(most, ranks);
    least = fmin(least, ranks);
  }
  return world > 0.0 ? fmax(world, most) : least < most ? most * least : most;
}

double gpus_of_run(const profile *p)
{
  return p->ranks ? p->ranks : fmax(p->gpus, gpus_of_groups(p));
}

bool is_rank_missing(const profile *p, failure *why)
{
  bool seen = false, away = false;

  for (size_t i = 0; i < gscale_recording_about(p->r).whats; i++) {
    const gscale_recorded_what *const w = gscale_recording_what(p->r, i);
    if (w->copy == GSCALE_RECORDED_P2P) *(w->dst >= 0 ? &seen : &away) = true;
  }
  if (!away || (!seen && p->gpus > 1)) return false;
  fail(why, EXIT_DATA,
       "%s: copies to a GPU of which no file has work: give the profiles of "
       "all ranks",
       *p->path);
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
