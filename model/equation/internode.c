/* internode.c - messages between GPUs of two nodes, method by method, and what
 * is built of them. */

#include "ground/ground.h"

#include <string.h>

static const char *const places[GSCALE_PLACE_END] = {
    [GSCALE_ON_GPU] = "gpu",
    [GSCALE_ON_HOST] = "host",
};

static const char *const ways[GSCALE_METHOD_END] = {
    [GSCALE_METHOD_STAGED_COPIES] = "staged-copies",
    [GSCALE_METHOD_STAGED] = "staged",
    [GSCALE_METHOD_STAGED_PIPELINED] = "staged-pipelined",
    [GSCALE_METHOD_GPUDIRECT] = "gpudirect",
    [GSCALE_METHOD_GPI2] = "gpi2",
    [GSCALE_METHOD_HOST_ASSISTED] = "host-assisted",
    [GSCALE_METHOD_PUT_IB] = "put-ib",
    [GSCALE_METHOD_PUT_RMA] = "put-rma",
    [GSCALE_METHOD_GGAS] = "ggas",
    [GSCALE_METHOD_GGAS_LOAD] = "ggas-load",
    [GSCALE_METHOD_MPI] = "mpi",
    [GSCALE_METHOD_MPI_MANUAL] = "mpi-manual",
    [GSCALE_METHOD_MPI_MANUAL_CHUNKED] = "mpi-manual-chunked",
    [GSCALE_METHOD_MPI_ACC] = "mpi-acc",
    [GSCALE_METHOD_NVSHMEM_IBGDA] = "nvshmem-ibgda",
};

static const char *const gathers[GSCALE_GATHER_END] = {
    [GSCALE_GATHER_READ] = "read", [GSCALE_GATHER_ROOT] = "root",
    [GSCALE_GATHER_ALL] = "all",   [GSCALE_GATHER_ALL_TO_ALL] = "all-to-all",
    [GSCALE_GATHER_TREE] = "tree",
};

static const char *const controls[GSCALE_CONTROL_END] = {
    [GSCALE_CONTROL_HOST] = "host",
    [GSCALE_CONTROL_STREAM] = "stream",
    [GSCALE_CONTROL_DEVICE] = "device",
    [GSCALE_CONTROL_IN_KERNEL] = "in-kernel",
    [GSCALE_CONTROL_GLOBAL] = "global",
};

const char *gscale_place_name(gscale_place p)
{
  return p < GSCALE_PLACE_END ? places[p] : NULL;
}

const char *gscale_method_name(gscale_method w)
{
  return w < GSCALE_METHOD_END ? ways[w] : NULL;
}

gscale_method gscale_method_find(const char *name)
{
  int i = 0;

  while (i < GSCALE_METHOD_END && strcmp(ways[i], name) != 0) i++;
  return (gscale_method)i;
}

const char *gscale_gather_name(gscale_gather g)
{
  return g < GSCALE_GATHER_END ? gathers[g] : NULL;
}

const char *gscale_control_name(gscale_control c)
{
  return c < GSCALE_CONTROL_END ? controls[c] : NULL;
}

/* ---- domains ------------------------------------------------------------- */

static const gscale_message never = {(double)NAN, (double)NAN, (double)NAN};

static bool is_time(double t)
{
  return t >= 0.0 && isfinite(t);
}

static bool call_is_sound(const gscale_remote_call *c)
{
  return c->bytes >= 0.0 && isfinite(c->bytes) && c->from < GSCALE_PLACE_END &&
         c->to < GSCALE_PLACE_END && c->queues < GSCALE_PLACE_END &&
         c->sharing >= 1.0 && c->connections >= 1.0 && c->word > 0.0 &&
         c->stride >= 1.0 && c->chunk >= 0.0;
}

gscale_remote_call gscale_remote_call_of(double bytes)
{
  return (gscale_remote_call){
      .bytes = bytes,
      .from = GSCALE_ON_GPU,
      .to = GSCALE_ON_GPU,
      .sharing = 1.0,
      .queues = GSCALE_ON_GPU,
      .connections = 1.0,
      .word = 8.0,
      .stride = 1.0,
  };
}

/* ---- rates and pipelines --------------------------------------------------
 */

/* Of the wire alone. */
static double wire(const gscale_remote *r, const gscale_remote_call *c)
{
  return r->path.rate / c->sharing;
}

/* No limit where none is known; but behind the other socket, no way. */
static double into_gpu(const gscale_remote *r, const gscale_remote_call *c)
{
  if (c->far) return r->path.far_write;
  return r->path.write > 0.0 ? r->path.write : INFINITY;
}

double gscale_remote_rate(const gscale_remote *r, const gscale_remote_call *c)
{
  double rate;

  if (!call_is_sound(c)) return (double)NAN;
  rate = wire(r, c);
  if (c->from == GSCALE_ON_GPU)
    rate = fmin(rate, c->far ? r->path.far_read : r->path.read);
  if (c->to == GSCALE_ON_GPU) rate = fmin(rate, into_gpu(r, c));
  return rate > 0.0 ? rate : (double)NAN;
}

static bool stages_are_sound(const double *start, const double *rate, size_t n)
{
  for (size_t k = 0; k < n; k++)
    if (!is_time(start[k]) || !(rate[k] > 0.0)) return false;
  return n >= 1 && n <= 4;
}

double gscale_pipeline(const double *start, const double *rate, size_t n,
                       double bytes, double chunk)
{
  double end[4] = {0}, sum = 0.0, most = 0.0, last = 0.0;

  if (!stages_are_sound(start, rate, n) || !is_time(bytes) || !(chunk > 0.0))
    return (double)NAN;
  const double full = fmax(0.0, ceil(bytes / chunk) - 1.0);
  const double left = bytes - full * chunk;

  for (size_t k = 0; full > 0.0 && k < n; k++) {
    const double each = start[k] + chunk / rate[k];

    sum += each;
    most = fmax(most, each);
    end[k] = sum + (full - 1.0) * most;
  }
  for (size_t k = 0; k < n; k++)
    last = fmax(last, end[k]) + start[k] + left / rate[k];
  return last;
}

/* ---- by the host ----------------------------------------------------------
 */

static double chunk_of(const gscale_remote *r, const gscale_remote_call *c)
{
  return c->chunk > 0.0 ? c->chunk : r->stage.chunk;
}

static double chunks_of(const gscale_remote *r, const gscale_remote_call *c)
{
  return fmax(1.0, ceil(c->bytes / chunk_of(r, c)));
}

static bool can_stage(const gscale_remote *r, const gscale_remote_call *c)
{
  return r->path.latency > 0.0 && r->path.rate > 0.0 && r->stage.down > 0.0 &&
         r->stage.up > 0.0 && chunk_of(r, c) > 0.0;
}

/* One message after the other: nothing overlaps. */
static gscale_message alone(double t)
{
  return (gscale_message){t, t, t};
}

static gscale_message staged(const gscale_remote *r,
                             const gscale_remote_call *c, double more)
{
  if (!can_stage(r, c)) return never;
  return alone(more + 2.0 * r->stage.start + c->bytes / r->stage.down +
               r->path.latency + c->bytes / wire(r, c) +
               c->bytes / r->stage.up);
}

static gscale_message by_staged(const gscale_remote *r,
                                const gscale_remote_call *c)
{
  return staged(r, c, 0.0);
}

static gscale_message by_staged_copies(const gscale_remote *r,
                                       const gscale_remote_call *c)
{
  if (!(r->stage.buffer > 0.0)) return never;
  return staged(r, c, 2.0 * c->bytes / r->stage.buffer);
}

/* The host's thread is busy with the chunks' copies until the last is sent. */
static double staging(const gscale_remote *r, const gscale_remote_call *c)
{
  return chunks_of(r, c) * (r->stage.copy + r->stage.query + r->path.post) +
         c->bytes / r->stage.down;
}

/* Down, over the wire, up; each chunk costs the sender `each` more. */
static gscale_message in_chunks(const gscale_remote *r,
                                const gscale_remote_call *c, double each)
{
  const double start[] = {r->stage.copy, each, r->stage.copy};
  const double rate[] = {r->stage.down, wire(r, c), r->stage.up};
  gscale_message m = {.busy = staging(r, c)};

  if (!can_stage(r, c)) return never;
  m.latency = r->path.latency +
              gscale_pipeline(start, rate, 3, c->bytes, chunk_of(r, c));
  for (size_t k = 0; k < 3; k++)
    m.gap = fmax(m.gap, chunks_of(r, c) * start[k] + c->bytes / rate[k]);
  return m;
}

static gscale_message by_staged_pipelined(const gscale_remote *r,
                                          const gscale_remote_call *c)
{
  return in_chunks(r, c, r->stage.query + r->path.post);
}

/* Of a get: its request is on its way. */
static double asked(const gscale_remote *r, const gscale_remote_call *c)
{
  return c->get ? r->path.latency : 0.0;
}

static gscale_message by_gpudirect(const gscale_remote *r,
                                   const gscale_remote_call *c)
{
  const double transfer = c->bytes / gscale_remote_rate(r, c);

  if (!(r->path.latency > 0.0)) return never;
  if (isnan(transfer)) return never;
  return (gscale_message){r->path.post,
                          asked(r, c) + r->path.latency + transfer,
                          fmax(r->path.gap, transfer)};
}

static gscale_message by_gpi2(const gscale_remote *r,
                              const gscale_remote_call *c)
{
  const double start[] = {r->stage.copy, r->stage.query + r->path.post};
  const double rate[] = {r->stage.down, fmin(wire(r, c), into_gpu(r, c))};
  gscale_message m;

  if (c->bytes <= r->stage.direct) return by_gpudirect(r, c);
  if (!can_stage(r, c) || !(rate[1] > 0.0)) return never;
  m.busy = staging(r, c);
  m.latency = r->path.latency +
              gscale_pipeline(start, rate, 2, c->bytes, chunk_of(r, c));
  m.gap = fmax(chunks_of(r, c) * start[0] + c->bytes / rate[0],
               chunks_of(r, c) * start[1] + c->bytes / rate[1]);
  return m;
}

double gscale_remote_switch(const gscale_remote *r, const gscale_remote_call *c)
{
  const double direct = gscale_remote_rate(r, c);
  const double into = fmin(wire(r, c), into_gpu(r, c));
  const double saved = 1.0 / direct - 1.0 / r->stage.down - 1.0 / into;

  if (isnan(direct) || !can_stage(r, c)) return (double)NAN;
  return saved > 0.0 ? (r->stage.copy + r->stage.query) / saved : INFINITY;
}

static gscale_message later(gscale_message m, double by)
{
  return (gscale_message){m.busy + by, m.latency + by, m.gap + by};
}

static gscale_message by_mpi(const gscale_remote *r,
                             const gscale_remote_call *c)
{
  const gscale_message m = c->bytes <= r->stage.direct
                               ? by_gpudirect(r, c)
                               : by_staged_pipelined(r, c);

  return later(m, r->stage.match + 2.0 * r->path.latency);
}

static gscale_message by_mpi_manual(const gscale_remote *r,
                                    const gscale_remote_call *c)
{
  return later(by_staged(r, c), r->stage.handshake);
}

static gscale_message by_mpi_manual_chunked(const gscale_remote *r,
                                            const gscale_remote_call *c)
{
  if (c->bytes <= chunk_of(r, c)) return by_mpi_manual(r, c);
  return in_chunks(r, c, r->stage.handshake + r->stage.query);
}

static gscale_message by_mpi_acc(const gscale_remote *r,
                                 const gscale_remote_call *c)
{
  if (c->bytes < chunk_of(r, c)) return by_mpi_manual(r, c);
  return later(in_chunks(r, c, r->stage.query), r->stage.handshake);
}

static gscale_message by_host_assisted(const gscale_remote *r,
                                       const gscale_remote_call *c)
{
  const gscale_message m = by_gpudirect(r, c);
  const double serve =
      r->control.assist + (c->connections - 1.0) * r->control.scan;

  if (!(r->control.assist > 0.0) || isnan(m.latency)) return never;
  return (gscale_message){0.0, r->control.assist + m.latency,
                          fmax(serve, m.gap)};
}

/* ---- by the GPU ----------------------------------------------------------
 */

static bool on_host(const gscale_remote_call *c)
{
  return c->queues == GSCALE_ON_HOST;
}

static gscale_message by_put(const gscale_remote *r,
                             const gscale_remote_call *c, double stamp)
{
  const double post = on_host(c) ? r->control.post_host : r->control.post_gpu;
  const double poll = on_host(c) ? r->control.poll_host : r->control.poll_gpu;
  const double serial = on_host(c) ? r->control.serial_host : 0.0;
  const double transfer = c->bytes / gscale_remote_rate(r, c);
  const double busy = post + (c->polled ? poll : 0.0);
  const double gap = (busy + (c->connections - 1.0) * serial) / c->connections;

  if (!(r->path.latency > 0.0) || !(post > 0.0) || isnan(transfer))
    return never;
  /* The receiver sees the last byte; who gets takes the completion. */
  const double begun = c->get ? post : fmax(0.0, post - stamp);
  const double seen = c->get ? poll : r->control.watch;
  return (gscale_message){
      busy, begun + asked(r, c) + r->path.latency + transfer + seen,
      fmax(gap, transfer)};
}

static gscale_message by_put_ib(const gscale_remote *r,
                                const gscale_remote_call *c)
{
  return by_put(r, c,
                on_host(c) ? r->control.stamp_host : r->control.stamp_gpu);
}

static gscale_message by_nvshmem_ibgda(const gscale_remote *r,
                                       const gscale_remote_call *c)
{
  gscale_remote_call own = *c;

  own.queues = GSCALE_ON_GPU;
  return by_put(r, &own, 0.0);
}

static gscale_message by_put_rma(const gscale_remote *r,
                                 const gscale_remote_call *c)
{
  const double transfer = c->bytes / gscale_remote_rate(r, c);
  const double notify = r->control.notify;

  if (!(r->control.put > 0.0) || isnan(transfer)) return never;
  if (c->get && !(r->path.latency > 0.0)) return never;
  const double there = asked(r, c) + r->control.put + transfer;
  return (gscale_message){c->notified ? notify : 0.0,
                          there + (c->notified ? notify : 0.0),
                          there + notify / 2.0};
}

double gscale_remote_requests(const gscale_remote *r, double n, double word,
                              double stride, bool load)
{
  if (!is_time(n) || !(word > 0.0) || !(stride >= 1.0)) return (double)NAN;
  if (load)
    return r->space.values >= 1.0 ? ceil(n * stride / r->space.values)
                                  : (double)NAN;
  if (!(r->space.payload > 0.0)) return (double)NAN;
  return stride > 1.0 ? n : ceil(n * word / r->space.payload);
}

/* On the wire, of `requests` that carry all the bytes between them. */
static double packet(const gscale_remote *r, double bytes, double requests)
{
  return (bytes / fmax(1.0, requests) + r->space.header) / r->space.rate;
}

static gscale_message by_ggas(const gscale_remote *r,
                              const gscale_remote_call *c)
{
  const double k = gscale_remote_requests(r, ceil(c->bytes / c->word), c->word,
                                          c->stride, false);
  const double each = packet(r, c->bytes, k);

  if (!(r->space.store > 0.0) || !(r->space.rate > 0.0) || isnan(k))
    return never;
  const double latency = r->space.store + fmax(0.0, k - 1.0) * each;
  return (gscale_message){latency, latency, k * each};
}

static gscale_message by_ggas_load(const gscale_remote *r,
                                   const gscale_remote_call *c)
{
  const double k = gscale_remote_requests(r, ceil(c->bytes / c->word), c->word,
                                          c->stride, true);
  const double each = fmax(packet(r, c->bytes * c->stride, k),
                           r->space.load / r->space.outstanding);

  if (!(r->space.load > 0.0) || !(r->space.outstanding > 0.0) ||
      !(r->space.rate > 0.0) || isnan(k))
    return never;
  const double latency = r->space.load + fmax(0.0, k - 1.0) * each;
  return (gscale_message){latency, latency, k * each};
}

/* ---- messages ------------------------------------------------------------ */

static bool can_get(gscale_method w)
{
  return w == GSCALE_METHOD_GPUDIRECT || w == GSCALE_METHOD_HOST_ASSISTED ||
         w == GSCALE_METHOD_PUT_IB || w == GSCALE_METHOD_PUT_RMA ||
         w == GSCALE_METHOD_NVSHMEM_IBGDA;
}

gscale_message gscale_remote_message(const gscale_remote *r, gscale_method w,
                                     const gscale_remote_call *c)
{
  static gscale_message (*const by[GSCALE_METHOD_END])(
      const gscale_remote *r, const gscale_remote_call *c) = {
      [GSCALE_METHOD_STAGED_COPIES] = by_staged_copies,
      [GSCALE_METHOD_STAGED] = by_staged,
      [GSCALE_METHOD_STAGED_PIPELINED] = by_staged_pipelined,
      [GSCALE_METHOD_GPUDIRECT] = by_gpudirect,
      [GSCALE_METHOD_GPI2] = by_gpi2,
      [GSCALE_METHOD_HOST_ASSISTED] = by_host_assisted,
      [GSCALE_METHOD_PUT_IB] = by_put_ib,
      [GSCALE_METHOD_PUT_RMA] = by_put_rma,
      [GSCALE_METHOD_GGAS] = by_ggas,
      [GSCALE_METHOD_GGAS_LOAD] = by_ggas_load,
      [GSCALE_METHOD_MPI] = by_mpi,
      [GSCALE_METHOD_MPI_MANUAL] = by_mpi_manual,
      [GSCALE_METHOD_MPI_MANUAL_CHUNKED] = by_mpi_manual_chunked,
      [GSCALE_METHOD_MPI_ACC] = by_mpi_acc,
      [GSCALE_METHOD_NVSHMEM_IBGDA] = by_nvshmem_ibgda,
  };

  if (w >= GSCALE_METHOD_END || !call_is_sound(c)) return never;
  return c->get && !can_get(w) ? never : by[w](r, c);
}

double gscale_remote_atomic(const gscale_remote *r, gscale_method w,
                            gscale_place queues)
{
  const bool host = queues == GSCALE_ON_HOST;
  const double post = host ? r->control.post_host : r->control.post_gpu;
  const double poll = host ? r->control.poll_host : r->control.poll_gpu;
  const double there = 2.0 * r->path.latency;

  if (!(there > 0.0) || queues >= GSCALE_PLACE_END) return (double)NAN;
  if (w == GSCALE_METHOD_GPUDIRECT) return there;
  if (w == GSCALE_METHOD_HOST_ASSISTED && r->control.assist > 0.0)
    return r->control.assist + there;
  if (w == GSCALE_METHOD_PUT_IB && post > 0.0 && poll > 0.0)
    return post + there + poll;
  return (double)NAN;
}

/* ---- built of messages --------------------------------------------------- */

double gscale_remote_barrier(const gscale_remote *r, int n, bool kernel)
{
  if (n < 1 || !(r->space.store > 0.0)) return (double)NAN;
  if (n == 1) return 0.0;
  return 2.0 * r->space.store + r->space.flag + r->space.flag_more * (n - 2.0) +
         (kernel ? r->control.launch : 0.0);
}

/* What n-1 GPUs store to one, or one to n-1. */
static double gathered(const gscale_remote *r, int n, double bytes)
{
  const gscale_remote_call c = gscale_remote_call_of(bytes);
  const gscale_message m = by_ggas(r, &c);

  return m.latency + (n - 2.0) * m.gap;
}

static double read_all(const gscale_remote *r, int n, double bytes)
{
  const gscale_remote_call c = gscale_remote_call_of(bytes);

  return (n - 1.0) * by_ggas_load(r, &c).latency;
}

double gscale_remote_reduce(const gscale_remote *r, gscale_gather g, int n,
                            double bytes, double memory, bool all)
{
  const double barrier = gscale_remote_barrier(r, n, false);
  const double ways_ = all ? 2.0 : 1.0;
  const gscale_remote_call whole = gscale_remote_call_of(bytes);

  if (n < 1 || !is_time(bytes) || !(memory > 0.0)) return (double)NAN;
  if (n == 1) return 0.0;
  switch (g) {
  case GSCALE_GATHER_READ:
    return barrier + read_all(r, n, bytes);
  case GSCALE_GATHER_ROOT:
    return ways_ * (gathered(r, n, bytes) + barrier) + n * bytes / memory;
  case GSCALE_GATHER_ALL:
    return gathered(r, n, bytes) + barrier + n * bytes / memory;
  case GSCALE_GATHER_ALL_TO_ALL:
    return 2.0 * (gathered(r, n, bytes / n) + barrier) + bytes / memory;
  case GSCALE_GATHER_TREE:
    return ways_ * ceil(log2(n)) *
           (by_ggas(r, &whole).latency + r->space.store + 2.0 * bytes / memory);
  case GSCALE_GATHER_END:
    break;
  }
  return (double)NAN;
}

double gscale_host_allreduce(const gscale_remote *r, int n, double sharing,
                             gscale_place buffers)
{
  const double stage = r->path.latency + (sharing - 1.0) * r->path.gap;
  const double copies = buffers == GSCALE_ON_GPU ? 2.0 * r->stage.start : 0.0;

  if (n < 1 || !(sharing >= 1.0) || buffers >= GSCALE_PLACE_END ||
      !(r->path.latency > 0.0))
    return (double)NAN;
  return n == 1 ? 0.0 : copies + 2.0 * ceil(log2(n)) * stage;
}

double gscale_opposite(double gain)
{
  return gain >= 0.0 && gain <= 1.0 ? (1.0 + gain) / 2.0 : (double)NAN;
}

double gscale_queued(double copy, double packet, double queued, double busy)
{
  if (!(copy > 0.0) || !is_time(copy) || !is_time(packet) || !is_time(queued) ||
      !(busy >= 0.0 && busy <= 1.0))
    return (double)NAN;
  return 1.0 + busy * queued * packet / copy;
}

double gscale_on_streams(double transfer, double kernel, bool zero)
{
  if (!is_time(transfer) || !is_time(kernel)) return (double)NAN;
  return zero ? transfer + kernel : fmax(transfer, kernel);
}

double gscale_call_time(const double counts[3], const double each[3])
{
  double sum = 0.0;

  for (size_t i = 0; i < 3; i++) {
    if (!is_time(counts[i]) || !is_time(each[i])) return (double)NAN;
    sum += counts[i] * each[i];
  }
  return sum;
}

/* ---- who controls a step ------------------------------------------------- */

static bool halves_are_sound(const gscale_halves *h)
{
  const double t[] = {h->compute, h->send,   h->post,   h->poll, h->event,
                      h->between, h->launch, h->blocks, h->wait, h->barrier};

  for (size_t i = 0; i < sizeof t / sizeof *t; i++)
    if (!is_time(t[i])) return false;
  return h->blocks >= 1.0;
}

double gscale_control_step(gscale_control c, const gscale_halves *h)
{
  const double overlapped = fmax(h->compute, h->send);
  const double control = 2.0 * h->post + 2.0 * h->poll;

  if (!halves_are_sound(h)) return (double)NAN;
  switch (c) {
  case GSCALE_CONTROL_HOST:
    return 2.0 * fmax(h->compute + h->event, h->send);
  case GSCALE_CONTROL_STREAM:
    return 2.0 * (control + 3.0 * h->between + overlapped);
  case GSCALE_CONTROL_DEVICE:
    return 2.0 * (control + fmax(h->compute + h->launch, h->send));
  case GSCALE_CONTROL_IN_KERNEL:
    return 2.0 * (2.0 * h->post + overlapped + h->blocks * h->blocks * h->wait);
  case GSCALE_CONTROL_GLOBAL:
    return 2.0 * (h->compute + h->send) + h->barrier + h->launch;
  case GSCALE_CONTROL_END:
    break;
  }
  return (double)NAN;
}
