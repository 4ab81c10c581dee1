/* critical.h - the actions on the critical cycle of a timeline, whose costs
 * gscale_timeline_period() sums.  timeline.c is compiled into the program. */
#ifndef CRITICAL_H
#define CRITICAL_H

#define work timeline_work
#include "timeline/timeline.c"
#undef work

/* One action. */
typedef struct critical {
  size_t action;
  bool odd;    /* of a schedule whose steps alternate: the odd one's */
  bool device; /* its work, or its place in the stream; else the call */
  int steps;   /* so many steps after what it waits for, the one before in the
                * list (for the first, the last): 0 or more */
} critical;

/* The arc by which a moment of the cycle is reached. */
static int arc_into(const timeline_work *w, int m)
{
  const gscale_timeline *t = w->t;
  const int j = t->spot[m].join;
  return t->moment_of[j] == m ? t->link[w->policy[j]].arc : t->moment[m].first;
}

static int list_moments(const timeline_work *w)
{
  const int last = w->t->moment_of[w->anchor];
  int n = 0, m = last;

  do {
    w->path[n++] = m;
    m = w->t->arc[arc_into(w, m)].from;
  } while (m != last);
  return n;
}

static bool same_action(const gscale_timeline *t, int a, int b)
{
  const gscale__moment *p = &t->moment[a], *q = &t->moment[b];
  return p->action == q->action && p->slot == q->slot && p->device == q->device;
}

/* Steps from what moment m waits for to m. */
static int steps_to(const timeline_work *w, int m)
{
  const gscale_timeline *t = w->t;
  const gscale__arc *a = &t->arc[arc_into(w, m)];
  return a->periods * t->slots + t->moment[m].slot - t->moment[a->from].slot;
}

static size_t critical_cycle(const gscale_timeline *t, const double *cost,
                             void *scratch, critical *cycle, size_t room)
{
  timeline_work w;
  size_t n = 0;

  if (!find_period(&w, t, cost, scratch)) return 0;
  choose_cycle(&w);
  const int moments = list_moments(&w);
  int start = 0; /* where an action's moments end, if more than one is there */
  while (start + 1 < moments &&
         same_action(t, w.path[start], w.path[(start + moments - 1) % moments]))
    start++;
  int steps = 0;
  for (int i = moments - 1; i >= 0; i--) { /* from the earliest */
    const int m = w.path[(start + i) % moments];
    const int next = w.path[(start + i + moments - 1) % moments];
    steps += steps_to(&w, m);
    if (i > 0 && same_action(t, m, next)) continue;
    if (n < room)
      cycle[n] = (critical){(size_t)t->moment[m].action, t->moment[m].slot == 1,
                            t->moment[m].device, steps};
    n++;
    steps = 0;
  }
  return n;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
