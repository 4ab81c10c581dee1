-- h100x4.lua - written by `gpuscale calibrate` over h100x4, from
--   data/h100x4/micro/agent.csv
--   data/h100x4/micro/calls.csv
--   data/h100x4/micro/carry.csv
--   data/h100x4/micro/cdp.csv
--   data/h100x4/micro/contend.csv
--   data/h100x4/micro/dma.csv
--   data/h100x4/micro/exchange.csv
--   data/h100x4/micro/fanout.csv
--   data/h100x4/micro/launch.csv
--   data/h100x4/micro/membw.csv
--   data/h100x4/micro/nccl.csv
--   data/h100x4/micro/overlap.csv
--   data/h100x4/micro/owner.csv
--   data/h100x4/micro/pinned.csv
--   data/h100x4/micro/proact.csv
--   data/h100x4/micro/remote.csv
--   data/h100x4/micro/scatter.csv
--   data/h100x4/micro/staged.csv
--   data/h100x4/micro/store.csv
--   data/h100x4/micro/track.csv
--   data/h100x4/micro/um.csv
-- How each parameter is read off is said in model/learn/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed
local inherited = gs.inherited
local fitted = gs.fitted

return gs.system {
  name = "h100x4",
  summary = "four H100 SXM GPUs of a machine, NVLink 4 through NVSwitch",
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
    memory = spec("80 GB", "NVIDIA H100 SXM data sheet"),
    sms = spec(132, "NVIDIA H100 SXM data sheet"),
    threads = spec(2048, "CUDA, compute capability 9.0"),
    flops = spec("66.9 Tflop/s", "NVIDIA H100 SXM data sheet, FP32"),
    flops_fp64 = spec("33.5 Tflop/s", "NVIDIA H100 white paper, SXM5, FP64"),
    flops_fp64_tensor = spec("66.9 Tflop/s", "NVIDIA H100 white paper, SXM5, FP64 tensor"),
    flops_tf32 = spec("494.7 Tflop/s", "NVIDIA H100 white paper, SXM5, TF32 tensor, dense"),
    flops_fp16 = spec("989.4 Tflop/s", "NVIDIA H100 white paper, SXM5, FP16 tensor, dense"),
    flops_fp8 = spec("1.9789 Pflop/s", "NVIDIA H100 white paper, SXM5, FP8 tensor, dense"),
    membw = measured("2.93491 TB/s", "2.93491 GB/s", "membw.csv"),
    start = measured("1.92912 us", "19.2912 ns", "launch.csv"),
    latency = measured("347.422 ns", "3.47422 ns", "remote.csv"),
    cache_latency = measured("148.625 ns", "1.48625 ns", "remote.csv"),
    l1 = spec("256 KiB", "NVIDIA Hopper tuning guide: 256 KB an SM"),
    membw_curve = measured({
      { "1 MiB", 1.393 },
      { "2 MiB", 1.68973 },
      { "4 MiB", 1.7469 },
      { "8 MiB", 2.05025 },
      { "16 MiB", 2.10373 },
      { "24 MiB", 2.09809 },
      { "32 MiB", 1.93998 },
      { "40 MiB", 1.21106 },
      { "48 MiB", 1.04658 },
      { "56 MiB", 0.979354 },
      { "64 MiB", 0.96351 },
      { "96 MiB", 0.956466 },
      { "128 MiB", 0.963877 },
      { "256 MiB", 0.979372 },
      { "512 MiB", 0.989649 },
      { "1.07374182 GB", 0.994445 },
      { "2.14748365 GB", 0.997232 },
      { "4.2949673 GB", 0.998716 },
      { "8.58993459 GB", 0.999599 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.93011 us", "70.9652 ns", "launch.csv"),
    copy = measured("2.88493 us", "39.4119 ns", "launch.csv"),
    event = measured("287.466 ns", "9.40838 ns", "launch.csv"),
    launch_contention = measured(0.0166765, 0.0123868, "launch.csv"),
    copy_contention = measured(0.0949901, 0.00755845, "launch.csv"),
    sync = measured("2.77296 us", "56.3725 ns", "membw.csv"),
    sync_more = measured("1.57926 us", "15.7926 ns", "call_idle"),
    barrier = measured("968.191 ns", "295.667 ns", "launch.csv"),
    barrier_more = measured("284.431 ns", "212.744 ns", "launch.csv"),
    graph = measured("1.924 us", "88.3022 ns", "calls.csv"),
    memset = measured("1.18765 us", "118.844 ns", "calls.csv"),
    d2h = measured("1.97489 us", "225.994 ns", "calls.csv"),
    h2d = measured("2.12906 us", "181.35 ns", "calls.csv"),
    wait_remote = measured("1.44069 us", "318.683 ns", "calls.csv"),
    sync_event = measured("1.32752 us", "162.957 ns", "calls.csv"),
    set_device = measured("89.8576 ns", "27.158 ns", "calls.csv"),
    wake = measured("1.61575 us", "110.854 ns", "calls.csv"),
    barrier_bare = measured("284.961 ns", "6.20962 ns", "calls.csv"),
    barrier_bare_more = measured("91.0491 ns", "2.38225 ns", "calls.csv"),
    straggle = measured("219.658 ns", "14.9074 ns", "calls.csv"),
    straggle_more = measured("206.82 ns", "55.1954 ns", "calls.csv"),
  },

  contention = {
    graph = measured(0.0449845, 0.0239674, "calls.csv"),
    memset = measured(0.0488671, 0.052516, "calls.csv"),
    d2h = measured(0.060999, 0.052179, "calls.csv"),
    h2d = measured(0.064662, 0.0469891, "calls.csv"),
    event = measured(0.0551437, 0.0418861, "calls.csv"),
    wait_remote = measured(0.398291, 0.160319, "calls.csv"),
    sync = measured(0.205032, 0.0901182, "calls.csv"),
    sync_event = measured(0.104599, 0.0715378, "calls.csv"),
    set_device = measured(0.813413, 0.387468, "calls.csv"),
  },

  share = {
    launch = measured(0.280482, 0.0309874, "calls.csv"),
    graph = measured(1.35949, 0.0779364, "calls.csv"),
    memset = measured(1.25986, 0.161436, "calls.csv"),
    copy = measured(0.599547, 0.0810246, "calls.csv"),
    d2h = measured(0.791235, 0.113553, "calls.csv"),
    h2d = measured(0.656003, 0.0852529, "calls.csv"),
    event = measured(0.795782, 0.0878163, "calls.csv"),
    wait_remote = measured(1.7265, 0.445126, "calls.csv"),
    sync = measured(1.10755, 0.223498, "calls.csv"),
    sync_event = measured(0.856495, 0.142248, "calls.csv"),
    set_device = measured(3.55373, 1.19862, "calls.csv"),
    room = measured(15.9145, 4.9589, "call_*"),
    wake = measured(0.478876, 0.0187257, "calls.csv"),
    straggle = measured("1.19009 us", "111.677 ns", "calls.csv"),
  },

  hand = {
    copy_kernel = measured("2.91368 us", "67.3679 ns", "calls.csv"),
    near = measured("208.012 ns", "6.72411 ns", "calls.csv"),
    remote = measured("5.22233 us", "727.783 ns", "calls.csv"),
    meet = measured("2.1168 us", "21.168 ns", "calls.csv"),
  },

  copy = {
    efficiency = measured(0.974173, 0.0104672, "dma.csv"),
    all_active = measured(0.999302, 0.0132138, "exchange.csv"),
    contended = measured(0.745555, 0.0192964, "exchange.csv"),
    same = measured(0.697345, 0.0160726, "contend.csv"),
    initiation = measured("2.4648 us", "21.4587 ns", "dma.csv"),
    latency = measured("6.77552 us", "163.916 ns", "launch.csv"),
    interference = measured("688.006 fs/B", "1.52734 fs/B", "overlap.csv"),
  },

  staged = {
    rate = measured("37.9829 GB/s", "813.864 MB/s", "staged.csv"),
    all_active = measured(0.84471, 0.00356271, "staged.csv"),
    host = inherited("79.917 GB/s", "39.6788 GB/s", "h200x4"),
    buffer = measured("490.102 kB", "88.5904 kB", "staged.csv"),
    initiation = measured("16.3754 us", "323.765 ns", "staged.csv"),
    latency = inherited("245.127 ns", "677.478 ns", "h200x4"),
    pinned = measured("54.574 GB/s", "135.85 MB/s", "pinned.csv"),
    ring = assumed("28.807 GB/s", { "17.2842 GB/s", "40.3298 GB/s" }, "half of pcie5"),
  },

  store = {
    efficiency = measured(0.922826, 0.00257354, "store.csv"),
    all_active = measured(0.979524, 0.00471197, "exchange.csv"),
    rate = measured("6.86906 G/s", "6.86906 M/s", "store.csv"),
    wide_rate = measured("7.82987 G/s", "7.82987 M/s", "scatter.csv"),
    reach = measured("1.07374 GB", "464.944 MB", "store_words"),
    ingress = measured("6.35773 G/s", "11.7365 M/s", "scatter.csv"),
    ingress_few = measured(0.288043, 0.00377931, "scatter.csv"),
    same = measured(0.761191, 0.01672, "contend.csv"),
    same_small = measured(0.786643, 0.0118476, "contend.csv"),
    latency = measured("2.37344 us", "23.7344 ns", "agent.csv"),
    interference = measured("735.746 fs/B", "6.93066 fs/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("117.085 MB/s", "2.12147 MB/s", "agent.csv"),
    turn = measured("167.14 ns", "1.29533 ns", "carry.csv"),
    word = measured("24.9813 ns", "0.379776 ns", "carry.csv"),
    sm_rate = measured("42.4639 GB/s", "273.919 MB/s", "carry.csv"),
    gap = measured("528.917 ns", "0.528917 ns", "agent.csv"),
    latency = measured("4.33096 us", "599.016 ns", "agent.csv"),
    track = measured("0.104904 ns", "0.00677649 ns", "track.csv"),
    hold = measured("500.994 ns", "0.500994 ns", "track.csv"),
    contention = measured(13.068, 1.42227, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("213.201 ns", "4.74094 ns", "cdp.csv"),
    latency = measured("15.2 us", "152 ns", "cdp.csv"),
    start = measured("1.82613 us", "95.7834 ns", "cdp.csv"),
    queue = measured("5.09607 us", "466.51 ns", "cdp.csv"),
    few = measured("933.481 ns", "105.57 ns", "cdp.csv"),
    waits = fitted(1, 0, "programs by proact-cdp"),
  },

  load = {
    efficiency = measured(0.923613, 0.00128817, "remote.csv"),
    rate = measured("8.69471 G/s", "86.9471 M/s", "remote.csv"),
    all_active = measured(0.757018, 0.00128455, "contend.csv"),
    same = measured(0.689275, 0.0039662, "contend.csv"),
    latency = measured("924.592 ns", "7.80426 ns", "remote.csv"),
  },

  atomic = {
    rate = measured("6.4748 G/s", "64.748 M/s", "remote.csv"),
    merge = measured("32 B", "0.032 B", "atomic_remote"),
    all_active = measured(0.615409, 0.00753105, "contend.csv"),
    same = measured(0.707088, 0.00775616, "contend.csv"),
    same_small = measured(0.76489, 0.0180271, "contend.csv"),
  },

  coll = {
    issue = measured("8.89682 us", "1.51058 us", "nccl.csv"),
    start = measured("5.27776 us", "23.4959 ns", "nccl.csv"),
    step = measured("616.576 ns", "11.9726 ns", "nccl.csv"),
    ll_rate = measured("6.899 GB/s", "424.057 MB/s", "nccl.csv"),
    flag_step = measured("988.543 ns", "46.2653 ns", "nccl.csv"),
    ll128_rate = measured("160.589 GB/s", "5.09474 GB/s", "nccl.csv"),
    simple_start = measured("11.6381 us", "627.61 ns", "nccl.csv"),
    efficiency = measured(0.911615, 0.0106906, "nccl.csv"),
    turn = measured(0.54441, 0.0306802, "allreduce, allgather, ... of NCCL"),
    pair_start = measured("826.992 ns", "22.9038 ns", "nccl.csv"),
    channel = measured("19.2557 GB/s", "241.925 MB/s", "nccl.csv"),
    off_small = measured(0.0463326, 4.63326e-05, "allreduce, allgather, ... of NCCL"),
    off_middle = measured(0.0897187, 8.97187e-05, "allreduce, allgather, ... of NCCL"),
    off_large = measured(0.0410562, 4.10562e-05, "allreduce, allgather, ... of NCCL"),
  },

  um = {
    thrash_window = spec("500 us", "NVIDIA UVM driver 580: default thrashing lapse"),
    fault_start = measured("0 ns", "0 ns", "um.csv"),
    fault_rate = measured("7.87402 GB/s", "542.928 MB/s", "um.csv"),
    prefetch_start = measured("31.7706 us", "1.46438 us", "um.csv"),
    prefetch_rate = measured("47.3959 GB/s", "387.869 MB/s", "um.csv"),
    peer_start = measured("27.099 us", "10.9002 us", "um.csv"),
    peer_rate = measured("136.451 GB/s", "11.8088 GB/s", "um.csv"),
    touch_start = measured("30.4334 us", "24.4952 us", "um.csv"),
    touch_rate = measured("9.79214 GB/s", "715.028 MB/s", "um.csv"),
  },

  power = {
    gpu_busy = assumed("560 W", { "460 W", "660 W" }, "as measured on two H100"),
    gpu_idle = assumed("121 W", { "113 W", "129 W" }, "as measured on two H100"),
    host_busy = assumed("60 W", { "31 W", "89 W" }, "a part of two of 350 W, for eight GPUs (Xeon Platinum 8480+, ark.intel.com)"),
    host_asleep = assumed("35 W", { "12.5 W", "57.5 W" }, "idle"),
    memory_busy = assumed("20 W", { "7.5 W", "32.5 W" }, "its DIMMs"),
    memory_asleep = assumed("12 W", { "4.5 W", "19.5 W" }, "refreshed"),
    link = assumed("405 pJ/B", { "325 pJ/B", "485 pJ/B" }, "as measured on two H100"),
  },
}
