-- beside.lua - a sum over GPUs in a second stream, which one GPU calls for, too.

local gs = require "gpuscale"

return gs.workload {
  name = "beside",
  summary = "a sum in a second stream",
  step = function ()
    return {
      t1 = gs.measured("40 us", "0 s", "a run"),
      host = { streams = { "main", "sums" } },
      schedule = function ()
        gs.launch("work")
        gs.record("made")
        gs.wait("made", { stream = "sums" })
        gs.collective { kind = "all-reduce", bytes = 1e6, stream = "sums" }
        gs.synchronize { stream = "sums" }
        gs.synchronize {}
        gs.barrier()
      end,
      gs.phase { name = "work", units = 1024, bytes = 80e6, footprint = 80e6 },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
