/* names.h - names of the values of enumerations. */
#ifndef GSCALE_NAMES_H
#define GSCALE_NAMES_H

#include <stddef.h>

/** The enumerations whose values have names. */
typedef enum gscale_names {
  GSCALE_ORIGIN_NAMES,
  GSCALE_NET_TOPOLOGY_NAMES,
  GSCALE_GATHER_NAMES,
  GSCALE_CONTROL_NAMES,
  GSCALE_COLL_KIND_NAMES,
  GSCALE_COLL_ALGORITHM_NAMES,
  GSCALE_COLL_PROTOCOL_NAMES,
  GSCALE_PLACE_NAMES,
  GSCALE_OPERATION_NAMES,
  GSCALE_QUEUE_NAMES,
  GSCALE_FLUSH_NAMES,
  GSCALE_STAGE_NAMES,
  GSCALE_MECHANISM_NAMES,
  GSCALE_PEER_NAMES,
  GSCALE_KIND_NAMES,
  GSCALE_RESIDUAL_PART_NAMES,
  GSCALE_RESIDUAL_KIND_NAMES,
  GSCALE_RESIDUAL_AXIS_NAMES,
  GSCALE_RECORDED_KIND_NAMES,
  GSCALE_RECORDED_COPY_NAMES,
  GSCALE_LAW_NAMES,
  GSCALE_RULE_NAMES,
  GSCALE_GAP_NAMES,
  GSCALE_APPLICABILITY_NAMES,
  GSCALE_NAMES_END
} gscale_names;

/** Returns the name of value i of an enumeration in files and tables, or NULL
 *  past the last value. */
const char *gscale_name(gscale_names of, size_t i);

#endif /* GSCALE_NAMES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
