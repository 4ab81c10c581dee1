/* t_wires.c - no collective is faster than the wires among its GPUs.
 *
 * The bounds are computed here, apart from the model: what must leave each set
 * of GPUs over all that leads out of it, and what all GPUs must send over the
 * sum of their ports.  Rates are as sold, without formats.  Systems are all
 * that are shipped, with peer access and without, GPUs of a mesh in any
 * order. */

#include "cases.h"
#include "language/language.h"
#include "random.h"

#include <glob.h>
#include <gsl/gsl_test.h>
#include <stdio.h>

enum {
  MOST = 64
};

/* The wires of a system as n GPUs use them. */
typedef struct wires {
  const gscale_system *s;
  const gscale_fabric *f;
  int n, node, nodes;
  bool peers;
  double link, ring, host, cards; /* B/s; cards: of a node */
} wires;

static double value(const gscale_system *s, const char *name)
{
  return gscale_system_get(s, gscale_param_find(name))->val;
}

static wires wires_of(const gscale_system *s, int n)
{
  const gscale_system_facts a = gscale_system_about(s);
  wires w = {.s = s, .f = a.fabric, .n = n, .node = a.node, .nodes = 1};

  if (a.network && n > a.node) {
    w.nodes = (n - 1) / a.node + 1;
    w.cards = a.network->rails * value(s, "network.rate");
  }
  w.peers = gscale_system_can(s)->peer >= GSCALE_PEER_STORES;
  w.link = value(s, "link.rate");
  w.ring = value(s, "staged.ring");
  w.host = value(s, "staged.host");
  return w;
}

static bool lacks(const wires *w, int i, int j)
{
  return i != j && !(w->f->mesh[i][j] > 0);
}

/* B/s from the GPUs of one node that are in `a` to those that are not. */
static double out_of(const wires *w, const bool *a, int first, int last)
{
  const gscale_fabric *f = w->f;
  double in_a = 0, in_b = 0, links = 0, arcs = 0, up = 0, down = 0;
  bool any = false;

  for (int i = first; i < last; i++) {
    in_a += a[i];
    in_b += !a[i];
    arcs += a[i] && !a[i + 1 < last ? i + 1 : first];
    arcs += a[i] && !a[i > first ? i - 1 : last - 1];
    for (int j = first; j < last && f->kind == GSCALE_MESH; j++)
      if (a[i] && !a[j]) {
        links += f->mesh[i - first][j - first];
        any |= lacks(w, i - first, j - first);
      }
  }
  const double fewer = fmin(in_a, in_b);
  if (!(fewer > 0)) return 0;
  for (int g = first; g < last; g += f->group) {
    double of_a = 0, of_b = 0;
    for (int i = g; i < g + f->group && i < last; i++) {
      of_a += a[i];
      of_b += !a[i];
    }
    up += of_a > 0 && !(of_b > 0);
    down += of_b > 0 && !(of_a > 0);
    any |= f->kind == GSCALE_TREE && of_a > 0 && of_b > 0;
  }
  if (!w->peers) return fmin(fewer * w->ring, w->host);
  const double ports = w->link * fmin(in_a, in_b * fmax(1, f->ingress));
  switch (f->kind) {
  case GSCALE_BUS:
    return fmin(ports, w->link);
  case GSCALE_TREE: /* groups that are all in or all out */
    return any ? ports : fmin(ports, w->link * f->uplink * fmin(up, down));
  case GSCALE_RING:
    return fmin(ports, w->link * f->arc * arcs);
  case GSCALE_MESH:
    return fmin(ports, w->link * (links + (any ? fewer * f->staged : 0)));
  default:
    return ports;
  }
}

/* B/s out of a set of GPUs. */
static double capacity(const wires *w, const bool *a)
{
  double sum = 0, from = 0, to = 0;

  for (int k = 0; k < w->nodes; k++) {
    const int first = k * w->node, end = first + w->node;
    const int last = w->nodes > 1 && end < w->n ? end : w->n;
    bool in = false, out = false;
    for (int i = first; i < last; i++) {
      in |= a[i];
      out |= !a[i];
    }
    sum += out_of(w, a, first, last);
    from += in;
    to += out;
  }
  return sum + fmin(from, to) * w->cards;
}

/* B that must leave the set, of arrays of one byte. */
static double demand(gscale_coll_kind what, const bool *a, int n)
{
  double in = 0, out = 0, next = 0;

  for (int i = 0; i < n; i++) {
    in += a[i];
    out += !a[i];
    next += a[i] && !a[(i + 1) % n];
  }
  if (!(in > 0) || !(out > 0)) return 0;
  switch (what) {
  case GSCALE_COLL_ALL_REDUCE:
    return 1;
  case GSCALE_COLL_ALL_GATHER:
    return in / n;
  case GSCALE_COLL_REDUCE_SCATTER:
    return out / n;
  case GSCALE_COLL_ALL_TO_ALL:
    return in * out / n;
  case GSCALE_COLL_SEND_RECV:
    return next;
  case GSCALE_COLL_BROADCAST:
    return a[0];
  case GSCALE_COLL_REDUCE:
    return !a[0];
  default:
    return 0;
  }
}

/* Seconds per byte: the tightest of many cuts, all of up to eight GPUs. */
static double cuts(const wires *w, gscale_coll_kind what, rng *r)
{
  static bool a[MOST];
  const int all = w->n <= 8 ? 1 << w->n : 3 * w->n + 20;
  double worst = 0;

  for (int k = 0; k < all; k++) {
    const int alone = k / 3, reach = k % 3 == 2 ? w->node : 1;
    for (int i = 0; i < w->n; i++)
      a[i] = w->n <= 8      ? k >> i & 1
             : alone < w->n ? (i / reach == alone / reach) != (k % 3 == 1)
                            : pick(r, 2);
    const double must = demand(what, a, w->n);
    if (must > 0) worst = fmax(worst, must / capacity(w, a));
  }
  return worst;
}

/* Seconds per byte of what all send over the sum of what all can. */
static double ports(const wires *w, gscale_coll_kind what)
{
  static bool a[MOST];
  double sum = w->nodes > 1 ? w->nodes * w->cards : 0, sent = w->n - 1;

  for (int i = 0; i < w->n; i++) {
    const int first = w->nodes > 1 ? i / w->node * w->node : 0;
    const int end = first + w->node;
    a[i] = true;
    sum += out_of(w, a, first, w->nodes > 1 && end < w->n ? end : w->n);
    a[i] = false;
  }
  if (what == GSCALE_COLL_ALL_REDUCE) sent *= 2;
  if (what == GSCALE_COLL_SEND_RECV) sent = w->n;
  return sent / (w->peers ? sum : fmin(sum, w->nodes * (w->host + w->cards)));
}

/* Gives GPUs of a mesh other places. */
static void shuffle(gscale_system *s, rng *r)
{
  gscale_fabric f = *gscale_system_about(s).fabric, was = f;
  int at[GSCALE_MESH_MAX];
  gscale_diag why;

  for (int i = 0; i < f.mesh_gpus; i++) {
    const int j = pick(r, i + 1);
    at[i] = at[j];
    at[j] = i;
  }
  for (int i = 0; i < f.mesh_gpus; i++)
    for (int j = 0; j < f.mesh_gpus; j++) f.mesh[i][j] = was.mesh[at[i]][at[j]];
  if (f.kind == GSCALE_MESH)
    gsl_test_int(
        (int)gscale_system_set_shape(s, &f, f.mesh_gpus, false, 0, &why),
        GSCALE_OK, "shuffled: %s", why.text);
}

static int tried, broken;

static void try_all(const gscale_plan *p, const wires *w, const char *name,
                    int sizes, rng *r)
{
  for (int k = 0; k < GSCALE_COLL_KIND_END; k++) {
    const gscale_coll_kind what = (gscale_coll_kind)k;
    wires of = *w; /* from one GPU to another, a host's link carries one way */
    if (w->n == 2 &&
        (what == GSCALE_COLL_BROADCAST || what == GSCALE_COLL_REDUCE))
      of.ring = value(w->s, "staged.pinned");
    const double cut = cuts(&of, what, r), sum = ports(&of, what);
    for (int i = 0; i < sizes; i++) {
      const double bytes = spread(r, 8, 8.0 * 1073741824);
      const gscale_coll_choice c = gscale_plan_collective(
          p, what, bytes, pick(r, 2), GSCALE_COLL_ALGORITHM_END,
          GSCALE_COLL_PROTOCOL_END);
      const bool reduced = c.algorithm == GSCALE_COLL_IN_SWITCH ||
                           c.algorithm == GSCALE_COLL_SWITCH_TREE;
      const double least = bytes * (reduced ? cut : fmax(cut, sum));
      if (isnan(c.total)) continue;
      tried++;
      if (c.total >= least * (1 - 1e-9)) continue;
      if (broken++ < 20)
        printf("%s, %d GPUs%s, %s of %.4g B by %s: %.4g s, %.4g at least\n",
               name, w->n, w->peers ? "" : " without peers",
               gscale_name(GSCALE_COLL_KIND_NAMES, what), bytes,
               gscale_name(GSCALE_COLL_ALGORITHM_NAMES, c.algorithm), c.total,
               least);
    }
  }
}

static void of_system(const char *path, rng *r)
{
  static const int draws[] = {2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 64};
  gscale_workload *w = one_phase(gather_phase(1e6, 1));
  gscale_system *s = NULL;
  settings set = {0};
  failure why = {0};
  about more;

  gsl_test_int(load_system(path, &set, &s, &more, &why), 0, "%s: %s", path,
               why.text);
  for (size_t i = 0; s && i < 2 * sizeof draws / sizeof *draws; i++) {
    gscale_can can = *gscale_system_can(s);
    gscale_plan *p = NULL;
    shuffle(s, r);
    if (i % 2) can.peer = GSCALE_PEER_NONE;
    gscale_system *at = s;
    const gscale_can was = *gscale_system_can(s);
    gscale_system_set_can(at, &can, NULL);
    if (gscale_plan_new(at, w, draws[i / 2], &p, NULL) == GSCALE_OK) {
      const wires of = wires_of(at, draws[i / 2]);
      try_all(p, &of, gscale_system_about(s).name, cases(4, 40), r);
    }
    gscale_plan_free(p);
    gscale_system_set_can(at, &was, NULL);
  }
  gscale_system_free(s);
  gscale_workload_free(w);
}

int main(void)
{
  rng r = {33};
  glob_t all;

  if (glob("params/*.lua", 0, NULL, &all) == 0) {
    for (size_t i = 0; i < all.gl_pathc; i++) of_system(all.gl_pathv[i], &r);
    globfree(&all);
  }
  gsl_test_int(broken, 0, "%d of %d collectives beat their wires", broken,
               tried);
  gsl_test(tried < cases(8000, 80000), "%d were tried", tried);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
