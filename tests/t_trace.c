/* t_trace.c - traces as files: both forms, and everything that is wrong. */

#include "random.h"

#include <errno.h>
#include <gsl/gsl_test.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[256]; /* of the one file that is written again and again */

static bool make_file(void)
{
  const char *const tmp = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/t_trace.XXXXXX", tmp ? tmp : "/tmp");
  const int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void write_file(const void *bytes, size_t n)
{
  FILE *const f = fopen(path, "wb");
  if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) abort();
}

/* ---- binary -------------------------------------------------------------- */

static size_t put(unsigned char *at, uint64_t v, int bytes)
{
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(v >> 8 * i);
  return (size_t)bytes;
}

static size_t head(unsigned char *at, uint64_t version, uint64_t gpus,
                   uint64_t records, uint64_t reserved)
{
  memcpy(at, "gscaletr", 8);
  put(at + 8, version, 4);
  put(at + 12, gpus, 4);
  put(at + 16, records, 8);
  put(at + 24, reserved, 8);
  return 32;
}

static size_t record(unsigned char *at, const gscale_record *v)
{
  put(at, v->address, 8);
  put(at + 8, v->group, 4);
  at[12] = v->size;
  at[13] = v->gpu;
  at[14] = v->dst;
  at[15] = v->kind;
  return 16;
}

static gscale_record random_record(rng *r)
{
  return (gscale_record){.address = rng_next(r) / 16 * 16,
                         .group = (uint32_t)rng_next(r),
                         .size = (uint8_t)(1 + pick(r, 16)),
                         .gpu = (uint8_t)pick(r, 3),
                         .dst =
                             pick(r, 2) ? GSCALE_DST_ALL : (uint8_t)pick(r, 3),
                         .kind = (uint8_t)pick(r, 4)};
}

enum {
  MANY = 10000 /* more than a block holds */
};

static bool same(const gscale_record *a, const gscale_record *b)
{
  return a->address == b->address && a->group == b->group &&
         a->size == b->size && a->gpu == b->gpu && a->dst == b->dst &&
         a->kind == b->kind;
}

/* Reads the file in pieces of `room`; how many records are as expected. */
static int read_back(int gpus, const gscale_record *expected, size_t room)
{
  static gscale_record v[MANY];
  gscale_trace *t = NULL;
  size_t n = 1, all = 0;
  int good = 0;

  if (gscale_trace_open(path, gpus, &t, NULL) != GSCALE_OK) return -1;
  while (n > 0 && gscale_trace_read(t, v, room, &n, NULL) == GSCALE_OK)
    for (size_t i = 0; i < n; i++, all++)
      good += all < MANY && same(&v[i], &expected[all]);
  gscale_trace_close(t);
  return all == MANY ? good : -1;
}

static void forms(void)
{
  static gscale_record v[MANY];
  static unsigned char bytes[32 + 16 * MANY];
  static char text[100 * MANY];
  rng r = {5};
  size_t n = head(bytes, 1, 3, MANY, 0), m = 0;

  m += (size_t)sprintf(text, "# made by hand\n"
                             "gpu,kind,address,size_B,dst,group\n");
  for (int i = 0; i < MANY; i++) {
    v[i] = random_record(&r);
    if (i == 0) v[i].group = UINT32_MAX; /* the largest that fits */
    n += record(bytes + n, &v[i]);
    char dst[8] = "all";
    if (v[i].dst != GSCALE_DST_ALL) sprintf(dst, "%d", v[i].dst);
    m += (size_t)sprintf(
        text + m,
        pick(&r, 2) ? "%d,%s,%llu,%d,%s,%u\n" : "%d,%s,0x%llx,%d,%s,%u\n",
        v[i].gpu,
        gscale_name(GSCALE_OPERATION_NAMES, (gscale_operation)v[i].kind),
        (unsigned long long)v[i].address, v[i].size, dst, v[i].group);
  }
  write_file(bytes, n);
  gsl_test_int(read_back(0, v, MANY), MANY, "binary, as many as promised");
  gsl_test_int(read_back(3, v, 1), MANY, "one at a time, GPUs given");
  head(bytes, 1, 3, 0, 0);
  write_file(bytes, n);
  gsl_test_int(read_back(0, v, 777), MANY, "binary, to the end of the file");
  write_file(text, m);
  gsl_test_int(read_back(3, v, 777), MANY, "CSV");
}

/* ---- what is refused ----------------------------------------------------- */

/* Opens and reads the file; it must fail so, with these words behind the path.
 */
static void refuses(int gpus, gscale_status expected, const char *words)
{
  gscale_record v[8];
  gscale_trace *t = NULL;
  gscale_diag diag = {""};
  size_t n = 1;
  gscale_status st = gscale_trace_open(path, gpus, &t, &diag);

  while (st == GSCALE_OK && n > 0) st = gscale_trace_read(t, v, 8, &n, &diag);
  gscale_trace_close(t);
  const char *const said = strstr(diag.text, path);
  gsl_test_int((int)st, (int)expected, "%s", diag.text);
  gsl_test(!said || strcmp(said + strlen(path), words) != 0, "%s", diag.text);
}

static void wrong_heads(void)
{
  static const struct {
    uint64_t version, gpus, reserved;
    size_t size;
    const char *words;
  } row[] = {
      {2, 3, 0, 32, ": head: version: it is not 1"},
      {1, 0, 0, 32, ": head: gpus: not 1 .. 64"},
      {1, 65, 0, 32, ": head: gpus: not 1 .. 64"},
      {1, 3, 1, 32, ": head: reserved: it is not 0"},
      {1, 3, 0, 31, ": head: the file ends inside it"},
  };
  unsigned char bytes[32];

  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    head(bytes, row[i].version, row[i].gpus, 0, row[i].reserved);
    write_file(bytes, row[i].size);
    refuses(0, GSCALE_EPARSE, row[i].words);
  }
}

static void wrong_lengths(void)
{
  unsigned char bytes[80];
  const gscale_record v = {.size = 4};
  size_t n = head(bytes, 1, 3, 2, 0);

  n += record(bytes + n, &v);
  write_file(bytes, n);
  refuses(0, GSCALE_EPARSE, ": record 2: the file ends; its head promises 2");
  write_file(bytes, n + 7);
  refuses(0, GSCALE_EPARSE, ": record 2: the file ends inside it");
  n += record(bytes + n, &v);
  n += record(bytes + n, &v);
  write_file(bytes, n);
  refuses(0, GSCALE_EPARSE,
          ": record 3: the file goes on beyond what its head promises");
  refuses(4, GSCALE_EDATA, ": gpus: 3, where 4 are asked");
}

static void wrong_records(void)
{
  unsigned char bytes[64];
  const gscale_record good = {.size = 4}, bad = {.size = 17};
  size_t n = head(bytes, 1, 3, 0, 0);

  n += record(bytes + n, &good);
  n += record(bytes + n, &bad);
  write_file(bytes, n);
  refuses(0, GSCALE_EPARSE, ": record 2: size: 17 is not 1 .. 16");
}

static void wrong_lines(void)
{
  static const struct {
    const char *line, *words;
  } row[] = {
      {"x,store,0,4,1,1\n", ":3: gpu: 'x' is none"},
      {"-1,store,0,4,1,1\n", ":3: gpu: '-1' is none"},
      {"0,stor,0,4,1,1\n", ":3: kind: 'stor' is none"},
      {"0,store,0x,4,1,1\n", ":3: address: '0x' is none"},
      {"0,store,18446744073709551616,4,1,1\n",
       ":3: address: '18446744073709551616' is none"},
      {"0,store,1e3,4,1,1\n", ":3: address: '1e3' is none"},
      {"0,store,0,256,1,1\n", ":3: size_B: '256' is none"},
      {"0,store,0, 4,1,1\n", ":3: size_B: ' 4' is none"},
      {"0,store,0,4,255,1\n", ":3: dst: '255' is none"},
      {"0,store,0,4,1,4294967296\n", ":3: group: '4294967296' is none"},
      {"0,store,0,4,1\n", ":3: 5 fields where 6 are needed"},
      {"0,store,0,4,1,1,1\n", ":3: 7 fields where 6 are needed"},
      {"\n", ":3: 1 fields where 6 are needed"},
      {"0,store,0,0,1,1\n", ":3: size: 0 is not 1 .. 16"},
      {"0,fence,0,4,1,1\n", ":3: size: 4, but a fence has none"},
      {"3,store,0,4,1,1\n", ":3: gpu: 3 is not 0 .. 2"},
      {"0,store,0,4,1,1\r\n", ":3: a carriage return; lines end with LF alone"},
      {"0,store,0,4,1,1", ":3: the file ends inside the line"},
  };
  char text[256];

  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    snprintf(text, sizeof text, "#\ngpu,kind,address,size_B,dst,group\n%s",
             row[i].line);
    write_file(text, strlen(text));
    refuses(3, GSCALE_EPARSE, row[i].words);
  }
  write_file("gpu,kind,address,size_B,dst,group\n0,\0tore\n", 43);
  refuses(3, GSCALE_EPARSE, ":2: a NUL byte");
}

static void wrong_files(void)
{
  static const char other[] = ": neither a binary trace nor the line "
                              "gpu,kind,address,size_B,dst,group";
  char words[128], large[2000];

  snprintf(words, sizeof words, ":1%s", other);
  write_file("", 0);
  refuses(3, GSCALE_EPARSE, words);
  write_file("gpu,kind\n", 9);
  refuses(3, GSCALE_EPARSE, words);
  write_file("gscale", 6);
  refuses(3, GSCALE_EPARSE, ":1: the file ends inside the line");
  memset(large, '#', sizeof large);
  write_file(large, sizeof large);
  refuses(3, GSCALE_EPARSE, ":1: a line of more than 511 B");
  write_file("gpu,kind,address,size_B,dst,group\n", 34);
  refuses(0, GSCALE_EDATA,
          ": a CSV trace does not say how many GPUs there are");
  refuses(65, GSCALE_EDATA, ": gpus: 65 is not 1 .. 64");
  unlink(path);
  refuses(3, GSCALE_EIO, ": cannot open: No such file or directory");
  snprintf(path, sizeof path, "/");
  refuses(3, GSCALE_EIO, ": cannot read: Is a directory");
}

/* A file of noise behind a good head must be read to its end or refused. */
static void noise(void)
{
  unsigned char bytes[512];
  gscale_record v[64];
  rng r = {9};
  int refused = 0;

  for (int i = 0; i < 200; i++) {
    gscale_trace *t = NULL;
    size_t n = 1;
    for (size_t k = 0; k < sizeof bytes; k++)
      bytes[k] = (unsigned char)pick(&r, 256);
    if (i % 2) head(bytes, 1, 64, 0, 0);
    if (i % 2 == 0) memcpy(bytes, "gpu,kind,address,size_B,dst,group\n", 34);
    write_file(bytes, (size_t)pick(&r, sizeof bytes));
    gscale_status st = gscale_trace_open(path, 64, &t, NULL);
    while (st == GSCALE_OK && n > 0) st = gscale_trace_read(t, v, 64, &n, NULL);
    refused += st != GSCALE_OK;
    gscale_trace_close(t);
  }
  gsl_test(refused < 150, "%d of 200 files of noise are refused", refused);
}

int main(void)
{
  if (!make_file()) return 1;
  forms();
  wrong_heads();
  wrong_lengths();
  wrong_records();
  wrong_lines();
  noise();
  wrong_files();
  gscale_trace_close(NULL);
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
