/* timeline.h - internals of a compiled timeline, for model/timeline/ only.
 *
 * actions.c checks a schedule, unfold.c makes its moments and arcs, lump.c
 * merges equal moments, and contract.c reduces the rest to joins, which
 * timeline.c evaluates. */
#ifndef GPUSCALE_TIMELINE_TIMELINE_H
#define GPUSCALE_TIMELINE_TIMELINE_H

#include "ground/ground.h"

/* The weight of an arc is a row of sparse combinations of costs.  Rows of
 * durations come after the fixed rows. */
typedef enum gscale__weight {
  GSCALE__NOTHING,
  GSCALE__CALL, /* + kind: issue and contention */
  GSCALE__MEET = GSCALE__CALL + GSCALE_CALL_END, /* cost of a barrier */
  GSCALE__MEET_LATE,                             /* barrier with a straggler */
  GSCALE__WAKE,
  GSCALE__KERNEL_WAKE, /* a waiting thread notices the kernel */
  GSCALE__COPY_WAKE,
  GSCALE__KERNEL_KERNEL,
  GSCALE__KERNEL_COPY,
  GSCALE__COPY_KERNEL,
  GSCALE__COPY_COPY,
  GSCALE__NEAR,
  GSCALE__FAR,
  GSCALE__FAR_MEET,
  GSCALE__LENGTH /* + duration */
} gscale__weight;

enum {
  GSCALE__TERMS = 3 /* most terms of a weight */
};

typedef struct gscale__row {
  int terms;
  int cost[GSCALE__TERMS];
  double times[GSCALE__TERMS];
} gscale__row;

/* The rank of a moment's work decides between equal arcs. */
typedef enum gscale__rank {
  GSCALE__COMPUTE,
  GSCALE__COPY,
  GSCALE__EVENT,
  GSCALE__HOST,
  GSCALE__RANK_END
} gscale__rank;

typedef struct gscale__moment {
  int action; /* action, or the first of several */
  int gpu;    /* GPU, or -1 */
  int slot;   /* 0, or 1 in odd steps */
  gscale__rank rank;
  bool device;
  int first; /* first arc into the moment */
} gscale__moment;

/* An arc states that to >= from + weight, where `from` is `periods` earlier.  A
 * period is one step, or two steps if even and odd steps differ. */
typedef struct gscale__arc {
  int from, periods, weight;
} gscale__arc;

/* A moment of `periods` earlier.  Moment -1 is none. */
typedef struct gscale__when {
  int moment, periods;
} gscale__when;

typedef struct gscale__action {
  gscale__when call, back, begin, end;
} gscale__action;

/* A link is an arc between joins: to >= from + offset + weight, from `periods`
 * earlier.  A link has 32 B so that an index is a shift; with 24 B a period
 * takes 4 % longer. */
typedef struct gscale__link {
  int from;   /* source join */
  int offset; /* offset of the start after the join */
  int weight;
  int arc; /* arc of the link */
  int tie; /* the lower number comes first */
  double periods;
} gscale__link;

/* The place of a moment: an offset after its join of `lag` periods earlier. */
typedef struct gscale__spot {
  int join, lag, offset;
} gscale__spot;

/* A moment with one incoming arc is a fixed time after another moment. */
typedef struct gscale__step {
  int parent; /* offset before this step */
  int weight;
} gscale__step;

struct gscale_timeline {
  int gpus, costs;
  int slots; /* steps in a period */
  size_t actions;
  gscale__action *action; /* slots * actions */
  int *owner;             /* GPU of each action, or -1 */

  int moments, arcs; /* moment[moments].first = arcs */
  gscale__moment *moment;
  gscale__arc *arc;

  int weights; /* rows */
  gscale__row *row;

  /* Joins are moments with several incoming arcs, in topological order. */
  int joins, links, offsets;
  int *first;         /* first link into each join */
  gscale__link *link; /* links in the order of ties */
  gscale__spot *spot; /* place of each moment */
  int *order;         /* moments, parents first */
  int *moment_of;     /* moment of each join */
  gscale__step *step; /* step of each offset, 0 for joins */
  double most;        /* most periods of any link */
};

/* ---- actions (actions.c) ------------------------------------------------- */

/* The largest count of anything, so that counts fit an int. */
enum {
  GSCALE__COUNT_MAX = 1 << 24
};

/* Properties of a kind of action. */
typedef struct gscale__kind_info {
  const char *name;
  bool stream, event, peer, length; /* the fields that it uses */
  bool entry;                       /* occupies an entry of its stream */
  gscale__rank rank;                /* rank of its work in the stream */
} gscale__kind_info;
extern const gscale__kind_info gscale__kinds[GSCALE_ACTION_END];

/* Returns true for an entry with a duration, unlike a record or a wait. */
static inline bool gscale__works(gscale_action_kind k)
{
  return gscale__kinds[k].entry && gscale__kinds[k].length;
}

/* Returns true if the action belongs to even (slot 0) or odd steps (1). */
static inline bool gscale__in_slot(const gscale_action *a, int slot)
{
  return a->parity == GSCALE_EVERY_STEP ||
         (a->parity == GSCALE_ODD_STEPS) == (slot == 1);
}

/* Returns the GPU of an action, or -1. */
int gscale__gpu_of(const gscale_schedule *s, const gscale_action *a);
/* Fails with GSCALE_EDATA if a schedule is impossible, and names the action. */
gscale_status gscale__check_schedule(const gscale_schedule *s,
                                     gscale_diag *diag);

/* ---- compiled schedules -------------------------------------------------- */

/* A cost, and how often it counts. */
typedef struct gscale__term {
  int cost;
  double times;
} gscale__term;

/* A compiled schedule.  If each step begins when all earlier work has ended,
 * the period is the longest of a few paths, whose terms are stored one after
 * another.  For all other steps, the timeline gives the period. */
typedef struct gscale__form {
  gscale_timeline *timeline;
  const gscale_schedule *schedule;
  int durations;
  int *used; /* durations in use, and their number */
  int uses;
  double far;        /* share of waits for other GPUs */
  bool alone;        /* one GPU represents all */
  bool behind_waits; /* copies come after synchronisations */
  int paths;
  int *first; /* first term of each path */
  gscale__term *term;
  int looks; /* costs in use, also as bits */
  uint64_t looked;
  unsigned char look[GSCALE_COST_END];
  bool waits; /* uses the cost of waits */
} gscale__form;

enum {
  GSCALE__PATHS_MAX = 48 /* the timeline is faster for more paths */
};

/* Compiles a schedule, which must outlive the form.  With `lumps` the schedule
 * is lumped.  Without `lumps`, the schedule becomes paths, and the last call of
 * its single thread must wait for all work of the step.  Fails like
 * gscale_timeline_new(). */
gscale_status gscale__form_open(gscale__form *f, const gscale_schedule *s,
                                bool lumps, gscale_diag *diag);
void gscale__form_close(gscale__form *f);
/* Equals gscale_timeline_period(), but is NaN if memory is exhausted, too. */
double gscale__form_period(const gscale__form *f, const double *cost,
                           double *gradient);

/* Returns the length in s of the longest path of a form with paths. *path is
 * the first longest path. */
double gscale__form_path(const gscale__form *f, const double *cost, int *path);

/* Checks the schedule, and makes its moments and arcs (unfold.c). */
gscale_status gscale__unfold(const gscale_schedule *s, gscale_timeline *t,
                             gscale_diag *diag);

/* Contracts the timeline.  GSCALE_EDATA: an action waits for itself. */
gscale_status gscale__contract(gscale_timeline *t, const gscale_action *action,
                               gscale_diag *diag);

/* Fails with "action 7 (wait, thread 0, stream 2): " and the formatted text. */
gscale_status gscale__refuse_action(gscale_diag *diag, gscale_status st,
                                    const gscale_action *list, size_t i,
                                    const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Arcs as pairs (to, arc) in the order of ties, which become the timeline's.
 * The timeline then owns the arrays. */
typedef struct gscale__arcs {
  size_t n;
  int *to;
  gscale__arc *arc;
} gscale__arcs;
/* Sorts arcs.  Of equal arcs, arcs from compute come first, then copy, event
 * and host, then arcs from the same GPU, then arcs of earlier actions. */
bool gscale__sort_arcs(gscale_timeline *t, const gscale__arcs *list);

#endif /* GPUSCALE_TIMELINE_TIMELINE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
