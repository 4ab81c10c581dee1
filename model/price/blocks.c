/* blocks.c - data readiness, boundary work and waits of a phase's thread
 * blocks. */

#include "price/blocks.h"
#include "price/traffic.h"

#include <math.h>

/* ---- dependent loads ---------------------------------------------------- */

/* Returns the largest footprint that a cache serves: the largest at which the
 * curve is nearer to its maximum than to 1, the value of memory. */
static double cached_most(const gscale_curve *c)
{
  double best = 1.0, most = 0.0;

  for (size_t i = 0; i < c->n; i++) best = fmax(best, c->y[i]);
  for (size_t i = 0; i < c->n; i++)
    if (c->y[i] > (1.0 + best) / 2.0) most = c->x[i];
  return most;
}

/* Returns the latency of a random access in an array of `bytes` B. */
static double latency_in(const gscale__source *s, double bytes)
{
  const bool cached = bytes <= cached_most(gscale__read_curve_all(s));

  return gscale__read(s, cached ? GSCALE_DEVICE_CACHE_LATENCY
                                : GSCALE_DEVICE_LATENCY);
}

/* Returns the latency of loads from an array.  A cache may hold the array even
 * if it does not hold the whole footprint. */
static double latency_of(const gscale__source *s, const gscale_loads *l,
                         double footprint)
{
  return latency_in(s, l->bytes > 0.0 ? l->bytes : footprint);
}

/* Returns the time in s of a path of dependent loads.  With `others`, a load of
 * published data has the latency of remote loads if that is longer. */
static double path_of(const gscale__source *s, const gscale_blocks *b,
                      double footprint, bool others)
{
  const double far = gscale__read(s, GSCALE_LOAD_LATENCY);
  double t = 0.0;

  for (size_t i = 0; i < b->kinds; i++) {
    const double near = latency_of(s, &b->path[i], footprint);
    const bool away = others && b->path[i].published;
    t += b->path[i].loads * (away ? fmax(far, near) : near);
  }
  return t;
}

static double longest_path(const gscale__source *s, const gscale_phase *w,
                           double footprint, bool others)
{
  double longest = 0.0;

  for (size_t i = 0; i < w->groups; i++)
    longest = fmax(longest, path_of(s, &w->group[i], footprint, others));
  return longest;
}

double gscale__path_time(const gscale__source *s, const gscale_phase *w,
                         double footprint)
{
  return longest_path(s, w, footprint, false);
}

/* Returns the time of a block's longest thread, which makes `straggler` times
 * the mean loads, anywhere in the footprint. */
static double straggling(const gscale__source *s, const gscale_blocks *b,
                         double footprint)
{
  double loads = 0.0;

  for (size_t i = 0; i < b->kinds; i++) loads += b->path[i].loads;
  return loads > 0.0 ? b->straggler * loads * latency_in(s, footprint) : 0.0;
}

/* ---- block groups -------------------------------------------------------- */

static const double faces = 2.0; /* faces of an inner GPU */

static double stated_share(const gscale_blocks *b, double leaving, double part)
{
  switch (b->per) {
  case GSCALE_PER_FACE:
    return b->share * faces * b->publishes / part;
  case GSCALE_PER_SENT:
    return b->share * fmin(1.0, leaving);
  default:
    return b->share;
  }
}

/* Fills each group's share of its kernel on a GPU with `part` of the problem.
 * The work of a face is constant, so that its share grows as the kernel
 * shrinks.  Faces that fill the kernel leave no share for other groups. */
static void shares(const gscale_phase *w, double leaving, double part,
                   double *extent)
{
  double sum = 0.0;

  for (size_t i = 0; i < w->groups; i++) {
    extent[i] =
        w->group[i].rest ? 0.0 : stated_share(&w->group[i], leaving, part);
    sum += extent[i];
  }
  for (size_t i = 0; i < w->groups; i++) {
    if (w->group[i].rest) extent[i] = fmax(0.0, 1.0 - sum);
    if (sum > 1.0) extent[i] /= sum;
  }
}

static double counted(const gscale_blocks *b, double part)
{
  return b->count * part + b->each;
}

static double filling_of(const gscale__source *s, const gscale_blocks *b,
                         double part)
{
  const double blocks = counted(b, part);

  return blocks > 0.0
             ? gscale_filling(blocks, gscale__read(s, GSCALE_DEVICE_SMS))
             : 1.0;
}

/* Fills each group's share of its kernel's time.  Returns how many times longer
 * the kernel takes than if its blocks filled the GPU. */
static double extents(const gscale__source *s, const gscale_phase *w,
                      double leaving, double part, double *extent)
{
  double all = 0.0, sum = 0.0;
  bool stated = false;

  shares(w, leaving, part, extent);
  for (size_t i = 0; i < w->groups; i++) {
    const double longer = filling_of(s, &w->group[i], part);
    stated = stated || counted(&w->group[i], part) > 0.0;
    all += extent[i];
    sum += extent[i] *= longer;
  }
  if (!stated || !(sum > 0.0)) return 1.0;
  for (size_t i = 0; i < w->groups; i++) extent[i] /= sum;
  return sum / all;
}

double gscale__filling(const gscale__source *s, const gscale_phase *w,
                       double part)
{
  double extent[GSCALE_BLOCKS_MAX];
  const double all_leaves = 1.0;

  return extents(s, w, all_leaves, part, extent);
}

static bool publishes(const gscale_phase *w)
{
  for (size_t i = 0; i < w->groups; i++)
    if (w->group[i].publishes > 0.0) return true;
  return false;
}

static void add_point(gscale_profile *p, double at, double ready)
{
  p->at[p->n] = fmin(1.0, at);
  p->ready[p->n++] = fmin(1.0, ready);
}

_Static_assert(2 * GSCALE_BLOCKS_MAX + 1 <= GSCALE_PROFILE_MAX,
               "a group adds two points at most");

/* Blocks of a group publish one after the other.  Scattered data is complete
 * only at the end of its group, although each block stores as it runs. */
static gscale_profile ready_of(const gscale_phase *w, const double *extent,
                               bool complete)
{
  gscale_profile p = {.n = 1};
  double at = 0.0, ready = 0.0;

  if (!publishes(w)) return gscale_profile_linear;
  for (size_t i = 0; i < w->groups; i++) {
    at += extent[i];
    if (w->group[i].scattered && complete) add_point(&p, at, ready);
    ready += w->group[i].publishes;
    add_point(&p, at, ready);
  }
  p.at[p.n - 1] = p.ready[p.n - 1] = 1.0;
  return p;
}

/* ---- waves --------------------------------------------------------------- */

/* Returns the number of waves of blocks in the phase's kernels, or 0 if the
 * number of blocks is unknown. */
static double waves_of(const gscale_phase *w, double part, double slots)
{
  const double kernels = gscale__max(1.0, w->kernels);

  return kernels * gscale__ceil(w->blocks * part / kernels / slots);
}

/* Returns the share of data that is ready after a share of the compute time. */
static double ready_at(const gscale_profile *p, double at)
{
  double ready = 0.0;

  for (size_t i = 1; i < p->n && p->at[i - 1] < at; i++) {
    const double run = p->at[i] - p->at[i - 1];
    const double on = run > 0.0 ? fmin(1.0, (at - p->at[i - 1]) / run) : 1.0;
    ready = p->ready[i - 1] + on * (p->ready[i] - p->ready[i - 1]);
  }
  return ready;
}

/* The data of a wave is ready at the end of the wave.  If every wave has room
 * for its points, all are added; otherwise given points move to ends of
 * waves. */
static gscale_profile by_waves(const gscale_profile *p, double waves)
{
  const double below = 1.0 - 1e-12; /* the end of a wave belongs to the wave */
  gscale_profile q = *p;

  if (!(waves > 0.0)) return q;
  for (size_t i = 1; i < p->n; i++)
    q.at[i] = fmin(1.0, gscale__ceil(p->at[i] * waves * below) / waves);
  if (2.0 * waves + 1.0 > (double)GSCALE_PROFILE_MAX) return q;
  q.n = 1;
  for (double k = 1.0; k <= waves; k += 1.0) {
    add_point(&q, k / waves, q.ready[q.n - 1]);
    add_point(&q, k / waves, k < waves ? ready_at(p, k / waves) : 1.0);
  }
  return q;
}

/* Returns the share of blocks that read data of other GPUs. */
static double remote_share(const gscale_phase *w, const double *extent)
{
  double share = 0.0;
  bool stated = false;

  for (size_t i = 0; i < w->groups; i++) {
    stated = stated || w->group[i].reads;
    share += w->group[i].reads ? extent[i] : 0.0;
  }
  return stated ? fmin(1.0, share) : 1.0;
}

/* Returns when blocks have read remote data, in equal parts per block. */
static gscale_profile reading_of(const gscale_phase *w, const double *extent,
                                 double away)
{
  gscale_profile p = {.n = 1};
  double at = 0.0, read = 0.0;

  if (!(away > 0.0 && away < 1.0)) return gscale_profile_linear;
  for (size_t i = 0; i < w->groups; i++) {
    at += extent[i];
    read += w->group[i].reads ? extent[i] / away : 0.0;
    add_point(&p, at, read);
  }
  p.at[p.n - 1] = p.ready[p.n - 1] = 1.0;
  return p;
}

double gscale__face(const gscale_phase *w)
{
  double share = 0.0;

  for (size_t i = 0; i < w->groups; i++)
    if (w->group[i].per == GSCALE_PER_FACE)
      share += w->group[i].publishes * w->group[i].share;
  return share;
}

/* Returns the share of the problem's blocks that publish, with one face. */
static double publishing(const gscale_phase *w)
{
  double extent[GSCALE_BLOCKS_MAX], share = 0.0;

  if (!publishes(w)) return 1.0;
  shares(w, 1.0, 1.0, extent);
  for (size_t i = 0; i < w->groups; i++)
    if (w->group[i].publishes > 0.0 && w->group[i].per != GSCALE_PER_FACE)
      share += extent[i];
  return share + gscale__face(w);
}

/* Returns the bytes that a block publishes. */
static double block_of(const gscale_phase *w)
{
  const double usual = 4096.0;
  const double blocks = w->blocks * publishing(w);

  return blocks > 0.0 ? gscale__published(w) / blocks : usual;
}

/* Adds a group with counted blocks, which is a separate kernel. */
static void add_group(const gscale_blocks *b, double extent, double part,
                      gscale__phase_plan *f)
{
  f->group[f->groups++] = (gscale__group){
      .extent = extent,
      .publishes = b->publishes,
      .blocks = counted(b, part),
      .row = fmax(1.0, b->row),
  };
}

/* Publishing groups form one kernel if no group has counted blocks. */
static void all_as_one(const gscale_phase *w, const double *extent,
                       gscale__phase_plan *f)
{
  gscale__group all = {.publishes = 1.0, .row = 1.0};

  for (size_t i = 0; i < w->groups; i++)
    if (w->group[i].publishes > 0.0) all.extent += extent[i];
  if (!publishes(w)) all.extent = 1.0;
  all.blocks = f->blocks / fmax(1.0, w->kernels);
  f->group[0] = all;
  f->groups = 1;
}

/* Fills the groups at which a kernel may be split. */
static void fill_groups(const gscale_phase *w, const double *extent,
                        double part, gscale__phase_plan *f)
{
  f->groups = 0;
  for (size_t i = 0; i < w->groups; i++)
    if (w->group[i].publishes > 0.0 && counted(&w->group[i], part) > 0.0)
      add_group(&w->group[i], extent[i], part, f);
  f->apart = f->groups > 0;
  if (!f->apart) all_as_one(w, extent, f);
}

/* Returns the number of blocks that a GPU runs at once. */
static double slots_of(const gscale__source *s, const gscale_phase *w)
{
  const double threads = gscale__read(s, GSCALE_DEVICE_THREADS);
  const double fit = fmax(1.0, floor(threads / w->threads));

  return gscale__read(s, GSCALE_DEVICE_SMS) *
         (w->residents > 0.0 ? fmin(w->residents, fit) : fit);
}

void gscale__fill_blocks(const gscale__source *s, const gscale_phase *w,
                         double footprint, double leaving, double part,
                         gscale__phase_plan *f)
{
  double extent[GSCALE_BLOCKS_MAX];

  (void)extents(s, w, leaving, part, extent);
  f->ready = ready_of(w, extent, true);
  f->stored = ready_of(w, extent, false);
  f->away = remote_share(w, extent);
  f->reading = reading_of(w, extent, f->away);
  f->block = block_of(w);
  f->blocks = w->blocks > 0.0 ? f->local / f->block : 0.0;
  f->slots = slots_of(s, w);
  f->counted = by_waves(&f->ready, waves_of(w, part, f->slots));
  fill_groups(w, extent, part, f);
  f->wait = longest_path(s, w, footprint, true) -
            longest_path(s, w, footprint, false);
  f->stay = 0.0;
  for (size_t i = 0; i < w->groups; i++)
    f->stay = fmax(f->stay, straggling(s, &w->group[i], footprint));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
