-- dgx-a100.lua - DGX A100: eight A100 GPUs, NVLink 3 through NVSwitch.
--
-- The 80 GB model.  Copies and stores were measured by others; memory, host and
-- agent were not.  No curve of cache effects is known.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

local abci = "aistabci/abci2.0benchmark, one node"

local function sheet (value)
  return spec(value, "NVIDIA A100 data sheet, SXM4 80 GB")
end

return gs.system {
  name       = "dgx-a100",
  summary    = "DGX A100: eight A100 GPUs, NVLink 3 through NVSwitch",
  like       = "h200x8",
  gpus       = 8,
  topology   = "switch",
  grows      = true, -- a switch with more ports
  can        = { peer = "atomics", managed = true, device_launch = true },
  link       = "nvlink3", -- twelve links of 25 GB/s

  device = {
    memory  = sheet("80 GB"),
    sms     = sheet(108),
    threads = spec(2048, "CUDA, compute capability 8.0"),
    flops   = spec("19.5 Tflop/s", "NVIDIA A100 data sheet, FP32"),
    flops_fp64 = spec("9.7 Tflop/s", "NVIDIA A100 data sheet, FP64"),
    flops_fp64_tensor = spec("19.5 Tflop/s", "NVIDIA A100 data sheet, FP64 tensor"),
    flops_tf32 = spec("156 Tflop/s", "NVIDIA A100 data sheet, TF32 tensor, dense"),
    flops_fp16 = spec("312 Tflop/s", "NVIDIA A100 data sheet, FP16 tensor, dense"),
    membw   = assumed("1.80 TB/s", { "1.65 TB/s", "2.0 TB/s" },
                      "2.039 TB/s on the data sheet; 0.85 to 0.97 is usual"),
  },

  copy = {
    -- 276.3 GB/s over 282.4 (16 of 17 flits)
    efficiency = measured(0.979, 0.01, "NVIDIA/nvbandwidth, README, 8 GPUs"),
    all_active = assumed(0.98, { 0.9, 1 }, "through switches; as on h200x8"),
    contended  = assumed(0.74, { 0.67, 1 }, "as on h200x4"),
    initiation = assumed("3 us", { "2.3 us", "6 us" }, "near that of h200x8"),
    interference = assumed("1.1 ps/B", { "0 ps/B", "2.2 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  store = {
    -- 230 GB/s over 240 (8 of 10 flits)
    efficiency = measured(0.96, 0.04, "NVIDIA/nccl-tests, issue 149"),
    all_active = assumed(0.98, { 0.9, 1 }, "through switches; as on h200x8"),
    rate       = assumed("4.5 G/s", { "2 G/s", "8 G/s" },
                         "as on h200x8 per SM and clock"),
    interference = assumed("1.3 ps/B", { "0 ps/B", "2.6 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  -- NCCL 2.8.4 on the model of 40 GB, four and eight GPUs, 4 B to 32 MiB
  coll = {
    start        = measured("7.44 us", "0.09 us", abci),
    step         = measured("765 ns", "19 ns", abci),
    ll_rate      = measured("2.02 GB/s", "0.12 GB/s", abci),
    flag_step    = measured("2.05 us", "0.3 us", abci),
    ll128_rate   = measured("14.6 GB/s", "2 GB/s", abci),
    simple_start = measured("41.9 us", "3.9 us", abci),
    efficiency   = measured(0.83, 0.073, abci),
    off_small    = measured(0.089, 0, abci),
    off_middle   = measured(0.154, 0, abci),
    version      = spec(20804, "NCCL 2.8.4"),
  },

  -- No watt of this machine was measured. As of nodes with
  -- H100 [Newkirk25]; two processors of 225 W (AMD, EPYC 7742, amd.com) are eight
  -- GPUs'.
  power = {
    gpu_busy      = assumed("300 W", { "200 W", "400 W" },
                            "400 W: NVIDIA A100 data sheet, 2021, nvidia.com/en-us/data-center/a100"),
    gpu_idle      = assumed("75 W", { "45 W", "110 W" },
                            "clocks up, nothing to do"),
    host_busy     = assumed("40 W", { "20 W", "56 W" },
                            "a part of its processors' TDP"),
    host_asleep   = assumed("22 W", { "10 W", "40 W" }, "idle"),
    memory_busy   = assumed("12 W", { "6 W", "25 W" }, "its DIMMs"),
    memory_asleep = assumed("8 W", { "4 W", "15 W" }, "refreshed"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
