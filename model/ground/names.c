/* names.c - names of the values of enumerations. */

#include "gpuscale/names.h"
#include "gpuscale/all.h"

static const char *const origin[GSCALE_ORIGIN_END] = {
    [GSCALE_SPEC] = "spec",           [GSCALE_MEASURED] = "measured",
    [GSCALE_PROJECTED] = "projected", [GSCALE_ASSUMED] = "assumed",
    [GSCALE_COUNTED] = "counted",     [GSCALE_DERIVED] = "derived",
    [GSCALE_FITTED] = "fitted",       [GSCALE_INHERITED] = "inherited",
};
static const char *const net_topology[GSCALE_NET_TOPOLOGY_END] = {
    [GSCALE_NET_FLAT] = "flat",
    [GSCALE_NET_FAT_TREE] = "fat-tree",
    [GSCALE_NET_RAILS] = "rails",
};
static const char *const gather[GSCALE_GATHER_END] = {
    [GSCALE_GATHER_READ] = "read", [GSCALE_GATHER_ROOT] = "root",
    [GSCALE_GATHER_ALL] = "all",   [GSCALE_GATHER_ALL_TO_ALL] = "all-to-all",
    [GSCALE_GATHER_TREE] = "tree",
};
static const char *const control[GSCALE_CONTROL_END] = {
    [GSCALE_CONTROL_HOST] = "host",
    [GSCALE_CONTROL_STREAM] = "stream",
    [GSCALE_CONTROL_DEVICE] = "device",
    [GSCALE_CONTROL_IN_KERNEL] = "in-kernel",
    [GSCALE_CONTROL_GLOBAL] = "global",
};
static const char *const coll_kind[GSCALE_COLL_KIND_END] = {
    [GSCALE_COLL_ALL_REDUCE] = "all-reduce",
    [GSCALE_COLL_ALL_GATHER] = "all-gather",
    [GSCALE_COLL_REDUCE_SCATTER] = "reduce-scatter",
    [GSCALE_COLL_BROADCAST] = "broadcast",
    [GSCALE_COLL_REDUCE] = "reduce",
    [GSCALE_COLL_ALL_TO_ALL] = "all-to-all",
    [GSCALE_COLL_SEND_RECV] = "send-recv",
};
static const char *const coll_algorithm[GSCALE_COLL_ALGORITHM_END] = {
    [GSCALE_COLL_RING] = "ring",
    [GSCALE_COLL_TREE] = "tree",
    [GSCALE_COLL_PAIRWISE] = "pairwise",
    [GSCALE_COLL_DIRECT] = "direct",
    [GSCALE_COLL_IN_SWITCH] = "in-switch",
    [GSCALE_COLL_SWITCH_TREE] = "in-switch-tree",
    [GSCALE_COLL_ONE_SHOT] = "one-shot",
    [GSCALE_COLL_TWO_SHOT] = "two-shot",
    [GSCALE_COLL_MPI] = "mpi",
    [GSCALE_COLL_RECURSIVE_DOUBLING] = "recursive-doubling",
    [GSCALE_COLL_RABENSEIFNER] = "rabenseifner",
    [GSCALE_COLL_MPI_RING] = "mpi-ring",
    [GSCALE_COLL_BINOMIAL] = "binomial",
    [GSCALE_COLL_SPLIT_TREE] = "split-tree",
    [GSCALE_COLL_CHAIN] = "chain",
    [GSCALE_COLL_BRUCK] = "bruck",
    [GSCALE_COLL_MPI_PAIRWISE] = "mpi-pairwise",
};
static const char *const coll_protocol[GSCALE_COLL_PROTOCOL_END] = {
    [GSCALE_COLL_LL] = "LL",         [GSCALE_COLL_LL128] = "LL128",
    [GSCALE_COLL_SIMPLE] = "simple", [GSCALE_COLL_HOST] = "host",
    [GSCALE_COLL_STAGED] = "staged", [GSCALE_COLL_GPUDIRECT] = "gpudirect",
};
static const char *const place[GSCALE_PLACE_END] = {
    [GSCALE_ON_GPU] = "gpu",
    [GSCALE_ON_HOST] = "host",
};
static const char *const operation[GSCALE_OP_END] = {
    "store", "load", "atomic", "system", "fence", "phase"};
static const char *const queue[GSCALE_QUEUE_END] = {"sm", "plain", "gps",
                                                    "finepack", "bulk"};
static const char *const flush[GSCALE_FLUSH_END] = {
    "watermark", "window", "entries", "payload", "timeout",
    "load",      "atomic", "system",  "fence",   "phase"};
static const char *const stage[GSCALE_STAGE_END] = {"profiling", "steady"};
static const char *const mechanism[GSCALE_MECHANISM_END] = {
    [GSCALE_M_COMPUTE] = "compute", [GSCALE_M_HOST] = "host",
    [GSCALE_M_SYNC] = "sync",       [GSCALE_M_BANDWIDTH] = "bandwidth",
    [GSCALE_M_ISSUE] = "issue",     [GSCALE_M_INITIATION] = "initiation",
    [GSCALE_M_FAULT] = "fault",     [GSCALE_M_TRACKING] = "tracking",
    [GSCALE_M_TAIL] = "tail",       [GSCALE_M_LATENCY] = "latency",
};
static const char *const peer[GSCALE_PEER_END] = {
    [GSCALE_PEER_NONE] = "none",
    [GSCALE_PEER_COPIES] = "copies",
    [GSCALE_PEER_STORES] = "stores",
    [GSCALE_PEER_ATOMICS] = "atomics",
};
static const char *const kind[GSCALE_KIND_END] = {
    [GSCALE_NUMBER] = "number",
    [GSCALE_WHOLE] = "whole number",
    [GSCALE_INTEGER] = "count",
    [GSCALE_FLAG] = "yes or no",
    [GSCALE_CHOICE] = "word",
    [GSCALE_NUMBERS] = "list of numbers",
    [GSCALE_SHARES] = "list of shares",
    [GSCALE_MIXTURE] = "mixture",
    [GSCALE_GROUPS] = "list of blocks",
    [GSCALE_PATH] = "path",
    [GSCALE_PARTS] = "record",
    [GSCALE_READERS] = "word or list of shares",
    [GSCALE_PAIR] = "number or pair",
    [GSCALE_MATRIX] = "matrix",
    [GSCALE_WORDS] = "text",
    [GSCALE_ANYTHING] = "value",
};
static const char *const residual_part[GSCALE_RESIDUAL_PARTS] = {
    [GSCALE_RESIDUAL_STEP] = "step",
    [GSCALE_RESIDUAL_HOST] = "host",
    [GSCALE_RESIDUAL_BESIDE] = "contention",
    [GSCALE_RESIDUAL_MOVED] = "moved",
};
static const char *const residual_kind[GSCALE_RESIDUAL_KINDS] = {
    [GSCALE_RESIDUAL_CALLS] = "calls",
    [GSCALE_RESIDUAL_TRANSFER] = "transfer",
};
static const char *const residual_axis[GSCALE_RESIDUAL_AXES] = {
    [GSCALE_RESIDUAL_SIZE] = "size",       [GSCALE_RESIDUAL_WAY] = "way",
    [GSCALE_RESIDUAL_KNOB] = "knob",       [GSCALE_RESIDUAL_GPUS] = "gpus",
    [GSCALE_RESIDUAL_MACHINE] = "machine",
};
static const char *const recorded_kind[GSCALE_RECORDED_KIND_END] = {
    "kernel", "copy", "memset", "event", "wait", "sync", "call", "range"};
static const char *const recorded_copy[GSCALE_RECORDED_COPY_END] = {
    "other", "h2d", "d2h", "d2d", "p2p"};
static const char *const law[GSCALE_LAW_END] = {
    [GSCALE_AMDAHL] = "amdahl",         [GSCALE_USL] = "usl",
    [GSCALE_MESSAGES] = "messages",     [GSCALE_NORMAL_FORM] = "extra-p",
    [GSCALE_CONTENTION] = "contention", [GSCALE_SUPERLINEAR] = "superlinear",
};
static const char *const rule[GSCALE_RULE_END] = {
    [GSCALE_RULE_SHEET] = "sheet", [GSCALE_RULE_MEMORY] = "memory",
    [GSCALE_RULE_CORES] = "cores", [GSCALE_RULE_CLOCK] = "clock",
    [GSCALE_RULE_LINK] = "link",   [GSCALE_RULE_STAYS] = "stays",
    [GSCALE_RULE_HOST] = "host"};
static const char *const gap[GSCALE_GAP_END] = {
    [GSCALE_GAP_OWN] = "own",
    [GSCALE_GAP_MACHINE] = "machine",
    [GSCALE_GAP_GROWTH] = "growth",
    [GSCALE_GAP_COMPUTE] = "compute",
};
static const char *const applicability[GSCALE_APPLICABILITY_END] = {
    [GSCALE_INSIDE] = "inside",
    [GSCALE_INTERPOLATED] = "interpolated",
    [GSCALE_EXTRAPOLATED] = "extrapolated",
    [GSCALE_BY_ASSUMPTION] = "assumed",
};

static const struct {
  const char *const *name;
  size_t n;
} names[GSCALE_NAMES_END] = {
    [GSCALE_ORIGIN_NAMES] = {origin, GSCALE_ORIGIN_END},
    [GSCALE_NET_TOPOLOGY_NAMES] = {net_topology, GSCALE_NET_TOPOLOGY_END},
    [GSCALE_GATHER_NAMES] = {gather, GSCALE_GATHER_END},
    [GSCALE_CONTROL_NAMES] = {control, GSCALE_CONTROL_END},
    [GSCALE_COLL_KIND_NAMES] = {coll_kind, GSCALE_COLL_KIND_END},
    [GSCALE_COLL_ALGORITHM_NAMES] = {coll_algorithm, GSCALE_COLL_ALGORITHM_END},
    [GSCALE_COLL_PROTOCOL_NAMES] = {coll_protocol, GSCALE_COLL_PROTOCOL_END},
    [GSCALE_PLACE_NAMES] = {place, GSCALE_PLACE_END},
    [GSCALE_OPERATION_NAMES] = {operation, GSCALE_OP_END},
    [GSCALE_QUEUE_NAMES] = {queue, GSCALE_QUEUE_END},
    [GSCALE_FLUSH_NAMES] = {flush, GSCALE_FLUSH_END},
    [GSCALE_STAGE_NAMES] = {stage, GSCALE_STAGE_END},
    [GSCALE_MECHANISM_NAMES] = {mechanism, GSCALE_MECHANISM_END},
    [GSCALE_PEER_NAMES] = {peer, GSCALE_PEER_END},
    [GSCALE_KIND_NAMES] = {kind, GSCALE_KIND_END},
    [GSCALE_RESIDUAL_PART_NAMES] = {residual_part, GSCALE_RESIDUAL_PARTS},
    [GSCALE_RESIDUAL_KIND_NAMES] = {residual_kind, GSCALE_RESIDUAL_KINDS},
    [GSCALE_RESIDUAL_AXIS_NAMES] = {residual_axis, GSCALE_RESIDUAL_AXES},
    [GSCALE_RECORDED_KIND_NAMES] = {recorded_kind, GSCALE_RECORDED_KIND_END},
    [GSCALE_RECORDED_COPY_NAMES] = {recorded_copy, GSCALE_RECORDED_COPY_END},
    [GSCALE_LAW_NAMES] = {law, GSCALE_LAW_END},
    [GSCALE_RULE_NAMES] = {rule, GSCALE_RULE_END},
    [GSCALE_GAP_NAMES] = {gap, GSCALE_GAP_END},
    [GSCALE_APPLICABILITY_NAMES] = {applicability, GSCALE_APPLICABILITY_END},
};

const char *gscale_name(gscale_names of, size_t i)
{
  return of < GSCALE_NAMES_END && i < names[of].n ? names[of].name[i] : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
