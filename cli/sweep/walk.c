/* walk.c - answers a question at one point after another. */

#include "sweep/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- gaps ---------------------------------------------------------------- */

/* Returns whether a failure leaves a gap. Any failure without a gap ends the
 * study. */
static bool is_gap(int st)
{
  return st == EXIT_USAGE || st == EXIT_DATA || st == EXIT_NUMERIC;
}

static void leave_out(walk *w, size_t n, const char *why)
{
  gaps_add(&w->gaps, 0, n, why);
}

/* Notes paradigms with unmet needs if another has an answer, not a bound. */
static void note_missed(walk *w, const gscale_plan *plan)
{
  const question *q = &w->q;
  size_t first = q->paradigms;
  gscale_diag diag;

  for (size_t i = q->paradigms; i-- > 0;)
    if (question_misses(q, &w->a[i])) first = i;
  if (fastest_paradigm(q, w->a, 1) == q->paradigms) {
    for (size_t i = 0; i < q->paradigms; i++) w->a[i].met = false;
    if (first < q->paradigms)
      question_reason(q, plan, first, &diag);
    else
      question_needs(q, plan, diag.text, sizeof diag.text);
    leave_out(w, 1, diag.text);
    return;
  }
  for (size_t i = first; i < q->paradigms; i++) {
    if (!question_misses(q, &w->a[i])) continue;
    if (w->gaps.of[1 + i].n == 0) question_reason(q, plan, i, &diag);
    gaps_add(&w->gaps, 1 + i, 1, diag.text);
  }
}

int walk_refuse(const walk *w, failure *why)
{
  return fail(why, EXIT_DATA, "no paradigm can run there: %s",
              w->gaps.of[0].reason);
}

gaps *walk_gaps(walk *w)
{
  return &w->gaps;
}

/* ---- answers ------------------------------------------------------------- */

static int answer_paradigms(walk *w, int n, const gscale_plan *plan,
                            failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < w->q.paradigms; i++)
    st = question_answer_by(&w->q, plan, i, w->u[n], w->a, 1, why);
  if (st == EXIT_OK) note_missed(w, plan);
  return st;
}

static int plan_at(walk *w, int n, const gscale_plan **plan, failure *why)
{
  gscale_diag diag;
  const gscale_status made = walk_plan(w, n, plan, &diag);

  return made == GSCALE_OK ? walk_compare(w, why)
                           : fail_gscale(why, made, &diag);
}

static int answer_gpus(walk *w, int n, failure *why)
{
  const gscale_plan *plan;
  int st = plan_at(w, n, &plan, why);

  if (st == EXIT_OK) st = answer_paradigms(w, n, plan, why);
  if (!is_gap(st)) return st;
  for (size_t i = 0; i < w->q.paradigms; i++) w->a[i].met = false;
  leave_out(w, 1, why->text);
  return EXIT_OK;
}

/* Returns whether --gpus or an axis asks for q.gpus[j] at the current point. */
static bool asked_gpus(const walk *w, size_t j)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_GPUS) return w->q.gpus[j] == (int)w->x[i];
  return true;
}

static bool varies_gpus(const walk *w)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_GPUS) return true;
  return false;
}

/* Answers the question at one point for all N of the point. */
static int answer_point(walk *w, uint64_t number, const double *x,
                        int (*each)(const point *p, void *closure,
                                    failure *why),
                        void *closure, failure *why)
{
  size_t asked = 0;
  int st = walk_move(w, x, why);

  if (is_gap(st)) leave_out(w, 1, why->text);
  if (st != EXIT_OK) return is_gap(st) ? EXIT_OK : st;
  for (size_t j = 0; st == EXIT_OK && j < w->q.n; j++) {
    if (!asked_gpus(w, j)) continue;
    asked++;
    st = answer_gpus(w, w->q.gpus[j], why);
    if (st == EXIT_OK)
      st = each(&(point){number, w->x, &w->q, j, w->a}, closure, why);
  }
  if (!varies_gpus(w))
    leave_out(w, w->q.left.n, w->q.left.why);
  else if (asked == 0)
    leave_out(w, 1, w->q.left.why);
  return st;
}

/* Predicts the times of a point by each paradigm on the point's first N.
 * Missing times are NaN. Returns false if the point has no plan. */
static bool time_point(walk *w, const double *x, double *time)
{
  static failure ignored; /* large */
  const gscale_plan *plan = NULL;
  size_t j = 0;

  for (size_t i = 0; i < PARADIGMS_MAX; i++) time[i] = NAN;
  if (walk_move(w, x, &ignored) != EXIT_OK) return false;
  while (j < w->q.n && !asked_gpus(w, j)) j++;
  if (j == w->q.n || walk_plan(w, w->q.gpus[j], &plan, NULL) != GSCALE_OK)
    return false;
  for (size_t i = 0; i < w->q.paradigms; i++)
    time[i] = gscale_predict_time(plan, w->q.paradigm[i], NULL);
  return true;
}

/* Calls step() for the first point again at the end. The times are the same if
 * step() depends on its arguments only. */
static int check_first(walk *w, const double *x, const double *first,
                       failure *why)
{
  double again[PARADIGMS_MAX];

  w->astray = true; /* forces a reload */
  time_point(w, x, again);
  for (size_t i = 0; i < PARADIGMS_MAX; i++)
    if (fabs(first[i] - again[i]) > 0.0 || isnan(first[i]) != isnan(again[i]))
      return fail(why, EXIT_DATA,
                  "%s: step: the first point, repeated, differs: step() must "
                  "depend on its arguments only",
                  w->q.about_workload.path);
  return EXIT_OK;
}

int walk_through(walk *w, uint64_t first, uint64_t last,
                 int (*each)(const point *p, void *closure, failure *why),
                 void *closure, failure *why)
{
  double x[GSCALE_AXES_MAX], x0[GSCALE_AXES_MAX], time[PARADIGMS_MAX];
  gscale_points *points;
  gscale_diag diag;
  const gscale_status made =
      gscale_points_new(&w->design, first, &points, &diag);
  bool timed = false;
  int st = EXIT_OK;

  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  for (uint64_t i = first; st == EXIT_OK && i < last; i++) {
    gscale_points_next(points, x);
    st = answer_point(w, i, x, each, closure, why);
    if (i > first || !walk_loads(w)) continue;
    memcpy(x0, x, sizeof x);
    timed = st == EXIT_OK && time_point(w, x, time);
  }
  if (st == EXIT_OK && timed) st = check_first(w, x0, time, why);
  gscale_points_free(points);
  return st;
}

int walk_at(walk *w, const double *x, point *p, failure *why)
{
  int st = walk_move(w, x, why);

  for (size_t j = 0; st == EXIT_OK && j < w->q.n; j++) {
    if (!asked_gpus(w, j)) continue;
    *p = (point){0, w->x, &w->q, j, w->a};
    return answer_gpus(w, w->q.gpus[j], why);
  }
  return st == EXIT_OK ? fail(why, EXIT_USAGE, "no such number of GPUs") : st;
}

const over *walk_over(const walk *w, size_t i, const gscale_axis **axis)
{
  *axis = &w->design.axis[i];
  return &w->v[i];
}

size_t walk_axes(const walk *w)
{
  return w->axes;
}

const options *walk_options(const walk *w)
{
  return w->o;
}

/* ---- study -------------------------------------------------------------- */

/* Takes each column of --at as an axis and each row as a point. */
static int take_table(walk *w, failure *why)
{
  gscale_table *t;
  gscale_diag diag;
  const gscale_status read = gscale_table_read(w->o->at, &t, &diag);
  int st = EXIT_OK;

  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  if (gscale_table_rows(t) == 0)
    st = fail(why, EXIT_DATA, "%s: no points", w->o->at);
  else
    w->line = gscale_table_line(t, 0);
  if (gscale_table_name(t, GSCALE_AXES_MAX))
    st = fail(why, EXIT_DATA, "%s: more than %d columns", w->o->at,
              (int)GSCALE_AXES_MAX);
  for (size_t i = 0; st == EXIT_OK && gscale_table_name(t, i); i++) {
    w->axes++;
    st = parse_column(t, w->o->at, i, &w->v[i], &w->design.axis[i], &w->list[i],
                      why);
  }
  w->design.axes = w->axes;
  gscale_table_free(t);
  return st;
}

static int take_axes(walk *w, failure *why)
{
  int st = EXIT_OK;

  if (w->o->at) return take_table(w, why);
  for (size_t i = 0; st == EXIT_OK && i < w->o->overs; i++) {
    st = parse_over(w->o->over[i], &w->v[i], &w->design.axis[i], &w->list[i],
                    why);
    for (size_t k = 0; st == EXIT_OK && k < i; k++)
      if (strcmp(w->v[k].name, w->v[i].name) == 0)
        st = fail(why, EXIT_USAGE, "--over %s: given twice", w->v[i].name);
    w->axes++;
  }
  w->design.axes = w->axes;
  return st;
}

/* Changes link.rate to a setting. Another rate is another link, whose errors,
 * and copies through the host by PCIe, are known only after loading. */
static bool load_rates(walk *w)
{
  const gscale_system *s = w->q.system;
  const bool pcie =
      s && strncmp(gscale_system_about(s).link->name, "pcie", 4) == 0;
  bool any = false;

  for (size_t i = 0; (w->o->errors || pcie) && i < w->axes; i++) {
    over *v = &w->v[i];

    if (v->kind != OVER_PARAMETER || strcmp(v->name, "link.rate") != 0)
      continue;
    v->kind = OVER_SETTING;
    strcpy(v->unit, "B/s");
    any = true;
  }
  return any;
}

/* Rounds the axis of a whole-number knob to whole values. */
static void round_knobs(walk *w)
{
  const about *more = &w->q.about_workload;

  for (size_t i = 0; i < w->axes; i++)
    for (size_t k = 0; k < more->knobs; k++)
      if (w->v[i].kind == OVER_SETTING && !*w->v[i].unit &&
          strcmp(more->knob[k].name, w->v[i].name) == 0)
        w->design.axis[i].whole |= more->knob[k].whole;
}

static int take_design(walk *w, failure *why)
{
  static const char *const kinds[GSCALE_LISTED] = {[GSCALE_GRID] = "grid",
                                                   [GSCALE_RANDOM] = "random",
                                                   [GSCALE_QUASI] = "sobol"};
  const options *o = w->o;
  gscale_diag diag;
  size_t which = 0;

  while (o->design && which < GSCALE_LISTED &&
         strcmp(kinds[which], o->design) != 0)
    which++;
  if (which == GSCALE_LISTED)
    return fail(why, EXIT_USAGE, "--design: '%.60s' is not grid, random, sobol",
                o->design);
  w->design.kind = o->at ? GSCALE_LISTED : (gscale_design_kind)which;
  w->design.points = (uint64_t)o->points;
  w->design.seed = (uint64_t)o->seed;
  if (which != GSCALE_GRID && o->points < 1)
    return fail(why, EXIT_USAGE, "--design %s: needs --points", o->design);
  if (which == GSCALE_GRID && o->points > 0)
    return fail(why, EXIT_USAGE,
                "--points: a grid has as many as its axes have values");
  if (gscale_design_check(&w->design, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "sweep: %s", diag.text);
  return EXIT_OK;
}

/* Lists all N of all points, because the schedules of programs need all N. */
static int take_gpus(walk *w, failure *why)
{
  for (size_t i = 0; i < w->axes; i++) {
    const gscale_axis *a = &w->design.axis[i];
    const bool listed = a->list || w->design.kind == GSCALE_GRID;
    bool asked[GPUS_MAX + 1] = {false};

    if (w->v[i].kind != OVER_GPUS) continue;
    if (w->o->gpus)
      return fail(why, EXIT_USAGE,
                  "sweep: --over gpus and --gpus exclude "
                  "one another");
    if (!listed) snprintf(w->gpus, sizeof w->gpus, "%.0f-%.0f", a->from, a->to);
    for (size_t k = 0; listed && k < a->steps; k++)
      asked[(int)gscale_axis_value(a, k)] = true;
    for (int n = 1; n <= GPUS_MAX; n++)
      if (asked[n])
        gscale_append(w->gpus, sizeof w->gpus, "%s%d", *w->gpus ? "," : "", n);
  }
  return EXIT_OK;
}

/* Names the table and line in a message on a value of a column. */
static int blame_column(const walk *w, failure *why)
{
  for (size_t i = 0; w->o->at && i < w->axes; i++) {
    char begin[sizeof w->v[i].name + 8];
    const int n = snprintf(begin, sizeof begin, "-P %s:", w->v[i].name);

    if (strncmp(why->text, begin, (size_t)n) == 0)
      return blame_table("-P ", w->o->at, w->line, why);
  }
  return why->status;
}

/* Loads the first point. If the values of the point are impossible, loads the
 * first possible one of TRIED points. */
static int load_first(walk *w, failure *why)
{
  enum {
    TRIED = 64 /* number of points */
  };
  static failure other; /* large */
  gscale_points *points;
  gscale_diag diag;
  int st;

  for (size_t i = 0; i < w->axes; i++)
    w->x[i] = gscale_axis_value(&w->design.axis[i], 0);
  st = walk_load(w, why);
  if (!is_gap(st)) return st;
  const gscale_status made = gscale_points_new(&w->design, 0, &points, &diag);
  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  for (uint64_t i = 0; is_gap(st) && i < TRIED && i < walk_points(w); i++) {
    gscale_points_next(points, w->x);
    st = walk_load(w, &other);
  }
  gscale_points_free(points);
  return is_gap(st) ? blame_column(w, why) : st;
}

void walk_join(walk *w, gscale_joint *j)
{
  w->joint = w->q.joint = j;
}

int walk_new(options *o, walk **out, failure *why)
{
  walk *w = calloc(1, sizeof *w);
  int st;

  *out = w;
  if (!w) return no_memory(why);
  w->o = o;
  st = take_axes(w, why);
  load_rates(w);
  if (st == EXIT_OK) st = take_design(w, why);
  if (st == EXIT_OK) st = take_gpus(w, why);
  if (st == EXIT_OK) st = load_first(w, why);
  if (st == EXIT_OK && load_rates(w)) st = load_first(w, why);
  if (st == EXIT_OK) round_knobs(w);
  return st;
}

void walk_free(walk *w)
{
  if (!w) return;
  walk_forget(w);
  for (size_t i = 0; i < GSCALE_AXES_MAX; i++) free(w->list[i]);
  free(w);
}

int walk_include(walk *w, size_t i, double x, failure *why)
{
  gscale_axis *a = &w->design.axis[i];
  size_t n = 0;
  double v;

  if (a->list) return EXIT_OK;
  w->list[i] = malloc((a->steps + 1) * sizeof *w->list[i]);
  if (!w->list[i]) return no_memory(why);
  for (size_t k = 0; k < a->steps; k++) {
    v = gscale_axis_value(a, k);
    if (n > 0 && x < v && w->list[i][n - 1] < x) w->list[i][n++] = x;
    w->list[i][n++] = v;
  }
  a->list = w->list[i];
  a->steps = n;
  return EXIT_OK;
}

uint64_t walk_points(const walk *w)
{
  return gscale_design_points(&w->design);
}

bool walk_loads(const walk *w)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_SETTING) return true;
  return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
