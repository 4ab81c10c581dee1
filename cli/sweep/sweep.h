/* sweep.h - design studies, which vary the inputs of a question. */
#ifndef GPUSCALE_SWEEP_H
#define GPUSCALE_SWEEP_H

#include "say/predict.h"
#include "sweep/failed_points.h"

/* ---- axes --------------------------------------------------------------- */

/* The number that --over NAME=... varies. */
typedef struct over {
  char name[64];
  enum {
    OVER_PARAMETER, /* of the system: link.rate */
    OVER_GPUS,
    OVER_KNOB,   /* of a paradigm: proact-poll.chunk */
    OVER_SETTING /* other -P: n, sweep.publish.bytes */
  } kind;
  gscale_param_id parameter;
  size_t paradigm;
  gscale_knob knob;
  gscale_dim dim;
  char unit[16]; /* unit of a setting's number */
} over;

/* Reads NAME=FROM..TO[,log][,whole][,STEPS] or NAME=V,V,... and stores the
 * values in *list, which is NULL for a range. The caller frees *list. */
int parse_over(const char *text, over *out, gscale_axis *axis, double **list,
               failure *why);
/* Replaces the option at the begin of a message by the file and line of the
 * table. */
int blame_table(const char *option, const char *path, int line, failure *why);
/* Reads column c of the table of points in the file `path` (--at), which has
 * the name of the number and one value per row. */
int parse_column(const gscale_table *t, const char *path, size_t c, over *out,
                 gscale_axis *axis, double **list, failure *why);
/* Writes the name of the values' column, such as "link.rate_Bps". */
void over_column(const over *v, char *name, size_t size);
/* Writes a value with 17 digits, so that -P reads the same number. Also writes
 * a label for people. */
void over_print(const over *v, double x, char text[64], char label[64]);

/* The values of one --over in the syntax of -P. Numbers of GPUs have no such
 * syntax. The content must be freed even after a failure. */
typedef struct over_values {
  over of;
  double *x;
  char (*text)[64], (*label)[64];
  variants v;
} over_values;
int over_values_new(const char *text, over_values *out, failure *why);
void over_values_free(over_values *v);

/* ---- points ------------------------------------------------------------- */

/* A walk answers the question at one point after another. */
typedef struct walk walk;

/* Opens the question of the options with --over, --design, --points and --seed.
 * The options outlive the walk. The caller frees *out even after a failure. */
int walk_new(options *o, walk **out, failure *why);
void walk_free(walk *w);
uint64_t walk_points(const walk *w);
/* Returns whether a change along some axis reloads descriptions. */
bool walk_loads(const walk *w);

/* The answers at one point on one N. */
typedef struct point {
  uint64_t number; /* index from 0 */
  const double *x; /* one value per axis */
  const question *q;
  size_t n;        /* index in q->gpus */
  const answer *a; /* a[i] is of paradigm i */
} point;

size_t walk_axes(const walk *w);
const options *walk_options(const walk *w); /* options of walk_new() */

/* Calls each() for the points first .. last - 1 and each N. At a point without
 * an answer, all paradigms are unmet, and the point is counted. */
int walk_through(walk *w, uint64_t first, uint64_t last,
                 int (*each)(const point *p, void *closure, failure *why),
                 void *closure, failure *why);
/* Computes the answers at the given values on the first N of the question. */
int walk_at(walk *w, const double *x, point *p, failure *why);
/* Adds later answers with errors to the joint distribution, if not NULL. */
void walk_join(walk *w, gscale_joint *j);
/* Makes x a value of axis i, if this is a range around x. */
int walk_include(walk *w, size_t i, double x, failure *why);
/* Returns axis i. */
const over *walk_over(const walk *w, size_t i, const gscale_axis **axis);
/* Returns the points and N that had no answer so far. */
gaps *walk_gaps(walk *w);
/* Fails because no point has an answer, with the first reason. */
int walk_refuse(const walk *w, failure *why);

/* ---- rows ---------------------------------------------------------------- */

/* The columns point, system, workload, one per axis, and the answer.
 * sweep_columns() returns the number of columns. */
typedef struct sweep_table {
  column of[GSCALE_AXES_MAX + 16];
  char name[GSCALE_AXES_MAX][96];
} sweep_table;
size_t sweep_columns(const walk *w, sweep_table *out);
/* Fills cleared cells with the answer of paradigm i. */
void sweep_row(cell *c, const walk *w, const point *p, size_t i);
/* Lists the paradigms of a point whose needs are met. With --best, only the
 * best paradigm is listed, preferably one that moves data. Ties are within 1 %,
 * because `sweep` has no errors of ratios. */
size_t sweep_shown(const walk *w, const point *p, size_t *shown);

#endif /* GPUSCALE_SWEEP_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
