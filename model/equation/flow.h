/* flow.h - the time of a valid flow for repeated evaluation, only for
 * model/. */
#ifndef GPUSCALE_EQUATION_FLOW_H
#define GPUSCALE_EQUATION_FLOW_H

#include "gpuscale/all.h"

/* The chunks j = first to last on one piece of a profile.  Chunk j is ready at
 * compute * (at + run * j). */
typedef struct gscale__stretch {
  double first, last, at, run;
} gscale__stretch;

/* The times at which chunks are ready, for their ends or their beginnings.  The
 * first chunk, which may be smaller, is ready at compute * first, and the last
 * chunk at compute * end. */
typedef struct gscale__stretches {
  size_t n;
  double first, end;
  gscale__stretch piece[GSCALE_PROFILE_MAX];
} gscale__stretches;

/* The part of a flow's time that depends only on bytes, chunk and profile. */
typedef struct gscale__chunks {
  double n;           /* number of chunks */
  double unit, first; /* shares of a full chunk and of the first chunk */
  gscale__stretches begins, ends;
} gscale__chunks;

/* Prepares a flow with chunks.  Without `all`, only the parts that the flow's
 * tail needs are prepared. */
void gscale__chunks_of(const gscale_flow *f, bool all, gscale__chunks *out);

/* Equals gscale_flow_time() of a valid flow.  *c is not read if the flow has no
 * chunks. */
double gscale__flow_length(const gscale_flow *f, const gscale__chunks *c);

#endif /* GPUSCALE_EQUATION_FLOW_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
