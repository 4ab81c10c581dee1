/* replay.h - internals of a replay, for model/replay/ only.
 *
 * A record is a lane.  The coalescer (warp.c) makes transactions of lanes.  A
 * machine (direct.c, gps.c, finepack.c) decides what the transactions send.  A
 * tally (tally.c) counts sent packets by shape, which gives the bytes on any
 * link. */
#ifndef GPUSCALE_REPLAY_REPLAY_H
#define GPUSCALE_REPLAY_REPLAY_H

#include "ground/ground.h"
#include "replay/queue.h"

#include <string.h>

/* ---- seen lines ---------------------------------------------------------- */

enum {
  GSCALE__CELL = 13 /* groups of a cell of 64 B */
};

/* A cell of adjacent groups of 32 bits. */
typedef struct gscale__cell {
  uint64_t key;   /* key: cell and destination */
  uint32_t epoch; /* cell is free in other epochs */
  uint32_t bits[GSCALE__CELL];
} gscale__cell;

/* Groups of 32 bits, found by number and destination.  Most groups are 0. */
typedef struct gscale__bits {
  gscale__cell *cell; /* cells, each a cache line */
  int shift;          /* from a hash to a cell */
  uint32_t epoch;
  void *memory; /* memory of the cells */
  size_t room;  /* a power of two; 0: no cells */
  size_t used;
} gscale__bits;

/* Returns the key of a cell whose number is below 2^57. */
static inline uint64_t gscale__cell_key(uint64_t cell, unsigned dst)
{
  return cell | (uint64_t)dst << (64 - GSCALE__LINE_BITS);
}

static inline gscale__cell *gscale__cell_first(const gscale__bits *b,
                                               uint64_t key)
{
  return &b->cell[gscale__hash_of(key) >> b->shift];
}

void gscale__bits_init(gscale__bits *b);
void gscale__bits_free(gscale__bits *b);
void gscale__bits_forget(gscale__bits *b); /* forgets all bits */
/* Equals gscale__cell_of() after a miss. */
gscale__cell *gscale__cell_find(gscale__bits *b, uint64_t key);

/* Returns the cell of a key, which may be new, or NULL without memory. */
static inline gscale__cell *gscale__cell_of(gscale__bits *b, uint64_t key)
{
  gscale__cell *const c = gscale__cell_first(b, key);
  const bool there = c->key == key && c->epoch == b->epoch;
  return GSCALE__RARELY(!there) ? gscale__cell_find(b, key) : c;
}

/* Sets bits of a group, and returns the bits that it had before.  Returns false
 * if memory is exhausted.  The number of a group is below 2^59. */
static inline bool gscale__bits_set(gscale__bits *b, uint64_t group,
                                    unsigned dst, uint32_t bits,
                                    uint32_t *before)
{
  gscale__cell *const c =
      gscale__cell_of(b, gscale__cell_key(group / GSCALE__CELL, dst));

  *before = 0;
  if (!c) return false;
  uint32_t *const those = &c->bits[group % GSCALE__CELL];
  *before = *those;
  *those |= bits;
  return true;
}

/* Words of a line that are to be noted. */
typedef struct gscale__note {
  uint64_t cell; /* key of the cell */
  uint32_t words;
  uint8_t group;  /* group in the cell */
  uint8_t copies; /* number of copies sent */
} gscale__note;

enum {
  GSCALE__BATCH = 16 /* notes in each half */
};

/* The table `words` has whole words, one group per line.  The table `bytes` has
 * other bytes, one group per quarter of a line.  Pending are the `half` notes
 * of one half, and the notes before `notes` in the other half. */
typedef struct gscale__lines {
  gscale__bits words, bytes;
  unsigned notes, half;
  gscale__note note[2 * GSCALE__BATCH];
} gscale__lines;

void gscale__lines_init(gscale__lines *l);
void gscale__lines_free(gscale__lines *l);
void gscale__lines_forget(gscale__lines *l); /* also forgets notes */
bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from);

/* Adds bytes to a line without pending notes.  Returns how many of the bytes
 * the line had before, or -1 if memory is exhausted. */
int gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes);

/* Prefetches a cell, unless all cells fit the cache. */
static inline void gscale__cell_prefetch(const gscale__bits *b, uint64_t key)
{
  const size_t near = 2048; /* number of cells in 128 KiB */
  if (b->room > near) __builtin_prefetch(gscale__cell_first(b, key), 1);
}

/* ---- subscriptions ------------------------------------------------------- */

typedef struct gscale__page {
  uint64_t number;
  uint64_t subscribers; /* bits of GPUs; 0: free slot */
  uint64_t touched;     /* bits of GPUs */
  bool collapsed;       /* a system store left one copy */
} gscale__page;

typedef struct gscale__pages {
  gscale__page *slot;
  size_t room, used;
  int shift; /* shift of a hash */
} gscale__pages;

bool gscale__pages_init(gscale__pages *p);
void gscale__pages_free(gscale__pages *p);

/* Returns the first slot for a page, which mostly contains the page. */
static inline gscale__page *gscale__pages_first(const gscale__pages *p,
                                                uint64_t number)
{
  return &p->slot[gscale__hash_of(number) >> p->shift];
}

/* ---- tallies ------------------------------------------------------------- */

typedef uint64_t gscale__shapes[GSCALE__LINE][GSCALE__LINE + 1];

/* Packets are counted by [offset in the line][length] of their bytes.  A
 * contiguous packet counts in `whole`.  A packet with gaps counts in `part` for
 * each run, and in `span` from first to last byte. */
typedef struct gscale__tally {
  gscale_replay_counts n;
  gscale__shapes whole, part, span;
  uint64_t *packed; /* packets by payload (FinePack) */
  uint64_t copies;  /* copies of granules */
} gscale__tally;

/* ---- replay -------------------------------------------------------------- */

enum {
  GSCALE__WAYS = 8 /* ways that are searched at once */
};

/* A set of a TLB with few ways. */
typedef struct gscale__set {
  uint64_t page[GSCALE__WAYS]; /* page + 1; 0: free */
  uint64_t way, mark;          /* index and mark of each way */
} gscale__set;

typedef struct gscale__tlb {
  gscale__set *set;
  uint64_t *page; /* page + 1, recent pages first */
} gscale__tlb;

typedef struct gscale__window {
  gscale__fifo queue;
  uint64_t base;   /* address without offset bits */
  int available;   /* B left in the payload register */
  uint64_t opened; /* number of the window */
  uint64_t last;   /* clock at the last store */
} gscale__window;

/* Destinations share an outlet if they got the same stores since the GPU last
 * synchronised.  A store is pending for all GPUs of an outlet, or for none. */
typedef struct gscale__outlet {
  uint64_t to;            /* bits of GPUs */
  uint64_t copies;        /* number of GPUs in `to` */
  gscale__window *window; /* NULL: never used */
  gscale__lines sent;
} gscale__outlet;

/* One GPU. */
typedef struct gscale__gpu {
  gscale__lines sent;   /* sent since synchronisation, not finepack */
  gscale__bits regions; /* granules written in the phase */
  uint64_t clock;       /* records before the current instruction */
  gscale__fifo queue;   /* queue of gps */
  gscale__tlb tlb;
  gscale__outlet *outlet;     /* outlets of finepack */
  gscale__outlet **outlet_of; /* by destination */
  int outlets;                /* outlets in use */
} gscale__gpu;

typedef struct gscale__machine gscale__machine;

struct gscale_replay {
  gscale_replay_options o;
  const gscale__machine *machine;
  gscale_status status; /* status of the first failure */
  bool finished;
  int page_bits, granule_bits, offset_bits; /* offset: of finepack */
  uint64_t sets;                            /* sets of the TLB */
  bool plainly;                             /* options allow fast paths */
  int entries;                              /* entries per window of finepack */
  uint64_t everyone;                        /* bits of all GPUs */
  bool profiling;
  uint64_t collapsed, opened;
  gscale__pages pages;
  gscale__gpu *gpu;
  gscale__tally *now, tally[GSCALE_STAGE_END];

  /* The warp instruction under construction. */
  gscale_record first;     /* its first lane */
  int lanes, pieces;       /* 0 lanes: no instruction */
  uint64_t bytes, sectors; /* bytes and sectors of pieces with one lane */
  bool merged;             /* pieces of several lanes exist */
  uint32_t checked;        /* form of a valid record */
  uint32_t serial;
  uint32_t
      slot[GSCALE__SLOTS]; /* serial and piece; free if of another serial */

  /* Pending transactions of complete instructions begin at `oldest`, and those
   * before `fetched` are prefetched.  Transactions under construction begin at
   * `begun`. */
  int oldest, fetched, begun;
  gscale__piece piece[GSCALE__PIECES_ROOM];
  gscale__mask
      piece_bytes[GSCALE__PIECES_ROOM]; /* bytes of pieces that are not whole */
};

/* Returns true if a transaction has the GPU, kind and destination of the first
 * transaction, which has whole words. */
static inline bool gscale__goes_with(const gscale__piece *p,
                                     const gscale__piece *first)
{
  static const gscale__tag part = {.part = UINT8_MAX, .joined = true};
  uint32_t a, b, but;

  memcpy(&a, &p->tag, sizeof a);
  memcpy(&b, &first->tag, sizeof b);
  memcpy(&but, &part, sizeof but);
  return (((a ^ b) & ~but) | gscale__dst_of(p->key ^ first->key)) == 0;
}

/* Returns how many of the next n transactions may form a run, or 0. */
static inline int gscale__run_most(const gscale__piece *p, int n)
{
  if (n < 2 || !p->tag.whole || !gscale__goes_with(p + 1, p)) return 0;
  return n < GSCALE__LANES ? n : GSCALE__LANES;
}

/* Returns the bytes of a pending transaction. */
static inline gscale__bytes gscale__bytes_of(const gscale_replay *r,
                                             const gscale__piece *p)
{
  return p->tag.whole ? (gscale__bytes){p->words, true}
                      : (gscale__bytes){r->piece_bytes[p - r->piece], false};
}

/* A machine between SMs and the link. */
struct gscale__machine {
  /* Allocates memory for a GPU, or returns false.  NULL: not needed. */
  bool (*prepare)(gscale_replay *r, gscale__gpu *g);
  void (*release)(gscale_replay *r, gscale__gpu *g);
  /* Takes the next n transactions, which are all of one kind. */
  void (*take)(gscale_replay *r, const gscale__piece *p, int n);
  /* Empties the queues of a GPU.  NULL: there are no queues. */
  void (*drain)(gscale_replay *r, int gpu, gscale_flush why);
  /* Prefetches the data that n transactions need, or is NULL. */
  void (*expect)(const gscale_replay *r, const gscale__piece *p, int n);
  bool phases_only; /* forgets lines at phases, not at fences */
  bool gathers;     /* repeated bytes are not sent */
};

extern const gscale__machine gscale__machine_sm, gscale__machine_plain,
    gscale__machine_gps, gscale__machine_finepack, gscale__machine_bulk;

/* Coalesces the next records for their machine.  Returns the number of records
 * before an invalid one. */
size_t gscale__coalesce(gscale_replay *r, const gscale_record *v, size_t n);
/* Completes the instruction under construction. */
void gscale__issue(gscale_replay *r);
/* Processes a fence or the end of a phase. */
void gscale__synchronise(gscale_replay *r, const gscale_record *v);

/* Returns the number of GPUs in a set, which is usually small. */
static inline uint64_t gscale__gpus_in(uint64_t set)
{
  uint64_t n = 0;

  for (; set && n < 4; n++) set &= set - 1;
  return n + (set ? (uint64_t)gscale__count64(set) : 0);
}

static inline uint64_t gscale__bit(int gpu)
{
  return (uint64_t)1 << gpu;
}

/* Returns a page, which may be new, or NULL if memory is exhausted. */
gscale__page *gscale__page_of(gscale_replay *r, int gpu, uint64_t number);

/* Returns the page of a line and marks it as touched by the GPU.  Returns NULL
 * if memory is exhausted. */
static inline gscale__page *gscale__touch(gscale_replay *r, int gpu,
                                          uint64_t line)
{
  const uint64_t number = line >> (r->page_bits - GSCALE__LINE_BITS);
  gscale__page *page = gscale__pages_first(&r->pages, number);

  if (GSCALE__RARELY(page->number != number || !page->subscribers))
    page = gscale__page_of(r, gpu, number);
  if (page) page->touched |= gscale__bit(gpu);
  return page;
}

/* Prefetches the pages of transactions to all GPUs, like `expect`. */
void gscale__pages_fetch(const gscale_replay *r, const gscale__piece *p, int n);

/* Returns the other GPUs that receive a store of `gpu` to the key. */
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

/* Returns true if a load needs another GPU's memory. */
bool gscale__loads_remotely(gscale_replay *r, int gpu, uint64_t key);
/* Process notes when half of the notes are full, or before bytes are added. */
void gscale__notes_advance(gscale_replay *r, gscale__lines *sent);
void gscale__notes_end(gscale_replay *r, gscale__lines *sent);
void gscale__deliver_any(gscale_replay *r, gscale__lines *sent, uint64_t key,
                         gscale__bytes bytes, uint64_t copies);

/* Notes words of a line that were sent to `copies` GPUs.  All words were
 * counted as useful, but repeated words are not useful. */
GSCALE__INLINE void gscale__deliver_words(gscale_replay *r, gscale__lines *sent,
                                          uint64_t key, uint32_t words,
                                          uint64_t copies)
{
  const uint64_t line = gscale__line_of(key), cell = line / GSCALE__CELL;
  gscale__note *const k = &sent->note[sent->notes];

  if (GSCALE__RARELY(sent->bytes.used > 0)) {
    gscale__deliver_any(r, sent, key, (gscale__bytes){words, true}, copies);
    return;
  }
  k->cell = gscale__cell_key(cell, gscale__dst_of(key));
  k->words = words;
  k->group = (uint8_t)(line - GSCALE__CELL * cell);
  k->copies = (uint8_t)copies;
  if (GSCALE__RARELY(++sent->notes % GSCALE__BATCH == 0))
    gscale__notes_advance(r, sent);
}

/* Notes any bytes of a line that were sent to `copies` GPUs. */
GSCALE__INLINE void gscale__deliver(gscale_replay *r, gscale__lines *sent,
                                    uint64_t key, gscale__bytes bytes,
                                    uint64_t copies)
{
  if (bytes.whole)
    gscale__deliver_words(r, sent, key, gscale__words_of(bytes), copies);
  else
    gscale__deliver_any(r, sent, key, bytes, copies);
}

/* Counts the shape of some bytes of a line, and returns their number. */
int gscale__count_shape(gscale__tally *t, gscale__mask bytes, uint64_t copies);

/* Counts like gscale__count_shape(), with a fast path for contiguous words. */
GSCALE__INLINE int gscale__count_packet(gscale__tally *t, gscale__bytes bytes,
                                        uint64_t copies)
{
  if (!bytes.whole || !gscale__words_side_by_side(gscale__words_of(bytes)))
    return gscale__count_shape(t, gscale__mask_of(bytes), copies);
  const gscale__run run = gscale__bytes_take_run(&bytes);
  t->whole[run.offset][run.length] += copies;
  return run.length;
}

/* Sends one transaction to `copies` GPUs in separate packets.  Atomics and
 * system stores are always useful. */
GSCALE__INLINE void gscale__send_piece(gscale_replay *r, const gscale__piece *p,
                                       uint64_t copies)
{
  const gscale__bytes bytes = gscale__bytes_of(r, p);
  const int all = gscale__count_packet(r->now, bytes, copies);

  r->now->n.sends += copies;
  r->now->n.useful_bytes += copies * (uint64_t)all;
  if (p->tag.kind == GSCALE_OP_STORE)
    gscale__deliver(r, &r->gpu[p->tag.gpu].sent, p->key, bytes, copies);
}

/* Returns NULL, or the error of a record, as in "size: 17 is not 1 .. 16". */
const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size);

#endif /* GPUSCALE_REPLAY_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
