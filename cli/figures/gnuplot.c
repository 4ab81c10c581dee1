/* gnuplot.c - runs gnuplot on a script and reads the SVG or the text.
 *
 * Since gnuplot has no safe mode, user input reaches it only as printed numbers
 * and single-quoted text. gnuplot exits with 0 even if it cannot write its
 * output. Therefore gnuplot writes to a pipe, and the end of the SVG is
 * checked. */

#include "figures/figures.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- scripts ------------------------------------------------------------ */

void gnuplot_text(FILE *script, const char *text)
{
  putc('\'', script);
  while (*text) {
    if (*text == '\'') putc('\'', script);
    text += put_character(script, text);
  }
  putc('\'', script);
}

int gnuplot_include(FILE *script, const char *name, failure *why)
{
  char relative[64], path[512], buffer[4096];
  size_t n;
  FILE *f;
  bool ok;
  int st;

  snprintf(relative, sizeof relative, "plots/%s", name);
  st = find_shared(relative, path, sizeof path, why);
  if (st != EXIT_OK) return st;
  f = fopen(path, "r");
  if (!f && errno == ENOMEM)
    return fail(why, EXIT_INTERNAL, "no memory to read %.200s", path);
  if (!f) return fail(why, EXIT_IO, "%.200s: %s", path, strerror(errno));
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    fwrite(buffer, 1, n, script);
  ok = !ferror(f);
  if (!ok) fail(why, EXIT_IO, "%.200s: %s", path, strerror(errno));
  fclose(f);
  return ok ? EXIT_OK : EXIT_IO;
}

/* ---- the process -------------------------------------------------------- */

enum {
  IN,
  OUT,
  ERR,
  STREAMS
};

/* A running gnuplot with its remaining input and its output. */
typedef struct child {
  pid_t pid;
  int fd[STREAMS]; /* parent's end of each pipe; -1: closed */
  const char *script;
  size_t size;
  draft said[STREAMS]; /* from OUT and ERR */
} child;

static void close_fd(int *fd)
{
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static bool open_pipe(int *ours, int *theirs, bool we_write)
{
  int p[2];

  if (pipe(p) != 0) return false;
  *ours = p[we_write ? 1 : 0];
  *theirs = p[we_write ? 0 : 1];
  fcntl(*ours, F_SETFD, FD_CLOEXEC);
  fcntl(*theirs, F_SETFD, FD_CLOEXEC);
  fcntl(*ours, F_SETFL, O_NONBLOCK);
  return true;
}

/* Copies the environment without variables that change figures. */
static char **plain_environment(void)
{
  static const char *const dropped[] = {"GNUTERM=", "LC_", "LANG"};
  static char locale[] = "LC_ALL=C.UTF-8";
  size_t n = 0, used = 0;
  char **e;

  while (environ[n]) n++;
  e = malloc((n + 2) * sizeof *e);
  if (!e) return NULL;
  for (size_t i = 0; i < n; i++) {
    bool keep = true;
    for (size_t k = 0; k < LENGTH(dropped); k++)
      keep = keep && strncmp(environ[i], dropped[k], strlen(dropped[k])) != 0;
    if (keep) e[used++] = environ[i];
  }
  e[used++] = locale;
  e[used] = NULL;
  return e;
}

/* Runs posix_spawnp() with three pipes and the default SIGPIPE. */
static int spawn(child *c, const int *theirs)
{
  static char name[] = "gnuplot", no_startup[] = "-d", standard_input[] = "-";
  char *argv[] = {name, no_startup, standard_input, NULL};
  char **envp = plain_environment();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  int error;

  if (!envp) return ENOMEM;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < STREAMS; i++)
    posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
  error = posix_spawnp(&c->pid, name, &actions, &attributes, argv, envp);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(envp);
  return error;
}

static int start(child *c, failure *why)
{
  int theirs[STREAMS] = {-1, -1, -1}, error = 0;

  for (int i = 0; !error && i < STREAMS; i++) {
    if (!open_pipe(&c->fd[i], &theirs[i], i == IN)) error = errno;
    if (i != IN && !draft_open(&c->said[i])) error = ENOMEM;
  }
  if (!error) error = spawn(c, theirs);
  for (int i = 0; i < STREAMS; i++) close_fd(&theirs[i]);
  if (error == ENOENT)
    return fail(why, EXIT_DATA, "plot: needs the program gnuplot");
  if (error == ENOMEM) return no_memory(why);
  if (error) return fail(why, EXIT_IO, "gnuplot: %s", strerror(error));
  return EXIT_OK;
}

static void feed(child *c)
{
  const ssize_t n = write(c->fd[IN], c->script, c->size);

  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n >= 0) {
    c->script += n;
    c->size -= (size_t)n;
  }
  if (n < 0 || c->size == 0) close_fd(&c->fd[IN]);
}

static void drain(child *c, int i)
{
  char buffer[16384];
  const ssize_t n = read(c->fd[i], buffer, sizeof buffer);

  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n > 0)
    fwrite(buffer, 1, (size_t)n, c->said[i].f);
  else
    close_fd(&c->fd[i]);
}

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Exchanges data until gnuplot closes its output. Returns false on a
 * timeout. */
static bool converse(child *c)
{
  const double seconds = 30.0, end = now() + seconds;

  while (c->fd[OUT] >= 0 || c->fd[ERR] >= 0) {
    struct pollfd p[STREAMS];
    const double left = end - now();

    for (int i = 0; i < STREAMS; i++)
      p[i] =
          (struct pollfd){.fd = c->fd[i], .events = i == IN ? POLLOUT : POLLIN};
    if (left <= 0.0) return false;
    if (poll(p, STREAMS, (int)(1000.0 * left) + 1) < 0 && errno != EINTR)
      return false;
    if (p[IN].revents) feed(c);
    if (p[OUT].revents) drain(c, OUT);
    if (p[ERR].revents) drain(c, ERR);
  }
  return true;
}

/* Returns the exit status of gnuplot, or -1 if it was killed. */
static int wait_for(const child *c, bool in_time)
{
  int status;

  if (!in_time) kill(c->pid, SIGKILL);
  while (waitpid(c->pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void clear(child *c)
{
  for (int i = 0; i < STREAMS; i++) {
    close_fd(&c->fd[i]);
    draft_free(&c->said[i]);
  }
}

/* ---- the figure --------------------------------------------------------- */

/* Returns the last line that is not empty. */
static const char *last_words(char *text)
{
  const char *last = "it says nothing";

  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    if (strspn(line, " ^\t\r") < strlen(line)) last = line;
  return last;
}

/* Trims blanks at the end. Returns false if no SVG ends there. */
static bool ends_as_svg(child *c)
{
  static const char end[] = "</svg>";
  char *text = c->said[OUT].at;
  size_t n = c->said[OUT].size;

  while (n > 0 && strchr(" \n\r", text[n - 1])) n--;
  if (n < strlen(end) || memcmp(text + n - strlen(end), end, strlen(end)) != 0)
    return false;
  text[n] = '\0';
  return true;
}

/* Writes the SVG with a title instead of gnuplot's name. */
static void write_svg(FILE *f, const child *c, const char *title)
{
  static const char gnuplots[] = "<title>Gnuplot</title>";
  const char *text = c->said[OUT].at, *at = strstr(text, gnuplots);

  if (at) {
    fwrite(text, 1, (size_t)(at - text), f);
    fputs("<title>", f);
    put_markup(f, title);
    fputs("</title>", f);
    text = at + strlen(gnuplots);
  }
  fprintf(f, "%s\n", text);
}

int gnuplot_draw(const char *script, size_t size, const char *title, FILE *out,
                 failure *why)
{
  child c = {.fd = {-1, -1, -1}, .script = script, .size = size};
  int st = start(&c, why);

  if (st == EXIT_OK) {
    const bool in_time = converse(&c);
    const int exited = wait_for(&c, in_time);

    const bool whole = draft_end(&c.said[OUT]), words = draft_end(&c.said[ERR]);

    if (!whole || !words)
      st = no_memory(why);
    else if (!in_time)
      st = fail(why, EXIT_LIMIT, "gnuplot: not done after 30 s");
    else if (exited != 0 || (title ? !ends_as_svg(&c) : c.said[OUT].size == 0))
      st = fail(why, EXIT_INTERNAL, "gnuplot: no figure: %.300s",
                last_words(c.said[ERR].at));
    else if (title)
      write_svg(out, &c, title);
    else
      fwrite(c.said[OUT].at, 1, c.said[OUT].size, out);
  }
  clear(&c);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
