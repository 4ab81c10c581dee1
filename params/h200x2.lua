-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/micro/agent.csv
--   data/h200x2/micro/cdp.csv
--   data/h200x2/micro/dma.csv
--   data/h200x2/micro/exchange.csv
--   data/h200x2/micro/launch.csv
--   data/h200x2/micro/membw.csv
--   data/h200x2/micro/overlap.csv
--   data/h200x2/micro/pinned.csv
--   data/h200x2/micro/remote.csv
--   data/h200x2/micro/scatter.csv
--   data/h200x2/micro/store.csv
--   data/h200x2/micro/track.csv
--   data/h200x2/micro/um.csv
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
    membw = measured("4.10653 TB/s", "4.10653 GB/s", "membw.csv"),
    start = measured("1.58416 us", "15.8416 ns", "launch.csv"),
    latency = measured("333.031 ns", "3.33031 ns", "remote.csv"),
    cache_latency = measured("145.375 ns", "1.45375 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.719196 },
      { "2 MiB", 1.13224 },
      { "4 MiB", 1.13004 },
      { "8 MiB", 1.5022 },
      { "16 MiB", 1.54951 },
      { "24 MiB", 1.64674 },
      { "32 MiB", 1.5504 },
      { "40 MiB", 1.19121 },
      { "48 MiB", 1.04152 },
      { "56 MiB", 0.946327 },
      { "64 MiB", 0.920911 },
      { "96 MiB", 0.923657 },
      { "128 MiB", 0.935971 },
      { "256 MiB", 0.963676 },
      { "512 MiB", 0.981348 },
      { "1.07374182 GB", 0.990159 },
      { "2.14748365 GB", 0.995148 },
      { "4.2949673 GB", 0.997899 },
      { "8.58993459 GB", 0.99909 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.70447 us", "72.8376 ns", "launch.csv"),
    copy = measured("2.18465 us", "142.523 ns", "launch.csv"),
    event = measured("221.847 ns", "36.1042 ns", "launch.csv"),
    launch_contention = inherited(0.0107272, 0.0811841, "h200x8"),
    copy_contention = inherited(0.139686, 0.725251, "h200x8"),
    sync = measured("3.15671 us", "176.055 ns", "membw.csv"),
    sync_more = measured("0 ns", "143.227 ns", "launch_sync2, launch_sync"),
    barrier = measured("1.82877 us", "152.66 ns", "launch.csv"),
    barrier_more = inherited("442.472 ns", "219.17 ns", "h200x8"),
  },

  copy = {
    efficiency = measured(0.970677, 0.0124903, "dma.csv"),
    all_active = measured(1, 0.0115261, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.41278 us", "25.2595 ns", "dma.csv"),
    latency = measured("6.18103 us", "1.23093 us", "launch.csv"),
    interference = measured("486.6 fs/B", "2.08076 fs/B", "overlap.csv"),
  },

  staged = {
    rate = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
    pinned = measured("55.0349 GB/s", "135.097 MB/s", "pinned.csv"),
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
    issue = measured("5.67077 us", "737.201 ns", "sealed-12/micro/nccl.csv"),
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
