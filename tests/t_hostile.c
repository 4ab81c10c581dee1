/* t_hostile.c - hostile descriptions: the whole program refuses each of them
 * within 3 s of processor time, a minute and 80 MB, and says so in words. The
 * system kills what takes longer. */

#define _DEFAULT_SOURCE /* wait4 */

#include <dirent.h>
#include <fcntl.h>
#include <gsl/gsl_test.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  FILES_MAX = 128,
  FILES_LEAST = 60,
  SECONDS_MAX = 3,
  MEMORY_MAX = 80 * 1000 * 1000, /* B */
  EXIT_DATA = 3,
  EXIT_LIMIT = 6,
  SHOWN = 1 << 14 /* B, of what the program says */
};

/* A sanitizer takes memory of its own. */
#if defined(__SANITIZE_ADDRESS__)
static const bool exact = false;
#else
static const bool exact = true;
#endif

static char program[PATH_MAX + 16];

/* ---- running the program ------------------------------------------------- */

typedef struct run {
  char path[PATH_MAX]; /* of the description */
  bool as_workload;
  char said[32]; /* name of the file with what it said */
  pid_t pid;
} run;

static void start(run *r, size_t i)
{
  static const struct rlimit cpu = {SECONDS_MAX, SECONDS_MAX};

  snprintf(r->said, sizeof r->said, "said.%zu", i);
  fflush(stdout);
  r->pid = fork();
  if (r->pid != 0) return;

  const int fd = open(r->said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const char *workload = r->as_workload ? r->path : "jacobi";
  const char *system = r->as_workload ? "ct-bus" : r->path;

  if (fd < 0 || dup2(fd, STDERR_FILENO) < 0 || setrlimit(RLIMIT_CPU, &cpu) != 0)
    _exit(99);
  alarm(60);
  execl(program, program, "predict", workload, "--system", system,
        (char *)NULL);
  _exit(98);
}

/* What it said on stderr, as text. */
static void read_said(const run *r, char *text)
{
  FILE *f = fopen(r->said, "r");
  size_t n = 0;

  if (f) n = fread(text, 1, SHOWN - 1, f);
  if (f) fclose(f);
  text[n] = '\0';
}

/* Every line begins with the program's name and the path. */
static bool is_in_words(const run *r, const char *said)
{
  char head[PATH_MAX + 16];

  snprintf(head, sizeof head, "gpuscale: %s:", r->path);
  if (!*said) return false;
  while (*said) {
    const size_t n = strcspn(said, "\n");

    if (strncmp(said, head, strlen(head)) != 0) return false;
    for (size_t i = 0; i < n; i++)
      if ((unsigned char)said[i] < ' ') return false;
    said += n + (said[n] == '\n');
  }
  return true;
}

/* A first line `-- refused: WORDS` is what it must be refused with. */
static bool is_expected(const run *r, const char *said)
{
  static const char head[] = "-- refused: ";
  char line[128] = "";
  FILE *f = fopen(r->path, "r");
  const bool read = f && fgets(line, sizeof line, f);

  if (f) fclose(f);
  line[strcspn(line, "\n")] = '\0';
  return !read || strncmp(line, head, strlen(head)) != 0 ||
         strstr(said, line + strlen(head)) != NULL;
}

static void check(const run *r, int status, const struct rusage *use)
{
  char said[SHOWN];
  const char *name = strrchr(r->path, '/') + 1;
  const bool refused = WIFEXITED(status) && (WEXITSTATUS(status) == EXIT_DATA ||
                                             WEXITSTATUS(status) == EXIT_LIMIT);

  read_said(r, said);
  gsl_test(!refused, "%s: refused (status %x)", name, (unsigned)status);
  gsl_test(!is_in_words(r, said), "    ... in words%s%s",
           is_in_words(r, said) ? "" : ": ", is_in_words(r, said) ? "" : said);
  gsl_test(!is_expected(r, said), "    ... as its first line says: %s", said);
  gsl_test(exact && use->ru_maxrss > MEMORY_MAX / 1024, "    ... in %ld KiB",
           use->ru_maxrss);
}

/* Waits for any of them; a workload that was taken for a system starts again as
 * one. */
static void finish_one(run *runs, size_t n, size_t *running)
{
  struct rusage use;
  char said[SHOWN];
  int status;
  const pid_t pid = wait4(-1, &status, 0, &use);

  for (size_t i = 0; i < n && pid > 0; i++) {
    if (runs[i].pid != pid) continue;
    runs[i].pid = 0;
    read_said(&runs[i], said);
    if (!runs[i].as_workload && strstr(said, ": returns a gs.workload;")) {
      runs[i].as_workload = true;
      start(&runs[i], i);
      return;
    }
    check(&runs[i], status, &use);
  }
  (*running)--;
}

/* As many at once as there are processors: some wait for the clock. */
static void run_all(run *runs, size_t n)
{
  const long most = sysconf(_SC_NPROCESSORS_ONLN);
  size_t running = 0;

  for (size_t i = 0; i < n; i++) {
    if (running > 0 && running >= (size_t)most) finish_one(runs, n, &running);
    start(&runs[i], i);
    running++;
  }
  while (running > 0) finish_one(runs, n, &running);
}

/* ---- the corpus ---------------------------------------------------------- */

static size_t find_files(const char *dir, run *runs, size_t n)
{
  const struct dirent *f;
  DIR *d = opendir(dir);

  gsl_test(!d, "directory %s", dir);
  while (d && (f = readdir(d)) != NULL && n < FILES_MAX)
    if (strstr(f->d_name, ".lua"))
      snprintf(runs[n++].path, PATH_MAX, "%s/%s", dir, f->d_name);
  if (d) closedir(d);
  return n;
}

static FILE *create(const char *path)
{
  FILE *f = fopen(path, "w");

  if (f) return f;
  perror(path);
  exit(1);
}

static void write_bytes(const char *path, const char *text, size_t n)
{
  FILE *f = create(path);

  fwrite(text, 1, n, f);
  fclose(f);
}

/* A file of `times` repetitions; %d in it becomes their number. */
static void write_repeated(const char *path, const char *head, const char *each,
                           int times, const char *tail)
{
  FILE *f = create(path);

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

/* Those that are too long to keep, or no text. */
static void write_hostile(bool is_long)
{
  static const char nul[] = "return 1 \0 os.exit()";
  static const char bytecode[] = "\033LuaT\x19\x93\r\n\x1a\n";
  static const char letters[] = "\xff\xfe\x80\xc0";
  static const char mark[] = "\xef\xbb\xbf";

  mkdir("hostile", 0777);
  write_bytes("hostile/nul.lua", nul, sizeof nul);
  write_bytes("hostile/only_nul.lua", "", 1);
  write_bytes("hostile/bytecode.lua", bytecode, sizeof bytecode - 1);
  write_bytes("hostile/letters.lua", letters, sizeof letters - 1);
  write_bytes("hostile/mark.lua", mark, sizeof mark - 1);
  write_repeated("hostile/huge.lua", "--", "xxxxxxxx", 140000, "\n");
  write_repeated("hostile/text.lua", "return \"", "xxxxxxxx", 100000, "\"");
  write_repeated("hostile/parentheses.lua", "return ", "(", 500000, "");
  write_repeated("hostile/functions.lua", "", "return function() ", 50000, "");
  write_repeated("hostile/gotos.lua", "", "goto a ", 32000, "::a::");
  write_repeated("hostile/labels.lua", "", "::l%d::", 32000, "");
  write_repeated("hostile/backwards.lua", "::a:: ", "goto a ", 140000, "");
  write_repeated("hostile/constants.lua", "return {", "\"x%d\",", 90000, "}");
  write_repeated("hostile/concat.lua", "return ''", "..1", 300000, "");
  if (is_long)
    write_repeated("hostile/elses.lua", "if x then ", "elseif x then ", 60000,
                   "end");
  write_repeated("hostile/unfinished.lua", "return [", "=", 500000, "");
  write_repeated("hostile/keys.lua", "return gs.system {", "x%d=1,", 90000,
                 "}");
}

/* -------------------------------------------------------------------------- */

/* The program beside the directory of this test. */
static void find_program(void)
{
  char self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

  self[n > 0 ? n : 0] = '\0';
  for (int up = 0; up < 2 && strrchr(self, '/'); up++)
    *strrchr(self, '/') = '\0';
  snprintf(program, sizeof program, "%s/gpuscale", self);
}

int main(void)
{
  static run runs[FILES_MAX];
  char here[PATH_MAX], temporary[] = "/tmp/gpuscale-XXXXXX";
  char corpus[PATH_MAX + 16], slow[PATH_MAX + 24], made[64], command[64];
  const bool is_long = getenv("GPUSCALE_LONG"); /* with the slow ones */
  size_t n = 0;

  if (!getcwd(here, sizeof here) || !mkdtemp(temporary) || chdir(temporary)) {
    perror("t_hostile");
    return 1;
  }
  snprintf(corpus, sizeof corpus, "%s/tests/hostile", here);
  snprintf(slow, sizeof slow, "%s/slow", corpus);
  snprintf(made, sizeof made, "%s/hostile", temporary);
  find_program();
  write_hostile(is_long);
  n = find_files(corpus, runs, n);
  if (is_long) n = find_files(slow, runs, n);
  n = find_files(made, runs, n);
  run_all(runs, n);
  gsl_test(n < FILES_LEAST, "%zu hostile descriptions", n);

  snprintf(command, sizeof command, "rm -rf '%s'", temporary);
  if (system(command) != 0) printf("%s is left behind\n", temporary);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
