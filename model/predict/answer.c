/* answer.c - the numbers of a prediction, by name. */

#include "gpuscale/predict.h"

#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gscale_prediction *gscale_prediction_new(void)
{
  gscale_prediction *p = malloc(sizeof *p);

  if (p) *p = (gscale_prediction){.time = NAN};
  return p;
}

void gscale_prediction_free(gscale_prediction *p)
{
  free(p);
}

#define AT(member) offsetof(gscale_prediction, member)
#define PART(name) AT(part) + GSCALE_PART_##name * sizeof(double)
#define KNOB(name) AT(knobs.v) + GSCALE_##name * sizeof(double)

static const struct {
  const char *name;
  size_t at;
} numbers[] = {
    {"time", AT(time)},
    {"setup", AT(setup)},
    {"compute", PART(COMPUTE)},
    {"host", PART(HOST)},
    {"transfer", PART(TRANSFER)},
    {"initiation", PART(INITIATION)},
    {"tracking", PART(TRACKING)},
    {"tail", PART(TAIL)},
    {"latency", PART(LATENCY)},
    {"wire", AT(bytes.wire)},
    {"useful", AT(bytes.useful)},
    {"protocol", AT(bytes.protocol)},
    {"redundant", AT(bytes.redundant)},
    {"unused", AT(bytes.unused)},
    {"speedup", AT(speedup)},
    {"efficiency", AT(efficiency)},
    {"opportunity", AT(opportunity)},
    {"chunk", KNOB(CHUNK)},
    {"width", KNOB(WIDTH)},
};

double gscale_prediction_get(const gscale_prediction *p, const char *name)
{
  for (size_t i = 0; name && i < LENGTH(numbers); i++)
    if (strcmp(numbers[i].name, name) == 0)
      return *(const double *)(const void *)((const char *)p + numbers[i].at);
  return NAN;
}

const char *gscale_prediction_bound(const gscale_prediction *p)
{
  return gscale_name(GSCALE_MECHANISM_NAMES, p->bound);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
