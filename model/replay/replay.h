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

/* ---- seen lines ---------------------------------------------------------- */

typedef struct gscale__seen {
  uint64_t key;
  uint32_t epoch; /* free in other epochs */
  gscale__mask bytes;
} gscale__seen;

/* Bytes of lines, found by key.  Zeros are an empty table. */
typedef struct gscale__lines {
  gscale__seen *seen;
  size_t room; /* a power of two; 0: no memory yet */
  size_t used;
  uint32_t epoch;
} gscale__lines;

void gscale__lines_free(gscale__lines *l);
void gscale__lines_forget(gscale__lines *l);
bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from);
/* Adds bytes to the line of a key, and returns the bytes that it had before.
 * Returns false if memory is exhausted. */
bool gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes,
                       gscale__mask *before);

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
} gscale__pages;

bool gscale__pages_init(gscale__pages *p);
void gscale__pages_free(gscale__pages *p);

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
  gscale__lines sent;         /* sent since synchronisation, not finepack */
  gscale__lines regions;      /* granules written in the phase, one bit each */
  uint64_t clock;             /* records before the current instruction */
  gscale__fifo queue;         /* queue of gps */
  uint64_t *tlb;              /* page + 1, of each set recent pages first */
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
  int entries;                              /* entries per window of finepack */
  uint64_t everyone;                        /* bits of all GPUs */
  bool profiling;
  uint64_t collapsed, opened;
  gscale__pages pages;
  gscale__gpu *gpu;
  gscale__tally *now, tally[GSCALE_STAGE_END];

  /* The warp instruction under construction. */
  gscale_record first; /* its first lane */
  int lanes, pieces;   /* 0 lanes: no instruction */
  gscale__piece piece[GSCALE__PIECES_MAX];
};

/* A machine between SMs and the link. */
struct gscale__machine {
  /* Allocates memory for a GPU, or returns false.  NULL: not needed. */
  bool (*prepare)(gscale_replay *r, gscale__gpu *g);
  void (*release)(gscale_replay *r, gscale__gpu *g);
  void (*take)(gscale_replay *r, const gscale__piece *p); /* a transaction */
  /* Empties the queues of a GPU.  NULL: there are no queues. */
  void (*drain)(gscale_replay *r, int gpu, gscale_flush why);
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

/* Returns the number of GPUs in a set. */
static inline uint64_t gscale__gpus_in(uint64_t set)
{
  return (uint64_t)__builtin_popcountll(set);
}

static inline uint64_t gscale__bit(int gpu)
{
  return (uint64_t)1 << gpu;
}

/* Returns the page of a key's line. */
static inline uint64_t gscale__page_at(const gscale_replay *r, uint64_t key)
{
  return gscale__line_of(key) >> (r->page_bits - GSCALE__LINE_BITS);
}

/* Returns the page of a key, which may be new, and marks it as touched by the
 * GPU.  Returns NULL if memory is exhausted.  The page is valid until the next
 * call. */
gscale__page *gscale__touch(gscale_replay *r, int gpu, uint64_t key);
/* Returns the other GPUs that receive a store of `gpu` to the key. */
uint64_t gscale__receivers(gscale_replay *r, int gpu, uint64_t key);
/* Returns true if a load needs another GPU's memory. */
bool gscale__loads_remotely(gscale_replay *r, int gpu, uint64_t key);
/* Notes bytes of a line that were sent to `copies` GPUs.  All were counted as
 * useful, but repeated bytes are not useful. */
void gscale__deliver(gscale_replay *r, gscale__lines *sent, uint64_t key,
                     gscale__mask bytes, uint64_t copies);
/* Sends one transaction to `copies` GPUs in separate packets.  Atomics and
 * system stores are always useful. */
void gscale__send_piece(gscale_replay *r, const gscale__piece *p,
                        uint64_t copies);

/* Returns NULL, or the error of a record, as in "size: 17 is not 1 .. 16". */
const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size);

#endif /* GPUSCALE_REPLAY_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
