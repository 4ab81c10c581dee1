/* program.h - schedules of workloads, kept and compiled, for model/ only. */
#ifndef GPUSCALE_DESCRIBE_PROGRAM_H
#define GPUSCALE_DESCRIBE_PROGRAM_H

#include "describe/described.h"
#include "timeline/timeline.h"

/* What a timeline's edges do not tell apart (costs.h). */
typedef enum gscale__follows {
  GSCALE__FOLLOWS_STREAM,
  GSCALE__FOLLOWS_KERNEL, /* a copy, by an event of a kernel of its GPU */
  GSCALE__FOLLOWS_COPY,   /* a kernel, by an event of a copy of its GPU */
  GSCALE__FOLLOWS_END
} gscale__follows;

typedef struct gscale__version {
  gscale_program as;
  int works; /* durations as given; d + f * works: its work follows f */
  /* as it is written: */
  gscale__form form; /* of crowd 1: plans scale these costs */
  double far;        /* share of its waits that are for another GPU */
  bool apart;        /* collectives in streams without kernels: beside them */
  size_t leaving;    /* copies to other GPUs */
} gscale__version;

/* For one number of GPUs. */
struct gscale__program {
  struct gscale__program *next;
  _Atomic int held; /* plans that it stays for when its workload is gone */
  gscale__version whole, ideal; /* as written; by infinite */
  int given;                    /* durations that the caller gave; */
  int *stays_of;  /* ... which of them each further one of a version is of */
  bool publishes; /* then neither is compiled: plans do, for each paradigm */
  double publish[GSCALE__PHASES_MAX]; /* of each phase and GPU, in a step */
  bool behind_waits; /* all hosts wait for a phase's kernels before they publish
                      * it */
};

const gscale__program *gscale__program_find(const gscale_workload *w, int n);
void gscale__program_free(gscale__program *all);
/* It stays until it is dropped as often; either may be given NULL. */
gscale__program *gscale__program_hold(const gscale__program *g);
void gscale__program_drop(gscale__program *g);

/* True for a copy D2D to another GPU. */
bool gscale__leaves(const gscale_schedule *s, const gscale_action *a);
/* The actions of a schedule that serve their own GPU, n of them, to be freed;
 * NULL without memory. */
gscale_action *gscale__sifted(const gscale_schedule *s, size_t *n);

/* Whether a phase is published in it. */
bool gscale__any_publish(const gscale_schedule *s);
/* GSCALE_EDATA, naming the action: what gscale_workload_add_program asks for.
 */
gscale_status gscale__check_published(const gscale_workload *w,
                                      const gscale_program *p,
                                      gscale_diag *diag);
/* Notes that it does, and what. */
void gscale__note_published(gscale__program *g);

/* Whether any of its schedules does. */
bool gscale__any_published(const gscale_workload *w);
/* The phase as that schedule has it: what it does not publish stays. */
const gscale_phase *gscale__published_phase(const gscale__program *g,
                                            const gscale_phase *w, size_t i,
                                            gscale_phase *scratch);
/* What its host does, as far as costs depend on it. */
void gscale__program_host(const gscale__program *g, gscale_host *out);

#endif /* GPUSCALE_DESCRIBE_PROGRAM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
