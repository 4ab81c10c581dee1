/* coverage.c - how often intervals hold, and how much further the model is off
 * where less is known: runs of many machines at once.
 *
 * What is said of a program is never estimated from its own runs. */

#include "predict/predict.h"
#include "validate/groups.h"
#include "validate/pairs.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CASES_MAX = 64,
  FILES_MAX = 64,
  PROGRAMS_MAX = 256,
  DRAWS = 2000
};

/* ---- the table of cases ------------------------------------------------- */

enum {
  GAP,
  MACHINE,
  SYSTEM,
  SETTINGS,
  FILES,
  CASE_COLUMNS
};

static const char *const case_columns[CASE_COLUMNS] = {
    "gap", "machine", "system", "settings", "files"};

typedef struct one_case {
  gscale_gap gap;
  const char *machine, *system, *settings, *files;
  size_t first, n; /* of its residuals */
} one_case;

typedef struct names {
  size_t n;
  const char *of[PROGRAMS_MAX];
} names;

typedef struct survey {
  gscale_table *table;
  size_t cases;
  one_case of[CASES_MAX];
  gscale_residual *r;
  size_t n;
  names programs, machines;
  lexicon texts;
  int measured;          /* fewest GPUs of the machines of GAP_OWN */
  gscale_system *pooled; /* with the discrepancies of all of them */
  gscale_widening w;
  verdicts pairs; /* of GAP_OWN; program: the cluster */
} survey;

static void free_survey(survey *s)
{
  gscale_table_free(s->table);
  gscale_system_free(s->pooled);
  free(s->r);
  free(s->pairs.of);
  lexicon_free(&s->texts);
}

static int take_case(survey *s, size_t row, const size_t at[], const char *path,
                     failure *why)
{
  one_case *c = &s->of[row];
  const char *gap = gscale_table_text(s->table, row, at[GAP]);

  while (c->gap < GSCALE_GAP_END && strcmp(gscale_gap_name(c->gap), gap) != 0)
    c->gap++;
  if (c->gap == GSCALE_GAP_END)
    return fail(why, EXIT_DATA, "%s:%d: gap: no gap '%.60s'", path,
                gscale_table_line(s->table, row), gap);
  c->machine = gscale_table_text(s->table, row, at[MACHINE]);
  c->system = gscale_table_text(s->table, row, at[SYSTEM]);
  c->settings = gscale_table_text(s->table, row, at[SETTINGS]);
  c->files = gscale_table_text(s->table, row, at[FILES]);
  return EXIT_OK;
}

static int read_cases(survey *s, const char *path, failure *why)
{
  gscale_diag diag;
  size_t at[CASE_COLUMNS];
  gscale_status read = gscale_table_read(path, &s->table, &diag);

  for (size_t c = 0; read == GSCALE_OK && c < CASE_COLUMNS; c++)
    read = gscale_table_column(s->table, case_columns[c], &at[c], &diag);
  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  s->cases = gscale_table_rows(s->table);
  if (s->cases == 0) return fail(why, EXIT_DATA, "%s: no cases", path);
  if (s->cases > CASES_MAX)
    return fail(why, EXIT_LIMIT, "%s: more than %d cases", path, CASES_MAX);
  for (size_t i = 0; i < s->cases; i++)
    if (take_case(s, i, at, path, why) != EXIT_OK) return why->status;
  return EXIT_OK;
}

/* ---- the runs of a case ------------------------------------------------- */

/* The words between semicolons, in *text itself; returns how many. */
static size_t split(char *text, char **word, size_t most)
{
  size_t n = 0;

  for (char *w = strtok(text, ";"); w && n < most; w = strtok(NULL, ";"))
    word[n++] = w;
  return n;
}

static int load_case(const one_case *c, gscale_system **out, failure *why)
{
  char text[512], *word[SETTINGS_MAX];
  static options o; /* large */
  system_label name;
  size_t n;
  int st = EXIT_OK;

  o = (options){.verb = "validate", .system = c->system};
  snprintf(text, sizeof text, "%s", c->settings);
  n = split(text, word, SETTINGS_MAX);
  for (size_t i = 0; st == EXIT_OK && i < n; i++) {
    if (strncmp(word[i], "link=", 5) == 0)
      o.link = word[i] + 5;
    else
      st = settings_add(&o.set, word[i], why);
  }
  if (st == EXIT_OK) st = load_asked_system(&o, out, NULL, name, why);
  return st == EXIT_OK ? settings_all_used(&o.set, why) : st;
}

static size_t index_of(names *l, const char *name)
{
  size_t i = 0;

  while (i < l->n && strcmp(l->of[i], name) != 0) i++;
  if (i == l->n && l->n < PROGRAMS_MAX) l->of[l->n++] = name;
  return i;
}

/* What runs have in common whose residuals may go together: a program of a
 * file on some N, by one paradigm on all N, by one paradigm on all machines. */
static void relate(const run *r, gscale_residual *out)
{
  const uint64_t program = hash_text(0, r->program);
  const uint64_t session = hash_text(program, r->path);

  out->way = (size_t)hash_number(session, (uint64_t)r->gpus);
  out->number = (size_t)hash_number(hash_number(session, 1), r->paradigm);
  out->other = (size_t)hash_number(
      hash_number(hash_number(program, 2), (uint64_t)r->gpus), r->paradigm);
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
  const run *r = &runs->runs[i];
  const trial *t = &runs->trials[i];
  const char *program = lexicon_keep(&s->texts, t->program);
  gscale_residual out = {
      .gap = c->gap,
      .predicted = t->time,
      .measured = r->time,
      .of_parameters = t->of_parameters,
      .sigma = r->sigma,
      .of_pool = t->of_pool,
      .of_compute = c->gap == GSCALE_GAP_COMPUTE ? t->infinite : 0.0,
      .doublings = t->doublings,
      .machine = c->gap == GSCALE_GAP_MACHINE,
      .link = c->gap == GSCALE_GAP_LINK,
      .way = SIZE_MAX,
      .number = SIZE_MAX,
      .other = SIZE_MAX,
  };

  if (!program) return fail(why, EXIT_INTERNAL, "no memory for the programs");
  out.cluster = cluster_of(s, c, program);
  out.program = index_of(&s->programs, program);
  if (out.program == PROGRAMS_MAX)
    return fail(why, EXIT_LIMIT, "more than %d programs", PROGRAMS_MAX);
  if (t->best) relate(r, &out);
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

/* What is known of all the measured machines. */
static int pool_system(survey *s, const gscale_system *own, const char *name,
                       failure *why)
{
  const int gpus = gscale_system_calibrated(own);
  gscale_diag diag;

  if (!s->pooled) s->pooled = gscale_system_new("all measured");
  if (!s->pooled) return fail(why, EXIT_INTERNAL, "no memory for a system");
  if (gpus > 0 && (s->measured == 0 || gpus < s->measured)) s->measured = gpus;
  if (gscale_system_append_discrepancies(s->pooled, own, &diag) == GSCALE_OK)
    return EXIT_OK;
  return fail(why, EXIT_DATA, "%s: %s", name, diag.text);
}

static int survey_case(survey *s, one_case *c, failure *why)
{
  char *text = strdup(c->files), *word[FILES_MAX];
  study runs = {.no_single = c->gap == GSCALE_GAP_COMPUTE};
  int st = text ? load_case(c, &runs.system, why)
                : fail(why, EXIT_INTERNAL, "no memory for a case");

  if (st == EXIT_OK) s->w.nodes = gscale_system_widening(runs.system)->nodes;
  if (st == EXIT_OK && c->gap == GSCALE_GAP_OWN)
    st = pool_system(s, runs.system, c->system, why);
  if (st == EXIT_OK && c->gap == GSCALE_GAP_MACHINE)
    gscale_system_borrow_discrepancies(runs.system);
  if (st == EXIT_OK)
    st = study_read(&runs, (const char *const *)word,
                    split(text, word, FILES_MAX), why);
  if (st == EXIT_OK) st = study_predict(&runs, why);
  if (st == EXIT_OK) st = study_relate(&runs, why);
  if (st == EXIT_OK) st = add_runs(s, c, &runs, why);
  if (st == EXIT_OK && c->gap == GSCALE_GAP_OWN)
    st = add_pairs(s, c, &runs, why);
  study_free(&runs);
  free(text);
  return st;
}

/* ---- the widening ------------------------------------------------------- */

static void name_sources(survey *s)
{
  size_t runs[GSCALE_GAP_END] = {0};
  gscale_widening *w = &s->w;
  const struct {
    gscale_param *p;
    gscale_gap of;
  } all[] = {
      {&w->machine, GSCALE_GAP_MACHINE}, {&w->link, GSCALE_GAP_LINK},
      {&w->growth, GSCALE_GAP_GROWTH},   {&w->compute, GSCALE_GAP_COMPUTE},
      {&w->ways, GSCALE_GAP_OWN},        {&w->numbers, GSCALE_GAP_OWN},
      {&w->machines, GSCALE_GAP_OWN}};

  for (size_t i = 0; i < s->n; i++) runs[s->r[i].gap]++;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    snprintf(all[i].p->source, sizeof all[i].p->source, "%zu runs",
             runs[all[i].of]);
  snprintf(w->tail.source, sizeof w->tail.source, "%zu runs", s->n);
}

static int fit_all(survey *s, failure *why)
{
  gscale_diag diag;
  gscale_status st;

  s->w.measured = s->measured > 0 ? s->measured : 1;
  st = gscale_widening_fit(s->r, s->n, SIZE_MAX, &s->w, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  name_sources(s);
  return EXIT_OK;
}

/* ---- coverage ----------------------------------------------------------- */

/* Of each run, by the widening without its program. */
typedef struct tested {
  double *z, *tail, *half;
  size_t *cluster;
} tested;

static void test_program(const survey *s, size_t program,
                         const gscale_widening *w, const tested *t)
{
  for (size_t i = 0; i < s->n; i++) {
    const gscale_residual *r = &s->r[i];

    if (r->program != program) continue;
    const double z = gscale_residual_z(r, w);
    const double own = fabs(log(r->measured / r->predicted) / z);
    t->z[i] = fabs(z);
    t->tail[i] = w->tail.val;
    t->half[i] = sinh(isfinite(own) ? own : 0.0); /* err / predicted */
    t->cluster[i] = r->cluster;
  }
}

static int test_all(const survey *s, const tested *t, failure *why)
{
  gscale_diag diag;

  for (size_t p = 0; p < s->programs.n; p++) {
    gscale_widening w = {.measured = s->w.measured};
    const gscale_status st = gscale_widening_fit(s->r, s->n, p, &w, &diag);

    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
    test_program(s, p, &w, t);
  }
  return EXIT_OK;
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
};

static int add_row(rows *table, const survey *s, const tested *t,
                   const one_case *c, failure *why)
{
  const size_t clusters = PROGRAMS_MAX * (s->machines.n + 1);
  gscale_coverage v;
  gscale_diag diag;
  cell *row;

  if (c->n == 0) return EXIT_OK;
  const gscale_status st = gscale_coverage_of(
      t->z + c->first, t->tail + c->first, t->half + c->first,
      t->cluster + c->first, c->n, clusters, DRAWS, 1, &v, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  row = rows_add(table);
  set_text(&row[OF_GAP], gscale_gap_name(c->gap));
  set_text(&row[OF_MACHINE], c->machine);
  set_text(&row[OF_SYSTEM], c->system);
  row[ROWS].number = (double)v.rows;
  row[CLUSTERS].number = (double)v.clusters;
  row[ONCE].number = v.once;
  row[ONCE_LO].number = v.once_lo;
  row[ONCE_HI].number = v.once_hi;
  row[TAIL].number = v.tail;
  row[TAIL_LO].number = v.tail_lo;
  row[TAIL_HI].number = v.tail_hi;
  row[WIDTH].number = v.width;
  return EXIT_OK;
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

static int fill(rows *table, const survey *s, failure *why)
{
  double *room = malloc(3 * (s->n + 1) * sizeof *room);
  size_t *cluster = malloc((s->n + 1) * sizeof *cluster);
  const tested t = {room, room ? room + s->n : NULL,
                    room ? room + 2 * s->n : NULL, cluster};
  int st = room && cluster
               ? test_all(s, &t, why)
               : fail(why, EXIT_INTERNAL, "no memory for the coverage");

  for (gscale_gap g = 0; st == EXIT_OK && g < GSCALE_GAP_END; g++)
    st = add_gap(table, s, &t, g, why);
  for (int tenth = 5; st == EXIT_OK && tenth < 10; tenth++)
    st = add_sure(table, s, 0.1 * tenth, 0.1 * (tenth + 1), why);
  if (st == EXIT_OK) add_brier(table, s);
  free(room);
  free(cluster);
  return st;
}

/* ---- what is written ---------------------------------------------------- */

static void put_head(FILE *f, const char *what)
{
  fprintf(f,
          "# gpuscale %s 1\n"
          "# made-by: gpuscale validate --coverage --estimate\n",
          what);
}

static int ready_file(const char *dir, const char *name, output *out,
                      failure *why)
{
  char path[4096];

  snprintf(path, sizeof path, "%s/%s", dir, name);
  return output_open(out, path, why);
}

static int write_estimate(const survey *s, const char *dir, failure *why)
{
  output error = {0}, table = {0};
  int st = ready_file(dir, "model-error.csv", &error, why);

  if (st != EXIT_OK) return st;
  put_head(error.f, "model error");
  fprintf(error.f, "# how much further the model is off where less is known, "
                   "see gscale_widening_fit\n");
  put_widening(error.f, &s->w);
  st = ready_file(dir, "discrepancy.csv", &table, why);
  if (st == EXIT_OK) {
    put_head(table.f, "discrepancies");
    fprintf(table.f, "# of all measured machines, for systems without their "
                     "own\n");
    put_discrepancies(table.f, s->pooled);
    st = output_ready(&error, why);
  }
  if (st == EXIT_OK) st = output_close(&table, why);
  if (st == EXIT_OK) return output_close(&error, why);
  output_discard(&error);
  output_discard(&table);
  return st;
}

/* In the order of their gaps, so that the runs of one stand together. */
static int survey_all(survey *s, failure *why)
{
  int st = EXIT_OK;

  for (gscale_gap g = 0; st == EXIT_OK && g < GSCALE_GAP_END; g++)
    for (size_t i = 0; st == EXIT_OK && i < s->cases; i++)
      if (s->of[i].gap == g) st = survey_case(s, &s->of[i], why);
  if (st == EXIT_OK && (s->n == 0 || !s->pooled))
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
  st = read_cases(&s, o->argument[0], why);
  if (st == EXIT_OK) st = survey_all(&s, why);
  table = rows_new("gpuscale.coverage/1", columns, COLUMNS);
  if (st == EXIT_OK) st = fill(table, &s, why);
  if (st == EXIT_OK && o->estimate) st = write_estimate(&s, o->estimate, why);
  st = rows_print(st, table, o, why);
  free_survey(&s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
