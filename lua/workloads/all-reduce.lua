-- all-reduce.lua - `count` all-reduces one after the other, as nccl-tests times
-- them, and one wait.
--
-- By NCCL's conventions: bytes are those of the array that every GPU has, and
-- 2 (n-1)/n bytes count / time is its bus bandwidth.  A kernel of 4 KiB
-- begins the step, so that one GPU, which sends nothing, has one.

local gs = require "gpuscale"

return gs.workload {
  name = "all-reduce",
  summary = "an all-reduce alone, as nccl-tests times it",

  knobs = {
    bytes = gs.knob { default = "64 MiB", unit = "bytes", least = "4 B",
                      doc = "of the array that every GPU has" },
    count = gs.knob { default = 20, least = 1, most = 63, whole = true,
                      doc = "all-reduces of a step" },
  },

  step = function (k)
    local phases = { gs.phase { name = "begin", units = 1, bytes = 4096 } }
    for i = 1, k.count do
      phases[i + 1] = gs.phase { name = "sum" .. i, units = 1,
                                 reduce = k.bytes, host = { kernels = 0 } }
    end
    return phases
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
