/* table.c - prints rows as an aligned table with units. The table is at most as
 * wide as the terminal, or 80 columns. Long texts continue in the next line. A
 * table that is still too wide is cut into several parts. */

#include "common/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
  NUMBER_WIDTH = 64,
  TEXT_WIDTH = 16,   /* of a text column */
  COLUMN_WIDTH = 40, /* in a table that is cut */
  WORD_WIDTH = 28,   /* longer words are broken */
  GAP = 2
};

static int wide = LINE_WIDTH; /* width of the current table */

/* Returns the columns of the terminal, but not less than LINE_WIDTH. */
static int width_for(const output *o)
{
  struct winsize size;

  return o->colour && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
                 size.ws_col > LINE_WIDTH
             ? size.ws_col
             : LINE_WIDTH;
}

/* ---- numbers ------------------------------------------------------------- */

/* Prints a ratio such as a speedup with two decimals, a large one with none. */
static void show_count(double v, char *text, size_t size)
{
  snprintf(text, size, fabs(v) < 100.0 ? "%.2f" : "%.0f", v);
}

/* Returns false for a share that would be shown as 0. */
static bool is_share(double v)
{
  return fabs(v) >= 0.0005;
}

static void show_percent(double v, char *text, size_t size)
{
  snprintf(text, size, is_share(v) ? "%.1f%%" : "0%%", 100.0 * v);
}

static void show_number(const column *c, double v, char *text, size_t size)
{
  if (!isfinite(v))
    snprintf(text, size, "-");
  else if (c->type == COLUMN_INTEGER)
    snprintf(text, size, "%.0f", v);
  else if (c->type == COLUMN_PERCENT)
    show_percent(v, text, size);
  else if (c->dim == GSCALE_COUNT)
    show_count(v, text, size);
  else
    gscale_format_quantity(v, c->dim, text, size);
}

/* Returns the text of a cell, or formats the cell's number in `text`. */
static const char *show_cell(const column *c, const cell *v, char *text,
                             size_t size)
{
  if (c->type == COLUMN_TEXT) return cell_text(v);
  show_number(c, v->number, text, size);
  return text;
}

static bool says_something(const column *c, const cell *v)
{
  if (c->type == COLUMN_TEXT) return cell_text(v)[0] != '\0';
  if (c->type == COLUMN_PERCENT) return is_share(v->number);
  return c->type == COLUMN_INTEGER || fabs(v->number) > 0.0;
}

/* ---- widths -------------------------------------------------------------- */

typedef struct layout {
  int width; /* 0: hidden */
  int least; /* width of the longest word */
  bool says;
  const char *rest; /* the remaining text */
} layout;

static int larger(int a, int b)
{
  return a > b ? a : b;
}

static void begin_layout(const rows *r, layout *l)
{
  for (size_t i = 0; i < r->n; i++) {
    const column *c = &r->columns[i];

    l[i] = (layout){.says = c->heading && (!c->optional || r->count == 0)};
    if (!c->heading) continue;
    l[i].width = text_width(c->heading);
    l[i].least = text_least(c->heading, WORD_WIDTH);
  }
}

static void find_layout(const rows *r, layout *l)
{
  char text[NUMBER_WIDTH];

  begin_layout(r, l);
  for (size_t j = 0; j < r->count; j++) {
    const cell *row = row_at(r, j);

    for (size_t i = 0; i < r->n; i++) {
      const column *c = &r->columns[i];

      if (!c->heading) continue;
      const char *shown = show_cell(c, &row[i], text, sizeof text);
      const int w = text_width(shown);
      l[i].width = larger(l[i].width, w);
      l[i].least =
          larger(l[i].least,
                 c->type == COLUMN_TEXT ? text_least(shown, WORD_WIDTH) : w);
      l[i].says = l[i].says || says_something(c, &row[i]);
    }
  }
  for (size_t i = 0; i < r->n; i++)
    if (!l[i].says) l[i].width = 0;
}

/* Returns the total width of the visible columns from `from` to `to` - 1. */
static int width_of(const layout *l, size_t from, size_t to)
{
  int sum = 0;

  for (size_t i = from; i < to; i++)
    if (l[i].width > 0) sum += l[i].width + (sum > 0 ? GAP : 0);
  return sum;
}

/* Keeps text columns readable with a width of at least TEXT_WIDTH. */
static void keep_readable(const rows *r, layout *l)
{
  for (size_t i = 0; i < r->n; i++)
    if (r->columns[i].type == COLUMN_TEXT && l[i].least < l[i].width)
      l[i].least =
          larger(l[i].least, l[i].width < TEXT_WIDTH ? l[i].width : TEXT_WIDTH);
}

/* Finds the widest column of texts, or of numbers, that can still shrink. */
static layout *find_widest(const rows *r, layout *l, bool texts)
{
  layout *widest = NULL;

  for (size_t i = 0; i < r->n; i++)
    if ((r->columns[i].type == COLUMN_TEXT) == texts &&
        l[i].width > l[i].least && (!widest || l[i].width > widest->width))
      widest = &l[i];
  return widest;
}

/* Shrinks columns until the table fits. Columns of numbers shrink first. */
static void squeeze(const rows *r, layout *l)
{
  for (int excess = width_of(l, 0, r->n) - wide; excess > 0; excess--) {
    layout *widest = find_widest(r, l, false);

    if (!widest) widest = find_widest(r, l, true);
    if (!widest) return;
    widest->width--;
  }
}

/* ---- lines --------------------------------------------------------------- */

/* A part of a cut table has the keys and a range of the other columns. */
typedef struct cut {
  size_t keys, from, to;
} cut;

static bool is_in(const cut *k, size_t i)
{
  return i < k->keys || (i >= k->from && i < k->to);
}

/* Writes a line of a row, or of the headings if the row is NULL. Returns true
 * if the row continues. Padding precedes texts; no line ends in blanks. */
static bool write_part(const rows *r, FILE *f, layout *l, const cut *k,
                       const cell *row, bool first)
{
  char text[NUMBER_WIDTH];
  int pending = 0; /* spaces to write */
  bool more = false;

  for (size_t i = 0; i < r->n; i++) {
    const column *c = &r->columns[i];
    const char *shown = l[i].rest;
    size_t n = 0, next;

    if (l[i].width == 0 || !is_in(k, i)) continue;
    if (first)
      shown = row ? show_cell(c, &row[i], text, sizeof text) : c->heading;
    n = text_fit(shown, l[i].width, &next);
    l[i].rest = c->type == COLUMN_TEXT || !row ? shown + next : "";
    more = more || *l[i].rest;
    int pad = l[i].width;
    for (size_t at = 0; at < n; at++)
      pad -= ((unsigned char)shown[at] & 0xc0) != 0x80;
    if (c->type != COLUMN_TEXT) pending += pad;
    if (n > 0) fprintf(f, "%*s%.*s", pending, "", (int)n, shown);
    pending = n > 0 ? GAP : pending + GAP;
    if (c->type == COLUMN_TEXT) pending += pad;
  }
  putc('\n', f);
  return more;
}

static void write_row(const rows *r, FILE *f, layout *l, const cut *k,
                      const cell *row)
{
  bool more = write_part(r, f, l, k, row, true);

  while (more) more = write_part(r, f, l, k, row, false);
}

static void write_cut(const rows *r, output *o, layout *l, const cut *k)
{
  if (o->colour) fputs("\033[1m", o->f);
  write_row(r, o->f, l, k, NULL);
  if (o->colour) fputs("\033[0m", o->f);
  for (size_t j = 0; j < r->count; j++) write_row(r, o->f, l, k, row_at(r, j));
}

/* Widens the columns again, because a table that cannot be squeezed is cut. */
static void unsqueeze(const layout *natural, layout *l, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (l[i].width > 0)
      l[i].width =
          larger(l[i].least, natural[i].width < COLUMN_WIDTH ? natural[i].width
                                                             : COLUMN_WIDTH);
}

/* Returns the number of leading columns that identify a row: texts, and one
 * whole number after them, unless they take more than half of the width. */
static size_t find_keys(const rows *r, const layout *l)
{
  size_t keys = 0;

  while (keys < r->n && width_of(l, 0, keys) == 0) keys++;
  while (keys < r->n && width_of(l, 0, keys + 1) <= wide / 2 &&
         (l[keys].width == 0 || r->columns[keys].type == COLUMN_TEXT))
    keys++;
  if (keys < r->n && r->columns[keys].type == COLUMN_INTEGER &&
      width_of(l, 0, keys + 1) <= wide / 2)
    keys++;
  return keys;
}

/* Finds the end of the columns from k->from on that fit, but at least one. */
static void find_end(const rows *r, const layout *l, cut *k)
{
  const int keys = width_of(l, 0, k->keys);

  for (k->to = k->from; k->to < r->n; k->to++)
    if (width_of(l, k->from, k->to) > 0 &&
        keys + GAP + width_of(l, k->from, k->to + 1) > wide)
      break;
}

int table_write(const rows *r, output *o, failure *why)
{
  layout *l = malloc(2 * r->n * sizeof *l);
  cut k;

  if (!l) return no_memory(why);
  wide = width_for(o);
  find_layout(r, l);
  keep_readable(r, l);
  memcpy(l + r->n, l, r->n * sizeof *l);
  squeeze(r, l);
  if (width_of(l, 0, r->n) > wide) unsqueeze(l + r->n, l, r->n);
  k.from = k.keys = find_keys(r, l);
  do {
    find_end(r, l, &k);
    if (k.from > k.keys) putc('\n', o->f);
    write_cut(r, o, l, &k);
    k.from = k.to;
  } while (width_of(l, k.from, r->n) > 0);
  free(l);
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
