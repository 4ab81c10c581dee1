/*
 * roofline.h - one GPU's share of the compute, and the host's calls.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_ROOFLINE_H
#define GSCALE_ROOFLINE_H

#include "gpuscale/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one GPU's share of the compute -------------------------------------- */

/** Share of the busiest of n GPUs when `units` indivisible units are dealt out
 *  as evenly as can be, with a fraction that every GPU repeats.
 *
 *    share = serial + (1 - serial) ceil(units/n) / units
 *
 *  Given    units   >= 1, whole;  n  >= 1;  serial  0 .. 1
 *  Returns  0 .. 1
 *  Limits   1/n for many units; 1/units for n >= units
 *  Source   ours; serial as in [Amdahl67]
 */
double gscale_share(double units, int n, double serial);

/** How much longer the arithmetic of a kernel takes than if its equal blocks
 *  could be cut to fill the GPU: the multiprocessor that gets most of them says
 *  when the kernel ends (tile quantisation).
 *
 *    filling = ceil(blocks / sms) sms / blocks
 *
 *  Given    blocks  > 0, of the kernel on this GPU;  sms  >= 1
 *  Returns  >= 1
 *  Limits   1 for many blocks; sms / blocks for fewer than sms
 *  Omitted  that the blocks of one multiprocessor hide one another's latencies:
 *           several take less than as many times as long as one
 *  Source   ours; blocks are dealt to multiprocessors as evenly as can be. Runs
 *           of data/h200x2/sealed-8: the time of products on half a batch, sgd
 */
double gscale_filling(double blocks, double sms);

/** How much longer the arithmetic of a kernel takes if its blocks are launched
 *  in `pieces` kernels, one after the other: each fills the GPU as well as its
 *  own blocks do.
 *
 *    longer = filling(blocks / pieces) / filling(blocks)
 *
 *  Given    blocks  > 0, of the whole kernel on this GPU
 *           pieces  > 0; as a kernel has a block at least, 1 .. blocks count
 *           sms     >= 1
 *  Returns  1 .. pieces
 *  Limits   1 for one piece, or pieces of many blocks
 *           pieces if the blocks of all together do not fill the GPU
 *  Omitted  as gscale_filling; pieces that differ in size
 *  Errors   NaN outside its domain
 *  Source   ours. Runs of data/h200x2/sealed-10: pieces of 4 to 64 tiles, sgd
 */
double gscale_filling_cut(double blocks, double pieces, double sms);

/** Attainable memory bandwidth relative to that of large footprints. */
enum {
  GSCALE_CURVE_MAX = 32
};
typedef struct gscale_curve {
  size_t n;                   /* points; 0 = the same everywhere */
  double x[GSCALE_CURVE_MAX]; /* footprint, B, rising */
  double y[GSCALE_CURVE_MAX]; /* factor, > 0 */
} gscale_curve;

/** Value at x, linear in log x between points, constant outside; 1 if empty. */
double gscale_curve_at(const gscale_curve *c, double x);

/** Time of one kernel bound by arithmetic or by memory, whichever is slower.
 *
 *    T = max(flop / flops, bytes / membw) + start
 *
 *  Given    flop    >= 0;  flops  flop/s, > 0
 *           bytes   B that pass through the memory system, >= 0
 *           membw   B/s at this footprint, > 0
 *           start   s, >= 0, what a kernel costs that does nothing
 *  Returns  s
 *  Omits    occupancy, partial last waves
 *  Source   [Williams09], with a start-up time of our own
 */
double gscale_kernel_time(double flop, double flops, double bytes, double membw,
                          double start);

/* ---- the host ------------------------------------------------------------ */

typedef struct gscale_calls { /* issued for one GPU in one phase */
  double launches, copies, events;
} gscale_calls;

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_ROOFLINE_H */
