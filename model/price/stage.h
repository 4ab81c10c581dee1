/* stage.h - the cost of a phase in a paradigm, and functions that paradigms
 * share, for model/ only. */
#ifndef GPUSCALE_PRICE_STAGE_H
#define GPUSCALE_PRICE_STAGE_H

#include "price/plan.h"

/* The last copy of a phase, for which the host waits.  The kernel before the
 * copy has ended.  `latency` is the wait for an event of another stream. */
typedef struct gscale__last_copy {
  double initiation, wire, latency; /* s */
} gscale__last_copy;

/* Bulk copies of one GPU take as long as the busiest link or the queue does. */
typedef struct gscale__copies_of {
  double wire;       /* s, the busiest link */
  double queue;      /* s of the queue */
  double initiation; /* s of all initiations */
  double latency;    /* s after the kernel */
} gscale__copies_of;

/* Packets that hardware gathers from stores for one destination. */
typedef struct gscale__gathered {
  double packets, wire; /* number of packets; wire B of one packet */
  double bytes;         /* B of data */
  double written;       /* B that were stored */
  double kept;          /* B held until the kernel ends */
  double issue;         /* additional s of all packets */
  double copies, first; /* sent / needed data; in the first step */
} gscale__gathered;

/* The kernels and transfers of a phase in one paradigm. */
typedef struct gscale__stage {
  gscale_flow flow;              /* kernels and their own traffic */
  double length;                 /* s by gscale_flow_time(), set last */
  double kernels;                /* consecutive launches; 0: one flow */
  double before;                 /* s of an earlier kernel */
  gscale__copies_of copies;      /* copies after the kernels */
  gscale__last_copy last;        /* the last of the copies */
  bool row;                      /* copies are issued in sequence */
  gscale_coll_choice collective; /* collective after the kernels */
  gscale_calls more;             /* additional host calls */
  gscale_bytes moved;            /* bytes of the whole system */
  gscale_sent far;               /* messages between nodes */
  bool by_device;                /* sent by kernels (gscale_method) */
  double staging;                /* s of far.post without overlap */
  bool goes_on;                  /* messages may overlap later work */
  gscale__gathered gathered;     /* packets that other members are based on */
} gscale__stage;

/* ---- shared parts -------------------------------------------------------- */

/* Returns the attainable wire rate in B/s of a port if n > 1 GPUs run. */
double gscale__rate(const gscale_plan *p, gscale_access a);
/* Returns the contention factor (gscale_meeting) of a phase's copies, which are
 * consecutive in one stream or, with at_once, concurrent.  The factor is 1 for
 * copies through the host, and for neighbours, which are at most two. */
double gscale__copy_contention(const gscale_plan *p,
                               const gscale__phase_plan *f, bool at_once);
/* Returns the contention factor of concurrent copies to over two GPUs. */
double gscale__concurrent_contention(const gscale_plan *p);
/* Returns the factor by which contention lengthens a phase's stores, loads or
 * atomics.  `c3` is the factor at three GPUs. */
double gscale__access_contention(const gscale_plan *p,
                                 const gscale__phase_plan *f,
                                 gscale_param_id c3);
/* Extrapolates a parameter that was measured on fewer than n GPUs.  A
 * contention factor gets the error of gscale_beyond(). */
gscale_param gscale__extrapolate(const gscale_system *s, gscale_param_id id,
                                 int n);
/* Returns the rate in B/s of one of `width` threads of an agent:
 * agent.thread_rate, scaled for the agent's code by gscale_agent_rate(). */
double gscale__agent_thread(const gscale_plan *p, const gscale__phase_plan *f,
                            double width);
/* Returns the time in s of each small packet into a GPU from all senders. */
double gscale__ingress(const gscale_plan *p, const gscale__phase_plan *f);

/* Fills a stage that only computes, as in every paradigm at n = 1 or with
 * nothing to publish.  Members of transfers become zero, except `gathered`. */
void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out);
/* Calls gscale__compute_only() as the `prepare` function of a paradigm. */
void gscale__prepare_compute(const gscale_plan *p, const gscale__phase_plan *f,
                             const gscale_knobs *k, gscale__stage *out);
/* Returns true if copies between GPUs pass the host's memory. */
bool gscale__staged(const gscale_plan *p);

/* Returns the names of the numbers that bulk copies lack, or NULL.  f is NULL
 * for copies of a program. */
const char *gscale__copies_need(const gscale_plan *p,
                                const gscale__phase_plan *f);

/* Fills `copies` and `moved` for bulk copies of *f, each cut into pieces.
 * out->copies.initiation is for one piece of each copy. */
void gscale__copies(const gscale_plan *p, const gscale__phase_plan *f,
                    double pieces, gscale__stage *out);

/* Fills `last` for copies that gscale__copies() cut into `pieces` pieces. */
void gscale__last_of(const gscale_plan *p, const gscale__phase_plan *f,
                     double pieces, gscale__stage *out);

/* Returns the bytes of whole pages / bytes of a piece that begins a page. */
double gscale__in_pages(double piece, double page);

/* Fills flow.wire and `moved` for stores.  `ratio` is wire bytes / useful
 * bytes, and each byte is stored `rewrites` times. */
void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__stage *out);

/* Fills the flow and `moved` for loads by the readers. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__stage *out);

/* Returns the compute time that chunk counters and an agent's threads cost a
 * kernel whose arithmetic takes `arithmetic` s. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double arithmetic);

/* Returns the largest number of resident threads of a GPU. */
double gscale__threads(const gscale_plan *p);
double gscale__warps(const gscale_plan *p);

/* Fills flow.wire and `moved` for densely packed stores of an agent. */
void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__stage *out);

/* Returns the time of bulk copies: that of the busiest link or of the queue. */
double gscale__bulk(const gscale__copies_of *c);

#endif /* GPUSCALE_PRICE_STAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
