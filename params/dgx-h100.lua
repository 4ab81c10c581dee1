-- dgx-h100.lua - DGX H100: eight H100 GPUs, NVLink 4 through NVSwitch.
--
-- What one GPU, a pair and the host do was measured on two such GPUs (h100x2);
-- what eight do at once was on eight H200 (h200x8), whose switch is the same.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

local logs = "nccl-tests of xxrjun/nccl-tests-cluster, one node"

local function sheet (value)
  return spec(value, "NVIDIA H100 SXM data sheet")
end

local function white_paper (value)
  return spec(value, "NVIDIA H100 white paper, SXM5")
end

return gs.system {
  name     = "dgx-h100",
  summary  = "DGX H100: eight H100 GPUs, NVLink 4 through NVSwitch",
  like     = "h100x2",
  gpus     = 8,
  topology = "switch",
  grows    = true, -- a switch with more ports
  can      = { peer = "atomics", managed = true, device_launch = true },
  link     = "nvlink4",

  device = {
    memory  = sheet("80 GB"),
    sms     = sheet(132),
    threads = spec(2048, "CUDA, compute capability 9.0"),
    flops   = sheet("66.9 Tflop/s"),
    flops_fp64 = white_paper("33.5 Tflop/s"),
    flops_fp64_tensor = white_paper("66.9 Tflop/s"),
    flops_tf32 = white_paper("494.7 Tflop/s"),
    flops_fp16 = white_paper("989.4 Tflop/s"),
    flops_fp8  = white_paper("1.9789 Pflop/s"),
    membw   = assumed("3.0 TB/s", { "2.9 TB/s", "3.1 TB/s" }, "as on h100x2"),
  },

  copy = {
    efficiency = assumed(0.97, { 0.94, 1 }, "as on h100x2 and h200x8"),
    all_active = assumed(0.99, { 0.96, 1 }, "as on h200x8"),
    contended  = assumed(0.75, { 0.67, 0.83 }, "as on h200x8"),
    initiation = assumed("2.5 us", { "2.3 us", "2.7 us" }, "as on h100x2"),
  },

  staged = {
    rate = assumed("38 GB/s", { "30 GB/s", "46 GB/s" }, "as on h200x8"),
  },

  store = {
    efficiency = assumed(0.92, { 0.9, 0.94 }, "as on h100x2"),
    all_active = assumed(0.98, { 0.95, 1 }, "as on h200x8"),
    rate       = assumed("6.9 G/s", { "6.7 G/s", "7.1 G/s" }, "as on h100x2"),
  },

  -- three nodes of xxrjun/nccl-tests-cluster, 4 and 8 GPUs, 32 MiB and more, NCCL
  -- 2.29.2; small calls as on h200x4, whose switch is the same
  coll = {
    start        = assumed("5.1 us", { "4.6 us", "5.6 us" }, "as on h200x4"),
    step         = assumed("640 ns", { "540 ns", "740 ns" }, "as on h200x4"),
    ll_rate      = assumed("7 GB/s", { "5.5 GB/s", "8.5 GB/s" }, "as on h200x4"),
    flag_step    = assumed("1.06 us", { "0.9 us", "1.3 us" }, "as on h200x4"),
    ll128_rate   = assumed("168 GB/s", { "150 GB/s", "186 GB/s" }, "as on h200x4"),
    simple_start = measured("26.7 us", "1.0 us", logs),
    efficiency   = measured(0.965, 0.003, logs),
    turn         = assumed(0.52, { 0.45, 0.59 }, "as on h200x4"),
    pair_start   = assumed("1 us", { "0.9 us", "1.1 us" }, "as on h200x4"),
    channel      = measured("20.0 GB/s", "0.1 GB/s", logs),
    channels     = spec(32, "NCCL 2.29, channels of a GPU"),
    switch       = measured(0.734, 0.008, logs),
    off_middle   = measured(0.053, 0, logs),
    off_large    = measured(0.049, 0, logs),
    version      = spec(22902, "NCCL 2.29.2"),
  },

  -- No watt of this machine was measured. Nodes with eight H100
  -- draw 76 % of what is rated [Newkirk25]; two processors of 350 W (Intel, Xeon
  -- Platinum 8480+, ark.intel.com) are eight GPUs'.
  power = {
    gpu_busy = assumed("560 W", { "460 W", "660 W" }, "as measured on two H100"),
    gpu_idle = assumed("121 W", { "113 W", "129 W" }, "as measured on two H100"),
    host_busy     = assumed("60 W", { "30 W", "88 W" },
                            "a part of its processors' TDP"),
    host_asleep   = assumed("35 W", { "15 W", "60 W" }, "idle"),
    memory_busy   = assumed("20 W", { "10 W", "35 W" }, "its DIMMs"),
    memory_asleep = assumed("12 W", { "5 W", "20 W" }, "refreshed"),
    link = assumed("405 pJ/B", { "325 pJ/B", "485 pJ/B" }, "as measured on two H100"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
