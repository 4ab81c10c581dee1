/* file.c - output files that are written whole or not at all. */

#define _XOPEN_SOURCE 700 /* realpath() */

#include "common/cli.h"
#include "common/membuf.h"
#include "common/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  IN_MEMORY = 1 << 20, /* B; longer output goes to a file */
  LINKS_FOLLOWED = 40  /* limit of the Linux kernel */
};

struct sink {
  draft text;
  char *target; /* file to replace, or NULL */
  mode_t mode;  /* of the target */
  temporary temporary;
  bool ready;
  bool stays; /* never moved to a file */
};

/* ---- failing ------------------------------------------------------------ */

/* Reports errno as a failure, without a message for a closed pipe. */
static int fail_write(const char *path, failure *why)
{
  if (errno == ENOMEM) return no_memory(why);
  if (errno == EPIPE) return fail(why, EXIT_IO, "%s", "");
  return fail(why, EXIT_IO, "%.200s: %s", path ? path : "standard output",
              strerror(errno));
}

/* ---- where -------------------------------------------------------------- */

/* Resolves the target of a link: "dir/link" and "x" give "dir/x". */
static char *beside(const char *at, const char *to)
{
  const char *slash = strrchr(at, '/');
  const size_t dir = slash && to[0] != '/' ? (size_t)(slash - at) + 1 : 0;
  char *path = malloc(dir + strlen(to) + 1);

  if (path) strcpy((char *)memcpy(path, at, dir) + dir, to);
  return path;
}

void output_stem(const char *path, char *name, size_t size)
{
  const char *base = base_name(path);
  const char *dot = strrchr(base, '.');

  snprintf(name, size, "%.*s", (int)(dot && dot > base ? dot - base : 40),
           base);
}

/* Follows links to a file that need not exist. Fails with NULL and errno. */
static char *follow(const char *path)
{
  char *at = strdup(path), to[PATH_MAX];

  for (int i = 0; at && i < LINKS_FOLLOWED; i++) {
    const ssize_t n = readlink(at, to, sizeof to - 1);
    char *next;

    if (n < 0) return at; /* not a link */
    to[n] = '\0';
    next = beside(at, to);
    free(at);
    at = next;
  }
  if (at) errno = ELOOP;
  free(at);
  return NULL;
}

static mode_t default_mode(void)
{
  const mode_t mask = umask(0);

  umask(mask);
  return 0666 & ~mask;
}

/* Finds the file to replace, which is the target if the path is a link. */
static int find_target(struct sink *s, const char *path, failure *why)
{
  struct stat old;
  const bool there = stat(path, &old) == 0;

  if (!there && errno != ENOENT) return fail_write(path, why);
  if (there && S_ISDIR(old.st_mode))
    return fail(why, EXIT_IO, "%.200s: is a directory", path);
  if (there && !S_ISREG(old.st_mode)) return EXIT_OK;
  if (there && access(path, W_OK) != 0) return fail_write(path, why);
  s->mode = there ? old.st_mode & 0777 : default_mode();
  s->target = there ? realpath(path, NULL) : follow(path);
  return s->target ? EXIT_OK : fail_write(path, why);
}

/* ---- bytes -------------------------------------------------------------- */

static bool copy_all(int from, int to)
{
  char buffer[1 << 16];
  ssize_t n = 1;

  if (lseek(from, 0, SEEK_SET) != 0) return false;
  while (n > 0) {
    n = read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      n = 1;
    else if (n > 0 && !write_all(to, buffer, (size_t)n))
      return false;
  }
  return n == 0;
}

static bool make_temporary(struct sink *s)
{
  if (s->temporary.fd >= 0) return true;
  return s->target ? temporary_beside(&s->temporary, s->target)
                   : temporary_nameless(&s->temporary);
}

/* Moves the text from memory to the temporary file. */
static bool flush_to_file(struct sink *s)
{
  if (!make_temporary(s) ||
      !write_all(s->temporary.fd, s->text.at, s->text.size))
    return false;
  s->text.size = 0;
  return true;
}

/* Moves long output to a temporary file if the file can be created. */
static bool overflow(draft *t, const char *more, size_t n, void *closure)
{
  struct sink *s = closure;

  if (!draft_append(t, more, n)) return false;
  if (t->size < IN_MEMORY || s->stays) return true;
  s->stays = !s->target && !make_temporary(s);
  return s->stays || flush_to_file(s);
}

/* ---- opening, closing --------------------------------------------------- */

/* A non-empty NO_COLOR disables bold (https://no-color.org). */
static bool shows_bold(void)
{
  const char *terminal = getenv("TERM"), *no = getenv("NO_COLOR");

  return isatty(STDOUT_FILENO) && terminal && *terminal &&
         strcmp(terminal, "dumb") != 0 && !(no && *no);
}

int output_open(output *o, const char *path, failure *why)
{
  struct sink *s = malloc(sizeof *s);
  int st = EXIT_OK;

  *o = (output){.path = path && strcmp(path, "-") != 0 ? path : NULL};
  if (!s) return no_memory(why);
  *s = (struct sink){.temporary = {.fd = -1}};
  o->sink = s;
  if (!draft_open(&s->text)) st = no_memory(why);
  s->text.overflow = overflow;
  s->text.closure = s;
  if (st == EXIT_OK && o->path) st = find_target(s, o->path, why);
  o->f = s->text.f;
  o->colour = !o->path && shows_bold();
  if (st != EXIT_OK) output_discard(o);
  return st;
}

void output_discard(output *o)
{
  if (o->sink) {
    draft_free(&o->sink->text);
    temporary_remove(&o->sink->temporary);
    free(o->sink->target);
    free(o->sink);
  }
  *o = (output){0};
}

int output_end(int status, output *o, failure *why)
{
  if (status == EXIT_OK) return output_close(o, why);
  output_discard(o);
  return status;
}

/* Writes the temporary file and syncs it to disk. */
static int finish_file(const output *o, failure *why)
{
  struct sink *s = o->sink;

  if (flush_to_file(s) && fchmod(s->temporary.fd, s->mode) == 0 &&
      fsync(s->temporary.fd) == 0)
    return EXIT_OK;
  return fail_write(o->path, why);
}

/* Writes to stdout, a device or a pipe. Stdout, devices and pipes cannot be
 * renamed. */
static int write_special(const output *o, failure *why)
{
  const struct sink *s = o->sink;
  const int fd = o->path ? open(o->path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
  int st = EXIT_OK;

  if (fd < 0) return fail_write(o->path, why);
  if ((s->temporary.fd >= 0 && !copy_all(s->temporary.fd, fd)) ||
      !write_all(fd, s->text.at, s->text.size))
    st = fail_write(o->path, why);
  if (o->path && close(fd) != 0 && st == EXIT_OK) st = fail_write(o->path, why);
  return st;
}

int output_ready(output *o, failure *why)
{
  o->f = NULL;
  o->sink->ready = true;
  if (!draft_end(&o->sink->text)) return fail_write(o->path, why);
  if (!made_is_whole()) return no_memory(why);
  return o->sink->target ? finish_file(o, why) : write_special(o, why);
}

int output_close(output *o, failure *why)
{
  int st = o->sink->ready ? EXIT_OK : output_ready(o, why);

  if (st == EXIT_OK && o->sink->target &&
      !temporary_becomes(&o->sink->temporary, o->sink->target))
    st = fail_write(o->path, why);
  output_discard(o);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
