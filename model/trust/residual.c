/* residual.c - deviations of runs in standard errors, and fits of residuals to
 * runs. */

#include "trust/residual.h"
#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>

/* P(|t| < POINT) = 0.6827 and P(|t| < 3.1824) = 0.95 for 3 degrees of
 * freedom. */
static const double POINT = 1.1968870, MOST = 3.1824463,
                    PI = 3.14159265358979323846;

double gscale__residual_point(void)
{
  return POINT;
}

/* Returns the number of standard errors on each side of a 95 % interval. */
static double residual_tail(void)
{
  return MOST / POINT;
}

double gscale__residual_below(double z)
{
  const double x = POINT * z, r = sqrt(3.0);

  if (isinf(x)) return x > 0.0;
  return 0.5 + (atan(x / r) + r * x / (3.0 + x * x)) / PI;
}

/* Returns the log density of a residual e with standard error s. */
static double log_density(double e, double s)
{
  const double x = POINT * e / s;

  return log(2.0 * POINT / (PI * sqrt(3.0) * s)) - 2.0 * log1p(x * x / 3.0);
}

static double square(double x)
{
  return x * x;
}

static gscale_widened widened(const gscale_residual *r,
                              const gscale_residuals *w)
{
  gscale_widened out = {.machine = r->machine ? w->machine : 0.0,
                        .growth = w->growth * sqrt(r->doublings)};

  out.factor = hypot(1.0, hypot(out.machine, out.growth));
  return out;
}

/* Returns the variance of ln(time) that comes from the model's own residual. */
static double own_square(const gscale_residual *r, const gscale_residuals *w)
{
  const gscale_widened wide = widened(r, w);
  double u[GSCALE_RESIDUAL_PARTS], sum = 0.0;

  gscale_residual_widened(w, &r->at, &wide, u);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) sum += u[p] * u[p];
  return fmax(0.0, sum - square(r->of_known / r->predicted));
}

static double fixed_square(const gscale_residual *r, const gscale_residuals *w)
{
  return (square(r->of_parameters) + square(r->sigma) + square(r->of_other) +
          square(r->of_compute * w->compute)) /
         square(r->predicted);
}

static double error_of(const gscale_residual *r, const gscale_residuals *w)
{
  const bool single = r->gap == GSCALE_GAP_COMPUTE;

  return asinh(sqrt(fixed_square(r, w) + (single ? 0.0 : own_square(r, w))));
}

double gscale__residual_parts(const gscale_residual *r,
                              const gscale_residuals *w,
                              double u[GSCALE_RESIDUAL_PARTS])
{
  const gscale_widened wide = widened(r, w);
  double sum = 0.0;

  gscale_residual_widened(w, &r->at, &wide, u);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) sum += u[p] * u[p];
  return fmax(square(r->sigma / r->predicted),
              fixed_square(r, w) + own_square(r, w) - sum);
}

double gscale_residual_z(const gscale_residual *r, const gscale_residuals *w)
{
  const double off = log(r->measured / r->predicted);

  return fabs(off) > 0.0 ? off / error_of(r, w) : 0.0;
}

double gscale_residual_log(const gscale_residual *r, const gscale_residuals *w)
{
  return log_density(log(r->measured / r->predicted), error_of(r, w));
}

typedef struct sample {
  const gscale_residual *r;
  double *weight; /* weight of each run; 0: left out */
  size_t n;
} sample;

typedef struct key { /* the sort key of a run */
  size_t gap, group, at;
} key;

static int by_group(const void *a, const void *b)
{
  const key *x = a, *y = b;

  if (x->gap != y->gap) return x->gap < y->gap ? -1 : 1;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  return GSCALE_ORDER(x->at, y->at);
}

/* Sets each run's weight to 1 / (number of runs of the same cluster and
 * gap). */
static gscale_status weigh(const gscale_residual *r, size_t n, size_t without,
                           double *weight)
{
  key *k = malloc(n * sizeof *k);
  size_t end;

  if (!k) return GSCALE_ENOMEM;
  for (size_t i = 0; i < n; i++) k[i] = (key){r[i].gap, r[i].cluster, i};
  qsort(k, n, sizeof *k, by_group);
  for (size_t i = 0; i < n; i = end) {
    for (end = i;
         end < n && k[end].gap == k[i].gap && k[end].group == k[i].group;)
      end++;
    for (size_t j = i; j < end; j++)
      weight[k[j].at] =
          r[k[j].at].program == without ? 0.0 : 1.0 / (double)(end - i);
  }
  free(k);
  return GSCALE_OK;
}

/* The prior of a paradigm's factor is exp(+-1/sqrt(2 PRIOR)). */
static const double PRIOR = 5.0;

/* Returns the log likelihood of GAP_OWN runs of one paradigm or of all
 * paradigms. */
static double likelihood(const sample *s, const gscale_residuals *w,
                         size_t paradigm)
{
  double sum = 0.0;

  for (size_t i = 0; i < s->n; i++) {
    const gscale_residual *r = &s->r[i];

    if (r->gap != GSCALE_GAP_OWN || !(s->weight[i] > 0.0)) continue;
    if (paradigm < GSCALE_RESIDUAL_WAYS && r->at.paradigm != paradigm) continue;
    sum += gscale_residual_log(r, w);
  }
  return sum;
}

/* A search along the logarithm of one number with all other numbers fixed. */
typedef struct line {
  const sample *s;
  gscale_residuals *w;
  double *at;
  size_t paradigm; /* paradigm of the factor */
} line;

static double try_at(const line *l, double x)
{
  const bool factor = l->paradigm < GSCALE_RESIDUAL_WAYS;

  *l->at = factor ? x : exp(x);
  return likelihood(l->s, l->w, l->paradigm) - (factor ? PRIOR * x * x : 0.0);
}

/* Finds the maximum in x +- room by golden section. */
static void search(const line *l, double x, double room)
{
  const double golden = 0.6180339887498949;
  double a = x - room, b = x + room;
  double c = b - golden * (b - a), d = a + golden * (b - a);
  double fc = try_at(l, c), fd = try_at(l, d);

  while (b - a > 0.002) {
    if (fc > fd) {
      b = d, d = c, fd = fc;
      fc = try_at(l, c = b - golden * (b - a));
    } else {
      a = c, c = d, fc = fd;
      fd = try_at(l, d = a + golden * (b - a));
    }
  }
  try_at(l, 0.5 * (a + b));
}

static bool has_paradigm(const sample *s, size_t paradigm)
{
  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].gap == GSCALE_GAP_OWN && s->weight[i] > 0.0 &&
        s->r[i].at.paradigm == paradigm)
      return true;
  return false;
}

/* Fits one number after another in shrinking intervals. */
static void fit_parts(const sample *s, gscale_residuals *w)
{
  const double least = 1e-3, first = 0.1;
  bool there[GSCALE_RESIDUAL_WAYS];

  for (size_t v = 0; v < GSCALE_RESIDUAL_WAYS; v++)
    there[v] = has_paradigm(s, v);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) w->part[p] = first;
  for (double room = 2.0; room > 0.02; room *= 0.6) {
    for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
      search(&(line){s, w, &w->part[p], GSCALE_RESIDUAL_WAYS},
             log(fmax(least, w->part[p])), room);
    for (size_t p = GSCALE_RESIDUAL_BESIDE; p < GSCALE_RESIDUAL_PARTS; p++)
      for (size_t v = 0; v < GSCALE_RESIDUAL_WAYS; v++)
        if (there[v])
          search(&(line){s, w, &w->way[p][v], v}, w->way[p][v], room);
  }
}

static const double ONCE = 0.6827; /* share of runs within one standard error */

/* Returns the weighted share of a gap's runs within one standard error, or 1 if
 * there are none. */
static double inside(const sample *s, gscale_gap gap, const gscale_residuals *w)
{
  double in = 0.0, all = 0.0;

  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].gap != gap || !(s->weight[i] > 0.0)) continue;
    all += s->weight[i];
    if (fabs(gscale_residual_z(&s->r[i], w)) <= 1.0) in += s->weight[i];
  }
  return all > 0.0 ? in / all : 1.0;
}

/* Finds the least term with which the share ONCE of the runs is within one
 * standard error. */
static void fit_term(const sample *s, gscale_gap gap, gscale_residuals *w,
                     double *term)
{
  double low = 0.0, high = 1.0;
  const double most = 1e3; /* upper limit of gscale_system_set_residuals() */

  *term = 0.0;
  if (inside(s, gap, w) >= ONCE) return;
  for (*term = high; high < most && inside(s, gap, w) < ONCE; *term = high)
    high = fmin(most, 2.0 * high);
  for (int step = 0; step < 30; step++) {
    *term = 0.5 * (low + high);
    if (inside(s, gap, w) >= ONCE)
      high = *term;
    else
      low = *term;
  }
  *term = high;
}

enum {
  CLASSES = 1 << GSCALE_RESIDUAL_AXES /* number of sets of differing axes */
};

/* The sums over a class of pairs of products of the scaled kinds with each
 * other (`a`) and with e e' (`b`). */
typedef struct products {
  double n, a[GSCALE_RESIDUAL_KINDS][GSCALE_RESIDUAL_KINDS];
  double b[GSCALE_RESIDUAL_KINDS];
} products;

typedef struct scaled { /* a scaled run */
  size_t of;
  double e, u[GSCALE_RESIDUAL_PARTS];
} scaled;

static size_t class_of(const gscale_residual *x, const gscale_residual *y)
{
  size_t mask = 0;

  for (size_t a = 0; a < GSCALE_RESIDUAL_AXES; a++)
    if (x->of[a] != y->of[a]) mask |= (size_t)1 << a;
  return mask;
}

static void add_pair(const scaled *x, const scaled *y, double spread,
                     products *out)
{
  double u[GSCALE_RESIDUAL_KINDS] = {0.0};

  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
    u[gscale_residual_kind_of(p)] += spread * x->u[p] * y->u[p];
  for (size_t k = 0; k < GSCALE_RESIDUAL_KINDS; k++) {
    out->b[k] += u[k] * x->e * y->e;
    for (size_t l = 0; l < GSCALE_RESIDUAL_KINDS; l++)
      out->a[k][l] += u[k] * u[l];
  }
  out->n += 1.0;
}

static size_t scale_runs(const sample *s, const gscale_residuals *w,
                         scaled *out, double *spread)
{
  const double cut = 2.5;
  size_t n = 0;

  *spread = 0.0;
  for (size_t i = 0; i < s->n; i++) {
    const gscale_residual *r = &s->r[i];

    if (r->gap != GSCALE_GAP_OWN || !(s->weight[i] > 0.0)) continue;
    scaled *v = &out[n++];
    v->of = i;
    v->e = fmax(-cut, fmin(cut, gscale_residual_z(r, w)));
    *spread += v->e * v->e;
    gscale_residual_of(w, &r->at, v->u);
    for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
      v->u[p] /= error_of(r, w);
  }
  if (n > 0) *spread /= (double)n;
  return n;
}

static void differ_in(size_t class, bool differ[GSCALE_RESIDUAL_AXES])
{
  for (size_t a = 0; a < GSCALE_RESIDUAL_AXES; a++) differ[a] = class >> a & 1;
}

/* Returns the best value of one correlation with all others fixed.  The mean
 * square of each class that differs in the correlation's axis is quadratic in
 * the correlation. */
static double best_of(const gscale_residuals *w, const products *of, size_t k,
                      size_t axis)
{
  double above = 0.0, below = 0.0;

  for (size_t c = 0; c < CLASSES; c++) {
    bool differ[GSCALE_RESIDUAL_AXES], others[GSCALE_RESIDUAL_AXES];

    if (!(c >> axis & 1) || !(of[c].n > 0.0)) continue;
    differ_in(c, differ);
    differ_in(c & ~((size_t)1 << axis), others);
    const double rest = gscale_residual_together(w, k, others);
    const double left =
        of[c].b[k] -
        of[c].a[k][1 - k] * gscale_residual_together(w, 1 - k, differ);
    above += rest * left / of[c].n;
    below += rest * rest * of[c].a[k][k] / of[c].n;
  }
  return below > 0.0 ? fmax(0.0, fmin(1.0, above / below)) : 0.5;
}

static void fit_products(gscale_residuals *w, const products *of)
{
  for (size_t k = 0; k < GSCALE_RESIDUAL_KINDS; k++)
    for (size_t a = 0; a < GSCALE_RESIDUAL_AXES; a++) w->together[k][a] = 0.5;
  for (int sweep = 0; sweep < 400; sweep++)
    for (size_t k = 0; k < GSCALE_RESIDUAL_KINDS; k++)
      for (size_t a = 0; a < GSCALE_RESIDUAL_AXES; a++)
        w->together[k][a] = best_of(w, of, k, a);
}

static gscale_status fit_together(const sample *s, gscale_residuals *w)
{
  scaled *v = malloc((s->n + 1) * sizeof *v);
  products *of = calloc(CLASSES, sizeof *of);
  double spread;

  if (v && of) {
    const size_t n = scale_runs(s, w, v, &spread);

    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < i; j++)
        if (s->r[v[i].of].program == s->r[v[j].of].program)
          add_pair(&v[i], &v[j], spread,
                   &of[class_of(&s->r[v[i].of], &s->r[v[j].of])]);
    fit_products(w, of);
  }
  const bool ready = v && of;
  free(v);
  free(of);
  return ready ? GSCALE_OK : GSCALE_ENOMEM;
}

static gscale_status check(const gscale_residual *r, size_t n,
                           gscale_diag *diag)
{
  if (n == 0) return gscale__fail(diag, GSCALE_EDATA, "no runs");
  for (size_t i = 0; i < n; i++) {
    const double all[] = {r[i].of_parameters, r[i].sigma,      r[i].of_known,
                          r[i].of_other,      r[i].of_compute, r[i].doublings,
                          r[i].at.host,       r[i].at.moved};

    if (r[i].gap >= GSCALE_GAP_END || !(r[i].predicted > 0.0) ||
        !(r[i].measured > 0.0) || !isfinite(r[i].predicted + r[i].measured))
      return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: %g s, %g s", i,
                          r[i].predicted, r[i].measured);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      if (!(all[k] >= 0.0) || !isfinite(all[k]))
        return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: error %g", i,
                            all[k]);
  }
  return GSCALE_OK;
}

gscale_status gscale_residuals_fit(const gscale_residual *r, size_t n,
                                   size_t without, gscale_residuals *out,
                                   gscale_diag *diag)
{
  gscale_status st = check(r, n, diag);
  gscale_residuals w = gscale_residuals_none;

  if (st != GSCALE_OK) return st;
  double *room = malloc(n * sizeof *room);
  const sample s = {r, room, n};

  w.measured = out->measured;
  w.nodes = out->nodes;
  w.tail = residual_tail();
  st = room ? weigh(r, n, without, room) : GSCALE_ENOMEM;
  if (st == GSCALE_OK) {
    fit_parts(&s, &w);
    fit_term(&s, GSCALE_GAP_GROWTH, &w, &w.growth);
    fit_term(&s, GSCALE_GAP_MACHINE, &w, &w.machine);
    fit_term(&s, GSCALE_GAP_COMPUTE, &w, &w.compute);
    st = fit_together(&s, &w);
  }
  free(room);
  if (st != GSCALE_OK)
    return gscale__fail(diag, st, "no memory for the residuals");
  *out = w;
  return GSCALE_OK;
}
