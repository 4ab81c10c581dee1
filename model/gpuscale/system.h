/*
 * system.h - what a system has and can do.
 *
 * gpuscale.h says what holds for all headers.
 */
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

/* ---- what a system can do ------------------------------------------------ */

/** How far a GPU reaches into another's memory; each includes those before. */
typedef enum gscale_peer {
  GSCALE_PEER_NONE,    /* not at all: copies go through host memory */
  GSCALE_PEER_COPIES,  /* by its copy engines */
  GSCALE_PEER_STORES,  /* by stores and loads of its kernels */
  GSCALE_PEER_ATOMICS, /* by their atomic updates */
  GSCALE_PEER_END
} gscale_peer;

const char *gscale_peer_name(gscale_peer p); /* "none", "stores"; or NULL */

/** What a system can do, or a paradigm needs. */
typedef struct gscale_can {
  gscale_peer peer;
  bool managed;       /* managed memory, whose pages all GPUs can map; whether
                       * they move on faults, um.fault_rate says */
  bool device_launch; /* kernels launch kernels */
} gscale_can;

/** What machines with GPUs on that link can do, unless they say otherwise.
 *
 *    NVLink   peer atomics, managed memory, launches by the device
 *    PCIe     the same, but peer stores and loads only: the attribute for
 *             native peer atomics is not set on it
 *    raw      peer copies: nothing is known of it
 *
 *  Omits    GPUs whose driver denies peer access over PCIe: their systems say
 * so Source   [CudaGuide] peer-to-peer attributes, unified memory
 */
gscale_can gscale_link_can(const gscale_link *l);

/* ---- systems ---------------------------------------------------------------
 */

enum {
  GSCALE_PARAMS_MAX = 256 /* that there can be: room for all */
};

size_t gscale_param_count(void);

/** What more of a parameter does to the time of a step, all else the same.
 *
 *  At given knobs, over its whole domain, by every paradigm:
 *    a gain   (a rate, an efficiency, room)   never slows
 *    a cost   (a latency, a call, a share)    never speeds
 *  Either, or nothing: size of a structure, a limit between two regimes.
 *
 *  Holds    for a program whose single-GPU time is not measured.  If it is, it
 *           is what one GPU takes in all, and a parameter of one GPU (device,
 *           host) says how that is divided: more of one is less of the others.
 */
typedef enum gscale_direction {
  GSCALE_UNDECLARED, /* past the end */
  GSCALE_GAIN,
  GSCALE_COST,
  GSCALE_EITHER,
  GSCALE_DIRECTION_END
} gscale_direction;

/** What a number is on a GPU that nobody measured, from one that somebody did.
 *  Rates grow so, times shrink so. */
typedef enum gscale_rule {
  GSCALE_RULE_SHEET,  /* what the maker says, and nothing else */
  GSCALE_RULE_MEMORY, /* with the bandwidth of memory on the data sheets */
  GSCALE_RULE_CORES,  /* with the number of SMs times their clock */
  GSCALE_RULE_CLOCK,  /* with the clock of SMs */
  GSCALE_RULE_LINK,   /* with the rate of the link */
  GSCALE_RULE_STAYS,  /* an efficiency, a latency: as it is */
  GSCALE_RULE_HOST,   /* not of the GPU: as on the hosts that were measured */
  GSCALE_RULE_END
} gscale_rule;

const char *gscale_rule_name(gscale_rule r); /* "memory"; NULL past the end */

typedef struct gscale_param_info {
  const char *name; /* "copy.initiation" */
  gscale_dim dim;
  double least, most; /* domain, both ends included */
  bool required;      /* false: `otherwise` is used */
  double otherwise;
  double low, high; /* its range where it is a guess: what was found on other
                     * systems; 0, 0: it says that there is no such cost or
                     * limit, and is exact */
  bool scales; /* a guess follows host.launch: times are scaled by a system's
                * over that of the machines that the guess was made of */
  gscale_direction direction;
  const char *recipe; /* by which gscale_calibrate finds it; "none" */
  gscale_rule rule;
  const char *meaning;
} gscale_param_info;

const gscale_param_info *
gscale_param_info_at(gscale_param_id id); /* NULL past the end */
/** What an optional parameter is until it is set: spec and exact, or assumed
 *  where it is a guess. */
gscale_param gscale_param_default(gscale_param_id id);

/** What a number is thought to be on a machine where nobody measured it.  It
 *  is assumed by the machines that measured their own, with the spread of one
 *  machine more:
 *
 *    centre +- t(machines - 1) s sqrt(1 + 1/machines), 95 %
 *
 *  of logarithms; of the number itself where it may be 0 and four machines or
 *  more measured it.
 *
 *  Given    other   of another kind than all of these: its standard deviation
 *                   is twice as large, of what a GPU does that of a third to
 *                   three times (assumed)
 *  Returned false if too few machines measured it: *out stays
 *  Source   prediction interval of a normal sample [HahnMeeker91];
 *           model/describe/population.def, made by scripts/dev/population
 */
bool gscale_param_population(gscale_param_id id, bool other, gscale_param *out);

/** A system of `gpus` equal GPUs.  Its parameters start unset (the optional
 *  ones at their default); gscale_system_check says what is missing. */
gscale_system *gscale_system_new(const char *name);
/** Whether the parameter is a guess still: nobody set it.  It follows
 *  host.launch. */
bool gscale_system_guessed(const gscale_system *s, gscale_param_id id);
/** Sets the wire format, and link.rate (as spec) unless that was set. */
gscale_status gscale_system_set_link(gscale_system *s, const gscale_link *l,
                                     gscale_diag *diag);
/** Says what the system can do; before, it can what gscale_link_can says of its
 *  link.  GSCALE_EDOMAIN if `peer` is none of them. */
gscale_status gscale_system_set_can(gscale_system *s, const gscale_can *can,
                                    gscale_diag *diag);
const gscale_can *gscale_system_can(const gscale_system *s);
/** Sets how many GPUs were built, how they are joined, and whether more of
 *  them could be (`grows`; a mesh cannot).  `calibrated` = most GPUs measured
 *  together, 0 if none were. */
gscale_status gscale_system_set_shape(gscale_system *s, const gscale_fabric *f,
                                      int gpus, bool grows, int calibrated,
                                      gscale_diag *diag);
/** Joins nodes by a network: all that is said of GPUs, ports and host then is
 *  of one node.  Sets network.rate, as spec, unless that was set.
 *
 *  Fails    GSCALE_EDOMAIN as gscale_network_check(), or more than 2048 GPUs in
 *           all; the shape of a node is to be set before
 */
gscale_status gscale_system_set_network(gscale_system *s,
                                        const gscale_network *n,
                                        gscale_diag *diag);
/** NULL if the system is one node. */
const gscale_network *gscale_system_network(const gscale_system *s);
/** GPUs of a node: of the system, if it is one. */
int gscale_system_node(const gscale_system *s);
/** A system whose node is another one: takes all that it has, but not its name,
 *  its network, and the parameters that were `said` of *s itself, one for each.
 * So one node of it predicts what that one does.  *node has no discrepancies
 * any more, and is to be freed. */
void gscale_system_take_node(gscale_system *s, gscale_system *node,
                             const bool *said);
/** Sets the shape of device.membw over the footprint (see gscale_curve). */
gscale_status gscale_system_set_membw_curve(gscale_system *s,
                                            const gscale_curve *c,
                                            gscale_diag *diag);
const gscale_curve *gscale_system_membw_curve(const gscale_system *s);
/** The origin of its factors; `err` is that of each, as a share of it. */
gscale_status gscale_system_doubt_membw_curve(gscale_system *s,
                                              const gscale_param *each,
                                              gscale_diag *diag);
/** The origin and error of a number of the topology, by its row: val is what
 *  gscale_system_set_shape was given (per_link: of all links together).
 *  GSCALE_ENAME if the row is not a number of GSCALE_OF_TOPOLOGY. */
gscale_status gscale_system_doubt_topology(gscale_system *s,
                                           const gscale_field *f,
                                           const gscale_param *p,
                                           gscale_diag *diag);
/** What is known of row f of the topology; NULL if nobody said it. */
const gscale_param *gscale_system_topology(const gscale_system *s,
                                           const gscale_field *f);
/** A number of gscale_remote or gscale_power, by its row of GSCALE_OF_REMOTE or
 *  GSCALE_OF_POWER, with its origin.  GSCALE_EDOMAIN outside its domain;
 *  GSCALE_ENAME if the row is of neither table. */
gscale_status gscale_system_set_remote(gscale_system *s, const gscale_field *f,
                                       const gscale_param *p,
                                       gscale_diag *diag);
/** The number of that row as set; NULL if it was not. */
const gscale_param *gscale_system_remote_said(const gscale_system *s,
                                              const gscale_field *f);
/** What messages between nodes take: numbers nobody said are 0. */
const gscale_remote *gscale_system_remote(const gscale_system *s);
/** What a GPU and its share of a node draw: NaN where nobody said it. */
const gscale_power *gscale_system_power(const gscale_system *s);
/** Sets the range of message sizes, B, over which copies were measured. */
gscale_status gscale_system_set_copy_range(gscale_system *s, double least,
                                           double most, gscale_diag *diag);
/** The range set, 0 .. INFINITY if none was. */
void gscale_system_copy_range(const gscale_system *s, double *least,
                              double *most);

/* ---- the model's own residual ---- */

/** What the model is off by is in four parts, each by what moves. */
typedef enum gscale_residual_part {
  GSCALE_RESIDUAL_STEP,   /* of the whole time */
  GSCALE_RESIDUAL_HOST,   /* of what the host's calls, waits, barriers take */
  GSCALE_RESIDUAL_BESIDE, /* of transfer and compute beside one another: none
                           * where one of them is all */
  GSCALE_RESIDUAL_MOVED,  /* of what the transfer adds */
  GSCALE_RESIDUAL_PARTS
} gscale_residual_part;

/** Of which two and two repeat alike. */
typedef enum gscale_residual_kind {
  GSCALE_RESIDUAL_CALLS,    /* step and host */
  GSCALE_RESIDUAL_TRANSFER, /* beside and moved */
  GSCALE_RESIDUAL_KINDS
} gscale_residual_kind;

/** In what two runs of one program may differ. */
typedef enum gscale_residual_axis {
  GSCALE_RESIDUAL_SIZE, /* its knobs */
  GSCALE_RESIDUAL_WAY,  /* its paradigm */
  GSCALE_RESIDUAL_KNOB, /* knobs of the paradigm; with it, too */
  GSCALE_RESIDUAL_GPUS,
  GSCALE_RESIDUAL_MACHINE, /* or its link, or the day */
  GSCALE_RESIDUAL_AXES
} gscale_residual_axis;

enum {
  GSCALE_RESIDUAL_WAYS = 32 /* paradigms that may have factors */
};

/** The one model of what the model is off by:
 *
 *    ln T_measured = ln T + d + noise of the run
 *    d = sum over parts k of u_k g_k
 *    u_step   = step
 *    u_host   = host T_host / T
 *    u_beside = beside f_way sqrt(x (1 - x))
 *    u_moved  = moved  f_way x,          x = (T - T_infinite) / T
 *
 *  g_k has one standard error of 1, being distributed as t with 3 degrees of
 *  freedom, and the correlation between two runs of one program
 *    product of together[kind of k][axis] over the axes in which they differ
 *  and none between programs.  The other members say how much
 *  wider d is where less is known; gscale_residuals_fit (score.h) estimates
 *  them from runs.
 *
 *  Source   ours, over the rows of data/scored.txt.  What is off repeats for
 *           the same program, way and size on other machines, links and N.
 *           It repeats little at other sizes, and not for a machine
 */
typedef struct gscale_residuals {
  double part[GSCALE_RESIDUAL_PARTS]; /* shares, >= 0 */
  /* ln of f_way, by paradigm, of `beside` and `moved`; other rows unused */
  double way[GSCALE_RESIDUAL_PARTS][GSCALE_RESIDUAL_WAYS];
  double together[GSCALE_RESIDUAL_KINDS][GSCALE_RESIDUAL_AXES]; /* 0 .. 1 */
  double machine; /* factor: on a machine whose numbers were not measured */
  double link;    /* of what the transfer adds, not a factor: another link than
                   * the one it was measured with */
  double growth;  /* factor: a doubling beyond the GPUs that were measured */
  double nodes;   /* of gscale_residual_moving, not a factor: a doubling of
                   * nodes, the first too */
  double compute; /* of the time without transfer, where neither the machine nor
                   * the program on it was measured */
  double tail;    /* standard errors that hold 95 % of residuals, >= 1 */
  int measured; /* GPUs measured together, for systems that do not say; >= 1 */
} gscale_residuals;
/** Nothing is off: 0, but for a normal tail of 1.96, and one GPU; all that is
 *  together is together. */
extern const gscale_residuals gscale_residuals_none;
/** "step", "host", ...; "calls", ...; "size", ...; NULL past the end. */
const char *gscale_residual_part_name(gscale_residual_part p);
const char *gscale_residual_kind_name(gscale_residual_kind k);
const char *gscale_residual_axis_name(gscale_residual_axis a);
/** GSCALE_EDOMAIN names the number that is outside its domain. */
gscale_status gscale_system_set_residuals(gscale_system *s,
                                          const gscale_residuals *r,
                                          gscale_diag *diag);
/** As set; gscale_residuals_none at first. */
const gscale_residuals *gscale_system_residuals(const gscale_system *s);
/** Says that the system is a model's and no machine: no run can be off from it.
 */
void gscale_system_is_exact(gscale_system *s);

/** Of a prediction, what its residual is a share of. */
typedef struct gscale_residual_at {
  size_t paradigm;
  uint64_t knobs; /* of the paradigm, a hash: which of them are the same */
  double host;    /* T_host / T, 0 .. 1 */
  double moved;   /* x, 0 .. 1 */
} gscale_residual_at;

/** u of each part, where nothing is known less.
 *  Given    at  shares 0 .. 1; what is outside counts as the nearest end
 */
void gscale_residual_of(const gscale_residuals *r, const gscale_residual_at *at,
                        double u[GSCALE_RESIDUAL_PARTS]);
/** Of a gscale_residual_part. */
gscale_residual_kind gscale_residual_kind_of(size_t p);
/** The same, as wide as gscale_system_widened says, but for nodes. */
struct gscale_widened;
void gscale_residual_widened(const gscale_residuals *r,
                             const gscale_residual_at *at,
                             const struct gscale_widened *w,
                             double u[GSCALE_RESIDUAL_PARTS]);
/** Correlation of two runs of one program in a gscale_residual_kind: product of
 *  together[k] over the axes in which they differ. */
double gscale_residual_together(const gscale_residuals *r, size_t k,
                                const bool differ[GSCALE_RESIDUAL_AXES]);
/** The time to which `nodes` is relative.
 *
 *    sqrt( (T - T_infinite)^2 + (0.05 T)^2 )
 *
 *  Given    time      s, T, > 0;  infinite  s, T_infinite, 0 .. T
 *  Returns  s; NaN outside the domain
 *  Source   ours; 0.05 is fitted
 */
double gscale_residual_moving(double time, double infinite);

/** What widens the residual of a prediction on n GPUs.
 *
 *    factor^2 = 1 + machine^2 + growth^2 doublings
 *    doublings = max(0, log2(GPUs of a node / GPUs measured together))
 *    nodes^2  = nodes^2 (1 + machine^2) log2(nodes that n GPUs take)
 *
 *  with `machine` for a system that was not calibrated, and beside the factor
 *  `link`, in quadrature with u_moved, after gscale_system_swap_link to another
 *  link.  What a
 *  doubling brings is another sum or another switch, wrong by itself: errors of
 *  doublings add in quadrature.  Beyond a node what grows is the network, whose
 *  numbers have errors of their own, and not the node again: `nodes` is beside
 *  the factor, relative to what the transfer adds.
 *
 *  Given    n   >= 1
 *  Returns  each term as it is in the sum (0: it does not apply), and the root
 *  Limits   runs on several nodes change nothing: none was held against it
 *  Source   ours: what is not known of a machine, of a link, of many GPUs and
 *           of many nodes is not known independently.  Quadrature: growth by
 *           what was measured on up to 2 and 3 of 4 GPUs is covered alike with
 *           it, and NCCL's times on 2, 4, 8 and 16 nodes (tests/t_nodes.c)
 */
typedef struct gscale_widened {
  double factor, machine, growth;
  double link;  /* of what the transfer adds */
  double nodes; /* of gscale_residual_moving */
  double doublings;
  bool measured; /* the machine's numbers were, or it is exact */
  bool kept;     /* its link is the one that it was measured with */
} gscale_widened;
gscale_widened gscale_system_widened(const gscale_system *s, int n);

/** A row of runs to which numbers of the system were fitted, by a hash of the
 *  caller's: so that nothing is validated with it.  One twice counts once. */
gscale_status gscale_system_add_row(gscale_system *s, uint64_t hash,
                                    gscale_diag *diag);
bool gscale_system_has_row(const gscale_system *s, uint64_t hash);
size_t gscale_system_rows(const gscale_system *s);
uint64_t gscale_system_row(const gscale_system *s, size_t i); /* 0 past them */

/** What the runs cover that numbers were fitted to, of one way: N and the
 *  footprint of a phase on all GPUs together, B. */
typedef struct gscale_cover {
  size_t paradigm;
  int least, most;
  double small, large;
} gscale_cover;

/** Widens the cover of its way.  GSCALE_EDOMAIN unless 1 <= least <= most and
 *  0 <= small <= large. */
gscale_status gscale_system_cover(gscale_system *s, const gscale_cover *c,
                                  gscale_diag *diag);
/** NULL past the end. */
const gscale_cover *gscale_system_cover_at(const gscale_system *s, size_t i);

/** What two fitted numbers have in common: the errors of predictions count
 *  2 r d_a d_b besides d_a^2 + d_b^2, d being what each does to the time. */
typedef struct gscale_correlation {
  gscale_param_id a, b;
  double r; /* -1 .. 1 */
} gscale_correlation;

/** Appends one.  GSCALE_EDOMAIN unless a and b are two parameters, and r is in
 *  -1 .. 1. */
gscale_status gscale_system_correlate(gscale_system *s,
                                      const gscale_correlation *c,
                                      gscale_diag *diag);
/** NULL past the end. */
const gscale_correlation *gscale_system_correlation(const gscale_system *s,
                                                    size_t i);

/** GSCALE_ENEED, naming the first required parameter that is not set. */
gscale_status gscale_system_check(const gscale_system *s, gscale_diag *diag);

const char *gscale_system_name(const gscale_system *s);
const gscale_link *gscale_system_link(const gscale_system *s);
const gscale_fabric *gscale_system_fabric(const gscale_system *s);
bool gscale_system_grows(const gscale_system *s);
/** As built, of all nodes. */
int gscale_system_gpus(const gscale_system *s);
int gscale_system_calibrated(const gscale_system *s);

/* ---- a GPU that nobody measured ------------------------------------------ */

/** What a maker says of a GPU. */
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
  char chip[GSCALE_NAME_MAX];           /* the die: "GH100"; "" */
  char link[GSCALE_NAME_MAX];           /* between such GPUs; "": not said */
  gscale_param entry[GSCALE_SHEET_END]; /* spec; NaN: not said */
} gscale_sheet;

typedef struct gscale_sheets gscale_sheets;

/** Reads data sheets: a CSV file device,entry,value,source,date,address; values
 *  with their units ("4.8 TB/s"), an entry by its name, or chip, or link.
 *
 *  Fails    GSCALE_EIO, GSCALE_EPARSE as gscale_table_read(); GSCALE_ENAME for
 *           an entry that there is not, GSCALE_EUNIT for a value; a device that
 *           says an entry twice; the diag has file and line
 */
gscale_status gscale_sheets_read(const char *path, gscale_sheets **out,
                                 gscale_diag *diag);
void gscale_sheets_free(gscale_sheets *s);
const gscale_sheet *gscale_sheets_at(const gscale_sheets *s, size_t i);
/** NULL if it is not there. */
const gscale_sheet *gscale_sheets_find(const gscale_sheets *s,
                                       const char *device);
/** The sheet of a system's GPUs: that of the same memory, SMs and flops; NULL
 *  if none is. */
const gscale_sheet *gscale_sheets_of(const gscale_sheets *sheets,
                                     const gscale_system *s);

/** A number of another GPU / the number here, by a rule.
 *
 *    rate   as what the rule says grows: to / from
 *    time   (also a time per byte)       from / to
 *
 *  Given    rates of the two links, B/s; they are read by GSCALE_RULE_LINK only
 *  Returned 1 by STAYS and HOST; NaN by SHEET, and where a sheet lacks what the
 *           rule needs
 */
double gscale_rule_factor(gscale_rule r, gscale_dim dim,
                          const gscale_sheet *from, const gscale_sheet *to,
                          double from_rate, double to_rate);

/** How well rules did between machines with numbers of their own. */
typedef struct gscale_trials gscale_trials;

/** Reads trials, a CSV file with the columns parameter, chips (same, other, or
 *  copy: no trial) and log_ratio: ln(found / projected).  Names of parameters
 *  that there are no more are skipped.
 *
 *  Fails    as gscale_table_read(); GSCALE_EPARSE for other words
 */
gscale_status gscale_trials_read(const char *path, gscale_trials **out,
                                 gscale_diag *diag);
void gscale_trials_free(gscale_trials *t);

/** What to expect of a projection of one machine to another: the standard
 *  deviation of ln(found / projected).
 *
 *    sigma^2 = (sum of its trials' squares + 2 usual^2) / (trials + 2)
 *
 *  usual: geometric mean of the root mean squares (at least 0.02) of parameters
 *  of the same rule, times or not as this one, each counting once, for the same
 *  chip or another one, as asked; if there are not 2, of all of a GPU; if
 *  there are not 2 of these, 0.25 (same chip), 0.5 (another).  Trials may be
 *  NULL: usual for all.
 *
 *  Returned *pairs  trials of this parameter behind it; may be NULL
 *  Source   ours: a parameter with few trials is taken to be like its kind
 */
double gscale_trials_error(const gscale_trials *t, gscale_param_id id,
                           bool same_chip, size_t *pairs);

/** A machine that numbers are projected from. */
typedef struct gscale_origin_machine {
  const gscale_system *system;
  const gscale_sheet *sheet; /* NULL: only its host is asked for */
  bool gpu, host;            /* what is taken from it */
} gscale_origin_machine;

/** One number of a GPU that nobody measured.
 *
 *    value = geometric mean over machines of (number * gscale_rule_factor())
 *    err^2 = value^2 (mean of their relative errors^2 / n + spread * sigma^2)
 *    spread = (1 + 1/n) / 2 where machines of one kind differ by chance (the
 *             host, and the same chip), 1 for another chip
 *
 *  Only machines that measured it count, those with the same value and error
 *  once: one of them is a copy.  A number that may be 0 where it is taken from
 *  is their mean, and not scaled.  If no machine measured it, one that assumes
 *  it gives it by the same rule: it stays assumed, and is as much wider.  If
 *  one has it as a constant (spec), and the rule is STAYS or HOST, it is that.
 *
 *  Given    rate   of the link of the new machine, B/s
 *  Returned false  no machine says it, or the sheet does not; *out is as it was
 */
bool gscale_project_number(gscale_param_id id,
                           const gscale_origin_machine *from, size_t n,
                           const gscale_sheet *to, double rate,
                           const gscale_trials *t, gscale_param *out);

/** All numbers of a system that are not `said`, one for each, and the curve of
 *  device.membw unless it has one, from machines that were measured and the
 *  sheet of its GPUs.  Its link and shape are to be set before.  Where the
 *  format of the link is another than on a machine of `from`, what a link
 *  changes is as gscale_system_swap_link() has it.
 *
 *    curve, in a cache      its bandwidth by GSCALE_RULE_CORES
 *           beyond          as far as it hits the cache so, the rest by memory
 *           footprints      with the size of the level 2 cache
 *
 *  Fails    GSCALE_ENEED   *to lacks memory, membw, sms, threads or flops, or
 *                          no machine of `from` gives its GPU or its host
 *  Source   ours; validated in docs/accuracy.md
 */
gscale_status gscale_project(gscale_system *s,
                             const gscale_origin_machine *from, size_t n,
                             const gscale_sheet *to, const gscale_trials *t,
                             const bool *said, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_SYSTEM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
