/* recipe.h - building blocks of the recipes of a calibration.
 *
 * A recipe calls gscale__begin(), gscale__add_point() for each point,
 * gscale__solve(), and gscale__conclude() for each parameter.  The coefficients
 * c_j of the points y = sum_j c_j x_j are parameters.  Some functions combine
 * two of these calls. */
#ifndef GPUSCALE_LEARN_RECIPE_RECIPE_H
#define GPUSCALE_LEARN_RECIPE_RECIPE_H

#include "ground/ground.h"
#include "price/traffic.h"

static const double GSCALE__MIB = 1048576.0;
static const double GSCALE__SMALL = 4096.0; /* B; start-up dominates below */
/* Smallest relative error of any timing, since clocks drift. */
static const double GSCALE__FLOOR = 0.01;

/* Points of the current fit.  The columns of x are the terms of the fit. */
typedef struct points {
  size_t n, room, terms;
  double *y, *sigma, *x;
  const gscale_measurement **from;
} points;

typedef struct bench_run { /* state of one calibration */
  const gscale_measurements *m;
  gscale_system *s;
  gscale_calibration *out;
  bool *used; /* true for each used measurement */
  points p;
  gscale_fit fit;
  const char *benches; /* benches of the fit */
  gscale_status st;    /* not OK: calibration is refused */
  gscale_diag why;     /* reason for st */
  gscale_diag refused; /* reason of the first refused fit */
} bench_run;

/* Conditions by which a recipe selects rows.  Zero and NULL match any row. */
typedef struct wanted {
  const char *bench, *access;
  double size_least, size_most;
  double threads_least, threads_most;
  double inflight_least;
  int gpus;
} wanted;

/* ---- measurements -------------------------------------------------------- */

/* Returns the first matching row behind `last`, which may be NULL, or NULL. */
const gscale_measurement *gscale__next(bench_run *b, const wanted *w,
                                       const gscale_measurement *last);
/* Loops over all matching rows r. */
#define EACH_ROW(b, w, r)                                                      \
  for (const gscale_measurement *r = NULL; (r = gscale__next(b, w, r));)
/* Returns the bench of copies or stores between GPUs.  Over PCIe, the bench to
 * pinned host memory replaces a missing bench, as both use the same port. */
const char *gscale__either(const bench_run *b, const char *peer,
                           const char *pinned);
bool gscale__by_pcie(const bench_run *b); /* the ports are PCIe */
/* Returns the mean time of an item over all matches, NaN without a match. */
double gscale__item_time(bench_run *b, wanted w);
/* Returns the standard error of the mean that gscale__item_time() returns. */
double gscale__item_sigma(bench_run *b, wanted w);

/* Refuses the calibration because memory is exhausted. */
void gscale__no_memory(bench_run *b);

/* ---- points -------------------------------------------------------------- */

void gscale__begin(bench_run *b, size_t terms);
/* Adds a point; x NULL: 1.  Omits one with y <= 0: it has no relative error. */
void gscale__add_point(bench_run *b, const gscale_measurement *r, double y,
                       double sigma, const double *x);
/* Add a point for the time of a row, or of an item of the row. */
void gscale__add_row(bench_run *b, const gscale_measurement *r,
                     const double *x);
void gscale__add_item(bench_run *b, const gscale_measurement *r,
                      const double *x);
/* Adds a point for each matching row: c = factor * time of one item. */
void gscale__add_items(bench_run *b, wanted w, double factor);

/* Fits the points, or adds a note to the parameter and returns false. */
bool gscale__solve(bench_run *b, gscale_param_id id, const char *benches);

/* Returns the range of the points' sizes.  Returns false if no size lies
 * between the smallest and the largest, because two sizes show no bend. */
bool gscale__size_range(const points *p, double *least, double *most);
/* Add points of a finished model, instead of a fit, to the report.
 * gscale__compare_as() also renames the bench. */
void gscale__compare(bench_run *b, const char *bench,
                     double (*model)(const bench_run *b,
                                     const gscale_measurement *r));
void gscale__compare_as(bench_run *b, const char *bench, const char *name,
                        double (*model)(const bench_run *b,
                                        const gscale_measurement *r));

/* ---- results ------------------------------------------------------------- */

/* Stores a parameter with its fit.  The error is at least that of a clock. */
void gscale__conclude(bench_run *b, gscale_param_id id, double value,
                      double err, const char *benches);
/* Stores the coefficient c_j. */
void gscale__conclude_term(bench_run *b, gscale_param_id id, size_t j);
/* Stores 1/c_j, which the data do not identify if c_j = 0. */
void gscale__conclude_inverse(bench_run *b, gscale_param_id id, size_t j);
/* Fit the points and, on success, store c_j, 1/c_j or both coefficients.  The
 * second parameter copies the notes of the first one. */
bool gscale__solve_term(bench_run *b, gscale_param_id id, size_t j,
                        const char *benches);
bool gscale__solve_inverse(bench_run *b, gscale_param_id id, size_t j,
                           const char *benches);
void gscale__solve_both(bench_run *b, gscale_param_id first,
                        gscale_param_id second, const char *benches);
/* Stores a value without a fit, from `points` measurements. */
void gscale__conclude_unfitted(bench_run *b, gscale_param_id id, size_t points,
                               double value, double err, const char *benches);
void gscale__set_note(bench_run *b, gscale_param_id id, const char *text);
/* Copies the notes of one parameter to another of the same recipe. */
void gscale__copy_note(bench_run *b, gscale_param_id id, gscale_param_id other);

/* Whole recipes, which store the mean time of an item times `factor`, the items
 * per second, or the wire's share of dense accesses of a warp. */
void gscale__constant(bench_run *b, gscale_param_id id, wanted w,
                      double factor);
void gscale__per_second(bench_run *b, gscale_param_id id, wanted w);
void gscale__dense(bench_run *b, gscale_param_id id, wanted w);

/* ---- numbers ------------------------------------------------------------- */

double gscale__value(const bench_run *b, gscale_param_id id);
/* Returns the time in s on the wire at the formatted rate of a port. */
double gscale__wire_time(const bench_run *b, gscale_access a, double bytes,
                         bool masked);
/* Returns the rate of a port / the rate of the route between the two GPUs of a
 * measurement, without contention (gscale_route_alone).  A link of a mesh is
 * slower than a port.  Returns 1 if the ends are not two GPUs.  Returns NaN if
 * the fabric lacks the GPUs, and gscale__add_point() then refuses. */
double gscale__pair_route(const bench_run *b, gscale_access a,
                          const gscale_measurement *r);
/* Returns the load of the busiest resource, in messages of a port, if r->gpus
 * GPUs send in an exchange pattern. */
double gscale__pattern_route(bench_run *b, gscale_access a,
                             const gscale_measurement *r);
/* Returns the part of coefficient j's error that is due to a number with
 * standard error `sigma`, which was subtracted from all points.  In a relative
 * fit of y = c x, a shift d of y changes c by the mean of d/x. */
double gscale__shared_err(const bench_run *b, size_t j, double sigma);
/* Replaces points of one size that follow one another by their mean, where
 * there is a series of sizes: a matrix of pairs is one measurement beside it.
 * Two sizes, as of a matrix of rates and one of latencies, stay as they are. */
void gscale__mean_of_pairs(points *p);
/* Fits large transfers of all GPUs together:
 *   time = begin + items * start + route * wire / (rate * efficiency * active).
 * The pattern determines the route, which is `items` if every port reaches
 * every other port. */
void gscale__all_active(bench_run *b, gscale_access a, const char *ring,
                        const char *alltoall, gscale_param_id efficiency,
                        gscale_param_id id, const char *benches);

/* Predicts the time of a row between nodes. */
double gscale__net_time(const bench_run *b, const gscale_measurement *r);
/* Returns the bytes that an agent moved during the compute: all bytes, less the
 * bytes that were moved afterwards at the rate without contention. */
double gscale__moved_beside(bench_run *b, const gscale_measurement *r);

/* ---- recipes ------------------------------------------------------------- */

void gscale__recipes_host(bench_run *b);
void gscale__recipes_calls(bench_run *b);
void gscale__recipes_device(bench_run *b);
void gscale__recipes_copy(bench_run *b);
void gscale__recipes_staged(bench_run *b);
void gscale__recipes_store(bench_run *b);
void gscale__recipes_agent(bench_run *b);
void gscale__recipes_load(bench_run *b);
void gscale__recipes_contend(bench_run *b);
void gscale__recipes_managed(bench_run *b);
void gscale__recipes_collective(bench_run *b);
void gscale__recipes_collective_nodes(bench_run *b);
void gscale__recipes_collective_mpi(bench_run *b);
void gscale__recipes_network(bench_run *b);
void gscale__recipes_power(bench_run *b);

#endif /* GPUSCALE_LEARN_RECIPE_RECIPE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
