-- What descriptions may say and shipped ones of a page do not: shares, counts that grow,
-- blocks with paths, records, lists and flags.
local gs = require "gpuscale"

return gs.workload {
  name = "said",
  summary = "what may be said",
  knobs = { more = gs.knob { default = gs.assumed(0.1, {0.05, 0.2}, "a guess") },
            flat = gs.knob { default = false, doc = "a flag" } },
  step = function (k, n)
    return {
      host = { threads = 1 },
      t1 = gs.shares { {1, "20 ms"}, {0.5, "11 ms"}, {0.25, "6 ms"} },
      gs.phase {
        name = "sweep", units = 4096,
        bytes = 1e9 * (1 + k.more * math.log(n, 2)),
        flop = 1e9, footprint = "1 GB", to = "neighbours", publish = "1 MB",
        store = 128,
        blocks = { count = 640,
                   { share = 0.1, publishes = 1, path = { { 2 }, { 1, 4e6, "published" } } },
                   { share = 0.9, publishes = 0, scattered = true, straggler = 0.5 } },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
