/* cuda_stream.c - cuda-stream, memory bandwidth of one GPU.
 *
 *   Array size (double precision) = 536.87 MB
 *   Function      Rate (GiB/s)  Avg time(s)  Min time(s)  Max time(s)
 *   Copy:         500.6928      0.00200073   0.00199723   0.00200891
 *
 * Copy reads one array and writes another, which is our membw. Of its runs
 * cuda-stream tells the best. */

#include "import/import.h"

typedef struct logfile {
  gscale__source *s;
  double array; /* B */
} logfile;

static gscale_status copied(logfile *l, const gscale__part *word)
{
  gscale_measurement row = gscale__sample("membw", "0", "0", 1, "kernel");
  double rate;
  const gscale_status st = gscale__number(l->s, word[1], "Rate", &rate);

  if (st != GSCALE_OK) return st;
  if (!(l->array > 0.0))
    return gscale__bad(l->s, word[0].at, "a rate before the array size");
  row.size = 2.0 * l->array;
  row.time = gscale__time_of(row.size, rate * 0x1p30);
  return gscale__add(l->s, word[0].at, &row);
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  gscale_status st = GSCALE_OK;

  if (n == 7 && gscale__begins(line, "Array size ")) {
    st = gscale__number(l->s, word[5], "array size", &l->array);
    l->array *= 1e6;
  }
  return n == 5 && gscale__is(word[0], "Copy:") ? copied(l, word) : st;
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s};
  return gscale__read_lines(s, SIZE_MAX, read_line, &l);
}

const gscale__format gscale__format_cuda_stream = {
    "cuda-stream", "STREAM Benchmark", "Rate (GiB/s)", false, read};
/* SPDX-License-Identifier: GPL-3.0-or-later */
