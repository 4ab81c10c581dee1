/* nccl.c - results of nccl-tests in text form.
 *
 * The out-of-place result of a line is a row with access "kernel".  The
 * in-place result has access "in-place", unless there is no out-of-place
 * result.  Results with wrong elements are skipped with a remark.  Old versions
 * print the largest difference instead of the number of wrong elements, and
 * sums of floats always differ.  The library's version comes from the head or
 * from the library's output.  Ranks on several hosts set `dst` to "nodes". */

#include "import/nccl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

const collective *gscale__nccl_called(gscale__part p)
{
  const bool exchange = gscale__is(p, "SendRecv");

  for (size_t i = 0; p.at && i < COLLECTIVES; i++)
    if (strcasecmp(exchange ? "ring" : p.at, collectives[i].bench) == 0)
      return &collectives[i];
  return NULL;
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
  const bool apart = who->nodes != 1;
  gscale_measurement row =
      gscale__sample(c->bench, "all", apart ? "nodes" : "all", ranks,
                     r->in_place ? "in-place" : "kernel");

  if (ranks < 2) return gscale__skip(s); /* a single rank sends nothing */
  row.version = r->version;
  row.size = c->items == EACH_PAIR ? r->size / ranks : r->size;
  if (apart) row.inflight = who->nodes;
  if (who->thread > 0) row.threads = fmax(1.0, ranks / who->thread);
  if (c->items == EACH_RANK) row.count = ranks;
  if (c->items == EACH_PAIR) row.count = (double)ranks * (ranks - 1);
  row.time = r->time / 1e6;
  row.sigma = r->sigma / 1e6;
  row.repeats = r->repeats;
  return gscale__add(s, at, &row);
}

typedef struct logfile {
  gscale__source *s;
  const collective *collective; /* NULL if unknown */
  gscale__part program;         /* as it names itself, or empty */
  bool listing;                 /* no table came after the list of ranks */
  members ranks;
  double iterations;
  double version;
  bool in_table, settled;
  size_t columns;
  size_t time, wrong;               /* columns of the out-of-place result */
  double wrong_most;                /* largest tolerated value in `wrong` */
  bool has_time, pair;              /* no time: only the host took part */
  size_t time_in, wrong_in;         /* columns of the in-place result */
  size_t redop, root, algbw, busbw; /* column, or `columns` if absent */
  size_t wrongs;                    /* number of results with wrong elements */
  const char *first_wrong, *nested; /* places in the text, or NULL */
} logfile;

/* Returns the first column with a name. */
static size_t column_of(const gscale__part *word, size_t n, const char *name)
{
  size_t i = 0;
  while (i < n && !gscale__is(word[i], name)) i++;
  return i;
}

static void read_columns(logfile *l, const gscale__part *word, size_t n)
{
  const double tolerated = 1e-2; /* largest difference, for half precision */

  if (l->in_table && !l->nested) l->nested = word->at;
  l->has_time = l->pair = false;
  l->wrong = l->wrong_in = n;
  for (size_t i = 0; i < n; i++) {
    if (gscale__is(word[i], "time")) {
      l->pair = l->has_time;
      *(l->has_time ? &l->time_in : &l->time) = i;
      l->has_time = true;
    } else if (gscale__is(word[i], "#wrong") || gscale__is(word[i], "error")) {
      *(l->wrong == n ? &l->wrong : &l->wrong_in) = i;
      l->wrong_most = gscale__is(word[i], "error") ? tolerated : 0.0;
    }
  }
  l->redop = column_of(word, n, "redop");
  l->root = column_of(word, n, "root");
  l->algbw = column_of(word, n, "algbw");
  l->busbw = column_of(word, n, "busbw");
  l->columns = n;
  l->in_table = true;
  l->settled = l->listing = false;
}

/* Reads a line such as "warmup iters: 5 iters: 20 agg iters: 1". */
static void read_iterations(logfile *l, const gscale__part *word, size_t n)
{
  l->iterations = 1.0;
  for (size_t i = 1; i + 1 < n; i++)
    if (gscale__is(word[i], "iters:") && !gscale__is(word[i - 1], "warmup") &&
        !gscale__is(word[i - 1], "agg") &&
        gscale__is_number(word[i + 1], &l->iterations) && l->iterations <= 1.0)
      gscale__remark(l->s, GSCALE_REMARK_NOTE, word->at,
                     "one iteration: each time is of a single call");
}

/* Reads "nccl-library=22902" in the head, or "NCCL version 2.8.4+cuda11.1" in
 * the library's output. */
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

/* Returns the whole number after a word, or `otherwise`. */
static int number_behind(const gscale__part *word, size_t n, const char *what,
                         int otherwise)
{
  const size_t i = column_of(word, n, what);
  double number;

  return i + 1 < n && gscale__is_number(word[i + 1], &number) &&
                 number >= 0.0 && number < 1e6
             ? (int)number
             : otherwise;
}

/* Begins a list of ranks, which belongs to the next table. */
static void begin_list(logfile *l)
{
  const int asked = gscale__measurements_ranks(l->s->out);

  if (!l->listing) l->ranks = (members){.process = 1, .asked = asked};
  l->listing = true;
}

/* Reads a line like "Rank 0 Group 0 Pid 9 on n17 device 0 [0x18] H100". */
static void add_rank(logfile *l, gscale__part line, const gscale__part *word,
                     size_t n)
{
  const size_t on = column_of(word, n, "on");
  const size_t device = column_of(word, n, "device");
  member m = {.rank = number_behind(word, n, "Rank", -1),
              .group = number_behind(word, n, "Group", 0),
              .device = number_behind(word, n, "device", -1)};

  if (m.rank < 0) return;
  begin_list(l);
  if (on + 1 < n) m.host = word[on + 1];
  if (device + 3 < n) {
    m.name.at = word[device + 3].at;
    m.name.size = (size_t)(line.at + line.size - m.name.at);
  }
  gscale__nccl_rank(&l->ranks, &m);
}

static void end_table(logfile *l)
{
  l->in_table = false;
  if (l->program.size == 0)
    l->collective = NULL; /* each table names the program once */
}

/* Reads a line that is not a row and has lost its number sign. */
static bool read_comment(logfile *l, gscale__part line,
                         const gscale__part *word, size_t n)
{
  if (gscale__begins(line, "Collective test starting:")) {
    l->collective = gscale__nccl_named(line);
    l->program = word[n - 1];
    begin_list(l);
  } else if (gscale__is(word[0], "nThread")) {
    begin_list(l);
    l->ranks.thread = number_behind(word, n, "nGpus", 0);
    read_iterations(l, word, n);
  } else if (gscale__is(word[0], "Rank")) {
    add_rank(l, line, word, n);
  } else if (gscale__is(word[0], "size") && column_of(word, n, "busbw") < n) {
    read_columns(l, word, n);
  } else if (gscale__begins(line, "Out of bounds")) {
    if (gscale__find(line, "FAILED") && !l->first_wrong)
      gscale__remark(l->s, GSCALE_REMARK_WRONG, line.at,
                     "the results were out of bounds: FAILED");
    end_table(l);
  } else if (gscale__begins(line, "Avg bus")) {
    end_table(l);
  } else {
    return false;
  }
  return true;
}

/* Adds a result of a row unless too many elements were wrong. */
static gscale_status add_result(logfile *l, gscale__part line,
                                const gscale__part *word, result r)
{
  gscale__source *const s = l->s;
  const size_t bad = r.in_place ? l->wrong_in : l->wrong;
  const gscale__part time = word[r.in_place ? l->time_in : l->time];
  double wrong = 0.0;
  gscale_status st = GSCALE_OK;

  if (!l->has_time || gscale__is(time, "N/A")) return gscale__skip(s);
  st = gscale__number(s, time, "time", &r.time);
  if (st == GSCALE_OK && bad < l->columns && !gscale__is(word[bad], "N/A"))
    st = gscale__number(s, word[bad], "#wrong", &wrong);
  if (st != GSCALE_OK) return st;
  if (wrong > l->wrong_most) {
    if (l->wrongs++ == 0) l->first_wrong = line.at;
    return gscale__skip(s);
  }
  if (!l->collective) return gscale__skip(s);
  return gscale__nccl_add(s, line.at, l->collective, &l->ranks, &r);
}

static gscale_status read_row(logfile *l, gscale__part line,
                              const gscale__part *word, size_t n)
{
  gscale__source *const s = l->s;
  result r = {.repeats = l->iterations, .version = l->version};

  if (n < l->columns)
    return gscale__bad(s, line.at, "%zu columns where the table has %zu", n,
                       l->columns);
  gscale_status st = gscale__number(s, word[0], "size", &r.size);
  if (st == GSCALE_OK) st = add_result(l, line, word, r);
  r.in_place = true;
  return st == GSCALE_OK && l->pair ? add_result(l, line, word, r) : st;
}

/* Before version 2.17.3, the program does not print its name, but an earlier
 * line with the command may contain the name. */
static void guess_name(logfile *l, gscale__part line)
{
  const collective *const c = gscale__nccl_named(line);
  if (c && l->program.size == 0) l->collective = c;
}

/* Finds a row in a line, which may begin with output of other programs and end
 * with a time stamp.  Returns the number of words of the row, or 0. */
static size_t find_row(const logfile *l, const gscale__part **word, size_t n)
{
  double number;

  if (n == 0) return 0;
  if (gscale__is_number((*word)[0], &number)) return n;
  if (n == l->columns && gscale__is_number((*word)[1], &number)) return n;
  if (n <= l->columns) return 0;
  const gscale__part *const end = *word + n - l->columns;
  for (size_t i = 0; i < l->columns; i++)
    if (i != 2 && i != l->redop && !gscale__is_number(end[i], &number) &&
        !gscale__is(end[i], "N/A"))
      return 0;
  *word = end;
  return l->columns;
}

/* What the rows of a table reveal about the collective and its ranks. */
typedef struct evidence {
  bool reduces, rooted;
  ratios ratio;
} evidence;

static void add_evidence(const logfile *l, const gscale__part *word,
                         evidence *e)
{
  const gscale__part a = word[l->algbw], b = word[l->busbw];
  double algbw, busbw, root;

  if (!gscale__is_number(a, &algbw) || !gscale__is_number(b, &busbw)) return;
  gscale__nccl_ratio(&e->ratio, algbw, busbw,
                     fmax(gscale__nccl_digit(a.at), gscale__nccl_digit(b.at)));
  e->reduces = l->redop < l->columns && !gscale__is(word[l->redop], "none");
  e->rooted = l->root < l->columns && gscale__is_number(word[l->root], &root) &&
              root >= 0.0;
}

/* Reads all rows of a table, from the first row on. */
static void look_ahead(const logfile *l, const char *at, evidence *e)
{
  gscale__part line, word[GSCALE__TOKENS_MAX];
  const gscale__part *row = word;

  e->ratio.n = 0;
  while (gscale__next_line(l->s, &at, &line) &&
         !gscale__begins(line, "Out of bounds") &&
         !gscale__begins(line, "size ")) {
    const size_t n = gscale__split(line, word);
    row = word;
    if (n <= GSCALE__TOKENS_MAX && l->algbw < l->columns &&
        l->busbw < l->columns && find_row(l, &row, n) >= l->columns)
      add_evidence(l, row, e);
  }
}

/* Returns true if a file's name has a word, such as "all_gather" or
 * "allgather", but not only as the end of a word, as in "myallgather". */
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

/* Identifies the collective without a program's name, from the rows or else
 * from the file's name.  The result is NULL if several collectives are
 * possible. */
static const collective *identify(const logfile *l, const evidence *e)
{
  const collective *fitting = NULL, *named = NULL;
  const int n = gscale__nccl_listed(&l->ranks);
  size_t fit = 0, names = 0, most = 0;

  for (size_t i = 0; i < COLLECTIVES; i++) {
    const collective *const c = &collectives[i];
    if (c->reduces != e->reduces || c->rooted != e->rooted) continue;
    size_t rows = e->ratio.n == 0 ? 1 : gscale__nccl_fits(&e->ratio, c->bus, n);
    if (rows == 0) rows = gscale__nccl_told(&e->ratio, c->bus) > 0;
    if (rows == 0 || rows < most) continue;
    if (rows > most) fit = names = 0;
    most = rows;
    fitting = c;
    fit++;
    if (!file_names(l, c)) continue;
    named = c;
    names++;
  }
  return fit == 1 ? fitting : names == 1 ? named : NULL;
}

static void settle(logfile *l, const char *at)
{
  static const evidence none = {.reduces = false};
  evidence e = none;

  look_ahead(l, at, &e);
  if (!l->collective && l->program.size == 0) l->collective = identify(l, &e);
  if (!l->collective)
    gscale__remark(l->s, GSCALE_REMARK_BROKEN, at, "%.*s%s",
                   (int)l->program.size, l->program.at,
                   l->program.size > 0
                       ? " is none of the collectives that are known"
                       : "the rows do not tell the collective: name the file "
                         "after its program, as all_gather.log");
  gscale__nccl_settle(l->s, at, &l->ranks, &e.ratio, l->collective);
  l->settled = true;
}

/* Returns true for a line that reports a failed test, after which there are no
 * more rows.  Earlier rows were verified. */
static bool has_failed(gscale__part line)
{
  return gscale__find(line, "Test failure") ||
         gscale__find(line, "Test NCCL failure");
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  logfile *const l = reader;

  if (n > GSCALE__TOKENS_MAX)
    return l->in_table ? gscale__bad(l->s, line.at, "too many words")
                       : GSCALE_OK;
  if (!l->in_table) read_version(l, word, n);
  if (n == 0 || read_comment(l, line, word, n)) return GSCALE_OK;
  if (!l->in_table) {
    guess_name(l, line);
    return GSCALE_OK;
  }
  if (has_failed(line)) {
    gscale__remark(l->s, GSCALE_REMARK_WRONG, line.at, "the test failed here");
    end_table(l);
    return GSCALE_OK;
  }
  n = find_row(l, &word, n);
  if (n == 0) return GSCALE_OK;
  if (!l->settled) settle(l, line.at);
  return read_row(l, line, word, n);
}

static gscale_status read(gscale__source *s)
{
  logfile l = {.s = s, .program = {"", 0}, .iterations = 1.0};

  begin_list(&l);
  l.listing = false;
  const gscale_status st = gscale__read_lines(s, SIZE_MAX, read_line, &l);

  if (st != GSCALE_OK) return st;
  gscale__nccl_wrong(s, l.wrongs, l.first_wrong);
  if (l.nested)
    gscale__remark(s, GSCALE_REMARK_BROKEN, l.nested,
                   "a table begins in a table: several processes printed, was "
                   "nccl-tests built without MPI=1?");
  return l.in_table ? gscale__cut(s, "inside a table of results") : GSCALE_OK;
}

const gscale__format gscale__format_nccl = {"nccl-tests", "busbw", "algbw ",
                                            false, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
