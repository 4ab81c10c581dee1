-- h100x2.lua - written by `gpuscale calibrate` over h100x2, from
--   data/h100x2/sealed-15/micro/calls.csv
--   data/h100x2/sealed-15/micro/launch.csv
--   data/h100x2/sealed-15/micro/membw.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

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
    duplex = measured(2, 0, "exchange.csv"),
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
    membw = measured("3.00168 TB/s", "3.00168 GB/s", "membw.csv"),
    start = measured("1.95168 us", "19.5168 ns", "launch.csv"),
    latency = measured("345.609 ns", "3.45609 ns", "remote.csv"),
    cache_latency = measured("145.828 ns", "1.45828 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 1.92872 },
      { "2 MiB", 2.39661 },
      { "4 MiB", 2.1553 },
      { "8 MiB", 2.19373 },
      { "16 MiB", 2.1455 },
      { "24 MiB", 2.12299 },
      { "32 MiB", 1.91194 },
      { "40 MiB", 1.21664 },
      { "48 MiB", 1.03513 },
      { "56 MiB", 0.977483 },
      { "64 MiB", 0.960015 },
      { "96 MiB", 0.956755 },
      { "128 MiB", 0.963563 },
      { "256 MiB", 0.979473 },
      { "512 MiB", 0.989883 },
      { "1.07374182 GB", 0.995091 },
      { "2.14748365 GB", 0.997258 },
      { "4.2949673 GB", 0.998713 },
      { "8.58993459 GB", 0.999174 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.60227 us", "98.3433 ns", "launch.csv"),
    copy = measured("2.19591 us", "96.0236 ns", "launch.csv"),
    event = measured("148.712 ns", "2.94331 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("4.15707 us", "62.0523 ns", "membw.csv"),
    sync_more = measured("1.41611 us", "14.1611 ns", "call_idle"),
    barrier = measured("496.728 ns", "167.786 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.24167 us", "431.828 ns", "calls.csv"),
    memset = measured("1.16394 us", "94.4109 ns", "calls.csv"),
    d2h = measured("1.43496 us", "356.162 ns", "calls.csv"),
    h2d = measured("2.10065 us", "100.354 ns", "calls.csv"),
    wait_far = measured("1.0767 us", "83.2174 ns", "calls.csv"),
    sync_event = measured("971.69 ns", "193.937 ns", "calls.csv"),
    set_device = measured("73.529 ns", "17.2951 ns", "calls.csv"),
    wake = measured("1.35749 us", "119.306 ns", "calls.csv"),
    barrier_bare = measured("313.21 ns", "31.3342 ns", "calls.csv"),
    barrier_bare_more = measured("78.216 ns", "7.74278 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.508198, 0.477014, "calls.csv"),
    memset = measured(0, 0.196582, "calls.csv"),
    d2h = measured(0.180521, 0.41786, "calls.csv"),
    h2d = measured(0.025012, 0.0978227, "calls.csv"),
    event = measured(0.754007, 0.398281, "calls.csv"),
    wait_far = measured(1.11317, 0.295365, "calls.csv"),
    sync = measured(0.422911, 0.261384, "calls.csv"),
    sync_event = measured(0.52208, 0.778707, "calls.csv"),
    set_device = measured(3.29545, 2.13355, "calls.csv"),
  },

  share = {
    launch = measured(0.27893, 0.0187095, "calls.csv"),
    graph = measured(1.84362, 0.657571, "calls.csv"),
    memset = measured(1.08895, 0.0934679, "calls.csv"),
    copy = measured(0.557095, 0.0879821, "calls.csv"),
    d2h = measured(1.02775, 0.282358, "calls.csv"),
    h2d = measured(0.581755, 0.0391641, "calls.csv"),
    event = measured(1.61714, 0.229693, "calls.csv"),
    wait_far = measured(2.25352, 0.252781, "calls.csv"),
    sync = measured(1.12378, 0.221982, "calls.csv"),
    sync_event = measured(1.28329, 0.284491, "calls.csv"),
    set_device = measured(3.20079, 1.09693, "calls.csv"),
    room = measured(20.5273, 11.5495, "call_*"),
    wake = measured(0.306356, 0.0150752, "calls.csv"),
    straggle = measured("1.20995 us", "40.0684 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("1.92766 us", "75.5548 ns", "calls.csv"),
    near = measured("275.498 ns", "13.4429 ns", "calls.csv"),
    far = measured("6.2933 us", "692.295 ns", "calls.csv"),
    meet = measured("2.1904 us", "21.904 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.976056, 0.00931049, "dma.csv"),
    all_active = measured(0.998543, 0.0111834, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.46614 us", "19.0532 ns", "dma.csv"),
    latency = measured("5.57707 us", "770.662 ns", "launch.csv"),
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

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h100x2",
}
