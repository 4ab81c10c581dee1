-- transpose.lua - a matrix in blocks of rows becomes one in blocks of columns.
--
-- Each GPU holds n/N rows and afterwards n/N rows of the transposed matrix, so
-- it keeps 1/N of what it has and sends 1/N to every other GPU.  No arithmetic:
-- read once, written once.  params/bench/apps/transpose.cu is the program with
-- tiles; its counts are those here.

local gs = require "gpuscale"

return gs.workload {
  name = "transpose",
  summary = "transpose of a square matrix that is dealt out by rows",

  knobs = {
    n     = gs.knob { default = 16384, least = 32, most = 1048576, whole = true,
                      doc = "rows and columns" },
    word  = gs.knob { default = 4, least = 1, most = 16, whole = true,
                      doc = "bytes per element" },
    -- Through tiles in shared memory a warp writes a run of 128 B.  A kernel
    -- without tiles writes along columns: every element on its own.
    tiled = gs.knob { default = true,
                      doc = "no: the kernel stores one element at a time" },
  },

  -- Each GPU keeps its number of elements.
  weak = function () return { n = 1 / 2 } end,

  step = function (k)
    local matrix = k.n ^ 2 * k.word
    local tiled  = k.tiled

    return {
      gs.phase {
        name  = "transpose",
        units = tiled and math.ceil(k.n / 32) or k.n, -- rows, of tiles if any
        -- Each element read and written; without tiles a sector of 32 B is
        -- written for each.
        bytes = matrix + (tiled and 1 or math.max(1, 32 / k.word)) * matrix,
        footprint = 2 * matrix,

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = "partition",
        publish = matrix,
        -- Copied after it was transposed locally: one two-dimensional copy.
        store   = { size = tiled and 128 or { { k.word, 1, "partial" } } },
        blocks  = {
          count = k.n ^ 2 / (32 * 32), -- a tile each, read and written
          { share = 1, per = "sent", publishes = 1, reads = true }, -- first
          {},
        },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
