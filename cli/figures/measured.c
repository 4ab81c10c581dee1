/* measured.c - reads measured runs of the question's program for figures. */

#include "figures/drawn.h"
#include "validate/study.h"

#include <stdlib.h>
#include <string.h>

static const char *knob_in_force(const about *a, const char *name)
{
  for (size_t i = 0; i < a->knobs; i++)
    if (strcmp(a->knob[i].name, name) == 0) return a->knob[i].value;
  return "";
}

/* Returns true if the run has the same knobs, including defaults. A measured t1
 * does not count as a knob. */
static bool same_program(const options *o, const question *q, const run *r)
{
  settings set = run_settings(r);
  gscale_workload *w = NULL;
  about a;
  failure ignored;

  if (strcmp(r->workload, q->about_workload.name) != 0 ||
      load_workload(o->argument[o->arguments - 1], &set, &w, &a, &ignored) !=
          EXIT_OK)
    return false;
  gscale_workload_free(w);
  for (size_t i = 0; i < a.knobs; i++)
    if (strcmp(a.knob[i].name, "t1") != 0 &&
        strcmp(a.knob[i].value,
               knob_in_force(&q->about_workload, a.knob[i].name)) != 0)
      return false;
  return true;
}

/* Finds the reference of measured speedups. The reference is the infinite run
 * on one GPU or, if that run is missing, the fastest run on one GPU. */
static const run *find_single(const measured_runs *m, const run *of)
{
  const run *single = runs_single(m->runs, m->n, of);

  for (size_t i = 0; !single && i < m->n; i++)
    if (m->shown[i] && m->runs[i].gpus == 1) single = &m->runs[i];
  for (size_t i = 0; single && i < m->n; i++)
    if (m->shown[i] && m->runs[i].gpus == 1 &&
        single->paradigm != gscale_paradigm_find("infinite") &&
        m->runs[i].time < single->time)
      single = &m->runs[i];
  return single;
}

static int choose_runs(measured_runs *m, const options *o, const question *q,
                       failure *why)
{
  const run *one = NULL;

  m->shown = calloc(m->n, sizeof *m->shown);
  if (!m->shown) return no_memory(why);
  for (size_t i = 0; i < m->n; i++) {
    m->shown[i] =
        one ? runs_alike(one, &m->runs[i]) : same_program(o, q, &m->runs[i]);
    if (m->shown[i]) one = &m->runs[i];
  }
  if (!one)
    return fail(why, EXIT_DATA, "%.200s: no runs of %s with these knobs",
                o->runs, q->about_workload.name);
  m->single = find_single(m, one);
  if (!m->single)
    return fail(why, EXIT_DATA, "%.200s: no run of %s on 1 GPU to compare with",
                o->runs, q->about_workload.name);
  for (size_t i = 0; i < m->n; i++)
    m->shown[i] = m->shown[i] && runs_is_best(m->runs, m->n, i);
  return EXIT_OK;
}

int measured_read(measured_runs *m, options *o, question *q, failure *why)
{
  int st = runs_read(o->runs, &m->runs, &m->n, NULL, &m->names, why);

  if (st == EXIT_OK) st = choose_runs(m, o, q, why);
  if (st != EXIT_OK || settings_take(&o->set, "t1")) return st;
  far_add_single(&m->far, q->system, q->workload, m->single);
  return study_give_single(&(study){.system = q->system}, m->single,
                           q->workload, why);
}

void measured_note_far(measured_runs *m, const question *q, const answer *a)
{
  for (size_t k = 0; k < m->n; k++)
    for (size_t i = 0; m->shown[k] && i < q->paradigms; i++)
      for (size_t j = 0; j < q->n; j++)
        if (&m->runs[k] != m->single && q->paradigm[i] == m->runs[k].paradigm &&
            q->gpus[j] == m->runs[k].gpus && a[i * q->n + j].met)
          far_add(&m->far, &m->runs[k], a[i * q->n + j].p.time);
  far_note(&m->far);
}

measured *measured_list(const measured_runs *m, size_t *n, failure *why)
{
  measured *out = malloc((m->n + 1) * sizeof *out);

  *n = 0;
  if (!out) no_memory(why);
  for (size_t i = 0; out && i < m->n; i++) {
    const run *r = &m->runs[i];
    const double speedup = m->shown[i] ? m->single->time / r->time : 0.0;

    if (!m->shown[i]) continue;
    out[(*n)++] = (measured){r->gpus, r->paradigm, r->k.between, speedup,
                             speedup * r->sigma / r->time};
  }
  return out;
}

void measured_free(measured_runs *m)
{
  free(m->shown);
  free(m->runs);
  lexicon_free(&m->names);
  *m = (measured_runs){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
