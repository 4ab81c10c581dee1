/* cli.h - what the files of lua/ share: the program around the library. */
#ifndef GPUSCALE_CLI_H
#define GPUSCALE_CLI_H

#include "gpuscale.h"

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

/* Its text on stderr, each line with the program's name. */
void print_failure(const failure *why);

int fail(failure *why, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The exit status that a library status stands for. */
int exit_of(gscale_status st);
/* fail() with exit_of(st) and the text of *diag. */
int fail_gscale(failure *why, gscale_status st, const gscale_diag *diag);

/* The name nearest to `word` by edit distance (at most a third of it wrong),
 * or NULL: for "did you mean". */
const char *nearest(const char *word, const char *const names[], size_t n);

/* ---- settings: -P name=value -------------------------------------------- */

enum {
  SETTINGS_MAX = 64
};
typedef struct settings {
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
/* EXIT_USAGE naming the first setting nobody used. */
int settings_all_used(const settings *s, failure *why);

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
  KIND_WORKLOAD
} kind;

/* What `list` and `explain` show of a description. */
enum {
  KNOBS_MAX = 32
};
typedef struct about {
  char name[GSCALE_NAME_MAX];
  char summary[160];
  char path[512]; /* the file it came from */
  size_t knobs;
  struct {
    char name[32];
    char value[64]; /* in force, as text */
    char doc[96];
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

/* Calls each(path, name, closure) for every *.lua of that kind on the search
 * path, sorted by name, the first of equal names only. */
int each_description(kind k,
                     int (*each)(const char *path, const char *name,
                                 void *closure, failure *why),
                     void *closure, failure *why);

/* Find `dir/name` below the roots of the search path (for plots/). */
int find_shared(const char *relative, char *path, size_t size, failure *why);

/* ---- output ------------------------------------------------------------- */

typedef enum format {
  FORMAT_TABLE,
  FORMAT_CSV,
  FORMAT_JSON
} format;

/* What a verb prints.  It is kept in memory and appears whole or not at all: a
 * file is written as a temporary beside it and renamed; stdout if path is NULL
 * or "-"; devices and pipes are written as they are. */
typedef struct output {
  FILE *f; /* in memory until output_close */
  const char *path;
  char *text;
  size_t size;
} output;

int output_open(output *o, const char *path, failure *why);
/* Writes, checks every write, renames.  EXIT_IO if anything was lost; without
 * words if the reader of a pipe is gone. */
int output_close(output *o, failure *why);
void output_discard(output *o);

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
/* Those of a prediction's parts, in the columns from `first` on. */
#define PART_TIMES(first)                                                      \
  [(first) + GSCALE_PART_COMPUTE] = SECONDS("compute"),                        \
             [(first) + GSCALE_PART_HOST] = SECONDS("host"),                   \
             [(first) + GSCALE_PART_TRANSFER] = SECONDS("transfer"),           \
             [(first) + GSCALE_PART_INITIATION] = SECONDS("initiation"),       \
             [(first) + GSCALE_PART_TRACKING] = SECONDS("tracking"),           \
             [(first) + GSCALE_PART_TAIL] = SECONDS("tail"),                   \
             [(first) + GSCALE_PART_LATENCY] = SECONDS("latency")

typedef struct cell {
  char text[256]; /* COLUMN_TEXT */
  double number;  /* the others; NaN = missing */
} cell;

/* Rows of cells under columns, written in any of the three formats:
 * CSV with 17 significant digits and quoting where needed; JSON
 * {"schema": SCHEMA, "rows": [...]} by jansson, NaN as null; an aligned table
 * with units for people. */
typedef struct rows rows;
rows *rows_new(const char *schema, const column *columns, size_t n);
void rows_free(rows *r);
size_t rows_count(const rows *r);
cell *rows_add(rows *r); /* n cells, cleared; NULL if out of memory */
void set_text(cell *c, const char *text); /* NULL is "" */
int rows_write(const rows *r, format f, output *o, failure *why);

/* ---- options (options.c): one table makes parser and help --------------- */

typedef struct options {
  const char *verb;
  const char *argument[64];
  size_t arguments;
  const char *system, *base, *fit, *gpus, *paradigm, *link, *sizes, *runs,
      *traces, *output;
  const char *queue, *capacity, *watermark, *profile, *tlb, *ways, *subheader,
      *windows, *timeout; /* of replay */
  const char *against, *commit, *demands;
  const char *laws; /* N given to --baselines, or NULL */
  format format;
  bool partial, ecrc, short_address, proposed, no_single, best, help,
      config_packets, summary;
  int worst;                             /* misses to be shown */
  double payload, offset, page, granule; /* B; 0: not given */
  double max_error;                      /* NaN: not given */
  double steps;                          /* 0: not given, steady steps */
  settings set;
} options;

typedef int verb_main(options *o, failure *why);
typedef struct verb {
  const char *name;
  const char *usage;    /* "WORKLOAD --system SYSTEM ..." */
  const char *summary;  /* one line */
  const char *examples; /* two or three lines */
  const char *accepts;  /* names of options, space-separated */
  verb_main *run;
} verb;

extern const verb verbs[]; /* ends with a NULL name */
verb_main predict_main, compare_main, explain_main, goodput_main, validate_main,
    freeze_main, plot_main, list_main, run_main, calibrate_main, tune_main,
    replay_main, reproduce_main; /* verbs/ */
int options_parse(options *o, const verb *v, int argc, char **argv,
                  failure *why);
void options_help(FILE *f, const verb *v);

/* "1-16", "1,2,4,8", "1-4,8" -> rising list of distinct N */
enum {
  GPUS_MAX = 4096
};
int parse_gpus(const char *option, const char *text, int *gpus, size_t *n,
               failure *why);
/* "all" (existing ones, and proposed if asked) or names -> indices;
 * *named = the user gave names, so an unmet need is an error. */
int parse_paradigms(const char *text, bool proposed, size_t *index, size_t *n,
                    bool *named, failure *why);
/* Takes NAME.chunk and NAME.width of one paradigm from the settings. */
int take_knobs(settings *set, size_t paradigm, gscale_knobs *out, failure *why);
/* "1", "10", ... whole and in range, or EXIT_USAGE naming `option`. */
int parse_whole(const char *option, const char *text, int least, int most,
                int *out, failure *why);
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
/* Index of a paradigm, or EXIT_DATA with the nearest name. */
int find_paradigm(const char *word, size_t *index, failure *why);
/* Opens o->output, writes the rows as o->format says, closes. */
int rows_print(const rows *r, const options *o, failure *why);

/* ---- a question: system, workload, paradigms, N (question.c) ------------ */

/* The system that the options name; with --link, that one in place of its own,
 * and its numbers that -P gave kept.  The label is its name, then NAME:LINK. */
typedef char system_label[2 * GSCALE_NAME_MAX];
int load_asked_system(options *o, gscale_system **out, about *more,
                      system_label name, failure *why);

enum {
  PARADIGMS_MAX = 64
};
typedef struct question {
  gscale_system *system;
  gscale_workload *workload;
  about about_system, about_workload;
  system_label name; /* of the system */
  size_t paradigms;
  size_t paradigm[PARADIGMS_MAX];
  gscale_knobs knobs[PARADIGMS_MAX]; /* as given, NaN if not */
  double steps; /* over which one-off costs are spread; 0: left out */
  bool named;   /* the user gave the names: an unmet need is a failure */
  size_t n;
  int gpus[GPUS_MAX];
} question;

/* Numbers of GPUs if the options name none. */
typedef enum default_gpus {
  GPUS_DOUBLED, /* 1, 2, 4, ... as built */
  GPUS_EVERY    /* 1 .. as built */
} default_gpus;

/* What the options ask; their last argument is the workload.  Free it in either
 * case. */
int question_load(question *q, options *o, default_gpus gpus, failure *why);
void question_free(question *q);

/* The prediction of one (paradigm, N). */
typedef struct answer {
  bool met; /* false: the paradigm's needs are not met; the rest is unset */
  gscale_prediction p;
  double err; /* s, NaN if not asked for */
  gscale_applicability applicability;
} answer;

/* Room for all of them: answers[i * q->n + j] is paradigm i on q->gpus[j]. NULL
 * if out of memory.  Free it. */
answer *question_answers(const question *q);
/* Those on q->gpus[j]. */
int question_answer_at(const question *q, size_t j, bool with_error, answer *a,
                       failure *why);
/* One note on stderr, however many N are beyond what was built. */
void question_note_beyond(const question *q);
/* All three in one. */
int question_answer(const question *q, bool with_error, answer **out,
                    failure *why);
/* Of the paradigms that move data the one that is fastest on q->gpus[j], the
 * first of equals; if there are none, whatever ran; else q->paradigms. */
size_t question_best(const question *q, const answer *a, size_t j);
/* Name of its i-th paradigm. */
const char *question_paradigm(const question *q, size_t i);

/* "chunk=131072;width=2048": those that are set, in SI units. */
void print_knobs(char *text, size_t size, const gscale_knobs *k);

/* ---- the same question about several systems (comparison.c) ------------- */

typedef struct subject {
  question q;
  answer *a;
} subject;

typedef struct comparison {
  size_t n;
  subject *v;
} comparison;

/* Each word of --system, and after each the same system with each word of
 * --link in place of its own; two at least, all with names of their own.  Free
 * it in either case. */
int comparison_load(comparison *c, options *o, default_gpus gpus, failure *why);
int comparison_answer(comparison *c, bool with_error, failure *why);
void comparison_free(comparison *c);

/* ---- predictions as rows (prediction.c) --------------------------------- */

/* The columns, a contract of README.md; returns how many. */
size_t prediction_columns(const column **out);
/* Fills those of the answer to paradigm i on q->gpus[j]. */
void prediction_row(cell *c, const question *q, size_t i, size_t j,
                    const answer *a);
/* Appends a row for each answer whose needs were met. */
int prediction_rows(rows *r, const question *q, const answer *a, failure *why);
/* "compute: ...": what a mechanism is, in words. */
const char *mechanism_words(gscale_mechanism m);

/* ---- scripts (script.c) ------------------------------------------------- */

/* Runs a script of the user's; what it writes goes to the options' output. */
int script_run(const options *o, const char *path, failure *why);

/* ---- measured runs (runs.c) --------------------------------------------- */

typedef struct run {
  char workload[GSCALE_NAME_MAX];
  char knobs[160]; /* as in the file */
  size_t paradigm;
  int gpus, line;
  const char *path;   /* the caller's: runs of one file are one session */
  double time, sigma; /* s */
  settings set;       /* the workload's knobs */
  gscale_knobs k;     /* the paradigm's */
} run;

/* Appends the rows workload,paradigm,knobs,gpus,time_s,sigma_s of a file to
 * *out (n of them; NULL and 0 at first).  Free *out in either case. */
int runs_read(const char *path, run **out, size_t *n, failure *why);
/* The same without the last two columns: runs that are yet to be measured. */
int runs_read_plan(const char *path, run **out, size_t *n, failure *why);
/* Puts "path:line: " before the words of *why. */
int runs_blame(const run *r, failure *why);
/* "jacobi n=512;word=4": its program with its knobs. */
void run_title(const run *r, char *text, size_t size);
/* The same program with the same knobs of its own, whatever the paradigm's. */
bool runs_alike(const run *a, const run *b);
/* The same paradigm with the same knobs of its own, on as many GPUs. */
bool runs_same_row(const run *a, const run *b);
/* Its infinite run on so many GPUs, from its own file if there is one; NULL if
 * it was not measured. */
const run *runs_infinite(const run *runs, size_t n, const run *of, int gpus);
/* That on one GPU. */
const run *runs_single(const run *runs, size_t n, const run *of);
/* Makes it the measured single-GPU time of *w. */
int runs_give_single(const run *single, gscale_workload *w, failure *why);
/* True for the fastest of the runs of its file that differ in the paradigm's
 * knobs only. */
bool runs_is_best(const run *runs, size_t n, size_t i);

/* ---- calibrations (calibration.c) --------------------------------------- */

/* Measurements over a base, and what was fitted. */
typedef struct calibration {
  options *o;
  size_t first; /* of the arguments that are files */
  gscale_system *system;
  about base;
  gscale_measurements *data;
  gscale_calibration report;
} calibration;

/* Reads o->base and the files from argument `first` on, fits; links about which
 * the files disagree are named on stderr. */
int calibration_make(calibration *c, options *o, size_t first, failure *why);
void calibration_free(calibration *c);

/* ---- descriptions written (verbs/calibrate.c) --------------------------- */

/* A number with its origin, as a description has it: "measured(1, 0.1, ...)".
 */
void put_origin(FILE *f, const gscale_param *p, gscale_dim dim);

/* ---- figures (gnuplot.c) ------------------------------------------------ */

/* Writes `text` as a single-quoted gnuplot string. */
void gnuplot_text(FILE *script, const char *text);
/* Copies plots/NAME into the script. */
int gnuplot_include(FILE *script, const char *name, failure *why);

/* A script in memory that becomes a figure (figure.c). */
typedef struct figure {
  FILE *f;
  char *text;
  size_t size;
} figure;

/* Begins with style.gp. */
int figure_begin(figure *g, failure *why);
void figure_data(FILE *f, const char *name); /* $name << ... */
void figure_end(FILE *f);
void figure_number(FILE *f, double v); /* NaN if not finite */
/* Appends plots/FILE and draws all into o->output. */
int figure_draw(figure *g, const char *file, const char *title,
                const options *o, failure *why);
void figure_free(figure *g);

/* Line types of style.gp: a paradigm has the same one in every figure. */
enum {
  LINE_TYPES = 12
};

int plot_fit(options *o, failure *why);  /* plot_fit.c */
int plot_tune(options *o, failure *why); /* verbs/tune.c */

/* Runs gnuplot on a script; the SVG goes to `out`, with that title. */
int gnuplot_draw(const char *script, size_t size, const char *title, FILE *out,
                 failure *why);

#endif /* GPUSCALE_CLI_H */
