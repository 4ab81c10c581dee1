/* queue.h - write queues of proposed hardware: sizes and closed forms.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_QUEUE_H
#define GSCALE_QUEUE_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sizes of proposed hardware ------------------------------------------ */

/** Returns the bits of an entry of the GPS page table: the virtual page number
 *  and a physical page number for each other GPU.
 *
 *    bits = (virtual - log2 page) + (gpus - 1) (physical - log2 page).
 *
 *  Given    gpus      >= 1.
 *           page      B, a power of two.
 *           virtual_bits, physical_bits   of an address, >= log2 page.
 *  Returns  bits.
 *  Limits   64 KiB pages, 49 and 47 bits, 4 GPUs: 126.
 *  Source   [Gps21] 5.2 and table 1. */
double gscale_gps_entry_bits(double gpus, double page, double virtual_bits,
                             double physical_bits);

/** Returns the SRAM of the GPS remote write queue, B:  entries entry.
 *
 *  Given    entries  >= 0;  entry  B of one, with its tag, > 0.
 *  Limits   entries of 135 B: 64 make 8.4 KiB (printed: 8.5 KB), 512 make 67.5
 *           KiB (printed: 68 KB).
 *  Source   [Gps21] 5.2 and table 1; [Diss22] 4.5.2. */
double gscale_gps_queue_bytes(double entries, double entry);

/** Returns the bitmap in which GPS records a GPU's touched pages, B: range /
 *  page / 8.
 *
 *  Given    range  B, >= 0;  page  B, > 0.
 *  Limits   32 GiB in pages of 64 KiB: 64 KiB.
 *  Source   [Gps21] 5.2. */
double gscale_gps_bitmap_bytes(double range, double page);

/** Returns the bytes that the sub-headers of one FinePack packet can address.
 *
 *    range = 2^(8 subheader - 10)        10 bits are the length.
 *
 *  Given    subheader  B, 2 .. 6, whole.
 *  Limits   64 B, 16 KiB, 4 MiB, 1 GiB, 256 GiB.
 *  Source   [Diss22] table 5.2. */
double gscale_finepack_range(double subheader);

/** Returns the data capacity of FinePack's write queues in one GPU, B, without
 *  tags and byte enables:  128 entries (gpus - 1).
 *
 *  Given    gpus  >= 1;  entries  for each other GPU, >= 0.
 *  Limits   64 entries, 4 GPUs: 24 KiB.
 *  Source   [Diss22] 5.3.2. */
double gscale_finepack_queue_bytes(double gpus, double entries);

/* ---- closed forms of write queues ---------------------------------------- */

/** Returns the distinct items among `draws` uniform, independent ones of n.
 *
 *    n (1 - (1 - 1/n)^draws).
 *
 *  It applies to lines that the 32 lanes of a warp touch when they scatter over
 *  n lines, to lines written between two synchronisations, and to pages.
 *
 *  Given    n  >= 1;  draws  >= 0.
 *  Limits   draws for many items; n for many draws.
 *  Error    within 1 % of replay, 4 .. 1024 lines.
 *  Source   [Cardenas75]. */
double gscale_distinct(double n, double draws);

/** Returns the entries added to a write queue (misses) by `stores` between two
 *  synchronisations, to lines drawn uniformly out of `lines`.
 *
 *    fill  = lines ln(lines / (lines - resident))
 *    added = distinct(lines, stores)                             stores <= fill
 *            resident + (stores - fill) (1 - resident / lines)   else.
 *
 *  Nothing leaves while the queue fills.  Afterwards its entries are a random
 *  `resident` of the lines, whatever the order of eviction.
 *
 *  Given    lines     >= 1.
 *           stores    >= 0.
 *           resident  entries when a store arrives, >= 0: gps, watermark - 1;
 *                     if lines are no more, none ever leaves.
 *  Returns  added; stores / added is the stores merged in a line, 1 - added /
 *           stores the rate of hits.
 *  Omits    lines of unequal popularity.
 *  Error    within 3 % of replay, lines from 100 to 5000, 512 entries.
 *  Source   ours; hits = resident / lines holds for every policy without
 *           knowledge of the future, for uniform independent references. */
double gscale_queue_added(double lines, double stores, double resident);

/** Returns the stores in a FinePack packet when each next one falls into the
 *  open window with probability q, and `most` fit.
 *
 *    1 + q + ... + q^(most-1) = (1 - q^most) / (1 - q).
 *
 *  Given    q     0 .. 1; range / region for stores uniform over a region.
 *           most  >= 1: entries, or payload / (sub-header + size) if that is
 *                 less.
 *  Limits   1 for q = 0; most for q = 1.
 *  Omits    merging: a window has many more lines than `most`; several windows;
 *           packets cut short by synchronisation.
 *  Error    within 3 % of replay, regions of 1 to 16 windows, 4 to 32 B.
 *  Source   ours; k = 1 / (1 - q) without a limit. */
double gscale_finepack_stores(double q, double most);

/** Stores adjacent to an earlier store of the phase, in the same line.  Classes
 *  are by the number of other lines that their GPU stored to in between: fewer
 *  than 16, to 31, to 63, to 127, to 255. */
enum {
  GSCALE_JOINS = 5
};
typedef struct gscale_joins {
  double share[GSCALE_JOINS]; /* share of all stores, >= 0; sum at most 1 */
} gscale_joins;

/** Returns the stores in such a packet if some are adjacent to earlier ones,
 *  and extend a waiting run instead of starting another.
 *
 *    sum over k = 1 .. most of  q^(k-1) / (1 - F(k)).
 *
 *  The k runs are those of the k lines stored to last. A store therefore joins
 *  one if fewer than k other lines were stored to in between. F(k) is the share
 *  of such stores, where any number of lines of a class is as likely. 1 / (1 -
 *  F(k)) stores come until the next run begins, in the open window with
 *  probability q.
 *
 *  Given    j     as above.
 *           q     0 .. 1, as above.
 *           most  >= 1: runs that fit.
 *  Limits   gscale_finepack_stores for no joins; infinite if all stores join.
 *  Omits    dependence between stores: if about as many vectors as fit are
 *           written in turn, all of them join or none; several windows.
 *  Error    within 6 % of replay, 8 to 256 vectors of 64 B that are written in
 *           a random order, 64 entries.
 *  Source   ours. */
double gscale_finepack_joined(const gscale_joins *j, double q, double most);

/** The stores of one GPU in a phase, before or after a queue. */
typedef struct gscale_stream {
  double stores;      /* each once, for any destinations, >= 0 */
  double size;        /* B of one, > 0 */
  double bytes;       /* B written, each once, > 0 */
  double region;      /* B over which they scatter per GPU; 0: in order */
  gscale_joins joins; /* scattered: those beside earlier ones */
  double reuse;       /* in order: B of lines stored to before one repeats, >=
                       * 0 */
  double stride;      /* in order: B from one to the next, >= 0; no gaps up to
                       * `size` */
} gscale_stream;

/** Returns the lines that leave the write queue of GPS.
 *
 *    in order:  a visit leaves 128 B in a line, with gaps size 128 / stride
 *               reuse <= 128 (entries - 2):  bytes / 128 lines, whole ones
 *               else:  stores size / visit, of a visit each
 *    scattered: stores = queue_added(regions region / 128, stores, entries - 2)
 *               size = 128 (1 - (1 - size / 128)^(stores merged in a line)).
 *
 *  A line leaves when entries - 1 are in use, the oldest first.  It is still
 *  present for two stores if at most entries - 2 lines come between them, else
 *  for neither.
 *
 *  Given    s        as above.
 *           regions  that share the queue: destinations that do not get the
 *                    same stores, >= 1.
 *           entries  of the queue, >= 0.
 *  Returns  lines that leave, B written in one of them, the rest as in s; NaN
 *           outside the domain.
 *  Omits    varying distances: near the queue's length a mean says little;
 *           lines that are never whole.
 *  Error    none of replay in order, at 1 to 8160 lines and 510 that stay;
 *           within 3 %, 32 KiB to 64 MiB of region.
 *  Source   [Gps21] 5.2; ours. */
gscale_stream gscale_gps_lines(const gscale_stream *s, double regions,
                               double entries);

/** FinePack's numbers: lines of a window, B of a packet, B of a sub-header. */
typedef struct gscale_packer {
  double entries, payload, subheader;
} gscale_packer;

/** Packets, runs in each, B of a run. */
typedef struct gscale_packets {
  double packets, runs, run;
} gscale_packets;

/** Returns the packets that FinePack makes of stores to one GPU.
 *
 *    in order:   a packet has `full` whole lines,
 *                full = min(entries, payload / (subheader + 128), range / 128)
 *                Lines that come again after L = reuse / 128:
 *                torn = full - floor(full / L) L
 *                sent = bytes / (1 - min(1, rewrites - 1) torn / full)
 *                       if L <= full, else bytes rewrites.
 *    with gaps:  payload = runs subheader + sent
 *                runs = sent / 128 + L (1 - visit / 128)
 *                if a line is present at its next visit: L <= entries,
 *                range / stride and payload / (subheader + visit)
 *                else each visit is a run.
 *    scattered:  runs = finepack_stores(range / region, most)
 *                run = size finepack_joined / finepack_stores.
 *
 *  A full packet takes all lines along.  Lines of an unfinished group (torn)
 *  are sent again when they are rewritten, or cut in two.
 *
 *  Given    s  as above.
 *           p  entries >= 1; payload > subheader + 1; subheader whole, 2 .. 6.
 *  Returns  NaN outside the domain.
 *  Omits    groups of lines across two windows (sub-headers of 3 B); runs of
 *           gaps below 128 B that meet; rewrites in a region of few lines;
 *           varying distances.
 *  Error    within 4 % of replay in order, at 1 to 8160 lines, by 4 to 128 B; 6
 *           % at 32 KiB to 64 MiB of region, and of vectors written word by
 *           word.
 *  Source   [Diss22] 5.3; ours. */
gscale_packets gscale_finepack_packets(const gscale_stream *s,
                                       const gscale_packer *p);

/** Returns the probability that a page has a subscriber who touches each of its
 *  `blocks` with probability q, independently.
 *
 *    1 - (1 - q)^blocks.
 *
 *  Given    q  0 .. 1, to rounding: above 1 by at most 1e-9 counts as 1.
 *           blocks  page / block, >= 0.
 *  Returns  the probability; times the other GPUs it is the copies of each
 *           store. q / this is the share of copies that are read; the rest is
 *           false sharing.
 *  Error    within 5 % of replay, pages of 4 KiB to 2 MiB, blocks of 4 KiB.
 *  Source   ours. */
double gscale_subscribed(double q, double blocks);

/** Returns the hit rate of a table of `entries` for uniform, independent
 *  references to `pages` pages:  min(1, entries / pages).
 *
 *  Given    pages  > 0;  entries  >= 0.
 *  Omits    first references; conflicts where pages are fewer than entries.
 *  Error    within 5 % of replay, 8-way sets, 16 to 256 pages.
 *  Source   as gscale_queue_added. */
double gscale_tlb_hits(double pages, double entries);

/** Returns the share of lines leaving the write queue of GPS whose page misses
 *  the translation table.
 *
 *    in order    the first of a page: step / page, if there are more pages than
 *                entries, else none; a step is 128 B, or `stride` if larger
 *    scattered   1 - gscale_tlb_hits(pages, entries).
 *
 *  Given    s        enters the queue, again and again.
 *           regions  as in gscale_gps_lines, >= 1.
 *           page     B, >= 128;  entries  of the table, >= 0.
 *  Returns  0 .. 1; NaN outside the domain.
 *  Omits    blocks that each store in order, at many places at once: with more
 *           of them than entries every line may miss.
 *  Error    within 0.02 of replay, in order and scattered, pages of 4 to 64
 *           KiB.
 *  Source   ours; [Diss22] 4.7.3 for the purpose of the table. */
double gscale_gps_misses(const gscale_stream *s, double regions, double page,
                         double entries);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_QUEUE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
