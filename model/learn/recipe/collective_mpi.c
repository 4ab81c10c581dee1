/* collective_mpi.c - parameters of MPI's collectives, from OSU's benchmarks
 * (mpi_allreduce, ...) with arrays in host and GPU memory, by joint.c. */

#include "lines.h"
#include "price/collectives.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NAMES[] = "mpi_allreduce, ...";
static const double GUESSED = 20e9; /* B/s, if there is no data sheet */

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

static const gscale__joint_term terms[] = {
    {GSCALE_MPI_START, 1.5},          {GSCALE_MPI_STEP, 1.0},
    {GSCALE_MPI_RATE, 1.0},           {GSCALE_MPI_ADD, 1.0},
    {GSCALE_MPI_NET_STEP, 1.0},       {GSCALE_MPI_NET_RATE, 1.0},
    {GSCALE_MPI_COPY_START, 1.0},     {GSCALE_MPI_COPY_RATE, 1.0},
    {GSCALE_MPI_GPU_STEP, 1.0},       {GSCALE_MPI_GPU_RATE, 1.0},
    {GSCALE_MPI_GPU_SHORT_RATE, 1.0}, {GSCALE_MPI_GPU_NET_STEP, 1.0},
    {GSCALE_MPI_GPU_NET_RATE, 1.0},
};
enum {
  TERMS = sizeof terms / sizeof *terms
};

typedef struct search {
  timed *at;
  size_t n, room;
} search;

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
    timed one = {.r = gscale_measurements_at(b->m, i)};
    if (!gscale__mpi_call(one.r, &one.call, &one.protocol) ||
        !is_selected(b, one.r))
      continue;
    timed *more = gscale_reserve(s->at, &s->room, s->n + 1, sizeof *more);
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

static double guess(const bench_run *b, gscale_param_id id)
{
  const double value = gscale__value(b, id);
  const double sold =
      b->s->network.rails * gscale__value(b, GSCALE_NETWORK_RATE);

  if (value > 0.0 ||
      (id != GSCALE_MPI_NET_RATE && id != GSCALE_MPI_GPU_NET_RATE))
    return value;
  return sold > 0.0 && isfinite(sold) ? sold : GUESSED;
}

void gscale__recipes_collective_mpi(bench_run *b)
{
  search s = {.at = NULL};

  collect(b, &s);
  gscale__joint j = {.term = terms,
                     .terms = TERMS,
                     .at = s.at,
                     .n = s.n,
                     .each = 1,
                     .by = GSCALE_COLL_MPI,
                     .off = gscale__joint_off};
  for (size_t k = 0; k < TERMS; k++) j.guess[k] = guess(b, terms[k].id);
  if (s.n > 0 && b->st == GSCALE_OK) {
    gscale__joint_solve(b, &j);
    if (isfinite(j.misfit)) {
      gscale__joint_conclude(b, &j, NAMES);
      conclude_off(b, &s);
    }
  }
  free(s.at);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
