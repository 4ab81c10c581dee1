/* perturb.h - predictions with numbers perturbed one by one, only for
 * model/trust/. */
#ifndef GPUSCALE_TRUST_MOVES_H
#define GPUSCALE_TRUST_MOVES_H

#include "predict/step.h"
#include "trust/uncertain_numbers.h"

/* A perturbed value of a number.  The value may need a separate plan, but a
 * parameter that only costs depend on just changes its value and costs. */
typedef struct gscale__perturbed {
  bool there;
  double value;
  gscale_plan *plan;
  size_t first, costs; /* range in `cost` */
  double time;         /* time, s, or invalid */
} gscale__perturbed;

typedef struct gscale__perturbations {
  gscale__perturbed down, up, percent;
  uint64_t costs; /* bits of changed costs, or all */
  double weight;  /* weight of each point */
} gscale__perturbations;

struct gscale_uncertainty {
  const gscale_system *s;
  const gscale_workload *w;
  int n;
  bool all; /* derived counts are included */
  gscale_plan *plan;
  uint64_t asked[GSCALE__ASKED];    /* parts that asked for each number in the
                                     * last prediction */
  uint64_t used;                    /* costs in the last prediction */
  gscale_knobs set;                 /* knobs of the last prediction */
  uint64_t gathered[GSCALE__ASKED]; /* phases whose gathered reads asked for
                                     * each number */
  gscale_system system;             /* scratch copy of the system */
  gscale_workload *workload;        /* scratch copy of the workload */
  gscale__numbers numbers;
  gscale__perturbations *moves; /* perturbations of each number */
  struct gscale__cost_to {
    int cost;
    double to;
  } * cost; /* changed costs of each perturbation */
  size_t costs, room;
  size_t *live, n_live;                    /* perturbed numbers */
  size_t *which, n_which;                  /* numbers that the step needs */
  double *effect;                          /* effect of each number, s */
  bool no_memory;                          /* true if a plan had no memory */
  gscale__stage stage[GSCALE__PHASES_MAX]; /* stages of the step */
  gscale__stage moved[GSCALE__PHASES_MAX]; /* stages with a perturbed number */
};

/* Bits of a paradigm's checks and of a step's schedule, which ask for
 * parameters like phases. */
static const uint64_t GSCALE__OF_CHECKS = (uint64_t)1 << 62,
                      GSCALE__OF_STEP = (uint64_t)1 << 63,
                      GSCALE__OF_ALL = ~(uint64_t)0;

/* Restores both scratch copies. */
void gscale__restore_all(gscale_uncertainty *u);
/* Swaps a parameter's perturbed value and costs with the value and costs of the
 * plan. */
void gscale__swap(gscale_uncertainty *u, size_t id, const gscale__perturbed *m,
                  double value);
/* Returns true if a perturbation exists. */
bool gscale__is_live(const gscale__perturbations *m);
/* Returns the time, s, or NaN, and records the numbers that the time asks
 * for. */
double gscale__base_time(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k);
/* Predicts like gscale_predict(), but from the stages of the last
 * prediction. */
gscale_status gscale__base_prediction(gscale_uncertainty *u, size_t paradigm,
                                      gscale_prediction *out,
                                      gscale_diag *diag);
/* Perturbs and records all numbers that the last time, s, depends on. */
void gscale__perturb_all(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k, double time);
/* Returns the influence of a perturbed number on the last time. */
gscale_influence gscale__influence(const gscale_uncertainty *u, size_t i,
                                   double time);
/* Returns the standard deviation from effects at two points of equal weight. */
double gscale__deviation(double weight, double down, double up);
/* Returns hypot(a, b), and calls hypot() only if squares are out of range. */
double gscale__hypot(double a, double b);
/* Returns the time, s, with the numbers of the scratch copies. */
double gscale__time_perturbed(gscale_uncertainty *u, size_t paradigm,
                              const gscale_knobs *k);

#endif /* GPUSCALE_TRUST_MOVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
