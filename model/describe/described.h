/* described.h - the inside of systems and workloads, for model/ only. */
#ifndef GPUSCALE_DESCRIBE_DESCRIBED_H
#define GPUSCALE_DESCRIBE_DESCRIBED_H

#include "describe/numbers.h"
#include "ground/ground.h"

enum {
  GSCALE__PHASES_MAX = 64,
  GSCALE__WAYS_MAX = 32,   /* knobs moved at once */
  GSCALE__DOUBTS_MAX = 16, /* numbers of a topology */
  GSCALE__REMOTE_ROWS = 44,
  GSCALE__POWER_ROWS = 7
};

/* The table of a described thing (rows_phase.c, rows_step.c). */
typedef struct gscale__rows {
  const gscale_field *row;
  size_t n;
} gscale__rows;

extern const gscale__rows gscale__phase_rows, gscale__blocks_rows,
    gscale__step_rows, gscale__knob_rows, gscale__link_rows,
    gscale__topology_rows;

/* Of GSCALE_OF_REMOTE and GSCALE_OF_POWER (remote.c). */
extern const gscale_field gscale__remote_rows[GSCALE__REMOTE_ROWS];
extern const gscale_field gscale__power_rows[GSCALE__POWER_ROWS];

/* GSCALE_EDOMAIN, or GSCALE_ENAME, naming the field that is wrong. */
gscale_status gscale__check_phase(const gscale_phase *p, gscale_diag *diag);

/* The parameters of a system: what lies where only ask.c knows. */
typedef struct gscale__params {
  _Alignas(
      gscale_param) unsigned char of[GSCALE_PARAM_END * (sizeof(gscale_param) +
                                                         sizeof(double) + 3)];
} gscale__params;

struct gscale_system {
  char name[GSCALE_NAME_MAX];
  gscale_fabric fabric;
  int gpus;               /* as built; with a network, of a node */
  bool grows;             /* more could be added */
  int calibrated;         /* most GPUs measured together */
  gscale_network network; /* nodes = 0: it is one node */
  bool linked;            /* link is set */
  gscale_link link;
  bool said; /* what it can do is not left to its link */
  gscale_can can;
  gscale__params params;
  gscale_curve membw;      /* factor on device.membw over footprint */
  gscale_param membw_each; /* of each factor: its error, as a share */
  size_t doubts;           /* numbers of the topology with an origin */
  struct {
    const gscale_field *field;
    gscale_param p;
  } doubt[GSCALE__DOUBTS_MAX];
  double copy_least, copy_most; /* B, sizes of copies that were measured */
  bool exact;                   /* no machine, a model's */
  bool swapped; /* the link is another than it was measured with */
  gscale_residuals residuals;
  size_t rows; /* of runs that it was fitted to; copies share the lists */
  uint64_t *row;
  size_t covers;
  gscale_cover *cover; /* one a way */
  size_t correlations;
  gscale_correlation *correlation;
  gscale_remote remote; /* all 0 until something is said */
  gscale_power power;   /* NaN where nothing is */
  gscale_param remote_origin[GSCALE__REMOTE_ROWS];
  gscale_param power_origin[GSCALE__POWER_ROWS];
  bool remote_said[GSCALE__REMOTE_ROWS], power_said[GSCALE__POWER_ROWS];
};

/* The power of a system of which nothing is known. */
void gscale__power_init(gscale_power *p);
/* Takes over what `from` says of messages and power. */
void gscale__take_remote(gscale_system *s, const gscale_system *from);

/* Another link of the network, if there is one. */
gscale_status gscale__swap_network(gscale_system *s, const gscale_link *l,
                                   gscale_diag *diag);
/* A number of a workload that has an origin of its own. */
typedef struct gscale__doubt {
  size_t phase;
  const gscale_field *field;
  size_t index;
  gscale_param p;
} gscale__doubt;

/* A knob that is uncertain, and what the workload is on either side of it. */
typedef struct gscale__uncertain_knob {
  char name[GSCALE_NAME_MAX];
  gscale_dim dim;
  gscale_param p;
  double low, high;
  gscale_workload *down, *up;
} gscale__uncertain_knob;

/* A number that is another on so many GPUs. */
typedef struct gscale__on {
  int n;
  gscale_put put;
} gscale__on;

/* A number of GPUs that was asked about, and the host there. */
typedef struct gscale__there {
  int n;
  gscale_host host;
} gscale__there;

/* The schedules of a workload, a list (describe/program.h). */
typedef struct gscale__program gscale__program;
/* A schedule, compiled (timeline/timeline.h), and one that is being written
 * (predict/step.h). */
typedef struct gscale__form gscale__form;
typedef struct gscale__emit gscale__emit;
/* The forms of each paradigm and piece of the step (predict/schedule_cache.c).
 */
typedef struct gscale__forms {
  size_t n;
  const gscale__form **form; /* its own, or another plan's */
  struct gscale__listed *own;
  bool borrowed; /* all of it is another plan's */
  uint64_t
      left; /* of a plan made anew: paradigms without any, a bit for each */
} gscale__forms;

struct gscale_workload {
  char name[GSCALE_NAME_MAX];
  gscale_param single; /* s, measured step on one GPU; 0 = none */
  size_t shares;       /* of the work that were measured alone there */
  gscale_share_of share[GSCALE_SHARES_MAX]; /* rising parts */
  char t1_on[GSCALE_NAME_MAX]; /* the system that has it; "": any */
  double t1_roofline;          /* s, the rooflines there; 0: not known */
  struct {
    int gpus;          /* 0: none */
    gscale_param time; /* s */
    char on[GSCALE_NAME_MAX];
  } run; /* of its own schedule, measured */
  gscale_host host;
  size_t phases, most; /* of which there is room for so many */
  size_t doubts, room; /* numbers with an origin; places for them */
  gscale__doubt *doubt;
  size_t knobs;
  gscale__uncertain_knob *knob;
  size_t ons;
  gscale__on *on; /* by n, then phase */
  size_t theres;  /* 0: it is the same on all */
  gscale__there *there;
  size_t ways; /* that it has gone, of copies whose knobs are moved */
  struct {
    const gscale_workload *from, *to;
    double way; /* 1: all of it */
  } way[GSCALE__WAYS_MAX];
  gscale__program *program; /* NULL: paradigms run it */
  gscale_phase phase[GSCALE__PHASES_MAX];
};

/* Into one of any size: only the phases there are.  What the one points to
 * stays its own. */
void gscale__copy_workload(gscale_workload *to, const gscale_workload *from);

/* The phase on n GPUs, in *room if it is another than on one. */
const gscale_phase *gscale__phase_on(const gscale_workload *w, size_t i, int n,
                                     gscale_phase *room);
/* On n GPUs it is this far on the way from one workload to another. */
void gscale__blend_on(gscale_workload *w, const gscale_workload *from,
                      const gscale_workload *to, double way);
/* Whether all is said that n GPUs need. */
bool gscale__is_known_on(const gscale_workload *w, int n);
/* The host of a step there. */
const gscale_host *gscale__host_on(const gscale_workload *w, int n);
/* A number is the same on any number of GPUs from now on. */
void gscale__forget_on(gscale_workload *w, size_t phase, const gscale_field *f);

#endif /* GPUSCALE_DESCRIBE_DESCRIBED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
