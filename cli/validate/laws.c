/* laws.c - fits scaling laws to measured runs as baselines. */

#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>

const char *rival_name(size_t rival)
{
  static const char *const ours[] = {"ours-scaled", "ours-given", "ours-excess",
                                     "ours-added", "weighted"};

  return rival >= RIVAL_SCALED
             ? ours[rival - RIVAL_SCALED]
             : gscale_name(GSCALE_LAW_NAMES, (gscale_law)rival);
}

bool rival_is_shown(size_t rival)
{
  return rival < GSCALE_CONTENTION || rival == RIVAL_SCALED ||
         rival == RIVAL_GIVEN || rival == RIVAL_WEIGHTED;
}

bool rivals_scores(const study *s, const rivals *r, size_t i)
{
  return s->runs[i].asked || (r->fits > 0 && s->trials[i].role == ROLE_SCORED &&
                              s->runs[i].gpus > r->fit[r->fits - 1]);
}

/* ---- runs --------------------------------------------------------------- */

/* Links related runs, so that no search visits all runs. A series has one file,
 * program, paradigm and setting of knobs. On one GPU knobs do not matter,
 * because nothing moves. */
typedef struct kin {
  size_t *session;          /* next run of the session */
  size_t *curve, *paradigm; /* groups with knobs, and without */
  size_t *of_curve,
      *of_paradigm; /* first given run on several GPUs, and on one GPU */
  size_t *next;     /* next given run of the group */
  size_t *single;   /* infinite run on one GPU, or NO_ROW */
} kin;

static bool is_given(const rivals *r, int gpus)
{
  size_t i = 0;

  while (i < r->fits && r->fit[i] != gpus) i++;
  return i < r->fits;
}

static void link_given(const study *s, const rivals *r, kin *k)
{
  for (size_t i = 0; i < s->n; i++) k->of_curve[i] = k->of_paradigm[i] = NO_ROW;
  for (size_t i = s->n; i-- > 0;) {
    size_t *first = s->runs[i].gpus == 1 ? &k->of_paradigm[k->paradigm[i]]
                                         : &k->of_curve[k->curve[i]];

    if (s->runs[i].asked || !is_given(r, s->runs[i].gpus)) continue;
    k->next[i] = *first;
    *first = i;
  }
}

/* Replaces the first run of each session in `session` by the next run. */
static void link_sessions(const study *s, kin *k)
{
  size_t *next = k->session ? chain_rows(s->n, k->session) : NULL;

  free(k->session);
  k->session = next;
}

static int open_kin(const study *s, const rivals *r, kin *k, failure *why)
{
  const size_t size = s->n * sizeof(size_t);

  *k = (kin){.session = malloc(size),
             .curve = study_curves(s, why),
             .paradigm = group_runs(s->runs, s->n, BY_SESSION | BY_PARADIGM),
             .of_curve = malloc(size),
             .of_paradigm = malloc(size),
             .next = malloc(size),
             .single = study_infinite_singles(s, why)};
  for (size_t i = 0; k->session && i < s->n; i++)
    k->session[i] = s->trials[i].session;
  link_sessions(s, k);
  if (!k->session || !k->curve || !k->paradigm || !k->of_curve ||
      !k->of_paradigm || !k->next || !k->single)
    return no_memory(why);
  link_given(s, r, k);
  return EXIT_OK;
}

static void close_kin(kin *k)
{
  free(k->session);
  free(k->curve);
  free(k->paradigm);
  free(k->of_curve);
  free(k->of_paradigm);
  free(k->next);
  free(k->single);
}

static void add_point(const study *s, size_t i, points *p)
{
  size_t k = p->n++;

  for (; k > 0 && p->gpus[k - 1] > s->runs[i].gpus; k--) {
    p->run[k] = p->run[k - 1];
    p->gpus[k] = p->gpus[k - 1];
    p->time[k] = p->time[k - 1];
  }
  p->run[k] = i;
  p->gpus[k] = s->runs[i].gpus;
  p->time[k] = s->runs[i].time;
}

/* Collects the given runs of the series of run `of`. If the paradigm was not
 * measured on one GPU, the infinite run on one GPU is used. */
static void gather(const study *s, const rivals *r, const kin *k, size_t of,
                   points *p)
{
  size_t one = k->of_paradigm[k->paradigm[of]],
         more = k->of_curve[k->curve[of]];
  const bool has_one = one != NO_ROW;

  p->n = 0;
  while ((one != NO_ROW || more != NO_ROW) && p->n + 1 < GPUS_LISTED) {
    size_t *next = one < more ? &one : &more;

    add_point(s, *next, p);
    *next = k->next[*next];
  }
  if (!has_one && k->single[of] != NO_ROW && is_given(r, 1))
    add_point(s, k->single[of], p);
}

/* Returns no traffic if the paradigm is infinite or if w is NULL. */
static gscale_traffic traffic_at(const study *s, const gscale_workload *w,
                                 size_t of, int gpus)
{
  const bool moves =
      w && s->runs[of].paradigm != gscale_paradigm_find("infinite");

  return moves ? gscale_workload_traffic(w, gpus) : (gscale_traffic){0.0, 0.0};
}

/* ---- fits --------------------------------------------------------------- */

static void give_up(rivals *r, size_t rival, const char *reason)
{
  if (!rival_is_shown(rival)) return;
  if (!*r->reason[rival])
    snprintf(r->reason[rival], sizeof r->reason[rival], "%s", reason);
  r->unfitted[rival]++;
}

/* Fits a law to the points. A failure counts only if `tally` is true. */
static void fit_law(rivals *r, gscale_law l, const points *p, int gpus,
                    gscale_traffic here, bool tally, double *time)
{
  double c[GSCALE_LAW_TERMS];
  gscale_diag diag;

  if (gscale_law_fit(l, p->gpus, p->traffic, p->time, p->n, c, &diag) ==
      GSCALE_OK)
    *time = gscale_law_time(l, c, gpus, here);
  else if (tally)
    give_up(r, l, diag.text);
}

/* Scales the model's prediction by a factor, fitted to the runs on several
 * GPUs. The run on one GPU is already an input of the model. */
static void fit_scaled(const study *s, rivals *r, const points *p, size_t of,
                       double *time)
{
  double predicted[GPUS_LISTED], measured[GPUS_LISTED];
  size_t n = 0;

  for (size_t i = 0; i < p->n; i++) {
    if (p->gpus[i] == 1) continue;
    predicted[n] = s->trials[p->run[i]].time;
    measured[n++] = p->time[i];
  }
  if (n > 0)
    *time = gscale_scale_factor(predicted, measured, n) * s->trials[of].time;
  else
    give_up(r, RIVAL_SCALED, "ours-scaled: needs a run on more than one GPU");
}

static bool is_asked(const study *s, const rivals *r, size_t i)
{
  return rivals_scores(s, r, i);
}

/* Predicts a step on `gpus` GPUs from the points by each law and the model. */
static void answer(rivals *r, const gscale_workload *w, const points *p,
                   int gpus, gscale_traffic here, double bare, bool tally,
                   double *time)
{
  for (gscale_law l = 0; l < GSCALE_LAW_END; l++)
    if (w || l != GSCALE_MESSAGES)
      fit_law(r, l, p, gpus, here, tally, &time[l]);
  if (p->n > 1 && p->gpus[p->n - 1] > p->gpus[0] && !isnan(bare))
    rivals_carry(r, p, gpus, bare, time);
}

/* Predicts the last N of the points from the other points. A law needs two
 * other N, and the model one on several GPUs. Returns false otherwise. */
static bool look_back(rivals *r, const gscale_workload *w, points *p,
                      double *seen)
{
  const size_t n = p->n, last = n - 1;
  size_t k = n;

  while (k > 0 && p->gpus[k - 1] == p->gpus[last]) k--;
  if (k == 0 || p->gpus[k - 1] == 1) return false;
  for (size_t l = 0; l < RIVALS; l++) seen[l] = NAN;
  p->n = k;
  answer(r, w, p, p->gpus[last], p->traffic[last], r->bare[p->run[last]], false,
         seen);
  if (isnan(seen[GSCALE_CONTENTION]))
    rivals_carry(r, p, p->gpus[last], r->bare[p->run[last]], seen);
  p->n = n;
  if (isnan(seen[GSCALE_USL])) seen[GSCALE_USL] = seen[GSCALE_CONTENTION];
  return true;
}

static void fit_all(const study *s, rivals *r, const kin *of,
                    const gscale_workload *w, size_t i, points *p)
{
  const int gpus = s->runs[i].gpus;
  double seen[RIVALS], ran[RIVALS];

  gather(s, r, of, i, p);
  for (size_t k = 0; k < p->n; k++)
    p->traffic[k] = traffic_at(s, w, i, p->gpus[k]);
  answer(r, w, p, gpus, traffic_at(s, w, i, gpus), r->bare[i], true,
         r->time[i]);
  if (w) fit_scaled(s, r, p, i, &r->time[i][RIVAL_SCALED]);
  if (!s->system && !s->bare) return;
  for (size_t l = 0; l < RIVALS; l++) ran[l] = NAN;
  if (p->n > 0)
    answer(r, w, p, p->gpus[p->n - 1], p->traffic[p->n - 1], NAN, false, ran);
  rivals_mix(r, i, p, gpus, ran,
             p->n > 1 && look_back(r, w, p, seen) ? seen : NULL);
}

/* Fits all runs in the session of runs[first]. */
static int fit_session(const study *s, rivals *r, const kin *of, size_t first,
                       points *p, failure *why)
{
  gscale_workload *w = NULL;
  const int st = s->bare ? EXIT_OK : study_load(s, &s->runs[first], &w, why);

  if (st != EXIT_OK) return st;
  for (size_t i = first; i != NO_ROW; i = of->session[i])
    if (is_asked(s, r, i)) fit_all(s, r, of, w, i, p);
  gscale_workload_free(w);
  return EXIT_OK;
}

static int fit_sessions(const study *s, rivals *r, failure *why)
{
  points *p = malloc(sizeof *p);
  kin of;
  int st = open_kin(s, r, &of, why);

  if (st == EXIT_OK && !p) st = no_memory(why);
  for (size_t i = 0; st == EXIT_OK && i < s->n; i++)
    if (s->trials[i].session == i) st = fit_session(s, r, &of, i, p, why);
  close_kin(&of);
  free(p);
  return st;
}

static int open_rivals(const study *s, rivals *out, failure *why)
{
  *out = (rivals){.learned = out->learned,
                  .wants_next = out->wants_next,
                  .fit = malloc(GPUS_LISTED * sizeof *out->fit),
                  .time = malloc(s->n * sizeof *out->time),
                  .bare = malloc(s->n * sizeof *out->bare),
                  .err = malloc(s->n * sizeof *out->err),
                  .weighted = malloc(s->n * sizeof *out->weighted),
                  .weight = calloc(s->n, sizeof *out->weight)};

  if (!out->fit || !out->time || !out->bare || !out->err || !out->weighted ||
      !out->weight)
    return no_memory(why);
  for (size_t i = 0; i < s->n; i++) {
    out->bare[i] = out->err[i] = out->weighted[i] = NAN;
    for (size_t k = 0; k < RIVALS; k++) out->time[i][k] = NAN;
  }
  return EXIT_OK;
}

int rivals_new(const study *s, const char *list, rivals *out, failure *why)
{
  int st = open_rivals(s, out, why);

  if (st == EXIT_OK && *list)
    st = parse_gpus("--baselines", list, out->fit, &out->fits, why);
  if (st == EXIT_OK) st = rivals_model(s, out, why);
  if (st == EXIT_OK) st = fit_sessions(s, out, why);
  return st == EXIT_OK ? rivals_finish(s, out, why) : st;
}

void rivals_free(rivals *r)
{
  free(r->fit);
  free(r->time);
  free(r->bare);
  free(r->err);
  free(r->weighted);
  free(r->weight);
  *r = (rivals){0};
}

/* ---- scores ------------------------------------------------------------- */

typedef struct rival_fit {
  const rivals *r;
  size_t rival;
} rival_fit;

static bool has_time(const void *closure, size_t i)
{
  const rival_fit *a = closure;

  return !isnan(a->r->time[i][a->rival]);
}

int rivals_score(const study *s, const rivals *r, size_t rival,
                 gscale_score *theirs, gscale_score *ours, failure *why)
{
  const rival_fit a = {r, rival};
  const choice c = {has_time, &a, 0, NULL};
  series v;
  gscale_diag diag;
  gscale_status st = GSCALE_OK;
  size_t n = 0;

  *theirs = *ours = (gscale_score){0};
  if (!rival_is_shown(rival)) return EXIT_OK;
  if (study_score(s, &c, false, ours, why) != EXIT_OK ||
      study_series(s, &c, false, &v, why) != EXIT_OK)
    return why->status;
  for (size_t i = 0; i < s->n; i++)
    if (has_time(&a, i)) v.predicted[n++] = r->time[i][rival];
  if (n > 0)
    st = gscale_score_rows(v.predicted, NULL, v.measured, NULL, n,
                           gscale_residuals_none.tail, theirs, &diag);
  free(v.predicted);
  return check_gscale(why, st, &diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
