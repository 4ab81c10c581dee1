/* route.c - bytes on the busiest resource of a topology. */

#include "gpuscale.h"

#include <math.h>

static double switch_busiest(int n, const double *bytes, double duplex)
{
  double busiest = 0.0;

  for (int i = 0; i < n; i++) {
    double egress = 0.0, ingress = 0.0;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      egress += bytes[i * n + j];
      ingress += bytes[j * n + i];
    }
    busiest = fmax(busiest, fmax(egress, ingress));
    busiest = fmax(busiest, (egress + ingress) / duplex);
  }
  return busiest;
}

static double bus_busiest(int n, const double *bytes)
{
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j != i) sum += bytes[i * n + j];
  return sum;
}

double gscale_route_busiest(gscale_topology t, int n, const double *bytes,
                            double duplex)
{
  if (n < 1 || !(duplex >= 1.0) || !(duplex <= 2.0)) return (double)NAN;
  for (int i = 0; i < n * n; i++)
    if (i % (n + 1) != 0 && !(bytes[i] >= 0.0)) return (double)NAN;

  switch (t) {
  case GSCALE_SWITCH:
    return switch_busiest(n, bytes, duplex);
  case GSCALE_BUS:
    return bus_busiest(n, bytes);
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return (double)NAN;
}
