/* compare.c - gpuscale compare: the rows of `predict` for several systems; for
 * people one table, and who wins where. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- who wins ----------------------------------------------------------- */

/* A system and the paradigm that is best on it. */
typedef struct entrant {
  const subject *s; /* NULL: nobody */
  size_t paradigm;  /* index into the question's */
  int gpus;
  double time; /* s */
} entrant;

typedef struct race { /* on some number of GPUs */
  size_t entrants;
  entrant first, second;
} race;

/* Index of a number of GPUs; q->n if the question does not have it. */
static size_t find_gpus(const question *q, int gpus)
{
  size_t j = 0;

  while (j < q->n && q->gpus[j] != gpus) j++;
  return j;
}

static entrant enter(const subject *s, int gpus)
{
  const size_t j = find_gpus(&s->q, gpus);
  entrant e = {NULL, s->q.paradigms, gpus, (double)INFINITY};

  if (j < s->q.n) e.paradigm = question_best(&s->q, s->a, j);
  if (e.paradigm == s->q.paradigms) return e;
  e.s = s;
  e.time = s->a[e.paradigm * s->q.n + j].p.time;
  return e;
}

static race run_race(const comparison *c, int gpus)
{
  race r = {0};

  for (size_t i = 0; i < c->n; i++) {
    const entrant e = enter(&c->v[i], gpus);

    if (!e.s) continue;
    r.entrants++;
    if (!r.first.s || e.time < r.first.time) {
      r.second = r.first;
      r.first = e;
    } else if (!r.second.s || e.time < r.second.time) {
      r.second = e;
    }
  }
  return r;
}

/* Less than half a percent is no lead. */
static bool leads(const race *r)
{
  const double least = 1.005;

  return r->entrants == 1 || r->second.time > least * r->first.time;
}

static const char *paradigm_of(const entrant *e)
{
  return question_paradigm(&e->s->q, e->paradigm);
}

/* On one GPU nothing moves, by no paradigm. */
static bool same_winner(const entrant *a, const entrant *b)
{
  return a->s == b->s && (a->gpus == 1 || b->gpus == 1 ||
                          strcmp(paradigm_of(a), paradigm_of(b)) == 0);
}

/* ---- words -------------------------------------------------------------- */

/* "h200x8 by rdl" */
typedef char entrant_words[3 * GSCALE_NAME_MAX + 8];

static const char *say_entrant(const entrant *e, entrant_words text)
{
  snprintf(text, sizeof(entrant_words), "%s%s%s", e->s->q.name,
           e->gpus > 1 ? " by " : "", e->gpus > 1 ? paradigm_of(e) : "");
  return text;
}

static void print_race(FILE *f, const race *r)
{
  const int gpus = r->first.gpus;
  const char *s = gpus == 1 ? "" : "s";
  entrant_words first, second;
  char time[48];

  gscale_format_quantity(r->first.time, GSCALE_TIME, time, sizeof time);
  say_entrant(&r->first, first);
  if (r->entrants > 1) say_entrant(&r->second, second);
  if (r->entrants == 1)
    put_line(f, 2, "%d GPU%s: only %s, %s", gpus, s, first, time);
  else if (!leads(r))
    put_line(f, 2, "%d GPU%s: %s and %s alike, %s", gpus, s, first, second,
             time);
  else
    put_line(f, 2, "%d GPU%s: %s, %s, %.2fx as fast as %s", gpus, s, first,
             time, r->second.time / r->first.time, second);
}

static void print_change(FILE *f, const entrant *from, const entrant *to)
{
  entrant_words was, now;

  put_line(f, 2, "the winner changes at %d GPUs, from %s to %s", to->gpus,
           say_entrant(from, was), say_entrant(to, now));
}

static void print_races(FILE *f, const comparison *c, const int *gpus, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    const race r = run_race(c, gpus[j]);

    if (r.entrants) print_race(f, &r);
  }
}

static void print_changes(FILE *f, const comparison *c, const int *gpus,
                          size_t n)
{
  entrant winner = {0};

  for (size_t j = 0; j < n; j++) {
    const race r = run_race(c, gpus[j]);

    if (r.entrants < 2 || !leads(&r)) continue;
    if (winner.s && !same_winner(&winner, &r.first))
      print_change(f, &winner, &r.first);
    winner = r.first;
  }
}

/* Whether the library moves a phase by another way on one system than on the
 * first, and on how many GPUs: each kind of link is good at something else. */
static bool other_way(const gscale_prediction *a, const gscale_prediction *b)
{
  for (size_t i = 0; i < a->moves && i < b->moves; i++)
    if (a->move[i].algorithm != b->move[i].algorithm ||
        a->move[i].protocol != b->move[i].protocol)
      return true;
  return false;
}

static void print_way_change(FILE *f, const char *paradigm, const question *a,
                             const gscale_prediction *p, const question *b,
                             const gscale_prediction *other)
{
  char was[256], now[256];

  print_moves(was, sizeof was, a->workload, p);
  print_moves(now, sizeof now, b->workload, other);
  fprintf(f, "%s moves by %s on %s,\n  by %s on %s\n", paradigm, was, a->name,
          now, b->name);
}

/* On the most GPUs on which both are predicted. */
static void print_ways(FILE *f, const comparison *c, const int *gpus, size_t n)
{
  const subject *first = &c->v[0];

  for (size_t i = 1; i < c->n; i++)
    for (size_t k = 0; k < first->q.paradigms; k++)
      for (size_t j = n; j-- > 0;) {
        const subject *s = &c->v[i];
        const size_t at = find_gpus(&first->q, gpus[j]),
                     there = find_gpus(&s->q, gpus[j]);
        if (at == first->q.n || there == s->q.n) continue;
        const answer *a = &first->a[k * first->q.n + at],
                     *b = &s->a[k * s->q.n + there];
        if (!a->met || !b->met || !other_way(&a->p, &b->p)) continue;
        fprintf(f, "%d GPUs: ", gpus[j]);
        print_way_change(f, question_paradigm(&first->q, k), &first->q, &a->p,
                         &s->q, &b->p);
        break;
      }
}

/* ---- the table for people ----------------------------------------------- */

/* All numbers of GPUs that some system has. */
static size_t list_gpus(const comparison *c, int *gpus)
{
  static bool asked[GPUS_MAX + 1];
  size_t n = 0;

  memset(asked, 0, sizeof asked);
  for (size_t i = 0; i < c->n; i++)
    for (size_t j = 0; j < c->v[i].q.n; j++) asked[c->v[i].q.gpus[j]] = true;
  for (int g = 1; g <= GPUS_MAX; g++)
    if (asked[g]) gpus[n++] = g;
  return n;
}

/* A time with the mark of the best, as text that ends where its heading does.
 * The mark hangs over. */
static void show_time(cell *c, double time, bool marked, int width)
{
  char text[48];

  gscale_format_quantity(time, GSCALE_TIME, text, sizeof text);
  snprintf(c->text, sizeof c->text, "%*s%s", width, text, marked ? " *" : "");
}

enum {
  TIME_WIDTH = 9, /* "393.2 us", "1.393 ms" and a blank */
  SYSTEM = 0,
  PARADIGMS /* from here on */
};

static int heading_width(const char *name)
{
  const int n = (int)strlen(name);

  return n > TIME_WIDTH ? n : TIME_WIDTH;
}

static int add_heading(rows *r, int gpus, failure *why)
{
  cell *c = rows_add(r);

  if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  snprintf(c[SYSTEM].text, sizeof c[SYSTEM].text, "%d GPU%s", gpus,
           gpus == 1 ? "" : "s");
  return EXIT_OK;
}

static int add_system(rows *r, const subject *s, int gpus, failure *why)
{
  const question *q = &s->q;
  const size_t j = find_gpus(q, gpus);
  const entrant best = enter(s, gpus);
  cell *c;

  if (j == q->n) return EXIT_OK;
  c = rows_add(r);
  if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  snprintf(c[SYSTEM].text, sizeof c[SYSTEM].text, "  %s", q->name);
  for (size_t i = 0; i < q->paradigms; i++) {
    const answer *a = &s->a[i * q->n + j];

    show_time(&c[PARADIGMS + i], a->met ? a->p.time : (double)NAN,
              gpus > 1 && i == best.paradigm,
              heading_width(question_paradigm(q, i)));
  }
  return EXIT_OK;
}

static int fill_table(rows *r, const comparison *c, const int *gpus, size_t n,
                      failure *why)
{
  int st = EXIT_OK;

  for (size_t j = 0; st == EXIT_OK && j < n; j++) {
    st = add_heading(r, gpus[j], why);
    for (size_t i = 0; st == EXIT_OK && i < c->n; i++)
      st = add_system(r, &c->v[i], gpus[j], why);
  }
  return st;
}

/* The paradigms are the same for all systems: those of the options. */
static int write_table(output *out, const comparison *c, const int *gpus,
                       size_t n, failure *why)
{
  const question *q = &c->v[0].q;
  static char heading[PARADIGMS_MAX][2 * GSCALE_NAME_MAX];
  column columns[PARADIGMS + PARADIGMS_MAX] = {[SYSTEM] = TEXT(NULL, "")};
  rows *r;
  int st;

  for (size_t i = 0; i < q->paradigms; i++) {
    const char *name = question_paradigm(q, i);

    snprintf(heading[i], sizeof heading[i], "%*s", heading_width(name), name);
    columns[PARADIGMS + i] = (column)TEXT(NULL, heading[i]);
  }
  r = rows_new("", columns, PARADIGMS + q->paradigms);
  if (r) rows_repeat(r, PARADIGMS);
  st = r ? fill_table(r, c, gpus, n, why)
         : fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (st == EXIT_OK) st = rows_write(r, FORMAT_TABLE, out, why);
  rows_free(r);
  return st;
}

static int print_table(output *out, const comparison *c, failure *why)
{
  static int gpus[GPUS_MAX];
  const size_t n = list_gpus(c, gpus);
  int st;

  fprintf(out->f, "one step of %s; * marks the best paradigm\n\n",
          gscale_workload_name(c->v[0].q.workload));
  st = write_table(out, c, gpus, n, why);
  if (st != EXIT_OK) return st;
  putc('\n', out->f);
  print_races(out->f, c, gpus, n);
  print_changes(out->f, c, gpus, n);
  print_ways(out->f, c, gpus, n);
  return EXIT_OK;
}

/* ---- the verb ----------------------------------------------------------- */

static int print_rows(output *out, const comparison *c, format f, failure *why)
{
  const column *columns;
  const size_t n = prediction_columns(&columns);
  rows *r = rows_new("gpuscale.compare/1", columns, n);
  int st = r ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory for the rows");

  for (size_t i = 0; st == EXIT_OK && i < c->n; i++)
    st = prediction_rows(r, &c->v[i].q, c->v[i].a, why);
  if (st == EXIT_OK) st = rows_write(r, f, out, why);
  rows_free(r);
  return st;
}

static int print(const comparison *c, const options *o, failure *why)
{
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  st = o->format == FORMAT_TABLE ? print_table(&out, c, why)
                                 : print_rows(&out, c, o->format, why);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

int compare_main(options *o, failure *why)
{
  comparison c = {0};
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = comparison_load(&c, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK) st = comparison_answer(&c, o->format != FORMAT_TABLE, why);
  if (st == EXIT_OK) st = print(&c, o, why);
  comparison_free(&c);
  return st;
}
