/* posterior.h - the private interface of the posterior.
 *
 * problem.c has the runs and the uncertain numbers.  responses.c predicts runs.
 * solve.c finds the minimum.  posterior.c computes results at the minimum. */
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

/* A latent is a number that is uncertain in the prior. */
typedef struct latent {
  const gscale__entry *entry; /* entry in the first program of the number */
  size_t instance;            /* program of a t1 */
  double below, above;        /* prior probability below each end of the
                               * domain */
  double step;                /* finite-difference step in z */
  size_t column;              /* column, or NONE if fixed */
} latent;

/* An instance is a program with sizes and a t1. */
typedef struct instance {
  const gscale_workload *w;
  gscale_workload *moved; /* copy with trial values */
  gscale__numbers numbers;
  size_t *latent; /* latent of each number, or NONE if exact */
} instance;

/* A cell holds the runs of an instance on one N, which share a plan. */
typedef struct cell {
  size_t instance;
  int gpus;
  size_t first, n;    /* range of `order` */
  gscale__based plan; /* baseline plan */
  bool planned;       /* a plan was tried */
} cell;

/* The model's own residual has three levels: a program with a paradigm, one
 * size of the program, and one run.  The share of each level depends on how
 * much residuals repeat at other sizes and at other N. */
enum {
  GSCALE__OF_PROGRAM,
  GSCALE__OF_SIZE,
  GSCALE__LEVELS,
  GSCALE__OF_RUN = GSCALE__LEVELS
};

/* A spread is the standard error of ln(time) from the model's own residual.
 * The shares divide the variance among the levels. */
typedef struct spread {
  double err, share[GSCALE__LEVELS + 1];
} spread;

typedef struct own {
  const char *workload;
  size_t instance; /* instance, or NONE for all sizes */
  size_t paradigm;
} own;

typedef struct datum {
  size_t cell;
  size_t own[GSCALE__LEVELS];
  double log_time; /* ln(measured time) */
  spread own_by;   /* the model's residual */
  double s;        /* error of the residual of ln(time) */
} datum;

/* Returns the error of one level of a run's residual, scaled by `held`. */
static inline double gscale__posterior_load(const spread *d, int level,
                                            double held)
{
  return held * d->err * sqrt(d->share[level]);
}

/* The prediction of a run. */
typedef struct predicted {
  double time, infinite; /* s */
} predicted;

struct gscale_posterior {
  gscale_system base, moved;
  cell other;    /* last cell without runs */
  size_t placed; /* number that place_one() set */
  gscale_run *run;
  size_t runs;
  datum *datum;  /* datum of each run */
  size_t *order; /* runs in order of cells */
  instance *instance;
  size_t instances;
  cell *cell;
  size_t cells;
  double held; /* factor on residuals */
  own *own;
  size_t owns; /* owns of programs come first */
  latent *latent;
  size_t latents;
  size_t known;     /* number of first latents that are in runs */
  size_t of_system; /* number of first latents that the system has */
  size_t *free;     /* latent of each column */
  size_t columns;   /* number of columns, which come before owns */
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

/* Groups the runs into cells, and collects numbers and discrepancies.  The
 * function fails only if there is no memory. */
gscale_status gscale__collect_runs(gscale_posterior *p, gscale_diag *diag);
/* Returns the instance of a program, which is added if new, or NONE if there is
 * no memory. */
size_t gscale__posterior_instance(gscale_posterior *p,
                                  const gscale_workload *w);
/* Returns the discrepancy of a run on a level, or NONE if no run has this
 * discrepancy. */
size_t gscale__posterior_own(const gscale_posterior *p, int level,
                             size_t instance, const gscale_run *r);
/* Returns the program that a number belongs to, or "" for the system. */
const char *gscale__posterior_program(const gscale_posterior *p,
                                      const latent *l);
/* Returns the value of a number at z.  For a guess, the value is still relative
 * to host.launch. */
double gscale__posterior_value(const latent *l, double z);
/* Sets numbers of the system and the programs to x, which has `columns` values.
 * Numbers without a column keep their values, and so do all numbers if x is
 * NULL. */
void gscale__posterior_place(gscale_posterior *p, const double *x);
/* Sets one number to z, with or without a column.  All other numbers must be
 * set by gscale__posterior_place() with the same x. */
void gscale__posterior_place_one(gscale_posterior *p, const double *x,
                                 size_t latent, double z);
/* Sets numbers like gscale__posterior_place_one(), but only of the system and
 * of instance `of`. */
void gscale__posterior_place_for(gscale_posterior *p, const double *x,
                                 size_t of, size_t one, double z);
/* Returns true if an instance has a number. */
bool gscale__posterior_has(const gscale_posterior *p, size_t instance,
                           size_t latent);

/* Predicts a run after all numbers are set. */
gscale_status gscale__predict_run(gscale_posterior *p, const gscale_run *r,
                                  size_t instance, predicted *out,
                                  gscale_diag *diag);
/* Predicts all runs of a cell into out[run], with NaN for a failure. */
void gscale__predict_cell(gscale_posterior *p, size_t cell, predicted *out);
/* Predicts all runs. *diag gets the first failure if diag is not NULL. */
gscale_status gscale__predict_all(gscale_posterior *p, predicted *out,
                                  gscale_diag *diag);

/* Returns the shift of ln(time) of a run by the discrepancies in x. */
double gscale__posterior_off(const gscale_posterior *p, size_t run,
                             const double *x);
/* Returns the host part's share of a run's time (responses.c). */
double gscale__posterior_host(gscale_posterior *p, const gscale_run *r,
                              size_t i, const predicted *at);
/* Returns the model's own residual for a run with the prediction *at, which is
 * 0 on one GPU.  All numbers must be set before this call. */
spread gscale__posterior_spread(gscale_posterior *p, const gscale_run *r,
                                size_t instance, const predicted *at);
/* Sets own_by and s of all runs from the predictions `at`. */
void gscale__posterior_scale(gscale_posterior *p, const predicted *at);
/* Assigns columns to all numbers with leverage. */
gscale_status gscale__select_columns(gscale_posterior *p, gscale_diag *diag);

/* ---- solve.c ------------------------------------------------------------- */

/* Computes the members at, innovation, j, j_own and cov. */
gscale_status gscale__posterior_solve(gscale_posterior *p, int starts,
                                      gscale_diag *diag);

/* Estimates the minimum without the runs marked in `left`, by one step of the
 * linear model. x has columns + owns values. */
gscale_status gscale__posterior_without(const gscale_posterior *p,
                                        const bool *left, double *x,
                                        gscale_diag *diag);

/* ---- interval.c ---------------------------------------------------------- */

/* Returns the quantile `share`, given the runs, of a number with a column.  For
 * a guess, the quantile is still relative to host.launch. */
double gscale__posterior_quantile(const gscale_posterior *p, const latent *l,
                                  double share);

/* ---- check.c ------------------------------------------------------------- */

/* Refuses implausible runs before the fit. */
gscale_status gscale__posterior_check(gscale_posterior *p, gscale_diag *diag);

#endif /* GPUSCALE_LEARN_POSTERIOR_POSTERIOR_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
