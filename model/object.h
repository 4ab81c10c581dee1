/* object.h - the inside of systems, workloads and plans, for model/ only. */
#ifndef GPUSCALE_OBJECT_H
#define GPUSCALE_OBJECT_H

#include "gpuscale.h"

enum {
  GSCALE__GPUS_MAX = 1024,
  GSCALE__PHASES_MAX = 64,
  GSCALE__PARADIGMS_MAX = 32,
  GSCALE__DOUBTS_MAX = 16 /* numbers of a topology */
};

/* Copies text, cut to fit, always terminated. */
void gscale__copy_text(char *to, size_t size, const char *from);

/* GSCALE_EDOMAIN, or GSCALE_ENAME, naming the field that is wrong. */
gscale_status gscale__check_phase(const gscale_phase *p, gscale_diag *diag);

struct gscale_system {
  char name[GSCALE_NAME_MAX];
  gscale_fabric fabric;
  int gpus;       /* as built */
  bool grows;     /* more could be added */
  int calibrated; /* most GPUs measured together */
  bool linked;    /* link is set */
  gscale_link link;
  bool said; /* what it can do is not left to its link */
  gscale_can can;
  gscale_param param[GSCALE_PARAM_END];
  bool set[GSCALE_PARAM_END];
  gscale_curve membw;      /* factor on device.membw over footprint */
  gscale_param membw_each; /* of each factor: its error, as a share */
  size_t doubts;           /* numbers of the topology with an origin */
  struct {
    const gscale_field *field;
    gscale_param p;
  } doubt[GSCALE__DOUBTS_MAX];
  bool guessed[GSCALE_PARAM_END]; /* at a default that scales */
  double copy_least, copy_most;   /* B, sizes of copies that were measured */
  size_t discrepancies;
  gscale_discrepancy discrepancy[GSCALE_DISCREPANCIES_MAX];
};

/* What defaults that scale are, now that host.launch is known. */
void gscale__guess(gscale_system *s);

/* A number of a workload that has an origin of its own. */
typedef struct gscale__doubt {
  size_t phase;
  const gscale_field *field;
  size_t index;
  gscale_param p;
} gscale__doubt;

/* A knob that is uncertain, and what the workload is on either side of it. */
typedef struct gscale__uncertain_knob {
  char name[GSCALE_NAME_MAX];
  gscale_dim dim;
  gscale_param p;
  double low, high;
  gscale_workload *down, *up;
} gscale__uncertain_knob;

/* The schedules of a workload, a list (predict/program.h). */
typedef struct gscale__program gscale__program;
/* A paradigm's schedule, compiled, and one that is being written
 * (predict/step.h). */
typedef struct gscale__form gscale__form;
typedef struct gscale__emit gscale__emit;
/* Those of each paradigm and piece of the step (predict/step.c). */
typedef struct gscale__forms {
  size_t n;
  gscale__form **form;
  struct gscale__shape *shape; /* of each phase in each of them */
  bool borrowed;               /* another plan frees them, later */
} gscale__forms;

struct gscale_workload {
  char name[GSCALE_NAME_MAX];
  gscale_param single; /* s, measured step on one GPU; 0 = none */
  gscale_host host;
  size_t phases;
  size_t doubts, room; /* numbers with an origin; places for them */
  gscale__doubt *doubt;
  size_t knobs;
  gscale__uncertain_knob *knob;
  gscale__program *program; /* NULL: paradigms run it */
  gscale_phase phase[GSCALE__PHASES_MAX];
};

/* ---- numbers that a prediction rests on (numbers.c) -----------------------
 */

typedef enum gscale__origin_of { /* first those of a system */
  GSCALE__OF_PARAM,
  GSCALE__OF_CURVE,
  GSCALE__OF_FABRIC,
  GSCALE__OF_SINGLE,
  GSCALE__OF_KNOB,
  GSCALE__OF_COUNT
} gscale__origin_of;

typedef struct gscale__entry {
  gscale_number about;
  gscale__origin_of kind;
  size_t id;           /* parameter, point, number of the topology, knob */
  gscale__doubt count; /* of a phase */
} gscale__entry;

typedef struct gscale__numbers {
  size_t n;
  gscale__entry *entry;
} gscale__numbers;

/* All that have an origin; with `all`, counts that are merely derived too.
 * False without memory. */
bool gscale__list_numbers(gscale__numbers *l, const gscale_system *s,
                          const gscale_workload *w, bool all);
void gscale__free_numbers(gscale__numbers *l);

typedef enum gscale__spread {
  GSCALE__NORMAL,
  GSCALE__EVEN,
  GSCALE__LOG_NORMAL,
  GSCALE__LOG_EVEN
} gscale__spread;

/* A draw of it, from two that are even in (0, 1). */
double gscale__drawn(const gscale_param *p, double a, double b);

/* Moves one in a copy of the system or of the workload `base`, as near to the
 * value as its domain allows, and what must follow it.  Returns its value. */
double gscale__move(const gscale__entry *e, double value, gscale_system *s,
                    gscale_workload *w, const gscale_workload *base);

/* The workload at the end of an uncertain knob's error; NULL if the value is
 * inside. */
const gscale_workload *gscale__moved_knob(const gscale_workload *w, size_t i,
                                          double value);

/* One phase on n GPUs: all that no paradigm changes.  "Its" GPU is the busiest
 * one; "all" are sums over GPUs. */
typedef struct gscale__phase_plan {
  const char *name;
  double repeats;

  /* Kernel time is max(flop_leg, memory_leg) + start. */
  double flop_leg, memory_leg, start; /* s */
  double compute;                     /* s */
  double busy;    /* share of it that memory is busy, 0..1 */
  double kernels; /* launches */

  gscale_pattern to;
  gscale_turns order;
  double local;        /* B it produces for others, each once */
  double out;          /* B that leave it: local * destinations of each */
  double in;           /* B that reach the GPU that gets most */
  double all;          /* B that leave all GPUs */
  double destinations; /* of each byte */
  double share;        /* of what is published, that any other GPU needs; 1
                        * where the program says who gets what */
  double piece;        /* B that stay together: one face, in the mean of the
                        * GPU's, or its share */
  double cuts;   /* neighbours: its faces / a cut through the problem; 1 */
  double copies; /* bulk copies it issues */
  double copies_all;
  double copy;        /* B of one bulk copy */
  double over;        /* B that bulk copies move / B needed */
  double copy_route;  /* B on the busiest resource / B that leave it */
  double alone_route; /* of a copy with nothing beside it / its B */
  double store_route; /* the same for stores */
  double all_route;   /* stores of as much from each GPU to every other */
  double ratio;       /* inline stores: wire B / useful B */
  double packets;     /* inline stores: packets per useful B */
  gscale_calls calls; /* of the host, besides its own */
  double pack, pack_launches;        /* s, where whole pieces are moved */
  struct {                           /* as a collective */
    gscale_coll_kind kind;           /* END: it is none */
    double bytes;                    /* B, see gscale_coll_kind */
    gscale_coll_algorithm algorithm; /* END: the fastest */
    gscale_coll_protocol protocol;
  } coll;
  double adding; /* s, compute more where a GPU adds up what others sent it */
  double rewrites, read;
  double store_size, spread; /* B of a mean store; over which they scatter */
  double reuse, stride;      /* B; where they come in order: gscale_phase */
  gscale_joins joins;
  double stay;         /* s, that a block with a barrier stays */
  double wait;         /* s, more if its chain's loads go to others */
  double fetch, loads; /* B of a remote load; how many, 0: no more than
                        * bytes need */
  bool atomic;
  gscale_peer peer; /* access that all have to whom they send to */
  double away;      /* share of its blocks that have to do with other GPUs */
  double block;     /* B one thread block publishes */
  double agent_block, agent_loads; /* threads; loads of each in flight */
  double slots;                    /* blocks that a GPU runs at once */
  bool bounded;           /* the workload says what its boundary costs */
  double boundary;        /* s, kernel time before boundary data is complete */
  gscale_profile ready;   /* when its data is */
  gscale_profile reading; /* when it has read what others made */
} gscale__phase_plan;

struct gscale_plan {
  int n, baseline;
  bool beyond;
  gscale_host host;
  int threads;                    /* of the host, in use */
  double norm;                    /* s, the kernel that finds it */
  double cost[GSCALE_COST_END];   /* of timelines, for these threads */
  gscale__forms forms, single;    /* of its GPUs, and of the one of t1 */
  double value[GSCALE_PARAM_END]; /* of parameters: by gscale__ask() */
  bool *asked; /* NULL, or for each parameter whether its value was asked for */
  gscale_link link;
  gscale_can can;
  double copies_at_once;    /* GPUs' worth of copies behind one thread */
  double infinite;          /* s, T_infinite(n) */
  double infinite_baseline; /* s, T_infinite(baseline) */
  double largest_footprint; /* B, of one GPU, for applicability */
  double smallest_footprint;
  const gscale__program *program; /* for n GPUs; or NULL, as what follows */
  double *route;  /* of each duration: copies, B on the busiest resource / B */
  double at_once; /* B that all copy / B of the GPU that copies most */
  void *space;    /* to evaluate its timelines in */
  int node;       /* GPUs that are joined as built */
  double ring_route, all_route; /* of collectives, >= 1: bytes on the busiest
                                 * link / that a GPU sends */
  size_t phases;
  gscale__phase_plan phase[GSCALE__PHASES_MAX];
};

/* A parameter; notes that it was asked for, where the plan has a place for
 * that: what never asks for one does not change with it. */
static inline double gscale__ask(const gscale_plan *p, gscale_param_id id)
{
  if (p->asked) p->asked[id] = true;
  return p->value[id];
}

/* B of a plan of so many phases. */
size_t gscale__plan_size(size_t phases);

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

/* What a paradigm makes of a phase. */
typedef struct gscale__stage {
  gscale_flow flow; /* the kernels, with what they move themselves */
  double kernels;   /* so many are launched in a row; 0: one flow */
  double before;    /* s of a kernel before them, whose data is copied */
  gscale__copies_of copies;    /* behind them */
  gscale__last_copy last;      /* of these */
  bool row;                    /* they are called for one after the other */
  gscale_coll_time collective; /* behind the kernels */
  gscale_calls more;           /* of the host, besides launches and copies */
  gscale_bytes moved;          /* whole system */
} gscale__stage;

/* A paradigm: how it prepares a phase and how its device path adds up. */
typedef struct gscale__paradigm {
  gscale_paradigm about;
  bool packs;  /* moves whole pieces, which may have to be made first */
  bool stores; /* blocks of the phase's kernels move data, or say when */
  /* Whether the knob, one of about.uses, matters to this phase; NULL: it does
   * wherever data is moved */
  bool (*obeys)(const gscale__phase_plan *f, gscale_knob k);
  /* NULL, or why it cannot run this phase */
  const char *(*needs)(const gscale_plan *p, const gscale__phase_plan *f);
  void (*prepare)(const gscale_plan *p, const gscale__phase_plan *f,
                  const gscale_knobs *k, gscale__stage *out);
  /* s, once: NULL, or what the first step costs more than the others */
  double (*setup)(const gscale_plan *p, const gscale_knobs *k, double time);
  /* Where a phase's data goes to other GPUs: the schedule of its kernels, NULL:
   * all in a row, and of what follows them, NULL: nothing (predict/step.h) */
  void (*launch)(gscale__emit *e);
  void (*publish)(gscale__emit *e);
  bool in_stream; /* phases follow each other in a stream, and the host waits
                   * at the end of a step only */
} gscale__paradigm;

extern const gscale__paradigm gscale__infinite, gscale__memcpy,
    gscale__memcpy_async, gscale__um, gscale__um_hints, gscale__rdl,
    gscale__inline, gscale__proact_poll, gscale__proact_cdp, gscale__proact_hw,
    gscale__broadcast, gscale__gps, gscale__finepack, gscale__finepack_config,
    gscale__gps_finepack, gscale__nccl, gscale__schedule;

/* s, a step of the schedule of that paradigm, with what m makes of each phase:
 * itself, or a variant of it that has no name. */
double gscale__time(const gscale_plan *p, size_t paradigm,
                    const gscale__paradigm *m, const gscale_knobs *k);

/* Wire bytes of packets cut by the root of the fabric / as sent, for long
 * messages. */
double gscale__across(const gscale_system *s, gscale_access a);

/* NULL past the end. */
const gscale__paradigm *gscale__paradigm_at(size_t i);

/* The part that a mechanism adds to. */
gscale_part gscale__part_of(gscale_mechanism m);

/* A plan of what *s_was and *w_was became when some of their numbers moved, for
 * gscale_predict_time: same phases, GPUs, link and capabilities.  Ways between
 * GPUs that depend on nothing that moved are kept; so are the baseline, and the
 * times of infinite.  Fails as gscale_plan_check, or without memory. */
gscale_status gscale__plan_moved(const gscale_plan *plan,
                                 const gscale_system *s_was,
                                 const gscale_workload *w_was,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out);

/* True if the plan itself changes with a parameter, and not only what is made
 * of gscale_plan.p. */
bool gscale__plan_uses(gscale_param_id id);
/* True if costs of schedules are made of it (gscale__step_costs). */
bool gscale__of_costs(gscale_param_id id);

/* ---- helpers of the paradigms (predict/paradigm/common.c)
 * -------------------------
 */

/* Attainable B/s of wire bytes through one port, n > 1 GPUs active. */
double gscale__rate(const gscale_plan *p, gscale_access a);
/* gscale_meeting of a phase's copies: of those that follow one another in one
 * stream, and of those that run at once, in several streams or pieces.  1 by
 * way of the host, and for neighbours, whose copies go to two GPUs only. */
double gscale__copies_meet(const gscale_plan *p, const gscale__phase_plan *f,
                           bool at_once);
/* The same of a phase's stores, loads or atomics, by their factor at three. */
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

/* s, of a copy of so many bytes to the host, or from it, without initiation.
 * What fits a packet takes no longer than the initiation. */
double gscale__to_host(const gscale_plan *p, double bytes);
/* False if nothing says how long more than a packet takes. */
bool gscale__reaches_host(const gscale_plan *p, double bytes);

/* Compute alone, as every paradigm does at n = 1 or with nothing to publish:
 * kernels and the workload's own calls.  All else zero. */
void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out);
/* That as a paradigm's prepare. */
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

/* Fills wire and moved for stores with this ratio of wire to useful bytes, each
 * byte stored `rewrites` times. */
void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__stage *out);

/* Fills wire, issue, latency and moved for loads by the readers. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__stage *out);

/* Compute lost to the chunks' counters, and to `width` threads of an agent. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double width);

/* Threads, and warps, that are resident at most. */
double gscale__threads(const gscale_plan *p);
double gscale__warps(const gscale_plan *p);

/* Fills wire and moved for an agent's stores, packed densely. */
void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__stage *out);

/* Time of bulk copies: the busiest link, or copies one after the other. */
double gscale__bulk(const gscale__copies_of *c, const double *on);

/* A flow with each mechanism m scaled by on[m]. */
gscale_flow gscale__flow_on(const gscale_flow *f, const double *on);

#endif /* GPUSCALE_OBJECT_H */
