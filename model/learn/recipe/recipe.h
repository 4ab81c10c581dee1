/* recipe.h - building blocks of the recipes of a calibration.
 *
 * A recipe calls gscale__begin, gscale__add_point for each point, gscale__solve
 * and gscale__conclude for each parameter. The points y = sum_j c_j x_j have
 * parameters as coefficients. Some functions combine two of these calls. */
#ifndef GPUSCALE_LEARN_RECIPE_RECIPE_H
#define GPUSCALE_LEARN_RECIPE_RECIPE_H

#include "ground/ground.h"
#include "price/traffic.h"

static const double GSCALE__MIB = 1048576.0;
static const double GSCALE__SMALL = 4096.0; /* B, startup dominates */
/* No timing is trusted to a smaller relative error, since clocks drift. */
static const double GSCALE__FLOOR = 0.01;

/* These are the points of the current fit. The columns of x are its terms. */
typedef struct points {
  size_t n, room, terms;
  double *y, *sigma, *x;
  const gscale_measurement **from;
} points;

typedef struct bench_run { /* one calibration */
  const gscale_measurements *m;
  gscale_system *s;
  gscale_calibration *out;
  bool *used; /* of each measurement */
  points p;
  gscale_fit fit;
  const char *benches; /* benches of the fit */
  gscale_status st;    /* not OK: refused */
  gscale_diag why;     /* reason for st */
  gscale_diag refused; /* first refused fit */
} bench_run;

/* A recipe selects rows by these fields. Zero and NULL match everything. */
typedef struct wanted {
  const char *bench, *access;
  double size_least, size_most;
  double threads_least, threads_most;
  double inflight_least;
  int gpus;
} wanted;

/* ---- measurements -------------------------------------------------------- */

/* Returns the next match from *i on, or NULL. */
const gscale_measurement *gscale__next(bench_run *b, const wanted *w,
                                       size_t *i);
/* Returns the bench of copies or stores between GPUs. Over PCIe the one to
 * pinned host memory replaces a missing bench, since the port is the same. */
const char *gscale__either(const bench_run *b, const char *peer,
                           const char *pinned);
bool gscale__by_pcie(const bench_run *b); /* the ports are PCIe */
/* Returns the mean time of one item over all matches, or NaN without a
 * match. */
double gscale__item_time(bench_run *b, wanted w);
/* Returns the standard error of that mean. */
double gscale__item_sigma(bench_run *b, wanted w);

/* Refuses the calibration for lack of memory. */
void gscale__no_memory(bench_run *b);

/* ---- points -------------------------------------------------------------- */

void gscale__begin(bench_run *b, size_t terms);
/* Leaves out a point with y <= 0, which has no relative error. */
void gscale__add_point(bench_run *b, const gscale_measurement *r, double y,
                       double sigma, const double *x);
/* These add the time of a row, or of one of its items. */
void gscale__add_row(bench_run *b, const gscale_measurement *r,
                     const double *x);
void gscale__add_item(bench_run *b, const gscale_measurement *r,
                      const double *x);
/* Adds the points factor * time of one item = c for all matches. */
void gscale__add_items(bench_run *b, wanted w, double factor);

/* Fits the points. On failure it returns false and adds a note to the
 * parameter. */
bool gscale__solve(bench_run *b, gscale_param_id id, const char *benches);

/* Returns the range of the points' sizes. The result is false if there is no
 * size between the least and the most, since two tell no bend. */
bool gscale__size_range(const points *p, double *least, double *most);
/* These add points of a finished model, not of a fit, to the report. The second
 * one renames the bench. */
void gscale__compare(bench_run *b, const char *bench,
                     double (*model)(const bench_run *b,
                                     const gscale_measurement *r));
void gscale__compare_as(bench_run *b, const char *bench, const char *name,
                        double (*model)(const bench_run *b,
                                        const gscale_measurement *r));

/* ---- results ------------------------------------------------------------- */

/* Stores a parameter with its fit. The error is at least that of a clock. */
void gscale__conclude(bench_run *b, gscale_param_id id, double value,
                      double err, const char *benches);
/* Stores c_j. */
void gscale__conclude_term(bench_run *b, gscale_param_id id, size_t j);
/* Stores 1/c_j. The data do not identify it if c_j = 0. */
void gscale__conclude_inverse(bench_run *b, gscale_param_id id, size_t j);
/* These fit the points and, on success, store c_j, 1/c_j or both coefficients.
 * The second parameter takes the notes of the first. */
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

/* These are whole recipes. They store the mean time of one item times factor,
 * the items per second, and the share of the wire for dense accesses of a
 * warp. */
void gscale__constant(bench_run *b, gscale_param_id id, wanted w,
                      double factor);
void gscale__per_second(bench_run *b, gscale_param_id id, wanted w);
void gscale__dense(bench_run *b, gscale_param_id id, wanted w);

/* ---- numbers ------------------------------------------------------------- */

double gscale__value(const bench_run *b, gscale_param_id id);
/* Returns the seconds on the wire at the formatted rate of a port. */
double gscale__wire_time(const bench_run *b, gscale_access a, double bytes,
                         bool masked);
/* Returns the port's rate over that of the route between the two GPUs of a
 * measurement, without contention (gscale_route_alone). A link of a mesh is
 * slower than a port. The result is 1 if the ends are not two GPUs. It is NaN
 * if the fabric lacks them, and gscale__add_point then refuses the
 * calibration. */
double gscale__pair_route(const bench_run *b, gscale_access a,
                          const gscale_measurement *r);
/* Returns the load of the busiest resource, in messages of a port, when r->gpus
 * GPUs send in a pattern of exchange. */
double gscale__pattern_route(bench_run *b, gscale_access a,
                             const gscale_measurement *r);
/* Returns the error of coefficient j due to a number of standard error `sigma`
 * that was subtracted from all points. In a relative fit of y = c x a shift d
 * of y changes c by the mean of d/x. */
double gscale__shared_err(const bench_run *b, size_t j, double sigma);
/* Fits large transfers of all GPUs at once:
 *   time = begin + items start + route wire / (rate efficiency active).
 * The pattern decides the route, which is `items` where every port reaches
 * every other. */
void gscale__all_active(bench_run *b, gscale_access a, const char *ring,
                        const char *alltoall, gscale_param_id efficiency,
                        gscale_param_id id, const char *benches);

/* Predicts a row between nodes. */
double gscale__net_time(const bench_run *b, const gscale_measurement *r);
/* Returns the bytes that an agent moved during the compute. They are all bytes
 * less those moved afterwards at the rate without contention. */
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
