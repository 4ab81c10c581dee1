/* schedule_cache.c - compiled schedules of a plan, by paradigm and piece.
 *
 * Identical lists of actions share a schedule, in a plan and its successors. */

#include "predict/action_list.h"

#include <stdlib.h>
#include <string.h>

/* On several nodes, a paradigm has variants with and without hosts'
 * messages. */
static size_t variants(const gscale_plan *p)
{
  return p->nodes > 1 ? 2 : 1;
}

/* Returns the number of pieces of a step, each of which the host awaits. */
static size_t pieces(const gscale_plan *p)
{
  return p->host.waits == GSCALE_WAITS_PHASE ? p->phases : 1;
}

size_t gscale__step_span(const gscale_plan *p, size_t paradigm)
{
  const bool all = p->host.waits != GSCALE_WAITS_PHASE ||
                   gscale__streamed(p, gscale__paradigm_at(paradigm));

  return all ? p->phases : 1;
}

bool gscale__form_opened(const gscale_plan *p, size_t paradigm)
{
  return paradigm * variants(p) * pieces(p) < p->forms.n &&
         ((p->forms.left >> paradigm) & 1) == 0;
}

const gscale__form *gscale__form_at(const gscale_plan *p, size_t paradigm,
                                    bool by_device, size_t phase)
{
  const size_t which = paradigm * variants(p) + by_device;

  if (gscale__as_written(p))
    return &gscale__version_of(p, gscale__paradigm_at(paradigm))->form;
  return p->forms.form[which * pieces(p) + phase];
}

/* ---- identical lists ----------------------------------------------------- */

static bool same_list(const gscale__listed *a, const gscale__listed *b)
{
  const gscale_schedule *s = &a->schedule, *t = &b->schedule;

  return a->hash == b->hash && s->actions == t->actions && s->gpus == t->gpus &&
         s->threads == t->threads && s->durations == t->durations &&
         s->depth == t->depth && a->alone == b->alone && a->late == b->late &&
         a->behind_waits == b->behind_waits &&
         memcmp(s->action, t->action, s->actions * sizeof *s->action) == 0;
}

/* Returns the compiled form of an identical list, or NULL. */
static const gscale__form *find(const gscale__forms *f, const gscale__listed *l)
{
  const gscale__listed *own = f ? f->own : NULL;

  while (own && !same_list(own, l)) own = own->next;
  return own ? &own->form : NULL;
}

static gscale_status compile(gscale__listed *l, gscale_diag *diag)
{
  const gscale_status st =
      gscale__form_open(&l->form, &l->schedule, !l->alone || l->late, diag);

  l->form.far = l->far;
  l->form.alone = l->alone;
  l->form.behind_waits = l->behind_waits;
  return st;
}

/* Stores the list as form k, or takes the form of an identical list. */
static gscale_status keep(gscale__forms *f, size_t k, gscale__listed *l,
                          const gscale__forms *like, gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  f->form[k] = find(f, l);
  if (!f->form[k]) f->form[k] = find(like, l);
  if (!f->form[k]) st = compile(l, diag);
  if (f->form[k] || st != GSCALE_OK) {
    gscale__list_free(l);
    return st;
  }
  f->form[k] = &l->form;
  l->next = f->own;
  f->own = l;
  return GSCALE_OK;
}

/* ---- scripts ------------------------------------------------------------- */

/* Scripts of some phases, with the calls for one GPU and for all GPUs. */
typedef struct scripts {
  size_t first, phases;
  gscale__script one, all;
} scripts;

/* Returns true if one GPU represents all GPUs of a node.  Each GPU must then
 * have a thread that makes the same calls as the other threads, waits for none
 * of them in between and meets them in every step. */
static bool stands_for_all(const gscale__script *one)
{
  const gscale_schedule *s = &one->as.schedule;
  bool meets = false;

  for (size_t i = 0; i < s->actions; i++) {
    meets = meets || s->action[i].kind == GSCALE_BARRIER;
    if (one->note[i].serves == GSCALE__SERVES_OTHERS) return false;
  }
  return meets;
}

static gscale_status open_script(const gscale_plan *p, scripts *s, int gpus,
                                 gscale__script *out, gscale_diag *diag)
{
  if (out->as.work) return GSCALE_OK;
  return gscale__host_script(p, s->first, s->phases, gpus, out, diag);
}

static gscale_status list(const gscale_plan *p, const gscale__paradigm *m,
                          bool by_device, scripts *s, gscale__listed **out,
                          gscale_diag *diag)
{
  const gscale__script *by = &s->all;
  bool alone = false;
  gscale_status st = GSCALE_OK;

  if (!p->own && p->threads == p->near) {
    st = open_script(p, s, 1, &s->one, diag);
    alone = st == GSCALE_OK && stands_for_all(&s->one);
    if (alone) by = &s->one;
  }
  if (st == GSCALE_OK && p->own)
    s->all = (gscale__script){.as = gscale__version_of(p, m)->as,
                              .behind_waits = p->own->behind_waits};
  else if (st == GSCALE_OK && !alone)
    st = open_script(p, s, p->near, &s->all, diag);
  return st == GSCALE_OK ? gscale__list_new(p, m, by, s->first, s->phases,
                                            by_device, alone, out, diag)
                         : st;
}

static void close_scripts(scripts *s)
{
  gscale__script_free(&s->one);
  gscale__script_free(&s->all);
}

/* Adds the forms of one piece.  A form of an in_stream paradigm has all. */
static gscale_status add_piece(gscale_plan *p, size_t piece,
                               const gscale__forms *like, scripts *whole,
                               gscale_diag *diag)
{
  const size_t every = pieces(p), in = every > 1 ? 1 : p->phases;
  gscale__forms *f = &p->forms;
  scripts here = {.first = piece * in, .phases = in};
  gscale_status st = GSCALE_OK;

  for (size_t k = piece; st == GSCALE_OK && k < f->n; k += every) {
    const size_t which = k / every, paradigm = which / variants(p);
    const bool streamed = gscale__step_span(p, paradigm) > in;
    gscale__listed *l = NULL;
    if (((f->left >> paradigm) & 1) != 0) continue;
    if (streamed && piece > 0) {
      f->form[k] = f->form[k - 1];
      continue;
    }
    st = list(p, gscale__paradigm_at(paradigm), which % variants(p) > 0,
              streamed ? whole : &here, &l, diag);
    if (st == GSCALE_OK) st = keep(f, k, l, like, diag);
  }
  close_scripts(&here);
  return st;
}

/* ---- plans --------------------------------------------------------------- */

void gscale__forms_close(gscale__forms *f)
{
  while (f->own) {
    gscale__listed *next = f->own->next;
    gscale__list_free(f->own);
    f->own = next;
  }
  if (!f->borrowed) free(f->form);
  *f = (gscale__forms){0};
}

void gscale__forms_lend(gscale__forms *to, gscale__forms *from)
{
  enum {
    MOST = 64 /* most lists to compare with */
  };
  gscale__listed *last = from->own;
  int n = 0;

  for (gscale__listed *l = to->own; l; l = l->next) n++;
  for (gscale__listed *l = from->own; l; l = l->next, n++) last = l;
  if (!last || n > MOST) return;
  last->next = to->own;
  to->own = from->own;
  from->own = NULL;
}

gscale_status gscale__step_open(gscale_plan *p, size_t paradigms, uint64_t left,
                                const gscale__forms *like, bool same,
                                gscale_diag *diag)
{
  gscale__forms *f = &p->forms;
  scripts whole = {.phases = p->phases};
  gscale_status st = GSCALE_OK;

  *f = (gscale__forms){.n = paradigms * variants(p) * pieces(p)};
  if (gscale__as_written(p)) return GSCALE_OK;
  if (like && same && like->n == f->n) {
    f->form = like->form;
    f->borrowed = true;
    return GSCALE_OK;
  }
  f->left = left;
  f->form = calloc(f->n, sizeof *f->form);
  if (!f->form) st = gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  for (size_t i = 0; st == GSCALE_OK && i < pieces(p); i++)
    st = add_piece(p, i, like, &whole, diag);
  close_scripts(&whole);
  if (st != GSCALE_OK) gscale__forms_close(f);
  return st;
}

void gscale__step_close(gscale_plan *p)
{
  gscale__forms_close(&p->forms);
  gscale__forms_close(&p->single);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
