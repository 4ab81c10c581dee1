/* t_fields.c - the table of a phase: few fields, each of the program and not of
 * one paradigm. */

#include "gpuscale/all.h"

#include "cases.h"

#include <gsl/gsl_test.h>

/* ---- how many ---------------------------------------------------------- */

/* One a row, and one for the list of groups. */
static void are_few(void)
{
  int n = 0;

  while (gscale_field_at(GSCALE_OF_PHASE, (size_t)n)) n++;
  gsl_test(n > 30, "a phase has %d fields", n);
}

/* Leaves come in the order of the table, each once, and are found by path. */
static void have_parts(void)
{
  gscale_leaf at = {.of = GSCALE_OF_PHASE};
  const gscale_field *f, *row;

  for (size_t i = 0; (row = gscale_field_at(GSCALE_OF_PHASE, i)) != NULL; i++) {
    const bool record = row->kind == GSCALE_PARTS;
    for (size_t k = 0; k < (record ? row->parts : 1); k++) {
      char path[GSCALE_NAME_MAX], whole[GSCALE_NAME_MAX];

      f = gscale_field_next(&at);
      gsl_test(f != (record ? &row->part[k] : row), "%s[%zu]", row->name, k);
      gscale_field_path(f, path, sizeof path);
      gsl_test(gscale_field_find(GSCALE_OF_PHASE, path) != f, "%s", path);
      gscale_field_path(row, whole, sizeof whole);
      gsl_test(record && strcmp(f->group, whole) != 0, "%s is %s's", path,
               whole);
    }
    if (record)
      gsl_test_int((int)gscale_field_numbers(row), 0, "%s has none itself",
                   row->name);
  }
  gsl_test(gscale_field_next(&at) != NULL, "no more");
}

/* ---- who reads them ----------------------------------------------------- */

enum {
  WAYS = 40,  /* paradigms at most */
  CASES = 300 /* phases at random */
};

/* Another value of a field, if the row allows one. */
static void change(const gscale_field *f, gscale_phase *p, rng *r)
{
  void *at = (char *)p + f->offset;
  const double by = uniform(r, 1.1, 3);
  double *v;

  if (f->kind == GSCALE_FLAG) {
    *(bool *)at = !*(bool *)at;
  } else if (f->kind == GSCALE_CHOICE || f->kind == GSCALE_READERS) {
    const int n = (int)gscale_field_words(f);
    *(int *)at = (*(int *)at + 1 + pick(r, n - 1)) % n;
  } else if (f->kind == GSCALE_GROUPS) {
    if (p->groups > 0) p->groups--;
  } else if (f->kind == GSCALE_NUMBERS || f->kind == GSCALE_SHARES) {
    v = gscale_field_number(f, p, 0);
    *v = f->dim == GSCALE_BYTES ? 1e5 * by : f->kind == GSCALE_SHARES ? 0.5 : 2;
    if (f->kind == GSCALE_SHARES) return;
    *gscale_field_number(f, p, 1) = *v;
  } else if ((v = gscale_field_number(f, p, 0)) != NULL) {
    *v = *v > 0 ? *v * by : f->dim == GSCALE_TIME ? 1e-4 : 64 * by;
    if (f->kind == GSCALE_WHOLE) *v = floor(*v) + 1;
    if (f->most > f->least && *v > f->most) *v = uniform(r, f->least, f->most);
  }
}

static gscale_plan *plan_of(const gscale_system *s, const gscale_phase *p)
{
  gscale_workload *w = gscale_workload_new("one");
  gscale_plan *plan = NULL;

  if (gscale_workload_add(w, p, NULL) == GSCALE_OK)
    gscale_plan_new(s, w, 4, &plan, NULL);
  gscale_workload_free(w);
  return plan;
}

/* Whether a paradigm says something else of the two plans. */
static bool differs(const gscale_plan *a, const gscale_plan *b, size_t paradigm)
{
  const gscale_knobs k = {.v = {65536, 2048}};
  gscale_prediction p, q;

  const gscale_status st = gscale_predict(a, paradigm, &k, &p, NULL);
  if (st != gscale_predict(b, paradigm, &k, &q, NULL)) return true;
  if (st != GSCALE_OK) return false;
  return p.time < q.time || p.time > q.time ||
         memcmp(&p.bytes, &q.bytes, sizeof p.bytes) != 0;
}

/* A phase in which nothing is at its default, as far as one is possible. */
static gscale_phase full_phase(rng *r)
{
  gscale_phase p = random_phase(r);

  p.footprint = fmin(p.footprint, 1e9);
  p.repeats = 1;
  p.reuse = maybe(r, 1e3, 1e7);
  p.stride = maybe(r, 8, 1024);
  p.residents = pick(r, 2) ? 0 : 1 + pick(r, 8);
  if (pick(r, 2)) p.agent_of = GSCALE_CHUNK_OF_BLOCK;
  if (pick(r, 2)) p.to = GSCALE_TO_NEIGHBOURS;
  if (pick(r, 8) == 0) {
    p.to = GSCALE_TO_NONE;
    p.reduce = spread(r, 1e3, 1e8);
  }
  return p;
}

static void count_readers(const gscale_system *s, const gscale_phase *was,
                          const gscale_plan *before, const gscale_field *f,
                          rng *r, bool reads[WAYS])
{
  gscale_phase p = *was;
  gscale_plan *after;

  change(f, &p, r);
  after = plan_of(s, &p);
  for (size_t i = 0; after && i < gscale_paradigm_count(); i++)
    reads[i] = reads[i] || differs(before, after, i);
  gscale_plan_free(after);
}

/* Each field but the name changes what several paradigms predict.  Whose a
 * chunk is only agents that poll ask: one paradigm, and schedules by it. */
static void are_shared(void)
{
  static bool reads[64][WAYS];
  rng r = {9};
  const gscale_field *f;
  size_t row = 0;

  for (int i = 0; i < CASES; i++) {
    gscale_system *s = random_system(&r);
    const gscale_phase p = full_phase(&r);
    gscale_plan *before = plan_of(s, &p);
    gscale_leaf at = {.of = GSCALE_OF_PHASE};

    for (row = 0; before && (f = gscale_field_next(&at)) != NULL; row++)
      count_readers(s, &p, before, f, &r, reads[row]);
    gscale_plan_free(before);
    gscale_system_free(s);
  }
  row = 0;
  for (gscale_leaf at = {.of = GSCALE_OF_PHASE};
       (f = gscale_field_next(&at)) != NULL; row++) {
    char path[GSCALE_NAME_MAX];
    int n = 0;

    for (size_t i = 0; i < gscale_paradigm_count(); i++) n += reads[row][i];
    gscale_field_path(f, path, sizeof path);
    const bool polled = strcmp(path, "agent.blocks") == 0 ||
                        strcmp(path, "agent.chunk_of") == 0;
    if (f->kind == GSCALE_WORDS)
      gsl_test_int(n, 0, "%s is read by none", path);
    else
      gsl_test(n < (polled ? 1 : 2), "%s is read by %d paradigms", path, n);
  }
}

int main(void)
{
  are_few();
  have_parts();
  are_shared();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
