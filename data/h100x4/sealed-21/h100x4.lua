-- h100x4.lua - written by `gpuscale calibrate` over base, from
--   data/h100x4/sealed-21/micro/calls.csv
--   data/h100x4/sealed-21/micro/launch.csv
--   data/h100x4/sealed-21/micro/membw.csv
--   data/h100x4/sealed-21/micro/nccl.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local inherited = gs.inherited
local fitted = gs.fitted

return gs.system {
  name = "h100x4",
  summary = "four H200 GPUs of a machine, NVLink 4 through NVSwitch",
  gpus = 4,
  topology = gs.topology { kind = "switch" },
  grows = true,
  calibrated = 4,
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
    membw = measured("2.93486 TB/s", "2.93486 GB/s", "membw.csv"),
    start = measured("1.86896 us", "18.6896 ns", "launch.csv"),
    latency = inherited("345.609 ns", "8.29748 ns", "base"),
    cache_latency = inherited("145.828 ns", "1.88399 ns", "base"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.84938 },
      { "2 MiB", 1.44579 },
      { "4 MiB", 1.66364 },
      { "8 MiB", 1.99845 },
      { "16 MiB", 2.02553 },
      { "24 MiB", 2.09027 },
      { "32 MiB", 1.91117 },
      { "40 MiB", 1.19783 },
      { "48 MiB", 1.04044 },
      { "56 MiB", 0.977947 },
      { "64 MiB", 0.9598 },
      { "96 MiB", 0.954328 },
      { "128 MiB", 0.962933 },
      { "256 MiB", 0.97896 },
      { "512 MiB", 0.9889 },
      { "1.07374182 GB", 0.99427 },
      { "2.14748365 GB", 0.997229 },
      { "4.2949673 GB", 0.998733 },
      { "8.58993459 GB", 0.999708 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.93388 us", "398.24 ns", "launch.csv"),
    copy = measured("3.05111 us", "69.371 ns", "launch.csv"),
    event = measured("306.564 ns", "3.15318 ns", "launch.csv"),
    launch_crowd = measured(0.0358198, 0.0402186, "launch.csv"),
    copy_crowd = measured(0.0979272, 0.0131906, "launch.csv"),
    sync = measured("3.10291 us", "50.141 ns", "membw.csv"),
    sync_more = measured("1.55522 us", "15.5522 ns", "call_idle"),
    barrier = measured("236.621 ns", "412.362 ns", "launch.csv"),
    barrier_more = measured("341.851 ns", "27.5211 ns", "launch.csv"),
    graph = measured("1.94216 us", "58.5889 ns", "calls.csv"),
    memset = measured("1.28171 us", "21.2158 ns", "calls.csv"),
    d2h = measured("2.05553 us", "160.963 ns", "calls.csv"),
    h2d = measured("2.33824 us", "117.11 ns", "calls.csv"),
    wait_far = measured("1.57638 us", "185.72 ns", "calls.csv"),
    sync_event = measured("1.23579 us", "128.315 ns", "calls.csv"),
    set_device = measured("105.074 ns", "24.6068 ns", "calls.csv"),
    wake = measured("1.49995 us", "20.2534 ns", "calls.csv"),
    barrier_bare = measured("293.066 ns", "19.4979 ns", "calls.csv"),
    barrier_bare_more = measured("109.003 ns", "6.01733 ns", "calls.csv"),
    straggle = measured("373.361 ns", "100.726 ns", "calls.csv"),
    straggle_more = measured("0 ns", "262.625 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.0403116, 0.022196, "calls.csv"),
    memset = measured(0, 0.0132744, "calls.csv"),
    d2h = measured(0.0483898, 0.0405737, "calls.csv"),
    h2d = measured(0, 0.0611128, "calls.csv"),
    event = measured(0, 0.0217286, "calls.csv"),
    wait_far = measured(0.325122, 0.0774804, "calls.csv"),
    sync = measured(0.172688, 0.0758891, "calls.csv"),
    sync_event = measured(0.184611, 0.120467, "calls.csv"),
    set_device = measured(0.800225, 0.49404, "calls.csv"),
  },

  share = {
    launch = measured(0.233173, 0.0396581, "calls.csv"),
    graph = measured(1.24952, 0.0469478, "calls.csv"),
    memset = measured(1.01939, 0.0652293, "calls.csv"),
    copy = measured(0.472032, 0.0597566, "calls.csv"),
    d2h = measured(0.626728, 0.057436, "calls.csv"),
    h2d = measured(0.39274, 0.0397375, "calls.csv"),
    event = measured(0.522775, 0.0234149, "calls.csv"),
    wait_far = measured(1.30089, 0.16599, "calls.csv"),
    sync = measured(0.989925, 0.154383, "calls.csv"),
    sync_event = measured(0.885275, 0.116235, "calls.csv"),
    set_device = measured(2.44411, 0.731823, "calls.csv"),
    room = measured(35.2734, 15.7837, "call_*"),
    wake = measured(0.35837, 0.0195056, "calls.csv"),
    straggle = measured("1.07377 us", "45.0425 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.86491 us", "44.9787 ns", "calls.csv"),
    near = measured("221.461 ns", "10.4735 ns", "calls.csv"),
    far = measured("6.30168 us", "674.315 ns", "calls.csv"),
    meet = measured("2.1392 us", "21.392 ns", "calls.csv"),
  },

  copy = {
    efficiency = inherited(0.976056, 0.00998571, "base"),
    all_active = inherited(0.998543, 0.0112307, "base"),
    contended = inherited(0.73979, 0.0296518, "h200x4"),
    same = inherited(0.696021, 0.343299, "h200x4"),
    initiation = inherited("2.46614 us", "29.4825 ns", "base"),
    latency = measured("6.66486 us", "111.865 ns", "launch.csv"),
    interference = inherited("677.477 fs/B", "111.931 fs/B", "base"),
  },

  staged = {
    rate = inherited("38.1858 GB/s", "941.648 MB/s", "h200x4"),
    all_active = inherited(0.830249, 0.0115163, "h200x4"),
    host = inherited("79.917 GB/s", "39.6729 GB/s", "h200x4"),
    buffer = inherited("439.195 kB", "120.907 kB", "h200x4"),
    initiation = inherited("17.6755 us", "2.09476 us", "h200x4"),
    latency = inherited("245.127 ns", "677.478 ns", "h200x4"),
  },

  store = {
    efficiency = inherited(0.924426, 0.00286464, "base"),
    all_active = inherited(0.990713, 0.00726659, "base"),
    rate = inherited("6.87492 G/s", "7.05078 M/s", "base"),
    wide_rate = inherited("7.77045 G/s", "632.389 M/s", "base"),
    reach = assumed("1.07374 GB", { "268.439 MB", "1.87904 GB" }, "as on h200x2"),
    ingress = inherited("6.34872 G/s", "16.5416 M/s", "h200x4"),
    ingress_few = inherited(0.292438, 0.00570239, "h200x4"),
    same = inherited(0.762733, 0.376267, "h200x4"),
    same_small = inherited(0.759926, 0.374544, "h200x4"),
    latency = inherited("2.3528 us", "707.023 ns", "base"),
    interference = inherited("747.848 fs/B", "105.777 fs/B", "base"),
  },

  agent = {
    thread_rate = inherited("117.454 MB/s", "2.10825 MB/s", "base"),
    turn = inherited("169.339 ns", "83.4675 ns", "base"),
    word = inherited("24.8689 ns", "12.2595 ns", "base"),
    sm_rate = inherited("42.4502 GB/s", "20.925 GB/s", "base"),
    gap = inherited("521.115 ns", "2.3777 ns", "base"),
    latency = inherited("4.19352 us", "1.20047 us", "base"),
    track = inherited("0.107444 ns", "0.0526872 ns", "base"),
    hold = inherited("512.196 ns", "12.4602 ns", "base"),
    beside = inherited(12.773, 2.5439, "base"),
  },

  cdp = {
    gap = inherited("217.77 ns", "7.08331 ns", "base"),
    latency = inherited("15.328 us", "985.57 ns", "base"),
    start = inherited("2.1189 us", "314.464 ns", "base"),
    queue = inherited("4.26233 us", "703.591 ns", "base"),
    few = inherited("1.51843 us", "573.323 ns", "base"),
    waits = fitted(1, 0, "programs by proact-cdp"),
  },

  load = {
    efficiency = inherited(0.926952, 0.00161021, "base"),
    rate = inherited("8.70703 G/s", "91.2624 M/s", "base"),
    all_active = inherited(0.764509, 0.376812, "base"),
    same = inherited(0.688689, 0.339405, "h200x4"),
    latency = inherited("922.897 ns", "8.41011 ns", "base"),
  },

  atomic = {
    rate = inherited("6.47791 G/s", "65.3286 M/s", "base"),
    merge = inherited("32 B", "15.7722 B", "base"),
    all_active = inherited(0.619633, 0.305863, "base"),
    same = inherited(0.704314, 0.347125, "h200x4"),
    same_small = inherited(0.763541, 0.376729, "h200x4"),
  },

  coll = {
    issue = measured("9.24006 us", "63.2343 ns", "nccl.csv"),
    start = inherited("5.08961 us", "211.965 ns", "h200x4"),
    step = inherited("636.15 ns", "313.747 ns", "h200x4"),
    ll_rate = inherited("6.97685 GB/s", "1.67562 GB/s", "h200x4"),
    flag_step = inherited("1.05335 us", "52.0723 ns", "h200x4"),
    ll128_rate = inherited("166.066 GB/s", "26.4017 GB/s", "h200x4"),
    simple_start = inherited("11.0549 us", "7.4169 us", "h200x4"),
    efficiency = inherited(0.91272, 0.0284131, "h200x4"),
    turn = inherited(0.518814, 0.0346495, "h200x4"),
    pair_start = inherited("989.165 ns", "108.787 ns", "h200x4"),
    channel = inherited("19.443 GB/s", "1.18679 GB/s", "h200x4"),
    off_small = inherited(0.0509325, 0.0250999, "h200x4"),
    off_middle = inherited(0.105164, 0.0518255, "h200x4"),
    off_large = inherited(0.0591507, 0.0291499, "h200x4"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = inherited("198.301 us", "114.423 us", "base"),
    fault_rate = inherited("10.6957 GB/s", "2.23615 GB/s", "base"),
    prefetch_start = inherited("53.624 us", "24.9248 us", "base"),
    prefetch_rate = inherited("48.611 GB/s", "660.011 MB/s", "base"),
    peer_start = inherited("34.4556 us", "11.245 us", "base"),
    peer_rate = inherited("157.099 GB/s", "25.635 GB/s", "base"),
    touch_start = inherited("0 ns", "0 ns", "base"),
    touch_rate = inherited("9.69817 GB/s", "1.63892 GB/s", "base"),
  },

  power = {
    gpu_busy = assumed("525 W", { "350 W", "700 W" }, "700 W: NVIDIA H200 data sheet, 2024, nvidia.com/en-us/data-center/h200"),
    gpu_idle = assumed("110 W", { "70 W", "150 W" }, "clocks up, nothing to do"),
    host_busy = assumed("60 W", { "31 W", "89 W" }, "a part of its processors' TDP"),
    host_asleep = assumed("35 W", { "12.5 W", "57.5 W" }, "idle"),
    memory_busy = assumed("20 W", { "7.5 W", "32.5 W" }, "its DIMMs"),
    memory_asleep = assumed("12 W", { "4.5 W", "19.5 W" }, "refreshed"),
  },
}
