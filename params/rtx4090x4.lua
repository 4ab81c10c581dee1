-- rtx4090x4.lua - four GeForce RTX 4090 on PCIe 4, without peer access.
--
-- The driver denies peer access: copies and collectives go by way of the host's memory.
-- Nobody measured it here: projected from Hopper; what
-- the link changes is assumed.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "rtx4090x4",
  summary  = "four RTX 4090 on PCIe 4, no peer access",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "rtx4090",
  gpus     = 4,
  topology = gs.topology {
    kind   = "tree",
    group  = 1, -- each card has a port of the root
    uplink = spec(1, "16 lanes, as the GPUs' own"),
  },
  grows    = true, -- more slots of the same root
  can      = { peer = "none", managed = true, device_launch = true },
  link     = {
    name    = "pcie4",
    payload = "256 B",
    duplex  = assumed(1.9, { 1.5, 2 }, "two V100 on PCIe 3: 1.94"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
