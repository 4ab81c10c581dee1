/* consensus.c - finds the consensus of many sequences. The consensus is the
 * longest sequence without symbols that most others lack, plus symbols that
 * most others have in addition. */

#include "describe/consensus.h"
#include "gpuscale/units.h"

#include <stdlib.h>

enum {
  AHEAD = 12, /* longest gap */
  AGREE = 2,  /* matches after a gap */
  TURNS = 3
};

#define NOWHERE SIZE_MAX

/* ---- two sequences ------------------------------------------------------ */

bool same_from(const uint32_t *a, size_t n, size_t i, const uint32_t *b,
               size_t m, size_t j, bool round)
{
  for (size_t k = 0; k < AGREE; k++) {
    const size_t at = round ? (j + k) % m : j + k;
    if (i + k >= n || at >= m) return k > 0;
    if (a[i + k] != b[at]) return false;
  }
  return true;
}

bool meet_again(const uint32_t *a, size_t n, size_t *i, const uint32_t *b,
                size_t m, size_t *j, bool round)
{
  for (size_t d = 1; d <= AHEAD; d++)
    for (size_t more = 0; more <= d; more++) {
      const size_t to = *j + d - more;
      if (*i + more >= n || (!round && to >= m)) continue;
      if (!same_from(a, n, *i + more, b, m, to, round)) continue;
      *i += more;
      *j = to;
      return true;
    }
  return false;
}

void align(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t *at)
{
  size_t i = 0, j = 0;

  for (size_t k = 0; k < m; k++) at[k] = NOWHERE;
  while (i < n && j < m) {
    if (a[i] != b[j] && !meet_again(a, n, &i, b, m, &j, false)) {
      i++, j++;
      continue;
    }
    at[j++] = i++;
  }
}

/* ---- votes -------------------------------------------------------------- */

/* The additional symbol `turn` of a sequence, before symbol `before` of the
 * consensus. */
typedef struct extra {
  size_t before, turn, of, at;
  uint32_t symbol;
} extra;

static int by_place(const void *a, const void *b)
{
  const extra *const x = a, *const y = b;
  if (x->before != y->before) return x->before < y->before ? -1 : 1;
  if (x->turn != y->turn) return x->turn < y->turn ? -1 : 1;
  if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
  return GSCALE_ORDER(x->of, y->of);
}

typedef struct votes {
  size_t *have; /* number of sequences with each symbol */
  extra *v;
  size_t n, room;
} votes;

static bool add_extra(votes *v, const extra *e)
{
  extra *const more = gscale_reserve(v->v, &v->room, v->n + 1, sizeof *more);
  if (!more) return false;
  v->v = more;
  more[v->n++] = *e;
  return true;
}

/* Counts the symbols of a sequence, and lists those not in the consensus. */
static bool vote(const sequences *s, size_t k, const agreed *a, size_t *at,
                 votes *v)
{
  const uint32_t *const own = s->symbol + s->from[k];
  const size_t n = s->from[k + 1] - s->from[k];
  size_t i = 0;

  align(own, n, a->symbol, a->n, at);
  for (size_t j = 0; j <= a->n; j++) {
    const size_t to = j < a->n ? at[j] : n;
    if (to == NOWHERE) continue;
    v->have[j]++;
    for (size_t turn = 0; i < to; i++, turn++)
      if (!add_extra(v, &(extra){j, turn, k, i, own[i]})) return false;
    i = to + 1;
  }
  return true;
}

/* ---- the consensus ------------------------------------------------------ */

static bool make_room(agreed *a, size_t n)
{
  a->symbol = malloc((n + 1) * sizeof *a->symbol);
  a->of = malloc((n + 1) * sizeof *a->of);
  a->at = malloc((n + 1) * sizeof *a->at);
  return a->symbol && a->of && a->at;
}

static void append_symbol(agreed *to, uint32_t symbol, size_t of, size_t at)
{
  to->symbol[to->n] = symbol;
  to->of[to->n] = of;
  to->at[to->n++] = at;
}

void agreed_free(agreed *a)
{
  free(a->symbol);
  free(a->of);
  free(a->at);
  *a = (agreed){0};
}

/* Builds the consensus by the votes. Returns false without memory. */
static bool build_consensus(const sequences *s, votes *v, agreed *a)
{
  agreed next = {0};
  size_t i = 0;

  if (!make_room(&next, a->n + v->n)) {
    agreed_free(&next);
    return false;
  }
  if (v->n > 0) qsort(v->v, v->n, sizeof *v->v, by_place);
  for (size_t j = 0; j <= a->n; j++) {
    for (size_t same; i < v->n && v->v[i].before == j; i += same) {
      for (same = 1; i + same < v->n && v->v[i + same].before == j &&
                     v->v[i + same].turn == v->v[i].turn &&
                     v->v[i + same].symbol == v->v[i].symbol;)
        same++;
      if (2 * same > s->n)
        append_symbol(&next, v->v[i].symbol, v->v[i].of, v->v[i].at);
    }
    if (j < a->n && 2 * v->have[j] > s->n)
      append_symbol(&next, a->symbol[j], a->of[j], a->at[j]);
  }
  agreed_free(a);
  *a = next;
  return true;
}

/* Returns the longest sequence that is at most 1.25 times as long as usual. */
static size_t longest(const sequences *s)
{
  size_t best = 0, total = s->from[s->n];

  for (size_t k = 1; k < s->n; k++) {
    const size_t n = s->from[k + 1] - s->from[k];
    const size_t most = s->from[best + 1] - s->from[best];
    const bool odd = 4 * n * s->n > 5 * total + 4 * s->n;
    if (n > most && !odd) best = k;
  }
  return best;
}

bool agree_on(const sequences *s, agreed *out)
{
  const size_t first = longest(s), n = s->from[first + 1] - s->from[first];
  bool done = make_room(out, n);

  out->n = 0;
  for (size_t i = 0; done && i < n; i++)
    append_symbol(out, s->symbol[s->from[first] + i], first, i);
  for (int turn = 0; done && turn < TURNS; turn++) {
    votes v = {.have = calloc(out->n + 1, sizeof *v.have)};
    size_t *const at = malloc((out->n + 1) * sizeof *at);
    done = v.have && at;
    for (size_t k = 0; done && k < s->n; k++) done = vote(s, k, out, at, &v);
    if (done) done = build_consensus(s, &v, out);
    free(at);
    free(v.have);
    free(v.v);
  }
  if (!done) agreed_free(out);
  return done;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
