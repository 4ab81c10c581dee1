-- h200x2.lua - written by `gpuscale calibrate` over h200x2, from
--   data/h200x2/sealed-9/micro/calls.csv
--   data/h200x2/sealed-9/micro/dma.csv
--   data/h200x2/sealed-9/micro/exchange.csv
--   data/h200x2/sealed-9/micro/launch.csv
--   data/h200x2/sealed-9/micro/membw.csv
--   data/h200x2/sealed-9/micro/nccl.csv
--   data/h200x2/sealed-9/micro/staged.csv
--   data/h200x2/sealed-9/micro/store.csv
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
    membw = measured("4.08445 TB/s", "4.08445 GB/s", "membw.csv"),
    start = measured("1.47376 us", "14.7376 ns", "launch.csv"),
    latency = measured("333.031 ns", "3.33031 ns", "remote.csv"),
    cache_latency = measured("145.375 ns", "1.45375 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 0.529721 },
      { "2 MiB", 0.946901 },
      { "4 MiB", 1.03036 },
      { "8 MiB", 1.39539 },
      { "16 MiB", 1.51827 },
      { "24 MiB", 1.62765 },
      { "32 MiB", 1.56401 },
      { "40 MiB", 1.18264 },
      { "48 MiB", 1.03283 },
      { "56 MiB", 0.940095 },
      { "64 MiB", 0.917698 },
      { "96 MiB", 0.919503 },
      { "128 MiB", 0.933164 },
      { "256 MiB", 0.96156 },
      { "512 MiB", 0.9806 },
      { "1.07374182 GB", 0.989839 },
      { "2.14748365 GB", 0.994789 },
      { "4.2949673 GB", 0.997617 },
      { "8.58993459 GB", 0.998974 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("4.83309 us", "73.9068 ns", "launch.csv"),
    copy = measured("3.38523 us", "33.8523 ns", "launch.csv"),
    event = measured("291.702 ns", "9.15815 ns", "launch.csv"),
    launch_crowd = measured(0.0107272, 0.0360012, "launch.csv"),
    copy_crowd = measured(0.139686, 0.0318858, "launch.csv"),
    sync = measured("4.22347 us", "45.9218 ns", "membw.csv"),
    sync_more = measured("48.87 ns", "164.286 ns", "launch_sync2, launch_sync"),
    barrier = measured("724.465 ns", "158.263 ns", "launch.csv"),
    barrier_more = measured("442.472 ns", "59.38 ns", "launch.csv"),
    graph = measured("1.48349 us", "113.572 ns", "calls.csv"),
    memset = measured("1.15761 us", "72.6048 ns", "calls.csv"),
    d2h = measured("1.37389 us", "66.0352 ns", "calls.csv"),
    h2d = measured("2.37212 us", "61.0183 ns", "calls.csv"),
    wait_far = measured("1.59374 us", "332.895 ns", "calls.csv"),
    sync_event = measured("1.38608 us", "177.763 ns", "calls.csv"),
    set_device = measured("124.947 ns", "57.804 ns", "calls.csv"),
    wake = measured("1.53754 us", "197.286 ns", "calls.csv"),
    barrier_bare = measured("261.436 ns", "35.1761 ns", "calls.csv"),
    barrier_bare_more = measured("107.731 ns", "15.8899 ns", "calls.csv"),
  },

  crowd = {
    graph = measured(0.471339, 0.255004, "calls.csv"),
    memset = measured(0, 0.194909, "calls.csv"),
    d2h = measured(0.012738, 0.106044, "calls.csv"),
    h2d = measured(0.0233213, 0.0392089, "calls.csv"),
    event = measured(0.147217, 0.282737, "calls.csv"),
    wait_far = measured(0.707621, 0.444436, "calls.csv"),
    sync = measured(0.393789, 0.43154, "calls.csv"),
    sync_event = measured(0.14305, 0.210651, "calls.csv"),
    set_device = measured(1.76564, 1.35835, "calls.csv"),
  },

  share = {
    launch = measured(0.217396, 0.0131004, "calls.csv"),
    graph = measured(1.56274, 0.148725, "calls.csv"),
    memset = measured(1.03725, 0.0912931, "calls.csv"),
    copy = measured(0.591331, 0.13233, "calls.csv"),
    d2h = measured(1.08099, 0.079046, "calls.csv"),
    h2d = measured(0.473731, 0.0214532, "calls.csv"),
    event = measured(0.844567, 0.203919, "calls.csv"),
    wait_far = measured(1.04173, 0.368266, "calls.csv"),
    sync = measured(0.916013, 0.22518, "calls.csv"),
    sync_event = measured(0.769293, 0.138117, "calls.csv"),
    set_device = measured(1.87034, 0.970945, "calls.csv"),
    room = measured(21.9542, 10.2943, "call_*"),
    wake = measured(0.307271, 0.0162976, "calls.csv"),
    straggle = measured("1.37868 us", "87.422 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.44379 us", "47.1573 ns", "calls.csv"),
    near = measured("197.76 ns", "45.9857 ns", "calls.csv"),
    far = measured("4.22072 us", "847.916 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.968795, 0.0129877, "dma.csv"),
    all_active = measured(1, 0.0135457, "exchange.csv"),
    contended = assumed(0.749, { 0.667, 0.831 }, "as on h200x8"),
    same = assumed(0.696, { 0.6295, 0.7625 }, "as on h200x4"),
    initiation = measured("2.47048 us", "26.8498 ns", "dma.csv"),
    latency = measured("5.98624 us", "338.497 ns", "launch.csv"),
    interference = measured("486.6 fs/B", "2.08076 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("36.6397 GB/s", "1.52298 GB/s", "staged.csv"),
    all_active = measured(0.882533, 0.00647746, "staged.csv"),
    buffer = measured("131.161 kB", "89.6976 kB", "staged.csv"),
    initiation = measured("18.6568 us", "684.562 ns", "staged.csv"),
  },

  store = {
    efficiency = measured(0.921758, 0.00123977, "store.csv"),
    all_active = measured(0.986914, 0.0020312, "exchange.csv"),
    rate = measured("6.87302 G/s", "6.87302 M/s", "store.csv"),
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
    beside = measured(9.16019, 0.737066, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("204.818 ns", "4.37096 ns", "cdp.csv"),
    latency = measured("13.5893 us", "141.545 ns", "cdp.csv"),
    start = measured("2.6401 us", "133.51 ns", "cdp.csv"),
    queue = measured("4.36394 us", "914.743 ns", "cdp.csv"),
    few = measured("1.1059 us", "169.283 ns", "cdp.csv"),
    waits = measured(1, 0, "runs.csv"),
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
    all_active = assumed(0.615, { 0.54, 0.69 }, "as on h200x4"),
    same = assumed(0.704, { 0.6375, 0.7705 }, "as on h200x4"),
  },

  coll = {
    issue = measured("6.80168 us", "128.334 ns", "nccl.csv"),
    start = measured("4.99825 us", "14.0738 ns", "nccl.csv"),
    step = measured("615.824 ns", "13.0321 ns", "nccl.csv"),
    ll_rate = measured("8.91149 GB/s", "325.208 MB/s", "nccl.csv"),
    flag_step = measured("1.09661 us", "190.919 ns", "nccl.csv"),
    ll128_rate = measured("145.033 GB/s", "11.1497 GB/s", "nccl.csv"),
    simple_start = measured("11.3067 us", "3.14706 us", "nccl.csv"),
    efficiency = measured(0.765103, 0.0413668, "nccl.csv"),
    pair_start = measured("1.08818 us", "15.7207 ns", "nccl.csv"),
    channel = measured("17.4434 GB/s", "72.7951 MB/s", "nccl.csv"),
  },

  um = {
    lapse = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("222.023 us", "65.3643 us", "um.csv"),
    fault_rate = measured("10.9847 GB/s", "377.893 MB/s", "um.csv"),
    prefetch_start = measured("28.163 us", "442.118 ns", "um.csv"),
    prefetch_rate = measured("48.1795 GB/s", "146.9 MB/s", "um.csv"),
    touch_start = measured("434.996 us", "105.885 us", "um.csv"),
    touch_rate = measured("12.2818 GB/s", "902.348 MB/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancies = "h200x2",
}
