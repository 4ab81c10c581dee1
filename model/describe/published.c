/* published.c - checks of schedules that publish, and numbers for plans. */

#include "describe/program.h"
#include "timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

/* ---- checks -------------------------------------------------------------- */

/* State of the check of a list in even or in odd steps. */
typedef struct reading {
  const gscale_workload *w;
  const gscale_program *p;
  gscale_parity parity; /* actions of the other parity are skipped */
  bool *published;      /* phases that any action publishes */
  int *open;            /* launch + 1, or 0 once published */
  size_t *first;        /* publishes of GPU 0, in order */
  size_t *behind;       /* publishes so far per GPU */
  size_t publishes;
} reading;

static gscale_status refuse(const reading *r, size_t i, const char *why,
                            size_t phase, gscale_diag *diag)
{
  return gscale__refuse_action(diag, GSCALE_EDATA, r->p->schedule.action, i,
                               "'%s' %s", r->w->phase[phase].name, why);
}

static int gpu_of(const reading *r, const gscale_action *a)
{
  return r->p->schedule.stream_gpu[a->stream];
}

static int *open_of(const reading *r, const gscale_action *a, size_t phase)
{
  return &r->open[(size_t)gpu_of(r, a) * r->w->phases + phase];
}

static gscale_status check_launch(const reading *r, size_t i, gscale_diag *diag)
{
  const gscale_action *a = &r->p->schedule.action[i];
  const gscale_work *k = &r->p->work[a->length];
  int *open = open_of(r, a, k->phase);

  if (a->kind == GSCALE_GRAPH)
    return refuse(r, i, "is launched by itself where phases are published",
                  k->phase, diag);
  if (k->share < 1.0)
    return refuse(r, i, "is launched whole where phases are published",
                  k->phase, diag);
  if (*open > 0 && r->published[k->phase])
    return refuse(r, i, "is launched again before it is published", k->phase,
                  diag);
  *open = (int)i + 1;
  return GSCALE_OK;
}

static gscale_status check_publish(const reading *r, size_t i,
                                   gscale_diag *diag)
{
  const gscale_schedule *s = &r->p->schedule;
  const gscale_action *a = &s->action[i];
  const size_t phase = r->p->work[a->length].phase;
  const gscale_phase *f = &r->w->phase[phase];
  int *open = open_of(r, a, phase);
  size_t *behind = &r->behind[gpu_of(r, a)];

  if (f->to == GSCALE_TO_NONE && !(f->reduce > 0.0))
    return refuse(r, i, "has nothing that others need", phase, diag);
  if (*open == 0 || s->action[*open - 1].stream != a->stream)
    return refuse(r, i, "is not launched before, in that stream", phase, diag);
  *open = 0;
  if (*behind >= r->publishes || r->first[*behind] != phase)
    return refuse(r, i, "is not what GPU 0 publishes there", phase, diag);
  (*behind)++;
  return GSCALE_OK;
}

static gscale_status check_one(const reading *r, size_t i, gscale_diag *diag)
{
  const gscale_schedule *s = &r->p->schedule;
  const gscale_action *a = &s->action[i];

  if (a->kind <= GSCALE_GRAPH) return check_launch(r, i, diag);
  if (a->kind == GSCALE_PUBLISH) return check_publish(r, i, diag);
  if (a->kind == GSCALE_COLLECTIVE || gscale__leaves(s, a))
    return gscale__refuse_action(
        diag, GSCALE_EDATA, s->action, i,
        "the schedule publishes: the paradigm defines the transfers");
  return GSCALE_OK;
}

/* Finds a launch without a publish, or a GPU with fewer than the first. */
static gscale_status check_rest(const reading *r, gscale_diag *diag)
{
  const size_t gpus = (size_t)r->p->schedule.gpus;

  for (size_t k = 0; k < gpus * r->w->phases; k++)
    if (r->open[k] > 0 && r->published[k % r->w->phases])
      return refuse(r, (size_t)r->open[k] - 1, "is not published behind it",
                    k % r->w->phases, diag);
  for (size_t g = 0; g < gpus; g++)
    if (r->behind[g] < r->publishes)
      return gscale__fail(diag, GSCALE_EDATA,
                          "schedule: GPU %zu publishes %zu times in a step, "
                          "GPU 0 %zu times",
                          g, r->behind[g], r->publishes);
  return GSCALE_OK;
}

static bool is_read(const reading *r, const gscale_action *a)
{
  return a->parity == GSCALE_EVERY_STEP || a->parity == r->parity;
}

static gscale_status check_list(reading *r, gscale_diag *diag)
{
  const gscale_schedule *s = &r->p->schedule;
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    if (a->kind != GSCALE_PUBLISH || !is_read(r, a)) continue;
    r->published[r->p->work[a->length].phase] = true;
    if (gpu_of(r, a) == 0)
      r->first[r->publishes++] = r->p->work[a->length].phase;
  }
  for (size_t i = 0; st == GSCALE_OK && i < s->actions; i++)
    if (is_read(r, &s->action[i])) st = check_one(r, i, diag);
  return st == GSCALE_OK ? check_rest(r, diag) : st;
}

static gscale_status check_parity(const gscale_workload *w,
                                  const gscale_program *p, gscale_parity parity,
                                  gscale_diag *diag)
{
  const size_t gpus = (size_t)p->schedule.gpus;
  reading r = {w,
               p,
               parity,
               calloc(w->phases + 1, sizeof(bool)),
               calloc(gpus * w->phases + 1, sizeof(int)),
               calloc(p->schedule.actions, sizeof(size_t)),
               calloc(gpus, sizeof(size_t)),
               0};
  const bool ok = r.published && r.open && r.first && r.behind;
  const gscale_status st =
      ok ? check_list(&r, diag)
         : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");

  free(r.published);
  free(r.open);
  free(r.first);
  free(r.behind);
  return st;
}

static gscale_status check_streams(const gscale_schedule *s, gscale_diag *diag)
{
  const int each = s->streams / s->gpus;

  for (int i = 0; i < s->streams; i++)
    if (s->streams % s->gpus != 0 || s->stream_gpu[i] != i / each)
      return gscale__fail(diag, GSCALE_EDATA,
                          "schedule: it publishes: stream %d is not one of as "
                          "many of each GPU, in their order",
                          i);
  if (s->durations > GSCALE_PUBLISHED_WORKS)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "schedule: it publishes, and has more than %d "
                        "durations",
                        (int)GSCALE_PUBLISHED_WORKS);
  return GSCALE_OK;
}

gscale_status gscale__check_published(const gscale_workload *w,
                                      const gscale_program *p,
                                      gscale_diag *diag)
{
  gscale_status st = check_streams(&p->schedule, diag);

  if (st == GSCALE_OK) st = check_parity(w, p, GSCALE_EVEN_STEPS, diag);
  if (st == GSCALE_OK) st = check_parity(w, p, GSCALE_ODD_STEPS, diag);
  return st;
}

bool gscale__any_publish(const gscale_schedule *s)
{
  for (size_t i = 0; i < s->actions; i++)
    if (s->action[i].kind == GSCALE_PUBLISH) return true;
  return false;
}

/* ---- numbers for plans --------------------------------------------------- */

/* Returns true if a thread waited for the work between launch and publish. */
static bool waited_for(const gscale_schedule *s, size_t publish)
{
  const gscale_action *a = &s->action[publish];

  for (size_t i = publish; i-- > 0;) {
    const gscale_action *b = &s->action[i];
    const bool there =
        (b->kind <= GSCALE_SYNC_STREAM) && b->stream == a->stream;
    if (there && b->kind == GSCALE_SYNC_STREAM) return true;
    if (there && b->kind <= GSCALE_GRAPH && b->parity == a->parity)
      return false;
  }
  return false;
}

void gscale__note_published(gscale__program *g)
{
  const gscale_program *p = &g->whole.as;
  const gscale_schedule *s = &p->schedule;

  g->publishes = g->behind_waits = true;
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    const double times = a->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    if (a->kind != GSCALE_PUBLISH) continue;
    g->publish[p->work[a->length].phase] += times / s->gpus;
    g->behind_waits = g->behind_waits && waited_for(s, i);
  }
}

bool gscale__any_published(const gscale_workload *w)
{
  const gscale__program *g = w->program;

  while (g && !g->publishes) g = g->next;
  return g;
}

bool gscale_workload_publishes(const gscale_workload *w, int n)
{
  const gscale__program *g = gscale__program_find(w, n);

  return g && g->publishes;
}

const gscale_phase *gscale__published_phase(const gscale__program *g,
                                            const gscale_phase *w, size_t i,
                                            gscale_phase *scratch)
{
  if (!g || !g->publishes || g->publish[i] > 0.0) return w;
  *scratch = *w;
  scratch->to = GSCALE_TO_NONE;
  scratch->reduce = 0.0;
  return scratch;
}

/* Members are cleared first, because plans compare the host byte by byte. */
void gscale__program_host(const gscale__program *g, gscale_host *out)
{
  memcpy(out, &gscale_host_default, sizeof *out);
  out->threads = g->whole.as.schedule.threads;
  out->waits = GSCALE_WAITS_STEP; /* there is one schedule */
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
