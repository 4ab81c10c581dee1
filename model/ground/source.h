/* source.h - reader of foreign text files, for model/ only: lines, words,
 * errors and rows.
 *
 * A reader gets the whole file as text and adds rows.  The reader keeps
 * pointers into the text, from which the line and column of an error are
 * found. */
#ifndef GPUSCALE_GROUND_SOURCE_H
#define GPUSCALE_GROUND_SOURCE_H

#include "ground/ground.h"

enum {
  GSCALE__FILE_MAX = 64 << 20, /* B of one file */
  GSCALE__ROWS_MAX = 1000000,  /* rows of one file */
  GSCALE__TOKENS_MAX = 256     /* words of one line */
};

/* ---- file ---------------------------------------------------------------- */

typedef struct gscale__source {
  char *text; /* NUL-terminated, no NUL inside */
  size_t size;
  const char *path; /* path as shown in messages */
  char file[sizeof((gscale_measurement *)0)->file];
  gscale_measurements *out;
  size_t rows, skipped, broken; /* `broken`: lines that could not be read */
  size_t repeated;              /* lines that repeat the line before */
  size_t remarks;               /* remarks of earlier files */
  bool asked;                   /* a remark asks for the ranks */
  gscale_diag *diag;
  gscale_diag first; /* failure of the first broken line */
  const char *known; /* place whose line is known */
  const char *line_start;
  size_t known_line;
} gscale__source;

/* A part of the text, without a NUL at its end. */
typedef struct gscale__part {
  const char *at;
  size_t size;
} gscale__part;

/* Returns the end of a long path, which tells more than its beginning. */
const char *gscale__shown(const char *path);
/* Copies as much of the end of `text` as fits. */
void gscale__keep_end(char *out, size_t size, const char *text);
/* Copies the last component of a path, as a measurement stores it. */
void gscale__file_name(const char *path, char *out, size_t size);

/* Reads a file of at most 64 MiB.  A NUL byte is an error. */
gscale_status gscale__source_open(gscale__source *s, const char *path,
                                  gscale_diag *diag);
void gscale__source_close(gscale__source *s);
/* Removes carriage returns, escape sequences of terminals, indents, number
 * signs and the prefixes of launchers from all lines (strip.c).  Line numbers
 * do not change.  JSON and XML are not modified. */
void gscale__strip(gscale__source *s);
/* Adds a remark with the line of `at`, or with line 0 if `at` is NULL. */
void gscale__remark(gscale__source *s, gscale_remark_kind kind, const char *at,
                    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Fails with "path:line:column: ..." for the place `at` in the text. */
gscale_status gscale__bad(gscale__source *s, const char *at, const char *fmt,
                          ...) __attribute__((format(printf, 3, 4)));
/* Fails with a message that the file ends too early. */
gscale_status gscale__cut(gscale__source *s, const char *what);

/* ---- lines and words ----------------------------------------------------- */

/* Takes the line at *at and moves *at past it.  Returns false at the end. */
bool gscale__next_line(const gscale__source *s, const char **at,
                       gscale__part *line);
/* Returns true if the line ends with a line feed, and so is complete. */
bool gscale__whole(const gscale__source *s, gscale__part line);
/* Splits the line at blanks.  Returns GSCALE__TOKENS_MAX + 1 if there are more
 * than GSCALE__TOKENS_MAX words. */
size_t gscale__split(gscale__part line, gscale__part *words);
/* Reads one line, given as a whole and as words. */
typedef gscale_status gscale__read_line(void *reader, gscale__part line,
                                        const gscale__part *word, size_t n);
/* Calls `read` for each line, and refuses lines of more than `most` words.  A
 * line that repeats the line before is only counted, as if a log was printed
 * twice at once.  If the output is measurements, broken lines are counted and
 * the first one is kept. */
gscale_status gscale__read_lines(gscale__source *s, size_t most,
                                 gscale__read_line *read, void *reader);
bool gscale__same(gscale__part a, gscale__part b);
bool gscale__is(gscale__part p, const char *word);
bool gscale__begins(gscale__part p, const char *word);
/* Returns the place where `word` occurs in p, or NULL. */
const char *gscale__find(gscale__part p, const char *word);
bool gscale__has(const gscale__source *s, const char *word);
/* Returns true if the words are 0, 1, 2 ... */
bool gscale__counts(const gscale__part *word, size_t n);
/* Returns true if the word is a finite decimal number and nothing else. */
bool gscale__is_number(gscale__part word, double *out);
/* Reads a finite decimal number.  Messages of failures begin with `what`. */
gscale_status gscale__number(gscale__source *s, gscale__part word,
                             const char *what, double *out);

/* ---- rows ---------------------------------------------------------------- */

/* Counts a line without a row. */
gscale_status gscale__skip(gscale__source *s);
/* Returns a sample with count, inflight and repeats 1 and all else 0. */
gscale_measurement gscale__sample(const char *bench, const char *src,
                                  const char *dst, int gpus,
                                  const char *access);
/* Writes the index of a GPU as source or destination. */
void gscale__end(char *out, size_t size, int gpu);
/* Adds a row that was found at `at`.  A row with time 0, which was too short to
 * be printed, is skipped and counted. */
gscale_status gscale__add(gscale__source *s, const char *at,
                          gscale_measurement *row);
/* Returns a row's time, bytes / bandwidth, or 0 if there is no bandwidth. */
double gscale__time_of(double bytes, double bandwidth);
/* Returns the number of ranks that the caller gave for logs, or 0. */
int gscale__measurements_ranks(const gscale_measurements *m);
/* Removes all rows from index `count` on (measure.c). */
void gscale__measurements_cut(gscale_measurements *m, size_t count);
/* Adds a remark, or does nothing if memory is exhausted. */
void gscale__measurements_remark(gscale_measurements *m,
                                 const gscale_remark *remark);

#endif /* GPUSCALE_GROUND_SOURCE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
