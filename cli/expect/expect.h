/* expect.h - rows of logs beside their neighbours, and files beside others. */
#ifndef GPUSCALE_EXPECT_H
#define GPUSCALE_EXPECT_H

#include "common/cli.h"

enum {
  EXPECT_LARGE = 16777216 /* B, above which protocols do not switch */
};
static const size_t NOWHERE = SIZE_MAX;

typedef struct judged {
  const gscale_measurement *r;
  gscale_expected e;
  size_t file, prev, next, twin;
  double bytes, log;   /* of the call, of its time */
  double level, limit; /* of its table, in logs over the system's time */
  double usual;        /* of a matrix of pairs, in logs; NAN: no matrix */
  const char *verdict;
  char key[120]; /* equal for the same call in several files */
} judged;

typedef struct logs {
  const options *o;
  gscale_measurements *m;
  gscale_system *s; /* NULL: files are compared alone */
  about of;
  judged *row, **sorted;
  size_t n;
  struct {
    size_t end, remarks; /* rows and remarks up to the end of the file */
    size_t shared;       /* rows that others have as well */
    double off;          /* beside the others, in logs */
  } * file;
  size_t slow, fast, odd, unclear, broken, files_off;
  size_t series;       /* collectives and copies, one after the other */
  double level, limit; /* of all rows, limit 0: not known */
  const judged *worst, *lowest;
} logs;

/* Links the rows of a table, whose sizes rise, and the results of a line. */
void link_rows(logs *l, size_t i);
bool same_series(const gscale_measurement *a, const gscale_measurement *b);
/* Finds what is usual of row i and those of its matrix that are alike. */
void find_usual(logs *l, size_t i, double *room);
/* Returns whether a row takes longer than its neighbours and its twin let
 * expect, or than the other pairs of a matrix. */
bool is_odd(const logs *l, size_t i);
/* Returns whether a row has a twin and a neighbour, or two, or a matrix. */
bool has_neighbours(const logs *l, size_t i);
/* Finds how much longer each file takes in the mean of shared rows. */
void compare_files(logs *l, double *room);

#endif /* GPUSCALE_EXPECT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
