/* more.h - laws of a program's numbers: more of one never takes less. */
#ifndef GPUSCALE_TEST_MORE_H
#define GPUSCALE_TEST_MORE_H

#include "cases.h"

#include "describe/ask.h"

/* Numbers of which more is more to send, or to do; a list of values is one. */
typedef enum more_of {
  MORE_PUBLISH,
  MORE_REDUCE,
  MORE_CUT,         /* list: B across each dimension */
  MORE_SUBSCRIBERS, /* list: who needs it */
  MORE_OVER,
  MORE_REWRITES,
  MORE_FLOP,
  MORE_BYTES,
  MORE_FIXED,
  MORE_T1,
  MORE_END
} more_of;

static const char *const more_name[MORE_END] = {
    "publish",  "reduce", "cut",   "subscribers", "over",
    "rewrites", "flop",   "bytes", "fixed",       "t1"};

/* Several times as many of each value that is there. */
static inline bool times_list(double *v, size_t n, double times)
{
  bool any = false;

  for (size_t i = 0; i < n; i++) {
    any = any || v[i] > 0;
    v[i] *= times;
  }
  return any;
}

/* More of all that it is a list of, as far as they sum to 1. */
static inline bool times_shares(double *v, size_t n, double times)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++) sum += v[i];
  return sum > 0 && sum < 1 && times_list(v, n, fmin(times, 1 / sum));
}

static inline bool times_one(double *v, double times)
{
  return times_list(v, 1, times);
}

/* A work of its own takes more only where no measured time is divided by it;
 * of what a phase does not read or send, more is nothing. */
static inline bool make_more(gscale_workload *w, size_t phase, more_of what,
                             double times)
{
  gscale_phase *p = &w->phase[phase];
  const bool free_work = !(w->single.val > 0);

  switch (what) {
  case MORE_PUBLISH:
    return p->to != GSCALE_TO_NONE && !times_list(p->cut, GSCALE_DIMS_MAX, 1) &&
           times_one(&p->publish, times);
  case MORE_REDUCE:
    return times_one(&p->reduce, times);
  case MORE_CUT:
    return p->to == GSCALE_TO_NEIGHBOURS &&
           times_list(p->cut, GSCALE_DIMS_MAX, times);
  case MORE_SUBSCRIBERS:
    return p->to == GSCALE_TO_SUBSCRIBERS &&
           times_shares(p->subscribers, GSCALE_MESH_MAX, times);
  case MORE_OVER:
    return p->to != GSCALE_TO_NONE && times_one(&p->over, times);
  case MORE_REWRITES:
    return p->to != GSCALE_TO_NONE && times_one(&p->rewrites, times);
  case MORE_FLOP:
    return free_work && times_one(&p->flop, times);
  case MORE_BYTES:
    return free_work && times_one(&p->bytes, times);
  case MORE_FIXED:
    return free_work && times_one(&p->fixed, times);
  default:
    return times_one(&w->single.val, times);
  }
}

/* Whether more of it never puts fewer bytes on the wire, by what a prediction
 * used: a library that chose another protocol sends other flags. */
static inline bool more_wire(more_of what)
{
  return what < MORE_FLOP;
}

/* Paradigms by which more may still take less, and numbers of which it may; a
 * star stands for any end. */
static const char *const unmended[] = {"um", "gps*", "cut"};

static inline bool is_unmended(const char *name)
{
  for (size_t i = 0; i < sizeof unmended / sizeof *unmended; i++) {
    const size_t n = strcspn(unmended[i], "*");
    if (strncmp(name, unmended[i], n + !unmended[i][n]) == 0) return true;
  }
  return false;
}

static inline bool more_broken(size_t paradigm, more_of what)
{
  return is_unmended(gscale_paradigm_at(paradigm)->name) ||
         is_unmended(more_name[what]);
}

/* What the library used, to be used again. */
static inline gscale_knobs as_used(size_t paradigm,
                                   const gscale_prediction *was)
{
  gscale_knobs k = was->knobs;

  if (gscale_paradigm_at(paradigm)->collective && was->moves == 1) {
    k.algorithm = was->move[0].algorithm + 1U;
    k.protocol = was->move[0].protocol + 1U;
  }
  return k;
}

/* A library that sends long messages otherwise does so from a size on, faster
 * or not: numbers of such a path that are drawn have no law.  Here it never
 * does. */
static inline void one_regime(gscale_system *s)
{
  set(s, "hostpath.from", 1e18, 0);
  set(s, "gpudirect.from", 1e18, 0);
}

static inline bool is_one_regime(const gscale_system *s, int n)
{
  const gscale_param_id from = gscale_param_find("gpudirect.from");

  return n <= gscale_system_about(s).node ||
         !(gscale_system_get(s, from)->val < 1e18);
}

/* ---- the exception --------------------------------------------------------
 */

/* Channels by which the sends of a phase go; 0: it sends by none. */
static inline double channels_of(const gscale_system *s, const gscale_plan *p,
                                 size_t phase, const gscale_knobs *k)
{
  gscale_coll_kind what;
  double bytes;
  const gscale_coll_choice by = gscale_plan_moves(p, phase, k, &what, &bytes);
  const int n = gscale_plan_gpus(p);

  if (by.algorithm != GSCALE_COLL_DIRECT &&
      by.algorithm != GSCALE_COLL_PAIRWISE)
    return 0;
  return gscale_coll_channels(
      what == GSCALE_COLL_ALL_TO_ALL ? bytes / n : bytes, n,
      gscale_system_get(s, GSCALE_COLL_CHANNELS)->val);
}

/* NCCL sends by twice the channels from a size on, and is faster there, as it
 * was measured (data/h200x2/steps). */
static inline bool more_channels(const gscale_system *s,
                                 const gscale_plan *before,
                                 const gscale_plan *after, size_t paradigm,
                                 size_t phase, const gscale_knobs *k)
{
  if (!gscale_paradigm_at(paradigm)->collective) return false;
  const double few = channels_of(s, before, phase, k);
  return few > 0 && channels_of(s, after, phase, k) > few;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
