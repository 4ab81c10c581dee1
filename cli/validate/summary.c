/* summary.c - scores many runs by group, and judges cells and knees. */

#include "validate/groups.h"
#include "validate/pair_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells -------------------------------------------------------------- */

static bool competes(const study *s, size_t i)
{
  const gscale_paradigm *p = gscale_paradigm_at(s->runs[i].paradigm);

  return s->trials[i].role == ROLE_SCORED && !p->proposed &&
         strcmp(p->name, "infinite") != 0;
}

static bool is_faster(const study *s, size_t i, size_t than)
{
  double a, b;

  if (than == s->n) return true;
  const size_t row = study_least(s, i, &a), other = study_least(s, than, &b);
  return a < b || (!(a > b) && row < other);
}

/* Ranks a further paradigm by its best run. */
static void rank(const study *s, contest *c, size_t i)
{
  c->rivals++;
  if (is_faster(s, i, c->first)) {
    c->second = c->first;
    c->first = i;
  } else if (is_faster(s, i, c->second)) {
    c->second = i;
  }
}

/* Enters a run. Measured paradigms are compared by their best measured knobs,
 * and predicted ones by their best predicted knobs, because a user who asks for
 * the best paradigm has no measured times. */
static void enter(const study *s, contest *c, size_t i)
{
  if (s->trials[i].best) rank(s, c, i);
  if (c->named == s->n || s->trials[i].time < s->trials[c->named].time)
    c->named = i;
}

static void decide(const study *s, contest *c)
{
  const double clear = 1.05; /* a lead of more than 5 % */
  double first = 0.0, second = 0.0;

  study_least(s, c->first, &first);
  if (c->rivals > 1) study_least(s, c->second, &second);
  c->clear = c->rivals > 1 && second > clear * first;
  c->right = s->runs[c->named].paradigm == s->runs[c->first].paradigm &&
             s->runs[c->named].k.between == s->runs[c->first].k.between;
}

/* Lists the contests in the order of their first runs. */
static int decide_all(const study *s, summary *m, failure *why)
{
  size_t *of = group_cells(s);
  size_t *at = malloc(s->n * sizeof *at); /* contest of a cell */

  if (!of || !at) {
    free(of);
    free(at);
    return no_memory(why);
  }
  for (size_t i = 0; i < s->n; i++) at[i] = NO_ROW;
  for (size_t i = 0; i < s->n; i++)
    if (competes(s, i) && at[of[i]] == NO_ROW) at[of[i]] = m->contests++;
  m->contest = malloc((m->contests + 1) * sizeof *m->contest);
  for (size_t k = 0; m->contest && k < m->contests; k++)
    m->contest[k] = (contest){.first = s->n, .second = s->n, .named = s->n};
  for (size_t i = 0; m->contest && i < s->n; i++)
    if (competes(s, i)) enter(s, &m->contest[at[of[i]]], i);
  for (size_t k = 0; m->contest && k < m->contests; k++)
    decide(s, &m->contest[k]);
  free(of);
  free(at);
  return m->contest ? EXIT_OK : no_memory(why);
}

/* ---- knees -------------------------------------------------------------- */

/* Lists the points of a curve, which are the best runs on each N, in order of
 * N. Returns their number. */
static size_t points_of(const study *s, size_t of, const size_t *next,
                        size_t *point)
{
  size_t n = 0;

  for (size_t i = of; i != NO_ROW && n < GPUS_LISTED; i = next[i]) {
    size_t k = n;

    if (!s->trials[i].best || isnan(s->trials[i].time)) continue;
    for (; k > 0 && s->runs[point[k - 1]].gpus > s->runs[i].gpus; k--)
      point[k] = point[k - 1];
    point[k] = i;
    n++;
  }
  return n;
}

/* Returns false if there are too few points for a knee. */
static bool find_knees(const study *s, size_t of, const size_t *next,
                       knee_pair *c)
{
  static size_t point[GPUS_LISTED]; /* large */
  static int gpus[GPUS_LISTED];
  static double measured[GPUS_LISTED], predicted[GPUS_LISTED];
  const size_t n = points_of(s, of, next, point);

  for (size_t i = 0; i < n; i++) {
    gpus[i] = s->runs[point[i]].gpus;
    study_least(s, point[i], &measured[i]);
    predicted[i] = s->trials[point[i]].time;
  }
  if (n < 2) return false;
  *c = (knee_pair){of, gpus[gscale_knee(gpus, measured, n)],
                   gpus[gscale_knee(gpus, predicted, n)]};
  return true;
}

static int find_all_knees(const study *s, summary *m, failure *why)
{
  size_t *of = group_runs(s->runs, s->n, BY_SESSION | BY_PARADIGM);
  size_t *next = of ? chain_rows(s->n, of) : NULL;
  size_t n = 0;

  for (size_t i = 0; next && i < s->n; i++) n += of[i] == i;
  if (next) m->curve = malloc((n + 1) * sizeof *m->curve);
  for (size_t i = 0; m->curve && i < s->n; i++)
    if (of[i] == i && find_knees(s, i, next, &m->curve[m->curves])) m->curves++;
  free(of);
  free(next);
  return m->curve ? EXIT_OK : no_memory(why);
}

/* ---- groups ------------------------------------------------------------- */

typedef struct grouping {
  const char *name;
  unsigned by; /* flags of group_runs() */
  void (*title)(const run *r, char *text, size_t size);
  bool cells, curves; /* cells and curves lie in one group each */
  role role;          /* role of the group's runs */
} grouping;

static void title_all(const run *r, char *text, size_t size)
{
  (void)r;
  snprintf(text, size, "all scored");
}

static void title_single(const run *r, char *text, size_t size)
{
  (void)r;
  snprintf(text, size, "on one GPU (not scored)");
}

static void title_paradigm(const run *r, char *text, size_t size)
{
  snprintf(text, size, "%s", gscale_paradigm_at(r->paradigm)->name);
}

static void title_gpus(const run *r, char *text, size_t size)
{
  snprintf(text, size, "%d", r->gpus);
}

static void title_workload(const run *r, char *text, size_t size)
{
  snprintf(text, size, "%s", r->workload);
}

static void title_file(const run *r, char *text, size_t size)
{
  snprintf(text, size, "%s", r->path);
}

static const grouping groupings[] = {
    {"all", 0, title_all, true, true, ROLE_SCORED},
    {"paradigm", BY_PARADIGM, title_paradigm, false, true, ROLE_SCORED},
    {"gpus", BY_GPUS, title_gpus, true, false, ROLE_SCORED},
    {"program", BY_WORKLOAD, title_workload, true, true, ROLE_SCORED},
    {"size", BY_PROGRAM, run_title, true, true, ROLE_SCORED},
    {"file", BY_FILE, title_file, true, true, ROLE_SCORED},
    {"single", 0, title_single, false, false, ROLE_SINGLE},
};
enum {
  GROUPINGS = sizeof groupings / sizeof groupings[0]
};

/* A grouping of the runs. */
typedef struct division {
  const study *s;
  const grouping *g;
  size_t *first; /* first run of each run's group (groups.h) */
  size_t *line;  /* line of a group by its first run; NO_ROW: none */
} division;

static void free_division(division *d)
{
  free(d->first);
  free(d->line);
}

static int divide(const study *s, const grouping *g, division *d, failure *why)
{
  *d = (division){.s = s, .g = g};
  d->first = group_runs(s->runs, s->n, g->by);
  if (d->first) d->line = malloc(s->n * sizeof *d->line);
  if (!d->line) return no_memory(why);
  for (size_t i = 0; i < s->n; i++) d->line[i] = NO_ROW;
  return EXIT_OK;
}

static double mean_or_nan(double sum, size_t n)
{
  return n > 0 ? sum / (double)n : NAN;
}

/* Returns the line of a run's group, or NULL if there is none. */
static score_line *line_of(const division *d, const summary *m, size_t i)
{
  const size_t line = d->line[d->first[i]];

  return line == NO_ROW ? NULL : &m->line[line];
}

static void add_choices(const division *d, const summary *m)
{
  for (size_t i = 0; d->g->cells && i < m->contests; i++) {
    const contest *c = &m->contest[i];
    score_line *l = line_of(d, m, c->first);

    if (!c->clear || !l) continue;
    l->clear++;
    l->right += c->right;
  }
  for (size_t i = 0; d->g->curves && i < m->curves; i++) {
    const knee_pair *c = &m->curve[i];
    score_line *l = line_of(d, m, c->of);

    if (!l) continue;
    l->curves++;
    l->knees += c->measured == c->predicted;
  }
}

/* Adds the line for the group of run `of`. */
static void add_line(const division *d, size_t of, summary *out)
{
  score_line *l = &out->line[out->lines];

  *l = (score_line){.group = d->g->name};
  d->g->title(&d->s->runs[of], l->name, sizeof l->name);
  d->line[d->first[of]] = out->lines++;
}

/* Returns the line that scores a row, or NULL. */
static score_line *line_of_row(const division *d, const summary *m,
                               const measured_row *r)
{
  return r->role == d->g->role ? line_of(d, m, r->of) : NULL;
}

/* Counts the rows of each line, and averages compute and transfer errors. */
static int add_splits(const division *d, summary *m, size_t from, failure *why)
{
  size_t *known = calloc(m->lines - from + 1, sizeof *known);

  if (!known) return no_memory(why);
  for (size_t i = 0; i < study_rows(d->s); i++) {
    const measured_row r = study_row(d->s, i);
    score_line *l = line_of_row(d, m, &r);
    if (!l) continue;
    const gscale_split split = study_row_split(d->s, &r);
    l->s.n++;
    if (isnan(split.compute)) continue;
    l->compute += fabs(split.compute);
    l->transfer += fabs(split.transfer);
    known[(size_t)(l - m->line) - from]++;
  }
  for (size_t k = from; k < m->lines; k++) {
    score_line *l = &m->line[k];

    l->compute = mean_or_nan(l->compute, known[k - from]);
    l->transfer = mean_or_nan(l->transfer, known[k - from]);
  }
  free(known);
  return EXIT_OK;
}

/* ---- scores ------------------------------------------------------------- */

/* Four numbers of each row. */
typedef struct rows_held {
  double *room, *predicted, *err, *measured, *sigma;
} rows_held;

static bool hold_rows(rows_held *v, size_t n)
{
  double *const room = malloc((4 * n + 1) * sizeof *room);

  if (room) *v = (rows_held){room, room, room + n, room + 2 * n, room + 3 * n};
  return room;
}

/* Stores a row. If `bare`, the error is that of the parameters only. */
static void hold_row(rows_held *v, size_t at, const study *s,
                     const measured_row *r, bool bare)
{
  const trial *t = &s->trials[r->of];

  v->predicted[at] = t->time;
  v->err[at] = bare ? t->of_parameters : t->err;
  v->measured[at] = r->time;
  v->sigma[at] = r->sigma;
}

static int score_held(const rows_held *v, size_t first, size_t n,
                      const study *s, gscale_score *out, failure *why)
{
  gscale_diag diag;
  return check_gscale(why,
                      gscale_score_rows(v->predicted + first, v->err + first,
                                        v->measured + first, v->sigma + first,
                                        n, study_tail(s), out, &diag),
                      &diag);
}

/* Scores the lines from `from`. The rows of each line are adjacent. */
static int score_lines(const division *d, summary *m, size_t from, failure *why)
{
  size_t *const end = calloc(m->lines + 1, sizeof *end), n = 0;
  rows_held v = {0};
  int st = EXIT_OK;

  for (size_t k = from; end && k < m->lines; k++) {
    end[k] = n;
    n += m->line[k].s.n;
  }
  if (!end || !hold_rows(&v, n)) st = no_memory(why);
  for (size_t i = 0; st == EXIT_OK && i < study_rows(d->s); i++) {
    const measured_row r = study_row(d->s, i);
    const score_line *l = line_of_row(d, m, &r);
    if (!l || l < m->line + from) continue;
    hold_row(&v, end[l - m->line]++, d->s, &r, false);
  }
  n = 0;
  for (size_t k = from; st == EXIT_OK && k < m->lines; n = end[k++])
    st = score_held(&v, n, end[k] - n, d->s, &m->line[k].s, why);
  free(v.room);
  free(end);
  return st;
}

/* ---- lines -------------------------------------------------------------- */

/* Orders paradigms as in their table, and numbers of GPUs by size. Other groups
 * keep the order of their first runs. */
static bool before(const grouping *g, const run *a, const run *b)
{
  if (g->by == BY_PARADIGM) return a->paradigm < b->paradigm;
  return g->by == BY_GPUS && a->gpus < b->gpus;
}

/* Lists one run of each group that has runs of the role. `line` marks them. */
static size_t list_groups(const division *d, size_t *list)
{
  const study *s = d->s;
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    size_t k;

    if (!study_has_role(s, i, d->g->role) || d->line[d->first[i]] != NO_ROW)
      continue;
    d->line[d->first[i]] = 0;
    for (k = n++; k > 0 && before(d->g, &s->runs[i], &s->runs[list[k - 1]]);
         k--)
      list[k] = list[k - 1];
    list[k] = i;
  }
  return n;
}

/* Appends the lines of one grouping. */
static int add_division(const division *d, summary *m, failure *why)
{
  size_t *list = malloc(d->s->n * sizeof *list);
  const size_t n = list ? list_groups(d, list) : 0;
  score_line *more = realloc(m->line, (m->lines + n + 1) * sizeof *more);
  const size_t from = m->lines;
  int st = list && more ? EXIT_OK : no_memory(why);

  if (more) m->line = more;
  for (size_t k = 0; st == EXIT_OK && k < n; k++) add_line(d, list[k], m);
  if (st == EXIT_OK) st = add_splits(d, m, from, why);
  if (st == EXIT_OK) st = score_lines(d, m, from, why);
  if (st == EXIT_OK) add_choices(d, m);
  free(list);
  return st;
}

static int add_lines(const study *s, summary *m, failure *why)
{
  int st = EXIT_OK;

  for (size_t g = 0; st == EXIT_OK && g < GROUPINGS; g++) {
    division d;

    st = divide(s, &groupings[g], &d, why);
    if (st == EXIT_OK) st = add_division(&d, m, why);
    free_division(&d);
  }
  return st;
}

/* Scores runs by the errors of the parameters only, if these are known. */
static int score_bare(const study *s, gscale_score *out, failure *why)
{
  rows_held v;
  size_t n = 0;

  if (!hold_rows(&v, study_rows(s))) return no_memory(why);
  for (size_t i = 0; i < study_rows(s); i++) {
    const measured_row r = study_row(s, i);
    if (r.role == ROLE_SCORED && !isnan(s->trials[r.of].of_parameters))
      hold_row(&v, n++, s, &r, true);
  }
  const int st = n > 0 ? score_held(&v, 0, n, s, out, why) : EXIT_OK;
  free(v.room);
  return st;
}

int summary_new(const study *s, summary *out, failure *why)
{
  int st;

  *out = (summary){0};
  st = decide_all(s, out, why);
  if (st == EXIT_OK) st = find_all_knees(s, out, why);
  if (st == EXIT_OK) st = add_lines(s, out, why);
  return st == EXIT_OK ? score_bare(s, &out->bare, why) : st;
}

void summary_free(summary *m)
{
  free(m->line);
  free(m->contest);
  free(m->curve);
  *m = (summary){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
