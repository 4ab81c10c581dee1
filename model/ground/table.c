/* table.c - reader of CSV files.
 *
 * libcsv finds the fields. libcsv does not count lines, accepts NUL bytes and
 * fields of any length, and does not know `#` lines or byte-order marks.  This
 * file therefore passes the text to libcsv line by line and handles all these
 * cases.  A line ends with LF, CR LF or CR.  Empty lines are skipped, but
 * counted. */

#include "ground/source.h"

#include <csv.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 16 * 1024,     /* B that are read at a time */
  FIELD_MAX = 64 * 1024, /* B of one field */
  COLUMNS_MAX = 1024     /* because every pair of names is compared */
};

struct gscale_table {
  char *path;     /* path as shown in messages */
  size_t columns; /* 0 until the header is complete */
  size_t cells;   /* offsets of names, then of rows, in text */
  size_t *cell;
  size_t text_used;
  char *text; /* all fields, each with a NUL at its end */
  size_t rows;
  int *line; /* line of each row */
  size_t cell_room, text_room, line_room;
};

/* The state of the reader of one file. */
typedef struct reader {
  gscale_table *table;
  struct csv_parser csv;
  gscale_status status; /* first failure, which ends the reading */
  gscale_diag *diag;
  size_t line;              /* current line, from 1 */
  size_t row_line;          /* first line of the row */
  size_t field_line;        /* first line of the field */
  size_t fields;            /* complete fields of this row */
  size_t rows, bytes;       /* rows and bytes read so far */
  bool in_row;              /* false on a `#` line */
  bool comment;             /* true on a `#` line */
  bool line_ended;          /* the next byte begins a line */
  char last;                /* the previous byte */
  gscale_table_taker *take; /* called for each row unless NULL */
  void *closure;
} reader;

/* ---- errors -------------------------------------------------------------- */

/* Fails with "path:12:3: time_s: what: 'quoted'".  `column` counts from 0. */
static gscale_status fail_at(const gscale_table *t, size_t line, size_t column,
                             const char *what, const char *quoted,
                             gscale_status st, gscale_diag *diag)
{
  const bool named = column < t->columns;
  return gscale__fail(diag, st, "%s:%zu:%zu: %.48s%s%s%s%.48s%s", t->path, line,
                      column + 1, named ? t->text + t->cell[column] : "",
                      named ? ": " : "", what, quoted ? ": '" : "",
                      quoted ? quoted : "", quoted ? "'" : "");
}

static void refuse(reader *r, size_t line, const char *what, const char *quoted)
{
  r->status =
      fail_at(r->table, line, r->fields, what, quoted, GSCALE_EPARSE, r->diag);
}

static void refuse_memory(reader *r)
{
  r->status = fail_at(r->table, r->line, r->fields, "no memory", NULL,
                      GSCALE_ENOMEM, r->diag);
}

/* ---- growing arrays ------------------------------------------------------ */

static bool add_cell(gscale_table *t, const char *field, size_t length)
{
  size_t *const cell =
      gscale_reserve(t->cell, &t->cell_room, t->cells + 1, sizeof *cell);
  if (!cell) return false;
  t->cell = cell;

  char *const text =
      gscale_reserve(t->text, &t->text_room, t->text_used + length + 1, 1);
  if (!text) return false;
  t->text = text;

  memcpy(text + t->text_used, field, length + 1);
  cell[t->cells++] = t->text_used;
  t->text_used += length + 1;
  return true;
}

static bool add_row(gscale_table *t, size_t line)
{
  int *const lines =
      gscale_reserve(t->line, &t->line_room, t->rows + 1, sizeof *lines);
  if (!lines) return false;
  t->line = lines;
  lines[t->rows++] = line < INT_MAX ? (int)line : INT_MAX;
  return true;
}

/* ---- callbacks of libcsv ------------------------------------------------- */

static const char *wrong_with_name(const gscale_table *t, const char *name)
{
  if (*name == '\0') return "a column without a name";
  if (t->cells == COLUMNS_MAX) return "more than 1024 columns";
  for (size_t i = 0; i < t->cells; i++)
    if (strcmp(t->text + t->cell[i], name) == 0)
      return "a column name given twice";
  return NULL;
}

static void on_field(void *field, size_t length, void *data)
{
  reader *const r = data;
  gscale_table *const t = r->table;
  const bool naming = t->columns == 0;
  const char *wrong = NULL;

  if (r->status != GSCALE_OK) return;

  if (length > FIELD_MAX)
    wrong = "a field over 64 KiB";
  else if (naming)
    wrong = wrong_with_name(t, field);
  else if (r->fields == t->columns)
    wrong = "more fields than column names";

  if (wrong)
    refuse(r, r->field_line, wrong, length > 0 ? field : NULL);
  else if (!add_cell(t, field, length))
    refuse_memory(r);
  r->fields++;
  r->field_line = r->line;
}

/* Removes a row after it was taken, but keeps the names. */
static void drop_row(reader *r)
{
  gscale_table *const t = r->table;

  if (!r->take || r->status != GSCALE_OK) return;
  r->status = r->take(t, r->closure, r->diag);
  if (t->rows == 0) return;
  t->text_used = t->cell[t->columns];
  t->cells = t->columns;
  t->rows = 0;
}

static void on_row(int end, void *data)
{
  reader *const r = data;
  gscale_table *const t = r->table;

  (void)end;
  r->in_row = false;
  if (r->status != GSCALE_OK || r->fields == 0) return; /* an empty line */

  if (t->columns == 0)
    t->columns = r->fields;
  else if (r->fields < t->columns)
    refuse(r, r->line, "missing, the row ends before it", NULL);
  else if (r->rows++ == GSCALE__ROWS_MAX)
    r->fields = 0, refuse(r, r->row_line, "more than 1000000 rows", NULL);
  else if (!add_row(t, r->row_line))
    refuse_memory(r);
  r->fields = 0;
  drop_row(r);
}

/* libcsv gets the memory of a field from this function.  The limit is a little
 * above a field's, because libcsv removes quotes and blanks only at the end. */
static void *limited_realloc(void *at, size_t size)
{
  return size > FIELD_MAX + 16 ? NULL : realloc(at, size);
}

/* ---- lines of bytes ------------------------------------------------------ */

static bool ends_line(char c)
{
  return c == '\n' || c == '\r';
}

/* Returns the number of bytes, at most n, up to and including the first end of
 * a line. */
static size_t piece_size(const char *at, size_t n)
{
  size_t i = 0;
  while (i < n && !ends_line(at[i])) i++;
  return i < n ? i + 1 : n;
}

static void begin_line(reader *r, char first)
{
  r->line++;
  if (r->in_row) return; /* still inside a quoted field */
  r->comment = r->table->columns == 0 && first == '#';
  r->in_row = !r->comment;
  r->row_line = r->field_line = r->line;
}

static void explain_refusal(reader *r)
{
  if (csv_error(&r->csv) == CSV_EPARSE)
    refuse(r, r->line, "a quote in the middle of a field", NULL);
  else if (csv_get_buffer_size(&r->csv) > FIELD_MAX)
    refuse(r, r->field_line, "a field over 64 KiB", NULL);
  else
    refuse_memory(r);
}

static void parse(reader *r, const char *at, size_t n)
{
  const size_t done = csv_parse(&r->csv, at, n, on_field, on_row, r);
  if (r->status == GSCALE_OK && done < n) explain_refusal(r);
}

/* Takes at most one line of the n >= 1 bytes, and returns the number taken. */
static size_t take_piece(reader *r, const char *at, size_t n)
{
  const bool rest_of_crlf = r->last == '\r' && *at == '\n';
  if (r->line_ended && !rest_of_crlf) begin_line(r, *at);

  const size_t size = piece_size(at, n);
  const char *const nul = memchr(at, '\0', size);
  if (!r->comment) parse(r, at, nul ? (size_t)(nul - at) : size);
  if (nul && r->status == GSCALE_OK) refuse(r, r->line, "a NUL byte", NULL);

  r->last = at[size - 1];
  r->line_ended = ends_line(r->last);
  return size;
}

size_t gscale__mark_size(const char *at, size_t n)
{
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
  const size_t size = sizeof mark - 1;
  return n >= size && memcmp(at, mark, size) == 0 ? size : 0;
}

static void finish(reader *r)
{
  if (csv_fini(&r->csv, on_field, on_row, r) != 0 && r->status == GSCALE_OK)
    refuse(r, r->field_line, "a quoted field without end", NULL);
  if (r->status == GSCALE_OK && r->table->columns == 0)
    refuse(r, r->line ? r->line : 1, "no line of column names", NULL);
}

static void read_stream(reader *r, FILE *file)
{
  char block[BLOCK];
  bool first = true;
  size_t n;

  while ((n = fread(block, 1, sizeof block, file)) > 0) {
    size_t at = first ? gscale__mark_size(block, n) : 0;
    r->bytes += n;
    if (r->bytes > GSCALE__FILE_MAX)
      refuse(r, r->line, "more than 64 MiB", NULL);
    first = false;
    while (at < n && r->status == GSCALE_OK)
      at += take_piece(r, block + at, n - at);
    if (r->status != GSCALE_OK) return;
  }
  if (ferror(file))
    r->status = gscale__fail(r->diag, GSCALE_EIO, "%s: cannot read: %s",
                             r->table->path, strerror(errno));
  else
    finish(r);
}

/* ---- tables -------------------------------------------------------------- */

static gscale_table *table_new(const char *path)
{
  gscale_table *const t = calloc(1, sizeof *t);
  if (t) t->path = strdup(path);
  if (t && t->path) return t;
  free(t);
  return NULL;
}

void gscale_table_free(gscale_table *t)
{
  if (!t) return;
  free(t->path);
  free(t->cell);
  free(t->text);
  free(t->line);
  free(t);
}

static gscale_status fill(gscale_table *t, FILE *file, gscale_table_taker *take,
                          void *closure, gscale_diag *diag)
{
  reader r = {.table = t,
              .diag = diag,
              .line_ended = true,
              .take = take,
              .closure = closure};
  csv_init(&r.csv,
           CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_REPALL_NL);
  csv_set_realloc_func(&r.csv, limited_realloc);
  read_stream(&r, file);
  csv_free(&r.csv);
  return r.status;
}

static gscale_status read_table(const char *path, gscale_table_taker *take,
                                void *closure, gscale_table **out,
                                gscale_diag *diag)
{
  FILE *const file = fopen(path, "rb");
  if (!file)
    return gscale__fail(diag, GSCALE_EIO, "%s: cannot open: %s",
                        gscale__shown(path), strerror(errno));

  gscale_table *const t = table_new(gscale__shown(path));
  const gscale_status st =
      t ? fill(t, file, take, closure, diag)
        : gscale__fail(diag, GSCALE_ENOMEM, "%s: no memory",
                       gscale__shown(path));
  const int cause = errno; /* the header promises errno */
  fclose(file);
  if (st == GSCALE_OK && out)
    *out = t;
  else
    gscale_table_free(t);
  errno = cause;
  return st;
}

gscale_status gscale_table_read(const char *path, gscale_table **out,
                                gscale_diag *diag)
{
  return read_table(path, NULL, NULL, out, diag);
}

gscale_status gscale_table_each(const char *path, gscale_table_taker *take,
                                void *closure, gscale_diag *diag)
{
  return read_table(path, take, closure, NULL, diag);
}

size_t gscale_table_rows(const gscale_table *t)
{
  return t->rows;
}

int gscale_table_line(const gscale_table *t, size_t row)
{
  return row < t->rows ? t->line[row] : 0;
}

gscale_status gscale_table_column(const gscale_table *t, const char *name,
                                  size_t *out, gscale_diag *diag)
{
  for (size_t i = 0; i < t->columns; i++) {
    if (strcmp(t->text + t->cell[i], name) == 0) {
      *out = i;
      return GSCALE_OK;
    }
  }
  return gscale__fail(diag, GSCALE_ENAME, "%s: no column '%.60s'", t->path,
                      name);
}

const char *gscale_table_name(const gscale_table *t, size_t column)
{
  return column < t->columns ? t->text + t->cell[column] : NULL;
}

const char *gscale_table_text(const gscale_table *t, size_t row, size_t column)
{
  if (row >= t->rows || column >= t->columns) return NULL;
  return t->text + t->cell[(row + 1) * t->columns + column];
}

gscale_status gscale_table_number(const gscale_table *t, size_t row,
                                  size_t column, double *out, gscale_diag *diag)
{
  const char *const text = gscale_table_text(t, row, column);
  const char *end = "";
  double number;

  if (!text)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: no row %zu, column %zu",
                        t->path, row, column);

  const gscale_status st = gscale__parse_number(text, &end, &number);
  if (st != GSCALE_OK || *end != '\0')
    return fail_at(t, (size_t)t->line[row], column,
                   "not a finite decimal number", text,
                   st == GSCALE_ENOMEM ? st : GSCALE_EPARSE, diag);
  *out = number;
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
