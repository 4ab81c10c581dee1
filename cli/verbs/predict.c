/* predict.c - gpuscale predict: prints a row for each paradigm and number of
 * GPUs, and in a table also a summary. */

#include "say/predict.h"
#include "say/extrapolate.h"

#include <math.h>
#include <stdlib.h>

/* ---- inert knobs --------------------------------------------------------- */

/* Returns whether `factor` times the knob changes the time. A value that the
 * model refuses changes nothing. */
static bool moves(const gscale_plan *plan, size_t paradigm,
                  const gscale_prediction *p, size_t knob, double factor)
{
  const double least = 1e-3;
  gscale_knobs turned = p->knobs;
  gscale_prediction then;

  turned.v[knob] *= factor;
  return gscale_predict(plan, paradigm, &turned, &then, NULL) == GSCALE_OK &&
         fabs(then.time - p->time) > least * p->time;
}

/* Prints why knob k of the i-th paradigm is inert on all numbers of GPUs. */
static int print_inert(FILE *f, const question *q, const answer *a, size_t i,
                       size_t k, failure *why)
{
  bool used = false;

  for (size_t j = 0; j < q->n; j++) {
    const answer *one = &a[i * q->n + j];
    gscale_plan *plan = NULL;
    gscale_diag diag;
    gscale_status st;
    bool moved;

    if (!one->met || isnan(one->p.knobs.v[k])) continue;
    used = true;
    st = gscale_plan_new(q->system, question_workload(q, q->gpus[j]),
                         q->gpus[j], &plan, &diag);
    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
    moved = moves(plan, q->paradigm[i], &one->p, k, 2.0) ||
            moves(plan, q->paradigm[i], &one->p, k, 0.5);
    gscale_plan_free(plan);
    if (moved) return EXIT_OK;
  }
  fprintf(f, "knob %s.%s is inert: %s\n", question_paradigm(q, i),
          gscale_knob_at((gscale_knob)k)->name,
          used ? "twice or half of it moves no time by more than 0.1%"
               : "the prediction does not use it");
  return EXIT_OK;
}

static int print_all_inert(FILE *f, const question *q, const answer *a,
                           failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; i < q->paradigms; i++)
    for (size_t k = 0; st == EXIT_OK && k < GSCALE_KNOB_END; k++)
      if (!isnan(q->knobs[i].v[k])) st = print_inert(f, q, a, i, k, why);
  return st;
}

/* ---- verb ---------------------------------------------------------------- */

/* Prints every row with its bandwidths, waits and knobs. */
static int print_rows(output *out, const question *q, const answer *a,
                      failure *why)
{
  met_answers met = {0};
  rows *r = prediction_list(q, a, &met);
  const int st = rows_end(EXIT_OK, r, FORMAT_TABLE, out, why);

  free(met.at);
  if (st == EXIT_OK) summary_curves(out->f, q, a);
  return st;
}

static int print_table(output *out, const question *q, const answer *a,
                       bool all, failure *why)
{
  claim c;
  int st;

  claim_question(&c, q, a);
  claim_put(out->f, &c);
  summary_weak(out->f, q);
  putc('\n', out->f);
  st = all ? print_rows(out, q, a, why) : summary_print(out, q, a, why);
  if (st == EXIT_OK) st = print_all_inert(out->f, q, a, why);
  if (st == EXIT_OK) summary_range(out->f, q);
  return st;
}

static int print(const question *q, const answer *a, const options *o,
                 failure *why)
{
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  st = print_table(&out, q, a, o->all, why);
  return output_end(st, &out, why);
}

static int print_list(const question *q, const answer *a, const options *o,
                      failure *why)
{
  met_answers met = {0};
  rows *r = prediction_list(q, a, &met);
  claim c;

  if (o->format == FORMAT_JSON) claim_question(&c, q, a);
  if (o->format == FORMAT_JSON) rows_answer(r, &c);
  const int st = rows_print(EXIT_OK, r, o, why);

  free(met.at);
  return st;
}

static int predict_main(options *o, failure *why)
{
  static question q; /* too large for the stack */
  answer *a = NULL;
  const bool bare = o->runs && o->arguments == 0; /* laws need no workload */
  int st = bare ? EXIT_OK : need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  if (bare && (o->weak || o->link))
    return fail(why, EXIT_USAGE, "predict: %s needs a WORKLOAD",
                o->weak ? "--weak" : "--link");
  if (o->runs && !o->weak && !o->link) {
    bool none;

    st = ahead_main(o, &none, why);
    if (!none) return st;
  }
  st = question_load(&q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK) st = question_answer(&q, true, &a, why);
  if (st == EXIT_OK)
    st = o->format == FORMAT_TABLE ? print(&q, a, o, why)
                                   : print_list(&q, a, o, why);
  free(a);
  question_free(&q);
  return st;
}

const verb verb_predict = {
    .place = 10,
    .name = "predict",
    .usage = "WORKLOAD --system SYSTEM [options], or --runs FILE",
    .summary = "the time of one step on N GPUs, by each paradigm",
    .examples =
        "gpuscale predict jacobi --system h200x8\n"
        "gpuscale predict jacobi --system h200x8 -P n=128 --gpus 1-16\n"
        "gpuscale predict jacobi --system h200x8 --link pcie5\n"
        "gpuscale predict jacobi --system h200x8 --format csv -o jacobi.csv\n"
        "gpuscale predict --runs runs.csv --gpus 1-16\n",
    .accepts = "system link gpus paradigm set steps proposed weak all runs "
               "format output",
    .run = predict_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
