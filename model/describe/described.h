/* described.h - internals of systems and workloads, for model/ only. */
#ifndef GPUSCALE_DESCRIBE_DESCRIBED_H
#define GPUSCALE_DESCRIBE_DESCRIBED_H

#include "describe/numbers.h"
#include "ground/ground.h"

enum {
  GSCALE__PHASES_MAX = 64,
  GSCALE__WAYS_MAX = 32,   /* knobs perturbed at the same time */
  GSCALE__DOUBTS_MAX = 16, /* doubted numbers of a topology */
  GSCALE__REMOTE_ROWS = 44,
  GSCALE__POWER_ROWS = 7
};

/* Tables of fields by described thing (rows_phase.c, rows_step.c). */
typedef struct gscale__rows {
  const gscale_field *row;
  size_t n;
} gscale__rows;

extern const gscale__rows gscale__phase_rows, gscale__blocks_rows,
    gscale__step_rows, gscale__knob_rows, gscale__link_rows,
    gscale__topology_rows;

/* Rows of GSCALE_OF_REMOTE and GSCALE_OF_POWER (remote.c). */
extern const gscale_field gscale__remote_rows[GSCALE__REMOTE_ROWS];
extern const gscale_field gscale__power_rows[GSCALE__POWER_ROWS];

/* Fails with GSCALE_EDOMAIN or GSCALE_ENAME, and names the wrong field. */
gscale_status gscale__check_phase(const gscale_phase *p, gscale_diag *diag);

/* Parameters of a system, in a layout that only ask.c knows. */
typedef struct gscale__params {
  _Alignas(
      gscale_param) unsigned char of[GSCALE_PARAM_END * (sizeof(gscale_param) +
                                                         sizeof(double) + 3)];
} gscale__params;

struct gscale_system {
  char name[GSCALE_NAME_MAX];
  gscale_fabric fabric;
  bool hosted;            /* fabric.staged is staged.rate / link.rate */
  int gpus;               /* GPUs as built, or per node */
  bool grows;             /* more GPUs can be added */
  int calibrated;         /* most GPUs that were measured together */
  gscale_network network; /* nodes = 0: one node */
  bool linked;            /* link is set */
  gscale_link link;
  bool said; /* `can` was given explicitly */
  gscale_can can;
  gscale__params params;
  gscale_curve membw;      /* factor on device.membw over footprint */
  gscale_param membw_each; /* relative errors of the curve */
  size_t doubts;           /* numbers of the topology with an origin */
  struct {
    const gscale_field *field;
    gscale_param p;
  } doubt[GSCALE__DOUBTS_MAX];
  double copy_least, copy_most; /* B, range of measured copies */
  bool exact;                   /* describes a model, not a machine */
  bool swapped;                 /* was measured with another link */
  gscale_residuals residuals;
  size_t rows; /* runs in the fit, shared by copies */
  uint64_t *row;
  size_t covers;
  gscale_cover *cover; /* one cover per paradigm */
  size_t correlations;
  gscale_correlation *correlation;
  gscale_remote remote; /* 0 where unknown */
  gscale_power power;   /* NaN where unknown */
  gscale_param remote_origin[GSCALE__REMOTE_ROWS];
  gscale_param power_origin[GSCALE__POWER_ROWS];
  bool remote_said[GSCALE__REMOTE_ROWS], power_said[GSCALE__POWER_ROWS];
};

/* Initialises an unknown power. */
void gscale__power_init(gscale_power *p);
/* Copies the numbers of messages and power that `from` has. */
void gscale__take_remote(gscale_system *s, const gscale_system *from);

/* Replaces the link of the network, if the system has a network. */
gscale_status gscale__swap_network(gscale_system *s, const gscale_link *l,
                                   gscale_diag *diag);
/* A number of a workload with a separate origin. */
typedef struct gscale__doubt {
  size_t phase;
  const gscale_field *field;
  size_t index;
  gscale_param p;
} gscale__doubt;

/* An uncertain knob, and the workload at both ends of its range. */
typedef struct gscale__uncertain_knob {
  char name[GSCALE_NAME_MAX];
  gscale_dim dim;
  gscale_param p;
  double low, high;
  gscale_workload *down, *up;
} gscale__uncertain_knob;

/* The value of a number of a phase. */
typedef struct gscale__number_on {
  size_t phase; /* index of the phase */
  const gscale_field *field;
  size_t index; /* index for gscale_field_number() */
  double value; /* value in SI units */
} gscale__number_on;
/* A number that is different on n GPUs. */
typedef struct gscale__on {
  int n;
  gscale__number_on put;
  double err; /* relative error of the value on n GPUs */
} gscale__on;

/* A number of GPUs for which the description was evaluated, and its host. */
typedef struct gscale__there {
  int n;
  gscale_host host;
} gscale__there;

/* The list of a workload's schedules (describe/program.h). */
typedef struct gscale__program gscale__program;
/* A compiled schedule (timeline/timeline.h), and a schedule under construction
 * (paradigm/emit.h). */
typedef struct gscale__form gscale__form;
typedef struct gscale__emit gscale__emit;
/* Forms of each paradigm and piece of the step (predict/schedule_cache.c). */
typedef struct gscale__forms {
  size_t n;
  const gscale__form **form; /* forms of this or of another plan */
  struct gscale__listed *own;
  bool borrowed; /* all forms belong to another plan */
  uint64_t left; /* bits of paradigms without forms */
} gscale__forms;

struct gscale_workload {
  char name[GSCALE_NAME_MAX];
  gscale_param single; /* s of one GPU's step; 0: none */
  size_t shares;       /* number of measured shares */
  gscale_share_of
      share[GSCALE_SHARES_MAX]; /* shares by rising number of parts */
  char t1_on[GSCALE_NAME_MAX];  /* system of t1; "": any */
  double t1_roofline;           /* s, roofline on t1_on; 0: unknown */
  double grown;                 /* N that the size grew with; 0: none */
  struct {
    int gpus;          /* 0: none */
    gscale_param time; /* s */
    char on[GSCALE_NAME_MAX];
  } run; /* measured run of the schedule */
  gscale_host host;
  size_t phases, most; /* number of phases; room */
  size_t doubts, room; /* numbers with origin; room */
  gscale__doubt *doubt;
  size_t knobs;
  gscale__uncertain_knob *knob;
  size_t ons;
  gscale__on *on; /* sorted by n, then by phase */
  size_t theres;  /* 0: same on all numbers of GPUs */
  gscale__there *there;
  size_t ways; /* perturbed knobs of a copy */
  struct {
    const gscale_workload *from, *to;
    double way; /* share of the difference */
  } way[GSCALE__WAYS_MAX];
  gscale__program *program; /* NULL: paradigms run the step */
  gscale_phase phase[GSCALE__PHASES_MAX];
};

/* Copies a workload into another of any size.  Only existing phases are copied,
 * and pointers still belong to `from`. */
void gscale__copy_workload(gscale_workload *to, const gscale_workload *from);

/* Returns phase i on n GPUs.  Uses *room if the phase differs on n GPUs. */
const gscale_phase *gscale__phase_on(const gscale_workload *w, size_t i, int n,
                                     gscale_phase *room);
/* Adds `way` times the difference of two workloads to the numbers on n GPUs. */
void gscale__blend_on(gscale_workload *w, const gscale_workload *from,
                      const gscale_workload *to, double way);
/* Returns true if the description is known on n GPUs. */
bool gscale__is_known_on(const gscale_workload *w, int n);
/* Returns the host of a step on n GPUs. */
const gscale_host *gscale__host_on(const gscale_workload *w, int n);
/* Returns the error of a doubted number, which may be different on n GPUs. */
double gscale__error_on(const gscale_workload *w, const gscale__doubt *d,
                        int n);
/* Gives a number the same value again on every number of GPUs. */
void gscale__forget_on(gscale_workload *w, size_t phase, const gscale_field *f);

#endif /* GPUSCALE_DESCRIBE_DESCRIBED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
