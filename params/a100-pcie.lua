-- a100-pcie.lua - four A100 PCIe cards, two below each PCIe 4 switch.
--
-- The card of 80 GB, without NVLink bridges. Nobody measured it here: projected from
-- Hopper with NVLink; what the link changes is assumed.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "a100-pcie",
  summary  = "four A100 PCIe cards on PCIe 4, two below each switch",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "a100-pcie",
  gpus     = 4,
  topology = gs.topology {
    kind   = "tree",
    group  = 2, -- GPUs below one switch
    uplink = spec(1, "16 lanes, as the GPUs' own"),
  },
  grows    = true, -- more switches of two
  can      = { peer = "stores", managed = true, device_launch = true },
  link     = {
    name    = "pcie4",
    payload = "256 B",
    duplex  = assumed(1.9, { 1.5, 2 }, "two V100 on PCIe 3: 1.94"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
