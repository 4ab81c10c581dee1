/* units.h - numbers with a unit and an origin. */
#ifndef GSCALE_UNITS_H
#define GSCALE_UNITS_H

#include "gpuscale.h"

typedef enum gscale_dim {
  GSCALE_COUNT, /* no unit, or a fraction */
  GSCALE_TIME,
  GSCALE_BYTES,
  GSCALE_BYTERATE,
  GSCALE_FLOP,
  GSCALE_FLOPRATE,
  GSCALE_RATE,            /* 1/s */
  GSCALE_TIME_PER_BYTE,   /* s/B */
  GSCALE_POWER,           /* W */
  GSCALE_ENERGY,          /* J */
  GSCALE_ENERGY_PER_BYTE, /* J/B */
  GSCALE_DIM_END
} gscale_dim;

/** Reads a quantity such as "450 GB/s", "2.5 us" or "1 GiB", and checks the
 *  dimension.
 *
 *  Given    text   a decimal number, blanks and a unit.  Prefixes k M G T P are
 *                  powers of 10, and Ki Mi Gi Ti are powers of 2.  A number
 *                  without a unit is accepted for GSCALE_COUNT, and 0 for every
 *                  dimension.
 *           dim    the expected dimension.
 *  Returned *out   the finite number in SI base units.
 *  Fails    GSCALE_EPARSE  if the text is no finite number.
 *           GSCALE_EUNIT   if the unit is missing, unknown, or of another
 *                          dimension.
 *  Omits    bits, hexadecimal, digit grouping. */
gscale_status gscale_parse_quantity(const char *text, gscale_dim dim,
                                    double *out, gscale_diag *diag);

/** Writes `si` for readers, with three to four significant digits and a prefix.
 *
 *  Returned buf    a text such as "449.6 GB/s", "2.31 us" or "64 KiB", or "-"
 *                  for NaN.  Multiples of 1024 B have binary prefixes unless
 *                  only the decimal text is exact. */
void gscale_format_quantity(double si, gscale_dim dim, char *buf, size_t size);

/** Appends to a text as snprintf() does, with numbers of the C locale.
 *
 *  Given    text   a buffer of `size` bytes with a text that ends with a 0.
 *  Returned false if the result was truncated. */
bool gscale_append(char *text, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/** Compares numbers for qsort(): -1, 0 or 1. */
#define GSCALE_ORDER(x, y) (((x) > (y)) - ((x) < (y)))

/** Returns `at`, reallocated to have room for `need` items of `size` bytes, or
 *  NULL if memory is exhausted; `at` is then still valid.  An `at` of NULL gets
 *  room for an item at least. */
void *gscale_reserve(void *at, size_t *room, size_t need, size_t size);

/** Writes `si` for gscale_parse_quantity, with a prefix.
 *
 *  Given    digits  1 to 17 significant digits, or any other number for the
 *                   fewest digits that read back as the same bits.
 *  Returned buf     a text such as "4.10684 TB/s" of at most 63 bytes, or "-"
 *                   if si is not finite.  A text of 6 digits reads back within
 *                   5e-6. */
void gscale_format_digits(double si, gscale_dim dim, int digits, char *buf,
                          size_t size);

/** Returns the unit of a dimension, such as "s" or "B/s", or "1" for counts, or
 *  NULL past the end. */
const char *gscale_dim_unit(gscale_dim dim);

/** Returns the number of failed allocations in this thread.
 *
 *  A status can be GSCALE_ENOMEM, but a number cannot.  If this count has grown
 *  in a call, lack of memory caused a time of NaN, or an error, index or draw
 *  without a time. */
size_t gscale_refusals(void);

#endif /* GSCALE_UNITS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
