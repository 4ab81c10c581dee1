/* roofline.h - compute time of one GPU, and its energy.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_ROOFLINE_H
#define GSCALE_ROOFLINE_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- compute of one GPU -------------------------------------------------- */

/** Returns the share of the busiest of n GPUs when `units` indivisible units
 *  are dealt out as evenly as possible, with a fraction that every GPU repeats.
 *
 *    share = serial + (1 - serial) ceil(units/n) / units.
 *
 *  Given    units   >= 1, whole;  n  >= 1;  serial  0 .. 1.
 *  Returns  0 .. 1.
 *  Limits   1/n for many units; 1/units for n >= units.
 *  Source   ours; serial as in [Amdahl67]. */
double gscale_share(double units, int n, double serial);

/** Returns the factor of tile quantisation: the time of a kernel's arithmetic
 *  over the time with blocks divided to fill the GPU.  The kernel ends with the
 *  multiprocessor that has the most blocks.
 *
 *    filling = ceil(blocks / sms) sms / blocks.
 *
 *  Given    blocks  > 0, of the kernel on this GPU;  sms  >= 1.
 *  Returns  >= 1.
 *  Limits   1 for many blocks; sms / blocks for fewer than sms.
 *  Omits    latency hiding between blocks of one multiprocessor: several take
 *           less than their number times one.
 *  Source   ours; blocks are dealt to multiprocessors as evenly as possible.
 *           Runs of data/h200x2/sealed-8: the time of products on half a batch,
 *           sgd. */
double gscale_filling(double blocks, double sms);

/** Returns the factor on a kernel's arithmetic if its blocks are launched in
 *  `pieces` consecutive kernels.  A piece with fewer blocks than
 *  multiprocessors takes as long as a full one.  Blocks beyond take as many
 *  rounds in pieces as in the whole, so that more pieces never take less.
 *
 *    longer = max( 1, pieces sms / blocks / filling(blocks) ).
 *
 *  Given    blocks  > 0, of the whole kernel on this GPU.
 *           pieces  > 0; as a kernel has at least one block, 1 .. blocks count.
 *           sms     >= 1.
 *  Returns  1 .. pieces.  NaN outside the domain.
 *  Limits   1 for one piece, or pieces of many blocks; pieces if the blocks of
 *           all together do not fill the GPU.
 *  Omits    the same as gscale_filling; pieces that differ in size; the partial
 *           last round of a piece (with it h200x2's runs by memcpy-async are
 *           0.1 % nearer in the mean, als 4 to 7 % further).
 *  Source   ours.  Runs of data/h200x2/sealed-10: pieces of 4 to 64 tiles, sgd.
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

/** Returns the value at x, linear in log x between points, constant outside; 1
 *  if empty. */
double gscale_curve_at(const gscale_curve *c, double x);

/** Returns the largest value from x on: the bandwidth of an array of x B in a
 *  cache that also holds larger ones, without the start of a kernel over so few
 *  bytes; 1 if empty.  Source: ours. */
double gscale_curve_from(const gscale_curve *c, double x);

/** Returns the loads from anywhere in an array that miss the SMs' level 1
 *  caches. Each SM makes its part, l = loads / sms, among w words.  With all of
 *  them in cache it would miss only the first load of each:
 *
 *    first = w (1 - exp(-l/w))                                   (Poisson)
 *    missed = max(0, loads - sms min(1, l1 / (w word)) (l - first)).
 *
 *  The cache keeps the share that fits.
 *
 *  Given    loads  of one GPU, >= 0;  words  w, > 0;  word  B of each, > 0.
 *           sms    >= 1;  l1  B of an SM's cache, >= 0.
 *  Returns  0..loads.
 *  Omits    other data in the cache; words that come by turns.
 *  Source   ours. */
double gscale_l1_missed(double loads, double words, double word, double sms,
                        double l1);

/** Returns the time of one kernel bound by arithmetic or by memory, whichever
 *  is slower.
 *
 *    T = max(flop / flops, bytes / membw) + start.
 *
 *  Given    flop    >= 0;  flops  flop/s, > 0.
 *           bytes   B that pass through the memory system, >= 0.
 *           membw   B/s at this footprint, > 0.
 *           start   s, >= 0, the time of an empty kernel.
 *  Returns  s.
 *  Omits    occupancy, partial last waves.
 *  Source   [Williams09], with a start-up time of our own. */
double gscale_kernel_time(double flop, double flops, double bytes, double membw,
                          double start);

/* ---- host calls ---------------------------------------------------------- */

typedef struct gscale_calls { /* calls for one GPU in one phase */
  double launches, copies, events;
} gscale_calls;

/* ---- energy of a step ---------------------------------------------------- */

/** The power of one GPU and its share of a node, >= 0: W, and J/B.  NaN:
 *  unknown. */
typedef struct gscale_power {
  double gpu_busy;      /* a GPU that computes */
  double gpu_idle;      /* a GPU that waits */
  double host_busy;     /* processors that control or poll */
  double host_asleep;   /* processors that only wait */
  double memory_busy;   /* host memory in the first case */
  double memory_asleep; /* and in the second */
  double link;          /* J/B sent to another GPU, at both ends */
} gscale_power;

/** Returns the energy of a step of one GPU and its share of a node.
 *
 *    gpu_busy t_busy + gpu_idle (t - t_busy)
 *    + (host_busy + memory_busy) t_host + (host_asleep + memory_asleep)
 *      (t - t_host) + link sent.
 *
 *  Given    t       s, the step, >= 0.
 *           busy    s of it in which the GPU computes, 0 .. t.
 *           host    s of it in which the host is awake, 0 .. t.
 *           sent    B that the GPU sends other GPUs, >= 0.
 *  Returns  J; NaN outside the domain, or if a number of p is not known.
 *  Limits   all asleep, nothing computed: idle power times t.
 *  Omits    the network card, whose power hardly depends on traffic ([Oden14]
 *           appendix A), fans and power supplies.
 *  Source   ours; by state, as [Oden14] 5.8.5 prints them; link of
 *           params/bench/power.cu, whose GPUs draw 218 to 287 W while they only
 *           send and 121 W idle. */
double gscale_energy(const gscale_power *p, double t, double busy, double host,
                     double sent);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_ROOFLINE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
