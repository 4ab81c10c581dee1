/* project.c - gpuscale project: predicts the numbers of a new machine from
 * measured machines and a data sheet. */

#include "calibrate/projection_pairs.h"

#include <string.h>

/* ---- question ------------------------------------------------------------ */

static int add_name(const char *word, void *closure, failure *why)
{
  machine_names *to = closure;

  if (to->n == MACHINES_NAMED)
    return fail(why, EXIT_USAGE, "project: more than %d systems",
                (int)MACHINES_NAMED);
  if (strlen(word) >= sizeof to->name[0])
    return fail(why, EXIT_USAGE, "project: '%.60s...': the name is too long",
                word);
  strcpy(to->name[to->n++], word);
  return EXIT_OK;
}

typedef struct projection {
  machine_names from, hosts;
  gscale_system *first, *s; /* first of `from`, new system */
  char name[GSCALE_NAME_MAX], summary[160];
} projection;

static int check(const options *o, failure *why)
{
  const char *missing = !o->from     ? "--from SYSTEM,..."
                        : !o->device ? "--device NAME"
                        : !o->output ? "-o NEW.lua"
                                     : NULL;

  return missing ? fail(why, EXIT_USAGE, "project: needs %s", missing)
                 : EXIT_OK;
}

/* Takes the requested link, else the data sheet's, else the first machine's. */
static int link_of(const options *o, const projection *p,
                   const gscale_link **out, failure *why)
{
  const gscale_link *of[LINKS_MAX];
  device_sheets all = {0};
  size_t n = 0;
  int st = EXIT_OK;

  *out = gscale_system_about(p->first).link;
  if (o->link) {
    st = parse_links(o->link, of, &n, why);
    if (st == EXIT_OK && n != 1)
      st = fail(why, EXIT_USAGE, "project: --link: needs one link");
    if (st == EXIT_OK) *out = of[0];
    return st;
  }
  st = find_sheet(o->device, o->output, &all, why);
  if (st == EXIT_OK && gscale_link_find(all.device->link))
    *out = gscale_link_find(all.device->link);
  free_sheets(&all);
  return st;
}

/* Gives the new machine the shape of the first machine, and the link. */
static int shape_of(projection *p, const gscale_link *l, failure *why)
{
  const gscale_system *f = p->first;
  gscale_diag diag;
  gscale_status st = gscale_system_set_link(p->s, l, &diag);
  const gscale_can *can = gscale_system_can(f);

  if (st == GSCALE_OK)
    st = gscale_system_set_shape(p->s, gscale_system_about(f).fabric,
                                 gscale_system_about(f).node,
                                 gscale_system_about(f).grows, 0, &diag);
  if (st == GSCALE_OK && l->format == gscale_system_about(f).link->format)
    st = gscale_system_set_can(p->s, can, &diag);
  return check_gscale(why, st, &diag);
}

static int make(projection *p, const options *o, failure *why)
{
  static const bool nothing[GSCALE_PARAMS_MAX];
  const gscale_link *link = NULL;
  settings none = {.option = "-P"};
  int st = each_word("--from", o->from, add_name, &p->from, why);

  if (st == EXIT_OK && o->hosts)
    st = each_word("--hosts", o->hosts, add_name, &p->hosts, why);
  if (st == EXIT_OK)
    st = load_system(p->from.name[0], &none, &p->first, NULL, why);
  output_stem(o->output, p->name, sizeof p->name);
  snprintf(p->summary, sizeof p->summary, "%.40s, projected from %.80s",
           o->device, o->from);
  if (st == EXIT_OK) st = link_of(o, p, &link, why);
  p->s = gscale_system_new(p->name);
  if (st == EXIT_OK && !p->s) st = no_memory(why);
  if (st == EXIT_OK) st = shape_of(p, link, why);
  if (st == EXIT_OK)
    st = project_system(p->s, &p->from, &p->hosts, o->device, o->output,
                        nothing, load_own, why);
  return st;
}

/* ---- answer -------------------------------------------------------------- */

enum {
  PARAMETER,
  RULE,
  FROM_VALUE,
  VALUE,
  ERR,
  SHOWN_FROM,
  SHOWN,
  ORIGIN,
  SOURCE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [PARAMETER] = TEXT("parameter", "parameter"),
    [RULE] = TEXT("rule", "rule"),
    [FROM_VALUE] = NUMBER("from_value", NULL, GSCALE_COUNT), /* in SI units */
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT),
    [ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [SHOWN_FROM] = TEXT(NULL, "was"),
    [SHOWN] = TEXT(NULL, "is"),
    [ORIGIN] = TEXT("origin", "origin"),
    [SOURCE] = TEXT("source", NULL),
};

static void show(cell *c, const gscale_param *p, gscale_dim dim)
{
  char err[32];

  gscale_format_quantity(p->val, dim, c->text, 48);
  if (!(p->err > 0.0) || !(p->val > 0.0)) return;
  snprintf(err, sizeof err, " +/- %.2g%%", 100.0 * p->err / p->val);
  strcat(c->text, err);
}

static void fill(rows *r, const projection *p)
{
  for (size_t id = 0; id < gscale_param_count(); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const gscale_param *was = gscale_system_get(p->first, id),
                       *is = gscale_system_get(p->s, id);

    if (is->origin != GSCALE_PROJECTED &&
        !(info->rule == GSCALE_RULE_SHEET && is->origin == GSCALE_SPEC &&
          is->val > 0.0))
      continue;
    cell *c = rows_add(r);
    set_text(&c[PARAMETER], info->name);
    set_text(&c[RULE], gscale_name(GSCALE_RULE_NAMES, info->rule));
    set_text(&c[ORIGIN], gscale_name(GSCALE_ORIGIN_NAMES, is->origin));
    set_text(&c[SOURCE], is->source);
    show(&c[SHOWN_FROM], was, info->dim);
    show(&c[SHOWN], is, info->dim);
    c[FROM_VALUE].number = was->val;
    c[VALUE].number = is->val;
    c[ERR].number = is->err;
  }
}

/* States how many numbers are projected and which is the least certain. */
static void claim_projection(claim *c, const projection *p)
{
  size_t n = 0, sheet = 0, least = 0;
  double worst = 0.0;

  claim_begin(c);
  for (size_t id = 0; id < gscale_param_count(); id++) {
    const gscale_param *is = gscale_system_get(p->s, id);

    if (is->origin != GSCALE_PROJECTED) {
      sheet += gscale_param_info_at(id)->rule == GSCALE_RULE_SHEET &&
               is->origin == GSCALE_SPEC && is->val > 0.0;
      continue;
    }
    n++;
    if (!(is->val > 0.0) || !(is->err / is->val > worst)) continue;
    worst = is->err / is->val;
    least = id;
  }
  c->value = (double)n;
  claim_say(c, "%zu numbers of %s are projected, %zu are its sheet's.", n,
            p->name, sheet);
  if (worst > 0.0)
    claim_say(c, " The least sure is %s, +/- %.0f%%: measure it first.",
              gscale_param_info_at(least)->name, 100.0 * worst);
}

static void put_description(FILE *f, const projection *p, const options *o)
{
  fprintf(f,
          "-- %s.lua - written by `gpuscale project`: %s from %s%s%s.\n"
          "-- What each number follows by, and how well that did: "
          "data/projection.csv.\n\n",
          p->name, o->device, o->from, o->hosts ? ", its host from " : "",
          o->hosts ? o->hosts : "");
  put_system(f, p->s, p->name, p->summary, 0);
}

static int print_report(const projection *p, const options *o, failure *why)
{
  output out;
  int st = output_open(&out, NULL, why);
  claim said;
  rows *r;

  if (st != EXIT_OK) return st;
  r = rows_new("gpuscale.project/1", columns, COLUMNS);
  fill(r, p);
  claim_projection(&said, p);
  rows_answer(r, &said);
  if (o->format == FORMAT_TABLE) {
    claim_put(out.f, &said);
    putc('\n', out.f);
  }
  st = rows_end(EXIT_OK, r, o->format, &out, why);
  return output_end(st, &out, why);
}

static int write_all(const projection *p, const options *o, failure *why)
{
  output out = {0};
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  put_description(out.f, p, o);
  st = output_ready(&out, why);
  if (st == EXIT_OK) st = print_report(p, o, why);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

static int project_main(options *o, failure *why)
{
  projection p = {0};
  int st;

  if (o->pairs) return pairs_print(o, why);
  st = check(o, why);
  if (st == EXIT_OK) st = make(&p, o, why);
  if (st == EXIT_OK) st = write_all(&p, o, why);
  gscale_system_free(p.first);
  gscale_system_free(p.s);
  return st;
}

const verb verb_project = {
    .place = 85,
    .name = "project",
    .usage = "--from SYSTEM,... --device NAME -o NEW.lua, or --pairs",
    .summary = "a machine projected from measured ones and a data sheet",
    .examples = "gpuscale project --pairs\n"
                "gpuscale project --from h100x2 --device h200 -o h200p.lua\n"
                "gpuscale project --from h200x8,h100x2 --device b200 --link "
                "nvlink5 -o b200.lua\n",
    .accepts = "from device hosts link pairs format output",
    .run = project_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
