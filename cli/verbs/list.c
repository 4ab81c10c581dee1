/* list.c - gpuscale list: systems, workloads, paradigms, links, figures. */

#include "reproduce/recipes.h"

#include <math.h>
#include <string.h>

/* A list that is being built. */
typedef struct listing {
  rows *rows;
  kind kind;
  int broken; /* descriptions that fail to load */
} listing;

/* ---- descriptions ------------------------------------------------------- */

static const column system_columns[] = {
    TEXT("name", "name"),
    INTEGER("gpus", "GPUs"),
    TEXT("topology", "topology"),
    TEXT("link", "link"),
    NUMBER("rate_Bps", "rate", GSCALE_BYTERATE),
    TEXT("summary", "summary"),
};

static const column workload_columns[] = {
    TEXT("name", "name"),
    TEXT("knobs", "knobs"),
    TEXT("summary", "summary"),
};

static int add_system(const char *path, listing *l, failure *why)
{
  settings none = {0};
  gscale_system *s = NULL;
  about more;
  cell *c;
  int st = load_system(path, &none, &s, &more, why);

  if (st != EXIT_OK) return st;
  c = rows_add(l->rows);
  if (c) {
    set_text(&c[0], more.name);
    c[1].number = gscale_system_about(s).gpus;
    set_text(&c[2], gscale_topology_name(gscale_system_about(s).fabric->kind));
    set_text(&c[3], gscale_system_about(s).link->name);
    c[4].number = gscale_system_get(s, gscale_param_find("link.rate"))->val;
    set_text(&c[5], more.summary);
  }
  gscale_system_free(s);
  return c ? EXIT_OK : EXIT_INTERNAL;
}

/* Writes a text such as "n=512;word=4". */
static void print_workload_knobs(const about *a, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t i = 0; i < a->knobs; i++)
    gscale_append(text, size, "%s%s=%s", i ? ";" : "", a->knob[i].name,
                  a->knob[i].value);
}

static int add_workload(const char *path, listing *l, failure *why)
{
  settings none = {0};
  gscale_workload *w = NULL;
  about more;
  cell *c;
  int st = load_workload(path, &none, &w, &more, why);

  if (st != EXIT_OK) return st;
  gscale_workload_free(w);
  c = rows_add(l->rows);
  set_text(&c[0], more.name);
  print_workload_knobs(&more, c[1].text, sizeof c[1].text);
  set_text(&c[2], more.summary);
  return EXIT_OK;
}

/* Reports a description that fails to load, and continues with the others. */
static int add_description(const char *path, const char *name, void *closure,
                           failure *why)
{
  listing *l = closure;
  char slashed[sizeof((about *)0)->path + 2];
  int st;

  (void)name;
  snprintf(slashed, sizeof slashed, "%s%s", strchr(path, '/') ? "" : "./",
           path);
  st = l->kind == KIND_SYSTEM ? add_system(slashed, l, why)
                              : add_workload(slashed, l, why);
  if (st == EXIT_OK || st == EXIT_INTERNAL) return st;
  print_failure(why);
  l->broken++;
  return EXIT_OK;
}

static int list_systems(listing *l, failure *why)
{
  l->kind = KIND_SYSTEM;
  return each_description(KIND_SYSTEM, add_description, l, why);
}

static int list_workloads(listing *l, failure *why)
{
  l->kind = KIND_WORKLOAD;
  return each_description(KIND_WORKLOAD, add_description, l, why);
}

/* ---- paradigms and links ------------------------------------------------ */

static const column paradigm_columns[] = {
    TEXT("name", "name"),   TEXT("status", "status"),
    TEXT("knobs", "knobs"), TEXT("summary", "summary"),
    TEXT("runs", NULL),
};

/* Returns "measured" if data/ has a run of the paradigm and method. */
static const char *say_measured(size_t paradigm, size_t between)
{
  const gscale_knobs k = {.between = between};

  return gscale_pair_measured(paradigm, &k) ? "measured" : "unmeasured";
}

static void list_shown_paradigms(listing *l)
{
  for (size_t i = 0; gscale_between_at(i); i++) {
    cell *c = rows_add(l->rows);

    set_text(&c[0], gscale_between_at(i)->name);
    set_text(&c[1], "method of memcpy");
    set_text(&c[3], gscale_between_at(i)->about);
    set_text(&c[4], say_measured(gscale_paradigm_find("memcpy"), i + 1));
  }
}

static int list_paradigms(listing *l, failure *why)
{
  (void)why;
  for (size_t i = 0; gscale_paradigm_at(i); i++) {
    const gscale_paradigm *p = gscale_paradigm_at(i);
    cell *c = rows_add(l->rows);
    set_text(&c[0], p->name);
    set_text(&c[1], p->proposed ? "proposed" : "exists");
    for (size_t k = 0; k < GSCALE_KNOB_END; k++)
      if (p->uses[k])
        gscale_append(c[2].text, sizeof c[2].text, "%s%s",
                      *c[2].text ? ";" : "",
                      gscale_knob_at((gscale_knob)k)->name);
    if (p->collective) set_text(&c[2], "algorithm;protocol");
    if (i == gscale_paradigm_find("infinite")) set_text(&c[2], "host");
    set_text(&c[3], p->summary);
    set_text(&c[4], say_measured(i, 0));
  }
  list_shown_paradigms(l);
  return EXIT_OK;
}

static const column link_columns[] = {
    TEXT("name", "name"),
    TEXT("format", "format"),
    NUMBER("rate_Bps", "rate", GSCALE_BYTERATE),
    PERCENT("goodput_store_4B", "4 B stores"),
    PERCENT("goodput_store_128B", "128 B stores"),
    PERCENT("goodput_copy", "long copy"),
};

static const char *const formats[GSCALE_FORMAT_END] = {
    [GSCALE_RAW] = "raw",
    [GSCALE_PCIE] = "pcie",
    [GSCALE_PCIE_FLIT] = "pcie-flit",
    [GSCALE_NVLINK] = "nvlink",
    [GSCALE_INFINIBAND] = "infiniband",
    [GSCALE_ETHERNET] = "ethernet",
    [GSCALE_EXTOLL] = "extoll"};

static int list_links(listing *l, failure *why)
{
  const double long_copy = 0x1p24;

  (void)why;
  for (size_t i = 0; gscale_link_at(i); i++) {
    const gscale_link *k = gscale_link_at(i);
    cell *c = rows_add(l->rows);

    set_text(&c[0], k->name);
    set_text(&c[1], formats[k->format]);
    c[2].number = k->rate;
    c[3].number = gscale_goodput(k, GSCALE_STORE, 4.0, false);
    c[4].number = gscale_goodput(k, GSCALE_STORE, 128.0, false);
    c[5].number = gscale_goodput(k, GSCALE_COPY, long_copy, false);
  }
  return EXIT_OK;
}

/* ---- fields -------------------------------------------------------------- */

static const column field_columns[] = {
    TEXT("name", "name"), TEXT("of", "of"),    TEXT("short", NULL),
    TEXT("kind", NULL),   TEXT("unit", NULL),  TEXT("default", "default"),
    TEXT("domain", NULL), TEXT("level", NULL), TEXT("meaning", "meaning"),
};

enum {
  FIELD_NAME,
  FIELD_OF,
  FIELD_SHORT,
  FIELD_KIND,
  FIELD_UNIT,
  FIELD_DEFAULT,
  FIELD_DOMAIN,
  FIELD_LEVEL,
  FIELD_MEANING
};

/* Writes a domain such as ">= 0" or "0 .. 1". */
static void show_domain(cell *c, double least, double most, bool open)
{
  if (isfinite(most))
    snprintf(c->text, sizeof c->text, "%g .. %g", least, most);
  else
    snprintf(c->text, sizeof c->text, "%s %g", open ? ">" : ">=", least);
}

static bool is_number(const gscale_field *f)
{
  return f->kind == GSCALE_NUMBER || f->kind == GSCALE_WHOLE ||
         f->kind == GSCALE_INTEGER || f->kind == GSCALE_PAIR;
}

static void show_default(cell *c, const gscale_field *f)
{
  if (f->required)
    set_text(c, "needed");
  else if (f->kind == GSCALE_FLAG)
    set_text(c, f->otherwise > 0.0 ? "yes" : "no");
  else if (f->kind == GSCALE_CHOICE || f->kind == GSCALE_READERS)
    set_text(c, f->words[(size_t)f->otherwise]);
  else if (f->unsaid)
    set_text(c, f->unsaid);
  else if (is_number(f) && isinf(f->otherwise))
    set_text(c, "no limit");
  else if (is_number(f))
    snprintf(c->text, sizeof c->text, "%g", f->otherwise);
}

static void add_field(listing *l, const char *of, const gscale_field *f)
{
  cell *c = rows_add(l->rows);

  gscale_field_path(f, c[FIELD_NAME].text, sizeof c->text);
  set_text(&c[FIELD_OF], of);
  set_text(&c[FIELD_SHORT], f->key);
  set_text(&c[FIELD_KIND], gscale_name(GSCALE_KIND_NAMES, f->kind));
  if (is_number(f)) {
    set_text(&c[FIELD_UNIT], gscale_dim_unit(f->dim));
    show_domain(&c[FIELD_DOMAIN], f->least, f->most, f->open);
  }
  show_default(&c[FIELD_DEFAULT], f);
  set_text(&c[FIELD_LEVEL], f->advanced ? "advanced" : "basic");
  set_text(&c[FIELD_MEANING], f->meaning);
}

static void add_parameter(listing *l, const gscale_param_info *p)
{
  cell *c = rows_add(l->rows);

  set_text(&c[FIELD_NAME], p->name);
  set_text(&c[FIELD_OF], "system");
  set_text(&c[FIELD_KIND], gscale_name(GSCALE_KIND_NAMES, GSCALE_NUMBER));
  set_text(&c[FIELD_UNIT], gscale_dim_unit(p->dim));
  if (p->required)
    set_text(&c[FIELD_DEFAULT], "needed");
  else if (isinf(p->otherwise))
    set_text(&c[FIELD_DEFAULT], "no limit");
  else
    snprintf(c[FIELD_DEFAULT].text, sizeof c->text, "%g", p->otherwise);
  show_domain(&c[FIELD_DOMAIN], p->least, p->most, false);
  set_text(&c[FIELD_LEVEL], p->required ? "basic" : "advanced");
  set_text(&c[FIELD_MEANING], p->meaning);
}

/* Lists the parts of a phase's records. */
static void list_parts(listing *l)
{
  GSCALE_EACH_FIELD (GSCALE_OF_PHASE, f)
    for (size_t k = 0; k < f->parts; k++) add_field(l, "record", &f->part[k]);
}

static int list_fields(listing *l, failure *why)
{
  (void)why;
  for (int d = 0; d < GSCALE_DESCRIBED_END; d++) {
    const gscale_described of = (gscale_described)d;

    GSCALE_EACH_FIELD (of, f) add_field(l, gscale_described_name(of), f);
    if (of == GSCALE_OF_PHASE) list_parts(l);
  }
  for (size_t i = 0; gscale_param_info_at(i); i++)
    add_parameter(l, gscale_param_info_at(i));
  return EXIT_OK;
}

/* ---- verb ---------------------------------------------------------------- */

#define COLUMNS(c) (c), sizeof(c) / sizeof(c)[0]

static const struct {
  const char *name, *schema;
  const column *columns;
  size_t n;
  int (*list)(listing *l, failure *why);
} lists[] = {
    {"systems", "gpuscale.systems/1", COLUMNS(system_columns), list_systems},
    {"workloads", "gpuscale.workloads/1", COLUMNS(workload_columns),
     list_workloads},
    {"paradigms", "gpuscale.paradigms/1", COLUMNS(paradigm_columns),
     list_paradigms},
    {"links", "gpuscale.links/1", COLUMNS(link_columns), list_links},
    {"fields", "gpuscale.fields/1", COLUMNS(field_columns), list_fields},
    {.name = "figures"}, /* from recipes_list() */
};
enum {
  LISTS = LENGTH(lists)
};

static int find_list(const char *name, size_t *found, failure *why)
{
  const char *names[LISTS], *near;

  for (size_t i = 0; i < LISTS; i++) {
    names[i] = lists[i].name;
    *found = i;
    if (strcmp(name, names[i]) == 0) return EXIT_OK;
  }
  near = nearest(name, names, LISTS);
  if (near)
    return fail(why, EXIT_USAGE, "list: no list '%.100s'; did you mean '%s'?",
                name, near);
  return fail(why, EXIT_USAGE,
              "list: '%.100s' is not systems, workloads, paradigms, links, "
              "fields or figures",
              name);
}

static int list_main(options *o, failure *why)
{
  listing l = {0};
  size_t i;
  int st = need_arguments(
      o, 1, "systems, workloads, paradigms, links, fields or figures", why);

  if (st == EXIT_OK) st = find_list(o->argument[0], &i, why);
  if (st != EXIT_OK) return st;
  if (!lists[i].list) return recipes_list(o, why);
  l.rows = rows_new(lists[i].schema, lists[i].columns, lists[i].n);
  st = rows_print(lists[i].list(&l, why), l.rows, o, why);
  if (st == EXIT_OK && l.broken)
    st = fail(why, EXIT_DATA, "list: %d of the %s cannot be read", l.broken,
              lists[i].name);
  return st;
}

const verb verb_list = {
    .place = 160,
    .name = "list",
    .usage = "systems|workloads|paradigms|links|fields|figures [options]",
    .summary = "systems, workloads, paradigms, links, fields or figures",
    .examples = "gpuscale list systems\n"
                "gpuscale list links --format csv\n",
    .accepts = "format output",
    .run = list_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
