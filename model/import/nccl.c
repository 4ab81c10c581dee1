/* nccl.c - results of nccl-tests, as text.
 *
 * The out-of-place result of a line is a row of access "kernel". The in-place
 * one has access "in-place", unless it is the only one. Results with wrong
 * elements are skipped. Old versions print the largest difference instead of a
 * count, and sums of floats always differ. The library's version comes from the
 * head or from its own output. Ranks on several hosts set `dst` to "nodes". */

#include "import/nccl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- collectives --------------------------------------------------------- */

static const collective collectives[] = {
    {"all_reduce_perf", "allreduce", WHOLE, true, false, BUS_TWICE},
    {"all_gather_perf", "allgather", WHOLE, false, false, BUS_SHARE},
    {"reduce_scatter_perf", "reducescatter", WHOLE, true, false, BUS_SHARE},
    {"alltoall_perf", "alltoall", EACH_PAIR, false, false, BUS_SHARE},
    {"sendrecv_perf", "ring", EACH_RANK, true, false, BUS_ONE},
    {"broadcast_perf", "broadcast", WHOLE, false, true, BUS_ONE},
    {"reduce_perf", "reduce", WHOLE, true, true, BUS_ONE},
    {"gather_perf", "gather", WHOLE, false, true, BUS_SHARE},
    {"scatter_perf", "scatter", WHOLE, false, true, BUS_SHARE},
};

enum {
  COLLECTIVES = sizeof collectives / sizeof *collectives
};

const collective *gscale__nccl_named(gscale__part p)
{
  for (size_t i = 0; i < COLLECTIVES; i++) {
    const char *const at = gscale__find(p, collectives[i].program);
    if (at && (at == p.at || at[-1] != '_')) return &collectives[i];
  }
  return NULL;
}

static bool same(gscale__part a, gscale__part b)
{
  return a.size == b.size && strncmp(a.at, b.at, a.size) == 0;
}

void gscale__nccl_host(members *k, gscale__part host)
{
  if (!k->first.at) k->first = k->last = host, k->nodes = 1;
  if (!same(k->last, host) && !same(k->first, host)) k->nodes++;
  k->last = host;
}

/* Converts "2.8.4+cuda11.1" to 20804, or returns 0. */
static double dotted_version(gscale__part word)
{
  unsigned v[3];
  char text[32];

  gscale__print(text, sizeof text, "%.*s", (int)word.size, word.at);
  if (sscanf(text, "%2u.%2u.%2u", &v[0], &v[1], &v[2]) != 3) return 0.0;
  return v[0] * 10000.0 + v[1] * 100.0 + v[2];
}

double gscale__nccl_version(double code)
{
  const double thousand = 1000.0;

  if (!(code >= thousand) || code > 99999.0) return 0.0;
  if (code >= 10000.0) return code;
  return floor(code / thousand) * 10000.0 + fmod(code, thousand);
}

gscale_status gscale__nccl_add(gscale__source *s, const char *at,
                               const collective *c, const members *who,
                               const result *r)
{
  const int ranks = who->n;
  gscale_measurement row =
      gscale__sample(c->bench, "all", who->nodes > 1 ? "nodes" : "all", ranks,
                     r->in_place ? "in-place" : "kernel");

  row.version = r->version;

  row.size = c->items == EACH_PAIR ? r->size / ranks : r->size;
  if (who->nodes > 1) row.inflight = who->nodes;
  if (c->items == EACH_RANK) row.count = ranks;
  if (c->items == EACH_PAIR) row.count = (double)ranks * (ranks - 1);
  if (row.count < 1.0) return gscale__skip(s); /* one rank sends nothing */
  row.time = r->time / 1e6;
  row.sigma = r->sigma / 1e6;
  row.repeats = r->repeats;
  return gscale__add(s, at, &row);
}

/* ---- text ---------------------------------------------------------------- */

typedef struct logfile {
  gscale__source *s;
  const collective *collective; /* NULL: unknown */
  bool started;                 /* the program was named */
  members ranks;
  double iterations;
  double version;
  bool in_table;
  size_t columns, tables;
  size_t time, wrong;               /* out-of-place columns */
  double wrong_most;                /* tolerated in `wrong` */
  bool has_time, pair;              /* no time: host only */
  size_t time_in, wrong_in;         /* in-place columns */
  size_t redop, root, algbw, busbw; /* or `columns` if absent */
  bool searched;                    /* identify() was tried */
} logfile;

/* Returns the first column of that name in a row without #. */
static size_t column_of(const gscale__part *word, size_t n, const char *name)
{
  size_t i = 1;
  while (i < n && !gscale__is(word[i], name)) i++;
  return i - 1;
}

static gscale_status read_columns(logfile *l, const gscale__part *word,
                                  size_t n)
{
  const double tolerated = 1e-2; /* largest, half precision */

  l->has_time = l->pair = false;
  l->wrong = l->wrong_in = n;
  for (size_t i = 1; i < n; i++) {
    if (gscale__is(word[i], "time")) {
      l->pair = l->has_time;
      *(l->has_time ? &l->time_in : &l->time) = i - 1;
      l->has_time = true;
    } else if (gscale__is(word[i], "#wrong") || gscale__is(word[i], "error")) {
      *(l->wrong == n ? &l->wrong : &l->wrong_in) = i - 1;
      l->wrong_most = gscale__is(word[i], "error") ? tolerated : 0.0;
    }
  }
  if (l->in_table)
    return gscale__bad(l->s, word[0].at,
                       "a table begins in a table: is the file cut?");
  if (l->ranks.n == 0)
    return gscale__bad(l->s, word[0].at, "no '#  Rank' lines before the table");
  l->redop = column_of(word, n, "redop");
  l->root = column_of(word, n, "root");
  l->algbw = column_of(word, n, "algbw");
  l->busbw = column_of(word, n, "busbw");
  l->columns = n - 1; /* without the # */
  l->in_table = true;
  l->searched = false;
  l->tables++;
  return GSCALE_OK;
}

/* The line contains "warmup iters: 5 iters: 20 agg iters: 1". */
static void read_iterations(logfile *l, const gscale__part *word, size_t n)
{
  for (size_t i = 1; i + 1 < n; i++)
    if (gscale__is(word[i], "iters:") && !gscale__is(word[i - 1], "warmup") &&
        !gscale__is(word[i - 1], "agg"))
      (void)gscale__is_number(word[i + 1], &l->iterations);
}

/* The head has "nccl-library=22902", the library's output "NCCL version
 * 2.8.4+cuda11.1". */
static void read_version(logfile *l, const gscale__part *word, size_t n)
{
  static const char library[] = "nccl-library=";
  const size_t begin = sizeof library - 1;
  double code;

  for (size_t i = 0; i < n; i++) {
    if (gscale__begins(word[i], library) &&
        gscale__is_number(
            (gscale__part){word[i].at + begin, word[i].size - begin}, &code))
      l->version = gscale__nccl_version(code);
    if (i + 2 < n && gscale__is(word[i], "NCCL") &&
        gscale__is(word[i + 1], "version") && dotted_version(word[i + 2]) > 0.0)
      l->version = dotted_version(word[i + 2]);
  }
}

static bool has_word(const gscale__part *word, size_t n, const char *what)
{
  for (size_t i = 0; i < n; i++)
    if (gscale__is(word[i], what)) return true;
  return false;
}

/* The line reads "# Rank 0 Group 0 Pid 99 on node17 device 0". */
static void add_rank(logfile *l, const gscale__part *word, size_t n)
{
  l->ranks.n++;
  for (size_t i = 3; i + 1 < n; i++)
    if (gscale__is(word[i], "on")) {
      gscale__nccl_host(&l->ranks, word[i + 1]);
      return;
    }
}

static gscale_status read_comment(logfile *l, gscale__part line,
                                  const gscale__part *word, size_t n)
{
  if (gscale__begins(line, "# Collective test starting:")) {
    l->collective = gscale__nccl_named(line);
    l->started = true;
    l->ranks = (members){0};
  } else if (n > 1 && gscale__is(word[1], "nThread")) {
    l->ranks = (members){0};
    l->iterations = 1.0;
    read_iterations(l, word, n);
  } else if (n > 2 && gscale__is(word[1], "Rank")) {
    if (gscale__is(word[2], "0")) l->ranks = (members){0}; /* a list begins */
    add_rank(l, word, n);
  } else if (n > 3 && gscale__is(word[1], "size") &&
             has_word(word, n, "busbw")) {
    return read_columns(l, word, n);
  } else if (gscale__begins(line, "# Out of bounds") ||
             gscale__begins(line, "# Avg bus")) {
    l->in_table = false;
    if (l->started) return GSCALE_OK;
    l->collective = NULL; /* named once a table */
  }
  return GSCALE_OK;
}

/* Other output may occur between the lines of a table. */
static bool is_row(const logfile *l, const gscale__part *word, size_t n)
{
  double number;
  return n > 0 && (gscale__is_number(word[0], &number) ||
                   (n == l->columns && gscale__is_number(word[1], &number)));
}

/* Adds one result of a row unless too many elements were wrong. */
static gscale_status add_result(logfile *l, gscale__part line,
                                const gscale__part *word, size_t n, result r)
{
  gscale__source *const s = l->s;
  const size_t bad = r.in_place ? l->wrong_in : l->wrong;
  double wrong = 0.0;
  gscale_status st = GSCALE_OK;

  if (l->has_time)
    st = gscale__number(s, word[r.in_place ? l->time_in : l->time], "time",
                        &r.time);
  if (st == GSCALE_OK && bad < n && !gscale__is(word[bad], "N/A"))
    st = gscale__number(s, word[bad], "#wrong", &wrong);
  if (st != GSCALE_OK) return st;
  if (!l->has_time || !l->collective || wrong > l->wrong_most)
    return gscale__skip(s);
  return gscale__nccl_add(s, line.at, l->collective, &l->ranks, &r);
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  gscale__source *const s = l->s;
  result r = {.repeats = l->iterations, .version = l->version};

  /* A time stamp is two words under one name. */
  if (n != l->columns && n != l->columns + 1)
    return gscale__bad(s, line.at, "%zu columns where the table has %zu", n,
                       l->columns);
  gscale_status st = gscale__number(s, word[0], "size", &r.size);
  if (st == GSCALE_OK) st = add_result(l, line, word, n, r);
  r.in_place = true;
  return st == GSCALE_OK && l->pair ? add_result(l, line, word, n, r) : st;
}

/* Before version 2.17.3 the program does not print its name. A command that was
 * printed before may contain it. */
static void guess_name(logfile *l, gscale__part line)
{
  const collective *const c = gscale__nccl_named(line);
  if (c && !l->started) l->collective = c;
}

/* The rows of a table are evidence of their collective. */
typedef struct evidence {
  bool reduces, rooted;
  double algbw, busbw; /* largest GB/s, or 0 */
} evidence;

static void add_evidence(const logfile *l, const gscale__part *word, size_t n,
                         evidence *e)
{
  double algbw, busbw, root;

  if (l->algbw == l->columns || (n != l->columns && n != l->columns + 1))
    return;
  if (!gscale__is_number(word[l->algbw], &algbw) ||
      !gscale__is_number(word[l->busbw], &busbw) || !(algbw > e->algbw))
    return;
  e->algbw = algbw;
  e->busbw = busbw;
  e->reduces = l->redop < l->columns && !gscale__is(word[l->redop], "none");
  e->rooted = l->root < l->columns && gscale__is_number(word[l->root], &root) &&
              root >= 0.0;
}

/* Reads ahead from the first row of a table. */
static evidence look_ahead(const logfile *l, const char *at)
{
  gscale__part line, word[GSCALE__TOKENS_MAX];
  evidence e = {.algbw = 0.0};

  while (gscale__next_line(l->s, &at, &line) && !gscale__begins(line, "#")) {
    const size_t n = gscale__split(line, word);
    if (n <= GSCALE__TOKENS_MAX && is_row(l, word, n))
      add_evidence(l, word, n, &e);
  }
  return e;
}

static double bus_factor(bus b, double n)
{
  return b == BUS_ONE ? 1.0 : (b == BUS_TWICE ? 2.0 : 1.0) * (n - 1.0) / n;
}

/* Both bandwidths are printed with two decimals, or fewer if large. */
static bool fits(const collective *c, const evidence *e, int ranks)
{
  const double factor = bus_factor(c->bus, ranks);
  const double rounding = 0.005 * (1.0 + factor) + 1e-3 * e->busbw;

  return c->reduces == e->reduces && c->rooted == e->rooted &&
         fabs(e->busbw - factor * e->algbw) <= rounding;
}

/* Finds "all_gather" or "allgather", but not the end of "myallgather". */
static bool is_word_in(gscale__part file, const char *name)
{
  const char *const at = gscale__find(file, name);

  return at &&
         (at == file.at || !strchr("_abcdefghijklmnopqrstuvwxyz", at[-1]));
}

static bool file_names(const logfile *l, const collective *c)
{
  const gscale__part file = {l->s->file, strlen(l->s->file)};
  char program[64];

  gscale__keep_end(program, sizeof program, c->program);
  *strstr(program, "_perf") = '\0';
  return is_word_in(file, program) || is_word_in(file, c->bench);
}

/* Without a program's name the rows identify most collectives and the file's
 * name the others. The result is NULL if several remain, since ambiguous rows
 * measure nothing. */
static const collective *identify(const logfile *l, const char *at)
{
  const evidence e = look_ahead(l, at);
  const collective *fitting = NULL, *named = NULL;
  size_t fit = 0, names = 0;

  for (size_t i = 0; i < COLLECTIVES; i++) {
    const collective *const c = &collectives[i];

    if (e.algbw > 0.0 && !fits(c, &e, l->ranks.n)) continue;
    fitting = c;
    fit++;
    if (!file_names(l, c)) continue;
    named = c;
    names++;
  }
  return fit == 1 ? fitting : names == 1 ? named : NULL;
}

/* A failed test has no more rows. Those that it printed were verified. */
static bool has_failed(gscale__part line)
{
  return gscale__find(line, "Test failure") ||
         gscale__find(line, "Test NCCL failure");
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;

  if (n > GSCALE__TOKENS_MAX) {
    if (l->in_table) return gscale__bad(l->s, line.at, "too many words");
    return GSCALE_OK;
  }
  if (!l->in_table) read_version(l, word, n);
  if (gscale__begins(line, "#")) return read_comment(l, line, word, n);
  if (!l->in_table) {
    guess_name(l, line);
    return GSCALE_OK;
  }
  if (has_failed(line)) {
    l->in_table = false;
    return GSCALE_OK;
  }
  if (!is_row(l, word, n)) return GSCALE_OK;
  if (!l->collective && !l->started && !l->searched) {
    l->collective = identify(l, line.at);
    l->searched = true;
  }
  return read_row(l, line, word, n);
}

static bool detect(const gscale__source *s)
{
  return gscale__has(s, "busbw") && gscale__has(s, "algbw");
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s, .iterations = 1.0};
  const gscale_status st = gscale__read_lines(s, SIZE_MAX, read_line, &l);

  if (st != GSCALE_OK) return st;
  if (l.in_table) return gscale__cut(s, "inside a table of results");
  return l.tables > 0 ? GSCALE_OK
                      : gscale__cut(s, "without a table of results");
}

const gscale__format gscale__format_nccl = {"nccl-tests", detect, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
