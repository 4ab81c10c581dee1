/* partial_output.h - files that grow while a sweep lasts. */
#ifndef GPUSCALE_PART_H
#define GPUSCALE_PART_H

#include "common/cli.h"

#include <stdint.h>

/* FILE.part, which becomes FILE when all is there.  What ended before is left,
 * for part_resume().  It is locked as long as it is open, so that two sweeps do
 * not write one file: the second fails with EXIT_IO and says which process the
 * first is.  The lock goes with its process, however that ends. */
typedef struct part {
  FILE *f;
  const char *path; /* of FILE */
  char *name;       /* of FILE.part */
  const char *head;
  uint64_t rows; /* that it holds; the caller counts what it writes */
  size_t fresh;  /* B that may not be on their way to the disk yet */
} part;

/* A line of a head, "# rows:", that part_end() fills in: a file in which it
 * says `?` has not ended, and one of another number has lost something. */
void part_put_rows(FILE *f, const uint64_t *count); /* NULL: `?` */

/* Begins anew, with `head`: all lines up to that of names, one of
 * part_put_rows() among them.  It must last as long as the part. */
int part_begin(part *p, const char *path, const char *head, failure *why);
/* Goes on with what is there, if its head is the same; *next, between first and
 * last, is the point that it goes on with: the last of which there is a row may
 * lack others.  Begins anew where there is no such file. */
int part_resume(part *p, const char *path, const char *head, uint64_t first,
                uint64_t last, uint64_t *next, failure *why);
/* Said behind each write of so many bytes: what was written goes to the disk
 * while more is computed, so that part_end() does not wait for all of it. */
void part_push(part *p, size_t size);
/* Says how many rows there are, checks every write, and renames. */
int part_end(part *p, failure *why);
/* Leaves what there is. */
void part_leave(part *p);

/* The files of all shards as one; each says in its head which points it has
 * ("# points: 0..99 of 400") and how many rows.  A file that does not hold just
 * those is refused. */
int part_merge(const char *const path[], size_t n, output *out, failure *why);

#endif /* GPUSCALE_PART_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
