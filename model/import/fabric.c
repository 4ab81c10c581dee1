/* fabric.c - conversion of links between GPU pairs to a fabric. */

#include "import/import.h"

#include <math.h>
#include <string.h>

/* A GPU has at most 18 NVLinks since NVLink 4. */
static const int MOST_NVLINKS = 18;

/* Pairs without a link are slower by at least this factor than those with one.
 * Pairs with one link are half as fast as those with two. */
static const double UNLINKED = 2.2;
static const double LEAST_COPY = 1048576.0; /* B */

static int most_links(const gscale__links *l)
{
  int most = 0;
  for (int i = 0; i < l->gpus; i++) {
    int sum = 0;
    for (int j = 0; j < l->gpus; j++) sum += l->nvlinks[i][j];
    if (sum > most) most = sum;
  }
  return most;
}

/* Returns true if GPUs are joined by switches.  For such GPUs, nvidia-smi shows
 * all links of a GPU for each pair, so that the sum exceeds the links of a GPU.
 * With two GPUs, a switch and a direct link are equal. */
static bool is_switch(const gscale__links *l)
{
  const int links = l->gpus > 1 ? l->nvlinks[0][1] : 0;

  if (l->switched || l->gpus == 1) return true;
  if (links == 0) return false;
  for (int i = 0; i < l->gpus; i++)
    for (int j = 0; j < l->gpus; j++)
      if (i != j && l->nvlinks[i][j] != links) return false;
  return l->gpus == 2 || (l->gpus - 1) * links > MOST_NVLINKS;
}

/* Sets the rate of a link to its share of the most links of a GPU. */
static void fill_mesh(const gscale__links *l, int most, gscale_fabric *f)
{
  f->mesh_gpus = l->gpus;
  for (int i = 0; i < l->gpus; i++)
    for (int j = 0; j < l->gpus; j++)
      f->mesh[i][j] = (double)l->nvlinks[i][j] / most;
}

/* Creates a mesh.  The fabric relays pairs without a link through a common
 * neighbour.  If a pair has no common neighbour, as with bridged pairs, all
 * pairs without a link are staged in the host. */
static gscale_status mesh(gscale__source *s, const gscale__links *l, int most,
                          gscale_fabric *f)
{
  if (l->gpus > GSCALE_MESH_MAX)
    return gscale__fail(s->diag, GSCALE_ESIZE, "%s: a mesh of %d GPUs, over %d",
                        s->path, l->gpus, (int)GSCALE_MESH_MAX);
  fill_mesh(l, most, f);
  if (gscale_fabric_check(f, NULL) != GSCALE_OK) f->staged = INFINITY;
  return GSCALE_OK;
}

/* Returns the number of GPUs below one PCIe switch from `first` on. */
static int group_size(const gscale__links *l, int first)
{
  int n = 1;
  while (first + n < l->gpus && l->near[first][first + n]) n++;
  return n;
}

/* Creates a tree with equal groups, where GPU i is in group (i / group). */
static gscale_status tree(gscale__source *s, const gscale__links *l,
                          gscale_fabric *f)
{
  f->group = group_size(l, 0);
  for (int i = 0; i < l->gpus; i++)
    for (int j = 0; j < l->gpus; j++)
      if (i != j && l->near[i][j] != (i / f->group == j / f->group))
        return gscale__fail(
            s->diag, GSCALE_EDATA,
            "%s: PCIe switches do not hold equal groups of GPUs that follow "
            "one another: see GPUs %d and %d",
            s->path, i, j);
  return GSCALE_OK;
}

static gscale_status check_symmetric(gscale__source *s, const gscale__links *l)
{
  for (int i = 0; i < l->gpus; i++)
    for (int j = 0; j < i; j++)
      if (l->nvlinks[i][j] != l->nvlinks[j][i] ||
          l->near[i][j] != l->near[j][i])
        return gscale__fail(s->diag, GSCALE_EPARSE,
                            "%s: GPU%d to GPU%d is not as GPU%d to GPU%d",
                            s->path, i, j, j, i);
  return GSCALE_OK;
}

gscale_status gscale__fabric(gscale__source *s, const gscale__links *l,
                             gscale_fabric *out)
{
  const int most = most_links(l);
  const gscale_topology kind = is_switch(l) ? GSCALE_SWITCH
                               : most > 0   ? GSCALE_MESH
                                            : GSCALE_TREE;
  gscale_status st = check_symmetric(s, l);
  gscale_fabric f;

  gscale_fabric_init(&f, kind);
  if (st == GSCALE_OK && kind == GSCALE_MESH) st = mesh(s, l, most, &f);
  if (st == GSCALE_OK && kind == GSCALE_TREE) st = tree(s, l, &f);
  if (st == GSCALE_OK) *out = f;
  return st;
}

/* ---- from measured pairs --------------------------------------------------
 */

typedef double rates[GSCALE__LINKED_MAX][GSCALE__LINKED_MAX]; /* B/s */

/* Finds the rate of each pair, the same both ways, and returns the GPUs. */
static int find_rates(const gscale_measurements *m, rates rate)
{
  const gscale_measurement *r;
  int gpus = 0;

  for (size_t i = 0; (r = gscale_measurements_at(m, i)); i++) {
    const int a = atoi(r->src), b = atoi(r->dst), n = 1 + (a > b ? a : b);

    if (strcmp(r->bench, "dma") != 0 || r->size < LEAST_COPY ||
        n > GSCALE_MESH_MAX)
      continue;
    if (n > gpus) gpus = n;
    rate[a][b] = rate[b][a] = fmax(rate[a][b], r->size * r->count / r->time);
  }
  return gpus;
}

/* Returns the rate of the slowest pair with a link, found downwards from the
 * fastest pair. */
static double find_unit(rates rate, int gpus)
{
  double unit = 0.0, next = 0.0;

  for (int k = 0; k < gpus * gpus; k++)
    next = fmax(next, rate[k / gpus][k % gpus]);
  while (unit < next || unit > next) {
    unit = next;
    for (int k = 0; k < gpus * gpus; k++)
      if (rate[k / gpus][k % gpus] * UNLINKED > unit)
        next = fmin(next, rate[k / gpus][k % gpus]);
  }
  return unit;
}

double gscale_measurements_fabric(const gscale_measurements *m,
                                  gscale_fabric *out, int *gpus)
{
  rates rate = {{0.0}};
  gscale__links l = {.gpus = find_rates(m, rate)};
  const double unit = find_unit(rate, l.gpus);
  double slow = 0.0;

  for (int i = 0; i < l.gpus; i++) {
    int linked = 0;
    for (int j = 0; j < l.gpus; j++) {
      l.nvlinks[i][j] = (int)lround(rate[i][j] / unit);
      linked += l.nvlinks[i][j] > 0;
      if (l.nvlinks[i][j] == 0) slow = fmax(slow, rate[i][j]);
    }
    if (linked == 0 || linked == l.gpus - 1) return 0.0;
  }
  if (l.gpus == 0) return 0.0;
  const int most = most_links(&l);
  gscale_fabric_init(out, GSCALE_MESH);
  fill_mesh(&l, most, out);
  out->staged = slow > 0.0 ? slow / (unit * most) : INFINITY;
  *gpus = l.gpus;
  return unit * most;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
