/* workload.h - workloads: the work and the data of a program's step.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_WORKLOAD_H
#define GSCALE_WORKLOAD_H

#include "gpuscale/collective.h"
#include "gpuscale/contend.h"
#include "gpuscale/fields.h"
#include "gpuscale/packet.h"
#include "gpuscale/queue.h"
#include "gpuscale/roofline.h"
#include "gpuscale/system.h"
#include "gpuscale/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- workloads ----------------------------------------------------------- */

typedef enum gscale_pattern {
  GSCALE_TO_NONE,
  GSCALE_TO_NEIGHBOURS,  /* to its neighbours in `grid` */
  GSCALE_TO_ALL,         /* each share to every other GPU */
  GSCALE_TO_RANDOM,      /* each byte to one random GPU */
  GSCALE_TO_PARTITION,   /* n equal parts of each share, one for each GPU */
  GSCALE_TO_SUBSCRIBERS, /* to as many GPUs as `subscribers` says */
  GSCALE_PATTERN_END
} gscale_pattern;

/** Remote stores by size, as they leave the SM's coalescer. */
enum {
  GSCALE_STORES_MAX = 12
};
typedef struct gscale_stores {
  size_t n;                        /* kinds, >= 1 */
  double size[GSCALE_STORES_MAX];  /* B, > 0 */
  double share[GSCALE_STORES_MAX]; /* share of the stores' number; sum 1 */
  bool masked[GSCALE_STORES_MAX];  /* bytes of a unit stay unwritten */
} gscale_stores;

/** Returns the mean size, B. */
double gscale_stores_mean(const gscale_stores *s);
/** Returns wire bytes / useful bytes of the mixture.  gscale_store_masked
 *  stores count as masked in any case. */
double gscale_stores_ratio(const gscale_stores *s, const gscale_link *l);
/** Returns packets per useful byte of the mixture, for stores smaller than
 *  `line` B. */
double gscale_stores_packets(const gscale_stores *s, const gscale_link *l,
                             double line);
/** Returns packets per byte of stores of GSCALE_WIDE B or more, for
 *  store.wide_rate. */
#define GSCALE_WIDE 8.0
double gscale_stores_wide(const gscale_stores *s, const gscale_link *l,
                          double line);

/** The precision of a phase's arithmetic; each has a rate of its own. */
typedef enum gscale_precision {
  GSCALE_FP32, /* device.flops */
  GSCALE_FP64,
  GSCALE_FP64_TENSOR, /* matrices, by tensor cores */
  GSCALE_TF32,        /* matrices of fp32, rounded, by tensor cores */
  GSCALE_FP16,        /* fp16 or bf16, by tensor cores if any */
  GSCALE_FP8,         /* matrices, by tensor cores */
  GSCALE_PRECISION_END
} gscale_precision;

const char *gscale_precision_name(gscale_precision p); /* "fp64"; or NULL */
/** Returns the parameter of its rate, or gscale_param_count() if there is
 *  none. */
gscale_param_id gscale_precision_rate(gscale_precision p);

/** Memory accesses of one thread, each dependent on the one before. */
typedef struct gscale_loads {
  double loads;   /* >= 0 */
  double bytes;   /* B of the array, for any number of GPUs, >= 0; 0 means all
                   * that the phase touches */
  bool published; /* they read data that other GPUs publish */
} gscale_loads;

/** The base of a group's share. */
typedef enum gscale_per {
  GSCALE_PER_GPU,  /* part of a GPU's kernel, for any N */
  GSCALE_PER_FACE, /* part of one GPU's whole kernel, per face */
  GSCALE_PER_SENT, /* the part of a GPU's kernel equal to the sent part of its
                    * data */
  GSCALE_PER_END
} gscale_per;

enum {
  GSCALE_PATH_MAX = 4,  /* kinds of accesses of a thread */
  GSCALE_BLOCKS_MAX = 6 /* groups of a phase */
};

/** Thread blocks of a kernel that are alike and consecutive. */
typedef struct gscale_blocks {
  double share;     /* share of the kernel's time, 0 .. 1, or of its arithmetic
                     * if groups count blocks: gscale_filling */
  bool rest;        /* the group gets the remaining share */
  gscale_per per;   /* base of the share */
  double publishes; /* share of the phase's published data, 0 .. 1: one of two
                     * faces is 0.5 */
  bool scattered;   /* any block may write any of it: copies wait for their end,
                     * direct stores do not */
  bool reads;       /* they read other GPUs' data */
  size_t kinds;     /* of accesses in path */
  gscale_loads path[GSCALE_PATH_MAX]; /* accesses of the longest thread, which
                                       * may start last */
  double straggler; /* wait of a barrier at a block's end: path of its longest
                     * thread, as a mean over blocks, / the longest of all, 0 ..
                     * 1. 0: threads of a block are equally long */
  double count;     /* blocks of the group, dealt to the GPUs, >= 0 */
  double each;      /* blocks of the group on every GPU, >= 0; both 0: they fill
                     * the GPU evenly */
  double row;       /* consecutive blocks that complete a stretch of published
                     * data together, as a row of tiles, >= 0; 0: each its
                     * own */
} gscale_blocks;

/** The blocks that copy a chunk. */
typedef enum gscale_chunk_of {
  GSCALE_CHUNK_OF_GRID,  /* all blocks of an agent, chunk by chunk */
  GSCALE_CHUNK_OF_BLOCK, /* block i mod blocks copies chunk i */
  GSCALE_CHUNK_OF_END
} gscale_chunk_of;

/** Extra work where data moves as whole pieces, by copies or by agents that
 *  copy: packing, unpacking, sorting, adding up. */
typedef struct gscale_packing {
  double kernels; /* launches per GPU, >= 0 */
  double flop;    /* whole problem, >= 0 */
  double bytes;   /* B through the memory system, whole problem, >= 0 */
} gscale_packing;

/** Reads from anywhere in an array that each GPU holds whole: a table, the
 *  other factor of a product, the neighbours' values of a graph.  The array's
 *  size decides whether cache or memory serves them. */
typedef struct gscale_gathered {
  double bytes; /* B read, whole sectors, all GPUs, >= 0 */
  double array; /* B of the array, >= 0 */
} gscale_gathered;

enum {
  GSCALE_DIMS_MAX = 3
};

/** Part of a step between two synchronisations.  Counts are for the whole
 *  problem. gscale_phase_init gives the defaults in brackets. */
typedef struct gscale_phase {
  char name[GSCALE_NAME_MAX];

  /* compute */
  double repeats; /* times per step, > 0 [1] */
  double units;   /* indivisible units dealt to GPUs, >= 1 [1] */
  double serial;  /* fraction that every GPU repeats, 0..1 [0] */
  double kernels; /* launches per GPU, whole, >= 0 [1]; 0: no compute */
  double flop;    /* flop, >= 0 [0] */
  gscale_precision precision; /* precision of its flop, and of `pack` [fp32] */
  double bytes;               /* B through the memory system, >= 0 [0] */
  double footprint;           /* B of all arrays it touches, >= 0 [0] */
  gscale_gathered gathered;   /* besides `bytes` [none] */
  double compute_max;         /* compute of the busiest GPU / mean, >= 1 [1] */
  double fixed;               /* s, independent of the share, >= 0 [0] */
  double beside;              /* its time beside a collective / that alone, >=
                               * 1 [0: by waves of `blocks`, or by arithmetic] */
  gscale_calls calls;         /* other host calls, per GPU, >= 0 [0] */

  /* The next fields describe its thread blocks, in the order in which they
   * run. */
  double blocks;    /* number in all kernels of the whole problem, >= 0 [0: each
                     * publishes 4 KiB] */
  double threads;   /* threads per block, >= 1 [256] */
  double residents; /* blocks that an SM runs at once, >= 0 [0: limited by their
                     * threads] */
  size_t groups;    /* [0: all blocks are alike, publish and read] */
  gscale_blocks group[GSCALE_BLOCKS_MAX];

  /* The phase may add up an array over all GPUs, all of which need the sum (or
   * the product, or the least, at the same cost); `to` is then none. */
  double reduce; /* B of each GPU's array, >= 0 [0] */

  /* what it publishes */
  gscale_pattern to; /* pattern of its readers [none] */
  double publish;    /* B to neighbours: those of one cut through the whole
                      * problem, shared by its faces; otherwise B of all GPUs
                      * together, each byte once; >= 0 [0] */
  double grid[GSCALE_DIMS_MAX]; /* neighbours: GPUs along each dimension, whole,
                                 * >= 0; 0: by gscale_phase_grid [0, 1, 1: a
                                 * line] */
  double cut[GSCALE_DIMS_MAX];  /* B of a cut across each dimension, >= 0; 0:
                                 * `publish` applies [0] */
  bool periodic;                /* last and first GPU are neighbours [no] */
  double subscribers[GSCALE_MESH_MAX]; /* [k]: fraction of the published bytes
                                        * that k+1 other GPUs need (at most all
                                        * others); sum at most 1, nobody needs
                                        * the rest [0] */
  double readers;     /* subscribers: how many other GPUs need a byte that any
                       * needs, in the mean, >= 0; 0: as [k] says [0] */
  gscale_turns order; /* order of a GPU's destinations [rotated] */
  double egress_max;  /* bytes that the busiest GPU sends / mean, >= 1 [1] */
  double ingress_max; /* bytes that the busiest GPU gets / mean, >= 1 [1] */
  double rewrites;    /* stores per byte before it is needed, >= 1 [1] */
  double read;        /* fraction of published bytes read, 0..1 [1] */

  /* The next fields describe its movement. */
  double copies; /* contiguous pieces per destination, >= 1 [1] */
  double over;   /* bytes that bulk copies move / bytes needed, >= 1: they copy
                  * whole regions [1] */
  gscale_stores stores; /* sizes of peer stores [all of 128 B] */
  double spread;        /* B of the array over which all GPUs' stores scatter,
                         * dealt to them evenly, >= 0; 0: stores are in order
                         * [0] */
  double reuse;  /* B of lines that a GPU stores to, in order, before it stores
                  * to one again, >= 0; 0: all it publishes [0] */
  double stride; /* in order: B from one store to the next, >= 0; stores up to
                  * their size have no gaps [0] */
  gscale_joins joins;  /* scattered stores beside an earlier one of the phase
                        * [none] */
  double fetch;        /* B that one load brings, > 0 [128] */
  double loads;        /* loads of published data, by all readers, local or not,
                        * >= 0; each goes to any GPU that makes it, and only an
                        * SM caches remote memory; 0: one per byte read [0] */
  bool prefetch;       /* in managed memory, the only reader of a page
                        * prefetches it before its kernel, and its writer takes
                        * it back likewise [false] */
  bool atomic;         /* its stores are atomics [false] */
  gscale_packing pack; /* extra work of bulk copies and agents [none] */
  double agent_block;  /* threads of an agent's block, >= 32 [256] */
  double agent_loads;  /* loads in flight of each, > 0 [4] */
  double agent_blocks; /* blocks of an agent; 0: from its threads [0] */
  gscale_chunk_of agent_of; /* blocks that copy a chunk [all of them] */

  gscale_origin origin; /* the weakest origin of its numbers [derived] */
} gscale_phase;

/** The order in which a host thread issues to several GPUs. */
typedef enum gscale_order {
  GSCALE_ORDER_GPU,   /* kernels and copies GPU by GPU */
  GSCALE_ORDER_PHASE, /* kernels of all, then copies of all */
  GSCALE_ORDER_END
} gscale_order;

/** The events for which the host waits. */
typedef enum gscale_waits {
  GSCALE_WAITS_PHASE, /* each phase; its threads then meet */
  GSCALE_WAITS_STEP,  /* each step; phases follow each other by events of the
                       * GPUs with which they exchange data */
  GSCALE_WAITS_NEVER, /* none; steps run ahead as far as queues have room */
  GSCALE_WAITS_END
} gscale_waits;

/** The host's part around a step's kernels and copies; gscale_host_default is
 *  the value in brackets.  model/predict/host.c writes the schedules. */
typedef struct gscale_host {
  int threads;        /* that issue, >= 0; 0: one per GPU [0] */
  bool processes;     /* no common lock in the driver [false] */
  int streams;        /* for copies, per GPU, >= 1 [1] */
  gscale_order order; /* [gpu] */
  bool blocking;      /* a thread waits for each copy of its GPUs before the
                       * next [false] */
  int barriers;       /* barriers of the threads in each phase: 1 after its
                       * wait; 2 also when its kernels have ended; 3 also when
                       * its copies are issued; 5 or 7 also when the kernels are
                       * issued, and around the wait for one or two parts of the
                       * copies [1] */
  bool by_peer;       /* the first of two parts is for the first half of the
                       * other GPUs, all of it for one other GPU; else each part
                       * is for one side [false] */
  gscale_waits waits; /* [phase] */
  bool late;          /* the wait for messages to other nodes is after the next
                       * phase's kernels [false] */
  double fixed;       /* s of each thread's own work in a step, for any N, >= 0
                       * [0] */
  struct {            /* a number that the host reads in each step */
    double copy;      /* B of each GPU; 0: none, >= 0 [0] */
    double bytes;     /* B moved by the kernel that computes it, >= 0 [0] */
    double flop;      /* whole problem, as `bytes`, >= 0 [0] */
    bool clear;       /* a memset comes before it [false] */
    bool late;        /* it is read one step late, only with waits = never
                       * [false] */
  } norm;
} gscale_host;

extern const gscale_host gscale_host_default;

void gscale_phase_init(gscale_phase *p, const char *name);

/** Sets the defaults of a group: all of a GPU's blocks, which publish
 *  nothing. */
void gscale_blocks_init(gscale_blocks *b);

/** Arranges n GPUs in the grid of a phase to neighbours: p[0] p[1] p[2] = n.
 *
 *  Open dimensions get factors of what the others leave of n: those of the
 *  smallest sum, the largest first.  The grid is then near a cube, where each
 *  GPU has the smallest surface.  GPU i is at (i / (p[1] p[2]), i / p[2] mod
 *  p[1], i mod p[2]).
 *
 *  Given    n   >= 1.
 *  Returns  false if n is no multiple of `grid`, or no dimension is open for
 *           more.
 *  Source   ours; MPI_Dims_create and MPI_Cart_create [Mpi31] 7.5 order
 *           dimensions and ranks in the same way. */
bool gscale_phase_grid(const gscale_phase *p, int n, int grid[GSCALE_DIMS_MAX]);

gscale_workload *gscale_workload_new(const char *name);
/** Shrinks the workload's memory to its phases, for callers that keep many.  No
 *  phase can be added any more (GSCALE_ESIZE).  The returned pointer replaces
 *  w, which is invalid. */
gscale_workload *gscale_workload_trim(gscale_workload *w);
/** Appends a copy of *p; GSCALE_EDOMAIN names the field that is wrong. */
gscale_status gscale_workload_add(gscale_workload *w, const gscale_phase *p,
                                  gscale_diag *diag);
/** Sets the workload on n GPUs where its numbers are functions of n, as the
 *  work of an adaptive mesh is: another workload with the same phases.  A plan
 *  of n GPUs uses its numbers and its host.  A measured time of one GPU is
 *  divided in proportion to the numbers on one.
 *
 *  Given    n      1 .. 2048, each once; 1 too.
 *           there  is only read.
 *  Fails    GSCALE_EDOMAIN  the number of phases, a word, a flag or the length
 *                           of a list differs, or the footprint or grid.gpus,
 *                           which decide the possible n.  w is then unusable.
 *           GSCALE_ENOMEM.
 *  Omits    origins of these values.  A perturbed number of the phase changes
 *           them by the same factor, of which each n has its own error.
 *  See      gscale_plan_new, which needs them for each n of its plans. */
gscale_status gscale_workload_set_on(gscale_workload *w, int n,
                                     const gscale_workload *there,
                                     gscale_diag *diag);
/** Sets origin and standard error of a phase's number, which enter the error of
 *  predictions.  Other numbers are derived and exact.
 *
 *  Given    phase   below gscale_workload_facts.phases.
 *           f, i    as gscale_field_number takes them.
 *           p       origin, error >= 0 and source; val is the number's already.
 *  Fails    GSCALE_ENAME  there is no such number.
 *           GSCALE_EDOMAIN  its error;  GSCALE_ENOMEM. */
gscale_status gscale_workload_doubt(gscale_workload *w, size_t phase,
                                    const gscale_field *f, size_t i,
                                    const gscale_param *p, gscale_diag *diag);
/** Adds an uncertain knob of the description: the workloads at both ends of its
 *  range, with every number computed from it.
 *
 *  Given    p         its value and standard error, > 0.
 *           low, high its ends: the points of gscale_param_nodes, or the end of
 *                     its domain.
 *           down, up  the workloads there; owned from then on. */
gscale_status gscale_workload_add_knob(gscale_workload *w, const char *name,
                                       gscale_dim dim, const gscale_param *p,
                                       double low, gscale_workload *down,
                                       double high, gscale_workload *up,
                                       gscale_diag *diag);
/** Sets the measured time of one step on one GPU, s; 0 = use the roofline.  One
 *  GPU is then predicted to take it, whatever it is (gscale_plan_host_by). */
gscale_status gscale_workload_set_single(gscale_workload *w, gscale_param time,
                                         gscale_diag *diag);

/** A share of a step's work that was measured alone. */
typedef struct gscale_share_of {
  int parts;        /* 2 or more; the share is 1 / parts */
  double of_single; /* its time / t1, > 0 */
} gscale_share_of;
enum {
  GSCALE_SHARES_MAX = 16
};
/** Sets the times of shares of the step on one GPU.  They replace the
 *  roofline's shape: on N GPUs the kernels of a phase take
 *
 *    C(N) = k(N) R(N).
 *
 *  R is the roofline of the GPU's share. At a measured share k is such that the
 *  step of one GPU with that part of the work, launches and waits included,
 *  takes the measured time. Between two shares the sum of k R of all phases is
 *  linear in 1/N; beyond the last share k is constant.
 *
 *  Given    n       0 .. GSCALE_SHARES_MAX; 0: none.
 *           shares  of different parts, in any order.
 *  Fails    GSCALE_EDOMAIN  a number of parts, a repeated one, or a time is
 *                           wrong.
 *  Omits    imbalance, which a share alone has not; errors of the shares, which
 *           are t1's.
 *  Source   ours.  Runs of data/h100x2 and h200x2, shares. */
gscale_status gscale_workload_set_shares(gscale_workload *w,
                                         const gscale_share_of *shares,
                                         size_t n, gscale_diag *diag);
/** Names the system on which this time was measured, or several that have this
 *  GPU, separated by blanks.  Predictions of other systems say so, and are less
 *  sure. "" is the predicted system, as after gscale_workload_set_single. */
void gscale_workload_set_t1_on(gscale_workload *w, const char *system);
/** Sets the roofline time of the step on one GPU of that system, which converts
 *  its measured time to another system:
 *
 *    t1_here = here + (t1 - there)    if t1 > there
 *            = here t1 / there        otherwise.
 *
 *  Given    there  s, >= 0: T_infinite(1) of the same step on that system, with
 *                  no t1.  t1 is taken as it is for 0, and after setting a
 *                  time.
 *           (here is the same of the predicted system).
 *  Limits   here = there: t1.  Half of the change from scaling the rest as well
 *           is added to the error (ours).
 *  Fails    GSCALE_EDOMAIN  the time is invalid.
 *  Source   ours: time beyond a roofline belongs to no known resource. */
gscale_status gscale_workload_set_t1_roofline(gscale_workload *w, double there,
                                              gscale_diag *diag);
/** Sets the measured time of a step of the program's own schedule on n GPUs of
 *  a system.  The error of predictions of that step is then the observed one,
 *
 *    err = hypot(run's error, T - run's time).
 *
 *  It replaces every other uncertainty (gscale_error).
 *
 *  Given    gpus  >= 1;  time  s, > 0, of a steady step;  system  its name,
 *                 with its own link; only one run is kept.
 *  Fails    GSCALE_EDOMAIN.
 *  Source   ours. */
gscale_status gscale_workload_set_run(gscale_workload *w, int gpus,
                                      gscale_param time, const char *system,
                                      gscale_diag *diag);
/** Sets the host's part around kernels and copies.
 *
 *  Fails    GSCALE_EDOMAIN  a number outside its domain, named.
 *           GSCALE_EDATA    barriers are 2 or more with one thread, or with a
 *                           host that does not wait for each phase, or a norm
 *                           is read late although the host waits for its step.
 */
gscale_status gscale_workload_set_host(gscale_workload *w, const gscale_host *h,
                                       gscale_diag *diag);

/** The facts of a workload; pointers are valid until it changes. */
typedef struct gscale_workload_facts {
  const char *name;
  size_t phases;
  const gscale_param *t1; /* the measured time of a step on one GPU; 0: none */
  const char *t1_on;      /* the systems it is of */
  const gscale_host *host;
  bool has_program; /* a schedule for any n */
  bool varies;      /* it is a function of the number of GPUs */
  size_t shares;
  const gscale_share_of *share; /* rising in parts */
} gscale_workload_facts;
gscale_workload_facts gscale_workload_about(const gscale_workload *w);
const gscale_phase *gscale_workload_phase(const gscale_workload *w, size_t i);
/** Returns true if there is such a time, measured on other systems than this
 *  one. */
bool gscale_workload_t1_elsewhere(const gscale_workload *w, const char *system);
/** Returns the origin set by gscale_workload_doubt, or NULL. */
const gscale_param *gscale_workload_doubted(const gscale_workload *w,
                                            size_t phase, const gscale_field *f,
                                            size_t i);
/** Returns the weakest origin among its numbers. */
gscale_origin gscale_workload_origin(const gscale_workload *w);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_WORKLOAD_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
