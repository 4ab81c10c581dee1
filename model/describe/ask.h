/* ask.h - how the numbers of a system and a workload are read, for model/ only.
 *
 * Whoever makes a plan has them as a gscale__source, and it is noted who asked
 * for which: what never asked for a number does not change with it.  Where the
 * values of parameters lie only ask.c knows, and gscale__read(). */
#ifndef GPUSCALE_DESCRIBE_ASK_H
#define GPUSCALE_DESCRIBE_ASK_H

#include "describe/described.h"

/* What can be asked for: parameters, and behind them */
enum {
  GSCALE__CURVE = GSCALE_PARAM_END, /* footprints of device.membw's curve, */
  GSCALE__POINT,                    /* its value at each, */
  GSCALE__FABRIC = GSCALE__POINT + GSCALE_CURVE_MAX, /* the topology, */
  GSCALE__REMOTE,   /* messages between nodes, */
  GSCALE__SINGLE,   /* the measured step of one GPU, */
  GSCALE__SHORT,    /* what the host does, in short, */
  GSCALE__SCHEDULE, /* or call by call, */
  GSCALE__PHASE,    /* and each phase. */
  GSCALE__ASKED = GSCALE__PHASE + GSCALE__PHASES_MAX
};

typedef struct gscale__source {
  uint64_t *asked; /* NULL, or of each number who asked for it, */
  uint64_t asking; /* a bit for each who may */
} gscale__source;

/* A parameter's value. */
static inline double gscale__read(const gscale__source *s, gscale_param_id id)
{
  if (s->asked) s->asked[id] |= s->asking;
  return ((const double *)(const void *)(s + 1))[id];
}

/* device.membw's curve at a footprint, and the whole of it. */
double gscale__read_curve(const gscale__source *s, double footprint);
const gscale_curve *gscale__read_curve_all(const gscale__source *s);
const gscale_fabric *gscale__read_fabric(const gscale__source *s);
const gscale_remote *gscale__read_remote(const gscale__source *s);
double gscale__read_single(const gscale__source *s);
/* Never moved: their times follow the single one. */
size_t gscale__shares_of(const gscale__source *s,
                         const gscale_share_of **shares);
/* What the rooflines give where that was measured, s, if that is another
 * system; else 0. */
double gscale__read_elsewhere(const gscale__source *s);
const gscale_host *gscale__read_host(const gscale__source *s, int n);
/* For its schedules. */
const gscale_workload *gscale__read_schedules(const gscale__source *s);
const gscale_phase *gscale__read_phase(const gscale__source *s, size_t i);
/* As it is on n GPUs, in *room if it is another there. */
const gscale_phase *gscale__read_phase_on(const gscale__source *s, size_t i,
                                          int n, gscale_phase *room);

/* The numbers of a path between nodes: of gpudirect, hostpath, or any others
 * that follow each other in that order. */
gscale_path gscale__read_path(const gscale__source *s, gscale_param_id first);

/* GSCALE_ENEED for a path between nodes that has messages of a protocol without
 * its rate; and that is all of gscale_system_check() with what is not set. */
gscale_status gscale__check_paths(const gscale__source *s, gscale_diag *diag);
gscale_status gscale__read_check(const gscale__source *s, gscale_diag *diag);

/* What is no number that is ever moved. */
typedef struct gscale__machine {
  const char *name, *workload;
  const gscale_link *link;
  const gscale_can *can;
  const gscale_network *network;
  const gscale_power *power;
  int gpus, built; /* of a node, of all */
  bool grows;
  size_t phases;
} gscale__machine;
gscale__machine gscale__machine_of(const gscale__source *s);
/* Its link alone. */
const gscale_link *gscale__link_of(const gscale__source *s);

/* ---- making one -----------------------------------------------------------
 */

typedef struct gscale__source_room {
  _Alignas(gscale__source) unsigned char of[sizeof(gscale__source) +
                                            GSCALE_PARAM_END * sizeof(double) +
                                            2 * sizeof(void *)];
} gscale__source_room;

/* Either may be NULL, if nothing is read of it; they are not copied, but for
 * the parameters' values. */
gscale__source *gscale__source_in(gscale__source_room *room,
                                  const gscale_system *s,
                                  const gscale_workload *w);
/* Another value. */
void gscale__put(gscale__source *s, gscale_param_id id, double value);
/* The values of all parameters of a system. */
void gscale__put_all(gscale__source *s, const gscale_system *from);

/* Who asked for parameters that are others in a system than in a source. */
uint64_t gscale__changed(const gscale__source *was, const uint64_t *asked,
                         const gscale_system *s);
/* Who asked for what is not a parameter, and is another in the second of two
 * systems and workloads. */
uint64_t gscale__changed_else(const uint64_t *asked, const gscale_system *s_was,
                              const gscale_workload *w_was,
                              const gscale_system *s, const gscale_workload *w);

/* ---- the parameters of a system -------------------------------------------
 */

/* All at their defaults. */
void gscale__params_init(gscale_system *s);
/* Whether it was set, or needs not be. */
bool gscale__param_set(const gscale_system *s, gscale_param_id id);
/* Whether others follow it. */
bool gscale__param_leads(const gscale_system *s, gscale_param_id id);
/* It is known from here on, and no guess.  What follows it is guessed anew, as
 * by the others. */
void gscale__param_put(gscale_system *s, gscale_param_id id,
                       const gscale_param *p);
/* Another value; all else stays as it is. */
void gscale__param_move(gscale_system *s, gscale_param_id id, double value);
/* As it is in another system. */
void gscale__param_take(gscale_system *s, const gscale_system *from,
                        gscale_param_id id);

#endif /* GPUSCALE_DESCRIBE_ASK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
