/* t_queues.c - the write queues of the model against their exact replay, on the
 * streams the model claims: in order, uniform over a region, and vectors that
 * are written word by word.
 *
 * A kernel on each of 2 GPUs publishes to the other; bytes on the wire are
 * compared, and stores of one queue entry or packet with them. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <stdlib.h>

/* 32 lanes of a warp, each of `size` B, in order or anywhere in a region. */
typedef struct family {
  const char *name;
  double region; /* B; 0: in order */
  int size;
  int warps;
} family;

static const family families[] = {
    {"in order, 4 B", 0, 4, 40000},
    {"in order, 16 B", 0, 16, 10000},
    {"8 B over 32 KiB", 32768, 8, 20000},
    {"8 B over 96 KiB", 98304, 8, 20000},
    {"8 B over 256 KiB", 262144, 8, 20000},
    {"8 B over 4 MiB", 4194304, 8, 20000},
    {"4 B over 64 MiB", 67108864, 4, 20000},
    {"16 B over 64 MiB", 67108864, 16, 20000},
};

static uint64_t place(const family *f, rng *r, int gpu, int warp, int lane)
{
  const uint64_t base = (uint64_t)gpu << 40;
  const double slots = f->region / f->size;

  return f->region > 0
             ? base + (uint64_t)f->size * (uint64_t)(uniform(r, 0, slots))
             : base + (uint64_t)f->size * (uint64_t)(warp * 32 + lane);
}

static void push_warp(gscale_replay *replay, const family *f, rng *r, int warp)
{
  for (int gpu = 0; gpu < 2; gpu++) {
    gscale_record lane[32];
    for (int i = 0; i < 32; i++)
      lane[i] = (gscale_record){.address = place(f, r, gpu, warp, i),
                                .group = (uint32_t)warp,
                                .size = (uint8_t)f->size,
                                .gpu = (uint8_t)gpu,
                                .dst = (uint8_t)(1 - gpu),
                                .kind = GSCALE_OP_STORE};
    gscale_replay_push(replay, lane, 32, NULL);
  }
}

/* For each pair of GPUs, a replay of a queue. */
static gscale_replay *begin(gscale_queue queue)
{
  gscale_replay_options o;
  gscale_replay *replay = NULL;
  gscale_diag why = {""};

  gscale_replay_options_init(&o, queue);
  o.gpus = 2;
  o.profile = 0;
  o.subheader = 5;
  gsl_test_int((int)gscale_replay_new(&o, &replay, &why), GSCALE_OK, "%s",
               why.text);
  return replay;
}

/* Its bytes on the wire. */
static double end(gscale_replay *replay, const char *link)
{
  const gscale_link *const l = gscale_link_find(link);
  gscale_replay_result result;

  gscale_replay_finish(replay, &result, NULL);
  const double wire =
      gscale_replay_bytes(replay, GSCALE_STAGE_PROFILING, l, NULL).wire +
      gscale_replay_bytes(replay, GSCALE_STAGE_STEADY, l, NULL).wire;
  gscale_replay_free(replay);
  return wire;
}

/* Bytes on the wire of the family through a queue, exactly. */
static double replayed(const family *f, gscale_queue queue, const char *link)
{
  gscale_replay *replay = begin(queue);
  rng r = {11};

  for (int warp = 0; warp < f->warps; warp++) push_warp(replay, f, &r, warp);
  return end(replay, link);
}

static double wire_of(gscale_phase p, const char *paradigm, const char *link)
{
  gscale_system *s = some_system(GSCALE_SWITCH, link);
  gscale_workload *w = one_phase(p);
  gscale_plan *plan = NULL;
  gscale_prediction out = {0};

  gscale_plan_new(s, w, 2, &plan, NULL);
  gscale_predict(plan, gscale_paradigm_find(paradigm), NULL, &out, NULL);
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
  return out.bytes.wire;
}

/* The same by the model.  Lanes of a warp that meet in a line leave as one. */
static double modelled(const family *f, const char *paradigm, const char *link)
{
  const double stores = 32.0 * f->warps, bytes = stores * f->size;
  const double lines = f->region / 128;
  const double words = f->region / f->size;
  const double distinct =
      f->region > 0 ? gscale_distinct(words, stores) * f->size : bytes;
  const double left =
      f->region > 0 ? f->warps * gscale_distinct(lines, 32) : bytes / 128;
  gscale_phase p = gather_phase(2 * distinct, 1);

  p.units = 2;
  p.to = GSCALE_TO_ALL;
  p.stores = (gscale_stores){1, {bytes / left}, {1}, {f->region > 0}};
  p.rewrites = bytes / distinct;
  p.spread = 2 * f->region;
  return wire_of(p, paradigm, link);
}

/* ---- in order, again and again --------------------------------------------
 */

/* Each GPU passes so many times over a group of lines, then over the next; of a
 * line it stores `size` B each time, all of it with size = 128, else the next
 * of it, until it is whole; lines of a group are `apart` B from one another. */
typedef struct sweep {
  int lines, passes, size, apart;
} sweep;

/* From one line to sixteen times the queue; about each queue's own lengths: 30
 * whole lines in a packet, 64 entries, 510 lines that stay. */
static const sweep sweeps[] = {
    {1, 3, 128, 128},    {7, 2, 128, 128},    {20, 2, 128, 128},
    {20, 4, 128, 128},   {30, 3, 128, 128},   {31, 3, 128, 128},
    {64, 3, 128, 128},   {256, 2, 128, 128},  {510, 3, 128, 128},
    {511, 3, 128, 128},  {1024, 2, 128, 128}, {8160, 3, 128, 128},
    {1, 32, 4, 128},     {20, 32, 4, 128},    {20, 16, 16, 2048},
    {48, 32, 4, 2048},   {63, 64, 4, 128},    {64, 8, 16, 128},
    {65, 8, 16, 128},    {510, 32, 4, 128},   {511, 32, 4, 2048},
    {8160, 8, 16, 2048},
};

static uint64_t swept(const sweep *s, int group, int pass, int line)
{
  const uint64_t in = (uint64_t)(s->apart / 128); /* groups lie in each other */
  const uint64_t block = (uint64_t)group / in * in * (uint64_t)s->lines;
  const uint64_t at =
      128 * (block + (uint64_t)group % in + in * (uint64_t)line);
  return at + (uint64_t)(pass * s->size % 128);
}

static void push_swept(gscale_replay *replay, int gpu, uint32_t group,
                       uint64_t at, int size)
{
  const int lanes = size / 4;
  gscale_record lane[32];

  for (int i = 0; i < lanes; i++)
    lane[i] =
        (gscale_record){.address = ((uint64_t)gpu << 40) + at + 4 * (uint64_t)i,
                        .group = group,
                        .size = 4,
                        .gpu = (uint8_t)gpu,
                        .dst = (uint8_t)(1 - gpu),
                        .kind = GSCALE_OP_STORE};
  gscale_replay_push(replay, lane, (size_t)lanes, NULL);
}

static int groups_of(const sweep *s)
{
  const int in = s->apart / 128, some = 20000 / (s->lines * s->passes);
  return in * (some / in + 2);
}

static double replayed_sweep(const sweep *s, gscale_queue queue,
                             const char *link)
{
  gscale_replay *replay = begin(queue);
  uint32_t n = 0;

  for (int g = 0; g < groups_of(s); g++)
    for (int pass = 0; pass < s->passes; pass++)
      for (int line = 0; line < s->lines; line++, n++)
        for (int gpu = 0; gpu < 2; gpu++)
          push_swept(replay, gpu, n, swept(s, g, pass, line), s->size);
  return end(replay, link);
}

static double modelled_sweep(const sweep *s, const char *paradigm,
                             const char *link)
{
  gscale_phase p = gather_phase(2 * 128.0 * s->lines * groups_of(s), 1);

  p.units = 2;
  p.to = GSCALE_TO_ALL;
  p.stores = (gscale_stores){1, {s->size}, {1}, {s->size < 128}};
  p.rewrites = s->passes * s->size / 128.0;
  p.reuse = 128.0 * s->lines;
  p.stride = s->size < 128 ? s->apart : 0;
  return wire_of(p, paradigm, link);
}

static void swept_by(const sweep *s, gscale_queue queue, const char *paradigm,
                     const char *link)
{
  const double exact = replayed_sweep(s, queue, link);
  const double model = modelled_sweep(s, paradigm, link);
  const double error = 100 * (model / exact - 1);

  printf("# %4d lines %2d times by %3d B, %4d B apart %-9s %-8s %9.0f %9.0f "
         "%+6.1f %%\n",
         s->lines, s->passes, s->size, s->apart, paradigm, link, exact / 1e3,
         model / 1e3, error);
  gsl_test(!(fabs(error) < 10), "%d lines %d times by %d B, %s on %s: %.1f %%",
           s->lines, s->passes, s->size, paradigm, link, error);
}

/* ---- vectors, word by word ----------------------------------------------- */

enum {
  WORDS = 16,  /* of 4 B, of a vector; one in a line */
  LINES = 2048 /* in which vectors lie */
};

/* Each GPU writes so many vectors at a time, the next word of any of them; one
 * that is complete is followed by another, anywhere. */
static double replayed_vectors(int vectors, int words)
{
  gscale_replay *replay = begin(GSCALE_QUEUE_FINEPACK);
  int line[2][256], written[2][256] = {{0}};
  rng r = {13};

  for (int i = 0; i < words; i++)
    for (int gpu = 0; gpu < 2; gpu++) {
      const int v = i < vectors ? i : pick(&r, vectors);
      const int word = written[gpu][v]++ % WORDS;
      if (word == 0) line[gpu][v] = pick(&r, LINES);
      const gscale_record store = {.address = ((uint64_t)gpu << 40) +
                                              128 * (uint64_t)line[gpu][v] +
                                              4 * (uint64_t)word,
                                   .group = (uint32_t)i,
                                   .size = 4,
                                   .gpu = (uint8_t)gpu,
                                   .dst = (uint8_t)(1 - gpu),
                                   .kind = GSCALE_OP_STORE};
      gscale_replay_push(replay, &store, 1, NULL);
    }
  return end(replay, "pcie4");
}

/* The vector a store belongs to was any of them when it was last stored to: 0
 * to all others were in between, each as likely. */
static double modelled_vectors(int vectors, int words)
{
  gscale_phase p = gather_phase(2 * 4.0 * words, 1);

  p.units = 2;
  p.to = GSCALE_TO_ALL;
  p.stores = (gscale_stores){1, {4}, {1}, {true}};
  p.spread = 2 * 128.0 * (double)LINES;
  for (int between = 0, k = 0; between < vectors; between++) {
    if (between >= 16 << k) k++;
    p.joins.share[k] += (1 - 1.0 / (double)WORDS) / vectors;
  }
  return wire_of(p, "finepack", "pcie4");
}

static void vectors_at_a_time(int vectors)
{
  const int words = 200000;
  const double exact = replayed_vectors(vectors, words);
  const double model = modelled_vectors(vectors, words);
  const double error = model / exact - 1;

  printf("# %d vectors at a time: %9.0f %9.0f %+6.1f %%\n", vectors,
         exact / 1e3, model / 1e3, 100 * error);
  gsl_test(!(fabs(error) < 0.10), "%d vectors at a time: %.1f %%", vectors,
           100 * error);
}

int main(void)
{
  static const struct {
    gscale_queue queue;
    const char *paradigm, *link;
  } queues[] = {{GSCALE_QUEUE_GPS, "gps", "nvlink4"},
                {GSCALE_QUEUE_GPS, "gps", "pcie4"},
                {GSCALE_QUEUE_FINEPACK, "finepack", "pcie4"},
                {GSCALE_QUEUE_FINEPACK, "finepack", "nvlink4"}};
  /* the links change what is counted of a replay, not the replay */
  const size_t step = getenv("GPUSCALE_LONG") ? 1 : 2;

  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (size_t k = 0; k < sizeof queues / sizeof *queues; k += step) {
      const family *f = &families[i];
      const double exact = replayed(f, queues[k].queue, queues[k].link);
      const double model = modelled(f, queues[k].paradigm, queues[k].link);
      printf("# %-18s %-9s %-8s %9.0f %9.0f %+6.1f %%\n", f->name,
             queues[k].paradigm, queues[k].link, exact / 1e3, model / 1e3,
             100 * (model / exact - 1));
      gsl_test(!(fabs(model / exact - 1) < 0.10), "%s, %s on %s: %.1f %%",
               f->name, queues[k].paradigm, queues[k].link,
               100 * (model / exact - 1));
    }
  for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
    for (size_t k = 0; k < sizeof queues / sizeof *queues; k += step)
      swept_by(&sweeps[i], queues[k].queue, queues[k].paradigm, queues[k].link);
  for (int vectors = 8; vectors <= 256; vectors *= 2)
    vectors_at_a_time(vectors);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
