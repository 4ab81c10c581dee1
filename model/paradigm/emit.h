/* emit.h - a schedule that is being written down, for model/ only: what
 * paradigms write into it (emit.c), and who else does (predict/emit.h). */
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
  GSCALE__MESSAGES, /* a host's messages to other nodes, and their arrival */
  GSCALE__MEETING,  /* hosts of several nodes meet */
  GSCALE__SLOTS
} gscale__slot;

/* Where a GPU's work is issued to. */
typedef enum gscale__stream {
  GSCALE__MAIN,
  GSCALE__BESIDE,
  GSCALE__STREAMS
} gscale__stream;

enum {
  GSCALE__ACTIONS_MAX = 1 << 18 /* of all GPUs */
};

struct gscale__emit {
  const gscale_plan *p;
  const gscale__paradigm *m;
  size_t first, phases, phase; /* of the step; and the one of these */
  const gscale__phase_plan *f;
  bool alone;        /* one GPU stands for all */
  bool by_device;    /* hosts send nothing to other nodes */
  int gpus, threads; /* that are written down */
  int streams;       /* of a GPU */
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

/* An action of this GPU, by its thread. */
void gscale__emit_put(gscale__emit *e, gscale_action a);
/* Of the streams of this GPU. */
int gscale__emit_stream(const gscale__emit *e, gscale__stream s);
/* Work of this GPU in one of its streams. */
void gscale__emit_work(gscale__emit *e, gscale_action_kind kind, gscale__slot s,
                       gscale__stream to);

#endif /* GPUSCALE_PARADIGM_EMIT_H */
