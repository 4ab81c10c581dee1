/* published.c - what documents print: reading it, comparing ours with it. */

#include "reproduce/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words -------------------------------------------------------------- */

static const char *const standings[STANDING_END] = {
    [STANDING_STRUCTURAL] = "structural", [STANDING_COMPUTED] = "computed",
    [STANDING_PREDICTED] = "predicted",   [STANDING_FITTED] = "fitted",
    [STANDING_CONFLICT] = "conflict",     [STANDING_UNKNOWN] = "not-computable",
    [STANDING_INPUT] = "input",           [STANDING_CONTEXT] = "context",
};

const char *standing_name(standing s)
{
  return s < STANDING_END ? standings[s] : NULL;
}

static const char *const relations[RELATION_END] = {
    [RELATION_NONE] = "",         [RELATION_EQ] = "eq",
    [RELATION_APPROX] = "approx", [RELATION_BELOW] = "approx_below",
    [RELATION_LT] = "lt",         [RELATION_LE] = "le",
    [RELATION_GT] = "gt",         [RELATION_GE] = "ge",
    [RELATION_BEST] = "best",     [RELATION_ORDER] = "order",
};

bool is_judged(standing s)
{
  return s <= STANDING_FITTED;
}

/* ---- reading ------------------------------------------------------------ */

/* A field of published and its column. */
static const struct {
  const char *name;
  size_t at, size;
} fields[] = {
#define FIELD(column, member)                                                  \
  {                                                                            \
    column, offsetof(published, member), sizeof(((published *)0)->member)      \
  }
    FIELD("id", id),
    FIELD("place", place),
    FIELD("system", system),
    FIELD("quantity", quantity),
    FIELD("unit", unit),
    FIELD("conditions", conditions),
    FIELD("relation", relation_text),
    FIELD("value", value),
    FIELD("tolerance", tolerance),
    FIELD("machine", machine),
    FIELD("program", program),
    FIELD("note", note),
};

static int text_of(const gscale_table *t, size_t row, const char *name,
                   const char **out, failure *why)
{
  gscale_diag diag;
  size_t at;
  const gscale_status st = gscale_table_column(t, name, &at, &diag);

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  *out = gscale_table_text(t, row, at);
  return EXIT_OK;
}

static int copy_fields(published *r, const gscale_table *t, size_t row,
                       failure *why)
{
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const char *text = NULL;
    const int st = text_of(t, row, fields[i].name, &text, why);

    if (st != EXIT_OK) return st;
    if (strlen(text) >= fields[i].size)
      return fail(why, EXIT_DATA, "%s: longer than %zu bytes", fields[i].name,
                  fields[i].size - 1);
    strcpy((char *)r + fields[i].at, text);
  }
  return EXIT_OK;
}

static size_t find_word(const char *word, const char *const *words, size_t n)
{
  size_t i = 0;

  while (i < n && strcmp(words[i], word) != 0) i++;
  return i;
}

/* "3.6" or, of two numbers, "5-6"; NaN for words. */
static void read_value(published *r)
{
  char *end;

  r->least = r->most = strtod(r->value, &end);
  if (end != r->value && *end == '-') r->most = strtod(end + 1, &end);
  if (end == r->value || *end) r->least = r->most = (double)NAN;
}

static int read_words(published *r, const gscale_table *t, size_t row,
                      failure *why)
{
  const char *standing_text = NULL;
  const int st = text_of(t, row, "class", &standing_text, why);

  if (st != EXIT_OK) return st;
  r->standing = (standing)find_word(standing_text, standings, STANDING_END);
  r->relation = (relation)find_word(r->relation_text, relations, RELATION_END);
  read_value(r);
  if (r->standing == STANDING_END)
    return fail(why, EXIT_DATA, "class: '%.40s' is none", standing_text);
  if (r->relation == RELATION_END)
    return fail(why, EXIT_DATA, "relation: '%s' is none", r->relation_text);
  if (is_judged(r->standing) && r->relation == RELATION_NONE)
    return fail(why, EXIT_DATA, "relation: needed, as the row is %s",
                standing_text);
  if (is_judged(r->standing) && r->relation < RELATION_BEST && isnan(r->least))
    return fail(why, EXIT_DATA, "value: '%s' is no number", r->value);
  return EXIT_OK;
}

static int read_row(publication *p, const gscale_table *t, size_t row,
                    const char *document, failure *why)
{
  published *r = &p->v[p->n];
  int st;

  memset(r, 0, sizeof *r);
  r->ours = r->null = r->span_least = r->span_most = (double)NAN;
  snprintf(r->document, sizeof r->document, "%s", document);
  st = copy_fields(r, t, row, why);
  if (st == EXIT_OK) st = read_words(r, t, row, why);
  if (st == EXIT_OK && publication_find(p, r->id))
    st = fail(why, EXIT_DATA, "id: %s is given twice", r->id);
  if (st == EXIT_OK) p->n++;
  return st;
}

static int read_document(publication *p, const char *document, failure *why)
{
  char relative[64], path[512], text[256];
  gscale_table *t = NULL;
  gscale_diag diag;
  gscale_status read;
  published *more;
  int st;

  snprintf(relative, sizeof relative, "data/published/%s.csv", document);
  st = find_shared(relative, path, sizeof path, why);
  if (st != EXIT_OK) return st;
  read = gscale_table_read(path, &t, &diag);
  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  more = realloc(p->v, (p->n + gscale_table_rows(t)) * sizeof *more);
  if (!more) st = fail(why, EXIT_INTERNAL, "no memory for %s", document);
  if (more) p->v = more;
  for (size_t i = 0; st == EXIT_OK && i < gscale_table_rows(t); i++) {
    st = read_row(p, t, i, document, why);
    if (st == EXIT_OK) continue;
    snprintf(text, sizeof text, "%.255s", why->text);
    st = fail(why, EXIT_DATA, "%s:%d: %s", path, gscale_table_line(t, i), text);
  }
  gscale_table_free(t);
  return st;
}

/* ---- what counts strictly ------------------------------------------------
 */

static double span_end(const gscale_table *t, size_t row, const char *name)
{
  const char *text = "";
  failure ignored;

  if (text_of(t, row, name, &text, &ignored) != EXIT_OK || !*text)
    return (double)NAN;
  return strtod(text, NULL);
}

static int count_strictly(publication *p, const gscale_table *t, size_t row,
                          failure *why)
{
  static const char *const names[] = {"id", "counted", "expected", "class",
                                      "why"};
  const char *text[5] = {NULL};
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < 5; i++)
    st = text_of(t, row, names[i], &text[i], why);
  if (st != EXIT_OK) return st;
  published *r = publication_find(p, text[0]);
  if (!r) return fail(why, EXIT_DATA, "id: no printed number '%.20s'", text[0]);
  r->counted = strcmp(text[1], "yes") == 0;
  r->expected = strcmp(text[2], "yes") == 0;
  snprintf(r->reason, sizeof r->reason, "%s", text[3]);
  r->beside = strstr(text[4], "which was fitted") != NULL;
  r->span_least = span_end(t, row, "least");
  r->span_most = span_end(t, row, "most");
  return EXIT_OK;
}

static int read_strict(publication *p, failure *why)
{
  char path[512], text[256];
  gscale_table *t = NULL;
  gscale_diag diag;
  int st = find_shared("data/published/strict.csv", path, sizeof path, why);

  if (st != EXIT_OK) return st;
  const gscale_status read = gscale_table_read(path, &t, &diag);
  if (read != GSCALE_OK) return fail_gscale(why, read, &diag);
  for (size_t i = 0; st == EXIT_OK && i < gscale_table_rows(t); i++) {
    st = count_strictly(p, t, i, why);
    if (st == EXIT_OK) continue;
    snprintf(text, sizeof text, "%.255s", why->text);
    st = fail(why, EXIT_DATA, "%s:%d: %s", path, gscale_table_line(t, i), text);
  }
  gscale_table_free(t);
  return st;
}

int publication_read(publication *p, failure *why)
{
  static const char *const documents[] = {"dissertation", "isca21", "micro21",
                                          "oden", "mpi-acc"};
  int st = EXIT_OK;

  *p = (publication){0};
  for (size_t i = 0; st == EXIT_OK && i < sizeof documents / sizeof *documents;
       i++)
    st = read_document(p, documents[i], why);
  return st == EXIT_OK ? read_strict(p, why) : st;
}

void publication_free(publication *p)
{
  free(p->v);
  *p = (publication){0};
}

published *publication_find(const publication *p, const char *id)
{
  for (size_t i = 0; i < p->n; i++)
    if (strcmp(p->v[i].id, id) == 0) return &p->v[i];
  return NULL;
}

/* ---- comparing ---------------------------------------------------------- */

/* Half a unit of the last printed digit. */
static double rounding(const char *value)
{
  const char *dot = strchr(value, '.');
  const size_t decimals = dot ? strspn(dot + 1, "0123456789") : 0;

  return 0.5 * pow(10.0, -(double)decimals);
}

/* How far ours may be from the printed number v, downward or upward. */
static double slack(const published *r, double v, bool up)
{
  char *end;
  const double x = strtod(r->tolerance + (r->tolerance[0] == 'x'), &end);

  if (strcmp(r->tolerance, "round") == 0) return rounding(r->value);
  if (r->tolerance[0] == 'x') return up ? v * (x - 1.0) : v * (1.0 - 1.0 / x);
  if (*end == '%') return fabs(v) * x / 100.0;
  return x;
}

double published_least(const published *r)
{
  const double least = r->span_most > r->span_least ? r->span_least : r->least;

  return least - slack(r, least, false);
}

double published_most(const published *r)
{
  const double most = r->span_most > r->span_least ? r->span_most : r->most;

  return most + slack(r, most, true);
}

bool published_met(const published *r)
{
  const double nothing = 1e-12; /* of rounding in doubles */
  const double least = published_least(r) - nothing;
  const double most = published_most(r) + nothing;

  switch (r->relation) {
  case RELATION_EQ:
  case RELATION_APPROX:
    return r->ours >= least && r->ours <= most;
  case RELATION_BELOW:
    return r->ours >= least && r->ours <= r->most + nothing;
  case RELATION_LT:
    return r->ours < r->least;
  case RELATION_LE:
    return r->ours <= most;
  case RELATION_GT:
    return r->ours > r->most;
  case RELATION_GE:
    return r->ours >= least;
  case RELATION_BEST:
    return r->ours <= 1.0 + slack(r, 1.0, true);
  case RELATION_ORDER:
    return r->ours >= 1.0;
  default:
    return false;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
