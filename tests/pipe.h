/* pipe.h - chunks that leave one after the other: the recurrence itself, and
 * the closed form of flow.h asked in the terms of the recurrence. */
#ifndef GPUSCALE_TEST_PIPE_H
#define GPUSCALE_TEST_PIPE_H

#include "gpuscale/all.h"

#include <math.h>

/* What moves chunks. */
typedef struct pipe {
  double latency;   /* s, from "chunk ready" to its first byte leaving */
  double gap;       /* s, least time between two starts */
  double bandwidth; /* B/s */
  bool serial;      /* the gap begins when the last chunk has ended */
} pipe;

/* When the last of n chunks has arrived. */
static inline double pipe_end(const pipe *p, size_t n, const double *ready,
                              const double *bytes)
{
  double start = -INFINITY, end = -INFINITY;

  for (size_t i = 0; i < n; i++) {
    const double free_at = p->serial ? end + p->gap : fmax(start + p->gap, end);
    start = fmax(ready[i] + p->latency, free_at);
    end = start + bytes[i] / p->bandwidth;
  }
  return end;
}

/* Share of the compute time after which the share x of the data is ready. */
static inline double profile_when(const gscale_profile *p, double x)
{
  for (size_t i = 1; i < p->n; i++) {
    const double rise = p->ready[i] - p->ready[i - 1];
    if (!(rise > 0.0) || x > p->ready[i] + 1e-9) continue;
    const double share = (x - p->ready[i - 1]) / rise;
    return fmin(p->at[i], p->at[i - 1] + share * (p->at[i] - p->at[i - 1]));
  }
  return 1.0;
}

/* Compute whose data leaves in chunks, each when it is complete (tail 1) or
 * when its first byte is ready (tail 0). */
static inline double in_chunks(const pipe *p, const gscale_profile *f,
                               double compute, double bytes, double chunk,
                               double tail)
{
  const gscale_flow flow = {.ready = f,
                            .compute = compute,
                            .wire = bytes / p->bandwidth,
                            .latency = p->latency,
                            .bytes = bytes,
                            .chunk = bytes > 0.0 ? chunk : 0.0,
                            .gap = p->gap,
                            .serial = p->serial,
                            .tail = tail};

  return gscale_flow_time(&flow);
}

/* Stores of a kernel, the share `ahead` of which may be on its way. */
static inline double stores_end(const gscale_profile *f, double compute,
                                double transfer, double ahead)
{
  const gscale_flow flow = {
      .ready = f, .compute = compute, .wire = transfer, .window = ahead};

  return gscale_flow_time(&flow);
}

#endif /* GPUSCALE_TEST_PIPE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
