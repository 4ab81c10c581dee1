/* recording.h - records of a profiled run: kernels, copies, memsets, events,
 * waits, calls and marked ranges.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_RECORDING_H
#define GSCALE_RECORDING_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gscale_recorded_kind {
  GSCALE_RECORDED_KERNEL,
  GSCALE_RECORDED_COPY,
  GSCALE_RECORDED_MEMSET,
  GSCALE_RECORDED_EVENT, /* a stream records an event */
  GSCALE_RECORDED_WAIT,  /* a stream waits for one */
  GSCALE_RECORDED_SYNC,  /* the host waits: stream, event, device */
  GSCALE_RECORDED_CALL,  /* an API call of a host thread */
  GSCALE_RECORDED_RANGE, /* marked by the program */
  GSCALE_RECORDED_KIND_END
} gscale_recorded_kind;

typedef enum gscale_recorded_copy {
  GSCALE_RECORDED_OTHER,
  GSCALE_RECORDED_H2D,
  GSCALE_RECORDED_D2H,
  GSCALE_RECORDED_D2D,
  GSCALE_RECORDED_P2P, /* to another GPU */
  GSCALE_RECORDED_COPY_END
} gscale_recorded_copy;

/** The common part of records that differ only in their times. */
typedef struct gscale_recorded_what {
  gscale_recorded_kind kind;
  gscale_recorded_copy copy; /* of a copy */
  bool pageable;             /* to or from unpinned host memory */
  bool all;                  /* a sync with all streams of its GPU */
  int process, thread;       /* counted from 0, or -1 if unknown */
  int gpu, stream;           /* number over all processes; -1: none */
  int src, dst;              /* GPUs of a copy between two, or -1 */
  int ranks;                 /* ranks of a collective; 0: unknown */
  const char *name;          /* name of a kernel, call or range, or "" */
  double bytes;              /* B of copies, memsets, collectives */
  double blocks, threads;    /* blocks of a grid, threads per block; 0:
                              * unknown */
  double registers, shared;  /* per thread; B per block; 0: unknown */
  bool collective;           /* a kernel that communicates, by its arguments or
                              * its name */
} gscale_recorded_what;

typedef struct gscale_recorded_record {
  int64_t start; /* ns, from the first record on */
  int64_t end;   /* ns; events, waits and syncs: number of the event's record,
                  * 0: unknown */
  uint32_t what;
  uint32_t correlation; /* link to the call in its process; 0: none */
} gscale_recorded_record;

typedef struct gscale_recording gscale_recording;

gscale_recording *gscale_recording_new(void);
void gscale_recording_free(gscale_recording *p);

/** Adds the records of a file; several files are parts of one run, each with
 *  its own processes.  Formats are detected by content: SQLite exports of
 *  Nsight Systems, JSON of Kineto (also .gz), files of params/trace.  CSV of
 * ncu adds no records, but work of kernels.  The middle is kept of a SQLite
 * file with more than `most` records.
 *
 *  Given    most      records to keep, 0: 2 million.
 *           progress  may be NULL; called with the share that was read.
 *  Fails    GSCALE_EIO, GSCALE_ENOMEM;  GSCALE_EPARSE  a file that is damaged,
 *           or
 *           of unknown format;  GSCALE_EDATA  it has no records, and the text
 *           names the tables or columns sought.
 *  Source   tables and columns of files from 2022 to 2026. */
gscale_status
gscale_recording_read(gscale_recording *p, const char *path, size_t most,
                      void (*progress)(void *closure, double share),
                      void *closure, gscale_diag *diag);

/** Numbers GPUs over all files, and orders records by kind, then start.  No
 *  file can be read afterwards. */
gscale_status gscale_recording_finish(gscale_recording *p, gscale_diag *diag);

typedef struct gscale_recording_facts { /* how many it has */
  size_t records, whats;
  int gpus, processes;
  int world; /* ranks of the run, as a file states it; 0: unknown */
  bool fake; /* of a process group that moves nothing */
} gscale_recording_facts;
gscale_recording_facts gscale_recording_about(const gscale_recording *p);

const gscale_recorded_record *gscale_recording_at(const gscale_recording *p,
                                                  size_t i);
/** Returns the index of the first record of a kind; KIND_END: the count. */
size_t gscale_recording_first(const gscale_recording *p,
                              gscale_recorded_kind k);
const gscale_recorded_what *gscale_recording_what(const gscale_recording *p,
                                                  size_t i);
/** Returns the file that a process is in, in the order of reading; -1: no
 *  process. */
int gscale_recording_file(const gscale_recording *p, int process);
/** Returns a note on missing data, with the profiler's option for it, or on
 *  dropped records; NULL past the end. */
const char *gscale_recording_note(const gscale_recording *p, size_t i);
/** Writes a kernel's name without types and namespaces, cut to `size`, which is
 *  above 0: "sweep" for "void sweep<float>(float *, int)", "(anonymous
 *  namespace)::sweep()" and "_Z5sweepPf". */
void gscale_recorded_short_name(const char *name, char *out, size_t size);
/** Returns the means of ncu's launches of a kernel, flop and B; false if
 *  unknown. Kernels with one short name and grid are one. */
bool gscale_recording_work(const gscale_recording *p,
                           const gscale_recorded_what *w, double *flop,
                           double *bytes);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_RECORDING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
