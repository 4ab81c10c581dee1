/* osu.c - OSU micro-benchmarks: osu_bw, osu_latency, osu_mbw_mr, osu_multi_lat,
 * and collectives.
 *
 * osu_bw and osu_latency between device buffers are a copy from GPU 0 to GPU 1
 * or to the host, including MPI. Between host buffers, both are the bench
 * `mpi`.  The user may add lines before a test.  `# nodes: 2` means that the
 * ranks are on two nodes, so that rows are net_latency and net_bandwidth.
 * osu_mbw_mr always has pairs with one GPU in each node.  `# pairs: 4` is the
 * number of pairs of osu_multi_lat, whose rows are otherwise skipped.  `#
 * ranks: 16` is the number of ranks of all later collectives, with consecutive
 * ranks on each of the nodes of `# nodes: 2`, or all ranks on one node.
 * Collectives of MPI have access `host` or `gpu` and a bench such as
 * mpi_allreduce.  Collectives of NCCL have the benches of nccl-tests. */

#include "import/import.h"

#include <math.h>
#include <string.h>

/* The default number of messages that osu_bw sends before it waits. */
static const double WINDOW = 64.0;

enum {
  RANKS = 1000000 /* most ranks */
};

typedef enum kind {
  OTHER,
  BANDWIDTH,
  LATENCY,
  PAIRS,     /* bandwidths of pairs */
  LATENCIES, /* latencies of pairs */
  ALL_BYTES, /* a collective with the size of nccl-tests */
  OF_RANK,   /* a collective with the size of one of n ranks */
  OF_PAIR    /* a collective with the size of one of n pairs */
} kind;

/* The titles of tests.  The first title in a line decides. */
static const struct {
  const char *title;
  kind kind;
  const char *bench;
} tests[] = {
    {" Multiple Bandwidth", PAIRS, NULL},
    {" Multi Latency", LATENCIES, NULL},
    {" Allreduce Latency", ALL_BYTES, "mpi_allreduce"},
    {" Broadcast Latency", ALL_BYTES, "mpi_broadcast"},
    {" Reduce Latency", ALL_BYTES, "mpi_reduce"},
    {" Allgather Latency", OF_RANK, "mpi_allgather"},
    {" Reduce_scatter Latency", ALL_BYTES, "mpi_reducescatter"},
    {" All-to-All ", OF_PAIR, "mpi_alltoall"},
};

enum {
  TESTS = sizeof tests / sizeof *tests
};

typedef struct logfile {
  gscale__source *s;
  kind kind;
  bool headed, failed;
  char from, to;     /* D: device, H: host */
  double nodes;      /* nodes of the ranks */
  double ranks;      /* ranks of collectives, or 0 */
  bool nccl, device; /* test of NCCL; buffers on GPUs */
  const char *bench; /* bench of a collective */
  double pairs;      /* pairs of this test */
  double noted;      /* pairs of the next test */
} logfile;

/* Reads a title such as "OSU MPI-CUDA Allreduce Latency Test v5.7".  A test has
 * two processes if only a library's name comes before the quantity. */
static void read_title(logfile *l, gscale__part line, const gscale__part *word,
                       size_t n)
{
  const bool two = n > 3 && gscale__is(word[3], "Test");
  size_t i = 0;

  while (i < TESTS && !gscale__find(line, tests[i].title)) i++;
  l->headed = false;
  l->from = l->to = 'H';
  l->kind = i < TESTS                                 ? tests[i].kind
            : two && gscale__is(word[2], "Bandwidth") ? BANDWIDTH
            : two && gscale__is(word[2], "Latency")   ? LATENCY
                                                      : OTHER;
  l->bench = i < TESTS ? tests[i].bench : NULL;
  l->pairs = l->noted;
  l->noted = 0.0;
  l->nccl = gscale__find(line, "OSU NCCL");
  l->device = l->nccl || gscale__find(line, "OSU MPI-");
  if (l->kind == OTHER)
    gscale__remark(l->s, GSCALE_REMARK_NOTE, line.at,
                   "%.*s: rows of this test are left out", (int)line.size,
                   line.at);
}

static char buffer_of(gscale__part line, const char *before)
{
  const char *const at = gscale__find(line, before);

  return at && strncmp(at + strlen(before), "HOST", 4) != 0 ? 'D' : 'H';
}

static gscale_status read_comment(logfile *l, gscale__part line,
                                  const gscale__part *word, size_t n)
{
  const struct {
    const char *word;
    double *number;
  } said[] = {{"nodes:", &l->nodes},
              {"ranks:", &l->ranks},
              {"pairs:", gscale__begins(line, "[") ? &l->pairs : &l->noted}};

  for (size_t k = 0; k < sizeof said / sizeof *said; k++)
    for (size_t i = 0; i < 2 && i + 1 < n; i++)
      if (gscale__is(word[i], said[k].word))
        return gscale__number(l->s, word[i + 1], said[k].word, said[k].number);
  if (gscale__is(word[0], "OSU")) {
    read_title(l, line, word, n);
  } else if (gscale__find(line, "Send Buffer on ")) {
    l->from = buffer_of(line, "Send Buffer on ");
    l->to = buffer_of(line, "Receive Buffer on ");
  } else if (gscale__is(word[0], "Size")) {
    const bool right =
        l->kind == OTHER || gscale__find(line, l->kind == PAIRS       ? "MB/s"
                                               : l->kind == BANDWIDTH ? "(MB/s)"
                                                                      : "(us)");
    if (!right) return gscale__bad(l->s, line.at, "not the unit of this test");
    l->headed = true;
  }
  return GSCALE_OK;
}

/* Adds a collective call of all ranks. */
static gscale_status add_collective(logfile *l, const char *at, double size,
                                    double value)
{
  static const char of_mpi[] = "mpi_";
  const double n = floor(l->ranks);
  gscale_measurement row = gscale__sample(
      l->bench + (l->nccl ? sizeof of_mpi - 1 : 0), "all",
      l->nodes > 1.0 ? "nodes" : "all", n < RANKS ? (int)n : RANKS,
      l->nccl     ? "kernel"
      : l->device ? "gpu"
                  : "host");

  if (!(n >= 1.0)) gscale__ask_ranks(l->s, at);
  if (!(n >= 2.0) || n > RANKS || !(size > 0.0)) return gscale__skip(l->s);
  row.size = size * (l->kind == OF_RANK ? n : 1.0);
  if (l->kind == OF_PAIR) row.count = n * (n - 1.0);
  if (l->nodes > 1.0) row.inflight = l->nodes;
  row.time = value / 1e6;
  return gscale__add(l->s, at, &row);
}

/* Adds a message of each pair, single or one of several consecutive ones. */
static gscale_status add(logfile *l, const char *at, double size, double value)
{
  const bool from = l->from == 'D', to = l->to == 'D', copy = from || to;
  const bool latency = l->kind == LATENCY || l->kind == LATENCIES;
  const bool several = l->kind == PAIRS || l->kind == LATENCIES;
  const bool apart = l->kind == PAIRS || l->nodes > 1.0;
  const double pairs = several ? l->pairs : 1.0;
  gscale_measurement row =
      apart ? gscale__sample(latency ? "net_latency" : "net_bandwidth", "all",
                             "nodes", (int)(2.0 * pairs), to ? "gpu" : "host")
            : gscale__sample(from && to ? "dma"
                             : copy     ? "dma_pinned"
                                        : "mpi",
                             from ? "0" : "h",
                             !to    ? "h"
                             : from ? "1"
                                    : "0",
                             from + to, copy ? "copy" : "host");

  if (l->bench) return add_collective(l, at, size, value);
  /* No path joins different memories of two nodes. */
  if (l->kind == OTHER || pairs < 1.0 || (several && !apart) ||
      (apart && (from != to || (latency && !(size > 0.0)))))
    return gscale__skip(l->s);
  row.size = size;
  if (!latency) row.inflight = WINDOW;
  row.time = latency ? value / 1e6 : gscale__time_of(pairs * size, value * 1e6);
  return gscale__add(l->s, at, &row);
}

/* Reads a row, which may end with percentiles (-z), Pass or Fail. */
static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  double size, value;

  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a row");
  const size_t columns = l->kind == PAIRS ? 3 : 2; /* one column more for
                                                    * messages per second */
  if (n < columns && l->kind != OTHER && !l->bench)
    return gscale__bad(l->s, line.at, "%zu columns where there are %zu", n,
                       columns);
  gscale_status st = gscale__number(l->s, word[0], "size", &size);
  if (st == GSCALE_OK && n > 1)
    st = gscale__number(l->s, word[1],
                        l->kind == BANDWIDTH || l->kind == PAIRS ? "bandwidth"
                                                                 : "latency",
                        &value);
  if (st != GSCALE_OK) return st;
  if (n < 2 || value < 0.0)
    return gscale__bad(l->s, line.at, "neither a time nor a bandwidth");
  if (gscale__is(word[n - 1], "Fail")) {
    if (!l->failed)
      gscale__remark(l->s, GSCALE_REMARK_WRONG, line.at,
                     "the results are wrong: Fail");
    l->failed = true;
    value = 0.0; /* a value of 0 is skipped */
  }
  return add(l, line.at, size, value);
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  double number;

  if (n == 0) return GSCALE_OK;
  /* The launcher may print other lines between rows. */
  if (l->headed && (gscale__is_number(word[0], &number) ||
                    (n == 2 && gscale__is_number(word[1], &number) &&
                     word[0].at[word[0].size - 1] != ':')))
    return read_row(l, line, word, n);
  return read_comment(l, line, word, n);
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s,
               .from = 'H',
               .to = 'H',
               .ranks = gscale__measurements_ranks(s->out)};

  return gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);
}

const gscale__format gscale__format_osu = {"osu", "OSU ", "", false, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
