/* describe.h - from records of a run to its step, and to a description of it.
 *
 * Work of a GPU is followed in the order in which it was called for; a step is
 * a sequence of work that returns, and what one step has that others have, too,
 * is a slot. */
#ifndef GPUSCALE_DESCRIBE_H
#define GPUSCALE_DESCRIBE_H

#include "common/cli.h"

#define NONE SIZE_MAX

/* What a GPU did, in the order of calls. */
typedef struct work_item {
  size_t record, call; /* indices; call NONE: its call was not recorded */
  uint32_t symbol;     /* equal for work that is the same thing */
} work_item;

/* One place in a step. */
typedef struct slot {
  uint32_t symbol;
  size_t what;   /* of the first record seen there */
  int stream;    /* as the records have it */
  double start;  /* s, median from the step's begin */
  double time;   /* s, median */
  double spread; /* s, standard error of that */
  double gap;    /* s, median idle time of the GPU before it */
} slot;

typedef struct lane_steps { /* the steps of a GPU */
  work_item *item;
  size_t items;
  slot *slot;
  size_t slots;
  size_t *at; /* [step * slots + slot]: item, or NONE */
  size_t steps;
  double *begin, *end; /* s, of each step */
  double share;        /* of its work that belongs to steps */
} lane_steps;

typedef struct profile {
  gscale_recording *r;
  const char *const *path;
  size_t paths;
  int gpus;
  lane_steps *gpu;
  char period_text[160];
  const char *period_from; /* "ranges 'step #'", "what repeats"; NULL: none */
  double period, period_err, slowest; /* s */
  double *offset; /* s, of each process's clock over that of GPU 0 */
  bool marked; /* ranges say where steps begin, and where the last one ends */
  bool coarse; /* sizes differ between steps */
  size_t skipped;
} profile;

/* Another run of a program: on other GPUs, or of a share of its work, which is
 * that of as many GPUs more. */
typedef struct other_run {
  profile p;
  double share, gpus;
} other_run;

/* GPUs of the run: those seen, or the ranks of which one is given. */
double gpus_of_run(const profile *p);

/* Opens the files, and finds the steps.  EXIT_DATA if nothing returns; p is
 * then what there is. */
int profile_read(profile *p, const char *const *path, size_t paths,
                 const char *ncu, failure *why);
void profile_free(profile *p);
/* `rule`: NULL or "auto", "nvtx:NAME", "kernel:NAME". */
int profile_steps(profile *p, const char *rule, int skip, failure *why);

/* ---- steps.c --------------------------------------------------------------
 */

/* Begins of steps among the symbols, ascending, by what returns most often;
 * 0 if nothing does. */
size_t find_repeats(const uint32_t *symbol, size_t n, size_t *begin,
                    failure *why);
/* Slots of a GPU whose steps begin at `begin`, and what is in them. */
int find_symbols(profile *p, bool coarse, failure *why);
int fit_slots(profile *p, int gpu, const size_t *begin, size_t begins,
              failure *why);

/* ---- what records say -----------------------------------------------------
 */

const gscale_recorded_what *what_of(const profile *p, size_t record);
double start_of(const profile *p, size_t record); /* s */
double end_of(const profile *p, size_t record);
bool is_collective(const gscale_recorded_what *w);
double median_of(double *v, size_t n);                /* sorts; NaN if n = 0 */
double spread_of(double *v, size_t n, double median); /* of that median */

/* ---- align.c --------------------------------------------------------------
 */

int process_of(const profile *p, int gpu);
/* Clocks of processes by the ends of collectives, which are one for all ranks;
 * nothing where the ranks have different numbers of them. */
int align_by_collectives(profile *p, failure *why);
/* Clocks of files that no collective aligns by the begins of their steps, which
 * are taken for one; moves the steps. */
int align_by_steps(profile *p, failure *why);
/* What is said of a rank that no file shows; false: none is missing. */
bool is_rank_missing(const profile *p, failure *why);

/* ---- exposed.c ------------------------------------------------------------
 */

/* Where a GPU's time goes between the begin of its first step and the end of
 * its last, s a step: compute + copies + collectives + idle = step. */
typedef struct exposure {
  double begin; /* of the first step, s */
  double step, compute;
  double copies, collectives; /* that no kernel hides */
  double hidden;              /* copies and collectives beside kernels */
  double waiting; /* of collectives: for the last of the ranks that are seen */
  double idle, host; /* of idle: the host is in a call, or between calls */
} exposure;

bool is_blocking(const char *call);
/* The next collective of a GPU from item `from` on; NONE behind the last. */
size_t next_collective(const profile *p, int gpu, size_t from);
size_t count_collectives(const profile *p, int gpu);
int find_exposure(const profile *p, int gpu, exposure *out, failure *why);

/* ---- what is said ---------------------------------------------------------
 */

/* "sweep", "copy 8 KiB to GPU 1" */
void say_work(const profile *p, const slot *s, char *out, size_t size);
/* A step of usual length, as SVG, or of characters (figures/plot_profile.c). */
int draw_profile(const profile *p, bool text, FILE *out, failure *why);
/* Rows of all GPUs; `no_step` says why there is none, or is NULL. */
int show_profile(const profile *p, const options *o, const char *no_step,
                 failure *why);
int write_description(const profile *p, const other_run *other, size_t others,
                      const options *o, failure *why);

#endif /* GPUSCALE_DESCRIBE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
