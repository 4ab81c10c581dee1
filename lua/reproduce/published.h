/* published.h - what documents print, and whether ours meets it. */
#ifndef GPUSCALE_PUBLISHED_H
#define GPUSCALE_PUBLISHED_H

#include "cli/cli.h"

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
  RELATION_BEST, /* ours is time / time of our best */
  RELATION_END
} relation;

/* A row of data/published/, and what came of it. */
typedef struct published {
  char id[16], document[24], place[64], system[48], quantity[128], unit[40],
      conditions[128], relation_text[16], value[48], tolerance[16], note[256];
  relation relation;
  standing standing;
  double least, most; /* the printed number; NaN if it is none */

  bool known; /* ours is */
  bool met;
  double ours;
  char detail[96]; /* what ours is, where a number does not say it */
  char how[256];   /* the expression */
  char from[32];   /* the file of recipes */
} published;

/* A constant chosen to match printed numbers. */
typedef struct fitted {
  char name[64], value[48], rows[64];
} fitted;

enum {
  FITTED_MAX = 64
};
typedef struct publication {
  published *v;
  size_t n;
  fitted constant[FITTED_MAX];
  size_t constants;
} publication;

/* All rows of data/published/ *.csv.  Free in either case. */
int publication_read(publication *p, failure *why);
void publication_free(publication *p);
/* NULL if there is no such row. */
published *publication_find(const publication *p, const char *id);
/* True if rows of this standing are compared. */
bool is_judged(standing s);
/* Compares r->ours with what is printed. */
bool published_met(const published *r);

/* Fills in ours for the row `id`, or for all if it is NULL, by its recipe in
 * lua/published/ *.lua, and the constants.  What needs a trace that is not
 * there stays unknown, and `detail` says which. */
int publication_reproduce(publication *p, const char *id, const options *o,
                          failure *why);

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
