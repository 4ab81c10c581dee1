/* program.h - stored and compiled schedules of workloads, for model/ only. */
#ifndef GPUSCALE_DESCRIBE_PROGRAM_H
#define GPUSCALE_DESCRIBE_PROGRAM_H

#include "describe/described.h"
#include "timeline/timeline.h"

/* Hand-overs that a timeline's arcs do not distinguish (costs.h). */
typedef enum gscale__follows {
  GSCALE__FOLLOWS_STREAM,
  GSCALE__FOLLOWS_KERNEL, /* copy after a kernel's event */
  GSCALE__FOLLOWS_COPY,   /* kernel after a copy's event */
  GSCALE__FOLLOWS_END
} gscale__follows;

typedef struct gscale__version {
  gscale_program as;
  int works; /* number of given durations */
  /* Members that describe the program as written. */
  gscale__form form; /* with crowd = 1, which each plan scales */
  double far;        /* share of waits for other GPUs */
  bool apart;        /* collectives overlap kernels */
  size_t leaving;    /* number of copies to other GPUs */
} gscale__version;

/* The program of a workload for one number of GPUs. */
struct gscale__program {
  struct gscale__program *next;
  _Atomic int held;                   /* number of plans that use the program */
  gscale__version whole, ideal;       /* as written; for `infinite` */
  int given;                          /* number of durations from the caller */
  int *stays_of;                      /* original of each added duration */
  bool publishes;                     /* plans compile each paradigm */
  double publish[GSCALE__PHASES_MAX]; /* publishes per step, phase and GPU */
  bool behind_waits;                  /* hosts wait before they publish */
};

const gscale__program *gscale__program_find(const gscale_workload *w, int n);
void gscale__program_free(gscale__program *all);
/* Each hold needs one drop before the program is freed.  Both accept NULL. */
gscale__program *gscale__program_hold(const gscale__program *g);
void gscale__program_drop(gscale__program *g);

/* Returns true for a device-to-device copy to another GPU. */
bool gscale__leaves(const gscale_schedule *s, const gscale_action *a);
/* Returns the n actions that serve their own GPU, which the caller frees, or
 * NULL if memory is exhausted. */
gscale_action *gscale__local_actions(const gscale_schedule *s, size_t *n);

/* Returns true if the schedule publishes a phase. */
bool gscale__any_publish(const gscale_schedule *s);
/* Checks the rules of gscale_workload_add_program().  The message of
 * GSCALE_EDATA names the action. */
gscale_status gscale__check_published(const gscale_workload *w,
                                      const gscale_program *p,
                                      gscale_diag *diag);
/* Notes what each phase of the schedule publishes. */
void gscale__note_published(gscale__program *g);

/* Returns true if any schedule of the workload publishes. */
bool gscale__any_published(const gscale_workload *w);
/* Returns phase i, without its data if the schedule does not publish it. */
const gscale_phase *gscale__published_phase(const gscale__program *g,
                                            const gscale_phase *w, size_t i,
                                            gscale_phase *scratch);
/* Writes the properties of the host on which costs depend. */
void gscale__program_host(const gscale__program *g, gscale_host *out);

#endif /* GPUSCALE_DESCRIBE_PROGRAM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
