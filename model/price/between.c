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

/* ---- by the methods of internode.h ----------------------------------------
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

#define METHOD(name, id)                                                       \
  static const char *name##_needs(const gscale_plan *p)                        \
  {                                                                            \
    return method_needs(p, GSCALE_METHOD_##id);                                \
  }                                                                            \
  static gscale_sent name(const gscale_plan *p, const gscale__phase_plan *f)   \
  {                                                                            \
    return by_method(p, f, GSCALE_METHOD_##id);                                \
  }

METHOD(gpi2, GPI2)
METHOD(host_assisted, HOST_ASSISTED)
METHOD(put_ib, PUT_IB)
METHOD(put_rma, PUT_RMA)
METHOD(ggas, GGAS)
METHOD(mpi, MPI)
METHOD(mpi_manual, MPI_MANUAL)
METHOD(mpi_chunked, MPI_MANUAL_CHUNKED)
METHOD(mpi_acc, MPI_ACC)
METHOD(nvshmem_ibgda, NVSHMEM_IBGDA)

/* ---- the table ----------------------------------------------------------- */

static const gscale__way ways[] = {
    {"staged", false, false, staged_needs, staged},
    {"gpudirect", false, false, gpudirect_needs, gpudirect},
    {"gpi2", false, false, gpi2_needs, gpi2},
    {"mpi", false, false, mpi_needs, mpi},
    {"mpi-manual", false, false, mpi_manual_needs, mpi_manual},
    {"mpi-manual-chunked", false, false, mpi_chunked_needs, mpi_chunked},
    {"mpi-acc", false, false, mpi_acc_needs, mpi_acc},
    {"host-assisted", false, true, host_assisted_needs, host_assisted},
    {"put-ib", false, true, put_ib_needs, put_ib},
    {"put-rma", false, true, put_rma_needs, put_rma},
    {"ggas", false, true, ggas_needs, ggas},
    {"nvshmem-ibgda", false, true, nvshmem_ibgda_needs, nvshmem_ibgda},
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

void gscale__add_far(const gscale_plan *p, const gscale__phase_plan *f,
                     size_t way, gscale__stage *out)
{
  const gscale__way *w = gscale__way_at(way);
  const double sent = f->far.all * f->over;

  if (!w || !(f->far.out > 0.0)) return;
  const gscale_sends s = gscale__sends_of(p, f);
  out->far = w->send(p, f);
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
