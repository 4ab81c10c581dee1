/* cli.h - the command line: options of verbs, and their output. */
#ifndef GPUSCALE_CLI_H
#define GPUSCALE_CLI_H

#include "language/language.h"

#include <stdarg.h>

/* Prints the text of a failure on stderr. "gpuscale" precedes each line. */
void print_failure(const failure *why);
/* Fails because memory is exhausted. */
int no_memory(failure *why);
/* Prints "gpuscale: note: ..." on stderr, in one line whatever is in names.
 * Unless notes_all is set, notes_end() prints the third, or how many more there
 * are. */
extern bool notes_all; /* --notes */
void print_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void print_said(char *text); /* again, what another process printed */
void notes_end(void);

/* ---- output ------------------------------------------------------------- */

typedef enum format {
  FORMAT_TABLE,
  FORMAT_CSV,
  FORMAT_JSON
} format;

/* The output of a verb appears whole or not at all. The text is kept in memory,
 * or in a temporary file if it is long. A file is written under a temporary
 * name in the same directory and then renamed. Signals remove the temporary
 * file. If the path is NULL or "-", the output goes to stdout. Devices and
 * pipes are written directly. The target of a symbolic link is replaced or
 * created. */
typedef struct output {
  FILE *f; /* open until output_ready() */
  const char *path;
  struct sink *sink;
  size_t made; /* from made_put_head() */
  bool colour; /* the terminal shows bold text */
} output;

int output_open(output *o, const char *path, failure *why);
/* Checks every write but does not rename the file, since the caller must first
 * write another file. The caller must call output_close or output_discard
 * afterwards. */
int output_ready(output *o, failure *why);
/* Writes, checks every write and renames the file. Returns EXIT_IO if a write
 * failed. The message is empty if the reader of a pipe has exited. */
int output_close(output *o, failure *why);
void output_discard(output *o);
/* Closes the output if the status is EXIT_OK, and otherwise discards it. */
int output_end(int status, output *o, failure *why);

/* Copies the stem of a file's name: "dir/mine.lua" gives "mine". */
void output_stem(const char *path, char *name, size_t size);

/* ---- provenance (provenance.c) ------------------------------------------ */

typedef struct made_file { /* a Lua file that was run */
  char name[256];          /* without directories */
  sha256_text sha256;      /* hash of the text */
} made_file;

/* Records the command line and each Lua file that is run after this call. */
int made_begin(int argc, char **argv, failure *why);
void made_end(void);
/* Returns false if memory was too short to record a file. Without a record the
 * output is not written, because its provenance would be incomplete. */
bool made_is_whole(void);
const char *made_command(void);          /* quoted for a shell */
const made_file *made_file_at(size_t i); /* NULL past the end */
void made_note(const made_file *m);      /* adds a file of another process */
/* Writes the provenance as "# key: value" lines before a CSV table. If a file
 * has several tables, each line is written only once. `already` is 0 at first,
 * and then the result of the last call. */
size_t made_put_head(FILE *f, size_t already);

/* ---- rows --------------------------------------------------------------- */

/* A column of a result has a CSV name, a heading in tables and a format. */
typedef struct column {
  const char *name;    /* "time_s", NULL: table only */
  const char *heading; /* "time", NULL: CSV only */
  gscale_dim dim;      /* of numbers */
  enum {
    COLUMN_TEXT,
    COLUMN_INTEGER,
    COLUMN_NUMBER,
    COLUMN_PERCENT
  } type;
  bool optional; /* omitted if all cells are empty */
} column;

/* Initializers of columns. A SHARE is optional and appears in tables only. */
#define TEXT(name, heading)                                                    \
  {                                                                            \
    name, heading, GSCALE_COUNT, COLUMN_TEXT, false                            \
  }
#define INTEGER(name, heading)                                                 \
  {                                                                            \
    name, heading, GSCALE_COUNT, COLUMN_INTEGER, false                         \
  }
#define PERCENT(name, heading)                                                 \
  {                                                                            \
    name, heading, GSCALE_COUNT, COLUMN_PERCENT, false                         \
  }
#define NUMBER(name, heading, dim)                                             \
  {                                                                            \
    name, heading, dim, COLUMN_NUMBER, false                                   \
  }
#define SHARE(heading)                                                         \
  {                                                                            \
    NULL, heading, GSCALE_COUNT, COLUMN_PERCENT, true                          \
  }

/* A time with the CSV name NAME_s, which tables omit. */
#define SECONDS(name) NUMBER(name "_s", NULL, GSCALE_TIME)
/* Columns of the parts of a predicted time, starting at `first`. */
#define PART_TIMES(first)                                                      \
  [(first) + GSCALE_PART_COMPUTE] = SECONDS("compute"),                        \
             [(first) + GSCALE_PART_HOST] = SECONDS("host"),                   \
             [(first) + GSCALE_PART_TRANSFER] = SECONDS("transfer"),           \
             [(first) + GSCALE_PART_INITIATION] = SECONDS("initiation"),       \
             [(first) + GSCALE_PART_TRACKING] = SECONDS("tracking"),           \
             [(first) + GSCALE_PART_TAIL] = SECONDS("tail"),                   \
             [(first) + GSCALE_PART_LATENCY] = SECONDS("latency")

typedef struct cell {
  char text[256];    /* COLUMN_TEXT */
  const char *whole; /* longer text, or NULL */
  double number;     /* for other types; NaN: missing */
} cell;

/* The rows have cells under columns and are written in one of three formats.
 * CSV has 17 significant digits, quotes where needed, and a head of `#` lines
 * with the provenance. JSON is {"schema": SCHEMA, "made_by": {...}, "rows":
 * [...]}, with null instead of NaN. A table is aligned, has units and is at
 * most LINE_WIDTH wide.
 *
 * The function that writes the rows also reports exhausted memory. Every
 * earlier function may be called as if there were enough memory. */
typedef struct rows rows;
enum {
  ROW_MAX = 128 /* columns */
};
rows *rows_new(const char *schema, const column *columns, size_t n);
/* Creates `count` rows that are not stored. When a row is written, `fill`
 * computes it from cleared cells. */
rows *rows_made(const char *schema, const column *columns, size_t n,
                size_t count,
                void (*fill)(cell *row, const void *closure, size_t j),
                const void *closure);
/* Returns rows that represent a failed allocation. */
rows *rows_lost(void);
void rows_free(rows *r);
size_t rows_count(const rows *r);
cell *rows_add(rows *r);                  /* n cleared cells */
void set_text(cell *c, const char *text); /* NULL is written as "" */
const char *cell_text(const cell *c);
int rows_write(const rows *r, format f, output *o, failure *why);
/* Writes the rows unless `status` is a failure, and frees them. Returns
 * `status` or the failure of writing. */
int rows_end(int status, rows *r, format f, output *o, failure *why);
/* A claim is an answer in a few sentences, with its number and the bounds of
 * one standard error. Numbers are in SI units, NaN if missing. */
typedef struct claim {
  char text[1024];
  double value, low, high;
  double probability; /* of the answer; NaN: unknown */
} claim;
void claim_begin(claim *c);
/* Appends words to the text of a claim. */
void claim_say(claim *c, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes the claim as a paragraph in lines of at most LINE_WIDTH. */
void claim_put(FILE *f, const claim *c);
/* Stores the claim that JSON writes as "answer". The claim must outlive the
 * rows. */
void rows_answer(rows *r, const claim *c);
/* Functions that write single CSV lines if memory cannot hold all rows. */
void csv_put_names(FILE *f, const column *columns, size_t n);
void csv_put_row(FILE *f, const column *columns, size_t n, const cell *row);
/* Writes a JSON string. A byte that is not UTF-8 becomes `?`. */
void put_json_text(FILE *f, const char *text);

/* ---- text for people (text.c) -------------------------------------------- */

enum {
  LINE_WIDTH = 80
};
/* Returns the number of UTF-8 characters, not of bytes. */
int text_width(const char *text);
/* Returns how many bytes of `text` fit in a line of `width` characters. If
 * possible, the line ends after a word or after a list entry. *next is the
 * start of the next line. */
size_t text_fit(const char *text, int width, size_t *next);
/* Returns the length of the longest word, but not more than `most`. */
int text_least(const char *text, int most);
/* Prints a paragraph in lines of at most LINE_WIDTH. Every line except the
 * first is indented by `hang`. */
void put_line(FILE *f, int hang, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

/* Formats a text in a static buffer, which the next call overwrites. Longer
 * text is cut. The function cannot fail. */
const char *formatted(const char *words, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* Returns the part of a path after the last slash. */
const char *base_name(const char *path);
/* Writes a character, but no control character, and `?` for a byte that is not
 * UTF-8. Returns its number of bytes. */
size_t put_character(FILE *f, const char *text);
/* Writes text escaped for XML, HTML and attributes in double quotes. */
void put_markup(FILE *f, const char *text);

/* ---- progress (progress.c) ----------------------------------------------- */

/* Shows "WHAT: DONE of ALL" in a line of stderr, if stderr is a terminal and a
 * second has passed since the first call. progress_end() erases the line. */
void progress(const char *what, size_t done, size_t all);
void progress_end(void);

/* ---- options (options.c, lists.c) --------------------------------------- */

typedef struct options {
  const char *verb;
  const char **argument; /* options_free() frees it */
  size_t arguments;
  const char *system, *base, *fit, *gpus, *paradigm, *link, *sizes, *runs,
      *traces, *output;
  const char *queue, *capacity, *watermark, *profile, *tlb, *subheader,
      *windows, *timeout, *atomics; /* for replay */
  const char *against, *commit, *demands, *estimate;
  const char *from, *device, *hosts; /* for project */
  const char *laws;                  /* N of --baselines, or NULL */
  const char *trace;                 /* file of --timeline, or NULL */
  format format;
  bool said; /* runs must name their system */
  bool partial, ecrc, formula, proposed, refit, strict, no_single, best, help,
      config_packets, summary, timeline, all, coverage, terminal, in_sample;
  int worst; /* number of shown outliers */
  bool worst_given;
  double payload, offset, page; /* B; 0: not given */
  double within;                /* of --within; 0: not given */
  double max_error;             /* NaN: not given */
  double perturb;               /* a fraction; 0: not given */
  double steps;                 /* 0: steady state */
  const char *over[16];         /* value of each --over */
  size_t overs;
  const char *period, *parallel; /* for describe */
  double params;                 /* for describe; 0: not given */
  const char *also[8];           /* value of each --also */
  size_t alsos;
  const char *design, *at, *what, *until, *crossover, *price;
  int points, seed, jobs, ranks; /* 0: not given */
  bool errors, weak, knee, show, pairs;
  settings set, where;
} options;

/* Adds the rows of a log to m, and prints the remarks of the log as notes. */
int read_log(gscale_measurements *m, const char *path, failure *why);

/* Sorts n numbers and returns the median, or NaN if n = 0 (median.c). */
double median_of(double *v, size_t n);

/* ---- the system (system_option.c) --------------------------------------- */

/* Loads the system that the options name. --link replaces the system's link,
 * except for numbers that -P gave. The label is the system's name or
 * NAME:LINK. */
typedef char system_label[2 * GSCALE_NAME_MAX];
int load_asked_system(options *o, gscale_system **out, about *more,
                      system_label name, failure *why);
/* Replaces the system's link by o->link, and adds o->link to the label. */
/* Returns true if the system already has the link, so that nothing changes. */
bool is_own_link(const gscale_system *s, const char *link);
int put_link(options *o, gscale_system *s, system_label name, failure *why);
/* Returns the name of a part, such as "initiation". */
const char *part_name(gscale_part p);
/* Prints the set knobs in SI units, such as "chunk=131072;width=2048". */
void print_knobs(char *text, size_t size, const gscale_knobs *k);

/* A verb is defined in cli/verbs/NAME.c as verb_NAME. main.c lists none. */
typedef struct verb {
  int place; /* rank in the list of verbs */
  const char *name;
  const char *usage;    /* "WORKLOAD --system SYSTEM ..." */
  const char *summary;  /* in one line */
  const char *examples; /* in a few lines; tests run the first */
  const char *accepts;  /* names of options between spaces */
  int (*run)(options *o, failure *why);
} verb;

int options_parse(options *o, const verb *v, int argc, char **argv,
                  failure *why);
void options_free(options *o);
void options_help(FILE *f, const verb *v);

/* Parses "1-16", "1,2,4,8" or "1-4,8" into an ascending list of distinct N, at
 * most GPUS_LISTED. */
enum {
  GPUS_MAX = 65536,  /* limit of gscale_plan_new() */
  GPUS_LISTED = 2048 /* most N of one question */
};
int parse_gpus(const char *option, const char *text, int *gpus, size_t *n,
               failure *why);
enum {
  PARADIGMS_MAX = 64
};
/* Parses a list of paradigms, such as "memcpy,memcpy+gpudirect", or "all". The
 * results are indices of paradigms and inter-node methods as in gscale_knobs.
 * "all" means the existing paradigms, the proposed ones if `proposed` is true,
 * and memcpy with each inter-node method. *named is true if the user gave
 * names, so that unmet needs are reported. */
int parse_paradigms(const char *text, bool proposed, size_t *index,
                    size_t *between, size_t *n, bool *named, failure *why);
/* Takes NAME.chunk, NAME.width, NAME.algorithm, NAME.protocol, NAME.host and
 * NAME.between of a paradigm from the settings. If NAME.between is not set,
 * out->between remains unchanged. */
int take_knobs(settings *set, size_t paradigm, gscale_knobs *out, failure *why);
/* Parses a collective's algorithm or protocol. EXIT_USAGE lists valid names. */
int parse_coll_knob(const char *name, const char *value, gscale_knobs *out,
                    failure *why);
/* Parses the host barriers of the paradigm `infinite`: "least" or "program". */
int parse_host_knob(const char *value, gscale_knobs *out, failure *why);
/* Parses a whole number in the range, or fails with EXIT_USAGE for `option`. */
int parse_whole(const char *option, const char *text, int least, int most,
                int *out, failure *why);
/* Parses bytes such as "64KiB" or "64": a whole number from `least` to 2^50. */
int parse_size(const char *option, const char *text, double least, double *out,
               failure *why);
/* Parses a list of bytes such as "4,8,32,128", or powers of two as "4-4096". */
enum {
  SIZES_MAX = 64
};
int parse_sizes(const char *text, double *sizes, size_t *n, failure *why);
/* Parses a list of links such as "pcie3,nvlink4". */
enum {
  LINKS_MAX = 32
};
int parse_links(const char *text, const gscale_link **links, size_t *n,
                failure *why);

/* Calls each(word, closure, why) for every word of a list such as "a,b,c", and
 * refuses empty words. */
int each_word(const char *option, const char *list,
              int (*each)(const char *word, void *closure, failure *why),
              void *closure, failure *why);

/* Returns EXIT_USAGE unless there are n arguments. `what` describes them. */
int need_arguments(const options *o, size_t n, const char *what, failure *why);
/* Finds the index of a paradigm and its inter-node method, as in gscale_knobs,
 * by a name such as "memcpy+gpudirect". EXIT_DATA suggests near names. */
int find_paradigm(const char *word, size_t *index, size_t *between,
                  failure *why);
/* Calls rows_end() with o->output and the format o->format. */
int rows_print(int status, rows *r, const options *o, failure *why);
/* Calls rows_end() with a claim, whose text comes before a table. */
int rows_print_answer(int status, rows *r, const claim *c, const options *o,
                      failure *why);

#endif /* GPUSCALE_CLI_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
