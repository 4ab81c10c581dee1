/* plot_profile.c - a recorded step as lanes of host threads and streams. */

#include "describe/describe.h"
#include "figures/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES_MOST = 16, /* limit for legibility */
  BOXES_MOST = 5000
};

typedef enum paint { /* as in p_timeline.gp */
  CALL,
  WAIT,
  KERNEL,
  COPY
} paint;

typedef struct lane {
  int thread, gpu, stream; /* -1: none */
} lane;

typedef struct picture {
  const profile *p;
  double from, to, unit; /* s */
  lane lane[LANES_MOST];
  size_t n, boxes;
  bool left_out;
} picture;

/* Chooses the step of GPU 0 with a typical length. */
static void choose_step(picture *q)
{
  const gpu_steps *const g = &q->p->gpu[0];
  double least = INFINITY;

  for (size_t k = 0; k < g->steps; k++) {
    const double off = fabs(g->end[k] - g->begin[k] - q->p->period);
    if (!(off < least)) continue;
    least = off;
    q->from = g->begin[k];
  }
  q->to = q->from + q->p->period;
}

/* Work runs in the step of its call or later, so the figure starts at the first
 * call for the step. */
static void begin_with_calls(picture *q)
{
  const gpu_steps *const g = &q->p->gpu[0];

  for (size_t i = 0; i < g->items; i++) {
    if (g->item[i].call == NONE ||
        fabs(start_of(q->p, g->item[i].record) - q->from) > 1e-12)
      continue;
    const double call = start_of(q->p, g->item[i].call);
    if (call < q->from && q->from - call < 0.5 * q->p->period) {
      q->from = call;
      q->to = call + q->p->period;
      return;
    }
  }
}

static bool is_shown(const picture *q, size_t record)
{
  return end_of(q->p, record) > q->from && start_of(q->p, record) < q->to;
}

/* ---- lanes -------------------------------------------------------------- */

static size_t find_lane(const picture *q, lane l)
{
  size_t i = 0;

  while (i < q->n && (q->lane[i].thread != l.thread ||
                      q->lane[i].gpu != l.gpu || q->lane[i].stream != l.stream))
    i++;
  return i;
}

static void add_lane(picture *q, lane l)
{
  if (find_lane(q, l) < q->n) return;
  if (q->n < LANES_MOST)
    q->lane[q->n++] = l;
  else
    q->left_out = true;
}

static lane thread_of(const picture *q, size_t call)
{
  return (lane){what_of(q->p, call)->thread, -1, -1};
}

static lane stream_of(const picture *q, int gpu, size_t record)
{
  return (lane){-1, gpu, what_of(q->p, record)->stream};
}

/* Lists threads first, in the order of their GPUs. */
static void find_lanes(picture *q)
{
  for (int turn = 0; turn < 2; turn++)
    for (int g = 0; g < q->p->gpus; g++)
      for (size_t i = 0; i < q->p->gpu[g].items; i++) {
        const work_item *const w = &q->p->gpu[g].item[i];
        if (!is_shown(q, w->record)) continue;
        if (turn == 1)
          add_lane(q, stream_of(q, g, w->record));
        else if (w->call != NONE)
          add_lane(q, thread_of(q, w->call));
      }
}

static void put_lanes(FILE *f, const picture *q)
{
  char name[64];

  fprintf(f, "lanes = %zu\narray lane[%zu]\n", q->n, q->n);
  for (size_t i = 0; i < q->n; i++) {
    if (q->lane[i].thread >= 0)
      snprintf(name, sizeof name, "thread %d", q->lane[i].thread);
    else
      snprintf(name, sizeof name, "GPU %d stream %d", q->lane[i].gpu,
               q->lane[i].stream);
    fprintf(f, "lane[%zu] = ", q->n - i);
    gnuplot_text(f, name);
    putc('\n', f);
  }
}

/* ---- boxes -------------------------------------------------------------- */

static void put_box(FILE *f, picture *q, lane l, size_t record, paint how)
{
  const size_t place = find_lane(q, l);
  const double begin = fmax(start_of(q->p, record), q->from) - q->from;
  const double end = fmin(end_of(q->p, record), q->to) - q->from;
  char name[64];

  if (place == q->n || !(end > begin)) return;
  if (q->boxes++ >= BOXES_MOST) {
    q->left_out = true;
    return;
  }
  figure_number(f, begin / q->unit);
  figure_number(f, end / q->unit);
  fprintf(f, " %zu %d \"", q->n - 1 - place, how);
  gscale_recorded_short_name(what_of(q->p, record)->name, name, sizeof name);
  if (how == COPY && !is_collective(what_of(q->p, record)))
    snprintf(name, sizeof name, "copy");
  for (const char *c = name; *c; c++)
    if (*c != '"' && (unsigned char)*c >= ' ') putc(*c, f);
  fputs("\"\n", f);
}

static paint paint_of(const gscale_recorded_what *w)
{
  return w->kind == GSCALE_RECORDED_COPY || is_collective(w) ? COPY : KERNEL;
}

static void put_boxes(FILE *f, picture *q)
{
  const size_t from = gscale_recording_first(q->p->r, GSCALE_RECORDED_CALL);
  const size_t to = gscale_recording_first(q->p->r, GSCALE_RECORDED_RANGE);

  figure_data(f, "boxes");
  for (size_t i = from; i < to; i++)
    if (is_shown(q, i))
      put_box(f, q, thread_of(q, i), i,
              is_blocking(what_of(q->p, i)->name) ? WAIT : CALL);
  for (int g = 0; g < q->p->gpus; g++)
    for (size_t i = 0; i < q->p->gpu[g].items; i++) {
      const size_t r = q->p->gpu[g].item[i].record;
      if (is_shown(q, r))
        put_box(f, q, stream_of(q, g, r), r, paint_of(what_of(q->p, r)));
    }
  figure_end(f);
}

/* ---- the figure --------------------------------------------------------- */

/* Writes the time breakdown of GPU 0 over all steps. */
static int put_words(FILE *f, const picture *q, failure *why)
{
  exposure e;
  char text[64];
  const int st = find_exposure(q->p, 0, &e, why);

  if (st != EXIT_OK) return st;
  snprintf(text, sizeof text, "GPU 0: %.0f %% compute, %.0f %% idle",
           100.0 * e.compute / e.step, 100.0 * e.idle / e.step);
  figure_text(f, "asked_text", text);
  figure_text(f, "note_text", q->left_out ? "Some lanes are left out." : "");
  return st;
}

/* Writes the script for a typical step. */
static int script(const profile *p, figure *g, bool text, char *title,
                  size_t size, failure *why)
{
  const char *const slash = strrchr(*p->path, '/');
  picture q = {.p = p};

  if (p->gpu[0].steps == 0)
    return fail(why, EXIT_DATA, "%s: no step of GPU 0", *p->path);
  choose_step(&q);
  begin_with_calls(&q);
  find_lanes(&q);
  const int st = figure_begin(g, 160 + 36 * (int)q.n, text, why);
  if (st != EXIT_OK) return st;
  snprintf(title, size, "a step of %.80s on %d GPU%s",
           slash ? slash + 1 : *p->path, p->gpus, p->gpus == 1 ? "" : "s");
  figure_title(g->f, title);
  q.unit = figure_unit(g->f, q.to - q.from);
  fprintf(g->f, "step = %.17g\n", (q.to - q.from) / q.unit);
  put_lanes(g->f, &q);
  put_boxes(g->f, &q);
  return put_words(g->f, &q, why);
}

int draw_profile(const profile *p, bool text, FILE *out, failure *why)
{
  char title[256];
  figure g = {0};
  int st = script(p, &g, text, title, sizeof title, why);

  if (st == EXIT_OK) st = figure_render(&g, "p_timeline.gp", title, out, why);
  figure_free(&g);
  return st;
}

int plot_profile(options *o, failure *why)
{
  static profile p; /* once a run */
  char title[256];
  figure g = {0};
  int st;

  if (o->arguments < 2)
    return fail(why, EXIT_USAGE, "plot profile: needs a PROFILE");
  st = profile_read(&p, o->argument + 1, o->arguments - 1, NULL, why);
  if (st == EXIT_OK) st = profile_steps(&p, o->period, o->skip, why);
  if (st == EXIT_OK) st = script(&p, &g, o->terminal, title, sizeof title, why);
  if (st == EXIT_OK) st = figure_draw(&g, "p_timeline.gp", title, o, why);
  figure_free(&g);
  profile_free(&p);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
