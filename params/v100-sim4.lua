-- v100-sim4.lua - the simulated systems of GPS and FinePack: four V100 GPUs
-- below a tree of PCIe switches, 4 KiB in a packet.
--
-- Printed are the GPUs, the tree, the rates (PCIe 3 to 6) and the payload.  The
-- rest is what pcie-tree4 has; but a simulated root passes packets on as they
-- are.  For other generations: `--link pcie4`, ...

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

local function sheet (value)
  return spec(value, "NVIDIA Tesla V100 data sheet, PCIe")
end

local pair = "p2pBandwidthLatencyTest log, two V100 on PCIe 3"

return gs.system {
  name       = "v100-sim4",
  summary    = "four simulated V100 GPUs on PCIe 3, packets of 4 KiB",
  like       = "h200x8",
  gpus       = 4,
  topology   = gs.topology {
    kind   = "tree",
    group  = 2, -- GPUs below one switch
    uplink = spec(1, "16 lanes, as the GPUs' own"),
  },
  grows      = true, -- more switches of two
  -- GPS's programs update other GPUs by atomics [Gps21, 7.4].
  can        = { peer = "atomics", managed = true, device_launch = true },

  link = {
    name    = "pcie3",
    payload = "4 KiB",
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
    l2      = spec("6 MiB", "Comparing Tesla K40 and Tesla V100, table 1"),
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

  -- [Gps21] 5.1: "Atomics follow the same behavior as stores"; 7.4: "atomic
  -- operations whose coalescing is not supported by the GPS write queue".  Neither
  -- says what the SM does with the lanes of one instruction.
  atomic = {
    merge = assumed("32 B", { "4 B", "128 B" },
                    "sectors, as on H100 and H200; [Gps21] does not say"),
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

  um = { -- 64 KiB in 50 us, one fault after the other
    fault_rate = assumed("1.31072 GB/s", { "0.6 GB/s", "5.3 GB/s" },
                         "[Diss22] 4.6.2: a fault takes 20 to 50 us"),
  },

  cdp = {
    waits   = assumed(0, { 0, 1 },
                      "[Proact21] Fig 6: copies beside their kernel"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
