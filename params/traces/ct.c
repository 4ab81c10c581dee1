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
 * What either makes goes to all GPUs.  A and A' are in projector.c. */

#include "projector.h"

#include <math.h>
#include <stdlib.h>

typedef struct ct {
  scanner scan;
  size_t subsets, voxels, bins; /* bins: of a view */
  int gpus;
  float *image, *residual, *measured, *step; /* step: 1 / (A' A 1) */
  uint64_t image_at, residual_at;
  double *sum;    /* of a voxel while its thread runs */
  uint32_t *item; /* voxels, slab by slab */
  kernel forward, back;
  size_t subset;
  float *plain, *plain_residual; /* the same by plain loops */
  double norm;
} ct;

static float updated(const ct *c, float image, size_t voxel, double back)
{
  const double x =
      (double)image + (double)c->subsets * back * (double)c->step[voxel];
  return x > 0.0 ? (float)x : 0.0f;
}

/* ---- forward ------------------------------------------------------------- */

static size_t views_of_subset(const ct *c)
{
  return (c->scan.views - c->subset + c->subsets - 1) / c->subsets;
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
  const size_t bins = c->bins;
  const size_t turn = i / bins * (size_t)c->gpus + (size_t)gpu;
  return (bin){c->subset + c->subsets * turn, i % bins / c->scan.channels,
               i % c->scan.channels};
}

static range bins_of_gpu(const ct *c, int gpu)
{
  return (range){0, views_of_gpu(c, gpu) * c->bins};
}

static int owner_of(const ct *c, size_t voxel)
{
  return part_owner(c->scan.n, c->gpus, voxel / c->scan.n % c->scan.n);
}

/* The voxels that rays cross at a plane: a load for each corner. */
static void load_corners(const ct *c, machine *m, int gpu, range of,
                         size_t plane)
{
  corners at[LANES];

  for (size_t k = of.begin; k < of.end; k++) {
    const ray r = ray_of(&c->scan, bin_of(c, gpu, k));
    at[k - of.begin] = corners_of(&c->scan, &r, plane);
  }
  for (int i = 0; i < 4; i++) {
    instruction(m, gpu);
    for (size_t k = 0; k < of.end - of.begin; k++)
      if (at[k].weight[i] > 0.0 && owner_of(c, at[k].voxel[i]) != gpu)
        access_shared(m, gpu, LOAD, ALL, c->image_at + WORD * at[k].voxel[i],
                      WORD);
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

  if (w->turn < c->scan.n) {
    if (wants_loads(m)) load_corners(c, m, w->gpu, of, w->turn);
    return of.begin < of.end;
  }
  instruction(m, w->gpu);
  for (size_t k = of.begin; k < of.end; k++) {
    const bin b = bin_of(c, w->gpu, k);
    const size_t at = bin_at(&c->scan, b);
    c->residual[at] = c->measured[at] - (float)project(&c->scan, c->image, b);
    store_all(c, m, w->gpu, c->residual_at + WORD * at);
  }
  return false;
}

/* ---- back ---------------------------------------------------------------- */

static range voxels_of_gpu(const ct *c, int gpu)
{
  const range y = part_of(c->scan.n, c->gpus, gpu);
  return (range){y.begin * c->scan.n * c->scan.n,
                 y.end * c->scan.n * c->scan.n};
}

/* Of lanes, the bins in which their voxels are seen. */
static void find_shadows(const ct *c, range of, size_t view, shadow *s)
{
  for (size_t k = of.begin; k < of.end; k++) {
    const bool inside = is_inside(&c->scan, c->item[k]);
    s[k - of.begin] =
        inside ? shadow_of(&c->scan, c->item[k], view) : (shadow){0, 0, 0, 0};
  }
}

/* Bin number `i` of each shadow that has it; true: some had. */
static bool load_bins(const ct *c, machine *m, int gpu, const shadow *s,
                      size_t lanes, size_t view, size_t i)
{
  bool some = false;

  instruction(m, gpu);
  for (size_t k = 0; k < lanes; k++) {
    const size_t width = s[k].channels_end - s[k].channel;
    if (i >= width * (s[k].rows_end - s[k].row)) continue;
    const bin b = {view, s[k].row + i / width, s[k].channel + i % width};
    some = true;
    access_shared(m, gpu, LOAD, ALL,
                  c->residual_at + WORD * bin_at(&c->scan, b), WORD);
  }
  return some;
}

/* Lanes go through their shadows together. */
static void load_shadows(const ct *c, machine *m, int gpu, range of,
                         size_t view)
{
  shadow s[LANES];

  find_shadows(c, of, view, s);
  for (size_t i = 0; load_bins(c, m, gpu, s, of.end - of.begin, view, i);) i++;
}

/* A turn for each view of the subset, then the stores. */
static bool back(void *self, machine *m, const warp *w)
{
  ct *c = self;
  const range of = lanes_of(w, voxels_of_gpu(c, w->gpu));
  const size_t view = c->subset + c->subsets * w->turn;
  const bool by_other = w->turn % (uint32_t)c->gpus != (uint32_t)w->gpu;

  if (w->turn < views_of_subset(c)) {
    if (wants_loads(m) && by_other) load_shadows(c, m, w->gpu, of, view);
    for (size_t k = of.begin; k < of.end; k++) {
      const size_t voxel = c->item[k];
      if (is_inside(&c->scan, voxel))
        c->sum[voxel] += project_back(&c->scan, c->residual, voxel, view);
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
    c->forward.bulk = (double)(views_of_subset(c) * c->bins * WORD);
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
  for (size_t view = subset; view < c->scan.views; view += subsets)
    sum += project_back(&c->scan, residual, voxel, view);
  return sum;
}

/* Of views subset, subset + subsets, ...; `from` NULL: 0. */
static void subtract_projection(const ct *c, const float *from,
                                const float *image, float *to, size_t subset,
                                size_t subsets)
{
  for (size_t view = subset; view < c->scan.views; view += subsets)
    for (size_t i = 0; i < c->bins; i++) {
      const bin b = {view, i / c->scan.channels, i % c->scan.channels};
      const size_t at = bin_at(&c->scan, b);
      to[at] = (from ? from[at] : 0.0f) - (float)project(&c->scan, image, b);
    }
}

static void iterate_plainly(const ct *c)
{
  for (size_t s = 0; s < c->subsets; s++) {
    subtract_projection(c, c->measured, c->plain, c->plain_residual, s,
                        c->subsets);
    for (size_t v = 0; v < c->voxels; v++)
      if (is_inside(&c->scan, v))
        c->plain[v] = updated(c, c->plain[v], v,
                              sum_back(c, c->plain_residual, v, s, c->subsets));
  }
}

static double norm_of(const ct *c, const float *bins)
{
  double sum = 0.0;
  for (size_t i = 0; i < c->scan.views * c->bins; i++)
    sum += (double)bins[i] * (double)bins[i];
  return sqrt(sum);
}

/* ---- the program --------------------------------------------------------- */

/* Balls of density 1. */
static void fill(const ct *c, float *image, rng *r)
{
  const double n = (double)c->scan.n;

  for (int ball = 0; ball < 8; ball++) {
    const double x = n * (0.3 + 0.4 * rng_uniform(r));
    const double y = n * (0.3 + 0.4 * rng_uniform(r));
    const double z = n * (0.1 + 0.8 * rng_uniform(r));
    for (size_t v = 0; v < c->voxels; v++) {
      const double a = (double)(v % c->scan.n) - x;
      const double b = (double)(v / c->scan.n % c->scan.n) - y;
      const double d =
          c->scan.slice * ((double)(v / c->scan.n / c->scan.n) - z);
      if (a * a + b * b + d * d < 0.02 * n * n && is_inside(&c->scan, v))
        image[v] = 1.0f;
    }
  }
}

/* Separable quadratic surrogates: 1 / (A' A 1); 0 where no ray passes. */
static void find_steps(ct *c)
{
  for (size_t v = 0; v < c->voxels; v++)
    c->plain[v] = is_inside(&c->scan, v) ? -1.0f : 0.0f;
  subtract_projection(c, NULL, c->plain, c->plain_residual, 0, 1);
  for (size_t v = 0; v < c->voxels; v++) {
    const double sum =
        is_inside(&c->scan, v) ? sum_back(c, c->plain_residual, v, 0, 1) : 0.0;
    c->step[v] = sum > 0.0 ? (float)(1.0 / sum) : 0.0f;
    c->plain[v] = 0.0f;
  }
}

/* In a slab x runs fastest, then y. */
static void deal_voxels(ct *c)
{
  uint32_t *next = c->item = need(c->voxels, sizeof *c->item);

  for (int g = 0; g < c->gpus; g++)
    for (size_t z = 0; z < c->scan.n; z++)
      for (size_t y = part_of(c->scan.n, c->gpus, g).begin;
           y < part_of(c->scan.n, c->gpus, g).end; y++)
        for (size_t x = 0; x < c->scan.n; x++)
          *next++ = (uint32_t)voxel_at(&c->scan, x, y, z);
}

static void allocate(ct *c)
{
  const size_t bins = c->scan.views * c->bins;

  c->image = need(c->voxels, sizeof *c->image);
  c->plain = need(c->voxels, sizeof *c->plain);
  c->step = need(c->voxels, sizeof *c->step);
  c->sum = need(c->voxels, sizeof *c->sum);
  c->residual = need(bins, sizeof *c->residual);
  c->plain_residual = need(bins, sizeof *c->plain_residual);
  c->measured = need(bins, sizeof *c->measured);
}

/* What the scanner sees of balls that nobody knows. */
static void measure(ct *c, rng *r)
{
  fill(c, c->plain, r);
  for (size_t v = 0; v < c->voxels; v++) c->plain[v] = -c->plain[v];
  subtract_projection(c, NULL, c->plain, c->measured, 0, 1);
  for (size_t v = 0; v < c->voxels; v++) c->plain[v] = 0.0f;
  c->norm = norm_of(c, c->measured);
}

static void make_kernels(ct *c)
{
  c->forward = (kernel){.name = "forward", .warps = 8, .run = forward};
  c->back = (kernel){.name = "back", .warps = 8, .run = back};
  c->back.bulk = (double)(c->voxels * WORD);
  for (int g = 0; g < c->gpus; g++)
    c->back.blocks[g] = blocks_for(&c->back, voxels_of_gpu(c, g));
}

static void *prepare(machine *m, const choice *choices, rng *r)
{
  const size_t n = (size_t)choices[0].value;
  ct *c = need(1, sizeof *c);

  c->gpus = machine_gpus(m);
  need_planes(n, c->gpus);
  c->subsets = (size_t)choices[2].value;
  c->scan = scanner_new(n, (size_t)choices[3].value);
  c->voxels = n * n * n;
  c->bins = c->scan.rows * c->scan.channels;
  allocate(c);
  deal_voxels(c);
  c->image_at = share(m, c->voxels * WORD);
  c->residual_at = share(m, c->scan.views * c->bins * WORD);
  find_steps(c);
  measure(c, r);
  make_kernels(c);
  return c;
}

/* <A x, y> = <x, A' y>, with what is there: the image and the measured views.
 * Returns their relative difference. */
static double adjoint_error(const ct *c)
{
  double bins = 0.0, voxels = 0.0;

  subtract_projection(c, NULL, c->image, c->plain_residual, 0, 1);
  for (size_t i = 0; i < c->scan.views * c->bins; i++)
    bins -= (double)c->plain_residual[i] * (double)c->measured[i];
  for (size_t v = 0; v < c->voxels; v++)
    if (is_inside(&c->scan, v))
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
  for (size_t v = 0; v < c->voxels; v++) wrong += c->image[v] != c->plain[v];
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
  void *const all[] = {c->image, c->residual, c->step,           c->measured,
                       c->sum,   c->plain,    c->plain_residual, c->item};
  scanner_free(&c->scan);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
