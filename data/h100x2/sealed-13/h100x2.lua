-- h100x2.lua - written by `gpuscale calibrate` over h100x2, from
--   data/h100x2/sealed-13/micro/calls.csv
--   data/h100x2/sealed-13/micro/launch.csv
--   data/h100x2/sealed-13/micro/membw.csv
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
    membw = measured("3.00118 TB/s", "3.00118 GB/s", "membw.csv"),
    start = measured("1.94288 us", "19.4288 ns", "launch.csv"),
    latency = measured("345.609 ns", "3.45609 ns", "remote.csv"),
    cache_latency = measured("145.828 ns", "1.45828 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 2.28179 },
      { "2 MiB", 1.92649 },
      { "4 MiB", 1.92098 },
      { "8 MiB", 2.20936 },
      { "16 MiB", 2.14651 },
      { "24 MiB", 2.10078 },
      { "32 MiB", 1.91724 },
      { "40 MiB", 1.20934 },
      { "48 MiB", 1.03525 },
      { "56 MiB", 0.976667 },
      { "64 MiB", 0.962453 },
      { "96 MiB", 0.955755 },
      { "128 MiB", 0.963738 },
      { "256 MiB", 0.980501 },
      { "512 MiB", 0.99026 },
      { "1.07374182 GB", 0.994845 },
      { "2.14748365 GB", 0.997458 },
      { "4.2949673 GB", 0.998939 },
      { "8.58993459 GB", 0.999367 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("7.07553 us", "316.314 ns", "launch.csv"),
    copy = measured("9.58355 us", "1.06217 us", "launch.csv"),
    event = measured("348.328 ns", "68.669 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("544.307 ns", "42.1722 ns", "membw.csv"),
    sync_more = measured("1.37055 us", "13.7055 ns", "call_idle"),
    barrier = measured("687.128 ns", "240.623 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.77244 us", "214.394 ns", "calls.csv"),
    memset = measured("1.02737 us", "99.6855 ns", "calls.csv"),
    d2h = measured("1.82989 us", "89.4257 ns", "calls.csv"),
    h2d = measured("1.93186 us", "45.763 ns", "calls.csv"),
    wait_far = measured("1.45265 us", "213.349 ns", "calls.csv"),
    sync_event = measured("1.36959 us", "150.859 ns", "calls.csv"),
    set_device = measured("75.8365 ns", "19.8584 ns", "calls.csv"),
    wake = measured("1.4741 us", "147.015 ns", "calls.csv"),
    barrier_bare = measured("265.981 ns", "17.2755 ns", "calls.csv"),
    barrier_bare_more = measured("81.2801 ns", "7.35214 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.0492004, 0.142854, "calls.csv"),
    memset = measured(0.107585, 0.23303, "calls.csv"),
    d2h = measured(0, 0.106107, "calls.csv"),
    h2d = measured(0.110375, 0.075546, "calls.csv"),
    event = measured(0.119813, 0.218578, "calls.csv"),
    wait_far = measured(0.55563, 0.257131, "calls.csv"),
    sync = measured(0.392879, 0.154955, "calls.csv"),
    sync_event = measured(0.0978284, 0.177002, "calls.csv"),
    set_device = measured(3.52651, 1.53767, "calls.csv"),
  },

  share = {
    launch = measured(0.421594, 0.0644944, "calls.csv"),
    graph = measured(1.41145, 0.21796, "calls.csv"),
    memset = measured(1.49985, 0.166284, "calls.csv"),
    copy = measured(0.642738, 0.0482879, "calls.csv"),
    d2h = measured(0.807953, 0.0636008, "calls.csv"),
    h2d = measured(0.706193, 0.0278054, "calls.csv"),
    event = measured(0.725465, 0.16136, "calls.csv"),
    wait_far = measured(1.16993, 0.248876, "calls.csv"),
    sync = measured(0.911105, 0.114212, "calls.csv"),
    sync_event = measured(0.750789, 0.115713, "calls.csv"),
    set_device = measured(3.72712, 1.16289, "calls.csv"),
    room = measured(38.3939, 31.2597, "call_*"),
    wake = measured(2.14434, 0.0915774, "calls.csv"),
    straggle = measured("1.08351 us", "51.7521 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.0469 us", "224.75 ns", "calls.csv"),
    near = measured("659.949 ns", "98.5156 ns", "calls.csv"),
    far = measured("5.59879 us", "100.257 ns", "calls.csv"),
    meet = measured("2.1216 us", "28.0924 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.976056, 0.00931049, "dma.csv"),
    all_active = measured(0.998543, 0.0111834, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.46614 us", "19.0532 ns", "dma.csv"),
    latency = measured("4.19484 us", "1.16282 us", "launch.csv"),
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
