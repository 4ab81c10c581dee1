/* traced.h - traces a step of one GPU in order of time, in pieces. */
#ifndef GPUSCALE_DESCRIBE_TRACED_H
#define GPUSCALE_DESCRIBE_TRACED_H

#include "describe/describe.h"

enum {
  TRACED_PIECES = 96, /* approximate number of pieces */
  TRACED_STREAMS = 16
};

typedef enum traced_phase {
  TRACED_KERNELS, /* not in a training step */
  TRACED_FORWARD,
  TRACED_BACKWARD,
  TRACED_OPTIMIZER,
  TRACED_COPIES, /* to and from the host, as recorded */
  TRACED_GROUP,  /* collectives of some ranks, as recorded */
  TRACED_IDLE,   /* of all streams without recorded calls */
  TRACED_COLLECTIVE,
  TRACED_PHASES
} traced_phase;

/* Work that is launched together in one stream. */
typedef struct traced_piece {
  traced_phase phase;
  int stream;
  double host;       /* s since the last piece */
  double time;       /* s of the GPU */
  double bytes;      /* of a collective */
  const char *kind;  /* of the collective */
  unsigned waits;    /* streams as bits */
  bool synchronizes; /* host waits for GPU before piece */
  size_t work;       /* number of launches */
  size_t gradients;  /* ready after the piece */
  double gradient_B; /* 0: unknown */
} traced_piece;

/* Equal kernels of a phase. */
typedef struct traced_kernel {
  traced_phase phase;
  const gscale_recorded_what *what; /* of the first launch */
  size_t launches;
  double time; /* s of all launches */
} traced_kernel;

typedef struct traced_step {
  const profile *p;
  int gpu;
  size_t from, to; /* range of items */
  traced_piece *piece;
  size_t pieces;
  traced_kernel *kernel; /* in the order of first launches */
  size_t kernels;
  double gap;                 /* s between queued kernels */
  double rest;                /* s of the host after the last piece */
  double step;                /* s */
  double launch;              /* median s of a launch's call; 0: unknown */
  double time[TRACED_PHASES]; /* s without gaps */
  double beside[TRACED_PHASES][GSCALE_BESIDE_MAX]; /* s, by waves */
  double carried; /* s of kernels in the pieces */
  size_t collectives, gradients;
  double bytes, gradient_B; /* B of collectives, of gradients */
  bool adam; /* the optimizer keeps two tensors for each parameter */
  bool training, fake, calls;
  bool synchronizes; /* at the end of the step */
} traced_step;

/* Returns true if body.c cannot express the profile's work: collectives,
 * several threads for one GPU, too many kernels, or kernels without time. */
bool needs_trace(const profile *p);
/* Creates the pieces of the typical step of the GPU that waits least in
 * collectives, which is the late rank. If `calls` is false, uses the work of
 * the GPU alone in its order, including idle time. */
int trace_step(traced_step *t, const profile *p, bool calls, failure *why);
/* Returns what the collectives of all ranks show: ddp, fsdp, or tp, which
 * reduces in the forward phase too. Returns "" without any. */
const char *parallelism(const traced_step *t);
void traced_free(traced_step *t);
/* Writes the program. `system` may be NULL. */
void put_traced(FILE *f, const traced_step *t, const options *o);

#endif /* GPUSCALE_DESCRIBE_TRACED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
