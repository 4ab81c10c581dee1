/* profile.h - what the readers of profiles share. */
#ifndef GPUSCALE_IMPORT_PROFILE_H
#define GPUSCALE_IMPORT_PROFILE_H

#include "ground/ground.h"

#include <stdio.h>
#include <zlib.h>

/* Things that differ, found by their bytes; a table of places in `at`. */
typedef struct gscale__set {
  uint32_t *slot; /* index + 1 */
  size_t slots, n;
} gscale__set;

/* Names of one kind by what identifies them: counted from 0. */
typedef struct gscale__ids {
  int64_t *key[2];
  size_t n, room[2];
  gscale__set set;
} gscale__ids;

typedef struct gscale__kernel_work {
  const char *name;
  double blocks, launches, flop, bytes;
} gscale__kernel_work;

struct gscale_recording {
  gscale_recorded_record *record;
  size_t n, room;
  gscale_recorded_what *what;
  size_t whats, what_room;
  gscale__set what_set, name_set;
  char **name;
  size_t names, name_room;
  gscale__ids process, thread, gpu, stream; /* keys of two numbers */
  char (*note)[256];
  size_t notes, note_room;
  gscale__kernel_work *work;
  size_t works, work_room;
  size_t first[GSCALE_RECORDED_KIND_END + 1];
  size_t files;
  size_t seen[2], damaged[2]; /* of the file: what GPUs do, what else lasts */
  int gpus;
};

/* A file that is being read. */
typedef struct gscale__reading {
  gscale_recording *p;
  const char *path;
  size_t most;
  void (*progress)(void *closure, double share);
  void *closure;
  gscale_diag *diag;
  int file;
  double size; /* B */
} gscale__reading;

gscale_status gscale__record_lost(gscale__reading *r);
/* "path: ..." */
gscale_status gscale__unread(gscale__reading *r, gscale_status st,
                             const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A what in which nothing is said. */
gscale_recorded_what gscale__nothing(gscale_recorded_kind kind);
/* The text, kept once; NULL without memory. */
const char *gscale__intern(gscale_recording *p, const char *text);
/* A range's text, with digits as '#': those of one loop are alike. */
const char *gscale__intern_range(gscale_recording *p, const char *text);
/* The number of (a, b) in a list, added if it is new; -1 without memory. */
int gscale__id(gscale__ids *v, int64_t a, int64_t b);
/* Two numbers as one key: a device or context, and a stream of it. */
int64_t gscale__pair(int64_t a, int64_t b);
/* Adds a record, unless it should last and ends before it starts, or nobody
 * knows when (INT64_MIN): these are counted.  Times beyond +-73 years are
 * those, so that differences of two are numbers.  Its what has raw numbers:
 * `gpu`, `src` and `dst` as the process counts them, `stream` as its context
 * does. */
bool gscale__record(gscale_recording *p, const gscale_recorded_what *w,
                    int64_t start, int64_t end, uint32_t correlation);
void gscale__note(gscale_recording *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses a compressed file of which more than 64 MiB have been read, more than
 * 200 times its own size: real ones have 30 times. */
gscale_status gscale__unpacked(gscale__reading *r, gzFile f, double done);

/* Whether a file begins as the format does, and its reader. */
typedef struct gscale__recorded_format {
  bool (*detect)(const char *head, size_t size);
  gscale_status (*read)(gscale__reading *r);
} gscale__recorded_format;

extern const gscale__recorded_format gscale__recorded_sqlite,
    gscale__recorded_json, gscale__recorded_csv;

#endif /* GPUSCALE_IMPORT_PROFILE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
