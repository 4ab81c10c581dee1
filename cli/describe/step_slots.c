/* step_slots.c - aligns the steps of a GPU to find common elements. */

#include "describe/commonest.h"
#include "describe/describe.h"

#include <math.h>
#include <stdlib.h>

enum {
  AHEAD = 12 /* longest gap in items */
};

/* Finds the most frequent identical step, and of equals the longest. */
static stretch commonest_step(const gpu_steps *g, const size_t *begin,
                              size_t begins, stretch *v)
{
  size_t n = 0, first;

  for (size_t k = 0; k + 1 < begins; k++) {
    uint64_t h = begin[k + 1] - begin[k];
    for (size_t i = begin[k]; i < begin[k + 1]; i++)
      h = hash_more(h, g->item[i].symbol);
    v[n++] = (stretch){h, begin[k], begin[k + 1] - begin[k]};
  }
  return commonest(v, n, &first) > 0 ? v[first] : (stretch){0};
}

/* Assigns the items from `from` to slots in order, and drops items without a
 * slot. Returns the number of assigned items. */
static size_t assign_slots(const gpu_steps *g, const stretch *like, size_t from,
                           size_t to, size_t *at)
{
  size_t j = 0, matched = 0;

  for (size_t k = 0; k < like->n; k++) at[k] = NONE;
  for (size_t i = from; i < to && j < like->n; i++) {
    size_t k = j;
    while (k < like->n && k <= j + AHEAD &&
           g->item[like->at + k].symbol != g->item[i].symbol)
      k++;
    if (k == like->n || k > j + AHEAD) continue;
    at[k] = i;
    j = k + 1;
    matched++;
  }
  return matched;
}

/* Returns true if a step has most common elements and few others. */
static bool is_step(size_t matched, size_t n, const stretch *like)
{
  const double whole = (double)like->n;

  return (double)matched >= 0.8 * whole - 1.0 && (double)n <= 1.2 * whole + 1.0;
}

/* Takes the steps. Marked ranges are steps whatever they contain. */
static int take_steps(gpu_steps *g, bool marked, const size_t *begin,
                      size_t begins, const stretch *like, failure *why)
{
  g->slots = like->n;
  g->steps = 0;
  g->slot = calloc(like->n, sizeof *g->slot);
  g->at = malloc(begins * like->n * sizeof *g->at);
  g->begin = malloc(begins * sizeof *g->begin);
  g->end = malloc(begins * sizeof *g->end);
  g->first = malloc(begins * sizeof *g->first);
  if (!g->slot || !g->at || !g->begin || !g->end || !g->first)
    return no_memory(why);
  size_t matched = 0;
  for (size_t k = 0; k < begins; k++) {
    const size_t to = k + 1 < begins ? begin[k + 1] : g->items;
    if (begin[k] == g->items || (marked && k + 1 == begins)) break;
    const bool long_one = !marked && to >= begin[k] + 2 * like->n;
    const size_t end = long_one ? begin[k] + like->n : to;
    const size_t fit =
        assign_slots(g, like, begin[k], end, g->at + g->steps * like->n);
    if (!marked && !is_step(fit, end - begin[k], like)) continue;
    matched += fit;
    g->begin[g->steps] = (double)k; /* an index for now */
    g->steps++;
  }
  g->share = (double)matched / (double)g->items;
  return EXIT_OK;
}

/* ---- times -------------------------------------------------------------- */

static size_t item_at(const gpu_steps *g, size_t step, size_t j)
{
  return g->at[step * g->slots + j];
}

/* Finds the times of steps. A step starts with its first work and ends where
 * the next step starts. */
static void find_times(const profile *p, gpu_steps *g, const size_t *begin,
                       size_t begins)
{
  for (size_t k = 0; k < g->steps; k++) {
    const size_t b = (size_t)g->begin[k];
    const size_t next = b + 1 < begins ? begin[b + 1] : NONE;
    g->begin[k] = start_of(p, g->item[begin[b]].record);
    g->first[k] = begin[b];
    g->end[k] = NAN;
    if (next < g->items)
      g->end[k] = start_of(p, g->item[next].record);
    else if (next == g->items) /* the last range */
      g->end[k] = end_of(p, g->item[next - 1].record);
  }
}

static void measure_slot(const profile *p, gpu_steps *g, size_t j, double *v)
{
  slot *const s = &g->slot[j];
  size_t n = 0;

  for (size_t k = 0; k < g->steps; k++) {
    const size_t i = item_at(g, k, j);
    if (i == NONE) continue;
    if (n == 0) {
      s->symbol = g->item[i].symbol;
      s->what = gscale_recording_at(p->r, g->item[i].record)->what;
      s->stream = what_of(p, g->item[i].record)->stream;
    }
    v[n++] = end_of(p, g->item[i].record) - start_of(p, g->item[i].record);
  }
  s->time = median_of(v, n);
  s->spread = spread_of(v, n, s->time);
  n = 0;
  for (size_t k = 0; k < g->steps; k++)
    if (item_at(g, k, j) != NONE)
      v[n++] = start_of(p, g->item[item_at(g, k, j)].record) - g->begin[k];
  s->start = median_of(v, n);
}

int fit_slots(profile *p, int gpu, const size_t *begin, size_t begins,
              failure *why)
{
  gpu_steps *const g = &p->gpu[gpu];
  stretch *const v = malloc((begins + 1) * sizeof *v);
  double *const times = malloc((begins + 1) * sizeof *times);
  int st = v && times ? EXIT_OK : no_memory(why);

  if (st == EXIT_OK) {
    const stretch like = commonest_step(g, begin, begins, v);
    slots_free(g);
    if (like.n > 0) st = take_steps(g, p->marked, begin, begins, &like, why);
  }
  if (st == EXIT_OK && g->steps > 0) {
    find_times(p, g, begin, begins);
    for (size_t j = 0; j < g->slots; j++) measure_slot(p, g, j, times);
  }
  free(times);
  free(v);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
