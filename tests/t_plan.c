/* t_plan.c - a plan when what it was made of is gone, and its times alone. */

#include "cases.h"
#include "describe/described.h"
#include "language/language.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>
#include <string.h>

enum {
  WAYS = 64,
  NAMES = 64
};

static char programs[NAMES][GSCALE_NAME_MAX];
static size_t program_count;

static int add_name(const char *path, const char *name, void *closure,
                    failure *why)
{
  (void)path;
  (void)closure;
  (void)why;
  if (program_count < NAMES)
    snprintf(programs[program_count++], GSCALE_NAME_MAX, "%s", name);
  return EXIT_OK;
}

static bool load(const char *system, const char *program, int n,
                 gscale_system **s, gscale_workload **w)
{
  const int gpus[] = {n};

  *s = NULL;
  *w = NULL;
  return gscale_load_system(system, NULL, 0, s, NULL) == GSCALE_OK &&
         gscale_load_workload(program, NULL, 0, gpus, 1, w, NULL) == GSCALE_OK;
}

static size_t alike, apart; /* times alone, and in a prediction */

/* All paradigms, a collective, and what each way moves. */
static size_t ask_all(const gscale_plan *p, gscale_prediction *out,
                      double *alone)
{
  size_t n = 0;

  for (size_t i = 0; i < gscale_paradigm_count() && i < WAYS; i++) {
    memset(&out[i], 0, sizeof out[i]);
    alone[i] = 0.0;
    if (gscale_predict(p, i, NULL, &out[i], NULL) != GSCALE_OK) continue;
    alone[i] = gscale_predict_time(p, i, &out[i].knobs);
    const bool same = memcmp(&alone[i], &out[i].time, sizeof alone[i]) == 0;
    *(same ? &alike : &apart) += 1;
    n++;
  }
  alone[WAYS] = gscale_plan_collective(p, GSCALE_COLL_ALL_REDUCE, 1e6, false,
                                       GSCALE_COLL_ALGORITHM_END,
                                       GSCALE_COLL_PROTOCOL_END)
                    .total;
  return n;
}

static bool same(const gscale_prediction *a, const gscale_prediction *b)
{
  return memcmp(&a->time, &b->time, sizeof a->time) == 0 &&
         memcmp(a->part, b->part, sizeof a->part) == 0 &&
         memcmp(&a->bytes, &b->bytes, sizeof a->bytes) == 0 &&
         memcmp(&a->setup, &b->setup, sizeof a->setup) == 0 &&
         a->bound == b->bound && a->moves == b->moves;
}

/* The system and the workload of a plan lie where something else is written,
 * and what these were copied from is freed. */
static void outlives(const char *system, const char *program, int n)
{
  static gscale_prediction before[WAYS], after[WAYS];
  static gscale_workload moved;
  double alone[2][WAYS + 1] = {{0}};
  gscale_system *s, *here;
  gscale_workload *w;
  gscale_plan *p = NULL;

  if (!load(system, program, n, &s, &w)) {
    gsl_test(1, "%s, %s: loads", system, program);
    return;
  }
  here = malloc(sizeof *here);
  *here = *s;
  gscale__copy_workload(&moved, w);
  if (gscale_plan_new(here, &moved, n, &p, NULL) == GSCALE_OK) {
    const size_t asked = ask_all(p, before, alone[0]);
    memset(here, 0x41, sizeof *here);
    memset(&moved, 0x41, sizeof moved);
    gscale_system_free(s);
    gscale_workload_free(w);
    s = NULL;
    w = NULL;
    bool kept = asked > 0 && ask_all(p, after, alone[1]) == asked;
    for (size_t i = 0; i < WAYS; i++)
      kept = kept && same(&before[i], &after[i]);
    gsl_test(!kept || memcmp(alone[0], alone[1], sizeof alone[0]) != 0,
             "%s on %d of %s: %zu paradigms, after both are freed", program, n,
             system, asked);
  }
  gscale_plan_free(p);
  free(here);
  gscale_system_free(s);
  gscale_workload_free(w);
}

int main(void)
{
  failure why;

  each_description(KIND_WORKLOAD, add_name, NULL, &why);
  gsl_test(program_count < 20, "%zu programs", program_count);
  for (size_t i = 0; i < program_count; i++) {
    outlives("h200x8", programs[i], 4);
    outlives("dgx-h100-ndr", programs[i], 16);
  }
  gsl_test(alike < 800 || apart > 0,
           "%zu times alone are those of predictions, %zu are not", alike,
           apart);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
