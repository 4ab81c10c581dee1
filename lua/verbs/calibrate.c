/* calibrate.c - gpuscale calibrate: measurements to a system file.
 *
 * The base system gives what was not measured: its shape, its link, and the
 * parameters no bench identifies.  The new file is written whole or not at
 * all; the report of the fits goes to stdout. */

#include "validate/discrepancies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the new file ------------------------------------------------------- */

static const char *const unit_of[GSCALE_DIM_END] = {
    [GSCALE_COUNT] = "",     [GSCALE_TIME] = " s",
    [GSCALE_BYTES] = " B",   [GSCALE_BYTERATE] = " B/s",
    [GSCALE_FLOP] = " flop", [GSCALE_FLOPRATE] = " flop/s",
    [GSCALE_RATE] = " 1/s",  [GSCALE_TIME_PER_BYTE] = " s/B",
};

/* A number so that it reads back as the same bits: counts bare, quantities as
 * text with their unit. */
static void put_number(FILE *f, double v, gscale_dim dim)
{
  const char *quote = dim == GSCALE_COUNT ? "" : "\"";
  fprintf(f, "%s%.17g%s%s", quote, v, unit_of[dim], quote);
}

static void put_text(FILE *f, const char *text)
{
  putc('"', f);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') putc('\\', f);
    putc(*c, f);
  }
  putc('"', f);
}

void put_origin(FILE *f, const gscale_param *p, gscale_dim dim)
{
  const double half = p->err * sqrt(12.0) / 2.0; /* of an assumed range */

  fprintf(f, "%s(", gscale_origin_name(p->origin));
  put_number(f, p->val, dim);
  fprintf(f, ", ");
  if (p->origin == GSCALE_MEASURED) {
    put_number(f, p->err, dim);
    fprintf(f, ", ");
  }
  if (p->origin == GSCALE_ASSUMED) {
    fprintf(f, "{ ");
    put_number(f, fmax(p->val - half, 0.0), dim);
    fprintf(f, ", ");
    put_number(f, p->val + half, dim);
    fprintf(f, " }, ");
  }
  put_text(f, *p->source ? p->source : "the base system");
  putc(')', f);
}

/* True for a parameter that nobody set: it need not be written. */
static bool is_default(const gscale_param *p, const gscale_param_info *info)
{
  return !info->required && p->origin == GSCALE_SPEC &&
         !(p->val < info->otherwise) && !(p->val > info->otherwise);
}

static size_t group_length(const char *name)
{
  return strcspn(name, ".");
}

static void put_curve(FILE *f, const gscale_system *s)
{
  const gscale_param *membw = gscale_system_get(s, GSCALE_DEVICE_MEMBW);
  const gscale_curve *c = gscale_system_membw_curve(s);

  if (c->n == 0) return;
  fprintf(f, "    membw_curve = measured({\n");
  for (size_t i = 0; i < c->n; i++)
    fprintf(f, "      { \"%.17g B\", %.17g },\n", c->x[i], c->y[i]);
  /* two runs of one machine differ by as much at small footprints */
  fprintf(f, "    }, \"5 %%\", ");
  put_text(f, membw->source);
  fprintf(f, "),\n");
}

/* The parameters "GROUP.key" as a table; those of the link stand apart. */
static void put_group(FILE *f, const gscale_system *s, const char *group)
{
  fprintf(f, "\n  %s = {\n", group);
  for (size_t id = 0; gscale_param_info_at(id); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const gscale_param *p = gscale_system_get(s, (gscale_param_id)id);
    const size_t n = group_length(info->name);

    if (strlen(group) != n || strncmp(info->name, group, n) != 0 ||
        is_default(p, info))
      continue;
    fprintf(f, "    %s = ", info->name + n + 1);
    put_origin(f, p, info->dim);
    fprintf(f, ",\n");
  }
  if (strcmp(group, "device") == 0) put_curve(f, s);
  fprintf(f, "  },\n");
}

/* True if anything of the group is worth writing. */
static bool group_matters(const gscale_system *s, size_t id, size_t n)
{
  const char *group = gscale_param_info_at(id)->name;

  for (; gscale_param_info_at(id); id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    if (strncmp(info->name, group, n + 1) != 0) return false;
    if (!is_default(gscale_system_get(s, (gscale_param_id)id), info))
      return true;
  }
  return false;
}

/* All groups but the link, which has a form of its own. */
static void put_groups(FILE *f, const gscale_system *s)
{
  char last[32] = "link";

  for (size_t id = 0; gscale_param_info_at(id); id++) {
    const char *name = gscale_param_info_at(id)->name;
    const size_t n = group_length(name);

    if (strlen(last) == n && strncmp(name, last, n) == 0) continue;
    snprintf(last, sizeof last, "%.*s", (int)n, name);
    if (strcmp(last, "link") != 0 && group_matters(s, id, n))
      put_group(f, s, last);
  }
}

static void put_link(FILE *f, const gscale_system *s)
{
  const gscale_link *l = gscale_system_link(s);
  const gscale_link *plain = gscale_link_find(l->name);
  const gscale_param *duplex = gscale_system_get(s, GSCALE_LINK_DUPLEX);

  fprintf(f, "\n  link = {\n    name = ");
  put_text(f, l->name);
  fprintf(f, ",\n    rate = ");
  put_origin(f, gscale_system_get(s, GSCALE_LINK_RATE), GSCALE_BYTERATE);
  if (!is_default(duplex, gscale_param_info_at(GSCALE_LINK_DUPLEX))) {
    fprintf(f, ",\n    duplex = ");
    put_origin(f, duplex, GSCALE_COUNT);
  }
  if (plain && l->copy_payload < plain->copy_payload)
    fprintf(f, ",\n    payload = \"%.17g B\"", l->copy_payload);
  if (plain && l->header > plain->header) fprintf(f, ",\n    ecrc = true");
  if (plain && l->header < plain->header)
    fprintf(f, ",\n    short_address = true");
  fprintf(f, ",\n  },\n");
}

/* One rate of a topology, unless it is the default. */
static void put_rate(FILE *f, const char *key, double value, double otherwise)
{
  if (value < otherwise || value > otherwise)
    fprintf(f, ", %s = spec(%.17g, \"the base system\")", key, value);
}

static void put_mesh(FILE *f, const gscale_fabric *t)
{
  fprintf(f, ",\n    per_link = spec(1, \"the base system\"), links = {\n");
  for (int i = 0; i < t->mesh_gpus; i++) {
    fprintf(f, "      {");
    for (int j = 0; j < t->mesh_gpus; j++)
      fprintf(f, "%s%.17g", j ? ", " : " ", t->mesh[i][j]);
    fprintf(f, " },\n");
  }
  fprintf(f, "    }");
}

static void put_topology(FILE *f, const gscale_system *s)
{
  const gscale_fabric *t = gscale_system_fabric(s);
  gscale_fabric plain;

  gscale_fabric_init(&plain, t->kind);
  fprintf(f, "  topology = gs.topology { kind = \"%s\"",
          gscale_topology_name(t->kind));
  put_rate(f, "ingress", t->ingress, plain.ingress);
  if (t->kind == GSCALE_TREE) {
    fprintf(f, ", group = %d", t->group);
    put_rate(f, "uplink", t->uplink, plain.uplink);
    if (isfinite(t->root)) put_rate(f, "root", t->root, plain.root);
    if (t->split > 0.0)
      fprintf(f, ", split = spec(\"%.17g B\", \"the base system\")", t->split);
  }
  if (t->kind == GSCALE_RING) put_rate(f, "arc", t->arc, plain.arc);
  if (t->kind == GSCALE_MESH) {
    put_rate(f, "staged", t->staged, plain.staged);
    put_mesh(f, t);
  }
  fprintf(f, " },\n");
}

static int most_gpus(const gscale_measurements *m, int built)
{
  int most = 1;

  for (size_t i = 0; i < gscale_measurements_count(m); i++)
    if (gscale_measurements_at(m, i)->gpus > most)
      most = gscale_measurements_at(m, i)->gpus;
  return most < built ? most : built;
}

/* "dir/mine.lua" -> "mine" */
static void name_of(const char *path, char *name, size_t size)
{
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');

  snprintf(name, size, "%.*s", (int)(dot && dot > base ? dot - base : 40),
           base);
}

static void put_system(FILE *f, const calibration *c)
{
  const gscale_system *s = c->system;
  const options *o = c->o;
  char name[GSCALE_NAME_MAX];
  double least, most;

  name_of(o->output, name, sizeof name);
  fprintf(f, "-- %s.lua - written by `gpuscale calibrate` over %s, from\n",
          name, gscale_system_name(s));
  for (size_t i = 0; i < o->arguments; i++)
    fprintf(f, "--   %s\n", o->argument[i]);
  if (o->runs) fprintf(f, "-- discrepancies from %s\n", o->runs);
  fprintf(f,
          "-- How each parameter is read off is said in model/recipe/.\n\n"
          "local gs = require \"gpuscale\"\n"
          "local spec, measured, assumed = gs.spec, gs.measured, "
          "gs.assumed\n\n"
          "return gs.system {\n  name = \"%s\",\n"
          "  summary = ",
          name);
  put_text(f, c->base.summary);
  fprintf(f, ",\n  gpus = %d,\n", gscale_system_gpus(s));
  put_topology(f, s);
  if (gscale_system_grows(s)) fprintf(f, "  grows = true,\n");
  fprintf(f, "  calibrated = %d,\n", most_gpus(c->data, gscale_system_gpus(s)));
  gscale_system_copy_range(s, &least, &most);
  if (isfinite(most))
    fprintf(f, "  copy_sizes = { \"%.17g B\", \"%.17g B\" },\n", least, most);
  put_link(f, s);
  put_groups(f, s);
  discrepancies_put(f, s);
  fprintf(f, "}\n");
}

/* ---- the report --------------------------------------------------------- */

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
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT), /* SI */
    [ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [BASE] = NUMBER("base", NULL, GSCALE_COUNT),
    [SHOWN] = {NULL, "value", GSCALE_COUNT, COLUMN_TEXT, true},
    [SHOWN_BASE] = {NULL, "base", GSCALE_COUNT, COLUMN_TEXT, true},
    [POINTS] = INTEGER("points", "points"),
    [MEAN] = PERCENT("mean_abs_error", "mean |error|"),
    [WORST] = PERCENT("worst_error", "worst"),
    [LEFT_OUT] = PERCENT("left_out_error", "left out"),
    [CORRELATION] = NUMBER("correlation", NULL, GSCALE_COUNT),
    [BENCHES] = TEXT("benches", "benches"),
    [NOTE] = TEXT("note", "note"),
};

static void fill_row(cell *c, const gscale_calibrated *p)
{
  const gscale_param_info *info = gscale_param_info_at((size_t)p->id);
  char err[32];

  set_text(&c[PARAMETER], info->name);
  set_text(&c[BENCHES], p->benches);
  set_text(&c[NOTE], p->note);
  if (isfinite(p->base))
    gscale_format_quantity(p->base, info->dim, c[SHOWN_BASE].text, 32);
  else
    set_text(&c[SHOWN_BASE], "none");
  c[BASE].number = p->base;
  c[VALUE].number = c[ERR].number = c[MEAN].number = c[WORST].number =
      c[LEFT_OUT].number = c[CORRELATION].number = (double)NAN;
  c[POINTS].number = (double)p->points;
  if (!p->fitted) {
    set_text(&c[SHOWN], "-");
    return;
  }
  gscale_format_quantity(p->value, info->dim, c[SHOWN].text, 32);
  snprintf(err, sizeof err, " +/- %.2g%%", 100.0 * p->err / p->value);
  if (p->value > 0.0) strcat(c[SHOWN].text, err);
  c[VALUE].number = p->value;
  c[ERR].number = p->err;
  c[MEAN].number = p->mean_abs;
  c[WORST].number = p->worst;
  c[LEFT_OUT].number = p->left_out;
  c[CORRELATION].number = p->correlation;
}

/* A curve that the finished model gives, beside what was measured. */
static void fill_curve(cell *c, const gscale_calibration_fit *f)
{
  snprintf(c[PARAMETER].text, sizeof c[PARAMETER].text, "(all %s)", f->benches);
  set_text(&c[BENCHES], f->benches);
  set_text(&c[SHOWN], "-");
  set_text(&c[SHOWN_BASE], "-");
  c[VALUE].number = c[ERR].number = c[BASE].number = c[LEFT_OUT].number =
      c[CORRELATION].number = (double)NAN;
  c[POINTS].number = (double)f->n;
  c[MEAN].number = f->of.mean_abs;
  c[WORST].number = f->of.worst;
}

/* How far the model is off on one program, in the same columns. */
static void fill_discrepancy(cell *c, const discrepancy_row *d)
{
  snprintf(c[PARAMETER].text, sizeof c[PARAMETER].text, "%s by %s",
           d->fit.workload, gscale_paradigm_at(d->fit.paradigm)->name);
  snprintf(c[SHOWN].text, 32, "%.2g%%", 100.0 * d->fit.sigma.val);
  c[BASE].number = c[LEFT_OUT].number = c[CORRELATION].number = (double)NAN;
  c[VALUE].number = d->fit.sigma.val;
  c[ERR].number = d->fit.sigma.err;
  c[POINTS].number = (double)d->fit.rows;
  c[MEAN].number = d->score.mean_abs;
  c[WORST].number = d->score.worst;
  set_text(&c[BENCHES], d->fit.sigma.source);
  snprintf(c[NOTE].text, sizeof c[NOTE].text,
           "of what transfer adds; rms %.2g%%, by half of the rows %.2g%%",
           100.0 * d->spread.rms, 100.0 * d->spread.median);
}

static int add_discrepancies(rows *table, const discrepancies *d, failure *why)
{
  for (size_t i = 0; i < d->n; i++) {
    cell *c = rows_add(table);
    if (!c) return fail(why, EXIT_INTERNAL, "no memory for the report");
    fill_discrepancy(c, &d->of[i]);
  }
  return EXIT_OK;
}

/* To stdout: -o is the new system's. */
static int print_report(const gscale_calibration *r, const discrepancies *d,
                        const options *o, failure *why)
{
  rows *table = rows_new("gpuscale.calibrate/1", columns, COLUMNS);
  options to_stdout = *o;
  int st = table ? EXIT_OK : EXIT_INTERNAL;

  to_stdout.output = NULL;
  for (size_t i = 0; st == EXIT_OK && i < r->n; i++) {
    cell *c = rows_add(table);
    if (c)
      fill_row(c, &r->of[i]);
    else
      st = EXIT_INTERNAL;
  }
  for (size_t i = 0; st == EXIT_OK && i < r->fits; i++) {
    if (r->fit[i].of.terms > 0) continue;
    cell *c = rows_add(table);
    if (c)
      fill_curve(c, &r->fit[i]);
    else
      st = EXIT_INTERNAL;
  }
  if (st != EXIT_OK) st = fail(why, st, "no memory for the report");
  if (st == EXIT_OK) st = add_discrepancies(table, d, why);
  if (st == EXIT_OK) st = rows_print(table, &to_stdout, why);
  rows_free(table);
  return st;
}

static void print_notes(const gscale_calibration *r)
{
  if (r->unused > 0)
    fprintf(stderr,
            "gpuscale: note: %zu measurements identify no parameter: %s\n",
            r->unused, r->unused_benches);
}

/* ---- the verb ----------------------------------------------------------- */

static int write_system(const calibration *c, failure *why)
{
  output out;
  const int st = output_open(&out, c->o->output, why);

  if (st != EXIT_OK) return st;
  put_system(out.f, c);
  return output_close(&out, why);
}

int calibrate_main(options *o, failure *why)
{
  static calibration c; /* large */
  discrepancies d = {0};
  int st;

  if (o->arguments > 0 && o->base && !o->output)
    return fail(why, EXIT_USAGE, "calibrate: needs -o NEW.lua");
  st = calibration_make(&c, o, 0, why);
  if (st == EXIT_OK && o->runs)
    st = discrepancies_fit(c.system, o->runs, &d, why);
  if (st == EXIT_OK) st = write_system(&c, why);
  if (st == EXIT_OK) st = print_report(&c.report, &d, o, why);
  if (st == EXIT_OK) print_notes(&c.report);
  free(d.of);
  calibration_free(&c);
  return st;
}
