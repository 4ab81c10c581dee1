/* inputs.c - computes a prediction and the numbers that determine it. */

#include "say/predict.h"

#include <math.h>
#include <stdlib.h>

bool error_is_known(const gscale_system *s)
{
  return gscale_system_about(s).residuals->part[GSCALE_RESIDUAL_STEP] > 0.0;
}

const char *error_words(const gscale_error *e)
{
  static const char *const words[] = {
      [GSCALE_RESIDUAL_STEP] = "of the step as a whole",
      [GSCALE_RESIDUAL_HOST] = "of its host",
      [GSCALE_RESIDUAL_BESIDE] = "of transfer beside compute",
      [GSCALE_RESIDUAL_MOVED] = "of the transfer",
  };
  size_t most = 0;

  for (size_t p = 1; p < GSCALE_RESIDUAL_PARTS; p++)
    if (e->own[p] > e->own[most]) most = p;
  if (e->of_collectives > e->own[most]) return "of collectives";
  return e->of_rest > e->own[most] ? "of what was not measured" : words[most];
}

int question_load_one(question *q, options *o, const char *who, failure *why)
{
  const int st = question_load(q, o, GPUS_DOUBLED, why);

  if (st != EXIT_OK) return st;
  if (!o->gpus) q->gpus[0] = q->gpus[q->n - 1];
  if (o->gpus && q->n != 1)
    return fail(why, EXIT_USAGE, "%s: --gpus: one number, not '%.100s'", who,
                o->gpus);
  q->n = 1;
  return EXIT_OK;
}

/* Chooses the best of the paradigms on one N. */
static int choose(grounds *g, options *o, const char *who, failure *why)
{
  question *q = &g->q;
  answer *a;
  int st = question_load_one(q, o, who, why);

  if (st != EXIT_OK) return st;
  if (question_join(q, why) != EXIT_OK) return why->status;
  a = question_answers(q);
  if (!a) return no_memory(why);
  st = question_answer_at(q, 0, q->paradigms > 1, a, why);
  if (st == EXIT_OK) st = question_settle(q, a, false, why);
  if (st == EXIT_OK) g->fastest = question_best(q, a, 0);
  if (st == EXIT_OK) g->p = a[g->fastest].p;
  free(a);
  return st;
}

int grounds_find(grounds *g, options *o, const char *who, failure *why)
{
  gscale_diag diag;
  gscale_status made;
  int st = choose(g, o, who, why);

  if (st == EXIT_OK)
    st = influences_find(&g->by, &g->q, g->fastest, 0, &g->p.knobs, why);
  if (st != EXIT_OK) return st;
  made = gscale_uncertainty_error(g->by.u, g->q.paradigm[g->fastest],
                                  &g->p.knobs, &g->e, &diag);
  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  question_given_error(&g->q, g->fastest, g->q.gpus[0], &g->p, &g->e);
  while (g->n < g->by.n) {
    const gscale_influence *next = &g->by.of[g->by.order[g->n]];

    if (!(next->err > 0.0) && !(fabs(next->elasticity) > 1e-9)) break;
    g->n++;
  }
  return EXIT_OK;
}

void grounds_free(grounds *g)
{
  influences_free(&g->by);
  question_free(&g->q);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
