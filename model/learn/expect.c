/* expect.c - what a measured collective should take on a system, and how sure
 * that is. */

#include "learn/recipe/lines.h"
#include "price/collectives.h"

#include <math.h>
#include <string.h>

static bool kind_of(const gscale_measurement *r, gscale_coll_kind *kind)
{
  for (size_t i = 0; i < GSCALE__COLL_BENCHES; i++)
    if (strcmp(r->bench, gscale__coll_benches[i].bench) == 0) {
      *kind = gscale__coll_benches[i].kind;
      return (strcmp(r->access, "kernel") == 0 ||
              strcmp(r->access, "in-place") == 0) &&
             r->gpus >= 2 && r->size > 0.0;
    }
  return false;
}

/* Nodes of which fewer GPUs are used have as many of their cards. */
static void use(gscale_coll_machine *m, int gpus)
{
  const double share = (double)gpus / m->node;

  m->node = gpus;
  m->net.cards = fmax(1.0, m->net.cards * share);
  for (int p = 0; p < GSCALE_COLL_PROTOCOL_END; p++) m->net.by[p].rate *= share;
}

static gscale_coll_machine machine_of(const gscale__source *s,
                                      const gscale_system *of, int nodes,
                                      int gpus)
{
  gscale_coll_machine m = gscale__coll_machine(
      s, GSCALE_COLL_KIND_END, gscale__coll_goodput(&of->link), of->gpus,
      nodes > 1 ? of->network.rails : 0);

  if (nodes > 1) use(&m, gpus);
  return m;
}

/* The system, with the version of the library that a row tells; 0: none. */
static gscale__source *source_of(gscale__source_room *room,
                                 const gscale_system *s, double version)
{
  gscale__source *source = gscale__source_in(room, s, NULL);

  if (version > 0.0) gscale__put(source, GSCALE_COLL_VERSION, version);
  return source;
}

/* Through all parameters, each moved by its error. */
static double propagated(const gscale_system *s, const gscale_coll_call *c,
                         double version, int nodes, int gpus, double time)
{
  gscale__source_room room;
  gscale__source *source = source_of(&room, s, version);
  double sum = 0.0;

  for (size_t id = GSCALE_COLL_START; id <= GSCALE_COLL_NET_RATE; id++) {
    const gscale_param *p = gscale_system_get(s, (gscale_param_id)id);
    if (!(p->err > 0.0) || id == GSCALE_COLL_VERSION) continue;
    gscale__put(source, (gscale_param_id)id, p->val + p->err);
    const gscale_coll_machine m = machine_of(source, s, nodes, gpus);
    const double moved = gscale__coll_fastest(&m, c).total - time;
    if (isfinite(moved)) sum += moved * moved;
    gscale__put(source, (gscale_param_id)id, p->val);
  }
  return sqrt(sum);
}

static const gscale_expected none = {
    .kind = GSCALE_COLL_KIND_END,
    .way = {.algorithm = GSCALE_COLL_ALGORITHM_END,
            .protocol = GSCALE_COLL_PROTOCOL_END},
    .time = (double)NAN};

static gscale_expected expected(const gscale_system *s, gscale_coll_kind kind,
                                double bytes, int gpus, int nodes,
                                double version)
{
  gscale__source_room room;

  if (kind >= GSCALE_COLL_KIND_END || !(bytes > 0.0) || gpus < 2 || nodes < 1 ||
      gpus % nodes != 0 || gpus / nodes > s->gpus)
    return none;
  const gscale_coll_call c = {kind, gpus, bytes, 1.0, 1.0, true};
  const gscale_coll_machine m =
      machine_of(source_of(&room, s, version), s, nodes, gpus / nodes);
  gscale_expected e = {.kind = kind, .bytes = bytes, .nodes = nodes};

  if (nodes > 1 && !(m.net.by[SIMPLE].rate > 0.0)) return none;
  e.way = gscale__coll_fastest(&m, &c);
  e.time = e.way.total;
  e.err = hypot(propagated(s, &c, version, nodes, gpus / nodes, e.time),
                e.time * gscale_coll_off(s, bytes, nodes));
  return e;
}

gscale_expected gscale_expect_call(const gscale_system *s,
                                   gscale_coll_kind kind, double bytes,
                                   int gpus, int nodes)
{
  return expected(s, kind, bytes, gpus, nodes, 0.0);
}

gscale_expected gscale_expect(const gscale_system *s,
                              const gscale_measurement *r)
{
  const bool apart = strcmp(r->dst, "nodes") == 0;
  const int nodes = !apart              ? 1
                    : r->inflight > 1.0 ? (int)r->inflight
                                        : (r->gpus - 1) / s->gpus + 1;
  gscale_coll_kind kind;

  if (!kind_of(r, &kind) || (!apart && strcmp(r->dst, "all") != 0)) return none;
  gscale_expected e = expected(s, kind, gscale__coll_call(kind, r).bytes,
                               r->gpus, nodes, r->version);
  e.measured = r->time;
  return e;
}

double gscale_coll_bus(gscale_coll_kind kind, int n)
{
  const double others = (n - 1.0) / n;

  if (n < 1 || kind >= GSCALE_COLL_KIND_END) return (double)NAN;
  if (kind == GSCALE_COLL_ALL_REDUCE) return 2.0 * others;
  return kind == GSCALE_COLL_ALL_GATHER || kind == GSCALE_COLL_REDUCE_SCATTER ||
                 kind == GSCALE_COLL_ALL_TO_ALL
             ? others
             : 1.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
