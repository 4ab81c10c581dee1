/* nodes.c - copies inside a node, and between nodes one way each.
 *
 *   schedule   as memcpy; what leaves the node goes by the way of that name
 *              (price/between.c)
 *
 * They are memcpy+staged, memcpy+gpudirect and so on, by a short name: other
 * paradigms pair with the same ways.
 *
 * Source: [Oden14]; ours. */

#include "paradigm/emit.h"

#define ALIKE(id, text, about_it)                                              \
  const gscale__paradigm gscale__##id##_way = {                                \
      .about = {text,                                                          \
                about_it,                                                      \
                false,                                                         \
                {false},                                                       \
                {.peer = GSCALE_PEER_NONE},                                    \
                false,                                                         \
                false},                                                        \
      .packs = true,                                                           \
      .needs = needs,                                                          \
      .prepare = prepare,                                                      \
      .publish = publish,                                                      \
      .way = text,                                                             \
  }

/* One node has nothing to send by it; it is as memcpy there. */
static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  return p->network ? gscale__memcpy.needs(p, f)
                    : "a system of several nodes (network)";
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__memcpy.prepare(p, f, k, out);
}

static void publish(gscale__emit *e)
{
  gscale__emit_copies(e, GSCALE__MAIN);
}

ALIKE(staged, "staged", "copies in a node; down, host to host and up between");
ALIKE(gpudirect, "gpudirect", "copies in a node; RDMA on GPU memory between");
ALIKE(gpi2, "gpi2",
      "copies in a node; one-sided, by the source's host between");
ALIKE(mpi, "mpi", "copies in a node; two-sided, aware of GPUs, between");
ALIKE(mpi_manual, "mpi-manual", "copies in a node; copy, send, copy between");
ALIKE(mpi_chunked, "mpi-manual-chunked",
      "copies in a node; a message of each chunk between");
ALIKE(mpi_acc, "mpi-acc", "copies in a node; packets in a pipeline between");
ALIKE(host_assisted, "host-assisted",
      "copies in a node; a GPU asks, a host posts between");
ALIKE(put_ib, "put-ib", "copies in a node; a GPU posts work requests between");
ALIKE(put_rma, "put-rma", "copies in a node; a GPU writes descriptors between");
ALIKE(ggas, "ggas", "copies in a node; stores to global addresses between");
ALIKE(nvshmem_ibgda, "nvshmem-ibgda",
      "copies in a node; a warp posts work requests between");
