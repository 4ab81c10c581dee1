/* other_runs.c - estimates scaling from other runs of a program: kernel times
 * and copied bytes as functions of N, and a rule for partners in all runs.
 *
 * A kernel takes the time T on each of the N GPUs of the described run, without
 * its start, and t on each of m GPUs in another run. Then t = T (s + (1 - s) N
 * / m), where s is the serial share of T. For a run on one GPU with a share of
 * the work, m = 1 / share. */

#include "describe/body.h"

#include <math.h>
#include <string.h>

static const double start = 1.54e-6; /* s, as described */

/* ---- kernels ------------------------------------------------------------ */

static bool is_kernel_of(const profile *p, const slot *s, const char *name)
{
  const gscale_recorded_what *const w = gscale_recording_what(p->r, s->what);

  return w->kind == GSCALE_RECORDED_KERNEL && strcmp(w->name, name) == 0;
}

static double blocks_of(const profile *p, const slot *s)
{
  return gscale_recording_what(p->r, s->what)->blocks;
}

/* Finds the slot of the kernel's grid that is at `place` by size. Starts of
 * steps differ between runs, but the order of sizes does not. */
static size_t nth_symbol(const profile *p, const gpu_steps *g, const char *name,
                         size_t place)
{
  double least = -1.0;
  size_t best = NONE;

  for (size_t turn = 0; turn <= place; turn++) {
    best = NONE;
    for (size_t j = 0; j < g->slots; j++) {
      const double blocks = blocks_of(p, &g->slot[j]);
      if (is_kernel_of(p, &g->slot[j], name) && blocks > least &&
          (best == NONE || blocks < blocks_of(p, &g->slot[best])))
        best = j;
    }
    if (best == NONE) return NONE;
    least = blocks_of(p, &g->slot[best]);
  }
  return best;
}

/* Returns the mean time and the error of launches with the symbol of a slot. */
static double mean_time(const gpu_steps *g, size_t like, double *err)
{
  double sum = 0.0, n = 0.0;

  *err = 0.0;
  for (size_t j = 0; j < g->slots; j++)
    if (g->slot[j].symbol == g->slot[like].symbol) {
      sum += g->slot[j].time;
      *err = fmax(*err, g->slot[j].spread);
      n++;
    }
  return sum / n;
}

/* Returns the rank of the phase among phases with the same kernel name. */
static size_t place_of(const body *b, size_t phase, const char **name)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];
  size_t place = 0;

  *name = NULL;
  for (size_t j = 0; j < g->slots && !*name; j++)
    if (b->phase_of[j] == phase)
      *name = gscale_recording_what(b->p->r, g->slot[j].what)->name;
  while (*name) {
    const size_t j = nth_symbol(b->p, g, *name, place);
    if (j == NONE || b->phase_of[j] == phase) break;
    place++;
  }
  return place;
}

/* Estimates the serial share of a phase from one other run. Returns false if
 * the other run lacks the kernel. */
static bool find_serial(const body *b, size_t phase, const other_run *o,
                        double *serial, double *err)
{
  const int gpu = fullest(&o->p);
  const gpu_steps *const g = &o->p.gpu[gpu];
  const double ratio = b->gpus / o->gpus; /* N / m */
  const double mine = b->phase[phase].time - start;
  const char *name;
  const size_t place = place_of(b, phase, &name);
  const size_t j = name ? nth_symbol(&o->p, g, name, place) : NONE;
  double theirs_err;

  if (j == NONE || !(mine > start) || fabs(1.0 - ratio) < 1e-9) return false;
  const double q = (mean_time(g, j, &theirs_err) - start) / mine;
  *serial = (q - ratio) / (1.0 - ratio);
  *err = hypot(theirs_err, q * b->phase[phase].err) / mine / fabs(1.0 - ratio);
  return true;
}

/* Averages the serial share over all runs. The scatter is the error. */
static void learn_phase(body *b, size_t phase)
{
  double sum = 0.0, squares = 0.0, err = 0.0, n = 0.0;

  for (size_t i = 0; i < b->others; i++) {
    double s, e;
    if (!find_serial(b, phase, &b->other[i], &s, &e)) continue;
    sum += s;
    squares += s * s;
    err = fmax(err, e);
    n++;
  }
  if (!(n > 0.0)) return;
  body_phase *const f = &b->phase[phase];
  f->serial = fmin(1.0, fmax(-1.0, sum / n));
  f->serial_err =
      hypot(err, sqrt(fmax(0.0, squares / n - sum / n * (sum / n))));
  f->serial_known = true;
}

/* Averages over the kernels' time, for kernels that no other run has. */
static void learn_kernels(body *b)
{
  double sum = 0.0, squares = 0.0, time = 0.0;

  for (size_t i = 0; i < b->phases; i++) {
    const double t = b->phase[i].time * (double)b->phase[i].launches;
    learn_phase(b, i);
    if (!b->phase[i].serial_known) continue;
    sum += t * b->phase[i].serial;
    squares += t * b->phase[i].serial_err * b->phase[i].serial_err;
    time += t;
  }
  b->serial_known = time > 0.0;
  if (!b->serial_known) return;
  b->serial = sum / time;
  b->serial_err = sqrt(squares / time);
  for (size_t i = 0; i < b->phases; i++)
    if (!b->phase[i].serial_known) b->phase[i].serial = b->serial;
}

/* ---- copies ------------------------------------------------------------- */

/* Returns the bytes that a GPU copies to each partner in a step. */
static double sent_to_each(const profile *p)
{
  const int gpu = fullest(p);
  bool seen[1024] = {false};
  double sum = 0.0, partners = 0.0;

  for (size_t j = 0; j < p->gpu[gpu].slots; j++) {
    const gscale_recorded_what *const w =
        gscale_recording_what(p->r, p->gpu[gpu].slot[j].what);
    if (w->copy != GSCALE_RECORDED_P2P || w->dst < 0 || w->dst >= 1024)
      continue;
    partners += !seen[w->dst];
    seen[w->dst] = true;
    sum += w->bytes;
  }
  return partners > 0.0 ? sum / partners : 0.0;
}

/* Fits bytes ~ N^-growth to runs on other numbers of GPUs. Runs on one GPU or
 * with a share of the work are excluded. */
static void learn_growth(body *b)
{
  const double mine = sent_to_each(b->p);
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; i < b->others; i++) {
    const other_run *const o = &b->other[i];
    const double theirs = sent_to_each(&o->p);
    if (!(mine > 0.0 && theirs > 0.0) || o->share < 1.0 ||
        fabs(b->gpus - o->gpus) < 0.5)
      continue;
    sum += log(theirs / mine) / log(b->gpus / o->gpus);
    n++;
  }
  b->growth_known = n > 0.0;
  if (b->growth_known)
    b->growth = fmin(3.0, fmax(0.0, round(1e3 * sum / n) / 1e3));
}

void learn_from_others(body *b)
{
  learn_kernels(b);
  learn_growth(b);
}

/* ---- notes -------------------------------------------------------------- */

void say_others(const body *b)
{
  for (size_t i = 0; i < b->others; i++)
    print_note("%s: %g GPU%s, %g of the work", *b->other[i].p.path,
               b->other[i].gpus * b->other[i].share,
               b->other[i].gpus * b->other[i].share > 1.0 ? "s" : "",
               b->other[i].share);
  for (size_t i = 0; i < b->phases; i++)
    if (b->phase[i].serial_known)
      print_note("%s: %.1f +/- %.1f %% of its time does not "
                 "shrink with more GPUs",
                 b->phase[i].name, 100.0 * b->phase[i].serial,
                 100.0 * b->phase[i].serial_err);
  if (b->growth_known)
    print_note("by these profiles copies scale as (N / n) ^ %g", b->growth);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
