/* coalesce.c - many stores in one packet: distinct lines, runs, merging,
 * packing, and the sizes of what FinePack needs. */

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

/* ---- closed forms -------------------------------------------------------- */

double gscale_distinct(double n, double draws)
{
  if (!(n >= 1.0) || !(draws >= 0.0)) return (double)NAN;
  if (draws == 0.0) return 0.0; /* 0 ln 0 for n = 1 */
  return -n * expm1(draws * log1p(-1.0 / n));
}

double gscale_runs(double words, double p)
{
  if (!(words >= 1.0) || !(p >= 0.0 && p <= 1.0)) return (double)NAN;
  return p + (words - 1.0) * p * (1.0 - p);
}

double gscale_queue_added(double lines, double stores, double resident)
{
  if (!(lines >= 1.0) || !(resident >= 0.0)) return (double)NAN;
  if (!(resident < lines)) return gscale_distinct(lines, stores);

  const double fill = -lines * log1p(-resident / lines);
  if (!(stores > fill)) return gscale_distinct(lines, stores);
  return resident + (stores - fill) * (1.0 - resident / lines);
}

double gscale_finepack_stores(double q, double most)
{
  if (!(q >= 0.0 && q <= 1.0) || !(most >= 1.0)) return (double)NAN;
  if (q == 1.0) return most;
  return (1.0 - pow(q, most)) / (1.0 - q);
}
