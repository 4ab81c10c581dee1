-- agent.lua - an agent of 16 blocks takes notice of small chunks, of a kernel that
-- is over soon: each block of its own chunks, or all of each.

local gs = require "gpuscale"

return gs.workload {
  name = "agent",
  summary = "small chunks by an agent of 16 blocks",
  knobs = {
    chunks = gs.knob { default = 640, least = 1, whole = true },
    of     = gs.knob { default = "block", words = { "block", "grid" } },
  },
  step = function (k)
    return {
      gs.phase {
        name = "work", units = 1024, bytes = 1e6, footprint = 1e6,
        to = "all", publish = 2 * 4096 * k.chunks,
        agent = { blocks = 16, chunk_of = k.of },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
