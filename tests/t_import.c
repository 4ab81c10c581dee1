/* t_import.c - files of other tools: good ones, broken ones,
 * and real ones where they lie beside the project.
 *
 * The samples in tests/imports have the forms of the tools and invented
 * numbers. */

#include "random.h"

#include <errno.h>
#include <gpuscale/recording.h>
#include <gsl/gsl_test.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[256]; /* of the one file that is written again and again */

static bool make_file(void)
{
  const char *const tmp = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/t_import.XXXXXX", tmp ? tmp : "/tmp");
  const int fd = mkstemp(path);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool write_bytes(const char *bytes, size_t n)
{
  unlink(path); /* a file that is cut waits for the disk */
  FILE *const f = fopen(path, "wb");
  return f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0;
}

/* The path of a file below the root of the project. */
static const char *below_root(const char *name)
{
  static char full[1024];
  const char *const root = getenv("SRC");
  snprintf(full, sizeof full, "%s/%s", root ? root : ".", name);
  return full;
}

/* ---- good files ------------------------------------------------------------
 */

/* What is expected of one row. */
typedef struct want {
  const char *bench, *src, *dst;
  int gpus;
  const char *access;
  double size, count, inflight, time, sigma, repeats;
  int line;
} want;

static void compare_row(const char *file, size_t i, const gscale_measurement *m,
                        const want *w)
{
  gsl_test_str(m->bench, w->bench, "%s %zu: bench", file, i);
  gsl_test_str(m->src, w->src, "%s %zu: src", file, i);
  gsl_test_str(m->dst, w->dst, "%s %zu: dst", file, i);
  gsl_test_int(m->gpus, w->gpus, "%s %zu: gpus", file, i);
  gsl_test_str(m->access, w->access, "%s %zu: access", file, i);
  gsl_test_abs(m->size, w->size, 0.0, "%s %zu: size", file, i);
  gsl_test_abs(m->count, w->count, 0.0, "%s %zu: count", file, i);
  gsl_test_abs(m->inflight, w->inflight, 0.0, "%s %zu: inflight", file, i);
  /* one thread for all GPUs */
  gsl_test_abs(m->threads,
               strstr(file, "nccl.") && strcmp(m->src, "all") == 0 ? 1.0 : 0.0,
               0.0, "%s %zu: threads", file, i);
  gsl_test_rel(m->time, w->time, 1e-15, "%s %zu: time", file, i);
  gsl_test_rel(m->sigma, w->sigma, 1e-15, "%s %zu: sigma", file, i);
  gsl_test_abs(m->repeats, w->repeats, 0.0, "%s %zu: repeats", file, i);
  gsl_test_int(m->line, w->line, "%s %zu: line", file, i);
  gsl_test_str(m->file, strrchr(file, '/') + 1, "%s %zu: file", file, i);
}

/* The file gives these rows, found out and by the name of its format. */
static void expect_rows(const char *file, const char *format, size_t skipped,
                        const want *rows, size_t n)
{
  for (int named = 0; named < 2; named++) {
    gscale_measurements *const m = gscale_measurements_new();
    gscale_diag diag = {""};
    size_t left = 99;
    gsl_test_int((int)gscale_import(m, below_root(file), named ? format : NULL,
                                    &left, &diag),
                 GSCALE_OK, "%s: %s", file, diag.text);
    gsl_test_int((int)left, (int)skipped, "%s: skipped", file);
    gsl_test_int((int)gscale_measurements_count(m), (int)n, "%s: rows", file);
    for (size_t i = 0; i < n && i < gscale_measurements_count(m); i++)
      compare_row(file, i, gscale_measurements_at(m, i), &rows[i]);
    gscale_measurements_free(m);
  }
}

#define EXPECT(file, format, skipped, rows)                                    \
  expect_rows("tests/imports/" file, format, skipped, rows,                    \
              sizeof rows / sizeof *rows)

static void nccl(void)
{
  static const want text[] = {
      {"allreduce", "all", "all", 4, "kernel", 1048576, 1, 1, 23.71e-6, 0, 20,
       15},
      {"allreduce", "all", "all", 4, "in-place", 1048576, 1, 1, 23.65e-6, 0, 20,
       15},
      {"allreduce", "all", "all", 4, "kernel", 2097152, 1, 1, 31.44e-6, 0, 20,
       17},
      {"allreduce", "all", "all", 4, "in-place", 2097152, 1, 1, 31.39e-6, 0, 20,
       17},
      /* of the third size only the in-place result has no wrong elements */
      {"allreduce", "all", "all", 4, "in-place", 4194304, 1, 1, 47.6e-6, 0, 20,
       18},
      {"alltoall", "all", "all", 4, "kernel", 262144, 12, 1, 27.93e-6, 0, 50,
       37},
      {"alltoall", "all", "all", 4, "in-place", 262144, 12, 1, 28.05e-6, 0, 50,
       37},
  };
  static const want json[] = {
      {"ring", "all", "all", 2, "kernel", 65536, 2, 1, 11.25e-6, 0, 20, 2},
      {"ring", "all", "all", 2, "in-place", 65536, 2, 1, 11.31e-6, 0, 20, 2},
      {"ring", "all", "all", 2, "kernel", 131072, 2, 1, 12.5e-6, 0.2e-6, 4, 3},
  };
  EXPECT("nccl.log", "nccl-tests", 1, text);
  EXPECT("nccl.json", "nccl-tests-json", 0, json);
}

#define MIB512 (512.0 * 1024 * 1024)

static void nvbandwidth(void)
{
  static const want text[] = {
      {"dma_pinned", "h", "0", 1, "copy", MIB512, 1, 1, MIB512 / 55.25e9, 0, 1,
       16},
      {"dma_pinned", "h", "1", 1, "copy", MIB512, 1, 1, MIB512 / 55.31e9, 0, 1,
       16},
      {"dma", "0", "1", 2, "copy", MIB512, 1, 1, MIB512 / 391.17e9, 0, 1, 30},
      {"dma", "1", "0", 2, "copy", MIB512, 1, 1, MIB512 / 391.44e9, 0, 1, 31},
      {"dma", "1", "0", 2, "copy", MIB512, 1, 1, MIB512 / 393.02e9, 0, 1, 38},
      {"dma", "0", "1", 2, "copy", MIB512, 1, 1, MIB512 / 393.20e9, 0, 1, 39},
      {"dma_pinned_all", "0", "h", 2, "copy", MIB512, 1, 1, MIB512 / 54.1e9, 0,
       1, 46},
      {"dma_pinned_all", "1", "h", 2, "copy", MIB512, 1, 1, MIB512 / 54.2e9, 0,
       1, 46},
  };
  static const want json[] = {
      {"dma_pinned", "0", "h", 1, "copy", MIB512, 1, 1, MIB512 / 54.25e9, 0, 1,
       17},
      {"dma_pinned", "1", "h", 1, "copy", MIB512, 1, 1, MIB512 / 54.5e9, 0, 1,
       18},
      {"dma", "1", "0", 2, "copy", MIB512, 1, 1, MIB512 / 391.5e9, 0, 1, 31},
      {"dma", "0", "1", 2, "copy", MIB512, 1, 1, MIB512 / 391.25e9, 0, 1, 34},
  };
  EXPECT("nvbandwidth.txt", "nvbandwidth", 4, text);
  EXPECT("nvbandwidth.json", "nvbandwidth-json", 2, json);
}

static void p2p(void)
{
  gscale_measurements *const m = gscale_measurements_new();
  size_t skipped = 0;
  gsl_test_int((int)gscale_import(m, below_root("tests/imports/p2p.txt"), NULL,
                                  &skipped, NULL),
               GSCALE_OK, "p2p: read");
  gsl_test_int((int)gscale_measurements_count(m), 24, "p2p: rows");
  gsl_test_int((int)skipped, 21, "p2p: skipped"); /* 4 diagonals, CPU */

  static const struct {
    size_t i;
    want w;
  } some[] = {
      {0,
       {"staged_copy", "0", "1", 2, "copy", 4e7, 1, 1, 4e7 / 38.11e9, 0, 1,
        18}},
      {2,
       {"staged_copy", "1", "0", 2, "copy", 4e7, 1, 1, 4e7 / 38.20e9, 0, 1,
        19}},
      {6, {"dma", "0", "1", 2, "copy", 4e7, 1, 1, 4e7 / 377.5e9, 0, 1, 23}},
      {7,
       {"staged_copy", "0", "2", 2, "copy", 4e7, 1, 1, 4e7 / 21.05e9, 0, 1,
        23}},
      {12,
       {"dma_duplex", "0", "1", 2, "copy", 4e7, 2, 1, 8e7 / 742.25e9, 0, 1,
        28}},
      {13,
       {"staged_copy_duplex", "0", "2", 2, "copy", 4e7, 2, 1, 8e7 / 30.10e9, 0,
        1, 28}},
      {18, {"dma", "0", "1", 2, "copy", 16, 1, 1, 2.25e-6, 0, 1, 33}},
  };
  for (size_t k = 0; k < sizeof some / sizeof *some; k++)
    compare_row("tests/imports/p2p.txt", some[k].i,
                gscale_measurements_at(m, some[k].i), &some[k].w);
  gscale_measurements_free(m);
}

static void osu(void)
{
  static const want rows[] = {
      {"dma", "0", "1", 2, "copy", 1, 1, 64, 1 / 0.25e6, 0, 1, 6},
      {"dma", "0", "1", 2, "copy", 1024, 1, 64, 4e-6, 0, 1, 7},
      {"dma", "0", "1", 2, "copy", 4194304, 1, 64, 4194304 / 20e9, 0, 1, 8},
      {"dma_pinned", "0", "h", 1, "copy", 0, 1, 1, 1.15e-6, 0, 1, 13},
      {"dma_pinned", "0", "h", 1, "copy", 8, 1, 1, 2.25e-6, 0, 1, 14},
      {"mpi", "h", "h", 0, "host", 4096, 1, 1, 3.5e-6, 0, 1, 18},
      {"net_latency", "all", "nodes", 8, "gpu", 64, 1, 1, 3.5e-6, 0, 1, 27},
      /* collectives, of 16 ranks on two nodes; what a rank or a pair has */
      {"mpi_allreduce", "all", "nodes", 16, "gpu", 4, 1, 2, 34.31e-6, 0, 1, 34},
      {"mpi_broadcast", "all", "nodes", 16, "host", 8, 1, 2, 3.25e-6, 0, 1, 37},
      {"mpi_allgather", "all", "nodes", 16, "host", 128, 1, 2, 4.25e-6, 0, 1,
       40},
      {"mpi_alltoall", "all", "nodes", 16, "gpu", 8, 240, 2, 5.25e-6, 0, 1, 43},
      {"allreduce", "all", "nodes", 16, "kernel", 8, 1, 2, 6.25e-6, 0, 1, 46},
  };
  EXPECT("osu.txt", "osu", 3, rows);
}

#define TABLES                                                                 \
  "nvshmem-perftest, bandwidthTest, ib_write_bw, BabelStream, ds_bench, PARAM"

static void nvshmem(void)
{
  static const want rows[] = {
      {"net_latency", "all", "nodes", 2, "device", 8, 1, 1, 3.95e-6, 0, 1, 7},
      {"net_latency", "all", "nodes", 2, "device", 16, 1, 1, 4.05e-6, 0, 1, 8},
      {"net_bandwidth", "all", "nodes", 2, "device", 1024, 1, 1, 1024 / 2.5e9,
       0, 1, 11},
      {"net_bandwidth", "all", "nodes", 2, "device", 4096, 1, 1, 5e-7, 0, 1,
       13},
      {"net_latency", "all", "nodes", 2, "device", 32, 1, 1, 4.2e-6, 0, 1, 14},
      {"nvshmem_alltoall", "all", "nodes", 4, "kernel", 1024, 1, 1, 6.4e-6, 0,
       1, 18},
      {"nvshmem_allreduce", "all", "nodes", 4, "kernel", 2048, 1, 1, 12.8e-6, 0,
       1, 21},
      {"nvshmem_allgather", "all", "nodes", 4, "kernel", 4096, 1, 1, 9.6e-6, 0,
       1, 22},
  };
  static const want others[] = {
      {"dma_pinned", "h", "0", 1, "copy", 32e6, 1, 1, 32e6 / 25e9, 0, 1, 4},
      {"membw", "0", "0", 1, "copy", 64e6, 1, 1, 64e6 / 1280e9, 0, 1, 8},
      {"dma_pageable", "0", "h", 1, "copy", 33554432, 1, 1, 32.0 / 8192, 0, 1,
       12},
      {"net_bandwidth", "all", "nodes", 2, "host", 65536, 1, 1, 65536 / 50e9, 0,
       1, 15},
      {"net_bandwidth", "all", "nodes", 2, "host", 65536, 1, 1, 1.0 / 16384, 0,
       1, 18},
      {"membw", "0", "0", 1, "copy", 7.5e8, 1, 1, 0.00025, 0, 1, 22},
      {"allreduce", "all", "nodes", 16, "kernel", 67108864, 1, 1, 268.5e-6, 0,
       1, 25},
      {"allgather", "all", "all", 8, "kernel", 8589934592, 1, 1, 3.9e-3, 0, 1,
       27},
      {"allreduce", "all", "nodes", 16, "kernel", 1048576, 1, 1, 64e-6, 0, 1,
       30},
      {"alltoall", "all", "nodes", 16, "kernel", 65536, 240, 1, 32e-6, 0, 1,
       31},
  };
  EXPECT("nvshmem.txt", TABLES, 2, rows);
  EXPECT("tables.txt", TABLES, 2, others);
}

/* ---- profiles --------------------------------------------------------------
 */

static gscale_recording *recorded(void)
{
  gscale_recording *const p = gscale_recording_new();
  gscale_diag diag = {""};
  gscale_status st = gscale_recording_read(p, path, 0, NULL, NULL, &diag);
  if (st == GSCALE_OK) st = gscale_recording_finish(p, &diag);
  gsl_test_int((int)st, GSCALE_OK, "profile: %s", diag.text);
  return p;
}

static const gscale_recorded_what *what_of(const gscale_recording *p, size_t i)
{
  static const gscale_recorded_what none = {.name = ""};
  if (i >= gscale_recording_about(p).records) return &none;
  return gscale_recording_what(p, gscale_recording_at(p, i)->what);
}

#define EVENT(cat, name, ts, tid, args)                                        \
  "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"ts\":" ts         \
  ",\"dur\":2,\"pid\":0,\"tid\":" tid ",\"args\":{" args "}}"

/* A collective has the larger of its buffers, in 4 B each; another kernel no
 * bytes; threads without a number are not the one that has it. */
static void kineto(void)
{
  static const char *const events[] = {
      EVENT("kernel", "sum", "4", "7",
            "\"device\":0,\"stream\":7,\"correlation\":1,"
            "\"grid\":[24,2,1],\"block\":[512,1,1],\"dtype\":\"Float\","
            "\"In msg nelems\":1000,\"Out msg nelems\":4000,"
            "\"Group size\":4"),
      EVENT("kernel", "plain", "8", "7",
            "\"device\":0,\"stream\":7,\"correlation\":2"),
      EVENT("cuda_runtime", "launch", "1", "\"main\"", "\"correlation\":1"),
      EVENT("cuda_runtime", "launch", "5", "\"thread 1\"", "\"correlation\":2"),
  };
  char text[2048];
  snprintf(text, sizeof text, "{\"traceEvents\":[%s,%s,%s,%s]}", events[0],
           events[1], events[2], events[3]);
  gsl_test(!write_bytes(text, strlen(text)), "file: written");
  gscale_recording *const p = recorded();
  const gscale_recorded_what *const sum = what_of(p, 0), *plain = what_of(p, 1);
  gsl_test_int((int)gscale_recording_about(p).records, 4, "kineto: records");
  gsl_test_abs(sum->bytes, 16000.0, 0.0, "kineto: 4000 floats");
  gsl_test_int(sum->ranks, 4, "kineto: ranks");
  gsl_test_abs(sum->blocks, 48.0, 0.0, "kineto: blocks");
  gsl_test_abs(sum->threads, 512.0, 0.0, "kineto: threads");
  gsl_test_abs(plain->bytes, 0.0, 0.0, "kineto: no bytes");
  gsl_test_int(plain->ranks, 0, "kineto: no ranks");
  gsl_test(what_of(p, 2)->thread == what_of(p, 3)->thread,
           "kineto: main is not thread 1");
  gscale_recording_free(p);
}

static void nsys(void)
{
  static const char sql[] =
      "create table StringIds(id integer primary key, value text);"
      "insert into StringIds values (1, 'sweep');"
      "create table CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, contextId,"
      " streamId, correlationId, globalPid, demangledName, shortName,"
      " gridX, gridY, gridZ, blockX, blockY, blockZ);"
      "insert into CUPTI_ACTIVITY_KIND_KERNEL values"
      " (1000, 3000, 0, 1, 7, 1, 16777216, 1, 1, 3, 5, 7, 32, 2, 4);";
  sqlite3 *db = NULL;
  unlink(path);
  gsl_test_int(sqlite3_open(path, &db), SQLITE_OK, "nsys: opened");
  gsl_test_int(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK,
               "nsys: written");
  sqlite3_close(db);
  gscale_recording *const p = recorded();
  gsl_test_str(what_of(p, 0)->name, "sweep", "nsys: name");
  gsl_test_abs(what_of(p, 0)->blocks, 105.0, 0.0, "nsys: 3 x 5 x 7 blocks");
  gsl_test_abs(what_of(p, 0)->threads, 256.0, 0.0, "nsys: 32 x 2 x 4 threads");
  gscale_recording_free(p);
}

/* ---- topologies -------------------------------------------------------------
 */

static gscale_fabric expect_fabric(const char *name, gscale_topology kind,
                                   int gpus)
{
  gscale_fabric f;
  gscale_diag diag = {""};
  int n = -1;
  memset(&f, 0, sizeof f);
  gsl_test_int((int)gscale_import_topology(below_root(name), &f, &n, &diag),
               GSCALE_OK, "%s: %s", name, diag.text);
  gsl_test_int(n, gpus, "%s: gpus", name);
  gsl_test_str(gscale_topology_name(f.kind), gscale_topology_name(kind),
               "%s: kind", name);
  gsl_test_int((int)gscale_fabric_check(&f, NULL), GSCALE_OK, "%s: sound",
               name);
  return f;
}

static void topologies(void)
{
  gscale_fabric f;
  expect_fabric("tests/imports/topo-switch.txt", GSCALE_SWITCH, 4);
  f = expect_fabric("tests/imports/topo-mesh.txt", GSCALE_MESH, 4);
  gsl_test_int(f.mesh_gpus, 4, "topo: mesh of 4");
  gsl_test_abs(f.mesh[0][1], 0.25, 0.0, "topo: 1 of 4 links");
  gsl_test_abs(f.mesh[3][0], 0.5, 0.0, "topo: 2 of 4 links");
  gsl_test_abs(f.mesh[1][3], 0.0, 0.0, "topo: none");
  f = expect_fabric("tests/imports/topo-tree.txt", GSCALE_TREE, 4);
  gsl_test_int(f.group, 2, "topo: pairs below a switch");

  expect_fabric("tests/imports/nccl-switch.xml", GSCALE_SWITCH, 2);
  f = expect_fabric("tests/imports/nccl-mesh.xml", GSCALE_MESH, 3);
  gsl_test_abs(f.mesh[2][1], 0.5, 0.0, "xml: 4 of 8 links");
  f = expect_fabric("tests/imports/nccl-tree.xml", GSCALE_TREE, 4);
  gsl_test_int(f.group, 2, "xml: pairs below a switch");
}

static void refuse_topology(const char *text, gscale_status status,
                            const char *words)
{
  gscale_fabric f, before;
  gscale_diag diag = {""};
  int gpus = -7;
  memset(&f, 77, sizeof f);
  before = f;
  gsl_test(!write_bytes(text, strlen(text)), "file: written");
  gsl_test_int((int)gscale_import_topology(path, &f, &gpus, &diag), (int)status,
               "topology: %s", words);
  gsl_test(!strstr(diag.text, words), "topology: '%s' says '%s'", diag.text,
           words);
  gsl_test(memcmp(&f, &before, sizeof f) != 0 || gpus != -7,
           "topology: untouched");
}

#define HEAD "\tGPU0\tGPU1\tGPU2\tCPU Affinity\n"

static void bad_matrices(void)
{
  refuse_topology(HEAD "GPU0\t X \tNV4\tNV4\nGPU1\tNV4\t X \tNV4\n",
                  GSCALE_EPARSE, ":4:1: the file ends before the last GPU");
  refuse_topology(HEAD "GPU0\t X \tNV4\tNV4\nGPU1\tNV4\t X \tNV4\n"
                       "GPU2\tNV4\tNV4\t X ",
                  GSCALE_EPARSE, ":4:1: a row of fewer than 3 cells");
  refuse_topology(HEAD "GPU0\t X \tNV4\tNV4\nGPU1\tNV2\t X \tNV4\n"
                       "GPU2\tNV4\tNV4\t X \n",
                  GSCALE_EPARSE, "GPU1 to GPU0 is not as GPU0 to GPU1");
  refuse_topology(HEAD "GPU0\t X \tNV4\tNV\n", GSCALE_EPARSE,
                  ":2:14: not a number of NVLinks");
  refuse_topology(HEAD "GPU0\t X \tNV4\tNV1.5\n", GSCALE_EPARSE,
                  ":2:14: not a number of NVLinks");
  refuse_topology(HEAD "GPU0\t X \tNV4\tC2C\n", GSCALE_EPARSE,
                  ":2:14: neither X, NV#");
  refuse_topology(HEAD "GPU0\tNV4\tNV4\tNV4\n", GSCALE_EPARSE,
                  ":2:6: the diagonal is not X");
  refuse_topology(HEAD "GPU0\t X \tNV4\tNV4\nGPU2\tNV4\t X \tNV4\n",
                  GSCALE_EPARSE, ":3:1: the row of GPU1 is expected");
  refuse_topology("\tGPU0\tGPU1\tCPU Affinity\n\n", GSCALE_EPARSE,
                  "the file ends before the last GPU's row");
  refuse_topology("hello\n", GSCALE_ENAME, "no known topology format");
  refuse_topology("", GSCALE_ENAME, "no known topology format");
}

/* Two GPUs that one NVLink joins. */
static void one_link(void)
{
  static const char text[] =
      "<system version=\"1\"><cpu numaid=\"0\">"
      "<pci busid=\"0000:01:00.0\" class=\"0x030200\"><gpu dev=\"0\" "
      "rank=\"0\"><nvlink target=\"0000:02:00.0\" count=\"1\" "
      "tclass=\"0x030200\"/></gpu></pci>"
      "<pci busid=\"0000:02:00.0\" class=\"0x030200\"><gpu dev=\"1\" "
      "rank=\"1\"><nvlink target=\"0000:01:00.0\" count=\"1\" "
      "tclass=\"0x030200\"/></gpu></pci></cpu></system>\n";
  gscale_fabric f;
  gscale_diag diag = {""};
  int n = -1;
  gsl_test(!write_bytes(text, strlen(text)), "file: written");
  gsl_test_int((int)gscale_import_topology(path, &f, &n, &diag), GSCALE_OK,
               "xml: one link: %s", diag.text);
  gsl_test_int(n, 2, "xml: one link: gpus");
}

/* Two bridged pairs reach each other by the host. */
static void two_pairs(void)
{
  static const char text[] =
      "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
      "GPU0\t X \tNV4\tNODE\tSYS\nGPU1\tNV4\t X \tSYS\tNODE\n"
      "GPU2\tNODE\tSYS\t X \tNV4\nGPU3\tSYS\tNODE\tNV4\t X \n";
  gscale_fabric f;
  int n;
  gsl_test(!write_bytes(text, strlen(text)), "file: written");
  gsl_test_int((int)gscale_import_topology(path, &f, &n, NULL), GSCALE_OK,
               "topology of pairs");
  gsl_test_abs(f.mesh[2][3], 1.0, 0.0, "pairs: linked");
  gsl_test(f.mesh[0][2] > 0.0 || !isinf(f.staged), "pairs: by the host");
}

/* Complete files that no fabric of ours is like. */
static void other_fabrics(void)
{
  refuse_topology(HEAD "GPU0\t X \tSYS\tSYS\nGPU1\tSYS\t X \tPIX\n"
                       "GPU2\tSYS\tPIX\t X \n",
                  GSCALE_EDATA, "see GPUs 1 and 2");
  refuse_topology(HEAD "GPU0\t X \tSYS\tPIX\nGPU1\tSYS\t X \tSYS\n"
                       "GPU2\tPIX\tSYS\t X \n",
                  GSCALE_EDATA, "see GPUs 0 and 2");
}

/* Writes a matrix with as many NVLinks between all pairs. */
static void write_equal(int gpus, int links)
{
  static char text[64 * 1024];
  char *at = text;
  for (int j = 0; j < gpus; j++) at += sprintf(at, "\tGPU%d", j);
  at += sprintf(at, "\tCPU Affinity\n");
  for (int i = 0; i < gpus; i++) {
    at += sprintf(at, "GPU%d", i);
    for (int j = 0; j < gpus; j++)
      at += i == j ? sprintf(at, "\t X ") : sprintf(at, "\tNV%d", links);
    at += sprintf(at, "\t0-7\n");
  }
  gsl_test(!write_bytes(text, (size_t)(at - text)), "file: written");
}

static void refuse_equal(int gpus, int links, gscale_status status)
{
  gscale_fabric f;
  gscale_diag diag = {""};
  write_equal(gpus, links);
  gsl_test_int((int)gscale_import_topology(path, &f, &gpus, &diag), (int)status,
               "equal: %d of %d: %s", links, gpus, diag.text);
}

/* As many NVLinks between all pairs: a mesh if one GPU could have them all. */
static void equal_links(void)
{
  static const struct {
    int gpus, links;
    gscale_topology kind;
  } cases[] = {{1, 0, GSCALE_SWITCH},  {2, 18, GSCALE_SWITCH},
               {2, 1, GSCALE_SWITCH},  {4, 6, GSCALE_MESH},
               {4, 7, GSCALE_SWITCH},  {8, 12, GSCALE_SWITCH},
               {16, 6, GSCALE_SWITCH}, {64, 18, GSCALE_SWITCH}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    gscale_fabric f;
    int gpus = -1;
    write_equal(cases[k].gpus, cases[k].links);
    gsl_test_int((int)gscale_import_topology(path, &f, &gpus, NULL), GSCALE_OK,
                 "equal: %d of %d", cases[k].links, cases[k].gpus);
    gsl_test_int(gpus, cases[k].gpus, "equal: gpus");
    gsl_test_str(gscale_topology_name(f.kind),
                 gscale_topology_name(cases[k].kind), "equal: %d of %d",
                 cases[k].links, cases[k].gpus);
  }
  refuse_equal(17, 1, GSCALE_ESIZE); /* a mesh over GSCALE_MESH_MAX */
  refuse_equal(65, 18, GSCALE_EPARSE);
}

#define GPU(bus, dev, links)                                                   \
  "<pci busid=\"" bus "\"><gpu dev=\"" dev "\">" links "</gpu></pci>\n"
#define LINK(target, n)                                                        \
  "<nvlink target=\"" target "\" count=\"" n "\" tclass=\"0x030200\"/>"

static void bad_xml(void)
{
  refuse_topology("<system version=\"1\">\n<cpu>", GSCALE_EPARSE,
                  ":2:6: XML: no element found");
  refuse_topology("<system>\n<cpu></system>", GSCALE_EPARSE,
                  ":2:8: XML: mismatched tag");
  refuse_topology("<!DOCTYPE system [<!ENTITY a \"aa\">]>\n<system/>",
                  GSCALE_EPARSE, ":1:18: a document type");
  refuse_topology("<a><system/></a>", GSCALE_EPARSE, ":1:1: not a <system>");
  refuse_topology("<system/>\n", GSCALE_EPARSE, "no <gpu>");
  refuse_topology("<system><cpu><gpu dev=\"0\"/></cpu></system>", GSCALE_EPARSE,
                  "a <gpu> that is in no <pci>");
  refuse_topology("<system>" GPU("1", "64", "") "</system>", GSCALE_EPARSE,
                  "gpu: dev: not 0 .. 63");
  refuse_topology("<system>" GPU("1", "nan", "") "</system>", GSCALE_EPARSE,
                  "gpu: dev: not 0 .. 63");
  refuse_topology("<system>" GPU("1", "1", "") "</system>", GSCALE_EPARSE,
                  "devices are not numbered 0, 1, 2");
  refuse_topology("<system>\n" GPU("1", "0", "") GPU("2", "0", "") "</system>",
                  GSCALE_EPARSE, ":3:16: gpu: dev: given twice");
  refuse_topology("<system><pci><gpu dev=\"0\"/></pci></system>", GSCALE_EPARSE,
                  "no bus id");
  refuse_topology("<system>" GPU("1", "0", LINK("2", "4"))
                      GPU("2", "1", LINK("1", "3")) "</system>",
                  GSCALE_EPARSE, "GPU1 to GPU0 is not as GPU0 to GPU1");
  refuse_topology("<system>" GPU("1", "0", LINK("1", "4")) "</system>",
                  GSCALE_EPARSE, "an NVLink from a GPU to itself");
  refuse_topology("<system>" GPU("1", "0", LINK("2", "0")) "</system>",
                  GSCALE_EPARSE, "nvlink: count: not 1 .. 64");
  char deep[600] = "<system>";
  while (strlen(deep) < 500) strcat(deep, "<cpu>");
  refuse_topology(deep, GSCALE_EPARSE, "nested too deeply");
}

/* ---- broken files
 * -------------------------------------------------------------- */

static void refuse_as(const char *format, const char *text, size_t n,
                      gscale_status status, const char *words)
{
  gscale_measurements *const m = gscale_measurements_new();
  const gscale_measurement old = {
      .bench = "old", .count = 1.0, .time = 1.0, .src = "h"};
  gscale_diag diag = {""};
  size_t skipped = 77;

  gscale_measurements_add(m, &old, NULL);
  gsl_test(!write_bytes(text, n), "file: written");
  gsl_test_int((int)gscale_import(m, path, format, &skipped, &diag),
               (int)status, "broken: %s: '%s'", words, diag.text);
  gsl_test(!strstr(diag.text, words), "broken: '%s' says '%s'", diag.text,
           words);
  gsl_test_int((int)gscale_measurements_count(m), 1, "broken: only the old");
  gsl_test_int((int)skipped, 77, "broken: skipped untouched");
  gscale_measurements_free(m);
}

/* The text is refused with these words, or read with a remark that has them. */
static void refuse(const char *text, const char *words)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  bool said = false;

  gsl_test(!write_bytes(text, strlen(text)), "file: written");
  if (gscale_import(m, path, NULL, NULL, &diag) != GSCALE_OK) {
    refuse_as(NULL, text, strlen(text), GSCALE_EPARSE, words);
  } else {
    const gscale_remark *r;
    for (size_t i = 0; (r = gscale_measurements_remark(m, i)); i++)
      said |= strstr(r->text, words) != NULL;
    gsl_test(!said, "remarked: %s", words);
  }
  gscale_measurements_free(m);
}

static void bad_bytes(void)
{
  refuse_as(NULL, "OSU\nPOI\0NTS", 11, GSCALE_EPARSE, ":2:4: a NUL byte");
  refuse_as(NULL, "", 0, GSCALE_ENAME, "no known import format");
  refuse_as(NULL, "{}", 2, GSCALE_ENAME, "no known import format");
  refuse_as("foo", "x", 1, GSCALE_ENAME, "no import format 'foo'");
  refuse_as(NULL, "<system/>", 9, GSCALE_ENAME,
            "a topology, it holds no times");

  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  errno = 0;
  gsl_test_int((int)gscale_import(m, "/nowhere/x", NULL, NULL, &diag),
               GSCALE_EIO, "bytes: no file");
  gsl_test_int(errno, ENOENT, "bytes: errno");
  gsl_test_int((int)gscale_import(m, "/", NULL, NULL, &diag), GSCALE_EIO,
               "bytes: a directory");
  gsl_test_int(errno, EISDIR, "bytes: errno of it");
  gscale_measurements_free(m);
}

static void too_long(void)
{
  const size_t n = (64u << 20) + 1;
  char *const text = malloc(n);
  if (!text) return;
  memset(text, '\n', n);
  memcpy(text, "# OSU dum", 9);
  refuse_as(NULL, text, n, GSCALE_EPARSE, "the file goes on beyond 64 MiB");
  free(text);
}

#define COLLECTIVE "# Collective test starting: all_gather_perf\n"
#define RANKS      "#  Rank  0 Group 0\n#  Rank  1 Group 0\n"
#define COLUMNS                                                                \
  "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  "      \
  "algbw  busbw  #wrong\n"
#define END "# Out of bounds values : 0 OK\n"
#define ROW "8 2 float none -1 1 0 0 0 9 0 0 0"

static void bad_nccl(void)
{
  refuse(COLLECTIVE RANKS COLUMNS "8 2 float none -1 1,5 0 0 0 9 0 0 0\n" END,
         ":5:19: time: not a finite decimal number: '1,5'");
  refuse(COLLECTIVE RANKS COLUMNS "8 2 float none -1 nan 0 0 0 9 0 0 0\n" END,
         ":5:19: time: not a finite decimal number: 'nan'");
  refuse(COLLECTIVE RANKS COLUMNS "nan 2 float none -1 1 0 0 0 9 0 0 0\n" END,
         ":5:1: size: not a finite decimal number: 'nan'");
  refuse(COLLECTIVE RANKS COLUMNS "8 2 float none -1 -1 0 0 0 9 0 0 0\n" END,
         ":5:1: time: -1e-06 s is not > 0, or > 1e+18");
  refuse(COLLECTIVE RANKS COLUMNS "1e23 2 float none -1 1 0 0 0 9 0 0 0\n" END,
         ":5:1: size: 1e+23 is not in 0 .. 1e+18");
  refuse(COLLECTIVE RANKS COLUMNS "-8 2 float none -1 1 0 0 0 9 0 0 0\n" END,
         ":5:1: size: -8 is not in 0 .. 1e+18");
  refuse(COLLECTIVE RANKS COLUMNS "8 2 float none -1 1 0 0 x 9 0 0 0\n" END,
         ":5:25: #wrong: not a finite");
  refuse(COLLECTIVE RANKS COLUMNS "8 2 float none -1 1\n" END,
         ":5:1: 6 columns where the table has 13");
  refuse(COLLECTIVE RANKS COLUMNS "8 2 float none -1 1 0 0 0 9 0 0 0\n",
         "the file ends inside a table");
  refuse(COLLECTIVE RANKS COLUMNS "#\n" COLUMNS END,
         "a table begins in a table");
  refuse(COLLECTIVE COLUMNS ROW "\n" END, "no '#  Rank' lines");
  refuse(COLLECTIVE RANKS "# algbw busbw\n", "before the first row");
  refuse("{\"nccl_version\":1", ":1:18: JSON: ");
  refuse("{\"nccl_version\":1,\n\"results\":null}",
         ":2:11: no list of results");
  refuse("{\"nccl_version\":1,\"results\":[],\n\"config\":{}}",
         ":2:10: config: devices: not a number of ranks");
#define JSON_HEAD                                                              \
  "{\"nccl_version\":1,\"args\":[\"x/all_gather_perf\"],"                      \
  "\"config\":{\"devices\":[{}]},\"results\":[\n"
  refuse(JSON_HEAD "3]}", ":2:1: not an object");
  refuse(JSON_HEAD "{\"size\":\"nan\"}]}",
         ":2:9: size: not a finite decimal number: 'nan'");
  refuse(JSON_HEAD "{\"size\":8,\"out_of_place\":3}]}",
         ":2:1: out_of_place: not an object");
  refuse(JSON_HEAD "{\"size\":8,\"out_of_place\":{}}]}", ":2:26: no time");
  refuse(JSON_HEAD "{\"size\":8,\n\"out_of_place\":{\"time\":\"1,5\"}}]}",
         ":3:24: time: not a finite decimal number: '1,5'");
  refuse(JSON_HEAD "{\"size\":8,\"size\":8}]}", "JSON: duplicate");
}

#define RUN                                                                    \
  "Running device_to_device_memcpy_read_ce.\n"                                 \
  "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n"

static void bad_nvbandwidth(void)
{
  refuse(RUN "   0  1\n0 N/A 3,5\n1 3 N/A\n",
         ":4:7: cell: not a finite decimal number: '3,5'");
  refuse(RUN "   0  1\n0 N/A nan\n1 3 N/A\n", ":4:7: cell: not a finite");
  refuse(RUN "   0  1\n0 N/A -3\n1 3 N/A\n", ":4:7: a negative number");
  refuse(RUN "   0  1\n0 N/A 3\n\n", ":5:1: 1 rows of a matrix with 2");
  refuse(RUN "   0  1\n0 N/A 3\n", "the file ends inside a matrix");
  refuse(RUN "   0  1\n0 N/A 3\n2 3 N/A\n", ":5:1: row 1 is expected");
  refuse(RUN "   0  1\n0 N/A\n", ":4:1: 2 words in a row of 2 columns");
  refuse(RUN "   0  1\n0 N/A 3", ":4:1: 3 words in a row of 2 columns");
  refuse(RUN "   0  1", "the file ends inside a matrix");
  refuse(RUN, "the file ends before the first row");
  refuse("{\"nvbandwidth\":{}}", ":1:16: no list of testcases");
  refuse("{\"nvbandwidth\":\n{\"testcases\":[\n3]}}", ":3:1: a test without");
#define CASE                                                                   \
  "{\"nvbandwidth\":{\"testcases\":[{\"name\":\"device_to_device_memcpy_read_" \
  "ce\",\"status\":\"Passed\",\"bandwidth_description\":\"memcpy CE GPU(row) " \
  "-> GPU(column) bandwidth (GB/s)\",\n\"bandwidth_matrix\":"
  refuse(CASE "3}]}}", ":2:20: bandwidth_matrix: not a matrix");
  refuse(CASE "[3]}]}}", ":2:21: 0 columns in a matrix of 1 rows");
  refuse(CASE "[[\"0\",\"3,5\"],[\"3\",\"0\"]]}]}}",
         ":2:26: bandwidth: not a finite decimal number: '3,5'");
  refuse(CASE "[[\"0\",\"1e999\"],[\"3\",\"0\"]]}]}}", "not a finite");
  refuse(CASE "[[\"0\",true],[\"3\",\"0\"]]}]}}", "bandwidth: not a number");
  refuse(CASE "[[\"0\",\"3\"],[\"3\"", "JSON: ");
}

#define TITLE "Unidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n"

static void bad_p2p(void)
{
  refuse(TITLE " D\\D 0 1\n 0 1 2,5\n", ":3:5: cell: not a finite");
  refuse(TITLE " D\\D 0 1\n 0 1 -2\n", ":3:5: a negative number");
  refuse(TITLE " D\\D 0 1\n 0 1\n", ":3:1: 2 words in a row of 2 columns");
  refuse(TITLE " D\\D 0 1\n 0 1 2\n 0 1 3\n", ":4:1: row 1 is expected");
  refuse(TITLE " D\\D 0 1\n 0 1 2\n 1 2 3.", ":4:1: 3 words in a row");
  refuse(TITLE " D\\D 0 1\n 0 1 2\n", "the file ends inside a matrix");
  refuse(TITLE " D\\D 0", "the file ends inside a matrix");
  refuse(TITLE "D\\D", "the file ends before the first row");
  refuse("P2P=\n D\\D 0 1\n", ":2:1: a matrix without a title");
  char wide[1024] = TITLE " D\\D", *at = wide + strlen(wide);
  for (int i = 0; i < 65; i++) at += sprintf(at, " %d", i);
  strcpy(at, "\n");
  refuse(wide, ":2:1: more than 64 GPUs");
}

#define OSU "# OSU MPI-CUDA Latency Test v7\n# Size  Latency (us)\n"

static void bad_osu(void)
{
  refuse(OSU "8 1,5\n", ":3:3: latency: not a finite decimal number: '1,5'");
  refuse(OSU "8 inf\n", ":3:3: latency: not a finite");
  refuse(OSU "x 1.5\n", ":3:1: size: not a finite");
  refuse(OSU "8 -1.5\n", ":3:1: neither a time nor a bandwidth");
  refuse(OSU "8\n", ":3:1: 1 columns where there are 2");
  refuse(OSU "8 1.5", ":3:6: the file ends inside a row");
  refuse(OSU, "the file ends before the first row");
  refuse("# OSU MPI Bandwidth Test v7\n# Size  Latency (us)\n8 1\n",
         ":2:1: not the unit of this test");
}

static void bad_nvshmem(void)
{
#define NVSHMEM "#shmem_put_latency\n"
  refuse(NVSHMEM "8 Thread 1,5\n", ":2:1: not a size and a time");
  refuse(NVSHMEM "8 Thread -1\n", ":2:1: not a size and a time");
  refuse(NVSHMEM "0 Thread 1\n", ":2:1: not a size and a time");
  refuse(NVSHMEM "8\n", ":2:1: not a size and a time");
  refuse(NVSHMEM "8 Thread 1.5", "the file ends inside a row");
  refuse("Performance of all_reduce on 8 devices\n1.0 GB 1 2 3\n",
         ":2:1: not a size and a time");
  refuse(NVSHMEM, "the file ends before the first row");
}

/* Rows and skipped entries of a text, for what no sample file has. */
static void expect_count(const char *text, size_t rows, size_t skipped,
                         const char *bench)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  size_t left = 99;
  gsl_test(!write_bytes(text, strlen(text)), "file: written");
  const bool read = gscale_import(m, path, NULL, &left, &diag) == GSCALE_OK;
  gsl_test(!read && (rows > 0 || !strstr(diag.text, "no row is left")),
           "count: %s", diag.text);
  gsl_test_int((int)gscale_measurements_count(m), (int)rows, "count: rows");
  if (read) gsl_test_int((int)left, (int)skipped, "count: skipped");
  if (rows > 0)
    gsl_test_str(gscale_measurements_at(m, 0)->bench, bench, "count: bench");
  gscale_measurements_free(m);
}

static void other_nccl(void)
{
  /* the name in a command; it is for one table */
  expect_count("$ mpirun all_reduce_perf -g 2\n" RANKS COLUMNS ROW "\n" END, 2,
               0, "allreduce");
  expect_count("$ mpirun all_reduce_perf -g 2\n" RANKS COLUMNS ROW
               "\n" END RANKS COLUMNS ROW "\n" END,
               2, 2, "allreduce");
  /* a program that is not ours, time stamps, the host's time, one rank */
  expect_count("# Collective test starting: hypercube_perf\n" RANKS COLUMNS ROW
               "\n" END,
               0, 2, NULL);
  expect_count(COLLECTIVE RANKS COLUMNS ROW " 12:00:01\n" END, 2, 0,
               "allgather");
  expect_count(COLLECTIVE RANKS "#  size  cputime  algbw  busbw\n8 1 0 0\n" END,
               0, 1, NULL);
  expect_count(
      "# Collective test starting: alltoall_perf\n#  Rank  0\n" COLUMNS ROW
      "\n" END,
      0, 2, NULL);
  refuse("{\"nccl_version\":1,\"config\":{\"devices\":[{}]},\"results\":[]}",
         ":1:1: no args");
}

/* The version of the library, as the head or the library itself has it, and as
 * JSON does. */
static void version_of_nccl(void)
{
#define LIBRARY "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library="
#define TABLE   COLLECTIVE RANKS COLUMNS ROW "\n" END
  static const struct {
    const char *text;
    double version;
  } files[] = {
      {TABLE, 0.0},
      {LIBRARY "22902\n" TABLE, 22902.0},
      {LIBRARY "2804\n" TABLE, 20804.0},
      {LIBRARY "x\n" TABLE, 0.0},
      {"NCCL version 2.8.4+cuda11.1\n" TABLE, 20804.0},
      {"n1:7:7 [0] NCCL INFO NCCL version 2.19.3+cuda12.3\n" TABLE, 21903.0},
      {"NCCL version two\n" TABLE, 0.0},
      {"{\"nccl_version\":22902,\"args\":[\"all_gather_perf\"],\"config\":{"
       "\"devices\":[{\"rank\":0},{\"rank\":1}]},\"results\":[{\"size\":8,"
       "\"out_of_place\":{\"time\":9}}]}",
       22902.0}};

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    gscale_measurements *m = gscale_measurements_new();
    size_t skipped;
    gscale_diag why = {""};
    gsl_test(!write_bytes(files[i].text, strlen(files[i].text)), "written");
    gsl_test_int((int)gscale_import(m, path, NULL, &skipped, &why), GSCALE_OK,
                 "version %zu: %s", i, why.text);
    const gscale_measurement *r = gscale_measurements_at(m, 0);
    gsl_test_abs(r ? r->version : -1.0, files[i].version, 0.0, "version %zu",
                 i);
    gscale_measurements_free(m);
  }
}

/* As JSON each rank is listed, or the first of each process, which has so many
 * threads of so many GPUs.  A row that is cut behind its size is no row. */
static void ranks_of_nccl(void)
{
#define RANKED(ranks)                                                          \
  "{\"nccl_version\":1,\"args\":[\"all_gather_perf\"],\"config\":{"            \
  "\"nthreads\":1,\"ngpus\":2,\"devices\":[" ranks "]},\"results\":["          \
  "{\"size\":8,\"out_of_place\":{\"time\":9}}]}"
  static const struct {
    const char *text;
    int gpus;
  } files[] = {{RANKED("{\"rank\":0},{\"rank\":1}"), 2},
               {RANKED("{\"rank\":0},{\"rank\":2}"), 4},
               {RANKED("{\"rank\":0}"), 2}};

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    gscale_measurements *m = gscale_measurements_new();
    size_t skipped;
    gscale_diag why = {""};
    gsl_test(!write_bytes(files[i].text, strlen(files[i].text)), "written");
    gsl_test_int((int)gscale_import(m, path, NULL, &skipped, &why), GSCALE_OK,
                 "ranks %zu: %s", i, why.text);
    const gscale_measurement *r = gscale_measurements_at(m, 0);
    gsl_test_int(r ? r->gpus : -1, files[i].gpus, "ranks %zu", i);
    gscale_measurements_free(m);
  }
  gscale_measurements *m = gscale_measurements_new();
  const char *cut = COLLECTIVE RANKS COLUMNS ROW "\n16\n" ROW "\n" END;
  size_t skipped;
  gsl_test(!write_bytes(cut, strlen(cut)), "written");
  gsl_test(gscale_import(m, path, NULL, &skipped, NULL) != GSCALE_OK,
           "a row of its size only");
  gscale_measurements_free(m);
}

/* On several hosts the results are those of a network. */
static void hosts_of_nccl(void)
{
#define ON(rank, host)                                                         \
  "#  Rank  " rank " Group  0 Pid 4 on " host " device  0\n"
  static const struct {
    const char *text, *to;
  } files[] = {
      {COLLECTIVE ON("0", "a") ON("1", "a") COLUMNS ROW "\n" END, "all"},
      {COLLECTIVE ON("0", "a") ON("1", "ab") COLUMNS ROW "\n" END, "nodes"},
      {"{\"nccl_version\":1,\"args\":[\"all_gather_perf\"],\"config\":{"
       "\"devices\":[{\"rank\":0,\"hostname\":\"a\"},{\"rank\":1,"
       "\"hostname\":\"b\"}]},\"results\":[{\"size\":8,\"out_of_place\":"
       "{\"time\":9}}]}",
       "nodes"}};

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    gscale_measurements *m = gscale_measurements_new();
    size_t skipped;
    gscale_diag why = {""};
    gsl_test(!write_bytes(files[i].text, strlen(files[i].text)), "written");
    gsl_test_int((int)gscale_import(m, path, NULL, &skipped, &why), GSCALE_OK,
                 "hosts %zu: %s", i, why.text);
    const gscale_measurement *r = gscale_measurements_at(m, 0);
    gsl_test_str(r ? r->dst : "", files[i].to, "hosts %zu", i);
    gscale_measurements_free(m);
  }
}

/* Without a name anywhere: operation, root and the ratio of the bandwidths
 * tell; what may be either of two is no measurement of one. */
static void nameless_nccl(void)
{
#define FOUR  RANKS "#  Rank  2 Group 0\n#  Rank  3 Group 0\n"
#define TIMED " 0 9 0 0 0\n" END
#define OLD   "# size count type root time algbw busbw error\n"
  expect_count(FOUR COLUMNS "64 16 float sum -1 9 0.00 0.00" TIMED, 0, 2, NULL);
  expect_count(FOUR COLUMNS "64 16 float sum -1 9 44.22 66.34" TIMED, 2, 0,
               "allreduce");
  expect_count(FOUR COLUMNS "64 16 float sum -1 9 44.22 33.17" TIMED, 2, 0,
               "reducescatter");
  expect_count(FOUR COLUMNS "64 16 float sum -1 9 44.22 44.22" TIMED, 2, 0,
               "ring");
  expect_count(FOUR COLUMNS "64 16 float sum 0 9 44.22 44.22" TIMED, 2, 0,
               "reduce");
  expect_count(FOUR COLUMNS "64 16 float none 0 9 44.22 44.22" TIMED, 2, 0,
               "broadcast");
  expect_count(FOUR OLD "64 16 float 0 9 7.1 7.1 0\n" END, 1, 0, "broadcast");
  /* old versions print by how much sums differ, which they always do */
  expect_count(FOUR OLD "64 16 float 0 9 7.1 7.1 2e-07\n" END, 1, 0,
               "broadcast");
  expect_count(FOUR OLD "64 16 float 0 9 7.1 7.1 0.5\n" END, 0, 1, NULL);
  /* all-gather or all-to-all; at two ranks all-reduce or send and receive */
  expect_count(FOUR COLUMNS "64 16 float none -1 9 44.22 33.17" TIMED, 0, 2,
               NULL);
  expect_count(RANKS COLUMNS "64 16 float sum -1 9 44.22 44.22" TIMED, 0, 2,
               NULL);
  expect_count(FOUR "# no algbw \n# size time busbw\n8 1 1\n" END, 0, 1, NULL);
}

/* The name of the file decides between those that the rows leave. */
static void named_nccl(void)
{
  static const char *const names[][2] = {{"all_gather.log", "allgather"},
                                         {"alltoall-2.log", "alltoall"},
                                         {"wall_gather.log", NULL},
                                         {"allreduce.log", NULL}};
  static const char text[] =
      FOUR COLUMNS "64 16 float none -1 9 44.22 33.17" TIMED;
  char plain[sizeof path];

  strcpy(plain, path);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *const bench = names[i][1];

    snprintf(path, sizeof path, "%.200s-%s", plain, names[i][0]);
    expect_count(text, bench ? 2 : 0, bench ? 0 : 2, bench);
    remove(path);
  }
  strcpy(path, plain);
}

/* 300 words in a line. */
static void many_words(void)
{
  static const char *const heads[] = {COLLECTIVE RANKS COLUMNS, RUN,
                                      TITLE " D\\D 0\n", OSU};
  char text[2048];
  for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
    char *at = text + sprintf(text, "%s", heads[k]);
    for (int i = 0; i < 300; i++) at += sprintf(at, "%s ", "9");
    strcpy(at, "\n");
    refuse(text, ":1: too many words");
  }
}

/* A million rows are read, one more is not; in one file of one line too. */
static void many_rows(void)
{
  const size_t room = 64u << 20;
  char *const text = malloc(room);
  if (!text) return;
  for (int extra = 0; extra < 2; extra++) {
    size_t n = (size_t)sprintf(text, "%s", OSU);
    for (int i = 0; i < 1000000 + extra; i++) {
      memcpy(text + n, i % 2 ? "8 1.5\n" : "4 1.5\n", 6);
      n += 6;
    }
    if (extra) {
      refuse_as(NULL, text, n, GSCALE_EPARSE, ":1000003:1: more than 1000000");
      continue;
    }
    gscale_measurements *const m = gscale_measurements_new();
    write_bytes(text, n);
    gsl_test_int((int)gscale_import(m, path, NULL, NULL, NULL), GSCALE_OK,
                 "many: read");
    gsl_test_int((int)gscale_measurements_count(m), 1000000, "many: rows");
    gsl_test_int(gscale_measurements_at(m, 999999)->line, 1000002,
                 "many: last line");
    gscale_measurements_free(m);
  }
  free(text);
}

/* One line of JSON with many results: places must not be sought from the
 * beginning each time. */
static void long_line(void)
{
  enum {
    RESULTS = 100000
  };
  static const char result[] = "{\"size\":8,\"in_place\":{\"time\":1}},";
  char *const text = malloc(RESULTS * sizeof result + 512);
  if (!text) return;
  size_t n = (size_t)sprintf(text, "%s", JSON_HEAD);
  for (int i = 0; i < RESULTS; i++) {
    memcpy(text + n, result, sizeof result - 1);
    n += sizeof result - 1;
  }
  n += (size_t)sprintf(text + n, "{\"size\":8,\"in_place\":{\"time\":[]}}]}");
  refuse_as(NULL, text, n, GSCALE_EPARSE, ":2:3300030: time: not a number");
  free(text);
}

/* ---- files of others
 * --------------------------------------------------------------- Real output,
 * not in the project: what can be said of it without copying it. */

static gscale_measurements *import_external(const char *name, size_t *skipped)
{
  char file[256];
  gscale_diag diag = {""};
  gscale_measurements *const m = gscale_measurements_new();
  snprintf(file, sizeof file, "../shared/external/%s", name);
  gsl_test_int((int)gscale_import(m, below_root(file), NULL, skipped, &diag),
               GSCALE_OK, "external: %s %s", name, diag.text);
  return m;
}

static size_t count_bench(const gscale_measurements *m, const char *bench,
                          int gpus)
{
  size_t n = 0;
  for (size_t i = 0; i < gscale_measurements_count(m); i++) {
    const gscale_measurement *const row = gscale_measurements_at(m, i);
    n += strcmp(row->bench, bench) == 0 && row->gpus == gpus;
  }
  return n;
}

static void external_nccl(void)
{
  static const struct {
    const char *name;
    int gpus;
  } logs[] = {
      {"nccl_N1_G4_cnode3-002.log", 4}, {"nccl_N1_G8_cnode3-002.log", 8},
      {"nccl_N10_G1.log", 10},          {"nccl_N10_G2.log", 20},
      {"nccl_N10_G4.log", 40},          {"nccl_N10_G8.log", 80}};
  static const char *const benches[] = {"allreduce", "allgather",
                                        "reducescatter", "alltoall", "ring"};
  for (size_t k = 0; k < sizeof logs / sizeof *logs; k++) {
    char name[128];
    size_t skipped = 0, all = 0;
    snprintf(name, sizeof name, "nccl_tests_cluster_apache2/%s", logs[k].name);
    gscale_measurements *const m = import_external(name, &skipped);
    for (size_t b = 0; b < 5; b++) {
      const size_t n = count_bench(m, benches[b], logs[k].gpus);
      gsl_test(n < 8, "external: %s: %zu of %s", logs[k].name, n, benches[b]);
      all += n;
    }
    gsl_test_int((int)gscale_measurements_count(m), (int)all,
                 "external: %s: nothing else", logs[k].name);
    gsl_test_int((int)skipped, 0, "external: %s: none skipped", logs[k].name);
    gscale_measurements_free(m);
  }
}

static void external_matrices(void)
{
  size_t skipped = 0;
  gscale_measurements *m =
      import_external("nvbandwidth_5090/result.json", &skipped);
  /* 4 GPUs: there, back, both ways from either side; all at once, both */
  gsl_test_int((int)count_bench(m, "dma_pinned", 1), 8, "external: pinned");
  gsl_test_int((int)count_bench(m, "dma_pinned_duplex", 1), 8,
               "external: pinned duplex");
  gsl_test_int((int)count_bench(m, "dma_pinned_all", 4), 8,
               "external: pinned, all");
  gsl_test_int((int)gscale_measurements_count(m), 24, "external: no more");
  const gscale_measurement *const row = gscale_measurements_at(m, 0);
  gsl_test_rel(row->size / row->time, 56.3829e9, 1e-14, "external: bandwidth");
  gsl_test_int(row->line, 21, "external: line");
  gscale_measurements_free(m);

  for (int k = 0; k < 2; k++) {
    m = import_external(k ? "tartan/scale_up_p2p_test__dgx1_descending.txt"
                          : "tartan/scale_up_p2p_test__dgx1_ascending.txt",
                        &skipped);
    /* 8 GPUs, 32 of 56 pairs linked: one way and latency */
    gsl_test_int((int)count_bench(m, "dma", 2), 64, "external: DGX-1 pairs");
    gsl_test_int((int)count_bench(m, "dma_duplex", 2), 32,
                 "external: DGX-1 both ways");
    gsl_test_int((int)gscale_measurements_count(m), 6 * 56,
                 "external: DGX-1 in all");
    gsl_test_int((int)skipped, 6 * 8, "external: DGX-1 diagonals");
    gscale_measurements_free(m);
  }
}

static void external(void)
{
  if (access(below_root("../shared/external/README.md"), R_OK) != 0) {
    printf("t_import: ../shared/external is not there: real files skipped\n");
    return;
  }
  external_nccl();
  external_matrices();
}

static void names(void)
{
  size_t n = 0;
  while (gscale_import_name(n)) n++;
  gsl_test_int((int)n, 8, "names: formats");
  gsl_test(gscale_import_name(1000) != NULL, "names: none past the end");
}

int main(void)
{
  if (!make_file()) {
    gsl_test(1, "file: %s cannot be made", path);
    return gsl_test_summary();
  }
  names();
  nccl();
  nvbandwidth();
  p2p();
  osu();
  nvshmem();
  topologies();
  bad_matrices();
  one_link();
  two_pairs();
  kineto();
  nsys();
  other_fabrics();
  equal_links();
  bad_xml();
  bad_bytes();
  too_long();
  bad_nccl();
  bad_nvbandwidth();
  bad_p2p();
  bad_osu();
  bad_nvshmem();
  other_nccl();
  version_of_nccl();
  hosts_of_nccl();
  ranks_of_nccl();
  nameless_nccl();
  named_nccl();
  many_words();
  many_rows();
  long_line();
  external();
  unlink(path);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
