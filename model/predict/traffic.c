/* traffic.c - what a phase sends, and how much of it passes the busiest
 * resource of the system's topology. */

#include "predict/traffic.h"

#include <math.h>
#include <stdlib.h>

/* ---- who sends what to whom --------------------------------------------- */

/* Bytes GPU i produces when units are dealt out evenly. */
static double produced(const gscale_phase *w, int n, int i)
{
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

/* Weight of GPU i's traffic when the busiest has `most` times the mean: the
 * others share what is left. */
static double weight(double most, int n, int i, int busiest)
{
  const double capped = fmin(most, n);
  return i == busiest ? capped : (n - capped) / (n - 1);
}

static void traffic_of(const gscale_phase *w, int n, double *bytes)
{
  const int active = w->units < n ? (int)w->units : n;
  const readers r = readers_of(w, n);
  double into[GSCALE__GPUS_MAX];

  for (int j = 0; j < n; j++) into[j] = weight(w->ingress_max, n, j, n - 1);
  for (int i = 0; i < n; i++) {
    const double out = weight(w->egress_max, n, i, 0);
    const double each = produced(w, n, i) * r.leaving * r.each / (n - 1);
    for (int j = 0; j < n; j++) {
      double b = 0.0;
      if (w->to == GSCALE_TO_NEIGHBOURS)
        b = abs(i - j) == 1 && i < active && j < active ? w->publish : 0.0;
      else if (i != j)
        b = each;
      bytes[i * n + j] = b * out * into[j];
    }
  }
}

/* What the busiest GPU and all GPUs together send. */
static void fill_neighbours(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const int active = w->units < n ? (int)w->units : n;
  const double faces = active < 3 ? active - 1 : 2;

  f->piece = w->publish;
  f->local = faces * w->publish;
  f->destinations = f->share = 1.0;
  f->all = 2.0 * (active - 1) * w->publish;
  f->copies = faces * w->copies;
}

static void fill_exchange(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const readers r = readers_of(w, n);
  const double mean = w->publish / n;
  const double busiest = fmax(produced(w, n, 0), mean * fmin(w->egress_max, n));

  f->local = busiest * r.leaving;
  f->piece = f->local;
  f->destinations = r.each;
  f->share = w->to == GSCALE_TO_SUBSCRIBERS
                 ? fmin(1.0, r.leaving * r.each / (n - 1))
                 : 1.0;
  f->all = w->publish * r.leaving * r.each;
  f->copies = (n - 1) * w->copies;
}

void gscale__count_traffic(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  if (n == 1 || w->to == GSCALE_TO_NONE || !(w->publish > 0.0)) return;
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

static double route(const gscale_system *s, int n, const double *bytes,
                    gscale_access a)
{
  return gscale_route_busiest(&s->fabric, n, bytes,
                              s->param[GSCALE_LINK_DUPLEX].val,
                              gscale__across(s, a));
}

/* Of a byte copied with nothing beside it, in the mean over all bytes. */
static double route_alone(const gscale_system *s, int n, const double *bytes)
{
  const double cut = gscale__across(s, GSCALE_COPY);
  double passed = 0.0, sum = 0.0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j) continue;
      sum += bytes[i * n + j];
      if (bytes[i * n + j] > 0.0)
        passed +=
            bytes[i * n + j] * gscale__route_alone(&s->fabric, n, i, j, cut);
    }
  return passed / sum;
}

/* In a mesh whose GPUs reach some others only through the host (`staged`), what
 * goes to those has no peer access. */
static gscale_peer peer_of(const gscale_system *s, int n, const double *bytes)
{
  const gscale_fabric *t = &s->fabric;

  if (t->kind != GSCALE_MESH || !(t->staged > 0.0)) return s->can.peer;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j && bytes[i * n + j] > 0.0 && !(t->mesh[i][j] > 0.0))
        return GSCALE_PEER_NONE;
  return s->can.peer;
}

static void route_copies(const gscale_system *s, int n, const double *bytes,
                         gscale__phase_plan *f)
{
  if (s->can.peer == GSCALE_PEER_NONE) {
    const double one[] = {0.0, 1.0, 0.0, 0.0}; /* B from GPU 0 to GPU 1 */
    f->copy_route = gscale__route_staged(&s->fabric, n, bytes) / f->out;
    f->alone_route = gscale__route_staged(&s->fabric, 2, one);
  } else {
    f->copy_route = route(s, n, bytes, GSCALE_COPY) / f->out;
    f->alone_route = route_alone(s, n, bytes);
  }
}

static double busiest_receiver(int n, const double *bytes)
{
  double in[GSCALE__GPUS_MAX] = {0.0}, most = 0.0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) in[j] += i == j ? 0.0 : bytes[i * n + j];
  for (int j = 0; j < n; j++) most = fmax(most, in[j]);
  return most;
}

/* Stores go the ways of copies, unless the root cuts their packets otherwise.
 */
static double route_stores(const gscale_system *s, int n, const double *bytes,
                           const gscale__phase_plan *f)
{
  const double copies = gscale__across(s, GSCALE_COPY),
               stores = gscale__across(s, GSCALE_STORE);
  const bool alike = !(stores < copies) && !(stores > copies);

  return s->can.peer != GSCALE_PEER_NONE && alike
             ? f->copy_route
             : route(s, n, bytes, GSCALE_STORE) / f->out;
}

void gscale__route_traffic(const gscale_system *s, const gscale_phase *w, int n,
                           double *scratch, gscale__phase_plan *f)
{
  traffic_of(w, n, scratch);
  f->peer = peer_of(s, n, scratch);
  route_copies(s, n, scratch, f);
  f->store_route = route_stores(s, n, scratch, f);
  f->in = busiest_receiver(n, scratch);
  for (int i = 0; i < n * n; i++) scratch[i] = 1.0;
  f->all_route = route(s, n, scratch, GSCALE_STORE) / (n - 1.0);
}
