/* traffic.c - what a phase sends, and how much of it passes the busiest
 * resource of the system's topology. */

#include "predict/traffic.h"

#include "equation/fabric.h"

#include <math.h>
#include <stdlib.h>

/* ---- who sends what to whom --------------------------------------------- */

/* Bytes GPU i produces when units are dealt out evenly; an array that is to be
 * added up each has whole. */
static double produced(const gscale_phase *w, int n, int i)
{
  if (w->reduce > 0.0) return w->reduce;
  const double each = floor(w->units / n);
  const double more = fmod(w->units, n); /* the first GPUs have one more */
  return w->publish * (each + (i < more ? 1.0 : 0.0)) / w->units;
}

/* Who needs a byte: the fraction of the bytes that leave their GPU, and how
 * many others a leaving byte goes to. */
typedef struct readers {
  double leaving, each;
} readers;

static readers readers_of(const gscale_phase *w, int n)
{
  readers r = {1.0, 1.0};
  double leaving = 0.0, sent = 0.0;

  if (w->reduce > 0.0) return (readers){1.0, n - 1.0};
  switch (w->to) {
  case GSCALE_TO_ALL:
    r.each = n - 1;
    break;
  case GSCALE_TO_RANDOM:
  case GSCALE_TO_PARTITION:
    r.leaving = (n - 1.0) / n;
    break;
  case GSCALE_TO_SUBSCRIBERS:
    for (int k = 0; k < GSCALE_MESH_MAX; k++) {
      leaving += w->subscribers[k];
      sent += w->subscribers[k] * (k + 1 < n ? k + 1 : n - 1);
    }
    r = (readers){leaving, sent / leaving};
    break;
  case GSCALE_TO_NONE:
  case GSCALE_TO_NEIGHBOURS:
  case GSCALE_PATTERN_END:
    break;
  }
  return r;
}

double gscale__leaving(const gscale_phase *w, int n)
{
  return readers_of(w, n).leaving;
}

/* ---- neighbours ------------------------------------------------------------
 */

static double cut_of(const gscale_phase *w, int d)
{
  return w->cut[d] > 0.0 ? w->cut[d] : w->publish;
}

/* A cut across a dimension is shared by the GPUs that stand along the others.
 */
static gscale__arrangement arranged(const gscale_phase *w, int n)
{
  gscale__arrangement a = {.active = w->units < n ? (int)w->units : n,
                           .periodic = w->periodic};
  int apart = 1;

  if (!gscale_phase_grid(w, n, a.gpus)) a.active = 0;
  for (int d = GSCALE_DIMS_MAX - 1; d >= 0; d--) {
    a.share[d] = (double)a.gpus[d] / n;
    a.bytes[d] = cut_of(w, d) * a.share[d];
    a.apart[d] = apart;
    apart *= a.gpus[d];
  }
  return a;
}

int gscale__faces_of(const gscale__arrangement *a, int i, gscale__side *f)
{
  int n = 0;

  for (int d = 0; d < GSCALE_DIMS_MAX && i < a->active; d++)
    for (int step = -1; step <= 1 && a->gpus[d] > 1; step += 2) {
      const int at = i / a->apart[d] % a->gpus[d], next = at + step;
      const int round = (next + a->gpus[d]) % a->gpus[d];
      const int to = i + (round - at) * a->apart[d];
      if ((a->periodic || next == round) && to < a->active)
        f[n++] = (gscale__side){to, a->bytes[d], a->share[d]};
    }
  return n;
}

static bool publishes(const gscale_phase *w)
{
  double most = w->publish;

  for (int d = 0; d < GSCALE_DIMS_MAX && w->to == GSCALE_TO_NEIGHBOURS; d++)
    most = fmax(most, w->cut[d]);
  return most > 0.0;
}

/* ---- patterns ------------------------------------------------------------ */

/* Weight of GPU i's traffic when the busiest has `most` times the mean: the
 * others share what is left. */
static double weight(double most, int n, int i, int busiest)
{
  const double capped = fmin(most, n);
  return i == busiest ? capped : (n - capped) / (n - 1);
}

/* Each face to whom it lies next to. */
static void demand_of_neighbours(const gscale_phase *w, int n,
                                 gscale__traffic_room *room, gscale_demand *d)
{
  const gscale__arrangement a = arranged(w, n);
  gscale__side f[GSCALE__FACES_MAX];

  for (int i = 0; i < a.active; i++) {
    const int faces = gscale__faces_of(&a, i, f);
    for (int k = 0; k < faces; k++)
      room->pair[d->pairs++] =
          (gscale_pair){i, f[k].to,
                        f[k].bytes * weight(w->egress_max, n, i, 0) *
                            weight(w->ingress_max, n, f[k].to, n - 1)};
  }
  d->pair = room->pair;
}

/* What a GPU produces goes to all others alike, but for who gets most. */
static void demand_of_exchange(const gscale_phase *w, int n,
                               gscale__traffic_room *room, gscale_demand *d)
{
  const readers r = readers_of(w, n);

  for (int i = 0; i < n; i++) {
    const double each = produced(w, n, i) * r.leaving * r.each / (n - 1);
    room->out[i] = each * weight(w->egress_max, n, i, 0);
    room->in[i] = weight(w->ingress_max, n, i, n - 1);
  }
  d->out = room->out;
  d->in = room->in;
}

static gscale_demand demand_of(const gscale_phase *w, int n,
                               gscale__traffic_room *room)
{
  gscale_demand d = {.gpus = n};

  if (w->to == GSCALE_TO_NEIGHBOURS)
    demand_of_neighbours(w, n, room, &d);
  else
    demand_of_exchange(w, n, room, &d);
  return d;
}

/* What the busiest GPU, the one with most bytes, and all GPUs together send. */
static void fill_neighbours(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  gscale__side all[GSCALE__FACES_MAX];

  f->grid = arranged(w, n);
  for (int i = 0; i < f->grid.active; i++) {
    const int faces = gscale__faces_of(&f->grid, i, all);
    double bytes = 0.0, cuts = 0.0;
    for (int k = 0; k < faces; k++) {
      bytes += all[k].bytes;
      cuts += all[k].share;
    }
    f->all += bytes;
    if (!(bytes > f->local)) continue;
    f->local = bytes;
    f->cuts = cuts;
    f->faces = faces;
  }
  f->piece = f->faces > 0.0 ? f->local / f->faces : 0.0;
  f->destinations = f->share = 1.0;
  f->copies = f->faces * w->copies;
}

static double published(const gscale_phase *w, int n)
{
  return w->reduce > 0.0 ? n * w->reduce : w->publish;
}

static void fill_exchange(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const readers r = readers_of(w, n);
  const double mean = published(w, n) / n;
  const double busiest = fmax(produced(w, n, 0), mean * fmin(w->egress_max, n));

  f->local = busiest * r.leaving;
  f->piece = f->local;
  f->cuts = 1.0;
  f->destinations = r.each;
  f->share = w->to == GSCALE_TO_SUBSCRIBERS
                 ? fmin(1.0, r.leaving * r.each / (n - 1))
                 : 1.0;
  f->all = published(w, n) * r.leaving * r.each;
  f->copies = (n - 1) * w->copies;
}

void gscale__count_traffic(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const bool any = w->to != GSCALE_TO_NONE && publishes(w);

  if (n == 1 || !(any || w->reduce > 0.0)) return;
  if (w->to == GSCALE_TO_NEIGHBOURS)
    fill_neighbours(w, n, f);
  else
    fill_exchange(w, n, f);
  f->out = f->local * f->destinations;
  f->over = w->over;
  if (f->copies > 0.0) f->copy = f->out * w->over / f->copies;
}

gscale_traffic gscale_workload_traffic(const gscale_workload *w, int n)
{
  gscale_traffic t = {0.0, 0.0};

  for (size_t i = 0; n > 0 && i < w->phases; i++) {
    gscale__phase_plan f = {0};
    gscale__count_traffic(&w->phase[i], n, &f);
    t.messages += w->phase[i].repeats * f.copies;
    t.bytes += w->phase[i].repeats * f.out;
  }
  return t;
}

/* ---- routes -------------------------------------------------------------- */

double gscale__across(const gscale_system *s, gscale_access a)
{
  gscale_link cut = s->link;
  const double long_message = 1048576.0;

  if (!(s->fabric.split > 0.0)) return 1.0;
  cut.copy_payload = fmin(cut.copy_payload, s->fabric.split);
  cut.store_payload = fmin(cut.store_payload, s->fabric.split);
  return gscale_goodput(&s->link, a, long_message, false) /
         gscale_goodput(&cut, a, long_message, false);
}

static double route(const gscale_system *s, const gscale_demand *d,
                    gscale_access a)
{
  return gscale__busiest(&s->fabric, d, s->param[GSCALE_LINK_DUPLEX].val,
                         gscale__across(s, a));
}

static bool has_link(const gscale_fabric *f, int i, int j)
{
  return i == j || f->mesh[i][j] > 0.0;
}

/* In a mesh whose GPUs reach some others only through the host (`staged`), what
 * goes to those has no peer access. */
static gscale_peer peer_of(const gscale_system *s, const gscale_demand *d)
{
  const gscale_fabric *f = &s->fabric;
  bool all = true;

  if (f->kind != GSCALE_MESH || !(f->staged > 0.0)) return s->can.peer;
  for (int i = 0; d->out && i < d->gpus; i++)
    for (int j = 0; j < d->gpus; j++)
      all = all && (has_link(f, i, j) || !(d->out[i] * d->in[j] > 0.0));
  for (size_t k = 0; k < d->pairs; k++)
    all = all && has_link(f, d->pair[k].from, d->pair[k].to);
  return all ? s->can.peer : GSCALE_PEER_NONE;
}

static void route_copies(const gscale_system *s, const gscale_demand *d,
                         gscale__phase_plan *f)
{
  if (s->can.peer == GSCALE_PEER_NONE) {
    f->copy_route = gscale__busiest_staged(&s->fabric, d) / f->out;
    f->alone_route = gscale__alone_staged(&s->fabric);
  } else {
    f->copy_route = route(s, d, GSCALE_COPY) / f->out;
    f->alone_route =
        gscale__alone(&s->fabric, d, gscale__across(s, GSCALE_COPY));
  }
}

/* Stores go the ways of copies, unless the root cuts their packets otherwise.
 */
static double route_stores(const gscale_system *s, const gscale_demand *d,
                           const gscale__phase_plan *f)
{
  const double copies = gscale__across(s, GSCALE_COPY),
               stores = gscale__across(s, GSCALE_STORE);
  const bool alike = !(stores < copies) && !(stores > copies);

  return s->can.peer != GSCALE_PEER_NONE && alike
             ? f->copy_route
             : route(s, d, GSCALE_STORE) / f->out;
}

/* Of a byte from each GPU to every other, over those that a GPU sends. */
static double route_all(const gscale_system *s, int n,
                        gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .out = room->out, .in = room->in};

  for (int i = 0; i < n; i++) room->out[i] = room->in[i] = 1.0;
  return route(s, &d, GSCALE_STORE) / (n - 1.0);
}

void gscale__route_traffic(const gscale_system *s, const gscale_phase *w, int n,
                           gscale__traffic_room *room, gscale__phase_plan *f)
{
  const gscale_demand d = demand_of(w, n, room);

  f->peer = peer_of(s, &d);
  route_copies(s, &d, f);
  f->store_route = route_stores(s, &d, f);
  f->in = gscale__most_received(&d);
  f->all_route = route_all(s, n, room);
}

void gscale__copy_routes(const gscale__phase_plan *from, gscale__phase_plan *to)
{
  to->peer = from->peer;
  to->copy_route = from->copy_route;
  to->alone_route = from->alone_route;
  to->store_route = from->store_route;
  to->in = from->in;
  to->all_route = from->all_route;
}

bool gscale__traffic_room_open(gscale__traffic_room *room, int n)
{
  const size_t gpus = (size_t)n, pairs = GSCALE__FACES_MAX * gpus;

  room->pair = malloc(pairs * sizeof *room->pair + 2 * gpus * sizeof(double));
  if (!room->pair) return false;
  room->out = (double *)(void *)(room->pair + pairs);
  room->in = room->out + gpus;
  return true;
}

void gscale__traffic_room_close(gscale__traffic_room *room)
{
  free(room->pair);
}
