/* expect.c - gpuscale expect: a verdict on the bandwidths of a log.
 *
 * Each collective of the log has a predicted time and a 95 % interval.  A time
 * outside it is slow or fast.  A time inside it is normal, or unclear if the
 * interval is wider than WIDE to a side. */

#include "say/predict.h"

#include <math.h>
#include <string.h>

/* A 95 % interval has this many standard errors on each side: the tails follow
 * Student's distribution of four degrees, and one error covers two thirds. */
static const double ERRORS = 2.43;
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

typedef struct verdicts {
  size_t rows, slow, fast, unclear;
  double worst; /* largest measured / longest normal time */
  const gscale_measurement *of;
  gscale_expected is;
} verdicts;

/* Returns the factor by which normal times may be longer or shorter. */
static double factor_of(const gscale_expected *e)
{
  return exp(asinh(ERRORS * e->err / e->time));
}

static const char *judge(const gscale_expected *e, const gscale_measurement *r,
                         verdicts *v)
{
  const double most = factor_of(e);

  v->rows++;
  if (e->measured > e->time * most) {
    v->slow++;
    if (e->measured / (e->time * most) > v->worst) {
      v->worst = e->measured / (e->time * most);
      v->of = r;
      v->is = *e;
    }
    return "slow";
  }
  if (e->measured * most < e->time) {
    v->fast++;
    return "fast";
  }
  if (most - 1.0 > WIDE) {
    v->unclear++;
    return "cannot tell";
  }
  return "normal";
}

static void fill(cell *c, const gscale_expected *e, const gscale_measurement *r,
                 verdicts *v)
{
  const double moved = e->bytes * gscale_coll_bus(e->kind, r->gpus);
  const double most = factor_of(e);

  set_text(&c[COLLECTIVE], gscale_name(GSCALE_COLL_KIND_NAMES, e->kind));
  c[GPUS].number = r->gpus;
  c[NODES].number = e->nodes;
  c[BYTES].number = e->bytes;
  snprintf(c[WAY].text, sizeof c[WAY].text, "%s/%s",
           gscale_name(GSCALE_COLL_ALGORITHM_NAMES, e->way.algorithm),
           gscale_name(GSCALE_COLL_PROTOCOL_NAMES, e->way.protocol));
  c[MEASURED].number = e->measured;
  c[PREDICTED].number = e->time;
  c[BUS].number = moved / e->measured;
  c[BUS_PREDICTED].number = moved / e->time;
  c[BUS_LOW].number = moved / (e->time * most);
  c[BUS_HIGH].number = moved / e->time * most;
  set_text(&c[VERDICT], judge(e, r, v));
  set_text(&c[AT_FILE], r->file);
  c[AT_LINE].number = r->line;
  set_text(&c[PLACE],
           strcmp(r->access, "in-place") == 0 ? r->access : "out-of-place");
}

static int fill_all(rows *table, const gscale_system *s,
                    const gscale_measurements *m, verdicts *v, failure *why)
{
  const gscale_measurement *r;
  size_t others = 0;

  for (size_t i = 0; (r = gscale_measurements_at(m, i)) != NULL; i++) {
    const gscale_expected e = gscale_expect(s, r);
    if (!isfinite(e.time)) {
      others++;
      continue;
    }
    fill(rows_add(table), &e, r, v);
  }
  if (v->rows == 0)
    return fail(
        why, EXIT_DATA,
        "expect: no row is a collective that %s can do: of its GPUs, and "
        "between nodes by coll.net_rate",
        gscale_system_about(s).name);
  if (others > 0)
    print_note("%zu rows are no collectives of %s", others,
               gscale_system_about(s).name);
  return EXIT_OK;
}

/* States how many rows have each verdict and which row is the slowest. */
static void claim_verdicts(claim *c, const verdicts *v)
{
  claim_begin(c);
  c->value = (double)(v->slow + v->fast);
  claim_say(c,
            "%zu of %zu rows are slow, %zu fast; of %zu nobody can tell, their "
            "intervals are too wide.",
            v->slow, v->rows, v->fast, v->unclear);
  if (v->of) {
    char bytes[48];

    gscale_format_quantity(v->is.bytes, GSCALE_BYTES, bytes, sizeof bytes);
    claim_say(c,
              " Look first at %s of %s (line %d): it takes %.2f times as long "
              "as predicted.",
              gscale_name(GSCALE_COLL_KIND_NAMES, v->is.kind), bytes,
              v->of->line, v->is.measured / v->is.time);
  }
}

static int expect_main(options *o, failure *why)
{
  gscale_measurements *m = gscale_measurements_new();
  gscale_system *s = NULL;
  system_label name;
  verdicts v = {0};
  claim said;
  rows *table = rows_new("gpuscale.expect/1", columns, COLUMNS);
  int st = EXIT_OK;

  if (!m) st = fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (st == EXIT_OK && o->arguments == 0) st = need_arguments(o, 1, "LOG", why);
  if (st == EXIT_OK) st = load_asked_system(o, &s, NULL, name, why);
  if (st == EXIT_OK) st = read_logs(m, o, 0, why);
  if (st == EXIT_OK) st = fill_all(table, s, m, &v, why);
  claim_verdicts(&said, &v);
  st = rows_print_answer(st, table, &said, o, why);
  if (st == EXIT_OK && v.slow + v.fast > 0)
    st = fail(why, EXIT_NO,
              "%zu of %zu rows are not as expected: %zu slow, %zu fast",
              v.slow + v.fast, v.rows, v.slow, v.fast);
  gscale_system_free(s);
  gscale_measurements_free(m);
  return st;
}

const verb verb_expect = {
    .place = 85,
    .name = "expect",
    .usage = "LOG... --system SYSTEM [options]",
    .summary = "whether the bandwidths of collectives in a log are normal",
    .examples =
        "gpuscale expect all_reduce.log --system dgx-h100\n"
        "gpuscale expect nccl-tests/*.log --system dgx-h100-ndr --format csv\n",
    .accepts = "system link set format output",
    .run = expect_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
