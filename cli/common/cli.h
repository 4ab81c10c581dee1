/* cli.h - the command line: options of verbs, and their output. */
#ifndef GPUSCALE_CLI_H
#define GPUSCALE_CLI_H

#include "language/language.h"

#include <stdarg.h>

/* Prints the text of a failure on stderr, each line with the program's name. */
void print_failure(const failure *why);
/* Prints "gpuscale: note: ..." on stderr, in one line whatever is in names. */
void print_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- output ------------------------------------------------------------- */

typedef enum format {
  FORMAT_TABLE,
  FORMAT_CSV,
  FORMAT_JSON
} format;

/* The output of a verb, which appears whole or not at all.  Text is kept in
 * memory, or in a temporary file if it is long.  A file is written under a
 * temporary name in the same directory and then renamed, and signals remove the
 * temporary one.  Output goes to stdout if path is NULL or "-".  Devices and
 * pipes are written directly.  A symbolic link is kept: its target is replaced,
 * or created if it does not exist. */
typedef struct output {
  FILE *f; /* open until output_ready */
  const char *path;
  struct sink *sink;
  size_t made; /* returned by made_put_head() */
  bool colour; /* the terminal shows bold */
} output;

int output_open(output *o, const char *path, failure *why);
/* Checks every write and does all but the rename, for callers that must write
 * another file first.  A call of output_close or output_discard follows. */
int output_ready(output *o, failure *why);
/* Writes, checks every write and renames.  It returns EXIT_IO if anything was
 * lost, with an empty message if the reader of a pipe is gone. */
int output_close(output *o, failure *why);
void output_discard(output *o);
/* Closes the output if the status is EXIT_OK, discards it otherwise. */
int output_end(int status, output *o, failure *why);

/* "dir/mine.lua" -> "mine" */
void output_stem(const char *path, char *name, size_t size);

/* ---- provenance (provenance.c) ------------------------------------------ */

typedef struct made_file { /* an executed Lua file */
  char name[256];          /* without the directories */
  sha256_text sha256;      /* of its text */
} made_file;

/* Records the command line and, from now on, each Lua file that is run.  It
 * fails if there is no memory for the record. */
int made_begin(int argc, char **argv, failure *why);
void made_end(void);
/* Returns false if there was no memory to record a file.  The output is then
 * not written, since its provenance would be incomplete. */
bool made_is_whole(void);
const char *made_command(void);          /* quoted for a shell */
const made_file *made_file_at(size_t i); /* NULL past the end */
void made_note(const made_file *m);      /* adds another process's */
/* Writes the lines "# key: value" of a CSV file's head.  A file of several
 * tables gets each line once: `already` is the value that the last call
 * returned, 0 at first. */
size_t made_put_head(FILE *f, size_t already);

/* ---- rows --------------------------------------------------------------- */

/* A column of a result, with its CSV name, its table heading and its format. */
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
  bool optional; /* omitted when empty */
} column;

/* Initializers of columns.  SHARE is shown in tables only and is optional. */
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
/* Columns of the parts of a predicted time, from `first` on. */
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
  double number;     /* of other types; NaN = missing */
} cell;

/* Rows of cells under columns, written in one of three formats.  CSV has 17
 * significant digits, quotes where needed, and a head of `#` lines with the
 * provenance.  JSON is {"schema": SCHEMA, "made_by": {...}, "rows": [...]},
 * with NaN as null.  A table is aligned, has units and is at most LINE_WIDTH
 * wide.
 *
 * Out-of-memory errors are reported by the function that writes the rows: every
 * earlier function may be called as if there were enough memory. */
typedef struct rows rows;
enum {
  ROW_MAX = 128 /* columns */
};
rows *rows_new(const char *schema, const column *columns, size_t n);
/* Makes `count` rows that are not stored: `fill` computes each from cleared
 * cells when it is written. */
rows *rows_made(const char *schema, const column *columns, size_t n,
                size_t count,
                void (*fill)(cell *row, const void *closure, size_t j),
                const void *closure);
/* Returns rows that stand for a failed allocation. */
rows *rows_lost(void);
void rows_free(rows *r);
/* Sets how many leading columns are repeated in each part of a table that is
 * cut.  By default they are those that identify a row. */
void rows_repeat(rows *r, size_t keys);
size_t rows_count(const rows *r);
cell *rows_add(rows *r);                  /* n cleared cells */
void set_text(cell *c, const char *text); /* NULL is written as "" */
const char *cell_text(const cell *c);
int rows_write(const rows *r, format f, output *o, failure *why);
/* Writes the rows unless the given status is a failure, and frees them.  It
 * returns the status. */
int rows_end(int status, rows *r, format f, output *o, failure *why);
/* An answer in a few sentences, with its number and the bounds of one standard
 * error.  Numbers are in SI units, NaN if missing. */
typedef struct claim {
  char text[1024];
  double value, low, high;
  double probability; /* that the answer holds; NaN: unknown */
} claim;
void claim_begin(claim *c);
/* Appends to the text. */
void claim_say(claim *c, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes the text as a paragraph in lines of at most LINE_WIDTH. */
void claim_put(FILE *f, const claim *c);
/* Stores the claim that JSON writes as "answer" before the rows.  The claim
 * must outlive them. */
void rows_answer(rows *r, const claim *c);
/* Write single lines of CSV, for verbs with more rows than memory can hold. */
void csv_put_names(FILE *f, const column *columns, size_t n);
void csv_put_row(FILE *f, const column *columns, size_t n, const cell *row);
/* Writes a JSON string; bytes that are not UTF-8 become `?`. */
void put_json_text(FILE *f, const char *text);

/* ---- text for people (text.c) -------------------------------------------- */

enum {
  LINE_WIDTH = 80
};
/* Returns the number of characters, not bytes, of UTF-8. */
int text_width(const char *text);
/* Returns how many bytes of `text` fit in a line of `width` characters.  The
 * line ends after a word or an entry of a list if possible; *next is the start
 * of the next line. */
size_t text_fit(const char *text, int width, size_t *next);
/* Returns the length of the longest word, at most `most`. */
int text_least(const char *text, int most);
/* Prints one paragraph in lines of at most LINE_WIDTH, all but the first
 * indented by `hang`. */
void put_line(FILE *f, int hang, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

/* Formats into a static buffer, which the next call overwrites.  Longer text is
 * cut.  The function cannot fail. */
const char *formatted(const char *words, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* Writes text escaped for XML, HTML and attributes in double quotes. */
void put_markup(FILE *f, const char *text);

/* ---- progress (progress.c) ----------------------------------------------- */

/* Shows "WHAT: DONE of ALL" in a line of stderr, if that is a terminal and a
 * second has passed since the first call.  progress_end() erases it. */
void progress(const char *what, size_t done, size_t all);
void progress_end(void);

/* ---- options (options.c, lists.c) --------------------------------------- */

typedef struct options {
  const char *verb;
  const char **argument; /* freed by options_free() */
  size_t arguments;
  const char *system, *base, *fit, *gpus, *paradigm, *link, *sizes, *runs,
      *traces, *output;
  const char *queue, *capacity, *watermark, *profile, *tlb, *ways, *subheader,
      *windows, *timeout, *atomics; /* of replay */
  const char *against, *commit, *demands, *estimate, *transfer;
  const char *from, *device, *hosts; /* of project */
  const char *laws;                  /* N of --baselines, or NULL */
  const char *trace;                 /* of --timeline, or NULL */
  format format;
  bool said; /* runs must name systems */
  bool partial, ecrc, formula, proposed, refit, strict, no_single, best, help,
      config_packets, summary, timeline, all, coverage, terminal, in_sample;
  int worst; /* outliers to show */
  bool worst_given;
  double payload, offset, page, granule; /* B; 0: not given */
  double within;                         /* of compare; 0: not given */
  double max_error;                      /* NaN: not given */
  double perturb;                        /* a share; 0: not given */
  double steps;                          /* 0: steady steps */
  const char *over[16];                  /* each --over */
  size_t overs;
  const char *period, *parallel; /* of describe */
  double params;                 /* the same; 0: not given */
  const char *also[8];           /* each --also */
  size_t alsos;
  const char *design, *at, *what, *until, *crossover, *price;
  int points, seed, jobs, ranks; /* 0: not given */
  bool errors, weak, knee, show, pairs;
  settings set, where;
} options;

/* Adds the rows of a log to m, and prints its remarks as notes. */
int read_log(gscale_measurements *m, const char *path, failure *why);

/* Returns the median of n numbers, which it sorts; NaN if n = 0 (median.c). */
double median_of(double *v, size_t n);

/* ---- the system (system_option.c) --------------------------------------- */

/* Loads the system that the options name.  --link replaces its link, and
 * numbers that -P gave are kept.  The label is the system's name or
 * NAME:LINK. */
typedef char system_label[2 * GSCALE_NAME_MAX];
int load_asked_system(options *o, gscale_system **out, about *more,
                      system_label name, failure *why);
/* Replaces the system's link by o->link, also in its label. */
/* Returns true if the system has this link, so that naming it changes
 * nothing. */
bool is_own_link(const gscale_system *s, const char *link);
int put_link(options *o, gscale_system *s, system_label name, failure *why);
/* Returns the name of a part, such as "initiation". */
const char *part_name(gscale_part p);
/* Prints the knobs that are set in SI units: "chunk=131072;width=2048". */
void print_knobs(char *text, size_t size, const gscale_knobs *k);

/* A verb.  cli/verbs/NAME.c defines it as verb_NAME, and main.c needs no change
 * for a new one. */
typedef struct verb {
  int place; /* rank among verbs */
  const char *name;
  const char *usage;    /* "WORKLOAD --system SYSTEM ..." */
  const char *summary;  /* one line */
  const char *examples; /* a few lines; tests run the first */
  const char *accepts;  /* names of options, space-separated */
  int (*run)(options *o, failure *why);
} verb;

int options_parse(options *o, const verb *v, int argc, char **argv,
                  failure *why);
void options_free(options *o);
void options_help(FILE *f, const verb *v);

/* Parses "1-16", "1,2,4,8" or "1-4,8" into a rising list of distinct N. */
enum {
  GPUS_MAX = 2048 /* the limit of gscale_plan_new() */
};
int parse_gpus(const char *option, const char *text, int *gpus, size_t *n,
               failure *why);
enum {
  PARADIGMS_MAX = 64
};
/* Parses the names of paradigms ("memcpy", "memcpy+gpudirect"), or "all", into
 * indices and into methods between nodes as in gscale_knobs.  "all" means the
 * existing paradigms, the proposed ones if `proposed` is set, and memcpy by
 * each method between nodes.  *named is true if the user gave names: unmet
 * needs are then reported. */
int parse_paradigms(const char *text, bool proposed, size_t *index,
                    size_t *between, size_t *n, bool *named, failure *why);
/* Takes NAME.chunk, NAME.width, NAME.algorithm, NAME.protocol, NAME.host and
 * NAME.between of one paradigm from the settings.  out->between keeps its value
 * if NAME.between is not set. */
int take_knobs(settings *set, size_t paradigm, gscale_knobs *out, failure *why);
/* Parses the algorithm or the protocol of collectives.  EXIT_USAGE lists the
 * valid names. */
int parse_coll_knob(const char *name, const char *value, gscale_knobs *out,
                    failure *why);
/* Parses "least" or "program", the barriers of the host of `infinite`. */
int parse_host_knob(const char *value, gscale_knobs *out, failure *why);
/* Parses a whole number in range, or fails with EXIT_USAGE naming `option`. */
int parse_whole(const char *option, const char *text, int least, int most,
                int *out, failure *why);
/* Parses "64KiB" or "64" (bytes): a whole number from `least` to 2^50. */
int parse_size(const char *option, const char *text, double least, double *out,
               failure *why);
/* Parses "4,8,32,128" or "4-4096" (powers of two) in bytes. */
enum {
  SIZES_MAX = 64
};
int parse_sizes(const char *text, double *sizes, size_t *n, failure *why);
/* Parses names of links: "pcie3,nvlink4". */
enum {
  LINKS_MAX = 32
};
int parse_links(const char *text, const gscale_link **links, size_t *n,
                failure *why);

/* Calls each(word, closure, why) for every word of "a,b,c".  An empty word is
 * an error. */
int each_word(const char *option, const char *list,
              int (*each)(const char *word, void *closure, failure *why),
              void *closure, failure *why);

/* Returns EXIT_USAGE unless there are n arguments, which `what` names. */
int need_arguments(const options *o, size_t n, const char *what, failure *why);
/* Finds the index of a paradigm and its method between nodes as in gscale_knobs
 * ("memcpy", "memcpy+gpudirect", "gpudirect").  EXIT_DATA suggests the nearest
 * name. */
int find_paradigm(const char *word, size_t *index, size_t *between,
                  failure *why);
/* Ends the rows like rows_end(), into o->output in the format o->format. */
int rows_print(int status, rows *r, const options *o, failure *why);
/* Ends the rows with a claim, whose text comes before a table. */
int rows_print_answer(int status, rows *r, const claim *c, const options *o,
                      failure *why);

#endif /* GPUSCALE_CLI_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
