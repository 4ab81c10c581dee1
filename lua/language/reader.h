/* reader.h - reads the tables of a description: keys, words, numbers and
 * fields.
 *
 * The functions run inside the sandbox, which may end them at any call into
 * Lua. Therefore no function owns memory during a call into Lua. After a
 * mistake the functions complain and continue with a harmless value. A load
 * with mistakes fails, but later mistakes are found too. */
#ifndef GPUSCALE_READER_H
#define GPUSCALE_READER_H

#include "language/binding.h"

enum {
  KEYS_MAX = 96,
  LABEL_SIZE = 96, /* "pack.proact-poll.kernels" */
  KNOB_WORDS_MAX = 16,
  DOUBTS_MAX = 96 /* numbers with an origin */
};

/* A reader has the table that is being read, and the table's name. */
typedef struct reader {
  lua_State *L;
  int table;          /* stack index */
  int line;           /* line of the constructor */
  const char *prefix; /* "device." or "" */
} reader;

/* The error of an uncertain knob is propagated through step(). */
typedef struct uncertain_knob {
  char name[sizeof((about *)0)->knob[0].name];
  gscale_dim dim;
  gscale_param p;
  double low, high; /* from gscale_param_nodes() */
} uncertain_knob;

/* A job holds the state of one load inside the sandbox. load_system and
 * load_workload own the objects under construction outside of the sandbox. */
typedef struct job {
  settings *set;
  about more;
  gscale_system *system;
  gscale_workload *workload;
  size_t uncertains;
  uncertain_knob uncertain[KNOBS_MAX];
  gscale_workload *perturbed[2];     /* knob down, knob up */
  gscale_workload *there;            /* workload at one N */
  bool mentioned[GSCALE_PARAMS_MAX]; /* given, valid or not */
  bool has_like;                     /* `like` was given */
  char like[GSCALE_NAME_MAX];        /* source of other numbers */
  bool projected;                    /* from measured machines */
  machine_names from, hosts;         /* machines of the projection */
  char device[GSCALE_NAME_MAX];      /* GPU of a projected system */
  bool exact;                        /* the machine of a model */
  char node[GSCALE_NAME_MAX];        /* system of the node */
  bool joined;                       /* has a network */
  bool grows;                        /* more nodes are possible */
  gscale_network network;
  int line;        /* line of gs.system */
  const int *gpus; /* numbers for schedules, NULL: 1 */
  size_t sizes;
  int together;     /* GPUs per node */
  double grown;     /* N of weak scaling */
  double t1_factor; /* factor on t1 of -P */
  settings *preset; /* settings beneath -P, or NULL */
  settings room;    /* memory of the preset */
  struct {
    bool number;
    knob_range of;
    double value;
  } range[KNOBS_MAX]; /* ranges of more.knob */
} job;

/* Returns the text of a setting from -P, else from the preset, else NULL. */
const char *setting(const job *j, const char *name);

void read_system(lua_State *L, void *job);
void read_workload(lua_State *L, void *job);
/* Reads the keys `from` and `hosts` and the device's name (project.c). */
void read_projection(const reader *r, job *j);
/* Reads the tables `remote` and `power` of a system (remote.c). */
void read_remote(const reader *r, job *j);

/* ---- keys ---------------------------------------------------------------- */

/* Collects at most `most` names of a table in alphabetical order, because Lua's
 * order varies. Skips the first `items` of a list. Returns the number of
 * names. */
size_t names_of(const reader *r, lua_Integer items, const char *names[],
                size_t most);
/* Complains about keys that are not among the n known keys. A known key that
 * was probably meant gets the value, so that it is not reported missing. */
void check_keys(const reader *r, const char *const known[], size_t n,
                lua_Integer items);
/* Pushes the value of a key and returns its type. */
int push_field(const reader *r, const char *key);
/* Renames old parameters in the table of a system. An old name remains if the
 * new name is there too (old_names.c). */
void rename_params(const reader *r);
/* Complains at the line of the reader's table, with the table's name. */
void complain_of(const reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Complains about the value on top of the stack. */
void complain_type(const reader *r, const char *key, const char *expected);

/* Copies a text that fits and has no control characters. The default is "". */
void read_text(const reader *r, const char *key, bool required, char *to,
               size_t size);
/* Checks a name for use in CSV, settings and file names. */
void check_name(lua_State *L, int line, const char *what, const char *name,
                const char *more);
/* Reads the keys `name` and `summary`. */
void read_about(const reader *r, job *j);
/* Reads a whole number. A missing key gives `otherwise`, or a complaint if
 * `otherwise` is negative. The result is -1 after a complaint. */
int read_integer(const reader *r, const char *key, int otherwise);
bool read_boolean(const reader *r, const char *key, bool otherwise);
/* Returns the index of a key's text among n words. A missing key gives
 * `otherwise`, or a complaint if `otherwise` is n. A complaint gives n. */
size_t read_word(const reader *r, const char *key, const char *const words[],
                 size_t n, size_t otherwise);
/* Returns the index of a word among n words, or n after a complaint. */
size_t word_index(const reader *r, const char *key, const char *word,
                  const char *const words[], size_t n);
/* Returns whether the value on top of the stack is a list of `least` to `most`
 * items, and stores the number of items in *n. */
bool is_list(const reader *r, const char *key, const char *expected,
             size_t least, size_t most, size_t *n);

/* ---- numbers ------------------------------------------------------------- */

/* Plain numbers of a table are in SI units, or only counts may be plain. */
typedef enum plain {
  PLAIN_SI,
  PLAIN_COUNTS
} plain;

bool to_si(const reader *r, int line, const char *key, const amount *a,
           gscale_dim dim, plain p, double *out);
/* Computes the standard error of a number by the rule of its origin. */
bool standard_error(const reader *r, const char *key, const quantity *q,
                    double value, gscale_dim dim, plain p, double *err);
bool to_param(const reader *r, const char *key, const quantity *q,
              gscale_dim dim, plain p, gscale_param *out);
/* system_number() and workload_number() read the number on top of the stack. A
 * system's number must have an origin (the result is NULL after a complaint). A
 * workload's number may be plain if it follows from the algorithm. */
const quantity *system_number(const reader *r, const char *key);
bool workload_number(const reader *r, const char *key, gscale_dim dim,
                     gscale_param *p);
/* Reads the list of number pairs on top of the stack. */
bool read_pairs(const reader *r, const char *key, gscale_dim xdim, plain p,
                double *x, double *y, size_t most, size_t *n);

/* ---- knobs --------------------------------------------------------------- */

/* Pushes a table of the knobs' values. */
void push_knobs(const reader *whole, job *j);
/* Grows the knobs by the file's rule if weak scaling is requested (weak.c). */
void grow_knobs(const reader *whole, job *j, int values);

/* read_preset() reads the preset that -P names into j->room. check_preset()
 * complains about settings of the preset that were not read. */
void read_preset(const reader *r, job *j);
void check_preset(lua_State *L, int line, const job *j);
/* Pushes a strict copy of the values in which one knob is changed. If the name
 * is NULL, no knob is changed. */
void push_perturbed(lua_State *L, int values, const char *name, double value);

/* ---- workload fields ----------------------------------------------------- */

/* A phase under construction. */
typedef struct phase_draft {
  gscale_phase p;
  int weakest; /* weakest origin of its numbers */
  size_t doubts;
  struct {
    const gscale_field *field;
    size_t index;
    gscale_param p;
  } doubt[DOUBTS_MAX];
} phase_draft;

/* Reads the value on top of the stack as the type of its field. */
void read_value(const reader *r, const gscale_field *f, const char *label,
                phase_draft *d);
/* Reads a field from a setting. Returns false and the reason on failure. */
bool set_value(const gscale_field *f, const char *text, phase_draft *d,
               gscale_diag *diag);

#endif /* GPUSCALE_READER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
