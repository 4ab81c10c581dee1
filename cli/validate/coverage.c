/* coverage.c - how often intervals hold, and what the model is off by: runs of
 * many machines at once.
 *
 * What is said of a program is never estimated from its own runs. */

#include "validate/cases.h"
#include "validate/groups.h"
#include "validate/pair_order.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  FILES_MAX = 64,
  PROGRAMS_MAX = 256,
  DRAWS = 2000
};

typedef struct names {
  size_t n;
  const char *of[PROGRAMS_MAX];
} names;

typedef struct survey {
  gscale_table *table; /* has the texts of the cases */
  size_t cases;
  one_case of[CASES_MAX];
  gscale_residual *r;
  size_t n;
  names programs, machines;
  lexicon texts;
  int measured;           /* fewest GPUs of the machines of GAP_OWN */
  gscale_residuals w;     /* that all show, */
  gscale_residuals *left; /* and without each program */
  verdicts pairs;         /* of GAP_OWN; program: the cluster */
} survey;

static void free_survey(survey *s)
{
  gscale_table_free(s->table);
  free(s->left);
  free(s->r);
  free(s->pairs.of);
  lexicon_free(&s->texts);
}

/* ---- the runs of a case ------------------------------------------------- */

static size_t index_of(names *l, const char *name)
{
  size_t i = 0;

  while (i < l->n && strcmp(l->of[i], name) != 0) i++;
  if (i == l->n && l->n < PROGRAMS_MAX) l->of[l->n++] = name;
  return i;
}

/* On one GPU the infinite run, if the program says what it computes. */
static bool counts(const one_case *c, const run *r, const trial *t)
{
  if (c->gap == GSCALE_GAP_COMPUTE)
    return r->gpus == 1 && !t->given &&
           r->paradigm == gscale_paradigm_find("infinite");
  return t->role == ROLE_SCORED &&
         (c->gap != GSCALE_GAP_GROWTH || t->doublings > 0.0);
}

static size_t cluster_of(survey *s, const one_case *c, const char *program)
{
  return index_of(&s->programs, program) +
         PROGRAMS_MAX * index_of(&s->machines, c->machine);
}

static int add_residual(survey *s, const one_case *c, const study *runs,
                        size_t i, failure *why)
{
  const trial *t = &runs->trials[i];
  const char *program = lexicon_keep(&s->texts, t->program);
  gscale_residual out;

  study_residual(runs, i, &out);
  out.gap = c->gap;
  out.of_compute = c->gap == GSCALE_GAP_COMPUTE ? t->infinite : 0.0;
  out.machine = c->gap == GSCALE_GAP_MACHINE;
  out.link = c->gap == GSCALE_GAP_LINK;
  if (!program) return fail(why, EXIT_INTERNAL, "no memory for the programs");
  out.cluster = cluster_of(s, c, program);
  out.program = index_of(&s->programs, program);
  if (out.program == PROGRAMS_MAX)
    return fail(why, EXIT_LIMIT, "more than %d programs", PROGRAMS_MAX);
  s->r[s->n++] = out;
  return EXIT_OK;
}

static int add_runs(survey *s, one_case *c, const study *runs, failure *why)
{
  gscale_residual *more = realloc(s->r, (s->n + runs->n + 1) * sizeof *more);
  int st = EXIT_OK;

  if (!more) return fail(why, EXIT_INTERNAL, "no memory for the runs");
  s->r = more;
  c->first = s->n;
  for (size_t i = 0; st == EXIT_OK && i < runs->n; i++)
    if (counts(c, &runs->runs[i], &runs->trials[i]))
      st = add_residual(s, c, runs, i, why);
  c->n = s->n - c->first;
  return st;
}

static int add_pairs(survey *s, const one_case *c, const study *runs,
                     failure *why)
{
  const size_t before = s->pairs.n;
  const int st = pairs_judge(runs, &s->pairs, why);

  for (size_t i = before; i < s->pairs.n; i++) {
    const char *program =
        lexicon_keep(&s->texts, runs->trials[s->pairs.of[i].program].program);

    if (!program) return fail(why, EXIT_INTERNAL, "no memory for the programs");
    s->pairs.of[i].program = cluster_of(s, c, program);
  }
  return st;
}

static void note_measured(survey *s, const gscale_system *own)
{
  const int gpus = gscale_system_calibrated(own);

  if (gpus > 0 && (s->measured == 0 || gpus < s->measured)) s->measured = gpus;
}

static int survey_case(survey *s, one_case *c, failure *why)
{
  char *text = strdup(c->files), *word[FILES_MAX];
  study runs = {.no_single = c->gap == GSCALE_GAP_COMPUTE};
  int st = text ? case_load(c, &runs.system, why)
                : fail(why, EXIT_INTERNAL, "no memory for a case");

  if (st == EXIT_OK) s->w.nodes = gscale_system_residuals(runs.system)->nodes;
  if (st == EXIT_OK && c->gap == GSCALE_GAP_OWN) note_measured(s, runs.system);
  if (st == EXIT_OK)
    st = study_read(&runs, (const char *const *)word,
                    case_split(text, word, FILES_MAX), why);
  if (st == EXIT_OK) st = study_predict(&runs, why);
  if (st == EXIT_OK) st = study_relate(&runs, why);
  if (st == EXIT_OK) st = add_runs(s, c, &runs, why);
  if (st == EXIT_OK && c->gap == GSCALE_GAP_OWN)
    st = add_pairs(s, c, &runs, why);
  study_free(&runs);
  free(text);
  return st;
}

/* ---- the residuals ------------------------------------------------------ */

static int fit_without(const survey *s, size_t program, gscale_residuals *out,
                       failure *why)
{
  gscale_diag diag;

  *out = (gscale_residuals){.measured = s->measured > 0 ? s->measured : 1,
                            .nodes = s->w.nodes};
  const gscale_status st =
      gscale_residuals_fit(s->r, s->n, program, out, &diag);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

/* By all, and without each program. */
static int fit_all(survey *s, failure *why)
{
  int st = fit_without(s, SIZE_MAX, &s->w, why);

  s->left = malloc((s->programs.n + 1) * sizeof *s->left);
  if (st == EXIT_OK && !s->left)
    st = fail(why, EXIT_INTERNAL, "no memory for the residuals");
  for (size_t p = 0; st == EXIT_OK && p < s->programs.n; p++) {
    st = fit_without(s, p, &s->left[p], why);
    progress("programs", p + 1, s->programs.n);
  }
  progress_end();
  return st;
}

/* err^2 = (k - 1)/k sum (x_i - mean)^2 over k programs left out in turn
 * [Quenouille56]: of every number, of which the struct is made. */
static void add_errors(const survey *s, gscale_residuals *err)
{
  const size_t numbers = offsetof(gscale_residuals, measured) / sizeof(double);
  const double k = (double)s->programs.n;

  *err = gscale_residuals_none;
  for (size_t i = 0; i < numbers; i++) {
    double sum = 0.0, square = 0.0;

    for (size_t p = 0; p < s->programs.n; p++) {
      const double v = ((const double *)(const void *)&s->left[p])[i];
      sum += v;
      square += v * v;
    }
    ((double *)(void *)err)[i] =
        k > 1.0 ? sqrt((k - 1.0) / k * fmax(0.0, square - sum * sum / k)) : 0.0;
  }
}

/* ---- coverage ----------------------------------------------------------- */

/* Of each run, by the residuals without its program. */
typedef struct tested {
  double *z, *tail, *half, *log;
  size_t *cluster;
} tested;

static void test_all(const survey *s, const tested *t)
{
  for (size_t i = 0; i < s->n; i++) {
    const gscale_residual *r = &s->r[i];
    const gscale_residuals *w = &s->left[r->program];
    const double z = gscale_residual_z(r, w);
    const double own = fabs(log(r->measured / r->predicted) / z);

    t->z[i] = fabs(z);
    t->tail[i] = w->tail;
    t->log[i] = gscale_residual_log(r, w);
    t->half[i] = sinh(isfinite(own) ? own : 0.0); /* err / predicted */
    t->cluster[i] = r->cluster;
  }
}

enum {
  OF_GAP,
  OF_MACHINE,
  OF_SYSTEM,
  ROWS,
  CLUSTERS,
  ONCE,
  ONCE_LO,
  ONCE_HI,
  TAIL,
  TAIL_LO,
  TAIL_HI,
  WIDTH,
  LOG,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [OF_GAP] = TEXT("gap", "predicted by"),
    [OF_MACHINE] = TEXT("machine", "runs of"),
    [OF_SYSTEM] = TEXT("system", "system"),
    [ROWS] = INTEGER("rows", "rows"),
    [CLUSTERS] = INTEGER("clusters", "clusters"),
    [ONCE] = PERCENT("covered", "one error"),
    [ONCE_LO] = PERCENT("covered_lo", "from"),
    [ONCE_HI] = PERCENT("covered_hi", "to"),
    [TAIL] = PERCENT("covered95", "95 %"),
    [TAIL_LO] = PERCENT("covered95_lo", "from"),
    [TAIL_HI] = PERCENT("covered95_hi", "to"),
    [WIDTH] = PERCENT("width", "width"),
    [LOG] = NUMBER("log_score", "log score", GSCALE_COUNT),
};

/* Some of the runs, side by side. */
static int add_tested(rows *table, const survey *s, const tested *t, size_t n,
                      const char *const text[3], failure *why)
{
  const size_t clusters = PROGRAMS_MAX * (s->machines.n + 1);
  double sum = 0.0;
  gscale_coverage v;
  gscale_diag diag;
  cell *row;

  if (n == 0) return EXIT_OK;
  const gscale_status st = gscale_coverage_of(
      t->z, t->tail, t->half, t->cluster, n, clusters, DRAWS, 1, &v, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  for (size_t i = 0; i < n; i++) sum += t->log[i];
  row = rows_add(table);
  set_text(&row[OF_GAP], text[0]);
  set_text(&row[OF_MACHINE], text[1]);
  set_text(&row[OF_SYSTEM], text[2]);
  row[ROWS].number = (double)v.rows;
  row[CLUSTERS].number = (double)v.clusters;
  row[ONCE].number = v.once;
  row[ONCE_LO].number = v.once_lo;
  row[ONCE_HI].number = v.once_hi;
  row[TAIL].number = v.tail;
  row[TAIL_LO].number = v.tail_lo;
  row[TAIL_HI].number = v.tail_hi;
  row[WIDTH].number = v.width;
  row[LOG].number = sum / (double)n;
  return EXIT_OK;
}

static int add_row(rows *table, const survey *s, const tested *t,
                   const one_case *c, failure *why)
{
  const size_t i = c->first;
  const tested at = {t->z + i, t->tail + i, t->half + i, t->log + i,
                     t->cluster + i};
  const char *const text[] = {gscale_name(GSCALE_GAP_NAMES, c->gap), c->machine,
                              c->system};

  return add_tested(table, s, &at, c->n, text, why);
}

/* The cases of a gap stand together; all of them first. */
static int add_gap(rows *table, const survey *s, const tested *t,
                   gscale_gap gap, failure *why)
{
  one_case all = {.gap = gap, .machine = "all", .system = ""};
  int st;

  for (size_t i = s->cases; i-- > 0;) {
    if (s->of[i].gap != gap) continue;
    all.first = s->of[i].first;
    all.n += s->of[i].n;
  }
  st = add_row(table, s, t, &all, why);
  for (size_t i = 0; st == EXIT_OK && i < s->cases; i++)
    if (s->of[i].gap == gap) st = add_row(table, s, t, &s->of[i], why);
  return st;
}

/* ---- bands of runs by their own machine --------------------------------- */

/* Of a run what its band goes by. */
typedef struct band {
  const char *of, *name;
  double (*by)(const gscale_residual *r, double half);
  double from, to; /* below it */
} band;

static double by_moved(const gscale_residual *r, double half)
{
  (void)half;
  return r->at.moved;
}

static double by_way(const gscale_residual *r, double half)
{
  (void)half;
  return (double)r->at.paradigm;
}

static double by_width(const gscale_residual *r, double half)
{
  (void)r;
  return half;
}

static int add_band(rows *table, const survey *s, const tested *t,
                    const tested *room, const band *b, failure *why)
{
  const char *const text[] = {b->of, b->name, ""};
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    const double v = b->by(&s->r[i], t->half[i]);

    if (s->r[i].gap != GSCALE_GAP_OWN || !(v >= b->from && v < b->to)) continue;
    room->z[n] = t->z[i];
    room->tail[n] = t->tail[i];
    room->half[n] = t->half[i];
    room->log[n] = t->log[i];
    room->cluster[n++] = t->cluster[i];
  }
  return add_tested(table, s, room, n, text, why);
}

static int add_shares(rows *table, const survey *s, const tested *t,
                      const tested *room, failure *why)
{
  static const double end[] = {0.0, 0.02, 0.1, 0.3, 0.6, 2.0};
  static const char *const name[] = {"0-2%", "2-10%", "10-30%", "30-60%",
                                     "60-100%"};
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < sizeof name / sizeof *name; i++)
    st = add_band(table, s, t, room,
                  &(band){"moved", name[i], by_moved, end[i], end[i + 1]}, why);
  return st;
}

static int add_ways(rows *table, const survey *s, const tested *t,
                    const tested *room, failure *why)
{
  int st = EXIT_OK;

  for (size_t p = 0; st == EXIT_OK && p < gscale_paradigm_count(); p++)
    st = add_band(table, s, t, room,
                  &(band){"way", gscale_paradigm_at(p)->name, by_way, (double)p,
                          (double)p + 0.5},
                  why);
  return st;
}

static int rising(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Fifths of the runs, from the narrowest interval to the widest. */
static int add_widths(rows *table, const survey *s, const tested *t,
                      const tested *room, failure *why)
{
  static const char *const name[] = {"first fifth", "second fifth",
                                     "third fifth", "fourth fifth",
                                     "last fifth"};
  const size_t fifths = sizeof name / sizeof *name;
  double end[] = {0.0, 0.0, 0.0, 0.0, 0.0, INFINITY};
  size_t n = 0;
  int st = EXIT_OK;

  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].gap == GSCALE_GAP_OWN) room->half[n++] = t->half[i];
  qsort(room->half, n, sizeof *room->half, rising);
  for (size_t i = 1; n > 0 && i < fifths; i++)
    end[i] = room->half[i * n / fifths];
  for (size_t i = 0; st == EXIT_OK && i < fifths; i++)
    st = add_band(table, s, t, room,
                  &(band){"width", name[i], by_width, end[i], end[i + 1]}, why);
  return st;
}

/* ---- pairs of ways ------------------------------------------------------- */

/* Of pairs that one way is faster in with a probability of `from` to `to`: how
 * often it was; `width` is the mean of the probabilities. */
static int add_sure(rows *table, const survey *s, double from, double to,
                    failure *why)
{
  const size_t clusters = PROGRAMS_MAX * (s->machines.n + 1);
  double *room = malloc(3 * (s->pairs.n + 1) * sizeof *room), mean = 0.0;
  size_t *cluster = malloc((s->pairs.n + 1) * sizeof *cluster), n = 0;
  gscale_coverage v;
  gscale_diag diag;
  gscale_status st = room && cluster ? GSCALE_OK : GSCALE_ENOMEM;
  cell *row;

  for (size_t i = 0; st == GSCALE_OK && i < s->pairs.n; i++) {
    const verdict *p = &s->pairs.of[i];

    if (p->sure < from || (p->sure >= to && to < 0.99)) continue;
    room[n] = p->right ? 0.0 : 2.0;
    room[s->pairs.n + n] = room[2 * s->pairs.n + n] = 1.0;
    cluster[n++] = p->program;
    mean += p->sure;
  }
  if (st == GSCALE_OK && n > 0)
    st = gscale_coverage_of(room, room + s->pairs.n, room + 2 * s->pairs.n,
                            cluster, n, clusters, DRAWS, 1, &v, &diag);
  free(room);
  free(cluster);
  if (st != GSCALE_OK)
    return fail(why, EXIT_INTERNAL, "no memory for the pairs");
  if (n == 0) return EXIT_OK;
  row = rows_add(table);
  set_text(&row[OF_GAP], "faster");
  set_text(&row[OF_MACHINE], "pairs of ways");
  snprintf(row[OF_SYSTEM].text, sizeof row[OF_SYSTEM].text, "%.0f-%.0f%%",
           100.0 * from, 100.0 * to);
  row[ROWS].number = (double)v.rows;
  row[CLUSTERS].number = (double)v.clusters;
  row[ONCE].number = v.once;
  row[ONCE_LO].number = v.once_lo;
  row[ONCE_HI].number = v.once_hi;
  row[TAIL].number = row[TAIL_LO].number = row[TAIL_HI].number = (double)NAN;
  row[WIDTH].number = mean / (double)n;
  row[LOG].number = (double)NAN;
  return EXIT_OK;
}

/* The mean of (probability - outcome)^2 [Brier50]: 0 if all is known, 0.25 for
 * nothing. */
static void add_brier(rows *table, const survey *s)
{
  double sum = 0.0;
  cell *row;

  if (s->pairs.n == 0) return;
  for (size_t i = 0; i < s->pairs.n; i++) {
    const verdict *p = &s->pairs.of[i];
    const double off = p->right ? 1.0 - p->sure : p->sure;
    sum += off * off;
  }
  row = rows_add(table);
  for (size_t c = 0; c < COLUMNS; c++) row[c].number = (double)NAN;
  set_text(&row[OF_GAP], "brier");
  set_text(&row[OF_MACHINE], "pairs of ways");
  set_text(&row[OF_SYSTEM], "");
  row[ROWS].number = (double)s->pairs.n;
  row[ONCE].number = sum / (double)s->pairs.n;
}

static bool open_tested(tested *t, size_t n)
{
  double *room = malloc(4 * (n + 1) * sizeof *room);

  *t = (tested){room, room ? room + n : NULL, room ? room + 2 * n : NULL,
                room ? room + 3 * n : NULL,
                malloc((n + 1) * sizeof *t->cluster)};
  return room && t->cluster;
}

static void close_tested(tested *t)
{
  free(t->z);
  free(t->cluster);
}

static int fill_runs(rows *table, const survey *s, failure *why)
{
  tested t, room;
  const bool ready = open_tested(&t, s->n), more = open_tested(&room, s->n);
  int st = ready && more
               ? EXIT_OK
               : fail(why, EXIT_INTERNAL, "no memory for the coverage");

  if (st == EXIT_OK) test_all(s, &t);
  for (gscale_gap g = 0; st == EXIT_OK && g < GSCALE_GAP_END; g++)
    st = add_gap(table, s, &t, g, why);
  if (st == EXIT_OK) st = add_shares(table, s, &t, &room, why);
  if (st == EXIT_OK) st = add_ways(table, s, &t, &room, why);
  if (st == EXIT_OK) st = add_widths(table, s, &t, &room, why);
  close_tested(&t);
  close_tested(&room);
  return st;
}

static int fill(rows *table, const survey *s, failure *why)
{
  int st = fill_runs(table, s, why);

  for (int tenth = 5; st == EXIT_OK && tenth < 10; tenth++)
    st = add_sure(table, s, 0.1 * tenth, 0.1 * (tenth + 1), why);
  if (st == EXIT_OK) add_brier(table, s);
  return st;
}

/* ---- what is written ---------------------------------------------------- */

static int write_estimate(const survey *s, const char *dir, failure *why)
{
  char path[4096], from[64];
  gscale_residuals err;
  output out = {0};

  snprintf(path, sizeof path, "%s/residuals.csv", dir);
  snprintf(from, sizeof from, "%zu runs", s->n);
  const int st = output_open(&out, path, why);
  if (st != EXIT_OK) return st;
  add_errors(s, &err);
  fprintf(out.f, "# gpuscale residuals 1\n"
                 "# made-by: gpuscale validate --coverage --estimate\n"
                 "# what the model is off by, see gscale_residuals\n");
  put_residuals(out.f, &s->w, &err, from);
  return output_close(&out, why);
}

/* In the order of their gaps, so that the runs of one stand together. */
static int survey_all(survey *s, failure *why)
{
  int st = EXIT_OK;

  for (gscale_gap g = 0; st == EXIT_OK && g < GSCALE_GAP_END; g++)
    for (size_t i = 0; st == EXIT_OK && i < s->cases; i++)
      if (s->of[i].gap == g) st = survey_case(s, &s->of[i], why);
  if (st == EXIT_OK && (s->n == 0 || s->measured == 0))
    st = fail(why, EXIT_DATA, "no run of a machine by its own system");
  return st == EXIT_OK ? fit_all(s, why) : st;
}

int coverage_print(const options *o, failure *why)
{
  static survey s; /* large */
  rows *table;
  int st;

  s = (survey){0};
  if (o->arguments != 1)
    return fail(why, EXIT_USAGE, "validate: --coverage takes one CASES.csv");
  st = cases_read(o->argument[0], &s.table, s.of, &s.cases, why);
  if (st == EXIT_OK) st = survey_all(&s, why);
  table = rows_new("gpuscale.coverage/1", columns, COLUMNS);
  if (st == EXIT_OK) st = fill(table, &s, why);
  if (st == EXIT_OK && o->estimate) st = write_estimate(&s, o->estimate, why);
  st = rows_print(st, table, o, why);
  free_survey(&s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
