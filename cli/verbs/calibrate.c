/* calibrate.c - gpuscale calibrate: writes a system file from measurements.
 *
 * The base system gives the shape, the link and the parameters that no bench
 * identifies. The new file is written whole or not at all. Stdout has the
 * report. */

#include "calibrate/calibrate.h"
#include "calibrate/posterior_numbers.h"
#include "calibrate/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- file ---------------------------------------------------------------- */

static int most_gpus(const gscale_measurements *m, int built, int runs)
{
  int most = runs > 1 ? runs : 1;

  for (size_t i = 0; i < gscale_measurements_count(m); i++)
    if (gscale_measurements_at(m, i)->gpus > most)
      most = gscale_measurements_at(m, i)->gpus;
  return most < built ? most : built;
}

/* Returns the calibrated number of GPUs. Runs can only extend the number of the
 * base, whereas microbenchmarks replace it. */
static int calibrated(const calibration *c)
{
  const int built = gscale_system_about(c->system).node;
  const int before =
      c->microbenchmarks ? 1 : gscale_system_about(c->system).calibrated;

  return most_gpus(c->data, built, c->run_gpus > before ? c->run_gpus : before);
}

static void put_description(FILE *f, const calibration *c, const char *name)
{
  const options *o = c->o;

  fprintf(f, "-- %s.lua - written by `gpuscale calibrate` over %s, from\n",
          name, gscale_system_about(c->system).name);
  for (size_t i = 0; i < o->arguments; i++)
    fprintf(f, "--   %s\n", o->argument[i]);
  fprintf(
      f,
      "-- How each parameter is read off is said in model/learn/recipe/.\n\n");
  put_system(f, c->system, name, c->base.summary, calibrated(c));
}

/* ---- report -------------------------------------------------------------- */

enum {
  PARAMETER,
  VALUE,
  ERR,
  BASE,
  SHOWN,
  SHOWN_BASE,
  POINTS,
  MEAN,
  WORST,
  LEFT_OUT,
  CORRELATION,
  BENCHES,
  NOTE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [PARAMETER] = TEXT("parameter", "parameter"),
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT), /* in SI units */
    [ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [BASE] = NUMBER("base", NULL, GSCALE_COUNT),
    [SHOWN] = {NULL, "value", GSCALE_COUNT, COLUMN_TEXT, true},
    [SHOWN_BASE] = {NULL, "base", GSCALE_COUNT, COLUMN_TEXT, true},
    [POINTS] = INTEGER("points", "points"),
    [MEAN] = PERCENT("mean_abs_error", "error"),
    [WORST] = PERCENT("worst_error", NULL),
    [LEFT_OUT] = PERCENT("left_out_error", "left out"),
    [CORRELATION] = NUMBER("correlation", NULL, GSCALE_COUNT),
    [BENCHES] = TEXT("benches", "benches"),
    [NOTE] = TEXT("note", "note"),
};

/* Appends an error such as " +/- 12%" to a number. */
static void add_err(cell *c, double relative)
{
  const double percent = 100.0 * relative;
  char err[32];

  snprintf(err, sizeof err, percent < 100.0 ? " +/- %.2g%%" : " +/- %.0f%%",
           percent);
  strcat(c->text, err);
}

static void fill_row(cell *c, const gscale_calibrated *p)
{
  const gscale_param_info *info = gscale_param_info_at((size_t)p->id);

  set_text(&c[PARAMETER], info->name);
  set_text(&c[BENCHES], p->benches);
  set_text(&c[NOTE], p->note);
  if (isfinite(p->base))
    gscale_format_quantity(p->base, info->dim, c[SHOWN_BASE].text, 32);
  else
    set_text(&c[SHOWN_BASE], "none");
  c[BASE].number = p->base;
  c[VALUE].number = c[ERR].number = c[MEAN].number = c[WORST].number =
      c[LEFT_OUT].number = c[CORRELATION].number = NAN;
  c[POINTS].number = (double)p->points;
  if (!p->fitted) {
    set_text(&c[SHOWN], "-");
    return;
  }
  gscale_format_quantity(p->value, info->dim, c[SHOWN].text, 32);
  if (p->value > 0.0) add_err(&c[SHOWN], p->err / p->value);
  c[VALUE].number = p->value;
  c[ERR].number = p->err;
  c[MEAN].number = p->mean_abs;
  c[WORST].number = p->worst;
  c[LEFT_OUT].number = p->left_out;
  c[CORRELATION].number = p->correlation;
}

/* Fills a row with errors of the finished model on a measured curve. */
static void fill_curve(cell *c, const gscale_calibration_fit *f)
{
  snprintf(c[PARAMETER].text, sizeof c[PARAMETER].text, "(all %s)", f->benches);
  set_text(&c[BENCHES], f->benches);
  set_text(&c[SHOWN], "-");
  set_text(&c[SHOWN_BASE], "-");
  c[VALUE].number = c[ERR].number = c[BASE].number = c[LEFT_OUT].number =
      c[CORRELATION].number = NAN;
  c[POINTS].number = (double)f->n;
  c[MEAN].number = f->of.mean_abs;
  c[WORST].number = f->of.worst;
}

/* Adds a row for each measured parameter of the power model. */
static void fill_drawn(rows *table, const gscale_system *s, unsigned watts)
{
  const gscale_field *f;

  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_POWER, i)); i++) {
    const gscale_param *p = gscale_system_remote_said(s, f);
    gscale_calibrated row = {.base = NAN};

    if (!(watts >> i & 1u) || !p) continue;
    cell *c = rows_add(table);
    fill_row(c, &row);
    snprintf(c[PARAMETER].text, sizeof c[PARAMETER].text, "power.%s", f->name);
    set_text(&c[BENCHES], p->source);
    set_text(&c[SHOWN_BASE], "-");
    gscale_format_quantity(p->val, f->dim, c[SHOWN].text, 32);
    c[VALUE].number = p->val;
    c[ERR].number = p->err;
    add_err(&c[SHOWN], p->err / p->val);
  }
}

/* Returns whether a parameter is shown. Tables omit unmeasured parameters,
 * which print_kept() counts. */
static bool is_shown(const gscale_calibrated *p, format f)
{
  return f != FORMAT_TABLE || p->fitted ||
         (strcmp(p->note, "not measured") != 0 &&
          strcmp(p->note, "no bench identifies it") != 0);
}

/* Without --all, a table has only the worst fits, without benches and notes. */
enum {
  FITS_SHOWN = 16
};

static size_t count_shown(const gscale_calibration *r, format f)
{
  size_t n = 0;

  for (size_t i = 0; i < r->n; i++) n += is_shown(&r->of[i], f);
  return n;
}

/* Returns the mean error of a fit. A missing fit gives a negative number. */
static double misfit(const gscale_calibrated *p)
{
  if (!p->fitted) return -2.0;
  return isfinite(p->mean_abs) ? p->mean_abs : -1.0;
}

/* Counts the parameters that fit worse, or as badly with a lower index. */
static size_t worse(const gscale_calibration *r, size_t than)
{
  const double bad = misfit(&r->of[than]);
  size_t n = 0;

  for (size_t i = 0; i < r->n; i++)
    n += misfit(&r->of[i]) > bad || (i < than && !(misfit(&r->of[i]) < bad));
  return n;
}

static bool is_worst(const gscale_calibration *r, size_t i)
{
  return r->of[i].fitted && worse(r, i) < FITS_SHOWN;
}

static const column *brief_columns(void)
{
  static column brief[COLUMNS];

  for (size_t i = 0; i < COLUMNS; i++) brief[i] = columns[i];
  brief[BENCHES].heading = brief[NOTE].heading = NULL;
  return brief;
}

static void print_rest(FILE *f, size_t shown)
{
  putc('\n', f);
  put_line(f, 2,
           "of %zu numbers, the %d with the worst fits; --all has the others, "
           "with benches and outliers",
           shown, (int)FITS_SHOWN);
}

static void print_kept(FILE *f, const gscale_calibration *r, const char *base)
{
  size_t kept = 0;

  for (size_t i = 0; i < r->n; i++) kept += !is_shown(&r->of[i], FORMAT_TABLE);
  if (kept == 0) return;
  putc('\n', f);
  put_line(f, 2,
           "%zu other numbers are those of %s, as the file states; --format "
           "csv lists them with the benches that determine them",
           kept, base);
}

static const double DOUBTFUL = 0.25; /* fits with larger errors say little */

/* States the error of the new system on all calls of collectives given. */
static void claim_calls(claim *c, const gscale_calibration *r)
{
  double sum = 0.0, worst = 0.0, n = 0.0;

  for (size_t i = 0; i < r->fits; i++) {
    const gscale_fit *f = &r->fit[i].of;
    if (f->terms > 0 || f->points == 0) continue;
    sum += (double)f->points * f->mean_abs;
    n += (double)f->points;
    worst = fmax(worst, fabs(f->worst));
  }
  if (n > 0.0)
    claim_say(c, "; it is %.1f%% off %.0f calls in the mean, %.0f%% at worst",
              100.0 * sum / n, n, 100.0 * worst);
}

/* States how many numbers are measured, and the mean and largest error of
 * fits, but of lines of collectives, which only start a fit. */
static void claim_fits(claim *c, const gscale_calibration *r, const char *name)
{
  const gscale_calibrated *worst = NULL;
  size_t n = 0, fits = 0;
  double sum = 0.0;

  claim_begin(c);
  for (unsigned watts = r->watts; watts; watts >>= 1) n += watts & 1u;
  for (size_t i = 0; i < r->n; i++) {
    const gscale_calibrated *p = &r->of[i];

    if (!p->fitted) continue;
    n++;
    if (!isfinite(p->mean_abs) ||
        strncmp(gscale_param_info_at((size_t)p->id)->name, "coll.", 5) == 0)
      continue;
    fits++;
    sum += p->mean_abs;
    if (!worst || p->mean_abs > worst->mean_abs) worst = p;
  }
  c->value = (double)n;
  claim_say(c, "%zu numbers of %s are measured", n, name);
  if (worst)
    claim_say(c,
              "; their fits are %.1f%% off in the mean, %.1f%% at worst (%s)",
              100.0 * sum / (double)fits, 100.0 * worst->mean_abs,
              gscale_param_info_at((size_t)worst->id)->name);
  claim_calls(c, r);
  claim_say(c, ".%s", n < r->n ? " The others are those of the base." : "");
  if (worst && worst->mean_abs > DOUBTFUL)
    claim_say(c, " Measure that again first (%s).", worst->benches);
}

/* Prints the report to stdout, because -o names the new system. */
static int print_report(const gscale_calibration *r, gscale_system *s,
                        const options *o, failure *why)
{
  char name[GSCALE_NAME_MAX];
  const bool people = o->format == FORMAT_TABLE;
  const size_t shown = count_shown(r, o->format);
  const bool brief = people && !o->all && shown > 2 * FITS_SHOWN;
  rows *table;
  claim c;
  output out;
  int st = output_open(&out, NULL, why);

  if (st != EXIT_OK) return st;
  output_stem(o->output, name, sizeof name);
  claim_fits(&c, r, name);
  if (people) claim_put(out.f, &c);
  if (people) putc('\n', out.f);
  table = rows_new("gpuscale.calibrate/1", brief ? brief_columns() : columns,
                   COLUMNS);
  rows_answer(table, &c);
  for (size_t i = 0; i < r->n; i++)
    if (brief ? is_worst(r, i) : is_shown(&r->of[i], o->format))
      fill_row(rows_add(table), &r->of[i]);
  fill_drawn(table, s, r->watts);
  for (size_t i = 0; !brief && i < r->fits; i++)
    if (r->fit[i].of.terms == 0) fill_curve(rows_add(table), &r->fit[i]);
  st = rows_end(st, table, o->format, &out, why);
  if (st == EXIT_OK && o->format == FORMAT_TABLE) {
    if (brief) print_rest(out.f, shown);
    print_kept(out.f, r, gscale_system_about(s).name);
  }
  return output_end(st, &out, why);
}

static void print_notes(const gscale_calibration *r)
{
  if (r->unused > 0)
    print_note("%zu measurements identify no parameter: %s", r->unused,
               r->unused_benches);
}

/* ---- verb ---------------------------------------------------------------- */

static int ready_system(const calibration *c, const char *name, output *out,
                        failure *why)
{
  const int st = output_open(out, c->o->output, why);

  if (st != EXIT_OK) return st;
  put_description(out->f, c, name);
  return output_ready(out, why);
}

/* Marks the numbers of the base in a system with a new name as inherited. The
 * base's name, or calibration from runs alone, means the same machine. */
static int say_origins(const calibration *c, failure *why)
{
  char name[GSCALE_NAME_MAX];
  const char *base = gscale_system_about(c->system).name;

  output_stem(c->o->output, name, sizeof name);
  return !c->microbenchmarks || strcmp(name, base) == 0
             ? EXIT_OK
             : inherit(c->system, &c->report, &c->o->set, base, why);
}

/* Returns whether the fits are reported. Tables report fits and learned
 * numbers, whereas other formats report only the last step. */
static bool is_told(const calibration *c, const learning *l)
{
  return !l->p || (c->microbenchmarks && c->o->format == FORMAT_TABLE);
}

/* Writes the report, and only then moves the new file into place. */
static int write_all(const calibration *c, const learning *l, failure *why)
{
  char name[GSCALE_NAME_MAX];
  output system = {0};

  output_stem(c->o->output, name, sizeof name);
  int st = ready_system(c, name, &system, why);
  if (st == EXIT_OK && is_told(c, l))
    st = print_report(&c->report, c->system, c->o, why);
  if (st == EXIT_OK && l->p) st = learning_print(l, c->o, why);
  if (st == EXIT_OK) return output_close(&system, why);
  output_discard(&system);
  return st;
}

static int calibrate_main(options *o, failure *why)
{
  static calibration c; /* too large for the stack */
  learning l = {0};
  int st;

  if (o->arguments > 0 && o->base && !o->output)
    return fail(why, EXIT_USAGE, "calibrate: needs -o NEW.lua");
  st = calibration_make(&c, o, 0, why);
  if (st == EXIT_OK && c.run_files > 0) st = learning_make(&l, &c, why);
  if (st == EXIT_OK) st = say_origins(&c, why);
  if (st == EXIT_OK) st = write_all(&c, &l, why);
  if (st == EXIT_OK) print_notes(&c.report);
  if (st == EXIT_OK && l.p) st = learning_judge(&l, why);
  learning_free(&l);
  calibration_free(&c);
  return st;
}

const verb verb_calibrate = {
    .place = 80,
    .name = "calibrate",
    .usage = "DATA... --base SYSTEM -o NEW.lua",
    .summary = "a system fitted to measurements or to runs of programs",
    .examples =
        "gpuscale calibrate data/h200x8/micro/*.csv --base h200x8 -o mine.lua\n"
        "gpuscale calibrate p2pBandwidthLatencyTest.txt --base dgx-a100 -o "
        "mine.lua\n"
        "gpuscale calibrate runs.csv --base dgx-a100 -o mine.lua\n",
    .accepts = "base set ranks all jobs format output",
    .run = calibrate_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
