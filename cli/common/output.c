/* output.c - writes results as rows in CSV and JSON. */

#include "common/rows.h"

#include <csv.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------- */

/* A sink for rows without memory, which is never written. */
static rows none;
static cell nowhere[ROW_MAX];

rows *rows_new(const char *schema, const column *columns, size_t n)
{
  rows *r = malloc(sizeof *r);
  const bool lost = !r;

  if (lost) r = &none;
  *r = (rows){.schema = schema, .columns = columns, .n = n, .lost = lost};
  return r;
}

rows *rows_lost(void)
{
  none = (rows){.lost = true};
  return &none;
}

static void clear_row(const rows *r, cell *row)
{
  for (size_t i = 0; i < r->n; i++) {
    row[i].text[0] = '\0';
    row[i].whole = NULL;
    row[i].number = r->columns[i].type == COLUMN_TEXT ? 0.0 : NAN;
  }
}

rows *rows_made(const char *schema, const column *columns, size_t n,
                size_t count,
                void (*fill)(cell *row, const void *closure, size_t j),
                const void *closure)
{
  rows *r = rows_new(schema, columns, n);

  rows_add(r);
  r->count = count;
  r->fill = fill;
  r->closure = closure;
  return r;
}

const cell *row_at(const rows *r, size_t j)
{
  if (!r->fill) return r->cells + j * r->n;
  clear_row(r, r->cells);
  r->fill(r->cells, r->closure, j);
  return r->cells;
}

void rows_free(rows *r)
{
  if (!r || r == &none) return;
  free(r->cells);
  free(r);
}

cell *rows_add(rows *r)
{
  if (!r->lost) {
    cell *cells =
        gscale_reserve(r->cells, &r->room, r->count + 1, r->n * sizeof *cells);
    r->lost = !cells;
    if (cells) r->cells = cells;
  }
  cell *row = r->lost ? nowhere : r->cells + r->count * r->n;
  r->count++;
  clear_row(r, row);
  return row;
}

void rows_answer(rows *r, const claim *c)
{
  r->answer = c;
}

size_t rows_count(const rows *r)
{
  return r->count;
}

void set_text(cell *c, const char *text)
{
  const size_t size = text ? strlen(text) : 0, most = sizeof c->text - 1;
  const size_t n = size < most ? size : most;

  if (n > 0) memcpy(c->text, text, n);
  c->text[n] = '\0';
}

const char *cell_text(const cell *c)
{
  return c->whole ? c->whole : c->text;
}

/* ---- CSV ---------------------------------------------------------------- */

static void put_csv_cell(FILE *f, const column *c, const cell *v)
{
  if (c->type != COLUMN_TEXT) { /* a missing value is empty */
    if (isfinite(v->number)) fprintf(f, "%.17g", v->number);
    return;
  }
  const char *text = cell_text(v);
  if (text[strcspn(text, ",\"\r\n")])
    csv_fwrite(f, text, strlen(text));
  else
    fputs(text, f);
}

void csv_put_names(FILE *f, const column *columns, size_t n)
{
  const char *comma = "";

  for (size_t i = 0; i < n; i++) {
    if (!columns[i].name) continue;
    fprintf(f, "%s%s", comma, columns[i].name);
    comma = ",";
  }
  putc('\n', f);
}

void csv_put_row(FILE *f, const column *columns, size_t n, const cell *row)
{
  bool first = true;

  for (size_t i = 0; i < n; i++) {
    if (!columns[i].name) continue;
    if (!first) putc(',', f);
    put_csv_cell(f, &columns[i], &row[i]);
    first = false;
  }
  putc('\n', f);
}

static void write_csv(const rows *r, FILE *f)
{
  csv_put_names(f, r->columns, r->n);
  for (size_t j = 0; j < r->count; j++)
    csv_put_row(f, r->columns, r->n, row_at(r, j));
}

/* ---- JSON --------------------------------------------------------------- */

/* Validates UTF-8 like jansson. A later failure of jansson is lack of
 * memory. */
static bool is_utf8(const char *text)
{
  uint32_t code;

  for (size_t n; *text; text += n) {
    n = character_at(text, &code);
    if (n == 1 && code >= 0x80) return false;
  }
  return true;
}

/* Converts text to UTF-8, which JSON requires and descriptions do not. */
static json_t *json_text(const char *text)
{
  json_t *s;
  char *ascii;

  if (is_utf8(text)) return json_string(text);
  ascii = strdup(text);
  if (!ascii) return NULL;
  for (char *c = ascii; *c; c++)
    if ((signed char)*c < 0) *c = '?';
  s = json_string(ascii);
  free(ascii);
  return s;
}

void put_json_text(FILE *f, const char *text)
{
  json_t *s = json_text(text);

  if (!s || json_dumpf(s, f, JSON_ENCODE_ANY) != 0) fputs("null", f);
  json_decref(s);
}

static json_t *json_cell(const column *c, const cell *v)
{
  if (c->type == COLUMN_TEXT) return json_text(cell_text(v));
  if (!isfinite(v->number)) return json_null();
  const bool whole =
      !(fabs(v->number - round(v->number)) > 0.0); /* the value may be a mean */
  if (c->type == COLUMN_INTEGER && whole)
    return json_integer((json_int_t)v->number);
  return json_real(v->number);
}

static json_t *json_row(const rows *r, size_t j)
{
  const cell *cells = row_at(r, j);
  json_t *row = json_object();

  for (size_t i = 0; row && i < r->n; i++)
    if (r->columns[i].name &&
        json_object_set_new(row, r->columns[i].name,
                            json_cell(&r->columns[i], &cells[i])) != 0) {
      json_decref(row);
      row = NULL;
    }
  return row;
}

static json_t *json_files(void)
{
  json_t *list = json_array();
  const made_file *m;

  for (size_t i = 0; list && (m = made_file_at(i)); i++) {
    json_t *file = json_pack("{s:o, s:s}", "file", json_text(m->name), "sha256",
                             m->sha256);

    if (json_array_append_new(list, file) == 0) continue;
    json_decref(list);
    list = NULL;
  }
  return list;
}

/* Returns the version, the command and the descriptions behind a result. */
static json_t *json_made(void)
{
  if (!made_is_whole()) return NULL;
  return json_pack("{s:s, s:o, s:o}", "version", GSCALE_VERSION, "command",
                   json_text(made_command()), "descriptions", json_files());
}

enum {
  JSON_FORM = JSON_INDENT(1) | JSON_REAL_PRECISION(17)
};

/* Writes the text of jansson with two more blanks of indentation. */
static int write_deeper(const char *text, size_t size, void *file)
{
  FILE *f = file;

  for (size_t i = 0; i < size; i++) {
    putc(text[i], f);
    if (text[i] == '\n') fputs("  ", f);
  }
  return 0;
}

static bool write_json_row(const rows *r, size_t j, FILE *f)
{
  json_t *row = json_row(r, j);
  bool ok;

  fputs(j ? ",\n  " : "\n  ", f);
  ok = row && json_dump_callback(row, write_deeper, f, JSON_FORM) == 0;
  json_decref(row);
  return ok;
}

static json_t *json_number(double x)
{
  return isfinite(x) ? json_real(x) : json_null();
}

static json_t *json_answer(const claim *c)
{
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "text", json_text(c->text),
                   "value", json_number(c->value), "low", json_number(c->low),
                   "high", json_number(c->high), "probability",
                   json_number(c->probability));
}

/* Prints the JSON without the rows, which are written one by one. */
static char *json_frame(const rows *r)
{
  json_t *all = json_object();
  char *text = NULL;

  if (all && json_object_set_new(all, "schema", json_string(r->schema)) == 0 &&
      json_object_set_new(all, "made_by", json_made()) == 0 &&
      (!r->answer ||
       json_object_set_new(all, "answer", json_answer(r->answer)) == 0) &&
      json_object_set_new(all, "rows", json_array()) == 0)
    text = json_dumps(all, JSON_FORM);
  json_decref(all);
  return text;
}

static int write_json(const rows *r, FILE *f, failure *why)
{
  static const char end[] = "]\n}";
  char *frame = json_frame(r);
  bool ok = frame;

  if (ok) fwrite(frame, 1, strlen(frame) - strlen(end), f);
  free(frame);
  for (size_t j = 0; ok && j < r->count; j++) ok = write_json_row(r, j, f);
  fprintf(f, "%s%s\n", r->count > 0 ? "\n " : "", end);
  return ok ? EXIT_OK : no_memory(why);
}

/* ---- any format ---------------------------------------------------------- */

int rows_write(const rows *r, format f, output *o, failure *why)
{
  if (r->lost) return no_memory(why);
  if (f == FORMAT_JSON) return write_json(r, o->f, why);
  if (f == FORMAT_TABLE) return table_write(r, o, why);
  if (o->path && !made_is_whole()) return no_memory(why);
  if (o->path) o->made = made_put_head(o->f, o->made);
  write_csv(r, o->f);
  return EXIT_OK;
}

int rows_end(int st, rows *r, format f, output *o, failure *why)
{
  if (st == EXIT_OK) st = rows_write(r, f, o, why);
  rows_free(r);
  return st;
}

int rows_print_answer(int st, rows *r, const claim *c, const options *o,
                      failure *why)
{
  output out;

  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (c && *c->text) rows_answer(r, c);
  if (st == EXIT_OK && c && *c->text && o->format == FORMAT_TABLE) {
    claim_put(out.f, c);
    putc('\n', out.f);
  }
  if (st == EXIT_OK)
    st = output_end(rows_write(r, o->format, &out, why), &out, why);
  rows_free(r);
  return st;
}

int rows_print(int st, rows *r, const options *o, failure *why)
{
  return rows_print_answer(st, r, NULL, o, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
