/* units.h - numbers with a unit and an origin.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_UNITS_H
#define GSCALE_UNITS_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- quantities and origins ---------------------------------------------- */

typedef enum gscale_dim {
  GSCALE_COUNT, /* no unit; also fractions */
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

/** Reads "450 GB/s", "2.5 us", "1 GiB" ... and checks its dimension.
 *
 *  Given    text   a decimal number, blanks, a unit; k M G T P are powers of
 *                  10, Ki Mi Gi Ti powers of 2.  A bare number is accepted for
 *                  GSCALE_COUNT, and for every dimension if it is 0.
 *           dim    the expected dimension.
 *  Returned *out   in SI base units, finite.
 *  Fails    GSCALE_EPARSE  not a number, or not finite.
 *           GSCALE_EUNIT   unit missing, unknown, or of another dimension.
 *  Omits    bits, hexadecimal, digit grouping. */
gscale_status gscale_parse_quantity(const char *text, gscale_dim dim,
                                    double *out, gscale_diag *diag);

/** Writes `si` for people: three to four significant digits and a prefix.
 *
 *  Returned buf    e.g. "449.6 GB/s", "2.31 us", "64 KiB"; "-" for NaN.  Byte
 *                  counts that are multiples of 1024 use binary prefixes unless
 *                  only the decimal text is exact. */
void gscale_format_quantity(double si, gscale_dim dim, char *buf, size_t size);

/** Appends to a text as snprintf() does, with numbers of the C locale.
 *
 *  Given    text   ends with a 0 within its `size` bytes.
 *  Returned false if the result was cut. */
bool gscale_append(char *text, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/** Writes `si` for gscale_parse_quantity, with a prefix.
 *
 *  Given    digits  1 .. 17 significant ones; otherwise the fewest that read
 *                   back as the same bits.
 *  Returned buf     "4.10684 TB/s"; "-" unless si is finite.  At most 63 bytes.
 *                   With 6 digits it reads back within 5e-6. */
void gscale_format_digits(double si, gscale_dim dim, int digits, char *buf,
                          size_t size);

/** Returns "s", "B/s", ...; "1" for counts; NULL past the end. */
const char *gscale_dim_unit(gscale_dim dim);

/** Returns the number of failed allocations in this thread.
 *
 *  A status states GSCALE_ENOMEM itself, but a number cannot.  If this count
 *  has grown meanwhile, a NaN time, or an error, index or draw without such a
 *  time, is due to lack of memory. */
size_t gscale_refusals(void);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_UNITS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
