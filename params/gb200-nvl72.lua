-- gb200-nvl72.lua - GB200 NVL72: 72 GPUs of a rack, NVLink 5 through NVSwitch.
--
-- Nobody measured it here but for its link, by others (data/published/gpus.csv): projected
-- from Hopper. Its hosts are Grace CPUs, four GPUs each, and are taken to be as those
-- of x86 machines; loads from other GPUs go through a longer switch.

local gs = require "gpuscale"

return gs.project {
  name     = "gb200-nvl72",
  summary  = "GB200 NVL72: 72 GPUs of a rack, NVLink 5 through NVSwitch",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "gb200",
  gpus     = 72,
  topology = "switch",
  grows    = true, -- a switch with more ports
  can      = { peer = "atomics", managed = true, device_launch = true },
  link     = "nvlink5",

  load = { latency = gs.measured("1.71 us", "20 ns", "nvbandwidth, device_to_device_latency_sm") },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
