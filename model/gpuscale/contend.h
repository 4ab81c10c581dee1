/*
 * contend.h - what GPUs that send at once lose by meeting at one of them.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_CONTEND_H
#define GSCALE_CONTEND_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contention ----------------------------------------------------------
 */

/** In which order each GPU turns to the others. */
typedef enum gscale_turns {
  GSCALE_TURNS_ROTATED, /* GPU i to i+1, i+2, ..., or with each store to another
                         */
  GSCALE_TURNS_SAME,    /* all to GPU 0 first, then to 1, ... */
  GSCALE_TURNS_END
} gscale_turns;

/** Times longer that all of n GPUs take to send to all others, because they
 *  meet.
 *
 *    1 + (1/c3 - 1) (n - 2)
 *
 *  Two GPUs cannot meet.  If all turn to GPU 0 first, then to 1, ..., in step,
 *  their messages pass one receiver after the other: n (n-1)/2 of them take
 *  their turn where n-1 would, if no two met, so that it takes n/2 times as
 *  long, 1 + (n - 2)/2, and c3 is 2/3.  Messages that are in step for only a
 *  share s of the time, by chance or because some get ahead, lose that share of
 *  it: 1/c3 - 1 = s/2.
 *
 *  Given    c3   rate at three GPUs / rate of two, > 0 .. 1; 2/3 .. 1 is what
 *                the reasoning covers
 *           n    GPUs, >= 1
 *  Returns  >= 1; 1 for one GPU or two.  NaN outside its domain
 *  Limits   ports that a switch joins: over links of their own, and on a bus,
 *           senders do not meet at a port
 *  Omits    that a few long messages fall into either mode, all in step or all
 *           apart: three GPUs copying over a stream for each destination do
 *           either, 0.68 or 1 times the rate, for seconds
 *  Source   ours; data/h200x4/micro/contend.csv at n = 2, 3, 4 and
 *           data/h200x8/eight at 8
 */
double gscale_meeting(double c3, int n);

/** How far a loss over the number of GPUs is unknown beyond the most that were
 *  measured.
 *
 *    (1 - (most - 2) / (n - 2)) / sqrt(3)
 *
 *  Beyond `most` the loss may stay what it is there, (most - 2)/(n - 2) of what
 *  gscale_meeting says, or grow by as much more than it says.  Any value
 * between is as likely.
 *
 *  Given    n      GPUs, >= 1;  most  GPUs measured together, >= 2
 *  Returns  standard error of the loss, relative to it; 0 for n <= most.  NaN
 *           outside its domain
 *  Source   ours
 */
double gscale_beyond(int n, int most);

/** Time that a GPU takes for each small packet into its memory, of m senders at
 *  once.
 *
 *    (1 - few/m) / rate
 *
 *  Packets of different GPUs that follow one another cost the receiver more
 *  than those of one.  Of m senders whose packets come in any order, the next
 *  one is of the same sender with a chance of 1/m.
 *
 *  Given    rate   1/s, of very many senders, > 0
 *           few    0 .. 1: less by that share if all are of one sender
 *           m      >= 1
 *  Returns  s.  NaN outside its domain
 *  Limits   m = 1: only that no other sender is in the way; what one sender
 *           reaches is its own limit
 *  Source   ours; the same for stores, loads and atomics in
 *           data/h200x4/micro/contend.csv
 */
double gscale_ingress(double rate, double few, double m);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_CONTEND_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
