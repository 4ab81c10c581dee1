/* contend.h - contention of GPUs that send at once to the same GPU.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_CONTEND_H
#define GSCALE_CONTEND_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contention ---------------------------------------------------------- */

/** The order in which each GPU sends to the others. */
typedef enum gscale_turns {
  GSCALE_TURNS_ROTATED, /* i to i+1, i+2, ..., or changing per store */
  GSCALE_TURNS_SAME,    /* all to GPU 0 first, then to 1, ... */
  GSCALE_TURNS_END
} gscale_turns;

/** Returns the factor by which contention slows n GPUs that all send to all
 *  others.
 *
 *    1 + (1/c3 - 1) (n - 2).
 *
 *  Two GPUs never compete.  If all send to GPU 0 first, then to 1, ..., in
 *  step, their messages pass one receiver after another.  n (n-1)/2 of them
 *  then follow each other where n-1 would without contention.  This takes n/2
 *  times as long, 1 + (n - 2)/2, and c3 is 2/3.  Messages that are in step for
 *  only a share s of the time lose that share: 1/c3 - 1 = s/2.
 *
 *  Given    c3   rate at three GPUs / rate of two, > 0 .. 1; the argument
 *                covers 2/3 .. 1.
 *           n    GPUs, >= 1.
 *  Returns  >= 1; 1 for one GPU or two.  NaN outside its domain.
 *  Limits   ports joined by a switch: over links of their own, and on a bus,
 *           senders do not compete at a port.
 *  Omits    the two modes of a few long messages, all in step or none: three
 *           GPUs that copy over a stream for each destination reach either,
 *           0.68 or 1 times the rate, for seconds.
 *  Source   ours; data/h200x4/micro/contend.csv at n = 2, 3, 4 and
 *           data/h200x8/eight at 8. */
double gscale_meeting(double c3, int n);

/** Returns the uncertainty of a contention loss beyond the largest measured
 *  number of GPUs.
 *
 *    (1 - (most - 2) / (n - 2)) / sqrt(3).
 *
 *  Beyond `most` the loss may stay as it is there, (most - 2)/(n - 2) of
 *  gscale_meeting, or exceed gscale_meeting by the same amount.  Values between
 *  are equally likely.
 *
 *  Given    n      GPUs, >= 1;  most  GPUs measured together, >= 2.
 *  Returns  standard error of the loss, relative to it; 0 for n <= most.  NaN
 *           outside its domain.
 *  Source   ours. */
double gscale_beyond(int n, int most);

/** Returns the time of a GPU for each small packet into its memory, from m
 *  senders at once.
 *
 *    (1 - few/m) / rate.
 *
 *  Consecutive packets of different GPUs cost the receiver more than those of
 *  one. If m senders' packets come in random order, the next one has the same
 *  sender with probability 1/m.
 *
 *  Given    rate   1/s, of very many senders, > 0.
 *           few    0 .. 1: reduction if all are of one sender.
 *           m      >= 1.
 *  Returns  s.  NaN outside its domain.
 *  Limits   m = 1: no other sender competes; the sender has a limit of its own.
 *  Source   ours; the same for stores, loads and atomics in
 *           data/h200x4/micro/contend.csv. */
double gscale_ingress(double rate, double few, double m);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_CONTEND_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
