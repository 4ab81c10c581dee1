/* plot_generations.c - draws the speedup of each paradigm over generations of
 * the link, and the share of it that is the packet format's. */

#include "figures/drawn.h"
#include "say/system_ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINKS_MOST = 32
};

typedef struct picture {
  const comparison *c, *kept; /* kept: with the slowest link's packets */
  size_t order[LINKS_MOST];   /* of the subjects, by the rates of their links */
  size_t shown[PARADIGMS_MAX]; /* indices in the question */
  curve curve[PARADIGMS_MAX];
  size_t n;    /* number of curves */
  size_t last; /* index of N, the largest */
  scale s;
} picture;

static const gscale_link *link_of(const subject *s)
{
  return gscale_system_about(s->q.system).link;
}

static double rate_of(const subject *s)
{
  return gscale_system_get(s->q.system, gscale_param_find("link.rate"))->val;
}

static const subject *at(const picture *p, size_t i)
{
  return &p->c->v[p->order[i]];
}

static const answer *answer_at(const picture *p, const subject *s, size_t k)
{
  return &s->a[p->shown[k] * s->q.n + p->last];
}

static void sort_by_rate(picture *p)
{
  for (size_t i = 0; i < p->c->n; i++) {
    size_t j = i;

    for (; j > 0 && rate_of(&p->c->v[i]) < rate_of(at(p, j - 1)); j--)
      p->order[j] = p->order[j - 1];
    p->order[j] = i;
  }
}

/* Compares N GPUs with one GPU of the same system. */
static versus weigh(const picture *p, const subject *s, size_t k)
{
  const answer *one = &s->a[p->shown[k] * s->q.n], *a = answer_at(p, s, k);
  const entrant many = {s, p->shown[k], s->q.gpus[p->last], a->p.time, a},
                single = {s, p->shown[k], 1, one->p.time, one};

  return versus_weigh(&many, &single, 0.0);
}

static bool runs_everywhere(const picture *p, size_t i)
{
  for (size_t k = 0; k < p->c->n; k++) {
    const subject *s = &p->c->v[k];

    if (s->q.n != p->last + 1 || !s->a[i * s->q.n].met ||
        !s->a[i * s->q.n + p->last].met)
      return false;
  }
  return true;
}

/* Returns by how much the packet format alone makes a step faster. */
static double packets_gain(const picture *p, size_t j, size_t k)
{
  const answer *kept = answer_at(p, &p->kept->v[p->order[j]], k);

  return kept->p.time / answer_at(p, at(p, j), k)->p.time - 1.0;
}

static void choose_curves(picture *p)
{
  const question *q = &p->c->v[0].q;
  double least[PARADIGMS_MAX], most[PARADIGMS_MAX];

  for (size_t i = 0; i < q->paradigms; i++) {
    if (!runs_everywhere(p, i)) continue;
    const size_t k = p->n++;

    p->shown[k] = i;
    least[k] = INFINITY;
    most[k] = 0.0;
    for (size_t j = 0; j < p->c->n; j++) {
      const versus v = weigh(p, at(p, j), k);
      least[k] = fmin(least[k], v.low);
      most[k] = fmax(most[k], v.high);
      p->curve[k].last = p->curve[k].weight = v.ratio;
    }
    p->curve[k].name = question_paradigm(q, i);
    p->curve[k].type = line_type(q->paradigm[i], q->between[i]);
  }
  p->s = choose_scale(p->curve, least, most, p->n);
}

/* Writes a block for each curve: index of the link, speedup, its interval,
 * whether the answer is inside of what was measured, and by how many percent
 * the packet format alone makes the step faster. */
static void put_speeds(FILE *f, const picture *p)
{
  figure_data(f, "speed");
  for (size_t k = 0; k < p->n; k++) {
    for (size_t j = 0; j < p->c->n; j++) {
      const subject *s = at(p, j);
      const answer *a = answer_at(p, s, k);
      const versus v = weigh(p, s, k);

      fprintf(f, "%zu", j);
      figure_number(f, v.ratio);
      figure_number(f, v.low);
      figure_number(f, v.high);
      fprintf(f, " %d", a->applicability <= GSCALE_INTERPOLATED);
      figure_number(f, 100.0 * packets_gain(p, j, k));
      putc('\n', f);
    }
    fprintf(f, "\n\n");
  }
  figure_end(f);
}

static void put_links(FILE *f, const picture *p)
{
  char text[2 * GSCALE_NAME_MAX];

  fprintf(f, "links = %zu\narray link[links]\n", p->c->n);
  for (size_t j = 0; j < p->c->n; j++) {
    snprintf(text, sizeof text, "link[%zu]", j + 1);
    figure_text(f, text, link_of(at(p, j))->name);
  }
  figure_text(f, "first_text", link_of(at(p, 0))->name);
}

/* Names the largest effect of the packet format. */
static void put_most(FILE *f, const picture *p)
{
  size_t link = 0, most = 0;
  char text[4 * GSCALE_NAME_MAX];

  for (size_t k = 0; k < p->n; k++)
    for (size_t j = 0; j < p->c->n; j++)
      if (fabs(packets_gain(p, j, k)) > fabs(packets_gain(p, link, most)))
        link = j, most = k;
  snprintf(text, sizeof text, "%s: %+.1f%%", p->curve[most].name,
           100.0 * packets_gain(p, link, most));
  figure_text(f, "most_text", text);
}

static int draw(picture *p, const options *o, failure *why)
{
  const question *q = &p->c->v[0].q;
  char title[160];
  figure g;
  int st = figure_begin(&g, 640, o->terminal, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s on %d GPUs of %s by generation",
             gscale_workload_about(q->workload).name, q->gpus[p->last],
             gscale_system_about(q->system).name);
    figure_title(g.f, title);
    figure_text(g.f, "asked_text", asked(q));
    fprintf(g.f, "low = %.17g\nhigh = %.17g\n", p->s.low, p->s.high);
    put_curves(g.f, p->curve, p->n, &p->s);
    put_links(g.f, p);
    put_speeds(g.f, p);
    put_most(g.f, p);
    st = figure_draw(&g, "p_generations.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

/* Gives a system the packets of another link at the rate of its own. */
static int keep_packets(gscale_system *s, gscale_link packets, failure *why)
{
  const gscale_can can = *gscale_system_can(s);
  const gscale_link *own = gscale_system_about(s).link;
  gscale_diag diag;

  memcpy(packets.name, own->name, sizeof packets.name);
  packets.rate = own->rate;
  packets.hop = own->hop;
  gscale_status st = gscale_system_set_link(s, &packets, &diag);
  if (st == GSCALE_OK) st = gscale_system_set_can(s, &can, &diag);
  return check_gscale(why, st, &diag);
}

/* Answers again with the packets of the slowest link, and draws. The systems of
 * the comparison have these packets afterwards. */
static int draw_generations(picture *p, const options *o, failure *why)
{
  comparison kept = *p->c;
  const gscale_link slowest = *link_of(at(p, 0));
  int st = EXIT_OK;

  kept.joint = NULL;
  kept.v = malloc(kept.n * sizeof *kept.v);
  if (!kept.v) return no_memory(why);
  memcpy(kept.v, p->c->v, kept.n * sizeof *kept.v);
  for (size_t i = 0; i < kept.n; i++) {
    kept.v[i].a = NULL;
    kept.v[i].q.joint = NULL;
    if (st == EXIT_OK) st = keep_packets(kept.v[i].q.system, slowest, why);
  }
  if (st == EXIT_OK) st = comparison_answer(&kept, false, why);
  p->kept = &kept;
  if (st == EXIT_OK) st = draw(p, o, why);
  for (size_t i = 0; i < kept.n; i++) free(kept.v[i].a);
  free(kept.v);
  return st;
}

int plot_generations(options *o, failure *why)
{
  static picture p; /* large */
  char gpus[512];
  comparison c = {0};
  int st = need_arguments(o, 2, "generations WORKLOAD", why);

  if (st == EXIT_OK && o->system && strchr(o->system, ','))
    st = fail(why, EXIT_USAGE, "plot: generations are of one system");
  if (st != EXIT_OK) return st;
  if (o->gpus) {
    snprintf(gpus, sizeof gpus, "1,%s", o->gpus);
    o->gpus = gpus;
  }
  p = (picture){.c = &c};
  st = comparison_load(&c, o, GPUS_DOUBLED, NULL, why);
  if (st == EXIT_OK) st = comparison_answer(&c, true, why);
  if (st == EXIT_OK) {
    p.last = c.v[0].q.n - 1;
    sort_by_rate(&p);
    choose_curves(&p);
    st = p.n > 0 ? draw_generations(&p, o, why)
                 : fail(why, EXIT_DATA, "plot: no paradigm runs by all links");
  }
  comparison_free(&c);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
