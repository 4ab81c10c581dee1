/* lines.h - calls of collectives as they were measured, and the lines they are
 * on, for model/learn/recipe/ only. */
#ifndef GPUSCALE_LEARN_RECIPE_LINES_H
#define GPUSCALE_LEARN_RECIPE_LINES_H

#include "recipe.h"

enum {
  LL = GSCALE_COLL_LL,
  LL128 = GSCALE_COLL_LL128,
  SIMPLE = GSCALE_COLL_SIMPLE,
  GSCALE__LINES = GSCALE_COLL_LINES,
  GSCALE__TERMS_MOST = 3,
  GSCALE__SPARE = 2, /* points more than terms */
  GSCALE__NO_LINE = -1
};

/* A call by ring, or directly between pairs. */
typedef struct timed {
  const gscale_measurement *r;
  gscale_coll_call call;
  double steps[GSCALE__LINES];
  double moved; /* B through the busiest port, with what shares it */
  double idle;  /* B as long as it sends nothing, by simple: a share shows */
  bool in_switch;
  int line; /* on which it is; or GSCALE__NO_LINE */
} timed;

typedef struct collection {
  bench_run *b;
  size_t n, room;
  timed *at;
  bool steps; /* of several numbers of GPUs, which tell what a step takes */
  double formatted;              /* B/s of a port, as formatted */
  double turn;                   /* the share */
  double payload[GSCALE__LINES]; /* at most useful, of what is sent */
} collection;

/* start + more (simple only) + steps step[] + moved per[]; of two steps that
 * are the same, LL128 says it. */
typedef struct lines {
  bool there[GSCALE__LINES]; /* of as many calls as tell it */
  double start, more, step[GSCALE__LINES], per[GSCALE__LINES];
} lines;

static inline bool gscale__of_pairs(gscale_coll_kind kind)
{
  return kind == GSCALE_COLL_ALL_TO_ALL || kind == GSCALE_COLL_SEND_RECV;
}

/* Whether it is on one: by ring, and not in the switch. */
bool gscale__of_lines(const timed *t);
/* B on a line, as long as which it lasts. */
double gscale__on_line(const collection *c, const timed *t, int line);
/* The lines that a machine's numbers say. */
lines gscale__base_lines(const gscale_coll_machine *m);
/* Deals the calls as fits best.  One cut between three lines, or none, is the
 * same as two at one size. */
void gscale__find_lines(collection *c, const lines *base);

/* ---- calls of nccl-tests (collective.c) ---------------------------------- */

/* What its benches measure. */
typedef struct gscale__coll_bench {
  const char *bench;
  gscale_coll_kind kind;
} gscale__coll_bench;
enum {
  GSCALE__COLL_BENCHES = 7
};
extern const gscale__coll_bench gscale__coll_benches[GSCALE__COLL_BENCHES];

/* The call of a row, where nobody is in its way. */
gscale_coll_call gscale__coll_call(gscale_coll_kind kind,
                                   const gscale_measurement *r);
/* The call of a row of MPI's (collective_mpi.c); false: it is none. */
bool gscale__mpi_call(const gscale_measurement *r, gscale_coll_call *call,
                      gscale_coll_protocol *protocol);
/* How far calls are off the finished model: coll.off_small and the next two. */
typedef struct gscale__off {
  double bytes, off; /* of a call; |ln(time / measured)| */
} gscale__off;
void gscale__conclude_offs(bench_run *b, gscale_param_id small, gscale__off *of,
                           size_t n, const char *benches);
/* coll.issue. */
void gscale__solve_issue(bench_run *b);
/* By whichever algorithm and protocol. */
gscale_coll_choice gscale__coll_fastest(const gscale_coll_machine *m,
                                        const gscale_coll_call *c);

/* What the rows of a node's collectives can tell begins as where nothing is
 * known, so that the base decides nothing of it; what they did not tell is then
 * the base's again. */
enum {
  GSCALE__TOLD = GSCALE_COLL_CHANNEL - GSCALE_COLL_START + 1
};
void gscale__forget(bench_run *b, gscale_param base[GSCALE__TOLD]);
void gscale__remember(bench_run *b, const gscale_param base[GSCALE__TOLD]);

#endif /* GPUSCALE_LEARN_RECIPE_LINES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
