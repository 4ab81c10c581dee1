/* projection_pairs.c - tests the projection rules on pairs of measured machines
 * from the search path and published machines. */

#include "calibrate/projection_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A measured number. */
typedef struct found {
  gscale_param_id id;
  const gscale_sheet *sheet;
  double rate; /* of the number's link */
  gscale_param p;
  char machine[GSCALE_NAME_MAX];
  char suite[GSCALE_NAME_MAX]; /* "any" if shipped */
} found;

typedef struct pairs {
  gscale_sheets *sheets;
  found *of;
  size_t n, room;
  rows *rows;
} pairs;

/* ---- numbers ------------------------------------------------------------ */

static int add_number(pairs *v, const found *f, failure *why)
{
  found *more = gscale_reserve(v->of, &v->room, v->n + 1, sizeof *more);

  if (!more) return no_memory(why);
  v->of = more;
  more[v->n++] = *f;
  return EXIT_OK;
}

/* Adds the measured numbers of a system. Skips GPUs without a data sheet,
 * clusters and files that cannot be loaded. */
static int add_system(const char *path, const char *name, void *closure,
                      failure *why)
{
  pairs *v = closure;
  gscale_system *s = NULL;
  failure ignored;
  int st = EXIT_OK;

  if (load_own(path, &s, &ignored) != EXIT_OK) {
    gscale_system_free(s);
    return ignored.status == EXIT_INTERNAL
               ? fail(why, EXIT_INTERNAL, "%s", ignored.text)
               : EXIT_OK;
  }
  found f = {.sheet = gscale_sheets_of(v->sheets, s), .suite = "any"};
  f.rate = gscale_system_get(s, gscale_param_find("link.rate"))->val;
  snprintf(f.machine, sizeof f.machine, "%s", name);
  for (f.id = 0; f.sheet && st == EXIT_OK && f.id < gscale_param_count();
       f.id++) {
    f.p = *gscale_system_get(s, f.id);
    if (f.p.origin == GSCALE_MEASURED && f.p.val > f.p.err)
      st = add_number(v, &f, why);
  }
  gscale_system_free(s);
  return st;
}

enum {
  MACHINE,
  DEVICE,
  SUITE,
  PARAMETER,
  VALUE,
  ERR,
  SAID,
  COLUMNS_READ
};

static int add_printed(pairs *v, const gscale_table *t, size_t row,
                       const size_t at[], failure *why)
{
  const char *device = gscale_table_text(t, row, at[DEVICE]);
  found f = {.p.origin = GSCALE_MEASURED};
  const gscale_link *link;
  gscale_diag diag;

  f.id = gscale_param_find(gscale_table_text(t, row, at[PARAMETER]));
  f.sheet = gscale_sheets_find(v->sheets, device);
  link = f.sheet ? gscale_link_find(f.sheet->link) : NULL;
  if (f.id == gscale_param_count() || !link)
    return fail(why, EXIT_DATA,
                "data/published/gpus.csv:%d: no such parameter, device or link",
                gscale_table_line(t, row));
  f.rate = link->rate;
  snprintf(f.machine, sizeof f.machine, "%.39s",
           gscale_table_text(t, row, at[MACHINE]));
  snprintf(f.suite, sizeof f.suite, "%.39s",
           gscale_table_text(t, row, at[SUITE]));
  snprintf(f.p.source, sizeof f.p.source, "%.90s",
           gscale_table_text(t, row, at[SAID]));
  if (gscale_table_number(t, row, at[VALUE], &f.p.val, &diag) != GSCALE_OK ||
      gscale_table_number(t, row, at[ERR], &f.p.err, &diag) != GSCALE_OK)
    return fail(why, EXIT_DATA, "%s", diag.text);
  return add_number(v, &f, why);
}

static int read_printed(pairs *v, failure *why)
{
  static const char *const names[COLUMNS_READ] = {
      "machine", "device", "suite", "parameter", "value", "err", "said"};
  char path[512];
  gscale_table *t = NULL;
  gscale_diag diag;
  failure none;
  size_t at[COLUMNS_READ];

  if (find_shared("data/published/gpus.csv", path, sizeof path, &none) !=
      EXIT_OK)
    return EXIT_OK;
  gscale_status read = gscale_table_read(path, &t, &diag);
  for (size_t c = 0; read == GSCALE_OK && c < COLUMNS_READ; c++)
    read = gscale_table_column(t, names[c], &at[c], &diag);
  int st = check_gscale(why, read, &diag);
  for (size_t i = 0; st == EXIT_OK && i < gscale_table_rows(t); i++)
    st = add_printed(v, t, i, at, why);
  gscale_table_free(t);
  return st;
}

/* ---- pairs -------------------------------------------------------------- */

enum {
  NUMBER_OF,
  RULE,
  CHIPS,
  FROM,
  TO,
  PROJECTED,
  FOUND,
  FOUND_ERR,
  LOG_RATIO,
  FROM_SOURCE,
  TO_SOURCE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [NUMBER_OF] = TEXT("parameter", "parameter"),
    [RULE] = TEXT("rule", "rule"),
    [CHIPS] = TEXT("chips", "chips"),
    [FROM] = TEXT("from", "from"),
    [TO] = TEXT("to", "to"),
    [PROJECTED] = NUMBER("projected", NULL, GSCALE_COUNT), /* SI units */
    [FOUND] = NUMBER("found", NULL, GSCALE_COUNT),
    [FOUND_ERR] = NUMBER("found_err", NULL, GSCALE_COUNT),
    [LOG_RATIO] = NUMBER("log_ratio", "ln(found/projected)", GSCALE_COUNT),
    [FROM_SOURCE] = TEXT("from_source", NULL),
    [TO_SOURCE] = TEXT("to_source", NULL),
};

static bool is_copy(const found *a, const found *b)
{
  return !(a->p.val < b->p.val) && !(a->p.val > b->p.val) &&
         !(a->p.err < b->p.err) && !(a->p.err > b->p.err);
}

/* Errors of the rules, without copied numbers. */
typedef struct trials {
  size_t n;
  double square;
} trials;

/* Adds a pair. Copied numbers are listed with chips "copy", and do not count as
 * trials. */
static void add_pair(rows *r, const found *a, const found *b, trials *of)
{
  const gscale_param_info *info = gscale_param_info_at(a->id);
  const double factor = gscale_rule_factor(info->rule, info->dim, a->sheet,
                                           b->sheet, a->rate, b->rate);
  const bool same =
      *a->sheet->chip && strcmp(a->sheet->chip, b->sheet->chip) == 0;
  cell *c;

  if (info->rule == GSCALE_RULE_SHEET || !(factor > 0.0)) return;
  c = rows_add(r);
  set_text(&c[NUMBER_OF], info->name);
  set_text(&c[RULE], gscale_name(GSCALE_RULE_NAMES, info->rule));
  set_text(&c[CHIPS], is_copy(a, b) ? "copy" : same ? "same" : "other");
  set_text(&c[FROM], a->machine);
  set_text(&c[TO], b->machine);
  set_text(&c[FROM_SOURCE], a->p.source);
  set_text(&c[TO_SOURCE], b->p.source);
  c[PROJECTED].number = a->p.val * factor;
  c[FOUND].number = b->p.val;
  c[FOUND_ERR].number = b->p.err;
  c[LOG_RATIO].number = log(b->p.val / (a->p.val * factor));
  if (is_copy(a, b) || !isfinite(c[LOG_RATIO].number)) return;
  of[same].n++;
  of[same].square += pow(c[LOG_RATIO].number, 2.0);
}

/* Returns true for the same number and suite on different machines. */
static bool is_pair(const found *a, const found *b)
{
  return a->id == b->id && strcmp(a->suite, b->suite) == 0 &&
         strcmp(a->machine, b->machine) != 0;
}

static void claim_trials(claim *c, const trials *same, const trials *other)
{
  claim_begin(c);
  if (same->n + other->n == 0) return;
  c->value = (double)(same->n + other->n);
  claim_say(c, "%zu numbers were measured on two machines.",
            same->n + other->n);
  if (same->n > 0)
    claim_say(c,
              " Between two of one chip the rules are off by a factor of "
              "%.2f, root mean square.",
              exp(sqrt(same->square / (double)same->n)));
  if (other->n > 0)
    claim_say(c, " Between two of different chips, by %.2f.",
              exp(sqrt(other->square / (double)other->n)));
}

int pairs_print(const options *o, failure *why)
{
  pairs v = {0};
  trials of[2] = {{0}}; /* different chips, same chip */
  claim said;
  int st = read_sheets(&v.sheets, why);

  if (st == EXIT_OK) st = each_description(KIND_SYSTEM, add_system, &v, why);
  if (st == EXIT_OK) st = read_printed(&v, why);
  v.rows = rows_new("gpuscale.pairs/1", columns, COLUMNS);
  for (size_t i = 0; st == EXIT_OK && i < v.n; i++)
    for (size_t j = i + 1; j < v.n; j++)
      if (is_pair(&v.of[i], &v.of[j])) add_pair(v.rows, &v.of[i], &v.of[j], of);
  claim_trials(&said, &of[1], &of[0]);
  st = rows_print_answer(st, v.rows, &said, o, why);
  free(v.of);
  gscale_sheets_free(v.sheets);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
