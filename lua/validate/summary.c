/* summary.c - many runs at once: scores by group, cells, knees. */

#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(failure *why)
{
  return fail(why, EXIT_INTERNAL, "no memory for the summary");
}

/* ---- was the best paradigm named right? --------------------------------- */

static bool competes(const study *s, size_t i)
{
  const gscale_paradigm *p = gscale_paradigm_at(s->runs[i].paradigm);

  return s->trials[i].role == ROLE_SCORED && !p->proposed &&
         strcmp(p->name, "infinite") != 0;
}

static uint64_t hash_cell(const void *all, size_t i)
{
  const study *s = all;

  return hash_number(s->trials[i].session, (uint64_t)s->runs[i].gpus);
}

static bool same_cell(const void *all, size_t i, size_t j)
{
  const study *s = all;

  return s->trials[i].session == s->trials[j].session &&
         s->runs[i].gpus == s->runs[j].gpus;
}

/* One more paradigm, by its best run. */
static void rank(const study *s, contest *c, size_t i)
{
  c->rivals++;
  if (c->first == s->n || s->runs[i].time < s->runs[c->first].time) {
    c->second = c->first;
    c->first = i;
  } else if (c->second == s->n || s->runs[i].time < s->runs[c->second].time) {
    c->second = i;
  }
}

/* Measured paradigms are held against each other by their best knobs as
 * measured, predicted ones by their best as predicted: who asks for the best
 * paradigm knows no measured times. */
static void enter(const study *s, contest *c, size_t i)
{
  if (s->trials[i].best) rank(s, c, i);
  if (c->named == s->n || s->trials[i].time < s->trials[c->named].time)
    c->named = i;
}

static void decide(const study *s, contest *c)
{
  const double clear = 1.05; /* leads by more than 5 % */

  c->clear =
      c->rivals > 1 && s->runs[c->second].time > clear * s->runs[c->first].time;
  c->right = s->runs[c->named].paradigm == s->runs[c->first].paradigm &&
             s->runs[c->named].k.between == s->runs[c->first].k.between;
}

/* Contests in the order in which their first competitors stand. */
static int decide_all(const study *s, summary *m, failure *why)
{
  size_t *of = group_rows(s->n, (likeness){hash_cell, same_cell, s});
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

static uint64_t hash_curve(const void *all, size_t i)
{
  const study *s = all;

  return hash_number(s->trials[i].session, s->runs[i].paradigm);
}

static bool same_curve(const void *all, size_t i, size_t j)
{
  const study *s = all;

  return s->trials[i].session == s->trials[j].session &&
         s->runs[i].paradigm == s->runs[j].paradigm;
}

/* Its points: the best run on each number of GPUs, by rising numbers.  Returns
 * how many. */
static size_t points_of(const study *s, size_t of, const size_t *next,
                        size_t *point)
{
  size_t n = 0;

  for (size_t i = of; i != NO_ROW && n < GPUS_MAX; i = next[i]) {
    size_t k = n;

    if (!s->trials[i].best || isnan(s->trials[i].time)) continue;
    for (; k > 0 && s->runs[point[k - 1]].gpus > s->runs[i].gpus; k--)
      point[k] = point[k - 1];
    point[k] = i;
    n++;
  }
  return n;
}

/* False if there are too few points for a knee. */
static bool find_knees(const study *s, size_t of, const size_t *next,
                       knee_pair *c)
{
  static size_t point[GPUS_MAX]; /* large */
  static int gpus[GPUS_MAX];
  static double measured[GPUS_MAX], predicted[GPUS_MAX];
  const size_t n = points_of(s, of, next, point);

  for (size_t i = 0; i < n; i++) {
    gpus[i] = s->runs[point[i]].gpus;
    measured[i] = s->runs[point[i]].time;
    predicted[i] = s->trials[point[i]].time;
  }
  if (n < 2) return false;
  *c = (knee_pair){of, gpus[gscale_knee(gpus, measured, n)],
                   gpus[gscale_knee(gpus, predicted, n)]};
  return true;
}

static int find_all_knees(const study *s, summary *m, failure *why)
{
  size_t *of = group_rows(s->n, (likeness){hash_curve, same_curve, s});
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
  bool (*same)(const run *a, const run *b);
  uint64_t (*hash)(const run *r);
  void (*title)(const run *r, char *text, size_t size);
  bool cells, curves; /* lie in one group each */
  role role;          /* of its runs */
} grouping;

static bool any(const run *a, const run *b)
{
  return a && b;
}

static bool same_paradigm(const run *a, const run *b)
{
  return a->paradigm == b->paradigm;
}

static bool same_gpus(const run *a, const run *b)
{
  return a->gpus == b->gpus;
}

static bool same_workload(const run *a, const run *b)
{
  return strcmp(a->workload, b->workload) == 0;
}

static bool same_file(const run *a, const run *b)
{
  return a->path == b->path;
}

static uint64_t hash_any(const run *r)
{
  (void)r;
  return 0;
}

static uint64_t hash_paradigm(const run *r)
{
  return hash_number(0, r->paradigm);
}

static uint64_t hash_gpus(const run *r)
{
  return hash_number(0, (uint64_t)r->gpus);
}

static uint64_t hash_workload(const run *r)
{
  return hash_text(0, r->workload);
}

static uint64_t hash_program(const run *r)
{
  return hash_text(0, r->program);
}

static uint64_t hash_file(const run *r)
{
  return hash_number(0, (uintptr_t)r->path);
}

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
    {"all", any, hash_any, title_all, true, true, ROLE_SCORED},
    {"paradigm", same_paradigm, hash_paradigm, title_paradigm, false, true,
     ROLE_SCORED},
    {"gpus", same_gpus, hash_gpus, title_gpus, true, false, ROLE_SCORED},
    {"program", same_workload, hash_workload, title_workload, true, true,
     ROLE_SCORED},
    {"size", runs_alike, hash_program, run_title, true, true, ROLE_SCORED},
    {"file", same_file, hash_file, title_file, true, true, ROLE_SCORED},
    {"single", any, hash_any, title_single, false, false, ROLE_SINGLE},
};
enum {
  GROUPINGS = sizeof groupings / sizeof groupings[0]
};

/* One way of grouping the runs. */
typedef struct division {
  const study *s;
  const grouping *g;
  size_t *first, *next; /* of all runs, see groups.h */
  size_t *line;         /* of a group, by its first; NO_ROW: none */
} division;

static uint64_t hash_member(const void *all, size_t i)
{
  const division *d = all;

  return d->g->hash(&d->s->runs[i]);
}

static bool same_group(const void *all, size_t i, size_t j)
{
  const division *d = all;

  return d->g->same(&d->s->runs[i], &d->s->runs[j]);
}

static void free_division(division *d)
{
  free(d->first);
  free(d->next);
  free(d->line);
}

static int divide(const study *s, const grouping *g, division *d, failure *why)
{
  *d = (division){.s = s, .g = g};
  d->first = group_rows(s->n, (likeness){hash_member, same_group, d});
  if (d->first) d->next = chain_rows(s->n, d->first);
  if (d->next) d->line = malloc(s->n * sizeof *d->line);
  if (!d->line) return no_memory(why);
  for (size_t i = 0; i < s->n; i++) d->line[i] = NO_ROW;
  return EXIT_OK;
}

static bool has_role(const void *closure, size_t i)
{
  const division *d = closure;

  return d->s->trials[i].role == d->g->role;
}

static double mean_or_nan(double sum, size_t n)
{
  return n > 0 ? sum / (double)n : (double)NAN;
}

static void add_splits(const division *d, size_t of, score_line *l)
{
  double compute = 0.0, transfer = 0.0;
  size_t n = 0;

  for (size_t i = d->first[of]; i != NO_ROW; i = d->next[i]) {
    const gscale_split *split = &d->s->trials[i].split;

    if (!has_role(d, i) || isnan(split->compute)) continue;
    compute += fabs(split->compute);
    transfer += fabs(split->transfer);
    n++;
  }
  l->compute = mean_or_nan(compute, n);
  l->transfer = mean_or_nan(transfer, n);
}

/* The line of a run's group; NULL if it has none. */
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

/* Adds the line of the group of run `of`. */
static int add_line(const division *d, size_t of, summary *out, failure *why)
{
  const choice c = {has_role, d, d->first[of], d->next};
  score_line *l = &out->line[out->lines];
  int st;

  *l = (score_line){.group = d->g->name};
  d->g->title(&d->s->runs[of], l->name, sizeof l->name);
  st = study_score(d->s, &c, false, &l->s, why);
  if (st != EXIT_OK) return st;
  add_splits(d, of, l);
  d->line[d->first[of]] = out->lines++;
  return EXIT_OK;
}

/* Groups by paradigm in the order of the table, by numbers of GPUs rising,
 * others as they first appear. */
static bool before(const grouping *g, const run *a, const run *b)
{
  if (g->same == same_paradigm) return a->paradigm < b->paradigm;
  return g->same == same_gpus && a->gpus < b->gpus;
}

/* One run of each group that has runs of the role; `line` marks them. */
static size_t list_groups(const division *d, size_t *list)
{
  const study *s = d->s;
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    size_t k;

    if (!has_role(d, i) || d->line[d->first[i]] != NO_ROW) continue;
    d->line[d->first[i]] = 0;
    for (k = n++; k > 0 && before(d->g, &s->runs[i], &s->runs[list[k - 1]]);
         k--)
      list[k] = list[k - 1];
    list[k] = i;
  }
  return n;
}

/* The lines of one grouping behind those that are there. */
static int add_division(const division *d, summary *m, failure *why)
{
  size_t *list = malloc(d->s->n * sizeof *list);
  const size_t n = list ? list_groups(d, list) : 0;
  score_line *more = realloc(m->line, (m->lines + n + 1) * sizeof *more);
  int st = list && more ? EXIT_OK : no_memory(why);

  if (more) m->line = more;
  for (size_t k = 0; st == EXIT_OK && k < n; k++)
    st = add_line(d, list[k], m, why);
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

static bool has_bare_error(const void *closure, size_t i)
{
  const trial *t = &((const study *)closure)->trials[i];

  return t->role == ROLE_SCORED && !isnan(t->of_parameters);
}

int summary_new(const study *s, summary *out, failure *why)
{
  const choice bare = {has_bare_error, s, 0, NULL};
  int st;

  *out = (summary){0};
  st = decide_all(s, out, why);
  if (st == EXIT_OK) st = find_all_knees(s, out, why);
  if (st == EXIT_OK) st = add_lines(s, out, why);
  return st == EXIT_OK ? study_score(s, &bare, true, &out->bare, why) : st;
}

void summary_free(summary *m)
{
  free(m->line);
  free(m->contest);
  free(m->curve);
  *m = (summary){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
