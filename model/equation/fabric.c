/* fabric.c - bytes on the busiest resource of a topology. */

#include "internal.h"
#include "object.h"

#include <math.h>
#include <stdlib.h>

/* ---- checking ----------------------------------------------------------- */

static bool reaches(const gscale_fabric *f, int i, int j)
{
  if (f->mesh[i][j] > 0.0 || f->staged > 0.0) return true;
  for (int k = 0; k < f->mesh_gpus; k++)
    if (f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0) return true;
  return false;
}

static gscale_status check_mesh(const gscale_fabric *f, gscale_diag *diag)
{
  if (f->mesh_gpus < 2 || f->mesh_gpus > GSCALE_MESH_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "mesh: %d GPUs: not in 2 .. %d",
                        f->mesh_gpus, (int)GSCALE_MESH_MAX);
  for (int i = 0; i < f->mesh_gpus; i++)
    for (int j = 0; j < f->mesh_gpus; j++) {
      if (!(f->mesh[i][j] >= 0.0) || !isfinite(f->mesh[i][j]))
        return gscale__fail(diag, GSCALE_EDOMAIN, "mesh: link %d to %d: %g", i,
                            j, f->mesh[i][j]);
      if (i != j && !reaches(f, i, j))
        return gscale__fail(diag, GSCALE_EDOMAIN,
                            "mesh: no way from %d to %d: neither a link, a "
                            "common neighbour nor a staged path",
                            i, j);
    }
  return GSCALE_OK;
}

gscale_status gscale_fabric_check(const gscale_fabric *f, gscale_diag *diag)
{
  const struct {
    const char *name;
    double value;
  } rates[] = {{"ingress", f->ingress},
               {"uplink", f->uplink},
               {"root", f->root},
               {"arc", f->arc}};

  if (f->kind >= GSCALE_TOPOLOGY_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "topology: %d", (int)f->kind);
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    if (!(rates[i].value > 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "topology: %s: %g is not > 0",
                          rates[i].name, rates[i].value);
  if (f->group < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "topology: group: %d is not >= 1",
                        f->group);
  if (!(f->split >= 0.0) || !(f->staged >= 0.0) || !isfinite(f->staged))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "topology: split %g B, staged %g: not >= 0", f->split,
                        f->staged);
  return f->kind == GSCALE_MESH ? check_mesh(f, diag) : GSCALE_OK;
}

/* ---- loads -------------------------------------------------------------- */

typedef struct traffic {
  int n;
  const double *bytes;
} traffic;

static double flow(const traffic *t, int i, int j)
{
  return i == j ? 0.0 : t->bytes[i * t->n + j];
}

static double ports(const gscale_fabric *f, const traffic *t, double duplex)
{
  double busiest = 0.0;
  double egress[GSCALE__GPUS_MAX] = {0.0}, ingress[GSCALE__GPUS_MAX] = {0.0};

  for (int i = 0; i < t->n; i++) /* row by row, as they lie in memory */
    for (int j = 0; j < t->n; j++) {
      const double b = flow(t, i, j);
      egress[i] += b;
      ingress[j] += b;
    }
  for (int i = 0; i < t->n; i++) {
    busiest = fmax(busiest, fmax(egress[i], ingress[i] / f->ingress));
    busiest = fmax(busiest, (egress[i] + ingress[i]) / duplex);
  }
  return busiest;
}

static double bus(const traffic *t)
{
  double sum = 0.0;

  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->n; j++) sum += flow(t, i, j);
  return sum;
}

/* Between groups: up, through the root, down. */
static double tree(const gscale_fabric *f, const traffic *t, double across)
{
  double root = 0.0, busiest = 0.0;
  double up[GSCALE__GPUS_MAX] = {0.0}, down[GSCALE__GPUS_MAX] = {0.0};

  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->n; j++) {
      if (i / f->group == j / f->group) continue;
      const double wire = flow(t, i, j) * across;
      up[i / f->group] += wire;
      down[j / f->group] += wire;
      root += wire;
    }
  for (int g = 0; g <= (t->n - 1) / f->group; g++)
    busiest = fmax(busiest, fmax(up[g], down[g]) / f->uplink);
  return fmax(busiest, root / f->root);
}

/* Adds `wire` to the `steps` arcs from `from` on, as differences between one
 * arc and the one before it. */
static void add_arcs(double *change, int n, int from, int steps, double wire)
{
  change[from] += wire;
  if (from + steps < n) {
    change[from + steps] -= wire;
  } else {
    change[0] += wire;
    change[from + steps - n] -= wire;
  }
}

static double worst_arc(const double *change, int n)
{
  double load = 0.0, worst = 0.0;

  for (int i = 0; i < n; i++) {
    load += change[i];
    worst = fmax(worst, load);
  }
  return worst;
}

/* Arc i of `forth` leads from i to i+1; of `back`, from i+1 to i. */
static double ring(const gscale_fabric *f, const traffic *t)
{
  const int n = t->n;
  double forth[GSCALE__GPUS_MAX + 1] = {0.0},
                                  back[GSCALE__GPUS_MAX + 1] = {0.0};

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      const int steps = (j - i + n) % n;
      const double wire = flow(t, i, j);
      const double half = 2 * steps == n ? 0.5 : 1.0;
      if (2 * steps <= n) add_arcs(forth, n, i, steps, half * wire);
      if (2 * steps >= n) add_arcs(back, n, j, n - steps, half * wire);
    }
  return fmax(worst_arc(forth, n), worst_arc(back, n)) / f->arc;
}

typedef struct mesh_load {
  double link[GSCALE_MESH_MAX][GSCALE_MESH_MAX];
  double out[GSCALE_MESH_MAX], in[GSCALE_MESH_MAX]; /* staged */
} mesh_load;

static void relay(const gscale_fabric *f, int i, int j, double wire,
                  mesh_load *load)
{
  int ways = 0;

  for (int k = 0; k < f->mesh_gpus; k++)
    ways += f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0;
  for (int k = 0; k < f->mesh_gpus; k++)
    if (f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0) {
      load->link[i][k] += wire / ways;
      load->link[k][j] += wire / ways;
    }
}

static double mesh(const gscale_fabric *f, const traffic *t)
{
  mesh_load load = {{{0.0}}, {0.0}, {0.0}};
  double busiest = 0.0;

  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < t->n; j++) {
      const double wire = flow(t, i, j);
      if (!(wire > 0.0)) continue;
      if (f->mesh[i][j] > 0.0) {
        load.link[i][j] += wire;
      } else if (f->staged > 0.0) {
        load.out[i] += wire;
        load.in[j] += wire;
      } else {
        relay(f, i, j, wire, &load);
      }
    }
  for (int i = 0; i < f->mesh_gpus; i++) {
    for (int j = 0; j < f->mesh_gpus; j++)
      if (load.link[i][j] > 0.0)
        busiest = fmax(busiest, load.link[i][j] / f->mesh[i][j]);
    if (f->staged > 0.0)
      busiest = fmax(busiest, fmax(load.out[i], load.in[i]) / f->staged);
  }
  return busiest;
}

static double beyond_ports(const gscale_fabric *f, const traffic *t,
                           double across)
{
  switch (f->kind) {
  case GSCALE_BUS:
    return bus(t);
  case GSCALE_TREE:
    return tree(f, t, across);
  case GSCALE_RING:
    return ring(f, t);
  case GSCALE_MESH:
    return mesh(f, t);
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return 0.0;
}

double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across)
{
  const traffic t = {n, bytes};

  if (n < 1 || n > GSCALE__GPUS_MAX || !(duplex >= 1.0) || !(duplex <= 2.0) ||
      !(across >= 1.0) || gscale_fabric_check(f, NULL) != GSCALE_OK ||
      (f->kind == GSCALE_MESH && n > f->mesh_gpus))
    return (double)NAN;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j && !(bytes[i * n + j] >= 0.0)) return (double)NAN;

  return fmax(ports(f, &t, duplex), beyond_ports(f, &t, across));
}

/* ---- by way of the host ------------------------------------------------- */

/* Every byte goes up from its GPU to the host and down to the other, over the
 * wires of a bus or a tree like any transfer, or else over a port of its own
 * that each GPU has to the host. */
double gscale__route_staged(const gscale_fabric *f, int n, const double *bytes)
{
  const traffic t = {n, bytes};
  const int group = f->kind == GSCALE_TREE ? f->group : n;
  double sum = 0.0, busiest = 0.0, up = 0.0, down = 0.0;

  for (int i = 0; i < n; i++) {
    double egress = 0.0, ingress = 0.0;
    for (int j = 0; j < n; j++) {
      egress += flow(&t, i, j);
      ingress += flow(&t, j, i);
    }
    if (i % group == 0) up = down = 0.0;
    sum += egress;
    up += egress;
    down += ingress;
    busiest = fmax(busiest, fmax(egress, ingress / f->ingress));
    if (f->kind == GSCALE_TREE)
      busiest = fmax(busiest, fmax(up, down) / f->uplink);
  }
  if (f->kind == GSCALE_TREE) busiest = fmax(busiest, 2.0 * sum / f->root);
  return f->kind == GSCALE_BUS ? fmax(busiest, 2.0 * sum) : busiest;
}

/* ---- one byte, nothing beside it --------------------------------------- */

static double tree_alone(const gscale_fabric *f, int i, int j, double across)
{
  return i / f->group == j / f->group ? 1.0 : across / fmin(f->uplink, f->root);
}

static double ring_alone(const gscale_fabric *f, int n, int i, int j)
{
  return (2 * abs(i - j) == n ? 0.5 : 1.0) / f->arc;
}

static double relay_alone(const gscale_fabric *f, int i, int j)
{
  double ways = 0.0, narrowest = INFINITY;

  for (int k = 0; k < f->mesh_gpus; k++) {
    if (!(f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0)) continue;
    ways += 1.0;
    narrowest = fmin(narrowest, fmin(f->mesh[i][k], f->mesh[k][j]));
  }
  return 1.0 / ways / narrowest;
}

static double mesh_alone(const gscale_fabric *f, int i, int j)
{
  if (f->mesh[i][j] > 0.0) return 1.0 / f->mesh[i][j];
  return f->staged > 0.0 ? 1.0 / f->staged : relay_alone(f, i, j);
}

static double beyond_alone(const gscale_fabric *f, int n, int i, int j,
                           double across)
{
  switch (f->kind) {
  case GSCALE_TREE:
    return tree_alone(f, i, j, across);
  case GSCALE_RING:
    return ring_alone(f, n, i, j);
  case GSCALE_MESH:
    return mesh_alone(f, i, j);
  case GSCALE_BUS:
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return 1.0;
}

double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across)
{
  return fmax(fmax(1.0, 1.0 / f->ingress), beyond_alone(f, n, i, j, across));
}

double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across)
{
  if (i < 0 || j < 0 || i >= n || j >= n || i == j || !(across >= 1.0) ||
      gscale_fabric_check(f, NULL) != GSCALE_OK ||
      (f->kind == GSCALE_MESH && n > f->mesh_gpus))
    return (double)NAN;
  return gscale__route_alone(f, n, i, j, across);
}
