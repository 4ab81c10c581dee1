/* fabric.c - conversion of links between GPU pairs to a fabric. */

#include "import/import.h"

/* A GPU has at most 18 NVLinks since NVLink 4. */
static const int MOST_NVLINKS = 18;

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

/* Creates a mesh, where the rate of a link is its share of the largest number
 * of links of a GPU.  The fabric relays pairs without a link through a common
 * neighbour.  If a pair has no common neighbour, as with bridged pairs, all
 * pairs without a link are staged in the host. */
static gscale_status mesh(gscale__source *s, const gscale__links *l, int most,
                          gscale_fabric *f)
{
  if (l->gpus > GSCALE_MESH_MAX)
    return gscale__fail(s->diag, GSCALE_ESIZE, "%s: a mesh of %d GPUs, over %d",
                        s->path, l->gpus, (int)GSCALE_MESH_MAX);
  f->mesh_gpus = l->gpus;
  for (int i = 0; i < l->gpus; i++)
    for (int j = 0; j < l->gpus; j++)
      f->mesh[i][j] = (double)l->nvlinks[i][j] / most;
  if (gscale_fabric_check(f, NULL) != GSCALE_OK) f->staged = 1.0;
  return GSCALE_OK;
}

/* Returns the number of GPUs below one PCIe switch from `first` on. */
static int group_size(const gscale__links *l, int first)
{
  int n = 1;
  while (first + n < l->gpus && l->near[first][first + n]) n++;
  return n;
}

/* Creates a tree with groups of equal size, where GPU i is in group (i /
 * group). */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
