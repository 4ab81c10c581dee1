/* rows.h - what rows are made of, for those that write them. */
#ifndef GPUSCALE_ROWS_H
#define GPUSCALE_ROWS_H

#include "common/cli.h"

struct rows {
  const char *schema;
  const column *columns;
  cell *cells;
  size_t n, count, room; /* columns, rows, rows there is room for */
  bool lost;             /* there was no memory for all of them */
  size_t keys; /* leading columns that a cut table repeats; 0: chosen */
  void (*fill)(cell *row, const void *closure, size_t j); /* or NULL: kept */
  const void *closure;
  const claim *answer; /* or NULL */
};

/* Row j, until the next is asked for. */
const cell *row_at(const rows *r, size_t j);

/* An aligned table of at most 80 columns (table.c). */
int table_write(const rows *r, output *o, failure *why);

#endif /* GPUSCALE_ROWS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
