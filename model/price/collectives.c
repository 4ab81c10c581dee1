/* collectives.c - a system's parameters as what collectives are made by.
 *
 * LL sends a flag of 4 B with every 4 B, LL128 one of 8 B in every 128 B
 * [Nccl].  Adding up reads two numbers and writes one. */

#include "price/collectives.h"

#include "equation/fabric.h"

#include <math.h>

double gscale__coll_goodput(const gscale_link *l)
{
  const double many = 1048576.0; /* B: whole packets */

  return gscale_goodput(l, GSCALE_STORE, many, false);
}

/* Useful B / B sent: flags go along. */
static const double payload[GSCALE_COLL_PROTOCOL_END] = {
    [GSCALE_COLL_LL] = 4.0 / 8.0,
    [GSCALE_COLL_LL128] = 120.0 / 128.0,
    [GSCALE_COLL_SIMPLE] = 1.0};

gscale_coll_machine gscale__coll_machine(const double *p, double goodput,
                                         int node, int rails)
{
  const double formatted = p[GSCALE_LINK_RATE] * goodput;

  return (gscale_coll_machine){
      .start = p[GSCALE_COLL_START],
      .by = {[GSCALE_COLL_LL] = {0.0, p[GSCALE_COLL_STEP],
                                 p[GSCALE_COLL_LL_RATE],
                                 payload[GSCALE_COLL_LL]},
             [GSCALE_COLL_LL128] = {0.0, p[GSCALE_COLL_FLAG_STEP],
                                    p[GSCALE_COLL_LL128_RATE],
                                    payload[GSCALE_COLL_LL128]},
             [GSCALE_COLL_SIMPLE] = {p[GSCALE_COLL_SIMPLE_START],
                                     p[GSCALE_COLL_FLAG_STEP], (double)INFINITY,
                                     payload[GSCALE_COLL_SIMPLE]}},
      .link = formatted * p[GSCALE_COLL_EFFICIENCY],
      .pair_start = p[GSCALE_COLL_PAIR_START],
      .channel = p[GSCALE_COLL_CHANNEL],
      .channels = p[GSCALE_COLL_CHANNELS],
      .in_switch = formatted * p[GSCALE_COLL_SWITCH],
      .add = p[GSCALE_DEVICE_MEMBW] / 3.0,
      .node = node,
      .net = {.start = p[GSCALE_COLL_NET_START],
              .step = p[GSCALE_COLL_NET_STEP],
              .rate = rails > 0 ? p[GSCALE_COLL_NET_RATE] : 0.0,
              .cards = rails > 0 ? fmin(rails, node) : 1.0},
  };
}

/* ---- routes -------------------------------------------------------------- */

static double busiest(const gscale_system *s, const gscale_demand *d)
{
  return gscale__busiest(&s->fabric, d, s->param[GSCALE_LINK_DUPLEX].val,
                         gscale__across(s, GSCALE_STORE));
}

/* Each GPU sends a byte to the next one. */
static double route_ring(const gscale_system *s, int n,
                         gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .pairs = (size_t)n, .pair = room->pair};

  for (int i = 0; i < n; i++)
    room->pair[i] = (gscale_pair){i, (i + 1) % n, 1.0};
  return fmax(1.0, busiest(s, &d));
}

/* Each GPU sends a byte to all others. */
static double route_all(const gscale_system *s, int n,
                        gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .out = room->out, .in = room->in};

  for (int i = 0; i < n; i++) room->out[i] = room->in[i] = 1.0;
  return fmax(1.0, busiest(s, &d) / (n - 1.0));
}

/* In a mesh the library builds its rings along the links there are, all of
 * which it uses. */
void gscale__coll_place(gscale_plan *p, const gscale_system *s, int n,
                        gscale__traffic_room *room)
{
  p->node = s->gpus;
  p->ring_route = p->all_route = 1.0;
  if (n > s->gpus && s->network.nodes > 0) n = s->gpus;
  if (n < 2) return;
  if (s->fabric.kind != GSCALE_MESH) p->ring_route = route_ring(s, n, room);
  p->all_route = route_all(s, n, room);
}

/* ---- of a phase -----------------------------------------------------------
 */

/* A halo goes to both neighbours in one group of sends; what has one reader, or
 * some, to all in parts. */
void gscale__coll_fill(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  f->coll.kind = GSCALE_COLL_ALL_TO_ALL;
  f->coll.bytes = f->out * n / (n - 1.0);
  if (w->reduce > 0.0) {
    f->coll.kind = GSCALE_COLL_ALL_REDUCE;
    f->coll.bytes = w->reduce;
  } else if (w->to == GSCALE_TO_ALL) {
    f->coll.kind = GSCALE_COLL_ALL_GATHER;
    f->coll.bytes = n * f->local;
  } else if (w->to == GSCALE_TO_NEIGHBOURS) {
    f->coll.kind = GSCALE_COLL_SEND_RECV;
    f->coll.bytes = f->out;
  }
}

/* ---- of a plan ------------------------------------------------------------
 */

/* Whether gscale_coll_best() looks at what a parameter makes of the machine. */
static bool concerns(const gscale_plan *p, gscale_coll_kind kind,
                     gscale_param_id id)
{
  const bool pairs =
      kind == GSCALE_COLL_ALL_TO_ALL || kind == GSCALE_COLL_SEND_RECV;

  switch (id) {
  case GSCALE_COLL_PAIR_START:
  case GSCALE_COLL_CHANNEL:
  case GSCALE_COLL_CHANNELS:
    return pairs;
  case GSCALE_COLL_SWITCH:
    return !pairs;
  case GSCALE_COLL_NET_START:
  case GSCALE_COLL_NET_STEP:
  case GSCALE_COLL_NET_RATE:
    return p->rails > 0 && p->n > p->node;
  default:
    return true;
  }
}

static gscale_coll_machine machine_of(const gscale_plan *p,
                                      gscale_coll_kind kind)
{
  gscale__ask(p, GSCALE_LINK_RATE);
  if (kind != GSCALE_COLL_ALL_TO_ALL && kind != GSCALE_COLL_SEND_RECV &&
      kind != GSCALE_COLL_ALL_GATHER && kind != GSCALE_COLL_BROADCAST)
    gscale__ask(p, GSCALE_DEVICE_MEMBW); /* it adds up */
  for (int id = GSCALE_COLL_START; p->asked && id <= GSCALE_COLL_NET_RATE; id++)
    if (concerns(p, kind, (gscale_param_id)id))
      gscale__ask(p, (gscale_param_id)id);
  return gscale__coll_machine(p->value, p->goodput, p->node, p->rails);
}

gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by)
{
  const gscale_coll_machine m = machine_of(p, kind);
  const gscale_coll_call c = {kind,          p->n,         bytes,
                              p->ring_route, p->all_route, false};

  return gscale_coll_best(&m, &c, a, by);
}

gscale_bytes gscale__coll_moved(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k)
{
  const double useful =
      p->n * gscale_coll_traffic(kind, k->algorithm, p->n) * bytes;
  gscale_bytes b = {0};

  if (!(useful > 0.0)) return b;
  b.useful = useful;
  b.protocol = useful / payload[k->protocol] / p->goodput - useful;
  b.wire = b.useful + b.protocol;
  return b;
}

gscale_coll_choice gscale__coll_of(const gscale_plan *p,
                                   const gscale__phase_plan *f,
                                   const gscale_knobs *k)
{
  const bool by_algorithm = k && k->algorithm > 0;
  const bool by_protocol = k && k->protocol > 0;

  return gscale_plan_collective(
      p, f->coll.kind, f->coll.bytes,
      by_algorithm ? (gscale_coll_algorithm)(k->algorithm - 1)
                   : GSCALE_COLL_ALGORITHM_END,
      by_protocol ? (gscale_coll_protocol)(k->protocol - 1)
                  : GSCALE_COLL_PROTOCOL_END);
}

gscale_coll_choice gscale_plan_moves(const gscale_plan *p, size_t phase,
                                     const gscale_knobs *k,
                                     gscale_coll_kind *kind, double *bytes)
{
  const bool there = phase < p->phases && p->n > 1 &&
                     p->phase[phase].coll.kind < GSCALE_COLL_KIND_END;

  *kind = there ? p->phase[phase].coll.kind : GSCALE_COLL_KIND_END;
  *bytes = there ? p->phase[phase].coll.bytes : 0.0;
  if (!there)
    return (gscale_coll_choice){.algorithm = GSCALE_COLL_ALGORITHM_END,
                                .protocol = GSCALE_COLL_PROTOCOL_END,
                                .total = (double)NAN};
  return gscale__coll_of(p, &p->phase[phase], k);
}
