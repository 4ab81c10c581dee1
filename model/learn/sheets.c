/* sheets.c - data sheets of GPUs, and the errors of rules of projection. */

#include "describe/numbers.h"
#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NO_PARAMETER = GSCALE_PARAM_END
};

/* The entries of data sheets.  An entry with an id sets this parameter of a
 * system, and only rules use all other entries. */
static const struct {
  const char *name;
  gscale_dim dim;
  gscale_param_id id;
} entries[GSCALE_SHEET_END] = {
    [GSCALE_SHEET_MEMORY] = {"memory", GSCALE_BYTES, GSCALE_DEVICE_MEMORY},
    [GSCALE_SHEET_MEMBW] = {"membw", GSCALE_BYTERATE, NO_PARAMETER},
    [GSCALE_SHEET_SMS] = {"sms", GSCALE_COUNT, GSCALE_DEVICE_SMS},
    [GSCALE_SHEET_CLOCK] = {"clock", GSCALE_RATE, NO_PARAMETER},
    [GSCALE_SHEET_THREADS] = {"threads", GSCALE_COUNT, GSCALE_DEVICE_THREADS},
    [GSCALE_SHEET_L1] = {"l1", GSCALE_BYTES, GSCALE_DEVICE_L1},
    [GSCALE_SHEET_L2] = {"l2", GSCALE_BYTES, GSCALE_DEVICE_L2},
    [GSCALE_SHEET_FLOPS] = {"flops", GSCALE_FLOPRATE, GSCALE_DEVICE_FLOPS},
    [GSCALE_SHEET_FLOPS_FP64] = {"flops_fp64", GSCALE_FLOPRATE,
                                 GSCALE_DEVICE_FLOPS_FP64},
    [GSCALE_SHEET_FLOPS_FP64_TENSOR] = {"flops_fp64_tensor", GSCALE_FLOPRATE,
                                        GSCALE_DEVICE_FLOPS_FP64_TENSOR},
    [GSCALE_SHEET_FLOPS_TF32] = {"flops_tf32", GSCALE_FLOPRATE,
                                 GSCALE_DEVICE_FLOPS_TF32},
    [GSCALE_SHEET_FLOPS_FP16] = {"flops_fp16", GSCALE_FLOPRATE,
                                 GSCALE_DEVICE_FLOPS_FP16},
    [GSCALE_SHEET_FLOPS_FP8] = {"flops_fp8", GSCALE_FLOPRATE,
                                GSCALE_DEVICE_FLOPS_FP8},
};

const char *gscale_sheet_entry_name(gscale_sheet_entry e)
{
  return (unsigned)e < GSCALE_SHEET_END ? entries[e].name : NULL;
}

struct gscale_sheets {
  size_t n, room;
  gscale_sheet *of;
};

enum {
  DEVICE,
  ENTRY,
  VALUE,
  SOURCE,
  COLUMNS
};

/* Returns the data sheet of a device, added if new, or NULL without memory. */
static gscale_sheet *sheet_of(gscale_sheets *s, const char *device)
{
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->of[i].device, device) == 0) return &s->of[i];
  gscale_sheet *more = gscale_reserve(s->of, &s->room, s->n + 1, sizeof *more);
  if (!more) return NULL;
  s->of = more;
  more = &s->of[s->n++];
  *more = (gscale_sheet){.chip = ""};
  gscale__copy_text(more->device, sizeof more->device, device);
  for (size_t e = 0; e < GSCALE_SHEET_END; e++) more->entry[e].val = NAN;
  return more;
}

static gscale_status put_entry(gscale_sheet *sheet, gscale_sheet_entry e,
                               const char *value, const char *source,
                               const char *path, int line, gscale_diag *diag)
{
  gscale_param *p = &sheet->entry[e];
  gscale_diag said;

  if (!isnan(p->val))
    return gscale__fail(diag, GSCALE_ENAME, "%s:%d: %s: %s is said twice", path,
                        line, sheet->device, entries[e].name);
  const gscale_status st =
      gscale_parse_quantity(value, entries[e].dim, &p->val, &said);
  if (st != GSCALE_OK || !(p->val > 0.0))
    return gscale__fail(diag, st != GSCALE_OK ? st : GSCALE_EDOMAIN,
                        "%s:%d: %s: %.60s", path, line, entries[e].name,
                        st != GSCALE_OK ? said.text : "is not above 0");
  p->origin = GSCALE_SPEC;
  gscale__copy_text(p->source, sizeof p->source, source);
  return GSCALE_OK;
}

static gscale_status read_row(gscale_sheets *s, const gscale_table *t,
                              size_t row, const size_t at[], const char *path,
                              gscale_diag *diag)
{
  const char *entry = gscale_table_text(t, row, at[ENTRY]);
  const char *value = gscale_table_text(t, row, at[VALUE]);
  gscale_sheet *sheet = sheet_of(s, gscale_table_text(t, row, at[DEVICE]));
  const int line = gscale_table_line(t, row);
  size_t e = 0;

  if (!sheet)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for data sheets");
  if (strcmp(entry, "chip") == 0 || strcmp(entry, "link") == 0) {
    gscale__copy_text(*entry == 'c' ? sheet->chip : sheet->link,
                      GSCALE_NAME_MAX, value);
    return GSCALE_OK;
  }
  while (e < GSCALE_SHEET_END && strcmp(entries[e].name, entry) != 0) e++;
  if (e == GSCALE_SHEET_END)
    return gscale__fail(diag, GSCALE_ENAME, "%s:%d: entry: no entry '%.40s'",
                        path, line, entry);
  return put_entry(sheet, (gscale_sheet_entry)e, value,
                   gscale_table_text(t, row, at[SOURCE]), path, line, diag);
}

gscale_status gscale_sheets_read(const char *path, gscale_sheets **out,
                                 gscale_diag *diag)
{
  static const char *const names[COLUMNS] = {"device", "entry", "value",
                                             "source"};
  gscale_sheets *s = calloc(1, sizeof *s);
  gscale_table *t = NULL;
  size_t at[COLUMNS];
  gscale_status st =
      s ? gscale_table_read(path, &t, diag)
        : gscale__fail(diag, GSCALE_ENOMEM, "no memory for data sheets");

  for (size_t i = 0; st == GSCALE_OK && i < COLUMNS; i++)
    st = gscale_table_column(t, names[i], &at[i], diag);
  for (size_t i = 0; st == GSCALE_OK && i < gscale_table_rows(t); i++)
    st = read_row(s, t, i, at, path, diag);
  gscale_table_free(t);
  if (st == GSCALE_OK)
    *out = s;
  else
    gscale_sheets_free(s);
  return st;
}

void gscale_sheets_free(gscale_sheets *s)
{
  if (s) free(s->of);
  free(s);
}

const gscale_sheet *gscale_sheets_at(const gscale_sheets *s, size_t i)
{
  return i < s->n ? &s->of[i] : NULL;
}

const gscale_sheet *gscale_sheets_find(const gscale_sheets *s,
                                       const char *device)
{
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->of[i].device, device) == 0) return &s->of[i];
  return NULL;
}

/* Returns true for values within 1 %, because data sheets round. */
static bool same(double a, double b)
{
  return fabs(a - b) < 0.01 * b;
}

const gscale_sheet *gscale_sheets_of(const gscale_sheets *sheets,
                                     const gscale_system *s)
{
  static const gscale_sheet_entry by[] = {GSCALE_SHEET_MEMORY, GSCALE_SHEET_SMS,
                                          GSCALE_SHEET_FLOPS};

  for (size_t i = 0; i < sheets->n; i++) {
    size_t k = 0;

    while (k < 3 && same(gscale_system_get(s, entries[by[k]].id)->val,
                         sheets->of[i].entry[by[k]].val))
      k++;
    if (k == 3) return &sheets->of[i];
  }
  return NULL;
}

static bool is_time(gscale_dim dim)
{
  return dim == GSCALE_TIME || dim == GSCALE_TIME_PER_BYTE;
}

static double spec(const gscale_sheet *s, gscale_sheet_entry e)
{
  return s ? s->entry[e].val : NAN;
}

double gscale_rule_factor(gscale_rule r, gscale_dim dim,
                          const gscale_sheet *from, const gscale_sheet *to,
                          double from_rate, double to_rate)
{
  const double clock =
      spec(to, GSCALE_SHEET_CLOCK) / spec(from, GSCALE_SHEET_CLOCK);
  double grows = NAN;

  switch (r) {
  case GSCALE_RULE_STAYS:
  case GSCALE_RULE_HOST:
    return 1.0;
  case GSCALE_RULE_MEMORY:
    grows = spec(to, GSCALE_SHEET_MEMBW) / spec(from, GSCALE_SHEET_MEMBW);
    break;
  case GSCALE_RULE_CORES:
    grows = clock * spec(to, GSCALE_SHEET_SMS) / spec(from, GSCALE_SHEET_SMS);
    break;
  case GSCALE_RULE_CLOCK:
    grows = clock;
    break;
  case GSCALE_RULE_LINK:
    grows = to_rate / from_rate;
    break;
  case GSCALE_RULE_SHEET:
  case GSCALE_RULE_END:
    break;
  }
  return is_time(dim) ? 1.0 / grows : grows;
}

typedef struct trial {
  size_t n;
  double squares;
} trial;

struct gscale_trials {
  trial of[GSCALE_PARAM_END][2]; /* trials by [same_chip] */
};

static gscale_status read_trial(gscale_trials *all, const gscale_table *t,
                                size_t row, const size_t at[], const char *path,
                                gscale_diag *diag)
{
  const gscale_param_id id =
      gscale_param_find(gscale_table_text(t, row, at[0]));
  const char *chips = gscale_table_text(t, row, at[1]);
  const bool same_chip = strcmp(chips, "same") == 0;
  double ratio;
  const gscale_status st = gscale_table_number(t, row, at[2], &ratio, diag);

  if (st != GSCALE_OK) return st;
  if (!same_chip && strcmp(chips, "other") != 0 && strcmp(chips, "copy") != 0)
    return gscale__fail(diag, GSCALE_EPARSE,
                        "%s:%d: chips: '%.20s': needs same, other or copy",
                        path, gscale_table_line(t, row), chips);
  if (id == GSCALE_PARAM_END || *chips == 'c') return GSCALE_OK;
  all->of[id][same_chip].n++;
  all->of[id][same_chip].squares += ratio * ratio;
  return GSCALE_OK;
}

gscale_status gscale_trials_read(const char *path, gscale_trials **out,
                                 gscale_diag *diag)
{
  static const char *const names[] = {"parameter", "chips", "log_ratio"};
  gscale_trials *all = calloc(1, sizeof *all);
  gscale_table *t = NULL;
  size_t at[3];
  gscale_status st =
      all ? gscale_table_read(path, &t, diag)
          : gscale__fail(diag, GSCALE_ENOMEM, "no memory for trials");

  for (size_t i = 0; st == GSCALE_OK && i < 3; i++)
    st = gscale_table_column(t, names[i], &at[i], diag);
  for (size_t i = 0; st == GSCALE_OK && i < gscale_table_rows(t); i++)
    st = read_trial(all, t, i, at, path, diag);
  gscale_table_free(t);
  if (st == GSCALE_OK)
    *out = all;
  else
    gscale_trials_free(all);
  return st;
}

void gscale_trials_free(gscale_trials *t)
{
  free(t);
}

/* Returns true if two parameters are similar, which means the same rule, and
 * both or none of them a time.  With any_rule, all parameters of a GPU are
 * similar. */
static bool is_like(const gscale_param_info *a, const gscale_param_info *b,
                    bool any_rule)
{
  if (any_rule) return a->rule != GSCALE_RULE_HOST;
  return a->rule == b->rule && is_time(a->dim) == is_time(b->dim);
}

/* Returns the geometric mean of errors, which outliers affect less than the
 * mean, or NaN for a single parameter. */
static double mean_of(const gscale_trials *t, const gscale_param_info *like,
                      bool same_chip, bool any_rule)
{
  const double least = 0.02; /* repeatability of a machine */
  double logs = 0.0;
  size_t n = 0;

  for (size_t id = 0; t && id < GSCALE_PARAM_END; id++) {
    const trial *of = &t->of[id][same_chip];

    if (of->n == 0 ||
        !is_like(gscale_param_info_at((gscale_param_id)id), like, any_rule))
      continue;
    logs += log(fmax(sqrt(of->squares / (double)of->n), least));
    n++;
  }
  return n >= 2 ? exp(logs / (double)n) : NAN;
}

static double prior_error(const gscale_trials *t, const gscale_param_info *like,
                          bool same_chip)
{
  double sigma = mean_of(t, like, same_chip, false);

  if (isnan(sigma) && like->rule != GSCALE_RULE_HOST)
    sigma = mean_of(t, like, same_chip, true);
  return !isnan(sigma) ? sigma : same_chip ? 0.25 : 0.5;
}

double gscale_trials_error(const gscale_trials *t, gscale_param_id id,
                           bool same_chip, size_t *pairs)
{
  const double like = 2.0; /* weight of the prior in trials */
  const gscale_param_info *info = gscale_param_info_at(id);
  const trial none = {0}, *of = t ? &t->of[id][same_chip] : &none;
  const double sigma = prior_error(t, info, same_chip);

  if (pairs) *pairs = of->n;
  return sqrt((of->squares + like * sigma * sigma) / ((double)of->n + like));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
