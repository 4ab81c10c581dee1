/* between.c - what leaves a node: the ways there are, and their messages.
 *
 *   host     launch; (copies inside the node); when the kernels have ended post
 *            all messages, wait for all
 *   device   the kernel sends; it ends when all has arrived
 *
 * Omits: messages that are posted while the kernel still runs; a GPU whose
 * messages are received in another order than they were sent. */

#include "price/between.h"

#include "ground/ground.h"

#include <string.h>

/* ---- messages ------------------------------------------------------------ */

gscale_path gscale__path(const gscale_plan *p, gscale_param_id first)
{
  const int numbers = GSCALE_HOSTPATH_OVERHEAD - GSCALE_GPUDIRECT_OVERHEAD;

  for (int i = 0; i < numbers; i++)
    gscale__ask(p, (gscale_param_id)((int)first + i));
  return gscale_path_of(p->value, first);
}

double gscale__rails(const gscale_plan *p, double bytes)
{
  return p->rails * gscale__ask(p, GSCALE_NETWORK_RATE) *
         gscale__ask(p, GSCALE_NETWORK_EFFICIENCY) *
         gscale_goodput(&p->net, GSCALE_COPY, bytes, false);
}

gscale_sends gscale__sends_of(const gscale_plan *p, const gscale__phase_plan *f)
{
  const gscale__leaving_nodes *l = &f->far;

  return (gscale_sends){.messages = l->messages,
                        .bytes = f->over * l->out / l->messages,
                        .node_messages = l->node_messages,
                        .node_bytes = f->over * l->node_bytes,
                        .uplink = f->over * l->leaf_bytes /
                                  gscale__ask(p, GSCALE_NETWORK_TAPER)};
}

/* Cards read the memory of GPUs, and no faster than they can. */
static void limit_reads(const gscale_plan *p, gscale_path *path)
{
  const double read = gscale__ask(p, GSCALE_NETWORK_READ);
  gscale_regime *const each[] = {&path->below, &path->above};

  for (size_t i = 0; i < 2; i++) {
    each[i]->rate = fmin(each[i]->rate, read);
    each[i]->node_rate = fmin(each[i]->node_rate, p->rails * read);
  }
}

gscale_path gscale__gpudirect(const gscale_plan *p)
{
  gscale_path path = gscale__path(p, GSCALE_GPUDIRECT_OVERHEAD);

  limit_reads(p, &path);
  return path;
}

/* ---- gpudirect ------------------------------------------------------------
 * The host posts, network cards read and write the GPUs' memory [Oden14] 3. */

static const char *gpudirect_needs(const gscale_plan *p)
{
  return gscale__ask(p, GSCALE_GPUDIRECT_RATE) > 0.0
             ? NULL
             : "gpudirect.rate of the system";
}

static gscale_sent gpudirect(const gscale_plan *p, const gscale__phase_plan *f)
{
  const gscale_sends s = gscale__sends_of(p, f);
  const gscale_path path = gscale__gpudirect(p);

  return gscale_path_sends(&path, &s, gscale__rails(p, s.bytes));
}

/* ---- staged ---------------------------------------------------------------
 * Down to the host, from host to host, and up: one after the other, each for
 * all messages of the phase ([Oden14] 3.2.1, without pipelining). */

static const char *staged_needs(const gscale_plan *p)
{
  if (!(gscale__ask(p, GSCALE_HOSTPATH_RATE) > 0.0))
    return "hostpath.rate of the system";
  if (!(gscale__ask(p, GSCALE_STAGED_RATE) > 0.0))
    return "staged.rate of the system";
  return NULL;
}

/* All GPUs of the node copy at once; what arrives goes up while nothing goes
 * down. */
static double legs(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double rate = gscale__ask(p, GSCALE_STAGED_RATE) *
                      gscale__ask(p, GSCALE_STAGED_ALL_ACTIVE);
  const double host = f->far.node_bytes / gscale__ask(p, GSCALE_STAGED_HOST);

  return 2.0 * f->over * gscale__max(f->far.out / rate, host);
}

static gscale_sent staged(const gscale_plan *p, const gscale__phase_plan *f)
{
  const gscale_sends s = gscale__sends_of(p, f);
  const gscale_path path = gscale__path(p, GSCALE_HOSTPATH_OVERHEAD);
  gscale_sent t = gscale_path_sends(&path, &s, gscale__rails(p, s.bytes));

  t.post += s.messages * (gscale__ask(p, GSCALE_HOST_D2H) +
                          gscale__ask(p, GSCALE_HOST_H2D)) +
            2.0 * gscale__ask(p, GSCALE_HOST_SYNC);
  t.latency += 2.0 * gscale__ask(p, GSCALE_COPY_INITIATION);
  t.transfer += legs(p, f);
  return t;
}

/* ---- by the methods of message.h ----------------------------------------
 */

/* GPUs of a node that send by one of its cards at once. */
static double sharing(const gscale_plan *p)
{
  return fmax(1.0, (double)p->near / p->rails);
}

static gscale_message one_message(const gscale_plan *p, gscale_method way,
                                  double bytes)
{
  gscale_remote_call c = gscale_remote_call_of(bytes);

  c.sharing = sharing(p);
  c.polled = c.notified = true; /* in each step anew */
  return gscale_remote_message(&p->remote, way, &c);
}

static const char *method_needs(const gscale_plan *p, gscale_method way)
{
  return isnan(one_message(p, way, 1.0).latency)
             ? "its numbers in `remote` of the system"
             : NULL;
}

/* All messages of a GPU in a row: who sends is busy with each, the last one
 * arrives its latency after its begin. */
static gscale_sent by_method(const gscale_plan *p, const gscale__phase_plan *f,
                             gscale_method way)
{
  const gscale_sends s = gscale__sends_of(p, f);
  const gscale_message m = one_message(p, way, s.bytes);
  const double each = gscale__max(m.busy, m.gap);
  const double total = m.latency + gscale__max(0.0, s.messages - 1.0) * each;
  const double post = fmin(total, s.messages * m.busy);
  const double transfer = fmin(total - post, s.messages * m.gap);

  return (gscale_sent){post, total - post - transfer, transfer};
}

/* ---- the table ----------------------------------------------------------- */

#define HOST(name, id, about)                                                  \
  {                                                                            \
    name, about, false, false, GSCALE_METHOD_##id, NULL, NULL                  \
  }
#define DEVICE(name, id, about)                                                \
  {                                                                            \
    name, about, false, true, GSCALE_METHOD_##id, NULL, NULL                   \
  }

static const gscale__way ways[] = {
    {"staged", "copies in a node; down, host to host and up between", false,
     false, GSCALE_METHOD_END, staged_needs, staged},
    {"gpudirect", "copies in a node; RDMA on GPU memory between", false, false,
     GSCALE_METHOD_END, gpudirect_needs, gpudirect},
    HOST("gpi2", GPI2,
         "copies in a node; one-sided, by the source's host between"),
    HOST("mpi", MPI, "copies in a node; two-sided, aware of GPUs, between"),
    HOST("mpi-manual", MPI_MANUAL,
         "copies in a node; copy, send, copy between"),
    HOST("mpi-manual-chunked", MPI_MANUAL_CHUNKED,
         "copies in a node; a message of each chunk between"),
    HOST("mpi-acc", MPI_ACC, "copies in a node; packets in a pipeline between"),
    DEVICE("host-assisted", HOST_ASSISTED,
           "copies in a node; a GPU asks, a host posts between"),
    DEVICE("put-ib", PUT_IB,
           "copies in a node; a GPU posts work requests between"),
    DEVICE("put-rma", PUT_RMA,
           "copies in a node; a GPU writes descriptors between"),
    DEVICE("ggas", GGAS,
           "copies in a node; stores to global addresses between"),
    DEVICE("nvshmem-ibgda", NVSHMEM_IBGDA,
           "copies in a node; a warp posts work requests between"),
};

enum {
  WAYS = sizeof ways / sizeof *ways
};

const gscale__way *gscale__way_at(size_t i)
{
  return i < WAYS ? &ways[i] : NULL;
}

size_t gscale__way_find(const char *name)
{
  size_t i = 0;

  while (i < WAYS && strcmp(ways[i].name, name) != 0) i++;
  return i;
}

const char *gscale__way_needs(const gscale_plan *p, size_t way)
{
  const gscale__way *w = &ways[way];

  return w->needs ? w->needs(p) : method_needs(p, w->method);
}

void gscale__add_far(const gscale_plan *p, const gscale__phase_plan *f,
                     size_t way, gscale__stage *out)
{
  const gscale__way *w = gscale__way_at(way);
  const double sent = f->far.all * f->over;

  if (!w || !(f->far.out > 0.0)) return;
  const gscale_sends s = gscale__sends_of(p, f);
  out->far = w->send ? w->send(p, f) : by_method(p, f, w->method);
  out->by_device = w->device;
  out->moved.useful += f->far.all * f->read;
  out->moved.unused += f->far.all * (f->over - f->read);
  out->moved.protocol +=
      sent / gscale_goodput(&p->net, GSCALE_COPY, s.bytes, false) - sent;
}

double gscale__meeting(const gscale_plan *p)
{
  if (p->nodes < 2) return 0.0;
  return gscale__ask(p, GSCALE_NETWORK_BARRIER) *
             gscale_network_depth(p->nodes) +
         gscale_network_straggle(gscale__ask(p, GSCALE_NETWORK_JITTER),
                                 p->nodes);
}
