/* exposed.c - breaks a GPU's time down by sweeping the bounds of its work. */

#include "describe/describe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  COMPUTE,
  COPIES,
  COLLECTIVES,
  BLOCKED, /* in a host call */
  KINDS
};

typedef struct edge {
  double at; /* in s */
  int kind, more;
} edge;

typedef struct sweep {
  edge *v;
  size_t n, room;
  double from, to;
} sweep;

static bool add_event(sweep *s, int what, double from, double to)
{
  from = fmax(from, s->from);
  to = fmin(to, s->to);
  if (!(from < to)) return true;
  edge *const v = gscale_reserve(s->v, &s->room, s->n + 2, sizeof *v);
  if (!v) return false;
  s->v = v;
  s->v[s->n++] = (edge){from, what, 1};
  s->v[s->n++] = (edge){to, what, -1};
  return true;
}

static int by_time(const void *a, const void *b)
{
  const edge *const x = a, *const y = b;
  if (x->at < y->at || x->at > y->at) return x->at < y->at ? -1 : 1;
  return y->more - x->more;
}

static int kind_of(const gscale_recorded_what *w)
{
  return w->kind == GSCALE_RECORDED_COPY ? COPIES
         : w->collective                 ? COLLECTIVES
                                         : COMPUTE;
}

bool is_blocking(const char *call)
{
  return strstr(call, "Synchronize");
}

/* Returns true if the thread has issued work to the GPU. */
static bool feeds(const profile *p, int gpu, const gscale_recorded_what *call)
{
  const gpu_steps *const g = &p->gpu[gpu];
  size_t seen = 0;

  for (size_t i = 0; i < g->items && seen < 64; i++) {
    if (g->item[i].call == NONE) continue;
    if (what_of(p, g->item[i].call)->thread == call->thread) return true;
    seen++;
  }
  return false;
}

static bool add_waits(const profile *p, int gpu, sweep *s)
{
  const size_t from = gscale_recording_first(p->r, GSCALE_RECORDED_CALL);
  const size_t to = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE);

  for (size_t i = from; i < to; i++) {
    const gscale_recorded_what *const w = what_of(p, i);
    if (!is_blocking(w->name) || !feeds(p, gpu, w)) continue;
    if (!add_event(s, BLOCKED, start_of(p, i), end_of(p, i))) return false;
  }
  return true;
}

static void count(exposure *e, const int *active, double length)
{
  const bool compute = active[COMPUTE] > 0;
  const bool moves = active[COPIES] > 0 || active[COLLECTIVES] > 0;

  if (compute)
    e->compute += length;
  else if (active[COPIES] > 0)
    e->copies += length;
  else if (moves)
    e->collectives += length;
  else
    e->idle += length;
  if (compute && moves) e->hidden += length;
  if (!compute && !moves && active[BLOCKED] == 0) e->host += length;
}

static void walk(sweep *s, exposure *e)
{
  int active[KINDS] = {0};
  double last = s->from;

  qsort(s->v, s->n, sizeof *s->v, by_time);
  for (size_t i = 0; i < s->n; i++) {
    count(e, active, s->v[i].at - last);
    last = s->v[i].at;
    active[s->v[i].kind] += s->v[i].more;
  }
  count(e, active, s->to - last);
}

/* ---- collectives -------------------------------------------------------- */

size_t next_collective(const profile *p, int gpu, size_t from)
{
  const gpu_steps *const g = &p->gpu[gpu];

  while (from < g->items && !what_of(p, g->item[from].record)->collective)
    from++;
  return from < g->items ? from : NONE;
}

size_t count_collectives(const profile *p, int gpu)
{
  size_t n = 0;

  for (size_t i = next_collective(p, gpu, 0); i != NONE;
       i = next_collective(p, gpu, i + 1))
    n++;
  return n;
}

/* Returns the time until the last GPU joins a collective. The result is NaN if
 * GPUs have different numbers of collectives, which cannot be matched. */
static double wait_of(const profile *p, int gpu, double from, double to)
{
  size_t at[256];
  const int gpus = p->gpus < 256 ? p->gpus : 256;
  const size_t n = count_collectives(p, gpu);
  double sum = 0.0;

  for (int g = 0; g < gpus; g++) {
    if (count_collectives(p, g) != n) return NAN;
    at[g] = next_collective(p, g, 0);
  }
  for (size_t k = 0; k < n; k++) {
    double last = -INFINITY;
    for (int g = 0; g < gpus; g++)
      last = fmax(last, start_of(p, p->gpu[g].item[at[g]].record));
    const size_t own = p->gpu[gpu].item[at[gpu]].record;
    const double begin = start_of(p, own), end = end_of(p, own);
    if (begin >= from && end <= to) sum += fmin(end, last) - begin;
    for (int g = 0; g < gpus; g++) at[g] = next_collective(p, g, at[g] + 1);
  }
  return gpus > 1 ? sum : NAN;
}

/* ---- the breakdown ------------------------------------------------------ */

int find_exposure(const profile *p, int gpu, exposure *out, failure *why)
{
  const gpu_steps *const g = &p->gpu[gpu];
  sweep s = {.from = INFINITY, .to = -INFINITY};
  bool whole = true;

  *out = (exposure){0};
  if (g->steps > 0) s.from = g->begin[0];
  for (size_t k = 0; k < g->steps; k++)
    if (isfinite(g->end[k])) s.to = fmax(s.to, g->end[k]);
  for (size_t i = 0; g->steps == 0 && i < g->items; i++) {
    s.from = fmin(s.from, start_of(p, g->item[i].record));
    s.to = fmax(s.to, end_of(p, g->item[i].record));
  }
  if (!(s.from < s.to)) return EXIT_OK;
  for (size_t i = 0; whole && i < g->items; i++) {
    const size_t r = g->item[i].record;
    whole = add_event(&s, kind_of(what_of(p, r)), start_of(p, r), end_of(p, r));
  }
  whole = whole && add_waits(p, gpu, &s);
  if (whole) walk(&s, out);
  free(s.v);
  if (!whole) return no_memory(why);
  out->begin = s.from;
  out->step = s.to - s.from;
  out->waiting = wait_of(p, gpu, s.from, s.to);
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
