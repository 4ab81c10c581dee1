-- waves.lua - kernels whose blocks fill a GPU so often, each GPU of two with as much
-- to send: what the blocks of a wave make is there at its end.

local gs = require "gpuscale"

return gs.workload {
  name = "waves",
  summary = "blocks in waves, chunks by an agent",
  knobs = {
    waves = gs.knob { default = 1, least = 1, whole = true },
    slots = gs.knob { default = 1056, least = 1, whole = true },
  },
  step = function (k)
    return {
      gs.phase {
        name = "work", units = 1024, flop = 1e12, footprint = 1e6,
        blocks = { count = 2 * k.waves * k.slots },
        to = "all", publish = 2 * 12 * 64 * 1024,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
