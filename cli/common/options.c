/* options.c - parses the command line and prints the help, from one table. */

#include "common/cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- single values ------------------------------------------------------ */

/* Accepts digits only, because strtol() would accept " +8" and "8x". */
int parse_whole(const char *option, const char *text, int least, int most,
                int *out, failure *why)
{
  const size_t digits = strspn(text, "0123456789");
  long v;

  if (digits == 0 || text[digits])
    return fail(why, EXIT_USAGE, "%s: '%.100s' is not a whole number", option,
                text);
  errno = 0;
  v = strtol(text, NULL, 10);
  if (errno || v < least || v > most)
    return fail(why, EXIT_USAGE, "%s: %.100s is not in %d .. %d", option, text,
                least, most);
  *out = (int)v;
  return EXIT_OK;
}

int parse_size(const char *option, const char *text, double least, double *out,
               failure *why)
{
  const bool bare =
      text[strspn(text, "0123456789")] == '\0'; /* without unit: bytes */
  gscale_diag diag;

  if (gscale_parse_quantity(text, bare ? GSCALE_COUNT : GSCALE_BYTES, out,
                            &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "%s: %s", option, diag.text);
  if (!(*out >= least) || floor(*out) < *out || *out > 0x1p50)
    return fail(why, EXIT_USAGE, "%s: '%s' is not %g B .. 2^50 B, whole",
                option, text, least);
  return EXIT_OK;
}

static int take_format(options *o, const char *text, failure *why)
{
  static const char *const names[] = {
      [FORMAT_TABLE] = "table", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json"};

  for (size_t i = 0; i < LENGTH(names); i++)
    if (strcmp(text, names[i]) == 0) {
      o->format = (format)i;
      return EXIT_OK;
    }
  return fail(why, EXIT_USAGE,
              "--format: '%.100s' is not one of table, csv, json", text);
}

static int take_max_error(options *o, const char *text, failure *why)
{
  gscale_diag diag;
  double v;

  if (gscale_parse_quantity(text, GSCALE_COUNT, &v, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--max-error: %s", diag.text);
  if (v < 0.0)
    return fail(why, EXIT_USAGE, "--max-error: %.100s is below 0", text);
  o->max_error = v;
  return EXIT_OK;
}

/* Parses per cent, such as "20". */
static int take_perturb(options *o, const char *text, failure *why)
{
  gscale_diag diag;
  double v;

  if (gscale_parse_quantity(text, GSCALE_COUNT, &v, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--perturb: %s", diag.text);
  if (!(v > 0.0) || !(v < 100.0))
    return fail(why, EXIT_USAGE, "--perturb: %.100s is not in 0 .. 100", text);
  o->perturb = v / 100.0;
  return EXIT_OK;
}

/* Parses a fraction such as "5%" or 0.05. */
static int take_within(options *o, const char *text, failure *why)
{
  gscale_diag diag;
  double v;

  if (gscale_parse_quantity(text, GSCALE_COUNT, &v, &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--within: %s", diag.text);
  if (!(v > 0.0))
    return fail(why, EXIT_USAGE, "--within: %.60s is not above 0", text);
  o->within = v;
  return EXIT_OK;
}

static int take_worst(options *o, const char *text, failure *why)
{
  o->worst_given = true;
  return parse_whole("--worst", text, 0, INT_MAX, &o->worst, why);
}

static int take_steps(options *o, const char *text, failure *why)
{
  int steps;
  const int st = parse_whole("--steps", text, 1, INT_MAX, &steps, why);

  if (st == EXIT_OK) o->steps = steps;
  return st;
}

static int take_timeline(options *o, const char *text, failure *why)
{
  (void)why;
  o->trace = text;
  o->timeline = !text;
  return EXIT_OK;
}

static int take_notes(options *o, const char *text, failure *why)
{
  (void)o, (void)text, (void)why;
  notes_all = true;
  return EXIT_OK;
}

static int take_setting(options *o, const char *text, failure *why)
{
  return settings_add(&o->set, text, why);
}

static int take_per_node(options *o, const char *text, failure *why)
{
  char setting[64];

  snprintf(setting, sizeof setting, "per_node=%.40s", text);
  return settings_add(&o->set, setting, why);
}

static int take_over(options *o, const char *text, failure *why)
{
  const size_t most = LENGTH(o->over);

  if (o->overs == most)
    return fail(why, EXIT_USAGE, "--over: more than %zu", most);
  o->over[o->overs++] = text;
  return EXIT_OK;
}

static int take_also(options *o, const char *text, failure *why)
{
  const size_t most = LENGTH(o->also);

  if (o->alsos == most)
    return fail(why, EXIT_USAGE, "--also: more than %zu", most);
  o->also[o->alsos++] = text;
  return EXIT_OK;
}

/* Takes a number of parameters, as 400000000, 4e8, 350M or 7B. */
static int take_params(options *o, const char *text, failure *why)
{
  static const char letters[] = "KMBT";
  const size_t digits = strspn(text, "+0123456789.e");
  const char *const letter =
      text[digits] ? strchr(letters, text[digits]) : NULL;
  char number[32];
  gscale_diag diag;

  snprintf(number, sizeof number, "%.*s", (int)digits, text);
  const bool read =
      !text[digits + (letter != NULL)] &&
      !gscale_parse_quantity(number, GSCALE_COUNT, &o->params, &diag);
  if (read && letter)
    o->params = round(o->params * pow(1e3, (double)(letter - letters + 1)));
  if (!read || !(o->params >= 1.0) || floor(o->params) < o->params ||
      o->params > 0x1p50)
    return fail(why, EXIT_USAGE,
                "--params: '%.40s' is no whole number, as 350M or 7B", text);
  return EXIT_OK;
}

static int take_where(options *o, const char *text, failure *why)
{
  o->where.option = "--where";
  return settings_add(&o->where, text, why);
}

/* ---- the table ---------------------------------------------------------- */

typedef struct row {
  const char *name;
  char letter;          /* 0 if there is none */
  const char *argument; /* NULL for a flag */
  const char *help;
  size_t at; /* offset in struct options */
  enum {
    WORD, /* or a flag */
    SIZE,
    WHOLE
  } kind;          /* of what lies at the offset */
  int least, most; /* of a size or a whole number */
  int (*take)(options *o, const char *text,
              failure *why); /* parser, if not `at` */
} row;

#define AT(member)             offsetof(options, member), WORD, 0, 0, NULL
#define SIZE_AT(member, least) offsetof(options, member), SIZE, least, 0, NULL
#define WHOLE_AT(member, least, most)                                          \
  offsetof(options, member), WHOLE, least, most, NULL
#define TAKE(parser) 0, WORD, 0, 0, parser

static const row rows_of_options[] = {
    {"system", 's', "SYSTEM", "the machine: a name or a Lua file", AT(system)},
    {"gpus", 'g', "LIST", "numbers of GPUs, e.g. 8, 1-16 or 1,2,4,8", AT(gpus)},
    {"per-node", 0, "M", "number of GPUs used in each node",
     TAKE(take_per_node)},
    {"paradigm", 'p', "LIST", "paradigms: NAME,... or all", AT(paradigm)},
    {"set", 'P', "NAME=VALUE",
     "set a knob of the workload (n=512), of a paradigm, or a\n"
     "number of the system (link.rate=9GB/s); may be repeated",
     TAKE(take_setting)},
    {"where", 0, "NAME=VALUE",
     "only the runs with that knob (n=512); may be repeated", TAKE(take_where)},
    {"steps", 0, "K", "speedups of K steps with amortised setup (setup_s)",
     TAKE(take_steps)},
    {"weak", 0, NULL, "weak scaling: sizes grow by the workload's rule",
     AT(weak)},
    {"all", 0, NULL, "show every row, not a summary (csv, json: always)",
     AT(all)},
    {"proposed", 0, NULL, "include hardware that does not exist yet",
     AT(proposed)},
    {"link", 'l', "LIST", "links, NAME,...; replace the link of a system",
     AT(link)},
    {"sizes", 0, "LIST", "message sizes in bytes: 4,32,128 or 4-4096",
     AT(sizes)},
    {"partial", 0, NULL, "messages leave some bytes of a unit unwritten",
     AT(partial)},
    {"alignment-offset", 0, "B",
     "offset of messages from a packet's boundary, in bytes",
     SIZE_AT(offset, 0)},
    {"payload", 0, "B", "largest payload of a packet", SIZE_AT(payload, 1)},
    {"ecrc", 0, NULL, "PCIe: end-to-end checks, 4 B a packet", AT(ecrc)},
    {"queue", 'q', "LIST", "sm, plain, gps, finepack, bulk [all of them]",
     AT(queue)},
    {"capacity", 0, "N", "entries of a queue [gps 512, finepack 64]",
     AT(capacity)},
    {"watermark", 0, "N", "gps: entries at which one is sent [capacity - 1]",
     AT(watermark)},
    {"page", 0, "B", "size of pages [64KiB]", SIZE_AT(page, 1)},
    {"profile", 0, "N", "phases that profile subscribers [gps 1, others 0]",
     AT(profile)},
    {"tlb", 0, "N", "gps: entries of the TLB [32]", AT(tlb)},
    {"subheader", 0, "B", "finepack: bytes before each run, 2 to 6 [4]",
     AT(subheader)},
    {"windows", 0, "N", "finepack: open windows per destination [1]",
     AT(windows)},
    {"timeout", 0, "N",
     "finepack: flush a window N records after its last store", AT(timeout)},
    {"config-packets", 0, NULL,
     "finepack: send common fields in a separate packet", AT(config_packets)},
    {"atomics", 0, "B", "merge a warp's atomics within B bytes: 4, 32, 128 [4]",
     AT(atomics)},
    {"base", 'b', "SYSTEM", "system that provides the numbers not measured",
     AT(base)},
    {"runs", 'r', "RUNS.csv",
     "measured runs, FILE,...: as inputs, to fit or to draw", AT(runs)},
    {"traces", 0, "DIR",
     "directory of the traces that rows need [build/traces]", AT(traces)},
    {"refit", 0, NULL, "refit each constant to the rows that it names",
     AT(refit)},
    {"perturb", 0, "X",
     "show the rows lost if each constant moves by X per cent",
     TAKE(take_perturb)},
    {"strict", 0, NULL, "exit 1 if a row that is expected to be met is missed",
     AT(strict)},
    {"fit", 0, "NAME",
     "parameter (copy.efficiency) or bench whose fit is drawn", AT(fit)},
    {"terminal", 0, NULL, "draw with characters, not as SVG", AT(terminal)},
    {"formula", 0, NULL, "show only the terms whose sum is the time",
     AT(formula)},
    {"timeline", 0, "[FILE]",
     "show only the schedule, with begin and end of actions;\n"
     "FILE.json: also write a trace for Perfetto",
     TAKE(take_timeline)},
    {"summary", 0, NULL, "show the scores, not the runs (csv, json: as rows)",
     AT(summary)},
    {"worst", 0, "K", "show the K worst predictions with their parts [5]",
     TAKE(take_worst)},
    {"baselines", 0, "LIST",
     "fit laws and the model to these N (1,2,4), score others", AT(laws)},
    {"against", 0, "FILE", "score the predictions frozen in FILE instead",
     AT(against)},
    {"coverage", 0, NULL,
     "table of cases: each run's deviation in standard errors", AT(coverage)},
    {"estimate", 0, "DIR",
     "with --coverage: write the estimates to tables in DIR", AT(estimate)},
    {"commit", 0, "HASH", "the commit of the model that predicts", AT(commit)},
    {"within", 0, "X", "slowest link or fewest GPUs within X of the best (5%)",
     TAKE(take_within)},
    {"price", 0, "LIST", "price of a GPU hour: USD, or SYSTEM=USD,...",
     AT(price)},
    {"max-error", 0, "X", "exit 1 if the mean |error| exceeds X, e.g. 0.10",
     TAKE(take_max_error)},
    {"require", 0, "LIST",
     "exit 1 unless all hold: mean=X, worst=X, best=X,\n"
     "covered=LOW-HIGH, baselines (no law is better)",
     AT(demands)},
    {"no-single", 0, NULL, "do not use measured single-GPU times",
     AT(no_single)},
    {"in-sample", 0, NULL, "also score runs to which the system was fitted",
     AT(in_sample)},
    {"from", 0, "LIST", "measured systems, NAME,..., to project from",
     AT(from)},
    {"device", 0, "NAME", "a GPU of params/devices.csv", AT(device)},
    {"hosts", 0, "LIST", "systems that provide host numbers [those of --from]",
     AT(hosts)},
    {"pairs", 0, NULL, "each pair: speedup and probability; project: rules",
     AT(pairs)},
    {"over", 0, "NAME=FROM..TO",
     "vary gpus or what -P takes (link.rate, memcpy.chunk):\n"
     "FROM..TO[,log][,whole][,STEPS] or V,V,...; repeated",
     TAKE(take_over)},
    {"at", 0, "FILE",
     "CSV table with one point per row; its header has names\n"
     "as in --over",
     AT(at)},
    {"for", 0, "NAME[=FROM..TO]",
     "the number to solve for: rate, latency, gpus, a number\n"
     "of the system (host.launch), or, with a range, a number\n"
     "of the workload (n=64..4096)",
     AT(what)},
    {"until", 0, "WHAT=VALUE",
     "efficiency=0.8, speedup=6, opportunity=0.9, time=2ms, pays=0.5",
     AT(until)},
    {"crossover", 0, "A,B",
     "find where two paradigms or links take equally long", AT(crossover)},
    {"knee", 0, NULL,
     "find the knee, the last N at which added GPUs give half\n"
     "of their ideal gain, and the fastest N of --gpus",
     AT(knee)},
    {"design", 0, "KIND", "grid of all values, random, or sobol [grid]",
     AT(design)},
    {"points", 0, "N", "number of random or sobol points",
     WHOLE_AT(points, 1, INT_MAX)},
    {"seed", 0, "N", "seed of random points [0]", WHOLE_AT(seed, 0, INT_MAX)},
    {"errors", 0, NULL, "also compute standard errors (slower)", AT(errors)},
    {"jobs", 0, "N", "number of processes [all]; no effect on the result",
     WHOLE_AT(jobs, 1, 1024)},
    {"best", 0, NULL, "only the fastest knob settings, or paradigm at a point",
     AT(best)},
    {"show", 0, NULL, "show only the profile, and where its time goes",
     AT(show)},
    {"period", 0, "RULE", "where a step begins: nvtx:NAME, kernel:NAME or auto",
     AT(period)},
    {"also", 0, "FILE[@SHARE]",
     "profile of the program on other numbers of GPUs, or\n"
     "of a SHARE of its work (0.5); may be repeated",
     TAKE(take_also)},
    {"ranks", 0, "N", "number of GPUs, if the profile or log does not say it",
     WHOLE_AT(ranks, 1, 1 << 20)},
    {"parallel", 0, "PARADIGM",
     "parallelism of training: ddp; fsdp, tp as profiled", AT(parallel)},
    {"params", 0, "N",
     "number of model parameters, whose gradients ddp reduces",
     TAKE(take_params)},
    {"format", 'f', "FORMAT", "table, csv or json [table]", TAKE(take_format)},
    {"output", 'o', "FILE", "write to FILE, whole or not at all", AT(output)},
    {"notes", 0, NULL, "print all notes, not only three lines",
     TAKE(take_notes)},
    {"help", 'h', NULL, "this text", AT(help)},
};
enum {
  ROWS = LENGTH(rows_of_options)
};

/* Returns true if `name` is a word of v->accepts. */
static bool accepts(const verb *v, const char *name)
{
  const size_t n = strlen(name);

  if (strcmp(name, "help") == 0 || strcmp(name, "notes") == 0) return true;
  for (const char *p = v->accepts; (p = strstr(p, name)); p += n)
    if ((p == v->accepts || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
      return true;
  return false;
}

/* ---- help --------------------------------------------------------------- */

static void print_option(FILE *f, const row *r)
{
  char left[40];

  snprintf(left, sizeof left, "  %c%c%c --%s", r->letter ? '-' : ' ',
           r->letter ? r->letter : ' ', r->letter ? ',' : ' ', r->name);
  if (r->argument) gscale_append(left, sizeof left, " %s", r->argument);
  for (const char *line = r->help; line;) {
    const size_t length = strcspn(line, "\n");

    fprintf(f, "%-24s %.*s\n", line == r->help ? left : "", (int)length, line);
    line = line[length] ? line + length + 1 : NULL;
  }
}

static void print_examples(FILE *f, const char *text)
{
  while (*text) {
    const size_t length = strcspn(text, "\n");

    fprintf(f, "  %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

/* Prints the -P settings of any workload from the table of fields. */
static void print_fields(FILE *f)
{
  fprintf(f, "  -P t1=280us, -P PHASE.FIELD=VALUE, FIELD one of\n   ");
  GSCALE_EACH_FIELD (GSCALE_OF_PHASE, field)
    if (!field->advanced && field->key) fprintf(f, " %s", field->key);
  fprintf(f, "; all: list fields\n");
}

void options_help(FILE *f, const verb *v)
{
  fprintf(f, "usage: gpuscale %s %s\n\nShows %s.\n\noptions\n", v->name,
          v->usage, v->summary);
  for (size_t i = 0; i < ROWS; i++)
    if (accepts(v, rows_of_options[i].name))
      print_option(f, &rows_of_options[i]);
  if (strncmp(v->usage, "WORKLOAD", 8) == 0) print_fields(f);
  fprintf(f, "\nexamples\n");
  print_examples(f, v->examples);
}

/* ---- the parser --------------------------------------------------------- */

static int fail_option(const verb *v, const char *word, size_t length,
                       failure *why)
{
  const char *names[ROWS];
  char name[64];
  const char *near;
  size_t n = 0;

  snprintf(name, sizeof name, "%.*s", (int)length, word);
  for (size_t i = 0; i < ROWS; i++)
    if (accepts(v, rows_of_options[i].name))
      names[n++] = rows_of_options[i].name;
  near = name[0] == '-' && name[1] == '-' ? nearest(name + 2, names, n) : NULL;
  if (near)
    return fail(why, EXIT_USAGE, "%s: no option '%s'; did you mean '--%s'?",
                v->name, name, near);
  return fail(why, EXIT_USAGE, "%s: no option '%s'; see `gpuscale %s --help`",
              v->name, name, v->name);
}

/* Returns the option of "--sizes=4,8" or another word. The name has `length`
 * bytes. */
static const row *find_long(const verb *v, const char *word, size_t length)
{
  char was[64];

  snprintf(was, sizeof was, "%.*s", (int)length, word);
  const char *name = gscale_name_now(was) + 2;
  for (size_t i = 0; i < ROWS; i++) {
    const row *r = &rows_of_options[i];

    if (strcmp(r->name, name) == 0) return accepts(v, r->name) ? r : NULL;
  }
  return NULL;
}

static const row *find_short(const verb *v, char letter)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows_of_options[i].letter == letter)
      return accepts(v, rows_of_options[i].name) ? &rows_of_options[i] : NULL;
  return NULL;
}

static int obey(options *o, const row *r, const char *value, failure *why)
{
  void *const at = (char *)o + r->at;
  char option[32];

  if (r->take) return r->take(o, value, why);
  snprintf(option, sizeof option, "--%s", r->name);
  if (r->kind == SIZE) return parse_size(option, value, r->least, at, why);
  if (r->kind == WHOLE)
    return parse_whole(option, value, r->least, r->most, at, why);
  if (r->argument)
    *(const char **)at = value;
  else
    *(bool *)at = true;
  return EXIT_OK;
}

/* Returns true if the next word is an optional "[FILE]" and ends in .json. */
static bool wants_next(const row *r, const char *next)
{
  const char *dot = next ? strrchr(next, '.') : NULL;

  if (r->argument[0] != '[') return true;
  return dot && strcmp(dot, ".json") == 0;
}

/* Parses the option argv[*i], and its value in argv[*i + 1] if it has one. */
static int parse_option(options *o, const verb *v, int argc, char **argv,
                        int *i, failure *why)
{
  const char *word = argv[*i];
  const bool is_long = word[1] == '-';
  const size_t length = is_long ? strcspn(word, "=") : 2;
  const row *r = is_long ? find_long(v, word, length) : find_short(v, word[1]);
  const char *value = word[length] ? word + length + is_long : NULL;

  if (!r) return fail_option(v, word, length, why);
  if (!r->argument && value)
    return fail(why, EXIT_USAGE, "--%s takes no value", r->name);
  if (r->argument && !value &&
      wants_next(r, *i + 1 < argc ? argv[*i + 1] : NULL)) {
    if (*i + 1 == argc)
      return fail(why, EXIT_USAGE, "--%s needs %s", r->name, r->argument);
    value = argv[++*i];
  }
  return obey(o, r, value, why);
}

/* Refuses an output that would replace an input file, such as a profile. */
static int check_input(const char *path, void *closure, failure *why)
{
  const options *o = closure;
  struct stat of, to;

  if (!strpbrk(path, "./") || stat(path, &of) != 0 ||
      stat(o->output, &to) != 0 || !S_ISREG(to.st_mode) ||
      of.st_dev != to.st_dev || of.st_ino != to.st_ino)
    return EXIT_OK;
  return fail(why, EXIT_USAGE, "-o %.200s: would replace what %s reads",
              o->output, o->verb);
}

static int check_output(options *o, failure *why)
{
  const char *const inputs[] = {o->at, o->against, o->runs};
  int st = EXIT_OK;

  if (!o->output) return EXIT_OK;
  for (size_t i = 0; st == EXIT_OK && i < o->arguments; i++)
    st = check_input(o->argument[i], o, why);
  for (size_t i = 0; st == EXIT_OK && i < LENGTH(inputs); i++)
    if (inputs[i]) st = each_word("--runs", inputs[i], check_input, o, why);
  return st;
}

int options_parse(options *o, const verb *v, int argc, char **argv,
                  failure *why)
{
  bool ended = false; /* after the argument "--" */
  int st = EXIT_OK;

  *o = (options){.verb = v->name, .max_error = NAN, .worst = 5};
  o->argument = calloc((size_t)argc + 1, sizeof *o->argument);
  if (!o->argument) return no_memory(why);
  for (int i = 0; st == EXIT_OK && !o->help && i < argc; i++) {
    if (!ended && strcmp(argv[i], "--") == 0)
      ended = true;
    else if (!ended && argv[i][0] == '-' && argv[i][1])
      st = parse_option(o, v, argc, argv, &i, why);
    else
      o->argument[o->arguments++] = argv[i];
  }
  return st == EXIT_OK ? check_output(o, why) : st;
}

void options_free(options *o)
{
  free(o->argument);
  o->argument = NULL;
}

int need_arguments(const options *o, size_t n, const char *what, failure *why)
{
  if (o->arguments < n)
    return fail(why, EXIT_USAGE, "%s: needs %s; see `gpuscale %s --help`",
                o->verb, what, o->verb);
  if (o->arguments > n)
    return fail(why, EXIT_USAGE, "%s: '%.100s' is one argument too many",
                o->verb, o->argument[n]);
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
