/* logs.c - logs of other tools that the command line names. */

#include "common/cli.h"

int read_logs(gscale_measurements *m, const options *o, size_t first,
              failure *why)
{
  gscale_diag diag;

  for (size_t i = first; i < o->arguments; i++) {
    size_t skipped;
    const gscale_status st =
        gscale_import(m, o->argument[i], NULL, &skipped, &diag);
    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  }
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
