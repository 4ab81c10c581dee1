/* paradigm.h - what a paradigm is, for model/ only. */
#ifndef GPUSCALE_PARADIGM_PARADIGM_H
#define GPUSCALE_PARADIGM_PARADIGM_H

#include "price/stage.h"

/* A paradigm: how it prepares a phase and how its device path adds up. */
typedef struct gscale__paradigm {
  gscale_paradigm about;
  bool packs;  /* moves whole pieces, which may have to be made first */
  bool stores; /* blocks of the phase's kernels move data, or say when */
  /* Whether the knob, one of about.uses, matters to this phase; NULL: it does
   * wherever data is moved */
  bool (*obeys)(const gscale__phase_plan *f, gscale_knob k);
  /* NULL, or why it cannot run this phase */
  const char *(*needs)(const gscale_plan *p, const gscale__phase_plan *f);
  void (*prepare)(const gscale_plan *p, const gscale__phase_plan *f,
                  const gscale_knobs *k, gscale__stage *out);
  /* NULL, or what prepare, and first, find in out->gathered: it hangs on fewer
   * numbers than they do */
  void (*gather)(const gscale_plan *p, const gscale__phase_plan *f,
                 gscale__gathered *out);
  /* NULL, or fills in out->moved, which takes prepare too long: no time depends
   * on it */
  void (*count)(const gscale_plan *p, const gscale__phase_plan *f,
                gscale__stage *out);
  /* NULL, or what it makes of a phase in the first step */
  void (*first)(const gscale_plan *p, const gscale__phase_plan *f,
                const gscale_knobs *k, gscale__stage *out);
  /* s, once: NULL, or what the first step costs more than the others, `more` of
   * which is because its phases are made by `first` */
  double (*setup)(const gscale_plan *p, double more);
  /* Where a phase's data goes to other GPUs: the schedule of its kernels, NULL:
   * all in a row, and of what follows them, NULL: nothing (predict/step.h) */
  void (*launch)(gscale__emit *e);
  /* Whether a kernel in the second stream, `before` the others, makes what
   * leaves the GPU; NULL: never */
  bool (*splits)(const gscale__phase_plan *f);
  void (*publish)(gscale__emit *e);
  bool beside;    /* these use a second stream, too */
  bool in_stream; /* phases follow each other in a stream, and the host waits
                   * at the end of a step only */
  bool joined;    /* it moves what leaves a node itself, or moves nothing */
  bool ideal;     /* nothing that serves other GPUs takes time */
  bool adds;      /* sums are made where data moves, not by the next kernel */
  bool own;       /* it runs the program's own schedule, as written */
} gscale__paradigm;

/* The paradigms that others are made of; registry.c has all. */
extern const gscale__paradigm gscale__inline, gscale__memcpy, gscale__rdl;

/* NULL past the end: behind those that are listed (gscale_paradigm_count) is
 * one more, `infinite` as its runs are measured. */
const gscale__paradigm *gscale__paradigm_at(size_t i);
size_t gscale__paradigm_rows(void);
/* The row that is meant: of these knobs, which may be NULL. */
size_t gscale__paradigm_row(size_t paradigm, const gscale_knobs *k);

#endif /* GPUSCALE_PARADIGM_PARADIGM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
