/* halo.h - a halo exchange by copies, as the schedule of its calls: the example
 * of model/timeline/README.md, for any number of GPUs. */
#ifndef GPUSCALE_TEST_HALO_H
#define GPUSCALE_TEST_HALO_H

#include "gpuscale/all.h"

#include <stdlib.h>

enum {
  HALO_KERNEL = GSCALE_COST_END,
  HALO_COPY,
  HALO_COSTS
};

typedef struct halo {
  gscale_schedule s;
  int *stream_gpu;
  gscale_action *action;
} halo;

static inline void halo_put(halo *h, int gpu, gscale_action a)
{
  a.thread = gpu;
  h->action[h->s.actions++] = a;
}

/* Each GPU: a kernel, then a copy to each side on a stream of its own, that
 * waits for the kernel; then both streams are waited for, and all threads for
 * each other. */
static inline halo *halo_new(int gpus, bool ring)
{
  halo *h = calloc(1, sizeof *h);

  h->stream_gpu = calloc(2 * (size_t)gpus, sizeof *h->stream_gpu);
  h->action = calloc(8 * (size_t)gpus, sizeof *h->action);
  for (int i = 0; i < 2 * gpus; i++) h->stream_gpu[i] = i / 2;
  h->s = (gscale_schedule){.gpus = gpus,
                           .threads = gpus,
                           .streams = 2 * gpus,
                           .events = gpus,
                           .durations = HALO_COSTS - GSCALE_COST_END,
                           .stream_gpu = h->stream_gpu,
                           .action = h->action,
                           .depth = 1024,
                           .crowd = gscale_timeline_crowd(gpus, 4)};
  for (int g = 0; g < gpus; g++) {
    const int work = 2 * g, copies = 2 * g + 1;
    halo_put(h, g, (gscale_action){.kind = GSCALE_LAUNCH, .stream = work});
    halo_put(
        h, g,
        (gscale_action){.kind = GSCALE_RECORD, .stream = work, .event = g});
    halo_put(
        h, g,
        (gscale_action){.kind = GSCALE_WAIT, .stream = copies, .event = g});
    for (int side = -1; side <= 1; side += 2) {
      const int to = g + side;
      if (gpus == 1 || (!ring && (to < 0 || to >= gpus))) continue;
      halo_put(h, g,
               (gscale_action){.kind = GSCALE_COPY_D2D,
                               .stream = copies,
                               .peer = (to + gpus) % gpus,
                               .length = 1});
    }
    halo_put(h, g, (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = work});
    halo_put(h, g,
             (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = copies});
    halo_put(h, g, (gscale_action){.kind = GSCALE_BARRIER});
  }
  return h;
}

static inline void halo_free(halo *h)
{
  free(h->stream_gpu);
  free(h->action);
  free(h);
}

/* Some costs, of the order of an H200's. */
static inline void halo_costs(double *cost)
{
  for (int i = 0; i < GSCALE_COST_END; i++) cost[i] = 0.5e-6;
  for (int k = 0; k < GSCALE_CALL_END; k++) cost[GSCALE_COST_ISSUE + k] = 2e-6;
  cost[HALO_KERNEL] = 20e-6;
  cost[HALO_COPY] = 8e-6;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
