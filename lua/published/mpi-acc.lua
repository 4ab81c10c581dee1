-- mpi-acc.lua - printed numbers of MPI-ACC (IEEE TPDS 2016): messages from GPU to
-- GPU in packets, and two applications.

local gs = require "gpuscale"
local K, printed, fit, choose = gs.constant, gs.printed, gs.fit, gs.choose

local H = "hokiespeed"

-- ---- numbers of ours ---------------------------------------------------------------

fit { name = "hokiespeed stage.down", system = "hokiespeed", key = "stage.down stage.up",
      unit = "GB/s", from = 1, to = 8, rows = "M-025" }
fit { name = "hokiespeed stage.handshake", system = "hokiespeed", key = "stage.handshake",
      unit = "us", from = 1, to = 200, rows = "M-026" }
fit { name = "hokiespeed stage.buffers", system = "hokiespeed", key = "stage.buffers",
      unit = "ms", from = 0.1, to = 5, rows = "M-027" }
fit { name = "packet at the peak", value = 0.8, from = 0.5, to = 0.99,
      rows = "M-013" }
fit { name = "epidemics unpack", value = 3388, preset = "mpiacc16", key = "epidemics:unpack", from = 100, to = 20000,
      rows = "M-034 M-003" }
fit { name = "epidemics fixed", value = 14.07, unit = "ms", from = 0.01, to = 100,
      preset = "mpiacc16", key = "epidemics:fixed", rows = "M-033" }
fit { name = "seismology marshaled", value = 0.7025, from = 0.01, to = 60,
      rows = "M-004" }

choose { name = "synchronisation negligible", value = 0.05,
         why = "M-012: 5 % of a packet's time" }
choose { name = "MPI-ACC large", value = 67108864, why = "B: 64 MiB, Fig 7's last" }
choose { name = "MPI-ACC small", value = 4096, why = "B: 4 KiB, Fig 7's first" }
choose { name = "seismology n", value = 400,
         why = "points per edge of the larger data: fills two M2050" }
choose { name = "cpu marshals", value = 3e9,
         why = "B/s at which one core gathers a wave field" }
choose { name = "epidemics interact", value = 20000, preset = "mpiacc16",
         key = "epidemics:interact", why = "B a person; only the shares of a step matter" }

-- ---- messages ----------------------------------------------------------------------

local us, KiB, MiB = 1e-6, 1024, 1048576

local function latency (way, bytes, more)
  return gs.remote { what = "latency", system = H, name = way, bytes = bytes,
                     set = more }
end

local function number (name)
  return gs.remote { what = "number", system = H, name = name }
end

-- Calls f for each power of two of Fig 7's sizes.
local function each_size (f)
  local s = K "MPI-ACC small"
  while s <= K "MPI-ACC large" do
    f(s)
    s = 2 * s
  end
end

-- The most by which MPI-ACC takes less, %.
local function improvement (way)
  local most = 0
  each_size(function (s)
    most = math.max(most, 100 * (1 - latency("mpi-acc", s) / latency(way, s)))
  end)
  return most
end

-- KiB, the smallest power of two that holds.
local function smallest (holds)
  local s = KiB
  while s < 64 * MiB and not holds(s) do s = 2 * s end
  return s / KiB
end

-- Seconds of a packet on the network, and of asking for the end of its copy.
local function wire (s) return s / number "path.rate" end
local function query () return number "stage.query" end

-- % that making buffers in each call costs.
local function caching (s)
  local make = number "stage.buffers"
  return 100 * make / (make + latency("mpi-acc", s))
end

-- ---- epidemics ---------------------------------------------------------------------

-- A step's GPU part on n GPUs, as one GPU takes for its share of the people.
local function epidemics (n, unpack)
  return gs.predict { workload = "epidemics", system = H, gpus = 1, preset = "mpiacc16",
    paradigm = "infinite", set = {
      people = math.floor(printed "M-029" * 1e6 / n), unpack = unpack,
    } }[1].time_s
end

local function basic (n) return epidemics(n) end
local function hidden (n) return epidemics(n, 0) end

-- One and two GPUs a node, of 8 to 128 nodes.
local function configurations (f)
  local most, sum, all = 0, 0, 0
  for _, nodes in ipairs { 8, 16, 32, 64, 128 } do
    for a = 1, 2 do
      local v = f(nodes * a)
      most, sum, all = math.max(most, v), sum + v, all + 1
    end
  end
  return most, sum / all
end

local function gain (n) return 100 * (1 - hidden(n) / basic(n)) end

-- Unpacking and messages that take as long: one hides the other but on stream 0.
local function stream_0 (n)
  local rest = hidden(n)
  local unpack = basic(n) - rest
  return 100 * (gs.equation.on_stream_0(unpack, unpack) -
                gs.equation.on_streams(unpack, unpack)) / rest
end

-- ---- seismology --------------------------------------------------------------------

-- Parts of a GPU's step on n nodes; the smaller data set has a quarter of the
-- points to marshal, and half of what is sent.
local function seismology (n, larger)
  local edge = K "seismology n" / (larger and 1 or 4 ^ (1 / 3))
  local points = edge ^ 3 / n
  local waves = gs.predict { workload = "seismology", system = H, gpus = 1,
    paradigm = "infinite", set = { n = math.floor(points ^ (1 / 3)) } }[1].time_s
  local bulk = K "seismology marshaled" * points
  local sent = 2 * 4 * 9 * points ^ (2 / 3)
  local copies = bulk / number "stage.down" + bulk / number "stage.up"
  local host = gs.remote { what = "latency", system = H, name = "gpudirect",
    from = "host", to = "host", bytes = sent }
  local on_gpu = 2 * bulk / number "device.membw"
  return { waves = waves,
           basic = waves + copies + bulk / K "cpu marshals" + host,
           acc = waves + on_gpu + latency("mpi-acc", sent) }
end

local function marshaling (n, larger)
  local s = seismology(n, larger)
  return 100 * (s.basic / s.acc - 1)
end

local nodes = { 2, 4, 8, 16, 32, 64, 128 }

-- ---- copies in one queue -----------------------------------------------------------

local MB = 1e6

-- s, a copy of so many B down, alone.
local function down (s) return number "stage.copy" + s / number "stage.down" end

-- % by which a copy of `s` B lasts longer beside messages of `message` B, so many of
-- whose packets stand before it.  SHOC's contention-mt plays ping-pong, a send, then a
-- receive, so a GPU's copies to the host run half of the time.
local function queued (s, message, packets)
  local packet = down(number "stage.chunk")
  local whole = message / number "stage.chunk" * packet
  local busy = math.min(1, whole / latency("mpi-acc", message)) / 2
  return 100 * (gs.equation.queued(down(s), packet, packets, busy) - 1)
end

return {
  ["M-002"] = function () return improvement("mpi-manual") end,
  ["M-003"] = function () return (configurations(gain)) end,
  ["M-004"] = function ()
    local most = 0
    for _, n in ipairs(nodes) do
      most = math.max(most, marshaling(n, true), marshaling(n, false))
    end
    return most
  end,
  ["M-009"] = function () -- where a copy is as fast as a message
    return smallest(function (s)
      return number "stage.copy" + s / number "stage.down" <=
        number "path.latency" + wire(s)
    end)
  end,
  ["M-012"] = function () -- MB
    return smallest(function (s)
      return query() <= K "synchronisation negligible" * (query() + wire(s))
    end) / KiB
  end,
  ["M-013"] = function ()
    return smallest(function (s)
      return wire(s) >= K "packet at the peak" * (query() + wire(s))
    end)
  end,
  ["M-025"] = function () return improvement("mpi-manual") end,
  ["M-026"] = function () return improvement("mpi-manual-chunked") end,
  ["M-027"] = function () return caching(K "MPI-ACC large") end,
  ["M-028"] = function () return caching(128 * KiB) end,
  ["M-033"] = function ()
    local _, mean = configurations(gain)
    return mean
  end,
  ["M-034"] = function ()
    local most = configurations(gain)
    return most
  end,
  ["M-035"] = function () -- times, of a MiB from each
    local _, mean = configurations(function (n)
      return (hidden(n) + latency("mpi-acc", MiB)) /
        (hidden(n) + latency("mpi-manual-chunked", MiB))
    end)
    return mean
  end,
  ["M-038"] = function () return 2, "contexts of a node, each allocates" end,
  ["M-043"] = function () -- of the larger data set, as Fig 10
    local least = 100
    for _, n in ipairs(nodes) do
      local s = seismology(n, true)
      least = math.min(least, 100 * s.waves / s.basic)
    end
    return least
  end,
  ["M-044"] = function ()
    local held, all = 0, 0
    for _, larger in ipairs { true, false } do
      for i = 2, #nodes do
        all = all + 1
        if marshaling(nodes[i], larger) < marshaling(nodes[i - 1], larger) then
          held = held + 1
        end
      end
    end
    return held / all
  end,
  ["M-047"] = function ()
    local _, mean = configurations(stream_0)
    return mean
  end,
  ["M-048"] = function () return (configurations(stream_0)) end,
  ["M-050"] = function () -- what kernels lose to a byte of a copy
    local s = K "MPI-ACC large"
    return 100 * s / latency("mpi-acc", s) * number "copy.interference"
  end,
  ["M-052"] = function ()
    -- Both directions together are so much faster than one.
    local each = gs.equation.opposite(printed "M-054" / 100)
    local slow = { ["remote.stage.down"] =
      string.format("%.6g B/s", number "stage.down" * each) }
    local sum, all = 0, 0
    each_size(function (s)
      sum = sum + 100 * (latency("mpi-acc", s, slow) / latency("mpi-acc", s) - 1)
      all = all + 1
    end)
    return sum / all
  end,
  ["M-053"] = function ()
    -- The other direction is taken for as long as a packet's copy.
    local packet = number "stage.chunk"
    local taken = packet / number "stage.down" / (query() + wire(packet))
    return 100 * taken * (1 / gs.equation.opposite(printed "M-054" / 100) - 1)
  end,
  ["M-056"] = function () -- the smallest message, behind one copy of the other task
    local small, copy = K "MPI-ACC small", down(printed "M-055" * MB)
    return 100 * (gs.equation.queued(latency("mpi-acc", small), copy, 1, 1) - 1)
  end,
  ["M-058"] = function () -- copies as large as a packet: less for larger ones
    return queued(number "stage.chunk", printed "M-057" * MB, 1)
  end,
  ["M-059"] = function ()
    return queued(number "stage.chunk", printed "M-057" * MB,
                  printed "M-057" * MB / number "stage.chunk")
  end,
  ["M-060"] = function ()
    return 1 * queued(number "stage.chunk", printed "M-057" * MB,
                      printed "M-057" * MB / number "stage.chunk")
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
