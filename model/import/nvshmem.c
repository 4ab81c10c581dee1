/* nvshmem.c - point-to-point tests of NVSHMEM's perftest, where a thread, warp
 * or block of a GPU posts puts.  The output is
 *
 *   #shmem_put_latency
 *   size(B)     scope     latency (us)
 *   8           Thread    7.9
 *
 * with the time until the put is complete, or, with
 * NVSHMEM_MACHINE_READABLE_OUTPUT,
 *
 *   &&&& PERF shmem_put_bw_uni___None___size__1024___BW 1.5 +GB/sec.
 *
 * put_bw is net_bandwidth. Ping-pongs (a round trip) and put_latency (a put and
 * an acknowledgement) take twice a net_latency.  All rows have access `device`.
 * With a line `# nodes: 1`, both GPUs are in one node, and rows are skipped.
 * Gets, atomics, collectives and bidirectional tests are skipped too.  1 GB =
 * 10^9 B. */

#include "import/import.h"

#include <string.h>

typedef enum kind {
  OTHER,
  BANDWIDTH, /* a rate in GB/s */
  ROUND_TRIP /* a time in us */
} kind;

typedef struct logfile {
  gscale__source *s;
  bool named, one_node;
  kind kind;
} logfile;

/* Returns the kind of a test by name. */
static kind kind_of(gscale__part name)
{
  static const struct {
    const char *name;
    kind kind;
  } known[] = {{"shmem_put_bw", BANDWIDTH},
               {"shmem_put_bw_uni", BANDWIDTH},
               {"shmem_put_latency", ROUND_TRIP},
               {"shmem_put_ping_lat", ROUND_TRIP},
               {"shmem_p_ping_lat", ROUND_TRIP}};

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (gscale__is(name, known[i].name)) return known[i].kind;
  return OTHER;
}

static gscale_status add(logfile *l, const char *at, double size, double value)
{
  const bool many = l->kind == BANDWIDTH;
  gscale_measurement row = gscale__sample(
      many ? "net_bandwidth" : "net_latency", "all", "nodes", 2, "device");

  if (l->kind == OTHER || l->one_node) return gscale__skip(l->s);
  if (!(size > 0.0) || value < 0.0)
    return gscale__bad(l->s, at, "neither a time nor a bandwidth");
  row.size = size;
  row.time = many ? gscale__time_of(size, 1e9 * value) : value / 2e6;
  return gscale__add(l->s, at, &row);
}

/* Splits a word such as "shmem_put_bw_uni___None___size__1024___BW" into name
 * and size. */
static bool split_name(gscale__part word, gscale__part *name,
                       gscale__part *size)
{
  static const char before[] = "___size__", behind[] = "___";
  const char *const at = gscale__find(word, before);
  const char *const end = word.at + word.size;

  if (!at) return false;
  size->at = at + strlen(before);
  const gscale__part rest = {size->at, (size_t)(end - size->at)};
  const char *const stop = gscale__find(rest, behind);
  if (!stop) return false;
  size->size = (size_t)(stop - size->at);
  *name =
      (gscale__part){word.at, (size_t)(gscale__find(word, behind) - word.at)};
  return true;
}

/* Reads PERF NAME VALUE UNIT, or PERF_STATS NAME UNIT mean=VALUE. */
static gscale_status read_perf(logfile *l, gscale__part line,
                               const gscale__part *word, size_t n)
{
  const bool stats = n > 1 && gscale__is(word[1], "PERF_STATS");
  gscale__part name, size, value;
  double bytes, v;
  gscale_status st;

  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a row");
  if (n < 5 || !split_name(word[2], &name, &size))
    return gscale__bad(l->s, line.at, "not NAME___SCOPE___size__BYTES___WHAT");
  value = word[stats ? 4 : 3];
  if (stats && gscale__begins(value, "mean=")) {
    value.at += strlen("mean=");
    value.size -= strlen("mean=");
  }
  l->named = true;
  l->kind = kind_of(name);
  st = gscale__number(l->s, size, "size", &bytes);
  if (st == GSCALE_OK) st = gscale__number(l->s, value, "value", &v);
  return st == GSCALE_OK ? add(l, line.at, bytes, v) : st;
}

/* Reads SIZE SCOPE VALUE, or SIZE VALUE of old versions. */
static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  double size, value;

  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a row");
  if (n < 2) return gscale__bad(l->s, line.at, "a size without a value");
  gscale_status st = gscale__number(l->s, word[0], "size", &size);
  const bool scoped = n > 2 && !gscale__is_number(word[1], &value);
  if (st == GSCALE_OK)
    st = gscale__number(l->s, word[scoped ? 2 : 1], "value", &value);
  return st == GSCALE_OK ? add(l, line.at, size, value) : st;
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  double number;

  if (n == 0) return GSCALE_OK;
  if (gscale__begins(line, "&&&& PERF")) return read_perf(l, line, word, n);
  if (n > 1 && gscale__is(word[0], "nodes:")) {
    l->one_node = gscale__is(word[1], "1");
  } else if (gscale__begins(line, "shmem_")) {
    l->named = true;
    l->kind = kind_of(word[0]);
  } else if (l->named && gscale__is_number(word[0], &number)) {
    return read_row(l, line, word, n);
  }
  return GSCALE_OK;
}

static bool detect(const gscale__source *s)
{
  return gscale__has(s, "shmem_put_") || gscale__has(s, "shmem_p_ping");
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s};

  return gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);
}

const gscale__format gscale__format_nvshmem = {"nvshmem-perftest", detect,
                                               read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
