/* params.c - the parameters of a system: one table of what they are, and which
 * way a step moves with each. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <string.h>

#define REQUIRED                true, 0, 0, 0, false
#define OPTIONAL(value)         false, value, 0, 0, false /* no such cost or limit */
#define UNKNOWN                 false, 0, 0, 0, false /* 0: what needs it is refused */
#define GUESS(value, low, high) false, value, low, high, false
/* Of data/h200x4/micro/calls.csv, a third to three times on other machines;
 * hand.meet of data/h200x2/sealed-12/micro/calls.csv, at the same launches. */
#define SCALED(value) false, value, (value) / 3, (value)*3, true
/* From all in step (gscale_meeting) to what H200 lose least. */
#define SAME GUESS(0.72, 2.0 / 3.0, 0.8)
#define ANY  0.0, INFINITY

/* The numbers of a gscale_path. */
#define PATH_ROWS(id, group, between)                                          \
  [GSCALE_##id##_OVERHEAD] = {group "overhead", GSCALE_TIME, ANY, OPTIONAL(0), \
                              between ": who sends is busy with a message"},   \
  [GSCALE_##id##_LATENCY] = {group "latency", GSCALE_TIME, ANY, OPTIONAL(0),   \
                             between ": a message without bytes, one way"},    \
  [GSCALE_##id##_RATE] = {group "rate", GSCALE_BYTERATE, ANY, UNKNOWN,         \
                          between ": of one pair"},                            \
  [GSCALE_##id##_NODE_RATE] = {group "node_rate",                              \
                               GSCALE_BYTERATE,                                \
                               1,                                              \
                               INFINITY,                                       \
                               OPTIONAL(INFINITY),                             \
                               between ": of all pairs of a node"},            \
  [GSCALE_##id##_STAGE] = {group "stage", GSCALE_TIME_PER_BYTE, ANY,           \
                           OPTIONAL(0), between ": copied before it is sent"}, \
  [GSCALE_##id##_MESSAGES] = {group "messages",                                \
                              GSCALE_RATE,                                     \
                              1,                                               \
                              INFINITY,                                        \
                              OPTIONAL(INFINITY),                              \
                              between ": messages per second of a node"},      \
  [GSCALE_##id##_FROM] = {group "from",                                        \
                          GSCALE_BYTES,                                        \
                          1,                                                   \
                          INFINITY,                                            \
                          OPTIONAL(INFINITY),                                  \
                          between ": longer messages go by another protocol"}, \
  [GSCALE_##id##_LONG_OVERHEAD] = {group "long_overhead", GSCALE_TIME, ANY,    \
                                   OPTIONAL(0),                                \
                                   "the same of these: overhead"},             \
  [GSCALE_##id##_LONG_LATENCY] = {group "long_latency", GSCALE_TIME, ANY,      \
                                  OPTIONAL(0), "of these: latency"},           \
  [GSCALE_##id##_LONG_RATE] = {group "long_rate", GSCALE_BYTERATE, ANY,        \
                               UNKNOWN, "of these: rate of a pair"},           \
  [GSCALE_##id##_LONG_NODE_RATE] = {group "long_node_rate",                    \
                                    GSCALE_BYTERATE,                           \
                                    1,                                         \
                                    INFINITY,                                  \
                                    OPTIONAL(INFINITY),                        \
                                    "of these: of all pairs of a node"},       \
  [GSCALE_##id##_LONG_STAGE] = {group "long_stage", GSCALE_TIME_PER_BYTE, ANY, \
                                OPTIONAL(0),                                   \
                                "of these: copied before they are sent"},      \
  [GSCALE_##id##_INLINE] = {group "inline", GSCALE_BYTES, ANY, OPTIONAL(0),    \
                            between ": as much travels in a request"},         \
  [GSCALE_##id##_FETCH] = {group "fetch", GSCALE_TIME, ANY, OPTIONAL(0),       \
                           "more than that: longer busy"}

/* No efficiency exceeds 1: one that seems to says that the format, the rate or
 * the base is not the link's (packet.c). */
static const gscale_param_info table[GSCALE_PARAM_END] = {
    [GSCALE_DEVICE_MEMORY] = {"device.memory", GSCALE_BYTES, 1, INFINITY,
                              REQUIRED, "capacity of one GPU"},
    [GSCALE_DEVICE_SMS] = {"device.sms", GSCALE_COUNT, 1, 1e6, REQUIRED,
                           "streaming multiprocessors of one GPU"},
    [GSCALE_DEVICE_THREADS] = {"device.threads", GSCALE_COUNT, 1, 1e6, REQUIRED,
                               "resident threads of one SM"},
    [GSCALE_DEVICE_FLOPS] = {"device.flops", GSCALE_FLOPRATE, 1, INFINITY,
                             REQUIRED, "attainable arithmetic rate, fp32"},
    [GSCALE_DEVICE_FLOPS_FP64] = {"device.flops_fp64", GSCALE_FLOPRATE, ANY,
                                  UNKNOWN, "the same, fp64"},
    [GSCALE_DEVICE_FLOPS_FP64_TENSOR] = {"device.flops_fp64_tensor",
                                         GSCALE_FLOPRATE, ANY, UNKNOWN,
                                         "the same, fp64 matrices"},
    [GSCALE_DEVICE_FLOPS_TF32] = {"device.flops_tf32", GSCALE_FLOPRATE, ANY,
                                  UNKNOWN, "the same, tf32 matrices"},
    [GSCALE_DEVICE_FLOPS_FP16] = {"device.flops_fp16", GSCALE_FLOPRATE, ANY,
                                  UNKNOWN, "the same, fp16 or bf16"},
    [GSCALE_DEVICE_FLOPS_FP8] = {"device.flops_fp8", GSCALE_FLOPRATE, ANY,
                                 UNKNOWN, "the same, fp8 matrices"},
    [GSCALE_DEVICE_MEMBW] = {"device.membw", GSCALE_BYTERATE, 1, INFINITY,
                             REQUIRED, "memory bandwidth, large footprints"},
    [GSCALE_DEVICE_START] = {"device.start", GSCALE_TIME, ANY, OPTIONAL(0),
                             "device time of a kernel that does nothing"},
    [GSCALE_DEVICE_LATENCY] = {"device.latency", GSCALE_TIME, ANY, OPTIONAL(0),
                               "a load from memory that another waits for"},
    [GSCALE_DEVICE_CACHE_LATENCY] = {"device.cache_latency", GSCALE_TIME, ANY,
                                     OPTIONAL(0), "the same from a cache"},
    [GSCALE_DEVICE_L1] = {"device.l1", GSCALE_BYTES, ANY, OPTIONAL(0),
                          "cache of one SM, for loads from other GPUs"},
    [GSCALE_HOST_LAUNCH] = {"host.launch", GSCALE_TIME, ANY, REQUIRED,
                            "host time to issue a kernel"},
    [GSCALE_HOST_COPY] = {"host.copy", GSCALE_TIME, ANY, REQUIRED,
                          "host time to issue a peer copy"},
    [GSCALE_HOST_EVENT] = {"host.event", GSCALE_TIME, ANY, REQUIRED,
                           "host time to record or await an event"},
    [GSCALE_HOST_LAUNCH_CROWD] = {"host.launch_crowd", GSCALE_COUNT, 0, 100,
                                  OPTIONAL(0),
                                  "slower launches per further host thread"},
    [GSCALE_HOST_COPY_CROWD] = {"host.copy_crowd", GSCALE_COUNT, 0, 100,
                                OPTIONAL(0),
                                "slower copy calls per further host thread"},
    [GSCALE_HOST_SYNC] = {"host.sync", GSCALE_TIME, ANY, REQUIRED,
                          "a synchronised phase beside issue and kernels"},
    [GSCALE_HOST_SYNC_MORE] = {"host.sync_more", GSCALE_TIME, ANY, OPTIONAL(0),
                               "each further stream to wait for"},
    [GSCALE_HOST_BARRIER] = {"host.barrier", GSCALE_TIME, ANY, OPTIONAL(0),
                             "barrier of two host threads"},
    [GSCALE_HOST_BARRIER_MORE] = {"host.barrier_more", GSCALE_TIME, ANY,
                                  OPTIONAL(0), "each further host thread"},
    /* Timelines (price/costs.c), which no paradigm is yet. */
    [GSCALE_HOST_GRAPH] = {"host.graph", GSCALE_TIME, ANY, SCALED(1.6e-6),
                           "host time to issue a graph of kernels"},
    [GSCALE_HOST_MEMSET] = {"host.memset", GSCALE_TIME, ANY, SCALED(1.2e-6),
                            "host time to issue a memset"},
    [GSCALE_HOST_D2H] = {"host.d2h", GSCALE_TIME, ANY, SCALED(1.8e-6),
                         "host time to issue a copy to the host"},
    [GSCALE_HOST_H2D] = {"host.h2d", GSCALE_TIME, ANY, SCALED(2.2e-6),
                         "host time to issue a copy from the host"},
    [GSCALE_HOST_WAIT_FAR] = {"host.wait_far", GSCALE_TIME, ANY, SCALED(2e-6),
                              "host time to await an event of another GPU"},
    [GSCALE_HOST_SYNC_EVENT] = {"host.sync_event", GSCALE_TIME, ANY,
                                SCALED(1.4e-6),
                                "host time to ask for an event of the past"},
    [GSCALE_HOST_SET_DEVICE] = {"host.set_device", GSCALE_TIME, ANY,
                                SCALED(92e-9),
                                "host time to change the current device"},
    [GSCALE_HOST_WAKE] = {"host.wake", GSCALE_TIME, ANY, SCALED(1.5e-6),
                          "part of host.sync: a thread that waits wakes up"},
    [GSCALE_HOST_BARRIER_BARE] = {"host.barrier_bare", GSCALE_TIME, ANY,
                                  SCALED(0.26e-6),
                                  "barrier of two threads that did not wait"},
    [GSCALE_HOST_BARRIER_BARE_MORE] = {"host.barrier_bare_more", GSCALE_TIME,
                                       ANY, SCALED(96e-9),
                                       "each further host thread"},
    [GSCALE_HOST_STRAGGLE] =
        {"host.straggle", GSCALE_TIME, ANY, SCALED(0.16e-6),
         "two that waited: the last wakes up so much later"},
    [GSCALE_HOST_STRAGGLE_MORE] = {"host.straggle_more", GSCALE_TIME, ANY,
                                   SCALED(0.12e-6), "each further host thread"},
    [GSCALE_CROWD_GRAPH] = {"crowd.graph", GSCALE_COUNT, 0, 100, SCALED(0.1),
                            "slower graph launches per further host thread"},
    [GSCALE_CROWD_MEMSET] = {"crowd.memset", GSCALE_COUNT, 0, 100, SCALED(0.02),
                             "slower memset calls"},
    [GSCALE_CROWD_D2H] = {"crowd.d2h", GSCALE_COUNT, 0, 100, SCALED(0.09),
                          "slower calls of copies to the host"},
    [GSCALE_CROWD_H2D] = {"crowd.h2d", GSCALE_COUNT, 0, 100, SCALED(0.0051),
                          "slower calls of copies from the host"},
    [GSCALE_CROWD_EVENT] = {"crowd.event", GSCALE_COUNT, 0, 100, SCALED(0.031),
                            "slower records and waits of the same GPU"},
    [GSCALE_CROWD_WAIT_FAR] = {"crowd.wait_far", GSCALE_COUNT, 0, 100,
                               SCALED(0.023),
                               "slower waits for another GPU's event"},
    [GSCALE_CROWD_SYNC] = {"crowd.sync", GSCALE_COUNT, 0, 100, SCALED(0.15),
                           "slower calls to synchronise a stream"},
    [GSCALE_CROWD_SYNC_EVENT] = {"crowd.sync_event", GSCALE_COUNT, 0, 100,
                                 SCALED(0.052),
                                 "slower calls to synchronise an event"},
    [GSCALE_CROWD_SET_DEVICE] = {"crowd.set_device", GSCALE_COUNT, 0, 100,
                                 SCALED(1),
                                 "slower changes of the current device"},
    [GSCALE_SHARE_LAUNCH] = {"share.launch", GSCALE_COUNT, 0, 100, SCALED(0.21),
                             "slower launches, if two threads share a GPU"},
    [GSCALE_SHARE_GRAPH] = {"share.graph", GSCALE_COUNT, 0, 100, SCALED(1.5),
                            "slower graph launches then"},
    [GSCALE_SHARE_MEMSET] = {"share.memset", GSCALE_COUNT, 0, 100, SCALED(1.1),
                             "slower memset calls then"},
    [GSCALE_SHARE_COPY] = {"share.copy", GSCALE_COUNT, 0, 100, SCALED(0.58),
                           "slower peer copy calls then"},
    [GSCALE_SHARE_D2H] = {"share.d2h", GSCALE_COUNT, 0, 100, SCALED(0.77),
                          "slower calls of copies to the host then"},
    [GSCALE_SHARE_H2D] = {"share.h2d", GSCALE_COUNT, 0, 100, SCALED(0.57),
                          "slower calls of copies from the host then"},
    [GSCALE_SHARE_EVENT] = {"share.event", GSCALE_COUNT, 0, 100, SCALED(0.76),
                            "slower records and waits of the same GPU then"},
    [GSCALE_SHARE_WAIT_FAR] = {"share.wait_far", GSCALE_COUNT, 0, 100,
                               SCALED(0.81),
                               "slower waits for another GPU's event then"},
    [GSCALE_SHARE_SYNC] = {"share.sync", GSCALE_COUNT, 0, 100, SCALED(0.81),
                           "slower calls to synchronise a stream then"},
    [GSCALE_SHARE_SYNC_EVENT] = {"share.sync_event", GSCALE_COUNT, 0, 100,
                                 SCALED(0.81),
                                 "slower calls to synchronise an event then"},
    [GSCALE_SHARE_SET_DEVICE] = {"share.set_device", GSCALE_COUNT, 0, 100,
                                 SCALED(3.7),
                                 "slower changes of the current device then"},
    [GSCALE_SHARE_ROOM] = {"share.room", GSCALE_COUNT, 1e-3, INFINITY,
                           SCALED(13),
                           "saturation of these with more threads a GPU"},
    [GSCALE_SHARE_WAKE] = {"share.wake", GSCALE_COUNT, 0, 100, SCALED(0.3),
                           "slower host.sync then"},
    [GSCALE_SHARE_STRAGGLE] =
        {"share.straggle", GSCALE_TIME, ANY, SCALED(1.4e-6),
         "the last of two that share a GPU wakes up later"},
    [GSCALE_HAND_COPY_KERNEL] =
        {"hand.copy_kernel", GSCALE_TIME, ANY, SCALED(1.9e-6),
         "end of a copy to a kernel that depends on it"},
    [GSCALE_HAND_NEAR] = {"hand.near", GSCALE_TIME, ANY, SCALED(0.23e-6),
                          "an event between streams of a GPU, beside that"},
    [GSCALE_HAND_FAR] = {"hand.far", GSCALE_TIME, ANY, SCALED(6.5e-6),
                         "an event between streams of two GPUs"},
    [GSCALE_HAND_MEET] = {"hand.meet", GSCALE_TIME, ANY, SCALED(2.6e-6),
                          "the same from a kernel to one that need not wait "
                          "long: both GPUs come to it together; <= hand.far"},
    [GSCALE_LINK_RATE] = {"link.rate", GSCALE_BYTERATE, 1, INFINITY, REQUIRED,
                          "wire rate of a port, one direction"},
    [GSCALE_LINK_DUPLEX] = {"link.duplex", GSCALE_COUNT, 1, 2, GUESS(2, 1.5, 2),
                            "rate of both directions together / of one"},
    [GSCALE_COPY_EFFICIENCY] = {"copy.efficiency", GSCALE_COUNT, 1e-6, 1,
                                REQUIRED, "copies: attained / formatted rate"},
    [GSCALE_COPY_ALL_ACTIVE] = {"copy.all_active", GSCALE_COUNT, 1e-6, 1,
                                OPTIONAL(1), "copies: factor, all GPUs active"},
    [GSCALE_COPY_CONTENDED] = {"copy.contended", GSCALE_COUNT, 1e-6, 1,
                               OPTIONAL(1),
                               "copies at once to all: factor at 3 GPUs"},
    [GSCALE_COPY_SAME] = {"copy.same", GSCALE_COUNT, 1e-6, 1, SAME,
                          "copies, all in the same order: factor at 3 GPUs"},
    [GSCALE_COPY_INITIATION] = {"copy.initiation", GSCALE_TIME, ANY, REQUIRED,
                                "device time of a copy before its bytes"},
    [GSCALE_COPY_LATENCY] = {"copy.latency", GSCALE_TIME, ANY, OPTIONAL(0),
                             "end of a kernel to a copy that depends on it"},
    [GSCALE_COPY_INTERFERENCE] = {"copy.interference", GSCALE_TIME_PER_BYTE,
                                  ANY, OPTIONAL(0),
                                  "compute lost per byte copied beside it"},
    /* Copies without peer access: to the host's memory and from there. */
    [GSCALE_STAGED_RATE] = {"staged.rate", GSCALE_BYTERATE, ANY, UNKNOWN,
                            "each of the two legs, of useful bytes"},
    [GSCALE_STAGED_ALL_ACTIVE] = {"staged.all_active", GSCALE_COUNT, 1e-6, 1,
                                  OPTIONAL(1),
                                  "staged copies: factor, all GPUs active"},
    [GSCALE_STAGED_HOST] = {"staged.host", GSCALE_BYTERATE, 1, INFINITY,
                            OPTIONAL(INFINITY),
                            "staged copies of all GPUs together"},
    [GSCALE_STAGED_BUFFER] = {"staged.buffer", GSCALE_BYTES, ANY, OPTIONAL(0),
                              "up in the host before the way down begins"},
    [GSCALE_STAGED_INITIATION] = {"staged.initiation", GSCALE_TIME, ANY,
                                  UNKNOWN, "a staged copy beside its bytes"},
    [GSCALE_STAGED_LATENCY] = {"staged.latency", GSCALE_TIME, ANY, OPTIONAL(0),
                               "end of a kernel to a staged copy behind it"},
    [GSCALE_STORE_EFFICIENCY] = {"store.efficiency", GSCALE_COUNT, 1e-6, 1,
                                 REQUIRED, "stores: attained / formatted rate"},
    [GSCALE_STORE_ALL_ACTIVE] = {"store.all_active", GSCALE_COUNT, 1e-6, 1,
                                 OPTIONAL(1),
                                 "stores: factor, all GPUs active"},
    [GSCALE_STORE_RATE] = {"store.rate", GSCALE_RATE, 1, INFINITY,
                           OPTIONAL(INFINITY), "packets per second of a GPU"},
    [GSCALE_STORE_WIDE_RATE] = {"store.wide_rate", GSCALE_RATE, 1, INFINITY,
                                OPTIONAL(INFINITY),
                                "the same of words of 8 B or more, within "
                                "store.reach"},
    [GSCALE_STORE_REACH] = {"store.reach", GSCALE_BYTES, ANY, OPTIONAL(0),
                            "a GPU's arrays up to which store.wide_rate holds "
                            "and store.ingress does not bind"},
    [GSCALE_STORE_INGRESS] = {"store.ingress", GSCALE_RATE, 1, INFINITY,
                              OPTIONAL(INFINITY),
                              "packets per second into a GPU, many senders"},
    [GSCALE_STORE_INGRESS_FEW] = {"store.ingress_few", GSCALE_COUNT, 0, 1,
                                  OPTIONAL(0),
                                  "share of a packet's time that one sender "
                                  "saves"},
    [GSCALE_STORE_SAME] = {"store.same", GSCALE_COUNT, 1e-6, 1, SAME,
                           "stores, all in the same order: factor at 3 GPUs"},
    [GSCALE_STORE_SAME_SMALL] =
        {"store.same_small", GSCALE_COUNT, 1e-6, 1, SAME,
         "the same of small packets, and of small loads"},
    [GSCALE_STORE_LINE] = {"store.line", GSCALE_BYTES, 1, INFINITY,
                           OPTIONAL(INFINITY),
                           "stores from this size on escape store.rate"},
    [GSCALE_STORE_LATENCY] = {"store.latency", GSCALE_TIME, ANY, OPTIONAL(0),
                              "last store issued to all stores arrived"},
    [GSCALE_STORE_INTERFERENCE] = {"store.interference", GSCALE_TIME_PER_BYTE,
                                   ANY, OPTIONAL(0),
                                   "compute lost per byte stored beside it"},
    [GSCALE_AGENT_THREAD_RATE] = {"agent.thread_rate", GSCALE_BYTERATE, 1e-6,
                                  INFINITY, REQUIRED,
                                  "what one thread copies, of an agent of "
                                  "blocks of 256 with 4 loads in flight"},
    [GSCALE_AGENT_TURN] = {"agent.turn", GSCALE_TIME, ANY,
                           GUESS(166e-9, 80e-9, 400e-9),
                           "agent: a warp's load to its store, from a cache"},
    [GSCALE_AGENT_WORD] = {"agent.word", GSCALE_TIME, ANY,
                           GUESS(27e-9, 15e-9, 100e-9),
                           "agent: more, for each 16 B of a warp's threads"},
    [GSCALE_AGENT_SM_RATE] = {"agent.sm_rate", GSCALE_BYTERATE, 1, INFINITY,
                              GUESS(42.7e9, 15e9, 100e9),
                              "what one SM stores to other GPUs"},
    [GSCALE_AGENT_GAP] = {"agent.gap", GSCALE_TIME, ANY, REQUIRED,
                          "agent: a chunk beside its bytes"},
    [GSCALE_AGENT_LATENCY] = {"agent.latency", GSCALE_TIME, ANY, REQUIRED,
                              "chunk ready to its first byte leaving"},
    [GSCALE_AGENT_TRACK] = {"agent.track", GSCALE_TIME, ANY, OPTIONAL(0),
                            "compute lost per block that counts its chunk"},
    [GSCALE_AGENT_HOLD] = {"agent.hold", GSCALE_TIME, ANY, OPTIONAL(0),
                           "a block that counts stays so much longer"},
    [GSCALE_AGENT_BESIDE] = {"agent.beside", GSCALE_COUNT, 1, 1e6, OPTIONAL(1),
                             "slower loads and polls beside a busy memory"},
    [GSCALE_CDP_GAP] = {"cdp.gap", GSCALE_TIME, ANY, UNKNOWN,
                        "between children launched by many blocks"},
    [GSCALE_CDP_LATENCY] = {"cdp.latency", GSCALE_TIME, ANY, UNKNOWN,
                            "a kernel's launch by a kernel to its end"},
    [GSCALE_CDP_START] = {"cdp.start", GSCALE_TIME, ANY, OPTIONAL(0),
                          "more, of a kernel that may launch others"},
    [GSCALE_CDP_QUEUE] = {"cdp.queue", GSCALE_TIME, ANY, OPTIONAL(0),
                          "more, if several children are launched at once"},
    [GSCALE_CDP_FEW] = {"cdp.few", GSCALE_TIME, ANY, OPTIONAL(0),
                        "more, for each of the first 16 of them"},
    [GSCALE_CDP_WAITS] = {"cdp.waits", GSCALE_COUNT, 0, 1, GUESS(1, 0, 1),
                          "1: copies wait for the kernel's waiting blocks"},
    [GSCALE_CDP_AT_ONCE] = {"cdp.at_once", GSCALE_COUNT, 1, 1e4, OPTIONAL(128),
                            "kernels that a GPU runs at once"},
    [GSCALE_LOAD_EFFICIENCY] = {"load.efficiency", GSCALE_COUNT, 0, 1, UNKNOWN,
                                "loads: attained / formatted rate"},
    [GSCALE_LOAD_RATE] = {"load.rate", GSCALE_RATE, 1, INFINITY,
                          OPTIONAL(INFINITY),
                          "remote loads per second of a GPU"},
    [GSCALE_LOAD_ALL_ACTIVE] = {"load.all_active", GSCALE_COUNT, 1e-6, 1,
                                OPTIONAL(1),
                                "load.rate: factor, all GPUs active"},
    [GSCALE_LOAD_SAME] = {"load.same", GSCALE_COUNT, 1e-6, 1, SAME,
                          "loads, all in the same order: factor at 3 GPUs"},
    [GSCALE_LOAD_LATENCY] = {"load.latency", GSCALE_TIME, ANY, UNKNOWN,
                             "round trip of a load from another GPU"},
    [GSCALE_ATOMIC_RATE] = {"atomic.rate", GSCALE_RATE, ANY, OPTIONAL(INFINITY),
                            "remote atomics per second of a GPU"},
    [GSCALE_ATOMIC_ALL_ACTIVE] = {"atomic.all_active", GSCALE_COUNT, 1e-6, 1,
                                  OPTIONAL(1),
                                  "atomic.rate: factor, all GPUs active"},
    [GSCALE_ATOMIC_SAME] = {"atomic.same", GSCALE_COUNT, 1e-6, 1, SAME,
                            "atomics, all in the same order: factor at 3 "
                            "GPUs"},
    [GSCALE_ATOMIC_SAME_SMALL] = {"atomic.same_small", GSCALE_COUNT, 1e-6, 1,
                                  SAME, "the same of small packets"},
    /* Collectives: of NCCL 2.28 on data/h200x4; ranges with those of NCCL 2.8
     * on eight A100 (AIST, ABCI 2.0) and of 2.29 on eight H100. */
    [GSCALE_COLL_ISSUE] = {"coll.issue", GSCALE_TIME, ANY, SCALED(6e-6),
                           "host time to issue a collective"},
    [GSCALE_COLL_START] = {"coll.start", GSCALE_TIME, ANY,
                           GUESS(5.3e-6, 3e-6, 8e-6),
                           "device time of a collective that moves nothing"},
    [GSCALE_COLL_STEP] = {"coll.step", GSCALE_TIME, ANY,
                          GUESS(0.55e-6, 0.4e-6, 1e-6),
                          "each step that waits for the one before, LL"},
    [GSCALE_COLL_LL_RATE] = {"coll.ll_rate", GSCALE_BYTERATE, 1, INFINITY,
                             GUESS(9e9, 4e9, 20e9),
                             "what a GPU sends by LL, useful bytes"},
    [GSCALE_COLL_FLAG_STEP] = {"coll.flag_step", GSCALE_TIME, ANY,
                               GUESS(1e-6, 0.6e-6, 3e-6),
                               "a step by LL128 or simple"},
    [GSCALE_COLL_LL128_RATE] = {"coll.ll128_rate", GSCALE_BYTERATE, 1, INFINITY,
                                GUESS(140e9, 15e9, 200e9),
                                "what a GPU sends by LL128"},
    [GSCALE_COLL_SIMPLE_START] = {"coll.simple_start", GSCALE_TIME, ANY,
                                  GUESS(10e-6, 5e-6, 50e-6),
                                  "more to begin by the simple protocol"},
    [GSCALE_COLL_EFFICIENCY] =
        {"coll.efficiency", GSCALE_COUNT, 1e-6, 1, GUESS(0.9, 0.7, 1),
         "collectives, simple: attained / formatted rate"},
    [GSCALE_COLL_PAIR_START] = {"coll.pair_start", GSCALE_TIME, ANY,
                                GUESS(1.1e-6, 0, 5e-6),
                                "more for sends and receives of pairs"},
    [GSCALE_COLL_CHANNEL] = {"coll.channel", GSCALE_BYTERATE, 1, INFINITY,
                             GUESS(20e9, 15e9, 25e9),
                             "one channel between two GPUs"},
    [GSCALE_COLL_CHANNELS] = {"coll.channels", GSCALE_COUNT, 1, 1024,
                              GUESS(32, 16, 32), "channels that a GPU has"},
    [GSCALE_COLL_SWITCH] = {"coll.switch", GSCALE_COUNT, 0, 1, UNKNOWN,
                            "reductions in the switch: attained / formatted "
                            "rate; 0: it does not add up"},
    /* Between nodes, which nothing else is asked for. */
    [GSCALE_COLL_NET_START] = {"coll.net_start", GSCALE_TIME, ANY, OPTIONAL(0),
                               "more to begin by simple, several nodes"},
    [GSCALE_COLL_NET_STEP] = {"coll.net_step", GSCALE_TIME, ANY, OPTIONAL(0),
                              "each step that leaves a node"},
    [GSCALE_COLL_NET_RATE] = {"coll.net_rate", GSCALE_BYTERATE, ANY, UNKNOWN,
                              "what a node's cards attain by collectives"},
    [GSCALE_UM_LAPSE] = {"um.lapse", GSCALE_TIME, ANY,
                         GUESS(500e-6, 250e-6, 1e-3),
                         "pages that come back within it are pinned"},
    [GSCALE_UM_FAULT_START] = {"um.fault_start", GSCALE_TIME, ANY, UNKNOWN,
                               "first page fault of a region"},
    [GSCALE_UM_FAULT_RATE] = {"um.fault_rate", GSCALE_BYTERATE, ANY, UNKNOWN,
                              "pages moved by faults, between GPUs"},
    [GSCALE_UM_PREFETCH_START] = {"um.prefetch_start", GSCALE_TIME, ANY,
                                  UNKNOWN,
                                  "a prefetch from the host, before its bytes"},
    [GSCALE_UM_PREFETCH_RATE] = {"um.prefetch_rate", GSCALE_BYTERATE, ANY,
                                 UNKNOWN, "pages prefetched from the host"},
    [GSCALE_UM_PEER_START] = {"um.peer_start", GSCALE_TIME, ANY, UNKNOWN,
                              "a prefetch from a GPU, before its bytes"},
    [GSCALE_UM_PEER_RATE] = {"um.peer_rate", GSCALE_BYTERATE, ANY, UNKNOWN,
                             "pages prefetched from another GPU"},
    [GSCALE_UM_TOUCH_START] = {"um.touch_start", GSCALE_TIME, ANY, UNKNOWN,
                               "first fault of a region of the host's"},
    [GSCALE_UM_TOUCH_RATE] = {"um.touch_rate", GSCALE_BYTERATE, ANY, UNKNOWN,
                              "pages moved by faults from the host"},
    /* Of proposed hardware: as its papers chose them. */
    [GSCALE_GPS_ENTRIES] = {"gps.entries", GSCALE_COUNT, 2, 1e9, OPTIONAL(512),
                            "lines in the remote write queue"},
    [GSCALE_GPS_PAGE] = {"gps.page", GSCALE_BYTES, 128, 1e12, OPTIONAL(65536),
                         "unit of subscription and of translation"},
    [GSCALE_GPS_TLB] = {"gps.tlb", GSCALE_COUNT, ANY, OPTIONAL(32),
                        "pages whose translation is at hand"},
    /* Two accesses to memory [Diss22, table 4.1], of 0.4 us on a V100. */
    [GSCALE_GPS_WALK] = {"gps.walk", GSCALE_TIME, ANY,
                         GUESS(0.8e-6, 0.4e-6, 1.6e-6),
                         "to find the translation of another page"},
    [GSCALE_GPS_WALKS] = {"gps.walks", GSCALE_COUNT, 1, 1e6, GUESS(16, 1, 64),
                          "pages looked for at once"},
    [GSCALE_GPS_MANUAL] = {"gps.manual", GSCALE_COUNT, 0, 1, OPTIONAL(0),
                           "1: subscribed by hand, no step profiles"},
    [GSCALE_FINEPACK_ENTRIES] = {"finepack.entries", GSCALE_COUNT, 1, 1e9,
                                 OPTIONAL(64), "lines gathered for each GPU"},
    [GSCALE_FINEPACK_SUBHEADER] = {"finepack.subheader", GSCALE_BYTES, 2, 6,
                                   OPTIONAL(4), "header of a run"},
    [GSCALE_FINEPACK_PAYLOAD] = {"finepack.payload", GSCALE_BYTES, 256, 65536,
                                 OPTIONAL(4096), "largest payload of a packet"},
    [GSCALE_NETWORK_RATE] = {"network.rate", GSCALE_BYTERATE, 1, INFINITY,
                             OPTIONAL(INFINITY),
                             "wire rate of a network card, one direction"},
    [GSCALE_NETWORK_EFFICIENCY] = {"network.efficiency", GSCALE_COUNT, 1e-6, 1,
                                   OPTIONAL(1),
                                   "network: attained / formatted rate"},
    [GSCALE_NETWORK_READ] = {"network.read", GSCALE_BYTERATE, 1, INFINITY,
                             OPTIONAL(INFINITY),
                             "a network card reads a GPU's memory"},
    [GSCALE_NETWORK_TAPER] = {"network.taper", GSCALE_COUNT, 1e-6, 1,
                              OPTIONAL(1),
                              "uplinks of a leaf switch / its ports"},
    [GSCALE_NETWORK_BARRIER] = {"network.barrier", GSCALE_TIME, ANY,
                                OPTIONAL(0),
                                "barrier of hosts, each doubling of nodes"},
    [GSCALE_NETWORK_JITTER] =
        {"network.jitter", GSCALE_TIME, ANY, OPTIONAL(0),
         "standard deviation of one node's step: the last one counts"},
    PATH_ROWS(GPUDIRECT, "gpudirect.", "GPU to GPU"),
    PATH_ROWS(HOSTPATH, "hostpath.", "host to host"),
};

#define PATH_DIRECTIONS(id)                                                    \
  [GSCALE_##id##_OVERHEAD] = GSCALE_COST,                                      \
  [GSCALE_##id##_LATENCY] = GSCALE_COST, [GSCALE_##id##_RATE] = GSCALE_GAIN,   \
  [GSCALE_##id##_NODE_RATE] = GSCALE_GAIN,                                     \
  [GSCALE_##id##_STAGE] = GSCALE_COST, [GSCALE_##id##_MESSAGES] = GSCALE_GAIN, \
  [GSCALE_##id##_FROM] = GSCALE_EITHER,                                        \
  [GSCALE_##id##_LONG_OVERHEAD] = GSCALE_COST,                                 \
  [GSCALE_##id##_LONG_LATENCY] = GSCALE_COST,                                  \
  [GSCALE_##id##_LONG_RATE] = GSCALE_GAIN,                                     \
  [GSCALE_##id##_LONG_NODE_RATE] = GSCALE_GAIN,                                \
  [GSCALE_##id##_LONG_STAGE] = GSCALE_COST,                                    \
  [GSCALE_##id##_INLINE] = GSCALE_GAIN, [GSCALE_##id##_FETCH] = GSCALE_COST

/* See gscale_direction.  A test holds all paradigms to it. */
static const gscale_direction directions[GSCALE_PARAM_END] = {
    [GSCALE_DEVICE_MEMORY] = GSCALE_GAIN,
    [GSCALE_DEVICE_SMS] = GSCALE_EITHER,
    [GSCALE_DEVICE_THREADS] = GSCALE_GAIN,
    [GSCALE_DEVICE_FLOPS] = GSCALE_GAIN,
    [GSCALE_DEVICE_FLOPS_FP64] = GSCALE_GAIN,
    [GSCALE_DEVICE_FLOPS_FP64_TENSOR] = GSCALE_GAIN,
    [GSCALE_DEVICE_FLOPS_TF32] = GSCALE_GAIN,
    [GSCALE_DEVICE_FLOPS_FP16] = GSCALE_GAIN,
    [GSCALE_DEVICE_FLOPS_FP8] = GSCALE_GAIN,
    [GSCALE_DEVICE_MEMBW] = GSCALE_GAIN,
    [GSCALE_DEVICE_START] = GSCALE_COST,
    [GSCALE_DEVICE_LATENCY] = GSCALE_COST,
    [GSCALE_DEVICE_CACHE_LATENCY] = GSCALE_COST,
    [GSCALE_DEVICE_L1] = GSCALE_GAIN,
    [GSCALE_HOST_LAUNCH] = GSCALE_COST,
    [GSCALE_HOST_COPY] = GSCALE_COST,
    [GSCALE_HOST_EVENT] = GSCALE_COST,
    [GSCALE_HOST_LAUNCH_CROWD] = GSCALE_COST,
    [GSCALE_HOST_COPY_CROWD] = GSCALE_COST,
    [GSCALE_HOST_SYNC] = GSCALE_COST,
    [GSCALE_HOST_SYNC_MORE] = GSCALE_COST,
    [GSCALE_HOST_BARRIER] = GSCALE_COST,
    [GSCALE_HOST_BARRIER_MORE] = GSCALE_COST,
    [GSCALE_HOST_GRAPH] = GSCALE_COST,
    [GSCALE_HOST_MEMSET] = GSCALE_COST,
    [GSCALE_HOST_D2H] = GSCALE_COST,
    [GSCALE_HOST_H2D] = GSCALE_COST,
    [GSCALE_HOST_WAIT_FAR] = GSCALE_COST,
    [GSCALE_HOST_SYNC_EVENT] = GSCALE_COST,
    [GSCALE_HOST_SET_DEVICE] = GSCALE_COST,
    [GSCALE_HOST_WAKE] = GSCALE_COST,
    [GSCALE_HOST_BARRIER_BARE] = GSCALE_COST,
    [GSCALE_HOST_BARRIER_BARE_MORE] = GSCALE_COST,
    [GSCALE_HOST_STRAGGLE] = GSCALE_COST,
    [GSCALE_HOST_STRAGGLE_MORE] = GSCALE_COST,
    [GSCALE_CROWD_GRAPH] = GSCALE_COST,
    [GSCALE_CROWD_MEMSET] = GSCALE_COST,
    [GSCALE_CROWD_D2H] = GSCALE_COST,
    [GSCALE_CROWD_H2D] = GSCALE_COST,
    [GSCALE_CROWD_EVENT] = GSCALE_COST,
    [GSCALE_CROWD_WAIT_FAR] = GSCALE_COST,
    [GSCALE_CROWD_SYNC] = GSCALE_COST,
    [GSCALE_CROWD_SYNC_EVENT] = GSCALE_COST,
    [GSCALE_CROWD_SET_DEVICE] = GSCALE_COST,
    [GSCALE_SHARE_LAUNCH] = GSCALE_COST,
    [GSCALE_SHARE_GRAPH] = GSCALE_COST,
    [GSCALE_SHARE_MEMSET] = GSCALE_COST,
    [GSCALE_SHARE_COPY] = GSCALE_COST,
    [GSCALE_SHARE_D2H] = GSCALE_COST,
    [GSCALE_SHARE_H2D] = GSCALE_COST,
    [GSCALE_SHARE_EVENT] = GSCALE_COST,
    [GSCALE_SHARE_WAIT_FAR] = GSCALE_COST,
    [GSCALE_SHARE_SYNC] = GSCALE_COST,
    [GSCALE_SHARE_SYNC_EVENT] = GSCALE_COST,
    [GSCALE_SHARE_SET_DEVICE] = GSCALE_COST,
    [GSCALE_SHARE_ROOM] = GSCALE_COST,
    [GSCALE_SHARE_WAKE] = GSCALE_COST,
    [GSCALE_SHARE_STRAGGLE] = GSCALE_COST,
    [GSCALE_HAND_COPY_KERNEL] = GSCALE_COST,
    [GSCALE_HAND_NEAR] = GSCALE_COST,
    [GSCALE_HAND_FAR] = GSCALE_COST,
    [GSCALE_HAND_MEET] = GSCALE_COST,
    [GSCALE_LINK_RATE] = GSCALE_GAIN,
    [GSCALE_LINK_DUPLEX] = GSCALE_GAIN,
    [GSCALE_COPY_EFFICIENCY] = GSCALE_GAIN,
    [GSCALE_COPY_ALL_ACTIVE] = GSCALE_GAIN,
    [GSCALE_COPY_CONTENDED] = GSCALE_GAIN,
    [GSCALE_COPY_SAME] = GSCALE_GAIN,
    [GSCALE_COPY_INITIATION] = GSCALE_COST,
    [GSCALE_COPY_LATENCY] = GSCALE_COST,
    [GSCALE_COPY_INTERFERENCE] = GSCALE_COST,
    [GSCALE_STAGED_RATE] = GSCALE_GAIN,
    [GSCALE_STAGED_ALL_ACTIVE] = GSCALE_GAIN,
    [GSCALE_STAGED_HOST] = GSCALE_GAIN,
    [GSCALE_STAGED_BUFFER] = GSCALE_COST,
    [GSCALE_STAGED_INITIATION] = GSCALE_COST,
    [GSCALE_STAGED_LATENCY] = GSCALE_COST,
    [GSCALE_STORE_EFFICIENCY] = GSCALE_GAIN,
    [GSCALE_STORE_ALL_ACTIVE] = GSCALE_GAIN,
    [GSCALE_STORE_RATE] = GSCALE_GAIN,
    [GSCALE_STORE_WIDE_RATE] = GSCALE_GAIN,
    [GSCALE_STORE_REACH] = GSCALE_GAIN,
    [GSCALE_STORE_INGRESS] = GSCALE_GAIN,
    [GSCALE_STORE_INGRESS_FEW] = GSCALE_GAIN,
    [GSCALE_STORE_SAME] = GSCALE_GAIN,
    [GSCALE_STORE_SAME_SMALL] = GSCALE_GAIN,
    [GSCALE_STORE_LINE] = GSCALE_COST,
    [GSCALE_STORE_LATENCY] = GSCALE_COST,
    [GSCALE_STORE_INTERFERENCE] = GSCALE_COST,
    [GSCALE_AGENT_THREAD_RATE] = GSCALE_GAIN,
    [GSCALE_AGENT_TURN] = GSCALE_EITHER,
    [GSCALE_AGENT_WORD] = GSCALE_EITHER,
    [GSCALE_AGENT_SM_RATE] = GSCALE_EITHER,
    [GSCALE_AGENT_GAP] = GSCALE_EITHER, /* who looks less disturbs less */
    [GSCALE_AGENT_LATENCY] = GSCALE_COST,
    [GSCALE_AGENT_TRACK] = GSCALE_COST,
    [GSCALE_AGENT_HOLD] = GSCALE_COST,
    [GSCALE_AGENT_BESIDE] = GSCALE_COST,
    [GSCALE_CDP_GAP] = GSCALE_COST,
    [GSCALE_CDP_LATENCY] = GSCALE_COST,
    [GSCALE_CDP_START] = GSCALE_COST,
    [GSCALE_CDP_QUEUE] = GSCALE_COST,
    [GSCALE_CDP_FEW] = GSCALE_COST,
    [GSCALE_CDP_WAITS] = GSCALE_EITHER,
    [GSCALE_CDP_AT_ONCE] = GSCALE_EITHER,
    [GSCALE_LOAD_EFFICIENCY] = GSCALE_GAIN,
    [GSCALE_LOAD_RATE] = GSCALE_GAIN,
    [GSCALE_LOAD_ALL_ACTIVE] = GSCALE_GAIN,
    [GSCALE_LOAD_SAME] = GSCALE_GAIN,
    [GSCALE_LOAD_LATENCY] = GSCALE_COST,
    [GSCALE_ATOMIC_RATE] = GSCALE_GAIN,
    [GSCALE_ATOMIC_ALL_ACTIVE] = GSCALE_GAIN,
    [GSCALE_ATOMIC_SAME] = GSCALE_GAIN,
    [GSCALE_ATOMIC_SAME_SMALL] = GSCALE_GAIN,
    [GSCALE_COLL_ISSUE] = GSCALE_COST,
    [GSCALE_COLL_START] = GSCALE_COST,
    [GSCALE_COLL_STEP] = GSCALE_COST,
    [GSCALE_COLL_LL_RATE] = GSCALE_GAIN,
    [GSCALE_COLL_FLAG_STEP] = GSCALE_COST,
    [GSCALE_COLL_LL128_RATE] = GSCALE_GAIN,
    [GSCALE_COLL_SIMPLE_START] = GSCALE_COST,
    [GSCALE_COLL_EFFICIENCY] = GSCALE_GAIN,
    [GSCALE_COLL_PAIR_START] = GSCALE_COST,
    [GSCALE_COLL_CHANNEL] = GSCALE_GAIN,
    [GSCALE_COLL_CHANNELS] = GSCALE_EITHER,
    [GSCALE_COLL_SWITCH] = GSCALE_GAIN,
    [GSCALE_COLL_NET_START] = GSCALE_COST,
    [GSCALE_COLL_NET_STEP] = GSCALE_COST,
    [GSCALE_COLL_NET_RATE] = GSCALE_GAIN,
    [GSCALE_UM_LAPSE] = GSCALE_EITHER,
    [GSCALE_UM_FAULT_START] = GSCALE_COST,
    [GSCALE_UM_FAULT_RATE] = GSCALE_GAIN,
    [GSCALE_UM_PREFETCH_START] = GSCALE_COST,
    [GSCALE_UM_PREFETCH_RATE] = GSCALE_GAIN,
    [GSCALE_UM_PEER_START] = GSCALE_COST,
    [GSCALE_UM_PEER_RATE] = GSCALE_GAIN,
    [GSCALE_UM_TOUCH_START] = GSCALE_COST,
    [GSCALE_UM_TOUCH_RATE] = GSCALE_GAIN,
    [GSCALE_GPS_ENTRIES] = GSCALE_EITHER,
    [GSCALE_GPS_PAGE] = GSCALE_EITHER,
    [GSCALE_GPS_TLB] = GSCALE_GAIN,
    [GSCALE_GPS_WALK] = GSCALE_COST,
    [GSCALE_GPS_WALKS] = GSCALE_GAIN,
    [GSCALE_GPS_MANUAL] = GSCALE_GAIN,
    [GSCALE_FINEPACK_ENTRIES] = GSCALE_EITHER,
    [GSCALE_FINEPACK_SUBHEADER] = GSCALE_EITHER,
    [GSCALE_FINEPACK_PAYLOAD] = GSCALE_EITHER,
    [GSCALE_NETWORK_RATE] = GSCALE_GAIN,
    [GSCALE_NETWORK_EFFICIENCY] = GSCALE_GAIN,
    [GSCALE_NETWORK_READ] = GSCALE_GAIN,
    [GSCALE_NETWORK_TAPER] = GSCALE_GAIN,
    [GSCALE_NETWORK_BARRIER] = GSCALE_COST,
    [GSCALE_NETWORK_JITTER] = GSCALE_COST,
    PATH_DIRECTIONS(GPUDIRECT),
    PATH_DIRECTIONS(HOSTPATH),
};

gscale_direction gscale_param_direction(size_t id)
{
  return id < GSCALE_PARAM_END ? directions[id] : GSCALE_UNDECLARED;
}

const gscale_param_info *gscale_param_info_at(size_t id)
{
  return id < GSCALE_PARAM_END ? &table[id] : NULL;
}

gscale_param gscale_param_default(size_t id)
{
  gscale_param p = {0.0, 0.0, GSCALE_SPEC, "default: no such cost or limit"};

  if (id >= GSCALE_PARAM_END) return p;
  p.val = table[id].otherwise;
  if (!(table[id].high > table[id].low)) return p;
  p.err = (table[id].high - table[id].low) / sqrt(12.0);
  p.origin = GSCALE_ASSUMED;
  gscale__copy_text(p.source, sizeof p.source, "default: as where it is known");
  return p;
}

gscale_param_id gscale_param_find(const char *name)
{
  size_t id = 0;
  while (id < GSCALE_PARAM_END && strcmp(table[id].name, name) != 0) id++;
  return (gscale_param_id)id;
}
