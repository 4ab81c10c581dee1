/* actions.h - how long what hosts call for lasts, for model/ only: what a
 * paradigm puts into a schedule, and what a program has there itself. */
#ifndef GPUSCALE_PRICE_ACTIONS_H
#define GPUSCALE_PRICE_ACTIONS_H

#include "price/stage.h"
#include "price/traffic.h"

/* How long something lasts, by what it is made of, s. */
typedef struct gscale__lasts {
  double compute, wire, issue, initiation, latency, host, sync;
} gscale__lasts;

/* ---- copies ---------------------------------------------------------------
 */

/* Who copies at the same time. */
typedef struct gscale__beside {
  double all;    /* B that all GPUs of a node copy / B of one GPU */
  double longer; /* >= 1: how much longer copies take that meet others */
} gscale__beside;

/* How fast copies of so many bytes are, on the link `wire`.  By way of the
 * host's memory, where GPUs have no access to each other, s/B:
 *
 *   max( route / (rate active), all / host )
 *
 * with `host` what the host's memory takes of all together.  What the host's
 * port adds to useful bytes is in its measured rate. */
typedef struct gscale__pace {
  double bytes, wire; /* B of a copy; as sent */
  double longer;      /* by others */
  double rate;        /* B/s of the wire */
  double least;       /* s/B by way of the host; 0: they do not go there */
} gscale__pace;
gscale__pace gscale__copies_pace(const gscale_plan *p, double bytes,
                                 double wire, gscale__beside by);
/* s, of so many bytes over a route, B on the busiest resource / B. */
double gscale__paced(const gscale__pace *by, double bytes, double route);
/* So many copies to another GPU; by way of the host down to it from one GPU, up
 * to the other, the driver moving both at once but for what fills the first
 * buffer: min(bytes, buffer) / rate more. */
gscale__lasts gscale__copy_lasts(const gscale_plan *p, const gscale__pace *by,
                                 double copies, double route);
/* A copy to the host or from it.  What fits a packet takes no longer than the
 * initiation. */
gscale__lasts gscale__host_copy_lasts(const gscale_plan *p, double bytes);

/* ---- a program's own actions ----------------------------------------------
 */

/* The d-th duration of a version, kernels[i] being how long those of phase i
 * last, s; kernels that are bound by arithmetic are `slower`, >= 1. */
gscale__lasts gscale__work_lasts(const gscale_plan *p, const gscale__version *v,
                                 int d, const double *kernels, double slower);
/* How many times longer kernels take that are bound by arithmetic, because
 * collectives of other streams keep multiprocessors, were they all beside each
 * other: the most they can lose.  Of the first GPU. */
double gscale__slower_beside(const gscale_plan *p, const gscale__version *v,
                             const double *kernels);
/* s of one launch that is a kernel's share of a phase, per s of the phase's
 * kernels; 0 for anything else. */
double gscale__kernel_share(const gscale_work *k);
/* Bytes that its actions move in a step. */
gscale_bytes gscale__program_moves(const gscale_plan *p,
                                   const gscale__version *v);

/* ---- plans (placed.c) ------------------------------------------------------
 */

/* Whether there are the schedules that the plan of n GPUs needs: of one GPU, of
 * the baseline and its own.  GSCALE_ENEED if one is not there. */
gscale_status gscale__program_check(const gscale_plan *p, int n,
                                    gscale_diag *diag);
/* Finds the routes of the copies of the plan's program, if it runs as it is
 * written.  GSCALE_ENOMEM. */
gscale_status gscale__program_place(gscale_plan *p, int n,
                                    gscale__traffic_room *room,
                                    gscale_diag *diag);
void gscale__program_close(gscale_plan *p);
/* Whether two plans run the same program over the same routes. */
bool gscale__same_program(const gscale_plan *a, const gscale_plan *b);
/* GSCALE_ENEED for what a version of the plan's program asks of the system. */
gscale_status gscale__program_needs(const gscale_plan *p,
                                    const gscale__version *v, const char *name,
                                    gscale_diag *diag);

#endif /* GPUSCALE_PRICE_ACTIONS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
