/* demand.c - load of the busiest resource if demand is a product of vectors or
 * a single pair. */

#include "equation/routed.h"

#include <math.h>
#include <stdlib.h>

/* GPU i sends a[i] * c[j] to GPU j.  Sums of such products are products of
 * sums, so that loads need no loop over pairs. */
typedef struct product {
  const double *a, *c;
} product;

static double sum_of(const double *v, int from, int end)
{
  double sum = 0.0;

  for (int i = from; i < end; i++) sum += v[i];
  return sum;
}

/* Computes for each i the sum of all values except v[i].  Subtraction from the
 * total would lose digits if v[i] is nearly the total. */
static void sums_without(const double *v, int n, double *rest)
{
  double before = 0.0, after = 0.0;

  for (int i = 0; i < n; i++) {
    rest[i] = before;
    before += v[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    rest[i] += after;
    after += v[i];
  }
}

/* Returns the bytes that n GPUs send to each other. */
static double sum_of_pairs(const double *a, const double *c, int n)
{
  double rest[GSCALE__NODE_MAX], all = 0.0;

  sums_without(c, n, rest);
  for (int i = 0; i < n; i++) all += a[i] * rest[i];
  return all;
}

static void load_ports(const gscale__routed *w, const product *d, double *on)
{
  double others_get[GSCALE__NODE_MAX], others_send[GSCALE__NODE_MAX];

  sums_without(d->c, w->n, others_get);
  sums_without(d->a, w->n, others_send);
  for (int i = 0; i < w->n; i++) {
    on[i] = d->a[i] * others_get[i];
    on[w->n + i] = d->c[i] * others_send[i];
    on[2 * w->n + i] = on[i] + on[w->n + i];
  }
}

/* Sums of each group of a tree. */
typedef struct by_group {
  double a[GSCALE__NODE_MAX], c[GSCALE__NODE_MAX];
} by_group;

static void sum_groups(const gscale__routed *w, const product *d, by_group *s)
{
  for (int g = 0; g < gscale__groups(w); g++) {
    s->a[g] = sum_of(d->a, g * w->f->group, gscale__group_end(w, g));
    s->c[g] = sum_of(d->c, g * w->f->group, gscale__group_end(w, g));
  }
}

/* Returns the bytes that stay inside a group. */
static double within(const gscale__routed *w, const product *d, int group)
{
  const int first = group * w->f->group;

  return sum_of_pairs(&d->a[first], &d->c[first],
                      gscale__group_end(w, group) - first);
}

static void load_tree(const gscale__routed *w, const product *d, double *on)
{
  const int groups = gscale__groups(w);
  double *up = &on[gscale__shared(w)], *down = up + groups,
         *root = down + groups;
  by_group s;

  sum_groups(w, d, &s);
  sums_without(s.c, groups, up);
  sums_without(s.a, groups, down);
  for (int g = 0; g < groups; g++) {
    const double stays = w->staged ? within(w, d, g) : 0.0;
    up[g] = w->across * (s.a[g] * up[g] + stays);
    down[g] = w->across * (s.c[g] * down[g] + stays);
    *root += (w->staged ? 2.0 : 1.0) * up[g];
  }
}

/* Prefix sums, which give the load of consecutive arcs of a ring. */
typedef struct running {
  int n;
  double upto[GSCALE__NODE_MAX + 1];
} running;

static void run_up(int n, const double *v, running *r)
{
  r->n = n;
  r->upto[0] = 0.0;
  for (int i = 0; i < n; i++) r->upto[i + 1] = r->upto[i] + v[i];
}

/* Returns the sum of `length` values around the ring, from index `from` on. */
static double run_of(const running *r, int from, int length)
{
  const int first = (from + r->n) % r->n, end = first + length;

  if (end <= r->n) return r->upto[end] - r->upto[first];
  return r->upto[r->n] - r->upto[first] + r->upto[end - r->n];
}

/* Adds the load of all arcs of one direction.  GPU i sends to all GPUs up to
 * half of the ring ahead, and half of the bytes to the opposite GPU.  The load
 * of arc k is the load of arc k-1, plus the bytes that GPU k sends, minus the
 * bytes that GPU k receives. */
static void load_direction(const gscale__routed *w, int way, const double *a,
                           const double *c, double *on)
{
  const int n = w->n, reach = n / 2;
  const double half = n % 2 == 0 ? 0.5 : 0.0;
  double *change = &on[gscale__shared(w) + way * (n + 1)];
  running sent, got;

  run_up(n, a, &sent);
  run_up(n, c, &got);
  for (int m = 0; m < reach; m++)
    change[0] += a[(n - m) % n] *
                 (run_of(&got, 1, reach - m) - half * c[(reach - m) % n]);
  for (int k = 1; k < n; k++)
    change[k] =
        a[k] * (run_of(&got, k + 1, reach) - half * c[(k + reach) % n]) -
        c[k] * (run_of(&sent, k - reach, reach) - half * a[(k + reach) % n]);
}

static void load_pairs(const gscale__routed *w, const product *d, double *on)
{
  for (int i = 0; i < w->n; i++)
    for (int j = 0; j < w->n; j++)
      gscale__add_flow(w, i, j, d->a[i] * d->c[j], on);
}

static void load_product(const gscale__routed *w, const product *d, double *on)
{
  const gscale_topology kind = w->f->kind;

  if (kind == GSCALE_MESH && !w->staged) { /* a mesh has few GPUs */
    load_pairs(w, d, on);
    return;
  }
  load_ports(w, d, on);
  if (kind == GSCALE_BUS)
    on[gscale__shared(w)] =
        (w->staged ? 2.0 : 1.0) * sum_of_pairs(d->a, d->c, w->n);
  if (kind == GSCALE_TREE) load_tree(w, d, on);
  if (kind == GSCALE_RING && !w->staged) {
    load_direction(w, 0, d->a, d->c, on);
    load_direction(w, 1, d->c, d->a, on); /* reversed direction */
  }
}

typedef struct mean {
  double sum, bytes;
} mean;

static void add_alone(const gscale__routed *w, int i, int j, double bytes,
                      mean *m)
{
  if (i == j || !(bytes > 0.0)) return;
  m->sum += bytes * gscale__alone_of(w, i, j);
  m->bytes += bytes;
}

/* Messages within a group of a tree have one kind of route, and messages
 * between groups have another kind. */
static void alone_in_tree(const gscale__routed *w, const product *d, mean *m)
{
  double near = 0.0;
  by_group s;

  sum_groups(w, d, &s);
  for (int g = 0; g < gscale__groups(w); g++) near += within(w, d, g);
  if (w->f->group > 1 && w->n > 1) add_alone(w, 0, 1, near, m);
  if (w->n > w->f->group)
    add_alone(w, 0, w->f->group, sum_of_pairs(s.a, s.c, gscale__groups(w)), m);
}

/* Messages to the opposite GPU of a ring use both directions. */
static void alone_on_ring(const gscale__routed *w, const product *d, mean *m)
{
  const int half = w->n / 2;
  double far = 0.0;

  for (int i = 0; w->n % 2 == 0 && i < w->n; i++)
    far += d->a[i] * d->c[(i + half) % w->n];
  add_alone(w, 0, half, far, m);
  if (w->n > 2) add_alone(w, 0, 1, sum_of_pairs(d->a, d->c, w->n) - far, m);
}

static void alone_in_product(const gscale__routed *w, const product *d, mean *m)
{
  switch (w->f->kind) {
  case GSCALE_TREE:
    alone_in_tree(w, d, m);
    break;
  case GSCALE_RING:
    alone_on_ring(w, d, m);
    break;
  case GSCALE_MESH:
    for (int i = 0; i < w->n; i++)
      for (int j = 0; j < w->n; j++) add_alone(w, i, j, d->a[i] * d->c[j], m);
    break;
  case GSCALE_BUS:
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    if (w->n > 1) add_alone(w, 0, 1, sum_of_pairs(d->a, d->c, w->n), m);
    break;
  }
}

static product product_of(const gscale_demand *d)
{
  return (product){d->out, d->in};
}

/* Returns the bytes on each resource, which the caller frees, or NULL. */
static double *loads_of(const gscale__routed *w, const gscale_demand *d)
{
  const product p = product_of(d);
  double *on = gscale__no_loads(w);

  if (!on) return NULL;
  if (d->out) load_product(w, &p, on);
  for (size_t i = 0; i < d->pairs; i++)
    gscale__add_flow(w, d->pair[i].from, d->pair[i].to, d->pair[i].bytes, on);
  return on;
}

double gscale__busiest(const gscale_fabric *f, const gscale_demand *d,
                       double duplex, double across)
{
  const gscale__routed w = {f, d->gpus, duplex, across, false};

  return gscale__busiest_of(&w, loads_of(&w, d));
}

double gscale__alone(const gscale_fabric *f, const gscale_demand *d,
                     double across)
{
  const gscale__routed w = {f, d->gpus, INFINITY, across, false};
  const product p = product_of(d);
  mean m = {0.0, 0.0};

  if (d->out) alone_in_product(&w, &p, &m);
  for (size_t i = 0; i < d->pairs; i++)
    add_alone(&w, d->pair[i].from, d->pair[i].to, d->pair[i].bytes, &m);
  return m.sum / m.bytes;
}

double gscale__busiest_staged(const gscale_fabric *f, const gscale_demand *d)
{
  const gscale__routed w = {f, d->gpus, INFINITY, 1.0, true};

  return gscale__busiest_of(&w, loads_of(&w, d));
}

double gscale__alone_staged(const gscale_fabric *f)
{
  const gscale__routed w = {f, 2, INFINITY, 1.0, true};

  return gscale__alone_of(&w, 0, 1);
}

double gscale__most_received(const gscale_demand *d)
{
  const gscale_fabric any = {.kind = GSCALE_SWITCH};
  const gscale__routed w = {&any, d->gpus, INFINITY, 1.0, false};
  double *on = loads_of(&w, d), most = 0.0;

  if (!on) return NAN;
  for (int i = 0; i < w.n; i++) most = fmax(most, on[w.n + i]);
  free(on);
  return most;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
