/* managed.c - um, um-hints: one address space, the driver moves pages.
 *
 * um: the first access to a page that is elsewhere faults, and the page comes.
 * Every reader takes the pages it reads, and the owner takes them back when it
 * writes them again:
 *
 *   device = C(N) + fault_start + all GPUs' (pages in + pages back) /
 * fault_rate
 *
 * with whole pages of 64 KiB; the driver serves one fault after the other,
 * whoever's it is.  Unless pages come back so soon that the driver gives up:
 * two moves of a page within `lapse` of each other, and it stays where it is,
 * mapped by the others, as with um-hints:
 *
 *   device = min( as rdl, 2 lapse )    if what moves takes less than 2 lapse
 *
 * Where loads take longer than that, pages that stay come back late enough to
 * be moved again, and the two keep each other at the lapse.
 *
 * um-hints: pages prefer their owner and are mapped by the others, whose loads
 * go over the link as with rdl; nothing faults, nothing moves.  A prefetch from
 * the host places them once:
 *
 *   setup = prefetch_start + footprint of a GPU / prefetch_rate
 *
 * (um: the same by faults, touch_start and touch_rate).  A step prefetches
 * nothing: pages that the others only map stay where they are written.  Unless
 * the program says so (load.prefetch): where one other GPU reads a page, that
 * one prefetches it before its kernel, as the writer does before it writes the
 * page again,
 *
 *   device = C(N) + 2 peer_start + pages (in + back) / min(peer_rate, a copy's)
 *
 * in whole pages of 64 KiB, each GPU its own, on its two sides in turn.  What
 * several read stays mapped: the last that asks would have it.  So it is with
 * um, where such a program prefetches.
 *
 * Omits: pages wanted by several at once; readers that come in no order; the
 * driver's own prefetching beyond what the measured rate has in it; eviction;
 * pages that go by way of the host, where there is no peer access.
 * Source: [Gps21] for what the programs do; ours for the costs. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"

#include <math.h>

static const double PAGE = 65536.0; /* B */

static const char *needs_faults(const gscale_plan *p,
                                const gscale__phase_plan *f)
{
  if (f->to != GSCALE_TO_NONE && !(gscale__ask(p, GSCALE_UM_FAULT_RATE) > 0.0))
    return "um.fault_rate of the system";
  return gscale__rdl.needs(p, f);
}

static void move_pages(const gscale_plan *p, const gscale__phase_plan *f,
                       gscale__stage *out)
{
  const double pages = gscale__in_pages(f->piece, PAGE);
  const double back = f->all / f->destinations; /* each page once */

  out->flow.ready = NULL; /* pages come when they are touched again */
  out->flow.start = gscale__ask(p, GSCALE_UM_FAULT_START);
  out->flow.wire =
      (f->all + back) / p->nodes * pages / gscale__ask(p, GSCALE_UM_FAULT_RATE);
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (pages - f->read);
  out->moved.redundant = back * pages;
}

static const char *needs_mapping(const gscale_plan *p,
                                 const gscale__phase_plan *f)
{
  return gscale__rdl.needs(p, f);
}

/* What is not known of prefetches between GPUs is that from the host, and is
 * no faster than a copy. */
static double prefetch_start(const gscale_plan *p)
{
  const double start = gscale__ask(p, GSCALE_UM_PEER_START);

  return start > 0.0
             ? start
             : gscale__max(0.0, gscale__ask(p, GSCALE_UM_PREFETCH_START));
}

/* B on the wire for each of a page that is copied. */
static double page_ratio(const gscale_plan *p)
{
  return gscale_wire_bytes(&p->link, GSCALE_COPY, PAGE, false) / PAGE;
}

static double prefetch_rate(const gscale_plan *p)
{
  const double peer = gscale__ask(p, GSCALE_UM_PEER_RATE);
  const double copy = gscale__rate(p, GSCALE_COPY) / page_ratio(p);

  return peer > 0.0 ? fmin(peer, copy) : copy;
}

/* One page in, one back, for each that is written. */
static void prefetch_pages(const gscale_plan *p, const gscale__phase_plan *f,
                           gscale__stage *out)
{
  const double pages = gscale__in_pages(f->piece, PAGE);

  out->flow.ready = NULL; /* before the next kernel */
  out->flow.start = 2.0 * prefetch_start(p);
  out->flow.wire = pages * (f->in + f->out) * f->copy_route / prefetch_rate(p);
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (pages - f->read);
  out->moved.redundant = f->all * pages;
  out->moved.protocol = 2.0 * f->all * pages * (page_ratio(p) - 1.0);
}

/* The program does, and the page has a reader for which it can. */
static bool prefetches(const gscale__phase_plan *f)
{
  return f->prefetch && f->out > 0.0 && !(f->destinations > 1.0);
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
  const double step = 2.0 * gscale__ask(p, GSCALE_UM_LAPSE);
  if (out->flow.compute + out->flow.wire + out->flow.start > step) return;
  out->flow.start = 0.0;
  out->flow.most = step;
  gscale__loads(p, f, out);
}

static void prepare_hints(const gscale_plan *p, const gscale__phase_plan *f,
                          const gscale_knobs *k, gscale__stage *out)
{
  if (!prefetches(f)) {
    gscale__rdl.prepare(p, f, k, out);
    return;
  }
  gscale__compute_only(p, f, out);
  prefetch_pages(p, f, out);
}

/* The first touch brings what a GPU works on from the host. */
static double first_touch(const gscale_plan *p, double more)
{
  (void)more;
  if (!(p->largest_footprint > 0.0) ||
      !(gscale__ask(p, GSCALE_UM_TOUCH_RATE) > 0.0))
    return 0.0;
  return gscale__ask(p, GSCALE_UM_TOUCH_START) +
         p->largest_footprint / gscale__ask(p, GSCALE_UM_TOUCH_RATE);
}

/* With hints it is brought by a prefetch, where the system says what that
 * costs.
 */
static double prefetch(const gscale_plan *p, double more)
{
  if (!(p->largest_footprint > 0.0) ||
      !(gscale__ask(p, GSCALE_UM_PREFETCH_RATE) > 0.0))
    return first_touch(p, more);
  return gscale__ask(p, GSCALE_UM_PREFETCH_START) +
         p->largest_footprint / gscale__ask(p, GSCALE_UM_PREFETCH_RATE);
}

const gscale__paradigm gscale__um = {
    .about = {"um",
              "managed memory: pages move on faults",
              false,
              {false},
              {.peer = GSCALE_PEER_STORES, .managed = true},
              false,
              false},
    .needs = needs_faults,
    .prepare = prepare_um,
    .setup = first_touch,
};

const gscale__paradigm gscale__um_hints = {
    .about = {"um-hints",
              "managed memory, placed with its owner, mapped by the others",
              false,
              {false},
              {.peer = GSCALE_PEER_STORES, .managed = true},
              false,
              false},
    .needs = needs_mapping,
    .prepare = prepare_hints,
    .setup = prefetch,
};
