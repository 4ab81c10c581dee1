/* steps.c - finds the starts of steps by ranges, a kernel, or periodicity. */

#include "describe/describe.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- begins of steps ---------------------------------------------------- */

/* Returns the time of an item's call, or the item's start without a call. */
static double called(const profile *p, const work_item *w)
{
  return start_of(p, w->call != NONE ? w->call : w->record);
}

/* Finds starts at ranges with this name on the GPU, and the last end. */
static size_t at_ranges(const profile *p, int gpu, const char *name,
                        size_t *begin, double *inside)
{
  const gpu_steps *const g = &p->gpu[gpu];
  const int process = process_of(p, gpu);
  const size_t from = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE);
  const size_t to = gscale_recording_about(p->r).records;
  size_t n = 0, i = 0, in = 0;
  double end = -INFINITY;

  /* Skips work that was called before the profile. */
  while (i < g->items && g->item[i].call == NONE) i++;
  if (i == g->items) i = 0;
  const size_t known = i;
  for (size_t k = from; k < to; k++) {
    const gscale_recorded_what *const w = what_of(p, k);
    if (w->process != process || strcmp(w->name, name) != 0) continue;
    if (start_of(p, k) < end) continue; /* nested in a range of this name */
    end = end_of(p, k);
    while (i < g->items && called(p, &g->item[i]) < start_of(p, k)) i++;
    if (i < g->items && (n == 0 || begin[n - 1] < i)) begin[n++] = i;
    const size_t first = i;
    while (i < g->items && called(p, &g->item[i]) < end) i++;
    in += i - first;
  }
  if (n > 0 && begin[n - 1] < i)
    begin[n++] = i; /* an end may also be the next start */
  *inside = (double)in / (double)(g->items - known);
  return n;
}

/* Recognizes names such as "ProfilerStep#", "step 12" and "iteration". */
static bool says_step(const char *name)
{
  static const char *const words[] = {"step", "iter", "epoch", "batch",
                                      "execute_"};
  char low[64];
  size_t n = 0;

  for (; name[n] && n + 1 < sizeof low; n++)
    low[n] = (char)tolower((unsigned char)name[n]);
  low[n] = '\0';
  for (size_t i = 0; i < LENGTH(words); i++)
    if (strstr(low, words[i])) return true;
  return false;
}

/* Finds ranges that are named like steps and hold most of the work, or NULL. */
static const char *find_ranges(const profile *p, size_t *begin)
{
  const size_t n = gscale_recording_about(p->r).whats;
  const char *best = NULL;
  double most = 0.8;

  for (size_t i = 0; i < n; i++) {
    const gscale_recorded_what *const w = gscale_recording_what(p->r, i);
    double inside;
    if (w->kind != GSCALE_RECORDED_RANGE || !says_step(w->name)) continue;
    if (at_ranges(p, 0, w->name, begin, &inside) < 2 || inside <= most)
      continue;
    best = w->name;
    most = inside;
  }
  return best;
}

static size_t at_kernels(const profile *p, int gpu, const char *name,
                         size_t *begin)
{
  const gpu_steps *const g = &p->gpu[gpu];
  size_t n = 0;

  for (size_t i = 0; i < g->items; i++) {
    const gscale_recorded_what *const w = what_of(p, g->item[i].record);
    char text[128];
    gscale_recorded_short_name(w->name, text, sizeof text);
    if (w->kind == GSCALE_RECORDED_KERNEL && strcmp(text, name) == 0)
      begin[n++] = i;
  }
  return n;
}

static size_t at_repeats(const profile *p, int gpu, size_t *begin, failure *why)
{
  const gpu_steps *const g = &p->gpu[gpu];
  uint32_t *const symbol = malloc((g->items + 1) * sizeof *symbol);
  size_t n = 0;

  if (!symbol) {
    no_memory(why);
    return 0;
  }
  for (size_t i = 0; i < g->items; i++) symbol[i] = g->item[i].symbol;
  n = find_repeats(symbol, g->items, begin, why);
  free(symbol);
  return n;
}

static bool is_kernel(const profile *p, const slot *s)
{
  const gscale_recorded_what *const w = gscale_recording_what(p->r, s->what);

  return w->kind == GSCALE_RECORDED_KERNEL && !w->collective;
}

/* Finds a kernel that occurs once per step. Returns NONE if there is none. */
static size_t single_kernel(const profile *p, const gpu_steps *g)
{
  for (size_t j = 0; j < g->slots; j++) {
    size_t times = 0;
    if (!is_kernel(p, &g->slot[j])) continue;
    for (size_t k = 0; k < g->slots; k++)
      times += g->slot[k].symbol == g->slot[j].symbol;
    if (times == 1) return j;
  }
  return NONE;
}

/* If a GPU repeats too little, uses a kernel that occurs once in each step of
 * the most regular GPU. */
static int use_regular_gpu(profile *p, size_t *begin, failure *why)
{
  int best = 0, st = EXIT_OK;

  for (int g = 1; g < p->gpus; g++)
    if (p->gpu[g].steps > p->gpu[best].steps) best = g;
  const gpu_steps *const ref = &p->gpu[best];
  const size_t j = ref->steps > 0 ? single_kernel(p, ref) : NONE;
  for (int g = 0; st == EXIT_OK && j != NONE && g < p->gpus; g++) {
    const gpu_steps *const l = &p->gpu[g];
    size_t n = 0;
    if (2 * l->steps >= ref->steps) continue;
    for (size_t i = 0; i < l->items; i++)
      if (l->item[i].symbol == ref->slot[j].symbol) begin[n++] = i;
    if (n > 1) st = fit_slots(p, g, begin, n, why);
  }
  return st;
}

/* ---- best cut ----------------------------------------------------------- */

/* Finds the idle time of the GPU before each slot. */
static void find_gaps(const profile *p, gpu_steps *g, double *v)
{
  for (size_t j = 0; j < g->slots; j++) {
    size_t n = 0;
    for (size_t k = 0; k < g->steps; k++) {
      const size_t i = g->at[k * g->slots + j];
      if (i == NONE || i == 0) continue;
      double end = -INFINITY;
      for (size_t back = 1; back <= 8 && back <= i; back++)
        end = fmax(end, end_of(p, g->item[i - back].record));
      v[n++] = start_of(p, g->item[i].record) - end;
    }
    g->slot[j].gap = n > 0 ? median_of(v, n) : 0.0;
  }
}

/* Returns the kernel after the longest idle time, or slot 0 without kernels. */
static size_t best_cut(const profile *p, const gpu_steps *g)
{
  size_t best = NONE;

  for (size_t j = 0; j < g->slots; j++)
    if (is_kernel(p, &g->slot[j]) &&
        (best == NONE || g->slot[j].gap > g->slot[best].gap))
      best = j;
  return best == NONE ? 0 : best;
}

/* Finds the slot of another GPU that has the same work, nearest in time. */
static size_t same_cut(const profile *p, const gpu_steps *g,
                       const gpu_steps *ref, size_t cut, double period)
{
  const gscale_recorded_what *const like =
      gscale_recording_what(p->r, ref->slot[cut].what);
  const double when = ref->begin[0] + ref->slot[cut].start;
  size_t best = NONE;
  double least = INFINITY;

  for (size_t j = 0; j < g->slots; j++) {
    const gscale_recorded_what *const w =
        gscale_recording_what(p->r, g->slot[j].what);
    if (w->kind != like->kind || w->name != like->name) continue;
    const double apart =
        fabs(remainder(g->begin[0] + g->slot[j].start - when, period));
    if (apart < least) best = j, least = apart;
  }
  return best == NONE ? best_cut(p, g) : best;
}

/* Moves the start of steps to another slot. */
static int shift_begins(profile *p, int gpu, size_t cut, size_t *begin,
                        failure *why)
{
  const gpu_steps *const g = &p->gpu[gpu];
  size_t n = 0;

  if (cut == 0) return EXIT_OK;
  for (size_t k = 0; k < g->steps; k++) {
    size_t j = cut;
    while (j < g->slots && g->at[k * g->slots + j] == NONE) j++;
    if (j < g->slots) begin[n++] = g->at[k * g->slots + j];
  }
  return fit_slots(p, gpu, begin, n, why);
}

static bool follows(const gpu_steps *g, size_t k)
{
  return isfinite(g->end[k]) && g->end[k] > g->begin[k];
}

/* Lists half the sums of two consecutive steps, or their differences. */
static size_t list_pairs(const gpu_steps *g, bool differ, double *v)
{
  size_t n = 0;

  for (size_t k = 0; k + 1 < g->steps; k++) {
    if (!follows(g, k) || !follows(g, k + 1)) continue;
    if (fabs(g->begin[k + 1] - g->end[k]) > 1e-9) continue;
    v[n++] = differ ? fabs(g->end[k] - g->begin[k] - g->end[k + 1] + g->end[k])
                    : (g->end[k + 1] - g->begin[k]) / 2.0;
  }
  return n;
}

/* Finds alternating steps, as with two sets of events, and averages the two. */
static void find_turns(profile *p, const gpu_steps *g, double *v)
{
  static const double turns = 0.02;
  const size_t n = list_pairs(g, true, v);

  /* A single slow step differs from its two neighbours only. */
  median_of(v, n);
  if (n < 3 || v[n / 4] < turns * p->period) return;
  list_pairs(g, false, v);
  p->period = median_of(v, n);
  p->period_err = spread_of(v, n, p->period);
}

/* Finds the median period, or NaN if no two steps are consecutive. */
static void find_period(profile *p, const gpu_steps *g, double *v)
{
  size_t n = 0;

  p->slowest = 0.0;
  for (size_t k = 0; k < g->steps; k++)
    if (follows(g, k)) v[n++] = g->end[k] - g->begin[k];
  for (size_t k = 0; k < n; k++) p->slowest = fmax(p->slowest, v[k]);
  p->period = median_of(v, n);
  p->period_err = spread_of(v, n, p->period);
  find_turns(p, g, v);
}

int fullest(const profile *p)
{
  int best = 0;

  for (int g = 1; g < p->gpus; g++)
    if (p->gpu[g].slots > p->gpu[best].slots) best = g;
  return best;
}

static int cut_steps(profile *p, size_t *begin, failure *why)
{
  const int ref = fullest(p);
  gpu_steps *const l = &p->gpu[ref];
  double *const v = malloc((l->steps + 1) * sizeof *v);
  int st = v ? EXIT_OK : no_memory(why);

  if (st == EXIT_OK) find_period(p, l, v);
  if (st == EXIT_OK && !p->marked && l->steps > 0 && isfinite(p->period)) {
    find_gaps(p, l, v);
    const size_t cut = best_cut(p, l);
    for (int g = 0; st == EXIT_OK && g < p->gpus; g++)
      if (g != ref && p->gpu[g].steps > 0)
        st = shift_begins(p, g, same_cut(p, &p->gpu[g], l, cut, p->period),
                          begin, why);
    if (st == EXIT_OK) st = shift_begins(p, ref, cut, begin, why);
  }
  free(v);
  return st;
}

/* ---- all GPUs ----------------------------------------------------------- */

static int find_symbols_and_steps(profile *p, bool coarse, const char *ranges,
                                  const char *kernel, size_t *begin,
                                  failure *why)
{
  int st = find_symbols(p, coarse, why);

  p->coarse = coarse;
  p->marked = ranges != NULL;
  for (int g = 0; st == EXIT_OK && g < p->gpus; g++) {
    double inside;
    const size_t n = ranges   ? at_ranges(p, g, ranges, begin, &inside)
                     : kernel ? at_kernels(p, g, kernel, begin)
                              : at_repeats(p, g, begin, why);
    st = fit_slots(p, g, begin, n, why);
  }
  if (st == EXIT_OK && !ranges && !kernel) st = use_regular_gpu(p, begin, why);
  return st == EXIT_OK ? cut_steps(p, begin, why) : st;
}

/* Returns the fraction of the work of all GPUs that is in steps. */
static double share_of(const profile *p)
{
  double in = 0.0, all = 0.0;

  for (int g = 0; g < p->gpus; g++) {
    const double n = (double)p->gpu[g].items;
    all += n;
    if (p->gpu[g].steps > !p->marked) in += n * p->gpu[g].share;
  }
  return in / all;
}

/* Returns the time of kernels in the steps of a GPU, and stores the total, to
 * which the set-up before the first step adds a tenth of its time. */
static double time_in_steps(const profile *p, const gpu_steps *g, double *each,
                            double *all, size_t *largest)
{
  double in = 0.0, most = 0.0;
  size_t k = 0;

  *all = 0.0;
  for (size_t i = 0; i < g->items; i++) {
    const size_t r = g->item[i].record;
    const double time = end_of(p, r) - start_of(p, r);
    if (what_of(p, r)->kind != GSCALE_RECORDED_KERNEL ||
        (each && what_of(p, r)->collective))
      continue;
    *all += g->steps > 0 && i < g->first[0] ? 0.1 * time : time;
    while (k + 1 < g->steps && i >= g->first[k + 1]) k++;
    const size_t from = g->steps > 0 ? g->first[k] : g->items;
    const bool inside =
        i >= from &&
        (p->marked ? k + 1 < g->steps || !(start_of(p, r) >= g->end[k])
                   : i < from + g->slots);
    if (inside) in += time;
    if (inside && each) each[k] += time;
    if (!inside && time > most) most = time, *largest = r;
  }
  return in;
}

double kernels_of_step(const profile *p, int gpu)
{
  double *const each = calloc(p->gpu[gpu].steps + 1, sizeof *each), all;
  size_t largest = 0;

  if (!each) return NAN;
  time_in_steps(p, &p->gpu[gpu], each, &all, &largest);
  const double median = median_of(each, p->gpu[gpu].steps);
  free(each);
  return median;
}

/* Checks the share of kernel time in steps. A sequence with less than two
 * fifths of the time is no step. */
static int check_share(profile *p, failure *why)
{
  double in = 0.0, all = 0.0, own;
  size_t largest = 0;
  char name[96], time[48];

  for (int g = 0; g < p->gpus; g++)
    in += time_in_steps(p, &p->gpu[g], NULL, &own, &largest), all += own;
  if (in >= 0.4 * all) return EXIT_OK;
  gscale_recorded_short_name(what_of(p, largest)->name, name, sizeof name);
  gscale_format_quantity(end_of(p, largest) - start_of(p, largest), GSCALE_TIME,
                         time, sizeof time);
  p->period_from = NULL;
  return fail(
      why, EXIT_DATA,
      "%s: the repeated part has %.0f%% of the time of kernels and lacks '%s', "
      "%s: give the begin of a step by --period nvtx:NAME or kernel:NAME",
      *p->path, 100.0 * in / all, name, time);
}

static void name_source(profile *p, const char *ranges, const char *kernel)
{
  char *const text = p->period_text;
  const size_t size = sizeof p->period_text;

  if (ranges)
    snprintf(text, size, "ranges '%.100s'", ranges);
  else if (kernel)
    snprintf(text, size, "kernel '%.100s'", kernel);
  else
    snprintf(text, size, "what repeats%s",
             p->coarse ? ", whatever its sizes" : "");
  p->period_from = ranges || share_of(p) > 0.0 ? text : NULL;
}

static int finish(profile *p, failure *why)
{
  const int ref = fullest(p);
  gpu_steps *const l = &p->gpu[ref];
  double *v;

  v = malloc((l->steps + 1) * sizeof *v);
  if (!v) return no_memory(why);
  find_period(p, l, v);
  free(v);
  if (p->period_from && isfinite(p->period)) {
    const int st = check_share(p, why);
    return st == EXIT_OK ? align_by_steps(p, why) : st;
  }
  p->period_from = NULL;
  return fail(why, EXIT_DATA,
              "%s: no repeated step, neither by ranges that say step or "
              "iteration nor by kernels and copies that repeat: give its begin "
              "by --period nvtx:NAME or kernel:NAME",
              *p->path);
}

static size_t most_items(const profile *p)
{
  size_t most = 0;

  for (int g = 0; g < p->gpus; g++)
    if (p->gpu[g].items > most) most = p->gpu[g].items;
  return most;
}

/* Ignores the sizes of work if less than half of the work is in steps. */
static int find_either(profile *p, const char *ranges, const char *kernel,
                       size_t *begin, failure *why)
{
  const int st = find_symbols_and_steps(p, false, ranges, kernel, begin, why);

  return st == EXIT_OK && share_of(p) < 0.5
             ? find_symbols_and_steps(p, true, ranges, kernel, begin, why)
             : st;
}

static int find_steps(profile *p, const char *rule, size_t *begin, failure *why)
{
  const char *ranges = rule && strncmp(rule, "nvtx:", 5) == 0 ? rule + 5 : NULL;
  const char *const kernel =
      rule && strncmp(rule, "kernel:", 7) == 0 ? rule + 7 : NULL;
  int st;

  if (!rule) ranges = find_ranges(p, begin);
  st = find_either(p, ranges, kernel, begin, why);
  if (st == EXIT_OK && !rule && ranges && has_copies(p, false) &&
      share_of(p) < 0.5) {
    ranges = NULL; /* ranges are no steps */
    st = find_either(p, NULL, NULL, begin, why);
  }
  if (st == EXIT_OK) name_source(p, ranges, kernel);
  return st;
}

int profile_steps(profile *p, const char *rule, failure *why)
{
  size_t *begin;
  int st;

  if (rule && strcmp(rule, "auto") == 0) rule = NULL;
  if (rule && strncmp(rule, "nvtx:", 5) != 0 &&
      strncmp(rule, "kernel:", 7) != 0)
    return fail(why, EXIT_USAGE,
                "--period: '%.60s' is not nvtx:NAME, kernel:NAME or auto",
                rule);
  begin = malloc((most_items(p) + 2) * sizeof *begin);
  if (!begin) return no_memory(why);
  st = find_steps(p, rule, begin, why);
  free(begin);
  return st == EXIT_OK ? finish(p, why) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
