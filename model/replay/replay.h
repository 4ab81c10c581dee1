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
  uint8_t gpu;
  uint8_t part;       /* of an atomic: of `merge` B, of its line */
  bool whole, joined; /* joined: of more than one lane */
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

/* Multiplicative hashing [Knuth98], of which the highest bits are taken:
 * numbers in a row, which lines mostly are, then lie far from one another. */
static inline uint64_t gscale__hash_of(uint64_t line_lowest)
{
  return line_lowest * 0x9e3779b97f4a7c15u;
}

static inline uint64_t gscale__hash(uint64_t key)
{
  return gscale__hash_of(key >> GSCALE__LINE_BITS |
                         key << (64 - GSCALE__LINE_BITS));
}

/* The shift that leaves of a hash one of `room` places, 2 or a higher power of
 * two. */
static inline int gscale__shift_for(size_t room)
{
  return 64 - __builtin_ctzll(room);
}

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
  return c->key == key && c->epoch == b->epoch ? c : gscale__cell_find(b, key);
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
 * group for each quarter of a line. */
typedef struct gscale__lines {
  gscale__bits words, bytes;
  int notes;
  gscale__note note[2 * GSCALE__BATCH];
} gscale__lines;

void gscale__lines_init(gscale__lines *l);
void gscale__lines_free(gscale__lines *l);
void gscale__lines_forget(gscale__lines *l); /* all; nothing waits */
bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from);

/* Adds bytes to a line, of which nothing waits; returns how many of them it had
 * before, or -1 without memory. */
int gscale__lines_add_any(gscale__lines *l, uint64_t key, gscale__mask bytes);

GSCALE__INLINE int gscale__lines_add(gscale__lines *l, uint64_t key,
                                     gscale__bytes bytes)
{
  const uint32_t words = gscale__words_of(bytes);
  uint32_t before;

  if (!bytes.whole || l->bytes.used > 0)
    return gscale__lines_add_any(l, key, gscale__mask_of(bytes));
  if (!gscale__bits_set(&l->words, gscale__line_of(key), gscale__dst_of(key),
                        words, &before))
    return -1;
  return gscale__words_count(before & words);
}

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

/* ---- a fully associative queue (queue.c) --------------------------------- */

enum {
  GSCALE__CAPACITY_MAX = 32768
};

typedef struct gscale__entry {
  gscale__mask bits; /* gscale__bytes */
  uint64_t key;
  uint32_t before; /* number of the one added to its bucket before */
  bool whole;
  uint8_t copies; /* GPUs it goes to; 0: removed */
} gscale__entry;

static inline gscale__bytes gscale__bytes_in(const gscale__entry *e)
{
  return (gscale__bytes){e->bits, e->whole};
}

GSCALE__INLINE void gscale__merge(gscale__entry *e, gscale__bytes bytes)
{
  const gscale__bytes both = gscale__bytes_or(gscale__bytes_in(e), bytes);
  e->bits = both.bits;
  e->whole = both.whole;
}

/* A ring in the order of addition, whose entries are numbered: from `oldest` to
 * before `next`.  One that is removed before it is the oldest leaves its place
 * only then.  Buckets have the number of their newest entry, and keep it when
 * that has left: what is older than the oldest is none. */
typedef struct gscale__fifo {
  gscale__entry *entry;
  uint32_t *bucket;
  int shift;             /* of a hash of 64 bits, to number buckets */
  uint32_t room;         /* a power of two */
  uint32_t oldest, next; /* below 2^31 when it is added to */
  uint32_t count;        /* of those not removed */
} gscale__fifo;

bool gscale__fifo_init(gscale__fifo *q, int capacity);
void gscale__fifo_free(gscale__fifo *q);
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from);
/* Frees places of removed ones, and numbers the others anew. */
void gscale__fifo_compact(gscale__fifo *q);

static inline gscale__entry *gscale__fifo_at(const gscale__fifo *q,
                                             uint32_t number)
{
  return &q->entry[number & (q->room - 1)];
}

/* The entry of that key, or NULL. */
static inline gscale__entry *gscale__fifo_find(const gscale__fifo *q,
                                               uint64_t key)
{
  const uint32_t all = q->next - q->oldest;
  uint32_t number = q->bucket[gscale__hash(key) >> q->shift];

  while (number - q->oldest < all) {
    gscale__entry *const e = gscale__fifo_at(q, number);
    if (e->key == key && e->copies > 0) return e;
    number = e->before;
  }
  return NULL;
}

/* A new key, where there is a free place. */
GSCALE__INLINE void gscale__fifo_put(gscale__fifo *q, uint64_t key,
                                     gscale__bytes bytes, uint64_t copies)
{
  uint32_t *const bucket = &q->bucket[gscale__hash(key) >> q->shift];

  *gscale__fifo_at(q, q->next) =
      (gscale__entry){bytes.bits, key, *bucket, bytes.whole, (uint8_t)copies};
  *bucket = q->next++;
  q->count++;
}

/* A new key, of fewer entries than the capacity. */
GSCALE__INLINE void gscale__fifo_add(gscale__fifo *q, uint64_t key,
                                     gscale__bytes bytes, uint64_t copies)
{
  if (q->next - q->oldest == q->room || q->next >> 31) gscale__fifo_compact(q);
  gscale__fifo_put(q, key, bytes, copies);
}

static inline void gscale__fifo_remove(gscale__fifo *q, gscale__entry *e)
{
  e->copies = 0;
  if (--q->count == 0)
    q->oldest = q->next;
  else
    while (gscale__fifo_at(q, q->oldest)->copies == 0) q->oldest++;
}

static inline void gscale__fifo_clear(gscale__fifo *q)
{
  q->oldest = q->next;
  q->count = 0;
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
  gscale_record first;     /* its first lane */
  int lanes, pieces;       /* 0 lanes: none */
  uint64_t bytes, sectors; /* of pieces of one lane */
  bool merged;             /* there are others */
  uint32_t checked;        /* form of a record that was right; 0: none yet */
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
  /* Fetches what will be needed to take the n transactions.  NULL: nothing. */
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
/* Half of the notes are full; or more is added than words. */
void gscale__notes_advance(gscale_replay *r, gscale__lines *sent);
void gscale__notes_end(gscale_replay *r, gscale__lines *sent);
void gscale__deliver_any(gscale_replay *r, gscale__lines *sent, uint64_t key,
                         gscale__bytes bytes, uint64_t copies);

/* Counts bytes of a line, `all` of them, which go to so many GPUs: as useful,
 * until it is noted and those are redundant that went there before. */
GSCALE__INLINE void gscale__deliver(gscale_replay *r, gscale__lines *sent,
                                    uint64_t key, gscale__bytes bytes, int all,
                                    uint64_t copies)
{
  const uint64_t line = gscale__line_of(key);

  r->now->n.useful_bytes += copies * (uint64_t)all;
  if (!bytes.whole || sent->bytes.used > 0) {
    gscale__deliver_any(r, sent, key, bytes, copies);
    return;
  }
  sent->note[sent->notes++] = (gscale__note){
      gscale__cell_key(line / GSCALE__CELL, gscale__dst_of(key)),
      gscale__words_of(bytes), (uint8_t)(line % GSCALE__CELL), (uint8_t)copies};
  if (sent->notes % GSCALE__BATCH == 0) gscale__notes_advance(r, sent);
}

/* Counts the shape of some bytes of a line; returns how many they are. */
int gscale__count_shape(gscale__tally *t, gscale__mask bytes, uint64_t copies);

/* Sends one transaction to so many GPUs as packets of its own.  All atomics and
 * system stores are useful. */
GSCALE__INLINE void gscale__send_piece(gscale_replay *r, int gpu,
                                       gscale_operation kind,
                                       const gscale__piece *p, uint64_t copies)
{
  gscale__bytes rest = gscale__bytes_of(p);
  int bytes;

  if (rest.whole && gscale__words_side_by_side(gscale__words_of(rest))) {
    const gscale__run run = gscale__bytes_take_run(&rest);
    bytes = run.length;
    r->now->whole[run.offset][run.length] += copies;
  } else {
    bytes = gscale__count_shape(r->now, gscale__mask_of(rest), copies);
  }
  r->now->n.sends += copies;
  if (kind == GSCALE_OP_STORE)
    gscale__deliver(r, &r->gpu[gpu].sent, p->key, gscale__bytes_of(p), bytes,
                    copies);
  else
    r->now->n.useful_bytes += copies * (uint64_t)bytes;
}

/* NULL, or what is wrong with the record: "size: 17 is not 1 .. 16". */
const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size);

#endif /* GPUSCALE_REPLAY_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
