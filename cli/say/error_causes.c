/* error_causes.c - splits the error of a time on several nodes by cause. */

#include "say/predict.h"

#include <math.h>
#include <string.h>

static const char *const names[CAUSES] = {
    [CAUSE_NETWORK] = "network",
    [CAUSE_GROWTH] = "growth",
    [CAUSE_IMBALANCE] = "imbalance",
    [CAUSE_HOST] = "host",
};

const char *error_cause_name(error_cause c)
{
  return c < CAUSES ? names[c] : NULL;
}

static bool has(const char *name, const char *const *words)
{
  for (size_t i = 0; words[i]; i++)
    if (strstr(name, words[i])) return true;
  return false;
}

/* Returns the cause to which a number belongs, or CAUSES if there is none. */
static error_cause cause_of(const char *name)
{
  static const char *const uneven[] = {"imbalance", "jitter", NULL};
  static const char *const net[] = {"network.", "gpudirect.", "hostpath.",
                                    "remote.",  "coll.net",   "coll.tree",
                                    NULL};

  if (has(name, uneven)) return CAUSE_IMBALANCE;
  if (has(name, net)) return CAUSE_NETWORK;
  return strncmp(name, "host.", 5) == 0 ? CAUSE_HOST : CAUSES;
}

/* Returns the error in s of transfers on more nodes than were measured. */
static double growth(const gscale_error *e, const gscale_prediction *p)
{
  const double ideal = p->time * p->opportunity;

  return e->widened.nodes *
         gscale_residual_moving(ideal + e->at.moved * p->time, ideal);
}

void error_causes(const gscale_uncertainty *u, const gscale_error *e,
                  const gscale_prediction *p, double by[CAUSES])
{
  by[CAUSE_NETWORK] =
      hypot(e->of_collectives, hypot(e->own[GSCALE_RESIDUAL_BESIDE],
                                     e->own[GSCALE_RESIDUAL_MOVED]));
  by[CAUSE_GROWTH] = growth(e, p) * e->left;
  by[CAUSE_IMBALANCE] = 0.0;
  by[CAUSE_HOST] = e->own[GSCALE_RESIDUAL_HOST];
  for (size_t i = 0; i < gscale_uncertainty_count(u); i++) {
    const error_cause c = cause_of(gscale_uncertainty_number(u, i)->name);

    if (c < CAUSES) by[c] = hypot(by[c], gscale_uncertainty_effect(u, i));
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
