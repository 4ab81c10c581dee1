/* tune.c - gpuscale tune: finds the best paradigm, chunk and threads. */

#include "figures/figures.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- regimes ------------------------------------------------------------ */

/* The largest cost of moving data. */
typedef enum regime {
  REGIME_HIDDEN,     /* almost no cost */
  REGIME_INITIATION, /* chunks are too small */
  REGIME_BANDWIDTH,  /* link and memory bandwidth */
  REGIME_THREADS,    /* too few threads for the link */
  REGIME_TRACKING,
  REGIME_TAIL, /* chunks are too large */
  REGIME_END
} regime;

static const char *const regimes[REGIME_END] = {
    [REGIME_HIDDEN] = "hidden",       [REGIME_INITIATION] = "initiation",
    [REGIME_BANDWIDTH] = "bandwidth", [REGIME_THREADS] = "threads",
    [REGIME_TRACKING] = "tracking",   [REGIME_TAIL] = "tail",
};

/* Maps each bound to a regime. Bounds of compute or host map to HIDDEN. */
static const regime regime_of_bound[GSCALE_MECHANISM_END] = {
    [GSCALE_M_BANDWIDTH] = REGIME_BANDWIDTH,
    [GSCALE_M_ISSUE] = REGIME_THREADS,
    [GSCALE_M_INITIATION] = REGIME_INITIATION,
    [GSCALE_M_FAULT] = REGIME_INITIATION,
    [GSCALE_M_TRACKING] = REGIME_TRACKING,
    [GSCALE_M_TAIL] = REGIME_TAIL,
    [GSCALE_M_LATENCY] = REGIME_TAIL,
};

/* Returns the regime of a step. If compute or the host bounds the step, the
 * largest added part decides. */
static regime regime_of(const gscale_prediction *p)
{
  const double negligible = 0.005 * p->time;
  const double added[REGIME_END] = {
      [REGIME_HIDDEN] = negligible,
      [REGIME_INITIATION] = p->part[GSCALE_PART_INITIATION],
      [REGIME_BANDWIDTH] = p->part[GSCALE_PART_TRANSFER],
      [REGIME_TRACKING] = p->part[GSCALE_PART_TRACKING],
      [REGIME_TAIL] = p->part[GSCALE_PART_TAIL] + p->part[GSCALE_PART_LATENCY],
  };
  regime most = regime_of_bound[p->bound];

  if (most != REGIME_HIDDEN) return most;
  for (regime r = REGIME_HIDDEN; r < REGIME_END; r++)
    if (added[r] > added[most]) most = r;
  return most;
}

/* ---- sweep --------------------------------------------------------------- */

typedef struct point {
  size_t paradigm; /* index in the question */
  gscale_prediction p;
} point;

typedef struct sweep {
  question q;
  gscale_plan *plan;
  point *v;
  size_t n, room;
  double memcpy;    /* time of bulk copies in s */
  answer *a;        /* fastest point of each paradigm */
  const point *won; /* plainest of the ties */
} sweep;

static int add_point(sweep *s, size_t i, const gscale_knobs *k, failure *why)
{
  gscale_diag diag;
  gscale_status st;
  point *more = gscale_reserve(s->v, &s->room, s->n + 1, sizeof *more);

  if (!more) return no_memory(why);
  s->v = more;
  point *p = &s->v[s->n];
  p->paradigm = i;
  st = gscale_predict(s->plan, s->q.paradigm[i], k, &p->p, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  question_given(&s->q, i, s->q.gpus[0], &p->p);
  s->n++;
  return EXIT_OK;
}

/* Sweeps knob k and all later knobs. Given knobs and unused knobs are fixed. */
static int sweep_knob(sweep *s, size_t i, size_t k, gscale_knobs at,
                      failure *why)
{
  const gscale_paradigm *m = gscale_paradigm_at(s->q.paradigm[i]);
  double most;
  int st = EXIT_OK;

  if (k == GSCALE_KNOB_END) return add_point(s, i, &at, why);
  at.v[k] = s->q.knobs[i].v[k];
  if (!m->uses[k] || !isnan(at.v[k])) return sweep_knob(s, i, k + 1, at, why);
  gscale_plan_knob(s->plan, (gscale_knob)k, &at.v[k], &most);
  for (; st == EXIT_OK && at.v[k] <= most; at.v[k] *= 2.0)
    st = sweep_knob(s, i, k + 1, at, why);
  return st;
}

/* Drops points of an inter-node method that an earlier paradigm already has. */
static void drop_same(sweep *s, size_t i, size_t first)
{
  for (size_t j = 0; !s->q.named && s->q.between[i] > 0 && j < first; j++)
    if (s->q.paradigm[s->v[j].paradigm] == s->q.paradigm[i] && s->n > first &&
        s->v[j].p.knobs.between == s->v[first].p.knobs.between)
      s->n = first;
}

/* Sweeps a paradigm. A paradigm that cannot run is skipped, unless no other
 * paradigm was named. */
static int sweep_paradigm(sweep *s, size_t i, failure *why)
{
  const size_t first = s->n;
  gscale_knobs at = gscale_knobs_best;
  gscale_diag diag;
  gscale_status st =
      gscale_pair_needs(s->plan, s->q.paradigm[i], s->q.between[i], &diag);

  if (s->q.paradigm[i] == gscale_paradigm_find("infinite"))
    return s->q.paradigms > 1
               ? EXIT_OK
               : fail(why, EXIT_DATA,
                      "tune: zero-cost communication (infinite) is a bound; "
                      "name a paradigm");
  if (st == GSCALE_ENEED && !s->q.named) return EXIT_OK;
  if (st == GSCALE_ENEED && s->q.paradigms > 1) {
    print_note("left out on %s: %s", s->q.name, diag.text);
    return EXIT_OK;
  }
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  at.between = s->q.knobs[i].between;
  const int swept = sweep_knob(s, i, 0, at, why);
  drop_same(s, i, first);
  return swept;
}

/* Predicts memcpy, the baseline of the speedups. */
static void predict_memcpy(sweep *s)
{
  gscale_prediction p;
  const gscale_status st =
      gscale_predict(s->plan, gscale_paradigm_find("memcpy"), NULL, &p, NULL);

  for (size_t i = 0; st == GSCALE_OK && i < s->q.paradigms; i++)
    if (strcmp(question_paradigm(&s->q, i), "memcpy") == 0)
      question_given(&s->q, i, s->q.gpus[0], &p);
  s->memcpy = st == GSCALE_OK ? p.time : NAN;
}

static int sweep_all(sweep *s, failure *why)
{
  gscale_diag diag;
  int st = EXIT_OK;
  const gscale_status made = gscale_plan_new(s->q.system, s->q.workload,
                                             s->q.gpus[0], &s->plan, &diag);

  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  predict_memcpy(s);
  for (size_t i = 0; st == EXIT_OK && i < s->q.paradigms; i++) {
    st = sweep_paradigm(s, i, why);
    progress("paradigms", i + 1, s->q.paradigms);
  }
  progress_end();
  if (st == EXIT_OK && s->n == 0) return question_refuse(&s->q, 0, why);
  return st;
}

/* Returns the fastest point of paradigm i with the given chunk, or with any if
 * that is NaN; of equal points the first. */
static const point *at_chunk(const sweep *s, size_t i, double chunk)
{
  const point *best = NULL;

  for (size_t j = 0; j < s->n; j++) {
    const point *p = &s->v[j];

    if (p->paradigm == i && !(fabs(p->p.knobs.v[GSCALE_CHUNK] - chunk) > 0.0) &&
        (!best || p->p.time < best->p.time))
      best = p;
  }
  return best;
}

static const point *fastest(const sweep *s, size_t i)
{
  return at_chunk(s, i, NAN);
}

/* Completes the answer of a point with its error. */
static gscale_status complete(sweep *s, gscale_uncertainty *u, const point *p,
                              gscale_diag *diag)
{
  answer *a = &s->a[p->paradigm];
  const size_t paradigm = s->q.paradigm[p->paradigm];
  gscale_error e;
  gscale_status st =
      gscale_uncertainty_error(u, paradigm, &p->p.knobs, &e, diag);

  if (st != GSCALE_OK) return st;
  question_given_error(&s->q, p->paradigm, s->q.gpus[0], &p->p, &e);
  *a = (answer){.met = true, .p = p->p, .err = e.time};
  a->applicability = e.applicability;
  memcpy(a->word, e.word, sizeof a->word);
  a->row = gscale_joint_count(s->q.joint);
  return gscale_joint_add(s->q.joint, u, p->p.time, &e, diag);
}

/* Finds the best paradigm. The errors decide which paradigms tie. */
static int judge(sweep *s, failure *why)
{
  gscale_uncertainty *u = NULL;
  gscale_diag diag;
  gscale_status st;

  if (question_join(&s->q, why) != EXIT_OK) return why->status;
  s->a = question_answers(&s->q);
  if (!s->a) return no_memory(why);
  st = gscale_uncertainty_new(s->q.system, s->q.workload, s->q.gpus[0], false,
                              &u, &diag);
  for (size_t i = 0; st == GSCALE_OK && i < s->q.paradigms; i++) {
    const point *p = fastest(s, i);

    if (p) st = complete(s, u, p, &diag);
  }
  gscale_uncertainty_free(u);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  s->won = fastest(s, best_paradigm(&s->q, s->a, 1));
  return EXIT_OK;
}

static int load(sweep *s, options *o, failure *why)
{
  int st;

  memset(s, 0, sizeof *s);
  st = question_load(&s->q, o, GPUS_DOUBLED, why);
  if (st != EXIT_OK) return st;
  if (!o->gpus) s->q.gpus[0] = s->q.gpus[s->q.n - 1];
  if (o->gpus && s->q.n != 1)
    return fail(why, EXIT_USAGE, "tune: --gpus: one number, not '%.100s'",
                o->gpus);
  s->q.n = 1;
  st = sweep_all(s, why);
  if (st == EXIT_OK) st = judge(s, why);
  if (st == EXIT_OK) {
    question_note_t1(&s->q);
    question_note_beyond(&s->q);
  }
  return st;
}

static void unload(sweep *s)
{
  gscale_plan_free(s->plan);
  question_free(&s->q);
  free(s->v);
  free(s->a);
}

/* ---- rows --------------------------------------------------------------- */

enum {
  SYSTEM,
  WORKLOAD,
  GPUS,
  PARADIGM,
  CHUNK,
  WIDTH,
  TIME,
  SPEEDUP,
  GAIN,
  BOUND,
  REGIME,
  BEST,
  CHOICES,
  SETTINGS,
  STANDING,
  ALSO,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [SYSTEM] = TEXT("system", NULL),
    [WORKLOAD] = TEXT("workload", NULL),
    [GPUS] = INTEGER("gpus", NULL),
    [PARADIGM] = TEXT("paradigm", "paradigm"),
    [CHUNK] = NUMBER("chunk_B", "chunk", GSCALE_BYTES),
    [WIDTH] = INTEGER("width", "threads"),
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),
    [SPEEDUP] = NUMBER("speedup", "speedup", GSCALE_COUNT),
    [GAIN] = NUMBER("over_memcpy", "over memcpy", GSCALE_COUNT),
    [BOUND] = TEXT("bound", NULL), /* implied by the regime */
    [REGIME] = TEXT("regime", "regime"),
    [BEST] = TEXT("best", "best of"),
    [SETTINGS] = TEXT("settings", NULL),
    [CHOICES] = TEXT("ways", NULL),
    [STANDING] = TEXT("standing", NULL),
    [ALSO] = TEXT("also", NULL),
};

static void add_row(rows *r, const sweep *s, const point *p)
{
  cell *c = rows_add(r);

  set_text(&c[SYSTEM], s->q.name);
  set_text(&c[WORKLOAD], gscale_workload_about(s->q.workload).name);
  c[GPUS].number = s->q.gpus[0];
  set_text(&c[PARADIGM], question_paradigm(&s->q, p->paradigm));
  c[CHUNK].number = p->p.knobs.v[GSCALE_CHUNK];
  c[WIDTH].number = p->p.knobs.v[GSCALE_WIDTH];
  c[TIME].number = p->p.time;
  c[SPEEDUP].number = p->p.speedup;
  c[GAIN].number = s->memcpy / p->p.time;
  set_text(&c[BOUND], gscale_name(GSCALE_MECHANISM_NAMES, p->p.bound));
  set_text(&c[REGIME], regimes[regime_of(&p->p)]);
  if (p == fastest(s, p->paradigm)) {
    standing w;

    set_text(&c[BEST], p == s->won ? "all" : "paradigm");
    say_standing(&s->q, s->a, 1, p->paradigm, &w);
    set_text(&c[STANDING], w.place);
    set_text(&c[ALSO], w.also);
  }
  c[SETTINGS].whole = s->q.settings;
  if (p->p.moves > 0)
    print_moves(c[CHOICES].text, sizeof c[CHOICES].text, s->q.workload, &p->p);
}

/* Returns whether a table has the point. A table has the best point of each
 * paradigm, and for each chunk the best width of the winner. */
static bool told(const sweep *s, const point *p)
{
  if (p == fastest(s, p->paradigm)) return true;
  if (p->paradigm != s->won->paradigm) return false;
  for (size_t j = 0; j < s->n; j++) {
    const point *other = &s->v[j];

    if (other->paradigm == p->paradigm &&
        !(fabs(other->p.knobs.v[GSCALE_CHUNK] - p->p.knobs.v[GSCALE_CHUNK]) >
          0.0) &&
        (other->p.time < p->p.time ||
         (!(other->p.time > p->p.time) && other < p)))
      return false;
  }
  return true;
}

static rows *list_rows(const sweep *s, bool all)
{
  rows *r = rows_new("gpuscale.tune/1", columns, COLUMNS);

  for (size_t j = 0; j < s->n; j++)
    if (all || told(s, &s->v[j])) add_row(r, s, &s->v[j]);
  return r;
}

/* ---- words -------------------------------------------------------------- */

/* Prints how the library moves the data of each paradigm. */
static void print_paradigms(FILE *f, const sweep *s)
{
  for (size_t i = 0; i < s->q.paradigms; i++) {
    const point *p = fastest(s, i);
    char choices[256];

    if (!p || p->p.moves == 0) continue;
    print_moves(choices, sizeof choices, s->q.workload, &p->p);
    put_line(f, 2, "%s: %s", question_paradigm(&s->q, i), choices);
  }
}

/* Writes a text such as ", chunks of 64 KiB, 512 threads". */
static void say_knobs(const gscale_knobs *k, char *text, size_t size)
{
  char chunk[32];

  text[0] = '\0';
  if (!isnan(k->v[GSCALE_CHUNK])) {
    gscale_format_quantity(k->v[GSCALE_CHUNK], GSCALE_BYTES, chunk,
                           sizeof chunk);
    gscale_append(text, size, ", chunks of %s", chunk);
  }
  if (!isnan(k->v[GSCALE_WIDTH]))
    gscale_append(text, size, ", %.0f threads", k->v[GSCALE_WIDTH]);
}

/* States "-P proact-poll.chunk=256KiB", an option of other verbs. */
static void claim_options(claim *c, const char *choice, const gscale_knobs *k)
{
  const double chunk = k->v[GSCALE_CHUNK], width = k->v[GSCALE_WIDTH];
  const bool whole = fmod(chunk, 1024.0) <= 0.0;

  if (isnan(chunk) && isnan(width)) return;
  claim_say(c, " Predict with it by");
  if (!isnan(chunk))
    claim_say(c, " -P %s.chunk=%.0f%s", choice, whole ? chunk / 1024.0 : chunk,
              whole ? "KiB" : "B");
  if (!isnan(width)) claim_say(c, " -P %s.width=%.0f", choice, width);
  claim_say(c, ".");
}

/* States the best setting, its gain and the paradigms that tie with it. */
static void claim_best(claim *c, const sweep *s)
{
  const point *best = s->won;
  const answer *a = &s->a[best->paradigm];
  size_t of[PARADIGMS_MAX];
  const size_t n = paradigms_tied(&s->q, s->a, 1, of);
  char knobs[96], also[512];

  claim_begin(c);
  claim_time(c, &s->q, best->paradigm, s->q.gpus[0], a);
  say_knobs(&best->p.knobs, knobs, sizeof knobs);
  c->probability = best_chance(&s->q, s->a, 0);
  claim_say(c, " Of %zu settings the best is %s%s", s->n,
            question_paradigm(&s->q, best->paradigm), knobs);
  if (!isnan(s->memcpy))
    claim_say(c, ", %.2fx over memcpy", s->memcpy / best->p.time);
  if (!isnan(c->probability))
    claim_say(c, ", with %.0f%%", 100.0 * c->probability);
  say_also(&s->q, of, n, ", ", also, sizeof also);
  claim_say(c, "%s%s.", n > 1 ? "; also: " : "", also);
  claim_options(c, question_paradigm(&s->q, best->paradigm), &best->p.knobs);
}

static int print_table(output *out, const sweep *s, failure *why)
{
  claim c;
  int st;

  claim_best(&c, s);
  claim_put(out->f, &c);
  putc('\n', out->f);
  st = rows_end(EXIT_OK, list_rows(s, false), FORMAT_TABLE, out, why);
  if (st == EXIT_OK) print_paradigms(out->f, s);
  return st;
}

static int print(const sweep *s, const options *o, failure *why)
{
  output out;
  claim c;
  int st;

  if (o->format != FORMAT_TABLE) {
    rows *r = list_rows(s, true);

    claim_best(&c, s);
    rows_answer(r, &c);
    return rows_print(EXIT_OK, r, o, why);
  }
  st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  st = print_table(&out, s, why);
  return output_end(st, &out, why);
}

static int tune_main(options *o, failure *why)
{
  static sweep s; /* too large for the stack */
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = load(&s, o, why);
  if (st == EXIT_OK) st = print(&s, o, why);
  unload(&s);
  return st;
}

const verb verb_tune = {
    .place = 50,
    .name = "tune",
    .usage = "WORKLOAD --system SYSTEM --gpus N [options]",
    .summary = "the fastest paradigm, chunk size and number of threads",
    .examples =
        "gpuscale tune als --system v100x4 --gpus 4\n"
        "gpuscale tune als --system v100x4 -p proact-poll,proact-cdp -f csv\n",
    .accepts =
        "system link gpus per-node paradigm set proposed runs format output",
    .run = tune_main,
};

/* ---- figure -------------------------------------------------------------- */

static bool has_chunks(const sweep *s, size_t i)
{
  return gscale_paradigm_at(s->q.paradigm[i])->uses[GSCALE_CHUNK];
}

/* Writes a curve of chunk, speedup over memcpy and regime. The curve is flat if
 * the paradigm has no chunks. */
static void put_curve(FILE *f, const sweep *s, size_t i, bool *met)
{
  double chunk, most;

  gscale_plan_knob(s->plan, GSCALE_CHUNK, &chunk, &most);
  for (; chunk <= most; chunk *= 2.0) {
    const point *p = has_chunks(s, i) ? at_chunk(s, i, chunk) : fastest(s, i);

    if (!p) continue;
    figure_number(f, chunk);
    figure_number(f, s->memcpy / p->p.time);
    fprintf(f, " %d\n", has_chunks(s, i) ? (int)regime_of(&p->p) : 0);
    if (has_chunks(s, i)) met[regime_of(&p->p)] = true;
  }
  fprintf(f, "\n\n");
}

static void put_sweep(FILE *f, const sweep *s)
{
  bool met[REGIME_END] = {false};

  figure_data(f, "sweep");
  for (size_t i = 0; i < s->q.paradigms; i++)
    if (fastest(s, i)) put_curve(f, s, i, met);
  figure_end(f);
  fprintf(f, "array met[%d]\n", REGIME_END - 1);
  for (size_t k = 1; k < REGIME_END; k++)
    fprintf(f, "met[%zu] = %d\n", k, met[k]);
}

/* Writes the names at the ends of the curves, which have the largest chunk. */
static void put_names(FILE *f, const sweep *s)
{
  curve c[PARADIGMS_MAX];
  scale axis = {.linear = true};
  size_t n = 0;
  double least, most;

  gscale_plan_knob(s->plan, GSCALE_CHUNK, &least, &most);
  for (size_t i = 0; i < s->q.paradigms; i++) {
    const point *best = fastest(s, i);
    const point *last = best && has_chunks(s, i) ? at_chunk(s, i, most) : best;

    if (!best) continue;
    axis.high = fmax(axis.high, 1.05 * s->memcpy / best->p.time);
    c[n++] = (curve){.name = question_paradigm(&s->q, i),
                     .type = line_type(s->q.paradigm[i], s->q.between[i]),
                     .last = s->memcpy / (last ? last : best)->p.time,
                     .weight = s->memcpy / best->p.time};
  }
  fprintf(f, "high = %.17g\n", axis.high);
  put_curves(f, c, n, &axis);
}

static void put_best(FILE *f, const sweep *s)
{
  const point *best = s->won;

  fprintf(f, "star = %d\n", best->p.knobs.v[GSCALE_CHUNK] > 0.0);
  figure_data(f, "best");
  figure_number(f, best->p.knobs.v[GSCALE_CHUNK]);
  figure_number(f, s->memcpy / best->p.time);
  putc('\n', f);
  figure_end(f);
}

static int draw(const sweep *s, const options *o, failure *why)
{
  char title[160];
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s on %d GPUs of %s",
             gscale_workload_about(s->q.workload).name, s->q.gpus[0],
             s->q.name);
    figure_title(g.f, title);
    put_names(g.f, s);
    put_sweep(g.f, s);
    put_best(g.f, s);
    st = figure_draw(&g, "p_tune.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

int plot_tune(options *o, failure *why)
{
  static sweep s; /* too large for the stack */
  int st = need_arguments(o, 2, "tune WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = load(&s, o, why);
  if (st == EXIT_OK) st = draw(&s, o, why);
  unload(&s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
