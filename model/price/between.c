/* between.c - what leaves a node: the methods there are, and their messages.
 *
 *   host     launch; (copies inside the node); when the kernels have ended, or
 *            the one that makes the boundary (memcpy-async), post all messages,
 *            wait for all
 *   device   the kernel sends, or the one of the boundary; it ends when all has
 *            arrived
 *
 * If the program lets them be late (host.late), in a stream of their own, one
 * after the other, beside the kernels of the next phase:
 *
 *   host     when the kernels have ended launch the next; wait for the messages
 *            before; post these; but what a program copies itself, down and up,
 *            it copies before it launches
 *   device   launch; when the messages before have arrived a kernel of one
 *            thread between these and the next ones posts and polls, and the
 *            message goes beside; but stores are made by the kernels themselves
 *
 * Who is stored to learns of it by a barrier of all GPUs.
 *
 * Omits: a GPU whose messages are received in another order than they were
 * sent. */

#include "price/between.h"

#include "ground/ground.h"

#include <string.h>

/* ---- messages ------------------------------------------------------------ */

/* What a node has of them. */
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

/* What the bytes of a node, and of its uplinks, take at least: the rates of
 * remote messages are measured with all that costs, but may be set above those
 * of the cards. */
static gscale_sent past_cards(const gscale_plan *p, const gscale_sends *s,
                              gscale_sent t)
{
  const double rate = cards(p) * gscale__ask(p, GSCALE_NETWORK_RATE);
  const double least = fmax(s->node_bytes, s->uplink) / rate;

  t.transfer += fmax(0.0, least - (t.post + t.latency + t.transfer));
  return t;
}

/* Messages of a phase, which are all as long. */
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

/* Cards read the memory of GPUs, and no faster than they can. */
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

const gscale_method *gscale__between_at(size_t i)
{
  const gscale_method *m = gscale_method_at(i);

  return m && m->about ? m : NULL;
}

size_t gscale__between_find(const char *name)
{
  size_t i = 0;

  while (gscale__between_at(i) &&
         strcmp(gscale__between_at(i)->name, name) != 0)
    i++;
  return i;
}

/* One of GPUs that share the node's cards; in each step anew.  Stores smaller
 * than a packet, of `word` B each, are not next to one another: each is one. */
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
  switch (gscale__between_at(method)->path) {
  case GSCALE_GPU_PATH:
    return gscale__ask(p, GSCALE_GPUDIRECT_RATE) > 0.0
               ? NULL
               : "gpudirect.rate of the system";
  case GSCALE_HOST_PATH:
    if (!(gscale__ask(p, GSCALE_HOSTPATH_RATE) > 0.0))
      return "hostpath.rate of the system";
    return gscale__ask(p, GSCALE_STAGED_RATE) > 0.0
               ? NULL
               : "staged.rate of the system";
  case GSCALE_NO_PATH:
    break;
  }
  return isnan(remote_message(p, method, 1.0, 1.0).latency)
             ? "its numbers in `remote` of the system"
             : NULL;
}

/* Down to the host before and up behind, each for all messages of the phase
 * ([Oden14] 3.2.1, without pipelining).  All GPUs of the node copy at once;
 * what arrives goes up while nothing goes down. */
static void add_legs(const gscale_plan *p, const gscale__phase_plan *f,
                     double messages, gscale_sent *t)
{
  const double rate = gscale__ask(p, GSCALE_STAGED_RATE) *
                      gscale__ask(p, GSCALE_STAGED_ALL_ACTIVE);
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

/* What the phase's messages take: f->far.out is not 0.  A row of messages that
 * is sooner there as long ones takes no longer: a byte more, and they are. */
static gscale_sent send(const gscale_plan *p, const gscale__phase_plan *f,
                        size_t method, const gscale_sends *s)
{
  const gscale_path_kind by = gscale__between_at(method)->path;
  gscale_path path;
  gscale_sent t;

  if (by == GSCALE_NO_PATH) {
    const gscale_message m = remote_message(p, method, s->bytes, f->store_size);
    t = gscale_messages(&m, s, (double)INFINITY);
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

/* Copies down and up, in the stream of the kernels. */
static double staging(const gscale_plan *p, const gscale_sends *s)
{
  const gscale_remote *r = &p->remote;

  return s->messages * (2.0 * r->stage.start + s->bytes / r->stage.down +
                        s->bytes / r->stage.up);
}

void gscale__add_far(const gscale_plan *p, const gscale__phase_plan *f,
                     size_t method, gscale__stage *out)
{
  const gscale_method *w = gscale__between_at(method);
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

double gscale__meeting(const gscale_plan *p)
{
  if (p->nodes < 2) return 0.0;
  return gscale__ask(p, GSCALE_NETWORK_BARRIER) *
             gscale_network_depth(p->nodes) +
         gscale_network_straggle(gscale__ask(p, GSCALE_NETWORK_JITTER),
                                 p->nodes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
