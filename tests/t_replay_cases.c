/* t_replay_cases.c - replay by hand: one small case for every reason to flush,
 * for every rule of each machine, and the laws that hold between them. */

#include "random.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <string.h>

/* ---- a case -------------------------------------------------------------- */

enum {
  ALL = GSCALE_DST_ALL,
  STORE = GSCALE_OP_STORE,
  LOAD = GSCALE_OP_LOAD,
  ATOMIC = GSCALE_OP_ATOMIC,
  SYSTEM = GSCALE_OP_SYSTEM,
  FENCE = GSCALE_OP_FENCE,
  PHASE = GSCALE_OP_PHASE
};

typedef struct trace {
  int n;
  gscale_record v[4096];
} trace;

static trace t; /* of the case at hand */

/* A warp instruction with `lanes` lanes, `step` B from each to the next. */
static void lanes(int gpu, int kind, uint64_t address, int size, int dst,
                  int count, uint64_t step)
{
  static uint32_t group;

  group++;
  for (int i = 0; i < count; i++)
    t.v[t.n++] = (gscale_record){address + (uint64_t)i * step,
                                 group,
                                 (uint8_t)size,
                                 (uint8_t)gpu,
                                 (uint8_t)dst,
                                 (uint8_t)kind};
}

static void one(int gpu, int kind, uint64_t address, int size, int dst)
{
  lanes(gpu, kind, address, size, dst, 1, 0);
}

static void line(int gpu, uint64_t number, int dst)
{
  lanes(gpu, STORE, number * 128, 4, dst, 32, 4);
}

static void sync(int gpu, int kind)
{
  one(gpu, kind, 0, 0, 0);
}

static gscale_replay_options defaults(gscale_queue q)
{
  gscale_replay_options o;

  gscale_replay_options_init(&o, q);
  o.profile = 0;
  t.n = 0;
  return o;
}

static gscale_replay_result result;
static gscale_replay *last; /* freed by the next */

/* Replays the trace; counts without profiling. */
static const gscale_replay_counts *replayed(const gscale_replay_options *o)
{
  gscale_diag diag = {""};

  gscale_replay_free(last);
  last = NULL;
  const bool ok =
      gscale_replay_new(o, &last, &diag) == GSCALE_OK &&
      gscale_replay_push(last, t.v, (size_t)t.n, &diag) == GSCALE_OK &&
      gscale_replay_finish(last, &result, &diag) == GSCALE_OK;
  if (!ok) gsl_test(1, "replayed: %s", diag.text);
  return &result.stage[GSCALE_STAGE_STEADY];
}

static void is(uint64_t count, uint64_t expected, const char *what)
{
  gsl_test_int((int)count, (int)expected, "%s", what);
}

static double wire(const char *link, double *packets)
{
  return gscale_replay_bytes(last, GSCALE_STAGE_STEADY, gscale_link_find(link),
                             packets)
      .wire;
}

static void wires(const char *link, double bytes, double packets)
{
  double n;
  const double b = wire(link, &n);

  gsl_test_rel(b, bytes, 1e-14, "%s: bytes", link);
  gsl_test_rel(n, packets, 1e-14, "%s: packets", link);
}

/* ---- the coalescer ------------------------------------------------------- */

static void coalescer(void)
{
  const gscale_replay_options o = defaults(GSCALE_QUEUE_SM);
  const gscale_replay_counts *n;

  line(0, 7, 1); /* 32 lanes, one line: 128 B */
  n = replayed(&o);
  is(n->instructions, 1, "a whole line: one instruction");
  is(n->stores, 1, "one transaction");
  is(n->sectors, 4, "four sectors");
  wires("pcie4", 128 + 24, 1);
  wires("nvlink2", 128 + 16, 1);

  t.n = 0; /* every second word: gaps */
  lanes(0, STORE, 0, 4, 1, 16, 8);
  n = replayed(&o);
  is(n->stores, 1, "steps of 8 B: one transaction");
  is(n->store_bytes, 64, "of 64 B");
  is(n->sectors, 4, "in four sectors");
  wires("pcie4", 16 * (4 + 24), 16);  /* a packet for each run */
  wires("nvlink2", 16 + 16 + 128, 1); /* header, byte enables, 8 flits */

  t.n = 0; /* each lane a line of its own, 40 lanes: 32 and 8 */
  lanes(0, STORE, 0, 8, 1, 40, 128);
  n = replayed(&o);
  is(n->stores, 40, "steps of a line: a transaction each");
  is(n->instructions, 2, "a warp has 32 lanes");

  t.n = 0; /* one lane across two lines, one overwriting another */
  one(0, STORE, 124, 8, 1);
  lanes(0, STORE, 256, 4, 1, 2, 0);
  n = replayed(&o);
  is(n->stores, 3, "a lane across two lines makes two");
  is(n->store_bytes, 12, "lanes with the same bytes count once");

  t.n = 0; /* atomics stay apart; other GPUs and kinds are other instructions */
  lanes(0, ATOMIC, 0, 4, 1, 32, 0);
  one(1, STORE, 0, 4, 2);
  n = replayed(&o);
  is(n->atomics, 32, "atomics of a warp are not merged");
  is(n->instructions, 2, "another GPU: another instruction");
}

/* ---- gps ----------------------------------------------------------------- */

static void gps_queue(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_GPS);
  const gscale_replay_counts *n;

  o.capacity = 4; /* the third entry makes the first leave */
  line(0, 1, 1);
  line(0, 2, 1);
  line(0, 1, 1); /* merged, and no younger for it */
  line(0, 3, 1); /* line 1 leaves */
  line(0, 1, 1); /* added again; line 2 leaves */
  line(0, 3, 1); /* merged */
  n = replayed(&o);
  is(n->queued, 6, "gps: six stores");
  is(n->hits, 2, "two merged");
  is(n->flushes[GSCALE_FLUSH_WATERMARK], 2, "two left at the watermark");
  is(n->flushes[GSCALE_FLUSH_PHASE], 2, "two at the end");
  is(n->useful_bytes, 3 * 128, "three lines of useful bytes");
  is(n->redundant_bytes, 128, "line 1 was sent twice");
  wires("pcie4", 4 * (128 + 24), 4);

  o.watermark = 4; /* one more fits */
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_WATERMARK], 0, "watermark at capacity");
  is(n->hits, 3, "one more is merged");

  t.n = 0; /* 4 B travel as a line; to all three others */
  one(0, STORE, 128, 4, ALL);
  n = replayed(&o);
  is(n->sends, 3, "gps: one copy for each subscriber");
  is(n->useful_bytes, 3 * 4, "of 4 B");
  is(n->unused_bytes, 3 * 124, "the rest of the line goes along");
}

static void gps_reasons(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_GPS);
  const gscale_replay_counts *n;

  line(0, 1, 1);
  line(1, 1, 0);
  sync(0, FENCE); /* of GPU 0 only */
  line(0, 1, 1);  /* not redundant: the fence was between */
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_FENCE], 1, "gps: a fence drains its GPU");
  is(n->flushes[GSCALE_FLUSH_PHASE], 2, "and no other");
  is(n->redundant_bytes, 0, "what a fence made visible is not redundant");

  t.n = 0;
  one(0, STORE, 128, 4, 1);
  one(0, ATOMIC, 132, 4, 1); /* other bytes of the line */
  one(0, ATOMIC, 128, 4, 1); /* these bytes */
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_ATOMIC], 1, "gps: an atomic on queued bytes");
  is(n->direct, 2, "atomics bypass the queue");
  is(n->hits, 0, "and are not merged");

  t.n = 0;
  one(0, STORE, 128, 4, 1);
  one(0, LOAD, 128, 4, 1); /* answered by the queue */
  one(0, LOAD, 128, 8, 1); /* only half of it */
  one(0, LOAD, 256, 4, 1);
  n = replayed(&o);
  is(n->loads_queued, 1, "gps: a load that the queue answers");
  is(n->loads_remote, 2, "and two that it does not");
  is(n->flushes[GSCALE_FLUSH_LOAD], 1, "one drains its line first");
}

static void gps_tlb(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_GPS);
  const gscale_replay_counts *n;

  o.tlb = o.ways = 2; /* pages of 4 KiB: 0 1 0 2 0 1 */
  o.page = 4096;
  for (int i = 0; i < 6; i++) {
    static const uint64_t page[] = {0, 1, 0, 2, 0, 1};
    line(0, page[i] * 32 + (uint64_t)i, 1);
  }
  n = replayed(&o);
  is(n->tlb_lookups, 6, "gps: one look-up for each line that leaves");
  is(n->tlb_hits, 2, "page 0 stays, being used; 1 makes room for 2");
  o.ways = 1; /* sets by the last bit: 0, 2, 0 contend, 1 does not */
  n = replayed(&o);
  is(n->tlb_hits, 2, "direct mapped");
}

static void gps_subscriptions(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_GPS);
  const gscale_replay_counts *n;

  o.profile = 1;
  o.page = 4096;
  line(0, 0, ALL);          /* page 0: 0 writes, 2 reads */
  one(2, LOAD, 64, 4, ALL); /* */
  line(1, 32, ALL);         /* page 1: only 1 */
  sync(0, PHASE);
  line(0, 1, ALL);            /* to GPU 2 */
  line(3, 2, ALL);            /* of no subscriber: to 0 and 2 */
  line(1, 33, ALL);           /* local */
  line(3, 34, ALL);           /* conventional: straight to 1 */
  line(3, 64, ALL);           /* untouched so far: 3 keeps it */
  one(0, LOAD, 8192, 4, ALL); /* from 3 */
  n = replayed(&o);
  is(result.stage[GSCALE_STAGE_PROFILING].sends, 6, "profiling: to all others");
  is(result.pages[1], 2, "two pages with one subscriber");
  is(result.pages[2], 1, "one with two");
  is(n->sends, 1 + 2 + 1, "then to those who touched the page");
  is(n->local, 2, "stores to the only copy, here");
  is(n->direct, 1, "and elsewhere");
  is(n->loads_remote, 1, "a load of a page that one has not");
}

static void gps_collapse(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_GPS);
  const gscale_replay_counts *n;

  line(0, 1, ALL);           /* queued */
  line(1, 2, ALL);           /* in another queue, same page */
  one(2, SYSTEM, 0, 4, ALL); /* drains both; GPU 2 keeps the page */
  line(0, 1, ALL);           /* straight to 2 */
  one(3, SYSTEM, 0, 4, ALL); /* a packet to 2 */
  one(2, SYSTEM, 0, 4, ALL); /* local */
  one(1, LOAD, 0, 4, ALL);   /* from 2 */
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_SYSTEM], 2, "gps: a system store drains the page");
  is(result.collapsed, 1, "once");
  is(result.pages[1], 1, "one subscriber is left");
  is(n->direct, 2, "stores go to the only copy");
  is(n->local, 2, "the owner's stay");
  is(n->loads_remote, 1, "so do its loads, others' do not");
  is(n->sends, 3 + 3 + 1 + 1, "all sends");
}

/* ---- finepack ------------------------------------------------------------ */

static void finepack_packet(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_FINEPACK);
  const gscale_replay_counts *n;

  for (int i = 0; i < 10; i++) one(0, STORE, (uint64_t)i * 1000, 8, 1);
  n = replayed(&o); /* ten runs of 8 B with 4 B before each: 120 B */
  is(n->sends, 1, "finepack: ten stores, one packet");
  is(n->subpackets, 10, "of ten runs");
  wires("pcie4", 24 + 120, 1);
  o.configured = true;
  replayed(&o);
  wires("pcie4", 24 + 120 + 10 * 10, 1 + 10);

  o.configured = false;
  t.n = 0; /* 4 B beside 4 B are one run; a gap makes another */
  one(0, STORE, 0, 4, 1);
  one(0, STORE, 4, 4, 1);
  one(0, STORE, 12, 4, 1);
  one(0, STORE, 12, 4, 1); /* written again: nothing more to send */
  n = replayed(&o);
  is(n->hits, 3, "finepack: three stores merged");
  is(n->subpackets, 2, "into two runs");
  is(n->useful_bytes, 12, "of 12 B");
  is(n->redundant_bytes, 0, "none of them twice");
  wires("pcie4", 24 + 8 + 12, 1);
}

static void finepack_window(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_FINEPACK);
  const gscale_replay_counts *n;

  o.subheader = 3; /* 16 KiB */
  one(0, STORE, 0, 4, 1);
  one(0, STORE, 16380, 4, 1);
  one(0, STORE, 16384, 4, 1); /* outside */
  one(0, STORE, 0, 4, 1);     /* outside again */
  one(0, STORE, 0, 4, 2);     /* another destination has its own */
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_WINDOW], 2, "finepack: outside the window");
  is(n->flushes[GSCALE_FLUSH_PHASE], 2, "two at the end");
  is(n->redundant_bytes, 4, "the first bytes went twice");
  o.windows = 2;
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_WINDOW], 0, "two open windows");
  is(n->redundant_bytes, 0, "merge them");

  o.windows = 1;
  o.subheader = 2; /* 64 B: half a line */
  t.n = 0;
  line(0, 0, 1);
  n = replayed(&o);
  is(n->sends, 2, "half a line at a time");
  wires("pcie4", 2 * (24 + 68), 2); /* 66 B in whole words */
}

static void finepack_full(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_FINEPACK);
  const gscale_replay_counts *n;

  for (uint64_t i = 0; i < 65; i++) one(0, STORE, i * 128, 4, 1);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_ENTRIES], 1, "finepack: 64 entries are full");

  t.n = 0; /* 31 lines with 4 B before each fill 4092 B of 4096 */
  for (uint64_t i = 0; i < 32; i++) line(0, i, 1);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_PAYLOAD], 1, "finepack: 31 lines fill a packet");
  is(n->sends, 2, "the 32nd is in the next");

  t.n = 0; /* 256 - 3 (4 + 64) = 52: 64 more bytes of line 0 have no room; then
            * 256 - 68 - 132 = 56, of which 4 + 56 is too much again */
  o.payload = 256;
  for (uint64_t i = 0; i < 3; i++) lanes(0, STORE, i * 128, 4, 1, 16, 4);
  lanes(0, STORE, 64, 4, 1, 16, 4);
  line(0, 3, 1);
  lanes(0, STORE, 512, 4, 1, 14, 4);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_PAYLOAD], 2, "finepack: merged bytes need room");
  is(n->hits, 0, "those that have none begin another packet");

  o.payload = 4096;
  t.n = 0; /* what is written again takes no room */
  for (int i = 0; i < 40; i++) line(0, 0, 1);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_PAYLOAD], 0, "finepack: 40 times the same line");
  is(n->sends, 1, "is one packet");

  t.n = 0; /* 64 runs of 1 B, 5 B each: 320 B, where the register saw 68 */
  o.payload = 256;
  lanes(0, STORE, 0, 1, 1, 32, 2);
  lanes(0, STORE, 64, 1, 1, 32, 2);
  n = replayed(&o);
  is(n->subpackets, 64, "finepack: 64 runs");
  is(n->splits, 1, "are split over two packets");
  is(n->flushes[GSCALE_FLUSH_PHASE], 1, "of one window");
  wires("pcie4", 24 + 256 + 24 + 68, 2); /* 51 runs, 255 B; 13 runs, 65 B */
}

static void finepack_reasons(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_FINEPACK);
  const gscale_replay_counts *n;

  one(0, STORE, 0, 4, 1);
  one(0, LOAD, 4, 4, 1);   /* other bytes */
  one(0, LOAD, 0, 4, ALL); /* the copy it has itself */
  one(0, LOAD, 0, 4, 1);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_LOAD], 1, "finepack: a load of queued bytes");
  is(n->loads_remote, 2, "of two remote ones");

  t.n = 0;
  one(0, STORE, 0, 4, 1);
  one(0, ATOMIC, 4, 4, 1);
  one(0, ATOMIC, 0, 4, 1);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_ATOMIC], 1, "finepack: an atomic on queued bytes");
  is(n->direct, 2, "atomics are packets of their own");

  t.n = 0;
  one(0, STORE, 0, 4, 1);
  one(0, STORE, 0, 4, 2);
  one(1, STORE, 0, 4, 2);
  one(0, SYSTEM, 64, 4, 1);
  one(1, STORE, 4, 4, 2);
  sync(1, FENCE);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_SYSTEM], 2, "finepack: a system store, all of it");
  is(n->flushes[GSCALE_FLUSH_FENCE], 1, "a fence, its GPU's");

  t.n = 0; /* the third store comes 3 records after the second */
  o.timeout = 2;
  one(0, STORE, 0, 4, 1);
  one(0, STORE, 4, 4, 1);
  one(0, STORE, 0, 4, 2);
  one(0, STORE, 0, 4, 2);
  one(1, STORE, 0, 4, 2); /* another GPU's clock */
  one(0, STORE, 8, 4, 1);
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_TIMEOUT], 1, "finepack: a time-out");
  o.timeout = 3;
  n = replayed(&o);
  is(n->flushes[GSCALE_FLUSH_TIMEOUT], 0, "not yet");
}

/* ---- bulk and plain ------------------------------------------------------ */

static void bulk(void)
{
  gscale_replay_options o = defaults(GSCALE_QUEUE_BULK);
  const gscale_replay_counts *n;

  o.granule = 4096;
  one(0, STORE, 0, 4, 1);
  one(0, STORE, 4000, 4, 1);
  one(0, STORE, 0, 4, 1);
  sync(0, FENCE); /* nothing to do */
  one(0, STORE, 8, 4, 1);
  sync(0, PHASE);
  one(0, STORE, 8, 4, ALL);
  n = replayed(&o);
  is(n->sends, 1 + 3, "bulk: a granule in a phase, then to three");
  is(n->useful_bytes, 12 + 3 * 4, "useful bytes");
  is(n->unused_bytes, 4 * 4096 - 24, "the rest is unused");
  wires("pcie4", 4 * 16 * (256 + 24), 64);
}

static void plain(void)
{
  const gscale_replay_options o = defaults(GSCALE_QUEUE_PLAIN);
  const gscale_replay_counts *n;

  one(0, STORE, 0, 4, ALL);
  one(0, STORE, 0, 4, 0); /* its own memory */
  one(0, STORE, 2, 4, ALL);
  n = replayed(&o);
  is(n->local, 1, "plain: one store stays");
  is(n->useful_bytes, 3 * 6, "6 B to three");
  is(n->redundant_bytes, 3 * 2, "2 B twice");
}

/* ---- laws ---------------------------------------------------------------- */

/* Stores of words, to one GPU or all of them, with phases. */
static void random_words(rng *r, int gpus)
{
  t.n = 0;
  for (int i = 0; i < 60; i++) {
    const int gpu = pick(r, gpus);
    lanes(gpu, STORE, 4 * (uint64_t)pick(r, 2000), 4, ALL, 1 + pick(r, 32),
          4 * (uint64_t)pick(r, 40));
    if (pick(r, 20) == 0) sync(0, PHASE);
  }
}

static gscale_replay_counts counts_of(gscale_queue q, int gpus, int capacity)
{
  gscale_replay_options o;

  gscale_replay_options_init(&o, q);
  o.gpus = gpus;
  o.profile = 0;
  if (capacity) o.capacity = capacity;
  return *replayed(&o);
}

/* Every byte that is written arrives once as useful, whatever carries it; a
 * queue that holds everything sends each line once; no queue sends more lines
 * than there are transactions. */
static void laws(void)
{
  rng r = {77};
  bool conserve = true, once = true, fewer = true, adds_up = true;

  for (int i = 0; i < 200; i++) {
    const int gpus = 2 + pick(&r, 4);
    random_words(&r, gpus);
    const gscale_replay_counts plain_ = counts_of(GSCALE_QUEUE_PLAIN, gpus, 0);
    const gscale_replay_counts small = counts_of(GSCALE_QUEUE_GPS, gpus, 3);
    const gscale_replay_counts large = counts_of(GSCALE_QUEUE_GPS, gpus, 32768);
    const gscale_replay_counts fine = counts_of(GSCALE_QUEUE_FINEPACK, gpus, 0);
    const gscale_replay_counts copied = counts_of(GSCALE_QUEUE_BULK, gpus, 0);
    const uint64_t others = (uint64_t)gpus - 1;
    conserve = conserve && plain_.useful_bytes == small.useful_bytes &&
               plain_.useful_bytes == large.useful_bytes &&
               plain_.useful_bytes == fine.useful_bytes &&
               plain_.useful_bytes == copied.useful_bytes;
    adds_up = adds_up && plain_.store_bytes * others ==
                             plain_.useful_bytes + plain_.redundant_bytes;
    once = once && large.redundant_bytes == 0;
    fewer = fewer && large.entries <= small.entries &&
            small.entries <= plain_.stores && fine.sends <= plain_.sends;
  }
  gsl_test(!conserve, "useful bytes are the same in all machines");
  gsl_test(!adds_up, "plain: useful + redundant = stored x destinations");
  gsl_test(!once, "a queue that holds everything sends each byte once");
  gsl_test(!fewer, "queues never send more than there is");
}

/* ---- what is refused ----------------------------------------------------- */

static void refuse_option(int offset_of_case, const char *words)
{
  gscale_replay_options o;
  gscale_replay *r = NULL;
  gscale_diag diag = {""};

  gscale_replay_options_init(&o, GSCALE_QUEUE_FINEPACK);
  switch (offset_of_case) {
  case 0:
    o.gpus = 65;
    break;
  case 1:
    o.gpus = 0;
    break;
  case 2:
    o.page = 3000;
    break;
  case 3:
    o.granule = 64;
    break;
  case 4:
    o.capacity = 1025;
    break;
  case 5:
    o.subheader = 7;
    break;
  case 6:
    o.payload = 255;
    break;
  case 7:
    o.windows = 65;
    break;
  case 8:
    o.ways = 5;
    break;
  case 9:
    o.watermark = 65;
    break;
  case 10:
    o.profile = -1;
    break;
  case 11:
    o.queue = GSCALE_QUEUE_END;
    break;
  case 12:
    o.merge = 48;
    break;
  default:
    o.tlb = 0;
    break;
  }
  gsl_test(gscale_replay_new(&o, &r, &diag) != GSCALE_EDOMAIN || r != NULL,
           "refused: %s", diag.text);
  gsl_test(strstr(diag.text, words) == NULL, "%s", diag.text);
}

static void refuse_record(gscale_record v, const char *words)
{
  const gscale_replay_options o = defaults(GSCALE_QUEUE_GPS);
  const gscale_record good = {.size = 4};
  gscale_replay *r = NULL;
  gscale_diag diag = {""};

  if (gscale_replay_new(&o, &r, NULL) != GSCALE_OK) return;
  gscale_replay_push(r, &good, 1, NULL);
  gsl_test(gscale_replay_push(r, &v, 1, &diag) != GSCALE_EDATA, "refused");
  gsl_test(strcmp(diag.text, words) != 0, "%s", diag.text);
  gscale_replay_free(r);
}

static void refusals(void)
{
  static const char *const option[] = {
      "gpus: 65", "gpus: 0",      "page: 3000", "granule: 64", "capacity: 1025",
      "subhead",  "payload: 255", "windows: 6", "tlb: 32",     "watermark: 65",
      "profile",  "no queue",     "merge: 48",  "tlb: 0"};

  for (int i = 0; i < 14; i++) refuse_option(i, option[i]);
  refuse_record((gscale_record){.size = 4, .kind = 6}, "record 2: kind: 6 is "
                                                       "none");
  refuse_record((gscale_record){.size = 4, .gpu = 4},
                "record 2: gpu: 4 is not 0 .. 3");
  refuse_record((gscale_record){.size = 4, .dst = 254},
                "record 2: dst: 254 is not 0 .. 3, nor all");
  refuse_record((gscale_record){.size = 0}, "record 2: size: 0 is not 1 .. 16");
  refuse_record((gscale_record){.size = 17},
                "record 2: size: 17 is not 1 .. 16");
  refuse_record((gscale_record){.size = 1, .kind = FENCE},
                "record 2: size: 1, but a fence has none");
  refuse_record((gscale_record){.size = 2, .address = UINT64_MAX},
                "record 2: address: 2 B at 0xffffffffffffffff end beyond 2^64");
  refuse_record(
      (gscale_record){.size = 8, .address = 124, .kind = ATOMIC},
      "record 2: address: an atomic of 8 B at 0x7c crosses a line of 128 B");
}

static void finished(void)
{
  const gscale_replay_options o = defaults(GSCALE_QUEUE_PLAIN);

  line(0, UINT64_MAX / 128, 1); /* the last line there is */
  is(replayed(&o)->useful_bytes, 128, "the last line");
  gsl_test(gscale_replay_push(last, t.v, 1, NULL) != GSCALE_EDOMAIN,
           "nothing after the end");
  gsl_test(gscale_replay_finish(last, &result, NULL) != GSCALE_EDOMAIN,
           "the end, once");
  gscale_replay_free(last);
  last = NULL;
  gscale_replay_free(NULL);
}

static void names(void)
{
  gsl_test(strcmp(gscale_name(GSCALE_OPERATION_NAMES, GSCALE_OP_SYSTEM),
                  "system") != 0 ||
               gscale_name(GSCALE_OPERATION_NAMES, GSCALE_OP_END) != NULL,
           "operations");
  gsl_test(strcmp(gscale_name(GSCALE_QUEUE_NAMES, GSCALE_QUEUE_BULK), "bulk") !=
                   0 ||
               gscale_name(GSCALE_QUEUE_NAMES, GSCALE_QUEUE_END) != NULL,
           "queues");
  gsl_test(strcmp(gscale_name(GSCALE_FLUSH_NAMES, GSCALE_FLUSH_PHASE),
                  "phase") != 0 ||
               gscale_name(GSCALE_FLUSH_NAMES, GSCALE_FLUSH_END) != NULL,
           "reasons");
  gsl_test(strcmp(gscale_name(GSCALE_STAGE_NAMES, GSCALE_STAGE_STEADY),
                  "steady") != 0 ||
               gscale_name(GSCALE_STAGE_NAMES, GSCALE_STAGE_END) != NULL,
           "stages");
}

int main(void)
{
  coalescer();
  gps_queue();
  gps_reasons();
  gps_tlb();
  gps_subscriptions();
  gps_collapse();
  finepack_packet();
  finepack_window();
  finepack_full();
  finepack_reasons();
  bulk();
  plain();
  laws();
  refusals();
  names();
  finished();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
