-- seismology.lua - FDM-Seismology: velocity, then stress, on a 3-D grid by finite
-- differences; faces of the wave field are gathered by the GPU and sent.

local gs = require "gpuscale"

return gs.workload {
  name = "seismology",
  summary = "FDM-Seismology: velocity and stress of a wave",

  knobs = {
    n = gs.knob { default = 400, least = 8, most = 65536, whole = true,
                  doc = "points per edge" },
  },

  -- Each GPU keeps its number of points.
  weak = function () return { n = 1 / 3 } end,

  step = function (k)
    local points = k.n ^ 3
    local half = function (name, arrays)
      return gs.phase {
        name  = name,
        units = k.n,
        flop  = 60 * points,
        bytes = 4 * 15 * points, -- nine arrays, six of coefficients
        footprint = 4 * 15 * points,
        to      = "neighbours",
        publish = 2 * 4 * arrays * k.n ^ 2, -- of fourth order: two planes
        store   = 128,
      }
    end

    return { half("velocity", 3), half("stress", 6) }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
