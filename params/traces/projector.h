/* projector.h - the geometry of helical CT and its projector. */
#ifndef GPUSCALE_PROJECTOR_H
#define GPUSCALE_PROJECTOR_H

#include "trace.h"

/* Lengths are in voxels, 512 mm / n, and along the axis in slices of 0.625 of
 * that; a detector row is a slice high where the axis is.  The detector is
 * flat, at the axis, and just covers the field of view. */
typedef struct scanner {
  size_t n, rows, channels, views;
  double width, radius, centre; /* of a channel, of the helix; of the image */
  double slice;
  double *cosine, *sine, *source_z; /* of a view */
  bool *inside; /* the field of view: x, y; elsewhere the image is 0 */
} scanner;

/* For an image of n^3 voxels, with so many views in a turn of the helix. */
scanner scanner_new(size_t n, size_t turn);
void scanner_free(scanner *c);

typedef struct bin {
  size_t view, row, channel;
} bin;

size_t bin_at(const scanner *c, bin b);
size_t voxel_at(const scanner *c, size_t x, size_t y, size_t z);
bool is_inside(const scanner *c, size_t voxel);

/* A image, for one bin. */
double project(const scanner *c, const float *image, bin b);
/* A' residual, for one voxel, of one view. */
double project_back(const scanner *c, const float *residual, size_t voxel,
                    size_t view);

/* ---- what they read ------------------------------------------------------ */

typedef struct ray {
  double from[3], to[3]; /* to: the direction */
  int major, minor;      /* axes, 0: x, 1: y */
} ray;

ray ray_of(const scanner *c, bin b);

/* The voxels around a crossing with their weights; those off the image have
 * the weight 0. */
typedef struct corners {
  size_t voxel[4];
  double weight[4];
} corners;

corners corners_of(const scanner *c, const ray *r, size_t plane);

/* Bins [first, end) of a view whose rays can pass a voxel: less than a voxel
 * beside it. */
typedef struct shadow {
  size_t channel, channels_end, row, rows_end;
} shadow;

shadow shadow_of(const scanner *c, size_t voxel, size_t view);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
