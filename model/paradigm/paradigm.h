/* paradigm.h - what a paradigm is, and what paradigms are made of, for model/
 * only. */
#ifndef GPUSCALE_PARADIGM_PARADIGM_H
#define GPUSCALE_PARADIGM_PARADIGM_H

#include "price/plan.h"

/* What the device has still to do when the host has called for a phase's last
 * copy: that copy.  The kernel that it depends on has ended; only an event of
 * another stream is still to be seen (latency). */
typedef struct gscale__last_copy {
  double initiation, wire, latency; /* s */
} gscale__last_copy;

/* Bulk copies of one GPU: the busiest link, or in a row, whichever is longer.
 */
typedef struct gscale__copies_of {
  double wire;       /* s, the busiest link */
  double queue;      /* s, one after the other, without ... */
  double initiation; /* ... s, of all of them */
  double latency;    /* s, from the end of the kernel */
} gscale__copies_of;

/* What a paradigm makes of a phase. */
typedef struct gscale__stage {
  gscale_flow flow; /* the kernels, with what they move themselves */
  double length;    /* s, gscale_flow_time() of it, filled in last */
  double kernels;   /* so many are launched in a row; 0: one flow */
  double before;    /* s of a kernel before them, whose data is copied */
  gscale__copies_of copies;      /* behind them */
  gscale__last_copy last;        /* of these */
  bool row;                      /* they are called for one after the other */
  gscale_coll_choice collective; /* behind the kernels */
  gscale_calls more;             /* of the host, besides launches and copies */
  gscale_bytes moved;            /* whole system */
  gscale_sent far;               /* between nodes, behind the kernels */
  bool by_device;                /* in them, rather: see gscale__way */
} gscale__stage;

/* A way between nodes (price/between.h). */
typedef struct gscale__way gscale__way;

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
  void (*publish)(gscale__emit *e);
  bool beside;     /* these use a second stream, too */
  bool in_stream;  /* phases follow each other in a stream, and the host waits
                    * at the end of a step only */
  const char *way; /* NULL: any; or the one by which data leaves a node, and
                    * the paradigm is for systems of several only */
  bool joined;     /* it moves what leaves a node itself, or moves nothing */
  bool ideal;      /* nothing that serves other GPUs takes time */
  bool adds;       /* sums are made where data moves, not by the next kernel */
  bool own;        /* it runs the program's own schedule, as written */
} gscale__paradigm;

extern const gscale__paradigm gscale__infinite, gscale__memcpy,
    gscale__memcpy_async, gscale__um, gscale__um_hints, gscale__rdl,
    gscale__inline, gscale__proact_poll, gscale__proact_cdp, gscale__proact_hw,
    gscale__broadcast, gscale__gps, gscale__finepack, gscale__finepack_config,
    gscale__gps_finepack, gscale__nccl, gscale__schedule, gscale__staged_way,
    gscale__gpudirect_way, gscale__gpi2_way, gscale__mpi_way,
    gscale__mpi_manual_way, gscale__mpi_chunked_way, gscale__mpi_acc_way,
    gscale__host_assisted_way, gscale__put_ib_way, gscale__put_rma_way,
    gscale__ggas_way, gscale__nvshmem_ibgda_way;

/* False if gscale_predict_time() would fail before it looks at numbers; *used
 * are the knobs that matter. */
bool gscale__is_set(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, gscale_knobs *used);
/* What m makes of phase i, with knobs that are all set. */
void gscale__prepare_phase(const gscale_plan *p, const gscale__paradigm *m,
                           const gscale_knobs *k, size_t i, gscale__stage *out);
/* False if some length of it overflows. */
bool gscale__is_finite(const gscale__stage *l);
/* What m makes of each phase. */
void gscale__prepare(const gscale_plan *p, const gscale__paradigm *m,
                     const gscale_knobs *k, gscale__stage *stage);

/* Wire bytes of packets cut by the root of the fabric / as sent, for long
 * messages. */
double gscale__across(const gscale_system *s, gscale_access a);

/* NULL past the end. */
const gscale__paradigm *gscale__paradigm_at(size_t i);

/* The part that a mechanism adds to. */
gscale_part gscale__part_of(gscale_mechanism m);

/* A plan of what *s_was and *w_was became when some of their numbers moved, for
 * gscale_predict_time: same phases, GPUs, link and capabilities.  Ways between
 * GPUs that depend on nothing that moved are kept; so are the baseline, and the
 * times of infinite.  Fails as gscale_plan_check, or without memory. */
gscale_status gscale__plan_moved(const gscale_plan *plan,
                                 const gscale_system *s_was,
                                 const gscale_workload *w_was,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out);

/* A plan and, where that is of another number of GPUs and not of a schedule of
 * the workload's own, the plan of its baseline: so much of it as the baseline's
 * time needs. */
typedef struct gscale__based {
  gscale_plan *plan, *base; /* NULL: the plan is its own */
} gscale__based;
gscale_status gscale__based_new(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale__based *out, gscale_diag *diag);
void gscale__based_free(gscale__based *b);
/* As gscale__based_new of s, to the last bit.  What *was, which was made of
 * *s_was, has in common with it is borrowed: it must live as long. */
gscale_status gscale__based_again(const gscale__based *was,
                                  const gscale_system *s_was,
                                  const gscale_system *s,
                                  const gscale_workload *w, gscale__based *out,
                                  gscale_diag *diag);
/* The same where no more changed than what costs of schedules are made of, in
 * place. */
gscale_status gscale__based_costs(gscale__based *b, const gscale_system *s,
                                  const gscale_workload *w, gscale_diag *diag);

/* True if the plan itself changes with a parameter, and not only what is made
 * of gscale_plan.p. */
bool gscale__plan_uses(gscale_param_id id);
/* True if costs of schedules are made of it (gscale__step_costs). */
bool gscale__of_costs(gscale_param_id id);

/* ---- helpers of the paradigms (predict/paradigm/common.c)
 * -------------------------
 */

/* Attainable B/s of wire bytes through one port, n > 1 GPUs active. */
double gscale__rate(const gscale_plan *p, gscale_access a);
/* gscale_meeting of a phase's copies: of those that follow one another in one
 * stream, and of those that run at once, in several streams or pieces.  1 by
 * way of the host, and for neighbours, whose copies go to two GPUs only. */
double gscale__copies_meet(const gscale_plan *p, const gscale__phase_plan *f,
                           bool at_once);
/* Of copies that run at once and go to more than two GPUs. */
double gscale__copies_at_once(const gscale_plan *p);
/* The same of a phase's stores, loads or atomics, by their factor at three. */
double gscale__accesses_meet(const gscale_plan *p, const gscale__phase_plan *f,
                             gscale_param_id c3);
/* What is known for n GPUs of a parameter that was measured on fewer: p, with
 * the error of gscale_beyond if it is one of contention. */
gscale_param gscale__beyond(const gscale_system *s, gscale_param_id id, int n);
/* B/s of one of `width` threads of an agent: agent.thread_rate, times what its
 * code makes of it (gscale_agent_rate). */
double gscale__agent_thread(const gscale_plan *p, const gscale__phase_plan *f,
                            double width);
/* s of each small packet into a GPU, from all that send to it. */
double gscale__ingress(const gscale_plan *p, const gscale__phase_plan *f);

/* s, of a copy of so many bytes to the host, or from it, without initiation.
 * What fits a packet takes no longer than the initiation. */
double gscale__to_host(const gscale_plan *p, double bytes);
/* False if nothing says how long more than a packet takes. */
bool gscale__reaches_host(const gscale_plan *p, double bytes);

/* Compute alone, as every paradigm does at n = 1 or with nothing to publish:
 * kernels and the workload's own calls.  All else zero. */
void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out);
/* That as a paradigm's prepare. */
void gscale__prepare_compute(const gscale_plan *p, const gscale__phase_plan *f,
                             const gscale_knobs *k, gscale__stage *out);
/* True if copies between GPUs go by way of the host's memory. */
bool gscale__staged(const gscale_plan *p);

/* NULL, or what is missing for bulk copies. */
const char *gscale__copies_need(const gscale_plan *p,
                                const gscale__phase_plan *f);

/* Fills copies and moved for bulk copies of *f, each cut into pieces;
 * initiation is that of one piece of each. */
void gscale__copies(const gscale_plan *p, const gscale__phase_plan *f,
                    double pieces, gscale__stage *out);

/* Fills last: of the copies that gscale__copies made of as many pieces. */
void gscale__last_of(const gscale_plan *p, const gscale__phase_plan *f,
                     double pieces, gscale__stage *out);

/* Bytes of whole pages / bytes, of a piece that begins with one. */
double gscale__in_pages(double piece, double page);

/* Fills wire and moved for stores with this ratio of wire to useful bytes, each
 * byte stored `rewrites` times. */
void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__stage *out);

/* Fills wire, issue, latency and moved for loads by the readers. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__stage *out);

/* Compute lost to the chunks' counters, and to `width` threads of an agent. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double width);

/* Threads, and warps, that are resident at most. */
double gscale__threads(const gscale_plan *p);
double gscale__warps(const gscale_plan *p);

/* Fills wire and moved for an agent's stores, packed densely. */
void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__stage *out);

/* Time of bulk copies: the busiest link, or copies one after the other. */
double gscale__bulk(const gscale__copies_of *c, const double *on);

#endif /* GPUSCALE_PARADIGM_PARADIGM_H */
