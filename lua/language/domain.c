/* domain.c - checks the value ranges of knobs and of the host's fields. */

#include "language/binding.h"

#include <math.h>

const char *knob_objection(const knob_range *r, double value, char *text,
                           size_t size)
{
  char least[32] = "", most[32] = "";

  if (r->whole && floor(value) != value) {
    snprintf(text, size, "%.10g is not whole", value);
    return text;
  }
  if (value >= r->least && value <= r->most) return NULL;
  if (r->dim == GSCALE_COUNT) {
    snprintf(least, sizeof least, "%.10g", r->least);
    snprintf(most, sizeof most, "%.10g", r->most);
  } else {
    gscale_format_quantity(r->least, r->dim, least, sizeof least);
    gscale_format_quantity(r->most, r->dim, most, sizeof most);
  }
  if (isinf(r->most))
    snprintf(text, size, "%g is less than %s", value, least);
  else if (isinf(r->least))
    snprintf(text, size, "%g is more than %s", value, most);
  else
    snprintf(text, size, "%g is not in %s .. %s", value, least, most);
  return text;
}

bool number_fits(const gscale_field *f, double value)
{
  return value >= f->least && value <= f->most && !isinf(value) &&
         (f->kind != GSCALE_INTEGER || !(floor(value) < value));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
