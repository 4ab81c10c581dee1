/* queues.c - hardware that gathers stores before they leave the GPU: gps,
 * finepack, finepack-config, gps-finepack.
 *
 *  device = compute with a pipe that moves each block's stores as they are
 *           made (gscale_flow_time) + latency of a store,
 *
 * as in inline, but with other bytes on the wire.
 *
 * gps: a write queue gathers the stores to a line of 128 B until the line is
 * the oldest of gps.entries - 1.  The whole line then goes to every subscriber
 * of its page (gps.page).  All GPUs subscribe to a page during one profiling
 * step, and after this step only those that touched the page.  A program may
 * also name subscribers from the first step (gps.manual).
 *
 * finepack: stores to one GPU within a window become runs with a sub-header
 * each, in one packet of up to finepack.payload.  finepack-config: each run
 * is a separate packet, which is 10 B longer.
 *
 * gps-finepack: finepack packs the written bytes that leave the queue of gps.
 *
 * Stores come in order (phase.spread = 0) or uniformly over `spread`.  Lines of
 * ordered stores fill up.  A repeated store finds its line if few other stores
 * came between (phase.reuse; phase.near: nearly none), and lines that are
 * rewritten together go to one GPU.  Some uniform stores are adjacent to
 * earlier ones (phase.joins), and finepack joins such stores to one run.
 *
 * Atomics are not gathered and are sent one by one, as in inline.
 *
 * A line whose page has no cached translation (gps.tlb) delays the lines behind
 * it by gps.walk, and gps.walks translations proceed at once.  The kernel
 * stalls if stores come faster than lines leave (flow.c).  The last entries - 2
 * lines leave after the kernel has ended.
 *
 * The model omits bursts that the queue absorbs, and stores that a load's hit
 * flushes singly.  While GPS profiles, the model omits that traffic to all GPUs
 * takes other routes than a halo.
 *
 * Source: [Gps21] 5; [Diss22] chapters IV and V.  The exact replay and the
 * error of this model are in model/replay/README.md. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"

#include <math.h>

static const double LINE = 128.0;  /* B */
static const double CONFIG = 10.0; /* additional B of a run that is a packet */

static gscale_stream stream_of(const gscale_plan *p,
                               const gscale__phase_plan *f)
{
  return (gscale_stream){.stores = f->local * f->arriving / f->store_size,
                         .size = f->store_size,
                         .bytes = f->local,
                         .region = f->spread / p->n,
                         .joins = f->joins,
                         .reuse = f->reuse > 0.0 ? fmin(f->reuse, f->local)
                                                 : f->local,
                         .stride = f->stride};
}

/* Returns the number of GPUs to which the busiest GPU sends. */
static double receivers(const gscale_plan *p, const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_NEIGHBOURS ? f->local / f->piece : p->near - 1.0;
}

/* Returns true if a store has several destinations. */
static bool one_for_all(const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_ALL || f->to == GSCALE_TO_SUBSCRIBERS;
}

/* ---- gps ---------------------------------------------------------------- */

/* Returns the stream of lines that leave the write queue. */
static gscale_stream merged(const gscale_plan *p, const gscale__phase_plan *f,
                            gscale_stream s)
{
  return gscale_gps_lines(&s, one_for_all(f) ? 1.0 : receivers(p, f),
                          gscale__ask(p, GSCALE_GPS_ENTRIES));
}

/* Returns copies sent / copies needed.  A page goes to all GPUs that touch any
 * of its blocks.  A neighbour gets whole pages of contiguous data, with all
 * other data that is stored in the pages.  A part of a line counts as a line
 * only if nothing else is in the line.  Lines of scattered stores count
 * wherever they lie, and blocks share the pages of the whole scatter. */
static double subscribed(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double page = gscale__ask(p, GSCALE_GPS_PAGE);
  const double apart = f->spread > 0.0 ? f->spread / p->n / f->local : 1.0;
  const double blocks = gscale__max(1.0, page / (f->block * fmin(1.0, apart)));

  if (f->to == GSCALE_TO_NEIGHBOURS && f->spread > 0.0) return 1.0;
  if (f->to == GSCALE_TO_NEIGHBOURS)
    return gscale__in_pages(f->piece, page) * fmin(1.0, f->local / LINE);
  return gscale_subscribed(f->share * f->read, blocks) / f->share;
}

/* Returns the time in s of address translation for each drained line, with
 * several page walks at once. */
static double translation(const gscale_plan *p, const gscale__phase_plan *f)
{
  const gscale_stream all = stream_of(p, f);
  const double regions = one_for_all(f) ? 1.0 : receivers(p, f);

  return gscale_gps_misses(&all, regions, gscale__ask(p, GSCALE_GPS_PAGE),
                           gscale__ask(p, GSCALE_GPS_TLB)) *
         gscale__ask(p, GSCALE_GPS_WALK) / gscale__ask(p, GSCALE_GPS_WALKS);
}

static void send(const gscale_plan *p, const gscale__phase_plan *f,
                 double copies, gscale__stage *out)
{
  const gscale__gathered *s = &out->gathered;
  const double each = s->packets / f->local; /* per byte produced */
  const double stored = each * fmin(s->written, s->bytes);
  const double payload = f->all * copies * each * s->bytes;
  const double needed = f->all * fmin(1.0, copies);

  out->flow.wire = f->out * copies * each * s->wire * f->store_route /
                   gscale__rate(p, GSCALE_STORE);
  out->flow.issue = copies * each *
                    gscale__max(f->out / gscale__ask(p, GSCALE_STORE_RATE),
                                f->in * gscale__ingress(p, f));
  out->moved.useful = fmin(f->all * f->read, needed * fmin(1.0, stored));
  out->moved.redundant = needed * gscale__max(0.0, stored - 1.0);
  out->moved.unused =
      gscale__max(0.0, payload - out->moved.useful - out->moved.redundant);
  out->moved.protocol = f->all * copies * each * s->wire - payload;
}

static void begin(const gscale_plan *p, const gscale__phase_plan *f,
                  gscale__stage *out)
{
  out->flow.ready = &f->stored;
  out->flow.slowdown = f->out * gscale__ask(p, GSCALE_STORE_INTERFERENCE);
  out->flow.latency = gscale__ask(p, GSCALE_STORE_LATENCY);
  out->flow.bytes = f->local;
  out->flow.chunk = fmin(f->block, f->local);
}

/* While GPS profiles, all other GPUs subscribe to all shared pages. */
static double promiscuous(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->to == GSCALE_TO_SUBSCRIBERS) return 1.0 / f->share;
  return gscale__max(1.0, (p->n - 1.0) / f->destinations);
}

static void gather_lines(const gscale_plan *p, const gscale__phase_plan *f,
                         gscale__gathered *out)
{
  if (!(f->out > 0.0)) return;

  const gscale_stream all = stream_of(p, f);
  const gscale_stream s = f->atomic ? all : merged(p, f, all);

  /* The last lines hold the part `kept` of the kernel's data.  A halo holds
   * back its share of whole pages; otherwise all GPUs wait for the GPU whose
   * last lines have most destinations. */
  const double last =
      gscale__max(0.0, gscale__ask(p, GSCALE_GPS_ENTRIES) - 2.0);
  const double copies = subscribed(p, f);
  const double most = f->to == GSCALE_TO_NEIGHBOURS ? 1.0 : 1.0 / f->share;

  *out = (gscale__gathered){
      .packets = s.stores,
      .wire = f->atomic
                  ? s.size * f->ratio
                  : gscale_wire_bytes(&p->link, GSCALE_STORE, LINE, false),
      .bytes = f->atomic ? s.size : LINE,
      .written = s.size,
      .kept = f->atomic ? 0.0 : last / s.stores * most / copies * f->local,
      .issue = s.stores * translation(p, f),
      .copies = copies,
      .first = promiscuous(p, f)};
}

/* Sends every line `copies` times per needed copy. */
static void send_lines(const gscale_plan *p, const gscale__phase_plan *f,
                       double copies, gscale__stage *out)
{
  begin(p, f, out);
  if (f->to == GSCALE_TO_NEIGHBOURS && !(f->blocks > 0.0))
    out->flow.chunk /= /* the rest of the page leaves earlier */
        gscale__in_pages(f->piece, gscale__ask(p, GSCALE_GPS_PAGE));
  out->flow.chunk =
      fmin(gscale__max(out->flow.chunk, out->gathered.kept), f->local);
  send(p, f, copies, out);
  out->flow.issue += out->gathered.issue;
}

static void prepare_gps(const gscale_plan *p, const gscale__phase_plan *f,
                        const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (f->out > 0.0) send_lines(p, f, out->gathered.copies, out);
}

static void prepare_profiling(const gscale_plan *p, const gscale__phase_plan *f,
                              const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (f->out > 0.0) send_lines(p, f, out->gathered.first, out);
}

static double setup_gps(const gscale_plan *p, double more)
{
  return (1.0 - gscale__ask(p, GSCALE_GPS_MANUAL)) * more;
}

/* ---- finepack ----------------------------------------------------------- */

/* Returns the wire bytes of one packet or (`config`) of its runs as packets. */
static double wire_of(const gscale_plan *p, gscale_packets c, bool config)
{
  gscale_link l = p->link;
  const double payload =
      c.runs * (gscale__ask(p, GSCALE_FINEPACK_SUBHEADER) + c.run);

  l.store_payload = gscale__ask(p, GSCALE_FINEPACK_PAYLOAD);
  return gscale_wire_bytes(&l, GSCALE_STORE, payload, false) +
         (config ? CONFIG * c.runs : 0.0);
}

static void pack_stream(const gscale_plan *p, const gscale__phase_plan *f,
                        gscale_stream s, bool config, gscale__gathered *out)
{
  const gscale_packer packer = {gscale__ask(p, GSCALE_FINEPACK_ENTRIES),
                                gscale__ask(p, GSCALE_FINEPACK_PAYLOAD),
                                gscale__ask(p, GSCALE_FINEPACK_SUBHEADER)};
  s.reuse = fmin(s.reuse, f->local / (one_for_all(f) ? 1.0 : receivers(p, f)));
  const gscale_packets c = gscale_finepack_packets(&s, &packer);

  *out = (gscale__gathered){.packets = c.packets,
                            .wire = wire_of(p, c, config),
                            .bytes = c.runs * c.run,
                            .written = c.runs * c.run,
                            .copies = 1.0};
}

/* Returns true if there are stores to gather. */
static bool gathers(const gscale__phase_plan *f)
{
  return !f->atomic && f->out > 0.0;
}

static void gather_finepack(const gscale_plan *p, const gscale__phase_plan *f,
                            gscale__gathered *out)
{
  if (gathers(f)) pack_stream(p, f, stream_of(p, f), false, out);
}

static void gather_config(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__gathered *out)
{
  if (gathers(f)) pack_stream(p, f, stream_of(p, f), true, out);
}

static void gather_both(const gscale_plan *p, const gscale__phase_plan *f,
                        gscale__gathered *out)
{
  if (gathers(f)) pack_stream(p, f, merged(p, f, stream_of(p, f)), false, out);
}

static void prepare_packets(const gscale_plan *p, const gscale__phase_plan *f,
                            const gscale_knobs *k, gscale__stage *out)
{
  if (f->atomic) {
    gscale__inline.prepare(p, f, k, out);
    return;
  }
  gscale__compute_only(p, f, out);
  if (!gathers(f)) return;
  begin(p, f, out);
  send(p, f, out->gathered.copies, out);
}

#define QUEUE(name_, summary_, plain_, gather_)                                \
  {                                                                            \
    .about = {name_,                                                           \
              summary_,                                                        \
              .proposed = true,                                                \
              .needs = {.peer = GSCALE_PEER_STORES},                           \
              .updates = true,                                                 \
              .plain = plain_},                                                \
    .stores = true, .gather = gather_, .prepare = prepare_packets              \
  }

const gscale__paradigm gscale__gps = {
    .about = {"gps", "stores combined by line, sent to a page's subscribers",
              .proposed = true, .needs = {.peer = GSCALE_PEER_STORES},
              .updates = true, .plain = 13},
    .stores = true,
    .gather = gather_lines,
    .prepare = prepare_gps,
    .first = prepare_profiling,
    .setup = setup_gps,
};
const gscale__paradigm gscale__finepack =
    QUEUE("finepack", "stores to one GPU packed into one packet", 14,
          gather_finepack);
const gscale__paradigm gscale__finepack_config =
    QUEUE("finepack-config", "finepack with common fields in a separate packet",
          15, gather_config);
const gscale__paradigm gscale__gps_finepack = QUEUE(
    "gps-finepack", "stores combined by line, then packed", 16, gather_both);

/* SPDX-License-Identifier: GPL-3.0-or-later */
