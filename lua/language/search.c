/* search.c - the search path of descriptions and shared files. */

#define _GNU_SOURCE /* dladdr() */

#include "language/binding.h"
#include "language/language.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- roots --------------------------------------------------------------- */

enum {
  ROOTS_MAX = 32,
  PATH_SIZE = sizeof((about *)0)->path
};

typedef struct roots {
  size_t n;
  char path[ROOTS_MAX][PATH_SIZE];
} roots;

static bool exists(const char *path)
{
  struct stat st;

  return stat(path, &st) == 0;
}

/* Joins two parts of a path. Returns false if the result does not fit. The root
 * "." is omitted, so that a file has the name that the user would type. */
static bool join(char *path, size_t size, const char *root, const char *rest)
{
  const int n = strcmp(root, ".") == 0
                    ? snprintf(path, size, "%s", rest)
                    : snprintf(path, size, "%s/%s", root, rest);

  return n >= 0 && (size_t)n < size;
}

static void add_root(roots *r, const char *path, size_t length)
{
  if (length == 0 || length >= PATH_SIZE || r->n == ROOTS_MAX) return;
  memcpy(r->path[r->n], path, length);
  r->path[r->n][length] = '\0';
  r->n++;
}

/* Adds the directories of $GPUSCALE_PATH, which are separated by colons. */
static void add_listed(roots *r, const char *list)
{
  while (list && *list) {
    const size_t length = strcspn(list, ":");

    add_root(r, list, length);
    list += length + (list[length] == ':');
  }
}

/* Adds the roots around a program. In the build tree, a program is at most
 * three directories below the root (build/asan/tests/t_x). An installed program
 * or library has ../share/gpuscale, or ../../share/gpuscale if the system has
 * several architectures. */
static void add_around(roots *r, char *path)
{
  char below[PATH_SIZE];
  char *slash;

  for (int up = 0; up < 4 && (slash = strrchr(path, '/')); up++) {
    *slash = '\0';
    if (join(below, sizeof below, path, "params") && exists(below))
      add_root(r, path, strlen(path));
    if (up > 0 && join(below, sizeof below, path, "share/gpuscale") &&
        exists(below))
      add_root(r, below, strlen(below));
  }
}

static void add_around_program(roots *r)
{
  char path[PATH_SIZE];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path);

  if (n <= 0 || (size_t)n >= sizeof path) return;
  path[n] = '\0';
  add_around(r, path);
}

/* Adds the roots around the shared library with this code, if there is one. */
static void add_around_library(roots *r)
{
  static const char here = 0;
  char path[PATH_MAX];
  Dl_info of;

  if (!dladdr(&here, &of) || !of.dli_fname || !strstr(of.dli_fname, ".so") ||
      !realpath(of.dli_fname, path) || strlen(path) >= PATH_SIZE)
    return;
  add_around(r, path);
}

/* Adds the XDG base directories of shared data. */
static void add_shared(roots *r)
{
  const char *list = getenv("XDG_DATA_DIRS");

  if (!list || !*list) list = "/usr/local/share:/usr/share";
  while (*list) {
    const size_t length = strcspn(list, ":");
    char below[PATH_SIZE];
    const int n =
        snprintf(below, sizeof below, "%.*s/gpuscale", (int)length, list);

    if (length > 0 && n > 0 && (size_t)n < sizeof below && exists(below))
      add_root(r, below, strlen(below));
    list += length + (list[length] == ':');
  }
}

/* Collects the roots. If no root is around the program or the library, the
 * shared directories of the system are used. */
static void find_roots(roots *r)
{
  size_t said;

  r->n = 0;
  add_root(r, ".", 1);
  add_listed(r, getenv("GPUSCALE_PATH"));
  said = r->n;
  add_around_program(r);
  add_around_library(r);
  if (r->n == said) add_shared(r);
}

int find_shared(const char *relative, char *path, size_t size, failure *why)
{
  roots r;

  find_roots(&r);
  for (size_t i = 0; i < r.n; i++)
    if (join(path, size, r.path[i], relative) && exists(path)) return EXIT_OK;
  return fail(why, EXIT_IO, "%s: not found on the search path", relative);
}

/* ---- all descriptions ---------------------------------------------------- */

static const char *const directory[] = {[KIND_SYSTEM] = "params",
                                        [KIND_WORKLOAD] = "lua/workloads",
                                        [KIND_VERB] = "verbs"};
static const char *const noun[] = {
    [KIND_SYSTEM] = "system", [KIND_WORKLOAD] = "workload"};

typedef struct entry {
  char name[NAME_MAX + 1];
  char path[PATH_SIZE];
  size_t order; /* the first root has priority */
} entry;

typedef struct entries {
  entry *v;
  size_t n, room;
} entries;

static bool entries_add(entries *e, const char *dir, const char *file,
                        size_t order)
{
  entry *v = gscale_reserve(e->v, &e->room, e->n + 1, sizeof *v);

  if (!v) return false;
  e->v = v;
  v += e->n;
  v->order = order;
  snprintf(v->name, sizeof v->name, "%.*s", (int)(strlen(file) - 4), file);
  if (join(v->path, sizeof v->path, dir, file)) e->n++;
  return true;
}

static bool is_lua(const char *file)
{
  const size_t n = strlen(file);

  return n > 4 && file[0] != '.' && strcmp(file + n - 4, ".lua") == 0;
}

static bool scan(entries *e, const char *dir, size_t order)
{
  DIR *d = opendir(dir);
  struct dirent *f;
  bool ok = true;

  if (!d) return true; /* the directory is optional */
  while (ok && (f = readdir(d)))
    if (is_lua(f->d_name)) ok = entries_add(e, dir, f->d_name, order);
  closedir(d);
  return ok;
}

static int by_name(const void *a, const void *b)
{
  const entry *l = a, *r = b;
  const int c = strcmp(l->name, r->name);

  if (c != 0) return c;
  return l->order < r->order ? -1 : l->order > r->order;
}

static int collect(kind k, entries *e, failure *why)
{
  char dir[PATH_SIZE];
  roots r;
  bool ok = true;

  find_roots(&r);
  for (size_t i = 0; ok && i < r.n; i++)
    if (join(dir, sizeof dir, r.path[i], directory[k])) ok = scan(e, dir, i);
  if (!ok) return fail(why, EXIT_INTERNAL, "no memory for the list of names");
  if (e->n) qsort(e->v, e->n, sizeof *e->v, by_name);
  return EXIT_OK;
}

int each_description(kind k,
                     int (*each)(const char *path, const char *name,
                                 void *closure, failure *why),
                     void *closure, failure *why)
{
  entries e = {0};
  int st = collect(k, &e, why);

  for (size_t i = 0; st == EXIT_OK && i < e.n; i++)
    if (i == 0 || strcmp(e.v[i].name, e.v[i - 1].name) != 0)
      st = each(e.v[i].path, e.v[i].name, closure, why);
  free(e.v);
  return st;
}

/* ---- one description ----------------------------------------------------- */

/* Fails with "no system 'h200'", for example, and suggests similar names. */
static int fail_unlike(kind k, const char *what, const char *const *names,
                       size_t n, failure *why)
{
  char see[64];
  hint text;

  snprintf(see, sizeof see, "; see `gpuscale list %ss`", noun[k]);
  return fail(why, EXIT_DATA, "no %s '%.200s'%s", noun[k], what,
              suggested(text, what, names, n, see));
}

static int fail_unknown(kind k, const char *what, failure *why)
{
  entries e = {0};
  const char **names = NULL;
  int st = collect(k, &e, why);

  if (st == EXIT_OK && !(names = malloc((e.n + 1) * sizeof *names)))
    st = fail(why, EXIT_INTERNAL, "no memory for the list of names");
  for (size_t i = 0; st == EXIT_OK && i < e.n; i++) names[i] = e.v[i].name;
  if (st == EXIT_OK) st = fail_unlike(k, what, names, e.n, why);
  free(names);
  free(e.v);
  return st;
}

bool is_file(const char *what)
{
  const size_t n = strlen(what);

  return strchr(what, '/') || (n >= 4 && strcmp(what + n - 4, ".lua") == 0);
}

int find_description(kind k, const char *what, char *path, size_t size,
                     failure *why)
{
  char rest[PATH_SIZE];
  roots r;

  if (is_file(what)) {
    if (strlen(what) >= size)
      return fail(why, EXIT_IO, "%.60s...: the path is too long", what);
    memcpy(path, what, strlen(what) + 1);
    return EXIT_OK;
  }

  find_roots(&r);
  for (size_t i = 0; *what && i < r.n; i++) {
    snprintf(rest, sizeof rest, "%s/%s.lua", directory[k], what);
    if (join(path, size, r.path[i], rest) && exists(path)) return EXIT_OK;
    if (i > 0) continue;
    snprintf(rest, sizeof rest, "%s.lua", what); /* in the current directory */
    if (join(path, size, r.path[i], rest) && exists(path)) return EXIT_OK;
  }
  return fail_unknown(k, what, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
