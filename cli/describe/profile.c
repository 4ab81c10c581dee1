/* profile.c - sorts the records of a run by GPU, in the order of the calls. */

#include "describe/commonest.h"
#include "describe/describe.h"

#include <math.h>
#include <stdlib.h>

/* ---- records ------------------------------------------------------------ */

const gscale_recorded_what *what_of(const profile *p, size_t record)
{
  return gscale_recording_what(p->r, gscale_recording_at(p->r, record)->what);
}

static double seconds(const profile *p, size_t record, int64_t ns)
{
  const int process = what_of(p, record)->process;
  const double clock = p->offset && process >= 0 ? p->offset[process] : 0.0;

  return 1e-9 * (double)ns - clock;
}

double start_of(const profile *p, size_t record)
{
  return seconds(p, record, gscale_recording_at(p->r, record)->start);
}

double end_of(const profile *p, size_t record)
{
  return seconds(p, record, gscale_recording_at(p->r, record)->end);
}

#define NANOSECOND 1e-9 /* resolution of times */

/* Computes the error from the median absolute deviation, which tolerates
 * outliers in one of ten steps. */
double spread_of(double *v, size_t n, double median)
{
  for (size_t i = 0; i < n; i++) v[i] = fabs(v[i] - median);
  const double mad = n > 1 ? median_of(v, n) : 0.0;
  return mad < NANOSECOND / 2 ? 0.0 : 1.4826 * 1.2533 * mad / sqrt((double)n);
}

/* ---- call order --------------------------------------------------------- */

/* Returns process and correlation, which together tell what call a record of
 * work is of. */
static uint64_t key_of(const profile *p, size_t record)
{
  return (uint64_t)(uint32_t)what_of(p, record)->process << 32 |
         gscale_recording_at(p->r, record)->correlation;
}

static int by_call(const void *a, const void *b)
{
  const work_item *const x = a, *const y = b;
  /* Until matching ends, the symbol is the correlation. */
  if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
  return GSCALE_ORDER(x->record, y->record);
}

/* Sorts items by calls if all calls are known, and otherwise by start. */
static void put_in_order(gpu_steps *g)
{
  for (size_t i = 0; i < g->items; i++)
    if (g->item[i].symbol == 0) return;
  qsort(g->item, g->items, sizeof *g->item, by_call);
}

static int count_items(profile *p, failure *why)
{
  const size_t n = gscale_recording_first(p->r, GSCALE_RECORDED_EVENT);

  for (size_t i = 0; i < n; i++)
    if (what_of(p, i)->gpu >= 0) p->gpu[what_of(p, i)->gpu].items++;
  for (int g = 0; g < p->gpus; g++) {
    gpu_steps *const l = &p->gpu[g];
    l->item = malloc((l->items + 1) * sizeof *l->item);
    if (!l->item) return no_memory(why);
    l->items = 0;
  }
  for (size_t i = 0; i < n; i++) {
    const int gpu = what_of(p, i)->gpu;
    if (gpu < 0) continue;
    gpu_steps *const l = &p->gpu[gpu];
    l->item[l->items++] =
        (work_item){i, NONE, gscale_recording_at(p->r, i)->correlation};
  }
  return EXIT_OK;
}

/* Sorts records of several kinds by start. */
static const profile *sorted;

static int by_start(const void *a, const void *b)
{
  const work_item *const x = a, *const y = b;
  const int64_t s = gscale_recording_at(sorted->r, x->record)->start,
                t = gscale_recording_at(sorted->r, y->record)->start;
  if (s != t) return s < t ? -1 : 1;
  return GSCALE_ORDER(x->record, y->record);
}

stretch *by_calls(const profile *p, size_t from, size_t to)
{
  stretch *const v = malloc((to - from + 1) * sizeof *v);

  for (size_t i = from; v && i < to; i++)
    v[i - from] = (stretch){key_of(p, i), i, 1};
  if (v) qsort(v, to - from, sizeof *v, by_stretch);
  return v;
}

size_t of_call(const profile *p, const stretch *v, size_t n, size_t record)
{
  const uint64_t want = key_of(p, record);
  size_t low = 0, high = n;

  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (v[mid].key < want)
      low = mid + 1;
    else
      high = mid;
  }
  return low < n && v[low].key == want && (uint32_t)want != 0 ? v[low].at
                                                              : NONE;
}

static int find_calls(profile *p, failure *why)
{
  const size_t from = gscale_recording_first(p->r, GSCALE_RECORDED_CALL);
  const size_t to = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE);
  stretch *const v = by_calls(p, from, to);

  if (!v) return no_memory(why);
  for (int g = 0; g < p->gpus; g++)
    for (size_t i = 0; i < p->gpu[g].items; i++) {
      work_item *const w = &p->gpu[g].item[i];
      w->call = of_call(p, v, to - from, w->record);
    }
  free(v);
  return EXIT_OK;
}

/* ---- symbols ------------------------------------------------------------ */

bool is_same_work(const gscale_recorded_what *a, const gscale_recorded_what *b,
                  bool coarse)
{
  if (a->kind != b->kind || a->copy != b->copy || a->name != b->name ||
      a->dst != b->dst)
    return false;
  return coarse || !(a->bytes < b->bytes || a->bytes > b->bytes ||
                     a->blocks < b->blocks || a->blocks > b->blocks);
}

int find_symbols(profile *p, bool coarse, failure *why)
{
  const size_t n = gscale_recording_about(p->r).whats;
  uint32_t *const symbol = malloc((n + 1) * sizeof *symbol);
  const gscale_recorded_what **const seen = malloc((n + 1) * sizeof *seen);
  uint32_t symbols = 0;

  if (symbol && seen)
    for (size_t i = 0; i < n; i++) {
      const gscale_recorded_what *const w = gscale_recording_what(p->r, i);
      uint32_t k = symbols;
      if (w->kind > GSCALE_RECORDED_MEMSET) continue;
      while (k > 0 && !is_same_work(seen[k - 1], w, coarse)) k--;
      if (k == 0) seen[symbols++] = w, k = symbols;
      symbol[i] = k;
    }
  for (int g = 0; symbol && seen && g < p->gpus; g++)
    for (size_t i = 0; i < p->gpu[g].items; i++) {
      work_item *const w = &p->gpu[g].item[i];
      w->symbol = symbol[gscale_recording_at(p->r, w->record)->what];
    }
  const bool made = symbol && seen;
  free(symbol);
  free(seen);
  return made ? EXIT_OK : no_memory(why);
}

/* ---- files -------------------------------------------------------------- */

static void show_progress(void *closure, double share)
{
  const char *const *path = closure;

  progress(*path, (size_t)(100.0 * share), 100);
}

static int read_file(profile *p, const char *path, failure *why)
{
  gscale_diag diag;

  return check_gscale(
      why, gscale_recording_read(p->r, path, 0, show_progress, &path, &diag),
      &diag);
}

static int prepare(profile *p, failure *why)
{
  gscale_diag diag;
  const gscale_status st = gscale_recording_finish(p->r, &diag);
  int done;

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  p->gpus = gscale_recording_about(p->r).gpus;
  if (p->gpus == 0)
    return fail(why, EXIT_DATA, "%s: no kernels, copies or memsets of a GPU",
                *p->path);
  p->gpu = calloc((size_t)p->gpus, sizeof *p->gpu);
  p->offset = calloc((size_t)gscale_recording_about(p->r).processes + 1,
                     sizeof *p->offset);
  if (!p->gpu || !p->offset) return no_memory(why);
  done = count_items(p, why);
  sorted = p;
  for (int g = 0; done == EXIT_OK && g < p->gpus; g++) {
    gpu_steps *const l = &p->gpu[g];
    qsort(l->item, l->items, sizeof *l->item, by_start);
    put_in_order(l);
  }
  if (done == EXIT_OK) done = find_calls(p, why);
  return done == EXIT_OK ? align_by_collectives(p, why) : done;
}

int profile_read(profile *p, const char *const *path, size_t paths,
                 failure *why)
{
  int st = EXIT_OK;

  p->path = path;
  p->paths = paths;
  p->r = gscale_recording_new();
  if (!p->r) return no_memory(why);
  for (size_t i = 0; st == EXIT_OK && i < paths; i++)
    st = read_file(p, path[i], why);
  return st == EXIT_OK ? prepare(p, why) : st;
}

void slots_free(gpu_steps *g)
{
  free(g->slot), free(g->at), free(g->begin), free(g->end), free(g->first);
  *g = (gpu_steps){.item = g->item, .items = g->items};
}

void profile_free(profile *p)
{
  for (int g = 0; p->gpu && g < p->gpus; g++) {
    free(p->gpu[g].item);
    slots_free(&p->gpu[g]);
  }
  free(p->gpu);
  free(p->offset);
  gscale_recording_free(p->r);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
