/* beside.c - rows of logs beside their neighbours, and files beside others. */

#include "expect/expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row is odd that takes so much longer, in logs, than its twin lets expect,
 * or than all extrapolations from its neighbours. Of 1900 rows of 35 healthy
 * logs 2.0 % are. */
static const struct {
  double below, twin, neighbours; /* B */
} odd_from[] = {{1048576.0, 0.10, 0.11},
                {EXPECT_LARGE, 0.10, 0.20},
                {INFINITY, 0.07, 0.11}};

/* A pair is odd that takes so much longer, in logs, than most of a matrix. A
 * GPU of eight is in a quarter of the pairs, and bridges or roots may join
 * fewer than half of them. Pairs are alike if the system has equal times. */
static const double PAIR_ODD = 0.15, MOST_PAIRS = 0.7, ALIKE = 0.1;

enum {
  BESIDE = 3, /* neighbours to a side */
  PAIRS = 4,  /* least of a matrix */
  REACH = 64  /* rows between neighbours */
};

/* A file is off if it takes longer than the median of all files by FILE_OFF
 * plus their spread, or, of two files, longer than the other one by OTHER_OFF.
 */
static const double FILE_OFF = 0.05, OTHER_OFF = 0.10;

bool same_series(const gscale_measurement *a, const gscale_measurement *b)
{
  return strcmp(a->bench, b->bench) == 0 && strcmp(a->access, b->access) == 0 &&
         (strcmp(a->access, "copy") == 0 || strcmp(a->dst, b->dst) == 0) &&
         a->gpus == b->gpus;
}

void link_rows(logs *l, size_t i)
{
  judged *const a = &l->row[i];

  for (size_t k = i + 1; k < l->n && k < i + REACH; k++) {
    judged *const b = &l->row[k];

    if (b->file != a->file) return;
    if (b->r->line == a->r->line && strcmp(b->r->access, a->r->access) != 0) {
      a->twin = k;
      b->twin = i;
    }
    if (!same_series(a->r, b->r) || !(b->bytes > 0.0 && a->bytes > 0.0))
      continue;
    if (!(b->bytes > a->bytes)) return;
    a->next = k;
    b->prev = i;
    return;
  }
}

/* Returns the time of a row over that of its twin, in logs. */
static double apart(const logs *l, size_t i)
{
  return l->row[i].log - l->row[l->row[i].twin].log;
}

/* Returns by how much more than its neighbours a row exceeds its twin. */
static double beside_twin(const logs *l, size_t i)
{
  double v[2 * BESIDE];
  size_t n = 0;

  if (l->row[i].twin == NOWHERE) return -INFINITY;
  for (int side = 0; side < 2; side++)
    for (size_t j = 0, k = i; j < BESIDE; j++) {
      k = side ? l->row[k].next : l->row[k].prev;
      if (k == NOWHERE) break;
      if (l->row[k].twin != NOWHERE) v[n++] = apart(l, k);
    }
  return apart(l, i) - (n > 0 ? median_of(v, n) : 0.0);
}

/* Returns by how much a row exceeds the line through two others, in logs. */
static double above(const logs *l, size_t i, size_t a, size_t b)
{
  const judged *const p = &l->row[a], *const q = &l->row[b];
  const double x = log(l->row[i].bytes / p->bytes) / log(q->bytes / p->bytes);

  return l->row[i].log - (p->log + x * (q->log - p->log));
}

/* Returns the least excess over the lines through its neighbours. */
static double beside_neighbours(const logs *l, size_t i)
{
  const size_t p = l->row[i].prev, n = l->row[i].next;
  const size_t pp = p == NOWHERE ? p : l->row[p].prev;
  const size_t nn = n == NOWHERE ? n : l->row[n].next;
  double least = INFINITY;
  size_t lines = 0;

  if (p != NOWHERE && n != NOWHERE)
    lines++, least = fmin(least, above(l, i, p, n));
  if (pp != NOWHERE) lines++, least = fmin(least, above(l, i, pp, p));
  if (nn != NOWHERE) lines++, least = fmin(least, above(l, i, n, nn));
  return lines > 1 ? least : -INFINITY;
}

bool has_neighbours(const logs *l, size_t i)
{
  const judged *const j = &l->row[i];

  return isfinite(j->usual) || isfinite(beside_neighbours(l, i)) ||
         (j->twin != NOWHERE && (j->prev != NOWHERE || j->next != NOWHERE));
}

/* Returns the time of a row, over the system's if that is known, in logs. */
static double beside_system(const judged *j)
{
  return j->log - (isfinite(j->e.time) ? log(j->e.time) : 0.0);
}

void find_usual(logs *l, size_t i, double *room)
{
  const judged *const a = &l->row[i];
  size_t n = 0;

  if (isfinite(a->usual)) return;
  for (size_t k = i; k < l->n; k++) {
    judged *const b = &l->row[k];
    if (a->file != b->file || strcmp(a->r->bench, b->r->bench) != 0 ||
        b->bytes > a->bytes || b->bytes < a->bytes ||
        !strpbrk(b->r->dst, "0123456789h"))
      break;
    if (fabs(log(b->e.time / a->e.time)) > ALIKE) continue;
    l->sorted[n] = b;
    room[n++] = beside_system(b);
  }
  if (n < PAIRS) return;
  (void)median_of(room, n); /* sorts */
  const double usual = room[(size_t)(MOST_PAIRS * (double)(n - 1))];
  while (n-- > 0) l->sorted[n]->usual = usual;
}

bool is_odd(const logs *l, size_t i)
{
  size_t k = 0;

  if (beside_system(&l->row[i]) > l->row[i].usual + PAIR_ODD) return true;
  if (!(l->row[i].bytes > 0.0)) return false;
  while (!(l->row[i].bytes < odd_from[k].below)) k++;
  return beside_twin(l, i) > odd_from[k].twin ||
         beside_neighbours(l, i) > odd_from[k].neighbours;
}

/* ---- files ------------------------------------------------------------ */

static int by_key(const void *a, const void *b)
{
  return strcmp((*(judged *const *)a)->key, (*(judged *const *)b)->key);
}

/* Adds the rows of one key to the excess of their files. */
static void add_key(logs *l, judged *const *row, size_t n, double *v)
{
  for (size_t i = 0; i < n; i++) v[i] = row[i]->log;
  const double usual = n == 2 ? fmin(v[0], v[1]) : median_of(v, n);

  for (size_t i = 0; i < n; i++) {
    l->file[row[i]->file].off += row[i]->log - usual;
    l->file[row[i]->file].shared++;
  }
}

void compare_files(logs *l, double *room)
{
  judged **const sorted = l->sorted;
  size_t files = 0;

  for (size_t i = 0; i < l->n; i++) sorted[i] = &l->row[i];
  qsort(sorted, l->n, sizeof *sorted, by_key);
  for (size_t i = 0, k; i < l->n; i = k) {
    for (k = i + 1; k < l->n && by_key(&sorted[i], &sorted[k]) == 0;) k++;
    if (sorted[i]->file != sorted[k - 1]->file || k - i > 2)
      add_key(l, sorted + i, k - i, room);
  }
  for (size_t f = 0; f < l->o->arguments; f++) {
    if (l->file[f].shared == 0) continue;
    l->file[f].off /= (double)l->file[f].shared;
    room[files++] = fabs(l->file[f].off);
  }
  const double limit =
      files == 2 ? OTHER_OFF
                 : FILE_OFF + (files > 0 ? median_of(room, files) : 0.0);
  for (size_t f = 0; f < l->o->arguments; f++) {
    if (files < 2 || !(l->file[f].off > limit)) l->file[f].off = 0.0;
    l->files_off += l->file[f].off > 0.0;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
