/* plot_scaling.c - draws speedup and efficiency over N: predicted curves,
 * intervals, measured runs, and the limit of measured numbers. */

#include "figures/drawn.h"
#include "say/extrapolate.h"

#include <math.h>
#include <stdlib.h>

const char *asked(const question *q)
{
  return q->settings;
}

size_t line_type(size_t paradigm, size_t between)
{
  const size_t number = gscale_paradigm_count() + between - 1;

  return (between > 0 ? number : paradigm) % LINE_TYPES + 1;
}

/* ---- which curves -------------------------------------------------------- */

enum {
  BANDS_MOST = 4 /* number of shown intervals */
};

typedef struct picture {
  const question *q;
  const answer *a;
  const measured *m;
  size_t measured;
  size_t shown[PARADIGMS_MAX]; /* indices in the question */
  size_t n;
  size_t best; /* index of the best */
  curve c[PARADIGMS_MAX];
  scale s;
} picture;

static const answer *at(const picture *p, size_t k, size_t j)
{
  return &p->a[p->shown[k] * p->q->n + j];
}

/* Orders curves: the best, then memcpy and infinite, then all others. */
static double weight_of(const picture *p, size_t k)
{
  const size_t number = p->q->paradigm[p->shown[k]];
  const double last = p->c[k].last;

  if (k == p->best) return INFINITY;
  return number == gscale_paradigm_find("memcpy") ||
                 number == gscale_paradigm_find("infinite")
             ? 1e9 + last
             : last;
}

static void choose_curves(picture *p)
{
  const size_t last = p->q->n - 1;
  const size_t best = question_best(p->q, p->a, last);

  for (size_t i = 0; i < p->q->paradigms; i++) {
    if (!question_shows(p->q, p->a, i) ||
        !curve_is_whole(p->q, &p->a[i * p->q->n]))
      continue;
    if (i == best) p->best = p->n;
    p->shown[p->n] = i;
    p->c[p->n] = (curve){.name = question_paradigm(p->q, i),
                         .type = line_type(p->q->paradigm[i], p->q->between[i]),
                         .last = p->a[i * p->q->n + last].p.speedup};
    p->n++;
  }
  for (size_t k = 0; k < p->n; k++) p->c[k].weight = weight_of(p, k);
}

/* Includes the end of the ideal curve and the measured runs in the axis. */
static void choose_axis(picture *p)
{
  double least[PARADIGMS_MAX], most[PARADIGMS_MAX];
  const question *q = p->q;

  for (size_t k = 0; k < p->n; k++) {
    least[k] = INFINITY;
    most[k] = 0.0;
    for (size_t j = 0; j < q->n; j++) {
      least[k] = fmin(least[k], at(p, k, j)->p.speedup);
      most[k] = fmax(most[k], at(p, k, j)->p.speedup);
    }
  }
  p->s = choose_scale(p->c, least, most, p->n);
  p->s.high = fmax(p->s.high, 1.1 * q->gpus[q->n - 1]);
}

static bool has_band(const picture *p, size_t k)
{
  return !p->c[k].off && (p->n <= BANDS_MOST || k == p->best);
}

/* ---- the script ---------------------------------------------------------- */

/* Writes speedups with intervals of one standard error. */
static void put_model(FILE *f, const picture *p)
{
  figure_data(f, "model");
  for (size_t k = 0; k < p->n; k++) {
    for (size_t j = 0; j < p->q->n; j++) {
      const answer *one = at(p, k, j);
      const bool unit = p->q->gpus[j] == 1; /* 1 by definition */
      const gscale_interval t =
          gscale_interval_of(one->p.time, unit ? 0.0 : one->err_ratio, 1.0);
      const double work = one->p.speedup * one->p.time;

      figure_number(f, p->q->gpus[j]);
      figure_number(f, one->p.speedup);
      figure_number(f, work / t.hi);
      figure_number(f, work / t.lo);
      putc('\n', f);
    }
    fprintf(f, "\n\n");
  }
  figure_end(f);
}

static void put_bands(FILE *f, const picture *p)
{
  fprintf(f, "array band[%zu]\n", p->n);
  for (size_t k = 0; k < p->n; k++)
    fprintf(f, "band[%zu] = %d\n", k + 1, has_band(p, k));
}

/* Returns true if a run and a curve have the same paradigm and method. */
static bool is_of(const picture *p, size_t k, const measured *m)
{
  const size_t i = p->shown[k];

  return p->q->paradigm[i] == m->paradigm && p->q->between[i] == m->between;
}

static void put_measured(FILE *f, const picture *p)
{
  size_t all = 0, of[PARADIGMS_MAX] = {0};

  figure_data(f, "runs");
  for (size_t i = 0; i < p->measured; i++)
    for (size_t k = 0; k < p->n; k++) {
      if (!is_of(p, k, &p->m[i])) continue;
      fprintf(f, "%d", p->m[i].gpus);
      figure_number(f, p->m[i].speedup);
      figure_number(f, p->m[i].err);
      fprintf(f, " %zu\n", k + 1);
      all++;
      of[k]++;
    }
  figure_end(f);
  fprintf(f, "array ran[%zu]\n", p->n);
  for (size_t k = 0; k < p->n; k++)
    fprintf(f, "ran[%zu] = %zu\n", k + 1, of[k]);
  fprintf(f, "points = %zu\n", all);
}

int last_known(const question *q)
{
  const int together = gscale_system_about(q->system).calibrated;

  return together > 0 ? together : gscale_system_about(q->system).gpus;
}

/* Returns the last N within a node, or 0 if no N uses the network. */
static int last_of_node(const question *q)
{
  const int node = gscale_system_about(q->system).node;
  const bool crossed = node >= q->gpus[0] && node < q->gpus[q->n - 1];

  return gscale_system_about(q->system).network && crossed ? node : 0;
}

/* The numbers of GPUs of the axis. `known`, `node`: the last measured and the
 * last of a node, or 0; given: the curves were given the points. */
typedef struct axes {
  int least, most, known, node;
  bool given;
} axes;

static void put_axes(FILE *f, axes a, const scale *s)
{
  fprintf(f,
          "least = %d\nmost = %d\nknown = %d\nnode = %d\ngiven = %d\n"
          "low = %.17g\nhigh = %.17g\n",
          a.least, a.most, a.known, a.node, a.given, s->low, s->high);
}

enum {
  LAYERS = GSCALE_LOST_END + 1 /* ideal first */
};

/* Returns a layer of a step as a share of its time. A gain reduces the ideal
 * layer. */
static double layer_of(const answer *a, size_t i)
{
  double rest = 1.0;

  if (i > 0) return a->lost.of[i - 1] / a->p.time;
  for (int k = 0; k < GSCALE_LOST_END; k++) rest -= a->lost.of[k] / a->p.time;
  return rest;
}

/* Writes for each N the stacked parts of the best curve's step in %. Layers
 * that are thin on the most GPUs have no name. */
static void put_layers(FILE *f, const picture *p)
{
  const double thick = 0.06;
  double below = 0.0;

  fprintf(f, "parts = %d\narray part[%d]\narray middle[%d]\n", LAYERS, LAYERS,
          LAYERS);
  for (size_t i = 0; i < LAYERS; i++) {
    const double share = layer_of(at(p, p->best, p->q->n - 1), i);

    fprintf(f, "middle[%zu] = %.17g\npart[%zu] = ", i + 1, below + share / 2.0,
            i + 1);
    gnuplot_text(f, i == 0           ? "ideal"
                    : share >= thick ? loss_name((gscale_loss)(i - 1))
                                     : "");
    putc('\n', f);
    below += share;
  }
  figure_text(f, "parts_text", p->c[p->best].name);
  figure_data(f, "parts_of");
  for (size_t j = 0; j < p->q->n; j++) {
    double sum = 0.0;

    fprintf(f, "%d 0", p->q->gpus[j]);
    for (size_t i = 0; i < LAYERS; i++)
      figure_number(f, 100.0 * (sum += layer_of(at(p, p->best, j), i)));
    putc('\n', f);
  }
  figure_end(f);
}

/* Notes omitted curves and the meaning of bands. */
static void put_note(FILE *f, const picture *p)
{
  const bool few = p->n <= BANDS_MOST;
  char note[512], band[128] = "";

  if (at(p, p->best, p->q->n - 1)->err > 0.0)
    snprintf(band, sizeof band, "Band: one standard error%s%s.",
             few ? "" : " of ", few ? "" : p->c[p->best].name);
  snprintf(note, sizeof note, "%s%s", band,
           p->measured == 0 ? ""
           : p->q->given    ? " Open points: given to the curves."
                            : " Points: measured, not given to the curves.");
  for (size_t k = 0; k < p->n; k++)
    if (p->c[k].off)
      gscale_append(note, sizeof note, " Off the scale: %s, %.2g on %d.",
                    p->c[k].name, p->c[k].last, p->q->gpus[p->q->n - 1]);
  figure_text(f, "note_text", note);
}

static int draw(picture *p, bool text, FILE *out, failure *why)
{
  char title[256];
  figure g;
  int st = figure_begin(&g, last_of_node(p->q) ? 860 : 640, text, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s on %s%s",
             gscale_workload_about(p->q->workload).name, p->q->name,
             p->q->weak ? ", weak scaling" : "");
    figure_title(g.f, title);
    figure_text(g.f, "speedup_text",
                p->q->weak ? "scaled speedup, N T(1) / T(N)"
                           : "speedup over one GPU");
    figure_text(g.f, "asked_text", asked(p->q));
    put_note(g.f, p);
    put_axes(g.f,
             (axes){p->q->gpus[0], p->q->gpus[p->q->n - 1], last_known(p->q),
                    last_of_node(p->q), p->q->given != NULL},
             &p->s);
    put_curves(g.f, p->c, p->n, &p->s);
    put_bands(g.f, p);
    put_model(g.f, p);
    put_measured(g.f, p);
    put_layers(g.f, p);
    if (*asked(p->q))
      snprintf(title, sizeof title, "%s on %s (%.120s)",
               gscale_workload_about(p->q->workload).name, p->q->name,
               asked(p->q));
    st = figure_render(&g, "p_scaling.gp", title, out, why);
  }
  figure_free(&g);
  return st;
}

int draw_scaling(const question *q, const answer *a, const measured *m,
                 size_t n, bool text, FILE *out, failure *why)
{
  static picture p; /* large */

  p = (picture){.q = q, .a = a, .m = m, .measured = n};
  if (q->n < 2)
    return fail(why, EXIT_USAGE,
                "plot: scaling needs more than one number of GPUs");
  choose_curves(&p);
  if (p.n == 0)
    return fail(why, EXIT_DATA, "plot: no paradigm can run %s on %s",
                gscale_workload_about(q->workload).name, q->name);
  choose_axis(&p);
  return draw(&p, text, out, why);
}

/* ---- runs without a description ------------------------------------------ */

/* Writes the speeds of a curve and its points.  The speed of the first point is
 * its number of GPUs. */
static void put_points(FILE *f, const ahead_curve *b)
{
  const double work = b->v[0].gpus * b->v[0].time;
  size_t ran = 0;

  figure_data(f, "model");
  for (size_t i = 0; i < b->n; i++) {
    const double speed = work / b->v[i].time, off = exp(b->v[i].err);

    figure_number(f, b->v[i].gpus);
    figure_number(f, speed);
    figure_number(f, speed / off);
    figure_number(f, speed * off);
    putc('\n', f);
  }
  fprintf(f, "\n\n");
  figure_end(f);
  figure_data(f, "runs");
  for (size_t i = 0; i < b->n; i++) {
    if (!b->v[i].ran) continue;
    fprintf(f, "%d", b->v[i].gpus);
    figure_number(f, work / b->v[i].time);
    figure_number(f, 0.0);
    fprintf(f, " 1\n");
    ran++;
  }
  figure_end(f);
  fprintf(
      f,
      "array band[1]\nband[1] = 1\narray ran[1]\nran[1] = %zu\npoints = %zu\n",
      ran, ran);
}

int draw_runs(const ahead_curve *b, bool text, FILE *out, failure *why)
{
  const double work = b->v[0].gpus * b->v[0].time;
  const int least = b->v[0].gpus, most = b->v[b->n - 1].gpus;
  curve c = {.name = "runs",
             .type = 2,
             .last = work / b->v[b->n - 1].time,
             .weight = 1.0};
  double low = least, high = 1.1 * most;
  char title[GSCALE_NAME_MAX + 32];
  figure g;
  int st = figure_begin(&g, 640, text, why);

  if (st == EXIT_OK) {
    for (size_t i = 0; i < b->n; i++) low = fmin(low, work / b->v[i].time);
    const scale s = choose_scale(&c, &low, &high, 1);
    snprintf(title, sizeof title, "%s, by laws fitted to its runs", b->name);
    figure_title(g.f, title);
    figure_text(g.f, "speedup_text",
                least == 1 ? "speedup over one GPU" : "speed, GPUs' worth");
    figure_text(g.f, "asked_text", "");
    figure_text(g.f, "note_text",
                "Band: one standard error. Open points: given to the curve.");
    put_axes(g.f, (axes){least, most, b->most, 0, true}, &s);
    put_curves(g.f, &c, 1, &s);
    put_points(g.f, b);
    st = figure_render(&g, "p_scaling.gp", title, out, why);
  }
  figure_free(&g);
  return st;
}

static int plot_runs(options *o, failure *why)
{
  static ahead_curve b; /* large */
  output out;
  int st = ahead_bare(o, 2, &b, why);

  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  return output_end(draw_runs(&b, o->terminal, out.f, why), &out, why);
}

/* ---- the verb ----------------------------------------------------------- */

typedef struct scaling {
  options *o;
  question q;
  answer *a;
  measured_runs runs; /* from --runs */
} scaling;

static int write_scaling(const scaling *s, failure *why)
{
  size_t n;
  measured *m = measured_list(&s->runs, &n, why);
  output out;
  int st = m ? output_open(&out, s->o->output, why) : why->status;

  if (st == EXIT_OK) {
    st = draw_scaling(&s->q, s->a, m, n, s->o->terminal, out.f, why);
    st = output_end(st, &out, why);
  }
  free(m);
  return st;
}

int plot_scaling(options *o, failure *why)
{
  static scaling s; /* large */

  if (o->arguments == 1 && o->runs) return plot_runs(o, why);
  int st = need_arguments(o, 2, "scaling WORKLOAD", why);

  s = (scaling){.o = o};
  if (st == EXIT_OK && o->weak && (o->runs || o->against))
    st = fail(why, EXIT_USAGE,
              "plot: --weak and --runs exclude one another: runs are of one "
              "size");
  if (st == EXIT_OK) st = question_load(&s.q, o, GPUS_EVERY, why);
  /* With --against, predictions do not use the runs. */
  if (st == EXIT_OK && !o->runs) o->runs = o->against;
  if (st == EXIT_OK && o->runs) st = measured_read(&s.runs, o, &s.q, why);
  if (st == EXIT_OK) st = question_answer(&s.q, true, &s.a, why);
  if (st == EXIT_OK && o->runs) measured_note_far(&s.runs, &s.q, s.a);
  if (st == EXIT_OK) st = write_scaling(&s, why);
  measured_free(&s.runs);
  free(s.a);
  question_free(&s.q);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
