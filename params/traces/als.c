/* als.c - alternating least squares by stochastic gradient descent.
 *
 * A sparse matrix R of n rows and columns is approximated by U V', where U and
 * V have `rank` numbers for each row and column.  U moves while V is kept, then
 * V while U is kept:
 *
 *     e = R[i][j] - U[i].V[j];   U[i] = U[i] + rate (e V[j] - lambda U[i])
 *
 * for the ratings of row i in a random order.  Rows are cut into equal blocks,
 * and so are columns.  A thread takes a row: its vector stays in registers, a
 * rating a turn, and is then stored number by number, to all GPUs: any rating
 * may refer to it.
 *
 * --atomic 1: a thread takes a rating, and adds what it contributes to the
 * vector of its row number by number, by atomic adds. */

#include "graph.h"

#include <math.h>
#include <stdlib.h>

static const float LAMBDA = 0.001f;

/* One half of an iteration: R by rows, or by columns. */
typedef struct half {
  matrix r; /* elements of a row in the order of descent */
  float *rating;
  float *moving, *kept; /* U and V, or V and U */
  uint64_t moving_at, kept_at;
  uint32_t *row, *order; /* of elements, with --atomic: a GPU's shuffled */
  float *error;
  kernel update;
} half;

typedef struct als {
  size_t n, rank;
  int gpus;
  float rate;
  float *factor[2], *plain[2]; /* plain: the same by plain loops */
  half half[2];
  const half *now;
  double loss;
} als;

/* ---- descent ------------------------------------------------------------- */

static float dot(const float *x, const float *y, size_t n)
{
  float sum = 0.0f;
  for (size_t f = 0; f < n; f++) sum += x[f] * y[f];
  return sum;
}

static float error_of(const als *a, const half *h, size_t row, size_t e)
{
  return h->rating[e] - dot(h->moving + a->rank * row,
                            h->kept + a->rank * h->r.column[e], a->rank);
}

static void step(const als *a, const half *h, size_t row, size_t e, size_t f,
                 float error)
{
  float *x = h->moving + a->rank * row + f;
  const float y = h->kept[a->rank * h->r.column[e] + f];
  *x += a->rate * (error * y - LAMBDA * *x);
}

static double loss_of(const als *a)
{
  const half *h = &a->half[0];
  double sum = 0.0;

  for (size_t i = 0; i < a->n; i++)
    for (size_t e = h->r.first[i]; e < h->r.first[i + 1]; e++) {
      const double error = (double)error_of(a, h, i, e);
      sum += error * error;
    }
  return sum;
}

/* ---- accesses ------------------------------------------------------------ */

/* The elements that the lanes of a warp work on. */
typedef struct lanes {
  size_t n, row[LANES], element[LANES];
} lanes;

/* The vectors that are kept, in loads of 16 B if they can be cut so. */
static void load_kept(const als *a, machine *m, int gpu, const lanes *l)
{
  const size_t words = a->rank % 4 ? 1 : 4;

  for (size_t f = 0; f < a->rank; f += words) {
    instruction(m, gpu);
    for (size_t i = 0; i < l->n; i++) {
      const uint32_t j = a->now->r.column[l->element[i]];
      if (part_owner(a->n, a->gpus, j) == gpu) continue;
      access_shared(m, gpu, LOAD, ALL,
                    a->now->kept_at + WORD * (a->rank * j + f),
                    (unsigned)(WORD * words));
    }
  }
}

static void write_number(const als *a, machine *m, int gpu, access_kind kind,
                         size_t row, size_t f)
{
  if (a->gpus > 1)
    access_shared(m, gpu, kind, ALL,
                  a->now->moving_at + WORD * (a->rank * row + f), WORD);
}

/* ---- a thread for each row ----------------------------------------------- */

/* Element number `turn` of each row that has it. */
static lanes elements_of(const matrix *r, range rows, uint32_t turn)
{
  lanes l = {0};

  for (size_t i = rows.begin; i < rows.end; i++) {
    if (turn >= row_length(r, i)) continue;
    l.row[l.n] = i;
    l.element[l.n++] = r->first[i] + turn;
  }
  return l;
}

static size_t longest(const matrix *r, range rows)
{
  size_t most = 0;
  for (size_t i = rows.begin; i < rows.end; i++)
    if (row_length(r, i) > most) most = row_length(r, i);
  return most;
}

static bool update_rows(void *self, machine *m, const warp *w)
{
  als *a = self;
  const half *h = a->now;
  const range rows = lanes_of(w, part_of(a->n, a->gpus, w->gpu));
  const size_t ratings = longest(&h->r, rows);

  if (rows.begin == rows.end) return false;
  if (w->turn < ratings) {
    const lanes l = elements_of(&h->r, rows, w->turn);
    if (wants_loads(m)) load_kept(a, m, w->gpu, &l);
    for (size_t i = 0; i < l.n; i++) {
      const float error = error_of(a, h, l.row[i], l.element[i]);
      for (size_t f = 0; f < a->rank; f++)
        step(a, h, l.row[i], l.element[i], f, error);
    }
    return true;
  }
  instruction(m, w->gpu);
  for (size_t i = rows.begin; i < rows.end; i++)
    write_number(a, m, w->gpu, STORE, i, w->turn - ratings);
  return w->turn + 1 < ratings + a->rank;
}

/* ---- a thread for each rating -------------------------------------------- */

static range elements_of_gpu(const als *a, const half *h, int gpu)
{
  const range rows = part_of(a->n, a->gpus, gpu);
  return (range){h->r.first[rows.begin], h->r.first[rows.end]};
}

static bool update_ratings(void *self, machine *m, const warp *w)
{
  als *a = self;
  const half *h = a->now;
  const range ratings = lanes_of(w, elements_of_gpu(a, h, w->gpu));
  lanes l = {0};

  for (size_t k = ratings.begin; k < ratings.end; k++) {
    l.element[l.n] = h->order[k];
    l.row[l.n++] = h->row[h->order[k]];
  }
  if (w->turn == 0) {
    if (wants_loads(m)) load_kept(a, m, w->gpu, &l);
    for (size_t i = 0; i < l.n; i++)
      h->error[l.element[i]] = error_of(a, h, l.row[i], l.element[i]);
    return l.n > 0;
  }
  instruction(m, w->gpu);
  for (size_t i = 0; i < l.n; i++) {
    step(a, h, l.row[i], l.element[i], w->turn - 1, h->error[l.element[i]]);
    write_number(a, m, w->gpu, ATOMIC, l.row[i], w->turn - 1);
  }
  return w->turn < a->rank;
}

static void iterate(void *self, machine *m)
{
  als *a = self;
  for (int i = 0; i < 2; i++) {
    a->now = &a->half[i];
    launch(m, &a->now->update, a);
  }
}

/* ---- the program --------------------------------------------------------- */

/* R = U V' of random U and V, and noise. */
static float *rate_all(const als *a, const matrix *r, rng *random)
{
  const size_t numbers = a->n * a->rank;
  const float scale = sqrtf(3.0f / (float)a->rank); /* so that |U[i]| is 1 */
  float *rating = need(r->first[a->n], sizeof *rating);
  float *u = need(2 * numbers, sizeof *u), *v = u + numbers;

  for (size_t i = 0; i < 2 * numbers; i++)
    u[i] = scale * (float)rng_uniform(random);
  for (size_t i = 0; i < a->n; i++)
    for (size_t e = r->first[i]; e < r->first[i + 1]; e++)
      rating[e] = dot(u + a->rank * i, v + a->rank * r->column[e], a->rank) +
                  0.1f * ((float)rng_uniform(random) - 0.5f);
  free(u);
  return rating;
}

static void shuffle_rows(half *h, rng *r)
{
  for (size_t i = 0; i < h->r.rows; i++)
    for (uint32_t e = h->r.first[i + 1]; e > h->r.first[i] + 1; e--) {
      const uint32_t first = h->r.first[i];
      const uint32_t other = first + rng_below(r, e - first);
      const uint32_t column = h->r.column[other];
      const float rating = h->rating[other];

      h->r.column[other] = h->r.column[e - 1];
      h->r.column[e - 1] = column;
      h->rating[other] = h->rating[e - 1];
      h->rating[e - 1] = rating;
    }
}

/* The same ratings by columns. */
static void turn_over(const half *rows, half *columns)
{
  columns->r = matrix_transpose(&rows->r);
  columns->rating = need(rows->r.first[rows->r.rows], sizeof(float));
  for (size_t e = 0; e < rows->r.first[rows->r.rows]; e++)
    columns->rating[e] = rows->rating[columns->r.origin[e]];
}

static void order_ratings(const als *a, half *h, rng *r)
{
  const size_t n = h->r.first[a->n];

  h->row = need(n, sizeof *h->row);
  h->order = need(n, sizeof *h->order);
  h->error = need(n, sizeof *h->error);
  for (size_t i = 0; i < a->n; i++)
    for (size_t e = h->r.first[i]; e < h->r.first[i + 1]; e++)
      h->row[e] = (uint32_t)i;
  for (int g = 0; g < a->gpus; g++) {
    const range mine = elements_of_gpu(a, h, g);
    uint32_t *order = permutation(mine.end - mine.begin, r);
    for (size_t k = mine.begin; k < mine.end; k++)
      h->order[k] = (uint32_t)mine.begin + order[k - mine.begin];
    free(order);
  }
}

static void make_kernel(const als *a, half *h, bool atomic)
{
  h->update =
      (kernel){.warps = 8, .run = atomic ? update_ratings : update_rows};
  h->update.name = h == &a->half[0] ? "rows" : "columns";
  h->update.bulk = (double)(a->n * a->rank * WORD);
  deal_blocks(&h->update, a->n, a->gpus);
  for (int g = 0; atomic && g < a->gpus; g++)
    h->update.blocks[g] = blocks_for(&h->update, elements_of_gpu(a, h, g));
}

static void *prepare(machine *m, const choice *choices, rng *r)
{
  als *a = need(1, sizeof *a);
  const bool atomic = choices[5].value != 0;
  const size_t ratings = (size_t)choices[2].value;
  uint64_t at[2];

  a->n = (size_t)choices[0].value;
  a->rank = (size_t)choices[4].value;
  a->gpus = machine_gpus(m);
  a->rate = 0.5f / (float)ratings; /* the steps of a row go half the way */
  for (int i = 0; i < 2; i++) {
    a->factor[i] = need(a->n * a->rank, sizeof *a->factor[i]);
    at[i] = share(m, a->n * a->rank * WORD);
    a->plain[i] = need(a->n * a->rank, sizeof *a->plain[i]);
    for (size_t k = 0; k < a->n * a->rank; k++)
      a->plain[i][k] = a->factor[i][k] =
          (float)rng_uniform(r) / sqrtf((float)a->rank);
  }
  a->half[0].r =
      matrix_of_band(a->n, ratings, a->n * (size_t)choices[3].value / 100, r);
  a->half[0].rating = rate_all(a, &a->half[0].r, r);
  turn_over(&a->half[0], &a->half[1]);
  for (int i = 0; i < 2; i++) {
    half *h = &a->half[i];
    h->moving = a->factor[i];
    h->kept = a->factor[1 - i];
    h->moving_at = at[i];
    h->kept_at = at[1 - i];
    shuffle_rows(h, r);
    if (atomic) order_ratings(a, h, r);
    make_kernel(a, h, atomic);
  }
  a->loss = loss_of(a);
  return a;
}

static void descend_plainly(const als *a, int i)
{
  half h = a->half[i];

  h.moving = a->plain[i];
  h.kept = a->plain[1 - i];
  for (size_t row = 0; row < a->n; row++)
    for (size_t e = h.r.first[row]; e < h.r.first[row + 1]; e++) {
      const float error = error_of(a, &h, row, e);
      for (size_t f = 0; f < a->rank; f++) step(a, &h, row, e, f, error);
    }
}

/* With --atomic the order of the ratings is another one each time. */
static void verify(void *self, int iteration, bool last)
{
  als *a = self;
  const double before = a->loss;
  size_t wrong = 0;

  (void)iteration;
  a->loss = loss_of(a);
  if (last || !(a->loss < before))
    check(a->loss < before, "squared error / that before", a->loss / before);
  if (a->half[0].order) return;
  for (int i = 0; i < 2; i++) {
    descend_plainly(a, i);
    for (size_t k = 0; last && k < a->n * a->rank; k++)
      wrong += a->plain[i][k] != a->factor[i][k];
  }
  if (last) check(wrong == 0, "numbers unlike a plain loop's", (double)wrong);
}

static void dispose(void *self)
{
  als *a = self;
  for (int i = 0; i < 2; i++) {
    half *h = &a->half[i];
    matrix_free(&h->r);
    free(h->rating);
    free(h->row);
    free(h->order);
    free(h->error);
    free(a->factor[i]);
    free(a->plain[i]);
  }
  free(a);
}

int main(int argc, char **argv)
{
  static const program p = {
      .name = "als",
      .summary = "Matrix factorization by stochastic gradient descent",
      .choices = {{"size", "rows, and columns", 4096, 2, 2097152},
                  {"iterations", "of both factors", 2, 1, 100000},
                  {"ratings", "in a row", 140, 1, 1000},
                  {"band", "half bandwidth, % of the rows", 100, 1, 100},
                  {"rank", "numbers of a vector", 16, 1, 1024},
                  {"atomic", "1: a thread for each rating", 0, 0, 1}},
      .prepare = prepare,
      .iterate = iterate,
      .verify = verify,
      .dispose = dispose,
  };
  return trace_main(&p, argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
