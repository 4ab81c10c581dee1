/* t_describe.c - descriptions: good ones, and exact words for bad ones. */

#include "describe/numbers.h"
#include "language/language.h"

#include <gsl/gsl_test.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_text(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");

  if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
    perror(path);
    exit(1);
  }
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
    ("    membw_curve = measured({ {\"1 MiB\", 0.3}, {\"1 GiB\", 1} }, "
     "\"2 %\", \"m.csv\") },"),
    "  host = { launch = measured(\"2.1 us\", \"0.1 us\", \"l.csv\"),",
    "    copy = spec(\"1 us\", \"s\"),",
    "    event = spec(\"1 us\", \"s\"),",
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
  check_text(gscale_system_about(s).name, "x4");
  gsl_test_int(gscale_system_about(s).gpus, 4, "gpus");
  gsl_test_int(gscale_system_about(s).calibrated, 2, "calibrated");
  gsl_test_int((int)gscale_system_about(s).fabric->kind, GSCALE_SWITCH,
               "topology");
  check_text(gscale_system_about(s).link->name, "nvlink4");
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

static gscale_system *system_with(int line, const char *with);

/* Files of before residuals were of all machines. */
static void old_discrepancies(void)
{
  gscale_system *s = system_with(
      18, "  discrepancy = { { workload = \"w\", paradigm = \"inline\", "
          "rows = 9, sigma = measured(0.25, \"10 %\", \"r.csv\") } }, "
          "store = { efficiency = spec(1, \"s\") },");

  gsl_test(s == NULL, "an old list of discrepancies is passed over");
  gscale_system_free(s);
}

/* The system above with one line replaced. */
static gscale_system *system_with(int line, const char *with)
{
  gscale_system *s = NULL;
  failure why = {0};

  write_system(line, with);
  gsl_test(load_system("x.lua", NULL, &s, NULL, &why), "%s%s", with, why.text);
  return s;
}

static void good_topologies(void)
{
  gscale_system *s = system_with(5, "  gpus = 4, grows = true, topology = "
                                    "\"ring\",");
  const gscale_fabric *f;

  gsl_test(!s || !gscale_system_about(s).grows, "grows");
  gsl_test_int(s ? (int)gscale_system_about(s).fabric->kind : -1, GSCALE_RING,
               "a ring");
  gscale_system_free(s);

  s = system_with(5, "  gpus = 6, topology = gs.topology { kind = \"tree\", "
                     "group = 3, uplink = spec(\"90 GB/s\", \"s\"), "
                     "root = assumed(0.5, {0.1, 1}, \"?\"), "
                     "ingress = measured(0.9, 0, \"f\"), "
                     "split = spec(\"64 B\", \"s\") },");
  if (!s) return;
  f = gscale_system_about(s).fabric;
  gsl_test_int((int)f->kind, GSCALE_TREE, "a tree");
  gsl_test_int(f->group, 3, "its group");
  gsl_test_rel(f->uplink, 0.2, 1e-12, "its uplink: 90 of 450 GB/s");
  gsl_test_rel(f->root, 0.5, 0, "its root");
  gsl_test_rel(f->ingress, 0.9, 0, "ingress");
  gsl_test_rel(f->split, 64, 0, "split");
  gscale_system_free(s);

  s = system_with(5, "  gpus = 3, topology = gs.topology { kind = \"mesh\", "
                     "per_link = spec(\"25 GB/s\", \"s\"), "
                     "links = { {0, 2, 1}, {2, 0, 0}, {0.5, 0, 0} }, "
                     "staged = spec(\"9 GB/s\", \"s\") },");
  if (!s) return;
  f = gscale_system_about(s).fabric;
  gsl_test_int(f->mesh_gpus, 3, "a mesh of three");
  gsl_test_rel(f->mesh[0][1], 2 * 25.0 / 450, 1e-12, "two links");
  gsl_test_rel(f->mesh[2][0], 0.5 * 25.0 / 450, 1e-12, "half a link back");
  gsl_test_rel(f->mesh[1][2], 0, 0, "none");
  gsl_test_rel(f->staged, 0.02, 1e-12, "staged: 9 of 450 GB/s");
  gscale_system_free(s);
}

static void good_links(void)
{
  gscale_system *s =
      system_with(6, "  link = { name = \"pcie4\", payload = \"128 B\", "
                     "lanes = 8, ecrc = true, duplex = spec(1.9, \"s\") },");
  const gscale_link *l, *before = gscale_link_find("pcie4");

  if (!s) return;
  l = gscale_system_about(s).link;
  gsl_test_rel(l->copy_payload, 128, 0, "payload");
  gsl_test_rel(l->header, before->header + 4, 0, "ECRC");
  gsl_test_rel(value(s, GSCALE_LINK_RATE), before->rate / 2, 1e-12,
               "half the lanes, half the rate");
  gsl_test_rel(value(s, GSCALE_LINK_DUPLEX), 1.9, 0, "duplex");
  gscale_system_free(s);

  s = system_with(13, "    copy = measured(\"2 us\", \"5 %\", \"f\"),");
  if (!s) return;
  gsl_test_rel(gscale_system_get(s, GSCALE_HOST_COPY)->err, 0.1e-6, 1e-12,
               "an error in per cent");
  gscale_system_free(s);
}

/* A line of the system, what replaces it, and what is said about that. */
static const struct {
  int line;
  const char *with, *error;
} bad_systems[] = {
    {13, "    copy = spec(\"450 Gb/s\", \"s\"),",
     "x.lua:13: host.copy: '450 Gb/s': unknown unit 'Gb/s'; "
     "there are ps, ns, us, ms, s, min, h"},
    {13, "    copy = \"1 us\",",
     "x.lua:3: host.copy: needs gs.spec, gs.measured, gs.assumed or gs.fitted"},
    {13, "    copy = gs.fitted(\"1 us\", \"s\"),",
     "x.lua:13: host.copy: gs.fitted of a system needs its error, (value, "
     "error, reason)"},
    {13, "    copy = gs.fitted(\"1 us\", \"-1 us\", \"s\"),",
     "x.lua:13: host.copy: its error -1e-06 is negative"},
    {13, "    copy = spec(1e-6, \"s\"),",
     "x.lua:13: host.copy: 1e-06: needs a unit, as text"},
    {13, "    copy = spec(0/0, \"s\"),", "x.lua:13: host.copy: is not finite"},
    {13, "    cpoy = spec(\"1 us\", \"s\"),",
     "x.lua:3: host.cpoy: unknown key; did you mean 'copy'?"},
    {13, "", "x.lua:3: host.copy: missing (host time to issue a peer copy)"},
    {13, "    copy = spec({ 1, 2 }, \"s\"),",
     "x.lua:13: host.copy: needs one number, got a list"},
    {13, "    copy = spec(gs, gs),",
     "x.lua:13: gs.spec: needs a data sheet as its last argument"},
    {13, "    copy = measured(\"1 us\", \"-3 %\", \"f.csv\"),",
     "x.lua:13: host.copy: its error -3e-08 is negative"},
    {13, "    copy = measured(\"1 us\", \"many %\", \"f.csv\"),",
     "x.lua:13: host.copy: 'many': not a finite decimal number"},
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
     "x.lua:3: host.copy: needs gs.spec, gs.measured, gs.assumed or gs.fitted"},
    {8, "  device = { memory = spec(\"1 GB\", \"s\"), sms = spec(1/0, \"s\"),",
     "x.lua:8: device.sms: is not finite"},
    {4, "  name = \"x 4\",",
     "x.lua:3: name: 'x 4': letters, digits, and '_.+-' only"},
    {4, "  summary = \"four\",", "x.lua:3: name: missing; needs text"},
    {4, "  name = \"x4\", sumary = \"\",",
     "x.lua:3: sumary: unknown key; did you mean 'summary'?"},
    {5, "  gpus = 4, topology = \"rong\",",
     "x.lua:3: topology: 'rong': needs one of \"switch\", \"bus\", \"tree\", "
     "\"ring\", \"mesh\""},
    {5, "  gpus = 4, topology = \"mesh\",",
     "x.lua:3: topology: a mesh needs gs.topology { kind = \"mesh\", links = "
     "... }"},
    {5, "  gpus = 4,",
     "x.lua:3: topology: missing; needs a word or gs.topology "
     "{ ... }"},
    {5, "  gpus = 4, topology = gs.topology { kind = \"tree\", grop = 2 },",
     "x.lua:5: topology.grop: unknown key; did you mean 'group'?"},
    {5, "  gpus = 4, topology = gs.topology { kind = \"tree\", uplink = 1 },",
     "x.lua:5: topology.uplink: needs gs.spec, gs.measured, gs.assumed or "
     "gs.fitted"},
    {5,
     "  gpus = 4, topology = gs.topology { kind = \"tree\", "
     "uplink = spec(0, \"s\") },",
     "x.lua:3: topology: uplink: 0 is not > 0"},
    {5, "  gpus = 4, topology = gs.topology { kind = \"ring\", group = 2 },",
     "x.lua:5: topology.group: a ring has none"},
    {5,
     "  gpus = 4, topology = gs.topology { kind = \"tree\", "
     "split = spec(64, \"s\") },",
     "x.lua:5: topology.split: 64: needs a unit, as text"},
    {5,
     "  gpus = 4, topology = gs.topology { kind = \"mesh\", "
     "links = { {0, 1}, {1, 0} } },",
     "x.lua:5: topology.per_link: missing; needs the rate of one link, or its "
     "part of link.rate\nx.lua:5: topology.links: 2 rows for 4 GPUs"},
    {5,
     "  gpus = 2, topology = gs.topology { kind = \"mesh\", "
     "per_link = spec(1, \"s\"), links = { {0, \"one\"}, {1, 0, 3} } },",
     "x.lua:5: topology.links: needs numbers of links, got a string\n"
     "x.lua:5: topology.links: 3 items; needs 2 to 2"},
    {5,
     "  gpus = 2, topology = gs.topology { kind = \"mesh\", "
     "per_link = spec(1, \"s\"), links = { {0, 0}, {1, 0} } },",
     "x.lua:3: mesh: no route from 0 to 1: neither a link, a common neighbour "
     "nor "
     "a staged path"},
    {5,
     "  grows = true, gpus = 2, topology = gs.topology { kind = \"mesh\", "
     "per_link = spec(1, \"s\"), links = { {0, 1}, {1, 0} } },",
     "x.lua:3: gpus: a mesh of 2 has as many and does not grow"},
    {5, "  gpus = 2.5, topology = \"bus\",",
     "x.lua:3: gpus: needs a whole number, got a number"},
    {5, "  gpus = 4, topology = \"bus\", calibrated = 5,",
     "x.lua:3: calibrated: 5 is not in 0 .. 4 (gpus)"},
    {5, "  gpus = 4, topology = \"bus\", grows = \"yes\",",
     "x.lua:3: grows: needs true or false, got a string"},
    {6, "  link = \"nvlnk4\",",
     "x.lua:3: link: 'nvlnk4' is unknown; did you mean 'nvlink4'?"},
    {6, "  link = \"pcei1\",",
     "x.lua:3: link: 'pcei1' is unknown; did you mean 'pcie1'?"},
    {6, "  link = { rate = spec(\"1 GB/s\", \"s\") },",
     "x.lua:3: link.name: missing; needs text"},
    {6, "  link = { name = \"raw\", rat = spec(\"1 GB/s\", \"s\") },",
     "x.lua:3: link.rat: unknown key; did you mean 'rate'?"},
    {6, "  link = { name = \"raw\" },",
     "x.lua:3: link.rate: missing (wire rate of a port, one direction)"},
    {6, "  link = { name = \"nvlink4\", ecrc = true },",
     "x.lua:3: link: nvlink4: only PCIe has ECRC and short addresses"},
    {6, "  link = { name = \"pcie3\", payload = 256 },",
     "x.lua:3: link.payload: 256: needs a unit, as text"},
    {6, "  link = { name = \"pcie3\", lanes = 32 },",
     "x.lua:3: link: pcie3: lanes: 32 is not in 1 .. 16"},
    {6, "", "x.lua:3: link: missing; needs a name or a table"},
    {7, "  copy_sizes = { \"4 B\" },",
     "x.lua:3: copy_sizes: needs two sizes, {least, most}"},
    {11,
     "    membw_curve = spec({ {\"1 MiB\", 0.3}, {\"1 KiB\", 1} }, \"s\") },",
     "x.lua:11: device.membw_curve: point 2 (1024, 1): footprints must rise "
     "and "
     "factors be positive"},
    {11, "    membw_curve = { {\"1 MiB\", 0.3}, {\"1 GiB\", 1} } },",
     "x.lua:3: device.membw_curve: needs gs.spec, gs.measured, gs.assumed or "
     "gs.fitted"},
    {11, "    membw_curve = spec({ \"1 MiB\" }, \"s\") },",
     "x.lua:11: device.membw_curve: needs pairs, got a string"},
    {11, "    membw_curve = spec(1, \"s\") },",
     "x.lua:11: device.membw_curve: needs a list of pairs, got a number"},
    {11, "    membw_curve = assumed({ {\"1 MiB\", 1} }, {2, 3}, \"?\") },",
     "x.lua:11: device.membw_curve: 1 is not in its range 2 .. 3"},
    {18, "  stores = { efficiency = spec(1, \"s\") },",
     "x.lua:3: stores: unknown key; did you mean 'store'?"},
    {18, "  store = 1,", "x.lua:3: store: needs a table, got a number"},
    {21, "", "x.lua:22: unexpected symbol near <eof>"},
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

/* Mistakes of all kinds in one file, in the order of lines. */
static void all_mistakes_are_reported(void)
{
  static const char text[] =
      "local gs = require \"gpuscale\"\n"
      "local spec = gs.spec\n"
      "return gs.system {\n"
      "  name = \"x 4\", gpus = 4, topology = \"bus\", linc = \"nvlnk4\",\n"
      "  device = { memory = spec(\"141 GB\"), sms = spec(132, \"s\"),\n"
      "    threads = spec(2048, \"s\"), flops = spec(\"34 TB/s\", \"s\"),\n"
      "    membw = spec(\"4 TB/s\", \"s\") },\n"
      "  host = { launch = spec(\"-1 us\", \"s\"), copy = 3,\n"
      "    event = spec(\"1 us\", \"s\") },\n"
      "  copy = 7,\n"
      "  store = { efficiency = spec(1, \"s\") },\n"
      "  agent = { thread_rate = spec(\"1 GB/s\", \"s\"),\n"
      "    gap = spec(\"1 us\", \"s\"), latency = spec(\"0 s\", \"s\") },\n"
      "}\n";
  gscale_system *s = NULL;
  failure why = {0};

  write_text("x.lua", text);
  gsl_test_int(load_system("x.lua", NULL, &s, NULL, &why), EXIT_DATA,
               "nine mistakes");
  check_text(
      why.text,
      "x.lua:3: linc: unknown key; did you mean 'link'?\n"
      "x.lua:3: name: 'x 4': letters, digits, and '_.+-' only\n"
      "x.lua:3: link: 'nvlnk4' is unknown; did you mean 'nvlink4'?\n"
      "x.lua:3: host.copy: needs gs.spec, gs.measured, gs.assumed or "
      "gs.fitted\n"
      "x.lua:3: copy: needs a table, got a number\n"
      "x.lua:3: host.sync: missing (time of a synchronised phase besides issue "
      "and kernels)\n"
      "x.lua:5: gs.spec: needs a data sheet as its last argument\n"
      "x.lua:6: device.flops: '34 TB/s': a rate where a speed (flop/s) is "
      "needed\n"
      "x.lua:8: host.launch: -1e-06 is not in 0 .. inf");
}

static size_t lines_in(const char *text)
{
  size_t n = 1;

  for (; *text; text++) n += *text == '\n';
  return n;
}

static void twenty_are_enough(void)
{
  gscale_system *s = NULL;
  failure why = {0};

  write_text("x.lua", "for i = 1, 30 do gs.spec(1, gs, i) end\n");
  gsl_test_int(load_system("x.lua", NULL, &s, NULL, &why), EXIT_DATA,
               "the same mistake thirty times");
  check_text(why.text, "x.lua: returns a nil; a system file ends with `return "
                       "gs.system {`\n"
                       "x.lua:1: gs.spec: takes 2 arguments, got 3");

  write_text("x.lua", "local t = {}\n"
                      "for i = 1, 99 do t['a' .. i] = 1 end\n"
                      "return gs.system(t)\n");
  load_system("x.lua", NULL, &s, NULL, &why);
  gsl_test_int((int)lines_in(why.text), 20 + 1, "lines about 99 keys");
  gsl_test(!strstr(why.text, "\nx.lua: more is wrong; these are the first"),
           "and that there are more");
  gsl_test(strncmp(why.text, "x.lua:3: a1: unknown key\nx.lua:3: a10: ", 38),
           "in the order of the alphabet");

  /* Those before the file fails are reported with its failure, but a limit is
   * reported alone. */
  write_text("x.lua", "gs.spec(1)\nerror(\"nothing here\")\n");
  load_system("x.lua", NULL, &s, NULL, &why);
  check_text(why.text, "x.lua:1: gs.spec: needs a data sheet as its last "
                       "argument\nx.lua:2: nothing here");
  write_text("x.lua", "gs.spec(1)\nwhile true do end\n");
  gsl_test_int(load_system("x.lua", NULL, &s, NULL, &why), EXIT_LIMIT,
               "a mistake and a limit");
  check_text(why.text, "x.lua:2: ran more than 10000000 instructions");
}

/* ---- workloads ----------------------------------------------------------- */

static const char good_workload[] =
    "local gs = require \"gpuscale\"\n"
    "return gs.workload {\n"
    "  name = \"w\", summary = \"a workload\",\n"
    "  knobs = {\n"
    "    n = gs.knob { default = 512, least = 8, most = 4096,\n"
    "                  whole = true, doc = \"points\" },\n"
    "    fast = gs.knob { default = true },\n"
    "    way = gs.knob { default = \"left\", words = { \"left\", \"right\" } "
    "},\n"
    "    time = gs.knob { default = \"2 ms\", unit = \"time\" },\n"
    "  },\n"
    "  step = function (k)\n"
    "    return {\n"
    "      t1 = gs.measured(k.time, \"0.1 ms\", \"runs.csv\"),\n"
    "      host = { threads = 1, streams = 2 },\n"
    "      gs.phase { name = \"a\", units = k.n, flop = 6 * k.n ^ 3,\n"
    "        bytes = gs.counted(8 * k.n), footprint = \"1 GiB\",\n"
    "        to = \"neighbours\", publish = gs.assumed(k.n, {1, 9999}, "
    "\"?\"),\n"
    "        store = { size = { { 64, 1, \"partial\" } } },\n"
    "        blocks = { count = 7, residents = 2,\n"
    "          { share = 1 / k.n, per = \"face\", publishes = 0.25 },\n"
    "          { path = { { 3 }, { k.n, \"1 MB\", \"published\" } } },\n"
    "          { share = 0.25, publishes = 0.75, reads = true,\n"
    "            scattered = true,\n"
    "            straggler = gs.measured(0.5, 0.1, \"f\") } } },\n"
    "      gs.phase { name = \"b\", flop = gs.counted(7) },\n"
    "    }\n"
    "  end,\n"
    "}\n";

static bool same(double a, double b)
{
  return a >= b && a <= b;
}

static void good_blocks(const gscale_workload *w, const gscale_phase *p)
{
  const gscale_field *f = gscale_field_find(GSCALE_OF_PHASE, "blocks");
  const gscale_blocks *b = p->group;
  const gscale_param *half;
  size_t i = 0;
  gscale_phase q = *p;

  gsl_test(!same(p->blocks, 7) || !same(p->residents, 2) ||
               !same(p->threads, 256),
           "blocks");
  gsl_test_int((int)p->groups, 3, "groups");
  gsl_test(b[0].rest || !b[1].rest || b[2].rest, "the second is the rest");
  gsl_test(b[0].per != GSCALE_PER_FACE || b[1].per != GSCALE_PER_GPU, "per");
  gsl_test(!same(b[0].share, 1.0 / 64) || !same(b[2].share, 0.25), "shares");
  gsl_test(!same(b[0].publishes, 0.25) || !same(b[1].publishes, 0) ||
               !same(b[2].publishes, 0.75),
           "what they publish");
  gsl_test(b[0].reads || b[0].scattered || !b[2].reads || !b[2].scattered,
           "flags");
  gsl_test_int((int)b[1].kinds, 2, "kinds of loads");
  gsl_test(!same(b[1].path[0].loads, 3) || !same(b[1].path[0].bytes, 0) ||
               b[1].path[0].published,
           "the first");
  gsl_test(!same(b[1].path[1].loads, 64) || !same(b[1].path[1].bytes, 1e6) ||
               !b[1].path[1].published,
           "the second");
  while (gscale_field_number(f, &q, i) != &q.group[2].straggler) i++;
  half = gscale_workload_doubted(w, 0, f, i);
  gsl_test(!half || !same(half->err, 0.1) || !same(half->val, 0.5),
           "an error of a group's number");
}

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
  gsl_test_int((int)a.knobs, 4, "knobs");
  check_text(a.knob[0].name, "fast");
  check_text(a.knob[0].value, "yes");
  check_text(a.knob[1].name, "n");
  check_text(a.knob[1].value, "64");
  check_text(a.knob[1].doc, "points");
  check_text(a.knob[2].name, "time");
  check_text(a.knob[2].value, "2 ms");
  check_text(a.knob[3].value, "left");
  check_text(a.path, "w.lua");
  gsl_test_rel(gscale_workload_about(w).t1->val, 2e-3, 1e-12, "t1");
  gsl_test_int((int)gscale_workload_origin(w), GSCALE_ASSUMED, "origin");
  gsl_test_int((int)gscale_workload_about(w).phases, 2, "phases");

  p = gscale_workload_phase(w, 0);
  check_text(p->name, "a");
  gsl_test_rel(p->units, 64, 0, "units");
  gsl_test_rel(p->flop, 6.0 * 64 * 64 * 64, 1e-15, "flop");
  gsl_test_rel(p->bytes, 8 * 64, 0, "bytes");
  gsl_test_rel(p->footprint, 1073741824.0, 0, "footprint");
  gsl_test_int((int)p->to, GSCALE_TO_NEIGHBOURS, "to");
  gsl_test_rel(p->publish, 64, 0, "publish");
  gsl_test(!p->stores.masked[0], "masked");
  good_blocks(w, p);
  gsl_test_int((int)p->origin, GSCALE_ASSUMED, "origin of the first phase");
  gsl_test_int((int)gscale_workload_phase(w, 1)->origin, GSCALE_COUNTED,
               "origin of the second");
  gscale_workload_free(w);
}

/* Everything that a phase can say. */
static void good_phases(void)
{
  static const char text[] =
      "return gs.workload { name = \"w\", step = function ()\n"
      "  return { gs.phase { name = \"p\",\n"
      "    to = { 0.5, gs.measured(0.25, 0, \"f\"), 0.125 },\n"
      "    publish = { copies = { 4, 1.5 }, imbalance = { 2, 3 },\n"
      "      pack = { kernels = 1, bytes = \"1 KiB\", flop = 7 } },\n"
      "    compute = { imbalance = 1.25 },\n"
      "    store = { size = { {\"4 B\", 0.75, \"partial\"}, {128, 0.25} },\n"
      "      locality = { spread = \"1 MiB\", joins = { 0.5, 0.25 } } },\n"
      "    host = { launches = 1, copies = 2, events = 3 },\n"
      "  } }\n"
      "end }\n";
  gscale_workload *w = NULL;
  failure why = {0};
  const gscale_phase *p;

  write_text("w.lua", text);
  gsl_test(load_workload("w.lua", NULL, &w, NULL, &why), "a phase with all: %s",
           why.text);
  if (!w) return;
  p = gscale_workload_phase(w, 0);
  gsl_test_int((int)p->to, GSCALE_TO_SUBSCRIBERS, "to");
  gsl_test_rel(p->subscribers[1], 0.25, 0, "subscribers[2]");
  gsl_test_rel(p->subscribers[3], 0, 0, "subscribers[4]");
  gsl_test_int((int)p->origin, GSCALE_MEASURED, "its origin");
  gsl_test_rel(p->joins.share[1], 0.25, 0, "joins[2]");
  gsl_test_rel(p->joins.share[4], 0, 0, "joins[5]");
  gsl_test_rel(p->copies, 4, 0, "copies");
  gsl_test_rel(p->over, 1.5, 0, "over");
  gsl_test_rel(p->compute_max, 1.25, 0, "compute_max");
  gsl_test_rel(p->egress_max, 2, 0, "egress_max");
  gsl_test_rel(p->ingress_max, 3, 0, "ingress_max");
  gsl_test_int((int)p->stores.n, 2, "stores");
  gsl_test_rel(p->stores.size[0], 4, 0, "size of the first");
  gsl_test_rel(p->stores.share[1], 0.25, 0, "share of the second");
  gsl_test(!p->stores.masked[0], "the first is masked");
  gsl_test(p->stores.masked[1], "the second is not");
  gsl_test_rel(p->calls.launches, 1, 0, "launches");
  gsl_test_rel(p->calls.copies, 2, 0, "copies");
  gsl_test_rel(p->calls.events, 3, 0, "events");
  gsl_test_rel(p->pack.kernels, 1, 0, "kernels that pack");
  gsl_test_rel(p->pack.bytes, 1024, 0, "their bytes");
  gsl_test_rel(p->pack.flop, 7, 0, "their flop");
  gscale_workload_free(w);
}

/* Neighbours in a grid: what is not said of a list stays as it was. */
static void grids_of_neighbours(void)
{
  static const struct {
    const char *said;
    double grid[3], cut[3];
    bool periodic;
  } all[] = {
      {"", {0, 1, 1}, {0, 0, 0}, false},
      {"gpus = {4}", {4, 1, 1}, {0, 0, 0}, false},
      {"gpus = {0, 0}", {0, 0, 1}, {0, 0, 0}, false},
      {"gpus = {0, 2, 0}, cut = {\"1 KiB\", 0, 7}, periodic = true",
       {0, 2, 0},
       {1024, 0, 7},
       true},
      {"cut = {5, gs.measured(6, 1, \"f\")}", {0, 1, 1}, {5, 6, 0}, false},
  };

  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    gscale_workload *w = NULL;
    failure why = {0};
    char text[512];

    snprintf(text, sizeof text,
             "return gs.workload { name = \"w\", step = function ()\n"
             "  return { gs.phase { name = \"p\", to = \"neighbours\",\n"
             "    publish = 1, grid = { %s } } } end }\n",
             all[i].said);
    write_text("w.lua", text);
    gsl_test(load_workload("w.lua", NULL, &w, NULL, &why), "%s: %s",
             all[i].said, why.text);
    if (!w) continue;
    const gscale_phase *p = gscale_workload_phase(w, 0);
    for (int d = 0; d < 3; d++) {
      gsl_test_rel(p->grid[d], all[i].grid[d], 0, "    ... grid[%d]", d + 1);
      gsl_test_rel(p->cut[d], all[i].cut[d], 0, "    ... cut[%d]", d + 1);
    }
    gsl_test(p->periodic != all[i].periodic, "    ... periodic");
    gscale_workload_free(w);
  }
}

/* Bodies of step() and knobs, and what is said about them. */
static const struct {
  const char *knobs, *step, *error;
} bad_workloads[] = {
    {"", "return 1", "w.lua:2: step: needs to return a table, got a number"},
    {"", "return {}", "w.lua:2: step: returns no gs.phase { ... }"},
    {"", "return { {} }",
     "w.lua:2: step: item 1 is a table; needs gs.phase { ... }"},
    {"", "return { hots = { threads = 1 }, gs.phase { name = \"p\" } }",
     "w.lua:2: hots: unknown key; did you mean 'host'?"},
    {"", "return { host = { thread = 1 }, gs.phase { name = \"p\" } }",
     "w.lua:2: host.thread: unknown key; did you mean 'threads'?"},
    {"", "return { gs.phase { name = \"p\", publish = { rewrite = 2 } } }",
     "w.lua:5: p: publish.rewrite: unknown key; did you mean 'rewrites'?"},
    {"",
     "return { gs.phase { name = \"p\", units = 3, compute = { units = 2 } } }",
     "w.lua:5: p: units: given twice, also in compute = { ... }"},
    {"", "return { gs.phase { name = \"p\", compute = 3 } }",
     "w.lua:5: p: compute: needs a table, got a number"},
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
     "w.lua:5: p: to: 'few': needs one of \"none\", \"neighbours\", \"all\", "
     "\"random\", \"partition\", \"subscribers\""},
    {"",
     "return { gs.phase { name = \"p\", store = { locality = { joins = { 0.5, "
     "-0.25 } } } } }",
     "w.lua:5: p: store.locality.joins: share -0.25 of class 2"},
    {"",
     "return { gs.phase { name = \"p\", store = { locality = { joins = { 0.75, "
     "0.5 } } } } }",
     "w.lua:5: p: store.locality.joins: shares add up to 1.25, more than 1"},
    {"",
     "return { gs.phase { name = \"p\", store = { locality = { joins = { 0, 0, "
     "0, 0, 0, 1 } } } } }",
     "w.lua:5: p: store.locality.joins: 6 items; needs 1 to 5"},
    {"", "return { gs.phase { name = \"p\", store = { locality = 1 } } }",
     "w.lua:5: p: store.locality: needs a table, got a number"},
    {"", "return { gs.phase { name = \"p\", grid = { gpus = {0, 0} } } }",
     "w.lua:5: p: grid: needs to = \"neighbours\""},
    {"",
     "return { gs.phase { name = \"p\", to = \"all\", grid = { periodic = "
     "true } } }",
     "w.lua:5: p: grid: needs to = \"neighbours\""},
    {"",
     "return { gs.phase { name = \"p\", to = \"neighbours\", grid = { gpus "
     "= {2, 2, 2, 2} } } }",
     "w.lua:5: p: grid.gpus: 4 items; needs 1 to 3"},
    {"",
     "return { gs.phase { name = \"p\", to = \"neighbours\", grid = { gpus "
     "= {2, 1.5} } } }",
     "w.lua:5: p: grid.gpus: 1.5 is no number of GPUs, 0 .. 65536"},
    {"",
     "return { gs.phase { name = \"p\", to = \"neighbours\", grid = { cut "
     "= {2, -1} } } }",
     "w.lua:5: p: grid.cut: -1 is not >= 0"},
    {"",
     "return { gs.phase { name = \"p\", to = \"neighbours\", grid = { gpus "
     "= 2 } } }",
     "w.lua:5: p: grid.gpus: needs a list of numbers, got a number"},
    {"",
     "return { gs.phase { name = \"p\", to = \"neighbours\", grid = { perodic "
     "= true } } }",
     "w.lua:5: p: grid.perodic: unknown key; did you mean 'periodic'?"},
    {"", "return { gs.phase { name = \"p\", to = \"subscribers\" } }",
     "w.lua:5: p: to: no subscribers: needs {p1, p2, ...}"},
    {"", "return { gs.phase { name = \"p\", to = { 0, 0 } } }",
     "w.lua:5: p: to: no subscribers: needs {p1, p2, ...}"},
    {"", "return { gs.phase { name = \"p\", to = { 0.5, 0.6 } } }",
     "w.lua:5: p: to: shares add up to 1.1, more than 1"},
    {"", "return { gs.phase { name = \"p\", to = { 0.5, {} } } }",
     "w.lua:5: p: to[2]: needs a number, got a table"},
    {"",
     "return { gs.phase { name = \"p\", store = { size = { {4, 0.5} } } } }",
     "w.lua:5: p: store: shares add up to 0.5, not 1"},
    {"", "return { gs.phase { name = \"p\", store = { size = { {4} } } } }",
     "w.lua:5: p: store[1]: needs { size, share } or { size, share, "
     "\"partial\" }"},
    {"",
     "return { gs.phase { name = \"p\", store = { size = { {4, 1, true} } } } "
     "}",
     "w.lua:5: p: store[1]: needs \"partial\" or nothing as third item, got a "
     "boolean"},
    {"", "return { gs.phase { name = \"p\", store = { size = { } } } }",
     "w.lua:5: p: store: 0 items; needs 1 to 12"},
    {"", "return { gs.phase { name = \"p\", host = { launch = 1 } } }",
     "w.lua:5: p: host.launch: unknown key; did you mean 'launches'?"},
    {"", "return { gs.phase { name = \"p\", host = 3 } }",
     "w.lua:5: p: host: needs a table, got a number"},
    {"",
     "return { gs.phase { name = \"p\", publish = { pack = { memcpy = "
     "{ kernels = 1 } } } } }",
     "w.lua:5: p: publish.pack.memcpy: unknown key"},
    {"",
     "return { gs.phase { name = \"p\", "
     "publish = { pack = { byte = 1 } } } }",
     "w.lua:5: p: publish.pack.byte: unknown key; did you mean "
     "'bytes'?"},
    {"",
     "return { gs.phase { name = \"p\", "
     "publish = { pack = { flop = -1 } } } }",
     "w.lua:5: p: publish.pack.flop: -1 is not >= 0"},
    {"",
     "return { gs.phase { name = \"p\", publish = { copies = { 1, 0.5 }, "
     "imbalance = { 1, 0 } } } }",
     "w.lua:5: p: publish.imbalance: 0 is not >= 1\n"
     "w.lua:5: p: publish.copies: 0.5 is not >= 1"},
    {"",
     "return { gs.phase { name = \"p\", publish = { copies = { 1, 1, 1 } } } }",
     "w.lua:5: p: publish.copies: 3 items; needs 1 to 2"},
    {"", "return { gs.phase { name = \"p\", bytes = gs.spec(1, \"s\") } }",
     "w.lua:5: p: bytes: gs.spec is for systems; here gs.counted, gs.derived, "
     "gs.measured, gs.assumed or gs.fitted"},
    {"", "return { gs.phase { name = \"p\", blocks = { coun = 3 } } }",
     "w.lua:5: p: blocks.coun: unknown key; did you mean 'count'?"},
    {"", "return { gs.phase { name = \"p\", blocks = 3 } }",
     "w.lua:5: p: blocks: needs a table, got a number"},
    {"", "return { gs.phase { name = \"p\", blocks = { 3 } } }",
     "w.lua:5: p: blocks[1]: needs a table, got a number"},
    {"", "return { gs.phase { name = \"p\", blocks = { {}, { shar = 1 } } } }",
     "w.lua:5: p: blocks[2].shar: unknown key; did you mean 'share'?"},
    {"", "return { gs.phase { name = \"p\", blocks = { { per = \"row\" } } } }",
     "w.lua:5: p: blocks[1].per: 'row': needs one of \"gpu\", \"face\", "
     "\"sent\""},
    {"", "return { gs.phase { name = \"p\", blocks = { { reads = 1 } } } }",
     "w.lua:5: p: blocks[1].reads: needs true or false, got a number"},
    {"", "return { gs.phase { name = \"p\", blocks = { { share = 2 } } } }",
     "w.lua:5: p: blocks[1]: share: 2 is not >= 0 and <= 1"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { share = 0.5 }, { share = "
     "0.25 } } } }",
     "w.lua:5: p: blocks: shares add up to 0.75, not 1"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { share = 0.75 }, { share = "
     "0.75 }, {} } } }",
     "w.lua:5: p: blocks: shares add up to 1.5, not 1"},
    {"", "return { gs.phase { name = \"p\", blocks = { {}, {} } } }",
     "w.lua:5: p: blocks: 2 groups without share: needs one"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { publishes = 0.5 } } } }",
     "w.lua:5: p: blocks: publish 0.5 of it all, not 1"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { share = 1, per = \"face\" "
     "} } } }",
     "w.lua:5: p: blocks[1]: per = \"face\", and makes none: needs publishes"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { per = \"sent\" } } } }",
     "w.lua:5: p: blocks[1]: per = \"sent\": needs share"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { share = 1, per = \"sent\" "
     "} } } }",
     "w.lua:5: p: blocks: 0 groups without share: needs one"},
    {"", "return { gs.phase { name = \"p\", blocks = { { path = 3 } } } }",
     "w.lua:5: p: blocks[1].path: needs a list of loads, got a number"},
    {"", "return { gs.phase { name = \"p\", blocks = { { path = { 3 } } } } }",
     "w.lua:5: p: blocks[1].path[1]: needs { loads [, bytes [, \"published\"]] "
     "}"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { path = { { 3, 0, \"far\" "
     "} } } } } }",
     "w.lua:5: p: blocks[1].path[1]: needs \"published\" or nothing as third "
     "item, got a string"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { { path = { { -3 } } } } } }",
     "w.lua:5: p: blocks[1]: path: -3 loads in 0 B"},
    {"",
     "return { gs.phase { name = \"p\", blocks = { {}, {}, {}, {}, {}, {}, {} "
     "} } }",
     "w.lua:5: p: blocks: 7 items; needs 0 to 6"},
    {"", "return { host = { threads = -1 }, gs.phase { name = \"p\" } }",
     "w.lua:2: host.threads: -1 is not a whole number in 0 .. 65536"},
    {"", "return { host = { barriers = 4 }, gs.phase { name = \"p\" } }",
     "w.lua:2: w: host.barriers: out of its domain"},
    {"", "return { host = { order = \"any\" }, gs.phase { name = \"p\" } }",
     "w.lua:2: host.order: 'any': needs one of gpu, phase"},
    {"",
     "return { host = { waits = \"step\", barriers = 3 }, gs.phase { name = "
     "\"p\" } }",
     "w.lua:2: w: host.barriers: the threads wait for each phase (waits = "
     "\"phase\")"},
    {"",
     "return { norm = { copy = \"4 B\", late = true }, gs.phase { name = \"p\" "
     "} }",
     "w.lua:2: w: norm.late: a host that waits for its step has read it "
     "(waits = \"never\")"},
    {"", "return { host = { streams = 0 }, gs.phase { name = \"p\" } }",
     "w.lua:2: host.streams: 0 is not a whole number in 1 .. 2048"},
    {"", "return k.m", "w.lua:5: knob 'm' is not defined"},
    {"", "return { gs.phase { name = m } }",
     "w.lua:5: global 'm' is not defined"},
    {"", "local p = 1 + nil",
     "w.lua:5: attempt to perform arithmetic on a nil value"},
    {"", "error(\"no such thing\")", "w.lua:5: no such thing"},
    {"n = 3", "return 1",
     "w.lua:2: knobs.n: needs gs.knob { ... }, got a "
     "number"},
    {"[1] = 3", "return 1", "w.lua:2: knobs: a key that is not a name"},
    {"t1 = gs.knob { default = 1 }", "return 1",
     "w.lua:4: knobs.t1: every workload has it"},
    {"n = gs.knob { default = \"c\", words = { \"a\", \"b\" } }", "return 1",
     "w.lua:4: knobs.n: default: 'c': needs one of \"a\", \"b\""},
    {"n = gs.knob { default = 1, words = { \"a\", 2 } }", "return 1",
     "w.lua:4: knobs.n: words: needs words, got a number"},
    {"n = gs.knob { default = 1, whole = 1 }", "return 1",
     "w.lua:4: knobs.n: whole: needs true or false, got a number"},
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
     "\"bytes\", \"bytes/s\", \"flop\", \"flop/s\", \"1/s\", \"s/B\", \"W\", "
     "\"J\", \"J/B\""},
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
    {"t1=3 ms +- 1 B", "-P t1: '1 B': a size where a time (s) is needed"},
    {"t1=3 ms +- -1 %", "-P t1: its error -3e-05 is negative"},
    {"t1=-3 ms", "-P t1: below 0"},
    {"n=9 +- 1", "-P n: a whole number has no error"},
    {"fast=maybe", "-P fast: 'maybe': needs yes or no"},
    {"way=up", "-P way: 'up': needs one of left, right"},
    {"a.bytes=1 us", "-P a.bytes: '1 us': a time where a size (B) is needed"},
    {"a.publish.copies=0", "-P a: publish.copies: 0 is not >= 1"},
    {"a.to=few",
     "-P a.to: 'few': needs one of none, neighbours, all, random, partition, "
     "subscribers"},
    {"a.store.locality.joins=1", "-P a.store.locality.joins: is a list of "
                                 "shares: it can be given only in the "
                                 "description"},
    {"a.grid.gpus=2", "-P a.grid.gpus: is a list of numbers: it can be given "
                      "only in the description"},
    {"a.publish.pack.kernels=-1", "-P a: publish.pack.kernels: -1 is not >= 0"},
    {"a.host.kernel=1",
     "-P a.host.kernel: nothing here has a knob of that name"},
    {"host.threads=1.5",
     "-P host.threads: 1.5 is not a whole number in 0 .. 65536"},
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

/* Looks there first, then where the sources are: the program may have been
 * built anywhere. */
static void search(const char *first)
{
  const char *const sources = getenv("SRC");
  char path[PATH_MAX];

  snprintf(path, sizeof path, "%s:%s", first, sources ? sources : "");
  setenv("GPUSCALE_PATH", path, 1);
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
  search(":nowhere:other:");

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
  if (!st) check_text(gscale_system_about(s).name, name);
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
  if (!st) check_text(gscale_workload_about(w).name, name);
  gscale_workload_free(w);
  return EXIT_OK;
}

/* Of a shipped mesh: rate of all links of a GPU, and pairs without a link. */
static void check_mesh(const char *name, double all, int unlinked)
{
  gscale_system *s = NULL;
  failure why = {0};
  const gscale_fabric *f;
  int without = 0;

  gsl_test(load_system(name, NULL, &s, NULL, &why), "shipped: %s", name);
  if (!s) return;
  f = gscale_system_about(s).fabric;
  gsl_test_int((int)f->kind, GSCALE_MESH, "    ... is a mesh");
  for (int i = 0; i < f->mesh_gpus; i++) {
    double sum = 0;

    for (int j = 0; j < f->mesh_gpus; j++) {
      sum += f->mesh[i][j];
      without += i < j && !(f->mesh[i][j] > 0);
      gsl_test_rel(f->mesh[j][i], f->mesh[i][j], 0, "    ... link %d-%d", i, j);
    }
    gsl_test_rel(sum * value(s, GSCALE_LINK_RATE), all, 1e-12,
                 "    ... links of GPU %d", i);
  }
  gsl_test_int(without, unlinked, "    ... pairs without a link");
  gscale_system_free(s);
}

static void shipped_ones_load(void)
{
  failure why = {0};

  each_description(KIND_SYSTEM, load_shipped_system, NULL, &why);
  each_description(KIND_WORKLOAD, load_shipped_workload, NULL, &why);
  check_mesh("p100x4", 3 * 20e9, 0);
  check_mesh("v100x4", 6 * 25.78125e9, 0);
  check_mesh("dgx1", 4 * 20e9, 28 - 16);
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

  if (!getcwd(here, sizeof here) || !mkdtemp(temporary) || chdir(temporary)) {
    perror("t_describe");
    return 1;
  }
  search("");

  good_systems();
  good_topologies();
  good_links();
  old_discrepancies();
  bad_system_texts();
  all_mistakes_are_reported();
  twenty_are_enough();
  good_workloads();
  good_phases();
  grids_of_neighbours();
  bad_workload_texts();
  settings_are_checked();
  files_are_found();
  long_paths_are_shown_whole();
  near_names();
  search("");
  if (chdir(here) == 0) shipped_ones_load();

  remove_directory(temporary);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
