-- h200x8.lua - one node of eight H200 GPUs, NVLink 4 through NVSwitch.
--
-- Measured on four GPUs of such a node, twice (data/h200x8/ and its repeat/);
-- values are means of the two runs, errors their spread or what a range of
-- sizes or GPU counts leaves open.  None comes from a multi-GPU program run.
-- How each was read off its file is said beside it.

local gs = require "gpuscale"
local spec, measured = gs.spec, gs.measured

return gs.system {
  name       = "h200x8",
  summary    = "eight H200 GPUs, NVLink 4 through NVSwitch",
  gpus       = 8,
  topology   = "switch",
  grows      = true, -- a switch with more ports
  calibrated = 4,    -- five to eight were not measured
  link       = "nvlink4",
  copy_sizes = { "4 B", "256 MiB" },

  device = {
    memory  = spec("141 GB", "NVIDIA H200 data sheet"),
    sms     = spec(132, "NVIDIA H200 data sheet"),
    threads = spec(2048, "CUDA, compute capability 9.0"),
    flops   = spec("66.9 Tflop/s", "NVIDIA H200 data sheet, FP32"),
    -- membw: bytes / (time - start) of 2 to 8 GiB
    membw   = measured("4.10 TB/s", "0.01 TB/s", "data/h200x8/membw.csv"),
    -- kernel_gap: null kernels in a row
    start   = measured("1.54 us", "0.07 us", "data/h200x8/launch.csv"),
    -- membw: the same for each footprint, over 4.10 TB/s.  Above 1: the 50 MB
    -- second-level cache.  The error: half the difference of the two runs, 15 %
    -- at 2 MiB, 3 % at 8 MiB and below 1 % from 40 MiB on.
    membw_curve = measured({
      { "1 MiB", 0.57 },  { "2 MiB", 0.84 },   { "4 MiB", 1.02 },
      { "8 MiB", 1.40 },  { "16 MiB", 1.50 },  { "24 MiB", 1.62 },
      { "32 MiB", 1.51 }, { "40 MiB", 1.18 },  { "48 MiB", 1.04 },
      { "56 MiB", 0.95 }, { "64 MiB", 0.92 },  { "96 MiB", 0.92 },
      { "128 MiB", 0.94 },{ "256 MiB", 0.96 }, { "512 MiB", 0.98 },
      { "1 GiB", 0.99 },  { "2 GiB", 1.00 },   { "8 GiB", 1.00 },
    }, "5 %", "data/h200x8/membw.csv"),
  },

  host = {
    -- issue_launch, issue_copy, issue_event and issue_wait: one thread
    launch = measured("3.13 us", "0.15 us", "data/h200x8/launch.csv"),
    copy   = measured("1.38 us", "0.06 us", "data/h200x8/launch.csv"),
    event  = measured("0.12 us", "0.01 us", "data/h200x8/launch.csv"),
    -- the same calls by two to four threads, per further thread
    launch_crowd = measured(0.05, 0.05, "data/h200x8/launch.csv"),
    copy_crowd   = measured(0.15, 0.05, "data/h200x8/launch.csv"),
    -- membw_sync - membw (6.25 us at all footprints) - launch
    sync      = measured("3.12 us", "0.2 us", "data/h200x8/membw.csv"),
    -- launch_sync2 - launch_sync - issue_launch: -0.5 and +0.5 us
    sync_more = measured("0 us", "0.5 us", "data/h200x8/launch.csv"),
    -- launch_sync_barrier of 2, 3, 4 threads - launch_sync - crowded launches
    barrier      = measured("0.25 us", "0.1 us", "data/h200x8/launch.csv"),
    barrier_more = measured("0.33 us", "0.1 us", "data/h200x8/launch.csv"),
  },

  copy = {
    -- dma: slope between 64 and 256 MiB, 397.3 GB/s, over 400 (16 of 18 flits)
    efficiency = measured(0.993, 0.002, "data/h200x8/dma.csv"),
    -- ring and alltoall_row: slope between 16 and 64 MiB, 392 GB/s
    all_active = measured(0.987, 0.004, "data/h200x8/exchange.csv"),
    -- alltoall over alltoall_row: 0.68 at three GPUs, 0.59 at four
    contended  = measured(0.63, 0.05, "data/h200x8/exchange.csv"),
    -- dma: time of one of many small copies in a row
    initiation = measured("2.35 us", "0.03 us", "data/h200x8/dma.csv"),
    -- dma_after_kernel - null_kernel - initiation = 2.7 us, and what ring and
    -- neighbours_row at 64 KiB take longer when all GPUs copy: 1.6 to 2.4 us
    latency    = measured("4.75 us", "0.6 us", "data/h200x8/exchange.csv"),
    -- overlap_copy_both - overlap_none, per byte sent (as many come in)
    interference = measured("0.484 ps/B", "0.01 ps/B",
                            "data/h200x8/overlap.csv"),
  },

  store = {
    -- store_dense: 369.9 GB/s over 360 (8 of 10 flits)
    efficiency = measured(1.027, 0.003, "data/h200x8/store.csv"),
    -- ring 365, alltoall 357 GB/s
    all_active = measured(0.98, 0.01, "data/h200x8/exchange.csv"),
    -- store_scatter, 4 to 32 B: the same number of stores per second
    rate       = measured("6.88 G/s", "0.01 G/s", "data/h200x8/store.csv"),
    -- flag_pingpong / 2
    latency    = measured("1.32 us", "0.04 us", "data/h200x8/agent.csv"),
    -- overlap_store_out and _in, per byte sent (as many come in); beside
    -- compute an agent sends 60 GB/s
    interference = measured("0.56 ps/B", "0.05 ps/B",
                            "data/h200x8/overlap.csv"),
  },

  agent = {
    -- agent_width, 512 to 2048 threads
    thread_rate = measured("117 MB/s", "2 MB/s", "data/h200x8/agent.csv"),
    -- agent_chunk, 4 KiB
    gap     = measured("0.53 us", "0.01 us", "data/h200x8/agent.csv"),
    -- agent_latency of 128 B less half a hand-shake (size 0)
    latency = measured("2.67 us", "0.3 us", "data/h200x8/agent.csv"),
    -- (track_on - track_off) / blocks, blocks of 4 KiB
    track   = measured("0.30 ns", "0.06 ns", "data/h200x8/track.csv"),
    -- agent_chunk_beside / _free: 11.7 for small chunks; overlap_store_out_t:
    -- 60 GB/s by 4096 threads, 8.0 times less than their rate alone.  Geometric
    -- mean.
    beside  = measured(9.7, 1.3, "data/h200x8/overlap.csv"),
  },
}
