/* source.h - the text of a foreign file, for model/ only: lines, words,
 * complaints, rows.
 *
 * A reader gets the whole file as text and adds rows.  It keeps pointers into
 * that text, from which line and column of every complaint are found. */
#ifndef GPUSCALE_GROUND_SOURCE_H
#define GPUSCALE_GROUND_SOURCE_H

#include "ground/ground.h"

enum {
  GSCALE__FILE_MAX = 64 << 20, /* B of one file */
  GSCALE__ROWS_MAX = 1000000,  /* of one file */
  GSCALE__TOKENS_MAX = 256     /* of one line */
};

/* ---- the file ------------------------------------------------------------ */

typedef struct gscale__source {
  char *text; /* with a NUL behind it, and none inside */
  size_t size;
  const char *path; /* as shown in messages */
  char file[sizeof((gscale_measurement *)0)->file];
  gscale_measurements *out;
  size_t rows, skipped;
  gscale_diag *diag;
  const char *known; /* a place whose line is known */
  const char *line_start;
  size_t known_line;
} gscale__source;

/* A part of the text, without a NUL behind it. */
typedef struct gscale__part {
  const char *at;
  size_t size;
} gscale__part;

/* The end of a long path, which says more than its beginning. */
const char *gscale__shown(const char *path);
/* The end of `text`, as much as fits. */
void gscale__keep_end(char *out, size_t size, const char *text);
/* The last component of a path, as a measurement holds it. */
void gscale__file_name(const char *path, char *out, size_t size);

/* Reads a file of at most 64 MiB without byte-order mark, carriage returns and
 * NUL bytes, which the tools do not write: someone changed the file since. */
gscale_status gscale__source_open(gscale__source *s, const char *path,
                                  gscale_diag *diag);
void gscale__source_close(gscale__source *s);

/* Fails with "path:line:column: ..." for a place in the text. */
gscale_status gscale__bad(gscale__source *s, const char *at, const char *fmt,
                          ...) __attribute__((format(printf, 3, 4)));
/* Fails with a message for a file that ends too early. */
gscale_status gscale__cut(gscale__source *s, const char *what);

/* ---- lines and words ----------------------------------------------------- */

/* Takes the line at *at, which it moves on; false at the end of the text. */
bool gscale__next_line(const gscale__source *s, const char **at,
                       gscale__part *line);
/* True if the line has its line feed, that is, was written to its end. */
bool gscale__whole(const gscale__source *s, gscale__part line);
/* Words between blanks; GSCALE__TOKENS_MAX + 1 if there are more. */
size_t gscale__split(gscale__part line, gscale__part *words);
/* Reads a line and its words. */
typedef gscale_status gscale__read_line(void *reader, gscale__part line,
                                        const gscale__part *word, size_t n);
/* Has each line read until one fails.  Refuses lines of more than `most`
 * words. */
gscale_status gscale__read_lines(gscale__source *s, size_t most,
                                 gscale__read_line *read, void *reader);
bool gscale__is(gscale__part p, const char *word);
bool gscale__begins(gscale__part p, const char *word);
/* Where `word` occurs in p, or NULL. */
const char *gscale__find(gscale__part p, const char *word);
bool gscale__has(const gscale__source *s, const char *word);
/* True if the words are 0, 1, 2 ... */
bool gscale__counts(const gscale__part *word, size_t n);
/* True if the word is nothing but a finite decimal number. */
bool gscale__is_number(gscale__part word, double *out);
/* Reads a finite decimal number, or fails in words that begin with `what`. */
gscale_status gscale__number(gscale__source *s, gscale__part word,
                             const char *what, double *out);

/* ---- rows ---------------------------------------------------------------- */

/* Counts what is no row for us. */
gscale_status gscale__skip(gscale__source *s);
/* Fails unless there was a row, or one that was skipped. */
gscale_status gscale__some_rows(gscale__source *s);
/* A sample with count, inflight and repeats 1 and all else 0. */
gscale_measurement gscale__sample(const char *bench, const char *src,
                                  const char *dst, int gpus,
                                  const char *access);
/* GPU index as src or dst. */
void gscale__end(char *out, size_t size, int gpu);
/* Adds the row, found at `at`.  A time of 0 was too short to be printed: it is
 * skipped and counted. */
gscale_status gscale__add(gscale__source *s, const char *at,
                          gscale_measurement *row);
/* The row's time from bytes and a bandwidth; 0 for 0. */
double gscale__time_of(double bytes, double bandwidth);
/* Median of the n >= 1 values, which it sorts, and the standard error of that
 * median from the median absolute deviation (as params/bench does). */
void gscale__median(double *value, size_t n, double *median, double *sigma);

/* From measure.c: forgets all rows from index `count` on. */
void gscale__measurements_cut(gscale_measurements *m, size_t count);

#endif /* GPUSCALE_GROUND_SOURCE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
