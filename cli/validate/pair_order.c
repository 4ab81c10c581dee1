/* pair_order.c - compares predicted and measured orders of two paradigms. */

#include "validate/pair_order.h"
#include "validate/groups.h"

#include <math.h>
#include <stdlib.h>

size_t *group_cells(const study *s)
{
  return group_runs(s->runs, s->n, BY_SESSION | BY_GPUS);
}

static bool competes(const study *s, size_t i)
{
  return s->trials[i].role == ROLE_SCORED && s->trials[i].best &&
         s->runs[i].paradigm != gscale_paradigm_find("infinite");
}

typedef struct cell_of_runs {
  size_t n, run[PARADIGMS_MAX]; /* run[]: in the order of the joint */
  gscale_joint *joint;
} cell_of_runs;

static int add_run(const study *s, size_t i, gscale_uncertainty *u,
                   cell_of_runs *c, failure *why)
{
  const run *r = &s->runs[i];
  gscale_diag diag;
  gscale_error e;
  gscale_status st = gscale_uncertainty_error(u, r->paradigm, &r->k, &e, &diag);

  if (st == GSCALE_OK)
    st = gscale_joint_add(c->joint, u, s->trials[i].time, &e, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  c->run[c->n++] = i;
  return EXIT_OK;
}

static int add_verdict(const study *s, const cell_of_runs *c, size_t a,
                       size_t b, verdicts *out, failure *why)
{
  const double p = gscale_joint_faster(c->joint, a, b, 1.0);
  const double ta = s->runs[c->run[a]].time, tb = s->runs[c->run[b]].time;
  verdict *more = realloc(out->of, (out->n + 1) * sizeof *more);

  if (!more) return no_memory(why);
  out->of = more;
  out->of[out->n++] = (verdict){.sure = fmax(p, 1.0 - p),
                                .right = p >= 0.5 ? ta < tb : tb < ta,
                                .program = c->run[a]};
  return EXIT_OK;
}

static int judge_all(const study *s, const cell_of_runs *c, verdicts *out,
                     failure *why)
{
  int st = EXIT_OK;

  for (size_t a = 0; st == EXIT_OK && a < c->n; a++)
    for (size_t b = a + 1; st == EXIT_OK && b < c->n; b++)
      st = add_verdict(s, c, a, b, out, why);
  return st;
}

/* Loads a run's program with the single-GPU time and the errors. */
static int open_cell(const study *s, size_t i, const run *single,
                     gscale_workload **w, gscale_uncertainty **u, failure *why)
{
  gscale_diag diag;
  gscale_status st;

  if (study_load(s, &s->runs[i], w, why) != EXIT_OK) return why->status;
  if (single && runs_give_single(single, *w, why) != EXIT_OK)
    return why->status;
  st = gscale_uncertainty_new(s->system, *w, s->runs[i].gpus, false, u, &diag);
  return check_gscale(why, st, &diag);
}

static int judge_cell(const study *s, size_t first, const size_t *next,
                      const run *single, verdicts *out, failure *why)
{
  cell_of_runs c = {.joint = gscale_joint_new()};
  gscale_workload *w = NULL;
  gscale_uncertainty *u = NULL;
  int st = c.joint ? open_cell(s, first, single, &w, &u, why) : no_memory(why);

  for (size_t i = first; st == EXIT_OK && i != NO_ROW; i = next[i])
    if (competes(s, i) && c.n < PARADIGMS_MAX) st = add_run(s, i, u, &c, why);
  if (st == EXIT_OK) st = judge_all(s, &c, out, why);
  gscale_uncertainty_free(u);
  gscale_workload_free(w);
  gscale_joint_free(c.joint);
  return st;
}

int pairs_judge(const study *s, verdicts *out, failure *why)
{
  const run **single = study_singles(s, why);
  size_t *of = group_cells(s);
  size_t *next = of ? chain_rows(s->n, of) : NULL;
  int st = single && next ? EXIT_OK : no_memory(why);

  for (size_t i = 0; st == EXIT_OK && i < s->n; i++)
    if (of[i] == i && s->runs[i].gpus > 1)
      st = judge_cell(s, i, next, single[i], out, why);
  free(single);
  free(of);
  free(next);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
