/* like.c - numbers that a system takes from the system that its key `like`
 * names.
 *
 * If enough machines measured a number, the value is the mean and the error is
 * twice the spread of the measured values, since this machine is of another
 * kind (gscale_param_population). Any other number v keeps its value and
 * becomes `assumed`. The range of a fraction (at most 1.25 by its domain) is
 * [0.6 v, max(v, 1)]. The range of any other number is [v / 3, 3 (v + its
 * error)].
 *
 * The costs of measured machines differ by a factor of up to four
 * (copy.initiation: 2.4 us on H200, 9.8 us on P100). One pair of GPUs attains
 * 0.96 to 1.03 of the format's limit, and copies that contend at a GPU 0.64. */

#include "language/binding.h"

#include <math.h>
#include <string.h>

bool is_inheritable(gscale_param_id id)
{
  const gscale_param_info *info = gscale_param_info_at((size_t)id);

  /* Rates of GPUs, of ports and of paths through the host differ between
   * machines. Scale factors that are guessed are not taken either. */
  return !info->scales && strncmp(info->name, "link.", 5) != 0 &&
         strncmp(info->name, "staged.r", 8) != 0 &&
         strncmp(info->name, "device.flops", 12) != 0 &&
         !(info->required && strncmp(info->name, "device.", 7) == 0);
}

/* Returns the standard error of a uniform distribution over the range. */
static double range_error(const gscale_param_info *info, const gscale_param *p)
{
  const bool fraction = info->dim == GSCALE_COUNT && info->most <= 1.25;
  const double low = fraction ? 0.6 * p->val : p->val / 3.0;
  const double high = fraction ? fmax(p->val, 1.0) : 3.0 * (p->val + p->err);

  return (high - low) / sqrt(12.0);
}

void inherit_params(gscale_system *s, const gscale_system *base,
                    const char *name, const bool mentioned[])
{
  for (size_t i = 0; i < gscale_param_count(); i++) {
    const gscale_param_id id = (gscale_param_id)i;
    const gscale_param_info *info = gscale_param_info_at(i);
    const gscale_param *p = gscale_system_get(base, id);
    gscale_param taken = *p;

    if (mentioned[i] || !is_inheritable(id) || p->origin == GSCALE_SPEC)
      continue;
    if (!gscale_param_population(id, true, &taken)) {
      taken.origin = GSCALE_ASSUMED;
      taken.err = fmax(p->err, range_error(info, p));
      snprintf(taken.source, sizeof taken.source, "%s: %s there", name,
               gscale_name(GSCALE_ORIGIN_NAMES, p->origin));
    }
    gscale_system_set(s, id, &taken, NULL); /* the value stays in its domain */
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
