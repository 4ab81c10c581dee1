/* numbers.h - parameters of a system by name, for model/ only; others use
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

/* The cost of a driver call to its host thread: alone, and its slowdown beside
 * other threads with a GPU each, or with the same GPU. */
typedef struct gscale__call_numbers {
  gscale_param_id issue, crowd, share;
} gscale__call_numbers;

enum {
  GSCALE__WAIT_FAR = GSCALE_CALL_END, /* event of another GPU */
  GSCALE__CALLS
};
extern const gscale__call_numbers gscale__calls[GSCALE__CALLS];

/* Equals gscale_param_population() without texts. */
bool gscale__population_of(gscale_param_id id, bool other, double *value,
                           double *err);

#endif /* GPUSCALE_DESCRIBE_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
