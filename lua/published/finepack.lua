-- finepack.lua - printed numbers of FinePack (dissertation chapter V): beside the
-- id of each row the expression that gives ours.

local gs = require "gpuscale"
local printed, equation = gs.printed, gs.equation

local function bits (subheader)
  return math.log(equation.finepack_range(subheader), 2)
end

-- ---- packets -----------------------------------------------------------------------

-- What is larger than a line is a copy, in the largest packets (section 5.1).
local function pcie (size)
  return gs.goodput { link = "pcie4", size = size, payload = 4096,
                      access = size > 128 and "copy" or "store" }
end

-- Byte enables for the entire payload ("Applicability Beyond PCIe"), unless a
-- store has all of a line.
local function nvlink (size)
  return gs.goodput { link = "nvlink2", size = size, partial = size < 128,
                      access = size > 128 and "copy" or "store" }
end

-- ---- the mean program: four V100 on PCIe 4 ---------------------------------------

local store = gs.fit(40, "FinePack suite: bytes of a mean store", "F-086")
local set = {
  skew = gs.fit(1.111, "FinePack suite: compute of the busiest GPU / mean",
                "F-070"),
  store = store,
  rewrites = gs.fit(3.3, "FinePack suite: stores of a byte", "F-001", "F-006",
                    "F-087"),
  bytes = gs.fit("765 MB", "FinePack suite: bytes in 100 ms", "F-088"),
  block = gs.fit("57 MB", "FinePack suite: bytes of a GPU that are ready " ..
                 "together", "F-003", "F-008"),
  read = gs.fit(0.55, "FinePack suite: share of the pages that a GPU reads",
                "F-081"),
  reuse = "128 B", -- rewrites find their line: nothing printed says so
  hosts = 0, -- all GPUs copy at once
}

-- Rates as printed, one way.
local rates = { pcie4 = "32 GB/s", pcie5 = "64 GB/s", pcie6 = "128 GB/s" }

local function predict (paradigm, link, more)
  local all = { ["link.rate"] = rates[link or "pcie4"] }
  for k, v in pairs(set) do all[k] = v end
  for k, v in pairs(more or {}) do all[k] = v end
  return gs.predict { workload = "suite", system = "v100-sim4", gpus = 4,
    paradigm = paradigm, proposed = true, set = all }[1]
end

local function speed (paradigm, over, link)
  return predict(paradigm, link).speedup / predict(over, link).speedup
end

local function wire (paradigm, more) return predict(paradigm, nil, more).wire_B end

local same_window = gs.fit(0.983, "FinePack suite: chance that a store falls " ..
                           "into the open window", "F-073", "F-085")

-- Stores that scatter over 16 MB, each sent once.
local scattered = { spread = "16 MB", rewrites = 1 }

local function by_subheader (h)
  return predict("finepack", nil, { spread = "16 MB", rewrites = 1,
                                    ["finepack.subheader"] = h .. " B" }).wire_B
end

local function best_subheader ()
  local best = 2
  for h = 3, 6 do
    if by_subheader(h) < by_subheader(best) then best = h end
  end
  return best
end

local function largest_subheader ()
  for h = 6, 2, -1 do
    if by_subheader(h) <= 1.05 * by_subheader(best_subheader()) then return h end
  end
end

local function least_lead ()
  local least = 99
  for _, link in ipairs { "pcie4", "pcie5", "pcie6" } do
    least = math.min(least, speed("finepack", "memcpy", link),
                     speed("finepack", "inline", link))
  end
  return least
end

-- ---- replayed traces -------------------------------------------------------------

local traces = { "jacobi", "pagerank", "sssp", "als", "ct" }

local function small_stores ()
  local small = 0
  for _, t in ipairs(traces) do
    local r = gs.replay { trace = t, queue = "sm" }
    if r.store_B / r.stores < 32 then small = small + 1 end
  end
  return 100 * small / #traces
end

return {
  -- Table 5.2
  ["F-035"] = function () return bits(2) end,
  ["F-036"] = function () return equation.finepack_range(2) end,
  ["F-038"] = function () return bits(3) end,
  ["F-039"] = function () return equation.finepack_range(3) end,
  ["F-041"] = function () return bits(4) end,
  ["F-042"] = function () return equation.finepack_range(4) end,
  ["F-044"] = function () return bits(5) end,
  ["F-045"] = function () return equation.finepack_range(5) end,
  ["F-047"] = function () return bits(6) end,
  ["F-048"] = function () return equation.finepack_range(6) end,
  ["F-078"] = function () return bits(4) end,
  ["F-079"] = function () return equation.finepack_range(6) / 2 ^ 30 end,
  ["F-052"] = function () return equation.finepack_queue_bytes(4, 64) / 1024 end,

  -- packets
  ["F-005"] = function () return (pcie(32) / pcie(4096) + nvlink(32) / nvlink(4096)) / 2 end,
  ["F-072"] = function () return 100 * (1 - pcie(2 ^ 20)) end,
  ["F-074"] = function () return printed("F-050") * 1024 // (printed("F-066") + 128) / printed("F-073") end,
  ["F-086"] = function () return 100 * (1 - wire("finepack", scattered) / wire("finepack-config", scattered)) end,

  -- sub-headers
  ["F-032"] = function () return best_subheader() end,
  ["F-033"] = function () return largest_subheader() end,
  ["F-075"] = function () return best_subheader() end,
  ["F-076"] = function () return 100 * (by_subheader(5) / by_subheader(4) - 1) end,
  ["F-077"] = function () return largest_subheader() end,

  -- the mean
  ["F-001"] = function () return wire("inline") / wire("finepack") end,
  ["F-006"] = function () return wire("inline") / wire("finepack") end,
  ["F-087"] = function () return wire("inline") / wire("finepack") end,
  ["F-002"] = function () return speed("finepack", "memcpy") end,
  ["F-088"] = function () return speed("finepack", "inline") end,
  ["F-003"] = function () return 100 * predict("finepack").opportunity end,
  ["F-008"] = function () return 100 * predict("finepack").opportunity end,
  ["F-070"] = function () return predict("infinite").speedup end,
  ["F-071"] = function () return wire("inline") / wire("memcpy") end,
  ["F-080"] = function () return least_lead() end,
  ["F-081"] = function () return 100 * (1 - speed("finepack", "gps")) end,

  ["F-004"] = function () return small_stores() end,
  ["F-073"] = function () return equation.finepack_stores(same_window, 64) end,
  ["F-085"] = function () return equation.finepack_stores(same_window, 64) end,

  -- figures
  ["5.1"] = {
    title = "goodput of one transfer", log = "x", x = "transfer [B]", y = "useful share of the bytes on the wire [%]",
    rows = function ()
      local list = {}
      for i = 0, 12 do
        local size = 2 ^ i
        list[#list + 1] = { "PCIe", size, 100 * pcie(size) }
        list[#list + 1] = { "NVLink", size, 100 * nvlink(size) }
      end
      return list
    end,
  },
  ["5.4"] = {
    title = "mean store as it leaves an SM, replayed traces", x = "program", y = "mean store [B]", categories = traces,
    rows = function ()
      local list = {}
      for i, t in ipairs(traces) do
        local r = gs.replay { trace = t, queue = "sm" }
        list[#list + 1] = { "stores and atomics", i, r.store_B / r.stores }
      end
      return list
    end,
  },
  ["5.7"] = {
    title = "mean program on four GPUs, PCIe 4", x = "paradigm", y = "speedup over one GPU",
    categories = { "memcpy", "P2P stores", "FinePack", "GPS", "GPS + FinePack", "infinite" },
    rows = function ()
      local list = {}
      for i, p in ipairs { "memcpy", "inline", "finepack", "gps", "gps-finepack", "infinite" } do
        list[#list + 1] = { "ours", i, predict(p).speedup }
      end
      local limit = printed("F-070")
      local finepack = limit * printed("F-003") / 100
      list[#list + 1] = { "ours", 6, limit, "printed" }
      list[#list + 1] = { "ours", 3, finepack, "printed" }
      list[#list + 1] = { "ours", 1, finepack / printed("F-002"), "printed" }
      list[#list + 1] = { "ours", 2, finepack / printed("F-088"), "printed" }
      return list
    end,
  },
  ["5.8"] = {
    title = "bytes of the mean program", x = "paradigm", y = "over the useful bytes",
    categories = { "memcpy", "P2P stores", "FinePack" },
    rows = function ()
      local list = {}
      for i, p in ipairs { "memcpy", "inline", "finepack" } do
        local r = predict(p)
        list[#list + 1] = { "useful", i, r.useful_B / r.useful_B }
        list[#list + 1] = { "protocol", i, r.protocol_B / r.useful_B }
        list[#list + 1] = { "redundant or unused", i, (r.redundant_B + r.unused_B) / r.useful_B }
      end
      return list
    end,
  },
  ["5.9"] = {
    title = "stores in a packet, replayed traces", log = "y", x = "program", y = "stores",
    categories = { "jacobi", "pagerank", "sssp", "als", "ct", "mean program" },
    rows = function ()
      local list = { { "finepack", 6, equation.finepack_stores(same_window, 64) }, { "finepack", 6, printed("F-073"), "printed" } }
      for i, t in ipairs(traces) do
        local r = gs.replay { trace = t, queue = "finepack", subheader = 5 }
        list[#list + 1] = { "finepack", i, math.max(1, (r.queued + r.atomics) / r.packets) }
      end
      return list
    end,
  },
  ["5.10"] = {
    title = "stores of 40 B over 16 MB", x = "sub-header [B]", y = "bytes on the wire, over those of 4 B",
    rows = function ()
      local list = { { "finepack", printed("F-075"), 1, "printed" } }
      for h = 2, 6 do list[#list + 1] = { "finepack", h, by_subheader(h) / by_subheader(4) } end
      return list
    end,
  },
  ["5.11"] = {
    title = "mean program on four GPUs", log = "x", x = "rate of a GPU's link, one way [GB/s]", y = "speedup over one GPU",
    rows = function ()
      local list = {}
      for i, link in ipairs { "pcie4", "pcie5", "pcie6" } do
        for _, p in ipairs { "memcpy", "inline", "finepack", "gps-finepack", "infinite" } do
          list[#list + 1] = { p, 16 * 2 ^ i, predict(p, link).speedup }
        end
      end
      return list
    end,
  },
}
