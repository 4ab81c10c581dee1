-- perlmutter.lua - Perlmutter's GPU nodes: four A100, each with a Slingshot card.
--
-- A node is described here: four A100 of 40 GB, each joined to each other one by
-- four links of NVLink 3.  Network and links are from data sheets, collectives
-- from public logs of this machine; what messages take was measured on another
-- network (ABCI 2.0, HDR InfiniBand of the same rate), and is assumed.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

-- all-reduce, all-gather and reduce-scatter of 32 KiB to 8 GiB, 1 to 128 nodes
local logs = "NCCL, ShashankSubramanian/transformer-perf-estimates"

local function sheet (value)
  return spec(value, "NVIDIA A100 data sheet, SXM4 40 GB")
end

local nersc = "NERSC, Perlmutter architecture"
local abci = "aistabci/abci2.0benchmark, HDR InfiniBand of the same rate"

return gs.system {
  name       = "perlmutter",
  summary    = "256 nodes of Perlmutter, 4 A100 and 4 Slingshot cards each",
  like       = "h200x8",
  gpus       = 4,
  topology   = gs.topology {
    kind = "mesh", per_link = spec(1 / 12, "four of twelve links to each"),
    links = { { 0, 4, 4, 4 }, { 4, 0, 4, 4 }, { 4, 4, 0, 4 }, { 4, 4, 4, 0 } },
  },
  can        = { peer = "atomics", managed = true, device_launch = true },
  link       = "nvlink3",
  nodes      = 256, -- of 1536, as many as 1024 GPUs have
  rails      = 4,

  device = {
    memory  = sheet("40 GB"),
    sms     = sheet(108),
    threads = spec(2048, "CUDA, compute capability 8.0"),
    flops   = sheet("19.5 Tflop/s"),
    flops_fp64 = sheet("9.7 Tflop/s"),
    flops_fp64_tensor = sheet("19.5 Tflop/s"),
    flops_tf32 = sheet("156 Tflop/s"),
    flops_fp16 = sheet("312 Tflop/s"),
    membw   = assumed("1.4 TB/s", { "1.3 TB/s", "1.5 TB/s" },
                      "1.555 TB/s on the data sheet; 0.85 to 0.97 is usual"),
  },

  copy = {
    efficiency = assumed(0.98, { 0.95, 1 }, "as on dgx-a100"),
    all_active = assumed(0.98, { 0.9, 1 }, "as on dgx-a100"),
    initiation = assumed("3 us", { "2.3 us", "6 us" }, "as on dgx-a100"),
  },

  staged = {
    pinned = assumed("22 GB/s", { "18 GB/s", "25 GB/s" }, "PCIe 4, 16 lanes"),
  },

  store = {
    efficiency = assumed(0.96, { 0.9, 1 }, "as on dgx-a100"),
    all_active = assumed(0.98, { 0.9, 1 }, "as on dgx-a100"),
    rate       = assumed("4.5 G/s", { "2 G/s", "8 G/s" }, "as on dgx-a100"),
  },

  network = {
    link       = "slingshot11",
    topology   = "fat-tree", -- a dragonfly: groups of switches, in the mean
    -- A group is a cabinet: 128 nodes on 32 switches, each joined to each other
    -- one (docs.nersc.gov/systems/perlmutter/architecture); only what leaves it
    -- takes a link between groups.
    leaf       = 512,
    taper      = assumed(0.5, { 0.25, 1 }, "dragonfly, links between groups"),
    efficiency = assumed(0.95, { 0.9, 1 }, "as InfiniBand of the same rate"),
    barrier    = assumed("3 us", { "1.5 us", "6 us" },
                         "a small message each way, host to host"),
    jitter     = assumed("5 us", { "0 us", "20 us" }, "nobody measured it"),
  },

  gpudirect = {
    overhead      = assumed("0.5 us", { "0.3 us", "1 us" }, abci),
    latency       = assumed("4 us", { "2.5 us", "6 us" }, abci),
    rate          = assumed("12 GB/s", { "8 GB/s", "20 GB/s" }, abci),
    stage         = assumed("110 ps/B", { "50 ps/B", "200 ps/B" }, abci),
    from          = assumed("16 KiB", { "8 KiB", "64 KiB" }, abci),
    long_overhead = assumed("0.8 us", { "0.4 us", "1.5 us" }, abci),
    long_latency  = assumed("7 us", { "4 us", "10 us" }, abci),
    long_rate     = assumed("22 GB/s", { "15 GB/s", "24.5 GB/s" }, nersc),
  },

  hostpath = {
    overhead      = assumed("0.3 us", { "0.15 us", "0.6 us" }, abci),
    latency       = assumed("2 us", { "1.5 us", "3 us" }, abci),
    rate          = assumed("15 GB/s", { "10 GB/s", "20 GB/s" }, abci),
    from          = assumed("16 KiB", { "8 KiB", "64 KiB" }, abci),
    long_overhead = assumed("0.5 us", { "0.25 us", "1 us" }, abci),
    long_latency  = assumed("5 us", { "3 us", "7 us" }, abci),
    long_rate     = assumed("23 GB/s", { "20 GB/s", "24.5 GB/s" }, nersc),
  },

  coll = {
    start            = assumed("5.3 us", { "3 us", "8 us" }, "as on h200x8"),
    step             = assumed("550 ns", { "400 ns", "1 us" }, "as on h200x8"),
    ll_rate          = assumed("9 GB/s", { "4 GB/s", "20 GB/s" }, "as on h200x8"),
    flag_step        = measured("1.74 us", "0.2 us", logs),
    ll128_rate       = measured("61 GB/s", "8 GB/s", logs),
    simple_start     = measured("27.2 us", "1.4 us", logs),
    efficiency       = measured(0.949, 0.011, logs),
    net_start        = measured("57.9 us", "5.7 us", logs),
    net_simple_step  = measured("37.2 us", "1.1 us", logs),
    tree_simple_step = measured("37.7 us", "1.1 us", logs),
    net_rate         = measured("73.3 GB/s", "0.4 GB/s", logs),
    off_small        = measured(0.182, 0, logs),
    off_middle       = measured(0.093, 0, logs),
    off_large        = measured(0.062, 0, logs),
    net_off_small    = measured(0.111, 0, logs),
    net_off_middle   = measured(0.098, 0, logs),
    net_off_large    = measured(0.046, 0, logs),
    net_ll_start     = measured("19.7 us", "1.4 us", logs),
    net_step         = measured("6.06 us", "0.14 us", logs),
    net_ll_rate      = measured("6.84 GB/s", "0.17 GB/s", logs),
    tree_step        = measured("14.7 us", "0.6 us", logs),
  },

  -- No watt of this machine was measured. As of nodes with
  -- H100 [Newkirk25]; a processor of 280 W (AMD, EPYC 7763, amd.com) is four GPUs'.
  power = {
    gpu_busy      = assumed("300 W", { "200 W", "400 W" },
                            "400 W: NVIDIA A100 data sheet, 2021, nvidia.com/en-us/data-center/a100"),
    gpu_idle      = assumed("75 W", { "45 W", "110 W" },
                            "clocks up, nothing to do"),
    host_busy     = assumed("45 W", { "25 W", "70 W" },
                            "a part of its processors' TDP"),
    host_asleep   = assumed("25 W", { "12 W", "45 W" }, "idle"),
    memory_busy   = assumed("8 W", { "4 W", "14 W" }, "its DIMMs"),
    memory_asleep = assumed("5 W", { "2 W", "10 W" }, "refreshed"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
