-- h200x8.lua - written by `gpuscale calibrate` over h200x8, from
--   data/h200x8/agent.csv
--   data/h200x8/cdp.csv
--   data/h200x8/dma.csv
--   data/h200x8/exchange.csv
--   data/h200x8/launch.csv
--   data/h200x8/membw.csv
--   data/h200x8/overlap.csv
--   data/h200x8/remote.csv
--   data/h200x8/scatter.csv
--   data/h200x8/store.csv
--   data/h200x8/track.csv
--   data/h200x8/um.csv
--   data/h200x8/repeat/agent.csv
--   data/h200x8/repeat/dma.csv
--   data/h200x8/repeat/exchange.csv
--   data/h200x8/repeat/launch.csv
--   data/h200x8/repeat/membw.csv
--   data/h200x8/repeat/overlap.csv
--   data/h200x8/repeat/store.csv
--   data/h200x8/repeat/track.csv
-- discrepancies from data/h200x8/runs.csv,data/h200x8/runs-allgather.csv,data/h200x8/repeat/runs.csv
-- How each parameter is read off is said in model/recipe/.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

return gs.system {
  name = "h200x8",
  summary = "eight H200 GPUs, NVLink 4 through NVSwitch",
  gpus = 8,
  topology = gs.topology { kind = "switch" },
  grows = true,
  calibrated = 4,
  copy_sizes = { "4 B", "268435456 B" },

  link = {
    name = "nvlink4",
    rate = spec("450000000000 B/s", "nvlink4"),
  },

  device = {
    memory = spec("141000000000 B", "NVIDIA H200 data sheet"),
    sms = spec(132, "NVIDIA H200 data sheet"),
    threads = spec(2048, "CUDA, compute capability 9.0"),
    flops = spec("66900000000000.008 flop/s", "NVIDIA H200 data sheet, FP32"),
    membw = measured("4106842879360.644 B/s", "4106842879.3606443 B/s", "membw.csv"),
    start = measured("1.5365599849999996e-06 s", "6.6000000000000101e-08 s", "launch.csv"),
    membw_curve = measured({
      { "1048576 B", 0.58635882615502555 },
      { "2097152 B", 0.8473520082670265 },
      { "4194304 B", 1.0121466038646343 },
      { "8388608 B", 1.3934623085653726 },
      { "16777216 B", 1.4978095354615382 },
      { "25165824 B", 1.6179210018009194 },
      { "33554432 B", 1.5156588823336359 },
      { "41943040 B", 1.1815855824064818 },
      { "50331648 B", 1.0383038484104192 },
      { "58720256 B", 0.94398164238449644 },
      { "67108864 B", 0.91738846465684143 },
      { "100663296 B", 0.92024440760880588 },
      { "134217728 B", 0.9339424464464966 },
      { "268435456 B", 0.96186176941207424 },
      { "536870912 B", 0.98048789858836305 },
      { "1073741820 B", 0.99005313679477491 },
      { "2147483650 B", 0.99484099280502825 },
      { "4294967300 B", 0.99762517932494499 },
      { "8589934590 B", 0.99894645006385807 },
    }, "5 %", "membw.csv"),
  },

  host = {
    launch = measured("3.3742996965041813e-06 s", "2.5234050816666203e-07 s", "launch.csv"),
    copy = measured("1.4555218952787695e-06 s", "7.2586603403412414e-08 s", "launch.csv"),
    event = measured("1.6952169168718168e-07 s", "1.4457053624283889e-08 s", "launch.csv"),
    launch_crowd = measured(0.010727183108297839, 0.036001169586845086, "launch.csv"),
    copy_crowd = measured(0.13968619590923251, 0.031885813961692266, "launch.csv"),
    sync = measured("2.9167243464588758e-06 s", "6.041644340228445e-08 s", "membw.csv"),
    sync_more = measured("0 s", "2.7589312278862485e-07 s", "launch_sync2, launch_sync"),
    barrier = measured("4.5449329433709558e-07 s", "2.7585404108521916e-07 s", "launch.csv"),
    barrier_more = measured("4.4247176710682554e-07 s", "5.9380048785802069e-08 s", "launch.csv"),
  },

  copy = {
    efficiency = measured(0.96860306704419097, 0.0084873637249610698, "dma.csv"),
    all_active = measured(1, 0.0023679573594640787, "exchange.csv"),
    contended = measured(0.64476266341856869, 0.016671384749103405, "exchange.csv"),
    initiation = measured("2.43278005262162e-06 s", "1.73261647283228e-08 s", "dma.csv"),
    latency = measured("5.1367829632214811e-06 s", "7.3827326239914626e-07 s", "dma.csv"),
    interference = measured("4.8709445149573525e-13 s/B", "9.4580767446428387e-16 s/B", "overlap.csv"),
  },

  store = {
    efficiency = measured(1.0238975161171846, 0.0010238975161171845, "store.csv"),
    all_active = measured(0.97791457289151307, 0.0030261331173477525, "exchange.csv"),
    rate = measured("6877212588.5705585 1/s", "6877212.5885705585 1/s", "store.csv"),
    ingress = measured("7236615994.2413311 1/s", "106144007.66326423 1/s", "scatter.csv"),
    latency = measured("1.3256799425000005e-06 s", "6.5600124999999507e-09 s", "agent.csv"),
    interference = measured("5.7781513107439868e-13 s/B", "5.5515325614644091e-15 s/B", "overlap.csv"),
  },

  agent = {
    thread_rate = measured("114558806.02346343 B/s", "330150.2725289446 B/s", "agent.csv"),
    gap = measured("5.2246876269531246e-07 s", "5.2246876269531252e-10 s", "agent.csv"),
    latency = measured("2.6670801079560226e-06 s", "2.4008805408877192e-07 s", "agent.csv"),
    track = measured("3.2357756089147971e-10 s", "2.9773578153619112e-11 s", "track.csv"),
    beside = measured(9.5072887669589825, 1.080289126606985, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("2.0804518774905167e-07 s", "4.8843911113617044e-09 s", "cdp.csv"),
    latency = measured("1.4602666863333333e-05 s", "1.4602666863333334e-07 s", "cdp.csv"),
  },

  load = {
    efficiency = measured(1.0296196156258952, 0.0010296196156258952, "remote.csv"),
    latency = measured("9.287174470214839e-07 s", "8.6644606283487421e-09 s", "remote.csv"),
  },

  atomic = {
    rate = measured("6509101631.2726269 1/s", "65091016.312726274 1/s", "remote.csv"),
  },

  um = {
    fault_start = measured("0.00014958666962380205 s", "2.8801892579289164e-05 s", "um.csv"),
    fault_rate = measured("14441544888.039608 B/s", "742945182.20975018 B/s", "um.csv"),
    prefetch_start = measured("2.2898793487277688e-05 s", "1.029969881464595e-06 s", "um.csv"),
    prefetch_rate = measured("216184367907.39062 B/s", "3949543295.2069244 B/s", "um.csv"),
    touch_start = measured("0.00028310604694109346 s", "3.8007482364781185e-05 s", "um.csv"),
    touch_rate = measured("13322238143.455866 B/s", "828971123.58162975 B/s", "um.csv"),
  },

  -- How far the model was off on runs of whole programs; no parameter is
  -- fitted to them.  It widens the intervals of other programs.
  discrepancy = {
    { workload = "jacobi", paradigm = "infinite", rows = 18,
      sigma = measured(0.23775237141298924, 0.039625395235498205, "runs.csv") },
    { workload = "jacobi", paradigm = "memcpy", rows = 18,
      sigma = measured(0.134706145133526, 0.022451024188921, "runs.csv") },
    { workload = "jacobi", paradigm = "memcpy-async", rows = 18,
      sigma = measured(0.18341820756810823, 0.030569701261351372, "runs.csv") },
    { workload = "jacobi", paradigm = "inline", rows = 18,
      sigma = measured(0.2895919948009496, 0.048265332466824934, "runs.csv") },
    { workload = "jacobi", paradigm = "proact-poll", rows = 144,
      sigma = measured(0.19599287055158449, 0.01154899065260355, "runs.csv") },
    { workload = "allgather", paradigm = "infinite", rows = 12,
      sigma = measured(0.080356574896588248, 0.016402717164531764, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "memcpy", rows = 12,
      sigma = measured(0.095856406682310616, 0.019566607079031063, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "memcpy-async", rows = 48,
      sigma = measured(0.15593074487351502, 0.015914615006342323, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "inline", rows = 12,
      sigma = measured(0.38825994842358619, 0.079253230099758348, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "proact-poll", rows = 96,
      sigma = measured(0.38002046748305107, 0.027425614899863372, "runs-allgather.csv") },
  },
}
