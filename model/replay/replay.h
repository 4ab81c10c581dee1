/* replay.h - the inside of a replay, for model/replay/ only.
 *
 * A record is a lane.  The coalescer (warp.c) makes transactions of lanes;
 * one of the machines (direct.c, gps.c, finepack.c) decides what they send; a
 * tally (tally.c) counts it by shape, so that the bytes on any link follow. */
#ifndef GPUSCALE_REPLAY_REPLAY_H
#define GPUSCALE_REPLAY_REPLAY_H

#include "ground/ground.h"
#include "replay/mask.h"

enum {
  GSCALE__ALL = (1 << GSCALE__LINE_BITS) - 1, /* GSCALE_DST_ALL in a key */
  GSCALE__ALONE = 4,                          /* B of an atomic with no other */
  GSCALE__LANES = 32,                         /* of a warp instruction */
  GSCALE__PIECES_MAX = 2 * GSCALE__LANES,     /* each lane across two lines */
  GSCALE__PIECE_BITS = 6,                     /* that number them */
  GSCALE__SLOTS = 8 * GSCALE__PIECES_MAX,     /* to find them by line */
  GSCALE__WINDOW = 64, /* of them are fetched for at once */
  GSCALE__PIECES_ROOM = 8 * GSCALE__WINDOW,
  GSCALE__INSTRUCTIONS = 4 * GSCALE__WINDOW /* a power of two */
};

/* What leaves an SM for one line.  Key: line number and destination. */
typedef struct gscale__piece {
  gscale__mask bits; /* gscale__bytes */
  uint64_t key;
  uint8_t part; /* of an atomic: of `merge` B, of its line */
  uint8_t gpu, kind;
  bool whole;
} gscale__piece;

static inline gscale__bytes gscale__bytes_of(const gscale__piece *p)
{
  return (gscale__bytes){p->bits, p->whole};
}

/* A warp instruction, of so many transactions. */
typedef struct gscale__instruction {
  gscale_operation kind;
  int gpu, lanes, pieces;
} gscale__instruction;

static inline uint64_t gscale__key(uint64_t line, unsigned dst)
{
  return line << GSCALE__LINE_BITS | (dst & GSCALE__ALL);
}

static inline uint64_t gscale__line_of(uint64_t key)
{
  return key >> GSCALE__LINE_BITS;
}

static inline unsigned gscale__dst_of(uint64_t key)
{
  return (unsigned)key & GSCALE__ALL;
}

/* One of `room` places, a power of two up to 2^32, for a key.  Multiplicative
 * hashing [Knuth98] takes the highest bits of the product: numbers in a row,
 * which lines mostly are, then lie far from one another. */
static inline size_t gscale__place(uint64_t key, size_t room)
{
  const uint64_t line_lowest =
      key >> GSCALE__LINE_BITS | key << (64 - GSCALE__LINE_BITS);
  return (size_t)((line_lowest * 0x9e3779b97f4a7c15u >> 32) * room >> 32);
}

/* ---- lines seen since a synchronisation (lines.c) ------------------------ */

enum {
  GSCALE__CELL = 13 /* groups of a cell, so that it is 64 B */
};

/* Neighbouring groups of 32 bits. */
typedef struct gscale__cell {
  uint64_t key;   /* number of the cell and destination */
  uint32_t epoch; /* of another epoch: the cell is free */
  uint32_t bits[GSCALE__CELL];
} gscale__cell;

/* Groups of 32 bits by number and destination; most are 0. */
typedef struct gscale__bits {
  gscale__cell *cell; /* each a line of the processor's cache */
  void *memory;       /* in which they lie */
  size_t room;        /* 0, or a power of two */
  size_t used;
  uint32_t epoch;
} gscale__bits;

void gscale__bits_init(gscale__bits *b);
void gscale__bits_free(gscale__bits *b);
void gscale__bits_forget(gscale__bits *b);  /* all */
bool gscale__bits_enlarge(gscale__bits *b); /* false: no memory */

/* The cell of the key, or the free one in which it belongs. */
static inline gscale__cell *gscale__bits_cell(const gscale__bits *b,
                                              uint64_t key)
{
  size_t i = gscale__place(key, b->room);
  while (b->cell[i].epoch == b->epoch && b->cell[i].key != key)
    i = (i + 1) & (b->room - 1);
  return &b->cell[i];
}

/* Sets bits of a group; returns those it had before.  False: no memory.  The
 * key: number of the group, which is below 2^59, and destination. */
static inline bool gscale__bits_set(gscale__bits *b, uint64_t group,
                                    unsigned dst, uint32_t bits,
                                    uint32_t *before)
{
  const uint64_t key = gscale__key(group / GSCALE__CELL, dst);

  *before = 0;
  if (4 * b->used >= 3 * b->room && !gscale__bits_enlarge(b)) return false;
  gscale__cell *const c = gscale__bits_cell(b, key);
  if (c->epoch != b->epoch) {
    *c = (gscale__cell){.key = key, .epoch = b->epoch};
    b->used++;
  }
  *before = c->bits[group % GSCALE__CELL];
  c->bits[group % GSCALE__CELL] |= bits;
  return true;
}

/* Words that were stored whole, a group for each line; bytes of other words, a
 * group for each quarter of a line. */
typedef struct gscale__lines {
  gscale__bits words, bytes;
} gscale__lines;

void gscale__lines_init(gscale__lines *l);
void gscale__lines_free(gscale__lines *l);
void gscale__lines_forget(gscale__lines *l); /* all */
bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from);
/* Any bytes: as gscale__lines_add. */
bool gscale__lines_add_any(gscale__lines *l, uint64_t key, gscale__mask bytes,
                           int *again);

/* Adds bytes to a line, `all` of them; *again is how many of them it had
 * before. False: no memory. */
static inline bool gscale__lines_add(gscale__lines *l, uint64_t key,
                                     gscale__bytes bytes, int all, int *again)
{
  const uint32_t words = gscale__words_of(bytes);
  uint32_t before;

  if (!bytes.whole || l->bytes.used > 0)
    return gscale__lines_add_any(l, key, gscale__mask_of(bytes), again);
  const bool ok = gscale__bits_set(&l->words, gscale__line_of(key),
                                   gscale__dst_of(key), words, &before);
  before &= words;
  *again = before == 0       ? 0
           : before == words ? all
                             : gscale__words_count(before);
  return ok;
}

/* Fetches what will be needed to add to the line, unless it is near anyway. Not
 * a call: gcc drops calls of what returns nothing and writes nothing. */
static inline __attribute__((always_inline)) void
gscale__lines_prefetch(const gscale__lines *l, uint64_t key)
{
  const size_t near = 2048; /* cells, 128 KiB */

  if (l->words.room <= near) return;
  const uint64_t cell =
      gscale__key(gscale__line_of(key) / GSCALE__CELL, gscale__dst_of(key));
  __builtin_prefetch(&l->words.cell[gscale__place(cell, l->words.room)], 1);
}

/* ---- pages and who subscribes to them (pages.c) -------------------------- */

typedef struct gscale__page {
  uint64_t number;
  uint64_t subscribers; /* a bit for each GPU; 0: the slot is free */
  uint64_t touched;     /* by whom */
  bool collapsed;       /* by a system store, for good */
} gscale__page;

typedef struct gscale__pages {
  gscale__page *slot;
  size_t room, used;
} gscale__pages;

bool gscale__pages_init(gscale__pages *p);
void gscale__pages_free(gscale__pages *p);

/* Where a page is sought first, and mostly found. */
static inline gscale__page *gscale__pages_first(const gscale__pages *p,
                                                uint64_t number)
{
  return &p->slot[gscale__place(gscale__key(number, 0), p->room)];
}

/* ---- a fully associative queue (queue.c) --------------------------------- */

enum {
  GSCALE__CAPACITY_MAX = 32768,
  GSCALE__NONE = UINT16_MAX /* no entry */
};

/* Older and newer: in the order of addition; chain: same bucket, or free. */
typedef struct gscale__entry {
  gscale__mask bits; /* gscale__bytes */
  uint64_t key;
  uint16_t older, newer, chain;
  bool whole;
} gscale__entry;

static inline gscale__bytes gscale__bytes_in(const gscale__entry *e)
{
  return (gscale__bytes){e->bits, e->whole};
}

static inline void gscale__merge(gscale__entry *e, gscale__bytes bytes)
{
  const gscale__bytes both = gscale__bytes_or(gscale__bytes_in(e), bytes);
  e->bits = both.bits;
  e->whole = both.whole;
}

typedef struct gscale__fifo {
  gscale__entry *entry;
  uint16_t *bucket;
  size_t buckets; /* a power of two */
  uint16_t oldest, newest, count;
  uint16_t free, touched; /* freed ones, chained; those from here on too */
} gscale__fifo;

bool gscale__fifo_init(gscale__fifo *q, int capacity);
void gscale__fifo_free(gscale__fifo *q);
void gscale__fifo_remove(gscale__fifo *q, uint16_t i);
void gscale__fifo_clear(gscale__fifo *q);
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from);

/* The entry of that key, or GSCALE__NONE. */
static inline uint16_t gscale__fifo_find(const gscale__fifo *q, uint64_t key)
{
  uint16_t i = q->bucket[gscale__place(key, q->buckets)];
  while (i != GSCALE__NONE && q->entry[i].key != key) i = q->entry[i].chain;
  return i;
}

/* An entry that was freed, or else one that was never in use. */
static inline uint16_t gscale__fifo_take_free(gscale__fifo *q)
{
  const uint16_t i = q->free;

  if (i == GSCALE__NONE) return q->touched++;
  q->free = q->entry[i].chain;
  return i;
}

static inline void gscale__fifo_place(gscale__fifo *q, uint16_t i, uint64_t key,
                                      gscale__bytes bytes)
{
  uint16_t *const bucket = &q->bucket[gscale__place(key, q->buckets)];
  gscale__entry *const e = &q->entry[i];

  e->bits = bytes.bits;
  e->whole = bytes.whole;
  e->key = key;
  e->chain = *bucket;
  *bucket = i;
  q->count++;
}

static inline void gscale__fifo_add(gscale__fifo *q, uint64_t key,
                                    gscale__bytes bytes)
{
  const uint16_t i = gscale__fifo_take_free(q);

  gscale__fifo_place(q, i, key, bytes);
  q->entry[i].older = q->newest;
  q->entry[i].newer = GSCALE__NONE;
  if (q->newest != GSCALE__NONE)
    q->entry[q->newest].newer = i;
  else
    q->oldest = i;
  q->newest = i;
}

/* To a queue that is only emptied as a whole, in the order of its array: what
 * is never removed alone needs no links. */
static inline void gscale__fifo_append(gscale__fifo *q, uint64_t key,
                                       gscale__bytes bytes)
{
  gscale__fifo_place(q, q->touched++, key, bytes);
}

/* ---- tallies (tally.c) --------------------------------------------------- */

typedef uint64_t gscale__shapes[GSCALE__LINE][GSCALE__LINE + 1];

/* Packets by what they carry: [offset in the line][length].  A line whose bytes
 * are contiguous is in `whole`; one with gaps, in `part` by its runs and in
 * `span` from first to last byte. */
typedef struct gscale__tally {
  gscale_replay_counts n;
  gscale__shapes whole, part, span;
  uint64_t *packed; /* FinePack's packets by payload */
  uint64_t copies;  /* of granules */
} gscale__tally;

/* ---- the replay ---------------------------------------------------------- */

typedef struct gscale__tlb {
  uint64_t *page; /* + 1; sets of `ways`, most recently used first */
} gscale__tlb;

typedef struct gscale__window {
  gscale__fifo queue;
  uint64_t base;   /* address without the bits of the offset */
  int available;   /* B, the payload register */
  uint64_t opened; /* the how-manieth window */
  uint64_t last;   /* clock of its GPU when a store was added */
} gscale__window;

/* Destinations that got the same stores since the GPU last synchronised: what
 * waits for one waits for all. */
typedef struct gscale__outlet {
  uint64_t to;            /* a bit for each, */
  uint64_t copies;        /* and how many they are */
  gscale__window *window; /* NULL: never used */
  gscale__lines sent;
} gscale__outlet;

/* One GPU. */
typedef struct gscale__gpu {
  gscale__lines sent;   /* since it last synchronised; not finepack's */
  gscale__bits regions; /* bulk: granules written in this phase */
  uint64_t clock;       /* records issued before this instruction */
  gscale__fifo queue;   /* gps */
  gscale__tlb tlb;
  gscale__outlet *outlet; /* finepack: room for one for each destination */
  uint8_t *outlet_of;     /* of each destination */
  int outlets;            /* in use */
} gscale__gpu;

typedef struct gscale__machine gscale__machine;

struct gscale_replay {
  gscale_replay_options o;
  const gscale__machine *machine;
  gscale_status status; /* of the first failure */
  bool finished;
  int page_bits, granule_bits, offset_bits; /* offset: finepack */
  uint64_t sets;                            /* of the TLB */
  int entries;                              /* finepack: of a window */
  uint64_t everyone;                        /* a bit for each GPU */
  bool profiling;
  uint64_t collapsed, opened;
  gscale__pages pages;
  gscale__gpu *gpu;
  gscale__tally *now, tally[GSCALE_STAGE_END];

  /* the warp instruction being put together */
  gscale_record first; /* its first lane */
  int lanes, pieces;   /* 0 lanes: none */
  uint64_t bytes;      /* of its lanes */
  bool merged;         /* lanes may have bytes in common */
  uint32_t checked;    /* form of a record that was right; 0: none yet */
  uint32_t serial;
  uint32_t slot[GSCALE__SLOTS]; /* serial and piece; of another serial: free */

  /* Instructions that are complete and wait, counted as they come and go; their
   * transactions, of which it is fetched for those before `fetched`; then, from
   * `begun` on, those of the one being put together. */
  gscale__instruction instruction[GSCALE__INSTRUCTIONS];
  uint32_t instructions, oldest_instruction;
  int oldest, fetched, begun;
  gscale__piece piece[GSCALE__PIECES_ROOM];
};

/* What stands between SMs and link. */
struct gscale__machine {
  /* True with its memory for each GPU.  NULL: it needs none. */
  bool (*prepare)(gscale_replay *r, gscale__gpu *g);
  void (*release)(gscale_replay *r, gscale__gpu *g);
  /* The n transactions of an instruction of GPU `gpu`. */
  void (*take)(gscale_replay *r, int gpu, gscale_operation kind,
               const gscale__piece *p, int n);
  /* Empties the queues of a GPU.  NULL: there are none. */
  void (*drain)(gscale_replay *r, int gpu, gscale_flush why);
  /* Fetches what will be needed to take the n transactions. */
  void (*expect)(const gscale_replay *r, const gscale__piece *p, int n);
  bool phases_only; /* what was sent is forgotten at phases, not at fences */
};

extern const gscale__machine gscale__machine_sm, gscale__machine_plain,
    gscale__machine_gps, gscale__machine_finepack, gscale__machine_bulk;

/* Coalesces the next records and has their machine take them; returns how many
 * come before one that is not as it should be. */
size_t gscale__coalesce(gscale_replay *r, const gscale_record *v, size_t n);
/* The instruction that is being put together is complete. */
void gscale__issue(gscale_replay *r);
/* A fence or the end of a phase. */
void gscale__synchronise(gscale_replay *r, const gscale_record *v);

/* How many GPUs a set has; mostly it is one. */
static inline uint64_t gscale__gpus_in(uint64_t set)
{
  return (set & (set - 1)) == 0 ? set != 0 : (uint64_t)gscale__count64(set);
}

static inline uint64_t gscale__bit(int gpu)
{
  return (uint64_t)1 << gpu;
}

/* The page, which may be new; NULL without memory. */
gscale__page *gscale__page_of(gscale_replay *r, int gpu, uint64_t number);

/* The page of a line, noted as touched by the GPU; NULL without memory. */
static inline gscale__page *gscale__touch(gscale_replay *r, int gpu,
                                          uint64_t line)
{
  const uint64_t number = line >> (r->page_bits - GSCALE__LINE_BITS);
  gscale__page *page = gscale__pages_first(&r->pages, number);

  if (page->number != number || !page->subscribers)
    page = gscale__page_of(r, gpu, number);
  if (page) page->touched |= gscale__bit(gpu);
  return page;
}

/* Fetches the pages of transactions for all, as an `expect`. */
void gscale__pages_fetch(const gscale_replay *r, const gscale__piece *p, int n);

/* The other GPUs that get what `gpu` stores under the key. */
static inline uint64_t gscale__receivers(gscale_replay *r, int gpu,
                                         uint64_t key)
{
  const unsigned dst = gscale__dst_of(key);
  uint64_t to = gscale__bit((int)dst & 63);

  if (dst == GSCALE__ALL) {
    const gscale__page *const page =
        gscale__touch(r, gpu, gscale__line_of(key));
    to = page ? page->subscribers : 0;
  }
  return to & ~gscale__bit(gpu);
}

/* True if a load does not find its bytes in its own GPU's memory. */
bool gscale__loads_remotely(gscale_replay *r, int gpu, uint64_t key);
/* Sends one transaction to so many GPUs as packets of its own.  All atomics and
 * system stores are useful. */
void gscale__send_piece(gscale_replay *r, int gpu, gscale_operation kind,
                        const gscale__piece *p, uint64_t copies);
/* Counts bytes of a line, `all` of them, which go to so many GPUs as useful or
 * redundant, by what those were sent before. */
static inline void gscale__deliver(gscale_replay *r, gscale__lines *sent,
                                   uint64_t key, gscale__bytes bytes, int all,
                                   uint64_t copies)
{
  gscale_replay_counts *const n = &r->now->n;
  int again = 0;

  if (!gscale__lines_add(sent, key, bytes, all, &again))
    r->status = GSCALE_ENOMEM;
  n->useful_bytes += copies * (uint64_t)(all - again);
  n->redundant_bytes += copies * (uint64_t)again;
}

/* NULL, or what is wrong with the record: "size: 17 is not 1 .. 16". */
const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size);

#endif /* GPUSCALE_REPLAY_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
