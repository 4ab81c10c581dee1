/* language.h - reads systems and workloads from Lua files, writes systems, and
 * declares the failures of all directories. Nothing here depends on the command
 * line. */
#ifndef GPUSCALE_LANGUAGE_H
#define GPUSCALE_LANGUAGE_H

#include "gpuscale/all.h"

#include <stdio.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define PLURAL(n)     ((n) == 1 ? "" : "s")

/* ---- failures ------------------------------------------------------------ */

/* The exit statuses that README.md documents. */
enum {
  EXIT_OK = 0,
  EXIT_NO = 1,    /* "no", such as for --max-error */
  EXIT_USAGE = 2, /* invalid options or arguments */
  EXIT_DATA = 3,  /* invalid description or data, or need */
  EXIT_NUMERIC = 4,
  EXIT_IO = 5,    /* cannot read or write, disk full */
  EXIT_LIMIT = 6, /* limit of time or memory */
  EXIT_INTERNAL = 70
};

/* Every function that fails fills in *why and returns why->status. */
typedef struct failure {
  int status;
  char text[8192]; /* one mistake per line */
} failure;

int fail(failure *why, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Reads a UTF-8 character and returns its number of bytes. If the text is not
 * UTF-8, the character is the first byte, and the result is 1. */
size_t character_at(const char *text, uint32_t *code);
/* Replaces the control codes of terminals by '?'. If `lines` is false, ends of
 * lines are replaced too. Texts of users and files may contain any byte. */
void plain_text(char *text, bool lines);
/* Returns the exit status for a library status. */
int exit_of(gscale_status st);
/* Calls fail() with exit_of(st) and the text of *diag. */
int fail_gscale(failure *why, gscale_status st, const gscale_diag *diag);
/* Returns EXIT_OK for GSCALE_OK, and otherwise fail_gscale(). */
int check_gscale(failure *why, gscale_status st, const gscale_diag *diag);

/* Returns the name with the smallest edit distance for "did you mean", or NULL
 * if more than a third of its letters differ. */
const char *nearest(const char *word, const char *const names[], size_t n);

/* Returns the hint that `near` was meant, or `otherwise` if `near` is NULL. */
typedef char hint[288];
const char *hinted(hint text, const char *near, const char *otherwise);
/* Returns the hint that one of the first names that begin with the word was
 * meant. If no name begins with the word, the hint is the nearest name, or else
 * the first names that contain the word, or else `otherwise`. */
const char *suggested(hint text, const char *word, const char *const names[],
                      size_t n, const char *otherwise);

/* ---- settings ------------------------------------------------------------ */

enum {
  SETTINGS_MAX = 64
};
typedef struct settings {
  const char *option; /* in messages, by default "-P" */
  size_t n;
  struct setting {
    char name[64];
    char value[128];
    bool used; /* unused settings are refused */
  } v[SETTINGS_MAX];
} settings;

/* Returns the setting with a name, or NULL. */
const struct setting *settings_find(const settings *s, const char *name);
int settings_add(settings *s, const char *name_equals_value, failure *why);
/* Returns the value of a setting and marks the setting as used. Returns NULL if
 * the setting was not given. */
const char *settings_take(settings *s, const char *name);
/* Reads a number such as "280 us". With a standard error, as in "280 us +- 2
 * us" or "280 us +- 1 %", the number is measured. Without a standard error, the
 * number is derived and exact. */
gscale_status settings_number(const char *text, gscale_dim dim,
                              gscale_param *out, gscale_diag *diag);
/* Reads yes, no, true, false, 1 and 0. */
gscale_status settings_flag(const char *text, bool *out, gscale_diag *diag);
gscale_status settings_word(const char *text, const char *const words[],
                            size_t n, size_t *out, gscale_diag *diag);
/* Normalizes a setting: 5.12e2 becomes "512", and yes becomes "1". */
const char *settings_plain(const char *text, char *plain, size_t size);
/* Returns whether two settings are equal. For example, 512 equals 5.12e2. */
bool settings_same(const char *a, const char *b);
/* Prints all settings as they were given, such as "n=512;word=4". */
enum {
  SETTINGS_TEXT = SETTINGS_MAX * sizeof(struct setting)
};
void print_settings(char *text, size_t size, const settings *s);
/* Fails with EXIT_USAGE if a setting was not used. */
int settings_all_used(const settings *s, failure *why);
/* Fails with EXIT_USAGE if a setting was not used, and suggests near names,
 * including the names in `own`. If no name is near, the hint is `otherwise`. */
int settings_all_known(const settings *s, const char *const own[], size_t n,
                       const char *otherwise, failure *why);

/* ---- descriptions -------------------------------------------------------- */

/* The limits hold for one description. EXIT_LIMIT reports an exceeded limit. */
typedef struct limits {
  size_t memory; /* B */
  unsigned long instructions;
  double seconds;
} limits;
extern const limits default_limits; /* 64 MiB, 1e7, 2 s */

typedef enum kind {
  KIND_SYSTEM,
  KIND_WORKLOAD,
  KIND_VERB /* for each_description() only */
} kind;

/* The facts about a description that `list` and `explain` show. */
enum {
  KNOBS_MAX = 32
};
typedef struct about {
  char name[GSCALE_NAME_MAX];
  char summary[160];
  char path[512];   /* path of the description's file */
  char rule[64];    /* rule of weak scaling */
  char size[64];    /* size under weak scaling */
  double memory[2]; /* B of a GPU without activations, and all; 0: unknown */
  size_t knobs;
  struct {
    char name[32];
    char value[64]; /* current value as text */
    char doc[96];
    bool whole; /* only whole numbers are valid */
  } knob[KNOBS_MAX];
} about;

/* load_system() and load_workload() load a description by name or by file. A
 * file is an argument that contains a '/' or ends in.lua. A name is searched
 * on./,./params or ./lua/workloads, $GPUSCALE_PATH, the build tree and the
 * installed share/gpuscale. *set may set a workload's knobs, or system
 * parameters such as "link.rate=64GB/s", whose origin is then assumed. `more`
 * may be NULL. */
int load_system(const char *what, settings *set, gscale_system **out,
                about *more, failure *why);
int load_workload(const char *what, settings *set, gscale_workload **out,
                  about *more, failure *why);

/* Loads a workload and keeps its sandbox, so that step() can be called again
 * for other settings or numbers of GPUs. *kept is NULL after a failure.
 * close_workload() frees *kept. */
typedef struct description description;
int open_workload(const char *what, settings *set, description **kept,
                  gscale_workload **out, about *more, failure *why);
/* Builds the workload of an open description for other settings. */
int ask_workload(description *d, settings *set, gscale_workload **out,
                 about *more, failure *why);
void close_workload(description *d);

/* Builds a workload again if it has its own schedule or depends on N. The
 * workload is built for the given numbers of GPUs and their baselines, as far
 * as the system has room. *set has the settings of **w, which is built for one
 * GPU. If the workload does not depend on N, it remains unchanged. */
int load_schedules(const gscale_system *s, description *d, settings *set,
                   const int *gpus, size_t n, gscale_workload **w,
                   failure *why);

/* Builds a workload that is grown to n GPUs by the rule `weak` of its file,
 * including its schedule. Fails if the file has no rule, or if the schedules
 * counted in *cost, which is initially 0, exceed the limit. */
int load_grown(const gscale_system *s, description *d, settings *set, int n,
               size_t *cost, gscale_workload **out, about *more, failure *why);

/* Calls each(path, name, closure) for every *.lua file of a kind on the search
 * path, in order of names. Only the first file of a name is used. */
int each_description(kind k,
                     int (*each)(const char *path, const char *name,
                                 void *closure, failure *why),
                     void *closure, failure *why);

/* The names of systems from which a system is projected. */
enum {
  MACHINES_NAMED = 8
};
typedef struct machine_names {
  size_t n;
  char name[MACHINES_NAMED][GSCALE_NAME_MAX];
} machine_names;

/* Loads a system from its file only, without numbers of other systems. */
int load_own(const char *what, gscale_system **out, failure *why);

/* Calls gscale_project() with systems that load_own() loads, and with tables of
 * the search path. By default the hosts are the systems of `from`.
 * `beside` is the path of the new system's file. */
int project_system(gscale_system *s, const machine_names *from,
                   const machine_names *hosts, const char *device,
                   const char *beside, const bool *said,
                   int (*load)(const char *, gscale_system **, failure *),
                   failure *why);
/* Finds a device's data sheet in devices.csv beside a description, or else in
 * params/devices.csv. The caller frees *out, which begins as zeros. */
typedef struct device_sheets {
  gscale_sheets *shared, *own; /* `own` may be NULL */
  const gscale_sheet *device;
} device_sheets;
int find_sheet(const char *device, const char *beside, device_sheets *out,
               failure *why);
void free_sheets(device_sheets *s);
/* read_sheets() reads params/devices.csv. read_trials() reads
 * data/projection.csv, or returns *out = NULL if the file is missing. */
int read_sheets(gscale_sheets **out, failure *why);
int read_trials(gscale_trials **out, failure *why);

/* Finds a shared file, such as one of plots/, on the search path. */
int find_shared(const char *relative, char *path, size_t size, failure *why);

/* ---- sources ------------------------------------------------------------- */

/* The text is a SHA-256 in hexadecimal, as `sha256sum` prints it. */
typedef char sha256_text[65];
void sha256(const void *data, size_t size, sha256_text out);

enum {
  SOURCE_MAX = 1 << 20 /* largest Lua file in B */
};
/* Reads a regular file without NUL bytes into `text`, which has room for
 * SOURCE_MAX + 1 B (source_file.c). */
int source_read(const char *path, char *text, size_t *size, failure *why);
/* A hook that is called with each Lua file before the file runs. */
extern void (*on_source)(const char *path, const char *text, size_t size);

/* ---- write.c ------------------------------------------------------------- */

/* Writes a system as a description, which defines the same numbers if it is
 * read again. Specifications, sizes and shape are bit-identical. Numbers with
 * an error agree within a relative 5e-6. `calibrated` is defined by
 * gscale_system_set_shape(). */
void put_system(FILE *f, const gscale_system *s, const char *name,
                const char *summary, int calibrated);
/* Writes residuals with errors and source as CSV rows without a header
 * (residuals.c). */
void put_residuals(FILE *f, const gscale_residuals *r,
                   const gscale_residuals *err, const char *from);

#endif /* GPUSCALE_LANGUAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
