/*
 * flow.h - transfers that start while data is still being produced.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_FLOW_H
#define GSCALE_FLOW_H

#include "gpuscale/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- overlap: transfers that start while data is still being produced ---- */

/** Share of the data that is ready at each share of the compute time:
 *  piecewise linear through (at[i], ready[i]), both rising from 0 to 1. */
enum {
  GSCALE_PROFILE_MAX = 16
};
typedef struct gscale_profile {
  size_t n; /* points, 2 .. GSCALE_PROFILE_MAX */
  double at[GSCALE_PROFILE_MAX];
  double ready[GSCALE_PROFILE_MAX];
} gscale_profile;

extern const gscale_profile gscale_profile_linear; /* (0,0) (1,1) */

/** True if p rises from (0,0) to (1,1) in both coordinates. */
bool gscale_profile_ok(const gscale_profile *p);

/** Share of the compute time after which the share `x` of the data is ready.
 *
 *  Given    x   0 .. 1
 *  Returns  0 .. 1; where the profile is flat, the end of the flat piece for
 *           data beyond it, its beginning for data up to it
 *  Source   definition
 */
double gscale_profile_when(const gscale_profile *p, double x);

/** What moves chunks: an agent with its own start-up costs. */
typedef struct gscale_pipe {
  double latency;   /* s, from "chunk ready" to its first byte leaving, >= 0 */
  double gap;       /* s, least time between two starts, >= 0 */
  double bandwidth; /* B/s of useful bytes, > 0, may be INFINITY */
  bool serial;      /* true: the gap begins when the last chunk has ended */
} gscale_pipe;

/** When the last of n chunks has arrived: the recurrence itself.
 *
 *    start_i = max(ready_i + latency, start_(i-1) + gap, end_(i-1))
 *    start_i = max(ready_i + latency, end_(i-1) + gap)        if serial
 *    end_i   = start_i + bytes_i / bandwidth
 *
 *  Given    n       chunks, >= 1
 *           ready   s, n values, any order, >= 0
 *           bytes   B, n values, >= 0
 *  Returns  s
 *  Source   ours; its limits are [Proact21] decoupled transfers and the
 *           chunked pipeline of facts on overlap
 */
double gscale_pipe_end(const gscale_pipe *p, size_t n, const double *ready,
                       const double *bytes);

/** The same for data cut into equal chunks (the last may be smaller) whose
 *  readiness follows a profile over the compute time: a closed form.
 *
 *    step = max(gap, chunk/bandwidth)          (sum of both if serial)
 *    end  = max_j ( ready_j + (n-1-j) step ) + latency + last/bandwidth
 *
 *  where the maximum of a piecewise linear function is taken at the ends of
 *  its pieces only, so the cost is that of the profile's points, not of n.
 *
 *  Given    compute  s, >= 0, time in which all data is produced
 *           bytes    B, >= 0, all data
 *           chunk    B, > 0
 *  Returns  s, never below `compute`; `compute` for 0 bytes
 *  Limits   one chunk: compute + latency + bytes/bandwidth
 *           linear profile, compute small: latency + compute/n + n step
 *           linear profile, compute large: compute + latency + last/bandwidth
 *  Source   ours, derived from gscale_pipe_end and tested against it
 */
double gscale_overlap_time(const gscale_pipe *p, const gscale_profile *f,
                           double compute, double bytes, double chunk);

/** The same if a chunk might leave as soon as its first byte is ready
 *  (cut-through): the part of gscale_overlap_time that chunking does not cause.
 *  The difference of the two is the tail.
 *
 *    end = max(compute, max_j ( begin_j + (n-1-j) step ) + last/bandwidth)
 *          + latency,   begin_j = when the first byte of chunk j is ready
 */
double gscale_overlap_cutthrough(const gscale_pipe *p, const gscale_profile *f,
                                 double compute, double bytes, double chunk);

/** End of a kernel that stores straight to its peers, and of its stores: it
 *  cannot run ahead of the link by more than what may be on its way.
 *
 *    made_i = max( made_(i-1) + (at_i - at_(i-1)) compute,
 *                  m + (ready_i - ahead) transfer )
 *    m      = max_(j<i) ( made_j - ready_j transfer )
 *    end    = max( made_n, m + transfer )
 *
 *  over the points (at, ready) of the profile: the link has moved a share x of
 *  the stores at m + x transfer, and until then none beyond x + ahead is made,
 *  nor what the kernel does after that.
 *
 *  Given    compute   s, >= 0, the kernel alone
 *           transfer  s, >= 0, all its stores one after the other
 *           ahead     share of the stores that may wait, >= 0
 *  Returns  s
 *  Limits   ahead >= 1: max(compute, m + transfer), nothing is held up
 *           ahead = 0: sum over the pieces of the longer of both
 *           linear profile: max(compute, transfer), whatever `ahead`
 *  Omits    that blocks of one SM are held up by those of another destination
 *  Source   ours: a warp whose stores the link does not take holds up the
 *           loads of its SM
 */
double gscale_overlap_stores(const gscale_profile *f, double compute,
                             double transfer, double ahead);

/** The chunk, a power of two times `least`, at most `most`, with the smallest
 *  gscale_overlap_time; the larger of two equal ones. */
double gscale_best_chunk(const gscale_pipe *p, const gscale_profile *f,
                         double compute, double bytes, double least,
                         double most);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FLOW_H */
