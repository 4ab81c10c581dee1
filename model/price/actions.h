/* actions.h - durations of actions that paradigms and programs put into
 * schedules, for model/ only. */
#ifndef GPUSCALE_PRICE_ACTIONS_H
#define GPUSCALE_PRICE_ACTIONS_H

#include "price/stage.h"
#include "price/traffic.h"

/* Components of a duration, in s. */
typedef struct gscale__duration {
  double compute, wire, issue, initiation, latency, host, sync;
} gscale__duration;

/* ---- copies -------------------------------------------------------------- */

/* Contention of copies that run concurrently. */
typedef struct gscale__concurrency {
  double all;    /* B of a node's GPUs / B of the busiest GPU */
  double longer; /* contention factor, >= 1 */
} gscale__concurrency;

/* The pace of copies.  A copy of `bytes` B puts `wire` B on the link.  Copies
 * pass the host's memory where GPUs have no access to each other.  Copies
 * through the host take
 *
 *  s/B = max( route / (rate * active), all / host ).
 *
 * In this formula, `host` is the rate of the host's memory for all GPUs
 * together.  The measured rate includes the overhead of the host's port. */
typedef struct gscale__pace {
  double bytes, wire; /* B of a copy; on the wire */
  double longer;      /* factor of contention */
  double rate;        /* B/s of the wire */
  double least;       /* s/B through host memory */
} gscale__pace;
gscale__pace gscale__copies_pace(const gscale_plan *p, double bytes,
                                 double wire, gscale__concurrency by);
/* Returns the time in s of `bytes` B on a route.  `route` is bytes on the
 * busiest resource / bytes copied. */
double gscale__copy_time(const gscale__pace *by, double bytes, double route);
/* Returns the duration of `copies` copies to another GPU. A staged copy goes
 * down from one GPU and up to the other.  After the first buffer, the driver
 * moves data down and up at once, which adds min(bytes, buffer) / rate. */
gscale__duration gscale__copy_duration(const gscale_plan *p,
                                       const gscale__pace *by, double copies,
                                       double route);
/* Returns the duration of a copy between GPU and host.  A copy of at most one
 * packet takes only the initiation. */
gscale__duration gscale__host_copy_duration(const gscale_plan *p, double bytes,
                                            bool pageable);

/* ---- own actions --------------------------------------------------------- */

/* Returns duration d of a version of a program. kernels[i] is the kernel time
 * in s of phase i.  A share `overlap` of the kernel time runs beside
 * collectives. */
gscale__duration gscale__work_duration(const gscale_plan *p,
                                       const gscale__version *v, int d,
                                       const double *kernels, double overlap);
/* Returns the share of the first GPU's slowed kernels that runs beside
 * collectives of other streams.  The share is an upper bound, because all
 * collectives are assumed to overlap kernels. */
double gscale__kernel_overlap(const gscale_plan *p, const gscale__version *v,
                              const double *kernels);
/* Returns a launch's share of its phase's kernel time, or 0 for other work. */
double gscale__kernel_share(const gscale_work *k);
/* Returns the bytes that a version's actions move in a step. */
gscale_bytes gscale__program_bytes(const gscale_plan *p,
                                   const gscale__version *v);

/* ---- placement ----------------------------------------------------------- */

/* Returns GSCALE_ENEED if the plan needs a schedule that the program lacks: for
 * n GPUs, for the baseline or for one GPU. */
gscale_status gscale__program_check(const gscale_plan *p, int n,
                                    gscale_diag *diag);
/* Finds the routes of the program's copies if the program runs as written.
 * Returns GSCALE_ENOMEM if memory is exhausted. */
gscale_status gscale__program_place(gscale_plan *p, int n,
                                    gscale__traffic_room *room,
                                    gscale_diag *diag);
void gscale__program_close(gscale_plan *p);
/* Returns true if two plans run the same program over the same routes. */
bool gscale__same_program(const gscale_plan *a, const gscale_plan *b);
/* Returns GSCALE_ENEED if the system cannot run a version of the program. */
gscale_status gscale__program_needs(const gscale_plan *p,
                                    const gscale__version *v, const char *name,
                                    gscale_diag *diag);

#endif /* GPUSCALE_PRICE_ACTIONS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
