/* posterior.h - the inside of posteriors, for this folder only.
 *
 * problem.c holds the runs and their numbers and says residuals and slopes;
 * solve.c finds the minimum; posterior.c says what it means. */
#ifndef GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H
#define GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H

#include "ground/ground.h"
#include "predict/prepare.h"
#include "trust/uncertain_numbers.h"

#include <gsl/gsl_matrix.h>
#include <stdlib.h>

static const size_t GSCALE__NONE = SIZE_MAX;
static const double GSCALE__ROBUST = 1.345; /* of a residual; [Huber64] */
static const double GSCALE__STEP = 0.05;    /* of finite differences, in z */

/* A number that is uncertain beforehand. */
typedef struct latent {
  const gscale__entry *entry; /* of the first program that has it */
  size_t instance;            /* of t1: the only program that has it; or NONE */
  double below, above; /* of its distribution: below its domain's two ends */
  double step;         /* of finite differences, in z: to the side with room */
  size_t column;       /* in the problem that is solved; NONE: it stays */
} latent;

/* A program as it was given: with its sizes and its t1. */
typedef struct instance {
  const gscale_workload *w;
  gscale_workload *moved; /* with its numbers as they are tried */
  gscale__numbers numbers;
  size_t *latent; /* of each number; NONE if it is exact */
} instance;

/* The runs of an instance on as many GPUs share a plan. */
typedef struct cell {
  size_t instance;
  int gpus;
  size_t first, n;    /* of `order` */
  gscale__based plan; /* before any number is moved; none where there can be
                       * none */
  bool planned;       /* that was tried */
  uint64_t left;      /* paradigms that no run is by, a bit for each */
} cell;

/* The model's own residual has three levels: on a program by a paradigm, on one
 * size of it, on one run; as much on each as residuals repeat at other sizes
 * and N, and at other N. */
enum {
  GSCALE__OF_PROGRAM,
  GSCALE__OF_SIZE,
  GSCALE__LEVELS,
  GSCALE__OF_RUN = GSCALE__LEVELS
};

/* The standard error of ln(time) by the model's own residual, and the shares of
 * its variance. */
typedef struct spread {
  double err, share[GSCALE__LEVELS + 1];
} spread;

typedef struct own {
  const char *workload;
  size_t instance; /* of one size; NONE: of the program */
  size_t paradigm;
} own;

typedef struct datum {
  size_t cell;
  size_t own[GSCALE__LEVELS];
  double log_time; /* of the measured one */
  spread own_by;   /* by the model's own residual, at the point of the pass */
  double s;        /* standard error of the residual, of ln(time) */
} datum;

/* Standard error of a level of the residual of a run; `held` of it. */
static inline double gscale__posterior_load(const spread *d, int level,
                                            double held)
{
  return held * d->err * sqrt(d->share[level]);
}

/* What the model says of a run. */
typedef struct said {
  double time, infinite; /* s */
} said;

struct gscale_posterior {
  gscale_system base, moved;
  cell other;    /* the last one asked about that no run is of */
  size_t placed; /* the number that is elsewhere than in
                  * gscale__posterior_place; NONE: none is */
  gscale_run *run;
  size_t runs;
  datum *datum;  /* of each run */
  size_t *order; /* runs, those of a cell together */
  instance *instance;
  size_t instances;
  cell *cell;
  size_t cells;
  double held; /* of the residuals, while a minimum is looked for; then 1 */
  own *own;
  size_t owns; /* the first are those of programs */
  latent *latent;
  size_t latents;
  size_t known;     /* so many of them, the first, are of the runs */
  size_t of_system; /* so many of them, the first */
  size_t *free;     /* the latent of each column */
  size_t columns;   /* then follow the owns */
  bool *felt;       /* [column * cells + cell]: the number changes it */

  double *at;         /* columns + owns: where the minimum is */
  double *innovation; /* residuals where the prior is, by the slopes there */
  gsl_matrix *cov;    /* of `at` */
  gsl_matrix *j;      /* slopes of the runs' residuals by the numbers, ... */
  gsl_matrix *j_own;  /* ... by the discrepancy of each level */
  gscale_learned *learned;
  gscale_learned_run *learned_run;

  bool no_memory; /* for some plan, on the way */

  void (*progress)(void *closure, double done);
  void *closure;
};

/* ---- problem.c ---------------------------------------------------------- */

/* Takes the runs: cells, numbers, discrepancies.  Memory only. */
gscale_status gscale__posterior_take(gscale_posterior *p, gscale_diag *diag);
/* The instance of a program, taken if it is new; NONE without memory. */
size_t gscale__posterior_instance(gscale_posterior *p,
                                  const gscale_workload *w);
/* The own discrepancy of a run on a level; NONE if no run has it. */
size_t gscale__posterior_own(const gscale_posterior *p, int level,
                             size_t instance, const gscale_run *r);
/* That discrepancy, whether a run has it or not. */
own gscale__posterior_own_of(int level, size_t instance, const gscale_run *r);
/* The program that a number is of; "" if it is of the system. */
const char *gscale__posterior_program(const gscale_posterior *p,
                                      const latent *l);
/* Value of a number at z, before it is relative to a guess. */
double gscale__posterior_value(const latent *l, double z);
/* Moves system and programs to x, columns long; the numbers that have no column
 * stay.  NULL: all stay. */
void gscale__posterior_place(gscale_posterior *p, const double *x);
/* Another z of one number, with or without a column; the rest as x says, where
 * gscale__posterior_place has put them. */
void gscale__posterior_place_one(gscale_posterior *p, const double *x,
                                 size_t latent, double z);
/* The system and one instance only. */
void gscale__posterior_place_for(gscale_posterior *p, const double *x,
                                 size_t of, size_t one, double z);
/* Whether an instance has the number. */
bool gscale__posterior_has(const gscale_posterior *p, size_t instance,
                           size_t latent);

/* Of one run, where all numbers are placed; NULL plan: one is made. */
gscale_status gscale__posterior_say(gscale_posterior *p, const gscale_run *r,
                                    size_t instance, said *out,
                                    gscale_diag *diag);
/* Of all runs of a cell, by the index of the run; NaN where it fails. */
void gscale__posterior_say_cell(gscale_posterior *p, size_t cell, said *out);
/* Of all runs; why, unless NULL, names the first that fails. */
gscale_status gscale__posterior_say_all(gscale_posterior *p, said *out,
                                        gscale_diag *diag);

/* How far the discrepancies of x, as its columns follow, move ln(time). */
double gscale__posterior_off(const gscale_posterior *p, size_t run,
                             const double *x);
/* Share of the time that a run's host takes (responses.c). */
double gscale__posterior_host(gscale_posterior *p, const gscale_run *r,
                              size_t i, const said *at);
/* Of a run of which *at was said, with all numbers placed, the model's own
 * residual; on one GPU nothing is off. */
spread gscale__posterior_spread(gscale_posterior *p, const gscale_run *r,
                                size_t instance, const said *at);
/* That and s of all runs by what was said of them. */
void gscale__posterior_scale(gscale_posterior *p, const said *at);
/* Gives columns to the numbers with leverage. */
gscale_status gscale__posterior_choose(gscale_posterior *p, gscale_diag *diag);

/* ---- solve.c ------------------------------------------------------------ */

/* Fills at, innovation, j, j_own, cov. */
gscale_status gscale__posterior_solve(gscale_posterior *p, int starts,
                                      gscale_diag *diag);

/* Where the minimum would be without the runs that are `left`, by one step of
 * the linear model; x has columns + owns places. */
gscale_status gscale__posterior_without(const gscale_posterior *p,
                                        const bool *left, double *x,
                                        gscale_diag *diag);

/* ---- interval.c --------------------------------------------------------- */

/* The value below which a number with a column lies with probability `share`
 * given the runs, before it is relative to a guess. */
double gscale__posterior_quantile(const gscale_posterior *p, const latent *l,
                                  double share);

/* ---- check.c ------------------------------------------------------------ */

/* Whether two runs are of one step. */
bool gscale__posterior_is_same(const gscale_run *a, const gscale_run *b);
/* Refuses runs that cannot be meant so, before anything is fitted. */
gscale_status gscale__posterior_check(gscale_posterior *p, gscale_diag *diag);

#endif /* GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
