/* lost.c - lists what a step loses over an even share of one GPU's step. */

#include "say/predict.h"

#include <math.h>

const char *loss_name(gscale_loss k)
{
  static const char *const names[] = {
      [GSCALE_LOST_COMMUNICATION] = "communication",
      [GSCALE_LOST_WAITING] = "waiting",
      [GSCALE_LOST_HOST] = "host",
      [GSCALE_LOST_START] = "start-up",
      [GSCALE_LOST_KERNELS] = "kernels",
      [GSCALE_LOST_END] = "nothing",
  };

  return names[k];
}

/* A loss below this share of a step is not named. */
static const double SEEN = 0.005;

/* Returns the largest loss that is below a share of the step, or END. */
static gscale_loss next_lost(const answer *a, double below)
{
  gscale_loss most = GSCALE_LOST_END;

  for (int k = 0; k < GSCALE_LOST_END; k++) {
    const double share = a->lost.of[k] / a->p.time;
    if (share >= SEEN && share < below &&
        (most == GSCALE_LOST_END || a->lost.of[k] > a->lost.of[most]))
      most = (gscale_loss)k;
  }
  return most;
}

gscale_loss most_lost(const answer *a)
{
  return next_lost(a, INFINITY);
}

const char *say_most_lost(const answer *a)
{
  const gscale_loss k = most_lost(a);

  return k == GSCALE_LOST_COMMUNICATION ? "comm." : loss_name(k);
}

static void put_share(const char *between, const char *words, double share,
                      lost_words text)
{
  if (share >= SEEN)
    gscale_append(text, sizeof(lost_words), "%s%s %.0f%%", *text ? between : "",
                  words, 100.0 * share);
}

const char *say_lost(const answer *a, lost_words text)
{
  gscale_loss k = most_lost(a);

  *text = '\0';
  while (k < GSCALE_LOST_END) {
    const double share = a->lost.of[k] / a->p.time;
    put_share(", ", loss_name(k), share, text);
    k = next_lost(a, share);
  }
  if (!*text) snprintf(text, sizeof(lost_words), "nothing");
  put_share("; hidden: ", "communication", a->lost.hidden / a->p.time, text);
  put_share("; gained", "", -a->lost.gain / a->p.time, text);
  return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
