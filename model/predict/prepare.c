/* prepare.c - what a paradigm makes of each phase, and whether it is finite. */

#include "predict/prepare.h"
#include "price/between.h"

#include <math.h>

/* What others sent is added up by the next kernel; `infinite` leaves that out,
 * and a collective adds up itself. */
static void add_sums(const gscale__phase_plan *f, const gscale__paradigm *m,
                     gscale__stage *l)
{
  if (f->adding > 0.0 && !m->ideal && !m->adds) l->flow.compute += f->adding;
}

/* The kernels that pack and unpack: of the row, or called for beside a flow. */
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
  if (!m->joined && k->between > 0) gscale__add_far(p, f, k->between - 1, out);
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

typedef struct length {
  gscale_mechanism of;
  double s;
} length;
enum {
  LENGTHS = 9
};

/* All that a stage's time is made of, each with its mechanism. */
static inline void list_lengths(const gscale__stage *l, length *out)
{
  const gscale_flow *f = &l->flow;
  const gscale__copies_of *c = &l->copies;

  out[0] =
      (length){GSCALE_M_COMPUTE, f->compute + l->before + f->held + f->busy};
  out[1] = (length){GSCALE_M_HOST, l->more.launches + l->more.copies +
                                       l->more.events + l->far.post};
  out[2] =
      (length){GSCALE_M_BANDWIDTH, f->wire + f->slowdown + c->wire + c->queue +
                                       l->last.wire + l->far.transfer};
  out[3] = (length){GSCALE_M_ISSUE, f->issue + f->beside};
  out[4] = (length){GSCALE_M_INITIATION,
                    f->gap + c->initiation + l->last.initiation};
  out[5] = (length){GSCALE_M_FAULT, f->start};
  out[6] = (length){GSCALE_M_TRACKING, f->tracking};
  out[7] = (length){GSCALE_M_TAIL, f->bytes + f->chunk + f->burst};
  out[8] = (length){GSCALE_M_LATENCY, f->latency + f->waiting + c->latency +
                                          l->last.latency + l->far.latency};
}

/* Of all of them, s. */
static inline double sum_lengths(const gscale__stage *l)
{
  length all[LENGTHS];
  double sum = 0.0;

  list_lengths(l, all);
  for (int i = 0; i < LENGTHS; i++) sum += all[i].s;
  return sum;
}

gscale_mechanism gscale__overflows(const gscale__stage *l)
{
  length all[LENGTHS];

  if (isfinite(sum_lengths(l))) return GSCALE_MECHANISM_END;
  list_lengths(l, all);
  for (int i = 0; i < LENGTHS; i++)
    if (!isfinite(all[i].s)) return all[i].of;
  return GSCALE_MECHANISM_END;
}

bool gscale__is_finite(const gscale__stage *l)
{
  return gscale__overflows(l) == GSCALE_MECHANISM_END;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
