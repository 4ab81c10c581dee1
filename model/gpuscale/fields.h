/*
 * fields.h - tables of fields.
 *
 * Included by gpuscale.h, which says what holds for all of them.
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
  GSCALE_STEPS,    /* gscale_profile */
  GSCALE_PACKING,  /* gscale_extra, GSCALE_EXTRAS_MAX of them */
  GSCALE_MATRIX,   /* rows of numbers */
  GSCALE_WORDS,    /* text */
  GSCALE_ANYTHING, /* what the row's meaning says */
  GSCALE_KIND_END
} gscale_kind;

const char *gscale_kind_name(gscale_kind k); /* "number", ...; or NULL */

typedef struct gscale_field {
  const char *group; /* "publish"; "": of the thing itself */
  const char *name;  /* "bytes" */
  const char *key;   /* what may be written instead, without the group; or NULL
                      */
  const char *was;   /* what it was called before; or NULL */
  gscale_kind kind;
  gscale_dim dim;
  bool required;
  bool advanced; /* nine programs of ten need not say it */
  bool open;     /* `least` itself is outside */
  double otherwise;
  double least, most;       /* domain of a number */
  const char *const *words; /* of a choice; NULL after the last */
  const char *meaning;
  size_t offset; /* in the struct, B; of a list: of its first number */
  size_t length; /* most numbers of a list; 1 */
} gscale_field;

typedef enum gscale_described {
  GSCALE_OF_PHASE,    /* gscale_phase */
  GSCALE_OF_STEP,     /* what step() returns beside the phases */
  GSCALE_OF_KNOB,     /* gs.knob { ... } */
  GSCALE_OF_LINK,     /* gscale_link_options, beside the parameters "link.x" */
  GSCALE_OF_TOPOLOGY, /* gscale_fabric */
  GSCALE_DESCRIBED_END
} gscale_described;

const char *gscale_described_name(gscale_described d); /* "phase"; or NULL */

/** Row i of a table; NULL past the end. */
const gscale_field *gscale_field_at(gscale_described d, size_t i);
/** The row of "publish.bytes", or of its key "publish"; NULL if there is none.
 */
const gscale_field *gscale_field_find(gscale_described d, const char *name);
/** "publish.bytes"; just the name if it has no group. */
void gscale_field_path(const gscale_field *f, char *text, size_t size);
/** The words of a choice. */
size_t gscale_field_words(const gscale_field *f);

/** Number i of a field of the thing at `of`: of a mixture the sizes, then from
 *  `length` on the shares; of steps the times, then the data; of packing
 *  kernels, flop and bytes of the first, then of the next.
 *
 *  Returns  where it is; NULL if it has no such number, or is no double */
double *gscale_field_number(const gscale_field *f, void *of, size_t i);

/** GSCALE_EDOMAIN, naming `whose` field it is, unless its value is inside the
 *  domain. */
gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FIELDS_H */
