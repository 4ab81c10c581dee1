-- gps.lua - printed numbers of GPS (dissertation chapter IV, MICRO 2021): beside
-- the id of each row the expression that gives ours.

local gs = require "gpuscale"
local printed, equation = gs.printed, gs.equation
local K = gs.constant

-- ---- the programs --------------------------------------------------------------

local programs = { "jacobi", "pagerank", "sssp", "als", "ct", "eqwp",
                   "diffusion", "hit" }

-- Rates as printed, one way.
local rates = { pcie3 = "16 GB/s", pcie4 = "32 GB/s", pcie5 = "64 GB/s",
                pcie6 = "128 GB/s" }

-- Five programs are PROACT's and FinePack's (MICRO, section 6; dissertation 5.5.3),
-- with their host and their publishing: a reading, declared in
-- data/published/readings.csv.  Against it: "Pagerank, ALS, and SSSP [...] predominantly
-- issue atomic operations" (MICRO, 7.4).  Three are Tartan's.
--
-- Copies bring every update to all GPUs: "duplicates data structures among all GPUs and
-- broadcasts updates via cudaMemcpy()"; of um-hints, "before each kernel launch, we enable
-- GPUs to prefetch remote regions they may access through prefetch hints" (MICRO,
-- section 6), a preset.
-- SSSP's publishing to all is a preset; what is made for neighbours is what stores to all
-- would move, once, which depends on N.
local halos = { jacobi = { "sweep" }, eqwp = { "velocity", "stress" }, diffusion = { "step" } }

local function run (program, paradigm, preset, gpus, set)
  return gs.predict { workload = program, system = "v100-sim4", preset = preset,
    gpus = gpus, paradigm = paradigm, proposed = true, set = set }[1]
end

local function one (program, paradigm, link, gpus, more)
  local set = { ["link.rate"] = rates[link or "pcie3"] }
  local some, n = paradigm == "memcpy" and halos[program] or {}, gpus or 4
  for _, phase in ipairs(some) do
    set[phase .. ".publish.to"] = "all"
    if n > 1 then
      local r = run(program, "broadcast", "gps21", n, { ["link.rate"] = rates.pcie3 })
      set[phase .. ".publish.bytes"] = string.format("%.17g B",
        (r.wire_B - r.protocol_B) / (n - 1) / #some)
    end
  end
  for k, v in pairs(more or {}) do set[k] = v end
  return run(program, paradigm, paradigm == "um-hints" and "gps21-hints" or
    paradigm == "memcpy" and program == "sssp" and "gps21-copies" or "gps21", n, set)
end

local function geomean (f)
  local product = 1
  for _, p in ipairs(programs) do product = product * f(p) end
  return product ^ (1 / #programs)
end

local function mean (paradigm, link, gpus, more)
  return geomean(function (p)
    return one(p, paradigm, link, gpus, more).speedup
  end)
end

-- By how many percent pages of 2 MiB are slower than those of 64 KiB.
local function larger_pages ()
  return 100 * (1 - mean("gps", nil, nil, { ["gps.page"] = "2 MiB" }) /
                    mean("gps"))
end

local links = { "pcie3", "pcie4", "pcie5", "pcie6" }
local others = { "memcpy", "rdl", "um", "um-hints", "broadcast" }

-- "Coalescing is not supported" of atomics (MICRO, 7.4) says nothing of those that one
-- instruction of a warp makes: a packet a word, a sector (what is scored, as Hopper does)
-- or a line.  All three are shown.
local function thrice (f)
  local word = f { ["atomic.merge"] = "4 B" }
  local line = f { ["atomic.merge"] = "128 B" }
  local sector = f()
  return sector, string.format(
    "a warp's atomics by word %.3g, by sector %.3g, by line %.3g", word, sector, line)
end

-- GPS over the next best, on the link where that is least or most.
local function lead (choose)
  local ratio = {}
  for i, link in ipairs(links) do
    local next = 0
    for _, p in ipairs(others) do
      next = math.max(next, mean(p, link))
    end
    ratio[i] = mean("gps", link) / next
  end
  return choose(table.unpack(ratio))
end

-- GPS over the next best on one link: that of the chart (Fig 8, Fig 4.10).
local function lead_on (link)
  local next = 0
  for _, p in ipairs(others) do next = math.max(next, mean(p, link)) end
  return thrice(function (more) return mean("gps", link, nil, more) / next end)
end

local function gains (link, gpus)
  return thrice(function (more) return mean("gps", link, gpus, more) end)
end

local function share (link, gpus)
  local possible = mean("infinite", link, gpus)
  return thrice(function (more)
    return 100 * mean("gps", link, gpus, more) / possible
  end)
end

-- Data, headers left out.
local function moved (program, paradigm)
  local r = one(program, paradigm)
  return r.wire_B - r.protocol_B
end

-- Data by one paradigm over those by another: of the programs for which the
-- paper says nothing else, the least or the most.
local function traffic (paradigm, over, choose, but)
  local ratio = {}
  for _, p in ipairs(programs) do
    if not but[p] then
      ratio[#ratio + 1] = moved(p, paradigm) / moved(p, over)
    end
  end
  return choose(table.unpack(ratio))
end

local function time (program, paradigm, link)
  return one(program, paradigm, link).time_s
end

-- ---- replayed traces -------------------------------------------------------------

local traces = { "pagerank", "sssp", "ct", "jacobi", "als" }

-- Kernels of one iteration, during which GPS sees who touches which page.
local profiling = { jacobi = 2, pagerank = 2, sssp = 1, als = 2,
                    ["als-atomic"] = 2, ct = 4 }

local function replay (trace, set)
  local question = { trace = trace, queue = "gps", profile = profiling[trace] }
  for k, v in pairs(set or {}) do question[k] = v end
  return gs.replay(question)
end

local function hits (trace, entries)
  local r = replay(trace, { capacity = entries, profile = entries and 0 })
  return r.queued > 0 and 100 * r.hits / r.queued or 0
end

local function subscribers (trace)
  local pages, sum = replay(trace).pages, 0
  local shared = 0
  for n = 2, #pages do shared, sum = shared + pages[n], sum + n * pages[n] end
  return sum / shared
end

local function tlb_hits_of (trace, entries)
  local r = replay(trace, { tlb = entries, ways = math.min(8, entries),
                            profile = 0 })
  return r.tlb_lookups > 0 and r.tlb_hits / r.tlb_lookups or 1
end

local function tlb_hits (entries)
  local least = 1
  for _, t in ipairs(traces) do
    least = math.min(least, tlb_hits_of(t, entries))
  end
  return 100 * least
end

local function tlb_needed ()
  local i = 0
  for _, t in ipairs(traces) do -- more entries never miss more
    while i < 10 and 100 * tlb_hits_of(t, 1 << i) < K "full TLB" do i = i + 1 end
  end
  return 2 ^ i
end

-- Bytes sent for one stored, if all subscribe to everything, over those if they
-- do to the pages they touched while it profiles.
local function gain (trace)
  local all = replay(trace, { profile = 0 })
  local some = replay(trace)
  return all.useful_B / all.store_B / (some.useful_B / some.store_B)
end

-- ---- figures ---------------------------------------------------------------------

-- Eight programs, their geometric mean, and what is stated of a mean.
local function speedups (title, gpus, link, stated)
  local names = { table.unpack(programs) }
  names[#names + 1] = "mean"
  return {
    title = title, x = "program", y = "speedup over one GPU", categories = names,
    rows = function ()
      local list = {}
      for _, p in ipairs { "um", "um-hints", "rdl", "memcpy", "broadcast", "gps",
                           "infinite" } do
        local product = 1
        for i, w in ipairs(programs) do
          local s = one(w, p, link, gpus).speedup
          product = product * s
          list[#list + 1] = { p, i, s }
        end
        list[#list + 1] = { p, #names, product ^ (1 / #programs) }
      end
      for _, s in ipairs(stated) do
        list[#list + 1] = { s[1], #names, printed(s[2]), "printed" }
      end
      return list
    end,
  }
end

return {
  -- structure
  ["G-010"] = function () return equation.gps_entry_bits(1, 65536, 49, 47) end,
  ["G-011"] = function () return equation.gps_entry_bits(2, 65536, 49, 47) - equation.gps_entry_bits(1, 65536, 49, 47) end,
  ["G-012"] = function () return equation.gps_entry_bits(4, 65536, 49, 47) end,
  ["G-015"] = function () return equation.gps_queue_bytes(64, 135) / 1024 end,
  ["G-067"] = function () return equation.gps_queue_bytes(512, 135) / 1024 end,
  ["G-018"] = function () return equation.gps_bitmap_bytes(32 * 2 ^ 30, 65536) / 1024 end,

  -- hardware
  ["G-005"] = function () return printed("P-045") / printed("P-042") end,
  ["G-065"] = function () return printed("P-045") / printed("P-042") end,
  ["G-006"] = function () return printed("P-042") / printed("C-010") end,
  ["G-064"] = function () return 2 * printed("P-042") / printed("C-010") end,

  -- speedups
  ["G-060"] = function () return mean("infinite") end,
  ["G-061"] = function () return mean("memcpy", "pcie6") end,
  ["G-062"] = function () return 100 * (1 - mean("memcpy")) end,
  ["G-050"] = function () return mean("infinite") end,
  ["G-083"] = function () return mean("infinite") end,
  ["G-049"] = function () return gains("pcie4", 4) end,
  ["G-056"] = function () return gains("pcie4", 4) end,
  ["G-082"] = function () return gains("pcie4", 4) end,
  ["G-004"] = function () return share("pcie4", 4) end,
  ["G-063"] = function () return share("pcie4", 4) end,
  ["G-002"] = function () return lead(math.min) end,
  ["G-003"] = function () return lead(math.max) end,
  ["G-048"] = function () return lead_on("pcie4") end,
  ["G-057"] = function () return lead_on("pcie4") end,
  -- The bars of gps in the same chart are on PCIe 4.
  ["G-046"] = function () return mean("memcpy", "pcie4") end,
  ["G-081"] = function () return mean("memcpy", "pcie4") end,
  ["G-058"] = function () return gains("pcie6", 16) end,
  ["G-093"] = function () return gains("pcie6", 16) end,
  ["G-059"] = function () return share("pcie6", 16) end,
  ["G-094"] = function () return share("pcie6", 16) end,
  ["G-084"] = function () return 4 * (100 - printed("G-085")) / (100 - printed("G-086")) end,

  -- traffic
  ["G-045"] = function () return geomean(function (p) return moved(p, "broadcast") / moved(p, "memcpy") end) end,
  ["G-047"] = function () return geomean(function (p) return time(p, "um") / time(p, "rdl") end) end,
  ["G-089"] = function () return traffic("um", "memcpy", math.min, { jacobi = true, ct = true }) end,
  ["G-090"] = function () return traffic("um-hints", "um", math.max, { diffusion = true }) end,
  ["G-091"] = function () return traffic("rdl", "memcpy", math.max, { als = true }) end,
  ["G-092"] = function () return math.max(gain("als"), gain("ct")) end,

  -- replays
  ["G-087"] = function () local r = gs.replay { trace = "jacobi", queue = "plain" } return r.useful_B / r.store_B end,
  ["G-044"] = function () return 1 + 3 * equation.subscribed(1 / 4, K "hit page" / K "hit piece") end,
  ["G-088"] = function () return subscribers("als") end,
  ["G-053"] = function () return tlb_needed() end,
  ["G-103"] = function () return larger_pages() end,
  ["G-101"] = function () return tlb_needed() end,
  ["G-054"] = function () return tlb_hits(32) end,
  ["G-097"] = function () return hits("jacobi") end,
  ["G-098"] = function () return hits("pagerank") end,
  ["G-099"] = function () return hits("als-atomic") end,
  ["G-100"] = function () return hits("sssp") end,

  -- figures of MICRO
  ["gps.1"] = {
    title = "eight programs by bulk copies, four GPUs", x = "link", y = "speedup over one GPU",
    categories = { "PCIe 3", "PCIe 6", "no limit" },
    rows = function ()
      return {
        { "ours", 1, mean("memcpy", "pcie3") }, { "ours", 2, mean("memcpy", "pcie6") },
        { "ours", 3, mean("infinite") },
        { "ours", 1, 1 - printed("G-062") / 100, "printed" }, { "ours", 2, printed("G-061"), "printed" },
        { "ours", 3, printed("G-060"), "printed" },
      }
    end,
  },
  ["gps.8"] = speedups("speedup on four GPUs, PCIe 4", 4, "pcie4", { { "gps", "G-082" }, { "infinite", "G-083" }, { "memcpy", "G-081" } }),
  ["gps.9"] = {
    title = "subscribers of shared pages, replayed traces", x = "program", y = "share of the shared pages [%]",
    categories = { "sssp", "als", "ct" },
    rows = function ()
      local list = {}
      for i, t in ipairs { "sssp", "als", "ct" } do
        local pages, shared = replay(t).pages, 0
        for n = 2, 4 do shared = shared + pages[n] end
        for n = 2, 4 do
          list[#list + 1] = { string.format("%d GPUs", n), i, 100 * pages[n] / math.max(1, shared) }
        end
      end
      return list
    end,
  },
  ["gps.10"] = {
    title = "data moved, headers left out", log = "y", x = "program", y = "over that of memcpy", categories = programs,
    rows = function ()
      local list = {}
      for _, p in ipairs { "um", "um-hints", "rdl", "gps" } do
        for i, w in ipairs(programs) do
          list[#list + 1] = { p, i, moved(w, p) / moved(w, "memcpy") }
        end
      end
      return list
    end,
  },
  ["gps.11"] = {
    title = "bytes without over bytes with subscription, replayed traces", x = "program", y = "ratio",
    categories = { "sssp", "als", "ct" },
    rows = function ()
      return { { "gps", 1, gain("sssp") }, { "gps", 2, gain("als") }, { "gps", 3, gain("ct") },
               { "gps", 2, printed("G-092"), "printed" }, { "gps", 3, printed("G-092"), "printed" } }
    end,
  },
  ["gps.12"] = speedups("speedup on sixteen GPUs, PCIe 6", 16, "pcie6", { { "gps", "G-093" } }),
  ["gps.13"] = {
    title = "mean of eight programs on four GPUs", log = "x", x = "rate of a GPU's link, one way [GB/s]", y = "speedup over one GPU",
    rows = function ()
      local list = {}
      for i, link in ipairs(links) do
        for _, p in ipairs { "memcpy", "rdl", "broadcast", "gps", "infinite" } do
          list[#list + 1] = { p, 8 * 2 ^ i, mean(p, link) }
        end
      end
      return list
    end,
  },
  ["4.9"] = {
    title = "data moved by GPS, with and without subscription, headers left out", log = "y", x = "program", y = "over that of memcpy",
    categories = programs,
    rows = function ()
      local list = {}
      for _, p in ipairs { "broadcast", "gps" } do
        for i, w in ipairs(programs) do list[#list + 1] = { p, i, moved(w, p) / moved(w, "memcpy") } end
      end
      return list
    end,
  },
  ["4.13"] = {
    title = "hits of GPS's TLB, replayed traces", log = "x", x = "entries of the TLB", y = "lines whose page is there [%]",
    rows = function ()
      local list = { { "all", 32, printed("G-054"), "printed" } }
      for _, t in ipairs(traces) do
        for i = 0, 7 do
          list[#list + 1] = { t, 2 ^ i, 100 * tlb_hits_of(t, 1 << i) }
        end
      end
      return list
    end,
  },
  ["gps.11b"] = {
    title = "speed of GPS over that without subscription, four GPUs, PCIe 4", x = "program", y = "ratio", categories = programs,
    rows = function ()
      local list = {}
      for i, p in ipairs(programs) do list[#list + 1] = { "ours", i, time(p, "broadcast", "pcie4") / time(p, "gps", "pcie4") } end
      list[#list + 1] = { "ours", 4, printed("G-092"), "printed" }
      list[#list + 1] = { "ours", 5, printed("G-092"), "printed" }
      return list
    end,
  },
  ["4.12"] = {
    title = "speed of GPS by its write queue, four GPUs, PCIe 3", log = "x",
    x = "entries of the queue", y = "over that of 512 entries",
    rows = function ()
      local list = {}
      for _, p in ipairs(programs) do
        local most = one(p, "gps").speedup
        for i = 2, 10 do
          local n = string.format("%d", 1 << i)
          list[#list + 1] = { p, 1 << i,
            one(p, "gps", nil, nil, { ["gps.entries"] = n }).speedup / most }
        end
      end
      return list
    end,
  },
  ["gps.14"] = {
    title = "hits in the write queue, replayed traces", log = "x", x = "entries of the queue", y = "stores that hit [%]",
    rows = function ()
      local list = { { "jacobi", 512, printed("G-097"), "printed" }, { "pagerank", 512, printed("G-098"), "printed" },
                     { "sssp", 512, printed("G-100"), "printed" }, { "als-atomic", 512, printed("G-099"), "printed" } }
      for _, t in ipairs { "jacobi", "pagerank", "sssp", "als-atomic", "als", "ct" } do
        for i = 3, 10 do
          list[#list + 1] = { t, 2 ^ i, hits(t, 1 << i) }
        end
      end
      return list
    end,
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
