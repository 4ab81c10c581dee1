/* t_measure.c - rows of measurements, and our own files of them.
 *
 * measure.c is compiled into this program, so that each of its allocations can
 * be made to fail. */

#include <stdlib.h>

static long allocations_left = -1; /* negative: no limit */

static int memory_is_out(void)
{
  if (allocations_left == 0) return 1;
  if (allocations_left > 0) allocations_left--;
  return 0;
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

#include "ground/measure.c"
#undef calloc
#undef realloc

#include <dirent.h>
#include <gsl/gsl_test.h>
#include <unistd.h>

#define NAMES                                                                  \
  "bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,sigma_s,"    \
  "repeats\n"

static char path[256]; /* of the one file that is written again and again */

static bool make_file(void)
{
  const char *const tmp = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/t_measure.XXXXXX", tmp ? tmp : "/tmp");
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

static const gscale_measurement sample = {.bench = "dma",
                                          .src = "0",
                                          .dst = "1",
                                          .gpus = 2,
                                          .access = "copy",
                                          .size = 4096.0,
                                          .count = 3.0,
                                          .threads = 5.0,
                                          .inflight = 7.0,
                                          .time = 2.3e-6,
                                          .sigma = 1.1e-8,
                                          .repeats = 51.0,
                                          .file = "x.csv",
                                          .line = 13};

/* ---- adding ----------------------------------------------------------------
 */

static void adding(void)
{
  gscale_measurements *const m = gscale_measurements_new();
  size_t wrong = 0;

  for (int i = 0; i < 1000; i++) {
    gscale_measurement row = sample;
    row.gpus = i;
    wrong += gscale_measurements_add(m, &row, NULL) != GSCALE_OK;
  }
  for (int i = 0; i < 1000; i++)
    wrong += gscale_measurements_at(m, (size_t)i)->gpus != i;
  gsl_test_int((int)wrong, 0, "add: a thousand rows in order");
  gsl_test_int((int)gscale_measurements_count(m), 1000, "add: count");
  gsl_test(gscale_measurements_at(m, 1000) != NULL, "add: none past the end");
  gsl_test_int(gscale_measurements_at(m, 999)->line, 13, "add: line");

  /* one of its own rows, while the memory moves */
  for (int i = 0; i < 100; i++)
    wrong += gscale_measurements_add(m, gscale_measurements_at(m, 0), NULL) !=
             GSCALE_OK;
  gsl_test_str(gscale_measurements_at(m, 1099)->bench, "dma", "add: its own");
  gscale_measurements_free(m);
  gscale_measurements_free(NULL);
}

static void refuse_row(gscale_measurement row, const char *words)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  gsl_test_int((int)gscale_measurements_add(m, &row, &diag), GSCALE_EDOMAIN,
               "refuse row: %s", words);
  gsl_test_str(diag.text, words, "refuse row: words");
  gsl_test_int((int)gscale_measurements_count(m), 0, "refuse row: not added");
  gscale_measurements_free(m);
}

#define WITH(field, value, words)                                              \
  do {                                                                         \
    gscale_measurement row = sample;                                           \
    row.field = (value);                                                       \
    refuse_row(row, words);                                                    \
  } while (0)

static void bad_rows(void)
{
  WITH(time, 0.0, "time: 0 s is not > 0, or > 1e+18");
  WITH(time, -2.5, "time: -2.5 s is not > 0, or > 1e+18");
  WITH(time, (double)INFINITY, "time: inf s is not > 0, or > 1e+18");
  WITH(time, (double)NAN, "time: nan s is not > 0, or > 1e+18");
  WITH(sigma, -0.5, "sigma: -0.5 is not in 0 .. 1e+18");
  WITH(sigma, (double)INFINITY, "sigma: inf is not in 0 .. 1e+18");
  WITH(count, 0.75, "count: 0.75 is not in 1 .. 1e+18");
  WITH(size, -4.0, "size: -4 is not in 0 .. 1e+18");
  WITH(threads, -1.0, "threads: -1 is not in 0 .. 1e+18");
  WITH(inflight, -1.0, "inflight: -1 is not in 0 .. 1e+18");
  WITH(repeats, -1.0, "repeats: -1 is not in 0 .. 1e+18");
  WITH(gpus, -1, "gpus: -1 is not in 0 .. 1e+18");
}

/* ---- reading ---------------------------------------------------------------
 */

static void whole_file(void)
{
  static const char text[] = "# gpuscale data 1\n" NAMES
                             "dma,0,1,2,copy,4096,3,5,7,2.3e-06,1.1e-08,51\n"
                             "\n"
                             "event_pair,all,-,1,host,0,1,0,1,2e-06,0,51\n";
  gscale_measurements *const m = gscale_measurements_new();
  write_file(text, strlen(text));
  for (int twice = 0; twice < 2; twice++)
    gsl_test_int((int)gscale_measurements_read(m, path, NULL), GSCALE_OK,
                 "whole: read");
  gsl_test_int((int)gscale_measurements_count(m), 4, "whole: appended");

  const gscale_measurement *const a = gscale_measurements_at(m, 2);
  const gscale_measurement *const b = gscale_measurements_at(m, 1);
  gsl_test_str(a->bench, "dma", "whole: bench");
  gsl_test_str(a->src, "0", "whole: src");
  gsl_test_str(a->dst, "1", "whole: dst");
  gsl_test_int(a->gpus, 2, "whole: gpus");
  gsl_test_str(a->access, "copy", "whole: access");
  gsl_test_abs(a->size, 4096.0, 0.0, "whole: size");
  gsl_test_abs(a->count, 3.0, 0.0, "whole: count");
  gsl_test_abs(a->threads, 5.0, 0.0, "whole: threads");
  gsl_test_abs(a->inflight, 7.0, 0.0, "whole: inflight");
  gsl_test_abs(a->time, 2.3e-6, 0.0, "whole: time");
  gsl_test_abs(a->sigma, 1.1e-8, 0.0, "whole: sigma");
  gsl_test_abs(a->repeats, 51.0, 0.0, "whole: repeats");
  gsl_test_str(a->file, strrchr(path, '/') + 1, "whole: file");
  gsl_test_int(a->line, 3, "whole: line");
  gsl_test_str(b->src, "all", "whole: src of row 1");
  gsl_test_str(b->dst, "-", "whole: dst of row 1");
  gsl_test_int(b->line, 5, "whole: line of row 1");
  gscale_measurements_free(m);
}

/* Columns are found by name; others are ignored. */
static void other_order(void)
{
  static const char text[] =
      "repeats,note,sigma_s,time_s,inflight,threads,count,size_B,access,gpus,"
      "dst,src,bench\n"
      "51,\"a, b\",1.1e-08,2.3e-06,7,5,3,4096,copy,2,1,h,dma_pinned\n";
  gscale_measurements *const m = gscale_measurements_new();
  write_file(text, strlen(text));
  gsl_test_int((int)gscale_measurements_read(m, path, NULL), GSCALE_OK,
               "order: read");
  const gscale_measurement *const a = gscale_measurements_at(m, 0);
  gsl_test_str(a->bench, "dma_pinned", "order: bench");
  gsl_test_str(a->src, "h", "order: src");
  gsl_test_abs(a->time, 2.3e-6, 0.0, "order: time");
  gsl_test_abs(a->repeats, 51.0, 0.0, "order: repeats");
  gscale_measurements_free(m);
}

/* Refused at "path:LINE:COLUMN: what"; earlier rows stay. */
static void refuse_bytes(const char *bytes, size_t n, gscale_status status,
                         const char *where)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  char expected[sizeof path + GSCALE_TEXT_MAX];

  gscale_measurements_add(m, &sample, NULL);
  write_file(bytes, n);
  snprintf(expected, sizeof expected, "%s:%s", gscale__shown(path), where);
  gsl_test_int((int)gscale_measurements_read(m, path, &diag), (int)status,
               "refuse: %s", where);
  gsl_test_str(diag.text, expected, "refuse: words");
  gsl_test_int((int)gscale_measurements_count(m), 1, "refuse: only the old");
  gscale_measurements_free(m);
}

/* Line 1 names, line 2 good, line 3 as given. */
static void refuse_line(const char *line, const char *where)
{
  char text[2048];
  const int n =
      snprintf(text, sizeof text,
               NAMES "dma,0,1,2,copy,4096,3,5,7,2.3e-06,1.1e-08,51\n%s", line);
  refuse_bytes(text, (size_t)n, GSCALE_EPARSE, where);
}

static void refusals(void)
{
  refuse_line("dma,0,1,2,copy,4096,3,5,7,nan,0,51\n",
              "3:10: time_s: not a finite decimal number: 'nan'");
  refuse_line("dma,0,1,2,copy,4096,3,5,7,2,3e-06,0,51\n",
              "3:13: more fields than column names: '51'");
  refuse_line("dma,0,1,2,copy,4096,3,5,7,\"2,3e-06\",0,51\n",
              "3:10: time_s: not a finite decimal number: '2,3e-06'");
  refuse_line("dma,0,1,2,copy,4096,3,5,7,0,0,51\n",
              "3:10: time_s: not > 0: '0'");
  refuse_line("dma,0,1,2,copy,4096,3,5,7,-2e-6,0,51\n",
              "3:10: time_s: not >= 0: '-2e-6'");
  refuse_line("dma,0,1,2,copy,4096,3,5,7,2e-6,-1,51\n",
              "3:11: sigma_s: not >= 0: '-1'");
  refuse_line("dma,0,1,2,copy,4096,0,5,7,2e-6,0,51\n",
              "3:7: count: not >= 1: '0'");
  refuse_line("dma,0,1,2.5,copy,4096,3,5,7,2e-6,0,51\n",
              "3:4: gpus: not a number of GPUs: '2.5'");
  refuse_line("dma,0,1,3e9,copy,4096,3,5,7,2e-6,0,51\n",
              "3:4: gpus: not a number of GPUs: '3e9'");
  refuse_line(",0,1,2,copy,4096,3,5,7,2e-6,0,51\n", "3:1: bench: empty: ''");
  refuse_line("a_name_of_thirty_two_characters_,0,1,2,copy,1,1,0,1,1,0,1\n",
              "3:1: bench: too long: 'a_name_of_thirty_two_characters_'");
  refuse_line("dma,GPU0,1,2,copy,4096,3,5,7,2e-6,0,51\n",
              "3:2: src: neither a GPU's index, 'h', 'all' nor '-': 'GPU0'");
  refuse_line("dma,0,,2,copy,4096,3,5,7,2e-6,0,51\n",
              "3:3: dst: neither a GPU's index, 'h', 'all' nor '-': ''");
  refuse_line("dma,0,123456789012,2,copy,4096,3,5,7,2e-6,0,51\n",
              "3:3: dst: too long: '123456789012'");
  refuse_line("dma,0,1,2,copy,4096,3,5\n",
              "3:9: inflight: missing, the row ends before it");
  refuse_line("dma,0,1,2,copy,4096,3,5,7,2e-6,0,5",
              "3:12: a line without its end; is the file cut off?");
  refuse_line("dma,0,1,2,copy,\"4096,3,5,7,2e-6,0,5\n",
              "3:6: size_B: a quoted field without end");
  static const char nul[] = NAMES "dma,0,1,2,copy,1,1,0,1,2\0e-6,0,5\n";
  refuse_bytes(nul, sizeof nul - 1, GSCALE_EPARSE, "2:10: time_s: a NUL byte");
  refuse_bytes("\xEF\xBB\xBF", 3, GSCALE_EPARSE,
               "1:1: a line without its end; is the file cut off?");
  refuse_bytes("# a,b\r\n" NAMES, strlen(NAMES) + 7, GSCALE_EPARSE,
               "1:1: a carriage return; lines end with LF alone");
  refuse_bytes("a,b\nc#,d\r\n", 10, GSCALE_EPARSE,
               "2:2: a carriage return; lines end with LF alone");
  refuse_bytes("", 0, GSCALE_EPARSE, "1:1: no line of column names");
  refuse_bytes("bench,src\n1,2\n", 14, GSCALE_ENAME, " no column 'dst'");
}

/* A field of n bytes in line 2; of 200 MB in the issue, but what stops the
 * reader is passed much earlier. */
static void long_field(size_t n, const char *where)
{
  char *const text = malloc(n + 8);
  if (!text) return;
  memcpy(text, "a,b\n1,", 6);
  memset(text + 6, 'x', n);
  text[n + 6] = '\n';
  refuse_bytes(text, n + 7, GSCALE_EPARSE, where);
  free(text);
}

static void long_file(void)
{
  const size_t n = GSCALE__FILE_MAX + 2;
  char *const text = malloc(n);
  if (!text) return;
  for (size_t i = 0; i < n; i++) text[i] = i % 2 ? '\n' : ',';
  refuse_bytes(text, n, GSCALE_EPARSE,
               "33554433:1: the file goes on beyond 64 MiB");
  free(text);
}

static void long_names(void)
{
  char name[64], deep[300] = "";
  gscale__file_name("/a/b/c.csv", name, sizeof name);
  gsl_test_str(name, "c.csv", "name: last component");
  gscale__file_name("plain", name, sizeof name);
  gsl_test_str(name, "plain", "name: no directory");
  while (strlen(deep) < 290) strcat(deep, "0123456789");
  gscale__file_name(deep, name, sizeof name);
  gsl_test_int((int)strlen(name), 63, "name: cut");
  gsl_test_str(name, deep + strlen(deep) - 63, "name: its end");
  gsl_test_int((int)strlen(gscale__shown(deep)), 128, "name: shown");
}

static void bad_paths(void)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  errno = 0;
  gsl_test_int((int)gscale_measurements_read(m, "/nowhere/x.csv", &diag),
               GSCALE_EIO, "path: none");
  gsl_test_int(errno, ENOENT, "path: errno");
  gsl_test_int((int)gscale_measurements_read(m, "/", &diag), GSCALE_EIO,
               "path: a directory");
  gsl_test_int(errno, EISDIR, "path: errno of it");
  gscale_measurements_free(m);
}

static void no_memory(void)
{
  char text[8192] = NAMES;
  while (strlen(text) < 8000)
    strcat(text, "dma,0,1,2,copy,4096,3,5,7,2.3e-06,1.1e-08,51\n");
  write_file(text, strlen(text));

  allocations_left = 0;
  gsl_test(gscale_measurements_new() != NULL, "memory: none for the list");
  long k = 0;
  for (; k < 100; k++) {
    allocations_left = -1;
    gscale_measurements *const m = gscale_measurements_new();
    gscale_diag diag = {""};
    allocations_left = k;
    const gscale_status st = gscale_measurements_read(m, path, &diag);
    allocations_left = -1;
    if (st != GSCALE_OK) {
      gsl_test_int((int)st, GSCALE_ENOMEM, "memory: without %ld", k);
      gsl_test_int((int)gscale_measurements_count(m), 0, "memory: nothing");
    }
    gscale_measurements_free(m);
    if (st == GSCALE_OK) break;
  }
  gsl_test(k < 2 || k == 100, "memory: %ld allocations", k);
}

/* ---- our own data
 * -------------------------------------------------------------- */

static size_t lines_in(const char *file)
{
  FILE *const f = fopen(file, "rb");
  size_t n = 0;
  bool comment = false, fresh = true;
  int c;
  while (f && (c = getc(f)) != EOF) {
    if (fresh) comment = c == '#';
    fresh = c == '\n';
    n += fresh && !comment;
  }
  if (f) fclose(f);
  return n;
}

/* Every file of rows there is. */
static void own_data(void)
{
  const char *const root = getenv("SRC");
  char dir[512], file[1024];
  int files = 0;

  snprintf(dir, sizeof dir, "%s/data/h200x8/micro", root ? root : ".");
  DIR *const d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (!strstr(e->d_name, ".csv")) continue;
    gscale_measurements *const m = gscale_measurements_new();
    gscale_diag diag = {""};
    snprintf(file, sizeof file, "%s/%s", dir, e->d_name);
    gsl_test_int((int)gscale_measurements_read(m, file, &diag), GSCALE_OK,
                 "data: %s %s", e->d_name, diag.text);
    gsl_test_int((int)gscale_measurements_count(m), (int)lines_in(file) - 1,
                 "data: %s: all rows", e->d_name);
    gscale_measurements_free(m);
    files++;
  }
  if (d) closedir(d);
  gsl_test(files == 0, "data: files in %s", dir);
}

int main(void)
{
  if (!make_file()) {
    gsl_test(1, "file: %s cannot be made", path);
    return gsl_test_summary();
  }
  adding();
  bad_rows();
  whole_file();
  other_order();
  refusals();
  long_field(64 * 1024 + 1,
             "2:2: b: a field over 64 KiB: "
             "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'");
  long_field(3 << 20, "2:2: b: a field over 64 KiB");
  long_file();
  long_names();
  bad_paths();
  no_memory();
  own_data();
  unlink(path);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
