/* extrapolate.c - predicts steps on any number of GPUs given measured runs.
 *
 * A requested step is stored as an additional run. The additional run has no
 * time and is not used by fits. */

#include "say/extrapolate.h"
#include "say/other_systems.h"
#include "say/predict.h"
#include "validate/conditioning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A question of `predict --runs`. */
typedef struct steps {
  options *o;
  ahead a;
  system_label name;
  settings where;
} steps;

static const size_t NO_STEP = SIZE_MAX;

void ahead_note(const char *words, ...)
{
  static char last[1024];
  va_list arguments;

  va_start(arguments, words);
  const char *text = formatted(words, arguments);
  va_end(arguments);
  if (strncmp(text, last, sizeof last - 1) == 0) return;
  snprintf(last, sizeof last, "%s", text);
  print_note("%s", last);
}

/* ---- the runs ----------------------------------------------------------- */

static int add_file(const char *word, void *closure, failure *why)
{
  ahead *a = closure;
  const char *path = lexicon_keep(&a->s.names, word);

  if (!path) return no_memory(why);
  if (a->s.bare)
    return runs_read_bare(path, &a->s.runs, &a->s.n, &a->s.names, why);
  return runs_read(path, &a->s.runs, &a->s.n, &a->s.shares, &a->s.names, why);
}

/* Keeps the runs on this system and runs that name no system. Runs on other
 * systems move to a->others. */
static int keep_own(ahead *a, const options *o, failure *why)
{
  size_t kept = 0;

  a->others.run = malloc((a->s.n + 1) * sizeof *a->others.run);
  if (!a->others.run) return no_memory(why);
  for (size_t i = 0; i < a->s.n; i++) {
    const char *on = a->s.runs[i].system;

    if (!*on && o->said) {
      fail(why, EXIT_USAGE,
           "--runs: on which of these systems was it made? A column `system` "
           "says that");
      return runs_blame(&a->s.runs[i], why);
    }
    if (!*on || !o->system || ahead_same_name(on, o->system))
      a->s.runs[kept++] = a->s.runs[i];
    else
      a->others.run[a->others.n++] = a->s.runs[i];
  }
  a->s.n = kept;
  return EXIT_OK;
}

/* Lets the runs of the asked program, by the name of its file or its own name,
 * name the file of the command line. */
static void name_file(ahead *a, run *r, size_t n)
{
  for (size_t i = 0; a->program && i < n; i++)
    if (strcmp(r[i].workload, a->name) == 0 ||
        ahead_same_name(r[i].workload, a->program)) {
      r[i].workload = a->program;
      a->has_program = true;
    }
}

/* Returns the name of a run's program, which loads by its file. */
static const char *name_of(const ahead *a, const run *r)
{
  return r->workload == a->program && *a->name ? a->name : r->workload;
}

/* Reads the asked program's own name, if it loads without settings. */
static void read_name(ahead *a)
{
  settings none = {0};
  gscale_workload *w = NULL;
  failure ignored;
  about of;

  if (!a->program ||
      load_workload(a->program, &none, &w, &of, &ignored) != EXIT_OK)
    return;
  snprintf(a->name, sizeof a->name, "%s", of.name);
  gscale_workload_free(w);
}

static int merge_repeats(ahead *a, failure *why)
{
  a->read.run = malloc((a->s.n + 1) * sizeof *a->read.run);
  if (!a->read.run) return no_memory(why);
  a->read.n = a->s.n;
  if (a->s.n > 0) memcpy(a->read.run, a->s.runs, a->s.n * sizeof *a->s.runs);
  read_name(a);
  name_file(a, a->s.runs, a->s.n);
  name_file(a, a->others.run, a->others.n);
  return study_merge(&a->s, why);
}

int ahead_read(ahead *a, const options *o, failure *why)
{
  int st = each_word("--runs", o->runs, add_file, a, why);

  if (st == EXIT_OK) st = keep_own(a, o, why);
  if (st != EXIT_OK) return st;
  if (a->s.n == 0 && a->s.bare)
    return fail(why, EXIT_DATA, "%.200s: no run on %.60s", o->runs, o->system);
  st = merge_repeats(a, why);
  if (st != EXIT_OK) return st;
  a->files = o->runs;
  a->made = a->s.n;
  for (size_t i = 0; i < a->s.n; i++)
    if (a->s.runs[i].gpus > a->most) a->most = a->s.runs[i].gpus;
  return EXIT_OK;
}

/* Returns whether the system was fitted to a run. A number fitted twice to one
 * run would seem too certain. */
bool ahead_has_row(const ahead *a, const run **row)
{
  for (size_t i = 0; i < a->read.n; i++) {
    *row = &a->read.run[i];
    if (gscale_system_has_row(a->s.system, run_hash(*row))) return true;
  }
  return false;
}

static int check_fresh(const ahead *a, failure *why)
{
  const run *row;

  if (a->s.bare || !ahead_has_row(a, &row)) return EXIT_OK;
  fail(why, EXIT_DATA, "%s was fitted to this run already; give its base",
       gscale_system_about(a->s.system).name);
  return runs_blame(row, why);
}

/* Selects runs by the settings that are no numbers of the system. */
static void take_where(steps *q)
{
  for (size_t i = 0; i < q->o->set.n; i++)
    if (!q->o->set.v[i].used) q->where.v[q->where.n++] = q->o->set.v[i];
  q->a.s.where = &q->where;
}

/* ---- requested steps ---------------------------------------------------- */

/* Returns true if two runs differ at most in N. */
static bool ahead_same_series(const run *x, const run *y)
{
  run other = *x;

  other.gpus = y->gpus;
  return other.path == y->path && runs_same_row(&other, y);
}

/* Finds the name without path and ".lua": "jacobi" in
 * "lua/workloads/jacobi.lua". */
static size_t bare_name(const char *text, const char **begin)
{
  const char *const end = ".lua";

  *begin = base_name(text);
  const size_t n = strlen(*begin), more = strlen(end);
  return n > more && strcmp(*begin + n - more, end) == 0 ? n - more : n;
}

bool ahead_same_name(const char *a, const char *b)
{
  const char *x, *y;
  const size_t n = bare_name(a, &x), m = bare_name(b, &y);

  return n == m && strncmp(x, y, n) == 0;
}

static bool is_paradigm(const ahead *a, size_t i, const question *among)
{
  size_t k = 0;

  while (k < among->paradigms && among->paradigm[k] != a->s.runs[i].paradigm)
    k++;
  return !among->named || k < among->paradigms;
}

/* Returns true for the last run on several GPUs, which represents its
 * series. */
static bool is_asked(const ahead *a, size_t i, const question *among)
{
  const run *r = &a->s.runs[i];
  size_t j = i + 1;

  if (r->gpus == 1 || r->paradigm == gscale_paradigm_find("infinite") ||
      !is_paradigm(a, i, among) || (a->program && r->workload != a->program) ||
      !study_wants(&a->s, r))
    return false; /* only a bound */
  while (j < a->made &&
         (a->s.runs[j].gpus == 1 || !ahead_same_series(&a->s.runs[j], r)))
    j++;
  return j == a->made;
}

run *ahead_room(ahead *a, size_t n, failure *why)
{
  run *runs = realloc(a->s.runs, (a->s.n + n + 1) * sizeof *runs);

  if (!runs) {
    no_memory(why);
    return NULL;
  }
  a->s.runs = runs;
  return runs + a->s.n;
}

/* Returns true if each paradigm that the user named has a series. */
static bool has_paradigms(const ahead *a, const question *among)
{
  for (size_t k = 0; among->named && k < among->paradigms; k++) {
    size_t i = a->made;

    while (i < a->s.n && a->s.runs[i].paradigm != among->paradigm[k]) i++;
    if (i == a->s.n) return false;
  }
  return a->s.n > a->made;
}

static int add_steps(ahead *a, const question *among, const int *gpus, size_t n,
                     failure *why)
{
  if (!ahead_room(a, a->made * n, why)) return why->status;
  for (size_t i = 0; i < a->made; i++)
    for (size_t k = 0; k < n && is_asked(a, i, among); k++) {
      run *to = &a->s.runs[a->s.n];

      *to = a->s.runs[i];
      to->gpus = gpus[k];
      to->asked = true;
      a->s.n++;
    }
  if (has_paradigms(a, among)) return EXIT_OK;
  return fail(why, EXIT_DATA,
              "%.200s: no run%s%s on several GPUs with these knobs", a->files,
              a->program ? " of " : "", a->program ? a->program : "");
}

/* Requests steps, by default on 2 and 4 times the GPUs of the largest run. */
static int ask_steps(ahead *a, const question *among, const char *list,
                     failure *why)
{
  int *gpus = malloc(GPUS_LISTED * sizeof *gpus);
  size_t n = 2;
  int st = gpus ? EXIT_OK : no_memory(why);

  if (st == EXIT_OK && list) {
    st = parse_gpus("--gpus", list, gpus, &n, why);
  } else if (st == EXIT_OK) {
    gpus[0] = 2 * a->most;
    gpus[1] = 4 * a->most;
  }
  if (st == EXIT_OK) st = add_steps(a, among, gpus, n, why);
  free(gpus);
  return st;
}

/* ---- answers ------------------------------------------------------------ */

/* Lists the numbers of GPUs of the runs, such as "1,2,3". */
static void list_given(const ahead *a, char *text, size_t size)
{
  *text = '\0'; /* empty if there are no runs */
  for (int n = 1; n <= a->most; n++) {
    size_t i = 0;

    while (i < a->made && a->s.runs[i].gpus != n) i++;
    if (i < a->made) gscale_append(text, size, "%s%d", *text ? "," : "", n);
  }
}

/* Returns true if no size was run on two N, so that the runs scale weakly. */
static bool is_weak(const ahead *a)
{
  bool several = false;

  for (size_t i = 0; i < a->made; i++)
    for (size_t k = 0; k < i; k++) {
      const run *x = &a->s.runs[i], *y = &a->s.runs[k];

      if (x->gpus == y->gpus) continue;
      if (x->program == y->program) return false;
      several = several || ahead_same_name(x->workload, y->workload);
    }
  return several;
}

int ahead_answer(ahead *a, gscale_system *learned, failure *why)
{
  char list[4096];
  int st = check_fresh(a, why);

  if (st == EXIT_OK) st = (a->s.bare ? study_pass : study_predict)(&a->s, why);
  if (st == EXIT_OK && a->others.n > 0 && !a->s.bare)
    st = elsewhere_learn(&a->s, &a->others, why);

  if (st == EXIT_OK) st = study_relate(&a->s, why);
  if (st != EXIT_OK) return st;
  if (is_weak(a))
    ahead_note("no size was run on two numbers of GPUs (weak scaling): no law "
               "can be fitted");
  list_given(a, list, sizeof list);
  a->r.learned = learned;
  a->r.wants_next = true;
  st = rivals_new(&a->s, list, &a->r, why);
  if (st == EXIT_OK && *a->r.reason[RIVAL_GIVEN])
    print_note("the runs teach no number: %s", a->r.reason[RIVAL_GIVEN]);
  return st;
}

/* ---- next run ----------------------------------------------------------- */

static const double WORTH = 0.95; /* a smaller error is worth a note */

void ahead_note_next(const ahead *a)
{
  const rivals *r = &a->r;

  if (r->next == 0) return;
  const run *target = &a->s.runs[r->target];
  const char *named =
      *run_paradigm(target) ? run_paradigm(target) : target->workload;
  if (!(r->next_err < WORTH * r->weighted[r->target])) return;
  ahead_note("the most informative next run is by %s on %d GPUs: the error of "
             "%s on %d GPUs would be %.1f%% instead of %.1f%%",
             named, r->next, named, target->gpus, 100.0 * r->next_err,
             100.0 * r->weighted[r->target]);
}

/* ---- misfits ------------------------------------------------------------ */

static const double FAR_OFF = 0.1; /* |ln(time)| error that matters */

static const double EXPLAINED_PART = 0.5; /* least part of the misfit */

/* Returns the run on the most GPUs in the series of a step. */
static const run *last_of(const ahead *a, size_t step)
{
  const run *found = NULL;

  for (size_t i = 0; i < a->made; i++) {
    const run *r = &a->s.runs[i];
    if (ahead_same_series(r, &a->s.runs[step]) &&
        (!found || r->gpus > found->gpus))
      found = r;
  }
  return found;
}

/* Loads the program with its single-GPU time and the runs of its series. */
static gscale_workload *load_series(const ahead *a, const run *last,
                                    gscale_run *runs, size_t most, size_t *n)
{
  failure ignored;
  gscale_workload *w = NULL;
  const run **single = study_singles(&a->s, &ignored);
  const run *one = single ? single[last - a->s.runs] : NULL;

  free(single);
  if (study_load(&a->s, last, &w, &ignored) != EXIT_OK ||
      (one && study_give_single(&a->s, one, w, &ignored) != EXIT_OK)) {
    gscale_workload_free(w);
    return NULL;
  }
  *n = 0;
  for (size_t i = 0; i < a->made && *n < most; i++) {
    const run *r = &a->s.runs[i];

    if (r->gpus > 1 && ahead_same_series(r, last))
      runs[(*n)++] = (gscale_run){.program = w,
                                  .paradigm = r->paradigm,
                                  .knobs = r->k,
                                  .gpus = r->gpus,
                                  .time = r->time,
                                  .sigma = r->sigma};
  }
  return w;
}

/* Says, for example, "; sweep.publish.bytes 3.1 times as large, 4.2 MB, would
 * leave 4% of 29%". Says "" if no number explains half of the misfit. */
static void say_misfit(const ahead *a, const run *last, char *text, size_t size)
{
  gscale_run runs[64];
  gscale_misfit m = {.name = ""};
  size_t n = 0;
  gscale_workload *w = load_series(a, last, runs, LENGTH(runs), &n);
  char value[48], by[64];

  *text = '\0';
  if (w && n > 0) gscale_misfit_of(a->s.system, w, runs, n, &m, NULL);
  gscale_workload_free(w);
  if (!*m.name || !(m.left < EXPLAINED_PART * m.before)) return;
  gscale_format_quantity(m.value, m.dim, value, sizeof value);
  if (isfinite(m.factor))
    snprintf(by, sizeof by, "%.2g times what it is", m.factor);
  else
    snprintf(by, sizeof by, "instead of 0");
  snprintf(text, size, "; %s of %s, %s, would leave %.0f%% of %.0f%%", m.name,
           value, by, 100.0 * m.left, 100.0 * m.before);
}

static void note_misfit(const ahead *a, size_t step)
{
  const run *r = last_of(a, step);
  char took[48], says[48], why[320];

  if (!r) return;
  const trial *t = &a->s.trials[r - a->s.runs];
  const double bare = a->r.bare[r - a->s.runs];
  if (!(fabs(log(t->time / r->time)) > FAR_OFF) ||
      !(fabs(log(bare / r->time)) > FAR_OFF))
    return;
  gscale_format_quantity(r->time, GSCALE_TIME, took, sizeof took);
  gscale_format_quantity(t->time, GSCALE_TIME, says, sizeof says);
  say_misfit(a, r, why, sizeof why);
  ahead_note(
      "the description does not fit the runs by %s: on %d GPUs %s was measured "
      "and %s described, bound by %s%s",
      run_paradigm(r), r->gpus, took, says,
      gscale_name(GSCALE_MECHANISM_NAMES, t->bound),
      *why ? why
      : r->time > t->time
          ? "; it lacks kernels that do not shrink (fixed, serial), host calls "
            "or copies"
          : "; it has work that is not done, or is done concurrently");
}

void ahead_note_misfits(const ahead *a)
{
  for (size_t i = a->made; i < a->s.n && !a->s.bare; i++) {
    size_t k = a->made;

    while (k < i && !ahead_same_series(&a->s.runs[k], &a->s.runs[i])) k++;
    if (k == i && !*a->r.reason[RIVAL_GIVEN]) note_misfit(a, i);
  }
}

enum {
  WORKLOAD,
  PARADIGM,
  KNOBS,
  GPUS,
  TIME,
  SHARE_OF_IT,
  LOW,
  HIGH,
  ALONE,
  AMDAHL,
  USL,
  MESSAGES,
  NORMAL_FORM,
  GIVEN,
  WEIGHTS,
  COLUMNS
};

#define AHEAD(program, alone, model)                                           \
  {                                                                            \
    [WORKLOAD] = TEXT("workload", program),                                    \
    [PARADIGM] = TEXT("paradigm", "paradigm"), [KNOBS] = TEXT("knobs", NULL),  \
    [GPUS] = INTEGER("gpus", "GPUs"),                                          \
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),                            \
    [SHARE_OF_IT] = SHARE("+/-"), [LOW] = SECONDS("time_lo"),                  \
    [HIGH] = SECONDS("time_hi"),                                               \
    [ALONE] = NUMBER("alone_s", alone, GSCALE_TIME),                           \
    [AMDAHL] = SECONDS("amdahl"), [USL] = SECONDS("usl"),                      \
    [MESSAGES] = SECONDS("messages"), [NORMAL_FORM] = SECONDS("extra_p"),      \
    [GIVEN] = NUMBER("given_s", model, GSCALE_TIME),                           \
    [WEIGHTS] = TEXT("weights", "by weights of"),                              \
  }
static const column columns[COLUMNS] = AHEAD(NULL, "no runs", "model");
/* The columns without a description, and thus without a model. */
static const column bare_columns[COLUMNS] = AHEAD("workload", NULL, NULL);

static void fill_step(const ahead *a, size_t i, cell *c)
{
  const run *r = &a->s.runs[i];
  const double *time = a->r.time[i];

  set_text(&c[WORKLOAD], name_of(a, r));
  set_text(&c[PARADIGM], run_paradigm(r));
  set_text(&c[KNOBS], r->knobs);
  c[GPUS].number = r->gpus;
  c[TIME].number = time[RIVAL_WEIGHTED];
  c[SHARE_OF_IT].number = a->r.weighted[i];
  c[LOW].number = time[RIVAL_WEIGHTED] * exp(-a->r.weighted[i]);
  c[HIGH].number = time[RIVAL_WEIGHTED] * exp(a->r.weighted[i]);
  c[GIVEN].number = time[RIVAL_GIVEN];
  c[ALONE].number = a->s.trials[i].time;
  c[AMDAHL].number = time[GSCALE_AMDAHL];
  c[USL].number = time[GSCALE_USL];
  c[MESSAGES].number = time[GSCALE_MESSAGES];
  c[NORMAL_FORM].number = time[GSCALE_NORMAL_FORM];
  print_weights(&a->r, i, c[WEIGHTS].text, sizeof c[WEIGHTS].text);
}

/* Finds the fastest step on the most GPUs. Returns NO_STEP if none has a
 * time. */
static size_t fastest_step(const ahead *a)
{
  size_t best = NO_STEP;

  for (size_t i = a->made; i < a->s.n; i++) {
    const double time = a->r.time[i][RIVAL_WEIGHTED];

    if (isnan(time)) continue;
    if (best == NO_STEP || a->s.runs[i].gpus > a->s.runs[best].gpus ||
        (a->s.runs[i].gpus == a->s.runs[best].gpus &&
         time < a->r.time[best][RIVAL_WEIGHTED]))
      best = i;
  }
  return best;
}

/* Says, for example, "On 8 GPUs one step of jacobi takes 92.2 us (+/- 12%) by
 * memcpy, given 3 runs." */
static void claim_steps(claim *c, const ahead *a)
{
  const size_t i = fastest_step(a);
  char time[48];

  claim_begin(c);
  if (i == NO_STEP) {
    claim_say(c, "The runs have no information on these steps.");
    return;
  }
  const run *r = &a->s.runs[i];
  const char *named = run_paradigm(r);
  const size_t runs = a->read.n + (a->s.bare ? 0 : a->others.n);
  const double err = a->r.weighted[i];

  c->value = a->r.time[i][RIVAL_WEIGHTED];
  c->low = c->value * exp(-err);
  c->high = c->value * exp(err);
  gscale_format_quantity(c->value, GSCALE_TIME, time, sizeof time);
  claim_say(
      c,
      "On %d GPU%s one step of %s takes %s (+/- %.0f%%)%s%s, given %zu run%s.",
      r->gpus, PLURAL(r->gpus), name_of(a, r), time, 100.0 * err,
      *named ? " by " : "", named, runs, PLURAL(runs));
  if (a->s.bare)
    claim_say(c, " No program is described: the prediction is by laws fitted "
                 "to the runs, with the error of such laws on other programs.");
}

/* Laws fitted to the runs of a step's series, with the step's weights. */
typedef struct mean_law {
  double weight[GSCALE_LAW_END], c[GSCALE_LAW_END][GSCALE_LAW_TERMS];
} mean_law;

static void fit_laws(const ahead *a, size_t step, mean_law *m)
{
  int gpus[GPUS_LISTED];
  double time[GPUS_LISTED];
  size_t n = 0;
  gscale_diag diag;

  for (size_t i = 0; i < a->made && n < GPUS_LISTED; i++) {
    const run *r = &a->s.runs[i];
    if (!ahead_same_series(r, &a->s.runs[step])) continue;
    gpus[n] = r->gpus;
    time[n++] = r->time;
  }
  for (gscale_law l = GSCALE_AMDAHL; l < GSCALE_LAW_END; l++) {
    m->weight[l] = a->r.weight[step][l];
    if (m->weight[l] < 0.005 ||
        gscale_law_fit(l, gpus, NULL, time, n, m->c[l], &diag) != GSCALE_OK)
      m->weight[l] = 0.0;
  }
}

/* Returns 1 / T of the weighted geometric mean. */
static double mean_speed(const mean_law *m, int n)
{
  double sum = 0.0;

  for (gscale_law l = GSCALE_AMDAHL; l < GSCALE_LAW_END; l++)
    if (m->weight[l] > 0.0)
      sum -= m->weight[l] *
             log(gscale_law_time(l, m->c[l], n, (gscale_traffic){0.0, 0.0}));
  return exp(sum);
}

/* Returns the last N up to `most` that adds half of a GPU, or the fastest. */
static int turn_of(const mean_law *m, bool peak, int most)
{
  const double half = 0.5 * mean_speed(m, 1);
  int at = 1;

  for (int n = 2; n <= most; n++)
    if (peak ? mean_speed(m, n) > mean_speed(m, at)
             : at == n - 1 && mean_speed(m, n) - mean_speed(m, at) >= half)
      at = n;
  return at;
}

/* Finds the knee or the peak of the mean, and its range by single laws. */
static spot spot_of(const mean_law *m, bool peak, int most)
{
  const int at = turn_of(m, peak, most);
  spot s = {at, at, at};

  for (gscale_law l = GSCALE_AMDAHL; l < GSCALE_LAW_END; l++) {
    mean_law one = *m;

    if (!(m->weight[l] > 0.0)) continue;
    memset(one.weight, 0, sizeof one.weight);
    one.weight[l] = 1.0;
    const int n = turn_of(&one, peak, most);
    if (n < s.from) s.from = n;
    if (n > s.to) s.to = n;
  }
  return s;
}

/* Describes the laws that the last of the asked steps is a mean of, as formulas
 * of N, with the knee and the fastest N up to four times the largest run. */
static void say_formulas(const ahead *a, ahead_curve *b)
{
  const size_t step = fastest_step(a);
  char text[128];
  spot_words knee, peak;
  mean_law m;

  *b->formulas = '\0';
  if (step == NO_STEP) return;
  const char *named = run_paradigm(&a->s.runs[step]);
  fit_laws(a, step, &m);
  for (gscale_law l = GSCALE_AMDAHL; l < GSCALE_LAW_END; l++) {
    if (!(m.weight[l] > 0.0)) continue;
    gscale_law_formula(l, m.c[l], text, sizeof text);
    gscale_append(b->formulas, sizeof b->formulas, "%s%s%s: %s\n", named,
                  *named ? ", " : "", rival_name(l), text);
  }
  b->limit = 4 * a->most;
  b->knee = spot_of(&m, false, b->limit);
  b->peak = spot_of(&m, true, b->limit);
  gscale_append(
      b->formulas, sizeof b->formulas,
      "knee: %s%s GPU%s, the last with half of the ideal gain; fastest: %s%s\n",
      b->knee.gpus == b->limit ? "beyond " : "", say_spot(&b->knee, knee),
      PLURAL(b->knee.gpus), b->peak.gpus == b->limit ? "beyond " : "",
      say_spot(&b->peak, peak));
}

static int print_steps(const ahead *a, const options *o, failure *why)
{
  static ahead_curve b; /* large */
  rows *r =
      rows_new("gpuscale.ahead/1", a->s.bare ? bare_columns : columns, COLUMNS);
  output out;
  claim c;

  claim_steps(&c, a);
  for (size_t i = a->made; i < a->s.n; i++) fill_step(a, i, rows_add(r));
  if (o->format != FORMAT_TABLE) {
    rows_answer(r, &c);
    return rows_print(EXIT_OK, r, o, why);
  }
  int st = output_open(&out, o->output, why);
  if (st == EXIT_OK) {
    claim_put(out.f, &c);
    putc('\n', out.f);
  }
  st = rows_end(st, r, FORMAT_TABLE, &out, why);
  if (st == EXIT_OK && a->s.bare) say_formulas(a, &b);
  if (st == EXIT_OK && a->s.bare) fputs(b.formulas, out.f);
  return output_end(st, &out, why);
}

void ahead_free(ahead *a)
{
  free(a->others.run);
  free(a->read.run);
  rivals_free(&a->r);
  study_free(&a->s);
}

/* Reads the runs of the options. */
static int read_runs(steps *q, question *among, failure *why)
{
  take_where(q);
  const int st = ahead_read(&q->a, q->o, why);
  return st == EXIT_OK
             ? question_paradigms(among,
                                  q->o->paradigm ? q->o->paradigm : "all",
                                  q->o->proposed, why)
             : st;
}

static void list_curve(const ahead *a, ahead_curve *b)
{
  const size_t best = fastest_step(a);

  b->n = 0;
  for (size_t i = a->made; best != NO_STEP && i < a->s.n; i++) {
    ahead_point p = {a->s.runs[i].gpus, a->r.time[i][RIVAL_WEIGHTED],
                     a->r.weighted[i], false};

    if (!ahead_same_series(&a->s.runs[i], &a->s.runs[best]) || isnan(p.time) ||
        (b->n > 0 && p.gpus <= b->v[b->n - 1].gpus))
      continue;
    for (size_t k = 0; k < a->made; k++)
      p.ran |= a->s.runs[k].gpus == p.gpus &&
               ahead_same_series(&a->s.runs[k], &a->s.runs[best]);
    b->v[b->n++] = p;
  }
}

int ahead_bare(options *o, int times, ahead_curve *b, failure *why)
{
  static question among; /* large */
  steps q = {.o = o, .where = {.option = "-P"}};
  ahead *a = &q.a;
  char list[32];

  a->s.bare = true;
  int st = read_runs(&q, &among, why);
  snprintf(list, sizeof list, "1-%d", times * a->most);
  if (st == EXIT_OK) st = ask_steps(a, &among, o->gpus ? o->gpus : list, why);
  if (st == EXIT_OK) st = ahead_answer(a, NULL, why);
  if (st == EXIT_OK) {
    list_curve(a, b);
    claim_steps(&b->c, a);
    say_formulas(a, b);
    b->most = a->most;
    snprintf(b->name, sizeof b->name, "%s", a->s.runs[0].workload);
    if (b->n < 2)
      st = fail(why, EXIT_DATA, "%.200s: laws need runs on two numbers of GPUs",
                a->files);
  }
  ahead_free(a);
  return st;
}

int ahead_main(options *o, bool *none, failure *why)
{
  static question among; /* large */
  steps q = {.o = o, .where = {.option = "-P"}};
  ahead *a = &q.a;
  int st = EXIT_OK;

  a->program = o->arguments > 0 ? o->argument[0] : NULL;
  a->s.bare = !a->program;
  if (!a->s.bare) st = load_asked_system(o, &a->s.system, NULL, q.name, why);
  if (st == EXIT_OK) st = read_runs(&q, &among, why);
  const bool read = st == EXIT_OK;
  if (read) st = ask_steps(a, &among, o->gpus, why);
  *none = read && st == EXIT_DATA && !a->s.bare && !has_paradigms(a, &among) &&
          a->has_program;
  if (st == EXIT_OK) st = ahead_answer(a, NULL, why);
  if (st == EXIT_OK) ahead_note_misfits(a);
  if (st == EXIT_OK) ahead_note_next(a);
  if (st == EXIT_OK && a->s.bare && fastest_step(a) == NO_STEP)
    st = fail(why, EXIT_DATA, "%.200s: laws need runs on two numbers of GPUs",
              a->files);
  if (st == EXIT_OK) st = print_steps(a, o, why);
  ahead_free(a);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
