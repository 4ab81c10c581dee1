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
    membw = measured("4.10664 TB/s", "4.10664 GB/s", "membw.csv"),
    start = measured("1.64464 us", "16.4464 ns", "launch.csv"),
    latency = measured("335.688 ns", "3.35688 ns", "remote.csv"),
    cache_latency = measured("147.703 ns", "1.47703 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.519653 },
      { "2 MiB", 1.00971 },
      { "4 MiB", 1.06728 },
      { "8 MiB", 1.4263 },
      { "16 MiB", 1.55022 },
      { "24 MiB", 1.61258 },
      { "32 MiB", 1.54557 },
      { "40 MiB", 1.19448 },
      { "48 MiB", 1.03921 },
      { "56 MiB", 0.945181 },
      { "64 MiB", 0.917561 },
      { "96 MiB", 0.922453 },
      { "128 MiB", 0.935466 },
      { "256 MiB", 0.962942 },
      { "512 MiB", 0.98132 },
      { "1.07374182 GB", 0.990672 },
      { "2.14748365 GB", 0.994931 },
      { "4.2949673 GB", 0.99759 },
      { "8.58993459 GB", 0.998868 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.1358 us", "41.358 ns", "launch.csv"),
    copy = measured("3.24932 us", "32.4932 ns", "launch.csv"),
    event = measured("267.807 ns", "10.4313 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("2.78753 us", "48.4582 ns", "membw.csv"),
    sync_more = measured("0 ns", "133.388 ns", "launch_sync2, launch_sync"),
    barrier = measured("700.619 ns", "140.162 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.2006 us", "95.292 ns", "calls.csv"),
    memset = measured("826.799 ns", "43.2337 ns", "calls.csv"),
    d2h = measured("1.81397 us", "218.058 ns", "calls.csv"),
    h2d = measured("1.30229 us", "80.162 ns", "calls.csv"),
    wait_far = measured("950.29 ns", "129.855 ns", "calls.csv"),
    sync_event = measured("1.30483 us", "156.255 ns", "calls.csv"),
    set_device = measured("89.1872 ns", "34.3496 ns", "calls.csv"),
    wake = measured("1.65595 us", "59.4996 ns", "calls.csv"),
    barrier_bare = measured("198.118 ns", "9.295 ns", "calls.csv"),
    barrier_bare_more = measured("97.2186 ns", "4.46552 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.524733, 0.133088, "calls.csv"),
    memset = measured(0.0239246, 0.100443, "calls.csv"),
    d2h = measured(0.113619, 0.178066, "calls.csv"),
    h2d = measured(0.581618, 0.12259, "calls.csv"),
    event = measured(0, 0.173953, "calls.csv"),
    wait_far = measured(1.29608, 0.388929, "calls.csv"),
    sync = measured(0, 0.187837, "calls.csv"),
    sync_event = measured(0.0164581, 0.181158, "calls.csv"),
    set_device = measured(2.92439, 1.95066, "calls.csv"),
  },

  share = {
    launch = measured(0.266258, 0.033918, "calls.csv"),
    graph = measured(1.83646, 0.165768, "calls.csv"),
    memset = measured(1.67092, 0.116089, "calls.csv"),
    copy = measured(0.561848, 0.0997234, "calls.csv"),
    d2h = measured(0.575855, 0.103096, "calls.csv"),
    h2d = measured(1.0054, 0.086633, "calls.csv"),
    event = measured(0.744703, 0.109089, "calls.csv"),
    wait_far = measured(2.44911, 0.430491, "calls.csv"),
    sync = measured(0.785148, 0.113755, "calls.csv"),
    sync_event = measured(0.865584, 0.140937, "calls.csv"),
    set_device = measured(2.94787, 1.30568, "calls.csv"),
    room = measured(19.7443, 8.03127, "call_*"),
    wake = measured(0.499364, 0.0154538, "calls.csv"),
    straggle = measured("1.33002 us", "85.0939 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.57768 us", "46.3167 ns", "calls.csv"),
    near = measured("422.421 ns", "172.821 ns", "calls.csv"),
    far = measured("6.4968 us", "1.004 us", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.971277, 0.0121369, "dma.csv"),
    all_active = measured(1, 0.0227353, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.48111 us", "25.1061 ns", "dma.csv"),
    latency = measured("6.48834 us", "403.46 ns", "launch.csv"),
    interference = measured("488.334 fs/B", "2.32635 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("39.2609 GB/s", "1.86391 GB/s", "staged.csv"),
    all_active = measured(0.826561, 0.0034655, "staged.csv"),
    buffer = measured("821.154 kB", "271.173 kB", "staged.csv"),
    initiation = measured("17.0544 us", "633.398 ns", "staged.csv"),
  },

  store = {
    efficiency = measured(0.921488, 0.00148885, "store.csv"),
    all_active = measured(0.991332, 0.000991332, "exchange.csv"),
    rate = measured("6.87402 G/s", "6.87402 M/s", "store.csv"),
    wide_rate = measured("9.13648 G/s", "9.13648 M/s", "scatter.csv"),
    reach = measured("1.07374 GB", "464.944 MB", "store_words"),
    ingress = assumed("6.36 G/s", { "5 G/s", "7.72 G/s" }, "as on h200x8"),
    ingress_few = assumed(0.287, { 0.1, 0.474 }, "as on h200x8"),
    same = assumed(0.763, { 0.6715, 0.8545 }, "as on h200x4"),
    same_small = assumed(0.76, { 0.71, 0.81 }, "as on h200x4"),
    latency = measured("1.2396 us", "12.396 ns", "agent.csv"),
    interference = measured("571.497 fs/B", "4.27869 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("116.928 MB/s", "747.644 kB/s", "agent.csv"),
    gap = measured("526.442 ns", "0.526442 ns", "agent.csv"),
    latency = measured("2.44824 us", "302.823 ns", "agent.csv"),
    track = measured("0.26693 ns", "0.0378489 ns", "track.csv"),
    hold = measured("494.033 ns", "0.494033 ns", "track.csv"),
    beside = measured(9.57632, 1.01496, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("206.827 ns", "2.42057 ns", "cdp.csv"),
    latency = measured("13.8667 us", "138.667 ns", "cdp.csv"),
    start = measured("1.76043 us", "238.403 ns", "cdp.csv"),
    queue = measured("5.77975 us", "1.31904 us", "cdp.csv"),
    few = measured("1.32468 us", "321.821 ns", "cdp.csv"),
    waits = measured(1, 0, "runs.csv"),
  },

  load = {
    efficiency = measured(0.925939, 0.00141192, "remote.csv"),
    rate = measured("8.65463 G/s", "86.5463 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("927.661 ns", "8.67373 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.49784 G/s", "64.9784 M/s", "remote.csv"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  coll = {
    issue = measured("6.29812 us", "70.7461 ns", "nccl.csv"),
    start = measured("4.76212 us", "22.2421 ns", "nccl.csv"),
    step = measured("631.033 ns", "20.7101 ns", "nccl.csv"),
    ll_rate = measured("9.95704 GB/s", "639.36 MB/s", "nccl.csv"),
    flag_step = measured("1.12243 us", "193.677 ns", "nccl.csv"),
    ll128_rate = measured("144.003 GB/s", "11.2752 GB/s", "nccl.csv"),
    simple_start = measured("11.3539 us", "3.08965 us", "nccl.csv"),
    efficiency = measured(0.767731, 0.0409737, "nccl.csv"),
    pair_start = measured("1.12948 us", "12.7516 ns", "nccl.csv"),
    channel = measured("17.9913 GB/s", "24.9265 MB/s", "nccl.csv"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("34.3673 us", "42.0152 us", "um.csv"),
    fault_rate = measured("10.2885 GB/s", "1.03884 GB/s", "um.csv"),
    prefetch_start = measured("31.0753 us", "1.25665 us", "um.csv"),
    prefetch_rate = measured("47.0798 GB/s", "361.78 MB/s", "um.csv"),
    touch_start = measured("267.236 us", "99.9072 us", "um.csv"),
    touch_rate = measured("10.8995 GB/s", "701.593 MB/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h200x2",
}
