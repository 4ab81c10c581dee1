/* import.h - shared interface of the readers of other tools' files. */
#ifndef GPUSCALE_IMPORT_IMPORT_H
#define GPUSCALE_IMPORT_IMPORT_H

#include "ground/source.h"

#include <jansson.h>

enum {
  GSCALE__LINKED_MAX = 64 /* GPUs of a matrix */
};

/* ---- json.c -------------------------------------------------------------- */

/* An item is a JSON value and its place in the text, which jansson does not
 * tell. A missing value is NULL with the place of its container. */
typedef struct gscale__item {
  const json_t *is;
  const char *at;
  size_t index; /* of an array's element */
} gscale__item;

/* Parses `part`. The caller decrefs the result. */
gscale_status gscale__json(gscale__source *s, gscale__part part, json_t **out);
/* Parses the whole text for `read`. */
gscale_status gscale__read_json(gscale__source *s,
                                gscale_status (*read)(gscale__source *s,
                                                      gscale__item root));
/* Returns where the outermost value begins. */
const char *gscale__json_root(const gscale__source *s);
/* These return the value of a key, the first element of an array, and the
 * element after one. */
gscale__item gscale__json_member(gscale__item object, const char *key);
gscale__item gscale__json_first(gscale__item array);
gscale__item gscale__json_next(gscale__item array, gscale__item element);
/* Reads a number, or a string that is only a number. */
gscale_status gscale__json_number(gscale__source *s, gscale__item value,
                                  const char *what, double *out);

/* ---- matrix.c ------------------------------------------------------------ */

/* Refuses a truncated row, and one that lacks its number or a column's cell.
 * Sets *row, the least number before, to the number of the row. */
gscale_status gscale__check_row(gscale__source *s, gscale__part line,
                                const gscale__part *word, size_t n,
                                size_t columns, size_t *row);

/* ---- fabric.c ------------------------------------------------------------ */

/* A file describes the links between pairs of GPUs. */
typedef struct gscale__links {
  int gpus;
  bool switched; /* NVLinks end at switches */
  int nvlinks[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX];
  bool near[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX]; /* same PCIe switch */
} gscale__links;

gscale_status gscale__fabric(gscale__source *s, const gscale__links *l,
                             gscale_fabric *out);

/* ---- formats ------------------------------------------------------------- */

/* A format holds measurements. */
typedef struct gscale__format {
  const char *name;
  bool (*detect)(const gscale__source *s);
  gscale_status (*read)(gscale__source *s);
} gscale__format;

/* A topology describes the links of GPU pairs. */
typedef struct gscale__topology {
  const char *name;
  bool (*detect)(const gscale__source *s);
  gscale_status (*read)(gscale__source *s, gscale__links *out);
} gscale__topology;

extern const gscale__format gscale__format_nccl, gscale__format_nccl_json,
    gscale__format_nvbandwidth, gscale__format_nvbandwidth_json,
    gscale__format_p2p, gscale__format_osu, gscale__format_nvshmem;
extern const gscale__topology gscale__topology_smi, gscale__topology_nccl_xml;

#endif /* GPUSCALE_IMPORT_IMPORT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
