/* replay.h - exact replay of write queues over a stream of stores.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_REPLAY_H
#define GSCALE_REPLAY_H

#include "gpuscale/predict.h"
#include "gpuscale/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- replay of write queues ---------------------------------------------- */

/** The operation of a thread; traces use these numbers and names. */
typedef enum gscale_operation {
  GSCALE_OP_STORE,  /* "store" */
  GSCALE_OP_LOAD,   /* "load": reveals readers; makes no packet */
  GSCALE_OP_ATOMIC, /* "atomic" */
  GSCALE_OP_SYSTEM, /* "system": a store of system scope */
  GSCALE_OP_FENCE,  /* "fence" of system scope, one GPU */
  GSCALE_OP_PHASE,  /* "phase": a kernel's end on all GPUs */
  GSCALE_OP_END
} gscale_operation;

enum {
  GSCALE_REPLAY_GPUS_MAX = 64,
  GSCALE_DST_ALL = 255 /* as dst: all subscribers of the page */
};

/** One lane of a warp instruction: a record of a binary trace as it lies in the
 *  file, apart from the order of bytes (little endian there). */
typedef struct gscale_record {
  uint64_t address; /* B, in the GPUs' common address space */
  uint32_t group;   /* warp instruction (gscale_replay_push) */
  uint8_t size;     /* B, 1 .. 16; 0 for a fence or a phase */
  uint8_t gpu;      /* who issues it */
  uint8_t dst;      /* receiving GPU, or owner of loaded memory;
                     * GSCALE_DST_ALL */
  uint8_t kind;     /* gscale_operation */
} gscale_record;

/** The queue between the SMs and the link. */
typedef enum gscale_queue {
  GSCALE_QUEUE_SM,       /* "sm": none; each SM transaction counts once, for any
                          * destination */
  GSCALE_QUEUE_PLAIN,    /* "plain": none; peer-to-peer stores */
  GSCALE_QUEUE_GPS,      /* "gps": write queue, subscriptions */
  GSCALE_QUEUE_FINEPACK, /* "finepack": write queues, packets of stores */
  GSCALE_QUEUE_BULK,     /* "bulk": copies of the regions written */
  GSCALE_QUEUE_END
} gscale_queue;

/** The options of a replay; gscale_replay_options_init gives the defaults in
 *  brackets. */
typedef struct gscale_replay_options {
  gscale_queue queue;
  int gpus;      /* 1 .. GSCALE_REPLAY_GPUS_MAX [4] */
  int profile;   /* phases after which a GPU stays subscribed to touched pages;
                  * 0: to all [gps 1, others 0] */
  uint64_t page; /* B, a power of two, 128 .. 2^40 [64 KiB] */
  int capacity;  /* entries: gps 2 .. 32768 [512]; finepack, for each other GPU,
                  * 1 .. 1024 [64] */
  int watermark; /* gps: occupancy at which an entry leaves, 1 .. capacity; 0:
                  * capacity - 1 [0] */
  int tlb, ways; /* gps: TLB entries, multiple of its ways [32, 8] */
  int subheader; /* finepack: B, 2 .. 6 [4] */
  int payload;   /* finepack: B of a packet, 256 .. 65536 [4096] */
  int windows;   /* finepack: open windows for each other GPU, which share the
                  * entries equally, 1 .. capacity [1] */
  uint64_t timeout; /* finepack: records of a GPU after which an unchanged
                     * window is flushed; 0: never */
  bool configured;  /* finepack: a configuration packet with the common fields,
                     * and then each store as a packet */
  uint64_t granule; /* bulk: B per copy, a power of two, 128 .. 2^40 [64 KiB] */
  int merge; /* B, a power of two, 4 .. 128: a warp's atomics of different bytes
              * in this range are one transaction; 4: each is one [4] */
} gscale_replay_options;

void gscale_replay_options_init(gscale_replay_options *o, gscale_queue queue);

/** The cause of a flush from a queue. */
typedef enum gscale_flush {
  GSCALE_FLUSH_WATERMARK, /* gps: the watermark is reached */
  GSCALE_FLUSH_WINDOW,    /* finepack: a store outside the windows */
  GSCALE_FLUSH_ENTRIES,   /* finepack: no entry is free */
  GSCALE_FLUSH_PAYLOAD,   /* finepack: the store exceeds the payload */
  GSCALE_FLUSH_TIMEOUT,   /* finepack */
  GSCALE_FLUSH_LOAD,      /* remote load of queued bytes */
  GSCALE_FLUSH_ATOMIC,    /* an atomic on queued bytes */
  GSCALE_FLUSH_SYSTEM,    /* a store of system scope */
  GSCALE_FLUSH_FENCE,
  GSCALE_FLUSH_PHASE, /* or end of the trace */
  GSCALE_FLUSH_END
} gscale_flush;

/** Counts that do not depend on the link.  Bytes are payload. */
typedef struct gscale_replay_counts {
  uint64_t records, phases;
  uint64_t instructions; /* warp instructions that store or load */
  uint64_t stores;       /* transactions that leave SMs: lines of a store or
                          * system store, lanes of an atomic */
  uint64_t store_bytes;  /* in them */
  uint64_t sectors;      /* touched, of 32 B each */
  uint64_t local;        /* stores for no other GPU; not for sm */
  uint64_t atomics;      /* of them */
  uint64_t queued;       /* stores that reached a queue; finepack: once per
                          * destination */
  uint64_t hits;         /* queued stores merged with an entry */
  uint64_t flushes[GSCALE_FLUSH_END]; /* gps: entries; finepack: windows */
  uint64_t entries;                   /* that left the queues */
  uint64_t sends;      /* gps: entries and atomics, once per destination; plain
                        * and sm: transactions; bulk: copies of granules;
                        * finepack: packets */
  uint64_t direct;     /* gps, finepack: single transactions that bypassed the
                        * queue: atomics, system stores, stores to conventional
                        * pages */
  uint64_t subpackets; /* finepack: runs of bytes */
  uint64_t splits;     /* finepack: extra packets of windows whose runs exceed
                        * one */
  uint64_t tlb_lookups, tlb_hits; /* gps */
  uint64_t loads;                 /* transactions */
  uint64_t loads_remote;          /* not answered by local memory */
  uint64_t loads_queued;          /* gps: answered by the own write queue */
  uint64_t useful_bytes;          /* once per destination, as the next two */
  uint64_t redundant_bytes; /* already sent by the same GPU to the same dst
                             * since it last synchronised */
  uint64_t unused_bytes;    /* that nobody wrote */
} gscale_replay_counts;

typedef enum gscale_stage {
  GSCALE_STAGE_PROFILING, /* all GPUs subscribe to everything */
  GSCALE_STAGE_STEADY,
  GSCALE_STAGE_END
} gscale_stage;

typedef struct gscale_replay gscale_replay;

/** Creates a machine with empty queues.
 *
 *  All kinds merge lanes of one warp instruction that lie in the same line of
 *  128 B and have the same dst into one transaction with a mask of bytes.
 *  Atomics merge if they begin in the same `merge` B and have no byte in
 *  common, each in the first transaction with room.  Transactions for
 *  GSCALE_DST_ALL go to every other GPU, or after any profiling to the other
 *  subscribers of the page.
 *
 *  gps has a fully associative queue for each GPU, which holds lines by virtual
 *  address (and dst).  A store to a present line is merged without renewing it.
 *  A store to another line is added, and if that makes `watermark` entries, the
 *  oldest one leaves.  Fence and phase drain the queue in order.  A leaving
 *  line is looked up in a TLB of pages (LRU in sets) and sent as a whole line,
 *  without byte enables, to every other subscriber.  Atomics travel alone,
 *  after the entry with bytes of theirs.  A system store to a shared page
 *  drains its lines from all queues and leaves the writer with the only copy.
 *  A page with one subscriber is conventional: other GPUs' stores go to it at
 *  once, as plain ones.  After profiling, untouched pages belong to the first
 *  GPU to touch them.
 *
 *  finepack has entries of 128 B with byte masks, for each pair of GPUs.  A
 *  store opens a window at its address without the bits that the sub-header
 *  covers.  A store outside the open windows opens another; if all are open,
 *  the oldest is flushed first.  A register per window starts at `payload`.  A
 *  store with a new entry takes sub-header + bytes, and a merged one the bytes
 *  not yet enabled.  A store that does not fit flushes the window first.  A
 *  flushed window becomes a packet of runs of contiguous bytes, each with a
 *  sub-header, and further packets if the sparse runs exceed the payload.
 *  Loads from a named GPU and atomics flush the window that holds bytes of
 *  theirs.  Fences, phases and system stores flush all windows of the GPU.
 *
 *  bulk copies every written granule at the end of a phase to all its
 *  destinations.
 *
 *  Fails    GSCALE_EDOMAIN naming the option; GSCALE_ENOMEM.
 *  Omits    time, and with it back-pressure; requests and answers of loads and
 *           atomics; page walks.
 *  Source   [Gps21] 5; [Diss22] 4.5 and 5.3.  Ours, where they are silent: LRU;
 *           order of an atomic or a load with queued bytes; the owner of a
 *           collapsed page (as CUDA's read-mostly pages) or an untouched one;
 *           the window that is given up; merged bytes in the register. */
gscale_status gscale_replay_new(const gscale_replay_options *o,
                                gscale_replay **out, gscale_diag *diag);
void gscale_replay_free(gscale_replay *r);

/** Replays the next n records.
 *
 *  Consecutive records with the same GPU, kind and group are lanes of one warp
 *  instruction, up to 32; the next one begins another.  They may be pushed in
 *  pieces.  Memory grows with the touched pages, and with the lines that a GPU
 *  sends between two synchronisations, not with the records.
 *
 *  Fails    GSCALE_EDATA naming the record (from 1) and its field: an unknown
 *           kind, a GPU that does not exist, a size outside its range, an
 *           address beyond the last, an atomic across a line.
 *           GSCALE_EDOMAIN after gscale_replay_finish; GSCALE_ENOMEM.
 *           After a failure only gscale_replay_free is valid. */
gscale_status gscale_replay_push(gscale_replay *r, const gscale_record *records,
                                 size_t n, gscale_diag *diag);

typedef struct gscale_replay_result {
  gscale_replay_counts stage[GSCALE_STAGE_END];
  uint64_t pages[GSCALE_REPLAY_GPUS_MAX + 1]; /* by number of subscribers */
  uint64_t collapsed;                         /* pages with system stores */
} gscale_replay_result;

/** Drains all queues, as the end of a kernel does. */
gscale_status gscale_replay_finish(gscale_replay *r, gscale_replay_result *out,
                                   gscale_diag *diag);

/** Returns the bytes on the wire of a stage so far, over links of one kind.
 *
 *  Stores over PCIe make a packet for each run of contiguous bytes; over NVLink
 *  one for each line, masked unless it consists of whole flits.  A FinePack
 *  packet is one of stores with a payload of up to the option's, whatever the
 *  link permits today; with `configured` it has 10 B more for each run.
 *  Granules are messages of the copy engine.
 *
 *  Returned *packets  may be NULL.
 *  Source   gscale_wire_bytes_at; 10 B: [Diss22] 5.5.3. */
gscale_bytes gscale_replay_bytes(const gscale_replay *r, gscale_stage s,
                                 const gscale_link *l, double *packets);

/* ---- traces -------------------------------------------------------------- */

/** A file of records, read piece by piece.
 *
 *    binary   little endian: a head of 32 B (the characters gscaletr, uint32
 *             version 1, uint32 gpus, uint64 number of records or 0: to the end
 *             of the file, uint64 0), then records of 16 B in the order of
 *             gscale_record
 *    CSV      lines that begin with #; gpu,kind,address,size_B,dst,group; a
 *             line for each record: kind in words, address decimal or 0x...,
 *             dst a number or `all`.
 *
 *  Given    gpus   0: as the file says; a CSV file does not.
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM.
 *           GSCALE_EPARSE  with file and record or line.
 *           GSCALE_EDATA   the number of GPUs is missing, or another. */
typedef struct gscale_trace gscale_trace;
gscale_status gscale_trace_open(const char *path, int gpus, gscale_trace **out,
                                gscale_diag *diag);
void gscale_trace_close(gscale_trace *t);
int gscale_trace_gpus(const gscale_trace *t);

/** Reads the next records, at most `room`; none at the end of the file.
 *
 *  Fails    GSCALE_EIO; GSCALE_EPARSE with file, record or line, and field, as
 *           gscale_replay_push, and for a file that ends early or continues. */
gscale_status gscale_trace_read(gscale_trace *t, gscale_record *records,
                                size_t room, size_t *n, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
