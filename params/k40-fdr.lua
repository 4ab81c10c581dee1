-- k40-fdr.lua - a K40c of a node with six of them and a ConnectX-3 at FDR rate, on Ivy
-- Bridge: the machine on which the dissertation of L. Oden compares GPI-2 with MPI
-- (its chapter 4). Four GPUs of a node are used, which send to each other by the card,
-- too (its 4.4.3): here each is a node, and four share a card.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name     = "k40-fdr",
  summary  = "K40c and InfiniBand FDR: a GPU of a node of [Oden14] 4.4",
  like     = "h200x8",
  gpus     = 1,
  nodes    = 16,
  shared   = 4,
  network  = { link = "ib-fdr" },
  topology = "switch",
  link     = { name = "pcie3", payload = "128 B" },
  can      = { peer = "stores", managed = false, device_launch = true },

  device = {
    memory  = spec("12 GB", "NVIDIA Tesla K40 data sheet"),
    sms     = spec(15, "NVIDIA Tesla K40 data sheet"),
    threads = spec(2048, "CUDA, compute capability 3.5"),
    flops   = spec("4.29 Tflop/s", "NVIDIA Tesla K40 data sheet, FP32"),
    flops_fp64 = spec("1.43 Tflop/s", "NVIDIA Tesla K40 data sheet, FP64"),
    membw   = assumed("220 GB/s", { "180 GB/s", "270 GB/s" },
                      "288 GB/s on the data sheet, less with ECC"),
  },

  -- As `remote.path` has them.
  gpudirect = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = assumed("2 us", { "1.2 us", "3 us" }, "FDR; 3 us on k20-qdr"),
    rate     = measured("2.2 GB/s", "5 %", "[Oden14] 3.4.3"),
  },

  hostpath = {
    overhead = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
    latency  = assumed("2 us", { "1.2 us", "3 us" }, "FDR; 3 us on k20-qdr"),
    rate     = fitted("4.085 GB/s", "10 %", "as remote.path"),
  },

  staged = {
    pinned     = assumed("10 GB/s", { "6 GB/s", "11.5 GB/s" }, "PCIe 3, 16 lanes"),
    initiation = assumed("8 us", { "5 us", "12 us" }, "cudaMemcpy of our days"),
  },

  remote = {
    path = {
      latency = assumed("2 us", { "1.2 us", "3 us" }, "FDR; 3 us on k20-qdr"),
      -- FDR less packets and PCIe lets expect 5.5 to 6.4: wrong for this machine.
      rate    = fitted("4.085 GB/s", "10 %", "OD102: Himeno by GASPI, Fig 4.17a"),
      read    = measured("2.2 GB/s", "5 %", "[Oden14] 3.4.3"),
      far_read  = measured("350 MB/s", "5 %", "[Oden14] 3.4.4"),
      far_write = measured("1 GB/s", "5 %", "[Oden14] 3.4.4"),
      post    = measured("0.01 us", "50 %", "[Oden14] table 5.2"),
      gap     = assumed("1.21 us", { "0.5 us", "1.4 us" }, "as on k20-qdr"),
    },
    stage = {
      copy  = assumed("1.5 us", { "1 us", "2 us" }, "half of a copy's 2 to 4 us"),
      query = assumed("1.5 us", { "1 us", "2 us" }, "the other half"),
      -- Twice what copies of our days take (5 to 12 us): wrong for this machine.
      start = fitted("22.47 us", "10 %", "OD092: all-reduce of 2 GPUs, Fig 4.12"),
      down  = assumed("10 GB/s", { "6 GB/s", "11.5 GB/s" }, "PCIe 3, 16 lanes"),
      up    = assumed("10 GB/s", { "6 GB/s", "11.5 GB/s" }, "PCIe 3, 16 lanes"),
      buffer = assumed("6 GB/s", { "3 GB/s", "9 GB/s" }, "one core's memcpy"),
      chunk  = spec("256 KiB", "[Oden14] 4.3.8"),
      direct = spec("32 KiB", "[Oden14] 4.3.8"),
      match  = fitted("26.2 us", "20 %", "OD103: Himeno by MPI, Fig 4.17a"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
