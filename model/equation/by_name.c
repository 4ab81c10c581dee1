/* by_name.c - equations whose arguments are all numbers, by name. */

#include "gpuscale/message.h"
#include "gpuscale/queue.h"

#include <math.h>

static const struct {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
  double (*four)(double, double, double, double);
} equations[] = {
    {"gps_entry_bits", NULL, NULL, gscale_gps_entry_bits},
    {"gps_queue_bytes", NULL, gscale_gps_queue_bytes, NULL},
    {"gps_bitmap_bytes", NULL, gscale_gps_bitmap_bytes, NULL},
    {"finepack_range", gscale_finepack_range, NULL, NULL},
    {"finepack_queue_bytes", NULL, gscale_finepack_queue_bytes, NULL},
    {"finepack_stores", NULL, gscale_finepack_stores, NULL},
    {"subscribed", NULL, gscale_subscribed, NULL},
    {"tlb_hits", NULL, gscale_tlb_hits, NULL},
    {"opposite", gscale_opposite, NULL, NULL},
    {"queued", NULL, NULL, gscale_queued},
    {"on_stream_0", NULL, gscale_on_stream_0, NULL},
    {"on_streams", NULL, gscale_on_streams, NULL},
};

const char *gscale_equation_at(size_t i, size_t *arguments)
{
  if (i >= sizeof equations / sizeof *equations) return NULL;
  *arguments = equations[i].one ? 1 : equations[i].two ? 2 : 4;
  return equations[i].name;
}

double gscale_equation(size_t i, const double *x)
{
  if (i >= sizeof equations / sizeof *equations) return NAN;
  if (equations[i].one) return equations[i].one(x[0]);
  return equations[i].two ? equations[i].two(x[0], x[1])
                          : equations[i].four(x[0], x[1], x[2], x[3]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
