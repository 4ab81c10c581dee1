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

/** The system with the values as they are: for errors and for other N. */
const gscale_system *gscale_probe_system(const gscale_probe *p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PROBE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
