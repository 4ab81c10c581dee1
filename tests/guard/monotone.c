/* monotone.c - more published bytes never take less time.
 *
 *   monotone [-v] [-n POINTS] [SYSTEM...]
 *
 * Every shipped program that a system answers, on 2, 4 and 8 GPUs, by all
 * paradigms and methods between nodes: a curve is POINTS values [400] of the
 * bytes that a phase publishes, or adds up, 1 kB to 1 GB, with all else as it
 * is.  A drop is the share by which a step of the curve is shorter than the one
 * before:
 *
 *   fixed   more than 1e-6, at knobs that stay: those that are best with the
 *           fewest, the middle and the most bytes; of collectives each
 * algorithm by each protocol chosen  more than 1e-3, at the best knobs of each
 * point
 *
 * Excepted is one mechanism, which was measured (data/h200x2/steps): NCCL sends
 * to a GPU by twice the channels from a size on.  Prints a
 * line a paradigm; -v one for each curve with drops.  Exits 1 if there are any.
 */

#include "language/language.h"
#include "more.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const shipped[] = {
    "h200x8",   "dgx-a100",    "a100-pcie",    "h100-pcie", "k40x4",
    "dgx1",     "l40s-pcie",   "dgx-h100-ndr", "v100x4",    "gh200x4",
    "dgx-b200", "gb200-nvl72", "perlmutter"};
static const int gpus[] = {2, 4, 8};
static const double FIXED = 1e-6, CHOSEN = 1e-3, LEAST = 1e3, MOST = 1e9;

enum {
  PROGRAMS_MAX = 64,
  POINTS_MAX = 4096,
  SETS = 3, /* of fixed knobs */
  PAIRS_MAX = 64
};

static int points = 400;
static bool verbose;

/* Of a paradigm, or of it with a method. */
static struct counted {
  char name[2 * GSCALE_NAME_MAX];
  size_t curves[2], dropped[2], drops[2], excepted;
  double worst[2];
} all[PAIRS_MAX];
static size_t pairs;

/* A phase's number that moves, and what moves with it: nothing. */
typedef struct curve {
  const char *system, *program;
  const gscale_system *s;
  gscale_workload *w;
  int n;
  size_t phase;
  bool reduce;
  gscale_plan *plan[POINTS_MAX];
} curve;

static double at(int i)
{
  return LEAST * pow(MOST / LEAST, i / (points - 1.0));
}

static double *moved(const curve *c)
{
  gscale_phase *p = &c->w->phase[c->phase];
  return c->reduce ? &p->reduce : &p->publish;
}

static struct counted *counted_as(const char *name)
{
  size_t i = 0;

  while (i < pairs && strcmp(all[i].name, name) != 0) i++;
  if (i == pairs && pairs < PAIRS_MAX)
    snprintf(all[pairs++].name, sizeof all->name, "%s", name);
  return &all[i];
}

/* Seconds by k, or by its best. */
static double time_of(const curve *c, int i, size_t paradigm,
                      const gscale_knobs *k, bool fixed, gscale_knobs *used)
{
  gscale_prediction p;

  if (gscale_predict(c->plan[i], paradigm, k, &p, NULL) != GSCALE_OK)
    return (double)NAN;
  if (!fixed && used) *used = p.knobs;
  return p.time;
}

static void walk(const curve *c, size_t paradigm, const gscale_knobs *k,
                 bool fixed)
{
  char name[sizeof all->name];
  double last = 0, worst = 0, where = 0;
  size_t drops = 0;

  gscale_pair_name(paradigm, k, name, sizeof name);
  struct counted *of = counted_as(name);
  for (int i = 0; i < points; i++) {
    const double t = time_of(c, i, paradigm, k, fixed, NULL);
    const double drop = i > 0 ? 1 - t / last : 0;
    last = t;
    if (!(drop > (fixed ? FIXED : CHOSEN))) continue;
    if (more_channels(c->s, c->plan[i - 1], c->plan[i], paradigm, c->phase,
                      k)) {
      of->excepted++;
      continue;
    }
    drops++;
    if (drop > worst) where = at(i);
    worst = fmax(worst, drop);
  }
  of->curves[fixed]++;
  of->dropped[fixed] += drops > 0;
  of->drops[fixed] += drops;
  of->worst[fixed] = fmax(of->worst[fixed], worst);
  if (verbose && drops > 0)
    printf("%s %s on %d of %s, phase %zu, %s, chunk %g, width %g, %u/%u: %zu "
           "drops, %.3g %% at %.6g B\n",
           name, c->program, c->n, c->system, c->phase + 1,
           fixed ? "fixed" : "chosen", k->v[GSCALE_CHUNK], k->v[GSCALE_WIDTH],
           k->algorithm, k->protocol, drops, 100 * worst, where);
}

static bool alike(const gscale_knobs *a, const gscale_knobs *b)
{
  return memcmp(a->v, b->v, sizeof a->v) == 0 && a->between == b->between;
}

/* At the knobs that are best with few bytes, more, and many. */
static void walk_fixed(const curve *c, size_t paradigm, size_t between)
{
  gscale_knobs k[SETS];

  for (int i = 0; i < SETS; i++) {
    gscale_knobs asked = gscale_knobs_best;
    bool again = false;
    asked.between = between;
    if (isnan(time_of(c, i * (points - 1) / (SETS - 1), paradigm, &asked, false,
                      &k[i])))
      return;
    for (int j = 0; j < i; j++) again = again || alike(&k[i], &k[j]);
    if (!again) walk(c, paradigm, &k[i], true);
  }
}

static void walk_collectives(const curve *c, size_t paradigm)
{
  for (unsigned a = 1; a <= GSCALE_COLL_ALGORITHM_END; a++)
    for (unsigned p = 1; p <= GSCALE_COLL_PROTOCOL_END; p++) {
      gscale_knobs k = gscale_knobs_best;
      k.algorithm = a;
      k.protocol = p;
      if (isfinite(time_of(c, 0, paradigm, &k, true, NULL)))
        walk(c, paradigm, &k, true);
    }
}

static void walk_pair(const curve *c, size_t paradigm, size_t between)
{
  gscale_knobs k = gscale_knobs_best;

  k.between = between;
  if (isnan(time_of(c, 0, paradigm, &k, true, NULL))) return;
  walk(c, paradigm, &k, false);
  if (gscale_paradigm_at(paradigm)->collective)
    walk_collectives(c, paradigm);
  else
    walk_fixed(c, paradigm, between);
}

static void walk_all(curve *c)
{
  const bool far = c->n > gscale_system_about(c->s).node;
  const double was = *moved(c);
  int made = 0;

  for (; made < points; made++) {
    *moved(c) = at(made);
    if (gscale_plan_new(c->s, c->w, c->n, &c->plan[made], NULL) != GSCALE_OK)
      break;
  }
  *moved(c) = was;
  for (size_t p = 0; made == points && p < gscale_paradigm_count(); p++)
    walk_pair(c, p, 0);
  for (size_t b = 0; made == points && far && gscale_between_at(b); b++)
    walk_pair(c, gscale_paradigm_find("memcpy"), b + 1);
  while (made > 0) gscale_plan_free(c->plan[--made]);
}

static char programs[PROGRAMS_MAX][GSCALE_NAME_MAX];
static size_t count;

static int add_name(const char *path, const char *name, void *closure,
                    failure *why)
{
  (void)path;
  (void)closure;
  (void)why;
  if (count < PROGRAMS_MAX)
    snprintf(programs[count++], GSCALE_NAME_MAX, "%s", name);
  return EXIT_OK;
}

static void walk_system(const char *name)
{
  static curve c;
  gscale_system *s;
  gscale_diag why;

  if (gscale_load_system(name, NULL, 0, &s, &why) != GSCALE_OK) {
    fprintf(stderr, "%s: %s\n", name, why.text);
    exit(2);
  }
  for (size_t i = 0; i < count; i++) {
    gscale_workload *w;
    if (gscale_load_workload(programs[i], NULL, 0, gpus,
                             sizeof gpus / sizeof *gpus, &w, &why) != GSCALE_OK)
      continue;
    for (size_t n = 0; n < sizeof gpus / sizeof *gpus; n++)
      for (size_t f = 0; f < 2 * w->phases; f++) {
        c = (curve){.system = name,
                    .program = programs[i],
                    .s = s,
                    .w = w,
                    .n = gpus[n],
                    .phase = f / 2,
                    .reduce = f % 2};
        if (*moved(&c) > 0) walk_all(&c);
      }
    gscale_workload_free(w);
  }
  gscale_system_free(s);
}

static int report(void)
{
  size_t drops = 0;

  for (size_t i = 0; i < pairs; i++) {
    const struct counted *a = &all[i];
    printf("%-24s", a->name);
    for (int fixed = 1; fixed >= 0; fixed--)
      printf("  %s %zu of %zu curves, %zu drops, worst %.3g %%",
             fixed ? "fixed" : "chosen", a->dropped[fixed], a->curves[fixed],
             a->drops[fixed], 100 * a->worst[fixed]);
    printf("; %zu excepted\n", a->excepted);
    drops += a->drops[0] + a->drops[1];
  }
  printf("%zu drops\n", drops);
  return drops > 0;
}

int main(int argc, char **argv)
{
  failure why = {0};
  int i = 1;

  for (; i < argc && argv[i][0] == '-'; i++) {
    verbose = verbose || strcmp(argv[i], "-v") == 0;
    if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) points = atoi(argv[++i]);
  }
  if (points < SETS || points > POINTS_MAX) {
    fprintf(stderr, "usage: monotone [-v] [-n POINTS] [SYSTEM...]\n");
    return 2;
  }
  if (each_description(KIND_WORKLOAD, add_name, NULL, &why) != EXIT_OK) {
    fprintf(stderr, "no programs: %s\n", why.text);
    return 2;
  }
  if (i == argc)
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++)
      walk_system(shipped[k]);
  for (; i < argc; i++) walk_system(argv[i]);
  return report();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
