/* calibrate.h - measurements over a base. */
#ifndef GPUSCALE_CALIBRATE_H
#define GPUSCALE_CALIBRATE_H

#include "cli/cli.h"

/* ---- calibrations (calibration.c) --------------------------------------- */

/* Measurements over a base, and what was fitted. */
typedef struct calibration {
  options *o;
  size_t first; /* of the arguments that are files */
  gscale_system *system;
  about base;
  gscale_measurements *data;
  gscale_calibration report;
} calibration;

/* Reads o->base and the files from argument `first` on, fits; links about which
 * the files disagree are named on stderr. */
int calibration_make(calibration *c, options *o, size_t first, failure *why);
void calibration_free(calibration *c);

#endif /* GPUSCALE_CALIBRATE_H */
