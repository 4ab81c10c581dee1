/* projector.c - Joseph's projector for helical CT, and its adjoint.
 *
 * A ray is sampled where it crosses the planes of the axis that it is closest
 * to, bilinearly.  The adjoint uses the same weights: a voxel asks the bins
 * around its shadow. */

#include "projector.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double SLICE = 0.625;                    /* voxels */
static const double RADIUS = 541.0 / 512.0;           /* of the helix / n */
static const double TURNS = 9.0, PITCH = 63.0 / 64.0; /* detectors a turn */

static double larger(double x, double y)
{
  return x > y ? x : y;
}

static double smaller(double x, double y)
{
  return x < y ? x : y;
}

/* ---- rays ---------------------------------------------------------------- */

ray ray_of(const scanner *c, bin b)
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

size_t voxel_at(const scanner *c, size_t x, size_t y, size_t z)
{
  return (z * c->n + y) * c->n + x;
}

bool is_inside(const scanner *c, size_t voxel)
{
  return c->inside[voxel % (c->n * c->n)];
}

corners corners_of(const scanner *c, const ray *r, size_t plane)
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

double project(const scanner *c, const float *image, bin b)
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
static bool is_seen(const scanner *c, double z)
{
  const double smallest = c->radius / (c->radius + (double)c->n);
  return (fabs(z) - 1.0) * smallest < 0.5 * (double)c->rows;
}

shadow shadow_of(const scanner *c, size_t voxel, size_t view)
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

size_t bin_at(const scanner *c, bin b)
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
static double project_channel(const scanner *c, const float *residual,
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

double project_back(const scanner *c, const float *residual, size_t voxel,
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

/* ---- the scanner --------------------------------------------------------- */

static void place_views(scanner *c)
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
static double half_detector(const scanner *c)
{
  const double r = 0.5 * (double)c->n;
  return c->radius * r / sqrt(c->radius * c->radius - r * r);
}

static void mark_inside(scanner *c)
{
  c->inside = need(c->n * c->n, sizeof *c->inside);
  for (size_t v = 0; v < c->n * c->n; v++) {
    const double x = (double)(v % c->n) - c->centre;
    const double y = (double)(v / c->n) - c->centre;
    c->inside[v] = x * x + y * y < 0.25 * (double)(c->n * c->n);
  }
}

/* Rows and channels in the proportion of 64 and 888 to 512. */
scanner scanner_new(size_t n, size_t turn)
{
  scanner c = {.n = n,
               .rows = (64 * n + 511) / 512,
               .channels = (888 * n + 511) / 512,
               .views = (size_t)TURNS * turn,
               .radius = RADIUS * (double)n,
               .centre = 0.5 * (double)n - 0.5,
               .slice = SLICE};

  c.width = 2.0 * half_detector(&c) / (double)c.channels;
  place_views(&c);
  mark_inside(&c);
  return c;
}

void scanner_free(scanner *c)
{
  free(c->cosine);
  free(c->sine);
  free(c->source_z);
  free(c->inside);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
