/* calibrate.c - gpuscale calibrate: measurements to a system file.
 *
 * The base system gives what was not measured: its shape, its link, and the
 * parameters no bench identifies.  The new file is written whole or not at
 * all; the report of the fits goes to stdout. */

#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------ */

typedef enum {
  MEASUREMENTS,
  PROGRAM_RUNS,
  ANOTHER_TOOLS
} source_kind;

/* Our own files begin with a head of '#' lines or with the column "bench", or,
 * runs of whole programs, "workload"; anything else is some other tool's. */
static source_kind kind_of(const char *path)
{
  static const char head[] = "# gpuscale data", bench[] = "bench,",
                    runs[] = "workload,";
  char line[256] = "";
  FILE *f = fopen(path, "rb");

  if (!f) return MEASUREMENTS; /* the reader says what is wrong */
  char *got = fgets(line, sizeof line, f);
  const bool headed = strncmp(line, head, sizeof head - 1) == 0;
  while (headed && got && (*line == '#' || !strchr(line, '\n')))
    got = fgets(line, sizeof line, f);
  fclose(f);
  if (strncmp(line, runs, sizeof runs - 1) == 0) return PROGRAM_RUNS;
  return headed || strncmp(line, bench, sizeof bench - 1) == 0 ? MEASUREMENTS
                                                               : ANOTHER_TOOLS;
}

static int read_one(gscale_measurements *m, const char *path, failure *why)
{
  gscale_diag diag;
  size_t skipped = 0;
  const source_kind source = kind_of(path);

  if (source == PROGRAM_RUNS) {
    fprintf(stderr,
            "gpuscale: note: %s: left out, runs of programs are for validate\n",
            path);
    return EXIT_OK;
  }
  const gscale_status st = source == MEASUREMENTS
                               ? gscale_measurements_read(m, path, &diag)
                               : gscale_import(m, path, NULL, &skipped, &diag);

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  if (skipped > 0)
    fprintf(stderr, "gpuscale: note: %s: %zu entries have no counterpart\n",
            path, skipped);
  return EXIT_OK;
}

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

static void put_origin(FILE *f, const gscale_param *p, gscale_dim dim)
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

/* "dir/mine.lua" -> "mine" */
static void name_of(const char *path, char *name, size_t size)
{
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');

  snprintf(name, size, "%.*s", (int)(dot && dot > base ? dot - base : 40),
           base);
}

static void put_system(FILE *f, const gscale_system *s, const about *base,
                       const options *o, int most_gpus)
{
  static const char *const groups[] = {"device", "host", "copy", "store",
                                       "agent"};
  char name[GSCALE_NAME_MAX];
  double least, most;

  name_of(o->output, name, sizeof name);
  fprintf(f, "-- %s.lua - written by `gpuscale calibrate` over %s, from\n",
          name, gscale_system_name(s));
  for (size_t i = 0; i < o->arguments; i++)
    fprintf(f, "--   %s\n", o->argument[i]);
  fprintf(f,
          "-- How each parameter is read off is said in model/calibrate.c.\n\n"
          "local gs = require \"gpuscale\"\n"
          "local spec, measured, assumed = gs.spec, gs.measured, "
          "gs.assumed\n\n"
          "return gs.system {\n  name = \"%s\",\n"
          "  summary = ",
          name);
  put_text(f, base->summary);
  fprintf(f, ",\n  gpus = %d,\n", gscale_system_gpus(s));
  put_topology(f, s);
  if (gscale_system_grows(s)) fprintf(f, "  grows = true,\n");
  fprintf(f, "  calibrated = %d,\n", most_gpus);
  gscale_system_copy_range(s, &least, &most);
  if (isfinite(most))
    fprintf(f, "  copy_sizes = { \"%.17g B\", \"%.17g B\" },\n", least, most);
  put_link(f, s);
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    put_group(f, s, groups[i]);
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
  gscale_format_quantity(p->base, info->dim, c[SHOWN_BASE].text, 32);
  c[BASE].number = p->base;
  c[VALUE].number = c[ERR].number = c[MEAN].number = c[WORST].number =
      c[LEFT_OUT].number = (double)NAN;
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
}

/* To stdout: -o is the new system's. */
static int print_report(const gscale_calibration *r, const options *o,
                        failure *why)
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
  if (st != EXIT_OK) st = fail(why, st, "no memory for the report");
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

/* Names the links about which files disagree by more than 10 %, some of them.
 */
static int print_disputes(const gscale_measurements *m, failure *why)
{
  enum {
    SHOWN_MOST = 8
  };
  gscale_dispute of[SHOWN_MOST];
  size_t found;
  gscale_diag diag;
  const gscale_status st =
      gscale_measurements_disputes(m, 0.10, of, SHOWN_MOST, &found, &diag);

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  for (size_t i = 0; i < found && i < SHOWN_MOST; i++)
    fprintf(stderr,
            "gpuscale: note: %s:%d and %s:%d disagree about %s %s to %s: the "
            "second has %.2f of the bandwidth\n",
            of[i].one->file, of[i].one->line, of[i].other->file,
            of[i].other->line, of[i].one->bench, of[i].one->src, of[i].one->dst,
            of[i].ratio);
  if (found > SHOWN_MOST)
    fprintf(stderr, "gpuscale: note: and about %zu more\n", found - SHOWN_MOST);
  return EXIT_OK;
}

/* ---- the verb ----------------------------------------------------------- */

static int most_gpus(const gscale_measurements *m, int built)
{
  int most = 1;

  for (size_t i = 0; i < gscale_measurements_count(m); i++)
    if (gscale_measurements_at(m, i)->gpus > most)
      most = gscale_measurements_at(m, i)->gpus;
  return most < built ? most : built;
}

static int write_system(const gscale_system *s, const about *base,
                        const gscale_measurements *m, const options *o,
                        failure *why)
{
  output out;
  const int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  put_system(out.f, s, base, o, most_gpus(m, gscale_system_gpus(s)));
  return output_close(&out, why);
}

static int calibrate(gscale_system *s, const about *base,
                     gscale_measurements *m, options *o, failure *why)
{
  gscale_calibration *r = malloc(sizeof *r);
  gscale_diag diag;
  int st = r ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory to calibrate");

  for (size_t i = 0; st == EXIT_OK && i < o->arguments; i++)
    st = read_one(m, o->argument[i], why);
  if (st == EXIT_OK) st = print_disputes(m, why);
  if (st == EXIT_OK) {
    const gscale_status fitted = gscale_calibrate(s, m, r, &diag);
    if (fitted != GSCALE_OK) st = fail_gscale(why, fitted, &diag);
  }
  if (st == EXIT_OK) st = write_system(s, base, m, o, why);
  if (st == EXIT_OK) st = print_report(r, o, why);
  if (st == EXIT_OK) print_notes(r);
  free(r);
  return st;
}

int calibrate_main(options *o, failure *why)
{
  gscale_system *s = NULL;
  about base;
  gscale_measurements *m = gscale_measurements_new();
  int st = m ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory to calibrate");

  if (st == EXIT_OK && o->arguments == 0)
    st = fail(why, EXIT_USAGE, "calibrate: needs files of measurements");
  if (st == EXIT_OK && !o->base)
    st = fail(why, EXIT_USAGE, "calibrate: needs --base SYSTEM");
  if (st == EXIT_OK && !o->output)
    st = fail(why, EXIT_USAGE, "calibrate: needs -o NEW.lua");
  if (st == EXIT_OK) st = load_system(o->base, &o->set, &s, &base, why);
  if (st == EXIT_OK) st = calibrate(s, &base, m, o, why);
  gscale_system_free(s);
  gscale_measurements_free(m);
  return st;
}
