/* t_groups.c - rows that are alike, and texts that are kept once, against what
 * looking at each pair says. */

#include "random.h"
#include "validate/groups.h"
#include "validate/intern.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <string.h>

enum {
  ROWS = 3000,
  KINDS = 200
};

static int kind[ROWS];

/* Few hashes, so that kinds meet in the table. */
static uint64_t hash_kind(const void *all, size_t i)
{
  return (uint64_t)((const int *)all)[i] % 7;
}

static bool same_kind(const void *all, size_t i, size_t j)
{
  const int *k = all;

  return k[i] == k[j];
}

static size_t first_like(size_t i)
{
  size_t j = 0;

  while (kind[j] != kind[i]) j++;
  return j;
}

static size_t next_like(size_t i)
{
  size_t j = i + 1;

  while (j < ROWS && kind[j] != kind[i]) j++;
  return j < ROWS ? j : NO_ROW;
}

static void groups(void)
{
  const likeness like = {hash_kind, same_kind, kind};
  rng r = {7};
  size_t bad_first = 0, bad_next = 0;

  for (size_t i = 0; i < ROWS; i++) kind[i] = pick(&r, KINDS);
  size_t *first = group_rows(ROWS, like);
  size_t *next = chain_rows(ROWS, first);
  for (size_t i = 0; i < ROWS; i++) {
    bad_first += first[i] != first_like(i);
    bad_next += next[i] != next_like(i);
  }
  gsl_test_int((int)bad_first, 0, "the first row like each of %d", ROWS);
  gsl_test_int((int)bad_next, 0, "the next row like each of them");
  free(first);
  free(next);
  first = group_rows(1, like);
  gsl_test_int((int)first[0], 0, "one row");
  free(first);
}

static void texts(void)
{
  static const char *kept[KINDS];
  lexicon l = {0};
  size_t bad = 0;
  char text[64];

  for (int round = 0; round < 2; round++)
    for (int i = 0; i < KINDS; i++) {
      snprintf(text, sizeof text, "n=%d", i * i);
      const char *at = lexicon_keep(&l, text);
      bad += strcmp(at, text) != 0 || (round > 0 && at != kept[i]);
      kept[i] = at;
    }
  gsl_test_int((int)bad, 0, "a text has one address");
  static char large[100000];
  memset(large, 'x', sizeof large - 1);
  gsl_test(strcmp(lexicon_keep(&l, large), large) != 0, "a long text");
  gsl_test(strcmp(kept[3], "n=9") != 0, "    ... moves no other");
  lexicon_free(&l);
}

int main(void)
{
  groups();
  texts();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
