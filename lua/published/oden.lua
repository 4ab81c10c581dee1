-- oden.lua - printed numbers of messages between GPUs of two nodes, by method
-- (dissertation of L. Oden, 2014), and which of two methods is ahead.

local gs = require "gpuscale"
local K, printed, fit, choose = gs.constant, gs.printed, gs.fit, gs.choose
local setting = gs.setting

local QDR, GALIBIER, FDR40, FDR20, GGAS =
  "k20-qdr", "k20-galibier", "k40-fdr", "k20-fdr", "k20-ggas"

-- ---- numbers of ours ---------------------------------------------------------------

fit { name = "k20-qdr path.gap", system = "k20-qdr", key = "path.gap",
      unit = "us", from = 0.1, to = 5, rows = "OD136" }
fit { name = "k20-qdr control.serial_host", system = "k20-qdr", key = "control.serial_host",
      unit = "us", from = 0.01, to = 5, rows = "OD139" }
fit { name = "k20-qdr control.watch", system = "k20-qdr", key = "control.watch",
      unit = "us", from = 0.4, to = 0.9, rows = "OD123 OD124" }
fit { name = "k20-galibier control.notify", system = "k20-galibier", key = "control.notify",
      unit = "us", from = 1, to = 30, rows = "OD196" }
fit { name = "k40-fdr stage.start", system = "k40-fdr", key = "stage.start",
      unit = "us", from = 1, to = 40, rows = "OD092" }
fit { name = "k40-fdr path.rate", system = "k40-fdr", key = "path.rate",
      unit = "GB/s", from = 2, to = 6.8, rows = "OD102" }
fit { name = "k40-fdr stage.match", system = "k40-fdr", key = "stage.match",
      unit = "us", from = 1, to = 200, rows = "OD103" }
fit { name = "k20-fdr block's wait", value = 3.144e-9, from = 1e-10, to = 1e-7,
      rows = "OD260" }
fit { name = "copies at once", value = 12, unit = "whole", from = 1, to = 64,
      rows = "OD290" }
fit { name = "k20-ggas space.header", system = "k20-ggas", key = "space.header",
      unit = "B", from = 8, to = 128, rows = "OD333" }
fit { name = "k20-ggas space.flag", system = "k20-ggas", key = "space.flag",
      unit = "us", from = 0.1, to = 10, rows = "OD315" }
fit { name = "k20-ggas space.flag_more", system = "k20-ggas", key = "space.flag_more",
      unit = "us", from = 0.01, to = 3, rows = "OD316" }
fit { name = "k20-ggas control.launch", system = "k20-ggas", key = "control.launch",
      unit = "us", from = 1, to = 40, rows = "OD317 OD318" }

choose { name = "peak reached", value = 0.95,
         why = "OD128, OD129: a size reaches the peak at 95 % of it" }
choose { name = "overhead negligible", value = 0.05,
         why = "OD290, OD291: 5 % of the time" }
choose { name = "small message", value = 8, why = "B" }
choose { name = "medium message", value = 8192, why = "B: OO12" }
choose { name = "large message", value = 4194304,
         why = "B: 4 MiB, where the lost curves end" }
choose { name = "close", value = 0.1, why = "orderings: what is 'equal', 'close to'" }
choose { name = "similar", value = 0.25,
         why = "orderings: what 'slightly', 'about' is at most" }
choose { name = "kernels apart", value = 3e-6,
         why = "s between two kernels of a stream, of these GPUs" }
choose { name = "look-ahead", value = 1024, why = "updates held back (6.9.3)" }
setting { key = "starts", from = "6.9.3: by RMA a block is started for every look-ahead" }

-- ---- machines ----------------------------------------------------------------------

local us, KiB, MBs = 1e-6, 1024, 1e6

-- gs.remote with `more` keys.
local function ask (what, system, more)
  local q = { what = what, system = system }
  for k, v in pairs(more or {}) do q[k] = v end
  return gs.remote(q)
end

local function latency (system, way, bytes, more)
  local q = { name = way, bytes = bytes }
  for k, v in pairs(more or {}) do q[k] = v end
  return ask("latency", system, q)
end

-- Seconds between messages of a long stream.
local function gap (system, way, bytes, more)
  local q = { name = way, bytes = bytes }
  for k, v in pairs(more or {}) do q[k] = v end
  return ask("gap", system, q)
end

local function busy (system, way, bytes)
  return ask("busy", system, { name = way, bytes = bytes })
end

local function bandwidth (system, way, bytes, more)
  return bytes / gap(system, way, bytes, more)
end

local function number (system, name)
  return ask("number", system, { name = name })
end

local hosts = { from = "host", to = "host" }
local host_queues = { queues = "host" }

-- The smallest power of two that holds.
local function smallest (holds)
  local s = 1
  while s < 2 ^ 30 and not holds(s) do s = 2 * s end
  return s
end

-- The smallest size at the peak bandwidth, B.
local function saturation (system, way, more)
  local most = bandwidth(system, way, 2 ^ 20, more)
  return smallest(function (s)
    return bandwidth(system, way, s, more) >= K "peak reached" * most
  end)
end

-- KiB up to which GPI-2 is faster without staging.
local function switch (system)
  return ask("switch", system) / KiB
end

-- The fastest of chunks for a large message by GPI-2, KiB.
local function best_chunk (system, from, to)
  local best, least = 0, math.huge
  local c = from
  while c <= to do
    local t = latency(system, "gpi2", K "large message", { chunk = c * KiB })
    if t < least then best, least = c, t end
    c = 2 * c
  end
  return best
end

local function rate (system, connections, queues)
  return 1 / gap(system, "put-ib", 32,
                 { connections = connections, queues = queues })
end

-- ---- who controls a step of Himeno -----------------------------------------------------

-- Seconds of one GPU's kernels, on so many planes.
local function kernels (system, nx, ny, nz)
  return gs.predict { workload = "himeno", system = system, gpus = 1,
    paradigm = "infinite", set = { nx = nx, ny = ny, nz = nz } }[1].compute_s
end

-- One GPU of two, of k20-fdr: { time, compute } by a way to control the step.
local function controlled (control, nx, ny, nz)
  local h = { name = control, compute = kernels(FDR20, nx, ny, nz / 2) / 2,
              event = printed "OD098" * us, between = K "kernels apart",
              blocks = nx * ny / 256 }
  local way = control == "host" and "gpi2" or "put-ib"
  h.send = latency(FDR20, way, 4 * nx * ny)
  if control == "in-kernel" then h.wait = K "k20-fdr block's wait" end
  return { time = ask("control", FDR20, h), compute = 2 * h.compute }
end

-- J of a GPU's step; the host is awake if it controls the step.
local function energy (system, step, awake)
  return ask("energy", system, { time = step.time, busy = step.compute,
                                 host = awake and step.time or 0 })
end

local function himeno_energy (control, nx, ny, nz)
  return energy(FDR20, controlled(control, nx, ny, nz), control == "host")
end

local function relative (control, nx, ny, nz)
  return 100 * controlled("host", nx, ny, nz).time /
         controlled(control, nx, ny, nz).time
end

local sizes = { { 256, 256, 256 }, { 256, 256, 512 }, { 256, 256, 1024 },
                { 512, 512, 256 }, { 512, 512, 512 }, { 512, 512, 640 },
                { 640, 640, 128 }, { 640, 640, 256 }, { 640, 640, 386 } }

-- A step of Himeno, as `predict` answers it.
local function himeno (system, way, nx, ny, nz, gpus)
  return gs.predict { workload = "himeno", system = system, gpus = gpus,
    paradigm = way, set = { nx = nx, ny = ny, nz = nz } }[1]
end

-- Two GPUs of k20-fdr whose host sends, or kernels of one thread in their stream do.
local function by_host (nx, ny, nz) return himeno(FDR20, "gpi2", nx, ny, nz, 2) end
local function by_stream (nx, ny, nz) return himeno(FDR20, "put-ib", nx, ny, nz, 2) end

-- % of the speed of hosts that streams reach.
local function stream_speed (nx, ny, nz)
  return 100 * by_host(nx, ny, nz).time_s / by_stream(nx, ny, nz).time_s
end

-- % by which streams take less energy than hosts.
local function stream_gain (nx, ny, nz)
  return 100 * (by_host(nx, ny, nz).energy_J / by_stream(nx, ny, nz).energy_J - 1)
end

-- Speedup on k40-fdr, all of whose GPUs send by cards that four share.
local function speedup (way, nx, ny, nz, gpus)
  return himeno(FDR40, way, nx, ny, nz, gpus).speedup
end

local function size_M (way, gpus) return speedup(way, 128, 128, 256, gpus) end
local function size_L (way, gpus) return speedup(way, 256, 256, 512, gpus) end

-- ---- the machine with global addresses -------------------------------------------------

local function copy_down (bytes)
  return number(GGAS, "stage.start") + bytes / number(GGAS, "stage.down")
end

-- OpenMPI 1.6.1 there knows no GPU: the program copies itself (6.9.1).
local ways = { rma = "put-rma", mpi = "mpi-manual", ggas = "ggas" }

local function weak (method, gpus)
  return himeno(GGAS, ways[method], 128, 192, 64 * gpus, gpus)
end

local function strong (method, gpus)
  return himeno(GGAS, ways[method], 128, 128, 192, gpus).time_s
end

-- % by which RMA is ahead of the better of the other two in energy.
local function rma_gain (gpus)
  return 100 * (math.min(weak("mpi", gpus).energy_J, weak("ggas", gpus).energy_J) /
                weak("rma", gpus).energy_J - 1)
end

-- A look-ahead of each GPU in RandomAccess.  By RMA each starts another block, which
-- updates (6.9.3).
local function look_ahead (method, gpus)
  return gs.predict { workload = "random-access", system = GGAS, gpus = gpus,
    paradigm = ways[method], set = { updates = K "look-ahead" * gpus,
      starts = method == "rma" and 2 or 1 } }[1]
end

-- By how much GGAS is ahead of the better of the other two.
local function updates_ahead (gpus)
  return math.min(look_ahead("mpi", gpus).time_s, look_ahead("rma", gpus).time_s) /
    look_ahead("ggas", gpus).time_s
end

local function update_energy (method, gpus)
  return look_ahead(method, gpus).energy_J
end

-- A reduction of an array of `values` on each of eight GPUs.
local function global_reduction (method, values)
  return gs.predict { workload = "global-reduction", system = GGAS, gpus = 8,
    paradigm = ways[method], set = { n = 8 * values } }[1]
end

-- A reduction by hosts in a binomial tree, of arrays on eight GPUs.
local function host_reduce (bytes, all)
  local message = latency(GGAS, "gpudirect", bytes, hosts)
  local copy = copy_down(bytes)
  return all and 2 * (copy + 3 * message) or copy + 3 * message
end

local function reduce (gather, bytes, all)
  return ask("reduce", GGAS, { name = gather, gpus = 8, bytes = bytes, all = all })
end

local function best_reduce (bytes, all)
  local best = math.huge
  for _, g in ipairs { "read", "root", "all", "all-to-all", "tree" } do
    if all or g ~= "all" then best = math.min(best, reduce(g, bytes, all)) end
  end
  return best
end

-- ---- orderings ---------------------------------------------------------------------

-- The share of comparisons that hold, and which first does not.
local function share (list)
  local held, first = 0, nil
  for i, v in ipairs(list) do
    if v then held = held + 1 elseif not first then first = i end
  end
  return held / #list, first and "not the comparison " .. first .. " of " .. #list
end

local function near (a, b, within)
  return math.abs(a / b - 1) <= (within or K "close")
end

-- Each is less than the next.
local function rising (list)
  local all = {}
  for i = 2, #list do all[#all + 1] = list[i - 1] < list[i] end
  return share(all)
end

local small, large = K "small message", K "large message"

local function of_sizes (f)
  local all = {}
  for _, n in ipairs(sizes) do
    for _, v in ipairs(f(n[1], n[2], n[3])) do all[#all + 1] = v end
  end
  return share(all)
end

local recipes = {
  -- ---- direct transfers (3.4) --------------------------------------------------------
  OD064 = function () return ask("rate", QDR, { from = "host" }) / MBs end,
  OD066 = function () return ask("rate", QDR) / MBs end,
  OD068 = function () return ask("rate", GALIBIER, { from = "host" }) / MBs end,
  OD070 = function () return ask("rate", GALIBIER) / MBs end,

  -- ---- GPI-2 (4) -----------------------------------------------------------------------
  OD079 = function () return switch(QDR) end,
  OD080 = function () return 1 * switch(QDR) end,
  OD081 = function () return switch(FDR40) end,
  OD082 = function () return best_chunk(QDR, 32, 2048) end,
  OD083 = function () return best_chunk(FDR40, 32, 2048) end,
  OD084 = function () return best_chunk(FDR40, 256, 512) end,
  OD087 = function () return 1 * switch(FDR40) end,
  OD088 = function () return 1.0 * switch(FDR40) end,
  OD090 = function ()
    return ask("allreduce", FDR40, { gpus = 2, sharing = 2 }) / us
  end,
  OD091 = function ()
    return ask("allreduce", FDR40, { gpus = 16, sharing = 4 }) / us
  end,
  OD092 = function ()
    return ask("allreduce", FDR40, { gpus = 2, sharing = 2 }) /
      ask("allreduce", FDR40, { gpus = 2, sharing = 2, buffers = "host" })
  end,
  OD093 = function ()
    return ask("allreduce", FDR40, { gpus = 16, sharing = 4 }) /
      ask("allreduce", FDR40, { gpus = 16, sharing = 4, buffers = "host" })
  end,
  OD100 = function () return size_L("gpi2", 16) end,
  OD101 = function () return size_L("mpi", 16) end,
  OD102 = function () return size_M("gpi2", 16) end,
  OD103 = function () return size_M("mpi", 16) end,
  OD104 = function ()
    return math.max(size_M("gpi2", 2) / size_M("mpi", 2),
                    size_L("gpi2", 2) / size_L("mpi", 2))
  end,

  -- ---- put and get by the GPU, InfiniBand (5.5) ------------------------------------------
  OD122 = function ()
    return (latency(QDR, "put-ib", small, host_queues) -
            latency(QDR, "put-ib", small)) / us
  end,
  OD123 = function () return latency(QDR, "put-ib", small) / us end,
  OD124 = function () return latency(QDR, "put-ib", small, host_queues) / us end,
  OD128 = function () return saturation(QDR, "gpudirect") / KiB end,
  OD129 = function ()
    return math.min(saturation(QDR, "put-ib", { polled = true }),
      saturation(QDR, "put-ib", { polled = true, queues = "host" })) / KiB
  end,
  OD131 = function ()
    return ask("atomic", QDR, { name = "put-ib" }) /
      ask("atomic", QDR, { name = "host-assisted" })
  end,
  OD133 = function () return rate(QDR, 16) end,
  OD134 = function () return rate(QDR, 1) end,
  OD135 = function () return rate(QDR, 16) / rate(QDR, 1) end,
  OD136 = function ()
    return rate(QDR, 16, "host") * gap(QDR, "gpudirect", 32)
  end,
  OD138 = function () return rate(QDR, 1, "host") / rate(QDR, 1) end,
  OD139 = function () return rate(QDR, 32, "host") / rate(QDR, 32) end,
  OD140 = function () return printed "OD142" / printed "OD141" end,

  -- ---- by descriptors, Extoll (5.6) --------------------------------------------------------
  OD196 = function ()
    return latency(GALIBIER, "put-rma", small, { notified = true }) / us
  end,
  OD198 = function ()
    return latency(GALIBIER, "put-rma", small, { notified = true }) /
      latency(GALIBIER, "gpudirect", small)
  end,

  -- ---- who controls a step (5.8) -------------------------------------------------------------
  OD258 = function () return stream_speed(256, 256, 256) end,
  OD259 = function () return stream_speed(640, 640, 386) end,
  OD260 = function () return relative("in-kernel", 256, 256, 256) end,
  OD261 = function () return relative("in-kernel", 640, 640, 386) end,
  OD264 = function () return stream_gain(640, 640, 386) end,
  OD335 = function () return 1 * stream_gain(640, 640, 386) end,
  OD336 = function ()
    return math.min(stream_gain(640, 640, 386), rma_gain(2), rma_gain(4), rma_gain(8))
  end,
  OD337 = function ()
    return 100 * (update_energy("mpi", 12) / update_energy("ggas", 12) - 1)
  end,

  -- ---- global addresses (6) ------------------------------------------------------------------
  OD282 = function () -- within 10 % of the smallest
    return smallest(function (s)
      return latency(GGAS, "ggas", 2 * s) > 1.1 * latency(GGAS, "ggas", 8)
    end) / KiB
  end,
  OD283 = function ()
    return smallest(function (s)
      return latency(GGAS, "ggas", 2 * s) > 1.1 * latency(GGAS, "ggas", 8)
    end) / 8
  end,
  OD284 = function ()
    return smallest(function (s)
      return latency(GGAS, "ggas", s) > latency(GGAS, "ggas-load", s)
    end)
  end,
  OD288 = function () return bandwidth(GGAS, "ggas-load", 2 ^ 20) / MBs end,
  OD290 = function ()
    return smallest(function (s)
      return number(GGAS, "control.launch") <= K "overhead negligible" *
        K "copies at once" * gap(GGAS, "ggas", s)
    end) / KiB
  end,
  OD291 = function ()
    return smallest(function (s)
      return number(GGAS, "control.launch") <= K "overhead negligible" *
        K "copies at once" * gap(GGAS, "ggas-load", s)
    end) / KiB
  end,
  OD292 = function ()
    return gap(GGAS, "ggas", 2 ^ 20, { word = 4, stride = 2 }) /
      gap(GGAS, "ggas", 2 ^ 20, { word = 4 })
  end,
  OD293 = function ()
    return gap(GGAS, "ggas-load", 2 ^ 20, { word = 4, stride = 2 }) /
      gap(GGAS, "ggas-load", 2 ^ 20, { word = 4 })
  end,
  OD315 = function () return ask("barrier", GGAS, { gpus = 2 }) / us end,
  OD316 = function () return ask("barrier", GGAS, { gpus = 8 }) / us end,
  OD317 = function ()
    return ask("barrier", GGAS, { gpus = 2, kernel = true }) / us
  end,
  OD318 = function ()
    return ask("barrier", GGAS, { gpus = 8, kernel = true }) / us
  end,
  OD327 = function () return updates_ahead(8) end,
  OD328 = function () return updates_ahead(12) end,
  OD329 = function () return rma_gain(2) end,
  OD330 = function () return rma_gain(4) end,
  OD331 = function () return rma_gain(8) end,
  OD332 = function ()
    return math.min(update_energy("mpi", 8) / update_energy("ggas", 8),
                    update_energy("rma", 8) / update_energy("ggas", 8),
                    update_energy("mpi", 12) / update_energy("ggas", 12),
                    update_energy("rma", 12) / update_energy("ggas", 12))
  end,
  OD333 = function () return bandwidth(GGAS, "ggas", 2 ^ 20) / MBs end,

  -- ---- what is true by definition ---------------------------------------------------------------
  OD004 = function () return printed "OD001" / printed "OD003" end,
  OD007 = function () return printed "OD006" / printed "OD005" end,
  OD037 = function () return 1 / 2 end,
  OD038 = function () return 1 / 4 end,
  OD118 = function () return 5, "write, doorbell, fetch, completion, poll" end,
  OD119 = function () return 3, "doorbell, fetch, completion" end,
  OD217 = function () return printed "OD218" / printed "OD220" end,
  OD271 = function () return printed "OD270" / 8 end,
  OD272 = function () return printed "OD270" / 16 end,

  -- ---- which is ahead -------------------------------------------------------------------------
  OO01 = function ()
    local all = {}
    for _, s in ipairs { QDR, GALIBIER } do
      local direct = latency(s, "gpudirect", small)
      all[#all + 1] = direct < latency(s, "staged-pipelined", small)
      all[#all + 1] = near(direct, latency(s, "gpudirect", small, hosts))
    end
    return share(all)
  end,
  OO02 = function ()
    local all = {}
    for _, s in ipairs { QDR, GALIBIER } do
      local staged = bandwidth(s, "staged-pipelined", large)
      all[#all + 1] = staged < bandwidth(s, "gpudirect", large, hosts)
      all[#all + 1] = bandwidth(s, "gpudirect", large) < staged
    end
    return share(all)
  end,
  OO03 = function ()
    return rising { ask("rate", FDR40, { far = true, to = "host" }),
                    ask("rate", FDR40, { far = true, from = "host" }),
                    ask("rate", FDR40) }
  end,
  OO04 = function ()
    return share {
      near(bandwidth(FDR40, "gpudirect", small), bandwidth(FDR40, "gpi2", small)),
      bandwidth(FDR40, "mpi", small) < bandwidth(FDR40, "gpi2", small) }
  end,
  OO05 = function ()
    local mpi = bandwidth(FDR40, "mpi", large)
    return share { mpi < bandwidth(FDR40, "gpi2", large),
                   bandwidth(FDR40, "gpudirect", large) < mpi,
                   near(mpi, bandwidth(FDR40, "gpi2", large), K "similar") }
  end,
  OO06 = function ()
    return share {
      near(latency(FDR40, "gpudirect", small), latency(FDR40, "gpi2", small)),
      latency(FDR40, "gpi2", small) < latency(FDR40, "mpi", small) }
  end,
  OO07 = function ()
    local gpi2, mpi = latency(FDR40, "gpi2", large), latency(FDR40, "mpi", large)
    local direct = latency(FDR40, "gpudirect", large)
    return share { near(mpi, gpi2, K "similar"), gpi2 * 1.3 < direct,
                   mpi * 1.3 < direct }
  end,
  OO08 = function ()
    return share { busy(FDR40, "gpudirect", large) < us,
                   busy(FDR40, "gpi2", small) < us,
                   busy(FDR40, "gpi2", large) < busy(FDR40, "mpi", large) }
  end,
  OO09 = function ()
    local all, last = {}, 1
    for _, n in ipairs { 4, 8, 16 } do
      local ahead = size_M("gpi2", n) / size_M("mpi", n)
      all[#all + 1] = ahead > 1
      all[#all + 1] = ahead >= last
      last = ahead
    end
    return share(all)
  end,
  OO10 = function ()
    return rising { latency(QDR, "gpudirect", small),
                    latency(QDR, "host-assisted", small),
                    latency(QDR, "put-ib", small),
                    latency(QDR, "put-ib", small, host_queues) }
  end,
  OO11 = function ()
    local all = {}
    for _, way in ipairs { "host-assisted", "put-ib" } do
      local at = function (s)
        return latency(QDR, way, s) - latency(QDR, "gpudirect", s)
      end
      all[#all + 1] = near(at(262144), at(small))
    end
    return share(all)
  end,
  OO12 = function ()
    local s = K "medium message"
    local gpu = bandwidth(QDR, "put-ib", s, { polled = true })
    local host = bandwidth(QDR, "put-ib", s, { polled = true, queues = "host" })
    return share { host < gpu }
  end,
  OO13 = function ()
    local ahead = gap(QDR, "put-ib", 32) / gap(QDR, "host-assisted", 32)
    return share { ahead > 1, ahead <= 1 + K "similar" }
  end,
  OO14 = function ()
    local at = function (n)
      return gap(QDR, "host-assisted", 32, { connections = n })
    end
    return share { near(at(2), at(1)), at(16) > at(1) }
  end,
  OO15 = function ()
    return share { bandwidth(GALIBIER, "put-rma", small) <
                     bandwidth(GALIBIER, "gpudirect", small, hosts),
                   bandwidth(GALIBIER, "put-rma", large) <
                     bandwidth(GALIBIER, "gpudirect", large) }
  end,
  OO16 = function ()
    local c = kernels(FDR20, 512, 512, 256)
    local step = { time = c, compute = c }
    return share { energy(FDR20, step, false) < energy(FDR20, step, true) }
  end,
  OO17 = function ()
    local device = ask("control", FDR20, { name = "device", post = 0, poll = 0,
      compute = kernels(FDR20, 512, 512, 256) / 2 })
    return share { near(device, himeno(FDR20, "put-ib", 512, 512, 256, 1).time_s,
                        0.01) }
  end,
  -- Hosts and streams are predict's; of a closed form are kernels of a kernel and
  -- inside one, and what they are compared with.
  OO18 = function ()
    return of_sizes(function (x, y, z)
      local t = {}
      for i, c in ipairs { "stream", "device", "in-kernel" } do
        t[i] = controlled(c, x, y, z).time
      end
      return { by_host(x, y, z).time_s < by_stream(x, y, z).time_s,
               t[1] < t[2], t[2] < t[3] }
    end)
  end,
  OO19 = function ()
    local device = function (z)
      local s = controlled("device", 256, 256, z)
      return s.time - s.compute
    end
    local stream = function (z)
      return by_stream(256, 256, z).time_s - kernels(FDR20, 256, 256, z / 2)
    end
    local all = {}
    for _, over in ipairs { stream, device } do
      all[#all + 1] = near(over(512), over(256))
      all[#all + 1] = near(over(1024), over(256))
    end
    return share(all)
  end,
  OO20 = function ()
    local over = function (x, z)
      local s = controlled("in-kernel", x, x, z)
      return s.time - s.compute
    end
    return rising { over(256, 256), over(512, 256), over(640, 256) }
  end,
  OO21 = function ()
    return of_sizes(function (x, y, z)
      local stream = himeno_energy("stream", x, y, z)
      return { by_stream(x, y, z).energy_J < by_host(x, y, z).energy_J,
               stream < himeno_energy("device", x, y, z),
               stream < himeno_energy("in-kernel", x, y, z) }
    end)
  end,
  OO22 = function () -- W of the GPU alone
    local above = function (s)
      return energy(FDR20, s, false) / s.time -
        energy(FDR20, { time = 1, compute = 0 }, false)
    end
    local watts = function (c) return above(controlled(c, 640, 640, 386)) end
    local predicted = function (r)
      return above { time = r.time_s, compute = r.compute_s }
    end
    return share { near(predicted(by_stream(640, 640, 386)),
                        predicted(by_host(640, 640, 386))),
                   near(watts("device"), watts("host")),
                   watts("in-kernel") < 0.9 * watts("host") }
  end,
  OO23 = function ()
    return share { gap(GGAS, "ggas", small) <
      number(GGAS, "control.launch") / K "copies at once" +
        gap(GGAS, "ggas", small) }
  end,
  OO24 = function ()
    local t = { reduce("root", small), reduce("tree", small),
                reduce("all-to-all", small), reduce("read", small) }
    return share { t[1] < t[2], t[1] < t[3], t[2] < t[4], t[3] < t[4] }
  end,
  OO25 = function ()
    local t = { reduce("all-to-all", large), reduce("tree", large),
                reduce("root", large), reduce("read", large) }
    return share { t[1] < t[2], t[1] < t[3], t[2] < t[4], t[3] < t[4] }
  end,
  OO26 = function ()
    local t = reduce("all", small, true)
    return share { t < reduce("root", small, true),
                   t < reduce("all-to-all", small, true),
                   t < reduce("tree", small, true),
                   t < reduce("read", small, true) }
  end,
  OO27 = function ()
    local t = reduce("all-to-all", large, true)
    return share { 1.3 * t < reduce("root", large, true),
                   1.3 * t < reduce("all", large, true),
                   1.3 * t < reduce("tree", large, true),
                   t < reduce("read", large, true) }
  end,
  OO28 = function ()
    local all = {}
    for _, s in ipairs { 4, 64, 1024, 16384 } do
      local one = host_reduce(s, false) / best_reduce(s, false)
      local each = host_reduce(s, true) / best_reduce(s, true)
      all[#all + 1] = one > 1
      all[#all + 1] = each > one
    end
    return share(all)
  end,
  OO29 = function ()
    local all = {}
    for _, n in ipairs { 4, 8, 12 } do
      all[#all + 1] = weak("rma", n).time_s < weak("mpi", n).time_s
      all[#all + 1] = weak("mpi", n).time_s < weak("ggas", n).time_s
    end
    return share(all)
  end,
  OO30 = function ()
    return share { strong("ggas", 12) < strong("mpi", 12),
                   strong("ggas", 12) < strong("rma", 12) }
  end,
  OO31 = function ()
    return share { strong("ggas", 12) < strong("ggas", 8),
                   strong("mpi", 12) > strong("mpi", 8) }
  end,
  OO32 = function ()
    local ahead = function (n)
      return global_reduction("mpi", n).time_s / global_reduction("ggas", n).time_s
    end
    return share { ahead(1024) > 1, ahead(2 ^ 24) > 1,
                   ahead(2 ^ 20) < ahead(1024), ahead(2 ^ 24) < ahead(2 ^ 20) }
  end,
  OO33 = function ()
    local all, last = {}, 0
    for _, n in ipairs { 4, 8, 12 } do
      local ahead = updates_ahead(n)
      all[#all + 1] = ahead > 1
      all[#all + 1] = ahead > last
      last = ahead
    end
    return share(all)
  end,
  OO34 = function ()
    local ggas = function (n) return weak("ggas", n).energy_J end
    local mpi = function (n) return weak("mpi", n).energy_J end
    return share { mpi(2) < ggas(2), ggas(4) < mpi(4), ggas(8) < mpi(8) }
  end,
  OO35 = function ()
    local all = {}
    for i, n in ipairs { 1024, 2 ^ 16, 2 ^ 20, 2 ^ 24 } do
      all[i] = global_reduction("ggas", n).energy_J <
        global_reduction("mpi", n).energy_J
    end
    return share(all)
  end,
  OO36 = function ()
    local all = { update_energy("rma", 2) < update_energy("ggas", 2),
                  update_energy("rma", 2) < update_energy("mpi", 2) }
    for _, n in ipairs { 4, 8, 12 } do
      all[#all + 1] = update_energy("ggas", n) <
        math.min(update_energy("rma", n), update_energy("mpi", n))
    end
    return share(all)
  end,
}

-- ---- tables ------------------------------------------------------------------------

-- Table 6.1: requests of 1, 16, ... words of 4 B.
for i, n in ipairs { 1, 16, 64, 256, 1024, 4096 } do
  local row = function (at) return string.format("OD%d", at + i) end
  recipes[row(295)] = function ()
    return ask("requests", GGAS, { values = n, word = 4 })
  end
  recipes[row(301)] = function ()
    return ask("requests", GGAS, { values = n, word = 4, stride = 2 })
  end
  recipes[row(307)] = function ()
    return ask("requests", GGAS, { values = n, word = 4, stride = 2, load = true })
  end
end

-- Tables 4.2 and 5.6: what the size of a grid says.
for i, n in ipairs { { 128, 128, 256 }, { 256, 256, 512 } } do
  local row = function (at) return string.format("OD%d", at + 2 * i) end
  recipes[row(103)] = function ()
    return 34 * (n[1] - 2) * (n[2] - 2) * (n[3] - 2) / 1e6
  end
  recipes[row(104)] = function () return 4 * n[1] * n[2] / KiB end
end

for i, n in ipairs(sizes) do
  local row = function (at) return string.format("OD%d", at + 3 * i) end
  recipes[row(225)] = function () return 56 * n[1] * n[2] * (n[3] / 2 + 3) end
  recipes[row(226)] = function () return 17 * (n[1] - 2) * (n[2] - 2) * n[3] end
  recipes[row(227)] = function () return 4 * n[1] * n[2] / KiB end
end

return recipes
-- SPDX-License-Identifier: GPL-3.0-or-later
