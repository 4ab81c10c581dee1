/* temporary.c - creates temporary files that signals remove.
 *
 * A signal handler removes the listed files and then lets the signal take its
 * default action. Signals are blocked while a file and its entry disagree. */

#define _XOPEN_SOURCE 700 /* mkstemp() */

#include "common/temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  AT_ONCE = 4 /* concurrent files */
};

static char *volatile listed[AT_ONCE];

/* ---- signals ------------------------------------------------------------ */

static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};

static void remove_all(int signal_number)
{
  for (int i = 0; i < AT_ONCE; i++)
    if (listed[i]) unlink(listed[i]);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* Watches signals except those that the caller ignores, as under nohup. */
static void watch_signals(void)
{
  static bool watched;
  struct sigaction now, ours = {.sa_handler = remove_all};

  if (watched) return;
  watched = true;
  sigfillset(&ours.sa_mask);
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    if (sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
      sigaction(deadly[i], &ours, NULL);
}

static void hold_signals(sigset_t *before)
{
  sigset_t all;

  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, before);
}

static void release_signals(const sigset_t *before)
{
  const int cause = errno;

  sigprocmask(SIG_SETMASK, before, NULL);
  errno = cause;
}

/* ---- the list ----------------------------------------------------------- */

static bool add_path(char *path)
{
  for (int i = 0; i < AT_ONCE; i++)
    if (!listed[i]) {
      listed[i] = path;
      return true;
    }
  errno = EMFILE;
  return false;
}

static void remove_path(const char *path)
{
  for (int i = 0; i < AT_ONCE; i++)
    if (listed[i] == path) listed[i] = NULL;
}

void temporary_disown(void)
{
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
    struct sigaction now;

    if (sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler == remove_all)
      signal(deadly[i], SIG_DFL);
  }
  for (int i = 0; i < AT_ONCE; i++) listed[i] = NULL;
}

/* ---- the files ---------------------------------------------------------- */

static void clear_temporary(temporary *t)
{
  if (t->path) remove_path(t->path);
  if (t->fd >= 0) close(t->fd);
  free(t->path);
  *t = (temporary){.fd = -1};
}

void temporary_remove(temporary *t)
{
  const int cause = errno;
  sigset_t before;

  hold_signals(&before);
  if (t->path) unlink(t->path);
  clear_temporary(t);
  release_signals(&before);
  errno = cause;
}

static bool make(temporary *t)
{
  sigset_t before;
  bool ok;

  watch_signals();
  hold_signals(&before);
  t->fd = mkstemp(t->path);
  ok = t->fd >= 0 && add_path(t->path);
  if (!ok && t->fd >= 0) unlink(t->path);
  release_signals(&before);
  if (!ok) {
    free(t->path);
    t->path = NULL;
    temporary_remove(t);
  }
  return ok;
}

bool temporary_beside(temporary *t, const char *target)
{
  static const char end[] = ".XXXXXX";

  *t = (temporary){.fd = -1};
  t->path = malloc(strlen(target) + sizeof end);
  if (!t->path) return false;
  strcat(strcpy(t->path, target), end);
  return make(t);
}

bool temporary_nameless(temporary *t)
{
  const char *dir = getenv("TMPDIR");
  char target[1024];

  snprintf(target, sizeof target, "%s/gpuscale", dir && *dir ? dir : "/tmp");
  if (!temporary_beside(t, target)) return false;
  unlink(t->path);
  remove_path(t->path);
  free(t->path);
  t->path = NULL;
  return true;
}

bool temporary_becomes(temporary *t, const char *target)
{
  sigset_t before;
  bool ok;

  hold_signals(&before);
  ok = rename(t->path, target) == 0;
  if (ok) clear_temporary(t);
  release_signals(&before);
  if (!ok) temporary_remove(t);
  return ok;
}

bool write_all(int fd, const void *text, size_t size)
{
  const char *at = text;

  while (size > 0) {
    const ssize_t n = write(fd, at, size);

    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
