/* run.c - gpuscale run: runs a user's script in the sandbox. */

#include "sweep/script.h"

static int run_main(options *o, failure *why)
{
  const int st = need_arguments(o, 1, "a SCRIPT.lua", why);

  if (st != EXIT_OK) return st;
  o->arguments = 0; /* the path is no argument of the script */
  return script_run(o, o->argument[0], 0.0, why);
}

const verb verb_run = {
    .place = 170,
    .name = "run",
    .usage = "SCRIPT.lua [options]",
    .summary = "what a Lua script of yours predicts and prints",
    .examples =
        "gpuscale run lua/examples/sweep.lua\n"
        "gpuscale run lua/examples/sweep.lua --format csv -o sweep.csv\n",
    .accepts = "format output",
    .run = run_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
