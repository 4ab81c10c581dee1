/* published.h - what documents print, and whether ours meets it. */
#ifndef GPUSCALE_PUBLISHED_H
#define GPUSCALE_PUBLISHED_H

#include "common/cli.h"

/* How a printed number is known to us; data/published/README.md says it in
 * words. */
typedef enum standing {
  STANDING_STRUCTURAL, /* follows from a definition */
  STANDING_COMPUTED,   /* from formats, geometry, other printed numbers */
  STANDING_PREDICTED,  /* by the model; its constants fitted to other rows */
  STANDING_FITTED,     /* a constant was chosen to match it */
  STANDING_CONFLICT,   /* the documents print two things */
  STANDING_UNKNOWN,    /* not computable; the note says why */
  STANDING_INPUT,      /* a parameter */
  STANDING_CONTEXT,    /* neither */
  STANDING_END
} standing;

const char *standing_name(standing s);

typedef enum relation {
  RELATION_NONE, /* not judged */
  RELATION_EQ,
  RELATION_APPROX,
  RELATION_BELOW, /* near, but not above */
  RELATION_LT,
  RELATION_LE,
  RELATION_GT,
  RELATION_GE,
  RELATION_BEST,  /* ours is time / time of our best */
  RELATION_ORDER, /* ours is the share of its comparisons that hold */
  RELATION_END
} relation;

/* What a row can show, from most to least (sheet.c). */
typedef enum worth {
  WORTH_NONE,       /* not judged, or not known: the sheet is of all rows */
  WORTH_SHARP,      /* two-sided, within a fifth of the value */
  WORTH_BAND,       /* two-sided, wider */
  WORTH_INEQUALITY, /* one side only */
  WORTH_CHOICE,     /* one configuration of many */
  WORTH_ORDERING,   /* which of several is ahead */
  WORTH_STAND_IN,   /* of another machine or program than the document names */
  WORTH_FITTED,     /* a constant was chosen to match it */
  WORTH_REPEAT,     /* the expression, or the number, of an earlier row */
  WORTH_IDENTITY,   /* of printed numbers alone: no model in it */
  WORTH_DEFINITION, /* structural */
  WORTH_END
} worth;

const char *worth_name(worth w);

/* A row of data/published/, and what came of it. */
typedef struct published {
  char id[16], document[24], place[64], system[48], quantity[128], unit[40],
      conditions[128], relation_text[16], value[48], tolerance[16], note[256];
  char machine[64], program[96]; /* that it is of, in our names; empty: none */
  relation relation;
  standing standing;
  double least, most; /* the printed number; NaN if it is none */

  bool counted, expected; /* strictly; and to be met: strict.csv */
  char reason[16];        /* its class there, or empty */
  bool beside; /* a row of its chart was fitted, so that it is less strict */
  double span_least, span_most; /* that documents contradict each other by */

  bool known; /* ours is */
  bool met;
  double ours;
  double null;     /* of a choice: share of all that would be met, or NaN */
  char detail[96]; /* what ours is, where a number does not say it */
  char how[256];   /* the expression */
  char from[32];   /* the file of recipes */

  bool modelled;                    /* by equations, predictions or replays */
  char machines[96], programs[128]; /* that ours is of, sorted */
  char constants[256];              /* fitted ones, by name */
  size_t choices;                   /* how many of ours it rests on */
  worth worth;
  char repeats[16];   /* id of the earlier row */
  size_t questions;   /* predictions that ours is made of, one after another */
  char question[640]; /* the last of them, as a command line */
} published;

/* A number of ours: fitted to rows, or chosen. */
typedef struct constant {
  char name[64], text[48]; /* as a recipe gets it */
  bool number;             /* the text is one */
  bool fitted;
  char why[160], other[48]; /* of a choice; what else words may be, or "" */
  char after[160];          /* of a reading made after rows were seen: those */
  char rows[64];            /* of a fitted one */
  char unit[8];             /* of its value, or empty */
  char system[64], key[64]; /* of systems that say it: their names, its own, */
  char workload[24];        /* or of a workload: its knob */
  char from[16];            /* the file of recipes */
  double value, least, most;
} constant;

/* What a recipe may set, and the row or page that says its value. */
typedef struct setting_from {
  char key[64], from[160];
} setting_from;

enum {
  CONSTANTS_MAX = 160,
  SETTINGS_OF_ROWS = 160
};
typedef struct publication {
  published *v;
  size_t n;
  constant constant[CONSTANTS_MAX];
  size_t constants;
  setting_from setting[SETTINGS_OF_ROWS];
  size_t settings;
  const struct publication *held; /* its constants are taken, or NULL */
  bool strict;                    /* only rows that count are filled in, */
  const char *of; /* that constants of this file touch, or NULL */
} publication;

/* All rows of data/published/ *.csv.  Free in either case. */
int publication_read(publication *p, failure *why);
void publication_free(publication *p);
/* NULL if there is no such row. */
published *publication_find(const publication *p, const char *id);
/* True if rows of this standing are compared. */
bool is_judged(standing s);
/* The numbers between which ours meets what is printed, if it is two-sided. */
double published_least(const published *r);
double published_most(const published *r);
/* Compares r->ours with what is printed. */
bool published_met(const published *r);

/* Fills in ours for the row `id`, or for all if it is NULL, by its recipe in
 * lua/published/ *.lua, and the constants anew.  What needs a trace that is not
 * there stays unknown, and `detail` says which. */
int publication_reproduce(publication *p, const char *id, const options *o,
                          failure *why);

/* True if the constant was fitted to the row. */
bool is_fitted_to(const constant *c, const char *id);

/* ---- the score sheet (sheet.c) --------------------------------------------
 */

/* Fills in worth and repeats of all rows. */
void sheet_fill(publication *p);
/* The strict count: the first that is read. */
void strict_print(FILE *f, const publication *p);
typedef struct counted { /* rows that count, of one kind of document */
  size_t all, met, unknown, apart, apart_met;
} counted;
counted strict_counted(const publication *p, bool nodes);
/* The rows that count and are missed; the readings made after rows were seen,
 * and the rows that they decide. */
void strict_missed(FILE *f, const publication *p);
void strict_readings(FILE *f, const publication *p);
/* The ids of rows that are expected to be met and are not, with blanks between;
 * how many.  Those for want of a trace do not count. */
size_t strict_lost(const publication *p, char *ids, size_t size);
/* Whether a document, or a file of recipes, is on messages between nodes. */
bool is_between_nodes(const char *name);
/* Counts and marks. */
void sheet_print(FILE *f, const publication *p);
/* True if some mark is missed, whatever rows that were not computed give. */
bool sheet_misses(const publication *p);
/* True if a row could not be computed here: a trace is not there. */
bool is_missing(const published *r);

/* ---- refitting (refit.c) --------------------------------------------------
 */

/* Fits each constant to the rows it names, or only those that name the row
 * `id`, and fills in ours by those values. */
int publication_refit(publication *p, const char *id, const options *o,
                      failure *why);

/* ---- moving constants (perturb.c) ------------------------------------------
 */

/* Moves each constant, fitted or chosen, by that share up and down (a whole
 * number by one at least, words to their other), all else as it is: prints the
 * counted rows that are then missed and those that are then met. */
int publication_perturb(publication *p, const options *o, failure *why);

/* ---- figures ------------------------------------------------------------ */

/* A figure of a document: our curves, and what its text states. */
enum {
  CATEGORIES_MAX = 24,
  SERIES_MAX = 24
};
typedef struct mark {
  size_t series;
  bool printed; /* stated in the text, not ours */
  double x, y;
} mark;

typedef struct chart {
  char name[24], title[96], x[64], y[64], from[32];
  bool log_x, log_y;
  char category[CATEGORIES_MAX][24]; /* names of x = 1, 2, ... */
  size_t categories;
  char series[SERIES_MAX][48];
  size_t all_series;
  mark *v;
  size_t n, room;
} chart;

/* The figure NAME of lua/published/ *.lua.  Free in either case. */
int chart_read(chart *c, const char *name, const options *o, failure *why);
void chart_free(chart *c);
/* Draws it into o->output. */
int chart_draw(const chart *c, const options *o, failure *why);
/* Calls each(name, title, closure) for every figure, in order of the files and
 * of their names. */
int each_chart(const options *o,
               void (*each)(const char *name, const char *title, void *closure),
               void *closure, failure *why);

#endif /* GPUSCALE_PUBLISHED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
