/* roofline.h - compute time and energy of one GPU. */
#ifndef GSCALE_ROOFLINE_H
#define GSCALE_ROOFLINE_H

#include "gpuscale.h"

/** Returns the share of the work that the busiest of n GPUs has.  Indivisible
 *  units are distributed as evenly as possible, and every GPU repeats the
 *  fraction `serial`.
 *
 *    share = serial + (1 - serial) ceil(units/n) / units.
 *
 *  Given    units   >= 1, whole;  n  >= 1;  serial  0 to 1.
 *  Returns  0 to 1.
 *  Limits   for many units, 1/n; for n >= units, 1/units.
 *  Source   ours; serial as in [Amdahl67]. */
double gscale_share(double units, int n, double serial);

/** Returns the factor of tile quantisation, which is the time of a kernel's
 *  arithmetic / the time if divisible thread blocks filled the GPU.  The kernel
 *  ends with the multiprocessor that has the most blocks.
 *
 *    filling = ceil(blocks / sms) sms / blocks.
 *
 *  Given    blocks  number of blocks of the kernel on this GPU, > 0;  sms  >=
 *                   1.
 *  Returns  >= 1.
 *  Limits   for many blocks, 1; for fewer blocks than sms, sms / blocks.
 *  Omits    latency hiding: several blocks on a multiprocessor take less than
 *           the sum of their times alone.
 *  Source   ours, with an even distribution of blocks to multiprocessors; runs
 *           of data/h200x2/sealed-8, where sgd multiplies half a batch. */
double gscale_filling(double blocks, double sms);

/** Returns the factor on a kernel's arithmetic if the kernel's blocks are
 *  launched in `pieces` consecutive kernels.  A piece with fewer blocks than
 *  multiprocessors takes as long as a full wave.  Larger pieces take as many
 *  waves as the whole kernel, so that more pieces never take less time.
 *
 *    factor = max( 1, pieces sms / blocks / filling(blocks) ).
 *
 *  Given    blocks  number of blocks of the whole kernel on this GPU, > 0.
 *           pieces  number of pieces, > 0, limited to 1 to `blocks` because a
 *                   kernel has at least one block.
 *           sms     >= 1.
 *  Returns  from 1 to `pieces`; NaN outside the domain.
 *  Limits   for one piece or pieces of many blocks, 1; for blocks that together
 *           do not fill the GPU, `pieces`.
 *  Omits    the same as gscale_filling; pieces of different size; the partial
 *           last wave of a piece, which would change h200x2's runs of
 *           memcpy-async by 0.1 % to the better in the mean, and als by 4 to 7
 *           % to the worse.
 *  Source   ours.  Runs of data/h200x2/sealed-10, where sgd has pieces of 4 to
 *           64 tiles. */
double gscale_filling_cut(double blocks, double pieces, double sms);

/** Attainable memory bandwidth / bandwidth of large footprints. */
enum {
  GSCALE_CURVE_MAX = 32
};
typedef struct gscale_curve {
  size_t n;                   /* number of points; 0: the factor is always 1 */
  double x[GSCALE_CURVE_MAX]; /* footprints in rising order, B */
  double y[GSCALE_CURVE_MAX]; /* factors, > 0 */
} gscale_curve;

/** Returns the factor of a curve at x, which is linear in log x between points
 *  and constant outside, or 1 without points. */
double gscale_curve_at(const gscale_curve *c, double x);

/** Returns the largest factor from x on, or 1 without points.  This is the
 *  bandwidth of an array of x B in a cache that also holds larger arrays,
 *  without the start of a kernel on so few bytes. */
double gscale_curve_from(const gscale_curve *c, double x);

/** Returns the number of random loads from an array that miss the SMs' level 1
 *  caches.  Each SM makes l = loads / sms loads from w words.  If all words
 *  fitted into the cache, only the first load of each word would miss:
 *
 *    first = w (1 - exp(-l/w)), missed = max(0, loads - sms min(1, l1 / (w
 *    word)) (l - first)).
 *
 *  The cache keeps the share of the words that fits.
 *
 *  Given    loads  number of loads of one GPU, >= 0; words w, > 0; word B of a
 *                  word, > 0.
 *           sms    >= 1;  l1  B of the cache of an SM, >= 0.
 *  Returns  from 0 to `loads`.
 *  Omits    other data in the cache; words that are loaded in turn.
 *  Source   ours. */
double gscale_l1_missed(double loads, double words, double word, double sms,
                        double l1);

/** Returns the time of a kernel that is bound by arithmetic or by memory.
 *
 *    T = max(flop / flops, bytes / membw) + start.
 *
 *  Given    flop    >= 0;  flops  flop/s, > 0.
 *           bytes   B through the memory system, >= 0.
 *           membw   B/s at this footprint, > 0.
 *           start   time of an empty kernel, s, >= 0.
 *  Returns  s.
 *  Omits    occupancy, partial last waves.
 *  Source   [Williams09]; the start is ours. */
double gscale_kernel_time(double flop, double flops, double bytes, double membw,
                          double start);

typedef struct gscale_calls { /* calls per GPU and phase */
  double launches, copies, events;
} gscale_calls;

/* ---- energy of a step ---------------------------------------------------- */

/** The powers of a GPU and of its share of a node, in W and >= 0, and NaN if
 *  unknown. */
typedef struct gscale_power {
  double gpu_busy;      /* power of a GPU that computes */
  double gpu_idle;      /* power of a GPU that waits */
  double host_busy;     /* power of CPUs that control or poll */
  double host_asleep;   /* power of CPUs that only wait */
  double memory_busy;   /* power of host memory while CPUs are busy */
  double memory_asleep; /* power of host memory while CPUs only wait */
  double link;          /* J/B of data to another GPU, at both ends */
} gscale_power;

/** Returns the energy of a step of one GPU and of its share of a node.
 *
 *    E = gpu_busy * busy + gpu_idle * (t - busy)
 *        + (host_busy + memory_busy) * host
 *        + (host_asleep + memory_asleep) * (t - host) + link * sent.
 *
 *  Given    t       time of the step, s, >= 0.
 *           busy    s of the step in which the GPU computes, 0 to t.
 *           host    s of the step in which the host is awake, 0 to t.
 *           sent    B that the GPU sends to other GPUs, >= 0.
 *  Returns  J; NaN outside the domain, or if a power is unknown.
 *  Limits   for no compute and a host that is asleep, idle power * t.
 *  Omits    NICs, whose power hardly depends on traffic ([Oden14] appendix A),
 *           fans and power supplies.
 *  Source   ours, with the states of [Oden14] 5.8.5; `link` from
 *           params/bench/power.cu, where GPUs that only send take 218 to 287 W,
 *           and idle GPUs 121 W. */
double gscale_energy(const gscale_power *p, double t, double busy, double host,
                     double sent);

#endif /* GSCALE_ROOFLINE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
