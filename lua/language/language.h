/* language.h - systems and workloads from Lua files, and back into them; how
 * every room fails.  Knows nothing of the command line. */
#ifndef GPUSCALE_LANGUAGE_H
#define GPUSCALE_LANGUAGE_H

#include "gpuscale/all.h"

#include <stdio.h>

/* ---- failures ----------------------------------------------------------- */

/* Exit statuses, documented in README.md. */
enum {
  EXIT_OK = 0,
  EXIT_NO = 1,    /* a "no" answer, e.g. beyond --max-error */
  EXIT_USAGE = 2, /* wrong options or arguments */
  EXIT_DATA = 3,  /* a bad description, data file, or unmet need */
  EXIT_NUMERIC = 4,
  EXIT_IO = 5,    /* cannot read or write, full disk included */
  EXIT_LIMIT = 6, /* a description used too much time or memory */
  EXIT_INTERNAL = 70
};

/* The one way to fail: fill in *why and return its status. */
typedef struct failure {
  int status;
  char text[8192]; /* a line for each mistake, without the last line's end */
} failure;

int fail(failure *why, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Replaces codes that a terminal obeys by '?', and ends of lines unless
 * `lines`: text that users typed and files hold may be anything. */
void plain_text(char *text, bool lines);
/* The exit status that a library status stands for. */
int exit_of(gscale_status st);
/* fail() with exit_of(st) and the text of *diag. */
int fail_gscale(failure *why, gscale_status st, const gscale_diag *diag);

/* The name nearest to `word` by edit distance (at most a third of it wrong),
 * or NULL: for "did you mean". */
const char *nearest(const char *word, const char *const names[], size_t n);

/* "; did you mean 'NEAR'?", or `otherwise` if near is NULL. */
typedef char hint[288];
const char *hinted(hint text, const char *near, const char *otherwise);
/* "; did you mean 'h200x2', 'h200x4' or 'h200x8'?": the first of the names that
 * begin with the word, or else the nearest; `otherwise` if nothing is near. */
const char *suggested(hint text, const char *word, const char *const names[],
                      size_t n, const char *otherwise);

/* ---- settings: -P name=value -------------------------------------------- */

enum {
  SETTINGS_MAX = 64
};
typedef struct settings {
  const char *option; /* in messages; NULL: "-P" */
  size_t n;
  struct setting {
    char name[64];
    char value[128];
    bool used; /* somebody obeyed it; the rest is refused */
  } v[SETTINGS_MAX];
} settings;

int settings_add(settings *s, const char *name_equals_value, failure *why);
/* The value of that name, marked as used; NULL if it was not given. */
const char *settings_take(settings *s, const char *name);
/* What a setting's text says: "280 us", with a standard error "280 us +- 2 us"
 * or "280 us +- 1 %", which makes it measured; else it is derived and exact. */
gscale_status settings_number(const char *text, gscale_dim dim,
                              gscale_param *out, gscale_diag *diag);
/* yes, no; true, false, 1 and 0 as well. */
gscale_status settings_flag(const char *text, bool *out, gscale_diag *diag);
gscale_status settings_word(const char *text, const char *const words[],
                            size_t n, size_t *out, gscale_diag *diag);
/* One text for all settings that mean the same: "512" for 5.12e2, "1" for yes.
 */
const char *settings_plain(const char *text, char *plain, size_t size);
/* Whether two texts of settings mean the same: 512 and 5.12e2, yes and 1. */
bool settings_same(const char *a, const char *b);
/* "n=512;word=4", as given. */
enum {
  SETTINGS_TEXT = SETTINGS_MAX * sizeof(struct setting)
};
void print_settings(char *text, size_t size, const settings *s);
/* EXIT_USAGE naming the first setting nobody used. */
int settings_all_used(const settings *s, failure *why);
/* The same with names that may have been meant besides the parameters of
 * systems, and what is said where none is near. */
int settings_all_known(const settings *s, const char *const own[], size_t n,
                       const char *otherwise, failure *why);

/* ---- descriptions (describe.c, over the sandbox of binding.c) ----------- */

/* Limits of one description; exit 6 names the one that was hit. */
typedef struct limits {
  size_t memory; /* B */
  unsigned long instructions;
  double seconds;
} limits;
extern const limits default_limits; /* 64 MiB, 1e7, 2 s */

typedef enum kind {
  KIND_SYSTEM,
  KIND_WORKLOAD,
  KIND_VERB /* of a user: each_description() only */
} kind;

/* What `list` and `explain` show of a description. */
enum {
  KNOBS_MAX = 32
};
typedef struct about {
  char name[GSCALE_NAME_MAX];
  char summary[160];
  char path[512]; /* the file it came from */
  char rule[64];  /* by which it has grown, "n~N^(1/3)"; "": it has not */
  char size[64];  /* to which, "n=645" */
  size_t knobs;
  struct {
    char name[32];
    char value[64]; /* in force, as text */
    char doc[96];
    bool whole; /* takes whole numbers only */
  } knob[KNOBS_MAX];
} about;

/* Load a description by name (searched on ./, ./params or ./lua/workloads,
 * $GPUSCALE_PATH, the build tree, the installed share/gpuscale) or by file (an
 * argument with a '/' or ending in .lua).  Settings of its own knobs (workload)
 * or of system parameters by name (system, "link.rate=64GB/s", origin assumed)
 * are taken from *set.  *more may be NULL. */
int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why);
int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why);

/* load_workload() that keeps the file as it has run: its step() is called again
 * for other settings, or for other numbers of GPUs.  *kept is NULL after a
 * failure, and close_workload() frees it. */
typedef struct description description;
int open_workload(const char *what, settings *set, description **kept,
                  gscale_workload **out, about *more, failure *why);
/* The workload of these settings. */
int ask_workload(description *d, settings *set, gscale_workload **out,
                 about *more, failure *why);
void close_workload(description *d);

/* Asks again, if the workload says its own schedule or depends on the number of
 * GPUs, for these numbers of GPUs, as far as the system has room for them, and
 * for those that they are compared with.  *set is that of **w, which is for one
 * GPU only.  Others stay as they are. */
int load_schedules(const gscale_system *s, description *d, settings *set,
                   const int *gpus, size_t n, gscale_workload **w,
                   failure *why);

/* The workload as it has grown to n GPUs by the rule of its file (`weak`), with
 * its own schedule for these if it says one: weak scaling.  Fails if the file
 * has no rule, or if all schedules that were counted in *cost, 0 at first, are
 * too many. */
int load_grown(const gscale_system *s, description *d, settings *set, int n,
               size_t *cost, gscale_workload **out, about *more, failure *why);

/* Calls each(path, name, closure) for every *.lua of that kind on the search
 * path, sorted by name, the first of equal names only. */
int each_description(kind k,
                     int (*each)(const char *path, const char *name,
                                 void *closure, failure *why),
                     void *closure, failure *why);

/* Systems by name, from which others are projected. */
enum {
  MACHINES_NAMED = 8
};
typedef struct machine_names {
  size_t n;
  char name[MACHINES_NAMED][GSCALE_NAME_MAX];
} machine_names;

/* A system as its own file says it, without what it takes from others. */
int load_own(const char *what, gscale_system **out, failure *why);

/* gscale_project() with machines that load_own() has, by name or by file, and
 * tables of the search path; without hosts those of `from`. */
int project_system(gscale_system *s, const machine_names *from,
                   const machine_names *hosts, const char *device,
                   const bool *said,
                   int (*load)(const char *, gscale_system **, failure *),
                   failure *why);
/* params/devices.csv; data/projection.csv, NULL if there is none. */
int read_sheets(gscale_sheets **out, failure *why);
int read_trials(gscale_trials **out, failure *why);

/* Find `dir/name` below the roots of the search path (for plots/). */
int find_shared(const char *relative, char *path, size_t size, failure *why);

/* ---- what was read (digest.c, binding.c) -------------------------------- */

/* SHA-256 in hexadecimal digits: what `sha256sum` prints. */
typedef char sha256_text[65];
void sha256(const void *data, size_t size, sha256_text out);

/* Called, unless NULL, with each Lua file that is about to run. */
extern void (*on_source)(const char *path, const char *text, size_t size);

/* ---- descriptions written (write.c) ------------------------------------- */

/* Writes a system as a description that reads back as the same numbers: spec,
 * sizes and shape as the same bits, what has an error within 5e-6 of itself.
 * calibrated: as gscale_system_set_shape(). */
void put_system(FILE *f, const gscale_system *s, const char *name,
                const char *summary, int calibrated);
/* Writes a workload as a description that reads back as the same numbers, with
 * their origins (write_workload.c).  What its knobs would change is lost: an
 * uncertain one counts as exact. */
void put_workload(FILE *f, const gscale_workload *w, const char *name,
                  const char *summary);
/* What the model is off by as CSV, without a head (residuals.c), with the
 * errors of its numbers and what they are from; what loads it is
 * read_residuals(). */
void put_residuals(FILE *f, const gscale_residuals *r,
                   const gscale_residuals *err, const char *from);
int read_residuals(const char *path, gscale_system *s, failure *why);

#endif /* GPUSCALE_LANGUAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
