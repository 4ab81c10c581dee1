/* ct.c - helical X-ray CT reconstruction with ordered subsets.
 *
 * The image of n^3 voxels is found from views of rows x channels bins that a
 * source on a helix sees.  For each subset of the views:
 *
 *   forward   residual = measured - A image, a thread for each bin.  The views
 *             of a subset are dealt to the GPUs in turn.
 *   back      image += subsets A' residual / A' A 1, not below 0, a thread for
 *             each voxel.  GPUs own slabs of y.
 *
 * What either makes goes to all GPUs.  A is Joseph's projector: a ray is
 * sampled where it crosses the planes of the axis that it is closest to,
 * bilinearly.  A' uses the same weights: a voxel asks the bins around its
 * shadow.
 *
 * Lengths are in voxels, 512 mm / n, and along the axis in slices of 0.625 of
 * that; a detector row is a slice high where the axis is.  The detector is
 * flat, at the axis, and just covers the field of view. */

#include "trace.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double SLICE = 0.625;                    /* voxels */
static const double RADIUS = 541.0 / 512.0;           /* of the helix / n */
static const double TURNS = 9.0, PITCH = 63.0 / 64.0; /* detectors a turn */

typedef struct ct {
  size_t n, rows, channels, views, subsets;
  int gpus;
  double width, radius, centre; /* of a channel, of the helix; of the image */
  double *cosine, *sine, *source_z;          /* of a view */
  float *image, *residual, *measured, *step; /* step: 1 / (A' A 1) */
  uint64_t image_at, residual_at;
  double *sum;    /* of a voxel while its thread runs */
  uint32_t *item; /* voxels, slab by slab */
  bool *inside;   /* the field of view: x, y; elsewhere the image is 0 */
  kernel forward, back;
  size_t subset;
  float *plain, *plain_residual; /* the same by plain loops */
  double norm;
} ct;

static double larger(double x, double y)
{
  return x > y ? x : y;
}

static double smaller(double x, double y)
{
  return x < y ? x : y;
}

/* ---- rays ---------------------------------------------------------------- */

typedef struct bin {
  size_t view, row, channel;
} bin;

typedef struct ray {
  double from[3], to[3]; /* to: the direction */
  int major, minor;      /* axes, 0: x, 1: y */
} ray;

static ray ray_of(const ct *c, bin b)
{
  const double u =
      ((double)b.channel + 0.5 - 0.5 * (double)c->channels) * c->width;
  const double v = (double)b.row + 0.5 - 0.5 * (double)c->rows;
  const double x = c->cosine[b.view], y = c->sine[b.view];
  ray r = {{c->radius * x + c->centre, c->radius * y + c->centre,
            c->source_z[b.view]},
           {-c->radius * x - u * y, -c->radius * y + u * x, v},
           0,
           1};

  if (fabs(r.to[0]) < fabs(r.to[1])) {
    r.major = 1;
    r.minor = 0;
  }
  return r;
}

/* Its length between two planes. */
static double length_of(const ray *r)
{
  const double x = r->to[0], y = r->to[1], z = SLICE * r->to[2];
  return sqrt(x * x + y * y + z * z) / fabs(r->to[r->major]);
}

/* Where it crosses a plane: so far along, and a coordinate there. */
static double cross(const ray *r, double plane)
{
  return (plane - r->from[r->major]) / r->to[r->major];
}

static double point(const ray *r, int axis, double along)
{
  return r->from[axis] + along * r->to[axis];
}

/* ---- voxels -------------------------------------------------------------- */

static size_t voxel_at(const ct *c, size_t x, size_t y, size_t z)
{
  return (z * c->n + y) * c->n + x;
}

static bool is_inside(const ct *c, size_t voxel)
{
  return c->inside[voxel % (c->n * c->n)];
}

/* The voxels around a crossing with their weights; those off the image have
 * the weight 0. */
typedef struct corners {
  size_t voxel[4];
  double weight[4];
} corners;

static corners corners_of(const ct *c, const ray *r, size_t plane)
{
  const double along = cross(r, (double)plane), most = (double)c->n;
  const double minor = point(r, r->minor, along), z = point(r, 2, along);
  corners k = {{0}, {0}};

  for (int i = 0; i < 4; i++) {
    const double a = floor(minor) + i % 2, b = floor(z) + i / 2;
    if (!(a >= 0.0 && a < most && b >= 0.0 && b < most)) continue;
    const size_t other = (size_t)a;
    k.voxel[i] = r->major == 0 ? voxel_at(c, plane, other, (size_t)b)
                               : voxel_at(c, other, plane, (size_t)b);
    k.weight[i] = (1.0 - fabs(minor - a)) * (1.0 - fabs(z - b));
  }
  return k;
}

/* A image, for one bin. */
static double project(const ct *c, const float *image, bin b)
{
  const ray r = ray_of(c, b);
  double sum = 0.0;

  for (size_t plane = 0; plane < c->n; plane++) {
    const corners k = corners_of(c, &r, plane);
    for (int i = 0; i < 4; i++) sum += k.weight[i] * (double)image[k.voxel[i]];
  }
  return sum * length_of(&r);
}

/* ---- shadows ------------------------------------------------------------- */

/* Bins [first, end) of a view whose rays can pass a voxel: less than a voxel
 * beside it. */
typedef struct shadow {
  size_t channel, channels_end, row, rows_end;
} shadow;

static void widen(double *low, double *high, double x)
{
  *low = smaller(*low, x);
  *high = larger(*high, x);
}

/* Indices of bins of which the middle is in [low, high]. */
static void clip(double low, double high, size_t n, size_t *first, size_t *end)
{
  const double half = 0.5 * (double)n - 0.5;
  const double from = larger(0.0, ceil(low + half));
  const double to = smaller((double)n, floor(high + half) + 1.0);

  *first = from < to ? (size_t)from : 0;
  *end = from < to ? (size_t)to : 0;
}

/* Far from the plane of the source no voxel throws a shadow; the smallest
 * magnification is beyond the axis. */
static bool is_seen(const ct *c, double z)
{
  const double smallest = c->radius / (c->radius + (double)c->n);
  return (fabs(z) - 1.0) * smallest < 0.5 * (double)c->rows;
}

static shadow shadow_of(const ct *c, size_t voxel, size_t view)
{
  const double x = (double)(voxel % c->n) - c->centre;
  const double y = (double)(voxel / c->n % c->n) - c->centre;
  const double z = (double)(voxel / c->n / c->n) - c->source_z[view];
  double u[2] = {INFINITY, -INFINITY}, v[2] = {INFINITY, -INFINITY};
  shadow s = {0, 0, 0, 0};

  if (!is_seen(c, z)) return s;
  for (int i = 0; i < 4; i++) {
    const double px = x + (i % 2 ? 1.0 : -1.0), py = y + (i / 2 ? 1.0 : -1.0);
    const double along = px * c->cosine[view] + py * c->sine[view];
    const double across = py * c->cosine[view] - px * c->sine[view];
    const double scale = c->radius / (c->radius - along);
    widen(&u[0], &u[1], across * scale / c->width);
    widen(&v[0], &v[1], (z - 1.0) * scale);
    widen(&v[0], &v[1], (z + 1.0) * scale);
  }
  clip(u[0], u[1], c->channels, &s.channel, &s.channels_end);
  clip(v[0], v[1], c->rows, &s.row, &s.rows_end);
  return s;
}

static size_t bin_at(const ct *c, bin b)
{
  return (b.view * c->rows + b.row) * c->channels + b.channel;
}

/* 1 - |x|, not below 0. */
static double tent(double x)
{
  return larger(0.0, 1.0 - fabs(x));
}

/* A' residual, for one voxel, of one channel's rows in the shadow: elements of
 * A times residuals. */
static double project_channel(const ct *c, const float *residual,
                              const double at[3], bin b, size_t rows_end)
{
  ray r = ray_of(c, b);
  const double along = cross(&r, at[r.major]);
  const double minor = tent(point(&r, r.minor, along) - at[r.minor]);
  double sum = 0.0;

  if (!(minor > 0.0)) return 0.0; /* as for all rows, which differ in z only */
  for (; b.row < rows_end; b.row++) {
    const double z = tent(point(&r, 2, along) - at[2]);
    if (z > 0.0)
      sum += minor * z * length_of(&r) * (double)residual[bin_at(c, b)];
    r.to[2] += 1.0;
  }
  return sum;
}

/* The same of one view. */
static double project_back(const ct *c, const float *residual, size_t voxel,
                           size_t view)
{
  const double at[] = {(double)(voxel % c->n), (double)(voxel / c->n % c->n),
                       (double)(voxel / c->n / c->n)};
  const shadow s = shadow_of(c, voxel, view);
  double sum = 0.0;

  for (size_t channel = s.channel; channel < s.channels_end; channel++)
    sum += project_channel(c, residual, at, (bin){view, s.row, channel},
                           s.rows_end);
  return sum;
}

static float updated(const ct *c, float image, size_t voxel, double back)
{
  const double x =
      (double)image + (double)c->subsets * back * (double)c->step[voxel];
  return x > 0.0 ? (float)x : 0.0f;
}

/* ---- forward ------------------------------------------------------------- */

static size_t views_of_subset(const ct *c)
{
  return (c->views - c->subset + c->subsets - 1) / c->subsets;
}

/* Views of the subset that a GPU has. */
static size_t views_of_gpu(const ct *c, int gpu)
{
  const size_t all = views_of_subset(c), g = (size_t)gpu;
  return g < all ? (all - g - 1) / (size_t)c->gpus + 1 : 0;
}

/* Item i of a GPU's bins of this subset. */
static bin bin_of(const ct *c, int gpu, size_t i)
{
  const size_t bins = c->rows * c->channels;
  const size_t turn = i / bins * (size_t)c->gpus + (size_t)gpu;
  return (bin){c->subset + c->subsets * turn, i % bins / c->channels,
               i % c->channels};
}

static range bins_of_gpu(const ct *c, int gpu)
{
  return (range){0, views_of_gpu(c, gpu) * c->rows * c->channels};
}

static int owner_of(const ct *c, size_t voxel)
{
  return part_owner(c->n, c->gpus, voxel / c->n % c->n);
}

/* The voxels that rays cross at a plane: a load for each corner. */
static void load_corners(const ct *c, machine *m, int gpu, range of,
                         size_t plane)
{
  for (int i = 0; i < 4; i++) {
    instruction(m, gpu);
    for (size_t k = of.begin; k < of.end; k++) {
      const ray r = ray_of(c, bin_of(c, gpu, k));
      const corners at = corners_of(c, &r, plane);
      if (at.weight[i] > 0.0 && owner_of(c, at.voxel[i]) != gpu)
        access_shared(m, gpu, LOAD, gpu, c->image_at + WORD * at.voxel[i],
                      WORD);
    }
  }
}

static void store_all(const ct *c, machine *m, int gpu, uint64_t address)
{
  if (c->gpus > 1) access_shared(m, gpu, STORE, ALL, address, WORD);
}

/* A turn for each plane, then the stores. */
static bool forward(void *self, machine *m, const warp *w)
{
  ct *c = self;
  const range of = lanes_of(w, bins_of_gpu(c, w->gpu));

  if (w->turn < c->n) {
    if (wants_loads(m)) load_corners(c, m, w->gpu, of, w->turn);
    return of.begin < of.end;
  }
  instruction(m, w->gpu);
  for (size_t k = of.begin; k < of.end; k++) {
    const bin b = bin_of(c, w->gpu, k);
    const size_t at = bin_at(c, b);
    c->residual[at] = c->measured[at] - (float)project(c, c->image, b);
    store_all(c, m, w->gpu, c->residual_at + WORD * at);
  }
  return false;
}

/* ---- back ---------------------------------------------------------------- */

static range voxels_of_gpu(const ct *c, int gpu)
{
  const range y = part_of(c->n, c->gpus, gpu);
  return (range){y.begin * c->n * c->n, y.end * c->n * c->n};
}

/* Lanes go through their shadows together; true: some had bin number `i`. */
static bool load_bins(const ct *c, machine *m, int gpu, range of, size_t view,
                      size_t i)
{
  bool some = false;

  instruction(m, gpu);
  for (size_t k = of.begin; k < of.end; k++) {
    const size_t voxel = c->item[k];
    const shadow s = shadow_of(c, voxel, view);
    const size_t width = s.channels_end - s.channel;
    if (!is_inside(c, voxel) || i >= width * (s.rows_end - s.row)) continue;
    const bin b = {view, s.row + i / width, s.channel + i % width};
    some = true;
    access_shared(m, gpu, LOAD, gpu, c->residual_at + WORD * bin_at(c, b),
                  WORD);
  }
  return some;
}

/* A turn for each view of the subset, then the stores. */
static bool back(void *self, machine *m, const warp *w)
{
  ct *c = self;
  const range of = lanes_of(w, voxels_of_gpu(c, w->gpu));
  const size_t view = c->subset + c->subsets * w->turn;
  const bool by_other = w->turn % (uint32_t)c->gpus != (uint32_t)w->gpu;

  if (w->turn < views_of_subset(c)) {
    if (wants_loads(m) && by_other)
      for (size_t i = 0; load_bins(c, m, w->gpu, of, view, i);) i++;
    for (size_t k = of.begin; k < of.end; k++) {
      const size_t voxel = c->item[k];
      if (is_inside(c, voxel))
        c->sum[voxel] += project_back(c, c->residual, voxel, view);
    }
    return of.begin < of.end;
  }
  instruction(m, w->gpu);
  for (size_t k = of.begin; k < of.end; k++) {
    const size_t voxel = c->item[k];
    c->image[voxel] = updated(c, c->image[voxel], voxel, c->sum[voxel]);
    c->sum[voxel] = 0.0;
    store_all(c, m, w->gpu, c->image_at + WORD * voxel);
  }
  return false;
}

static void iterate(void *self, machine *m)
{
  ct *c = self;

  for (c->subset = 0; c->subset < c->subsets; c->subset++) {
    c->forward.bulk =
        (double)(views_of_subset(c) * c->rows * c->channels * WORD);
    for (int g = 0; g < c->gpus; g++)
      c->forward.blocks[g] = blocks_for(&c->forward, bins_of_gpu(c, g));
    launch(m, &c->forward, c);
    launch(m, &c->back, c);
  }
}

/* ---- the same by plain loops --------------------------------------------- */

static double sum_back(const ct *c, const float *residual, size_t voxel,
                       size_t subset, size_t subsets)
{
  double sum = 0.0;
  for (size_t view = subset; view < c->views; view += subsets)
    sum += project_back(c, residual, voxel, view);
  return sum;
}

/* Of views subset, subset + subsets, ...; `from` NULL: 0. */
static void subtract_projection(const ct *c, const float *from,
                                const float *image, float *to, size_t subset,
                                size_t subsets)
{
  for (size_t view = subset; view < c->views; view += subsets)
    for (size_t i = 0; i < c->rows * c->channels; i++) {
      const bin b = {view, i / c->channels, i % c->channels};
      const size_t at = bin_at(c, b);
      to[at] = (from ? from[at] : 0.0f) - (float)project(c, image, b);
    }
}

static void iterate_plainly(const ct *c)
{
  for (size_t s = 0; s < c->subsets; s++) {
    subtract_projection(c, c->measured, c->plain, c->plain_residual, s,
                        c->subsets);
    for (size_t v = 0; v < c->n * c->n * c->n; v++)
      if (is_inside(c, v))
        c->plain[v] = updated(c, c->plain[v], v,
                              sum_back(c, c->plain_residual, v, s, c->subsets));
  }
}

static double norm_of(const ct *c, const float *bins)
{
  double sum = 0.0;
  for (size_t i = 0; i < c->views * c->rows * c->channels; i++)
    sum += (double)bins[i] * (double)bins[i];
  return sqrt(sum);
}

/* ---- the program --------------------------------------------------------- */

static void place_views(ct *c)
{
  const double travel = TURNS * PITCH * (double)c->rows; /* slices */
  const double views = (double)c->views;

  c->cosine = need(c->views, sizeof *c->cosine);
  c->sine = need(c->views, sizeof *c->sine);
  c->source_z = need(c->views, sizeof *c->source_z);
  for (size_t v = 0; v < c->views; v++) {
    const double angle = 2.0 * PI * TURNS * (double)v / views;
    c->cosine[v] = cos(angle);
    c->sine[v] = sin(angle);
    c->source_z[v] = c->centre + travel * (((double)v + 0.5) / views - 0.5);
  }
}

/* The rays that touch the field of view pass the axis so far beside it. */
static double half_detector(const ct *c)
{
  const double r = 0.5 * (double)c->n;
  return c->radius * r / sqrt(c->radius * c->radius - r * r);
}

/* Balls of density 1. */
static void fill(const ct *c, float *image, rng *r)
{
  const double n = (double)c->n;

  for (int ball = 0; ball < 8; ball++) {
    const double x = n * (0.3 + 0.4 * rng_uniform(r));
    const double y = n * (0.3 + 0.4 * rng_uniform(r));
    const double z = n * (0.1 + 0.8 * rng_uniform(r));
    for (size_t v = 0; v < c->n * c->n * c->n; v++) {
      const double a = (double)(v % c->n) - x;
      const double b = (double)(v / c->n % c->n) - y;
      const double d = SLICE * ((double)(v / c->n / c->n) - z);
      if (a * a + b * b + d * d < 0.02 * n * n && is_inside(c, v))
        image[v] = 1.0f;
    }
  }
}

/* Separable quadratic surrogates: 1 / (A' A 1); 0 where no ray passes. */
static void find_steps(ct *c)
{
  const size_t voxels = c->n * c->n * c->n;

  for (size_t v = 0; v < voxels; v++)
    c->plain[v] = is_inside(c, v) ? -1.0f : 0.0f;
  subtract_projection(c, NULL, c->plain, c->plain_residual, 0, 1);
  for (size_t v = 0; v < voxels; v++) {
    const double sum =
        is_inside(c, v) ? sum_back(c, c->plain_residual, v, 0, 1) : 0.0;
    c->step[v] = sum > 0.0 ? (float)(1.0 / sum) : 0.0f;
    c->plain[v] = 0.0f;
  }
}

static void mark_inside(ct *c)
{
  c->inside = need(c->n * c->n, sizeof *c->inside);
  for (size_t v = 0; v < c->n * c->n; v++) {
    const double x = (double)(v % c->n) - c->centre;
    const double y = (double)(v / c->n) - c->centre;
    c->inside[v] = x * x + y * y < 0.25 * (double)(c->n * c->n);
  }
}

/* In a slab x runs fastest, then y. */
static void deal_voxels(ct *c)
{
  uint32_t *next = c->item = need(c->n * c->n * c->n, sizeof *c->item);

  for (int g = 0; g < c->gpus; g++)
    for (size_t z = 0; z < c->n; z++)
      for (size_t y = part_of(c->n, c->gpus, g).begin;
           y < part_of(c->n, c->gpus, g).end; y++)
        for (size_t x = 0; x < c->n; x++)
          *next++ = (uint32_t)voxel_at(c, x, y, z);
}

static void allocate(ct *c)
{
  const size_t voxels = c->n * c->n * c->n;
  const size_t bins = c->views * c->rows * c->channels;

  c->image = need(voxels, sizeof *c->image);
  c->plain = need(voxels, sizeof *c->plain);
  c->step = need(voxels, sizeof *c->step);
  c->sum = need(voxels, sizeof *c->sum);
  c->residual = need(bins, sizeof *c->residual);
  c->plain_residual = need(bins, sizeof *c->plain_residual);
  c->measured = need(bins, sizeof *c->measured);
}

/* Rows and channels in the proportion of 64 and 888 to 512. */
static ct *scanner(size_t n, size_t subsets, size_t turn, int gpus)
{
  ct *c = need(1, sizeof *c);

  *c = (ct){.n = n,
            .rows = (64 * n + 511) / 512,
            .channels = (888 * n + 511) / 512,
            .views = (size_t)TURNS * turn,
            .subsets = subsets,
            .gpus = gpus,
            .radius = RADIUS * (double)n,
            .centre = 0.5 * (double)n - 0.5};
  c->width = 2.0 * half_detector(c) / (double)c->channels;
  if (n < (size_t)gpus)
    quit(EXIT_USAGE, "--size: %zu planes cannot be dealt to %d GPUs", n, gpus);
  return c;
}

static void *prepare(machine *m, const choice *choices, rng *r)
{
  ct *c = scanner((size_t)choices[0].value, (size_t)choices[2].value,
                  (size_t)choices[3].value, machine_gpus(m));
  const size_t voxels = c->n * c->n * c->n;

  place_views(c);
  mark_inside(c);
  deal_voxels(c);
  allocate(c);
  c->image_at = share(m, voxels * WORD);
  c->residual_at = share(m, c->views * c->rows * c->channels * WORD);
  find_steps(c);
  fill(c, c->plain, r);
  for (size_t v = 0; v < voxels; v++) c->plain[v] = -c->plain[v];
  subtract_projection(c, NULL, c->plain, c->measured, 0, 1);
  for (size_t v = 0; v < voxels; v++) c->plain[v] = 0.0f;
  c->norm = norm_of(c, c->measured);

  c->forward = (kernel){.name = "forward", .warps = 8, .run = forward};
  c->back = (kernel){.name = "back", .warps = 8, .run = back};
  c->back.bulk = (double)(voxels * WORD);
  for (int g = 0; g < c->gpus; g++)
    c->back.blocks[g] = blocks_for(&c->back, voxels_of_gpu(c, g));
  return c;
}

/* <A x, y> = <x, A' y>, with what is there: the image and the measured views.
 * Returns their relative difference. */
static double adjoint_error(const ct *c)
{
  double bins = 0.0, voxels = 0.0;

  subtract_projection(c, NULL, c->image, c->plain_residual, 0, 1);
  for (size_t i = 0; i < c->views * c->rows * c->channels; i++)
    bins -= (double)c->plain_residual[i] * (double)c->measured[i];
  for (size_t v = 0; v < c->n * c->n * c->n; v++)
    if (is_inside(c, v))
      voxels += (double)c->image[v] * sum_back(c, c->measured, v, 0, 1);
  return fabs(voxels / bins - 1.0);
}

static void verify(void *self, int iteration, bool last)
{
  ct *c = self;
  const double before = c->norm;
  size_t wrong = 0;

  (void)iteration;
  iterate_plainly(c);
  for (size_t v = 0; v < c->n * c->n * c->n; v++)
    wrong += c->image[v] != c->plain[v];
  subtract_projection(c, c->measured, c->image, c->plain_residual, 0, 1);
  c->norm = norm_of(c, c->plain_residual);
  if (last || !(c->norm < before))
    check(c->norm < before, "residual / that before", c->norm / before);
  if (!last) return;
  check(wrong == 0, "voxels unlike a plain loop's", (double)wrong);
  const double error = adjoint_error(c);
  check(error < 1e-6, "back projection is the adjoint, but for", error);
}

static void dispose(void *self)
{
  ct *c = self;
  void *const all[] = {c->cosine,   c->sine,           c->source_z, c->image,
                       c->residual, c->step,           c->measured, c->sum,
                       c->plain,    c->plain_residual, c->item,     c->inside};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(c);
}

int main(int argc, char **argv)
{
  static const program p = {
      .name = "ct",
      .summary = "Helical CT with ordered subsets, two exchanges per subset",
      .choices = {{"size", "voxels per edge", 32, 8, 512},
                  {"iterations", "through all subsets", 2, 1, 1000},
                  {"subsets", "of the views", 3, 1, 100},
                  {"views", "per turn of the helix", 24, 12, 1000}},
      .prepare = prepare,
      .iterate = iterate,
      .verify = verify,
      .dispose = dispose,
  };
  return trace_main(&p, argc, argv);
}
