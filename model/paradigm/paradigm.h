/* paradigm.h - the interface of paradigms, for model/ only. */
#ifndef GPUSCALE_PARADIGM_PARADIGM_H
#define GPUSCALE_PARADIGM_PARADIGM_H

#include "price/stage.h"

/* A paradigm prepares a phase and writes its own part of the schedule. */
typedef struct gscale__paradigm {
  gscale_paradigm about;
  bool packs;  /* moves packed pieces as a whole */
  bool stores; /* thread blocks move data or trigger moves */
  /* Returns true if a knob of about.uses affects this phase.  NULL: a knob
   * affects every phase that moves data. */
  bool (*obeys)(const gscale__phase_plan *f, gscale_knob k);
  /* Returns what the paradigm lacks to run this phase, or NULL. */
  const char *(*needs)(const gscale_plan *p, const gscale__phase_plan *f);
  void (*prepare)(const gscale_plan *p, const gscale__phase_plan *f,
                  const gscale_knobs *k, gscale__stage *out);
  /* Fills out->gathered for `prepare` and `first`, from fewer numbers than
   * these functions need, or is NULL. */
  void (*gather)(const gscale_plan *p, const gscale__phase_plan *f,
                 gscale__gathered *out);
  /* Fills out->moved, on which no time depends, if that is slow in `prepare`,
   * or is NULL. */
  void (*count)(const gscale_plan *p, const gscale__phase_plan *f,
                gscale__stage *out);
  /* Prepares a phase of the first step, or is NULL. */
  void (*first)(const gscale_plan *p, const gscale__phase_plan *f,
                const gscale_knobs *k, gscale__stage *out);
  /* Returns the time in s by which the first step exceeds other steps, with
   * `more` from `first`, or is NULL. */
  double (*setup)(const gscale_plan *p, double more);
  /* Launches the kernels of a phase that publishes, and publish() then moves
   * the phase's data.  NULL: consecutive launches, or no move. */
  void (*launch)(gscale__emit *e);
  /* Returns true if a kernel `before` the others, in the second stream,
   * computes the data that leaves the GPU.  NULL: never. */
  bool (*splits)(const gscale__phase_plan *f);
  void (*publish)(gscale__emit *e);
  bool beside;    /* uses a second stream */
  bool in_stream; /* one stream orders all phases of a step */
  bool joined;    /* moves inter-node data itself, or moves none */
  bool ideal;     /* work for other GPUs takes no time */
  bool adds;      /* data is summed while it moves */
  bool own;       /* runs the program's own schedule */
} gscale__paradigm;

/* Other paradigms call inline, memcpy and rdl.  All are in registry.c. */
extern const gscale__paradigm gscale__inline, gscale__memcpy, gscale__rdl;

/* Returns NULL past the end.  After the listed paradigms
 * (gscale_paradigm_count) comes `infinite` as its runs are measured. */
const gscale__paradigm *gscale__paradigm_at(size_t i);
size_t gscale__paradigm_rows(void);
/* Returns the row that the knobs select.  `k` may be NULL. */
size_t gscale__paradigm_row(size_t paradigm, const gscale_knobs *k);

#endif /* GPUSCALE_PARADIGM_PARADIGM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
