-- himeno.lua - one Jacobi iteration of the Himeno benchmark: Poisson's equation
-- in curvilinear coordinates, 19 points, on nx x ny x nz points.
--
-- The box is cut along z; a GPU shares a plane of nx x ny points with the one
-- before it and the one after.  It computes its lower half while the plane that
-- its upper half made travels, and the other way around.

local gs = require "gpuscale"

return gs.workload {
  name = "himeno",
  summary = "Himeno benchmark: a 19-point stencil, cut along z",

  knobs = {
    nx = gs.knob { default = 256, least = 8, most = 65536, whole = true,
                   doc = "points along x" },
    ny = gs.knob { default = 256, least = 8, most = 65536, whole = true,
                   doc = "points along y" },
    nz = gs.knob { default = 512, least = 8, most = 65536, whole = true,
                   doc = "points along z, all GPUs together" },
  },

  -- Longer along the axis that is cut.
  weak = function () return { nz = 1 } end,

  step = function (k)
    local points = k.nx * k.ny * k.nz
    local inner  = (k.nx - 2) * (k.ny - 2) * (k.nz - 2)
    -- 12 coefficients, the pressure and its next value: 14 arrays of 4 B, each
    -- of which passes memory once; neighbours of a point hit in caches.
    local arrays = 14 * 4 * points

    return {
      gs.phase {
        name      = "sweep",
        units     = k.nz,
        flop      = 34 * inner, -- a point that is not on the boundary
        bytes     = arrays,
        footprint = arrays,
        host      = { kernels = 2 }, -- the two halves

        to      = "neighbours",
        publish = 4 * k.nx * k.ny, -- a plane of the pressure
        store   = 128,
        blocks  = {
          count = k.nx * k.ny / 128, -- columns of 64 x 4 points, both halves
          { share = 0.5, per = "sent", publishes = 1, reads = true }, {},
        },
      },

      -- One half's plane has the time of the other half to arrive.
      host = { late = true },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
