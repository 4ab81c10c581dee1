/* nccl_json.c - results of nccl-tests in JSON form. */

#include "import/nccl.h"

#include <math.h>
#include <string.h>

static double integer(const json_t *object, const char *key, double otherwise)
{
  const json_t *const v = json_object_get(object, key);
  return json_is_integer(v) ? (double)json_integer_value(v) : otherwise;
}

static gscale__part part_of(const json_t *object, const char *key)
{
  const char *const text = json_string_value(json_object_get(object, key));
  return (gscale__part){text, text ? strlen(text) : 0};
}

/* Adds the ranks and returns their number.  Under MPI, `devices` has only the
 * first rank of each process. */
static double add_ranks(members *k, const json_t *config)
{
  const json_t *const devices = json_object_get(config, "devices");
  const double listed = (double)json_array_size(devices);
  const double each =
      integer(config, "nthreads", 1.0) * integer(config, "ngpus", 1.0);
  const bool all =
      listed >= 2.0 && integer(json_array_get(devices, 1), "rank", 1.0) == 1.0;

  k->process = all || !(each <= RANKS_MOST) ? 1 : (int)each;
  k->thread = (int)fmin(RANKS_MOST, integer(config, "ngpus", 0.0));
  for (size_t i = 0; i < json_array_size(devices); i++) {
    const json_t *const d = json_array_get(devices, i);
    const member m = {.rank = (int)integer(d, "rank", (double)i),
                      .group = (int)integer(d, "group", 0.0),
                      .device = (int)integer(d, "device", -1.0),
                      .host = part_of(d, "hostname"),
                      .name = part_of(d, "device_info")};
    gscale__nccl_rank(k, &m);
  }
  return all ? listed : listed * each;
}

static void add_ratio(ratios *r, gscale__item record)
{
  const gscale__item body = gscale__json_member(record, "out_of_place");
  const gscale__item algbw = gscale__json_member(body, "alg_bw");
  const gscale__item busbw = gscale__json_member(body, "bus_bw");

  if (json_is_number(algbw.is) && json_is_number(busbw.is))
    gscale__nccl_ratio(
        r, json_number_value(algbw.is), json_number_value(busbw.is),
        fmax(gscale__nccl_digit(algbw.at), gscale__nccl_digit(busbw.at)));
}

static const collective *named_by(const json_t *root)
{
  const json_t *const args = json_object_get(root, "args");
  const char *const program = json_string_value(json_array_get(args, 0));
  return program ? gscale__nccl_named((gscale__part){program, strlen(program)})
                 : NULL;
}

/* Returns the standard error of the mean over the iterations. */
static double sigma_of(const json_t *record, const char *key)
{
  const json_t *const report = json_object_get(record, key);
  const json_t *const stdev = json_object_get(report, "stdev_us");
  const size_t n = json_array_size(json_object_get(report, "times_us"));
  return json_is_number(stdev) && n > 0
             ? json_number_value(stdev) / sqrt((double)n)
             : 0.0;
}

/* All records of a file share the report. */
typedef struct report {
  const collective *collective;
  members ranks;
  double iterations, version;
  size_t wrongs;
  const char *first_wrong;
} report;

/* Adds a result with a time and, under that key, a number of wrong elements. */
static gscale_status add_body(gscale__source *s, gscale__item body,
                              const char *bad, report *all, result r)
{
  const gscale__item time = gscale__json_member(body, "time");
  const gscale__item wrong = gscale__json_member(body, bad);
  double n = 0.0;
  gscale_status st = GSCALE_OK;

  if (time.is)
    st = gscale__json_number(s, time, "time", &r.time);
  else if (!json_object_get(body.is, "cpu_time"))
    return gscale__bad(s, body.at, "no time");
  if (st == GSCALE_OK && wrong.is && !json_is_null(wrong.is))
    st = gscale__json_number(s, wrong, bad, &n);
  if (st != GSCALE_OK) return st;
  if (n > 0.0 && all->wrongs++ == 0) all->first_wrong = body.at;
  if (n > 0.0 || !(r.time > 0.0) || !all->collective) return gscale__skip(s);
  return gscale__nccl_add(s, body.at, all->collective, &all->ranks, &r);
}

/* Adds one of the two results of a record, if it exists. */
static gscale_status add_named(gscale__source *s, gscale__item record,
                               const char *name, report *all, result r)
{
  const gscale__item body = gscale__json_member(record, name);
  char report_name[32];

  if (!body.is || json_is_null(body.is)) return GSCALE_OK;
  if (!json_is_object(body.is))
    return gscale__bad(s, record.at, "%s: not an object", name);
  gscale__print(report_name, sizeof report_name, "%s_per_iter", name);
  r.sigma = sigma_of(record.is, report_name);
  return add_body(s, body, "nwrong", all, r);
}

static gscale_status read_record(gscale__source *s, gscale__item record,
                                 report *all)
{
  static const char other[] = "out_of_place";
  result r = {.version = all->version,
              .repeats =
                  integer(record.is, "actual_iterations", all->iterations)};

  if (!json_is_object(record.is))
    return gscale__bad(s, record.at, "not an object");
  gscale_status st = gscale__json_number(s, gscale__json_member(record, "size"),
                                         "size", &r.size);
  if (st == GSCALE_OK) st = add_named(s, record, other, all, r);
  if (st != GSCALE_OK) return st;
  r.in_place = json_is_object(json_object_get(record.is, other));
  return add_named(s, record, "in_place", all, r);
}

static gscale_status read_records(gscale__source *s, gscale__item root)
{
  const gscale__item config = gscale__json_member(root, "config");
  const gscale__item records = gscale__json_member(root, "results");
  report all = {
      .collective = named_by(root.is),
      .iterations = integer(config.is, "iterations", 1.0),
      .version = gscale__nccl_version(integer(root.is, "nccl_version", 0.0))};
  const double n = add_ranks(&all.ranks, config.is);
  ratios ratio = {0};
  gscale_status st = GSCALE_OK;

  if (!json_is_array(records.is))
    return gscale__bad(s, records.at, "no list of results");
  if (!(n >= 1.0) || n > 1e6)
    return gscale__bad(s, config.at, "config: devices: not a number of ranks");
  if (!json_object_get(root.is, "args"))
    return gscale__bad(s, s->text, "no args, which name the collective");
  for (gscale__item i = gscale__json_first(records); i.is;
       i = gscale__json_next(records, i))
    add_ratio(&ratio, i);
  gscale__nccl_settle(s, s->text, &all.ranks, &ratio, all.collective);
  for (gscale__item i = gscale__json_first(records); i.is && st == GSCALE_OK;
       i = gscale__json_next(records, i))
    st = read_record(s, i, &all);
  gscale__nccl_wrong(s, all.wrongs, all.first_wrong);
  return st;
}

static gscale_status read_json(gscale__source *s)
{
  return gscale__read_json(s, read_records);
}

/* ---- a record a line, of rccl-tests -------------------------------------- */

typedef struct lines {
  gscale__source *s;
  report all;
} lines;

static gscale_status read_object(void *reader, gscale__part line,
                                 const gscale__part *word, size_t n)
{
  lines *const l = reader;
  gscale__item record = {NULL, line.at, 0};
  json_t *value;
  result r = {.repeats = 1.0};

  if (n == 0 || *word[0].at != '{') return GSCALE_OK;
  gscale_status st = gscale__json(l->s, line, &value);
  if (st != GSCALE_OK) return st;
  record.is = value;
  l->all.collective = gscale__nccl_called(part_of(value, "name"));
  l->all.ranks =
      (members){.n = (int)integer(value, "gpus", integer(value, "ranks", 0.0)),
                .nodes = (int)integer(value, "nodes", 1.0)};
  r.in_place = integer(value, "inPlace", 0.0) > 0.0;
  st = gscale__json_number(l->s, gscale__json_member(record, "size"), "size",
                           &r.size);
  if (st == GSCALE_OK) st = add_body(l->s, record, "#wrong", &l->all, r);
  json_decref(value);
  return st;
}

static gscale_status read_objects(gscale__source *s)
{
  lines l = {.s = s};
  const gscale_status st = gscale__read_lines(s, SIZE_MAX, read_object, &l);

  gscale__nccl_wrong(s, l.all.wrongs, l.all.first_wrong);
  return st;
}

const gscale__format gscale__format_rccl_json = {"rccl-tests-json", "\"busBw\"",
                                                 "", true, read_objects};

const gscale__format gscale__format_nccl_json = {
    "nccl-tests-json", "\"nccl_version\"", "", true, read_json};

/* SPDX-License-Identifier: GPL-3.0-or-later */
