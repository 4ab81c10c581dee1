/* describe.h - recorded runs, their steps, and descriptions of these steps.
 *
 * Work of a GPU is ordered by its calls. A step is a repeated sequence of work,
 * and a slot is one element that all steps share. */
#ifndef GPUSCALE_DESCRIBE_H
#define GPUSCALE_DESCRIBE_H

#include "common/cli.h"

#define NONE SIZE_MAX

/* Work of a GPU in the order of calls. */
typedef struct work_item {
  size_t record, call; /* indices; call NONE: not recorded */
  uint32_t symbol;     /* equal for equal work */
} work_item;

/* One element of a step. */
typedef struct slot {
  uint32_t symbol;
  size_t what;   /* of the first record */
  int stream;    /* as recorded */
  double start;  /* s in step, median */
  double time;   /* median in s */
  double spread; /* standard error in s */
  double gap;    /* median idle time in s */
} slot;

typedef struct gpu_steps { /* steps of a GPU */
  work_item *item;
  size_t items;
  slot *slot;
  size_t slots;
  size_t *at; /* index of an item, or NONE */
  size_t steps;
  double *begin, *end; /* of each step in s */
  size_t *first;       /* first item of each step */
  double share;        /* share of work in steps */
} gpu_steps;

typedef struct profile {
  gscale_recording *r;
  const char *const *path;
  size_t paths;
  int gpus;
  gpu_steps *gpu;
  char period_text[160];
  const char *period_from;            /* "ranges 'step #'", or NULL */
  double period, period_err, slowest; /* s */
  double *offset;                     /* clock offsets in s */
  bool marked;                        /* ranges mark the steps */
  bool coarse;                        /* steps differ in sizes */
  int ranks;                          /* given by the user; 0: read */
} profile;

/* Another run of the program on other GPUs or with a share of the work. A share
 * stands for a proportionally larger number of GPUs. */
typedef struct other_run {
  profile p;
  double share, gpus;
} other_run;

/* Returns the number of GPUs of the run, including ranks without a profile. */
double gpus_of_run(const profile *p);

/* Returns the time of a GPU's kernels per step, without collectives. */
double kernels_of_step(const profile *p, int gpu);
/* Opens the files and reads the work. A failure may leave *p partly filled. */
int profile_read(profile *p, const char *const *path, size_t paths,
                 failure *why);
void profile_free(profile *p);
/* Finds the steps. `rule` is NULL, "auto", "nvtx:NAME" or "kernel:NAME". */
int profile_steps(profile *p, const char *rule, failure *why);

/* Describes the profiles that are the arguments, or shows their step. */
int describe_main(options *o, failure *why);

/* ---- steps.c ------------------------------------------------------------ */

/* Finds the starts of steps in order by repeated symbols, or returns 0. */
size_t find_repeats(const uint32_t *symbol, size_t n, size_t *begin,
                    failure *why);
/* find_symbols() numbers the symbols. fit_slots() fits the slots of a GPU to
 * steps that start at begin[]. */
int find_symbols(profile *p, bool coarse, failure *why);
void slots_free(gpu_steps *g);
int fit_slots(profile *p, int gpu, const size_t *begin, size_t begins,
              failure *why);

/* ---- records ------------------------------------------------------------ */

const gscale_recorded_what *what_of(const profile *p, size_t record);
double start_of(const profile *p, size_t record); /* in s */
double end_of(const profile *p, size_t record);
/* Returns true if two records do the same work. `coarse` ignores sizes. */
bool is_same_work(const gscale_recorded_what *a, const gscale_recorded_what *b,
                  bool coarse);
/* by_calls() sorts the records from `from` to `to` by their calls, or returns
 * NULL. of_call() finds the first of `n` such records that has the call of
 * another record, or returns NONE. */
struct stretch *by_calls(const profile *p, size_t from, size_t to);
size_t of_call(const profile *p, const struct stretch *v, size_t n,
               size_t record);
int fullest(const profile *p); /* the GPU with most work in a step */
double spread_of(double *v, size_t n, double median); /* error of the median */

/* ---- align.c ------------------------------------------------------------ */

int process_of(const profile *p, int gpu);
/* Aligns clocks of processes by the ends of collectives, which all ranks share.
 * Ranks with different numbers of collectives are not aligned. */
int align_by_collectives(profile *p, failure *why);
/* Aligns clocks of files without common collectives by the starts of steps,
 * which are assumed simultaneous. Shifts the steps. */
int align_by_steps(profile *p, failure *why);
/* Returns true if GPUs copy to one another, or to or from the host. */
bool has_copies(const profile *p, bool host);
/* Returns true and a message if a rank has no profile. */
bool is_rank_missing(const profile *p, failure *why);

/* ---- exposed.c ---------------------------------------------------------- */

/* The time of a GPU per step in s, from the start of its first step to the end
 * of its last step: compute + copies + collectives + idle = step. */
typedef struct exposure {
  double begin; /* start of the first step in s */
  double step, compute;
  double copies, collectives; /* not hidden by kernels */
  double hidden;              /* transfers hidden by kernels */
  double waiting;             /* for late ranks */
  double idle, host;          /* host: outside of calls */
} exposure;

bool is_blocking(const char *call);
/* next_collective() returns a GPU's next collective from `from`, or NONE. */
size_t next_collective(const profile *p, int gpu, size_t from);
size_t count_collectives(const profile *p, int gpu);
int find_exposure(const profile *p, int gpu, exposure *out, failure *why);

/* ---- output ------------------------------------------------------------- */

/* The part of a step that a description has, predicted for comparison at the N
 * of the profile. */
typedef struct carried_step {
  double time, kernels; /* in s */
  double bytes, step;   /* B of collectives; s */
  size_t collectives;
  bool traced, host; /* knobs `collectives`, `host` */
} carried_step;
/* Predicts the description where it was profiled, with recorded times, and
 * states what it has of the profile. Returns true instead if the time is off by
 * more than 3 %, or 10 % if kernels take less than 0.7 of the step, and if this
 * is not the `last` description. */
bool say_carried(const profile *p, const carried_step *c, const options *o,
                 bool last);
/* Prints rows of all GPUs. `no_step` explains a missing step, or is NULL. */
int show_profile(const profile *p, const options *o, const char *no_step,
                 failure *why);
int write_description(const profile *p, const other_run *other, size_t others,
                      const options *o, failure *why);

#endif /* GPUSCALE_DESCRIBE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
