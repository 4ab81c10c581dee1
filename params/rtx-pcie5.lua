-- rtx-pcie5.lua - four GeForce RTX 5090 on PCIe 5, without peer access.
--
-- The driver denies peer access: copies go by way of the host's memory, as they do on the
-- measured hosts of Hopper, whose link to the GPUs is PCIe 5, too.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "rtx-pcie5",
  summary  = "four RTX 5090 on PCIe 5, no peer access",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "rtx5090",
  gpus     = 4,
  topology = gs.topology {
    kind   = "tree",
    group  = 2, -- GPUs below one switch
    uplink = spec(1, "16 lanes, as the GPUs' own"),
  },
  grows    = true, -- more switches of two
  can      = { peer = "none", managed = true, device_launch = true },
  link     = {
    name    = "pcie5",
    payload = "256 B",
    duplex  = assumed(1.9, { 1.5, 2 }, "two V100 on PCIe 3: 1.94"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
