/* describe.c - gpuscale describe: from a profile to what a step is, where its
 * time goes, and a program that predicts. */

#include "describe/describe.h"

#include <math.h>

static void show_notes(const profile *p)
{
  const char *note;

  for (size_t i = 0; (note = gscale_recording_note(p->r, i)) != NULL; i++)
    fprintf(stderr, "gpuscale: note: %s\n", note);
}

static int describe(profile *p, const options *o, failure *why)
{
  failure none = {EXIT_OK, ""};
  int st = profile_read(p, o->argument, o->arguments, o->ncu, why);

  if (st != EXIT_OK) return st;
  show_notes(p);
  st = profile_steps(p, o->period, o->skip, o->show ? &none : why);
  if (o->show && (st == EXIT_OK || st == EXIT_DATA))
    return show_profile(p, o, st == EXIT_OK ? NULL : none.text, why);
  if (o->show) *why = none;
  return st == EXIT_OK ? write_description(p, o, why) : st;
}

static int describe_main(options *o, failure *why)
{
  static profile p; /* once a run */
  int st;

  if (o->arguments == 0)
    return fail(why, EXIT_USAGE,
                "describe: needs a PROFILE; see `gpuscale describe --help`");
  st = describe(&p, o, why);
  profile_free(&p);
  return st;
}

const verb verb_describe = {
    .place = 75,
    .name = "describe",
    .usage = "PROFILE... [--show] [-o PROGRAM.lua]",
    .summary =
        "a profile's step, where its time goes, a program that predicts it",
    .examples = "gpuscale describe run.sqlite --show\n"
                "gpuscale describe run.sqlite -o program.lua\n"
                "gpuscale describe one.sqlite two.sqlite --ncu kernels.csv -o "
                "program.lua\n",
    .accepts = "show period skip ncu system gpus format output",
    .run = describe_main,
};
