-- p100x4.lua - four P100 GPUs, NVLink 1, one link between any two.
--
-- One quad of a DGX-1.  Each GPU has a fourth link, which leaves the quad and
-- is idle here.  Copies were measured by others (Tartan, IISWC 2018); memory,
-- host and agent were not.  No curve of cache effects is known.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

local function sheet (value)
  return spec(value, "NVIDIA Tesla P100 data sheet, SXM2")
end

return gs.system {
  name       = "p100x4",
  summary    = "four P100 GPUs, one NVLink 1 between any two",
  like       = "h200x8",
  gpus       = 4,
  topology   = gs.topology {
    kind     = "mesh",
    per_link = spec("20 GB/s", "NVLink 1: 8 lanes of 20 Gb/s"),
    links    = {
      { 0, 1, 1, 1 },
      { 1, 0, 1, 1 },
      { 1, 1, 0, 1 },
      { 1, 1, 1, 0 },
    },
  },
  can        = { peer = "atomics", managed = true, device_launch = true },
  link       = "nvlink1", -- four links of 20 GB/s
  copy_sizes = { "1 B", "256 MiB" },

  device = {
    memory  = sheet("16 GB"),
    sms     = sheet(56),
    threads = spec(2048, "CUDA, compute capability 6.0"),
    flops   = spec("10.6 Tflop/s", "NVIDIA Tesla P100 data sheet, FP32"),
    flops_fp64 = spec("5.3 Tflop/s", "NVIDIA Tesla P100 data sheet, FP64"),
    flops_fp16 = spec("21.2 Tflop/s", "NVIDIA Tesla P100 data sheet, FP16"),
    membw   = assumed("660 GB/s", { "550 GB/s", "732 GB/s" },
                      "732 GB/s on the data sheet; 0.85 to 0.97 usual"),
    l2      = spec("4 MiB", "TechRival, table of NVIDIA"),
  },

  copy = {
    -- 18.47 GB/s of one link, one way or both, over 18.82 (16 of 17 flits)
    efficiency = measured(0.981, 0.005, "uuudown/Tartan, scale_up_p2p_test"),
    all_active = assumed(0.98, { 0.9, 1 }, "own links; as on h200x8"),
    contended  = assumed(0.92, { 0.67, 1 }, "h200x4: 0.74; here own links"),
    -- one of many small copies in a row
    initiation = measured("9.84 us", "0.24 us",
                          "uuudown/Tartan, scale_up_p2p_packet"),
    interference = assumed("3.0 ps/B", { "0 ps/B", "6 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  store = {
    -- NCCL reckons with 18 GB/s of a link; 8 of 9 flits are 17.8 GB/s
    efficiency = assumed(1, { 0.9, 1 },
                         "NCCL, graph/topo.h: 18 GB/s a link on SM60"),
    all_active = assumed(0.98, { 0.9, 1 }, "own links; as on h200x8"),
    rate       = assumed("2.3 G/s", { "1 G/s", "8 G/s" },
                         "as on h200x8 per SM and clock"),
    latency    = assumed("1.2 us", { "0.7 us", "2.3 us" },
                         "cuda-samples issue 230: 2.3 us with its kernel"),
    -- Of 2 B of memory traffic per byte, as on h200x8: 3.5 (0 to 7).
    interference = fitted("2.691 ps/B", "10 %",
                          "P-060: the lead of polling agents, Fig 2.6b"),
  },

  agent = { -- h200x8 has 1.98 GHz, this 1.48
    thread_rate = assumed("86 MB/s", { "20 MB/s", "115 MB/s" },
                          "as on h200x8, by clock"),
    gap         = assumed("0.7 us", { "0.5 us", "3 us" },
                          "as on h200x8, by clock"),
    latency     = assumed("3.6 us", { "2.6 us", "15 us" },
                          "as on h200x8, by clock"),
    -- 0.3 ns x 1056 places x 1.98 GHz / (448 places x 1.48 GHz)
    track       = assumed("0.95 ns", { "0.3 ns", "6 ns" },
                          "as on h200x8, by places of a block and by clock"),
  },

  cdp = {
    waits   = assumed(0, { 0, 1 },
                      "[Proact21] Fig 6: copies beside their kernel"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
