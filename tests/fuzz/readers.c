/* readers.c - every reader of files and texts, by name, for fuzzing. */

#include "readers.h"

#include "describe/describe.h"
#include "sweep/sweep.h"
#include "validate/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  TEXT_MOST = 4096,      /* of an option: what follows is another's */
  RECORDS_MOST = 1 << 16 /* of a trace or profile */
};

static bool dirty; /* the library said something with control characters */

/* Newlines part mistakes. */
static bool printable(const char *text)
{
  for (; *text; text++)
    if ((*text >= 0 && *text < ' ' && *text != '\n') || *text == 127)
      return false;
  return true;
}

/* What a status of the library says. */
static int told(gscale_status st, const gscale_diag *diag, char *said,
                size_t room)
{
  if (st == GSCALE_OK) return 0;
  snprintf(said, room, "%s", diag->text);
  dirty = !printable(said);
  return 1;
}

/* What the program would say; it cleans that as it prints it. */
static int failed(int st, const failure *why, char *said, size_t room)
{
  if (st != EXIT_OK) snprintf(said, room, "%s", why->text);
  return st != EXIT_OK;
}

/* ---- tables -------------------------------------------------------------- */

static int read_table(const fuzz_reader *r, const char *path, char *said,
                      size_t room)
{
  gscale_table *t = NULL;
  gscale_diag diag = {""};
  const gscale_status st = gscale_table_read(path, &t, &diag);
  (void)r;

  gscale_table_free(t);
  return told(st, &diag, said, room);
}

static int read_measurements(const fuzz_reader *r, const char *path, char *said,
                             size_t room)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  const gscale_status st = gscale_measurements_read(m, path, &diag);
  (void)r;

  gscale_measurements_free(m);
  return told(st, &diag, said, room);
}

static int read_sheets_of(const fuzz_reader *r, const char *path, char *said,
                          size_t room)
{
  gscale_sheets *s = NULL;
  gscale_diag diag = {""};
  const gscale_status st = gscale_sheets_read(path, &s, &diag);
  (void)r;

  gscale_sheets_free(s);
  return told(st, &diag, said, room);
}

static int read_trials_of(const fuzz_reader *r, const char *path, char *said,
                          size_t room)
{
  gscale_trials *t = NULL;
  gscale_diag diag = {""};
  const gscale_status st = gscale_trials_read(path, &t, &diag);
  (void)r;

  gscale_trials_free(t);
  return told(st, &diag, said, room);
}

static int read_runs(const fuzz_reader *r, const char *path, char *said,
                     size_t room)
{
  run *all = NULL;
  run_list shares = {0};
  size_t n = 0;
  lexicon names = {0};
  failure why = {0};
  const bool plan = strcmp(r->name, "plan") == 0;
  const int st = plan ? runs_read_plan(path, &all, &n, &names, &why)
                      : runs_read(path, &all, &n, &shares, &names, &why);

  free(all);
  free(shares.run);
  lexicon_free(&names);
  return failed(st, &why, said, room);
}

static int read_points(const fuzz_reader *r, const char *path, char *said,
                       size_t room)
{
  gscale_table *t = NULL;
  gscale_diag diag = {""};
  failure why = {0};
  const gscale_status read = gscale_table_read(path, &t, &diag);
  int st = EXIT_OK;
  (void)r;

  for (size_t i = 0; st == EXIT_OK && t && gscale_table_name(t, i); i++) {
    over v = {0};
    gscale_axis axis;
    double *list = NULL;

    st = parse_column(t, path, i, &v, &axis, &list, &why);
    free(list);
  }
  gscale_table_free(t);
  return st == EXIT_OK ? told(read, &diag, said, room)
                       : failed(st, &why, said, room);
}

/* ---- files of other tools ------------------------------------------------ */

static int read_import(const fuzz_reader *r, const char *path, char *said,
                       size_t room)
{
  gscale_measurements *const m = gscale_measurements_new();
  gscale_diag diag = {""};
  size_t skipped = 0;
  const gscale_status st = gscale_import(m, path, r->format, &skipped, &diag);

  gscale_measurements_free(m);
  return told(st, &diag, said, room);
}

static int read_topology(const fuzz_reader *r, const char *path, char *said,
                         size_t room)
{
  gscale_fabric fabric;
  gscale_diag diag = {""};
  int gpus;
  (void)r;
  return told(gscale_import_topology(path, &fabric, &gpus, &diag), &diag, said,
              room);
}

/* Records, and the step that returns among them. */
static int read_profile(const fuzz_reader *r, const char *path, char *said,
                        size_t room)
{
  failure why = {0};
  profile p = {0};
  int st = profile_read(&p, &path, 1, &why);
  (void)r;

  if (st == EXIT_OK) st = profile_steps(&p, NULL, &why);
  profile_free(&p);
  return failed(st, &why, said, room);
}

static int read_trace(const fuzz_reader *r, const char *path, char *said,
                      size_t room)
{
  static gscale_record records[512];
  gscale_trace *t = NULL;
  gscale_diag diag = {""};
  gscale_status st = gscale_trace_open(path, 0, &t, &diag);
  size_t n = 1;
  (void)r;

  /* what is no binary trace does not say of how many GPUs it is */
  if (st != GSCALE_OK) st = gscale_trace_open(path, 4, &t, &diag);

  for (size_t all = 0; st == GSCALE_OK && n > 0 && all < RECORDS_MOST; all += n)
    st = gscale_trace_read(t, records, 512, &n, &diag);
  if (t) gscale_trace_close(t);
  return told(st, &diag, said, room);
}

/* ---- descriptions -------------------------------------------------------- */

/* A time that is not one ends the process: what was taken predicts, or says
 * why not. */
static gscale_status predict(const gscale_system *s, const gscale_workload *w,
                             gscale_diag *diag)
{
  gscale_prediction *const p = gscale_prediction_new();
  gscale_plan *plan = NULL;
  gscale_status st = gscale_plan_new(s, w, 2, &plan, diag);

  if (st == GSCALE_OK)
    st = gscale_predict(plan, gscale_paradigm_find("memcpy"), NULL, p, diag);
  if (st == GSCALE_OK && !(gscale_prediction_get(p, "time") > 0)) abort();
  gscale_plan_free(plan);
  gscale_prediction_free(p);
  return st;
}

static int read_description(const fuzz_reader *r, const char *path, char *said,
                            size_t room)
{
  static const int gpus[] = {1, 2};
  gscale_system *s = NULL;
  gscale_workload *w = NULL;
  gscale_diag diag = {""};
  const bool machine = strcmp(r->name, "system") == 0;
  gscale_status st =
      gscale_load_system(machine ? path : "h200x8", NULL, 0, &s, &diag);
  if (st == GSCALE_OK)
    st = gscale_load_workload(machine ? "jacobi" : path, NULL, 0, gpus, 2, &w,
                              &diag);
  if (st == GSCALE_OK) st = predict(s, w, &diag);
  gscale_workload_free(w);
  gscale_system_free(s);
  return told(st, &diag, said, room);
}

/* ---- options ------------------------------------------------------------- */

static char *text_of(const char *path)
{
  static char text[TEXT_MOST];
  FILE *const f = fopen(path, "rb");
  const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

  if (f) fclose(f);
  text[n] = '\0';
  return text;
}

static int read_over(const fuzz_reader *r, const char *path, char *said,
                     size_t room)
{
  failure why = {0};
  over v = {0};
  gscale_axis axis;
  double *list = NULL;
  const int st = parse_over(text_of(path), &v, &axis, &list, &why);
  (void)r;

  free(list);
  return failed(st, &why, said, room);
}

static int read_setting(const fuzz_reader *r, const char *path, char *said,
                        size_t room)
{
  failure why = {0};
  settings s = {0};
  gscale_system *system = NULL;
  gscale_diag diag = {""};
  const char *const text = text_of(path);
  int st = settings_add(&s, text, &why);
  (void)r;

  /* as a knob of each way that has one of that name, then as a number */
  for (size_t i = 0; st == EXIT_OK && i < gscale_paradigm_count(); i++) {
    gscale_knobs knobs = gscale_knobs_best;
    st = take_knobs(&s, i, &knobs, &why);
  }
  if (st != EXIT_OK) return failed(st, &why, said, room);
  const gscale_status loaded =
      gscale_load_system("h200x8", &text, 1, &system, &diag);
  gscale_system_free(system);
  return told(loaded, &diag, said, room);
}

static int read_lists(const fuzz_reader *r, const char *path, char *said,
                      size_t room)
{
  failure why = {0};
  int gpus[GPUS_MAX];
  double sizes[SIZES_MAX];
  size_t index[PARADIGMS_MAX], between[PARADIGMS_MAX], n;
  const gscale_link *links[LINKS_MAX];
  bool named;
  const char *const text = text_of(path);
  int st = parse_gpus("--gpus", text, gpus, &n, &why);
  (void)r;

  if (st != EXIT_OK) st = parse_sizes(text, sizes, &n, &why);
  if (st != EXIT_OK) st = parse_links(text, links, &n, &why);
  if (st != EXIT_OK)
    st = parse_paradigms(text, true, index, between, &n, &named, &why);
  return failed(st, &why, said, room);
}

/* ---- the table ----------------------------------------------------------- */

static const fuzz_reader readers[] = {
    {"table", NULL, ".csv", read_table},
    {"measurements", NULL, ".csv", read_measurements},
    {"sheets", NULL, ".csv", read_sheets_of},
    {"trials", NULL, ".csv", read_trials_of},
    {"runs", NULL, ".csv", read_runs},
    {"plan", NULL, ".csv", read_runs},
    {"points", NULL, ".csv", read_points},
    {"nccl", "nccl-tests", ".log", read_import},
    {"nccl-json", "nccl-tests-json", ".json", read_import},
    {"rccl-json", "rccl-tests-json", ".json", read_import},
    {"nvbandwidth", "nvbandwidth", ".txt", read_import},
    {"nvbandwidth-json", "nvbandwidth-json", ".json", read_import},
    {"p2p", "p2pBandwidthLatencyTest", ".txt", read_import},
    {"osu", "osu", ".txt", read_import},
    {"nvshmem",
     "nvshmem-perftest, bandwidthTest, ib_write_bw, BabelStream, ds_bench, "
     "PARAM",
     ".txt", read_import},
    {"topology", NULL, ".txt", read_topology},
    {"profile", NULL, ".sqlite", read_profile},
    {"trace", NULL, ".trace", read_trace},
    {"system", NULL, ".lua", read_description},
    {"workload", NULL, ".lua", read_description},
    {"over", NULL, ".txt", read_over},
    {"setting", NULL, ".txt", read_setting},
    {"lists", NULL, ".txt", read_lists},
};

size_t fuzz_readers(void)
{
  return sizeof readers / sizeof *readers;
}

const fuzz_reader *fuzz_reader_at(size_t i)
{
  return i < fuzz_readers() ? &readers[i] : NULL;
}

size_t fuzz_find(const char *name)
{
  size_t i = 0;
  while (i < fuzz_readers() && strcmp(readers[i].name, name) != 0) i++;
  return i;
}

/* ---- one input ----------------------------------------------------------- */

/* In memory where there is such a file system; one a process. */
static const char *file_of(const fuzz_reader *r)
{
  static char path[96];
  const bool memory = access("/dev/shm", W_OK) == 0;

  snprintf(path, sizeof path, "%s/gpuscale-fuzz.%ld%s",
           memory ? "/dev/shm" : "/tmp", (long)getpid(), r->ending);
  return path;
}

const char *fuzz_read(const fuzz_reader *r, const uint8_t *bytes, size_t n)
{
  char said[sizeof((failure *)0)->text] = "";
  const char *const path = file_of(r);
  FILE *const f = fopen(path, "wb");

  if (!f) return "no file can be written";
  fwrite(bytes, 1, n, f);
  fclose(f);
  dirty = false;
  const int refused = r->read(r, path, said, sizeof said);
  unlink(path);
  if (refused && !*said) return "a refusal without a reason";
  return dirty ? "a reason with control characters" : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
