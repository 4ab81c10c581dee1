/* import.h - what the readers of other tools' files share. */
#ifndef GPUSCALE_IMPORT_IMPORT_H
#define GPUSCALE_IMPORT_IMPORT_H

#include "ground/source.h"

#include <jansson.h>

enum {
  GSCALE__LINKED_MAX = 64 /* GPUs of one matrix */
};

/* ---- JSON (json.c) ---------------------------------------------------------
 */

/* A value of a JSON text and where it stands there, which jansson does not say;
 * of what is not there NULL, and the place of what it is not in. */
typedef struct gscale__item {
  const json_t *is;
  const char *at;
  size_t index; /* of an element of an array */
} gscale__item;

/* Parses `part`; the caller decrefs. */
gscale_status gscale__json(gscale__source *s, gscale__part part, json_t **out);
/* Parses the whole text, for `read`. */
gscale_status gscale__read_json(gscale__source *s,
                                gscale_status (*read)(gscale__source *s,
                                                      gscale__item root));
/* Where the outermost value begins. */
const char *gscale__json_root(const gscale__source *s);
/* The value of a key; the first element of an array, and the one behind. */
gscale__item gscale__json_member(gscale__item object, const char *key);
gscale__item gscale__json_first(gscale__item array);
gscale__item gscale__json_next(gscale__item array, gscale__item element);
/* A number, or a string that is nothing but one. */
gscale_status gscale__json_number(gscale__source *s, gscale__item value,
                                  const char *what, double *out);

/* ---- matrices of pairs (matrix.c) -------------------------------------------
 */

/* Refuses a row of words that is not its number and as many cells as there are
 * columns, or that is cut off. */
gscale_status gscale__check_row(gscale__source *s, gscale__part line,
                                const gscale__part *word, size_t n, size_t row,
                                size_t columns);

/* ---- topologies (fabric.c) --------------------------------------------------
 */

/* What a file says about pairs of GPUs. */
typedef struct gscale__links {
  int gpus;
  bool switched; /* all NVLinks end at switches */
  int nvlinks[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX];
  bool near[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX]; /* same PCIe switch */
} gscale__links;

gscale_status gscale__fabric(gscale__source *s, const gscale__links *l,
                             gscale_fabric *out);

/* ---- the formats ------------------------------------------------------------
 */

/* Of measurements. */
typedef struct gscale__format {
  const char *name;
  bool (*detect)(const gscale__source *s);
  gscale_status (*read)(gscale__source *s);
} gscale__format;

/* Of pairs of GPUs. */
typedef struct gscale__topology {
  const char *name;
  bool (*detect)(const gscale__source *s);
  gscale_status (*read)(gscale__source *s, gscale__links *out);
} gscale__topology;

extern const gscale__format gscale__format_nccl, gscale__format_nccl_json,
    gscale__format_nvbandwidth, gscale__format_nvbandwidth_json,
    gscale__format_p2p, gscale__format_osu, gscale__format_benchpress,
    gscale__format_nvshmem, gscale__format_extrap, gscale__format_extrap_jsonl;
extern const gscale__topology gscale__topology_smi, gscale__topology_nccl_xml;

#endif /* GPUSCALE_IMPORT_IMPORT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
