/* perturb.h - a prediction whose numbers are moved one by one, for model/trust/
 * only. */
#ifndef GPUSCALE_TRUST_MOVES_H
#define GPUSCALE_TRUST_MOVES_H

#include "predict/step.h"
#include "trust/uncertain_numbers.h"

/* What one number is moved to, and the plan then.  A parameter of which nothing
 * of the plan is made but costs has none: it changes its value, and these. */
typedef struct gscale__target {
  bool there;
  double value;
  gscale_plan *plan;
  size_t first, costs; /* of those listed */
  double time;         /* s, then; <= 0 or not finite: there is none */
} gscale__target;

typedef struct gscale__moves {
  gscale__target down, up, percent;
  uint64_t costs; /* that change, a bit for each; all, if more does */
  double weight;  /* of down and up each */
} gscale__moves;

struct gscale_uncertainty {
  const gscale_system *s;
  const gscale_workload *w;
  int n;
  bool all; /* derived counts, too */
  gscale_plan *plan;
  bool borrowed; /* it is another's, who puts the same numbers into it */
  uint64_t asked[GSCALE__ASKED]; /* for what, by the last time from it: by which
                                  * phases, or elsewhere, */
  uint64_t used;                 /* and costs of its schedule */
  gscale_knobs set;              /* then; */
  uint64_t gathered[GSCALE__ASKED]; /* and for what phases gather; */
  gscale_system system;             /* scratch copies, as they were but while */
  gscale_workload *workload;        /* a number is moved */
  gscale__numbers numbers;
  gscale__moves *moves; /* of each number */
  gscale_plan **made;   /* `plan`, and those of moves, and how many; */
  size_t mades;
  uint64_t
      made_of[GSCALE__ASKED]; /* who asked when they were, and `plan` was */
  struct gscale__cost_to {
    int cost;
    double to;
  } * cost; /* by moves, one after the other */
  size_t costs, room;
  size_t *live, lives;    /* numbers that are moved; */
  size_t *which, whiches; /* and that the step asks for */
  double *effect; /* s, of each, on the last time: gscale_uncertainty_effect;
                   * those of parameters are the first */
  bool no_memory; /* for some plan; no error is known then */
  gscale__stage
      stage[GSCALE__PHASES_MAX]; /* of the step, and of one in which */
  gscale__stage moved[GSCALE__PHASES_MAX]; /* a number has moved */
};

/* gscale_uncertainty_new() of a plan that is made, and is owned from then on
 * unless it is borrowed. */
gscale_status gscale__uncertainty_of(const gscale_system *s,
                                     const gscale_workload *w, gscale_plan *p,
                                     bool borrowed, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag);
/* Who asks for parameters besides phases: what says whether a paradigm can be
 * predicted, and the schedule of the step. */
static const uint64_t GSCALE__OF_CHECKS = (uint64_t)1 << 62,
                      GSCALE__OF_STEP = (uint64_t)1 << 63,
                      GSCALE__OF_ALL = ~(uint64_t)0;

/* The scratch copies, as they were. */
void gscale__restore_all(gscale_uncertainty *u);
/* What a parameter's move changes is put into the plan, or what was there: the
 * list of costs has both in turn. */
void gscale__swap(gscale_uncertainty *u, size_t id, const gscale__target *m,
                  double value);
/* Whether it moves anything. */
bool gscale__is_live(const gscale__moves *m);
/* s, or NaN; what it asks for is noted. */
double gscale__time_now(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k);
/* gscale_predict() of the last time, which was there, from what it was made of.
 */
gscale_status gscale__predict_now(gscale_uncertainty *u, size_t paradigm,
                                  gscale_prediction *out, gscale_diag *diag);
/* False if nothing that the last time asked for changes with number i. */
bool gscale__matters(const gscale_uncertainty *u, size_t i);
/* Moves number i down and up, or by a percent: its targets have the times then.
 * By down and up it has an elasticity of 0. */
void gscale__ask_move(gscale_uncertainty *u, size_t i, size_t paradigm,
                      const gscale_knobs *k);
void gscale__ask_percent(gscale_uncertainty *u, size_t i, size_t paradigm,
                         const gscale_knobs *k);
/* Moves all numbers that the last time, s, depends on, and notes which they
 * are. */
void gscale__move_all(gscale_uncertainty *u, size_t paradigm,
                      const gscale_knobs *k, double time);
/* The largest elasticity of a guess down or up, of a step that takes so long;
 * 0: it is none. */
double gscale__steepest(const gscale_uncertainty *u, size_t i, double time);
/* What a number that was moved so does to the last time. */
gscale_influence gscale__influence(const gscale_uncertainty *u, size_t i,
                                   double time);
/* What a number is off by, that does so much at its points, which weigh so. */
double gscale__spread_by(double weight, double down, double up);
/* hypot, without its care for squares that are out of range where none is. */
double gscale__both(double a, double b);
/* s, when the numbers are those of the scratch copies. */
double gscale__time_there(gscale_uncertainty *u, size_t paradigm,
                          const gscale_knobs *k);

#endif /* GPUSCALE_TRUST_MOVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
