/* part.c - files that grow while a sweep lasts, and their joining. */

#include "sweep/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail_file(const char *what, const char *name, failure *why)
{
  return fail(why, EXIT_IO, "%s: cannot be %s: %s", name, what,
              strerror(errno));
}

static int open_part(part *p, const char *path, const char *mode, failure *why)
{
  const size_t size = strlen(path) + sizeof ".part";

  *p = (part){.path = path, .name = malloc(size)};
  if (!p->name) return fail(why, EXIT_INTERNAL, "no memory for a name");
  snprintf(p->name, size, "%s.part", path);
  p->f = fopen(p->name, mode);
  return EXIT_OK;
}

int part_begin(part *p, const char *path, const char *head, failure *why)
{
  const int st = open_part(p, path, "w", why);

  if (st != EXIT_OK) return st;
  if (!p->f) return fail_file("written", p->name, why);
  fputs(head, p->f);
  return EXIT_OK;
}

/* True if the file begins with that text, and is then behind it, or ends within
 * it: *whole says which. */
static bool begins_with(FILE *f, const char *head, bool *whole)
{
  int c = 0;

  while (*head && (c = getc(f)) == (unsigned char)*head) head++;
  *whole = *head == '\0';
  return *whole || c == EOF;
}

/* Where the rows of the last point begin, and which it is. */
static off_t last_point(FILE *f, uint64_t *point, bool *any)
{
  char *line = NULL;
  size_t room = 0;
  off_t at = ftello(f), from = at;

  *any = false;
  for (ssize_t n; (n = getline(&line, &room, f)) > 0; at += n) {
    uint64_t of;

    if (line[n - 1] != '\n' || sscanf(line, "%" SCNu64, &of) != 1) break;
    if (!*any || of != *point) from = at;
    *point = of;
    *any = true;
  }
  free(line);
  return from;
}

static int begin_again(part *p, const char *head, failure *why)
{
  const char *path = p->path;

  part_leave(p);
  return part_begin(p, path, head, why);
}

int part_resume(part *p, const char *path, const char *head, uint64_t first,
                uint64_t last, uint64_t *next, failure *why)
{
  const int st = open_part(p, path, "r+", why);
  uint64_t point = first;
  bool any, whole;

  *next = first;
  if (st != EXIT_OK) return st;
  if (!p->f && errno == ENOENT) return begin_again(p, head, why);
  if (!p->f) return fail_file("read", p->name, why);
  const bool same = begins_with(p->f, head, &whole);
  if (same && !whole) return begin_again(p, head, why);
  if (!same)
    return fail(why, EXIT_DATA,
                "%s: was made by another question: remove it to begin anew",
                p->name);
  const off_t at = last_point(p->f, &point, &any);
  if (any && (point < first || point >= last))
    return fail(why, EXIT_DATA, "%s: has point %" PRIu64 ", not of this part",
                p->name, point);
  if (any) *next = point;
  if (fseeko(p->f, at, SEEK_SET) != 0 || ftruncate(fileno(p->f), at) != 0)
    return fail_file("cut", p->name, why);
  return EXIT_OK;
}

int part_end(part *p, failure *why)
{
  const bool bad = ferror(p->f) != 0;
  int st = EXIT_OK;

  if (fclose(p->f) != 0 || bad) st = fail_file("written", p->name, why);
  p->f = NULL;
  if (st == EXIT_OK && rename(p->name, p->path) != 0)
    st = fail_file("renamed", p->name, why);
  return st;
}

void part_leave(part *p)
{
  if (p->f) fclose(p->f);
  free(p->name);
}

/* ---- joining ------------------------------------------------------------- */

typedef struct merged {
  output *out;
  char *head; /* of the first, without its points */
  uint64_t next, all;
} merged;

/* Reads the head up to the points, then them. */
static char *read_head(FILE *f, uint64_t *first, uint64_t *last, uint64_t *all)
{
  char *head = NULL, *line = NULL;
  size_t size = 0, room = 0;
  ssize_t n;

  while ((n = getline(&line, &room, f)) > 0 && line[0] == '#') {
    char *more;

    if (sscanf(line, "# points: %" SCNu64 "..%" SCNu64 " of %" SCNu64, first,
               last, all) == 3) {
      free(line);
      return head;
    }
    more = realloc(head, size + (size_t)n + 1);
    if (!more) break;
    head = more;
    memcpy(head + size, line, (size_t)n + 1);
    size += (size_t)n;
  }
  free(line);
  free(head);
  return NULL;
}

static int take_head(merged *m, FILE *f, const char *path, failure *why)
{
  uint64_t first = 0, last = 0, all = 0;
  char *head = read_head(f, &first, &last, &all);

  if (!head)
    return fail(why, EXIT_DATA,
                "%s: no shard of a sweep: its head has no points", path);
  if (m->head && (strcmp(m->head, head) != 0 || all != m->all)) {
    free(head);
    return fail(why, EXIT_DATA, "%s: of another sweep than the first", path);
  }
  if (first != m->next) {
    free(head);
    return fail(why, EXIT_DATA,
                "%s: begins with point %" PRIu64 " where %" PRIu64 " is next",
                path, first, m->next);
  }
  if (!m->head && m->out->path)
    fprintf(m->out->f, "%s# points: 0..%" PRIu64 " of %" PRIu64 "\n", head, all,
            all);
  if (m->head)
    free(head);
  else
    m->head = head;
  m->next = last;
  m->all = all;
  return EXIT_OK;
}

static int take_file(merged *m, const char *path, failure *why)
{
  const bool is_first = !m->head;
  FILE *f = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  int st;

  if (!f) return fail_file("read", path, why);
  st = take_head(m, f, path, why);
  for (bool names = true; st == EXIT_OK && getline(&line, &room, f) > 0;
       names = false)
    if (!names || is_first) fputs(line, m->out->f);
  if (st == EXIT_OK && ferror(f)) st = fail_file("read", path, why);
  free(line);
  fclose(f);
  return st;
}

int part_merge(const char *const path[], size_t n, output *out, failure *why)
{
  merged m = {.out = out};
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < n; i++)
    st = take_file(&m, path[i], why);
  if (st == EXIT_OK && m.next != m.all)
    st = fail(why, EXIT_DATA, "sweep: points from %" PRIu64 " on are missing",
              m.next);
  free(m.head);
  return st;
}
