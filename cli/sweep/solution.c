/* solution.c - finds the value of a number that reaches a target. */

#include "sweep/solution.h"

#include <math.h>
#include <string.h>

enum {
  GRID = 129 /* initial values of a range */
};

/* ---- target ------------------------------------------------------------- */

static const char *const measures[CROSSOVER] = {
    [EFFICIENCY] = "efficiency",
    [SPEEDUP] = "speedup",
    [OPPORTUNITY] = "opportunity",
    [TIME] = "time",
    [PAYS] = "pays",
};

const char *measure_name(measure what)
{
  return measures[what];
}

int parse_target(const char *text, target *t, failure *why)
{
  const char *equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  gscale_diag diag;
  int what = 0;

  while (what < CROSSOVER && (strlen(measures[what]) != length ||
                              memcmp(text, measures[what], length) != 0))
    what++;
  if (what == CROSSOVER)
    return fail(why, EXIT_USAGE,
                "--until: '%.60s' is not efficiency=X, speedup=X, "
                "opportunity=X, time=X or pays=X",
                text);
  t->what = (measure)what;
  if (gscale_parse_quantity(equals + 1,
                            t->what == TIME ? GSCALE_TIME : GSCALE_COUNT,
                            &t->value, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--until: %s", diag.text);
  if (!(t->value > 0.0) || !isfinite(t->value))
    return fail(why, EXIT_USAGE, "--until: %g is not above 0", t->value);
  const bool share = t->what == EFFICIENCY || t->what == OPPORTUNITY;
  if ((share || t->what == PAYS) && t->value > 1.0)
    return fail(why, EXIT_USAGE, "--until: %s is at most 1", measures[what]);
  return EXIT_OK;
}

/* ---- number ------------------------------------------------------------- */

static const char *long_name(const char *name)
{
  if (strcmp(name, "rate") == 0) return "link.rate";
  if (strcmp(name, "latency") == 0) return "copy.latency";
  return name;
}

/* Writes a range from 1/1000 to 1000 times the current value, in its domain. */
static int range_of(const options *o, const char *name, gscale_param_id id,
                    char *text, size_t size, failure *why)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  options asked = *o;
  gscale_system *s = NULL;
  system_label label;
  const int st = load_asked_system(&asked, &s, NULL, label, why);

  if (st != EXIT_OK) return st;
  const double now = gscale_system_get(s, id)->val;
  const char *unit = gscale_dim_unit(info->dim);

  gscale_system_free(s);
  if (!(now > 0.0))
    return fail(why, EXIT_USAGE,
                "--for %s: is 0 there: say the range, %s=FROM..TO", name, name);
  snprintf(text, size, "%s=%.17g %s..%.17g %s,log,%d", name,
           fmax(now / 1e3, info->least), info->dim == GSCALE_COUNT ? "" : unit,
           fmin(now * 1e3, info->most), info->dim == GSCALE_COUNT ? "" : unit,
           GRID);
  return EXIT_OK;
}

static int range_of_gpus(const options *o, char *text, size_t size,
                         failure *why)
{
  int most;
  const int st = most_gpus(o, &most, why);

  if (st == EXIT_OK) snprintf(text, size, "gpus=1..%d,%d", most, most);
  return st;
}

/* Writes the argument of --for in the syntax of --over. */
static int axis_text(const options *o, char *text, size_t size, failure *why)
{
  const char *equals = strchr(o->what, '=');
  char name[64];

  snprintf(name, sizeof name, "%.*s", (int)strcspn(o->what, "="), o->what);
  const char *full = long_name(name);
  const gscale_param_id id = gscale_param_find(full);

  if (!equals && strcmp(full, "gpus") == 0)
    return range_of_gpus(o, text, size, why);
  if (!equals && id < gscale_param_count())
    return range_of(o, full, id, text, size, why);
  if (!equals)
    return fail(why, EXIT_USAGE, "--for %s: say the range, %s=FROM..TO", name,
                name);
  if (!strstr(equals, ".."))
    return fail(why, EXIT_USAGE, "--for %s: needs FROM..TO, not '%.60s'", name,
                equals + 1);
  snprintf(text, size, "%s%s", full, equals);
  return EXIT_OK;
}

/* ---- sides -------------------------------------------------------------- */

/* The answer of one side at one value. */
typedef struct seen {
  gscale_prediction r;
  double err;              /* standard error in s */
  size_t fastest, between; /* indices as in the question */
  size_t row;              /* in the problem's joint */
  bool timed;              /* the paradigm was measured */
} seen;

static bool side_at(problem *m, side *s, double x, seen *out)
{
  point p;

  if (m->failed.status != EXIT_OK) return false;
  s->o.errors = m->sigmas != 0 || m->t.what == PAYS;
  if (walk_at(s->w, &x, &p, &m->failed) != EXIT_OK) return false;
  m->failed.status = EXIT_OK;
  const size_t fastest = fastest_paradigm(p.q, p.a, 1);
  if (fastest == p.q->paradigms) return false;
  *out = (seen){
      p.a[fastest].p,
      m->t.what == TIME || m->t.what == OPPORTUNITY ? p.a[fastest].err
                                                    : p.a[fastest].err_ratio,
      p.q->paradigm[fastest],
      p.q->between[fastest],
      p.a[fastest].row,
      gscale_pair_measured(p.q->paradigm[fastest], &p.a[fastest].p.knobs)};
  return true;
}

/* Returns the time of A divided by the time of B, minus 1. At an end of the
 * interval, errors that A and B share are left out. */
static double ratio_excess(problem *m, const seen *a, const seen *b)
{
  const double apart =
      m->sigmas ? gscale_joint_apart(m->joint, a->row, b->row) : 0.0;

  return a->r.time / b->r.time * exp(m->sigmas * apart) - 1.0;
}

static double crossover_excess(problem *m, double x)
{
  double y = NAN;
  seen a, b;

  if (m->sigmas != 0) {
    m->joint = gscale_joint_new();
    if (!m->joint) fail(&m->failed, EXIT_INTERNAL, "no memory to compare");
  }
  walk_join(m->a.w, m->joint);
  walk_join(m->b.w, m->joint);
  if (side_at(m, &m->a, x, &a) && side_at(m, &m->b, x, &b))
    y = ratio_excess(m, &a, &b);
  walk_join(m->a.w, NULL);
  walk_join(m->b.w, NULL);
  gscale_joint_free(m->joint);
  m->joint = NULL;
  return y;
}

/* Returns the time, or the requested end of its interval. */
static double time_of(const problem *m, const seen *a)
{
  const gscale_interval i = gscale_interval_of(a->r.time, a->err, 1.0);

  return m->sigmas == 0 ? a->r.time : m->sigmas < 0 ? i.lo : i.hi;
}

/* Returns the probability that the speedup exceeds 1, with an exact reference.
 * The error of ln(time) is normal, as in gscale_interval_of. */
static double pays(const seen *a, double slower)
{
  const double lead = log(a->r.speedup * slower);
  const double off = asinh(a->err / a->r.time);

  if (!(off > 0.0)) return lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
  return 0.5 * erfc(-lead / off * sqrt(0.5));
}

/* Returns a value >= 0 if the target is reached, or if B is as fast as A. */
static double excess(double x, void *closure)
{
  problem *m = closure;
  seen a;

  if (m->t.what == CROSSOVER) return crossover_excess(m, x);
  if (!side_at(m, &m->a, x, &a)) return NAN;
  const double time = time_of(m, &a), slower = a.r.time / time;

  switch (m->t.what) {
  case EFFICIENCY:
    return a.r.efficiency * slower / m->t.value - 1.0;
  case SPEEDUP:
    return a.r.speedup * slower / m->t.value - 1.0;
  case PAYS:
    return pays(&a, slower) / m->t.value - 1.0;
  case OPPORTUNITY:
    return a.r.opportunity * slower / m->t.value - 1.0;
  default:
    return m->t.value / time - 1.0;
  }
}

/* ---- loading ------------------------------------------------------------- */

static int open_side(side *s, const char *axis, failure *why)
{
  s->o.over[0] = axis;
  s->o.overs = 1;
  return walk_new(&s->o, &s->w, why);
}

/* Opens the two sides A and B, which are two paradigms or two links. */
static int open_crossover(problem *m, options *o, failure *why)
{
  char *const first = m->sides[0], *const second = m->sides[1];
  const char *comma = strchr(o->crossover, ',');
  int st;

  if (!comma || strchr(comma + 1, ',') || comma == o->crossover || !comma[1])
    return fail(why, EXIT_USAGE, "--crossover: '%.60s' is not A,B",
                o->crossover);
  snprintf(first, sizeof m->sides[0], "%.*s", (int)(comma - o->crossover),
           o->crossover);
  snprintf(second, sizeof m->sides[1], "%s", comma + 1);
  m->t.what = CROSSOVER;
  const bool links = gscale_link_find(first);
  m->a.o = m->b.o = *o;
  if (links && o->link)
    return fail(why, EXIT_USAGE,
                "--crossover of links and --link exclude one "
                "another");
  if (!links && o->paradigm)
    return fail(why, EXIT_USAGE,
                "--crossover of paradigms and --paradigm exclude "
                "one another");
  *(links ? &m->a.o.link : &m->a.o.paradigm) = first;
  *(links ? &m->b.o.link : &m->b.o.paradigm) = second;
  st = open_side(&m->a, m->axis, why);
  return st == EXIT_OK ? open_side(&m->b, m->axis, why) : st;
}

int problem_open(problem *m, options *o, failure *why)
{
  const gscale_axis *axis;
  int st;

  *m = (problem){.failed = {.status = EXIT_OK}};
  if (!o->what)
    return fail(why, EXIT_USAGE,
                "solve: needs --for NAME or --knee; see `gpuscale solve "
                "--help`");
  if (!o->until == !o->crossover)
    return fail(why, EXIT_USAGE,
                "solve: needs --until WHAT=VALUE or "
                "--crossover A,B");
  st = axis_text(o, m->axis, sizeof m->axis, why);
  if (st == EXIT_OK && o->until) st = parse_target(o->until, &m->t, why);
  if (st == EXIT_OK && o->crossover) {
    st = open_crossover(m, o, why);
  } else if (st == EXIT_OK) {
    m->a.o = *o;
    st = open_side(&m->a, m->axis, why);
  }
  if (st != EXIT_OK) return st;
  m->number = walk_over(m->a.w, 0, &axis);
  m->grid = *axis;
  if (m->number->kind != OVER_GPUS && m->grid.steps < GRID)
    m->grid.steps = GRID;
  if (m->number->kind == OVER_SETTING && m->grid.from > 0.0 &&
      m->grid.to >= 100.0 * m->grid.from)
    m->grid.log = true;
  return EXIT_OK;
}

/* ---- answers ------------------------------------------------------------- */

static void look(problem *m, int sigmas, gscale_crossing *c, size_t *n,
                 bool *first)
{
  m->sigmas = sigmas;
  gscale_crossings(excess, m, &m->grid, c, FOUND_MAX, n, first);
  if (*n > FOUND_MAX) *n = FOUND_MAX;
  m->sigmas = 0;
}

/* Returns the nearest crossing of the same direction. */
static double nearest_crossing(const gscale_crossing *c, size_t n,
                               const gscale_crossing *to)
{
  double best = NAN;

  for (size_t i = 0; i < n; i++)
    if (c[i].rising == to->rising &&
        !(fabs(c[i].x - to->x) >= fabs(best - to->x)))
      best = c[i].x;
  return best;
}

static void note_range(problem *m, solution *s)
{
  s->least = INFINITY;
  s->most = -INFINITY;
  for (size_t i = 0; i < m->grid.steps; i++) {
    const double y = excess(gscale_axis_value(&m->grid, i), m);

    if (isnan(y)) continue;
    s->least = fmin(s->least, y);
    s->most = fmax(s->most, y);
  }
}

static void note_near(solution *s, const gscale_crossing *c, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    s->may_from = fmin(s->may_from, c[i].x);
    s->may_to = fmax(s->may_to, c[i].x);
  }
}

int problem_solve(problem *m, solution *s, failure *why)
{
  gscale_crossing at[FOUND_MAX], faster[FOUND_MAX], slower[FOUND_MAX];
  size_t n, fast, slow;
  bool low, high;

  look(m, 0, at, &n, &s->first);
  look(m, -1, faster, &fast, &low);
  look(m, 1, slower, &slow, &high);
  s->may = n == 0 && (fast > 0 || slow > 0 || low != high);
  s->may_from = s->may_to = NAN;
  note_near(s, faster, fast);
  note_near(s, slower, slow);
  if (n == 0) note_range(m, s);
  if (m->failed.status != EXIT_OK) {
    *why = m->failed;
    return why->status;
  }
  s->n = n;
  for (size_t i = 0; i < n; i++) {
    const double x = nearest_crossing(faster, fast, &at[i]);
    const double y = nearest_crossing(slower, slow, &at[i]);
    seen there = {.fastest = 0};

    s->v[i] = (found){.at = at[i], .lo = fmin(x, y), .hi = fmax(x, y)};
    if (isnan(x) || isnan(y)) /* the other end is out of range */
      *((x < at[i].x || y < at[i].x) ? &s->v[i].hi : &s->v[i].lo) = NAN;
    side_at(m, &m->a, at[i].x, &there);
    gscale_pair_name(there.fastest, &(gscale_knobs){.between = there.between},
                     s->v[i].fastest, sizeof s->v[i].fastest);
    s->v[i].timed = there.timed;
  }
  return EXIT_OK;
}

int problem_at_start(problem *m, point *p, failure *why)
{
  return walk_at(m->a.w, &m->grid.from, p, why);
}

bool solution_is_none(const problem *m, const solution *s)
{
  return s->n == 0 && (!s->first || m->t.what == CROSSOVER);
}

void problem_close(problem *m)
{
  walk_free(m->a.w);
  walk_free(m->b.w);
  m->a.w = m->b.w = NULL;
}

/* ---- rows ---------------------------------------------------------------- */

static const column columns[SOLVE_COLUMNS] = {
    [SOLVE_SYSTEM] = TEXT("system", NULL),
    [SOLVE_WORKLOAD] = TEXT("workload", NULL),
    [SOLVE_FOR] = TEXT("for", NULL),
    [SOLVE_UNTIL] = TEXT("until", NULL),
    [SOLVE_VALUE] = TEXT("value", "value"),
    [SOLVE_VALUE_LO] = TEXT("value_lo", "from"),
    [SOLVE_VALUE_HI] = TEXT("value_hi", "to"),
    [SOLVE_HOLDS] = TEXT("holds", "holds"),
    [SOLVE_PARADIGM] = TEXT("paradigm", "paradigm"),
    [SOLVE_SETTINGS] = TEXT("settings", NULL),
};

const column *solution_columns(void)
{
  return columns;
}

void solution_row(cell *c, const question *q, const char *number,
                  const char *until, const char *holds, const char *fastest)
{
  c[SOLVE_SYSTEM].whole = q->name;
  c[SOLVE_WORKLOAD].whole = gscale_workload_about(q->workload).name;
  c[SOLVE_FOR].whole = number;
  c[SOLVE_UNTIL].whole = until;
  c[SOLVE_HOLDS].whole = holds;
  c[SOLVE_PARADIGM].whole = fastest;
  c[SOLVE_SETTINGS].whole = q->settings;
}

void found_row(cell *c, const problem *m, const question *q, const found *f)
{
  const options *o = &m->a.o;

  solution_row(c, q, m->number->name, o->until ? o->until : o->crossover,
               f->at.rising ? "from there on" : "below", f->fastest);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
