/* perturb.h - a prediction whose numbers are perturbed one by one, for
 * model/trust/ only. */
#ifndef GPUSCALE_TRUST_MOVES_H
#define GPUSCALE_TRUST_MOVES_H

#include "predict/step.h"
#include "trust/uncertain_numbers.h"

/* A number's perturbed value may need a plan.  A parameter that only costs
 * depend on needs none, and changes its value and costs. */
typedef struct gscale__perturbed {
  bool there;
  double value;
  gscale_plan *plan;
  size_t first, costs; /* range of `cost` */
  double time;         /* s, or invalid */
} gscale__perturbed;

typedef struct gscale__perturbations {
  gscale__perturbed down, up, percent;
  uint64_t costs; /* bits, or all */
  double weight;  /* of each point */
} gscale__perturbations;

struct gscale_uncertainty {
  const gscale_system *s;
  const gscale_workload *w;
  int n;
  bool all; /* derived counts, too */
  gscale_plan *plan;
  uint64_t asked[GSCALE__ASKED];    /* askers, last time */
  uint64_t used;                    /* costs, last time */
  gscale_knobs set;                 /* knobs, last time */
  uint64_t gathered[GSCALE__ASKED]; /* phases whose gathering asked */
  gscale_system system;             /* scratch copies, restored after */
  gscale_workload *workload;        /* each perturbation */
  gscale__numbers numbers;
  gscale__perturbations *moves; /* by number */
  struct gscale__cost_to {
    int cost;
    double to;
  } * cost; /* changed costs, by perturbation */
  size_t costs, room;
  size_t *live, n_live;                    /* perturbed numbers */
  size_t *which, n_which;                  /* those the step needs */
  double *effect;                          /* s, by number */
  bool no_memory;                          /* a plan had none */
  gscale__stage stage[GSCALE__PHASES_MAX]; /* of the step */
  gscale__stage moved[GSCALE__PHASES_MAX]; /* with a perturbed number */
};

/* Checks of a paradigm and the schedule of a step ask for parameters, as phases
 * do. */
static const uint64_t GSCALE__OF_CHECKS = (uint64_t)1 << 62,
                      GSCALE__OF_STEP = (uint64_t)1 << 63,
                      GSCALE__OF_ALL = ~(uint64_t)0;

/* Restores the scratch copies. */
void gscale__restore_all(gscale_uncertainty *u);
/* Swaps a parameter's perturbed value and costs with those of the plan. */
void gscale__swap(gscale_uncertainty *u, size_t id, const gscale__perturbed *m,
                  double value);
/* Returns true if a perturbation exists. */
bool gscale__is_live(const gscale__perturbations *m);
/* Returns s or NaN, and notes what the time asks for. */
double gscale__base_time(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k);
/* Predicts as gscale_predict() does from the stages of the last time. */
gscale_status gscale__base_prediction(gscale_uncertainty *u, size_t paradigm,
                                      gscale_prediction *out,
                                      gscale_diag *diag);
/* Returns false if number i affects nothing that the last time asked for. */
bool gscale__affects_time(const gscale_uncertainty *u, size_t i);
/* Perturb number i down and up, or by a percent, and fill the times of its
 * targets.  Down and up alone give an elasticity of 0. */
void gscale__perturb(gscale_uncertainty *u, size_t i, size_t paradigm,
                     const gscale_knobs *k);
void gscale__perturb_percent(gscale_uncertainty *u, size_t i, size_t paradigm,
                             const gscale_knobs *k);
/* Perturbs and notes all numbers that the last time, s, depends on. */
void gscale__perturb_all(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k, double time);
/* Returns the largest elasticity of a guess down or up in a step of `time` s,
 * or 0. */
double gscale__largest_elasticity(const gscale_uncertainty *u, size_t i,
                                  double time);
/* Returns the influence of a perturbed number on the last time. */
gscale_influence gscale__influence(const gscale_uncertainty *u, size_t i,
                                   double time);
/* Returns the standard deviation from effects at two points of equal weight. */
double gscale__deviation(double weight, double down, double up);
/* Returns hypot(), which is needed only where squares are out of range. */
double gscale__hypot(double a, double b);
/* Returns s with the numbers of the scratch copies. */
double gscale__time_perturbed(gscale_uncertainty *u, size_t paradigm,
                              const gscale_knobs *k);

#endif /* GPUSCALE_TRUST_MOVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
