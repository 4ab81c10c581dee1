-- own.lua - a GPU copies `own` bytes within its memory, and sends its neighbour
-- `sent`.

local gs = require "gpuscale"

return gs.workload {
  name = "own",
  summary = "a copy to itself beside one to another GPU",
  knobs = {
    own  = gs.knob { default = "100 MB", unit = "bytes", least = "1 B" },
    sent = gs.knob { default = "100 MB", unit = "bytes", least = "1 B" },
  },
  step = function (k)
    return {
      schedule = function (g, n)
        gs.launch("work")
        gs.copy { to = g, bytes = k.own }
        if n > 1 then gs.copy { to = (g + 1) % n, bytes = k.sent } end
        gs.synchronize {}
        gs.barrier()
      end,
      gs.phase { name = "work", units = 1024, bytes = 80e6, footprint = 80e6 },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
