-- ct-bus.lua - the machine of a published scaling model of X-ray CT.
--
-- Muthukrishnan, dissertation (2022), section 3.4: time for copies is bytes
-- times a time per byte, summed over all GPUs as if one bus carried them, and
-- nothing else costs anything.  16 GB/s stands for PCIe 3.0; its second case,
-- PCIe 5.0, is `-P link.rate=64GB/s`.
--
-- It is a model of a model: not a prediction of any machine.  The measured runs
-- of the same chapter (four Tesla K40m) reach about 4.4 GB/s.

local gs = require "gpuscale"
local spec = gs.spec

local function none (value)
  return spec(value, "the document's model has no such cost or limit")
end

return gs.system {
  name     = "ct-bus",
  summary  = "K40m GPUs on one bus without overheads, as in a published model",
  gpus     = 4,
  topology = "bus",
  discrepancies = "none", -- a model's machine: no run is off from it
  grows    = true, -- the document goes to 24 GPUs on the same bus
  can      = { peer = "atomics", managed = false, device_launch = true },

  -- The compute time of `ct` is given, so of these only `memory` counts; its
  -- count of flop is that of the document, at the rate for FP64.
  device = {
    memory  = spec("12 GB", "NVIDIA Tesla K40 data sheet"),
    sms     = spec(15, "NVIDIA Tesla K40 data sheet"),
    threads = spec(2048, "CUDA, compute capability 3.5"),
    flops   = spec("1.43 Tflop/s", "NVIDIA Tesla K40 data sheet, FP64"),
    flops_fp64 = spec("1.43 Tflop/s", "NVIDIA Tesla K40 data sheet, FP64"),
    membw   = spec("288 GB/s", "NVIDIA Tesla K40 data sheet"),
  },

  host = {
    launch = none("0 s"),
    copy   = none("0 s"),
    event  = none("0 s"),
    sync   = none("0 s"),
  },

  link = {
    name = "raw",
    rate = spec("16 GB/s", "Muthukrishnan 2022, section 3.4.2, PCIe 3.0"),
  },

  copy  = { efficiency = none(1), initiation = none("0 s") },
  store = { efficiency = none(1) },
  agent = {
    thread_rate = none("1 PB/s"),
    gap         = none("0 s"),
    latency     = none("0 s"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
