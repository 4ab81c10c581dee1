/* tables.c - tables of sizes and bandwidths or times, which `tables` describes:
 * NVSHMEM's perftest, bandwidthTest of the CUDA samples, perftest of RDMA
 * (ib_write_bw), BabelStream, and the communication benchmarks of DeepSpeed and
 * PyTorch (PARAM).
 *
 * A row begins with the size, and the value is one of its numbers.  With
 * NVSHMEM_MACHINE_READABLE_OUTPUT, a row is
 *
 *   &&&& PERF shmem_put_bw_uni___None___size__1024___BW 1.5 +GB/sec
 *
 * NVSHMEM's latencies are round trips, and no model tells the times of its
 * collectives.  With a line `# nodes: 1`, rows of two nodes are skipped.
 * BabelStream prints all bytes of a kernel, and the device part of
 * bandwidthTest counts a copy twice.  Gets, atomics and bidirectional tests are
 * skipped. */

#include "import/import.h"

#include <math.h>
#include <stdio.h>

/* GPUs of a node if the log does not tell them. */
enum {
  USUAL_NODE = 8
};

typedef struct table {
  const char *mark;  /* in a line before the rows, or in each row */
  const char *bench; /* NULL: rows are skipped */
  const char *src, *dst, *access;
  int gpus; /* 0: as many as the log tells */
  /* The size is of gpus^-power parts: 1, one rank's; -1, of all pairs. */
  int power;
  size_t value; /* of the numbers of a row, the size is the first; 0: none */
  double time;  /* s of a printed time, or 0 for a rate */
  bool named;   /* a row begins with a name */
} table;

#define SHMEM(mark, bench, time)                                               \
  {                                                                            \
    mark, bench, "all", "nodes", "device", 2, 0, 1, time, false                \
  }
#define CALL(mark, bench, power, value, named)                                 \
  {                                                                            \
    mark, bench, "all", "", "kernel", 0, power, value, 1e-6, named             \
  }
#define COPY(mark, bench, src, dst)                                            \
  {                                                                            \
    mark, bench, src, dst, "copy", 1, 0, 1, 0.0, false                         \
  }
/* The first mark in a line decides. */
static const table tables[] = {
    {.mark = "Bidirectional BW"},
    {.mark = " Latency Test"},
    {"RDMA_", "net_bandwidth", "all", "nodes", "host", 2, 0, 3, 0.0, false},
    SHMEM("shmem_put_latency", "net_latency", 0.5e-6),
    SHMEM("_ping_lat", "net_latency", 0.5e-6),
    SHMEM("shmem_put_bw", "net_bandwidth", 0.0),
    {.mark = "shmem_"},
    COPY("Host to Device Bandwidth", "dma_pinned", "h", "0"),
    COPY("Device to Host Bandwidth", "dma_pinned", "0", "h"),
    COPY("Device to Device Bandwidth", "membw", "0", "0"),
    {"MBytes/sec", "membw", "0", "0", "copy", 1, 0, 1, 1.0, true},
    CALL("Performance of all_reduce", "allreduce", 0, 0, false),
    CALL("Performance of all_gather", "allgather", 1, 0, false),
    CALL("Performance of all_to_all", "alltoall", -1, 0, false),
    CALL("Performance of broadcast", "broadcast", 0, 0, false),
    {.mark = "Performance of "},
    CALL("COMMS-RES-all_reduce", "allreduce", 0, 2, true),
    CALL("COMMS-RES-all_gather", "allgather", 0, 2, true),
    CALL("COMMS-RES-reduce_scatter", "reducescatter", 0, 2, true),
    CALL("COMMS-RES-all_to_all", "alltoall", -1, 2, true),
    CALL("COMMS-RES-broadcast", "broadcast", 0, 2, true),
    {.mark = "COMMS-RES", .named = true},
    CALL("alltoall_", "nvshmem_alltoall", 0, 2, false),
    CALL("fcollect_", "nvshmem_allgather", 0, 2, false),
    CALL("reducescatter", "nvshmem_reducescatter", 0, 2, false),
    CALL("_reduction", "nvshmem_allreduce", 0, 2, false),
    CALL("reduction_", "nvshmem_allreduce", 0, 2, false),
    CALL("bcast_", "nvshmem_broadcast", 0, 2, false),
    CALL("broadcast_on", "nvshmem_broadcast", 0, 2, false),
};

static const struct {
  const char *name;
  double rate; /* B/s */
} units[] = {{"MB/s", 1048576.0}, {"GB/s", 1e9}, {"Gb/s", 1.25e8}};

/* Words before the number of all GPUs or of the GPUs of a node. */
static const struct {
  const char *word;
  bool near, from_zero;
} told[] = {{"world_size", false, false},
            {"groupSize", false, false},
            {"local_size", true, false},
            {"mype:", false, true},
            {"mype_node:", true, true}};

typedef struct logfile {
  gscale__source *s;
  const table *in;
  bool one_node, gpu, pageable;
  double unit; /* B/s */
  int gpus[2]; /* all, and of a node; 0: unknown */
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

/* Reads the size and the value of a PERF or PERF_STATS line. */
static bool read_perf(gscale__part line, double *size, double *value)
{
  const char *const at = gscale__find(line, "__size");
  int end = 0;

  return at && sscanf(at, "%*[^0-9]%lf%*[^0-9]%lf%n", size, value, &end) == 2 &&
         at + end <= line.at + line.size;
}

/* Reads the size in B and the time in s, or returns false. */
static bool read_numbers(const logfile *l, gscale__part line,
                         const gscale__part *word, size_t n, double *size,
                         double *time)
{
  const table *const t = l->in;
  double x[4] = {0.0};
  size_t k = 0;

  if (t->value == 0) return read_described(word, n, size, time);
  if (*word[0].at == '&') {
    if (!read_perf(line, &x[0], &x[t->value])) return false;
  } else {
    for (size_t i = 0; i < n && k < 4; i++)
      k += gscale__is_number(word[i], &x[k]);
    if (k <= t->value) return false;
  }
  if (!(x[0] > 0.0) || x[t->value] < 0.0) return false;
  if (t->bench[0] == 'm' && t->time == 0.0) x[0] *= 2.0;
  *size = t->time == 1.0 ? x[0] * 1e6 * x[1] : x[0];
  *time = t->time > 0.0 ? t->time * x[t->value]
                        : gscale__time_of(x[0], l->unit * x[t->value]);
  return true;
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  const table *const t = l->in;
  const int gpus = t->gpus > 0 ? t->gpus : l->gpus[0];
  const int near = l->gpus[1] > 0 ? l->gpus[1] : USUAL_NODE;

  if (!gscale__whole(l->s, line)) return gscale__cut(l->s, "inside a row");
  if (!t->bench || (l->one_node && t->gpus == 2)) return gscale__skip(l->s);
  if (gpus == 0) gscale__ask_ranks(l->s, line.at);
  gscale_measurement row = gscale__sample(
      l->pageable && *t->bench == 'd' ? "dma_pageable" : t->bench, t->src,
      *t->dst       ? t->dst
      : gpus > near ? "nodes"
                    : "all",
      gpus, l->gpu && t->value == 3 ? "gpu" : t->access);
  if (!read_numbers(l, line, word, n, &row.size, &row.time))
    return gscale__bad(l->s, line.at, "not a size and a time or a bandwidth");
  row.size *= pow(fmax(gpus, 1.0), t->power);
  if (t->power < 0 && gpus > 1) row.count = gpus * (gpus - 1.0);
  return gscale__add(l->s, line.at, &row);
}

/* Finds the table and the unit, and the GPUs, that a line tells. */
static void look(logfile *l, gscale__part line)
{
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (gscale__find(line, units[i].name)) l->unit = units[i].rate;
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    const char *const at = gscale__find(line, told[i].word);
    int *const most = &l->gpus[told[i].near];
    int number;

    if (at && sscanf(at, "%*[^0-9]%6d", &number) == 1)
      *most = told[i].from_zero && number < *most ? *most
                                                  : number + told[i].from_zero;
  }
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    const char *const at = gscale__find(line, tables[i].mark);
    if (!at) continue;
    l->in = &tables[i];
    sscanf(at, "%*s of %*s on %6d", &l->gpus[0]);
    break;
  }
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;
  double number;

  if (n == 0) return GSCALE_OK;
  if (!gscale__is_number(word[0], &number)) look(l, line);
  if (l->in && (gscale__is_number(word[0], &number) ||
                gscale__begins(line, "&&&& PERF") ||
                (l->in->named && n > 4 && gscale__is_number(word[1], &number))))
    return read_row(l, line, word, n);
  if (gscale__begins(line, "nodes: 1")) l->one_node = true;
  l->gpu = l->gpu || gscale__find(line, "cuda") || gscale__find(line, "CUDA");
  if (gscale__find(line, " Memory Transfers"))
    l->pageable = gscale__find(line, "PAGEABLE");
  return GSCALE_OK;
}

static gscale_status read(gscale__source *s)
{
  logfile l = {
      .s = s, .unit = 1e9, .gpus = {gscale__measurements_ranks(s->out)}};
  const gscale_status st =
      gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &l);

  return st == GSCALE_OK && !l.in ? GSCALE_ENAME : st;
}

const gscale__format gscale__format_tables = {
    "nvshmem-perftest, bandwidthTest, ib_write_bw, BabelStream, ds_bench, "
    "PARAM",
    "", "", false, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
