/* uncertain_numbers.h - numbers that a prediction rests on
 * (uncertain_numbers.c), for model/ only.
 */
#ifndef GPUSCALE_TRUST_NUMBERS_H
#define GPUSCALE_TRUST_NUMBERS_H

#include "describe/described.h"

/* ---- numbers that a prediction rests on (uncertain_numbers.c)
 * -----------------------
 */

typedef enum gscale__origin_of { /* first those of a system */
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
  size_t id;           /* parameter, point, number of the topology, knob */
  gscale__doubt count; /* of a phase */
} gscale__entry;

typedef struct gscale__numbers {
  size_t n;
  gscale__entry *entry;
} gscale__numbers;

/* All that have an origin; with `all`, counts that are merely derived too.
 * False without memory. */
bool gscale__list_numbers(gscale__numbers *l, const gscale_system *s,
                          const gscale_workload *w, bool all);
/* One number of a phase, whoever said anything of it. */
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

/* Nobody measured it on this machine. */
static inline bool gscale__is_guess(const gscale_param *p)
{
  return p->origin == GSCALE_ASSUMED || p->origin == GSCALE_INHERITED;
}
/* A draw of it, from two that are even in (0, 1). */
double gscale__drawn(const gscale_param *p, double a, double b);

/* The value below which it lies as likely as a standard normal number below z,
 * and the z of a value: infinite outside its range. */
double gscale__quantile(const gscale_param *p, double z);
double gscale__score(const gscale_param *p, double value);

/* Moves one in a copy of the system or of the workload `base`, as near to the
 * value as its domain allows, and what must follow it.  Returns its value. */
double gscale__move(const gscale__entry *e, double value, gscale_system *s,
                    gscale_workload *w, const gscale_workload *base);

/* Whether what it is off by is in the residual: measured numbers of a machine
 * that was. */
bool gscale__is_known(const gscale_system *s, const gscale_number *n);

/* What the errors are of. */
const gscale_system *gscale__uncertain_system(const gscale_uncertainty *u);

/* The workload at the end of an uncertain knob's error; NULL if the value is
 * inside. */
const gscale_workload *gscale__moved_knob(const gscale_workload *w, size_t i,
                                          double value);

#endif /* GPUSCALE_TRUST_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
