/* program.h - schedules of workloads, compiled, for model/ only.
 *
 * program.c keeps them, written.c predicts them. */
#ifndef GPUSCALE_DESCRIBE_PROGRAM_H
#define GPUSCALE_DESCRIBE_PROGRAM_H

#include "ground/ground.h"
#include "paradigm/paradigm.h"
#include "price/traffic.h"

/* What a timeline's edges do not tell apart (costs.h). */
typedef enum gscale__follows {
  GSCALE__FOLLOWS_STREAM,
  GSCALE__FOLLOWS_KERNEL, /* a copy, by an event of a kernel of its GPU */
  GSCALE__FOLLOWS_COPY,   /* a kernel, by an event of a copy of its GPU */
  GSCALE__FOLLOWS_END
} gscale__follows;

typedef struct gscale__version {
  gscale_program as;
  gscale_timeline *timeline; /* of crowd 1: plans scale these costs */
  int works;         /* durations as given; d + f * works: its work follows f */
  double far;        /* share of its waits that are for another GPU */
  bool apart;        /* collectives in streams without kernels: beside them */
  bool behind_waits; /* its copies are called for when kernels were waited for
                      */
  size_t leaving;    /* copies to other GPUs */
} gscale__version;

/* For one number of GPUs. */
struct gscale__program {
  struct gscale__program *next;
  gscale__version whole, ideal;       /* as written; by infinite */
  bool publishes;                     /* then neither is compiled: forms are */
  double publish[GSCALE__PHASES_MAX]; /* of each phase and GPU, in a step */
  bool behind_waits; /* all hosts wait for a phase's kernels before they publish
                      * it */
};

const gscale__program *gscale__program_find(const gscale_workload *w, int n);
void gscale__program_free(gscale__program *all);

/* True for a copy D2D to another GPU. */
bool gscale__leaves(const gscale_schedule *s, const gscale_action *a);

/* Whether a phase is published in it. */
bool gscale__any_publish(const gscale_schedule *s);
/* GSCALE_EDATA, naming the action: what gscale_workload_add_program asks for.
 */
gscale_status gscale__check_published(const gscale_workload *w,
                                      const gscale_program *p,
                                      gscale_diag *diag);
/* Notes that it does, and what. */
void gscale__note_published(gscale__program *g);

/* The schedule for n GPUs, if it publishes; else NULL. */
const gscale__program *gscale__published(const gscale_workload *w, int n);
/* Whether any of its schedules does. */
bool gscale__any_published(const gscale_workload *w);
/* Its list for a paradigm, or for the program as it stands (NULL); NULL if the
 * plan has none. */
const gscale_program *gscale__published_as(const gscale_plan *p,
                                           const gscale__paradigm *m);
/* The phase as that schedule has it: what it does not publish stays. */
const gscale_phase *gscale__published_phase(const gscale__program *g,
                                            const gscale_workload *w, size_t i,
                                            gscale_phase *scratch);
/* What its host does, as far as costs depend on it. */
gscale_host gscale__published_host(const gscale__program *g);

/* ---- plans (written.c) ----------------------------------------------------
 */

/* Room for the schedules that the plan of n GPUs needs: of one GPU, of the
 * baseline and its own.  GSCALE_ENEED if one is not there. */
gscale_status gscale__program_open(gscale_plan *p, const gscale_workload *w,
                                   int n, gscale_diag *diag);
void gscale__program_close(gscale_plan *p);
/* The plan's program from here on. */
void gscale__program_place(gscale_plan *p, const gscale_system *s,
                           const gscale_workload *w, int n,
                           gscale__traffic_room *room);

/* T(x) of one GPU, the work of all kernels x times what the plan says, and its
 * slope. */
typedef double gscale__step_at(const gscale_plan *one, double x, double *slope);

/* Factor on the work of all kernels with which one GPU takes `single`:
 *
 *   T(x) = single
 *
 * T is convex and piecewise linear in x and does not fall: Newton's steps from
 * above end at the root.  Where T(0) >= single the kernels hide behind the
 * host, and the measurement only bounds them: the largest x that changes
 * nothing, if that is below 1, else 1. */
double gscale__solve_factor(const gscale_plan *one, double single,
                            gscale__step_at *at);
/* The plan's phases are those of one GPU, unscaled. */
double gscale__program_factor(const gscale_plan *one, double single);

/* s, a step of the ideal version, in the plan's own memory. */
double gscale__program_infinite(const gscale_plan *p);

/* As gscale_plan_needs, gscale_predict (time, parts, bytes, bound only) and
 * gscale_predict_time. */
gscale_status gscale__program_needs(const gscale_plan *p, size_t paradigm,
                                    gscale_diag *diag);
gscale_status gscale__program_predict(const gscale_plan *p, size_t paradigm,
                                      gscale_prediction *out,
                                      gscale_diag *diag);
double gscale__program_time(const gscale_plan *p, size_t paradigm);

/* GSCALE_ENEED for what the plan's schedule that publishes, if it has one, asks
 * of the system by any paradigm. */
gscale_status gscale__published_needs(const gscale_plan *p, gscale_diag *diag);
/* s, one duration of a schedule that publishes and is neither launched nor
 * published; adds `times` of what it is made of to of[], unless that is NULL.
 */
double gscale__own_work(const gscale_plan *p, const gscale_work *k,
                        double times, double *of);

#endif /* GPUSCALE_DESCRIBE_PROGRAM_H */
