/* units.c - reading and writing of numbers and quantities in any locale. */

#include "ground/ground.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- units --------------------------------------------------------------- */

/* Use of a unit: for reading only, or also for writing. */
typedef enum unit_use {
  READ,
  DECIMAL,
  BINARY
} unit_use;

/* One unit is times/per in SI base units.  Two integers replace one factor,
 * because 2.5 / 1e6 is rounded once and 2.5 * 1e-6 is rounded twice. */
typedef struct unit {
  const char *text;
  gscale_dim dim;
  unit_use use;
  double times, per;
} unit;

/* Units of one dimension and use are in rising order, as pick_unit()
 * requires. */
static const unit units[] = {
    {"", GSCALE_COUNT, DECIMAL, 1, 1},
    {"%", GSCALE_COUNT, READ, 1, 100},

    {"ps", GSCALE_TIME, READ, 1, 1e12},
    {"ns", GSCALE_TIME, DECIMAL, 1, 1e9},
    {"us", GSCALE_TIME, DECIMAL, 1, 1e6},
    {"ms", GSCALE_TIME, DECIMAL, 1, 1e3},
    {"s", GSCALE_TIME, DECIMAL, 1, 1},
    {"min", GSCALE_TIME, READ, 60, 1},
    {"h", GSCALE_TIME, READ, 3600, 1},

    {"B", GSCALE_BYTES, DECIMAL, 1, 1},
    {"kB", GSCALE_BYTES, DECIMAL, 1e3, 1},
    {"MB", GSCALE_BYTES, DECIMAL, 1e6, 1},
    {"GB", GSCALE_BYTES, DECIMAL, 1e9, 1},
    {"TB", GSCALE_BYTES, DECIMAL, 1e12, 1},
    {"PB", GSCALE_BYTES, DECIMAL, 1e15, 1},
    {"KiB", GSCALE_BYTES, BINARY, 0x1p10, 1},
    {"MiB", GSCALE_BYTES, BINARY, 0x1p20, 1},
    {"GiB", GSCALE_BYTES, BINARY, 0x1p30, 1},
    {"TiB", GSCALE_BYTES, BINARY, 0x1p40, 1},

    {"B/s", GSCALE_BYTERATE, DECIMAL, 1, 1},
    {"kB/s", GSCALE_BYTERATE, DECIMAL, 1e3, 1},
    {"MB/s", GSCALE_BYTERATE, DECIMAL, 1e6, 1},
    {"GB/s", GSCALE_BYTERATE, DECIMAL, 1e9, 1},
    {"TB/s", GSCALE_BYTERATE, DECIMAL, 1e12, 1},
    {"PB/s", GSCALE_BYTERATE, DECIMAL, 1e15, 1},
    {"KiB/s", GSCALE_BYTERATE, READ, 0x1p10, 1},
    {"MiB/s", GSCALE_BYTERATE, READ, 0x1p20, 1},
    {"GiB/s", GSCALE_BYTERATE, READ, 0x1p30, 1},
    {"TiB/s", GSCALE_BYTERATE, READ, 0x1p40, 1},

    {"flop", GSCALE_FLOP, DECIMAL, 1, 1},
    {"kflop", GSCALE_FLOP, DECIMAL, 1e3, 1},
    {"Mflop", GSCALE_FLOP, DECIMAL, 1e6, 1},
    {"Gflop", GSCALE_FLOP, DECIMAL, 1e9, 1},
    {"Tflop", GSCALE_FLOP, DECIMAL, 1e12, 1},
    {"Pflop", GSCALE_FLOP, DECIMAL, 1e15, 1},

    {"flop/s", GSCALE_FLOPRATE, DECIMAL, 1, 1},
    {"kflop/s", GSCALE_FLOPRATE, DECIMAL, 1e3, 1},
    {"Mflop/s", GSCALE_FLOPRATE, DECIMAL, 1e6, 1},
    {"Gflop/s", GSCALE_FLOPRATE, DECIMAL, 1e9, 1},
    {"Tflop/s", GSCALE_FLOPRATE, DECIMAL, 1e12, 1},
    {"Pflop/s", GSCALE_FLOPRATE, DECIMAL, 1e15, 1},

    {"1/s", GSCALE_RATE, DECIMAL, 1, 1},
    {"k/s", GSCALE_RATE, DECIMAL, 1e3, 1},
    {"M/s", GSCALE_RATE, DECIMAL, 1e6, 1},
    {"G/s", GSCALE_RATE, DECIMAL, 1e9, 1},

    {"fs/B", GSCALE_TIME_PER_BYTE, DECIMAL, 1, 1e15},
    {"ps/B", GSCALE_TIME_PER_BYTE, DECIMAL, 1, 1e12},
    {"ns/B", GSCALE_TIME_PER_BYTE, DECIMAL, 1, 1e9},
    {"us/B", GSCALE_TIME_PER_BYTE, DECIMAL, 1, 1e6},
    {"s/B", GSCALE_TIME_PER_BYTE, DECIMAL, 1, 1},

    {"mW", GSCALE_POWER, DECIMAL, 1, 1e3},
    {"W", GSCALE_POWER, DECIMAL, 1, 1},
    {"kW", GSCALE_POWER, DECIMAL, 1e3, 1},
    {"MW", GSCALE_POWER, DECIMAL, 1e6, 1},

    {"uJ", GSCALE_ENERGY, DECIMAL, 1, 1e6},
    {"mJ", GSCALE_ENERGY, DECIMAL, 1, 1e3},
    {"J", GSCALE_ENERGY, DECIMAL, 1, 1},
    {"kJ", GSCALE_ENERGY, DECIMAL, 1e3, 1},
    {"MJ", GSCALE_ENERGY, DECIMAL, 1e6, 1},

    {"pJ/B", GSCALE_ENERGY_PER_BYTE, DECIMAL, 1, 1e12},
    {"nJ/B", GSCALE_ENERGY_PER_BYTE, DECIMAL, 1, 1e9},
    {"uJ/B", GSCALE_ENERGY_PER_BYTE, DECIMAL, 1, 1e6},
    {"J/B", GSCALE_ENERGY_PER_BYTE, DECIMAL, 1, 1},
};

enum {
  UNITS = LENGTH(units)
};

/* Words for messages about a dimension. */
typedef struct dim_words {
  const char *noun, *unit, *example;
} dim_words;

static const dim_words words[GSCALE_DIM_END] = {
    [GSCALE_COUNT] = {"a count or fraction", "1", ""},
    [GSCALE_TIME] = {"a time", "s", "us"},
    [GSCALE_BYTES] = {"a size", "B", "KiB"},
    [GSCALE_BYTERATE] = {"a rate", "B/s", "GB/s"},
    [GSCALE_FLOP] = {"a number of operations", "flop", "Gflop"},
    [GSCALE_FLOPRATE] = {"a speed", "flop/s", "Tflop/s"},
    [GSCALE_RATE] = {"a frequency", "1/s", "M/s"},
    [GSCALE_TIME_PER_BYTE] = {"a time per byte", "s/B", "ps/B"},
    [GSCALE_POWER] = {"a power", "W", "W"},
    [GSCALE_ENERGY] = {"an energy", "J", "J"},
    [GSCALE_ENERGY_PER_BYTE] = {"an energy per byte", "J/B", "pJ/B"},
};

/* ---- numbers ------------------------------------------------------------- */

/* Switches only this thread to the C locale, and returns the argument for
 * c_locale_end().  With glibc, this takes 30 ns and no memory. */
static locale_t c_locale_begin(void)
{
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return c ? uselocale(c) : c;
}

static void c_locale_end(locale_t before)
{
  if (before) freelocale(uselocale(before));
}

int gscale__vprint(char *buf, size_t size, const char *fmt, va_list args)
{
  const locale_t before = c_locale_begin();
  const int length = vsnprintf(buf, size, fmt, args);
  c_locale_end(before);
  return length;
}

int gscale__print(char *buf, size_t size, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  const int length = gscale__vprint(buf, size, fmt, args);
  va_end(args);
  return length;
}

bool gscale_append(char *text, size_t size, const char *fmt, ...)
{
  const size_t used = strlen(text), room = size - used;
  va_list args;
  va_start(args, fmt);
  const int length = gscale__vprint(text + used, room, fmt, args);
  va_end(args);
  return length >= 0 && (size_t)length < room;
}

static const char *skip_digits(const char *s)
{
  return s + strspn(s, "0123456789");
}

static const char *skip_sign(const char *s)
{
  return s + (*s == '+' || *s == '-');
}

/* Returns the end of the number with which text begins, or text if there is
 * none. */
static const char *number_end(const char *text)
{
  const char *const digits = skip_sign(text);
  const char *end = skip_digits(digits);
  if (end == digits) return text;

  if (*end == '.' && skip_digits(end + 1) > end + 1) end = skip_digits(end + 1);
  if (*end == 'e' || *end == 'E') {
    const char *const power = skip_sign(end + 1);
    if (skip_digits(power) > power) end = skip_digits(power);
  }
  return end;
}

gscale_status gscale__parse_number(const char *text, const char **end,
                                   double *out)
{
  const char *const ours = number_end(text);
  char *theirs;
  if (ours == text) return GSCALE_EPARSE;

  const locale_t before = c_locale_begin();
  if (!before) return GSCALE_ENOMEM;
  const double number = strtod(text, &theirs);
  c_locale_end(before);

  /* strtod() reads 0x10 as hexadecimal, which our grammar excludes. */
  if (theirs != ours || !isfinite(number)) return GSCALE_EPARSE;
  *end = ours;
  *out = number;
  return GSCALE_OK;
}

/* ---- quantities ---------------------------------------------------------- */

static const unit *find_unit(const char *text)
{
  for (size_t i = 0; i < UNITS; i++)
    if (strcmp(units[i].text, text) == 0) return &units[i];
  return NULL;
}

/* Returns true if characters that extend a number come next, as in 1,5 or
 * 1.5.2. */
static bool number_continues(const char *end)
{
  return *end != '\0' && strchr(",._'", *end) != NULL;
}

static gscale_status wrong_dimension(const char *text, gscale_dim is,
                                     gscale_dim needed, gscale_diag *diag)
{
  char in[16] = "";

  if (needed != GSCALE_COUNT)
    gscale__print(in, sizeof in, " (%s)", words[needed].unit);
  return gscale__fail(diag, GSCALE_EUNIT, "'%.60s': %s where %s%s is needed",
                      text, words[is].noun, words[needed].noun, in);
}

/* Fails with the list of known units, "there are B/s, kB/s, ...". */
static gscale_status unknown_unit(const char *text, const char *name,
                                  gscale_dim dim, gscale_diag *diag)
{
  char known[96] = "";

  for (size_t i = 0; i < UNITS; i++) {
    if (units[i].dim != dim || dim == GSCALE_COUNT) continue;
    gscale_append(known, sizeof known, "%s%s", *known ? ", " : "",
                  units[i].text);
  }
  return gscale__fail(diag, GSCALE_EUNIT, "'%.60s': unknown unit '%.60s'%s%s",
                      text, name, *known ? "; there are " : "", known);
}

gscale_status gscale_parse_quantity(const char *text, gscale_dim dim,
                                    double *out, gscale_diag *diag)
{
  const char *end = "";
  double number;

  if ((unsigned)dim >= GSCALE_DIM_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "no dimension %d", (int)dim);

  gscale_status st = gscale__parse_number(text, &end, &number);
  if (st == GSCALE_OK && number_continues(end)) st = GSCALE_EPARSE;
  if (st != GSCALE_OK)
    return gscale__fail(diag, st, "'%.60s': not a finite decimal number", text);

  const char *const name = end + strspn(end, " \t");
  const unit *const u = find_unit(name);
  if (!u) return unknown_unit(text, name, dim, diag);
  if (*name == '\0' && dim != GSCALE_COUNT && number != 0.0)
    return gscale__fail(diag, GSCALE_EUNIT,
                        "'%.60s': no unit; expected e.g. %s", text,
                        words[dim].example);
  if (*name != '\0' && u->dim != dim)
    return wrong_dimension(text, u->dim, dim, diag);

  const double si = number * u->times / u->per;
  if (!isfinite(si))
    return gscale__fail(diag, GSCALE_EPARSE, "'%.60s': too large", text);
  *out = si;
  return GSCALE_OK;
}

/* Returns the largest unit in which si, rounded to four digits, is at least
 * one.  If there is none, returns the smallest unit, or NULL for a use without
 * units. */
static const unit *pick_unit(double si, gscale_dim dim, unit_use use)
{
  const double least_one = 0.99995;
  const unit *best = NULL;
  for (size_t i = 0; i < UNITS; i++) {
    const unit *const u = &units[i];
    if (u->dim != dim || u->use != use) continue;
    if (!best || fabs(si) >= least_one * u->times / u->per) best = u;
  }
  return best;
}

enum {
  QUANTITY_MAX = 64
}; /* room for the longest result */

static void write_digits(const unit *u, double si, int digits, char *text)
{
  gscale__print(text, QUANTITY_MAX, "%.*g%s%s", digits, si * u->per / u->times,
                *u->text ? " " : "", u->text);
}

static void write_in(const unit *u, double si, char *text)
{
  const double v = si * u->per / u->times;
  if (fabs(v) >= 1e3 && fabs(v) < 1e6) /* not 1.234e+04 */
    gscale__print(text, QUANTITY_MAX, "%.0f%s%s", v, *u->text ? " " : "",
                  u->text);
  else
    write_digits(u, si, 4, text);
}

static bool reads_back_exactly(const char *text, gscale_dim dim, double si)
{
  double back;
  return gscale_parse_quantity(text, dim, &back, NULL) == GSCALE_OK &&
         back == si;
}

/* Writes multiples of 1024 in binary units, unless only the decimal text is
 * exact. 10 GB are 9765625 KiB, but "10 GB" must not become "9.313 GiB". */
static void write_quantity(double si, gscale_dim dim, char *text)
{
  const unit *const binary = pick_unit(si, dim, BINARY);

  write_in(pick_unit(si, dim, DECIMAL), si, text);
  if (!binary || si == 0.0 || fmod(si, 1024.0) != 0.0) return;

  char other[QUANTITY_MAX];
  write_in(binary, si, other);
  if (reads_back_exactly(other, dim, si) || !reads_back_exactly(text, dim, si))
    memcpy(text, other, sizeof other);
}

const char *gscale_dim_unit(gscale_dim dim)
{
  return dim < GSCALE_DIM_END ? words[dim].unit : NULL;
}

void gscale_format_quantity(double si, gscale_dim dim, char *buf, size_t size)
{
  char text[QUANTITY_MAX] = "-";
  if (!isnan(si) && (unsigned)dim < GSCALE_DIM_END)
    write_quantity(si + 0.0, dim, text); /* + 0.0 avoids "-0 s" */
  gscale__print(buf, size, "%s", text);
}

static const unit *base_unit(gscale_dim dim)
{
  size_t i = 0;

  while (units[i].dim != dim || units[i].times > 1.0 || units[i].per > 1.0) i++;
  return &units[i];
}

/* Writes the fewest digits that are exact in this unit, at least six to avoid
 * 4e+01.  Returns false if no number of digits is exact. */
static bool write_shortest(const unit *u, double si, gscale_dim dim, char *text)
{
  for (int digits = 6; digits <= 17; digits++) {
    write_digits(u, si, digits, text);
    if (reads_back_exactly(text, dim, si)) return true;
  }
  return false;
}

static void write_exactly(double si, gscale_dim dim, char *text)
{
  const unit *const binary = pick_unit(si, dim, BINARY);
  char other[QUANTITY_MAX];

  /* A number that scaling by a prefix would round is written without a
   * prefix. */
  if (!write_shortest(pick_unit(si, dim, DECIMAL), si, dim, text))
    write_digits(base_unit(dim), si, 17, text);
  if (binary && fabs(si) >= 1024.0 && write_shortest(binary, si, dim, other) &&
      strlen(other) < strlen(text))
    memcpy(text, other, sizeof other);
}

void gscale_format_digits(double si, gscale_dim dim, int digits, char *buf,
                          size_t size)
{
  char text[QUANTITY_MAX] = "-";
  const double v = si + 0.0;

  if (isfinite(v) && (unsigned)dim < GSCALE_DIM_END) {
    if (digits > 0 && digits <= 17)
      write_digits(pick_unit(v, dim, DECIMAL), v, digits, text);
    else
      write_exactly(v, dim, text);
  }
  gscale__print(buf, size, "%s", text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
