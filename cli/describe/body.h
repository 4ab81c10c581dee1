/* body.h - a program's step, in lines of Lua. */
#ifndef GPUSCALE_DESCRIBE_BODY_H
#define GPUSCALE_DESCRIBE_BODY_H

#include "describe/host.h"
#include "describe/partners.h"

enum {
  BODY_LINE = 160,
  BODY_SIZES = 8, /* sizes of copies that get a knob each */
  BODY_PHASES = 60
};

typedef struct body_phase { /* kernels that are one phase */
  char name[48];
  uint32_t symbol;
  double time, err;   /* s, the mean of its launches */
  double flop, bytes; /* by ncu; 0: not said */
  size_t launches;
  double serial, serial_err; /* of its time, what more GPUs do not shrink */
  bool serial_known;         /* by another run */
} body_phase;

typedef struct body {
  const profile *p;
  const host_calls *host;
  const other_run *other;
  size_t others;
  double
      gpus; /* of the run: those that are seen, or the ranks that one is of */
  int gpu;  /* that is written down: it has most work */
  body_phase *phase;
  size_t phases;
  size_t *phase_of; /* of each slot; NONE */
  double *weight;   /* of each slot: its time over its phase's */
  int stream[64];   /* as records have them; the first is the default */
  char stream_name[64][16];
  size_t streams;
  double size[BODY_SIZES]; /* B, of copies to others */
  size_t sizes;
  bool rule[PARTNERS_END];         /* that fit all GPUs */
  partner_rule chosen;             /* END: no copies to others */
  double serial, serial_err;       /* the mean of the phases, over their time */
  double growth;                   /* of copies */
  bool serial_known, growth_known; /* by other runs */
  bool sided;                      /* a GPU copies to one side at a time */
  bool one_thread, guessed_calls, guessed_barrier, guessed_waits;
  size_t place[BODY_SIZES]; /* of one GPU: phases behind which others are sent
                             * to */
  size_t places, launched;  /* phase of the last launch; NONE: sent since */
  size_t collectives;
  double collective_time;
  char (*line)[BODY_LINE];
  size_t lines, room;
  bool lost; /* no memory for a line */
} body;

/* Of a run, by others of the same program too. */
int body_make(body *b, const profile *p, const host_calls *h,
              const other_run *other, size_t others, failure *why);
void body_free(body *b);
/* other_runs.c: fills in what one run cannot say; which that is, on stderr. */
void learn_from_others(body *b);
void say_others(const body *b);
/* On stderr, once the description is written (assumptions.c). */
void list_guesses(const body *b, const options *o);

#endif /* GPUSCALE_DESCRIBE_BODY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
