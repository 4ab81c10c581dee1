/* stage.h - what a paradigm makes of a phase, and what it is made with, for
 * model/ only. */
#ifndef GPUSCALE_PRICE_STAGE_H
#define GPUSCALE_PRICE_STAGE_H

#include "price/plan.h"

/* What the device has still to do when the host has called for a phase's last
 * copy: that copy.  The kernel that it depends on has ended; only an event of
 * another stream is still to be seen (latency). */
typedef struct gscale__last_copy {
  double initiation, wire, latency; /* s */
} gscale__last_copy;

/* Bulk copies of one GPU: the busiest link, or in a row, whichever is longer.
 */
typedef struct gscale__copies_of {
  double wire;       /* s, the busiest link */
  double queue;      /* s, one after the other, without ... */
  double initiation; /* ... s, of all of them */
  double latency;    /* s, from the end of the kernel */
} gscale__copies_of;

/* What hardware that gathers a phase's stores sends to one destination. */
typedef struct gscale__gathered {
  double packets, wire; /* how many, B of one on the link */
  double bytes;         /* B of data in it, */
  double written;       /* of which were stored */
  double kept;          /* B that stay there until the kernel ends */
  double issue;         /* s, more, of all packets */
  double copies, first; /* sent / needed; in the first step */
} gscale__gathered;

/* What a paradigm makes of a phase. */
typedef struct gscale__stage {
  gscale_flow flow; /* the kernels, with what they move themselves */
  double length;    /* s, gscale_flow_time() of it, filled in last */
  double kernels;   /* so many are launched in a row; 0: one flow */
  double before;    /* s of a kernel before them, whose data is copied */
  gscale__copies_of copies;      /* behind them */
  gscale__last_copy last;        /* of these */
  bool row;                      /* they are called for one after the other */
  gscale_coll_choice collective; /* behind the kernels */
  gscale_calls more;             /* of the host, besides launches and copies */
  gscale_bytes moved;            /* whole system */
  gscale_sent far;               /* between nodes, behind the kernels */
  bool by_device;                /* in them, rather: gscale_method */
  double staging; /* s, of far.post: copies that no kernel runs beside */
  bool goes_on;   /* and beside what follows them, where the program lets it */
  gscale__gathered gathered; /* which the rest follows from */
} gscale__stage;

/* ---- what it is made with (agents.c, contended.c, copies.c) ----------------
 */

/* Attainable B/s of wire bytes through one port, n > 1 GPUs active. */
double gscale__rate(const gscale_plan *p, gscale_access a);
/* gscale_meeting of a phase's copies: of those that follow one another in one
 * stream, and of those that run at once, in several streams or pieces.  1 by
 * way of the host, and for neighbours, whose copies go to two GPUs only. */
double gscale__copies_meet(const gscale_plan *p, const gscale__phase_plan *f,
                           bool at_once);
/* Of copies that run at once and go to more than two GPUs. */
double gscale__copies_at_once(const gscale_plan *p);
/* How much longer a phase's stores, loads or atomics take where they meet, by
 * their factor at three GPUs. */
double gscale__accesses_meet(const gscale_plan *p, const gscale__phase_plan *f,
                             gscale_param_id c3);
/* What is known for n GPUs of a parameter that was measured on fewer: p, with
 * the error of gscale_beyond if it is one of contention. */
gscale_param gscale__beyond(const gscale_system *s, gscale_param_id id, int n);
/* B/s of one of `width` threads of an agent: agent.thread_rate, times what its
 * code makes of it (gscale_agent_rate). */
double gscale__agent_thread(const gscale_plan *p, const gscale__phase_plan *f,
                            double width);
/* s of each small packet into a GPU, from all that send to it. */
double gscale__ingress(const gscale_plan *p, const gscale__phase_plan *f);

/* False if nothing says how long more than a packet takes. */
bool gscale__reaches_host(const gscale_plan *p, double bytes);

/* Compute alone, as every paradigm does at n = 1 or with nothing to publish:
 * kernels and the workload's own calls.  All else zero, but for what is
 * gathered. */
void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out);
/* gscale__compute_only() as a paradigm's prepare. */
void gscale__prepare_compute(const gscale_plan *p, const gscale__phase_plan *f,
                             const gscale_knobs *k, gscale__stage *out);
/* True if copies between GPUs go by way of the host's memory. */
bool gscale__staged(const gscale_plan *p);

/* NULL, or what is missing for bulk copies. */
const char *gscale__copies_need(const gscale_plan *p,
                                const gscale__phase_plan *f);

/* Fills copies and moved for bulk copies of *f, each cut into pieces;
 * initiation is that of one piece of each. */
void gscale__copies(const gscale_plan *p, const gscale__phase_plan *f,
                    double pieces, gscale__stage *out);

/* Fills last: of the copies that gscale__copies made of as many pieces. */
void gscale__last_of(const gscale_plan *p, const gscale__phase_plan *f,
                     double pieces, gscale__stage *out);

/* Bytes of whole pages / bytes, of a piece that begins with one. */
double gscale__in_pages(double piece, double page);

/* Fills wire and moved for stores with this ratio of wire to useful bytes, each
 * byte stored `rewrites` times. */
void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__stage *out);

/* Fills wire, issue, latency and moved for loads by the readers. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__stage *out);

/* Compute lost to the chunks' counters, and to the threads of an agent, beside
 * which the arithmetic takes so many s. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double arithmetic);

/* Threads, and warps, that are resident at most. */
double gscale__threads(const gscale_plan *p);
double gscale__warps(const gscale_plan *p);

/* Fills wire and moved for an agent's stores, packed densely. */
void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__stage *out);

/* Time of bulk copies: the busiest link, or copies one after the other. */
double gscale__bulk(const gscale__copies_of *c);

#endif /* GPUSCALE_PRICE_STAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
