/* language.h - systems and workloads read from and written to Lua files, and
 * the failures of all rooms. It does not depend on the command line. */
#ifndef GPUSCALE_LANGUAGE_H
#define GPUSCALE_LANGUAGE_H

#include "gpuscale/all.h"

#include <stdio.h>

/* ---- failures ------------------------------------------------------------ */

/* These exit statuses are documented in README.md. */
enum {
  EXIT_OK = 0,
  EXIT_NO = 1,    /* "no", e.g. --max-error */
  EXIT_USAGE = 2, /* options or arguments */
  EXIT_DATA = 3,  /* description, data, need */
  EXIT_NUMERIC = 4,
  EXIT_IO = 5,    /* read, write, disk full */
  EXIT_LIMIT = 6, /* time or memory */
  EXIT_INTERNAL = 70
};

/* Every function fails by filling in *why and returning its status. */
typedef struct failure {
  int status;
  char text[8192]; /* a line per mistake */
} failure;

int fail(failure *why, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Reads a character of UTF-8 and returns its bytes, or its first byte and 1 if
 * it is not UTF-8. */
size_t character_at(const char *text, uint32_t *code);
/* Replaces control codes of terminals by '?', and ends of lines unless `lines`.
 * Texts of users and files may contain any byte. */
void plain_text(char *text, bool lines);
/* Returns the exit status of a library status. */
int exit_of(gscale_status st);
/* Calls fail() with exit_of(st) and the text of *diag. */
int fail_gscale(failure *why, gscale_status st, const gscale_diag *diag);

/* Returns the nearest name by edit distance for "did you mean", or NULL if more
 * than a third differs. */
const char *nearest(const char *word, const char *const names[], size_t n);

/* Returns the hint that `near` was meant, or `otherwise` if it is NULL. */
typedef char hint[288];
const char *hinted(hint text, const char *near, const char *otherwise);
/* Returns the hint that one of the first names that begin with the word was
 * meant, or else the nearest name. Without one the result is `otherwise`. */
const char *suggested(hint text, const char *word, const char *const names[],
                      size_t n, const char *otherwise);

/* ---- settings ------------------------------------------------------------ */

enum {
  SETTINGS_MAX = 64
};
typedef struct settings {
  const char *option; /* in messages, default "-P" */
  size_t n;
  struct setting {
    char name[64];
    char value[128];
    bool used; /* unused ones are refused */
  } v[SETTINGS_MAX];
} settings;

int settings_add(settings *s, const char *name_equals_value, failure *why);
/* Returns a setting's value and marks it as used, or NULL if it was not
 * given. */
const char *settings_take(settings *s, const char *name);
/* Reads "280 us". With a standard error, "280 us +- 2 us" or "280 us +- 1 %",
 * the number is measured. Otherwise it is derived and exact. */
gscale_status settings_number(const char *text, gscale_dim dim,
                              gscale_param *out, gscale_diag *diag);
/* Reads yes, no, true, false, 1 and 0. */
gscale_status settings_flag(const char *text, bool *out, gscale_diag *diag);
gscale_status settings_word(const char *text, const char *const words[],
                            size_t n, size_t *out, gscale_diag *diag);
/* Normalizes a setting: "512" for 5.12e2, "1" for yes. */
const char *settings_plain(const char *text, char *plain, size_t size);
/* Returns whether two settings are equal, as are 512 and 5.12e2, or yes and
 * 1. */
bool settings_same(const char *a, const char *b);
/* The text is "n=512;word=4", as given. */
enum {
  SETTINGS_TEXT = SETTINGS_MAX * sizeof(struct setting)
};
void print_settings(char *text, size_t size, const settings *s);
/* Fails with EXIT_USAGE if a setting was not used. */
int settings_all_used(const settings *s, failure *why);
/* Fails with EXIT_USAGE if a setting was not used and suggests near names, also
 * those in `own`. `otherwise` is the hint without a near name. */
int settings_all_known(const settings *s, const char *const own[], size_t n,
                       const char *otherwise, failure *why);

/* ---- descriptions -------------------------------------------------------- */

/* The limits hold for one description. Exit status 6 names the exceeded one. */
typedef struct limits {
  size_t memory; /* B */
  unsigned long instructions;
  double seconds;
} limits;
extern const limits default_limits; /* 64 MiB, 1e7, 2 s */

typedef enum kind {
  KIND_SYSTEM,
  KIND_WORKLOAD,
  KIND_VERB /* each_description() only */
} kind;

/* `list` and `explain` show this about a description. */
enum {
  KNOBS_MAX = 32
};
typedef struct about {
  char name[GSCALE_NAME_MAX];
  char summary[160];
  char path[512]; /* of its file */
  char rule[64];  /* weak scaling's rule */
  char size[64];  /* weak scaling's size */
  size_t knobs;
  struct {
    char name[32];
    char value[64]; /* current, as text */
    char doc[96];
    bool whole; /* whole numbers only */
  } knob[KNOBS_MAX];
} about;

/* These load a description by name (searched on ./, ./params or
 * ./lua/workloads, $GPUSCALE_PATH, the build tree, the installed
 * share/gpuscale) or by file (an argument with a '/' or ending in .lua). They
 * take settings of a workload's knobs, or of system parameters
 * ("link.rate=64GB/s", origin assumed), from *set. *more may be NULL. */
int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why);
int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why);

/* Loads a workload and keeps its sandbox, so that step() can be called again
 * for other settings or numbers of GPUs. *kept is NULL after a failure, and
 * close_workload() frees it. */
typedef struct description description;
int open_workload(const char *what, settings *set, description **kept,
                  gscale_workload **out, about *more, failure *why);
/* Builds the workload for other settings. */
int ask_workload(description *d, settings *set, gscale_workload **out,
                 about *more, failure *why);
void close_workload(description *d);

/* Builds a workload again that has its own schedule or depends on N. It is
 * built for these numbers of GPUs and their baselines, as far as the system has
 * room. *set is that of **w, which is for one GPU. Other workloads stay. */
int load_schedules(const gscale_system *s, description *d, settings *set,
                   const int *gpus, size_t n, gscale_workload **w,
                   failure *why);

/* Builds the workload grown to n GPUs by the rule of its file (`weak`), with
 * its own schedule if it has one. It fails without a rule, or if the schedules
 * counted in *cost, initially 0, exceed the limit. */
int load_grown(const gscale_system *s, description *d, settings *set, int n,
               size_t *cost, gscale_workload **out, about *more, failure *why);

/* Calls each(path, name, closure) for every *.lua of a kind on the search path,
 * sorted by name. The first of equal names counts. */
int each_description(kind k,
                     int (*each)(const char *path, const char *name,
                                 void *closure, failure *why),
                     void *closure, failure *why);

/* Other systems are projected from these systems. */
enum {
  MACHINES_NAMED = 8
};
typedef struct machine_names {
  size_t n;
  char name[MACHINES_NAMED][GSCALE_NAME_MAX];
} machine_names;

/* Loads a system from its file only, without numbers of other systems. */
int load_own(const char *what, gscale_system **out, failure *why);

/* Calls gscale_project() with machines that load_own() loads and tables of the
 * search path. Without hosts those of `from` serve. */
int project_system(gscale_system *s, const machine_names *from,
                   const machine_names *hosts, const char *device,
                   const bool *said,
                   int (*load)(const char *, gscale_system **, failure *),
                   failure *why);
/* These read params/devices.csv and data/projection.csv. The second file may be
 * missing (NULL). */
int read_sheets(gscale_sheets **out, failure *why);
int read_trials(gscale_trials **out, failure *why);

/* Finds `dir/name` below the roots of the search path, for plots/. */
int find_shared(const char *relative, char *path, size_t size, failure *why);

/* ---- sources ------------------------------------------------------------- */

/* The text is a SHA-256 in hexadecimal, as `sha256sum` prints it. */
typedef char sha256_text[65];
void sha256(const void *data, size_t size, sha256_text out);

enum {
  SOURCE_MAX = 1 << 20 /* B, of a Lua file */
};
/* Reads a regular file without NUL bytes into `text`, which has room for
 * SOURCE_MAX + 1 B (source_file.c). */
int source_read(const char *path, char *text, size_t *size, failure *why);
/* This hook is called with each Lua file before the file runs. */
extern void (*on_source)(const char *path, const char *text, size_t size);

/* ---- write.c ------------------------------------------------------------- */

/* Writes a system as a description that reads back as the same numbers.
 * Specifications, sizes and shape are bit-identical. Numbers with an error
 * agree within a relative 5e-6. `calibrated` is that of
 * gscale_system_set_shape(). */
void put_system(FILE *f, const gscale_system *s, const char *name,
                const char *summary, int calibrated);
/* Writes residuals as CSV without a head (residuals.c), with their errors and
 * source. read_residuals() reads it. */
void put_residuals(FILE *f, const gscale_residuals *r,
                   const gscale_residuals *err, const char *from);
int read_residuals(const char *path, gscale_system *s, failure *why);

#endif /* GPUSCALE_LANGUAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
