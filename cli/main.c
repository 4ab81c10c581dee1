/* main.c - finds and runs the verb, and prints why it failed. */

#include "sweep/user_verb.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- verbs --------------------------------------------------------------- */

/* Each file of cli/verbs/ defines one verb; verbs.def lists their names. */
#define VERB(name) extern const verb verb_##name;
#include "verbs.def"
#undef VERB
#define VERB(name) &verb_##name,
static const verb *verbs[] = {
#include "verbs.def"
};
enum {
  VERBS = LENGTH(verbs)
};

static int by_place(const void *a, const void *b)
{
  const verb *const *x = a, *const *y = b;

  return (*x)->place - (*y)->place;
}

/* Says "no verb 'predct'" with the nearest name of all verbs. */
static const verb *fail_verb(const char *name, failure *why)
{
  const char *names[VERBS], *shipped;
  own_name near = "";
  hint text;

  for (size_t i = 0; i < VERBS; i++) names[i] = verbs[i]->name;
  shipped = nearest(name, names, VERBS);
  if (shipped) snprintf(near, sizeof near, "%s", shipped);
  if (own_nearest(name, &near, why) != EXIT_OK) return NULL;
  fail(why, EXIT_USAGE, "no verb '%.200s'%s", name,
       hinted(text, near[0] ? near : NULL, "; see `gpuscale --help`"));
  return NULL;
}

/* Finds a verb of the program, or else one of the user. */
static const verb *find_verb(const char *name, failure *why)
{
  const verb *own;

  for (size_t i = 0; i < VERBS; i++)
    if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
  own = own_verb(name);
  return own ? own : fail_verb(name, why);
}

/* ---- help ---------------------------------------------------------------- */

static void print_help(FILE *f)
{
  fprintf(f, "usage: gpuscale VERB [arguments] [options]\n\n"
             "Predicts how fast a multi-GPU program runs on N GPUs, and why.\n"
             "\nverbs\n");
  for (size_t i = 0; i < VERBS; i++)
    fprintf(f, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
  fprintf(f,
          "\nSYSTEM and WORKLOAD are names (see `gpuscale list`) or Lua "
          "files.\n"
          "Any other VERB is a script of yours, verbs/VERB.lua, run as by "
          "`run`.\n"
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

/* Prints text outside verbs: help and version. */
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

/* Implements `help` and `help VERB` like --help. */
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

/* Opens descriptors 0 to 2 if they are closed, so that no file gets them.  They
 * are read-only: output to a closed stdout still fails. */
static void fill_standard_descriptors(void)
{
  int fd;

  do fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

/* setlocale() is never called, so numbers have the format of the C locale. */
int main(int argc, char **argv)
{
  failure why = {EXIT_INTERNAL, ""};
  int st;

  qsort(verbs, VERBS, sizeof *verbs, by_place);
  fill_standard_descriptors();
  signal(SIGPIPE, SIG_IGN); /* EPIPE instead */
  signal(SIGXFSZ, SIG_IGN); /* EFBIG instead */
  st = made_begin(argc, argv, &why);
  if (st == EXIT_OK) st = dispatch(argc, argv, &why);
  if (st != EXIT_OK && gscale_refusals() > 0) st = EXIT_INTERNAL;
  progress_end();
  notes_end();
  if (st != EXIT_OK) print_failure(&why);
  made_end();
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
