/* uncertain_numbers.h - uncertain numbers of a prediction, only for model/. */
#ifndef GPUSCALE_TRUST_NUMBERS_H
#define GPUSCALE_TRUST_NUMBERS_H

#include "describe/described.h"

typedef enum gscale__origin_of { /* numbers of a system come first */
  GSCALE__OF_PARAM,
  GSCALE__OF_CURVE,
  GSCALE__OF_FABRIC,
  GSCALE__OF_REMOTE,
  GSCALE__OF_SINGLE,
  GSCALE__OF_KNOB,
  GSCALE__OF_COUNT
} gscale__origin_of;

typedef struct gscale__entry {
  gscale_number about;
  gscale__origin_of kind;
  size_t id;           /* index in the list of the origin */
  gscale__doubt count; /* number of a phase */
} gscale__entry;

typedef struct gscale__numbers {
  size_t n;
  gscale__entry *entry;
} gscale__numbers;

/* Lists all numbers with an origin, and also derived counts if `all`.  Returns
 * false if there is no memory. */
bool gscale__list_numbers(gscale__numbers *l, const gscale_system *s,
                          const gscale_workload *w, bool all);
/* Returns a number of a phase, with or without an error. */
gscale__entry gscale__count_entry(const gscale_workload *w, size_t phase,
                                  const gscale_field *f, size_t index);
void gscale__free_numbers(gscale__numbers *l);

typedef enum gscale__spread {
  GSCALE__NORMAL,
  GSCALE__EVEN,
  GSCALE__LOG_NORMAL,
  GSCALE__LOG_EVEN
} gscale__spread;

gscale__spread gscale__spread_of(const gscale_param *p);

/* Returns true if nobody measured the parameter on this machine. */
static inline bool gscale__is_guess(const gscale_param *p)
{
  return p->origin == GSCALE_ASSUMED || p->origin == GSCALE_INHERITED;
}
/* Draws a value of a number from two uniform numbers in (0, 1). */
double gscale__drawn(const gscale_param *p, double a, double b);

/* gscale__quantile() returns the value with the probability of z in a standard
 * normal distribution.  gscale__score() returns the z of a value, which is
 * infinite outside the range. */
double gscale__quantile(const gscale_param *p, double z);
double gscale__score(const gscale_param *p, double value);

/* Perturbs a number, and all numbers that are derived from it, in a copy of the
 * system or of the workload `base`.  The new value is as near to `value` as the
 * domain allows, and is returned. */
double gscale__move(const gscale__entry *e, double value, gscale_system *s,
                    gscale_workload *w, const gscale_workload *base);

/* Returns true if the residual includes the number's error, which holds for
 * measured numbers of a measured machine. */
bool gscale__is_known(const gscale_system *s, const gscale_number *n);

/* Returns the system of a gscale_uncertainty. */
const gscale_system *gscale__uncertain_system(const gscale_uncertainty *u);

/* Returns the workload at the end of an uncertain knob's range, or NULL for
 * values inside the range. */
const gscale_workload *gscale__moved_knob(const gscale_workload *w, size_t i,
                                          double value);

#endif /* GPUSCALE_TRUST_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
