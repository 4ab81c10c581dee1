/* terms.c - the terms of a step's time, with the numbers of one answer. */

#include "ground/ground.h"
#include "predict/step.h"

#include <string.h>

static const char *const slots[GSCALE__SLOTS] = {
    [GSCALE__KERNELS] = "kernels",
    [GSCALE__LAST_KERNEL] = "last kernel",
    [GSCALE__LAUNCHES] = "further launches",
    [GSCALE__BOUNDARY] = "boundary kernel",
    [GSCALE__AGENT] = "agent",
    [GSCALE__COPIES] = "copies but the last",
    [GSCALE__LAST_COPY] = "last copy",
    [GSCALE__COPY_CALLS] = "further copy calls",
    [GSCALE__COLLECTIVE] = "collective",
    [GSCALE__MORE_CALLS] = "calls of the paradigm",
    [GSCALE__OWN_CALLS] = "calls of the program",
    [GSCALE__CLEAR] = "norm cleared",
    [GSCALE__NORM] = "norm kernel",
    [GSCALE__FETCH] = "norm fetched",
    [GSCALE__BARRIER] = "barrier",
    [GSCALE__BARRIER_LATE] = "barrier after waits",
    [GSCALE__MESSAGES] = "messages",
    [GSCALE__POSTS] = "posts of messages",
    [GSCALE__STAGES] = "staging",
    [GSCALE__MEETING] = "nodes meet",
    [GSCALE__FIXED] = "host work",
};
static const char *const costs[GSCALE_COST_END - GSCALE_COST_BARRIER] = {
    "barrier of two",   "barrier, each more", "straggler",
    "wake-up",          "kernel to kernel",   "kernel to copy",
    "copy to kernel",   "copy to copy",       "event on a GPU",
    "event of another", "event, both end",    "kernel seen by host",
    "copy seen by host"};

static void put(gscale_term *t, const char *name, double value)
{
  const size_t n = strlen(t->text);
  char time[48];

  if (!(value > 0.0)) return;
  gscale_format_quantity(value, GSCALE_TIME, time, sizeof time);
  gscale__print(t->text + n, sizeof t->text - n, "%s%s %s",
                n == 0                  ? ""
                : t->text[n - 1] == ':' ? " "
                                        : " + ",
                name, time);
}

/* Kernels that move no data take the time of their roofline. */
static void put_flow(gscale_term *t, const gscale__phase_plan *f,
                     const gscale_flow *l)
{
  if (l->wire + l->issue > 0.0) {
    gscale__print(t->text, sizeof t->text, "flow:");
    put(t, "kernels", l->compute + l->tracking + l->waiting + l->slowdown);
    put(t, "start", l->start);
    put(t, "wire", l->wire);
    put(t, "issue", l->issue);
    put(t, "latency", l->latency);
    return;
  }
  put(t, f->memory_leg > f->flop_leg ? "bytes / membw" : "flop / flops",
      gscale__roofline(f));
  put(t, "start", l->compute - gscale__roofline(f));
}

static void put_duration(gscale_term *t, const gscale__duration *d)
{
  put(t, "compute", d->compute);
  put(t, "host", d->host);
  put(t, "sync", d->sync);
  put(t, "issue", d->issue);
  put(t, "initiation", d->initiation);
  put(t, "wire", d->wire);
  put(t, "latency", d->latency);
}

static void name_cost(gscale_term *t, int c)
{
  const bool contended = c >= GSCALE_COST_CROWD;
  const int kind = c - (contended ? GSCALE_COST_CROWD : GSCALE_COST_ISSUE);

  if (c >= GSCALE_COST_BARRIER)
    gscale__print(t->name, sizeof t->name, "%s",
                  costs[c - GSCALE_COST_BARRIER]);
  else
    gscale__print(t->name, sizeof t->name, "%s%s",
                  gscale_action_name((gscale_action_kind)kind),
                  contended ? ", contention" : "");
}

void gscale__add_term(gscale__terms *to, const gscale_plan *p, size_t phase,
                      const gscale__stage *l, int cost, double times,
                      double each)
{
  gscale_term *t = &to->term[to->n];
  gscale__duration d = {0};

  if (to->n == to->most || !(times * each > 0.0)) return;
  *t = (gscale_term){.phase = phase, .times = times, .each = each};
  if (cost < GSCALE_COST_END) {
    name_cost(t, cost);
  } else {
    const int s = cost - GSCALE_COST_END;
    gscale__print(t->name, sizeof t->name, "%s", slots[s]);
    gscale__slot_parts(p, phase, l, s, &d);
    if (s == GSCALE__KERNELS) put_flow(t, &p->phase[phase], &l->flow);
    put_duration(t, &d);
  }
  to->n++;
}

void gscale__add_work_term(gscale__terms *to, size_t phase,
                           gscale_action_kind kind, const gscale__duration *d,
                           double times, double each)
{
  gscale_term *t = &to->term[to->n];

  if (to->n == to->most || !(times * each > 0.0)) return;
  *t = (gscale_term){.phase = phase, .times = times, .each = each};
  gscale__print(t->name, sizeof t->name, "%s", gscale_action_name(kind));
  put_duration(t, d);
  to->n++;
}

size_t gscale_predict_terms(const gscale_plan *p, size_t paradigm,
                            const gscale_prediction *r, gscale_term *out,
                            size_t most)
{
  gscale__stage l[GSCALE__PHASES_MAX];
  gscale__terms terms = {out, 0, most};

  gscale__prepare(p, gscale__paradigm_at(paradigm), &r->knobs, l);
  gscale__step_terms(p, gscale__paradigm_row(paradigm, &r->knobs), l, &terms);
  return terms.n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
