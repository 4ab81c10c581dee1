/* next_measurement.c - finds how much numbers contribute to a prediction's
 * error, and the measurement to make next. */

#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- influences ---------------------------------------------------------- */

/* Sorts influences by error, then by |elasticity|, then by declaration. */
static void sort(influences *f)
{
  for (size_t i = 0; i < f->n; i++) {
    size_t j = i;

    for (; j > 0; j--) {
      const gscale_influence *a = &f->of[i], *b = &f->of[f->order[j - 1]];

      if (!(a->err > b->err) &&
          !(a->err >= b->err && fabs(a->elasticity) > fabs(b->elasticity)))
        break;
      f->order[j] = f->order[j - 1];
    }
    f->order[j] = i;
  }
}

int influences_find(influences *f, const question *q, size_t i, size_t j,
                    const gscale_knobs *k, failure *why)
{
  gscale_diag diag;
  const gscale_status st =
      gscale_uncertainty_new(q->system, question_workload(q, q->gpus[j]),
                             q->gpus[j], true, &f->u, &diag);

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  f->n = gscale_uncertainty_count(f->u);
  f->of = calloc(f->n + 1, sizeof *f->of);
  f->order = calloc(f->n + 1, sizeof *f->order);
  if (!f->of || !f->order) return no_memory(why);
  for (size_t at = 0; at < f->n; at++)
    f->of[at] = gscale_uncertainty_influence(f->u, at, q->paradigm[i], k);
  sort(f);
  return EXIT_OK;
}

void influences_free(influences *f)
{
  gscale_uncertainty_free(f->u);
  free(f->of);
  free(f->order);
  *f = (influences){0};
}

bool influence_matters(const gscale_influence *f, double time)
{
  const double least = 0.005;

  return fabs(f->elasticity) >= least || f->err >= least * time;
}

/* ---- next measurements -------------------------------------------------- */

/* Returns the parameter of a number, which may be a point of a curve. */
static gscale_param_id parameter_of(const char *number)
{
  char name[sizeof((gscale_number *)0)->name];
  gscale_param_id id = gscale_param_find(number);

  snprintf(name, sizeof name, "%.*s", (int)strcspn(number, "["), number);
  while (id == gscale_param_count() && *name) {
    char *cut = strrchr(name, '_');

    if (!cut) break;
    *cut = '\0';
    id = gscale_param_find(name);
  }
  return id;
}

static void say_how(const gscale_number *n, const gscale_calibration *known,
                    char *text, size_t size)
{
  const gscale_param_id id =
      n->of_workload ? gscale_param_count() : parameter_of(n->name);

  if (strcmp(n->name, "t1") == 0)
    snprintf(text, size, "one run on one GPU");
  else if (n->of_workload)
    snprintf(text, size, "count it in the program");
  else if (id < gscale_param_count() && *known->of[id].benches)
    snprintf(text, size, "bench %s", known->of[id].benches);
  else
    snprintf(text, size, "no bench identifies it");
}

const char *say_number(const question *q, const gscale_number *n,
                       number_label text)
{
  const gscale_curve *c = gscale_system_about(q->system).membw;
  size_t point;
  char size[32];

  snprintf(text, sizeof(number_label), "%s", n->name);
  if (sscanf(n->name, "device.membw_curve[%zu]", &point) != 1 || !c ||
      point < 1 || point > c->n)
    return text;
  gscale_format_quantity(c->x[point - 1], GSCALE_BYTES, size, sizeof size);
  snprintf(text, sizeof(number_label), "device.membw at %s", size);
  return text;
}

static double square(double x)
{
  return x * x;
}

/* The model's own residual includes the errors of numbers measured on a
 * measured machine, so that it takes their place. */
double error_without(const question *q, const influences *f, size_t i,
                     const gscale_error *e, double time)
{
  const gscale_number *number = gscale_uncertainty_number(f->u, i);
  const gscale_residuals *r = gscale_system_about(q->system).residuals;
  const double own = square(f->of[i].err), known = square(e->of_known);
  const bool within = e->widened.measured && !number->of_workload &&
                      number->p.origin != GSCALE_ASSUMED &&
                      number->p.origin != GSCALE_INHERITED;
  double part[GSCALE_RESIDUAL_PARTS], whole = 0.0;

  gscale_residual_widened(r, &e->at, &e->widened, part);
  for (size_t k = 0; k < GSCALE_RESIDUAL_PARTS; k++)
    whole += square(part[k] * time);
  if (q->gpus[0] == 1) whole = 0.0;
  const double left = within ? fmax(0.0, known - own) : known;
  return sqrt(fmax(0.0, square(e->of_parameters) - own) +
              fmax(0.0, square(e->of_model) - fmax(0.0, whole - known)) +
              fmax(0.0, whole - left));
}

size_t measure_next(const question *q, const influences *f, double time,
                    const gscale_error *e, wanted *out, size_t most)
{
  static gscale_calibration known; /* large */
  const double least = 0.005;
  size_t n = 0;

  gscale_calibration_benches(q->system, &known);
  for (size_t k = 0; k < f->n && n < most; k++) {
    const double own = f->of[f->order[k]].err;
    wanted *w = &out[n];

    if (own < least * time) break;
    *w = (wanted){.number = gscale_uncertainty_number(f->u, f->order[k]),
                  .share = own / time,
                  .left = error_without(q, f, f->order[k], e, time) / time};
    say_how(w->number, &known, w->how, sizeof w->how);
    n++;
  }
  return n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
