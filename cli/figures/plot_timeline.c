/* plot_timeline.c - draws the timeline of a step in lanes of host threads,
 * streams and links. */

#include "figures/drawn.h"

#include <math.h>

enum {
  LANES_MOST = 24 /* limit for legibility */
};

/* Kinds of boxes by colour. */
typedef enum paint {
  CALL,
  WAIT,
  KERNEL,
  COPY
} paint;

enum {
  THREAD = -1, /* special lanes */
  LINKS = -2,
  NETWORK = -3
};

typedef struct lane {      /* thread, stream, links or network */
  int thread, gpu, stream; /* or THREAD, LINKS, NETWORK */
  const char *name;        /* of the stream */
} lane;

typedef struct picture {
  const gscale_lanes *l;
  lane lane[LANES_MOST];
  size_t n;
  int gpus, shown; /* all GPUs; the first, which are shown */
  double unit;     /* in s */
} picture;

static lane thread_of(const gscale_lane_action *a)
{
  return (lane){a->thread, -1, THREAD, ""};
}

static lane stream_of(const gscale_lane_action *a)
{
  return (lane){-1, a->gpu, a->stream, a->stream_name};
}

static lane links_of(const gscale_lane_action *a)
{
  return (lane){-1, a->gpu, LINKS, "link"};
}

static lane network_of(const gscale_lane_action *a)
{
  return (lane){a->thread, -1, NETWORK, ""};
}

static bool same(const lane *a, const lane *b)
{
  return a->thread == b->thread && a->gpu == b->gpu && a->stream == b->stream;
}

/* Returns the index of a lane, or p->n if the lane is missing. */
static size_t find_lane(const picture *p, lane l)
{
  size_t i = 0;

  while (i < p->n && !same(&p->lane[i], &l)) i++;
  return i;
}

/* Adds a lane. Returns false without space. */
static bool add_lane(picture *p, lane l)
{
  if (find_lane(p, l) < p->n) return true;
  if (p->n == LANES_MOST) return false;
  p->lane[p->n++] = l;
  return true;
}

static bool has_work(const gscale_lane_action *a)
{
  return isfinite(a->at.begin) && isfinite(a->at.end) && a->stream >= 0;
}

static bool is_shown(const gscale_lane_action *a)
{
  return a->parity != GSCALE_ODD_STEPS; /* of an even step */
}

static bool moves_itself(const gscale_lane_action *a)
{
  return isfinite(a->sends) && isfinite(a->sent);
}

static bool uses_links(const gscale_lane_action *a)
{
  return has_work(a) && (a->kind == GSCALE_COPY_D2D ||
                         a->kind == GSCALE_COLLECTIVE || moves_itself(a));
}

/* Messages between nodes that the host sends. */
static bool leaves_node(const gscale_lane_action *a)
{
  return a->kind == GSCALE_HOST_WORK && *a->stream_name;
}

/* Lists threads, streams in the order of the schedule, and links of the first
 * GPUs. Returns false if the space is too small. */
static bool try_lanes(picture *p, int gpus)
{
  const gscale_lane_action *a;
  bool room = true;

  p->n = 0;
  p->shown = gpus;
  for (size_t i = 0; room && (a = gscale_lanes_at(p->l, i)); i++)
    if (a->stream >= 0 && a->gpu < gpus) room = add_lane(p, thread_of(a));
  for (size_t i = 0; room && (a = gscale_lanes_at(p->l, i)); i++)
    if (has_work(a) && a->gpu < gpus) room = add_lane(p, stream_of(a));
  for (size_t i = 0; room && (a = gscale_lanes_at(p->l, i)); i++)
    if (uses_links(a) && a->gpu < gpus) room = add_lane(p, links_of(a));
  for (size_t i = 0; room && (a = gscale_lanes_at(p->l, i)); i++)
    if (leaves_node(a)) room = add_lane(p, network_of(a));
  return room;
}

/* Shows as many GPUs as fit with all lanes, but at least one. */
static void find_lanes(picture *p)
{
  const gscale_lane_action *a;
  int gpus;

  for (size_t i = 0; (a = gscale_lanes_at(p->l, i)); i++)
    if (a->gpu >= p->gpus) p->gpus = a->gpu + 1;
  gpus = p->gpus;
  while (!try_lanes(p, gpus) && gpus > 1) gpus--;
}

static paint paint_of(const gscale_lane_action *a)
{
  return a->kind == GSCALE_COPY_D2D || a->kind == GSCALE_COPY_D2H ||
                 a->kind == GSCALE_COPY_H2D || a->kind == GSCALE_COLLECTIVE
             ? COPY
             : KERNEL;
}

static bool waits(gscale_action_kind k)
{
  return k == GSCALE_SYNC_STREAM || k == GSCALE_SYNC_EVENT ||
         k == GSCALE_BARRIER;
}

static void put_box(FILE *f, const picture *p, size_t place, double begin,
                    double end, paint how, const char *text)
{
  if (place == p->n || !(end > begin)) return;
  figure_number(f, begin / p->unit);
  figure_number(f, end / p->unit);
  fprintf(f, " %zu %d \"", p->n - 1 - place, how);
  for (; *text; text++)
    if (*text != '"' && (unsigned char)*text >= ' ') putc(*text, f);
  fputs("\"\n", f);
}

static void put_boxes(FILE *f, const picture *p)
{
  const gscale_lane_action *a;

  figure_data(f, "boxes");
  for (size_t i = 0; (a = gscale_lanes_at(p->l, i)); i++) {
    if (!is_shown(a)) continue;
    put_box(f, p, find_lane(p, thread_of(a)), a->at.call, a->at.back,
            waits(a->kind) || leaves_node(a) ? WAIT : CALL,
            gscale_action_name(a->kind));
    if (leaves_node(a))
      put_box(f, p, find_lane(p, network_of(a)), a->at.call, a->at.back, COPY,
              a->what);
    if (has_work(a))
      put_box(f, p, find_lane(p, stream_of(a)), a->at.begin, a->at.end,
              paint_of(a), *a->what ? a->what : gscale_action_name(a->kind));
    if (uses_links(a))
      put_box(f, p, find_lane(p, links_of(a)),
              moves_itself(a) ? a->sends : a->at.begin,
              moves_itself(a) ? a->sent : a->at.end, COPY,
              moves_itself(a) ? "bytes of the kernel" : "bytes of copies");
  }
  figure_end(f);
}

static void put_lanes(FILE *f, const picture *p)
{
  fprintf(f, "lanes = %zu\narray lane[%zu]\n", p->n, p->n);
  for (size_t i = 0; i < p->n; i++) {
    const lane *l = &p->lane[i];
    char name[GSCALE_LANE_TEXT];

    if (l->stream == THREAD)
      snprintf(name, sizeof name, "thread %d", l->thread);
    else if (l->stream == NETWORK)
      snprintf(name, sizeof name, "network %d", l->thread);
    else
      snprintf(name, sizeof name, "GPU %d %.40s", l->gpu, l->name);
    fprintf(f, "lane[%zu] = ", p->n - i);
    gnuplot_text(f, name);
    putc('\n', f);
  }
}

static bool repeats(const picture *p)
{
  const gscale_lane_action *a;

  for (size_t i = 0; (a = gscale_lanes_at(p->l, i)); i++)
    if (a->repeats > 1.0) return true;
  return false;
}

static void put_note(FILE *f, const picture *p)
{
  char note[160] = "";

  if (gscale_lanes_alike(p->l) > 1)
    gscale_append(note, sizeof note, "One of %d GPUs that do the same. ",
                  gscale_lanes_alike(p->l));
  if (repeats(p))
    gscale_append(note, sizeof note, "Of what repeats the first is shown. ");
  if (p->shown < p->gpus)
    gscale_append(note, sizeof note, "GPUs 0 to %d of %d are shown.",
                  p->shown - 1, p->gpus);
  figure_text(f, "note_text", note);
}

static int draw(const question *q, size_t i, size_t j, picture *p, bool text,
                FILE *out, failure *why)
{
  char title[256];
  figure g;
  int st = figure_begin(&g, 160 + 36 * (int)p->n, text, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "a step of %s on %d GPU%s of %s by %s",
             gscale_workload_about(q->workload).name, q->gpus[j],
             PLURAL(q->gpus[j]), q->name, question_paradigm(q, i));
    figure_title(g.f, title);
    figure_text(g.f, "asked_text", asked(q));
    put_note(g.f, p);
    p->unit = figure_unit(g.f, gscale_lanes_time(p->l));
    fprintf(g.f, "step = %.17g\n", gscale_lanes_time(p->l) / p->unit);
    put_lanes(g.f, p);
    put_boxes(g.f, p);
    st = figure_render(&g, "p_timeline.gp", title, out, why);
  }
  figure_free(&g);
  return st;
}

int draw_timeline(const question *q, const answer *a, size_t i, size_t j,
                  bool text, FILE *out, failure *why)
{
  gscale_lanes *lanes = NULL;
  picture p = {0};
  int st = lanes_new(q, i, j, &lanes, why);

  (void)a;
  if (st == EXIT_OK) {
    p.l = lanes;
    find_lanes(&p);
    st = draw(q, i, j, &p, text, out, why);
  }
  gscale_lanes_free(lanes);
  return st;
}

int plot_timeline(options *o, failure *why)
{
  return plot_step(o, "timeline WORKLOAD", draw_timeline, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
