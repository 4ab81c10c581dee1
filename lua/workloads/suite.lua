-- suite.lua - the mean program of a published suite of programs.
--
-- The papers print means over programs whose sizes they do not print.  This
-- stands for such a mean: compute that divides evenly but for a loss, then data
-- that every other GPU needs.  Nothing of it is known; no printed number is judged
-- by it (lua/published/ takes the programs themselves).
--
-- Unless `hosts` says otherwise one host thread copies for all GPUs, one copy
-- after the other: the printed speedups of bulk copies at 4, 8 and 16 GPUs fall
-- as (N - 1) bytes do.

local gs = require "gpuscale"

return gs.workload {
  name = "suite",
  summary = "mean of a published suite: even compute, then data for all",

  knobs = {
    bytes    = gs.knob { default = "400 MB", unit = "bytes", least = "1 kB",
                         doc = "published by all GPUs together" },
    skew     = gs.knob { default = 1, least = 1, most = 10,
                         doc = "compute of the busiest GPU / mean" },
    store    = gs.knob { default = 128, least = 1, most = 4096,
                         doc = "bytes of a mean remote store" },
    rewrites = gs.knob { default = 1, least = 1, most = 1000,
                         doc = "stores per byte before anyone needs it" },
    read     = gs.knob { default = 1, least = 0.01, most = 1,
                         doc = "share of what is published that a GPU reads" },
    spread   = gs.knob { default = "0 B", unit = "bytes", least = "0 B",
                         doc = "array that stores scatter over; 0: in order" },
    reuse    = gs.knob { default = "0 B", unit = "bytes", least = "0 B",
                         doc = "in order: bytes of lines before stores come " ..
                               "back to one; 0: all of them" },
    serial   = gs.knob { default = 0, least = 0, most = 1,
                         doc = "fraction of the compute that all repeat" },
    hosts    = gs.knob { default = 1, least = 0, most = 64, whole = true,
                         doc = "host threads; 0: one per GPU" },
    block    = gs.knob { default = "4 KiB", unit = "bytes", least = "1 B",
                         doc = "published by one thread block" },
  },

  step = function (k)
    local function chosen (v)
      return gs.fitted(v, "chosen to match printed means")
    end
    return {
      t1 = "100 ms",
      host = { threads = k.hosts,
               order = "phase", blocking = k.hosts > 0 },
      gs.phase {
        name = "step",
        units = 720720, -- divides evenly among 1 to 16
        flop = 1e12,    -- all of t1 is arithmetic; its amount is nothing
        compute = { imbalance = chosen(k.skew), serial = k.serial },

        to = "all",
        publish = { bytes = chosen(k.bytes), rewrites = k.rewrites,
                    read = chosen(k.read) },
        store = { size = k.store,
                  locality = { spread = k.spread, reuse_distance = k.reuse } },
        blocks = { count = k.bytes / k.block },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
