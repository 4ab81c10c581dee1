/* workload.h - workloads: the work and the data of a program's step. */
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

typedef enum gscale_pattern {
  GSCALE_TO_NONE,
  GSCALE_TO_NEIGHBOURS,  /* to the GPU's neighbours in `grid` */
  GSCALE_TO_ALL,         /* each share to every other GPU */
  GSCALE_TO_RANDOM,      /* each byte to one random GPU */
  GSCALE_TO_PARTITION,   /* n equal parts of each share, one for each of n
                          * GPUs */
  GSCALE_TO_SUBSCRIBERS, /* to the numbers of GPUs in `subscribers` */
  GSCALE_PATTERN_END
} gscale_pattern;

/** The sizes of remote stores after the SM's coalescer. */
enum {
  GSCALE_STORES_MAX = 12
};
typedef struct gscale_stores {
  size_t n;                        /* number of sizes, >= 1 */
  double size[GSCALE_STORES_MAX];  /* B, > 0 */
  double share[GSCALE_STORES_MAX]; /* share of the number of stores; sum 1 */
  bool masked[GSCALE_STORES_MAX];  /* some bytes of a unit are not written */
} gscale_stores;

/** Returns the mean size of stores, B. */
double gscale_stores_mean(const gscale_stores *s);
/** Returns the wire bytes / useful bytes of stores.  Stores for which
 *  gscale_store_masked() is true always count as masked. */
double gscale_stores_ratio(const gscale_stores *s, const gscale_link *l);
/** Returns the packets per useful byte of stores smaller than `line` B. */
double gscale_stores_packets(const gscale_stores *s, const gscale_link *l,
                             double line);
/** Returns the packets per byte of stores of GSCALE_WIDE B or more, which
 *  store.wide_rate limits. */
#define GSCALE_WIDE 8.0
double gscale_stores_wide(const gscale_stores *s, const gscale_link *l,
                          double line);

/** The precision of a phase's arithmetic.  Each precision has a rate. */
typedef enum gscale_precision {
  GSCALE_FP32, /* device.flops */
  GSCALE_FP64,
  GSCALE_FP64_TENSOR, /* fp64 matrices on tensor cores */
  GSCALE_TF32,        /* rounded fp32 matrices on tensor cores */
  GSCALE_FP16,        /* fp16 or bf16, on tensor cores if any */
  GSCALE_FP8,         /* fp8 matrices on tensor cores */
  GSCALE_PRECISION_END
} gscale_precision;

const char *gscale_precision_name(gscale_precision p); /* "fp64"; or NULL */
/** Returns the parameter that is the rate of a precision, or
 *  gscale_param_count() if there is none. */
gscale_param_id gscale_precision_rate(gscale_precision p);

/** Memory accesses of one thread, each of which depends on the previous
 *  access. */
typedef struct gscale_loads {
  double loads;   /* number of dependent loads, >= 0 */
  double bytes;   /* B of the array for any number of GPUs, >= 0; 0: all that
                   * the phase touches */
  bool published; /* loads read data that other GPUs publish */
} gscale_loads;

/** The base of a group's share of time. */
typedef enum gscale_per {
  GSCALE_PER_GPU,  /* share of a GPU's kernel, for any N */
  GSCALE_PER_FACE, /* share of the whole kernel on one GPU, per face */
  GSCALE_PER_SENT, /* share of a GPU's kernel equal to the share of the GPU's
                    * data that is sent */
  GSCALE_PER_END
} gscale_per;

enum {
  GSCALE_PATH_MAX = 4,   /* most kinds of accesses of a thread */
  GSCALE_BLOCKS_MAX = 6, /* most groups of a phase */
  GSCALE_BESIDE_MAX = 5  /* sizes of collectives beside a phase */
};

/** A group of equal, consecutive thread blocks of a kernel. */
typedef struct gscale_blocks {
  double share;     /* share of the kernel's time, 0 to 1, or of the kernel's
                     * arithmetic if groups count blocks (gscale_filling) */
  bool rest;        /* true if the group gets the remaining share */
  gscale_per per;   /* base of the share */
  double publishes; /* share of the phase's published data, 0 to 1, such as 0.5
                     * for one of two faces */
  bool scattered;   /* any block may write any of these data, so that copies
                     * wait for the end of all blocks, and direct stores do
                     * not */
  bool reads;       /* blocks read data of other GPUs */
  size_t kinds;     /* number of kinds of accesses in path */
  gscale_loads path[GSCALE_PATH_MAX]; /* accesses of the slowest thread, which
                                       * may start last */
  double straggler; /* mean path of the slowest thread of a block / the longest
                     * path of all blocks, 0 to 1, for a barrier at the block's
                     * end; 0: equally long threads */
  double count;     /* number of blocks over all GPUs, >= 0 */
  double each;      /* number of blocks on each GPU, >= 0; blocks fill the GPU
                     * evenly if `count` and `each` are 0 */
  double row;       /* number of consecutive blocks, such as a row of tiles,
                     * that complete a stretch of published data together, >= 0;
                     * 0: one block */
} gscale_blocks;

/** The thread blocks that copy a chunk. */
typedef enum gscale_chunk_of {
  GSCALE_CHUNK_OF_GRID,  /* all blocks of an agent copy each chunk */
  GSCALE_CHUNK_OF_BLOCK, /* block (i mod blocks) copies chunk i */
  GSCALE_CHUNK_OF_END
} gscale_chunk_of;

/** Extra work of copies and of agents that copy, such as packing, unpacking,
 *  sorting and adding. */
typedef struct gscale_packing {
  double kernels; /* number of launches per GPU, >= 0 */
  double flop;    /* flop of the whole problem, >= 0 */
  double bytes;   /* B of the whole problem through the memory system, >= 0 */
} gscale_packing;

/** Random reads from an array that each GPU holds completely, such as a table,
 *  a factor of a matrix product, or the vertex values of a graph.  The array's
 *  size decides whether cache or memory serves the reads: by the bandwidth of
 *  that footprint, or, without a curve, by device.l2, of which reads miss
 *  max(0, 1 - l2 / array).
 *
 *  Limits   nothing misses a cache that holds the array; all misses without
 *           device.l2 and without a curve.
 *  Omits    the time of hits; popular words, which stay in the cache; what
 *           else the cache holds. */
typedef struct gscale_gathered {
  double bytes; /* B of sectors that all GPUs read, >= 0 */
  double array; /* B of the array, >= 0 */
} gscale_gathered;

enum {
  GSCALE_DIMS_MAX = 3
};

/** The part of a step between two synchronisations.  Counts are for the whole
 *  problem.  Defaults of gscale_phase_init are in brackets. */
typedef struct gscale_phase {
  char name[GSCALE_NAME_MAX];

  /* compute */
  double repeats; /* repeats per step, > 0 [1] */
  double units;   /* indivisible units of work over all GPUs, >= 1 [1] */
  double serial;  /* fraction that every GPU repeats, 0 to 1 [0] */
  double kernels; /* launches per GPU, a whole number >= 0 [1]; 0: no compute */
  double flop;    /* flop, >= 0 [0] */
  gscale_precision precision; /* precision of flop and of `pack` [fp32] */
  double bytes;               /* B through the memory system, >= 0 [0] */
  double footprint;           /* B of all arrays that the phase touches, >= 0
                               * [0] */
  gscale_gathered gathered;   /* random reads in addition to `bytes` [none] */
  double compute_max;         /* compute of the busiest GPU / mean, >= 1 [1] */
  double fixed;               /* s that do not depend on the share, >= 0 [0] */
  double beside[GSCALE_BESIDE_MAX]; /* kernel's time / alone during collectives
                                     * that occupy at most 2, 4, 8, 16, 32
                                     * SMs, >= 1 or 0: as the one before [0:
                                     * from waves of `blocks`, or arithmetic] */
  gscale_calls calls;               /* other host calls per GPU, >= 0 [0] */

  /* The next members describe the phase's thread blocks in launch order. */
  double blocks;    /* blocks of all kernels of the whole problem, >= 0 [0: each
                     * block publishes 4 KiB] */
  double threads;   /* threads per block, >= 1 [256] */
  double residents; /* blocks that an SM runs at once, >= 0 [0: threads limit
                     * this number] */
  size_t groups;    /* groups [0: equal blocks, which publish and read] */
  gscale_blocks group[GSCALE_BLOCKS_MAX];

  /* The phase may reduce an array over all GPUs, which all need the sum,
   * product or minimum, at equal costs.  A phase that reduces has `to` =
   * none. */
  double reduce; /* B of each GPU's array, >= 0 [0] */

  /* The next members describe the data that the phase publishes. */
  gscale_pattern to; /* pattern of readers [none] */
  double publish;    /* for neighbours, B of one cut through the whole problem,
                      * which all faces share; otherwise B of all GPUs, each
                      * byte counted once [0] */
  double grid[GSCALE_DIMS_MAX]; /* for neighbours, the number of GPUs along each
                                 * dimension, whole and >= 0; 0: from
                                 * gscale_phase_grid [0, 1, 1: a line] */
  double cut[GSCALE_DIMS_MAX];  /* B of a cut across each dimension, >= 0; 0:
                                 * publish [0] */
  bool periodic;                /* the last and first GPU are neighbours [no] */
  double subscribers[GSCALE_MESH_MAX]; /* [k]: fraction of the published bytes
                                        * that k+1 other GPUs (or all others)
                                        * need; the sum is <= 1, and no GPU
                                        * needs the rest [0] */
  double readers;     /* mean number of other GPUs that need a byte, among bytes
                       * that any GPU needs, >= 0; 0: subscribers [0] */
  gscale_turns order; /* order of a GPU's destinations [rotated] */
  double egress_max;  /* bytes that the busiest GPU sends / mean, >= 1 [1] */
  double ingress_max; /* bytes that the busiest GPU receives / mean, >= 1 [1] */
  double rewrites;    /* stores to a byte before a GPU needs it, >= 1 [1] */
  double read; /* fraction of published bytes that are read, 0 to 1 [1] */

  /* The next members describe the movement of the published data. */
  double copies; /* contiguous pieces per destination, >= 1 [1] */
  double over;   /* bytes of bulk copies / needed bytes, >= 1, because bulk
                  * copies move whole regions [1] */
  gscale_stores stores; /* sizes of peer stores [128 B] */
  double spread;        /* B of the array over which the stores of all GPUs
                         * scatter, with equal parts per GPU, >= 0; 0: stores
                         * are in order [0] */
  double reuse;  /* B of lines that a GPU stores to in order before a line comes
                  * again, >= 0; 0: all published lines [0] */
  double near;   /* of `rewrites`, those that follow so closely that a queue
                  * merges them, >= 1; the queue gets rewrites / near, at
                  * least 1 [1] */
  double stride; /* B from one store to the next in order, >= 0; no gaps up to
                  * the size of a store [0] */
  gscale_joins joins;  /* shares of scattered stores adjacent to an earlier
                        * store of the phase [none] */
  double fetch;        /* B that one load returns, > 0 [128] */
  double loads;        /* loads of published data by all readers, local or
                        * remote, >= 0, each from any GPU; only SMs cache remote
                        * memory; 0: one load per byte that is read [0] */
  bool prefetch;       /* in managed memory, the only reader of a page
                        * prefetches the page before the kernel, and so does the
                        * writer afterwards [false] */
  bool atomic;         /* stores are atomics [false] */
  gscale_packing pack; /* extra work of bulk copies and agents [none] */
  double agent_block;  /* threads of an agent's block, >= 32 [256] */
  double agent_loads;  /* loads in flight of each thread of an agent, > 0 [4] */
  double agent_blocks; /* blocks of an agent; 0: from the agent's threads [0] */
  gscale_chunk_of agent_of; /* blocks that copy a chunk [one of them] */

  gscale_origin origin; /* weakest origin of the phase's numbers [derived] */
} gscale_phase;

/** The order in which a host thread issues to several GPUs. */
typedef enum gscale_order {
  GSCALE_ORDER_GPU,   /* kernels and copies of GPU after GPU */
  GSCALE_ORDER_PHASE, /* kernels of all GPUs, then copies of all GPUs */
  GSCALE_ORDER_END
} gscale_order;

/** The events that the host waits for. */
typedef enum gscale_waits {
  GSCALE_WAITS_PHASE, /* end of each phase, with a barrier of host threads */
  GSCALE_WAITS_STEP,  /* end of each step; phases wait for events of the GPUs
                       * with which they exchange data */
  GSCALE_WAITS_NEVER, /* no event; steps run ahead while queues have room */
  GSCALE_WAITS_END
} gscale_waits;

/** The host's part of a step, in addition to kernels and copies.  Defaults
 *  (gscale_host_default) are in brackets.  model/predict/host.c writes the
 *  schedules. */
typedef struct gscale_host {
  int threads;        /* number of issuing host threads; 0: one per GPU [0] */
  bool processes;     /* processes without a common lock in the driver
                       * [false] */
  int streams;        /* streams for copies per GPU, >= 1 [1] */
  gscale_order order; /* order of issue [gpu] */
  bool blocking;      /* a thread waits for each copy before the next copy
                       * [false] */
  int barriers;       /* number of thread barriers in each phase: 1 after the
                       * wait, 2 also after the kernels' end, 3 also after the
                       * issue of copies, 5 or 7 also after the issue of kernels
                       * and around waits for one or two parts of the copies
                       * [1] */
  bool by_peer;       /* the first of two parts is for the first half of the
                       * other GPUs, or each part is for one side if false
                       * [false] */
  gscale_waits waits; /* events that the host waits for [phase] */
  bool late;          /* the host waits for messages to other nodes after the
                       * next phase's kernels [false] */
  double fixed;       /* s of work of each host thread in a step for any N, >= 0
                       * [0] */
  struct {            /* norm: a number that the host reads in each step */
    double copy;      /* B per GPU, >= 0; 0: there is no norm [0] */
    double bytes;     /* B of the whole problem that the norm's kernel moves, >=
                       * 0 [0] */
    double flop;      /* flop of the whole problem, >= 0 [0] */
    bool clear;       /* a memset comes before the norm [false] */
    bool late;        /* the host reads the norm one step late, only with waits
                       * = never [false] */
  } norm;
} gscale_host;

extern const gscale_host gscale_host_default;

void gscale_phase_init(gscale_phase *p, const char *name);

/** Sets the defaults of a group, which are all of a GPU's blocks without
 *  published data. */
void gscale_blocks_init(gscale_blocks *b);

/** Arranges n GPUs in the grid p[0] * p[1] * p[2] = n of a phase with
 *  neighbours.
 *
 *  Dimensions of 0 in `grid` get factors of n / (the other dimensions).  These
 *  factors have the smallest sum, in falling order, so that the grid is near a
 *  cube with the smallest surface per GPU.  GPU i has the coordinates (i /
 *  (p[1] p[2]), i / p[2] mod p[1], i mod p[2]).
 *
 *  Given    n   >= 1.
 *  Returns  false if n is no multiple of `grid`, or if no dimension of `grid`
 *           is 0 and the product is not n.
 *  Source   ours, with the order of dimensions and ranks of MPI_Dims_create and
 *           MPI_Cart_create [Mpi31] 7.5. */
bool gscale_phase_grid(const gscale_phase *p, int n, int grid[GSCALE_DIMS_MAX]);

gscale_workload *gscale_workload_new(const char *name);
/** Shrinks a workload's memory to its phases, for callers that keep many
 *  workloads.  No phase can be added afterwards (GSCALE_ESIZE).  The returned
 *  pointer replaces w, which becomes invalid. */
gscale_workload *gscale_workload_trim(gscale_workload *w);
/** Appends a copy of *p.  The function fails with GSCALE_EDOMAIN and names the
 *  wrong field. */
gscale_status gscale_workload_add(gscale_workload *w, const gscale_phase *p,
                                  gscale_diag *diag);
/** Sets the workload on n GPUs if the numbers are functions of n, as for an
 *  adaptive mesh.  `there` is another workload with the same phases, and a plan
 *  of n GPUs uses the numbers and the host of `there`.  A measured time of one
 *  GPU is divided in proportion to the numbers on one GPU.
 *
 *  Given    n      number of GPUs, 1 to 65536; each n once, and also 1.
 *           there  workload on n GPUs, which the function only reads.
 *  Fails    GSCALE_EDOMAIN  if the number of phases, a word, a flag, the length
 *                           of a list, the footprint or grid.gpus differ; the
 *                           last two decide the possible n.  After this
 *                           failure, w is unusable.
 *           GSCALE_ENOMEM.
 *  Omits    origins of the numbers of `there`.  If a phase's number is
 *           perturbed, the numbers on all n change by the same factor.
 *  See      gscale_plan_new, which needs the numbers of each n of its plans. */
gscale_status gscale_workload_set_on(gscale_workload *w, int n,
                                     const gscale_workload *there,
                                     gscale_diag *diag);
/** Sets origin and standard error of a phase's number for the error of
 *  predictions.  All other numbers of phases count as derived and exact.
 *
 *  Given    phase   index of a phase, < gscale_workload_facts.phases.
 *           f, i    arguments of gscale_field_number().
 *           p       origin, error >= 0 and source; val is the number's value.
 *  Fails    GSCALE_ENAME  if there is no such number.
 *           GSCALE_EDOMAIN  if the error is < 0;  GSCALE_ENOMEM. */
gscale_status gscale_workload_doubt(gscale_workload *w, size_t phase,
                                    const gscale_field *f, size_t i,
                                    const gscale_param *p, gscale_diag *diag);
/** Adds an uncertain knob of the description, with the workloads at both ends
 *  of the knob's range.
 *
 *  Given    p         value and standard error of the knob, > 0.
 *           low, high ends of the range, which are the points of
 *                     gscale_param_nodes or an end of the domain.
 *           down, up  workloads at `low` and `high`, which w then owns. */
gscale_status gscale_workload_add_knob(gscale_workload *w, const char *name,
                                       gscale_dim dim, const gscale_param *p,
                                       double low, gscale_workload *down,
                                       double high, gscale_workload *up,
                                       gscale_diag *diag);
/** Sets the measured time of a step on one GPU, s, or 0 for the roofline.  The
 *  prediction on one GPU is then this time for any value
 *  (gscale_plan_host_by). */
gscale_status gscale_workload_set_single(gscale_workload *w, gscale_param time,
                                         gscale_diag *diag);

/** The measured time of a share of a step's work. */
typedef struct gscale_share_of {
  int parts;        /* >= 2; the share is 1 / parts */
  double of_single; /* time of the share / t1, > 0 */
} gscale_share_of;
enum {
  GSCALE_SHARES_MAX = 16
};
/** Sets the times of shares of the step on one GPU, which replace the shape of
 *  the roofline.  On N GPUs the kernels of a phase take
 *
 *    C(N) = k(N) R(N).
 *
 *  R is the roofline of the GPU's share. At a measured share, k is such that a
 *  step of one GPU with this share of the work, including launches and waits,
 *  takes the measured time.  Between two shares, the sum of k R over all phases
 *  is linear in 1/N.  Beyond the last share, k is constant.
 *
 *  Given    n       number of shares, 0 to GSCALE_SHARES_MAX.
 *           shares  n shares with different parts in any order.
 *  Fails    GSCALE_EDOMAIN  if a number of parts is wrong or repeated, or a
 *                           time is wrong.
 *  Omits    imbalance, which a single share cannot show; errors of the shares,
 *           which count as part of the error of t1.
 *  Source   ours; runs of shares in data/h100x2 and data/h200x2. */
gscale_status gscale_workload_set_shares(gscale_workload *w,
                                         const gscale_share_of *shares,
                                         size_t n, gscale_diag *diag);
/** Sets the name of the system on which t1 was measured, or several names of
 *  systems with the same GPU, separated by blanks.  Predictions of other
 *  systems state this and have a larger error.  "" is the predicted system, as
 *  after gscale_workload_set_single(). */
void gscale_workload_set_t1_on(gscale_workload *w, const char *system);
/** Sets the roofline time of the step on one GPU of the system of t1, which
 *  converts t1 to the predicted system:
 *
 *    t1_here = here + (t1 - there)    if t1 > there,
 *    t1_here = here * t1 / there      otherwise.
 *
 *  Given    there  T_infinite(1) of the same step on the system of t1, without
 *                  t1, s, >= 0; `here` is T_infinite(1) on the predicted
 *                  system.  For 0, and after a time is set, t1 is not
 *                  converted.
 *  Limits   for here = there, t1.  The error includes half of the change that
 *           scaling the rest (t1 - there) would make.
 *  Fails    GSCALE_EDOMAIN  if the time is invalid.
 *  Source   ours: no known resource explains the time beyond a roofline. */
gscale_status gscale_workload_set_t1_roofline(gscale_workload *w, double there,
                                              gscale_diag *diag);
/** Sets the number of GPUs that the size grew with, so that each has the work
 * of one GPU at the first size, or 0 for a size that did not grow.  What
 * strangers' programs depart from predictions as the work of a GPU shrinks then
 * widens only the rest of the step. */
void gscale_workload_set_grown(gscale_workload *w, double n);
/** Sets the measured time of a step of the program's own schedule on n GPUs of
 *  a system.  The error of predictions of this step is then the observed error,
 *
 *    err = hypot(run's error, T - run's time).
 *
 *  The observed error replaces all other errors (gscale_error).
 *
 *  Given    gpus  number of GPUs, >= 1;  time  s of a steady step, > 0;  system
 *                 name of the system with its own link.  Only one run is kept.
 *  Fails    GSCALE_EDOMAIN.
 *  Source   ours. */
gscale_status gscale_workload_set_run(gscale_workload *w, int gpus,
                                      gscale_param time, const char *system,
                                      gscale_diag *diag);
/** Sets the host's part of a step.
 *
 *  Fails    GSCALE_EDOMAIN  if a number is outside its domain; *diag names the
 *                           number.
 *           GSCALE_EDATA    if barriers >= 2 with one thread or without a wait
 *                           for each phase, or if a norm is read late although
 *                           the host waits for each step. */
gscale_status gscale_workload_set_host(gscale_workload *w, const gscale_host *h,
                                       gscale_diag *diag);

/** The facts of a workload.  Pointers are valid until the workload changes. */
typedef struct gscale_workload_facts {
  const char *name;
  size_t phases;
  const gscale_param *t1; /* measured time of a step on one GPU, or 0 */
  const char *t1_on;      /* the systems of t1 */
  const gscale_host *host;
  bool has_program; /* there is a schedule for some n */
  bool varies;      /* the workload is a function of n */
  size_t shares;
  const gscale_share_of *share; /* in rising order of parts */
} gscale_workload_facts;
gscale_workload_facts gscale_workload_about(const gscale_workload *w);
const gscale_phase *gscale_workload_phase(const gscale_workload *w, size_t i);
/** Returns true if t1 was measured, but only on other systems than this
 *  system. */
bool gscale_workload_t1_elsewhere(const gscale_workload *w, const char *system);
/** Returns the origin that gscale_workload_doubt() set, or NULL. */
const gscale_param *gscale_workload_doubted(const gscale_workload *w,
                                            size_t phase, const gscale_field *f,
                                            size_t i);
/** Returns the weakest origin of a workload's numbers. */
gscale_origin gscale_workload_origin(const gscale_workload *w);

#endif /* GSCALE_WORKLOAD_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
