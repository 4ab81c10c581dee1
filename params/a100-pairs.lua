-- a100-pairs.lua - four A100 PCIe cards in two pairs with NVLink bridges.
--
-- Pairs reach each other by way of the host's memory.  Nobody measured it here: projected from Hopper; what
-- the link changes is assumed.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "a100-pairs",
  summary  = "four A100 PCIe cards, NVLink bridges in pairs",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "a100-pcie",
  gpus     = 4,
  topology = gs.topology { kind = "pairs" },
  can      = { peer = "stores", managed = true, device_launch = true },
  link     = "nvlink3", -- twelve links, 600 GB/s both ways
}
-- SPDX-License-Identifier: GPL-3.0-or-later
