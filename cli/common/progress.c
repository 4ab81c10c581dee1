/* progress.c - shows a progress line on the terminal for long computations. */

#include "common/cli.h"

#include <time.h>
#include <unistd.h>

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The state of the current line. */
static struct {
  bool begun, shown;
  double next; /* time of the next update in s */
} line;

void progress(const char *what, size_t done, size_t all)
{
  const double patience = 1.0, pause = 0.2; /* s */
  const double t = now();

  if (!line.begun) line.next = t + patience;
  line.begun = true;
  if (t < line.next || !isatty(STDERR_FILENO)) return;
  line.next = t + pause;
  line.shown = true;
  fprintf(stderr, "\r%s: %zu of %zu ", what, done, all);
}

void progress_end(void)
{
  if (line.shown) fputs("\r\033[K", stderr);
  line.begun = line.shown = false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
