-- h200.lua - eight H200 as a stranger would write them, from the data sheet.
local gs = require "gpuscale"

local function sheet (value) return gs.spec(value, "NVIDIA H200 data sheet, SXM") end

return gs.system {
  name = "h200-by-sheet", summary = "eight H200 by their data sheet", like = "h100x4",
  gpus = 8, topology = "switch", link = "nvlink4",
  can = { peer = "atomics", managed = true, device_launch = true },
  device = {
    memory = sheet("141 GB"), sms = sheet(132), threads = sheet(2048), flops = sheet("67 Tflop/s"),
    membw = gs.assumed("4.3 TB/s", { "4.0 TB/s", "4.8 TB/s" }, "0.9 of the data sheet"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
