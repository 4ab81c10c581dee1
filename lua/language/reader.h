/* reader.h - reading of a description's tables: keys, words, numbers and
 * fields.
 *
 * The functions run inside the sandbox, which may end them at any call into
 * Lua, so that none owns memory across one. After a mistake they complain and
 * go on with a harmless value: the load fails in any case, and later mistakes
 * are found too. */
#ifndef GPUSCALE_READER_H
#define GPUSCALE_READER_H

#include "language/binding.h"

enum {
  KEYS_MAX = 96,
  LABEL_SIZE = 96, /* "pack.proact-poll.kernels" */
  KNOB_WORDS_MAX = 16,
  DOUBTS_MAX = 96 /* numbers with an origin */
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* A reader is a table being read, with its name. */
typedef struct reader {
  lua_State *L;
  int table;          /* stack index */
  int line;           /* of the constructor */
  const char *prefix; /* "device." or "" */
} reader;

/* The error of an uncertain knob is propagated through step(). */
typedef struct uncertain_knob {
  char name[sizeof((about *)0)->knob[0].name];
  gscale_dim dim;
  gscale_param p;
  double low, high; /* gscale_param_nodes() */
} uncertain_knob;

/* A job is one load, seen from the sandbox. load_system and load_workload own
 * the objects under construction outside of it. */
typedef struct job {
  settings *set;
  about more;
  gscale_system *system;
  gscale_workload *workload;
  size_t uncertains;
  uncertain_knob uncertain[KNOBS_MAX];
  gscale_workload *perturbed[2];     /* knob down, knob up */
  gscale_workload *there;            /* at some N */
  bool mentioned[GSCALE_PARAMS_MAX]; /* given, valid or not */
  bool has_like;                     /* `like` was given */
  char like[GSCALE_NAME_MAX];        /* source of other numbers */
  bool projected;                    /* from measured machines */
  machine_names from, hosts;         /* of the projection */
  char device[GSCALE_NAME_MAX];      /* its GPU if projected */
  bool exact;                        /* a model's machine */
  char node[GSCALE_NAME_MAX];        /* node's system */
  bool joined;                       /* has a network */
  bool grows;                        /* more nodes are possible */
  gscale_network network;
  int line;        /* of gs.system */
  const int *gpus; /* of schedules, NULL: 1 */
  size_t sizes;
  int together;     /* GPUs per node */
  double grown;     /* weak scaling's N */
  double t1_factor; /* factor on -P t1 */
  settings *preset; /* what -P does not set, or NULL */
  settings room;    /* of the preset */
  struct {
    bool number;
    knob_range of;
    double value;
  } range[KNOBS_MAX]; /* ranges of more.knob */
} job;

/* Returns the text of -P or else of the preset for a name, or NULL. */
const char *setting(const job *j, const char *name);

void read_system(lua_State *L, void *job);
void read_workload(lua_State *L, void *job);
/* Reads from, hosts and the device's name (project.c). */
void read_projection(const reader *r, job *j);
/* Reads `remote` and `power` of a system (remote.c). */
void read_remote(const reader *r, job *j);

/* ---- keys ---------------------------------------------------------------- */

/* Collects a table's names in alphabetical order, because Lua's order differs
 * between runs, and at most the first `most`. The first `items` of a list are
 * skipped. Returns the number of names. */
size_t names_of(const reader *r, lua_Integer items, const char *names[],
                size_t most);
/* Complains about keys that are not among the n known.  A key that was probably
 * meant counts as given, so that it is not reported missing. */
void check_keys(const reader *r, const char *const known[], size_t n,
                lua_Integer items);
/* Pushes the value of a key and returns its type. */
int push_field(const reader *r, const char *key);
/* Gives old names of parameters in the table of a system their new ones, unless
 * both are there (old_names.c). */
void rename_params(const reader *r);
/* Complains about the value on top of the stack. */
void complain_type(const reader *r, const char *key, const char *expected);

/* Copies a text that fits and has no control characters, or "" if it is
 * missing. */
void read_text(const reader *r, const char *key, bool required, char *to,
               size_t size);
/* Checks a name for use in CSV, settings and file names. */
void check_name(lua_State *L, int line, const char *what, const char *name,
                const char *more);
/* Reads name and summary. */
void read_about(const reader *r, job *j);
/* Reads a whole number. A missing key gives `otherwise`, or a complaint if that
 * is negative. The result is -1 after a complaint. */
int read_integer(const reader *r, const char *key, int otherwise);
bool read_boolean(const reader *r, const char *key, bool otherwise);
/* Returns the index of a key's text among n words. A missing key gives
 * `otherwise`, or a complaint if that is n. The result is n after a
 * complaint. */
size_t read_word(const reader *r, const char *key, const char *const words[],
                 size_t n, size_t otherwise);
/* Returns the index of a word among n, or n after a complaint. */
size_t word_index(const reader *r, const char *key, const char *word,
                  const char *const words[], size_t n);
/* Returns whether the value on top is a list of `least` to `most` items, and
 * their number in *n. */
bool is_list(const reader *r, const char *key, const char *expected,
             size_t least, size_t most, size_t *n);

/* ---- numbers ------------------------------------------------------------- */

/* A table's plain numbers are in SI units, or only its counts are plain. */
typedef enum plain {
  PLAIN_SI,
  PLAIN_COUNTS
} plain;

bool to_si(const reader *r, int line, const char *key, const amount *a,
           gscale_dim dim, plain p, double *out);
/* Computes the error of a number by its origin. */
bool standard_error(const reader *r, const char *key, const quantity *q,
                    double value, gscale_dim dim, plain p, double *err);
bool to_param(const reader *r, const char *key, const quantity *q,
              gscale_dim dim, plain p, gscale_param *out);
/* These read the number on top of the stack. A system's number needs an origin
 * (NULL after a complaint). A workload's plain number follows from the
 * algorithm. */
const quantity *system_number(const reader *r, const char *key);
bool workload_number(const reader *r, const char *key, gscale_dim dim,
                     gscale_param *p);
/* Reads a list of pairs of numbers on top of the stack. */
bool read_pairs(const reader *r, const char *key, gscale_dim xdim, plain p,
                double *x, double *y, size_t most, size_t *n);

/* ---- knobs --------------------------------------------------------------- */

/* Pushes a table of the knobs' values. */
void push_knobs(const reader *whole, job *j);
/* Grows the knobs by the file's `weak` if weak scaling is requested
 * (weak.c). */
void grow_knobs(const reader *whole, job *j, int values);

/* Reads the preset that -P preset names into j->room, then complains about
 * settings of it that nothing reads. */
void read_preset(const reader *r, job *j);
void check_preset(lua_State *L, int line, const job *j);
/* Pushes a strict copy of the values with one of them changed (NULL: none). */
void push_perturbed(lua_State *L, int values, const char *name, double value);

/* ---- workload fields ----------------------------------------------------- */

/* This is a phase under construction. */
typedef struct phase_draft {
  gscale_phase p;
  int weakest; /* weakest origin */
  size_t doubts;
  struct {
    const gscale_field *field;
    size_t index;
    gscale_param p;
  } doubt[DOUBTS_MAX];
} phase_draft;

/* Reads the value on top of the stack by the row of its field. */
void read_value(const reader *r, const gscale_field *f, const char *label,
                phase_draft *d);
/* Reads a field from the text of a setting. Returns false and the reason on
 * failure. */
bool set_value(const gscale_field *f, const char *text, phase_draft *d,
               gscale_diag *diag);

#endif /* GPUSCALE_READER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
