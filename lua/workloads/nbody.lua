-- nbody.lua - one step of a gravitational n-body problem, all pairs.
--
-- Each GPU has an equal part of the bodies: it sums the forces of all n on them, by
-- tiles of positions that a thread block keeps in shared memory, and moves them.
-- Then all GPUs need all positions: 16 bytes a body, with its mass.

local gs = require "gpuscale"

return gs.workload {
  name = "nbody",
  summary = "n-body problem, all pairs: positions to all GPUs",

  knobs = {
    n    = gs.knob { default = 65536, least = 256, most = 1e8, whole = true,
                     doc = "bodies" },
    word = gs.knob { default = 4, least = 4, most = 8, whole = true,
                     doc = "bytes of a coordinate: 4 or 8" },
  },

  -- Each GPU keeps its number of pairs, not of bodies.
  weak = function () return { n = 1 / 2 } end,

  step = function (k)
    local place = 4 * k.word -- three coordinates and the mass
    local tile  = 256        -- bodies of a block, and of a tile

    return {
      gs.phase {
        name  = "forces",
        units = k.n,
        -- A pair: three differences, six for the distance and its softening, four
        -- for its inverse cube, seven to add the force up. Then two multiply-adds
        -- of each of six numbers to move the body.
        flop  = 20 * k.n ^ 2 + 24 * k.n,
        compute = { precision = k.word > 4 and "fp64" or "fp32" },
        -- Every block reads all positions once, which stay in a cache; from
        -- memory come a body's place and velocity, and go there again.
        bytes = 4 * place * k.n,
        footprint = 3 * place * k.n, -- places twice, velocities

        to      = "all",
        publish = place * k.n,
        store   = 128, -- neighbouring lanes, neighbouring bodies
        blocks  = { count = math.ceil(k.n / tile), { publishes = 1 } },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
