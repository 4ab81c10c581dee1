/* t_replay.c - replay against a slow one, cases by hand, and laws. */

#include "random.h"
#include "slow_replay.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

/* ---- random traces against the slow replay ------------------------------- */

enum {
  TRACE_MAX = 800
};

static bool focused; /* a trace of one region and one destination */
static bool wide;    /* one of words anywhere in a large region */

static uint64_t random_line(rng *r)
{
  static const uint64_t region[] = {0,
                                    0x10000,
                                    0x1400000,
                                    0x200000000,
                                    0x4000000000000000,
                                    0xffffffffffff0000};
  if (wide) { /* far apart as squares are */
    const uint64_t i = (uint64_t)pick(r, 150);
    return region[2] + 128 * i * i;
  }
  return region[focused ? 2 : pick(r, 6)] / 128 * 128 +
         128 * (uint64_t)pick(r, 9);
}

/* Lanes side by side, in steps, or anywhere; all in one or two regions. */
static int random_instruction(rng *r, int gpus, gscale_record *v, int room,
                              uint32_t group)
{
  const int most = wide && pick(r, 3) ? 40 : pick(r, 3) ? 8 : 40;
  const int lanes = wide && pick(r, 4) == 0 ? 1 : 1 + pick(r, most);
  const int pattern = wide ? 2 : pick(r, 3), step = 1 + pick(r, 40);
  static const int kinds[] = {1, 1, 2, 2, 3};
  const int kind = pick(r, wide ? 12 : 4) ? GSCALE_OP_STORE : kinds[pick(r, 5)];
  const bool words = wide && pick(r, 10);
  const uint8_t size = (uint8_t)(words        ? 4 << pick(r, 2)
                                 : pick(r, 3) ? 1 << pick(r, 5)
                                              : 1 + pick(r, 16));
  const uint8_t gpu = (uint8_t)pick(r, gpus);
  const bool all = focused || pick(r, 2);
  const uint8_t dst = all ? GSCALE_DST_ALL : (uint8_t)pick(r, gpus);
  uint64_t at = random_line(r) + (uint64_t)pick(r, 128);
  int i = 0;

  for (; i < lanes && i < room; i++) {
    if (pattern == 0) at += size;
    if (pattern == 1) at += (uint64_t)step;
    if (pattern == 2) at = random_line(r) + (uint64_t)pick(r, 128);
    if (kind == GSCALE_OP_ATOMIC || words) at = at / 16 * 16;
    if (at > UINT64_MAX - 16) at -= 4096;
    v[i] = (gscale_record){at, group, size, gpu, dst, (uint8_t)kind};
    if (pick(r, 40) == 0) v[i].dst = (uint8_t)pick(r, gpus);
  }
  return i;
}

/* The last instruction, of n lanes, once more as something else. */
static int repeat(rng *r, gscale_record *v, int n, int room, uint32_t group)
{
  static const int kinds[] = {GSCALE_OP_LOAD, GSCALE_OP_STORE,
                              GSCALE_OP_ATOMIC};
  const int kind = kinds[pick(r, 3)];
  int i = 0;

  for (; i < n && i < room; i++) {
    v[i] = v[i - n];
    v[i].group = group;
    v[i].kind = (uint8_t)kind;
    if (kind == GSCALE_OP_ATOMIC) v[i].address = v[i].address / 16 * 16;
  }
  return i;
}

static int random_trace(rng *r, int gpus, gscale_record *v)
{
  focused = pick(r, 3) == 0;
  const int length = 1 + pick(r, pick(r, 8) && !wide ? 150 : TRACE_MAX);
  int n = 0, last = 0; /* lanes of the last instruction */

  for (uint32_t group = 0; n < length; group += !!pick(r, 4)) {
    const int what = pick(r, wide ? 300 : 30), room = length - n;
    if (what == 0)
      v[n++] = (gscale_record){.kind = GSCALE_OP_PHASE,
                               .gpu = (uint8_t)pick(r, gpus)};
    else if (what == 1)
      v[n++] = (gscale_record){.kind = GSCALE_OP_FENCE,
                               .gpu = (uint8_t)pick(r, gpus)};
    else if (what < 6 && last)
      n += repeat(r, v + n, last, room, ++group);
    else
      n += last = random_instruction(r, gpus, v + n, room, group);
    if (what < 2) last = 0;
  }
  return n;
}

static gscale_replay_options random_options(rng *r)
{
  static const int payloads[] = {256, 300, 512, 4096};
  gscale_replay_options o;

  gscale_replay_options_init(&o, (gscale_queue)pick(r, GSCALE_QUEUE_END));
  if (pick(r, 3) == 0) o.queue = GSCALE_QUEUE_FINEPACK;
  o.gpus = 1 + pick(r, 5);
  o.profile = pick(r, 3);
  o.page = (uint64_t)128 << pick(r, 10);
  o.capacity = 2 + (pick(r, 3) ? pick(r, 6) : pick(r, 60));
  o.watermark = pick(r, 2) ? 0 : 1 + pick(r, o.capacity);
  o.ways = 1 + pick(r, pick(r, 2) ? 3 : 12);
  o.tlb = o.ways * (1 + pick(r, 3));
  o.subheader = 2 + pick(r, 5);
  o.payload = payloads[pick(r, 4)];
  o.windows = 1 + pick(r, o.capacity < 4 ? o.capacity : 4);
  o.timeout = pick(r, 2) ? 0 : (uint64_t)pick(r, 30);
  o.configured = pick(r, 4) == 0;
  o.granule = (uint64_t)128 << pick(r, 6);
  o.merge = 4 << (o.tlb + o.windows) % 6;
  return o;
}

/* As they are mostly, in a queue that wide traces fill. */
static gscale_replay_options common_options(rng *r)
{
  gscale_replay_options o = random_options(r);

  o.queue = pick(r, 2) ? GSCALE_QUEUE_GPS : GSCALE_QUEUE_FINEPACK;
  o.capacity = 30 + pick(r, 30);
  o.watermark = 0;
  o.ways = 1 + pick(r, 8);
  o.tlb = o.ways << pick(r, 3);
  o.timeout = 0;
  o.windows = 1;
  return o;
}

/* In pieces of any size; NULL if it was refused. */
static gscale_replay *fast_replay(rng *r, const gscale_replay_options *o,
                                  const gscale_record *v, int n,
                                  gscale_replay_result *out)
{
  gscale_replay *f = NULL;
  gscale_diag diag = {""};
  bool ok = gscale_replay_new(o, &f, &diag) == GSCALE_OK;

  for (int i = 0; ok && i < n;) {
    int part = 1 + pick(r, n);
    if (part > n - i) part = n - i;
    ok = gscale_replay_push(f, v + i, (size_t)part, &diag) == GSCALE_OK;
    i += part;
  }
  if (ok && gscale_replay_finish(f, out, &diag) == GSCALE_OK) return f;
  printf("refused: %s\n", diag.text);
  gscale_replay_free(f);
  return NULL;
}

/* The index of the first count that differs, from 1; 0 if none does. */
static int differing_count(const gscale_replay_counts *a,
                           const gscale_replay_counts *b)
{
  uint64_t x[sizeof *a / 8], y[sizeof *b / 8];

  memcpy(x, a, sizeof x);
  memcpy(y, b, sizeof y);
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i]) return (int)i + 1;
  return 0;
}

static bool same_pages(const gscale_replay_result *out, const slow *s)
{
  uint64_t pages[GSCALE_REPLAY_GPUS_MAX + 1] = {0};

  for (int i = 0; i < s->pages; i++) pages[slow_subscribers(s, &s->page[i])]++;
  return memcmp(pages, out->pages, sizeof pages) == 0 &&
         out->collapsed == s->collapsed;
}

static bool close_to(double a, double b)
{
  return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static bool same_bytes(const gscale_replay *f, const slow *s, int stage)
{
  static const char *const links[] = {"raw",     "pcie4",   "pcie6",
                                      "nvlink2", "nvlink4", "nvlink1"};
  bool same = true;

  for (size_t i = 0; i < 6; i++) {
    gscale_link l = *gscale_link_find(links[i]);
    double packets, slow_packets;
    if (i == 5) l.store_payload = 32;
    const gscale_bytes b =
        gscale_replay_bytes(f, (gscale_stage)stage, &l, &packets);
    const double wire = slow_wire(s, stage, &l, &slow_packets);
    same = same && close_to(b.wire, wire) && close_to(packets, slow_packets) &&
           close_to(b.useful + b.protocol + b.redundant + b.unused, b.wire) &&
           b.protocol >= 0;
  }
  return same;
}

static slow reference;

static bool one_trace(rng *r, int number)
{
  static gscale_record v[TRACE_MAX + 64];
  wide = pick(r, 6) == 0;
  const gscale_replay_options o = wide ? common_options(r) : random_options(r);
  const int n = random_trace(r, o.gpus, v);
  gscale_replay_result out;
  gscale_replay *f = fast_replay(r, &o, v, n, &out);
  bool same = f && true;

  slow_replay(&reference, &o, v, n);
  if (f) same = same_pages(&out, &reference);
  for (int s = 0; f && s < GSCALE_STAGE_END; s++) {
    const int count = differing_count(&out.stage[s], &reference.n[s]);
    const bool bytes = same_bytes(f, &reference, s);
    if (count || !bytes)
      printf("trace %d, %s: %s differs in count %d%s\n", number,
             gscale_name(GSCALE_QUEUE_NAMES, o.queue),
             gscale_name(GSCALE_STAGE_NAMES, (gscale_stage)s), count,
             bytes ? "" : " and in bytes");
    same = same && count == 0 && bytes;
  }
  gscale_replay_free(f);
  return same;
}

/* What the random traces must have reached, in all. */
typedef struct reached {
  uint64_t flushes[GSCALE_FLUSH_END];
  uint64_t splits, hits, redundant, collapsed, loads_queued, tlb_hits;
} reached;

static void note_reached(reached *all, const slow *s)
{
  for (int i = 0; i < GSCALE_STAGE_END; i++) {
    for (int f = 0; f < GSCALE_FLUSH_END; f++)
      all->flushes[f] += s->n[i].flushes[f];
    all->splits += s->n[i].splits;
    all->hits += s->n[i].hits;
    all->redundant += s->n[i].redundant_bytes;
    all->loads_queued += s->n[i].loads_queued;
    all->tlb_hits += s->n[i].tlb_hits;
  }
  all->collapsed += s->collapsed;
}

static void random_traces(void)
{
  const int n = slow_cases(200, 800, 10000);
  rng r = {2308};
  reached all = {{0}, 0, 0, 0, 0, 0, 0};
  int same = 0;

  for (int i = 0; i < n; i++) {
    same += one_trace(&r, i);
    note_reached(&all, &reference);
  }
  gsl_test_int(same, n, "%d random traces equal the slow replay", n);
  for (int f = 0; f < GSCALE_FLUSH_END; f++)
    gsl_test(all.flushes[f] == 0, "some left by %s",
             gscale_name(GSCALE_FLUSH_NAMES, (gscale_flush)f));
  gsl_test(!(all.splits && all.hits && all.redundant && all.collapsed &&
             all.loads_queued && all.tlb_hits),
           "splits, hits, redundant bytes, collapses and loads from the queue "
           "occurred");
}

int main(void)
{
  random_traces();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
