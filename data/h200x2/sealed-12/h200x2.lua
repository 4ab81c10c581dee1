-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-12/micro/agent.csv
--   data/h200x2/sealed-12/micro/calls.csv
--   data/h200x2/sealed-12/micro/cdp.csv
--   data/h200x2/sealed-12/micro/dma.csv
--   data/h200x2/sealed-12/micro/exchange.csv
--   data/h200x2/sealed-12/micro/launch.csv
--   data/h200x2/sealed-12/micro/membw.csv
--   data/h200x2/sealed-12/micro/nccl.csv
--   data/h200x2/sealed-12/micro/overlap.csv
--   data/h200x2/sealed-12/micro/remote.csv
--   data/h200x2/sealed-12/micro/scatter.csv
--   data/h200x2/sealed-12/micro/staged.csv
--   data/h200x2/sealed-12/micro/store.csv
--   data/h200x2/sealed-12/micro/track.csv
--   data/h200x2/sealed-12/micro/um.csv
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
    membw = measured("4.08419 TB/s", "4.08419 GB/s", "membw.csv"),
    start = measured("1.45552 us", "14.5552 ns", "launch.csv"),
    latency = measured("346.875 ns", "3.46875 ns", "remote.csv"),
    cache_latency = measured("147.297 ns", "1.47297 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.502545 },
      { "2 MiB", 0.843874 },
      { "4 MiB", 0.985492 },
      { "8 MiB", 1.40403 },
      { "16 MiB", 1.49677 },
      { "24 MiB", 1.61587 },
      { "32 MiB", 1.46906 },
      { "40 MiB", 1.18111 },
      { "48 MiB", 1.0334 },
      { "56 MiB", 0.938741 },
      { "64 MiB", 0.915597 },
      { "96 MiB", 0.918444 },
      { "128 MiB", 0.932402 },
      { "256 MiB", 0.961455 },
      { "512 MiB", 0.980401 },
      { "1.07374182 GB", 0.989465 },
      { "2.14748365 GB", 0.994806 },
      { "4.2949673 GB", 0.997668 },
      { "8.58993459 GB", 0.999019 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.67566 us", "75.0766 ns", "launch.csv"),
    copy = measured("3.02469 us", "30.2469 ns", "launch.csv"),
    event = measured("272.112 ns", "4.65728 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("3.5997 us", "144.319 ns", "membw.csv"),
    sync_more = measured("1.36317 us", "13.6317 ns", "call_idle"),
    barrier = measured("1.10395 us", "150.814 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.32067 us", "106.94 ns", "calls.csv"),
    memset = measured("858.825 ns", "111.633 ns", "calls.csv"),
    d2h = measured("1.87296 us", "276.642 ns", "calls.csv"),
    h2d = measured("1.90646 us", "232.45 ns", "calls.csv"),
    wait_far = measured("1.05556 us", "293.403 ns", "calls.csv"),
    sync_event = measured("1.37697 us", "93.3442 ns", "calls.csv"),
    set_device = measured("98.1082 ns", "33.7825 ns", "calls.csv"),
    wake = measured("1.56728 us", "13.3485 ns", "calls.csv"),
    barrier_bare = measured("238.89 ns", "18.8262 ns", "calls.csv"),
    barrier_bare_more = measured("90.3121 ns", "7.4947 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.395524, 0.145516, "calls.csv"),
    memset = measured(0.0411779, 0.51118, "calls.csv"),
    d2h = measured(0, 0.302326, "calls.csv"),
    h2d = measured(0.0979586, 0.144603, "calls.csv"),
    event = measured(0, 0.183682, "calls.csv"),
    wait_far = measured(0.989274, 0.619486, "calls.csv"),
    sync = measured(0.284211, 0.161273, "calls.csv"),
    sync_event = measured(0, 0.136872, "calls.csv"),
    set_device = measured(2.29422, 1.45139, "calls.csv"),
  },

  share = {
    launch = measured(0.236795, 0.0246463, "calls.csv"),
    graph = measured(1.61228, 0.158076, "calls.csv"),
    memset = measured(1.5055, 0.225216, "calls.csv"),
    copy = measured(0.581234, 0.0765364, "calls.csv"),
    d2h = measured(0.525359, 0.1144, "calls.csv"),
    h2d = measured(0.573832, 0.0878653, "calls.csv"),
    event = measured(0.647142, 0.107029, "calls.csv"),
    wait_far = measured(1.92979, 0.661582, "calls.csv"),
    sync = measured(0.878763, 0.107535, "calls.csv"),
    sync_event = measured(0.784977, 0.0819063, "calls.csv"),
    set_device = measured(2.51635, 1.01621, "calls.csv"),
    room = measured(32.8678, 20.7938, "call_*"),
    wake = measured(0.34403, 0.0199844, "calls.csv"),
    straggle = measured("1.30473 us", "83.1084 ns", "calls.csv"),
  },

  hand = {
    far = measured("6.21684 us", "1.15916 us", "calls.csv"),
    meet = measured("2.2416 us", "22.416 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.969501, 0.0124139, "dma.csv"),
    all_active = measured(1, 0.0133182, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.44392 us", "25.4113 ns", "dma.csv"),
    latency = measured("6.34967 us", "300.995 ns", "launch.csv"),
    interference = measured("487.581 fs/B", "1.71885 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("38.436 GB/s", "1.12532 GB/s", "staged.csv"),
    all_active = measured(0.841324, 0.00502741, "staged.csv"),
    buffer = measured("467.364 kB", "122.918 kB", "staged.csv"),
    initiation = measured("16.631 us", "426.066 ns", "staged.csv"),
    latency = measured("4.522 us", "436.731 ns", "staged.csv"),
  },

  store = {
    efficiency = measured(0.920732, 0.00184375, "store.csv"),
    all_active = measured(0.990879, 0.000990879, "exchange.csv"),
    rate = measured("6.88196 G/s", "6.88196 M/s", "store.csv"),
    wide_rate = measured("9.14541 G/s", "9.14541 M/s", "scatter.csv"),
    reach = measured("1.07374 GB", "464.944 MB", "store_words"),
    ingress = assumed("6.36 G/s", { "5 G/s", "7.72 G/s" }, "as on h200x8"),
    ingress_few = assumed(0.287, { 0.1, 0.474 }, "as on h200x8"),
    same = assumed(0.763, { 0.6715, 0.8545 }, "as on h200x4"),
    same_small = assumed(0.76, { 0.71, 0.81 }, "as on h200x4"),
    latency = measured("1.25568 us", "12.5568 ns", "agent.csv"),
    interference = measured("548.362 fs/B", "5.65443 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("113.743 MB/s", "550.842 kB/s", "agent.csv"),
    gap = measured("526.917 ns", "0.526917 ns", "agent.csv"),
    latency = measured("2.5892 us", "303.954 ns", "agent.csv"),
    track = measured("0.296591 ns", "0.0430784 ns", "track.csv"),
    hold = measured("490.395 ns", "2.96463 ns", "track.csv"),
    beside = measured(9.43642, 1.15289, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("208.161 ns", "3.78909 ns", "cdp.csv"),
    latency = measured("13.792 us", "137.92 ns", "cdp.csv"),
    start = measured("1.9344 us", "106.426 ns", "cdp.csv"),
    queue = measured("3.97893 us", "857.58 ns", "cdp.csv"),
    few = measured("907.966 ns", "200.427 ns", "cdp.csv"),
    waits = measured(1, 0, "runs.csv"),
  },

  load = {
    efficiency = measured(0.92621, 0.00092621, "remote.csv"),
    rate = measured("8.66017 G/s", "86.6017 M/s", "remote.csv"),
    all_active = assumed(0.755, { 0.705, 0.805 }, "as on h200x4"),
    same = assumed(0.689, { 0.6475, 0.7305 }, "as on h200x4"),
    latency = measured("926.392 ns", "8.74861 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.49471 G/s", "64.9471 M/s", "remote.csv"),
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
    same_small = assumed(0.764, { 0.714, 0.814 }, "as on h200x4"),
  },

  coll = {
    issue = measured("5.63985 us", "56.3985 ns", "nccl.csv"),
    start = measured("4.73754 us", "16.7612 ns", "nccl.csv"),
    step = measured("633.143 ns", "16.0737 ns", "nccl.csv"),
    ll_rate = measured("9.79792 GB/s", "544.865 MB/s", "nccl.csv"),
    flag_step = measured("1.13448 us", "146.937 ns", "nccl.csv"),
    ll128_rate = measured("143.897 GB/s", "9.8117 GB/s", "nccl.csv"),
    simple_start = measured("11.1763 us", "3.09877 us", "nccl.csv"),
    efficiency = measured(0.764585, 0.0409608, "nccl.csv"),
    pair_start = measured("1.13124 us", "9.74401 ns", "nccl.csv"),
    channel = measured("17.8244 GB/s", "67.9161 MB/s", "nccl.csv"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("48.5062 us", "85.0451 us", "um.csv"),
    fault_rate = measured("10.8916 GB/s", "918.028 MB/s", "um.csv"),
    prefetch_start = measured("34.2143 us", "4.00088 us", "um.csv"),
    prefetch_rate = measured("48.636 GB/s", "1.15322 GB/s", "um.csv"),
    peer_start = measured("24.0016 us", "3.75365 us", "um.csv"),
    peer_rate = measured("158.96 GB/s", "10.3362 GB/s", "um.csv"),
    touch_start = measured("26.3296 us", "43.1619 us", "um.csv"),
    touch_rate = measured("11.3511 GB/s", "815.935 MB/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h200x2",
}
