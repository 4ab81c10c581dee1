-- dgx-h100-ndr.lua - DGX H100 nodes, each of eight NDR InfiniBand cards.
--
-- A node is eight GPUs of h100x2 and its switch.  The network's numbers are those
-- of public logs and of another network's, whose machine is named; nobody here
-- has measured this one.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

-- two nodes of 1, 2, 4 and 8 GPUs, all-to-all and send-receive; ten, all kinds
local logs = "nccl-tests of xxrjun/nccl-tests-cluster, two and ten nodes"
-- one card of ABCI 2.0, eight A100 and four HDR a node, with Open MPI and UCX
local abci = "aistabci/abci2.0benchmark, HDR; between it and twice its rate"

-- puts and signals of a few bytes, to and fro between kernels on two H100 nodes:
-- 16.7 us by NCCL's device API, about half more by NVSHMEM
local gin = "[Hamidouche25]: 16.7 us to and fro, and more by NVSHMEM"

return gs.system {
  name    = "dgx-h100-ndr",
  summary = "128 DGX H100 nodes, 8 GPUs and 8 NDR InfiniBand rails each",
  node    = "dgx-h100",
  nodes   = 128,
  rails   = 8,
  grows   = true, -- more switches

  network = {
    link       = "ib-ndr",
    topology   = "rails", -- a node's cards are on eight leaf switches
    leaf       = 32,      -- nodes: NVIDIA DGX SuperPOD, a scalable unit
    taper      = spec(1, "NVIDIA DGX SuperPOD reference architecture"),
    efficiency = assumed(0.95, { 0.9, 1 }, "48 to 49 GB/s of 49.7 in " .. logs),
    barrier    = assumed("2 us", { "1 us", "4 us" },
                         "a small message each way, host to host"),
    jitter     = assumed("2 us", { "0 us", "10 us" }, "nobody measured it"),
  },

  gpudirect = {
    overhead      = assumed("0.4 us", { "0.2 us", "0.8 us" }, abci),
    latency       = assumed("3.3 us", { "2 us", "4 us" }, abci),
    rate          = assumed("20 GB/s", { "12 GB/s", "28 GB/s" }, abci),
    stage         = assumed("80 ps/B", { "30 ps/B", "130 ps/B" }, abci),
    from          = assumed("16 KiB", { "8 KiB", "64 KiB" }, abci),
    long_overhead = assumed("0.6 us", { "0.3 us", "1.2 us" }, abci),
    long_latency  = assumed("6.5 us", { "4 us", "9 us" }, abci),
    long_rate     = assumed("45 GB/s", { "38 GB/s", "49 GB/s" }, logs),
  },

  hostpath = {
    overhead      = assumed("0.2 us", { "0.1 us", "0.4 us" }, abci),
    latency       = assumed("1.5 us", { "1 us", "2 us" }, abci),
    rate          = assumed("30 GB/s", { "20 GB/s", "40 GB/s" }, abci),
    from          = assumed("16 KiB", { "8 KiB", "64 KiB" }, abci),
    long_overhead = assumed("0.4 us", { "0.2 us", "0.8 us" }, abci),
    long_latency  = assumed("4.5 us", { "3 us", "6 us" }, abci),
    long_rate     = assumed("48 GB/s", { "44 GB/s", "49 GB/s" }, abci),
  },

  coll = {
    -- 2 and 10 nodes, 8 GPUs each, 32 MiB and more
    net_start        = measured("335 us", "131 us", logs),
    net_simple_step  = measured("10.6 us", "7.4 us", logs),
    tree_simple_step = measured("50.8 us", "15.5 us", logs),
    net_full         = measured(0.918, 0.053, logs),
    net_rate         = measured("360 GB/s", "15.4 GB/s", logs),
    net_off_middle   = measured(0.176, 0, logs),
    net_off_large    = measured(0.093, 0, logs),
    net_ll_start     = assumed("10 us", { "5 us", "20 us" }, abci),
    net_step         = assumed("5 us", { "4 us", "6.5 us" }, abci),
    net_ll_rate      = assumed("7 GB/s", { "4 GB/s", "14 GB/s" }, abci),
    tree_step        = assumed("7.2 us", { "5 us", "15 us" }, abci),
  },

  -- A thread posts the put and its signal, the other GPU looks for it: 8.4 us or
  -- more one way, of which the wire takes what it takes between hosts.
  remote = {
    path = {
      latency = assumed("1.5 us", { "1 us", "2 us" }, abci),
      rate    = assumed("48 GB/s", { "44 GB/s", "49 GB/s" }, abci),
      read    = assumed("45 GB/s", { "38 GB/s", "49 GB/s" }, logs),
    },
    control = {
      post_gpu = assumed("7 us", { "4 us", "10 us" }, gin),
      poll_gpu = assumed("2 us", { "1 us", "4 us" }, gin),
      watch    = assumed("1 us", { "0.5 us", "1.5 us" }, "a load or two by PCIe"),
    },
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
