/* collective.h - collective operations between GPUs: traffic and time of each
 * algorithm and protocol.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_COLLECTIVE_EQUATIONS_H
#define GSCALE_COLLECTIVE_EQUATIONS_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of a call.  Its `bytes` (gscale_coll_call), as nccl-tests count
 *  them, are those of the following. */
typedef enum gscale_coll_kind {
  GSCALE_COLL_ALL_REDUCE,     /* the array of every GPU */
  GSCALE_COLL_ALL_GATHER,     /* the array that every GPU receives */
  GSCALE_COLL_REDUCE_SCATTER, /* the array of every GPU */
  GSCALE_COLL_BROADCAST,      /* the array */
  GSCALE_COLL_REDUCE,         /* the array of every GPU */
  GSCALE_COLL_ALL_TO_ALL,     /* a GPU's array, 1/n for each GPU */
  GSCALE_COLL_SEND_RECV,      /* a GPU's data for one other */
  GSCALE_COLL_KIND_END
} gscale_coll_kind;

/** The algorithm of a call. */
typedef enum gscale_coll_algorithm {
  GSCALE_COLL_RING,        /* each GPU to the next, in chunks */
  GSCALE_COLL_TREE,        /* up and down two trees; a chain in a node */
  GSCALE_COLL_PAIRWISE,    /* one pair of GPUs after another */
  GSCALE_COLL_DIRECT,      /* all pairs of GPUs at once */
  GSCALE_COLL_IN_SWITCH,   /* the switch reduces and copies: NVLS */
  GSCALE_COLL_SWITCH_TREE, /* switches, and trees between nodes: NVLSTree */
  /* These run in kernels that access all peers' memory, and no library chooses
   * them. */
  GSCALE_COLL_ONE_SHOT, /* each GPU reduces all arrays */
  GSCALE_COLL_TWO_SHOT, /* each GPU reduces 1/n for all others */
  /* These are algorithms of MPI, between processes: gscale_coll_mpi of a
   * machine. */
  GSCALE_COLL_MPI,                /* the library's choice */
  GSCALE_COLL_RECURSIVE_DOUBLING, /* distances double, all bytes */
  GSCALE_COLL_RABENSEIFNER,       /* recursive halving, and back */
  GSCALE_COLL_MPI_RING,           /* each process to the next */
  GSCALE_COLL_BINOMIAL,           /* the number of senders doubles */
  GSCALE_COLL_SPLIT_TREE,         /* segments down two binary trees */
  GSCALE_COLL_CHAIN,              /* down a chain, in segments */
  GSCALE_COLL_BRUCK,              /* half of all bytes, log2 n rounds */
  GSCALE_COLL_MPI_PAIRWISE,       /* one pair of processes after another */
  GSCALE_COLL_ALGORITHM_END
} gscale_coll_algorithm;

enum {
  GSCALE_COLL_OF_NCCL = GSCALE_COLL_ONE_SHOT /* algorithms below this */
};

/** The protocol by which a message signals its arrival. */
typedef enum gscale_coll_protocol {
  GSCALE_COLL_LL,     /* a flag beside every 4 B */
  GSCALE_COLL_LL128,  /* a flag of 8 B in every 128 B */
  GSCALE_COLL_SIMPLE, /* a flag after each chunk */
  /* These are of MPI, by the place of the arrays. */
  GSCALE_COLL_HOST,      /* host memory */
  GSCALE_COLL_STAGED,    /* GPU memory, copied to the host and back */
  GSCALE_COLL_GPUDIRECT, /* GPU memory, sent directly */
  GSCALE_COLL_PROTOCOL_END
} gscale_coll_protocol;

enum {
  GSCALE_COLL_LINES = GSCALE_COLL_HOST /* protocols of NCCL */
};

/** The rules by which MPI chooses an algorithm. */
typedef enum gscale_mpi_rules {
  GSCALE_MPI_FASTEST,  /* not known: the fastest */
  GSCALE_MPI_OPEN_MPI, /* Open MPI 1 to 4.0, by bytes and processes */
  GSCALE_MPI_MPICH,    /* MPICH and its derivatives */
  GSCALE_MPI_RULES_END
} gscale_mpi_rules;

/** The GPUs, links and library of a call.  All numbers are >= 0, rates > 0. */
typedef struct gscale_coll_machine {
  double start; /* s, an empty kernel of the library */
  struct {
    double start;   /* s, more */
    double step;    /* s of each dependent step */
    double rate;    /* useful B/s of a GPU; INFINITY: no own limit */
    double payload; /* useful bytes / sent bytes, 0 .. 1 */
  } by[GSCALE_COLL_LINES];
  double link;       /* useful B/s of a port by kernels */
  double turn;       /* 0 .. 1: see gscale_coll_idle() */
  double pair_start; /* s, added for sends and receives */
  double channel;    /* useful B/s of a pair's channel */
  double channels;   /* channels of a GPU, >= 1 */
  double in_switch;  /* B/s through a port if the switch reduces, else 0 */
  double port;       /* B/s of a port as sold: the library assumes its link
                      * generation's rate, whatever the link attains */
  double version;    /* version of the library, 22907 for 2.29.7; it decides
                      * which features exist */
  double add;        /* B/s of a GPU's reductions */
  int node;          /* GPUs joined without a network, >= 1 */
  struct {
    struct {
      double start; /* s, instead of by[].start */
      double step;  /* s of each step between nodes, of a ring or pair */
      double tree;  /* s of a tree's step between nodes */
      double rate;  /* useful B/s of a node's network cards; 0: the protocol is
                     * not used between nodes; simple 0: there is no network,
                     * and all GPUs are one node */
    } by[GSCALE_COLL_LINES];
    double inside; /* s, least of a ring's steps in a node, simple */
    double full;   /* 0 .. 1: share of the rate that rings and trees attain by
                    * eight cards or more; 0: all */
    double cards;  /* cards of a node, >= 1; a GPU uses its own */
    double leaf;   /* nodes below a network switch, >= 1; INFINITY: all */
    double taper;  /* the switch's uplinks / its ports, above 0 .. 1 */
  } net;
  struct {
    double start;   /* s, a kernel with access to all peers */
    double barrier; /* s of all GPUs, inside a kernel */
    double rate;    /* B/s of a GPU by such a kernel; 0: none */
  } peer;
  struct {
    gscale_mpi_rules rules;
    double start;                 /* s, an empty call */
    double step, rate;            /* s, B/s of a process in a node */
    double add;                   /* B/s of a process's reductions */
    double net_step;              /* s, a message between nodes */
    double net_rate;              /* B/s, all cards by MPI; 0: their ports */
    double copy_start, copy_rate; /* s, B/s: to the host and back */
    double gpu_step, gpu_rate;    /* s, B/s: as step and rate, */
    double gpu_net_step, gpu_net_rate; /* between GPUs' memories */
    double gpu_short_rate;             /* B/s up to 8 KiB there; 0: no limit */
    double port; /* B/s of a node's cards as sold; 0: no network */
  } mpi;
} gscale_coll_machine;

/** One call, made by all n GPUs. */
typedef struct gscale_coll_call {
  gscale_coll_kind kind;
  int n;        /* GPUs, >= 1 */
  double bytes; /* B, >= 0: see gscale_coll_kind */
  double route; /* bytes on the busiest link / bytes of the busiest port, for a
                 * ring's neighbours, >= 1; 1: no sharing */
  double route_all; /* the same for all pairs of GPUs */
  bool streamed;    /* one of many consecutive calls: a GPU continues when its
                     * part is done, without waiting for the last one */
} gscale_coll_call;

/** Returns the number of dependent steps of n GPUs in nodes of `node`.
 *
 *                     ring     tree                 pairwise  direct
 *    all-reduce       2 (n-1)  2 (m-1) + 2 log2 k
 *    all-gather       n-1
 *    reduce-scatter   n-1
 *    broadcast, reduce  n-1
 *    all-to-all                                     n-1       1
 *    send-recv                                                1.
 *
 *    in-switch        2 for an all-reduce, 1 for a gather or scatter
 *    in-switch-tree   2 + 2 log2 k for an all-reduce.
 *
 *  Here m = min(n, node), k is the number of nodes, and the logarithm is
 *  rounded up.  One shot takes 1, two shots 2.
 *
 *  Given    n     >= 1;  node  >= 1.
 *  Returns  0 for n = 1; NaN where the algorithm cannot do it (the gaps), of
 *           MPI, or outside the domain.
 *  Source   ring: [PatarasukYuan09]; the chain within a node, the trees of
 *           nodes, and their use by each call: [Nccl]; the switch: [Klenk20].
 */
double gscale_coll_steps(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                         int node);

/** Returns bytes through the busiest port, one direction, / bytes of the call.
 *
 *                    ring       tree          pairwise, direct  switch, + tree
 *    all-reduce      2 (n-1)/n  min(2, m-1)                     (m+1)/m
 *    all-gather        (n-1)/n                                  (n-1)/n
 *    reduce-scatter    (n-1)/n                                  (n-1)/n
 *    broadcast         1
 *    reduce            1
 *    all-to-all                               (n-1)/n
 *    send-recv                                 1.
 *
 *  Here m = min(n, node).  One shot sends n - 1, two shots 2 (n-1)/n. A switch
 *  reads the array of every GPU once, and each GPU sends 1/m of the sum again,
 *  which the switch copies to all. In a chain the array goes up by one
 *  neighbour and down by the other.
 *
 *  Given    n     >= 1;  node  >= 1.
 *  Returns  0 for n = 1; NaN as gscale_coll_steps.
 *  Limits   an all-reduce by ring -> 2 for many GPUs, by the switch -> 1.
 *  Source   [PatarasukYuan09]; nccl-tests, doc/PERFORMANCE.md; [Klenk20]; 5 to
 *           8 H100: 309 GB/s n/(n+1) within 0.5 % (NVIDIA/nccl, issue 1455). */
double gscale_coll_traffic(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node);

/** Returns the part of gscale_coll_steps() between nodes.  A ring or a tree
 *  passes each node once; pairs count if the other GPU is in another node.
 *
 *                    ring      trees          pairwise  direct
 *    all-reduce      2 (k-1)   2 log2 k
 *    all-gather        k-1
 *    reduce-scatter    k-1
 *    broadcast, reduce k-1
 *    all-to-all                               n - node  1
 *    send-recv                                          1.
 *
 *  Here k = n / node, and the logarithm is rounded up.
 *
 *  Given    arguments, and returns, as gscale_coll_steps.
 *  Source   as there. */
double gscale_coll_hops(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                        int node);

/** Returns the bytes of the step of a simple ring in which a GPU sends nothing,
 *  / bytes of the call.  The GPU copies or reduces in this step.
 *
 *  It is 1/n for an all-reduce, an all-gather and a reduce-scatter.  Their
 *  loops have 2n-1, n and n steps, and a GPU sends in all but one.  It is 1/n
 *  for an all-to-all too, because a GPU copies its own part, and 0 for other
 *  kinds.  The next loop overlaps with that step, so that only a share of it
 *  shows: `turn` of gscale_coll_machine.
 *
 *  Given    n  >= 1.
 *  Returns  0 for n = 1; NaN outside the domain.
 *  Source   [Nccl] its loops; ours: two H200 attain 29 % less by gathers than
 *           by broadcasts, four 12 % (data/h200x2, data/h200x4). */
double gscale_coll_idle(gscale_coll_kind kind, gscale_coll_algorithm a, int n);

/** Returns the bytes that leave the busiest node / bytes of the call.
 *
 *    ring               gscale_coll_traffic(): all channels together pass each
 *                       node once.
 *    trees              of two nodes 1: half of the array goes up one tree, and
 *                       half down the other; of more 2: a node inside one tree
 *                       sends its half up once and down twice, and as a leaf of
 *                       the other the other half up.
 *    pairwise, direct   all-to-all  node (n - node) / n
 *                       send-recv   1: of a node's GPUs one sends to the next
 *                       node.
 *
 *  Given    n, node  >= 1.
 *  Returns  0 for n <= node; NaN where the algorithm cannot do it.
 *  Source   [Nccl] its two trees; ours. */
double gscale_coll_leaving(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node);

/** Returns the channels by which a GPU sends `bytes` to one other of n.
 *
 *  The channels are halved while n times as many exceed the total.  Then they
 *  are doubled, at most to the total, while one would get more than 16 MiB.
 *
 *  Given    bytes >= 0;  n >= 2;  channels >= 1.
 *  Returns  1 .. channels; NaN outside the domain.
 *  Limits   few GPUs, or large sends: all of them.
 *  Source   [Nccl] its division of sends; H100 logs of nccl-tests, whose
 *           bandwidth at 32 MiB is 80, 150, 305 GB/s on 8, 4 and 2 GPUs. */
double gscale_coll_channels(double bytes, int n, double channels);

/** Returns the steps that delay a GPU in a stream of broadcasts, or of
 *  reductions. No GPU waits for the last one, but a GPU in the middle receives
 *  and sends on.
 *
 *    0 by LL, whose flags come with the data; else min(n - 1, 2).
 *
 *  Given    n     >= 1.
 *  Returns  NaN outside the domain.
 *  Source   ours, from streams of calls on H200 and A100 (data/h200x4/micro).
 */
double gscale_coll_held(int n, gscale_coll_protocol p);

/** The time of a call by one algorithm and protocol.
 *
 *    start    = machine.start + by[p].start  (+ pair_start).
 *    latency  = steps by[p].step.
 *    transfer = max( wire / rate, added / add ).
 *
 *  Here wire = traffic * route * bytes, and by simple turn * idle * bytes more
 *  (gscale_coll_idle). rate is the least of by[p].rate, by[p].payload * link,
 *  and the rate of the channels of pairs; in the switch it is
 *  machine.in_switch. added is (n-1)/n bytes where GPUs reduce. In a stream the
 *  steps of broadcasts and reductions are those of gscale_coll_held.
 *
 *  Between nodes (n > node, and there is a network) net.start replaces
 *  by[p].start; trees have the smaller of both, but not in a stream by LL.
 *  Steps between nodes take net.step instead, or net.tree for trees.  Steps of
 *  simple rings inside a node take at least net.inside.  The other parts are
 *
 *    ring, pairs  transfer = max( that, leaving bytes / cards,
 *                                 leaving a switch bytes / (cards leaf taper) )
 *    tree         transfer = that + the largest of the others,
 *                 latency more by   hops piece / cards.
 *    in-switch tree   latency as of a tree, transfer the largest of all.
 *
 *  Here cards is net.rate of simple times the payload, or net.rate of LL by LL.
 *  piece is the data that a step passes on: half of the array, by simple at
 *  most 512 KiB a card. By LL (k-1)/k replaces (n-1)/n for a ring's bytes,
 *  because steps inside a node overlap with them; a tree's bytes are its
 *  pieces. leaving is gscale_coll_leaving() of a node, or of all nodes below a
 *  switch, where there are more of them. Pairs of a send-recv have one card:
 *  cards / net.cards. By eight cards or more all but pairs attain net.full of
 *  that. A switch inside a node reduces for one node only, and pairs of several
 *  nodes use simple.
 *
 *  Returns  all 0 for n = 1: nothing is moved.  All NaN outside the domain,
 *           where the algorithm cannot do it, or the switch cannot reduce;
 *           in-switch by the simple protocol only.
 *  Limits   bytes = 0: start + latency.
 *  Omits    arrays that do not begin at multiples of 16 B (all-gather and
 *           all-to-all on 3 GPUs take up to twice as long); reductions in
 *           switches of the network (CollNet) and gathers by trees (PAT), which
 *           need a request or a network card per GPU.
 *  Source   [Hockney94] start and rate, with the steps of the algorithm;
 *           protocols of [Nccl]. */
typedef struct gscale_coll_time {
  double start;    /* s, until something moves */
  double latency;  /* s, of its steps */
  double transfer; /* s, of its bytes */
} gscale_coll_time;

/** Returns the end of a compute-bound kernel that starts together with a
 *  collective, which keeps a share of the multiprocessors, one for each of its
 *  channels.
 *
 *    min( kernel + share collective, kernel / (1 - share) ).
 *
 *  Given    kernel, collective  s, >= 0;  share  0 .. 1, below 1.
 *  Returns  s, >= kernel; NaN outside the domain.
 *  Limits   kernel if share or collective is 0; kernel / (1 - share) if the
 *           collective lasts longer.
 *  Omits    contention for the bandwidth of memory and links.
 *  Source   ours: the other multiprocessors keep their rate. */
double gscale_coll_beside(double kernel, double collective, double share);

/** Returns the time of a kernel on the multiprocessors that a collective leaves
 *  / that on all of them.
 *
 *    ceil( blocks / (residents (sms - channels)) ) /
 *      ceil( blocks / (residents sms) );
 *    1 where four or more blocks of more than a wave share a multiprocessor.
 *
 *  Given    blocks, residents (on a multiprocessor at once)  > 0;
 *           0 <= channels < sms.
 *  Returns  >= 1; NaN outside the domain.
 *  Omits    tails that the next kernel fills; persistent kernels, which deal
 *           their work anew.
 *  Source   ours: many small blocks hide the latency of memory, whose bandwidth
 *           fewer multiprocessors exhaust as well. */
double gscale_waves_beside(double blocks, double residents, double sms,
                           double channels);

/** Returns the bytes that all processes send by an algorithm of MPI / bytes of
 *  the call.
 *
 *  Given    n  >= 1.
 *  Returns  0 for n = 1; NaN where the algorithm cannot do it.
 *  Source   [Thakur05]. */
double gscale_mpi_sent(gscale_coll_kind kind, gscale_coll_algorithm a, int n);

/** The algorithm and protocol of a call, and its time. */
typedef struct gscale_coll_choice {
  gscale_coll_algorithm algorithm;
  gscale_coll_protocol protocol;
  gscale_coll_time time;
  double total; /* s, sum of `time` */
  double seen;  /* s, the library's own estimate */
} gscale_coll_choice;

/** Returns the library's choice (NCCL), or the best among the named ones.  It
 *  is the fastest one with two exceptions.
 *
 *  A tree of several nodes, by simple, counts as one whose arrays leave a node
 *  twice at 0.92 of the rate, so that large arrays go by ring.  The switch of a
 *  node reduces if, for n GPUs, share n speed > 0.8 port n / (2 (n-1)).  Here
 *  speed is the highest of a list of which n + 1 pass a port, and share is 0.85
 *  (NVLink 5: 0.74; before 2.28: 5/6); H100 use it from five GPUs on.
 *
 *  One shot and two shots, of one node, inside a kernel of their own, take
 *
 *    start + barriers barrier + wire / min(rate, link).
 *
 *  One shot has 2 barriers, two shots 3.  LL, for one shot only, takes 1
 *  barrier and twice the bytes.
 *
 *  MPI has processes in blocks on k nodes, each with m of n, and s = bytes.  a
 *  and b are a message's step and seconds a byte in a node, A and B those
 *  between nodes (B of a node's cards), g seconds to add a byte, l = log2 n, L
 *  = log2 k, rounded up:
 *
 *    recursive doubling
 *      all-reduce        (l-L)(a + s(b+g)) + L(A + s(max(mB, b)+g)), 2 rounds
 *                        more and one less where n is no power of 2
 *      all-gather        (l-L) a + L A + s (m-1)/n b + s (k-1)/k max(mB, b).
 *    Rabenseifner        2 (l-L) a + 2 L A + s (n-1)/n (2b + g)
 *                        + 2 s m (k-1)/k B;  half of it a reduce-scatter.
 *    ring                2 ((n-k) a + (k-1) A) + s (n-1)/n (2 max(b, B) + g);
 *                        half of it, without g, an all-gather.
 *    binomial            (l-L)(a + s(b+g)) + L(A + s(B+g)).
 *    split tree          (l-L)(a + 1 KiB b) + L(A + 1 KiB B) + a + s/2 b
 *                        + (segments - 1) max(3(a + 1 KiB b), A + 1 KiB B).
 *    chain               (n-k)(a + 8 KiB b) + (k-1)(A + 8 KiB B) + s g
 *                        + (segments - 1) (a + 8 KiB b
 *                                          + max(a + 8 KiB b, A + 8 KiB B)).
 *    Bruck               (l-L)(a + s/2 b) + L(A + s/2 max(mB, b)).
 *    pairwise            (m-1)(a + s/n (b+g)) + (n-m)(A + s/n (max(mB, b)+g)).
 *
 *  B and max(mB, b) are divided by the share of busy links if all nodes send in
 *  pairs.  It is 1 - (1 - 2/k)^(k/2) for paths that are chosen independently:
 *  0.75 on 4 nodes, 0.63 on many.  It is 1 below one switch (leaf >= k, and
 *  given).  Rings, chains and trees send to neighbours, or from few nodes.
 *
 *  MPI adds mpi.start, and staged copy_start + 2 s / copy_rate.  Reductions are
 *  staged.  Other calls use the faster of both, or always GPUDirect by Open
 *  MPI's rules.
 *
 *  Given    a, p   the algorithm, the protocol; their END: any of NCCL.  An
 *                  algorithm of MPI or one of its protocols: MPI.
 *  Returns  of equals the first.  total NaN, and both ENDs, if none of them can
 *           do it.
 *  Laws     by one algorithm and protocol it never falls when a step or a start
 *           grows, a rate falls, or more is moved.  A pair that sends more may
 *           get more channels, and be faster.
 *  Omits    of MPI, copies that overlap with messages; processes that reduce on
 *           the GPU; the remainder of halves where n is no power of 2.
 *  Source   [Thakur05], [OpenMPI] its fixed rules; [Hoefler08] 55 to 60 % of a
 *           full bisection are attained; [Nccl] its estimates; 10 of 10 choices
 *           of eight H200 and B200 of stas00/ml-engineering. */
gscale_coll_choice gscale_coll_best(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_COLLECTIVE_EQUATIONS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
