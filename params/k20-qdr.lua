-- k20-qdr.lua - a node with a K20c and a ConnectX-3 at QDR rate, two of which the
-- dissertation of L. Oden joins (its chapters 3 and 5). Numbers of messages are those
-- that it prints; how chunks are copied it does not say.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name     = "k20-qdr",
  summary  = "K20c and InfiniBand QDR: a node of [Oden14] 3.4 and 5.5",
  like     = "h200x8",
  gpus     = 1, -- of a node
  nodes    = 2,
  network  = { link = "ib-qdr" },
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
    latency  = measured("3 us", "10 %", "[Oden14] 5.5.4"),
    rate     = measured("968 MB/s", "1 %", "[Oden14] table 3.1a"),
  },

  hostpath = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = measured("3 us", "10 %", "[Oden14] 5.5.4"),
    rate     = measured("3212 MB/s", "1 %", "[Oden14] table 3.1a"),
  },

  staged = {
    pinned     = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
    initiation = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
  },

  remote = {
    path = {
      latency = measured("3 us", "10 %", "[Oden14] 5.5.4"),
      rate    = measured("3212 MB/s", "1 %", "[Oden14] table 3.1a"),
      read    = measured("968 MB/s", "1 %", "[Oden14] table 3.1a"),
      post    = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
      gap     = fitted("1.208 us", "10 %",
                       "OD136: 16 connections of the GPU with host queues"),
    },
    stage = {
      copy  = assumed("1.5 us", { "1 us", "2 us" }, "half of a copy's 2 to 4 us"),
      query = assumed("1.5 us", { "1 us", "2 us" }, "the other half"),
      start = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
      down  = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
      up    = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
      buffer = assumed("6 GB/s", { "3 GB/s", "9 GB/s" }, "one core's memcpy"),
      chunk  = spec("256 KiB", "[Oden14] 4.3.8"),
      direct = spec("8 KiB", "[Oden14] 4.3.8"),
    },
    control = {
      post_gpu    = measured("10.66 us", "5 %", "[Oden14] table 5.2"),
      post_host   = measured("12.46 us", "5 %", "[Oden14] table 5.4"),
      poll_gpu    = measured("8.27 us", "5 %", "[Oden14] table 5.4"),
      poll_host   = measured("15.69 us", "5 %", "[Oden14] table 5.4"),
      stamp_gpu   = measured("1.76 us", "5 %", "[Oden14] table 5.4, step 3"),
      stamp_host  = measured("2.33 us", "5 %", "[Oden14] table 5.4, step 3"),
      -- One and a half loads from a K20's memory: 0.4 to 0.9 us.
      watch       = fitted("0.63 us", "30 %", "OD123, OD124: what both lacked"),
      serial_host = fitted("0.4577 us", "10 %",
                           "OD139: 40 % of the rate of GPU queues, 32 connections"),
      assist      = measured("9.2 us", "5 %", "[Oden14] fig 5.11: 12.2 - 3 us"),
      scan        = assumed("0.1 us", { "0.05 us", "0.2 us" },
                            "a cache line that PCIe wrote: a miss"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
