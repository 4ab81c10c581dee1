/* import.h - the shared interface of readers of other tools' files. */
#ifndef GPUSCALE_IMPORT_IMPORT_H
#define GPUSCALE_IMPORT_IMPORT_H

#include "ground/source.h"

#include <jansson.h>

enum {
  GSCALE__LINKED_MAX = 64 /* most GPUs of a matrix */
};

/* A JSON value and its place in the text, which jansson does not report.  A
 * missing value is NULL and has the place of the container. */
typedef struct gscale__item {
  const json_t *is;
  const char *at;
  size_t index; /* index of an element in an array */
} gscale__item;

/* Parses JSON.  The caller must decref the result. */
gscale_status gscale__json(gscale__source *s, gscale__part part, json_t **out);
/* Parses the whole text and calls `read` with the result. */
gscale_status gscale__read_json(gscale__source *s,
                                gscale_status (*read)(gscale__source *s,
                                                      gscale__item root));
/* Returns the beginning of the outermost value. */
const char *gscale__json_root(const gscale__source *s);
/* The next three functions return the value of a key, the first element of an
 * array, and the element after an element. */
gscale__item gscale__json_member(gscale__item object, const char *key);
gscale__item gscale__json_first(gscale__item array);
gscale__item gscale__json_next(gscale__item array, gscale__item element);
/* Reads a number, or a string that contains only a number. */
gscale_status gscale__json_number(gscale__source *s, gscale__item value,
                                  const char *what, double *out);

/* The measurement that a cell of a matrix holds. */
typedef struct gscale__copies {
  const char *bench;  /* NULL: it has no counterpart */
  bool host;          /* each row is the host */
  bool down;          /* copies go from row to column */
  bool all;           /* all GPUs copy at once */
  bool latency;       /* us; otherwise GB/s */
  double size, count; /* B of a copy; copies at once */
} gscale__copies;

/* Returns what a test of nvbandwidth measures, from its name and description.
 */
gscale__copies gscale__classify(gscale__part name, gscale__part about);
/* Adds the cell at a row and a column of n columns.  A cell of 0 is an
 * unmeasured pair. */
gscale_status gscale__add_copy(gscale__source *s, const char *at,
                               const gscale__copies *t, size_t row,
                               size_t column, size_t n, double value);

/* Remarks once that a log does not tell the number of ranks. */
void gscale__ask_ranks(gscale__source *s, const char *at);

/* The links between pairs of GPUs that a file describes. */
typedef struct gscale__links {
  int gpus;
  bool switched; /* NVLinks go to switches */
  int nvlinks[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX];
  bool near[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX]; /* pairs below the same
                                                      * PCIe switch */
} gscale__links;

gscale_status gscale__fabric(gscale__source *s, const gscale__links *l,
                             gscale_fabric *out);

/* A format of files with measurements.  A file is in the format if it has both
 * texts, and begins with a brace if it is JSON.  Otherwise the reader may
 * return GSCALE_ENAME. */
typedef struct gscale__format {
  const char *name, *has, *has_too;
  bool json;
  gscale_status (*read)(gscale__source *s);
} gscale__format;

/* A format of files with links of GPU pairs. */
typedef struct gscale__topology {
  bool (*detect)(const gscale__source *s);
  gscale_status (*read)(gscale__source *s, gscale__links *out);
} gscale__topology;

extern const gscale__format gscale__format_nccl, gscale__format_nccl_json,
    gscale__format_rccl_json, gscale__format_nvbandwidth,
    gscale__format_nvbandwidth_json, gscale__format_p2p, gscale__format_osu,
    gscale__format_tables;
extern const gscale__topology gscale__topology_smi, gscale__topology_nccl_xml;

#endif /* GPUSCALE_IMPORT_IMPORT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
