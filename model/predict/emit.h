/* emit.h - a schedule that is being written down: by emit.c, from what a host
 * does in short, and by replace.c, from what it calls. */
#ifndef GPUSCALE_PREDICT_EMIT_H
#define GPUSCALE_PREDICT_EMIT_H

#include "describe/program.h"
#include "predict/step.h"

struct gscale__emit {
  const gscale_plan *p;
  const gscale__paradigm *m;
  size_t first, phases, phase; /* of the step; and the one of these */
  const gscale__phase_plan *f;
  bool alone;        /* one GPU stands for all */
  bool by_device;    /* hosts send nothing to other nodes */
  int gpus, threads; /* that are written down */
  int gpu;
  int part;    /* of the copies: 0 all, 1 all but the last, 2 the last */
  bool beside; /* the phase has a row of copies beside its kernels */
  size_t turn; /* phases since the first */
  bool first_turn, last_turn;       /* of the step */
  const gscale__phase_plan *before; /* the phase of the turn before */
  gscale_waits waits; /* the host's, or those of a paradigm in a stream */
  gscale_parity parity;
  bool *used;   /* streams, since their GPU's were waited for */
  bool *waited; /* of each thread: its last call was a wait */
  double far;   /* waits for events of other GPUs */
  gscale_action *action;
  size_t n, room;
  bool failed;
  /* of a program that publishes */
  const gscale_program *as;
  int thread, at;              /* that calls; its stream, of those of the GPU */
  struct gscale__place *place; /* of each of its streams */
};

/* An action of this GPU, by its thread. */
void gscale__emit_put(gscale__emit *e, gscale_action a);
/* Of the streams of this GPU. */
int gscale__emit_stream(const gscale__emit *e, gscale__stream s);
/* One of them waits, by an event, for what is in another now. */
void gscale__emit_order(gscale__emit *e, gscale__stream from, gscale__stream to,
                        int event);
/* Its kernels, and all that they are launched with. */
void gscale__emit_phase_kernels(gscale__emit *e);
/* What moves its data behind them. */
void gscale__emit_phase_copies(gscale__emit *e);
/* Its thread waits for both streams; they are empty then. */
void gscale__emit_settle(gscale__emit *e);

/* A program's schedule, with the paradigm's calls where it launches and
 * publishes (replace.c).  False: no memory. */
bool gscale__replace(gscale__emit *e);
/* Streams of a GPU, and events, that it needs. */
int gscale__replace_streams(const gscale__emit *e);
int gscale__replace_events(const gscale__emit *e);

#endif /* GPUSCALE_PREDICT_EMIT_H */
