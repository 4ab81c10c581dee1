/* collective_mpi.c - parameters of MPI's collectives, from OSU's benchmarks
 * (mpi_allreduce, ...) with arrays in host and GPU memory.
 *
 * As in collective_nodes.c, the logarithms x of the parameters below, relative
 * to the base, minimise
 *
 *   sum rho( ln(model / measured) ) + sum rho( TIE x / spread ).
 *
 * A parameter that affects no row keeps the value of the base. */

#include "lines.h"
#include "price/collectives.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NAMES[] = "mpi_allreduce, ...";
static const double FAR = 0.1; /* larger errors have less weight */
static const double TIE = 0.15;
static const double UNKNOWN = 0.9;  /* share of the prior's spread */
static const double GUESSED = 20e9; /* B/s, if there is no data sheet */
enum {
  ROUNDS = 100
};

static const struct {
  const char *bench;
  gscale_coll_kind kind;
} benches[] = {
    {"mpi_allreduce", GSCALE_COLL_ALL_REDUCE},
    {"mpi_allgather", GSCALE_COLL_ALL_GATHER},
    {"mpi_reducescatter", GSCALE_COLL_REDUCE_SCATTER},
    {"mpi_broadcast", GSCALE_COLL_BROADCAST},
    {"mpi_reduce", GSCALE_COLL_REDUCE},
    {"mpi_alltoall", GSCALE_COLL_ALL_TO_ALL},
};
enum {
  BENCHES = sizeof benches / sizeof *benches
};

static const struct {
  gscale_param_id id;
  size_t at;
  double spread; /* the prior is a factor of e^+-spread */
} terms[] = {
#define AT(what) offsetof(gscale_coll_machine, mpi.what)
    {GSCALE_MPI_START, AT(start), 1.5},
    {GSCALE_MPI_STEP, AT(step), 1.0},
    {GSCALE_MPI_RATE, AT(rate), 1.0},
    {GSCALE_MPI_ADD, AT(add), 1.0},
    {GSCALE_MPI_NET_STEP, AT(net_step), 1.0},
    {GSCALE_MPI_NET_RATE, AT(net_rate), 1.0},
    {GSCALE_MPI_COPY_START, AT(copy_start), 1.0},
    {GSCALE_MPI_COPY_RATE, AT(copy_rate), 1.0},
    {GSCALE_MPI_GPU_STEP, AT(gpu_step), 1.0},
    {GSCALE_MPI_GPU_RATE, AT(gpu_rate), 1.0},
    {GSCALE_MPI_GPU_SHORT_RATE, AT(gpu_short_rate), 1.0},
    {GSCALE_MPI_GPU_NET_STEP, AT(gpu_net_step), 1.0},
    {GSCALE_MPI_GPU_NET_RATE, AT(gpu_net_rate), 1.0},
#undef AT
};
enum {
  TERMS = sizeof terms / sizeof *terms
};

typedef struct row {
  const gscale_measurement *r;
  gscale_coll_call call;
  gscale_coll_protocol protocol;
} row;

typedef struct search {
  gscale_coll_machine base;
  row *at;
  size_t n, room;
} search;

static double *term_of(gscale_coll_machine *m, size_t k)
{
  return (double *)(void *)((char *)m + terms[k].at);
}

/* ---- rows ---------------------------------------------------------------- */

bool gscale__mpi_call(const gscale_measurement *r, gscale_coll_call *call,
                      gscale_coll_protocol *protocol)
{
  const bool host = strcmp(r->access, "host") == 0;

  if (!host && strcmp(r->access, "gpu") != 0) return false;
  for (size_t i = 0; i < BENCHES; i++)
    if (strcmp(r->bench, benches[i].bench) == 0) {
      *call = gscale__coll_call(benches[i].kind, r);
      *protocol = host ? GSCALE_COLL_HOST : GSCALE_COLL_PROTOCOL_END;
      return r->gpus >= 2 && r->size > 0.0;
    }
  return false;
}

/* Selects rows on one node or on several full nodes. */
static bool is_selected(const bench_run *b, const gscale_measurement *r)
{
  const int node = b->s->gpus;

  if (strcmp(r->dst, "nodes") != 0) return r->gpus <= node;
  return b->s->network.nodes > 0 && r->gpus % node == 0 && r->gpus > node &&
         (!(r->inflight > 1.0) || r->gpus == r->inflight * node);
}

static void collect(bench_run *b, search *s)
{
  for (size_t i = 0; i < gscale_measurements_count(b->m); i++) {
    row one = {.r = gscale_measurements_at(b->m, i)};
    if (!gscale__mpi_call(one.r, &one.call, &one.protocol) ||
        !is_selected(b, one.r))
      continue;
    row *more = gscale__reserve(s->at, &s->room, s->n + 1, sizeof *more);
    if (!more) {
      gscale__no_memory(b);
      return;
    }
    s->at = more;
    more[s->n++] = one;
    b->used[i] = true;
  }
}

/* ---- fit ----------------------------------------------------------------- */

static double huber(double r)
{
  const double x = r / FAR;

  return r * sqrt(2.0 / (sqrt(1.0 + x * x) + 1.0));
}

static int residuals(const gsl_vector *x, void *closure, gsl_vector *f)
{
  const search *s = closure;
  gscale_coll_machine m = s->base;

  for (size_t k = 0; k < TERMS; k++)
    *term_of(&m, k) *= exp(gsl_vector_get(x, k));
  for (size_t i = 0; i < s->n; i++) {
    const row *r = &s->at[i];
    const double t =
        gscale_coll_best(&m, &r->call, GSCALE_COLL_MPI, r->protocol).total;
    gsl_vector_set(f, i, huber(log(t / r->r->time)));
  }
  for (size_t k = 0; k < TERMS; k++)
    gsl_vector_set(f, s->n + k,
                   huber(TIE * gsl_vector_get(x, k) / terms[k].spread));
  return GSL_SUCCESS;
}

static void conclude(bench_run *b, search *s,
                     const gsl_multifit_nlinear_workspace *w, gsl_matrix *cov)
{
  const double misfit = gsl_blas_dnrm2(w->f) / sqrt((double)s->n);

  gsl_multifit_nlinear_covar(w->J, 0.0, cov);
  for (size_t k = 0; k < TERMS; k++) {
    const double left = sqrt(gsl_matrix_get(cov, k, k));
    const double value = *term_of(&s->base, k) * exp(gsl_vector_get(w->x, k));
    if (left > UNKNOWN * terms[k].spread / TIE)
      gscale__set_note(b, terms[k].id, "the rows do not tell it");
    else
      gscale__conclude_unfitted(b, terms[k].id, s->n, value,
                                value * fmin(terms[k].spread, left * misfit),
                                NAMES);
  }
}

/* Stores the error, which covers two of three rows. */
static void conclude_off(bench_run *b, const search *s)
{
  const gscale_coll_machine m = gscale__coll_known(b->s);
  const double share = 0.6827;
  double *off = calloc(s->n, sizeof *off);

  if (!off) {
    gscale__no_memory(b);
    return;
  }
  for (size_t i = 0; i < s->n; i++)
    off[i] = fabs(log(
        gscale_coll_best(&m, &s->at[i].call, GSCALE_COLL_MPI, s->at[i].protocol)
            .total /
        s->at[i].r->time));
  gsl_sort(off, 1, s->n);
  gscale__conclude_unfitted(b, GSCALE_MPI_OFF, s->n,
                            sinh(off[(size_t)(share * (double)s->n)]), 0.0,
                            NAMES);
  free(off);
}

static void solve(bench_run *b, search *s)
{
  gsl_multifit_nlinear_parameters how =
      gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_fdf f = {
      .f = residuals, .n = s->n + TERMS, .p = TERMS, .params = s};
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, f.n, f.p);
  gsl_vector *x = gsl_vector_calloc(TERMS);
  gsl_matrix *cov = gsl_matrix_alloc(TERMS, TERMS);
  int info;

  if (!w || !x || !cov)
    gscale__no_memory(b);
  else if (gsl_multifit_nlinear_init(x, &f, w) == GSL_SUCCESS) {
    gsl_multifit_nlinear_driver(ROUNDS, 1e-8, 1e-8, 0.0, NULL, NULL, &info, w);
    conclude(b, s, w, cov);
    conclude_off(b, s);
  }
  gsl_matrix_free(cov);
  gsl_vector_free(x);
  gsl_multifit_nlinear_free(w);
}

/* Returns the base, in which the data sheet replaces unknown numbers. */
static gscale_coll_machine base_of(const bench_run *b)
{
  gscale_coll_machine m = gscale__coll_known(b->s);
  const bool sold = m.mpi.port > 0.0 && isfinite(m.mpi.port);
  const double rate = sold ? m.mpi.port : GUESSED;

  if (!(m.mpi.net_rate > 0.0)) m.mpi.net_rate = rate;
  if (!(m.mpi.gpu_net_rate > 0.0)) m.mpi.gpu_net_rate = rate;
  return m;
}

void gscale__recipes_collective_mpi(bench_run *b)
{
  search s = {.at = NULL};

  collect(b, &s);
  if (s.n > 0 && b->st == GSCALE_OK) {
    s.base = base_of(b);
    solve(b, &s);
  }
  free(s.at);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
