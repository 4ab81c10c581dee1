/* sweep.h - design studies: one question at many values of its numbers. */
#ifndef GPUSCALE_SWEEP_H
#define GPUSCALE_SWEEP_H

#include "say/predict.h"
#include "sweep/failed_points.h"

/* ---- axes (axes.c) ------------------------------------------------------ */

/* What --over NAME=... varies. */
typedef struct over {
  char name[64];
  enum {
    OVER_PARAMETER, /* of the system: link.rate */
    OVER_GPUS,
    OVER_KNOB,   /* of a paradigm: proact-poll.chunk */
    OVER_SETTING /* whatever else -P takes: n, sweep.publish.bytes */
  } kind;
  gscale_param_id parameter;
  size_t paradigm;
  gscale_knob knob;
  gscale_dim dim;
  char unit[16]; /* of a setting, behind its number */
} over;

/* Reads NAME=FROM..TO[,log][,whole][,STEPS] or NAME=V,V,...; *list, NULL or its
 * values, is to be freed. */
int parse_over(const char *text, over *out, gscale_axis *axis, double **list,
               failure *why);
/* The same of a column of a table of points (--at), of file `path`: its name,
 * and a value a row. */
int parse_column(const gscale_table *t, const char *path, size_t c, over *out,
                 gscale_axis *axis, double **list, failure *why);
/* "link.rate_Bps": the column of its values. */
void over_column(const over *v, char *name, size_t size);
/* One of its values, of 17 digits, so that -P has the same number; and for
 * people. */
void over_print(const over *v, double x, char text[64], char label[64]);

/* The values of one --over, each as -P takes it; not of gpus.  Free what it
 * holds in either case. */
typedef struct over_values {
  over of;
  double *x;
  char (*text)[64], (*label)[64];
  variants v;
} over_values;
int over_values_new(const char *text, over_values *out, failure *why);
void over_values_free(over_values *v);

/* ---- points (walk.c) ---------------------------------------------------- */

/* Answers at one point after the other. */
typedef struct walk walk;

/* The question that the options ask, with --over, --design, --points, --seed.
 * The options outlive it.  Free it in either case. */
int walk_new(options *o, walk **out, failure *why);
void walk_free(walk *w);
uint64_t walk_points(const walk *w);
/* Whether some axis makes the walk load descriptions anew. */
bool walk_loads(const walk *w);

/* What one point answers for one N. */
typedef struct point {
  uint64_t number; /* from 0 */
  const double *x; /* a value an axis */
  const question *q;
  size_t n;        /* of the GPUs: q->gpus[n] */
  const answer *a; /* of paradigm i: a[i] */
} point;

size_t walk_axes(const walk *w);
const options *walk_options(const walk *w); /* that it was made with */

/* Calls each() for the points first .. last - 1 and each N.  Where a point has
 * no answer, each paradigm's needs are unmet and it is counted. */
int walk_through(walk *w, uint64_t first, uint64_t last,
                 int (*each)(const point *p, void *closure, failure *why),
                 void *closure, failure *why);
/* The answers at any values, for the first N that is asked for. */
int walk_at(walk *w, const double *x, point *p, failure *why);
/* From now on answers with errors go to that joint, which may be NULL. */
void walk_join(walk *w, gscale_joint *j);
/* Axis i. */
const over *walk_over(const walk *w, size_t i, const gscale_axis **axis);
/* The points and N that had no answer so far. */
gaps *walk_gaps(walk *w);
/* Fails as no point has one, and says why the first has none. */
int walk_refuse(const walk *w, failure *why);

/* ---- rows ---------------------------------------------------------------- */

/* The columns: point, system, workload, one an axis, then the answer.  Returns
 * how many. */
typedef struct sweep_table {
  column of[GSCALE_AXES_MAX + 16];
  char name[GSCALE_AXES_MAX][96];
} sweep_table;
size_t sweep_columns(const walk *w, sweep_table *out);
/* Fills those of the answer of paradigm i, from cleared cells. */
void sweep_row(cell *c, const walk *w, const point *p, size_t i);
/* Which paradigms are shown of a point: all whose needs are met, or with
 * --best the best, of those that move data if there are any: what ties by 1 %,
 * for errors of ratios it has none. */
size_t sweep_shown(const walk *w, const point *p, size_t *shown);

#endif /* GPUSCALE_SWEEP_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
