-- stays.lua - blocks whose longest thread makes the others wait, and an agent that they
-- tell what they made.

local gs = require "gpuscale"

return gs.workload {
  name = "stays",
  summary = "blocks that wait for their longest thread",
  step = function ()
    return {
      gs.phase {
        name = "work", units = 65536, bytes = 200e6, footprint = 200e6,
        to = "all", publish = 64e6,
        blocks = { count = 65536, { path = { { 40 } }, straggler = 1 } },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
