/* phase.c - compute and published data of a phase on n GPUs. */

#include "price/phase.h"
#include "ground/ground.h"

#include "price/blocks.h"
#include "price/collectives.h"
#include "price/stage.h"

#include <math.h>
#include <string.h>

/* ---- compute ------------------------------------------------------------ */

double gscale__footprint(const gscale_phase *w, int n)
{
  return w->footprint * gscale_share(w->units, n, w->serial);
}

/* Returns the busiest GPU's share of the work, from whole units and from the
 * imbalance that the workload states. */
static double busiest_share(const gscale_phase *w, int n)
{
  const double share = gscale_share(w->units, n, w->serial);

  return n == 1 ? share : fmin(1.0, share * w->compute_max);
}

static double membw_of(const gscale__source *s, const gscale_phase *w, int n)
{
  return gscale__read(s, GSCALE_DEVICE_MEMBW) *
         gscale__read_curve(s, gscale__footprint(w, n));
}

enum {
  SECTOR = 32 /* bytes of the smallest load */
};

/* Returns true if the size of the last cache tells how many gathers miss it,
 * because no curve of bandwidth over footprints is known. */
static bool cache_tells(const gscale__source *s)
{
  return gscale__read(s, GSCALE_DEVICE_L2) > 0.0 &&
         gscale__read_curve_all(s)->n == 0;
}

/* Returns the time in s of gathers on one GPU from an array that every GPU
 * holds whole: at the rate of the array, or of those that miss the last
 * cache. */
static double gather_time(const gscale__source *s, const gscale_gathered *g,
                          double share)
{
  if (!(g->bytes > 0.0)) return 0.0;

  const double rate = gscale__read(s, GSCALE_DEVICE_MEMBW) *
                      gscale_curve_from(gscale__read_curve_all(s), g->array);
  const double loads = gscale_l1_missed(
      g->bytes * share / SECTOR, fmax(1.0, g->array / SECTOR), SECTOR,
      gscale__read(s, GSCALE_DEVICE_SMS), gscale__read(s, GSCALE_DEVICE_L1));
  const double missed =
      cache_tells(s) ? 1.0 - gscale__read(s, GSCALE_DEVICE_L2) / g->array : 1.0;

  return SECTOR * loads * fmax(0.0, missed) / rate;
}

double gscale__flops(const gscale__source *s, const gscale_phase *w)
{
  return gscale__read(s, gscale_precision_rate(w->precision));
}

void gscale__fill_roofline(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__phase_plan *f)
{
  const double share = busiest_share(w, n);

  f->filling = gscale__filling(s, w, share);
  f->flop_leg =
      w->flop > 0.0 ? w->flop * share * f->filling / gscale__flops(s, w) : 0.0;
  f->streamed = w->bytes * share / membw_of(s, w, n);
  f->memory_leg = f->streamed + gather_time(s, &w->gathered, share);
  if (cache_tells(s)) f->streamed = f->memory_leg;
  f->start = w->fixed + w->kernels * gscale__read(s, GSCALE_DEVICE_START) +
             gscale__path_time(s, w, gscale__footprint(w, n));
  f->kernels = w->kernels;
  memcpy(f->beside, w->beside, sizeof f->beside);
  f->count = w->blocks * share;
  f->residents = w->residents;
  f->calls = w->calls;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
}

/* Fills the time of the kernels that pack data into whole pieces. */
static void fill_packing(const gscale__source *s, const gscale_phase *w, int n,
                         gscale__phase_plan *f)
{
  const gscale_packing *p = &w->pack;
  const double share = busiest_share(w, n);
  const double rate = p->flop > 0.0 ? gscale__flops(s, w)
                                    : gscale__read(s, GSCALE_DEVICE_FLOPS);

  f->pack_launches = p->kernels;
  f->pack = gscale_kernel_time(
      p->flop * share, rate, p->bytes * share, membw_of(s, w, n),
      p->kernels * gscale__read(s, GSCALE_DEVICE_START));
}

/* A kernel that takes `factor` times its roofline also has a second limit
 * (latency, instructions), which does not shrink when a smaller share fits in a
 * cache.  Where the roofline falls by `gain` more than the share, the time of a
 * kernel above its roofline falls by max(1, gain / factor) more than the share.
 * A kernel at the roofline has the full gain, and a kernel whose factor exceeds
 * the cache's gain has none.  The interpolation between these two cases is our
 * assumption, which agrees with the runs in data/. */
double gscale__other_limit(const gscale__source *s, const gscale_phase *w,
                           int n, const gscale__phase_plan *f, double factor)
{
  gscale__phase_plan one = {0};

  /* Measured shares already include the gains of caches. */
  if (!(factor > 1.0) || gscale__shares_of(s, NULL) > 0) return 0.0;
  gscale__fill_roofline(s, w, 1, &one);
  const double roof = fmax(f->flop_leg, f->memory_leg);
  const double share = busiest_share(w, n) * f->filling / one.filling *
                       fmax(one.flop_leg, one.memory_leg);
  return factor * fmin(share, factor * roof);
}

static double share_of(double leg, double all)
{
  return all > 0.0 ? fmin(1.0, leg / all) : 0.0;
}

/* Memory is busy for the time of its roofline, however long the kernel takes.
 * Gathered data is assumed to come from the cache unless its size tells what
 * misses it, and readers of gathered data wait.  Memory or arithmetic is busy
 * for the rest of the roofline's time. */
void gscale__scale_work(gscale__phase_plan *f, double factor, double other)
{
  const double gathered = f->memory_leg - f->streamed;
  const double filled = fmax(f->flop_leg, f->memory_leg) - gathered;

  f->flop_leg = fmax(other, f->flop_leg * factor);
  f->memory_leg *= factor;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
  f->busy = share_of(f->streamed, f->compute);
  f->filled = share_of(filled, f->compute);
}

/* ---- published data ------------------------------------------------------ */

/* GPUs that all send to one GPU at a time contend at that GPU's port, unless
 * each pair has its own link or a bus is the only limit. */
static gscale_turns order_on(const gscale_fabric *f, gscale_turns order)
{
  const bool meet = f->kind != GSCALE_MESH && f->kind != GSCALE_BUS;

  return meet ? order : GSCALE_TURNS_ROTATED;
}

/* Cuts longer runs of stores into equal pieces of at most `most` bytes. */
static gscale_stores within(const gscale_stores *s, double most)
{
  gscale_stores cut = *s;
  double n = 0.0;

  for (size_t i = 0; i < s->n; i++) {
    const double pieces = ceil(s->size[i] / most);
    cut.size[i] /= pieces;
    cut.share[i] *= pieces;
    n += cut.share[i];
  }
  for (size_t i = 0; i < s->n; i++) cut.share[i] /= n;
  return cut;
}

/* Fills the stores that leave the SMs.  Lanes of an atomic travel together
 * within a word, a sector or a line.  Whole sectors are as fast as whole
 * lines. */
static void fill_stores(const gscale__source *s, const gscale_phase *w,
                        gscale__phase_plan *f)
{
  const gscale_link *link = gscale__link_of(s);
  const double sector = 32.0, line = gscale__read(s, GSCALE_STORE_LINE);
  const double escapes = w->atomic ? fmin(sector, line) : line;
  const gscale_stores stores =
      w->atomic ? within(&w->stores, gscale__read(s, GSCALE_ATOMIC_MERGE))
                : w->stores;

  f->ratio = gscale_stores_ratio(&stores, link);
  f->packets = gscale_stores_packets(&stores, link, escapes);
  f->wide = gscale_stores_wide(&stores, link, escapes);
  f->store_size = gscale_stores_mean(&stores);
}

/* Fills the wire bytes of copies, loads and packed pieces. */
static void fill_wires(const gscale_link *l, gscale__phase_plan *f)
{
  const double packed = fmin(l->store_payload, f->piece);

  f->copy_wire = gscale_wire_bytes(l, GSCALE_COPY, f->copy, false);
  f->fetch_wire = gscale_wire_bytes(l, GSCALE_STORE, f->fetch, false) +
                  l->header * l->frame;
  if (!(f->piece > 0.0)) return;
  f->packed = gscale_wire_bytes(l, GSCALE_STORE, packed, false) / packed;
  f->pages = gscale__in_pages(f->piece, GSCALE__PAGE);
}

void gscale__fill_publish(const gscale__source *s, const gscale_phase *w, int n,
                          gscale__phase_plan *f)
{
  const gscale__machine of = gscale__machine_of(s);

  f->to = w->reduce > 0.0 ? GSCALE_TO_ALL : w->to;
  f->order = order_on(gscale__read_fabric(s), w->order);
  f->agent_block = w->agent_block;
  f->agent_loads = w->agent_loads;
  f->agent_blocks = w->agent_blocks;
  f->agent_of = w->agent_of;
  fill_stores(s, w, f);
  f->touched = fmax(gscale__footprint(w, n), w->publish);
  f->rewrites = w->rewrites;
  f->read = w->read;
  f->spread = w->spread;
  f->reuse = w->reuse;
  f->arriving = fmax(1.0, w->rewrites / w->near);
  f->stride = w->stride;
  f->joins = w->joins;
  f->fetch = w->fetch;
  f->loads = w->loads;
  f->prefetch = w->prefetch;
  f->atomic = w->atomic;
  f->peer = of.can->peer;
  f->coll.kind = GSCALE_COLL_KIND_END;
  gscale__count_traffic(w, n, f);
  if (f->out > 0.0) gscale__coll_fill(w, n, f);
  if (of.network->nodes > 0) gscale__split_traffic(w, n, of.gpus, f);
  fill_wires(of.link, f);
  gscale__fill_blocks(s, w, gscale__footprint(w, n), gscale__leaving(w, n),
                      busiest_share(w, n), f);
  if (!gscale__sends(f)) return;

  if (w->reduce > 0.0) f->adding = (n - 1.0) * w->reduce / membw_of(s, w, n);
  fill_packing(s, w, n, f);

  gscale__phase_plan one = {0};
  gscale__fill_roofline(s, w, 1, &one);
  f->bounded = gscale__face(w) > 0.0;
  f->boundary = f->cuts * gscale__face(w) * (one.compute - one.start);
}

/* ---- norm ---------------------------------------------------------------- */

double gscale__norm_kernel(const gscale__source *s, const gscale_host *h, int n)
{
  const size_t phases = gscale__machine_of(s).phases;
  gscale_phase room;
  const gscale_phase *last = gscale__read_phase_on(s, phases - 1, n, &room);

  if (!(h->norm.bytes + h->norm.flop > 0.0)) return 0.0;
  const double share = busiest_share(last, n);
  return gscale_kernel_time(h->norm.flop * share, gscale__flops(s, last),
                            h->norm.bytes * share,
                            gscale__read(s, GSCALE_DEVICE_MEMBW) *
                                gscale__read_curve(s, h->norm.bytes * share),
                            gscale__read(s, GSCALE_DEVICE_START));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
