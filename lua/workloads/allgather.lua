-- allgather.lua - every GPU computes its share of an array, all need all of it.
--
-- A producer kernel streams `work` bytes of memory for every byte it publishes
-- and does no arithmetic worth counting.

local gs = require "gpuscale"

return gs.workload {
  name = "allgather",
  summary = "a streaming kernel whose whole result every other GPU needs",

  knobs = {
    bytes = gs.knob { default = "256 MB", unit = "bytes", least = "4 KiB",
                      doc = "published per step, by all GPUs together" },
    work  = gs.knob { default = 8, least = 1, most = 1e6,
                      doc = "bytes of memory traffic per byte published" },
  },

  -- Each GPU makes as much.
  weak = function () return { bytes = 1 } end,

  step = function (k)
    local block = 256 * 4 -- bytes: 256 threads of 4 bytes each
    local units = math.ceil(k.bytes / block) -- thread blocks
    local made  = units * block -- the last is as long as the others

    return {
      gs.phase {
        name  = "produce",
        units = units,
        -- Of the traffic one byte in `work` is the result being written, the
        -- others are read.
        bytes = k.work * made,
        footprint = k.work * made, -- each byte is touched once

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = "all",
        publish = made,
        store   = 128, -- 32 lanes of 4 bytes
        blocks  = { count = units },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
