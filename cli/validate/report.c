/* report.c - prints the results of validate. */

#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs --------------------------------------------------------------- */

enum {
  WORKLOAD,
  PARADIGM,
  KNOBS,
  OWN_KNOBS, /* knobs in the paradigm's own words, in tables */
  GPUS,
  MEASURED,
  SIGMA,
  PREDICTED,
  PREDICTED_ERR,
  ERR_SHARE,
  ERROR,
  BOUND,
  ROLE,
  APPLICABILITY,
  PARAMETERS_ERR,
  COMPUTE_ERROR,
  TRANSFER_ERROR,
  PARTS,
  AMDAHL_TIME = PARTS + GSCALE_PART_END,
  USL_TIME,
  MESSAGES_TIME,
  SCALED_TIME,
  FILE_NAME,
  LINE_NUMBER,
  INFINITE,
  NORMAL_FORM_TIME,
  GIVEN_TIME,
  WEIGHTED_TIME,
  WEIGHTS,
  WEIGHTED_ERR,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [WORKLOAD] = TEXT("workload", NULL), /* printed as a heading */
    [PARADIGM] = TEXT("paradigm", "paradigm"),
    [KNOBS] = TEXT("knobs", NULL),
    [OWN_KNOBS] = {NULL, "knobs", GSCALE_COUNT, COLUMN_TEXT, true},
    [GPUS] = INTEGER("gpus", "GPUs"),
    [MEASURED] = NUMBER("measured_s", "measured", GSCALE_TIME),
    [SIGMA] = SECONDS("sigma"),
    [PREDICTED] = NUMBER("predicted_s", "predicted", GSCALE_TIME),
    [PREDICTED_ERR] = SECONDS("predicted_err"),
    [ERR_SHARE] = SHARE("+/-"),
    [ERROR] = PERCENT("error", "error"),
    [BOUND] = TEXT("bound", "bound by"),
    [ROLE] = TEXT("role", "role"),
    [APPLICABILITY] = TEXT("applicability", NULL),
    [PARAMETERS_ERR] = SECONDS("parameters_err"),
    [COMPUTE_ERROR] = PERCENT("compute_error", NULL),
    [TRANSFER_ERROR] = PERCENT("transfer_error", NULL),
    PART_TIMES(PARTS),
    [AMDAHL_TIME] = SECONDS("amdahl"),
    [USL_TIME] = SECONDS("usl"),
    [MESSAGES_TIME] = SECONDS("messages"),
    [SCALED_TIME] = SECONDS("scaled"),
    [FILE_NAME] = TEXT("file", NULL),
    [LINE_NUMBER] = INTEGER("line", NULL),
    [INFINITE] = SECONDS("infinite"),
    [NORMAL_FORM_TIME] = SECONDS("extra_p"),
    [GIVEN_TIME] = SECONDS("given"),
    [WEIGHTED_TIME] = SECONDS("weighted"),
    [WEIGHTS] = TEXT("weights", NULL),
    [WEIGHTED_ERR] = NUMBER("weighted_err", NULL, GSCALE_COUNT),
};

static const int rival_column[RIVALS] = {
    [GSCALE_AMDAHL] = AMDAHL_TIME,     [GSCALE_USL] = USL_TIME,
    [GSCALE_MESSAGES] = MESSAGES_TIME, [GSCALE_NORMAL_FORM] = NORMAL_FORM_TIME,
    [RIVAL_SCALED] = SCALED_TIME,      [RIVAL_GIVEN] = GIVEN_TIME,
    [RIVAL_WEIGHTED] = WEIGHTED_TIME};

static void fill_row(cell *c, const study *s, const rivals *v, size_t i)
{
  const measured_row row = study_row(s, i);
  const run *r = &s->runs[row.of];
  const trial *t = &s->trials[row.of];
  const gscale_split split = study_row_split(s, &row);

  set_text(&c[WORKLOAD], r->workload);
  set_text(&c[PARADIGM], gscale_paradigm_at(r->paradigm)->name);
  set_text(&c[KNOBS], r->knobs);
  print_knobs(c[OWN_KNOBS].text, sizeof c[OWN_KNOBS].text, &r->k);
  c[GPUS].number = r->gpus;
  c[MEASURED].number = row.time;
  c[SIGMA].number = row.sigma;
  c[PREDICTED].number = t->time;
  c[PREDICTED_ERR].number = t->err;
  c[ERR_SHARE].number = t->err / t->time;
  c[ERROR].number = study_row_error(s, &row);
  if (!isnan(t->time)) {
    set_text(&c[BOUND], gscale_name(GSCALE_MECHANISM_NAMES, t->bound));
    set_text(&c[APPLICABILITY],
             gscale_name(GSCALE_APPLICABILITY_NAMES, t->applicability));
  }
  set_text(&c[ROLE], role_name(row.role));
  c[PARAMETERS_ERR].number = t->of_parameters;
  c[COMPUTE_ERROR].number = split.compute;
  c[TRANSFER_ERROR].number = split.transfer;
  for (size_t k = 0; k < GSCALE_PART_END; k++) c[PARTS + k].number = t->part[k];
  for (size_t k = 0; k < RIVALS; k++)
    if (rival_is_shown(k)) c[rival_column[k]].number = v ? v->time[i][k] : NAN;
  c[WEIGHTED_ERR].number = v ? v->weighted[i] : NAN;
  if (v) print_weights(v, i, c[WEIGHTS].text, sizeof c[WEIGHTS].text);
  set_text(&c[FILE_NAME], r->path);
  c[LINE_NUMBER].number = row.line;
  c[INFINITE].number = t->infinite;
}

typedef struct listing { /* a choice of rows */
  const study *s;
  const rivals *v;
  const size_t *index; /* row indices; NULL: all */
} listing;

static void fill_listed(cell *row, const void *closure, size_t j)
{
  const listing *l = closure;

  fill_row(row, l->s, l->v, l->index ? l->index[j] : j);
}

static int print_rows(output *out, const listing *l, size_t n, format f,
                      const claim *c, failure *why)
{
  rows *r =
      rows_made("gpuscale.validate/1", columns, COLUMNS, n, fill_listed, l);

  rows_answer(r, c);
  return rows_end(EXIT_OK, r, f, out, why);
}

static bool several_files(const study *s)
{
  bool several = false;

  for (size_t i = 1; i < s->n; i++)
    several = several || s->runs[i].path != s->runs[0].path;
  return several;
}

/* Lists the rows by session. *index is NULL if memory is exhausted. */
static void list_sessions(const study *s, size_t **index)
{
  const size_t all = study_rows(s);
  size_t *first = malloc(all * sizeof *first), *next = NULL, n = 0;
  size_t *begins =
      malloc(s->n * sizeof *begins); /* first place of each session */

  for (size_t i = 0; begins && i < s->n; i++) begins[i] = NO_ROW;
  for (size_t i = 0; first && begins && i < all; i++) {
    size_t *at = &begins[s->trials[study_row(s, i).of].session];

    if (*at == NO_ROW) *at = i;
    first[i] = *at;
  }
  if (first && begins) next = chain_rows(all, first);
  *index = next ? malloc(all * sizeof **index) : NULL;
  for (size_t i = 0; *index && i < all; i++)
    for (size_t j = i; first[i] == i && j != NO_ROW; j = next[j])
      (*index)[n++] = j;
  free(first);
  free(begins);
  free(next);
}

static size_t session_at(const study *s, const size_t *index, size_t k)
{
  return k < study_rows(s) ? s->trials[study_row(s, index[k]).of].session
                           : s->n;
}

static int print_session(output *out, const listing *l, size_t n, bool files,
                         failure *why)
{
  const run *r = &l->s->runs[study_row(l->s, l->index[0]).of];
  char title[160];
  int st;

  run_title(r, title, sizeof title);
  fprintf(out->f, "%s%s%s\n", title, files ? ", " : "", files ? r->path : "");
  st = print_rows(out, l, n, FORMAT_TABLE, NULL, why);
  putc('\n', out->f);
  return st;
}

/* Prints a table for each program of each file. */
static int print_programs(output *out, const study *s, failure *why)
{
  const bool files = several_files(s);
  size_t *index, n;
  int st = EXIT_OK;

  list_sessions(s, &index);
  if (!index) return no_memory(why);
  for (size_t k = 0; st == EXIT_OK && k < study_rows(s); k += n) {
    const listing one = {s, NULL, index + k};

    n = 1;
    while (session_at(s, index, k + n) == session_at(s, index, k)) n++;
    st = print_session(out, &one, n, files, why);
  }
  free(index);
  return st;
}

/* ---- groups ------------------------------------------------------------- */

enum {
  GROUP,
  SHOWN_GROUP, /* name of the group, on the first line only */
  NAME,
  LINE_ROWS,
  MEAN,
  MEDIAN,
  P90,
  WORST,
  BIAS,
  OF_COMPUTE,
  OF_TRANSFER,
  COVERED,
  COVERED95,
  WIDTH,
  CELLS,
  BEST_RIGHT,
  KNEES,
  KNEES_RIGHT,
  LINE_COLUMNS
};

static const column line_columns[LINE_COLUMNS] = {
    [GROUP] = TEXT("group", NULL),
    [SHOWN_GROUP] = TEXT(NULL, "by"),
    [NAME] = TEXT("name", "errors"),
    [LINE_ROWS] = INTEGER("rows", "rows"),
    [MEAN] = PERCENT("mean_abs_error", "mean"),
    [MEDIAN] = PERCENT("median_abs_error", "median"),
    [P90] = PERCENT("p90_abs_error", "90%"),
    [WORST] = PERCENT("worst_error", "worst"),
    [BIAS] = PERCENT("bias", "bias"),
    [OF_COMPUTE] = PERCENT("compute_abs_error", "compute"),
    [OF_TRANSFER] = PERCENT("transfer_abs_error", "transfer"),
    [COVERED] = PERCENT("covered", NULL),
    [COVERED95] = PERCENT("covered95", NULL),
    [WIDTH] = PERCENT("width", NULL),
    [CELLS] = INTEGER("clear_cells", NULL),
    [BEST_RIGHT] = INTEGER("best_right", NULL),
    [KNEES] = INTEGER("knees", NULL),
    [KNEES_RIGHT] = INTEGER("knees_right", NULL),
};

static void fill_score(cell *c, const gscale_score *s)
{
  c[LINE_ROWS].number = (double)s->n;
  c[MEAN].number = s->mean_abs;
  c[MEDIAN].number = s->median_abs;
  c[P90].number = s->p90_abs;
  c[WORST].number = s->worst;
  c[BIAS].number = s->bias;
}

static void fill_line(cell *c, const score_line *l, bool first)
{
  set_text(&c[GROUP], l->group);
  set_text(&c[SHOWN_GROUP],
           first && strcmp(l->group, "all") != 0 ? l->group : "");
  set_text(&c[NAME], l->name);
  fill_score(c, &l->s);
  c[OF_COMPUTE].number = l->compute;
  c[OF_TRANSFER].number = l->transfer;
  c[COVERED].number = l->s.covered;
  c[COVERED95].number = l->s.covered95;
  c[WIDTH].number = l->s.width;
  c[CELLS].number = (double)l->clear;
  c[BEST_RIGHT].number = (double)l->right;
  c[KNEES].number = (double)l->curves;
  c[KNEES_RIGHT].number = (double)l->knees;
}

/* Returns whether a line is worth printing for people. */
static bool says_more(const summary *m, const study *s, size_t i, bool brief)
{
  size_t same = 0;

  if (brief && strcmp(m->line[i].group, "size") == 0) return false;
  if (strcmp(m->line[i].group, "file") == 0) return several_files(s);
  for (size_t k = 0; k < m->lines; k++)
    same += strcmp(m->line[k].group, m->line[i].group) == 0;
  return same > 1 || strcmp(m->line[i].group, "all") == 0 ||
         strcmp(m->line[i].group, "single") == 0;
}

static void add_lines(rows *r, const study *s, const summary *m, bool people,
                      bool brief)
{
  const char *group = "";

  for (size_t i = 0; i < m->lines; i++) {
    if (people && !says_more(m, s, i, brief)) continue;
    fill_line(rows_add(r), &m->line[i], strcmp(group, m->line[i].group) != 0);
    group = m->line[i].group;
  }
}

static void add_baseline(rows *r, const char *name, const gscale_score *s)
{
  cell *c = rows_add(r);

  set_text(&c[GROUP], "baseline");
  set_text(&c[NAME], name);
  fill_score(c, s);
}

/* Adds the score of a law, and the model's score on the same rows. */
static int add_rival(rows *r, const study *s, const rivals *v, size_t rival,
                     failure *why)
{
  gscale_score theirs, ours;
  char name[64];
  int st = rivals_score(s, v, rival, &theirs, &ours, why);

  if (st != EXIT_OK || theirs.n == 0) return st;
  snprintf(name, sizeof name, "ours on rows of %s", rival_name(rival));
  add_baseline(r, rival_name(rival), &theirs);
  add_baseline(r, name, &ours);
  return EXIT_OK;
}

static int add_rivals(rows *r, const study *s, const rivals *v, failure *why)
{
  int st = EXIT_OK;

  for (size_t k = 0; st == EXIT_OK && v && k < RIVALS; k++)
    st = add_rival(r, s, v, k, why);
  return st;
}

static int print_lines(output *out, const study *s, const summary *m,
                       const rivals *v, format f, bool brief, const claim *c,
                       failure *why)
{
  const bool people = f == FORMAT_TABLE;
  column shown[LINE_COLUMNS];
  rows *r;

  memcpy(shown, line_columns, sizeof shown);
  r = rows_new("gpuscale.scores/1", shown, LINE_COLUMNS);
  if (brief) shown[OF_COMPUTE].heading = shown[OF_TRANSFER].heading = NULL;
  rows_answer(r, c);
  add_lines(r, s, m, people, brief);
  return rows_end(people ? EXIT_OK : add_rivals(r, s, v, why), r, f, out, why);
}

/* ---- intervals ---------------------------------------------------------- */

static const column interval_columns[] = {
    TEXT(NULL, "intervals"),     INTEGER(NULL, "rows"),
    PERCENT(NULL, "within +/-"), PERCENT(NULL, "within 95%"),
    PERCENT(NULL, "median +/-"),
};

static void add_interval(rows *r, const char *name, const gscale_score *s)
{
  cell *c = rows_add(r);

  set_text(&c[0], name);
  c[1].number = (double)s->n;
  c[2].number = s->covered;
  c[3].number = s->covered95;
  c[4].number = s->width;
}

/* Returns whether a line shows an interval. The brief form has intervals for
 * all runs together, and the long form also for paradigms and programs. */
static bool has_interval(const summary *m, const study *s, size_t i, bool brief)
{
  const char *group = m->line[i].group;

  return strcmp(group, "all") == 0 ||
         (!brief &&
          (strcmp(group, "paradigm") == 0 || strcmp(group, "program") == 0) &&
          says_more(m, s, i, false));
}

static int print_intervals(output *out, const study *s, const summary *m,
                           bool brief, failure *why)
{
  rows *r = rows_new("", interval_columns,
                     sizeof interval_columns / sizeof interval_columns[0]);
  int st = EXIT_OK;

  for (size_t i = 0; i < m->lines; i++)
    if (has_interval(m, s, i, brief))
      add_interval(r, m->line[i].name, &m->line[i].s);
  if (m->bare.n > 0 && m->bare.width < m->line[0].s.width)
    add_interval(r, "all, errors of parameters only", &m->bare);
  if (rows_count(r) > 0) {
    putc('\n', out->f);
    st = rows_write(r, FORMAT_TABLE, out, why);
  }
  rows_free(r);
  return st;
}

/* ---- laws --------------------------------------------------------------- */

static const column rival_columns[] = {
    TEXT(NULL, "law"),           INTEGER(NULL, "rows"),
    PERCENT(NULL, "mean"),       PERCENT(NULL, "median"),
    PERCENT(NULL, "90%"),        PERCENT(NULL, "worst"),
    PERCENT(NULL, "ours: mean"), PERCENT(NULL, "median"),
    PERCENT(NULL, "90%"),        PERCENT(NULL, "worst"),
};

static void fill_four(cell *c, const gscale_score *s)
{
  c[0].number = s->mean_abs;
  c[1].number = s->median_abs;
  c[2].number = s->p90_abs;
  c[3].number = s->worst;
}

static int add_duel(rows *r, const study *s, const rivals *v, size_t rival,
                    failure *why)
{
  gscale_score theirs, ours;
  const int st = rivals_score(s, v, rival, &theirs, &ours, why);
  cell *c;

  if (st != EXIT_OK || theirs.n == 0) return st;
  c = rows_add(r);
  set_text(&c[0], rival_name(rival));
  c[1].number = (double)theirs.n;
  fill_four(c + 2, &theirs);
  fill_four(c + 6, &ours);
  return EXIT_OK;
}

static void print_unfitted(FILE *f, const rivals *v)
{
  for (size_t k = 0; k < RIVALS; k++)
    if (v->unfitted[k] > 0)
      fprintf(f, "%zu row%s not fitted: %s\n", v->unfitted[k],
              v->unfitted[k] == 1 ? "" : "s", v->reason[k]);
}

static int print_rivals(output *out, const study *s, const rivals *v,
                        failure *why)
{
  rows *r = rows_new("", rival_columns,
                     sizeof rival_columns / sizeof rival_columns[0]);
  int st = EXIT_OK;

  for (size_t k = 0; st == EXIT_OK && k < RIVALS; k++)
    st = add_duel(r, s, v, k, why);
  fprintf(out->f, "\nlaws fitted to the runs on N =");
  for (size_t i = 0; i < v->fits; i++)
    fprintf(out->f, "%s %d", i ? "," : "", v->fit[i]);
  fprintf(out->f, ",\n  all scored on N > %d; ours without those runs\n",
          v->fit[v->fits - 1]);
  if (st == EXIT_OK && rows_count(r) > 0)
    st = rows_write(r, FORMAT_TABLE, out, why);
  if (st == EXIT_OK && rows_count(r) == 0)
    fprintf(out->f, "no row was fitted\n");
  print_unfitted(out->f, v);
  rows_free(r);
  return st;
}

/* States the errors, the coverage of a standard error, and right choices. */
static void claim_score(claim *c, const summary *m)
{
  const score_line *all = &m->line[0];
  const gscale_score *s = &all->s;

  claim_begin(c);
  if (m->lines == 0 || s->n == 0) {
    claim_say(c, "No run is left to score.");
    return;
  }
  c->value = s->mean_abs;
  c->low = s->median_abs;
  c->high = fabs(s->worst);
  c->probability = s->covered;
  claim_say(c,
            "Over %zu run%s the predictions are %.1f%% off in the mean (median "
            "%.1f%%, worst %+.1f%%); %.0f%% lie within one standard error",
            s->n, s->n == 1 ? "" : "s", 100.0 * s->mean_abs,
            100.0 * s->median_abs, 100.0 * s->worst, 100.0 * s->covered);
  if (all->clear > 0)
    claim_say(c, ", and the best paradigm is named right in %zu of %zu cases",
              all->right, all->clear);
  claim_say(c, ".");
}

/* ---- report ------------------------------------------------------------- */

/* Without --all, the output fits on a page. */
enum {
  RUNS_SHOWN = 30,
  WORST_SHOWN = 2
};

static int print_tables(output *out, const study *s, const summary *m,
                        const rivals *v, const options *o, failure *why)
{
  const bool shown = !o->summary && (o->all || study_rows(s) <= RUNS_SHOWN);
  const int worst = o->all || o->worst_given || o->worst < WORST_SHOWN
                        ? o->worst
                        : WORST_SHOWN;
  int st = shown ? print_programs(out, s, why) : EXIT_OK;

  if (!shown && !o->summary)
    fprintf(out->f, "%zu runs; --all lists them\n\n", study_rows(s));
  if (st == EXIT_OK)
    st = print_lines(out, s, m, v, FORMAT_TABLE, !o->all, NULL, why);
  if (st == EXIT_OK) st = print_intervals(out, s, m, !o->all, why);
  if (st != EXIT_OK) return st;
  print_choices(out->f, s, m);
  if (v) st = print_rivals(out, s, v, why);
  if (st == EXIT_OK) st = print_misses(out->f, s, worst, why);
  if (st == EXIT_OK && !o->all)
    fputs(
        "\n--all has sizes, parts, intervals of each paradigm, and more of the "
        "worst\n",
        out->f);
  return st;
}

int report_print(const study *s, const summary *m, const rivals *v,
                 const options *o, const char *head, failure *why)
{
  claim c;
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  claim_score(&c, m);
  if (!isnan(c.value)) claim_worst(&c, s);
  if (o->format == FORMAT_TABLE) {
    fputs(head ? head : "", out.f);
    claim_put(out.f, &c);
    putc('\n', out.f);
    st = print_tables(&out, s, m, v, o, why);
  } else if (o->summary) {
    st = print_lines(&out, s, m, v, o->format, false, &c, why);
  } else {
    st = print_rows(&out, &(listing){s, v, NULL}, study_rows(s), o->format, &c,
                    why);
  }
  return output_end(st, &out, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
