/* runs.c - measured program runs, read from CSV. */

#include "validate/runs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a file of runs. */
enum {
  WORKLOAD,
  PARADIGM,
  KNOBS,
  GPUS,
  TIME,
  SIGMA,
  COLUMNS
};

static const char *const names[COLUMNS] = {
    [WORKLOAD] = "workload", [PARADIGM] = "paradigm", [KNOBS] = "knobs",
    [GPUS] = "gpus",         [TIME] = "time_s",       [SIGMA] = "sigma_s"};

typedef struct source {
  const char *path;
  const gscale_table *table;
  size_t column[COLUMNS];
  int columns; /* GPUS + 1: a plan; COLUMNS: runs */
} source;

int runs_blame(const run *r, failure *why)
{
  char text[sizeof why->text];

  strcpy(text, why->text);
  return fail(why, why->status == EXIT_USAGE ? EXIT_DATA : why->status,
              "%.160s:%d: %.4000s", r->path, r->line, text);
}

static int fail_at(const run *r, int which, const char *what, failure *why)
{
  fail(why, EXIT_DATA, "%s: %.200s", names[which], what);
  return runs_blame(r, why);
}

/* ---- knobs -------------------------------------------------------------- */

/* Index of the knob if `name` is PARADIGM.KNOB, GSCALE_KNOB_END if it is not.
 */
static size_t find_knob(const char *name, size_t paradigm)
{
  const char *prefix = gscale_paradigm_at(paradigm)->name;
  const size_t length = strlen(prefix);
  size_t k = 0;

  if (strncmp(name, prefix, length) != 0 || name[length] != '.')
    return GSCALE_KNOB_END;
  while (k < GSCALE_KNOB_END &&
         strcmp(name + length + 1, gscale_knob_name((gscale_knob)k)) != 0)
    k++;
  return k;
}

/* One "name=value".  A paradigm's knob is a plain number in SI units. */
static int take_knob(run *r, const char *word, failure *why)
{
  char name[64];
  size_t k;
  gscale_diag diag;

  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  k = find_knob(name, r->paradigm);
  if (k == GSCALE_KNOB_END) {
    if (settings_add(&r->set, word, why) == EXIT_OK) return EXIT_OK;
    return runs_blame(r, why);
  }
  if (gscale_parse_quantity(word + strcspn(word, "=") + 1, GSCALE_COUNT,
                            &r->k.v[k], &diag) != GSCALE_OK ||
      !(r->k.v[k] > 0.0))
    return fail_at(r, KNOBS, word, why);
  return EXIT_OK;
}

static int take_knobs_of_run(run *r, const char *text, failure *why)
{
  char word[128];
  int st = EXIT_OK;

  r->k = gscale_knobs_best;
  if (strlen(text) >= sizeof r->knobs)
    return fail_at(r, KNOBS, "is too long", why);
  strcpy(r->knobs, text);
  for (const char *p = text; st == EXIT_OK && *p;) {
    const size_t length = strcspn(p, ";");

    if (length == 0 || length >= sizeof word || !memchr(p, '=', length))
      return fail_at(r, KNOBS, "not of the form name=value;name=value", why);
    memcpy(word, p, length);
    word[length] = '\0';
    st = take_knob(r, word, why);
    p += length + (p[length] == ';');
  }
  return st;
}

/* ---- rows --------------------------------------------------------------- */

static int take_numbers(const source *s, size_t row, run *r, failure *why)
{
  gscale_diag diag;
  double gpus = 0.0;
  gscale_status st =
      gscale_table_number(s->table, row, s->column[GPUS], &gpus, &diag);

  if (st == GSCALE_OK && s->columns == COLUMNS)
    st = gscale_table_number(s->table, row, s->column[TIME], &r->time, &diag);
  if (st == GSCALE_OK && s->columns == COLUMNS)
    st = gscale_table_number(s->table, row, s->column[SIGMA], &r->sigma, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  if (!(gpus >= 1.0) || gpus > GPUS_MAX || floor(gpus) < gpus)
    return fail_at(r, GPUS, "not a number of GPUs", why);
  r->gpus = (int)gpus;
  if (s->columns < COLUMNS) return EXIT_OK;
  if (!(r->time > 0.0)) return fail_at(r, TIME, "must be above 0", why);
  if (!(r->sigma >= 0.0)) return fail_at(r, SIGMA, "is below 0", why);
  return EXIT_OK;
}

static const char *text_at(const source *s, size_t row, int which)
{
  return gscale_table_text(s->table, row, s->column[which]);
}

static int take_row(const source *s, size_t row, run *r, failure *why)
{
  const char *workload = text_at(s, row, WORKLOAD);
  int st;

  memset(r, 0, sizeof *r);
  r->path = s->path;
  r->line = gscale_table_line(s->table, row);
  if (!*workload || strlen(workload) >= sizeof r->workload)
    return fail_at(r, WORKLOAD, "missing or too long", why);
  strcpy(r->workload, workload);
  if (find_paradigm(text_at(s, row, PARADIGM), &r->paradigm, why) != EXIT_OK)
    return runs_blame(r, why);
  st = take_knobs_of_run(r, text_at(s, row, KNOBS), why);
  return st == EXIT_OK ? take_numbers(s, row, r, why) : st;
}

static int take_columns(source *s, failure *why)
{
  gscale_diag diag;

  for (int c = 0; c < s->columns; c++) {
    const gscale_status found =
        gscale_table_column(s->table, names[c], &s->column[c], &diag);
    if (found != GSCALE_OK) return fail_gscale(why, found, &diag);
  }
  return EXIT_OK;
}

static int take_rows(source *s, run **out, size_t *n, failure *why)
{
  const size_t count = gscale_table_rows(s->table);
  run *runs;
  int st = take_columns(s, why);

  if (st != EXIT_OK) return st;
  if (count == 0) return fail(why, EXIT_DATA, "%.200s: no runs", s->path);
  runs = realloc(*out, (*n + count) * sizeof *runs);
  if (!runs) return fail(why, EXIT_INTERNAL, "no memory for the runs");
  *out = runs;
  for (size_t i = 0; st == EXIT_OK && i < count; i++)
    st = take_row(s, i, &runs[*n + i], why);
  if (st == EXIT_OK) *n += count;
  return st;
}

static int read_file(source *s, run **out, size_t *n, failure *why)
{
  gscale_table *t = NULL;
  gscale_diag diag;
  const gscale_status read = gscale_table_read(s->path, &t, &diag);
  int st;

  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  s->table = t;
  st = take_rows(s, out, n, why);
  gscale_table_free(t);
  return st;
}

int runs_read(const char *path, run **out, size_t *n, failure *why)
{
  source s = {.path = path, .columns = COLUMNS};

  return read_file(&s, out, n, why);
}

int runs_read_plan(const char *path, run **out, size_t *n, failure *why)
{
  source s = {.path = path, .columns = GPUS + 1};

  return read_file(&s, out, n, why);
}

/* ---- runs that belong together ------------------------------------------ */

static const char *value_of(const settings *s, const char *name)
{
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->v[i].name, name) == 0) return s->v[i].value;
  return NULL;
}

void run_title(const run *r, char *text, size_t size)
{
  size_t used = (size_t)snprintf(text, size, "%s", r->workload);

  for (size_t i = 0; i < r->set.n && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%c%s=%s", i ? ';' : ' ',
                             r->set.v[i].name, r->set.v[i].value);
}

bool runs_alike(const run *a, const run *b)
{
  if (strcmp(a->workload, b->workload) != 0 || a->set.n != b->set.n)
    return false;
  for (size_t i = 0; i < a->set.n; i++) {
    const char *other = value_of(&b->set, a->set.v[i].name);
    if (!other || !settings_same(other, a->set.v[i].value)) return false;
  }
  return true;
}

/* True if both are unset or the same. */
static bool same_knob(double a, double b)
{
  return isnan(a) ? isnan(b) : a >= b && a <= b;
}

bool runs_same_row(const run *a, const run *b)
{
  bool same = a->paradigm == b->paradigm && a->gpus == b->gpus;

  for (size_t k = 0; k < GSCALE_KNOB_END; k++)
    same = same && same_knob(a->k.v[k], b->k.v[k]);
  return same && runs_alike(a, b);
}

const run *runs_infinite(const run *runs, size_t n, const run *of, int gpus)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  const run *found = NULL;

  for (size_t i = 0; i < n; i++) {
    if (runs[i].paradigm != infinite || runs[i].gpus != gpus ||
        !runs_alike(&runs[i], of))
      continue;
    if (runs[i].path == of->path) return &runs[i];
    if (!found) found = &runs[i];
  }
  return found;
}

const run *runs_single(const run *runs, size_t n, const run *of)
{
  return runs_infinite(runs, n, of, 1);
}

int runs_give_single(const run *single, gscale_workload *w, failure *why)
{
  const gscale_param time = {single->time, single->sigma, GSCALE_MEASURED,
                             "the infinite run on one GPU"};
  gscale_diag diag;
  const gscale_status st = gscale_workload_set_single(w, time, &diag);

  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

bool runs_is_best(const run *runs, size_t n, size_t i)
{
  const run *r = &runs[i];

  for (size_t j = 0; j < n; j++) {
    const run *other = &runs[j];

    if (j == i || other->paradigm != r->paradigm || other->gpus != r->gpus ||
        other->path != r->path || !runs_alike(other, r))
      continue;
    if (other->time < r->time || (!(other->time > r->time) && j < i))
      return false;
  }
  return true;
}
