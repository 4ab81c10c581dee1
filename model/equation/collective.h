/* collective.h - collectives of libraries other than NCCL, only for
 * collective.c. */
#ifndef GPUSCALE_EQUATION_COLLECTIVE_H
#define GPUSCALE_EQUATION_COLLECTIVE_H

#include "gpuscale/collective.h"

static const gscale_coll_choice gscale__coll_none = {GSCALE_COLL_ALGORITHM_END,
                                                     GSCALE_COLL_PROTOCOL_END,
                                                     {0.0, 0.0, 0.0},
                                                     (double)__builtin_nan(""),
                                                     (double)__builtin_nan("")};

static inline bool gscale__coll_by_peers(gscale_coll_algorithm a)
{
  return a == GSCALE_COLL_ONE_SHOT || a == GSCALE_COLL_TWO_SHOT;
}

static inline bool gscale__coll_of_mpi(gscale_coll_algorithm a,
                                       gscale_coll_protocol p)
{
  return (a >= GSCALE_COLL_MPI && a < GSCALE_COLL_ALGORITHM_END) ||
         (p >= GSCALE_COLL_HOST && p < GSCALE_COLL_PROTOCOL_END);
}

static inline int gscale__coll_nodes(int n, int node)
{
  return (n - 1) / node + 1;
}

/* Prices a call by stores to peers or loads from peers (collective_peers.c). */
gscale_coll_choice gscale__coll_peers(const gscale_coll_machine *m,
                                      const gscale_coll_call *c,
                                      gscale_coll_algorithm a,
                                      gscale_coll_protocol p);
/* Prices a call by MPI (collective_mpi.c). */
gscale_coll_choice gscale__coll_mpi(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p);

#endif /* GPUSCALE_EQUATION_COLLECTIVE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
