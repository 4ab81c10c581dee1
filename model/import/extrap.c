/* extrap.c - input files of Extra-P, as text and as JSON Lines.
 *
 * A region becomes a bench. A parameter named like a number of processes is
 * `gpus`, one named like a number of bytes is `size`. Others take these places
 * in the order of the file, since Extra-P's examples have processes first.
 * Metrics whose names lack "time", more than two parameters, and fractional
 * numbers of processes are counted as skipped. Repetitions become their
 * median. */

#include "import/import.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  PARAMETERS_MAX = 4, /* of the format */
  NAME_MAX = 48
};

/* ---- both forms ---------------------------------------------------------- */

/* This is a growing array of numbers. */
typedef struct numbers {
  double *value;
  size_t n, room;
} numbers;

static gscale_status push(gscale__source *s, numbers *v, double x)
{
  double *const moved =
      gscale__reserve(v->value, &v->room, v->n + 1, sizeof *moved);
  if (!moved)
    return gscale__fail(s->diag, GSCALE_ENOMEM, "%s: no memory", s->path);
  v->value = moved;
  moved[v->n++] = x;
  return GSCALE_OK;
}

/* These are the names of a file's parameters. */
typedef struct parameters {
  size_t n;
  char name[PARAMETERS_MAX][NAME_MAX];
} parameters;

typedef enum role {
  GPUS,
  SIZE,
  ROLES,
  OPEN = ROLES
} role;

static role role_of(const char *name)
{
  static const char *const names[][8] = {
      [GPUS] = {"p", "np", "gpus", "procs", "processes", "ranks", "nodes"},
      [SIZE] = {"size", "bytes", "size_B", "message_size", "msg_size"},
  };
  for (role r = GPUS; r < ROLES; r++)
    for (size_t i = 0; i < 8 && names[r][i]; i++)
      if (strcasecmp(names[r][i], name) == 0) return r;
  return OPEN;
}

/* Sets value[GPUS] and value[SIZE] from a point. Returns false if it does not
 * fit. */
static bool assign(const parameters *p, const double *point, double *value)
{
  bool taken[ROLES] = {false, false};
  value[GPUS] = value[SIZE] = 0.0;
  for (size_t i = 0; i < p->n; i++) {
    const role r = role_of(p->name[i]);
    if (r == OPEN) continue;
    if (taken[r]) return false;
    taken[r] = true;
    value[r] = point[i];
  }
  for (size_t i = 0; i < p->n; i++) {
    if (role_of(p->name[i]) != OPEN) continue;
    const role r = taken[GPUS] ? SIZE : GPUS;
    if (taken[r]) return false;
    taken[r] = true;
    value[r] = point[i];
  }
  return value[GPUS] == floor(value[GPUS]) && value[GPUS] >= 0.0 &&
         value[GPUS] <= 1e9 && value[SIZE] >= 0.0;
}

static bool is_time(const char *metric)
{
  for (; *metric; metric++)
    if (strncasecmp(metric, "time", 4) == 0) return true;
  return false;
}

/* Sorts the values and adds their median. */
static gscale_status add(gscale__source *s, const char *at, const char *region,
                         const char *metric, const parameters *p,
                         const double *point, numbers *v)
{
  double value[ROLES];

  if (v->n == 0) return gscale__bad(s, at, "no value");
  if (!is_time(metric) || !assign(p, point, value)) return gscale__skip(s);
  gscale_measurement row = gscale__sample(*region ? region : "extrap", "all",
                                          "all", (int)value[GPUS], "host");
  row.size = value[SIZE];
  row.repeats = (double)v->n;
  gscale__median(v->value, v->n, &row.time, &row.sigma);
  return gscale__add(s, at, &row);
}

/* ---- text ---------------------------------------------------------------- */

typedef struct text {
  gscale__source *s;
  parameters parameters;
  numbers points; /* parameters point by point */
  numbers values; /* of one line */
  char region[256], metric[256];
  size_t next; /* next DATA line's point */
  bool any;    /* any DATA line */
} text;

static void copy_name(char *out, size_t size, gscale__part p)
{
  const size_t n = p.size < size ? p.size : size - 1;
  memcpy(out, p.at + (p.size - n), n);
  out[n] = '\0';
}

static size_t count_points(const text *t)
{
  return t->parameters.n ? t->points.n / t->parameters.n : 0;
}

/* Each region and metric has DATA for all points or for none. */
static gscale_status end_series(text *t, const char *at)
{
  const size_t all = count_points(t), have = t->next;
  t->next = 0;
  if (have == 0 || have == all) return GSCALE_OK;
  return gscale__bad(t->s, at, "%zu DATA lines for %zu points", have, all);
}

static gscale_status read_parameters(text *t, const gscale__part *word,
                                     size_t n)
{
  if (t->points.n > 0)
    return gscale__bad(t->s, word[0].at, "PARAMETER behind POINTS");
  for (size_t i = 1; i < n; i++) {
    if (t->parameters.n == PARAMETERS_MAX)
      return gscale__bad(t->s, word[i].at, "more than %d parameters",
                         (int)PARAMETERS_MAX);
    copy_name(t->parameters.name[t->parameters.n++], NAME_MAX, word[i]);
  }
  return GSCALE_OK;
}

static bool between(char c)
{
  return c == ' ' || c == '\t' || c == '(' || c == ')';
}

/* Adds the number that begins at *at and moves *at behind it. */
static gscale_status push_next(text *t, const char **at, const char *end,
                               const char *what, numbers *v)
{
  const char *const from = *at;
  double x;

  while (*at < end && !between(**at)) ++*at;
  const gscale_status st = gscale__number(
      t->s, (gscale__part){from, (size_t)(*at - from)}, what, &x);
  return st == GSCALE_OK ? push(t->s, v, x) : st;
}

/* Reads "POINTS (20 1) (20 2)". A single parameter needs no parentheses. */
static gscale_status read_points(text *t, gscale__part line)
{
  const char *at = line.at + strlen("POINTS"), *const end = line.at + line.size;
  gscale_status st = GSCALE_OK;
  size_t inside = 0;
  bool open = false;

  if (t->parameters.n == 0)
    return gscale__bad(t->s, line.at, "POINTS before PARAMETER");
  while (st == GSCALE_OK && at < end) {
    if (between(*at)) {
      const bool wrong = (*at == '(' && open) || (*at == ')' && !open) ||
                         (*at == ')' && inside != t->parameters.n);
      if (wrong) return gscale__bad(t->s, at, "parentheses or numbers missing");
      if (*at == '(') inside = 0;
      if (*at == '(' || *at == ')') open = *at == '(';
      at++;
    } else if (!open && t->parameters.n > 1) {
      return gscale__bad(t->s, at, "points of several parameters stand in ()");
    } else {
      st = push_next(t, &at, end, "point", &t->points);
      inside++;
    }
  }
  return st == GSCALE_OK && open ? gscale__bad(t->s, end, "a ( without )") : st;
}

static gscale_status read_data(text *t, gscale__part line)
{
  const char *at = line.at + strlen("DATA"), *const end = line.at + line.size;
  gscale_status st = GSCALE_OK;

  if (t->next >= count_points(t))
    return gscale__bad(t->s, line.at, "more DATA lines than points");
  t->values.n = 0;
  while (st == GSCALE_OK && at < end)
    if (between(*at))
      at++;
    else
      st = push_next(t, &at, end, "value", &t->values);
  if (st != GSCALE_OK) return st;
  const double *const point = t->points.value + t->next++ * t->parameters.n;
  t->any = true;
  return add(t->s, line.at, t->region, t->metric, &t->parameters, point,
             &t->values);
}

static gscale_status read_name(text *t, gscale__part line,
                               const gscale__part *word, size_t n, char *out,
                               size_t size)
{
  const gscale_status st = end_series(t, line.at);
  const char *const last = n > 1 ? word[n - 1].at + word[n - 1].size : NULL;
  *out = '\0';
  if (last)
    copy_name(out, size,
              (gscale__part){word[1].at, (size_t)(last - word[1].at)});
  return st;
}

static gscale_status read_field(void *reader, gscale__part line,
                                const gscale__part *word, size_t n)
{
  text *const t = reader;

  if (n == 0 || gscale__begins(line, "#")) return GSCALE_OK;
  if (word[0].at == line.at && gscale__is(word[0], "POINTS"))
    return read_points(t, line);
  if (word[0].at == line.at && gscale__is(word[0], "DATA"))
    return read_data(t, line);
  if (n > GSCALE__TOKENS_MAX)
    return gscale__bad(t->s, line.at, "too many words");
  if (gscale__is(word[0], "PARAMETER")) return read_parameters(t, word, n);
  if (gscale__is(word[0], "REGION"))
    return read_name(t, line, word, n, t->region, sizeof t->region);
  if (gscale__is(word[0], "METRIC"))
    return read_name(t, line, word, n, t->metric, sizeof t->metric);
  return gscale__bad(t->s, line.at,
                     "neither PARAMETER, POINTS, REGION, METRIC nor DATA");
}

static bool detect(const gscale__source *s)
{
  return strncmp(s->text, "PARAMETER", 9) == 0 || gscale__has(s, "\nPARAMETER");
}

static gscale_status read(gscale__source *s)
{
  text t = {.s = s, .metric = "time"}; /* default METRIC */
  gscale_status st = gscale__read_lines(s, SIZE_MAX, read_field, &t);

  if (st == GSCALE_OK) st = end_series(&t, s->text + s->size);
  if (st == GSCALE_OK && !t.any) st = gscale__cut(s, "without DATA");
  free(t.points.value);
  free(t.values.value);
  return st;
}

const gscale__format gscale__format_extrap = {"extrap", detect, read};

/* ---- JSON Lines ---------------------------------------------------------- */

/* Consecutive lines with the same key are repetitions. */
typedef struct lines {
  gscale__source *s;
  json_t *first; /* group's first line */
  const char *at;
  numbers values;
} lines;

static const char *text_of(const json_t *record, const char *key,
                           const char *otherwise)
{
  const char *const v = json_string_value(json_object_get(record, key));
  return v ? v : otherwise;
}

static bool same_group(const json_t *a, const json_t *b)
{
  return strcmp(text_of(a, "metric", "time"), text_of(b, "metric", "time")) ==
             0 &&
         strcmp(text_of(a, "callpath", ""), text_of(b, "callpath", "")) == 0 &&
         json_equal(json_object_get(a, "params"), json_object_get(b, "params"));
}

static gscale_status end_group(lines *l)
{
  parameters p = {.n = 0};
  double point[PARAMETERS_MAX];
  const char *key;
  json_t *v;

  if (!l->first) return GSCALE_OK;
  json_object_foreach(json_object_get(l->first, "params"), key, v)
  {
    gscale__keep_end(p.name[p.n], NAME_MAX, key);
    point[p.n++] = json_number_value(v);
  }
  const gscale_status st =
      add(l->s, l->at, text_of(l->first, "callpath", ""),
          text_of(l->first, "metric", "time"), &p, point, &l->values);
  json_decref(l->first);
  l->first = NULL;
  l->values.n = 0;
  return st;
}

static gscale_status check_record(gscale__source *s, const char *at,
                                  const json_t *record)
{
  json_t *const params = json_object_get(record, "params");
  const char *key;
  json_t *v;

  if (!json_is_object(params)) return gscale__bad(s, at, "no params");
  if (json_object_size(params) > PARAMETERS_MAX)
    return gscale__bad(s, at, "more than %d parameters", (int)PARAMETERS_MAX);
  json_object_foreach(params, key, v)
  {
    if (!json_is_number(v))
      return gscale__bad(s, at, "params: %.40s: not a number", key);
  }
  return GSCALE_OK;
}

static gscale_status push_values(lines *l, const char *at, const json_t *record)
{
  const json_t *const value = json_object_get(record, "value");
  const size_t n = json_is_array(value) ? json_array_size(value) : 1;
  gscale_status st = GSCALE_OK;
  double x;

  for (size_t i = 0; i < n && st == GSCALE_OK; i++) {
    const json_t *const v =
        json_is_array(value) ? json_array_get(value, i) : value;
    if (!json_is_number(v)) return gscale__bad(l->s, at, "value: not a number");
    x = json_number_value(v);
    st = push(l->s, &l->values, x);
  }
  return st;
}

static gscale_status read_record(lines *l, const char *at, json_t *record)
{
  gscale_status st = check_record(l->s, at, record);
  if (st == GSCALE_OK && l->first && !same_group(l->first, record))
    st = end_group(l);
  if (st == GSCALE_OK && !l->first) {
    l->first = json_incref(record);
    l->at = at;
  }
  return st == GSCALE_OK ? push_values(l, at, record) : st;
}

static gscale_status read_json_line(void *reader, gscale__part line,
                                    const gscale__part *word, size_t n)
{
  lines *const l = reader;
  json_t *record;

  (void)word;
  if (n == 0) return GSCALE_OK;
  gscale_status st = gscale__json(l->s, line, &record);
  if (st != GSCALE_OK) return st;
  st = read_record(l, line.at, record);
  json_decref(record);
  return st;
}

static bool detect_jsonl(const gscale__source *s)
{
  const char *at = gscale__json_root(s);
  gscale__part line;
  return *at == '{' && gscale__next_line(s, &at, &line) &&
         gscale__find(line, "\"params\"") && gscale__find(line, "\"value\"");
}

static gscale_status read_jsonl(gscale__source *s)
{
  lines l = {.s = s};
  gscale_status st = gscale__read_lines(s, SIZE_MAX, read_json_line, &l);

  if (st == GSCALE_OK) st = end_group(&l);
  if (st == GSCALE_OK && s->rows + s->skipped == 0)
    st = gscale__cut(s, "without a line of data");
  json_decref(l.first);
  free(l.values.value);
  return st;
}

const gscale__format gscale__format_extrap_jsonl = {"extrap-jsonl",
                                                    detect_jsonl, read_jsonl};

/* SPDX-License-Identifier: GPL-3.0-or-later */
