-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-8/micro/calls.csv
--   data/h200x2/sealed-8/micro/dma.csv
--   data/h200x2/sealed-8/micro/launch.csv
--   data/h200x2/sealed-8/micro/membw.csv
--   data/h200x2/sealed-8/micro/nccl.csv
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
    membw = measured("4.10548 TB/s", "4.10548 GB/s", "membw.csv"),
    start = measured("1.59808 us", "15.9808 ns", "launch.csv"),
    latency = measured("333.031 ns", "3.33031 ns", "remote.csv"),
    cache_latency = measured("145.375 ns", "1.45375 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.537115 },
      { "2 MiB", 0.888812 },
      { "4 MiB", 0.992728 },
      { "8 MiB", 1.3969 },
      { "16 MiB", 1.5183 },
      { "24 MiB", 1.62805 },
      { "32 MiB", 1.50942 },
      { "40 MiB", 1.17804 },
      { "48 MiB", 1.03653 },
      { "56 MiB", 0.940763 },
      { "64 MiB", 0.9151 },
      { "96 MiB", 0.91994 },
      { "128 MiB", 0.93423 },
      { "256 MiB", 0.962759 },
      { "512 MiB", 0.980725 },
      { "1.07374182 GB", 0.990256 },
      { "2.14748365 GB", 0.994995 },
      { "4.2949673 GB", 0.99772 },
      { "8.58993459 GB", 0.999014 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.74378 us", "78.2171 ns", "launch.csv"),
    copy = measured("3.62202 us", "74.6489 ns", "launch.csv"),
    event = measured("260.216 ns", "7.43101 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("3.11635 us", "186.779 ns", "membw.csv"),
    sync_more = measured("0 ns", "143.793 ns", "launch_sync2, launch_sync"),
    barrier = measured("1.77776 us", "153.034 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.13829 us", "51.786 ns", "calls.csv"),
    memset = measured("1.09427 us", "48.3889 ns", "calls.csv"),
    d2h = measured("1.83181 us", "110.141 ns", "calls.csv"),
    h2d = measured("1.55927 us", "127.069 ns", "calls.csv"),
    wait_far = measured("1.41333 us", "223.443 ns", "calls.csv"),
    sync_event = measured("1.33253 us", "151.334 ns", "calls.csv"),
    set_device = measured("74.4391 ns", "28.1634 ns", "calls.csv"),
    wake = measured("1.4269 us", "83.1045 ns", "calls.csv"),
    barrier_bare = measured("281.712 ns", "16.916 ns", "calls.csv"),
    barrier_bare_more = measured("83.9812 ns", "6.91058 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.599096, 0.0893953, "calls.csv"),
    memset = measured(0, 0.114699, "calls.csv"),
    d2h = measured(0.147417, 0.100808, "calls.csv"),
    h2d = measured(0, 0.183066, "calls.csv"),
    event = measured(0.0150964, 0.236165, "calls.csv"),
    wait_far = measured(0.118156, 0.378681, "calls.csv"),
    sync = measured(0.0554441, 0.190737, "calls.csv"),
    sync_event = measured(0.138817, 0.178319, "calls.csv"),
    set_device = measured(3.03458, 1.96702, "calls.csv"),
  },

  share = {
    launch = measured(0.383209, 0.0423807, "calls.csv"),
    graph = measured(2.1006, 0.115694, "calls.csv"),
    memset = measured(1.16637, 0.0714966, "calls.csv"),
    copy = measured(0.762133, 0.0869104, "calls.csv"),
    d2h = measured(0.676469, 0.0617898, "calls.csv"),
    h2d = measured(0.825913, 0.0820809, "calls.csv"),
    event = measured(1.07771, 0.240478, "calls.csv"),
    wait_far = measured(1.44322, 0.293179, "calls.csv"),
    sync = measured(0.79466, 0.135953, "calls.csv"),
    sync_event = measured(0.877843, 0.135397, "calls.csv"),
    set_device = measured(3.44425, 1.49319, "calls.csv"),
    room = measured(18.4403, 7.24632, "call_*"),
    wake = measured(0.441435, 0.0205138, "calls.csv"),
    straggle = measured("1.38339 us", "20.9738 ns", "calls.csv"),
  },

  hand = {
    far = measured("6.24813 us", "1.16467 us", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.96953, 0.011762, "dma.csv"),
    all_active = measured(1, 0.0115261, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.46556 us", "24.2541 ns", "dma.csv"),
    latency = measured("4.7436 us", "369.654 ns", "launch.csv"),
    interference = measured("486.6 fs/B", "2.08076 fs/B", "overlap.csv"),
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

  coll = {
    issue = measured("6.54593 us", "81.2582 ns", "nccl.csv"),
    start = measured("4.95915 us", "98.4061 ns", "nccl.csv"),
    step = measured("1.09844 us", "160.206 ns", "nccl.csv"),
    ll_rate = measured("144.123 GB/s", "7.37414 GB/s", "nccl.csv"),
    flag_step = measured("499.593 ns", "10.6946 ns", "nccl.csv"),
    ll128_rate = measured("8.9639 GB/s", "535.935 MB/s", "nccl.csv"),
    simple_start = measured("11.7902 us", "3.06382 us", "nccl.csv"),
    efficiency = measured(0.768403, 0.0407188, "nccl.csv"),
    pair_start = measured("1.08129 us", "13.0451 ns", "nccl.csv"),
    channel = measured("18.0475 GB/s", "136.077 MB/s", "nccl.csv"),
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
