/* babelstream.c - BabelStream, memory bandwidth of one GPU.
 *
 *   Array size: 268.4 MB (=0.3 GB)
 *   Function    MBytes/sec  Min (sec)   Max         Average
 *   Copy        1368294.603 0.00039     0.00041     0.00040
 *
 * Copy reads one array and writes another, which is our membw. Of its runs
 * BabelStream tells the best. */

#include "import/import.h"

typedef struct logfile {
  gscale__source *s;
  double array; /* B */
} logfile;

static gscale_status copied(logfile *l, const gscale__part *word)
{
  gscale_measurement row = gscale__sample("membw", "0", "0", 1, "kernel");
  double rate;
  const gscale_status st = gscale__number(l->s, word[1], "MBytes/sec", &rate);

  if (st != GSCALE_OK) return st;
  if (!(l->array > 0.0))
    return gscale__bad(l->s, word[0].at, "a time before the array size");
  row.size = 2.0 * l->array;
  row.time = gscale__time_of(row.size, rate * 1e6);
  return gscale__add(l->s, word[0].at, &row);
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  gscale_status st = GSCALE_OK;

  if (n >= 4 && gscale__begins(line, "Array size: ")) {
    st = gscale__number(l->s, word[2], "array size", &l->array);
    l->array *= 1e6;
  }
  return n == 5 && gscale__is(word[0], "Copy") ? copied(l, word) : st;
}

static bool detect(const gscale__source *s)
{
  return gscale__has(s, "BabelStream\n");
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s};
  return gscale__read_lines(s, SIZE_MAX, read_line, &l);
}

const gscale__format gscale__format_babelstream = {"babelstream", detect, read};
/* SPDX-License-Identifier: GPL-3.0-or-later */
