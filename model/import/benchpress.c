/* benchpress.c - the max-rate ping-pongs of BenchPress (time_node_pong_gpu and
 * _cpu): messages between two nodes, of one pair of ranks, of two, ...
 *
 *   Timing GPU Max-Rate Ping Pongs
 *   Size 1024 <time> <time> ...       one way, s
 *
 * `Size` counts floats of a node, which the pairs of a column share.  Each is a
 * net_latency of its pairs, which all send at once. */

#include "import/import.h"

#include <math.h>

enum {
  PAIRS_MOST = 512
};

typedef struct logfile {
  gscale__source *s;
  bool titled, device;
} logfile;

/* -1 where a size was not run. */
static gscale_status add(logfile *l, gscale__part word, double floats,
                         int pairs)
{
  const double each = floor(floats / pairs); /* floats of a pair */
  gscale_measurement row = gscale__sample(
      "net_latency", "all", "nodes", 2 * pairs, l->device ? "gpu" : "host");
  const gscale_status st = gscale__number(l->s, word, "time", &row.time);

  if (st != GSCALE_OK) return st;
  if (row.time < 0.0 || each < 1.0) {
    l->s->skipped++;
    return GSCALE_OK;
  }
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
  if (n > PAIRS_MOST) return gscale__bad(l->s, line.at, "too many pairs");
  for (size_t i = 2; st == GSCALE_OK && i < n; i++)
    st = add(l, word[i], floats, (int)i - 1);
  return st;
}

static gscale_status read_line(logfile *l, gscale__part line)
{
  gscale__part word[GSCALE__TOKENS_MAX];
  const size_t n = gscale__split(line, word);

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

bool gscale__is_benchpress(const gscale__source *s)
{
  return gscale__has(s, "Timing GPU Max-Rate Ping") ||
         gscale__has(s, "Timing Max-Rate CPU Ping");
}

gscale_status gscale__read_benchpress(gscale__source *s)
{
  logfile l = {.s = s};
  gscale_status st = GSCALE_OK;
  const char *at = s->text;
  gscale__part line;

  while (st == GSCALE_OK && gscale__next_line(s, &at, &line))
    st = read_line(&l, line);
  if (st == GSCALE_OK && s->rows + s->skipped == 0)
    st = gscale__cut(s, "before the first row");
  return st;
}
