/* rows_blocks.c - fields of a group of a phase's thread blocks, one per row. */

#include "describe/described.h"

#include <math.h>
#include <stddef.h>

#define BLOCKS(member) .offset = offsetof(gscale_blocks, member), .length = 1
#define FROM(value)    .least = (value), .most = INFINITY
#define SHARE          .least = 0, .most = 1

static const char *const shares_of[GSCALE_PER_END + 1] = {
    [GSCALE_PER_GPU] = "gpu",
    [GSCALE_PER_FACE] = "face",
    [GSCALE_PER_SENT] = "sent",
};

_Static_assert(sizeof(gscale_per) == sizeof(int), "a choice is an int");

/* `share` has no default, because a group without a share gets the rest. */
static const gscale_field blocks[] = {
    {.group = "",
     .name = "share",
     .advanced = true,
     SHARE,
     .unsaid = "the rest",
     .meaning = "share of the kernel's time; default: the share that other "
                "groups leave",
     BLOCKS(share)},
    {.group = "",
     .name = "per",
     .advanced = true,
     .kind = GSCALE_CHOICE,
     .words = shares_of,
     .otherwise = GSCALE_PER_GPU,
     .meaning = "reference of the share: `gpu`, a GPU's kernel; `face`, one "
                "GPU's kernel of the whole problem, for each face of the "
                "group; `sent`, the fraction of a GPU's kernel that equals the "
                "fraction of its data that is sent",
     BLOCKS(per)},
    {.group = "",
     .name = "publishes",
     .advanced = true,
     SHARE,
     .meaning = "share of the published data that the group makes (0.5: one of "
                "two faces); if no group has it, all publish evenly",
     BLOCKS(publishes)},
    {.group = "",
     .name = "scattered",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning =
         "any block may write any of the data: data of copies are complete at "
         "the end of the group; stores to other GPUs leave as they are made",
     BLOCKS(scattered)},
    {.group = "",
     .name = "reads",
     .advanced = true,
     .kind = GSCALE_FLAG,
     .meaning = "the group reads data of other GPUs; if no group has it, all "
                "groups do",
     BLOCKS(reads)},
    {.group = "",
     .name = "path",
     .advanced = true,
     .kind = GSCALE_PATH,
     .meaning = "`{ {loads [, bytes [, \"published\"]]}, ... }`: dependent "
                "loads of the longest thread; bytes of their array (0: all "
                "that the phase touches); `\"published\"`: the array is "
                "published, so that loads may be remote",
     .offset = offsetof(gscale_blocks, path),
     .length = GSCALE_PATH_MAX},
    {.group = "",
     .name = "straggler",
     .advanced = true,
     SHARE,
     .meaning = "mean path of a block's longest thread / longest path of all; "
                "0: all threads of a block take equally long",
     BLOCKS(straggler)},
    {.group = "",
     .name = "count",
     .advanced = true,
     FROM(0),
     .meaning = "blocks of the group, distributed to the GPUs; shares are then "
                "of arithmetic, and the SM with most blocks determines the "
                "time; 0, also for `each`: the blocks fill the GPU evenly",
     BLOCKS(count)},
    {.group = "",
     .name = "each",
     .advanced = true,
     FROM(0),
     .meaning = "blocks of the group on every GPU, for any N: more GPUs make "
                "blocks shorter, not fewer",
     BLOCKS(each)},
    {.group = "",
     .name = "row",
     .advanced = true,
     FROM(0),
     .meaning = "consecutive blocks that together complete a stretch of their "
                "published data, such as a row of tiles; 0: each block its own",
     BLOCKS(row)},
};

const gscale__rows gscale__blocks_rows = {blocks, LENGTH(blocks)};

/* SPDX-License-Identifier: GPL-3.0-or-later */
