/* fields.c - what a phase, a step, a knob, a link and a topology can say: a row
 * for each field, from which everything else about it follows. */

#include "describe/described.h"
#include "internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[GSCALE_KIND_END] = {
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
    [GSCALE_NAMED] = "named numbers",
    [GSCALE_READERS] = "word or list of shares",
    [GSCALE_PAIR] = "number or pair",
    [GSCALE_MATRIX] = "matrix",
    [GSCALE_WORDS] = "text",
    [GSCALE_ANYTHING] = "value",
};

const char *gscale_kind_name(gscale_kind k)
{
  return k < GSCALE_KIND_END ? kinds[k] : NULL;
}

/* ---- the tables --------------------------------------------------------- */

#define AT(type, member) .offset = offsetof(type, member), .length = 1
#define PHASE(member)    AT(gscale_phase, member)
#define PAIR(one, two)                                                         \
  .offset = offsetof(gscale_phase, one), .length = 2,                          \
  .second = offsetof(gscale_phase, two)
#define LIST(member, n) .offset = offsetof(gscale_phase, member), .length = (n)
#define BLOCKS(member)  AT(gscale_blocks, member)
#define FROM(value)     .least = (value), .most = INFINITY
#define SHARE           .least = 0, .most = 1

static const char *const patterns[GSCALE_PATTERN_END + 1] = {
    [GSCALE_TO_NONE] = "none",
    [GSCALE_TO_NEIGHBOURS] = "neighbours",
    [GSCALE_TO_ALL] = "all",
    [GSCALE_TO_RANDOM] = "random",
    [GSCALE_TO_PARTITION] = "partition",
    [GSCALE_TO_SUBSCRIBERS] = "subscribers",
};

const char *gscale_pattern_name(gscale_pattern p)
{
  return p < GSCALE_PATTERN_END ? patterns[p] : NULL;
}

static const char *const turns[GSCALE_TURNS_END + 1] = {
    [GSCALE_TURNS_ROTATED] = "rotated",
    [GSCALE_TURNS_SAME] = "same",
};

const char *gscale_turns_name(gscale_turns t)
{
  return t < GSCALE_TURNS_END ? turns[t] : NULL;
}

static const char *const precisions[GSCALE_PRECISION_END + 1] = {
    [GSCALE_FP32] = "fp32",
    [GSCALE_FP64] = "fp64",
    [GSCALE_FP64_TENSOR] = "fp64_tensor",
    [GSCALE_TF32] = "tf32",
    [GSCALE_FP16] = "fp16",
    [GSCALE_FP8] = "fp8",
};

const char *gscale_precision_name(gscale_precision p)
{
  return p < GSCALE_PRECISION_END ? precisions[p] : NULL;
}

gscale_param_id gscale_precision_rate(gscale_precision p)
{
  static const gscale_param_id rates[GSCALE_PRECISION_END] = {
      [GSCALE_FP32] = GSCALE_DEVICE_FLOPS,
      [GSCALE_FP64] = GSCALE_DEVICE_FLOPS_FP64,
      [GSCALE_FP64_TENSOR] = GSCALE_DEVICE_FLOPS_FP64_TENSOR,
      [GSCALE_TF32] = GSCALE_DEVICE_FLOPS_TF32,
      [GSCALE_FP16] = GSCALE_DEVICE_FLOPS_FP16,
      [GSCALE_FP8] = GSCALE_DEVICE_FLOPS_FP8,
  };

  return p < GSCALE_PRECISION_END ? rates[p] : GSCALE_PARAM_END;
}

static const char *const operations[GSCALE_REDUCTION_END + 1] = {
    [GSCALE_SUM] = "sum",
    [GSCALE_PRODUCT] = "prod",
    [GSCALE_LEAST] = "min",
    [GSCALE_MOST] = "max",
};

const char *gscale_reduction_name(gscale_reduction o)
{
  return o < GSCALE_REDUCTION_END ? operations[o] : NULL;
}

/* As gscale_coll_algorithm_name() and gscale_coll_protocol_name(). */
static const char *const algorithms[GSCALE_COLL_ALGORITHM_END + 2] = {
    "fastest", "ring", "tree", "pairwise", "direct", "in-switch",
};

static const char *const protocols[GSCALE_COLL_PROTOCOL_END + 2] = {
    "fastest",
    "LL",
    "LL128",
    "simple",
};

_Static_assert(sizeof(gscale_reduction) == sizeof(int), "a choice is an int");
static const char *const shares_of[GSCALE_PER_END + 1] = {
    [GSCALE_PER_GPU] = "gpu",
    [GSCALE_PER_FACE] = "face",
    [GSCALE_PER_SENT] = "sent",
};

_Static_assert(sizeof(gscale_per) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_precision) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_pattern) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_turns) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_topology) == sizeof(int), "a choice is an int");

/* Of gscale_packing, and of gscale_calls: doubles in this order. */
static const char *const work[] = {"kernels", "flop", "bytes", NULL};
static const gscale_dim work_dims[] = {GSCALE_COUNT, GSCALE_FLOP, GSCALE_BYTES};
static const char *const called[] = {"launches", "copies", "events", NULL};

_Static_assert(sizeof(gscale_packing) == 3 * sizeof(double), "three numbers");
_Static_assert(sizeof(gscale_calls) == 3 * sizeof(double), "three numbers");

static const gscale_field phase[] = {
    {.group = "",
     .name = "name",
     .kind = GSCALE_WORDS,
     .required = true,
     .meaning = "letters, digits, `_ . + -`",
     PHASE(name)},

    {.group = "compute",
     .name = "units",
     .key = "units",
     .kind = GSCALE_WHOLE,
     .otherwise = 1,
     FROM(1),
     .meaning = "indivisible units dealt to GPUs: rows, planes, blocks",
     PHASE(units)},
    {.group = "compute",
     .name = "flop",
     .key = "flop",
     .dim = GSCALE_FLOP,
     FROM(0),
     .meaning = "arithmetic",
     PHASE(flop)},
    {.group = "compute",
     .name = "bytes",
     .key = "bytes",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "traffic with the GPU's own memory",
     PHASE(bytes)},
    {.group = "compute",
     .name = "footprint",
     .key = "footprint",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes of all arrays it touches",
     PHASE(footprint)},
    {.group = "publish",
     .name = "to",
     .key = "to",
     .kind = GSCALE_READERS,
     .words = patterns,
     .otherwise = GSCALE_TO_NONE,
     SHARE,
     .meaning = "who needs what it publishes: `none`, `neighbours`, `all`, "
                "`random` (one other, any), `partition` (each an equal part); "
                "or `{p1, p2, ...}`: fractions that 1, 2, ... others need",
     LIST(subscribers, GSCALE_MESH_MAX)},
    {.group = "publish",
     .name = "bytes",
     .key = "publish",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes that others need; to neighbours: of a cut through the "
                "whole problem, in a line what each gets; else by all GPUs "
                "together, each once",
     PHASE(publish)},
    {.group = "reduce",
     .name = "bytes",
     .key = "reduce",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes of an array that every GPU has, and of which all need "
                "the sum",
     PHASE(reduce)},
    {.group = "store",
     .name = "size",
     .key = "store",
     .kind = GSCALE_MIXTURE,
     .dim = GSCALE_BYTES,
     .otherwise = 128,
     .meaning = "bytes of a mean peer store, after coalescing; or `{ {size, "
                "share [, \"masked\"]}, ... }`, shares of their number; masked "
                "ones leave some bytes unwritten",
     LIST(stores, GSCALE_STORES_MAX)},

    {.group = "",
     .name = "repeats",
     .advanced = true,
     .otherwise = 1,
     FROM(0),
     .open = true,
     .meaning = "times per step",
     PHASE(repeats)},
    {.group = "compute",
     .name = "serial",
     .was = "serial",
     .advanced = true,
     SHARE,
     .meaning = "fraction that every GPU repeats",
     PHASE(serial)},
    {.group = "compute",
     .name = "imbalance",
     .was = "compute_max",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "compute of the busiest GPU / mean",
     PHASE(compute_max)},
    {.group = "compute",
     .name = "precision",
     .was = "precision",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = precisions,
     .otherwise = GSCALE_FP32,
     .meaning = "what it computes in, `fp32`, `fp64`, `fp64_tensor`, `tf32`, "
                "`fp16`, `fp8`: at `device.flops`, `device.flops_fp64`, ...",
     PHASE(precision)},
    {.group = "compute",
     .name = "fixed",
     .advanced = true,
     .dim = GSCALE_TIME,
     FROM(0),
     .meaning = "device time of each GPU that does not shrink with its share",
     PHASE(fixed)},

    {.group = "reduce",
     .name = "op",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = operations,
     .otherwise = GSCALE_SUM,
     .meaning = "`sum`, `prod`, `min`, `max`: all cost the same",
     PHASE(op)},
    {.group = "collective",
     .name = "algorithm",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = algorithms,
     .meaning = "by which `nccl` moves it: `fastest`, `ring`, `tree`, "
                "`pairwise`, `direct`, `in-switch`",
     PHASE(algorithm)},
    {.group = "collective",
     .name = "protocol",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = protocols,
     .meaning = "`fastest`, `LL`, `LL128`, `simple`",
     PHASE(protocol)},
    {.group = "publish",
     .name = "read",
     .was = "read",
     .advanced = true,
     .otherwise = 1,
     SHARE,
     .meaning = "fraction of published bytes that is read",
     PHASE(read)},
    {.group = "publish",
     .name = "grid",
     .advanced = true,
     .kind = GSCALE_NUMBERS,
     .otherwise = 1,
     FROM(0),
     .meaning = "neighbours: `{p1, p2, p3}`, GPUs along 1 to 3 dimensions; 0: "
                "chosen, near a cube; not said: a line",
     LIST(grid, GSCALE_DIMS_MAX)},
    {.group = "publish",
     .name = "cut",
     .advanced = true,
     .kind = GSCALE_NUMBERS,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "neighbours: `{b1, b2, b3}`, bytes of a cut across each "
                "dimension, where they differ",
     LIST(cut, GSCALE_DIMS_MAX)},
    {.group = "publish",
     .name = "periodic",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "neighbours: the last GPU along a dimension is next to the "
                "first",
     PHASE(periodic)},
    {.group = "publish",
     .name = "imbalance",
     .advanced = true,
     .kind = GSCALE_PAIR,
     .otherwise = 1,
     FROM(1),
     .meaning = "bytes that the busiest GPU sends / mean; `{sent, received}`",
     PAIR(egress_max, ingress_max)},
    {.group = "publish",
     .name = "order",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = turns,
     .otherwise = GSCALE_TURNS_ROTATED,
     .meaning = "in which each GPU copies to, stores to or loads from the "
                "others: `rotated` (the next GPU first), `same` (all begin "
                "with GPU 0)",
     PHASE(order)},
    {.group = "publish",
     .name = "copies",
     .was = "copies",
     .advanced = true,
     .kind = GSCALE_PAIR,
     .otherwise = 1,
     FROM(1),
     .meaning = "contiguous pieces per destination; `{pieces, amplification}`, "
                "bytes that bulk copies move / bytes needed",
     PAIR(copies, over)},
    {.group = "publish",
     .name = "rewrites",
     .was = "rewrites",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "stores per byte before anyone needs it",
     PHASE(rewrites)},
    {.group = "publish",
     .name = "pack",
     .was = "extra",
     .advanced = true,
     .kind = GSCALE_NAMED,
     .words = work,
     .dims = work_dims,
     .meaning = "`{ kernels =, flop =, bytes = }`: what is computed besides "
                "where whole pieces are moved, by copies or agents: packing, "
                "sorting, adding up",
     LIST(pack, 3)},

    {.group = "store",
     .name = "spread",
     .was = "spread",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes over which the stores scatter, dealt to the GPUs "
                "evenly; 0: they come in order",
     PHASE(spread)},
    {.group = "store",
     .name = "reuse_distance",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "in order: bytes of the lines that a GPU stores to before it "
                "stores to one again; 0: all it publishes",
     PHASE(reuse)},
    {.group = "store",
     .name = "stride",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "in order: bytes from one store to the next; up to a store's "
                "size: without gaps",
     PHASE(stride)},
    {.group = "store",
     .name = "joins",
     .was = "joins",
     .advanced = true,
     .kind = GSCALE_SHARES,
     SHARE,
     .meaning = "where they scatter: fractions that lie next to an earlier "
                "store, with fewer than 16, 32, 64, 128, 256 other lines "
                "stored to in between",
     LIST(joins.share, GSCALE_JOINS)},
    {.group = "store",
     .name = "atomic",
     .was = "atomic",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "peer stores are atomic updates",
     PHASE(atomic)},

    {.group = "load",
     .name = "bytes",
     .was = "fetch",
     .advanced = true,
     .dim = GSCALE_BYTES,
     .otherwise = 128,
     FROM(0),
     .open = true,
     .meaning = "bytes that one peer load of a reader brings",
     PHASE(fetch)},
    {.group = "load",
     .name = "count",
     .was = "loads",
     .advanced = true,
     FROM(0),
     .meaning = "loads of what is published, by all readers, near or not; 0: "
                "each byte that is read once",
     PHASE(loads)},
    {.group = "load",
     .name = "prefetch",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "um-hints: pages that one other GPU reads are prefetched "
                "before each kernel, and back",
     PHASE(prefetch)},

    {.group = "blocks",
     .name = "",
     .advanced = true,
     .kind = GSCALE_GROUPS,
     .meaning = "`{ {share =, ...}, ... }`: what its thread blocks do, in the "
                "order they run, see below; none: all alike",
     LIST(group, GSCALE_BLOCKS_MAX)},
    {.group = "blocks",
     .name = "count",
     .advanced = true,
     FROM(0),
     .meaning = "thread blocks of the whole problem; 0: so many that each "
                "publishes 4 KiB",
     PHASE(blocks)},
    {.group = "blocks",
     .name = "threads",
     .advanced = true,
     .otherwise = 256,
     FROM(1),
     .meaning = "threads of a block",
     PHASE(threads)},
    {.group = "blocks",
     .name = "residents",
     .advanced = true,
     FROM(0),
     .meaning = "blocks that an SM runs at once; 0: as many as its threads "
                "allow",
     PHASE(residents)},

    {.group = "agent",
     .name = "block",
     .advanced = true,
     .otherwise = 256,
     .least = 32,
     .most = 2048,
     .meaning = "threads of each block of the agents that copy chunks",
     PHASE(agent_block)},
    {.group = "agent",
     .name = "loads",
     .advanced = true,
     .otherwise = 4,
     FROM(0),
     .open = true,
     .meaning = "16 B loads that each of their threads has in flight",
     PHASE(agent_loads)},

    {.group = "host",
     .name = "kernels",
     .was = "kernels",
     .advanced = true,
     .otherwise = 1,
     FROM(0),
     .meaning = "kernels launched per GPU; 0: it only moves data",
     PHASE(kernels)},
    {.group = "host",
     .name = "calls",
     .was = "calls",
     .advanced = true,
     .kind = GSCALE_NAMED,
     .words = called,
     .meaning = "`{ launches =, copies =, events = }`: host calls besides, per "
                "GPU; events recorded or awaited",
     LIST(calls, 3)},
};

/* A group of a phase's blocks.  `share` has no default: not said is the rest.
 */
static const gscale_field blocks[] = {
    {.group = "",
     .name = "share",
     .advanced = true,
     SHARE,
     .unsaid = "the rest",
     .meaning = "of the kernel's time; not said: what the others leave",
     BLOCKS(share)},
    {.group = "",
     .name = "per",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = shares_of,
     .otherwise = GSCALE_PER_GPU,
     .meaning =
         "what the share is of: `gpu`, a GPU's kernel; `face`, one GPU's "
         "kernel of the whole problem, for each face that they make; "
         "`sent`, the same part of a GPU's kernel as leaves it of its "
         "data",
     BLOCKS(per)},
    {.group = "",
     .name = "publishes",
     .advanced = true,
     SHARE,
     .meaning = "share of what is published that they make (of two faces 0.5 "
                "is one); no group says it: all do, evenly",
     BLOCKS(publishes)},
    {.group = "",
     .name = "scattered",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "any of them may write any of it: it is complete at their end",
     BLOCKS(scattered)},
    {.group = "",
     .name = "reads",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "they read what other GPUs made; no group says it: all do",
     BLOCKS(reads)},
    {.group = "",
     .name = "path",
     .advanced = true,
     .kind = GSCALE_PATH,
     .meaning =
         "`{ {loads [, bytes [, \"published\"]]}, ... }`: dependent loads "
         "of the longest thread, each waiting for the last; the bytes of "
         "the array in which they lie (0: all that the phase touches); "
         "remote dependent loads go to what is published",
     .offset = offsetof(gscale_blocks, path),
     .length = GSCALE_PATH_MAX},
    {.group = "",
     .name = "straggler",
     .advanced = true,
     SHARE,
     .meaning =
         "path of a block's longest thread, in the mean of all blocks, / "
         "the longest of all; 0: its threads take as long as one "
         "another",
     BLOCKS(straggler)},
    {.group = "",
     .name = "count",
     .advanced = true,
     FROM(0),
     .meaning = "blocks of the group, dealt to the GPUs; its shares are of "
                "arithmetic then, and the SM that has most blocks says how "
                "long it takes; 0, and `each` too: they fill the GPU evenly",
     BLOCKS(count)},
    {.group = "",
     .name = "each",
     .advanced = true,
     FROM(0),
     .meaning = "blocks of the group on every GPU, however many there are: "
                "more GPUs make them shorter, not fewer",
     BLOCKS(each)},
};

static const char *const orders[GSCALE_ORDER_END + 1] = {
    [GSCALE_ORDER_GPU] = "gpu",
    [GSCALE_ORDER_PHASE] = "phase",
};

const char *gscale_order_name(gscale_order o)
{
  return o < GSCALE_ORDER_END ? orders[o] : NULL;
}

static const char *const waits[GSCALE_WAITS_END + 1] = {
    [GSCALE_WAITS_PHASE] = "phase",
    [GSCALE_WAITS_STEP] = "step",
    [GSCALE_WAITS_NEVER] = "never",
};

const char *gscale_waits_name(gscale_waits w)
{
  return w < GSCALE_WAITS_END ? waits[w] : NULL;
}

_Static_assert(sizeof(gscale_order) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_waits) == sizeof(int), "a choice is an int");

static const gscale_field step[] = {
    {.group = "",
     .name = "t1",
     .was = "single",
     .dim = GSCALE_TIME,
     FROM(0),
     .meaning = "measured time of one step on one GPU; 0: from the roofline",
     AT(gscale_workload, single.val)},
    {.group = "host",
     .name = "threads",
     .was = "threads",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .least = 0,
     .most = GSCALE__GPUS_MAX,
     .meaning = "host threads that issue work; 0 or `per gpu`: one per GPU; "
                "`one`",
     AT(gscale_host, threads)},
    {.group = "host",
     .name = "processes",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "they are processes, and share no lock in the driver",
     AT(gscale_host, processes)},
    {.group = "host",
     .name = "streams",
     .was = "streams",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .otherwise = 1,
     .least = 1,
     .most = GSCALE__GPUS_MAX,
     .meaning = "streams for copies, of each GPU",
     AT(gscale_host, streams)},
    {.group = "host",
     .name = "order",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = orders,
     .meaning =
         "of a thread of several GPUs: all calls for one `gpu`, then for "
         "the next; or by `phase`: the kernels of all, then the copies",
     AT(gscale_host, order)},
    {.group = "host",
     .name = "blocking",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "one copy of a thread's GPUs is under way at a time, as with "
                "`cudaMemcpy`",
     AT(gscale_host, blocking)},
    {.group = "host",
     .name = "barriers",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .otherwise = 1,
     .least = 1,
     .most = 7,
     .meaning = "of its threads in each phase: 1 behind the wait; 2, and when "
                "the kernels have ended; 3, and when the copies are issued; 5 "
                "or 7, around both, and around the wait for one or two parts "
                "of the copies",
     AT(gscale_host, barriers)},
    {.group = "host",
     .name = "waits",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = waits,
     .meaning =
         "the host waits for each `phase`, each `step`, or `never`; what "
         "it does not wait for is ordered by events between GPUs",
     AT(gscale_host, waits)},
    {.group = "norm",
     .name = "copy",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes that each GPU copies to the host behind the last kernel "
                "of a step; 0: none",
     AT(gscale_host, norm.copy)},
    {.group = "norm",
     .name = "bytes",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "traffic of the kernel that finds them, of all GPUs",
     AT(gscale_host, norm.bytes)},
    {.group = "norm",
     .name = "flop",
     .advanced = true,
     .dim = GSCALE_FLOP,
     FROM(0),
     .meaning = "its arithmetic",
     AT(gscale_host, norm.flop)},
    {.group = "norm",
     .name = "clear",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "a memset goes before it",
     AT(gscale_host, norm.clear)},
    {.group = "norm",
     .name = "late",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "the host reads it a step late",
     AT(gscale_host, norm.late)},
};

static const gscale_field knob[] = {
    {.group = "",
     .name = "default",
     .kind = GSCALE_ANYTHING,
     .required = true,
     .meaning = "a number, with an origin if its error matters; true or false; "
                "a word"},
    {.group = "",
     .name = "unit",
     .kind = GSCALE_WORDS,
     .meaning = "`count`, `time`, `bytes`, `bytes/s`, `flop`, `flop/s`, `1/s` "
                "or `s/B`; else `count`"},
    {.group = "",
     .name = "least",
     .kind = GSCALE_ANYTHING,
     .meaning = "the smallest value allowed"},
    {.group = "",
     .name = "most",
     .kind = GSCALE_ANYTHING,
     .meaning = "the largest"},
    {.group = "",
     .name = "whole",
     .kind = GSCALE_FLAG,
     .meaning = "only whole numbers"},
    {.group = "",
     .name = "words",
     .kind = GSCALE_ANYTHING,
     .meaning = "the words that can be chosen, a list"},
    {.group = "", .name = "doc", .kind = GSCALE_WORDS, .meaning = "what it is"},
};

/* Beside the parameters of group link. */
static const gscale_field link_options[] = {
    {.group = "link",
     .name = "name",
     .kind = GSCALE_WORDS,
     .required = true,
     .meaning = "see `gpuscale list links`"},
    {.group = "link",
     .name = "payload",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "largest payload of copies; of stores if smaller",
     AT(gscale_link_options, payload)},
    {.group = "link",
     .name = "lanes",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .least = 0,
     .most = 1e6,
     .meaning = "PCIe: 1 .. 16; NVLink: links; the rate scales",
     AT(gscale_link_options, lanes)},
    {.group = "link",
     .name = "ecrc",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "PCIe: 4 B end-to-end check per packet",
     AT(gscale_link_options, ecrc)},
    {.group = "link",
     .name = "short_address",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "PCIe: 32-bit addresses, 4 B less",
     AT(gscale_link_options, short_address)},
};

static const char *const topologies[GSCALE_TOPOLOGY_END + 1] = {
    [GSCALE_SWITCH] = "switch", [GSCALE_BUS] = "bus",   [GSCALE_TREE] = "tree",
    [GSCALE_RING] = "ring",     [GSCALE_MESH] = "mesh",
};

const char *gscale_topology_name(gscale_topology t)
{
  return t < GSCALE_TOPOLOGY_END ? topologies[t] : NULL;
}

/* Groups are kinds of topology: who has it. */
#define FABRIC(member) AT(gscale_fabric, member)

static const gscale_field topology[] = {
    {.group = "",
     .name = "kind",
     .kind = GSCALE_CHOICE,
     .words = topologies,
     .required = true,
     .meaning = "`switch`, `bus` (all transfers share one resource), `tree`, "
                "`ring`, `mesh`",
     FABRIC(kind)},
    {.group = "",
     .name = "ingress",
     .advanced = true,
     .otherwise = 1,
     FROM(0),
     .open = true,
     .meaning = "rate into a GPU",
     FABRIC(ingress)},
    {.group = "tree",
     .name = "group",
     .kind = GSCALE_INTEGER,
     .otherwise = 2,
     .least = 1,
     .most = 1e6,
     .meaning = "GPUs below a switch",
     FABRIC(group)},
    {.group = "tree",
     .name = "uplink",
     .otherwise = 1,
     FROM(0),
     .open = true,
     .meaning = "rate of a switch's uplink, each way",
     FABRIC(uplink)},
    {.group = "tree",
     .name = "root",
     .advanced = true,
     .otherwise = INFINITY,
     FROM(0),
     .open = true,
     .meaning = "rate of all that passes the root",
     FABRIC(root)},
    {.group = "tree",
     .name = "split",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes to which the root cuts packets; 0: not cut",
     FABRIC(split)},
    {.group = "ring",
     .name = "arc",
     .otherwise = 0.5,
     FROM(0),
     .open = true,
     .meaning = "rate of one link, one way",
     FABRIC(arc)},
    {.group = "mesh",
     .name = "links",
     .kind = GSCALE_MATRIX,
     .required = true,
     .meaning = "n rows of n numbers of links, from row to column",
     FABRIC(mesh)},
    {.group = "mesh",
     .name = "per_link",
     .required = true,
     FROM(0),
     .open = true,
     .meaning = "rate of one link",
     FABRIC(mesh)},
    {.group = "mesh",
     .name = "staged",
     .advanced = true,
     FROM(0),
     .meaning = "rate between GPUs without a link, through the host; 0: "
                "relayed by the neighbours both have",
     FABRIC(staged)},
};

#define TABLE(name, what)                                                      \
  {                                                                            \
    name, what, sizeof(what) / sizeof *(what)                                  \
  }

static const struct {
  const char *name;
  const gscale_field *row;
  size_t n;
} tables[GSCALE_DESCRIBED_END] = {
    [GSCALE_OF_PHASE] = TABLE("phase", phase),
    [GSCALE_OF_BLOCKS] = TABLE("blocks", blocks),
    [GSCALE_OF_STEP] = TABLE("step", step),
    [GSCALE_OF_KNOB] = TABLE("knob", knob),
    [GSCALE_OF_LINK] = TABLE("link", link_options),
    [GSCALE_OF_TOPOLOGY] = TABLE("topology", topology),
    [GSCALE_OF_REMOTE] = {"remote", gscale__remote_rows, GSCALE__REMOTE_ROWS},
    [GSCALE_OF_POWER] = {"power", gscale__power_rows, GSCALE__POWER_ROWS},
};

/* ---- names -------------------------------------------------------------- */

const char *gscale_described_name(gscale_described d)
{
  return d < GSCALE_DESCRIBED_END ? tables[d].name : NULL;
}

const gscale_field *gscale_field_at(gscale_described d, size_t i)
{
  return d < GSCALE_DESCRIBED_END && i < tables[d].n ? &tables[d].row[i] : NULL;
}

void gscale_field_path(const gscale_field *f, char *text, size_t size)
{
  const bool both = *f->group && *f->name;

  snprintf(text, size, "%s%s%s", f->group, both ? "." : "", f->name);
}

/* Fields of phases that are gone. */
static const struct {
  const char *path, *name; /* and without its group, as it once stood */
  const char *now;
} replaced[] = {
    {"blocks.ready", "ready", "blocks = { {share =, publishes =}, ... }"},
    {"blocks.boundary", "boundary",
     "blocks = { {share =, per = \"face\", publishes =}, ... }"},
    {"blocks.boundary_first", "apart",
     "blocks = { {share = 1, per = \"sent\", publishes = 1, reads = true}, {} "
     "}"},
    {"blocks.dependent_loads", "chain", "blocks = { {path = { {loads} }} }"},
    {"blocks.remote_dependent_loads", "far",
     "blocks = { {path = { {loads, bytes, \"published\"} }} }"},
    {"blocks.gathered", "gather", "blocks = { {path = { {loads, bytes} }} }"},
    {"blocks.straggler", "stay", "blocks = { {straggler =} }, a share of path"},
    {"blocks.bytes", "block", "blocks.count, thread blocks"},
    {"publish.subscribers", "subscribers", "to = {p1, p2, ...}"},
    {"publish.egress_imbalance", "egress_max", "publish.imbalance"},
    {"publish.ingress_imbalance", "ingress_max",
     "publish.imbalance = {sent, received}"},
    {"publish.amplification", "over",
     "publish.copies = {pieces, amplification}"},
    {"store.masked", "masked", "store.size = { {size, 1, \"masked\"} }"},
    {"store.sizes", "stores", "store.size = { {size, share}, ... }"},
    {"host.launch_calls", "host.launch_calls", "host.calls = { launches = }"},
    {"host.copy_calls", "host.copy_calls", "host.calls = { copies = }"},
    {"host.event_calls", "host.event_calls", "host.calls = { events = }"},
};

const char *gscale_field_replaced(gscale_described d, const char *name)
{
  for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
    if (d == GSCALE_OF_PHASE && (strcmp(replaced[i].path, name) == 0 ||
                                 strcmp(replaced[i].name, name) == 0))
      return replaced[i].now;
  return NULL;
}

const gscale_field *gscale_field_find(gscale_described d, const char *name)
{
  const gscale_field *f;

  for (size_t i = 0; (f = gscale_field_at(d, i)) != NULL; i++) {
    char path[GSCALE_NAME_MAX];

    gscale_field_path(f, path, sizeof path);
    if (strcmp(path, name) == 0 || (f->key && strcmp(f->key, name) == 0))
      return f;
  }
  return NULL;
}

size_t gscale_field_words(const gscale_field *f)
{
  size_t n = 0;

  while (f->words && f->words[n]) n++;
  return n;
}

/* ---- values ------------------------------------------------------------- */

size_t gscale_field_numbers(const gscale_field *f)
{
  const gscale_field *row;
  size_t each = 0;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    return 1;
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
  case GSCALE_READERS:
  case GSCALE_PAIR:
  case GSCALE_NAMED:
    return f->length;
  case GSCALE_MIXTURE:
  case GSCALE_PATH:
    return 2 * f->length;
  case GSCALE_GROUPS:
    for (size_t i = 0; (row = gscale_field_at(GSCALE_OF_BLOCKS, i)); i++)
      each += gscale_field_numbers(row);
    return each * f->length;
  default:
    return 0;
  }
}

const gscale_field *gscale_field_inside(const gscale_field *f, size_t i,
                                        size_t *group, size_t *number)
{
  const size_t each = gscale_field_numbers(f) / f->length;
  const gscale_field *row = gscale_field_at(GSCALE_OF_BLOCKS, 0);

  *group = i / each;
  *number = i % each;
  for (size_t k = 0; *number >= gscale_field_numbers(row);
       row = gscale_field_at(GSCALE_OF_BLOCKS, ++k))
    *number -= gscale_field_numbers(row);
  return row;
}

static double *number_of_group(const gscale_field *f, gscale_blocks *b,
                               size_t i)
{
  size_t group, number;
  const gscale_field *row = gscale_field_inside(f, i, &group, &number);

  return gscale_field_number(row, &b[group], number);
}

double *gscale_field_number(const gscale_field *f, void *of, size_t i)
{
  char *const at = (char *)of + f->offset;

  if (i >= gscale_field_numbers(f)) return NULL;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
  case GSCALE_READERS:
  case GSCALE_NAMED:
    return (double *)(void *)at + i;
  case GSCALE_PAIR:
    return (double *)(void *)(i ? (char *)of + f->second : at);
  case GSCALE_MIXTURE: {
    gscale_stores *s = (gscale_stores *)(void *)at;
    return i < f->length ? &s->size[i] : &s->share[i - f->length];
  }
  case GSCALE_PATH: {
    gscale_loads *p = (gscale_loads *)(void *)at;
    return i < f->length ? &p[i].loads : &p[i - f->length].bytes;
  }
  case GSCALE_GROUPS:
    return number_of_group(f, (gscale_blocks *)(void *)at, i);
  default:
    return NULL;
  }
}

/* ---- domains ------------------------------------------------------------ */

static const double ROUNDING = 1e-9; /* of sums that must be 1 */

/* "store" rather than "store.size" where it may be written so. */
static void label_of(const gscale_field *f, char *text, size_t size)
{
  if (f->key)
    snprintf(text, size, "%s", f->key);
  else
    gscale_field_path(f, text, size);
}

static gscale_status check_number(const gscale_field *f, double v,
                                  const char *whose, const char *label,
                                  gscale_diag *diag)
{
  const bool low = f->open ? !(v > f->least) : !(v >= f->least);

  if (low || !(v <= f->most) || !isfinite(v))
    return isfinite(f->most)
               ? gscale__fail(diag, GSCALE_EDOMAIN,
                              "%s: %s: %g is not %s %g and <= %g", whose, label,
                              v, f->open ? ">" : ">=", f->least, f->most)
               : gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: %g is not %s %g",
                              whose, label, v, f->open ? ">" : ">=", f->least);
  if (f->kind == GSCALE_WHOLE && floor(v) != v)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: %g is not whole", whose,
                        label, v);
  return GSCALE_OK;
}

static gscale_status check_numbers(const gscale_field *f, const double *v,
                                   const char *whose, const char *label,
                                   gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < f->length; i++)
    st = check_number(f, v[i], whose, label, diag);
  return st;
}

static gscale_status check_shares(const gscale_field *f, const double *share,
                                  const char *whose, const char *label,
                                  gscale_diag *diag)
{
  double sum = 0.0;

  for (size_t i = 0; i < f->length; i++) {
    if (!(share[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: share %g of class %zu",
                          whose, label, share[i], i + 1);
    sum += share[i];
  }
  if (sum > 1.0 + ROUNDING)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: shares add up to %g, more than 1", whose,
                        label, sum);
  return GSCALE_OK;
}

static gscale_status check_mixture(const gscale_stores *s, const char *whose,
                                   const char *label, gscale_diag *diag)
{
  double sum = 0.0;

  if (s->n < 1 || s->n > GSCALE_STORES_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: not 1 to %d kinds",
                        whose, label, (int)GSCALE_STORES_MAX);
  for (size_t i = 0; i < s->n; i++) {
    if (!(s->size[i] > 0.0) || !isfinite(s->size[i]) || !(s->share[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: size %g B, share %g",
                          whose, label, s->size[i], s->share[i]);
    sum += s->share[i];
  }
  if (!(fabs(sum - 1.0) < ROUNDING))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: shares add up to %g, not 1", whose, label,
                        sum);
  return GSCALE_OK;
}

static gscale_status check_path(const gscale_blocks *b, const char *whose,
                                gscale_diag *diag)
{
  if (b->kinds > GSCALE_PATH_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: path: more than %d kinds",
                        whose, (int)GSCALE_PATH_MAX);
  for (size_t i = 0; i < b->kinds; i++)
    if (!(b->path[i].loads >= 0.0) || !(b->path[i].bytes >= 0.0) ||
        !isfinite(b->path[i].loads + b->path[i].bytes))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: path: %g loads in %g B",
                          whose, b->path[i].loads, b->path[i].bytes);
  return GSCALE_OK;
}

/* One group of a phase's blocks by its rows. */
static gscale_status check_group(const gscale_blocks *b, const char *whose,
                                 gscale_diag *diag)
{
  const gscale_field *f;

  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_BLOCKS, i)) != NULL; i++) {
    const gscale_status st = gscale_field_check(f, b, whose, diag);
    if (st != GSCALE_OK) return st;
  }
  if (b->per == GSCALE_PER_FACE && !(b->publishes > 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: per = \"face\", and makes none: needs publishes",
                        whose);
  if (b->rest && b->per != GSCALE_PER_GPU)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: per = \"%s\": needs share",
                        whose, shares_of[b->per]);
  return GSCALE_OK;
}

/* How many there are is the phase's.  What they share out adds up. */
static gscale_status check_groups(const gscale_phase *p, gscale_diag *diag)
{
  double share = 0.0, publishes = 0.0;
  size_t rests = 0, changing = 0;

  if (p->groups > GSCALE_BLOCKS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: blocks: more than %d",
                        p->name, (int)GSCALE_BLOCKS_MAX);
  for (size_t i = 0; i < p->groups; i++) {
    const gscale_blocks *b = &p->group[i];
    char whose[GSCALE_NAME_MAX + 32];

    snprintf(whose, sizeof whose, "%s: blocks[%zu]", p->name, i + 1);
    const gscale_status st = check_group(b, whose, diag);
    if (st != GSCALE_OK) return st;
    rests += b->rest;
    changing += b->per != GSCALE_PER_GPU;
    if (!b->rest && b->per == GSCALE_PER_GPU) share += b->share;
    publishes += b->publishes;
  }
  if (p->groups == 0) return GSCALE_OK;
  if (rests > 1 || (changing > 0 && rests == 0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: blocks: %zu groups without share: needs one",
                        p->name, rests);
  if (share > 1.0 + ROUNDING || (rests == 0 && share < 1.0 - ROUNDING))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: blocks: shares add up to %g, not 1", p->name,
                        share);
  if (publishes > 0.0 && fabs(publishes - 1.0) > ROUNDING)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: blocks: publish %g of it all, not 1", p->name,
                        publishes);
  return GSCALE_OK;
}

static gscale_status check_named(const gscale_field *f, const double *v,
                                 const char *whose, const char *label,
                                 gscale_diag *diag)
{
  for (size_t i = 0; i < f->length; i++)
    if (!(v[i] >= 0.0) || !isfinite(v[i]))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s.%s: %g is not >= 0",
                          whose, label, f->words[i], v[i]);
  return GSCALE_OK;
}

static gscale_status check_pair(const gscale_field *f, const void *of,
                                const char *whose, const char *label,
                                gscale_diag *diag)
{
  const double *one = (const void *)((const char *)of + f->offset);
  const double *two = (const void *)((const char *)of + f->second);
  const gscale_status st = check_number(f, *one, whose, label, diag);

  return st == GSCALE_OK ? check_number(f, *two, whose, label, diag) : st;
}

static gscale_status check_readers(const gscale_phase *p, const gscale_field *f,
                                   const char *label, gscale_diag *diag)
{
  const gscale_status st =
      check_shares(f, p->subscribers, p->name, label, diag);
  double sum = 0.0;

  if (st != GSCALE_OK) return st;
  if (p->to >= GSCALE_PATTERN_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: no such choice", p->name,
                        label);
  for (size_t i = 0; i < f->length; i++) sum += p->subscribers[i];
  if (p->to == GSCALE_TO_SUBSCRIBERS && !(sum > 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: no subscribers: needs {p1, p2, ...}", p->name,
                        label);
  return GSCALE_OK;
}

gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag)
{
  const void *const at = (const char *)of + f->offset;
  char label[GSCALE_NAME_MAX];

  label_of(f, label, sizeof label);
  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    return check_number(f, *(const double *)at, whose, label, diag);
  case GSCALE_INTEGER:
    return check_number(f, *(const int *)at, whose, label, diag);
  case GSCALE_CHOICE:
    if (*(const unsigned *)at < gscale_field_words(f)) return GSCALE_OK;
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: no such choice", whose,
                        label);
  case GSCALE_NUMBERS:
    return check_numbers(f, at, whose, label, diag);
  case GSCALE_SHARES:
    return check_shares(f, at, whose, label, diag);
  case GSCALE_MIXTURE:
    return check_mixture(at, whose, label, diag);
  case GSCALE_GROUPS:
    return check_groups(of, diag);
  case GSCALE_PATH:
    return check_path(of, whose, diag);
  case GSCALE_NAMED:
    return check_named(f, at, whose, label, diag);
  case GSCALE_PAIR:
    return check_pair(f, of, whose, label, diag);
  case GSCALE_READERS:
    return check_readers(of, f, label, diag);
  default:
    return GSCALE_OK;
  }
}

/* ---- defaults ----------------------------------------------------------- */

static void put_default(const gscale_field *f, void *of)
{
  void *const at = (char *)of + f->offset;
  gscale_stores *s = at;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    *(double *)at = f->otherwise;
    break;
  case GSCALE_NUMBERS:
    for (size_t i = 0; i < f->length; i++) ((double *)at)[i] = f->otherwise;
    break;
  case GSCALE_INTEGER:
    *(int *)at = (int)f->otherwise;
    break;
  case GSCALE_CHOICE:
    *(unsigned *)at = (unsigned)f->otherwise;
    break;
  case GSCALE_PAIR:
    *gscale_field_number(f, of, 0) = f->otherwise;
    *gscale_field_number(f, of, 1) = f->otherwise;
    break;
  case GSCALE_MIXTURE:
    s->n = 1;
    s->size[0] = f->otherwise;
    s->share[0] = 1.0;
    break;
  default: /* none, no, 0 */
    break;
  }
}

void gscale_phase_init(gscale_phase *p, const char *name)
{
  const gscale_field *f;

  memset(p, 0, sizeof *p);
  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_PHASE, i)) != NULL; i++)
    put_default(f, p);
  p->grid[0] = 0.0; /* a line of as many as there are */
  p->origin = GSCALE_DERIVED;
  gscale__copy_text(p->name, sizeof p->name, name);
}

void gscale_blocks_init(gscale_blocks *b)
{
  const gscale_field *f;

  memset(b, 0, sizeof *b);
  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_BLOCKS, i)) != NULL; i++)
    put_default(f, b);
  b->rest = true;
}

void gscale_fabric_init(gscale_fabric *fabric, gscale_topology kind)
{
  const gscale_field *f;

  memset(fabric, 0, sizeof *fabric);
  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_TOPOLOGY, i)) != NULL; i++)
    put_default(f, fabric);
  fabric->kind = kind;
}
