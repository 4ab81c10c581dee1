/* device.c - parameters of kernels on one GPU. */

#include "recipe.h"

#include <stdlib.h>
#include <string.h>

/* Fits large footprints: time = start + bytes / membw. */
static void device_membw(bench_run *b)
{
  const wanted w = {.bench = "membw", .size_least = 256 * GSCALE__MIB};

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r) gscale__add_item(b, r, (double[]){1.0, r->size});
  gscale__solve_inverse(b, GSCALE_DEVICE_MEMBW, 1, "membw");
}

/* Fits dependent loads of one thread from the memory of its own GPU. */
static void own_latency(bench_run *b, const char *bench, gscale_param_id id)
{
  const wanted w = {.bench = bench};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    if (strcmp(r->src, r->dst) == 0) gscale__add_item(b, r, NULL);
  gscale__solve_term(b, id, 0, bench);
}

static int by_footprint(const void *x, const void *y)
{
  const gscale_measurement *a = *(const gscale_measurement *const *)x;
  const gscale_measurement *c = *(const gscale_measurement *const *)y;
  return GSCALE_ORDER(a->size, c->size);
}

/* Computes the factor at each footprint: bytes / (time - start) / membw,
 * averaged over rows with equal footprints. */
static void membw_curve(bench_run *b)
{
  const double start = gscale__value(b, GSCALE_DEVICE_START);
  const double membw = gscale__value(b, GSCALE_DEVICE_MEMBW);
  const gscale_measurement **row;
  gscale_curve c = {.n = 0};

  gscale__begin(b, 1);
  gscale__add_items(b, (wanted){.bench = "membw"}, 1.0);
  if (b->p.n == 0) return;
  row = b->p.from;
  qsort(row, b->p.n, sizeof *row, by_footprint);
  for (size_t i = 0, same; i < b->p.n && c.n < GSCALE_CURVE_MAX; i += same) {
    double sum = 0.0;
    for (same = 0; i + same < b->p.n && !(row[i + same]->size > row[i]->size);
         same++)
      sum += row[i + same]->time / row[i + same]->count - start;
    if (!(sum > 0.0)) continue;
    c.x[c.n] = row[i]->size;
    c.y[c.n++] = row[i]->size / (sum / (double)same) / membw;
  }
  if (c.n > 0) gscale_system_set_membw_curve(b->s, &c, NULL);
}

/* Fits rates of arithmetic: rate = 2 threads inflight / time. */
static void device_flops(bench_run *b)
{
  static const struct {
    const char *bench;
    gscale_param_id id;
  } rates[] = {{"flops_fp32", GSCALE_DEVICE_FLOPS},
               {"flops_fp64", GSCALE_DEVICE_FLOPS_FP64},
               {"flops_fp64_tensor", GSCALE_DEVICE_FLOPS_FP64_TENSOR},
               {"flops_tf32", GSCALE_DEVICE_FLOPS_TF32},
               {"flops_fp16", GSCALE_DEVICE_FLOPS_FP16}};

  for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
    const wanted w = {.bench = rates[k].bench};
    gscale__begin(b, 1);
    EACH_ROW (b, &w, r)
      gscale__add_item(b, r, (double[]){2.0 * r->threads * r->inflight});
    gscale__solve_inverse(b, rates[k].id, 0, rates[k].bench);
  }
}

void gscale__recipes_device(bench_run *b)
{
  device_flops(b);
  gscale__constant(b, GSCALE_DEVICE_START, (wanted){.bench = "kernel_gap"}, 1);
  device_membw(b);
  own_latency(b, "load_latency_memory", GSCALE_DEVICE_LATENCY);
  own_latency(b, "load_latency", GSCALE_DEVICE_CACHE_LATENCY);
  membw_curve(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
