/*
 * collective.h - collective operations between GPUs: what an algorithm moves,
 * by which protocol, and how long that takes.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_COLLECTIVE_EQUATIONS_H
#define GSCALE_COLLECTIVE_EQUATIONS_H

#include "gpuscale/status.h"

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
  GSCALE_COLL_RING,      /* each GPU to the next one, in chunks */
  GSCALE_COLL_TREE,      /* up a tree and down: a chain in a node */
  GSCALE_COLL_PAIRWISE,  /* with one other GPU after the other */
  GSCALE_COLL_DIRECT,    /* with all others at once */
  GSCALE_COLL_IN_SWITCH, /* the switch adds up and copies */
  GSCALE_COLL_ALGORITHM_END
} gscale_coll_algorithm;

/** How a message says that it is there. */
typedef enum gscale_coll_protocol {
  GSCALE_COLL_LL,     /* a flag beside every 4 B */
  GSCALE_COLL_LL128,  /* a flag of 8 B in every 128 B */
  GSCALE_COLL_SIMPLE, /* a flag behind a chunk */
  GSCALE_COLL_PROTOCOL_END
} gscale_coll_protocol;

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
  } by[GSCALE_COLL_PROTOCOL_END];
  double link;       /* B/s, useful, what a GPU's port attains by kernels */
  double pair_start; /* s, more: sends and receives of pairs */
  double channel;    /* B/s, useful, of one channel of a pair */
  double channels;   /* of a GPU, >= 1 */
  double
      in_switch; /* B/s through a port, if the switch adds up; 0: it cannot */
  double add;    /* B/s at which a GPU adds arrays up */
  int node;      /* GPUs that are joined without a network, >= 1 */
  struct {
    double start; /* s, more to begin by simple if there are several nodes */
    double step;  /* s, of each step from node to node */
    double rate;  /* B/s, useful, of all network cards of a node; 0: there is
                   * no network, and all GPUs are joined as those of a node */
    double cards; /* of a node, >= 1: a GPU sends by its own */
  } net;
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
 *                    ring      tree                     pairwise direct switch
 *    all-reduce      2 (n-1)   2 (m-1) + 2 log2(n/m)                    2
 *    all-gather        n-1                                              1
 *    reduce-scatter    n-1                                              1
 *    broadcast, reduce n-1     (m-1) + log2(n/m)
 *    all-to-all                                         n-1      1
 *    send-recv                                                   1
 *
 *  with m = min(n, node), and the logarithm rounded up.
 *
 *  Given    n     >= 1;  node  >= 1
 *  Returns  0 for n = 1; NaN where the algorithm cannot do it (the gaps), or
 *           outside the domain
 *  Source   ring: [PatarasukYuan09]; the chain within a node and the tree of
 *           nodes: [Nccl]; the switch: [Klenk20]
 */
double gscale_coll_steps(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                         int node);

/** Bytes through the busiest port, one direction, / bytes of the call.
 *
 *                    ring       tree  pairwise, direct  switch
 *    all-reduce      2 (n-1)/n  2                       (n+1)/n
 *    all-gather        (n-1)/n                          (n-1)/n
 *    reduce-scatter    (n-1)/n                          (n-1)/n
 *    broadcast         1        1
 *    reduce            1        1
 *    all-to-all                       (n-1)/n
 *    send-recv                         1
 *
 *  A switch reads the array of every GPU once, and an nth of the sum leaves
 *  each GPU again to be copied to all.
 *
 *  Given    n     >= 1
 *  Returns  0 for n = 1; NaN as gscale_coll_steps
 *  Limits   an all-reduce by ring -> 2 for many GPUs, by the switch -> 1
 *  Source   [PatarasukYuan09]; nccl-tests, doc/PERFORMANCE.md; [Klenk20]
 */
double gscale_coll_traffic(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n);

/** Of gscale_coll_steps(), those from one node to another, in a ring or a tree
 *  that passes each node once; of pairs those with GPUs of other nodes.
 *
 *                    ring      tree           pairwise  direct
 *    all-reduce      2 (k-1)   2 log2 k
 *    all-gather        k-1
 *    reduce-scatter    k-1
 *    broadcast, reduce k-1     log2 k
 *    all-to-all                               n - node  1
 *    send-recv                                          1
 *
 *  with k = n / node, and the logarithm rounded up.
 *
 *  Given and returns as gscale_coll_steps
 *  Source   as there */
double gscale_coll_hops(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                        int node);

/** Bytes that leave the busiest node / bytes of the call.
 *
 *    ring, tree         gscale_coll_traffic(): all channels together pass each
 *                       node once
 *    pairwise, direct   all-to-all  node (n - node) / n
 *                       send-recv   1: of a node's GPUs one sends to the next
 *                       node
 *
 *  Given    n, node  >= 1
 *  Returns  0 for n <= node; NaN where the algorithm cannot do it
 *  Source   ours */
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
 *  with wire = traffic * route * bytes; rate the least of by[p].rate,
 *  by[p].payload * link, and, where pairs send, of what their channels carry;
 *  in the switch that of machine.in_switch; added = (n-1)/n bytes where GPUs
 *  add up.  In a stream the steps of broadcasts and reductions are those of
 *  gscale_coll_held.
 *
 *  Between nodes (net.rate > 0, n > node) start is net.start more by the simple
 *  protocol, steps from
 *  node to node take net.step instead, and
 *
 *    transfer = max( that, leaving bytes / (payload net.rate) )
 *
 *  where pairs of a send-recv have one card: net.rate / net.cards; a switch
 *  inside a node does not add up for several.
 *
 *  Returns  all 0 for n = 1: nothing is moved.  All NaN outside the domain,
 *           where the algorithm cannot do it, or the switch not add up;
 *           in-switch by the simple protocol only
 *  Limits   bytes = 0: start + latency
 *  Omits    arrays that do not begin at multiples of 16 B (all-gather and
 *           all-to-all on 3 GPUs take up to twice as long); what the library
 *           loses by choosing another protocol than the fastest; the network's
 *           own step and rate beyond a node
 *  Source   [Hockney94] start and rate, with the steps of the algorithm;
 *           protocols of [Nccl]
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

/** A way of doing it, and what it takes. */
typedef struct gscale_coll_choice {
  gscale_coll_algorithm algorithm;
  gscale_coll_protocol protocol;
  gscale_coll_time time;
  double total; /* s, the sum of it */
} gscale_coll_choice;

/** The fastest of all ways, which is what the library means to choose.
 *
 *  Given    a, p   the algorithm, the protocol; their END: any
 *  Returns  of equals the first.  total NaN, and both ENDs, if none of them can
 *           do it
 *  Laws     never falls when a step or a start grows, a rate falls, or more is
 *           to be moved; but a pair that sends more may get more channels, and
 *           be faster
 *  Source   ours
 */
gscale_coll_choice gscale_coll_best(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_COLLECTIVE_EQUATIONS_H */
