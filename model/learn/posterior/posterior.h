/* posterior.h - private interface of the posterior.
 *
 * problem.c holds the runs and their numbers and computes residuals and slopes.
 * solve.c finds the minimum. posterior.c interprets it. */
#ifndef GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H
#define GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H

#include "ground/ground.h"
#include "predict/prepare.h"
#include "trust/uncertain_numbers.h"

#include <gsl/gsl_matrix.h>
#include <stdlib.h>

static const size_t GSCALE__NONE = SIZE_MAX;
static const double GSCALE__ROBUST = 1.345; /* threshold of [Huber64] */
static const double GSCALE__STEP = 0.05;    /* finite-difference step in z */

/* A latent is a number that is uncertain before the runs. */
typedef struct latent {
  const gscale__entry *entry; /* in its first program */
  size_t instance;            /* a t1's program */
  double below, above;        /* prior below the domain's ends */
  double step;                /* finite-difference step in z */
  size_t column;              /* NONE if fixed */
} latent;

/* An instance is a program with its sizes and its t1. */
typedef struct instance {
  const gscale_workload *w;
  gscale_workload *moved; /* copy with trial values */
  gscale__numbers numbers;
  size_t *latent; /* NONE for exact numbers */
} instance;

/* A cell holds the runs of an instance on one N, which share a plan. */
typedef struct cell {
  size_t instance;
  int gpus;
  size_t first, n;    /* range of `order` */
  gscale__based plan; /* baseline plan */
  bool planned;       /* a plan was tried */
  uint64_t left;      /* paradigms without runs */
} cell;

/* The model's own residual has three levels: a program by a paradigm, one of
 * its sizes, and one run. Their shares follow from how much residuals repeat at
 * other sizes and at other N. */
enum {
  GSCALE__OF_PROGRAM,
  GSCALE__OF_SIZE,
  GSCALE__LEVELS,
  GSCALE__OF_RUN = GSCALE__LEVELS
};

/* A spread is the standard error of ln(time) by the model's own residual. Its
 * shares divide the variance among the levels. */
typedef struct spread {
  double err, share[GSCALE__LEVELS + 1];
} spread;

typedef struct own {
  const char *workload;
  size_t instance; /* NONE: of all sizes */
  size_t paradigm;
} own;

typedef struct datum {
  size_t cell;
  size_t own[GSCALE__LEVELS];
  double log_time; /* measured */
  spread own_by;   /* the model's residual */
  double s;        /* log residual's error */
} datum;

/* Returns the error of one level of a run's residual, scaled by `held`. */
static inline double gscale__posterior_load(const spread *d, int level,
                                            double held)
{
  return held * d->err * sqrt(d->share[level]);
}

/* This is the prediction of a run. */
typedef struct predicted {
  double time, infinite; /* s */
} predicted;

struct gscale_posterior {
  gscale_system base, moved;
  cell other;    /* last cell without runs */
  size_t placed; /* number of place_one */
  gscale_run *run;
  size_t runs;
  datum *datum;  /* of each run */
  size_t *order; /* runs, grouped by cell */
  instance *instance;
  size_t instances;
  cell *cell;
  size_t cells;
  double held; /* residual scale */
  own *own;
  size_t owns; /* those of programs first */
  latent *latent;
  size_t latents;
  size_t known;     /* first latents, in runs */
  size_t of_system; /* first latents, the system's */
  size_t *free;     /* latent of each column */
  size_t columns;   /* owns follow them */
  bool *felt;       /* [column * cells + cell] */

  double *at;         /* minimum */
  double *innovation; /* linearized prior residuals */
  gsl_matrix *cov;    /* covariance of `at` */
  gsl_matrix *j;      /* residual slopes by number */
  gsl_matrix *j_own;  /* residual slopes by discrepancy */
  gscale_learned *learned;
  gscale_learned_run *learned_run;

  bool no_memory; /* a plan lacked memory */

  void (*progress)(void *closure, double done);
  void *closure;
};

/* ---- problem.c ----------------------------------------------------------- */

/* Groups the runs into cells and collects numbers and discrepancies. It fails
 * only without memory. */
gscale_status gscale__collect_runs(gscale_posterior *p, gscale_diag *diag);
/* Returns the instance of a program and adds it if it is new. The result is
 * NONE without memory. */
size_t gscale__posterior_instance(gscale_posterior *p,
                                  const gscale_workload *w);
/* Returns the discrepancy of a run on a level, or NONE if no run has it. */
size_t gscale__posterior_own(const gscale_posterior *p, int level,
                             size_t instance, const gscale_run *r);
/* Returns the description of that discrepancy, even if no run has it. */
own gscale__posterior_own_of(int level, size_t instance, const gscale_run *r);
/* Returns the program that a number belongs to, or "" for the system. */
const char *gscale__posterior_program(const gscale_posterior *p,
                                      const latent *l);
/* Returns the value of a number at z, not yet relative to a guess. */
double gscale__posterior_value(const latent *l, double z);
/* Places system and programs at x, which has `columns` values. Numbers without
 * a column stay. All numbers stay if x is NULL. */
void gscale__posterior_place(gscale_posterior *p, const double *x);
/* Moves one number to z, whether it has a column or not. The others stay where
 * gscale__posterior_place put them by x. */
void gscale__posterior_place_one(gscale_posterior *p, const double *x,
                                 size_t latent, double z);
/* Places the system and one instance only. */
void gscale__posterior_place_for(gscale_posterior *p, const double *x,
                                 size_t of, size_t one, double z);
/* Returns whether an instance has the number. */
bool gscale__posterior_has(const gscale_posterior *p, size_t instance,
                           size_t latent);

/* Predicts one run with all numbers placed. */
gscale_status gscale__predict_run(gscale_posterior *p, const gscale_run *r,
                                  size_t instance, predicted *out,
                                  gscale_diag *diag);
/* Predicts all runs of a cell, indexed by run. A failure is NaN. */
void gscale__predict_cell(gscale_posterior *p, size_t cell, predicted *out);
/* Predicts all runs. A diag that is not NULL names the first failure. */
gscale_status gscale__predict_all(gscale_posterior *p, predicted *out,
                                  gscale_diag *diag);

/* Returns the shift of ln(time) by a run's discrepancies in x. */
double gscale__posterior_off(const gscale_posterior *p, size_t run,
                             const double *x);
/* Returns the host's share of a run's time (responses.c). */
double gscale__posterior_host(gscale_posterior *p, const gscale_run *r,
                              size_t i, const predicted *at);
/* Returns the model's own residual for a run with the prediction *at. All
 * numbers must be placed. It is 0 on one GPU. */
spread gscale__posterior_spread(gscale_posterior *p, const gscale_run *r,
                                size_t instance, const predicted *at);
/* Sets own_by and s of all runs from their predictions. */
void gscale__posterior_scale(gscale_posterior *p, const predicted *at);
/* Assigns columns to the numbers with leverage. */
gscale_status gscale__select_columns(gscale_posterior *p, gscale_diag *diag);

/* ---- solve.c ------------------------------------------------------------- */

/* Computes at, innovation, j, j_own and cov. */
gscale_status gscale__posterior_solve(gscale_posterior *p, int starts,
                                      gscale_diag *diag);

/* Estimates the minimum without the runs marked in `left`, by one step of the
 * linear model. The result x has columns + owns values. */
gscale_status gscale__posterior_without(const gscale_posterior *p,
                                        const bool *left, double *x,
                                        gscale_diag *diag);

/* ---- interval.c ---------------------------------------------------------- */

/* Returns the quantile `share` of a number with a column given the runs, not
 * yet relative to a guess. */
double gscale__posterior_quantile(const gscale_posterior *p, const latent *l,
                                  double share);

/* ---- check.c ------------------------------------------------------------- */

/* Returns whether two runs repeat one step. */
bool gscale__posterior_is_same(const gscale_run *a, const gscale_run *b);
/* Refuses implausible runs before anything is fitted. */
gscale_status gscale__posterior_check(gscale_posterior *p, gscale_diag *diag);

#endif /* GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
