/* findings.c - corrects the predictions of every verb by measured runs.
 *
 * For each paradigm and N, extrapolate.c predicts a step and its error, given
 * the runs. The model's numbers are fitted to the runs before. The ratio of the
 * step to the model scales all parts of every later prediction. */

#include "say/findings.h"
#include "say/extrapolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct finding {
  size_t step; /* index; NO_STEP: not requested */
  double off;  /* ln(time given runs / model) */
  double err;  /* standard error of `off`; NaN: unknown */
} finding;

static const size_t NO_STEP = SIZE_MAX;

struct findings {
  ahead a;
  run first;     /* first run of the program */
  settings own;  /* settings of -P without a dot */
  settings more; /* settings of -P with a dot in the name */
  bool t1;       /* t1 was given */
  size_t n;
  int *gpus;
  gscale_knobs knobs[PARADIGMS_MAX]; /* of each paradigm's steps */
  finding *of;                       /* finding i on N j: i * n + j */
  double together; /* correlation of `off`, < 1 on another link */
};

/* ---- the runs ----------------------------------------------------------- */

/* Keeps those settings of *common that run r also has. */
static void keep_common(settings *common, const run *r)
{
  const settings own = run_settings(r);
  size_t kept = 0;

  for (size_t i = 0; i < common->n; i++) {
    const struct setting *same = settings_find(&own, common->v[i].name);

    if (same && settings_same(same->value, common->v[i].value))
      common->v[kept++] = common->v[i];
  }
  common->n = kept;
}

/* Returns the i-th run. Runs on this system precede runs on other systems. */
static const run *run_at(const findings *f, size_t i)
{
  return i < f->a.made ? &f->a.s.runs[i] : &f->a.others.run[i - f->a.made];
}

/* Finds the knobs that all runs of the program share. Sets f->first. */
static int agree(findings *f, settings *common, failure *why)
{
  const char *last = NULL;
  bool any = false;

  for (size_t i = 0; i < f->a.made + f->a.others.n; i++) {
    const run *r = run_at(f, i);

    if (r->workload != f->a.program) continue;
    if (!any) *common = run_settings(r);
    if (!any) f->first = *r;
    if (any && r->program != last) keep_common(common, r);
    any = true;
    last = r->program;
  }
  if (any) return EXIT_OK;
  return fail(why, EXIT_DATA, "%.200s: no run of %s", f->a.files, f->a.program);
}

static int add_settings(options *o, const settings *common, failure *why)
{
  char text[256];
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < common->n; i++) {
    if (settings_find(&o->set, common->v[i].name)) continue;
    snprintf(text, sizeof text, "%s=%s", common->v[i].name, common->v[i].value);
    st = settings_add(&o->set, text, why);
  }
  return st;
}

int findings_open(findings **out, options *o, failure *why)
{
  findings *f = calloc(1, sizeof *f);
  settings common = {0};
  int st = f ? EXIT_OK : no_memory(why);

  *out = f;
  if (st != EXIT_OK) return st;
  f->together = 1.0;
  f->a.program = o->argument[o->arguments - 1];
  if (!o->system)
    return fail(why, EXIT_USAGE, "%s: --runs needs --system SYSTEM", o->verb);
  st = ahead_read(&f->a, o, why);
  if (st == EXIT_OK) st = agree(f, &common, why);
  return st == EXIT_OK ? add_settings(o, &common, why) : st;
}

/* Returns true for a knob of a paradigm, such as "memcpy-async.chunk". */
static bool is_of_paradigm(const char *name)
{
  const size_t length = strcspn(name, ".");

  for (size_t i = 0; name[length] && i < gscale_paradigm_count(); i++) {
    const char *paradigm = gscale_paradigm_at(i)->name;
    if (strlen(paradigm) == length && strncmp(paradigm, name, length) == 0)
      return true;
  }
  return false;
}

void findings_keep(findings *f, const settings *set)
{
  for (size_t i = 0; i < set->n; i++) {
    const struct setting *v = &set->v[i];

    const bool t1 = strcmp(v->name, "t1") == 0;

    f->t1 = f->t1 || t1;
    if (v->used || is_of_paradigm(v->name)) continue;
    if (t1 || strchr(v->name, '.'))
      f->more.v[f->more.n++] = *v;
    else
      f->own.v[f->own.n++] = *v;
  }
}

/* ---- the steps ----------------------------------------------------------- */

/* Returns true if a run has the same program with the same knobs. */
static bool is_same_program(const findings *f, const question *q, const run *r)
{
  settings set = run_settings(r);
  gscale_workload *w = NULL;
  failure ignored;
  about a;
  bool same = true;

  if (load_workload(f->a.program, &set, &w, &a, &ignored) != EXIT_OK)
    return false;
  gscale_workload_free(w);
  for (size_t i = 0; i < a.knobs; i++) {
    const about *own = &q->about_workload;
    size_t k = 0;

    while (k < own->knobs && strcmp(own->knob[k].name, a.knob[i].name) != 0)
      k++;
    same =
        same &&
        (strcmp(a.knob[i].name, "t1") == 0 ||
         (k < own->knobs && strcmp(a.knob[i].value, own->knob[k].value) == 0));
  }
  return same;
}

/* Finds a run of the question's program. Returns NULL if there is none. */
static const run *same_as_asked(const findings *f, const question *q)
{
  const char *last = NULL;

  for (size_t i = 0; !q->weak && i < f->a.made; i++) {
    const run *r = &f->a.s.runs[i];

    if (r->program == last || r->workload != f->a.program) continue;
    last = r->program;
    if (is_same_program(f, q, r)) return r;
  }
  return NULL;
}

static bool fits(const gscale_knobs *asked, const gscale_knobs *k)
{
  for (size_t i = 0; i < GSCALE_KNOB_END; i++)
    if (!isnan(asked->v[i]) && !(fabs(asked->v[i] - k->v[i]) <= 0.0))
      return false;
  return asked->between == 0 || asked->between == k->between;
}

/* Returns the run of the paradigm on the most GPUs. If there are several, the
 * fastest is returned. The result is NULL if there is none. */
static const run *series_of(const findings *f, const question *q, size_t i,
                            const run *like)
{
  const run *best = NULL;

  for (size_t k = 0; like && k < f->a.made; k++) {
    const run *r = &f->a.s.runs[k];

    if (r->gpus == 1 || r->program != like->program ||
        r->paradigm != q->paradigm[i] || !fits(&q->knobs[i], &r->k))
      continue;
    if (!best || r->gpus > best->gpus ||
        (r->gpus == best->gpus && r->time < best->time))
      best = r;
  }
  return best;
}

/* Makes a run of the program on n GPUs, for a paradigm without runs. */
static int row_of(findings *f, const question *q, int n, const run *like,
                  run *out, failure *why)
{
  const char *size = q->weak && q->weak[n].workload ? q->weak[n].size : "";
  const size_t name = strcspn(size, "=");
  const settings own = like ? run_settings(like) : f->own;
  settings kept = {0};
  char text[SETTINGS_TEXT];

  for (size_t k = 0; k < own.n; k++)
    if (!*size || strncmp(own.v[k].name, size, name) != 0 ||
        own.v[k].name[name])
      kept.v[kept.n++] = own.v[k];
  print_settings(text, sizeof text, &kept);
  if (*size) gscale_append(text, sizeof text, "%s%s", *text ? ";" : "", size);
  const int st = run_make(&f->a.s.names, f->first.workload, 0, text, out, why);
  out->path = like ? like->path : f->first.path;
  return st;
}

/* Returns true if the model can predict the i-th paradigm. */
static bool can_say(const question *q, const gscale_plan *plan, size_t i)
{
  gscale_prediction p;

  return gscale_pair_needs(plan, q->paradigm[i], q->between[i], NULL) ==
             GSCALE_OK &&
         gscale_predict(plan, q->paradigm[i], &q->knobs[i], &p, NULL) ==
             GSCALE_OK;
}

/* Requests a step on the j-th N for each paradigm that can be predicted. */
static int ask_at(findings *f, const question *q, size_t j, const run *like,
                  failure *why)
{
  const int n = q->gpus[j];
  gscale_plan *plan = NULL;
  run row;
  const int st = row_of(f, q, n, like, &row, why);

  if (st != EXIT_OK) return st;
  if (gscale_plan_new(q->system, question_workload(q, n), n, &plan, NULL) !=
      GSCALE_OK)
    return EXIT_OK;
  for (size_t i = 0; i < q->paradigms; i++) {
    const run *one = series_of(f, q, i, like);
    run *to = &f->a.s.runs[f->a.s.n];

    if (!can_say(q, plan, i) || (f->t1 && n == 1)) continue;
    *to = one ? *one : row;
    if (!one) to->paradigm = q->paradigm[i];
    if (!one) to->k = q->knobs[i];
    to->gpus = n;
    to->asked = true;
    f->knobs[i] = to->k;
    f->of[i * f->n + j].step = f->a.s.n++;
  }
  gscale_plan_free(plan);
  return EXIT_OK;
}

/* If -P gives t1, drops runs of other sizes and runs on one GPU. */
static const run *keep_like(findings *f, const run *like)
{
  const char *program = like ? like->program : NULL;
  size_t kept = 0;

  if (!f->t1) return like;
  for (size_t i = 0; i < f->a.made; i++)
    if (f->a.s.runs[i].program == program && f->a.s.runs[i].gpus > 1)
      f->a.s.runs[kept++] = f->a.s.runs[i];
  f->a.made = f->a.s.n = kept;
  f->a.s.no_single = true;
  return kept > 0 ? &f->a.s.runs[0] : NULL;
}

static int ask_all(findings *f, const question *q, failure *why)
{
  int st = EXIT_OK;

  f->n = q->n;
  f->gpus = malloc(q->n * sizeof *f->gpus);
  f->of = malloc(q->paradigms * q->n * sizeof *f->of);
  if (!f->gpus || !f->of) return no_memory(why);
  if (!ahead_room(&f->a, q->paradigms * q->n, why)) return why->status;
  memcpy(f->gpus, q->gpus, q->n * sizeof *f->gpus);
  for (size_t k = 0; k < q->paradigms * q->n; k++)
    f->of[k] = (finding){NO_STEP, 0.0, NAN};
  const run *like = keep_like(f, same_as_asked(f, q));

  if (f->t1 && !like) return EXIT_OK;
  for (size_t j = 0; st == EXIT_OK && j < q->n; j++)
    st = ask_at(f, q, j, like, why);
  if (!like && !q->weak && f->a.made > 0)
    ahead_note("no run of %s with these knobs; those with others are given",
               f->a.program);
  return st;
}

/* ---- given runs --------------------------------------------------------- */

/* Sets the single-GPU time of the program to the measured time. */
static int give_single(findings *f, question *q, failure *why)
{
  const run **single = study_singles(&f->a.s, why);
  const run *found = NULL;

  if (!single) return why->status;
  for (size_t k = f->a.made; k < f->a.s.n && !found; k++) found = single[k];
  free(single);
  return found && !q->weak && !f->t1
             ? study_give_single(&f->a.s, found, q->workload, why)
             : EXIT_OK;
}

/* Stores the ratio of each step to the model. */
static int compare(findings *f, const question *q, size_t j, failure *why)
{
  const int n = q->gpus[j];
  gscale_plan *plan = NULL;
  gscale_diag diag;
  const gscale_status made =
      gscale_plan_new(q->system, question_workload(q, n), n, &plan, &diag);

  if (made != GSCALE_OK && made != GSCALE_ESIZE)
    return fail_gscale(why, made, &diag);
  for (size_t i = 0; made == GSCALE_OK && i < q->paradigms; i++) {
    finding *to = &f->of[i * f->n + j];
    gscale_prediction p;

    if (to->step == NO_STEP) continue;
    const double time = f->a.r.time[to->step][RIVAL_WEIGHTED];
    if (isnan(time) || gscale_predict(plan, q->paradigm[i], &f->knobs[i], &p,
                                      NULL) != GSCALE_OK)
      continue;
    to->off = log(time / p.time);
    to->err = f->a.r.weighted[to->step];
  }
  gscale_plan_free(plan);
  return EXIT_OK;
}

int findings_take(findings *f, question *q, failure *why)
{
  const run *row;
  int st;

  f->a.s.system = q->system;
  f->a.s.set = &f->more;
  if (ahead_has_row(&f->a, &row)) {
    ahead_note("%s was fitted to these runs; they are not given again",
               q->name);
    f->a.s.system = NULL;
    return EXIT_OK;
  }
  st = ask_all(f, q, why);
  if (st == EXIT_OK && f->a.made + f->a.others.n > 0)
    st = ahead_answer(&f->a, q->system, why);
  const bool answered = st == EXIT_OK && f->a.made + f->a.others.n > 0;
  if (answered) ahead_note_misfits(&f->a);
  if (answered) ahead_note_next(&f->a);
  if (answered) st = give_single(f, q, why);
  for (size_t j = 0; answered && st == EXIT_OK && j < q->n; j++)
    st = compare(f, q, j, why);
  f->a.s.system = NULL; /* owned by the question */
  return st;
}

void findings_swap(findings *f, const question *q)
{
  const gscale_residuals *r = gscale_system_about(q->system).residuals;

  f->together = r->together[GSCALE_RESIDUAL_TRANSFER][GSCALE_RESIDUAL_MACHINE];
}

void findings_free(findings *f)
{
  if (!f) return;
  f->a.s.system = NULL;
  ahead_free(&f->a);
  free(f->gpus);
  free(f->of);
  free(f);
}

/* ---- predictions --------------------------------------------------------- */

static void stretch(gscale_prediction *p, double by)
{
  p->time *= by;
  for (size_t k = 0; k < GSCALE_PART_END; k++) p->part[k] *= by;
  p->speedup /= by;
  p->efficiency /= by;
  p->opportunity = fmin(1.0, p->opportunity / by);
}

/* Scales all errors by one factor, so that predictions remain correlated. */
static void widen(gscale_error *e, double by)
{
  double *const all[] = {&e->time,           &e->of_parameters, &e->of_system,
                         &e->of_workload,    &e->of_known,      &e->of_model,
                         &e->of_collectives, &e->of_rest,       &e->left,
                         &e->of_compute,     &e->of_t1};

  for (size_t k = 0; k < LENGTH(all); k++) *all[k] *= by;
  for (size_t k = 0; k < GSCALE_RESIDUAL_PARTS; k++) e->own[k] *= by;
}

/* Returns the finding of a paradigm on n GPUs, or NULL if there is none. */
static const finding *found_at(const findings *f, size_t i, int n)
{
  size_t j = 0;

  if (!f->of) return NULL;
  while (j < f->n && f->gpus[j] != n) j++;
  return j == f->n || isnan(f->of[i * f->n + j].err) ? NULL
                                                     : &f->of[i * f->n + j];
}

/* Returns the share of a finding that holds by another link: all of what is
 * found of kernels, less of what is found of transfers. */
static double kept(const findings *f, const gscale_prediction *p)
{
  return f->together + (1.0 - f->together) * p->opportunity;
}

void findings_time(const findings *f, size_t i, int n, gscale_prediction *p)
{
  const finding *at = found_at(f, i, n);

  if (!at) return;
  const double single = exp(kept(f, p) * f->a.r.single);
  stretch(p, exp(kept(f, p) * at->off));
  p->speedup *= single;
  p->efficiency *= single;
  p->opportunity = fmin(1.0, p->opportunity * single);
}

void findings_error(const findings *f, size_t i, int n,
                    const gscale_prediction *p, gscale_error *e)
{
  const finding *at = found_at(f, i, n);

  if (!at || !(e->time > 0.0)) return;
  const double own = asinh(e->time / p->time);
  const double holds = kept(f, p), apart = sqrt(1.0 - holds * holds) * own;
  widen(e, p->time * sinh(hypot(holds * at->err, apart)) / e->time);
  e->nonlinear = false; /* draws omit the runs */
}

void findings_say(const findings *f, size_t i, int n, char *text, size_t size)
{
  const finding *at = found_at(f, i, n);

  *text = '\0';
  if (!at) return;
  gscale_append(text, size, "%zu runs: ", f->a.read.n + f->a.others.n);
  print_weights(&f->a.r, at->step, text + strlen(text), size - strlen(text));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
