/* walk.c - one question at one point of a study after the other. */

#include "sweep/gaps.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How often a tape may be of no use before none is made any more. */
enum {
  USELESS_MAX = 4
};

/* Points that differ in no more than parameters are predicted together. */
enum {
  TOGETHER = 64,
  TOGETHER_SIZE = 4 << 20, /* B that their predictions take at most */
  FEW = 4                  /* for which it does not pay */
};

/* What is known of how a workload follows from its knobs. */
typedef struct follow {
  tape *tape;             /* NULL: it is loaded anew for each value */
  gscale_workload *first; /* as it was loaded; the question's follows it */
  size_t useless;         /* tapes that served no point, one after the other */
} follow;

struct walk {
  const options *o;
  question q;    /* as it is at the last point; large */
  options asked; /* as it was loaded; large */
  follow f;
  gscale_joint *joint;
  bool loaded;
  bool astray; /* what the point has is refused: the question is another's */
  size_t axes;
  over v[GSCALE_AXES_MAX];
  double *list[GSCALE_AXES_MAX];
  gscale_design design;
  char gpus[1 << 15]; /* those of its axis, as --gpus has them */
  double x[GSCALE_AXES_MAX];
  gscale_probe *probe[GPUS_MAX + 1];   /* of each N, or NULL; the first: --weak,
                                        * what is compared with */
  gscale_uncertainty *u[GPUS_MAX + 1]; /* of each with --errors, or NULL */
  int last;                            /* of them */
  answer a[PARADIGMS_MAX];
  double ahead[TOGETHER][GSCALE_AXES_MAX]; /* values of the next points */
  gscale_prediction
      *many;   /* of point k by paradigm i on q.gpus[j], if it is
                * predicted so: many[(j * paradigms + i) * room + k],
                * whose time is NaN where it must be asked for */
  size_t room; /* points; 0: none are */
  gaps gaps;
};

/* ---- the question at a point --------------------------------------------- */

static void forget_errors(walk *w, int n)
{
  gscale_uncertainty_free(w->u[n]);
  w->u[n] = NULL;
}

static void forget_probes(walk *w)
{
  for (int n = 0; n <= w->last; n++) {
    forget_errors(w, n);
    gscale_probe_free(w->probe[n]);
    w->probe[n] = NULL;
  }
  w->last = 0;
}

/* The options with what the settings of this point say. */
static int take_options(walk *w, failure *why)
{
  char text[256];
  int st = EXIT_OK;

  w->asked = *w->o;
  if (*w->gpus) w->asked.gpus = w->gpus;
  for (size_t i = 0; st == EXIT_OK && i < w->axes; i++) {
    const over *v = &w->v[i];

    if (v->kind != OVER_SETTING) continue;
    snprintf(text, sizeof text, "%s=%.17g%s", v->name, w->x[i], v->unit);
    st = settings_add(&w->asked.set, text, why);
  }
  return st;
}

/* Its settings again, those of a point after the last that was loaded. */
static void note_settings(walk *w)
{
  size_t k = w->o->set.n;

  for (size_t i = 0; i < w->axes; i++) {
    if (w->v[i].kind != OVER_SETTING) continue;
    struct setting *said = &w->asked.set.v[k++];
    snprintf(said->value, sizeof said->value, "%.17g%s", w->x[i], w->v[i].unit);
  }
  question_note(&w->q, &w->asked);
}

static void forget_many(walk *w)
{
  free(w->many);
  w->many = NULL;
  w->room = 0;
}

/* Room for points that are predicted together, as the question is now; none
 * where each point is more than its predictions. */
static void make_room(walk *w)
{
  const size_t each = w->q.n * w->q.paradigms * sizeof *w->many;
  const size_t room = TOGETHER_SIZE / each;

  if (w->o->errors || w->q.weak || room <= FEW) return;
  w->room = room < TOGETHER ? room : TOGETHER;
  w->many = malloc(w->room * each);
  if (!w->many) w->room = 0;
}

static void forget_tape(walk *w)
{
  tape_free(w->f.tape);
  gscale_workload_free(w->f.first);
  w->f.tape = NULL;
  w->f.first = NULL;
}

/* Whether all that is loaded anew are numbers that the workload's step() knows,
 * and nothing else is made of it. */
static bool can_follow(const walk *w)
{
  const about *more = &w->q.about_workload;
  bool all = !w->o->runs && !w->o->weak && w->f.useless < USELESS_MAX;

  for (size_t i = 0; all && i < w->axes; i++) {
    size_t k = 0;
    if (w->v[i].kind != OVER_SETTING) continue;
    while (k < more->knobs && strcmp(more->knob[k].name, w->v[i].name) != 0)
      k++;
    all = k < more->knobs;
  }
  return all && walk_loads(w);
}

/* Records what step() makes of the knobs that vary. */
static int record(walk *w, failure *why)
{
  const char *name[GSCALE_AXES_MAX], *unit[GSCALE_AXES_MAX];
  gscale_workload *moved;
  size_t n = 0;

  if (!can_follow(w)) return EXIT_OK;
  for (size_t i = 0; i < w->axes; i++) {
    if (w->v[i].kind != OVER_SETTING) continue;
    name[n] = w->v[i].name;
    unit[n++] = w->v[i].unit;
  }
  w->f.useless++;
  const int st = load_tape(w->q.system, w->q.about_workload.path, &w->asked.set,
                           name, unit, n, w->q.gpus, w->q.n, w->q.workload,
                           &w->f.tape, &moved, why);
  if (st != EXIT_OK || !w->f.tape) return st;
  w->f.first = w->q.workload;
  w->q.workload = moved;
  return EXIT_OK;
}

/* The values of a point that the tape is of. */
static void take_settings(const walk *w, const double *x, double *value)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_SETTING) *value++ = x[i];
}

/* What loading would refuse need not be loaded. */
static bool refuses(const walk *w, const double *x, failure *why)
{
  double value[GSCALE_AXES_MAX];

  take_settings(w, x, value);
  return w->f.tape && tape_refuses(w->f.tape, value, why);
}

/* The question's workload as it is at a point, by its tape. */
static bool follow_to(walk *w, const double *x)
{
  double value[GSCALE_AXES_MAX];

  take_settings(w, x, value);
  if (!w->f.tape || !tape_move(w->f.tape, value, w->q.workload)) return false;
  w->f.useless = 0;
  for (int n = 0; n <= w->last; n++) {
    forget_errors(w, n);
    if (w->probe[n]) gscale_probe_workload(w->probe[n], w->q.workload, NULL);
  }
  return true;
}

/* Loads system and workload anew, as settings have them now. */
static int load(walk *w, failure *why)
{
  options *const asked = &w->asked;
  int st = take_options(w, why);

  forget_probes(w);
  question_free(&w->q);
  forget_tape(w);
  forget_many(w);
  w->loaded = false;
  if (st == EXIT_OK) st = question_load(&w->q, asked, GPUS_DOUBLED, why);
  if (st != EXIT_OK) return st;
  if (!asked->gpus) w->q.gpus[0] = w->q.gpus[w->q.n - 1];
  if (!asked->gpus) w->q.n = 1;
  w->q.joint = w->joint;
  w->loaded = true;
  make_room(w);
  return record(w, why);
}

void walk_join(walk *w, gscale_joint *j)
{
  w->joint = w->q.joint = j;
}

static bool is_same(double a, double b)
{
  return !(a < b) && !(a > b);
}

/* Moves to a point; what needs a new description is loaded. */
static int move_to(walk *w, const double *x, failure *why)
{
  bool again = !w->loaded || w->astray;

  for (size_t i = 0; i < w->axes; i++)
    again = again || (w->v[i].kind == OVER_SETTING && !is_same(x[i], w->x[i]));
  memcpy(w->x, x, w->axes * sizeof *x);
  if (again) {
    w->astray = refuses(w, x, why);
    if (w->astray) return why->status;
    const bool follows = follow_to(w, x);
    const int st = follows ? EXIT_OK : load(w, why);
    if (st != EXIT_OK) return st;
    if (follows) note_settings(w);
  }
  for (size_t i = 0; i < w->axes; i++) {
    const over *v = &w->v[i];

    for (size_t k = 0; v->kind == OVER_KNOB && k < w->q.paradigms; k++)
      if (w->q.paradigm[k] == v->paradigm) w->q.knobs[k].v[v->knob] = x[i];
  }
  return EXIT_OK;
}

/* One that follows the question's workload stands by what was loaded. */
static gscale_status new_probe(walk *w, int n, gscale_diag *diag)
{
  const gscale_workload *now = n ? question_workload(&w->q, n) : w->q.workload;
  const gscale_status st =
      gscale_probe_new(w->q.system, w->f.first ? w->f.first : now, n ? n : 1,
                       &w->probe[n], diag);

  if (st != GSCALE_OK) return st;
  if (n > w->last) w->last = n;
  gscale_probe_ways(w->probe[n], w->q.paradigm, w->q.paradigms);
  return w->f.first ? gscale_probe_workload(w->probe[n], now, diag) : st;
}

static gscale_status probe_at(walk *w, int n, gscale_probe **out,
                              gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  if (!w->probe[n]) st = new_probe(w, n, diag);
  for (size_t i = 0; st == GSCALE_OK && i < w->axes; i++) {
    const over *v = &w->v[i];
    const gscale_system *now = gscale_probe_system(w->probe[n]);

    if (v->kind != OVER_PARAMETER ||
        is_same(gscale_system_get(now, v->parameter)->val, w->x[i]))
      continue;
    st = gscale_probe_set(w->probe[n], v->parameter, w->x[i], diag);
    if (st == GSCALE_OK && w->u[n] &&
        !gscale_uncertainty_put(w->u[n], v->parameter))
      forget_errors(w, n);
  }
  *out = w->probe[n];
  return st;
}

/* Those of the point before, where no more than a number has changed. */
static gscale_status errors_at(walk *w, int n, gscale_diag *diag)
{
  if (!w->o->errors || w->u[n]) return GSCALE_OK;
  return gscale_probe_uncertainty(w->probe[n], false, &w->u[n], diag);
}

/* --weak: T(1) at this point. */
static int compare_at(walk *w, failure *why)
{
  gscale_diag diag;
  gscale_probe *p;
  const gscale_plan *plan;
  gscale_status st;

  if (!w->q.weak) return EXIT_OK;
  st = probe_at(w, 0, &p, &diag);
  if (st == GSCALE_OK) st = gscale_probe_plan(p, &plan, &diag);
  return st == GSCALE_OK ? question_alone(&w->q, plan, why)
                         : fail_gscale(why, st, &diag);
}

/* ---- gaps ---------------------------------------------------------------- */

/* Without memory, or beyond a limit, a study ends; where something cannot be,
 * it has a gap. */
static bool is_gap(int st)
{
  return st == EXIT_USAGE || st == EXIT_DATA || st == EXIT_NUMERIC;
}

static void leave_out(walk *w, size_t n, const char *why)
{
  gaps_add(&w->gaps, 0, n, why);
}

/* Notes paradigms that are not met, where others are. */
static void note_missed(walk *w, const gscale_plan *plan)
{
  const question *q = &w->q;
  size_t met = 0, first = q->paradigms;
  gscale_diag diag;

  for (size_t i = q->paradigms; i-- > 0;) {
    met += w->a[i].met;
    if (question_misses(q, &w->a[i])) first = i;
  }
  if (first == q->paradigms) return;
  if (met == 0) {
    question_reason(q, plan, first, &diag);
    leave_out(w, 1, diag.text);
    return;
  }
  for (size_t i = first; i < q->paradigms; i++) {
    if (!question_misses(q, &w->a[i])) continue;
    if (w->gaps.of[1 + i].n == 0) question_reason(q, plan, i, &diag);
    gaps_add(&w->gaps, 1 + i, 1, diag.text);
  }
}

gaps *walk_gaps(walk *w)
{
  return &w->gaps;
}

/* ---- answers ------------------------------------------------------------- */

/* many: of paradigm i: many[i * w->room], or NULL. */
static int answer_paradigms(walk *w, int n, const gscale_plan *plan,
                            const gscale_prediction *many, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < w->q.paradigms; i++)
    if (many && !isnan(many[i * w->room].time))
      question_answer_with(&w->q, i, n, &many[i * w->room], w->a, 1);
    else
      st = question_answer_by(&w->q, plan, i, w->u[n], w->a, 1, why);
  if (st == EXIT_OK && plan) note_missed(w, plan);
  return st;
}

static bool has_all(const walk *w, const gscale_prediction *many)
{
  bool all = many != NULL;

  for (size_t i = 0; all && i < w->q.paradigms; i++)
    all = !isnan(many[i * w->room].time);
  return all;
}

static int plan_at(walk *w, int n, const gscale_plan **plan, failure *why)
{
  gscale_diag diag;
  gscale_probe *p;
  gscale_status made = probe_at(w, n, &p, &diag);

  if (made == GSCALE_OK) made = gscale_probe_plan(p, plan, &diag);
  if (made == GSCALE_OK) made = errors_at(w, n, &diag);
  return made == GSCALE_OK ? compare_at(w, why) : fail_gscale(why, made, &diag);
}

static int answer_gpus(walk *w, int n, const gscale_prediction *many,
                       failure *why)
{
  const gscale_plan *plan = NULL;
  int st = has_all(w, many) ? EXIT_OK : plan_at(w, n, &plan, why);

  if (st == EXIT_OK) st = answer_paradigms(w, n, plan, many, why);
  if (!is_gap(st)) return st;
  for (size_t i = 0; i < w->q.paradigms; i++) w->a[i].met = false;
  leave_out(w, 1, why->text);
  return EXIT_OK;
}

/* The N of the point: those of --gpus, or that of the axis. */
static bool asked_gpus(const walk *w, size_t j)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_GPUS) return w->q.gpus[j] == (int)w->x[i];
  return true;
}

static bool varies_gpus(const walk *w)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_GPUS) return true;
  return false;
}

/* ---- many points ---------------------------------------------------------
 */

/* What moves within n points. */
static size_t moving(const walk *w, double (*x)[GSCALE_AXES_MAX], size_t n,
                     gscale_change *change, double value[][TOGETHER])
{
  size_t m = 0;

  for (size_t i = 0; i < w->axes; i++) {
    bool moves = false;

    for (size_t k = 1; k < n; k++) moves = moves || !is_same(x[k][i], x[0][i]);
    if (!moves) continue;
    for (size_t k = 0; k < n; k++) value[m][k] = x[k][i];
    change[m] = (gscale_change){
        .of = GSCALE_CHANGES_PARAM, .id = w->v[i].parameter, .value = value[m]};
    m++;
  }
  return m;
}

/* By all paradigms on n GPUs, unless a plan is made of what moves: then that of
 * a point serves all of them. */
static void predict_gpus(walk *w, int gpus, size_t n, const gscale_change *c,
                         size_t m, gscale_prediction *out)
{
  const gscale_plan *plan;
  gscale_probe *p;
  bool together = probe_at(w, gpus, &p, NULL) == GSCALE_OK &&
                  gscale_probe_plan(p, &plan, NULL) == GSCALE_OK;

  for (size_t i = 0; together && i < m; i++)
    together = !gscale_probe_plans(p, c[i].id);
  for (size_t i = 0; i < w->q.paradigms; i++, out += w->room) {
    for (size_t k = 0; k < n; k++) out[k].time = (double)NAN;
    if (together && gscale_pair_needs(plan, w->q.paradigm[i], w->q.between[i],
                                      NULL) == GSCALE_OK)
      gscale_predict_many(p, w->q.paradigm[i], &w->q.knobs[i], n, c, m, out,
                          NULL);
  }
}

static void predict_ahead(walk *w, double (*x)[GSCALE_AXES_MAX], size_t n)
{
  static double value[GSCALE_AXES_MAX][TOGETHER];
  gscale_change c[GSCALE_AXES_MAX];
  const size_t m = moving(w, x, n, c, value);

  for (size_t j = 0; j < w->q.n; j++)
    if (asked_gpus(w, j))
      predict_gpus(w, w->q.gpus[j], n, c, m,
                   &w->many[j * w->q.paradigms * w->room]);
}

/* How many of the next n points differ in parameters only; 1: none. */
static size_t steady(const walk *w, double (*x)[GSCALE_AXES_MAX], size_t n)
{
  size_t k = 1;
  bool same = true;

  while (same && k < n && k < w->room) {
    for (size_t i = 0; i < w->axes; i++)
      same =
          same && (w->v[i].kind == OVER_PARAMETER || is_same(x[k][i], x[0][i]));
    k += same;
  }
  return k > FEW ? k : 1;
}

/* All N of one point, the k-th of those that are predicted together. */
static int answer_point(walk *w, uint64_t number, bool together, size_t k,
                        int (*each)(const point *p, void *closure,
                                    failure *why),
                        void *closure, failure *why)
{
  size_t asked = 0;
  int st = EXIT_OK;

  for (size_t j = 0; st == EXIT_OK && j < w->q.n; j++) {
    if (!asked_gpus(w, j)) continue;
    asked++;
    st = answer_gpus(
        w, w->q.gpus[j],
        together ? &w->many[j * w->q.paradigms * w->room + k] : NULL, why);
    if (st == EXIT_OK)
      st = each(&(point){number, w->x, &w->q, j, w->a}, closure, why);
  }
  if (!varies_gpus(w))
    leave_out(w, w->q.left.n, w->q.left.why);
  else if (asked == 0)
    leave_out(w, 1, w->q.left.why);
  return st;
}

/* n points from `number` on, which differ in no more than parameters; or one.
 */
static int
answer_points(walk *w, uint64_t number, double (*x)[GSCALE_AXES_MAX], size_t n,
              int (*each)(const point *p, void *closure, failure *why),
              void *closure, failure *why)
{
  int st = move_to(w, x[0], why);

  if (is_gap(st)) leave_out(w, n, why->text);
  if (st != EXIT_OK) return is_gap(st) ? EXIT_OK : st;
  if (n > 1) predict_ahead(w, x, n);
  for (size_t k = 0; st == EXIT_OK && k < n; k++) {
    memcpy(w->x, x[k], w->axes * sizeof *w->x);
    st = answer_point(w, number + k, n > 1, k, each, closure, why);
  }
  return st;
}

int walk_through(walk *w, uint64_t first, uint64_t last,
                 int (*each)(const point *p, void *closure, failure *why),
                 void *closure, failure *why)
{
  gscale_points *points;
  gscale_diag diag;
  const gscale_status made =
      gscale_points_new(&w->design, first, &points, &diag);
  size_t n = 0, at = 0, now; /* points that are ahead, and done of them */
  int st = EXIT_OK;

  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  for (uint64_t i = first; st == EXIT_OK && i < last; i += now, at += now) {
    if (at == n)
      for (at = n = 0; n < TOGETHER && i + n < last; n++)
        gscale_points_next(points, w->ahead[n]);
    now = steady(w, &w->ahead[at], n - at);
    st = answer_points(w, i, &w->ahead[at], now, each, closure, why);
  }
  gscale_points_free(points);
  return st;
}

int walk_at(walk *w, const double *x, point *p, failure *why)
{
  int st = move_to(w, x, why);

  for (size_t j = 0; st == EXIT_OK && j < w->q.n; j++) {
    if (!asked_gpus(w, j)) continue;
    *p = (point){0, w->x, &w->q, j, w->a};
    return answer_gpus(w, w->q.gpus[j], NULL, why);
  }
  return st == EXIT_OK ? fail(why, EXIT_USAGE, "no such number of GPUs") : st;
}

const over *walk_over(const walk *w, size_t i, const gscale_axis **axis)
{
  *axis = &w->design.axis[i];
  return &w->v[i];
}

size_t walk_axes(const walk *w)
{
  return w->axes;
}

const options *walk_options(const walk *w)
{
  return w->o;
}

/* ---- the study ----------------------------------------------------------- */

static int take_axes(walk *w, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < w->o->overs; i++) {
    st = parse_over(w->o->over[i], &w->v[i], &w->design.axis[i], &w->list[i],
                    why);
    for (size_t k = 0; st == EXIT_OK && k < i; k++)
      if (strcmp(w->v[k].name, w->v[i].name) == 0)
        st = fail(why, EXIT_USAGE, "--over %s: given twice", w->v[i].name);
    w->axes++;
  }
  w->design.axes = w->axes;
  return st;
}

/* A knob of whole numbers has whole values between two ends, said or not. */
static void round_knobs(walk *w)
{
  const about *more = &w->q.about_workload;

  for (size_t i = 0; i < w->axes; i++)
    for (size_t k = 0; k < more->knobs; k++)
      if (w->v[i].kind == OVER_SETTING && !*w->v[i].unit &&
          strcmp(more->knob[k].name, w->v[i].name) == 0)
        w->design.axis[i].whole |= more->knob[k].whole;
}

static int take_design(walk *w, failure *why)
{
  static const char *const kinds[GSCALE_DESIGN_END] = {
      [GSCALE_GRID] = "grid",
      [GSCALE_RANDOM] = "random",
      [GSCALE_QUASI] = "sobol"};
  const options *o = w->o;
  gscale_diag diag;
  size_t which = 0;

  while (o->design && which < GSCALE_DESIGN_END &&
         strcmp(kinds[which], o->design) != 0)
    which++;
  if (which == GSCALE_DESIGN_END)
    return fail(why, EXIT_USAGE, "--design: '%.60s' is not grid, random, sobol",
                o->design);
  w->design.kind = (gscale_design_kind)which;
  w->design.points = (uint64_t)o->points;
  w->design.seed = (uint64_t)o->seed;
  if (which != GSCALE_GRID && o->points < 1)
    return fail(why, EXIT_USAGE, "--design %s: needs --points", o->design);
  if (which == GSCALE_GRID && o->points > 0)
    return fail(why, EXIT_USAGE,
                "--points: a grid has as many as its axes have values");
  if (gscale_design_check(&w->design, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "sweep: %s", diag.text);
  return EXIT_OK;
}

/* All N that a point may ask for, as the schedules of programs need them. */
static int take_gpus(walk *w, failure *why)
{
  size_t used = 0;

  for (size_t i = 0; i < w->axes; i++) {
    const gscale_axis *a = &w->design.axis[i];
    const bool listed = a->list || w->design.kind == GSCALE_GRID;

    if (w->v[i].kind != OVER_GPUS) continue;
    if (w->o->gpus)
      return fail(why, EXIT_USAGE,
                  "sweep: --over gpus and --gpus exclude "
                  "one another");
    if (!listed) snprintf(w->gpus, sizeof w->gpus, "%.0f-%.0f", a->from, a->to);
    for (size_t k = 0; listed && k < a->steps; k++)
      used += (size_t)snprintf(w->gpus + used, sizeof w->gpus - used, "%s%.0f",
                               k ? "," : "", gscale_axis_value(a, k));
    if (used >= sizeof w->gpus)
      return fail(why, EXIT_USAGE, "--over gpus: too many values");
  }
  return EXIT_OK;
}

/* The first value of some number may be one that it cannot have: then the first
 * points of the study, of which one must be possible. */
static int load_first(walk *w, failure *why)
{
  enum {
    TRIED = 64 /* points */
  };
  static failure other; /* large */
  gscale_points *points;
  gscale_diag diag;
  int st;

  for (size_t i = 0; i < w->axes; i++)
    w->x[i] = gscale_axis_value(&w->design.axis[i], 0);
  st = load(w, why);
  if (!is_gap(st)) return st;
  const gscale_status made = gscale_points_new(&w->design, 0, &points, &diag);
  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  for (uint64_t i = 0; is_gap(st) && i < TRIED && i < walk_points(w); i++) {
    gscale_points_next(points, w->x);
    st = load(w, &other);
  }
  gscale_points_free(points);
  return is_gap(st) ? why->status : st;
}

int walk_new(options *o, walk **out, failure *why)
{
  walk *w = calloc(1, sizeof *w);
  int st;

  *out = w;
  if (!w) return fail(why, EXIT_INTERNAL, "no memory for a study");
  w->o = o;
  st = take_axes(w, why);
  if (st == EXIT_OK) st = take_design(w, why);
  if (st == EXIT_OK) st = take_gpus(w, why);
  if (st == EXIT_OK) st = load_first(w, why);
  if (st == EXIT_OK) round_knobs(w);
  return st;
}

void walk_free(walk *w)
{
  if (!w) return;
  forget_probes(w);
  question_free(&w->q);
  forget_tape(w);
  forget_many(w);
  for (size_t i = 0; i < GSCALE_AXES_MAX; i++) free(w->list[i]);
  free(w);
}

uint64_t walk_points(const walk *w)
{
  return gscale_design_points(&w->design);
}

bool walk_loads(const walk *w)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_SETTING) return true;
  return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
