/* source.h - reader of foreign text files for model/ only: lines, words,
 * errors, rows.
 *
 * A reader gets the whole file as text and adds rows.  It keeps pointers into
 * that text, from which the line and column of an error are found. */
#ifndef GPUSCALE_GROUND_SOURCE_H
#define GPUSCALE_GROUND_SOURCE_H

#include "ground/ground.h"

enum {
  GSCALE__FILE_MAX = 64 << 20, /* B of one file */
  GSCALE__ROWS_MAX = 1000000,  /* of one file */
  GSCALE__TOKENS_MAX = 256     /* of one line */
};

/* ---- file ---------------------------------------------------------------- */

typedef struct gscale__source {
  char *text; /* NUL-terminated, no NUL inside */
  size_t size;
  const char *path; /* as shown in messages */
  char file[sizeof((gscale_measurement *)0)->file];
  gscale_measurements *out;
  size_t rows, skipped, broken; /* broken: lines that could not be read */
  size_t remarks;               /* of the files before */
  gscale_diag *diag;
  gscale_diag first; /* what was wrong with the first broken line */
  const char *known; /* its line is known */
  const char *line_start;
  size_t known_line;
} gscale__source;

/* A part of the text, which has no NUL at its end. */
typedef struct gscale__part {
  const char *at;
  size_t size;
} gscale__part;

/* Returns the end of a long path, which says more than its beginning. */
const char *gscale__shown(const char *path);
/* Copies the end of `text`, as much as fits. */
void gscale__keep_end(char *out, size_t size, const char *text);
/* Copies the last component of a path, as a measurement stores it. */
void gscale__file_name(const char *path, char *out, size_t size);

/* Reads a file of at most 64 MiB, in which a NUL byte is an error. */
gscale_status gscale__source_open(gscale__source *s, const char *path,
                                  gscale_diag *diag);
void gscale__source_close(gscale__source *s);
/* Removes carriage returns, escape sequences of terminals, indents, number
 * signs and the prefixes of launchers from all lines (strip.c). Lines keep
 * their numbers. JSON and XML stay as they are. */
void gscale__strip(gscale__source *s);
/* Adds a remark to the measurements, with the line of `at` or 0 for NULL. */
void gscale__remark(gscale__source *s, gscale_remark_kind kind, const char *at,
                    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Fails with "path:line:column: ..." for a place in the text. */
gscale_status gscale__bad(gscale__source *s, const char *at, const char *fmt,
                          ...) __attribute__((format(printf, 3, 4)));
/* Fails with a message that the file ends too early. */
gscale_status gscale__cut(gscale__source *s, const char *what);

/* ---- lines and words ----------------------------------------------------- */

/* Takes the line at *at and moves *at past it; returns false at the end of the
 * text. */
bool gscale__next_line(const gscale__source *s, const char **at,
                       gscale__part *line);
/* Returns true if the line ends with a line feed, so that it was written
 * completely. */
bool gscale__whole(const gscale__source *s, gscale__part line);
/* Splits the line at blanks; returns GSCALE__TOKENS_MAX + 1 if there are more
 * words. */
size_t gscale__split(gscale__part line, gscale__part *words);
/* Reads one line, given as a whole and as words. */
typedef gscale_status gscale__read_line(void *reader, gscale__part line,
                                        const gscale__part *word, size_t n);
/* Calls `read` for each line; refuses lines of more than `most` words. With
 * measurements as output a broken line is counted and the first one kept. */
gscale_status gscale__read_lines(gscale__source *s, size_t most,
                                 gscale__read_line *read, void *reader);
bool gscale__is(gscale__part p, const char *word);
bool gscale__begins(gscale__part p, const char *word);
/* Returns the place where `word` occurs in p, or NULL. */
const char *gscale__find(gscale__part p, const char *word);
bool gscale__has(const gscale__source *s, const char *word);
/* Returns true if the words are 0, 1, 2 ... */
bool gscale__counts(const gscale__part *word, size_t n);
/* Returns true if the word is a finite decimal number and nothing else. */
bool gscale__is_number(gscale__part word, double *out);
/* Reads a finite decimal number, or fails with a message that begins with
 * `what`. */
gscale_status gscale__number(gscale__source *s, gscale__part word,
                             const char *what, double *out);

/* ---- rows ---------------------------------------------------------------- */

/* Counts a line that holds no row. */
gscale_status gscale__skip(gscale__source *s);
/* Returns a sample with count, inflight and repeats 1 and every other number
 * 0. */
gscale_measurement gscale__sample(const char *bench, const char *src,
                                  const char *dst, int gpus,
                                  const char *access);
/* Writes the index of a GPU as src or dst. */
void gscale__end(char *out, size_t size, int gpu);
/* Adds the row, found at `at`.  A row with time 0, too short to be printed, is
 * skipped and counted. */
gscale_status gscale__add(gscale__source *s, const char *at,
                          gscale_measurement *row);
/* Returns the row's time, bytes / bandwidth, or 0 for no bandwidth. */
double gscale__time_of(double bytes, double bandwidth);
/* Drops all rows from index `count` on (measure.c). */
void gscale__measurements_cut(gscale_measurements *m, size_t count);
/* Adds a remark, or does nothing without memory. */
void gscale__measurements_remark(gscale_measurements *m,
                                 const gscale_remark *remark);

#endif /* GPUSCALE_GROUND_SOURCE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
