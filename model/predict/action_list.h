/* action_list.h - lists of actions under construction.
 *
 * A script lists the calls of a program, from its own schedule or from host.c.
 * substitute.c puts a paradigm's actions into the script. */
#ifndef GPUSCALE_PREDICT_EMIT_H
#define GPUSCALE_PREDICT_EMIT_H

#include "predict/step.h"

/* The purpose of an action that host.c writes.  Paradigms that move no data, or
 * move all data by themselves, omit GSCALE__SERVES_OTHERS. */
typedef enum gscale__serves {
  GSCALE__SERVES_ALL,
  GSCALE__SERVES_PHASE, /* a duration of the phase */
  GSCALE__SERVES_OTHERS /* GPUs that exchange data */
} gscale__serves;

typedef struct gscale__note {
  gscale__serves serves;
  gscale__part part;
} gscale__note;

/* A script launches and publishes phase as.work[length].phase. */
typedef struct gscale__script {
  gscale_program as;
  gscale__note *note; /* one for each action, or NULL */
  bool in_short;      /* made by host.c */
  bool behind_waits;  /* hosts wait for kernels, then publish */
} gscale__script;

/* Writes the calls of `phases` phases, starting with phase `first`, for all
 * GPUs of a node or for one GPU. */
gscale_status gscale__host_script(const gscale_plan *p, size_t first,
                                  size_t phases, int gpus, gscale__script *out,
                                  gscale_diag *diag);
void gscale__script_free(gscale__script *s);
/* Each GPU has two events for the ends of its phases, which alternate between
 * phases, and two events for its norm, for even and for odd steps. */
enum {
  GSCALE__DONE_EVENT,
  GSCALE__NORM_EVENT = GSCALE__DONE_EVENT + 2,
  GSCALE__HOST_EVENTS = GSCALE__NORM_EVENT + 2 /* events of each GPU */
};

/* Makes stream `to` of this GPU wait, by an event, for the end of `from`. */
void gscale__emit_order(gscale__emit *e, gscale__stream from, gscale__stream to,
                        int event);
/* Launches the phase's kernels and all work that accompanies them. */
void gscale__emit_phase_kernels(gscale__emit *e);
/* Events of messages to other nodes. */
typedef struct gscale__sent_events {
  int made;    /* kernels of the messages have ended */
  int arrived; /* late messages have arrived */
} gscale__sent_events;

/* Moves the phase's data after its kernels.  Returns true if a host has late
 * messages to post when the next phase is launched. */
bool gscale__emit_phase_copies(gscale__emit *e, const gscale__sent_events *at);
/* Posts late messages after the earlier messages have come, at `arrived`. */
void gscale__emit_posts(gscale__emit *e, int arrived);
/* Makes the GPU's thread wait for both streams. */
void gscale__emit_sync(gscale__emit *e);

/* Puts the paradigm's calls into the script.  Returns false without memory. */
bool gscale__substitute(gscale__emit *e);
/* Returns the number of events that gscale__substitute() needs. */
int gscale__substitute_events(const gscale__emit *e);
/* Writes an event's name, like "done of GPU 1", for a script of host.c.
 * A program's own events have lower numbers. */
void gscale__event_text(bool in_short, int gpus, int event, char *text,
                        size_t size);

#endif /* GPUSCALE_PREDICT_EMIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
