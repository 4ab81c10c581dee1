/* reader.h - reading the tables of a description: keys, words, numbers, and
 * fields as their rows say.
 *
 * Everything here runs inside the sandbox, which may end it at any call into
 * Lua: no function owns memory across one.
 *
 * A mistake is complained about and reading goes on with some harmless value:
 * the load fails in any case, and the next mistake is found too. */
#ifndef GPUSCALE_READER_H
#define GPUSCALE_READER_H

#include "language/binding.h"

enum {
  KEYS_MAX = 96,
  LABEL_SIZE = 96, /* "pack.proact-poll.kernels" */
  KNOB_WORDS_MAX = 16,
  DOUBTS_MAX = 96 /* numbers of a phase with an origin of their own */
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* A table that is being read: where it is and what to call it. */
typedef struct reader {
  lua_State *L;
  int table;          /* stack index */
  int line;           /* of the constructor */
  const char *prefix; /* "device." or "" */
} reader;

/* A knob whose error is carried through step(). */
typedef struct uncertain_knob {
  char name[sizeof((about *)0)->knob[0].name];
  gscale_dim dim;
  gscale_param p;
  double low, high; /* where it is looked at, see gscale_param_nodes() */
} uncertain_knob;

/* A load, seen from inside the sandbox.  The objects under construction belong
 * to load_system and load_workload, which stand outside. */
typedef struct job {
  settings *set;
  about more;
  gscale_system *system;
  gscale_workload *workload;
  size_t uncertains;
  uncertain_knob uncertain[KNOBS_MAX];
  gscale_workload *moved[2];         /* by one of them, down and up */
  gscale_workload *there;            /* on some number of GPUs */
  bool mentioned[GSCALE_PARAMS_MAX]; /* parameters given, rightly or wrongly */
  bool alike;                        /* "like" was said, rightly or wrongly */
  char like[GSCALE_NAME_MAX];        /* the system that others are taken from */
  bool projected;                    /* from machines that were measured */
  machine_names from, hosts;         /* these */
  char device[GSCALE_NAME_MAX];      /* the GPU that it has then */
  bool exact;                        /* no machine, a model's */
  char node[GSCALE_NAME_MAX];        /* the system that its nodes are; "" */
  bool joined;                       /* it has a network */
  bool grows;                        /* more nodes could be added */
  gscale_network network;
  int line;        /* of gs.system */
  const int *gpus; /* numbers that a schedule is needed for; NULL: 1 */
  size_t sizes;
  int together;    /* GPUs of a node, for these; 0: there is one */
  double grown;    /* GPUs that the knobs grow to; 0: they stay */
  double t1_times; /* as much is -P t1 then */
  struct {
    bool number;
    knob_range of;
    double value;
  } range[KNOBS_MAX]; /* of the knobs in `more` */
} job;

/* The text that -P gives a name, or NULL. */
const char *setting(const job *j, const char *name);

void read_system(lua_State *L, void *job);
void read_workload(lua_State *L, void *job);
/* from, hosts and the name of the device (project.c). */
void read_projection(const reader *r, job *j);
/* `remote` and `power` of a system (remote.c). */
void read_remote(const reader *r, job *j);

/* ---- keys --------------------------------------------------------------- */

/* The names among a table's keys, in the order of the alphabet because Lua's
 * differs from run to run; if there are more than `most`, the first of them.
 * Items of a list, 1 .. items, are passed over.  Returns how many there are. */
size_t names_of(const reader *r, lua_Integer items, const char *names[],
                size_t most);
/* Complains about keys that are not among the n known; those that fields of
 * `described` had before are told their new names (GSCALE_DESCRIBED_END: of
 * none).  What such a key must have meant is read as if it had been said, so
 * that it is not missed. */
void check_keys(const reader *r, const char *const known[], size_t n,
                lua_Integer items, gscale_described described);
/* Pushes the value of a key and returns its type. */
int push_field(const reader *r, const char *key);
/* About the value on top of the stack. */
void complain_type(const reader *r, const char *key, const char *expected);

/* Copies text that fits and has no control characters; "" if there is none. */
void read_text(const reader *r, const char *key, bool required, char *to,
               size_t size);
/* A name goes into CSV, settings and file names. */
void check_name(lua_State *L, int line, const char *what, const char *name,
                const char *more);
/* name and summary. */
void read_about(const reader *r, job *j);
/* A whole number; `otherwise` if it is not there, unless that is negative: then
 * it must be.  -1 after a complaint. */
int read_integer(const reader *r, const char *key, int otherwise);
bool read_boolean(const reader *r, const char *key, bool otherwise);
/* Index of the text of a key among n words; `otherwise` if it is not there,
 * unless that is n: then it must be.  n after a complaint. */
size_t read_word(const reader *r, const char *key, const char *const words[],
                 size_t n, size_t otherwise);
/* The index of a word among n; n after a complaint. */
size_t word_index(const reader *r, const char *key, const char *word,
                  const char *const words[], size_t n);
/* True if the value on top of the stack is a list of `least` to `most` items;
 * their number in *n. */
bool is_list(const reader *r, const char *key, const char *expected,
             size_t least, size_t most, size_t *n);

/* ---- numbers ------------------------------------------------------------ */

/* Are plain numbers of this table in SI units already, or do all but counts
 * need text with a unit? */
typedef enum plain {
  PLAIN_SI,
  PLAIN_COUNTS
} plain;

bool to_si(const reader *r, int line, const char *key, const amount *a,
           gscale_dim dim, plain p, double *out);
/* The error that an origin says a number has. */
bool standard_error(const reader *r, const char *key, const quantity *q,
                    double value, gscale_dim dim, plain p, double *err);
bool to_param(const reader *r, const char *key, const quantity *q,
              gscale_dim dim, plain p, gscale_param *out);
/* The number on top of the stack: in a system it says whence it comes (NULL
 * after a complaint); in a workload plain ones follow from the algorithm. */
const quantity *system_number(const reader *r, const char *key);
bool workload_number(const reader *r, const char *key, gscale_dim dim,
                     gscale_param *p);
/* Pairs of numbers, { {x, y}, ... }, on top of the stack. */
bool read_pairs(const reader *r, const char *key, gscale_dim xdim, plain p,
                double *x, double *y, size_t most, size_t *n);

/* ---- knobs --------------------------------------------------------------- */

/* Pushes a table of their values. */
void push_knobs(const reader *whole, job *j);
/* Makes them grow as the file's `weak` says, if they are to (weak.c). */
void grow_knobs(const reader *whole, job *j, int values);
/* Pushes a copy of it, strict, in which one has another value (NULL: none). */
void push_moved(lua_State *L, int values, const char *name, double value);

/* ---- fields of a workload's things -------------------------------------- */

/* A phase under construction. */
typedef struct phase_draft {
  gscale_phase p;
  int weakest; /* of its numbers' origins */
  size_t doubts;
  struct {
    const gscale_field *field;
    size_t index;
    gscale_param p;
  } doubt[DOUBTS_MAX];
} phase_draft;

/* The value on top of the stack, as the row says. */
void read_value(const reader *r, const gscale_field *f, const char *label,
                phase_draft *d);
/* Reads a field from the text of a setting; false, and why. */
bool set_value(const gscale_field *f, const char *text, phase_draft *d,
               gscale_diag *diag);

#endif /* GPUSCALE_READER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
