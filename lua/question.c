/* question.c - what most verbs ask: a system, a workload, paradigms, N. */

#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question ------------------------------------------------------- */

/* 1, 2, 4, ... and the built size itself. */
static void default_gpus(question *q)
{
  const int built = gscale_system_gpus(q->system);

  q->n = 0;
  for (int n = 1; n < built && n <= GPUS_MAX; n *= 2) q->gpus[q->n++] = n;
  q->gpus[q->n++] = built;
}

static int load_both(question *q, options *o, failure *why)
{
  int st;

  if (!o->system)
    return fail(why, EXIT_USAGE,
                "%s: needs --system SYSTEM; see `gpuscale list systems`",
                o->verb);
  st = load_system(o->system, &o->set, &q->system, &q->about_system, why);
  if (st != EXIT_OK) return st;
  return load_workload(o->argument[o->arguments - 1], &o->set, &q->workload,
                       &q->about_workload, why);
}

static int take_all_knobs(question *q, options *o, failure *why)
{
  for (size_t i = 0; i < q->paradigms; i++) {
    const int st = take_knobs(&o->set, q->paradigm[i], &q->knobs[i], why);
    if (st != EXIT_OK) return st;
  }
  return settings_all_used(&o->set, why);
}

int question_load(question *q, options *o, const char *gpus, failure *why)
{
  int st;

  memset(q, 0, sizeof *q);
  st = load_both(q, o, why);
  if (st != EXIT_OK) return st;
  if (o->gpus) gpus = o->gpus;
  if (!gpus)
    default_gpus(q);
  else if ((st = parse_gpus(gpus, q->gpus, &q->n, why)) != EXIT_OK)
    return st;
  st = parse_paradigms(o->paradigm ? o->paradigm : "all", o->proposed,
                       q->paradigm, &q->paradigms, &q->named, why);
  if (st != EXIT_OK) return st;
  return take_all_knobs(q, o, why);
}

void question_free(question *q)
{
  gscale_system_free(q->system);
  gscale_workload_free(q->workload);
  q->system = NULL;
  q->workload = NULL;
}

/* ---- the answers -------------------------------------------------------- */

static int answer_one(const question *q, const gscale_plan *plan, size_t i,
                      bool with_error, answer *a, failure *why)
{
  gscale_diag diag;
  gscale_error e;
  gscale_status st;

  *a = (answer){.err = (double)NAN};
  st = gscale_plan_needs(plan, q->paradigm[i], &diag);
  if (st == GSCALE_ENEED && !q->named) return EXIT_OK;
  if (st == GSCALE_OK)
    st = gscale_predict(plan, q->paradigm[i], &q->knobs[i], &a->p, &diag);
  if (st == GSCALE_OK && with_error) {
    st = gscale_predict_error(q->system, q->workload, gscale_plan_gpus(plan),
                              q->paradigm[i], &a->p.knobs, &e, &diag);
    if (st == GSCALE_OK) {
      a->err = e.time;
      a->applicability = e.applicability;
    }
  }
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  a->met = true;
  return EXIT_OK;
}

static int answer_all(const question *q, bool with_error, answer *a,
                      failure *why)
{
  int st = EXIT_OK;

  for (size_t j = 0; st == EXIT_OK && j < q->n; j++) {
    gscale_plan *plan = NULL;
    gscale_diag diag;
    const gscale_status new =
        gscale_plan_new(q->system, q->workload, q->gpus[j], &plan, &diag);

    if (new != GSCALE_OK) return fail_gscale(why, new, &diag);
    for (size_t i = 0; st == EXIT_OK && i < q->paradigms; i++)
      st = answer_one(q, plan, i, with_error, &a[i * q->n + j], why);
    gscale_plan_free(plan);
  }
  return st;
}

/* One note, however many N are beyond what was built. */
static void note_beyond(const question *q)
{
  const int built = gscale_system_gpus(q->system);
  const int last = q->gpus[q->n - 1];
  size_t first = 0;

  if (last <= built) return;
  while (q->gpus[first] <= built) first++;
  fprintf(stderr, "gpuscale: note: %s has %d GPUs; ",
          gscale_system_name(q->system), built);
  if (q->gpus[first] < last)
    fprintf(stderr, "%d to %d are extrapolated\n", q->gpus[first], last);
  else
    fprintf(stderr, "%d is extrapolated\n", last);
}

int question_answer(const question *q, bool with_error, answer **out,
                    failure *why)
{
  answer *a = calloc(q->paradigms * q->n, sizeof *a);
  int st;

  if (!a) return fail(why, EXIT_INTERNAL, "no memory for the predictions");
  st = answer_all(q, with_error, a, why);
  if (st != EXIT_OK) {
    free(a);
    return st;
  }
  note_beyond(q);
  *out = a;
  return EXIT_OK;
}

void print_knobs(char *text, size_t size, const gscale_knobs *k)
{
  size_t used = 0;

  text[0] = '\0';
  for (size_t i = 0; i < GSCALE_KNOB_END && used < size; i++)
    if (!isnan(k->v[i]))
      used += (size_t)snprintf(text + used, size - used, "%s%s=%.17g",
                               used ? ";" : "",
                               gscale_knob_name((gscale_knob)i), k->v[i]);
}
