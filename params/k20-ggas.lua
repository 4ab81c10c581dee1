-- k20-ggas.lua - a node with a K20 and an Extoll card at 175 MHz that maps all GPUs of
-- up to twelve nodes into one address space: the machine of the dissertation of L.
-- Oden, chapter 6. What the same card does by descriptors was measured at 157 MHz and
-- is scaled.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name     = "k20-ggas",
  summary  = "K20 and Extoll at 175 MHz, global addresses: a node of [Oden14] 6",
  like     = "h200x8",
  gpus     = 1, -- of a node
  nodes    = 12,
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

  -- Of this machine no watt is printed: those of k20-fdr.
  power = {
    gpu_busy = assumed("187 W", { "150 W", "225 W" },
                       "225 W on the K20 data sheet; bound by memory"),
    gpu_idle = assumed("45 W", { "20 W", "70 W" }, "clocks up, nothing to do"),
    host_busy     = assumed("50 W", { "40 W", "95 W" }, "as on k20-fdr"),
    host_asleep   = assumed("26.5 W", { "22 W", "32 W" }, "as on k20-fdr"),
    memory_busy   = assumed("3.9 W", { "3 W", "5 W" }, "as on k20-fdr"),
    memory_asleep = assumed("2.2 W", { "2 W", "3 W" }, "as on k20-fdr"),
  },

  -- As `remote.path` has them.
  gpudirect = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = assumed("4.4 us", { "4 us", "4.9 us" },
               "4.9 us at 157 MHz, by the clock"),
    rate     = assumed("857 MB/s", { "769 MB/s", "968 MB/s" },
               "769 MB/s at 157 MHz, by the clock"),
  },

  hostpath = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = assumed("4.4 us", { "4 us", "4.9 us" },
               "4.9 us at 157 MHz, by the clock"),
    rate     = assumed("994 MB/s", { "892 MB/s", "1.1 GB/s" },
               "892 MB/s at 157 MHz, by the clock"),
  },

  staged = {
    pinned     = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
    initiation = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
  },

  remote = {
    path = {
      latency = assumed("4.4 us", { "4 us", "4.9 us" },
                        "4.9 us at 157 MHz, by the clock"),
      rate    = assumed("994 MB/s", { "892 MB/s", "1.1 GB/s" },
                        "892 MB/s at 157 MHz, by the clock"),
      read    = assumed("857 MB/s", { "769 MB/s", "968 MB/s" },
                        "769 MB/s at 157 MHz, by the clock"),
      post    = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
      gap     = assumed("1.21 us", { "0.5 us", "2 us" }, "as on k20-qdr"),
    },
    stage = {
      copy  = assumed("1.5 us", { "1 us", "2 us" }, "half of a copy's 2 to 4 us"),
      query = assumed("1.5 us", { "1 us", "2 us" }, "the other half"),
      start = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
      down  = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
      up    = assumed("6 GB/s", { "5 GB/s", "6.6 GB/s" }, "PCIe 2, 16 lanes"),
      buffer = assumed("6 GB/s", { "3 GB/s", "9 GB/s" }, "one core's memcpy"),
      chunk  = spec("256 KiB", "[Oden14] 4.3.8"),
      match  = assumed("6 us", { "2 us", "20 us" },
                       "RTS, CTS and a lookup: more than one message's latency"),
    },
    control = {
      put    = assumed("4.6 us", { "4.2 us", "5.1 us" },
                       "5.1 us at 157 MHz, by the clock"),
      notify = assumed("10.8 us", { "9 us", "12 us" }, "as on k20-galibier"),
      launch = fitted("10 us", "10 %",
                       "OD317, OD318: barriers as kernels, less OD315, OD316"),
    },
    space = {
      store   = measured("3 us", "10 %", "[Oden14] 6.6.1"),
      load    = measured("5.6 us", "5 %", "[Oden14] 6.6.1"),
      rate    = spec("1.4 GB/s", "[Oden14] 6.6: 175 MHz, 8 B"),
      payload = spec("64 B", "[Oden14] table 6.1"),
      header  = fitted("48 B", "20 %", "OD333: 800 MB/s of stores"),
      values      = spec(16, "[Oden14] table 6.1"),
      outstanding = measured(25, "2 %", "[Oden14] 6.6.2"),
      window  = spec("256 MiB", "[Oden14] 6.4.1"),
      threads = measured(8192, "5 %", "[Oden14] 6.6.1"),
      flag      = fitted("3 us", "20 %",
                         "OD315: 9 us at two GPUs, less two stores"),
      flag_more = fitted("0.33 us", "20 %", "OD316: 11 us at eight GPUs"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
