/* predict.c - gpuscale predict: a row for each paradigm and number of GPUs. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>

/* ---- curves ------------------------------------------------------------- */

static const char *plural(int gpus)
{
  return gpus == 1 ? "" : "s";
}

/* Up to where GPUs are well spent, of those up to the peak. */
static void print_knee(FILE *f, const question *q, const double *time,
                       size_t peak, double speedup)
{
  const size_t knee = gscale_knee(q->gpus, time, peak + 1);

  if (q->gpus[peak] > 1 && speedup < 1.0)
    fprintf(f, "slower than one GPU");
  else if (peak == 0)
    fprintf(f, "more GPUs only slow it");
  else if (knee == 0)
    fprintf(f, "marginal efficiency below 50%% from the start");
  else
    fprintf(f, "marginal efficiency >= 50%% up to %d", q->gpus[knee]);
}

/* Where a paradigm's curve has its peak and its knee, and what bounds it. */
static void print_curve(FILE *f, const question *q, const answer *a,
                        const char *name)
{
  double time[GPUS_MAX];
  char knobs[256];
  size_t peak;

  for (size_t j = 0; j < q->n; j++) time[j] = a[j].p.time;
  peak = gscale_peak(time, q->n);
  print_moves(knobs, sizeof knobs, q->workload, &a[peak].p);
  fprintf(f, "%s: %s%.*fx at %d GPU%s%s%s%s", name, q->n > 1 ? "best " : "",
          a[peak].p.speedup < 1.0 ? 2 : 1, a[peak].p.speedup, q->gpus[peak],
          plural(q->gpus[peak]), *knobs ? " (" : "", knobs, *knobs ? ")" : "");
  if (q->n > 1) {
    fprintf(f, *knobs ? ",\n  " : ", "); /* lines of at most 80 */
    print_knee(f, q, time, peak, a[peak].p.speedup);
  }
  fprintf(f, ",%sbound by %s\n", q->n > 1 ? "\n  " : " ",
          mechanism_words(a[peak].p.bound));
}

static void print_curves(FILE *f, const question *q, const answer *a)
{
  putc('\n', f);
  for (size_t i = 0; i < q->paradigms; i++)
    if (a[i * q->n].met)
      print_curve(f, q, &a[i * q->n], question_paradigm(q, i));
}

/* ---- knobs that turn nothing -------------------------------------------- */

/* True if `factor` times the knob gives another time.  A value the model
 * refuses says nothing. */
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

/* Says why knob k, as given to the i-th paradigm, is inert on all N. */
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
    st = gscale_plan_new(q->system, q->workload, q->gpus[j], &plan, &diag);
    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
    moved = moves(plan, q->paradigm[i], &one->p, k, 2.0) ||
            moves(plan, q->paradigm[i], &one->p, k, 0.5);
    gscale_plan_free(plan);
    if (moved) return EXIT_OK;
  }
  fprintf(f, "knob %s.%s is inert: %s\n", question_paradigm(q, i),
          gscale_knob_name((gscale_knob)k),
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

/* ---- the verb ----------------------------------------------------------- */

/* Says from where on the numbers of the system were not measured. */
static void print_range(FILE *f, const question *q)
{
  const int measured = gscale_system_calibrated(q->system);

  if (measured > 0 && q->gpus[q->n - 1] > measured)
    fprintf(f, "\nbeyond %d GPUs: extrapolated, %s was measured on %d\n",
            measured, gscale_system_name(q->system), measured);
}

static int print_table(output *out, const rows *r, const question *q,
                       const answer *a, failure *why)
{
  int st;

  fprintf(out->f, "one step of %s on %s\n\n", gscale_workload_name(q->workload),
          q->name);
  st = rows_write(r, FORMAT_TABLE, out, why);
  if (st != EXIT_OK) return st;
  print_curves(out->f, q, a);
  st = print_all_inert(out->f, q, a, why);
  print_range(out->f, q);
  return st;
}

static int print(const rows *r, const question *q, const answer *a,
                 const options *o, failure *why)
{
  output out;
  int st;

  if (o->format != FORMAT_TABLE) return rows_print(r, o, why);
  st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  st = print_table(&out, r, q, a, why);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

int predict_main(options *o, failure *why)
{
  static question q; /* large */
  met_answers met = {0};
  answer *a = NULL;
  rows *r = NULL;
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = question_load(&q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK) st = question_answer(&q, true, &a, why);
  if (st != EXIT_OK) goto done;
  r = prediction_list(&q, a, &met);
  st = r ? print(r, &q, a, o, why)
         : fail(why, EXIT_INTERNAL, "no memory for the rows");
done:
  rows_free(r);
  free(met.at);
  free(a);
  question_free(&q);
  return st;
}
