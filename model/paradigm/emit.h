/* emit.h - a schedule that is being written down, for model/ only: what
 * paradigms write into it (emit.c), and who else does (predict/action_list.h).
 */
#ifndef GPUSCALE_PARADIGM_EMIT_H
#define GPUSCALE_PARADIGM_EMIT_H

#include "paradigm/paradigm.h"

/* What takes time in a phase, besides the system's calls and hand-overs: the
 * durations of its schedule.  Those of phase i are i * GSCALE__SLOTS + slot. */
typedef enum gscale__slot {
  GSCALE__KERNELS,     /* all of them, with what they move themselves */
  GSCALE__LAST_KERNEL, /* the end of the last of several */
  GSCALE__LAUNCHES,    /* the calls between the first and the last */
  GSCALE__BOUNDARY,    /* a kernel before them, for what is copied */
  GSCALE__AGENT,       /* a kernel that ends with them */
  GSCALE__COPIES,      /* all but the last, and the last */
  GSCALE__LAST_COPY,
  GSCALE__COPY_CALLS,   /* the calls between the first and the last */
  GSCALE__COLLECTIVE,   /* of all GPUs */
  GSCALE__MORE_CALLS,   /* of the paradigm, for anything else */
  GSCALE__OWN_CALLS,    /* of the program, besides */
  GSCALE__CLEAR,        /* of the norm, */
  GSCALE__NORM,         /* the kernel that finds it, */
  GSCALE__FETCH,        /* and its copy to the host */
  GSCALE__BARRIER,      /* host threads meet, */
  GSCALE__BARRIER_LATE, /* after they have waited */
  GSCALE__MESSAGES,     /* to other nodes, and their arrival; posted by the host
                         * unless they are late, */
  GSCALE__POSTS,        /* which it does here, */
  GSCALE__STAGES,       /* but what kernels cannot run beside here */
  GSCALE__MEETING,      /* hosts of several nodes meet */
  GSCALE__FIXED,        /* the host's own work, in each step */
  GSCALE__SLOTS
} gscale__slot;

/* Where a GPU's work is issued to. */
typedef enum gscale__stream {
  GSCALE__MAIN,
  GSCALE__BESIDE,
  GSCALE__NETWORK, /* late messages, one after the other */
  GSCALE__STREAMS
} gscale__stream;

enum {
  GSCALE__ACTIONS_MAX = 1 << 18 /* of all GPUs */
};

/* Of the copies that are published. */
typedef enum gscale__part {
  GSCALE__WHOLE,
  GSCALE__FIRST_SIDE, /* all but the last */
  GSCALE__LAST_SIDE,
  GSCALE__ALL_PEERS, /* all, as the first of two parts */
  GSCALE__NO_PEERS
} gscale__part;

struct gscale__emit {
  const gscale_plan *p;
  const gscale__paradigm *m;
  const struct gscale__script
      *script;         /* what is called (predict/action_list.h) */
  size_t first, phase; /* of the step; and the one that is written down */
  const gscale__phase_plan *f;
  bool alone;          /* one GPU stands for all */
  bool by_device;      /* hosts send nothing to other nodes */
  int gpus, streams;   /* that are written down; of each GPU */
  int gpu, thread, at; /* that is called for, that calls; its stream, of
                        * those of the GPU */
  int slots;           /* durations of phases */
  gscale__part part;   /* of the copies */
  bool beside;         /* there is a row of copies beside the kernels */
  size_t turn;         /* of what the GPU publishes */
  gscale_parity parity;
  bool *used;   /* streams, since their GPU's were waited for */
  bool *waited; /* of each thread: its last call was a wait */
  double far;   /* waits for events of other GPUs */
  gscale_action *action;
  size_t n, room;
  bool failed;
  struct gscale__place *place; /* of each stream of the script */
};

/* ---- by paradigms ---------------------------------------------------------
 */

/* The phase that is being written down. */
const gscale__phase_plan *gscale__emit_phase(const gscale__emit *e);
/* A kernel of this GPU. */
void gscale__emit_launch(gscale__emit *e, gscale__slot s, gscale__stream to);
/* All kernels of the phase. */
void gscale__emit_kernels(gscale__emit *e, gscale__stream to);
/* A copy to another GPU. */
void gscale__emit_copy(gscale__emit *e, gscale__slot s, gscale__stream to);
/* All bulk copies of the phase. */
void gscale__emit_copies(gscale__emit *e, gscale__stream to);
/* A collective of the library, which all GPUs join. */
void gscale__emit_collective(gscale__emit *e, gscale__slot s,
                             gscale__stream to);
/* The host is busy with calls. */
void gscale__emit_calls(gscale__emit *e, gscale__slot s);

/* ---- by all ---------------------------------------------------------------
 */

/* Messages to other nodes are waited for when the kernels of the next phase
 * have ended. */
static inline bool gscale__late(const gscale_plan *p)
{
  return p->host.late && p->nodes > 1;
}

/* Streams for each of the script's. */
static inline int gscale__emit_each(const gscale_plan *p)
{
  return gscale__late(p) ? GSCALE__STREAMS : GSCALE__NETWORK;
}

/* What has no parts, or ends with the last, is not there yet. */
static inline bool gscale__emit_first(const gscale__emit *e)
{
  return e->part == GSCALE__FIRST_SIDE || e->part == GSCALE__ALL_PEERS;
}
/* An action of this thread. */
void gscale__emit_put(gscale__emit *e, gscale_action a);
/* Of the streams of this GPU. */
int gscale__emit_stream(const gscale__emit *e, gscale__stream s);

#endif /* GPUSCALE_PARADIGM_EMIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
