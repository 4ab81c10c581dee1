-- h100x2.lua - written by `gpuscale calibrate` over h100x2, from
--   data/h100x2/micro/agent.csv
--   data/h100x2/micro/cdp.csv
--   data/h100x2/micro/dma.csv
--   data/h100x2/micro/exchange.csv
--   data/h100x2/micro/launch.csv
--   data/h100x2/micro/membw.csv
--   data/h100x2/micro/overlap.csv
--   data/h100x2/micro/pinned.csv
--   data/h100x2/micro/power.csv
--   data/h100x2/micro/remote.csv
--   data/h100x2/micro/scatter.csv
--   data/h100x2/micro/store.csv
--   data/h100x2/micro/track.csv
--   data/h100x2/micro/um.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local inherited = gs.inherited

return gs.system {
  name = "h100x2",
  summary = "two H100 SXM GPUs, NVLink 4 through NVSwitch",
  gpus = 2,
  topology = gs.topology { kind = "switch" },
  grows = true,
  calibrated = 2,
  copy_sizes = { "4 B", "256 MiB" },
  can = { peer = "atomics", managed = true, device_launch = true },

  link = {
    name = "nvlink4",
    rate = spec("450 GB/s", "nvlink4"),
    duplex = spec(2, "NVLink: each way at the full rate"),
  },

  device = {
    memory = spec("80 GB", "NVIDIA H100 SXM data sheet"),
    sms = spec(132, "NVIDIA H100 SXM data sheet"),
    threads = spec(2048, "CUDA, compute capability 9.0"),
    flops = spec("66.9 Tflop/s", "NVIDIA H100 SXM data sheet, FP32"),
    flops_fp64 = spec("33.5 Tflop/s", "NVIDIA H100 white paper, SXM5, FP64"),
    flops_fp64_tensor = spec("66.9 Tflop/s", "NVIDIA H100 white paper, SXM5, FP64 tensor"),
    flops_tf32 = spec("494.7 Tflop/s", "NVIDIA H100 white paper, SXM5, TF32 tensor, dense"),
    flops_fp16 = spec("989.4 Tflop/s", "NVIDIA H100 white paper, SXM5, FP16 tensor, dense"),
    flops_fp8 = spec("1.9789 Pflop/s", "NVIDIA H100 white paper, SXM5, FP8 tensor, dense"),
    membw = measured("3.00146 TB/s", "3.00146 GB/s", "membw.csv"),
    start = measured("1.90448 us", "19.0448 ns", "launch.csv"),
    latency = measured("345.609 ns", "3.45609 ns", "remote.csv"),
    cache_latency = measured("145.828 ns", "1.45828 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.971729 },
      { "2 MiB", 1.37889 },
      { "4 MiB", 1.6838 },
      { "8 MiB", 1.86881 },
      { "16 MiB", 2.03504 },
      { "24 MiB", 2.03374 },
      { "32 MiB", 1.72918 },
      { "40 MiB", 1.19615 },
      { "48 MiB", 1.02373 },
      { "56 MiB", 0.968227 },
      { "64 MiB", 0.953436 },
      { "96 MiB", 0.950727 },
      { "128 MiB", 0.960207 },
      { "256 MiB", 0.978353 },
      { "512 MiB", 0.989416 },
      { "1.07374182 GB", 0.994586 },
      { "2.14748365 GB", 0.997245 },
      { "4.2949673 GB", 0.998531 },
      { "8.58993459 GB", 0.999271 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.75449 us", "195.79 ns", "launch.csv"),
    copy = measured("2.99745 us", "29.9745 ns", "launch.csv"),
    event = measured("264.745 ns", "34.3124 ns", "launch.csv"),
    launch_contention = inherited(0.0107272, 0.0811841, "h200x8"),
    copy_contention = inherited(0.139686, 0.725251, "h200x8"),
    sync = measured("3.34896 us", "165.378 ns", "membw.csv"),
    sync_more = measured("0 ns", "228.614 ns", "launch_sync2, launch_sync"),
    barrier = measured("727.835 ns", "238.899 ns", "launch.csv"),
    barrier_more = inherited("442.472 ns", "219.17 ns", "h200x8"),
  },

  copy = {
    efficiency = measured(0.976056, 0.00931049, "dma.csv"),
    all_active = measured(0.998543, 0.0111834, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.46614 us", "19.0532 ns", "dma.csv"),
    latency = measured("6.58031 us", "63.3826 ns", "launch.csv"),
    interference = measured("677.477 fs/B", "2.45962 fs/B", "overlap.csv"),
  },

  staged = {
    rate = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
    pinned = measured("54.6556 GB/s", "140.778 MB/s", "pinned.csv"),
    ring = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
  },

  store = {
    efficiency = measured(0.924426, 0.00231097, "store.csv"),
    all_active = measured(0.990713, 0.000990713, "exchange.csv"),
    rate = measured("6.87492 G/s", "6.87492 M/s", "store.csv"),
    wide_rate = measured("7.77045 G/s", "77.7045 M/s", "scatter.csv"),
    reach = assumed("1.07374 GB", { "268.439 MB", "1.87904 GB" }, "as on h200x2"),
    ingress = assumed("6.36 G/s", { "5 G/s", "7.72 G/s" }, "as on h200x8"),
    ingress_few = assumed(0.287, { 0.1, 0.474 }, "as on h200x8"),
    same = assumed(0.763, { 0.6715, 0.8545 }, "as on h200x4"),
    same_small = assumed(0.76, { 0.71, 0.81 }, "as on h200x4"),
    latency = measured("2.3528 us", "23.528 ns", "agent.csv"),
    interference = measured("747.848 fs/B", "5.37221 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("117.454 MB/s", "1.69939 MB/s", "agent.csv"),
    gap = measured("521.115 ns", "0.521115 ns", "agent.csv"),
    latency = measured("4.19352 us", "602.817 ns", "agent.csv"),
    track = measured("0.107444 ns", "0.0134197 ns", "track.csv"),
    hold = measured("512.196 ns", "3.60891 ns", "track.csv"),
    contention = measured(12.773, 1.62515, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("217.77 ns", "1.38454 ns", "cdp.csv"),
    latency = measured("15.328 us", "153.28 ns", "cdp.csv"),
    start = measured("2.1189 us", "99.8192 ns", "cdp.csv"),
    queue = measured("4.26233 us", "699.999 ns", "cdp.csv"),
    few = measured("1.51843 us", "190.664 ns", "cdp.csv"),
  },

  load = {
    efficiency = measured(0.926952, 0.00151753, "remote.csv"),
    rate = measured("8.70703 G/s", "87.0703 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("922.897 ns", "8.09776 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.47791 G/s", "64.7791 M/s", "remote.csv"),
    merge = measured("32 B", "0.032 B", "atomic_remote"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  um = {
    thrash_window = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("198.301 us", "107.08 us", "um.csv"),
    fault_rate = measured("10.6957 GB/s", "732.446 MB/s", "um.csv"),
    prefetch_start = measured("53.624 us", "2.13015 us", "um.csv"),
    prefetch_rate = measured("48.611 GB/s", "594.87 MB/s", "um.csv"),
    peer_start = measured("34.4556 us", "6.7143 us", "um.csv"),
    peer_rate = measured("157.099 GB/s", "15.3029 GB/s", "um.csv"),
    touch_start = measured("0 ns", "0 ns", "um.csv"),
    touch_rate = measured("9.69817 GB/s", "496.869 MB/s", "um.csv"),
  },

  power = {
    gpu_busy = measured("560.877 W", "102.113 W", "power.csv"),
    gpu_idle = measured("120.883 W", "6.04413 W", "power.csv"),
    host_busy = assumed("60 W", { "31 W", "89 W" }, "a part of two of 350 W, for eight GPUs (Xeon Platinum 8480+, ark.intel.com)"),
    host_asleep = assumed("35 W", { "12.5 W", "57.5 W" }, "idle"),
    memory_busy = assumed("20 W", { "7.5 W", "32.5 W" }, "its DIMMs"),
    memory_asleep = assumed("12 W", { "4.5 W", "19.5 W" }, "refreshed"),
    link = measured("407.42 pJ/B", "82.7632 pJ/B", "power.csv"),
  },
}
