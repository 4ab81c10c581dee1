/* jobs.c - runs independent pieces of work in several processes.
 *
 * Process k of n computes piece k and every n-th piece after k. The results go
 * in order through the process's own pipe, so that the parent knows where to
 * read the next piece. A process waits while its pipe is full. Processes are
 * used instead of threads, because code that reads descriptions has static
 * state. */

#define _GNU_SOURCE /* sched_getaffinity(), F_SETPIPE_SZ */

#include "common/jobs.h"
#include "common/membuf.h"
#include "common/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  JOBS_MAX = 1024,
  PIPE_SIZE = 1 << 20 /* B, if the system permits */
};

size_t jobs_count(const options *o, size_t most)
{
  size_t n = (size_t)o->jobs;
  cpu_set_t may;

  if (n == 0)
    n = sched_getaffinity(0, sizeof may, &may) == 0 ? (size_t)CPU_COUNT(&may)
                                                    : 1;
  if (n > JOBS_MAX) n = JOBS_MAX;
  if (n > most) n = most;
  return n > 0 ? n : 1;
}

bool passage_take(passage *p, void *to, size_t size)
{
  const bool there = size <= p->left;

  if (there)
    memcpy(to, p->at, size);
  else
    memset(to, 0, size);
  p->at += there ? size : p->left;
  p->left -= there ? size : p->left;
  return there;
}

/* ---- a piece ------------------------------------------------------------- */

/* A piece begins with its status, the size of its output or failure message,
 * the size of its stderr, and the number of files that it read. */
typedef struct head {
  int status;
  size_t words, said, files;
} head;

static int answer(const jobs *j, size_t piece, draft *d, failure *why)
{
  int st;

  if (!draft_open(d)) return no_memory(why);
  st = j->each(piece, d->f, j->closure, why);
  if (!draft_end(d) && st == EXIT_OK) st = no_memory(why);
  if (!made_is_whole() && st == EXIT_OK) st = no_memory(why);
  return st;
}

static int run_here(const jobs *j, failure *why)
{
  draft d = {0};
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < j->pieces; i++) {
    st = answer(j, i, &d, why);
    if (st == EXIT_OK) st = j->take(i, d.at, d.size, j->closure, why);
    draft_free(&d);
  }
  return st;
}

/* ---- worker process ----------------------------------------------------- */

/* Redirects stderr to a nameless file. If that fails, the result is -1. */
static int catch_stderr(void)
{
  FILE *f = tmpfile();

  if (!f || dup2(fileno(f), STDERR_FILENO) < 0) return -1;
  return fileno(f);
}

/* Returns the text caught from stderr since the last call, or NULL. */
static char *take_said(int fd, size_t *size)
{
  struct stat s;
  char *text = NULL;

  *size = 0;
  if (fd < 0 || fstat(fd, &s) != 0 || s.st_size == 0) return NULL;
  text = malloc((size_t)s.st_size);
  if (text && pread(fd, text, (size_t)s.st_size, 0) == s.st_size)
    *size = (size_t)s.st_size;
  if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) *size = 0;
  return text;
}

static bool send_files(int fd, size_t from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!write_all(fd, made_file_at(from + i), sizeof(made_file))) return false;
  return true;
}

static size_t count_files(void)
{
  size_t n = 0;

  while (made_file_at(n)) n++;
  return n;
}

/* Computes all pieces of one process and never returns. */
static _Noreturn void work(const jobs *j, size_t first, size_t step, int fd)
{
  static failure why; /* large */
  const int caught = catch_stderr();
  notes_all = true; /* the parent counts them */
  size_t files = count_files();
  draft d = {0};
  head h = {.status = EXIT_OK};
  bool read = true; /* read by the other process */

  for (size_t i = first; read && h.status == EXIT_OK && i < j->pieces;
       i += step) {
    h.status = answer(j, i, &d, &why);
    const bool good = h.status == EXIT_OK;
    char *said = take_said(caught, &h.said);
    h.words = good ? d.size : strlen(why.text);
    h.files = count_files() - files;
    read = write_all(fd, &h, sizeof h) &&
           write_all(fd, good ? d.at : why.text, h.words) &&
           write_all(fd, said, h.said) && send_files(fd, files, h.files);
    files += h.files;
    free(said);
    draft_free(&d);
  }
  _exit(0);
}

/* ---- all processes ------------------------------------------------------ */

typedef struct process {
  pid_t id;
  int fd; /* end for reading */
} process;

static void become_job(const jobs *j, const process *all, size_t k, size_t n,
                       pid_t parent, int fd)
{
  for (size_t i = 0; i < k; i++) close(all[i].fd);
  temporary_disown();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0); /* the parent has exited */
  work(j, k, n, fd);
}

/* Starts process k of n, or returns false if it cannot be created. */
static bool start(const jobs *j, process *all, size_t k, size_t n)
{
  const pid_t parent = getpid();
  int ends[2];

  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  fcntl(ends[1], F_SETPIPE_SZ, (int)PIPE_SIZE);
  all[k] = (process){.fd = ends[0]};
  all[k].id = fork();
  if (all[k].id == 0) {
    close(ends[0]);
    become_job(j, all, k, n, parent, ends[1]);
  }
  close(ends[1]);
  if (all[k].id > 0) return true;
  close(ends[0]);
  return false;
}

/* Kills the processes whose remaining results are not needed. */
static void stop(process *all, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    kill(all[k].id, SIGKILL);
    close(all[k].fd);
  }
  for (size_t k = 0; k < n; k++)
    while (waitpid(all[k].id, NULL, 0) < 0 && errno == EINTR) continue;
}

static bool read_all(int fd, void *to, size_t size)
{
  char *at = to;

  while (size > 0) {
    const ssize_t n = read(fd, at, size);

    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

static int fail_lost(failure *why)
{
  return fail(why, EXIT_INTERNAL,
              "a process of --jobs ended before its work was done");
}

/* Reads the output, the status and the files of a piece. */
static int take_piece(const jobs *j, size_t piece, process *p, draft *d,
                      failure *why)
{
  const int fd = p->fd;
  head h;

  if (!read_all(fd, &h, sizeof h)) return fail_lost(why);
  const size_t size = h.words + h.said;
  d->size = 0;
  char *at = gscale_reserve(d->at, &d->room, size + 1, 1);
  if (!at) return no_memory(why);
  d->at = at;
  if (!read_all(fd, d->at, size)) return fail_lost(why);
  d->at[size] = '\0';
  if (h.said > 0) progress_end();
  print_said(d->at + h.words);
  d->at[h.words] = '\0';
  for (size_t i = 0; i < h.files; i++) {
    made_file file;

    if (!read_all(fd, &file, sizeof file)) return fail_lost(why);
    made_note(&file);
  }
  if (h.status == EXIT_OK)
    return j->take(piece, d->at, h.words, j->closure, why);
  why->status = h.status;
  memcpy(why->text, d->at, h.words + 1);
  return why->status;
}

/* Runs the pieces in n processes, or returns false if none can be created. */
static bool run_apart(const jobs *j, process *all, size_t n, int *st,
                      failure *why)
{
  draft d = {0};
  size_t begun = 0;

  fflush(stderr);
  while (begun < n && start(j, all, begun, n)) begun++;
  for (size_t i = 0; begun == n && *st == EXIT_OK && i < j->pieces; i++)
    *st = take_piece(j, i, &all[i % n], &d, why);
  stop(all, begun);
  draft_free(&d);
  return begun == n;
}

int jobs_run(const jobs *j, size_t n, failure *why)
{
  if (n > j->pieces) n = j->pieces;

  process *all = n > 1 ? malloc(n * sizeof *all) : NULL;
  int st = EXIT_OK;
  const bool ran = all && run_apart(j, all, n, &st, why);

  free(all);
  return ran ? st : run_here(j, why);
}

/* ---- fixed-size results ------------------------------------------------- */

static int write_result(size_t i, FILE *f, void *closure, failure *why)
{
  const filling *of = closure;
  const int st = of->answer(i, of->closure, why);

  if (st == EXIT_OK) fwrite((char *)of->to + i * of->size, of->size, 1, f);
  return st;
}

static int read_result(size_t i, const char *text, size_t size, void *closure,
                       failure *why)
{
  const filling *of = closure;
  passage p = {text, size};

  (void)why;
  passage_take(&p, (char *)of->to + i * of->size, of->size);
  progress(of->what, i + 1, of->n);
  return EXIT_OK;
}

int jobs_fill(const filling *f, size_t n, failure *why)
{
  filling of = *f;
  const jobs j = {f->n, write_result, read_result, &of};
  const int st = jobs_run(&j, n, why);

  progress_end();
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
