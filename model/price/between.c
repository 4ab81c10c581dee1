/* between.c - messages between nodes, and the methods that send them.
 *
 * The host launches the kernels and copies inside the node.  When the kernels,
 * or only the boundary's kernel (memcpy-async), have ended, the host posts all
 * messages and waits for them.  A device method sends from the kernel, or from
 * the boundary's kernel, and that kernel ends when all data has arrived.
 *
 * A program may let messages be late (host.late).  Late messages go one after
 * the other in a separate stream and overlap the kernels of the next phase.
 * The host launches the next kernels, waits for earlier messages and posts new
 * messages.  A program that stages its own copies issues the copies before the
 * launch.  In a device method, a kernel of one thread runs between two kernels:
 * this kernel waits for earlier messages, posts new messages and polls.  The
 * kernels themselves still issue stores.
 *
 * A barrier of all GPUs tells receivers that stores have arrived.  The model
 * omits messages that arrive out of order. */

#include "price/between.h"

#include "ground/ground.h"

#include <string.h>

/* ---- messages ------------------------------------------------------------ */

static double cards(const gscale_plan *p)
{
  return p->rails / p->sharing;
}

double gscale__rails(const gscale_plan *p, double bytes)
{
  return cards(p) * gscale__ask(p, GSCALE_NETWORK_RATE) *
         gscale__ask(p, GSCALE_NETWORK_EFFICIENCY) *
         gscale_goodput(&p->net, GSCALE_COPY, bytes, false);
}

/* Limits messages to the rate of the NICs and uplinks.  Measured rates of
 * remote messages include all overheads, but a system may state higher
 * rates. */
static gscale_sent past_cards(const gscale_plan *p, const gscale_sends *s,
                              gscale_sent t)
{
  const double rate = cards(p) * gscale__ask(p, GSCALE_NETWORK_RATE);
  const double least = fmax(s->node_bytes, s->uplink) / rate;

  t.transfer += fmax(0.0, least - (t.post + t.latency + t.transfer));
  return t;
}

/* All messages of a phase have the same length. */
static gscale_sends sends_of(const gscale_plan *p, const gscale__phase_plan *f)
{
  const gscale__leaving_nodes *l = &f->far;

  return (gscale_sends){.messages = l->messages,
                        .bytes = f->over * l->out / l->messages,
                        .node_messages = l->node_messages,
                        .node_bytes = f->over * l->node_bytes,
                        .uplink = f->over * l->leaf_bytes /
                                  gscale__ask(p, GSCALE_NETWORK_TAPER)};
}

/* Limits a path to the rate at which NICs read GPU memory. */
static void limit_reads(const gscale_plan *p, gscale_path *path)
{
  const double read = gscale__ask(p, GSCALE_NETWORK_READ);
  gscale_regime *const each[] = {&path->below, &path->above};

  for (size_t i = 0; i < 2; i++) {
    each[i]->rate = fmin(each[i]->rate, read);
    each[i]->node_rate = fmin(each[i]->node_rate, cards(p) * read);
  }
}

gscale_path gscale__gpudirect(const gscale_plan *p)
{
  gscale_path path = gscale__read_path(p->source, GSCALE_GPUDIRECT_OVERHEAD);

  limit_reads(p, &path);
  return path;
}

/* ---- methods ------------------------------------------------------------- */

const gscale_method *gscale_between_at(size_t i)
{
  const gscale_method *m = gscale_method_at(i);

  return m && m->about ? m : NULL;
}

size_t gscale__between_find(const char *name)
{
  size_t i = 0;

  while (gscale_between_at(i) && strcmp(gscale_between_at(i)->name, name) != 0)
    i++;
  return i;
}

/* Returns the message of a GPU that shares the node's NICs.  Stores of `word`
 * B, less than a packet, are not contiguous, so that each store is a packet. */
static gscale_message remote_message(const gscale_plan *p, size_t method,
                                     double bytes, double word)
{
  gscale_remote_call c = gscale_remote_call_of(bytes);

  if (word < p->remote.space.payload) c.word = word, c.stride = 2.0;
  c.sharing = fmax(1.0, p->near / cards(p));
  c.polled = c.notified = true;
  return gscale_remote_message(&p->remote, method, &c);
}

const char *gscale__between_needs(const gscale_plan *p, size_t method)
{
  switch (gscale_between_at(method)->path) {
  case GSCALE_GPU_PATH:
    return gscale__ask(p, GSCALE_GPUDIRECT_RATE) > 0.0
               ? NULL
               : "gpudirect.rate of the system";
  case GSCALE_HOST_PATH:
    return gscale__ask(p, GSCALE_HOSTPATH_RATE) > 0.0
               ? NULL
               : "hostpath.rate of the system";
  case GSCALE_NO_PATH:
    break;
  }
  return isnan(remote_message(p, method, 1.0, 1.0).latency)
             ? "its numbers in `remote` of the system"
             : NULL;
}

/* Adds the copies down to the host and up again, each for all messages of the
 * phase ([Oden14] 3.2.1, without pipelining).  All GPUs of the node copy at
 * once, and no data goes down while data goes up. */
static void add_legs(const gscale_plan *p, const gscale__phase_plan *f,
                     double messages, gscale_sent *t)
{
  const double rate = gscale__ask(p, GSCALE_STAGED_PINNED);
  const double host = f->far.node_bytes / gscale__ask(p, GSCALE_STAGED_HOST);

  t->post += messages * (gscale__ask(p, GSCALE_HOST_D2H) +
                         gscale__ask(p, GSCALE_HOST_H2D)) +
             2.0 * gscale__ask(p, GSCALE_HOST_SYNC);
  t->latency += 2.0 * gscale__ask(p, GSCALE_COPY_INITIATION);
  t->transfer += 2.0 * f->over * gscale__max(f->far.out / rate, host);
}

static gscale_sent sent_by(const gscale_plan *p, const gscale_path *path,
                           const gscale_sends *s)
{
  const gscale_message m = gscale_path_message(path, s->bytes);

  return gscale_messages(&m, s, gscale__rails(p, s->bytes));
}

static double sum_of(const gscale_sent *t)
{
  return t->post + t->latency + t->transfer;
}

/* Returns the time of the phase's messages if f->far.out > 0.  A short message
 * takes no longer than a long one, since one byte more makes a short one
 * long. */
static gscale_sent send(const gscale_plan *p, const gscale__phase_plan *f,
                        size_t method, const gscale_sends *s)
{
  const gscale_path_kind by = gscale_between_at(method)->path;
  gscale_path path;
  gscale_sent t;

  if (by == GSCALE_NO_PATH) {
    const gscale_message m = remote_message(p, method, s->bytes, f->store_size);
    t = gscale_messages(&m, s, INFINITY);
    return past_cards(p, s, t);
  }
  path = by == GSCALE_GPU_PATH
             ? gscale__gpudirect(p)
             : gscale__read_path(p->source, GSCALE_HOSTPATH_OVERHEAD);
  t = sent_by(p, &path, s);
  if (s->bytes < path.from) {
    path.from = 0.0;
    const gscale_sent long_ones = sent_by(p, &path, s);
    if (sum_of(&long_ones) < sum_of(&t)) t = long_ones;
  }
  if (by == GSCALE_HOST_PATH) add_legs(p, f, s->messages, &t);
  return t;
}

/* Returns the time in s of copies down and up in the kernels' stream. */
static double staging(const gscale_plan *p, const gscale_sends *s)
{
  const gscale_remote *r = &p->remote;

  return s->messages * (2.0 * r->stage.start + s->bytes / r->stage.down +
                        s->bytes / r->stage.up);
}

void gscale__add_internode(const gscale_plan *p, const gscale__phase_plan *f,
                           size_t method, gscale__stage *out)
{
  const gscale_method *w = gscale_between_at(method);
  const double sent = f->far.all * f->over;

  if (!w || !(f->far.out > 0.0)) return;
  const gscale_sends s = sends_of(p, f);
  out->far = send(p, f, method, &s);
  if (w->copies) out->staging = fmin(out->far.post, staging(p, &s));
  if (w->meets)
    out->far.latency += gscale_remote_barrier(&p->remote, p->n, false);
  out->by_device = w->device;
  out->goes_on = w->goes_on;
  out->moved.useful += f->far.all * f->read;
  out->moved.unused += f->far.all * (f->over - f->read);
  out->moved.protocol +=
      sent / gscale_goodput(&p->net, GSCALE_COPY, s.bytes, false) - sent;
}

double gscale__node_barrier(const gscale_plan *p)
{
  if (p->nodes < 2) return 0.0;
  return gscale__ask(p, GSCALE_NETWORK_BARRIER) *
             gscale_network_depth(p->nodes) +
         gscale_network_straggle(gscale__ask(p, GSCALE_NETWORK_JITTER),
                                 p->nodes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
