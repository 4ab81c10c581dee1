/* coverage.c - estimates residuals of the model from runs of many machines.
 *
 * The residuals for a program never include the program's own runs. */

#include "validate/cases.h"
#include "validate/pair_order.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  FILES_MAX = 64,
  PROGRAMS_MAX = 256
};

typedef struct names {
  size_t n;
  const char *of[PROGRAMS_MAX];
} names;

typedef struct survey {
  gscale_table *table; /* owns the texts of the cases */
  size_t cases;
  one_case of[CASES_MAX];
  gscale_residual *r;
  size_t n;
  names programs, machines;
  lexicon texts;
  int measured;           /* fewest calibrated GPUs of a system of GAP_OWN */
  gscale_residuals w;     /* over all programs */
  gscale_residuals *left; /* without each program in turn */
  verdicts pairs;         /* pairs of GAP_OWN; `program` is the cluster */
} survey;

static void free_survey(survey *s)
{
  gscale_table_free(s->table);
  free(s->left);
  free(s->r);
  free(s->pairs.of);
  lexicon_free(&s->texts);
}

/* ---- runs --------------------------------------------------------------- */

static size_t index_of(names *l, const char *name)
{
  size_t i = 0;

  while (i < l->n && strcmp(l->of[i], name) != 0) i++;
  if (i == l->n && l->n < PROGRAMS_MAX) l->of[l->n++] = name;
  return i;
}

/* Accepts scored runs, and for GAP_GROWTH only runs with doublings. GAP_COMPUTE
 * accepts infinite runs on one GPU without a stated t1. */
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
  if (!program) return no_memory(why);
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

  if (!more) return no_memory(why);
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

    if (!program) return no_memory(why);
    s->pairs.of[i].program = cluster_of(s, c, program);
  }
  return st;
}

static void note_measured(survey *s, const gscale_system *own)
{
  const int gpus = gscale_system_about(own).calibrated;

  if (gpus > 0 && (s->measured == 0 || gpus < s->measured)) s->measured = gpus;
}

static int survey_case(survey *s, one_case *c, failure *why)
{
  char *text = strdup(c->files), *word[FILES_MAX];
  study runs = {.no_single = c->gap == GSCALE_GAP_COMPUTE};
  int st = text ? case_load(c, &runs.system, why) : no_memory(why);

  if (st == EXIT_OK)
    s->w.nodes = gscale_system_about(runs.system).residuals->nodes;
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

/* ---- residuals ---------------------------------------------------------- */

static int fit_without(const survey *s, size_t program, gscale_residuals *out,
                       failure *why)
{
  gscale_diag diag;

  *out = (gscale_residuals){.measured = s->measured > 0 ? s->measured : 1,
                            .nodes = s->w.nodes};
  return check_gscale(
      why, gscale_residuals_fit(s->r, s->n, program, out, &diag), &diag);
}

/* Fits the residuals to all programs, and again without each program. */
static int fit_all(survey *s, failure *why)
{
  int st = fit_without(s, SIZE_MAX, &s->w, why);

  s->left = malloc((s->programs.n + 1) * sizeof *s->left);
  if (st == EXIT_OK && !s->left) st = no_memory(why);
  for (size_t p = 0; st == EXIT_OK && p < s->programs.n; p++) {
    st = fit_without(s, p, &s->left[p], why);
    progress("programs", p + 1, s->programs.n);
  }
  progress_end();
  return st;
}

/* Computes the jackknife error of each number of the struct [Quenouille56]:
 * err^2 = (k - 1)/k sum (x_i - mean)^2, with k programs left out in turn. */
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

/* ---- rows --------------------------------------------------------------- */

enum {
  OF_CASE,
  OF_GAP,
  OF_MACHINE,
  OF_SYSTEM,
  OF_PROGRAM,
  OF_PARADIGM,
  MOVED,
  OFF,
  TAIL,
  HALF,
  LOG,
  SURE,
  RIGHT,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [OF_CASE] = INTEGER("case", "case"),
    [OF_GAP] = TEXT("gap", "predicted by"),
    [OF_MACHINE] = TEXT("machine", "runs of"),
    [OF_SYSTEM] = TEXT("system", "system"),
    [OF_PROGRAM] = TEXT("workload", "workload"),
    [OF_PARADIGM] = TEXT("paradigm", "paradigm"),
    [MOVED] = PERCENT("moved", "moved"),
    [OFF] = NUMBER("off", "off by", GSCALE_COUNT),
    [TAIL] = NUMBER("tail", "95 %", GSCALE_COUNT),
    [HALF] = PERCENT("half", "+/-"),
    [LOG] = NUMBER("log_score", "log score", GSCALE_COUNT),
    [SURE] = PERCENT("sure", "sure"),
    [RIGHT] = INTEGER("right", "right"),
};

static void add_run(rows *table, const survey *s, size_t i, size_t j)
{
  const one_case *c = &s->of[i];
  const gscale_residual *r = &s->r[j];
  const gscale_residuals *w = &s->left[r->program];
  const double z = gscale_residual_z(r, w);
  const double own = fabs(log(r->measured / r->predicted) / z);
  cell *row = rows_add(table);

  row[OF_CASE].number = (double)(i + 1);
  set_text(&row[OF_GAP], gscale_name(GSCALE_GAP_NAMES, c->gap));
  set_text(&row[OF_MACHINE], c->machine);
  set_text(&row[OF_SYSTEM], c->system);
  set_text(&row[OF_PROGRAM], s->programs.of[r->program]);
  set_text(&row[OF_PARADIGM], gscale_paradigm_at(r->at.paradigm)->name);
  row[MOVED].number = r->at.moved;
  row[OFF].number = fabs(z);
  row[TAIL].number = w->tail;
  row[HALF].number = sinh(isfinite(own) ? own : 0.0); /* err / predicted */
  row[LOG].number = gscale_residual_log(r, w);
}

static void add_pair(rows *table, const survey *s, const verdict *p)
{
  cell *row = rows_add(table);

  set_text(&row[OF_GAP], "faster");
  set_text(&row[OF_MACHINE], s->machines.of[p->program / PROGRAMS_MAX]);
  set_text(&row[OF_PROGRAM], s->programs.of[p->program % PROGRAMS_MAX]);
  row[SURE].number = p->sure;
  row[RIGHT].number = p->right;
}

static void fill(rows *table, const survey *s)
{
  for (gscale_gap g = 0; g < GSCALE_GAP_END; g++)
    for (size_t i = 0; i < s->cases; i++)
      for (size_t j = 0; s->of[i].gap == g && j < s->of[i].n; j++)
        add_run(table, s, i, s->of[i].first + j);
  for (size_t i = 0; i < s->pairs.n; i++) add_pair(table, s, &s->pairs.of[i]);
}

/* ---- output ------------------------------------------------------------- */

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

/* Surveys the cases by gap, so that the runs of one gap are adjacent. */
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
  table = rows_new("gpuscale.residuals/1", columns, COLUMNS);
  if (st == EXIT_OK) fill(table, &s);
  if (st == EXIT_OK && o->estimate) st = write_estimate(&s, o->estimate, why);
  st = rows_print(st, table, o, why);
  free_survey(&s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
