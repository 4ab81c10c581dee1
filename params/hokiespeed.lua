-- hokiespeed.lua - a GPU of a node of HokieSpeed (two M2050, two hex-core Xeon E5645,
-- QDR InfiniBand), the cluster of MPI-ACC.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name     = "hokiespeed",
  summary  = "M2050 and InfiniBand QDR: a GPU of a node of [MpiAcc16]",
  like     = "h200x8",
  gpus     = 2, -- of a node
  nodes    = 128,
  network  = { link = "ib-qdr" },
  topology = "switch",
  link     = { name = "pcie2", payload = "128 B" },
  can      = { peer = "stores", managed = false, device_launch = false },

  device = {
    memory  = spec("3 GB", "NVIDIA Tesla M2050 data sheet"),
    sms     = spec(14, "NVIDIA Tesla M2050 data sheet"),
    threads = spec(1536, "CUDA, compute capability 2.0"),
    flops   = spec("1.03 Tflop/s", "NVIDIA Tesla M2050 data sheet, FP32"),
    flops_fp64 = spec("0.515 Tflop/s", "NVIDIA Tesla M2050 data sheet, FP64"),
    membw   = assumed("105 GB/s", { "90 GB/s", "125 GB/s" },
                      "148 GB/s on the data sheet, less with ECC"),
  },

  copy = {
    interference = assumed("19 ps/B", { "0 ps/B", "38 ps/B" }, "2 B of membw, as on H100 and H200"),
  },

  hostpath = {
    overhead = assumed("0.01 us", { "0 us", "0.1 us" }, "as on k20-qdr"),
    latency  = assumed("3 us", { "1.5 us", "4 us" }, "as on k20-qdr"),
    rate     = assumed("2.6 GB/s", { "2.2 GB/s", "3.2 GB/s" },
               "3.2 GB/s on k20-qdr, with newer processors"),
  },

  staged = {
    pinned     = assumed("5.6 GB/s", { "4.5 GB/s", "6.3 GB/s" },
               "PCIe 2, 16 lanes"),
    initiation = assumed("15 us", { "8 us", "25 us" }, "cudaMemcpy of Fermi"),
  },

  remote = {
    path = {
      latency = assumed("3 us", { "1.5 us", "4 us" }, "as on k20-qdr"),
      rate    = assumed("2.6 GB/s", { "2.2 GB/s", "3.2 GB/s" },
                        "3.2 GB/s on k20-qdr, with newer processors"),
      post    = assumed("0.01 us", { "0 us", "0.1 us" }, "as on k20-qdr"),
    },
    stage = {
      copy   = assumed("10 us", { "5 us", "15 us" }, "cudaMemcpyAsync of Fermi"),
      start  = assumed("15 us", { "8 us", "25 us" }, "cudaMemcpy of Fermi"),
      -- Copies by PCIe 2 make 4.5 to 6.3 elsewhere: wrong for this machine.
      down   = fitted("3.912 GB/s", "10 %", "M-025: 48.3 % at most, Fig 7"),
      up     = fitted("3.912 GB/s", "10 %", "as fast as down"),
      chunk  = spec("256 KiB", "[MpiAcc16] 4.2.1"),
      query  = measured("20 us", "10 %", "[MpiAcc16] 4.2.1"),
      handshake = fitted("27.15 us", "20 %",
                         "M-026: 18.2 % at most over the manual pipeline"),
      buffers = fitted("0.9623 ms", "20 %", "M-027: 3 % at 64 MB"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
