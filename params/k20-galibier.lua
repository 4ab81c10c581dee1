-- k20-galibier.lua - a node with a K20c and an Extoll Galibier card at 157 MHz, two of
-- which the dissertation of L. Oden joins (its chapters 3 and 5).

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name     = "k20-galibier",
  summary  = "K20c and Extoll at 157 MHz: a node of [Oden14] 3.4 and 5.6",
  like     = "h200x8",
  gpus     = 1, -- of a node
  nodes    = 2,
  network  = { link = "extoll-galibier" },
  topology = "switch",
  link     = { name = "pcie2", payload = "128 B" },
  can      = { peer = "stores", managed = false, device_launch = true },

  device = {
    memory  = spec("5 GB", "NVIDIA Tesla K20 data sheet"),
    sms     = spec(13, "NVIDIA Tesla K20 data sheet"),
    threads = spec(2048, "CUDA, compute capability 3.5"),
    flops   = spec("3.52 Tflop/s", "NVIDIA Tesla K20 data sheet, FP32"),
    flops_fp64 = spec("1.17 Tflop/s", "NVIDIA Tesla K20 data sheet, FP64"),
    membw   = assumed("150 GB/s", { "130 GB/s", "180 GB/s" },
                      "208 GB/s on the data sheet, less with ECC"),
  },

  -- As `remote.path` has them.
  gpudirect = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = measured("4.9 us", "5 %", "[Oden14] 5.6.3"),
    rate     = measured("769 MB/s", "1 %", "[Oden14] table 3.1b"),
  },

  hostpath = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = measured("4.9 us", "5 %", "[Oden14] 5.6.3"),
    rate     = measured("892 MB/s", "1 %", "[Oden14] table 3.1b"),
  },

  staged = {
    pinned     = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
    initiation = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
  },

  remote = {
    path = {
      latency = measured("4.9 us", "5 %", "[Oden14] 5.6.3"),
      rate    = measured("892 MB/s", "1 %", "[Oden14] table 3.1b"),
      read    = measured("769 MB/s", "1 %", "[Oden14] table 3.1b"),
      post    = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    },
    stage = {
      copy  = assumed("1.5 us", { "1 us", "2 us" }, "half of a copy's 2 to 4 us"),
      query = assumed("1.5 us", { "1 us", "2 us" }, "the other half"),
      start = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
      down  = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
      up    = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
      buffer = assumed("6 GB/s", { "3 GB/s", "9 GB/s" }, "one core's memcpy"),
      chunk  = spec("256 KiB", "[Oden14] 4.3.8"),
    },
    control = {
      put    = measured("5.1 us", "5 %", "[Oden14] 5.6.3"),
      notify = fitted("10.79 us", "10 %",
                      "OD196: 15.9 us with notifications, 5.1 us without"),
      assist = measured("1.5 us", "10 %", "[Oden14] fig 5.17: 6.4 - 4.9 us"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
