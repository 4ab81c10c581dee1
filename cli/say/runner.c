/* runner.c - finds the second best choice for a collective, and its range. */

#include "say/predict.h"

#include <math.h>

static const double REACH = 1024.0, STEP = 1.0905077326652577; /* 2^(1/8) */

static gscale_coll_choice chosen(const gscale_plan *p, gscale_coll_kind what,
                                 double bytes)
{
  return gscale_plan_collective(p, what, bytes, false,
                                GSCALE_COLL_ALGORITHM_END,
                                GSCALE_COLL_PROTOCOL_END);
}

static bool same(const gscale_coll_choice *a, const gscale_coll_choice *b)
{
  return a->algorithm == b->algorithm && a->protocol == b->protocol;
}

/* Returns the fastest choice except *by. If there is none, its total is NaN. */
static gscale_coll_choice runner_up(const gscale_plan *p, gscale_coll_kind what,
                                    double bytes, const gscale_coll_choice *by)
{
  gscale_coll_choice next = {.total = NAN};

  for (int a = 0; a < GSCALE_COLL_OF_NCCL; a++)
    for (int r = 0; r < GSCALE_COLL_LINES; r++) {
      const gscale_coll_choice c = gscale_plan_collective(
          p, what, bytes, false, (gscale_coll_algorithm)a,
          (gscale_coll_protocol)r);
      if (!isnan(c.total) && !same(&c, by) && !(c.total >= next.total))
        next = c;
    }
  return next;
}

static void say_paradigm_of(const gscale_coll_choice *c, char *text,
                            size_t size)
{
  snprintf(text, size, "%s/%s",
           gscale_name(GSCALE_COLL_ALGORITHM_NAMES, c->algorithm),
           gscale_name(GSCALE_COLL_PROTOCOL_NAMES, c->protocol));
}

/* Returns the bytes at which the choice changes, searched by factors of `step`.
 * Returns NaN if the change is not within a factor of REACH. */
static double switches(const gscale_plan *p, gscale_coll_kind what,
                       double bytes, double step, const gscale_coll_choice *by,
                       gscale_coll_choice *to)
{
  for (double f = step; f < REACH && f > 1.0 / REACH; f *= step) {
    *to = chosen(p, what, bytes * f);
    if (!same(to, by)) return bytes * f;
  }
  return NAN;
}

static void add_switch(const gscale_plan *p, gscale_coll_kind what,
                       double bytes, double step, const char *words,
                       const gscale_coll_choice *by, char *text, size_t size)
{
  gscale_coll_choice to;
  char choice[64], at[32];
  const double b = switches(p, what, bytes, step, by, &to);

  if (isnan(b)) return;
  say_paradigm_of(&to, choice, sizeof choice);
  gscale_format_quantity(b, GSCALE_BYTES, at, sizeof at);
  gscale_append(text, size, "; %s %s %s", choice, words, at);
}

void say_runner_up(const gscale_plan *p, size_t phase, const gscale_knobs *k,
                   char *text, size_t size)
{
  gscale_coll_kind what;
  double bytes;
  const gscale_coll_choice by = gscale_plan_moves(p, phase, k, &what, &bytes);
  const gscale_coll_choice free = chosen(p, what, bytes);

  snprintf(text, size, "%s", gscale_name(GSCALE_COLL_KIND_NAMES, what));
  const gscale_coll_choice next = runner_up(p, what, bytes, &by);
  if (!isnan(next.total)) {
    char choice[64];
    say_paradigm_of(&next, choice, sizeof choice);
    gscale_append(text, size, "; %s %+.0f%%", choice,
                  100.0 * (next.total / by.total - 1.0));
  }
  if (!same(&free, &by)) return; /* the user chose it */
  add_switch(p, what, bytes, STEP, "from", &by, text, size);
  add_switch(p, what, bytes, 1.0 / STEP, "up to", &by, text, size);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
