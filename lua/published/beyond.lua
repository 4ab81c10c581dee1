-- beyond.lua - figures that no document has: the ways of moving data that they
-- propose, side by side on the same programs, and on other links and machines.
-- Nothing here is fitted.

local gs = require "gpuscale"

local programs = { "jacobi", "pagerank", "sssp", "als", "ct", "eqwp",
                   "diffusion", "hit" }

local function one (workload, system, gpus, paradigm, link, set)
  return gs.predict { workload = workload, system = system, gpus = gpus,
    paradigm = paradigm, link = link, proposed = true, set = set }[1]
end

-- A series for each paradigm, a value for each program.
local function by_program (paradigms, f)
  local list = {}
  for _, p in ipairs(paradigms) do
    for i, w in ipairs(programs) do list[#list + 1] = { p, i, f(w, p) } end
  end
  return list
end

local existing = { "um", "um-hints", "rdl", "memcpy", "memcpy-async", "inline",
                   "proact-poll", "proact-cdp", "broadcast" }

-- The fastest that exists, on the same machine.
local function best_existing (workload, system, gpus)
  local best = 0
  for _, p in ipairs(existing) do
    best = math.max(best, one(workload, system, gpus, p).speedup)
  end
  return best
end

local links = { "pcie3", "pcie4", "pcie5", "pcie6", "pcie7", "nvlink1",
                "nvlink2", "nvlink3", "nvlink4", "nvlink5" }
local most = { "memcpy", "rdl", "inline", "proact-poll", "gps", "finepack",
               "infinite" }

-- Geometric mean of the speedups of all programs.  A swapped link keeps atomics, by
-- which PageRank and SSSP publish.
local function mean_speedup (gpus, paradigm, link)
  local log = 0
  for _, w in ipairs(programs) do
    log = log + math.log(one(w, "dgx2", gpus, paradigm, link).speedup)
  end
  return math.exp(log / #programs)
end

local figures = {
  ["beyond.1"] = {
    title = "every way on the same programs, four V100 on PCIe 4",
    x = "program", y = "speedup over one GPU", categories = programs,
    rows = function ()
      local paradigms = { "um", "rdl", "memcpy", "inline", "proact-poll", "gps",
                          "finepack", "infinite" }
      return by_program(paradigms, function (w, p)
        return one(w, "v100-sim4", 4, p, nil, { ["link.rate"] = "32 GB/s" }).speedup
      end)
    end,
  },
  ["beyond.2"] = {
    title = "GPS, FinePack, and both: bytes on the wire", log = "y",
    x = "program", y = "over the useful bytes", categories = programs,
    rows = function ()
      return by_program({ "inline", "gps", "finepack", "gps-finepack" },
        function (w, p)
          local r = one(w, "v100-sim4", 4, p)
          return r.wire_B / r.useful_B
        end)
    end,
  },
  ["beyond.3"] = {
    title = "matrix factorization on eight V100 and any link", x = "link",
    y = "speedup over one GPU", categories = links,
    rows = function ()
      local list = {}
      for _, p in ipairs(most) do
        for i, l in ipairs(links) do
          list[#list + 1] = { p, i, one("als", "dgx2", 8, p, l).speedup }
        end
      end
      return list
    end,
  },
  ["beyond.4"] = {
    title = "matrix factorization on V100, PCIe 5, beyond 16 extrapolated",
    log = "xy", x = "GPUs", y = "speedup over one GPU",
    rows = function ()
      local list = {}
      for _, p in ipairs(most) do
        for _, n in ipairs { 1, 2, 4, 8, 16, 32, 64 } do
          list[#list + 1] = { p, n, one("als", "dgx2", n, p, "pcie5").speedup }
        end
      end
      return list
    end,
  },
  ["beyond.5"] = {
    title = "what eight H200 would gain from proposed hardware", x = "program",
    y = "speed over the best that exists", categories = programs,
    rows = function ()
      local best = {}
      for _, w in ipairs(programs) do best[w] = best_existing(w, "h200x8", 8) end
      return by_program({ "proact-hw", "gps", "finepack", "gps-finepack",
                          "infinite" }, function (w, p)
        return one(w, "h200x8", 8, p).speedup / best[w]
      end)
    end,
  },
}

-- A figure for each way of moving data: any link, 2 to 64 GPUs.
for _, p in ipairs { "memcpy", "memcpy-async", "rdl", "inline", "proact-poll",
                     "proact-hw", "gps", "finepack", "gps-finepack" } do
  figures["beyond.6." .. p] = {
    title = "eight programs by " .. p .. " on V100 and any link, beyond 16 " ..
            "extrapolated",
    log = "xy", x = "GPUs", y = "mean speedup over one GPU",
    rows = function ()
      local list = {}
      for _, l in ipairs(links) do
        for _, n in ipairs { 2, 4, 8, 16, 32, 64 } do
          list[#list + 1] = { l, n, mean_speedup(n, p, l) }
        end
      end
      return list
    end,
  }
end

return figures
-- SPDX-License-Identifier: GPL-3.0-or-later
