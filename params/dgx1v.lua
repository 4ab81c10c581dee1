-- dgx1v.lua - DGX-1 with eight V100 GPUs: the hybrid cube mesh of NVLink 2.
--
-- Six links of each GPU: one or two to the others of its quad, and to one of the other
-- quad.  Twelve pairs have none and copy through the host's memory.  Nobody measured it here: projected from Hopper; what
-- the link changes is assumed.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "dgx1v",
  summary  = "DGX-1: eight V100 GPUs, hybrid cube mesh of NVLink 2",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "v100",
  gpus     = 8,
  topology = gs.topology {
    kind     = "mesh",
    per_link = spec("25.78125 GB/s", "NVLink 2: 8 lanes of 25.78 Gb/s"),
    links    = {
      { 0, 1, 1, 2, 2, 0, 0, 0 },
      { 1, 0, 2, 1, 0, 2, 0, 0 },
      { 1, 2, 0, 2, 0, 0, 1, 0 },
      { 2, 1, 2, 0, 0, 0, 0, 1 },
      { 2, 0, 0, 0, 0, 1, 1, 2 },
      { 0, 2, 0, 0, 1, 0, 2, 1 },
      { 0, 0, 1, 0, 1, 2, 0, 2 },
      { 0, 0, 0, 1, 2, 1, 2, 0 },
    },
    staged = assumed("5.75 GB/s", { "4 GB/s", "9 GB/s" }, "as on dgx1, whose board it has"),
  },
  can      = { peer = "atomics", managed = true, device_launch = true },
  link     = "nvlink2", -- six links of 25.78 GB/s
}
-- SPDX-License-Identifier: GPL-3.0-or-later
