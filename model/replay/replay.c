/* replay.c - options of a replay, its public functions, and synchronisation.
 *
 * The machines are those of [Gps21] and [Diss22]. gscale_replay_new() describes
 * the machines. */

#include "replay/replay.h"

#include <math.h>
#include <stdlib.h>

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
                               .merge = GSCALE__ALONE};
}

static gscale_status out_of_range(const char *name, double value, double least,
                                  double most, gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %g is not %g .. %g", name,
                      value, least, most);
}

/* Checks integers against their ranges. */
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

  for (size_t i = 0; i < LENGTH(row); i++)
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
  if (o->merge < GSCALE__ALONE || o->merge > GSCALE__LINE ||
      (o->merge & (o->merge - 1)) != 0)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "merge: %d B is not a power of two, 4 B .. 128 B",
                        o->merge);
  return GSCALE_OK;
}

/* ---- lifetime ------------------------------------------------------------ */

static bool prepare(gscale_replay *r)
{
  bool ok = gscale__pages_init(&r->pages);

  r->gpu = calloc((size_t)r->o.gpus, sizeof *r->gpu);
  ok = ok && r->gpu;
  for (int i = 0; ok && i < r->o.gpus; i++)
    ok = !r->machine->prepare || r->machine->prepare(r, &r->gpu[i]);
  for (int s = 0;
       ok && r->o.queue == GSCALE_QUEUE_FINEPACK && s < GSCALE_STAGE_END; s++) {
    r->tally[s].packed =
        calloc((size_t)r->o.payload + 1, sizeof *r->tally[s].packed);
    ok = r->tally[s].packed;
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
  r->entries = o->capacity / o->windows;
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
    gscale__lines_free(&r->gpu[i].regions);
    if (r->machine->release) r->machine->release(r, &r->gpu[i]);
  }
  free(r->gpu);
  gscale__pages_free(&r->pages);
  for (int s = 0; s < GSCALE_STAGE_END; s++) free(r->tally[s].packed);
  free(r);
}

/* ---- synchronisation ----------------------------------------------------- */

static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  if (r->machine->drain) r->machine->drain(r, gpu, why);
  if (why != GSCALE_FLUSH_PHASE && r->machine->phases_only) return;
  gscale__lines_forget(&r->gpu[gpu].sent);
}

/* Ends profiling.  Each GPU stays subscribed to the pages that it touched. */
static void end_profiling(gscale_replay *r)
{
  for (size_t i = 0; i < r->pages.room; i++)
    if (r->pages.slot[i].touched && !r->pages.slot[i].collapsed)
      r->pages.slot[i].subscribers = r->pages.slot[i].touched;
  r->profiling = false;
  r->now = &r->tally[GSCALE_STAGE_STEADY];
}

void gscale__synchronise(gscale_replay *r, const gscale_record *v)
{
  const bool phase = v->kind == GSCALE_OP_PHASE;

  for (int i = 0; phase && i < r->o.gpus; i++) drain(r, i, GSCALE_FLUSH_PHASE);
  if (!phase) drain(r, v->gpu, GSCALE_FLUSH_FENCE);
  r->gpu[v->gpu].clock++;
  r->now->n.phases += phase;
  if (r->profiling && r->now->n.phases == (uint64_t)r->o.profile)
    end_profiling(r);
}

/* ---- records ------------------------------------------------------------- */

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

gscale_status gscale_replay_push(gscale_replay *r, const gscale_record *records,
                                 size_t n, gscale_diag *diag)
{
  const gscale_status st = usable(r, diag);

  if (st != GSCALE_OK) return st;
  const size_t good = gscale__coalesce(r, records, n);
  if (good < n) return refuse(r, &records[good], diag);
  return usable(r, diag);
}

/* ---- results ------------------------------------------------------------- */

gscale_status gscale_replay_finish(gscale_replay *r, gscale_replay_result *out,
                                   gscale_diag *diag)
{
  gscale_status st = usable(r, diag);

  if (st != GSCALE_OK) return st;
  gscale__issue(r);
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
