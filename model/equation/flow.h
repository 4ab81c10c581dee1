/* flow.h - what model/ alone sees of flows: the length of one that is in its
 * domain, again and again, and of several beside each other. */
#ifndef GPUSCALE_EQUATION_FLOW_H
#define GPUSCALE_EQUATION_FLOW_H

#include "gpuscale/all.h"
#include "ground/lanes.h"

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

/* The numbers of a flow that may differ among several beside each other, in the
 * order of the mechanisms that switch them on (spent.c). */
typedef enum gscale__flow_number {
  GSCALE__FLOW_COMPUTE,
  GSCALE__FLOW_BUSY,
  GSCALE__FLOW_WIRE,
  GSCALE__FLOW_SLOWDOWN,
  GSCALE__FLOW_ISSUE,
  GSCALE__FLOW_GAP,
  GSCALE__FLOW_START,
  GSCALE__FLOW_TRACKING,
  GSCALE__FLOW_TAIL,
  GSCALE__FLOW_LATENCY,
  GSCALE__FLOW_WAITING,
  GSCALE__FLOW_HELD,
  GSCALE__FLOW_WINDOW,
  GSCALE__FLOW_BURST,
  GSCALE__FLOW_BESIDE,
  GSCALE__FLOW_NUMBERS
} gscale__flow_number;

/* Puts them to of[number * n]. */
void gscale__flow_numbers(const gscale_flow *f, double *of, int n);

/* True if all else of two flows is the same. */
bool gscale__flow_alike(const gscale_flow *a, const gscale_flow *b);

/* gscale__flow_length() with these numbers, and all else of *like: of one, and
 * of GSCALE__AT_ONCE, number i of flow k being of[i * GSCALE__AT_ONCE + k]. */
double gscale__flow_length_of(const gscale_flow *like, const double *of,
                              const gscale__chunks *c);
void gscale__flow_lengths(const gscale_flow *like, const double *of,
                          const gscale__chunks *c, double *length);
/* Lengths of flows beside each other whose numbers are not in the domain
 * become NaN. */
void gscale__flows_refuse(const double *of, double *length);
/* Whether a flow is in its domain. */
bool gscale__flow_ok(const gscale_flow *f);

#endif /* GPUSCALE_EQUATION_FLOW_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
