/* recipe.c - tools of the recipes, which select measurements, collect points,
 * fit them and record the results. */

#include "recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CLOCK = 1e-3;   /* relative error, for all parameters */
static const double OFF_MOST = 3.0; /* largest accepted mean_factor() */

/* ---- measurements -------------------------------------------------------- */

static bool matches(const gscale_measurement *r, const wanted *w)
{
  return strcmp(r->bench, w->bench) == 0 &&
         (!w->access || strcmp(r->access, w->access) == 0) &&
         r->size >= w->size_least &&
         (w->size_most <= 0.0 || r->size <= w->size_most) &&
         r->threads >= w->threads_least &&
         (w->threads_most <= 0.0 || r->threads <= w->threads_most) &&
         r->inflight >= w->inflight_least &&
         (w->gpus == 0 || r->gpus == w->gpus);
}

const gscale_measurement *gscale__next(bench_run *b, const wanted *w,
                                       const gscale_measurement *last)
{
  const gscale_measurement *r;
  size_t i = last ? (size_t)(last - gscale_measurements_at(b->m, 0)) + 1 : 0;

  while ((r = gscale_measurements_at(b->m, i)) && !matches(r, w)) i++;
  if (r) b->used[i] = true;
  return r;
}

static bool has(const bench_run *b, const char *bench)
{
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale_measurements_at(b->m, i)); i++)
    if (strcmp(r->bench, bench) == 0) return true;
  return false;
}

bool gscale__by_pcie(const bench_run *b)
{
  return b->s->link.format == GSCALE_PCIE ||
         b->s->link.format == GSCALE_PCIE_FLIT;
}

const char *gscale__either(const bench_run *b, const char *peer,
                           const char *pinned)
{
  return gscale__by_pcie(b) && !has(b, peer) ? pinned : peer;
}

double gscale__item_time(bench_run *b, wanted w)
{
  double sum = 0.0, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r)); n++)
    sum += r->time / r->count;
  return sum / n; /* NaN without rows */
}

double gscale__item_sigma(bench_run *b, wanted w)
{
  double sum = 0.0, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r)); n++)
    sum += r->sigma / r->count * (r->sigma / r->count);
  return sqrt(sum) / n;
}

void gscale__no_memory(bench_run *b)
{
  b->st = gscale__fail(&b->why, GSCALE_ENOMEM, "no memory for a calibration");
}

/* ---- points -------------------------------------------------------------- */

void gscale__begin(bench_run *b, size_t terms)
{
  b->p.n = 0;
  b->p.terms = terms;
}

/* Grows *array to n elements.  Returns false if memory is exhausted. */
static bool grow(void *array, size_t n, size_t size)
{
  void **at = array;
  void *larger = realloc(*at, n * size);

  if (larger) *at = larger;
  return larger;
}

static bool room_for_one(points *p)
{
  const size_t room = p->room ? 2 * p->room : 256;

  if (p->n < p->room) return true;
  if (!grow(&p->y, room, sizeof *p->y) ||
      !grow(&p->sigma, room, sizeof *p->sigma) ||
      !grow(&p->x, room * GSCALE_FIT_MAX, sizeof *p->x) ||
      !grow(&p->from, room, sizeof *p->from))
    return false;
  p->room = room;
  return true;
}

void gscale__add_point(bench_run *b, const gscale_measurement *r, double y,
                       double sigma, const double *x)
{
  static const double one = 1.0;
  points *p = &b->p;

  if (!(y > 0.0)) return;
  if (!x) x = &one;
  for (size_t j = 0; j < p->terms; j++)
    if (isnan(x[j]) && b->st == GSCALE_OK)
      b->st =
          gscale__fail(&b->why, GSCALE_EDATA,
                       "%s:%d: %s from %s to %s, %d GPUs: the fabric of the "
                       "base, %s, has no such path",
                       r->file, r->line, r->bench, r->src, r->dst, r->gpus,
                       gscale_system_about(b->s).name);
  if (!room_for_one(p)) {
    gscale__no_memory(b);
    return;
  }
  p->y[p->n] = y;
  p->sigma[p->n] = sigma;
  p->from[p->n] = r;
  memcpy(&p->x[p->n * p->terms], x, p->terms * sizeof *x);
  p->n++;
}

void gscale__add_row(bench_run *b, const gscale_measurement *r, const double *x)
{
  gscale__add_point(b, r, r->time, r->sigma, x);
}

void gscale__add_item(bench_run *b, const gscale_measurement *r,
                      const double *x)
{
  gscale__add_point(b, r, r->time / r->count, r->sigma / r->count, x);
}

void gscale__add_items(bench_run *b, wanted w, double factor)
{
  EACH_ROW (b, &w, r)
    gscale__add_point(b, r, factor * r->time / r->count,
                      factor * r->sigma / r->count, NULL);
}

/* ---- recorded fits ------------------------------------------------------- */

static gscale_calibration_fit *last_fit(const bench_run *b)
{
  return &b->out->fit[b->out->fits - 1];
}

/* Adds a fit with n empty points to the report, or returns NULL. */
static gscale_fit_point *new_fit(bench_run *b, const char *benches, size_t n)
{
  gscale_calibration *out = b->out;

  if (!grow(&out->fit, out->fits + 1, sizeof *out->fit) ||
      !grow(&out->point, out->points + n + 1, sizeof *out->point)) {
    gscale__no_memory(b);
    return NULL;
  }
  gscale_calibration_fit *f = &out->fit[out->fits++];
  *f = (gscale_calibration_fit){.of = b->fit, .first = out->points, .n = n};
  gscale__copy_text(f->benches, sizeof f->benches, benches);
  out->points += n;
  return &out->point[f->first];
}

static double modelled(const bench_run *b, size_t i)
{
  double sum = 0.0;

  for (size_t j = 0; j < b->p.terms; j++)
    sum += b->fit.value[j] * b->p.x[i * b->p.terms + j];
  return sum;
}

static void keep_fit(bench_run *b, const char *benches)
{
  const points *p = &b->p;
  gscale_fit_point *at = new_fit(b, benches, p->n);

  for (size_t i = 0; at && i < p->n; i++)
    at[i] =
        (gscale_fit_point){p->from[i], p->y[i], p->sigma[i], modelled(b, i)};
}

/* Solves a single point with one coefficient, which needs no fit.  The error is
 * at least that of a clock. */
static bool single_point(bench_run *b)
{
  const points *p = &b->p;

  if (p->n != 1 || p->terms != 1 || !(p->x[0] > 0.0)) return false;
  b->fit = (gscale_fit){.points = 1, .terms = 1};
  b->fit.value[0] = p->y[0] / p->x[0];
  b->fit.err[0] = fmax(p->sigma[0], GSCALE__FLOOR * p->y[0]) / p->x[0];
  b->fit.worst = b->fit.left_out = NAN;
  return true;
}

/* Returns |ln(model / measured)|, or 0 if the measurement's error explains
 * it. */
static double log_error(const bench_run *b, size_t i)
{
  const double f = modelled(b, i), y = b->p.y[i];

  return fabs(f - y) <= 3.0 * b->p.sigma[i] ? 0.0 : fabs(log(f / y));
}

/* Returns the geometric mean of the factors between model and measurement.
 * Unlike a sum of squares or of |model/measured - 1|, this mean weights factors
 * of 1000 by their logarithm. */
static double mean_factor(const bench_run *b, size_t *worst)
{
  double sum = 0.0;

  *worst = 0;
  for (size_t i = 0; i < b->p.n; i++) {
    sum += log_error(b, i);
    if (log_error(b, i) > log_error(b, *worst)) *worst = i;
  }
  return exp(sum / (double)b->p.n);
}

/* Refuses a fit, with a note, if the model cannot represent the data. */
static bool is_plausible(bench_run *b, gscale_param_id id)
{
  size_t worst;
  const double off = mean_factor(b, &worst);
  char text[sizeof b->out->of[id].note];

  if (off <= OFF_MOST) return true;
  const gscale_measurement *r = b->p.from[worst];
  gscale__print(
      text, sizeof text,
      "refused: model and data differ by a factor of %.3g in the mean of %zu "
      "points, at most %.3g is accepted; at %s:%d by %.3g",
      off, b->p.n, OFF_MOST, r->file, r->line, exp(log_error(b, worst)));
  gscale__set_note(b, id, text);
  if (!*b->refused.text)
    gscale__fail(&b->refused, GSCALE_EDATA, "%s: fit of %s %s",
                 b->out->of[id].benches, gscale_param_info_at(id)->name, text);
  return false;
}

/* Returns true if a fit succeeded.  Most failures are tolerated, but exhausted
 * memory refuses the calibration. */
static bool fitted(bench_run *b, gscale_status st)
{
  if (st == GSCALE_ENOMEM) gscale__no_memory(b);
  return st == GSCALE_OK;
}

bool gscale__solve(bench_run *b, gscale_param_id id, const char *benches)
{
  gscale_calibrated *c = &b->out->of[id];
  gscale_diag why = {""};

  b->benches = benches;
  gscale__copy_text(c->benches, sizeof c->benches, benches);
  if (b->p.n == 0) {
    gscale__set_note(b, id, "not measured");
    return false;
  }
  if (!single_point(b) &&
      !fitted(b, gscale_fit_linear(b->p.x, b->p.y, b->p.sigma, b->p.n,
                                   b->p.terms, GSCALE__FLOOR, &b->fit, &why))) {
    gscale__set_note(b, id, why.text);
    return false;
  }
  keep_fit(b, benches);
  return b->st == GSCALE_OK && is_plausible(b, id);
}

bool gscale__size_range(const points *p, double *least, double *most)
{
  bool between = false;

  *least = INFINITY;
  *most = 0.0;
  for (size_t i = 0; i < p->n; i++) {
    *least = fmin(*least, p->from[i]->size);
    *most = fmax(*most, p->from[i]->size);
  }
  for (size_t i = 0; i < p->n; i++)
    between |= p->from[i]->size > *least && p->from[i]->size < *most;
  return *least > 0.0 && between;
}

/* ---- comparisons --------------------------------------------------------- */

void gscale__compare(bench_run *b, const char *bench,
                     double (*model)(const bench_run *b,
                                     const gscale_measurement *r))
{
  gscale__compare_as(b, bench, bench, model);
}

void gscale__compare_as(bench_run *b, const char *bench, const char *name,
                        double (*model)(const bench_run *b,
                                        const gscale_measurement *r))
{
  const wanted w = {.bench = bench};
  const gscale_measurement *r = NULL;
  size_t n = 0, k = 0;

  while ((r = gscale__next(b, &w, r))) n++;
  if (n == 0) return;
  b->fit = (gscale_fit){.left_out = NAN};
  gscale_fit_point *at = new_fit(b, name, n);
  if (!at) return;
  gscale_fit *of = &last_fit(b)->of;
  for (; (r = gscale__next(b, &w, r)); k++) {
    at[k] = (gscale_fit_point){r, r->time / r->count, r->sigma / r->count,
                               model(b, r)};
    const double off = at[k].model / at[k].measured - 1.0;
    if (isnan(off)) continue; /* a call of no bytes */
    of->points++;
    of->mean_abs += (fabs(off) - of->mean_abs) / (double)of->points;
    if (fabs(off) > fabs(of->worst)) of->worst = off;
  }
}

/* ---- results ------------------------------------------------------------- */

/* Appends a text to the note of a parameter. */
static void note_more(gscale_calibrated *c, const char *text)
{
  gscale_append(c->note, sizeof c->note, "%s%s", *c->note ? "; " : "", text);
}

static void name_outliers(const bench_run *b, gscale_calibrated *c)
{
  char list[160] = "";

  for (size_t i = 0; i < b->fit.outliers; i++) {
    const gscale_fit_point *p =
        &b->out->point[last_fit(b)->first + b->fit.outlier[i]];
    if (fabs(p->model / p->measured - 1.0) < GSCALE__FLOOR) continue;
    gscale_append(list, sizeof list, "%s%s:%d",
                  *list ? ", " : "outliers: ", p->from->file, p->from->line);
  }
  if (*list) note_more(c, list);
}

void gscale__set_note(bench_run *b, gscale_param_id id, const char *text)
{
  gscale__copy_text(b->out->of[id].note, sizeof b->out->of[id].note, text);
}

/* Stores a value within its domain, or adds a note and returns false. */
static bool store_value(bench_run *b, gscale_param_id id, double value,
                        double err, const char *source)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  gscale_calibrated *c = &b->out->of[id];
  const bool read =
      id == GSCALE_COLL_VERSION; /* read from logs, and so exact */
  gscale_param p = {value, fmax(err, read ? 0.0 : CLOCK * fabs(value)),
                    GSCALE_MEASURED, "", GSCALE_BY_ORIGIN};
  gscale_diag why;

  if (!isfinite(value) || !isfinite(err)) {
    gscale__set_note(b, id, "the data cannot tell");
    return false;
  }
  gscale__copy_text(p.source, sizeof p.source, source);
  p.val = fmin(fmax(value, info->least), info->most);
  if (gscale_system_set(b->s, id, &p, &why) != GSCALE_OK) {
    gscale__set_note(b, id, why.text);
    return false;
  }
  c->fitted = true;
  c->note[0] = '\0';
  c->value = p.val;
  c->err = p.err;
  if (p.val < value || p.val > value)
    gscale__print(c->note, sizeof c->note,
                  "%.4g, held at the limit: is the base right?", value);
  return true;
}

void gscale__conclude(bench_run *b, gscale_param_id id, double value,
                      double err, const char *benches)
{
  gscale_calibrated *c = &b->out->of[id];

  gscale__copy_text(c->benches, sizeof c->benches, benches);
  if (!store_value(b, id, value, err, b->p.from[0]->file)) return;
  c->fit = b->out->fits - 1;
  c->points = b->fit.points;
  c->mean_abs = b->fit.mean_abs;
  c->worst = b->fit.worst;
  c->left_out = b->fit.left_out;
  c->correlation = b->fit.terms == 2 ? b->fit.correlation[0][1] : NAN;
  name_outliers(b, c);
}

void gscale__conclude_term(bench_run *b, gscale_param_id id, size_t j)
{
  gscale__conclude(b, id, b->fit.value[j], b->fit.err[j], b->benches);
}

void gscale__conclude_inverse(bench_run *b, gscale_param_id id, size_t j)
{
  const double c = b->fit.value[j];

  gscale__conclude(b, id, 1.0 / c, b->fit.err[j] / (c * c), b->benches);
}

void gscale__conclude_unfitted(bench_run *b, gscale_param_id id, size_t n,
                               double value, double err, const char *benches)
{
  gscale_calibrated *c = &b->out->of[id];

  gscale__copy_text(c->benches, sizeof c->benches, benches);
  if (!isfinite(value)) {
    gscale__set_note(b, id, "not measured");
    return;
  }
  if (!store_value(b, id, value, err, benches)) return;
  c->points = n;
  c->mean_abs = c->worst = c->left_out = NAN;
}

void gscale__copy_note(bench_run *b, gscale_param_id id, gscale_param_id other)
{
  memcpy(b->out->of[id].note, b->out->of[other].note,
         sizeof b->out->of[id].note);
  memcpy(b->out->of[id].benches, b->out->of[other].benches,
         sizeof b->out->of[id].benches);
}

/* ---- numbers ------------------------------------------------------------- */

double gscale__value(const bench_run *b, gscale_param_id id)
{
  return gscale_system_get(b->s, id)->val;
}

double gscale__wire_time(const bench_run *b, gscale_access a, double bytes,
                         bool masked)
{
  return gscale_wire_bytes(&b->s->link, a, bytes, masked) /
         gscale__value(b, GSCALE_LINK_RATE);
}

double gscale__shared_err(const bench_run *b, size_t j, double sigma)
{
  const points *p = &b->p;
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; i < p->n; i++) {
    const double x = p->x[i * p->terms + j];
    if (!(x > 0.0)) continue;
    sum += sigma / x;
    n += 1.0;
  }
  return n > 0.0 ? sum / n : 0.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
