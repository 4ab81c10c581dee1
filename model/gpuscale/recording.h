/* recording.h - records of a profiled run: kernels, copies, memsets, events,
 * waits, calls and marked ranges. */
#ifndef GSCALE_RECORDING_H
#define GSCALE_RECORDING_H

#include "gpuscale.h"

#include <stdint.h>

typedef enum gscale_recorded_kind {
  GSCALE_RECORDED_KERNEL,
  GSCALE_RECORDED_COPY,
  GSCALE_RECORDED_MEMSET,
  GSCALE_RECORDED_EVENT, /* a stream records an event */
  GSCALE_RECORDED_WAIT,  /* a stream waits for an event */
  GSCALE_RECORDED_SYNC,  /* the host waits for a stream, event or device */
  GSCALE_RECORDED_CALL,  /* an API call of a host thread */
  GSCALE_RECORDED_RANGE, /* a range that the program marks */
  GSCALE_RECORDED_KIND_END
} gscale_recorded_kind;

typedef enum gscale_recorded_copy {
  GSCALE_RECORDED_OTHER,
  GSCALE_RECORDED_H2D,
  GSCALE_RECORDED_D2H,
  GSCALE_RECORDED_D2D,
  GSCALE_RECORDED_P2P, /* a copy to another GPU */
  GSCALE_RECORDED_COPY_END
} gscale_recorded_copy;

/** The common part of records that differ only in times. */
typedef struct gscale_recorded_what {
  gscale_recorded_kind kind;
  gscale_recorded_copy copy; /* direction of a copy */
  bool pageable;             /* a copy to or from unpinned host memory */
  int process, thread;       /* numbers from 0, or -1 if unknown */
  int gpu, stream;           /* numbers over all processes; -1: none */
  int src, dst;              /* GPUs of a copy between GPUs, or -1 */
  int ranks;                 /* ranks of a collective; 0: unknown */
  const char *name;          /* name of a kernel, call or range, or "" */
  double bytes;              /* B of a copy, memset or collective */
  double blocks, threads;    /* blocks of the grid, threads per block; 0:
                              * unknown */
  double registers, shared;  /* registers per thread, shared B per block; 0:
                              * unknown */
  bool collective;           /* a kernel that communicates, according to its
                              * arguments or name */
} gscale_recorded_what;

typedef struct gscale_recorded_record {
  int64_t start; /* ns from the first record */
  int64_t end;   /* end, ns, but for events, waits and syncs the number of the
                  * event's record (0: unknown) */
  uint32_t what;
  uint32_t correlation; /* number of the call in the process; 0: none */
} gscale_recorded_record;

typedef struct gscale_recording gscale_recording;

gscale_recording *gscale_recording_new(void);
void gscale_recording_free(gscale_recording *p);

/** Adds the records of a file.  Several files are parts of one run, each with
 *  separate processes.  The content decides the format: SQLite of Nsight
 *  Systems, JSON of Kineto (also .gz), or files of params/trace.  CSV of ncu
 *  adds the work of kernels, and no records.  If a SQLite file has more than
 *  `most` records, only the middle `most` records are kept.
 *
 *  Given    most      limit of records to keep; 0: 2 million.
 *           progress  NULL, or called with the share of the file that was read.
 *  Fails    GSCALE_EIO;  GSCALE_ENOMEM.
 *           GSCALE_EPARSE  if a file is damaged or has an unknown format.
 *           GSCALE_EDATA   if a file has no records; *diag names the missing
 *                          tables or columns.
 *  Source   tables and columns of files from 2022 to 2026. */
gscale_status
gscale_recording_read(gscale_recording *p, const char *path, size_t most,
                      void (*progress)(void *closure, double share),
                      void *closure, gscale_diag *diag);

/** Assigns GPU numbers across all files, and sorts records by kind and then by
 *  start time.  No file can be read afterwards. */
gscale_status gscale_recording_finish(gscale_recording *p, gscale_diag *diag);

typedef struct gscale_recording_facts { /* counts of a recording */
  size_t records, whats;
  int gpus, processes;
  int world;     /* number of ranks that a file states; 0: unknown */
  int sms;       /* multiprocessors of a GPU; 0: unknown */
  bool fake;     /* the process group moves no data */
  double memory; /* most B that a GPU's framework allocated; 0: unknown */
} gscale_recording_facts;
gscale_recording_facts gscale_recording_about(const gscale_recording *p);

const gscale_recorded_record *gscale_recording_at(const gscale_recording *p,
                                                  size_t i);
/** Returns the index of the first record of a kind, or the number of records
 *  for KIND_END. */
size_t gscale_recording_first(const gscale_recording *p,
                              gscale_recorded_kind k);
const gscale_recorded_what *gscale_recording_what(const gscale_recording *p,
                                                  size_t i);
/** Returns the number of the file, in the order of reading, that has a process,
 *  or -1 if there is no such process. */
int gscale_recording_file(const gscale_recording *p, int process);
/** Returns a note on dropped records, or on missing data with the option of the
 *  profiler that records them.  The result is NULL past the end. */
const char *gscale_recording_note(const gscale_recording *p, size_t i);
/** Writes a kernel's name without types and namespaces, truncated to `size` >
 *  0.  For example, the name is "sweep" for "void sweep<float>(float *, int)",
 *  "(anonymous namespace)::sweep()" and "_Z5sweepPf". */
void gscale_recorded_short_name(const char *name, char *out, size_t size);
/** Gives the mean flop and bytes of a kernel's launches as measured by ncu, or
 *  returns false if unknown.  Kernels with equal short names and grids count as
 *  one kernel. */
bool gscale_recording_work(const gscale_recording *p,
                           const gscale_recorded_what *w, double *flop,
                           double *bytes);

#endif /* GSCALE_RECORDING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
