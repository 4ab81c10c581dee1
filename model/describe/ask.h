/* ask.h - access to the numbers of a system and a workload, for model/ only.
 *
 * A plan reads the numbers through a gscale__source, which records the readers
 * of each number.  A reader that never asked for a number does not depend on
 * that number.  Only ask.c and gscale__read() know where parameters are
 * stored. */
#ifndef GPUSCALE_DESCRIBE_ASK_H
#define GPUSCALE_DESCRIBE_ASK_H

#include "describe/described.h"

/* Indices of the numbers that can be read.  Parameters come first. */
enum {
  GSCALE__CURVE = GSCALE_PARAM_END, /* footprints of the curve device.membw */
  GSCALE__POINT,                    /* each value of the curve */
  GSCALE__FABRIC = GSCALE__POINT + GSCALE_CURVE_MAX, /* topology */
  GSCALE__REMOTE,   /* messages between nodes */
  GSCALE__SINGLE,   /* measured step of one GPU */
  GSCALE__SHORT,    /* the host's short description */
  GSCALE__SCHEDULE, /* schedules */
  GSCALE__PHASE,    /* each phase */
  GSCALE__ASKED = GSCALE__PHASE + GSCALE__PHASES_MAX
};

typedef struct gscale__source {
  uint64_t *asked; /* readers of each number, or NULL */
  uint64_t asking; /* bit of the current reader */
} gscale__source;

/* Reads the value of a parameter. */
static inline double gscale__read(const gscale__source *s, gscale_param_id id)
{
  if (s->asked) s->asked[id] |= s->asking;
  return ((const double *)(const void *)(s + 1))[id];
}

/* Read the curve of device.membw at a footprint, and the whole curve. */
double gscale__read_curve(const gscale__source *s, double footprint);
const gscale_curve *gscale__read_curve_all(const gscale__source *s);
const gscale_fabric *gscale__read_fabric(const gscale__source *s);
const gscale_remote *gscale__read_remote(const gscale__source *s);
double gscale__read_single(const gscale__source *s);
/* Reads the shares, whose times change only with the measured step. */
size_t gscale__shares_of(const gscale__source *s,
                         const gscale_share_of **shares);
/* Reads the roofline time in s on the system that measured the step, or 0 if
 * the step was measured on this system. */
double gscale__read_elsewhere(const gscale__source *s);
const gscale_host *gscale__read_host(const gscale__source *s, int n);
/* Reads the workload, of which callers use the schedules. */
const gscale_workload *gscale__read_schedules(const gscale__source *s);
const gscale_phase *gscale__read_phase(const gscale__source *s, size_t i);
/* Reads phase i on n GPUs.  Uses *room if the phase differs on n GPUs. */
const gscale_phase *gscale__read_phase_on(const gscale__source *s, size_t i,
                                          int n, gscale_phase *room);

/* Reads a path between nodes: gpudirect, hostpath, or another group of
 * parameters in the same order. */
gscale_path gscale__read_path(const gscale__source *s, gscale_param_id first);

/* gscale__check_paths() fails with GSCALE_ENEED if a protocol between nodes has
 * no rate. gscale__read_check() also fails if a parameter is missing. */
gscale_status gscale__check_paths(const gscale__source *s, gscale_diag *diag);
gscale_status gscale__read_check(const gscale__source *s, gscale_diag *diag);

/* Properties of a machine that no perturbation changes. */
typedef struct gscale__machine {
  const char *name, *workload;
  const gscale_link *link;
  const gscale_can *can;
  const gscale_network *network;
  const gscale_power *power;
  int gpus, built; /* GPUs per node, and in total */
  bool grows;
  size_t phases;
} gscale__machine;
gscale__machine gscale__machine_of(const gscale__source *s);
/* Returns the link of a machine, and reads nothing else. */
const gscale_link *gscale__link_of(const gscale__source *s);

/* ---- making a source ----------------------------------------------------- */

typedef struct gscale__source_room {
  _Alignas(gscale__source) unsigned char of[sizeof(gscale__source) +
                                            GSCALE_PARAM_END * sizeof(double) +
                                            2 * sizeof(void *)];
} gscale__source_room;

/* Makes a source of a system and a workload.  The system or the workload may be
 * NULL if it is never read.  Only the values of parameters are copied. */
gscale__source *gscale__source_in(gscale__source_room *room,
                                  const gscale_system *s,
                                  const gscale_workload *w);
/* Sets the value of a parameter. */
void gscale__put(gscale__source *s, gscale_param_id id, double value);
/* Returns the readers of parameters that differ between a source and a
 * system. */
uint64_t gscale__changed(const gscale__source *was, const uint64_t *asked,
                         const gscale_system *s);
/* Returns the readers of all numbers other than parameters that differ between
 * two systems and workloads. */
uint64_t gscale__changed_else(const uint64_t *asked, const gscale_system *s_was,
                              const gscale_workload *w_was,
                              const gscale_system *s, const gscale_workload *w);

/* ---- parameters of a system ---------------------------------------------- */

/* Sets all parameters to their defaults. */
void gscale__params_init(gscale_system *s);
/* Returns true if the parameter was set or is optional. */
bool gscale__param_set(const gscale_system *s, gscale_param_id id);
/* Returns true if other numbers depend on this parameter. */
bool gscale__param_leads(const gscale_system *s, gscale_param_id id);
/* Sets a known parameter and renews the guesses that depend on it. */
void gscale__param_put(gscale_system *s, gscale_param_id id,
                       const gscale_param *p);
/* Changes the value of a parameter and nothing else. */
void gscale__param_move(gscale_system *s, gscale_param_id id, double value);
/* Sets the path through the host of a mesh that follows staged.rate. */
void gscale__renew_hosted(gscale_system *s);
/* Copies a parameter from another system. */
void gscale__param_take(gscale_system *s, const gscale_system *from,
                        gscale_param_id id);

#endif /* GPUSCALE_DESCRIBE_ASK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
