/* cli.h - the command line: what verbs are given and what they print. */
#ifndef GPUSCALE_CLI_H
#define GPUSCALE_CLI_H

#include "language/language.h"

#include <stdarg.h>

/* The text of a failure on stderr, each line with the program's name. */
void print_failure(const failure *why);
/* "gpuscale: note: ...": one line on stderr, whatever is in names and paths. */
void print_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- output ------------------------------------------------------------- */

typedef enum format {
  FORMAT_TABLE,
  FORMAT_CSV,
  FORMAT_JSON
} format;

/* What a verb prints.  It appears whole or not at all: what is on its way is
 * kept in memory, or, if it is long, in a temporary file; a file is written as
 * a temporary beside it and renamed, and no signal leaves that behind; stdout
 * if path is NULL or "-"; devices and pipes are written as they are.  Of a link
 * the file it leads to is replaced, or made where there is none yet. */
typedef struct output {
  FILE *f; /* to be written to, until output_ready or output_close */
  const char *path;
  struct sink *sink;
  size_t made; /* of made_put_head() */
  bool colour; /* it goes to a terminal that shows bold, and nobody minds */
} output;

int output_open(output *o, const char *path, failure *why);
/* Checks every write, and does all but the rename, for who must write
 * something else first; output_close or output_discard follows. */
int output_ready(output *o, failure *why);
/* Writes, checks every write, renames.  EXIT_IO if anything was lost; without
 * words if the reader of a pipe is gone. */
int output_close(output *o, failure *why);
void output_discard(output *o);
/* One of them: closes if what was written is whole, status EXIT_OK. */
int output_end(int status, output *o, failure *why);

/* "dir/mine.lua" -> "mine" */
void output_stem(const char *path, char *name, size_t size);

/* ---- how it was made (provenance.c)
 * ------------------------------------------- */

typedef struct made_file { /* a Lua file that was run */
  char name[256];          /* without the directories */
  sha256_text sha256;      /* of its text */
} made_file;

/* Notes what the program was asked, and from now on each Lua file it runs.
 * Without memory for that nothing is to be asked. */
int made_begin(int argc, char **argv, failure *why);
void made_end(void);
/* False if there was no memory to note a file, or for anything that the library
 * was asked: what it answered may lack that.  It is then not written. */
bool made_is_whole(void);
const char *made_command(void);          /* as it can be pasted */
const made_file *made_file_at(size_t i); /* NULL behind the last */
void made_note(const made_file *m);      /* read by another process; once */
/* Writes the lines "# key: value" of a CSV file's head.  A file of several
 * tables gets each line once: `already` is what the last call for it returned,
 * 0 at first. */
size_t made_put_head(FILE *f, size_t already);

/* ---- rows --------------------------------------------------------------- */

/* A column of a result: its CSV name, its table heading, how to show it. */
typedef struct column {
  const char *name;    /* "time_s", NULL: in the table only */
  const char *heading; /* "time", NULL: not in the table */
  gscale_dim dim;      /* of numbers */
  enum {
    COLUMN_TEXT,
    COLUMN_INTEGER,
    COLUMN_NUMBER,
    COLUMN_PERCENT
  } type;
  bool optional; /* left out of a table in which it says nothing */
} column;

/* Rows of a table of columns; SHARE is for the table only and optional. */
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

/* A time that is not in the table; NAME_s in CSV. */
#define SECONDS(name) NUMBER(name "_s", NULL, GSCALE_TIME)
/* Columns of a prediction's parts, from `first` on. */
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
  const char *whole; /* text of any length instead of it, which the caller keeps
                      * as long as the rows; or NULL */
  double number;     /* the others; NaN = missing */
} cell;

/* Rows of cells under columns, written in any of the three formats:
 * CSV with 17 significant digits and quoting where needed, into a file with a
 * head of `#` lines that say how it was made; JSON {"schema": SCHEMA,
 * "made_by": {...}, "rows": [...]} by jansson, NaN as null; an aligned table
 * with units for people, at most LINE_WIDTH wide.
 *
 * Want of memory is seen when they are written: until then every function of
 * rows may be called as if there were enough, and nothing of them is shown. */
typedef struct rows rows;
enum {
  ROW_MAX = 128 /* columns */
};
rows *rows_new(const char *schema, const column *columns, size_t n);
/* `count` rows that are not kept: each is filled, from cleared cells, whenever
 * it is written. */
rows *rows_made(const char *schema, const column *columns, size_t n,
                size_t count,
                void (*fill)(cell *row, const void *closure, size_t j),
                const void *closure);
/* Rows that cannot be made for want of memory. */
rows *rows_lost(void);
void rows_free(rows *r);
/* A table that is too wide is cut into several; each begins with the columns
 * that say which row it is, or, by this, with the first `keys`. */
void rows_repeat(rows *r, size_t keys);
size_t rows_count(const rows *r);
cell *rows_add(rows *r); /* n cells, cleared, until the next is added */
void set_text(cell *c, const char *text); /* NULL is "" */
const char *cell_text(const cell *c);
int rows_write(const rows *r, format f, output *o, failure *why);
/* Writes them, unless the status that they were made with is a failure, and
 * frees them; returns the status. */
int rows_end(int status, rows *r, format f, output *o, failure *why);
/* An answer: in one sentence or a few, and the number that is in it, with one
 * standard error each way.  The numbers are SI, NaN where there are none. */
typedef struct claim {
  char text[1024];
  double value, low, high;
  double probability; /* that it is so; NaN: nobody can tell */
} claim;
void claim_begin(claim *c);
/* Appends to the text. */
void claim_say(claim *c, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
/* As a paragraph, in lines of at most LINE_WIDTH. */
void claim_put(FILE *f, const claim *c);
/* JSON says it before the rows, as "answer"; it outlives them. */
void rows_answer(rows *r, const claim *c);
/* Lines of CSV, for those that write more rows than can be kept. */
void csv_put_names(FILE *f, const column *columns, size_t n);
void csv_put_row(FILE *f, const column *columns, size_t n, const cell *row);
/* A JSON string; what is not UTF-8 becomes `?`. */
void put_json_text(FILE *f, const char *text);

/* ---- text for people (text.c) -------------------------------------------- */

enum {
  LINE_WIDTH = 80
};
/* Characters, not bytes, of UTF-8. */
int text_width(const char *text);
/* Bytes of `text` that a line of at most `width` characters holds, ended where
 * a word, or an entry of a list, ends, if it can be; *next is where the next
 * line begins. */
size_t text_fit(const char *text, int width, size_t *next);
/* Characters of the longest word, at most `most`. */
int text_least(const char *text, int most);
/* Prints one paragraph, in lines of at most LINE_WIDTH, all but the first
 * indented by `hang`. */
void put_line(FILE *f, int hang, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

/* As vprintf() writes it, until the next call; cut if it is longer than
 * anything that is said.  It takes no memory, and so cannot fail. */
const char *formatted(const char *words, va_list arguments)
    __attribute__((format(printf, 1, 0)));
/* Text inside XML and HTML, or inside an attribute's double quotes. */
void put_markup(FILE *f, const char *text);

/* ---- progress (progress.c) ----------------------------------------------- */

/* Says "WHAT: DONE of ALL" in one line of stderr, if that is a terminal and a
 * second has gone by since the first call; progress_end() wipes it away. */
void progress(const char *what, size_t done, size_t all);
void progress_end(void);

/* ---- options (options.c, lists.c): one table makes parser and help
 * --------------- */

typedef struct options {
  const char *verb;
  const char **argument; /* options_free() frees the list */
  size_t arguments;
  const char *system, *base, *fit, *gpus, *paradigm, *link, *sizes, *runs,
      *traces, *output;
  const char *queue, *capacity, *watermark, *profile, *tlb, *ways, *subheader,
      *windows, *timeout, *atomics; /* of replay */
  const char *against, *commit, *demands, *estimate, *transfer;
  const char *from, *device, *hosts; /* of project */
  const char *laws;                  /* N given to --baselines, or NULL */
  const char *trace;                 /* file given to --timeline, or NULL */
  format format;
  bool said; /* --runs: of each the system must be said */
  bool partial, ecrc, short_address, proposed, refit, strict, no_single, best,
      help, config_packets, summary, timeline, all, coverage, terminal,
      in_sample;
  int worst; /* misses to be shown */
  bool worst_given;
  double payload, offset, page, granule; /* B; 0: not given */
  double within;                         /* of compare; 0: not given */
  double max_error;                      /* NaN: not given */
  double perturb;                        /* a share; 0: not given */
  double steps;                          /* 0: not given, steady steps */
  const char *over[16];                  /* each --over */
  size_t overs;
  const char *period, *ncu; /* of describe */
  const char *profiled;     /* --profiled */
  const char *also[8];      /* each --also */
  size_t alsos;
  const char *design, *shard, *what, *until, *crossover, *price;
  int points, seed, skip, jobs; /* 0: not given */
  bool errors, resume, merge, weak, knee, show, pairs;
  settings set, where;
} options;

/* The files named from argument `first` on, of tools that gscale_import
 * knows, into m. */
int read_logs(gscale_measurements *m, const options *o, size_t first,
              failure *why);

/* ---- what is asked about (system_option.c)
 * --------------------------------------- */

/* The system that the options name; with --link, that one in place of its own,
 * and its numbers that -P gave kept.  The label is its name, then NAME:LINK. */
typedef char system_label[2 * GSCALE_NAME_MAX];
int load_asked_system(options *o, gscale_system **out, about *more,
                      system_label name, failure *why);
/* Puts the link of o->link in place of the system's, and in its label. */
int put_link(options *o, gscale_system *s, system_label name, failure *why);
/* "initiation" */
const char *part_name(gscale_part p);
/* "chunk=131072;width=2048": those that are set, in SI units. */
void print_knobs(char *text, size_t size, const gscale_knobs *k);

/* A verb; cli/verbs/NAME.c defines verb_NAME, and that is all that there is to
 * say of it: main.c finds it. */
typedef struct verb {
  int place; /* in the list of verbs, the lowest first */
  const char *name;
  const char *usage;    /* "WORKLOAD --system SYSTEM ..." */
  const char *summary;  /* one line */
  const char *examples; /* two or three lines; tests run the first as it is */
  const char *accepts;  /* names of options, space-separated */
  int (*run)(options *o, failure *why);
} verb;

int options_parse(options *o, const verb *v, int argc, char **argv,
                  failure *why);
void options_free(options *o);
void options_help(FILE *f, const verb *v);

/* "1-16", "1,2,4,8", "1-4,8" -> rising list of distinct N */
enum {
  GPUS_MAX = 2048 /* as gscale_plan_new() has it */
};
int parse_gpus(const char *option, const char *text, int *gpus, size_t *n,
               failure *why);
enum {
  PARADIGMS_MAX = 64
};
/* "all" (existing ones, and proposed if asked; memcpy by each way between
 * nodes, too) or names, also of pairs ("memcpy+gpudirect") -> indices, and ways
 * between nodes as gscale_knobs has them; *named = the user gave names, so an
 * unmet need is said. */
int parse_paradigms(const char *text, bool proposed, size_t *index,
                    size_t *between, size_t *n, bool *named, failure *why);
/* Takes NAME.chunk, NAME.width, NAME.algorithm, NAME.protocol, NAME.host and
 * NAME.between of one paradigm from the settings; the last, unless it is there,
 * is left as it was. */
int take_knobs(settings *set, size_t paradigm, gscale_knobs *out, failure *why);
/* The algorithm or the protocol of collectives; EXIT_USAGE, naming those that
 * there are. */
int parse_coll_knob(const char *name, const char *value, gscale_knobs *out,
                    failure *why);
/* What the host of `infinite` waits for: "least", or what the "program" says.
 */
int parse_host_knob(const char *value, gscale_knobs *out, failure *why);
/* "1", "10", ... whole and in range, or EXIT_USAGE naming `option`. */
int parse_whole(const char *option, const char *text, int least, int most,
                int *out, failure *why);
/* "64KiB", or "64" of bytes: whole, from `least` to 2^50. */
int parse_size(const char *option, const char *text, double least, double *out,
               failure *why);
/* "4,8,32,128" or "4-4096" (by powers of two), in bytes. */
enum {
  SIZES_MAX = 64
};
int parse_sizes(const char *text, double *sizes, size_t *n, failure *why);
/* "pcie3,nvlink4" */
enum {
  LINKS_MAX = 32
};
int parse_links(const char *text, const gscale_link **links, size_t *n,
                failure *why);

/* Calls each(word, closure, why) for every word of "a,b,c"; none may
 * be empty. */
int each_word(const char *option, const char *list,
              int (*each)(const char *word, void *closure, failure *why),
              void *closure, failure *why);

/* EXIT_USAGE unless there are n arguments, `what` names them. */
int need_arguments(const options *o, size_t n, const char *what, failure *why);
/* Index of a paradigm, and its way between nodes as gscale_knobs has it
 * ("memcpy", "memcpy+gpudirect", "gpudirect"), or EXIT_DATA with the nearest
 * name. */
int find_paradigm(const char *word, size_t *index, size_t *between,
                  failure *why);
/* As rows_end(), into a file of their own: o->output, as o->format says. */
int rows_print(int status, rows *r, const options *o, failure *why);
/* The same, with what was found first: its text before a table. */
int rows_print_answer(int status, rows *r, const claim *c, const options *o,
                      failure *why);

#endif /* GPUSCALE_CLI_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
