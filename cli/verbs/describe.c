/* describe.c - gpuscale describe: prints a profile's step and the parts of its
 * time, and writes a program that predicts the step. */

#include "describe/describe.h"

#include <stdlib.h>
#include <string.h>

static void show_notes(const profile *p)
{
  const char *note;

  for (size_t i = 0; (note = gscale_recording_note(p->r, i)); i++)
    print_note("%s", note);
}

/* Splits "FILE@0.5", which is a run of half the work, into path and share. */
static int take_share(const char *text, char *path, size_t size, double *share,
                      failure *why)
{
  const char *const at = strrchr(text, '@');
  char *end;

  snprintf(path, size, "%s", text);
  *share = 1.0;
  if (!at || strchr(at, '/')) return EXIT_OK;
  *share = strtod(at + 1, &end);
  if (*end || !(*share > 0.0 && *share <= 1.0))
    return fail(why, EXIT_USAGE,
                "--also: '%.60s' is not FILE@SHARE, a share of the work above "
                "0 and at most 1",
                text);
  if ((size_t)(at - text) < size) path[at - text] = '\0';
  return EXIT_OK;
}

typedef struct all_runs {
  profile p; /* the described profile */
  other_run other[8];
  char path[8][512];
  const char *name[8];
  size_t others;
} all_runs;

static int read_others(all_runs *all, const options *o, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < o->alsos; i++) {
    other_run *const r = &all->other[i];
    all->name[i] = all->path[i];
    st =
        take_share(o->also[i], all->path[i], sizeof *all->path, &r->share, why);
    if (st != EXIT_OK) return st;
    all->others++;
    st = profile_read(&r->p, &all->name[i], 1, why);
    if (st == EXIT_OK) show_notes(&r->p);
    if (st == EXIT_OK) st = profile_steps(&r->p, o->period, why);
    if (st == EXIT_OK) r->gpus = gpus_of_run(&r->p) / r->share;
  }
  return st;
}

static int describe(all_runs *all, const options *o, failure *why)
{
  profile *const p = &all->p;
  failure none = {EXIT_OK, ""};
  int st = profile_read(p, o->argument, o->arguments, why);

  p->ranks = o->ranks;

  if (st != EXIT_OK) return st;
  show_notes(p);
  st = profile_steps(p, o->period, o->show ? &none : why);
  if (o->show && st == EXIT_DATA) return show_profile(p, o, none.text, why);
  if (o->show && st != EXIT_OK) *why = none;
  if (st == EXIT_OK && is_rank_missing(p, o->show ? &none : why)) {
    if (!o->show) return EXIT_DATA;
    print_note("%s", none.text);
  }
  if (st == EXIT_OK && o->show) st = show_profile(p, o, NULL, why);
  if (st == EXIT_OK) st = read_others(all, o, why);
  if (st == EXIT_OK && (!o->show || all->others > 0))
    st = write_description(p, all->other, all->others, o, why);
  return st;
}

int describe_main(options *o, failure *why)
{
  static all_runs all; /* too large for the stack */
  int st;

  if (o->arguments == 0)
    return fail(why, EXIT_USAGE,
                "describe: needs a PROFILE; see `gpuscale describe --help`");
  st = describe(&all, o, why);
  profile_free(&all.p);
  for (size_t i = 0; i < all.others; i++) profile_free(&all.other[i].p);
  return st;
}

const verb verb_describe = {
    .place = 75,
    .name = "describe",
    .usage = "PROFILE... [--also PROFILE] [--show] [-o PROGRAM.lua]",
    .summary =
        "the step of a profile, its parts, and a program that predicts it",
    .examples =
        "gpuscale describe run.sqlite --show\n"
        "gpuscale describe run.sqlite -o program.lua\n"
        "gpuscale describe trace.json.gz --parallel ddp -o program.lua\n"
        "gpuscale describe two.sqlite kernels.csv --also one.sqlite "
        "-o program.lua\n",
    .accepts = "show period also ranks parallel params system gpus "
               "format output",
    .run = describe_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
