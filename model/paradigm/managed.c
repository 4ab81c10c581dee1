/* managed.c - um and um-hints: the driver moves pages of one address space.
 *
 * um: the first access to a remote page faults and moves the page.  Pages move
 * to every GPU that reads them, and back to the owner when the owner writes
 * them again.  The driver of a node serves one fault at a time, and whole pages
 * of 64 KiB use the link like copies.
 *
 *  move = C(N) + fault_start + max( all GPUs' (pages in + back) / fault_rate,
 *                                   a GPU's over its link ).
 *
 * The driver moves a page at most once per thrash window, `lapse`, and other
 * GPUs map the page until then, as in um-hints.  A page moves twice per step,
 * there and back.  In steps below 2 * lapse, a page moves in a share
 * device / (2 * lapse) of the steps, and `stay` is the time of rdl.
 *
 *  device = move                                        if move >= 2 * lapse
 *         = stay + device / (2 * lapse) * (move - stay)  otherwise
 *         = stay / (1 - (move - stay) / (2 * lapse)).
 *
 * The share is 1 at 2 * lapse, and N * device does not fall with N.
 *
 * Without peer access, a page passes the host's memory while its fault is
 * served, and crosses two host links at the rate of staged copies:
 *
 *  move = C(N) + fault_start + staged.initiation
 *         + all GPUs' (pages in + back) * (1 / fault_rate + 1 / staged.rate).
 *
 * Pages that do not move stay in the host's memory then.  Their owner's stores
 * and their readers' loads cross the same links.  Hints change nothing, because
 * no GPU can map another GPU's memory.
 *
 * um-hints: pages prefer their owner, and other GPUs map the pages.  Loads by
 * other GPUs use the link as in rdl, without faults or moves.  A prefetch from
 * the host places the pages once, in prefetch_start + footprint of a GPU /
 * prefetch_rate.  In um, faults place the pages, with touch_start and
 * touch_rate.
 *
 * A step prefetches nothing by default, and pages that other GPUs only map stay
 * with their writer.  A program may prefetch (load.prefetch) pages that one
 * other GPU reads.  The reader prefetches a page before its kernel, and the
 * writer prefetches the page before it writes the page again.  Whole pages take
 * as long each way as on their busiest link.
 *
 *  device = C(N) + 2 * peer_start
 *         + pages (there + back) / min(peer_rate, rate of a copy).
 *
 * Pages with several readers stay mapped, because prefetches would move them to
 * the last reader.  With prefetches, pages of um with several readers stay
 * mapped, too.
 *
 * The model omits that the driver holds a page for longer than a lapse after
 * some ten moves, so that short steps are nearer to `stay`.  The model omits
 * concurrent service of faults of four or more GPUs, pages that several GPUs
 * want at once, readers in random order, and eviction.  The model also omits
 * the driver's own prefetching beyond the measured rate.  Nobody measured pages
 * without peer access here: the sum of both terms is an assumption.
 * Source: [Gps21] for what the programs do; ours for the costs. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"
#include "price/actions.h"

#include <math.h>

/* Returns true if the phase's pages pass the host's memory. */
static bool by_host(const gscale__phase_plan *f)
{
  return f->peer < GSCALE_PEER_STORES;
}

static const char *needs_faults(const gscale_plan *p,
                                const gscale__phase_plan *f)
{
  if (f->to != GSCALE_TO_NONE && !(gscale__ask(p, GSCALE_UM_FAULT_RATE) > 0.0))
    return "um.fault_rate of the system";
  const char *copies = by_host(f) ? gscale__copies_need(p, f) : NULL;
  return copies ? copies : gscale__rdl.needs(p, f);
}

/* Returns bytes of whole pages / bytes of the mean GPU's data.  With the
 * busiest GPU's data, one more unit for that GPU would reduce everyone's
 * pages. */
static double pages_of_all(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->to == GSCALE_TO_NEIGHBOURS) return f->pages;
  return gscale__in_pages(f->all / p->n / f->destinations, GSCALE__PAGE);
}

/* Returns the time in s of `bytes` B of pages on a route, while all GPUs of a
 * node move `all` times as many. */
static double crossing(const gscale_plan *p, double bytes, double route,
                       double all)
{
  const gscale__pace by =
      gscale__copies_pace(p, 1.0, p->paged, (gscale__concurrency){all, 1.0});

  return gscale__copy_time(&by, bytes, route);
}

/* Returns the same for `bytes` B of the busiest GPU while all GPUs move. */
static double crossing_at_once(const gscale_plan *p,
                               const gscale__phase_plan *f, double bytes)
{
  return crossing(p, bytes, f->copy_route, f->all / p->nodes / f->out);
}

/* Returns the wire B that B of pages cost beside themselves. */
static double protocol(const gscale_plan *p)
{
  return gscale__staged(p) ? 0.0 : p->paged - 1.0;
}

static void move_pages(const gscale_plan *p, const gscale__phase_plan *f,
                       gscale__stage *out)
{
  const double all = f->all * pages_of_all(p, f); /* B of pages, per reader */
  const double both =
      1.0 + 1.0 / f->destinations; /* each page moves back once */
  const double node = all / p->nodes;
  const double faults = node / gscale__ask(p, GSCALE_UM_FAULT_RATE);

  out->flow.ready = NULL; /* pages come on the next touch */
  out->flow.start = gscale__ask(p, GSCALE_UM_FAULT_START);
  if (by_host(f)) {
    out->flow.start += gscale__ask(p, GSCALE_STAGED_INITIATION);
    out->flow.wire = both * (faults + crossing(p, node, f->alone_route, 1.0));
  } else {
    out->flow.wire =
        both * gscale__max(faults, crossing_at_once(p, f, f->pages * f->out));
  }
  out->moved.useful = f->all * f->read;
  out->moved.unused = all - f->all * f->read;
  out->moved.redundant = all / f->destinations;
  out->moved.protocol = all * both * protocol(p);
}

static const char *needs_mapping(const gscale_plan *p,
                                 const gscale__phase_plan *f)
{
  return by_host(f) ? needs_faults(p, f) : gscale__rdl.needs(p, f);
}

/* Prefetches between GPUs that were not measured start like prefetches from the
 * host, and run at the rate of copies. */
static double prefetch_start(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double start = gscale__ask(p, by_host(f) ? GSCALE_STAGED_INITIATION
                                                 : GSCALE_UM_PEER_START);

  return start > 0.0
             ? start
             : gscale__max(0.0, gscale__ask(p, GSCALE_UM_PREFETCH_START));
}

static double prefetch_time(const gscale_plan *p, const gscale__phase_plan *f,
                            double bytes)
{
  const double copy = crossing_at_once(p, f, bytes);
  const double peer = by_host(f) ? 0.0 : gscale__ask(p, GSCALE_UM_PEER_RATE);

  return peer > 0.0 ? gscale__max(copy, bytes * f->copy_route / peer) : copy;
}

/* Every written page moves once to its reader and once back. */
static void prefetch_pages(const gscale_plan *p, const gscale__phase_plan *f,
                           gscale__stage *out)
{
  const double pages = f->pages;

  out->flow.ready = NULL; /* pages come before the next kernel */
  out->flow.start = 2.0 * prefetch_start(p, f);
  out->flow.wire = prefetch_time(p, f, pages * 2.0 * f->out);
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (pages - f->read);
  out->moved.redundant = f->all * pages;
  out->moved.protocol = 2.0 * f->all * pages * protocol(p);
}

/* Returns true if the program prefetches and each page has one reader. */
static bool prefetches(const gscale__phase_plan *f)
{
  return f->prefetch && f->out > 0.0 && !(f->destinations > 1.0);
}

static double between(double share, double move, double stay)
{
  return share * move + (1.0 - share) * stay;
}

/* Interpolates a step of `move` < `least` s, in which recent pages stay. */
static void stay_between(const gscale__stage *stay, double move, double least,
                         gscale__stage *out)
{
  const gscale_flow *s = &stay->flow;
  gscale_flow *f = &out->flow;
  const double mapped = gscale_flow_time(s);
  const double time = least * mapped / (least - move + mapped);
  const double share = time / least;
  const double most = gscale__max(0.0, time - f->compute - share * f->start);
  f->start *= share;
  f->latency = fmin(most, (1.0 - share) * s->latency);
  f->wire = between(share, f->wire, s->wire);
  f->issue = (1.0 - share) * s->issue;
  /* The link or the loads take the rest of the time. */
  *(f->wire < f->issue ? &f->issue : &f->wire) = most - f->latency;
  f->wire = fmin(f->wire, most - f->latency);
  f->issue = fmin(f->issue, most - f->latency);
  out->moved = (gscale_bytes){
      .useful = between(share, out->moved.useful, stay->moved.useful),
      .protocol = between(share, out->moved.protocol, stay->moved.protocol),
      .redundant = between(share, out->moved.redundant, stay->moved.redundant),
      .unused = between(share, out->moved.unused, stay->moved.unused)};
}

static void prepare_um(const gscale_plan *p, const gscale__phase_plan *f,
                       const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;
  if (prefetches(f)) {
    prefetch_pages(p, f, out);
    return;
  }

  move_pages(p, f, out);
  const double least = 2.0 * gscale__ask(p, GSCALE_UM_THRASH_WINDOW),
               move = gscale_flow_time(&out->flow);
  if (!(move < least)) return;
  gscale__stage stay;
  gscale__compute_only(p, f, &stay);
  gscale__loads(p, f, &stay);
  if (by_host(f))
    stay.flow.wire = crossing_at_once(
        p, f, f->out * (stay.moved.useful + stay.moved.redundant) / f->all);
  stay_between(&stay, move, least, out);
}

static void prepare_hints(const gscale_plan *p, const gscale__phase_plan *f,
                          const gscale_knobs *k, gscale__stage *out)
{
  if (prefetches(f) || by_host(f))
    prepare_um(p, f, k, out);
  else
    gscale__rdl.prepare(p, f, k, out);
}

/* Returns the time of a GPU's first touches, which fetch the host's data. */
static double first_touch(const gscale_plan *p, double more)
{
  (void)more;
  if (!(p->largest_footprint > 0.0) ||
      !(gscale__ask(p, GSCALE_UM_TOUCH_RATE) > 0.0))
    return 0.0;
  return gscale__ask(p, GSCALE_UM_TOUCH_START) +
         p->largest_footprint / gscale__ask(p, GSCALE_UM_TOUCH_RATE);
}

/* Returns the time of a prefetch, by which hints fetch the data, if known. */
static double prefetch(const gscale_plan *p, double more)
{
  if (!(p->largest_footprint > 0.0) ||
      !(gscale__ask(p, GSCALE_UM_PREFETCH_RATE) > 0.0))
    return first_touch(p, more);
  return gscale__ask(p, GSCALE_UM_PREFETCH_START) +
         p->largest_footprint / gscale__ask(p, GSCALE_UM_PREFETCH_RATE);
}

const gscale__paradigm gscale__um = {
    .about = {"um", "managed memory: pages move on faults",
              .needs = {.managed = true}, .plain = 11, .measured = true},
    .needs = needs_faults,
    .prepare = prepare_um,
    .setup = first_touch,
};

const gscale__paradigm gscale__um_hints = {
    .about = {"um-hints",
              "managed memory, placed at its owner, mapped by other GPUs",
              .needs = {.managed = true}, .plain = 12, .measured = true},
    .needs = needs_mapping,
    .prepare = prepare_hints,
    .setup = prefetch,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
