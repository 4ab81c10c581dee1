-- global-reduction.lua - an array that is dealt out is reduced to one number,
-- which all GPUs get: each reduces its own part, then an all-reduce of one value.

local gs = require "gpuscale"

return gs.workload {
  name = "global-reduction",
  summary = "an array dealt out is reduced to one number for all",

  knobs = {
    n = gs.knob { default = 16777216, least = 1, whole = true,
                  doc = "values of 4 B, of all GPUs" },
  },

  -- Each GPU keeps its number of values.
  weak = function () return { n = 1 } end,

  step = function (k)
    return {
      gs.phase {
        name  = "reduce",
        units = k.n,
        flop  = k.n,
        bytes = 4 * k.n,
        footprint = 4 * k.n,
        to      = "all",
        publish = 4, -- a sum of its own part
        store   = 4,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
