/* calibrate.h - measurements over a base. */
#ifndef GPUSCALE_CALIBRATE_H
#define GPUSCALE_CALIBRATE_H

#include "common/cli.h"

/* ---- calibrations (calibration.c) --------------------------------------- */

/* Measurements over a base, and what was fitted. */
typedef struct calibration {
  options *o;
  size_t first; /* of the arguments that are files */
  gscale_system *system;
  about base;
  gscale_measurements *data;
  bool microbenchmarks; /* there were some: `report` is filled */
  gscale_calibration report;
  const char **run_file; /* of the arguments, those that are runs */
  size_t run_files;
  int run_gpus; /* the most of them; 0 without runs */
} calibration;

/* Reads o->base and the files from argument `first` on, fits what
 * microbenchmarks say; files of runs are only named in *c.  Links about which
 * the files disagree are named on stderr. */
int calibration_make(calibration *c, options *o, size_t first, failure *why);
void calibration_free(calibration *c);

/* ---- advice (measurement_advice.c)
 * --------------------------------------------------- */

/* Prints which parameters are worth measuring better, by what they add to the
 * errors of some shipped programs on all GPUs of the system. */
int advise(FILE *f, gscale_system *s, failure *why);

#endif /* GPUSCALE_CALIBRATE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
