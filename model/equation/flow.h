/* flow.h - what model/ alone sees of flows: the length of one that is in its
 * domain, again and again. */
#ifndef GPUSCALE_EQUATION_FLOW_H
#define GPUSCALE_EQUATION_FLOW_H

#include "gpuscale/all.h"

/* Chunks j = first .. last whose positions lie on one piece of a profile: they
 * are ready at compute * (at + run j). */
typedef struct gscale__stretch {
  double first, last, at, run;
} gscale__stretch;

/* When chunks are ready, by their ends or by their beginnings; the first, which
 * may be smaller, at compute * first, the last at compute * end. */
typedef struct gscale__stretches {
  size_t n;
  double first, end;
  gscale__stretch piece[GSCALE_PROFILE_MAX];
} gscale__stretches;

/* What a flow's length needs of its bytes, chunk and profile alone. */
typedef struct gscale__chunks {
  double n;           /* chunks */
  double unit, first; /* share of the data in one, and in the first */
  gscale__stretches begins, ends;
} gscale__chunks;

/* Of a flow in chunks: what its tail asks for, or all. */
void gscale__chunks_of(const gscale_flow *f, bool all, gscale__chunks *out);

/* gscale_flow_time() of a flow that is in its domain; *c is not read if it has
 * no chunks. */
double gscale__flow_length(const gscale_flow *f, const gscale__chunks *c);

#endif /* GPUSCALE_EQUATION_FLOW_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
