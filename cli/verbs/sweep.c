/* sweep.c - gpuscale sweep: asks one question at many values of its inputs. */

#include "sweep/sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEPT_MAX = 100000,     /* rows of a table or of JSON */
  POINTS_MAX = 100000000 /* points of one sweep */
};

/* ---- rows ---------------------------------------------------------------- */

typedef struct stream {
  walk *w;
  const options *o;
  sweep_table table;
  const column *columns;
  size_t n;
  cell *row;
  FILE *f; /* CSV */
  uint64_t rows;
  rows *kept;            /* for other formats */
  uint64_t points, step; /* total points, points of a piece */
  claim said;            /* fastest kept row */
} stream;

/* The destination and the number of rows of a piece. */
typedef struct piece {
  stream *s;
  FILE *f;
  uint64_t rows;
} piece;

/* Sends each cell of a kept row as a number and a text. */
static void send_cells(const stream *s, FILE *f)
{
  for (size_t i = 0; i < s->n; i++) {
    const char *text = cell_text(&s->row[i]);
    const size_t size = strlen(text);

    fwrite(&s->row[i].number, sizeof s->row[i].number, 1, f);
    fwrite(&size, sizeof size, 1, f);
    fwrite(text, 1, size, f);
  }
}

static void take_cells(const stream *s, cell *c, passage *p)
{
  for (size_t i = 0; i < s->n; i++) {
    size_t size;

    passage_take(p, &c[i].number, sizeof c[i].number);
    passage_take(p, &size, sizeof size);
    snprintf(c[i].text, sizeof c[i].text, "%.*s", (int)size, p->at);
    p->at += size;
    p->left -= size;
  }
}

/* Clears the cells of a row. Only the first byte of each text is cleared. */
static void clear(const stream *s)
{
  for (size_t i = 0; i < s->n; i++) {
    s->row[i].text[0] = '\0';
    s->row[i].whole = NULL;
    s->row[i].number = 0.0;
  }
}

static int send_point(const point *p, void *closure, failure *why)
{
  piece *to = closure;
  stream *s = to->s;
  size_t shown[PARADIGMS_MAX];
  const size_t n = sweep_shown(s->w, p, shown);

  if (!made_is_whole()) return no_memory(why);
  for (size_t i = 0; i < n; i++) {
    clear(s);
    sweep_row(s->row, s->w, p, shown[i]);
    if (s->kept)
      send_cells(s, to->f);
    else
      csv_put_row(to->f, s->columns, s->n, s->row);
    to->rows++;
  }
  return EXIT_OK;
}

/* Sends a piece: its rows, its gaps, then the size and number of the rows. */
static int send_piece(size_t i, FILE *f, void *closure, failure *why)
{
  stream *s = closure;
  piece p = {s, f, 0};
  const uint64_t from = i * s->step, left = s->points - from,
                 to = from + (left < s->step ? left : s->step);
  const int st = walk_through(s->w, from, to, send_point, &p, why);
  const long text = ftell(f);

  gaps_send(walk_gaps(s->w), f);
  const uint64_t end[2] = {(uint64_t)text, p.rows};
  fwrite(end, sizeof end, 1, f);
  return st;
}

/* Returns a column's index, or s->n if there is none. */
static size_t column_of(const stream *s, const char *name)
{
  size_t i = 0;

  while (i < s->n && (!s->columns[i].name || strcmp(s->columns[i].name, name)))
    i++;
  return i;
}

/* States the answer of a row if it is the fastest so far. The columns of the
 * axes are between the program and the paradigm. */
static void claim_row(stream *s, const cell *c)
{
  enum {
    AXES = 3
  };
  const size_t paradigm = column_of(s, "paradigm"), at = column_of(s, "time_s");
  const cell *err = &c[column_of(s, "time_err_s")];
  const double time = c[at].number;
  const gscale_interval t = gscale_interval_of(
      time, s->o->errors && err->number > 0.0 ? err->number : 0.0, 1.0);
  char text[48];

  if (!(time > 0.0) || !(isnan(s->said.value) || time < s->said.value) ||
      strcmp(cell_text(&c[paradigm]), "infinite") == 0) /* only a bound */
    return;
  claim_begin(&s->said);
  s->said.value = time;
  s->said.low = t.lo;
  s->said.high = t.hi;
  gscale_format_quantity(time, GSCALE_TIME, text, sizeof text);
  claim_say(&s->said, "A step of %s takes least, %s, at", cell_text(&c[2]),
            text);
  for (size_t i = AXES; i < paradigm; i++) {
    gscale_format_quantity(c[i].number, s->columns[i].dim, text, sizeof text);
    claim_say(&s->said, "%s %s = %s", i > AXES ? "," : "",
              s->columns[i].heading, text);
  }
  claim_say(&s->said, " by %s on %.0f GPUs.", cell_text(&c[paradigm]),
            c[column_of(s, "gpus")].number);
}

static int keep_rows(stream *s, uint64_t count, passage *p, failure *why)
{
  for (uint64_t i = 0; i < count; i++) {
    cell *c = rows_add(s->kept);

    if (rows_count(s->kept) > KEPT_MAX)
      return fail(why, EXIT_LIMIT,
                  "sweep: more than %d rows: take --format csv", (int)KEPT_MAX);
    take_cells(s, c, p);
    claim_row(s, c);
  }
  return EXIT_OK;
}

static int take_piece(size_t i, const char *text, size_t size, void *closure,
                      failure *why)
{
  stream *s = closure;
  uint64_t end[2];
  passage p = {text + size - sizeof end, sizeof end};
  int st = EXIT_OK;

  passage_take(&p, end, sizeof end);
  p = (passage){text + end[0], size - sizeof end - end[0]};
  gaps_take(walk_gaps(s->w), &p);
  p = (passage){text, end[0]};
  if (s->kept)
    st = keep_rows(s, end[1], &p, why);
  else
    fwrite(text, 1, end[0], s->f);
  s->rows += end[1];
  progress("sweep", (size_t)(i * s->step), (size_t)s->points);
  if (st == EXIT_OK && s->f && ferror(s->f))
    st = fail(why, EXIT_IO, "%.200s: %s",
              s->o->output ? s->o->output : "stdout", strerror(errno));
  return st;
}

/* ---- destinations -------------------------------------------------------- */

/* Returns the points of a piece. Pieces are small if points take long, because
 * they load descriptions or have errors. For very many points, larger pieces
 * save transfers between processes. */
static uint64_t step_of(const stream *s)
{
  const uint64_t least = 128, most = 1024, pieces = 256;
  const uint64_t even = s->points / pieces;

  if (s->o->errors || walk_loads(s->w)) return 8;
  return even < least ? least : even > most ? most : even;
}

static int go(stream *s, failure *why)
{
  jobs all = {0, send_piece, take_piece, s};
  int st;

  s->step = step_of(s);
  all.pieces = (size_t)((s->points + s->step - 1) / s->step);
  st = jobs_run(&all, jobs_count(s->o, all.pieces), why);
  progress_end();
  return st;
}

static int into_stdout(stream *s, failure *why)
{
  int st;

  s->f = stdout;
  csv_put_names(s->f, s->columns, s->n);
  st = go(s, why);
  if (fflush(stdout) != 0 && st == EXIT_OK)
    st = fail(why, EXIT_IO, "sweep: stdout cannot be written");
  return st;
}

static int into_rows(stream *s, failure *why)
{
  s->kept = rows_new("gpuscale.sweep/1", s->columns, s->n);
  claim_begin(&s->said);
  const int st = go(s, why);

  return rows_print_answer(st, s->kept, &s->said, s->o, why);
}

/* Writes a whole file or none. */
static int into_file(stream *s, failure *why)
{
  output out;
  int st = output_open(&out, s->o->output, why);

  if (st != EXIT_OK) return st;
  s->f = out.f;
  if (out.path) made_put_head(s->f, 0);
  csv_put_names(s->f, s->columns, s->n);
  return output_end(go(s, why), &out, why);
}

static int run(stream *s, failure *why)
{
  const options *o = s->o;
  int st;

  s->n = sweep_columns(s->w, &s->table);

  s->columns = s->table.of;
  s->row = malloc(s->n * sizeof *s->row);
  if (!s->row) return no_memory(why);
  st = o->format != FORMAT_CSV ? into_rows(s, why)
       : o->output             ? into_file(s, why)
                               : into_stdout(s, why);
  free(s->row);
  if (st == EXIT_OK && s->rows == 0) return walk_refuse(s->w, why);
  if (st == EXIT_OK) gaps_note(walk_gaps(s->w));
  return st;
}

/* ---- verb ---------------------------------------------------------------- */

static int sweep_main(options *o, failure *why)
{
  stream s = {.o = o};
  int st;

  st = need_arguments(o, 1, "a WORKLOAD", why);
  if (st == EXIT_OK && o->overs == 0 && !o->at)
    st =
        fail(why, EXIT_USAGE, "sweep: needs --over NAME=FROM..TO or --at FILE");
  if (st == EXIT_OK && o->at && (o->overs > 0 || o->design))
    st = fail(why, EXIT_USAGE, "sweep: --at excludes --over and --design");
  if (st != EXIT_OK) return st;
  st = walk_new(o, &s.w, why);
  if (st == EXIT_OK) s.points = walk_points(s.w);
  if (st == EXIT_OK && s.points > POINTS_MAX)
    st = fail(why, EXIT_USAGE, "sweep: %" PRIu64 " points, at most %d",
              s.points, (int)POINTS_MAX);
  if (st == EXIT_OK) st = run(&s, why);
  walk_free(s.w);
  return st;
}

const verb verb_sweep = {
    .place = 140,
    .name = "sweep",
    .usage = "WORKLOAD --system SYSTEM --over NAME=FROM..TO... [options]",
    .summary = "one prediction at many values of its numbers, as CSV",
    .examples =
        "gpuscale sweep jacobi --system h200x8 --gpus 4 \\\n"
        "    --over link.rate=10GB/s..900GB/s,log,50 --format csv -o "
        "rates.csv\n"
        "gpuscale sweep allgather --system h200x8 --over gpus=2,4,8 \\\n"
        "    --over bytes=1..256MB,log,9 --best\n"
        "gpuscale sweep jacobi --system h200x8 --at points.csv\n",
    .accepts = "system link gpus per-node paradigm set over at design points "
               "seed best errors "
               "proposed weak runs jobs format output",
    .run = sweep_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
