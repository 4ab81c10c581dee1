/* t_faults.c - the whole program while something fails: it writes what it
 * should, or says that it could not and leaves everything as it was.  No signal
 * leaves a temporary file. */

#define _XOPEN_SOURCE 700 /* mkdtemp(), putenv() */

#include <dirent.h>
#include <fcntl.h>
#include <gsl/gsl_test.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A sanitizer has allocations of its own, and wants to be loaded first. */
#if defined(__SANITIZE_ADDRESS__)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

static char program[PATH_MAX + 16], library[PATH_MAX + 32], root[PATH_MAX];

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
  char temporary[] = "/tmp/gpuscale-XXXXXX", command[64];

  find_program();
  if (!getcwd(root, sizeof root) || !mkdtemp(temporary) || chdir(temporary)) {
    perror("t_faults");
    return 1;
  }
  gsl_test_int(run("goodput --link pcie4 -o f.csv", NULL), 0, "no fault");
  if (!sanitized) {
    signals();
    ignored();
  }
  snprintf(command, sizeof command, "rm -rf '%s'", temporary);
  if (system(command) != 0) printf("%s is left behind\n", temporary);
  return gsl_test_summary();
}
