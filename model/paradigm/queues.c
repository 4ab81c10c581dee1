/* queues.c - hardware that gathers stores before they leave the GPU: gps,
 * finepack, finepack-config, gps-finepack.
 *
 *   device = compute beside a pipe that moves each block's stores as they are
 *            made (gscale_flow_time), + latency of a store,
 *            as inline, with other bytes on the wire
 *
 * gps: a write queue gathers the stores to a line of 128 B until the line is
 * the one added first of gps.entries - 1; then the whole line goes to everyone
 * who subscribes to its page (gps.page).  After one profiling step, in which
 * all do, a page has the subscribers that touched it; or the program has said
 * from the first step who they are (gps.manual).
 *
 * finepack: stores to one GPU that fall into one window become runs with a
 * sub-header each, in one packet of up to finepack.payload.  finepack-config:
 * each run stays a packet, 10 B longer.
 *
 * gps-finepack: what leaves the queue of gps, its written bytes only, is packed
 * by finepack.
 *
 * Stores come in order (phase.spread = 0): lines fill up, and what is stored to
 * again finds its line if few others came between (phase.reuse); lines that are
 * rewritten together go to one GPU.  Or stores are uniform over `spread`, and
 * some lie next to earlier ones (phase.joins), of which finepack makes one run.
 *
 * Atomics are gathered by neither: they go one by one, as with inline.
 *
 * A line of a page whose translation is not at hand (gps.tlb) holds up those
 * behind it for gps.walk, gps.walks of them at once; where stores come faster
 * than lines leave, the kernel is held up (flow.c).  The last entries - 2 lines
 * leave when the kernel has ended.
 *
 * Omits: bursts that the queue takes up; stores flushed singly on a load's hit;
 * that what goes to all while GPS profiles has other ways than a halo.
 * Source: [Gps21] 5; [Diss22] chapters IV and V; replay/ is exact, and the
 * tables of model/replay/README.md say how far this is from it. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"

#include <math.h>

static const double LINE = 128.0;  /* B */
static const double CONFIG = 10.0; /* B more for a run that is a packet */

static gscale_stream stream_of(const gscale_plan *p,
                               const gscale__phase_plan *f)
{
  return (gscale_stream){.stores = f->local * f->rewrites / f->store_size,
                         .size = f->store_size,
                         .bytes = f->local,
                         .region = f->spread / p->n,
                         .joins = f->joins,
                         .reuse = f->reuse > 0.0 ? fmin(f->reuse, f->local)
                                                 : f->local,
                         .stride = f->stride};
}

/* GPUs to which the busiest one sends. */
static double receivers(const gscale_plan *p, const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_NEIGHBOURS ? f->local / f->piece : p->near - 1.0;
}

/* A store has several destinations, not each its own. */
static bool one_for_all(const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_ALL || f->to == GSCALE_TO_SUBSCRIBERS;
}

/* ---- gps ---------------------------------------------------------------- */

/* What leaves the write queue. */
static gscale_stream merged(const gscale_plan *p, const gscale__phase_plan *f,
                            gscale_stream s)
{
  return gscale_gps_lines(&s, one_for_all(f) ? 1.0 : receivers(p, f),
                          gscale__ask(p, GSCALE_GPS_ENTRIES));
}

/* Copies sent / copies needed: a page goes to all who touch any of its blocks.
 * Of what lies together for a neighbour, that is all of its pages: what else is
 * in them, of the GPU's part, is stored and goes along, and in their lines:
 * less than a line is one only where nothing else is in it.  Where stores
 * scatter their lines are counted wherever they lie, and blocks share pages of
 * all that they scatter over. */
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

/* Time for translation that each line takes from the one that drains the queue,
 * s: lines of other pages, looked for several at once. */
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
  const double each = s->packets / f->local; /* per byte it produces */
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

/* While it profiles, all others subscribe to all pages that are shared. */
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

  /* Of what the kernel makes, that which the last lines hold: of a halo, their
   * share of whole pages; else all wait for the GPU whose last ones go to most.
   */
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

/* `copies` of every line, per copy needed. */
static void send_lines(const gscale_plan *p, const gscale__phase_plan *f,
                       double copies, gscale__stage *out)
{
  begin(p, f, out);
  if (f->to == GSCALE_TO_NEIGHBOURS && !(f->blocks > 0.0))
    out->flow.chunk /= /* the rest of a page leaves before */
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

/* B on the wire of one packet; of its runs, each a packet, with `config`. */
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

/* False if there is nothing to gather. */
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
              true,                                                            \
              {false},                                                         \
              {.peer = GSCALE_PEER_STORES},                                    \
              true,                                                            \
              false,                                                           \
              .plain = plain_},                                                \
    .stores = true, .gather = gather_, .prepare = prepare_packets              \
  }

const gscale__paradigm gscale__gps = {
    .about = {"gps",
              "stores gathered by line, sent to a page's subscribers",
              true,
              {false},
              {.peer = GSCALE_PEER_STORES},
              true,
              false,
              .plain = 13},
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
    QUEUE("finepack-config", "the same by short packets and a common one", 15,
          gather_config);
const gscale__paradigm gscale__gps_finepack = QUEUE(
    "gps-finepack", "stores gathered by line, then packed", 16, gather_both);

/* SPDX-License-Identifier: GPL-3.0-or-later */
