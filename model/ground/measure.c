/* measure.c - rows of measurements, and the reader of the project's file
 * format. */

#include "ground/source.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct gscale_measurements {
  size_t count, room;
  gscale_measurement *row;
  size_t remarks, remark_room;
  gscale_remark *remark;
  int ranks;
};

gscale_measurements *gscale_measurements_new(void)
{
  return calloc(1, sizeof(gscale_measurements));
}

void gscale_measurements_free(gscale_measurements *m)
{
  if (!m) return;
  free(m->row);
  free(m->remark);
  free(m);
}

size_t gscale_measurements_count(const gscale_measurements *m)
{
  return m->count;
}

const gscale_measurement *gscale_measurements_at(const gscale_measurements *m,
                                                 size_t i)
{
  return i < m->count ? &m->row[i] : NULL;
}

void gscale_measurements_ranks(gscale_measurements *m, int ranks)
{
  m->ranks = ranks;
}

int gscale__measurements_ranks(const gscale_measurements *m)
{
  return m->ranks;
}

void gscale__measurements_cut(gscale_measurements *m, size_t count)
{
  m->count = count;
}

const gscale_remark *gscale_measurements_remark(const gscale_measurements *m,
                                                size_t i)
{
  return i < m->remarks ? &m->remark[i] : NULL;
}

void gscale__measurements_remark(gscale_measurements *m,
                                 const gscale_remark *remark)
{
  gscale_remark *const moved =
      gscale_reserve(m->remark, &m->remark_room, m->remarks + 1, sizeof *moved);
  if (!moved) return;
  m->remark = moved;
  moved[m->remarks++] = *remark;
}

/* ---- adding rows --------------------------------------------------------- */

static const double MOST = 1e18; /* of each number, so that sums are finite */

static gscale_status check(const gscale_measurement *row, gscale_diag *diag)
{
  const struct {
    const char *name;
    double value, least;
  } numbers[] = {
      {"size", row->size, 0.0},         {"count", row->count, 1.0},
      {"threads", row->threads, 0.0},   {"inflight", row->inflight, 0.0},
      {"sigma", row->sigma, 0.0},       {"repeats", row->repeats, 0.0},
      {"energy", row->energy, 0.0},     {"energy_err", row->energy_err, 0.0},
      {"gpus", (double)row->gpus, 0.0},
  };

  if (!(row->time > 0.0) || !(row->time <= MOST))
    return gscale__fail(diag, GSCALE_EDOMAIN, "time: %g s is not > 0, or > %g",
                        row->time, MOST);
  for (size_t i = 0; i < LENGTH(numbers); i++)
    if (!(numbers[i].value >= numbers[i].least) || !(numbers[i].value <= MOST))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %g is not in %g .. %g",
                          numbers[i].name, numbers[i].value, numbers[i].least,
                          MOST);
  return GSCALE_OK;
}

gscale_status gscale_measurements_add(gscale_measurements *m,
                                      const gscale_measurement *row,
                                      gscale_diag *diag)
{
  const gscale_measurement copy = *row; /* row may lie in m->row */
  const gscale_status st = check(&copy, diag);
  if (st != GSCALE_OK) return st;
  gscale_measurement *const moved =
      gscale_reserve(m->row, &m->room, m->count + 1, sizeof *moved);
  if (!moved)
    return gscale__fail(diag, GSCALE_ENOMEM, "measurements: no memory");
  m->row = moved;
  moved[m->count++] = copy;
  return GSCALE_OK;
}

/* ---- the project's files ------------------------------------------------- */

enum {
  BENCH,
  SRC,
  DST,
  GPUS,
  ACCESS,
  SIZE,
  COUNT,
  THREADS,
  INFLIGHT,
  TIME,
  SIGMA,
  REPEATS,
  NEEDED,
  ENERGY = NEEDED, /* first optional column */
  ENERGY_ERR,
  COLUMNS
};

static const char *const names[COLUMNS] = {
    "bench",   "src",     "dst",      "gpus",        "access",
    "size_B",  "count",   "threads",  "inflight",    "time_s",
    "sigma_s", "repeats", "energy_J", "energy_err_J"};

typedef struct own {
  gscale_table *table;
  size_t column[COLUMNS];
  bool counted; /* the file has energy in J */
  size_t row;
  const char *path; /* path as shown in messages */
  gscale_diag *diag;
} own;

static const char *cell(const own *o, size_t name)
{
  return gscale_table_text(o->table, o->row, o->column[name]);
}

static gscale_status refuse(const own *o, size_t name, const char *what)
{
  return gscale__fail(o->diag, GSCALE_EPARSE, "%s:%d:%zu: %s: %s: '%.48s'",
                      o->path, gscale_table_line(o->table, o->row),
                      o->column[name] + 1, names[name], what, cell(o, name));
}

static gscale_status read_text(const own *o, size_t name, char *out,
                               size_t size)
{
  const char *const text = cell(o, name);
  if (*text == '\0') return refuse(o, name, "empty");
  if (strlen(text) >= size) return refuse(o, name, "too long");
  memcpy(out, text, strlen(text) + 1);
  return GSCALE_OK;
}

static gscale_status read_end(const own *o, size_t name, char *out, size_t size)
{
  const char *const text = cell(o, name);
  const bool index = *text && text[strspn(text, "0123456789")] == '\0';
  if (!index && strcmp(text, "h") != 0 && strcmp(text, "all") != 0 &&
      strcmp(text, "nodes") != 0 && strcmp(text, "-") != 0)
    return refuse(o, name, "neither a GPU's index, 'h', 'all' nor '-'");
  return read_text(o, name, out, size);
}

static gscale_status read_texts(const own *o, gscale_measurement *m)
{
  gscale_status st = read_text(o, BENCH, m->bench, sizeof m->bench);
  if (st == GSCALE_OK) st = read_end(o, SRC, m->src, sizeof m->src);
  if (st == GSCALE_OK) st = read_end(o, DST, m->dst, sizeof m->dst);
  if (st == GSCALE_OK) st = read_text(o, ACCESS, m->access, sizeof m->access);
  return st;
}

static gscale_status read_numbers(const own *o, gscale_measurement *m)
{
  double gpus = 0.0;
  const struct {
    size_t name;
    double *out;
    double least;
  } numbers[] = {
      {GPUS, &gpus, 0.0},        {SIZE, &m->size, 0.0},
      {COUNT, &m->count, 1.0},   {THREADS, &m->threads, 0.0},
      {TIME, &m->time, 0.0},     {INFLIGHT, &m->inflight, 0.0},
      {SIGMA, &m->sigma, 0.0},   {REPEATS, &m->repeats, 0.0},
      {ENERGY, &m->energy, 0.0}, {ENERGY_ERR, &m->energy_err, 0.0},
  };

  for (size_t i = 0; i < LENGTH(numbers); i++) {
    const size_t name = numbers[i].name;
    if (name >= NEEDED && !o->counted) continue;
    const gscale_status st = gscale_table_number(
        o->table, o->row, o->column[name], numbers[i].out, o->diag);
    if (st != GSCALE_OK) return st;
    if (*numbers[i].out < numbers[i].least)
      return refuse(o, name, name == COUNT ? "not >= 1" : "not >= 0");
    if (*numbers[i].out > MOST) return refuse(o, name, "above 1e18");
  }
  if (m->time == 0.0) return refuse(o, TIME, "not > 0");
  if (gpus != floor(gpus) || gpus > INT_MAX)
    return refuse(o, GPUS, "not a number of GPUs");
  m->gpus = (int)gpus;
  return GSCALE_OK;
}

static gscale_status read_row(const own *o, gscale_measurement *m)
{
  const gscale_status st = read_texts(o, m);
  m->line = gscale_table_line(o->table, o->row);
  return st == GSCALE_OK ? read_numbers(o, m) : st;
}

static gscale_status read_rows(own *o, const char *path, gscale_measurements *m)
{
  gscale_measurement row = {.bench = ""};
  gscale_status st = GSCALE_OK;

  gscale__file_name(path, row.file, sizeof row.file);
  o->counted = gscale_table_column(o->table, names[ENERGY], &o->column[ENERGY],
                                   NULL) == GSCALE_OK;
  for (size_t i = 0; i < (o->counted ? COLUMNS : NEEDED) && st == GSCALE_OK;
       i++)
    st = gscale_table_column(o->table, names[i], &o->column[i], o->diag);
  for (; st == GSCALE_OK && o->row < gscale_table_rows(o->table); o->row++) {
    st = read_row(o, &row);
    if (st == GSCALE_OK) st = gscale_measurements_add(m, &row, o->diag);
  }
  return st;
}

/* ---- foreign bytes ------------------------------------------------------- */

/* gscale_table_read() accepts CR LF in tables that people write.  In a file of
 * measurements, CR LF shows that somebody edited the file. */

enum {
  FIELD_TOO_LONG = 65 * 1024 /* B; gscale_table_read() refuses longer fields */
};

/* The position of the scan: the line and, as column, the number of the
 * field. */
typedef struct scan {
  size_t line, column, bytes, field;
  bool comment;
  char last;
} scan;

static const char *wrong_byte(scan *s, char c)
{
  if (s->bytes++ == GSCALE__FILE_MAX) return "the file goes on beyond 64 MiB";
  s->last = c;
  if (c == '\r') return "a carriage return; lines end with LF alone";
  if (c == '\n') {
    s->line++;
    s->column = 1;
    s->field = 0;
    s->comment = false;
  } else if (c == '#' && s->column == 1 && s->field == 0) {
    s->comment = true;
  } else if (c == ',' && !s->comment) {
    s->column++;
    s->field = 0;
  } else if (!s->comment) {
    s->field++;
  }
  return NULL;
}

static gscale_status refuse_byte(const scan *s, const char *path,
                                 const char *wrong, gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_EPARSE, "%s:%zu:%zu: %s", path, s->line,
                      s->column, wrong);
}

static gscale_status scan_stream(FILE *file, const char *path,
                                 gscale_diag *diag)
{
  char block[16 * 1024];
  scan s = {.line = 1, .column = 1, .last = '\n'};
  size_t n;

  while ((n = fread(block, 1, sizeof block, file)) > 0) {
    for (size_t i = 0; i < n; i++) {
      const char *const wrong = wrong_byte(&s, block[i]);
      if (wrong) return refuse_byte(&s, path, wrong, diag);
      if (s.field > FIELD_TOO_LONG) return GSCALE_OK;
    }
  }
  /* The table reader reports a read error again. */
  if (s.last == '\n' || ferror(file)) return GSCALE_OK;
  return refuse_byte(&s, path, "a line without its end; is the file cut off?",
                     diag);
}

/* Scans only plain files, because a pipe can be read only once. */
static gscale_status scan_file(const char *path, gscale_diag *diag)
{
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return GSCALE_OK;
  FILE *const file = fopen(path, "rb");
  if (!file) return GSCALE_OK; /* the table reader reports the failure */
  const gscale_status st = scan_stream(file, gscale__shown(path), diag);
  fclose(file);
  return st;
}

gscale_status gscale_measurements_read(gscale_measurements *m, const char *path,
                                       gscale_diag *diag)
{
  own o = {.path = gscale__shown(path), .diag = diag};
  const size_t before = m->count;

  gscale_status st = scan_file(path, diag);
  if (st != GSCALE_OK) return st;
  st = gscale_table_read(path, &o.table, diag);
  if (st != GSCALE_OK) return st;
  st = read_rows(&o, path, m);
  gscale_table_free(o.table);
  if (st != GSCALE_OK) gscale__measurements_cut(m, before);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
