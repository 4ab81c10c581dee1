-- random-access.lua - the RandomAccess benchmark: a look-ahead of random updates
-- of a table that is dealt out, each by exclusive or.
--
-- A GPU makes as many random numbers as it may hold back, and each goes to the
-- GPU that has the entry.

local gs = require "gpuscale"

return gs.workload {
  name = "random-access",
  summary = "RandomAccess: random updates of a table dealt out",

  knobs = {
    updates = gs.knob { default = 65536, least = 1, whole = true,
                        doc = "held back and then sent, of all GPUs" },
    table   = gs.knob { default = 2 ^ 28, least = 1024, whole = true,
                        doc = "entries of 8 B, of all GPUs" },
    starts  = gs.knob { default = 1, least = 1, most = 16, whole = true,
                        doc = "kernels: one, or one that sends and one that updates" },
  },

  -- Each GPU holds as much back, and as much of the table.
  weak = function () return { updates = 1, table = 1 } end,

  step = function (k)
    return {
      gs.phase {
        name  = "updates",
        units = k.updates,
        flop  = k.updates,
        bytes = k.updates * 2 * 32, -- a sector of 32 B is read and written
        footprint = k.table * 8,
        host      = { kernels = k.starts },
        to      = "random",
        publish = k.updates * 8,
        store   = 8,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
