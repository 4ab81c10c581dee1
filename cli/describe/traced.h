/* traced.h - a step of one GPU as its work follows in time, in pieces. */
#ifndef GPUSCALE_DESCRIBE_TRACED_H
#define GPUSCALE_DESCRIBE_TRACED_H

#include "describe/describe.h"

enum {
  TRACED_PIECES = 96, /* of kernels, about */
  TRACED_STREAMS = 16
};

typedef enum traced_phase {
  TRACED_KERNELS, /* not of a training step */
  TRACED_FORWARD,
  TRACED_BACKWARD,
  TRACED_OPTIMIZER,
  TRACED_COPIES, /* to and from the host, as they were */
  TRACED_GROUP,  /* collectives of some of the ranks, as they were */
  TRACED_IDLE,   /* of all streams, where no calls are recorded */
  TRACED_COLLECTIVE,
  TRACED_PHASES
} traced_phase;

/* Work that is launched together in one stream. */
typedef struct traced_piece {
  traced_phase phase;
  int stream;
  double host;       /* s, from the last piece on */
  double time;       /* s, of the GPU */
  double bytes;      /* of a collective */
  const char *kind;  /* of it */
  unsigned waits;    /* streams, a bit each */
  bool synchronizes; /* the host waits for the GPU before */
  size_t work;       /* launches */
  size_t gradients;  /* ready behind it */
  double gradient_B; /* 0: unknown */
} traced_piece;

typedef struct traced_step {
  const profile *p;
  int gpu;
  size_t from, to; /* items */
  traced_piece *piece;
  size_t pieces;
  double gap;                   /* s, between queued kernels */
  double rest;                  /* s of the host behind the last piece */
  double step;                  /* s */
  double time[TRACED_PHASES];   /* s, without gaps */
  double beside[TRACED_PHASES]; /* by waves; 0: unknown */
  double kernels, carried;      /* s: of the step, of the pieces */
  size_t collectives, gradients;
  double bytes; /* of collectives */
  bool training, fake, calls;
  bool synchronizes; /* at its end */
} traced_step;

/* Returns true if the lines of body.c cannot say a profile's work: collectives,
 * several threads for one GPU, more kernels than phases, kernels of no time. */
bool needs_trace(const profile *p);
/* Makes the pieces of the typical step of the GPU that waits least in
 * collectives: of ranks the late one.  Without `calls`, of the device alone:
 * its order, with idle time kept. */
int trace_step(traced_step *t, const profile *p, bool calls, failure *why);
void traced_free(traced_step *t);
/* Writes the program; `system` may be NULL. */
void put_traced(FILE *f, const traced_step *t, const options *o);

#endif /* GPUSCALE_DESCRIBE_TRACED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
