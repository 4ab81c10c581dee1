/* sweep.h - design studies, one question at many values of its numbers. */
#ifndef GPUSCALE_SWEEP_H
#define GPUSCALE_SWEEP_H

#include "say/predict.h"
#include "sweep/failed_points.h"

/* ---- axes --------------------------------------------------------------- */

/* Describes the number that --over NAME=... varies. */
typedef struct over {
  char name[64];
  enum {
    OVER_PARAMETER, /* parameter of the system: link.rate */
    OVER_GPUS,
    OVER_KNOB,   /* knob of a paradigm: proact-poll.chunk */
    OVER_SETTING /* other setting of -P: n, sweep.publish.bytes */
  } kind;
  gscale_param_id parameter;
  size_t paradigm;
  gscale_knob knob;
  gscale_dim dim;
  char unit[16]; /* unit behind the number of a setting */
} over;

/* Reads NAME=FROM..TO[,log][,whole][,STEPS] or NAME=V,V,... and stores the
 * values in *list, or NULL for a range.  The caller frees *list. */
int parse_over(const char *text, over *out, gscale_axis *axis, double **list,
               failure *why);
/* Reads a column of the table of points in the file `path` (--at).  It has the
 * name and one value per row. */
int parse_column(const gscale_table *t, const char *path, size_t c, over *out,
                 gscale_axis *axis, double **list, failure *why);
/* Writes the column name of the values, "link.rate_Bps". */
void over_column(const over *v, char *name, size_t size);
/* Writes a value with 17 digits, so that -P reads the same number, and a label
 * for people. */
void over_print(const over *v, double x, char text[64], char label[64]);

/* Holds the values of one --over in the form of -P, except for gpus.  Free its
 * content even after a failure. */
typedef struct over_values {
  over of;
  double *x;
  char (*text)[64], (*label)[64];
  variants v;
} over_values;
int over_values_new(const char *text, over_values *out, failure *why);
void over_values_free(over_values *v);

/* ---- points ------------------------------------------------------------- */

/* A walk answers one point after the other. */
typedef struct walk walk;

/* Opens the question of the options with --over, --design, --points and --seed.
 * The options outlive the walk.  Free it even after a failure. */
int walk_new(options *o, walk **out, failure *why);
void walk_free(walk *w);
uint64_t walk_points(const walk *w);
/* Returns whether some axis makes the walk reload descriptions. */
bool walk_loads(const walk *w);

/* Holds the answers at one point on one N. */
typedef struct point {
  uint64_t number; /* counted from 0 */
  const double *x; /* one value per axis */
  const question *q;
  size_t n;        /* index of the GPUs, q->gpus[n] */
  const answer *a; /* a[i]: answer of paradigm i */
} point;

size_t walk_axes(const walk *w);
const options *walk_options(const walk *w); /* options of walk_new */

/* Calls each() for the points first .. last - 1 and each N.  All paradigms of a
 * point without an answer are unmet, and the point is counted. */
int walk_through(walk *w, uint64_t first, uint64_t last,
                 int (*each)(const point *p, void *closure, failure *why),
                 void *closure, failure *why);
/* Computes the answers at any values on the first N of the question. */
int walk_at(walk *w, const double *x, point *p, failure *why);
/* Adds later answers with errors to the joint, which may be NULL. */
void walk_join(walk *w, gscale_joint *j);
/* Returns axis i. */
const over *walk_over(const walk *w, size_t i, const gscale_axis **axis);
/* Returns the points and N without an answer so far. */
gaps *walk_gaps(walk *w);
/* Fails because no point has an answer, with the first reason. */
int walk_refuse(const walk *w, failure *why);

/* ---- rows ---------------------------------------------------------------- */

/* Stores the columns point, system, workload, one per axis, and the answer.
 * Returns their number. */
typedef struct sweep_table {
  column of[GSCALE_AXES_MAX + 16];
  char name[GSCALE_AXES_MAX][96];
} sweep_table;
size_t sweep_columns(const walk *w, sweep_table *out);
/* Fills cleared cells with the answer of paradigm i. */
void sweep_row(cell *c, const walk *w, const point *p, size_t i);
/* Lists the shown paradigms of a point, which are all whose needs are met.  The
 * option --best leaves the best one, preferably one that moves data.  Ties are
 * within 1 %, because sweep has no errors of ratios. */
size_t sweep_shown(const walk *w, const point *p, size_t *shown);

#endif /* GPUSCALE_SWEEP_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
