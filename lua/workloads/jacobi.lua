-- jacobi.lua - one sweep of a Jacobi iteration on n^2 or n^3 points.
--
-- Every point becomes the mean of itself and its 2*dims neighbours.  The grid
-- is cut into slabs along one axis: rows in 2-D, planes in 3-D, so a GPU has a
-- neighbour before and after it and shares one face of n^(dims-1) points with
-- each.
--
-- Or (bands=7, 5 in 2-D) the same on a banded matrix that is stored: A x = b, of
-- which each sweep reads the diagonals and b besides.  That is the solver of
-- [Diss22] 2.4.3 and 5.4; its bands are no longer than the stencil's here.

local gs = require "gpuscale"

return gs.workload {
  name = "jacobi",
  summary = "Jacobi sweep on a square or cube, halo exchange with neighbours",

  knobs = {
    dims = gs.knob { default = 3, least = 2, most = 3, whole = true,
                     doc = "dimensions of the grid" },
    n    = gs.knob { default = 512, least = 8, most = 65536, whole = true,
                     doc = "points per edge" },
    word = gs.knob { default = 4, least = 4, most = 8, whole = true,
                     doc = "bytes per point: 4 or 8" },
    bands = gs.knob { default = 0, least = 0, most = 1024, whole = true,
                      doc = "diagonals of a matrix that is stored; 0: a stencil" },
    threads = gs.knob { default = 0, least = 0, most = 1, whole = true,
                        doc = "1: one host thread for all GPUs; " ..
                              "0: one for each" },
    barriers = gs.knob { default = 1, least = 1, most = 7, whole = true,
                         doc = "of the host threads in a step: 1, 3 or 7" },
    waits    = gs.knob { default = 1, least = 0, most = 1, whole = true,
                         doc = "0: the host never waits; events order GPUs" },
    norm     = gs.knob { default = 0, least = 0, most = 2, whole = true,
                         doc = "the largest change, read in each step (1) " ..
                               "or a step late (2)" },
    fetch    = gs.knob { default = 0, least = 0, whole = true,
                         doc = "bytes copied to the host in each step" },
  },

  -- One host thread goes through the GPUs and copies for one after the other
  -- ([Diss22] Listing IV.1, 3.4.1).  Seven stored diagonals: 2.4.3.
  -- Hints prefetch before each kernel ([Gps21] 6).
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { threads = 1, ["host.order"] = "phase",
              ["host.blocking"] = "yes", bands = 7 },
    finepack = { like = "paper" },
    gps21 = { like = "paper", ["sweep.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["sweep.load.prefetch"] = 1 },
  },

  -- Each GPU keeps its number of points.
  weak = function (k) return { n = 1 / k.dims } end,

  step = function (k)
    local points = k.n ^ k.dims
    local face   = k.n ^ (k.dims - 1) * k.word -- bytes of one cut face
    local grid   = points * k.word
    -- What is read and never written: the matrix and the right-hand side.
    local matrix = k.bands > 0 and (k.bands + 1) * grid or 0
    -- The kernel runs through the slab, so the face at either end is written
    -- by the first and by the last unit of it.  As a share of one GPU's kernel
    -- that is 1/n; of a slab of n/N units it is N/n, which is still small where
    -- a program scales.
    local edge   = 1 / k.n
    -- In 3-D (params/bench/apps/jacobi.cu) half of what is published is the
    -- first plane, half the last; in 2-D (diffusion.cu, --scheme 2) the blocks
    -- of both rows come first.
    local cube   = k.dims == 3
    local first  = { share = edge, per = "face", publishes = cube and 0.5 or 1 }

    return {
      host = { threads = k.threads, barriers = k.barriers,
               waits = k.waits == 0 and "never" or "phase" },
      -- Both versions of the grid are read: a difference, its size, the larger.
      norm = k.norm > 0 and { copy = 4, bytes = 2 * grid, flop = 3 * points,
                              clear = true, late = k.norm == 2 }
             or { copy = k.fetch },

      gs.phase {
        name  = "sweep",
        units = k.n, -- rows or planes
        -- 2*dims additions and one multiplication: 5 in 2-D, 7 in 3-D.
        -- Stored: a product and a sum for each diagonal, a quotient and b.
        flop  = (k.bands > 0 and 2 * k.bands + 2 or 2 * k.dims + 1) * points,
        compute = { precision = k.word > 4 and "fp64" or "fp32" },
        -- One read and one write of each point reach memory; the other reads
        -- of a point by its neighbours hit in a cache.
        bytes = 2 * grid + matrix,
        footprint = 2 * grid + matrix, -- the old and the new grid

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = "neighbours",
        publish = face,
        -- The 32 lanes of a warp write neighbouring points: 128 B or two
        -- stores of 128 B.
        store   = 128,
        blocks  = {
          -- A block writes 128 x 8 points of a plane.  It goes through up to
          -- eight planes, each of which is counted as a block here.
          count = points / 1024,
          residents = 5, -- of 256 threads with 48 registers each
          first, {}, cube and first or nil,
        },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
