/* common.c - pieces that several paradigms are made of. */

#include "internal.h"
#include "object.h"

#include <math.h>

double gscale__rate(const gscale_plan *p, gscale_access a)
{
  const bool copy = a == GSCALE_COPY;
  return p->p[GSCALE_LINK_RATE] *
         p->p[copy ? GSCALE_COPY_EFFICIENCY : GSCALE_STORE_EFFICIENCY] *
         p->p[copy ? GSCALE_COPY_ALL_ACTIVE : GSCALE_STORE_ALL_ACTIVE];
}

double gscale__issue(const gscale_plan *p, gscale_calls calls)
{
  const gscale_calls cost = {p->p[GSCALE_HOST_LAUNCH], p->p[GSCALE_HOST_COPY],
                             p->p[GSCALE_HOST_EVENT]};
  const gscale_calls crowd = {p->p[GSCALE_HOST_LAUNCH_CROWD],
                              p->p[GSCALE_HOST_COPY_CROWD], 0.0};
  return gscale_host_time(calls, cost, crowd, p->n, p->threads);
}

double gscale__issue_phase(const gscale_plan *p, const gscale__phase_plan *f,
                           gscale_calls calls)
{
  calls.launches += f->calls.launches;
  calls.copies += f->calls.copies;
  calls.events += f->calls.events;
  return gscale__issue(p, calls);
}

/* GPUs behind the busiest host thread. */
static double served(const gscale_plan *p)
{
  return ceil((double)p->n / p->threads);
}

double gscale__sync(const gscale_plan *p, double streams)
{
  const double waits = p->p[GSCALE_HOST_SYNC] + (streams * served(p) - 1.0) *
                                                    p->p[GSCALE_HOST_SYNC_MORE];
  if (p->threads == 1) return waits;
  return waits + p->p[GSCALE_HOST_BARRIER] +
         (p->threads - 2) * p->p[GSCALE_HOST_BARRIER_MORE];
}

void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__legs *out)
{
  *out = (gscale__legs){
      .compute = f->compute,
      .host = gscale__issue_phase(p, f, (gscale_calls){.launches = f->kernels}),
      .lead = gscale__issue(p, (gscale_calls){.launches = 1.0}),
      .sync = gscale__sync(p, 1.0),
      .ready = &f->ready,
      .away = f->away,
      .beside = 1.0,
  };
}

void gscale__prepare_compute(const gscale_plan *p, const gscale__phase_plan *f,
                             const gscale_knobs *k, gscale__legs *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
}

double gscale__device_compute(const gscale__legs *l, const double *on)
{
  return on[GSCALE_M_COMPUTE] * l->compute;
}

/* ---- bulk copies -------------------------------------------------------- */

bool gscale__staged(const gscale_plan *p)
{
  return p->can.peer == GSCALE_PEER_NONE;
}

const char *gscale__copies_need(const gscale_plan *p,
                                const gscale__phase_plan *f)
{
  if (f->to != GSCALE_TO_NONE && gscale__staged(p) &&
      !(p->p[GSCALE_STAGED_RATE] > 0.0 && p->p[GSCALE_STAGED_INITIATION] > 0.0))
    return "staged.rate and staged.initiation of the system, whose can.peer is "
           "'none'";
  return NULL;
}

/* Copies of the busiest stream, one after the other. */
static double queued(const gscale_plan *p, const gscale__phase_plan *f)
{
  return f->copies * served(p) / p->streams;
}

/* By way of the host's memory: down to it from one GPU, up to the other, the
 * driver moving both at once but for what fills the first buffer:
 *
 *   one piece = initiation + min(bytes, buffer) / rate
 *               + bytes max( 1 / (rate active), GPUs that copy / host )
 *
 * with `host` what the host's memory takes of all together, and for the GPUs
 * that copy all their bytes over those of the busiest.
 *
 * What the host's port adds to useful bytes is in its measured rate. */
static void staged_copies(const gscale_plan *p, const gscale__phase_plan *f,
                          double pieces, gscale__legs *out)
{
  const double rate = p->p[GSCALE_STAGED_RATE];
  const double active = rate * p->p[GSCALE_STAGED_ALL_ACTIVE];
  const double host = f->all / f->out / p->p[GSCALE_STAGED_HOST]; /* s/B */
  const double first = fmin(f->copy, pieces * p->p[GSCALE_STAGED_BUFFER]);

  out->wire = f->out * f->over * gscale__max(f->copy_route / active, host);
  out->queue =
      queued(p, f) *
      (f->copy * gscale__max(f->alone_route / active, host) + first / rate);
  out->initiation = queued(p, f) * p->p[GSCALE_STAGED_INITIATION];
  out->latency = p->p[GSCALE_STAGED_LATENCY];
  out->moved.protocol = 0.0;
}

static void peer_copies(const gscale_plan *p, const gscale__phase_plan *f,
                        gscale__legs *out)
{
  const double rate = gscale__rate(p, GSCALE_COPY);
  const double wire = gscale_wire_bytes(&p->link, GSCALE_COPY, f->copy, false);
  const double ratio = wire / f->copy;
  const double longer = gscale__copies_meet(p, f, p->streams > 1);

  out->wire = longer * f->out * f->over * f->copy_route * ratio / rate;
  out->queue = longer * queued(p, f) * f->alone_route * wire / rate;
  out->initiation = queued(p, f) * p->p[GSCALE_COPY_INITIATION];
  out->latency = p->p[GSCALE_COPY_LATENCY];
  out->moved.protocol = f->all * f->over * (ratio - 1.0);
}

void gscale__copies(const gscale_plan *p, const gscale__phase_plan *f,
                    double pieces, gscale__legs *out)
{
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (f->over - f->read);
  if (gscale__staged(p))
    staged_copies(p, f, pieces, out);
  else
    peer_copies(p, f, out);
}

void gscale__last_of(const gscale_plan *p, const gscale__phase_plan *f,
                     double pieces, gscale__legs *out)
{
  const double initiation = p->p[gscale__staged(p) ? GSCALE_STAGED_INITIATION
                                                   : GSCALE_COPY_INITIATION];

  out->last = (gscale__last_copy){.initiation = initiation,
                                  .wire = out->queue / queued(p, f) / pieces};
}

void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__legs *out)
{
  const gscale_param_id same =
      f->atomic ? GSCALE_ATOMIC_SAME : GSCALE_STORE_SAME;

  out->wire = gscale__accesses_meet(p, f, same) * f->out * rewrites *
              f->store_route * ratio / gscale__rate(p, GSCALE_STORE);
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (1.0 - f->read);
  out->moved.redundant = f->all * (rewrites - 1.0);
  out->moved.protocol = f->all * rewrites * (ratio - 1.0);
}

void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__legs *out)
{
  const double packed = fmin(p->link.store_payload, f->piece);
  const double wire = gscale_wire_bytes(&p->link, GSCALE_STORE, packed, false);

  gscale__stores(p, f, wire / packed, 1.0, out);
}

double gscale__threads(const gscale_plan *p)
{
  return p->p[GSCALE_DEVICE_SMS] * p->p[GSCALE_DEVICE_THREADS];
}

double gscale__warps(const gscale_plan *p)
{
  return gscale__threads(p) / 32.0;
}

double gscale__slots(const gscale_plan *p)
{
  const double block = 256.0; /* threads */
  return gscale__threads(p) / block;
}

/* A block that counts stays for a fence and an atomic longer.  Where the memory
 * is busy others fill the time, and little is lost (`track`); where blocks
 * wait, each place passes through all its blocks that much later (`hold`).
 *
 * It also ends with a barrier.  Warps that are done leave their places to
 * others, unless they wait for the block's longest thread: then each place of a
 * block takes `stay` for each of its blocks, at least. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double width)
{
  const double taken = width / gscale__threads(p);
  const double blocks = f->local / f->block;
  const double slowed =
      gscale__max(f->flop_leg / (1.0 - taken), f->memory_leg) + f->start;
  const double filled = blocks / gscale__slots(p) * f->stay;
  const double held =
      (1.0 - f->busy) * p->p[GSCALE_AGENT_HOLD] / gscale__slots(p);

  return gscale__max(slowed, filled) - f->compute +
         blocks * (p->p[GSCALE_AGENT_TRACK] + held);
}

/* Of the loads that a GPU makes of words of others, those that miss its SMs'
 * caches.  Each SM makes its part, l, anywhere among the s words that the GPU
 * needs; of s in cache it would miss only the first of each,
 *
 *   s (1 - exp(-l/s))   (Poisson)
 *
 * and it keeps the share of s that has room. */
static double missed(const gscale_plan *p, const gscale__phase_plan *f,
                     double loads)
{
  const double bytes = f->in * f->read, words = bytes / f->fetch;
  const double l = loads / p->p[GSCALE_DEVICE_SMS];

  if (!(words > 0.0)) return loads;
  const double kept = fmin(1.0, p->p[GSCALE_DEVICE_L1] / bytes);
  const double first = words * -expm1(-l / words);
  return gscale__max(0.0, loads - p->p[GSCALE_DEVICE_SMS] * kept * (l - first));
}

/* Loads of one GPU that other GPUs answer. */
static double remote_loads(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double others = (p->n - 1.0) * f->share;

  if (!(f->loads > 0.0)) return f->in * f->read / f->fetch;
  return missed(p, f, f->loads / p->n * others / (1.0 + others));
}

/* s of one load, of all GPUs at once: its reader's, or its owner's. */
static double load_each(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double rate = p->p[GSCALE_LOAD_RATE] * p->p[GSCALE_LOAD_ALL_ACTIVE];

  return gscale__max(gscale__accesses_meet(p, f, GSCALE_STORE_SAME_SMALL) /
                         rate,
                     gscale__ingress(p, f));
}

/* A load's request is a header; its answer comes as a store would go.  Each
 * warp of the reader waits for one load: so many are on their way at once. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__legs *out)
{
  const double answer =
      gscale_wire_bytes(&p->link, GSCALE_STORE, f->fetch, false);
  const double request = p->link.header * p->link.frame;
  const double rate = p->p[GSCALE_LINK_RATE] * p->p[GSCALE_LOAD_EFFICIENCY] *
                      p->p[GSCALE_STORE_ALL_ACTIVE];
  const double loads = remote_loads(p, f);
  const double fetched = loads * f->fetch / f->in; /* per byte that arrives */
  const double useful = f->all * fmin(f->read, fetched);

  out->wire = gscale__accesses_meet(p, f, GSCALE_LOAD_SAME) * loads *
              (answer + request) * f->out * f->store_route / f->in / rate;
  out->issue = loads * gscale__max(p->p[GSCALE_LOAD_LATENCY] / gscale__warps(p),
                                   load_each(p, f));
  out->latency = p->p[GSCALE_LOAD_LATENCY];
  out->far = f->wait;
  out->moved.useful = useful;
  out->moved.redundant = gscale__max(0.0, f->all * fetched - useful);
  out->moved.protocol =
      f->all * fetched * (answer + request - f->fetch) / f->fetch;
}

/* Of a kernel's own stores or loads: their bytes, or their number. */
static double accesses(const gscale__legs *l, const double *on)
{
  return gscale__max(on[GSCALE_M_BANDWIDTH] * l->wire,
                     on[GSCALE_M_ISSUE] * l->issue);
}

double gscale__beside(const gscale__legs *l, const double *on)
{
  const double compute =
      on[GSCALE_M_COMPUTE] * l->compute + on[GSCALE_M_LATENCY] * l->far;
  const double transfer = accesses(l, on);

  return (1.0 - l->away) * compute + gscale__max(l->away * compute, transfer) +
         on[GSCALE_M_LATENCY] * l->latency;
}

double gscale__storing(const gscale__legs *l, const double *on)
{
  const double compute =
      on[GSCALE_M_COMPUTE] * l->compute + on[GSCALE_M_BANDWIDTH] * l->slowdown;
  const double transfer = accesses(l, on);

  return gscale_overlap_stores(l->ready, compute, transfer, l->ahead) +
         on[GSCALE_M_TAIL] * l->burst * fmin(compute, transfer) +
         on[GSCALE_M_LATENCY] * l->latency;
}

double gscale__bulk(const gscale__legs *l, const double *on)
{
  const double in_a_row = on[GSCALE_M_INITIATION] * l->initiation +
                          on[GSCALE_M_BANDWIDTH] * l->queue;
  return gscale__max(on[GSCALE_M_BANDWIDTH] * l->wire, in_a_row);
}

/* What holds up a chunk: the wire, and whoever moves it, who first notices it
 * and then copies; threads do one after the other, `worker`. */
typedef struct pace {
  double wire, own; /* s per chunk */
} pace;

static pace pace_of(const gscale__legs *l, const double *on, double slower)
{
  const double share = l->chunk / l->bytes;
  const double wire = on[GSCALE_M_BANDWIDTH] * gscale__max(l->wire, l->queue);
  const double issue = slower * on[GSCALE_M_ISSUE] * l->issue;
  const double gap = slower * on[GSCALE_M_INITIATION] * l->initiation;

  return (pace){share * wire, l->worker ? gap + share * issue
                                        : gscale__max(gap, share * issue)};
}

/* How many times longer a chunk takes while compute keeps the memory busy. */
static double slower_beside(const gscale__legs *l, const double *on)
{
  if (!(l->beside > 1.0)) return 1.0;
  const pace alone = pace_of(l, on, 1.0), beside = pace_of(l, on, l->beside);
  const double quick = gscale__max(alone.wire, alone.own);

  return quick > 0.0 ? gscale__max(beside.wire, beside.own) / quick : 1.0;
}

/* Time of all chunks, were they ready at once. */
static double after(const gscale_pipe *pipe, const gscale__legs *l)
{
  const double chunks = ceil(l->bytes / l->chunk);
  const double last = l->bytes - (chunks - 1.0) * l->chunk;

  return (chunks - 1.0) * gscale__max(pipe->gap, l->chunk / pipe->bandwidth) +
         last / pipe->bandwidth;
}

/* Whatever moves bytes beside compute slows it, but only while both last: where
 * the pipe is what ends last, most bytes move when compute has ended.  So the
 * pipe is taken beside compute alone, and compute with all that it can lose
 * ends before the last chunk does:
 *
 *   max( pipe beside compute, compute + slowdown + last chunk ) + latency
 *
 * While compute keeps the memory busy the pipe takes `slower` times as long. On
 * a clock that is so many times slower then, the pipe is as fast as alone, and
 * compute lasts that much less: what is left when it ends follows as if alone.
 */
double gscale__overlapped(const gscale__legs *l, const double *on)
{
  const double compute =
      on[GSCALE_M_COMPUTE] * l->compute + on[GSCALE_M_TRACKING] * l->tracking;
  const double slowed = compute + on[GSCALE_M_BANDWIDTH] * l->slowdown;
  const double moving = on[GSCALE_M_ISSUE] * l->issue;
  const double transfer = gscale__max(
      on[GSCALE_M_BANDWIDTH] * gscale__max(l->wire, l->queue), moving);
  const double gap = on[GSCALE_M_INITIATION] * l->initiation +
                     (l->worker ? moving * l->chunk / l->bytes : 0.0);
  const double tail = on[GSCALE_M_TAIL];
  const double latency = on[GSCALE_M_LATENCY] * l->latency;

  if (!(l->bytes > 0.0)) return slowed;
  if (transfer == 0.0 && gap == 0.0 && tail == 0.0) return slowed + latency;

  const double busy = on[GSCALE_M_COMPUTE] * l->busy;
  const double own = compute - busy * (1.0 - 1.0 / slower_beside(l, on));
  const gscale_pipe pipe = {0.0, gap, l->bytes / transfer, l->serial};
  const double last = fmin(l->chunk, l->bytes) / pipe.bandwidth;
  double end = 0.0;
  if (tail < 1.0)
    end = (1.0 - tail) *
          gscale_overlap_cutthrough(&pipe, l->ready, own, l->bytes, l->chunk);
  if (tail > 0.0)
    end += tail * gscale_overlap_time(&pipe, l->ready, own, l->bytes, l->chunk);
  if (l->held > 0.0) end = gscale__max(end, l->held * own + after(&pipe, l));
  return gscale__max(compute + (end - own), slowed + tail * last) + latency;
}
