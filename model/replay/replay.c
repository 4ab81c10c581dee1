/* replay.c - the options of a replay, its border, and the coalescer of the SMs.
 *
 * [Gps21], [Diss22]; what each machine does is said at gscale_replay_new. */

#include "replay/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  AHEAD = 64, /* records that are looked at together */
  ALONE = 4   /* B of an atomic that is with no other */
};

/* ---- names --------------------------------------------------------------- */

static const char *const operations[GSCALE_OP_END] = {
    "store", "load", "atomic", "system", "fence", "phase"};
static const char *const queues[GSCALE_QUEUE_END] = {"sm", "plain", "gps",
                                                     "finepack", "bulk"};
static const char *const flushes[GSCALE_FLUSH_END] = {
    "watermark", "window", "entries", "payload", "timeout",
    "load",      "atomic", "system",  "fence",   "phase"};
static const char *const stages[GSCALE_STAGE_END] = {"profiling", "steady"};

const char *gscale_operation_name(gscale_operation o)
{
  return (unsigned)o < GSCALE_OP_END ? operations[o] : NULL;
}

const char *gscale_queue_name(gscale_queue q)
{
  return (unsigned)q < GSCALE_QUEUE_END ? queues[q] : NULL;
}

const char *gscale_flush_name(gscale_flush f)
{
  return (unsigned)f < GSCALE_FLUSH_END ? flushes[f] : NULL;
}

const char *gscale_stage_name(gscale_stage s)
{
  return (unsigned)s < GSCALE_STAGE_END ? stages[s] : NULL;
}

/* ---- options ------------------------------------------------------------- */

void gscale_replay_options_init(gscale_replay_options *o, gscale_queue queue)
{
  const bool gps = queue == GSCALE_QUEUE_GPS;

  *o = (gscale_replay_options){.queue = queue,
                               .gpus = 4,
                               .profile = gps,
                               .page = 65536,
                               .capacity = gps ? 512 : 64,
                               .tlb = 32,
                               .ways = 8,
                               .subheader = 4,
                               .payload = 4096,
                               .windows = 1,
                               .granule = 65536,
                               .merge = ALONE};
}

static gscale_status out_of_range(const char *name, double value, double least,
                                  double most, gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %g is not %g .. %g", name,
                      value, least, most);
}

/* The whole numbers and where they may lie. */
static gscale_status check_numbers(const gscale_replay_options *o,
                                   gscale_diag *diag)
{
  const bool gps = o->queue == GSCALE_QUEUE_GPS;
  const struct {
    const char *name;
    int value, least, most;
  } row[] = {
      {"gpus", o->gpus, 1, GSCALE_REPLAY_GPUS_MAX},
      {"profile", o->profile, 0, INT32_MAX},
      {"capacity", o->capacity, gps ? 2 : 1, gps ? GSCALE__CAPACITY_MAX : 1024},
      {"watermark", o->watermark, 0, o->capacity},
      {"ways", o->ways, 1, 1024},
      {"tlb", o->tlb, o->ways, 65536},
      {"subheader", o->subheader, 2, 6},
      {"payload", o->payload, 256, 65536},
      {"windows", o->windows, 1, o->capacity},
  };

  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (row[i].value < row[i].least || row[i].value > row[i].most)
      return out_of_range(row[i].name, row[i].value, row[i].least, row[i].most,
                          diag);
  return GSCALE_OK;
}

static bool power_of_two(uint64_t v)
{
  return v >= GSCALE__LINE && v <= (uint64_t)1 << 40 && (v & (v - 1)) == 0;
}

static gscale_status check(const gscale_replay_options *o, gscale_diag *diag)
{
  gscale_status st;

  if ((unsigned)o->queue >= GSCALE_QUEUE_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "no queue %d", (int)o->queue);
  st = check_numbers(o, diag);
  if (st != GSCALE_OK) return st;
  if (o->tlb % o->ways != 0)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "tlb: %d entries are not sets of %d ways", o->tlb,
                        o->ways);
  if (!power_of_two(o->page) || !power_of_two(o->granule))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %g B is not a power of two, 128 B .. 2^40 B",
                        power_of_two(o->page) ? "granule" : "page",
                        (double)(power_of_two(o->page) ? o->granule : o->page));
  if (o->merge < ALONE || o->merge > GSCALE__LINE ||
      (o->merge & (o->merge - 1)) != 0)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "merge: %d B is not a power of two, 4 B .. 128 B",
                        o->merge);
  return GSCALE_OK;
}

/* ---- its life ------------------------------------------------------------ */

static bool prepare(gscale_replay *r)
{
  bool ok = gscale__pages_init(&r->pages);

  r->gpu = calloc((size_t)r->o.gpus, sizeof *r->gpu);
  ok = ok && r->gpu;
  for (int i = 0; ok && i < r->o.gpus; i++) {
    gscale__lines_init(&r->gpu[i].sent);
    gscale__bits_init(&r->gpu[i].regions);
    ok = !r->machine->prepare || r->machine->prepare(r, &r->gpu[i]);
  }
  for (int s = 0;
       ok && r->o.queue == GSCALE_QUEUE_FINEPACK && s < GSCALE_STAGE_END; s++) {
    r->tally[s].packed =
        calloc((size_t)r->o.payload + 1, sizeof *r->tally[s].packed);
    ok = r->tally[s].packed != NULL;
  }
  return ok;
}

gscale_status gscale_replay_new(const gscale_replay_options *o,
                                gscale_replay **out, gscale_diag *diag)
{
  static const gscale__machine *const machines[GSCALE_QUEUE_END] = {
      &gscale__machine_sm, &gscale__machine_plain, &gscale__machine_gps,
      &gscale__machine_finepack, &gscale__machine_bulk};
  gscale_replay *r;
  const gscale_status st = check(o, diag);

  if (st != GSCALE_OK) return st;
  r = calloc(1, sizeof *r);
  if (!r) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the replay");
  r->o = *o;
  if (o->watermark == 0) r->o.watermark = o->capacity - 1;
  r->machine = machines[o->queue];
  r->page_bits = __builtin_ctzll(o->page);
  r->granule_bits = __builtin_ctzll(o->granule);
  r->offset_bits = ilogb(gscale_finepack_range(o->subheader));
  r->sets = (uint64_t)(o->tlb / o->ways);
  r->everyone = ~(uint64_t)0 >> (64 - o->gpus);
  r->profiling = o->profile > 0;
  r->now =
      &r->tally[r->profiling ? GSCALE_STAGE_PROFILING : GSCALE_STAGE_STEADY];
  if (!prepare(r)) {
    gscale_replay_free(r);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the replay");
  }
  *out = r;
  return GSCALE_OK;
}

void gscale_replay_free(gscale_replay *r)
{
  if (!r) return;
  for (int i = 0; r->gpu && i < r->o.gpus; i++) {
    gscale__lines_free(&r->gpu[i].sent);
    gscale__bits_free(&r->gpu[i].regions);
    if (r->machine->release) r->machine->release(r, &r->gpu[i]);
  }
  free(r->gpu);
  gscale__pages_free(&r->pages);
  for (int s = 0; s < GSCALE_STAGE_END; s++) free(r->tally[s].packed);
  free(r);
}

/* ---- the coalescer ------------------------------------------------------- */

static uint64_t sectors_of(gscale__mask bytes)
{
  const uint64_t low = gscale__low(bytes), high = gscale__high(bytes);

  return (uint64_t)((uint32_t)low != 0) + (low >> 32 != 0) +
         ((uint32_t)high != 0) + (high >> 32 != 0);
}

/* Lanes may have bytes in common. */
static uint64_t distinct_bytes(const gscale_replay *r)
{
  uint64_t n = 0;

  for (int i = 0; i < r->pieces; i++)
    n += (uint64_t)gscale__count(r->piece[i].bytes);
  return n;
}

static void count_stores(gscale_replay *r)
{
  gscale_replay_counts *const n = &r->now->n;
  uint64_t sectors = 0;

  for (int i = 0; i < r->pieces; i++) sectors += sectors_of(r->piece[i].bytes);
  n->sectors += sectors;
  n->store_bytes += r->merged ? distinct_bytes(r) : r->bytes;
  n->stores += (uint64_t)r->pieces;
  if (r->first.kind == GSCALE_OP_ATOMIC) n->atomics += (uint64_t)r->pieces;
}

/* The instruction is complete: its transactions leave the SM. */
static void issue(gscale_replay *r)
{
  const int gpu = r->first.gpu, pieces = r->pieces;
  const gscale_operation kind = (gscale_operation)r->first.kind;

  if (r->lanes == 0) return;
  r->now->n.instructions++;
  if (kind == GSCALE_OP_LOAD)
    r->now->n.loads += (uint64_t)pieces;
  else
    count_stores(r);
  for (int i = 0; i < pieces; i++) r->machine->take(r, gpu, kind, &r->piece[i]);
  r->gpu[gpu].clock += (uint64_t)r->lanes;
  r->lanes = r->pieces = 0;
}

static void begin(gscale_replay *r, const gscale_record *v)
{
  r->first = *v;
  r->bytes = 0;
  r->merged = false;
  if (++r->serial != 0) return;
  memset(r->slot, 0, sizeof r->slot); /* after 2^32 instructions */
  r->serial = 1;
}

/* One of a warp's atomics: with others of the same `merge` B, if none of them
 * is of its bytes. */
static void add_atomic(gscale_replay *r, const gscale_record *v)
{
  const gscale__mask bytes = (((gscale__mask)1 << v->size) - 1)
                             << v->address % GSCALE__LINE;
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);
  const unsigned part =
      (unsigned)(v->address % GSCALE__LINE) / (unsigned)r->o.merge;

  for (int i = 0; r->o.merge > ALONE && i < r->pieces; i++)
    if (r->piece[i].key == key && r->part[i] == part &&
        !(r->piece[i].bytes & bytes)) {
      r->piece[i].bytes |= bytes;
      return;
    }
  r->part[r->pieces] = part;
  r->piece[r->pieces++] = (gscale__piece){bytes, key};
}

/* The transaction for the key, a new one if there is none yet. */
static gscale__piece *piece_for(gscale_replay *r, uint64_t key)
{
  gscale__piece *const p = &r->piece[r->pieces];
  size_t i = gscale__place(key, GSCALE__SLOTS);

  for (; r->slot[i].serial == r->serial; i = (i + 1) % GSCALE__SLOTS)
    if (r->piece[r->slot[i].piece].key == key)
      return &r->piece[r->slot[i].piece];
  r->slot[i].serial = r->serial;
  r->slot[i].piece = (uint32_t)r->pieces++;
  *p = (gscale__piece){0, key};
  return p;
}

/* Lanes that store to the same line are one transaction; mostly that of the
 * lane before. */
static inline void add_bytes(gscale_replay *r, uint64_t key, gscale__mask bytes)
{
  gscale__piece *p = &r->piece[r->pieces - (r->pieces > 0)];

  if (r->pieces == 0 || p->key != key) p = piece_for(r, key);
  r->merged |= p->bytes != 0;
  p->bytes |= bytes;
}

static void add_lane(gscale_replay *r, const gscale_record *v)
{
  const gscale__mask bytes = ((gscale__mask)1 << v->size) - 1;
  const unsigned offset = (unsigned)v->address % GSCALE__LINE;
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);

  add_bytes(r, key, bytes << offset);
  if (offset + v->size > GSCALE__LINE)
    add_bytes(r, key + GSCALE__LINE, bytes >> (GSCALE__LINE - offset));
}

/* Lanes of the instruction that is being put together. */
static void add_lanes(gscale_replay *r, const gscale_record *v, int n)
{
  r->lanes += n;
  r->now->n.records += (uint64_t)n;
  for (int i = 0; i < n; i++) r->bytes += v[i].size;
  if (v->kind == GSCALE_OP_ATOMIC)
    for (int i = 0; i < n; i++) add_atomic(r, &v[i]);
  else
    for (int i = 0; i < n; i++) add_lane(r, &v[i]);
}

/* ---- synchronisation ----------------------------------------------------- */

static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  if (r->machine->drain) r->machine->drain(r, gpu, why);
  if (why == GSCALE_FLUSH_PHASE || !r->machine->phases_only)
    gscale__lines_forget(&r->gpu[gpu].sent);
}

/* A GPU stays subscribed to what it touched. */
static void end_profiling(gscale_replay *r)
{
  for (size_t i = 0; i < r->pages.room; i++)
    if (r->pages.slot[i].touched && !r->pages.slot[i].collapsed)
      r->pages.slot[i].subscribers = r->pages.slot[i].touched;
  r->profiling = false;
  r->now = &r->tally[GSCALE_STAGE_STEADY];
}

static void synchronise(gscale_replay *r, const gscale_record *v)
{
  const bool phase = v->kind == GSCALE_OP_PHASE;

  for (int i = 0; phase && i < r->o.gpus; i++) drain(r, i, GSCALE_FLUSH_PHASE);
  if (!phase) drain(r, v->gpu, GSCALE_FLUSH_FENCE);
  r->gpu[v->gpu].clock++;
  r->now->n.phases += phase;
  if (r->profiling && r->now->n.phases == (uint64_t)r->o.profile)
    end_profiling(r);
}

/* ---- the border ---------------------------------------------------------- */

/* Sizes from 1 to 16, and 0 where there is nothing to store. */
static bool size_ok(const gscale_record *v)
{
  return v->kind >= GSCALE_OP_FENCE ? v->size == 0 : (unsigned)v->size - 1 < 16;
}

static inline bool record_ok(const gscale_record *v, int gpus)
{
  if (v->kind >= GSCALE_OP_END || !size_ok(v) || v->gpu >= gpus ||
      (v->dst >= gpus && v->dst != GSCALE_DST_ALL))
    return false;
  return v->kind >= GSCALE_OP_FENCE ||
         v->address % GSCALE__LINE + v->size <= GSCALE__LINE ||
         (v->kind != GSCALE_OP_ATOMIC &&
          v->address + v->size - 1 >= v->address);
}

const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size)
{
  const unsigned long long address = v->address;

  if (record_ok(v, gpus)) return NULL;
  if (v->kind >= GSCALE_OP_END)
    gscale__print(text, size, "kind: %d is none", v->kind);
  else if (v->gpu >= gpus)
    gscale__print(text, size, "gpu: %d is not 0 .. %d", v->gpu, gpus - 1);
  else if (v->dst >= gpus && v->dst != GSCALE_DST_ALL)
    gscale__print(text, size, "dst: %d is not 0 .. %d, nor all", v->dst,
                  gpus - 1);
  else if (v->kind >= GSCALE_OP_FENCE)
    gscale__print(text, size, "size: %d, but a %s has none", v->size,
                  operations[v->kind]);
  else if (!size_ok(v))
    gscale__print(text, size, "size: %d is not 1 .. 16", v->size);
  else if (v->address + v->size - 1 < v->address)
    gscale__print(text, size, "address: %d B at 0x%llx end beyond 2^64",
                  v->size, address);
  else
    gscale__print(text, size,
                  "address: an atomic of %d B at 0x%llx crosses a line of "
                  "128 B",
                  v->size, address);
  return text;
}

/* In one comparison: that only the GPU is another is hard to predict. */
static bool same_instruction(const gscale_record *a, const gscale_record *b)
{
  return ((a->group ^ b->group) | (uint32_t)(a->gpu ^ b->gpu) |
          (uint32_t)(a->kind ^ b->kind)) == 0;
}

/* How many records from v on are lanes of the instruction that v begins or
 * continues. */
static int count_lanes(const gscale_replay *r, const gscale_record *v, size_t n)
{
  const int room = GSCALE__LANES - r->lanes;
  const int most = n < (size_t)room ? (int)n : room;
  int i = 1;

  while (i < most && same_instruction(&v[i], v)) i++;
  return i;
}

/* Takes the next records, one instruction's at most; returns how many. */
static int take(gscale_replay *r, const gscale_record *v, size_t n)
{
  int lanes;

  if (r->lanes == 0 || r->lanes == GSCALE__LANES ||
      !same_instruction(v, &r->first)) {
    issue(r);
    begin(r, v);
  }
  if (v->kind >= GSCALE_OP_FENCE) {
    r->now->n.records++;
    synchronise(r, v);
    return 1;
  }
  lanes = count_lanes(r, v, n);
  add_lanes(r, v, lanes);
  return lanes;
}

static gscale_status usable(const gscale_replay *r, gscale_diag *diag)
{
  if (r->finished)
    return gscale__fail(diag, GSCALE_EDOMAIN, "the replay is finished");
  if (r->status != GSCALE_OK)
    return gscale__fail(diag, r->status, "no memory for the replay");
  return GSCALE_OK;
}

static gscale_status refuse(const gscale_replay *r, const gscale_record *v,
                            gscale_diag *diag)
{
  const uint64_t record = r->tally[GSCALE_STAGE_PROFILING].n.records +
                          r->tally[GSCALE_STAGE_STEADY].n.records + 1;
  char text[128];

  return gscale__fail(diag, GSCALE_EDATA, "record %llu: %s",
                      (unsigned long long)record,
                      gscale__record_wrong(v, r->o.gpus, text, sizeof text));
}

/* Records up to the first that is not as it should be. */
static size_t count_good(const gscale_replay *r, const gscale_record *v,
                         size_t n)
{
  size_t i = 0;
  while (i < n && record_ok(&v[i], r->o.gpus)) i++;
  return i;
}

void gscale__expect(const gscale_replay *r, int gpu, uint64_t key)
{
  gscale__lines_prefetch(&r->gpu[gpu].sent, key);
}

/* Fetches what will be noted of the lines, all at once: one after the other
 * they would be waited for. */
static void look_ahead(const gscale_replay *r, const gscale_record *v, size_t n)
{
  uint64_t last = 0;

  for (size_t i = 0; i < n; i++) {
    const uint64_t key = gscale__key(v[i].address / GSCALE__LINE, v[i].dst);
    if (key != last && v[i].kind == GSCALE_OP_STORE)
      r->machine->expect(r, v[i].gpu, key);
    last = key;
  }
}

gscale_status gscale_replay_push(gscale_replay *r, const gscale_record *records,
                                 size_t n, gscale_diag *diag)
{
  const gscale_status st = usable(r, diag);

  if (st != GSCALE_OK) return st;
  for (size_t done = 0, good; done < n; done += good) {
    const size_t block = n - done < AHEAD ? n - done : AHEAD;
    good = count_good(r, records + done, block);
    look_ahead(r, records + done, good);
    for (size_t i = 0; i < good;)
      i += (size_t)take(r, records + done + i, good - i);
    if (good < block) return refuse(r, &records[done + good], diag);
  }
  return usable(r, diag);
}

/* ---- the end ------------------------------------------------------------- */

gscale_status gscale_replay_finish(gscale_replay *r, gscale_replay_result *out,
                                   gscale_diag *diag)
{
  gscale_status st = usable(r, diag);

  if (st != GSCALE_OK) return st;
  issue(r);
  for (int i = 0; i < r->o.gpus; i++) drain(r, i, GSCALE_FLUSH_PHASE);
  st = usable(r, diag);
  if (st != GSCALE_OK) return st;
  r->finished = true;

  *out = (gscale_replay_result){.collapsed = r->collapsed};
  for (int s = 0; s < GSCALE_STAGE_END; s++) out->stage[s] = r->tally[s].n;
  for (size_t i = 0; i < r->pages.room; i++) {
    const uint64_t who = r->pages.slot[i].subscribers;
    if (who) out->pages[gscale__gpus_in(who)]++;
  }
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
