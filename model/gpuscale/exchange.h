/*
 * exchange.h - what is built of messages between GPUs of several nodes:
 * barriers, reductions, steps that GPUs control.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_EXCHANGE_H
#define GSCALE_EXCHANGE_H

#include "gpuscale/message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is built of messages ------------------------------------------- */

/** A barrier of GPUs by flags in a global address space.
 *
 *    2 store + flag + flag_more (n - 2)  (+ launch, as a kernel of its own)
 *
 *  Given    n  GPUs, >= 1
 *  Returns  s; 0 for one GPU; NaN outside the domain
 *  Source   [Oden14] 6.7: check in, check out; linear in n is ours
 */
double gscale_remote_barrier(const gscale_remote *r, int n, bool kernel);

/** How GPUs with global addresses reduce. */
typedef enum gscale_gather {
  GSCALE_GATHER_READ,       /* the root, or each, loads all */
  GSCALE_GATHER_ROOT,       /* all store to the root, which casts back */
  GSCALE_GATHER_ALL,        /* all store to all */
  GSCALE_GATHER_ALL_TO_ALL, /* each reduces its part */
  GSCALE_GATHER_TREE,       /* a binomial tree */
  GSCALE_GATHER_END
} gscale_gather;

const char *gscale_gather_name(gscale_gather g); /* "root"; or NULL */

/** A reduction of arrays of n GPUs, to one or to all of them, by stores.
 *
 *  With S(b) a message of b bytes by ggas, gap G(b), bar a barrier, and M the
 *  memory's rate:
 *
 *    read        bar + (n-1) load(V)                       one and all
 *    root        S(V) + (n-2) G(V) + bar + n V/M;  all: + S(V) + (n-2) G(V) +
 *                bar
 *    all         S(V) + (n-2) G(V) + bar + n V/M           one and all
 *    all-to-all  2 ( S(V/n) + (n-2) G(V/n) + bar ) + V/M   one and all
 *    tree        ceil(log2 n) ( S(V) + store + 2 V/M );  all: twice
 *
 *  The root's adapter takes in what n-1 GPUs send; a cast leaves by one.
 *
 *  Given    n       GPUs, >= 1;  bytes  V, >= 0;  memory  B/s, > 0
 *  Returns  s; 0 for one GPU; NaN outside the domain
 *  Limits   V = 0: barriers and stores
 *  Source   ours, from [Oden14] 6.8
 */
double gscale_remote_reduce(const gscale_remote *r, gscale_gather g, int n,
                            double bytes, double memory, bool all);

/** An all-reduce of few values by hosts in a binomial tree of messages, there
 *  and back, of buffers on GPUs or on hosts.
 *
 *    2 ceil(log2 n) (L + (sharing-1) path.gap)  (+ 2 start, of GPUs' buffers)
 *
 *  Given    n  processes, >= 1;  sharing  of them on a node, >= 1
 *  Returns  s; 0 for one process; NaN outside the domain
 *  Omits    adding up; more than some hundred values
 *  Source   ours, from [Oden14] 4.2.4, 4.4.3
 */
double gscale_host_allreduce(const gscale_remote *r, int n, double sharing,
                             gscale_place buffers);

/** Of the rate of one direction of a GPU's port, what each of both has while
 *  both are in use.
 *
 *    (1 + gain) / 2
 *
 *  Given    gain  both together over one alone, less 1; 0 .. 1
 *  Returns  NaN outside the domain
 *  Limits   1 for links that are full duplex
 *  Source   ours; 0.193 on the Fermi GPUs of [MpiAcc16] 7.2
 */
double gscale_opposite(double gain);

/** Times longer that a copy takes because packets of a message, in the same
 *  direction, stand before it in the GPU's one queue.
 *
 *    1 + busy queued packet / copy
 *
 *  Given    copy, packet  s, of the copy alone, > 0, and of a packet's, >= 0
 *           queued        packets that are handed over at once, >= 0: 1 if the
 *                         next one follows when the stage is free, all of a
 *                         message if they are handed over ahead
 *           busy          share of the time that some are, 0 .. 1
 *  Returns  NaN outside the domain
 *  Limits   long copies: 1
 *  Source   ours, from [MpiAcc16] 7.2
 */
double gscale_queued(double copy, double packet, double queued, double busy);

/** A transfer and a kernel, both on stream 0, or each on its own.
 *
 *    transfer + kernel  on stream 0;  max(transfer, kernel)  apart
 *
 *  Given    transfer, kernel  s, >= 0
 *  Returns  s; NaN outside the domain
 *  Omits    what they lose beside one another in memory
 *  Source   [MpiAcc16] 7.1
 */
double gscale_on_streams(double transfer, double kernel, bool zero);

/* ---- who controls a step ------------------------------------------------- */

/** Who waits for a kernel, sends, and waits for what others send. */
typedef enum gscale_control {
  GSCALE_CONTROL_HOST,   /* a host thread, by events */
  GSCALE_CONTROL_STREAM, /* kernels of one thread between those that compute */
  GSCALE_CONTROL_DEVICE, /* one kernel, which launches those that compute */
  GSCALE_CONTROL_IN_KERNEL, /* blocks of the kernels that compute */
  GSCALE_CONTROL_GLOBAL,    /* they store to global addresses, then a barrier */
  GSCALE_CONTROL_END
} gscale_control;

const char *gscale_control_name(gscale_control c); /* "stream"; or NULL */

/** A step of two halves: while one is computed, the other's boundary travels.
 */
typedef struct gscale_halves {
  double compute; /* s of one half's kernel, >= 0 */
  double send;    /* s, of one boundary: from its post to its arrival, >= 0 */
  double post;    /* s, a GPU posts it, >= 0 */
  double poll;    /* s, a GPU takes a completion, >= 0 */
  double event;   /* s, a host starts a kernel and sees its end, >= 0 */
  double between; /* s, between two kernels of a stream, >= 0 */
  double launch;  /* s, a kernel starts one and waits for it, >= 0 */
  double blocks;  /* of one kernel, >= 1 */
  double wait;    /* s, in-kernel: each block waits so long for each, >= 0 */
  double barrier; /* s, of all GPUs, >= 0 */
} gscale_halves;

/** Seconds of the step.
 *
 *    host       2 max(compute + event, send)
 *    stream     2 ( 2 post + 3 between + max(compute, send) + 2 poll )
 *    device     2 ( 2 post + max(compute + launch, send) + 2 poll )
 *    in-kernel  2 ( 2 post + max(compute, send) + blocks^2 wait )
 *    global     2 ( compute + send ) + barrier + launch
 *
 *  A boundary is a message and its notification: two posts, two polls.  Stores
 *  to global addresses are a part of the kernel and overlap with nothing.
 *
 *  Returns  NaN outside the domain
 *  Limits   long kernels: twice `compute`, but for in-kernel and global
 *  Source   ours, from [Oden14] 4.5, 5.8, 6.9.1.  That blocks wait for each
 *           other, so that it grows with their square, is one reading of what
 *           it prints at two sizes
 */
double gscale_control_step(gscale_control c, const gscale_halves *h);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_EXCHANGE_H */
