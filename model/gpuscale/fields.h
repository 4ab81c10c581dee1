/*
 * fields.h - tables of fields.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_FIELDS_H
#define GSCALE_FIELDS_H

#include "gpuscale/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tables of fields ------------------------------------------------------
 *
 * What a description can say of a thing is a table of rows; loading, defaults,
 * domains, settings, generated documentation and writing follow from the row.
 * The parameters of a system have a table of their own (gscale_param_info). */

typedef enum gscale_kind {
  GSCALE_NUMBER,   /* a double */
  GSCALE_WHOLE,    /* a double that is whole */
  GSCALE_INTEGER,  /* an int */
  GSCALE_FLAG,     /* a bool */
  GSCALE_CHOICE,   /* an enum that counts the words from 0 */
  GSCALE_NUMBERS,  /* `length` doubles, each in the domain */
  GSCALE_SHARES,   /* `length` doubles >= 0 that add up to 1 at most */
  GSCALE_MIXTURE,  /* gscale_stores */
  GSCALE_GROUPS,   /* gscale_blocks, GSCALE_BLOCKS_MAX of them */
  GSCALE_PATH,     /* gscale_loads, GSCALE_PATH_MAX of them */
  GSCALE_PARTS,    /* named parts, each a row; no value of its own */
  GSCALE_PAIR,     /* two doubles; the second need not be said */
  GSCALE_READERS,  /* gscale_pattern, or shares as subscribers have them */
  GSCALE_MATRIX,   /* rows of numbers */
  GSCALE_WORDS,    /* text */
  GSCALE_ANYTHING, /* what the row's meaning says */
  GSCALE_KIND_END
} gscale_kind;

const char *gscale_kind_name(gscale_kind k); /* "number", ...; or NULL */

typedef struct gscale_field {
  const char *group; /* "publish"; "": of the thing itself */
  const char *name;  /* "bytes"; "": the list in the group's table */
  const char *key;   /* what may be written instead, without the group; or NULL
                      */
  const char *was;   /* what it was called before; or NULL */
  gscale_kind kind;
  gscale_dim dim;
  bool required;
  bool advanced; /* nine programs of ten need not say it */
  bool open;     /* `least` itself is outside */
  double otherwise;
  const char *unsaid; /* what it then is, where no value says it; or NULL */
  double least, most; /* domain of a number */
  const char *const *words; /* of a choice; NULL after the last */
  const char *meaning;
  size_t offset; /* in the struct, B; of a list: of its first number */
  size_t length; /* most numbers of a list; 1 */
  size_t second; /* where the second of a pair is */
  const struct gscale_field *part; /* of a record: a row for each part, in the
                                    * same struct; its group is the record's
                                    * path */
  size_t parts;
} gscale_field;

typedef enum gscale_described {
  GSCALE_OF_PHASE,    /* gscale_phase */
  GSCALE_OF_BLOCKS,   /* gscale_blocks, of a phase */
  GSCALE_OF_STEP,     /* what step() returns beside the phases */
  GSCALE_OF_KNOB,     /* gs.knob { ... } */
  GSCALE_OF_LINK,     /* gscale_link_options, beside the parameters "link.x" */
  GSCALE_OF_TOPOLOGY, /* gscale_fabric */
  GSCALE_OF_REMOTE,   /* gscale_remote, of a system */
  GSCALE_OF_POWER,    /* gscale_power, of a system */
  GSCALE_DESCRIBED_END
} gscale_described;

const char *gscale_described_name(gscale_described d); /* "phase"; or NULL */

/** Row i of a table; NULL past the end. */
const gscale_field *gscale_field_at(gscale_described d, size_t i);
/** Where one is in a table, at first only `of`. */
typedef struct gscale_leaf {
  gscale_described of;
  size_t row, part;
} gscale_leaf;
/** The next row of a table that has values: instead of a record each of its
 *  parts; NULL past the end. */
const gscale_field *gscale_field_next(gscale_leaf *at);
/** The row of "publish.bytes", or of its key "publish", or of a record's part,
 *  "publish.pack.flop"; NULL if there is none. */
const gscale_field *gscale_field_find(gscale_described d, const char *name);
/** What stands for a field that was dropped, by its path or its name; NULL if
 *  there was none. */
const char *gscale_field_replaced(gscale_described d, const char *name);
/** "publish.bytes"; just the name if it has no group, the group if no name. */
void gscale_field_path(const gscale_field *f, char *text, size_t size);
/** The words of a choice. */
size_t gscale_field_words(const gscale_field *f);

/** Number i of a field of the thing at `of`.  Of a mixture the sizes come
 * first, from `length` on the shares; of a path the loads, then the bytes; of a
 * pair the first, then the second.  Of groups all numbers of the first come, by
 *  gscale_field_numbers, then those of the next.
 *
 *  Returns  where it is; NULL if it has no such number, or is no double */
double *gscale_field_number(const gscale_field *f, void *of, size_t i);

/** How many numbers a field has. */
size_t gscale_field_numbers(const gscale_field *f);
/** Which row of a group's table number i of all groups is, and which of its
 *  numbers.
 *
 *  Given    f, i  as gscale_field_number takes them; f of kind GSCALE_GROUPS
 *  Returns  the row of GSCALE_OF_BLOCKS; *group and *number say which
 */
const gscale_field *gscale_field_inside(const gscale_field *f, size_t i,
                                        size_t *group, size_t *number);

/** GSCALE_EDOMAIN, naming `whose` field it is, unless its value is inside the
 *  domain. */
gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FIELDS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
