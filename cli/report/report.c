/* report.c - writes the sections of the page. */

#include "report/report.h"

#include "report/page.h"
#include "validate/conditioning.h"

#include <math.h>
#include <string.h>

/* The best paradigm on the most GPUs, with its explanation. */
typedef struct topic {
  const question *q;
  const answer *a;
  size_t last; /* index of the most GPUs */
  size_t best; /* index of the paradigm */
  const answer *one;
  const evidence *runs;
  const moves *moves; /* NULL without sliders */
  gscale_error e;
  influences f;
} topic;

typedef char quantity[48];

static const char *time_of(double seconds, quantity text)
{
  gscale_format_quantity(seconds, GSCALE_TIME, text, sizeof(quantity));
  return text;
}

static int find_topic(topic *t, failure *why)
{
  const question *q = t->q;
  gscale_diag diag;
  gscale_status st;
  int done;

  t->last = q->n - 1;
  t->best = question_best(q, t->a, t->last);
  if (t->best == q->paradigms)
    return fail(why, EXIT_DATA, "report: no paradigm can run %s on %s",
                gscale_workload_about(q->workload).name, q->name);
  t->one = &t->a[t->best * q->n + t->last];
  done = influences_find(&t->f, q, t->best, t->last, &t->one->p.knobs, why);
  if (done != EXIT_OK) return done;
  st = gscale_uncertainty_error(t->f.u, q->paradigm[t->best], &t->one->p.knobs,
                                &t->e, &diag);
  return check_gscale(why, st, &diag);
}

/* ---- the answer ---------------------------------------------------------- */

static void put_reach(FILE *f, const topic *t)
{
  const question *q = t->q;
  const answer *a = &t->a[t->best * q->n];
  const size_t peak = curve_fastest(q, a);
  const spot knee = curve_knee(q, a);

  if (peak == 0)
    page_say(f, "More than %d GPUs only slow it.", q->gpus[0]);
  else if (knee.gpus == q->gpus[0])
    page_say(f,
             "It is fastest on %d GPUs, but from the start each added GPU "
             "gives less than half of what it could.",
             q->gpus[peak]);
  else
    page_say(f,
             "It is fastest on %d GPUs, and up to %d each added GPU gives half "
             "or more of what it could.",
             q->gpus[peak], knee.gpus);
}

static void put_limit(FILE *f, const topic *t)
{
  lost_words lost;

  page_say(f,
           "Lost to %s. Zero-cost communication would leave %.0f %% of the "
           "time.",
           say_lost(t->one, lost), 100.0 * t->one->p.opportunity);
}

/* Lists the paradigms that tie with the best, and the error behind the ties. */
static void put_ties(FILE *f, const topic *t)
{
  size_t of[PARADIGMS_MAX];
  const size_t n = question_tied(t->q, t->a, t->last, of);
  char also[512];

  if (t->q->gpus[t->last] == 1 || n < 2) return;
  say_also(t->q, of, n, ", ", also, sizeof also);
  page_say(f,
           "It ties with others, within 1 %% or a tenth of the error of their "
           "ratio, and is the plainest of them; also: %s.",
           also);
}

static void put_answer(FILE *f, const topic *t)
{
  fputs("<div id=\"answer\">\n", f);
  claim c;

  claim_begin(&c);
  claim_time(&c, t->q, t->best, t->q->gpus[t->last], t->one);
  page_say(f, "%s", c.text);
  put_ties(f, t);
  put_reach(f, t);
  put_limit(f, t);
  fputs("</div>\n", f);
}

/* ---- figures ------------------------------------------------------------- */

enum {
  CURVE = 1,
  WATERFALL,
  TIMELINE
};

/* Draws figure `which` of a topic, or of runs without a description. */
typedef int drawer(const void *of, int which, FILE *out, failure *why);

static int draw(const void *of, int which, FILE *out, failure *why)
{
  const topic *t = of;

  if (which == CURVE)
    return draw_scaling(t->q, t->a, t->runs->at, t->runs->n, false, out, why);
  if (which == WATERFALL)
    return draw_waterfall(t->q, t->a, t->best, t->last, false, out, why);
  return draw_timeline(t->q, t->a, t->best, t->last, false, out, why);
}

static int draw_laws(const void *of, int which, FILE *out, failure *why)
{
  (void)which;
  return draw_runs(of, false, out, why);
}

static int put_figure(FILE *f, drawer *d, const void *of, int which,
                      const char *caption, failure *why)
{
  draft svg;
  int st = EXIT_OK;

  if (!draft_open(&svg)) return no_memory(why);
  st = d(of, which, svg.f, why);
  if (st == EXIT_OK && !draft_end(&svg)) st = no_memory(why);
  if (st == EXIT_OK) page_figure(f, &svg, which, caption);
  draft_free(&svg);
  return st;
}

/* ---- tables -------------------------------------------------------------- */

#define PUT_TABLE(f, headings)                                                 \
  page_table(f, headings, sizeof(headings) / sizeof *(headings))

static void put_bests(FILE *f, const topic *t)
{
  static const char *const headings[] = {
      "GPUs",    "paradigm",   "time",    "one standard error",
      "speedup", "efficiency", "lost to", "applicability",
      "also"};
  const question *q = t->q;

  PUT_TABLE(f, headings);
  for (size_t j = 0; j < q->n; j++) {
    size_t of[PARADIGMS_MAX];
    const size_t i = question_best(q, t->a, j);
    const size_t tied = q->gpus[j] > 1 ? question_tied(q, t->a, j, of) : 0;
    const answer *a;
    quantity time, interval;
    paradigm_words paradigm;
    char also[512];

    if (i == q->paradigms) continue;
    a = &t->a[i * q->n + j];
    say_interval(a, interval, sizeof interval);
    page_row(f);
    page_cell(f, "%d", q->gpus[j]);
    page_cell(f, "%s",
              q->gpus[j] == 1 ? "any"
                              : say_paradigm(q, i, &a->p.knobs, paradigm));
    page_cell(f, "%s", time_of(a->p.time, time));
    page_cell(f, "%s", interval);
    page_cell(f, "%.2f", a->p.speedup);
    page_cell(f, "%.1f %%", 100.0 * a->p.efficiency);
    page_cell(f, "%s", say_most_lost(a));
    page_cell(f, "%s",
              gscale_name(GSCALE_APPLICABILITY_NAMES, a->applicability));
    say_also(q, of, tied, ", ", also, sizeof also);
    page_cell(f, "%s", also);
  }
  page_table_end(f);
}

static void put_ranking(FILE *f, const topic *t)
{
  static const char *const headings[] = {
      "",       "paradigm", "time",      "one standard error",
      "behind", "lost to",  "what it is"};
  const question *q = t->q;
  size_t rank[PARADIGMS_MAX];
  const size_t n = question_rank(q, t->a, t->last, rank);

  PUT_TABLE(f, headings);
  for (size_t k = 0; k < n; k++) {
    const answer *a = &t->a[rank[k] * q->n + t->last];
    const gscale_paradigm *p = gscale_paradigm_at(q->paradigm[rank[k]]);
    quantity time, interval;

    say_interval(a, interval, sizeof interval);
    page_row(f);
    page_cell(f, "%zu", k + 1);
    page_cell(f, "%s%s", question_paradigm(q, rank[k]),
              p->proposed ? " (proposed hardware)" : "");
    page_cell(f, "%s", time_of(a->p.time, time));
    page_cell(f, "%s", interval);
    page_cell(f, "%.1f %%", 100.0 * (a->p.time / t->one->p.time - 1.0));
    page_cell(f, "%s", say_most_lost(a));
    page_cell(f, "%s", question_summary(q, rank[k]));
  }
  page_table_end(f);
}

enum {
  NEXT_SHOWN = 5
};

static void put_next(FILE *f, const topic *t)
{
  static const char *const headings[] = {"number", "how", "moves the time by",
                                         "error without its own"};
  wanted w[NEXT_SHOWN];
  const size_t n =
      measure_next(t->q, &t->f, t->one->p.time, &t->e, w, NEXT_SHOWN);

  if (n == 0) {
    page_say(f, "No number moves the time by 0.5 %% or more within its error.");
    return;
  }
  PUT_TABLE(f, headings);
  for (size_t i = 0; i < n; i++) {
    number_label label;

    page_row(f);
    page_cell(f, "%s", say_number(t->q, w[i].number, label));
    page_cell(f, "%s", w[i].how);
    page_cell(f, "%.1f %%", 100.0 * w[i].share);
    page_cell(f, "%.1f %%", 100.0 * w[i].left);
  }
  page_table_end(f);
}

/* Formats a share in % without exponents. */
static void put_share(FILE *f, double share)
{
  const double percent = 100.0 * share;

  if (!isfinite(percent))
    page_cell(f, "%s", "");
  else if (percent > 0.0 && percent < 0.01)
    page_cell(f, "%s", "< 0.01 %");
  else
    page_cell(f, percent < 10.0 ? "%.2g %%" : "%.0f %%", percent);
}

static void put_numbers(FILE *f, const topic *t)
{
  static const char *const headings[] = {"number",     "value",  "+/-",
                                         "moves time", "origin", "from"};

  PUT_TABLE(f, headings);
  for (size_t k = 0; k < t->f.n; k++) {
    const size_t i = t->f.order[k];
    const gscale_number *n = gscale_uncertainty_number(t->f.u, i);
    number_label label;
    quantity value;

    gscale_format_quantity(n->p.val, n->dim, value, sizeof value);
    page_row(f);
    page_cell(f, "%s", say_number(t->q, n, label));
    page_cell(f, "%s", value);
    put_share(f, n->p.err / fabs(n->p.val));
    put_share(f, t->f.of[i].err / t->one->p.time);
    page_cell(f, "%s", gscale_name(GSCALE_ORIGIN_NAMES, n->p.origin));
    page_cell(f, "%s", n->p.source);
  }
  page_table_end(f);
}

/* ---- measurements ------------------------------------------------------- */

/* Returns true for a run to which the system was fitted. A run that was used in
 * a fit cannot test the system. */
static bool was_fitted(const study *s, size_t i)
{
  return gscale_system_has_row(s->system, run_hash(&s->runs[i]));
}

static bool is_judge(const void *closure, size_t i)
{
  const study *s = closure;

  return s->trials[i].role == ROLE_SCORED && !was_fitted(s, i);
}

static void put_run(FILE *f, const study *s, size_t i)
{
  const run *r = &s->runs[i];
  const trial *t = &s->trials[i];
  const gscale_interval within =
      gscale_interval_of(t->time, hypot(t->err, r->sigma), 1.0);
  quantity measured_time, time;
  char knobs[128];

  print_knobs(knobs, sizeof knobs, &r->k);
  page_row(f);
  page_cell(f, "%d", r->gpus);
  page_cell(f, "%s", gscale_paradigm_at(r->paradigm)->name);
  page_cell(f, "%s", knobs);
  page_cell(f, "%s", time_of(r->time, measured_time));
  page_cell(f, "%s", time_of(t->time, time));
  page_cell(f, "%+.1f %%", 100.0 * study_error(s, i));
  page_cell(f, "%.1f %%", 100.0 * t->err / t->time);
  page_cell(f, "%s",
            was_fitted(s, i)                               ? "fitted to it"
            : r->time >= within.lo && r->time <= within.hi ? "yes"
                                                           : "no");
}

static int put_evidence(FILE *f, const evidence *e, failure *why)
{
  static const char *const headings[] = {
      "GPUs",  "paradigm",           "knobs",    "measured", "predicted",
      "error", "one standard error", "within it"};
  const study *s = e->s;
  const choice all = {is_judge, s, 0, NULL};
  gscale_score score;
  const int st = study_score(s, &all, false, &score, why);

  if (st != EXIT_OK) return st;
  if (score.n == 0)
    page_say(f, "No run of %s is left to compare with.", e->files);
  else
    page_say(
        f,
        "%zu runs of %s, each the fastest of its paradigm: mean |error| %.1f "
        "%%, worst %+.1f %%, within one standard error %.0f %% of them.",
        score.n, e->files, 100.0 * score.mean_abs, 100.0 * score.worst,
        100.0 * score.covered);
  PUT_TABLE(f, headings);
  for (size_t i = 0; i < s->n; i++)
    if (s->trials[i].role == ROLE_SCORED) put_run(f, s, i);
  page_table_end(f);
  return EXIT_OK;
}

/* ---- limits ------------------------------------------------------------- */

static void put_model(FILE *f, const topic *t)
{
  const gscale_error *e = &t->e;
  const double time = t->one->p.time;

  page_say(f,
           "The error has %.1f %% of the time from numbers of the system and "
           "%.1f %% from the workload.",
           100.0 * e->of_system / time, 100.0 * e->of_workload / time);
  if (!error_is_known(t->q->system))
    page_say(
        f, "The model's own error is not known here: there are no residuals.");
  else
    page_say(f, "%.1f %% is the model's own, most of it %s.",
             100.0 * e->of_model / time, error_words(e));
}

static void put_validity(FILE *f, const topic *t)
{
  const question *q = t->q;
  const int together = gscale_system_about(q->system).calibrated;

  page_say(f, "On %d GPUs the prediction is %s%s%s.", q->gpus[t->last],
           gscale_name(GSCALE_APPLICABILITY_NAMES, t->e.applicability),
           t->e.reason[0] ? ": " : "", t->e.reason);
  if (together > 0)
    page_say(f, "%s was measured on up to %d GPUs; it has %d.", q->name,
             together, gscale_system_about(q->system).gpus);
  else
    page_say(f, "No measurement of %s itself was used; it has %d GPUs.",
             q->name, gscale_system_about(q->system).gpus);
  put_model(f, t);
}

static void put_asked(FILE *f, const question *q)
{
  page_say(f, "Workload %s: %s.", gscale_workload_about(q->workload).name,
           q->about_workload.summary);
  page_say(f, "System %s: %s.", q->name, q->about_system.summary);
  if (*asked(q)) page_say(f, "Asked with %s.", asked(q));
}

static void put_made(FILE *f)
{
  static const char *const headings[] = {"file", "SHA-256"};
  const made_file *m;

  page_heading(f, "How this page was made");
  page_say(f, "Made by gpuscale %s: %s", GSCALE_VERSION, made_command());
  if (!made_file_at(0)) return;
  PUT_TABLE(f, headings);
  for (size_t i = 0; (m = made_file_at(i)); i++) {
    page_row(f);
    page_cell(f, "%s", m->name);
    page_cell(f, "%s", m->sha256);
  }
  page_table_end(f);
}

/* ---- the page ------------------------------------------------------------ */

static int put_page(FILE *f, const topic *t, failure *why)
{
  char title[160];
  int st;

  snprintf(title, sizeof title, "%s on %s",
           gscale_workload_about(t->q->workload).name, t->q->name);
  page_begin(f, title);
  put_answer(f, t);
  if (t->moves) moves_put(f, t->moves);
  page_heading(f, "How it scales");
  st = put_figure(f, draw, t, CURVE, "Speedup and efficiency, each paradigm.",
                  why);
  put_bests(f, t);
  page_heading(f, "Which paradigm");
  put_ranking(f, t);
  page_heading(f, "What limits it");
  if (st == EXIT_OK)
    st = put_figure(f, draw, t, WATERFALL,
                    "From an even share of one GPU's step to the prediction.",
                    why);
  if (st == EXIT_OK)
    st = put_figure(f, draw, t, TIMELINE, "The step as it runs.", why);
  if (t->runs->files) {
    page_heading(f, "What was measured");
    if (st == EXIT_OK) st = put_evidence(f, t->runs, why);
  }
  page_heading(f, "What to measure next");
  put_next(f, t);
  page_heading(f, "How far it holds");
  put_validity(f, t);
  page_heading(f, "Where each number comes from");
  put_numbers(f, t);
  put_asked(f, t->q);
  put_made(f);
  page_end(f);
  return st;
}

int report_write(FILE *f, const question *q, const answer *a, const evidence *e,
                 const moves *m, failure *why)
{
  topic t = {.q = q, .a = a, .runs = e, .moves = m};
  int st = find_topic(&t, why);

  if (st == EXIT_OK) st = put_page(f, &t, why);
  influences_free(&t.f);
  return st;
}

/* ---- runs without a description ------------------------------------------ */

static void put_curve(FILE *f, const ahead_curve *b)
{
  static const char *const headings[] = {"GPUs", "time", "one standard error",
                                         "speedup", "measured"};

  PUT_TABLE(f, headings);
  for (size_t i = 0; i < b->n; i++) {
    const ahead_point *p = &b->v[i];
    quantity time, low, high;

    page_row(f);
    page_cell(f, "%d", p->gpus);
    page_cell(f, "%s", time_of(p->time, time));
    page_cell(f, "%s to %s", time_of(p->time * exp(-p->err), low),
              time_of(p->time * exp(p->err), high));
    page_cell(f, "%.2f", b->v[0].gpus * b->v[0].time / p->time);
    page_cell(f, "%s", p->ran ? "yes" : "");
  }
  page_table_end(f);
}

int report_runs(FILE *f, const ahead_curve *b, failure *why)
{
  char line[sizeof b->formulas];
  int st;

  page_begin(f, b->name);
  page_say(f, "%s", b->c.text);
  page_heading(f, "How it scales");
  st = put_figure(f, draw_laws, b, CURVE, "Speedup and efficiency.", why);
  put_curve(f, b);
  page_heading(f, "The laws");
  for (const char *at = b->formulas; *at; at += strcspn(at, "\n") + 1) {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    page_say(f, "%s", line);
  }
  put_made(f);
  page_end(f);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
