-- cpu.lua - CPU cores of one machine that stand for GPUs.
--
-- A device is one core, the link is the memory that all share.  Nothing here
-- was measured: it is the base for what `scripts/bench-host` measures on a
-- machine, without a GPU:
--
--   scripts/bench-host mine
--   gpuscale calibrate mine/host.csv --base cpu -o mine.lua

local gs = require "gpuscale"

local function guess (value, low, high)
  return gs.assumed(value, { low, high },
                    "any machine of our days; scripts/bench-host measures one")
end

return gs.system {
  name     = "cpu",
  summary  = "CPU cores that share memory, nothing measured",
  gpus     = 4,
  topology = "switch",
  grows    = true, -- more cores
  -- Cores share their memory; there are no pages to move and no kernels.
  can      = { peer = "atomics", managed = false, device_launch = false },

  -- No packets: bytes are bytes.  The rate only says what copy.efficiency and
  -- store.efficiency are fractions of.
  link = { name = "raw", rate = guess("100 GB/s", "30 GB/s", "300 GB/s") },

  device = {
    memory  = guess("16 GB", "1 GB", "64 GB"), -- a core's part
    sms     = guess(1, 1, 1),                 -- a core is one of them
    threads = guess(1, 1, 2),
    flops   = guess("30 Gflop/s", "4 Gflop/s", "200 Gflop/s"),
    flops_fp64 = guess("15 Gflop/s", "2 Gflop/s", "100 Gflop/s"),
    membw   = guess("20 GB/s", "5 GB/s", "100 GB/s"),
    start   = guess("5 ns", "1 ns", "100 ns"),
  },

  host = {
    launch       = guess("30 ns", "5 ns", "500 ns"),
    copy         = guess("30 ns", "5 ns", "500 ns"),
    event        = guess("30 ns", "5 ns", "500 ns"),
    launch_contention = guess(0.1, 0, 2),
    copy_contention = guess(0.1, 0, 2),
    sync         = guess("0.3 us", "50 ns", "50 us"),
    sync_more    = guess("0.1 us", "0 us", "50 us"),
    barrier      = guess("0.3 us", "50 ns", "50 us"),
    barrier_more = guess("0.1 us", "0 us", "50 us"),
  },

  copy = {
    efficiency   = guess(0.15, 0.02, 0.8),
    all_active   = guess(0.6, 0.1, 1),
    contended    = guess(0.89, 0.5, 1),
    initiation   = guess("20 ns", "1 ns", "500 ns"),
    latency      = guess("0.3 us", "50 ns", "50 us"),
    interference = guess("50 ps/B", "0 ps/B", "200 ps/B"), -- 2 B of membw
  },

  store = {
    efficiency   = guess(0.1, 0.02, 0.8),
    all_active   = guess(0.6, 0.1, 1),
    rate         = guess("0.3 G/s", "10 M/s", "2 G/s"),
    latency      = guess("0.1 us", "20 ns", "50 us"),
    interference = guess("50 ps/B", "0 ps/B", "200 ps/B"),
  },

  agent = {
    thread_rate = guess("10 GB/s", "2 GB/s", "80 GB/s"),
    gap         = guess("50 ns", "5 ns", "500 ns"),
    latency     = guess("0.3 us", "50 ns", "50 us"),
    track       = guess("20 ns", "1 ns", "200 ns"),
    contention  = guess(1.5, 1, 4),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
