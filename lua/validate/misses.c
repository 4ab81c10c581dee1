/* misses.c - validate in words: wrong choices, and what is behind the worst
 * predictions. */

#include "predict/predict.h"
#include "validate/study.h"

#include <math.h>
#include <string.h>

/* "proact-poll chunk=65536;width=512 on 4 GPUs" */
static void print_run(FILE *f, const run *r)
{
  char knobs[96];

  print_knobs(knobs, sizeof knobs, &r->k);
  fprintf(f, "%s%s%s on %d GPU%s", gscale_paradigm_at(r->paradigm)->name,
          *knobs ? " " : "", knobs, r->gpus, r->gpus == 1 ? "" : "s");
}

static void print_title(FILE *f, const run *r)
{
  char title[160];

  run_title(r, title, sizeof title);
  fputs(title, f);
}

/* ---- choices ------------------------------------------------------------ */

static void print_wrong_cells(FILE *f, const study *s, const summary *m)
{
  for (size_t i = 0; i < m->contests; i++) {
    const contest *c = &m->contest[i];
    const run *best = &s->runs[c->first], *named = &s->runs[c->named];

    if (!c->clear || c->right) continue;
    fprintf(f, "  ");
    print_title(f, best);
    fprintf(f, " on %d GPUs: %s, which takes %.1f%% longer than %s\n",
            best->gpus, gscale_paradigm_at(named->paradigm)->name,
            100.0 * (named->time / best->time - 1.0),
            gscale_paradigm_at(best->paradigm)->name);
  }
}

static void print_wrong_knees(FILE *f, const study *s, const summary *m)
{
  for (size_t i = 0; i < m->curves; i++) {
    const curve *c = &m->curve[i];

    if (c->measured == c->predicted) continue;
    fprintf(f, "  ");
    print_title(f, &s->runs[c->of]);
    fprintf(f, " %s: at %d, measured at %d\n",
            gscale_paradigm_at(s->runs[c->of].paradigm)->name, c->predicted,
            c->measured);
  }
}

void print_choices(FILE *f, const study *s, const summary *m)
{
  const score_line *all = m->line;

  if (m->lines == 0) return;
  if (all->clear > 0 || all->curves > 0) putc('\n', f);
  if (all->clear > 0)
    fprintf(f,
            "best paradigm named right: %zu of %zu where it leads by more "
            "than 5%%\n",
            all->right, all->clear);
  print_wrong_cells(f, s, m);
  if (all->curves > 0)
    fprintf(f, "knee named right: %zu of %zu curves\n", all->knees,
            all->curves);
  print_wrong_knees(f, s, m);
}

/* ---- the worst ---------------------------------------------------------- */

/* A worse scored run of the same program and paradigm, or as bad an earlier
 * one: of each mechanism one miss is enough. */
static bool is_hidden(const study *s, size_t i)
{
  const run *r = &s->runs[i];
  const double off = fabs(study_error(s, i));

  for (size_t j = 0; j < s->n; j++) {
    const double other = fabs(study_error(s, j));

    if (s->trials[j].role == ROLE_SCORED &&
        s->runs[j].paradigm == r->paradigm &&
        strcmp(s->runs[j].workload, r->workload) == 0 &&
        (other > off || (other >= off && j < i)))
      return true;
  }
  return false;
}

/* Of those that are not hidden the one that is off most, but less than run
 * `after` and, if as much, later; s->n if there is none. */
static size_t next_worst(const study *s, size_t after)
{
  const double below =
      after < s->n ? fabs(study_error(s, after)) : (double)INFINITY;
  size_t worst = s->n;

  for (size_t i = 0; i < s->n; i++) {
    const double off = fabs(study_error(s, i));

    if (s->trials[i].role != ROLE_SCORED || off > below ||
        (off >= below && i <= after) || is_hidden(s, i))
      continue;
    if (worst == s->n || off > fabs(study_error(s, worst))) worst = i;
  }
  return worst;
}

static void print_times(FILE *f, const run *r, const trial *t)
{
  char measured[32], predicted[32];

  gscale_format_quantity(r->time, GSCALE_TIME, measured, sizeof measured);
  gscale_format_quantity(t->time, GSCALE_TIME, predicted, sizeof predicted);
  fprintf(f, "         measured %s, predicted %s +/- %.1f%%", measured,
          predicted, 100.0 * t->err / t->time);
  if (!isnan(t->split.compute))
    fprintf(f, ": %+.1f%% by compute, %+.1f%% by transfer",
            100.0 * t->split.compute, 100.0 * t->split.transfer);
  putc('\n', f);
}

static void print_parts(FILE *f, const trial *t)
{
  static const char *const names[GSCALE_PART_END] = {
      [GSCALE_PART_COMPUTE] = "compute",
      [GSCALE_PART_HOST] = "host",
      [GSCALE_PART_TRANSFER] = "transfer",
      [GSCALE_PART_INITIATION] = "initiation",
      [GSCALE_PART_TRACKING] = "tracking",
      [GSCALE_PART_TAIL] = "tail",
      [GSCALE_PART_LATENCY] = "latency"};
  const char *comma = "";

  fprintf(f, "         ");
  for (size_t k = 0; k < GSCALE_PART_END; k++) {
    const double share = t->part[k] / t->time;

    if (share < 0.005) continue;
    fprintf(f, "%s%s %.0f%%", comma, names[k], 100.0 * share);
    comma = ", ";
  }
  fprintf(f, "; bound by %s\n", gscale_mechanism_name(t->bound));
}

void print_misses(FILE *f, const study *s, int most)
{
  size_t i = s->n;

  for (int k = 0; k < most; k++) {
    i = next_worst(s, i);
    if (i == s->n) break;
    if (k == 0)
      fprintf(f, "\nthe worst of each program and paradigm, with the parts of "
                 "the prediction\n");
    fprintf(f, "%+6.1f%%  ", 100.0 * study_error(s, i));
    print_title(f, &s->runs[i]);
    fprintf(f, " ");
    print_run(f, &s->runs[i]);
    fprintf(f, "\n");
    print_times(f, &s->runs[i], &s->trials[i]);
    print_parts(f, &s->trials[i]);
  }
}
