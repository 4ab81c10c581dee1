-- dgx-b200.lua - DGX B200: eight B200 GPUs, NVLink 5 through NVSwitch.
--
-- Nobody measured it here: all numbers are projected from Hopper, by rules whose errors
-- between chips are few and wide. Its switch is taken to be as that of Hopper.

local gs = require "gpuscale"

return gs.project {
  name     = "dgx-b200",
  summary  = "DGX B200: eight B200 GPUs, NVLink 5 through NVSwitch",
  from     = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device   = "b200",
  gpus     = 8,
  topology = "switch",
  grows    = true, -- a switch with more ports
  can      = { peer = "atomics", managed = true, device_launch = true },
  link     = "nvlink5",
}
-- SPDX-License-Identifier: GPL-3.0-or-later
