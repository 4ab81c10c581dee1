/* jacobi.c - Jacobi sweeps over a banded system of linear equations.
 *
 * A x = b with the matrix of a 5- or 7-point stencil on n^dims points, strictly
 * diagonally dominant: 2 dims + 1 on the diagonal, -1 at distances 1, n (and
 * n^2), so its half bandwidth is n^(dims-1).  The rows are cut into slabs of
 * whole planes.  A thread makes one new x, and stores it into the memory of the
 * neighbour if that is within the bandwidth of the cut.
 *
 * x is double: each sweep reads one array and writes the other. */

#include "trace.h"

#include <math.h>
#include <stdlib.h>

typedef struct jacobi {
  int dims, gpus;
  size_t n, planes, face, points;
  float *b, *x[2], *plain[2]; /* plain: the same by a plain loop */
  uint64_t at[2];
  int now; /* x[now] is read */
  kernel sweep;
  double residual, rounding; /* rounding: what floats leave of it */
} jacobi;

/* ---- the equations ------------------------------------------------------- */

/* The sum over the off-diagonal elements of row i, with their signs turned. */
static float neighbours(const jacobi *j, const float *x, size_t i)
{
  float sum = 0.0f;
  size_t stride = 1;

  for (int d = 0; d < j->dims; d++) {
    const size_t most = d + 1 < j->dims ? j->n : j->planes;
    const size_t at = i / stride % most;
    if (at > 0) sum += x[i - stride];
    if (at + 1 < most) sum += x[i + stride];
    stride *= j->n;
  }
  return sum;
}

static float diagonal(const jacobi *j)
{
  return (float)(2 * j->dims + 1);
}

static float relaxed(const jacobi *j, const float *x, size_t i)
{
  return (j->b[i] + neighbours(j, x, i)) / diagonal(j);
}

static double residual_of(const jacobi *j, const float *x)
{
  double sum = 0.0;
  for (size_t i = 0; i < j->points; i++) {
    const double r = (double)j->b[i] + (double)neighbours(j, x, i) -
                     (double)diagonal(j) * (double)x[i];
    sum += r * r;
  }
  return sqrt(sum);
}

/* ---- the kernel ---------------------------------------------------------- */

/* Points of a GPU. */
static range slab_of(const jacobi *j, int gpu)
{
  const range planes = part_of(j->planes, j->gpus, gpu);
  return (range){planes.begin * j->face, planes.end * j->face};
}

/* Of points that lanes have those from `begin` on, a face. */
static void access_face(const jacobi *j, machine *m, int gpu, access_kind kind,
                        int dst, int array, range lanes, size_t begin)
{
  const size_t first = lanes.begin > begin ? lanes.begin : begin;
  const size_t last = least(lanes.end, begin + j->face);

  if (first >= last) return;
  instruction(m, gpu);
  for (size_t i = first; i < last; i++)
    access_shared(m, gpu, kind, dst, j->at[array] + WORD * i, WORD);
}

/* Lanes of the first and last plane read the planes beyond. */
static void load_halos(const jacobi *j, machine *m, int gpu, range lanes,
                       range slab)
{
  const size_t face = j->face;
  const range after = {lanes.begin + face, lanes.end + face};

  if (gpu > 0 && lanes.begin < slab.begin + face)
    access_face(j, m, gpu, LOAD, gpu, j->now,
                (range){lanes.begin - face, lanes.end - face},
                slab.begin - face);
  if (gpu + 1 < j->gpus)
    access_face(j, m, gpu, LOAD, gpu, j->now, after, slab.end);
}

static bool sweep(void *self, machine *m, const warp *w)
{
  jacobi *j = self;
  const int g = w->gpu, next = 1 - j->now;
  const range slab = slab_of(j, g), lanes = lanes_of(w, slab);

  if (wants_loads(m)) load_halos(j, m, g, lanes, slab);
  for (size_t i = lanes.begin; i < lanes.end; i++)
    j->x[next][i] = relaxed(j, j->x[j->now], i);
  if (g > 0) access_face(j, m, g, STORE, g - 1, next, lanes, slab.begin);
  if (g + 1 < j->gpus)
    access_face(j, m, g, STORE, g + 1, next, lanes, slab.end - j->face);
  return false;
}

static void iterate(void *self, machine *m)
{
  jacobi *j = self;
  launch(m, &j->sweep, j);
  j->now = 1 - j->now;
}

/* ---- the program --------------------------------------------------------- */

static void *prepare(machine *m, const choice *choices, rng *r)
{
  jacobi *j = need(1, sizeof *j);

  j->gpus = machine_gpus(m);
  j->n = (size_t)choices[0].value;
  j->dims = (int)choices[2].value;
  j->planes = choices[3].value > 0 ? (size_t)choices[3].value : j->n;
  need_planes(j->planes, j->gpus);
  j->face = j->dims == 2 ? j->n : j->n * j->n;
  j->points = j->face * j->planes;
  j->b = need(j->points, sizeof *j->b);
  for (int i = 0; i < 2; i++) {
    j->x[i] = need(j->points, sizeof *j->x[i]);
    j->plain[i] = need(j->points, sizeof *j->plain[i]);
    j->at[i] = share(m, j->points * WORD);
  }
  for (size_t i = 0; i < j->points; i++) j->b[i] = (float)rng_uniform(r) - 0.5f;
  j->residual = residual_of(j, j->x[0]);
  j->rounding = 1e-5 * j->residual;

  j->sweep = (kernel){.name = "sweep", .warps = 8, .run = sweep};
  for (int g = 0; g < j->gpus; g++) {
    const range slab = slab_of(j, g);
    const size_t faces = (size_t)(g > 0) + (size_t)(g + 1 < j->gpus);
    j->sweep.blocks[g] = blocks_for(&j->sweep, slab);
    j->sweep.bulk +=
        (double)(WORD * least(faces * j->face, slab.end - slab.begin));
  }
  return j;
}

/* The iteration's matrix is symmetric and its eigenvalues are at most
 * 2 dims / (2 dims + 1), so each sweep reduces the residual by that at least.
 */
static void verify(void *self, int iteration, bool last)
{
  jacobi *j = self;
  const double most =
      j->residual * (1.0 - 1.0 / (double)diagonal(j)) + j->rounding;
  const float *from = j->plain[(iteration + 1) % 2];
  float *to = j->plain[iteration % 2];
  size_t wrong = 0;

  for (size_t i = 0; i < j->points; i++) to[i] = relaxed(j, from, i);
  for (size_t i = 0; i < j->points; i++) wrong += to[i] != j->x[j->now][i];
  const double before = j->residual;
  j->residual = residual_of(j, j->x[j->now]);
  if (last) check(wrong == 0, "points unlike a plain loop's", (double)wrong);
  if (last || !(j->residual <= most))
    check(j->residual <= most, "residual / that before", j->residual / before);
}

static void dispose(void *self)
{
  jacobi *j = self;
  free(j->b);
  for (int i = 0; i < 2; i++) {
    free(j->x[i]);
    free(j->plain[i]);
  }
  free(j);
}

int main(int argc, char **argv)
{
  static const program p = {
      .name = "jacobi",
      .summary = "Sweeps over a banded matrix, halos to two neighbours",
      .choices = {{"size", "points per edge", 64, 2, 1024},
                  {"iterations", "sweeps", 10, 1, 100000},
                  {"dims", "2: a square, 3: a cube", 3, 2, 3},
                  {"planes",
                   "cut among the GPUs; 0: as many as points per edge", 0, 0,
                   1024}},
      .prepare = prepare,
      .iterate = iterate,
      .verify = verify,
      .dispose = dispose,
  };
  return trace_main(&p, argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
