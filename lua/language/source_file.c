/* source_file.c - reads the text of a description's file. */

#include "language/language.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a file without blocking, so that a pipe without a writer is refused. */
static int open_source(const char *path, int *fd, failure *why)
{
  struct stat st;

  *fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (*fd < 0 || fstat(*fd, &st) != 0)
    return fail(why, EXIT_IO, "%s: %s", path, strerror(errno));
  if (!S_ISREG(st.st_mode))
    return fail(why, EXIT_IO, "%s: %s", path,
                S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file");
  return EXIT_OK;
}

/* Reads all, and blanks what Lua does not know: a mark of UTF-8, or the line of
 * an interpreter. */
static int read_all(int fd, const char *path, char *text, size_t *size,
                    failure *why)
{
  size_t room = SOURCE_MAX + 1;
  ssize_t n = 1;

  while (*size < room && n > 0) {
    n = read(fd, text + *size, room - *size);
    if (n < 0 && errno != EINTR)
      return fail(why, EXIT_IO, "%s: %s", path, strerror(errno));
    *size += n > 0 ? (size_t)n : 0;
  }
  if (*size == room)
    return fail(why, EXIT_LIMIT, "%s: longer than %d KiB", path,
                SOURCE_MAX / 1024);
  if (memchr(text, '\0', *size))
    return fail(why, EXIT_DATA, "%s: a NUL byte; this is no text", path);
  return EXIT_OK;
}

int source_read(const char *path, char *text, size_t *size, failure *why)
{
  int fd = -1;
  int st = open_source(path, &fd, why);

  *size = 0;
  if (st == EXIT_OK) st = read_all(fd, path, text, size, why);
  if (fd >= 0) close(fd);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
