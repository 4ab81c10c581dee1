/* actions.h - durations of actions that paradigms and programs put into
 * schedules, for model/ only. */
#ifndef GPUSCALE_PRICE_ACTIONS_H
#define GPUSCALE_PRICE_ACTIONS_H

#include "price/stage.h"
#include "price/traffic.h"

/* The components of a duration, s. */
typedef struct gscale__duration {
  double compute, wire, issue, initiation, latency, host, sync;
} gscale__duration;

/* ---- copies -------------------------------------------------------------- */

/* Copies that run concurrently. */
typedef struct gscale__concurrency {
  double all;    /* B/B, node over GPU */
  double longer; /* >= 1, by contention */
} gscale__concurrency;

/* Copies of `bytes` B take `wire` B on the link at this pace.  Copies go by way
 * of the host's memory where GPUs have no access to each other.  They then
 * take, in s/B,
 *
 *  max( route / (rate active), all / host ).
 *
 * The rate `host` is that of the host's memory for all GPUs together.  The
 * measured rate includes the overhead of the host's port. */
typedef struct gscale__pace {
  double bytes, wire; /* B of a copy; on the wire */
  double longer;      /* factor of contention */
  double rate;        /* B/s of the wire */
  double least;       /* s/B through host memory */
} gscale__pace;
gscale__pace gscale__copies_pace(const gscale_plan *p, double bytes,
                                 double wire, gscale__concurrency by);
/* Returns s for `bytes` B on a route, which is B on the busiest resource /
 * B. */
double gscale__copy_time(const gscale__pace *by, double bytes, double route);
/* Returns the duration of copies to another GPU.  Copies by way of the host go
 * down from one GPU and up to the other.  The driver does both at once after
 * the first buffer, which adds min(bytes, buffer) / rate. */
gscale__duration gscale__copy_duration(const gscale_plan *p,
                                       const gscale__pace *by, double copies,
                                       double route);
/* Returns the duration of a copy between GPU and host.  A copy of one packet
 * takes the initiation only. */
gscale__duration gscale__host_copy_duration(const gscale_plan *p, double bytes,
                                            bool pageable);

/* ---- own actions --------------------------------------------------------- */

/* Returns the d-th duration of a version. kernels[i] is the kernel time of
 * phase i, s, of which the share `overlap` runs beside
 * collectives. */
gscale__duration gscale__work_duration(const gscale_plan *p,
                                       const gscale__version *v, int d,
                                       const double *kernels, double overlap);
/* Returns the share of the first GPU's slowed kernels that runs beside
 * collectives of other streams.  This is an upper bound, as all are taken to
 * overlap. */
double gscale__kernel_overlap(const gscale_plan *p, const gscale__version *v,
                              const double *kernels);
/* Returns s of one launch per s of its phase's kernels, or 0 for other work. */
double gscale__kernel_share(const gscale_work *k);
/* Returns the bytes that a version's actions move in a step. */
gscale_bytes gscale__program_bytes(const gscale_plan *p,
                                   const gscale__version *v);

/* ---- placement ----------------------------------------------------------- */

/* Returns GSCALE_ENEED if the program lacks a schedule that the plan of n GPUs
 * needs: for one GPU, for the baseline or for n. */
gscale_status gscale__program_check(const gscale_plan *p, int n,
                                    gscale_diag *diag);
/* Finds the routes of the program's copies, if it runs as written, or returns
 * GSCALE_ENOMEM. */
gscale_status gscale__program_place(gscale_plan *p, int n,
                                    gscale__traffic_room *room,
                                    gscale_diag *diag);
void gscale__program_close(gscale_plan *p);
/* Returns true if two plans run the same program over the same routes. */
bool gscale__same_program(const gscale_plan *a, const gscale_plan *b);
/* Returns GSCALE_ENEED if the system lacks what a version needs. */
gscale_status gscale__program_needs(const gscale_plan *p,
                                    const gscale__version *v, const char *name,
                                    gscale_diag *diag);

#endif /* GPUSCALE_PRICE_ACTIONS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
