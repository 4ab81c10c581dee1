/* status.c - texts of status codes and of the provenance of numbers. */

#include "ground/ground.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const meanings[GSCALE_STATUS_END] = {
    [GSCALE_OK] = "success",
    [GSCALE_EDOMAIN] = "number outside its domain",
    [GSCALE_EUNIT] = "unit missing, unknown, or of the wrong dimension",
    [GSCALE_EPARSE] = "text not of the documented form",
    [GSCALE_ENAME] = "name unknown, or declared twice",
    [GSCALE_ENEED] = "system or workload lacks what the paradigm needs",
    [GSCALE_ESIZE] = "more GPUs than described, or memory too small",
    [GSCALE_EDATA] = "too few, or contradictory, measurements",
    [GSCALE_EIO] = "cannot read or write",
    [GSCALE_ENOMEM] = "out of memory",
    [GSCALE_ENUMERIC] = "a result is not finite",
};

const char *gscale_strerror(gscale_status st)
{
  return (unsigned)st < GSCALE_STATUS_END ? meanings[st] : "unknown status";
}

/* ---- errors -------------------------------------------------------------- */

static _Thread_local size_t refusals;

size_t gscale_refusals(void)
{
  return refusals;
}

double gscale__refused(void)
{
  refusals++;
  return NAN;
}

gscale_status gscale__fail(gscale_diag *diag, gscale_status st, const char *fmt,
                           ...)
{
  char text[GSCALE_TEXT_MAX]; /* diag->text may be an argument */
  const int cause = errno;
  va_list args;

  if (st == GSCALE_ENOMEM) gscale__refused();
  if (!diag) return st;
  va_start(args, fmt);
  gscale__vprint(text, sizeof text, fmt, args);
  va_end(args);
  for (char *c = text; *c; c++) /* files may contain any character */
    if ((*c >= 0 && *c < ' ' && *c != '\n') || *c == 127) *c = '?';
  memcpy(diag->text, text, strlen(text) + 1);
  errno = cause;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
