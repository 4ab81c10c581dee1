/* membuf.c - implements a memory stream that reports lost writes. */

#define _GNU_SOURCE /* fopencookie() */

#include "common/membuf.h"
#include "gpuscale/units.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool draft_append(draft *t, const char *more, size_t n)
{
  if (n >= SIZE_MAX / 4 - t->size) {
    errno = ENOMEM;
    return false;
  }
  char *at = gscale_reserve(t->at, &t->room, t->size + n + 1, 1);
  if (!at) return false;
  t->at = at;
  memcpy(t->at + t->size, more, n);
  t->size += n;
  t->at[t->size] = '\0';
  return true;
}

/* After a lost write, drops every later write, whose offset would be wrong. */
static ssize_t write_text(void *cookie, const char *more, size_t n)
{
  draft *t = cookie;

  if (!t->lost && !(t->overflow ? t->overflow(t, more, n, t->closure)
                                : draft_append(t, more, n)))
    t->lost = errno ? errno : ENOMEM;
  if (t->lost) return 0;
  t->written += n;
  return (ssize_t)n;
}

/* Reports only the position, because the stream cannot seek. */
static int report_position(void *cookie, off64_t *to, int whence)
{
  const draft *t = cookie;

  if (whence != SEEK_CUR || *to != 0) return -1;
  *to = (off64_t)t->written;
  return 0;
}

bool draft_open(draft *t)
{
  static const cookie_io_functions_t functions = {.write = write_text,
                                                  .seek = report_position};

  *t = (draft){0};
  if (!draft_append(t, "", 0)) return false;
  t->f = fopencookie(t, "w", functions);
  return t->f;
}

bool draft_end(draft *t)
{
  const bool ok = !t->f || (fflush(t->f) == 0 && !ferror(t->f));

  if (!ok && !t->lost) t->lost = ENOMEM;
  if (t->f) fclose(t->f);
  t->f = NULL;
  errno = t->lost;
  return t->lost == 0;
}

void draft_free(draft *t)
{
  draft_end(t);
  free(t->at);
  *t = (draft){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
