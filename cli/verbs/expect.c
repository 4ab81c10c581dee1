/* expect.c - gpuscale expect: judges the bandwidths of logs.
 *
 * Errors come first: wrong results, ranks that contradict the rows, or GPUs
 * that the system does not have. Files of equal shape are compared with each
 * other. Each collective has a predicted time with a 95 % interval. A measured
 * time above the interval is slow, and one below is fast. A row is odd if it
 * differs from rows of neighbouring sizes and from its in-place twin. If all
 * large rows of a log are equally slow, the level of the log is below the
 * system's level, and none of its rows is slow. */

#include "expect/expect.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The tails of errors have a Student distribution of 4 degrees, and one error
 * covers two thirds, which are 0.875 of its width. */
static const double WIDTH = 0.875, TAIL = 0.025;
static const double WIDE = 0.25;

enum {
  COLLECTIVE,
  GPUS,
  NODES,
  BYTES,
  WAY,
  MEASURED,
  PREDICTED,
  BUS,
  BUS_PREDICTED,
  BUS_LOW,
  BUS_HIGH,
  VERDICT,
  AT_FILE,
  AT_LINE,
  PLACE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [COLLECTIVE] = TEXT("collective", "collective"),
    [GPUS] = INTEGER("gpus", "GPUs"),
    [NODES] = INTEGER("nodes", "nodes"),
    [BYTES] = NUMBER("size_B", "size", GSCALE_BYTES),
    [WAY] = TEXT("way", "way"),
    [MEASURED] = NUMBER("measured_s", NULL, GSCALE_TIME),
    [PREDICTED] = NUMBER("predicted_s", NULL, GSCALE_TIME),
    [BUS] = NUMBER("busbw_Bps", "bus", GSCALE_BYTERATE),
    [BUS_PREDICTED] = NUMBER("expected_Bps", "expected", GSCALE_BYTERATE),
    [BUS_LOW] = NUMBER("low_Bps", "from", GSCALE_BYTERATE),
    [BUS_HIGH] = NUMBER("high_Bps", "to", GSCALE_BYTERATE),
    [VERDICT] = TEXT("verdict", "verdict"),
    [AT_FILE] = TEXT("file", NULL),
    [AT_LINE] = INTEGER("line", NULL),
    [PLACE] = TEXT("place", "place"),
};

/* Small collectives may take up to HOSTS_DIFFER times the upper end of the
 * interval, because protocols switch and hosts of one kind differ. The factor
 * is from a log of two H200 that was not used in fits. */
static const double HOSTS_DIFFER = 1.6;
static const double LARGE_COPY = 1048576.0; /* B, without protocols */

/* ---- rows ------------------------------------------------------------- */

/* Returns the standard errors that one of so many series exceeds in 2.5 % of
 * healthy logs. The quantile of the distribution has a closed form. */
static double errors_of(size_t series)
{
  const double p = TAIL / fmax(1.0, (double)series);
  const double root = 2.0 * sqrt(p * (1.0 - p));

  return WIDTH * 2.0 * sqrt(cos(acos(root) / 3.0) / root - 1.0);
}

/* Returns the factor by which a normal time may deviate up or down. */
static double factor_of(const gscale_expected *e, size_t series)
{
  return exp(asinh(errors_of(series) * e->err / e->time));
}

/* ---- the level -------------------------------------------------------- */

typedef struct level {
  double sum, shared, own; /* sums of logarithms and of squared errors */
  size_t rows, series;
} level;

static bool is_of_table(const judged *a, const judged *b)
{
  return a->file == b->file && same_series(a->r, b->r);
}

/* Sums the rows of a table, or all rows if `of` is NULL. */
static level level_of(const logs *l, const judged *of, double least)
{
  level v = {0};

  for (size_t i = 0; i < l->n; i++) {
    const judged *const j = &l->row[i];
    const gscale_expected *const e = &j->e;

    if (!isfinite(e->time) || j->bytes < least || (of && !is_of_table(of, j)))
      continue;
    const double off = gscale_coll_off(l->s, j->bytes, e->nodes);
    v.series += v.rows == 0 || strcmp(j->r->bench, l->row[i - 1].r->bench) != 0;
    v.rows++;
    v.sum += log(e->measured / e->time);
    v.own += off * off;
    v.shared += fmax(0.0, pow(e->err / e->time, 2.0) - off * off);
  }
  return v;
}

/* Finds the level from the large rows, or from all rows if few are large. Rows
 * of one collective share a part of the model's error, and all rows share the
 * error of the system's numbers. */
static void find_level(logs *l, const judged *of, double *at, double *limit)
{
  level v = level_of(l, of, EXPECT_LARGE);

  if (v.rows < 3) v = level_of(l, of, 0.0);
  if (v.rows == 0) return;
  *at = v.sum / (double)v.rows;
  *limit = errors_of(1) *
           sqrt((v.shared + v.own / (double)v.series) / (double)v.rows);
}

static bool is_below(const logs *l)
{
  return l->limit > 0.0 && l->level > l->limit;
}

/* ---- verdicts --------------------------------------------------------- */

static const char *verdict_of(logs *l, size_t i)
{
  judged *const j = &l->row[i];
  const gscale_expected *e = &j->e;
  const bool known = isfinite(e->time);
  const double most = known ? factor_of(e, 1) : INFINITY;
  const double ratio = known ? e->measured / e->time : 1.0;
  const double large =
      e->kind < GSCALE_COLL_KIND_END ? EXPECT_LARGE : LARGE_COPY;

  if (is_odd(l, i)) return "odd";
  if (known && !is_below(l) && !(j->level > j->limit) &&
      ratio > factor_of(e, l->series) * (j->bytes < large ? HOSTS_DIFFER : 1.0))
    return "slow";
  if (known && ratio * most < 1.0) return "fast";
  if (known && ratio <= most && most - 1.0 <= WIDE) return "normal";
  return has_neighbours(l, i) ? "even" : "cannot tell";
}

static void judge(logs *l, size_t i)
{
  judged *const j = &l->row[i];
  const char *v = j->verdict = verdict_of(l, i);
  const bool bad = strcmp(v, "slow") == 0 || strcmp(v, "odd") == 0;
  const double ratio = isfinite(j->e.time) ? j->e.measured / j->e.time : 0.0;

  l->slow += strcmp(v, "slow") == 0;
  l->odd += strcmp(v, "odd") == 0;
  l->fast += strcmp(v, "fast") == 0;
  l->unclear += strcmp(v, "cannot tell") == 0;
  if (bad && (!l->worst || !isfinite(l->worst->e.time) ||
              ratio > l->worst->e.measured / l->worst->e.time))
    l->worst = j;
}

/* Names a collective, or a copy with its ends. */
static const char *call_of(const judged *j, char text[64])
{
  const gscale_measurement *const r = j->r;

  if (j->e.kind < GSCALE_COLL_KIND_END && isfinite(j->e.time))
    return gscale_name(GSCALE_COLL_KIND_NAMES, j->e.kind);
  snprintf(text, 64, strpbrk(r->dst, "0123456789h") ? "%s %s-%s" : "%s",
           r->bench, r->src, r->dst);
  return text;
}

static void fill(cell *c, const judged *j)
{
  const gscale_expected *e = &j->e;
  const gscale_measurement *r = j->r;
  const bool known = isfinite(e->time);
  const bool collective = known && e->kind < GSCALE_COLL_KIND_END;
  const double moved =
      j->bytes * (collective ? gscale_coll_bus(e->kind, r->gpus) : 1.0);
  char text[64];
  const double most = known ? factor_of(e, 1) : NAN;

  if (collective) {
    snprintf(c[WAY].text, sizeof c[WAY].text, "%s/%s",
             gscale_name(GSCALE_COLL_ALGORITHM_NAMES, e->way.algorithm),
             gscale_name(GSCALE_COLL_PROTOCOL_NAMES, e->way.protocol));
  } else {
    set_text(&c[WAY], "-");
  }
  set_text(&c[COLLECTIVE], call_of(j, text));
  c[GPUS].number = r->gpus;
  c[NODES].number = known                          ? e->nodes
                    : strcmp(r->dst, "nodes") == 0 ? r->inflight
                                                   : 1.0;
  c[BYTES].number = j->bytes;
  c[MEASURED].number = r->time;
  c[PREDICTED].number = e->time;
  c[BUS].number = moved / r->time;
  c[BUS_PREDICTED].number = moved / e->time;
  c[BUS_LOW].number = moved / (e->time * most);
  c[BUS_HIGH].number = moved / e->time * most;
  set_text(&c[VERDICT], j->verdict);
  set_text(&c[AT_FILE], r->file);
  c[AT_LINE].number = r->line;
  set_text(&c[PLACE],
           strcmp(r->access, "in-place") == 0 ? r->access : "out-of-place");
}

/* ---- what is said ----------------------------------------------------- */

/* Returns whether the text has the model of a GPU. In "NVIDIA H100 80GB HBM3"
 * the model is the first word with a digit, up to a hyphen. */
static bool names_gpu(const char *text, const char *gpu)
{
  const char *at = gpu + strcspn(gpu, "0123456789");

  while (at > gpu && at[-1] != ' ') at--;
  const size_t n = strcspn(at, " -");
  for (; n > 0 && *text; text++)
    if (strncasecmp(text, at, n) == 0 && !isalnum((unsigned char)text[n]))
      return true;
  return n == 0;
}

static void say_broken(claim *c, logs *l)
{
  static const gscale_remark_kind order[] = {
      GSCALE_REMARK_WRONG, GSCALE_REMARK_BROKEN, GSCALE_REMARK_GPU};
  const gscale_remark *r;
  bool other = !l->s || !strpbrk(l->of.summary, "0123456789");

  for (size_t k = 0; k < 3; k++)
    for (size_t f = 0, i = 0; (r = gscale_measurements_remark(l->m, i)); i++) {
      while (i >= l->file[f].remarks) f++;
      if (r->kind != order[k] ||
          (k == 2 && (other || names_gpu(l->of.summary, r->text))))
        continue;
      if (k == 2)
        claim_say(c, "The GPUs of the log are %s, those of %s are not (%s). ",
                  r->text, gscale_system_about(l->s).name, l->of.summary);
      else if (l->broken == 0)
        claim_say(c, "%s:%d: %s. ", l->o->argument[f], r->line, r->text);
      other |= k == 2;
      l->broken++;
    }
}

static void say_files(claim *c, const logs *l)
{
  for (size_t f = 0; f < l->o->arguments; f++) {
    const gscale_remark *hosts = NULL;

    if (!(l->file[f].off > 0.0)) continue;
    for (size_t i = f ? l->file[f - 1].remarks : 0; i < l->file[f].remarks; i++)
      if (gscale_measurements_remark(l->m, i)->kind == GSCALE_REMARK_HOSTS)
        hosts = gscale_measurements_remark(l->m, i);
    claim_say(c, "%s%s%s%s takes %.2f times as long as %s. ", l->o->argument[f],
              hosts ? " (" : "", hosts ? hosts->text : "", hosts ? ")" : "",
              exp(l->file[f].off),
              l->o->arguments > 2 ? "the others" : "the other one");
  }
  if (l->files_off == 0 && l->o->arguments > 1)
    claim_say(c, "No file differs from the others. ");
}

/* States a cause that agrees with the level of a log. */
static void say_cause(claim *c, const logs *l)
{
  const double share = exp(-l->level);
  const int nodes = l->row[0].e.nodes;
  const gscale_network *net = gscale_system_about(l->s).network;

  if (nodes == 1 && share < 0.25)
    claim_say(c, " It is as if peer access were off: %.2f of the links.",
              share);
  else if (nodes > 1 && net && net->rails > 1 && share * net->rails > 0.7 &&
           share * net->rails < 1.3)
    claim_say(c, " It is as if one NIC of %d worked.", net->rails);
}

static void say_level(claim *c, const logs *l)
{
  const char *const name = gscale_system_about(l->s).name;
  char text[64];

  if (l->odd == 0) claim_say(c, " The log is even within itself");
  if (!(l->limit > 0.0)) {
    const int node = gscale_system_about(l->s).node;
    const gscale_measurement *const r = l->row[0].r;
    claim_say(c, "%s %s has no times of %s on %d GPUs", l->odd == 0 ? ";" : "",
              name, call_of(&l->row[0], text), r->gpus);
    if (strcmp(r->dst, "nodes") == 0)
      claim_say(c, " of several nodes (coll.net_rate).");
    else
      claim_say(c, r->gpus > node ? ", a node of it has %d." : ".", node);
    return;
  }
  claim_say(c, "%s level %s %s, %.2f times its time.",
            l->odd == 0 ? ";" : " It is",
            is_below(l)            ? "below"
            : l->level < -l->limit ? "above"
                                   : "as",
            name, exp(l->level));
  if (is_below(l))
    say_cause(c, l);
  else if (l->lowest)
    claim_say(c, " One collective is below that, %s: %.2f times.",
              isfinite(l->lowest->usual) ? l->lowest->r->bench
                                         : call_of(l->lowest, text),
              exp(l->lowest->level));
}

static void say_rows(claim *c, const logs *l)
{
  claim_say(c, "%zu of %zu rows are slow, %zu odd within the log, %zu fast",
            l->slow + l->odd, l->n, l->odd, l->fast);
  if (l->unclear > 0) claim_say(c, "; %zu cannot be judged", l->unclear);
  claim_say(c, ".");
  if (!l->worst) return;
  char bytes[48], text[64];

  gscale_format_quantity(l->worst->bytes, GSCALE_BYTES, bytes, sizeof bytes);
  claim_say(c, " Look first at %s of %s (line %d)", call_of(l->worst, text),
            bytes, l->worst->r->line);
  if (isfinite(l->worst->e.time))
    claim_say(c, ": it takes %.2f times as long as predicted",
              l->worst->e.measured / l->worst->e.time);
  claim_say(c, ".");
}

/* ---- the verb --------------------------------------------------------- */

static int read_all(logs *l, failure *why)
{
  const size_t files = l->o->arguments;
  int st = EXIT_OK;

  gscale_measurements_ranks(l->m, l->o->ranks);
  l->file = calloc(files, sizeof *l->file);
  if (!l->file) return no_memory(why);
  for (size_t f = 0; st == EXIT_OK && f < files; f++) {
    st = read_log(l->m, l->o->argument[f], why);
    l->file[f].end = gscale_measurements_count(l->m);
    if (f > 0) l->file[f].remarks = l->file[f - 1].remarks;
    while (gscale_measurements_remark(l->m, l->file[f].remarks))
      l->file[f].remarks++;
  }
  return st;
}

static int judge_all(rows *table, logs *l, failure *why)
{
  const size_t n = gscale_measurements_count(l->m);

  double *const room = malloc((n + l->o->arguments) * sizeof *room);

  l->row = calloc(n + 1, sizeof *l->row);
  l->sorted = malloc((n + 1) * sizeof *l->sorted);
  if (!l->row || !l->sorted || !room) {
    free(room);
    return no_memory(why);
  }
  l->n = n;
  for (size_t i = 0, f = 0; i < n; i++) {
    const gscale_measurement *r = gscale_measurements_at(l->m, i);
    judged *const j = &l->row[i];

    while (i >= l->file[f].end) f++;
    *j = (judged){.r = r,
                  .e = {.time = NAN, .measured = r->time},
                  .file = f,
                  .prev = NOWHERE,
                  .next = NOWHERE,
                  .twin = NOWHERE,
                  .bytes = r->size,
                  .usual = NAN,
                  .log = log(r->time)};
    if (strcmp(r->bench, "alltoall") == 0) j->bytes *= r->gpus;
    if (l->s) j->e = gscale_expect(l->s, r);
    if (isfinite(j->e.time)) j->bytes = j->e.bytes;
    gscale_append(j->key, sizeof j->key, "%s %s %s %s %d %g %g", r->bench,
                  r->access, r->src, r->dst, r->gpus, r->inflight, j->bytes);
  }
  for (size_t i = 0; i < n; i++) link_rows(l, i);
  for (size_t i = 0; i < n; i++) find_usual(l, i, room);
  compare_files(l, room);
  free(room);
  for (size_t i = 0; l->s && i < n; i++) {
    judged *const j = &l->row[i];
    size_t k = 0;
    while (k < i && !is_of_table(j, &l->row[k])) k++;
    if (k == i)
      find_level(l, j, &j->level, &j->limit);
    else
      j->level = l->row[k].level, j->limit = l->row[k].limit;
    if (j->level > j->limit && j->level > (l->lowest ? l->lowest->level : 0.0))
      l->lowest = j;
  }
  if (l->s) find_level(l, NULL, &l->level, &l->limit);
  l->series = level_of(l, NULL, 0.0).series;
  for (size_t i = 0; i < n; i++) judge(l, i);
  for (size_t i = 0; i < n; i++) fill(rows_add(table), &l->row[i]);
  return EXIT_OK;
}

static void say_all(claim *c, logs *l)
{
  claim_begin(c);
  say_broken(c, l);
  if (l->n == 0) return;
  if (l->o->arguments > 1) say_files(c, l);
  say_rows(c, l);
  if (l->s) say_level(c, l);
  c->value = (double)(l->slow + l->odd);
}

static int expect_main(options *o, failure *why)
{
  logs l = {.o = o, .m = gscale_measurements_new()};
  system_label name;
  claim said = {0};
  rows *table = rows_new("gpuscale.expect/1", columns, COLUMNS);
  int st = EXIT_OK;

  if (!l.m) st = no_memory(why);
  if (st == EXIT_OK && o->arguments == 0) st = need_arguments(o, 1, "LOG", why);
  if (st == EXIT_OK && (o->system || o->arguments < 2))
    st = load_asked_system(o, &l.s, &l.of, name, why);
  if (st == EXIT_OK) st = settings_all_used(&o->set, why);
  if (st == EXIT_OK) st = read_all(&l, why);
  if (st == EXIT_OK) st = judge_all(table, &l, why);
  if (st == EXIT_OK) say_all(&said, &l);
  if (st == EXIT_OK && l.n + l.broken == 0)
    st = fail(why, EXIT_DATA, "expect: no row of the logs has a counterpart");
  st = rows_print_answer(st, table, &said, o, why);
  if (st == EXIT_OK &&
      (l.broken + l.files_off + l.slow + l.odd > 0 || is_below(&l)))
    st = fail(why, EXIT_NO,
              "not as expected: broken %zu, files off %zu, rows slow %zu, odd "
              "%zu, level %.2f",
              l.broken, l.files_off, l.slow, l.odd, exp(l.level));
  free(l.row);
  free(l.sorted);
  free(l.file);
  gscale_system_free(l.s);
  gscale_measurements_free(l.m);
  return st;
}

const verb verb_expect = {
    .place = 85,
    .name = "expect",
    .usage = "LOG... --system SYSTEM [options]",
    .summary = "whether the bandwidths of a log are normal",
    .examples =
        "gpuscale expect all_reduce.log --system dgx-h100\n"
        "gpuscale expect nccl-tests/*.log --system dgx-h100-ndr --format csv\n"
        "gpuscale expect node1.log node2.log node3.log\n",
    .accepts = "system link set per-node ranks format output",
    .run = expect_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
