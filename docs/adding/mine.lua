-- mine.lua - two GPUs of a workstation, from their data sheet.
local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.system {
  name = "mine", summary = "two GPUs side by side", like = "h200x8",
  gpus = 2,
  topology = "switch",
  link = { name = "pcie4", payload = "256 B" },
  device = {
    memory  = spec("24 GB", "GPU data sheet"),
    sms     = spec(82, "GPU data sheet"),
    threads = spec(1536, "GPU data sheet"),
    flops   = spec("35.6 Tflop/s", "GPU data sheet, FP32"),
    membw   = assumed("0.85 TB/s", {"0.8 TB/s", "0.94 TB/s"}, "data sheet: 936 GB/s"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
