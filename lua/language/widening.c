/* widening.c - how much further the model is off where less is known:
 *
 *   name,value,err,from
 *
 * one row for each number of gscale_widening. */

#include "language/binding.h"
#include "language/language.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
  NAME,
  VALUE,
  ERR,
  FROM,
  COLUMNS
};

static const char *const columns[COLUMNS] = {"name", "value", "err", "from"};

static const struct {
  const char *name;
  size_t offset; /* of a gscale_param */
} numbers[] = {
    {"machine", offsetof(gscale_widening, machine)},
    {"link", offsetof(gscale_widening, link)},
    {"growth", offsetof(gscale_widening, growth)},
    {"nodes", offsetof(gscale_widening, nodes)},
    {"compute", offsetof(gscale_widening, compute)},
    {"tail", offsetof(gscale_widening, tail)},
    {"ways", offsetof(gscale_widening, ways)},
    {"numbers", offsetof(gscale_widening, numbers)},
    {"machines", offsetof(gscale_widening, machines)},
};
enum {
  NUMBERS = sizeof numbers / sizeof *numbers
};
static const char gpus[] = "measured"; /* the last, a number of GPUs */

static gscale_param *number_at(gscale_widening *w, size_t i)
{
  return (gscale_param *)(void *)((char *)w + numbers[i].offset);
}

/* NUMBERS for the GPUs, one more for a name that there is not. */
static size_t find_number(const char *name)
{
  size_t i = 0;

  while (i < NUMBERS && strcmp(numbers[i].name, name) != 0) i++;
  return i < NUMBERS ? i : NUMBERS + (strcmp(name, gpus) != 0);
}

static int take_row(const gscale_table *t, size_t row, const size_t at[],
                    gscale_widening *w, bool *there, const char *path,
                    failure *why)
{
  const char *name = gscale_table_text(t, row, at[NAME]);
  const size_t i = find_number(name);
  gscale_param p = {.origin = GSCALE_MEASURED};
  gscale_diag diag;

  if (i > NUMBERS)
    return fail(why, EXIT_DATA, "%s:%d: name: no number '%.60s'", path,
                gscale_table_line(t, row), name);
  if (there[i])
    return fail(why, EXIT_DATA, "%s:%d: name: %s is there twice", path,
                gscale_table_line(t, row), name);
  there[i] = true;
  if (gscale_table_number(t, row, at[VALUE], &p.val, &diag) != GSCALE_OK ||
      gscale_table_number(t, row, at[ERR], &p.err, &diag) != GSCALE_OK)
    return fail(why, EXIT_DATA, "%s", diag.text);
  snprintf(p.source, sizeof p.source, "%s",
           gscale_table_text(t, row, at[FROM]));
  if (i < NUMBERS)
    *number_at(w, i) = p;
  else
    w->measured = p.val >= 1.0 && p.val <= 1e6 ? (int)p.val : 0;
  return EXIT_OK;
}

static int take_rows(const gscale_table *t, gscale_system *s, const char *path,
                     failure *why)
{
  gscale_widening w = gscale_widening_none;
  bool there[NUMBERS + 1] = {false};
  size_t at[COLUMNS];
  gscale_diag diag;

  for (size_t c = 0; c < COLUMNS; c++)
    if (gscale_table_column(t, columns[c], &at[c], &diag) != GSCALE_OK)
      return fail(why, EXIT_DATA, "%s", diag.text);
  for (size_t i = 0; i < gscale_table_rows(t); i++)
    if (take_row(t, i, at, &w, there, path, why) != EXIT_OK) return why->status;
  for (size_t i = 0; i <= NUMBERS; i++)
    if (!there[i])
      return fail(why, EXIT_DATA, "%s: name: no row for %s", path,
                  i < NUMBERS ? numbers[i].name : gpus);
  if (gscale_system_set_widening(s, &w, &diag) == GSCALE_OK) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s: %s", path, diag.text);
}

int read_widening(const char *path, gscale_system *s, failure *why)
{
  gscale_table *t = NULL;
  gscale_diag diag;
  const gscale_status read = gscale_table_read(path, &t, &diag);

  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  const int st = take_rows(t, s, path, why);
  gscale_table_free(t);
  return st;
}

int read_shared_errors(gscale_system *s, failure *why)
{
  char path[sizeof((about *)0)->path];
  int st = find_shared("data/model-error.csv", path, sizeof path, why);

  if (st == EXIT_OK) st = read_widening(path, s, why);
  if (st != EXIT_OK || gscale_system_discrepancy(s, 0)) return st;
  gscale_system_borrow_discrepancies(s);
  st = find_shared("data/discrepancy.csv", path, sizeof path, why);
  return st == EXIT_OK ? read_discrepancies(s, path, why) : st;
}

/* Six digits, as in descriptions. */
static void put_row(FILE *f, const char *name, const gscale_param *p)
{
  char value[64], err[64];

  gscale_format_digits(p->val, GSCALE_COUNT, 6, value, sizeof value);
  gscale_format_digits(p->err, GSCALE_COUNT, 6, err, sizeof err);
  fprintf(f, "%s,%s,%s,\"%s\"\n", name, value, err, p->source);
}

void put_widening(FILE *f, const gscale_widening *w)
{
  gscale_widening copy = *w;
  const gscale_param known = {w->measured, 0.0, GSCALE_DERIVED,
                              "the fewest of the measured machines",
                              GSCALE_BY_ORIGIN};

  for (size_t c = 0; c < COLUMNS; c++)
    fprintf(f, "%s%s", c ? "," : "", columns[c]);
  putc('\n', f);
  for (size_t i = 0; i < NUMBERS; i++)
    put_row(f, numbers[i].name, number_at(&copy, i));
  put_row(f, gpus, &known);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
