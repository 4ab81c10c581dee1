/* explain.c - gpuscale explain: prints parts and causes of one prediction. */

#include "say/reason.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  DRAWS = 2000
};

/* ---- paradigm ------------------------------------------------------------ */

/* Finds the quantiles and the standard deviation of randomly drawn times. */
static int find_quantiles(reason *r, failure *why)
{
  static const double at[] = {0.1587, 0.5, 0.8413}; /* -1, 0, +1 sigma */
  double *time = malloc(DRAWS * sizeof *time), mean = 0.0, square = 0.0;
  size_t n;

  if (!time) return no_memory(why);
  n = gscale_uncertainty_sample(r->f.u, r->q.paradigm[r->chosen], &r->p.knobs,
                                1, time, DRAWS);
  for (size_t i = 0; i < n; i++) mean += time[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    square += (time[i] - mean) * (time[i] - mean) / (double)n;
  for (size_t i = 0; n > 0 && i < LENGTH(at); i++)
    r->quantile[i] = time[(size_t)(at[i] * (double)(n - 1))];
  r->sigma = sqrt(square);
  free(time);
  return EXIT_OK;
}

static int reason_about(reason *r, failure *why)
{
  question *q = &r->q;
  answer *a = NULL;
  gscale_diag diag;
  gscale_status st;
  int done = question_answer(q, q->paradigms > 1, &a, why);

  if (done != EXIT_OK) return done;
  r->chosen = question_best(q, a, 0);
  r->p = a[r->chosen].p;
  r->lost = a[r->chosen].lost;
  say_standing(q, a, 1, r->chosen, &r->among);
  free(a);
  done = influences_find(&r->f, q, r->chosen, 0, &r->p.knobs, why);
  if (done != EXIT_OK) return done;
  st = gscale_uncertainty_error(r->f.u, q->paradigm[r->chosen], &r->p.knobs,
                                &r->e, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  question_given_error(q, r->chosen, q->gpus[0], &r->p, &r->e);
  say_given(q, r->chosen, q->gpus[0], r->given, sizeof r->given);
  return r->e.nonlinear ? find_quantiles(r, why) : EXIT_OK;
}

/* ---- rows ---------------------------------------------------------------- */

enum {
  NAME,
  VALUE,
  VALUE_ERR,
  SHOWN, /* in tables only, as some below */
  OWN_SHARE,
  UNIT,
  ORIGIN,
  ELASTICITY,
  TIME_ERR,
  ERR_SHARE,
  FROM,
  SOURCE,
  GROUP,
  SHARE_OF,
  WORDS,
  NOTE,
  COLUMNS
};

/* A table has only the numbers. Other formats also have the facts. */
static const column columns[COLUMNS] = {
    [NAME] = TEXT("name", "parameter"),
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT),
    [VALUE_ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [SHOWN] = TEXT(NULL, "value"),
    [OWN_SHARE] = SHARE("+/-"),
    [UNIT] = TEXT("unit", NULL),
    [ORIGIN] = TEXT("origin", NULL),
    [ELASTICITY] = NUMBER("elasticity", "elasticity", GSCALE_COUNT),
    [TIME_ERR] = NUMBER("time_err_s", NULL, GSCALE_TIME),
    [ERR_SHARE] = PERCENT(NULL, "moves"),
    [FROM] = TEXT(NULL, "origin"),
    [SOURCE] = TEXT("source", NULL),
    [GROUP] = TEXT("group", NULL),
    [SHARE_OF] = PERCENT("share", NULL),
    [WORDS] = TEXT("text", NULL),
    [NOTE] = TEXT("note", NULL),
};

static void fill_fact(cell *c, const fact *f)
{
  set_text(&c[GROUP], f->group);
  set_text(&c[NAME], f->name);
  c[VALUE].number = f->value;
  c[VALUE_ERR].number = f->err;
  if (!f->text) set_text(&c[UNIT], gscale_dim_unit(f->dim));
  c[SHARE_OF].number = f->share;
  c[WORDS].whole = f->text;
  c[NOTE].whole = f->note;
}

static void fill_facts(rows *out, const facts *k)
{
  for (size_t i = 0; i < k->n; i++) fill_fact(rows_add(out), &k->v[i]);
}

static void fill_number(cell *c, const reason *r, size_t i, bool people)
{
  const gscale_number *n = gscale_uncertainty_number(r->f.u, i);
  number_label label;

  set_text(&c[GROUP], "number");
  set_text(&c[NAME], people ? say_number(&r->q, n, label) : n->name);
  c[VALUE].number = n->p.val;
  c[VALUE_ERR].number = n->p.err;
  gscale_format_quantity(n->p.val, n->dim, c[SHOWN].text, sizeof c->text);
  if (fabs(n->p.val) > 0.0) c[OWN_SHARE].number = n->p.err / fabs(n->p.val);
  set_text(&c[UNIT], gscale_dim_unit(n->dim));
  set_text(&c[ORIGIN], gscale_name(GSCALE_ORIGIN_NAMES, n->p.origin));
  snprintf(c[FROM].text, sizeof c[FROM].text, "%s%s%s",
           gscale_name(GSCALE_ORIGIN_NAMES, n->p.origin),
           *n->p.source ? ", " : "", n->p.source);
  c[ELASTICITY].number = r->f.of[i].elasticity;
  c[TIME_ERR].number = r->f.of[i].err;
  c[SHARE_OF].number = c[ERR_SHARE].number = r->f.of[i].err / r->p.time;
  set_text(&c[SOURCE], n->p.source);
}

/* Limits that shorten tables. */
enum {
  NUMBERS_SHOWN = 4, /* without --all */
  LANES_SHOWN = 40   /* with --all; --timeline has all */
};

/* Lists the numbers that matter. A brief table has only the first few. */
static void fill_numbers(rows *out, const reason *r, bool all, bool brief)
{
  for (size_t i = 0; i < r->f.n; i++) {
    if (brief && rows_count(out) == NUMBERS_SHOWN) return;
    const size_t k = r->f.order[i];

    if (all || influence_matters(&r->f.of[k], r->p.time))
      fill_number(rows_add(out), r, k, !all);
  }
}

/* ---- words --------------------------------------------------------------- */

/* Returns the fact of that name, or the last fact if the name is missing. */
static const fact *find_fact(const facts *k, const char *group,
                             const char *name)
{
  size_t i = 0;

  while (i + 1 < k->n &&
         (strcmp(k->v[i].group, group) != 0 || strcmp(k->v[i].name, name) != 0))
    i++;
  return &k->v[i];
}

static double number_of(const facts *k, const char *name)
{
  return find_fact(k, "prediction", name)->value;
}

static const char *text_of(const facts *k, const char *group, const char *name)
{
  return find_fact(k, group, name)->text;
}

static void show_fact(const fact *f, char *text, size_t size)
{
  if (f->text)
    snprintf(text, size, "%s", f->text);
  else if (isnan(f->value))
    snprintf(text, size, "-");
  else if (f->dim == GSCALE_COUNT)
    snprintf(text, size, "%.0f", f->value);
  else
    gscale_format_quantity(f->value, f->dim, text, size);
}

/* Prints a line for each fact of a group. Brief output omits zeros. */
static void print_group(FILE *f, const facts *k, const char *group, bool brief)
{
  char text[96];

  for (size_t i = 0; i < k->n; i++) {
    const fact *one = &k->v[i];
    char share[16] = "";

    if (strcmp(one->group, group) != 0) continue;
    if (brief && !one->text && fabs(one->value) <= 0.0) continue;
    show_fact(one, text, sizeof text);
    if (!isnan(one->share))
      snprintf(share, sizeof share, "  %5.1f%%", 100.0 * one->share);
    put_line(f, 16, "  %-12s %10s%s%s%s", one->name, text, share,
             one->note ? "  " : "", one->note ? one->note : "");
  }
}

static void print_draws(FILE *f, const facts *k)
{
  static const char *const names[] = {"low", "high", "median", "sigma"};
  char text[4][48];

  if (strcmp(find_fact(k, "draws", "sigma")->group, "draws") != 0) return;
  for (int i = 0; i < 4; i++)
    show_fact(find_fact(k, "draws", names[i]), text[i], sizeof text[i]);
  put_line(f, 2,
           "the time is not linear in its numbers: of %d draws 68%% lie in %s "
           ".. %s, the median is %s, the standard deviation %s",
           DRAWS, text[0], text[1], text[2], text[3]);
}

/* Writes "2.1% the model's own (...)", or why the error is unknown. */
static void say_model(const facts *k, char *text, size_t size)
{
  const fact *model = find_fact(k, "prediction", "error_of_model");

  if (isnan(model->value))
    snprintf(text, size, "the model's own is %s", model->note);
  else if (model->value > 0.0)
    snprintf(text, size, "%.1f%% the model's own (%s)", 100.0 * model->share,
             model->note);
  else
    snprintf(text, size, "%s", model->note);
}

/* Prints a line such as "by cause, of nodes: network 12.0%, ...". */
static void print_causes(FILE *f, const facts *k)
{
  char text[160] = "";

  if (strcmp(find_fact(k, "causes", "network")->group, "causes") != 0) return;
  for (int c = 0; c < CAUSES; c++) {
    const char *name = error_cause_name((error_cause)c);
    gscale_append(text, sizeof text, "%s %s %.1f%%", c ? "," : "", name,
                  100.0 * find_fact(k, "causes", name)->share);
  }
  put_line(f, 2, "by cause, of nodes:%s", text);
}

/* Splits the error by its sources: the system, the workload and the model. */
static void print_error(FILE *f, const facts *k, bool brief)
{
  char model[192];

  say_model(k, model, sizeof model);
  put_line(f, 2,
           "of the error %.1f%% is the system's numbers', %.1f%% the "
           "workload's, %s",
           100.0 * find_fact(k, "prediction", "error_of_system")->share,
           100.0 * find_fact(k, "prediction", "error_of_workload")->share,
           model);
  print_causes(f, k);
  if (!brief) print_draws(f, k);
}

static void print_setup(FILE *f, const facts *k)
{
  char text[48];

  show_fact(find_fact(k, "prediction", "setup"), text, sizeof text);
  if (number_of(k, "setup") > 0.0) fprintf(f, "setup, once: %s\n", text);
}

static void print_time(FILE *f, const facts *k, bool brief)
{
  const fact *time = find_fact(k, "prediction", "time");
  const fact *bound = find_fact(k, "prediction", "bound");
  const fact *range = find_fact(k, "prediction", "applicability");
  const char *asked = text_of(k, "question", "settings");
  char value[48], err[48];

  gscale_format_quantity(time->value, GSCALE_TIME, value, sizeof value);
  gscale_format_quantity(time->err, GSCALE_TIME, err, sizeof err);
  if (*asked) put_line(f, 2, "asked with %s", asked);
  fprintf(f, "one step takes %s +/- %s (%.1f%%)\n", value, err,
          100.0 * time->share);
  print_error(f, k, brief);
  fprintf(f, "speedup %.2f, efficiency %.1f%%, fraction of ideal %.1f%%\n",
          number_of(k, "speedup"), 100.0 * number_of(k, "efficiency"),
          100.0 * number_of(k, "fraction_of_ideal"));
  print_setup(f, k);
  if (!brief) fprintf(f, "bound by %s\n", bound->note);
  put_line(f, 2, "applicability: %s%s%s%s", range->text,
           range->note[0] ? " (" : "", range->note, range->note[0] ? ")" : "");
}

static void print_standing(FILE *f, const facts *k)
{
  const fact *s = find_fact(k, "question", "standing");
  const fact *also = find_fact(k, "question", "also");
  const bool tied = strcmp(also->name, "also") == 0;

  if (strcmp(s->name, "standing") != 0) return;
  put_line(f, 2, "%s: %s%s%s", s->note, s->text, tied ? ", also: " : "",
           tied ? also->text : "");
}

static void print_given(FILE *f, const facts *k)
{
  const fact *g = find_fact(k, "question", "given");

  if (strcmp(g->name, "given") == 0) put_line(f, 2, "given %s", g->text);
}

/* Prints the losses, except on one GPU, which loses nothing. */
static bool print_lost(FILE *f, const facts *k, bool brief)
{
  if (strcmp(find_fact(k, "lost", "gain")->group, "lost") != 0) return false;
  fprintf(f, "\nlost over an even share of one GPU's step\n");
  print_group(f, k, "lost", brief);
  print_group(f, k, "hidden", brief);
  return true;
}

static void print_bytes(FILE *f, const facts *k, bool brief)
{
  if (!(find_fact(k, "bytes", "sum")->value > 0.0)) {
    fprintf(f, "\nno bytes move\n");
    return;
  }
  fprintf(f, "\nbytes that all GPUs send\n");
  print_group(f, k, "bytes", brief);
}

static void print_described(FILE *f, const facts *k)
{
  const fact *w = find_fact(k, "workload", "file");
  const fact *s = find_fact(k, "system", "file");

  putc('\n', f);
  put_line(f, 2, "workload %s: %s", text_of(k, "question", "workload"),
           w->note);
  fprintf(f, "  from %s\n", w->text);
  print_group(f, k, "setting", false);
  fprintf(f, "  its weakest number is %s\n",
          text_of(k, "workload", "weakest_number"));
  putc('\n', f);
  put_line(f, 2, "system %s: %s", text_of(k, "question", "system"), s->note);
  fprintf(f, "  from %s\n", s->text);
}

static int print_lanes(output *out, const reason *r, failure *why)
{
  gscale_lanes *lanes = NULL;
  int st = lanes_new(&r->q, r->chosen, 0, &lanes, why);

  if (st == EXIT_OK) {
    fputs("\nits schedule in the long run, from the first call on", out->f);
    if (gscale_lanes_alike(lanes) > 1)
      fprintf(out->f, ", of one of %d GPUs", gscale_lanes_alike(lanes));
    putc('\n', out->f);
    if (gscale_lanes_count(lanes) > LANES_SHOWN)
      fprintf(out->f, "  %zu actions; --timeline lists them\n",
              gscale_lanes_count(lanes));
    else
      st = rows_end(st, lanes_rows(lanes), FORMAT_TABLE, out, why);
  }
  gscale_lanes_free(lanes);
  return st;
}

static void print_words(FILE *f, const facts *k, size_t numbers, bool brief)
{
  const fact *p = find_fact(k, "paradigm", text_of(k, "question", "paradigm"));

  print_time(f, k, brief);
  print_given(f, k);
  print_standing(f, k);
  if (!print_lost(f, k, brief) || !brief) {
    fprintf(f, "\nwhere the time goes\n");
    print_group(f, k, "part", brief);
  }
  print_bytes(f, k, brief);
  putc('\n', f);
  put_line(f, 2, "paradigm %s: %s%s", p->name, p->note,
           strcmp(p->text, "proposed") == 0 ? " (proposed hardware)" : "");
  print_group(f, k, "knob", false);
  print_group(f, k, "collective", false);
  if (!brief) print_described(f, k);
  fputs(numbers
            ? "\nnumbers that matter, what adds most to the error first\n"
              "(elasticity: % of time per % of the number; moves: the time, "
              "by its error)\n"
            : "\nno number matters\n",
        f);
}

/* Prints how many numbers the table omits. */
static void print_rest(FILE *f, const reason *r, size_t numbers, bool brief)
{
  const size_t all = gscale_uncertainty_count(r->f.u);

  if (brief && numbers == NUMBERS_SHOWN) {
    put_line(f, 2,
             "%zu other numbers add less; --all has them, what to measure, the "
             "descriptions and the schedule",
             all - numbers);
    return;
  }
  if (numbers > 0 && numbers < all)
    put_line(f, 2,
             "%zu other numbers move the time by less than 0.5%%; --format csv "
             "lists them",
             all - numbers);
}

enum {
  NEXT_SHOWN = 3
};

/* Relative errors of the kernels' time at a share of the work, predicted from
 * t1 alone and from t1 with two shares. Two machines have errors of 4 to 6 %
 * and of 2 to 3.4 % (scripts/dev/shares). */
static const double SHAPE = 0.05, SHAPE_LEFT = 0.027;

/* Proposes to time a share of the work if a timed share cuts the error by a
 * tenth. */
static void print_share(FILE *f, const reason *r, bool first)
{
  const int n = r->q.gpus[0];
  const gscale_workload *w = question_workload(&r->q, n);
  const double kernels = r->p.part[GSCALE_PART_COMPUTE] / r->p.time;
  const double err = r->e.time / r->p.time, after = SHAPE_LEFT * kernels;
  const double less = pow(SHAPE * kernels, 2.0) - pow(after, 2.0);
  const double left = sqrt(fmax(pow(after, 2.0), err * err - less));

  if (n < 2 || !(gscale_workload_about(w).t1->val > 0.0) ||
      gscale_workload_about(w).shares > 0 || !(left < 0.9 * err))
    return;
  if (first) fputs("\nmeasure this next\n", f);
  put_line(
      f, 4,
      "  t1 of 1/%d of the work, alone on one GPU (gs.shares): how kernels "
      "shrink; with it about +/- %.1f%%",
      n, 100.0 * left);
}

/* Proposes measurements. Brief output has at most the share of the work. */
static void print_next(FILE *f, const reason *r, bool brief)
{
  wanted w[NEXT_SHOWN];
  const size_t n =
      brief ? 0 : measure_next(&r->q, &r->f, r->p.time, &r->e, w, NEXT_SHOWN);

  if (n > 0) fputs("\nmeasure this next\n", f);
  for (size_t i = 0; i < n; i++) {
    number_label label;

    put_line(f, 4, "  %s: %s; without its error +/- %.1f%%",
             say_number(&r->q, w[i].number, label), w[i].how,
             100.0 * w[i].left);
  }
  print_share(f, r, n == 0);
}

/* States the time, its error, its losses, and what to measure. */
static void claim_reason(claim *c, const reason *r)
{
  answer a = {.p = r->p, .lost = r->lost};
  number_label label;
  wanted w;

  answer_take_error(&a, &r->e);
  claim_begin(c);
  claim_time(c, &r->q, r->chosen, r->q.gpus[0], &a);
  if (r->q.gpus[0] > 1) claim_lost(c, &a);
  if (claim_single(c, &a)) return;
  if (measure_next(&r->q, &r->f, r->p.time, &r->e, &w, 1) > 0)
    claim_say(c, " To be surer measure %s (%s).",
              say_number(&r->q, w.number, label), w.how);
}

/* ---- verb ---------------------------------------------------------------- */

static int write_all(output *out, rows *list, reason *r, const options *o,
                     failure *why)
{
  const format f = o->format;
  const bool brief = !o->all;
  const bool table = f == FORMAT_TABLE;
  static facts k; /* owns the texts of the rows */
  claim c;
  int st = EXIT_OK;

  claim_reason(&c, r);
  rows_answer(list, &c);
  if (table) claim_put(out->f, &c);
  if (table) putc('\n', out->f);
  facts_find(&k, r);
  if (!table) fill_facts(list, &k);
  fill_numbers(list, r, !table, table && brief);
  if (table) print_words(out->f, &k, rows_count(list), brief);
  if (!table || rows_count(list)) st = rows_write(list, f, out, why);
  if (st == EXIT_OK && table) {
    print_rest(out->f, r, rows_count(list), brief);
    print_next(out->f, r, brief);
  }
  return st;
}

static int print(reason *r, const options *o, failure *why)
{
  rows *list = rows_new("gpuscale.explain/2", columns, COLUMNS);
  output out;
  int st = output_open(&out, o->output, why);

  if (st == EXIT_OK) st = write_all(&out, list, r, o, why);
  if (st == EXIT_OK && o->format == FORMAT_TABLE && o->all)
    st = print_lanes(&out, r, why);
  rows_free(list);
  return output_end(st, &out, why);
}

/* Prints only the schedule, for --timeline. */
static int print_timeline(const reason *r, const options *o, failure *why)
{
  gscale_lanes *lanes = NULL;
  int st = lanes_new(&r->q, r->chosen, 0, &lanes, why);

  if (st == EXIT_OK) st = rows_print(st, lanes_rows(lanes), o, why);
  gscale_lanes_free(lanes);
  return st;
}

/* ---- formula ------------------------------------------------------------- */

enum {
  TERM_NAME,
  TERM_PHASE,
  TERM_TIMES,
  TERM_EACH,
  TERM_TIME,
  TERM_TEXT,
  TERM_COLUMNS,
  TERMS_MOST = 512
};
static const column term_columns[TERM_COLUMNS] = {
    [TERM_NAME] = TEXT("name", "term"),
    [TERM_PHASE] = TEXT("phase", "phase"),
    [TERM_TIMES] = NUMBER("times", "times", GSCALE_COUNT),
    [TERM_EACH] = NUMBER("each_s", "each", GSCALE_TIME),
    [TERM_TIME] = NUMBER("time_s", "together", GSCALE_TIME),
    [TERM_TEXT] = TEXT("text", "each is"),
};

/* Prints the terms of the time for --formula, and a factor from given runs. */
static int print_formula(const reason *r, const options *o, failure *why)
{
  static gscale_term term[TERMS_MOST];
  const size_t n =
      gscale_predict_terms(gscale_uncertainty_plan(r->f.u),
                           r->q.paradigm[r->chosen], &r->p, term, TERMS_MOST);
  const gscale_workload *w = question_workload(&r->q, r->q.gpus[0]);
  rows *out = rows_new("gpuscale.terms/1", term_columns, TERM_COLUMNS);
  double sum = 0.0;
  claim said;

  for (size_t i = 0; i < n; i++) {
    cell *c = rows_add(out);
    set_text(&c[TERM_NAME], term[i].name);
    set_text(&c[TERM_PHASE], gscale_workload_phase(w, term[i].phase)->name);
    c[TERM_TIMES].number = term[i].times;
    c[TERM_EACH].number = term[i].each;
    c[TERM_TIME].number = term[i].times * term[i].each;
    set_text(&c[TERM_TEXT], term[i].text);
    sum += c[TERM_TIME].number;
  }
  cell *c = rows_add(out);
  set_text(&c[TERM_NAME], "T, the sum");
  c[TERM_TIMES].number = r->p.time / sum;
  c[TERM_EACH].number = sum;
  c[TERM_TIME].number = r->p.time;
  claim_reason(&said, r);
  return rows_print_answer(EXIT_OK, out, &said, o, why);
}

static int explain_main(options *o, failure *why)
{
  static reason r; /* too large for the stack */
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st == EXIT_OK && !o->gpus)
    st = fail(why, EXIT_USAGE, "explain: needs --gpus N");
  if (st != EXIT_OK) return st;
  st = question_load(&r.q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK && r.q.n != 1)
    st = fail(why, EXIT_USAGE, "explain: one number of GPUs, not '%.100s'",
              o->gpus);
  if (st == EXIT_OK && r.q.named && r.q.paradigms != 1)
    st = fail(why, EXIT_USAGE, "explain: one paradigm, not '%.100s'",
              o->paradigm);
  if (st == EXIT_OK) st = reason_about(&r, why);
  if (st == EXIT_OK && o->trace)
    st = trace_write(&r.q, r.chosen, o->trace, why);
  if (st == EXIT_OK)
    st = o->timeline  ? print_timeline(&r, o, why)
         : o->formula ? print_formula(&r, o, why)
                      : print(&r, o, why);
  influences_free(&r.f);
  question_free(&r.q);
  return st;
}

const verb verb_explain = {
    .place = 30,
    .name = "explain",
    .usage = "WORKLOAD --system SYSTEM --gpus N [options]",
    .summary = "the parts of one prediction and the numbers it depends on",
    .examples =
        "gpuscale explain jacobi --system h200x8 --gpus 8\n"
        "gpuscale explain jacobi --system h200x8 --gpus 8 --paradigm memcpy\n",
    .accepts =
        "system link gpus per-node paradigm set proposed weak runs formula "
        "timeline "
        "all format output",
    .run = explain_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
