-- v100x4.lua - four V100 GPUs, NVLink 2, two links between any two.
--
-- The four-GPU Volta system of the PROACT paper: 300 GB/s of NVLink 2 per GPU,
-- both ways together.  (In a DGX-1 with V100s some pairs of a quad have one
-- link, others two.)  Only the memory was measured, by others.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

local function sheet (value)
  return spec(value, "NVIDIA Tesla V100 data sheet, SXM2")
end

return gs.system {
  name       = "v100x4",
  summary    = "four V100 GPUs, two NVLink 2 between any two",
  like       = "h200x8",
  gpus       = 4,
  topology   = gs.topology {
    kind     = "mesh",
    per_link = spec("25.78125 GB/s", "NVLink 2: 8 lanes of 25.78 Gb/s"),
    links    = {
      { 0, 2, 2, 2 },
      { 2, 0, 2, 2 },
      { 2, 2, 0, 2 },
      { 2, 2, 2, 0 },
    },
  },
  can        = { peer = "atomics", managed = true, device_launch = true },
  link       = "nvlink2", -- six links of 25.78 GB/s

  device = {
    memory  = sheet("16 GB"),
    sms     = sheet(80),
    threads = spec(2048, "CUDA, compute capability 7.0"),
    flops   = spec("15.7 Tflop/s", "NVIDIA Tesla V100 data sheet, FP32"),
    flops_fp64 = spec("7.8 Tflop/s", "NVIDIA Tesla V100 data sheet, FP64"),
    flops_fp16 = spec("125 Tflop/s", "NVIDIA Tesla V100 data sheet, FP16 tensor"),
    membw   = measured("869 GB/s", "10 GB/s", "te42kyfo/gpu-benches README"),
    l2      = spec("6 MiB", "Comparing Tesla K40 and Tesla V100, table 1"),
  },

  copy = {
    -- 24.2 GB/s of one link, remembered from DGX-1 logs, over 24.26 (16 of 17)
    efficiency = assumed(0.99, { 0.93, 1 },
                         "P100 0.981 and A100 0.979 were measured, V100 not"),
    all_active = assumed(0.98, { 0.9, 1 }, "own links; as on h200x8"),
    contended  = assumed(0.92, { 0.67, 1 }, "h200x4: 0.74; here own links"),
    initiation = assumed("6 us", { "2.35 us", "9.84 us" },
                         "between P100 (Tartan) and h200x8"),
    interference = assumed("2.3 ps/B", { "0 ps/B", "5 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  store = {
    -- NCCL reckons with 20 GB/s of a link; 8 of 9 flits are 22.9 GB/s
    efficiency = assumed(0.9, { 0.8, 1 },
                         "NCCL, graph/topo.h: 20 GB/s a link on SM70"),
    all_active = assumed(0.98, { 0.9, 1 }, "own links; as on h200x8"),
    rate       = assumed("3.6 G/s", { "1.5 G/s", "8 G/s" },
                         "as on h200x8 per SM and clock"),
    latency    = assumed("1.2 us", { "0.7 us", "2.3 us" },
                         "cuda-samples issue 230: 2.3 us with its kernel"),
    interference = assumed("2.6 ps/B", { "0 ps/B", "5 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  agent = { -- h200x8 has 1.98 GHz, this 1.53
    thread_rate = assumed("89 MB/s", { "20 MB/s", "115 MB/s" },
                          "as on h200x8, by clock"),
    gap         = assumed("0.68 us", { "0.5 us", "3 us" },
                          "as on h200x8, by clock"),
    latency     = assumed("3.5 us", { "2.6 us", "15 us" },
                          "as on h200x8, by clock"),
    -- 0.3 ns x 1056 places x 1.98 GHz / (640 places x 1.53 GHz)
    track       = assumed("0.64 ns", { "0.3 ns", "5 ns" },
                          "as on h200x8, by places of a block and by clock"),
  },

  cdp = {
    gap     = assumed("14.61 us", { "14.61 us", "30 us" },
                      "[Proact21] 2.5.1: higher on Volta, so as on k40x4 at least"),
    waits   = assumed(0, { 0, 1 },
                      "[Proact21] Fig 6: copies beside their kernel"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
