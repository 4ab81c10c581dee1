-- pcie-tree4.lua - four V100 GPUs on PCIe 3, two below each PCIe switch.
--
-- The common board: each switch has an uplink to one root.  Peer copies below a
-- switch do not leave it; the others pass the root in packets of 64 B.  The
-- memory and copies of one pair were measured by others, the tree as a whole
-- never.  For other generations: `gpuscale compare --link pcie3,pcie4,...`.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

local function sheet (value)
  return spec(value, "NVIDIA Tesla V100 data sheet, PCIe")
end

local pair = "p2pBandwidthLatencyTest log, two V100 on PCIe 3"

return gs.system {
  name       = "pcie-tree4",
  summary    = "four V100 GPUs on PCIe 3, two below each switch",
  like       = "h200x8",
  gpus       = 4,
  topology   = gs.topology {
    kind   = "tree",
    group  = 2, -- GPUs below one switch
    uplink = spec(1, "16 lanes, as the GPUs' own"),
    split  = spec("64 B", "NCCL, graph/topo.h: Intel roots cut peer writes"),
  },
  grows      = true, -- more switches of two
  -- PCIe carries no atomics from one of these GPUs to another.
  can        = { peer = "stores", managed = true, device_launch = true },

  link = {
    name    = "pcie3",
    payload = "128 B",
    duplex  = measured(1.94, 0.02, pair), -- 25.5 GB/s, 13.16 one way
  },

  device = {
    memory  = sheet("16 GB"),
    sms     = sheet(80),
    threads = spec(2048, "CUDA, compute capability 7.0"),
    flops   = spec("14 Tflop/s", "NVIDIA Tesla V100 data sheet, PCIe, FP32"),
    flops_fp64 = spec("7 Tflop/s", "NVIDIA Tesla V100 data sheet, PCIe, FP64"),
    flops_fp16 = spec("112 Tflop/s", "NVIDIA Tesla V100 data sheet, PCIe, FP16 tensor"),
    membw   = measured("869 GB/s", "10 GB/s", "te42kyfo/gpu-benches README"),
  },

  copy = {
    -- 13.16 GB/s over 13.27 (128 of 152 B)
    efficiency = measured(0.992, 0.005, pair),
    all_active = assumed(0.95, { 0.8, 1 }, "switches that GPUs share"),
    contended  = assumed(0.89, { 0.67, 1 }, "h200x4: 0.74"),
    initiation = assumed("5 us", { "2.2 us", "12 us" },
                         "between h200x8 and P100 (Tartan)"),
    interference = assumed("2.3 ps/B", { "0 ps/B", "5 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  store = {
    efficiency = assumed(0.95, { 0.8, 1 }, "no store test on PCIe 3 is known"),
    all_active = assumed(0.95, { 0.8, 1 }, "switches that GPUs share"),
    rate       = assumed("3.6 G/s", { "1.5 G/s", "8 G/s" },
                         "as on h200x8 per SM and clock"),
    latency    = measured("2.2 us", "0.2 us", pair),
    interference = assumed("2.3 ps/B", { "0 ps/B", "5 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  cdp = {
    waits   = assumed(0, { 0, 1 },
                      "[Proact21] Fig 6: copies beside their kernel"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
