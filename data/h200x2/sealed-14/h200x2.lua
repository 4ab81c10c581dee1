-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-14/micro/calls.csv
--   data/h200x2/sealed-14/micro/launch.csv
--   data/h200x2/sealed-14/micro/membw.csv
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
    membw = measured("4.1045 TB/s", "4.1045 GB/s", "membw.csv"),
    start = measured("1.60048 us", "16.0048 ns", "launch.csv"),
    latency = measured("333.031 ns", "3.33031 ns", "remote.csv"),
    cache_latency = measured("145.375 ns", "1.45375 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.596447 },
      { "2 MiB", 0.785192 },
      { "4 MiB", 0.984546 },
      { "8 MiB", 1.4026 },
      { "16 MiB", 1.48901 },
      { "24 MiB", 1.61847 },
      { "32 MiB", 1.51448 },
      { "40 MiB", 1.18039 },
      { "48 MiB", 1.03086 },
      { "56 MiB", 0.941434 },
      { "64 MiB", 0.915934 },
      { "96 MiB", 0.920851 },
      { "128 MiB", 0.93456 },
      { "256 MiB", 0.962819 },
      { "512 MiB", 0.981048 },
      { "1.07374182 GB", 0.990274 },
      { "2.14748365 GB", 0.994834 },
      { "4.2949673 GB", 0.997704 },
      { "8.58993459 GB", 0.999058 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.58143 us", "59.4891 ns", "launch.csv"),
    copy = measured("3.2877 us", "32.877 ns", "launch.csv"),
    event = measured("277.242 ns", "3.74966 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("3.0315 us", "48.7449 ns", "membw.csv"),
    sync_more = measured("1.61971 us", "16.1971 ns", "call_idle"),
    barrier = measured("854.954 ns", "148.487 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.55155 us", "252.766 ns", "calls.csv"),
    memset = measured("896.788 ns", "109.421 ns", "calls.csv"),
    d2h = measured("1.89213 us", "348.08 ns", "calls.csv"),
    h2d = measured("2.22465 us", "210.108 ns", "calls.csv"),
    wait_far = measured("1.18062 us", "553.747 ns", "calls.csv"),
    sync_event = measured("875.296 ns", "239.297 ns", "calls.csv"),
    set_device = measured("108.011 ns", "33.3196 ns", "calls.csv"),
    wake = measured("1.38462 us", "328.843 ns", "calls.csv"),
    barrier_bare = measured("300.091 ns", "31.8783 ns", "calls.csv"),
    barrier_bare_more = measured("99.0343 ns", "7.79475 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.378713, 0.199386, "calls.csv"),
    memset = measured(0.424361, 0.253596, "calls.csv"),
    d2h = measured(0.256083, 0.30065, "calls.csv"),
    h2d = measured(0.0962714, 0.371417, "calls.csv"),
    event = measured(0.816617, 0.277553, "calls.csv"),
    wait_far = measured(1.03824, 0.789568, "calls.csv"),
    sync = measured(0.495409, 0.407978, "calls.csv"),
    sync_event = measured(0.761416, 1.08472, "calls.csv"),
    set_device = measured(2.3127, 1.6741, "calls.csv"),
  },

  share = {
    launch = measured(0.319095, 0.0195447, "calls.csv"),
    graph = measured(2.09921, 0.358952, "calls.csv"),
    memset = measured(2.04634, 0.256429, "calls.csv"),
    copy = measured(0.515239, 0.113428, "calls.csv"),
    d2h = measured(0.953829, 0.213043, "calls.csv"),
    h2d = measured(0.728302, 0.0848701, "calls.csv"),
    event = measured(1.36675, 0.259738, "calls.csv"),
    wait_far = measured(2.24653, 1.08425, "calls.csv"),
    sync = measured(0.964573, 0.238707, "calls.csv"),
    sync_event = measured(1.54875, 0.449157, "calls.csv"),
    set_device = measured(3.31014, 1.15587, "calls.csv"),
    room = measured(14.273, 5.089, "call_*"),
    wake = measured(0.4545, 0.0247575, "calls.csv"),
    straggle = measured("1.40913 us", "23.4606 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("1.91224 us", "104.759 ns", "calls.csv"),
    near = measured("235.819 ns", "20.6067 ns", "calls.csv"),
    far = measured("6.72051 us", "789.895 ns", "calls.csv"),
    meet = measured("2.368 us", "23.68 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.970677, 0.0124903, "dma.csv"),
    all_active = measured(1, 0.0115261, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.41278 us", "25.2595 ns", "dma.csv"),
    latency = measured("6.64926 us", "343.246 ns", "launch.csv"),
    interference = measured("486.6 fs/B", "2.08076 fs/B", "overlap.csv"),
  },

  store = {
    efficiency = measured(0.920638, 0.00189009, "store.csv"),
    all_active = measured(0.990406, 0.0010561, "exchange.csv"),
    rate = measured("6.87591 G/s", "6.87591 M/s", "store.csv"),
    wide_rate = measured("9.14031 G/s", "9.14031 M/s", "scatter.csv"),
    reach = measured("1.07374 GB", "464.944 MB", "store_words"),
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
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("222.023 us", "65.3643 us", "um.csv"),
    fault_rate = measured("10.9847 GB/s", "377.893 MB/s", "um.csv"),
    prefetch_start = measured("28.163 us", "442.118 ns", "um.csv"),
    prefetch_rate = measured("48.1795 GB/s", "146.9 MB/s", "um.csv"),
    peer_start = measured("24.6621 us", "1.13256 us", "um.csv"),
    peer_rate = measured("185.139 GB/s", "2.77419 GB/s", "um.csv"),
    touch_start = measured("434.996 us", "105.885 us", "um.csv"),
    touch_rate = measured("12.2818 GB/s", "902.348 MB/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h200x2",
}
