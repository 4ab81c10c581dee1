/* rows_phase.c - fields of a phase, one per row. */

#include "describe/described.h"

#include <math.h>
#include <stddef.h>

#define AT(type, member) .offset = offsetof(type, member), .length = 1
#define PHASE(member)    AT(gscale_phase, member)
#define PAIR(one, two)                                                         \
  .offset = offsetof(gscale_phase, one), .length = 2,                          \
  .second = offsetof(gscale_phase, two)
#define LIST(member, n) .offset = offsetof(gscale_phase, member), .length = (n)
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

static const char *const owners[GSCALE_CHUNK_OF_END + 1] = {
    [GSCALE_CHUNK_OF_GRID] = "grid",
    [GSCALE_CHUNK_OF_BLOCK] = "block",
};
static const char *const turns[GSCALE_TURNS_END + 1] = {
    [GSCALE_TURNS_ROTATED] = "rotated",
    [GSCALE_TURNS_SAME] = "same",
};

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

_Static_assert(sizeof(gscale_precision) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_pattern) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_turns) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_topology) == sizeof(int), "a choice is an int");

/* ---- records ------------------------------------------------------------- */

#define RECORD(rows)                                                           \
  .kind = GSCALE_PARTS, .part = (rows), .parts = sizeof(rows) / sizeof *(rows)

static const gscale_field grid[] = {
    {.group = "grid",
     .name = "gpus",
     .advanced = true,
     .kind = GSCALE_NUMBERS,
     .otherwise = 1,
     FROM(0),
     .meaning = "`{p1, p2, p3}`, GPUs along 1 to 3 dimensions; 0: chosen, near "
                "a cube; default: a line",
     LIST(grid, GSCALE_DIMS_MAX)},
    {.group = "grid",
     .name = "cut",
     .advanced = true,
     .kind = GSCALE_NUMBERS,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning =
         "`{b1, b2, b3}`, bytes of a cut across each dimension, if they differ",
     LIST(cut, GSCALE_DIMS_MAX)},
    {.group = "grid",
     .name = "periodic",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "the last GPU along a dimension is a neighbour of the first",
     PHASE(periodic)},
};

static const gscale_field pack[] = {
    {.group = "publish.pack",
     .name = "kernels",
     .advanced = true,
     FROM(0),
     .meaning = "kernels launched for packing, per GPU",
     PHASE(pack.kernels)},
    {.group = "publish.pack",
     .name = "flop",
     .advanced = true,
     .dim = GSCALE_FLOP,
     FROM(0),
     .meaning = "arithmetic of packing",
     PHASE(pack.flop)},
    {.group = "publish.pack",
     .name = "bytes",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "traffic of packing with the GPU's own memory",
     PHASE(pack.bytes)},
};

static const gscale_field locality[] = {
    {.group = "store.locality",
     .name = "spread",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes over which stores scatter, evenly distributed to the "
                "GPUs; 0: stores are in order",
     PHASE(spread)},
    {.group = "store.locality",
     .name = "reuse_distance",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "stores in order: bytes of the lines that a GPU stores to "
                "before it stores to one again; 0: all it publishes",
     PHASE(reuse)},
    {.group = "store.locality",
     .name = "near",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning =
         "part of `publish.rewrites` that hardware merges, because the stores "
         "are close (`gpuscale replay`: rewrites of plain / of finepack)",
     PHASE(near)},
    {.group = "store.locality",
     .name = "stride",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "stores in order: bytes from one store to the next; up to the "
                "size of a store: no gaps",
     PHASE(stride)},
    {.group = "store.locality",
     .name = "joins",
     .advanced = true,
     .kind = GSCALE_SHARES,
     SHARE,
     .meaning =
         "scattered stores: fractions adjacent to an earlier store, with fewer "
         "than 16, 32, 64, 128, 256 other lines stored to in between",
     LIST(joins.share, GSCALE_JOINS)},
};

static const gscale_field load[] = {
    {.group = "load",
     .name = "bytes",
     .advanced = true,
     .dim = GSCALE_BYTES,
     .otherwise = 128,
     FROM(0),
     .open = true,
     .meaning = "bytes of one load",
     PHASE(fetch)},
    {.group = "load",
     .name = "count",
     .advanced = true,
     FROM(0),
     .meaning = "loads of published data by all readers, local or remote; 0: "
                "each byte that is read once",
     PHASE(loads)},
    {.group = "load",
     .name = "prefetch",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "managed pages that one other GPU reads are prefetched before "
                "each kernel, and back after it",
     PHASE(prefetch)},
    {.group = "load",
     .name = "gathered",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes, besides `bytes` of the phase, read in whole sectors at "
                "random places of an array that each GPU holds whole, at the "
                "bandwidth of that array's size",
     PHASE(gathered.bytes)},
    {.group = "load",
     .name = "array",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes of the array of `gathered`",
     PHASE(gathered.array)},
    {.group = "load",
     .name = "readers",
     .advanced = true,
     FROM(0),
     .meaning =
         "with to = `{p}`: mean number of other GPUs that need a byte; 0: one",
     PHASE(readers)},
};

static const gscale_field agent[] = {
    {.group = "agent",
     .name = "block",
     .advanced = true,
     .otherwise = 256,
     .least = 32,
     .most = 2048,
     .meaning = "threads of each block of an agent",
     PHASE(agent_block)},
    {.group = "agent",
     .name = "loads",
     .advanced = true,
     .otherwise = 4,
     FROM(0),
     .open = true,
     .meaning = "16 B loads in flight per thread of an agent",
     PHASE(agent_loads)},
    {.group = "agent",
     .name = "blocks",
     .advanced = true,
     FROM(0),
     .meaning = "blocks of an agent; 0: as many as its threads (width) fill",
     PHASE(agent_blocks)},
    {.group = "agent",
     .name = "chunk_of",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = owners,
     .otherwise = GSCALE_CHUNK_OF_BLOCK,
     .meaning = "who copies a chunk: all blocks together, one chunk after the "
                "other (`grid`), or one block each, side by side (`block`)",
     PHASE(agent_of)},
};

static const gscale_field host[] = {
    {.group = "host",
     .name = "kernels",
     .advanced = true,
     .otherwise = 1,
     FROM(0),
     .meaning = "kernels launched per GPU; 0: the phase only moves data",
     PHASE(kernels)},
    {.group = "host",
     .name = "launches",
     .advanced = true,
     FROM(0),
     .meaning = "additional launches per GPU",
     PHASE(calls.launches)},
    {.group = "host",
     .name = "copies",
     .advanced = true,
     FROM(0),
     .meaning = "additional copies per GPU",
     PHASE(calls.copies)},
    {.group = "host",
     .name = "events",
     .advanced = true,
     FROM(0),
     .meaning = "additional events recorded or awaited per GPU",
     PHASE(calls.events)},
};

/* ---- phases -------------------------------------------------------------- */

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
     .meaning = "indivisible units distributed to GPUs: rows, planes, blocks",
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
     .meaning = "bytes of all arrays that the phase touches",
     PHASE(footprint)},
    {.group = "publish",
     .name = "to",
     .key = "to",
     .kind = GSCALE_READERS,
     .words = patterns,
     .otherwise = GSCALE_TO_NONE,
     SHARE,
     .meaning =
         "readers of the published data: `none`, `neighbours`, `all`, `random` "
         "(any one other GPU), `partition` (an equal part each); or `{p1, p2, "
         "...}`: fractions that 1, 2, ... other GPUs need",
     LIST(subscribers, GSCALE_MESH_MAX)},
    {.group = "publish",
     .name = "bytes",
     .key = "publish",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes that other GPUs need; `neighbours`: size of a cut "
                "through the whole problem, in a line what each neighbour "
                "gets; else: sum over GPUs, each byte once",
     PHASE(publish)},
    {.group = "reduce",
     .name = "bytes",
     .key = "reduce",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes of an array on every GPU, whose sum all GPUs need",
     PHASE(reduce)},
    {.group = "store",
     .name = "size",
     .key = "store",
     .kind = GSCALE_MIXTURE,
     .dim = GSCALE_BYTES,
     .otherwise = 128,
     .meaning = "mean bytes of a peer store after coalescing; or `{ {size, "
                "share [, \"partial\"]}, ... }`, shares of the number of "
                "stores; partial writes leave some bytes of a unit unwritten",
     LIST(stores, GSCALE_STORES_MAX)},

    {.group = "",
     .name = "repeats",
     .advanced = true,
     .otherwise = 1,
     FROM(0),
     .open = true,
     .meaning = "repetitions per step",
     PHASE(repeats)},
    {.group = "compute",
     .name = "serial",
     .advanced = true,
     SHARE,
     .meaning = "fraction of the work that every GPU repeats",
     PHASE(serial)},
    {.group = "compute",
     .name = "imbalance",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "compute of the busiest GPU / mean",
     PHASE(compute_max)},
    {.group = "compute",
     .name = "precision",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = precisions,
     .otherwise = GSCALE_FP32,
     .meaning = "precision, `fp32`, `fp64`, `fp64_tensor`, `tf32`, `fp16`, "
                "`fp8`: at `device.flops`, `device.flops_fp64`, ...",
     PHASE(precision)},
    {.group = "compute",
     .name = "fixed",
     .advanced = true,
     .dim = GSCALE_TIME,
     FROM(0),
     .meaning = "device time of each GPU that does not shrink with its share",
     PHASE(fixed)},

    {.group = "publish",
     .name = "read",
     .advanced = true,
     .otherwise = 1,
     SHARE,
     .meaning = "fraction of the published bytes that is read",
     PHASE(read)},
    {.group = "",
     .name = "grid",
     .advanced = true,
     RECORD(grid),
     .meaning = "`{ gpus =, cut =, periodic = }`: arrangement of neighbours; "
                "default: a line"},
    {.group = "publish",
     .name = "imbalance",
     .advanced = true,
     .kind = GSCALE_PAIR,
     .otherwise = 1,
     FROM(1),
     .meaning = "bytes sent by the busiest GPU / mean; or `{sent, received}`",
     PAIR(egress_max, ingress_max)},
    {.group = "publish",
     .name = "order",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = turns,
     .otherwise = GSCALE_TURNS_ROTATED,
     .meaning = "order in which each GPU accesses the others: `rotated` (from "
                "the next GPU on), `same` (from GPU 0 on)",
     PHASE(order)},
    {.group = "publish",
     .name = "copies",
     .advanced = true,
     .kind = GSCALE_PAIR,
     .otherwise = 1,
     FROM(1),
     .meaning = "contiguous pieces per destination; or `{pieces, "
                "amplification}`, bytes moved by bulk copies / bytes needed",
     PAIR(copies, over)},
    {.group = "publish",
     .name = "rewrites",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "stores per byte before another GPU needs it",
     PHASE(rewrites)},
    {.group = "publish",
     .name = "pack",
     .advanced = true,
     RECORD(pack),
     .meaning = "`{ kernels =, flop =, bytes = }`: packing, sorting or summing "
                "by paradigms that move whole pieces (copies, agents)"},

    {.group = "store",
     .name = "locality",
     .advanced = true,
     RECORD(locality),
     .meaning =
         "`{ spread =, joins = }` or `{ reuse_distance =, stride = }`: "
         "locality of consecutive stores, for hardware that combines stores"},
    {.group = "store",
     .name = "atomic",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "peer stores are atomic updates",
     PHASE(atomic)},

    {.group = "",
     .name = "load",
     .advanced = true,
     RECORD(load),
     .meaning = "`{ bytes =, count =, readers =, prefetch = }`: loads by "
                "readers from other GPUs; `{ gathered =, array = }`: loads "
                "from an array of the same GPU"},

    {.group = "blocks",
     .name = "",
     .advanced = true,
     .kind = GSCALE_GROUPS,
     .meaning =
         "`{ {share =, ...}, ... }`: groups of thread blocks in the order in "
         "which they run, see below; none: all blocks are alike",
     LIST(group, GSCALE_BLOCKS_MAX)},
    {.group = "blocks",
     .name = "count",
     .advanced = true,
     FROM(0),
     .meaning =
         "thread blocks of the whole problem; 0: one per 4 KiB published",
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
     .kind = GSCALE_PAIR,
     FROM(0),
     .meaning = "blocks that an SM runs at once, 0: as many as its threads "
                "allow; or `{blocks, beside...}`, time beside collectives on "
                "2, 4, 8, 16, 32 SMs / time alone, 0: by waves of blocks",
     .offset = offsetof(gscale_phase, residents),
     .length = 1 + GSCALE_BESIDE_MAX,
     .second = offsetof(gscale_phase, beside)},

    {.group = "",
     .name = "agent",
     .advanced = true,
     RECORD(agent),
     .meaning = "`{ block =, loads =, blocks =, chunk_of = }`: code of the "
                "agents that copy chunks"},

    {.group = "",
     .name = "host",
     .advanced = true,
     RECORD(host),
     .meaning =
         "`{ kernels =, launches =, copies =, events = }`: host calls per GPU"},
};

const gscale__rows gscale__phase_rows = {phase, LENGTH(phase)};

/* SPDX-License-Identifier: GPL-3.0-or-later */
