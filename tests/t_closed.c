/* t_closed.c - closed forms of coalesce.c and fanout.c against replay, each on
 * the families of traces for which it claims an error, and their domains. */

#include "random.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

/* ---- a trace ------------------------------------------------------------- */

enum {
  ROOM = 60000,
  MOST = 160000 /* records of a trace */
};

static gscale_record trace[MOST];
static int length;
static uint32_t group;

static void add(int gpu, int kind, uint64_t address, int size, int dst)
{
  if (length == MOST) abort();
  trace[length++] = (gscale_record){address,      group,        (uint8_t)size,
                                    (uint8_t)gpu, (uint8_t)dst, (uint8_t)kind};
}

static void add_alone(int gpu, int kind, uint64_t address, int size, int dst)
{
  group++;
  add(gpu, kind, address, size, dst);
}

static gscale_replay_result result;
static double packets; /* on PCIe */

/* Replays the trace; what was counted when no longer profiling. */
static gscale_replay_counts replayed(const gscale_replay_options *o)
{
  gscale_replay *r = NULL;

  if (gscale_replay_new(o, &r, NULL) != GSCALE_OK ||
      gscale_replay_push(r, trace, (size_t)length, NULL) != GSCALE_OK ||
      gscale_replay_finish(r, &result, NULL) != GSCALE_OK)
    abort();
  gscale_replay_bytes(r, GSCALE_STAGE_STEADY, gscale_link_find("pcie4"),
                      &packets);
  gscale_replay_free(r);
  length = 0;
  return result.stage[GSCALE_STAGE_STEADY];
}

static gscale_replay_options options_of(gscale_queue q)
{
  gscale_replay_options o;

  gscale_replay_options_init(&o, q);
  o.profile = 0;
  return o;
}

static uint64_t below(rng *r, uint64_t n)
{
  return rng_next(r) % n;
}

/* ---- coalescing ---------------------------------------------------------- */

static void lines_of_a_warp(void)
{
  static const uint64_t lines[] = {4, 16, 64, 1024};
  const gscale_replay_options o = options_of(GSCALE_QUEUE_SM);
  rng r = {1};

  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < ROOM / 32; k++, group++)
      for (int lane = 0; lane < 32; lane++)
        add(0, GSCALE_OP_STORE, below(&r, lines[i]) * 128, 4, 1);
    const gscale_replay_counts n = replayed(&o);
    gsl_test_rel((double)n.stores / (double)n.instructions,
                 gscale_distinct((double)lines[i], 32), 0.01,
                 "lines of a warp, of %g", (double)lines[i]);
  }
}

/* Of contiguous words in a line, each written with probability p: the first
 * begins one if it is written, every other if the one before is not, too. */
static double runs(double words, double p)
{
  return p + (words - 1.0) * p * (1.0 - p);
}

static void runs_of_a_line(void)
{
  static const double share[] = {0.05, 0.3, 0.5, 0.9, 1};
  const gscale_replay_options o = options_of(GSCALE_QUEUE_SM);
  rng r = {2};

  for (int i = 0; i < 5; i++) {
    const int lines = 1500;
    for (uint64_t k = 0; k < (uint64_t)lines; k++, group++)
      for (uint64_t word = 0; word < 32; word++)
        if (uniform(&r, 0, 1) < share[i])
          add(0, GSCALE_OP_STORE, k * 128 + word * 4, 4, 1);
    replayed(&o);
    gsl_test_rel(packets / lines, runs(32, share[i]), 0.02,
                 "runs of a line, words written: %g", share[i]);
  }
}

/* ---- queues -------------------------------------------------------------- */

static void merging(void)
{
  static const uint64_t lines[] = {100, 480, 600, 1000, 5000};
  static const int stores[] = {300, 1000, 20000};
  const gscale_replay_options o = options_of(GSCALE_QUEUE_GPS);
  const double resident = o.capacity - 2; /* the watermark, less one */
  rng r = {3};

  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < stores[j]; k++)
        add_alone(0, GSCALE_OP_STORE, below(&r, lines[i]) * 128, 8, 1);
      const gscale_replay_counts n = replayed(&o);
      gsl_test_rel((double)n.entries,
                   gscale_queue_added((double)lines[i], stores[j], resident),
                   0.03, "%d stores to %g lines", stores[j], (double)lines[i]);
    }
}

static void packing(void)
{
  static const int sizes[] = {4, 8, 32};
  static const uint64_t regions[] = {1, 2, 4, 16};
  const gscale_replay_options o = options_of(GSCALE_QUEUE_FINEPACK);
  const uint64_t range = (uint64_t)gscale_finepack_range(o.subheader);
  rng r = {4};

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      const int lanes = sizes[i] > 16 ? 2 : 1, size = sizes[i] / lanes;
      const double payload = floor(o.payload / (o.subheader + sizes[i]));
      for (int k = 0; k < 20000; k++, group++) {
        const uint64_t at = below(&r, regions[j] * range / 128) * 128;
        for (int lane = 0; lane < lanes; lane++)
          add(0, GSCALE_OP_STORE, at + (uint64_t)(lane * size), size, 1);
      }
      const gscale_replay_counts n = replayed(&o);
      gsl_test_rel((double)n.queued / (double)n.sends,
                   gscale_finepack_stores(1.0 / (double)regions[j],
                                          fmin(o.capacity, payload)),
                   0.03, "stores of %d B over %d windows", sizes[i],
                   (int)regions[j]);
    }
}

/* ---- pages --------------------------------------------------------------- */

/* GPU 0 writes every block of 4 KiB; the others read each of them with
 * probability q; copies of a line in the next phase. */
static double copies(rng *r, double q, uint64_t page, uint64_t bytes)
{
  gscale_replay_options o = options_of(GSCALE_QUEUE_GPS);

  o.page = page;
  o.profile = 1;
  for (int phase = 0; phase < 2; phase++) {
    for (uint64_t at = 0; at < bytes; at += 4096)
      add_alone(0, GSCALE_OP_STORE, at, 4, GSCALE_DST_ALL);
    for (uint64_t at = 0; at < bytes && phase == 0; at += 4096)
      for (int gpu = 1; gpu < o.gpus; gpu++)
        if (uniform(r, 0, 1) < q)
          add_alone(gpu, GSCALE_OP_LOAD, at, 4, GSCALE_DST_ALL);
    add_alone(0, GSCALE_OP_PHASE, 0, 0, 0);
  }
  const gscale_replay_counts n = replayed(&o);
  return (double)n.sends / (double)n.stores;
}

static void subscribers(void)
{
  static const double share[] = {0.02, 0.1, 0.5};
  static const uint64_t pages[] = {4096, 65536, 2 << 20};
  const uint64_t bytes = (uint64_t)8000 * 4096;
  rng r = {5};

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      gsl_test_rel(copies(&r, share[i], pages[j], bytes),
                   3 * gscale_subscribed(share[i], (double)pages[j] / 4096),
                   0.05, "copies, blocks read: %g, pages of %g B", share[i],
                   (double)pages[j]);
}

static void translations(void)
{
  static const uint64_t pages[] = {16, 40, 64, 256};
  const gscale_replay_options o = options_of(GSCALE_QUEUE_GPS);
  rng r = {6};

  for (int i = 0; i < 4; i++) {
    for (uint64_t k = 0; k < 20000; k++) /* every line once */
      add_alone(0, GSCALE_OP_STORE,
                below(&r, pages[i]) * o.page + k % 512 * 128, 4, 1);
    const gscale_replay_counts n = replayed(&o);
    gsl_test_rel((double)n.tlb_hits / (double)n.tlb_lookups,
                 gscale_tlb_hits((double)pages[i], o.tlb), 0.05,
                 "TLB hits, %d pages", (int)pages[i]);
  }
}

/* Share of the lines that leave whose page is not at hand. */
static double missed(const gscale_replay_options *o)
{
  const gscale_replay_counts n = replayed(o);

  return 1 - (double)n.tlb_hits / (double)n.tlb_lookups;
}

/* Three sweeps over so many pages in order, or as many stores to any lines. */
static void missing(void)
{
  static const uint64_t sizes[] = {4096, 16384, 65536};
  static const uint64_t pages[] = {24, 40, 100};
  rng r = {7};

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      gscale_replay_options o = options_of(GSCALE_QUEUE_GPS);
      const uint64_t lines = pages[j] * sizes[i] / 128;
      const double all = (double)(lines * 128);
      gscale_stream s = {3 * (double)lines, 128, all, 0, {{0}}, all, 0};

      o.page = sizes[i];
      for (int sweep = 0; sweep < 3; sweep++)
        for (uint64_t k = 0; k < lines; k++)
          add_alone(0, GSCALE_OP_STORE, k * 128, 4, 1);
      gsl_test_abs(missed(&o), gscale_gps_misses(&s, 1, (double)o.page, o.tlb),
                   0.02, "misses, %d pages of %d B in order", (int)pages[j],
                   (int)sizes[i]);

      s.region = all;
      for (int k = 0; k < 30000; k++)
        add_alone(0, GSCALE_OP_STORE, below(&r, lines) * 128, 4, 1);
      gsl_test_abs(missed(&o), gscale_gps_misses(&s, 1, (double)o.page, o.tlb),
                   0.02, "misses, %d pages of %d B scattered", (int)pages[j],
                   (int)sizes[i]);
    }
}

/* ---- ends and domains ---------------------------------------------------- */

/* By hand: after k lines, classes of 16 and 16 lines count k/16 of the first;
 * all of it and (k - 16)/16 of the second. */
static void joining(void)
{
  const gscale_joins near = {{0.5}}, both = {{0.3, 0.4}};
  double sum = 0, part = 0;

  for (int k = 1; k <= 16; k++) sum += 1 / (1 - 0.3 * k / 16);
  for (int k = 17; k <= 24; k++) sum += 1 / (0.7 - 0.4 * (k - 16) / 16);
  for (int k = 1; k <= 3; k++) part += pow(0.7, k - 1) / (1 - 0.5 * k / 16);
  gsl_test_rel(gscale_finepack_joined(&both, 1, 24), sum, 1e-14, "two classes");
  gsl_test_rel(gscale_finepack_joined(&near, 0.7, 3), part, 1e-14,
               "some leave the window");
  gsl_test_rel(gscale_finepack_joined(&near, 0, 64), 1 / (1 - 0.5 / 16), 1e-15,
               "all others leave the window");
  gsl_test_rel(gscale_finepack_joined(&(gscale_joins){{0}}, 0.9, 64),
               gscale_finepack_stores(0.9, 64), 1e-13, "none join");
  gsl_test(isfinite(gscale_finepack_joined(&(gscale_joins){{1}}, 1, 16)),
           "all join");
}

/* By hand: three sweeps over 256 KiB of four-byte words in order; 2048 lines.
 */
static void rewriting(void)
{
  const gscale_packer p = {64, 4096, 5};
  gscale_stream s = {3 * 65536, 4, 262144, 0, {{0}}, 262144, 0};

  gsl_test_rel(gscale_gps_lines(&s, 1, 512).stores, 3 * 2048, 0,
               "no line stays");
  gsl_test_rel(gscale_finepack_packets(&s, &p).packets, 3 * 2048 / 30.0, 1e-15,
               "30 lines in a packet, three times");
  s.reuse = 510 * 128;
  gsl_test_rel(gscale_gps_lines(&s, 1, 512).stores, 2048, 0, "all lines stay");
  s.reuse = 511 * 128;
  gsl_test_rel(gscale_gps_lines(&s, 1, 512).stores, 3 * 2048, 0,
               "one too many");
  s.reuse = 20 * 128; /* of 30 lines 10 are of a group to which all return */
  gsl_test_rel(gscale_finepack_packets(&s, &p).packets, 2048 / 20.0, 1e-15,
               "one group in a packet");
  s.reuse = 15 * 128;
  gsl_test_rel(gscale_finepack_packets(&s, &p).packets, 2048 / 30.0, 1e-15,
               "two groups in a packet");
}

/* One word of each line at a time: 32 passes fill the lines. */
static void passing(void)
{
  const gscale_packer p = {64, 4096, 5};
  gscale_stream s = {65536, 4, 262144, 0, {{0}}, 128 * 128, 128};

  gsl_test_rel(gscale_gps_lines(&s, 1, 512).stores, 2048, 0, "whole lines");
  gsl_test_rel(gscale_gps_lines(&s, 1, 64).stores, 65536, 0, "single words");
  gsl_test_rel(gscale_gps_lines(&s, 1, 64).size, 4, 0, "of 4 B");
  gsl_test_rel(gscale_finepack_packets(&s, &p).runs, 64, 0, "64 words");
  gsl_test_rel(gscale_finepack_packets(&s, &p).run, 4, 0, "none meet");
  s.reuse = 64 * 128; /* 8192 B of 64 lines in packets of 4096 - 64 * 5 B */
  gsl_test_rel(gscale_finepack_packets(&s, &p).packets, 32 * 3, 1e-15,
               "three packets for each group of 64 lines");
}

/* 64 pages of 4 KiB for 32 entries. */
static void walking(void)
{
  gscale_stream s = {2048, 128, 262144, 0, {{0}}, 262144, 0};

  gsl_test_rel(gscale_gps_misses(&s, 1, 4096, 32), 1.0 / 32, 1e-15,
               "the first line of a page: it is long gone");
  gsl_test_rel(gscale_gps_misses(&s, 1, 4096, 64) + 1, 1, 0, "all fit");
  s.stores =
      0; /* the share of those that there are: it does not depend on them */
  gsl_test_rel(gscale_gps_misses(&s, 1, 4096, 32), 1.0 / 32, 1e-15, "none");
  s.stores = 2048;
  s.size = 64; /* 128 pages */
  s.stride = 256;
  gsl_test_rel(gscale_gps_misses(&s, 1, 4096, 64), 2.0 / 32, 1e-15,
               "every other line, half full");
  s.stride = 8192;
  gsl_test_rel(gscale_gps_misses(&s, 1, 4096, 0), 1, 0,
               "each line in a page of its own");
  s.region = 131072;
  gsl_test_rel(gscale_gps_misses(&s, 2, 4096, 32), 0.5, 1e-15, "two regions");
  gsl_test(!isnan(gscale_gps_misses(&s, 0.5, 4096, 32)) ||
               !isnan(gscale_gps_misses(&s, 1, 64, 32)) ||
               !isnan(gscale_gps_misses(&s, 1, 4096, -1)),
           "misses: no half region, page of less than a line, or entry owed");
}

static void ends(void)
{
  gsl_test_rel(gscale_distinct(7, 0) + 1, 1, 0, "no draws");
  gsl_test_rel(gscale_distinct(1, 5), 1, 0, "one item");
  gsl_test_rel(gscale_distinct(1e12, 32), 32, 1e-9, "many items");
  gsl_test_rel(gscale_distinct(3, 2), 3 * (1 - 4.0 / 9), 1e-14, "two of three");
  gsl_test_rel(gscale_queue_added(10, 1e6, 10), 10, 1e-12, "all fit");
  gsl_test_rel(gscale_queue_added(10, 100, 0), 100, 0, "no queue");
  gsl_test_rel(gscale_finepack_stores(0, 64), 1, 0, "no locality");
  gsl_test_rel(gscale_finepack_stores(1, 64), 64, 0, "one window");
  gsl_test_rel(gscale_finepack_stores(0.5, 3), 1.75, 1e-15, "1 + 1/2 + 1/4");
  gsl_test_rel(gscale_subscribed(0.5, 2), 0.75, 1e-15, "two blocks");
  gsl_test_rel(gscale_subscribed(1 + 2e-14, 16), 1, 1e-15,
               "a share that rounding puts above 1");
  gsl_test_rel(gscale_tlb_hits(3, 8), 1, 0, "all pages fit");
}

static void domains(void)
{
  const gscale_stream some = {1, 4, 4, 0, {{0}}, 0, 0};
  const gscale_stream none = {1, 0, 4, 0, {{0}}, 0, 0};
  const gscale_stream back = {1, 4, 4, 0, {{0}}, -1, 0};
  const gscale_packer good = {64, 4096, 5}, wide = {64, 4096, 7},
                      empty = {0, 4096, 5}, small = {64, 5, 5};
  const gscale_joins half = {{0.5}}, much = {{0.5, 0.6}}, minus = {{-0.1}};
  const double outside[] = {gscale_finepack_joined(&half, 1.5, 64),
                            gscale_finepack_joined(&half, 1, 0.5),
                            gscale_finepack_joined(&much, 1, 64),
                            gscale_finepack_joined(&minus, 1, 64),
                            gscale_finepack_joined(&half, (double)NAN, 64),
                            gscale_distinct(0.5, 1),
                            gscale_distinct(2, -1),
                            gscale_queue_added(0.5, 1, 0),
                            gscale_queue_added(2, -1, 1),
                            gscale_queue_added(2, 1, -1),
                            gscale_queue_added((double)NAN, 1, 1),
                            gscale_finepack_stores(1.5, 2),
                            gscale_finepack_stores(-0.5, 2),
                            gscale_finepack_stores(0.5, 0),
                            gscale_subscribed(1.5, 1),
                            gscale_subscribed(0.5, -1),
                            gscale_tlb_hits(0, 1),
                            gscale_tlb_hits(1, -1),
                            gscale_distinct((double)NAN, 1),
                            gscale_finepack_stores((double)NAN, 2),
                            gscale_subscribed((double)NAN, 1),
                            gscale_gps_lines(&none, 1, 512).stores,
                            gscale_gps_lines(&back, 1, 512).stores,
                            gscale_gps_lines(&some, 0, 512).stores,
                            gscale_gps_lines(&some, 1, -1).stores,
                            gscale_finepack_packets(&none, &good).runs,
                            gscale_finepack_packets(&some, &wide).runs,
                            gscale_finepack_packets(&some, &empty).runs,
                            gscale_finepack_packets(&some, &small).runs};

  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
    gsl_test(!isnan(outside[i]), "outside, case %d", (int)i);
}

int main(void)
{
  lines_of_a_warp();
  runs_of_a_line();
  merging();
  packing();
  subscribers();
  translations();
  missing();
  joining();
  rewriting();
  passing();
  walking();
  ends();
  domains();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
