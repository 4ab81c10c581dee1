/* p2p.c - matrices of p2pBandwidthLatencyTest of the CUDA samples.
 *
 * Copies between GPUs with peer access are `dma`, and bidirectional copies are
 * `dma_duplex`.  Copies without peer access (P2P=Disabled, or pairs that the
 * connectivity matrix denies) are `staged_copy`.  Copies within a GPU (the
 * diagonal) and the host's issue time count as skipped. */

#include "import/import.h"

#include <string.h>

/* The output lacks the sizes, which are constants of the program. */
static const double BANDWIDTH_SIZE = 4.0 * 10000000; /* ten million ints */
static const double LATENCY_SIZE = 16.0;             /* one int4 */

typedef enum matrix {
  NONE,
  REACHES, /* 1: peer access */
  ONE_WAY,
  BOTH_WAYS,
  LATENCY,
  ISSUE /* the host's part of the latency */
} matrix;

typedef struct logfile {
  gscale__source *s;
  matrix title, matrix; /* announced and current matrix */
  bool peer;            /* P2P=Enabled */
  bool reads;           /* copies go from j to i */
  bool recent;          /* CUDA 10, "(P2P Writes)" */
  size_t n, rows;
  size_t reach[2]; /* pairs without and with peer access */
  bool denied[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX];
} logfile;

/* Reads a title such as "Unidirectional P2P=Enabled Bandwidth (P2P Writes)
 * Matrix (GB/s)". */
static bool read_title(logfile *l, gscale__part line)
{
  if (gscale__find(line, "P2P Connectivity Matrix")) {
    l->title = REACHES;
    return true;
  }
  if (!gscale__find(line, "P2P=") || !gscale__find(line, "Matrix"))
    return false;
  l->title = NONE;
  if (gscale__find(line, "Latency") && gscale__find(line, "(us)"))
    l->title = LATENCY;
  else if (gscale__find(line, "(GB/s)") && gscale__begins(line, "Uni"))
    l->title = ONE_WAY;
  else if (gscale__find(line, "(GB/s)") && gscale__begins(line, "Bi"))
    l->title = BOTH_WAYS;
  l->peer = gscale__find(line, "P2P=Enabled") != NULL;
  l->reads = l->recent ? gscale__find(line, "P2P Reads") != NULL : true;
  return true;
}

/* Returns true for the first line of a matrix, such as " D\D 0 1". */
static bool is_header(const gscale__part *word, size_t n)
{
  return n > 1 &&
         (gscale__is(word[0], "D\\D") || gscale__is(word[0], "GPU") ||
          gscale__is(word[0], "CPU")) &&
         gscale__counts(word + 1, n - 1);
}

static gscale_status start_matrix(logfile *l, gscale__part line,
                                  const gscale__part *word, size_t n)
{
  if (l->title == NONE)
    return gscale__bad(l->s, line.at, "a matrix without a title we know");
  if (n - 1 > GSCALE__LINKED_MAX)
    return gscale__bad(l->s, line.at, "more than %d GPUs",
                       (int)GSCALE__LINKED_MAX);
  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a matrix");
  l->matrix = gscale__is(word[0], "CPU") ? ISSUE : l->title;
  l->n = n - 1;
  l->rows = 0;
  return GSCALE_OK;
}

static const char *bench_of(const logfile *l, size_t i, size_t j)
{
  if (!l->peer || l->denied[i][j])
    return l->matrix == BOTH_WAYS ? "staged_copy_duplex" : "staged_copy";
  return l->matrix == BOTH_WAYS ? "dma_duplex" : "dma";
}

static gscale_status add(logfile *l, const char *at, size_t j, double value)
{
  const size_t i = l->rows;
  char row[12], column[12];

  if (value < 0.0) return gscale__bad(l->s, at, "a negative number");
  if (l->matrix == REACHES) {
    l->denied[i][j] = value == 0.0;
    if (i != j) l->reach[value != 0.0]++;
    return GSCALE_OK;
  }
  if (i == j || l->matrix == ISSUE) return gscale__skip(l->s);
  gscale__end(row, sizeof row, (int)i);
  gscale__end(column, sizeof column, (int)j);
  gscale_measurement m =
      gscale__sample(bench_of(l, i, j), l->reads ? column : row,
                     l->reads ? row : column, 2, "copy");
  if (l->matrix == LATENCY) {
    m.size = LATENCY_SIZE;
    m.time = value / 1e6;
  } else {
    m.size = BANDWIDTH_SIZE;
    m.count = l->matrix == BOTH_WAYS ? 2.0 : 1.0;
    m.time = gscale__time_of(m.size * m.count, value * 1e9);
  }
  return gscale__add(l->s, at, &m);
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  gscale_status st = gscale__check_row(l->s, line, word, n, l->n, &l->rows);
  double value;

  for (size_t j = 0; j < l->n && st == GSCALE_OK; j++) {
    st = gscale__number(l->s, word[j + 1], "cell", &value);
    if (st == GSCALE_OK) st = add(l, word[j + 1].at, j, value);
  }
  if (st == GSCALE_OK && ++l->rows == l->n) l->matrix = NONE;
  return st;
}

static gscale_status end_matrix(logfile *l, const char *at)
{
  const bool open = l->matrix != NONE;

  l->matrix = NONE;
  return open
             ? gscale__bad(l->s, at, "a matrix of %zu GPUs ends before row %zu",
                           l->n, l->n - 1)
             : GSCALE_OK;
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  double number;

  if (n == 0) return GSCALE_OK;
  if (l->matrix != NONE && gscale__is_number(word[0], &number))
    return read_row(l, line, word, n);
  if (read_title(l, line)) return end_matrix(l, line.at);
  return is_header(word, n) ? start_matrix(l, line, word, n) : GSCALE_OK;
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s, .recent = gscale__has(s, "(P2P ")};
  const gscale_status st =
      gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);

  if (st != GSCALE_OK) return st;
  if ((l.reach[0] == 0) != (l.reach[1] == 0)) /* otherwise peer access is mixed
                                               * or unknown */
    gscale__remark(s, GSCALE_REMARK_PEER, s->text, "%s",
                   l.reach[0] > 0 ? "none" : "all");
  return l.matrix != NONE ? gscale__cut(s, "inside a matrix") : GSCALE_OK;
}

const gscale__format gscale__format_p2p = {"p2pBandwidthLatencyTest",
                                           "P2P=", "D\\D", false, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
