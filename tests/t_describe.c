/* t_describe.c - descriptions: good ones, exact words for bad ones, and that
 * hostile ones are stopped. */

#include "../lua/cli.h"

#include <dirent.h>
#include <gsl/gsl_test.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void write_bytes(const char *path, const char *text, size_t n)
{
  FILE *f = fopen(path, "w");

  if (!f || fwrite(text, 1, n, f) != n || fclose(f) != 0) {
    perror(path);
    exit(1);
  }
}

static void write_text(const char *path, const char *text)
{
  write_bytes(path, text, strlen(text));
}

static void check_text(const char *got, const char *expected)
{
  gsl_test(strcmp(got, expected) != 0, "%s%s%s", expected,
           strcmp(got, expected) == 0 ? "" : "\n  but got: ",
           strcmp(got, expected) == 0 ? "" : got);
}

/* ---- systems ------------------------------------------------------------- */

static const char *const good_system[] = {
    "local gs = require \"gpuscale\"",
    "local spec, measured, assumed = gs.spec, gs.measured, gs.assumed",
    "return gs.system {",
    "  name = \"x4\", summary = \"four of them\",",
    "  gpus = 4, topology = \"switch\", calibrated = 2,",
    "  link = \"nvlink4\",",
    "  copy_sizes = { \"4 B\", \"256 MiB\" },",
    "  device = { memory = spec(\"141 GB\", \"s\"), sms = spec(132, \"s\"),",
    "    threads = spec(2048, \"s\"), flops = spec(\"34 Tflop/s\", \"s\"),",
    "    membw = measured(\"4.2 TB/s\", \"0.1 TB/s\", \"m.csv\"),",
    "    membw_curve = { {\"1 MiB\", 0.3}, {\"1 GiB\", 1} } },",
    "  host = { launch = measured(\"2.1 us\", \"0.1 us\", \"l.csv\"),",
    "    copy = spec(\"1 us\", \"s\"), event = spec(\"1 us\", \"s\"),",
    "    sync = spec(\"1 us\", \"s\") },",
    "  copy = { efficiency = spec(0.9, \"s\"),",
    "    initiation = assumed(\"1 us\", {\"0.5 us\", \"2 us\"}, \"?\") },",
    "  store = { efficiency = spec(1, \"s\") },",
    "  agent = { thread_rate = spec(\"1 GB/s\", \"s\"),",
    "    gap = spec(\"1 us\", \"s\"), latency = spec(\"0 s\", \"s\") },",
    "}",
};

enum {
  SYSTEM_LINES = sizeof good_system / sizeof *good_system
};

/* Writes the system above to x.lua with one line (from 1) replaced. */
static void write_system(int line, const char *with)
{
  char text[4096] = "";

  for (int i = 0; i < SYSTEM_LINES; i++) {
    strcat(text, i + 1 == line ? with : good_system[i]);
    strcat(text, "\n");
  }
  write_text("x.lua", text);
}

static double value(const gscale_system *s, gscale_param_id id)
{
  return gscale_system_get(s, id)->val;
}

static void good_systems(void)
{
  settings set = {0};
  failure why = {0};
  about a;
  gscale_system *s = NULL;

  write_system(0, "");
  gsl_test_int(settings_add(&set, "copy.initiation=3us", &why), EXIT_OK,
               "-P copy.initiation=3us");
  gsl_test(load_system("x.lua", NULL, &s, &a, &why), "a system loads: %s",
           why.text);
  if (!s) return;
  check_text(a.name, "x4");
  check_text(a.summary, "four of them");
  check_text(a.path, "x.lua");
  check_text(gscale_system_name(s), "x4");
  gsl_test_int(gscale_system_gpus(s), 4, "gpus");
  gsl_test_int(gscale_system_calibrated(s), 2, "calibrated");
  gsl_test_int((int)gscale_system_topology(s), GSCALE_SWITCH, "topology");
  check_text(gscale_system_link(s)->name, "nvlink4");
  gsl_test_rel(value(s, GSCALE_DEVICE_MEMBW), 4.2e12, 1e-12, "membw");
  gsl_test_rel(gscale_system_get(s, GSCALE_DEVICE_MEMBW)->err, 0.1e12, 1e-12,
               "the error of membw");
  check_text(gscale_system_get(s, GSCALE_DEVICE_MEMBW)->source, "m.csv");
  gsl_test_rel(gscale_system_get(s, GSCALE_COPY_INITIATION)->err,
               1.5e-6 / sqrt(12.0), 1e-12, "the error of an assumption");
  gsl_test_int((int)gscale_system_get(s, GSCALE_COPY_INITIATION)->origin,
               GSCALE_ASSUMED, "its origin");
  gscale_system_free(s);

  s = NULL;
  gsl_test(load_system("./x.lua", &set, &s, NULL, &why), "with a setting: %s",
           why.text);
  if (!s) return;
  gsl_test_rel(value(s, GSCALE_COPY_INITIATION), 3e-6, 1e-12, "the setting");
  check_text(gscale_system_get(s, GSCALE_COPY_INITIATION)->source,
             "given on the command line");
  gsl_test_int(settings_all_used(&set, &why), EXIT_OK, "it was used");
  gscale_system_free(s);
}

/* A line of the system, what replaces it, and what is said about that. */
static const struct {
  int line;
  const char *with, *error;
} bad_systems[] = {
    {13, "    copy = spec(\"450 Gb/s\", \"s\"),",
     "x.lua:13: host.copy: '450 Gb/s': unknown unit 'Gb/s'"},
    {13, "    copy = \"1 us\",",
     "x.lua:3: host.copy: needs gs.spec, gs.measured or gs.assumed"},
    {13, "    copy = gs.fitted(\"1 us\", \"s\"),",
     "x.lua:13: host.copy: needs gs.spec, gs.measured or gs.assumed"},
    {13, "    copy = spec(1e-6, \"s\"),",
     "x.lua:13: host.copy: 1e-06: needs a unit, as text"},
    {13, "    copy = spec(0/0, \"s\"),", "x.lua:13: host.copy: is not finite"},
    {13, "    cpoy = spec(\"1 us\", \"s\"),",
     "x.lua:3: host.cpoy: unknown key; did you mean 'copy'?"},
    {13, "    event = spec(\"1 us\", \"s\"),",
     "x.lua:3: x4: host.copy is missing (host time to issue a peer copy)"},
    {13, "    copy = spec(\"-1 us\", \"s\"),",
     "x.lua:13: host.copy: -1e-06 is not in 0 .. inf"},
    {13, "    copy = spec(\"1 us\"),",
     "x.lua:13: gs.spec: needs a data sheet as its last argument"},
    {13, "    copy = spec(\"1 us\", \"s\", 3),",
     "x.lua:13: gs.spec: takes 2 arguments, got 3"},
    {13, "    copy = measured(\"1 us\", \"file.csv\"),",
     "x.lua:13: gs.measured: needs a file as its last argument"},
    {13, "    copy = measured(\"1 us\", \"-1 us\", \"f.csv\"),",
     "x.lua:13: host.copy: its error -1e-06 is negative"},
    {13, "    copy = measured(\"1 us\", \"1 GB\", \"f.csv\"),",
     "x.lua:13: host.copy: '1 GB': a size where a time (s) is needed"},
    {13, "    copy = assumed(\"1 us\", \"because\"),",
     "x.lua:13: gs.assumed: needs a range, {low, high}, got a string"},
    {13, "    copy = assumed(\"1 us\", {\"2 us\", \"3 us\"}, \"why\"),",
     "x.lua:13: host.copy: 1e-06 is not in its range 2e-06 .. 3e-06"},
    {13, "    copy = gs.phase { },",
     "x.lua:3: host.copy: needs gs.spec, gs.measured or gs.assumed"},
    {8, "  device = { sms = spec(1/0, \"s\"),",
     "x.lua:8: device.sms: is not finite"},
    {4, "  name = \"x 4\",",
     "x.lua:3: name: 'x 4': letters, digits, and '_.+-' only"},
    {4, "  summary = \"four\",", "x.lua:3: name: missing; needs text"},
    {4, "  name = \"x4\", sumary = \"\",",
     "x.lua:3: sumary: unknown key; did you mean 'summary'?"},
    {5, "  gpus = 4, topology = \"ring\",",
     "x.lua:3: topology: 'ring': needs one of \"switch\", \"bus\""},
    {5, "  gpus = 2.5, topology = \"bus\",",
     "x.lua:3: gpus: needs a whole number, got a number"},
    {5, "  gpus = 4, topology = \"bus\", calibrated = 5,",
     "x.lua:3: calibrated: 5 is not in 0 .. 4 (gpus)"},
    {5, "  gpus = 4, topology = \"bus\", grows = \"yes\",",
     "x.lua:3: grows: needs true or false, got a string"},
    {6, "  link = \"nvlnk4\",",
     "x.lua:3: link: 'nvlnk4' is unknown; did you mean 'nvlink4'?"},
    {6, "  link = { rate = spec(\"1 GB/s\", \"s\") },",
     "x.lua:3: link.name: missing; needs text"},
    {6, "  link = { name = \"raw\", rat = spec(\"1 GB/s\", \"s\") },",
     "x.lua:3: link.rat: unknown key; did you mean 'rate'?"},
    {6, "  link = { name = \"raw\" },",
     "x.lua:3: x4: link.rate is missing (wire rate of a port, one direction)"},
    {6, "", "x.lua:3: link: missing; needs a name or a table"},
    {7, "  copy_sizes = { \"4 B\" },",
     "x.lua:3: copy_sizes: needs two sizes, {least, most}"},
    {11, "    membw_curve = { {\"1 MiB\", 0.3}, {\"1 KiB\", 1} } },",
     "x.lua:3: device.membw_curve: point 2 (1024, 1): footprints must rise and "
     "factors be positive"},
    {11, "    membw_curve = { \"1 MiB\" } },",
     "x.lua:3: device.membw_curve: needs pairs, got a string"},
    {17, "  stores = { },",
     "x.lua:3: stores: unknown key; did you mean 'store'?"},
    {17, "  store = 1,", "x.lua:3: store: needs a table, got a number"},
    {20, "", "x.lua:21: unexpected symbol near <eof>"},
};

static void bad_system_texts(void)
{
  for (size_t i = 0; i < sizeof bad_systems / sizeof *bad_systems; i++) {
    gscale_system *s = NULL;
    failure why = {0};
    int st;

    write_system(bad_systems[i].line, bad_systems[i].with);
    st = load_system("x.lua", NULL, &s, NULL, &why);
    check_text(why.text, bad_systems[i].error);
    gsl_test_int(st, EXIT_DATA, "    ... is status 3");
    gsl_test(s != NULL, "    ... and nothing is returned");
  }
}

/* ---- workloads ----------------------------------------------------------- */

static const char good_workload[] =
    "local gs = require \"gpuscale\"\n"
    "return gs.workload {\n"
    "  name = \"w\", summary = \"a workload\",\n"
    "  knobs = {\n"
    "    n = gs.knob { default = 512, least = 8, most = 4096,\n"
    "                  whole = true, doc = \"points\" },\n"
    "    t1 = gs.knob { default = \"2 ms\", unit = \"time\" },\n"
    "  },\n"
    "  step = function (k)\n"
    "    return {\n"
    "      single = gs.measured(k.t1, \"0.1 ms\", \"runs.csv\"),\n"
    "      threads = 1, streams = 2,\n"
    "      gs.phase { name = \"a\", units = k.n, flop = 6 * k.n ^ 3,\n"
    "        bytes = gs.counted(8 * k.n), footprint = \"1 GiB\",\n"
    "        to = \"neighbours\", publish = gs.assumed(k.n, {1, 9999}, "
    "\"?\"),\n"
    "        masked = true, boundary = 1 / k.n,\n"
    "        ready = { {0, 0}, {0.25, 0.5}, {0.75, 0.5}, {1, 1} } },\n"
    "      gs.phase { name = \"b\", flop = gs.counted(7) },\n"
    "    }\n"
    "  end,\n"
    "}\n";

static void good_workloads(void)
{
  settings set = {0};
  failure why = {0};
  about a;
  gscale_workload *w = NULL;
  const gscale_phase *p;

  write_text("w.lua", good_workload);
  settings_add(&set, "n=64", &why);
  gsl_test(load_workload("w", &set, &w, &a, &why), "a workload loads: %s",
           why.text);
  if (!w) return;
  gsl_test_int(settings_all_used(&set, &why), EXIT_OK, "n was used");
  gsl_test_int((int)a.knobs, 2, "knobs");
  check_text(a.knob[0].name, "n");
  check_text(a.knob[0].value, "64");
  check_text(a.knob[0].doc, "points");
  check_text(a.knob[1].name, "t1");
  check_text(a.knob[1].value, "2 ms");
  check_text(a.path, "w.lua");
  gsl_test_rel(gscale_workload_single(w), 2e-3, 1e-12, "single");
  gsl_test_int((int)gscale_workload_origin(w), GSCALE_ASSUMED, "origin");
  gsl_test_int((int)gscale_workload_phases(w), 2, "phases");

  p = gscale_workload_phase(w, 0);
  check_text(p->name, "a");
  gsl_test_rel(p->units, 64, 0, "units");
  gsl_test_rel(p->flop, 6.0 * 64 * 64 * 64, 1e-15, "flop");
  gsl_test_rel(p->bytes, 8 * 64, 0, "bytes");
  gsl_test_rel(p->footprint, 1073741824.0, 0, "footprint");
  gsl_test_int((int)p->to, GSCALE_TO_NEIGHBOURS, "to");
  gsl_test_rel(p->publish, 64, 0, "publish");
  gsl_test(!p->masked, "masked");
  gsl_test_rel(p->boundary, 1.0 / 64, 1e-15, "boundary");
  gsl_test_int((int)p->ready.n, 4, "points of ready");
  gsl_test_rel(p->ready.at[2], 0.75, 0, "ready.at");
  gsl_test_rel(p->ready.ready[2], 0.5, 0, "ready.ready");
  gsl_test_int((int)p->origin, GSCALE_ASSUMED, "origin of the first phase");
  gsl_test_int((int)gscale_workload_phase(w, 1)->origin, GSCALE_COUNTED,
               "origin of the second");
  gscale_workload_free(w);
}

/* Bodies of step() and knobs, and what is said about them. */
static const struct {
  const char *knobs, *step, *error;
} bad_workloads[] = {
    {"", "return 1", "w.lua:2: step: needs to return a table, got a number"},
    {"", "return {}", "w.lua:2: step: returns no gs.phase { ... }"},
    {"", "return { {} }",
     "w.lua:2: step: item 1 is a table; needs gs.phase { ... }"},
    {"", "return { singel = 1, gs.phase { name = \"p\" } }",
     "w.lua:2: singel: unknown key; did you mean 'single'?"},
    {"", "return { gs.phase { name = \"p\", byte = 1 } }",
     "w.lua:5: p: byte: unknown key; did you mean 'bytes'?"},
    {"", "return { gs.phase { bytes = 1 } }",
     "w.lua:5: name: missing; needs text"},
    {"", "return { gs.phase { name = \"p\", bytes = \"1 us\" } }",
     "w.lua:5: p: bytes: '1 us': a time where a size (B) is needed"},
    {"", "return { gs.phase { name = \"p\", bytes = -1 } }",
     "w.lua:5: p: bytes: -1 is not >= 0"},
    {"", "return { gs.phase { name = \"p\", bytes = 0/0 } }",
     "w.lua:5: p: bytes: is not finite"},
    {"", "return { gs.phase { name = \"p\", units = 2.5 } }",
     "w.lua:5: p: units: 2.5 is not whole"},
    {"", "return { gs.phase { name = \"p\", to = \"none\", to = \"few\" } }",
     "w.lua:5: p: to: 'few': needs one of \"none\", \"neighbours\", \"all\""},
    {"", "return { gs.phase { name = \"p\", bytes = gs.spec(1, \"s\") } }",
     "w.lua:5: p: bytes: gs.spec is for systems; here gs.counted, gs.derived, "
     "gs.measured, gs.assumed or gs.fitted"},
    {"", "return { gs.phase { name = \"p\", ready = { {0, 0}, {1} } } }",
     "w.lua:5: p: ready: point 2: needs two numbers"},
    {"", "return { gs.phase { name = \"p\", ready = { {0, 0}, {1, 0.5} } } }",
     "w.lua:5: p: ready: must rise from {0,0} to {1,1}"},
    {"", "return { threads = -1, gs.phase { name = \"p\" } }",
     "w.lua:2: threads: needs a whole number, got a number"},
    {"", "return { streams = 0, gs.phase { name = \"p\" } }",
     "w.lua:2: w: streams: 0"},
    {"", "return k.m", "w.lua:5: knob 'm' is not defined"},
    {"", "return { gs.phase { name = m } }",
     "w.lua:5: global 'm' is not defined"},
    {"", "local p = 1 + nil",
     "w.lua:5: attempt to perform arithmetic on a nil value"},
    {"", "error(\"no such thing\")", "w.lua:5: no such thing"},
    {"n = 3", "return 1",
     "w.lua:2: knobs.n: needs gs.knob { ... }, got a "
     "number"},
    {"[1] = 3", "return 1",
     "w.lua:2: knobs: a key that is a number, not a "
     "name"},
    {"n = gs.knob { }", "return 1",
     "w.lua:4: knobs.n: default: missing; needs a number"},
    {"n = gs.knob { default = 3, leest = 1 }", "return 1",
     "w.lua:4: knobs.n: leest: unknown key; did you mean 'least'?"},
    {"n = gs.knob { default = 3, least = 4 }", "return 1",
     "w.lua:4: knobs.n: default: 3 is less than 4"},
    {"n = gs.knob { default = 0/0 }", "return 1",
     "w.lua:4: knobs.n: default: is not finite"},
    {"n = gs.knob { default = \"3 s\" }", "return 1",
     "w.lua:4: knobs.n: default: '3 s': a time where a count or fraction is "
     "needed"},
    {"n = gs.knob { default = 3, unit = \"seconds\" }", "return 1",
     "w.lua:4: knobs.n: unit: 'seconds': needs one of \"count\", \"time\", "
     "\"bytes\", \"bytes/s\", \"flop\", \"flop/s\", \"1/s\", \"s/B\""},
    {"[\"n.m\"] = gs.knob { default = 3 }", "return 1",
     "w.lua:4: knobs: 'n.m': letters, digits, and '_' only"},
};

static void bad_workload_texts(void)
{
  char text[1024];

  for (size_t i = 0; i < sizeof bad_workloads / sizeof *bad_workloads; i++) {
    gscale_workload *w = NULL;
    failure why = {0};
    int st;

    snprintf(text, sizeof text,
             "local gs = require \"gpuscale\"\n"
             "return gs.workload {\n  name = \"w\", knobs = {\n    %s },\n"
             "  step = function (k) %s end }\n",
             bad_workloads[i].knobs, bad_workloads[i].step);
    write_text("w.lua", text);
    st = load_workload("w.lua", NULL, &w, NULL, &why);
    check_text(why.text, bad_workloads[i].error);
    gsl_test_int(st, EXIT_DATA, "    ... is status 3");
    gsl_test(w != NULL, "    ... and nothing is returned");
  }
}

/* ---- settings and names -------------------------------------------------- */

static const struct {
  const char *setting, *error;
} bad_settings[] = {
    {"n=4", "-P n: 4 is not in 8 .. 4096"},
    {"n=8.5", "-P n: 8.5 is not whole"},
    {"n=many", "-P n: 'many': not a finite decimal number"},
    {"t1=3", "-P t1: '3': no unit; expected e.g. us"},
    {"n", "-P n: needs the form name=value"},
    {"=3", "-P =3: needs the form name=value"},
    {"n=", "-P n=: needs the form name=value"},
    {"m=3", "-P m: nothing here has a knob of that name"},
};

static void settings_are_checked(void)
{
  settings set = {0};
  failure why = {0};

  write_text("w.lua", good_workload);
  for (size_t i = 0; i < sizeof bad_settings / sizeof *bad_settings; i++) {
    gscale_workload *w = NULL;
    int st;

    set.n = 0;
    st = settings_add(&set, bad_settings[i].setting, &why);
    if (st == EXIT_OK) st = load_workload("w.lua", &set, &w, NULL, &why);
    if (st == EXIT_OK) st = settings_all_used(&set, &why);
    check_text(why.text, bad_settings[i].error);
    gsl_test_int(st, EXIT_USAGE, "    ... is status 2");
    gscale_workload_free(w);
  }
  set.n = 0;
  settings_add(&set, "n=9", &why);
  gsl_test_int(settings_add(&set, "n=10", &why), EXIT_USAGE, "twice");
  check_text(why.text, "-P n: given twice");
}

static void check_load(const char *what, int status, const char *error)
{
  gscale_system *s = NULL;
  failure why = {0};

  gsl_test_int(load_system(what, NULL, &s, NULL, &why), status, "load %s",
               what);
  check_text(why.text, error);
  gscale_system_free(s);
}

static int first_path(const char *path, const char *name, void *closure,
                      failure *why)
{
  (void)why;
  if (strcmp(name, "y8") == 0) snprintf(closure, 64, "%s", path);
  return EXIT_OK;
}

static void files_are_found(void)
{
  char path[64] = "";
  failure why = {0};
  char *long_path = calloc(1, 2001);

  mkdir("params", 0777);
  mkdir("other", 0777);
  mkdir("other/params", 0777);
  mkdir("folder.lua", 0777);
  mkfifo("pipe.lua", 0666);
  write_system(0, "");
  rename("x.lua", "other/params/y8.lua");
  setenv("GPUSCALE_PATH", ":nowhere:other:", 1);

  check_load("y8", EXIT_OK, "");
  each_description(KIND_SYSTEM, first_path, path, &why);
  check_text(path, "other/params/y8.lua");
  write_system(4, "  name = \"nearer\",");
  rename("x.lua", "params/y8.lua");
  each_description(KIND_SYSTEM, first_path, path, &why);
  check_text(path, "params/y8.lua");
  gsl_test_int(find_shared("params/y8.lua", path, sizeof path, &why), EXIT_OK,
               "find_shared");
  gsl_test_int(find_shared("params/y9.lua", path, sizeof path, &why), EXIT_IO,
               "find_shared of what is not there");

  check_load("y9", EXIT_DATA, "no system 'y9'; see `gpuscale list systems`");
  check_load("params8", EXIT_DATA,
             "no system 'params8'; see `gpuscale list systems`");
  write_text("other/params/kepler.lua", "");
  check_load("kelper", EXIT_DATA, "no system 'kelper'; did you mean 'kepler'?");
  check_load("", EXIT_DATA, "no system ''; see `gpuscale list systems`");
  check_load("none.lua", EXIT_IO, "none.lua: No such file or directory");
  check_load("folder.lua", EXIT_IO, "folder.lua: Is a directory");
  check_load("./params", EXIT_IO, "./params: Is a directory");
  check_load("pipe.lua", EXIT_IO, "pipe.lua: not a regular file");
  if (long_path) {
    memset(long_path, '/', 2000);
    gsl_test_int(find_shared(long_path, path, sizeof path, &why), EXIT_IO,
                 "a path of 2000 letters");
  }
  free(long_path);

  if (geteuid() != 0) { /* root reads everything */
    write_text("closed.lua", "");
    chmod("closed.lua", 0);
    check_load("closed.lua", EXIT_IO, "closed.lua: Permission denied");
  }
}

static void long_paths_are_shown_whole(void)
{
  static const char dir[] = "a_directory_with_a_very_long_name_that_lua_would_"
                            "cut_down_in_its_messages";
  char path[128], error[256];

  mkdir(dir, 0777);
  snprintf(path, sizeof path, "%s/x.lua", dir);
  write_text(path, "\nerror(\"here\")\n");
  snprintf(error, sizeof error, "%s:2: here", path);
  check_load(path, EXIT_DATA, error);
}

static void near_names(void)
{
  static const char *const names[] = {"jacobi", "pagerank", "n"};

  check_text(nearest("jacoby", names, 3), "jacobi");
  check_text(nearest("jaocbi", names, 3), "jacobi");
  check_text(nearest("pgrank", names, 3), "pagerank");
  gsl_test(nearest("m", names, 3) != NULL, "one letter is near nothing");
  gsl_test(nearest("", names, 3) != NULL, "no letter is near nothing");
  gsl_test(nearest("jbcobixx", names, 3) != NULL, "too many wrong letters");
  gsl_test_int(exit_of(GSCALE_OK), EXIT_OK, "exit_of OK");
  gsl_test_int(exit_of(GSCALE_EUNIT), EXIT_DATA, "exit_of EUNIT");
  gsl_test_int(exit_of(GSCALE_EIO), EXIT_IO, "exit_of EIO");
  gsl_test_int(exit_of(GSCALE_ENOMEM), EXIT_INTERNAL, "exit_of ENOMEM");
}

/* ---- what is shipped ----------------------------------------------------- */

static int load_shipped_system(const char *path, const char *name,
                               void *closure, failure *why)
{
  gscale_system *s = NULL;
  const int st = load_system(path, NULL, &s, NULL, why);

  (void)closure;
  gsl_test(st, "shipped: %s%s%s", path, st ? ": " : "", st ? why->text : "");
  if (!st) check_text(gscale_system_name(s), name);
  gscale_system_free(s);
  return EXIT_OK;
}

static int load_shipped_workload(const char *path, const char *name,
                                 void *closure, failure *why)
{
  gscale_workload *w = NULL;
  const int st = load_workload(path, NULL, &w, NULL, why);

  (void)closure;
  gsl_test(st, "shipped: %s%s%s", path, st ? ": " : "", st ? why->text : "");
  if (!st) check_text(gscale_workload_name(w), name);
  gscale_workload_free(w);
  return EXIT_OK;
}

static void shipped_ones_load(void)
{
  failure why = {0};

  each_description(KIND_SYSTEM, load_shipped_system, NULL, &why);
  each_description(KIND_WORKLOAD, load_shipped_workload, NULL, &why);
}

static void loading_is_quick(void)
{
  enum {
    LOADS = 200
  };
  struct timespec t0, t1;
  failure why = {0};
  double each;

  write_text("w.lua", good_workload);
  clock_gettime(CLOCK_MONOTONIC, &t0);
  for (int i = 0; i < LOADS; i++) {
    gscale_workload *w = NULL;

    load_workload("w.lua", NULL, &w, NULL, &why);
    gscale_workload_free(w);
  }
  clock_gettime(CLOCK_MONOTONIC, &t1);
  each = ((double)(t1.tv_sec - t0.tv_sec) +
          1e-9 * (double)(t1.tv_nsec - t0.tv_nsec)) /
         LOADS;
  gsl_test(!(each < 2e-3), "one load takes %.0f us", each * 1e6);
}

/* ---- hostile ones -------------------------------------------------------- */

enum {
  HOSTILE_MAX = 128,
  CPU_MAX = 3,
  MEMORY_MAX = 80 * 1024 /* KiB */
};

#if defined(__SANITIZE_ADDRESS__)
static const bool memory_counts = false; /* the sanitizer's own is more */
#else
static const bool memory_counts = true;
#endif

static int load_either(const char *path, failure *why)
{
  gscale_system *s = NULL;
  gscale_workload *w = NULL;
  const int st = load_system(path, NULL, &s, NULL, why);

  gscale_system_free(s);
  if (st != EXIT_DATA || !strstr(why->text, "returns a gs.workload")) return st;
  return load_workload(path, NULL, &w, NULL, why);
}

/* In a process of its own: loads the file, and exits with 0 if it was refused
 * in time, in the space there is, and in one line of words. */
static void refuse_alone(const char *path)
{
  failure why = {0};
  struct rusage r;
  int st;

  alarm(60);
  st = load_either(path, &why);
  getrusage(RUSAGE_SELF, &r);
  if (st != EXIT_DATA && st != EXIT_LIMIT)
    printf("%s: status %d\n", path, st);
  else if (strncmp(why.text, path, strlen(path)) != 0)
    printf("%s: no path in '%s'\n", path, why.text);
  else if (strpbrk(why.text, "\n\033"))
    printf("%s: control characters in '%s'\n", path, why.text);
  else if (r.ru_utime.tv_sec + r.ru_stime.tv_sec >= CPU_MAX)
    printf("%s: %ld s\n", path, (long)r.ru_utime.tv_sec);
  else if (memory_counts && r.ru_maxrss > MEMORY_MAX)
    printf("%s: %ld KiB\n", path, r.ru_maxrss);
  else
    _exit(0);
  fflush(stdout);
  _exit(1);
}

/* All files at once: those that are stopped by the clock wait for it. */
static void hostile_ones_are_stopped(const char *dir)
{
  static char path[HOSTILE_MAX][PATH_MAX];
  pid_t child[HOSTILE_MAX];
  int n = 0, status;
  struct dirent *f;
  DIR *d = opendir(dir);

  gsl_test(!d, "directory %s", dir);
  while (d && (f = readdir(d)) != NULL && n < HOSTILE_MAX)
    if (strstr(f->d_name, ".lua"))
      snprintf(path[n++], PATH_MAX, "%s/%s", dir, f->d_name);
  if (d) closedir(d);

  fflush(stdout);
  for (int i = 0; i < n; i++) {
    child[i] = fork();
    if (child[i] == 0) refuse_alone(path[i]);
  }
  for (int i = 0; i < n; i++) {
    status = -1;
    if (child[i] > 0) waitpid(child[i], &status, 0);
    gsl_test(status != 0, "refused: %s", strrchr(path[i], '/') + 1);
  }
  gsl_test(n < 5, "%d files in %s", n, dir);
}

/* A file of `times` repetitions; %d in it becomes their number. */
static void write_repeated(const char *path, const char *head, const char *each,
                           int times, const char *tail)
{
  FILE *f = fopen(path, "w");

  if (!f) {
    perror(path);
    exit(1);
  }
  fputs(head, f);
  for (int i = 0; i < times; i++) {
    const char *number = strstr(each, "%d");

    if (number)
      fprintf(f, "%.*s%d%s", (int)(number - each), each, i, number + 2);
    else
      fputs(each, f);
  }
  fputs(tail, f);
  fclose(f);
}

/* Those that are too long, or no text. */
static void write_hostile(void)
{
  static const char nul[] = "return 1 \0 os.exit()";

  mkdir("hostile", 0777);
  write_bytes("hostile/nul.lua", nul, sizeof nul);
  write_bytes("hostile/only_nul.lua", "", 1);
  write_text("hostile/bytecode.lua", "\033LuaT\x19\x93\r\n\x1a\n");
  write_text("hostile/letters.lua", "\xff\xfe\x80\xc0");
  write_text("hostile/mark.lua", "\xef\xbb\xbf");
  write_repeated("hostile/huge.lua", "--", "xxxxxxxx", 140000, "\n");
  write_repeated("hostile/text.lua", "return \"", "xxxxxxxx", 100000, "\"");
  write_repeated("hostile/parentheses.lua", "return ", "(", 500000, "");
  write_repeated("hostile/functions.lua", "", "return function() ", 50000, "");
  write_repeated("hostile/gotos.lua", "", "goto a ", 32000, "::a::");
  write_repeated("hostile/labels.lua", "", "::l%d::", 32000, "");
  write_repeated("hostile/backwards.lua", "::a:: ", "goto a ", 140000, "");
  write_repeated("hostile/constants.lua", "return {", "\"x%d\",", 90000, "}");
  write_repeated("hostile/concat.lua", "return ''", "..1", 300000, "");
  write_repeated("hostile/elses.lua", "if x then ", "elseif x then ", 60000,
                 "end");
  write_repeated("hostile/unfinished.lua", "return [", "=", 500000, "");
}

/* -------------------------------------------------------------------------- */

static void remove_directory(const char *path)
{
  char command[PATH_MAX + 16];

  snprintf(command, sizeof command, "rm -rf '%s'", path);
  if (system(command) != 0) printf("%s is left behind\n", path);
}

int main(void)
{
  char here[PATH_MAX], temporary[] = "/tmp/gpuscale-XXXXXX";
  char corpus[PATH_MAX + 16];

  if (!getcwd(here, sizeof here) || !mkdtemp(temporary) || chdir(temporary)) {
    perror("t_describe");
    return 1;
  }
  snprintf(corpus, sizeof corpus, "%s/tests/hostile", here);
  unsetenv("GPUSCALE_PATH");

  good_systems();
  bad_system_texts();
  good_workloads();
  bad_workload_texts();
  settings_are_checked();
  files_are_found();
  long_paths_are_shown_whole();
  near_names();
  loading_is_quick();
  write_hostile();
  hostile_ones_are_stopped("hostile");
  hostile_ones_are_stopped(corpus);
  unsetenv("GPUSCALE_PATH");
  if (chdir(here) == 0) shipped_ones_load();

  remove_directory(temporary);
  return gsl_test_summary();
}
