/* walk.h - the inside of a walk, for walk.c and point.c only. */
#ifndef GPUSCALE_WALK_H
#define GPUSCALE_WALK_H

#include "sweep/failed_points.h"
#include "sweep/sweep.h"

struct walk {
  const options *o;
  question q;    /* as it is at the last point; large */
  options asked; /* as it was loaded; large */
  gscale_joint *joint;
  gscale_workload *first; /* that probes were made with; NULL: the question's */
  bool loaded;
  bool astray; /* what the point has is refused: the question is another's */
  size_t axes;
  over v[GSCALE_AXES_MAX];
  double *list[GSCALE_AXES_MAX];
  gscale_design design;
  char gpus[1 << 15]; /* those of its axis, as --gpus has them */
  double x[GSCALE_AXES_MAX];
  gscale_probe *probe[GPUS_MAX + 1];   /* of each N, or NULL; the first: --weak,
                                        * what is compared with */
  gscale_uncertainty *u[GPUS_MAX + 1]; /* of each with --errors, or NULL */
  int last;                            /* of them */
  answer a[PARADIGMS_MAX];
  gaps gaps;
};

static inline bool is_same(double a, double b)
{
  return !(a < b) && !(a > b);
}

/* ---- the question at a point (point.c) ----------------------------------- */

/* Loads system and workload anew, as settings have them now. */
int walk_load(walk *w, failure *why);
/* Moves to a point; what needs a new description is loaded. */
int walk_move(walk *w, const double *x, failure *why);
/* What is asked on n GPUs, with this point's parameters; 0: of --weak. */
gscale_status walk_probe(walk *w, int n, gscale_probe **out, gscale_diag *diag);
/* --errors: those of the point before, where no more than a number has changed.
 */
gscale_status walk_errors(walk *w, int n, gscale_diag *diag);
/* --weak: T(1) at this point. */
int walk_compare(walk *w, failure *why);
/* The question, and what was made of it. */
void walk_forget(walk *w);

#endif /* GPUSCALE_WALK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
