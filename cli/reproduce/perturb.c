/* perturb.c - what of the strict count rests on each constant: rows that are
 * lost and gained when it alone is another. */

#include "reproduce/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CONSTANT,
  KIND,
  VALUE,
  MOVED,
  LOST,
  GAINED,
  LOST_IDS,
  GAINED_IDS,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [CONSTANT] = TEXT("constant", "constant"),
    [KIND] = TEXT("kind", "kind"),
    [VALUE] = TEXT("value", "value"),
    [MOVED] = TEXT("moved_to", "moved to"),
    [LOST] = INTEGER("lost", "lost"),
    [GAINED] = INTEGER("gained", "gained"),
    [LOST_IDS] = TEXT("rows_lost", "rows lost"),
    [GAINED_IDS] = TEXT("rows_gained", "rows gained"),
};

typedef struct trial {
  publication *p, *held;
  const bool *met; /* of the rows, as it is */
  const options *o;
  rows *to;
} trial;

/* A number, and a quantity's, by that share; a whole one by one at least. */
static bool move_text(const char *text, double share, char *out, size_t size)
{
  char *end;
  const double v = strtod(text, &end);
  double to = v * (1.0 + share);

  if (end == text) return false;
  if (!(floor(v) < v) && *end == '\0') {
    to = rint(to);
    if (!(to < v) && !(to > v)) to = v + (share < 0.0 ? -1.0 : 1.0);
  }
  snprintf(out, size, "%.6g%s", to, end);
  return true;
}

/* False if there is nothing to move it to. */
static bool move(constant *c, double share)
{
  char to[sizeof c->text];

  if (c->fitted) {
    if (!(c->least < c->most)) return false; /* of two readings one */
    c->value *= 1.0 + share;
    snprintf(to, sizeof to, "%.4g%s%s", c->value, *c->unit ? " " : "", c->unit);
    memcpy(c->text, to, sizeof to);
    return true;
  }
  if (*c->other) {
    memcpy(c->text, c->other, sizeof c->text);
    return share > 0.0; /* once */
  }
  if (!move_text(c->text, share, to, sizeof to)) return false;
  memcpy(c->text, to, sizeof to);
  return true;
}

/* As many as there is room for. */
static void add_id(cell *c, const char *id)
{
  gscale_append(c->text, sizeof c->text, "%s%s", *c->text ? " " : "", id);
}

static void compare(const trial *t, const constant *was, const char *now)
{
  cell *c = rows_add(t->to);

  set_text(&c[CONSTANT], was->name);
  set_text(&c[KIND], was->fitted ? "fitted" : "chosen");
  set_text(&c[VALUE], was->text);
  set_text(&c[MOVED], now);
  set_text(&c[LOST_IDS], "");
  set_text(&c[GAINED_IDS], "");
  c[LOST].number = c[GAINED].number = 0.0;
  for (size_t i = 0; i < t->p->n; i++) {
    const published *r = &t->p->v[i];

    if (!r->counted || !r->known || r->met == t->met[i]) continue;
    c[r->met ? GAINED : LOST].number += 1.0;
    add_id(&c[r->met ? GAINED_IDS : LOST_IDS], r->id);
  }
}

/* A value that a recipe refuses is a row that says so. */
static int try_one(const trial *t, size_t i, double share, failure *why)
{
  constant *c = &t->held->constant[i];
  const constant was = *c;
  char now[sizeof c->text + 16];
  failure refused = {0};

  if (!move(c, share)) {
    *c = was;
    return EXIT_OK;
  }
  t->p->of = c->from;
  const int st = publication_reproduce(t->p, NULL, t->o, &refused);
  if (st == EXIT_INTERNAL) return fail(why, st, "%s", refused.text);
  snprintf(now, sizeof now, "%s%s", c->text, st == EXIT_OK ? "" : ": refused");
  *c = was;
  if (st == EXIT_OK) {
    compare(t, &was, now);
    return EXIT_OK;
  }
  for (size_t k = 0; k < t->p->n; k++) t->p->v[k].met = t->met[k];
  compare(t, &was, now);
  return EXIT_OK;
}

static int try_all(trial *t, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < t->held->constants; i++) {
    st = try_one(t, i, t->o->perturb, why);
    if (st == EXIT_OK) st = try_one(t, i, -t->o->perturb, why);
  }
  return st;
}

int publication_perturb(publication *p, const options *o, failure *why)
{
  publication *held = malloc(sizeof *held);
  bool *met = malloc((p->n + 1) * sizeof *met);
  trial t = {.p = p, .held = held, .met = met, .o = o};
  int st =
      held && met ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory to perturb");

  p->strict = true;
  if (st == EXIT_OK) st = publication_reproduce(p, NULL, o, why);
  if (st == EXIT_OK) {
    *held = *p; /* its constants; the rows are not looked at */
    for (size_t i = 0; i < p->n; i++) met[i] = p->v[i].met;
    t.to = rows_new("gpuscale.perturb/1", columns, COLUMNS);
    p->held = held;
    st = try_all(&t, why);
    p->held = NULL;
    p->of = NULL;
    st = rows_print(st, t.to, o, why);
  }
  free(held);
  free(met);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
