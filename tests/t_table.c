/* t_table.c - table.c against every trap of CSV files.
 *
 * table.c is compiled into this program, so that each of its allocations can
 * be made to fail. */

#include <stddef.h>
#include <stdlib.h>

static long allocations_left = -1; /* negative: no limit */
static int out_for_good;           /* else only one allocation fails */

static int memory_is_out(void)
{
  if (allocations_left != 0) {
    if (allocations_left > 0) allocations_left--;
    return 0;
  }
  if (!out_for_good) allocations_left = -1;
  return 1;
}

static void *calloc_if_left(size_t n, size_t size)
{
  return memory_is_out() ? NULL : calloc(n, size);
}

static void *realloc_if_left(void *at, size_t size)
{
  return memory_is_out() ? NULL : realloc(at, size);
}

#define calloc  calloc_if_left
#define realloc realloc_if_left
#include "ground/memory.c"

#include "ground/table.c"
#undef calloc
#undef realloc

#include <gsl/gsl_test.h>
#include <math.h>
#include <unistd.h>

/* ---- files --------------------------------------------------------------- */

static char path[256]; /* of the one file that is written again and again */

static bool make_file(void)
{
  const char *const tmp = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/t_table.XXXXXX", tmp ? tmp : "/tmp");
  const int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void write_file(const char *bytes, size_t n)
{
  FILE *const f = fopen(path, "wb");
  gsl_test(!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0,
           "file: %zu B written", n);
}

static gscale_table *read_bytes(const char *bytes, size_t n)
{
  gscale_table *t = NULL;
  gscale_diag diag = {""};
  write_file(bytes, n);
  const gscale_status st = gscale_table_read(path, &t, &diag);
  gsl_test_int((int)st, GSCALE_OK, "read: '%.40s' %s", bytes, diag.text);
  return t;
}

static gscale_table *read_text(const char *text)
{
  return read_bytes(text, strlen(text));
}

/* Refused at "path:LINE:COLUMN: what", of which `where` is all after path. */
static void refuse_bytes(const char *bytes, size_t n, const char *where)
{
  gscale_table *const untouched = (gscale_table *)&path, *t = untouched;
  gscale_diag diag = {""};
  char expected[2 * sizeof path + GSCALE_TEXT_MAX];
  snprintf(expected, sizeof expected, "%s:%s", gscale__shown(path), where);
  write_file(bytes, n);
  gsl_test_int((int)gscale_table_read(path, &t, &diag), GSCALE_EPARSE,
               "refuse: %s", where);
  gsl_test_str(diag.text, expected, "refuse: words");
  gsl_test(t != untouched, "refuse: output untouched");
}

static void refuse_text(const char *text, const char *where)
{
  refuse_bytes(text, strlen(text), where);
}

/* ---- what is read -------------------------------------------------------- */

static void expect_cell(const gscale_table *t, size_t row, size_t column,
                        const char *text)
{
  gsl_test_str(gscale_table_text(t, row, column), text, "cell %zu %zu", row,
               column);
}

static void whole_file(void)
{
  gscale_table *const t = read_text("# gpuscale data 1\n"
                                    "# \"quotes, and commas\n"
                                    "\n"
                                    "size_B , \"time_s\",note\n"
                                    " 4096,2.37e-6 ,  a b  \n"
                                    "65536,3.91e-6,\" a,\"\"b\"\" \"\n"
                                    "\n"
                                    "   \n"
                                    "#1,2,");
  size_t column = 99;
  double x = 0.0;
  gsl_test_int((int)gscale_table_rows(t), 3, "whole: rows");
  gsl_test_int(gscale_table_line(t, 0), 5, "whole: line of row 0");
  gsl_test_int(gscale_table_line(t, 1), 6, "whole: line of row 1");
  gsl_test_int(gscale_table_line(t, 2), 9, "whole: line of row 2");
  gsl_test_int((int)gscale_table_column(t, "time_s", &column, NULL), GSCALE_OK,
               "whole: column");
  gsl_test_int((int)column, 1, "whole: which column");
  expect_cell(t, 0, 2, "a b");
  expect_cell(t, 1, 2, " a,\"b\" ");
  expect_cell(t, 2, 0, "#1"); /* comments stand at the head only */
  expect_cell(t, 2, 2, "");
  gsl_test_int((int)gscale_table_number(t, 1, 1, &x, NULL), GSCALE_OK,
               "whole: number");
  gsl_test_abs(x, 3.91e-6, 0.0, "whole: its value");
  gscale_table_free(t);
}

static void line_ends(void)
{
  static const char *const same[] = {
      "# c\na,b\n1,2\n\n3,4\n", "# c\r\na,b\r\n1,2\r\n\r\n3,4\r\n",
      "# c\ra,b\r1,2\r\r3,4\r", "\xEF\xBB\xBF# c\na,b\n1,2\n\n3,4",
      "\xEF\xBB\xBF# c\r\na,b\r\n1,2\r\n\r\n3,4"};
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    gscale_table *const t = read_text(same[i]);
    gsl_test_int((int)gscale_table_rows(t), 2, "ends %zu: rows", i);
    gsl_test_int(gscale_table_line(t, 0), 3, "ends %zu: line of row 0", i);
    gsl_test_int(gscale_table_line(t, 1), 5, "ends %zu: line of row 1", i);
    expect_cell(t, 1, 0, "3");
    expect_cell(t, 1, 1, "4");
    gscale_table_free(t);
  }
}

static void lines_in_quotes(void)
{
  gscale_table *const t = read_text("a,b\n\"x\ny\r\nz\",1\n2,\"#\n#\"\n3,4\n");
  expect_cell(t, 0, 0, "x\ny\r\nz");
  expect_cell(t, 1, 1, "#\n#");
  gsl_test_int(gscale_table_line(t, 0), 2,
               "quotes: line on which row 0 begins");
  gsl_test_int(gscale_table_line(t, 1), 5, "quotes: row 1");
  gsl_test_int(gscale_table_line(t, 2), 7, "quotes: row 2");
  gscale_table_free(t);
}

static void small_tables(void)
{
  gscale_table *t = read_text("a,b");
  gsl_test_int((int)gscale_table_rows(t), 0, "small: names only");
  gsl_test(gscale_table_text(t, 0, 0) != NULL, "small: no cell");
  gsl_test_int(gscale_table_line(t, 0), 0, "small: no line");
  gscale_table_free(t);

  t = read_text("a\n\"\"\n1\n");
  gsl_test_int((int)gscale_table_rows(t), 2, "small: one column");
  expect_cell(t, 0, 0, "");
  expect_cell(t, 1, 0, "1");
  gsl_test(gscale_table_text(t, 0, 1) != NULL, "small: no second column");
  gsl_test(gscale_table_text(t, 2, 0) != NULL, "small: no third row");
  gscale_table_free(t);

  gscale_table_free(NULL);
}

/* A byte-order mark is one at the beginning of the file only. */
static void mark_in_second_block(void)
{
  static char text[BLOCK + 8] = "a\n";
  for (size_t n = 2; n < BLOCK; n += 2) memcpy(text + n, "x\n", 2);
  strcpy(text + BLOCK, "\xEF\xBB\xBFz\n");
  gscale_table *const t = read_text(text);
  expect_cell(t, BLOCK / 2 - 1, 0, "\xEF\xBB\xBFz");
  gscale_table_free(t);
}

/* Rows of odd lengths, so that blocks end everywhere in them. */
static void many_blocks(void)
{
  enum {
    ROWS = 20011
  };
  const size_t room = ROWS * 48;
  char *const text = malloc(room);
  if (!text) return;
  size_t n = (size_t)snprintf(text, room, "i,x,s\r\n");
  for (int i = 0; i < ROWS; i++)
    n += (size_t)snprintf(text + n, room - n, "%d,%d.5e-3,\"%.*s\n\"\r\n", i,
                          7 * i, i % 13, "abcdefghijklm");
  gscale_table *const t = read_bytes(text, n);
  size_t wrong = 0;
  gsl_test_int((int)gscale_table_rows(t), ROWS, "blocks: rows");
  for (size_t i = 0; i < gscale_table_rows(t); i++) {
    double index = -1.0, x = -1.0;
    gscale_table_number(t, i, 0, &index, NULL);
    gscale_table_number(t, i, 1, &x, NULL);
    wrong +=
        index != (double)i || fabs(x / (7.0 * (double)i + 0.5) - 1e-3) > 1e-15;
    wrong += strlen(gscale_table_text(t, i, 2)) != i % 13 + 1;
    wrong += gscale_table_line(t, i) != 2 + 2 * (int)i;
  }
  gsl_test_int((int)wrong, 0, "blocks: all cells and lines");
  gscale_table_free(t);
  free(text);
}

/* ---- what is refused ----------------------------------------------------- */

static void refusals(void)
{
  refuse_text("", "1:1: no line of column names");
  refuse_text("\xEF\xBB\xBF", "1:1: no line of column names");
  refuse_text("# only\n# this\n", "2:1: no line of column names");
  refuse_text("a,,c\n", "1:2: a column without a name");
  refuse_text("#\na,b,a\n1,2,3\n", "2:3: a column name given twice: 'a'");
  refuse_text("a,a,,b\n", "1:2: a column name given twice: 'a'");
  refuse_text("a,b\n1,2\n3\n", "3:2: b: missing, the row ends before it");
  refuse_text("a,b\n1,2\n3", "3:2: b: missing, the row ends before it");
  refuse_text("a,b\n1,5,2\n", "2:3: more fields than column names: '2'");
  refuse_text("a,b\r\n\r\n1,2,\r\n", "3:3: more fields than column names");
  refuse_text("a,b\n1,x\"y\n", "2:2: b: a quote in the middle of a field");
  refuse_text("a,b\n\"x\"y,2\n", "2:1: a: a quote in the middle of a field");
  refuse_text("a,b\n1,2\n3,\"4\n5,6\n", "3:2: b: a quoted field without end");
  refuse_text("a,b\n\"1\n2\",\"4\n5,6\n", "3:2: b: a quoted field without end");
  refuse_text("a,\"b\n", "1:2: a quoted field without end");
  refuse_bytes("a,b\n1,2\0\n", 9, "2:2: b: a NUL byte");
  refuse_bytes("a,b\n\0", 5, "2:1: a: a NUL byte");
  refuse_bytes("# \0\na\n", 6, "1:1: a NUL byte");
  refuse_bytes("\xFF\xFE"
               "a\0,\0",
               6, "1:1: a NUL byte");
}

/* A file with one field of n bytes in row 1, column b. */
static char *long_field(size_t n, bool quoted, size_t *size)
{
  const char *const before = quoted ? "a,b\n1,\"" : "a,b\n1,";
  const char *const after = quoted ? "\"\n" : "\n";
  const size_t start = strlen(before);
  char *const text = malloc(start + n + 3);
  if (!text) return NULL;
  memcpy(text, before, start);
  memset(text + start, 'x', n);
  strcpy(text + start + n, after);
  *size = start + n + strlen(after);
  return text;
}

static void long_fields(void)
{
  for (int quoted = 0; quoted < 2; quoted++) {
    size_t size;
    char *text = long_field(65536, quoted, &size);
    gscale_table *const t = read_bytes(text, size);
    gsl_test_int((int)strlen(gscale_table_text(t, 0, 1)), 65536,
                 "long: 64 KiB are read");
    gscale_table_free(t);
    free(text);

    text = long_field(65537, quoted, &size);
    refuse_bytes(text, size,
                 "2:2: b: a field over 64 KiB: "
                 "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'");
    free(text);

    text = long_field(3 << 20, quoted, &size);
    refuse_bytes(text, size, "2:2: b: a field over 64 KiB");
    free(text);
  }
}

static void many_columns(void)
{
  char text[8 * 1025], *at = text;
  for (int i = 0; i < 1025; i++) at += sprintf(at, "c%d,", i);
  at[-1] = '\n';
  refuse_bytes(text, (size_t)(at - text),
               "1:1025: more than 1024 columns: 'c1024'");

  char *const last = strstr(text, ",c1024");
  *last = '\n';
  gscale_table_free(read_bytes(text, (size_t)(last + 1 - text)));
}

static void no_such_column(void)
{
  gscale_table *const t = read_text("a,b\n1,2\n");
  size_t column = 77;
  gscale_diag diag = {""};
  char expected[GSCALE_TEXT_MAX];
  snprintf(expected, sizeof expected, "%s: no column 'A'", gscale__shown(path));
  gsl_test_int((int)gscale_table_column(t, "A", &column, &diag), GSCALE_ENAME,
               "column: case counts");
  gsl_test_str(diag.text, expected, "column: words");
  gsl_test_int((int)column, 77, "column: output untouched");
  gscale_table_free(t);
}

static void refuse_number(const gscale_table *t, size_t row, size_t column,
                          gscale_status status, const char *why)
{
  double x = 0.625;
  gscale_diag diag = {""};
  char expected[GSCALE_TEXT_MAX];
  snprintf(expected, sizeof expected, "%s:%s", gscale__shown(path), why);
  gsl_test_int((int)gscale_table_number(t, row, column, &x, &diag), (int)status,
               "number: %s", why);
  gsl_test_str(diag.text, expected, "number: words");
  gsl_test_abs(x, 0.625, 0.0, "number: output untouched");
}

static void bad_numbers(void)
{
  static const char *const bad[] = {"nan",   "inf",   "-INF", "0x1p3", "1e999",
                                    "1_000", "1.5 s", "1,5",  ".5",    "5.",
                                    "1e",    "",      " 1",   "+-1",   "NA"};
  enum {
    N = sizeof bad / sizeof bad[0]
  };
  char text[1024] = "#\nn,time_s\n", why[128];
  for (size_t i = 0; i < N; i++) {
    strcat(text, "1,\"");
    strcat(text, bad[i]);
    strcat(text, "\"\n");
  }
  gscale_table *const t = read_text(text);
  for (size_t i = 0; i < N; i++) {
    snprintf(why, sizeof why,
             "%zu:2: time_s: not a finite decimal number: '%s'", 3 + i, bad[i]);
    refuse_number(t, i, 1, GSCALE_EPARSE, why);
  }
  refuse_number(t, N, 1, GSCALE_EDOMAIN, " no row 15, column 1");
  refuse_number(t, 0, 2, GSCALE_EDOMAIN, " no row 0, column 2");
  gscale_table_free(t);
}

/* ---- what cannot be read ------------------------------------------------- */

static void refuse_path(const char *bad, int cause, const char *what)
{
  gscale_table *t = NULL;
  gscale_diag diag = {""};
  char expected[GSCALE_TEXT_MAX];
  errno = 0;
  gsl_test_int((int)gscale_table_read(bad, &t, &diag), GSCALE_EIO, "path: %s",
               bad);
  gsl_test_int(errno, cause, "path: errno");
  snprintf(expected, sizeof expected, "%s: %s: %s", gscale__shown(bad), what,
           strerror(cause));
  gsl_test_str(diag.text, expected, "path: words");
  gsl_test(t != NULL, "path: output untouched");
}

static void bad_paths(void)
{
  char deep[400] = "";
  while (strlen(deep) < 390) strcat(deep, "/no");
  refuse_path("/nowhere/x.csv", ENOENT, "cannot open");
  refuse_path("/", EISDIR, "cannot read");
  refuse_path(deep, ENOENT, "cannot open");
  gsl_test_int((int)strlen(gscale__shown(deep)), 128, "path: its end");
}

/* Reads the file while allocation k, from 0, fails; true if it came to that. */
static bool read_without(long k, size_t rows)
{
  gscale_table *t = NULL;
  gscale_diag diag = {""};

  allocations_left = k;
  const gscale_status st = gscale_table_read(path, &t, &diag);
  const bool failed = allocations_left <= 0;
  allocations_left = -1;

  if (st == GSCALE_OK) { /* libcsv asks again for less, and may get it */
    gsl_test_int((int)gscale_table_rows(t), (int)rows, "memory: all rows");
    expect_cell(t, 0, 0, "a long enough field");
    expect_cell(t, rows - 1, 1, "2");
  } else {
    gsl_test_int((int)st, GSCALE_ENOMEM, "memory: without allocation %ld", k);
    gsl_test(!strstr(diag.text, "no memory"), "memory: %s", diag.text);
    gsl_test(t != NULL, "memory: output untouched");
  }
  gscale_table_free(t);
  return failed;
}

static void no_memory(void)
{
  char text[4096] = "a,b\n";
  size_t rows = 0;
  for (; strlen(text) < 4000; rows++)
    strcat(text, "\"a long enough field\",2\n");
  write_file(text, strlen(text));

  for (out_for_good = 0; out_for_good < 2; out_for_good++) {
    long k = 0;
    while (k < 1000 && read_without(k, rows)) k++;
    gsl_test(k < 8 || k == 1000, "memory: %ld allocations", k);
  }
}

/* What is taken row by row is what is read as a whole. */
typedef struct taken {
  const gscale_table *whole;
  size_t rows, wrong, names, last; /* last: row to stop behind */
} taken;

static gscale_status take(const gscale_table *t, void *closure,
                          gscale_diag *diag)
{
  taken *k = closure;
  size_t at;

  (void)diag;
  k->names += gscale_table_rows(t) == 0 &&
              gscale_table_column(t, "b", &at, NULL) == GSCALE_OK;
  if (gscale_table_rows(t) == 0) return GSCALE_OK;
  k->wrong += gscale_table_rows(t) != 1 ||
              gscale_table_line(t, 0) != gscale_table_line(k->whole, k->rows);
  for (size_t c = 0; c < 2; c++)
    k->wrong += strcmp(gscale_table_text(t, 0, c),
                       gscale_table_text(k->whole, k->rows, c)) != 0;
  return k->rows++ == k->last ? GSCALE_EDOMAIN : GSCALE_OK;
}

static void row_by_row(void)
{
  char text[40000] = "# head\na,b\n\n";
  gscale_table *t = NULL;
  gscale_diag diag = {""};

  for (int i = 0; i < 1000; i++)
    sprintf(text + strlen(text), "\"f %d\",%d\n%s", i % 7, i * i,
            i % 13 ? "" : "\n");
  write_file(text, strlen(text));
  gsl_test_int((int)gscale_table_read(path, &t, &diag), GSCALE_OK,
               "each: read");
  taken all = {.whole = t, .last = 5000}, some = {.whole = t, .last = 40};
  gsl_test_int((int)gscale_table_each(path, take, &all, &diag), GSCALE_OK,
               "each: all rows");
  gsl_test_int((int)all.rows, (int)gscale_table_rows(t), "each: rows");
  gsl_test_int((int)(all.wrong + some.wrong), 0, "each: other rows");
  gsl_test_int((int)all.names, 1, "each: names once");
  gsl_test_int((int)gscale_table_each(path, take, &some, &diag), GSCALE_EDOMAIN,
               "each: ends where it is told to");
  gsl_test_int((int)some.rows, 41, "each: behind that row");
  strcat(text, "1,2,3\n");
  write_file(text, strlen(text));
  all.rows = 0;
  gsl_test_int((int)gscale_table_each(path, take, &all, &diag), GSCALE_EPARSE,
               "each: a mistake in the file");
  gsl_test_int((int)all.rows, 1000, "each: rows before it");
  gscale_table_free(t);
}

int main(void)
{
  if (!make_file()) {
    gsl_test(1, "file: %s cannot be made", path);
    return gsl_test_summary();
  }
  whole_file();
  line_ends();
  lines_in_quotes();
  small_tables();
  many_blocks();
  mark_in_second_block();
  refusals();
  long_fields();
  many_columns();
  no_such_column();
  bad_numbers();
  bad_paths();
  no_memory();
  row_by_row();
  unlink(path);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
