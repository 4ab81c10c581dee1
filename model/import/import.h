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

/* Parses `part`; the caller decrefs. */
gscale_status gscale__json(gscale__source *s, gscale__part part, json_t **out);
/* Finds in JSON text, known to be valid, what jansson has no positions for:
 * the outermost value, that of a key, the first element of an array, the
 * element after this one.  When there is none they return their argument. */
const char *gscale__json_root(const gscale__source *s);
const char *gscale__json_member(const char *object, const char *key);
const char *gscale__json_first(const char *array);
const char *gscale__json_next(const char *element);
/* A number, or a string that is nothing but one. */
gscale_status gscale__json_number(gscale__source *s, const char *at,
                                  const json_t *value, const char *what,
                                  double *out);

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

bool gscale__is_nccl(const gscale__source *s);
gscale_status gscale__read_nccl(gscale__source *s);
bool gscale__is_nccl_json(const gscale__source *s);
gscale_status gscale__read_nccl_json(gscale__source *s);
bool gscale__is_nvbandwidth(const gscale__source *s);
gscale_status gscale__read_nvbandwidth(gscale__source *s);
bool gscale__is_nvbandwidth_json(const gscale__source *s);
gscale_status gscale__read_nvbandwidth_json(gscale__source *s);
bool gscale__is_osu(const gscale__source *s);
gscale_status gscale__read_osu(gscale__source *s);
bool gscale__is_benchpress(const gscale__source *s);
gscale_status gscale__read_benchpress(gscale__source *s);
bool gscale__is_nvshmem(const gscale__source *s);
gscale_status gscale__read_nvshmem(gscale__source *s);
bool gscale__is_p2p(const gscale__source *s);
gscale_status gscale__read_p2p(gscale__source *s);
bool gscale__is_extrap(const gscale__source *s);
gscale_status gscale__read_extrap(gscale__source *s);
bool gscale__is_extrap_jsonl(const gscale__source *s);
gscale_status gscale__read_extrap_jsonl(gscale__source *s);

bool gscale__is_smi(const gscale__source *s);
gscale_status gscale__read_smi(gscale__source *s, gscale__links *out);
bool gscale__is_nccl_xml(const gscale__source *s);
gscale_status gscale__read_nccl_xml(gscale__source *s, gscale__links *out);

#endif /* GPUSCALE_IMPORT_IMPORT_H */
