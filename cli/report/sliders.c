/* sliders.c - computes answers for all values of up to three numbers, like
 * `sweep`, which sliders.js shows within a page. */

#include "report/sliders.h"

#include "common/jobs.h"
#include "common/membuf.h"
#include "figures/drawn.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  ANSWERS_MOST = 1000000, /* about 26 B per answer */
  WORDS_MOST = 65535,
  NONE = 255 /* no paradigm or mechanism */
};

/* A set of distinct texts. */
typedef struct texts {
  char **at;
  size_t n;
  bool lost;
} texts;

/* The data of the page for one paradigm on one N at one point. */
typedef struct shown_answer {
  double time, speedup; /* NaN: not met, the rest is unset */
  double upper;         /* speedup, one standard error above */
  uint16_t interval, range;
  uint8_t lost, unmeasured;
} shown_answer;

struct moves {
  const question *q;
  options asked; /* with all N listed; large */
  char gpus[16 * GPUS_LISTED];
  walk *w;
  size_t axes, points, paradigms, n; /* points: of the grid */
  shown_answer *of;                  /* indexed by (point, N, paradigm) */
  /* indexed by (point, N) */
  uint8_t *best;
  uint16_t *also;
  texts words;
  size_t paradigm[PARADIGMS_MAX]; /* shown paradigms */
  size_t shown;                   /* number of shown paradigms */
  const question *at;             /* question at one point */
  answer *a;                      /* answers at the point */
  bool *has;                      /* N with answers */
};

typedef char quantity[48];

/* ---- texts --------------------------------------------------------------- */

static uint16_t text_number(texts *t, const char *text)
{
  size_t i = t->n;
  char **more;

  while (i > 0 && strcmp(t->at[i - 1], text) != 0) i--;
  if (i > 0) return (uint16_t)(i - 1);
  more = t->n < WORDS_MOST ? realloc(t->at, (t->n + 1) * sizeof *more) : NULL;
  if (more) t->at = more;
  if (more) more[t->n] = strdup(text);
  t->lost = t->lost || !more || !more[t->n];
  if (t->lost) return 0;
  return (uint16_t)t->n++;
}

/* ---- one point ---------------------------------------------------------- */

static int keep_answers(const point *p, void *closure, failure *why)
{
  moves *m = closure;

  (void)why;
  m->at = p->q;
  for (size_t j = 0; j < m->n; j++) {
    if (m->q->gpus[j] != p->q->gpus[p->n]) continue;
    for (size_t i = 0; i < m->paradigms; i++) {
      m->a[i * m->n + j] = p->a[i];
      m->has[j] = m->has[j] || p->a[i].met;
    }
  }
  return EXIT_OK;
}

/* The data of one paradigm on one N, which processes send. */
typedef struct paradigm_note {
  shown_answer of;
  quantity interval;
  range_words range;
} paradigm_note;

typedef struct best_note {
  uint8_t best;
  char also[512];
} best_note;

static void send_paradigm(const moves *m, size_t i, size_t j, FILE *f)
{
  const answer *a = &m->a[i * m->n + j];
  paradigm_note w = {.of = {.time = NAN, .speedup = NAN, .lost = NONE}};

  if (m->has[j] && a->met) {
    w.of = (shown_answer){
        .time = a->p.time,
        .speedup = a->p.speedup,
        .upper = gscale_interval_of(a->p.time, a->err_ratio, 1.0).hi /
                 a->p.time * a->p.speedup,
        .lost = (uint8_t)most_lost(a),
        .unmeasured = !gscale_pair_measured(m->at->paradigm[i], &a->p.knobs)};
    say_interval(a, w.interval, sizeof w.interval);
    say_range(a, w.range);
  }
  fwrite(&w, sizeof w, 1, f);
}

static void send_best(const moves *m, size_t j, FILE *f)
{
  size_t of[PARADIGMS_MAX];
  size_t n = m->has[j] ? paradigms_tied(m->at, m->a + j, m->n, of) : 0;
  best_note b = {.best = n > 0 ? (uint8_t)of[0] : NONE};

  if (m->q->gpus[j] == 1) n = 0;
  if (n > 0) say_also(m->at, of, n, ", ", b.also, sizeof b.also);
  fwrite(&b, sizeof b, 1, f);
}

static int send_point(size_t place, FILE *f, void *closure, failure *why)
{
  moves *m = closure;
  gscale_joint *joint = gscale_joint_new();
  int st = joint ? EXIT_OK : no_memory(why);

  memset(m->has, 0, m->n * sizeof *m->has);
  walk_join(m->w, joint);
  if (st == EXIT_OK)
    st = walk_through(m->w, place, place + 1, keep_answers, m, why);
  if (st == EXIT_OK && m->at) drop_partial(m->at, m->a, m->has, m->n);
  for (size_t j = 0; st == EXIT_OK && j < m->n; j++) {
    for (size_t i = 0; i < m->paradigms; i++) send_paradigm(m, i, j, f);
    send_best(m, j, f);
  }
  walk_join(m->w, NULL);
  gscale_joint_free(joint);
  return st;
}

static void take_paradigm(moves *m, size_t k, const paradigm_note *w)
{
  m->of[k] = w->of;
  if (isnan(w->of.time)) return;
  m->of[k].interval = text_number(&m->words, w->interval);
  m->of[k].range = text_number(&m->words, w->range);
}

/* Takes a point. Points and their texts arrive in order. */
static int take_point(size_t place, const char *text, size_t size,
                      void *closure, failure *why)
{
  moves *m = closure;
  passage p = {text, size};

  (void)why;
  for (size_t k = place * m->n; k < (place + 1) * m->n; k++) {
    paradigm_note w;
    best_note b;

    for (size_t i = 0; i < m->paradigms; i++) {
      passage_take(&p, &w, sizeof w);
      take_paradigm(m, k * m->paradigms + i, &w);
    }
    passage_take(&p, &b, sizeof b);
    m->best[k] = b.best;
    m->also[k] = text_number(&m->words, b.also);
  }
  progress("points", place + 1, m->points);
  return EXIT_OK;
}

/* ---- all points --------------------------------------------------------- */

/* Lists all N of the page. */
static void spell_gpus(moves *m)
{
  m->gpus[0] = '\0';
  for (size_t j = 0; j < m->n; j++)
    gscale_append(m->gpus, sizeof m->gpus, "%s%d", j ? "," : "", m->q->gpus[j]);
  m->asked.gpus = m->gpus;
}

static int check_axes(const options *o, failure *why)
{
  if (o->overs > MOVES_AXES)
    return fail(why, EXIT_USAGE, "report: at most %d --over", (int)MOVES_AXES);
  for (size_t i = 0; i < o->overs; i++)
    if (strncmp(o->over[i], "gpus=", strlen("gpus=")) == 0)
      return fail(why, EXIT_USAGE,
                  "report: --over gpus: list them with --gpus, they have a "
                  "slider of their own");
  return EXIT_OK;
}

static int count_points(moves *m, failure *why)
{
  const double points = (double)walk_points(m->w);
  const double answers = points * (double)m->n * (double)m->paradigms;

  if (answers > ANSWERS_MOST)
    return fail(why, EXIT_USAGE,
                "report: --over: %.0f answers, a page takes %d: ask for fewer "
                "values, GPUs or paradigms",
                answers, (int)ANSWERS_MOST);
  m->points = (size_t)points;
  return EXIT_OK;
}

static int make_room(moves *m, failure *why)
{
  const size_t of_best = m->points * m->n, all = of_best * m->paradigms;

  m->of = calloc(all, sizeof *m->of);
  m->best = calloc(of_best, sizeof *m->best);
  m->also = calloc(of_best, sizeof *m->also);
  m->a = calloc(m->n * m->paradigms, sizeof *m->a);
  m->has = calloc(m->n, sizeof *m->has);
  if (m->of && m->best && m->also && m->a && m->has) return EXIT_OK;
  return no_memory(why);
}

static bool is_shown(const moves *m, size_t i)
{
  const size_t places = m->points * m->n;
  size_t k = 0;

  while (k < places && isnan(m->of[k * m->paradigms + i].time)) k++;
  return k < places;
}

/* Drops paradigms that run nowhere. */
static void keep_shown(moves *m)
{
  const size_t places = m->points * m->n;
  uint8_t to[PARADIGMS_MAX];

  for (size_t i = 0; i < m->paradigms; i++) {
    to[i] = (uint8_t)m->shown;
    if (is_shown(m, i)) m->paradigm[m->shown++] = i;
  }
  for (size_t k = 0; k < places; k++) {
    for (size_t i = 0; i < m->shown; i++)
      m->of[k * m->shown + i] = m->of[k * m->paradigms + m->paradigm[i]];
    if (m->best[k] != NONE) m->best[k] = to[m->best[k]];
  }
}

/* Returns the initial position of a slider, which is the page's value, or the
 * nearest value, or the first. */
static double asked_value(const moves *m, const over *v)
{
  const about *more = &m->q->about_workload;
  double x = NAN;

  if (v->parameter < gscale_param_count())
    x = gscale_system_get(m->q->system, v->parameter)->val;
  for (size_t k = 0; v->kind == OVER_SETTING && k < more->knobs; k++)
    if (strcmp(more->knob[k].name, v->name) == 0)
      x = strtod(more->knob[k].value, NULL);
  return x;
}

int moves_new(const question *q, const options *o, moves **out, failure *why)
{
  moves *m = calloc(1, sizeof *m);
  const gscale_axis *a;
  int st;

  *out = m;
  if (!m) return no_memory(why);
  *m =
      (moves){.q = q, .asked = *o, .axes = o->overs, .paradigms = q->paradigms};
  m->n = q->n;
  st = check_axes(o, why);
  if (st != EXIT_OK) return st;
  m->asked.errors = true;
  spell_gpus(m);
  st = walk_new(&m->asked, &m->w, why);
  for (size_t i = 0; st == EXIT_OK && i < m->axes; i++)
    st = walk_include(m->w, i, asked_value(m, walk_over(m->w, i, &a)), why);
  if (st == EXIT_OK) st = count_points(m, why);
  if (st == EXIT_OK) st = make_room(m, why);
  const jobs j = {m->points, send_point, take_point, m};
  if (st == EXIT_OK) st = jobs_run(&j, jobs_count(o, m->points), why);
  progress_end();
  if (st == EXIT_OK) keep_shown(m);
  if (st == EXIT_OK && m->words.lost) st = no_memory(why);
  return st;
}

void moves_free(moves *m)
{
  if (!m) return;
  walk_free(m->w);
  for (size_t i = 0; i < m->words.n; i++) free(m->words.at[i]);
  free(m->words.at);
  free(m->of);
  free(m->best);
  free(m->also);
  free(m->a);
  free(m->has);
  free(m);
}

/* ---- output ------------------------------------------------------------- */

/* Writes JSON for use inside a script: escapes `<`, which might end the script,
 * and other XML syntax. */
static void put_text(FILE *f, const char *text)
{
  draft d;

  if (!draft_open(&d)) return;
  put_json_text(d.f, text);
  for (const char *c = draft_end(&d) ? d.at : ""; *c; c++)
    fprintf(f, strchr("<>&", *c) ? "\\u%04x" : "%c", *c);
  draft_free(&d);
}

/* Numbers of `size` bytes in little-endian base 64. */
typedef struct coded {
  FILE *f;
  uint32_t bits;
  int n; /* bytes in `bits` */
} coded;

static void put_byte(coded *c, uint8_t byte)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                              "uvwxyz0123456789+/";

  c->bits = c->bits << 8 | byte;
  if (++c->n < 3) return;
  for (int shift = 18; shift >= 0; shift -= 6)
    putc(digit[c->bits >> shift & 63], c->f);
  c->bits = 0;
  c->n = 0;
}

/* Writes n numbers of `size` bytes that are `step` bytes apart.  Zero bytes
 * after the data fill the last group. */
static void put_coded(FILE *f, const char *name, const void *numbers, size_t n,
                      size_t size, size_t step)
{
  coded c = {f, 0, 0};

  fprintf(f, ",\n\"%s\": \"", name);
  for (size_t i = 0; i < n; i++) {
    const char *at = (const char *)numbers + i * step;
    uint64_t bits = 0;
    uint16_t two;

    if (size == sizeof bits) memcpy(&bits, at, sizeof bits);
    if (size == sizeof two) memcpy(&two, at, sizeof two), bits = two;
    if (size == 1) bits = (uint8_t)*at;
    for (size_t k = 0; k < size; k++, bits >>= 8) put_byte(&c, bits & 255);
  }
  while (c.n > 0) put_byte(&c, 0);
  fputs("\"", f);
}

static void put_axis(FILE *f, const moves *m, size_t i)
{
  const gscale_axis *a;
  const over *v = walk_over(m->w, i, &a);
  const double asked = asked_value(m, v);
  const bool has_dim = v->dim != GSCALE_COUNT;

  fprintf(f, "%s{\"name\": ", i ? ",\n" : "");
  put_text(f, v->name);
  fputs(", \"unit\": ", f);
  put_text(f, has_dim ? gscale_dim_unit(v->dim) : v->unit);
  fprintf(f, ", \"prefixed\": %s, \"log\": %s, \"whole\": %s, \"list\": %s",
          has_dim ? "true" : "false", a->log ? "true" : "false",
          a->whole ? "true" : "false", a->from < a->to ? "false" : "true");
  if (isfinite(asked)) fprintf(f, ", \"asked\": %.17g", asked);
  fputs(", \"values\": [", f);
  for (size_t k = 0; k < a->steps; k++)
    fprintf(f, "%s%.17g", k ? ", " : "", gscale_axis_value(a, k));
  fputs("], \"labels\": [", f);
  for (size_t k = 0; k < a->steps; k++) {
    char text[64], label[64];

    over_print(v, gscale_axis_value(a, k), text, label);
    fputs(k ? ", " : "", f);
    put_text(f, label);
  }
  fputs("]}", f);
}

static void put_paradigms(FILE *f, const moves *m)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  const question *q = m->q;

  for (size_t k = 0; k < m->shown; k++) {
    const size_t i = m->paradigm[k], paradigm = q->paradigm[i];

    fprintf(f, "%s{\"name\": ", k ? ",\n" : "");
    put_text(f, question_paradigm(q, i));
    fprintf(f, ", \"type\": %zu, \"ideal\": %s, \"proposed\": %s}",
            line_type(paradigm, q->between[i]) - 1,
            paradigm == infinite ? "true" : "false",
            gscale_paradigm_at(paradigm)->proposed ? "true" : "false");
  }
}

static void put_head(FILE *f, const moves *m)
{
  fputs("\"system\": ", f);
  put_text(f, m->q->name);
  fputs(", \"workload\": ", f);
  put_text(f, gscale_workload_about(m->q->workload).name);
  fprintf(f, ",\n\"known\": %d", last_known(m->q));
  fputs(",\n\"gpus\": [", f);
  for (size_t j = 0; j < m->n; j++)
    fprintf(f, "%s%d", j ? ", " : "", m->q->gpus[j]);
  fputs("],\n\"axes\": [", f);
  for (size_t i = 0; i < m->axes; i++) put_axis(f, m, i);
  fputs("],\n\"ways\": [", f);
  put_paradigms(f, m);
  fputs("],\n\"losses\": [", f);
  for (int i = 0; i <= GSCALE_LOST_END; i++) {
    fputs(i ? ", " : "", f);
    put_text(f, loss_name((gscale_loss)i));
  }
  fputs("],\n\"words\": [", f);
  for (size_t i = 0; i < m->words.n; i++) {
    fputs(i ? ", " : "", f);
    put_text(f, m->words.at[i]);
  }
  fputs("]", f);
}

static void put_answers(FILE *f, const moves *m)
{
  const size_t of_best = m->points * m->n, all = of_best * m->shown;

  const shown_answer *o = m->of;

  put_coded(f, "time", &o->time, all, sizeof o->time, sizeof *o);
  put_coded(f, "speedup", &o->speedup, all, sizeof o->speedup, sizeof *o);
  put_coded(f, "upper", &o->upper, all, sizeof o->upper, sizeof *o);
  put_coded(f, "interval", &o->interval, all, sizeof o->interval, sizeof *o);
  put_coded(f, "range", &o->range, all, sizeof o->range, sizeof *o);
  put_coded(f, "lost", &o->lost, all, 1, sizeof *o);
  put_coded(f, "unmeasured", &o->unmeasured, all, 1, sizeof *o);
  put_coded(f, "best", m->best, of_best, 1, 1);
  put_coded(f, "also", m->also, of_best, sizeof *m->also, sizeof *m->also);
}

static void put_script(FILE *f)
{
  static const char *const line[] = {
#include "sliders.inc"
  };

  for (size_t i = 0; i < LENGTH(line); i++) fputs(line[i], f);
}

void moves_put(FILE *f, const moves *m)
{
  fputs("<section id=\"moves\" hidden=\"hidden\"></section>\n"
        "<script>\n//<![CDATA[\nconst swept = {\n",
        f);
  put_head(f, m);
  put_answers(f, m);
  fputs("\n}\n", f);
  put_script(f);
  fputs("//]]>\n</script>\n", f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
