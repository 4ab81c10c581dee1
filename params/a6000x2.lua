-- a6000x2.lua - two RTX A6000 with an NVLink bridge.
--
-- Nobody measured it here: projected from Hopper; what
-- the link changes is assumed.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "a6000x2",
  summary  = "two RTX A6000, NVLink bridge",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "a6000",
  gpus     = 2,
  topology = gs.topology { kind = "pairs" },
  can      = { peer = "stores", managed = true, device_launch = true },
  link     = {
    name = "nvlink3x4", -- four links of the bridge, 112.5 GB/s both ways
    rate = spec("56.25 GB/s", "ServeTheHome, NVIDIA RTX A6000: 112.5 GB/s, bidirectional"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
