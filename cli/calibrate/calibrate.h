/* calibrate.h - fits measurements over a base system. */
#ifndef GPUSCALE_CALIBRATE_H
#define GPUSCALE_CALIBRATE_H

#include "common/cli.h"

/* ---- calibrations (calibration.c) --------------------------------------- */

/* Measurements over a base system, and their fits. */
typedef struct calibration {
  options *o;
  size_t first; /* first file argument */
  gscale_system *system;
  about base;
  gscale_measurements *data;
  bool microbenchmarks; /* `report` has microbenchmarks */
  bool shaped;          /* a file has a topology */
  bool by_host;         /* its parts are joined by staged.rate */
  gscale_calibration report;
  const char **run_file; /* arguments that are runs */
  size_t run_files;
  int run_gpus; /* largest N; 0 without runs */
} calibration;

/* Reads o->base and the files from argument `first` on, and fits the
 * microbenchmarks.  Files of runs are only listed in *c. */
int calibration_make(calibration *c, options *o, size_t first, failure *why);
void calibration_free(calibration *c);

#endif /* GPUSCALE_CALIBRATE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
