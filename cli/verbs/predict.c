/* predict.c - gpuscale predict: prints a row for each paradigm and number of
 * GPUs, and in a table also a summary. */

#include "say/predict.h"
#include "common/temporary.h"
#include "describe/describe.h"
#include "say/extrapolate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static int predict_main(options *o, failure *why);

/* Predicts the program that describe makes of profiles. */
static int predict_profile(options *o, failure *why)
{
  temporary t;
  options describing = *o, asked = *o;

  if (!temporary_beside(&t, "/tmp/gpuscale"))
    return fail(why, EXIT_IO, "/tmp: %s", strerror(errno));
  const char *path = describing.output = t.path;
  describing.system = NULL; /* nothing says where the profile is of */
  int st = describe_main(&describing, why);
  asked.argument = &path;
  asked.arguments = 1;
  asked.parallel = NULL;
  if (st == EXIT_OK) st = predict_main(&asked, why);
  temporary_remove(&t);
  return st;
}

static int predict_main(options *o, failure *why)
{
  static question q; /* too large for the stack */
  answer *a = NULL;
  const bool bare = o->runs && o->arguments == 0; /* laws need no workload */
  if (o->parallel) return predict_profile(o, why);
  if (o->arguments == 1 && strstr(o->argument[0], ".json"))
    return fail(why, EXIT_USAGE,
                "predict: %.300s is a profile: --parallel ddp, fsdp or tp "
                "predicts its training, and `gpuscale describe` makes a "
                "program of it",
                o->argument[0]);
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
        "gpuscale predict --runs runs.csv --gpus 1-16\n"
        "gpuscale predict trace.json --parallel ddp --system dgx-h100\n",
    .accepts =
        "system link gpus per-node paradigm set steps proposed weak all runs "
        "parallel params ranks format output",
    .run = predict_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
