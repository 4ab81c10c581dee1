/* frozen.c - writes predictions before runs exist and compares them later. */

#include "validate/study.h"

#include "common/lines.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SYSTEM,
  WORKLOAD,
  PARADIGM,
  KNOBS,
  GPUS,
  TIME,
  TIME_ERR,
  PARAMETERS_ERR,
  INFINITE,
  PARTS,
  BOUND = PARTS + GSCALE_PART_END,
  APPLICABILITY,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [SYSTEM] = TEXT("system", NULL),
    [WORKLOAD] = TEXT("workload", NULL),
    [PARADIGM] = TEXT("paradigm", NULL),
    [KNOBS] = TEXT("knobs", NULL),
    [GPUS] = INTEGER("gpus", NULL),
    [TIME] = SECONDS("time"),
    [TIME_ERR] = SECONDS("time_err"),
    [PARAMETERS_ERR] = SECONDS("parameters_err"),
    [INFINITE] = SECONDS("infinite"),
    PART_TIMES(PARTS),
    [BOUND] = TEXT("bound", NULL),
    [APPLICABILITY] = TEXT("applicability", NULL),
};

/* ---- writing ------------------------------------------------------------ */

static void fill_row(cell *c, const void *closure, size_t i)
{
  const study *s = closure;
  const run *r = &s->runs[i];
  const trial *t = &s->trials[i];

  set_text(&c[SYSTEM], gscale_system_about(s->system).name);
  set_text(&c[WORKLOAD], r->workload);
  set_text(&c[PARADIGM], gscale_paradigm_at(r->paradigm)->name);
  set_text(&c[KNOBS], r->knobs);
  c[GPUS].number = r->gpus;
  c[TIME].number = t->time;
  c[TIME_ERR].number = t->err;
  c[PARAMETERS_ERR].number = t->of_parameters;
  c[INFINITE].number = t->infinite;
  for (size_t k = 0; k < GSCALE_PART_END; k++) c[PARTS + k].number = t->part[k];
  set_text(&c[BOUND], gscale_name(GSCALE_MECHANISM_NAMES, t->bound));
  set_text(&c[APPLICABILITY],
           gscale_name(GSCALE_APPLICABILITY_NAMES, t->applicability));
}

static void put_head(FILE *f, const options *o)
{
  fprintf(f,
          "# gpuscale predictions 1\n"
          "# commit: %s\n"
          "# system: %s\n"
          "# plan: %s\n"
          "# single-GPU times: %s\n",
          o->commit, o->system, o->argument[0],
          o->runs ? o->runs : "none, from rooflines");
}

int frozen_write(const study *s, const options *o, failure *why)
{
  rows *r = rows_made("", columns, COLUMNS, s->n, fill_row, s);
  output out;
  int st = output_open(&out, o->output, why);

  if (st == EXIT_OK) put_head(out.f, o);
  st = rows_end(st, r, FORMAT_CSV, &out, why);
  return output_end(st, &out, why);
}

/* ---- reading ------------------------------------------------------------ */

typedef struct frozen {
  gscale_table *table;
  size_t column[COLUMNS];
  run *rows; /* planned runs */
  trial *trials;
  bool *met; /* whether each planned run was measured */
  size_t n;
} frozen;

static int take_words(const frozen *z, size_t row, trial *t, failure *why)
{
  const char *bound = gscale_table_text(z->table, row, z->column[BOUND]);
  const char *range =
      gscale_table_text(z->table, row, z->column[APPLICABILITY]);

  t->bound = 0;
  while (t->bound < GSCALE_MECHANISM_END &&
         strcmp(gscale_name(GSCALE_MECHANISM_NAMES, t->bound), bound) != 0)
    t->bound++;
  t->applicability = 0;
  while (t->applicability < GSCALE_APPLICABILITY_END &&
         strcmp(gscale_name(GSCALE_APPLICABILITY_NAMES, t->applicability),
                range) != 0)
    t->applicability++;
  if (t->bound < GSCALE_MECHANISM_END &&
      t->applicability < GSCALE_APPLICABILITY_END)
    return EXIT_OK;
  fail(why, EXIT_DATA, "bound '%.40s', applicability '%.40s': no such word",
       bound, range);
  return runs_blame(&z->rows[row], why);
}

static int take_row(const frozen *z, size_t row, trial *t, failure *why)
{
  double v[COLUMNS] = {0.0};
  gscale_diag diag;
  gscale_status st = GSCALE_OK;

  for (size_t c = TIME; st == GSCALE_OK && c < BOUND; c++)
    st = gscale_table_number(z->table, row, z->column[c], &v[c], &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  *t = (trial){.time = v[TIME],
               .infinite = v[INFINITE],
               .err = v[TIME_ERR],
               .of_parameters = v[PARAMETERS_ERR]};
  memcpy(t->part, v + PARTS, sizeof t->part);
  if (!(t->time > 0.0) || !(t->err >= 0.0) || !(t->of_parameters >= 0.0)) {
    fail(why, EXIT_DATA, "time_s %g +/- %g (%g) s", t->time, t->err,
         t->of_parameters);
    return runs_blame(&z->rows[row], why);
  }
  return take_words(z, row, t, why);
}

static int take_table(frozen *z, const char *path, failure *why)
{
  gscale_diag diag;
  gscale_status st = gscale_table_read(path, &z->table, &diag);

  for (size_t c = TIME; st == GSCALE_OK && c < COLUMNS; c++)
    st = gscale_table_column(z->table, columns[c].name, &z->column[c], &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  z->trials = calloc(z->n, sizeof *z->trials);
  z->met = calloc(z->n, sizeof *z->met);
  if (!z->trials || !z->met) return no_memory(why);
  for (size_t i = 0; i < z->n; i++)
    if (take_row(z, i, &z->trials[i], why) != EXIT_OK) return why->status;
  return EXIT_OK;
}

/* Returns the index of a run's prediction, or z->n if there is none. */
static size_t find(const frozen *z, const run *r)
{
  size_t i = 0;

  while (i < z->n && !runs_same_row(&z->rows[i], r)) i++;
  return i;
}

/* The trial of a run on one GPU without a frozen prediction. */
static const trial unknown = {.role = ROLE_INPUT,
                              .time = NAN,
                              .infinite = NAN,
                              .err = NAN,
                              .of_parameters = NAN};

static int match(study *s, frozen *z, failure *why)
{
  bool any = false;

  free(s->trials);
  s->trials = calloc(s->n, sizeof *s->trials);
  if (!s->trials) return no_memory(why);
  for (size_t i = 0; i < s->n; i++) {
    const run *r = &s->runs[i];
    const size_t found = find(z, r);

    if (found == z->n && r->gpus > 1) {
      fail(why, EXIT_DATA, "no prediction was frozen for this run");
      return runs_blame(r, why);
    }
    s->trials[i] = found < z->n ? z->trials[found] : unknown;
    if (found == z->n) continue;
    any = z->met[found] = true;
    s->trials[i].role = r->gpus > 1 ? ROLE_SCORED : ROLE_SINGLE;
  }
  return any ? EXIT_OK
             : fail(why, EXIT_DATA, "no run that a prediction was frozen for");
}

/* Notes predictions without a run, because such gaps could hide a miss. */
static void note_missing(const study *s, const frozen *z, const char *path)
{
  size_t missing = 0, first = z->n;

  for (size_t i = z->n; i-- > 0;)
    if (!z->met[i] && study_wants(s, &z->rows[i])) {
      missing++;
      first = i;
    }
  if (missing > 0)
    print_note("%zu of %zu frozen predictions have no run; the "
               "first is %s:%d",
               missing, z->n, path, z->rows[first].line);
}

/* Copies the lines "# key: value" of the file's head without "# ". */
static int take_head(lines *l, draft *head, failure *why)
{
  int st;

  while ((st = lines_next(l, why)) == EXIT_OK && l->size > 0 && *l->at == '#')
    if (strchr(l->at, ':')) fputs(l->at + strspn(l->at, "# "), head->f);
  fprintf(head->f, "predictions: frozen in %s\n\n", l->name);
  return st;
}

static int read_head(const char *path, draft *head, failure *why)
{
  FILE *in = fopen(path, "r");
  lines l = {.f = in, .name = path};
  int st = EXIT_OK;

  if (!in && errno != ENOMEM)
    return fail(why, EXIT_IO, "%.200s: cannot read its head", path);
  const bool room = in && draft_open(head);
  if (room) st = take_head(&l, head, why);
  lines_free(&l);
  if (in) fclose(in);
  if (st != EXIT_OK) return st;
  if (room && draft_end(head)) return EXIT_OK;
  return fail(why, EXIT_INTERNAL, "no memory for the head of %.200s", path);
}

int frozen_read(study *s, const char *path, draft *head, failure *why)
{
  frozen z = {0};
  int st = runs_read_plan(path, &z.rows, &z.n, &s->names, why);

  if (st == EXIT_OK) st = take_table(&z, path, why);
  if (st == EXIT_OK) st = match(s, &z, why);
  if (st == EXIT_OK) st = read_head(path, head, why);
  if (st == EXIT_OK) note_missing(s, &z, path);
  gscale_table_free(z.table);
  free(z.rows);
  free(z.trials);
  free(z.met);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
