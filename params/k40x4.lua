-- k40x4.lua - four Tesla K40m GPUs on PCIe 3, two below each PCIe switch.
--
-- The four-GPU Kepler system of the PROACT paper, which does not say how it is
-- wired: the usual tree is assumed.  Of its communication nothing was measured
-- by itself.  Three numbers are fitted to what is printed of its programs, and lie
-- outside of what data sheets and other machines let expect; so `reproduce` and
-- `predict` speak of the same machine.  `ct-bus` is the published model of such a
-- machine as one bus.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

local function sheet (value)
  return spec(value, "NVIDIA Tesla K40 data sheet")
end

return gs.system {
  name       = "k40x4",
  summary    = "four Tesla K40m GPUs on PCIe 3, two below each switch",
  like       = "h200x8",
  gpus       = 4,
  topology   = gs.topology {
    kind   = "tree",
    group  = 2, -- GPUs below one switch
    uplink = spec(1, "16 lanes, as the GPUs' own"),
    split  = spec("64 B", "NCCL, graph/topo.h: Intel roots cut peer writes"),
  },
  grows      = true, -- more switches of two
  -- Faults and hints (cudaMemAdvise) are of compute capability 6.0 on, this is 3.5.
  can        = { peer = "stores", managed = false, device_launch = true },

  link = {
    name    = "pcie3",
    payload = "128 B",
    -- Half of what 16 lanes carry.  Copies of 0.6 to 1 of these, as guessed before,
    -- do not explain the printed times: that range was wrong for this machine.
    rate    = fitted("6.531 GB/s", "10 %", "C-038: 1.31 of the speedup by copies"),
    duplex  = assumed(1.9, { 1.5, 2 }, "two V100 on PCIe 3: 1.94"),
  },

  device = {
    memory  = sheet("12 GB"),
    sms     = sheet(15),
    threads = spec(2048, "CUDA, compute capability 3.5"),
    flops   = spec("4.29 Tflop/s", "NVIDIA Tesla K40 data sheet, FP32"),
    flops_fp64 = spec("1.43 Tflop/s", "NVIDIA Tesla K40 data sheet, FP64"),
    membw   = assumed("220 GB/s", { "180 GB/s", "270 GB/s" },
                      "288 GB/s on the data sheet, less with ECC"),
    l2      = spec("1.5 MiB", "TechRival, table of NVIDIA"),
  },

  copy = {
    efficiency = assumed(0.9, { 0.6, 1 },
                         "V100 on PCIe 3: 0.99; H2D copies of others: 0.93"),
    all_active = assumed(0.95, { 0.8, 1 }, "switches that GPUs share"),
    contended  = assumed(0.89, { 0.67, 1 }, "h200x4: 0.74"),
    initiation = assumed("10 us", { "5 us", "20 us" },
                         "P100 (Tartan): 9.84 us; Kepler is older"),
    interference = assumed("9 ps/B", { "0 ps/B", "18 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  store = {
    efficiency = assumed(0.9, { 0.6, 1 }, "no store test on PCIe 3 is known"),
    all_active = assumed(0.95, { 0.8, 1 }, "switches that GPUs share"),
    rate       = assumed("0.4 G/s", { "0.1 G/s", "4 G/s" },
                         "as on h200x8 per SM and clock"),
    latency    = assumed("2.5 us", { "2 us", "5 us" },
                         "two V100 on PCIe 3: 2.2 us"),
    -- Three times the most that 2 B of traffic a byte give: that range was wrong.
    interference = fitted("55.44 ps/B", "10 %",
                          "P-056: the lead of device launches, Fig 2.6a"),
  },

  agent = { -- h200x8 has 1.98 GHz, this 0.745
    thread_rate = assumed("43 MB/s", { "20 MB/s", "115 MB/s" },
                          "as on h200x8, by clock"),
    gap         = assumed("1.4 us", { "0.5 us", "3 us" },
                          "as on h200x8, by clock"),
    latency     = assumed("7.1 us", { "2.6 us", "15 us" },
                          "as on h200x8, by clock"),
    -- 0.3 ns x 1056 places x 1.98 GHz / (120 places x 0.745 GHz)
    track       = assumed("7.0 ns", { "0.3 ns", "20 ns" },
                          "as on h200x8, by places of a block and by clock"),
  },

  cdp = {
    gap     = fitted("14.61 us", "20 %",
                     "P-053: chunks from which device launches win, Fig 2.6a"),
    at_once = spec(32, "CUDA, compute capability 3.5"),
    waits   = assumed(0, { 0, 1 },
                      "[Proact21] Fig 6: copies beside their kernel"),
  },

  um = { fault_rate = spec("0 B/s", "compute capability 3.5: no page faults") },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
