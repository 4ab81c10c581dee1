/* t_faults.c - the whole program while something fails: it writes what it
 * should, or says that it could not and leaves everything as it was.  No signal
 * leaves a temporary file.
 * once: the faults are the system's, whoever compiled. */

#define _XOPEN_SOURCE 700 /* mkdtemp(), putenv() */

#include "random.h"

#include <dirent.h>
#include <fcntl.h>
#include <gsl/gsl_test.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A sanitizer has allocations of its own, and wants to be loaded first. */
#if defined(__SANITIZE_ADDRESS__)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

static char program[PATH_MAX + 16], library[PATH_MAX + 32], root[PATH_MAX];

enum {
  DENSE = 3 /* first allocations of a question, each of which fails once */
};

static const char old[] = "what stood here before\n";

/* ---- files -------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");

  if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
    perror(path);
    exit(1);
  }
}

/* Its text, "" if there is no such file; free it. */
static char *get(const char *path)
{
  FILE *f = fopen(path, "r");
  char *text = NULL;
  size_t room = 0;

  if (!f || getdelim(&text, &room, EOF, f) < 0) {
    free(text);
    text = calloc(1, 1);
  }
  if (f) fclose(f);
  return text;
}

/* True if the file holds that text. */
static bool holds(const char *path, const char *text)
{
  char *is = get(path);
  const bool same = strcmp(is, text) == 0;

  free(is);
  return same;
}

/* Files here whose names begin so. */
static size_t count_files(const char *begin)
{
  const struct dirent *f;
  DIR *d = opendir(".");
  size_t n = 0;

  while (d && (f = readdir(d)) != NULL)
    n += strncmp(f->d_name, begin, strlen(begin)) == 0;
  if (d) closedir(d);
  return n;
}

/* ---- running the program ------------------------------------------------ */

/* `fault` is NAME=VALUE or NULL; its status is wait()'s. */
static int run(const char *arguments, const char *fault)
{
  char command[2 * PATH_MAX];
  char variable[PATH_MAX];
  int status;

  snprintf(command, sizeof command, "exec '%s' %s >out 2>err", program,
           arguments);
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("GPUSCALE_PATH", root, 1);
    setenv("TMPDIR", ".", 1);
    if (!sanitized) setenv("LD_PRELOAD", library, 1);
    if (fault) {
      snprintf(variable, sizeof variable, "%s", fault);
      putenv(variable);
    }
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(99);
  }
  return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

/* ---- many rows ---------------------------------------------------------- */

/* validate keeps little of a row: 400 B at most, beside what it takes anyway.
 * It comes first: what is read is the most of all runs so far. */
static void many_rows(void)
{
  enum {
    ROWS = 40000,
    EACH = 400,       /* B */
    ANYWAY = 10 << 20 /* B */
  };
  struct rusage use;
  FILE *f = fopen("many.csv", "w");

  fprintf(f, "workload,paradigm,knobs,gpus,time_s,sigma_s\n"
             "jacobi,infinite,n=128,1,2.9e-5,1e-7\n");
  for (int i = 1; i < ROWS; i++)
    fprintf(f, "jacobi,memcpy,n=%d,%d,%.9g,1e-7\n", 128 + i % 9, 2 + i % 3,
            4e-5 + 1e-9 * i);
  fclose(f);
  gsl_test_int(
      run("validate many.csv --system h200x8 -f csv -o many.out", NULL), 0,
      "%d rows", ROWS);
  getrusage(RUSAGE_CHILDREN, &use);
  gsl_test(!sanitized && use.ru_maxrss > (ANYWAY + (long)ROWS * EACH) / 1024,
           "    ... in %ld KiB", use.ru_maxrss);
}

/* ---- signals ------------------------------------------------------------ */

static void signal_at(const char *call, int n, int number)
{
  char fault[64];
  int status;

  put("f.csv", old);
  snprintf(fault, sizeof fault, "FAULT_SIGNAL=%s:%d:%d", call, n, number);
  status = run("goodput --link pcie4,nvlink4 -f csv -o f.csv", fault);
  gsl_test(!WIFSIGNALED(status) || WTERMSIG(status) != number,
           "signal %d after %s: ends the program (status %x)", number, call,
           (unsigned)status);
  gsl_test_int((int)count_files("f.csv"), 1, "    ... no file is left");
  gsl_test(!holds("f.csv", old) == (strcmp(call, "rename") != 0),
           "    ... the file is %s",
           strcmp(call, "rename") == 0 ? "the new one" : "the old one");
}

static void signals(void)
{
  static const char *const calls[] = {"mkstemp", "write", "fchmod", "fsync",
                                      "rename"};
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
      signal_at(calls[i], 1, numbers[k]);
}

/* One that the caller ignores stays ignored. */
static void ignored(void)
{
  int status;

  signal(SIGHUP, SIG_IGN);
  put("f.csv", old);
  status = run("goodput --link pcie4 -o f.csv", "FAULT_SIGNAL=write:1:1");
  gsl_test_int(status, 0, "a signal that is ignored");
  gsl_test(holds("f.csv", old), "    ... the file is the new one");
  signal(SIGHUP, SIG_DFL);
}

/* ---- memory ------------------------------------------------------------- */

/* What is asked, with what must be there; -o OUT is appended. */
static const char *const questions[] = {
    "predict jacobi --system h200x8 --gpus 1-3 -f json",
    "predict transpose --system ./local.lua --gpus 2 -P n=512 -f csv",
    "compare allgather --system h200x8 --link pcie5,nvlink3 --gpus 2",
    "explain jacobi --system h200x8 --gpus 4 --paradigm inline",
    "goodput --link pcie4,nvlink4 -f json",
    "tune jacobi --system h200x8 --gpus 2 -p proact-poll -f csv",
    "validate runs.csv --system h200x8 --worst 2",
    "validate runs.csv --system h200x8 --baselines 1,2 --summary -f csv",
    "freeze plan.csv --system h200x8 --runs runs.csv --commit abcdef0",
    "validate runs.csv --against frozen.csv",
    "calibrate dma.csv --base h200x8",
    "calibrate p2p.txt --base h200x8",
    "replay small.csv --gpus 2 --profile 0 --queue sm,gps,finepack -f csv",
    "reproduce P-013",
    "reproduce 2.2 -f csv",
    "plot scaling jacobi --system h200x8 --gpus 1-3",
    "list workloads -f csv",
    "run sweep.lua",
    "predict stencil-host --system h200x8 --gpus 2 -f csv",
    "explain jacobi --system h200x8 --gpus 4 -p memcpy --timeline=lanes.json",
    "sensitivity jacobi --system h200x8 --gpus 4 -p memcpy --points 16 -f csv",
    "sweep jacobi --system h200x8 --gpus 4 -p memcpy --over n=64,128 -f csv "
    "--errors --design sobol --points 3",
    "sweep jacobi --system h200x8 --gpus 4 -p memcpy --over n=64,128 -f json",
    "sweep jacobi --system h200x8 --gpus 4 -p memcpy --at points.csv -f csv",
    "solve jacobi --system h200x8 --gpus 4 -p memcpy --until opportunity=0.5 "
    "--for link.rate=10GB/s..900GB/s -f csv",
    "report jacobi --system h200x8 --gpus 1-4",
    "ask jacobi --system h200x8 --gpus 2",
    "compare jacobi --system h200x8,k40x4 --gpus 2 --over n=64,128 -f json",
    "predict jacobi --system h200x8 --gpus 8 --runs runs.csv -f csv",
    "calibrate osu.txt --base dgx-a100",
    "describe two.trace --show",
};

/* What stays away from stdout must be whole elsewhere: -o. */
static bool is_quiet(const char *path)
{
  return holds(path, "");
}

/* The question with the nth allocation failing, and the ones after it too. */
static bool try_without(const char *question, unsigned long n, bool lasting,
                        const char *answer, const char *said)
{
  char fault[64], arguments[512];
  bool good;

  put("f.svg", old);
  snprintf(fault, sizeof fault, "FAULT_MEMORY=%lu%s", n, lasting ? "+" : "");
  snprintf(arguments, sizeof arguments, "%s -o f.svg", question);
  const int status = run(arguments, fault);
  if (status == 0)
    good = holds("f.svg", answer) && holds("out", said);
  else
    good = WIFEXITED(status) && WEXITSTATUS(status) == 70 &&
           holds("f.svg", old) && is_quiet("out") && !is_quiet("err");
  good = good && count_files("f.svg") == 1;
  if (!good) {
    char *err = get("err");
    gsl_test(1, "%s: allocation %s: status %x: %s", question,
             fault + strlen("FAULT_MEMORY="), (unsigned)status, err);
    free(err);
  }
  return good;
}

/* Allocations of the whole run. */
static unsigned long count_allocations(const char *arguments)
{
  char *text;
  unsigned long n;

  remove("count");
  gsl_test_int(run(arguments, "FAULT_COUNT=count"), 0, "%s", arguments);
  text = get("count");
  n = strtoul(text, NULL, 10);
  free(text);
  return n;
}

/* So many allocations of each question; of all in the full suite each. */
static unsigned long sampled(void)
{
  const char *said = getenv("GPUSCALE_FAULTS");

  return said ? strtoul(said, NULL, 10)
              : (unsigned long)slow_cases(4, 12, INT_MAX);
}

/* A sample that begins densely. */
static void sweep(const char *question)
{
  char arguments[512];
  size_t bad = 0;

  snprintf(arguments, sizeof arguments, "%s -o f.svg", question);
  const unsigned long n = count_allocations(arguments);
  char *answer = get("f.svg"), *said = get("out");
  const unsigned long sample = sampled();
  const unsigned long step = n < sample ? 1 : n / sample;

  for (unsigned long i = 1; i <= n; i += i < DENSE ? 1 : step)
    for (int lasting = 0; lasting < 2; lasting++)
      bad += !try_without(question, i + (lasting ? step / 2 : 0), lasting,
                          answer, said);
  gsl_test(n == 0 || bad > 0, "%s: %lu allocations, one in %lu failed",
           question, n, step);
  free(answer);
  free(said);
}

/* Data to ask about, of the project's own and small. */
static void make_data(void)
{
  static const char *const commands[] = {
      "cp \"$GPUSCALE_PATH\"/tests/imports/p2p.txt .",
      "cp \"$GPUSCALE_PATH\"/tests/imports/osu.txt .",
      "cp \"$GPUSCALE_PATH\"/tests/imports/two.trace .",
      "cp \"$GPUSCALE_PATH\"/params/h200x8.lua local.lua",
      "cp \"$GPUSCALE_PATH\"/lua/examples/sweep.lua .",
      "mkdir verbs; cp \"$GPUSCALE_PATH\"/lua/examples/sweep.lua verbs/ask.lua",
      "cp \"$GPUSCALE_PATH\"/data/h200x8/micro/dma.csv .",
  };
  char command[PATH_MAX];

  setenv("GPUSCALE_PATH", root, 1);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    snprintf(command, sizeof command, "{ %s; } 2>err", commands[i]);
    gsl_test_int(system(command), 0, "%s", commands[i]);
  }
  put("runs.csv", "workload,paradigm,knobs,gpus,time_s,sigma_s\n"
                  "jacobi,infinite,n=128,1,2.9e-5,1e-7\n"
                  "jacobi,infinite,n=128,2,2.1e-5,1e-7\n"
                  "jacobi,memcpy,n=128,1,2.9e-5,1e-7\n"
                  "jacobi,memcpy,n=128,2,4.1e-5,1e-7\n"
                  "jacobi,memcpy,n=128,4,4.4e-5,1e-7\n"
                  "jacobi,inline,n=128,2,2.5e-5,1e-7\n"
                  "jacobi,inline,n=128,4,2.6e-5,1e-7\n");
  put("plan.csv", "workload,paradigm,knobs,gpus\n"
                  "jacobi,memcpy,n=128,2\njacobi,inline,n=128,4\n"
                  "jacobi,memcpy,n=128,4\njacobi,inline,n=128,2\n"
                  "jacobi,infinite,n=128,2\n");
  put("points.csv", "n,link.rate\n64,10 GB/s\n128,20 GB/s\n");
  put("small.csv", "gpu,kind,address,size_B,dst,group\n"
                   "0,store,0,4,1,7\n0,store,4,4,1,7\n0,store,256,4,1,8\n");
  gsl_test_int(
      run("freeze plan.csv --system h200x8 --runs runs.csv --commit abcdef0 "
          "-o frozen.csv",
          NULL),
      0, "frozen.csv");
}

static void memory(void)
{
  make_data();
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    sweep(questions[i]);
}

/* -------------------------------------------------------------------------- */

/* The program and the library stand beside this test. */
static void find_program(void)
{
  char self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

  self[n > 0 ? n : 0] = '\0';
  if (strrchr(self, '/')) *strrchr(self, '/') = '\0';
  snprintf(library, sizeof library, "%s/faults.so", self);
  if (strrchr(self, '/')) *strrchr(self, '/') = '\0';
  snprintf(program, sizeof program, "%s/gpuscale", self);
}

int main(void)
{
  /* whoever started the tests may have signals ignored */
  signal(SIGHUP, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);

  char temporary[] = "/tmp/gpuscale-XXXXXX", command[64];

  find_program();
  if (!getcwd(root, sizeof root) || !mkdtemp(temporary) || chdir(temporary)) {
    perror("t_faults");
    return 1;
  }
  many_rows();
  if (!sanitized) {
    signals();
    ignored();
    memory();
  }
  snprintf(command, sizeof command, "rm -rf '%s'", temporary);
  if (system(command) != 0) printf("%s is left behind\n", temporary);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
