-- dgx-a100.lua - DGX A100: eight A100 GPUs, NVLink 3 through NVSwitch.
--
-- The 80 GB model.  Copies and stores were measured by others; memory, host and
-- agent were not.  No curve of cache effects is known.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

local function sheet (value)
  return spec(value, "NVIDIA A100 data sheet, SXM4 80 GB")
end

-- Nobody measured these on such a machine: those of h200x8, in wide ranges.
local function alike (value, low, high)
  return assumed(value, { low, high }, "h200x8 measured, this never")
end

return gs.system {
  name       = "dgx-a100",
  summary    = "DGX A100: eight A100 GPUs, NVLink 3 through NVSwitch",
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
    start   = alike("1.54 us", "1 us", "3 us"),
  },

  host = {
    launch       = alike("3.13 us", "1.5 us", "10 us"),
    copy         = alike("1.38 us", "1 us", "8 us"),
    event        = alike("0.12 us", "0.1 us", "1 us"),
    launch_crowd = alike(0.05, 0, 0.5),
    copy_crowd   = alike(0.15, 0, 0.5),
    sync         = alike("3.12 us", "1.5 us", "10 us"),
    sync_more    = alike("0 us", "0 us", "1 us"),
    barrier      = alike("0.25 us", "0.1 us", "1 us"),
    barrier_more = alike("0.33 us", "0.1 us", "1 us"),
  },

  copy = {
    -- 276.3 GB/s over 282.4 (16 of 17 flits)
    efficiency = measured(0.979, 0.01, "NVIDIA/nvbandwidth, README, 8 GPUs"),
    all_active = assumed(0.98, { 0.9, 1 }, "through switches; as on h200x8"),
    contended  = assumed(0.63, { 0.5, 1 }, "h200x8: 0.59 to 0.68"),
    initiation = assumed("3 us", { "2.3 us", "6 us" }, "near that of h200x8"),
    latency    = alike("4.75 us", "2 us", "10 us"),
    interference = assumed("1.1 ps/B", { "0 ps/B", "2.2 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  store = {
    -- 230 GB/s over 240 (8 of 10 flits)
    efficiency = measured(0.96, 0.04, "NVIDIA/nccl-tests, issue 149"),
    all_active = assumed(0.98, { 0.9, 1 }, "through switches; as on h200x8"),
    rate       = assumed("4.5 G/s", { "2 G/s", "8 G/s" },
                         "as on h200x8 per SM and clock"),
    latency    = alike("1.32 us", "0.8 us", "2.5 us"),
    interference = assumed("1.3 ps/B", { "0 ps/B", "2.6 ps/B" },
                           "2 B of memory traffic per byte, as on h200x8"),
  },

  agent = {
    thread_rate = alike("117 MB/s", "80 MB/s", "300 MB/s"),
    gap         = alike("0.53 us", "0.3 us", "3 us"),
    latency     = alike("2.67 us", "1.5 us", "10 us"),
    track       = alike("0.30 ns", "0.1 ns", "3 ns"),
    beside      = alike(9.7, 1, 15),
  },
}
