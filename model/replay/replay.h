/* replay.h - the inside of a replay, for model/replay/ only.
 *
 * A record is a lane.  The coalescer (warp.c) makes transactions of lanes;
 * one of the machines (direct.c, gps.c, finepack.c) decides what they send; a
 * tally (tally.c) counts it by shape, so that the bytes on any link follow. */
#ifndef GPUSCALE_REPLAY_REPLAY_H
#define GPUSCALE_REPLAY_REPLAY_H

#include "ground/ground.h"
#include "replay/queue.h"

#include <string.h>

/* ---- lines seen since a synchronisation (lines.c) ------------------------ */

enum {
  GSCALE__CELL = 13 /* groups of a cell, so that it is 64 B */
};

/* Neighbouring groups of 32 bits. */
typedef struct gscale__cell {
  uint64_t key;   /* number of the cell; destination in the highest bits */
  uint32_t epoch; /* of another epoch: the cell is free */
  uint32_t bits[GSCALE__CELL];
} gscale__cell;

/* Groups of 32 bits by number and destination; most are 0. */
typedef struct gscale__bits {
  gscale__cell *cell; /* each a line of the processor's cache */
  int shift;          /* of a hash of 64 bits, to number them */
  uint32_t epoch;
  void *memory; /* in which they lie */
  size_t room;  /* a power of two, or 0: all read as free */
  size_t used;
} gscale__bits;

/* Destination and number below 2^57 of a cell. */
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
void gscale__bits_forget(gscale__bits *b); /* all */
/* As gscale__cell_of, wherever it lies. */
gscale__cell *gscale__cell_find(gscale__bits *b, uint64_t key);

/* The cell of the key, which may be new; NULL: no memory. */
static inline gscale__cell *gscale__cell_of(gscale__bits *b, uint64_t key)
{
  gscale__cell *const c = gscale__cell_first(b, key);
  const bool there = c->key == key && c->epoch == b->epoch;
  return GSCALE__RARELY(!there) ? gscale__cell_find(b, key) : c;
}

/* Sets bits of a group; returns those it had before.  False: no memory.  The
 * key: number of the group, which is below 2^59, and destination. */
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

/* Words of a line that wait to be noted. */
typedef struct gscale__note {
  uint64_t cell; /* its key */
  uint32_t words;
  uint8_t group;  /* in the cell */
  uint8_t copies; /* that were sent */
} gscale__note;

enum {
  GSCALE__BATCH = 16 /* notes, fetched for while as many before are made */
};

/* Words that were stored whole, a group for each line; bytes of other words, a
 * group for each quarter of a line.  What waits: a half of the notes if `half`
 * of them are, and those in the other half before number `notes`. */
typedef struct gscale__lines {
  gscale__bits words, bytes;
  unsigned notes, half;
  gscale__note note[2 * GSCALE__BATCH];
} gscale__lines;

void gscale__lines_init(gscale__lines *l);
void gscale__lines_free(gscale__lines *l);
void gscale__lines_forget(gscale__lines *l); /* all; nothing waits */
bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from);

/* Adds bytes to a line, of which nothing waits; returns how many of them it had
 * before, or -1 without memory. */
int gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes);

/* Fetches the cell, unless it is near anyway. */
static inline void gscale__cell_prefetch(const gscale__bits *b, uint64_t key)
{
  const size_t near = 2048; /* cells, 128 KiB */
  if (b->room > near) __builtin_prefetch(gscale__cell_first(b, key), 1);
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
  int shift; /* of a hash */
} gscale__pages;

bool gscale__pages_init(gscale__pages *p);
void gscale__pages_free(gscale__pages *p);

/* Where a page is sought first, and mostly found. */
static inline gscale__page *gscale__pages_first(const gscale__pages *p,
                                                uint64_t number)
{
  return &p->slot[gscale__hash_of(number) >> p->shift];
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

enum {
  GSCALE__WAYS = 8 /* of a set that is searched at once */
};

/* A set of at most so many ways. */
typedef struct gscale__set {
  uint64_t page[GSCALE__WAYS]; /* + 1; 0: free */
  uint64_t way, mark; /* a byte for each way, the last used one lowest: which it
                       * is, and what marks its page */
} gscale__set;

typedef struct gscale__tlb {
  gscale__set *set;
  uint64_t *page; /* of more ways: + 1; sets, most recently used first */
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
  gscale__outlet *outlet;     /* finepack: room for one for each destination */
  gscale__outlet **outlet_of; /* of each destination */
  int outlets;                /* in use */
} gscale__gpu;

typedef struct gscale__machine gscale__machine;

struct gscale_replay {
  gscale_replay_options o;
  const gscale__machine *machine;
  gscale_status status; /* of the first failure */
  bool finished;
  int page_bits, granule_bits, offset_bits; /* offset: finepack */
  uint64_t sets;                            /* of the TLB */
  bool plainly; /* the options are as mostly, for which there are short cuts */
  int entries;  /* finepack: of a window */
  uint64_t everyone; /* a bit for each GPU */
  bool profiling;
  uint64_t collapsed, opened;
  gscale__pages pages;
  gscale__gpu *gpu;
  gscale__tally *now, tally[GSCALE_STAGE_END];

  /* the warp instruction being put together */
  gscale_record first;     /* its first lane */
  int lanes, pieces;       /* 0 lanes: none */
  uint64_t bytes, sectors; /* of pieces of one lane */
  bool merged;             /* there are others */
  uint32_t checked;        /* form of a record that was right; 0: none yet */
  uint32_t serial;
  uint32_t slot[GSCALE__SLOTS]; /* serial and piece; of another serial: free */

  /* Transactions of instructions that are complete and wait, of which it is
   * fetched for those before `fetched`; then, from `begun` on, those of the one
   * being put together. */
  int oldest, fetched, begun;
  gscale__piece piece[GSCALE__PIECES_ROOM];
  gscale__mask piece_bytes[GSCALE__PIECES_ROOM]; /* of each that is not whole */
};

/* Of the same GPU as a transaction of whole words, so too, and to the same. */
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

/* How many of the next n transactions a machine may look at as a run: 0 if the
 * first goes with none. */
static inline int gscale__run_most(const gscale__piece *p, int n)
{
  if (n < 2 || !p->tag.whole || !gscale__goes_with(p + 1, p)) return 0;
  return n < GSCALE__LANES ? n : GSCALE__LANES;
}

/* Bytes of a transaction that waits. */
static inline gscale__bytes gscale__bytes_of(const gscale_replay *r,
                                             const gscale__piece *p)
{
  return p->tag.whole ? (gscale__bytes){p->words, true}
                      : (gscale__bytes){r->piece_bytes[p - r->piece], false};
}

/* What stands between SMs and link. */
struct gscale__machine {
  /* True with its memory for each GPU.  NULL: it needs none. */
  bool (*prepare)(gscale_replay *r, gscale__gpu *g);
  void (*release)(gscale_replay *r, gscale__gpu *g);
  /* The next n transactions, all of one kind. */
  void (*take)(gscale_replay *r, const gscale__piece *p, int n);
  /* Empties the queues of a GPU.  NULL: there are none. */
  void (*drain)(gscale_replay *r, int gpu, gscale_flush why);
  /* Fetches what will be needed to take the n transactions.  NULL: nothing. */
  void (*expect)(const gscale_replay *r, const gscale__piece *p, int n);
  bool phases_only; /* what was sent is forgotten at phases, not at fences */
  bool gathers; /* what is sent again before it is forgotten does not travel */
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

/* How many GPUs a set has; mostly they are few. */
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

/* The page, which may be new; NULL without memory. */
gscale__page *gscale__page_of(gscale_replay *r, int gpu, uint64_t number);

/* The page of a line, noted as touched by the GPU; NULL without memory. */
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
/* A half of the notes is full; or more is added than words. */
void gscale__notes_advance(gscale_replay *r, gscale__lines *sent);
void gscale__notes_end(gscale_replay *r, gscale__lines *sent);
void gscale__deliver_any(gscale_replay *r, gscale__lines *sent, uint64_t key,
                         gscale__bytes bytes, uint64_t copies);

/* Notes that words of a line go to so many GPUs.  They were counted as useful,
 * which those that went there before are not. */
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

/* The same of any bytes. */
GSCALE__INLINE void gscale__deliver(gscale_replay *r, gscale__lines *sent,
                                    uint64_t key, gscale__bytes bytes,
                                    uint64_t copies)
{
  if (bytes.whole)
    gscale__deliver_words(r, sent, key, gscale__words_of(bytes), copies);
  else
    gscale__deliver_any(r, sent, key, bytes, copies);
}

/* Counts the shape of some bytes of a line; returns how many they are. */
int gscale__count_shape(gscale__tally *t, gscale__mask bytes, uint64_t copies);

/* As gscale__count_shape; mostly they are words side by side. */
GSCALE__INLINE int gscale__count_packet(gscale__tally *t, gscale__bytes bytes,
                                        uint64_t copies)
{
  if (!bytes.whole || !gscale__words_side_by_side(gscale__words_of(bytes)))
    return gscale__count_shape(t, gscale__mask_of(bytes), copies);
  const gscale__run run = gscale__bytes_take_run(&bytes);
  t->whole[run.offset][run.length] += copies;
  return run.length;
}

/* Sends one transaction to so many GPUs as packets of its own.  All atomics and
 * system stores are useful. */
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

/* NULL, or what is wrong with the record: "size: 17 is not 1 .. 16". */
const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size);

#endif /* GPUSCALE_REPLAY_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
