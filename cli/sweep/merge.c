/* merge.c - the files of all shards of a sweep as one.
 *
 * The heads are read first: they must be of one question, follow one another,
 * and say how many rows there are in all.  Then each file is copied, if it
 * holds what its head says. */

#include "sweep/partial_output.h"

#include "common/lines.h"
#include "common/membuf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of one file. */
typedef struct shard {
  FILE *f;
  lines l;
  draft head;                      /* without its points and rows */
  uint64_t first, last, all, rows; /* what it says */
} shard;

static void shard_close(shard *s)
{
  if (s->f) fclose(s->f);
  lines_free(&s->l);
  draft_free(&s->head);
}

/* A line of the head; *said counts those of points and rows. */
static void take_line(shard *s, int *said)
{
  const char *line = s->l.at;

  if (sscanf(line, "# points: %" SCNu64 "..%" SCNu64 " of %" SCNu64, &s->first,
             &s->last, &s->all) == 3 ||
      sscanf(line, "# rows: %" SCNu64, &s->rows) == 1)
    ++*said;
  else
    fwrite(line, 1, s->l.size, s->head.f);
}

/* The head goes up to the line of names, which is the first without a `#`. */
static int read_head(shard *s, failure *why)
{
  int said = 0, st;

  if (!draft_open(&s->head))
    return fail(why, EXIT_INTERNAL, "no memory for a head");
  for (bool more = true; more;) {
    st = lines_next(&s->l, why);
    if (st != EXIT_OK) return st;
    more = s->l.size > 0 && s->l.at[0] == '#';
    if (s->l.size > 0) take_line(s, &said);
  }
  if (!draft_end(&s->head))
    return fail(why, EXIT_INTERNAL, "no memory for a head");
  if (said != 2 || !line_is_whole(&s->l))
    return fail(why, EXIT_DATA,
                "%s: no shard of a sweep that has ended: its head does not say "
                "which points it has and how many rows",
                s->l.name);
  return EXIT_OK;
}

static int shard_open(shard *s, const char *path, failure *why)
{
  *s = (shard){.f = fopen(path, "r")};
  s->l = (lines){.f = s->f, .name = path};
  if (s->f) return read_head(s, why);
  if (errno == ENOMEM)
    return fail(why, EXIT_INTERNAL, "no memory to read %.200s", path);
  return fail(why, EXIT_IO, "%s: cannot be read: %s", path, strerror(errno));
}

/* ---- the heads ----------------------------------------------------------- */

typedef struct merged {
  output *out;
  draft head;          /* of the first file */
  uint64_t next, all;  /* points */
  uint64_t rows, done; /* of all files, and copied */
} merged;

static int check_next(const merged *m, const shard *s, failure *why)
{
  if (m->head.at && (strcmp(m->head.at, s->head.at) != 0 || s->all != m->all))
    return fail(why, EXIT_DATA, "%s: of another sweep than the first",
                s->l.name);
  if (s->first != m->next || s->last < s->first || s->last > s->all)
    return fail(why, EXIT_DATA,
                "%s: begins with point %" PRIu64 " where %" PRIu64 " is next",
                s->l.name, s->first, m->next);
  return EXIT_OK;
}

static int take_head(merged *m, const char *path, failure *why)
{
  shard s;
  int st = shard_open(&s, path, why);

  if (st == EXIT_OK) st = check_next(m, &s, why);
  if (st == EXIT_OK) {
    if (!m->head.at) {
      m->head = s.head;
      s.head = (draft){0};
    }
    m->next = s.last;
    m->all = s.all;
    m->rows += s.rows;
  }
  shard_close(&s);
  return st;
}

/* With the lines of points and rows where a sweep in one process has them: over
 * that of names. */
static void put_head(const merged *m)
{
  const char *names = m->head.at + m->head.size - 1;
  FILE *f = m->out->f;

  while (names > m->head.at && names[-1] != '\n') names--;
  if (m->out->path) {
    fwrite(m->head.at, 1, (size_t)(names - m->head.at), f);
    fprintf(f, "# points: 0..%" PRIu64 " of %" PRIu64 "\n", m->all, m->all);
    part_put_rows(f, &m->rows);
  }
  fputs(names, f);
}

/* ---- the rows ------------------------------------------------------------ */

/* Whole, and of a point of this shard that is not before the last one. */
static bool is_row(const shard *s, uint64_t *point)
{
  uint64_t of;

  if (!line_is_whole(&s->l) || sscanf(s->l.at, "%" SCNu64 ",", &of) != 1 ||
      of < *point || of >= s->last)
    return false;
  *point = of;
  return true;
}

static int copy_rows(merged *m, shard *s, failure *why)
{
  uint64_t point = s->first, count = 0;
  int st;

  while ((st = lines_next(&s->l, why)) == EXIT_OK && s->l.size > 0) {
    if (!is_row(s, &point))
      return fail(why, EXIT_DATA,
                  "%s: row %" PRIu64 " is not a whole one of "
                  "its points",
                  s->l.name, count + 1);
    fwrite(s->l.at, 1, s->l.size, m->out->f);
    count++;
  }
  if (st == EXIT_OK && count != s->rows)
    st = fail(why, EXIT_DATA,
              "%s: has %" PRIu64 " rows where its head says %" PRIu64,
              s->l.name, count, s->rows);
  m->done += count;
  return st;
}

static int take_rows(merged *m, const char *path, failure *why)
{
  shard s;
  int st = shard_open(&s, path, why);

  if (st == EXIT_OK) st = copy_rows(m, &s, why);
  shard_close(&s);
  return st;
}

int part_merge(const char *const path[], size_t n, output *out, failure *why)
{
  merged m = {.out = out};
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < n; i++)
    st = take_head(&m, path[i], why);
  if (st == EXIT_OK && m.next != m.all)
    st = fail(why, EXIT_DATA, "sweep: points from %" PRIu64 " on are missing",
              m.next);
  if (st == EXIT_OK) put_head(&m);
  for (size_t i = 0; st == EXIT_OK && i < n; i++)
    st = take_rows(&m, path[i], why);
  if (st == EXIT_OK && m.done != m.rows)
    st = fail(why, EXIT_IO, "sweep: a shard has changed meanwhile");
  draft_free(&m.head);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
