-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-10/micro/agent.csv
--   data/h200x2/sealed-10/micro/calls.csv
--   data/h200x2/sealed-10/micro/cdp.csv
--   data/h200x2/sealed-10/micro/dma.csv
--   data/h200x2/sealed-10/micro/exchange.csv
--   data/h200x2/sealed-10/micro/launch.csv
--   data/h200x2/sealed-10/micro/membw.csv
--   data/h200x2/sealed-10/micro/nccl.csv
--   data/h200x2/sealed-10/micro/overlap.csv
--   data/h200x2/sealed-10/micro/remote.csv
--   data/h200x2/sealed-10/micro/scatter.csv
--   data/h200x2/sealed-10/micro/staged.csv
--   data/h200x2/sealed-10/micro/store.csv
--   data/h200x2/sealed-10/micro/track.csv
--   data/h200x2/sealed-10/micro/um.csv
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
    membw = measured("4.10649 TB/s", "4.10649 GB/s", "membw.csv"),
    start = measured("1.59728 us", "15.9728 ns", "launch.csv"),
    latency = measured("335.469 ns", "3.35469 ns", "remote.csv"),
    cache_latency = measured("147.594 ns", "1.47594 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.764692 },
      { "2 MiB", 1.06146 },
      { "4 MiB", 1.15919 },
      { "8 MiB", 1.5008 },
      { "16 MiB", 1.55538 },
      { "24 MiB", 1.65472 },
      { "32 MiB", 1.55951 },
      { "40 MiB", 1.19417 },
      { "48 MiB", 1.03537 },
      { "56 MiB", 0.933311 },
      { "64 MiB", 0.910998 },
      { "96 MiB", 0.921123 },
      { "128 MiB", 0.935517 },
      { "256 MiB", 0.963054 },
      { "512 MiB", 0.98129 },
      { "1.07374182 GB", 0.990344 },
      { "2.14748365 GB", 0.99499 },
      { "4.2949673 GB", 0.997656 },
      { "8.58993459 GB", 0.999032 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.8214 us", "45.4969 ns", "launch.csv"),
    copy = measured("1.89089 us", "18.9089 ns", "launch.csv"),
    event = measured("228.565 ns", "28.9417 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("2.75626 us", "61.8033 ns", "membw.csv"),
    sync_more = measured("0 ns", "119.856 ns", "launch_sync2, launch_sync"),
    barrier = measured("258.512 ns", "140.336 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.18138 us", "99.1152 ns", "calls.csv"),
    memset = measured("766.263 ns", "42.6469 ns", "calls.csv"),
    d2h = measured("1.47809 us", "186.414 ns", "calls.csv"),
    h2d = measured("1.25442 us", "113.001 ns", "calls.csv"),
    wait_far = measured("955.647 ns", "348.005 ns", "calls.csv"),
    sync_event = measured("1.17418 us", "83.1101 ns", "calls.csv"),
    set_device = measured("104.072 ns", "38.1276 ns", "calls.csv"),
    wake = measured("1.10691 us", "14.0033 ns", "calls.csv"),
    barrier_bare = measured("201.481 ns", "3.99404 ns", "calls.csv"),
    barrier_bare_more = measured("75.1399 ns", "1.74367 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.494467, 0.160949, "calls.csv"),
    memset = measured(0, 0.118692, "calls.csv"),
    d2h = measured(0, 0.266012, "calls.csv"),
    h2d = measured(0.577157, 0.188082, "calls.csv"),
    event = measured(0.113071, 0.244447, "calls.csv"),
    wait_far = measured(0.467435, 1.42184, "calls.csv"),
    sync = measured(0.34399, 0.152259, "calls.csv"),
    sync_event = measured(0.22514, 0.120971, "calls.csv"),
    set_device = measured(1.8685, 1.35263, "calls.csv"),
  },

  share = {
    launch = measured(0.210482, 0.0376906, "calls.csv"),
    graph = measured(1.44998, 0.149905, "calls.csv"),
    memset = measured(1.26851, 0.105122, "calls.csv"),
    copy = measured(0.454124, 0.116786, "calls.csv"),
    d2h = measured(0.724269, 0.141475, "calls.csv"),
    h2d = measured(0.771726, 0.102672, "calls.csv"),
    event = measured(1.34568, 0.233218, "calls.csv"),
    wait_far = measured(1.59829, 0.695703, "calls.csv"),
    sync = measured(0.898147, 0.0997273, "calls.csv"),
    sync_event = measured(0.911456, 0.0860569, "calls.csv"),
    set_device = measured(1.69633, 0.747821, "calls.csv"),
    room = measured(37.1228, 26.7549, "call_*"),
    wake = measured(0.425781, 0.0104901, "calls.csv"),
    straggle = measured("1.20275 us", "90.1157 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("1.97053 us", "8.42147 ns", "calls.csv"),
    near = measured("238.349 ns", "29.3044 ns", "calls.csv"),
    far = measured("6.6829 us", "777.894 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.970598, 0.0111756, "dma.csv"),
    all_active = measured(1, 0.00794641, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.41094 us", "22.5885 ns", "dma.csv"),
    latency = measured("5.01991 us", "91.8944 ns", "launch.csv"),
    interference = measured("486.33 fs/B", "1.48021 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("38.2302 GB/s", "1.01587 GB/s", "staged.csv"),
    all_active = measured(0.845239, 0.00478103, "staged.csv"),
    buffer = measured("425.141 kB", "108.736 kB", "staged.csv"),
    initiation = measured("17.7897 us", "425.745 ns", "staged.csv"),
  },

  store = {
    efficiency = measured(0.921542, 0.00120423, "store.csv"),
    all_active = measured(0.990238, 0.00188761, "exchange.csv"),
    rate = measured("6.88096 G/s", "6.88096 M/s", "store.csv"),
    wide_rate = measured("9.10602 G/s", "11.3873 M/s", "scatter.csv"),
    reach = measured("1.07374 GB", "464.944 MB", "store_words"),
    ingress = assumed("6.36 G/s", { "5 G/s", "7.72 G/s" }, "as on h200x8"),
    ingress_few = assumed(0.287, { 0.1, 0.474 }, "as on h200x8"),
    same = assumed(0.763, { 0.6715, 0.8545 }, "as on h200x4"),
    same_small = assumed(0.76, { 0.71, 0.81 }, "as on h200x4"),
    latency = measured("1.31872 us", "13.1872 ns", "agent.csv"),
    interference = measured("561.843 fs/B", "6.34255 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("114.495 MB/s", "328.54 kB/s", "agent.csv"),
    gap = measured("522.442 ns", "0.522442 ns", "agent.csv"),
    latency = measured("2.6812 us", "343.371 ns", "agent.csv"),
    track = measured("0.267047 ns", "0.0391923 ns", "track.csv"),
    hold = measured("496.618 ns", "1.22453 ns", "track.csv"),
    beside = measured(9.50522, 1.08062, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("203.002 ns", "1.17925 ns", "cdp.csv"),
    latency = measured("14.944 us", "149.44 ns", "cdp.csv"),
    start = measured("2.68153 us", "167.038 ns", "cdp.csv"),
    queue = measured("964.312 ns", "685.363 ns", "cdp.csv"),
    few = measured("1.6268 us", "95.6724 ns", "cdp.csv"),
    waits = measured(1, 0, "runs.csv"),
  },

  load = {
    efficiency = measured(0.925395, 0.0011118, "remote.csv"),
    rate = measured("8.65629 G/s", "86.5629 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("889.752 ns", "13.4024 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.49971 G/s", "64.9971 M/s", "remote.csv"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  coll = {
    issue = measured("5.20608 us", "52.0607 ns", "nccl.csv"),
    start = measured("5.14831 us", "27.5617 ns", "nccl.csv"),
    step = measured("590.679 ns", "25.3224 ns", "nccl.csv"),
    ll_rate = measured("11.0454 GB/s", "955.32 MB/s", "nccl.csv"),
    flag_step = measured("979.166 ns", "183.068 ns", "nccl.csv"),
    ll128_rate = measured("144.327 GB/s", "10.497 GB/s", "nccl.csv"),
    simple_start = measured("11.1941 us", "3.12985 us", "nccl.csv"),
    efficiency = measured(0.766265, 0.0413085, "nccl.csv"),
    pair_start = measured("861.215 ns", "11.4326 ns", "nccl.csv"),
    channel = measured("17.3835 GB/s", "133.117 MB/s", "nccl.csv"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("19.7373 us", "34.6129 us", "um.csv"),
    fault_rate = measured("11.0655 GB/s", "771.534 MB/s", "um.csv"),
    prefetch_start = measured("51.3115 us", "2.32375 us", "um.csv"),
    prefetch_rate = measured("48.3014 GB/s", "651.909 MB/s", "um.csv"),
    touch_start = measured("328.952 us", "85.1595 us", "um.csv"),
    touch_rate = measured("11.3422 GB/s", "632.988 MB/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h200x2",
}
