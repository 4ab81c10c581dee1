/* collective_nodes.c - parameters of NCCL's collectives between nodes, from
 * nccl-tests on several nodes of the system.
 *
 * collective.c gives the cost inside a node, and joint.c fits the parameters
 * below.  The model is smooth: its time is the mean over algorithms and
 * protocols with weights estimate^-SHARP. Ring and trees send the same between
 * two nodes, and rows do not record which ran.  All-reduces that may have run
 * on a tree therefore also count for trees. */

#include "lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NAMES[] = "allreduce, ... of NCCL, nodes";
static const double SHARP = 12.0;
static const double NEARER = 0.99; /* ratio of a lower misfit */
static const double LONG =
    64.0 * 1048576.0; /* B; the rate limits longer calls, weight 2 */
static const double TREES = 8.0 * 1048576.0; /* B; trees are not used above */
static const double KINDS = 0.15; /* difference between rates of pairs */

static const gscale__joint_term terms[] = {
    {GSCALE_COLL_NET_START, 1.0},   {GSCALE_COLL_NET_LL_START, 1.0},
    {GSCALE_COLL_NET_STEP, 0.5},    {GSCALE_COLL_NET_SIMPLE_STEP, 0.7},
    {GSCALE_COLL_TREE_STEP, 0.7},   {GSCALE_COLL_TREE_SIMPLE_STEP, 0.7},
    {GSCALE_COLL_NET_FULL, 0.15},   {GSCALE_COLL_NET_RATE, 0.5},
    {GSCALE_COLL_NET_LL_RATE, 1.0}, {GSCALE_COLL_NET_LL128_RATE, 0.7}};
enum {
  TERMS = sizeof terms / sizeof *terms,
  RATE = 7,
  LL128_RATE = 9
};

typedef struct search {
  timed *at;
  size_t n, all, room; /* the first n rows are fitted */
} search;

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

  EACH_ROW (b, &w, r) {
    if (!is_selected(b, r)) {
      if (strcmp(r->dst, "nodes") == 0)
        b->used[r - gscale_measurements_at(b->m, 0)] = false;
      continue;
    }
    timed *more = gscale_reserve(s->at, &s->room, s->all + 1, sizeof *more);
    if (!more) {
      gscale__no_memory(b);
      return;
    }
    s->at = more;
    more[s->all++] = (timed){.r = r, .call = gscale__coll_call(kind, r)};
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

static bool may_use_tree(const gscale_coll_machine *m,
                         const gscale_coll_call *c)
{
  return c->kind == GSCALE_COLL_ALL_REDUCE && c->n == 2 * m->node &&
         c->bytes <= TREES;
}

/* Sets two residuals of each row. */
static void set_off(const gscale__joint *j, const gscale_coll_machine *m,
                    gsl_vector *f)
{
  for (size_t i = 0; i < j->n; i++) {
    const gscale_coll_call *c = &j->at[i].call;
    const double measured = log(j->at[i].r->time);
    const double w = c->bytes > LONG ? 2.0 : 1.0;
    gsl_vector_set(f, 2 * i, w * (log_time(m, c, false) - measured));
    gsl_vector_set(f, 2 * i + 1,
                   may_use_tree(m, c) ? 0.5 * (log_time(m, c, true) - measured)
                                      : 0.0);
  }
}

/* ---- fit ----------------------------------------------------------------- */

static bool has_pairs_only(const search *s)
{
  for (size_t i = 0; i < s->n; i++)
    if (!gscale__of_pairs(s->at[i].call.kind)) return false;
  return true;
}

/* Solves with LL128 between nodes only if it clearly reduces the misfit. */
static void solve_both(bench_run *b, const search *s, gscale__joint *with)
{
  gscale__joint without = *with;

  without.guess[LL128_RATE] = 0.0;
  gscale__joint_solve(b, with);
  gscale__joint_solve(b, &without);
  if (isfinite(with->misfit) && isfinite(without.misfit)) {
    gscale__joint_conclude(
        b, with->misfit < NEARER * without.misfit ? with : &without, NAMES);
    gscale__conclude_offs(b, GSCALE_COLL_NET_OFF_SMALL, s->at, s->all, NAMES);
  }
}

/* Sets the guesses to the base, in which the data sheet replaces unknown
 * numbers.  A rate starts below that of the link, above which it has no
 * effect. */
static void guess(const bench_run *b, double *value)
{
  const double below = 0.95;
  const gscale_network *net = &b->s->network;
  const double most =
      below * net->rails * gscale__value(b, GSCALE_NETWORK_RATE);

  for (size_t k = 0; k < TERMS; k++) {
    value[k] = gscale__value(b, terms[k].id);
    if (!(value[k] > 0.0))
      value[k] = k == RATE ? net->rails * net->link.rate
                           : gscale_param_info_at(terms[k].id)->otherwise;
  }
  value[RATE] = fmin(value[RATE], most);
  value[LL128_RATE] = 0.5 * value[RATE];
}

void gscale__recipes_collective_nodes(bench_run *b)
{
  search s = {.at = NULL};

  if (b->s->network.nodes == 0) return;
  collect_all(b, &s, false);
  s.n = s.all;
  collect_all(b, &s, true);
  gscale__joint j = {.term = terms,
                     .terms = TERMS,
                     .all = true,
                     .at = s.at,
                     .n = s.n,
                     .each = 2,
                     .off = set_off};
  guess(b, j.guess);
  if (has_pairs_only(&s)) j.more[RATE] = KINDS;
  if (s.n > 0 && b->st == GSCALE_OK) solve_both(b, &s, &j);
  free(s.at);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
