/* numbers.h - parameters of a system by id, for model/ only.  Other code calls
 * gscale_param_find(). */
#ifndef GPUSCALE_DESCRIBE_NUMBERS_H
#define GPUSCALE_DESCRIBE_NUMBERS_H

#include "gpuscale/all.h"

enum {
#define NUMBER(id, ...) GSCALE_##id,
#include "describe/numbers.def"
  GSCALE_PARAM_END
};

_Static_assert((size_t)GSCALE_PARAM_END <= (size_t)GSCALE_PARAMS_MAX,
               "others have room for all");

/* Parameters of a driver call's cost to its host thread: the cost alone, and
 * the slowdown by other threads with a GPU each, or with the same GPU. */
typedef struct gscale__call_numbers {
  gscale_param_id issue, crowd, share;
} gscale__call_numbers;

enum {
  GSCALE__WAIT_FAR = GSCALE_CALL_END, /* wait for another GPU's event */
  GSCALE__CALLS
};
extern const gscale__call_numbers gscale__calls[GSCALE__CALLS];

/* Equals gscale_param_population(), but writes no texts. */
bool gscale__population_of(gscale_param_id id, bool other, double *value,
                           double *err);

#endif /* GPUSCALE_DESCRIBE_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
