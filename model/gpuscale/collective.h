/* collective.h - collective operations between GPUs: traffic and time of each
 * algorithm and protocol. */
#ifndef GSCALE_COLLECTIVE_EQUATIONS_H
#define GSCALE_COLLECTIVE_EQUATIONS_H

#include "gpuscale.h"

/** The kind of a collective call.  Each comment names the array whose size is
 *  `bytes` (gscale_coll_call), as nccl-tests count bytes. */
typedef enum gscale_coll_kind {
  GSCALE_COLL_ALL_REDUCE,     /* the array of every GPU */
  GSCALE_COLL_ALL_GATHER,     /* the array that every GPU receives */
  GSCALE_COLL_REDUCE_SCATTER, /* the array of every GPU */
  GSCALE_COLL_BROADCAST,      /* the array */
  GSCALE_COLL_REDUCE,         /* the array of every GPU */
  GSCALE_COLL_ALL_TO_ALL,     /* a GPU's array, 1/n of which is for each GPU */
  GSCALE_COLL_SEND_RECV,      /* a GPU's data for one other GPU */
  GSCALE_COLL_KIND_END
} gscale_coll_kind;

/** The algorithm of a collective call. */
typedef enum gscale_coll_algorithm {
  GSCALE_COLL_RING,        /* each GPU sends chunks to the next */
  GSCALE_COLL_TREE,        /* up and down two trees of nodes; chains in nodes */
  GSCALE_COLL_PAIRWISE,    /* one pair of GPUs after another */
  GSCALE_COLL_DIRECT,      /* all pairs of GPUs at once */
  GSCALE_COLL_IN_SWITCH,   /* the switch reduces and copies: NVLS */
  GSCALE_COLL_SWITCH_TREE, /* switches in nodes, trees between nodes:
                            * NVLSTree */
  /* The next two algorithms run in kernels that access the memory of all peers,
   * and no library chooses them. */
  GSCALE_COLL_ONE_SHOT, /* each GPU reduces all arrays */
  GSCALE_COLL_TWO_SHOT, /* each GPU reduces 1/n for all others */
  /* The following algorithms are MPI's, between processes
   * (gscale_coll_machine.mpi). */
  GSCALE_COLL_MPI,                /* the library's choice */
  GSCALE_COLL_RECURSIVE_DOUBLING, /* all bytes, over doubling distances */
  GSCALE_COLL_RABENSEIFNER,       /* recursive halving, then recursive
                                   * doubling */
  GSCALE_COLL_MPI_RING,           /* each process sends to the next */
  GSCALE_COLL_BINOMIAL,           /* the number of senders doubles */
  GSCALE_COLL_SPLIT_TREE,         /* segments pass down two binary trees */
  GSCALE_COLL_CHAIN,              /* segments pass down a chain */
  GSCALE_COLL_BRUCK,              /* half of all bytes in each of log2 n
                                   * rounds */
  GSCALE_COLL_MPI_PAIRWISE,       /* one pair of processes after another */
  GSCALE_COLL_ALGORITHM_END
} gscale_coll_algorithm;

enum {
  GSCALE_COLL_OF_NCCL = GSCALE_COLL_ONE_SHOT /* first algorithm that is not of
                                              * NCCL */
};

/** The protocol by which a message signals its arrival. */
typedef enum gscale_coll_protocol {
  GSCALE_COLL_LL,     /* a flag of 4 B with every 4 B of data */
  GSCALE_COLL_LL128,  /* a flag of 8 B in every 128 B */
  GSCALE_COLL_SIMPLE, /* a flag after each chunk */
  /* The following protocols are MPI's, by the place of the arrays. */
  GSCALE_COLL_HOST,      /* host memory */
  GSCALE_COLL_STAGED,    /* GPU memory, copied to the host and back */
  GSCALE_COLL_GPUDIRECT, /* GPU memory, sent directly */
  GSCALE_COLL_PROTOCOL_END
} gscale_coll_protocol;

enum {
  GSCALE_COLL_LINES = GSCALE_COLL_HOST /* number of protocols of NCCL */
};

/** The rules by which an MPI library chooses an algorithm. */
typedef enum gscale_mpi_rules {
  GSCALE_MPI_FASTEST,  /* unknown rules: the fastest algorithm */
  GSCALE_MPI_OPEN_MPI, /* Open MPI 1 to 4.0, by bytes and processes */
  GSCALE_MPI_MPICH,    /* MPICH and its derivatives */
  GSCALE_MPI_RULES_END
} gscale_mpi_rules;

/** The GPUs, links and library of a call.  All numbers are >= 0, and all rates
 *  > 0. */
typedef struct gscale_coll_machine {
  double start; /* time of an empty kernel of the library, s */
  struct {
    double start;   /* added to start, s */
    double step;    /* s of each dependent step */
    double rate;    /* useful B/s of a GPU; INFINITY: no limit */
    double payload; /* useful bytes / sent bytes, 0 to 1 */
  } by[GSCALE_COLL_LINES];
  double link;       /* useful B/s of a port for kernels */
  double one_way;    /* rate of a port that carries one direction / link; below
                      * 1: as both ways */
  double turn;       /* share of idle steps, 0 to 1 (gscale_coll_idle) */
  double pair_start; /* time added for sends and receives, s */
  double channel;    /* useful B/s of a pair's channel */
  double channels;   /* channels of a GPU, >= 1 */
  double in_switch;  /* B/s of a port if the switch reduces, else 0 */
  double port;       /* nominal B/s of a port: the library uses the nominal rate
                      * of the link generation, not the attained rate */
  double version;    /* version of the library (22907 for 2.29.7), which decides
                      * the features */
  double add;        /* B/s of a GPU's reductions */
  int node;          /* GPUs joined without a network, >= 1 */
  struct {
    struct {
      double start; /* start instead of by[].start, s */
      double step;  /* s of each step of a ring or pair between nodes */
      double tree;  /* s of each step of a tree between nodes */
      double rate;  /* useful B/s of a node's NICs; 0: the protocol is not used
                     * between nodes; 0 for simple: there is no network, and all
                     * GPUs are in one node */
    } by[GSCALE_COLL_LINES];
    double inside; /* least time of a step of a simple ring in a node, s */
    double full;   /* share of the rate, 0 to 1, that rings and trees attain
                    * with eight or more NICs; 0: all */
    double cards;  /* NICs of a node, >= 1; each GPU uses one of them */
    double leaf;   /* nodes of a network switch, >= 1; INFINITY: all */
    double taper;  /* uplinks / ports of the switch, > 0 to 1 */
  } net;
  struct {
    double start;   /* start of a kernel that accesses all peers, s */
    double barrier; /* barrier of all GPUs inside a kernel, s */
    double rate;    /* B/s of a GPU in such a kernel; 0: no such kernel */
  } peer;
  struct {
    gscale_mpi_rules rules;
    double start;                      /* time of an empty call, s */
    double step, rate;                 /* s, B/s of a process in a node */
    double add;                        /* B/s of a process's reductions */
    double net_step;                   /* time of a message between nodes, s */
    double net_rate;                   /* B/s of all NICs by MPI; 0: rate of the
                                        * ports */
    double copy_start, copy_rate;      /* s, B/s: copies to the host and back */
    double gpu_step, gpu_rate;         /* s, B/s: as step and rate, */
    double gpu_net_step, gpu_net_rate; /* between GPUs' memories */
    double gpu_short_rate;             /* B/s up to 8 KiB between nodes; 0: no
                                        * limit */
    double port; /* nominal B/s of a node's NICs; 0: no network */
  } mpi;
} gscale_coll_machine;

/** A collective call that all n GPUs make. */
typedef struct gscale_coll_call {
  gscale_coll_kind kind;
  int n;        /* GPUs, >= 1 */
  double bytes; /* B, >= 0, as in gscale_coll_kind */
  double route; /* bytes on the busiest link / bytes of the busiest port when
                 * each GPU sends to the next, >= 1; 1: no shared link */
  double route_all; /* the ratio when all pairs of GPUs send */
  bool streamed;    /* true for one of many consecutive calls: a GPU continues
                     * when its part is done, and does not wait for the last
                     * GPU */
} gscale_coll_call;

/** Returns the number of dependent steps of a call on n GPUs in nodes of `node`
 *  GPUs.
 *
 *    ring:            2 (n-1) for an all-reduce, n-1 for an all-gather,
 *                     reduce-scatter, broadcast or reduce.
 *    tree:            2 (m-1) + 2 log2 k for an all-reduce.
 *    pairwise:        n-1 for an all-to-all.
 *    direct:          1 for an all-to-all or a send-recv.
 *    in-switch:       2 for an all-reduce, 1 for a gather or scatter.
 *    in-switch-tree:  2 + 2 log2 k for an all-reduce.
 *
 *  Here m = min(n, node), k is the number of nodes, and logarithms are rounded
 *  up.  One shot takes 1 step, and two shots take 2 steps.
 *
 *  Given    n     >= 1;  node  >= 1.
 *  Returns  0 for n = 1; NaN where the algorithm cannot do the call, for MPI,
 *           and outside the domain.
 *  Source   [PatarasukYuan09] for rings; [Nccl] for chains, trees and the
 *           algorithms of each call; [Klenk20] for switches. */
double gscale_coll_steps(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                         int node);

/** Returns the bytes through the busiest port in one direction / the bytes of
 *  the call.
 *
 *    ring:             2 (n-1)/n for an all-reduce, (n-1)/n for an all-gather
 *                      or reduce-scatter, 1 for a broadcast or reduce.
 *    tree:             min(2, m-1) for an all-reduce.
 *    pairwise, direct: (n-1)/n for an all-to-all, 1 for a send-recv.
 *    both switches:    (m+1)/m for an all-reduce, (n-1)/n for a gather or
 *                      scatter.
 *
 *  Here m = min(n, node).  One shot sends n - 1, and two shots send 2 (n-1)/n.
 *  A switch reads the array of every GPU once; then each GPU sends 1/m of the
 *  sum, which the switch copies to all GPUs.  In a chain, each GPU sends the
 *  array up to one neighbour and down to the other neighbour.
 *
 *  Given    n     >= 1;  node  >= 1.
 *  Returns  0 for n = 1; NaN where gscale_coll_steps returns NaN.
 *  Limits   for many GPUs, an all-reduce approaches 2 by ring and 1 by switch.
 *  Source   [PatarasukYuan09]; nccl-tests, doc/PERFORMANCE.md; [Klenk20]; 5 to
 *           8 H100 attain 309 GB/s * n/(n+1) within 0.5 % (issue 1455 of
 *           NVIDIA/nccl). */
double gscale_coll_traffic(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node);

/** Returns how many of the steps of gscale_coll_steps() are between nodes.  A
 *  ring or a tree passes each node once.  A pair counts if the two GPUs are in
 *  different nodes.
 *
 *    ring:     2 (k-1) for an all-reduce, k-1 for an all-gather,
 *              reduce-scatter, broadcast or reduce.
 *    trees:    2 log2 k for an all-reduce.
 *    pairwise: n - node for an all-to-all.
 *    direct:   1 for an all-to-all or a send-recv.
 *
 *  Here k = n / node, and logarithms are rounded up.
 *
 *  Given    the arguments of gscale_coll_steps, with its domain. */
double gscale_coll_hops(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                        int node);

/** Returns the bytes of the step in which a GPU of a simple ring sends nothing
 *  / the bytes of the call.  The GPU only copies or reduces in this step.
 *
 *  The result is 1/n for an all-reduce, an all-gather and a reduce-scatter,
 *  whose loops have 2n-1, n and n steps: a GPU sends in all steps but one.  The
 *  next loop overlaps with the idle step, so that the call takes only the share
 *  `turn` (gscale_coll_machine) of the idle step longer.
 *
 *  The result is also 1/n for an all-to-all of more than two GPUs, whose ports
 *  carry 0.89 of what they carry between two.  An all-to-all of two GPUs is as
 *  fast as sends in a ring, and the result is 0, as it is for other kinds.
 *
 *  Given    n  >= 1.
 *  Returns  0 for n = 1; NaN outside the domain.
 *  Source   [Nccl] loops; ours: gathers attain 29 % less than broadcasts on two
 *           H200, and 12 % less on four (data/h200x2, data/h200x4). */
double gscale_coll_idle(gscale_coll_kind kind, gscale_coll_algorithm a, int n);

/** Returns the bytes that leave the busiest node / the bytes of the call.
 *
 *    ring:              gscale_coll_traffic(), because all channels together
 *                       pass each node once.
 *    trees:             1 for two nodes: half of the array goes up one tree and
 *                       half down the other.  2 for more nodes: a node inside
 *                       one tree sends half of the array up once and down
 *                       twice, and the other half up as a leaf.
 *    pairwise, direct:  node (n - node) / n for an all-to-all; 1 for a
 *                       send-recv, because one GPU of a node sends to the next.
 *
 *  Given    n, node  >= 1.
 *  Returns  0 for n <= node; NaN where the algorithm cannot do the call.
 *  Source   ours, with the two trees of [Nccl]. */
double gscale_coll_leaving(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node);

/** Returns the number of channels on which one of n GPUs sends `bytes` to
 *  another.
 *
 *  The number of channels of a pair is halved while n times that number exceeds
 *  `channels`.  The number is then doubled, at most to `channels`, while a
 *  channel would get more than 16 MiB.
 *
 *  Given    bytes >= 0;  n >= 2;  channels >= 1.
 *  Returns  from 1 to `channels`; NaN outside the domain.
 *  Limits   for few GPUs or large sends, all channels.
 *  Source   the division of sends in [Nccl]; nccl-tests on H100, with 80, 150
 *           and 305 GB/s at 32 MiB on 8, 4 and 2 GPUs. */
double gscale_coll_channels(double bytes, int n, double channels);

/** Returns the number of steps that delay each call in a stream of broadcasts
 *  or of reductions.  No GPU waits for the last GPU, but a GPU in the middle
 *  first receives and then sends.
 *
 *    steps = 0 with LL, whose flags arrive with the data, or else min(n - 1,
 *    2).
 *
 *  Given    n     >= 1.
 *  Returns  NaN outside the domain.
 *  Source   ours, from streams of calls on H200 and A100 (data/h200x4/micro).
 */
double gscale_coll_held(int n, gscale_coll_protocol p);

/** The time of a collective call by one algorithm and protocol.
 *
 *    start    = machine.start + by[p].start  (+ pair_start).
 *    latency  = steps * by[p].step.
 *    transfer = max( (sent + pause) / rate, own / channels, added / add ).
 *
 *  Here own = traffic * bytes, sent = route * own, and pause = turn * idle *
 *  bytes with the simple protocol (gscale_coll_idle). rate is the smaller of
 * by[p].rate and by[p].payload * link; in the switch, rate is
 * machine.in_switch. Only pairs are bound by the rate of the channels that
 * send; other channels copy a GPU's own part meanwhile. added is (n-1)/n *
 * bytes if GPUs reduce. In a stream, broadcasts and reductions have the steps
 * of gscale_coll_held.
 *
 *  On several nodes, net.start replaces by[p].start; trees take the smaller of
 *  net.start and by[p].start, except for LL in a stream.  Steps between nodes
 *  take net.step, or net.tree for trees.  Steps of simple rings inside a node
 *  take at least net.inside.  The other parts are
 *
 *    ring, pairs  transfer = max( transfer in a node, leaving * bytes / cards,
 *                       leaving(switch) * bytes / (cards * leaf * taper) ).
 *    tree         transfer = transfer in a node + the largest other term;
 *                 hops * piece / cards is added to the latency.
 *    in-switch tree   transfer = the largest term; latency as for a tree.
 *
 *  Here cards is the net.rate of simple times the payload, or the net.rate of
 *  LL for LL. piece is the data of one step: half of the array, with simple at
 *  most 512 KiB per NIC.  With LL, a ring sends (k-1)/k instead of (n-1)/n of
 *  the bytes, because steps inside a node overlap with steps between nodes, and
 *  a tree sends its pieces. leaving is gscale_coll_leaving() of a node, and
 *  leaving(switch) is that of all nodes below a switch if there are several
 *  switches.  A pair of a send-recv uses one NIC: cards / net.cards.  With
 *  eight NICs or more, all algorithms but pairs attain only net.full of cards.
 *  The switch algorithm works within one node only, and pairs on several nodes
 *  use the simple protocol.
 *
 *  Returns  0 for n = 1, where nothing moves.  NaN outside the domain, where
 *           the algorithm cannot do the call, where the switch cannot reduce,
 *           and for a switch with a protocol other than simple.
 *  Limits   for bytes = 0, start + latency.
 *  Omits    arrays that do not begin at multiples of 16 B, with which an
 *           all-gather or all-to-all on 3 GPUs takes up to twice as long;
 *           reductions in network switches (CollNet); gathers by trees (PAT).
 *  Source   start and rate of [Hockney94] with the steps of each algorithm;
 *           protocols of [Nccl]. */
typedef struct gscale_coll_time {
  double start;    /* time before data move, s */
  double latency;  /* time of all steps, s */
  double transfer; /* time of all bytes, s */
} gscale_coll_time;

/** Returns when a compute-bound kernel ends that starts together with a
 *  collective.  The collective occupies a share of the multiprocessors, one for
 *  each channel.
 *
 *    end = min( kernel + share * collective, kernel / (1 - share) ).
 *
 *  Given    kernel, collective  s, >= 0;  share  >= 0, < 1.
 *  Returns  s, >= kernel; NaN outside the domain.
 *  Limits   for share = 0 or collective = 0, kernel; for a collective that
 *           lasts longer than the kernel, kernel / (1 - share).
 *  Omits    contention for memory and links.
 *  Source   ours: each free multiprocessor keeps its rate. */
double gscale_coll_beside(double kernel, double collective, double share);

/** Returns the time of a kernel on the multiprocessors that a collective does
 *  not occupy / the time of the kernel on all multiprocessors.
 *
 *    ratio = ceil( blocks / (residents * (sms - channels)) ) /
 *            ceil( blocks / (residents * sms) ),
 *    ratio = sms / (sms - channels) if a multiprocessor holds >= 4 blocks of a
 *            kernel with > 1 wave, since such waves blur.
 *
 *  Given    blocks > 0; residents > 0, thread blocks that a multiprocessor
 *           holds at once; 0 <= channels < sms.
 *  Returns  >= 1; NaN outside the domain.
 *  Omits    tails that the next kernel fills; persistent kernels, which
 *           redistribute their work; a last wave of few blocks, each faster.
 *  Source   ours; data/h200x2/steps/beside.csv.  Copies of memory take 1.19 to
 *           1.26 times as long there, arithmetic 1.20 to 1.22, where the
 * formula has 1.22: a collective uses bandwidth as well. */
double gscale_waves_beside(double blocks, double residents, double sms,
                           double channels);

/** Returns the bytes that all processes send in an algorithm of MPI / the bytes
 *  of the call.
 *
 *  Given    n  >= 1.
 *  Returns  0 for n = 1; NaN where the algorithm cannot do the call. */
double gscale_mpi_sent(gscale_coll_kind kind, gscale_coll_algorithm a, int n);

/** The chosen algorithm and protocol of a call, and the time. */
typedef struct gscale_coll_choice {
  gscale_coll_algorithm algorithm;
  gscale_coll_protocol protocol;
  gscale_coll_time time;
  double total; /* sum of `time`, s */
  double seen;  /* estimate of the library, s */
} gscale_coll_choice;

/** Returns NCCL's choice, or the best of the algorithms and protocols that a
 *  and p allow.  The choice is the fastest algorithm with two exceptions.
 *
 *  A simple tree on several nodes is rated as if the array left each node twice
 *  at 0.92 of the rate, so that large arrays use a ring.  The switch of a node
 *  is used if share * n * speed > 0.8 * port * n / (2 (n-1)).  Here speed is
 *  the highest listed rate at which n + 1 channels fit into a port, and share
 *  is 0.85 (0.74 with NVLink 5, 5/6 before NCCL 2.28).  H100 use the switch
 *  from five GPUs on.
 *
 *  One shot and two shots run in one node, inside a kernel, and take
 *
 *    time = start + barriers * barrier + wire / min(rate, link).
 *
 *  One shot has 2 barriers, and two shots have 3.  LL works only for one shot,
 *  and takes 1 barrier and twice the bytes.
 *
 *  MPI has n processes on k nodes, m consecutive ones on each, and s = bytes.
 *  A message in a node takes a seconds plus b seconds per byte; a message
 *  between nodes takes A seconds plus B seconds per byte of all NICs.  An
 *  addition takes g seconds per byte; l = log2 n and L = log2 k are rounded up.
 *  The times are:
 *
 *    recursive doubling
 *      all-reduce    T = (l-L)(a + s(b+g)) + L(A + s(max(mB, b)+g)); if n is no
 *                        power of 2: 2 rounds more, then 1 less
 *      all-gather    T = (l-L) a + L A + s (m-1)/n b + s (k-1)/k max(mB, b).
 *    Rabenseifner    T = 2 (l-L) a + 2 L A + s (n-1)/n (2b + g)
 *                        + 2 s m (k-1)/k B;  T / 2 for a reduce-scatter.
 *    ring            T = 2 ((n-k) a + (k-1) A) + s (n-1)/n (2 max(b, B) + g);
 *                        T / 2 without g for an all-gather.
 *    binomial        T = (l-L)(a + s(b+g)) + L(A + s(B+g)).
 *    split tree      T = (l-L)(a + 1 KiB b) + L(A + 1 KiB B) + a + s/2 b
 *                        + (segments - 1) max(3(a + 1 KiB b), A + 1 KiB B).
 *    chain           T = (n-k)(a + 8 KiB b) + (k-1)(A + 8 KiB B) + s g
 *                        + (segments - 1) (a + 8 KiB b
 *                                          + max(a + 8 KiB b, A + 8 KiB B)).
 *    Bruck           T = (l-L)(a + s/2 b) + L(A + s/2 max(mB, b)).
 *    pairwise        T = (m-1)(a + s/n (b+g)) + (n-m)(A + s/n (max(mB, b)+g)).
 *
 *  If all nodes send in pairs, B and max(mB, b) are divided by the share of
 *  links in use.  This share is 1 - (1 - 2/k)^(k/2) if paths are chosen
 *  independently (0.75 on 4 nodes, 0.63 on many), and 1 below one switch (leaf
 *  >= k).  Rings, chains and trees keep B, because they send to neighbours or
 *  from few nodes.
 *
 *  Every MPI call also takes mpi.start, and a staged call takes copy_start + 2
 *  s / copy_rate.  Reductions are always staged.  Other calls use the faster of
 *  staging and GPUDirect, or always GPUDirect under the rules of Open MPI.
 *
 *  Given    a, p   the algorithm and the protocol, or their END for any of
 *                  NCCL.  An algorithm or a protocol of MPI selects MPI.
 *  Returns  the first of equally fast choices.  If no choice can do the call,
 *           total is NaN, and algorithm and protocol are END.
 *  Laws     for a fixed algorithm and protocol, the time never falls if a step,
 *           a start or the bytes grow or a rate falls.  The exception is a pair
 *           that sends more and gets more channels.
 *  Omits    in MPI, copies that overlap with messages, reductions on the GPU,
 *           and unequal halves if n is no power of 2.
 *  Source   [Thakur05]; fixed rules of [OpenMPI]; 55 to 60 % of full bisection
 *           are attained in [Hoefler08]; estimates of [Nccl]; all 10 choices of
 *           eight H200 and B200 in stas00/ml-engineering. */
gscale_coll_choice gscale_coll_best(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p);

#endif /* GSCALE_COLLECTIVE_EQUATIONS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
