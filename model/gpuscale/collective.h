/*
 * collective.h - collective operations between GPUs: what an algorithm moves,
 * by which protocol, and how long that takes.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_COLLECTIVE_EQUATIONS_H
#define GSCALE_COLLECTIVE_EQUATIONS_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is asked for.  `bytes` of it (gscale_coll_call) are, as nccl-tests
 *  count them, those of */
typedef enum gscale_coll_kind {
  GSCALE_COLL_ALL_REDUCE,     /* the array that every GPU has */
  GSCALE_COLL_ALL_GATHER,     /* the array that every GPU gets */
  GSCALE_COLL_REDUCE_SCATTER, /* the array that every GPU begins with */
  GSCALE_COLL_BROADCAST,      /* the array */
  GSCALE_COLL_REDUCE,         /* the array that every GPU has */
  GSCALE_COLL_ALL_TO_ALL, /* what a GPU begins with: an nth is for each GPU */
  GSCALE_COLL_SEND_RECV,  /* what each GPU sends, to one other */
  GSCALE_COLL_KIND_END
} gscale_coll_kind;

/** The ways in which it is done. */
typedef enum gscale_coll_algorithm {
  GSCALE_COLL_RING,        /* each GPU to the next one, in chunks */
  GSCALE_COLL_TREE,        /* up two trees and down: a chain in a node */
  GSCALE_COLL_PAIRWISE,    /* with one other GPU after the other */
  GSCALE_COLL_DIRECT,      /* with all others at once */
  GSCALE_COLL_IN_SWITCH,   /* the switch adds up and copies: NVLS */
  GSCALE_COLL_SWITCH_TREE, /* that in each node, trees between: NVLSTree */
  /* Of no library that chooses: by kernels that reach all peers' memory. */
  GSCALE_COLL_ONE_SHOT, /* each GPU adds up all arrays */
  GSCALE_COLL_TWO_SHOT, /* each an nth of them, which the others get then */
  /* Of MPI, between processes: gscale_coll_mpi of a machine. */
  GSCALE_COLL_MPI,                /* what the library takes */
  GSCALE_COLL_RECURSIVE_DOUBLING, /* all with partners twice as far each time */
  GSCALE_COLL_RABENSEIFNER,       /* halves so, and back */
  GSCALE_COLL_MPI_RING,           /* each to the next one */
  GSCALE_COLL_BINOMIAL,           /* from those who have it to as many others */
  GSCALE_COLL_SPLIT_TREE,   /* halves down two binary trees, in segments */
  GSCALE_COLL_CHAIN,        /* down a chain, in segments */
  GSCALE_COLL_BRUCK,        /* half of all in each of log2 n rounds */
  GSCALE_COLL_MPI_PAIRWISE, /* with one other after the other */
  GSCALE_COLL_ALGORITHM_END
} gscale_coll_algorithm;

enum {
  GSCALE_COLL_OF_NCCL = GSCALE_COLL_ONE_SHOT /* algorithms below this */
};

/** How a message says that it is there. */
typedef enum gscale_coll_protocol {
  GSCALE_COLL_LL,     /* a flag beside every 4 B */
  GSCALE_COLL_LL128,  /* a flag of 8 B in every 128 B */
  GSCALE_COLL_SIMPLE, /* a flag behind a chunk */
  /* Of MPI: the arrays are in */
  GSCALE_COLL_HOST,      /* memory of the host */
  GSCALE_COLL_STAGED,    /* that of GPUs, and are copied to it and back */
  GSCALE_COLL_GPUDIRECT, /* that of GPUs, which its messages reach */
  GSCALE_COLL_PROTOCOL_END
} gscale_coll_protocol;

enum {
  GSCALE_COLL_LINES = GSCALE_COLL_HOST /* protocols of NCCL */
};

/** By which rules MPI takes an algorithm. */
typedef enum gscale_mpi_rules {
  GSCALE_MPI_FASTEST,  /* not known: what takes the least time */
  GSCALE_MPI_OPEN_MPI, /* of Open MPI 1 to 4.0, by bytes and processes */
  GSCALE_MPI_MPICH,    /* of MPICH and what comes from it */
  GSCALE_MPI_RULES_END
} gscale_mpi_rules;

/* "all-reduce", "ring", "LL128" ...; NULL past the end. */
const char *gscale_coll_kind_name(gscale_coll_kind k);
const char *gscale_coll_algorithm_name(gscale_coll_algorithm a);
const char *gscale_coll_protocol_name(gscale_coll_protocol p);

/** What does it: GPUs, links, and the library.  All numbers >= 0, rates > 0. */
typedef struct gscale_coll_machine {
  double start; /* s, a kernel of the library that moves nothing */
  struct {
    double start;   /* s, more */
    double step;    /* s, of each step that waits for the one before */
    double rate;    /* B/s, useful, of a GPU; INFINITY: no limit of its own */
    double payload; /* useful bytes / bytes it sends, 0 .. 1 */
  } by[GSCALE_COLL_LINES];
  double link;       /* B/s, useful, what a GPU's port attains by kernels */
  double turn;       /* 0 .. 1: see gscale_coll_idle() */
  double pair_start; /* s, more: sends and receives of pairs */
  double channel;    /* B/s, useful, of one channel of a pair */
  double channels;   /* of a GPU, >= 1 */
  double
      in_switch;  /* B/s through a port, if the switch adds up; 0: it cannot */
  double port;    /* B/s of a GPU's port as sold: the library counts links, and
                   * takes each for what its generation has, whatever it does */
  double version; /* of the library, 22907: 2.29.7; it says what there is */
  double add;     /* B/s at which a GPU adds arrays up */
  int node;       /* GPUs that are joined without a network, >= 1 */
  struct {
    struct {
      double start; /* s, more to begin, instead of by[].start */
      double step;  /* s, of each step from node to node, of a ring or a pair */
      double tree;  /* s, the same of a tree */
      double rate;  /* B/s, useful, of all network cards of a node; 0: this
                     * protocol is not used between nodes; simple: 0: there is
                     * no network, and all GPUs are joined as those of a node */
    } by[GSCALE_COLL_LINES];
    double inside; /* s, least of a ring's steps inside a node, simple */
    double full;   /* 0 .. 1: of the rate, what rings and trees attain by eight
                    * cards or more, pairs by all of it; 0: all, too */
    double cards;  /* of a node, >= 1: a GPU sends by its own */
    double leaf;  /* nodes below a switch of the network, >= 1; INFINITY: all */
    double taper; /* uplinks of that switch / its ports, above 0 .. 1 */
  } net;
  struct {
    double start;   /* s, a kernel that reaches all peers */
    double barrier; /* s, of all GPUs, inside a kernel */
    double rate;    /* B/s of a GPU, by such a kernel; 0: there is none */
  } peer;
  struct {
    gscale_mpi_rules rules;
    double start;      /* s, a call that moves nothing */
    double step, rate; /* s, B/s: a message inside a node, of a process */
    double add;        /* B/s at which a process adds arrays up */
    double net_step;   /* s, a message between nodes */
    double net_rate;   /* B/s, all cards of a node by MPI; 0: their ports */
    double copy_start, copy_rate;      /* s, B/s: to the host and back */
    double gpu_step, gpu_rate;         /* s, B/s: as step and rate, */
    double gpu_net_step, gpu_net_rate; /* between GPUs' memories */
    double gpu_short_rate; /* B/s, of messages up to 8 KiB there; 0: no limit */
    double port; /* B/s of all cards of a node as sold; 0: there is no network
                  */
  } mpi;
} gscale_coll_machine;

/** One call, which all n GPUs make. */
typedef struct gscale_coll_call {
  gscale_coll_kind kind;
  int n;        /* GPUs, >= 1 */
  double bytes; /* B, >= 0: see gscale_coll_kind */
  double route; /* bytes on the busiest link / bytes of the busiest port, for
                 * the neighbours of a ring, >= 1; 1: every port for itself */
  double route_all; /* the same where each GPU sends to all others */
  bool streamed;    /* one of many calls in a row: a GPU whose part is done goes
                     * on, and does not wait for the last one */
} gscale_coll_call;

/** Steps that wait for one another, of n GPUs in nodes of `node`.
 *
 *                    ring      tree              pairwise direct switch   +
 * tree all-reduce      2 (n-1)   2 (m-1) + 2 log2 k                 2     2 + 2
 * log2 k all-gather        n-1                                        1
 *    reduce-scatter    n-1                                        1
 *    broadcast, reduce n-1
 *    all-to-all                                  n-1      1
 *    send-recv                                            1
 *
 *  with m = min(n, node), k nodes, and the logarithm rounded up.
 *
 *  Given    n     >= 1;  node  >= 1
 *  One shot takes 1, two shots 2.
 *
 *  Returns  0 for n = 1; NaN where the algorithm cannot do it (the gaps), of
 *           MPI, or outside the domain
 *  Source   ring: [PatarasukYuan09]; the chain within a node, the trees of
 *           nodes, and what of these is done by which: [Nccl]; the switch:
 *           [Klenk20]
 */
double gscale_coll_steps(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                         int node);

/** Bytes through the busiest port, one direction, / bytes of the call.
 *
 *                    ring       tree          pairwise, direct  switch, + tree
 *    all-reduce      2 (n-1)/n  min(2, m-1)                     (m+1)/m
 *    all-gather        (n-1)/n                                  (n-1)/n
 *    reduce-scatter    (n-1)/n                                  (n-1)/n
 *    broadcast         1
 *    reduce            1
 *    all-to-all                               (n-1)/n
 *    send-recv                                 1
 *
 *  and n - 1 by one shot, 2 (n-1)/n by two, with m = min(n, node).  A switch
 *  reads the array of every GPU once, and an
 *  mth of the sum leaves each GPU again to be copied to all.  In a chain the
 *  array goes up by one neighbour and down by the other.
 *
 *  Given    n     >= 1;  node  >= 1
 *  Returns  0 for n = 1; NaN as gscale_coll_steps
 *  Limits   an all-reduce by ring -> 2 for many GPUs, by the switch -> 1
 *  Source   [PatarasukYuan09]; nccl-tests, doc/PERFORMANCE.md; [Klenk20]; 5 to
 *           8 H100: 309 GB/s n/(n+1) within 0.5 % (NVIDIA/nccl, issue 1455)
 */
double gscale_coll_traffic(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node);

/** Of gscale_coll_steps(), those from one node to another, in a ring or a tree
 *  that passes each node once; of pairs those with GPUs of other nodes.
 *
 *                    ring      trees          pairwise  direct
 *    all-reduce      2 (k-1)   2 log2 k
 *    all-gather        k-1
 *    reduce-scatter    k-1
 *    broadcast, reduce k-1
 *    all-to-all                               n - node  1
 *    send-recv                                          1
 *
 *  with k = n / node, and the logarithm rounded up.
 *
 *  Given and returns as gscale_coll_steps
 *  Source   as there */
double gscale_coll_hops(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                        int node);

/** Bytes of the step of a ring by simple in which a GPU sends nothing, / bytes
 *  of the call.  It copies or adds up then.  That is 1/n of an all-reduce, an
 *  all-gather and a reduce-scatter: their loops have 2n-1, n and n steps, and
 *  a GPU sends in all but one.  It is 1/n of an all-to-all too, whose own part
 *  a GPU copies; else 0.  The next loop begins beside that step, so that only a
 *  share of it shows, `turn` of gscale_coll_machine.
 *
 *  Given    n  >= 1
 *  Returns  0 for n = 1; NaN outside the domain
 *  Source   [Nccl] its loops; ours: two H200 attain 29 % less by gathers than
 *           by broadcasts, four 12 % (data/h200x2, data/h200x4)
 */
double gscale_coll_idle(gscale_coll_kind kind, gscale_coll_algorithm a, int n);

/** Bytes that leave the busiest node / bytes of the call.
 *
 *    ring               gscale_coll_traffic(): all channels together pass each
 *                       node once
 *    trees              of two nodes 1: half of the array goes up one tree, and
 *                       half down the other; of more 2: a node inside one tree
 *                       sends its half up once and down twice, and as a leaf of
 *                       the other the other half up
 *    pairwise, direct   all-to-all  node (n - node) / n
 *                       send-recv   1: of a node's GPUs one sends to the next
 *                       node
 *
 *  Given    n, node  >= 1
 *  Returns  0 for n <= node; NaN where the algorithm cannot do it
 *  Source   [Nccl] its two trees; ours */
double gscale_coll_leaving(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node);

/** Channels by which a GPU sends `bytes` to one other of n.
 *
 *    channels halved while n times as many are more than there are; then
 *    doubled, at most to all of them, while one would get more than 16 MiB
 *
 *  Given    bytes >= 0;  n >= 2;  channels >= 1
 *  Returns  1 .. channels; NaN outside the domain
 *  Limits   few GPUs, or much to send: all of them
 *  Source   [Nccl] how it cuts sends into parts; H100 logs of nccl-tests, whose
 *           bandwidth at 32 MiB is 80, 150, 305 GB/s on 8, 4 and 2 GPUs
 */
double gscale_coll_channels(double bytes, int n, double channels);

/** Steps that hold up a GPU in a stream of broadcasts, or of reductions: nobody
 *  waits for the last one, but a GPU in the middle receives and sends on.
 *
 *    0 by LL, whose flags come with the data; else min(n - 1, 2)
 *
 *  Given    n     >= 1
 *  Returns  NaN outside the domain
 *  Source   ours, from streams of calls on H200 and A100 (data/h200x4/micro)
 */
double gscale_coll_held(int n, gscale_coll_protocol p);

/** What it takes by one algorithm and protocol.
 *
 *    start    = machine.start + by[p].start  (+ pair_start)
 *    latency  = steps by[p].step
 *    transfer = max( wire / rate, added / add )
 *
 *  with wire = traffic * route * bytes, and by simple turn * idle * bytes more
 *  (gscale_coll_idle); rate the least of by[p].rate,
 *  by[p].payload * link, and, where pairs send, of what their channels carry;
 *  in the switch that of machine.in_switch; added = (n-1)/n bytes where GPUs
 *  add up.  In a stream the steps of broadcasts and reductions are those of
 *  gscale_coll_held.
 *
 *  Between nodes (n > node, and there is a network) net.start stands for
 *  by[p].start, of trees the less of both, but not in a stream by LL; steps
 * from node to node take net.step instead, of trees net.tree; of rings by
 * simple those inside a node take net.inside or more; and
 *
 *    ring, pairs  transfer = max( that, leaving bytes / cards,
 *                                 leaving a switch bytes / (cards leaf taper) )
 *    tree         transfer = that + the largest of the others,
 *                 latency more by   hops piece / cards
 *    in-switch tree   latency as of a tree, transfer the largest of all
 *
 *  cards being net.rate of simple times the payload; piece what a step passes
 *  on, half of the array, by simple at most 512 KiB a card.  By LL cards are
 *  net.rate of LL.  A ring's bytes over it are (k-1)/k instead of (n-1)/n of
 *  what is moved, as those of steps inside a node are sent beside them; a
 *  tree's are its pieces.  What leaves is gscale_coll_leaving() of a node, or
 * of all nodes below a switch, where there are more of them; pairs of a
 * send-recv have one card: cards / net.cards.  By eight cards or more all but
 * pairs attain net.full of that.  A switch inside a node adds up
 * for one node only; pairs of several nodes use simple.
 *
 *  Returns  all 0 for n = 1: nothing is moved.  All NaN outside the domain,
 *           where the algorithm cannot do it, or the switch not add up;
 *           in-switch by the simple protocol only
 *  Limits   bytes = 0: start + latency
 *  Omits    arrays that do not begin at multiples of 16 B (all-gather and
 *           all-to-all on 3 GPUs take up to twice as long); reductions in
 *           switches of the network (CollNet), gathers by trees (PAT), which
 * one has to ask for or have a network card a GPU for Source   [Hockney94]
 * start and rate, with the steps of the algorithm; protocols of [Nccl]
 */
typedef struct gscale_coll_time {
  double start;    /* s, until something moves */
  double latency;  /* s, of its steps */
  double transfer; /* s, of its bytes */
} gscale_coll_time;

/** A kernel that is bound by arithmetic, beside a collective that keeps a share
 *  of the multiprocessors, one for each of its channels, from when both begin.
 *
 *    min( kernel + share collective, kernel / (1 - share) )
 *
 *  Given    kernel, collective  s, >= 0;  share  0 .. 1, below 1
 *  Returns  s, >= kernel; NaN outside the domain
 *  Limits   kernel if share or collective is 0; kernel / (1 - share) if the
 *           collective lasts longer
 *  Omits    the memory's and the links' bandwidth that it takes too
 *  Source   ours: what is left works on at its own rate
 */
double gscale_coll_beside(double kernel, double collective, double share);

/** Bytes that all processes send by an algorithm of MPI / bytes of the call.
 *
 *  Given    n  >= 1
 *  Returns  0 for n = 1; NaN where the algorithm cannot do it
 *  Source   [Thakur05] */
double gscale_mpi_sent(gscale_coll_kind kind, gscale_coll_algorithm a, int n);

/** A way of doing it, and what it takes. */
typedef struct gscale_coll_choice {
  gscale_coll_algorithm algorithm;
  gscale_coll_protocol protocol;
  gscale_coll_time time;
  double total; /* s, the sum of it */
  double seen;  /* s, what the library takes it for when it chooses */
} gscale_coll_choice;

/** What the library chooses, if none is named: NCCL.  What it chooses is the
 *  fastest of all ways, but that it
 *
 *    takes a tree of several nodes, by simple, for one whose arrays leave a
 * node twice at 0.92 of the rate, so that large ones go by ring lets the switch
 * of a node add up if, of n GPUs, share n speed > 0.8 port n / (2 (n-1)), with
 * speed the highest of a list of which n + 1 pass a port, and share 0.85
 * (NVLink 5: 0.74; before 2.28: 5/6), so from five GPUs on, of H100
 *
 *  One shot and two shots, of one node, inside a kernel of their own:
 *
 *    start + barriers barrier + wire / min(rate, link)
 *
 *  with 2 barriers of one shot, 3 of two; by LL, one shot only, 1 and twice the
 *  bytes.
 *
 *  By MPI, of processes in blocks on k nodes, each with m of n, s = bytes, a
 * and b a message's step and seconds a byte in a node, A and B those between
 * nodes (B of a node's cards), g seconds to add a byte, l = log2 n, L = log2 k,
 *  rounded up:
 *
 *    recursive doubling  all-reduce  (l-L)(a + s(b+g)) + L(A + s(max(mB,
 * b)+g)), 2 rounds more and one less where n is no power of 2 all-gather  (l-L)
 * a + L A + s (m-1)/n b
 *                                    + s (k-1)/k max(mB, b)
 *    Rabenseifner        2 (l-L) a + 2 L A + s (n-1)/n (2b + g)
 *                        + 2 s m (k-1)/k B;  half of it a reduce-scatter
 *    ring                2 ((n-k) a + (k-1) A) + s (n-1)/n (2 max(b, B) + g);
 *                        half of it, without g, an all-gather
 *    binomial            (l-L)(a + s(b+g)) + L(A + s(B+g))
 *    split tree          (l-L)(a + 1 KiB b) + L(A + 1 KiB B) + a + s/2 b
 *                        + (segments - 1) max(3(a + 1 KiB b), A + 1 KiB B)
 *    chain               (n-k)(a + 8 KiB b) + (k-1)(A + 8 KiB B) + (segments -
 * 1) (a + 8 KiB b + max(a + 8 KiB b, A + 8 KiB B)) + s g Bruck (l-L)(a + s/2 b)
 * + L(A + s/2 max(mB, b)) pairwise            (m-1)(a + s/n (b+g)) + (n-m)(A +
 * s/n (max(mB, b)+g))
 *
 *  Where all nodes send in pairs B is over 1 - (1 - 2/k)^(k/2), and so is
 *  max(mB, b): the share of as many links as pairs that is busy if each path is
 *  chosen without the others, 0.75 on 4 nodes, 0.63 on many; 1 below one switch
 *  (leaf >= k, and said).  Rings, chains and trees send to neighbours, or from
 *  few nodes.
 *
 *  and mpi.start more, staged copy_start + 2 s / copy_rate.  What is to be
 * added is staged, and else the faster of both ways is taken, by Open MPI's
 * rules always GPUDirect.
 *
 *  Given    a, p   the algorithm, the protocol; their END: any of NCCL.  An
 *                  algorithm of MPI or one of its protocols: MPI
 *  Returns  of equals the first.  total NaN, and both ENDs, if none of them can
 *           do it
 *  Laws     by one algorithm and protocol it never falls when a step or a start
 *           grows, a rate falls, or more is to be moved; but a pair that sends
 *           more may get more channels, and be faster
 *  Omits    of MPI, copies beside messages; processes that add on the GPU; what
 *           remains of halves where n is no power of 2
 *  Source   [Thakur05], [OpenMPI] its fixed rules; [Hoefler08] 55 to 60 % of a
 *           full bisection are attained; [Nccl] its estimates; 10 of
 * 10 choices of eight H200 and B200 of stas00/ml-engineering
 */
gscale_coll_choice gscale_coll_best(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_COLLECTIVE_EQUATIONS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
