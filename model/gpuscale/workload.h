/*
 * workload.h - what a program does in a step.
 *
 * gpuscale.h says what holds for all headers.
 */
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

/* ---- workloads -------------------------------------------------------------
 */

typedef enum gscale_pattern {
  GSCALE_TO_NONE,
  GSCALE_TO_NEIGHBOURS,  /* each GPU to those next to it in `grid` */
  GSCALE_TO_ALL,         /* each GPU's share to every other GPU */
  GSCALE_TO_RANDOM,      /* each byte to one GPU, any of them as likely */
  GSCALE_TO_PARTITION,   /* each GPU's share in n equal parts, one for each */
  GSCALE_TO_SUBSCRIBERS, /* to as many others as `subscribers` says */
  GSCALE_PATTERN_END
} gscale_pattern;

/** Remote stores by size, as they leave the SM's coalescer. */
enum {
  GSCALE_STORES_MAX = 12
};
typedef struct gscale_stores {
  size_t n;                        /* kinds, >= 1 */
  double size[GSCALE_STORES_MAX];  /* B, > 0 */
  double share[GSCALE_STORES_MAX]; /* of the number of stores; sum 1 */
  bool masked[GSCALE_STORES_MAX];  /* leaves bytes of a unit unwritten */
} gscale_stores;

/** Mean size, B. */
double gscale_stores_mean(const gscale_stores *s);
/** Wire bytes / useful bytes of the mixture; gscale_store_masked ones are
 * masked whatever they say. */
double gscale_stores_ratio(const gscale_stores *s, const gscale_link *l);
/** Packets per useful byte of the mixture, of stores smaller than `line` B. */
double gscale_stores_packets(const gscale_stores *s, const gscale_link *l,
                             double line);
/** Packets a byte of stores of GSCALE_WIDE B or more: store.wide_rate. */
#define GSCALE_WIDE 8.0
double gscale_stores_wide(const gscale_stores *s, const gscale_link *l,
                          double line);

/** What a phase computes in: each has an arithmetic rate of its own. */
typedef enum gscale_precision {
  GSCALE_FP32, /* device.flops */
  GSCALE_FP64,
  GSCALE_FP64_TENSOR, /* matrices, by tensor cores */
  GSCALE_TF32,        /* matrices of fp32, rounded, by tensor cores */
  GSCALE_FP16,        /* fp16, bf16; by tensor cores where there are any */
  GSCALE_FP8,         /* matrices, by tensor cores */
  GSCALE_PRECISION_END
} gscale_precision;

const char *gscale_precision_name(gscale_precision p); /* "fp64"; or NULL */
/** The rate that it computes at; gscale_param_count() if there is no such. */
gscale_param_id gscale_precision_rate(gscale_precision p);

/** Memory accesses of one thread, each of which waits for the last one. */
typedef struct gscale_loads {
  double loads;   /* >= 0 */
  double bytes;   /* B of the array in which they lie, the same for any number
                   * of GPUs, >= 0; 0: all that the phase touches */
  bool published; /* they go to what the phase publishes, which other GPUs have
                   */
} gscale_loads;

/** What a group's share is a share of. */
typedef enum gscale_per {
  GSCALE_PER_GPU,  /* of a GPU's kernel, for any number of GPUs */
  GSCALE_PER_FACE, /* of the kernel of one GPU alone, for each face made */
  GSCALE_PER_SENT, /* the same part of a GPU's kernel as leaves it of its data
                    */
  GSCALE_PER_END
} gscale_per;

enum {
  GSCALE_PATH_MAX = 4,  /* kinds of accesses of a thread */
  GSCALE_BLOCKS_MAX = 6 /* groups of a phase */
};

/** Thread blocks of a kernel that do alike and follow one another. */
typedef struct gscale_blocks {
  double share;     /* of the kernel's time, 0 .. 1; of its arithmetic if groups
                     * say how many blocks they are: gscale_filling */
  bool rest;        /* instead: what all others leave */
  gscale_per per;   /* what the share is of */
  double publishes; /* share of what the phase publishes that they make, 0 .. 1:
                     * of two faces 0.5 is one */
  bool scattered; /* any of them may write any of it: to be copied at their end;
                   * direct stores do not wait for that */
  bool reads;     /* they read what other GPUs published */
  size_t kinds;   /* of accesses in path */
  gscale_loads path[GSCALE_PATH_MAX]; /* of the longest thread: it may begin
                                       * last */
  double straggler; /* what a barrier at a block's end waits for: the path of
                     * its longest thread, in the mean of all blocks, / the
                     * longest of all, 0 .. 1.  0: a block's threads are
                     * equally long */
  double count;     /* blocks of the group, dealt to the GPUs, >= 0, and */
  double each;      /* blocks that it has on every GPU, however many there are,
                     * >= 0; both 0: they fill the GPU evenly */
  double row;       /* so many of them, one after the other, complete a stretch
                     * of what they publish together, as a row of tiles does,
                     * >= 0; 0: each its own */
} gscale_blocks;

/** Who copies a chunk. */
typedef enum gscale_chunk_of {
  GSCALE_CHUNK_OF_GRID,  /* all blocks of an agent, one chunk after the other */
  GSCALE_CHUNK_OF_BLOCK, /* one: chunk i is block i mod blocks', side by side */
  GSCALE_CHUNK_OF_END
} gscale_chunk_of;

/** What has to be done besides where data is moved as whole pieces, by copies
 *  or by agents that copy: packing, unpacking, sorting, adding up. */
typedef struct gscale_packing {
  double kernels; /* launches per GPU, >= 0 */
  double flop;    /* whole problem, >= 0 */
  double bytes;   /* B through the memory system, whole problem, >= 0 */
} gscale_packing;

/** Reads from anywhere in an array that each GPU holds whole: a table, the
 * other factor of a product, the neighbours' values of a graph.  The cache
 * serves them, or the memory, as the array's size says. */
typedef struct gscale_gathered {
  double bytes; /* B read, whole sectors, by all GPUs together, >= 0 */
  double array; /* B of the array, >= 0 */
} gscale_gathered;

enum {
  GSCALE_DIMS_MAX = 3
};

/** Part of a step between two synchronisations.  Counts are for the whole
 *  problem; gscale_phase_init gives the defaults in brackets. */
typedef struct gscale_phase {
  char name[GSCALE_NAME_MAX];

  /* compute */
  double repeats; /* times per step, > 0 [1] */
  double units;   /* indivisible units that are dealt to GPUs, >= 1 [1] */
  double serial;  /* fraction that every GPU repeats, 0..1 [0] */
  double kernels; /* launches per GPU, whole, >= 0 [1]; 0: no compute */
  double flop;    /* flop, >= 0 [0] */
  gscale_precision precision; /* of its flop, those of `pack` too [fp32] */
  double bytes;               /* B through the memory system, >= 0 [0] */
  double footprint;           /* B of all arrays it touches, >= 0 [0] */
  gscale_gathered gathered;   /* besides `bytes` [none] */
  double compute_max;         /* busiest GPU's compute / mean, >= 1 [1] */
  double fixed;               /* s, whatever a GPU's share, >= 0 [0] */
  gscale_calls calls;         /* host calls besides, per GPU, >= 0 [0] */

  /* its thread blocks, in the order in which they run */
  double blocks;    /* how many, of the whole problem and all its kernels, >= 0
                     * [0: so many that each publishes 4 KiB] */
  double threads;   /* of each, >= 1 [256] */
  double residents; /* blocks that an SM runs at once, >= 0 [0: as many as its
                     * threads allow] */
  size_t groups;    /* [0: all blocks do alike, publish and read] */
  gscale_blocks group[GSCALE_BLOCKS_MAX];

  /* what it adds up over all GPUs, all of which need the sum (or product, or
   * the least: that costs the same); then `to` is none */
  double reduce; /* B of the array that each GPU has, >= 0 [0] */

  /* what it publishes */
  gscale_pattern to; /* who needs it [none] */
  double publish;    /* B: to neighbours: of a cut through the whole problem,
                      * which the faces along it share; else by all GPUs
                      * together, each byte once, >= 0 [0] */
  double grid[GSCALE_DIMS_MAX]; /* neighbours: GPUs along each dimension; 0:
                                 * as gscale_phase_grid finds them; whole, >= 0
                                 * [0, 1, 1: a line] */
  double cut[GSCALE_DIMS_MAX];  /* B of a cut across each dimension instead of
                                 * `publish`, >= 0; 0: that [0] */
  bool periodic; /* the last GPU along a dimension is next to the first [no] */
  double subscribers[GSCALE_MESH_MAX]; /* [k]: fraction of the published bytes
                                        * that k+1 other GPUs need (at most all
                                        * others); sum at most 1, the rest
                                        * nobody needs [0] */
  gscale_turns order; /* in which a GPU turns to those who need it [rotated] */
  double egress_max;  /* bytes the busiest GPU sends / mean, >= 1 [1] */
  double ingress_max; /* bytes the busiest GPU gets / mean, >= 1 [1] */
  double rewrites;    /* stores per byte before anyone needs it, >= 1 [1] */
  double read;        /* fraction of published bytes that is read, 0..1 [1] */

  /* how it is moved */
  double copies; /* contiguous pieces per destination, >= 1 [1] */
  double over;   /* bytes that bulk copies move / bytes needed, >= 1: they
                  * copy whole regions [1] */
  gscale_stores stores; /* of the inline paradigm [all of 128 B] */
  double spread;        /* B of the array over which the stores of all GPUs
                         * scatter, dealt to them evenly; 0: they come in order,
                         * >= 0 [0] */
  double reuse;  /* B of the lines that a GPU stores to, in order, before it
                  * stores to one again; 0: all it publishes, >= 0 [0] */
  double stride; /* in order: B from one store to the next; up to the size
                  * of a store: without gaps, >= 0 [0] */
  gscale_joins joins;  /* where they scatter: those that lie next to an earlier
                        * one of the phase [none] */
  double fetch;        /* B that one load of a reader brings, > 0 [128] */
  double loads;        /* loads of what is published, by all readers, near or
                        * not: each goes to any GPU that makes some of it;
                        * another GPU's memory is not cached beyond an SM;
                        * 0: each byte that is read once, >= 0 [0] */
  bool prefetch;       /* in managed memory a GPU that alone reads a page
                        * prefetches it before its kernel, and its writer takes
                        * it back so [false] */
  bool atomic;         /* its stores are atomic updates [false] */
  gscale_packing pack; /* of bulk copies and agents [none] */
  double agent_block;  /* threads of a block of an agent, >= 32 [256] */
  double agent_loads;  /* loads in flight of each, > 0 [4] */
  double agent_blocks; /* of an agent; 0: as its threads make [0] */
  gscale_chunk_of agent_of; /* whose a chunk is of them [all of them] */

  gscale_origin origin; /* the weakest origin of its numbers [derived] */
} gscale_phase;

/** In which order a host thread of several GPUs issues to them. */
typedef enum gscale_order {
  GSCALE_ORDER_GPU,   /* kernels and copies of one, then of the next */
  GSCALE_ORDER_PHASE, /* the kernels of all, then the copies of all */
  GSCALE_ORDER_END
} gscale_order;

/** For what the host waits. */
typedef enum gscale_waits {
  GSCALE_WAITS_PHASE, /* for each phase; its threads then meet */
  GSCALE_WAITS_STEP,  /* for each step; phases follow each other by events, of
                       * the GPUs with which they exchange data */
  GSCALE_WAITS_NEVER, /* so do steps: it runs ahead as far as queues have room
                       */
  GSCALE_WAITS_END
} gscale_waits;

/** What the host does around a step's kernels and copies; gscale_host_default
 *  is the value in brackets.  The schedules that follow are written down in
 *  model/predict/host.c. */
typedef struct gscale_host {
  int threads;        /* that issue; 0: one for each GPU, >= 0 [0] */
  bool processes;     /* with no lock in common in the driver [false] */
  int streams;        /* for copies, of each GPU, >= 1 [1] */
  gscale_order order; /* [gpu] */
  bool blocking;      /* of all copies of a thread's GPUs one is under way at a
                       * time: it waits for each [false] */
  int barriers;       /* of the threads in each phase: 1 behind its wait; 2 and
                       * when its kernels have ended; 3 and when its copies are
                       * issued; 5 or 7 when the kernels are issued too, and
                       * around the wait for one or two parts of the copies [1] */
  bool by_peer;       /* of two parts the first is for the first half of the
                       * other GPUs, so for one other GPU all of it; else each
                       * is for one side [false] */
  gscale_waits waits; /* [phase] */
  bool late;      /* messages to other nodes are waited for when the kernels of
                   * the next phase have ended [false] */
  double fixed;   /* s, that each thread works in a step, whatever the number of
                   * GPUs, >= 0 [0] */
  struct {        /* a number that the host reads in each step */
    double copy;  /* B of each GPU; 0: none, >= 0 [0] */
    double bytes; /* B that the kernel which finds it moves, >= 0 [0] */
    double flop;  /* whole problem as `bytes`, >= 0 [0] */
    bool clear;   /* a memset goes before it [false] */
    bool late;    /* it is read a step late; waits = never only [false] */
  } norm;
} gscale_host;

extern const gscale_host gscale_host_default;

void gscale_phase_init(gscale_phase *p, const char *name);

/** A group with the defaults: all of a GPU's blocks, which publish nothing. */
void gscale_blocks_init(gscale_blocks *b);

/** How n GPUs stand in the grid of a phase to neighbours: p[0] p[1] p[2] = n.
 *
 *    dimensions that are left open get factors of what the others leave of n:
 *    those of the smallest sum, the largest first.  That is near a cube, of
 *    which each GPU has the smallest surface
 *
 *  GPU i is at (i / (p[1] p[2]), i / p[2] mod p[1], i mod p[2]).
 *
 *  Given    n   >= 1
 *  Returns  false if n is no multiple of what `grid` says, or more than it
 *           leaves open
 *  Source   ours; MPI_Dims_create and MPI_Cart_create [Mpi31] 7.5 order
 *           dimensions and ranks so */
bool gscale_phase_grid(const gscale_phase *p, int n, int grid[GSCALE_DIMS_MAX]);

gscale_workload *gscale_workload_new(const char *name);
/** The workload where it takes no more memory than its phases do, for many that
 *  are kept: none can be added any more (GSCALE_ESIZE).  w is gone: what is
 *  returned is to be used, and freed, in its place. */
gscale_workload *gscale_workload_trim(gscale_workload *w);
/** Appends a copy of *p.  GSCALE_EDOMAIN names the field that is wrong. */
gscale_status gscale_workload_add(gscale_workload *w, const gscale_phase *p,
                                  gscale_diag *diag);
/** Another value of a number of a phase. */
typedef struct gscale_put {
  size_t phase; /* below gscale_workload_phases */
  const gscale_field *field;
  size_t index; /* as gscale_field_number takes it */
  double value; /* SI units */
} gscale_put;
/** Puts n numbers into phases at once.
 *
 *  Given    put[n]  values; afterwards those that were there: putting it again
 *                   takes it back, if no number is named twice
 *  Fails    GSCALE_ENAME    there is no such number
 *           GSCALE_EDOMAIN  as gscale_workload_add; nothing has changed then
 *  Omits    what the numbers follow from: origins and errors stay
 */
gscale_status gscale_workload_put(gscale_workload *w, gscale_put *put, size_t n,
                                  gscale_diag *diag);
/** What the workload is on n GPUs, where its numbers are functions of that, as
 *  the work of a mesh that adapts to its parts: another workload, of the same
 *  phases.  A plan of n GPUs has its numbers and its host; a measured time of
 *  one GPU is divided among what they are on one.
 *
 *  Given    n      1 .. 2048, each once; 1 too
 *           there  it is read only
 *  Fails    GSCALE_EDOMAIN  another number of phases; a word, a flag or the
 *                           length of a list that differs; or the footprint or
 *                           grid.gpus, which decide what n there can be.  w is
 *                           of no use then
 *           GSCALE_ENOMEM
 *  Omits    origins and errors of these values: when a number of the phase is
 *           moved, they move by the same factor
 *  See      gscale_plan_new: it needs them for each n that it is asked about
 */
gscale_status gscale_workload_set_on(gscale_workload *w, int n,
                                     const gscale_workload *there,
                                     gscale_diag *diag);
/** Whether it is a function of the number of GPUs. */
bool gscale_workload_varies(const gscale_workload *w);
/** Says whence a number of a phase comes, and its standard error: carried into
 *  the error of predictions.  What is not said is derived and exact.
 *
 *  Given    phase   below gscale_workload_phases
 *           f, i    as gscale_field_number takes them
 *           p       origin, error >= 0 and source; val is the number's already
 *  Fails    GSCALE_ENAME  there is no such number
 *           GSCALE_EDOMAIN  its error;  GSCALE_ENOMEM
 */
gscale_status gscale_workload_doubt(gscale_workload *w, size_t phase,
                                    const gscale_field *f, size_t i,
                                    const gscale_param *p, gscale_diag *diag);
/** A knob of the description that is uncertain: what the workload is when it is
 *  moved to either side, with everything computed from it.
 *
 *  Given    p         its value and standard error, > 0
 *           low, high what it is moved to: the points of gscale_param_nodes,
 *                     or where its domain ends before
 *           down, up  the workloads there; owned from then on
 */
gscale_status gscale_workload_add_knob(gscale_workload *w, const char *name,
                                       gscale_dim dim, const gscale_param *p,
                                       double low, gscale_workload *down,
                                       double high, gscale_workload *up,
                                       gscale_diag *diag);
/** The measured time of one step on one GPU, s; 0 = use the roofline.  What one
 *  GPU is then predicted to take, for any time (gscale_plan_host_by). */
gscale_status gscale_workload_set_single(gscale_workload *w, gscale_param time,
                                         gscale_diag *diag);

/** A share of a step's work, measured by running that much of it alone. */
typedef struct gscale_share_of {
  int parts;        /* 2 or more: the share is 1 / parts */
  double of_single; /* its time / t1, > 0 */
} gscale_share_of;
enum {
  GSCALE_SHARES_MAX = 16
};
/** Says what shares of the step take on one GPU.  They replace the roofline's
 *  shape: on N GPUs the kernels of a phase take
 *
 *    C(N) = k(N) R(N)
 *
 *  where R is the roofline of the GPU's share, and at a measured share k makes
 *  the step of one GPU with that part of the work, launches and waits in it,
 *  take what was measured.  Between two of them the sum of k R of all phases is
 *  linear in 1/N; beyond the last k is that of the last.
 *
 *  Given    n       0 .. GSCALE_SHARES_MAX; 0: none
 *           shares  of different parts, in any order
 *  Fails    GSCALE_EDOMAIN  a number of parts, twice the same, a time
 *  Omits    imbalance, which a share alone has not; errors of the shares, which
 *           are t1's
 *  Source   ours.  Runs of data/h100x2 and h200x2, shares
 */
gscale_status gscale_workload_set_shares(gscale_workload *w,
                                         const gscale_share_of *shares,
                                         size_t n, gscale_diag *diag);
/** How many there are, rising in parts; *shares may be NULL. */
size_t gscale_workload_shares(const gscale_workload *w,
                              const gscale_share_of **shares);
/** Says on which system this time was measured: its name, or the names of all
 *  that have this GPU, with blanks between.  Predictions of other systems say
 *  so, and are less sure.  "" is the system that is asked about, as it is after
 *  gscale_workload_set_single. */
void gscale_workload_set_t1_on(gscale_workload *w, const char *system);
/** What the rooflines of the step give for one GPU of that system, by which its
 *  time becomes one of another:
 *
 *    t1_here = here + (t1 - there)    if t1 > there
 *            = here t1 / there        otherwise
 *
 *  Given    there  s, >= 0: T_infinite(1) of the same step on that system, with
 *                  no t1; 0, and setting a time: t1 is taken as it is
 *           (here is the same of the system that is asked about)
 *  Limits   here = there: t1.  Half of what scaling the rest as well would
 *           change is added to the error (ours)
 *  Fails    GSCALE_EDOMAIN  no such time
 *  Source   ours: what a roofline does not explain is of no known resource
 */
gscale_status gscale_workload_set_t1_roofline(gscale_workload *w, double there,
                                              gscale_diag *diag);
/** Says what a step of the program's own schedule took on so many GPUs of a
 *  system.  Predictions of that step there are as wrong as they are seen to be,
 *
 *    err = hypot(run's error, T - run's time)
 *
 *  in place of all else that would make them unsure (gscale_error).
 *
 *  Given    gpus  >= 1;  time  s, > 0, of a steady step;  system  its name,
 *                 with the link that it has; no more than one run is kept
 *  Fails    GSCALE_EDOMAIN
 *  Source   ours
 */
gscale_status gscale_workload_set_run(gscale_workload *w, int gpus,
                                      gscale_param time, const char *system,
                                      gscale_diag *diag);
/** What the host does around kernels and copies.
 *
 *  Fails    GSCALE_EDOMAIN  a number outside its domain, named
 *           GSCALE_EDATA    barriers = 2 or more with one thread, or with a
 *                           host that does not wait for each phase; a norm that
 *                           is read late though the host waits for its step
 */
gscale_status gscale_workload_set_host(gscale_workload *w, const gscale_host *h,
                                       gscale_diag *diag);
const char *gscale_workload_name(const gscale_workload *w);
size_t gscale_workload_phases(const gscale_workload *w);
const gscale_phase *gscale_workload_phase(const gscale_workload *w, size_t i);
double gscale_workload_single(const gscale_workload *w);
/** The measured time of a step on one GPU, with its origin and error. */
const gscale_param *gscale_workload_t1(const gscale_workload *w);
const char *gscale_workload_t1_on(const gscale_workload *w);
/** Whether there is such a time, and it is of other systems than this one. */
bool gscale_workload_t1_elsewhere(const gscale_workload *w, const char *system);
const gscale_host *gscale_workload_host(const gscale_workload *w);
/** What gscale_workload_doubt said of a number; NULL if it said nothing. */
const gscale_param *gscale_workload_doubted(const gscale_workload *w,
                                            size_t phase, const gscale_field *f,
                                            size_t i);
/** The weakest origin among its numbers. */
gscale_origin gscale_workload_origin(const gscale_workload *w);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_WORKLOAD_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
