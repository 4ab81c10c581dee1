/* report.c - gpuscale report: writes the answer and limits to a page. */

#include "report/report.h"
#include "report/sliders.h"

#include <stdlib.h>

typedef struct pages {
  options *o;
  question q; /* large */
  gscale_system *base;
  answer *a;
  measured_runs runs; /* of --runs */
  study s;            /* shown runs with predictions */
  measured *at;
  evidence e;
  moves *m; /* sliders of --over */
} pages;

/* ---- measurements -------------------------------------------------------- */

/* Predicts the shown runs in the same manner as `validate`. */
static int predict_shown(pages *p, failure *why)
{
  study *s = &p->s;

  s->runs = malloc((p->runs.n + 1) * sizeof *s->runs);
  if (!s->runs) return no_memory(why);
  for (size_t i = 0; i < p->runs.n; i++)
    if (p->runs.shown[i]) s->runs[s->n++] = p->runs.runs[i];
  s->system = p->base;
  s->far_noted = true; /* already noted by the question */
  s->set = &p->o->set;
  s->no_single = settings_take(&p->o->set, "t1") != NULL;
  return study_predict(s, why);
}

/* Loads the system as it was before its numbers were fitted to the runs. */
static int load_base(pages *p, failure *why)
{
  static options o; /* too large for the stack */
  system_label name;

  o = *p->o;
  return load_asked_system(&o, &p->base, NULL, name, why);
}

static int load_runs(pages *p, failure *why)
{
  int st = measured_read(&p->runs, p->o, &p->q, why);

  if (st == EXIT_OK) st = load_base(p, why);
  if (st == EXIT_OK) st = predict_shown(p, why);
  if (st != EXIT_OK) return st;
  p->at = measured_list(&p->runs, &p->e.n, why);
  p->e.files = p->o->runs;
  p->e.at = p->at;
  p->e.s = &p->s;
  return p->at ? EXIT_OK : why->status;
}

/* ---- verb ---------------------------------------------------------------- */

static int print(const pages *p, failure *why)
{
  output out;
  int st = output_open(&out, p->o->output, why);

  if (st != EXIT_OK) return st;
  if (!made_is_whole()) st = no_memory(why);
  if (st == EXIT_OK) st = report_write(out.f, &p->q, p->a, &p->e, p->m, why);
  return output_end(st, &out, why);
}

static void close_pages(pages *p)
{
  study_free(&p->s); /* also frees the base */
  measured_free(&p->runs);
  free(p->at);
  moves_free(p->m);
  free(p->a);
  question_free(&p->q);
}

static int report_bare(options *o, failure *why)
{
  static ahead_curve b; /* too large for the stack */
  output out;
  int st = ahead_bare(o, 2, &b, why);

  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  return output_end(report_runs(out.f, &b, why), &out, why);
}

static int report_main(options *o, failure *why)
{
  static pages p; /* too large for the stack */

  if (o->runs && o->arguments == 0) return report_bare(o, why);
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  p = (pages){.o = o};
  st = question_load(&p.q, o, GPUS_EVERY, why);
  if (st == EXIT_OK && o->runs) st = load_runs(&p, why);
  if (st == EXIT_OK) st = question_answer(&p.q, true, &p.a, why);
  if (st == EXIT_OK && p.q.n < 2)
    st = fail(why, EXIT_USAGE, "report: needs more than one number of GPUs");
  if (st == EXIT_OK && o->overs > 0) st = moves_new(&p.q, o, &p.m, why);
  if (st == EXIT_OK) st = print(&p, why);
  close_pages(&p);
  return st;
}

const verb verb_report = {
    .place = 120,
    .name = "report",
    .usage = "WORKLOAD --system SYSTEM, or --runs FILE; -o REPORT.html",
    .summary = "the answer on one page of HTML, with its figures and sources",
    .examples =
        "gpuscale report jacobi --system h200x8 --gpus 1-16 -o jacobi.html\n"
        "gpuscale report jacobi -s h200x8 --over n=256..4096,log,20 \\\n"
        "    --over link.rate=50GB/s..900GB/s,log,20 -o jacobi.html\n"
        "gpuscale report jacobi -s h200x8 --runs runs.csv -o jacobi.html\n"
        "gpuscale report --runs runs.csv -o runs.html\n",
    .accepts = "system link gpus per-node paradigm set steps proposed runs "
               "over jobs output",
    .run = report_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
