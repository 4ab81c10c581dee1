/* taped.h - what the files of the tape (tape.c) share; for them only. */
#ifndef GPUSCALE_TAPED_H
#define GPUSCALE_TAPED_H

#include "language/tape.h"

/* Lua asks nobody whether a number equals what is none, what is at a key, nor
 * up to what a loop goes.  So the source says `a <= EQUALS .. b` for `a == b`,
 * which binds as that does, `a > DIFFERS .. b` for `a ~= b`, `[PLAIN(k)]`, and
 * `for i = PLAIN(a), PLAIN(b) do`. */
#define EQUALS  "__gpuscale_equals"
#define DIFFERS "__gpuscale_differs"
#define PLAIN   "__gpuscale_plain"

typedef enum op {
  CONSTANT, /* or a knob */
  ADD,
  SUB,
  MUL,
  DIV,
  MOD,
  IDIV,
  POW,
  NEG,
  FLOOR,
  CEIL,
  SQRT,
  ABS,
  EXP,
  LOG,
  LOG2,
  LOG10,
  SIN,
  COS,
  TAN,
  LESS, /* from here on what is asked of two numbers */
  LESS_EQUAL,
  EQUAL
} op;

/* A number; a whole one is an integer to Lua. */
typedef struct step {
  op does;
  bool whole;
  bool holds;  /* of a comparison: what came out */
  bool serves; /* something that is kept is made of it */
  int a, b;    /* of earlier steps */
} step;

/* Where a number goes, and of what steps it is. */
typedef struct kept {
  enum {
    TO_PHASE,
    TO_PHASE_ON, /* gpus */
    TO_HOST,
    TO_SINGLE,
    TO_WORK /* index, of the schedule for gpus */
  } goes;
  int gpus;
  gscale_put put; /* and its value */
  traced from;    /* each step is one */
  gscale_param p; /* its origin and source */
  gscale_work work;
  traced_work of_work;
} kept;

struct tape {
  size_t knobs;
  struct {
    const char *name, *unit;
    bool seen;
    knob_range range;
    double x, value; /* the last number, and what -P makes of it */
  } knob[GSCALE_AXES_MAX];
  bool ended;
  size_t steps, room;
  step *step;    /* [0] is none, then knobs */
  double *value; /* of each */
  int *table;    /* steps by what they are */
  size_t n, places;
  kept *kept;
  gscale_put *put; /* those of phases, at once */
  bool (*more)(gscale_workload *w, void *closure);
  void (*let_go)(void *closure);
  void *closure;
};

/* Steps are numbered from 1; the same step of the same steps is one.  0: the
 * recording cannot go on. */
int tape_constant(tape *t, double value, bool whole);
int tape_step(tape *t, op does, bool whole, int a, int b);
/* What is asked of them; noted with the answer. */
bool tape_ask(tape *t, op asks, int a, int b);
bool tape_whole(const tape *t, int step); /* an integer to Lua */
double tape_value(const tape *t, int step);
/* The step of that knob, which has that value; 0: it is not recorded. */
int tape_knob(tape *t, const char *name, const knob_range *range, double value);

/* Step i anew, of steps that are; false where step() would go another way. */
bool tape_redo(tape *t, size_t i);
/* False if these are no values of the knobs. */
bool tape_take_knobs(tape *t, const double *x);

/* What the values are that Lua has in place of recorded numbers; the tape of
 * the description that runs; the step at an index, or 0. */
extern const char tape_type[];
void tape_run(lua_State *L, tape *t);
tape *tape_of(lua_State *L);
int tape_recorded(lua_State *L, int index);

#endif /* GPUSCALE_TAPED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
