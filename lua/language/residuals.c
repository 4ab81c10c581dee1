/* residuals.c - reads and writes the model's residuals as a table with the
 * columns name, value, err and from.
 *
 * Each number of gscale_residuals has a row. The row "host" is a part of the
 * time. The row "moved by rdl" is a factor of a paradigm and is 1 by default.
 * The row "transfer over gpus" is the repeating share. params/strangers.csv has
 * a row for each source of runs by others. */

#include "language/binding.h"
#include "language/language.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  NAME,
  VALUE,
  COLUMNS
};

static const char *const columns[COLUMNS] = {"name", "value"};

/* ---- entries ------------------------------------------------------------- */

typedef struct entry {
  char name[2 * GSCALE_NAME_MAX];
  double *at;  /* NULL after the last entry */
  bool factor; /* stored as a logarithm; the row is optional */
} entry;

enum {
  OWN = GSCALE_RESIDUAL_PARTS,
  TOGETHER = OWN + GSCALE_RESIDUAL_KINDS * GSCALE_RESIDUAL_AXES,
  WIDER = TOGETHER + 5
};

static entry part_at(gscale_residuals *r, size_t i)
{
  entry e = {.at = &r->part[i]};

  snprintf(e.name, sizeof e.name, "%s",
           gscale_name(GSCALE_RESIDUAL_PART_NAMES, (gscale_residual_part)i));
  return e;
}

static entry together_at(gscale_residuals *r, size_t i)
{
  const size_t k = i / GSCALE_RESIDUAL_AXES, a = i % GSCALE_RESIDUAL_AXES;
  entry e = {.at = &r->together[k][a]};

  snprintf(e.name, sizeof e.name, "%s over %s",
           gscale_name(GSCALE_RESIDUAL_KIND_NAMES, (gscale_residual_kind)k),
           gscale_name(GSCALE_RESIDUAL_AXIS_NAMES, (gscale_residual_axis)a));
  return e;
}

static entry wider_at(gscale_residuals *r, size_t i)
{
  static const char *const names[] = {"machine", "growth", "nodes", "compute",
                                      "tail"};
  double *const all[] = {&r->machine, &r->growth, &r->nodes, &r->compute,
                         &r->tail};
  entry e = {.at = all[i]};

  snprintf(e.name, sizeof e.name, "%s", names[i]);
  return e;
}

static entry factor_at(gscale_residuals *r, size_t i)
{
  const size_t paradigms = gscale_paradigm_count();
  const size_t p = GSCALE_RESIDUAL_BESIDE + i / paradigms;
  entry e = {.factor = true};

  if (p >= GSCALE_RESIDUAL_PARTS) return e;
  e.at = &r->way[p][i % paradigms];
  snprintf(e.name, sizeof e.name, "%s by %s",
           gscale_name(GSCALE_RESIDUAL_PART_NAMES, (gscale_residual_part)p),
           gscale_paradigm_at(i % paradigms)->name);
  return e;
}

static entry entry_at(gscale_residuals *r, size_t i)
{
  if (i < OWN) return part_at(r, i);
  if (i < TOGETHER) return together_at(r, i - OWN);
  if (i < WIDER) return wider_at(r, i - TOGETHER);
  return factor_at(r, i - WIDER);
}

/* ---- reading ------------------------------------------------------------- */

static const char gpus[] = "measured"; /* the value is a number of GPUs */

/* Converts old names: "beside by memcpy" is now "contention by memcpy". */
static void row_name(const gscale_table *t, size_t row, size_t column,
                     entry *out)
{
  const char *text = gscale_table_text(t, row, column);
  const int n = (int)strcspn(text, " ");
  char was[sizeof out->name];

  snprintf(was, sizeof was, "residual.%.*s", n, text);
  snprintf(out->name, sizeof out->name, "%s%s",
           strchr(gscale_name_now(was), '.') + 1, text + n);
}

/* Returns the index of a name's row, or the number of rows if it is missing. */
static size_t find_row(const gscale_table *t, size_t column, const char *name)
{
  entry e;
  size_t i = 0;

  for (; i < gscale_table_rows(t); i++) {
    row_name(t, i, column, &e);
    if (strcmp(e.name, name) == 0) break;
  }
  return i;
}

static int take_number(const gscale_table *t, const size_t at[], const entry *e,
                       const char *path, failure *why)
{
  const size_t row = find_row(t, at[NAME], e->name);
  gscale_diag diag;
  double v;

  if (row == gscale_table_rows(t) && e->factor) return EXIT_OK;
  if (row == gscale_table_rows(t))
    return fail(why, EXIT_DATA, "%s: name: no row for '%s'", path, e->name);
  if (gscale_table_number(t, row, at[VALUE], &v, &diag) != GSCALE_OK)
    return fail(why, EXIT_DATA, "%s", diag.text);
  if (e->factor && !(v > 0.0))
    return fail(why, EXIT_DATA, "%s:%d: value: %g is no factor", path,
                gscale_table_line(t, row), v);
  *e->at = e->factor ? log(v) : v;
  return EXIT_OK;
}

static bool is_known(const char *name)
{
  gscale_residuals r;
  entry e;

  for (size_t i = 0; (e = entry_at(&r, i)).at; i++)
    if (strcmp(e.name, name) == 0) return true;
  return strcmp(name, gpus) == 0;
}

/* Refuses unknown and duplicate row names. */
static int check_names(const gscale_table *t, size_t column, const char *path,
                       failure *why)
{
  for (size_t i = 0; i < gscale_table_rows(t); i++) {
    entry e;

    row_name(t, i, column, &e);
    if (!is_known(e.name))
      return fail(why, EXIT_DATA, "%s:%d: name: no number '%.60s'", path,
                  gscale_table_line(t, i), e.name);
    if (find_row(t, column, e.name) < i)
      return fail(why, EXIT_DATA, "%s:%d: name: %s is there twice", path,
                  gscale_table_line(t, i), e.name);
  }
  return EXIT_OK;
}

typedef int take(const gscale_table *t, gscale_system *s, const char *path,
                 failure *why);

static int take_rows(const gscale_table *t, gscale_system *s, const char *path,
                     failure *why)
{
  gscale_residuals r = gscale_residuals_none;
  double measured = 0.0;
  entry e = {.at = &measured};
  size_t at[COLUMNS];
  gscale_diag diag;

  for (size_t c = 0; c < COLUMNS; c++)
    if (gscale_table_column(t, columns[c], &at[c], &diag) != GSCALE_OK)
      return fail(why, EXIT_DATA, "%s", diag.text);
  int st = check_names(t, at[NAME], path, why);
  snprintf(e.name, sizeof e.name, "%s", gpus);
  if (st == EXIT_OK) st = take_number(t, at, &e, path, why);
  r.measured = measured >= 1.0 && measured <= 1e6 ? (int)measured : 0;
  for (size_t i = 0; st == EXIT_OK && (e = entry_at(&r, i)).at; i++)
    st = take_number(t, at, &e, path, why);
  if (st != EXIT_OK) return st;
  if (gscale_system_set_residuals(s, &r, &diag) == GSCALE_OK) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s: %s", path, diag.text);
}

static int read_table(const char *path, gscale_system *s, take *rows,
                      failure *why)
{
  gscale_table *t = NULL;
  gscale_diag diag;
  const gscale_status read = gscale_table_read(path, &t, &diag);

  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  const int st = rows(t, s, path, why);
  gscale_table_free(t);
  return st;
}

/* Sets the term of one source more, by n sources: 68 % of a Student's t with n
 * degrees lie within 1 + 0.6 / n (to 2 % from two on) of its scale. */
static int take_strangers(const gscale_table *t, gscale_system *s,
                          const char *path, failure *why)
{
  gscale_residuals r = *gscale_system_about(s).residuals;
  const size_t n = gscale_table_rows(t);
  gscale_status st;
  gscale_diag diag;
  size_t at;
  double v, sum = 0.0;

  st = gscale_table_column(t, "program", &at, &diag);
  for (size_t i = 0; st == GSCALE_OK && i < n; i++) {
    st = gscale_table_number(t, i, at, &v, &diag);
    if (st == GSCALE_OK) sum += v * v;
  }
  r.program = n > 0 ? (1.0 + 0.6 / (double)n) * sqrt(sum / (double)n) : 0.0;
  if (st == GSCALE_OK) st = gscale_system_set_residuals(s, &r, &diag);
  (void)path;
  return check_gscale(why, st, &diag);
}

int read_shared_residuals(gscale_system *s, failure *why)
{
  char path[sizeof((about *)0)->path];
  int st = find_shared("data/residuals.csv", path, sizeof path, why);

  if (st == EXIT_OK) st = read_table(path, s, take_rows, why);
  if (st == EXIT_OK)
    st = find_shared("params/strangers.csv", path, sizeof path, why);
  return st == EXIT_OK ? read_table(path, s, take_strangers, why) : st;
}

/* ---- writing ------------------------------------------------------------- */

/* Prints six digits, as descriptions do. */
static void put_number(FILE *f, double v)
{
  char text[64];

  gscale_format_digits(v, GSCALE_COUNT, 6, text, sizeof text);
  fprintf(f, ",%s", text);
}

/* Omits factors of 1. */
void put_residuals(FILE *f, const gscale_residuals *r,
                   const gscale_residuals *err, const char *from)
{
  gscale_residuals value = *r, off = *err;
  entry e;

  fprintf(f, "name,value,err,from\n");
  for (size_t i = 0; (e = entry_at(&value, i)).at; i++) {
    const double sigma = *entry_at(&off, i).at;

    if (e.factor && fabs(*e.at) < 1e-3) continue; /* tolerance of the fit */
    fprintf(f, "%s", e.name);
    put_number(f, e.factor ? exp(*e.at) : *e.at);
    put_number(f, e.factor ? exp(*e.at) * sigma : sigma);
    fprintf(f, ",\"%s\"\n", from);
  }
  fprintf(f, "%s,%d,0,\"the fewest of the measured machines\"\n", gpus,
          r->measured);
}
