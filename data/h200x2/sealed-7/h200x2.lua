-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-7/micro/calls.csv
--   data/h200x2/sealed-7/micro/launch.csv
--   data/h200x2/sealed-7/micro/membw.csv
--   data/h200x2/sealed-7/micro/dma.csv
--   data/h200x2/sealed-7/micro/staged.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

return gs.system {
  name = "h200x2",
  summary = "two H200 GPUs of a machine, NVLink 4 through NVSwitch",
  gpus = 2,
  topology = gs.topology { kind = "switch" },
  grows = true,
  calibrated = 2,
  copy_sizes = { "4 B", "256 MiB" },
  can = { peer = "atomics", managed = true, device_launch = true },

  link = {
    name = "nvlink4",
    rate = spec("450 GB/s", "nvlink4"),
    duplex = measured(2, 0, "exchange.csv"),
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
    membw = measured("4.0857 TB/s", "4.0857 GB/s", "membw.csv"),
    start = measured("1.4184 us", "14.184 ns", "launch.csv"),
    latency = measured("333.031 ns", "3.33031 ns", "remote.csv"),
    cache_latency = measured("145.375 ns", "1.45375 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.489781 },
      { "2 MiB", 0.791139 },
      { "4 MiB", 0.954072 },
      { "8 MiB", 1.33461 },
      { "16 MiB", 1.47201 },
      { "24 MiB", 1.59374 },
      { "32 MiB", 1.48543 },
      { "40 MiB", 1.17846 },
      { "48 MiB", 1.02885 },
      { "56 MiB", 0.935638 },
      { "64 MiB", 0.91199 },
      { "96 MiB", 0.916128 },
      { "128 MiB", 0.930486 },
      { "256 MiB", 0.95977 },
      { "512 MiB", 0.979709 },
      { "1.07374182 GB", 0.98948 },
      { "2.14748365 GB", 0.994589 },
      { "4.2949673 GB", 0.997466 },
      { "8.58993459 GB", 0.998823 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.44823 us", "44.6819 ns", "launch.csv"),
    copy = measured("3.08132 us", "30.8132 ns", "launch.csv"),
    event = measured("200.604 ns", "33.3285 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("3.18221 us", "48.4007 ns", "membw.csv"),
    sync_more = measured("0 ns", "138.659 ns", "launch_sync2, launch_sync"),
    barrier = measured("480.673 ns", "143.057 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.44962 us", "215.307 ns", "calls.csv"),
    memset = measured("1.16735 us", "74.9377 ns", "calls.csv"),
    d2h = measured("1.84954 us", "235.486 ns", "calls.csv"),
    h2d = measured("1.82606 us", "180.834 ns", "calls.csv"),
    wait_far = measured("940.734 ns", "93.6094 ns", "calls.csv"),
    sync_event = measured("1.28803 us", "177.293 ns", "calls.csv"),
    set_device = measured("96.0082 ns", "68.8365 ns", "calls.csv"),
    wake = measured("1.54257 us", "73.9084 ns", "calls.csv"),
    barrier_bare = measured("225.755 ns", "18.1879 ns", "calls.csv"),
    barrier_bare_more = measured("93.8539 ns", "8.24158 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.212694, 0.242084, "calls.csv"),
    memset = measured(0.0294252, 0.0947962, "calls.csv"),
    d2h = measured(0.120365, 0.203335, "calls.csv"),
    h2d = measured(0, 0.20049, "calls.csv"),
    event = measured(0.480223, 0.275015, "calls.csv"),
    wait_far = measured(1.57657, 0.405254, "calls.csv"),
    sync = measured(0.286476, 0.262281, "calls.csv"),
    sync_event = measured(0.138852, 0.222501, "calls.csv"),
    set_device = measured(3.35645, 3.15454, "calls.csv"),
  },

  share = {
    launch = measured(0.239168, 0.0294192, "calls.csv"),
    graph = measured(1.46557, 0.26962, "calls.csv"),
    memset = measured(1.10119, 0.091956, "calls.csv"),
    copy = measured(0.520948, 0.118607, "calls.csv"),
    d2h = measured(0.5984, 0.12005, "calls.csv"),
    h2d = measured(0.580432, 0.104319, "calls.csv"),
    event = measured(1.12664, 0.208511, "calls.csv"),
    wait_far = measured(2.49147, 0.311546, "calls.csv"),
    sync = measured(0.848287, 0.172618, "calls.csv"),
    sync_event = measured(0.89256, 0.16667, "calls.csv"),
    set_device = measured(2.70072, 2.07212, "calls.csv"),
    room = measured(14.4125, 1.74015, "call_*"),
    wake = measured(0.413204, 0.0204477, "calls.csv"),
    straggle = measured("1.40653 us", "64.1454 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.19705 us", "140.632 ns", "calls.csv"),
    near = measured("263.347 ns", "31.3472 ns", "calls.csv"),
    far = measured("6.32909 us", "1.17651 us", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.968611, 0.0122238, "dma.csv"),
    all_active = measured(1, 0.0115261, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.449 us", "25.0924 ns", "dma.csv"),
    latency = measured("6.40322 us", "153.055 ns", "launch.csv"),
    interference = measured("486.6 fs/B", "2.08076 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("38.7398 GB/s", "1.96751 GB/s", "staged.csv"),
    all_active = measured(0.837227, 0.00723603, "staged.csv"),
    buffer = measured("524.395 kB", "213.805 kB", "staged.csv"),
    initiation = measured("15.6402 us", "645.625 ns", "staged.csv"),
    latency = measured("1.49048 us", "659.328 ns", "staged.csv"),
  },

  store = {
    efficiency = measured(0.920921, 0.00166451, "store.csv"),
    all_active = measured(0.990101, 0.00105577, "exchange.csv"),
    rate = measured("6.87347 G/s", "6.87347 M/s", "store.csv"),
    ingress = assumed("6.36 G/s", { "5 G/s", "7.72 G/s" }, "as on h200x8"),
    ingress_few = assumed(0.287, { 0.1, 0.474 }, "as on h200x8"),
    same = assumed(0.763, { 0.6715, 0.8545 }, "as on h200x4"),
    same_small = assumed(0.76, { 0.71, 0.81 }, "as on h200x4"),
    latency = measured("1.31216 us", "13.1216 ns", "agent.csv"),
    interference = measured("554.222 fs/B", "5.53727 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("116.321 MB/s", "1.18111 MB/s", "agent.csv"),
    gap = measured("521.406 ns", "0.521406 ns", "agent.csv"),
    latency = measured("2.5208 us", "304.475 ns", "agent.csv"),
    track = measured("0.266428 ns", "0.0359352 ns", "track.csv"),
    hold = measured("495.71 ns", "0.49571 ns", "track.csv"),
    beside = measured(9.16019, 0.737066, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("204.818 ns", "4.37096 ns", "cdp.csv"),
    latency = measured("13.5893 us", "141.545 ns", "cdp.csv"),
    start = measured("2.6401 us", "133.51 ns", "cdp.csv"),
    queue = measured("4.36394 us", "914.743 ns", "cdp.csv"),
    few = measured("1.1059 us", "169.283 ns", "cdp.csv"),
    waits = measured(1, 0, "runs.csv"),
  },

  load = {
    efficiency = measured(0.926251, 0.00102375, "remote.csv"),
    rate = measured("8.65796 G/s", "86.5796 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("926.034 ns", "8.8531 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.4916 G/s", "64.916 M/s", "remote.csv"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("222.023 us", "65.3643 us", "um.csv"),
    fault_rate = measured("10.9847 GB/s", "377.893 MB/s", "um.csv"),
    prefetch_start = measured("28.163 us", "442.118 ns", "um.csv"),
    prefetch_rate = measured("48.1795 GB/s", "146.9 MB/s", "um.csv"),
    touch_start = measured("434.996 us", "105.885 us", "um.csv"),
    touch_rate = measured("12.2818 GB/s", "902.348 MB/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h200x2",
}
