/* reproduce.c - gpuscale reproduce: what documents print, and ours beside it.
 */

#include "reproduce/published.h"

#include <math.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------- */

enum {
  ID,
  DOCUMENT,
  PLACE,
  SYSTEM,
  QUANTITY,
  CONDITIONS,
  RELATION,
  PRINTED,
  UNIT,
  TOLERANCE,
  CLASS,
  OURS,
  DETAIL,
  MET,
  FROM,
  HOW,
  NOTE,
  WORTH,
  NULL_SHARE,
  REPEATS,
  MACHINE,
  MACHINES,
  PROGRAM,
  PROGRAMS,
  CONSTANTS,
  CHOICES,
  QUESTION,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [ID] = TEXT("id", "id"),
    [DOCUMENT] = TEXT("document", NULL),
    [PLACE] = TEXT("place", NULL),
    [SYSTEM] = TEXT("system", NULL),
    [QUANTITY] = TEXT("quantity", "quantity"),
    [CONDITIONS] = TEXT("conditions", NULL),
    [RELATION] = TEXT("relation", NULL),
    [PRINTED] = TEXT("printed", "printed"),
    [UNIT] = TEXT("unit", "unit"),
    [TOLERANCE] = TEXT("tolerance", NULL),
    [CLASS] = TEXT("class", "class"),
    [OURS] = NUMBER("ours", "ours", GSCALE_COUNT),
    [DETAIL] = TEXT("detail", NULL),
    [MET] = TEXT("met", "met"),
    [FROM] = TEXT("from", NULL),
    [HOW] = TEXT("how", "how"),
    [NOTE] = TEXT("note", NULL),
    [WORTH] = TEXT("worth", "worth"),
    [NULL_SHARE] = NUMBER("null_share", NULL, GSCALE_COUNT),
    [REPEATS] = TEXT("repeats", NULL),
    [MACHINE] = TEXT("machine_named", NULL),
    [MACHINES] = TEXT("machine_used", NULL),
    [PROGRAM] = TEXT("program_named", NULL),
    [PROGRAMS] = TEXT("program_used", NULL),
    [CONSTANTS] = TEXT("constants", NULL),
    [CHOICES] = NUMBER("choices", NULL, GSCALE_COUNT),
    [QUESTION] = TEXT("question", NULL),
};

static const char *verdict(const published *r)
{
  if ((!is_judged(r->standing) && !r->counted) || is_missing(r)) return "";
  return r->met ? "yes" : "NO";
}

static void add_row(rows *to, const published *r)
{
  cell *c = rows_add(to);

  set_text(&c[ID], r->id);
  set_text(&c[DOCUMENT], r->document);
  set_text(&c[PLACE], r->place);
  set_text(&c[SYSTEM], r->system);
  set_text(&c[QUANTITY], r->quantity);
  set_text(&c[CONDITIONS], r->conditions);
  set_text(&c[RELATION], r->relation_text);
  set_text(&c[PRINTED], r->value);
  set_text(&c[UNIT], r->unit);
  set_text(&c[TOLERANCE], r->tolerance);
  set_text(&c[CLASS], standing_name(r->standing));
  c[OURS].number = r->ours;
  set_text(&c[DETAIL], r->detail);
  set_text(&c[MET], verdict(r));
  set_text(&c[FROM], r->from);
  set_text(&c[HOW], r->how);
  set_text(&c[NOTE], r->note);
  set_text(&c[WORTH], worth_name(r->worth));
  c[NULL_SHARE].number = r->null;
  set_text(&c[REPEATS], r->repeats);
  set_text(&c[MACHINE], r->machine);
  set_text(&c[MACHINES], r->machines);
  set_text(&c[PROGRAM], r->program);
  set_text(&c[PROGRAMS], r->programs);
  set_text(&c[CONSTANTS], r->constants);
  c[CHOICES].number = (double)r->choices;
  if (r->questions == 1) c[QUESTION].whole = r->question;
}

/* Parameters and context are in the data files; a table of what is compared
 * leaves them out. */
static bool is_shown(const published *r, const options *o)
{
  return o->format != FORMAT_TABLE || r->standing < STANDING_INPUT;
}

static void claim_strict(claim *c, const publication *p)
{
  const counted inside = strict_counted(p, false);
  const counted nodes = strict_counted(p, true);

  claim_begin(c);
  c->value =
      (double)(inside.met + nodes.met) / (double)(inside.all + nodes.all);
  claim_say(c,
            "Of the printed numbers that can be missed, ours meets %zu of %zu "
            "on GPUs of a node and %zu of %zu between nodes",
            inside.met, inside.all, nodes.met, nodes.all);
  if (inside.unknown + nodes.unknown > 0)
    claim_say(c, "; %zu more needs traces (`make traces`)",
              inside.unknown + nodes.unknown);
  claim_say(c, ". `gpuscale reproduce ID` says how one came.");
}

/* Without `all` people get the count, and what is missed. */
static int print_all(const publication *p, const options *o, failure *why)
{
  const bool brief = o->format == FORMAT_TABLE && o->arguments == 0;
  rows *r = rows_new("gpuscale.reproduce/1", columns, COLUMNS);
  output out = {0};
  claim said;
  char ids[160];
  int st = output_open(&out, o->output, why);

  claim_strict(&said, p);
  rows_answer(r, &said);

  for (size_t i = 0; i < p->n; i++)
    if (is_shown(&p->v[i], o)) add_row(r, &p->v[i]);
  if (st == EXIT_OK && o->format == FORMAT_TABLE) {
    claim_put(out.f, &said);
    putc('\n', out.f);
    strict_print(out.f, p);
  }
  if (brief) {
    strict_missed(out.f, p);
    strict_readings(out.f, p);
    rows_free(r);
  } else {
    st = rows_end(st, r, o->format, &out, why);
    if (st == EXIT_OK && o->format == FORMAT_TABLE) sheet_print(out.f, p);
  }
  st = output_end(st, &out, why);
  if (st != EXIT_OK || !o->strict || strict_lost(p, ids, sizeof ids) == 0)
    return st;
  return fail(why, EXIT_NO, "reproduce: expected to be met, and missed:%s",
              ids);
}

/* ---- one row ------------------------------------------------------------ */

static void print_line(FILE *f, const char *name, const char *text)
{
  if (text[0]) fprintf(f, "%-12s%s\n", name, text);
}

static void print_printed(FILE *f, const published *r)
{
  fprintf(f, "%-12s%s%s%s %s%s%s%s\n", "printed", r->relation_text,
          r->relation_text[0] ? " " : "", r->value, r->unit,
          r->tolerance[0] ? " (tolerance: " : "", r->tolerance,
          r->tolerance[0] ? ")" : "");
}

/* What is printed, what ours is, whether that meets it. */
static void claim_one(claim *c, const published *r)
{
  claim_begin(c);
  claim_say(c, "%s, %s: printed %s %s", r->id, r->quantity, r->value, r->unit);
  if (r->known) {
    c->value = r->ours;
    claim_say(c, ", ours %.4g", r->ours);
  }
  if (is_missing(r))
    claim_say(c, ", ours not known without traces");
  else if (!verdict(r)[0])
    claim_say(c, ", not judged (%s)", standing_name(r->standing));
  else
    claim_say(c, ", %s", r->met ? "met" : "missed");
  claim_say(c, ".%s",
            r->met || !verdict(r)[0]
                ? ""
                : " data/published/misses.csv has what is known of "
                  "why.");
}

static void print_one(FILE *f, const publication *p, const published *r,
                      const claim *said)
{
  claim_put(f, said);
  putc('\n', f);
  print_line(f, "document", r->document);
  print_line(f, "place", r->place);
  print_line(f, "system", r->system);
  print_line(f, "conditions", r->conditions);
  print_printed(f, r);
  print_line(f, "class", standing_name(r->standing));
  if (r->known) fprintf(f, "%-12s%.5g\n", "ours", r->ours);
  print_line(f, r->known ? "that is" : "ours", r->detail);
  print_line(f, "met", verdict(r));
  if (r->reason[0])
    fprintf(f, "%-12s%s, %s\n", "strictly",
            r->counted ? "counts" : "not counted", r->reason);
  print_line(f, "how", r->how);
  if (r->from[0]) fprintf(f, "%-12slua/published/%s.lua\n", "from", r->from);
  print_line(f, "note", r->note);
  print_line(f, "machine", r->machines);
  print_line(f, "programs", r->programs);
  if (r->questions == 1) print_line(f, "asks", r->question);
  if (r->questions > 1)
    fprintf(f, "%-12s%zu predictions, the last of them\n%-12s%s\n", "asks",
            r->questions, "", r->question);
  for (size_t i = 0; i < p->constants; i++)
    if (is_fitted_to(&p->constant[i], r->id))
      fprintf(f, "%-12s%s = %s\n", "fitted", p->constant[i].name,
              p->constant[i].text);
}

static int show_one(const publication *p, const options *o, failure *why)
{
  const published *r = publication_find(p, o->argument[0]);
  claim said;
  output out;
  int st;

  if (!r)
    return fail(why, EXIT_DATA, "reproduce: no printed number '%.40s'",
                o->argument[0]);
  claim_one(&said, r);
  if (o->format != FORMAT_TABLE) {
    rows *one = rows_new("gpuscale.reproduce/1", columns, COLUMNS);

    add_row(one, r);
    rows_answer(one, &said);
    st = rows_print(EXIT_OK, one, o, why);
  } else {
    st = output_open(&out, o->output, why);
    if (st != EXIT_OK) return st;
    print_one(out.f, p, r, &said);
    st = output_close(&out, why);
  }
  if (st != EXIT_OK || !verdict(r)[0] || r->met) {
    if (st != EXIT_OK || !is_missing(r) || !is_judged(r->standing)) return st;
  }
  if (is_missing(r))
    return fail(why, EXIT_DATA,
                "reproduce: %s: %.100s; `make traces`, --traces DIR", r->id,
                r->detail);
  return o->strict ? fail(why, EXIT_NO, "reproduce: %s is not met", r->id)
                   : EXIT_OK;
}

/* ---- a figure ------------------------------------------------------------ */

static const column mark_columns[] = {
    TEXT("figure", NULL),           TEXT("series", "series"),
    TEXT("kind", "kind"),           TEXT("category", "category"),
    NUMBER("x", "x", GSCALE_COUNT), NUMBER("y", "y", GSCALE_COUNT),
};
enum {
  MARK_COLUMNS = sizeof mark_columns / sizeof mark_columns[0]
};

static void add_mark(rows *to, const chart *figure_, const mark *m)
{
  const size_t i = (size_t)fmax(0.0, m->x - 1.0);
  cell *c = rows_add(to);

  set_text(&c[0], figure_->name);
  set_text(&c[1], figure_->series[m->series]);
  set_text(&c[2], m->printed ? "printed" : "ours");
  set_text(&c[3], i < figure_->categories ? figure_->category[i] : "");
  c[4].number = m->x;
  c[5].number = m->y;
}

static int show_chart(const options *o, failure *why)
{
  chart c;
  rows *r = rows_new("gpuscale.figure/1", mark_columns, MARK_COLUMNS);
  int st = chart_read(&c, o->argument[0], o, why);

  for (size_t i = 0; st == EXIT_OK && i < c.n; i++) add_mark(r, &c, &c.v[i]);
  st = rows_print(st, r, o, why);
  chart_free(&c);
  return st;
}

/* Names of figures have a dot, ids of rows none. */
static bool is_figure(const options *o)
{
  return o->arguments == 1 && strchr(o->argument[0], '.');
}

static void note_missing(const publication *p)
{
  size_t n = 0;

  for (size_t i = 0; i < p->n; i++) n += is_missing(&p->v[i]);
  if (n > 0)
    print_note("%zu rows need traces that are not there: "
               "`make traces` makes them, --traces DIR",
               n);
}

static int reproduce_main(options *o, failure *why)
{
  static publication p; /* large */
  const bool all = o->arguments == 0 || strcmp(o->argument[0], "all") == 0;
  int st;

  if (is_figure(o)) return show_chart(o, why);
  if (o->arguments > 1) return need_arguments(o, 1, "an ID or all", why);
  if (o->perturb > 0.0 && (o->arguments > 0 || o->refit))
    return fail(why, EXIT_USAGE, "--perturb: of all rows, and without --refit");
  st = publication_read(&p, why);
  if (st == EXIT_OK && o->perturb > 0.0) {
    st = publication_perturb(&p, o, why);
    publication_free(&p);
    return st;
  }
  if (st == EXIT_OK)
    st = (o->refit ? publication_refit : publication_reproduce)(
        &p, all ? NULL : o->argument[0], o, why);
  if (st == EXIT_OK && all) note_missing(&p);
  if (st == EXIT_OK) st = all ? print_all(&p, o, why) : show_one(&p, o, why);
  publication_free(&p);
  return st;
}

const verb verb_reproduce = {
    .place = 100,
    .name = "reproduce",
    .usage = "[ID|FIGURE|all] [options]",
    .summary = "what the papers print, ours beside it, and how it came",
    .examples = "gpuscale reproduce\n"
                "gpuscale reproduce P-117\n"
                "gpuscale reproduce proact2.10 --format csv\n"
                "gpuscale reproduce all --format csv -o reproduced.csv\n",
    .accepts = "traces refit perturb strict jobs format output",
    .run = reproduce_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
