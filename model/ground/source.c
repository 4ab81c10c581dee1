/* source.c - reader of a foreign text file: lines, words, errors and rows. */

#include "ground/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PATH_SHOWN = 128, /* B, which leaves room for the message */
  QUOTED = 48       /* B of text in messages */
};

/* ---- names --------------------------------------------------------------- */

const char *gscale__shown(const char *path)
{
  const size_t length = strlen(path);
  return length > PATH_SHOWN ? path + length - PATH_SHOWN : path;
}

void gscale__keep_end(char *out, size_t size, const char *text)
{
  const size_t length = strlen(text);
  const char *const from = length < size ? text : text + length - (size - 1);
  memcpy(out, from, strlen(from) + 1);
}

void gscale__file_name(const char *path, char *out, size_t size)
{
  const char *const slash = strrchr(path, '/');
  gscale__keep_end(out, size, slash ? slash + 1 : path);
}

/* ---- errors -------------------------------------------------------------- */

/* Finds the line and column of a place.  Places come in rising order, and the
 * search resumes where the last search ended, because a file may be one line of
 * 64 MiB. */
static void place(gscale__source *s, const char *at, size_t *line,
                  size_t *column)
{
  if (!s->known || at < s->known) {
    s->known = s->line_start = s->text;
    s->known_line = 1;
  }
  for (;;) {
    const char *const end = memchr(s->known, '\n', (size_t)(at - s->known));
    if (!end) break;
    s->known = s->line_start = end + 1;
    s->known_line++;
  }
  s->known = at;
  *line = s->known_line;
  *column = (size_t)(at - s->line_start) + 1;
}

gscale_status gscale__bad(gscale__source *s, const char *at, const char *fmt,
                          ...)
{
  char what[GSCALE_TEXT_MAX];
  size_t line, column;
  va_list args;

  va_start(args, fmt);
  gscale__vprint(what, sizeof what, fmt, args);
  va_end(args);
  place(s, at, &line, &column);
  return gscale__fail(s->diag, GSCALE_EPARSE, "%s:%zu:%zu: %s", s->path, line,
                      column, what);
}

gscale_status gscale__cut(gscale__source *s, const char *what)
{
  if (s->rows > 0) {
    gscale__remark(s, GSCALE_REMARK_NOTE, s->text + s->size,
                   "the file ends %s: is it cut off?", what);
    return GSCALE_OK;
  }
  if (s->broken > 0) {
    *s->diag = s->first;
    return GSCALE_EPARSE;
  }
  return gscale__bad(s, s->text + s->size, "the file ends %s: is it cut off?",
                     what);
}

void gscale__remark(gscale__source *s, gscale_remark_kind kind, const char *at,
                    const char *fmt, ...)
{
  gscale_remark remark = {.kind = kind};
  size_t line = 0, column;
  va_list args;

  va_start(args, fmt);
  gscale__vprint(remark.text, sizeof remark.text, fmt, args);
  va_end(args);
  if (at) place(s, at, &line, &column);
  remark.line = (int)line;
  memcpy(remark.file, s->file, sizeof remark.file);
  if (s->out) gscale__measurements_remark(s->out, &remark);
}

/* ---- file ---------------------------------------------------------------- */

static gscale_status no_memory(gscale__source *s)
{
  return gscale__fail(s->diag, GSCALE_ENOMEM, "%s: no memory", s->path);
}

static gscale_status slurp(gscale__source *s, FILE *file)
{
  size_t room = 0;

  for (;;) {
    char *const moved = gscale_reserve(s->text, &room, s->size + 65536, 1);
    if (!moved) return no_memory(s);
    s->text = moved;
    const size_t n = fread(s->text + s->size, 1, room - 1 - s->size, file);
    s->size += n;
    if (n == 0 || s->size > GSCALE__FILE_MAX) break;
  }
  s->text[s->size] = '\0';
  const size_t mark = gscale__mark_size(s->text, s->size);
  s->size -= mark;
  memmove(s->text, s->text + mark, s->size + 1);
  if (ferror(file))
    return gscale__fail(s->diag, GSCALE_EIO, "%s: cannot read: %s", s->path,
                        strerror(errno));
  if (s->size > GSCALE__FILE_MAX)
    return gscale__bad(s, s->text + GSCALE__FILE_MAX,
                       "the file goes on beyond 64 MiB");
  return GSCALE_OK;
}

gscale_status gscale__source_open(gscale__source *s, const char *path,
                                  gscale_diag *diag)
{
  *s = (gscale__source){.path = gscale__shown(path), .diag = diag};
  gscale__file_name(path, s->file, sizeof s->file);

  FILE *const file = fopen(path, "rb");
  if (!file)
    return gscale__fail(diag, GSCALE_EIO, "%s: cannot open: %s", s->path,
                        strerror(errno));
  gscale_status st = slurp(s, file);
  const int cause = errno; /* the header promises errno */
  fclose(file);
  const char *const nul = memchr(s->text ? s->text : "", '\0', s->size);
  if (st == GSCALE_OK && nul)
    st = gscale__bad(s, nul, "a NUL byte: is the file UTF-16?");
  if (st != GSCALE_OK) gscale__source_close(s);
  errno = cause;
  return st;
}

void gscale__source_close(gscale__source *s)
{
  free(s->text);
  s->text = NULL;
}

/* ---- lines and words ---------------------------------------------------- */

bool gscale__next_line(const gscale__source *s, const char **at,
                       gscale__part *line)
{
  const char *const end = s->text + s->size;
  if (*at == end) return false;
  const char *const feed = memchr(*at, '\n', (size_t)(end - *at));
  *line = (gscale__part){*at, (size_t)((feed ? feed : end) - *at)};
  *at = feed ? feed + 1 : end;
  return true;
}

bool gscale__whole(const gscale__source *s, gscale__part line)
{
  return line.at + line.size < s->text + s->size;
}

static bool blank(char c)
{
  return c == ' ' || c == '\t';
}

size_t gscale__split(gscale__part line, gscale__part *words)
{
  const char *at = line.at, *const end = line.at + line.size;
  for (size_t n = 0;; n++) {
    while (at < end && blank(*at)) at++;
    if (at == end || n > GSCALE__TOKENS_MAX) return n;
    const char *const from = at;
    while (at < end && !blank(*at)) at++;
    if (n < GSCALE__TOKENS_MAX)
      words[n] = (gscale__part){from, (size_t)(at - from)};
  }
}

gscale_status gscale__read_lines(gscale__source *s, size_t most,
                                 gscale__read_line *read, void *reader)
{
  gscale__part line, last = {NULL, 0}, word[GSCALE__TOKENS_MAX];
  gscale_status st = GSCALE_OK;
  const char *at = s->text;

  for (; st == GSCALE_OK && gscale__next_line(s, &at, &line); last = line) {
    const size_t n = gscale__split(line, word);
    if (n > 1 && gscale__same(line, last)) {
      s->repeated++;
      continue;
    }
    st = n > most ? gscale__bad(s, line.at, "too many words")
                  : read(reader, line, word, n);
    if (st != GSCALE_EPARSE || !s->out || s->rows == GSCALE__ROWS_MAX) continue;
    if (s->broken++ == 0) s->first = *s->diag;
    st = GSCALE_OK;
  }
  return st;
}

bool gscale__same(gscale__part a, gscale__part b)
{
  return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

bool gscale__is(gscale__part p, const char *word)
{
  return gscale__same(p, (gscale__part){word, strlen(word)});
}

bool gscale__begins(gscale__part p, const char *word)
{
  const size_t n = strlen(word);
  return p.size >= n && memcmp(p.at, word, n) == 0;
}

const char *gscale__find(gscale__part p, const char *word)
{
  const size_t n = strlen(word);
  for (size_t i = 0; i + n <= p.size; i++)
    if (memcmp(p.at + i, word, n) == 0) return p.at + i;
  return NULL;
}

bool gscale__has(const gscale__source *s, const char *word)
{
  return strstr(s->text, word);
}

bool gscale__is_number(gscale__part word, double *out)
{
  const char *end = NULL;
  double number;

  if (word.size == 0 ||
      gscale__parse_number(word.at, &end, &number) != GSCALE_OK ||
      end != word.at + word.size)
    return false;
  *out = number;
  return true;
}

bool gscale__counts(const gscale__part *word, size_t n)
{
  double k;
  for (size_t i = 0; i < n; i++)
    if (!gscale__is_number(word[i], &k) || k != (double)i) return false;
  return true;
}

gscale_status gscale__number(gscale__source *s, gscale__part word,
                             const char *what, double *out)
{
  const int shown = word.size < QUOTED ? (int)word.size : QUOTED;
  if (gscale__is_number(word, out)) return GSCALE_OK;
  return gscale__bad(s, word.at, "%s: not a finite decimal number: '%.*s'",
                     what, shown, word.at);
}

/* ---- rows --------------------------------------------------------------- */

gscale_status gscale__skip(gscale__source *s)
{
  s->skipped++;
  return GSCALE_OK;
}

gscale_measurement gscale__sample(const char *bench, const char *src,
                                  const char *dst, int gpus, const char *access)
{
  gscale_measurement row = {
      .gpus = gpus, .count = 1.0, .inflight = 1.0, .repeats = 1.0};
  gscale__keep_end(row.bench, sizeof row.bench, bench);
  gscale__keep_end(row.src, sizeof row.src, src);
  gscale__keep_end(row.dst, sizeof row.dst, dst);
  gscale__keep_end(row.access, sizeof row.access, access);
  return row;
}

void gscale__end(char *out, size_t size, int gpu)
{
  gscale__print(out, size, "%d", gpu);
}

gscale_status gscale__add(gscale__source *s, const char *at,
                          gscale_measurement *row)
{
  gscale_diag why = {""};
  size_t column, line;

  if (row->time == 0.0) return gscale__skip(s);
  if (s->rows == GSCALE__ROWS_MAX)
    return gscale__bad(s, at, "more than %d rows", (int)GSCALE__ROWS_MAX);
  place(s, at, &line, &column);
  row->line = (int)line;
  memcpy(row->file, s->file, sizeof row->file);
  const gscale_status st = gscale_measurements_add(s->out, row, &why);
  if (st == GSCALE_ENOMEM) return no_memory(s);
  if (st != GSCALE_OK) return gscale__bad(s, at, "%s", why.text);
  s->rows++;
  return GSCALE_OK;
}

double gscale__time_of(double bytes, double bandwidth)
{
  return bandwidth == 0.0 ? 0.0 : bytes / bandwidth;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
