/* replay.h - exact replay of write queues over a stream of stores. */
#ifndef GSCALE_REPLAY_H
#define GSCALE_REPLAY_H

#include "gpuscale/predict.h"
#include "gpuscale/queue.h"

#include <stdint.h>

/** The operation of a thread.  Traces use these numbers and names. */
typedef enum gscale_operation {
  GSCALE_OP_STORE,  /* "store" */
  GSCALE_OP_LOAD,   /* "load", which reveals readers and makes no packet */
  GSCALE_OP_ATOMIC, /* "atomic" */
  GSCALE_OP_SYSTEM, /* "system": a store of system scope */
  GSCALE_OP_FENCE,  /* "fence": a fence of system scope on one GPU */
  GSCALE_OP_PHASE,  /* "phase": the end of a kernel on all GPUs */
  GSCALE_OP_END
} gscale_operation;

enum {
  GSCALE_REPLAY_GPUS_MAX = 64,
  GSCALE_DST_ALL = 255 /* dst of all subscribers of the page */
};

/** One lane of a warp instruction.  A binary trace has the same record, always
 *  in little-endian byte order. */
typedef struct gscale_record {
  uint64_t address; /* B, in the GPUs' common address space */
  uint32_t group;   /* warp instruction (gscale_replay_push) */
  uint8_t size;     /* B, 1 to 16; 0 for a fence or a phase */
  uint8_t gpu;      /* GPU that issues the operation */
  uint8_t dst;      /* receiving GPU, owner of loaded memory, or
                     * GSCALE_DST_ALL */
  uint8_t kind;     /* gscale_operation */
} gscale_record;

/** The queue between the SMs and the link. */
typedef enum gscale_queue {
  GSCALE_QUEUE_SM,       /* "sm": no queue; each transaction of an SM counts
                          * once for all destinations */
  GSCALE_QUEUE_PLAIN,    /* "plain": no queue; peer-to-peer stores */
  GSCALE_QUEUE_GPS,      /* "gps": write queue and subscriptions */
  GSCALE_QUEUE_FINEPACK, /* "finepack": write queues and packets of stores */
  GSCALE_QUEUE_BULK,     /* "bulk": copies of written regions */
  GSCALE_QUEUE_END
} gscale_queue;

/** The options of a replay.  Defaults of gscale_replay_options_init are in
 *  brackets. */
typedef struct gscale_replay_options {
  gscale_queue queue;
  int gpus;      /* number of GPUs, 1 to GSCALE_REPLAY_GPUS_MAX [4] */
  int profile;   /* number of phases after which a GPU stays subscribed only to
                  * touched pages; 0: always to all [gps 1, others 0] */
  uint64_t page; /* B, a power of two, 128 to 2^40 [64 KiB] */
  int capacity;  /* entries: gps 2 to 32768 [512]; finepack, for each other GPU,
                  * 1 to 1024 [64] */
  int watermark; /* gps: number of entries at which an entry leaves, 1 to
                  * capacity; 0: capacity - 1 [0] */
  int tlb, ways; /* gps: entries of the TLB, a multiple of ways [32, 8] */
  int subheader; /* finepack: B of a sub-header, 2 to 6 [4] */
  int payload;   /* finepack: payload of a packet, B, 256 to 65536 [4096] */
  int windows;   /* finepack: open windows for each other GPU, 1 to capacity,
                  * which share the entries equally [1] */
  uint64_t timeout; /* finepack: an unchanged window is flushed after this
                     * number of a GPU's records; 0: never */
  bool configured;  /* finepack: a configuration packet has the common fields,
                     * and each store is a packet */
  uint64_t granule; /* bulk: B per copy, a power of two, 128 to 2^40 [64 KiB] */
  int merge; /* B, a power of two, 4 to 128; atomics of a warp on different
              * bytes of such a range are one transaction; 4: no merging [4] */
} gscale_replay_options;

void gscale_replay_options_init(gscale_replay_options *o, gscale_queue queue);

/** The cause of a flush. */
typedef enum gscale_flush {
  GSCALE_FLUSH_WATERMARK, /* gps: the queue reached the watermark */
  GSCALE_FLUSH_WINDOW,    /* finepack: a store is outside the windows */
  GSCALE_FLUSH_ENTRIES,   /* finepack: no entry is free */
  GSCALE_FLUSH_PAYLOAD,   /* finepack: the store exceeds the payload */
  GSCALE_FLUSH_TIMEOUT,   /* finepack */
  GSCALE_FLUSH_LOAD,      /* a remote load of queued bytes */
  GSCALE_FLUSH_ATOMIC,    /* an atomic on queued bytes */
  GSCALE_FLUSH_SYSTEM,    /* a store of system scope */
  GSCALE_FLUSH_FENCE,
  GSCALE_FLUSH_PHASE, /* end of a phase or of the trace */
  GSCALE_FLUSH_END
} gscale_flush;

/** Counts that do not depend on the link.  All bytes are payload. */
typedef struct gscale_replay_counts {
  uint64_t records, phases;
  uint64_t instructions; /* warp instructions that store or load */
  uint64_t stores;       /* transactions that leave SMs: lines of stores and
                          * system stores, and lanes of atomics */
  uint64_t store_bytes;  /* B of all stores */
  uint64_t sectors;      /* touched sectors of 32 B */
  uint64_t local;        /* stores for no other GPU, except with sm */
  uint64_t atomics;      /* atomic stores */
  uint64_t queued;       /* stores that reached a queue, with finepack once per
                          * destination */
  uint64_t hits;         /* queued stores that merged with an entry */
  uint64_t flushes[GSCALE_FLUSH_END]; /* flushed entries (gps) or windows
                                       * (finepack) */
  uint64_t entries;                   /* entries that left the queues */
  uint64_t sends;      /* entries and atomics once per destination (gps),
                        * transactions (plain, sm), copies of granules (bulk),
                        * or packets (finepack) */
  uint64_t direct;     /* gps, finepack: atomics, system stores and stores to
                        * conventional pages, which bypassed the queue */
  uint64_t subpackets; /* finepack: runs of bytes */
  uint64_t splits;     /* finepack: extra packets of windows whose runs exceed
                        * a packet */
  uint64_t tlb_lookups, tlb_hits; /* gps */
  uint64_t loads;                 /* transactions */
  uint64_t loads_remote;          /* loads that local memory did not answer */
  uint64_t loads_queued;          /* gps: loads that the GPU's write queue
                                   * answered */
  uint64_t useful_bytes;          /* useful B, counted once per destination */
  uint64_t redundant_bytes; /* B that the same GPU already sent to the same dst
                             * after its last synchronisation */
  uint64_t unused_bytes;    /* B that no store wrote */
} gscale_replay_counts;

typedef enum gscale_stage {
  GSCALE_STAGE_PROFILING, /* all GPUs subscribe to everything */
  GSCALE_STAGE_STEADY,
  GSCALE_STAGE_END
} gscale_stage;

typedef struct gscale_replay gscale_replay;

/** Creates a replay with empty queues.
 *
 *  All kinds merge lanes of a warp instruction into one transaction with a byte
 *  mask if the lanes have the same line of 128 B and the same dst.  Atomics
 *  merge if they begin in the same `merge` B and have no byte in common.  Each
 *  atomic joins the first transaction with room.  Transactions for
 *  GSCALE_DST_ALL go to every other GPU, or, after profiling, to the other
 *  subscribers of the page.
 *
 *  gps has a fully associative queue for each GPU, which holds lines by virtual
 *  address (and dst).  A store to a present line is merged and does not make
 *  the line younger.  A store to another line is added, and if the queue then
 *  has `watermark` entries, the oldest entry leaves.  Fences and phases drain
 *  the queue in order.  A line that leaves is looked up in a TLB of pages (LRU
 *  in sets) and sent as a whole line, without byte enables, to every other
 *  subscriber.  An atomic is sent alone, after a queued entry with the same
 *  bytes.  A system store to a shared page drains the page's lines from all
 *  queues, and the writer keeps the only copy.  A page with one subscriber is
 *  conventional: stores of other GPUs are sent at once, as with
 *  GSCALE_QUEUE_PLAIN.  After profiling, an untouched page belongs to the first
 *  GPU that touches the page.
 *
 *  finepack has entries of 128 B with byte masks for each pair of GPUs.  A
 *  store opens a window at the store's address without the bits that the
 *  sub-header covers.  A store outside the open windows opens a new window; if
 *  all windows are open, the oldest window is flushed first.  A register per
 *  window starts at `payload`.  A store with a new entry subtracts sub-header +
 *  bytes, and a merged store subtracts the bytes that are not yet enabled.  A
 *  store that does not fit flushes the window first.  A flushed window becomes
 *  a packet of runs of contiguous bytes, each with a sub-header, and further
 *  packets if the sparse runs exceed the payload.  Atomics, and loads from a
 *  named GPU, flush the window with the same bytes.  Fences, phases and system
 *  stores flush all windows of the GPU.
 *
 *  bulk copies every written granule to all destinations at the end of a phase.
 *
 *  Fails    GSCALE_EDOMAIN, with the option in *diag; GSCALE_ENOMEM.
 *  Omits    time, and therefore back-pressure; requests and answers of loads
 *           and atomics; page walks.
 *  Source   [Gps21] 5; [Diss22] 4.5 and 5.3.  Both omit five rules, which are
 *           ours: LRU; the order of an atomic or a load with queued bytes; the
 *           owner of a collapsed page (as with CUDA's read-mostly pages) or an
 *           untouched page; the choice of the flushed window; merged bytes in
 *           the register. */
gscale_status gscale_replay_new(const gscale_replay_options *o,
                                gscale_replay **out, gscale_diag *diag);
void gscale_replay_free(gscale_replay *r);

/** Replays the next n records.
 *
 *  Up to 32 consecutive records with the same GPU, kind and group are lanes of
 *  one warp instruction.  The lanes of a warp instruction may be pushed in
 *  several calls.  Memory grows with the touched pages, and with the lines that
 *  a GPU sends between two synchronisations, but not with the number of
 *  records.
 *
 *  Fails    GSCALE_EDATA if a record has an unknown kind, a GPU that does not
 *           exist, a size outside its range, an address beyond the last, or an
 *           atomic across two lines; *diag names the record (from 1) and the
 *           field.
 *           GSCALE_EDOMAIN after gscale_replay_finish; GSCALE_ENOMEM.
 *           After a failure only gscale_replay_free is valid. */
gscale_status gscale_replay_push(gscale_replay *r, const gscale_record *records,
                                 size_t n, gscale_diag *diag);

typedef struct gscale_replay_result {
  gscale_replay_counts stage[GSCALE_STAGE_END];
  uint64_t pages[GSCALE_REPLAY_GPUS_MAX + 1]; /* pages by number of
                                               * subscribers */
  uint64_t collapsed;                         /* pages with system stores */
} gscale_replay_result;

/** Drains all queues, as at the end of a kernel. */
gscale_status gscale_replay_finish(gscale_replay *r, gscale_replay_result *out,
                                   gscale_diag *diag);

/** Returns the wire bytes of a stage so far, for one kind of link.
 *
 *  Over PCIe, each run of contiguous stored bytes makes a packet.  Over NVLink,
 *  each line makes a packet, which is masked unless it has only whole flits.  A
 *  FinePack packet is a packet of stores with a payload up to the option
 *  `payload`, whatever the link permits today; with `configured`, each run
 *  takes 10 B more.  Granules are messages of the copy engine.
 *
 *  Returned *packets  may be NULL.
 *  Source   gscale_wire_bytes_at; 10 B: [Diss22] 5.5.3. */
gscale_bytes gscale_replay_bytes(const gscale_replay *r, gscale_stage s,
                                 const gscale_link *l, double *packets);

/* ---- traces -------------------------------------------------------------- */

/** A file of records that is read piece by piece.
 *
 *    binary:  a header of 32 B, then records of 16 B in the order of
 *             gscale_record, little-endian.  The header is `gscaletr`, uint32
 *             version 1, uint32 gpus, uint64 number of records (0: to the end
 *             of the file), and uint64 0.
 *    CSV:     lines with #, then gpu,kind,address,size_B,dst,group, then a line
 *             for each record.  kind is a word, address is decimal or 0x...,
 *             and dst is a number or `all`.
 *
 *  Given    gpus   number of GPUs; 0: as a binary file says.
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM.
 *           GSCALE_EPARSE  with the file and the record or line.
 *           GSCALE_EDATA   if the number of GPUs is missing or different. */
typedef struct gscale_trace gscale_trace;
gscale_status gscale_trace_open(const char *path, int gpus, gscale_trace **out,
                                gscale_diag *diag);
void gscale_trace_close(gscale_trace *t);
int gscale_trace_gpus(const gscale_trace *t);

/** Reads the next records, at most `room`, or none at the end of the file.
 *
 *  Fails    GSCALE_EIO; GSCALE_EPARSE for the mistakes of gscale_replay_push
 *           and for a file that ends early or late, with file, record or line,
 *           and field. */
gscale_status gscale_trace_read(gscale_trace *t, gscale_record *records,
                                size_t room, size_t *n, gscale_diag *diag);

#endif /* GSCALE_REPLAY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
