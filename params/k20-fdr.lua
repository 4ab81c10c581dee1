-- k20-fdr.lua - a node with a K20c and a ConnectX-3 at FDR rate, on Sandy Bridge: the
-- machine on which the dissertation of L. Oden measures who controls a step, and its
-- energy (5.8). Posting and polling are taken from k20-qdr, the same GPU.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

return gs.system {
  name     = "k20-fdr",
  summary  = "K20c and InfiniBand FDR: a node of [Oden14] 5.8",
  like     = "h200x8",
  gpus     = 1, -- of a node
  nodes    = 2,
  network  = { link = "ib-fdr" },
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

  -- By 5.8.5; of the GPU it prints no watt.
  power = {
    gpu_busy = assumed("187 W", { "150 W", "225 W" },
                       "225 W on the K20 data sheet; bound by memory"),
    gpu_idle = assumed("45 W", { "20 W", "70 W" }, "clocks up, nothing to do"),
    host_busy     = measured("50 W", "5 %", "[Oden14] 5.8.5"),
    host_asleep   = measured("26.5 W", "10 %", "[Oden14] 5.8.5: 24 to 29 W"),
    memory_busy   = measured("3.9 W", "5 %", "[Oden14] 5.8.5"),
    memory_asleep = measured("2.2 W", "5 %", "[Oden14] 5.8.5"),
  },

  -- As `remote.path` has them.
  gpudirect = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = assumed("2 us", { "1.2 us", "3 us" }, "FDR; 3 us on k20-qdr"),
    rate     = assumed("968 MB/s", { "800 MB/s", "1.1 GB/s" },
               "as on k20-qdr, Sandy Bridge too"),
  },

  hostpath = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = assumed("2 us", { "1.2 us", "3 us" }, "FDR; 3 us on k20-qdr"),
    rate     = assumed("6 GB/s", { "5.5 GB/s", "6.4 GB/s" },
               "FDR: 6.8 GB/s less packets and PCIe"),
  },

  staged = {
    pinned     = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
    initiation = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
  },

  remote = {
    path = {
      latency = assumed("2 us", { "1.2 us", "3 us" }, "FDR; 3 us on k20-qdr"),
      rate    = assumed("6 GB/s", { "5.5 GB/s", "6.4 GB/s" },
                        "FDR: 6.8 GB/s less packets and PCIe"),
      read    = assumed("968 MB/s", { "800 MB/s", "1.1 GB/s" },
                        "as on k20-qdr, Sandy Bridge too"),
      post    = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
      gap     = assumed("1.21 us", { "0.5 us", "1.4 us" }, "as on k20-qdr"),
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
      post_gpu    = assumed("10.66 us", { "8.528 us", "12.79 us" }, "as on k20-qdr"),
      post_host   = assumed("12.46 us", { "9.968 us", "14.95 us" }, "as on k20-qdr"),
      poll_gpu    = assumed("8.27 us", { "6.616 us", "9.924 us" }, "as on k20-qdr"),
      poll_host   = assumed("15.69 us", { "12.55 us", "18.83 us" }, "as on k20-qdr"),
      stamp_gpu   = assumed("1.76 us", { "1.408 us", "2.112 us" }, "as on k20-qdr"),
      stamp_host  = assumed("2.33 us", { "1.864 us", "2.796 us" }, "as on k20-qdr"),
      watch       = assumed("0.63 us", { "0.4 us", "0.9 us" },
                            "one and a half loads from a K20's memory"),
      serial_host = assumed("0.458 us", { "0.3 us", "0.6 us" },
                            "40 % of the rate of GPU queues at 32 connections"),
      assist      = assumed("9.2 us", { "7.36 us", "11.04 us" }, "as on k20-qdr"),
      scan        = assumed("0.1 us", { "0.05 us", "0.2 us" },
                            "a cache line that PCIe wrote: a miss"),
      launch      = assumed("10 us", { "5 us", "15 us" }, "as on k20-ggas"),
      room        = measured(1000, "10 %", "[Oden14] 5.8.3"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
