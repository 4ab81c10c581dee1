/* run.c - gpuscale run: a script of the user's, in the sandbox. */

#include "sweep/script.h"

int run_main(options *o, failure *why)
{
  const int st = need_arguments(o, 1, "a SCRIPT.lua", why);

  return st == EXIT_OK ? script_run(o, o->argument[0], why) : st;
}
