/* contend.c - contention if all GPUs send at once, by number of GPUs and by
 * order of destinations. */

#include "recipe.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const double PACKET = 32.0; /* B; bytes limit larger words */

/* ---- contention ---------------------------------------------------------- */

/* An exchange, and the exchange without contention to which it is compared. */
typedef struct exchange {
  const char *bench, *access;
  double least, most; /* B; most = 0: any size */
  /* The bench with an order without contention.  NULL: the exchange of two
   * GPUs, repeated for each other GPU. */
  const char *apart;
} exchange;

static double apart(bench_run *b, const exchange *e,
                    const gscale_measurement *r)
{
  const wanted same = {.bench = e->apart ? e->apart : e->bench,
                       .access = e->access,
                       .size_least = r->size,
                       .size_most = r->size,
                       .gpus = e->apart ? r->gpus : 2};

  return gscale__item_time(b, same) * r->count /
         (e->apart ? 1.0 : r->gpus / 2.0);
}

static wanted all_of(const exchange *e)
{
  return (wanted){.bench = e->bench,
                  .access = e->access,
                  .size_least = e->least,
                  .size_most = e->most};
}

static bool more_than_two(bench_run *b, const exchange *e)
{
  const wanted w = all_of(e);

  EACH_ROW (b, &w, r)
    if (r->gpus > 2) return true;
  return false;
}

static void add_exchange(bench_run *b, const exchange *e)
{
  const wanted w = all_of(e);

  if (!more_than_two(b, e)) return; /* there is no contention */
  EACH_ROW (b, &w, r) {
    const double t = apart(b, e, r);
    if (r->gpus > 1 && t > 0.0)
      gscale__add_row(b, r, (double[]){t, t * (r->gpus - 2)});
  }
}

/* Returns the standard error of coefficient i / coefficient j. */
static double ratio_err(const gscale_fit *f, size_t i, size_t j)
{
  const double a = f->err[i] / f->value[j];
  const double b = f->value[i] / f->value[j] * f->err[j] / f->value[j];

  return sqrt(fmax(0.0, a * a + b * b - 2.0 * f->correlation[i][j] * a * b));
}

/* Fits gscale_meeting(): time = begin * apart + meet * apart * (n - 2).
 * `begin`, the ratio of both orders for two GPUs, is near 1. */
static void fit_contention(bench_run *b, gscale_param_id id, const exchange *e,
                           size_t n, const char *benches)
{
  gscale__begin(b, 2);
  for (size_t i = 0; i < n; i++) add_exchange(b, &e[i]);
  if (!gscale__solve(b, id, benches)) return;
  const double meet = b->fit.value[1] / b->fit.value[0];
  const double c3 = 1.0 / (1.0 + meet);

  gscale__conclude(b, id, c3, c3 * c3 * ratio_err(&b->fit, 1, 0), benches);
}

static void contend_copies(bench_run *b)
{
  const double least = 16 * GSCALE__MIB;
  const exchange pieces[] = {
      {"alltoall", "copy", least, 0.0, "alltoall_row"},
      {"contend_streams", "copy", least, 0.0, "contend_rotated"}};
  const exchange same = {"contend_same", "copy", least, 0.0, "contend_rotated"};

  fit_contention(b, GSCALE_COPY_CONTENDED, pieces, 2,
                 "alltoall, contend_streams, over their rows");
  fit_contention(b, GSCALE_COPY_SAME, &same, 1,
                 "contend_same, contend_rotated");
}

/* Stores, loads and atomics that bytes limit have a parameter each.  Stores and
 * loads that packets limit share a parameter, and atomics contend less. */
static void contend_kernels(bench_run *b)
{
  static const struct {
    const char *access;
    gscale_param_id id;
  } kinds[] = {{"store", GSCALE_STORE_SAME},
               {"load", GSCALE_LOAD_SAME},
               {"atomic", GSCALE_ATOMIC_SAME}};
  exchange small[3];

  for (size_t i = 0; i < 3; i++) {
    const exchange large = {"contend_same", kinds[i].access, PACKET + 1.0, 0.0,
                            NULL};
    fit_contention(b, kinds[i].id, &large, 1, "contend_same");
    small[i] = (exchange){"contend_same", kinds[i].access, 0.0, PACKET, NULL};
  }
  fit_contention(b, GSCALE_STORE_SAME_SMALL, small, 2, "contend_same");
  fit_contention(b, GSCALE_ATOMIC_SAME_SMALL, &small[2], 1, "contend_same");
}

/* ---- small packets ------------------------------------------------------- */

/* Returns the number of packets into the busiest GPU. */
static double packets_in(const gscale_measurement *r)
{
  return strcmp(r->dst, "all") == 0 ? r->count / r->gpus : r->count;
}

/* Adds points of gscale_ingress(): t(m) = alone / m + crowd * (1 - 1/m).  Rows
 * with one number of senders do not separate the terms; both are then equal. */
static size_t add_senders(bench_run *b, bool apart)
{
  static const char *const benches[] = {"scatter_in", "scatter_all",
                                        "contend_in", "contend_mixed"};
  int least = INT_MAX, most = 0;

  gscale__begin(b, apart ? 2 : 1);
  for (size_t k = 0; k < sizeof benches / sizeof *benches; k++) {
    const wanted w = {
        .bench = benches[k], .access = "store", .size_most = PACKET};
    EACH_ROW (b, &w, r) {
      const double n = packets_in(r), m = r->gpus - 1;
      if (r->gpus < 3) continue; /* with two GPUs, the sender is the limit */
      gscale__add_row(b, r,
                      apart ? (double[]){n / m, n * (1.0 - 1.0 / m)}
                            : (double[]){n, 0.0});
      least = r->gpus < least ? r->gpus : least;
      most = r->gpus > most ? r->gpus : most;
    }
  }
  return most > least ? 2 : most > 0 ? 1 : 0;
}

static void ingress(bench_run *b)
{
  const char *benches = "scatter_in, _all, contend_in, _mixed";
  const bool apart = add_senders(b, true) > 1 && b->p.n > 2;

  if (!apart) (void)add_senders(b, false);
  if (!gscale__solve(b, GSCALE_STORE_INGRESS, benches)) {
    gscale__copy_note(b, GSCALE_STORE_INGRESS_FEW, GSCALE_STORE_INGRESS);
    return;
  }
  const size_t many = apart ? 1 : 0;
  const double few = apart ? b->fit.value[0] / b->fit.value[1] : 1.0;
  gscale__conclude_inverse(b, GSCALE_STORE_INGRESS, many);
  if (apart && few < 1.0)
    gscale__conclude(b, GSCALE_STORE_INGRESS_FEW, 1.0 - few,
                     ratio_err(&b->fit, 0, 1), benches);
  else
    gscale__set_note(b, GSCALE_STORE_INGRESS_FEW,
                     "not told apart from store.ingress");
}

/* ---- full load ----------------------------------------------------------- */

/* Compares small loads or atomics of all GPUs with those of one GPU.  Requests
 * and replies, or updates and acknowledgements, share the ports. */
static void both_ways(bench_run *b, gscale_param_id id, const char *access)
{
  const char *benches = "contend_rotated, _mixed, _out";
  static const char *const all[] = {"contend_rotated", "contend_mixed"};

  gscale__begin(b, 1);
  for (size_t k = 0; k < 2; k++) {
    const wanted w = {.bench = all[k], .access = access, .size_most = PACKET};
    EACH_ROW (b, &w, r) {
      const wanted one = {.bench = "contend_out",
                          .access = access,
                          .size_least = r->size,
                          .size_most = r->size,
                          .gpus = r->gpus};
      const double t = gscale__item_time(b, one) * r->count / r->gpus;
      gscale__add_row(b, r, &t);
    }
  }
  gscale__solve_inverse(b, id, 0, benches);
}

void gscale__recipes_contend(bench_run *b)
{
  contend_copies(b);
  contend_kernels(b);
  ingress(b);
  both_ways(b, GSCALE_LOAD_ALL_ACTIVE, "load");
  both_ways(b, GSCALE_ATOMIC_ALL_ACTIVE, "atomic");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
