/* responses.c - predictions of runs at given values of the numbers. */

#include "learn/posterior/posterior.h"

/* Records a lack of memory, because any other failure of a prediction is
 * tolerated. */
static void note_memory(gscale_posterior *p, gscale_status st)
{
  p->no_memory = p->no_memory || st == GSCALE_ENOMEM;
}

/* Returns the cell of an instance on `gpus` GPUs. The posterior keeps only the
 * last cell without runs. */
static cell *cell_at(gscale_posterior *p, size_t of, int gpus)
{
  for (size_t c = 0; c < p->cells; c++)
    if (p->cell[c].instance == of && p->cell[c].gpus == gpus)
      return &p->cell[c];
  if (p->other.instance != of || p->other.gpus != gpus) {
    gscale__based_free(&p->other.plan);
    p->other = (cell){.instance = of, .gpus = gpus};
  }
  return &p->other;
}

static uint64_t bit_of(size_t paradigm)
{
  return (uint64_t)1 << paradigm;
}

/* Creates a plan with the trial numbers for `infinite` and the paradigms in the
 * set `by`, which reuses compiled parts of the plan at the prior. */
static gscale_status plan_trial(gscale_posterior *p, cell *c, uint64_t by,
                                gscale__based *out, gscale_diag *diag)
{
  const instance *i = &p->instance[c->instance];
  const uint64_t all = bit_of(gscale_paradigm_count()) - 1;

  *out = (gscale__based){NULL, NULL};
  if (!c->planned)
    note_memory(p, gscale__based_new(&p->base, i->w, c->gpus, &c->plan, NULL));
  c->planned = true;
  if (!c->plan.plan)
    return gscale__based_new(&p->moved, i->moved, c->gpus, out, diag);
  const gscale_status st =
      gscale__based_again(&c->plan, &p->base, &p->moved, i->w, i->moved,
                          all & ~(by | 1), out, diag);
  if (st == GSCALE_OK) gscale__based_lend(&c->plan, out);
  return st;
}

static gscale_status predict_by(const gscale_plan *plan, const gscale_run *r,
                                predicted *out, gscale_diag *diag)
{
  gscale_prediction full;
  gscale_status st = gscale_plan_needs(plan, r->paradigm, diag);

  if (st != GSCALE_OK) return st;
  out->infinite = plan->infinite;
  out->time = gscale_predict_time(plan, r->paradigm, &r->knobs);
  if (isfinite(out->time)) return GSCALE_OK;
  st = gscale_predict(plan, r->paradigm, &r->knobs, &full, diag);
  if (st == GSCALE_OK) out->time = full.time;
  return st;
}

/* Adds the prefix "file:line: " to a message. */
static gscale_status name_run(const gscale_run *r, gscale_status st,
                              gscale_diag *diag)
{
  if (!r->file || !diag) return st;
  return gscale__fail(diag, st, "%.120s:%d: %s", r->file, r->line, diag->text);
}

gscale_status gscale__predict_run(gscale_posterior *p, const gscale_run *r,
                                  size_t i, predicted *out, gscale_diag *diag)
{
  gscale__based b;
  gscale_status st =
      plan_trial(p, cell_at(p, i, r->gpus), bit_of(r->paradigm), &b, diag);

  if (st == GSCALE_OK) st = predict_by(b.plan, r, out, diag);
  gscale__based_free(&b);
  note_memory(p, st);
  return st == GSCALE_OK ? st : name_run(r, st, diag);
}

static gscale_status predict_cell(gscale_posterior *p, size_t c, predicted *out,
                                  gscale_diag *diag)
{
  cell *now = &p->cell[c];
  gscale__based plan;
  uint64_t by = 0;

  for (size_t k = now->first; k < now->first + now->n; k++)
    by |= bit_of(p->run[p->order[k]].paradigm);
  const gscale_status planned = plan_trial(p, now, by, &plan, diag);
  gscale_status st = planned;

  note_memory(p, planned);
  for (size_t k = now->first; k < now->first + now->n; k++) {
    const size_t i = p->order[k];
    out[i] = (predicted){NAN, NAN};
    if (planned != GSCALE_OK) continue;
    const gscale_status one = predict_by(plan.plan, &p->run[i], &out[i],
                                         st == GSCALE_OK ? diag : NULL);
    note_memory(p, one);
    if (one != GSCALE_OK && st == GSCALE_OK) {
      st = one;
      name_run(&p->run[i], one, diag);
    }
  }
  gscale__based_free(&plan);
  return planned == GSCALE_OK
             ? st
             : name_run(&p->run[p->order[now->first]], planned, diag);
}

void gscale__predict_cell(gscale_posterior *p, size_t c, predicted *out)
{
  predict_cell(p, c, out, NULL);
}

gscale_status gscale__predict_all(gscale_posterior *p, predicted *out,
                                  gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t c = 0; c < p->cells; c++) {
    const gscale_status one =
        predict_cell(p, c, out, st == GSCALE_OK ? diag : NULL);
    if (st == GSCALE_OK) st = one;
  }
  return st;
}

double gscale__posterior_host(gscale_posterior *p, const gscale_run *r,
                              size_t i, const predicted *at)
{
  gscale__based b;
  gscale_prediction full;
  gscale_status st =
      plan_trial(p, cell_at(p, i, r->gpus), bit_of(r->paradigm), &b, NULL);

  if (st == GSCALE_OK)
    st = gscale_predict(b.plan, r->paradigm, &r->knobs, &full, NULL);
  gscale__based_free(&b);
  note_memory(p, st);
  return st == GSCALE_OK ? fmin(1.0, full.part[GSCALE_PART_HOST] / at->time)
                         : 0.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
