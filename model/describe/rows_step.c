/* rows_step.c - fields of a step, a knob, a link and a topology, as rows. */

#include "describe/described.h"

#include <math.h>
#include <stddef.h>

#define AT(type, member) .offset = offsetof(type, member), .length = 1
#define FROM(value)      .least = (value), .most = INFINITY
#define SHARE            .least = 0, .most = 1

static const char *const orders[GSCALE_ORDER_END + 1] = {
    [GSCALE_ORDER_GPU] = "gpu",
    [GSCALE_ORDER_PHASE] = "phase",
};

static const char *const waits[GSCALE_WAITS_END + 1] = {
    [GSCALE_WAITS_PHASE] = "phase",
    [GSCALE_WAITS_STEP] = "step",
    [GSCALE_WAITS_NEVER] = "never",
};

_Static_assert(sizeof(gscale_order) == sizeof(int), "a choice is an int");
_Static_assert(sizeof(gscale_waits) == sizeof(int), "a choice is an int");

static const gscale_field step[] = {
    {.group = "",
     .name = "t1",
     .dim = GSCALE_TIME,
     FROM(0),
     .meaning = "measured time of one step on one GPU; 0: from the roofline",
     AT(gscale_workload, single.val)},
    {.group = "",
     .name = "t1_on",
     .kind = GSCALE_WORDS,
     .advanced = true,
     .unsaid = "the system of the prediction",
     .meaning = "system on which `t1` was measured"},
    {.group = "host",
     .name = "threads",
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
     .meaning =
         "the host threads are processes, which share no lock in the driver",
     AT(gscale_host, processes)},
    {.group = "host",
     .name = "streams",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .otherwise = 1,
     .least = 1,
     .most = 2048,
     .meaning = "streams of each GPU for copies",
     AT(gscale_host, streams)},
    {.group = "host",
     .name = "order",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = orders,
     .meaning = "order of the calls of a thread with several GPUs: all calls "
                "for one `gpu`, then for the next; or by `phase`: the kernels "
                "of all GPUs, then the copies",
     AT(gscale_host, order)},
    {.group = "host",
     .name = "blocking",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning =
         "a thread has one copy in flight at a time, as with `cudaMemcpy`",
     AT(gscale_host, blocking)},
    {.group = "host",
     .name = "barriers",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .otherwise = 1,
     .least = 1,
     .most = 7,
     .meaning =
         "barriers of the host threads in each phase: 1: after the wait; 2: "
         "also after the kernels; 3: also after the issue of copies; 5 or 7: "
         "around both, and around the wait for one or two parts of the copies",
     AT(gscale_host, barriers)},
    {.group = "host",
     .name = "by_peer",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "the first of two parts of the copies goes to the first half "
                "of the other GPUs (all of it to a single other GPU); no: each "
                "part goes to one side",
     AT(gscale_host, by_peer)},
    {.group = "host",
     .name = "waits",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = waits,
     .meaning =
         "the host waits for each `phase`, for each `step`, or `never`; events "
         "between GPUs order work for which the host does not wait",
     AT(gscale_host, waits)},
    {.group = "host",
     .name = "late",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "the host waits for messages to other nodes after the kernels "
                "of the next phase, which the messages overlap",
     AT(gscale_host, late)},
    {.group = "host",
     .name = "fixed",
     .dim = GSCALE_TIME,
     FROM(0),
     .meaning =
         "time that each host thread works in a step, on any number of GPUs",
     AT(gscale_host, fixed)},
    {.group = "norm",
     .name = "copy",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "bytes that each GPU copies to the host after the last kernel "
                "of a step; 0: none",
     AT(gscale_host, norm.copy)},
    {.group = "norm",
     .name = "bytes",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "traffic of the kernel that computes the norm, over all GPUs",
     AT(gscale_host, norm.bytes)},
    {.group = "norm",
     .name = "flop",
     .advanced = true,
     .dim = GSCALE_FLOP,
     FROM(0),
     .meaning = "arithmetic of the kernel that computes the norm",
     AT(gscale_host, norm.flop)},
    {.group = "norm",
     .name = "clear",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "a memset precedes the kernel of the norm",
     AT(gscale_host, norm.clear)},
    {.group = "norm",
     .name = "late",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "the host reads the norm a step late",
     AT(gscale_host, norm.late)},
};

static const gscale_field knob[] = {
    {.group = "",
     .name = "default",
     .kind = GSCALE_ANYTHING,
     .required = true,
     .meaning = "a number (with an origin if its error matters), true or "
                "false, or a word"},
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
     .meaning = "the largest value allowed"},
    {.group = "",
     .name = "whole",
     .kind = GSCALE_FLAG,
     .meaning = "only whole numbers"},
    {.group = "",
     .name = "words",
     .kind = GSCALE_ANYTHING,
     .meaning = "list of the allowed words"},
    {.group = "",
     .name = "doc",
     .kind = GSCALE_WORDS,
     .meaning = "description of the knob"},
};

/* Options in group `link`, which also contains parameters. */
static const gscale_field link_options[] = {
    {.group = "link",
     .name = "name",
     .kind = GSCALE_WORDS,
     .required = true,
     .meaning = "a name of `gpuscale list links`"},
    {.group = "link",
     .name = "payload",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "largest payload of copies, and of stores if smaller",
     AT(gscale_link_options, payload)},
    {.group = "link",
     .name = "lanes",
     .advanced = true,
     .kind = GSCALE_INTEGER,
     .least = 0,
     .most = 1e6,
     .meaning = "PCIe: 1 .. 16 lanes; NVLink: number of links; scales the rate",
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
     .meaning = "PCIe: 32-bit addresses, 4 B less per packet",
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

/* The group of a field names the kind of topology that has the field. */
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
     .meaning = "rate of all traffic through the root",
     FABRIC(root)},
    {.group = "tree",
     .name = "split",
     .advanced = true,
     .dim = GSCALE_BYTES,
     FROM(0),
     .meaning = "size to which the root cuts packets; 0: not cut",
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
     .meaning = "rate between GPUs without a link, through the host, which "
                "sets `staged.rate`; 0: relayed by common neighbours",
     FABRIC(staged)},
};

const gscale__rows gscale__step_rows = {step, LENGTH(step)};
const gscale__rows gscale__knob_rows = {knob, LENGTH(knob)};
const gscale__rows gscale__link_rows = {link_options, sizeof link_options /
                                                          sizeof *link_options};
const gscale__rows gscale__topology_rows = {topology, LENGTH(topology)};

/* SPDX-License-Identifier: GPL-3.0-or-later */
