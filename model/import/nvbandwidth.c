/* nvbandwidth.c - matrices of nvbandwidth in text and JSON form.
 *
 * Only tests of the copy engine are read.  Tests of kernels (_sm), of latency
 * and of local memory count as skipped.  A cell of 0 or N/A is an unmeasured
 * pair. */

#include "import/import.h"

#include <string.h>

/* The default size, because the output has no sizes.  Latency is negligible for
 * 512 MiB. */
static const double SIZE = 512.0 * 1024 * 1024;

/* A test of nvbandwidth and the corresponding bench. */
typedef struct test {
  const char *bench; /* bench, or NULL for no counterpart */
  bool host;         /* each row is the host */
  bool down;         /* copies go from row to column */
  bool all;          /* all GPUs copy at once */
} test;

static bool starts(gscale__part name, const char *a, const char *b)
{
  return gscale__begins(name, a) || gscale__begins(name, b);
}

/* Returns the test of a name, whose direction comes from the description. */
static test classify(gscale__part name, gscale__part about)
{
  static const test none = {NULL, false, false, false};
  const bool both = gscale__find(name, "bidirectional") != NULL;
  const bool engine =
      name.size > 3 && memcmp(name.at + name.size - 3, "_ce", 3) == 0;
  test t = none;

  if (!engine || !gscale__find(about, "(column) bandwidth (GB/s)")) return none;
  t.host = gscale__find(about, "CPU(row)") != NULL;
  t.down = gscale__find(about, ") -> ") != NULL;
  if (t.host && starts(name, "host_to_device_", "device_to_host_")) {
    t.bench = both ? "dma_pinned_duplex" : "dma_pinned";
    t.down = gscale__begins(name, "host_to_");
  } else if (t.host && !both && starts(name, "host_to_all_", "all_to_host_")) {
    t.bench = "dma_pinned_all";
    t.all = true;
  } else if (!t.host && gscale__begins(name, "device_to_device_")) {
    t.bench = both ? "dma_duplex" : "dma";
  }
  return t;
}

/* Adds the cell at a row and a column of n columns. */
static gscale_status add(gscale__source *s, const char *at, const test *t,
                         size_t row, size_t column, size_t n, double bandwidth)
{
  char from[12] = "h", to[12];
  const int gpus = t->all ? (int)n : t->host ? 1 : 2;

  if (bandwidth == 0.0) return GSCALE_OK;
  if (bandwidth < 0.0) return gscale__bad(s, at, "a negative bandwidth");
  if (!t->bench || (!t->host && row == column)) return gscale__skip(s);
  if (!t->host) gscale__end(from, sizeof from, (int)row);
  gscale__end(to, sizeof to, (int)column);
  gscale_measurement m = gscale__sample(t->bench, t->down ? from : to,
                                        t->down ? to : from, gpus, "copy");
  m.size = SIZE;
  m.time = gscale__time_of(SIZE, bandwidth * 1e9);
  return gscale__add(s, at, &m);
}

typedef struct logfile {
  gscale__source *s;
  gscale__part name; /* name of the current test */
  test test;
  bool described, square;
  size_t columns, rows; /* columns (0: no matrix) and rows */
} logfile;

static gscale_status end_matrix(logfile *l, const char *at)
{
  const size_t rows = l->rows, columns = l->columns;

  l->columns = l->rows = 0;
  l->described = false;
  return columns == 0 || (l->square ? rows == columns : rows > 0)
             ? GSCALE_OK
             : gscale__bad(l->s, at, "%zu rows of a matrix with %zu columns",
                           rows, columns);
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  gscale_status st =
      gscale__check_row(l->s, line, word, n, l->columns, &l->rows);
  double bandwidth;

  for (size_t j = 0; j < l->columns && st == GSCALE_OK; j++) {
    if (gscale__is(word[j + 1], "N/A")) continue;
    st = gscale__number(l->s, word[j + 1], "bandwidth", &bandwidth);
    if (st == GSCALE_OK)
      st = add(l->s, word[j + 1].at, &l->test, l->rows, j, l->columns,
               bandwidth);
  }
  if (st == GSCALE_OK) l->rows++;
  return st;
}

static void describe(logfile *l, gscale__part line)
{
  l->test = classify(l->name, line);
  l->described = true;
  l->square = gscale__find(line, "GPU(row)") != NULL;
}

static gscale_status start_test(logfile *l, gscale__part line)
{
  static const char running[] = "Running ";
  const gscale_status st = end_matrix(l, line.at);
  l->name =
      (gscale__part){line.at + strlen(running), line.size - strlen(running)};
  while (l->name.size > 0 && strchr(" .", l->name.at[l->name.size - 1]))
    l->name.size--;
  return st;
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  double number;

  if (gscale__begins(line, "Running ")) return start_test(l, line);
  if (l->columns > 0 && n > 0 && gscale__is_number(word[0], &number))
    return read_row(l, line, word, n);
  if (l->columns > 0) return n == 0 ? end_matrix(l, line.at) : GSCALE_OK;
  if (l->described && n > 0 && gscale__counts(word, n)) {
    if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a matrix");
    l->columns = n;
  } else if (l->name.size > 0 && gscale__find(line, "(column)")) {
    describe(l, line);
  }
  return GSCALE_OK;
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s};
  const gscale_status st =
      gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);

  if (st != GSCALE_OK) return st;
  return l.columns > 0 && (l.square ? l.rows < l.columns : l.rows == 0)
             ? gscale__cut(s, "inside a matrix")
             : GSCALE_OK;
}

const gscale__format gscale__format_nvbandwidth = {"nvbandwidth", "Running ",
                                                   "(column)", false, read};

static bool is_hole(const json_t *cell)
{
  const char *const text = json_string_value(cell);
  return text && strcmp(text, "N/A") == 0;
}

static gscale_status read_cells(gscale__source *s, gscale__item row,
                                const test *t)
{
  const size_t n = json_array_size(row.is);
  gscale_status st = GSCALE_OK;
  double bandwidth;

  if (!json_is_array(row.is))
    return gscale__bad(s, row.at, "not a row of a matrix");
  for (gscale__item cell = gscale__json_first(row); cell.is && st == GSCALE_OK;
       cell = gscale__json_next(row, cell)) {
    if (is_hole(cell.is)) continue;
    st = gscale__json_number(s, cell, "bandwidth", &bandwidth);
    if (st == GSCALE_OK)
      st = add(s, cell.at, t, row.index, cell.index, n, bandwidth);
  }
  return st;
}

static gscale_status read_matrix(gscale__source *s, gscale__item matrix,
                                 const test *t)
{
  const size_t n = json_array_size(matrix.is);
  gscale_status st = GSCALE_OK;

  if (!json_is_array(matrix.is))
    return gscale__bad(s, matrix.at, "bandwidth_matrix: not a matrix");
  for (gscale__item row = gscale__json_first(matrix); row.is && st == GSCALE_OK;
       row = gscale__json_next(matrix, row)) {
    const size_t columns = json_array_size(row.is);
    if (t->bench && !t->host && columns != n)
      return gscale__bad(s, row.at, "%zu columns in a matrix of %zu rows",
                         columns, n);
    st = read_cells(s, row, t);
  }
  return st;
}

static const char *text_of(gscale__item object, const char *key)
{
  return json_string_value(json_object_get(object.is, key));
}

static gscale_status read_test(gscale__source *s, gscale__item testcase)
{
  const char *const name = text_of(testcase, "name");
  const char *const about = text_of(testcase, "bandwidth_description");
  const char *const status = text_of(testcase, "status");
  const gscale__item matrix = gscale__json_member(testcase, "bandwidth_matrix");
  test t = {NULL, false, false, false};

  if (!name || !status)
    return gscale__bad(s, testcase.at, "a test without name, status");
  if (!matrix.is) return GSCALE_OK; /* the test did not run */
  if (about && strcmp(status, "Passed") == 0)
    t = classify((gscale__part){name, strlen(name)},
                 (gscale__part){about, strlen(about)});
  return read_matrix(s, matrix, &t);
}

static gscale_status read_tests(gscale__source *s, gscale__item root)
{
  const gscale__item tests = gscale__json_member(
      gscale__json_member(root, "nvbandwidth"), "testcases");
  gscale_status st = GSCALE_OK;

  if (!json_is_array(tests.is))
    return gscale__bad(s, tests.at, "no list of testcases");
  for (gscale__item i = gscale__json_first(tests); i.is && st == GSCALE_OK;
       i = gscale__json_next(tests, i))
    st = read_test(s, i);
  return st;
}

static gscale_status read_json(gscale__source *s)
{
  return gscale__read_json(s, read_tests);
}

const gscale__format gscale__format_nvbandwidth_json = {
    "nvbandwidth-json", "\"nvbandwidth\"", "", true, read_json};

/* SPDX-License-Identifier: GPL-3.0-or-later */
