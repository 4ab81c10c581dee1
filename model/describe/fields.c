/* fields.c - names, values, domains and defaults of fields, from their rows. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables --------------------------------------------------------- */

static const gscale__rows remote = {gscale__remote_rows, GSCALE__REMOTE_ROWS};
static const gscale__rows power = {gscale__power_rows, GSCALE__POWER_ROWS};

static const struct {
  const char *name;
  const gscale__rows *rows;
} tables[GSCALE_DESCRIBED_END] = {
    [GSCALE_OF_PHASE] = {"phase", &gscale__phase_rows},
    [GSCALE_OF_BLOCKS] = {"blocks", &gscale__blocks_rows},
    [GSCALE_OF_STEP] = {"step", &gscale__step_rows},
    [GSCALE_OF_KNOB] = {"knob", &gscale__knob_rows},
    [GSCALE_OF_LINK] = {"link", &gscale__link_rows},
    [GSCALE_OF_TOPOLOGY] = {"topology", &gscale__topology_rows},
    [GSCALE_OF_REMOTE] = {"remote", &remote},
    [GSCALE_OF_POWER] = {"power", &power},
};

/* ---- names -------------------------------------------------------------- */

const char *gscale_described_name(gscale_described d)
{
  return d < GSCALE_DESCRIBED_END ? tables[d].name : NULL;
}

const gscale_field *gscale_field_at(gscale_described d, size_t i)
{
  if (d >= GSCALE_DESCRIBED_END) return NULL;
  const gscale__rows *rows = tables[d].rows;

  return i < rows->n ? &rows->row[i] : NULL;
}

const gscale_field *gscale_field_after(gscale_described d,
                                       const gscale_field *f)
{
  return gscale_field_at(d, f ? (size_t)(f - gscale_field_at(d, 0)) + 1 : 0);
}

const gscale_field *gscale_field_next(gscale_leaf *at)
{
  const gscale_field *f = gscale_field_at(at->of, at->row);

  if (!f || f->kind != GSCALE_PARTS) {
    at->row += f != NULL;
    return f;
  }
  f = &f->part[at->part++];
  if (at->part == gscale_field_at(at->of, at->row)->parts) {
    at->row++;
    at->part = 0;
  }
  return f;
}

void gscale_field_path(const gscale_field *f, char *text, size_t size)
{
  const bool both = *f->group && *f->name;

  snprintf(text, size, "%s%s%s", f->group, both ? "." : "", f->name);
}

const gscale_field *gscale_field_find(gscale_described d, const char *name)
{
  gscale_leaf at = {.of = d};
  const gscale_field *f;

  while ((f = gscale_field_next(&at))) {
    char path[GSCALE_NAME_MAX];

    gscale_field_path(f, path, sizeof path);
    if (strcmp(path, name) == 0 || (f->key && strcmp(f->key, name) == 0))
      return f;
  }
  return NULL;
}

size_t gscale_field_words(const gscale_field *f)
{
  size_t n = 0;

  while (f->words && f->words[n]) n++;
  return n;
}

/* ---- values ------------------------------------------------------------- */

size_t gscale_field_numbers(const gscale_field *f)
{
  size_t each = 0;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    return 1;
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
  case GSCALE_READERS:
  case GSCALE_PAIR:
    return f->length;
  case GSCALE_MIXTURE:
  case GSCALE_PATH:
    return 2 * f->length;
  case GSCALE_GROUPS:
    GSCALE_EACH_FIELD (GSCALE_OF_BLOCKS, row) each += gscale_field_numbers(row);
    return each * f->length;
  default:
    return 0;
  }
}

const gscale_field *gscale_field_inside(const gscale_field *f, size_t i,
                                        size_t *group, size_t *number)
{
  const size_t each = gscale_field_numbers(f) / f->length;
  const gscale_field *row = gscale_field_at(GSCALE_OF_BLOCKS, 0);

  *group = i / each;
  *number = i % each;
  for (size_t k = 0; *number >= gscale_field_numbers(row);
       row = gscale_field_at(GSCALE_OF_BLOCKS, ++k))
    *number -= gscale_field_numbers(row);
  return row;
}

static double *number_of_group(const gscale_field *f, gscale_blocks *b,
                               size_t i)
{
  size_t group, number;
  const gscale_field *row = gscale_field_inside(f, i, &group, &number);

  return gscale_field_number(row, &b[group], number);
}

double *gscale_field_number(const gscale_field *f, void *of, size_t i)
{
  char *const at = (char *)of + f->offset;

  if (i >= gscale_field_numbers(f)) return NULL;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
  case GSCALE_READERS:
    return (double *)(void *)at + i;
  case GSCALE_PAIR:
    return i ? (double *)(void *)((char *)of + f->second) + i - 1
             : (double *)(void *)at;
  case GSCALE_MIXTURE: {
    gscale_stores *s = (gscale_stores *)(void *)at;
    return i < f->length ? &s->size[i] : &s->share[i - f->length];
  }
  case GSCALE_PATH: {
    gscale_loads *p = (gscale_loads *)(void *)at;
    return i < f->length ? &p[i].loads : &p[i - f->length].bytes;
  }
  case GSCALE_GROUPS:
    return number_of_group(f, (gscale_blocks *)(void *)at, i);
  default:
    return NULL;
  }
}

/* ---- domains ------------------------------------------------------------ */

static const double ROUNDING = 1e-9; /* tolerance of sums that must be 1 */

/* Writes the short name of a field, if any, like "store" for "store.size". */
static void label_of(const gscale_field *f, char *text, size_t size)
{
  if (f->key)
    snprintf(text, size, "%s", f->key);
  else
    gscale_field_path(f, text, size);
}

static gscale_status check_number(const gscale_field *f, double v,
                                  const char *whose, const char *label,
                                  gscale_diag *diag)
{
  const bool low = f->open ? !(v > f->least) : !(v >= f->least);

  if (low || !(v <= f->most) || !isfinite(v))
    return isfinite(f->most)
               ? gscale__fail(diag, GSCALE_EDOMAIN,
                              "%s: %s: %g is not %s %g and <= %g", whose, label,
                              v, f->open ? ">" : ">=", f->least, f->most)
               : gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: %g is not %s %g",
                              whose, label, v, f->open ? ">" : ">=", f->least);
  if (f->kind == GSCALE_WHOLE && floor(v) != v)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: %g is not whole", whose,
                        label, v);
  return GSCALE_OK;
}

static gscale_status check_numbers(const gscale_field *f, const double *v,
                                   const char *whose, const char *label,
                                   gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < f->length; i++)
    st = check_number(f, v[i], whose, label, diag);
  return st;
}

static gscale_status check_shares(const gscale_field *f, const double *share,
                                  const char *whose, const char *label,
                                  gscale_diag *diag)
{
  double sum = 0.0;

  for (size_t i = 0; i < f->length; i++) {
    if (!(share[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: share %g of class %zu",
                          whose, label, share[i], i + 1);
    sum += share[i];
  }
  if (sum > 1.0 + ROUNDING)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: shares add up to %g, more than 1", whose,
                        label, sum);
  return GSCALE_OK;
}

static gscale_status check_mixture(const gscale_stores *s, const char *whose,
                                   const char *label, gscale_diag *diag)
{
  double sum = 0.0;

  if (s->n < 1 || s->n > GSCALE_STORES_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: not 1 to %d kinds",
                        whose, label, (int)GSCALE_STORES_MAX);
  for (size_t i = 0; i < s->n; i++) {
    if (!(s->size[i] > 0.0) || !isfinite(s->size[i]) || !(s->share[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: size %g B, share %g",
                          whose, label, s->size[i], s->share[i]);
    sum += s->share[i];
  }
  if (!(fabs(sum - 1.0) < ROUNDING))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: shares add up to %g, not 1", whose, label,
                        sum);
  return GSCALE_OK;
}

static gscale_status check_path(const gscale_blocks *b, const char *whose,
                                gscale_diag *diag)
{
  if (b->kinds > GSCALE_PATH_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: path: more than %d kinds",
                        whose, (int)GSCALE_PATH_MAX);
  for (size_t i = 0; i < b->kinds; i++)
    if (!(b->path[i].loads >= 0.0) || !(b->path[i].bytes >= 0.0) ||
        !isfinite(b->path[i].loads + b->path[i].bytes))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: path: %g loads in %g B",
                          whose, b->path[i].loads, b->path[i].bytes);
  return GSCALE_OK;
}

/* Checks one group of a phase's blocks by its rows. */
static gscale_status check_group(const gscale_blocks *b, const char *whose,
                                 gscale_diag *diag)
{
  GSCALE_EACH_FIELD (GSCALE_OF_BLOCKS, f) {
    const gscale_status st = gscale_field_check(f, b, whose, diag);
    if (st != GSCALE_OK) return st;
  }
  if (b->per == GSCALE_PER_FACE && !(b->publishes > 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: per = \"face\", and makes none: needs publishes",
                        whose);
  if (b->rest && b->per != GSCALE_PER_GPU)
    return gscale__fail(
        diag, GSCALE_EDOMAIN, "%s: per = \"%s\": needs share", whose,
        gscale_field_find(GSCALE_OF_BLOCKS, "per")->words[b->per]);
  return GSCALE_OK;
}

/* Checks the number of groups, and the sums of their shares. */
static gscale_status check_groups(const gscale_phase *p, gscale_diag *diag)
{
  double share = 0.0, publishes = 0.0;
  size_t rests = 0, changing = 0;

  if (p->groups > GSCALE_BLOCKS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: blocks: more than %d",
                        p->name, (int)GSCALE_BLOCKS_MAX);
  for (size_t i = 0; i < p->groups; i++) {
    const gscale_blocks *b = &p->group[i];
    char whose[GSCALE_NAME_MAX + 32] = "";

    if (diag) snprintf(whose, sizeof whose, "%s: blocks[%zu]", p->name, i + 1);
    const gscale_status st = check_group(b, whose, diag);
    if (st != GSCALE_OK) return st;
    rests += b->rest;
    changing += b->per != GSCALE_PER_GPU;
    if (!b->rest && b->per == GSCALE_PER_GPU) share += b->share;
    publishes += b->publishes;
  }
  if (p->groups == 0) return GSCALE_OK;
  if (rests > 1 || (changing > 0 && rests == 0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: blocks: %zu groups without share: needs one",
                        p->name, rests);
  if (share > 1.0 + ROUNDING || (rests == 0 && share < 1.0 - ROUNDING))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: blocks: shares add up to %g, not 1", p->name,
                        share);
  if (publishes > 0.0 && fabs(publishes - 1.0) > ROUNDING)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: blocks: publish %g of it all, not 1", p->name,
                        publishes);
  return GSCALE_OK;
}

static gscale_status check_pair(const gscale_field *f, const void *of,
                                const char *whose, const char *label,
                                gscale_diag *diag)
{
  const double *one = (const void *)((const char *)of + f->offset);
  const double *more = (const void *)((const char *)of + f->second);
  gscale_status st = check_number(f, *one, whose, label, diag);

  for (size_t i = 1; st == GSCALE_OK && i < f->length; i++)
    st = check_number(f, more[i - 1], whose, label, diag);
  return st;
}

static gscale_status check_readers(const gscale_phase *p, const gscale_field *f,
                                   const char *label, gscale_diag *diag)
{
  const gscale_status st =
      check_shares(f, p->subscribers, p->name, label, diag);
  double sum = 0.0;

  if (st != GSCALE_OK) return st;
  if (p->to >= GSCALE_PATTERN_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: no such choice", p->name,
                        label);
  for (size_t i = 0; i < f->length; i++) sum += p->subscribers[i];
  if (p->to == GSCALE_TO_SUBSCRIBERS && !(sum > 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: no subscribers: needs {p1, p2, ...}", p->name,
                        label);
  return GSCALE_OK;
}

static gscale_status check_parts(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < f->parts; i++)
    st = gscale_field_check(&f->part[i], of, whose, diag);
  return st;
}

static gscale_status check_field(const gscale_field *f, const void *of,
                                 const char *whose, const char *label,
                                 gscale_diag *diag)
{
  const void *const at = (const char *)of + f->offset;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    return check_number(f, *(const double *)at, whose, label, diag);
  case GSCALE_INTEGER:
    return check_number(f, *(const int *)at, whose, label, diag);
  case GSCALE_CHOICE:
    if (*(const unsigned *)at < gscale_field_words(f)) return GSCALE_OK;
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: no such choice", whose,
                        label);
  case GSCALE_NUMBERS:
    return check_numbers(f, at, whose, label, diag);
  case GSCALE_SHARES:
    return check_shares(f, at, whose, label, diag);
  case GSCALE_MIXTURE:
    return check_mixture(at, whose, label, diag);
  case GSCALE_GROUPS:
    return check_groups(of, diag);
  case GSCALE_PATH:
    return check_path(of, whose, diag);
  case GSCALE_PARTS:
    return check_parts(f, of, whose, diag);
  case GSCALE_PAIR:
    return check_pair(f, of, whose, label, diag);
  case GSCALE_READERS:
    return check_readers(of, f, label, diag);
  default:
    return GSCALE_OK;
  }
}

/* Builds the text of the message only if there is an error. */
gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag)
{
  char label[GSCALE_NAME_MAX];
  const gscale_status st = check_field(f, of, whose, "", NULL);

  if (st == GSCALE_OK || !diag) return st;
  label_of(f, label, sizeof label);
  return check_field(f, of, whose, label, diag);
}

/* ---- defaults ----------------------------------------------------------- */

static void put_default(const gscale_field *f, void *of)
{
  void *const at = (char *)of + f->offset;
  gscale_stores *s = at;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    *(double *)at = f->otherwise;
    break;
  case GSCALE_NUMBERS:
    for (size_t i = 0; i < f->length; i++) ((double *)at)[i] = f->otherwise;
    break;
  case GSCALE_INTEGER:
    *(int *)at = (int)f->otherwise;
    break;
  case GSCALE_CHOICE:
    *(unsigned *)at = (unsigned)f->otherwise;
    break;
  case GSCALE_PAIR:
    *gscale_field_number(f, of, 0) = f->otherwise;
    *gscale_field_number(f, of, 1) = f->otherwise;
    break;
  case GSCALE_MIXTURE:
    s->n = 1;
    s->size[0] = f->otherwise;
    s->share[0] = 1.0;
    break;
  default: /* none, false or 0 */
    break;
  }
}

void gscale_phase_init(gscale_phase *p, const char *name)
{
  gscale_leaf at = {.of = GSCALE_OF_PHASE};
  const gscale_field *f;

  memset(p, 0, sizeof *p);
  while ((f = gscale_field_next(&at))) put_default(f, p);
  p->grid[0] = 0.0; /* a line of GPUs */
  p->origin = GSCALE_DERIVED;
  gscale__copy_text(p->name, sizeof p->name, name);
}

void gscale_blocks_init(gscale_blocks *b)
{
  memset(b, 0, sizeof *b);
  GSCALE_EACH_FIELD (GSCALE_OF_BLOCKS, f) put_default(f, b);
  b->rest = true;
}

void gscale_fabric_init(gscale_fabric *fabric, gscale_topology kind)
{
  memset(fabric, 0, sizeof *fabric);
  GSCALE_EACH_FIELD (GSCALE_OF_TOPOLOGY, f) put_default(f, fabric);
  fabric->kind = kind;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
