/* facts.c - collects all facts about one prediction in one list. */

#include "say/reason.h"

#include <math.h>
#include <stdio.h>

static void add_fact(facts *k, fact f)
{
  if (k->n < FACTS_MAX) k->v[k->n++] = f;
}

static void add_text(facts *k, const char *group, const char *name,
                     const char *text, const char *note)
{
  add_fact(k, (fact){.group = group,
                     .name = name,
                     .value = NAN,
                     .err = NAN,
                     .share = NAN,
                     .text = text,
                     .note = note});
}

/* Adds a number, and its share of `whole` if `whole` is positive. */
static void add_number(facts *k, const char *group, const char *name,
                       double value, gscale_dim dim, double whole,
                       const char *note)
{
  add_fact(k, (fact){.group = group,
                     .name = name,
                     .value = value,
                     .err = NAN,
                     .dim = dim,
                     .share = whole > 0.0 ? value / whole : NAN,
                     .note = note});
}

/* Adds the paradigm's rank and ties if several paradigms were requested, and a
 * note if nobody measured the paradigm. */
static void add_standing(facts *k, const reason *r)
{
  const question *q = &r->q;
  const bool timed = gscale_pair_measured(q->paradigm[r->chosen], &r->p.knobs);

  if (q->gpus[0] == 1 || (q->paradigms == 1 && timed)) return;
  add_text(k, "question", "standing",
           q->paradigms == 1 ? "unmeasured" : r->among.place,
           q->paradigms == 1 ? "no program with this paradigm was measured"
                             : "among the paradigms");
  if (*r->among.also)
    add_text(k, "question", "also", r->among.also, "as good, and less plain");
}

static void add_question(facts *k, const reason *r)
{
  const question *q = &r->q;

  add_text(k, "question", "workload", gscale_workload_about(q->workload).name,
           NULL);
  add_text(k, "question", "system", q->name, NULL);
  add_number(k, "question", "gpus", q->gpus[0], GSCALE_COUNT, 0.0, NULL);
  add_text(k, "question", "paradigm", question_paradigm(q, r->chosen), NULL);
  add_text(k, "question", "settings", question_settings(q, q->gpus[0]), NULL);
  if (*r->given) add_text(k, "question", "given", r->given, "by weights of");
  add_standing(k, r);
}

/* Notes why the error was widened, such as ", x2.41 for machine, gpus; and 38%
 * of the transfer for nodes". */
static void note_widened(facts *k, const gscale_widened *w)
{
  const struct {
    const char *name;
    double term;
  } all[] = {{"machine", w->machine}, {"gpus", w->growth}};
  const bool wide = w->factor > 1.005;
  size_t n = 0;

  if (wide) gscale_append(k->note, sizeof k->note, ", x%.2f for", w->factor);
  for (size_t i = 0; wide && i < LENGTH(all); i++)
    if (all[i].term > 0.0)
      gscale_append(k->note, sizeof k->note, "%s %s", n++ ? "," : "",
                    all[i].name);
  if (w->nodes > 0.0)
    gscale_append(k->note, sizeof k->note,
                  "; and %.0f%% of the transfer for nodes", 100.0 * w->nodes);
  if (w->program > 0.0)
    gscale_append(k->note, sizeof k->note,
                  "; and %.0f%% of the step for a program on a machine that "
                  "nobody measured",
                  100.0 * w->program);
}

/* Notes the largest part of the error that comes from the model. */
static void note_model(facts *k, const reason *r)
{
  const bool known = error_is_known(r->q.system);

  if (!known)
    snprintf(k->note, sizeof k->note, "not known: no run is off from it");
  else if (r->q.gpus[0] == 1)
    snprintf(k->note, sizeof k->note, "the model's own is for more GPUs");
  else if (r->e.of_model > 0.0)
    snprintf(k->note, sizeof k->note, "most of it %s", error_words(&r->e));
  else
    snprintf(k->note, sizeof k->note, "the model's own is no more than that");
  if (known && r->e.of_model > 0.0 && r->q.gpus[0] > 1)
    note_widened(k, &r->e.widened);
}

/* Adds the causes of the error on several nodes. */
static void add_causes(facts *k, const reason *r)
{
  const int n = r->q.gpus[0];
  double by[CAUSES];

  if (n <= gscale_system_about(r->q.system).node) return;
  error_causes(r->f.u, &r->e, &r->p, by);
  for (int c = 0; c < CAUSES; c++)
    add_number(k, "causes", error_cause_name((error_cause)c), by[c],
               GSCALE_TIME, r->p.time, NULL);
}

static void add_prediction(facts *k, const reason *r)
{
  const gscale_prediction *p = &r->p;
  const double of_model = error_is_known(r->q.system) ? r->e.of_model : NAN;

  note_model(k, r);
  add_fact(k, (fact){.group = "prediction",
                     .name = "time",
                     .value = p->time,
                     .err = r->e.time,
                     .dim = GSCALE_TIME,
                     .share = r->e.time / p->time,
                     .note = "share: of the error"});
  add_number(k, "prediction", "error_of_system", r->e.of_system, GSCALE_TIME,
             p->time, NULL);
  add_number(k, "prediction", "error_of_workload", r->e.of_workload,
             GSCALE_TIME, p->time, NULL);
  add_number(k, "prediction", "error_of_model", of_model, GSCALE_TIME, p->time,
             k->note);
  add_causes(k, r);
  add_number(k, "prediction", "setup", p->setup, GSCALE_TIME, 0.0, NULL);
  add_number(k, "prediction", "speedup", p->speedup, GSCALE_COUNT, 0.0, NULL);
  add_number(k, "prediction", "efficiency", p->efficiency, GSCALE_COUNT, 0.0,
             NULL);
  add_number(k, "prediction", "fraction_of_ideal", p->opportunity, GSCALE_COUNT,
             0.0, NULL);
  add_text(k, "prediction", "bound",
           gscale_name(GSCALE_MECHANISM_NAMES, p->bound),
           mechanism_words(p->bound));
  add_text(k, "prediction", "applicability",
           gscale_name(GSCALE_APPLICABILITY_NAMES, r->e.applicability),
           r->e.reason);
}

/* Adds quantiles of draws if a standard error is a poor summary. */
static void add_draws(facts *k, const reason *r)
{
  static const char *const names[] = {"low", "median", "high"};

  if (!r->e.nonlinear) return;
  for (size_t i = 0; i < LENGTH(names); i++)
    add_number(k, "draws", names[i], r->quantile[i], GSCALE_TIME, 0.0, NULL);
  add_number(k, "draws", "sigma", r->sigma, GSCALE_TIME, 0.0, NULL);
}

static void add_lost(facts *k, const reason *r)
{
  if (r->q.gpus[0] == 1) return;
  for (int i = 0; i < GSCALE_LOST_END; i++)
    add_number(k, "lost", loss_name((gscale_loss)i), r->lost.of[i], GSCALE_TIME,
               r->p.time, NULL);
  add_number(k, "lost", "gain", r->lost.gain, GSCALE_TIME, r->p.time, NULL);
  add_number(k, "hidden", "hidden", r->lost.hidden, GSCALE_TIME, r->p.time,
             "communication beside other work");
}

static void add_parts(facts *k, const gscale_prediction *p)
{
  const gscale_bytes *b = &p->bytes;

  for (size_t i = 0; i < GSCALE_PART_END; i++)
    add_number(k, "part", part_name((gscale_part)i), p->part[i], GSCALE_TIME,
               p->time, NULL);
  add_number(k, "bytes", "useful", b->useful, GSCALE_BYTES, b->wire, NULL);
  add_number(k, "bytes", "protocol", b->protocol, GSCALE_BYTES, b->wire, NULL);
  add_number(k, "bytes", "redundant", b->redundant, GSCALE_BYTES, b->wire,
             NULL);
  add_number(k, "bytes", "unused", b->unused, GSCALE_BYTES, b->wire, NULL);
  add_number(k, "bytes", "sum", b->wire, GSCALE_BYTES, 0.0, NULL);
}

static void add_paradigm(facts *k, const reason *r)
{
  const gscale_paradigm *p = gscale_paradigm_at(r->q.paradigm[r->chosen]);
  const gscale_knobs *given = &r->q.knobs[r->chosen];

  add_text(k, "paradigm", question_paradigm(&r->q, r->chosen),
           p->proposed ? "proposed" : "exists",
           question_summary(&r->q, r->chosen));
  for (size_t i = 0; i < GSCALE_KNOB_END; i++)
    if (p->uses[i])
      add_number(k, "knob", gscale_knob_at((gscale_knob)i)->name,
                 r->p.knobs.v[i], gscale_knob_at((gscale_knob)i)->dim, 0.0,
                 isnan(given->v[i]) ? "chosen by the model" : "given");
}

/* Adds the algorithm and protocol of each phase's collective. */
static void add_paradigms(facts *k, reason *r)
{
  gscale_plan *plan = NULL;

  if (r->p.moves == 0 ||
      gscale_plan_new(r->q.system, r->q.workload, r->q.gpus[0], &plan, NULL) !=
          GSCALE_OK)
    return;
  for (size_t i = 0; i < r->p.moves; i++) {
    const gscale_move *m = &r->p.move[i];

    print_choice(r->choice[i], sizeof r->choice[i], m);
    say_runner_up(plan, m->phase, &r->p.knobs, r->next[i], sizeof r->next[i]);
    add_text(k, "collective",
             gscale_workload_phase(r->q.workload, m->phase)->name, r->choice[i],
             r->next[i]);
  }
  gscale_plan_free(plan);
}

static void add_descriptions(facts *k, const reason *r)
{
  const about *w = &r->q.about_workload, *s = &r->q.about_system;

  add_text(k, "workload", "file", w->path, w->summary);
  for (size_t i = 0; i < w->knobs; i++)
    add_text(k, "setting", w->knob[i].name, w->knob[i].value, w->knob[i].doc);
  add_text(
      k, "workload", "weakest_number",
      gscale_name(GSCALE_ORIGIN_NAMES, gscale_workload_origin(r->q.workload)),
      NULL);
  add_text(k, "system", "file", s->path, s->summary);
}

void facts_find(facts *k, reason *r)
{
  k->n = 0;
  add_question(k, r);
  add_prediction(k, r);
  add_draws(k, r);
  add_parts(k, &r->p);
  add_lost(k, r);
  add_paradigm(k, r);
  add_paradigms(k, r);
  add_descriptions(k, r);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
