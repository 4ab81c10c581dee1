-- proact-micro.lua - one kernel makes 256 MB that all other GPUs need whole.
--
-- The microbenchmark of the PROACT papers.  One source GPU, thread blocks of
-- 4 KiB of output each, no other work.  There, compute is tuned on every system
-- to last as long as the copy, because then overlap gains most: twice at best.
-- A workload knows no system, so the tuning is yours:
--
--   * `ratio`: bytes of memory traffic for every byte made; raise it until
--     memcpy takes twice as long as infinite.  Or
--   * `t1`: the time of the kernel, set to the time of the copy (-P t1=...).

local gs = require "gpuscale"

return gs.workload {
  name = "proact-micro",
  summary = "one GPU makes 256 MB that all others need, compute equal to copy",

  knobs = {
    bytes   = gs.knob { default = "256 MB", unit = "bytes", least = "4 KiB",
                        doc = "made by the kernel" },
    ratio   = gs.knob { default = 32, least = 1, most = 1e6,
                        doc = "bytes of memory traffic per byte made" },
    sources = gs.knob { default = 1, least = 1, most = 1024, whole = true,
                        doc = "GPUs that share the work, at most all" },
  },

  step = function (k)
    return {
      gs.phase {
        name  = "produce",
        units = k.sources, -- with one unit only one GPU works
        -- Traffic that is not the result is read again and again.
        bytes = k.ratio * k.bytes,
        footprint = 2 * k.bytes, -- what it reads and what it makes

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = "all",
        publish = k.bytes,
        store   = 128, -- written densely in rising order
        blocks  = { count = k.bytes / 4096 },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
