/* logs.c - reads logs of other tools that the command line names. */

#include "common/cli.h"

int read_log(gscale_measurements *m, const char *path, failure *why)
{
  const gscale_remark *r;
  gscale_diag diag;
  size_t skipped = 0, i = 0;

  while (gscale_measurements_remark(m, i)) i++;
  const gscale_status st = gscale_import(m, path, NULL, &skipped, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  for (; (r = gscale_measurements_remark(m, i)); i++)
    if (r->kind >= GSCALE_REMARK_GPU)
      continue;
    else if (r->line > 0)
      print_note("%s:%d: %s", path, r->line, r->text);
    else
      print_note("%s: %s", path, r->text);
  if (skipped > 0)
    print_note("%s: %zu entries have no counterpart", path, skipped);
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
