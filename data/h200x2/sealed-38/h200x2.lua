-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-38/micro/calls.csv
--   data/h200x2/sealed-38/micro/launch.csv
--   data/h200x2/sealed-38/micro/membw.csv
--   data/h200x2/sealed-38/micro/nccl.csv
--   data/h200x2/sealed-38/micro/pairs.csv
--   data/h200x2/sealed-38/micro/pinned.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local inherited = gs.inherited
local fitted = gs.fitted

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
    duplex = measured(1.98352, 0.0198352, "pairs.csv"),
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
    membw = measured("4.08579 TB/s", "4.08579 GB/s", "membw.csv"),
    start = measured("1.47392 us", "14.7392 ns", "launch.csv"),
    latency = measured("333.031 ns", "3.33031 ns", "remote.csv"),
    cache_latency = measured("145.375 ns", "1.45375 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.535022 },
      { "2 MiB", 0.87698 },
      { "4 MiB", 1.00912 },
      { "8 MiB", 1.38455 },
      { "16 MiB", 1.50539 },
      { "24 MiB", 1.61152 },
      { "32 MiB", 1.46367 },
      { "40 MiB", 1.17686 },
      { "48 MiB", 1.03682 },
      { "56 MiB", 0.943547 },
      { "64 MiB", 0.915686 },
      { "96 MiB", 0.917892 },
      { "128 MiB", 0.931465 },
      { "256 MiB", 0.960819 },
      { "512 MiB", 0.980419 },
      { "1.07374182 GB", 0.98986 },
      { "2.14748365 GB", 0.994628 },
      { "4.2949673 GB", 0.997445 },
      { "8.58993459 GB", 0.998924 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.56572 us", "82.538 ns", "launch.csv"),
    copy = measured("1.97487 us", "315.193 ns", "launch.csv"),
    event = measured("161.807 ns", "8.96728 ns", "launch.csv"),
    launch_contention = measured(0.320446, 0.0472895, "launch.csv"),
    copy_contention = measured(0.819894, 0.748397, "launch.csv"),
    sync = measured("3.57349 us", "140.373 ns", "membw.csv"),
    sync_more = measured("1.6493 us", "16.493 ns", "call_idle"),
    barrier = measured("233.511 ns", "159.295 ns", "launch.csv"),
    barrier_more = inherited("442.472 ns", "219.17 ns", "h200x8"),
    graph = measured("1.70231 us", "259.985 ns", "calls.csv"),
    memset = measured("1.17633 us", "153.368 ns", "calls.csv"),
    d2h = measured("1.477 us", "143.59 ns", "calls.csv"),
    h2d = measured("2.21153 us", "93.4743 ns", "calls.csv"),
    wait_remote = measured("1.6233 us", "230.166 ns", "calls.csv"),
    sync_event = measured("913.138 ns", "110.564 ns", "calls.csv"),
    set_device = measured("106.093 ns", "56.3273 ns", "calls.csv"),
    wake = measured("1.57615 us", "81.6524 ns", "calls.csv"),
    barrier_bare = measured("326.534 ns", "13.8959 ns", "calls.csv"),
    barrier_bare_more = measured("86.3552 ns", "4.51487 ns", "calls.csv"),
  },

  contention = {
    graph = measured(0.221779, 0.217727, "calls.csv"),
    memset = measured(0.102965, 0.203811, "calls.csv"),
    d2h = measured(0.451771, 0.16523, "calls.csv"),
    h2d = measured(0.100478, 0.120589, "calls.csv"),
    event = measured(0.213788, 0.345204, "calls.csv"),
    wait_remote = measured(0.642595, 0.666573, "calls.csv"),
    sync = measured(0.219421, 0.206966, "calls.csv"),
    sync_event = measured(0.710936, 0.775348, "calls.csv"),
    set_device = measured(2.26299, 1.65726, "calls.csv"),
  },

  share = {
    launch = measured(0.346955, 0.0331549, "calls.csv"),
    graph = measured(1.57751, 0.256516, "calls.csv"),
    memset = measured(1.26468, 0.198038, "calls.csv"),
    copy = measured(0.589695, 0.032679, "calls.csv"),
    d2h = measured(1.05375, 0.124817, "calls.csv"),
    h2d = measured(0.611798, 0.0521611, "calls.csv"),
    event = measured(1.13445, 0.351895, "calls.csv"),
    wait_remote = measured(1.40392, 0.2209, "calls.csv"),
    sync = measured(0.819185, 0.153517, "calls.csv"),
    sync_event = measured(1.38686, 0.184832, "calls.csv"),
    set_device = measured(2.61928, 1.50549, "calls.csv"),
    room = measured(22.4509, 7.96933, "call_*"),
    wake = measured(0.328923, 0.0142947, "calls.csv"),
    straggle = measured("1.29583 us", "84.9142 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("1.91126 us", "97.0963 ns", "calls.csv"),
    near = measured("506.976 ns", "142.788 ns", "calls.csv"),
    remote = measured("6.72417 us", "784.631 ns", "calls.csv"),
    meet = measured("2.1888 us", "22.4736 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.97497, 0.00097497, "pairs.csv"),
    all_active = measured(1, 0.0115261, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.41278 us", "25.2595 ns", "dma.csv"),
    latency = measured("6.01091 us", "642.85 ns", "launch.csv"),
    interference = measured("486.6 fs/B", "2.08076 fs/B", "overlap.csv"),
  },

  staged = {
    rate = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
    pinned = measured("55.024 GB/s", "106.765 MB/s", "pinned.csv"),
    pageable = measured("12.9304 GB/s", "730.083 MB/s", "pinned.csv"),
    ring = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
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
    contention = measured(9.16019, 0.737066, "agent_chunk_beside, overlap_store_out"),
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
    efficiency = measured(0.926251, 0.00102375, "remote.csv"),
    rate = measured("8.65796 G/s", "86.5796 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("926.034 ns", "8.8531 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.4916 G/s", "64.916 M/s", "remote.csv"),
    merge = measured("32 B", "0.032 B", "atomic_remote"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  coll = {
    issue = measured("8.40262 us", "1.35066 us", "nccl.csv"),
    start = measured("4.80035 us", "20.8103 ns", "sealed-12/micro/nccl.csv"),
    ll_rate = measured("9.67776 GB/s", "744.265 MB/s", "sealed-12/micro/nccl.csv"),
    flag_step = measured("1.03139 us", "164.187 ns", "sealed-12/micro/nccl.csv"),
    ll128_rate = measured("133.338 GB/s", "12.8704 GB/s", "sealed-12/micro/nccl.csv"),
    simple_start = measured("8.14016 us", "540.66 ns", "sealed-12/micro/nccl.csv"),
    efficiency = measured(0.932409, 0.0202395, "sealed-12/micro/nccl.csv"),
    turn = measured(0.544156, 0.0407374, "sealed-12/micro/nccl.csv"),
    pair_start = measured("1.15096 us", "9.85414 ns", "sealed-12/micro/nccl.csv"),
    channel = measured("17.8018 GB/s", "731.779 MB/s", "sealed-12/micro/nccl.csv"),
    off_small = measured(0.0518, 0, "sealed-12/micro/nccl.csv"),
    off_middle = measured(0.0714, 0, "sealed-12/micro/nccl.csv"),
    off_large = measured(0.0487, 0, "sealed-12/micro/nccl.csv"),
  },

  um = {
    thrash_window = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("222.023 us", "65.3643 us", "um.csv"),
    fault_rate = measured("10.9847 GB/s", "377.893 MB/s", "um.csv"),
    prefetch_start = measured("28.163 us", "442.118 ns", "um.csv"),
    prefetch_rate = measured("48.1795 GB/s", "146.9 MB/s", "um.csv"),
    peer_start = measured("24.6621 us", "1.13256 us", "um.csv"),
    peer_rate = measured("185.139 GB/s", "2.77419 GB/s", "um.csv"),
    touch_start = measured("434.996 us", "105.885 us", "um.csv"),
    touch_rate = measured("12.2818 GB/s", "902.348 MB/s", "um.csv"),
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
