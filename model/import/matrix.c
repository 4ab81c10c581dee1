/* matrix.c - matrices over GPU pairs: the text of nvbandwidth and of
 * p2pBandwidthLatencyTest of the CUDA samples.
 *
 * Copies between GPUs with peer access are `dma`, and bidirectional copies are
 * `dma_duplex`.  Copies without peer access (P2P=Disabled, or pairs that the
 * connectivity matrix denies) are `staged_copy`.  Copies within a GPU (the
 * diagonal) and the host's issue time count as skipped, as do nvbandwidth's
 * tests of kernels (_sm), of latency and of local memory. */

#include "import/import.h"

#include <string.h>

/* The output lacks the sizes, which are constants of p2pBandwidthLatencyTest
 * and the default of nvbandwidth, whose latency is negligible. */
static const double P2P_SIZE = 4.0 * 10000000; /* ten million ints */
static const double LATENCY_SIZE = 16.0;       /* one int4 */
static const double SIZE = 512.0 * 1024 * 1024;

/* ---- cells --------------------------------------------------------------- */

gscale__copies gscale__classify(gscale__part name, gscale__part about)
{
  const bool both = gscale__find(name, "bidirectional");
  const bool engine =
      name.size > 3 && memcmp(name.at + name.size - 3, "_ce", 3) == 0;
  gscale__copies t = {.size = SIZE, .count = 1.0};

  if (!engine || !gscale__find(about, "(column) ") ||
      !gscale__find(about, "bandwidth (GB/s)"))
    return t;
  if (gscale__find(about, "Total")) t.count = 2.0; /* of both directions */
  t.host = gscale__find(about, "CPU(row)");
  t.all = t.host && gscale__find(name, "all");
  t.down = t.host ? gscale__begins(name, "host_to_")
                  : gscale__find(about, ") -> ") != NULL;
  if (t.all)
    t.bench = both ? NULL : "dma_pinned_all";
  else if (t.host)
    t.bench = both ? "dma_pinned_duplex" : "dma_pinned";
  else if (gscale__begins(name, "device_to_device_"))
    t.bench = both ? "dma_duplex" : "dma";
  return t;
}

/* Returns the copies of a title such as "Unidirectional P2P=Enabled Bandwidth
 * (P2P Writes) Matrix (GB/s)".  Since CUDA 10 the direction is in brackets, and
 * before GPUs read. */
static gscale__copies titled(gscale__part line, bool recent)
{
  const bool both = gscale__begins(line, "Bi");
  const bool peer = gscale__find(line, "P2P=Enabled") != NULL;
  const bool latency = gscale__find(line, "Latency");

  return (gscale__copies){.bench = peer   ? both ? "dma_duplex" : "dma"
                                   : both ? "staged_copy_duplex"
                                          : "staged_copy",
                          .down = recent && !gscale__find(line, "P2P Reads"),
                          .latency = latency,
                          .size = latency ? LATENCY_SIZE : P2P_SIZE,
                          .count = both ? 2.0 : 1.0};
}

gscale_status gscale__add_copy(gscale__source *s, const char *at,
                               const gscale__copies *t, size_t row,
                               size_t column, size_t n, double value)
{
  char from[12] = "h", to[12];
  const int gpus = t->all ? (int)n : t->host ? 1 : 2;

  if (value == 0.0) return GSCALE_OK;
  if (value < 0.0) return gscale__bad(s, at, "a negative number");
  if (!t->bench || (!t->host && row == column)) return gscale__skip(s);
  if (!t->host) gscale__end(from, sizeof from, (int)row);
  gscale__end(to, sizeof to, (int)column);
  gscale_measurement m = gscale__sample(t->bench, t->down ? from : to,
                                        t->down ? to : from, gpus, "copy");
  m.size = t->size;
  m.count = t->count;
  m.time =
      t->latency ? value / 1e6 : gscale__time_of(m.size * m.count, value * 1e9);
  return gscale__add(s, at, &m);
}

/* ---- text ---------------------------------------------------------------- */

typedef struct logfile {
  gscale__source *s;
  gscale__part name;    /* of the current test of nvbandwidth */
  gscale__copies of;    /* what the matrix tells */
  bool titled, reaches; /* has a title; cells are 1 for peer access */
  bool square, recent;
  size_t columns, rows; /* columns (0: no matrix) and rows */
  size_t reach[2];      /* pairs without and with peer access */
  bool denied[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX];
} logfile;

static gscale_status end_matrix(logfile *l, const char *at)
{
  const size_t rows = l->rows, columns = l->columns;

  l->columns = l->rows = 0;
  l->titled = false;
  return columns == 0 || (!l->square && rows > 0)
             ? GSCALE_OK
             : gscale__bad(l->s, at, "%zu rows of a matrix with %zu columns",
                           rows, columns);
}

static gscale_status add(logfile *l, const char *at, size_t j, double value)
{
  const size_t i = l->rows;
  gscale__copies t = l->of;

  if (l->reaches) {
    l->denied[i][j] = value == 0.0;
    if (i != j) l->reach[value != 0.0]++;
    return GSCALE_OK;
  }
  if (t.bench && l->square && l->denied[i][j])
    t.bench = t.count > 1.0 ? "staged_copy_duplex" : "staged_copy";
  return gscale__add_copy(l->s, at, &t, i, j, l->columns, value);
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  double number;
  gscale_status st = GSCALE_OK;

  if (n != l->columns + 1 || !gscale__whole(l->s, line))
    return gscale__bad(l->s, line.at, "%zu words in a row of %zu columns", n,
                       l->columns);
  if (!gscale__is_number(word[0], &number) || !(number >= (double)l->rows) ||
      number >= (double)l->columns)
    return gscale__bad(l->s, word[0].at, "row %zu is expected", l->rows);
  l->rows = (size_t)number;
  for (size_t j = 0; j < l->columns && st == GSCALE_OK; j++) {
    if (gscale__is(word[j + 1], "N/A")) continue;
    st = gscale__number(l->s, word[j + 1], "cell", &number);
    if (st == GSCALE_OK) st = add(l, word[j + 1].at, j, number);
  }
  if (st == GSCALE_OK && ++l->rows == l->columns && l->square) l->columns = 0;
  return st;
}

/* Returns the number of columns of a head such as " D\D 0 1", or 0. */
static size_t head_of(logfile *l, const gscale__part *word, size_t n)
{
  const bool corner = gscale__is(word[0], "D\\D") ||
                      gscale__is(word[0], "GPU") || gscale__is(word[0], "CPU");

  if ((!corner && !l->titled) || !gscale__counts(word + corner, n - corner))
    return 0;
  if (gscale__is(word[0], "CPU")) l->of.bench = NULL; /* the host's issue */
  return n - corner;
}

static gscale_status start_matrix(logfile *l, gscale__part line, size_t columns)
{
  if (!l->titled)
    return gscale__bad(l->s, line.at, "a matrix without a title we know");
  if (columns > GSCALE__LINKED_MAX)
    return gscale__bad(l->s, line.at, "more than %d GPUs",
                       (int)GSCALE__LINKED_MAX);
  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a matrix");
  l->columns = columns;
  l->rows = 0;
  return GSCALE_OK;
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  static const char running[] = "Running ";
  logfile *const l = reader;
  const bool reaches = gscale__find(line, "P2P Connectivity Matrix");
  const bool test = gscale__begins(line, running);
  gscale_status st = GSCALE_OK;
  double number;

  if (n == 0) return l->name.size > 0 ? end_matrix(l, line.at) : st;
  if (l->columns > 0 && gscale__is_number(word[0], &number))
    return read_row(l, line, word, n);
  const size_t columns = head_of(l, word, n);
  if (test || reaches ||
      (gscale__find(line, "P2P=") && gscale__find(line, " Matrix"))) {
    st = end_matrix(l, line.at);
    l->reaches = reaches;
    l->titled = l->square = !test;
    l->of = titled(line, l->recent);
    const char *const name = line.at + strlen(running);
    l->name = (gscale__part){name, test ? strcspn(name, " .\n") : 0};
  } else if (l->columns == 0 && columns > 0) {
    return start_matrix(l, line, columns);
  } else if (l->name.size > 0 && gscale__find(line, "(column)")) {
    l->of = gscale__classify(l->name, line);
    l->titled = true;
    l->square = gscale__find(line, "GPU(row)");
  }
  return st;
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s, .recent = gscale__has(s, "(P2P ")};
  const gscale_status st =
      gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);

  if (st != GSCALE_OK) return st;
  /* Otherwise peer access is mixed or unknown. */
  if ((l.reach[0] == 0) != (l.reach[1] == 0))
    gscale__remark(s, GSCALE_REMARK_PEER, s->text, "%s",
                   l.reach[0] > 0 ? "none" : "all");
  return l.columns > 0 && (l.square || l.rows == 0)
             ? gscale__cut(s, "inside a matrix")
             : GSCALE_OK;
}

const gscale__format gscale__format_nvbandwidth = {"nvbandwidth", "Running ",
                                                   "(column)", false, read};
const gscale__format gscale__format_p2p = {"p2pBandwidthLatencyTest",
                                           "P2P=", "D\\D", false, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
