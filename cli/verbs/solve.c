/* solve.c - gpuscale solve: finds the value that reaches a target. */

#include "say/extrapolate.h"
#include "sweep/solution.h"

#include <math.h>
#include <string.h>

/* ---- words --------------------------------------------------------------- */

static void format_value(const problem *m, double x, char *text, size_t size)
{
  if (isnan(x))
    snprintf(text, size, "beyond");
  else if (m->number->kind == OVER_SETTING && m->number->dim == GSCALE_COUNT)
    snprintf(text, size, "%.6g%s%s", x, *m->number->unit ? " " : "",
             m->number->unit);
  else
    gscale_format_quantity(x, m->number->dim, text, size);
}

/* Writes a plain SI number, or in a table a number with its unit. */
static void put_value(const problem *m, double x, bool plain, cell *c)
{
  if (!plain)
    format_value(m, x, c->text, sizeof c->text);
  else if (!isnan(x))
    snprintf(c->text, sizeof c->text, "%.17g", x);
}

static void add_rows(rows *r, const problem *m, const options *o,
                     const question *q, const solution *s)
{
  const bool plain = o->format != FORMAT_TABLE;

  for (size_t i = 0; i < s->n; i++) {
    const found *f = &s->v[i];
    cell *c = rows_add(r);

    found_row(c, m, q, f);
    put_value(m, f->at.x, plain, &c[SOLVE_VALUE]);
    put_value(m, f->lo, plain, &c[SOLVE_VALUE_LO]);
    put_value(m, f->hi, plain, &c[SOLVE_VALUE_HI]);
  }
}

/* Returns the measure of the target at a point with the given excess. */
static double measured_at(const target *t, double excess_there)
{
  return t->what == TIME ? t->value / (1.0 + excess_there)
                         : t->value * (1.0 + excess_there);
}

/* Writes "; within one standard error there may be one, at 9 to 12". */
static void say_may(const problem *m, const solution *s, char *text,
                    size_t size)
{
  char from[64], to[64];

  *text = '\0';
  if (!s->may) return;
  format_value(m, s->may_from, from, sizeof from);
  format_value(m, s->may_to, to, sizeof to);
  if (isnan(s->may_from))
    snprintf(text, size, "; within one standard error it may be anywhere");
  else
    snprintf(text, size,
             "; within one standard error there may be one, at %s%s%s", from,
             s->may_from < s->may_to ? " to " : "",
             s->may_from < s->may_to ? to : "");
}

static void tell_none(claim *c, const problem *m, const options *o,
                      const solution *s)
{
  char from[64], to[64], low[64], high[64], may[224];
  const gscale_dim dim = m->t.what == TIME ? GSCALE_TIME : GSCALE_COUNT;

  format_value(m, m->grid.from, from, sizeof from);
  format_value(m, m->grid.to, to, sizeof to);
  say_may(m, s, may, sizeof may);
  if (m->t.what == CROSSOVER) {
    claim_say(c, "none: from %s to %s of %s, one of %s is always faster%s",
              from, to, m->number->name, o->crossover, may);
    return;
  }
  gscale_format_quantity(measured_at(&m->t, s->least), dim, low, sizeof low);
  gscale_format_quantity(measured_at(&m->t, s->most), dim, high, sizeof high);
  if (s->first)
    claim_say(c, "anywhere: %s holds from %s to %s of %s (%s to %s)%s",
              o->until, from, to, m->number->name, low, high,
              s->may ? "; within one standard error not everywhere" : "");
  else
    claim_say(c, "none: from %s to %s of %s, %s is %s to %s%s", from, to,
              m->number->name, measure_name(m->t.what), low, high, may);
}

/* Reports the first crossing. If a whole number reaches the target up to a
 * limit, the last such number is reported. */
static void tell_found(claim *c, const problem *m, const options *o,
                       const question *q, const solution *s)
{
  const found *v = &s->v[0];
  const bool whole = m->grid.whole;
  const double less = whole && !v->at.rising ? 1.0 : 0.0;
  char value[64], lo[64], hi[64], gpus[32] = "";

  c->value = v->at.x - less;
  c->low = v->lo - less;
  c->high = v->hi - less;
  format_value(m, c->value, value, sizeof value);
  format_value(m, c->low, lo, sizeof lo);
  format_value(m, c->high, hi, sizeof hi);
  if (m->number->kind != OVER_GPUS)
    snprintf(gpus, sizeof gpus, " on %d GPUs", q->gpus[0]);
  if (m->t.what == CROSSOVER) {
    claim_say(
        c,
        "%s is as fast as %.*s%s %s %s = %s (%s to %s within one standard "
        "error)%s",
        strchr(o->crossover, ',') + 1, (int)strcspn(o->crossover, ","),
        o->crossover, gpus, v->at.rising ? "from" : "up to", m->number->name,
        value, lo, hi, s->n > 1 ? "; more below" : "");
    return;
  }
  claim_say(c, "%s%s: %s %s %s (%s to %s within one standard error), by %s%s%s",
            o->until ? o->until : o->crossover, gpus, m->number->name,
            v->at.rising ? "from" : "up to", value, lo, hi, v->fastest,
            v->timed ? "" : " (unmeasured)",
            s->n > 1 ? "; and more, below" : "");
}

static int print(const problem *m, const options *o, const solution *s,
                 const question *q, failure *why)
{
  const bool table = o->format == FORMAT_TABLE;
  rows *r;
  claim c;
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  claim_begin(&c);
  if (s->n == 0)
    tell_none(&c, m, o, s);
  else
    tell_found(&c, m, o, q, s);
  claim_say(&c, s->n > 0
                    ? ". `gpuscale explain` there says what binds; a run there "
                      "(--runs) would make it surer."
                : s->least <= s->most
                    ? ". `gpuscale sensitivity` says which numbers move it."
                    : ".");
  if (table) claim_put(out.f, &c);
  if (table && s->n > 1) putc('\n', out.f);
  if (!table || s->n > 1) {
    r = rows_new("gpuscale.solve/1", solution_columns(), SOLVE_COLUMNS);
    add_rows(r, m, o, q, s);
    rows_answer(r, &c);
    st = rows_end(st, r, o->format, &out, why);
  }
  return output_end(st, &out, why);
}

/* ---- knee ---------------------------------------------------------------- */

static void put_gpus(cell *c, const spot *s)
{
  snprintf(c[SOLVE_VALUE].text, sizeof c->text, "%d", s->gpus);
  snprintf(c[SOLVE_VALUE_LO].text, sizeof c->text, "%d", s->from);
  snprintf(c[SOLVE_VALUE_HI].text, sizeof c->text, "%d", s->to);
}

static void add_turns(rows *r, const knee *k)
{
  for (turn i = KNEE; i < TURNS; i++) {
    cell *c = rows_add(r);

    knee_row(c, k, i);
    put_gpus(c, &k->at[i]);
  }
}

/* Writes a text such as ", by rdl, also: um-hints". */
static void say_paradigms(const knee *k, turn which, char *text, size_t size)
{
  const question *q = &k->q;
  const size_t j = knee_index(k, which);
  size_t of[PARADIGMS_MAX];
  const size_t n = question_tied(q, k->a, j, of);
  char also[512];
  paradigm_words fastest;

  *text = '\0';
  if (q->gpus[j] == 1) return;
  say_paradigm(q, k->fastest[j], &k->best[j].p.knobs, fastest);
  say_also(q, of, n, ", ", also, sizeof also);
  snprintf(text, size, ", by %s%s%s", fastest, n > 1 ? ", also: " : "", also);
}

static void tell_spot(claim *c, const char *what, const knee *k, turn which,
                      const char *more)
{
  const spot *s = &k->at[which];
  char paradigms[768];

  say_paradigms(k, which, paradigms, sizeof paradigms);
  claim_say(c, "%s: %d GPU%s (%d to %d within one standard error)%s%s", what,
            s->gpus, PLURAL(s->gpus), s->from, s->to, more, paradigms);
}

/* Writes one paragraph on the knee and one on the peak. */
static void tell_turns(claim c[TURNS], const knee *k)
{
  const question *q = &k->q;
  const size_t peak = knee_index(k, PEAK);
  char more[128];

  for (turn i = KNEE; i < TURNS; i++) {
    claim_begin(&c[i]);
    c[i].value = k->at[i].gpus;
    c[i].low = k->at[i].from;
    c[i].high = k->at[i].to;
  }
  snprintf(more, sizeof more, ", marginal efficiency %s",
           knee_index(k, KNEE) > 0 ? ">= 50% up to there"
                                   : "below 50% from the start");
  tell_spot(&c[KNEE], "knee", k, KNEE, more);
  snprintf(more, sizeof more, ", %.2fx as fast as one%s",
           k->best[peak].p.speedup,
           peak + 1 == q->n ? ", the most that were looked at" : "");
  tell_spot(&c[PEAK], "peak", k, PEAK, more);
  claim_say(&c[PEAK],
            ". `gpuscale explain --gpus %d` says what binds; a run there "
            "(--runs) would make it surer.",
            k->at[KNEE].gpus);
}

static int print_turns(const knee *k, const options *o, failure *why)
{
  claim c[TURNS];
  output out;
  int st;

  tell_turns(c, k);
  if (o->format != FORMAT_TABLE) {
    rows *r = rows_new("gpuscale.solve/1", solution_columns(), SOLVE_COLUMNS);

    add_turns(r, k);
    claim_say(&c[KNEE], "; %s", c[PEAK].text);
    rows_answer(r, &c[KNEE]);
    return rows_print(EXIT_OK, r, o, why);
  }
  st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  for (turn i = KNEE; i < TURNS; i++) claim_put(out.f, &c[i]);
  return output_close(&out, why);
}

static int solve_knee(options *o, failure *why)
{
  static knee k; /* too large for the stack */
  int st = knee_find(&k, o, why);

  if (st == EXIT_OK) st = print_turns(&k, o, why);
  knee_free(&k);
  return st;
}

/* ---- runs without a description ------------------------------------------ */

/* A number of GPUs that laws fitted to runs give. */
typedef struct by_laws {
  const char *until, *holds, *range; /* range: what `at` spans */
  spot at;                           /* gpus: 0, none */
} by_laws;

/* Returns whether a step that takes exp(off) times as long as by the laws
 * reaches the target. */
static bool reaches(const ahead_curve *b, const target *t, size_t i, double off)
{
  const double time = b->v[i].time * exp(off), speedup = b->v[0].time / time;

  return t->what == TIME      ? time <= t->value
         : t->what == SPEEDUP ? speedup >= t->value
                              : speedup >= t->value * b->v[i].gpus;
}

/* Returns the first N that reaches the target, or, if one GPU does, the last N
 * before one that does not. `sigmas`: -1, 0, 1 standard errors. Returns 0 if
 * none does, and the last N asked if all do. */
static int first_at(const ahead_curve *b, const target *t, int sigmas)
{
  const bool falls = reaches(b, t, 0, 0.0);
  size_t i = 0;

  while (i < b->n && reaches(b, t, i, sigmas * b->v[i].err) == falls) i++;
  return falls ? b->v[i > 0 ? i - 1 : 0].gpus : i < b->n ? b->v[i].gpus : 0;
}

static int find_target(const ahead_curve *b, const options *o, by_laws *l,
                       failure *why)
{
  target t;
  int st = parse_target(o->until, &t, why);

  if (st != EXIT_OK) return st;
  if (t.what != TIME && t.what != SPEEDUP && t.what != EFFICIENCY)
    return fail(why, EXIT_USAGE, "solve: --until %s needs a WORKLOAD",
                measure_name(t.what));
  if (b->v[0].gpus != 1)
    return fail(why, EXIT_USAGE, "solve: --gpus must begin with 1");
  const int one = first_at(b, &t, -1), other = first_at(b, &t, 1);

  *l = (by_laws){.until = o->until,
                 .holds =
                     reaches(b, &t, 0, 0.0) ? "up to there" : "from there on",
                 .range = "within one standard error",
                 .at = {first_at(b, &t, 0), one, other}};
  if (one > other && other > 0) l->at.from = other, l->at.to = one;
  return EXIT_OK;
}

static void tell_laws(claim *c, const ahead_curve *b, const by_laws *l)
{
  claim_begin(c);
  c->value = l->at.gpus;
  c->low = l->at.from;
  c->high = l->at.to;
  if (l->at.gpus == 0) {
    claim_say(c, "none: on %d to %d GPUs %s does not hold", b->v[0].gpus,
              b->v[b->n - 1].gpus, l->until);
    return;
  }
  claim_say(c, "%s: %d GPU%s%s (%d to ", l->until, l->at.gpus,
            PLURAL(l->at.gpus), l->at.gpus == b->limit ? " or more" : "",
            l->at.from);
  claim_say(c, l->at.to > 0 ? "%d %s), %s" : "beyond %d %s), %s",
            l->at.to > 0 ? l->at.to : b->v[b->n - 1].gpus, l->range, l->holds);
}

static int print_laws(const ahead_curve *b, const by_laws *l, size_t n,
                      const options *o, failure *why)
{
  rows *r = rows_new("gpuscale.solve/1", solution_columns(), SOLVE_COLUMNS);
  claim all, c;
  output out;

  for (size_t i = 0; i < n; i++) {
    cell *row = rows_add(r);

    tell_laws(&c, b, &l[i]);
    if (i == 0) all = c;
    if (i > 0) claim_say(&all, "; %s", c.text);
    row[SOLVE_WORKLOAD].whole = b->name;
    row[SOLVE_FOR].whole = "gpus";
    row[SOLVE_UNTIL].whole = l[i].until;
    row[SOLVE_HOLDS].whole = l[i].holds;
    put_gpus(row, &l[i].at);
  }
  claim_say(&all,
            ". By laws fitted to runs on up to %d GPUs; %d to %d were looked "
            "at.",
            b->most, b->v[0].gpus, b->v[b->n - 1].gpus);
  rows_answer(r, &all);
  if (o->format != FORMAT_TABLE) return rows_print(EXIT_OK, r, o, why);
  rows_free(r);
  int st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  claim_put(out.f, &all);
  return output_close(&out, why);
}

static int solve_runs(options *o, failure *why)
{
  static ahead_curve b; /* too large for the stack */
  by_laws l[TURNS] = {
      {.until = "knee",
       .holds = "the last with half of the ideal gain",
       .range = "by single laws"},
      {.until = "peak", .holds = "the fastest", .range = "by single laws"}};
  int st = ahead_bare(o, 4, &b, why);

  if (st != EXIT_OK) return st;
  if (o->crossover || (o->what && strcmp(o->what, "gpus") != 0) ||
      !o->knee == !o->until)
    return fail(why, EXIT_USAGE,
                "solve: runs without a WORKLOAD have --knee, or --for gpus "
                "--until WHAT=VALUE");
  l[KNEE].at = b.knee;
  l[PEAK].at = b.peak;
  if (o->until) st = find_target(&b, o, l, why);
  if (st == EXIT_OK) st = print_laws(&b, l, o->until ? 1 : TURNS, o, why);
  if (st == EXIT_OK && l->at.gpus == 0) {
    fail(why, EXIT_NO, "solve: there is no such value");
    return EXIT_NO;
  }
  return st;
}

/* ---- verb ---------------------------------------------------------------- */

static int solve_main(options *o, failure *why)
{
  static problem m; /* too large for the stack */
  static solution s;
  point at;

  if (o->runs && o->arguments == 0) return solve_runs(o, why);
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  if (o->knee) return solve_knee(o, why);
  st = problem_open(&m, o, why);
  if (st == EXIT_OK) st = problem_solve(&m, &s, why);
  if (st == EXIT_OK && m.t.what != CROSSOVER && s.n == 0 &&
      !(s.least <= s.most)) /* no point has a measure */
    st = walk_refuse(m.a.w, why);
  if (st == EXIT_OK) st = problem_at_start(&m, &at, why);
  if (st == EXIT_OK) st = print(&m, o, &s, at.q, why);
  problem_close(&m);
  if (st == EXIT_OK && solution_is_none(&m, &s)) {
    fail(why, EXIT_NO, "solve: there is no such value");
    return EXIT_NO;
  }
  return st;
}

const verb verb_solve = {
    .place = 130,
    .name = "solve",
    .usage = "WORKLOAD --system SYSTEM --for NAME --until WHAT=VALUE | --knee "
             "[options], or --runs FILE",
    .summary = "which rate, number of GPUs or size reaches a target",
    .examples = "gpuscale solve jacobi --system h200x8 --for gpus --until "
                "efficiency=0.8\n"
                "gpuscale solve jacobi --system h200x8 --gpus 4 -p memcpy \\\n"
                "    --for rate --until opportunity=0.8\n"
                "gpuscale solve transpose --system h200x8 --gpus 4 \\\n"
                "    --for n=64..16384 --crossover memcpy,nccl\n"
                "gpuscale solve jacobi --system h200x8 --knee\n"
                "gpuscale solve --runs runs.csv --knee\n",
    .accepts =
        "system link gpus per-node paradigm set for until crossover knee "
        "proposed runs format "
        "output",
    .run = solve_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
