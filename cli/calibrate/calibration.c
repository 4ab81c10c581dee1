/* calibration.c - reads measurement files and a base, and fits parameters. */

#include "calibrate/calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------ */

typedef enum {
  MEASUREMENTS,
  PROGRAM_RUNS,
  ANOTHER_TOOLS
} source_kind;

/* Returns the kind of a file. After '#' lines, our files begin with the column
 * "bench", or for runs with "workload". Files with any other first column are
 * of other tools. */
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

static double value_of(const gscale_system *s, const char *name)
{
  return gscale_system_get(s, gscale_param_find(name))->val;
}

static bool has_pcie(const gscale_system *s)
{
  return strncmp(gscale_system_about(s).link->name, "pcie", 4) == 0;
}

/* Connects the system's GPUs as a file tells. */
static int connect(calibration *c, const char *path, const gscale_fabric *f,
                   int gpus, failure *why)
{
  gscale_diag diag;
  const gscale_system_facts of = gscale_system_about(c->system);
  const gscale_status st = gscale_system_set_shape(
      c->system, f, gpus, of.grows && f->kind != GSCALE_MESH,
      of.calibrated < gpus ? of.calibrated : gpus, &diag);

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  c->by_host = isinf(f->staged);
  print_note("%s: %d GPUs, %s%s%s", path, gpus, gscale_topology_name(f->kind),
             f->staged > 0.0 ? ", between its parts by the host" : "",
             f->kind == GSCALE_MESH && has_pcie(c->system)
                 ? "; the base has no NVLink, is it the right one?"
                 : "");
  return EXIT_OK;
}

/* Connects the system's GPUs by the topology of a file, if it has one. */
static int read_topology(calibration *c, const char *path, bool *found,
                         failure *why)
{
  gscale_fabric fabric;
  gscale_diag diag;
  int gpus;
  const gscale_status st = gscale_import_topology(path, &fabric, &gpus, &diag);

  if (st == GSCALE_ENAME) return EXIT_OK;
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  c->shaped = *found = true;
  return connect(c, path, &fabric, gpus, why);
}

/* Connects the system's GPUs according to a matrix of pairs, unless a topology
 * connects all.  Pairs that are not faster than PCIe have no NVLinks. */
static int shape_by_pairs(calibration *c, failure *why)
{
  gscale_fabric f;
  int gpus;
  const double rate = gscale_measurements_fabric(c->data, &f, &gpus);
  const double pcie =
      has_pcie(c->system) ? value_of(c->system, "link.rate") : 0.0;

  return (c->shaped && !c->by_host) || !(rate > pcie)
             ? EXIT_OK
             : connect(c, "rates of pairs", &f, gpus, why);
}

/* Sets peer access as measured by a matrix of pairs. */
static int believe_peer(calibration *c, const char *path, const char *pairs,
                        failure *why)
{
  gscale_can can = *gscale_system_can(c->system);
  const bool none = strcmp(pairs, "none") == 0;
  gscale_diag diag;

  if (none == (can.peer == GSCALE_PEER_NONE)) return EXIT_OK;
  can.peer = none ? GSCALE_PEER_NONE
                  : gscale_link_can(gscale_system_about(c->system).link).peer;
  print_note("%s: %s of the pairs have peer access: can.peer is %s", path,
             pairs, gscale_name(GSCALE_PEER_NAMES, can.peer));
  return check_gscale(why, gscale_system_set_can(c->system, &can, &diag),
                      &diag);
}

/* Takes peer access from rows of pairs: copies that had to pass the host, and
 * none between GPUs. */
static int take_peer(calibration *c, failure *why)
{
  const gscale_measurement *r, *host = NULL;

  for (size_t i = 0; (r = gscale_measurements_at(c->data, i)); i++) {
    if (strcmp(r->bench, "dma") == 0) return EXIT_OK;
    if (strcmp(r->bench, "staged_copy") == 0 && strcmp(r->access, "host") == 0)
      host = r;
  }
  return host ? believe_peer(c, host->file, "none", why) : EXIT_OK;
}

static int read_one(calibration *c, const char *path, failure *why)
{
  const gscale_remark *r;
  size_t i = 0;
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
    return check_gscale(why, st, &diag);
  }
  if (read_topology(c, path, &topology, why) != EXIT_OK) return why->status;
  while (gscale_measurements_remark(c->data, i)) i++;
  int st = read_log(c->data, path, why);
  for (; st == EXIT_OK && (r = gscale_measurements_remark(c->data, i)); i++)
    if (r->kind == GSCALE_REMARK_PEER) st = believe_peer(c, path, r->text, why);
  return topology && st == EXIT_DATA ? EXIT_OK : st;
}

/* ---- the fits ----------------------------------------------------------- */

static int check(const calibration *c, failure *why)
{
  if (c->o->arguments == c->first)
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
  c->run_file = calloc(o->arguments + 1, sizeof *c->run_file);
  c->data = gscale_measurements_new();
  if (st == EXIT_OK && (!c->run_file || !c->data)) st = no_memory(why);
  if (st == EXIT_OK) gscale_measurements_ranks(c->data, o->ranks);
  for (size_t i = first; st == EXIT_OK && i < o->arguments; i++)
    st = read_one(c, o->argument[i], why);
  if (st == EXIT_OK) st = take_peer(c, why);
  if (st == EXIT_OK) st = shape_by_pairs(c, why);
  if (st != EXIT_OK) return st;
  if ((c->run_files > 0 || c->shaped) &&
      gscale_measurements_count(c->data) == 0)
    return EXIT_OK; /* there are only runs */
  c->microbenchmarks = true;
  return check_gscale(
      why, gscale_calibrate(c->system, c->data, &c->report, &diag), &diag);
}

void calibration_free(calibration *c)
{
  gscale_calibration_free(&c->report);
  gscale_measurements_free(c->data);
  gscale_system_free(c->system);
  free(c->run_file);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
