-- scattered.lua - each block stores anywhere in what its GPU publishes, or in a
-- place of its own.

local gs = require "gpuscale"

return gs.workload {
  name = "scattered",
  summary = "stores of all blocks, in any place or in order",
  knobs = { anywhere = gs.knob { default = 1, least = 0, most = 1, whole = true } },
  step = function (k)
    return {
      gs.phase {
        name = "work", units = 1024, bytes = 400e6, footprint = 400e6,
        to = "all", publish = 20e6,
        store = { size = 16 },
        blocks = { { publishes = 1, scattered = k.anywhere == 1 } },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
