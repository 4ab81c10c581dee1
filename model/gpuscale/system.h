/* system.h - systems, with their properties, errors and projection to other
 * GPUs. */
#ifndef GSCALE_SYSTEM_H
#define GSCALE_SYSTEM_H

#include "gpuscale/fabric.h"
#include "gpuscale/fields.h"
#include "gpuscale/message.h"
#include "gpuscale/packet.h"
#include "gpuscale/roofline.h"
#include "gpuscale/units.h"

#include <stdint.h>

/* ---- abilities of a system ----------------------------------------------- */

/** The access of a GPU to another GPU's memory.  Each level of access includes
 *  all lower levels. */
typedef enum gscale_peer {
  GSCALE_PEER_NONE,    /* no access: copies are staged in the host */
  GSCALE_PEER_COPIES,  /* access by copy engines */
  GSCALE_PEER_STORES,  /* access by stores and loads of kernels */
  GSCALE_PEER_ATOMICS, /* access by atomics of kernels */
  GSCALE_PEER_END
} gscale_peer;

/** The abilities of a system, or the needs of a paradigm. */
typedef struct gscale_can {
  gscale_peer peer;
  bool managed;       /* managed memory, whose pages all GPUs can map;
                       * with um.fault_rate, pages migrate */
  bool device_launch; /* kernels can launch kernels */
} gscale_can;

/** Returns the default abilities of machines whose GPUs have a link.
 *
 *    NVLink:  peer atomics, managed memory and device launches.
 *    PCIe:    peer stores and loads, managed memory and device launches.  The
 *             attribute of native peer atomics is not set over PCIe.
 *    raw:     only peer copies, because nothing is known.
 *
 *  Omits    GPUs whose driver denies peer access over PCIe.
 *  Source   [CudaGuide] peer-to-peer attributes, unified memory. */
gscale_can gscale_link_can(const gscale_link *l);

/* ---- systems ------------------------------------------------------------- */

enum {
  GSCALE_PARAMS_MAX = 256 /* most parameters possible */
};

size_t gscale_param_count(void);

/** The effect of a larger parameter on the time of a step, with all else equal.
 *
 *  At fixed knobs, over the whole domain and for every paradigm, a larger gain
 *  (a rate, an efficiency, room) never makes a step slower, and a larger cost
 *  (a latency, a call, a share) never makes a step faster.  A size of a
 *  structure, or a limit between two regimes, may have either effect.
 *
 *  Limits   only for a program whose single-GPU time is not measured.  If this
 *           time is measured, parameters of one GPU (device, host) only divide
 *           the time, so that more of one cost is less of all others. */
typedef enum gscale_direction {
  GSCALE_UNDECLARED, /* past the end */
  GSCALE_GAIN,
  GSCALE_COST,
  GSCALE_EITHER,
  GSCALE_DIRECTION_END
} gscale_direction;

/** The rule that scales a parameter from a measured GPU to an unmeasured GPU.
 *  Rates grow with the rule's quantity, and times shrink. */
typedef enum gscale_rule {
  GSCALE_RULE_SHEET,  /* only the data sheet's value */
  GSCALE_RULE_MEMORY, /* memory bandwidth of the data sheets */
  GSCALE_RULE_CORES,  /* (number of SMs) * clock */
  GSCALE_RULE_CLOCK,  /* clock of SMs */
  GSCALE_RULE_LINK,   /* rate of the link */
  GSCALE_RULE_STAYS,  /* unchanged, for efficiencies and latencies */
  GSCALE_RULE_HOST,   /* a property of the measured hosts */
  GSCALE_RULE_END
} gscale_rule;

typedef struct gscale_param_info {
  const char *name; /* "copy.initiation" */
  gscale_dim dim;
  double least, most; /* domain, including both ends */
  bool required;      /* false: `otherwise` applies */
  double otherwise;
  double low, high; /* range of a guess from other systems; 0, 0: the cost or
                     * limit is absent, and exact */
  bool scales;      /* a guess is proportional to host.launch */
  gscale_direction direction;
  const char *recipe; /* recipe of gscale_calibrate, or "none" */
  gscale_rule rule;
  const char *meaning;
} gscale_param_info;

const gscale_param_info *
gscale_param_info_at(gscale_param_id id); /* NULL past the end */
/** Returns the default of an optional parameter, which is spec and exact, or
 *  assumed for a guess. */
gscale_param gscale_param_default(gscale_param_id id);

/** Estimates a parameter of an unmeasured machine from machines that measured
 *  this parameter.  The estimate is assumed, with the 95 % prediction interval
 *  of one more machine:
 *
 *    interval = centre +- t(machines - 1) s sqrt(1 + 1/machines).
 *
 *  The formula applies to logarithms, or to the values themselves if the
 *  parameter may be 0 and at least four machines measured it.
 *
 *  Given    other   true if the machine is of another kind than all measured
 *                   machines.  Costs of calls then have the spread of
 *                   other hosts, costs of the GPU the standard deviation of 1/3
 *                   to 3 times (assumed), and other numbers twice the standard
 *                   deviation.
 *  Returned false, with *out unchanged, if too few machines measured the
 *  parameter.
 *  Source   prediction interval of a normal sample [HahnMeeker91];
 *           values in model/describe/population.def, from
 *           scripts/dev/population. */
bool gscale_param_population(gscale_param_id id, bool other, gscale_param *out);

/** Creates a system.  Required parameters are unset, and optional parameters
 *  have their default.  gscale_system_check() names missing parameters. */
gscale_system *gscale_system_new(const char *name);
/** Returns true if the parameter is still a guess, which is proportional to
 *  host.launch. */
bool gscale_system_guessed(const gscale_system *s, gscale_param_id id);
/** Sets the wire format, and also link.rate (as spec) if link.rate was not
 *  set. */
gscale_status gscale_system_set_link(gscale_system *s, const gscale_link *l,
                                     gscale_diag *diag);
/** Sets the abilities of the system, whose default is gscale_link_can() of the
 *  link.  The function fails with GSCALE_EDOMAIN if `peer` is no
 *  gscale_peer. */
gscale_status gscale_system_set_can(gscale_system *s, const gscale_can *can,
                                    gscale_diag *diag);
const gscale_can *gscale_system_can(const gscale_system *s);
/** Sets the number of installed GPUs, the topology, and whether more GPUs can
 *  be added (`grows`, not for a mesh).  `calibrated` is the largest number of
 *  GPUs that were measured together, or 0. */
gscale_status gscale_system_set_shape(gscale_system *s, const gscale_fabric *f,
                                      int gpus, bool grows, int calibrated,
                                      gscale_diag *diag);
/** Joins nodes by a network.  GPUs, ports and host then describe one node.  The
 *  function sets network.rate (as spec) if network.rate was not set.
 *
 *  Fails    GSCALE_EDOMAIN as gscale_network_check(), for more than 65536
 *           GPUs in all, or if the shape of a node is not yet set. */
gscale_status gscale_system_set_network(gscale_system *s,
                                        const gscale_network *n,
                                        gscale_diag *diag);
/** Takes all properties of *node except name, network and the parameters with a
 *  flag in `said`, which were set for *s itself.  One node of *s then gives the
 *  same predictions as *node.  *node loses its residuals, and must be freed. */
void gscale_system_take_node(gscale_system *s, gscale_system *node,
                             const bool *said);
/** Sets the curve of device.membw over the footprint (gscale_curve). */
gscale_status gscale_system_set_membw_curve(gscale_system *s,
                                            const gscale_curve *c,
                                            gscale_diag *diag);
/** Sets the origin of the curve's factors, with `err` relative to each
 *  factor. */
gscale_status gscale_system_doubt_membw_curve(gscale_system *s,
                                              const gscale_param *each,
                                              gscale_diag *diag);
/** Sets origin and error of the topology's number in row f.  val is the number
 *  that gscale_system_set_shape() got (for per_link, of all links together).
 *  The function fails with GSCALE_ENAME if f is no number of
 *  GSCALE_OF_TOPOLOGY. */
gscale_status gscale_system_doubt_topology(gscale_system *s,
                                           const gscale_field *f,
                                           const gscale_param *p,
                                           gscale_diag *diag);
/** Returns the origin of row f of the topology, or NULL if the origin was not
 *  set. */
const gscale_param *gscale_system_topology(const gscale_system *s,
                                           const gscale_field *f);
/** Sets the number of gscale_remote or gscale_power in row f of
 *  GSCALE_OF_REMOTE or GSCALE_OF_POWER, with its origin.  The function fails
 *  with GSCALE_EDOMAIN outside the domain, and with GSCALE_ENAME if f is in
 *  neither table. */
gscale_status gscale_system_set_remote(gscale_system *s, const gscale_field *f,
                                       const gscale_param *p,
                                       gscale_diag *diag);
/** Returns the number that gscale_system_set_remote() set for row f, or
 *  NULL. */
const gscale_param *gscale_system_remote_said(const gscale_system *s,
                                              const gscale_field *f);
/** Sets the range of sizes, B, over which copies were measured. */
gscale_status gscale_system_set_copy_range(gscale_system *s, double least,
                                           double most, gscale_diag *diag);
/** Gives the range of sizes over which copies were measured, or 0 and INFINITY
 *  if no range was set. */
void gscale_system_copy_range(const gscale_system *s, double *least,
                              double *most);

/* ---- the model's own residual ---- */

/** The four parts of the model's residual.  Each part of the residual is
 *  relative to one time. */
typedef enum gscale_residual_part {
  GSCALE_RESIDUAL_STEP,   /* scales with the whole time */
  GSCALE_RESIDUAL_HOST,   /* scales with host calls, waits and barriers */
  GSCALE_RESIDUAL_BESIDE, /* scales with the overlap of transfer and compute;
                           * zero if either is everything */
  GSCALE_RESIDUAL_MOVED,  /* scales with the time that transfers add */
  GSCALE_RESIDUAL_PARTS
} gscale_residual_part;

/** The kind of a part.  Parts of one kind have the same correlation between
 *  runs. */
typedef enum gscale_residual_kind {
  GSCALE_RESIDUAL_CALLS,    /* parts step and host */
  GSCALE_RESIDUAL_TRANSFER, /* parts beside and moved */
  GSCALE_RESIDUAL_KINDS
} gscale_residual_kind;

/** The properties in which two runs of one program may differ. */
typedef enum gscale_residual_axis {
  GSCALE_RESIDUAL_SIZE, /* knobs of the program */
  GSCALE_RESIDUAL_WAY,  /* paradigm */
  GSCALE_RESIDUAL_KNOB, /* knobs of the paradigm, or another paradigm */
  GSCALE_RESIDUAL_GPUS,
  GSCALE_RESIDUAL_MACHINE, /* machine, link or day */
  GSCALE_RESIDUAL_AXES
} gscale_residual_axis;

enum {
  GSCALE_RESIDUAL_WAYS = 32 /* most paradigms with factors */
};

/** The model of the residual between prediction and measurement.
 *
 *    ln T_measured = ln T + d + noise of the run,
 *    d = sum over parts k of u_k g_k,
 *    u_step   = step,
 *    u_host   = host T_host / T,
 *    u_contention = contention f_way sqrt(x (1 - x)),
 *    u_moved  = moved  f_way x,          x = (T - T_infinite) / T.
 *
 *  Each g_k is t-distributed with 3 degrees of freedom and a standard error of
 *  1.  The correlation of g_k between two runs of one program is the product of
 *  together[kind of k][axis] over the axes in which the runs differ.  The
 *  correlation between runs of different programs is 0.  All other members
 *  widen d where nothing was measured.  gscale_residuals_fit (score.h)
 *  estimates all members from runs.
 *
 *  Source   ours, from the rows of data/scored.txt.  The residual repeats for
 *           the same program, paradigm and size on other machines, links and N.
 *           The residual repeats little at other sizes, and not for other
 *           programs on a machine. */
typedef struct gscale_residuals {
  double part[GSCALE_RESIDUAL_PARTS]; /* shares, >= 0 */
  /* ln of f_way by paradigm, for `contention` and `moved` only */
  double way[GSCALE_RESIDUAL_PARTS][GSCALE_RESIDUAL_WAYS];
  double together[GSCALE_RESIDUAL_KINDS][GSCALE_RESIDUAL_AXES]; /* 0 to 1 */
  double machine; /* factor of residuals on an unmeasured machine */
  double growth;  /* factor per doubling of N beyond the measured GPUs */
  double nodes;   /* share of gscale_residual_moving() per doubling of nodes
                   * from 1 on */
  double compute; /* share of the time without transfer, where a program's t1
                   * was not given */
  double program; /* share of the step on an unmeasured machine, per doubling of
                   * N from 1 on */
  double tail;    /* standard errors of a 95 % interval, >= 1 */
  int measured;   /* GPUs measured together if a system states none, >= 1 */
} gscale_residuals;
/** The residuals of an exact model, which are all 0 with a normal tail of 1.96,
 *  one GPU and full correlation. */
extern const gscale_residuals gscale_residuals_none;
/** Sets the residuals of a system.  The function fails with GSCALE_EDOMAIN and
 *  names the number that is outside its domain. */
gscale_status gscale_system_set_residuals(gscale_system *s,
                                          const gscale_residuals *r,
                                          gscale_diag *diag);
/** Marks a system as exact, so that no run can deviate from the model. */
void gscale_system_is_exact(gscale_system *s);

/** The quantities of a prediction that scale the residual. */
typedef struct gscale_residual_at {
  size_t paradigm;
  uint64_t knobs; /* hash of the paradigm's knobs */
  double host;    /* T_host / T, 0 to 1 */
  double moved;   /* moved share x of the time, 0 to 1 */
} gscale_residual_at;

/** Computes u of each part without widening.
 *
 *  Given    at  shares 0 to 1; values outside count as the nearest end. */
void gscale_residual_of(const gscale_residuals *r, const gscale_residual_at *at,
                        double u[GSCALE_RESIDUAL_PARTS]);
/** Returns the kind of a gscale_residual_part. */
gscale_residual_kind gscale_residual_kind_of(size_t p);
/** Computes u of each part, widened by all terms of *w except nodes. */
struct gscale_widened;
void gscale_residual_widened(const gscale_residuals *r,
                             const gscale_residual_at *at,
                             const struct gscale_widened *w,
                             double u[GSCALE_RESIDUAL_PARTS]);
/** Returns the correlation of parts of kind k between two runs of one program,
 *  which is the product of together[k] over the axes in which the runs
 *  differ. */
double gscale_residual_together(const gscale_residuals *r, size_t k,
                                const bool differ[GSCALE_RESIDUAL_AXES]);
/** Returns the time to which the term `nodes` is relative.
 *
 *    moving = sqrt( (T - T_infinite)^2 + (0.05 T)^2 ).
 *
 *  Given    time      T > 0, s;  infinite  T_infinite, 0 to T, s.
 *  Returns  s; NaN outside the domain.
 *  Source   ours; 0.05 is fitted. */
double gscale_residual_moving(double time, double infinite);

/** The factors that widen the residual of a prediction on n GPUs.
 *
 *    factor^2 = 1 + machine^2 + growth^2 doublings.
 *    doublings = max(0, log2(GPUs of a node / GPUs measured together)).
 *    nodes^2  = nodes^2 (1 + machine^2) log2(nodes that n GPUs take).
 *
 *  `machine` applies to a system that was not calibrated, and after
 *  gscale_system_swap_link() to another link or rate, because nobody measured
 *  this machine.  Errors of doublings add in quadrature,
 *  because each doubling adds another sum or another switch with an independent
 *  error.  Beyond one node only the network grows, whose parameters have
 *  errors.  `nodes` is therefore outside the factor, and relative to the time
 *  that transfers add.
 *
 *  `program` is beside the factor too: how a program that strangers ran on a
 *  machine that nobody measured departs from its prediction, program log2(n) of
 *  the step, as its departure on one number of GPUs grows on the next.
 *
 *  Given    n   >= 1.
 *  Returns  each term of the sum (0 if not applicable), and the factor.
 *  Limits   without effect of runs on several nodes, because none was compared
 *           with predictions.
 *  Source   ours.  Quadrature covers growth from measurements on 2 and on 3 of
 *           4 GPUs, and NCCL's times on 2, 4, 8 and 16 nodes
 *           (tests/t_nodes.c). */
typedef struct gscale_widened {
  double factor, machine, growth;
  double nodes;   /* share of gscale_residual_moving() */
  double program; /* share of the step without its collectives */
  double doublings;
  bool measured; /* the machine is measured, or exact */
  bool kept;     /* the machine's measurements had this link */
} gscale_widened;
gscale_widened gscale_system_widened(const gscale_system *s, int n);

/** Adds the hash of a run to which parameters of the system were fitted, so
 *  that no validation uses the run.  A repeated hash counts once. */
gscale_status gscale_system_add_row(gscale_system *s, uint64_t hash,
                                    gscale_diag *diag);
bool gscale_system_has_row(const gscale_system *s, uint64_t hash);
uint64_t gscale_system_row(const gscale_system *s, size_t i); /* 0 past the
                                                               * end */

/** The range of the runs of one paradigm to which parameters were fitted: N,
 *  and the footprint of a phase on all GPUs together, B. */
typedef struct gscale_cover {
  size_t paradigm;
  int least, most;
  double small, large;
} gscale_cover;

/** Widens the range of a paradigm.  The function fails with GSCALE_EDOMAIN
 *  unless 1 <= least <= most and 0 <= small <= large. */
gscale_status gscale_system_cover(gscale_system *s, const gscale_cover *c,
                                  gscale_diag *diag);
/** Returns NULL past the end. */
const gscale_cover *gscale_system_cover_at(const gscale_system *s, size_t i);

/** The correlation r of two fitted parameters a and b.  err^2 of a prediction
 *  has the term 2 r d_a d_b in addition to d_a^2 + d_b^2, where d is a
 *  parameter's effect on the time. */
typedef struct gscale_correlation {
  gscale_param_id a, b;
  double r; /* -1 to 1 */
} gscale_correlation;

/** Appends a correlation.  The function fails with GSCALE_EDOMAIN unless a and
 *  b are parameters and -1 <= r <= 1. */
gscale_status gscale_system_correlate(gscale_system *s,
                                      const gscale_correlation *c,
                                      gscale_diag *diag);
/** Returns NULL past the end. */
const gscale_correlation *gscale_system_correlation(const gscale_system *s,
                                                    size_t i);

/** Checks that all required parameters are set.  The check fails with
 *  GSCALE_ENEED and names the first parameter that is not set. */
gscale_status gscale_system_check(const gscale_system *s, gscale_diag *diag);

/** The facts of a system.  Pointers are valid while the system lives. */
typedef struct gscale_system_facts {
  const char *name;
  int gpus;       /* installed GPUs of all nodes */
  int node;       /* GPUs of a node */
  int calibrated; /* GPUs that were measured together, or 0 */
  size_t rows;    /* number of runs behind fitted parameters */
  bool grows;
  const gscale_link *link;
  const gscale_fabric *fabric;
  const gscale_network *network; /* NULL for one node */
  const gscale_remote *remote;   /* messages between nodes; 0 if unset */
  const gscale_power *power;     /* powers of a GPU; NaN if unset */
  const gscale_residuals *residuals;
  const gscale_curve *membw; /* curve of device.membw over the footprint */
} gscale_system_facts;
gscale_system_facts gscale_system_about(const gscale_system *s);

/* ---- projection to unmeasured GPUs --------------------------------------- */

/** The entries of a vendor's data sheet of a GPU. */
typedef enum gscale_sheet_entry {
  GSCALE_SHEET_MEMORY, /* B */
  GSCALE_SHEET_MEMBW,  /* B/s */
  GSCALE_SHEET_SMS,
  GSCALE_SHEET_CLOCK,   /* boost clock of SMs, 1/s */
  GSCALE_SHEET_THREADS, /* resident threads of an SM */
  GSCALE_SHEET_L1,      /* B of an SM */
  GSCALE_SHEET_L2,      /* B */
  GSCALE_SHEET_FLOPS,
  GSCALE_SHEET_FLOPS_FP64,
  GSCALE_SHEET_FLOPS_FP64_TENSOR,
  GSCALE_SHEET_FLOPS_TF32,
  GSCALE_SHEET_FLOPS_FP16,
  GSCALE_SHEET_FLOPS_FP8,
  GSCALE_SHEET_END
} gscale_sheet_entry;

const char *gscale_sheet_entry_name(gscale_sheet_entry e); /* or NULL */

typedef struct gscale_sheet {
  char device[GSCALE_NAME_MAX];
  char chip[GSCALE_NAME_MAX];           /* die, such as "GH100", or "" */
  char link[GSCALE_NAME_MAX];           /* link between such GPUs, or "" */
  gscale_param entry[GSCALE_SHEET_END]; /* entries with origin spec, or NaN if
                                         * absent */
} gscale_sheet;

typedef struct gscale_sheets gscale_sheets;

/** Reads data sheets from a CSV file with the columns device, entry, value,
 *  source, date and address.  Values have units ("4.8 TB/s").  An entry is a
 *  name of gscale_sheet_entry_name(), `chip` or `link`.
 *
 *  Fails    GSCALE_EIO, GSCALE_EPARSE as gscale_table_read(); GSCALE_ENAME for
 *           an unknown entry; GSCALE_EUNIT for a wrong value or a repeated
 *           entry of a device.  *diag has file and line. */
gscale_status gscale_sheets_read(const char *path, gscale_sheets **out,
                                 gscale_diag *diag);
void gscale_sheets_free(gscale_sheets *s);
const gscale_sheet *gscale_sheets_at(const gscale_sheets *s, size_t i);
/** Returns the data sheet of a device, or NULL if there is none. */
const gscale_sheet *gscale_sheets_find(const gscale_sheets *s,
                                       const char *device);
/** Returns the data sheet with the same memory, SMs and flops as a system's
 *  GPUs, or NULL if there is none. */
const gscale_sheet *gscale_sheets_of(const gscale_sheets *sheets,
                                     const gscale_system *s);

/** Returns the ratio of a parameter on GPU `to` to the parameter on GPU `from`,
 *  by a rule.
 *
 *    ratio = to / from of the rule's quantity, for rates.
 *    ratio = from / to of the rule's quantity, for times and times per byte.
 *
 *  Given    rates of both links, B/s, which only GSCALE_RULE_LINK uses.
 *  Returned 1 for STAYS and HOST; NaN for SHEET, and if a sheet lacks the
 *           quantity. */
double gscale_rule_factor(gscale_rule r, gscale_dim dim,
                          const gscale_sheet *from, const gscale_sheet *to,
                          double from_rate, double to_rate);

/** The errors of projection rules between measured machines. */
typedef struct gscale_trials gscale_trials;

/** Reads trials of projections from a CSV file with the columns parameter,
 *  chips and log_ratio.  chips is `same`, `other`, or `copy` (no trial), and
 *  log_ratio is ln(found / projected).  Unknown parameters are skipped.
 *
 *  Fails    as gscale_table_read(); GSCALE_EPARSE for other words in chips. */
gscale_status gscale_trials_read(const char *path, gscale_trials **out,
                                 gscale_diag *diag);
void gscale_trials_free(gscale_trials *t);

/** Returns the expected error of a projection from one machine to another, as
 *  the standard deviation of ln(found / projected).
 *
 *    sigma^2 = (sum of log_ratio^2 of the trials + 2 usual^2) / (trials + 2).
 *
 *  `usual` is the geometric mean of the root mean squares (>= 0.02) of
 *  parameters with the same rule, only times if this parameter is a time, and
 *  otherwise only parameters that are not times.  Each parameter counts once,
 *  for the same chip or for another chip.  If there are fewer than 2 such
 *  parameters, all parameters of a GPU count.  If there are still fewer than 2,
 *  usual is 0.25 (same chip) or 0.5 (another chip).  Without trials (NULL),
 *  sigma = usual.
 *
 *  Returned *pairs  number of trials of this parameter; the pointer may be
 *                   NULL.
 *  Source   ours: a parameter with few trials is assumed to be like similar
 *           parameters. */
double gscale_trials_error(const gscale_trials *t, gscale_param_id id,
                           bool same_chip, size_t *pairs);

/** A machine from which parameters are projected. */
typedef struct gscale_origin_machine {
  const gscale_system *system;
  const gscale_sheet *sheet; /* NULL if only the host is used */
  bool gpu, host;            /* whether parameters of GPU, host are projected */
} gscale_origin_machine;

/** Projects one parameter to an unmeasured GPU.
 *
 *    value = geometric mean over machines of (number * gscale_rule_factor()).
 *    err^2 = value^2 (mean of their relative errors^2 / n + spread * sigma^2).
 *    spread = (1 + 1/n) / 2 where machines of one kind differ by chance (the
 *             host, and the same chip), 1 for another chip.
 *
 *  Only machines that measured the parameter count, and machines with equal
 *  value and error count once, because one is a copy.  A parameter that may be
 *  0 is the unscaled mean.  If no machine measured the parameter, an assumed
 *  value is projected by the same rule, stays assumed, and gets the same
 *  additional error.  If a machine has the parameter as a constant (spec) and
 *  the rule is STAYS or HOST, the result is this constant.
 *
 *  Given    rate   B/s of the link of the new machine.
 *  Returned false, with *out unchanged, if no machine and no sheet has the
 *                  parameter. */
bool gscale_project_number(gscale_param_id id,
                           const gscale_origin_machine *from, size_t n,
                           const gscale_sheet *to, double rate,
                           const gscale_trials *t, gscale_param *out);

/** Projects all parameters of a system without a flag in `said` from measured
 *  machines and the data sheet of the system's GPUs.  The curve of device.membw
 *  is projected too unless the system has one.  The link and the shape must be
 *  set before.  If a machine of `from` has another link format, parameters of
 *  the link change as in gscale_system_swap_link().
 *
 *    curve in a cache:      bandwidth scales by GSCALE_RULE_CORES.
 *    curve beyond a cache:  hits scale by GSCALE_RULE_CORES, misses by memory.
 *    footprints of curve:   footprints scale with the size of the L2 cache.
 *
 *  Fails    GSCALE_ENEED   if *to lacks memory, membw, sms, threads or flops,
 *                          or no machine of `from` has the flag gpu or host.
 *  Source   ours, validated in docs/accuracy.md. */
gscale_status gscale_project(gscale_system *s,
                             const gscale_origin_machine *from, size_t n,
                             const gscale_sheet *to, const gscale_trials *t,
                             const bool *said, gscale_diag *diag);

#endif /* GSCALE_SYSTEM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
