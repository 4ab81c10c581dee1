-- uneven.lua - an odd number of parts, of which each GPU reads one other's; pages
-- are brought before they are read.

local gs = require "gpuscale"

return gs.workload {
  name = "uneven",
  summary = "pages that are prefetched, by GPUs that do not make as many",
  step = function ()
    return {
      gs.phase { name = "work", units = 7, bytes = 1e6, footprint = 1e6,
                 to = "partition", publish = "700 MB", load = { prefetch = true } },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
