/* benchpress.c - max-rate ping-pongs of BenchPress (time_node_pong_gpu and
 * _cpu): messages between two nodes by one or more pairs of ranks. The output
 * is
 *
 *   Timing GPU Max-Rate Ping Pongs
 *   Size 1024 <time> <time>
 *
 * with one-way times in s. `Size` counts floats of a node, which the pairs of a
 * column share. Each column is a net_latency of its pairs, which send
 * simultaneously. */

#include "import/import.h"

#include <math.h>

typedef struct logfile {
  gscale__source *s;
  bool titled, device;
} logfile;

/* A time of -1 marks a size that did not run. */
static gscale_status add(logfile *l, gscale__part word, double floats,
                         int pairs)
{
  const double each = floor(floats / pairs); /* floats of a pair */
  gscale_measurement row = gscale__sample(
      "net_latency", "all", "nodes", 2 * pairs, l->device ? "gpu" : "host");
  const gscale_status st = gscale__number(l->s, word, "time", &row.time);

  if (st != GSCALE_OK) return st;
  if (row.time < 0.0 || each < 1.0) return gscale__skip(l->s);
  row.size = 4.0 * each;
  return gscale__add(l->s, word.at, &row);
}

static gscale_status read_size(logfile *l, gscale__part line,
                               const gscale__part *word, size_t n)
{
  double floats;
  gscale_status st;

  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a row");
  if (n < 3) return gscale__bad(l->s, line.at, "a size without times");
  st = gscale__number(l->s, word[1], "size", &floats);
  if (st == GSCALE_OK && !(floats >= 1.0))
    return gscale__bad(l->s, word[1].at, "size: below one float");
  for (size_t i = 2; st == GSCALE_OK && i < n; i++)
    st = add(l, word[i], floats, (int)i - 1);
  return st;
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;

  if (gscale__begins(line, "Timing ")) {
    l->titled = gscale__find(line, "Max-Rate") != NULL;
    l->device = gscale__find(line, "GPU") != NULL;
    return GSCALE_OK;
  }
  if (!l->titled || n == 0 || !gscale__is(word[0], "Size")) return GSCALE_OK;
  if (n > GSCALE__TOKENS_MAX)
    return gscale__bad(l->s, line.at, "too many words");
  return read_size(l, line, word, n);
}

static bool detect(const gscale__source *s)
{
  return gscale__has(s, "Timing GPU Max-Rate Ping") ||
         gscale__has(s, "Timing Max-Rate CPU Ping");
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s};
  const gscale_status st = gscale__read_lines(s, SIZE_MAX, read_line, &l);

  return st == GSCALE_OK ? gscale__some_rows(s) : st;
}

const gscale__format gscale__format_benchpress = {"benchpress", detect, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
