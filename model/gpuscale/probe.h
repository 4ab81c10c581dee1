/* probe.h - what-if evaluation of a system with other numbers.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_PROBE_H
#define GSCALE_PROBE_H

#include "gpuscale/predict.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A plan whose system may change number by number, for sweeps over parameters
 *  and searches for one of them.
 *
 *  A plan derives nothing from most numbers of links, copies, stores and
 *  agents. Setting one of these costs next to nothing, and permits 10^5 to 10^6
 *  predictions a second.  After a change of others (gscale_probe_plans) the
 *  plan is made anew at its next use, from compiled schedules and routes that
 *  were kept.  That takes some microseconds, and less than one if only the
 *  host's calls changed.
 *
 *  Predictions equal those of gscale_plan_new for a system with these values,
 *  to the last bit. */
typedef struct gscale_probe gscale_probe;

/** Creates a probe.
 *
 *  Given    s, w  kept: they must outlive the probe, which changes neither.
 *           n     as gscale_plan_new.
 *  Fails    as gscale_plan_new. */
gscale_status gscale_probe_new(const gscale_system *s, const gscale_workload *w,
                               int n, gscale_probe **out, gscale_diag *diag);
void gscale_probe_free(gscale_probe *p);

/** Sets a parameter to a value, in SI units: exact, and assumed by the caller.
 *
 *  Fails    GSCALE_ENAME, GSCALE_EDOMAIN as gscale_system_set; nothing changes.
 */
gscale_status gscale_probe_set(gscale_probe *p, gscale_param_id id,
                               double value, gscale_diag *diag);

/** Continues with a workload whose phases differ only in numbers from the first
 *  one (gscale_workload_put).  The plan is made anew at its next use; equal
 *  schedules, routes and phases are kept.
 *
 *  Given    w  kept, and so is the first: it must not change.  If numbers of
 *              this one change again, it must be given again.
 *  Fails    GSCALE_EDOMAIN  it has another number of phases. */
gscale_status gscale_probe_workload(gscale_probe *p, const gscale_workload *w,
                                    gscale_diag *diag);

/** Restricts plans to these paradigms and `infinite`.  Plans made anew need no
 *  schedules of other paradigms, and gscale_plan_needs then reports their
 *  absence.
 *
 *  Given    paradigm[n]  below gscale_paradigm_count. */
void gscale_probe_ways(gscale_probe *p, const size_t *paradigm, size_t n);

/** Returns true if the present plan read that parameter, or others guessed from
 *  it, so that a change makes at least a part anew. */
bool gscale_probe_plans(const gscale_probe *p, gscale_param_id id);

/** Returns the plan with the present values, valid until the next
 *  gscale_probe_set or _free.  Fails as gscale_plan_new: with these values a
 *  step may have no finite time. */
gscale_status gscale_probe_plan(gscale_probe *p, const gscale_plan **out,
                                gscale_diag *diag);

/** Creates gscale_uncertainty_new() of the probe's present system and workload,
 *  from its plan.
 *
 *  Given    all   as gscale_uncertainty_new.
 *  Returned *out  follows each gscale_probe_set by gscale_uncertainty_put,
 *                 before or after gscale_probe_plan.  It must be freed if that
 *                 fails, and before gscale_probe_workload or _free.
 *  Fails    as gscale_probe_plan; GSCALE_ENOMEM. */
gscale_status gscale_probe_uncertainty(gscale_probe *p, bool all,
                                       gscale_uncertainty **out,
                                       gscale_diag *diag);

/** Returns the system with the present values, for errors and for other N. */
const gscale_system *gscale_probe_system(const gscale_probe *p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PROBE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
