/* prepare.c - stages of all phases in a paradigm, and checks for overflow. */

#include "predict/prepare.h"
#include "price/between.h"

#include <math.h>

/* The next kernel adds up received data.  `infinite` omits this time, and
 * collectives add the data themselves. */
static void add_sums(const gscale__phase_plan *f, const gscale__paradigm *m,
                     gscale__stage *l)
{
  if (f->adding > 0.0 && !m->ideal && !m->adds) l->flow.compute += f->adding;
}

/* Adds kernels that pack and unpack data, in sequence or next to a flow. */
static void add_packing(const gscale__phase_plan *f, gscale__stage *l)
{
  const bool row = l->kernels > 0.0 || !(f->kernels > 0.0);

  if (!(f->pack > 0.0)) return;
  l->flow.compute += f->pack;
  if (l->before > 0.0) l->before += f->pack;
  *(row ? &l->kernels : &l->more.launches) += f->pack_launches;
}

void gscale__prepare_flow(const gscale_plan *p, const gscale__paradigm *m,
                          const gscale_knobs *k, size_t i, gscale__stage *out)
{
  const gscale__phase_plan *f = &p->phase[i];

  m->prepare(p, f, k, out);
  if (m->packs) add_packing(f, out);
  add_sums(f, m, out);
  if (!m->joined && k->between > 0)
    gscale__add_internode(p, f, k->between - 1, out);
}

void gscale__prepare_phase(const gscale_plan *p, const gscale__paradigm *m,
                           const gscale_knobs *k, size_t i, gscale__stage *out)
{
  if (m->gather) m->gather(p, &p->phase[i], &out->gathered);
  gscale__prepare_flow(p, m, k, i, out);
  out->length = gscale_flow_time(&out->flow);
}

void gscale__prepare(const gscale_plan *p, const gscale__paradigm *m,
                     const gscale_knobs *k, gscale__stage *stage)
{
  for (size_t i = 0; i < p->phases; i++)
    gscale__prepare_phase(p, m, k, i, &stage[i]);
}

/* ---- overflow ------------------------------------------------------------ */

enum {
  LENGTHS = 9
};
static const gscale_mechanism length_of[LENGTHS] = {
    GSCALE_M_COMPUTE,  GSCALE_M_HOST,       GSCALE_M_BANDWIDTH,
    GSCALE_M_ISSUE,    GSCALE_M_INITIATION, GSCALE_M_FAULT,
    GSCALE_M_TRACKING, GSCALE_M_TAIL,       GSCALE_M_LATENCY};

/* Lists all components of a stage's time in s, with their mechanisms. */
static inline void list_lengths(const gscale__stage *l, double *s)
{
  const gscale_flow *f = &l->flow;
  const gscale__copies_of *c = &l->copies;

  s[0] = (f->compute + l->before) + (f->held + f->busy);
  s[1] = (l->more.launches + l->more.copies) + (l->more.events + l->far.post);
  s[2] = ((f->wire + f->slowdown) + (c->wire + c->queue)) +
         (l->last.wire + l->far.transfer);
  s[3] = f->issue + f->beside;
  s[4] = f->gap + c->initiation + l->last.initiation;
  s[5] = f->start;
  s[6] = f->tracking;
  s[7] = f->bytes + f->chunk + f->burst;
  s[8] = ((f->latency + f->waiting) + (c->latency + l->last.latency)) +
         l->far.latency;
}

gscale_mechanism gscale__overflows(const gscale__stage *l)
{
  double s[LENGTHS];

  list_lengths(l, s);
  if (isfinite(((s[0] + s[1]) + (s[2] + s[3])) +
               ((s[4] + s[5]) + (s[6] + s[7])) + s[8]))
    return GSCALE_MECHANISM_END;
  for (int i = 0; i < LENGTHS; i++)
    if (!isfinite(s[i])) return length_of[i];
  return GSCALE_MECHANISM_END;
}

bool gscale__is_finite(const gscale__stage *l)
{
  return gscale__overflows(l) == GSCALE_MECHANISM_END;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
