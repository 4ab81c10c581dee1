/* axes.c - parses the axes of --over, and the table of --at. */

#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds -------------------------------------------------------------- */

static bool find_knob(over *v)
{
  const char *dot = strrchr(v->name, '.');
  char paradigm[sizeof v->name];

  if (!dot) return false;
  snprintf(paradigm, sizeof paradigm, "%.*s", (int)(dot - v->name), v->name);
  v->paradigm = gscale_paradigm_find(paradigm);
  if (v->paradigm >= gscale_paradigm_count()) return false;
  for (int k = 0; k < GSCALE_KNOB_END; k++)
    if (gscale_paradigm_at(v->paradigm)->uses[k] &&
        strcmp(gscale_knob_at((gscale_knob)k)->name, dot + 1) == 0) {
      v->knob = (gscale_knob)k;
      return true;
    }
  return false;
}

static void find_kind(over *v)
{
  v->parameter = gscale_param_find(v->name);
  if (v->parameter < gscale_param_count())
    strcpy(v->name, gscale_param_info_at(v->parameter)->name);
  v->dim = GSCALE_COUNT;
  if (strcmp(v->name, "gpus") == 0) {
    v->kind = OVER_GPUS;
  } else if (v->parameter < gscale_param_count()) {
    v->kind = OVER_PARAMETER;
    v->dim = gscale_param_info_at(v->parameter)->dim;
  } else if (find_knob(v)) {
    v->kind = OVER_KNOB;
    v->dim = gscale_knob_at(v->knob)->dim;
  } else {
    v->kind = OVER_SETTING;
  }
}

/* ---- values ------------------------------------------------------------- */

/* Returns the factor between two units, such as 1000 for "GB" in "MB", or NaN
 * if their dimensions differ. */
static double in_unit(const char *unit, const char *other)
{
  char one[32], text[32];

  snprintf(one, sizeof one, "1%s", unit);
  snprintf(text, sizeof text, "1%s", other);
  for (int dim = GSCALE_COUNT + 1; dim < GSCALE_DIM_END; dim++) {
    double of, to;

    if (gscale_parse_quantity(text, (gscale_dim)dim, &of, NULL) == GSCALE_OK &&
        gscale_parse_quantity(one, (gscale_dim)dim, &to, NULL) == GSCALE_OK)
      return of / to;
  }
  return NAN;
}

/* Converts a number to the unit of the first number that has one. The upper end
 * of a range may give the unit of both ends. */
static int parse_plain(const char *text, over *v, double *out, failure *why)
{
  char *end;

  *out = strtod(text, &end);
  if (end == text)
    return fail(why, EXIT_USAGE, "--over %s: '%s' is no number", v->name, text);
  end += strspn(end, " ");
  if (strlen(end) >= sizeof v->unit)
    return fail(why, EXIT_USAGE, "--over %s: '%s': unknown unit", v->name,
                text);
  if (!*v->unit) strcpy(v->unit, end);
  if (strcmp(v->unit, end) == 0) return EXIT_OK;
  *out *= in_unit(v->unit, end);
  if (!isnan(*out)) return EXIT_OK;
  return fail(why, EXIT_USAGE,
              "--over %s: '%s' needs a unit of the kind of '%s'", v->name, text,
              v->unit);
}

static int parse_value(const char *text, over *v, double *out, failure *why)
{
  gscale_diag diag;
  int st = EXIT_OK;

  if (v->kind == OVER_SETTING)
    st = parse_plain(text, v, out, why);
  else if (gscale_parse_quantity(text, v->dim, out, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--over %s: %s", v->name, diag.text);
  if (st == EXIT_OK && !isfinite(*out))
    return fail(why, EXIT_USAGE, "--over %s: '%s' is not finite", v->name,
                text);
  return st;
}

/* Takes a word after the range: "log", "whole" or a number such as "50". */
static int take_word(const char *word, over *v, gscale_axis *a, failure *why)
{
  int steps;
  const int is_number = word[strspn(word, "0123456789")] == '\0' && *word;

  if (strcmp(word, "log") == 0) {
    a->log = true;
    return EXIT_OK;
  }
  if (strcmp(word, "whole") == 0) {
    a->whole = true;
    return EXIT_OK;
  }
  if (!is_number)
    return fail(why, EXIT_USAGE,
                "--over %s: '%s' is not log, whole, or a number of values",
                v->name, word);
  char option[sizeof v->name + 8];

  snprintf(option, sizeof option, "--over %s", v->name);
  const int st = parse_whole(option, word, 1, 100000000, &steps, why);
  if (st == EXIT_OK) a->steps = (size_t)steps;
  return st;
}

enum {
  WORD_MAX = 128,
  VALUES_MAX = 10000 /* most values; each has its own system */
};

/* Copies the word before the next comma, or "", and advances *text. */
static int next_word(const char **text, char word[WORD_MAX], const over *v,
                     failure *why)
{
  const size_t length = strcspn(*text, ",");

  if (length >= WORD_MAX)
    return fail(why, EXIT_USAGE, "--over %s: '%.40s...' is too long", v->name,
                *text);
  memcpy(word, *text, length);
  word[length] = '\0';
  *text += length + ((*text)[length] == ',');
  return EXIT_OK;
}

/* Parses the ends in the first word, and the spacing in the other words. */
static int parse_range(const char *text, over *v, gscale_axis *a, failure *why)
{
  char word[WORD_MAX];
  int st = next_word(&text, word, v, why);

  if (st != EXIT_OK) return st;
  char *dots = strstr(word, "..");

  *dots = '\0';
  st = parse_value(word, v, &a->from, why);
  if (st == EXIT_OK) st = parse_value(dots + 2, v, &a->to, why);
  a->steps = 11;
  while (st == EXIT_OK && *text) {
    st = next_word(&text, word, v, why);
    if (st == EXIT_OK) st = take_word(word, v, a, why);
  }
  if (v->kind == OVER_GPUS) a->whole = true;
  if (st != EXIT_OK) return st;
  if (a->from > a->to)
    return fail(why, EXIT_USAGE, "--over %s: the range runs backwards",
                v->name);
  if (a->log && !(a->from > 0.0))
    return fail(why, EXIT_USAGE, "--over %s: log: begins at %g", v->name,
                a->from);
  return EXIT_OK;
}

static int parse_list(const char *text, over *v, gscale_axis *a, double **list,
                      failure *why)
{
  size_t most = 1;
  char word[WORD_MAX];
  int st = EXIT_OK;

  for (const char *p = text; *p; p++) most += *p == ',';
  *list = malloc(most * sizeof **list);
  if (!*list) return no_memory(why);
  for (a->steps = 0; st == EXIT_OK && *text;) {
    st = next_word(&text, word, v, why);
    if (st == EXIT_OK && strstr(word, ".."))
      st = fail(why, EXIT_USAGE, "--over %s: '%s' is a range among values",
                v->name, word);
    if (st == EXIT_OK) st = parse_value(word, v, &(*list)[a->steps++], why);
  }
  a->list = *list;
  return st;
}

/* Returns whether the first word is a range rather than a value. */
static bool is_range(const char *text)
{
  const char *dots = strstr(text, "..");

  return dots && dots < text + strcspn(text, ",");
}

static int check_value(const over *v, double x, failure *why)
{
  const gscale_param_info *info = gscale_param_info_at(v->parameter);

  if (v->kind == OVER_PARAMETER && !(x >= info->least && x <= info->most))
    return fail(why, EXIT_USAGE, "--over %s: %g is not in %g .. %g", v->name, x,
                info->least, info->most);
  if (v->kind == OVER_GPUS &&
      !(x >= 1.0 && x <= (double)GPUS_MAX && x <= floor(x)))
    return fail(why, EXIT_USAGE, "--over gpus: %g is not in 1 .. %d, whole", x,
                GPUS_MAX);
  if (v->kind == OVER_KNOB && !(x > 0.0))
    return fail(why, EXIT_USAGE, "--over %s: %g is not above 0", v->name, x);
  return EXIT_OK;
}

/* Fails at the first value out of range, before any point is computed. */
static int check_domain(const over *v, const gscale_axis *a, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < (a->list ? a->steps : 2); i++)
    st = check_value(v, a->list ? a->list[i] : i == 0 ? a->from : a->to, why);
  return st;
}

int parse_over(const char *text, over *out, gscale_axis *axis, double **list,
               failure *why)
{
  const char *equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  int st;

  *out = (over){.kind = OVER_SETTING};
  *axis = (gscale_axis){.steps = 1};
  *list = NULL;
  if (length == 0 || length >= sizeof out->name || !equals[1])
    return fail(why, EXIT_USAGE,
                "--over %.100s: needs the form NAME=FROM..TO or NAME=V,V,...",
                text);
  memcpy(out->name, text, length);
  find_kind(out);
  st = is_range(equals + 1) ? parse_range(equals + 1, out, axis, why)
                            : parse_list(equals + 1, out, axis, list, why);
  return st == EXIT_OK ? check_domain(out, axis, why) : st;
}

/* ---- table -------------------------------------------------------------- */

int blame_table(const char *option, const char *path, int line, failure *why)
{
  const size_t skipped =
      strncmp(why->text, option, strlen(option)) == 0 ? strlen(option) : 0;
  failure other;

  fail(&other, EXIT_DATA, "%s:%d: %s", path, line, why->text + skipped);
  *why = other;
  return why->status;
}

int parse_column(const gscale_table *t, const char *path, size_t c, over *out,
                 gscale_axis *axis, double **list, failure *why)
{
  const char *name = gscale_table_name(t, c);
  const size_t n = gscale_table_rows(t);
  int st = EXIT_OK;

  *out = (over){.kind = OVER_SETTING};
  *list = malloc((n + 1) * sizeof **list);
  *axis = (gscale_axis){.steps = n, .list = *list};
  if (!*list) return no_memory(why);
  if (strlen(name) >= sizeof out->name)
    return fail(why, EXIT_DATA, "%s: '%.40s...' is too long", path, name);
  strcpy(out->name, name);
  find_kind(out);
  for (size_t j = 0; st == EXIT_OK && j < n; j++) {
    st = parse_value(gscale_table_text(t, j, c), out, &(*list)[j], why);
    if (st == EXIT_OK) st = check_value(out, (*list)[j], why);
    if (st != EXIT_OK)
      st = blame_table("--over ", path, gscale_table_line(t, j), why);
  }
  return st;
}

/* ---- words -------------------------------------------------------------- */

void over_column(const over *v, char *name, size_t size)
{
  const char *unit = "";

  if (v->dim == GSCALE_TIME) unit = "_s";
  if (v->dim == GSCALE_BYTES) unit = "_B";
  if (v->dim == GSCALE_BYTERATE) unit = "_Bps";
  if (v->dim == GSCALE_FLOPRATE) unit = "_flops";
  snprintf(name, size, "%s%s%s%s", v->kind == OVER_GPUS ? "over." : "", v->name,
           unit[0]    ? unit
           : *v->unit ? "_"
                      : "",
           unit[0] ? "" : v->unit);
}

void over_print(const over *v, double x, char text[64], char label[64])
{
  const bool has_dim = v->dim != GSCALE_COUNT;
  const char *unit = has_dim ? gscale_dim_unit(v->dim) : v->unit;

  snprintf(text, 64, "%.17g%s%s", x, *unit ? " " : "", unit);
  if (has_dim)
    gscale_format_quantity(x, v->dim, label, 64);
  else
    snprintf(label, 64, "%.6g%s%s", x, *unit ? " " : "", unit);
}

/* Allocates room for n values. Returns false if memory is exhausted. */
static bool alloc_values(over_values *v, size_t n)
{
  v->x = calloc(n, sizeof *v->x);
  v->text = calloc(n, sizeof *v->text);
  v->label = calloc(n, sizeof *v->label);
  return v->x && v->text && v->label;
}

int over_values_new(const char *text, over_values *out, failure *why)
{
  gscale_axis a;
  double *list;
  int st;

  *out = (over_values){.x = NULL};
  st = parse_over(text, &out->of, &a, &list, why);
  if (st == EXIT_OK && out->of.kind == OVER_GPUS)
    st = fail(why, EXIT_USAGE, "--over gpus: list them with --gpus");
  if (st == EXIT_OK && a.steps > VALUES_MAX)
    st = fail(why, EXIT_USAGE, "--over %s: more than %d values", out->of.name,
              (int)VALUES_MAX);
  if (st == EXIT_OK && !alloc_values(out, a.steps)) st = no_memory(why);
  for (size_t i = 0; st == EXIT_OK && i < a.steps; i++) {
    out->x[i] = gscale_axis_value(&a, i);
    over_print(&out->of, out->x[i], out->text[i], out->label[i]);
  }
  free(list);
  out->v =
      (variants){out->of.name, a.steps, out->x, (const char(*)[64])out->text,
                 (const char(*)[64])out->label};
  return st;
}

void over_values_free(over_values *v)
{
  free(v->x);
  free(v->text);
  free(v->label);
  *v = (over_values){.x = NULL};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
