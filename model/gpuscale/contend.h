/* contend.h - contention of GPUs that send to the same GPU at the same time. */
#ifndef GSCALE_CONTEND_H
#define GSCALE_CONTEND_H

/** The order in which each GPU sends to all other GPUs. */
typedef enum gscale_turns {
  GSCALE_TURNS_ROTATED, /* GPU i sends to i+1, i+2, ... */
  GSCALE_TURNS_SAME,    /* all GPUs send to GPU 0, then to 1, ... */
  GSCALE_TURNS_END
} gscale_turns;

/** Returns the factor by which contention slows n GPUs that each send to all
 *  others.
 *
 *    factor = 1 + (1/c3 - 1) (n - 2).
 *
 *  Two GPUs never compete.  If all GPUs send to GPU 0, then to 1, ..., in step,
 *  messages pass one receiver after another: n (n-1)/2 messages in series
 *  instead of n-1.  The factor is then n/2 = 1 + (n - 2)/2, and c3 = 2/3.  If
 *  messages are in step for only a share s of the time, 1/c3 - 1 = s/2.
 *
 *  Given    c3   rate of three GPUs / rate of two, > 0, <= 1; the derivation
 *                covers 2/3 to 1.
 *           n    number of GPUs, >= 1.
 *  Returns  >= 1; 1 for one GPU or two; NaN outside the domain.
 *  Limits   for ports on a switch only: with a link for each pair, and on a
 *           bus, senders do not compete at a port.
 *  Omits    the two modes of a few long messages, which are all in step or all
 *           not: three GPUs with a stream for each destination copy at 0.68 or
 *           at 1 times the rate for seconds.
 *  Source   ours; data/h200x4/micro/contend.csv for n = 2, 3 and 4, and
 *           data/h200x8/eight for n = 8. */
double gscale_meeting(double c3, int n);

/** Returns the uncertainty of a contention loss beyond the largest measured
 *  number of GPUs.
 *
 *    uncertainty = (1 - (most - 2) / (n - 2)) / sqrt(3).
 *
 *  Beyond `most` GPUs, the loss is at least the loss of `most` GPUs, which is
 *  (most - 2)/(n - 2) of gscale_meeting's, and at most as far above
 *  gscale_meeting's loss.  All losses between these two bounds are equally
 *  likely.
 *
 *  Given    n      number of GPUs, >= 1; most largest measured n, >= 2.
 *  Returns  relative standard error of the loss; 0 for n <= most; NaN outside
 *           the domain.
 *  Source   ours. */
double gscale_beyond(int n, int most);

/** Returns the time that a GPU takes for each small packet into its memory when
 *  m GPUs send at once.
 *
 *    time = (1 - few/m) / rate.
 *
 *  Consecutive packets cost the receiver more if they come from different GPUs.
 *  If packets of m senders arrive in random order, the next packet has the same
 *  sender with probability 1/m.
 *
 *  Given    rate   packets/s of very many senders, > 0.
 *           few    relative reduction for one sender, 0 to 1.
 *           m      number of senders, >= 1.
 *  Returns  s; NaN outside the domain.
 *  Limits   for m = 1, no sender competes, and the sender's own limit decides.
 *  Source   ours; stores, loads and atomics agree in
 *           data/h200x4/micro/contend.csv. */
double gscale_ingress(double rate, double few, double m);

#endif /* GSCALE_CONTEND_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
