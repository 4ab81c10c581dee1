/* paradigm.h - the interface of paradigms, for model/ only. */
#ifndef GPUSCALE_PARADIGM_PARADIGM_H
#define GPUSCALE_PARADIGM_PARADIGM_H

#include "price/stage.h"

/* A paradigm prepares a phase and writes its part of the schedule. */
typedef struct gscale__paradigm {
  gscale_paradigm about;
  bool packs;  /* moves whole, packed pieces */
  bool stores; /* kernels' blocks move data or trigger it */
  /* Returns true if a knob of about.uses affects this phase.  NULL means that
   * it does wherever data moves. */
  bool (*obeys)(const gscale__phase_plan *f, gscale_knob k);
  /* Returns why it cannot run this phase, or NULL. */
  const char *(*needs)(const gscale_plan *p, const gscale__phase_plan *f);
  void (*prepare)(const gscale_plan *p, const gscale__phase_plan *f,
                  const gscale_knobs *k, gscale__stage *out);
  /* Fills out->gathered for prepare and first, from fewer numbers than they
   * need, or is NULL. */
  void (*gather)(const gscale_plan *p, const gscale__phase_plan *f,
                 gscale__gathered *out);
  /* Fills out->moved if that is slow in prepare, or is NULL.  No time depends
   * on it. */
  void (*count)(const gscale_plan *p, const gscale__phase_plan *f,
                gscale__stage *out);
  /* Prepares a phase of the first step, or is NULL. */
  void (*first)(const gscale_plan *p, const gscale__phase_plan *f,
                const gscale_knobs *k, gscale__stage *out);
  /* Returns s by which the first step exceeds others, with `more` from `first`,
   * or is NULL. */
  double (*setup)(const gscale_plan *p, double more);
  /* Launches the kernels of a phase that publishes, and publish() then moves
   * its data.  NULL means consecutive launches, and no move
   * (predict/step.h). */
  void (*launch)(gscale__emit *e);
  /* Returns true if a kernel `before` the others, in the second stream, makes
   * what leaves the GPU.  NULL means never. */
  bool (*splits)(const gscale__phase_plan *f);
  void (*publish)(gscale__emit *e);
  bool beside;    /* uses a second stream */
  bool in_stream; /* a stream orders phases, and the host waits at the end of a
                     step only */
  bool joined;    /* moves inter-node data itself, or none */
  bool ideal;     /* serving other GPUs takes no time */
  bool adds;      /* data is summed as it moves */
  bool own;       /* runs the program's own schedule */
} gscale__paradigm;

/* Other paradigms are made of these.  All are in registry.c. */
extern const gscale__paradigm gscale__inline, gscale__memcpy, gscale__rdl;

/* Returns NULL past the end.  The row `infinite` as its runs are measured
 * follows the listed paradigms (gscale_paradigm_count). */
const gscale__paradigm *gscale__paradigm_at(size_t i);
size_t gscale__paradigm_rows(void);
/* Returns the row that the knobs, which may be NULL, select. */
size_t gscale__paradigm_row(size_t paradigm, const gscale_knobs *k);

#endif /* GPUSCALE_PARADIGM_PARADIGM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
