/* timeline.h - the inside of a compiled timeline, for model/timeline/ only.
 *
 * actions.c checks a schedule, unfold.c makes its moments and arcs, lump.c
 * fewer of them, contract.c what is left of them for timeline.c to evaluate. */
#ifndef GPUSCALE_TIMELINE_TIMELINE_H
#define GPUSCALE_TIMELINE_TIMELINE_H

#include "ground/ground.h"

/* What an arc adds: a row of a table of sparse combinations of costs; durations
 * follow the fixed rows. */
typedef enum gscale__weight {
  GSCALE__NOTHING,
  GSCALE__CALL, /* + kind: issue and crowding */
  GSCALE__MEET = GSCALE__CALL + GSCALE_CALL_END, /* a barrier */
  GSCALE__MEET_LATE,                             /* and a straggler's */
  GSCALE__WAKE,
  GSCALE__KERNEL_WAKE, /* a kernel's end, seen by a waiting thread */
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
  GSCALE__TERMS = 3 /* of a weight, at most */
};

typedef struct gscale__row {
  int terms;
  int cost[GSCALE__TERMS];
  double times[GSCALE__TERMS];
} gscale__row;

/* What a moment is the end of: which arcs win a tie. */
typedef enum gscale__rank {
  GSCALE__COMPUTE,
  GSCALE__COPY,
  GSCALE__EVENT,
  GSCALE__HOST,
  GSCALE__RANK_END
} gscale__rank;

typedef struct gscale__moment {
  int action; /* that it belongs to; of several the first */
  int gpu;    /* -1: none */
  int slot;   /* 0, or 1 in odd steps */
  gscale__rank rank;
  bool device;
  int first; /* arc into it; those of the next moment follow */
} gscale__moment;

/* to >= from + weight, with from of so many periods before.  A period is one
 * step, or two if the schedule differs between even and odd ones. */
typedef struct gscale__arc {
  int from, periods, weight;
} gscale__arc;

/* A moment of so many periods before; moment -1: none. */
typedef struct gscale__when {
  int moment, periods;
} gscale__when;

typedef struct gscale__action {
  gscale__when call, back, begin, end;
} gscale__action;

/* An arc between joins: to >= from + offset + weight, `periods` before.  Of 32
 * B, so that an index is a shift: with 24 B a period takes 4 % longer. */
typedef struct gscale__link {
  int from;   /* join */
  int offset; /* its start is so much later than that join */
  int weight;
  int arc; /* that it stands for */
  int tie; /* the lower comes first */
  double periods;
} gscale__link;

/* Where a moment is: an offset after its join of so many periods before. */
typedef struct gscale__spot {
  int join, lag, offset;
} gscale__spot;

/* A moment with one arc into it, which is a fixed time after another. */
typedef struct gscale__step {
  int parent; /* offset */
  int weight;
} gscale__step;

struct gscale_timeline {
  int gpus, costs;
  int slots; /* steps in a period */
  size_t actions;
  gscale__action *action; /* slots * actions */
  int *owner;             /* GPU of each action, -1: none */

  int moments, arcs; /* moment[moments].first = arcs */
  gscale__moment *moment;
  gscale__arc *arc;

  int weights; /* rows */
  gscale__row *row;

  /* Contracted.  Joins are moments with several arcs into them, in an order in
   * which those of one period follow each other. */
  int joins, links, offsets;
  int *first;         /* link into each join, and one past the last */
  gscale__link *link; /* in the order of ties */
  gscale__spot *spot; /* of each moment */
  int *order;         /* moments, offsets' parents first */
  int *moment_of;     /* of each join */
  gscale__step *step; /* of each offset; 0 is that of all joins */
  double most;        /* periods of a link */
};

/* ---- actions (actions.c) --------------------------------------------------
 */

/* No description comes near; it keeps all counts within an int. */
enum {
  GSCALE__COUNT_MAX = 1 << 24
};

/* Of each kind of action. */
typedef struct gscale__kind_info {
  const char *name;
  bool stream, event, peer, length; /* the fields it uses */
  bool entry;                       /* it takes its turn in the stream */
  gscale__rank rank;                /* of what it does there */
} gscale__kind_info;
extern const gscale__kind_info gscale__kinds[GSCALE_ACTION_END];

/* Work, as opposed to a record or a wait. */
static inline bool gscale__works(gscale_action_kind k)
{
  return gscale__kinds[k].entry && gscale__kinds[k].length;
}

/* Whether it is done in even steps, slot 0, or in odd ones. */
static inline bool gscale__in_slot(const gscale_action *a, int slot)
{
  return a->parity == GSCALE_EVERY_STEP ||
         (a->parity == GSCALE_ODD_STEPS) == (slot == 1);
}

/* -1: of none. */
int gscale__gpu_of(const gscale_schedule *s, const gscale_action *a);
/* GSCALE_EDATA, naming the action, for what cannot be. */
gscale_status gscale__check_schedule(const gscale_schedule *s,
                                     gscale_diag *diag);

/* ---- compiled -------------------------------------------------------------
 */

/* times of a cost */
typedef struct gscale__term {
  int cost;
  double times;
} gscale__term;

/* A schedule, compiled.  If each step begins when all before has ended, its
 * period is the longest of a few paths, whose terms lie one after the other;
 * else the timeline is asked. */
typedef struct gscale__form {
  gscale_timeline *timeline;
  const gscale_schedule *schedule;
  int durations;
  int *used; /* durations that some action has, and how many */
  int uses;
  double far; /* share of its waits that are for other GPUs */
  bool alone; /* one GPU stands for all */
  bool
      behind_waits; /* its copies are called for when kernels were waited for */
  int paths;
  int *first; /* term of each path, and one past the last */
  gscale__term *term;
  int looks; /* costs that its period may look at, a bit for each in looked */
  uint64_t looked;
  unsigned char look[GSCALE_COST_END];
  bool waits; /* among them that of a wait */
} gscale__form;

enum {
  GSCALE__PATHS_MAX = 48 /* more are not worth it: the timeline is asked */
};

/* Compiles a schedule, which has to stay: lumped, or, if not `lumps`, as paths,
 * where its one thread's last call is behind all that the step has begun. Fails
 * as gscale_timeline_new(). */
gscale_status gscale__form_open(gscale__form *f, const gscale_schedule *s,
                                bool lumps, gscale_diag *diag);
void gscale__form_close(gscale__form *f);
/* As gscale_timeline_period(); NaN, too, without memory. */
double gscale__form_period(const gscale__form *f, const double *cost,
                           double *gradient);

/* Of a form with paths, the longest, of some that are as long the first, and
 * its length, s. */
double gscale__form_path(const gscale__form *f, const double *cost, int *path);

/* unfold.c: the schedule's moments and arcs.  Checks it. */
gscale_status gscale__unfold(const gscale_schedule *s, gscale_timeline *t,
                             gscale_diag *diag);

/* contract.c: fills in the rest.  GSCALE_EDATA: an action waits for itself. */
gscale_status gscale__contract(gscale_timeline *t, const gscale_action *action,
                               gscale_diag *diag);

/* "action 7 (wait, thread 0, stream 2): " and the rest. */
gscale_status gscale__refuse_action(gscale_diag *diag, gscale_status st,
                                    const gscale_action *list, size_t i,
                                    const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Arcs given as (to, arc), in the order of ties among themselves, become the
 * timeline's.  It owns what it then points at. */
typedef struct gscale__arcs {
  size_t n;
  int *to;
  gscale__arc *arc;
} gscale__arcs;
/* Ties go to compute, copy, event, host, then to the own GPU, then to the order
 * in which arcs were made, which is that of the list of actions. */
bool gscale__sort_arcs(gscale_timeline *t, const gscale__arcs *list);
/* Adds an arc into a moment, whose first is arc `begin`, unless it says the
 * same as the last. */
void gscale__add_arc(gscale_timeline *t, int begin, const gscale__arc *arc);

#endif /* GPUSCALE_TIMELINE_TIMELINE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
