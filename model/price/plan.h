/* plan.h - the inside of plans, for model/ only. */
#ifndef GPUSCALE_PRICE_PLAN_H
#define GPUSCALE_PRICE_PLAN_H

#include "describe/ask.h"
#include "describe/program.h"

/* What leaves the nodes in a phase; all 0 on one node. */
typedef struct gscale__leaving_nodes {
  double out;      /* B that leave the busiest GPU for other nodes */
  double messages; /* in which they do */
  double all;      /* B, of all GPUs */
  double node_bytes, node_messages; /* of the busiest node, one way */
  double leaf_bytes; /* B that leave the busiest leaf switch / its nodes; 0: one
                      * switch joins them all */
} gscale__leaving_nodes;

/* GPUs in the grid of a phase; those that have no unit have no face. */
typedef struct gscale__arrangement {
  int active, periodic; /* numbers without gaps: plans are compared */
  int gpus[GSCALE_DIMS_MAX],
      apart[GSCALE_DIMS_MAX];    /* of those next along it */
  double bytes[GSCALE_DIMS_MAX]; /* of a face across it */
  double share[GSCALE_DIMS_MAX]; /* of the whole cut */
} gscale__arrangement;

enum {
  GSCALE__FACES_MAX = 2 * GSCALE_DIMS_MAX /* of one GPU */
};

typedef struct gscale__side {
  int to;
  double bytes, share; /* B; of the cut through the whole problem */
} gscale__side;

/* Of GPU i: how many.  Two to the same GPU, if it is on both sides. */
int gscale__faces_of(const gscale__arrangement *a, int i, gscale__side *f);

/* Blocks of one GPU that do alike: where a kernel may be cut. */
typedef struct gscale__group {
  double extent;    /* share of the kernels' arithmetic */
  double publishes; /* share of what its GPU publishes */
  double blocks;    /* how many they are */
  double row;       /* so many complete what they publish together, >= 1 */
} gscale__group;

/* What collectives go by, that is no number which is ever moved. */
typedef struct gscale__coll_wires {
  double switched; /* 1: their switch may reduce, or 0; no gap: compared */
  double leaf;     /* as gscale_network_leaf() */
  double port;     /* B/s, the rate of the link's kind; 0: it has none */
} gscale__coll_wires;

#define GSCALE__PAGE 65536.0 /* B that managed memory moves at once */

/* One phase on n GPUs: all that no paradigm changes.  "Its" GPU is the busiest
 * one; "all" are sums over GPUs. */
typedef struct gscale__phase_plan {
  double repeats;

  /* Kernel time is max(flop_leg, memory_leg) + start. */
  double flop_leg, memory_leg, start; /* s */
  double streamed;                    /* s of memory_leg, not gathered */
  double filling;                     /* of flop_leg: gscale__filling */
  double compute;                     /* s */
  double busy;    /* share of it that memory is busy, 0..1, */
  double filled;  /* and that it or the arithmetic fills */
  double kernels; /* launches */

  gscale__leaving_nodes far;

  /* what stays inside nodes */
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
  double cuts; /* neighbours: its faces / a cut through the problem; 1 */
  gscale__arrangement grid; /* neighbours: where they stand */
  double faces;             /* of the GPU that sends most */
  double copies;            /* bulk copies it issues */
  double copies_all;
  double copy;        /* B of one bulk copy, */
  double copy_wire;   /* and on the link */
  double queued;      /* copies of the busiest stream, one after the other */
  double over;        /* B that bulk copies move / B needed */
  double copy_route;  /* B on the busiest resource / B that leave it */
  double alone_route; /* of a copy with nothing beside it / its B */
  double store_route; /* the same for stores */
  double all_route;   /* stores of as much from each GPU to every other */
  double ratio;       /* inline stores: wire B / useful B */
  double packets;     /* inline stores: packets per useful B */
  gscale_calls calls; /* of the host, besides its own */
  double pack, pack_launches; /* s, where whole pieces are moved */
  struct {                    /* as a collective */
    gscale_coll_kind kind;    /* END: it is none */
    double bytes;             /* B, see gscale_coll_kind */
  } coll;
  double adding; /* s, compute more where a GPU adds up what others sent it */
  double rewrites, read;
  double wide;               /* packets per B of words of 8 B or more */
  double touched;            /* B of a GPU's arrays */
  double store_size, spread; /* B of a mean store; over which they scatter */
  double reuse, stride;      /* B; where they come in order: gscale_phase */
  gscale_joins joins;
  double stay;         /* s, that a block with a barrier stays */
  double wait;         /* s, more if its chain's loads go to others */
  double fetch, loads; /* B of a remote load; how many, 0: no more than
                        * bytes need */
  double fetch_wire;   /* B on the link, its request and the answer */
  double packed;       /* wire B / B, of a piece that is stored densely */
  double pages;        /* B of whole pages / B, of a piece */
  bool prefetch, atomic;
  gscale_peer peer; /* access that all have to whom they send to */
  double away;      /* share of its blocks that have to do with other GPUs */
  size_t groups;    /* of blocks that publish: each a kernel of its own, if ...
                     */
  bool apart;       /* ... true, else one of all the kernels */
  gscale__group group[GSCALE_BLOCKS_MAX];
  double block;                    /* B one thread block publishes */
  double blocks;                   /* so many do, if anybody says so: else 0 */
  double agent_block, agent_loads; /* threads; loads of each in flight */
  double agent_blocks;
  gscale_chunk_of agent_of;
  double slots;           /* blocks that a GPU runs at once */
  bool bounded;           /* the workload says what its boundary costs */
  double boundary;        /* s, kernel time before boundary data is complete */
  gscale_profile ready;   /* when its data is, to be copied */
  gscale_profile counted; /* when blocks have counted it: by waves of them */
  gscale_profile stored;  /* when its stores are made */
  gscale_profile reading; /* when it has read what others made */
} gscale__phase_plan;

/* Where the copies of a program go that runs as it is written (placed.c). */
typedef struct gscale__placed {
  double *route;  /* of each duration: B on the busiest resource / B */
  bool *crosses;  /* of each duration: copies to another node are of it */
  double at_once; /* B that all copy / B of the GPU that copies most */
  double far_own, far_node; /* B that leave the GPU, and the node, with most */
  bool over;                /* a wait for an event of another node */
  bool meets; /* copies of several streams of a GPU meet others' */
} gscale__placed;

struct gscale_plan {
  gscale__forms forms, single; /* of its GPUs, and of the one of t1 */
  gscale__source_room room;    /* for what it is made of: */
  gscale__source *source;      /* see gscale__ask() */
  uint64_t by[GSCALE__ASKED];  /* who asked when it was made: GSCALE__BY */
  uint64_t *costs_asked; /* NULL, or a bit for each cost that was asked for */
  gscale__placed placed; /* of `own`, if that runs as it is written */
  gscale__program *held; /* `own`, which stays when the workload is freed */

  /* From here on plans are compared: no pointer to what one of them owns. */
  int n, baseline;
  bool network;    /* there is one, whatever n */
  int nodes, near; /* nodes of the n GPUs, and GPUs of the fullest */
  gscale_link net; /* of a network card */
  double sharing;  /* nodes that share each of their cards, >= 1 */
  int rails;
  gscale_remote remote;
  gscale_power power;
  bool beyond;
  double t1_doubt; /* of a t1 scaled from another system, as a share of it */
  double host_by;  /* times the machine's, calls and waits of hosts, starts of
                    * kernels and what else is on one GPU, but for the work of
                    * kernels, so that one GPU takes its t1 */
  double one_work, one_host; /* s, of a step of one GPU; its calls and waits */
  gscale_host host;
  int threads;                  /* of the host, in use */
  double norm;                  /* s, the kernel that finds it */
  double cost[GSCALE_COST_END]; /* of timelines, for these threads */
  gscale_link link;
  double goodput; /* of what collectives store over it */
  double paged;   /* B on it / B, of a page that is copied */
  gscale__coll_wires wires;
  gscale_can can;
  double infinite;          /* s, T_infinite(n) */
  double left_out;          /* s, that as its runs are measured */
  double infinite_baseline; /* s, T_infinite(baseline) */
  double largest_footprint; /* B, of one GPU, for applicability */
  double smallest_footprint;
  const gscale__program *own;   /* the program's schedule for n GPUs, or NULL */
  int node;                     /* GPUs that are joined as built */
  double ring_route, all_route; /* of collectives, >= 1: bytes on the busiest
                                 * link / that a GPU sends */
  size_t phases;
  gscale__phase_plan phase[GSCALE__PHASES_MAX];
};

/* Who asks when a plan is made. */
enum {
  GSCALE__BY_CHECK = 1,     /* whether there can be one */
  GSCALE__BY_PLAN = 2,      /* all that nobody else asks for */
  GSCALE__BY_COSTS = 4,     /* gscale_plan.cost */
  GSCALE__BY_INFINITE = 8,  /* its times by `infinite` */
  GSCALE__BY_BASELINE = 16, /* which one it is, */
  GSCALE__BY_BASE = 32,     /* and a plan of as many GPUs; */
  GSCALE__BY_LISTS = 64     /* lists of actions */
};
/* The routes of a phase's bytes; phases behind the 56th share one bit. */
static inline uint64_t gscale__by_routes(size_t phase)
{
  return (uint64_t)128 << (phase < 56 ? phase : 56);
}

/* A parameter; who asks is noted, where the source has a place for that. */
static inline double gscale__ask(const gscale_plan *p, gscale_param_id id)
{
  return gscale__read(p->source, id);
}

/* s, that a kernel takes to begin. */
static inline double gscale__start(const gscale_plan *p)
{
  return p->host_by * gscale__ask(p, GSCALE_DEVICE_START);
}

/* Notes costs of the plan's timelines that are asked for, a bit for each. */
static inline void gscale__note_costs(const gscale_plan *p, uint64_t costs)
{
  if (p->costs_asked) *p->costs_asked |= costs;
}

/* One of them. */
static inline double gscale__cost(const gscale_plan *p, int cost)
{
  gscale__note_costs(p, (uint64_t)1 << cost);
  return p->cost[cost];
}

/* Whether the plan's program runs as it is written: paradigms have nothing to
 * say. */
static inline bool gscale__as_written(const gscale_plan *p)
{
  return p->own && !p->own->publishes;
}

/* True if two plans of as many phases are made of the same numbers, but for
 * parameters that are asked for only when something is predicted. */
bool gscale__same_plan(const gscale_plan *a, const gscale_plan *b);

/* s, of its kernels' work; with what they take to begin it is f->compute. */
static inline double gscale__roofline(const gscale__phase_plan *f)
{
  return gscale__max(f->flop_leg, f->memory_leg);
}

/* True if a phase moves data, inside a node or between. */
static inline bool gscale__sends(const gscale__phase_plan *f)
{
  return f->out > 0.0 || f->far.out > 0.0;
}

/* ---- how a plan is made ---------------------------------------------------
 */

typedef struct gscale__traffic_room gscale__traffic_room; /* price/traffic.h */

/* A plan that was made before some numbers moved, and who asked for these. */
typedef struct gscale__earlier {
  const gscale_plan *plan; /* or NULL: there is none */
  uint64_t changed;
} gscale__earlier;

/* Who asks from here on; returns who did. */
static inline uint64_t gscale__asking(gscale_plan *p, uint64_t who)
{
  const uint64_t before = p->source->asking;

  p->source->asking = who;
  return before;
}

/* As gscale_plan_check(). */
gscale_status gscale__check_source(const gscale__source *s, int n,
                                   gscale_diag *diag);
/* The least GPUs that have room for it: there are some. */
int gscale__baseline(const gscale__source *s);
/* The machine and the host of n GPUs. */
void gscale__plan_machine(gscale_plan *p, int n);
/* The work of each phase on one GPU, and nothing else. */
/* With one of so many parts of the work. */
void gscale__plan_single(gscale_plan *one, int parts);
/* All phases, with work of `factor` times their rooflines. */
void gscale__plan_phases(gscale_plan *p, double factor,
                         const gscale__earlier *was,
                         gscale__traffic_room *room);

#endif /* GPUSCALE_PRICE_PLAN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
