/* supersequence.c - finds the shortest common supersequence of the calls of all
 * GPUs.
 *
 * A GPU at the end of a line copies to one side only, and therefore makes fewer
 * calls than others. Calls common to all GPUs divide a step into places. Each
 * place has the copies of all GPUs by side. */

#include "describe/host.h"

#include <stdlib.h>
#include <string.h>

static const gscale_recorded_what *work_of(const profile *p, const token *t)
{
  return gscale_recording_what(p->r, p->gpu[t->gpu].slot[t->slot].what);
}

static bool goes_out(const profile *p, const token *t)
{
  return t->kind == TOKEN_WORK && work_of(p, t)->copy == GSCALE_RECORDED_P2P;
}

static int partner_of(const profile *p, const token *t)
{
  const int dst = work_of(p, t)->dst;

  return dst >= 0 ? dst : p->gpus == 2 ? 1 - t->gpu : -1;
}

/* Returns the side of a partner in a ring or a line. */
static int side_of(const profile *p, const token *t)
{
  const int n = p->gpus, to = partner_of(p, t);
  const int down = (t->gpu - to + n) % n, up = (to - t->gpu + n) % n;

  return down < up || (down == up && to < t->gpu) ? -1 : 1;
}

static bool is_same_call(const profile *p, const token *a, const token *b)
{
  if (a->kind != b->kind) return false;
  if (a->kind != TOKEN_WORK) return true;
  const gscale_recorded_what *const v = work_of(p, a), *const w = work_of(p, b);
  return v->kind == w->kind && v->copy == w->copy &&
         strcmp(v->name, w->name) == 0;
}

/* Returns the end of the copies to other GPUs that start at call i. */
static size_t end_of_place(const profile *p, const host_thread *h, size_t i)
{
  while (i < h->n && goes_out(p, &h->v[i])) i++;
  return i;
}

/* Returns true if each GPU has a thread and threads differ only in copies. */
static bool are_alike(const profile *p, const host_calls *h)
{
  const host_thread *const a = &h->v[0];

  if (h->n < 2 || h->n != (size_t)p->gpus) return false;
  for (size_t t = 1; t < h->n; t++) {
    const host_thread *const b = &h->v[t];
    size_t i = 0, j = 0;
    for (;; i++, j++) {
      i = end_of_place(p, a, i);
      j = end_of_place(p, b, j);
      if (i == a->n || j == b->n) break;
      if (!is_same_call(p, &a->v[i], &b->v[j])) return false;
    }
    if (i < a->n || j < b->n) return false;
  }
  return true;
}

static size_t count_partners(const profile *p, const token *v, size_t n)
{
  size_t partners = 0;

  for (size_t i = 0; i < n; i++) {
    bool again = !goes_out(p, &v[i]);
    for (size_t k = 0; k < i && !again; k++)
      again =
          goes_out(p, &v[k]) && partner_of(p, &v[k]) == partner_of(p, &v[i]);
    partners += !again;
  }
  return partners;
}

/* Returns the thread with most copies, whose order is used. */
static size_t fullest_thread(const host_calls *h)
{
  size_t best = 0;

  for (size_t t = 1; t < h->n; t++)
    if (h->v[t].n > h->v[best].n) best = t;
  return best;
}

/* ---- a place ------------------------------------------------------------ */

typedef struct merger {
  const profile *p;
  const host_calls *h;
  size_t *at;   /* read position of each thread */
  token *place; /* copies of the place */
  size_t copies, room;
  bool sided;
} merger;

/* Finds the next unused token of the place with the same side. */
static size_t find_copy(const merger *m, const token *t, const bool *taken)
{
  size_t i = 0;

  while (i < m->copies && (taken[i] || m->place[i].side != t->side)) i++;
  return i;
}

/* Matches a thread's copies to the copies of the place, with indices in
 * which[]. Adds unmatched copies. Returns false if memory is exhausted. */
static bool match_copies(merger *m, size_t t, size_t *which)
{
  const host_thread *const h = &m->h->v[t];
  const size_t end = end_of_place(m->p, h, m->at[t]);
  bool *const taken = calloc(m->copies + end - m->at[t] + 1, sizeof *taken);

  for (size_t i = m->at[t]; taken && i < end; i++) {
    const size_t k = find_copy(m, &h->v[i], taken);
    if (k == m->copies) {
      if (m->copies == m->room) break;
      m->place[m->copies++] = h->v[i];
    }
    taken[k] = true;
    which[i - m->at[t]] = k;
  }
  free(taken);
  return taken;
}

static bool copies_to_all(const merger *m, size_t t)
{
  const host_thread *const h = &m->h->v[t];
  const size_t end = end_of_place(m->p, h, m->at[t]);

  return count_partners(m->p, h->v + m->at[t], end - m->at[t]) ==
         count_partners(m->p, h->v, h->n);
}

/* Gathers all copies of a place in the order of the fullest thread. */
static bool gather_copies(merger *m, size_t first, size_t *which)
{
  bool done = true;

  m->copies = 0;
  m->sided = false;
  for (size_t k = 0; done && k < m->h->n; k++)
    done = match_copies(m, (first + k) % m->h->n, which);
  for (size_t t = 0; t < m->h->n; t++)
    m->sided = m->sided || (m->copies > 0 && !copies_to_all(m, t));
  return done;
}

/* ---- a thread ----------------------------------------------------------- */

/* A thread with the copies of other threads added. */
typedef struct wide_thread {
  token *v;
  size_t *from; /* index of the thread's call, or NONE */
  size_t n;
} wide_thread;

static void append_call(wide_thread *g, const token *t, size_t from)
{
  g->v[g->n] = *t;
  g->from[g->n++] = from;
}

/* Adds the copies of a place, and the call after the place, to a thread. */
static void grow_place(merger *m, size_t t, wide_thread *g, const size_t *which)
{
  const host_thread *const h = &m->h->v[t];
  const size_t end = end_of_place(m->p, h, m->at[t]);

  for (size_t k = 0; k < m->copies; k++) {
    size_t own = m->at[t];
    while (own < end && which[own - m->at[t]] != k) own++;
    token copy = own < end ? h->v[own] : m->place[k];
    copy.absent = own == end;
    copy.sided = m->sided;
    append_call(g, &copy, own < end ? own : NONE);
  }
  if (end < h->n) append_call(g, &h->v[end], end);
  m->at[t] = end + 1;
}

/* Computes the times of absent calls. An absent call extends from the end of
 * the previous call to the start of the next call. */
static bool move_times(host_thread *h, const wide_thread *g)
{
  const size_t old = 2 * (h->n + 1), new = 2 * (g->n + 1);
  double *const time = malloc((h->seen * new + 1) * sizeof *time);

  if (!time) return false;
  for (size_t k = 0; k < h->seen; k++) {
    const double *const was = h->time + k * old;
    double *const is = time + k * new;
    is[new - 2] = was[old - 2];
    for (size_t i = 0; i < g->n; i++)
      if (g->from[i] != NONE)
        memcpy(is + 2 * i, was + 2 * g->from[i], 2 * sizeof *is);
    for (size_t i = 0; i < g->n; i++)
      if (g->from[i] == NONE) is[2 * i + 1] = i > 0 ? is[2 * i - 1] : is[0];
    for (size_t i = g->n; i-- > 0;)
      if (g->from[i] == NONE) is[2 * i] = is[2 * i + 2];
  }
  free(h->time);
  h->time = time;
  return true;
}

/* Moves gaps. The gap before an absent call is that of the next call. */
static void move_gaps(const host_thread *h, wide_thread *g)
{
  for (size_t i = g->n; i-- > 0;)
    if (g->from[i] == NONE)
      g->v[i].gap = i + 1 < g->n ? g->v[i + 1].gap : h->rest;
}

static bool replace_calls(host_thread *h, wide_thread *g)
{
  if (!move_times(h, g)) return false;
  move_gaps(h, g);
  free(h->v);
  h->v = g->v;
  h->n = g->n;
  g->v = NULL;
  return true;
}

/* ---- all threads -------------------------------------------------------- */

/* Extends the threads place by place to the end. */
static bool grow_all(merger *m, wide_thread *g, size_t *which)
{
  const size_t first = fullest_thread(m->h);

  while (m->at[first] <= m->h->v[first].n) {
    if (!gather_copies(m, first, which)) return false;
    for (size_t t = 0; t < m->h->n; t++) {
      /* Renews which[], which has the indices of another thread. */
      if (!match_copies(m, t, which)) return false;
      grow_place(m, t, &g[t], which);
    }
  }
  return true;
}

static bool merge(const profile *p, host_calls *h)
{
  size_t most = 1;
  for (size_t t = 0; t < h->n; t++) most += h->v[t].n;
  wide_thread *const g = calloc(h->n, sizeof *g);
  size_t *const which = malloc(most * sizeof *which);
  merger m = {.p = p,
              .h = h,
              .at = calloc(h->n, sizeof *m.at),
              .place = malloc(most * sizeof *m.place),
              .room = most};
  bool done = g && which && m.at && m.place;

  for (size_t t = 0; done && t < h->n; t++) {
    g[t].v = malloc(most * sizeof *g[t].v);
    g[t].from = malloc(most * sizeof *g[t].from);
    done = g[t].v && g[t].from;
  }
  if (done) done = grow_all(&m, g, which);
  for (size_t t = 0; done && t < h->n; t++)
    done = replace_calls(&h->v[t], &g[t]);
  for (size_t t = 0; g && t < h->n; t++) free(g[t].v), free(g[t].from);
  free(g);
  free(which);
  free(m.at);
  free(m.place);
  return done;
}

bool put_together(const profile *p, host_calls *h)
{
  bool apart = false;

  if (!are_alike(p, h)) return true;
  for (size_t t = 0; t < h->n; t++)
    for (size_t i = 0; i < h->v[t].n; i++)
      if (goes_out(p, &h->v[t].v[i])) {
        h->v[t].v[i].side = side_of(p, &h->v[t].v[i]);
        apart = true;
      }
  return !apart || merge(p, h);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
