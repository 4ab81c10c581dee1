/* names.c - names of mechanisms, knobs, and pairs of a paradigm and a method,
 * and the values to search for knobs. */

#include "predict/step.h"
#include "price/between.h"

#include <math.h>
#include <string.h>

const gscale_knobs gscale_knobs_best = {{NAN, NAN}, 0, 0, 0, false};

/* A knob that is not set is searched over powers of two from least to most. */
static const gscale_knob_info knobs[GSCALE_KNOB_END] = {
    [GSCALE_CHUNK] = {"chunk", GSCALE_BYTES, 4096, 64.0 * 1048576},
    [GSCALE_WIDTH] = {"width", GSCALE_COUNT, 64, 16384},
};

const gscale_knob_info *gscale_knob_at(gscale_knob k)
{
  return k < GSCALE_KNOB_END ? &knobs[k] : NULL;
}

/* At least half of a GPU's threads stay with the kernel. */
void gscale_plan_knob(const gscale_plan *p, gscale_knob k, double *least,
                      double *most)
{
  const double room = gscale__threads(p) / 2.0;

  *least = knobs[k].least;
  *most = knobs[k].most;
  if (k == GSCALE_WIDTH && *most > room)
    *most = gscale__max(*least = fmin(*least, room), room);
}

/* ---- pairs --------------------------------------------------------------- */

bool gscale_pair_measured(size_t paradigm, const gscale_knobs *k)
{
  const gscale_paradigm *p = gscale_paradigm_at(paradigm);
  const gscale_method *m =
      k->between > 0 ? gscale_between_at(k->between - 1) : NULL;

  return p && p->measured && (!m || m->measured);
}

void gscale_pair_name(size_t paradigm, const gscale_knobs *k, char *text,
                      size_t size)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const gscale_method *method =
      k->between > 0 ? gscale_between_at(k->between - 1) : NULL;

  gscale__print(text, size, "%s%s%s", m->about.name, method ? "+" : "",
                method ? method->name : "");
}

bool gscale_pair_find(const char *name, size_t *paradigm, gscale_knobs *k)
{
  const char *plus = strchr(name, '+');
  char inside[GSCALE_NAME_MAX] = "memcpy"; /* default paradigm of a method */

  *paradigm = gscale_paradigm_find(name);
  k->between = 0;
  if (*paradigm < gscale_paradigm_count()) return true;
  if (plus && (size_t)(plus - name) >= sizeof inside) return false;
  if (plus) gscale__copy_text(inside, (size_t)(plus - name) + 1, name);
  const size_t method = gscale__between_find(plus ? plus + 1 : name);
  const size_t i = gscale_paradigm_find(inside);
  const gscale__paradigm *m = gscale__paradigm_at(i);
  if (!m || m->joined || !gscale_between_at(method)) return false;
  *paradigm = i;
  k->between = method + 1;
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
