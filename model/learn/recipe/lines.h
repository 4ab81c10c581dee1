/* lines.h - measured calls of collectives, and the lines of time over size that
 * fit them, for model/learn/recipe/ only. */
#ifndef GPUSCALE_LEARN_RECIPE_LINES_H
#define GPUSCALE_LEARN_RECIPE_LINES_H

#include "recipe.h"

#include <gsl/gsl_vector.h>

enum {
  LL = GSCALE_COLL_LL,
  LL128 = GSCALE_COLL_LL128,
  SIMPLE = GSCALE_COLL_SIMPLE,
  GSCALE__LINES = GSCALE_COLL_LINES,
  GSCALE__TERMS_MOST = 3,
  GSCALE__SPARE = 2, /* least degrees of freedom */
  GSCALE__NO_LINE = -1
};

/* A measured call, which uses a ring or connects pairs directly. */
typedef struct timed {
  const gscale_measurement *r;
  gscale_coll_call call;
  gscale_coll_protocol protocol; /* END: any */
  int threads;                   /* that issue it; 0: not limited by them */
  double steps[GSCALE__LINES];
  double moved; /* B through a port */
  double idle;  /* B for which simple is idle */
  bool in_switch;
  int line; /* line of the call, or GSCALE__NO_LINE */
} timed;

typedef struct collection {
  bench_run *b;
  size_t n, room;
  timed *at;
  bool steps;                    /* calls on several numbers of GPUs */
  double formatted;              /* B/s of a port */
  double turn;                   /* share of idle B that counts */
  double payload[GSCALE__LINES]; /* largest share of useful bytes */
} collection;

/* time = start + more (simple only) + steps * step[] + moved * per[]. */
typedef struct lines {
  bool there[GSCALE__LINES]; /* enough calls identify the line */
  double start, more, step[GSCALE__LINES], per[GSCALE__LINES];
} lines;

static inline bool gscale__of_pairs(gscale_coll_kind kind)
{
  return kind == GSCALE_COLL_ALL_TO_ALL || kind == GSCALE_COLL_SEND_RECV;
}

/* Returns true if the call has a line: by ring and outside the switch. */
bool gscale__of_lines(const timed *t);
/* Returns the bytes that a call counts on a line. */
double gscale__on_line(const collection *c, const timed *t, int line);
/* Returns the lines that are given by a machine's parameters. */
lines gscale__base_lines(const gscale_coll_machine *m);
/* Assigns calls to lines by the best fit.  Cuts may coincide or be absent. */
void gscale__find_lines(collection *c, const lines *base);

/* ---- joint fits ---------------------------------------------------------- */

/* A parameter, and the factor e^spread that limits it around its guess. */
typedef struct gscale__joint_term {
  gscale_param_id id;
  double spread;
} gscale__joint_term;

enum {
  GSCALE__JOINT_MOST = 16
};

typedef struct gscale__joint {
  const gscale__joint_term *term;
  size_t terms;
  double guess[GSCALE__JOINT_MOST], more[GSCALE__JOINT_MOST]; /* extra errors */
  bool all; /* parameters that moved, or that the base lacks, are stored even
             * if the rows do not tell them */
  const timed *at;
  size_t n, each; /* calls, and residuals of each */
  gscale_coll_algorithm by;
  /* Sets the residuals ln(model / measured) of all calls. */
  void (*off)(const struct gscale__joint *j, const gscale_coll_machine *m,
              gsl_vector *f);
  gscale_system with; /* with trial values, and then those of x */

  double x[GSCALE__JOINT_MOST];
  double left[GSCALE__JOINT_MOST]; /* errors of x for a misfit of 1 */
  double misfit;                   /* misfit of a call */
} gscale__joint;

/* Sets one residual of each call, for the member `off`. */
void gscale__joint_off(const gscale__joint *j, const gscale_coll_machine *m,
                       gsl_vector *f);
/* Finds x, left and misfit.  The misfit is infinite if the fit fails. */
void gscale__joint_solve(bench_run *b, gscale__joint *j);
/* Stores the parameters that the calls identify. */
void gscale__joint_conclude(bench_run *b, const gscale__joint *j,
                            const char *benches);

/* ---- nccl-tests ---------------------------------------------------------- */

/* A bench of nccl-tests, which measures one kind of collective. */
typedef struct gscale__coll_bench {
  const char *bench;
  gscale_coll_kind kind;
} gscale__coll_bench;
enum {
  GSCALE__COLL_BENCHES = 7
};
extern const gscale__coll_bench gscale__coll_benches[GSCALE__COLL_BENCHES];

/* Returns the call of a row, without contention. */
gscale_coll_call gscale__coll_call(gscale_coll_kind kind,
                                   const gscale_measurement *r);
/* Reads the call of a row of MPI.  Returns false for other rows. */
bool gscale__mpi_call(const gscale_measurement *r, gscale_coll_call *call,
                      gscale_coll_protocol *protocol);
/* Stores the errors of the finished model for calls, as coll.off_small and the
 * two parameters that follow it. */
void gscale__conclude_offs(bench_run *b, gscale_param_id small, const timed *at,
                           size_t n, const char *benches);
/* Returns the time that expect gives a row, or NaN. */
double gscale__row_time(const gscale_system *s, const gscale_measurement *r);
/* Finds what the rows of collectives tell of each measured parameter. */
void gscale__told(const gscale_system *s, const gscale_measurements *m,
                  gscale_calibration *out);
/* Fits coll.issue. */
void gscale__solve_issue(bench_run *b);

/* gscale__reset_base() resets parameters that rows of a node's collectives can
 * identify, so that the base does not affect them. gscale__restore_base()
 * restores parameters that the rows did not identify. */
enum {
  GSCALE__IDENTIFIED = GSCALE_COLL_CHANNEL - GSCALE_COLL_START + 1
};
void gscale__reset_base(bench_run *b, gscale_param base[GSCALE__IDENTIFIED]);
void gscale__restore_base(bench_run *b,
                          const gscale_param base[GSCALE__IDENTIFIED]);

#endif /* GPUSCALE_LEARN_RECIPE_LINES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
