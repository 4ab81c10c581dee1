/* periodicity.c - finds repeated steps in a sequence without markers.
 *
 * A pair or triple of adjacent symbols that occurs once per step cuts the
 * sequence into steps. A few candidates of each frequency are tried. The best
 * cut gives the shortest encoding, which has the most frequent piece once, plus
 * the symbols in which the sequence differs from a repetition of the piece. The
 * shortest encoding prefers one step to a pair of steps. Missing and additional
 * symbols are tolerated, because profilers lose records. */

#include "describe/commonest.h"
#include "describe/consensus.h"
#include "describe/describe.h"

#include <stdlib.h>

enum {
  SAMPLE = 1 << 16, /* number of searched symbols */
  LEAST = 2,        /* repetitions of a step */
  GRAMS = 3,
  BUCKETS = 256, /* 10 % of frequency each */
  EACH = 4,      /* cuts per bucket */
  FEW = 4        /* micro-steps of a step */
};

/* A repeated sequence. */
typedef struct piece {
  size_t at, n;     /* range of symbols */
  size_t unmatched; /* differences from the repeated piece */
} piece;

/* Compares the repeated piece with `a`, and returns the number of symbols that
 * differ in either. If `begin` is not NULL, stores the starts of the rounds. */
static size_t count_differences(const uint32_t *a, size_t n, const piece *p,
                                size_t *begin, size_t *begins)
{
  const uint32_t *const b = a + p->at;
  size_t matched = 0, vain = 0, j = 0, rounds = 0;
  bool lost = true;

  for (size_t i = 0; i < n; i++) {
    if (lost && !same_from(a, n, i, b, p->n, 0, true)) continue;
    if (lost) j = 0;
    const size_t expected = j;
    if (a[i] != b[j % p->n] && !meet_again(a, n, &i, b, p->n, &j, true)) {
      lost = true;
      continue;
    }
    vain += j - expected;
    /* A round starts with its first match. */
    if (begin && (lost || j >= p->n)) begin[rounds++] = i;
    lost = false;
    j = j % p->n + 1;
    matched++;
  }
  if (begins) *begins = rounds;
  return n - matched + vain;
}

/* ---- cuts --------------------------------------------------------------- */

static uint64_t gram_at(const uint32_t *a, size_t i, int length)
{
  uint64_t h = 0;
  for (int k = 0; k < length; k++)
    h = (h ^ a[i + (size_t)k]) * 0x9E3779B97F4A7C15;
  return h ^ h >> 31;
}

/* Lists the distinct grams, sequences of one length, each at its first place
 * and with its count as `n`. Returns their number. */
static size_t count_grams(const uint32_t *a, size_t n, int length, stretch *v)
{
  size_t m = 0;
  if (n < (size_t)length) return 0;
  for (size_t i = 0; i + (size_t)length <= n; i++)
    v[i] = (stretch){gram_at(a, i, length), i, 1};
  const size_t all = n - (size_t)length + 1;
  qsort(v, all, sizeof *v, by_stretch);
  for (size_t i = 0; i < all; i++)
    if (m > 0 && v[m - 1].key == v[i].key)
      v[m - 1].n++;
    else
      v[m++] = v[i];
  return m;
}

static uint64_t hash_piece(const uint32_t *a, size_t n)
{
  uint64_t h = n;
  for (size_t i = 0; i < n; i++) h = hash_more(h, a[i]);
  return h;
}

/* Returns the most frequent piece between occurrences of a gram. */
static piece cut_by(const uint32_t *a, size_t n, const stretch *g, int length,
                    stretch *room)
{
  size_t pieces = 0, last = NONE, first;
  for (size_t i = 0; i + (size_t)length <= n; i++) {
    if (gram_at(a, i, length) != g->key) continue;
    if (last != NONE)
      room[pieces++] =
          (stretch){hash_piece(a + last, i - last), last, i - last};
    last = i;
  }
  const size_t best = commonest(room, pieces, &first);
  return best >= LEAST || pieces == 1
             ? (piece){.at = room[first].at, .n = room[first].n}
             : (piece){0};
}

/* Returns true if enough grams of this frequency have been tried. */
static bool is_tried(unsigned char *tried, size_t count)
{
  size_t bucket = 0;
  for (double c = (double)count; c > 1.0 && bucket + 1 < BUCKETS; c /= 1.1)
    bucket++;
  return tried[bucket]++ >= EACH;
}

static int by_count(const void *a, const void *b)
{
  const stretch *const x = a, *const y = b;
  if (x->n != y->n) return x->n > y->n ? -1 : 1;
  return GSCALE_ORDER(x->at, y->at);
}

/* Returns true if a piece of a few others has most of what these leave out, as
 * a step of micro-steps has the optimizer. */
static bool completes(const piece *p, const piece *than)
{
  return p->n > than->n && p->n <= FEW * than->n &&
         FEW * p->unmatched < than->unmatched;
}

/* Prefers the shorter encoding, and of equals the shorter piece. */
static bool is_better(const piece *p, const piece *than)
{
  const size_t said = p->n + p->unmatched, before = than->n + than->unmatched;

  if (completes(p, than) || completes(than, p)) return p->n > than->n;
  return than->n == 0 || said < before || (said == before && p->n < than->n);
}

static void try_cuts(const uint32_t *a, size_t n, int length, stretch *v,
                     stretch *room, piece *best)
{
  unsigned char tried[BUCKETS] = {0};
  const size_t m = count_grams(a, n, length, v);

  qsort(v, m, sizeof *v, by_count);
  for (size_t i = 0; i < m && v[i].n >= LEAST; i++) {
    if (is_tried(tried, v[i].n)) continue;
    piece p = cut_by(a, n, &v[i], length, room);
    if (p.n == 0 || LEAST * p.n > n) continue;
    /* A part of a step before the piece is no exception. */
    while (p.n <= FEW * best->n && p.at > 0 && a[p.at - 1] == a[p.at - 1 + p.n])
      p.at--;
    p.unmatched = count_differences(a, n, &p, NULL, NULL);
    if (is_better(&p, best)) *best = p;
  }
}

size_t find_repeats(const uint32_t *symbol, size_t n, size_t *begin,
                    failure *why)
{
  const size_t sample = n < SAMPLE ? n : SAMPLE, from = (n - sample) / 2;
  stretch *const v = malloc((sample + 1) * sizeof *v);
  stretch *const room = malloc((sample + 1) * sizeof *room);
  piece best = {0};
  size_t begins = 0;

  if (!v || !room)
    no_memory(why);
  else
    for (int length = 1; length <= GRAMS; length++)
      try_cuts(symbol + from, sample, length, v, room, &best);
  if (best.n > 0 && 2 * best.unmatched <= sample) {
    best.at += from;
    count_differences(symbol, n, &best, begin, &begins);
  }
  free(v);
  free(room);
  return begins;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
