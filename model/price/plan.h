/* plan.h - the internals of plans, for model/ only. */
#ifndef GPUSCALE_PRICE_PLAN_H
#define GPUSCALE_PRICE_PLAN_H

#include "describe/ask.h"
#include "describe/program.h"

/* Traffic that leaves nodes. */
typedef struct gscale__leaving_nodes {
  double out;                       /* B of the busiest GPU */
  double messages;                  /* of the busiest GPU */
  double all;                       /* B of all GPUs */
  double node_bytes, node_messages; /* busiest node, one direction */
  double leaf_bytes; /* busiest leaf's B / nodes of a leaf, or 0 */
} gscale__leaving_nodes;

/* The grid of a phase's GPUs.  A GPU without units of work has no face. */
typedef struct gscale__arrangement {
  int active, periodic; /* two ints, without padding for memcmp */
  int gpus[GSCALE_DIMS_MAX],
      apart[GSCALE_DIMS_MAX];    /* distance of neighbours */
  double bytes[GSCALE_DIMS_MAX]; /* B of a face */
  double share[GSCALE_DIMS_MAX]; /* share of the whole cut */
} gscale__arrangement;

enum {
  GSCALE__FACES_MAX = 2 * GSCALE_DIMS_MAX /* of one GPU */
};

typedef struct gscale__side {
  int to;
  double bytes, share; /* B; of the whole cut */
} gscale__side;

/* Lists the faces of GPU i and returns the number of faces.  A neighbour on
 * both sides of GPU i counts twice. */
int gscale__faces_of(const gscale__arrangement *a, int i, gscale__side *f);

/* A group of thread blocks that behave alike.  Kernels split at groups. */
typedef struct gscale__group {
  double extent;    /* share of arithmetic */
  double publishes; /* share of published data */
  double blocks;    /* number */
  double row;       /* blocks per row, >= 1 */
} gscale__group;

/* The links of collectives are never perturbed. */
typedef struct gscale__coll_wires {
  double switched; /* 1: the switch may reduce */
  double leaf;     /* gscale_network_leaf() */
  double port;     /* B/s of the link */
  double peers;    /* 1: stores reach the memory of other GPUs.  A bool would
                    * leave padding to gscale__same_plan() */
} gscale__coll_wires;

/* The path of a collective's data from GPU to GPU. */
typedef struct gscale__coll_path {
  double route; /* bytes on the busiest link / bytes of the port, >= 1 */
  double host;  /* 1: some hop passes host memory; 0: no hop does */
  double rate;  /* useful B/s of a GPU if all hops are staged, else 0 */
} gscale__coll_path;

typedef struct gscale__coll_paths {
  gscale__coll_path ring; /* NCCL's rings and chains */
  gscale__coll_path next; /* from each GPU to the next GPU */
  gscale__coll_path all;  /* from each GPU to all other GPUs */
} gscale__coll_paths;

#define GSCALE__PAGE 65536.0 /* B of a managed page */

/* Numbers of a phase on n GPUs, which hold for every paradigm.  A number is
 * that of the busiest GPU, or a sum over GPUs if its name contains `all`. */
typedef struct gscale__phase_plan {
  double repeats;

  /* Kernel time is max(flop_leg, memory_leg) + start. */
  double flop_leg, memory_leg, start; /* s */
  double streamed;                    /* s of the memory leg without gathers */
  double filling;                     /* of flop_leg */
  double compute;                     /* s */
  double busy;                        /* time share with memory busy */
  double filled;  /* time share, memory or arithmetic busy */
  double kernels; /* launches */
  double beside[GSCALE_BESIDE_MAX];
  double count, residents; /* see gscale_waves_beside(); 0: unknown */

  gscale__leaving_nodes far;

  /* traffic inside nodes */
  gscale_pattern to;
  gscale_turns order;
  double local;               /* B for other GPUs */
  double out;                 /* B sent, local * destinations */
  double in;                  /* B of the busiest receiver */
  double all;                 /* B of all GPUs */
  double destinations;        /* of each byte */
  double share;               /* needed share */
  double piece;               /* B of a contiguous piece */
  double cuts;                /* share of a cut, or 1 */
  gscale__arrangement grid;   /* grid of neighbours */
  double faces;               /* of the busiest sender */
  double copies;              /* bulk copies */
  double copy;                /* B of a bulk copy */
  double copy_wire;           /* B on the link */
  double queued;              /* copies queued in the busiest stream */
  double over;                /* copied B / needed B */
  double copy_route;          /* B on the busiest resource / B sent */
  double alone_route;         /* route without contention */
  double store_route;         /* route of stores */
  double ratio;               /* inline: wire B / useful B */
  double packets;             /* inline: packets / useful B */
  gscale_calls calls;         /* additional host calls */
  double pack, pack_launches; /* s of packing */
  struct {                    /* the phase as a collective */
    gscale_coll_kind kind;    /* END: not a collective */
    double bytes;             /* B, see gscale_coll_kind */
  } coll;
  double adding; /* s to add received data */
  double rewrites, read;
  double wide;               /* packets / B of words >= 8 B */
  double touched;            /* B of a GPU's arrays */
  double store_size, spread; /* mean B of a store; B of scatter */
  double reuse, stride;      /* B, as in gscale_phase */
  double arriving;           /* stores per byte that a queue gets */
  gscale_joins joins;
  double stay;         /* s of a block's straggler */
  double wait;         /* extra s of remote dependent loads */
  double fetch, loads; /* B of a load; number of loads */
  double fetch_wire;   /* B on the link, with request */
  double packed;       /* wire B / B of a packed piece */
  double pages;        /* page B / B of a piece */
  bool prefetch, atomic;
  gscale_peer peer; /* access to all receivers */
  double away;      /* share of blocks with remote data */
  size_t groups;    /* groups of publishing blocks */
  bool apart;       /* each group is a kernel */
  gscale__group group[GSCALE_BLOCKS_MAX];
  double block;                    /* B of a block */
  double blocks;                   /* publishing blocks, or 0 */
  double agent_block, agent_loads; /* threads; loads in flight */
  double agent_blocks;
  gscale_chunk_of agent_of;
  double slots;           /* resident blocks */
  bool bounded;           /* boundary is stated */
  double boundary;        /* s until boundary data is ready */
  gscale_profile ready;   /* readiness for copies */
  gscale_profile counted; /* readiness at ends of waves */
  gscale_profile stored;  /* readiness of stores */
  gscale_profile reading; /* readiness of remote reads */
} gscale__phase_plan;

/* Routes of a program's copies if the program runs as written (placed.c). */
typedef struct gscale__placed {
  double *route;            /* route of each duration */
  bool *crosses;            /* true if a duration leaves the node */
  double at_once;           /* B of all GPUs / B of the busiest GPU */
  double far_own, far_node; /* B of the busiest GPU; of the busiest node */
  bool over;                /* a stream waits for another node */
  bool meets;               /* streams of a GPU contend */
} gscale__placed;

struct gscale_plan {
  gscale__forms forms, single; /* forms of n GPUs; of t1's GPU */
  gscale__source_room room;    /* for the source */
  gscale__source *source;      /* see gscale__ask() */
  uint64_t by[GSCALE__ASKED];  /* GSCALE__BY bits of the askers */
  uint64_t *costs_asked;       /* bits of the costs asked for, or NULL */
  gscale__placed placed;       /* routes of `own` if as written */
  gscale__program *held;       /* keeps `own` after the workload is freed */

  /* gscale__same_plan() compares all later members, which own no memory. */
  int n, baseline;
  bool network;    /* the system has a network */
  int nodes, near; /* nodes in use; GPUs of the fullest node */
  gscale_link net; /* of a network card */
  double sharing;  /* nodes that share a card, >= 1 */
  int rails;
  gscale_remote remote;
  gscale_power power;
  bool beyond;
  double t1_doubt;           /* relative error of a scaled t1 */
  double host_by;            /* factor on all but kernel work, to fit t1 */
  double one_work, one_host; /* s on one GPU: of the step; of the host */
  gscale_host host;
  int threads;                  /* host threads in use */
  double norm;                  /* s of the norm's kernel */
  double cost[GSCALE_COST_END]; /* costs of timelines */
  gscale_link link;
  double goodput; /* of collectives' stores */
  double paged;   /* wire B / B of a page */
  gscale__coll_wires wires;
  gscale_can can;
  double infinite;               /* s, T_infinite(n) */
  double left_out;               /* s, T_infinite as runs measure it */
  double infinite_baseline;      /* s, T_infinite(baseline) */
  double alone[GSCALE_LOST_END]; /* s of each kind of T_infinite */
  double largest_footprint;      /* B of one GPU */
  double smallest_footprint;
  const gscale__program *own; /* the program's schedule, or NULL */
  int node;                   /* GPUs of a node as built */
  gscale__coll_paths paths;
  size_t phases;
  gscale__phase_plan phase[GSCALE__PHASES_MAX];
};

/* One bit for each function or member that asks for parameters. */
enum {
  GSCALE__BY_CHECK = 1,     /* gscale__check_source() */
  GSCALE__BY_PLAN = 2,      /* all else */
  GSCALE__BY_COSTS = 4,     /* gscale_plan.cost */
  GSCALE__BY_INFINITE = 8,  /* T_infinite */
  GSCALE__BY_BASELINE = 16, /* the baseline's size */
  GSCALE__BY_BASE = 32,     /* the baseline's plan */
  GSCALE__BY_LISTS = 64     /* lists of actions */
};
/* Returns the bit of a phase's routes.  Phases after the 56th share one bit. */
static inline uint64_t gscale__by_routes(size_t phase)
{
  return (uint64_t)128 << (phase < 56 ? phase : 56);
}

/* Reads a parameter.  A source that records askers notes the asker. */
static inline double gscale__ask(const gscale_plan *p, gscale_param_id id)
{
  return gscale__read(p->source, id);
}

/* Returns the time in s that a kernel takes to start. */
static inline double gscale__start(const gscale_plan *p)
{
  return p->host_by * gscale__ask(p, GSCALE_DEVICE_START);
}

/* Notes which costs of the plan's timelines are asked for, one bit each. */
static inline void gscale__note_costs(const gscale_plan *p, uint64_t costs)
{
  if (p->costs_asked) *p->costs_asked |= costs;
}

static inline double gscale__cost(const gscale_plan *p, int cost)
{
  gscale__note_costs(p, (uint64_t)1 << cost);
  return p->cost[cost];
}

/* Returns true if the plan's program runs as written, without a paradigm. */
static inline bool gscale__as_written(const gscale_plan *p)
{
  return p->own && !p->own->publishes;
}

/* Returns true if two plans with the same number of phases are equal.  Equal
 * plans may differ in parameters that only predictions ask for. */
bool gscale__same_plan(const gscale_plan *a, const gscale_plan *b);

/* Returns the time in s of kernel work without the starts of kernels. */
static inline double gscale__roofline(const gscale__phase_plan *f)
{
  return gscale__max(f->flop_leg, f->memory_leg);
}

/* Returns true if a phase moves data, inside a node or between nodes. */
static inline bool gscale__sends(const gscale__phase_plan *f)
{
  return f->out > 0.0 || f->far.out > 0.0;
}

/* ---- construction -------------------------------------------------------- */

typedef struct gscale__traffic_room gscale__traffic_room; /* price/traffic.h */

/* A plan from before some parameters changed, which a new plan may reuse. */
typedef struct gscale__earlier {
  const gscale_plan *plan; /* or NULL */
  uint64_t changed;
} gscale__earlier;

/* Sets the asker of all later reads, and returns the former asker. */
static inline uint64_t gscale__asking(gscale_plan *p, uint64_t who)
{
  const uint64_t before = p->source->asking;

  p->source->asking = who;
  return before;
}

/* Makes the checks of gscale_plan_check(). */
gscale_status gscale__check_source(const gscale__source *s, int n,
                                   gscale_diag *diag);
/* Returns the smallest number of GPUs whose memory holds the workload. */
int gscale__baseline(const gscale__source *s);
/* Fills the machine and the host of a plan for n GPUs. */
void gscale__plan_machine(gscale_plan *p, int n);
/* Fills only the kernel work on one GPU that has one of `parts` equal parts. */
void gscale__plan_single(gscale_plan *one, int parts);
/* Fills all phases, with kernel work of `factor` times the rooflines. */
void gscale__plan_phases(gscale_plan *p, double factor,
                         const gscale__earlier *was,
                         gscale__traffic_room *room);

#endif /* GPUSCALE_PRICE_PLAN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
