-- h200x4.lua - written by `gpuscale calibrate` over h200x4, from
--   data/h200x4/micro/agent.csv
--   data/h200x4/micro/calls.csv
--   data/h200x4/micro/carry.csv
--   data/h200x4/micro/cdp.csv
--   data/h200x4/micro/contend.csv
--   data/h200x4/micro/dma.csv
--   data/h200x4/micro/exchange.csv
--   data/h200x4/micro/fanout.csv
--   data/h200x4/micro/launch.csv
--   data/h200x4/micro/membw.csv
--   data/h200x4/micro/nccl.csv
--   data/h200x4/micro/overlap.csv
--   data/h200x4/micro/pinned.csv
--   data/h200x4/micro/proact.csv
--   data/h200x4/micro/remote.csv
--   data/h200x4/micro/scatter.csv
--   data/h200x4/micro/staged.csv
--   data/h200x4/micro/store.csv
--   data/h200x4/micro/track.csv
--   data/h200x4/micro/um.csv
--   data/h200x4/sealed-23/micro/power.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local fitted = gs.fitted

return gs.system {
  name = "h200x4",
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
    membw = measured("4.10617 TB/s", "4.10617 GB/s", "membw.csv"),
    start = measured("1.47664 us", "14.7664 ns", "launch.csv"),
    latency = measured("335.125 ns", "3.35125 ns", "remote.csv"),
    cache_latency = measured("147.547 ns", "1.47547 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.530069 },
      { "2 MiB", 0.949739 },
      { "4 MiB", 1.06562 },
      { "8 MiB", 1.3817 },
      { "16 MiB", 1.51634 },
      { "24 MiB", 1.59265 },
      { "32 MiB", 1.55992 },
      { "40 MiB", 1.19038 },
      { "48 MiB", 1.04046 },
      { "56 MiB", 0.943992 },
      { "64 MiB", 0.919732 },
      { "96 MiB", 0.921561 },
      { "128 MiB", 0.935231 },
      { "256 MiB", 0.963007 },
      { "512 MiB", 0.980879 },
      { "1.07374182 GB", 0.990198 },
      { "2.14748365 GB", 0.994939 },
      { "4.2949673 GB", 0.997838 },
      { "8.58993459 GB", 0.999076 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.22977 us", "470.547 ns", "launch.csv"),
    copy = measured("2.92294 us", "321.44 ns", "launch.csv"),
    event = measured("287.44 ns", "6.69639 ns", "launch.csv"),
    launch_contention = measured(0.154903, 0.0647337, "launch.csv"),
    copy_contention = measured(0.0322161, 0.0611196, "launch.csv"),
    sync = measured("4.78459 us", "187.796 ns", "membw.csv"),
    sync_more = measured("1.73749 us", "17.3749 ns", "call_idle"),
    barrier = measured("261.524 ns", "481.974 ns", "launch.csv"),
    barrier_more = measured("102.826 ns", "25.4587 ns", "launch.csv"),
    graph = measured("1.64949 us", "118.629 ns", "calls.csv"),
    memset = measured("1.20051 us", "21.8318 ns", "calls.csv"),
    d2h = measured("1.76656 us", "155.507 ns", "calls.csv"),
    h2d = measured("2.20551 us", "118.324 ns", "calls.csv"),
    wait_remote = measured("1.98955 us", "539.941 ns", "calls.csv"),
    sync_event = measured("1.3903 us", "163.695 ns", "calls.csv"),
    set_device = measured("91.6321 ns", "24.3762 ns", "calls.csv"),
    wake = measured("1.48014 us", "64.9895 ns", "calls.csv"),
    barrier_bare = measured("261.142 ns", "25.2837 ns", "calls.csv"),
    barrier_bare_more = measured("95.6406 ns", "10.9722 ns", "calls.csv"),
    straggle = measured("159.585 ns", "21.3364 ns", "calls.csv"),
    straggle_more = measured("119.002 ns", "17.3723 ns", "calls.csv"),
  },

  contention = {
    graph = measured(0.102061, 0.0538493, "calls.csv"),
    memset = measured(0, 0.0182286, "calls.csv"),
    d2h = measured(0.0899576, 0.0706588, "calls.csv"),
    h2d = measured(0.00512537, 0.0298259, "calls.csv"),
    event = measured(0.0312145, 0.0393112, "calls.csv"),
    wait_remote = measured(0.0228043, 0.214415, "calls.csv"),
    sync = measured(0.149333, 0.0821248, "calls.csv"),
    sync_event = measured(0.0518131, 0.0697647, "calls.csv"),
    set_device = measured(1.02518, 0.397811, "calls.csv"),
  },

  share = {
    launch = measured(0.205845, 0.0340235, "calls.csv"),
    graph = measured(1.50009, 0.14075, "calls.csv"),
    memset = measured(1.12423, 0.0366651, "calls.csv"),
    copy = measured(0.580923, 0.061869, "calls.csv"),
    d2h = measured(0.770638, 0.103446, "calls.csv"),
    h2d = measured(0.568104, 0.0627363, "calls.csv"),
    event = measured(0.758504, 0.0849751, "calls.csv"),
    wait_remote = measured(0.809919, 0.450037, "calls.csv"),
    sync = measured(0.805583, 0.138124, "calls.csv"),
    sync_event = measured(0.810117, 0.140826, "calls.csv"),
    set_device = measured(3.7332, 1.14997, "calls.csv"),
    room = measured(13.0779, 4.26781, "call_*"),
    wake = measured(0.295751, 0.0133547, "calls.csv"),
    straggle = measured("1.44371 us", "112.912 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("1.92168 us", "3.36845 ns", "calls.csv"),
    near = measured("227.082 ns", "39.2916 ns", "calls.csv"),
    remote = measured("6.48035 us", "1.05999 us", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.968278, 0.0118909, "dma.csv"),
    all_active = measured(1, 0.00708724, "exchange.csv"),
    contended = measured(0.73979, 0.0289299, "exchange.csv"),
    same = measured(0.696021, 0.0142354, "contend.csv"),
    initiation = measured("2.44383 us", "24.3759 ns", "dma.csv"),
    latency = measured("5.84025 us", "430.564 ns", "launch.csv"),
    interference = measured("486.952 fs/B", "1.94138 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("38.1858 GB/s", "918.956 MB/s", "staged.csv"),
    all_active = measured(0.830249, 0.00895098, "staged.csv"),
    host = measured("79.917 GB/s", "4.78273 GB/s", "staged.csv"),
    buffer = measured("439.195 kB", "103.015 kB", "staged.csv"),
    initiation = measured("17.6755 us", "364.591 ns", "staged.csv"),
    latency = measured("245.127 ns", "368.597 ns", "staged.csv"),
    pinned = measured("54.8753 GB/s", "133.654 MB/s", "pinned.csv"),
    ring = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
  },

  store = {
    efficiency = measured(0.921231, 0.00163501, "store.csv"),
    all_active = measured(0.978442, 0.0044143, "exchange.csv"),
    rate = measured("6.87852 G/s", "6.87852 M/s", "store.csv"),
    wide_rate = measured("9.13012 G/s", "91.3012 M/s", "scatter.csv"),
    reach = assumed("1.07374 GB", { "268.439 MB", "1.87904 GB" }, "as on h200x2"),
    ingress = measured("6.34872 G/s", "13.1648 M/s", "scatter.csv"),
    ingress_few = measured(0.292438, 0.00423553, "scatter.csv"),
    same = measured(0.762733, 0.0170736, "contend.csv"),
    same_small = measured(0.759926, 0.00598063, "contend.csv"),
    latency = measured("1.24464 us", "12.4464 ns", "agent.csv"),
    interference = measured("563.132 fs/B", "4.63176 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("116.735 MB/s", "666.124 kB/s", "agent.csv"),
    turn = measured("166.123 ns", "0.871218 ns", "carry.csv"),
    word = measured("26.9512 ns", "0.259649 ns", "carry.csv"),
    sm_rate = measured("42.6863 GB/s", "42.6863 MB/s", "carry.csv"),
    gap = measured("526.179 ns", "0.526179 ns", "agent.csv"),
    latency = measured("2.50728 us", "302.642 ns", "agent.csv"),
    track = measured("0.260971 ns", "0.0335229 ns", "track.csv"),
    hold = measured("496.585 ns", "3.09355 ns", "track.csv"),
    contention = measured(9.62609, 1.03411, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("207.578 ns", "3.92869 ns", "cdp.csv"),
    latency = measured("14.4853 us", "144.853 ns", "cdp.csv"),
    start = measured("2.85555 us", "119.645 ns", "cdp.csv"),
    queue = measured("0 ns", "0 ns", "cdp.csv"),
    few = measured("2.1895 us", "170.065 ns", "cdp.csv"),
    waits = fitted(1, 0, "programs by proact-cdp"),
  },

  load = {
    efficiency = measured(0.926906, 0.000959954, "remote.csv"),
    rate = measured("8.64688 G/s", "86.4688 M/s", "remote.csv"),
    all_active = measured(0.755214, 0.00138523, "contend.csv"),
    same = measured(0.688689, 0.00321045, "contend.csv"),
    latency = measured("928.46 ns", "8.66922 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.49222 G/s", "64.9222 M/s", "remote.csv"),
    merge = measured("32 B", "0.032 B", "atomic_remote"),
    all_active = measured(0.615193, 0.00798581, "contend.csv"),
    same = measured(0.704314, 0.0049531, "contend.csv"),
    same_small = measured(0.763541, 0.0184441, "contend.csv"),
  },

  coll = {
    issue = measured("6.34892 us", "882.437 ns", "nccl.csv"),
    start = measured("5.08961 us", "24.1929 ns", "nccl.csv"),
    step = measured("636.15 ns", "12.4934 ns", "nccl.csv"),
    ll_rate = measured("6.97685 GB/s", "448.926 MB/s", "nccl.csv"),
    flag_step = measured("1.05335 us", "49.6516 ns", "nccl.csv"),
    ll128_rate = measured("166.066 GB/s", "5.719 GB/s", "nccl.csv"),
    simple_start = measured("11.0549 us", "610.452 ns", "nccl.csv"),
    efficiency = measured(0.91272, 0.0105387, "nccl.csv"),
    turn = measured(0.518814, 0.029908, "allreduce, allgather, ... of NCCL"),
    pair_start = measured("989.165 ns", "24.6417 ns", "nccl.csv"),
    channel = measured("19.443 GB/s", "170.871 MB/s", "nccl.csv"),
    off_small = measured(0.0509325, 5.09325e-05, "allreduce, allgather, ... of NCCL"),
    off_middle = measured(0.0878761, 8.78761e-05, "allreduce, allgather, ... of NCCL"),
    off_large = measured(0.0404354, 4.04354e-05, "allreduce, allgather, ... of NCCL"),
  },

  um = {
    thrash_window = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("0 ns", "0 ns", "um.csv"),
    fault_rate = measured("8.95058 GB/s", "411.989 MB/s", "um.csv"),
    prefetch_start = measured("54.0131 us", "3.77082 us", "um.csv"),
    prefetch_rate = measured("48.8067 GB/s", "1.05744 GB/s", "um.csv"),
    peer_start = measured("39.5067 us", "2.33616 us", "um.csv"),
    peer_rate = measured("180.157 GB/s", "6.00618 GB/s", "um.csv"),
    touch_start = measured("33.1238 us", "73.4926 us", "um.csv"),
    touch_rate = measured("9.77522 GB/s", "585.776 MB/s", "um.csv"),
  },

  power = {
    gpu_busy = measured("590.784 W", "97.1706 W", "power.csv"),
    gpu_idle = measured("123.072 W", "6.15359 W", "power.csv"),
    host_busy = assumed("60 W", { "31 W", "89 W" }, "a part of two of 350 W, for eight GPUs (Xeon Platinum 8480+, ark.intel.com)"),
    host_asleep = assumed("35 W", { "12.5 W", "57.5 W" }, "idle"),
    memory_busy = assumed("20 W", { "7.5 W", "32.5 W" }, "its DIMMs"),
    memory_asleep = assumed("12 W", { "4.5 W", "19.5 W" }, "refreshed"),
    link = measured("381.537 pJ/B", "80.242 pJ/B", "power.csv"),
  },
}
