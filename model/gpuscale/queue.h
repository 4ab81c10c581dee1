/* queue.h - sizes and closed forms of the write queues of proposed hardware. */
#ifndef GSCALE_QUEUE_H
#define GSCALE_QUEUE_H

#include "gpuscale.h"

/** Returns the bits of an entry of the GPS page table, which has the virtual
 *  page number, and a physical page number for each other GPU.
 *
 *    bits = (virtual - log2 page) + (gpus - 1) (physical - log2 page).
 *
 *  Given    gpus      >= 1.
 *           page      B, a power of two.
 *           virtual_bits, physical_bits   bits of an address, >= log2 page.
 *  Returns  bits.
 *  Limits   for pages of 64 KiB, addresses of 49 and 47 bits, and 4 GPUs, 126
 *           bits.
 *  Source   [Gps21] 5.2 and table 1. */
double gscale_gps_entry_bits(double gpus, double page, double virtual_bits,
                             double physical_bits);

/** Returns the SRAM of the GPS remote write queue, B = entries * entry.
 *
 *  Given    entries  >= 0;  entry  B of an entry with its tag, > 0.
 *  Limits   for 135 B, 64 entries have 8.4 KiB (printed: 8.5 KB), and 512
 *           entries have 67.5 KiB (printed: 68 KB).
 *  Source   [Gps21] 5.2 and table 1; [Diss22] 4.5.2. */
double gscale_gps_queue_bytes(double entries, double entry);

/** Returns the size of the bitmap in which GPS records the pages that a GPU
 *  touches, B = range / page / 8.
 *
 *  Given    range  B, >= 0;  page  B, > 0.
 *  Limits   for 32 GiB in pages of 64 KiB, 64 KiB.
 *  Source   [Gps21] 5.2. */
double gscale_gps_bitmap_bytes(double range, double page);

/** Returns the bytes that the sub-headers of one FinePack packet can address.
 *
 *    range = 2^(8 subheader - 10), where 10 bits are the length.
 *
 *  Given    subheader  B, whole, 2 to 6.
 *  Limits   for 2 to 6 B: 64 B, 16 KiB, 4 MiB, 1 GiB and 256 GiB.
 *  Source   [Diss22] table 5.2. */
double gscale_finepack_range(double subheader);

/** Returns the data capacity of FinePack's write queues in one GPU without tags
 *  and byte enables, B = 128 entries (gpus - 1).
 *
 *  Given    gpus  >= 1;  entries  number of entries for each other GPU, >= 0.
 *  Limits   for 64 entries and 4 GPUs, 24 KiB.
 *  Source   [Diss22] 5.3.2. */
double gscale_finepack_queue_bytes(double gpus, double entries);

/* ---- closed forms of write queues ---------------------------------------- */

/** Returns the number of distinct items in `draws` uniform, independent draws
 *  from n items.
 *
 *    distinct = n (1 - (1 - 1/n)^draws).
 *
 *  The equation applies to lines that the 32 lanes of a warp touch when they
 *  scatter over n lines, to lines written between two synchronisations, and to
 *  pages.
 *
 *  Given    n  >= 1;  draws  >= 0.
 *  Limits   for many items, `draws`; for many draws, n.
 *  Error    within 1 % of replay for 4 to 1024 lines.
 *  Source   [Cardenas75]. */
double gscale_distinct(double n, double draws);

/** Returns the number of entries that stores add to a write queue (misses)
 *  between two synchronisations.  The stores go to uniformly drawn lines.
 *
 *    fill  = lines ln(lines / (lines - resident)),
 *    added = distinct(lines, stores)                             stores <= fill
 *            resident + (stores - fill) (1 - resident / lines)   else.
 *
 *  No entry leaves while the queue fills.  Afterwards the queue holds
 *  `resident` random lines under any order of eviction.
 *
 *  Given    lines     >= 1.
 *           stores    >= 0.
 *           resident  entries when a store arrives, >= 0 (gps: watermark - 1).
 *                     If `lines` is not larger, no entry ever leaves.
 *  Returns  added entries, where stores / added is the number of stores merged
 *           in a line, and 1 - added / stores is the hit rate.
 *  Omits    lines of unequal popularity.
 *  Error    within 3 % of replay for 100 to 5000 lines and 512 entries.
 *  Source   ours; hit rate = resident / lines holds for uniform independent
 *           references under every policy that does not know the future. */
double gscale_queue_added(double lines, double stores, double resident);

/** Returns the number of stores in a FinePack packet with room for `most`
 *  stores, if the next store falls into the open window with probability q.
 *
 *    stores = (1 - q^most) / (1 - q).
 *
 *  Given    q     0 to 1; for uniform stores to a region, q = range / region.
 *           most  the smaller of entries and payload / (sub-header + size), >=
 *                 1.
 *  Limits   for q = 0, 1 store; for q = 1, `most` stores.
 *  Omits    merging, because a window has many more lines than `most`; several
 *           windows; packets that a synchronisation ends.
 *  Error    within 3 % of replay for regions of 1 to 16 windows and stores of 4
 *  to 32 B.
 *  Source   ours; stores = 1 / (1 - q) without a limit. */
double gscale_finepack_stores(double q, double most);

/** Shares of stores that are adjacent to an earlier store of the phase in the
 *  same line.  The five classes count other lines that the GPU stored to in
 *  between: fewer than 16, to 31, to 63, to 127, and to 255. */
enum {
  GSCALE_JOINS = 5
};
typedef struct gscale_joins {
  double share[GSCALE_JOINS]; /* share of all stores, >= 0; sum at most 1 */
} gscale_joins;

/** Returns the number of stores in a FinePack packet if some stores are
 *  adjacent to earlier stores and extend a waiting run instead of starting a
 *  new run.
 *
 *    stores = sum over k = 1 to most of  q^(k-1) / (1 - F(k)).
 *
 *  The k waiting runs belong to the last k lines.  A store therefore joins a
 *  run if the GPU stored to fewer than k other lines in between.  F(k) is the
 *  share of such stores, with numbers of lines uniform in each class.  1 / (1 -
 *  F(k)) stores come until the next run begins, which is in the open window
 *  with probability q.
 *
 *  Given    j     shares of adjacent stores.
 *           q     0 to 1, as for gscale_finepack_stores().
 *           most  number of runs that fit, >= 1.
 *  Limits   without joins, gscale_finepack_stores(); infinite if all stores
 *           join.
 *  Omits    dependence between stores (if about as many vectors as fit are
 *           written in turn, either all stores join or none); several windows.
 *  Error    within 6 % of replay for 8 to 256 vectors of 64 B in random order,
 *           and 64 entries.
 *  Source   ours. */
double gscale_finepack_joined(const gscale_joins *j, double q, double most);

/** The stores of one GPU in a phase, either before or after a queue. */
typedef struct gscale_stream {
  double stores;      /* number of stores, counted once for all destinations */
  double size;        /* B of a store, > 0 */
  double bytes;       /* B that are written, each counted once, > 0 */
  double region;      /* B over which a GPU's stores scatter; 0: in order */
  gscale_joins joins; /* scattered stores adjacent to earlier stores */
  double reuse;       /* in order: B of lines before a line repeats, >= 0 */
  double stride;      /* in order: B from a store to the next, >= 0; no gaps if
                       * <= size */
} gscale_stream;

/** Returns the lines that leave GPS's write queue.
 *
 *    in order:  visit = 128 B, or size * 128 / stride with gaps,
 *               lines = bytes / 128 if reuse <= 128 (entries - 2),
 *               lines = stores * size / visit otherwise.
 *    scattered: lines = queue_added(regions region / 128, stores, entries - 2),
 *               size = 128 (1 - (1 - size / 128)^(stores merged in a line)).
 *
 *  A visit is the data that the stores to a line write in a row.  The oldest
 *  line leaves when entries - 1 are in use.  Two stores to a line meet in the
 *  queue if at most entries - 2 other lines come between them.
 *
 *  Given    s        stores before the queue.
 *           regions  number of regions that share the queue, >= 1: one for each
 *                     destination that gets different stores.
 *           entries  size of the queue in entries, >= 0.
 *  Returns  lines that leave, as stores, and the B written in a line, as size;
 *           NaN outside the domain.
 *  Omits    varying distances, for which a mean says little near the queue's
 *           length; lines that are never whole.
 *  Error    none for stores in order over 1 to 8160 lines and a queue of 510;
 *           within 3 % of replay for regions of 32 KiB to 64 MiB.
 *  Source   [Gps21] 5.2; ours. */
gscale_stream gscale_gps_lines(const gscale_stream *s, double regions,
                               double entries);

/** FinePack's numbers: lines of a window, payload of a packet (B), and
 *  sub-header (B). */
typedef struct gscale_packer {
  double entries, payload, subheader;
} gscale_packer;

/** FinePack's result: number of packets, runs in each packet, and B of a
 *  run. */
typedef struct gscale_packets {
  double packets, runs, run;
} gscale_packets;

/** Returns the packets that FinePack makes from stores to one GPU.
 *
 *    in order:   a packet has `full` whole lines,
 *                full = min(entries, payload / (subheader + 128), range / 128),
 *                L = reuse / 128 lines, after which a line comes again, torn =
 *                full - floor(full / L) L sent = bytes / (1 - min(1, rewrites -
 *                1) torn / full)
 *                       if L <= full, else bytes rewrites.
 *    with gaps:  payload = runs subheader + sent,
 *                runs = sent / 128 + L (1 - visit / 128)
 *                if a line is present at its next visit, for which L <=
 *                entries, range / stride and payload / (subheader + visit);
 *                otherwise each visit is a run.
 *    scattered:  runs = finepack_stores(range / region, most),
 *                run = size finepack_joined / finepack_stores.
 *
 *  A full packet takes all lines of the window.  Lines of an unfinished group
 *  (torn) are sent again when they are rewritten, or split into two.
 *
 *  Given    s  stores before the queue.
 *           p  entries >= 1; payload > subheader + 1; subheader whole, 2 to 6.
 *  Returns  NaN outside the domain.
 *  Omits    groups of lines across two windows (sub-headers of 3 B); adjoining
 *           runs with gaps below 128 B; rewrites in a region of few lines;
 *           varying distances.
 *  Error    within 4 % of replay for stores of 4 to 128 B in order over 1 to
 *           8160 lines; within 6 % for regions of 32 KiB to 64 MiB, and for
 *           vectors that are written word by word.
 *  Source   [Diss22] 5.3; ours. */
gscale_packets gscale_finepack_packets(const gscale_stream *s,
                                       const gscale_packer *p);

/** Returns the probability that a GPU subscribes to a page.  The GPU touches
 *  each of the page's blocks independently with probability q.
 *
 *    p = 1 - (1 - q)^blocks.
 *
 *  Given    q  0 to 1; up to 1 + 1e-9 counts as 1.
 *           blocks  page size / block size, >= 0.
 *  Returns  p.  Each store has p * (number of other GPUs) copies, of which the
 *           share q / p is read and the rest is false sharing.
 *  Error    within 5 % of replay for pages of 4 KiB to 2 MiB and blocks of 4
 *           KiB.
 *  Source   ours. */
double gscale_subscribed(double q, double blocks);

/** Returns the hit rate of a table for uniform, independent references to
 *  pages, hits = min(1, entries / pages).
 *
 *  Given    pages  > 0;  entries  >= 0.
 *  Omits    first references; conflicts if there are fewer pages than entries.
 *  Error    within 5 % of replay for 8-way sets and 16 to 256 pages.
 *  Source   that of gscale_queue_added. */
double gscale_tlb_hits(double pages, double entries);

/** Returns the share of lines that leave GPS's write queue and whose pages miss
 *  the TLB.
 *
 *    in order:   misses = max(128, stride) / page if pages > entries, else 0.
 *    scattered:  misses = 1 - gscale_tlb_hits(pages, entries).
 *
 *  Given    s        stores that repeatedly enter the queue.
 *           regions  as in gscale_gps_lines, >= 1.
 *           page     B, >= 128;  entries  size of the TLB in entries, >= 0.
 *  Returns  0 to 1; NaN outside the domain.
 *  Omits    many blocks that each store in order at different places: every
 *           line may miss if there are more blocks than entries.
 *  Error    within 0.02 of replay for pages of 4 to 64 KiB, in order and
 *           scattered.
 *  Source   ours; [Diss22] 4.7.3 for the purpose of the TLB. */
double gscale_gps_misses(const gscale_stream *s, double regions, double page,
                         double entries);

#endif /* GSCALE_QUEUE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
