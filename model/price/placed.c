/* placed.c - routes of the copies of a program's own schedule, and checks of
 * what the program needs.
 *
 * A stream that waits for an event of another node is refused. */

#include "price/actions.h"

#include "equation/fabric.h"

#include <stdlib.h>
#include <string.h>

/* ---- schedules ----------------------------------------------------------- */

gscale_status gscale__program_check(const gscale_plan *p, int n,
                                    gscale_diag *diag)
{
  const gscale_workload *w = gscale__read_schedules(p->source);
  const bool measured = gscale__read_single(p->source) > 0.0;
  const int sizes[] = {n, p->baseline, 1};
  const char *const what[] = {"", ", which speedups are over",
                              ", which its measured time is of"};

  for (int i = 0; i < (measured ? 3 : 2); i++)
    if (!gscale__is_known_on(w, sizes[i]))
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: its counts depend on the number of GPUs, and "
                          "were not computed for %d%s",
                          w->name, sizes[i], what[i]);
  for (int i = 0; w->program && i < (measured ? 3 : 2); i++) {
    const gscale__program *g = gscale__program_find(w, sizes[i]);
    if (!g)
      return gscale__fail(diag, GSCALE_ENEED, "%s: no schedule for %d GPU%s%s",
                          w->name, sizes[i], sizes[i] == 1 ? "" : "s", what[i]);
    if (g->publishes != gscale__program_find(w, n)->publishes)
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: of the schedules for %d and %d GPUs one "
                          "publishes and one does not: on one GPU nothing "
                          "moves, but say so",
                          w->name, n, sizes[i]);
  }
  return GSCALE_OK;
}

/* ---- routes -------------------------------------------------------------- */

static bool same_node(int size, int a, int b)
{
  return a / size == b / size;
}

/* A copy to another GPU. `bytes` is halved if only every second step copies. */
typedef struct sent {
  int from, to, length;
  int stream; /* stream of `from`, or of `to` for a pull */
  double bytes;
} sent;

static size_t list_sent(const gscale_program *p, sent *list)
{
  const gscale_schedule *s = &p->schedule;
  size_t n = 0;

  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    const double times = a->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    const gscale_work *k = &p->work[a->length];
    const int own = s->stream_gpu[a->stream];
    if (gscale__leaves(s, a))
      list[n++] = (sent){k->pull ? a->peer : own, k->pull ? own : a->peer,
                         a->length, a->stream, times * k->bytes};
  }
  return n;
}

/* Lists the copies among the GPUs of a node, and the streams of these copies.
 * The node begins with GPU `first`. */
static size_t inside(const sent *list, size_t n, int first, int size,
                     gscale_pair *pair, int *stream)
{
  size_t pairs = 0;

  for (size_t i = 0; i < n; i++)
    if (same_node(size, first, list[i].from) &&
        same_node(size, first, list[i].to)) {
      stream[pairs] = list[i].stream;
      pair[pairs++] = (gscale_pair){list[i].from - first, list[i].to - first,
                                    list[i].bytes};
    }
  return pairs;
}

/* Sums the bytes that leave nodes, and keeps the largest sum of a GPU and the
 * largest sum of a node. */
static void sum_leaving(const sent *list, size_t n, int gpus, int size,
                        gscale__traffic_room *room, gscale__placed *out)
{
  double *own = room->out, *node = room->in;

  for (int i = 0; i < gpus; i++) own[i] = node[i] = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (same_node(size, list[i].from, list[i].to)) continue;
    out->crosses[list[i].length] = true;
    own[list[i].from] += list[i].bytes;
    node[list[i].from / size] += list[i].bytes;
  }
  for (int i = 0; i < gpus; i++) {
    out->far_own = fmax(out->far_own, own[i]);
    out->far_node = fmax(out->far_node, node[i]);
  }
}

/* Returns true if a stream waits for an event of another node.  recorder[] has
 * room for the GPU that records each event, or -1. */
static bool waits_over(const gscale_schedule *s, int size, int *recorder)
{
  for (int e = 0; e < s->events; e++) recorder[e] = -1;
  for (size_t i = s->actions; i-- > 0;)
    if (s->action[i].kind == GSCALE_RECORD)
      recorder[s->action[i].event] = s->stream_gpu[s->action[i].stream];
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *c = &s->action[i];
    if (c->kind != GSCALE_WAIT) continue;
    const int of = recorder[c->event];
    if (of >= 0 && !same_node(size, s->stream_gpu[c->stream], of)) return true;
  }
  return false;
}

/* Returns the route of a copy without contention. */
static double alone(const gscale_plan *p, int n, int from, int to,
                    double across)
{
  const gscale_fabric *f = gscale__read_fabric(p->source);

  return gscale__staged(p) ? gscale__alone_staged(f)
                           : gscale__route_alone(f, n, from, to, across);
}

/* Returns the bytes on the busiest resource if all copies run at once. */
static double busiest(const gscale_plan *p, const gscale_demand *d,
                      double across)
{
  const gscale_fabric *f = gscale__read_fabric(p->source);

  return gscale__staged(p)
             ? gscale__busiest_staged(f, d)
             : gscale__busiest(f, d, gscale__ask(p, GSCALE_LINK_DUPLEX),
                               across);
}

/* Returns the factor by which contention lengthens copies.  All streams are
 * assumed to overlap, so that the busiest resource limits the copies if it
 * takes longer than the longest stream.  Sets at_once for staged copies. */
static double contention(const gscale_plan *p, const gscale_demand *d,
                         const int *stream, double across,
                         gscale__traffic_room *room, double *in_a_row,
                         gscale__placed *at)
{
  double *out = room->out;
  double own = 0.0, most = 0.0, all = 0.0;

  for (int i = 0; i < d->gpus; i++) out[i] = 0.0;
  for (size_t k = 0; k < d->pairs; k++) in_a_row[stream[k]] = 0.0;
  for (size_t k = 0; k < d->pairs; k++) {
    const gscale_pair *c = &d->pair[k];
    in_a_row[stream[k]] += c->bytes * alone(p, d->gpus, c->from, c->to, across);
    own = fmax(own, in_a_row[stream[k]]);
    out[c->from] += c->bytes;
  }
  for (int i = 0; i < d->gpus; i++) {
    most = fmax(most, out[i]);
    all += out[i];
  }
  at->at_once = most > 0.0 ? all / most : 0.0;
  return own > 0.0 ? fmax(1.0, busiest(p, d, across) / own) : 1.0;
}

/* The copies of a GPU so far.  Streams and other GPUs count from 1. */
typedef struct copying {
  int stream, to[2];
  bool streams, others; /* several streams; over two other GPUs */
} copying;

/* Returns true if any GPU copies in several streams to over two other GPUs,
 * however GPUs are numbered.  of[] is zero for each GPU. */
static bool meets(const gscale_schedule *s, const sent *list, size_t n,
                  copying *of)
{
  for (size_t i = 0; i < n; i++) {
    const int own = s->stream_gpu[list[i].stream], stream = list[i].stream + 1;
    const int peer = list[i].from + list[i].to - own + 1;
    copying *g = &of[own];
    g->streams = g->streams || (g->stream > 0 && g->stream != stream);
    g->stream = stream;
    if (g->to[0] == 0 || g->to[0] == peer)
      g->to[0] = peer;
    else if (g->to[1] == 0 || g->to[1] == peer)
      g->to[1] = peer;
    else
      g->others = true;
    if (g->streams && g->others) return true;
  }
  return false;
}

/* Scratch memory for all copies. */
typedef struct routing {
  gscale_pair *pair;
  int *stream;      /* stream of each pair */
  double *in_a_row; /* bytes of each stream, uncontended */
  int *recorder;    /* of each event */
  copying *copying; /* of each GPU */
} routing;

/* Finds routes inside nodes of `size` GPUs. */
static void find_routes(const gscale_plan *p, const sent *list, size_t n,
                        int gpus, int size, const routing *r,
                        gscale__traffic_room *room, gscale__placed *at)
{
  const double across =
      gscale__across(&p->link, gscale__read_fabric(p->source), GSCALE_COPY);
  const int near = size < gpus ? size : gpus;
  double longer = 1.0;

  for (int first = 0; first < gpus; first += size) {
    const gscale_demand d = {
        .gpus = near,
        .pairs = inside(list, n, first, size, r->pair, r->stream),
        .pair = r->pair};
    longer = fmax(longer,
                  contention(p, &d, r->stream, across, room, r->in_a_row, at));
  }
  for (size_t i = 0; i < n; i++) {
    const sent *c = &list[i];
    if (same_node(size, c->from, c->to))
      at->route[c->length] =
          fmax(at->route[c->length],
               longer * alone(p, near, c->from % size, c->to % size, across));
  }
}

gscale_status gscale__program_place(gscale_plan *p, int n,
                                    gscale__traffic_room *room,
                                    gscale_diag *diag)
{
  const int size = p->nodes > 1 ? p->node : n; /* GPUs of a node */
  gscale__placed *at = &p->placed;

  gscale__program_close(p);
  if (!gscale__as_written(p)) return GSCALE_OK;
  const gscale__version *v = &p->own->whole;
  const size_t durations = (size_t)v->as.schedule.durations;
  sent *list = malloc((v->leaving + 1) * sizeof *list);
  const size_t streams = (size_t)v->as.schedule.streams;
  const routing r = {
      malloc((v->leaving + 1) * sizeof *r.pair),
      malloc((v->leaving + 1) * sizeof *r.stream),
      malloc((streams + 1) * sizeof *r.in_a_row),
      malloc(((size_t)v->as.schedule.events + 1) * sizeof *r.recorder),
      calloc((size_t)n, sizeof *r.copying)};

  at->route = calloc(durations + 1, sizeof *at->route);
  at->crosses = calloc(durations + 1, sizeof *at->crosses);
  const bool ok = list && r.pair && r.stream && r.in_a_row && r.recorder &&
                  r.copying && at->route && at->crosses;
  if (ok) {
    const size_t sends = list_sent(&v->as, list);
    find_routes(p, list, sends, n, size, &r, room, at);
    sum_leaving(list, sends, n, size, room, at);
    at->meets = meets(&v->as.schedule, list, sends, r.copying);
    at->over = p->nodes > 1 && waits_over(&v->as.schedule, size, r.recorder);
  }
  free(list);
  free(r.pair);
  free(r.stream);
  free(r.in_a_row);
  free(r.recorder);
  free(r.copying);
  return ok ? GSCALE_OK
            : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
}

void gscale__program_close(gscale_plan *p)
{
  free(p->placed.route);
  free(p->placed.crosses);
  p->placed = (gscale__placed){0};
}

bool gscale__same_program(const gscale_plan *a, const gscale_plan *b)
{
  const gscale__placed *c = &a->placed, *d = &b->placed;
  const double of[2][3] = {{c->at_once, c->far_own, c->far_node},
                           {d->at_once, d->far_own, d->far_node}};

  if (a->own != b->own || memcmp(of[0], of[1], sizeof of[0]) != 0) return false;
  return !gscale__as_written(a) ||
         memcmp(c->route, d->route,
                (size_t)a->own->whole.as.schedule.durations *
                    sizeof *c->route) == 0;
}

/* ---- needs --------------------------------------------------------------- */

/* Checks collectives. */
static gscale_status check_works(const gscale_plan *p, const char *name,
                                 const gscale_program *as, gscale_diag *diag)
{
  for (int d = 0; d < as->schedule.durations; d++) {
    const gscale_work *k = &as->work[d];
    if (k->kind == GSCALE_COLLECTIVE &&
        isnan(gscale_plan_collective(p, k->coll, k->bytes, k->streamed,
                                     k->algorithm, k->protocol)
                  .total))
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: %s: not by that algorithm and protocol", name,
                          gscale_name(GSCALE_COLL_KIND_NAMES, k->coll));
  }
  return GSCALE_OK;
}

static gscale_status check_nodes(const gscale_plan *p, const char *name,
                                 const gscale__version *v, gscale_diag *diag)
{
  const char *why = v->as.schedule.threads < p->nodes
                        ? "a host thread issues for GPUs of its own node only"
                    : p->placed.over
                        ? "a stream waits for an event of another node"
                        : NULL;

  if (p->nodes < 2 || !why) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENEED, "%s: %d GPUs are %d nodes: %s", name,
                      p->n, p->nodes, why);
}

/* Checks a program that runs as written. */
static gscale_status check_written(const gscale_plan *p, const char *name,
                                   const gscale__version *v, gscale_diag *diag)
{
  const gscale_status st = check_nodes(p, name, v, diag);

  if (st != GSCALE_OK) return st;
  if (p->placed.far_own > 0.0 && !(gscale__ask(p, GSCALE_GPUDIRECT_RATE) > 0.0))
    return gscale__fail(
        diag, GSCALE_ENEED,
        "%s: copies to other nodes need gpudirect.rate of the system", name);
  const char *need = v->leaving > 0 ? gscale__copies_need(p, NULL) : NULL;
  return need ? gscale__fail(diag, GSCALE_ENEED, "%s: needs %s", name, need)
              : GSCALE_OK;
}

gscale_status gscale__program_needs(const gscale_plan *p,
                                    const gscale__version *v, const char *name,
                                    gscale_diag *diag)
{
  const gscale_status st =
      p->own->publishes ? GSCALE_OK : check_written(p, name, v, diag);

  return st == GSCALE_OK ? check_works(p, name, &v->as, diag) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
