/* t_pong.c - messages of one to six pairs of GPUs between two nodes of Lassen
 * and Summit (BenchPress): one pair and all of a node's given, those between
 * scored, beside a latency and a bandwidth that the pairs share.
 *
 * MVAPICH2 sends from GPU memory up to a size and by the host above it, which
 * each file sets another way; Spectrum MPI decides by itself.
 *
 * The file is not shipped: ../shared/external, or EXTERNAL names its folder;
 * without it only messages of a machine that is drawn up are given and scored.
 * SCORES=1 prints the table. */

#include "cluster.h"
#include "describe/ask.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const columns[] = {"system",
                                      "mpi",
                                      "mv2_gpudirect_limit_B",
                                      "gpus_active_per_node",
                                      "bytes_per_gpu",
                                      "one_way_s"};
enum {
  SYSTEM,
  MPI,
  LIMIT,
  PAIRS,
  BYTES,
  TIME,
  COLUMNS
};

/* Lassen's four and Summit's six GPUs of a node have two cards of EDR. */
static const struct {
  const char *system, *mpi, *limit;
  int gpus;
  double most; /* %, mean */
  bool ahead;  /* of the line: where short and long messages go alike it is as
                * near, 4.8 and 9.5 % */
} sets[] = {
    {"lassen", "mvapich2-gdr", "4096", 4, 25, true},
    {"lassen", "mvapich2-gdr", "8192", 4, 25, true},
    {"lassen", "mvapich2-gdr", "16384", 4, 25, true},
    {"lassen", "mvapich2-gdr", "32768", 4, 25, true},
    {"lassen", "mvapich2-gdr", "655376", 4, 25, true},
    {"lassen", "spectrum-mpi", "", 4, 6, false},
    {"summit", "spectrum-mpi", "", 6, 11, false},
};
enum {
  SETS = sizeof sets / sizeof *sets,
  ROWS = 1500
};

typedef struct pong {
  double pairs, bytes, time;
} pong;

static size_t rows_of(size_t set, pong *row)
{
  char path[512];
  gscale_table *t = NULL;
  gscale_diag why = {""};
  size_t at[COLUMNS], n = 0;

  snprintf(path, sizeof path, "%s/benchpress_bsd2/node_pong_gpu.csv", folder());
  gsl_test_int((int)gscale_table_read(path, &t, &why), GSCALE_OK, "%s",
               why.text);
  if (!t) return 0;
  for (size_t k = 0; k < COLUMNS; k++)
    gscale_table_column(t, columns[k], &at[k], NULL);
  for (size_t i = 0; i < gscale_table_rows(t) && n < ROWS; i++) {
    pong p;
    if (strcmp(gscale_table_text(t, i, at[SYSTEM]), sets[set].system) != 0 ||
        strcmp(gscale_table_text(t, i, at[MPI]), sets[set].mpi) != 0 ||
        strcmp(gscale_table_text(t, i, at[LIMIT]), sets[set].limit) != 0)
      continue;
    gscale_table_number(t, i, at[PAIRS], &p.pairs, NULL);
    gscale_table_number(t, i, at[BYTES], &p.bytes, NULL);
    gscale_table_number(t, i, at[TIME], &p.time, NULL);
    row[n++] = p;
  }
  gscale_table_free(t);
  return n;
}

static int in_order(const void *a, const void *b)
{
  const pong *x = a, *y = b;

  if (x->pairs != y->pairs) return x->pairs < y->pairs ? -1 : 1;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
  return (x->time > y->time) - (x->time < y->time);
}

/* Several jobs differ by up to 60 %: the median of each. */
static size_t medians(pong *row, size_t n)
{
  size_t kept = 0, end;

  qsort(row, n, sizeof *row, in_order);
  for (size_t i = 0; i < n; i = end) {
    for (end = i; end < n && row[end].pairs == row[i].pairs &&
                  row[end].bytes == row[i].bytes;)
      end++;
    row[kept++] = row[i + (end - i) / 2];
  }
  return kept;
}

static bool is_given(size_t set, const pong *p)
{
  return p->pairs < 2.0 || (int)p->pairs == sets[set].gpus;
}

/* a + pairs b bytes, of least relative squares over the given rows. */
typedef struct line {
  double start, per;
} line;

static line fit_line(size_t set, const pong *row, size_t n)
{
  double ll = 0, lb = 0, bb = 0, l = 0, b = 0;

  for (size_t i = 0; i < n; i++) {
    const double x = 1.0 / row[i].time;
    const double y = row[i].pairs * row[i].bytes / row[i].time;
    if (!is_given(set, &row[i])) continue;
    ll += x * x, lb += x * y, bb += y * y, l += x, b += y;
  }
  const double det = ll * bb - lb * lb;
  return (line){(l * bb - b * lb) / det, (b * ll - l * lb) / det};
}

static void give(gscale_system *s, size_t set, const pong *row, size_t n)
{
  gscale_measurements *m = gscale_measurements_new();

  for (size_t i = 0; i < n; i++) {
    const gscale_measurement r = {.bench = "net_latency",
                                  .src = "all",
                                  .dst = "nodes",
                                  .access = "gpu",
                                  .gpus = (int)(2.0 * row[i].pairs),
                                  .size = row[i].bytes,
                                  .count = 1,
                                  .inflight = 1,
                                  .time = row[i].time,
                                  .repeats = 1};
    if (is_given(set, &row[i])) gscale_measurements_add(m, &r, NULL);
  }
  calibrate(s, m);
  gscale_measurements_free(m);
}

static double message(const gscale_system *s, const pong *p)
{
  gscale__source_room room;
  const gscale__source *from = gscale__source_in(&room, s, NULL);
  const gscale_path path = gscale__read_path(from, GSCALE_GPUDIRECT_OVERHEAD);
  const gscale_message m = gscale_path_message(&path, p->bytes);

  return gscale_message_time(&m, p->bytes, p->pairs, (double)INFINITY);
}

typedef struct total {
  double ours, theirs, rows;
} total;

static void score(size_t set, total *all)
{
  static pong row[ROWS];
  const size_t n = medians(row, rows_of(set, row));
  gscale_system *s = cluster("nvlink2", "ib-edr", sets[set].gpus, 2, 2);
  const line law = fit_line(set, row, n);
  double ours = 0, worst = 0, theirs = 0, scored = 0;

  give(s, set, row, n);
  for (size_t i = 0; i < n; i++) {
    if (is_given(set, &row[i])) continue;
    const double off = fabs(message(s, &row[i]) / row[i].time - 1.0);
    ours += off;
    worst = fmax(worst, off);
    theirs +=
        fabs((law.start + law.per * row[i].pairs * row[i].bytes) / row[i].time -
             1.0);
    scored += 1.0;
  }
  all->ours += ours;
  all->theirs += theirs;
  all->rows += scored;
  if (getenv("SCORES"))
    printf("%s, %s %6s  %3.0f rows  mean %5.1f %%  worst %4.0f %%  latency + "
           "bandwidth %.1f %%\n",
           sets[set].system, sets[set].mpi, sets[set].limit, scored,
           100.0 * ours / scored, 100.0 * worst, 100.0 * theirs / scored);
  gsl_test(!(100.0 * ours / scored <= sets[set].most),
           "%s %s %s: %.1f %%, at most %.0f", sets[set].system, sets[set].mpi,
           sets[set].limit, 100.0 * ours / scored, sets[set].most);
  gsl_test(sets[set].ahead && !(ours < theirs),
           "%s %s %s: %.1f %%, a line %.1f", sets[set].system, sets[set].mpi,
           sets[set].limit, 100.0 * ours / scored, 100.0 * theirs / scored);
  gscale_system_free(s);
}

/* A node of two cards, each of which one pair fills half way: told by one pair
 * and by four, those between are foretold. */
static void recovers(void)
{
  gscale_system *s = cluster("nvlink2", "ib-edr", 4, 2, 2);
  const double start = 5e-6, pair = 10e9, node = 20e9;
  pong row[4 * 9];
  size_t n = 0;

  for (int pairs = 1; pairs <= 4; pairs++)
    for (double bytes = 64.0; bytes < 5e6; bytes *= 4.0, n++)
      row[n] = (pong){pairs, bytes, start + bytes / fmin(pair, node / pairs)};
  give(s, 0, row, n);
  for (size_t i = 0; i < n; i++)
    if (!is_given(0, &row[i]))
      gsl_test_rel(message(s, &row[i]), row[i].time, 0.1,
                   "%.0f pairs of %.0f B", row[i].pairs, row[i].bytes);
  gscale_system_free(s);
}

int main(void)
{
  total all = {0};

  recovers();
  if (access(folder(), R_OK) != 0) {
    printf("t_pong: no %s: results of others are skipped\n", folder());
    return gsl_test_summary();
  }
  for (size_t i = 0; i < SETS; i++) score(i, &all);
  if (getenv("SCORES"))
    printf("all %.0f rows: mean %.1f %%  latency + bandwidth %.1f %%\n",
           all.rows, 100.0 * all.ours / all.rows,
           100.0 * all.theirs / all.rows);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
