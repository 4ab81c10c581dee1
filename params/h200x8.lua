-- h200x8.lua - written by `gpuscale calibrate` over h200x8, from
--   data/h200x8/micro/agent.csv
--   data/h200x8/micro/dma.csv
--   data/h200x8/micro/exchange.csv
--   data/h200x8/micro/launch.csv
--   data/h200x8/micro/membw.csv
--   data/h200x8/micro/overlap.csv
--   data/h200x8/micro/pinned.csv
--   data/h200x8/micro/remote.csv
--   data/h200x8/micro/scatter.csv
--   data/h200x8/micro/staged.csv
--   data/h200x8/micro/store.csv
--   data/h200x8/micro/track.csv
--   data/h200x8/micro/um.csv
--   data/h200x2/micro/cdp.csv
--   data/h200x8/micro/repeat/agent.csv
--   data/h200x8/micro/repeat/dma.csv
--   data/h200x8/micro/repeat/exchange.csv
--   data/h200x8/micro/repeat/launch.csv
--   data/h200x8/micro/repeat/membw.csv
--   data/h200x8/micro/repeat/overlap.csv
--   data/h200x8/micro/repeat/store.csv
--   data/h200x8/micro/repeat/track.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name = "h200x8",
  summary = "eight H200 GPUs, NVLink 4 through NVSwitch",
  gpus = 8,
  topology = gs.topology { kind = "switch" },
  grows = true,
  calibrated = 4,
  copy_sizes = { "4 B", "256 MiB" },
  can = { peer = "atomics", managed = true, device_launch = true },

  link = {
    name = "nvlink4",
    rate = spec("450 GB/s", "nvlink4"),
    duplex = spec(2, "NVLink: each way at the full rate"),
  },

  device = {
    memory = spec("141 GB", "NVIDIA H200 data sheet"),
    sms = spec(132, "NVIDIA H200 data sheet"),
    threads = spec(2048, "CUDA, compute capability 9.0"),
    flops = spec("66.9 Tflop/s", "NVIDIA H200 data sheet, FP32"),
    flops_fp64 = spec("33.5 Tflop/s", "NVIDIA H100 white paper, SXM5, FP64"),
    flops_fp64_tensor = spec("66.9 Tflop/s", "NVIDIA H100 white paper, SXM5, FP64 tensor"),
    flops_tf32 = spec("494.7 Tflop/s", "NVIDIA H100 white paper, SXM5, TF32 tensor, dense"),
    flops_fp16 = spec("989.4 Tflop/s", "NVIDIA H100 white paper, SXM5, FP16 tensor, dense"),
    flops_fp8 = spec("1.9789 Pflop/s", "NVIDIA H100 white paper, SXM5, FP8 tensor, dense"),
    membw = measured("4.10684 TB/s", "4.10684 GB/s", "membw.csv"),
    start = measured("1.53656 us", "66 ns", "launch.csv"),
    latency = measured("347.906 ns", "3.47906 ns", "remote.csv"),
    cache_latency = measured("147.75 ns", "1.4775 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.586359 },
      { "2 MiB", 0.847352 },
      { "4 MiB", 1.01215 },
      { "8 MiB", 1.39346 },
      { "16 MiB", 1.49781 },
      { "24 MiB", 1.61792 },
      { "32 MiB", 1.51566 },
      { "40 MiB", 1.18159 },
      { "48 MiB", 1.0383 },
      { "56 MiB", 0.943982 },
      { "64 MiB", 0.917388 },
      { "96 MiB", 0.920244 },
      { "128 MiB", 0.933942 },
      { "256 MiB", 0.961862 },
      { "512 MiB", 0.980488 },
      { "1.07374182 GB", 0.990053 },
      { "2.14748365 GB", 0.994841 },
      { "4.2949673 GB", 0.997625 },
      { "8.58993459 GB", 0.998946 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.3743 us", "252.341 ns", "launch.csv"),
    copy = measured("1.45552 us", "72.5866 ns", "launch.csv"),
    event = measured("169.522 ns", "14.4571 ns", "launch.csv"),
    launch_contention = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_contention = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("2.91672 us", "60.4164 ns", "membw.csv"),
    sync_more = measured("0 ns", "275.893 ns", "launch_sync2, launch_sync"),
    barrier = measured("454.493 ns", "275.854 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
  },

  copy = {
    efficiency = measured(0.968603, 0.00848736, "dma.csv"),
    all_active = measured(1, 0.00236796, "exchange.csv"),
    contended = measured(0.749044, 0.0174995, "exchange.csv"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.43278 us", "17.3262 ns", "dma.csv"),
    latency = measured("5.13678 us", "738.273 ns", "dma.csv"),
    interference = measured("487.094 fs/B", "0.945808 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("38.4775 GB/s", "2.33917 GB/s", "staged.csv"),
    all_active = measured(0.84056, 0.00394572, "staged.csv"),
    buffer = measured("538.485 kB", "324.55 kB", "staged.csv"),
    initiation = measured("14.9863 us", "639.512 ns", "staged.csv"),
    latency = measured("6.51086 us", "654.097 ns", "staged.csv"),
    pinned = measured("54.8912 GB/s", "134.847 MB/s", "dma.csv"),
    ring = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
  },

  store = {
    efficiency = measured(0.921508, 0.000921508, "store.csv"),
    all_active = measured(0.977915, 0.00302613, "exchange.csv"),
    rate = measured("6.87721 G/s", "6.87721 M/s", "store.csv"),
    wide_rate = measured("9.12758 G/s", "91.2758 M/s", "scatter.csv"),
    reach = assumed("1.07374 GB", { "268.439 MB", "1.87904 GB" }, "as on h200x2"),
    ingress = measured("6.3629 G/s", "19.2714 M/s", "scatter.csv"),
    ingress_few = measured(0.287088, 0.00620373, "scatter.csv"),
    same = assumed(0.763, { 0.6715, 0.8545 }, "as on h200x4"),
    same_small = assumed(0.76, { 0.71, 0.81 }, "as on h200x4"),
    latency = measured("1.32568 us", "6.56001 ns", "agent.csv"),
    interference = measured("577.815 fs/B", "5.55153 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("114.559 MB/s", "330.15 kB/s", "agent.csv"),
    gap = measured("522.469 ns", "0.522469 ns", "agent.csv"),
    latency = measured("2.66708 us", "240.088 ns", "agent.csv"),
    track = measured("0.299744 ns", "0.0269938 ns", "track.csv"),
    hold = measured("483.914 ns", "0.483914 ns", "track.csv"),
    contention = measured(9.50729, 1.08029, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("204.818 ns", "4.37096 ns", "cdp.csv"),
    latency = measured("13.5893 us", "141.545 ns", "cdp.csv"),
    start = measured("2.6401 us", "133.51 ns", "cdp.csv"),
    queue = measured("4.36394 us", "914.743 ns", "cdp.csv"),
    few = measured("1.1059 us", "169.283 ns", "cdp.csv"),
    waits = fitted(1, 0, "programs by proact-cdp"),
  },

  load = {
    efficiency = measured(0.925838, 0.0012979, "remote.csv"),
    rate = measured("8.65518 G/s", "86.5518 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("925.738 ns", "8.72104 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.49784 G/s", "64.9784 M/s", "remote.csv"),
    merge = measured("32 B", "0.032 B", "atomic_remote"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  coll = {
    efficiency = measured(0.915, 0.01, "stas00/ml-engineering, eight H200"),
    turn = assumed(0.52, { 0.45, 0.59 }, "as on h200x4"),
    switch = measured(0.734, 0.01, "stas00/ml-engineering, eight H200"),
  },

  um = {
    thrash_window = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("149.587 us", "28.8019 us", "um.csv"),
    fault_rate = measured("14.4415 GB/s", "742.945 MB/s", "um.csv"),
    prefetch_start = measured("21.613 us", "144.897 ns", "um.csv"),
    prefetch_rate = measured("48.3071 GB/s", "51.3336 MB/s", "um.csv"),
    peer_start = measured("22.8988 us", "1.02997 us", "um.csv"),
    peer_rate = measured("216.184 GB/s", "3.94954 GB/s", "um.csv"),
    touch_start = measured("283.106 us", "38.0075 us", "um.csv"),
    touch_rate = measured("13.3222 GB/s", "828.971 MB/s", "um.csv"),
  },

  power = {
    gpu_busy = assumed("590 W", { "495 W", "685 W" }, "as measured on four H200"),
    gpu_idle = assumed("123 W", { "115 W", "131 W" }, "as measured on four H200"),
    host_busy = assumed("60 W", { "31 W", "89 W" }, "a part of two of 350 W, for eight GPUs (Xeon Platinum 8480+, ark.intel.com)"),
    host_asleep = assumed("35 W", { "12.5 W", "57.5 W" }, "idle"),
    memory_busy = assumed("20 W", { "7.5 W", "32.5 W" }, "its DIMMs"),
    memory_asleep = assumed("12 W", { "4.5 W", "19.5 W" }, "refreshed"),
    link = assumed("380 pJ/B", { "300 pJ/B", "460 pJ/B" }, "as measured on four H200"),
  },
}
