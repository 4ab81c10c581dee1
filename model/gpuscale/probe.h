/*
 * probe.h - a system whose numbers are tried at other values: design studies.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_PROBE_H
#define GSCALE_PROBE_H

#include "gpuscale/predict.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan whose system may be changed, number by number: what a sweep over
 *  parameters, and a search for one of them, predict from.
 *
 *  Most numbers of links, copies, stores and agents change nothing that a plan
 *  derives: setting one costs next to nothing, and 10^5 to 10^6 predictions a
 *  second can follow.  After the others (gscale_probe_plans) it is made
 *  anew, once, when it is next asked for, of what was kept: schedules that are
 *  compiled, ways between GPUs.  That takes some microseconds, and less than
 *  one where only the host's calls changed.
 *
 *  Predictions are those of gscale_plan_new for a system with these values, to
 *  the last bit. */
typedef struct gscale_probe gscale_probe;

/** Given  s, w  kept: they must outlive the probe, which changes neither
 *         n   as gscale_plan_new
 *  Fails  as gscale_plan_new */
gscale_status gscale_probe_new(const gscale_system *s, const gscale_workload *w,
                               int n, gscale_probe **out, gscale_diag *diag);
void gscale_probe_free(gscale_probe *p);

/** Sets a parameter to a value, in SI units: exact, and assumed by whoever sets
 *  it.
 *  Fails  GSCALE_ENAME, GSCALE_EDOMAIN as gscale_system_set; nothing changes */
gscale_status gscale_probe_set(gscale_probe *p, gscale_param_id id,
                               double value, gscale_diag *diag);

/** Goes on with a workload whose phases have other numbers than those of the
 * one that the probe was made with (gscale_workload_put), and nothing else. The
 *  plan is made anew when it is next asked for: schedules, ways and phases that
 *  are the same are kept.
 *
 *  Given    w  kept, and so is the first: it must not change.  Where numbers of
 *              this one change once more, it is to be given again
 *  Fails    GSCALE_EDOMAIN  it has another number of phases */
gscale_status gscale_probe_workload(gscale_probe *p, const gscale_workload *w,
                                    gscale_diag *diag);

/** Says for which paradigms plans will be asked, `infinite` besides: those that
 *  are made anew need not have the schedules of others, and gscale_plan_needs
 *  then says that they have not.
 *
 *  Given    paradigm[n]  below gscale_paradigm_count */
void gscale_probe_ways(gscale_probe *p, const size_t *paradigm, size_t n);

/** True if the plan as it is asked for that parameter when it was made, or for
 *  others that are guessed from it: some of it, at least, must be made anew
 * when it changes. */
bool gscale_probe_plans(const gscale_probe *p, gscale_param_id id);

/** The plan with the values as they are; it lives until the next
 *  gscale_probe_set or _free.  Fails as gscale_plan_new: the values may be such
 *  that no step has a finite time. */
gscale_status gscale_probe_plan(gscale_probe *p, const gscale_plan **out,
                                gscale_diag *diag);

/** gscale_uncertainty_new() of the probe's system and workload as they are,
 * from the plan that it has.
 *
 *  Given    all   as gscale_uncertainty_new
 *  Returned *out  goes on with gscale_uncertainty_put for each
 * gscale_probe_set, after gscale_probe_plan or before; where that says no, and
 *                 before gscale_probe_workload or _free, it is to be freed
 *  Fails    as gscale_probe_plan; GSCALE_ENOMEM */
gscale_status gscale_probe_uncertainty(gscale_probe *p, bool all,
                                       gscale_uncertainty **out,
                                       gscale_diag *diag);

/** A number that is another at each of some points. */
typedef struct gscale_change {
  enum {
    GSCALE_CHANGES_PARAM, /* `id`, of the system */
    GSCALE_CHANGES_FIELD, /* number `index` of `field`, of phase `phase` */
    GSCALE_CHANGES_KNOB   /* `knob`, of the paradigm */
  } of;
  gscale_param_id id;
  size_t phase, index;
  const gscale_field *field;
  gscale_knob knob;
  const double *value; /* of each point, SI units */
} gscale_change;

/** The same question at n points that differ in some numbers.
 *
 *  What no changed number has to do with is done once: the plan, checks, phases
 *  that never asked for it.  Points that differ in parameters of which no plan
 *  is made (gscale_probe_plans) are evaluated eight beside each other; the
 *  search for a point's critical cycle begins at that of the last one.  Other
 *  parameters, and fields, make a plan anew at each point.
 *
 *  Given    p         the probe; afterwards its parameters are those of the
 *                     last point, its workload and the knobs as before
 *           paradigm, k  as gscale_predict; knobs that stay unset are chosen at
 *                     each point
 *           change[m] of different numbers
 *  Returned out[i]    the prediction at point i, as gscale_predict gives it for
 *                     a plan of these numbers, within 1e-13; its time is NaN
 *                     where there is none
 *  Fails    as the first point that has none; GSCALE_OK if all have.
 *           GSCALE_ENOMEM
 *  Omits    errors: gscale_errors_many.  One thread makes all points: threads
 *           need probes of their own */
gscale_status gscale_predict_many(gscale_probe *p, size_t paradigm,
                                  const gscale_knobs *k, size_t n,
                                  const gscale_change *change, size_t m,
                                  gscale_prediction *out, gscale_diag *diag);

/** gscale_predict_many() with the standard error of each prediction.
 *
 *  Plans of numbers that are moved are made once, where no number that changes
 *  has to do with more of them than costs of calls; and anew where one has
 *  (gscale_probe_plans), or a field changes.  Where points are evaluated beside
 *  each other, so is what moves of numbers do at them.  A parameter that
 *  changes is exact, as gscale_probe_set leaves it.
 *
 *  Given    as gscale_predict_many
 *  Returned out[i]    as gscale_predict_many; out may be NULL
 *           err[i]    what gscale_error_of gives for a system and a workload of
 *                     these numbers, and the knobs of out[i], its time within
 *                     1e-9; that is NaN where there is none
 *  Fails    as the first point that has none; GSCALE_OK if all have.
 *           GSCALE_ENOMEM
 *  Source   ours */
gscale_status gscale_errors_many(gscale_probe *p, size_t paradigm,
                                 const gscale_knobs *k, size_t n,
                                 const gscale_change *change, size_t m,
                                 gscale_prediction *out, gscale_error *err,
                                 gscale_diag *diag);

/** The system with the values as they are: for errors and for other N. */
const gscale_system *gscale_probe_system(const gscale_probe *p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PROBE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
