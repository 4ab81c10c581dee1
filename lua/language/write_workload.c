/* write_workload.c - workloads as descriptions that read back as the same
 * numbers. It writes the fields that differ from their defaults. */

#include "language/language.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------- */

static void put_quoted(FILE *f, const char *text)
{
  putc('"', f);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') putc('\\', f);
    putc(*c, f);
  }
  putc('"', f);
}

/* Writes all bits of a number in SI units, as step() takes them. */
static void put_plain(FILE *f, double v)
{
  fprintf(f, "%.17g", v);
}

/* Writes a number with its origin. NULL means derived. */
static void put_number(FILE *f, double v, const gscale_param *p)
{
  const double half = p ? p->err * sqrt(12.0) / 2.0 : 0.0;

  if (!p || p->origin == GSCALE_DERIVED) {
    put_plain(f, v);
    return;
  }
  fprintf(f, "gs.%s(", gscale_name(GSCALE_ORIGIN_NAMES, p->origin));
  put_plain(f, v);
  if (p->origin == GSCALE_MEASURED) {
    fprintf(f, ", ");
    put_plain(f, p->err);
  }
  if (p->origin == GSCALE_ASSUMED)
    fprintf(f, ", { %.17g, %.17g }", v - half, v + half);
  if (p->origin != GSCALE_COUNTED) {
    fprintf(f, ", ");
    put_quoted(f, *p->source ? p->source : "not said");
  }
  putc(')', f);
}

/* ---- one field ----------------------------------------------------------- */

/* A writer writes one phase. */
typedef struct writer {
  FILE *f;
  const gscale_workload *w;
  size_t phase;
  gscale_phase p; /* copy for address lookups */
} writer;

static void put_item(writer *o, const gscale_field *f, size_t i)
{
  put_number(o->f, *gscale_field_number(f, &o->p, i),
             gscale_workload_doubted(o->w, o->phase, f, i));
}

/* Returns whether item i of a list has its default value. */
static bool is_default_item(const writer *o, const gscale_field *f, size_t i)
{
  gscale_phase copy = o->p, plain;

  gscale_phase_init(&plain, "");
  const double v = *gscale_field_number(f, &copy, i);
  const double otherwise = *gscale_field_number(f, &plain, i);
  return !(v < otherwise) && !(v > otherwise) &&
         !gscale_workload_doubted(o->w, o->phase, f, i);
}

static void put_list(writer *o, const gscale_field *f)
{
  size_t n = f->length;

  while (n > 1 && is_default_item(o, f, n - 1)) n--;
  fprintf(o->f, "{ ");
  for (size_t i = 0; i < n; i++) {
    if (i) fprintf(o->f, ", ");
    put_item(o, f, i);
  }
  fprintf(o->f, " }");
}

static void put_mixture(writer *o, const gscale_field *f)
{
  const gscale_stores *s = &o->p.stores;

  fprintf(o->f, "{");
  for (size_t i = 0; i < s->n; i++) {
    fprintf(o->f, "%s { ", i ? "," : "");
    put_item(o, f, i);
    fprintf(o->f, ", ");
    put_item(o, f, f->length + i);
    fprintf(o->f, "%s }", s->masked[i] ? ", \"partial\"" : "");
  }
  fprintf(o->f, " }");
}

/* Writes the loads, bytes and "published" with numbers from index `first`. */
static void put_path(writer *o, const gscale_field *groups,
                     const gscale_field *f, const gscale_blocks *b,
                     size_t first)
{
  fprintf(o->f, "{");
  for (size_t i = 0; i < b->kinds; i++) {
    fprintf(o->f, "%s { ", i ? "," : "");
    put_item(o, groups, first + i);
    fprintf(o->f, ", ");
    put_item(o, groups, first + f->length + i);
    fprintf(o->f, "%s }", b->path[i].published ? ", \"published\"" : "");
  }
  fprintf(o->f, " }");
}

/* Returns whether a group's row differs from its default. */
static bool block_differs(const writer *o, const gscale_field *groups,
                          const gscale_field *f, const gscale_blocks *b,
                          size_t number)
{
  const void *at = (const char *)b + f->offset;

  if (at == &b->share) return !b->rest;
  if (f->kind == GSCALE_FLAG) return *(const bool *)at;
  if (f->kind == GSCALE_CHOICE)
    return *(const unsigned *)at != (unsigned)f->otherwise;
  if (f->kind == GSCALE_PATH) return b->kinds > 0;
  return *(const double *)at > 0.0 ||
         gscale_workload_doubted(o->w, o->phase, groups, number);
}

static void put_group_of_blocks(writer *o, const gscale_field *groups, size_t i)
{
  const gscale_blocks *b = &o->p.group[i];
  size_t number = i * gscale_field_numbers(groups) / groups->length;
  const gscale_field *f;
  bool any = false;

  fprintf(o->f, "{");
  for (size_t k = 0; (f = gscale_field_at(GSCALE_OF_BLOCKS, k)) != NULL;
       number += gscale_field_numbers(f), k++) {
    if (!block_differs(o, groups, f, b, number)) continue;
    fprintf(o->f, "%s %s = ", any ? "," : "", f->name);
    any = true;
    if (f->kind == GSCALE_FLAG)
      fprintf(o->f, "true");
    else if (f->kind == GSCALE_CHOICE)
      put_quoted(o->f,
                 f->words[*(const unsigned *)(const void *)((const char *)b +
                                                            f->offset)]);
    else if (f->kind == GSCALE_PATH)
      put_path(o, groups, f, b, number);
    else
      put_item(o, groups, number);
  }
  fprintf(o->f, " }");
}

static void put_groups(writer *o, const gscale_field *f)
{
  for (size_t i = 0; i < o->p.groups; i++) {
    if (i) fprintf(o->f, ",\n          ");
    put_group_of_blocks(o, f, i);
  }
}

static void put_pair(writer *o, const gscale_field *f)
{
  fprintf(o->f, "{ ");
  put_item(o, f, 0);
  fprintf(o->f, ", ");
  put_item(o, f, 1);
  fprintf(o->f, " }");
}

static const void *at(const writer *o, const gscale_field *f)
{
  return (const char *)&o->p + f->offset;
}

/* Returns whether a number of the field has an origin or differs from the
 * default. */
static bool number_differs(const writer *o, const gscale_field *f)
{
  gscale_phase copy = o->p;
  const double *v;

  for (size_t i = 0; (v = gscale_field_number(f, &copy, i)) != NULL; i++)
    if (*v < f->otherwise || *v > f->otherwise ||
        gscale_workload_doubted(o->w, o->phase, f, i))
      return true;
  return false;
}

/* Returns whether a number alone describes the mixture. */
static bool is_one_size(const writer *o)
{
  return o->p.stores.n == 1 && !o->p.stores.masked[0];
}

static bool field_differs(const writer *o, const gscale_field *f)
{
  const gscale_stores *s = &o->p.stores;

  switch (f->kind) {
  case GSCALE_FLAG:
    return *(const bool *)at(o, f);
  case GSCALE_CHOICE:
    return *(const unsigned *)at(o, f) != (unsigned)f->otherwise;
  case GSCALE_NUMBERS:
    for (size_t i = 0; i < f->length; i++)
      if (!is_default_item(o, f, i)) return true;
    return false;
  case GSCALE_READERS:
    return o->p.to != GSCALE_TO_NONE;
  case GSCALE_MIXTURE:
    return !is_one_size(o) || *s->size < f->otherwise ||
           *s->size > f->otherwise ||
           gscale_workload_doubted(o->w, o->phase, f, 0);
  case GSCALE_GROUPS:
    return o->p.groups > 0;
  case GSCALE_PARTS:
    for (size_t i = 0; i < f->parts; i++)
      if (field_differs(o, &f->part[i])) return true;
    return false;
  default:
    return number_differs(o, f);
  }
}

/* Writes the destination. */
static void put_readers(writer *o, const gscale_field *f)
{
  if (o->p.to == GSCALE_TO_SUBSCRIBERS)
    put_list(o, f);
  else
    put_quoted(o->f, f->words[o->p.to]);
}

static void put_value(writer *o, const gscale_field *f);

/* Writes the parts that differ from their defaults. */
static void put_record(writer *o, const gscale_field *f)
{
  const char *before = "{ ";

  for (size_t i = 0; i < f->parts; i++) {
    if (!field_differs(o, &f->part[i])) continue;
    fprintf(o->f, "%s%s = ", before, f->part[i].name);
    put_value(o, &f->part[i]);
    before = ", ";
  }
  fprintf(o->f, " }");
}

static void put_value(writer *o, const gscale_field *f)
{
  switch (f->kind) {
  case GSCALE_FLAG:
    fprintf(o->f, "true");
    break;
  case GSCALE_CHOICE:
    put_quoted(o->f, f->words[*(const unsigned *)at(o, f)]);
    break;
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
    put_list(o, f);
    break;
  case GSCALE_MIXTURE:
    if (is_one_size(o))
      put_item(o, f, 0);
    else
      put_mixture(o, f);
    break;
  case GSCALE_GROUPS:
    put_groups(o, f);
    break;
  case GSCALE_PARTS:
    put_record(o, f);
    break;
  case GSCALE_PAIR:
    put_pair(o, f);
    break;
  case GSCALE_READERS:
    put_readers(o, f);
    break;
  default:
    put_item(o, f, 0);
  }
}

/* ---- phases -------------------------------------------------------------- */

/* Writes all fields of a group that differ from their defaults. */
static void put_group(writer *o, const char *group)
{
  const gscale_field *f;
  bool open = false;

  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_PHASE, i)) != NULL; i++) {
    if (strcmp(f->group, group) != 0 || !field_differs(o, f)) continue;
    if (*group && !open) fprintf(o->f, "        %s = {\n", group);
    open = *group != '\0';
    fprintf(o->f, "        %s%s%s", *group ? "  " : "", f->name,
            *f->name ? " = " : "");
    put_value(o, f);
    fprintf(o->f, ",\n");
  }
  if (open) fprintf(o->f, "        },\n");
}

static void put_phase(FILE *f, const gscale_workload *w, size_t phase)
{
  writer o = {f, w, phase, *gscale_workload_phase(w, phase)};
  const gscale_field *row;

  fprintf(f, "      gs.phase {\n        name = \"%s\",\n", o.p.name);
  for (size_t i = 0; (row = gscale_field_at(GSCALE_OF_PHASE, i)) != NULL; i++) {
    size_t first = 0;

    while (strcmp(gscale_field_at(GSCALE_OF_PHASE, first)->group, row->group) !=
           0)
      first++;
    if (first == i) put_group(&o, row->group);
  }
  fprintf(f, "      },\n");
}

static void put_host_field(FILE *f, const gscale_field *row, const void *at)
{
  switch (row->kind) {
  case GSCALE_FLAG:
    fprintf(f, "true");
    break;
  case GSCALE_CHOICE:
    put_quoted(f, row->words[*(const unsigned *)at]);
    break;
  case GSCALE_INTEGER:
    fprintf(f, "%d", *(const int *)at);
    break;
  default:
    fprintf(f, "%.17g", *(const double *)at);
  }
}

/* Returns whether a host field has its default. */
static bool is_default(const gscale_field *row, const void *at)
{
  switch (row->kind) {
  case GSCALE_FLAG:
    return !*(const bool *)at;
  case GSCALE_CHOICE:
  case GSCALE_INTEGER:
    return *(const int *)at == (int)row->otherwise;
  default:
    return !(*(const double *)at > 0.0);
  }
}

/* Writes `host` or `norm`. */
static void put_host(FILE *f, const gscale_workload *w, const char *group)
{
  const char *const host = (const char *)gscale_workload_about(w).host;
  const gscale_field *row;
  bool open = false;

  for (size_t i = 0; (row = gscale_field_at(GSCALE_OF_STEP, i)) != NULL; i++) {
    if (strcmp(row->group, group) != 0) continue;
    if (is_default(row, host + row->offset)) continue;
    if (!open) fprintf(f, "      %s = {", group);
    fprintf(f, "%s %s = ", open ? "," : "", row->name);
    put_host_field(f, row, host + row->offset);
    open = true;
  }
  if (open) fprintf(f, " },\n");
}

static void put_t1(FILE *f, const gscale_workload *w, const gscale_param *t1)
{
  const gscale_share_of *share = gscale_workload_about(w).share;
  const size_t n = gscale_workload_about(w).shares;

  if (!(t1->val > 0.0)) return;
  fprintf(f, "      t1 = %s", n > 0 ? "gs.shares { { 1, " : "");
  put_number(f, t1->val, t1);
  for (size_t i = 0; i < n; i++)
    fprintf(f, " }, { 1 / %d, %.6g", share[i].parts,
            share[i].of_single * t1->val);
  fprintf(f, "%s,\n", n > 0 ? " } }" : "");
}

void put_workload(FILE *f, const gscale_workload *w, const char *name,
                  const char *summary)
{
  const gscale_param *t1 = gscale_workload_about(w).t1;

  fprintf(f,
          "local gs = require \"gpuscale\"\n\n"
          "return gs.workload {\n  name = \"%s\",\n  summary = ",
          name);
  put_quoted(f, summary);
  fprintf(f, ",\n\n  step = function ()\n    return {\n");
  put_t1(f, w, t1);
  if (*gscale_workload_about(w).t1_on) {
    fprintf(f, "      t1_on = ");
    put_quoted(f, gscale_workload_about(w).t1_on);
    fprintf(f, ",\n");
  }
  put_host(f, w, "host");
  put_host(f, w, "norm");
  for (size_t i = 0; i < gscale_workload_about(w).phases; i++)
    put_phase(f, w, i);
  fprintf(f, "    }\n  end,\n}\n");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
