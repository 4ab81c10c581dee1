/* calibration.c - reads measurement files and a base, and fits parameters. */

#include "calibrate/calibrate.h"
#include "calibrate/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------ */

typedef enum {
  MEASUREMENTS,
  PROGRAM_RUNS,
  ANOTHER_TOOLS
} source_kind;

/* Returns the kind of a file. After '#' lines, our files begin with the column
 * "bench", or for runs with "workload". Other files are of other tools. */
static source_kind kind_in(FILE *f)
{
  static const char head[] = "# gpuscale data", bench[] = "bench,",
                    runs[] = "workload,";
  char line[256] = "";
  char *got = fgets(line, sizeof line, f);
  if (strncmp(line, "\xEF\xBB\xBF", 3) == 0) /* skip a byte-order mark */
    memmove(line, line + 3, sizeof line - 3);
  const bool headed = strncmp(line, head, sizeof head - 1) == 0;

  while (got && (*line == '#' || (headed && !strchr(line, '\n'))))
    got = fgets(line, sizeof line, f);
  if (strncmp(line, runs, sizeof runs - 1) == 0) return PROGRAM_RUNS;
  return headed || strncmp(line, bench, sizeof bench - 1) == 0 ? MEASUREMENTS
                                                               : ANOTHER_TOOLS;
}

static int find_kind(const char *path, source_kind *out, failure *why)
{
  FILE *f = fopen(path, "rb");

  *out = MEASUREMENTS;
  if (!f && errno == ENOMEM)
    return fail(why, EXIT_INTERNAL, "no memory to read %.200s", path);
  if (!f) return EXIT_OK; /* reported later */
  *out = kind_in(f);
  fclose(f);
  return EXIT_OK;
}

/* Connects the system's GPUs as given anywhere in the file. */
static int read_topology(gscale_system *s, const char *path, bool *found,
                         failure *why)
{
  gscale_fabric fabric;
  gscale_diag diag;
  int gpus;
  gscale_status st = gscale_import_topology(path, &fabric, &gpus, &diag);

  if (st == GSCALE_ENAME) return EXIT_OK;
  *found = true;
  if (st == GSCALE_OK) {
    const int measured = gscale_system_about(s).calibrated;
    const bool grows =
        gscale_system_about(s).grows && fabric.kind != GSCALE_MESH;
    st = gscale_system_set_shape(s, &fabric, gpus, grows,
                                 measured < gpus ? measured : gpus, &diag);
  }
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  print_note("%s: %d GPUs, %s", path, gpus, gscale_topology_name(fabric.kind));
  return EXIT_OK;
}

static int read_one(calibration *c, const char *path, failure *why)
{
  gscale_diag diag;
  source_kind source;
  bool topology = false;

  if (find_kind(path, &source, why) != EXIT_OK) return why->status;
  if (source == PROGRAM_RUNS) {
    c->run_file[c->run_files++] = path;
    return EXIT_OK;
  }
  if (source == MEASUREMENTS) {
    const gscale_status st = gscale_measurements_read(c->data, path, &diag);
    return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
  }
  if (read_topology(c->system, path, &topology, why) != EXIT_OK)
    return why->status;
  c->shaped |= topology;
  const int st = read_log(c->data, path, why);
  return topology && st == EXIT_DATA ? EXIT_OK : st;
}

/* ---- disputes ----------------------------------------------------------- */

/* Names some links whose measurements in different files differ by more than 10
 * %. */
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
    print_note("%s:%d and %s:%d disagree about %s %s to %s: the "
               "second has %.2f of the bandwidth",
               of[i].one->file, of[i].one->line, of[i].other->file,
               of[i].other->line, of[i].one->bench, of[i].one->src,
               of[i].one->dst, of[i].ratio);
  if (found > SHOWN_MOST) print_note("and about %zu more", found - SHOWN_MOST);
  return EXIT_OK;
}

/* ---- the fits ----------------------------------------------------------- */

static int check(const calibration *c, failure *why)
{
  if (c->o->arguments == c->first && !c->o->transfer)
    return fail(why, EXIT_USAGE, "%s: needs files of measurements", c->o->verb);
  if (!c->o->base)
    return fail(why, EXIT_USAGE, "%s: needs --base SYSTEM", c->o->verb);
  return EXIT_OK;
}

int calibration_make(calibration *c, options *o, size_t first, failure *why)
{
  gscale_diag diag;

  *c = (calibration){.o = o, .first = first};
  int st = check(c, why);

  if (st == EXIT_OK)
    st = load_system(o->base, &o->set, &c->system, &c->base, why);
  if (st == EXIT_OK) st = settings_all_used(&o->set, why);
  if (st == EXIT_OK && o->transfer) st = transfer(c->system, o->transfer, why);
  c->run_file = calloc(o->arguments + 1, sizeof *c->run_file);
  c->data = gscale_measurements_new();
  if (st == EXIT_OK && (!c->run_file || !c->data))
    st = fail(why, EXIT_INTERNAL, "no memory to calibrate");
  for (size_t i = first; st == EXIT_OK && i < o->arguments; i++)
    st = read_one(c, o->argument[i], why);
  if (st == EXIT_OK) st = print_disputes(c->data, why);
  if (st != EXIT_OK) return st;
  if ((c->run_files > 0 || o->transfer || c->shaped) &&
      gscale_measurements_count(c->data) == 0)
    return EXIT_OK; /* there are only runs */
  c->microbenchmarks = true;
  const gscale_status fitted =
      gscale_calibrate(c->system, c->data, &c->report, &diag);
  return fitted == GSCALE_OK ? EXIT_OK : fail_gscale(why, fitted, &diag);
}

void calibration_free(calibration *c)
{
  gscale_calibration_free(&c->report);
  gscale_measurements_free(c->data);
  gscale_system_free(c->system);
  free(c->run_file);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
