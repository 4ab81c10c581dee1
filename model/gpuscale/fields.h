/* fields.h - tables of the fields of described things. */
#ifndef GSCALE_FIELDS_H
#define GSCALE_FIELDS_H

#include "gpuscale/units.h"

/* ---- tables of fields ------------------------------------------------------
 *
 * Each kind of described thing has a table of fields.  A row of the table
 * decides how a field is loaded, checked, set, documented and written.  A
 * separate table has the parameters of a system (gscale_param_info). */

typedef enum gscale_kind {
  GSCALE_NUMBER,   /* a double */
  GSCALE_WHOLE,    /* a double that is whole */
  GSCALE_INTEGER,  /* an int */
  GSCALE_FLAG,     /* a bool */
  GSCALE_CHOICE,   /* an enum whose value is the index of a word */
  GSCALE_NUMBERS,  /* `length` doubles, each inside the domain */
  GSCALE_SHARES,   /* `length` doubles >= 0 whose sum is <= 1 */
  GSCALE_MIXTURE,  /* gscale_stores */
  GSCALE_GROUPS,   /* gscale_blocks, GSCALE_BLOCKS_MAX of them */
  GSCALE_PATH,     /* gscale_loads, GSCALE_PATH_MAX of them */
  GSCALE_PARTS,    /* named parts with a row each, and no value */
  GSCALE_PAIR,     /* a double, and others that are optional */
  GSCALE_READERS,  /* gscale_pattern, or shares of subscribers */
  GSCALE_MATRIX,   /* rows of numbers */
  GSCALE_WORDS,    /* text */
  GSCALE_ANYTHING, /* as described in `meaning` */
  GSCALE_KIND_END
} gscale_kind;

typedef struct gscale_field {
  const char *group; /* "publish", or "" for the thing itself */
  const char *name;  /* "bytes", or "" for a group's list */
  const char *key;   /* alternative name without the group, or NULL */
  gscale_kind kind;
  gscale_dim dim;
  bool required;
  bool advanced; /* nine of ten programs omit the field */
  bool open;     /* `least` is outside the domain */
  double otherwise;
  const char *unsaid; /* the default in words if no value expresses the default;
                       * or NULL */
  double least, most; /* domain of a number */
  const char *const *words; /* words of a choice, and NULL at the end */
  const char *meaning;
  size_t offset;                   /* offset in the struct, B, of the first
                                    * number */
  size_t length;                   /* largest length of a list, or 1 */
  size_t second;                   /* offset of a pair's second number, B */
  const struct gscale_field *part; /* rows of a record's parts in the same
                                    * struct, with the record's path as group */
  size_t parts;
} gscale_field;

typedef enum gscale_described {
  GSCALE_OF_PHASE,    /* gscale_phase */
  GSCALE_OF_BLOCKS,   /* gscale_blocks, of a phase */
  GSCALE_OF_STEP,     /* results of step() other than phases */
  GSCALE_OF_KNOB,     /* gs.knob { ... } */
  GSCALE_OF_LINK,     /* gscale_link_options */
  GSCALE_OF_TOPOLOGY, /* gscale_fabric */
  GSCALE_OF_REMOTE,   /* gscale_remote, of a system */
  GSCALE_OF_POWER,    /* gscale_power, of a system */
  GSCALE_DESCRIBED_END
} gscale_described;

const char *gscale_described_name(gscale_described d); /* "phase"; or NULL */

/** Returns row i of a table; NULL past the end. */
const gscale_field *gscale_field_at(gscale_described d, size_t i);
/** Returns the row after f, the first one after NULL, or NULL. */
const gscale_field *gscale_field_after(gscale_described d,
                                       const gscale_field *f);
/** Loops over all rows f of a table. */
#define GSCALE_EACH_FIELD(d, f)                                                \
  for (const gscale_field *f = NULL; (f = gscale_field_after(d, f)) != NULL;)
/** A position in a table.  An iteration starts with only `of` set. */
typedef struct gscale_leaf {
  gscale_described of;
  size_t row, part;
} gscale_leaf;
/** Returns the next row that has values, or NULL past the end.  Parts of a
 *  record replace the record. */
const gscale_field *gscale_field_next(gscale_leaf *at);
/** Returns the row of a name ("publish.bytes"), a key ("publish") or a part of
 *  a record ("publish.pack.flop"), or NULL if there is no such row. */
const gscale_field *gscale_field_find(gscale_described d, const char *name);
/** The name in version 0.1, and the new name, of a parameter, a word or an
 *  option. */
typedef struct gscale_renamed {
  const char *was, *now;
} gscale_renamed;
/** Returns row i of the table of renamed names, or NULL past the end. */
const gscale_renamed *gscale_renamed_at(size_t i);
/** Returns the new name of an old name ("contention.graph" for "crowd.graph"),
 *  or `name` itself if `name` is not an old name. */
const char *gscale_name_now(const char *name);
/** Returns the old name of a new name, or `name` itself if there is none. */
const char *gscale_name_was(const char *name);
/** Writes the path of a field, such as "publish.bytes", or only the name or
 *  only the group if the other is "". */
void gscale_field_path(const gscale_field *f, char *text, size_t size);
/** Returns the number of words of a choice. */
size_t gscale_field_words(const gscale_field *f);

/** Returns the address of number i of a field of the thing at `of`.  A mixture
 *  has sizes first, and shares from `length` on.  A path has loads first, then
 *  bytes.  Each group in a list has gscale_field_numbers() numbers.
 *
 *  Returns  NULL if the field has no number i, or the number is no double. */
double *gscale_field_number(const gscale_field *f, void *of, size_t i);

/** Returns how many numbers a field has. */
size_t gscale_field_numbers(const gscale_field *f);
/** Finds the row, the group, and the number in the group for number i of a
 *  field of groups.
 *
 *  Given    f, i  arguments of gscale_field_number(), with f of kind
 *                 GSCALE_GROUPS.
 *  Returns  a row of GSCALE_OF_BLOCKS, and sets *group and *number. */
const gscale_field *gscale_field_inside(const gscale_field *f, size_t i,
                                        size_t *group, size_t *number);

/** Checks that a field is inside its domain.  The check fails with
 *  GSCALE_EDOMAIN and names `whose` field is wrong. */
gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag);

#endif /* GSCALE_FIELDS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
