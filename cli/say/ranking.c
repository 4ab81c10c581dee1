/* ranking.c - see ranking.h. */

#include "say/ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t question_gpus(const question *q, int gpus)
{
  size_t j = 0;

  while (j < q->n && q->gpus[j] != gpus) j++;
  return j;
}

entrant entrant_best(const subject *s, int gpus)
{
  const size_t j = question_gpus(&s->q, gpus);
  entrant e = {NULL, s->q.paradigms, gpus, INFINITY, NULL};

  if (j < s->q.n) e.paradigm = question_best(&s->q, s->a, j);
  if (e.paradigm == s->q.paradigms) return e;
  e.s = s;
  e.a = &s->a[e.paradigm * s->q.n + j];
  e.time = e.a->p.time;
  return e;
}

race race_run(const comparison *c, int gpus)
{
  race r = {0};

  for (size_t i = 0; i < c->n; i++) {
    const entrant e = entrant_best(&c->v[i], gpus);

    if (!e.s) continue;
    r.entrants++;
    if (!r.first.s || e.time < r.first.time) {
      r.second = r.first;
      r.first = e;
    } else if (!r.second.s || e.time < r.second.time) {
      r.second = e;
    }
  }
  return r;
}

bool race_leads(const race *r)
{
  const double sure = 0.9;

  return r->entrants == 1 ||
         answer_faster(&r->first.s->q, r->first.a, r->second.a, 1.0) >= sure;
}

size_t entrants_list(const comparison *c, int gpus, entrant *of)
{
  size_t n = 0;

  for (size_t s = 0; s < c->n; s++) {
    const question *q = &c->v[s].q;
    const size_t j = question_gpus(q, gpus);
    const entrant best = entrant_best(&c->v[s], gpus);

    for (size_t i = 0; j < q->n && best.s && i < q->paradigms; i++) {
      const answer *a = &c->v[s].a[i * q->n + j];

      if (!paradigm_counts(q, a) || (i != best.paradigm && gpus == 1)) continue;
      of[n++] = (entrant){&c->v[s], i, gpus, a->p.time, a};
    }
  }
  return n;
}

enum {
  DRAWS = 1000
};

size_t entrants_most(const comparison *c)
{
  return c->n * PARADIGMS_MAX;
}

int race_weigh(const comparison *c, race *r, failure *why)
{
  entrant *of = malloc(entrants_most(c) * sizeof *of);
  size_t *row = malloc(entrants_most(c) * sizeof *row);
  double *share = malloc(entrants_most(c) * sizeof *share);
  gscale_diag diag;
  gscale_status st = of && row && share ? GSCALE_OK : GSCALE_ENOMEM;

  if (st == GSCALE_OK) {
    const size_t n = entrants_list(c, r->first.gpus, of);
    for (size_t i = 0; i < n; i++) row[i] = of[i].a->row;
    st = gscale_joint_best(c->joint, row, n, DRAWS, share, &diag);
    for (size_t i = 0; st == GSCALE_OK && i < n; i++)
      if (of[i].s == r->first.s) r->any += share[i];
  } else {
    snprintf(diag.text, sizeof diag.text, "no memory to compare");
  }
  free(of);
  free(row);
  free(share);
  return check_gscale(why, st, &diag);
}

const char *entrant_paradigm(const entrant *e)
{
  return question_paradigm(&e->s->q, e->paradigm);
}

size_t entrant_tied(const entrant *e, size_t *of)
{
  const size_t j = question_gpus(&e->s->q, e->gpus);

  return question_tied(&e->s->q, e->s->a, j, of);
}

bool entrants_alike(const entrant *a, const entrant *b)
{
  return a->s == b->s &&
         (a->gpus == 1 || b->gpus == 1 ||
          strcmp(entrant_paradigm(a), entrant_paradigm(b)) == 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
