/* residuals.c - residual errors of the model, and their growth outside data. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>

/* Other members are 0. */
const gscale_residuals gscale_residuals_none = {
    .together = {{1.0, 1.0, 1.0, 1.0, 1.0}, {1.0, 1.0, 1.0, 1.0, 1.0}},
    .tail = 1.959963984540054, /* quantile of the normal distribution */
    .measured = 1,
};

gscale_residual_kind gscale_residual_kind_of(size_t p)
{
  return p < GSCALE_RESIDUAL_BESIDE ? GSCALE_RESIDUAL_CALLS
                                    : GSCALE_RESIDUAL_TRANSFER;
}

/* ---- residuals of a system ----------------------------------------------- */

static gscale_status check(const char *of, const char *name, double v,
                           double least, double most, gscale_diag *diag)
{
  if (v >= least && v <= most) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_EDOMAIN,
                      "residuals: %s%s: %g is not in %g "
                      ".. %g",
                      of, name, v, least, most);
}

static gscale_status check_part(const gscale_residuals *r, size_t p,
                                double most, gscale_diag *diag)
{
  gscale_status st = check("", gscale_name(GSCALE_RESIDUAL_PART_NAMES, p),
                           r->part[p], 0.0, most, diag);

  for (size_t w = 0; st == GSCALE_OK && w < GSCALE_RESIDUAL_WAYS; w++)
    st = check("paradigm: ", gscale_name(GSCALE_RESIDUAL_PART_NAMES, p),
               exp(r->way[p][w]), 0.0, most, diag);
  return st;
}

static gscale_status check_all(const gscale_residuals *r, gscale_diag *diag)
{
  const double most = 1e3; /* a larger value is no estimate */
  const struct {
    const char *name;
    double value, least;
  } all[] = {{"machine", r->machine, 0.0},  {"program", r->program, 0.0},
             {"growth", r->growth, 0.0},    {"nodes", r->nodes, 0.0},
             {"compute", r->compute, 0.0},  {"tail", r->tail, 1.0},
             {"measured", r->measured, 1.0}};
  gscale_status st = GSCALE_OK;

  for (size_t p = 0; st == GSCALE_OK && p < GSCALE_RESIDUAL_PARTS; p++)
    st = check_part(r, p, most, diag);
  for (size_t k = 0; k < GSCALE_RESIDUAL_KINDS; k++)
    for (size_t a = 0; st == GSCALE_OK && a < GSCALE_RESIDUAL_AXES; a++)
      st = check("together: ", gscale_name(GSCALE_RESIDUAL_AXIS_NAMES, a),
                 r->together[k][a], 0.0, 1.0, diag);
  for (size_t i = 0; st == GSCALE_OK && i < LENGTH(all); i++)
    st = check("", all[i].name, all[i].value, all[i].least, most, diag);
  return st;
}

gscale_status gscale_system_set_residuals(gscale_system *s,
                                          const gscale_residuals *r,
                                          gscale_diag *diag)
{
  const gscale_status st = check_all(r, diag);

  if (st == GSCALE_OK) s->residuals = *r;
  return st;
}

void gscale_system_is_exact(gscale_system *s)
{
  s->exact = true;
  s->residuals = gscale_residuals_none;
}

/* ---- residuals of a prediction ------------------------------------------- */

static double clamp_share(double v)
{
  return fmax(0.0, fmin(1.0, v));
}

void gscale_residual_of(const gscale_residuals *r, const gscale_residual_at *at,
                        double u[GSCALE_RESIDUAL_PARTS])
{
  const double x = clamp_share(at->moved);
  const double of[GSCALE_RESIDUAL_PARTS] = {1.0, clamp_share(at->host),
                                            sqrt(x * (1.0 - x)), x};

  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) {
    u[p] = r->part[p] * of[p];
    if (p >= GSCALE_RESIDUAL_BESIDE && at->paradigm < GSCALE_RESIDUAL_WAYS)
      u[p] *= exp(r->way[p][at->paradigm]);
  }
}

void gscale_residual_widened(const gscale_residuals *r,
                             const gscale_residual_at *at,
                             const gscale_widened *w,
                             double u[GSCALE_RESIDUAL_PARTS])
{
  gscale_residual_of(r, at, u);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) u[p] *= w->factor;
  u[GSCALE_RESIDUAL_STEP] = hypot(u[GSCALE_RESIDUAL_STEP], w->program);
}

double gscale_residual_together(const gscale_residuals *r, size_t k,
                                const bool differ[GSCALE_RESIDUAL_AXES])
{
  double product = 1.0;

  for (size_t a = 0; a < GSCALE_RESIDUAL_AXES; a++)
    if (differ[a]) product *= r->together[k][a];
  return product;
}

double gscale_residual_moving(double time, double infinite)
{
  const double least = 0.05; /* share of the time, fitted (system.h) */

  if (!(time > 0.0) || !(infinite >= 0.0) || !(infinite <= time)) return NAN;
  return hypot(time - infinite, least * time);
}

/* ---- widening ------------------------------------------------------------ */

gscale_widened gscale_system_widened(const gscale_system *s, int n)
{
  const gscale_residuals *r = &s->residuals;
  const int known = s->calibrated > 0 ? s->calibrated : r->measured;
  const bool between = s->network.nodes > 0 && n > s->gpus;
  const int node = between ? s->gpus : n; /* GPUs of a node */
  const int nodes = between ? (n + s->gpus - 1) / s->gpus : 1;
  gscale_widened out = {.measured = s->exact || s->calibrated > 0,
                        .kept = s->exact || !s->swapped};

  if (!out.measured || !out.kept) out.machine = r->machine;
  if (!out.measured) out.program = r->program * log2(n);
  if (node > known) out.doublings = log2((double)node / known);
  out.growth = r->growth * sqrt(out.doublings);
  out.nodes = r->nodes * hypot(1.0, out.machine) * sqrt(log2(nodes));
  out.factor = hypot(1.0, hypot(out.machine, out.growth));
  return out;
}
