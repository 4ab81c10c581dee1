-- diffusion.lua - one time step of the heat equation on a box of points.
--
-- The explicit scheme: 5 points in 2-D (nz = 1), 7 in 3-D,
--
--     new = old + c * (sum of the neighbours - 2 dims * old)
--
-- Unlike jacobi.lua, the program computes the two faces of its slab first, so
-- that they can travel while the rest is computed: by a kernel of their own, or
-- by the first blocks of the one (kernels=1, as in params/bench/apps/diffusion.cu,
-- which is flat).  The box is cut along z, or along y if it is flat.

local gs = require "gpuscale"

return gs.workload {
  name = "diffusion",
  summary = "heat equation on a box, the faces are computed first",

  knobs = {
    nx   = gs.knob { default = 512, least = 8, most = 1048576, whole = true,
                     doc = "points along x" },
    ny   = gs.knob { default = 512, least = 8, most = 1048576, whole = true,
                     doc = "points along y" },
    nz   = gs.knob { default = 512, least = 1, most = 1048576, whole = true,
                     doc = "points along z; 1: a flat problem" },
    word = gs.knob { default = 8, least = 4, most = 8, whole = true,
                     doc = "bytes per point: 4 or 8" },
    kernels = gs.knob { default = 2, least = 1, most = 2, whole = true,
                        doc = "2: the faces have a kernel of their own" },
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

  -- Sizes of Tartan's run_2g_strong.sh.
  -- Hints prefetch before each kernel ([Gps21] 6).
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { nx = 400, ny = 400, nz = 400 },
    gps21 = { like = "paper", ["step.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["step.load.prefetch"] = 1 },
  },

  -- Longer along the axis that is cut.
  weak = function (k) return k.nz == 1 and { ny = 1 } or { nz = 1 } end,

  step = function (k)
    local flat   = k.nz == 1
    local planes = flat and k.ny or k.nz -- along which it is cut
    local points = k.nx * k.ny * k.nz
    local face   = points / planes * k.word
    local grid   = points * k.word
    local dims   = flat and 2 or 3
    local edge   = 1 / planes -- work of one face

    return {
      -- With seven barriers the first part of the copies is to the first half
      -- of the peers.
      host = { threads = k.threads, barriers = k.barriers, by_peer = true,
               waits = k.waits == 0 and "never" or "phase" },
      -- Both versions of the grid are read: a difference, its size, the larger.
      norm = k.norm > 0 and { copy = 4, bytes = 2 * grid, flop = 3 * points,
                              clear = true, late = k.norm == 2 }
             or { copy = k.fetch },

      gs.phase {
        name    = "step",
        units   = planes,
        host    = { kernels = k.kernels }, -- the faces, then the rest
        -- 2 dims additions, then a product, a difference, a product, a sum
        flop    = (2 * dims + 4) * points,
        compute = { precision = k.word > 4 and "fp64" or "fp32" },
        bytes   = 2 * grid, -- each point read and written once
        footprint = 2 * grid,

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent    = { block = 256, loads = 4, chunk_of = "grid" },
        to       = "neighbours",
        publish  = face,
        store    = 128, -- neighbouring lanes, neighbouring points
        blocks   = {
          count = points / (k.kernels == 1 and 1024 or 256),
          residents = k.kernels == 1 and 5 or 0, -- 48 registers a thread
          { share = edge, per = "face", publishes = 1 }, -- both come first
          {},
        },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
