/* emit.h - a schedule that is being written down: by emit.c, from what a host
 * does in short, and by replace.c, from what it calls. */
#ifndef GPUSCALE_PREDICT_EMIT_H
#define GPUSCALE_PREDICT_EMIT_H

#include "predict/step.h"

/* A stream of this GPU waits, by an event, for what is in another now. */
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
