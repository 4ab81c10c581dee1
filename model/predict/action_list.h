/* action_list.h - lists of actions that are being written down: what a program
 * calls, as it says itself or as host.c says for it, and what substitute.c
 * makes of it.
 */
#ifndef GPUSCALE_PREDICT_EMIT_H
#define GPUSCALE_PREDICT_EMIT_H

#include "predict/step.h"

/* What an action of a host in short is there for. */
typedef enum gscale__serves {
  GSCALE__SERVES_ALL,
  GSCALE__SERVES_PHASE, /* kernels; its duration is one of the phase's */
  GSCALE__SERVES_OTHERS /* GPUs that exchange data; no list has it for a
                         * paradigm that moves nothing, or all by itself */
} gscale__serves;

typedef struct gscale__note {
  gscale__serves serves;
  gscale__part part;
} gscale__note;

/* What is called: launches and publishes by as.work[length].phase. */
typedef struct gscale__script {
  gscale_program as;
  gscale__note *note; /* of each action; NULL: none */
  bool in_short;      /* host.c has made it; else it is the workload's */
  bool behind_waits;  /* hosts wait for a phase's kernels, then publish it */
} gscale__script;

/* The calls of phases first .. first + phases - 1 on so many of the GPUs of a
 * node, all or one. */
gscale_status gscale__host_script(const gscale_plan *p, size_t first,
                                  size_t phases, int gpus, gscale__script *out,
                                  gscale_diag *diag);
void gscale__script_free(gscale__script *s);
/* Its events: of a GPU two by turns for its phases, this one is done and the
 * one before was; and two for its norm, of even and of odd steps. */
enum {
  GSCALE__DONE_EVENT,
  GSCALE__NORM_EVENT = GSCALE__DONE_EVENT + 2,
  GSCALE__HOST_EVENTS = GSCALE__NORM_EVENT + 2 /* of each GPU */
};

/* A stream of this GPU waits, by an event, for what is in another now. */
void gscale__emit_order(gscale__emit *e, gscale__stream from, gscale__stream to,
                        int event);
/* Its kernels, and all that they are launched with. */
void gscale__emit_phase_kernels(gscale__emit *e);
/* Events of what goes to other nodes. */
typedef struct gscale__sent_events {
  int made;    /* the kernels that make it have ended */
  int arrived; /* late messages have */
} gscale__sent_events;

/* What moves its data behind them.  True if a host has late messages: they are
 * to be posted when the next phase is launched. */
bool gscale__emit_phase_copies(gscale__emit *e, const gscale__sent_events *at);
/* These messages, when those before have come, at `arrived`. */
void gscale__emit_posts(gscale__emit *e, int arrived);
/* Its thread waits for both streams; they are empty then. */
void gscale__emit_settle(gscale__emit *e);

/* The script, with the paradigm's calls where it launches and publishes
 * (substitute.c).  False: no memory. */
bool gscale__replace(gscale__emit *e);
/* Events that it needs. */
int gscale__replace_events(const gscale__emit *e);
/* "done of GPU 1", of a list that follows a script of the host's in short; of a
 * program, an event that is none of its own. */
void gscale__event_text(bool in_short, int gpus, int event, char *text,
                        size_t size);

#endif /* GPUSCALE_PREDICT_EMIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
