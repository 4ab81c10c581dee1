/* summary.c - many runs at once: scores by group, cells, knees. */

#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- was the best paradigm named right? --------------------------------- */

static bool competes(const study *s, size_t i)
{
  const gscale_paradigm *p = gscale_paradigm_at(s->runs[i].paradigm);

  return s->trials[i].role == ROLE_SCORED && !p->proposed &&
         strcmp(p->name, "infinite") != 0;
}

static bool same_cell(const study *s, size_t i, size_t j)
{
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
static contest decide(const study *s, size_t of)
{
  const double clear = 1.05; /* leads by more than 5 % */
  contest c = {.first = s->n, .second = s->n, .named = s->n};

  for (size_t i = 0; i < s->n; i++) {
    if (!competes(s, i) || !same_cell(s, i, of)) continue;
    if (s->trials[i].best) rank(s, &c, i);
    if (c.named == s->n || s->trials[i].time < s->trials[c.named].time)
      c.named = i;
  }
  c.clear =
      c.rivals > 1 && s->runs[c.second].time > clear * s->runs[c.first].time;
  c.right = s->runs[c.named].paradigm == s->runs[c.first].paradigm;
  return c;
}

static void decide_all(const study *s, summary *m)
{
  for (size_t i = 0; i < s->n; i++) {
    bool first = competes(s, i);

    for (size_t j = 0; first && j < i; j++)
      first = !competes(s, j) || !same_cell(s, i, j);
    if (first) m->contest[m->contests++] = decide(s, i);
  }
}

/* ---- knees -------------------------------------------------------------- */

static bool same_curve(const study *s, size_t i, size_t j)
{
  return s->trials[i].session == s->trials[j].session &&
         s->runs[i].paradigm == s->runs[j].paradigm;
}

/* Its points: the best run on each number of GPUs, by rising numbers.  Returns
 * how many. */
static size_t points_of(const study *s, size_t of, size_t *point)
{
  size_t n = 0;

  for (size_t i = 0; i < s->n && n < GPUS_MAX; i++) {
    size_t k = n;

    if (!s->trials[i].best || !same_curve(s, i, of) || isnan(s->trials[i].time))
      continue;
    for (; k > 0 && s->runs[point[k - 1]].gpus > s->runs[i].gpus; k--)
      point[k] = point[k - 1];
    point[k] = i;
    n++;
  }
  return n;
}

/* False if there are too few points for a knee. */
static bool find_knees(const study *s, size_t of, curve *c)
{
  static size_t point[GPUS_MAX]; /* large */
  static int gpus[GPUS_MAX];
  static double measured[GPUS_MAX], predicted[GPUS_MAX];
  const size_t n = points_of(s, of, point);

  for (size_t i = 0; i < n; i++) {
    gpus[i] = s->runs[point[i]].gpus;
    measured[i] = s->runs[point[i]].time;
    predicted[i] = s->trials[point[i]].time;
  }
  if (n < 2) return false;
  *c = (curve){of, gpus[gscale_knee(gpus, measured, n)],
               gpus[gscale_knee(gpus, predicted, n)]};
  return true;
}

static void find_all_knees(const study *s, summary *m)
{
  for (size_t i = 0; i < s->n; i++) {
    bool first = true;

    for (size_t j = 0; first && j < i; j++) first = !same_curve(s, i, j);
    if (first && find_knees(s, i, &m->curve[m->curves])) m->curves++;
  }
}

/* ---- groups ------------------------------------------------------------- */

typedef struct grouping {
  const char *name;
  bool (*same)(const run *a, const run *b);
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
    {"all", any, title_all, true, true, ROLE_SCORED},
    {"paradigm", same_paradigm, title_paradigm, false, true, ROLE_SCORED},
    {"gpus", same_gpus, title_gpus, true, false, ROLE_SCORED},
    {"program", same_workload, title_workload, true, true, ROLE_SCORED},
    {"size", runs_alike, run_title, true, true, ROLE_SCORED},
    {"file", same_file, title_file, true, true, ROLE_SCORED},
    {"single", any, title_single, false, false, ROLE_SINGLE},
};
enum {
  GROUPINGS = sizeof groupings / sizeof groupings[0]
};

typedef struct member { /* of a group */
  const study *s;
  const grouping *g;
  size_t of;
} member;

static bool belongs(const void *closure, size_t i)
{
  const member *m = closure;

  return m->s->trials[i].role == m->g->role &&
         m->g->same(&m->s->runs[i], &m->s->runs[m->of]);
}

static double mean_or_nan(double sum, size_t n)
{
  return n > 0 ? sum / (double)n : (double)NAN;
}

static void add_splits(const member *m, score_line *l)
{
  double compute = 0.0, transfer = 0.0;
  size_t n = 0;

  for (size_t i = 0; i < m->s->n; i++) {
    const gscale_split *split = &m->s->trials[i].split;

    if (!belongs(m, i) || isnan(split->compute)) continue;
    compute += fabs(split->compute);
    transfer += fabs(split->transfer);
    n++;
  }
  l->compute = mean_or_nan(compute, n);
  l->transfer = mean_or_nan(transfer, n);
}

static void add_choices(const member *m, const summary *all, score_line *l)
{
  for (size_t i = 0; m->g->cells && i < all->contests; i++) {
    const contest *c = &all->contest[i];

    if (!c->clear || !belongs(m, c->first)) continue;
    l->clear++;
    l->right += c->right;
  }
  for (size_t i = 0; m->g->curves && i < all->curves; i++) {
    const curve *c = &all->curve[i];

    if (!m->g->same(&m->s->runs[c->of], &m->s->runs[m->of])) continue;
    l->curves++;
    l->knees += c->measured == c->predicted;
  }
}

static int add_line(const member *m, summary *out, failure *why)
{
  score_line *l = &out->line[out->lines];
  int st;

  *l = (score_line){.group = m->g->name};
  m->g->title(&m->s->runs[m->of], l->name, sizeof l->name);
  st = study_score(m->s, belongs, m, false, &l->s, why);
  if (st != EXIT_OK) return st;
  add_splits(m, l);
  add_choices(m, out, l);
  out->lines++;
  return EXIT_OK;
}

/* Groups by paradigm in the order of the table, by numbers of GPUs rising,
 * others as they first appear. */
static bool before(const grouping *g, const run *a, const run *b)
{
  if (g->same == same_paradigm) return a->paradigm < b->paradigm;
  return g->same == same_gpus && a->gpus < b->gpus;
}

/* One run of each group. */
static size_t list_groups(const study *s, const grouping *g, size_t *first)
{
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    const run *r = &s->runs[i];
    size_t k = 0;

    if (s->trials[i].role != g->role) continue;
    while (k < n && !g->same(&s->runs[first[k]], r)) k++;
    if (k < n) continue;
    for (k = n++; k > 0 && before(g, r, &s->runs[first[k - 1]]); k--)
      first[k] = first[k - 1];
    first[k] = i;
  }
  return n;
}

static int add_lines(const study *s, summary *m, failure *why)
{
  size_t *first = malloc(s->n * sizeof *first);
  int st = first ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory for groups");

  for (size_t g = 0; st == EXIT_OK && g < GROUPINGS; g++) {
    const size_t n = list_groups(s, &groupings[g], first);

    for (size_t k = 0; st == EXIT_OK && k < n; k++) {
      const member one = {s, &groupings[g], first[k]};
      st = add_line(&one, m, why);
    }
  }
  free(first);
  return st;
}

static bool has_bare_error(const void *closure, size_t i)
{
  const trial *t = &((const study *)closure)->trials[i];

  return t->role == ROLE_SCORED && !isnan(t->of_parameters);
}

int summary_new(const study *s, summary *out, failure *why)
{
  summary m = {.line = calloc(GROUPINGS * s->n, sizeof *m.line),
               .contest = calloc(s->n, sizeof *m.contest),
               .curve = calloc(s->n, sizeof *m.curve)};
  int st = EXIT_OK;

  if (!m.line || !m.contest || !m.curve) {
    st = fail(why, EXIT_INTERNAL, "no memory for the summary");
  } else {
    decide_all(s, &m);
    find_all_knees(s, &m);
    st = add_lines(s, &m, why);
    if (st == EXIT_OK)
      st = study_score(s, has_bare_error, s, true, &m.bare, why);
  }
  *out = m;
  return st;
}

void summary_free(summary *m)
{
  free(m->line);
  free(m->contest);
  free(m->curve);
  *m = (summary){0};
}
