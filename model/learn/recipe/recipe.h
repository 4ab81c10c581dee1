/* recipe.h - what the recipes of a calibration are made of.
 *
 * A recipe collects points  y = sum_j c_j x_j  whose coefficients are
 * parameters, fits them, and stores what they say:
 *
 *   gscale__begin; gscale__add_point ...; gscale__solve; gscale__conclude ...
 *
 * or what does two of these. */
#ifndef GPUSCALE_LEARN_RECIPE_RECIPE_H
#define GPUSCALE_LEARN_RECIPE_RECIPE_H

#include "ground/ground.h"
#include "price/traffic.h"

static const double GSCALE__MIB = 1048576.0;
static const double GSCALE__SMALL = 4096.0; /* B: what starts it is its cost */
/* Relative error below which no timing is believed; clocks drift by as much. */
static const double GSCALE__FLOOR = 0.01;

/* Points of the fit in hand; columns of x are the terms. */
typedef struct points {
  size_t n, room, terms;
  double *y, *sigma, *x;
  const gscale_measurement **from;
} points;

typedef struct bench_run { /* one calibration */
  const gscale_measurements *m;
  gscale_system *s;
  gscale_calibration *out;
  bool *used; /* of the measurements */
  points p;
  gscale_fit fit;
  const char *benches; /* that it was fitted to */
  gscale_status st;    /* not OK: the calibration is refused, */
  gscale_diag why;     /* for this */
  gscale_diag refused; /* the first fit that was, or "" */
} bench_run;

/* What a recipe looks for; zero and NULL match everything. */
typedef struct wanted {
  const char *bench, *access;
  double size_least, size_most;
  double threads_least, threads_most;
  double inflight_least;
  int gpus;
} wanted;

/* ---- measurements ------------------------------------------------------- */

/* The next match from *i on, or NULL. */
const gscale_measurement *gscale__next(bench_run *b, const wanted *w,
                                       size_t *i);
/* The bench of copies or stores between GPUs; of those to pinned host memory,
 * if there are no others and the link is PCIe: the port is the same. */
const char *gscale__either(const bench_run *b, const char *peer,
                           const char *pinned);
/* Mean time of one item over all matches, s; NaN if there is none. */
double gscale__item_time(bench_run *b, wanted w);
/* Its standard error. */
double gscale__item_sigma(bench_run *b, wanted w);

/* Refuses the calibration. */
void gscale__no_memory(bench_run *b);

/* ---- points ------------------------------------------------------------- */

void gscale__begin(bench_run *b, size_t terms);
/* Leaves out a point with y <= 0: it says nothing relative to itself. */
void gscale__add_point(bench_run *b, const gscale_measurement *r, double y,
                       double sigma, const double *x);
/* The time of a row; that of one item of it. */
void gscale__add_row(bench_run *b, const gscale_measurement *r,
                     const double *x);
void gscale__add_item(bench_run *b, const gscale_measurement *r,
                      const double *x);
/* Points  factor time of one item = c  of all matches. */
void gscale__add_items(bench_run *b, wanted w, double factor);

/* Fits them.  False, with a note at the parameter, if it cannot be done. */
bool gscale__solve(bench_run *b, gscale_param_id id, const char *benches);

/* The range of the sizes that the points are of; false if there is none. */
bool gscale__size_range(const points *p, double *least, double *most);
/* Looks for the size at which a fit of time over a message's size changes its
 * slope or jumps, `time(b, r, size)` being its second column; notes it in the
 * report of the fit just made, if it halves the error of points left out. */
void gscale__find_switch(bench_run *b,
                         double (*time)(const bench_run *b,
                                        const gscale_measurement *r,
                                        double size));

/* Adds to the report points that a finished model says, not a fit; by another
 * name than the bench's. */
void gscale__compare(bench_run *b, const char *bench,
                     double (*model)(const bench_run *b,
                                     const gscale_measurement *r));
void gscale__compare_as(bench_run *b, const char *bench, const char *name,
                        double (*model)(const bench_run *b,
                                        const gscale_measurement *r));

/* ---- results ------------------------------------------------------------ */

/* Stores a parameter with the fit behind it; its error is at least that of a
 * clock. */
void gscale__conclude(bench_run *b, gscale_param_id id, double value,
                      double err, const char *benches);
/* Stores c_j. */
void gscale__conclude_term(bench_run *b, gscale_param_id id, size_t j);
/* Stores 1/c_j; of a c_j = 0 the data cannot tell. */
void gscale__conclude_inverse(bench_run *b, gscale_param_id id, size_t j);
/* Fit the points and, where that can be done, store c_j, 1/c_j, or both
 * coefficients, of which what is said of the first else holds for the second.
 */
bool gscale__solve_term(bench_run *b, gscale_param_id id, size_t j,
                        const char *benches);
bool gscale__solve_inverse(bench_run *b, gscale_param_id id, size_t j,
                           const char *benches);
void gscale__solve_both(bench_run *b, gscale_param_id first,
                        gscale_param_id second, const char *benches);
/* Stores what no fit was made for, from `points` measurements. */
void gscale__conclude_unfitted(bench_run *b, gscale_param_id id, size_t points,
                               double value, double err, const char *benches);
void gscale__set_note(bench_run *b, gscale_param_id id, const char *text);
/* What was said of one parameter holds for another of the same recipe. */
void gscale__likewise(bench_run *b, gscale_param_id id, gscale_param_id other);

/* Whole recipes: the mean time of one item of a bench, times factor; items per
 * second; the share of the wire that dense accesses of a warp get. */
void gscale__constant(bench_run *b, gscale_param_id id, wanted w,
                      double factor);
void gscale__per_second(bench_run *b, gscale_param_id id, wanted w);
void gscale__dense(bench_run *b, gscale_param_id id, wanted w);

/* ---- numbers ------------------------------------------------------------ */

double gscale__value(const bench_run *b, gscale_param_id id);
/* Seconds of wire at the formatted rate of a port, efficiency 1. */
double gscale__wire_time(const bench_run *b, gscale_access a, double bytes,
                         bool masked);
/* The port's rate / that of the way between the two GPUs of a measurement, with
 * nothing beside it (gscale_route_alone): a link of a mesh is not all of a
 * port.  1 if its ends are not two GPUs; NaN if the fabric has no such two,
 * with which gscale__add_point refuses the calibration. */
double gscale__pair_route(const bench_run *b, gscale_access a,
                          const gscale_measurement *r);
/* Ports' worth of messages that pass the busiest resource, of what all of
 * r->gpus GPUs send in one of the patterns of exchange. */
double gscale__pattern_route(bench_run *b, gscale_access a,
                             const gscale_measurement *r);
/* Error of coefficient j through a number that was subtracted from all points
 * alike, with standard error `sigma`: in a relative fit of y = c x a shift d of
 * y moves c by the mean of d/x. */
double gscale__shared_err(const bench_run *b, size_t j, double sigma);
/* All GPUs at once, large:
 *   time = begin + items start + route wire / (rate efficiency active)
 * with the route of the pattern, which is `items` where every port reaches
 * every other. */
void gscale__all_active(bench_run *b, gscale_access a, const char *ring,
                        const char *alltoall, gscale_param_id efficiency,
                        gscale_param_id id, const char *benches);

/* B an agent moved while the compute ran: all of it, less what it moved
 * afterwards at the rate it has alone. */
double gscale__moved_beside(bench_run *b, const gscale_measurement *r);

/* ---- the recipes, in the order in which they run ------------------------ */

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
