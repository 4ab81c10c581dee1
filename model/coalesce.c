/* coalesce.c - many stores in one packet: sizes of what FinePack needs. */

#include "internal.h"

#include <math.h>

double gscale_finepack_range(int subheader)
{
  const int length_bits = 10; /* [Diss22] table 5.2 */

  if (subheader < 2 || subheader > 6) return (double)NAN;
  return ldexp(1.0, 8 * subheader - length_bits);
}

double gscale_finepack_queue_bytes(int gpus, double entries)
{
  const double line = 128.0;

  if (gpus < 1 || !(entries >= 0.0)) return (double)NAN;
  return line * entries * (gpus - 1);
}
