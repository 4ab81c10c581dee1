/* plot.c - gpuscale plot: figures.  Numbers come from the other verbs' library
 * calls, looks from plots/ *.gp, drawing from gnuplot. */

#include "figures/figures.h"
#include "predict/predict.h"
#include "reproduce/published.h"
#include "validate/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scaling: which runs ------------------------------------------------ */

typedef struct scaling {
  options *o;
  question q;
  answer *a;
  run *runs;
  lexicon names;
  bool *shown; /* of the runs */
  size_t n;
  const run *single; /* the measured single-GPU run, or NULL */
} scaling;

static const char *knob_in_force(const about *a, const char *name)
{
  for (size_t i = 0; i < a->knobs; i++)
    if (strcmp(a->knob[i].name, name) == 0) return a->knob[i].value;
  return "";
}

/* True if the run's knobs, its defaults included, are those in force; a
 * measured time is no difference between programs. */
static bool same_program(const scaling *s, const run *r)
{
  settings set = run_settings(r);
  gscale_workload *w = NULL;
  about a;
  failure ignored;

  if (strcmp(r->workload, s->q.about_workload.name) != 0 ||
      load_workload(s->o->argument[1], &set, &w, &a, &ignored) != EXIT_OK)
    return false;
  gscale_workload_free(w);
  for (size_t i = 0; i < a.knobs; i++)
    if (strcmp(a.knob[i].name, "t1") != 0 &&
        strcmp(a.knob[i].value,
               knob_in_force(&s->q.about_workload, a.knob[i].name)) != 0)
      return false;
  return true;
}

static int read_runs(scaling *s, failure *why)
{
  int st = runs_read(s->o->runs, &s->runs, &s->n, &s->names, why);
  const run *one = NULL;

  if (st != EXIT_OK) return st;
  s->shown = calloc(s->n, sizeof *s->shown);
  if (!s->shown) return fail(why, EXIT_INTERNAL, "no memory for the runs");
  for (size_t i = 0; i < s->n; i++) {
    s->shown[i] =
        one ? runs_alike(one, &s->runs[i]) : same_program(s, &s->runs[i]);
    if (s->shown[i]) one = &s->runs[i];
  }
  if (!one)
    return fail(why, EXIT_DATA, "%.200s: no runs of %s with these knobs",
                s->o->runs, s->q.about_workload.name);
  s->single = runs_single(s->runs, s->n, one);
  if (!s->single)
    return fail(why, EXIT_DATA,
                "%.200s: no infinite run of %s on 1 GPU to compare with",
                s->o->runs, s->q.about_workload.name);
  return EXIT_OK;
}

/* The model starts from the measured single-GPU time, as in `validate`, unless
 * the user gave another. */
static int use_single(scaling *s, failure *why)
{
  if (settings_take(&s->o->set, "t1")) return EXIT_OK;
  return runs_give_single(s->single, s->q.workload, why);
}

/* ---- scaling: the figure ------------------------------------------------ */

/* Curve of a paradigm, from 1; 0 if it is not shown. */
static size_t curve_of(const scaling *s, size_t paradigm)
{
  size_t curve = 0;

  for (size_t i = 0; i < s->q.paradigms; i++) {
    if (!s->a[i * s->q.n].met) continue;
    curve++;
    if (s->q.paradigm[i] == paradigm) return curve;
  }
  return 0;
}

/* name[i] and type[i]: a paradigm has the same line type in every figure. */
static void put_curves(FILE *f, const scaling *s)
{
  size_t curves = 0;

  for (size_t i = 0; i < s->q.paradigms; i++) curves += s->a[i * s->q.n].met;
  fprintf(f, "curves = %zu\narray name[%zu]\narray type[%zu]\n", curves, curves,
          curves);
  for (size_t i = 0; i < s->q.paradigms; i++) {
    const size_t paradigm = s->q.paradigm[i];
    const size_t curve = curve_of(s, paradigm);

    if (!s->a[i * s->q.n].met) continue;
    fprintf(f, "type[%zu] = %zu\nname[%zu] = ", curve,
            paradigm % LINE_TYPES + 1, curve);
    gnuplot_text(f, gscale_paradigm_at(paradigm)->name);
    putc('\n', f);
  }
}

static void put_model(FILE *f, const scaling *s)
{
  figure_data(f, "model");
  for (size_t j = 0; j < s->q.n; j++) {
    figure_number(f, s->q.gpus[j]);
    for (size_t i = 0; i < s->q.paradigms; i++)
      if (s->a[i * s->q.n].met)
        figure_number(f, s->a[i * s->q.n + j].p.speedup);
    putc('\n', f);
  }
  figure_end(f);
  figure_data(f, "ideal");
  for (size_t j = 0; j < s->q.n; j++)
    fprintf(f, "%d %d\n", s->q.gpus[j], s->q.gpus[j]);
  figure_end(f);
}

static void put_runs(FILE *f, const scaling *s)
{
  size_t points = 0;

  figure_data(f, "runs");
  for (size_t i = 0; i < s->n; i++) {
    const run *r = &s->runs[i];
    const size_t curve = curve_of(s, r->paradigm);
    const double speedup = s->single->time / r->time;

    if (!s->shown[i] || curve == 0 || !runs_is_best(s->runs, s->n, i)) continue;
    fprintf(f, "%d", r->gpus);
    figure_number(f, speedup);
    figure_number(f, speedup * r->sigma / r->time);
    fprintf(f, " %zu\n", curve);
    points++;
  }
  figure_end(f);
  fprintf(f, "points = %zu\n", points);
}

static void make_title(const scaling *s, char *title, size_t size)
{
  const about *w = &s->q.about_workload;
  size_t used = (size_t)snprintf(
      title, size, "%s on %s", gscale_workload_name(s->q.workload), s->q.name);
  const char *before = " (";

  for (size_t i = 0; i < w->knobs && used < size; i++) {
    if (strcmp(w->knob[i].name, "t1") == 0) continue;
    used += (size_t)snprintf(title + used, size - used, "%s%s = %s", before,
                             w->knob[i].name, w->knob[i].value);
    before = ", ";
  }
  if (before[0] == ',' && used < size) snprintf(title + used, size - used, ")");
}

static int draw_scaling(const scaling *s, failure *why)
{
  char title[256];
  figure g;
  int st = figure_begin(&g, why);

  if (st == EXIT_OK) {
    make_title(s, title, sizeof title);
    fprintf(g.f, "title_text = ");
    gnuplot_text(g.f, title);
    fprintf(g.f, "\nleast = %d\nmost = %d\n", s->q.gpus[0],
            s->q.gpus[s->q.n - 1]);
    put_curves(g.f, s);
    put_model(g.f, s);
    put_runs(g.f, s);
    st = figure_draw(&g, "p_scaling.gp", title, s->o, why);
  }
  figure_free(&g);
  return st;
}

static int plot_scaling(options *o, failure *why)
{
  static scaling s; /* large */
  int st = need_arguments(o, 2, "scaling WORKLOAD", why);

  s = (scaling){.o = o};
  if (st == EXIT_OK) st = question_load(&s.q, o, GPUS_EVERY, why);
  if (st == EXIT_OK && o->runs) {
    st = read_runs(&s, why);
    if (st == EXIT_OK) st = use_single(&s, why);
  }
  if (st == EXIT_OK) st = question_answer(&s.q, false, &s.a, why);
  if (st == EXIT_OK) st = draw_scaling(&s, why);
  free(s.shown);
  free(s.runs);
  lexicon_free(&s.names);
  free(s.a);
  question_free(&s.q);
  return st;
}

/* ---- comparison --------------------------------------------------------- */

/* A curve for each system, with the line type of its place. */
static void put_systems(FILE *f, const comparison *c)
{
  fprintf(f, "curves = %zu\narray name[%zu]\narray type[%zu]\n", c->n, c->n,
          c->n);
  for (size_t i = 0; i < c->n; i++) {
    fprintf(f, "type[%zu] = %zu\nname[%zu] = ", i + 1, 2 + i % (LINE_TYPES - 1),
            i + 1);
    gnuplot_text(f, c->v[i].q.name);
    putc('\n', f);
  }
}

/* Time of the best paradigm on q->gpus[j]; NaN if none can run. */
static double best_time(const subject *s, size_t j)
{
  const size_t best = question_best(&s->q, s->a, j);

  return best == s->q.paradigms ? (double)NAN : s->a[best * s->q.n + j].p.time;
}

/* Speed of each relative to `one`, the time on one GPU of the first; a block
 * for each, as they need not have the same numbers of GPUs. */
static void put_speeds(FILE *f, const comparison *c, double one)
{
  figure_data(f, "speed");
  for (size_t i = 0; i < c->n; i++) {
    for (size_t j = 0; j < c->v[i].q.n; j++) {
      figure_number(f, c->v[i].q.gpus[j]);
      figure_number(f, one / best_time(&c->v[i], j));
      putc('\n', f);
    }
    fprintf(f, "\n\n");
  }
  figure_end(f);
}

/* The ends of all ranges of GPUs. */
static void put_range(FILE *f, const comparison *c)
{
  int least = GPUS_MAX, most = 1;

  for (size_t i = 0; i < c->n; i++) {
    const question *q = &c->v[i].q;

    if (q->gpus[0] < least) least = q->gpus[0];
    if (q->gpus[q->n - 1] > most) most = q->gpus[q->n - 1];
  }
  fprintf(f, "\nleast = %d\nmost = %d\n", least, most);
  figure_data(f, "ideal");
  for (int n = least; n <= most; n++) fprintf(f, "%d %d\n", n, n);
  figure_end(f);
}

static void name_comparison(const comparison *c, char *title, size_t size)
{
  const question *q = &c->v[0].q;

  if (q->paradigms == 1)
    snprintf(title, size, "%s by %s", gscale_workload_name(q->workload),
             question_paradigm(q, 0));
  else
    snprintf(title, size, "%s, each system by its best paradigm",
             gscale_workload_name(q->workload));
}

static int draw_comparison(const comparison *c, const options *o, failure *why)
{
  const subject *first = &c->v[0];
  const size_t best = question_best(&first->q, first->a, 0);
  char title[160], label_text[160];
  figure g;
  int st;

  if (best == first->q.paradigms)
    return fail(why, EXIT_DATA, "plot: no paradigm can run on %s",
                first->q.name);
  st = figure_begin(&g, why);
  if (st == EXIT_OK) {
    const gscale_prediction *p = &first->a[best * first->q.n].p;

    name_comparison(c, title, sizeof title);
    snprintf(label_text, sizeof label_text, "speed relative to one GPU of %s",
             first->q.name);
    fprintf(g.f, "title_text = ");
    gnuplot_text(g.f, title);
    fprintf(g.f, "\nlabel_text = ");
    gnuplot_text(g.f, label_text);
    put_range(g.f, c);
    put_systems(g.f, c);
    put_speeds(g.f, c, p->speedup * p->time);
    st = figure_draw(&g, "p_comparison.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

static int plot_comparison(options *o, failure *why)
{
  comparison c = {0};
  int st = need_arguments(o, 2, "comparison WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = comparison_load(&c, o, GPUS_EVERY, why);
  if (st == EXIT_OK) st = comparison_answer(&c, false, why);
  if (st == EXIT_OK) st = draw_comparison(&c, o, why);
  comparison_free(&c);
  return st;
}

/* ---- goodput ------------------------------------------------------------ */

static const gscale_access accesses[] = {GSCALE_STORE, GSCALE_COPY};
static const char *const access_names[] = {"stores", "copies"};
enum {
  ACCESSES = 2
};

/* A colour for each link, a dash for each access. */
static void put_links(FILE *f, const gscale_link *const *links, size_t n)
{
  const size_t curves = n * ACCESSES;

  fprintf(f,
          "curves = %zu\narray name[%zu]\narray type[%zu]\n"
          "array dash[%zu]\n",
          curves, curves, curves, curves);
  for (size_t i = 0; i < curves; i++) {
    char name[2 * GSCALE_NAME_MAX];

    snprintf(name, sizeof name, "%s, %s", links[i / ACCESSES]->name,
             access_names[i % ACCESSES]);
    fprintf(f, "type[%zu] = %zu\ndash[%zu] = %zu\nname[%zu] = ", i + 1,
            2 + i / ACCESSES % (LINE_TYPES - 1), i + 1, 1 + i % ACCESSES,
            i + 1);
    gnuplot_text(f, name);
    putc('\n', f);
  }
}

static void put_goodput(FILE *f, const gscale_link *const *links, size_t n,
                        const double *sizes, size_t m, bool masked)
{
  figure_data(f, "goodput");
  for (size_t j = 0; j < m; j++) {
    figure_number(f, sizes[j]);
    for (size_t i = 0; i < n * ACCESSES; i++)
      figure_number(f,
                    gscale_goodput(links[i / ACCESSES], accesses[i % ACCESSES],
                                   sizes[j], masked));
    putc('\n', f);
  }
  figure_end(f);
}

static int plot_goodput(options *o, failure *why)
{
  static const char title[] = "goodput of one aligned message";
  const gscale_link *links[LINKS_MAX];
  double sizes[SIZES_MAX];
  size_t n = 0, m = 0;
  figure g;
  int st = need_arguments(o, 1, "goodput", why);

  if (st == EXIT_OK)
    st = parse_links(o->link ? o->link : "pcie5,nvlink2,nvlink4", links, &n,
                     why);
  if (st == EXIT_OK)
    st = parse_sizes(o->sizes ? o->sizes : "4-4096", sizes, &m, why);
  if (st != EXIT_OK) return st;
  st = figure_begin(&g, why);
  if (st == EXIT_OK) {
    fprintf(g.f, "title_text = ");
    gnuplot_text(g.f, title);
    putc('\n', g.f);
    put_links(g.f, links, n);
    put_goodput(g.f, links, n, sizes, m, o->partial);
    st = figure_draw(&g, "p_goodput.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

/* ---- figures of documents ------------------------------------------------ */

static int plot_printed(options *o, failure *why)
{
  chart c;
  int st = need_arguments(o, 2, "printed FIGURE", why);

  if (st != EXIT_OK) return st;
  st = chart_read(&c, o->argument[1], o, why);
  if (st == EXIT_OK) st = chart_draw(&c, o, why);
  chart_free(&c);
  return st;
}

/* ---- the verb ----------------------------------------------------------- */

/* Not every picture is what its name says: only SVG is written. */
static int check_name(const options *o, failure *why)
{
  const char *dot = o->output ? strrchr(o->output, '.') : NULL;

  if (!dot || strchr(dot, '/') || strcmp(dot, ".svg") == 0) return EXIT_OK;
  return fail(why, EXIT_USAGE,
              "plot: writes SVG; '%.200s' does not end in .svg", o->output);
}

int plot_main(options *o, failure *why)
{
  static const struct {
    const char *name;
    int (*plot)(options *o, failure *why);
  } figures[] = {{"scaling", plot_scaling}, {"comparison", plot_comparison},
                 {"goodput", plot_goodput}, {"fit", plot_fit},
                 {"tune", plot_tune},       {"printed", plot_printed}};
  enum {
    FIGURES = sizeof figures / sizeof figures[0]
  };
  const char *names[FIGURES], *near;

  if (o->arguments == 0)
    return fail(
        why, EXIT_USAGE,
        "plot: needs scaling, comparison, goodput, fit, tune or printed");
  if (check_name(o, why) != EXIT_OK) return why->status;
  for (size_t i = 0; i < FIGURES; i++) {
    names[i] = figures[i].name;
    if (strcmp(o->argument[0], names[i]) == 0) return figures[i].plot(o, why);
  }
  near = nearest(o->argument[0], names, FIGURES);
  if (near)
    return fail(why, EXIT_USAGE, "plot: no figure '%.100s'; did you mean '%s'?",
                o->argument[0], near);
  return fail(why, EXIT_USAGE,
              "plot: '%.100s' is not scaling, comparison, goodput, fit, tune "
              "or printed",
              o->argument[0]);
}
