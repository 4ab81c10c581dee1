/* collective_nodes.c - parameters of NCCL's collectives between nodes, from
 * nccl-tests on several nodes of the system.
 *
 * collective.c gives the cost inside a node.  The logarithms x of the
 * parameters below, relative to the base, minimise
 *
 *   sum rho( w ln(model / measured) ) + sum rho( TIE x / spread )
 *
 * with rho(r) = 2 F^2 (sqrt(1 + (r/F)^2) - 1), which is quadratic for small and
 * linear for large errors. Parameters that the rows do not identify keep the
 * base's value. The model is smooth: its time is the mean over algorithms and
 * protocols with weights estimate^-SHARP. Ring and trees send the same between
 * two nodes, and rows do not record which ran.  All-reduces that may have run
 * on a tree therefore also count for trees. */

#include "lines.h"
#include "price/collectives.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NAMES[] = "allreduce, ... of NCCL, nodes";
static const double FAR = 0.1;  /* limit F of quadratic errors */
static const double TIE = 0.15; /* share of a row's weight */
static const double SHARP = 12.0;
static const double UNKNOWN = 0.9; /* share of the prior's spread */
static const double MOVED = 0.1;   /* smallest change of x */
static const double NEARER = 0.99; /* ratio of a lower misfit */
static const double LONG =
    64.0 * 1048576.0; /* B; the rate limits longer calls, weight 2 */
static const double TREES = 8.0 * 1048576.0; /* B; trees are not used above */
static const double KINDS = 0.15; /* difference between rates of pairs */
enum {
  ROUNDS = 40
};

/* Each row has a fitted parameter, its place in a machine, and the factor
 * e^spread that limits the parameter around the base. */
static const struct {
  gscale_param_id id;
  size_t at;
  double spread;
} terms[] = {
#define AT(p, what) offsetof(gscale_coll_machine, net.by[p].what)
    {GSCALE_COLL_NET_START, AT(SIMPLE, start), 1.0},
    {GSCALE_COLL_NET_LL_START, AT(LL, start), 1.0},
    {GSCALE_COLL_NET_STEP, AT(LL, step), 0.5},
    {GSCALE_COLL_NET_SIMPLE_STEP, AT(SIMPLE, step), 0.7},
    {GSCALE_COLL_TREE_STEP, AT(LL, tree), 0.7},
    {GSCALE_COLL_TREE_SIMPLE_STEP, AT(SIMPLE, tree), 0.7},
    {GSCALE_COLL_NET_FULL, offsetof(gscale_coll_machine, net.full), 0.15},
    {GSCALE_COLL_NET_RATE, AT(SIMPLE, rate), 0.5},
    {GSCALE_COLL_NET_LL_RATE, AT(LL, rate), 1.0},
    {GSCALE_COLL_NET_LL128_RATE, AT(LL128, rate), 0.7},
#undef AT
};
enum {
  TERMS = sizeof terms / sizeof *terms
};

typedef struct row {
  const gscale_measurement *r;
  gscale_coll_call call;
} row;

typedef struct search {
  gscale_coll_machine base;
  row *at;
  size_t n, all, room; /* the first n rows are fitted */
} search;

static double *term_of(gscale_coll_machine *m, size_t k)
{
  return (double *)(void *)((char *)m + terms[k].at);
}

/* ---- rows ---------------------------------------------------------------- */

/* Returns true for calls streamed from a root, which identify no steps. */
static bool rooted(gscale_coll_kind kind)
{
  return kind == GSCALE_COLL_BROADCAST || kind == GSCALE_COLL_REDUCE;
}

/* Selects rows of several full nodes. */
static bool is_selected(const bench_run *b, const gscale_measurement *r)
{
  return strcmp(r->dst, "nodes") == 0 && r->size > 0.0 &&
         r->gpus > b->s->gpus && r->gpus % b->s->gpus == 0 &&
         (!(r->inflight > 1.0) || r->gpus == r->inflight * b->s->gpus);
}

static void collect(bench_run *b, search *s, size_t bench)
{
  const gscale_coll_kind kind = gscale__coll_benches[bench].kind;
  const wanted w = {.bench = gscale__coll_benches[bench].bench,
                    .access = "kernel"};
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale__next(b, &w, &i)) != NULL;) {
    if (!is_selected(b, r)) {
      if (strcmp(r->dst, "nodes") == 0) b->used[i - 1] = false;
      continue;
    }
    row *more = gscale__reserve(s->at, &s->room, s->all + 1, sizeof *more);
    if (!more) {
      gscale__no_memory(b);
      return;
    }
    s->at = more;
    more[s->all++] = (row){r, gscale__coll_call(kind, r)};
  }
}

static void collect_all(bench_run *b, search *s, bool of_roots)
{
  for (size_t i = 0; i < GSCALE__COLL_BENCHES; i++)
    if (rooted(gscale__coll_benches[i].kind) == of_roots) collect(b, s, i);
}

/* ---- smooth model -------------------------------------------------------- */

/* Adds an algorithm's protocols to sums of weights and weighted ln(time). */
static void add_protocols(const gscale_coll_machine *m,
                          const gscale_coll_call *c, gscale_coll_algorithm a,
                          double *sum, double *logs)
{
  for (int p = 0; p < GSCALE_COLL_LINES; p++) {
    const gscale_coll_choice k =
        gscale_coll_best(m, c, a, (gscale_coll_protocol)p);
    if (isnan(k.total)) continue;
    const double weight = pow(k.seen * 1e3, -SHARP); /* ms avoid overflow */
    *sum += weight;
    *logs += weight * log(k.total);
  }
}

/* Returns ln(time) over all algorithms, or over trees only. */
static double log_time(const gscale_coll_machine *m, const gscale_coll_call *c,
                       bool trees_only)
{
  double sum = 0.0, logs = 0.0;

  for (int a = 0; a < GSCALE_COLL_OF_NCCL; a++)
    if (a != GSCALE_COLL_PAIRWISE && (!trees_only || a == GSCALE_COLL_TREE))
      add_protocols(m, c, (gscale_coll_algorithm)a, &sum, &logs);
  return logs / sum;
}

static double huber(double r)
{
  const double x = r / FAR;

  return r * sqrt(2.0 / (sqrt(1.0 + x * x) + 1.0));
}

static bool may_use_tree(const gscale_coll_machine *m,
                         const gscale_coll_call *c)
{
  return c->kind == GSCALE_COLL_ALL_REDUCE && c->n == 2 * m->node &&
         c->bytes <= TREES;
}

static gscale_coll_machine machine_at(const search *s, const gsl_vector *x)
{
  gscale_coll_machine m = s->base;

  for (size_t k = 0; k < TERMS; k++)
    *term_of(&m, k) *= exp(gsl_vector_get(x, k));
  gscale__coll_follow(&m);
  return m;
}

/* Computes two residuals of each row, and one of each term. */
static int residuals(const gsl_vector *x, void *closure, gsl_vector *f)
{
  const search *s = closure;
  const gscale_coll_machine m = machine_at(s, x);
  size_t to = 0;

  for (size_t i = 0; i < s->n; i++) {
    const gscale_coll_call *c = &s->at[i].call;
    const double measured = log(s->at[i].r->time);
    const double w = c->bytes > LONG ? 2.0 : 1.0;
    gsl_vector_set(f, to++, huber(w * (log_time(&m, c, false) - measured)));
    gsl_vector_set(f, to++,
                   may_use_tree(&m, c)
                       ? huber(0.5 * (log_time(&m, c, true) - measured))
                       : 0.0);
  }
  for (size_t k = 0; k < TERMS; k++)
    gsl_vector_set(f, to++,
                   huber(TIE * gsl_vector_get(x, k) / terms[k].spread));
  return GSL_SUCCESS;
}

/* ---- fit ----------------------------------------------------------------- */

typedef struct outcome {
  double x[TERMS], left[TERMS]; /* errors of x for a misfit of 1 */
  double misfit;                /* misfit of a row */
} outcome;

static void keep(const search *s, const gsl_multifit_nlinear_workspace *w,
                 gsl_matrix *cov, outcome *o)
{
  gsl_multifit_nlinear_covar(w->J, 0.0, cov);
  o->misfit = gsl_blas_dnrm2(w->f) / sqrt((double)s->n);
  for (size_t k = 0; k < TERMS; k++) {
    o->x[k] = gsl_vector_get(w->x, k);
    o->left[k] = sqrt(gsl_matrix_get(cov, k, k));
  }
}

static void solve(bench_run *b, search *s, outcome *o)
{
  gsl_multifit_nlinear_parameters how =
      gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_fdf f = {
      .f = residuals, .n = 2 * s->n + TERMS, .p = TERMS, .params = s};
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, f.n, f.p);
  gsl_vector *x = gsl_vector_calloc(TERMS);
  gsl_matrix *cov = gsl_matrix_alloc(TERMS, TERMS);
  int info;

  o->misfit = INFINITY;
  if (!w || !x || !cov)
    gscale__no_memory(b);
  else if (gsl_multifit_nlinear_init(x, &f, w) == GSL_SUCCESS) {
    gsl_multifit_nlinear_driver(ROUNDS, 1e-8, 1e-8, 0.0, NULL, NULL, &info, w);
    keep(s, w, cov, o);
  }
  gsl_matrix_free(cov);
  gsl_vector_free(x);
  gsl_multifit_nlinear_free(w);
}

static bool has_pairs_only(const search *s)
{
  for (size_t i = 0; i < s->n; i++)
    if (!gscale__of_pairs(s->at[i].call.kind)) return false;
  return true;
}

static void conclude(bench_run *b, search *s, const outcome *o)
{
  const bool pairs = has_pairs_only(s);

  for (size_t k = 0; k < TERMS; k++) {
    const double value = *term_of(&s->base, k) * exp(o->x[k]);
    if (!(value > 0.0))
      gscale__set_note(b, terms[k].id, "the rows are as well without it");
    else if (gscale__value(b, terms[k].id) > 0.0 &&
             o->left[k] > UNKNOWN * terms[k].spread / TIE &&
             fabs(o->x[k]) < MOVED)
      gscale__set_note(b, terms[k].id, "the rows do not tell it");
    else
      gscale__conclude_unfitted(
          b, terms[k].id, s->n, value,
          value *
              hypot(fmin(terms[k].spread, o->left[k] * o->misfit),
                    pairs && terms[k].id == GSCALE_COLL_NET_RATE ? KINDS : 0.0),
          NAMES);
  }
}

static void conclude_offs(bench_run *b, const search *s)
{
  gscale__off *of = calloc(s->all, sizeof *of);

  if (!of) {
    gscale__no_memory(b);
    return;
  }
  for (size_t i = 0; i < s->all; i++)
    of[i] = (gscale__off){
        s->at[i].call.bytes,
        fabs(log(gscale__row_time(b->s, s->at[i].r) / s->at[i].r->time))};
  gscale__conclude_offs(b, GSCALE_COLL_NET_OFF_SMALL, of, s->all, NAMES);
  free(of);
}

/* Solves with LL128 between nodes only if it clearly reduces the misfit. */
static void solve_both(bench_run *b, search *s)
{
  double *rate_at = &s->base.net.by[LL128].rate;
  const double rate = *rate_at;
  outcome with, without;

  solve(b, s, &with);
  *rate_at = 0.0;
  solve(b, s, &without);
  const bool nearer = with.misfit < NEARER * without.misfit;
  if (nearer) *rate_at = rate;
  if (isfinite(with.misfit) && isfinite(without.misfit)) {
    conclude(b, s, nearer ? &with : &without);
    conclude_offs(b, s);
  }
}

/* Returns the base, in which the data sheet replaces unknown numbers. */
static gscale_coll_machine base_of(const bench_run *b)
{
  gscale_coll_machine m = gscale__coll_known(b->s);
  const gscale_network *net = &b->s->network;

  if (!(m.net.by[SIMPLE].rate > 0.0))
    m.net.by[SIMPLE].rate = net->rails * net->link.rate;
  for (size_t k = 0; k < TERMS; k++)
    if (!(*term_of(&m, k) > 0.0))
      *term_of(&m, k) = gscale_param_info_at(terms[k].id)->otherwise;
  m.net.by[LL128].rate = 0.5 * m.net.by[SIMPLE].rate; /* initial guess */
  return m;
}

void gscale__recipes_collective_nodes(bench_run *b)
{
  search s = {.at = NULL};

  if (b->s->network.nodes == 0) return;
  collect_all(b, &s, false);
  s.n = s.all;
  collect_all(b, &s, true);
  s.base = base_of(b);
  if (s.n > 0 && b->st == GSCALE_OK) solve_both(b, &s);
  free(s.at);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
