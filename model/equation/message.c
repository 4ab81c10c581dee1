/* message.c - time of messages between GPUs of two nodes, by each method. */

#include "ground/ground.h"

#include <string.h>

static bool is_time(double t)
{
  return t >= 0.0 && isfinite(t);
}

static gscale_message no_message(void)
{
  const double nan = NAN;

  return (gscale_message){.busy = nan, .latency = nan, .gap = nan};
}

static const gscale_regime *regime_of(const gscale_path *p, double bytes)
{
  return bytes < p->from ? &p->below : &p->above;
}

static bool is_regime(const gscale_regime *r)
{
  return r->overhead >= 0.0 && r->latency >= 0.0 && r->rate > 0.0 &&
         r->node_rate > 0.0 && r->stage >= 0.0;
}

/* Returns the time during which the sender is busy, s. */
static double busy_with(const gscale_path *p, double bytes)
{
  const bool fetched = bytes > p->within && bytes < p->from;

  if (!(bytes >= 0.0) || !(p->fetch >= 0.0)) return NAN;
  return regime_of(p, bytes)->overhead + (fetched ? p->fetch : 0.0);
}

gscale_message gscale_path_message(const gscale_path *p, double bytes)
{
  const gscale_regime *r = regime_of(p, bytes);
  const double busy = busy_with(p, bytes);
  gscale_message m = {.busy = busy,
                      .lead = fmax(0.0, r->latency - busy) + bytes * r->stage,
                      .rate = r->rate,
                      .node_rate = r->node_rate,
                      .messages = p->messages};

  if (isnan(busy) || !is_regime(r)) return no_message();
  m.latency = busy + m.lead + bytes / r->rate;
  m.gap = busy + bytes / r->rate;
  return m;
}

/* A message, and the quantities that every method needs. */
typedef struct job {
  const gscale_remote *r;
  const gscale_remote_call *c;
  double bytes;
  double wire;     /* rate of the wire, B/s */
  double into;     /* rate limit into the target, B/s, or INFINITY */
  double transfer; /* time of the adapter's transfer, s, or NaN */
  double asked;    /* time of a get's request, s */
  double chunk, chunks;
} job;

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
      .sharing = 1.0,
      .connections = 1.0,
      .word = 8.0,
      .stride = 1.0,
  };
}

static double into_gpu(const gscale_remote *r, bool far)
{
  if (far) return r->path.far_write;
  return r->path.write > 0.0 ? r->path.write : INFINITY;
}

double gscale_remote_rate(const gscale_remote *r, const gscale_remote_call *c)
{
  double rate;

  if (!call_is_sound(c)) return NAN;
  rate = r->path.rate / c->sharing;
  if (c->from == GSCALE_ON_GPU)
    rate = fmin(rate, c->far ? r->path.far_read : r->path.read);
  if (c->to == GSCALE_ON_GPU) rate = fmin(rate, into_gpu(r, c->far));
  return rate > 0.0 ? rate : NAN;
}

static job job_of(const gscale_remote *r, const gscale_remote_call *c)
{
  const double chunk = c->chunk > 0.0 ? c->chunk : r->stage.chunk;

  return (job){.r = r,
               .c = c,
               .bytes = c->bytes,
               .wire = r->path.rate / c->sharing,
               .into = into_gpu(r, c->far),
               .transfer = c->bytes / gscale_remote_rate(r, c),
               .asked = c->get ? r->path.latency : 0.0,
               .chunk = chunk,
               .chunks = fmax(1.0, ceil(c->bytes / chunk))};
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
    return NAN;
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

static bool can_stage(const job *j)
{
  return j->r->path.latency > 0.0 && j->r->path.rate > 0.0 &&
         j->r->stage.down > 0.0 && j->r->stage.up > 0.0 && j->chunk > 0.0;
}

/* The copy down, the wire and the copy up do not overlap. */
static gscale_message unpipelined(const job *j, double more)
{
  const gscale_remote *r = j->r;
  const double t = more + 2.0 * r->stage.start + j->bytes / r->stage.down +
                   r->path.latency + j->bytes / j->wire +
                   j->bytes / r->stage.up;

  if (!can_stage(j)) return no_message();
  return (gscale_message){.busy = t, .latency = t, .gap = t};
}

/* Sends a message in chunks through two or three stages.  The second stage
 * takes `each` more per chunk.  The host thread is busy with copies until the
 * last chunk is sent. */
static gscale_message in_chunks(const job *j, size_t stages, double each,
                                double second)
{
  const gscale_remote *r = j->r;
  const double copy = r->stage.copy, down = r->stage.down;
  const double start[] = {copy, each, copy};
  const double rate[] = {down, second, r->stage.up};
  gscale_message m = {.busy =
                          j->chunks * (copy + r->stage.query + r->path.post) +
                          j->bytes / down};

  if (!can_stage(j) || !(second > 0.0)) return no_message();
  m.latency = r->path.latency +
              gscale_pipeline(start, rate, stages, j->bytes, j->chunk);
  for (size_t k = 0; k < stages; k++)
    m.gap = fmax(m.gap, j->chunks * start[k] + j->bytes / rate[k]);
  return m;
}

static gscale_message later(gscale_message m, double by)
{
  m.busy += by;
  m.latency += by;
  m.gap += by;
  return m;
}

static gscale_message staged(const job *j)
{
  return unpipelined(j, 0.0);
}

static gscale_message staged_copies(const job *j)
{
  const double buffer = j->r->stage.buffer;

  return buffer > 0.0 ? unpipelined(j, 2.0 * j->bytes / buffer) : no_message();
}

static gscale_message pipelined(const job *j)
{
  return in_chunks(j, 3, j->r->stage.query + j->r->path.post, j->wire);
}

static gscale_message gpudirect(const job *j)
{
  const gscale_remote *r = j->r;

  if (!(r->path.latency > 0.0) || isnan(j->transfer)) return no_message();
  return (gscale_message){.busy = r->path.post,
                          .latency = j->asked + r->path.latency + j->transfer,
                          .gap = fmax(r->path.gap, j->transfer)};
}

static gscale_message gpi2(const job *j)
{
  return j->bytes <= j->r->stage.direct
             ? gpudirect(j)
             : in_chunks(j, 2, j->r->stage.query + j->r->path.post,
                         fmin(j->wire, j->into));
}

static gscale_message mpi(const job *j)
{
  const gscale_remote *r = j->r;

  return later(j->bytes <= r->stage.direct ? gpudirect(j) : pipelined(j),
               r->stage.match + 2.0 * r->path.latency);
}

static gscale_message mpi_manual(const job *j)
{
  return later(staged(j), j->r->stage.handshake);
}

static gscale_message mpi_manual_chunked(const job *j)
{
  return j->bytes <= j->chunk
             ? mpi_manual(j)
             : in_chunks(j, 3, j->r->stage.handshake + j->r->stage.query,
                         j->wire);
}

static gscale_message mpi_acc(const job *j)
{
  return j->bytes < j->chunk
             ? mpi_manual(j)
             : later(in_chunks(j, 3, j->r->stage.query, j->wire),
                     j->r->stage.handshake);
}

static gscale_message host_assisted(const job *j)
{
  const double assist = j->r->control.assist;
  gscale_message m = gpudirect(j);

  if (!(assist > 0.0) || isnan(m.latency)) return no_message();
  m.busy = 0.0;
  m.latency += assist;
  m.gap = fmax(assist + (j->c->connections - 1.0) * j->r->control.scan, m.gap);
  return m;
}

/* The costs of a GPU thread that drives the queues. */
typedef struct queue_costs {
  double post, poll, stamp, serial;
} queue_costs;

static queue_costs costs_of(const gscale_remote *r, gscale_place queues)
{
  return queues == GSCALE_ON_HOST
             ? (queue_costs){r->control.post_host, r->control.poll_host,
                             r->control.stamp_host, r->control.serial_host}
             : (queue_costs){r->control.post_gpu, r->control.poll_gpu,
                             r->control.stamp_gpu, 0.0};
}

/* The receiver of a put polls for the last byte, and a get ends with a
 * completion. */
static gscale_message put(const job *j, queue_costs q)
{
  const double n = j->c->connections, latency = j->r->path.latency;
  const double busy = q.post + (j->c->polled ? q.poll : 0.0);
  const double begun = j->c->get ? q.post : fmax(0.0, q.post - q.stamp);
  const double seen = j->c->get ? q.poll : j->r->control.watch;

  if (!(latency > 0.0) || !(q.post > 0.0) || isnan(j->transfer))
    return no_message();
  return (gscale_message){
      .busy = busy,
      .latency = begun + j->asked + latency + j->transfer + seen,
      .gap = fmax((busy + (n - 1.0) * q.serial) / n, j->transfer)};
}

static gscale_message put_ib(const job *j)
{
  return put(j, costs_of(j->r, j->c->queues));
}

static gscale_message nvshmem_ibgda(const job *j)
{
  queue_costs q = costs_of(j->r, GSCALE_ON_GPU);

  q.stamp = 0.0;
  return put(j, q);
}

static gscale_message put_rma(const job *j)
{
  const gscale_remote *r = j->r;
  const double there = j->asked + r->control.put + j->transfer;
  const double notify = j->c->notified ? r->control.notify : 0.0;

  if (!(r->control.put > 0.0) || isnan(there)) return no_message();
  if (j->c->get && !(r->path.latency > 0.0)) return no_message();
  return (gscale_message){.busy = notify,
                          .latency = there + notify,
                          .gap = there + r->control.notify / 2.0};
}

double gscale_remote_requests(const gscale_remote *r, double n, double word,
                              double stride, bool load)
{
  if (!is_time(n) || !(word > 0.0) || !(stride >= 1.0)) return NAN;
  if (load)
    return r->space.values >= 1.0 ? ceil(n * stride / r->space.values) : NAN;
  if (!(r->space.payload > 0.0)) return NAN;
  return stride > 1.0 ? n : ceil(n * word / r->space.payload);
}

/* Sends `bytes` in many requests.  The first request takes `first`, and each
 * later request takes the time of a packet on the wire, but at least
 * `least`. */
static gscale_message requests(const job *j, bool load, double bytes,
                               double first, double least)
{
  const gscale_remote *r = j->r;
  const double k = gscale_remote_requests(r, ceil(j->bytes / j->c->word),
                                          j->c->word, j->c->stride, load);
  const double each =
      fmax((bytes / fmax(1.0, k) + r->space.header) / r->space.rate, least);
  const double t = first + fmax(0.0, k - 1.0) * each;

  if (!(first > 0.0) || !(r->space.rate > 0.0) || isnan(k)) return no_message();
  return (gscale_message){.busy = k * each, .latency = t, .gap = k * each};
}

static gscale_message ggas(const job *j)
{
  return requests(j, false, j->bytes, j->r->space.store, 0.0);
}

static gscale_message ggas_load(const job *j)
{
  const gscale_remote *r = j->r;

  if (!(r->space.outstanding > 0.0)) return no_message();
  return requests(j, true, j->bytes * j->c->stride, r->space.load,
                  r->space.load / r->space.outstanding);
}

/* Methods that a paradigm can use come first, because gscale_knobs.between
 * is an index of these methods. */
static const struct {
  gscale_method is;
  gscale_message (*of)(const job *j);
} methods[] = {
    {{.name = "staged",
      .about = "copies in a node; staged by both hosts between nodes",
      .path = GSCALE_HOST_PATH},
     staged},
    {{.name = "gpudirect",
      .about = "copies in a node; RDMA on GPU memory between nodes",
      .path = GSCALE_GPU_PATH,
      .gets = true},
     gpudirect},
    {{.name = "gpi2",
      .about = "copies in a node; one-sided by hosts between nodes"},
     gpi2},
    {{.name = "mpi",
      .about = "copies in a node; two-sided, GPU-aware between nodes"},
     mpi},
    {{.name = "mpi-manual",
      .about = "copies in a node; copy, send, copy between nodes",
      .copies = true},
     mpi_manual},
    {{.name = "mpi-manual-chunked",
      .about = "copies in a node; a message per chunk between nodes"},
     mpi_manual_chunked},
    {{.name = "mpi-acc",
      .about = "copies in a node; pipelined packets between nodes"},
     mpi_acc},
    {{.name = "host-assisted",
      .about = "copies in a node; hosts post for GPUs between nodes",
      .device = true,
      .gets = true,
      .goes_on = true},
     host_assisted},
    {{.name = "put-ib",
      .about = "copies in a node; a GPU thread posts between nodes",
      .device = true,
      .gets = true,
      .goes_on = true},
     put_ib},
    {{.name = "put-rma",
      .about = "copies in a node; GPU descriptors between nodes",
      .device = true,
      .gets = true,
      .goes_on = true},
     put_rma},
    {{.name = "ggas",
      .about = "copies in a node; global stores between nodes",
      .device = true,
      .meets = true},
     ggas},
    {{.name = "nvshmem-ibgda",
      .about = "copies in a node; a warp posts between nodes",
      .device = true,
      .gets = true,
      .goes_on = true},
     nvshmem_ibgda},
    {{.name = "staged-copies"}, staged_copies},
    {{.name = "staged-pipelined"}, pipelined},
    {{.name = "ggas-load"}, ggas_load},
};

enum {
  METHODS = LENGTH(methods)
};

const gscale_method *gscale_method_at(size_t i)
{
  return i < METHODS ? &methods[i].is : NULL;
}

size_t gscale_method_find(const char *name)
{
  size_t i = 0;

  while (i < METHODS && strcmp(methods[i].is.name, name) != 0) i++;
  return i;
}

gscale_message gscale_remote_message(const gscale_remote *r, size_t method,
                                     const gscale_remote_call *c)
{
  if (method >= METHODS || !call_is_sound(c)) return no_message();
  if (c->get && !methods[method].is.gets) return no_message();
  const job j = job_of(r, c);
  gscale_message m = methods[method].of(&j);
  m.wire = m.gap;
  m.lead = NAN;
  m.rate = INFINITY;
  m.node_rate = m.messages = INFINITY;
  return m;
}

double gscale_message_time(const gscale_message *m, double bytes, double pairs,
                           double rails)
{
  const double node = pairs * bytes / fmin(m->node_rate, rails);

  if (!(pairs >= 1.0) || !(rails > 0.0) || isnan(m->latency)) return NAN;
  const double wire = m->wire + bytes / m->rate;
  return m->latency - wire +
         fmax(fmax(wire, node), (pairs - 1.0) / m->messages);
}

double gscale_message_rate(const gscale_message *m, double bytes, double pairs,
                           double rails)
{
  if (!(bytes > 0.0) || !(pairs >= 1.0) || !(rails > 0.0) || isnan(m->gap))
    return NAN;
  return fmin(fmin(pairs * bytes / m->gap, m->messages * bytes),
              fmin(m->node_rate, rails));
}

gscale_sent gscale_messages(const gscale_message *m, const gscale_sends *s,
                            double rails)
{
  const double nan = NAN, more = s->messages - 1.0;
  const double total =
      m->latency + gscale__max(0.0, more) * gscale__max(m->busy, m->gap);
  const double node = s->node_bytes / fmin(m->node_rate, rails);
  const double turns = s->node_messages / m->messages - more * m->busy;
  gscale_sent t;

  if (!(s->messages >= 0.0) || !(s->bytes >= 0.0) || !(rails > 0.0) ||
      isnan(total))
    return (gscale_sent){nan, nan, nan};
  if (!(s->messages > 0.0)) return (gscale_sent){0.0, 0.0, 0.0};
  t.post = fmin(total, s->messages * m->busy);
  t.transfer = fmin(total - t.post,
                    s->messages * m->wire + s->messages * s->bytes / m->rate);
  t.latency = isnan(m->lead) ? total - t.post - t.transfer : m->lead;
  t.transfer = fmax(fmax(t.transfer, node), fmax(turns, s->uplink / rails));
  return t;
}

double gscale_remote_switch(const gscale_remote *r, const gscale_remote_call *c)
{
  const job j = job_of(r, c);
  const double direct = gscale_remote_rate(r, c);
  const double saved =
      1.0 / direct - 1.0 / r->stage.down - 1.0 / fmin(j.wire, j.into);

  if (isnan(direct) || !can_stage(&j)) return NAN;
  return saved > 0.0 ? (r->stage.copy + r->stage.query) / saved : INFINITY;
}

double gscale_remote_atomic(const gscale_remote *r, size_t method,
                            gscale_place queues)
{
  const double there = 2.0 * r->path.latency;
  const queue_costs q = costs_of(r, queues);

  if (!(there > 0.0) || queues >= GSCALE_PLACE_END || method >= METHODS)
    return NAN;
  if (methods[method].of == gpudirect) return there;
  if (methods[method].of == host_assisted && r->control.assist > 0.0)
    return r->control.assist + there;
  if (methods[method].of == put_ib && q.post > 0.0 && q.poll > 0.0)
    return q.post + there + q.poll;
  return NAN;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
