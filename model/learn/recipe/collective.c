/* collective.c - parameters of NCCL's collectives from results of nccl-tests or
 * of params/bench/nccl.cu.
 *
 * The time of a call is the least of three lines (equation/collective.c), and
 * lines.c assigns calls to lines:
 *
 *   LL:     time = start + steps * step + bytes / rate,
 *   LL128:  time = start + steps * flag_step + bytes / rate,
 *   simple: time = start + more + steps * flag_step + bytes / rate.
 *
 * Times are those of many consecutive calls, without the host's part if a bench
 * has such rows (`_gate`).  collective_nodes.c has results between nodes. */

#include "lines.h"
#include "price/collectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int ROUNDS = 8; /* guesses converge in fewer rounds */

/* Share of a call's time that the lines cannot explain. */
static const double LEFT = 0.05;
static const double LARGE = 4.0 * 1048576.0; /* B; channels limit more */

static const char NAMES[] = "allreduce, allgather, ... of NCCL";

/* ---- measurements -------------------------------------------------------- */

/* Returns the fastest choice of all algorithms and protocols. */
static gscale_coll_choice fastest_choice(const gscale_coll_machine *m,
                                         const gscale_coll_call *c)
{
  return gscale_coll_best(m, c, GSCALE_COLL_ALGORITHM_END,
                          GSCALE_COLL_PROTOCOL_END);
}

static gscale_coll_call call_of(bench_run *b, gscale_coll_kind kind,
                                const gscale_measurement *r)
{
  gscale_coll_call c = gscale__coll_call(kind, r);
  gscale__source_room room;
  gscale__traffic_room traffic;

  if (!gscale__traffic_room_open(&traffic, r->gpus)) {
    gscale__no_memory(b);
    return c;
  }
  const gscale__coll_paths p = gscale__coll_paths_of(
      gscale__source_in(&room, b->s, NULL), r->gpus, r->gpus, &traffic);
  gscale__traffic_room_close(&traffic);
  gscale__coll_route(&p, &c);
  return c;
}

static timed timed_of(bench_run *b, gscale_coll_kind kind,
                      const gscale_measurement *r)
{
  const gscale_coll_call c = call_of(b, kind, r);
  const gscale_coll_algorithm a =
      gscale__of_pairs(kind) ? GSCALE_COLL_DIRECT : GSCALE_COLL_RING;
  const bool rooted =
      kind == GSCALE_COLL_BROADCAST || kind == GSCALE_COLL_REDUCE;

  timed t = {
      .r = r,
      .call = c,
      .protocol = GSCALE_COLL_PROTOCOL_END,
      .threads = strstr(r->bench, "_gate") ? 0 : (int)r->threads,
      .moved = gscale_coll_traffic(kind, a, c.n, c.n) * c.bytes *
               (kind == GSCALE_COLL_ALL_TO_ALL ? c.route_all : c.route),
      .idle = gscale_system_can(b->s)->peer < GSCALE_PEER_STORES
                  ? 0.0
                  : gscale_coll_idle(kind, a, c.n) * c.bytes,
      .line = GSCALE__NO_LINE,
  };
  for (int i = 0; i < GSCALE__LINES; i++)
    t.steps[i] = rooted ? gscale_coll_held(c.n, (gscale_coll_protocol)i)
                        : gscale_coll_steps(kind, a, c.n, c.n);
  return t;
}

/* Selects rows within a node with at least two GPUs and a size above 0.  A base
 * that can grow may have fewer GPUs than the row. */
static bool is_in_node(const bench_run *b, const gscale_measurement *r)
{
  const bool more = b->s->grows && b->s->network.nodes == 0;

  return strcmp(r->dst, "all") == 0 && r->gpus >= 2 &&
         (more || r->gpus <= b->s->gpus) && r->size > 0.0;
}

static void collect(collection *c, const char *bench, const char *access,
                    gscale_coll_kind kind)
{
  const wanted w = {.bench = bench, .access = access};

  EACH_ROW (c->b, &w, r) {
    if (!is_in_node(c->b, r)) {
      c->b->used[r - gscale_measurements_at(c->b->m, 0)] = false;
      continue;
    }
    timed *moved = gscale_reserve(c->at, &c->room, c->n + 1, sizeof *moved);
    if (!moved) {
      gscale__no_memory(c->b);
      return;
    }
    c->at = moved;
    moved[c->n++] = timed_of(c->b, kind, r);
  }
}

static void collect_all(collection *c)
{
  for (size_t i = 0; i < GSCALE__COLL_BENCHES; i++) {
    const gscale__coll_bench *of = &gscale__coll_benches[i];
    const size_t before = c->n;
    char gate[32];
    gscale__print(gate, sizeof gate, "%s_gate", of->bench);
    collect(c, gate, "kernel", of->kind);
    if (c->n > before) continue;
    collect(c, of->bench, "kernel", of->kind);
    collect(c, of->bench, "in-place", of->kind);
  }
}

static bool by_host(const collection *c)
{
  return gscale_system_can(c->b->s)->peer < GSCALE_PEER_STORES;
}

/* Fits the rate through the host to rings that do not close over the links of a
 * mesh, unless copies tell it. */
static void solve_host(collection *c)
{
  bench_run *b = c->b;
  const double link = c->formatted * gscale__value(b, GSCALE_COLL_EFFICIENCY) /
                      gscale__value(b, GSCALE_STAGED_RATE);

  gscale__begin(b, 2);
  for (size_t i = 0; b->s->hosted && i < c->n; i++) {
    const timed *t = &c->at[i];
    if (!gscale__of_pairs(t->call.kind) && t->moved >= LARGE &&
        t->call.route * b->s->fabric.staged > 0.99)
      gscale__add_point(b, t->r, t->r->time, t->r->sigma,
                        (double[]){1.0, t->moved / link});
  }
  if (b->p.n > 0 && !b->out->of[GSCALE_STAGED_RATE].fitted &&
      gscale__solve_inverse(b, GSCALE_STAGED_RATE, 1, NAMES)) {
    c->n = 0;
    collect_all(c);
  }
}

/* ---- in-switch ----------------------------------------------------------- */

/* Marks all-reduces on N GPUs if one is faster than a ring over its port. */
static void find_switch(collection *c)
{
  if (by_host(c) || !gscale__coll_switched(&c->b->s->fabric, &c->b->s->link))
    return;
  for (size_t i = 0; i < c->n; i++) {
    const timed *fast = &c->at[i];
    if (fast->call.kind != GSCALE_COLL_ALL_REDUCE ||
        fast->moved / fast->r->time <= c->formatted)
      continue;
    for (size_t k = 0; k < c->n; k++) {
      timed *t = &c->at[k];
      t->in_switch =
          t->in_switch || (t->call.kind == fast->call.kind &&
                           t->call.n == fast->call.n && t->moved >= LARGE);
    }
  }
}

/* ---- line parameters ----------------------------------------------------- */

typedef struct line_numbers {
  gscale_param_id start, step, rate;
} line_numbers;

/* Parameters of each line.  Rows through the host determine how much slower the
 * host is than known links. */
static const line_numbers numbers[2][GSCALE__LINES] = {
    {[LL] = {GSCALE_COLL_START, GSCALE_COLL_STEP, GSCALE_COLL_LL_RATE},
     [LL128] = {GSCALE_PARAM_END, GSCALE_COLL_FLAG_STEP,
                GSCALE_COLL_LL128_RATE},
     [SIMPLE] = {GSCALE_COLL_SIMPLE_START, GSCALE_PARAM_END,
                 GSCALE_COLL_EFFICIENCY}},
    {[LL] = {GSCALE_COLL_START, GSCALE_STAGED_STEP, GSCALE_COLL_LL_RATE},
     [LL128] = {GSCALE_PARAM_END, GSCALE_PARAM_END, GSCALE_COLL_LL128_RATE},
     [SIMPLE] = {GSCALE_COLL_SIMPLE_START, GSCALE_PARAM_END,
                 GSCALE_STAGED_RING}}};

static const line_numbers *of_line(const collection *c, int line)
{
  return &numbers[by_host(c)][line];
}

/* Returns true if the calls on this line, or on any line, vary in their number
 * of GPUs.  On one number of GPUs, kinds of calls differ by more than their
 * steps. */
static bool gpus_vary(const collection *c, int line)
{
  int first = 0;

  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (line == GSCALE__NO_LINE ? !gscale__of_lines(t) : t->line != line)
      continue;
    if (first == 0) first = t->call.n;
    if (t->call.n != first) return true;
  }
  return false;
}

/* Notes why the parameters of a line keep their values. */
static void note_line(const collection *c, int line, const char *text)
{
  const gscale_param_id ids[] = {
      of_line(c, line)->start, of_line(c, line)->step, of_line(c, line)->rate};

  for (size_t i = 0; i < LENGTH(ids); i++)
    if (ids[i] < GSCALE_PARAM_END) gscale__set_note(c->b, ids[i], text);
}

/* Terms in the fit of a line, without steps that are equal in all calls. */
typedef struct terms {
  bool start, step, turn;
  double known; /* s of a known start */
  double each;  /* s of a known step */
} terms;

static bool identifies_turn(const collection *c)
{
  const double apart = 0.2; /* least difference between kinds */
  double least = INFINITY, most = 0.0;

  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (t->line != SIMPLE) continue;
    least = fmin(least, t->idle / t->moved);
    most = fmax(most, t->idle / t->moved);
  }
  return most - least > apart;
}

static terms terms_of(const collection *c, int line)
{
  const double start = gscale__value(c->b, GSCALE_COLL_START);
  const double hop = by_host(c) ? gscale__value(c->b, GSCALE_STAGED_STEP) : 0.0;
  const double flag = gscale__value(c->b, GSCALE_COLL_FLAG_STEP) + hop;
  const double step = gscale__value(c->b, GSCALE_COLL_STEP);

  if (line == LL128 && !by_host(c))
    return (terms){.step = true, .known = start};
  if (line == LL128) return (terms){.known = start, .each = flag};
  if (line == SIMPLE)
    return (terms){.start = true,
                   .turn = identifies_turn(c),
                   .known = start,
                   .each = flag};
  return gpus_vary(c, LL) ? (terms){.start = true,
                                    .step = true,
                                    .each = by_host(c) ? step : 0.0}
                          : (terms){.start = true, .each = step + hop};
}

/* Adds the points of a line.  Calls that take little more than the known time
 * do not identify the unknown terms. */
static void add_points(const collection *c, int line, const terms *k)
{
  const double attained =
      by_host(c) ? gscale__value(c->b, GSCALE_COLL_EFFICIENCY) : c->formatted;
  const double unit = line == SIMPLE ? attained : 1.0;

  gscale__begin(c->b, 1u + k->start + k->step + k->turn);
  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    double x[GSCALE__TERMS_MOST];
    size_t n = 0;
    if (t->line != line || t->r->time < (1.0 + LEFT) * k->known) continue;
    if (k->start) x[n++] = 1.0;
    if (k->step) x[n++] = t->steps[line];
    if (k->turn) x[n++] = t->idle / unit;
    x[n++] = (k->turn ? t->moved : gscale__on_line(c, t, line)) / unit;
    gscale__add_point(c->b, t->r,
                      t->r->time - k->known - k->each * t->steps[line],
                      hypot(t->r->sigma, LEFT * t->r->time), x);
  }
}

/* Stores the ratio of the terms of idle steps and of bytes. */
static void conclude_turn(bench_run *b, size_t j)
{
  const double *x = b->fit.value, *e = b->fit.err;

  gscale__conclude_unfitted(b, GSCALE_COLL_TURN, b->p.n, x[j] / x[j + 1],
                            hypot(e[j], x[j] / x[j + 1] * e[j + 1]) / x[j + 1],
                            NAMES);
}

static void solve_line(const collection *c, int line)
{
  bench_run *b = c->b;
  const terms k = terms_of(c, line);
  size_t n = 0;

  add_points(c, line, &k);
  if (b->p.n < b->p.terms + GSCALE__SPARE) {
    note_line(c, line, "too few calls are by this protocol");
    return;
  }
  if (!gscale__solve(b, of_line(c, line)->rate, NAMES)) {
    note_line(c, line, b->out->of[of_line(c, line)->rate].note);
    return;
  }
  if (k.start) {
    gscale__conclude_term(b, of_line(c, line)->start, n);
    n++;
  }
  if (k.step) {
    gscale__conclude_term(b, of_line(c, line)->step, n);
    n++;
  }
  if (line == LL && !k.step)
    gscale__set_note(b, of_line(c, LL)->step,
                     "all calls are of as many GPUs: part of the start");
  if (k.turn) conclude_turn(b, n++);
  gscale__conclude_inverse(b, of_line(c, line)->rate, n);
}

/* ---- pairs --------------------------------------------------------------- */

static const char PAIRS[] = "alltoall, ring";

/* Fits the additional time of small sends over a ring with the same bytes. */
static void solve_pair_start(const collection *c)
{
  bench_run *b = c->b;
  const gscale_coll_machine m = gscale__coll_known(b->s);

  gscale__begin(b, 1);
  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (gscale__of_pairs(t->call.kind) && t->moved <= GSCALE__SMALL)
      gscale__add_point(b, t->r,
                        t->r->time -
                            (fastest_choice(&m, &t->call).total - m.pair_start),
                        t->r->sigma, NULL);
  }
  if (b->p.n == 0) {
    gscale__set_note(b, GSCALE_COLL_PAIR_START, "no sends of 4 KiB or less");
    return;
  }
  gscale__solve_term(b, GSCALE_COLL_PAIR_START, 0, PAIRS);
}

/* Returns true if channels slow a send to one GPU below the port's rate. */
static bool held_by_channels(const gscale_coll_machine *m, const timed *t)
{
  const double slow = 0.85; /* share of the port's rate */

  return t->call.kind == GSCALE_COLL_SEND_RECV && t->moved >= LARGE &&
         t->moved / t->r->time < slow * m->link;
}

/* Returns the bytes through one channel, and sets *time to their time. */
static double channel_share(const gscale_coll_machine *m, const timed *t,
                            double *time)
{
  const gscale_coll_time known = fastest_choice(m, &t->call).time;

  *time = t->r->time - known.start - known.latency;
  return t->moved / gscale_coll_channels(t->call.bytes, t->call.n, m->channels);
}

/* Iterates the channels' rate, because it determines the first protocol. */
static double guess_channel(const collection *c, gscale_coll_machine m)
{
  for (int round = 0; round < ROUNDS; round++) {
    double sum = 0.0, n = 0.0, time;
    for (size_t i = 0; i < c->n; i++) {
      if (!held_by_channels(&m, &c->at[i])) continue;
      sum += channel_share(&m, &c->at[i], &time) / time;
      n += 1.0;
    }
    if (n > 0.0 && sum > 0.0) m.channel = sum / n;
  }
  return m.channel;
}

static void solve_channel(const collection *c)
{
  bench_run *b = c->b;
  gscale_coll_machine m = gscale__coll_known(b->s);

  m.channel = guess_channel(c, m);
  gscale__begin(b, 1);
  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    double time;
    if (!held_by_channels(&m, t)) continue;
    const double x = channel_share(&m, t, &time);
    gscale__add_point(b, t->r, time, t->r->sigma, &x);
  }
  if (b->p.n == 0) {
    gscale__set_note(b, GSCALE_COLL_CHANNEL,
                     "no sends that are slower than a port");
    return;
  }
  gscale__solve_inverse(b, GSCALE_COLL_CHANNEL, 0, "ring");
}

/* ---- other parameters ---------------------------------------------------- */

/* Fits the rate of the switch, and the start if no other calls tell it. */
static void solve_switch(const collection *c)
{
  bench_run *b = c->b;
  const gscale_coll_machine m = gscale__coll_known(b->s);
  const double known = m.start + 2.0 * m.by[SIMPLE].step;
  size_t calls = 0;

  for (size_t i = 0; i < c->n; i++) calls += c->at[i].in_switch;
  const size_t start =
      calls > GSCALE__SPARE + 1 && !b->out->of[GSCALE_COLL_SIMPLE_START].fitted;
  gscale__begin(b, 1 + start);
  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    const double x[] = {1.0, gscale_coll_traffic(GSCALE_COLL_ALL_REDUCE,
                                                 GSCALE_COLL_IN_SWITCH,
                                                 t->call.n, t->call.n) *
                                 t->call.bytes / c->formatted};
    if (t->in_switch)
      gscale__add_point(b, t->r,
                        t->r->time - known - (start ? 0.0 : m.by[SIMPLE].start),
                        t->r->sigma, x + 1 - start);
  }
  if (b->p.n == 0)
    gscale__set_note(b, GSCALE_COLL_SWITCH,
                     "no all-reduce is faster than a ring can be");
  else if (gscale__solve_inverse(b, GSCALE_COLL_SWITCH, start, "allreduce") &&
           start)
    gscale__conclude_term(b, GSCALE_COLL_SIMPLE_START, 0);
}

/* Returns the model's time of an item of a row, or NaN for another bench. */
static double modelled(const bench_run *b, const gscale_measurement *r)
{
  return gscale__row_time(b->s, r) / r->count;
}

/* Compares the finished model with the calls that were used. */
static void compare(const collection *c)
{
  const timed *last = NULL;

  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (!last || strcmp(last->r->bench, t->r->bench) != 0)
      gscale__compare(c->b, t->r->bench, modelled);
    last = t;
  }
}

/* ---- joint fit ----------------------------------------------------------- */

/* Returns the mean |ln(time / measured)| of a system. */
static double mean_off(const collection *c, const gscale_system *s)
{
  double sum = 0.0;

  for (size_t i = 0; i < c->n; i++)
    sum += fabs(log(gscale__row_time(s, c->at[i].r) / c->at[i].r->time));
  return sum / (double)c->n;
}

/* The parameters of a joint fit.  By host the last one replaces the first. */
static const gscale__joint_term together[] = {
    {GSCALE_COLL_EFFICIENCY, 0.3},   {GSCALE_COLL_START, 1.0},
    {GSCALE_COLL_STEP, 0.5},         {GSCALE_COLL_LL_RATE, 1.0},
    {GSCALE_COLL_FLAG_STEP, 1.0},    {GSCALE_COLL_LL128_RATE, 0.7},
    {GSCALE_COLL_SIMPLE_START, 1.0}, {GSCALE_COLL_TURN, 0.5},
    {GSCALE_COLL_PAIR_START, 1.0},   {GSCALE_COLL_CHANNEL, 0.5},
    {GSCALE_COLL_ISSUE, 1.0},        {GSCALE_STAGED_RING, 0.3},
};

/* Begins a joint fit at the present values. */
static void begin_joint(const collection *c, gscale__joint *j)
{
  *j = (gscale__joint){.term = together + by_host(c),
                       .terms = LENGTH(together) - 1,
                       .at = c->at,
                       .n = c->n,
                       .each = 1,
                       .by = GSCALE_COLL_ALGORITHM_END,
                       .off = gscale__joint_off};
  for (size_t k = 0; k < j->terms; k++)
    j->guess[k] = gscale__value(c->b, j->term[k].id);
}

/* Sets the host time of a call to that with which the host limits the fastest
 * call that threads issue. */
static void guess_issue(const collection *c, gscale__joint *j)
{
  double least = INFINITY;

  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (t->threads > 0)
      least =
          fmin(least, t->r->time * fmin(1.0, t->threads / (double)t->r->gpus));
  }
  for (size_t k = 0; k < j->terms; k++)
    if (j->term[k].id == GSCALE_COLL_ISSUE && isfinite(least))
      j->guess[k] = least;
}

/* Fits all parameters together if the lines do not explain the calls, as if
 * there are too few calls for each line, only calls of pairs, or calls whose
 * rate the host limits.  The fit begins at the base or at the lines. */
static void solve_together(const collection *c, gscale__joint *base)
{
  const double nearer = 0.9; /* ratio of a lower error */
  const double off = mean_off(c, c->b->s);
  gscale__joint by_lines;

  if (off <= LEFT) return;
  begin_joint(c, &by_lines);
  gscale__joint_solve(c->b, base);
  gscale__joint_solve(c->b, &by_lines);
  const double of_base = mean_off(c, &base->with);
  const double of_lines = mean_off(c, &by_lines.with);
  if (fmin(of_base, of_lines) < nearer * off)
    gscale__joint_conclude(c->b, of_base < of_lines ? base : &by_lines, NAMES);
}

/* Takes NCCL's version from the logs, unless they disagree. */
static void take_version(bench_run *b)
{
  double version = 0.0;
  size_t rows = 0;

  for (size_t i = 0; i < gscale_measurements_count(b->m); i++) {
    const gscale_measurement *r = gscale_measurements_at(b->m, i);
    if (!(r->version > 0.0)) continue;
    if (rows > 0 && r->version != version) {
      gscale__set_note(b, GSCALE_COLL_VERSION, "the logs are of several");
      return;
    }
    version = r->version;
    rows++;
  }
  if (rows > 0)
    gscale__conclude_unfitted(b, GSCALE_COLL_VERSION, rows, version, 0.0,
                              NAMES);
}

void gscale__recipes_collective(bench_run *b)
{
  collection c = {.b = b};
  gscale_param base[GSCALE__IDENTIFIED];
  const double many = 1048576.0;

  gscale__solve_issue(b);
  take_version(b);
  c.formatted =
      by_host(&c) ? 2.0 * gscale__value(b, GSCALE_STAGED_RING)
                  : gscale__value(b, GSCALE_LINK_RATE) *
                        gscale_goodput(&b->s->link, GSCALE_STORE, many, false);
  collect_all(&c);
  solve_host(&c);
  if (c.n > 0 && b->st == GSCALE_OK) {
    gscale__joint at_base;
    begin_joint(&c, &at_base);
    guess_issue(&c, &at_base);
    gscale__reset_base(b, base);
    const gscale_coll_machine m = gscale__coll_known(b->s);
    const lines begin = gscale__base_lines(&m);
    for (int line = 0; line < GSCALE__LINES; line++)
      c.payload[line] = m.by[line].payload;
    c.turn = m.turn;
    find_switch(&c);
    c.steps = gpus_vary(&c, GSCALE__NO_LINE);
    gscale__find_lines(&c, &begin);
    for (int line = 0; line < GSCALE__LINES; line++) solve_line(&c, line);
    solve_pair_start(&c);
    solve_channel(&c);
    solve_switch(&c);
    gscale__restore_base(b, base);
    solve_together(&c, &at_base);
    gscale__conclude_offs(b, GSCALE_COLL_OFF_SMALL, c.at, c.n, NAMES);
    compare(&c);
  }
  free(c.at);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
