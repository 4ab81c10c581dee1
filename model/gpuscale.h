/* gpuscale.h - prediction of the speed of a multi-GPU program on N GPUs.
 *
 * This page has all that a program needs to predict, to compare systems and
 * links, and to calibrate, and only this page is promised.  The program and the
 * tests include gpuscale/all.h, which has the rest.
 *
 * Units.  Every double is in SI base units: seconds (s), bytes (B), bytes per
 * second (B/s), operations (flop), flop/s.  Prefixes exist only in text: 1 GB =
 * 1e9 B, 1 GiB = 2^30 B.
 *
 * There are two kinds of function.
 *   An EQUATION returns a double.  It is pure: it does no allocation and no I/O
 *   and has no state.  Outside its stated domain it returns NaN, never a
 *   plausible number.
 *   An OPERATION returns a gscale_status.  A failure leaves outputs unchanged
 *   and writes its reason into *diag, if it takes one (diag may be NULL).
 *
 * Ownership.  *_new and gscale_load_* allocate, *_free releases and accepts
 * NULL.  Text passed in is copied; text returned belongs to the library.
 *
 * Threads.  No global ever changes.  Any number of threads may use a plan at
 * once.  Numbers are read and written in the C locale, whatever the process's
 * locale is.
 *
 * Stability.  Equations keep their meaning and their signature.  Structs whose
 * members are not on this page are opaque.  The soname changes with everything
 * else that would break a program built before.
 *
 * Source lines cite entries of model/REFERENCES.md as [Keys]. */
#ifndef GPUSCALE_H
#define GPUSCALE_H

#define GSCALE_VERSION "0.1.0"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status codes -------------------------------------------------------- */

typedef enum gscale_status {
  GSCALE_OK = 0,
  GSCALE_EDOMAIN, /* a number outside its stated domain */
  GSCALE_EUNIT,   /* unit missing, unknown, or of the wrong dimension */
  GSCALE_EPARSE,  /* text not in the documented form */
  GSCALE_ENAME,   /* a name that is undeclared, or declared twice */
  GSCALE_ENEED,   /* the system or workload lacks what the paradigm needs */
  GSCALE_ESIZE,   /* more GPUs than described, or memory too small */
  GSCALE_EDATA,   /* too few, or contradictory, measurements */
  GSCALE_EIO,     /* cannot read or write; errno holds the cause */
  GSCALE_ENOMEM,
  GSCALE_ENUMERIC,  /* a result that is not finite: overflow */
  GSCALE_STATUS_END /* one past the last status */
} gscale_status;

enum {
  GSCALE_TEXT_MAX = 320,
  GSCALE_NAME_MAX = 48
};

typedef struct gscale_diag {
  char text[GSCALE_TEXT_MAX];
} gscale_diag;

/** Returns the meaning of a status as static text, never NULL. */
const char *gscale_strerror(gscale_status st);

/* ---- descriptions of systems and workloads ------------------------------- */

typedef struct gscale_system gscale_system;
typedef struct gscale_workload gscale_workload;

/** Loads the description of a system (in libgpuscale-lua).
 *
 *  Given    what      a name, searched on the path (., $GPUSCALE_PATH, the
 *                     place where the program or this library is installed; if
 *                     the library is not installed there, gpuscale/ in
 *                     $XDG_DATA_DIRS, /usr/local/share and /usr/share), or a
 *                     file: a text that contains '/' or ends in .lua.
 *           settings  n texts "name=value", as -P of the command line takes
 *                     them: numbers of the system ("link.rate=64 GB/s"), which
 *                     then count as assumed.  n <= 64, NULL if n is 0.
 *  Returned *out      to be freed by gscale_system_free().
 *           *diag     the first mistake, with file, line and field.
 *  Fails    GSCALE_EIO    the file is not found, or cannot be read.
 *           GSCALE_ENAME  a setting is undeclared or malformed.
 *           GSCALE_ESIZE  the description needs more than 64 MiB, 1e7
 *                         instructions or 2 s.
 *           GSCALE_EDATA  the description has any other mistake. */
gscale_status gscale_load_system(const char *what, const char *const settings[],
                                 size_t n, gscale_system **out,
                                 gscale_diag *diag);

/** Loads the description of a workload, as gscale_load_system() loads a system.
 *  Its settings are the workload's knobs ("n=512") and fields of its phases.
 *
 *  Given    gpus, sizes  the numbers of GPUs that it will be planned for, each
 *                        >= 1; NULL if sizes is 0.  A workload with its own
 *                        schedule, or whose step is a function of N, is
 *                        evaluated for each of them and for 1, and must be
 *                        loaded again for others.  A step of one parameter is
 *                        the same for all.
 *  Returned *out         to be freed by gscale_workload_free(). */
gscale_status gscale_load_workload(const char *what,
                                   const char *const settings[], size_t n,
                                   const int gpus[], size_t sizes,
                                   gscale_workload **out, gscale_diag *diag);

void gscale_system_free(gscale_system *s);
void gscale_workload_free(gscale_workload *w);

/* ---- parameters of descriptions ------------------------------------------ */

typedef enum gscale_origin {
  GSCALE_SPEC,      /* a standard or a maker's figure */
  GSCALE_MEASURED,  /* fitted to, or read from, a file of measurements */
  GSCALE_PROJECTED, /* from a measured machine, by a rule of known error:
                     * gscale_project() */
  GSCALE_ASSUMED,   /* not measured by anybody; carries a range */
  GSCALE_COUNTED,   /* counted by the program itself */
  GSCALE_DERIVED,   /* follows from the algorithm */
  GSCALE_FITTED,    /* chosen to match run times; barred from validation */
  GSCALE_INHERITED, /* measured on another machine; its error includes the
                     * spread between machines */
  GSCALE_ORIGIN_END
} gscale_origin;

/** The distribution of a number about `val`; see gscale_param_nodes. */
typedef enum gscale_distribution {
  GSCALE_BY_ORIGIN, /* even over the range of an assumption, else normal */
  GSCALE_PLAIN,     /* normal, and may be 0 */
  GSCALE_LOG        /* its logarithm is normal */
} gscale_distribution;

/** A number with its error and its origin. */
typedef struct gscale_param {
  double val;
  double err; /* one standard error, same unit; 0 = exact by definition */
  gscale_origin origin;
  char source[96]; /* sheet, file, or reason */
  gscale_distribution spread;
} gscale_param;

/** A parameter of systems by index; a release may renumber them.  `gpuscale
 *  list fields` shows names, units, domains and meanings. */
typedef size_t gscale_param_id;
/** Finds "copy.initiation" and the like; returns an index past the end if
 *  unknown. */
gscale_param_id gscale_param_find(const char *name);
/** Returns NULL past the end. */
const gscale_param *gscale_system_get(const gscale_system *s,
                                      gscale_param_id id);
/** Sets a parameter of a system.
 *
 *  Fails    GSCALE_ENAME    there is no such parameter.
 *           GSCALE_EDOMAIN  it is outside its domain, or its error is below 0.
 */
gscale_status gscale_system_set(gscale_system *s, gscale_param_id id,
                                const gscale_param *p, gscale_diag *diag);

/** Gets or sets a number of a workload by name: "sweep.publish.bytes", a field
 *  of a phase, or "t1", the measured time of a step on one GPU (s; 0: not
 *  measured).
 *
 *  Fails    GSCALE_ENAME    there is no such phase or field, or the field is
 *                           not one number.
 *           GSCALE_EDOMAIN  (set) it is outside the field's domain, or its
 *                           error is < 0. */
gscale_status gscale_workload_get(const gscale_workload *w, const char *name,
                                  gscale_param *out, gscale_diag *diag);
gscale_status gscale_workload_set(gscale_workload *w, const char *name,
                                  const gscale_param *p, gscale_diag *diag);

/* ---- links --------------------------------------------------------------- */

/** The wire format and rate behind a port. */
typedef struct gscale_link gscale_link;

typedef enum gscale_access {
  GSCALE_COPY,  /* the copy engine */
  GSCALE_STORE, /* stores of a kernel */
  GSCALE_ACCESS_END
} gscale_access;

/** Returns a link by name, or NULL if unknown.  The names are pcie1 .. pcie7,
 *  nvlink1 .. nvlink5, raw, and between nodes ib-qdr, ib-fdr, ib-edr, ib-hdr,
 *  ib-ndr, ib-xdr, slingshot11, extoll-galibier, extoll-tourmalet. */
const gscale_link *gscale_link_find(const char *name);

/** Returns useful bytes / wire bytes of one aligned message, from
 *  gscale_wire_bytes() of gpuscale/packet.h.
 *
 *  Given    bytes   B, > 0.
 *           masked  not every byte of the payload units is written.
 *  Returns  0 .. 1; NaN for 0 bytes. */
double gscale_goodput(const gscale_link *l, gscale_access a, double bytes,
                      bool masked);

/** Replaces the link on the same topology.  Format and rate are replaced (the
 *  rate stays if the link has none).  The share of its rate that the machine
 *  attains, peer access, and from PCIe to PCIe a payload that is not the usual
 *  one, stay.  Measurements over the old link carry over
 *  as assumed, within these ranges:
 *
 *    efficiencies of copies, stores and loads, all_active   0.8 of it .. 1.
 *    store.latency, load.latency                            1/2 .. 3 times.
 *    store.rate, store.wide_rate, store.ingress, load.rate, atomic.rate,
 *    um.fault_rate                                          1/4 .. 3/2 times.
 *    coll.step, coll.flag_step                              1/2 .. 3 times.
 *    coll.efficiency                                        0.8 of it .. 1.
 *
 *  The hops of the new link are added to store.latency, and twice to
 *  load.latency (gscale_link.hop).
 *
 *  A link between nodes replaces that of the network, which must exist.
 *  coll.switch becomes 0 unless the link is NVLink, since no other switch
 *  reduces. From PCIe to PCIe staged.rate scales with link.rate, 0.8 to 1
 *  times.  Peer access grows to that of machines with the new link unless the
 *  system has less than machines with the old one.  A failure leaves the system
 *  unchanged.
 *
 *  Returned the standard error is the range's, (most - least) / sqrt(12), or
 *           the previous one if that is larger.
 *  Omits    agent.latency, copy.initiation, copy.latency and the costs of the
 *           host, which depend on GPU and driver more than on the link.
 *  Source   ours; params/ differ by these ranges between PCIe and NVLink. */
gscale_status gscale_system_swap_link(gscale_system *s, const gscale_link *l,
                                      gscale_diag *diag);

/* ---- predictions --------------------------------------------------------- */

/** Finds a paradigm by name: gscale_paradigm_find("memcpy").  The index is past
 *  the end if the name is unknown. */
size_t gscale_paradigm_find(const char *name);
const char *gscale_paradigm_name(size_t i); /* NULL past the end */

/** The part of a prediction that no paradigm changes: (system, workload, n
 *  GPUs). */
typedef struct gscale_plan gscale_plan;

/** Allocates a plan.  It keeps no pointers: *s and *w may be freed first.
 *
 *  Given    n   1 .. 2048.
 *  Fails    GSCALE_ENEED  a required parameter is missing, or the rate of a
 *                         precision that a phase computes in, or the workload's
 *                         schedule or counts for n GPUs.
 *           GSCALE_ESIZE  n exceeds a system that does not grow, or the share
 *                         of the footprint does not fit device.memory.
 *           GSCALE_ENUMERIC  the step without transfers has no finite time. */
gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag);
void gscale_plan_free(gscale_plan *p);
/** Returns GSCALE_OK if the paradigm can run this plan, else GSCALE_ENEED with
 *  the reason. */
gscale_status gscale_plan_needs(const gscale_plan *p, size_t paradigm,
                                gscale_diag *diag);

/** Chunks, threads of agents and methods between nodes; see
 *  gpuscale/predict.h. */
typedef struct gscale_knobs gscale_knobs;
typedef struct gscale_prediction gscale_prediction;

gscale_prediction *gscale_prediction_new(void); /* NULL without memory */
void gscale_prediction_free(gscale_prediction *p);

/** Predicts one step.  It is pure: it does no allocation and no I/O, and is
 *  re-entrant.  A workload with a schedule of its own is the exception: it
 *  allocates working memory, and fails with GSCALE_ENOMEM without.  Its time
 *  and parts are those of program.h.
 *
 *    T = max over the cycles of the paradigm's schedule of
 *        sum(costs along the cycle) / steps that it spans.
 *
 *  The schedule lists the calls of the host's threads in a step, in the
 *  workload's order (gscale_host).  Costs are those of calls, hand-overs,
 *  events, waits and barriers, of rows of copies, and of kernels with the data
 *  that they move themselves (gpuscale/timeline.h; flows: gpuscale/flow.h).
 *
 *  The parts are  cost * dT/dcost  of the costs along one longest cycle, so
 *  that they sum to T.  A transfer is divided further, by the increases in time
 *  when its mechanisms are switched on one after another.
 *
 *  Given    paradigm   an index, see gscale_paradigm_find.
 *           k          NULL, or a knob that is NaN, selects the model's best on
 *                      the grid of gscale_plan_knob (gpuscale/predict.h).
 *  Fails    GSCALE_ENEED   as gscale_plan_needs, or the algorithm and protocol
 *                          cannot do a phase's collective.
 *           GSCALE_EDOMAIN a knob is not positive.
 *           GSCALE_ENUMERIC the time, which is > 0, or another result would not
 *                          be finite.
 *  Source   ours; the equations of gpuscale/, and for each paradigm the head of
 *           its file in model/paradigm/. */
gscale_status gscale_predict(const gscale_plan *p, size_t paradigm,
                             const gscale_knobs *k, gscale_prediction *out,
                             gscale_diag *diag);

/** Returns a number of a prediction by name, or NaN if the name is unknown.
 *
 *    time, setup                      s, of one steady step; once before steps.
 *    compute, host, transfer, initiation, tracking, tail, latency
 *                                     s, >= 0, which sum to the time.
 *    wire, useful, protocol, redundant, unused
 *                                     B of one step, whole system; the first is
 *                                     the sum of the others.
 *    speedup, efficiency, opportunity fractions of T_infinite: on the baseline
 *                                     over time, that over N, on N over time.
 *    chunk, width                     B, threads: knobs as used */
double gscale_prediction_get(const gscale_prediction *p, const char *name);
/** Returns the mechanism of which 1 % less saves most: "bandwidth", "host",
 *  ... */
const char *gscale_prediction_bound(const gscale_prediction *p);

/** Computes the standard error of the time, s.  It combines the errors of all
 *  numbers behind the prediction with the model's own error on other programs
 *  (gscale_uncertainty_error of gpuscale/predict.h).  Fails as gscale_plan_new
 *  and gscale_predict. */
gscale_status gscale_predict_error(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   size_t paradigm, const gscale_knobs *k,
                                   double *err, gscale_diag *diag);

/** The interval of z standard errors around a time, log-normal with median T.
 *
 *    lo, hi = T exp(-+ z s),   s = asinh(err / T).
 *
 *  The width hi - lo is 2 err for z = 1, however large the error, and lo stays
 *  above 0.  Below 10 % the two sides differ by less than a tenth.
 *
 *  Given    time  s, T, > 0;  err  s, >= 0;  z  >= 0.
 *  Returns  s; NaN outside the domain.
 *  Source   ours: times are products of numbers known to within a factor. */
typedef struct gscale_interval {
  double lo, hi; /* s */
} gscale_interval;
gscale_interval gscale_interval_of(double time, double err, double z);

/* ---- calibration --------------------------------------------------------- */

typedef struct gscale_measurements gscale_measurements;
/** The result of a calibration for each parameter; see gpuscale/fit.h. */
typedef struct gscale_calibration gscale_calibration;

gscale_measurements *gscale_measurements_new(void);
void gscale_measurements_free(gscale_measurements *m);
/** Appends the rows of a microbenchmark file in the project's CSV form.
 *  Columns are found by name, and others are ignored.
 *
 *  Refuses  what gscale_table_read refuses, and bytes that no program writes:
 *           carriage returns, a last line without its end.
 *           It also refuses files over 64 MiB, more than 10^6 rows, and numbers
 *           that gscale_measurements_add refuses.  Nothing is appended then.
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM; GSCALE_ENAME  a column is missing.
 *           GSCALE_EPARSE  with file, line, and column as the number of a
 *                          field. */
gscale_status gscale_measurements_read(gscale_measurements *m, const char *path,
                                       gscale_diag *diag);

/** Appends the measurements of another tool, translated to the project's
 *  benches.
 *
 *    dma, dma_pinned      copies between GPUs; between GPU and host.
 *    dma_pageable         between GPU and pageable memory of the host.
 *    staged_copy          between GPUs without peer access.
 *    ..._duplex, ..._all  with the opposite copy; of all GPUs at once.
 *    ring, alltoall       of nccl-tests (sendrecv, alltoall), access `kernel`,
 *                         size and count as in our own: of each item.
 *    allreduce, allgather, reducescatter, broadcast, reduce, gather, scatter
 *                         of nccl-tests, access `kernel`, size as it states it.
 *    mpi                  OSU between host buffers.
 *    net_latency, net_bandwidth
 *                         between two nodes: OSU where a line `# nodes: 2` says
 *                         so (and `# pairs: 4`), BenchPress' max-rate
 *                         ping-pongs; with access `device` NVSHMEM's perftest.
 *    a region's name      Extra-P: gpus and size from its first two parameters.
 *
 *  A tool that states a bandwidth gives time = size / bandwidth, with its
 *  default size if it states none.  sigma is 0 if the tool states no spread.
 *
 *  Given    format   a name of gscale_import_name, or NULL to detect it from
 *                    the content.
 *  Returned *skipped number of entries that have no counterpart (may be NULL).
 *  Refuses  files over 64 MiB, more than 10^6 rows, files that are recognisably
 *           cut off, NUL bytes, and numbers that are not finite decimals.
 * Nothing is appended then. Fails    GSCALE_EIO; GSCALE_ENOMEM. GSCALE_EPARSE
 * with file, line, column (B, from 1), and the mistake. GSCALE_ENAME  the
 * format is unknown, or matches no format. */
gscale_status gscale_import(gscale_measurements *m, const char *path,
                            const char *format, size_t *skipped,
                            gscale_diag *diag);

/** Fits the parameters of a system to measurements.
 *
 *  Each parameter has a recipe: the benches that identify it, their time as a
 *  linear function of it, and a fit (gscale_fit_linear, relative, robust,
 *  non-negative).  Packet formats stay, and efficiencies absorb the rest.  A
 *  parameter whose benches are missing keeps its base value.  The recipes are
 *  in model/learn/recipe/, a file for each group of parameters.
 *
 *  A fit that the data contradict is refused, and its parameters keep the
 *  base's value with a note.  The limit is a factor of 3 between model and
 *  measurement, as the geometric mean over its points, exp(mean |ln(model /
 *  measured)|). Beyond it, the result is no property of the machine.  Points
 *  within 3 of their own standard errors agree.  The worst of the shipped
 *  machines' is 1.4.
 *
 *  Given    *s   the base: link, shape and everything not measured.
 *  Returned *s   fitted parameters as measured, with error and file.
 *           *out one entry for each parameter, the fits and their points;
 *                gscale_calibration_free releases its content; may be NULL.
 *  Fails    GSCALE_EDATA  no measurement identifies anything, or no fit is left
 *                         (the text names the refused one), or there is a copy
 *                         between GPUs that the base's fabric does not join.
 *           and as gscale_fit_linear.
 *  Source   ours; recipes as stated at each. */
gscale_status gscale_calibrate(gscale_system *s, const gscale_measurements *m,
                               gscale_calibration *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GPUSCALE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
