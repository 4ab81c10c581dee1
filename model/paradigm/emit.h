/* emit.h - a schedule under construction, for model/ only.
 *
 * Paradigms write actions (emit.c); predict/action_list.h completes the
 * list. */
#ifndef GPUSCALE_PARADIGM_EMIT_H
#define GPUSCALE_PARADIGM_EMIT_H

#include "paradigm/paradigm.h"

/* A slot is a duration of a phase's schedule, in addition to the system's calls
 * and hand-overs.  Slot s of phase i is duration i * GSCALE__SLOTS + s. */
typedef enum gscale__slot {
  GSCALE__KERNELS,     /* kernels with their own traffic */
  GSCALE__LAST_KERNEL, /* end of the last kernel */
  GSCALE__LAUNCHES,    /* calls between launches */
  GSCALE__BOUNDARY,    /* kernel that computes copied data */
  GSCALE__AGENT,       /* kernel of the agent */
  GSCALE__COPIES,      /* all copies but the last */
  GSCALE__LAST_COPY,
  GSCALE__COPY_CALLS,   /* calls between copies */
  GSCALE__COLLECTIVE,   /* collective of all GPUs */
  GSCALE__MORE_CALLS,   /* other calls of the paradigm */
  GSCALE__OWN_CALLS,    /* other calls of the program */
  GSCALE__CLEAR,        /* clearing of the norm */
  GSCALE__NORM,         /* kernel of the norm */
  GSCALE__FETCH,        /* copy of the norm */
  GSCALE__BARRIER,      /* host threads meet */
  GSCALE__BARRIER_LATE, /* host threads meet after waits */
  GSCALE__MESSAGES,     /* messages, with posts unless late */
  GSCALE__POSTS,        /* posts of late messages */
  GSCALE__STAGES,       /* staging of late messages */
  GSCALE__MEETING,      /* hosts of several nodes meet */
  GSCALE__FIXED,        /* the host's own work per step */
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

/* Parts of a phase's published copies. */
typedef enum gscale__part {
  GSCALE__WHOLE,
  GSCALE__FIRST_SIDE, /* all sides but the last */
  GSCALE__LAST_SIDE,
  GSCALE__ALL_PEERS, /* all peers, in the first part */
  GSCALE__NO_PEERS
} gscale__part;

struct gscale__emit {
  const gscale_plan *p;
  const gscale__paradigm *m;
  const struct gscale__script *script; /* predict/action_list.h */
  size_t first, phase; /* first phase of the step; current phase */
  const gscale__phase_plan *f;
  bool alone;          /* one GPU represents all */
  bool by_device;      /* hosts send nothing to other nodes */
  int gpus, streams;   /* number of GPUs; streams per GPU */
  int gpu, thread, at; /* target GPU; calling thread; its stream */
  int slots;           /* durations of phases */
  gscale__part part;   /* part of the copies */
  bool beside;         /* copies overlap the kernels */
  size_t turn;         /* index of the GPU's publish */
  gscale_parity parity;
  bool *used;   /* streams used since the last wait */
  bool *waited; /* threads whose last call waited */
  double far;   /* number of waits across GPUs */
  gscale_action *action;
  size_t n, room;
  bool failed;
  struct gscale__place *place; /* state of each script stream */
};

/* ---- for paradigms ------------------------------------------------------- */

/* Returns the phase under construction. */
const gscale__phase_plan *gscale__emit_phase(const gscale__emit *e);
/* Launches a kernel of the current GPU. */
void gscale__emit_launch(gscale__emit *e, gscale__slot s, gscale__stream to);
/* Launches all kernels of the current phase. */
void gscale__emit_kernels(gscale__emit *e, gscale__stream to);
/* Puts a copy to another GPU. */
void gscale__emit_copy(gscale__emit *e, gscale__slot s, gscale__stream to);
/* Puts all bulk copies of the current phase. */
void gscale__emit_copies(gscale__emit *e, gscale__stream to);
/* Puts a call of a collective, which all GPUs join. */
void gscale__emit_collective(gscale__emit *e, gscale__slot s,
                             gscale__stream to);
/* Puts calls that keep the host busy. */
void gscale__emit_calls(gscale__emit *e, gscale__slot s);

/* ---- for all ------------------------------------------------------------- */

/* Returns true if the host awaits messages to other nodes only after the
 * kernels of the next phase. */
static inline bool gscale__late(const gscale_plan *p)
{
  return p->host.late && p->nodes > 1;
}

/* Returns how many streams replace one stream of the script. */
static inline int gscale__emit_each(const gscale_plan *p)
{
  return gscale__late(p) ? GSCALE__STREAMS : GSCALE__NETWORK;
}

/* Returns true in the first of two parts.  Work that has no parts, or that ends
 * with the last part, is excluded from the first part. */
static inline bool gscale__emit_first(const gscale__emit *e)
{
  return e->part == GSCALE__FIRST_SIDE || e->part == GSCALE__ALL_PEERS;
}
/* Appends an action of the current thread. */
void gscale__emit_put(gscale__emit *e, gscale_action a);
/* Returns the index of a stream of the current GPU. */
int gscale__emit_stream(const gscale__emit *e, gscale__stream s);

#endif /* GPUSCALE_PARADIGM_EMIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
