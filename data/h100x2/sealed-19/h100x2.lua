-- h100x2.lua - written by `gpuscale calibrate` over h100x2, from
--   data/h100x2/sealed-19/micro/calls.csv
--   data/h100x2/sealed-19/micro/launch.csv
--   data/h100x2/sealed-19/micro/membw.csv
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
    membw = measured("3.0015 TB/s", "3.0015 GB/s", "membw.csv"),
    start = measured("1.78208 us", "17.8208 ns", "launch.csv"),
    latency = measured("345.609 ns", "3.45609 ns", "remote.csv"),
    cache_latency = measured("145.828 ns", "1.45828 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.628871 },
      { "2 MiB", 1.1516 },
      { "4 MiB", 1.38368 },
      { "8 MiB", 1.7464 },
      { "16 MiB", 1.92035 },
      { "24 MiB", 1.93854 },
      { "32 MiB", 1.78778 },
      { "40 MiB", 1.18228 },
      { "48 MiB", 1.01485 },
      { "56 MiB", 0.962458 },
      { "64 MiB", 0.946544 },
      { "96 MiB", 0.947939 },
      { "128 MiB", 0.956332 },
      { "256 MiB", 0.976279 },
      { "512 MiB", 0.98833 },
      { "1.07374182 GB", 0.994012 },
      { "2.14748365 GB", 0.99686 },
      { "4.2949673 GB", 0.998587 },
      { "8.58993459 GB", 0.999138 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.82545 us", "225.876 ns", "launch.csv"),
    copy = measured("4.03765 us", "206.177 ns", "launch.csv"),
    event = measured("292.939 ns", "26.1139 ns", "launch.csv"),
    launch_crowd = measured(0.212021, 0.20435, "calls.csv"),
    copy_crowd = measured(0.430985, 0.229537, "calls.csv"),
    sync = measured("3.58676 us", "99.4118 ns", "membw.csv"),
    sync_more = measured("1.66377 us", "16.6377 ns", "call_idle"),
    barrier = measured("822.06 ns", "266.082 ns", "launch.csv"),
    barrier_more = inherited("442.472 ns", "219.17 ns", "h200x8"),
    graph = measured("2.13808 us", "180.47 ns", "calls.csv"),
    memset = measured("1.18404 us", "140.029 ns", "calls.csv"),
    d2h = measured("1.87835 us", "541.21 ns", "calls.csv"),
    h2d = measured("2.28963 us", "249.447 ns", "calls.csv"),
    wait_far = measured("1.42858 us", "559.465 ns", "calls.csv"),
    sync_event = measured("975.912 ns", "629.217 ns", "calls.csv"),
    set_device = measured("205.274 ns", "171.024 ns", "calls.csv"),
    wake = measured("1.50718 us", "126.894 ns", "calls.csv"),
    barrier_bare = measured("279.088 ns", "22.1492 ns", "calls.csv"),
    barrier_bare_more = measured("116.174 ns", "10.9714 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.0748089, 0.243724, "calls.csv"),
    memset = measured(0.126092, 0.18168, "calls.csv"),
    d2h = measured(0.268508, 0.391688, "calls.csv"),
    h2d = measured(0, 0.656304, "calls.csv"),
    event = measured(0.882876, 0.402352, "calls.csv"),
    wait_far = measured(0.914827, 0.933677, "calls.csv"),
    sync = measured(10.412, 51.6956, "calls.csv"),
    sync_event = measured(0.586269, 0.880531, "calls.csv"),
    set_device = measured(0.82344, 1.36211, "calls.csv"),
  },

  share = {
    launch = measured(0.660145, 0.106947, "calls.csv"),
    graph = measured(1.29629, 0.131427, "calls.csv"),
    memset = measured(2.35504, 0.322821, "calls.csv"),
    copy = measured(1.18493, 0.2176, "calls.csv"),
    d2h = measured(1.28878, 0.42788, "calls.csv"),
    h2d = measured(0.7822, 0.122917, "calls.csv"),
    event = measured(2.21869, 0.60541, "calls.csv"),
    wait_far = measured(2.82035, 1.22209, "calls.csv"),
    sync = measured(14.3719, 71.0204, "calls.csv"),
    sync_event = measured(1.77816, 1.25366, "calls.csv"),
    set_device = measured(1.47621, 1.29447, "calls.csv"),
    room = measured(3.15926, 0.426992, "call_*"),
    wake = measured(0.454105, 0.0520273, "calls.csv"),
    straggle = measured("2.03317 us", "251.882 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("3.74921 us", "147.233 ns", "calls.csv"),
    near = measured("274.212 ns", "55.5654 ns", "calls.csv"),
    far = measured("6.49318 us", "718.021 ns", "calls.csv"),
    meet = measured("2.3136 us", "23.136 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.976056, 0.00931049, "dma.csv"),
    all_active = measured(0.998543, 0.0111834, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.46614 us", "19.0532 ns", "dma.csv"),
    latency = measured("6.87821 us", "145.101 ns", "launch.csv"),
    interference = measured("677.477 fs/B", "2.45962 fs/B", "overlap.csv"),
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
    beside = measured(12.773, 1.62515, "agent_chunk_beside, overlap_store_out"),
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
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("198.301 us", "107.08 us", "um.csv"),
    fault_rate = measured("10.6957 GB/s", "732.446 MB/s", "um.csv"),
    prefetch_start = measured("53.624 us", "2.13015 us", "um.csv"),
    prefetch_rate = measured("48.611 GB/s", "594.87 MB/s", "um.csv"),
    peer_start = measured("34.4556 us", "6.7143 us", "um.csv"),
    peer_rate = measured("157.099 GB/s", "15.3029 GB/s", "um.csv"),
    touch_start = measured("0 ns", "0 ns", "um.csv"),
    touch_rate = measured("9.69817 GB/s", "496.869 MB/s", "um.csv"),
  },
}
