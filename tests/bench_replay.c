/* bench_replay.c [TRACE...] - records per second through each write queue, and
 * allocations while replaying, of made-up stores or of traces in memory.
 *
 * Beside each stream, as `bare`, the rate of a loop that does nothing but the
 * reads and writes that no replay is spared: it reads each record and notes its
 * bytes in the cell of its line, without looking whose cell that is.  Cells are
 * as large, and half as many are in use, as in model/replay/lines.c; they are
 * allotted before.  `least` is the slowest queue's share of that rate.
 *
 * Made-up stores: four GPUs take turns by warp instruction; a phase every 2^20
 * records.  Time is that of the processor, so that a busy machine does not
 * count; the best of several runs. */

#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Counts every allocation of the process (glibc). */
static long allocations;
void *__libc_calloc(size_t n, size_t size);
void *calloc(size_t n, size_t size)
{
  allocations++;
  return __libc_calloc(n, size);
}

enum {
  GPUS = 4,
  RECORDS = 1 << 22,
  PHASE = 1 << 20,
  RUNS = 3,          /* of a stream at least; */
  MEASURED = 1 << 23 /* records in all of them at least */
};

/* Records in memory. */
typedef struct stream {
  const char *name;
  int gpus;
  gscale_record *v;
  size_t n;
} stream;

typedef struct family {
  const char *name;
  int lanes;      /* of a warp instruction */
  int run;        /* lanes that store side by side */
  uint64_t range; /* B, of one GPU's stores */
  int dst;        /* NEXT: the next GPU */
  int atomics;    /* one of so many instructions; 0: none */
} family;

enum {
  NEXT = -1
};

static const family families[] = {
    {"stream, whole lines", 32, 32, 1 << 26, NEXT, 0},
    {"stream, to all", 32, 32, 1 << 26, GSCALE_DST_ALL, 0},
    {"runs of 8 lanes", 32, 8, 1 << 26, NEXT, 0},
    {"hot, 64 KiB", 32, 1, 1 << 16, NEXT, 0},
    {"scattered, 4 MiB", 32, 1, 1 << 22, NEXT, 0},
    {"scattered, 64 MiB", 32, 1, 1 << 26, NEXT, 0},
    {"scattered, to all", 32, 1, 1 << 26, GSCALE_DST_ALL, 0},
    {"single lanes, 64 MiB", 1, 1, 1 << 26, NEXT, 0},
    {"one in four atomics", 32, 8, 1 << 26, NEXT, 4},
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static gscale_record lane(const family *f, rng *r, uint64_t i, uint64_t *at)
{
  const uint64_t instruction = i / (uint64_t)f->lanes;
  const uint8_t gpu = (uint8_t)(instruction % GPUS);
  const bool atomic =
      f->atomics && instruction / GPUS % (uint64_t)f->atomics == 0;
  const bool streams = f->run == f->lanes && f->lanes > 1;
  const uint64_t k = i % (uint64_t)f->lanes;

  if (k % (uint64_t)f->run == 0)
    *at = streams ? instruction / GPUS * 128 % f->range
                  : rng_next(r) % (f->range / 32) * 32;
  return (gscale_record){
      .address = ((uint64_t)gpu << 32) + *at + 4 * (k % (uint64_t)f->run),
      .group = (uint32_t)instruction,
      .size = 4,
      .gpu = gpu,
      .dst = f->dst == NEXT ? (uint8_t)((gpu + 1) % GPUS) : (uint8_t)f->dst,
      .kind = atomic ? GSCALE_OP_ATOMIC : GSCALE_OP_STORE};
}

static void fill(const family *f, gscale_record *v)
{
  rng r = {1};
  uint64_t at = 0;

  for (uint64_t i = 0; i < RECORDS; i++) {
    v[i] = lane(f, &r, i, &at);
    if (i % PHASE == PHASE - 1)
      v[i] = (gscale_record){.kind = GSCALE_OP_PHASE, .dst = GSCALE_DST_ALL};
  }
}

/* One replay: seconds, or a negative number if it failed. */
static double replay(gscale_queue q, const stream *s)
{
  gscale_replay_options o;
  gscale_replay_result out;
  gscale_replay *r = NULL;

  gscale_replay_options_init(&o, q);
  o.gpus = s->gpus;
  o.profile = 0; /* or else GPS finds that nobody reads */
  if (gscale_replay_new(&o, &r, NULL) != GSCALE_OK) return -1.0;
  allocations = 0;
  const double start = now();
  const bool ok = gscale_replay_push(r, s->v, s->n, NULL) == GSCALE_OK &&
                  gscale_replay_finish(r, &out, NULL) == GSCALE_OK;
  const double time = now() - start;
  gscale_replay_free(r);
  return ok ? time : -1.0;
}

/* Millions of records per second, the best run. */
static double speed(gscale_queue q, const stream *s)
{
  double best = 0;
  size_t done = 0;

  for (int run = 0; run < RUNS || done < MEASURED; run++, done += s->n) {
    const double time = replay(q, s);
    if (time < 0) return 0;
    best = fmax(best, (double)s->n / time / 1e6);
  }
  return best;
}

/* ---- the bare loop --------------------------------------------------------
 */

enum {
  CELL_LINES = 4,     /* of 128 B */
  CELL_WORDS = 8,     /* of 4 B: a line of 32 words each, and as many more */
  SEEN_ROOM = 1 << 23 /* cells of a phase at most, half of it */
};

static uint64_t scrambled(const gscale_record *v)
{
  const uint64_t cell = v->address / 128 / CELL_LINES;
  return (cell ^ (uint64_t)v->dst << 57) * 0x9e3779b97f4a7c15u >> 20;
}

/* The most cells of any phase. */
static size_t count_cells(const stream *s)
{
  uint32_t *phase_of = calloc(SEEN_ROOM, sizeof *phase_of);
  uint64_t *cell = calloc(SEEN_ROOM, sizeof *cell);
  size_t n = 0, most = 1;
  uint32_t phase = 1;

  if (!phase_of || !cell) exit(1);
  for (size_t i = 0; i < s->n; i++) {
    const uint64_t key = scrambled(&s->v[i]);
    size_t at = key & (SEEN_ROOM - 1);

    if (s->v[i].kind >= GSCALE_OP_FENCE) {
      phase += s->v[i].kind == GSCALE_OP_PHASE;
      n = s->v[i].kind == GSCALE_OP_PHASE ? 0 : n;
      continue;
    }
    while (phase_of[at] == phase && cell[at] != key)
      at = (at + 1) & (SEEN_ROOM - 1);
    n += phase_of[at] != phase;
    most = n > most ? n : most;
    phase_of[at] = phase;
    cell[at] = key;
    if (2 * n >= SEEN_ROOM) break;
  }
  free(phase_of);
  free(cell);
  return most;
}

/* Millions of records per second, the best run. */
static double bare(const stream *s)
{
  const size_t cells = count_cells(s);
  size_t room = 64;
  double best = 0;

  while (room < 2 * cells) room *= 2;
  uint32_t(*table)[CELL_WORDS] = malloc(room * sizeof *table);
  if (!table) exit(1);
  memset(table, 1, room * sizeof *table);
  for (size_t run = 0, done = 0; run < RUNS || done < MEASURED;
       run++, done += s->n) {
    const double start = now();

    for (size_t i = 0; i < s->n; i++) {
      const uint64_t at = s->v[i].address;
      table[scrambled(&s->v[i]) & (room - 1)][at / 128 % CELL_LINES] |=
          (uint32_t)1 << at / 4 % 32;
    }
    best = fmax(best, (double)s->n / (now() - start) / 1e6);
  }
  free(table);
  return best;
}

static void show(const stream *s)
{
  double least = INFINITY;

  printf("%-24s", s->name);
  for (int q = 0; q < GSCALE_QUEUE_END; q++) {
    const double rate = speed((gscale_queue)q, s);
    printf(" %9.1f", rate);
    least = fmin(least, rate);
  }
  const double loop = bare(s);
  printf(" %9.1f %6.2f %6ld\n", loop, least / loop, allocations);
}

/* All records of a file; n is 0 if that fails or there are none. */
static stream read_all(const char *path)
{
  const char *const slash = strrchr(path, '/');
  stream s = {.name = slash ? slash + 1 : path};
  gscale_trace *t = NULL;
  gscale_diag diag;
  size_t got = 0, room = 0;
  gscale_status st = gscale_trace_open(path, 0, &t, &diag);

  for (; st == GSCALE_OK && got == room - s.n; s.n += got) {
    room = room ? 2 * room : PHASE;
    s.v = realloc(s.v, room * sizeof *s.v);
    if (!s.v) exit(1);
    st = gscale_trace_read(t, s.v + s.n, room - s.n, &got, &diag);
  }
  if (st == GSCALE_OK)
    s.gpus = gscale_trace_gpus(t);
  else
    fprintf(stderr, "bench_replay: %s\n", diag.text);
  gscale_trace_close(t);
  return st == GSCALE_OK ? s : (stream){.v = s.v};
}

static void show_families(void)
{
  gscale_record *v = malloc(RECORDS * sizeof *v);

  if (!v) exit(1);
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    fill(&families[i], v);
    show(&(stream){families[i].name, GPUS, v, RECORDS});
  }
  free(v);
}

int main(int argc, char **argv)
{
  printf("million records per second\n%-24s", "");
  for (int q = 0; q < GSCALE_QUEUE_END; q++)
    printf(" %9s", gscale_name(GSCALE_QUEUE_NAMES, (gscale_queue)q));
  printf(" %9s %6s  tables grown (last)\n", "bare", "least");
  if (argc < 2) show_families();
  for (int i = 1; i < argc; i++) {
    const stream s = read_all(argv[i]);
    if (s.n == 0) return 1;
    show(&s);
    free(s.v);
  }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
