/* matrix.c - rows of matrices over GPU pairs in logs. */

#include "import/import.h"

gscale_status gscale__check_row(gscale__source *s, gscale__part line,
                                const gscale__part *word, size_t n,
                                size_t columns, size_t *row)
{
  double number;

  if (n != columns + 1 || !gscale__whole(s, line))
    return gscale__bad(s, line.at, "%zu words in a row of %zu columns", n,
                       columns);
  if (!gscale__is_number(word[0], &number) || !(number >= 0.0) ||
      number >= (double)columns || number < (double)*row)
    return gscale__bad(s, word[0].at, "row %zu is expected", *row);
  *row = (size_t)number;
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
