/* gpuscale.h - prediction of the speed of multi-GPU programs on N GPUs.
 *
 * A program that predicts, compares systems or links, or calibrates needs only
 * this header, and only this header is a stable interface.  The command line
 * and the tests include gpuscale/all.h, which adds all other headers.
 *
 * Units.  Every double is in SI base units: seconds (s), bytes (B), bytes per
 * second (B/s), operations (flop), flop/s.  Prefixes exist only in text: 1 GB =
 * 1e9 B, 1 GiB = 2^30 B.
 *
 * There are two kinds of function.
 *   An EQUATION returns a double.  Equations do not allocate, do no I/O and
 *   have no state.  An equation returns NaN outside its stated domain.
 *   An OPERATION returns a gscale_status.  An operation that fails leaves its
 *   outputs unchanged, and writes the reason into *diag if it has this argument
 *   and diag is not NULL.
 *
 * Ownership.  Functions *_new and gscale_load_* allocate an object.  Functions
 * *_free release the object and accept NULL.  The library copies text arguments
 * and owns the text that it returns.
 *
 * Threads.  The library never changes a global variable.  Any number of threads
 * may use a plan at once.  The library reads and writes numbers in the C
 * locale, whatever the locale of the process is.
 *
 * Stability.  Equations keep their meaning and their signature.  Structs whose
 * members are not on this page are opaque.  The soname changes with every other
 * change that breaks programs built with an older version.
 *
 * Lines "Source" cite entries of model/REFERENCES.md as [Keys]. */
#ifndef GPUSCALE_H
#define GPUSCALE_H

#define GSCALE_VERSION "0.2.0"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status codes -------------------------------------------------------- */

typedef enum gscale_status {
  GSCALE_OK = 0,
  GSCALE_EDOMAIN, /* a number outside its stated domain */
  GSCALE_EUNIT,   /* a unit that is missing, unknown, or of the wrong
                   * dimension */
  GSCALE_EPARSE,  /* text that is not in the documented form */
  GSCALE_ENAME,   /* a name that is undeclared, or declared twice */
  GSCALE_ENEED,   /* the system or workload lacks what the paradigm needs */
  GSCALE_ESIZE,   /* more GPUs than described, or too little memory */
  GSCALE_EDATA,   /* too few, or contradictory, measurements */
  GSCALE_EIO,     /* a failure to read or write, with the cause in errno */
  GSCALE_ENOMEM,
  GSCALE_ENUMERIC,  /* a result that is not finite (overflow) */
  GSCALE_STATUS_END /* the number of statuses */
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

/** Loads the description of a system.  This function is in libgpuscale-lua.
 *
 *  Given    what      the name of a description on the search path, or a file
 *                     if the text contains '/' or ends in .lua.  The path is
 *                     the working directory, $GPUSCALE_PATH, and the place
 *                     where the program or this library is installed.  A
 *                     library that is not installed in this place searches
 *                     gpuscale/ in $XDG_DATA_DIRS, /usr/local/share and
 *                     /usr/share instead.
 *           settings  n <= 64 texts "name=value" as in the option -P.  Each
 *                     text sets a parameter of the system ("link.rate=64
 *                     GB/s"), which then counts as assumed.  The pointer is
 *                     NULL if n is 0.
 *  Returned *out      the system, which gscale_system_free() frees.
 *           *diag     the first mistake with its file, line and field.
 *  Fails    GSCALE_EIO    if the file is not found or cannot be read.
 *           GSCALE_ENAME  if a setting is undeclared or malformed.
 *           GSCALE_ESIZE  if the description needs more than 64 MiB, 1e7
 *                         instructions or 2 s.
 *           GSCALE_EDATA  if the description has any other mistake. */
gscale_status gscale_load_system(const char *what, const char *const settings[],
                                 size_t n, gscale_system **out,
                                 gscale_diag *diag);

/** Loads the description of a workload as gscale_load_system() loads a system.
 *  Settings set the workload's knobs ("n=512") and fields of its phases.
 *
 *  Given    gpus, sizes  `sizes` numbers of GPUs, each >= 1, for which plans
 *                        will be made.  The pointer is NULL if sizes is 0.  A
 *                        workload with its own schedule, or with a step that is
 *                        a function of N, is evaluated for each number and for
 *                        1 GPU, and must be loaded again for other numbers.  A
 *                        step with one parameter is the same for all N.
 *  Returned *out         the workload, which gscale_workload_free() frees. */
gscale_status gscale_load_workload(const char *what,
                                   const char *const settings[], size_t n,
                                   const int gpus[], size_t sizes,
                                   gscale_workload **out, gscale_diag *diag);

void gscale_system_free(gscale_system *s);
void gscale_workload_free(gscale_workload *w);

/* ---- parameters of descriptions ------------------------------------------ */

typedef enum gscale_origin {
  GSCALE_SPEC,      /* a number from a standard or a vendor */
  GSCALE_MEASURED,  /* fitted to measurements, or read from their file */
  GSCALE_PROJECTED, /* projected from a measured machine by a rule with a known
                     * error (gscale_project()) */
  GSCALE_ASSUMED,   /* measured by nobody, and given as a range */
  GSCALE_COUNTED,   /* counted by the program itself */
  GSCALE_DERIVED,   /* derived from the algorithm */
  GSCALE_FITTED,    /* fitted to run times, and not allowed in validation */
  GSCALE_INHERITED, /* measured on another machine, with an error that includes
                     * the spread between machines */
  GSCALE_ORIGIN_END
} gscale_origin;

/** The distribution of a parameter around `val` (see gscale_param_nodes). */
typedef enum gscale_distribution {
  GSCALE_BY_ORIGIN, /* uniform over the range of an assumption, else normal */
  GSCALE_PLAIN,     /* normal, with 0 allowed */
  GSCALE_LOG        /* log-normal */
} gscale_distribution;

/** A number with its error and its origin. */
typedef struct gscale_param {
  double val;
  double err; /* one standard error in the unit of val, or 0 if val is exact by
               * definition */
  gscale_origin origin;
  char source[96]; /* sheet, file, or reason */
  gscale_distribution spread;
} gscale_param;

/** The index of a parameter of systems.  A release may change these indices.
 *  `gpuscale list fields` shows the name, unit, domain and meaning of each
 *  parameter. */
typedef size_t gscale_param_id;
/** Returns the index of a parameter by name, such as "copy.initiation", or an
 *  index past the end if the name is unknown. */
gscale_param_id gscale_param_find(const char *name);
/** Returns a parameter of a system, or NULL for an index past the end. */
const gscale_param *gscale_system_get(const gscale_system *s,
                                      gscale_param_id id);
/** Sets a parameter of a system.
 *
 *  Fails    GSCALE_ENAME    if there is no such parameter.
 *           GSCALE_EDOMAIN  if the value is outside the domain, or the error is
 *                           below 0. */
gscale_status gscale_system_set(gscale_system *s, gscale_param_id id,
                                const gscale_param *p, gscale_diag *diag);

/** Gets or sets a number of a workload by name.  The name is a field of a phase
 *  ("sweep.publish.bytes"), or "t1" for the measured time of a step on one GPU
 *  (s), which is 0 if the time was not measured.
 *
 *  Fails    GSCALE_ENAME    if there is no such phase or field, or the field is
 *                           not a single number.
 *           GSCALE_EDOMAIN  if a value to be set is outside the field's domain,
 *                           or its error is below 0. */
gscale_status gscale_workload_get(const gscale_workload *w, const char *name,
                                  gscale_param *out, gscale_diag *diag);
gscale_status gscale_workload_set(gscale_workload *w, const char *name,
                                  const gscale_param *p, gscale_diag *diag);

/* ---- links --------------------------------------------------------------- */

/** The wire format and rate of the link at a port. */
typedef struct gscale_link gscale_link;

typedef enum gscale_access {
  GSCALE_COPY,  /* the copy engine */
  GSCALE_STORE, /* stores of a kernel */
  GSCALE_ACCESS_END
} gscale_access;

/** Returns a link by name, or NULL if unknown.  Links inside a node are pcie1
 *  to pcie7, nvlink1 to nvlink5 and raw.  Links between nodes are ib-qdr,
 *  ib-fdr, ib-edr, ib-hdr, ib-ndr, ib-xdr, slingshot11, extoll-galibier and
 *  extoll-tourmalet. */
const gscale_link *gscale_link_find(const char *name);

/** Returns the useful bytes / wire bytes of one aligned message, computed by
 *  gscale_wire_bytes() (gpuscale/packet.h).
 *
 *  Given    bytes   B, > 0.
 *           masked  true if some bytes of the payload units are not written.
 *  Returns  a ratio from 0 to 1, or NaN for 0 bytes. */
double gscale_goodput(const gscale_link *l, gscale_access a, double bytes,
                      bool masked);

/** Replaces the link of a system and keeps the topology.  The new link sets the
 *  packet format, and also the rate if the new link has a rate.  The attained
 *  share of the rate and peer access stay, as does an unusual payload from PCIe
 *  to PCIe.  Parameters measured over the old link become assumed within these
 *  ranges:
 *
 *    efficiencies of copies, stores and loads, all_active   0.8 times to 1.
 *    store.latency, load.latency                            1/2 to 3 times.
 *    store.rate, store.wide_rate, store.ingress, load.rate, atomic.rate,
 *    um.fault_rate                                          1/4 to 3/2 times.
 *    coll.step, coll.flag_step                              1/2 to 3 times.
 *    coll.efficiency                                        0.8 of it to 1.
 *
 *  The latency of the new link's hops (gscale_link.hop) is added once to
 *  store.latency and twice to load.latency.
 *
 *  A link between nodes replaces the link of the network, which must exist.  If
 *  the new link is not NVLink, coll.switch becomes 0, because only NVLink
 *  switches reduce.  From PCIe to PCIe, staged.rate, staged.ring and
 *  staged.pinned scale with link.rate (0.8 to 1 times).  Peer access rises to
 *  the level of machines with the new link, unless the system has less peer
 *  access than machines with the old link.  A failure leaves the system
 *  unchanged.
 *
 *  Returned each standard error is the larger of the previous standard error
 *           and (most - least) / sqrt(12) of the range.
 *  Omits    changes of agent.latency, copy.initiation, copy.latency and host
 *           costs, which depend on GPU and driver more than on the link.
 *  Source   ours: parameters in params/ differ by these ranges between PCIe and
 *           NVLink. */
gscale_status gscale_system_swap_link(gscale_system *s, const gscale_link *l,
                                      gscale_diag *diag);

/* ---- predictions --------------------------------------------------------- */

/** Returns the index of a paradigm by name ("memcpy"), or an index past the end
 *  if the name is unknown. */
size_t gscale_paradigm_find(const char *name);
const char *gscale_paradigm_name(size_t i); /* NULL past the end */

/** The part of a prediction that is the same for all paradigms.  A plan is made
 *  of a system, a workload and a number of GPUs. */
typedef struct gscale_plan gscale_plan;

/** Allocates a plan.  The plan keeps no pointers, so that *s and *w may be
 *  freed before the plan.
 *
 *  Given    n   number of GPUs, from 1 to 65536, and to 2048 of one node.
 *  Fails    GSCALE_ENEED  if a required parameter, the rate of a precision that
 *                         a phase uses, or the workload's schedule or counts
 *                         for n GPUs are missing.
 *           GSCALE_ESIZE  if n exceeds the GPUs of a system that cannot grow,
 *                         or a GPU's share of the footprint exceeds
 *                         device.memory.
 *           GSCALE_ENUMERIC  if the time of a step without transfers is not
 *                            finite. */
gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag);
void gscale_plan_free(gscale_plan *p);
/** Returns GSCALE_OK if the paradigm can run this plan, or else GSCALE_ENEED
 *  with the reason in *diag. */
gscale_status gscale_plan_needs(const gscale_plan *p, size_t paradigm,
                                gscale_diag *diag);

/** The chunk size, the agents' threads and the method between nodes (see
 *  gpuscale/predict.h). */
typedef struct gscale_knobs gscale_knobs;
typedef struct gscale_prediction gscale_prediction;

gscale_prediction *gscale_prediction_new(void); /* NULL if there is no memory */
void gscale_prediction_free(gscale_prediction *p);

/** Predicts one step.  The function is re-entrant, does not allocate, and does
 *  no I/O.  Only a workload with its own schedule needs working memory: the
 *  function then allocates this memory or fails with GSCALE_ENOMEM, and
 *  computes the time and parts as program.h describes.
 *
 *    T = max over the cycles of the paradigm's schedule of
 *        sum(costs along the cycle) / (steps that the cycle spans).
 *
 *  The schedule lists the calls of the host threads in a step, in the
 *  workload's order (gscale_host).  Costs belong to calls, hand-overs, events,
 *  waits, barriers, series of copies, and kernels with the data that they move
 *  themselves (see gpuscale/timeline.h and, for flows, gpuscale/flow.h).
 *
 *  The part of a cost on one longest cycle is cost * dT/dcost, so that all
 *  parts sum to T.  A transfer is divided further by switching on its
 *  mechanisms one after another: each mechanism's part is the increase in time.
 *
 *  Given    paradigm   the index of a paradigm (gscale_paradigm_find).
 *           k          the knobs.  NULL, or NaN for one knob, selects the
 *                      model's best value on the grid of gscale_plan_knob
 *                      (gpuscale/predict.h).
 *  Fails    GSCALE_ENEED   if gscale_plan_needs() fails, or the algorithm and
 *                          protocol cannot do the collective of a phase.
 *           GSCALE_EDOMAIN if a knob is not positive.
 *           GSCALE_ENUMERIC if the time or another result would not be finite.
 *  Source   ours: the equations of gpuscale/, and the head of each paradigm's
 *           file in model/paradigm/. */
gscale_status gscale_predict(const gscale_plan *p, size_t paradigm,
                             const gscale_knobs *k, gscale_prediction *out,
                             gscale_diag *diag);

/** Returns a number of a prediction by name, or NaN if the name is unknown.
 *
 *    time         time of one steady step, s.
 *    setup        time once before all steps, s.
 *    compute, host, transfer, initiation, tracking, tail, latency
 *                 parts of the time, s, which are >= 0 and sum to the time.
 *    wire, useful, protocol, redundant, unused
 *                 bytes of one step in the whole system, B: wire is the sum of
 *                 the other four.
 *    speedup      T_infinite on the baseline / time.
 *    efficiency   speedup / N.
 *    opportunity  T_infinite on N GPUs / time.
 *    chunk, width the knobs in use: B, and threads. */
double gscale_prediction_get(const gscale_prediction *p, const char *name);
/** Returns the mechanism whose reduction by 1 % saves most time, such as
 *  "bandwidth" or "host". */
const char *gscale_prediction_bound(const gscale_prediction *p);

/** Computes the standard error of the predicted time, s.  The standard error
 *  combines the errors of all parameters of the prediction with the model's
 *  error on other programs (gscale_uncertainty_error of gpuscale/predict.h).
 *  The function fails as gscale_plan_new and gscale_predict do. */
gscale_status gscale_predict_error(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   size_t paradigm, const gscale_knobs *k,
                                   double *err, gscale_diag *diag);

/** The interval of z standard errors around a time T that is log-normal with
 *  median T.
 *
 *    lo, hi = T exp(-+ z s),   s = asinh(err / T).
 *
 *  For z = 1 the width is hi - lo = 2 err for any error, and lo is always above
 *  0.  The lower and upper sides differ by less than a tenth if the error is
 *  below 10 %.
 *
 *  Given    time  T > 0, s; err >= 0, s; z >= 0.
 *  Returns  both ends, s, or NaN outside the domain.
 *  Source   ours: a time is a product of parameters, each known to within a
 *           factor. */
typedef struct gscale_interval {
  double lo, hi; /* s */
} gscale_interval;
gscale_interval gscale_interval_of(double time, double err, double z);

/* ---- calibration --------------------------------------------------------- */

typedef struct gscale_measurements gscale_measurements;
/** The result of a calibration for each parameter (see gpuscale/fit.h). */
typedef struct gscale_calibration gscale_calibration;

gscale_measurements *gscale_measurements_new(void);
void gscale_measurements_free(gscale_measurements *m);
/** Appends the rows of a microbenchmark file in the project's CSV form.
 *  Columns are found by name, and unknown columns are ignored.
 *
 *  Refuses  files that gscale_table_read refuses, carriage returns, a last line
 *           without a newline, files over 64 MiB, more than 10^6 rows, and
 *           numbers that gscale_measurements_add refuses.  A refused file
 *           appends nothing.
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM; GSCALE_ENAME  if a column is missing.
 *           GSCALE_EPARSE  with the file, the line, and the number of the
 *                          field. */
gscale_status gscale_measurements_read(gscale_measurements *m, const char *path,
                                       gscale_diag *diag);

/** Appends the measurements of another tool under the names of the project's
 *  microbenchmarks.
 *
 *    dma                  copies between GPUs.
 *    dma_pinned           copies between GPU and pinned host memory.
 *    dma_pageable         copies between GPU and pageable host memory.
 *    staged_copy          copies between GPUs without peer access.
 *    ..._duplex, ..._all  copies in both directions, or of all GPUs at once.
 *    ring, alltoall       sendrecv and alltoall of nccl-tests: access is
 *                         `kernel`, and size is the bytes of each message.
 *    allreduce, allgather, reducescatter, broadcast, reduce, gather, scatter
 *                         nccl-tests: access is `kernel`, size is as printed.
 *    mpi                  OSU benchmarks between host buffers.
 *    net_latency, net_bandwidth
 *                         messages between two nodes: OSU with a line
 *                         `# nodes: 2` (and `# pairs: 4`), max-rate ping-pongs
 *                         of BenchPress, and, with access `device`, NVSHMEM.
 *    a region's name      Extra-P: gpus and size are its first two parameters.
 *
 *  For a tool that prints bandwidths, time = size / bandwidth, with the tool's
 *  default size if it prints none.  sigma is 0 if the tool prints no spread.
 *
 *  Given    format   a name of gscale_import_name, or NULL to detect the format
 *                    from the content.
 *  Returned *skipped the number of entries without a counterpart (the pointer
 *  may be NULL).
 *  Refuses  files over 64 MiB, more than 10^6 rows, files that are recognisably
 *           cut off, NUL bytes, and numbers that are not finite decimals.
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM.
 *           GSCALE_EPARSE  with file, line, column (bytes from 1) and mistake.
 *           GSCALE_ENAME   if the format is unknown or cannot be detected. */
gscale_status gscale_import(gscale_measurements *m, const char *path,
                            const char *format, size_t *skipped,
                            gscale_diag *diag);

/** Fits the parameters of a system to measurements.
 *
 *  Each parameter has a recipe.  A recipe states the microbenchmarks that
 *  identify the parameter, their time as a linear function of the parameter,
 *  and a fit (gscale_fit_linear: relative, robust, non-negative).  Packet
 *  formats are not fitted, so that efficiencies absorb their errors.  A
 *  parameter keeps its base value if its microbenchmarks are missing.  Each
 *  file in model/learn/recipe/ has the recipes of one group of parameters.
 *
 *  A fit that contradicts the data is refused, and its parameters keep the
 *  base's values with a note.  A fit contradicts the data if exp(mean |ln(model
 *  / measured)|) over its points exceeds 3; the worst fit of the shipped
 *  machines has 1.4.  Points within 3 standard errors of the model count as
 *  equal to it.
 *
 *  Given    *s   the base, which has the link, the shape and all parameters
 *                that are not measured.
 *  Returned *s   the fitted parameters, as measured, each with its error and
 *                file.
 *           *out an entry for each parameter, the fits and their points. *out
 *                may be NULL; gscale_calibration_free releases its content.
 *  Fails    GSCALE_EDATA  if no measurement identifies a parameter, if no fit
 *                         is left (*diag names the refused fit), or if a
 *                         measured copy is between GPUs that the base's fabric
 *                         does not join.  The function also fails as
 *                         gscale_fit_linear does.
 *  Source   ours: each recipe states its source. */
gscale_status gscale_calibrate(gscale_system *s, const gscale_measurements *m,
                               gscale_calibration *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GPUSCALE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
