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
     .meaning =
         "any of them may write any of it: what is copied is complete at "
         "their end; stores to others go as they are made",
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
    {.group = "",
     .name = "row",
     .advanced = true,
     FROM(0),
     .meaning = "so many of its blocks, one after the other, complete a "
                "stretch of what they publish together, as a row of tiles "
                "does; 0: each its own",
     BLOCKS(row)},
};

const gscale__rows gscale__blocks_rows = {blocks, LENGTH(blocks)};

/* SPDX-License-Identifier: GPL-3.0-or-later */
