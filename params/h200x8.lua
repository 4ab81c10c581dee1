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
-- discrepancies from data/h200x8/runs.csv,data/h200x8/runs-allgather.csv,data/h200x8/repeat/runs.csv,data/h200x8/runs-transpose.csv,data/h200x8/runs-pagerank.csv,data/h200x8/runs-diffusion.csv
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
    latency = measured("3.4790625781250002e-07 s", "3.4790625781250004e-09 s", "remote.csv"),
    cache_latency = measured("1.4775000439453124e-07 s", "1.4775000439453125e-09 s", "remote.csv"),
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
    track = measured("2.9974388556968754e-10 s", "2.6993766228160709e-11 s", "track.csv"),
    hold = measured("4.8391400973353946e-07 s", "4.839140097335395e-10 s", "track.csv"),
    beside = measured(9.5072887669589825, 1.080289126606985, "agent_chunk_beside, overlap_store_out"),
  },

  cdp = {
    gap = measured("2.0804518774905167e-07 s", "4.8843911113617044e-09 s", "cdp.csv"),
    latency = measured("1.4602666863333333e-05 s", "1.4602666863333334e-07 s", "cdp.csv"),
  },

  load = {
    efficiency = measured(1.0287084094690648, 0.0014421132265326109, "remote.csv"),
    rate = measured("8655183488.5668812 1/s", "86551834.885668814 1/s", "remote.csv"),
    latency = measured("9.2573829191080688e-07 s", "8.7210355556675815e-09 s", "remote.csv"),
  },

  atomic = {
    rate = measured("6497836570.7608376 1/s", "64978365.707608372 1/s", "remote.csv"),
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
    { workload = "jacobi", paradigm = "infinite", rows = 20,
      sigma = measured(0.16511015968713652, 0.026106208472273275, "runs.csv, runs-diffusion.csv") },
    { workload = "jacobi", paradigm = "memcpy", rows = 20,
      sigma = measured(0.134706145133526, 0.021298911672157434, "runs.csv, runs-diffusion.csv") },
    { workload = "jacobi", paradigm = "memcpy-async", rows = 20,
      sigma = measured(0.15972925494851545, 0.025255412729951496, "runs.csv, runs-diffusion.csv") },
    { workload = "jacobi", paradigm = "inline", rows = 20,
      sigma = measured(0.31366782020930678, 0.049595237028080122, "runs.csv, runs-diffusion.csv") },
    { workload = "jacobi", paradigm = "proact-poll", rows = 146,
      sigma = measured(0.17689878657725963, 0.010352218459302965, "runs.csv, runs-diffusion.csv") },
    { workload = "allgather", paradigm = "infinite", rows = 12,
      sigma = measured(0.080356574896588248, 0.016402717164531764, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "memcpy", rows = 12,
      sigma = measured(0.095856406682310616, 0.019566607079031063, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "memcpy-async", rows = 48,
      sigma = measured(0.15593074487351502, 0.015914615006342323, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "inline", rows = 12,
      sigma = measured(0.38825994842265737, 0.079253230099568764, "runs-allgather.csv") },
    { workload = "allgather", paradigm = "proact-poll", rows = 96,
      sigma = measured(0.38184804551062829, 0.027557508983136716, "runs-allgather.csv") },
    { workload = "transpose", paradigm = "infinite", rows = 4,
      sigma = measured(2.2706432254425337, 0.80279361118285508, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "memcpy", rows = 4,
      sigma = measured(0.085347212639061545, 0.030174796406225314, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "memcpy-async", rows = 4,
      sigma = measured(0.27230235369125649, 0.09627342041407258, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "inline", rows = 2,
      sigma = measured(1.2565939847449261, 0.62829699237246306, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "proact-poll", rows = 4,
      sigma = measured(0.27152207839650183, 0.095997551438015902, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "proact-cdp", rows = 4,
      sigma = measured(0.19677782925329718, 0.069571468726087507, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "rdl", rows = 2,
      sigma = measured(2.901886128703004, 1.450943064351502, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "um", rows = 2,
      sigma = measured(0.10554397941908697, 0.052771989709543485, "runs-transpose.csv") },
    { workload = "transpose", paradigm = "um-hints", rows = 2,
      sigma = measured(0.72298185337664711, 0.36149092668832356, "runs-transpose.csv") },
    { workload = "pagerank", paradigm = "infinite", rows = 6,
      sigma = measured(1.5915890160285107, 0.45945217342165612, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "memcpy", rows = 6,
      sigma = measured(0.4199237472798858, 0.12122154426557923, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "memcpy-async", rows = 4,
      sigma = measured(0.19816381935401811, 0.070061490225526102, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "inline", rows = 4,
      sigma = measured(0.4206871986667356, 0.14873538546781051, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "proact-poll", rows = 4,
      sigma = measured(2.7281423823708928, 0.96454398930844065, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "proact-cdp", rows = 4,
      sigma = measured(2.0943570279578108, 0.7404670283473358, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "rdl", rows = 2,
      sigma = measured(0.15629925817998072, 0.078149629089990361, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "um", rows = 2,
      sigma = measured(0.22001284646274485, 0.11000642323137243, "runs-pagerank.csv") },
    { workload = "pagerank", paradigm = "um-hints", rows = 2,
      sigma = measured(0.38930510244979855, 0.19465255122489927, "runs-pagerank.csv") },
    { workload = "diffusion", paradigm = "infinite", rows = 6,
      sigma = measured(1.7873140824815439, 0.51595313332356418, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "memcpy", rows = 6,
      sigma = measured(0.26560632338255497, 0.07667394115169246, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "memcpy-async", rows = 2,
      sigma = measured(0.24418027246167778, 0.12209013623083889, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "inline", rows = 4,
      sigma = measured(1.375042687531701, 0.48615100438732034, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "proact-poll", rows = 2,
      sigma = measured(0.59020158777297882, 0.29510079388648941, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "proact-cdp", rows = 2,
      sigma = measured(0.36161033304528767, 0.18080516652264383, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "rdl", rows = 2,
      sigma = measured(2.2688184305616659, 1.1344092152808329, "runs-diffusion.csv") },
    { workload = "jacobi", paradigm = "proact-cdp", rows = 2,
      sigma = measured(0.31145430396402229, 0.15572715198201115, "runs-diffusion.csv") },
    { workload = "jacobi", paradigm = "rdl", rows = 2,
      sigma = measured(2.373221991084046, 1.186610995542023, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "um", rows = 2,
      sigma = measured(0.85205532377659821, 0.4260276618882991, "runs-diffusion.csv") },
    { workload = "diffusion", paradigm = "um-hints", rows = 2,
      sigma = measured(0.40320592378733472, 0.20160296189366736, "runs-diffusion.csv") },
  },
}
