/* outliers.c - prints wrong choices and the worst predictions in words. */

#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>

/* Prints a run, such as "proact-poll chunk=65536;width=512 on 4 GPUs". */
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
    double least;

    if (!c->clear || c->right) continue;
    study_least(s, c->first, &least);
    fprintf(f, "  ");
    print_title(f, best);
    fprintf(f, " on %d GPUs: %s, which takes %.1f%% longer than %s\n",
            best->gpus, gscale_paradigm_at(named->paradigm)->name,
            100.0 * (named->time / least - 1.0),
            gscale_paradigm_at(best->paradigm)->name);
  }
}

static void print_wrong_knees(FILE *f, const study *s, const summary *m)
{
  for (size_t i = 0; i < m->curves; i++) {
    const knee_pair *c = &m->curve[i];

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

/* ---- misses ------------------------------------------------------------- */

void claim_worst(claim *c, const study *s)
{
  size_t worst = s->n;
  char title[160];

  for (size_t i = 0; i < s->n; i++)
    if (s->trials[i].role == ROLE_SCORED &&
        (worst == s->n ||
         fabs(study_error(s, i)) > fabs(study_error(s, worst))))
      worst = i;
  if (worst == s->n) return;
  run_title(&s->runs[worst], title, sizeof title);
  claim_say(c,
            " The worst is %s by %s on %d GPUs: `gpuscale explain` says what "
            "it is made of.",
            title, gscale_paradigm_at(s->runs[worst].paradigm)->name,
            s->runs[worst].gpus);
}

typedef struct miss {
  size_t row;
  double off; /* |error| */
} miss;

/* Sorts by decreasing error, then by row. */
static int by_size(const void *a, const void *b)
{
  const miss *x = a, *y = b;

  if (x->off < y->off || x->off > y->off) return x->off > y->off ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Finds the worst scored run of each program and paradigm, or the first of
 * equally bad runs. Returns their number. *out is NULL without memory. */
static size_t worst_of_each(const study *s, miss **out)
{
  size_t *of = group_runs(s->runs, s->n, BY_WORKLOAD | BY_PARADIGM);
  miss *v = of ? malloc(s->n * sizeof *v) : NULL;
  size_t n = 0;

  *out = v;
  for (size_t i = 0; v && i < s->n; i++) v[i].row = NO_ROW;
  for (size_t i = 0; v && i < study_rows(s); i++) {
    const measured_row r = study_row(s, i);
    const double off = fabs(study_row_error(s, &r));
    miss *m = &v[of[r.of]];

    if (r.role == ROLE_SCORED && (m->row == NO_ROW || off > m->off))
      *m = (miss){i, off};
  }
  for (size_t i = 0; v && i < s->n; i++)
    if (v[i].row != NO_ROW) v[n++] = v[i];
  if (v) qsort(v, n, sizeof *v, by_size);
  free(of);
  return n;
}

static void print_times(FILE *f, const study *s, const measured_row *r)
{
  const trial *t = &s->trials[r->of];
  const gscale_split split = study_row_split(s, r);
  char measured[32], predicted[32];

  gscale_format_quantity(r->time, GSCALE_TIME, measured, sizeof measured);
  gscale_format_quantity(t->time, GSCALE_TIME, predicted, sizeof predicted);
  fprintf(f, "         measured %s, predicted %s +/- %.1f%%", measured,
          predicted, 100.0 * t->err / t->time);
  if (!isnan(split.compute))
    fprintf(f, ":\n         %+.1f%% by compute, %+.1f%% by transfer",
            100.0 * split.compute, 100.0 * split.transfer);
  putc('\n', f);
}

static void print_parts(FILE *f, const trial *t)
{
  char parts[256] = "";

  for (size_t k = 0; k < GSCALE_PART_END; k++) {
    const double share = t->part[k] / t->time;

    if (share < 0.005) continue;
    gscale_append(parts, sizeof parts, "%s%s %.0f%%", *parts ? ", " : "",
                  part_name((gscale_part)k), 100.0 * share);
  }
  put_line(f, 9, "         %s; bound by %s", parts,
           gscale_name(GSCALE_MECHANISM_NAMES, t->bound));
}

int print_misses(FILE *f, const study *s, int most, failure *why)
{
  miss *v;
  const size_t n = worst_of_each(s, &v);

  if (!v) return no_memory(why);
  if (n > 0 && most > 0)
    fprintf(f, "\nthe worst of each program and paradigm, with the parts of "
               "the prediction\n");
  for (size_t k = 0; k < n && k < (size_t)most; k++) {
    const measured_row r = study_row(s, v[k].row);

    fprintf(f, "%+6.1f%%  ", 100.0 * study_row_error(s, &r));
    print_title(f, &s->runs[r.of]);
    fprintf(f, " ");
    print_run(f, &s->runs[r.of]);
    fprintf(f, "\n");
    print_times(f, s, &r);
    print_parts(f, &s->trials[r.of]);
  }
  free(v);
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
