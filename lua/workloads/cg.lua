-- cg.lua - conjugate gradients for the five-point Laplacian on n x n points.
--
-- A step has two sums over all GPUs, of one number each, and a halo of a row to
-- either neighbour (params/bench/apps/cg.cu):
--   apply    q = A p, sum of p q        p read and q written
--   advance  x += a p, r -= a q, r r    p, q, x, r read and x, r written
--   turn     p = r + b p                r, p read and p written
-- The block that ends last makes the sum of a GPU.

local gs = require "gpuscale"

return gs.workload {
  name = "cg",
  summary = "conjugate gradients on a square: two sums over all and a halo",

  knobs = {
    n    = gs.knob { default = 2048, least = 8, most = 32768, whole = true,
                     doc = "points per edge" },
    word = gs.knob { default = 4, least = 4, most = 8, whole = true,
                     doc = "bytes per point: 4 or 8" },
  },

  -- Each GPU keeps its number of points.
  weak = function () return { n = 1 / 2 } end,

  step = function (k)
    local points = k.n ^ 2
    local vector = points * k.word
    local all    = 4 * vector -- x, r, p and q: what a step touches
    local number = 8 -- bytes: sums are of doubles
    local last   = { {}, { share = 0, publishes = 1 } } -- when the kernel ends
    -- The first row of p comes first, the last one last.
    local row    = { share = 1 / k.n, per = "face", publishes = 0.5 }

    return {
      gs.phase {
        name  = "apply",
        units = k.n, -- rows
        flop  = 8 * points, -- 4 multiply-adds of the stencil, 2 of the sum
        bytes = 2 * vector,
        footprint = all,
        reduce = number,
        store  = number,
        blocks = last,
      },
      gs.phase {
        name  = "advance",
        units = k.n,
        flop  = 6 * points,
        bytes = 6 * vector,
        footprint = all,
        reduce = number,
        store  = number,
        blocks = last,
      },
      gs.phase {
        name  = "turn",
        units = k.n,
        flop  = 2 * points,
        bytes = 3 * vector,
        footprint = all,
        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = "neighbours",
        publish = k.n * k.word, -- a row
        store   = 128, -- 32 lanes of 16 bytes: four of them
        blocks  = { row, {}, row },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
