/* reproduce.c - gpuscale reproduce: compares results of documents with ours. */

#include "reproduce/recipes.h"

static int reproduce_main(options *o, failure *why)
{
  if (o->arguments > 1) return need_arguments(o, 1, "an ID or all", why);
  if (o->perturb > 0.0 && (o->arguments > 0 || o->refit))
    return fail(why, EXIT_USAGE, "--perturb: of all rows, and without --refit");
  return recipes_print(o, why);
}

const verb verb_reproduce = {
    .place = 100,
    .name = "reproduce",
    .usage = "[ID|FIGURE|all] [options]",
    .summary = "numbers printed in papers beside ours, with their origin",
    .examples = "gpuscale reproduce\n"
                "gpuscale reproduce P-117\n"
                "gpuscale reproduce 2.10 --format csv\n"
                "gpuscale reproduce all --format csv -o reproduced.csv\n",
    .accepts = "traces refit perturb strict jobs format output",
    .run = reproduce_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
