/* replay.h - the inside of a replay, for model/replay/ only.
 *
 * A record is a lane.  The coalescer (replay.c) makes transactions of lanes;
 * one of the machines (direct.c, gps.c, finepack.c) decides what they send; a
 * tally (tally.c) counts it by shape, so that the bytes on any link follow. */
#ifndef GPUSCALE_REPLAY_H
#define GPUSCALE_REPLAY_H

#include "internal.h"

enum {
  GSCALE__LINE = 128, /* B */
  GSCALE__LINE_BITS = 7,
  GSCALE__LENGTH_BITS = 10,                  /* of a sub-header */
  GSCALE__LANES = 32,                        /* of a warp instruction */
  GSCALE__PIECES_MAX = 2 * GSCALE__LANES,    /* each lane across two lines */
  GSCALE__SLOTS = 4 * GSCALE__PIECES_MAX,    /* to find them by line */
  GSCALE__ALL = (1 << GSCALE__LINE_BITS) - 1 /* GSCALE_DST_ALL in a key */
};

/* A bit for each byte of a line, the first lowest. */
__extension__ typedef unsigned __int128 gscale__mask;

/* What leaves an SM for one line.  Key: line number and destination. */
typedef struct gscale__piece {
  gscale__mask bytes;
  uint64_t key;
} gscale__piece;

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

/* Multiplicative hashing [Knuth98]: the high half of the product. */
static inline uint32_t gscale__hash(uint64_t key)
{
  return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32);
}

/* Bits set: sums of 2, 4 and 8 bits side by side, then of all bytes at once
 * [Knuth11].  Without a flag for the processor the compiler calls a function.
 */
static inline int gscale__count(gscale__mask m)
{
  const uint64_t twos = 0x5555555555555555, fours = 0x3333333333333333,
                 eights = 0x0f0f0f0f0f0f0f0f, ones = 0x0101010101010101;
  uint64_t a = (uint64_t)m, b = (uint64_t)(m >> 64);

  a -= a >> 1 & twos;
  b -= b >> 1 & twos;
  a = (a & fours) + (a >> 2 & fours) + (b & fours) + (b >> 2 & fours);
  a = (a & eights) + (a >> 4 & eights); /* up to 16 in each byte */
  return (int)(a * ones >> 56);
}

/* ---- masks by runs ------------------------------------------------------- */

typedef struct gscale__run {
  int offset, length; /* B */
} gscale__run;

static inline int gscale__lowest(gscale__mask m)
{
  return (uint64_t)m ? __builtin_ctzll((uint64_t)m)
                     : 64 + __builtin_ctzll((uint64_t)(m >> 64));
}

static inline int gscale__highest(gscale__mask m)
{
  return (uint64_t)(m >> 64) ? 127 - __builtin_clzll((uint64_t)(m >> 64))
                             : 63 - __builtin_clzll((uint64_t)m);
}

/* Takes the first run of contiguous bytes from *m, which is not empty. */
static inline gscale__run gscale__take_run(gscale__mask *m)
{
  /* adding the lowest bit carries through the run: 0110 + 0010 = 1000 */
  const int offset = gscale__lowest(*m);
  const gscale__mask carried = *m + ((gscale__mask)1 << offset);
  const gscale__mask run = *m & ~carried;

  *m &= carried;
  return (gscale__run){offset, gscale__highest(run) - offset + 1};
}

/* ---- lines seen since a synchronisation (lines.c) ------------------------ */

typedef struct gscale__seen {
  gscale__mask bytes;
  uint64_t key;
  uint32_t epoch; /* of another epoch: the slot is free */
} gscale__seen;

typedef struct gscale__lines {
  gscale__seen *slot;
  size_t room; /* a power of two */
  size_t used;
  uint32_t epoch;
} gscale__lines;

bool gscale__lines_init(gscale__lines *l);
void gscale__lines_free(gscale__lines *l);
void gscale__lines_forget(gscale__lines *l); /* all */
/* Adds bytes to a line; returns those it had before.  False: no memory. */
bool gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes,
                       gscale__mask *before);

static inline void gscale__lines_prefetch(const gscale__lines *l, uint64_t key)
{
  __builtin_prefetch(&l->slot[gscale__hash(key) & (l->room - 1)], 1);
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
/* The page, with those subscribers if it is new; NULL without memory.  Valid
 * until the next call. */
gscale__page *gscale__pages_at(gscale__pages *p, uint64_t number,
                               uint64_t subscribers);

/* ---- a fully associative queue (queue.c) --------------------------------- */

enum {
  GSCALE__CAPACITY_MAX = 32768,
  GSCALE__NONE = UINT16_MAX /* no entry */
};

/* Older and newer: in the order of addition; chain: same bucket, or free. */
typedef struct gscale__entry {
  gscale__mask bytes;
  uint64_t key;
  uint16_t older, newer, chain;
} gscale__entry;

typedef struct gscale__fifo {
  gscale__entry *entry;
  uint16_t *bucket;
  uint32_t buckets; /* less one; they are a power of two */
  uint16_t oldest, newest, count;
  uint16_t free, touched; /* freed ones, chained; those from here on too */
} gscale__fifo;

bool gscale__fifo_init(gscale__fifo *q, int capacity);
void gscale__fifo_free(gscale__fifo *q);
void gscale__fifo_add(gscale__fifo *q, uint64_t key, gscale__mask bytes);
void gscale__fifo_remove(gscale__fifo *q, uint16_t i);
void gscale__fifo_clear(gscale__fifo *q);

/* The entry of that key, or GSCALE__NONE. */
static inline uint16_t gscale__fifo_find(const gscale__fifo *q, uint64_t key)
{
  uint16_t i = q->bucket[gscale__hash(key) & q->buckets];
  while (i != GSCALE__NONE && q->entry[i].key != key) i = q->entry[i].chain;
  return i;
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

/* Counts packets with those bytes of a line; returns how many bytes they are.
 */
uint64_t gscale__send(gscale__tally *t, gscale__mask bytes, uint64_t copies);

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

/* One GPU. */
typedef struct gscale__gpu {
  gscale__lines sent;    /* since it last synchronised */
  gscale__lines regions; /* bulk: granules written in this phase */
  uint64_t clock;        /* records issued before this instruction */
  gscale__fifo queue;    /* gps */
  gscale__tlb tlb;
  gscale__window *window; /* finepack: `windows` for each destination */
} gscale__gpu;

typedef struct gscale__machine gscale__machine;

struct gscale_replay {
  gscale_replay_options o;
  const gscale__machine *machine;
  gscale_status status; /* of the first failure */
  bool finished;
  int page_bits, granule_bits, offset_bits; /* offset: finepack */
  uint64_t sets;                            /* of the TLB */
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
  gscale__piece piece[GSCALE__PIECES_MAX];
  uint32_t serial;
  struct {
    uint32_t serial; /* of another instruction: the slot is free */
    uint32_t piece;
  } slot[GSCALE__SLOTS];
};

/* What stands between SMs and link. */
struct gscale__machine {
  /* True with its memory for each GPU. */
  bool (*prepare)(gscale_replay *r, gscale__gpu *g);
  void (*release)(gscale_replay *r, gscale__gpu *g);
  /* One transaction of GPU `gpu`. */
  void (*take)(gscale_replay *r, int gpu, gscale_operation kind,
               const gscale__piece *p);
  /* Empties the queues of a GPU.  NULL: there are none. */
  void (*drain)(gscale_replay *r, int gpu, gscale_flush why);
  bool phases_only; /* what was sent is forgotten at phases, not at fences */
};

extern const gscale__machine gscale__machine_sm, gscale__machine_plain,
    gscale__machine_gps, gscale__machine_finepack, gscale__machine_bulk;

/* How many GPUs a set has; mostly it is one. */
static inline uint64_t gscale__gpus_in(uint64_t set)
{
  return (set & (set - 1)) == 0 ? set != 0 : (uint64_t)gscale__count(set);
}

static inline uint64_t gscale__bit(int gpu)
{
  return (uint64_t)1 << gpu;
}

/* The page of a line, noted as touched by the GPU; NULL without memory. */
gscale__page *gscale__touch(gscale_replay *r, int gpu, uint64_t line);
/* True if a load does not find its bytes in its own GPU's memory. */
bool gscale__loads_remotely(gscale_replay *r, int gpu, uint64_t key);
/* The other GPUs that get what `gpu` stores under the key. */
uint64_t gscale__receivers(gscale_replay *r, int gpu, uint64_t key);
/* Sends one transaction to so many GPUs as packets of its own.  All atomics and
 * system stores are useful. */
void gscale__send_piece(gscale_replay *r, int gpu, gscale_operation kind,
                        const gscale__piece *p, uint64_t copies);
/* Counts bytes that go to so many GPUs as useful or redundant; returns how many
 * they are for one. */
uint64_t gscale__deliver(gscale_replay *r, int gpu, uint64_t key,
                         gscale__mask bytes, uint64_t copies);

/* NULL, or what is wrong with the record: "size: 17 is not 1 .. 16". */
const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size);

#endif /* GPUSCALE_REPLAY_H */
