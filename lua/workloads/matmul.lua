-- matmul.lua - a product of two n x n matrices, dealt out by blocks of rows.
--
-- Each GPU has n/N rows of A, B and C = A B. It needs all of B, so every step begins
-- where all GPUs have made theirs: what a chain of products does, C being the next
-- one's B. By tiles of `tile` x `tile` in shared memory.

local gs = require "gpuscale"

return gs.workload {
  name = "matmul",
  summary = "product of two square matrices: one of them to all GPUs",

  knobs = {
    n    = gs.knob { default = 8192, least = 64, most = 262144, whole = true,
                     doc = "rows and columns" },
    tile = gs.knob { default = 128, least = 16, most = 256, whole = true,
                     doc = "rows and columns of a block's tile" },
    precision = gs.knob { default = "fp32", words = { "fp32", "tf32", "fp64",
                                                      "fp16" },
                          doc = "what it multiplies in" },
  },

  -- Each GPU keeps its arithmetic; each has all of B, which grows.
  weak = function () return { n = 1 / 3 } end,

  step = function (k)
    local word = k.precision == "fp64" and 8 or k.precision == "fp16" and 2 or 4
    local matrix = k.n ^ 2 * word
    local tiles  = math.ceil(k.n / k.tile)

    return {
      gs.phase {
        name  = "product",
        units = tiles, -- rows of tiles
        flop  = 2 * k.n ^ 3,
        compute = { precision = k.precision },
        -- A tile of C takes a row of tiles of A and a column of B: each matrix is
        -- read as often as it has tiles in a row, and most of that hits in a cache
        -- where as many as run at once share them; C is written.
        bytes = 3 * matrix,
        footprint = 3 * matrix,

        to      = "all",
        publish = matrix,
        store   = 128,
        blocks  = { count = tiles ^ 2, { publishes = 1 } },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
