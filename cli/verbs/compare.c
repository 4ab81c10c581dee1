/* compare.c - gpuscale compare: prints the predictions for several systems. A
 * table also names the winner on each number of GPUs. */

#include "common/jobs.h"
#include "say/good_enough.h"
#include "say/system_ratios.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words -------------------------------------------------------------- */

/* A text such as "h200x8 by rdl" or "h200x8 by broadcast (unmeasured)". */
typedef char entrant_words[6 * GSCALE_NAME_MAX + 8];

static const char *say_entrant(const entrant *e, entrant_words text)
{
  paradigm_words paradigm;

  snprintf(text, sizeof(entrant_words), "%s%s%s", e->s->q.name,
           e->gpus == 1  ? ""
           : e->a->bound ? " with zero-cost communication (a bound)"
                         : " by ",
           e->gpus == 1 || e->a->bound
               ? ""
               : say_paradigm(&e->s->q, e->paradigm, &e->a->p.knobs, paradigm));
  return text;
}

/* Writes the paradigms that tie with the best as ", also: rdl, inline". */
static void say_tied(const entrant *e, char *text, size_t size)
{
  size_t of[PARADIGMS_MAX];
  const size_t n = e->gpus > 1 ? entrant_tied(e, of) : 0;
  char also[512];

  *text = '\0';
  if (n < 2) return;
  say_also(&e->s->q, of, n, ", ", also, sizeof also);
  snprintf(text, size, ", also: %s", also);
}

/* A text such as "1.2 ms (+/- 7.0%)". */
typedef char time_words[96];

static const char *say_time(const answer *a, time_words text)
{
  char time[48];
  char err[32];

  gscale_format_quantity(a->p.time, GSCALE_TIME, time, sizeof time);
  say_interval(a, err, sizeof err);
  if (*err)
    snprintf(text, sizeof(time_words), "%s (%s%s)", time,
             *err == '+' ? "" : "+/- ", err);
  else
    snprintf(text, sizeof(time_words), "%s", time);
  return text;
}

static void print_change(FILE *f, const entrant *from, const entrant *to)
{
  entrant_words was, now;

  put_line(f, 2, "the winner changes at %d GPUs, from %s to %s", to->gpus,
           say_entrant(from, was), say_entrant(to, now));
}

/* Names each system whose best prediction is extrapolated or assumed. */
static void print_outside(FILE *f, const comparison *c)
{
  char text[2048] = "";
  size_t n = 0;

  for (size_t i = 0; i < c->n; i++) {
    const question *q = &c->v[i].q;
    const entrant e = entrant_best(&c->v[i], q->gpus[q->n - 1]);
    range_words range;

    if (!e.s || e.a->applicability == GSCALE_INSIDE) continue;
    gscale_append(text, sizeof text, "%s%s (%s)", n++ ? ", " : "", q->name,
                  say_range(e.a, range));
  }
  if (n > 0) put_line(f, 2, "not inside what was measured: %s", text);
}

static void print_changes(FILE *f, const comparison *c, const int *gpus,
                          size_t n)
{
  entrant winner = {0};

  for (size_t j = 0; j < n; j++) {
    const race r = race_run(c, gpus[j]);

    if (r.entrants < 2 || !race_leads(&r)) continue;
    if (winner.s && !entrants_alike(&winner, &r.first))
      print_change(f, &winner, &r.first);
    winner = r.first;
  }
}

/* Returns whether NCCL's algorithm or protocol differs in any phase. */
static bool other_paradigm(const gscale_prediction *a,
                           const gscale_prediction *b)
{
  for (size_t i = 0; i < a->moves && i < b->moves; i++)
    if (a->move[i].algorithm != b->move[i].algorithm ||
        a->move[i].protocol != b->move[i].protocol)
      return true;
  return false;
}

static void print_best_change(FILE *f, const char *paradigm, const question *a,
                              const gscale_prediction *p, const question *b,
                              const gscale_prediction *other)
{
  char was[256], now[256];

  print_moves(was, sizeof was, a->workload, p);
  print_moves(now, sizeof now, b->workload, other);
  fprintf(f, "%s moves by %s on %s,\n  by %s on %s\n", paradigm, was, a->name,
          now, b->name);
}

/* Compares the algorithms and protocols of each system with those of the first
 * system, on the most GPUs that both predict. */
static void print_paradigms(FILE *f, const comparison *c, const int *gpus,
                            size_t n)
{
  const subject *first = &c->v[0];

  for (size_t i = 1; i < c->n; i++)
    for (size_t k = 0; k < first->q.paradigms; k++)
      for (size_t j = n; j-- > 0;) {
        const subject *s = &c->v[i];
        const size_t at = question_gpus(&first->q, gpus[j]),
                     there = question_gpus(&s->q, gpus[j]);
        if (at == first->q.n || there == s->q.n) continue;
        const answer *a = &first->a[k * first->q.n + at],
                     *b = &s->a[k * s->q.n + there];
        if (!a->met || !b->met || !other_paradigm(&a->p, &b->p)) continue;
        fprintf(f, "%d GPUs: ", gpus[j]);
        print_best_change(f, question_paradigm(&first->q, k), &first->q, &a->p,
                          &s->q, &b->p);
        break;
      }
}

/* ---- tolerance ----------------------------------------------------------- */

static void print_cheapest(FILE *f, const entrant *e, const entrant *best,
                           const char *what, double factor)
{
  entrant_words text;
  time_words time;

  put_line(f, 4,
           "  %s: %s on %d GPU%s, %s, %.1f%% behind, within %.3g%% with %.0f%%",
           what, say_entrant(e, text), e->gpus, PLURAL(e->gpus),
           say_time(e->a, time), 100.0 * (e->time / best->time - 1.0),
           100.0 * (factor - 1.0),
           100.0 * answer_faster(&e->s->q, e->a, best->a, factor));
}

/* Writes "pcie3 is enough as link" or "link.rate of 45 GB/s is enough". */
static const char *say_enough(const comparison *c, const entrant *e,
                              char text[256])
{
  if (!e->s)
    snprintf(text, 256, "no link that is asked for is enough");
  else if (c->over)
    snprintf(text, 256, "%s of %s is enough", c->over->name,
             c->over->label[e->s->value]);
  else
    snprintf(text, 256, "%s is enough as link",
             gscale_system_about(e->s->q.system).link->name);
  return text;
}

/* Prints the answer in one line, then each part with its probability. */
static int print_within(FILE *f, const comparison *c, double share,
                        failure *why)
{
  const char *const words[FRUGALITIES] = {c->over ? "least demanding value"
                                                  : "slowest link",
                                          "fewest GPUs", "simplest paradigm"};
  within w;
  entrant_words text;
  time_words time;
  char enough[256], tied[544];

  if (within_find(&w, c, share, why) != EXIT_OK) return why->status;
  if (!w.best.s) return EXIT_OK;
  put_line(f, 2, "within %.3g%% of the best: %s, %d GPU%s, %s", 100.0 * share,
           say_enough(c, &w.least[SLOWEST_LINK], enough),
           w.least[FEWEST_GPUS].gpus, PLURAL(w.least[FEWEST_GPUS].gpus),
           entrant_paradigm(&w.least[SIMPLEST_PARADIGM]));
  say_tied(&w.best, tied, sizeof tied);
  put_line(f, 4, "  best: %s on %d GPU%s, %s%s", say_entrant(&w.best, text),
           w.best.gpus, PLURAL(w.best.gpus), say_time(w.best.a, time), tied);
  for (int i = 0; i < FRUGALITIES; i++)
    if (w.least[i].s && w.least[i].a != w.best.a)
      print_cheapest(f, &w.least[i], &w.best, words[i], w.factor);
  if (!w.least[SLOWEST_LINK].s && w.nearest.s)
    put_line(f, 4, "  nearest: %s, %.1f%% behind",
             say_entrant(&w.nearest, text),
             100.0 * (w.nearest.time / w.best.time - 1.0));
  putc('\n', f);
  return EXIT_OK;
}

/* ---- answer -------------------------------------------------------------- */

static const double SURE = 0.8413; /* one standard deviation */

/* States the fastest entrant on the most GPUs, its lead and its probability. */
static int claim_race(claim *c, const comparison *all, const int *gpus,
                      size_t n, failure *why)
{
  entrant_words first, second;
  time_words time;
  char tied[544];

  claim_begin(c);
  for (size_t j = n; j-- > 0;) {
    race r = race_run(all, gpus[j]);

    if (!r.entrants) continue;
    if (race_weigh(all, &r, why) != EXIT_OK) return why->status;
    const gscale_interval t =
        gscale_interval_of(r.first.time, r.first.a->err, 1.0);
    c->value = r.first.time;
    c->low = t.lo;
    c->high = t.hi;
    c->probability = fmin(1.0, r.any);
    say_tied(&r.first, tied, sizeof tied);
    claim_say(c, "On %d GPU%s %s%s%s is the fastest: one step of %s takes %s",
              gpus[j], PLURAL(gpus[j]), say_entrant(&r.first, first), tied,
              *tied ? "," : "",
              gscale_workload_about(r.first.s->q.workload).name,
              say_time(r.first.a, time));
    if (r.entrants > 1)
      claim_say(c, ", %.2fx as fast as %s%s", r.second.time / r.first.time,
                say_entrant(&r.second, second),
                race_leads(&r) ? "" : ", which is alike within the errors");
    claim_say(c, ". %s is the best of all with %.0f%%.", r.first.s->q.name,
              100.0 * r.any);
    if (gpus[j] > 1) claim_lost(c, r.first.a);
    if (r.entrants > 1 && r.any < SURE)
      claim_say(c, " A run on each of the two (--runs) would tell.");
    return EXIT_OK;
  }
  return EXIT_OK;
}

/* ---- table --------------------------------------------------------------- */

/* Lists all numbers of GPUs that are requested for any system. */
static size_t list_gpus(const comparison *c, int *gpus)
{
  static bool asked[GPUS_MAX + 1];
  size_t n = 0;

  memset(asked, 0, sizeof asked);
  for (size_t i = 0; i < c->n; i++)
    for (size_t j = 0; j < c->v[i].q.n; j++) asked[c->v[i].q.gpus[j]] = true;
  for (int g = 1; g <= GPUS_MAX && n < GPUS_LISTED; g++)
    if (asked[g]) gpus[n++] = g;
  return n;
}

enum {
  OF_SYSTEM,
  OF_GPUS,
  OF_PARADIGM,
  OF_TIME,
  OF_ERROR,
  OF_RATIO,
  OF_FASTER,
  OF_GOODPUT,
  OF_ALL
};

/* Returns whether the subjects are one system by several links. */
static bool only_links(const comparison *c, const options *o)
{
  return c->links && !c->over && !strchr(o->system, ',');
}

/* Returns the name of a subject's link. */
static const char *link_name(const subject *s)
{
  const char *swapped = strrchr(s->q.name, ':');
  const gscale_system_facts facts = gscale_system_about(s->q.system);

  return swapped         ? swapped + 1
         : facts.network ? facts.network->link.name
                         : facts.link->name;
}

/* Adds a line. `of` is the first subject's answer for the same paradigm and N,
 * or NULL. */
static void add_line(rows *r, const subject *s, const char *name, int gpus,
                     const char *paradigm, const answer *a, const answer *of)
{
  cell *c = rows_add(r);

  set_text(&c[OF_SYSTEM], name);
  c[OF_GPUS].number = gpus;
  set_text(&c[OF_PARADIGM], paradigm);
  c[OF_TIME].number = c[OF_RATIO].number = c[OF_FASTER].number =
      c[OF_GOODPUT].number = NAN;
  if (!a->met) return;
  if (a->p.bytes.wire > 0.0)
    c[OF_GOODPUT].number = a->p.bytes.useful / a->p.bytes.wire;
  c[OF_TIME].number = a->p.time;
  say_interval(a, c[OF_ERROR].text, sizeof c[OF_ERROR].text);
  if (!of || !of->met) return;
  c[OF_RATIO].number = of->p.time / a->p.time;
  if (a != of) c[OF_FASTER].number = answer_faster(&s->q, a, of, 1.0);
}

static bool is_named(const options *o)
{
  return o->paradigm && strcmp(o->paradigm, "all") != 0;
}

/* Adds a line for the best paradigm of a subject, or for each paradigm that is
 * named. With --all, every paradigm that runs has a line. */
static void add_lines(rows *r, const comparison *c, const subject *s, int gpus,
                      const options *o)
{
  const question *q = &s->q, *first = &c->v[0].q;
  const size_t j = question_gpus(q, gpus), k = question_gpus(first, gpus);
  const entrant best = entrant_best(s, gpus), of = entrant_best(&c->v[0], gpus);
  const char *name = only_links(c, o) ? link_name(s) : q->name;
  const bool named = is_named(o);

  if (j == q->n) return;
  if (!named && !o->all && best.s)
    add_line(r, s, name, gpus, gpus > 1 ? entrant_paradigm(&best) : "any",
             best.a, of.s ? of.a : NULL);
  for (size_t i = 0; (named || o->all) && i < q->paradigms; i++) {
    const answer *a = &s->a[i * q->n + j];
    if (named || (a->met && !a->bound))
      add_line(r, s, name, gpus, question_paradigm(q, i), a,
               k < first->n ? &c->v[0].a[i * first->n + k] : NULL);
  }
}

static int write_table(output *out, const comparison *c, const options *o,
                       const int *gpus, size_t n, failure *why)
{
  const column columns[OF_ALL] = {
      [OF_SYSTEM] = TEXT(NULL, only_links(c, o) ? "link" : "system"),
      [OF_GPUS] = INTEGER(NULL, "GPUs"),
      [OF_PARADIGM] = TEXT(NULL, "paradigm"),
      [OF_TIME] = NUMBER(NULL, "time", GSCALE_TIME),
      [OF_ERROR] = TEXT(NULL, "+/-"),
      [OF_RATIO] = NUMBER(NULL, "x first", GSCALE_COUNT),
      [OF_FASTER] = PERCENT(NULL, "faster with"),
      [OF_GOODPUT] = PERCENT(NULL, "goodput"),
  };
  rows *r = rows_new("", columns, OF_ALL);

  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < c->n; i++) add_lines(r, c, &c->v[i], gpus[j], o);
  return rows_end(EXIT_OK, r, FORMAT_TABLE, out, why);
}

/* Returns ln(T_i / T_j) of two paradigms on a system, or NAN. */
static double log_ratio(const subject *s, size_t i, size_t j, int gpus)
{
  const size_t k = question_gpus(&s->q, gpus), n = s->q.n;

  return k < n && s->a[i * n + k].met && s->a[j * n + k].met
             ? log(s->a[i * n + k].p.time / s->a[j * n + k].p.time)
             : NAN;
}

/* Prints at which rate two paradigms take as long, interpolated between the
 * rates of neighbouring links, where they differ by 1 % or more. */
static void print_crossings(FILE *f, const comparison *c, int gpus)
{
  const double least = 0.01;

  for (size_t s = 1; s < c->n; s++)
    for (size_t i = 0; i < c->v[s].q.paradigms; i++)
      for (size_t j = 0; j < c->v[s].q.paradigms; j++) {
        const double was = log_ratio(&c->v[s - 1], i, j, gpus),
                     is = log_ratio(&c->v[s], i, j, gpus);
        if (!(was > least && is < -least)) continue;
        const double from =
                         gscale_system_about(c->v[s - 1].q.system).link->rate,
                     to = gscale_system_about(c->v[s].q.system).link->rate;
        put_line(f, 2, "on %d GPUs %s passes %s at about %.3g GB/s", gpus,
                 question_paradigm(&c->v[s].q, i),
                 question_paradigm(&c->v[s].q, j),
                 1e-9 * from * pow(to / from, was / (was - is)));
      }
}

static int print_table(output *out, const comparison *c, const options *o,
                       failure *why)
{
  static int gpus[GPUS_LISTED];
  const size_t n = list_gpus(c, gpus);
  int st;

  claim said;

  if (claim_race(&said, c, gpus, n, why) != EXIT_OK) return why->status;
  if (o->pairs) {
    claim_put(out->f, &said);
    putc('\n', out->f);
    return versus_print(out->f, c, o, why);
  }
  if (o->within > 0.0 && print_within(out->f, c, o->within, why) != EXIT_OK)
    return why->status;
  if (o->price && print_front(out, c, why) != EXIT_OK) return why->status;
  if (!(o->within > 0.0) && !o->price) claim_put(out->f, &said);
  if (!(o->within > 0.0) && !o->price) putc('\n', out->f);
  st = write_table(out, c, o, gpus, n, why);
  if (st != EXIT_OK) return st;
  putc('\n', out->f);
  if (is_named(o) && only_links(c, o)) print_crossings(out->f, c, gpus[n - 1]);
  print_changes(out->f, c, gpus, n);
  if (o->all || !only_links(c, o)) print_paradigms(out->f, c, gpus, n);
  print_outside(out->f, c);
  return EXIT_OK;
}

/* ---- verb ---------------------------------------------------------------- */

static int fill_rows(rows *r, const comparison *c, const options *o,
                     size_t columns, failure *why)
{
  if (o->pairs) return versus_rows(r, c, o, why);
  if (o->price) return priced_rows(r, columns, c, why);
  if (o->within > 0.0) return within_rows(r, columns, c, o->within, why);
  for (size_t i = 0; i < c->n; i++) prediction_rows(r, &c->v[i].q, c->v[i].a);
  return EXIT_OK;
}

static int print_rows(output *out, const comparison *c, const options *o,
                      failure *why)
{
  const bool share = o->within > 0.0;
  const column *columns;
  const size_t n = o->pairs   ? versus_columns(&columns)
                   : o->price ? priced_columns(&columns)
                   : share    ? within_columns(&columns)
                              : prediction_columns(&columns);
  rows *r = rows_new(o->pairs   ? "gpuscale.versus/1"
                     : o->price ? "gpuscale.priced/1"
                     : share    ? "gpuscale.within/1"
                                : "gpuscale.compare/1",
                     columns, n);
  static int gpus[GPUS_LISTED];
  claim said;

  if (claim_race(&said, c, gpus, list_gpus(c, gpus), why) != EXIT_OK) {
    rows_free(r);
    return why->status;
  }
  rows_answer(r, &said);
  return rows_end(fill_rows(r, c, o, n, why), r, o->format, out, why);
}

static int print(const comparison *c, const options *o, failure *why)
{
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  st = o->format == FORMAT_TABLE ? print_table(&out, c, o, why)
                                 : print_rows(&out, c, o, why);
  return output_end(st, &out, why);
}

static int compare(options *o, const variants *varied, failure *why)
{
  comparison c = {0};
  int st = comparison_load(&c, o, GPUS_DOUBLED, varied, why);

  c.jobs = jobs_count(o, c.n);
  if (st == EXIT_OK) st = comparison_answer(&c, true, why);
  if (st == EXIT_OK) st = print(&c, o, why);
  comparison_free(&c);
  return st;
}

static int compare_main(options *o, failure *why)
{
  over_values values = {.x = NULL};
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st == EXIT_OK && o->price && o->within > 0.0 && !o->pairs &&
      o->format != FORMAT_TABLE)
    st = fail(why, EXIT_USAGE,
              "compare: --price and --within are two files of rows: ask for "
              "one of them");
  if (st == EXIT_OK && o->overs > 1)
    st = fail(why, EXIT_USAGE, "compare: one --over; sweep takes several");
  if (st == EXIT_OK && o->overs == 1)
    st = over_values_new(o->over[0], &values, why);
  if (st == EXIT_OK) st = compare(o, o->overs == 1 ? &values.v : NULL, why);
  over_values_free(&values);
  return st;
}

const verb verb_compare = {
    .place = 20,
    .name = "compare",
    .usage = "WORKLOAD --system A,B,... [--link NAME,...] [options]",
    .summary = "the same prediction for several systems, or with other links",
    .examples = "gpuscale compare jacobi --system h200x8 --link pcie3,pcie5 "
                "--within 5%\n"
                "gpuscale compare als --system h200x8,dgx-a100 --pairs \\\n"
                "    --price h200x8=4,dgx-a100=2\n",
    .accepts = "system link gpus per-node paradigm set steps proposed over "
               "within price pairs "
               "runs all jobs "
               "format output",
    .run = compare_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
