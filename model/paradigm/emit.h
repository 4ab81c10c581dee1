/* emit.h - a schedule under construction, for model/ only.
 *
 * Paradigms write into it (emit.c), and predict/action_list.h completes it. */
#ifndef GPUSCALE_PARADIGM_EMIT_H
#define GPUSCALE_PARADIGM_EMIT_H

#include "paradigm/paradigm.h"

/* A slot is a duration of a phase's schedule, besides the system's calls and
 * hand-overs.  Phase i has durations i * GSCALE__SLOTS + slot. */
typedef enum gscale__slot {
  GSCALE__KERNELS,     /* kernels and their own traffic */
  GSCALE__LAST_KERNEL, /* end of the last kernel */
  GSCALE__LAUNCHES,    /* calls between launches */
  GSCALE__BOUNDARY,    /* kernel of copied data */
  GSCALE__AGENT,       /* kernel of the agent */
  GSCALE__COPIES,      /* copies but the last */
  GSCALE__LAST_COPY,
  GSCALE__COPY_CALLS,   /* calls between copies */
  GSCALE__COLLECTIVE,   /* of all GPUs */
  GSCALE__MORE_CALLS,   /* other calls of the paradigm */
  GSCALE__OWN_CALLS,    /* other calls of the program */
  GSCALE__CLEAR,        /* of the norm */
  GSCALE__NORM,         /* kernel of the norm */
  GSCALE__FETCH,        /* copy of the norm */
  GSCALE__BARRIER,      /* host threads meet */
  GSCALE__BARRIER_LATE, /* the same, after waits */
  GSCALE__MESSAGES,     /* messages, with timely posts */
  GSCALE__POSTS,        /* posts of late messages */
  GSCALE__STAGES,       /* their staging, without overlap */
  GSCALE__MEETING,      /* hosts of several nodes meet */
  GSCALE__FIXED,        /* the host's work per step */
  GSCALE__SLOTS
} gscale__slot;

/* Streams of a GPU. */
typedef enum gscale__stream {
  GSCALE__MAIN,
  GSCALE__BESIDE,
  GSCALE__NETWORK, /* late messages, in sequence */
  GSCALE__STREAMS
} gscale__stream;

enum {
  GSCALE__ACTIONS_MAX = 1 << 18 /* of all GPUs */
};

/* Parts of published copies. */
typedef enum gscale__part {
  GSCALE__WHOLE,
  GSCALE__FIRST_SIDE, /* all but the last */
  GSCALE__LAST_SIDE,
  GSCALE__ALL_PEERS, /* all, as first part */
  GSCALE__NO_PEERS
} gscale__part;

struct gscale__emit {
  const gscale_plan *p;
  const gscale__paradigm *m;
  const struct gscale__script *script; /* predict/action_list.h */
  size_t first, phase;                 /* first of the step; current */
  const gscale__phase_plan *f;
  bool alone;          /* one GPU stands for all */
  bool by_device;      /* hosts send nothing to other nodes */
  int gpus, streams;   /* number; per GPU */
  int gpu, thread, at; /* target; caller; its stream */
  int slots;           /* durations of phases */
  gscale__part part;   /* of the copies */
  bool beside;         /* copies overlap the kernels */
  size_t turn;         /* of the GPU's publications */
  gscale_parity parity;
  bool *used;   /* streams since the last wait */
  bool *waited; /* threads whose last call waited */
  double far;   /* waits across GPUs */
  gscale_action *action;
  size_t n, room;
  bool failed;
  struct gscale__place *place; /* by script stream */
};

/* ---- for paradigms ------------------------------------------------------- */

/* Returns the phase under construction. */
const gscale__phase_plan *gscale__emit_phase(const gscale__emit *e);
/* Launches a kernel of this GPU. */
void gscale__emit_launch(gscale__emit *e, gscale__slot s, gscale__stream to);
/* Launches all kernels of the phase. */
void gscale__emit_kernels(gscale__emit *e, gscale__stream to);
/* Copies to another GPU. */
void gscale__emit_copy(gscale__emit *e, gscale__slot s, gscale__stream to);
/* Makes all bulk copies of the phase. */
void gscale__emit_copies(gscale__emit *e, gscale__stream to);
/* Calls a collective of the library, which all GPUs join. */
void gscale__emit_collective(gscale__emit *e, gscale__slot s,
                             gscale__stream to);
/* Keeps the host busy with calls. */
void gscale__emit_calls(gscale__emit *e, gscale__slot s);

/* ---- for all ------------------------------------------------------------- */

/* Returns true if messages to other nodes are awaited only after the kernels of
 * the next phase. */
static inline bool gscale__late(const gscale_plan *p)
{
  return p->host.late && p->nodes > 1;
}

/* Returns how many streams replace one of the script. */
static inline int gscale__emit_each(const gscale_plan *p)
{
  return gscale__late(p) ? GSCALE__STREAMS : GSCALE__NETWORK;
}

/* Returns true in the first of two parts, which excludes work that has no parts
 * or ends with the last. */
static inline bool gscale__emit_first(const gscale__emit *e)
{
  return e->part == GSCALE__FIRST_SIDE || e->part == GSCALE__ALL_PEERS;
}
/* Appends an action of this thread. */
void gscale__emit_put(gscale__emit *e, gscale_action a);
/* Returns a stream of this GPU. */
int gscale__emit_stream(const gscale__emit *e, gscale__stream s);

#endif /* GPUSCALE_PARADIGM_EMIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
