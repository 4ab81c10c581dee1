/* part.h - files that grow while a sweep lasts. */
#ifndef GPUSCALE_PART_H
#define GPUSCALE_PART_H

#include "cli/cli.h"

#include <stdint.h>

/* FILE.part, which becomes FILE when all is there.  What ended before is left,
 * for part_resume(). */
typedef struct part {
  FILE *f;
  const char *path; /* of FILE */
  char *name;       /* of FILE.part */
} part;

/* Begins anew, with the head and the line of names in `head`. */
int part_begin(part *p, const char *path, const char *head, failure *why);
/* Goes on with what is there, if its head is the same; *next, between first and
 * last, is the point that it goes on with: the last of which there is a row may
 * lack others.  Begins anew where there is no such file. */
int part_resume(part *p, const char *path, const char *head, uint64_t first,
                uint64_t last, uint64_t *next, failure *why);
/* Checks every write, and renames. */
int part_end(part *p, failure *why);
/* Leaves what there is. */
void part_leave(part *p);

/* The files of all shards as one; each says in its head which points it has
 * ("# points: 0..99 of 400"). */
int part_merge(const char *const path[], size_t n, output *out, failure *why);

#endif /* GPUSCALE_PART_H */
