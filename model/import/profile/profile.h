/* profile.h - the shared interface of readers of profiles. */
#ifndef GPUSCALE_IMPORT_PROFILE_H
#define GPUSCALE_IMPORT_PROFILE_H

#include "ground/ground.h"

#include <stdio.h>
#include <zlib.h>

/* A set of items with different bytes.  `slot` is a hash table of the items'
 * indices. */
typedef struct gscale__set {
  uint32_t *slot; /* index + 1 */
  size_t slots, n;
} gscale__set;

/* Numbers, from 0, of pairs of keys of one kind. */
typedef struct gscale__ids {
  int64_t (*key)[2];
  size_t n, room;
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
  size_t seen[2], damaged[2]; /* per file, for GPU and other records */
  int gpus, world, sms;
  bool fake;
  double memory;
};

/* The state of a reader of one file. */
typedef struct gscale__reading {
  gscale_recording *p;
  const char *path;
  size_t most;
  void (*progress)(void *closure, double share);
  void *closure;
  gscale_diag *diag;
  int file;
  double size; /* B */
  gzFile in;
} gscale__reading;

gscale_status gscale__record_lost(gscale__reading *r);
/* Fails with the path and a message. */
gscale_status gscale__unread(gscale__reading *r, gscale_status st,
                             const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns a description without data. */
gscale_recorded_what gscale__nothing(gscale_recorded_kind kind);
/* Returns the direction in CUPTI's name of a copy, such as "Memcpy HtoD". */
gscale_recorded_copy gscale__copy_in(const char *name);
/* Stores a text once, or returns NULL if there is no memory. */
const char *gscale__intern(gscale_recording *p, const char *text);
/* Stores a range's text with '#' for digits, so that iterations of a loop have
 * the same text. */
const char *gscale__intern_range(gscale_recording *p, const char *text);
/* Returns the number of the pair (a, b), which is added if new, or -1 if there
 * is no memory. */
int gscale__id(gscale__ids *v, int64_t a, int64_t b);
/* Combines two numbers in one key, such as a device or context and a stream. */
int64_t gscale__pair(int64_t a, int64_t b);
/* Adds a record. A record of a kind with a duration only counts as damaged if
 * it ends before it starts or has no time (INT64_MIN).  Times are limited to
 * +-73 years, so that differences do not overflow.  `gpu`, `src`, `dst` and
 * `stream` are numbers of the process and its context. */
bool gscale__record(gscale_recording *p, const gscale_recorded_what *w,
                    int64_t start, int64_t end, uint32_t correlation);
void gscale__note(gscale_recording *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

enum {
  GSCALE__BLOCK = 1 << 14
};

/* Reads the next block, without a mark of UTF-8, and returns its size, or 0 at
 * the end and after a failure.  Refuses a compressed file whose content exceeds
 * 64 MiB and 200 times the file's size.  Real files expand by a factor of 30.
 */
size_t gscale__block(gscale__reading *r, char *block, gscale_status *st);

/* A format, with functions that recognise the beginning of a file and read the
 * file. */
typedef struct gscale__recorded_format {
  bool (*detect)(const char *head, size_t size);
  gscale_status (*read)(gscale__reading *r);
} gscale__recorded_format;

extern const gscale__recorded_format gscale__recorded_sqlite,
    gscale__recorded_json, gscale__recorded_csv;

#endif /* GPUSCALE_IMPORT_PROFILE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
