/* numbers.c - the table of a system's parameters, made from numbers.def. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <string.h>

#define RANGE_ANY             0.0, INFINITY
#define RANGE_ABOVE(least)    least, INFINITY
#define RANGE_IN(least, most) least, most
#define RANGE_SHARE           1e-6, 1

#define DEFAULT_REQUIRED                true, 0, 0, 0, false
#define DEFAULT_BY(value)               false, value, 0, 0, false
#define DEFAULT_NONE                    DEFAULT_BY(0)
#define DEFAULT_UNKNOWN                 DEFAULT_BY(0)
#define DEFAULT_NO_LIMIT                DEFAULT_BY(INFINITY)
#define DEFAULT_GUESS(value, low, high) false, value, low, high, false
/* Defaults are from data/h200x4/micro/calls.csv. gscale_param_population()
 * replaces defaults of numbers that other machines measured, too. */
#define DEFAULT_SCALED(value) false, value, (value) / 3, (value)*3, true
/* The range extends from GPUs that all move in step (gscale_meeting) to the
 * smallest loss on H200. */
#define DEFAULT_SAME DEFAULT_GUESS(0.72, 2.0 / 3.0, 0.8)

static const gscale_param_info table[GSCALE_PARAM_END] = {
#define NUMBER(id, text, unit, domain, otherwise, way, found, elsewhere, says) \
  {text,                                                                       \
   GSCALE_##unit,                                                              \
   RANGE_##domain,                                                             \
   DEFAULT_##otherwise,                                                        \
   GSCALE_##way,                                                               \
   .recipe = #found,                                                           \
   .rule = GSCALE_RULE_##elsewhere,                                            \
   .meaning = says},
#include "describe/numbers.def"
};

/* Distribution of a number over the machines that measured it. */
typedef struct population {
  bool logarithm;
  double centre, spread, other;
  size_t machines; /* 0: too few machines */
} population;

#define SCALE_LOG   true
#define SCALE_PLAIN false
static const population populations[GSCALE_PARAM_END] = {
#define POPULATION(id, scale, centre, spread, other, machines)                 \
  [GSCALE_##id] = {SCALE_##scale, centre, spread, other, machines},
#include "describe/population.def"
};

const gscale_param_info *gscale_param_info_at(gscale_param_id id)
{
  return id < GSCALE_PARAM_END ? &table[id] : NULL;
}

gscale_param gscale_param_default(gscale_param_id id)
{
  gscale_param p = {0.0, 0.0, GSCALE_SPEC, "default: no such cost or limit",
                    GSCALE_BY_ORIGIN};

  if (id >= GSCALE_PARAM_END) return p;
  p.val = table[id].otherwise;
  if (!(table[id].high > table[id].low)) return p;
  p.err = (table[id].high - table[id].low) / sqrt(12.0);
  p.origin = GSCALE_ASSUMED;
  gscale__copy_text(p.source, sizeof p.source, "default: as where it is known");
  return p;
}

/* Returns the standard deviation, relative to the median, of a number whose
 * logarithm has the standard deviation sigma. */
static double of_logarithm(double sigma)
{
  return exp(0.5 * sigma * sigma) * sqrt(expm1(sigma * sigma));
}

bool gscale__population_of(gscale_param_id id, bool other, double *value,
                           double *err)
{
  if (id >= GSCALE_PARAM_END || populations[id].machines == 0) return false;
  const population *p = &populations[id];
  const double spread = other ? p->other : p->spread;

  *value = p->centre;
  *err = p->logarithm ? *value * of_logarithm(spread) : spread;
  return true;
}

bool gscale_param_population(gscale_param_id id, bool other, gscale_param *out)
{
  double value, err;

  if (!gscale__population_of(id, other, &value, &err)) return false;
  const population *p = &populations[id];
  *out = (gscale_param){.val = value,
                        .err = err,
                        .origin = GSCALE_ASSUMED,
                        .spread = p->logarithm ? GSCALE_LOG : GSCALE_PLAIN};
  gscale__print(out->source, sizeof out->source,
                "as on %zu machines that measured it", p->machines);
  return true;
}

size_t gscale_param_count(void)
{
  return GSCALE_PARAM_END;
}

gscale_param_id gscale_param_find(const char *name)
{
  gscale_param_id id = name ? 0 : GSCALE_PARAM_END;

  if (name) name = gscale_name_now(name);
  while (id < GSCALE_PARAM_END && strcmp(table[id].name, name) != 0) id++;
  return id;
}

/* Parameters of each call.  A collective costs a launch, and every wait is for
 * an event of the same GPU. */
const gscale__call_numbers gscale__calls[GSCALE__CALLS] = {
    [GSCALE_LAUNCH] = {GSCALE_HOST_LAUNCH, GSCALE_HOST_LAUNCH_CONTENTION,
                       GSCALE_SHARE_LAUNCH},
    [GSCALE_GRAPH] = {GSCALE_HOST_GRAPH, GSCALE_CONTENTION_GRAPH,
                      GSCALE_SHARE_GRAPH},
    [GSCALE_MEMSET] = {GSCALE_HOST_MEMSET, GSCALE_CONTENTION_MEMSET,
                       GSCALE_SHARE_MEMSET},
    [GSCALE_COPY_D2D] = {GSCALE_HOST_COPY, GSCALE_HOST_COPY_CONTENTION,
                         GSCALE_SHARE_COPY},
    [GSCALE_COPY_D2H] = {GSCALE_HOST_D2H, GSCALE_CONTENTION_D2H,
                         GSCALE_SHARE_D2H},
    [GSCALE_COPY_H2D] = {GSCALE_HOST_H2D, GSCALE_CONTENTION_H2D,
                         GSCALE_SHARE_H2D},
    [GSCALE_COLLECTIVE] = {GSCALE_COLL_ISSUE, GSCALE_HOST_LAUNCH_CONTENTION,
                           GSCALE_SHARE_LAUNCH},
    [GSCALE_RECORD] = {GSCALE_HOST_EVENT, GSCALE_CONTENTION_EVENT,
                       GSCALE_SHARE_EVENT},
    [GSCALE_WAIT] = {GSCALE_HOST_EVENT, GSCALE_CONTENTION_EVENT,
                     GSCALE_SHARE_EVENT},
    [GSCALE_SYNC_STREAM] = {GSCALE_HOST_SYNC_MORE, GSCALE_CONTENTION_SYNC,
                            GSCALE_SHARE_SYNC},
    [GSCALE_SYNC_EVENT] = {GSCALE_HOST_SYNC_EVENT, GSCALE_CONTENTION_SYNC_EVENT,
                           GSCALE_SHARE_SYNC_EVENT},
    [GSCALE_SET_DEVICE] = {GSCALE_HOST_SET_DEVICE, GSCALE_CONTENTION_SET_DEVICE,
                           GSCALE_SHARE_SET_DEVICE},
    [GSCALE__WAIT_FAR] = {GSCALE_HOST_WAIT_REMOTE,
                          GSCALE_CONTENTION_WAIT_REMOTE,
                          GSCALE_SHARE_WAIT_REMOTE},
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
