/* host.c - what the host issues. */

#include "gpuscale.h"

#include <math.h>

static double one_kind(double calls, double cost, double crowd, int threads)
{
  return calls * cost * (1.0 + crowd * (threads - 1));
}

double gscale_host_time(gscale_calls calls, gscale_calls cost,
                        gscale_calls crowd, int gpus, int threads)
{
  if (gpus < 1 || threads < 1 || threads > gpus) return (double)NAN;

  const double each =
      one_kind(calls.launches, cost.launches, crowd.launches, threads) +
      one_kind(calls.copies, cost.copies, crowd.copies, threads) +
      one_kind(calls.events, cost.events, crowd.events, threads);

  return each * ceil((double)gpus / threads);
}
