/* system.h - systems: their properties, errors and projection to other GPUs.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_SYSTEM_H
#define GSCALE_SYSTEM_H

#include "gpuscale/fabric.h"
#include "gpuscale/fields.h"
#include "gpuscale/message.h"
#include "gpuscale/packet.h"
#include "gpuscale/roofline.h"
#include "gpuscale/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- abilities of a system ----------------------------------------------- */

/** The reach of a GPU into another's memory; each level includes those
 *  before. */
typedef enum gscale_peer {
  GSCALE_PEER_NONE,    /* none: copies go through the host */
  GSCALE_PEER_COPIES,  /* copy engines */
  GSCALE_PEER_STORES,  /* kernels' stores and loads */
  GSCALE_PEER_ATOMICS, /* kernels' atomic updates */
  GSCALE_PEER_END
} gscale_peer;

/** The abilities of a system, or the needs of a paradigm. */
typedef struct gscale_can {
  gscale_peer peer;
  bool managed;       /* managed memory, whose pages all GPUs can map;
                       * um.fault_rate says if they migrate */
  bool device_launch; /* kernels launch kernels */
} gscale_can;

/** Returns the abilities of machines with GPUs on that link, as a default.
 *
 *    NVLink   peer atomics, managed memory, launches by the device.
 *    PCIe     the same, but peer stores and loads only: the attribute for
 *             native peer atomics is not set on it.
 *    raw      peer copies: nothing is known of it.
 *
 *  Omits    GPUs whose driver denies peer access over PCIe: their systems say
 *           so.
 *  Source   [CudaGuide] peer-to-peer attributes, unified memory. */
gscale_can gscale_link_can(const gscale_link *l);

/* ---- systems ------------------------------------------------------------- */

enum {
  GSCALE_PARAMS_MAX = 256 /* most parameters possible */
};

size_t gscale_param_count(void);

/** The effect of a larger parameter on the time of a step, all else the same.
 *
 *  At given knobs, over its whole domain, by every paradigm:
 *    a gain   (a rate, an efficiency, room)   never slows
 *    a cost   (a latency, a call, a share)    never speeds.
 *  The size of a structure, or a limit between two regimes, may do either, or
 *  nothing.
 *
 *  Holds    for a program whose single-GPU time is not measured.  A measured
 *           time is the total of one GPU, and a parameter of one GPU (device,
 *           host) divides it: more of one is less of the others. */
typedef enum gscale_direction {
  GSCALE_UNDECLARED, /* past the end */
  GSCALE_GAIN,
  GSCALE_COST,
  GSCALE_EITHER,
  GSCALE_DIRECTION_END
} gscale_direction;

/** The rule that scales a number from a measured GPU to an unmeasured one.
 *  Rates grow with the quantity, times shrink. */
typedef enum gscale_rule {
  GSCALE_RULE_SHEET,  /* the data sheet's value only */
  GSCALE_RULE_MEMORY, /* memory bandwidth of the sheets */
  GSCALE_RULE_CORES,  /* number of SMs times clock */
  GSCALE_RULE_CLOCK,  /* clock of SMs */
  GSCALE_RULE_LINK,   /* rate of the link */
  GSCALE_RULE_STAYS,  /* efficiencies, latencies: unchanged */
  GSCALE_RULE_HOST,   /* property of the measured hosts */
  GSCALE_RULE_END
} gscale_rule;

typedef struct gscale_param_info {
  const char *name; /* "copy.initiation" */
  gscale_dim dim;
  double least, most; /* domain, both ends included */
  bool required;      /* false: `otherwise` applies */
  double otherwise;
  double low, high; /* range of a guess, as found on other systems; 0, 0: the
                     * cost or limit is absent, and exact */
  bool scales;      /* a guess scales with host.launch over that of the machines
                     * behind the guess */
  gscale_direction direction;
  const char *recipe; /* of gscale_calibrate; or "none" */
  gscale_rule rule;
  const char *meaning;
} gscale_param_info;

const gscale_param_info *
gscale_param_info_at(gscale_param_id id); /* NULL past the end */
/** Returns the value of an optional parameter until it is set: spec and exact,
 *  or assumed if it is a guess. */
gscale_param gscale_param_default(gscale_param_id id);

/** Estimates a number on a machine where nobody measured it, from machines that
 *  measured their own.  It is assumed, with the prediction interval of one more
 *  machine:
 *
 *    centre +- t(machines - 1) s sqrt(1 + 1/machines), 95 %.
 *
 *  The formula applies to logarithms, or to the number itself if it may be 0
 *  and four machines or more measured it.
 *
 *  Given    other   the machine is of another kind than all of these.  Its
 *                   standard deviation is twice as large; for costs of the GPU
 *                   it is that of a third to three times (assumed).
 *  Returned false if too few machines measured it; *out is unchanged.
 *  Source   prediction interval of a normal sample [HahnMeeker91];
 *           model/describe/population.def, made by scripts/dev/population. */
bool gscale_param_population(gscale_param_id id, bool other, gscale_param *out);

/** Creates a system of `gpus` equal GPUs.  Required parameters start unset, and
 *  optional ones at their default; gscale_system_check names what is
 *  missing. */
gscale_system *gscale_system_new(const char *name);
/** Returns true while the parameter is a guess, which follows host.launch. */
bool gscale_system_guessed(const gscale_system *s, gscale_param_id id);
/** Sets the wire format, and link.rate (as spec) unless that was set. */
gscale_status gscale_system_set_link(gscale_system *s, const gscale_link *l,
                                     gscale_diag *diag);
/** Sets the abilities of the system; before, they are gscale_link_can of its
 *  link. GSCALE_EDOMAIN if `peer` is not a gscale_peer. */
gscale_status gscale_system_set_can(gscale_system *s, const gscale_can *can,
                                    gscale_diag *diag);
const gscale_can *gscale_system_can(const gscale_system *s);
/** Sets the number of GPUs as built, their topology, and whether more can be
 *  added (`grows`; a mesh cannot grow).  `calibrated` is the largest number of
 *  GPUs measured together, 0 if none were. */
gscale_status gscale_system_set_shape(gscale_system *s, const gscale_fabric *f,
                                      int gpus, bool grows, int calibrated,
                                      gscale_diag *diag);
/** Joins nodes by a network; GPUs, ports and host then describe one node.  Sets
 *  network.rate, as spec, unless that was set.
 *
 *  Fails    GSCALE_EDOMAIN as gscale_network_check(), or more than 2048 GPUs in
 *           all; the shape of a node must be set before. */
gscale_status gscale_system_set_network(gscale_system *s,
                                        const gscale_network *n,
                                        gscale_diag *diag);
/** Takes the properties of a node, except its name and network, and except the
 *  parameters that were `said` of *s itself (one flag each).  One node of *s
 *  then predicts what *node does.  *node loses its discrepancies, and must be
 *  freed. */
void gscale_system_take_node(gscale_system *s, gscale_system *node,
                             const bool *said);
/** Sets the shape of device.membw over the footprint (see gscale_curve). */
gscale_status gscale_system_set_membw_curve(gscale_system *s,
                                            const gscale_curve *c,
                                            gscale_diag *diag);
/** Sets the origin of the curve's factors; `err` is relative to each. */
gscale_status gscale_system_doubt_membw_curve(gscale_system *s,
                                              const gscale_param *each,
                                              gscale_diag *diag);
/** Sets origin and error of a number of the topology, by its row.  val is what
 *  gscale_system_set_shape was given (per_link: of all links together).
 *  GSCALE_ENAME if the row is not a number of GSCALE_OF_TOPOLOGY. */
gscale_status gscale_system_doubt_topology(gscale_system *s,
                                           const gscale_field *f,
                                           const gscale_param *p,
                                           gscale_diag *diag);
/** Returns the origin of row f of the topology, or NULL if it was not set. */
const gscale_param *gscale_system_topology(const gscale_system *s,
                                           const gscale_field *f);
/** Sets a number of gscale_remote or gscale_power with its origin, by its row
 *  of GSCALE_OF_REMOTE or GSCALE_OF_POWER.  GSCALE_EDOMAIN outside its domain;
 *  GSCALE_ENAME if the row is of neither table. */
gscale_status gscale_system_set_remote(gscale_system *s, const gscale_field *f,
                                       const gscale_param *p,
                                       gscale_diag *diag);
/** Returns the number of that row as set, or NULL if it was not. */
const gscale_param *gscale_system_remote_said(const gscale_system *s,
                                              const gscale_field *f);
/** Sets the range of message sizes, B, over which copies were measured. */
gscale_status gscale_system_set_copy_range(gscale_system *s, double least,
                                           double most, gscale_diag *diag);
/** Returns the range, 0 .. INFINITY if none was set. */
void gscale_system_copy_range(const gscale_system *s, double *least,
                              double *most);

/* ---- the model's own residual ---- */

/** The model's residual has four parts, each relative to one time. */
typedef enum gscale_residual_part {
  GSCALE_RESIDUAL_STEP,   /* scales with the whole time */
  GSCALE_RESIDUAL_HOST,   /* scales with host calls, waits and barriers */
  GSCALE_RESIDUAL_BESIDE, /* scales with the overlap of transfer and compute;
                           * zero if either is everything */
  GSCALE_RESIDUAL_MOVED,  /* of the transfer's added time */
  GSCALE_RESIDUAL_PARTS
} gscale_residual_part;

/** Parts of one kind repeat alike between runs. */
typedef enum gscale_residual_kind {
  GSCALE_RESIDUAL_CALLS,    /* step and host */
  GSCALE_RESIDUAL_TRANSFER, /* beside and moved */
  GSCALE_RESIDUAL_KINDS
} gscale_residual_kind;

/** The properties in which two runs of one program may differ. */
typedef enum gscale_residual_axis {
  GSCALE_RESIDUAL_SIZE, /* its knobs */
  GSCALE_RESIDUAL_WAY,  /* its paradigm */
  GSCALE_RESIDUAL_KNOB, /* its knobs, or those of a new paradigm */
  GSCALE_RESIDUAL_GPUS,
  GSCALE_RESIDUAL_MACHINE, /* machine, link or day */
  GSCALE_RESIDUAL_AXES
} gscale_residual_axis;

enum {
  GSCALE_RESIDUAL_WAYS = 32 /* most paradigms with factors */
};

/** The model of the residual between prediction and measurement.
 *
 *    ln T_measured = ln T + d + noise of the run
 *    d = sum over parts k of u_k g_k
 *    u_step   = step
 *    u_host   = host T_host / T
 *    u_contention = contention f_way sqrt(x (1 - x))
 *    u_moved  = moved  f_way x,          x = (T - T_infinite) / T.
 *
 *  Each g_k has one standard error of 1 and is distributed as t with 3 degrees
 *  of freedom. Its correlation between two runs of one program is the
 *    product of together[kind of k][axis] over the axes in which they differ.
 *  Between programs it is 0. The other members widen d away from the
 *  measurements. gscale_residuals_fit (score.h) estimates them from runs.
 *
 *  Source   ours, over the rows of data/scored.txt.  The residual repeats for
 *           the same program, paradigm and size on other machines, links and N.
 *           It repeats little at other sizes, and not for a machine. */
typedef struct gscale_residuals {
  double part[GSCALE_RESIDUAL_PARTS]; /* shares, >= 0 */
  /* ln of f_way by paradigm, for `contention` and `moved` only */
  double way[GSCALE_RESIDUAL_PARTS][GSCALE_RESIDUAL_WAYS];
  double together[GSCALE_RESIDUAL_KINDS][GSCALE_RESIDUAL_AXES]; /* 0 .. 1 */
  double machine; /* factor on an unmeasured machine */
  double link;    /* share of the transfer's added time, for a link other than
                   * the measured one */
  double growth;  /* factor per doubling beyond the measured GPUs */
  double nodes;   /* share of gscale_residual_moving per doubling of nodes,
                   * including the first */
  double compute; /* share of the time without transfer, for an unmeasured
                   * machine and program */
  double tail;    /* standard errors for 95 %, >= 1 */
  int measured;   /* GPUs measured together if a system gives none, >= 1 */
} gscale_residuals;
/** The exact model: all residuals are 0, with a normal tail of 1.96, one GPU,
 *  and full correlation. */
extern const gscale_residuals gscale_residuals_none;
/** Sets the residuals; GSCALE_EDOMAIN names the number that is outside its
 *  domain. */
gscale_status gscale_system_set_residuals(gscale_system *s,
                                          const gscale_residuals *r,
                                          gscale_diag *diag);
/** Marks the system as a model, from which no run can deviate. */
void gscale_system_is_exact(gscale_system *s);

/** The quantities of a prediction that scale its residual. */
typedef struct gscale_residual_at {
  size_t paradigm;
  uint64_t knobs; /* hash of the paradigm's knobs */
  double host;    /* T_host / T, 0 .. 1 */
  double moved;   /* x, 0 .. 1 */
} gscale_residual_at;

/** Computes u of each part where no residual is widened.
 *  Given    at  shares 0 .. 1; values outside count as the nearest end. */
void gscale_residual_of(const gscale_residuals *r, const gscale_residual_at *at,
                        double u[GSCALE_RESIDUAL_PARTS]);
/** Returns the kind of a gscale_residual_part. */
gscale_residual_kind gscale_residual_kind_of(size_t p);
/** Computes u widened by gscale_system_widened, except for nodes. */
struct gscale_widened;
void gscale_residual_widened(const gscale_residuals *r,
                             const gscale_residual_at *at,
                             const struct gscale_widened *w,
                             double u[GSCALE_RESIDUAL_PARTS]);
/** Returns the correlation of two runs of one program in a
 *  gscale_residual_kind: product of together[k] over the axes in which they
 *  differ. */
double gscale_residual_together(const gscale_residuals *r, size_t k,
                                const bool differ[GSCALE_RESIDUAL_AXES]);
/** Returns the time to which `nodes` is relative.
 *
 *    sqrt( (T - T_infinite)^2 + (0.05 T)^2 ).
 *
 *  Given    time      s, T, > 0;  infinite  s, T_infinite, 0 .. T.
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
 *  gscale_system_swap_link to another link or rate: nobody measured that
 * machine. `link` applies then too, in quadrature with u_moved and beside the
 * factor.  Each doubling adds another sum or another switch, with an error of
 * its own, so errors of doublings add in quadrature.  Beyond a node only the
 * network grows, and its numbers have errors of their own. `nodes` is therefore
 * beside the factor, relative to the transfer's added time.
 *
 *  Given    n   >= 1.
 *  Returns  each term as it is in the sum (0: it does not apply), and the root.
 *  Limits   runs on several nodes change nothing: none was held against it.
 *  Source   ours: ignorance of a machine, of a link, of many GPUs and of many
 *           nodes is not independent.  Quadrature covers growth from
 *           measurements on up to 2 and 3 of 4 GPUs alike, and NCCL's times on
 *           2, 4, 8 and 16 nodes (tests/t_nodes.c). */
typedef struct gscale_widened {
  double factor, machine, growth;
  double link;  /* of the transfer's added time */
  double nodes; /* of gscale_residual_moving */
  double doublings;
  bool measured; /* the machine is measured, or exact */
  bool kept;     /* its measurements had this link */
} gscale_widened;
gscale_widened gscale_system_widened(const gscale_system *s, int n);

/** Adds a row of runs to which numbers of the system were fitted, by the
 *  caller's hash, so that no validation uses it.  A repeated row counts
 *  once. */
gscale_status gscale_system_add_row(gscale_system *s, uint64_t hash,
                                    gscale_diag *diag);
bool gscale_system_has_row(const gscale_system *s, uint64_t hash);
uint64_t gscale_system_row(const gscale_system *s, size_t i); /* 0 past them */

/** The range of the runs that numbers were fitted to, for one paradigm: N, and
 *  the footprint of a phase on all GPUs together, B. */
typedef struct gscale_cover {
  size_t paradigm;
  int least, most;
  double small, large;
} gscale_cover;

/** Widens the range of its paradigm.  GSCALE_EDOMAIN unless 1 <= least <= most
 *  and 0 <= small <= large. */
gscale_status gscale_system_cover(gscale_system *s, const gscale_cover *c,
                                  gscale_diag *diag);
/** Returns NULL past the end. */
const gscale_cover *gscale_system_cover_at(const gscale_system *s, size_t i);

/** The correlation of two fitted numbers: the error of a prediction gains 2 r
 *  d_a d_b besides d_a^2 + d_b^2, where d is each number's effect on the
 *  time. */
typedef struct gscale_correlation {
  gscale_param_id a, b;
  double r; /* -1 .. 1 */
} gscale_correlation;

/** Appends a correlation; GSCALE_EDOMAIN unless a and b are parameters and r is
 *  in -1 .. 1. */
gscale_status gscale_system_correlate(gscale_system *s,
                                      const gscale_correlation *c,
                                      gscale_diag *diag);
/** Returns NULL past the end. */
const gscale_correlation *gscale_system_correlation(const gscale_system *s,
                                                    size_t i);

/** Fails with GSCALE_ENEED, naming the first required parameter that is not
 *  set. */
gscale_status gscale_system_check(const gscale_system *s, gscale_diag *diag);

/** The facts of a system; pointers are valid while it lives. */
typedef struct gscale_system_facts {
  const char *name;
  int gpus;       /* of all nodes, as built */
  int node;       /* of a node, or of the system if it is one node */
  int calibrated; /* GPUs behind the measured numbers, or 0 */
  size_t rows;    /* runs behind the fitted numbers */
  bool grows;
  const gscale_link *link;
  const gscale_fabric *fabric;
  const gscale_network *network; /* NULL: one node */
  const gscale_remote *remote;   /* messages between nodes; unset numbers: 0 */
  const gscale_power *power;     /* of a GPU; unset numbers: NaN */
  const gscale_residuals *residuals;
  const gscale_curve *membw; /* device.membw over the footprint */
} gscale_system_facts;
gscale_system_facts gscale_system_about(const gscale_system *s);

/* ---- projection to unmeasured GPUs --------------------------------------- */

/** The entries of a maker's data sheet of a GPU. */
typedef enum gscale_sheet_entry {
  GSCALE_SHEET_MEMORY, /* B */
  GSCALE_SHEET_MEMBW,  /* B/s */
  GSCALE_SHEET_SMS,
  GSCALE_SHEET_CLOCK,   /* of SMs, boost, 1/s */
  GSCALE_SHEET_THREADS, /* resident, of one SM */
  GSCALE_SHEET_L1,      /* B, of one SM */
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
  char chip[GSCALE_NAME_MAX];           /* the die, "GH100", or "" */
  char link[GSCALE_NAME_MAX];           /* between such GPUs, or "" */
  gscale_param entry[GSCALE_SHEET_END]; /* spec; NaN if absent */
} gscale_sheet;

typedef struct gscale_sheets gscale_sheets;

/** Reads data sheets from a CSV file device,entry,value,source,date,address.
 *  Values have units ("4.8 TB/s"); an entry is named as here, or chip, or link.
 *
 *  Fails    GSCALE_EIO, GSCALE_EPARSE as gscale_table_read(); GSCALE_ENAME for
 *           an unknown entry, GSCALE_EUNIT for a value, and for a device with
 *           an entry twice; the diag has file and line. */
gscale_status gscale_sheets_read(const char *path, gscale_sheets **out,
                                 gscale_diag *diag);
void gscale_sheets_free(gscale_sheets *s);
const gscale_sheet *gscale_sheets_at(const gscale_sheets *s, size_t i);
/** Returns NULL if the device is absent. */
const gscale_sheet *gscale_sheets_find(const gscale_sheets *s,
                                       const char *device);
/** Returns the sheet of a system's GPUs, with the same memory, SMs and flops,
 *  or NULL if there is none. */
const gscale_sheet *gscale_sheets_of(const gscale_sheets *sheets,
                                     const gscale_system *s);

/** Returns the ratio of a number on another GPU to the number here, by a rule.
 *
 *    rate   as the quantity of the rule    to / from
 *    time   (also a time per byte)         from / to.
 *
 *  Given    rates of the two links, B/s; only GSCALE_RULE_LINK reads them.
 *  Returned 1 by STAYS and HOST; NaN by SHEET, and where a sheet lacks what the
 *           rule needs. */
double gscale_rule_factor(gscale_rule r, gscale_dim dim,
                          const gscale_sheet *from, const gscale_sheet *to,
                          double from_rate, double to_rate);

/** The errors of rules between machines with measured numbers. */
typedef struct gscale_trials gscale_trials;

/** Reads trials, a CSV file with the columns parameter, chips (same, other, or
 *  copy: no trial) and log_ratio: ln(found / projected).  Unknown names of
 *  parameters are skipped.
 *
 *  Fails    as gscale_table_read(); GSCALE_EPARSE for other words. */
gscale_status gscale_trials_read(const char *path, gscale_trials **out,
                                 gscale_diag *diag);
void gscale_trials_free(gscale_trials *t);

/** Returns the expected error of a projection from one machine to another, as
 *  the standard deviation of ln(found / projected).
 *
 *    sigma^2 = (sum of its trials' squares + 2 usual^2) / (trials + 2).
 *
 *  `usual` is the geometric mean of the root mean squares (at least 0.02) of
 *  parameters of the same rule that are, like this one, times or not.  Each
 *  counts once, for the same chip or for another one.  If there are not 2, all
 *  parameters of a GPU count; if there are not 2 of these, it is 0.25 (same
 *  chip) or 0.5 (another).  Trials may be NULL, which gives `usual` for all.
 *
 *  Returned *pairs  trials of this parameter behind it; may be NULL.
 *  Source   ours: a parameter with few trials is taken to be like its kind. */
double gscale_trials_error(const gscale_trials *t, gscale_param_id id,
                           bool same_chip, size_t *pairs);

/** A machine from which numbers are projected. */
typedef struct gscale_origin_machine {
  const gscale_system *system;
  const gscale_sheet *sheet; /* NULL if only its host is used */
  bool gpu, host;            /* what is projected */
} gscale_origin_machine;

/** Projects one number to an unmeasured GPU.
 *
 *    value = geometric mean over machines of (number * gscale_rule_factor()).
 *    err^2 = value^2 (mean of their relative errors^2 / n + spread * sigma^2).
 *    spread = (1 + 1/n) / 2 where machines of one kind differ by chance (the
 *             host, and the same chip), 1 for another chip.
 *
 *  Only machines that measured the number count, and machines with equal value
 *  and error count once, because one is a copy.  A number that may be 0 on its
 *  source is the mean, unscaled.  If no machine measured it, one that assumes
 *  it gives it by the same rule; it stays assumed, and is as much wider.  If a
 *  machine has it as a constant (spec) and the rule is STAYS or HOST, it is
 *  that constant.
 *
 *  Given    rate   of the link of the new machine, B/s.
 *  Returned false  if neither a machine nor the sheet has it; *out is
 *                  unchanged. */
bool gscale_project_number(gscale_param_id id,
                           const gscale_origin_machine *from, size_t n,
                           const gscale_sheet *to, double rate,
                           const gscale_trials *t, gscale_param *out);

/** Projects all numbers of a system that are not `said` (one flag each), and
 *  the curve of device.membw unless it has one, from measured machines and the
 *  sheet of its GPUs.  Its link and shape must be set before.  If a machine of
 *  `from` has another link format, the link's numbers change as in
 *  gscale_system_swap_link().
 *
 *    curve, in a cache      its bandwidth by GSCALE_RULE_CORES
 *           beyond          its share of hits likewise, the rest by memory
 *           footprints      with the size of the level 2 cache.
 *
 *  Fails    GSCALE_ENEED   *to lacks memory, membw, sms, threads or flops, or
 *                          no machine of `from` gives its GPU or its host.
 *  Source   ours; validated in docs/accuracy.md. */
gscale_status gscale_project(gscale_system *s,
                             const gscale_origin_machine *from, size_t n,
                             const gscale_sheet *to, const gscale_trials *t,
                             const bool *said, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_SYSTEM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
