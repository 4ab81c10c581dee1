/* queue.c - output of GPS's and FinePack's write queues, from the closed forms
 * in coalesce.c. */

#include "ground/ground.h"

#include <math.h>

static const double LINE = 128.0; /* B */

static double at_least(double least, double v)
{
  return v > least ? v : least;
}

static bool has_gaps(const gscale_stream *s)
{
  return s->stride > s->size;
}

/* Returns the bytes of a line that one pass over ordered lines writes. */
static double visit_of(const gscale_stream *s)
{
  if (!has_gaps(s)) return LINE;
  return fmin(LINE, s->size * at_least(1.0, LINE / s->stride));
}

static bool stream_ok(const gscale_stream *s)
{
  return s->stores >= 0.0 && s->size > 0.0 && s->bytes > 0.0 &&
         s->region >= 0.0 && s->reuse >= 0.0 && s->stride >= 0.0;
}

/* Returns the distinct bytes of a line that a number of stores of one size
 * writes. */
static double filled(double stores, double size)
{
  if (size >= LINE) return LINE;
  return LINE * -expm1(stores * log1p(-size / LINE));
}

/* If all lines are still resident when the first line comes again, all lines
 * become whole.  Otherwise each visit leaves the queue separately. */
static gscale_stream lines_in_order(const gscale_stream *s, double resident)
{
  const double visit = visit_of(s);
  const double lines = at_least(1.0, s->bytes / LINE);
  const double visits = at_least(lines, s->stores * s->size / visit);
  const bool merge = s->reuse <= LINE * resident;
  gscale_stream out = *s;

  out.stores = merge ? lines : visits;
  out.size = fmin(merge ? LINE : visit, s->bytes);
  out.stride = merge ? 0.0 : s->stride;
  return out;
}

gscale_stream gscale_gps_lines(const gscale_stream *s, double regions,
                               double entries)
{
  const double lines = at_least(1.0, s->region * regions / LINE);
  const double resident = at_least(0.0, entries - 2.0);
  gscale_stream out = {.bytes = s->bytes, .region = s->region};

  if (!stream_ok(s) || !(regions >= 1.0) || !(entries >= 0.0)) {
    out.stores = out.size = NAN;
    return out;
  }
  if (!(s->region > 0.0)) return lines_in_order(s, resident);
  out.stores = gscale_queue_added(lines, s->stores, resident);
  out.size = filled(s->stores / out.stores, s->size);
  return out;
}

double gscale_gps_misses(const gscale_stream *s, double regions, double page,
                         double entries)
{
  if (!stream_ok(s) || !(regions >= 1.0) || !(page >= LINE) ||
      !(entries >= 0.0))
    return NAN;

  if (s->region > 0.0) {
    const double pages = at_least(1.0, s->region * regions / page);
    return 1.0 - gscale_tlb_hits(pages, entries);
  }
  const double all = s->bytes * (has_gaps(s) ? s->stride / s->size : 1.0);
  return all > entries * page ? fmin(1.0, at_least(LINE, s->stride) / page)
                              : 0.0;
}

/* A window, which holds whole lines or less than one line. */
typedef struct window {
  double range, line;   /* B of the window, and of a line */
  double entries, full; /* most lines and most whole lines of a packet */
} window;

static window window_of(const gscale_packer *p)
{
  window w = {.range = gscale_finepack_range((int)p->subheader)};

  w.line = fmin(LINE, w.range);
  w.entries = fmin(p->entries, w.range / w.line);
  w.full = at_least(1.0, gscale__floor(fmin(
                             w.entries, p->payload / (p->subheader + w.line))));
  return w;
}

/* Returns the bytes that are sent for ordered stores.  A packet has `full`
 * whole lines.  Groups of lines that fit into a packet are sent once.  The
 * packet also has the first lines of the next group, which are sent again if
 * they are rewritten. */
static double sent_in_order(const gscale_stream *s, const window *w)
{
  const double rewrites = s->stores * s->size / s->bytes;
  const double lines = at_least(1.0, s->reuse / w->line); /* lines of a group */

  if (!(lines <= w->full)) return s->bytes * rewrites;
  const double torn = w->full - gscale__floor(w->full / lines) * lines;
  const double again = fmin(1.0, at_least(0.0, rewrites - 1.0));
  return s->bytes / (1.0 - again * torn / w->full);
}

/* Packs visits whose lines are absent, so that each visit makes a run. */
static gscale_packets pack_apart(const gscale_packer *p, double most,
                                 double run, double sent)
{
  const double runs = at_least(
      1.0, gscale__floor(fmin(most, p->payload / (p->subheader + run))));

  return (gscale_packets){sent / (runs * run), runs, run};
}

/* Packs visits to lines that are present.  A pass over a group adds one visit
 * to each line until the packet is full:
 *
 *    payload = runs subheader + bytes,  runs = bytes / line + cut.
 *
 * Here `cut` lines of an unfinished group are in two packets.  If the lines of
 * two groups exceed the entries, a packet ends at the last entry, and the
 * payload cuts the rest. */
static gscale_packets pack_together(const gscale_packer *p, const window *w,
                                    double lines, double visit, double sent)
{
  const double h = p->subheader, cut = lines * (1.0 - visit / w->line);
  const double bytes = (p->payload - h * cut) / (1.0 + h / w->line);
  const double runs = bytes / w->line + cut, group = lines * w->line;

  if (runs <= w->entries)
    return (gscale_packets){sent / bytes, runs, bytes / runs};
  const double parts = ceil(group / (p->payload - h * lines));
  const double all = lines * parts + fmin(lines, w->entries - lines);
  return (gscale_packets){sent * parts / group, all / parts, group / all};
}

/* Packs stores with gaps, whether or not a group's lines are still present in
 * the next pass. */
static gscale_packets pack_gaps(const gscale_stream *s, const gscale_packer *p,
                                const window *w, double sent)
{
  const double visit = fmin(visit_of(s), w->line), run = fmin(visit, s->size);
  const double lines = at_least(1.0, s->reuse / w->line);
  const double near = fmin(w->range / at_least(s->stride, w->line), w->entries);

  if (lines <= fmin(near, p->payload / (p->subheader + visit)))
    return pack_together(p, w, lines, visit, sent);
  return pack_apart(p, near * visit / run, run, sent);
}

static gscale_packets pack_in_order(const gscale_stream *s,
                                    const gscale_packer *p)
{
  const window w = window_of(p);
  const double sent = sent_in_order(s, &w);

  if (has_gaps(s)) return pack_gaps(s, p, &w, sent);
  return (gscale_packets){sent / (w.full * w.line), w.full, w.line};
}

static bool joins(const gscale_stream *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < GSCALE_JOINS; i++) sum += s->joins.share[i];
  return sum > 0.0;
}

/* Returns the bytes of a run in packets of up to `most` runs. */
static double run_of(const gscale_stream *s, double q, double most)
{
  if (!joins(s)) return s->size;
  return fmin(LINE, s->size * gscale_finepack_joined(&s->joins, q, most) /
                        gscale_finepack_stores(q, most));
}

/* Returns the number of runs that fit into a packet. */
static double most_of(const gscale_packer *p, double run)
{
  return at_least(1.0, fmin(p->entries, p->payload / (p->subheader + run)));
}

gscale_packets gscale_finepack_packets(const gscale_stream *s,
                                       const gscale_packer *p)
{
  const double range = gscale_finepack_range((int)p->subheader);

  if (!stream_ok(s) || !(p->entries >= 1.0) || isnan(range) ||
      !(p->payload > p->subheader + 1.0))
    return (gscale_packets){NAN, NAN, NAN};
  if (!(s->region > 0.0)) return pack_in_order(s, p);
  /* Joins make runs longer, so that fewer runs fit, and fewer runs have fewer
   * joins.  Two iterations are accurate enough. */
  const double q = fmin(1.0, range / at_least(LINE, s->region));
  const double first = run_of(s, q, most_of(p, s->size));
  const double most = most_of(p, first);
  const double runs = gscale_finepack_stores(q, most);
  const double run = fmin(run_of(s, q, most), range);

  return (gscale_packets){s->stores * s->size / (runs * run), runs, run};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
