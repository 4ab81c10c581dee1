/* profiled.c - the section of a page on the profile behind a description. */

#include "report/page.h"
#include "report/report.h"

#include <string.h>

static int put_gpu(FILE *f, const profile *p, int gpu, failure *why)
{
  exposure e;
  const int st = find_exposure(p, gpu, &e, why);

  if (st != EXIT_OK) return st;
  page_row(f);
  page_cell(f, "%d", gpu);
  page_cell(f, "%.1f %%", 100.0 * e.compute / e.step);
  page_cell(f, "%.1f %%", 100.0 * e.copies / e.step);
  page_cell(f, "%.1f %%", 100.0 * e.collectives / e.step);
  page_cell(f, "%.1f %%", 100.0 * e.idle / e.step);
  page_cell(f, "%.1f %%", 100.0 * e.host / e.step);
  return EXIT_OK;
}

static int put_step(FILE *f, const profile *p, int number, failure *why)
{
  draft svg;

  if (!draft_open(&svg)) return fail(why, EXIT_INTERNAL, "no memory");
  int st = draw_profile(p, false, svg.f, why);
  if (st == EXIT_OK && !draft_end(&svg))
    st = fail(why, EXIT_INTERNAL, "no memory for the figure");
  if (st == EXIT_OK)
    page_figure(f, &svg, number, "A step of usual length, as it was recorded.");
  draft_free(&svg);
  return st;
}

int put_profile(FILE *f, const profile *p, int number, failure *why)
{
  static const char *const headings[] = {"GPU",
                                         "computes",
                                         "copies, no kernel beside",
                                         "collectives, no kernel beside",
                                         "idle",
                                         "of that, host busy"};
  const char *const slash = strrchr(*p->path, '/');
  char time[48], err[48];
  int st = EXIT_OK;

  gscale_format_quantity(p->period, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(p->period_err, GSCALE_TIME, err, sizeof err);
  page_say(f, "%s has %zu steps (%s) on %d GPU%s; one takes %s +/- %s.",
           slash ? slash + 1 : *p->path, p->gpu[0].steps, p->period_from,
           p->gpus, p->gpus == 1 ? "" : "s", time, err);
  page_table(f, headings, sizeof headings / sizeof *headings);
  for (int g = 0; st == EXIT_OK && g < p->gpus; g++) st = put_gpu(f, p, g, why);
  page_table_end(f);
  return st == EXIT_OK ? put_step(f, p, number, why) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
