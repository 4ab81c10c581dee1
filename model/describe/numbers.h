/* numbers.h - the parameters of a system by name, for model/ only: others find
 * them by gscale_param_find(). */
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

/* What a call of the driver costs its host thread: as it is alone, and how much
 * slower it is beside other threads, each with a GPU or two of a GPU. */
typedef struct gscale__call_numbers {
  gscale_param_id issue, crowd, share;
} gscale__call_numbers;

enum {
  GSCALE__WAIT_FAR = GSCALE_CALL_END, /* for an event of another GPU */
  GSCALE__CALLS
};
extern const gscale__call_numbers gscale__calls[GSCALE__CALLS];

/* gscale_param_population() without words. */
bool gscale__population_of(gscale_param_id id, bool other, double *value,
                           double *err);

#endif /* GPUSCALE_DESCRIBE_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
