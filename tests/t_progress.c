/* t_progress.c - the line that says how far a long answer is: not within its
 * first second, then five times a second, and nothing of it stays. */

#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double clock_s;
static int terminal = 1;

/* In place of the system's. */
int clock_gettime(clockid_t id, struct timespec *t)
{
  (void)id;
  t->tv_sec = (time_t)clock_s;
  t->tv_nsec = (long)(1e9 * (clock_s - (double)t->tv_sec));
  return 0;
}

int isatty(int fd)
{
  (void)fd;
  return terminal;
}

/* What is written at a moment. */
static void at(double s, size_t done, const char *want)
{
  char got[64] = "";
  const long before = ftell(stderr);

  clock_s = s;
  if (done > 0)
    progress("runs", done, 9);
  else
    progress_end();
  fflush(stderr);
  fseek(stderr, before, SEEK_SET);
  got[fread(got, 1, sizeof got - 1, stderr)] = '\0';
  fseek(stderr, 0, SEEK_END);
  gsl_test(strcmp(got, want) != 0, "at %g s '%s', not '%s'", s, got, want);
}

int main(void)
{
  FILE *const said = tmpfile();

  if (!said || !freopen("/dev/null", "w", stderr)) return 1;
  stderr = said;
  at(100.0, 1, "");
  at(100.9, 2, "");
  at(101.1, 3, "\rruns: 3 of 9 ");
  at(101.2, 4, "");
  at(101.4, 5, "\rruns: 5 of 9 ");
  at(101.5, 0, "\r\033[K");
  at(102.0, 1, ""); /* another answer */
  at(102.1, 0, "");
  terminal = 0;
  at(110.0, 1, "");
  at(120.0, 2, "");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
