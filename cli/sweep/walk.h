/* walk.h - declares the internals of a walk for walk.c and point.c only. */
#ifndef GPUSCALE_WALK_H
#define GPUSCALE_WALK_H

#include "sweep/failed_points.h"
#include "sweep/sweep.h"

struct walk {
  const options *o;
  question q;    /* at the last point; large */
  options asked; /* of the last load; large */
  gscale_joint *joint;
  bool loaded;
  bool astray; /* a point was refused; `q` is of another one */
  size_t axes;
  int line; /* of the first row of --at */
  over v[GSCALE_AXES_MAX];
  double *list[GSCALE_AXES_MAX];
  gscale_design design;
  char gpus[1 << 15]; /* N of the axis in the syntax of --gpus */
  double x[GSCALE_AXES_MAX];
  gscale_plan *plan[GPUS_MAX + 1];     /* of each N, or NULL; [0]: --weak */
  gscale_uncertainty *u[GPUS_MAX + 1]; /* with --errors */
  int last;                            /* index of the last plan */
  answer a[PARADIGMS_MAX];
  gaps gaps;
};

static inline bool is_same(double a, double b)
{
  return !(a < b) && !(a > b);
}

/* ---- point -------------------------------------------------------------- */

/* Loads system and workload with the current settings. */
int walk_load(walk *w, failure *why);
/* Moves to a point and loads the descriptions that the point needs. */
int walk_move(walk *w, const double *x, failure *why);
/* Creates the plan of n GPUs, and with --errors its errors, with the parameters
 * of the current point. The plan for n = 0 is the reference of --weak. */
gscale_status walk_plan(walk *w, int n, const gscale_plan **out,
                        gscale_diag *diag);
/* Computes T(1) of --weak at the current point. */
int walk_compare(walk *w, failure *why);
/* Frees the question and its plans. */
void walk_forget(walk *w);

#endif /* GPUSCALE_WALK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
