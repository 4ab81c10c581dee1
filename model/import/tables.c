/* tables.c - tables of sizes and bandwidths or times, which `tables` describes:
 * NVSHMEM's perftest, bandwidthTest of the CUDA samples, perftest of RDMA
 * (ib_write_bw), BabelStream and DeepSpeed's communication benchmark.
 *
 * A row begins with the size, and the value is one of its numbers. NVSHMEM's
 * latencies are round trips.  With a line `# nodes: 1`, its rows are skipped.
 * BabelStream prints all bytes of a kernel, and the device part of
 * bandwidthTest counts a copy twice.  DeepSpeed prints no hosts: more than 8
 * GPUs are full nodes. Gets, atomics and bidirectional tests are skipped. */

#include "import/import.h"

#include <stdio.h>

typedef struct table {
  const char *mark;  /* in a line before the rows */
  const char *bench; /* NULL: rows are skipped */
  const char *src, *dst, *access;
  int gpus;
  size_t value; /* of the numbers of a row, the size is the first */
  double time;  /* s of a printed time, or 0 for a rate */
} table;

#define SHMEM(mark, bench, time)                                               \
  {                                                                            \
    mark, bench, "all", "nodes", "device", 2, 1, time                          \
  }
/* The first mark in a line decides. */
static const table tables[] = {
    {.mark = "Bidirectional BW"},
    {.mark = " Latency Test"},
    {"RDMA_", "net_bandwidth", "all", "nodes", "host", 2, 3, 0.0},
    SHMEM("shmem_put_latency", "net_latency", 0.5e-6),
    SHMEM("_ping_lat", "net_latency", 0.5e-6),
    SHMEM("shmem_put_bw", "net_bandwidth", 0.0),
    {.mark = "shmem_"},
    {"Host to Device Bandwidth", "dma_pinned", "h", "0", "copy", 1, 1, 0.0},
    {"Device to Host Bandwidth", "dma_pinned", "0", "h", "copy", 1, 1, 0.0},
    {"Device to Device Bandwidth", "membw", "0", "0", "copy", 1, 1, 0.0},
    {"MBytes/sec", "membw", "0", "0", "copy", 1, 1, 1.0},
    {"Performance of all_reduce", "allreduce", "all", "", "kernel", 0, 0, 0.0},
    {"Performance of all_gather", "allgather", "all", "", "kernel", 0, 0, 0.0},
    {.mark = "Performance of "},
};

static const struct {
  const char *name;
  double rate; /* B/s */
} units[] = {{"MB/s", 1048576.0}, {"GB/s", 1e9}, {"Gb/s", 1.25e8}};

typedef struct logfile {
  gscale__source *s;
  const table *in;
  bool one_node, gpu, pageable;
  double unit; /* B/s */
  int gpus;
} logfile;

/* Reads "1.0 GB 536870912x2 11.1 ms ...", where the description is exact. */
static bool read_described(const gscale__part *word, size_t n, double *size,
                           double *time)
{
  double items, bytes;

  if (n < 5 || sscanf(word[2].at, "%lfx%lf", &items, &bytes) != 2 ||
      !gscale__is_number(word[3], time))
    return false;
  *size = items * bytes;
  *time *= gscale__is(word[4], "us") ? 1e-6 : 1e-3;
  return gscale__find(word[4], "s") == word[4].at + 1;
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  const table *const t = l->in;
  double x[4] = {0.0};
  size_t k = 0;

  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a row");
  if (!t->bench || (l->one_node && t->gpus == 2)) return gscale__skip(l->s);
  gscale_measurement row = gscale__sample(
      l->pageable && *t->bench == 'd' ? "dma_pageable" : t->bench, t->src,
      *t->dst       ? t->dst
      : l->gpus > 8 ? "nodes"
                    : "all",
      t->gpus > 0 ? t->gpus : l->gpus,
      l->gpu && t->value == 3 ? "gpu" : t->access);
  if (t->gpus == 0) {
    if (!read_described(word, n, &row.size, &row.time))
      return gscale__bad(l->s, line.at, "not a size, description and duration");
    return gscale__add(l->s, line.at, &row);
  }
  for (size_t i = 0; i < n && k < 4; i++)
    k += gscale__is_number(word[i], &x[k]);
  if (k <= t->value)
    return gscale__bad(l->s, line.at, "a size without a value");
  if (!(x[0] > 0.0) || x[t->value] < 0.0)
    return gscale__bad(l->s, line.at, "neither a time nor a bandwidth");
  if (t->bench[0] == 'm' && t->time == 0.0) x[0] *= 2.0;
  row.size = t->time == 1.0 ? x[0] * 1e6 * x[1] : x[0];
  row.time = t->time > 0.0 ? t->time * x[t->value]
                           : gscale__time_of(x[0], l->unit * x[t->value]);
  return gscale__add(l->s, line.at, &row);
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  double number;

  if (n == 0) return GSCALE_OK;
  if (l->in &&
      (gscale__is_number(word[0], &number) ||
       (l->in->time == 1.0 && n > 2 && gscale__is_number(word[1], &number))))
    return read_row(l, line, word, n);
  if (gscale__begins(line, "nodes: 1")) l->one_node = true;
  l->gpu = l->gpu || gscale__find(line, "cuda") || gscale__find(line, "CUDA");
  if (gscale__find(line, " Memory Transfers"))
    l->pageable = gscale__find(line, "PAGEABLE") != NULL;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (gscale__find(line, units[i].name)) l->unit = units[i].rate;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (gscale__find(line, tables[i].mark)) {
      l->in = &tables[i];
      sscanf(line.at, "%*[^A-Z]%*s of %*s on %d", &l->gpus);
      break;
    }
  return GSCALE_OK;
}

static bool detect(const gscale__source *s)
{
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (gscale__has(s, tables[i].mark)) return true;
  return false;
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s, .unit = 1e9};

  return gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);
}

const gscale__format gscale__format_tables = {
    "nvshmem-perftest, bandwidthTest, ib_write_bw, BabelStream, ds_bench",
    detect, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
