/* rows.h - declares the layout of rows for the code that writes them. */
#ifndef GPUSCALE_ROWS_H
#define GPUSCALE_ROWS_H

#include "common/cli.h"

struct rows {
  const char *schema;
  const column *columns;
  cell *cells;
  size_t n, count, room; /* number of columns, rows, allocated rows */
  bool lost;             /* memory was exhausted */
  void (*fill)(cell *row, const void *closure,
               size_t j); /* NULL if rows are stored */
  const void *closure;
  const claim *answer; /* or NULL */
};

/* Returns row j. The pointer is valid until the next call. */
const cell *row_at(const rows *r, size_t j);

/* Writes an aligned table of at most LINE_WIDTH columns (table.c). */
int table_write(const rows *r, output *o, failure *why);

#endif /* GPUSCALE_ROWS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
