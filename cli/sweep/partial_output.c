/* partial_output.c - files that grow while a sweep lasts. */

#define _GNU_SOURCE /* sync_file_range() */

#include "sweep/partial_output.h"

#include "common/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_file(const char *what, const char *name, failure *why)
{
  if (errno == ENOMEM)
    return fail(why, EXIT_INTERNAL, "no memory for %.200s", name);
  return fail(why, EXIT_IO, "%s: cannot be %s: %s", name, what,
              strerror(errno));
}

/* ---- the head ------------------------------------------------------------ */

static const char rows_key[] = "# rows: ";

enum {
  ROWS_WIDTH = 12 /* so that the number can be written over the `?` */
};

void part_put_rows(FILE *f, const uint64_t *count)
{
  if (count)
    fprintf(f, "%s%*" PRIu64 "\n", rows_key, ROWS_WIDTH, *count);
  else
    fprintf(f, "%s%*s\n", rows_key, ROWS_WIDTH, "?");
}

/* Where in a head the number of rows stands. */
static size_t rows_at(const char *head)
{
  return (size_t)(strstr(head, rows_key) - head) + sizeof rows_key - 1;
}

/* What the file says of its rows; its place in the stream stays. */
static bool say_rows(const part *p, const uint64_t *count)
{
  char text[ROWS_WIDTH + 1];

  if (count)
    snprintf(text, sizeof text, "%*" PRIu64, ROWS_WIDTH, *count);
  else
    snprintf(text, sizeof text, "%*s", ROWS_WIDTH, "?");
  return pwrite(fileno(p->f), text, ROWS_WIDTH, (off_t)rows_at(p->head)) ==
         ROWS_WIDTH;
}

/* True if the file begins with that head, whatever it says of its rows, and is
 * then behind it, or ends within it: *whole says which. */
static bool begins_with(FILE *f, const char *head, bool *whole)
{
  const size_t skip = rows_at(head), size = strlen(head);
  size_t i = 0;
  int c = 0;

  while (i < size && (c = getc(f)) != EOF &&
         (c == (unsigned char)head[i] || (i >= skip && i < skip + ROWS_WIDTH)))
    i++;
  *whole = i == size;
  return *whole || c == EOF;
}

/* ---- one writer ---------------------------------------------------------- */

/* True if the name still leads to what fd has open: whoever held the lock may
 * have renamed it meanwhile. */
static bool is_still(int fd, const char *name)
{
  struct stat now, ours;

  return fstat(fd, &ours) == 0 && lstat(name, &now) == 0 &&
         ours.st_ino == now.st_ino && ours.st_dev == now.st_dev;
}

/* The lock of all of it; *again: it has just become free, or is of a file that
 * has gone. */
static int lock(int fd, const char *name, bool *again, failure *why)
{
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

  *again = false;
  if (fcntl(fd, F_SETLK, &all) == 0) {
    *again = !is_still(fd, name);
    return EXIT_OK;
  }
  if (errno != EACCES && errno != EAGAIN) return fail_file("locked", name, why);
  if (fcntl(fd, F_GETLK, &all) != 0) return fail_file("locked", name, why);
  *again = all.l_type == F_UNLCK;
  if (*again) return EXIT_OK;
  return fail(why, EXIT_IO, "%s: process %ld is writing it", name,
              (long)all.l_pid);
}

/* No link is followed: a file elsewhere would be written over. */
static int open_locked(const char *name, int *fd, failure *why)
{
  struct stat is;
  bool again = true;
  int st = EXIT_OK;

  while (st == EXIT_OK && again) {
    *fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
               0666);
    if (*fd < 0) return fail_file("written", name, why);
    if (fstat(*fd, &is) != 0 || !S_ISREG(is.st_mode))
      st = fail(why, EXIT_IO, "%s: is no plain file", name);
    else
      st = lock(*fd, name, &again, why);
    if (st != EXIT_OK || again) close(*fd);
  }
  return st;
}

static int open_part(part *p, const char *path, const char *head, failure *why)
{
  const size_t size = strlen(path) + sizeof ".part";
  int fd, st;

  *p = (part){.path = path, .head = head, .name = malloc(size)};
  if (!p->name) return fail(why, EXIT_INTERNAL, "no memory for a name");
  snprintf(p->name, size, "%s.part", path);
  st = open_locked(p->name, &fd, why);
  if (st != EXIT_OK) return st;
  p->f = fdopen(fd, "r+");
  if (p->f) return EXIT_OK;
  st = fail_file("written", p->name, why);
  close(fd);
  return st;
}

/* ---- writing ------------------------------------------------------------- */

static int begin(part *p, failure *why)
{
  rewind(p->f);
  if (ftruncate(fileno(p->f), 0) != 0) return fail_file("cut", p->name, why);
  fputs(p->head, p->f);
  return EXIT_OK;
}

int part_begin(part *p, const char *path, const char *head, failure *why)
{
  const int st = open_part(p, path, head, why);

  return st == EXIT_OK ? begin(p, why) : st;
}

/* What a file holds, up to the first line that is not of a point at least as
 * late as the one before. */
typedef struct held {
  bool any;
  uint64_t point, rows; /* the last point, the rows before it */
  off_t at;             /* and where its rows begin */
} held;

static int find_held(const part *p, held *h, failure *why)
{
  lines l = {.f = p->f, .name = p->name};
  off_t at = ftello(p->f);
  uint64_t row = 0, of;
  int st;

  *h = (held){.at = at};
  while ((st = lines_next(&l, why)) == EXIT_OK && line_is_whole(&l) &&
         sscanf(l.at, "%" SCNu64 ",", &of) == 1 && !(h->any && of < h->point)) {
    if (!h->any || of != h->point) *h = (held){true, of, row, at};
    at += (off_t)l.size;
    row++;
  }
  lines_free(&l);
  return st;
}

/* Cuts off the last point, of which rows may be missing. */
static int go_on(part *p, uint64_t first, uint64_t last, uint64_t *next,
                 failure *why)
{
  held h;
  const int st = find_held(p, &h, why);

  if (st != EXIT_OK) return st;
  if (h.any && (h.point < first || h.point >= last))
    return fail(why, EXIT_DATA, "%s: has point %" PRIu64 ", not of this part",
                p->name, h.point);
  if (h.any) *next = h.point;
  p->rows = h.rows;
  if (fseeko(p->f, h.at, SEEK_SET) != 0 || ftruncate(fileno(p->f), h.at) != 0 ||
      !say_rows(p, NULL))
    return fail_file("cut", p->name, why);
  return EXIT_OK;
}

int part_resume(part *p, const char *path, const char *head, uint64_t first,
                uint64_t last, uint64_t *next, failure *why)
{
  const int st = open_part(p, path, head, why);
  bool whole;

  *next = first;
  if (st != EXIT_OK) return st;
  if (!begins_with(p->f, head, &whole))
    return fail(why, EXIT_DATA,
                "%s: was made by another question: remove it to begin anew",
                p->name);
  return whole ? go_on(p, first, last, next, why) : begin(p, why);
}

enum {
  PUSHED = 8 << 20 /* B at a time */
};

void part_push(part *p, size_t size)
{
  p->fresh += size;
  if (p->fresh < PUSHED || fflush(p->f) != 0) return; /* part_end() says it */
  sync_file_range(fileno(p->f), 0, 0, SYNC_FILE_RANGE_WRITE);
  p->fresh = 0;
}

/* It is renamed before the lock goes. */
int part_end(part *p, failure *why)
{
  const bool good = fflush(p->f) == 0 && !ferror(p->f) &&
                    say_rows(p, &p->rows) && fsync(fileno(p->f)) == 0;
  int st = good ? EXIT_OK : fail_file("written", p->name, why);

  if (st == EXIT_OK && rename(p->name, p->path) != 0)
    st = fail_file("renamed", p->name, why);
  if (fclose(p->f) != 0 && st == EXIT_OK)
    st = fail_file("written", p->path, why);
  p->f = NULL;
  return st;
}

void part_leave(part *p)
{
  if (p->f) fclose(p->f);
  free(p->name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
