/* sheet.c - what each printed number that is met can show, counted. */

#include "reproduce/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *worth_name(worth w)
{
  static const char *const names[WORTH_END] = {
      [WORTH_SHARP] = "sharp",
      [WORTH_BAND] = "band",
      [WORTH_INEQUALITY] = "inequality",
      [WORTH_CHOICE] = "choice",
      [WORTH_ORDERING] = "ordering",
      [WORTH_STAND_IN] = "stand-in",
      [WORTH_FITTED] = "fitted",
      [WORTH_REPEAT] = "repeat",
      [WORTH_IDENTITY] = "identity",
      [WORTH_DEFINITION] = "definition",
      [WORTH_NONE] = "",
  };

  return w < WORTH_END ? names[w] : NULL;
}

bool is_missing(const published *r)
{
  return r->from[0] && !r->known;
}

/* ---- what a row is worth ------------------------------------------------- */

/* Two-sided, and no wider than a fifth of the value; of 0, of 100 % or of 1. */
static bool is_sharp(const published *r)
{
  const double fifth = 0.2, nothing = 1e-12;
  const double whole = strcmp(r->unit, "%") == 0 ? 100.0 : 1.0;
  const double scale = r->least != 0.0 ? fabs(r->least) : whole;
  const double width = 0.5 * (published_most(r) - published_least(r));

  return width <= fifth * scale + nothing;
}

/* Whether two texts have the same words, in any order. */
static bool same_words(const char *a, const char *b)
{
  const char *const blank = " ";
  size_t words[2] = {0, 0};

  for (const char *s = a; *s; s += strspn(s, blank)) {
    const size_t n = strcspn(s, blank);
    bool there = false;

    for (const char *t = b; *t && !there; t += strspn(t, blank)) {
      const size_t m = strcspn(t, blank);
      there = m == n && strncmp(s, t, n) == 0;
      t += m;
    }
    if (!there) return false;
    words[0]++;
    s += n;
  }
  for (const char *t = b; *t; t += strspn(t, blank)) {
    words[1]++;
    t += strcspn(t, blank);
  }
  return words[0] == words[1];
}

/* Ours is of the machine and the programs that the document names. */
static bool is_as_named(const published *r)
{
  return (!r->machine[0] || same_words(r->machine, r->machines)) &&
         (!r->program[0] || same_words(r->program, r->programs));
}

/* The expression of another row, or its number, which is no whole one. */
static bool is_same(const published *a, const published *b)
{
  if (strcmp(a->from, b->from) != 0) return false;
  if (strcmp(a->how, b->how) == 0) return true;
  if (b->relation == RELATION_ORDER) return false; /* shares of few */
  return a->known && b->known && !(a->ours < b->ours) && !(a->ours > b->ours) &&
         floor(a->ours) < a->ours;
}

static const published *earlier(const publication *p, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (is_judged(p->v[k].standing) && is_same(&p->v[k], &p->v[i]))
      return &p->v[k];
  return NULL;
}

static worth worth_of(const published *r)
{
  if (!is_judged(r->standing)) return WORTH_NONE;
  if (r->standing == STANDING_STRUCTURAL) return WORTH_DEFINITION;
  if (r->repeats[0]) return WORTH_REPEAT;
  if (r->known && !r->modelled) return WORTH_IDENTITY;
  if (r->standing == STANDING_FITTED) return WORTH_FITTED;
  if (r->known && !is_as_named(r)) return WORTH_STAND_IN;
  if (r->relation == RELATION_BEST) return WORTH_CHOICE;
  if (r->relation == RELATION_ORDER) return WORTH_ORDERING;
  if (r->relation >= RELATION_LT) return WORTH_INEQUALITY;
  return is_sharp(r) ? WORTH_SHARP : WORTH_BAND;
}

void sheet_fill(publication *p)
{
  for (size_t i = 0; i < p->n; i++) {
    published *r = &p->v[i];
    const published *before = is_judged(r->standing) ? earlier(p, i) : NULL;

    snprintf(r->repeats, sizeof r->repeats, "%s", before ? before->id : "");
    r->worth = worth_of(r);
  }
}

/* ---- counts -------------------------------------------------------------- */

typedef struct tally {
  size_t standing[STANDING_END], rows[WORTH_END], met[WORTH_END];
  size_t judged, judged_met;        /* computed, predicted and fitted */
  size_t unknown[WORTH_END];        /* of the rows, for want of a trace, */
  size_t unknown_judged;            /* and of those judged */
  size_t fitted, choices, conflict; /* constants; conflicts that ours meets */
  double null;                      /* mean of the choices' */
} tally;

static void count_row(tally *t, const published *r)
{
  t->standing[r->standing]++;
  t->rows[r->worth]++;
  t->met[r->worth] += r->met;
  t->unknown[r->worth] += is_missing(r);
  if (r->worth == WORTH_CHOICE && !isnan(r->null)) t->null += r->null;
  if (!is_judged(r->standing) || r->standing == STANDING_STRUCTURAL) return;
  t->judged++;
  t->judged_met += r->met;
  t->unknown_judged += is_missing(r);
}

/* Documents on messages between nodes are counted each for itself: their rows
 * are other kinds of number, and have marks of their own. */
static const char *const between[] = {"oden", "mpi-acc"};
enum {
  BETWEEN = sizeof between / sizeof between[0]
};

/* Whether a row of that document, or a constant of that file of recipes, counts
 * for `of`; NULL: for those of GPUs in a node, all together. */
static bool counts_for(const char *of, const char *name)
{
  if (of) return strcmp(of, name) == 0;
  for (size_t i = 0; i < BETWEEN; i++)
    if (strcmp(between[i], name) == 0) return false;
  return true;
}

static tally count(const publication *p, const char *of)
{
  tally t = {0};

  for (size_t i = 0; i < p->n; i++)
    if (counts_for(of, p->v[i].document)) count_row(&t, &p->v[i]);
  for (size_t i = 0; i < p->constants; i++) {
    if (!counts_for(of, p->constant[i].from)) continue;
    t.fitted += p->constant[i].fitted;
    t.choices += !p->constant[i].fitted;
  }
  return t;
}

static double percent(size_t part, size_t all)
{
  return all > 0 ? 100.0 * (double)part / (double)all : 0.0;
}

/* ---- the strict count ----------------------------------------------------
 */

bool is_between_nodes(const char *name)
{
  return !counts_for(NULL, name);
}

static bool is_between(const published *r)
{
  return is_between_nodes(r->document);
}

counted strict_counted(const publication *p, bool nodes)
{
  counted n = {0};

  for (size_t i = 0; i < p->n; i++) {
    const published *r = &p->v[i];

    if (!r->counted || is_between(r) != nodes) continue;
    if (is_missing(r)) {
      n.unknown++;
      continue;
    }
    n.all++;
    n.met += r->met;
    n.apart += !r->beside;
    n.apart_met += r->met && !r->beside;
  }
  return n;
}

static void print_counted(FILE *f, const publication *p, bool nodes)
{
  const counted n = strict_counted(p, nodes);

  fprintf(f,
          "  %-22s%2zu of %2zu, %2.0f%%; where no row was fitted "
          "%zu of %zu\n",
          nodes ? "between nodes" : "GPUs of a node", n.met, n.all,
          percent(n.met, n.all), n.apart_met, n.apart);
  if (n.unknown > 0)
    fprintf(f, "  %-22s%2zu of %2zu: traces are needed\n", "", n.unknown,
            n.all + n.unknown);
}

static void print_left_out(FILE *f, const publication *p)
{
  static const char *const reasons[] = {"construction", "words",  "implied",
                                        "afterwards",   "fitted", "repeat"};

  fprintf(f, "  not counted, though two-sided\n   ");
  for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
      n += strcmp(p->v[i].reason, reasons[k]) == 0;
    fprintf(f, " %s %zu%s", reasons[k], n,
            k + 1 < sizeof reasons / sizeof *reasons ? "," : "\n");
  }
}

void strict_print(FILE *f, const publication *p)
{
  fprintf(f, "printed numbers met, of those that can be missed "
             "(data/published/strict.csv)\n");
  print_counted(f, p, false);
  print_counted(f, p, true);
  print_left_out(f, p);
  fputc('\n', f);
}

void strict_missed(FILE *f, const publication *p)
{
  fprintf(f, "counted, and missed%24sprinted       ours\n", "");
  for (size_t i = 0; i < p->n; i++) {
    const published *r = &p->v[i];
    char range[32];

    if (!r->counted || r->met || is_missing(r)) continue;
    if (r->span_most > r->span_least)
      snprintf(range, sizeof range, "%g-%g", r->span_least, r->span_most);
    else
      snprintf(range, sizeof range, "%.20s", r->value);
    fprintf(f, "  %-6s %-32.32s %9s %10.4g %.17s\n", r->id, r->quantity, range,
            r->ours, r->unit);
    if (r->detail[0]) fprintf(f, "         %s\n", r->detail);
  }
  fputc('\n', f);
}

void strict_readings(FILE *f, const publication *p)
{
  fprintf(f, "readings that rows may rest on, made after rows were seen\n");
  for (size_t i = 0; i < p->constants; i++) {
    const constant *c = &p->constant[i];

    if (*c->after)
      fprintf(f, "  %s = %s; without it\n    %s\n", c->name, c->text, c->after);
  }
  fprintf(f,
          "\n`gpuscale reproduce all` has each row and the constants, "
          "`reproduce ID` how one\ncame, `reproduce --perturb 20` which rows "
          "rest on each constant.\n");
}

size_t strict_lost(const publication *p, char *ids, size_t size)
{
  size_t lost = 0;

  ids[0] = '\0';
  for (size_t i = 0; i < p->n; i++) {
    const published *r = &p->v[i];

    if (!r->expected || r->met || is_missing(r)) continue;
    lost++;
    gscale_append(ids, size, " %s", r->id);
  }
  return lost;
}

/* ---- marks --------------------------------------------------------------- */

/* With `more` rows that were not computed met as well. */
static bool enough_sharp(const tally *t)
{
  return t->rows[WORTH_SHARP] >= 40;
}

static bool most_sharp(const tally *t, size_t more)
{
  return 5 * (t->met[WORTH_SHARP] + more) >= 4 * t->rows[WORTH_SHARP];
}

static bool most_met(const tally *t, size_t more)
{
  return 20 * (t->judged_met + more) >= 17 * t->judged;
}

static bool few_constants(const tally *t, size_t more)
{
  return 5 * t->fitted <= t->judged_met + more;
}

/* Orderings have a mark of their own: eight of nine. */
static bool most_but_orderings(const tally *t)
{
  const size_t judged = t->judged - t->rows[WORTH_ORDERING];
  const size_t met = t->judged_met - t->met[WORTH_ORDERING];

  return 20 * met >= 17 * judged;
}

static bool most_ordered(const tally *t)
{
  return 9 * t->met[WORTH_ORDERING] >= 8 * t->rows[WORTH_ORDERING];
}

static bool between_misses(const tally *t)
{
  return !most_but_orderings(t) || !most_ordered(t) || !few_constants(t, 0);
}

bool sheet_misses(const publication *p)
{
  const tally t = count(p, NULL);

  for (size_t i = 0; i < BETWEEN; i++) {
    const tally one = count(p, between[i]);
    if (between_misses(&one)) return true;
  }
  return !enough_sharp(&t) || !most_sharp(&t, t.unknown[WORTH_SHARP]) ||
         !most_met(&t, t.unknown_judged) ||
         !few_constants(&t, t.unknown_judged);
}

/* What was not computed is not missed: it leaves a mark open. */
static const char *word(bool held, bool possible)
{
  return held ? "held" : possible ? "open" : "MISSED";
}

static void print_worth(FILE *f, const tally *t)
{
  static const char *const words[WORTH_END] = {
      [WORTH_SHARP] = "sharp: two-sided, distinct, not fitted",
      [WORTH_BAND] = "  the same, but wider than a fifth",
      [WORTH_INEQUALITY] = "  the same, but one side only",
      [WORTH_CHOICE] = "  one configuration of many",
      [WORTH_STAND_IN] = "  on another machine or program",
      [WORTH_FITTED] = "fitted: a constant was chosen for it",
      [WORTH_REPEAT] = "repeats: as an earlier row",
      [WORTH_IDENTITY] = "identities: of printed numbers alone",
      [WORTH_DEFINITION] = "definitions",
  };

  fprintf(f, "\n%-44s rows   met\n", "score sheet");
  for (worth w = WORTH_SHARP; w < WORTH_END; w++)
    if (w != WORTH_ORDERING) /* print_between() has them */
      fprintf(f, "%-44s %4zu  %4zu\n", words[w], t->rows[w] - t->unknown[w],
              t->met[w]);
  fprintf(f, "conflicts %zu, not computable %zu, input %zu, context %zu\n",
          t->standing[STANDING_CONFLICT], t->standing[STANDING_UNKNOWN],
          t->standing[STANDING_INPUT], t->standing[STANDING_CONTEXT]);
  if (t->rows[WORTH_CHOICE] > 0)
    fprintf(f, "of all configurations %.0f%% would meet a choice\n",
            100.0 * t->null / (double)t->rows[WORTH_CHOICE]);
}

static void print_marks(FILE *f, const tally *t)
{
  const size_t met = t->met[WORTH_SHARP];
  const size_t sharp = t->rows[WORTH_SHARP] - t->unknown[WORTH_SHARP];
  const size_t judged = t->judged - t->unknown_judged;

  fprintf(f,
          "\nsharp, distinct, unfitted predictions met: %zu of %zu, %.0f%%\n",
          met, sharp, percent(met, sharp));
  fprintf(f, "  at least 40 of them: %s\n", word(enough_sharp(t), false));
  fprintf(f, "  at least 80%% met: %s\n",
          word(most_sharp(t, 0), most_sharp(t, t->unknown[WORTH_SHARP])));
  fprintf(f,
          "all but definitions met: %zu of %zu, %.0f%% (at least 85%%): %s\n",
          t->judged_met, judged, percent(t->judged_met, judged),
          word(most_met(t, 0), most_met(t, t->unknown_judged)));
  fprintf(f, "constants fitted: %zu (at most a fifth of %zu): %s\n", t->fitted,
          t->judged_met,
          word(few_constants(t, 0), few_constants(t, t->unknown_judged)));
  fprintf(f, "other numbers chosen by us: %zu\n", t->choices);
  if (t->unknown_judged > 0)
    fprintf(f, "not computed, for want of traces, and not counted: %zu rows\n",
            t->unknown_judged);
}

/* Each document on messages between nodes, in a line, and its marks. */
static void print_between(FILE *f, const publication *p)
{
  fprintf(f, "\nbetween nodes  sharp          judged         orderings  "
             "fitted  chosen  marks\n");
  for (size_t i = 0; i < BETWEEN; i++) {
    const tally t = count(p, between[i]);
    const size_t orderings = t.rows[WORTH_ORDERING];
    const size_t ordered = t.met[WORTH_ORDERING];
    const size_t judged = t.judged - orderings, met = t.judged_met - ordered;

    fprintf(
        f,
        "  %-11s %3zu of %-3zu %3.0f%%  %3zu of %-3zu %3.0f%%  %2zu of %-2zu "
        "%7zu %7zu  %s\n",
        between[i], t.met[WORTH_SHARP], t.rows[WORTH_SHARP],
        percent(t.met[WORTH_SHARP], t.rows[WORTH_SHARP]), met, judged,
        percent(met, judged), ordered, orderings, t.fitted, t.choices,
        between_misses(&t) ? "MISSED" : "held");
  }
  fprintf(f,
          "  marks: 85%% of those judged, 8 of 9 orderings, a fifth of the met "
          "fitted\n");
}

static void print_constants(FILE *f, const publication *p)
{
  fprintf(f, "\nconstants fitted, and to what\n");
  for (size_t i = 0; i < p->constants; i++) {
    const constant *c = &p->constant[i];

    if (c->fitted) fprintf(f, "  %s = %s: %s\n", c->name, c->text, c->rows);
  }
}

void sheet_print(FILE *f, const publication *p)
{
  const tally t = count(p, NULL);

  print_worth(f, &t);
  print_marks(f, &t);
  print_between(f, p);
  print_constants(f, p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
