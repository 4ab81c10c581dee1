-- base.lua - written by `gpuscale calibrate` over h200x4, from
--   data/h100x2/micro/agent.csv
--   data/h100x2/micro/calls.csv
--   data/h100x2/micro/carry.csv
--   data/h100x2/micro/cdp.csv
--   data/h100x2/micro/contend.csv
--   data/h100x2/micro/dma.csv
--   data/h100x2/micro/exchange.csv
--   data/h100x2/micro/launch.csv
--   data/h100x2/micro/membw.csv
--   data/h100x2/micro/overlap.csv
--   data/h100x2/micro/owner.csv
--   data/h100x2/micro/pinned.csv
--   data/h100x2/micro/remote.csv
--   data/h100x2/micro/scatter.csv
--   data/h100x2/micro/store.csv
--   data/h100x2/micro/track.csv
--   data/h100x2/micro/um.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local inherited = gs.inherited
local fitted = gs.fitted

return gs.system {
  name = "base",
  summary = "four H200 GPUs of a machine, NVLink 4 through NVSwitch",
  gpus = 4,
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
    membw = measured("3.00146 TB/s", "3.00146 GB/s", "membw.csv"),
    start = measured("1.90448 us", "19.0448 ns", "launch.csv"),
    latency = measured("345.609 ns", "3.45609 ns", "remote.csv"),
    cache_latency = measured("145.828 ns", "1.45828 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.971729 },
      { "2 MiB", 1.37889 },
      { "4 MiB", 1.6838 },
      { "8 MiB", 1.86881 },
      { "16 MiB", 2.03504 },
      { "24 MiB", 2.03374 },
      { "32 MiB", 1.72918 },
      { "40 MiB", 1.19615 },
      { "48 MiB", 1.02373 },
      { "56 MiB", 0.968227 },
      { "64 MiB", 0.953436 },
      { "96 MiB", 0.950727 },
      { "128 MiB", 0.960207 },
      { "256 MiB", 0.978353 },
      { "512 MiB", 0.989416 },
      { "1.07374182 GB", 0.994586 },
      { "2.14748365 GB", 0.997245 },
      { "4.2949673 GB", 0.998531 },
      { "8.58993459 GB", 0.999271 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.59704 us", "421.922 ns", "launch.csv"),
    copy = measured("1.81288 us", "58.2626 ns", "launch.csv"),
    event = measured("264.745 ns", "34.3124 ns", "launch.csv"),
    launch_crowd = measured(0.317306, 0.25801, "launch.csv"),
    copy_crowd = measured(0.926761, 0.0676361, "launch.csv"),
    sync = measured("3.49541 us", "166.219 ns", "membw.csv"),
    sync_more = measured("1.41732 us", "14.1732 ns", "call_idle"),
    barrier = measured("219.902 ns", "443.573 ns", "launch.csv"),
    barrier_more = inherited("102.826 ns", "533.965 ns", "h200x4"),
    graph = measured("1.42738 us", "215.829 ns", "calls.csv"),
    memset = measured("880.131 ns", "151.207 ns", "calls.csv"),
    d2h = measured("1.60112 us", "528.907 ns", "calls.csv"),
    h2d = measured("1.926 us", "132.25 ns", "calls.csv"),
    wait_far = measured("1.69625 us", "260.614 ns", "calls.csv"),
    sync_event = measured("1.09026 us", "262.019 ns", "calls.csv"),
    set_device = measured("114.614 ns", "87.0301 ns", "calls.csv"),
    wake = measured("1.7873 us", "123.906 ns", "calls.csv"),
    barrier_bare = measured("300.773 ns", "10.8962 ns", "calls.csv"),
    barrier_bare_more = measured("97.3452 ns", "5.02817 ns", "calls.csv"),
    straggle = inherited("159.585 ns", "81.4874 ns", "h200x4"),
    straggle_more = inherited("119.002 ns", "61.1639 ns", "h200x4"),
  },

  crowd = {
    graph = measured(0.545326, 0.18992, "calls.csv"),
    memset = measured(0.464293, 0.255987, "calls.csv"),
    d2h = measured(0.607894, 0.786965, "calls.csv"),
    h2d = measured(0.382057, 0.0897973, "calls.csv"),
    event = measured(0.128289, 0.132751, "calls.csv"),
    wait_far = measured(1.00919, 1.03559, "calls.csv"),
    sync = measured(0.401884, 0.216891, "calls.csv"),
    sync_event = measured(0.529254, 0.442399, "calls.csv"),
    set_device = measured(2.3491, 2.04383, "calls.csv"),
  },

  share = {
    launch = measured(0.361846, 0.0153432, "calls.csv"),
    graph = measured(2.01758, 0.318426, "calls.csv"),
    memset = measured(2.00159, 0.378313, "calls.csv"),
    copy = measured(0.492741, 0.090035, "calls.csv"),
    d2h = measured(1.0603, 0.379657, "calls.csv"),
    h2d = measured(0.815542, 0.0689013, "calls.csv"),
    event = measured(0.845707, 0.131997, "calls.csv"),
    wait_far = measured(1.61979, 0.274879, "calls.csv"),
    sync = measured(0.933283, 0.14985, "calls.csv"),
    sync_event = measured(1.18808, 0.30408, "calls.csv"),
    set_device = measured(3.00737, 2.36901, "calls.csv"),
    room = measured(15.9646, 5.77037, "call_*"),
    wake = measured(0.393627, 0.0230294, "calls.csv"),
    straggle = measured("1.18191 us", "85.5384 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.45305 us", "186.105 ns", "calls.csv"),
    near = measured("264.096 ns", "28.4083 ns", "calls.csv"),
    far = measured("5.04244 us", "322.639 ns", "calls.csv"),
    meet = measured("2.216 us", "22.16 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.976056, 0.00931049, "dma.csv"),
    all_active = measured(0.998543, 0.0111834, "exchange.csv"),
    contended = inherited(0.73979, 0.0296518, "h200x4"),
    same = inherited(0.696021, 0.343299, "h200x4"),
    initiation = measured("2.46614 us", "19.0532 ns", "dma.csv"),
    latency = measured("6.58031 us", "63.3826 ns", "launch.csv"),
    interference = measured("677.477 fs/B", "2.45962 fs/B", "overlap.csv"),
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
    efficiency = measured(0.924426, 0.00231097, "store.csv"),
    all_active = measured(0.990713, 0.000990713, "exchange.csv"),
    rate = measured("6.87492 G/s", "6.87492 M/s", "store.csv"),
    wide_rate = measured("7.77045 G/s", "77.7045 M/s", "scatter.csv"),
    reach = assumed("1.07374 GB", { "268.439 MB", "1.87904 GB" }, "as on h200x2"),
    ingress = inherited("6.34872 G/s", "16.5416 M/s", "h200x4"),
    ingress_few = inherited(0.292438, 0.00570239, "h200x4"),
    same = inherited(0.762733, 0.376267, "h200x4"),
    same_small = inherited(0.759926, 0.374544, "h200x4"),
    latency = measured("2.3528 us", "23.528 ns", "agent.csv"),
    interference = measured("747.848 fs/B", "5.37221 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("117.454 MB/s", "1.69939 MB/s", "agent.csv"),
    turn = measured("169.339 ns", "0.782954 ns", "carry.csv"),
    word = measured("24.8689 ns", "0.228761 ns", "carry.csv"),
    sm_rate = measured("42.4502 GB/s", "302.289 MB/s", "carry.csv"),
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
    waits = fitted(1, 0, "programs by proact-cdp"),
  },

  load = {
    efficiency = measured(0.926952, 0.00151753, "remote.csv"),
    rate = measured("8.70703 G/s", "87.0703 M/s", "remote.csv"),
    all_active = measured(0.764509, 0.000764509, "contend.csv"),
    same = inherited(0.688689, 0.339405, "h200x4"),
    latency = measured("922.897 ns", "8.09776 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.47791 G/s", "64.7791 M/s", "remote.csv"),
    merge = measured("32 B", "0.032 B", "atomic_remote"),
    all_active = measured(0.619633, 0.016728, "contend.csv"),
    same = inherited(0.704314, 0.347125, "h200x4"),
    same_small = inherited(0.763541, 0.376729, "h200x4"),
  },

  coll = {
    issue = inherited("5.97837 us", "268.946 ns", "h200x4"),
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
    fault_start = measured("198.301 us", "107.08 us", "um.csv"),
    fault_rate = measured("10.6957 GB/s", "732.446 MB/s", "um.csv"),
    prefetch_start = measured("53.624 us", "2.13015 us", "um.csv"),
    prefetch_rate = measured("48.611 GB/s", "594.87 MB/s", "um.csv"),
    peer_start = measured("34.4556 us", "6.7143 us", "um.csv"),
    peer_rate = measured("157.099 GB/s", "15.3029 GB/s", "um.csv"),
    touch_start = measured("0 ns", "0 ns", "um.csv"),
    touch_rate = measured("9.69817 GB/s", "496.869 MB/s", "um.csv"),
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
