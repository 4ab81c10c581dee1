/* fields.h - tables of the fields of described things.
 *
 * gpuscale.h states the rules for all headers. */
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
 * A described thing is a table of rows.  Loading, defaults, domains, settings,
 * generated documentation and writing follow from the row.  The parameters of a
 * system have a table of their own (gscale_param_info). */

typedef enum gscale_kind {
  GSCALE_NUMBER,   /* a double */
  GSCALE_WHOLE,    /* a double that is whole */
  GSCALE_INTEGER,  /* an int */
  GSCALE_FLAG,     /* a bool */
  GSCALE_CHOICE,   /* an enum that counts words from 0 */
  GSCALE_NUMBERS,  /* `length` doubles, each in the domain */
  GSCALE_SHARES,   /* `length` doubles >= 0 with sum <= 1 */
  GSCALE_MIXTURE,  /* gscale_stores */
  GSCALE_GROUPS,   /* gscale_blocks, GSCALE_BLOCKS_MAX of them */
  GSCALE_PATH,     /* gscale_loads, GSCALE_PATH_MAX of them */
  GSCALE_PARTS,    /* named parts, a row each, without own value */
  GSCALE_PAIR,     /* two doubles; the second is optional */
  GSCALE_READERS,  /* gscale_pattern, or shares of subscribers */
  GSCALE_MATRIX,   /* rows of numbers */
  GSCALE_WORDS,    /* text */
  GSCALE_ANYTHING, /* by the row's meaning */
  GSCALE_KIND_END
} gscale_kind;

typedef struct gscale_field {
  const char *group; /* "publish"; "" for the thing itself */
  const char *name;  /* "bytes"; "" for a group's list */
  const char *key;   /* alternative without the group, or NULL */
  gscale_kind kind;
  gscale_dim dim;
  bool required;
  bool advanced; /* nine programs of ten omit it */
  bool open;     /* the domain excludes `least` */
  double otherwise;
  const char *unsaid; /* default in words, if no value expresses it; or NULL */
  double least, most; /* domain of a number */
  const char *const *words; /* words of a choice, ended by NULL */
  const char *meaning;
  size_t offset;                   /* in the struct, B; a list's first number */
  size_t length;                   /* most numbers of a list; 1 */
  size_t second;                   /* offset of a pair's second */
  const struct gscale_field *part; /* parts of a record, a row each, in the same
                                    * struct; their group is the record's
                                    * path */
  size_t parts;
} gscale_field;

typedef enum gscale_described {
  GSCALE_OF_PHASE,    /* gscale_phase */
  GSCALE_OF_BLOCKS,   /* gscale_blocks, of a phase */
  GSCALE_OF_STEP,     /* step()'s results beside the phases */
  GSCALE_OF_KNOB,     /* gs.knob { ... } */
  GSCALE_OF_LINK,     /* gscale_link_options, beside parameters "link.x" */
  GSCALE_OF_TOPOLOGY, /* gscale_fabric */
  GSCALE_OF_REMOTE,   /* gscale_remote, of a system */
  GSCALE_OF_POWER,    /* gscale_power, of a system */
  GSCALE_DESCRIBED_END
} gscale_described;

const char *gscale_described_name(gscale_described d); /* "phase"; or NULL */

/** Returns row i of a table; NULL past the end. */
const gscale_field *gscale_field_at(gscale_described d, size_t i);
/** A position in a table, initially only `of`. */
typedef struct gscale_leaf {
  gscale_described of;
  size_t row, part;
} gscale_leaf;
/** Returns the next row of a table that has values, with a record's parts in
 *  place of the record; NULL past the end. */
const gscale_field *gscale_field_next(gscale_leaf *at);
/** Returns the row of "publish.bytes", or of its key "publish", or of a
 *  record's part, "publish.pack.flop"; NULL if there is none. */
const gscale_field *gscale_field_find(gscale_described d, const char *name);
/** The old and new name of a parameter, a word or an option of 0.1. */
typedef struct gscale_renamed {
  const char *was, *now;
} gscale_renamed;
/** Returns row i of these names, or NULL past the end. */
const gscale_renamed *gscale_renamed_at(size_t i);
/** Returns the new name, "contention.graph" of "crowd.graph", or `name` itself
 *  if it is none of 0.1. */
const char *gscale_name_now(const char *name);
/** Returns the old name of a new one, or `name` itself if it had none. */
const char *gscale_name_was(const char *name);
/** Writes "publish.bytes", or the name without a group, or the group without a
 *  name. */
void gscale_field_path(const gscale_field *f, char *text, size_t size);
/** Returns the number of words of a choice. */
size_t gscale_field_words(const gscale_field *f);

/** Returns number i of a field of the thing at `of`.  A mixture has its sizes
 *  first, and shares from `length` on; a path its loads, then the bytes; a pair
 *  the first, then the second.  Groups follow each other, each with
 *  gscale_field_numbers numbers.
 *
 *  Returns  its address; NULL if it has no such number, or is no double. */
double *gscale_field_number(const gscale_field *f, void *of, size_t i);

/** Returns the number of numbers of a field. */
size_t gscale_field_numbers(const gscale_field *f);
/** Finds the row of a group's table, and its number, for number i of all
 *  groups.
 *
 *  Given    f, i  as gscale_field_number takes them; f of kind GSCALE_GROUPS.
 *  Returns  the row of GSCALE_OF_BLOCKS, with *group and *number. */
const gscale_field *gscale_field_inside(const gscale_field *f, size_t i,
                                        size_t *group, size_t *number);

/** Fails with GSCALE_EDOMAIN, naming `whose` field it is, outside the field's
 *  domain. */
gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FIELDS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
