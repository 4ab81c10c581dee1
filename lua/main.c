/* main.c - finds the verb, runs it, says in one line why it failed. */

#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const verb verbs[] = {
    {"predict", "WORKLOAD --system SYSTEM [options]",
     "the time of one step on N GPUs, for each way of moving its data",
     "gpuscale predict jacobi --system h200x8\n"
     "gpuscale predict jacobi --system h200x8 -P n=128 --gpus 1-16\n"
     "gpuscale predict jacobi --system h200x8 --link pcie5\n"
     "gpuscale predict jacobi --system h200x8 --format csv -o jacobi.csv\n",
     "system link gpus paradigm set steps proposed weak all runs format output",
     predict_main},
    {"compare", "WORKLOAD --system A,B,... [--link NAME,...] [options]",
     "the same prediction for several systems, or with other links",
     "gpuscale compare jacobi --system h200x8 --link pcie3,pcie5 --within 5%\n"
     "gpuscale compare als --system h200x8,dgx-a100 --price h200x8=4,dgx-a100=2"
     "\n",
     "system link gpus paradigm set steps proposed over within price format "
     "output",
     compare_main},
    {"explain", "WORKLOAD --system SYSTEM --gpus N [options]",
     "why one prediction is what it is, and what it rests on",
     "gpuscale explain jacobi --system h200x8 --gpus 8\n"
     "gpuscale explain jacobi --system h200x8 --gpus 8 --paradigm memcpy\n",
     "system link gpus paradigm set proposed weak timeline format output",
     explain_main},
    {"goodput", "--link NAME,... [options]",
     "the share of a link's bytes that is useful, by message size",
     "gpuscale goodput --link pcie5,nvlink4\n"
     "gpuscale goodput --link nvlink4 --sizes 4,32,128 --partial\n"
     "gpuscale goodput --link pcie4 --payload 128 --ecrc --offset 4\n",
     "link sizes partial offset payload ecrc short-address format output",
     goodput_main},
    {"tune", "WORKLOAD --system SYSTEM --gpus N [options]",
     "which way of moving data, in which chunks, by how many threads",
     "gpuscale tune als --system v100x4 --gpus 4\n"
     "gpuscale tune als --system v100x4 -p proact-poll,proact-cdp -f csv\n",
     "system link gpus paradigm set proposed format output", tune_main},
    {"validate", "RUNS.csv... --system SYSTEM [options]",
     "predicted against measured times",
     "gpuscale validate data/h200x8/runs/runs.csv --system h200x8\n",
     "system link set where best summary worst baselines against in-sample "
     "max-error require no-single coverage estimate format output",
     validate_main},
    {"freeze", "PLAN.csv --system SYSTEM --commit HASH -o PREDICTIONS.csv",
     "predictions of runs yet to be measured, for validate --against",
     "gpuscale freeze plan.csv --system h200x8 --runs singles.csv \\\n"
     "    --commit $(git rev-parse HEAD) -o predictions.csv\n",
     "system link set where runs commit output", freeze_main},
    {"calibrate", "DATA... --base SYSTEM -o NEW.lua",
     "a system with the parameters that measurements or runs give it",
     "gpuscale calibrate data/h200x8/micro/*.csv --base h200x8 -o mine.lua\n"
     "gpuscale calibrate p2pBandwidthLatencyTest.txt --base dgx-a100 -o "
     "mine.lua\n"
     "gpuscale calibrate runs.csv --base dgx-a100 -o mine.lua\n",
     "base set runs transfer format output", calibrate_main},
    {"replay", "TRACE [--queue LIST] [options]",
     "what the stores of a trace put on a link through each write queue",
     "gpuscale replay jacobi.trace --link pcie4,nvlink4\n"
     "gpuscale replay jacobi.trace --queue gps --capacity 64 --page 4KiB\n"
     "gpuscale replay jacobi.csv --gpus 4 --queue finepack --format csv\n",
     "gpus link payload queue capacity watermark page profile tlb ways "
     "subheader windows timeout config-packets granule format output",
     replay_main},
    {"reproduce", "[ID|FIGURE|all] [options]",
     "what the papers print, ours beside it, and how it came",
     "gpuscale reproduce\n"
     "gpuscale reproduce P-117\n"
     "gpuscale reproduce proact2.10 --format csv\n"
     "gpuscale reproduce all --format csv -o reproduced.csv\n",
     "traces refit strict format output", reproduce_main},
    {"plot", "FIGURE [WORKLOAD | DATA...] | printed NAME [options]",
     "figures: scaling, comparison, waterfall, timeline, map and others",
     "gpuscale plot scaling jacobi --system h200x8 -P n=512 -o jacobi.svg\n"
     "gpuscale plot map jacobi -s h200x8 --over gpus=2..8 --over n=64,512\n",
     "system gpus paradigm set proposed weak over price runs link sizes "
     "partial "
     "base fit traces terminal output",
     plot_main},
    {"report", "WORKLOAD --system SYSTEM --gpus 1-16 -o REPORT.html",
     "the answer on one page of HTML, with its figures and sources",
     "gpuscale report jacobi --system h200x8 --gpus 1-16 -o jacobi.html\n"
     "gpuscale report jacobi -s h200x8 --runs runs.csv -o jacobi.html\n",
     "system link gpus paradigm set steps proposed runs output", report_main},
    {"solve",
     "WORKLOAD --system SYSTEM --for NAME --until WHAT=VALUE | --knee "
     "[options]",
     "which rate, number of GPUs or size reaches a target",
     "gpuscale solve jacobi --system h200x8 --for gpus --until efficiency=0.8\n"
     "gpuscale solve jacobi --system h200x8 --gpus 4 -p memcpy \\\n"
     "    --for rate --until opportunity=0.9\n"
     "gpuscale solve allgather --system h200x8 --gpus 4 \\\n"
     "    --for bytes=1..1000MB --crossover memcpy,inline\n"
     "gpuscale solve jacobi --system h200x8 --knee\n",
     "system link gpus paradigm set for until crossover knee proposed format "
     "output",
     solve_main},
    {"sweep", "WORKLOAD --system SYSTEM --over NAME=FROM..TO... [options]",
     "one question at many values of its numbers, as CSV",
     "gpuscale sweep jacobi --system h200x8 --gpus 4 \\\n"
     "    --over link.rate=10GB/s..900GB/s,log,50 --format csv -o rates.csv\n"
     "gpuscale sweep allgather --system h200x8 --over gpus=2,4,8 \\\n"
     "    --over bytes=1..256MB,log,9 --best\n",
     "system link gpus paradigm set over design points seed best errors "
     "proposed weak shard resume merge format output",
     sweep_main},
    {"sensitivity", "WORKLOAD --system SYSTEM --gpus N [options]",
     "which numbers a prediction rests on, and what to measure next",
     "gpuscale sensitivity jacobi --system h200x8 --gpus 4 -p memcpy\n"
     "gpuscale sensitivity als --system dgx-a100 --gpus 8 --format csv\n",
     "system link gpus paradigm set points seed proposed format output",
     sensitivity_main},
    {"list", "systems|workloads|paradigms|links|fields|figures [options]",
     "what there is to choose from",
     "gpuscale list systems\n"
     "gpuscale list links --format csv\n",
     "format output", list_main},
    {"run", "SCRIPT.lua [options]",
     "what a Lua script of yours predicts and prints",
     "gpuscale run lua/examples/sweep.lua\n"
     "gpuscale run lua/examples/sweep.lua --format csv -o sweep.csv\n",
     "format output", run_main},
    {0},
};

static size_t verb_count(void)
{
  size_t n = 0;

  while (verbs[n].name) n++;
  return n;
}

static const verb *find_verb(const char *name, failure *why)
{
  const char *names[sizeof verbs / sizeof verbs[0]];
  const size_t n = verb_count();
  const char *near;

  for (size_t i = 0; i < n; i++) {
    if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
    names[i] = verbs[i].name;
  }
  near = nearest(name, names, n);
  if (near)
    fail(why, EXIT_USAGE, "no verb '%s'; did you mean '%s'?", name, near);
  else
    fail(why, EXIT_USAGE, "no verb '%s'; see `gpuscale --help`", name);
  return NULL;
}

static void print_help(FILE *f)
{
  fprintf(f, "usage: gpuscale VERB [arguments] [options]\n\n"
             "Predicts how fast a multi-GPU program runs on N GPUs, and why.\n"
             "\nverbs\n");
  for (const verb *v = verbs; v->name; v++)
    fprintf(f, "  %-10s %s\n", v->name, v->summary);
  fprintf(f,
          "\nSYSTEM and WORKLOAD are names (see `gpuscale list`) or Lua "
          "files.\n"
          "`gpuscale help VERB` says more.  `gpuscale --version` says "
          "which version.\n\n"
          "exit status\n"
          "  0 done   1 the answer is no   2 wrong usage   3 bad description "
          "or data\n"
          "  4 numeric   5 cannot read or write   6 a limit was hit   "
          "70 internal\n");
}

static void print_version(FILE *f)
{
  fprintf(f, "gpuscale %s\n", GSCALE_VERSION);
}

/* Text that is not a verb's: help and version. */
static int show(void (*print)(FILE *f), failure *why)
{
  output o;
  const int st = output_open(&o, NULL, why);

  if (st != EXIT_OK) return st;
  print(o.f);
  return output_close(&o, why);
}

static int show_verb_help(const verb *v, failure *why)
{
  output o;
  const int st = output_open(&o, NULL, why);

  if (st != EXIT_OK) return st;
  options_help(o.f, v);
  return output_close(&o, why);
}

/* `help` and `help VERB`: as --help. */
static int help(int argc, char **argv, failure *why)
{
  const verb *v;

  if (argc == 2) return show(print_help, why);
  if (argc > 3)
    return fail(why, EXIT_USAGE, "help: '%.100s' is one argument too many",
                argv[3]);
  v = find_verb(argv[2], why);
  return v ? show_verb_help(v, why) : why->status;
}

static int run_verb(int argc, char **argv, failure *why)
{
  static options o; /* large */
  const verb *v = find_verb(argv[1], why);
  int st;

  if (!v) return why->status;
  st = options_parse(&o, v, argc - 2, argv + 2, why);
  if (st == EXIT_OK) st = o.help ? show_verb_help(v, why) : v->run(&o, why);
  options_free(&o);
  return st;
}

static int dispatch(int argc, char **argv, failure *why)
{
  const char *first = argc > 1 ? argv[1] : "";

  if (strcmp(first, "--version") == 0) return show(print_version, why);
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
    return show(print_help, why);
  if (strcmp(first, "help") == 0) return help(argc, argv, why);
  if (argc < 2)
    return fail(why, EXIT_USAGE, "no verb given; see `gpuscale --help`");
  if (first[0] == '-')
    return fail(why, EXIT_USAGE,
                "'%s': a verb comes first; see `gpuscale --help`", first);
  return run_verb(argc, argv, why);
}

/* A file must never be opened as descriptor 0, 1 or 2.  Read-only: what is
 * written to a closed stdout still fails. */
static void fill_standard_descriptors(void)
{
  int fd;

  do fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

/* setlocale() is never called: numbers are those of the C locale. */
int main(int argc, char **argv)
{
  failure why = {EXIT_INTERNAL, ""};
  int st;

  fill_standard_descriptors();
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, ... */
  signal(SIGXFSZ, SIG_IGN); /* ... and so is a file of the largest size */
  st = made_begin(argc, argv, &why);
  if (st == EXIT_OK) st = dispatch(argc, argv, &why);
  if (st != EXIT_OK && gscale_refusals() > 0) st = EXIT_INTERNAL;
  progress_end();
  if (st != EXIT_OK) print_failure(&why);
  made_end();
  return st;
}
