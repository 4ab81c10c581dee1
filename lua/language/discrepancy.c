/* discrepancy.c - tables of how far the model was off on runs of whole
 * programs:
 *
 *   workload,paradigm,rows,sigma,sigma_err,files
 *
 * and, in a table of several machines, `machine` behind them.
 * A description names its table and does not read it: it is looked for beside
 * the description, then as data/NAME/discrepancy.csv on the search path. */

#include "language/binding.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum {
  WORKLOAD,
  PARADIGM,
  ROWS,
  SIGMA,
  SIGMA_ERR,
  FILES,
  COLUMNS,
  MACHINE = COLUMNS /* may be missing */
};

static const char *const columns[COLUMNS] = {"workload", "paradigm",  "rows",
                                             "sigma",    "sigma_err", "files"};

/* ---- where they are ----------------------------------------------------- */

bool discrepancy_path(const char *description, const char *name, char *path,
                      size_t size)
{
  const char *slash = strrchr(description, '/');
  const int dir = slash ? (int)(slash + 1 - description) : 0;
  const int n =
      snprintf(path, size, "%.*s%s-discrepancy.csv", dir, description, name);

  return n >= 0 && (size_t)n < size;
}

int find_discrepancies(const char *description, const char *name, char *path,
                       size_t size, bool *shared, failure *why)
{
  char relative[64 + GSCALE_NAME_MAX];

  *shared = false;
  if (discrepancy_path(description, name, path, size) &&
      access(path, F_OK) == 0)
    return EXIT_OK;
  *shared = true;
  snprintf(relative, sizeof relative, "data/%s/discrepancy.csv", name);
  if (find_shared(relative, path, size, why) == EXIT_OK) return EXIT_OK;
  return fail(why, EXIT_DATA,
              "discrepancies: no %s-discrepancy.csv beside it, no %s on the "
              "search path",
              name, relative);
}

/* ---- reading ------------------------------------------------------------ */

/* A column's text, if it fits. */
static bool take_text(const gscale_table *t, size_t row, size_t column,
                      char *to, size_t size)
{
  const char *text = gscale_table_text(t, row, column);

  if (!*text || strlen(text) >= size) return false;
  memcpy(to, text, strlen(text) + 1);
  return true;
}

static gscale_status take_numbers(const gscale_table *t, size_t row,
                                  const size_t at[], gscale_discrepancy *d,
                                  double *rows, gscale_diag *diag)
{
  gscale_status st = gscale_table_number(t, row, at[ROWS], rows, diag);

  if (st == GSCALE_OK)
    st = gscale_table_number(t, row, at[SIGMA], &d->sigma.val, diag);
  if (st == GSCALE_OK)
    st = gscale_table_number(t, row, at[SIGMA_ERR], &d->sigma.err, diag);
  return st;
}

static int take_row(gscale_system *s, const gscale_table *t, size_t row,
                    const size_t at[], const char *path, failure *why)
{
  gscale_discrepancy d = {.sigma.origin = GSCALE_MEASURED};
  const char *paradigm = gscale_table_text(t, row, at[PARADIGM]);
  const int line = gscale_table_line(t, row);
  gscale_diag diag;
  gscale_knobs k;
  double rows = 0.0;

  if (take_numbers(t, row, at, &d, &rows, &diag) != GSCALE_OK)
    return fail(why, EXIT_DATA, "%s", diag.text);
  if (!take_text(t, row, at[WORKLOAD], d.workload, sizeof d.workload))
    return fail(why, EXIT_DATA, "%s:%d: workload: 1 to %zu bytes", path, line,
                sizeof d.workload - 1);
  if (at[MACHINE] != SIZE_MAX &&
      !take_text(t, row, at[MACHINE], d.machine, sizeof d.machine))
    return fail(why, EXIT_DATA, "%s:%d: machine: 1 to %zu bytes", path, line,
                sizeof d.machine - 1);
  if (!take_text(t, row, at[FILES], d.sigma.source, sizeof d.sigma.source))
    return fail(why, EXIT_DATA, "%s:%d: files: 1 to %zu bytes", path, line,
                sizeof d.sigma.source - 1);
  if (!gscale_pair_find(paradigm, &d.paradigm, &k))
    return fail(why, EXIT_DATA, "%s:%d: paradigm: no paradigm '%.60s'", path,
                line, paradigm);
  if (!(rows >= 1.0) || rows > 1e9 || rows > floor(rows))
    return fail(why, EXIT_DATA, "%s:%d: rows: %g is no number of runs", path,
                line, rows);
  if (!(d.sigma.err >= 0.0))
    return fail(why, EXIT_DATA, "%s:%d: sigma_err: %g is negative", path, line,
                d.sigma.err);
  d.between = k.between;
  d.rows = (size_t)rows;
  const gscale_status added = gscale_system_add_discrepancy(s, &d, &diag);
  if (added == GSCALE_OK) return EXIT_OK;
  return fail(why, exit_of(added), "%s:%d: %s", path, line, diag.text);
}

int read_discrepancies(gscale_system *s, const char *path, failure *why)
{
  gscale_table *t = NULL;
  gscale_diag diag;
  size_t at[COLUMNS + 1];
  gscale_status read = gscale_table_read(path, &t, &diag);

  for (size_t c = 0; read == GSCALE_OK && c < COLUMNS; c++)
    read = gscale_table_column(t, columns[c], &at[c], &diag);
  if (read == GSCALE_OK &&
      gscale_table_column(t, "machine", &at[MACHINE], &diag) != GSCALE_OK)
    at[MACHINE] = SIZE_MAX;
  int st = read == GSCALE_OK ? EXIT_OK : fail_gscale(why, read, &diag);
  for (size_t i = 0; st == EXIT_OK && i < gscale_table_rows(t); i++)
    st = take_row(s, t, i, at, path, why);
  gscale_table_free(t);
  return st;
}

/* ---- writing ------------------------------------------------------------ */

/* A number as the loader takes it, with the six digits of a description. */
static void put_six(FILE *f, double v)
{
  char text[64];

  gscale_format_digits(v, GSCALE_COUNT, 6, text, sizeof text);
  fprintf(f, ",%s", text);
}

void put_discrepancies(FILE *f, const gscale_system *s)
{
  const gscale_discrepancy *first = gscale_system_discrepancy(s, 0);
  const bool machines = first && *first->machine;

  for (size_t c = 0; c < COLUMNS; c++)
    fprintf(f, "%s%s", c ? "," : "", columns[c]);
  if (machines) fprintf(f, ",machine");
  for (size_t i = 0; gscale_system_discrepancy(s, i); i++) {
    const gscale_discrepancy *d = gscale_system_discrepancy(s, i);
    const gscale_knobs by = {.between = d->between};
    char pair[2 * GSCALE_NAME_MAX];

    gscale_pair_name(d->paradigm, &by, pair, sizeof pair);
    fprintf(f, "\n%s,%s,%zu", d->workload, pair, d->rows);
    put_six(f, d->sigma.val);
    put_six(f, d->sigma.err);
    fprintf(f, ",\"");
    for (const char *c = d->sigma.source; *c; c++) {
      if (*c == '"') putc('"', f);
      putc(*c, f);
    }
    putc('"', f);
    if (machines) fprintf(f, ",%s", d->machine);
  }
  putc('\n', f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
