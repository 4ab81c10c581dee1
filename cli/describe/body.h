/* body.h - the step of a program as lines of Lua. */
#ifndef GPUSCALE_DESCRIBE_BODY_H
#define GPUSCALE_DESCRIBE_BODY_H

#include "describe/host.h"
#include "describe/partners.h"

enum {
  BODY_LINE = 160,
  BODY_SIZES = 8, /* copy sizes with knobs */
  BODY_PHASES = 60
};

typedef struct body_phase { /* kernels of one phase */
  char name[48];
  uint32_t symbol;
  double time, err;   /* mean of launches in s */
  double flop, bytes; /* from ncu; 0: unknown */
  size_t launches;
  double serial, serial_err; /* share of the phase's time */
  bool serial_known;         /* from another run */
} body_phase;

typedef struct body {
  const profile *p;
  const host_calls *host;
  const other_run *other;
  size_t others;
  double gpus; /* of the run */
  int gpu;     /* described GPU */
  body_phase *phase;
  size_t phases;
  size_t *phase_of; /* of each slot; NONE */
  double *weight;   /* of each slot */
  int stream[64];   /* default stream first */
  char stream_name[64][16];
  size_t streams;
  double size[BODY_SIZES]; /* B of copies to other GPUs */
  size_t sizes;
  bool rule[PARTNERS_END];         /* true: agrees with all GPUs */
  partner_rule chosen;             /* END: no copies to other GPUs */
  double serial, serial_err;       /* mean over phases */
  double growth;                   /* exponent for copies */
  bool serial_known, growth_known; /* from other runs */
  bool sided;                      /* some copies go to one side */
  bool one_thread, guessed_barrier;
  size_t place[BODY_SIZES]; /* phases that send, for one GPU */
  size_t places, launched;  /* phase of last launch, or NONE */
  double carried;           /* time of kernels in s */
  char (*line)[BODY_LINE];
  size_t lines, room;
  bool lost; /* memory was exhausted */
} body;

/* Creates the body from a run and other runs of the program. */
int body_make(body *b, const profile *p, const host_calls *h,
              const other_run *other, size_t others, failure *why);
void body_free(body *b);
/* Writes the program; `system` ran the profiled step, or is NULL. */
void body_write(FILE *f, const body *b, const char *system);
/* learn_from_others() estimates numbers that one run cannot show. say_others()
 * notes the other runs (other_runs.c). */
void learn_from_others(body *b);
void say_others(const body *b);

#endif /* GPUSCALE_DESCRIBE_BODY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
