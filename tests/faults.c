/* faults.c - a library to be preloaded into gpuscale that makes calls fail, for
 * t_faults.  The environment says which, counted from 1:
 *
 *   FAULT_MEMORY=N   the Nth allocation fails; N+ the ones after it too
 *   FAULT_SIGNAL=CALL:N:SIGNAL   the Nth CALL of write, fchmod, fsync, mkstemp
 *                    or rename is followed by the signal
 *   FAULT_COUNT=FILE   at its end the program appends how many allocations it
 *                    asked for
 *
 * The calls of other programs that inherit the environment are left alone. */

#define _GNU_SOURCE /* RTLD_NEXT, program_invocation_short_name */

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_ours(void)
{
  return strcmp(program_invocation_short_name, "gpuscale") == 0;
}

/* ---- memory ------------------------------------------------------------- */

/* glibc's own, under names that nothing can replace. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t size);

static unsigned long asked;

static bool refused(void)
{
  const char *which = getenv("FAULT_MEMORY");
  char *end;

  asked++;
  if (!which || !is_ours()) return false;
  const unsigned long n = strtoul(which, &end, 10);
  if (asked != n && !(*end == '+' && asked > n)) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size)
{
  return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
  return refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *at, size_t size)
{
  return refused() ? NULL : __libc_realloc(at, size);
}

__attribute__((destructor)) static void tell_count(void)
{
  const char *path = getenv("FAULT_COUNT");
  FILE *f;

  if (!path || !is_ours()) return;
  const unsigned long n = asked;
  f = fopen(path, "a");
  if (!f) return;
  fprintf(f, "%lu\n", n);
  fclose(f);
}

/* ---- signals ------------------------------------------------------------ */

/* After a call, with what it returned; errno is kept. */
static void maybe_signal(const char *call, int *calls)
{
  const char *which = getenv("FAULT_SIGNAL");
  const size_t length = strlen(call);
  const int cause = errno;
  int n, number;

  ++*calls;
  if (which && is_ours() && strncmp(which, call, length) == 0 &&
      sscanf(which + length, ":%d:%d", &n, &number) == 2 && n == *calls)
    raise(number);
  errno = cause;
}

/* A pointer to a function is no pointer to an object in C. */
static void find(void *function, const char *name)
{
  void *at = dlsym(RTLD_NEXT, name);

  memcpy(function, &at, sizeof at);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
  static ssize_t (*real)(int, const void *, size_t);
  static int calls;

  if (!real) find(&real, "write");
  const ssize_t n = real(fd, buffer, size);
  maybe_signal("write", &calls);
  return n;
}

int fchmod(int fd, mode_t mode)
{
  static int (*real)(int, mode_t);
  static int calls;

  if (!real) find(&real, "fchmod");
  const int st = real(fd, mode);
  maybe_signal("fchmod", &calls);
  return st;
}

int fsync(int fd)
{
  static int (*real)(int);
  static int calls;

  if (!real) find(&real, "fsync");
  const int st = real(fd);
  maybe_signal("fsync", &calls);
  return st;
}

int mkstemp(char *path)
{
  static int (*real)(char *);
  static int calls;

  if (!real) find(&real, "mkstemp");
  const int fd = real(path);
  maybe_signal("mkstemp", &calls);
  return fd;
}

int rename(const char *from, const char *to)
{
  static int (*real)(const char *, const char *);
  static int calls;

  if (!real) find(&real, "rename");
  const int st = real(from, to);
  maybe_signal("rename", &calls);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
