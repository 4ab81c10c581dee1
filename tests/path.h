/* path.h - messages of so many bytes over a path between nodes. */
#ifndef GPUSCALE_TEST_PATH_H
#define GPUSCALE_TEST_PATH_H

#include "gpuscale/all.h"

static inline double path_busy(const gscale_path *p, double bytes)
{
  return gscale_path_message(p, bytes).busy;
}

static inline double path_time(const gscale_path *p, double bytes)
{
  return gscale_path_message(p, bytes).latency;
}

static inline double path_rate(const gscale_path *p, double bytes, double pairs,
                               double rails)
{
  const gscale_message m = gscale_path_message(p, bytes);

  return gscale_message_rate(&m, bytes, pairs, rails);
}

static inline double path_shared(const gscale_path *p, double bytes,
                                 double pairs, double rails)
{
  const gscale_message m = gscale_path_message(p, bytes);

  return gscale_message_time(&m, bytes, pairs, rails);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
