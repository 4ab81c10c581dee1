/* nccl.c - results of nccl-tests, as text and as JSON.
 *
 * Of each line the out-of-place result is taken; the in-place one is counted
 * as skipped unless it is the only one.  Results with wrong elements are
 * skipped; old versions have, instead of their number, the largest difference,
 * which sums of floats always have.
 *
 * Ranks on several hosts are told by where their results go: `dst` is "nodes".
 */

#include "import/import.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- collectives -------------------------------------------------------- */

/* nccl-tests states sizes per rank: for alltoall the whole send buffer, of
 * which each pair gets an nth part. */
typedef enum items {
  WHOLE,     /* one operation of the stated size */
  EACH_RANK, /* n of the stated size */
  EACH_PAIR  /* n (n - 1) of an nth of it */
} items;

/* Its bus bandwidth over its algorithm bandwidth, on n ranks
 * (doc/PERFORMANCE.md of nccl-tests). */
typedef enum bus {
  BUS_ONE,   /* 1 */
  BUS_SHARE, /* (n - 1) / n */
  BUS_TWICE  /* 2 (n - 1) / n */
} bus;

typedef struct collective {
  const char *program, *bench;
  items items;
  bool reduces, rooted; /* its rows name an operation, a root */
  bus bus;
} collective;

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

/* The collective whose program is named in p: reduce_perf, but not the end of
 * all_reduce_perf. */
static const collective *named_in(gscale__part p)
{
  for (size_t i = 0; i < COLLECTIVES; i++) {
    const char *const at = gscale__find(p, collectives[i].program);
    if (at && (at == p.at || at[-1] != '_')) return &collectives[i];
  }
  return NULL;
}

/* One result as both forms of the file state it. */
typedef struct result {
  double size, time, sigma, repeats; /* B, us */
} result;

/* Who took part. */
typedef struct members {
  int n;
  int nodes;                /* hosts, one after the other */
  gscale__part first, last; /* host */
} members;

static bool same(gscale__part a, gscale__part b)
{
  return a.size == b.size && strncmp(a.at, b.at, a.size) == 0;
}

static void add_host(members *k, gscale__part host)
{
  if (!k->first.at) k->first = k->last = host, k->nodes = 1;
  if (!same(k->last, host) && !same(k->first, host)) k->nodes++;
  k->last = host;
}

static gscale_status add(gscale__source *s, const char *at, const collective *c,
                         const members *who, const result *r)
{
  const int ranks = who->n;
  gscale_measurement row = gscale__sample(
      c->bench, "all", who->nodes > 1 ? "nodes" : "all", ranks, "kernel");

  row.size = c->items == EACH_PAIR ? r->size / ranks : r->size;
  if (who->nodes > 1) row.inflight = who->nodes;
  if (c->items == EACH_RANK) row.count = ranks;
  if (c->items == EACH_PAIR) row.count = (double)ranks * (ranks - 1);
  if (row.count < 1.0)
    return gscale__skip(s); /* of one rank: nothing is sent */
  row.time = r->time / 1e6;
  row.sigma = r->sigma / 1e6;
  row.repeats = r->repeats;
  return gscale__add(s, at, &row);
}

/* ---- text --------------------------------------------------------------- */

typedef struct logfile {
  gscale__source *s;
  const collective *collective; /* NULL: not known, or not ours */
  bool started;                 /* a program said its name itself */
  members ranks;
  double iterations;
  bool in_table;
  size_t columns, tables;
  size_t time, wrong;  /* their columns; the first ones are out-of-place */
  double wrong_most;   /* in that column, of a result that counts */
  bool has_time, pair; /* no time: of the host's; pair: in-place too */
  size_t redop, root, algbw, busbw; /* columns, == `columns` if not there */
  bool asked;                       /* what this table's collective is */
} logfile;

/* Index of the first of that name in a row, which has no #. */
static size_t column_of(const gscale__part *word, size_t n, const char *name)
{
  size_t i = 1;
  while (i < n && !gscale__is(word[i], name)) i++;
  return i - 1;
}

static gscale_status read_columns(logfile *l, const gscale__part *word,
                                  size_t n)
{
  const double tolerated = 1e-2; /* of half precision: the most of all types */

  l->has_time = l->pair = false;
  l->wrong = n;
  for (size_t i = 1; i < n; i++) {
    if (gscale__is(word[i], "time")) {
      l->pair = l->has_time;
      if (!l->has_time) l->time = i - 1;
      l->has_time = true;
    } else if (l->wrong == n && (gscale__is(word[i], "#wrong") ||
                                 gscale__is(word[i], "error"))) {
      l->wrong = i - 1;
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
  l->asked = false;
  l->tables++;
  return GSCALE_OK;
}

/* "... warmup iters: 5 iters: 20 agg iters: 1 ..." */
static void read_iterations(logfile *l, const gscale__part *word, size_t n)
{
  for (size_t i = 1; i + 1 < n; i++)
    if (gscale__is(word[i], "iters:") && !gscale__is(word[i - 1], "warmup") &&
        !gscale__is(word[i - 1], "agg"))
      (void)gscale__is_number(word[i + 1], &l->iterations);
}

static bool has_word(const gscale__part *word, size_t n, const char *what)
{
  for (size_t i = 0; i < n; i++)
    if (gscale__is(word[i], what)) return true;
  return false;
}

/* "#  Rank  0 Group  0 Pid 99 on node17 device  0 ..." */
static void add_rank(logfile *l, const gscale__part *word, size_t n)
{
  l->ranks.n++;
  for (size_t i = 3; i + 1 < n; i++)
    if (gscale__is(word[i], "on")) {
      add_host(&l->ranks, word[i + 1]);
      return;
    }
}

static gscale_status read_comment(logfile *l, gscale__part line,
                                  const gscale__part *word, size_t n)
{
  if (gscale__begins(line, "# Collective test starting:")) {
    l->collective = named_in(line);
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
    l->collective = NULL; /* one name is for one table */
  }
  return GSCALE_OK;
}

/* Between the lines of a table others may print. */
static bool is_row(const logfile *l, const gscale__part *word, size_t n)
{
  double number;
  return n > 0 && (gscale__is_number(word[0], &number) ||
                   (n == l->columns && gscale__is_number(word[1], &number)));
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  gscale__source *const s = l->s;
  result r = {.repeats = l->iterations};
  double wrong = 0.0;

  /* a time stamp is two words under one name */
  if (n != l->columns && n != l->columns + 1)
    return gscale__bad(s, line.at, "%zu columns where the table has %zu", n,
                       l->columns);
  gscale_status st = gscale__number(s, word[0], "size", &r.size);
  if (st == GSCALE_OK && l->has_time)
    st = gscale__number(s, word[l->time], "time", &r.time);
  if (st == GSCALE_OK && l->wrong < n && !gscale__is(word[l->wrong], "N/A"))
    st = gscale__number(s, word[l->wrong], "#wrong", &wrong);
  if (st != GSCALE_OK) return st;
  if (l->pair) s->skipped++;
  if (!l->has_time || !l->collective || wrong > l->wrong_most)
    return gscale__skip(s);
  return add(s, line.at, l->collective, &l->ranks, &r);
}

/* Before version 2.17.3 the program does not say its name: a command that
 * someone printed before may. */
static void guess_name(logfile *l, gscale__part line)
{
  const collective *const c = named_in(line);
  if (c && !l->started) l->collective = c;
}

/* What the rows of a table say of their collective. */
typedef struct evidence {
  bool reduces, rooted;
  double algbw, busbw; /* GB/s, of the row with the most; 0: they say none */
} evidence;

static void take_evidence(const logfile *l, const gscale__part *word, size_t n,
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

/* Of the table whose first row begins there. */
static evidence look_ahead(const logfile *l, const char *at)
{
  gscale__part line, word[GSCALE__TOKENS_MAX];
  evidence e = {.algbw = 0.0};

  while (gscale__next_line(l->s, &at, &line) && !gscale__begins(line, "#")) {
    const size_t n = gscale__split(line, word);
    if (n <= GSCALE__TOKENS_MAX && is_row(l, word, n))
      take_evidence(l, word, n, &e);
  }
  return e;
}

static double bus_factor(bus b, double n)
{
  return b == BUS_ONE ? 1.0 : (b == BUS_TWICE ? 2.0 : 1.0) * (n - 1.0) / n;
}

/* Both bandwidths are printed with two decimals, large ones with fewer. */
static bool fits(const collective *c, const evidence *e, int ranks)
{
  const double factor = bus_factor(c->bus, ranks);
  const double rounding = 0.005 * (1.0 + factor) + 1e-3 * e->busbw;

  return c->reduces == e->reduces && c->rooted == e->rooted &&
         fabs(e->busbw - factor * e->algbw) <= rounding;
}

/* "all_gather" or "allgather", but not the end of "myallgather". */
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

/* No program said its name: the rows tell most collectives apart, the name of
 * the file the others.  None if both leave several: rows that may be either are
 * no measurement of one. */
static const collective *recognise(const logfile *l, const char *at)
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

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;

  if (n > GSCALE__TOKENS_MAX) {
    if (l->in_table) return gscale__bad(l->s, line.at, "too many words");
    return GSCALE_OK;
  }
  if (gscale__begins(line, "#")) return read_comment(l, line, word, n);
  if (!l->in_table) {
    guess_name(l, line);
    return GSCALE_OK;
  }
  if (!is_row(l, word, n)) return GSCALE_OK;
  if (!l->collective && !l->started && !l->asked) {
    l->collective = recognise(l, line.at);
    l->asked = true;
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

/* ---- JSON --------------------------------------------------------------- */

static double integer(const json_t *object, const char *key, double otherwise)
{
  const json_t *const v = json_object_get(object, key);
  return json_is_integer(v) ? (double)json_integer_value(v) : otherwise;
}

/* Ranks: under MPI, `devices` has only the first one of each process. */
static double count_ranks(const json_t *config)
{
  const json_t *const devices = json_object_get(config, "devices");
  const double listed = (double)json_array_size(devices);
  const double each =
      integer(config, "nthreads", 1.0) * integer(config, "ngpus", 1.0);
  const bool all =
      listed >= 2.0 && integer(json_array_get(devices, 1), "rank", 1.0) == 1.0;
  return all ? listed : listed * each;
}

static void add_hosts(members *k, const json_t *devices)
{
  for (size_t i = 0; i < json_array_size(devices); i++) {
    const char *const host = json_string_value(
        json_object_get(json_array_get(devices, i), "hostname"));
    if (host) add_host(k, (gscale__part){host, strlen(host)});
  }
}

static const collective *named_by(const json_t *root)
{
  const json_t *const args = json_object_get(root, "args");
  const char *const program = json_string_value(json_array_get(args, 0));
  return program ? named_in((gscale__part){program, strlen(program)}) : NULL;
}

/* The standard error of the mean from a report of each iteration. */
static double sigma_of(const json_t *record, const char *key)
{
  const json_t *const report = json_object_get(record, key);
  const json_t *const stdev = json_object_get(report, "stdev_us");
  const size_t n = json_array_size(json_object_get(report, "times_us"));
  return json_is_number(stdev) && n > 0
             ? json_number_value(stdev) / sqrt((double)n)
             : 0.0;
}

/* *body is then the result that counts, or nothing. */
static gscale_status pick_body(gscale__source *s, gscale__item record,
                               const char **name, gscale__item *body)
{
  static const char *const names[] = {"out_of_place", "in_place"};
  body->is = NULL;
  for (size_t i = 0; i < 2; i++) {
    const gscale__item b = gscale__json_member(record, names[i]);
    if (!b.is || json_is_null(b.is)) continue;
    if (!json_is_object(b.is))
      return gscale__bad(s, record.at, "%s: not an object", names[i]);
    if (body->is) {
      s->skipped++;
    } else {
      *body = b;
      *name = names[i];
    }
  }
  return GSCALE_OK;
}

static gscale_status read_body(gscale__source *s, gscale__item body, result *r,
                               bool *good)
{
  const gscale__item time = gscale__json_member(body, "time");
  const gscale__item wrong = gscale__json_member(body, "nwrong");
  gscale_status st = GSCALE_OK;
  double n = 0.0;

  if (time.is)
    st = gscale__json_number(s, time, "time", &r->time);
  else if (!json_object_get(body.is, "cpu_time"))
    return gscale__bad(s, body.at, "no time");
  if (st == GSCALE_OK && wrong.is && !json_is_null(wrong.is))
    st = gscale__json_number(s, wrong, "nwrong", &n);
  *good = time.is && !(n > 0.0);
  return st;
}

/* What all records of a file share. */
typedef struct report {
  const collective *collective;
  members ranks;
  double iterations;
} report;

static gscale_status read_record(gscale__source *s, gscale__item record,
                                 const report *all)
{
  const char *name = "";
  gscale__item body;
  result r = {.repeats =
                  integer(record.is, "actual_iterations", all->iterations)};
  bool good = false;

  if (!json_is_object(record.is))
    return gscale__bad(s, record.at, "not an object");
  gscale_status st = gscale__json_number(s, gscale__json_member(record, "size"),
                                         "size", &r.size);
  if (st == GSCALE_OK) st = pick_body(s, record, &name, &body);
  if (st == GSCALE_OK && body.is) st = read_body(s, body, &r, &good);
  if (st != GSCALE_OK) return st;
  if (!good || !all->collective) return gscale__skip(s);
  r.sigma = sigma_of(record.is, strcmp(name, "in_place") == 0
                                    ? "in_place_per_iter"
                                    : "out_of_place_per_iter");
  return add(s, record.at, all->collective, &all->ranks, &r);
}

static gscale_status read_records(gscale__source *s, gscale__item root)
{
  const gscale__item config = gscale__json_member(root, "config");
  const gscale__item records = gscale__json_member(root, "results");
  const double n = count_ranks(config.is);
  report all = {named_by(root.is),
                {.n = n <= 1e6 ? (int)n : INT_MAX},
                integer(config.is, "iterations", 1.0)};
  gscale_status st = GSCALE_OK;

  if (!json_is_array(records.is))
    return gscale__bad(s, records.at, "no list of results");
  if (!(n >= 1.0) || n > 1e6)
    return gscale__bad(s, config.at, "config: devices: not a number of ranks");
  if (!json_object_get(root.is, "args"))
    return gscale__bad(s, s->text, "no args, which name the collective");
  add_hosts(&all.ranks, json_object_get(config.is, "devices"));
  for (gscale__item i = gscale__json_first(records); i.is && st == GSCALE_OK;
       i = gscale__json_next(records, i))
    st = read_record(s, i, &all);
  return st;
}

static bool detect_json(const gscale__source *s)
{
  return *gscale__json_root(s) == '{' && gscale__has(s, "\"nccl_version\"");
}

static gscale_status read_json(gscale__source *s)
{
  return gscale__read_json(s, read_records);
}

const gscale__format gscale__format_nccl_json = {"nccl-tests-json", detect_json,
                                                 read_json};

/* SPDX-License-Identifier: GPL-3.0-or-later */
