/* queue.c - what leaves the write queues of GPS and FinePack, by what stores
 * enter them.  Closed forms of coalesce.c, put together. */

#include "internal.h"

#include <math.h>

static const double LINE = 128.0; /* B */

static double at_least(double least, double v)
{
  return v > least ? v : least;
}

/* ---- gps ----------------------------------------------------------------- */

/* Distinct bytes of a line that so many stores of a size were merged into. */
static double filled(double stores, double size)
{
  if (size >= LINE) return LINE;
  return LINE * -expm1(stores * log1p(-size / LINE));
}

gscale_stream gscale_gps_lines(const gscale_stream *s, double regions,
                               double entries)
{
  const double lines = at_least(1.0, s->region * regions / LINE);
  const double resident = at_least(0.0, entries - 2.0);
  gscale_stream out = {.bytes = s->bytes, .region = s->region};

  if (!(s->region > 0.0)) {
    out.stores = at_least(1.0, s->bytes / LINE);
    out.size = fmin(LINE, s->bytes);
    return out;
  }
  out.stores = gscale_queue_added(lines, s->stores, resident);
  out.size = filled(s->stores / out.stores, s->size);
  return out;
}

/* ---- finepack ------------------------------------------------------------ */

/* Windows are whole lines or less; what is in order fills them. */
static gscale_packing fill_window(const gscale_stream *s,
                                  const gscale_packer *p, double range)
{
  const double run = fmin(LINE, range);
  const double fit = floor(p->payload / (p->subheader + run));
  const double runs = at_least(1.0, fmin(fmin(p->entries, fit), range / run));

  return (gscale_packing){s->bytes / (runs * run), runs, run};
}

static bool joins(const gscale_stream *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < GSCALE_JOINS; i++) sum += s->joins.share[i];
  return sum > 0.0;
}

/* B of a run in packets of up to `most`. */
static double run_of(const gscale_stream *s, double q, double most)
{
  if (!joins(s)) return s->size;
  return fmin(LINE, s->size * gscale_finepack_joined(&s->joins, q, most) /
                        gscale_finepack_stores(q, most));
}

/* Runs of that size that fit into a packet. */
static double most_of(const gscale_packer *p, double run)
{
  return at_least(1.0, fmin(p->entries, p->payload / (p->subheader + run)));
}

gscale_packing gscale_finepack_packing(const gscale_stream *s,
                                       const gscale_packer *p)
{
  const double range = gscale_finepack_range((int)p->subheader);

  if (!(s->region > 0.0)) return fill_window(s, p, range);
  /* Runs are longer, and fewer fit, where stores join; and the fewer there are,
   * the fewer stores join: twice is near enough. */
  const double q = fmin(1.0, range / at_least(LINE, s->region));
  const double first = run_of(s, q, most_of(p, s->size));
  const double most = most_of(p, first);
  const double runs = gscale_finepack_stores(q, most);
  const double run = fmin(run_of(s, q, most), range);

  return (gscale_packing){s->stores * s->size / (runs * run), runs, run};
}
