/* fields.c - what a phase, a step, a knob, a link and a topology can say: a row
 * for each field, from which everything else about it follows. */

#include "internal.h"
#include "object.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[GSCALE_KIND_END] = {
    [GSCALE_NUMBER] = "number",   [GSCALE_WHOLE] = "whole number",
    [GSCALE_INTEGER] = "count",   [GSCALE_FLAG] = "yes or no",
    [GSCALE_CHOICE] = "word",     [GSCALE_SHARES] = "list of shares",
    [GSCALE_MIXTURE] = "mixture", [GSCALE_STEPS] = "profile",
    [GSCALE_PACKING] = "packing", [GSCALE_MATRIX] = "matrix",
    [GSCALE_WORDS] = "text",      [GSCALE_ANYTHING] = "value",
};

const char *gscale_kind_name(gscale_kind k)
{
  return k < GSCALE_KIND_END ? kinds[k] : NULL;
}

/* ---- the tables --------------------------------------------------------- */

#define AT(type, member) .offset = offsetof(type, member), .length = 1
#define PHASE(member)    AT(gscale_phase, member)
#define LIST(member, n)  .offset = offsetof(gscale_phase, member), .length = (n)
#define FROM(value)      .least = (value), .most = INFINITY
#define SHARE            .least = 0, .most = 1

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
_Static_assert(sizeof(gscale_topology) == sizeof(int), "a choice is an int");

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
     .kind = GSCALE_CHOICE,
     .words = patterns,
     .otherwise = GSCALE_TO_NONE,
     .meaning = "who needs what it publishes: `none`, `neighbours`, `all`, "
                "`random` (one other, any), `partition` (each an equal part), "
                "`subscribers`",
     PHASE(to)},
    {.group = "publish",
     .name = "bytes",
     .key = "publish",
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes that others need; to neighbours: to each; else by all "
                "GPUs together, each once",
     PHASE(publish)},
    {.group = "store",
     .name = "size",
     .key = "store",
     .dim = GSCALE_BYTES,
     .otherwise = 128,
     FROM(0),
     .open = true,
     .meaning = "bytes of a mean peer store, after coalescing",
     PHASE(stores.size[0])},

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

    {.group = "publish",
     .name = "read",
     .was = "read",
     .advanced = true,
     .otherwise = 1,
     SHARE,
     .meaning = "fraction of published bytes that is read",
     PHASE(read)},
    {.group = "publish",
     .name = "subscribers",
     .was = "subscribers",
     .advanced = true,
     .kind = GSCALE_SHARES,
     SHARE,
     .meaning = "`{p1, p2, ...}`: fractions that 1, 2, ... others need; needed "
                "for `to = \"subscribers\"`",
     LIST(subscribers, GSCALE_MESH_MAX)},
    {.group = "publish",
     .name = "egress_imbalance",
     .was = "egress_max",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "bytes the busiest GPU sends / mean",
     PHASE(egress_max)},
    {.group = "publish",
     .name = "ingress_imbalance",
     .was = "ingress_max",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "bytes the busiest GPU gets / mean",
     PHASE(ingress_max)},
    {.group = "publish",
     .name = "copies",
     .was = "copies",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "contiguous pieces per destination",
     PHASE(copies)},
    {.group = "publish",
     .name = "amplification",
     .was = "over",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "bytes that bulk copies move / bytes needed",
     PHASE(over)},
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
     .kind = GSCALE_PACKING,
     .meaning =
         "`{ memcpy = {kernels=, flop=, bytes=}, ... }`: what a paradigm "
         "computes besides: packing, sorting, adding up",
     LIST(extra, GSCALE_EXTRAS_MAX)},

    {.group = "store",
     .name = "masked",
     .was = "masked",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "such stores leave some bytes unwritten",
     PHASE(stores.masked[0])},
    {.group = "store",
     .name = "sizes",
     .was = "stores",
     .advanced = true,
     .kind = GSCALE_MIXTURE,
     .meaning = "instead of both: `{ {size, share [, \"masked\"]}, ... }`, "
                "shares of their number",
     LIST(stores, GSCALE_STORES_MAX)},
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

    {.group = "blocks",
     .name = "bytes",
     .was = "block",
     .advanced = true,
     .dim = GSCALE_BYTES,
     .otherwise = 4096,
     FROM(0),
     .open = true,
     .meaning = "bytes published by one thread block",
     PHASE(block)},
    {.group = "blocks",
     .name = "ready",
     .was = "ready",
     .advanced = true,
     .kind = GSCALE_STEPS,
     .meaning = "`{ {time, data}, ... }`: when published data is ready, shares "
                "of the kernel and of the data, from 0,0 to 1,1",
     LIST(ready, GSCALE_PROFILE_MAX)},
    {.group = "blocks",
     .name = "boundary",
     .was = "boundary",
     .advanced = true,
     SHARE,
     .meaning = "neighbours: fraction of one GPU's compute for one face",
     PHASE(boundary)},
    {.group = "blocks",
     .name = "boundary_first",
     .was = "apart",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "blocks that make what leaves a GPU, or read what others made, "
                "are others than the rest, and come first",
     PHASE(apart)},
    {.group = "blocks",
     .name = "dependent_loads",
     .was = "chain",
     .advanced = true,
     FROM(0),
     .meaning = "memory accesses, each waiting for the last, of the longest "
                "thread",
     PHASE(chain)},
    {.group = "blocks",
     .name = "remote_dependent_loads",
     .was = "far",
     .advanced = true,
     FROM(0),
     .meaning = "of those, accesses to what is published",
     PHASE(far)},
    {.group = "blocks",
     .name = "gathered",
     .was = "gather",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes of the array in which these lie; 0: all that the phase "
                "touches",
     PHASE(gather)},
    {.group = "blocks",
     .name = "straggler",
     .was = "stay",
     .advanced = true,
     FROM(0),
     .meaning = "dependent loads of a block's longest thread, in the mean of "
                "all blocks; 0: all threads take as long",
     PHASE(stay)},

    {.group = "host",
     .name = "kernels",
     .was = "kernels",
     .advanced = true,
     .otherwise = 1,
     FROM(1),
     .meaning = "kernels launched per GPU",
     PHASE(kernels)},
    {.group = "host",
     .name = "launch_calls",
     .was = "calls",
     .advanced = true,
     FROM(0),
     .meaning = "launches besides, per GPU",
     PHASE(calls.launches)},
    {.group = "host",
     .name = "copy_calls",
     .advanced = true,
     FROM(0),
     .meaning = "copies besides, per GPU",
     PHASE(calls.copies)},
    {.group = "host",
     .name = "event_calls",
     .advanced = true,
     FROM(0),
     .meaning = "events recorded or awaited besides, per GPU",
     PHASE(calls.events)},
};

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
     .meaning = "host threads that issue work; 0: one per GPU",
     AT(gscale_workload, threads)},
    {.group = "host",
     .name = "streams",
     .was = "streams",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .otherwise = 1,
     .least = 1,
     .most = GSCALE__GPUS_MAX,
     .meaning = "streams for copies, of each host thread and GPU",
     AT(gscale_workload, streams)},
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
    [GSCALE_OF_STEP] = TABLE("step", step),
    [GSCALE_OF_KNOB] = TABLE("knob", knob),
    [GSCALE_OF_LINK] = TABLE("link", link_options),
    [GSCALE_OF_TOPOLOGY] = TABLE("topology", topology),
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
  snprintf(text, size, "%s%s%s", f->group, *f->group ? "." : "", f->name);
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

static double *number_of_extra(gscale_extra *e, size_t which)
{
  return which == 0 ? &e->kernels : which == 1 ? &e->flop : &e->bytes;
}

double *gscale_field_number(const gscale_field *f, void *of, size_t i)
{
  char *const at = (char *)of + f->offset;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    return i == 0 ? (double *)(void *)at : NULL;
  case GSCALE_SHARES:
    return i < f->length ? (double *)(void *)at + i : NULL;
  case GSCALE_MIXTURE: {
    gscale_stores *s = (gscale_stores *)(void *)at;
    return i < f->length       ? &s->size[i]
           : i < 2 * f->length ? &s->share[i - f->length]
                               : NULL;
  }
  case GSCALE_STEPS: {
    gscale_profile *p = (gscale_profile *)(void *)at;
    return i < f->length       ? &p->at[i]
           : i < 2 * f->length ? &p->ready[i - f->length]
                               : NULL;
  }
  case GSCALE_PACKING:
    return i < 3 * f->length
               ? number_of_extra((gscale_extra *)(void *)at + i / 3, i % 3)
               : NULL;
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

/* How many there are is the phase's. */
static gscale_status check_packing(const gscale_phase *p, const char *label,
                                   gscale_diag *diag)
{
  if (p->extras > GSCALE_EXTRAS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: more than %d", p->name,
                        label, (int)GSCALE_EXTRAS_MAX);
  for (size_t i = 0; i < p->extras; i++) {
    const gscale_extra *e = &p->extra[i];

    if (gscale_paradigm_find(e->paradigm) == gscale_paradigm_count())
      return gscale__fail(diag, GSCALE_ENAME, "%s: %s: no paradigm '%s'",
                          p->name, label, e->paradigm);
    if (!(e->kernels >= 0.0) || !(e->flop >= 0.0) || !(e->bytes >= 0.0) ||
        !isfinite(e->kernels + e->flop + e->bytes))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: %s: %s: %g kernels, %g flop, %g B", p->name,
                          label, e->paradigm, e->kernels, e->flop, e->bytes);
  }
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
  case GSCALE_SHARES:
    return check_shares(f, at, whose, label, diag);
  case GSCALE_MIXTURE:
    return check_mixture(at, whose, label, diag);
  case GSCALE_STEPS:
    if (gscale_profile_ok(at)) return GSCALE_OK;
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s: must rise from {0,0} to {1,1}", whose, label);
  case GSCALE_PACKING:
    return check_packing(of, label, diag);
  default:
    return GSCALE_OK;
  }
}

/* ---- defaults ----------------------------------------------------------- */

static void put_default(const gscale_field *f, void *of)
{
  void *const at = (char *)of + f->offset;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    *(double *)at = f->otherwise;
    break;
  case GSCALE_INTEGER:
    *(int *)at = (int)f->otherwise;
    break;
  case GSCALE_CHOICE:
    *(unsigned *)at = (unsigned)f->otherwise;
    break;
  case GSCALE_STEPS:
    *(gscale_profile *)at = gscale_profile_linear;
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
  p->stores.n = 1;
  p->stores.share[0] = 1.0;
  p->origin = GSCALE_DERIVED;
  gscale__copy_text(p->name, sizeof p->name, name);
}

void gscale_fabric_init(gscale_fabric *fabric, gscale_topology kind)
{
  const gscale_field *f;

  memset(fabric, 0, sizeof *fabric);
  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_TOPOLOGY, i)) != NULL; i++)
    put_default(f, fabric);
  fabric->kind = kind;
}
