/* stage.h - a paradigm's cost of a phase and its shared parts, for model/
 * only. */
#ifndef GPUSCALE_PRICE_STAGE_H
#define GPUSCALE_PRICE_STAGE_H

#include "price/plan.h"

/* The last copy of a phase is outstanding when the host has called for it.  The
 * kernel before it has ended, but an event of another stream may be awaited
 * (latency). */
typedef struct gscale__last_copy {
  double initiation, wire, latency; /* s */
} gscale__last_copy;

/* Bulk copies of one GPU take the busiest link or the queue, whichever is
 * longer. */
typedef struct gscale__copies_of {
  double wire;       /* s, the busiest link */
  double queue;      /* s of the queue */
  double initiation; /* s of all initiations */
  double latency;    /* s after the kernel */
} gscale__copies_of;

/* Hardware that gathers stores sends such packets to one destination. */
typedef struct gscale__gathered {
  double packets, wire; /* number; wire B of one */
  double bytes;         /* B of data */
  double written;       /* B that were stored */
  double kept;          /* B held until the kernel ends */
  double issue;         /* s more, all packets */
  double copies, first; /* sent / needed; in the first step */
} gscale__gathered;

/* A paradigm's stage. */
typedef struct gscale__stage {
  gscale_flow flow;              /* kernels and their own traffic */
  double length;                 /* s, gscale_flow_time(), set last */
  double kernels;                /* consecutive launches; 0: one flow */
  double before;                 /* s of an earlier kernel */
  gscale__copies_of copies;      /* after the kernels */
  gscale__last_copy last;        /* of these */
  bool row;                      /* copies are issued in sequence */
  gscale_coll_choice collective; /* after the kernels */
  gscale_calls more;             /* additional host calls */
  gscale_bytes moved;            /* whole system */
  gscale_sent far;               /* between nodes */
  bool by_device;                /* sent by kernels (gscale_method) */
  double staging;                /* s of far.post without overlap */
  bool goes_on;                  /* may overlap later work */
  gscale__gathered gathered;     /* basis of the rest */
} gscale__stage;

/* ---- shared parts -------------------------------------------------------- */

/* Returns attainable wire B/s of one port with n > 1 GPUs active. */
double gscale__rate(const gscale_plan *p, gscale_access a);
/* Returns gscale_meeting of a phase's copies, consecutive in one stream or,
 * with at_once, concurrent.  It is 1 by way of the host, and for neighbours,
 * whose copies go to two GPUs only. */
double gscale__copy_contention(const gscale_plan *p,
                               const gscale__phase_plan *f, bool at_once);
/* Returns the same of concurrent copies to more than two GPUs. */
double gscale__concurrent_contention(const gscale_plan *p);
/* Returns how much longer a phase's stores, loads or atomics take by
 * contention, from their factor at three GPUs. */
double gscale__access_contention(const gscale_plan *p,
                                 const gscale__phase_plan *f,
                                 gscale_param_id c3);
/* Extrapolates a parameter that was measured on fewer than n GPUs, with the
 * error of gscale_beyond if it is one of contention. */
gscale_param gscale__extrapolate(const gscale_system *s, gscale_param_id id,
                                 int n);
/* Returns B/s of one of `width` threads of an agent, which is agent.thread_rate
 * scaled for its code by gscale_agent_rate. */
double gscale__agent_thread(const gscale_plan *p, const gscale__phase_plan *f,
                            double width);
/* Returns s of each small packet into a GPU from all its senders. */
double gscale__ingress(const gscale_plan *p, const gscale__phase_plan *f);

/* Returns false if no number tells the time of a copy above one packet. */
bool gscale__reaches_host(const gscale_plan *p, double bytes);

/* Fills compute alone, as every paradigm has it at n = 1 or with nothing to
 * publish: kernels and the workload's own calls.  All else but `gathered` is
 * zero. */
void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out);
/* Calls gscale__compute_only() as a paradigm's prepare. */
void gscale__prepare_compute(const gscale_plan *p, const gscale__phase_plan *f,
                             const gscale_knobs *k, gscale__stage *out);
/* Returns true if copies between GPUs go by way of the host's memory. */
bool gscale__staged(const gscale_plan *p);

/* Returns NULL, or the numbers that bulk copies lack. */
const char *gscale__copies_need(const gscale_plan *p,
                                const gscale__phase_plan *f);

/* Fills copies and moved for bulk copies of *f, each cut into pieces.  The
 * initiation is that of one piece of each copy. */
void gscale__copies(const gscale_plan *p, const gscale__phase_plan *f,
                    double pieces, gscale__stage *out);

/* Fills last for copies that gscale__copies cut into as many pieces. */
void gscale__last_of(const gscale_plan *p, const gscale__phase_plan *f,
                     double pieces, gscale__stage *out);

/* Returns B of whole pages / B of a piece that begins a page. */
double gscale__in_pages(double piece, double page);

/* Fills wire and moved for stores with this ratio of wire to useful bytes, each
 * byte stored `rewrites` times. */
void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__stage *out);

/* Fills wire, issue, latency and moved for loads by the readers. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__stage *out);

/* Returns compute time lost to chunk counters and an agent's threads, next to
 * `arithmetic` s of arithmetic. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double arithmetic);

/* Returns the largest number of resident threads. */
double gscale__threads(const gscale_plan *p);
double gscale__warps(const gscale_plan *p);

/* Fills wire and moved for an agent's densely packed stores. */
void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__stage *out);

/* Returns the time of bulk copies, by the busiest link or the queue. */
double gscale__bulk(const gscale__copies_of *c);

#endif /* GPUSCALE_PRICE_STAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
