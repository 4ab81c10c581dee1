-- ct.lua - printed numbers of X-ray CT (dissertation chapter III): beside the id
-- of each row the expression that gives ours.

local gs = require "gpuscale"
local K = gs.constant

-- ---- the projection: one bus of 16 or 64 GB/s, Figs 3.1 and 3.6 ------------------

-- The text can also be read as one exchange of the image in an iteration; and a
-- phase can hide only its own exchange: lua/workloads/ct.lua.
local function project (paradigm, gpus, rate)
  return gs.predict { workload = "ct", system = "ct-bus", gpus = gpus,
    paradigm = paradigm, set = { ["link.rate"] = rate } }
end

local pcie3, pcie5 = "16 GB/s", "64 GB/s"

local function speedup (paradigm, gpus, rate)
  return project(paradigm, gpus, rate)[1].speedup
end

-- Where the copies take as long as the compute, between two N by their powers.
local function crossing (rate)
  local before
  for _, r in ipairs(project("memcpy", "2-40", rate)) do
    local ratio = r.transfer_s / r.compute_s
    if ratio >= 1 then
      local slope = math.log(ratio / before) / math.log(r.gpus / (r.gpus - 1))
      return (r.gpus - 1) * before ^ (-1 / slope)
    end
    before = ratio
  end
end

local function saturation (rate)
  local rows, most = project("memcpy", "1-40", rate), 0
  for _, r in ipairs(rows) do most = math.max(most, r.speedup) end
  for _, r in ipairs(rows) do
    if r.speedup >= K "saturated" * most then return r.gpus end
  end
end

local function peak (rate)
  local best, at = 0, nil
  for _, r in ipairs(project("memcpy", "1-40", rate)) do
    if r.speedup > best then best, at = r.speedup, r.gpus end
  end
  return at
end

-- Last number of GPUs at which 95 % of the compute's speedup is left.
local function near_ideal (rate)
  local last
  for _, r in ipairs(project("proact-hw", "1-40", rate)) do
    if r.opportunity < K "near ideal" then return last end
    last = r.gpus
  end
end

-- ---- the measured runs: four K40m, Fig 3.5 ---------------------------------------

local function measured (paradigm, gpus, more)
  local set = {}
  if paradigm == "proact-cdp" then -- Table 2.2
    set["proact-cdp.chunk"], set["proact-cdp.width"] = "16 KiB", 256
  end
  for k, v in pairs(more or {}) do set[k] = v end
  return gs.predict { workload = "ct", system = "k40x4", gpus = gpus or 4,
    preset = "ct", paradigm = paradigm, set = set }[1]
end

local function hidden ()
  local cdp, copy = measured("proact-cdp"), measured("memcpy")
  return 100 * (1 - (cdp.time_s - cdp.compute_s - cdp.host_s -
                     cdp.tracking_s) / copy.transfer_s)
end

-- The same bus with the packets of a link.
local function packets (paradigm, gpus, link)
  return gs.predict { workload = "ct", system = "ct-bus", link = link,
    gpus = gpus, paradigm = paradigm }[1].speedup
end

return {
  ["C-001"] = function () return saturation(pcie3) end,
  ["C-002"] = function () return peak(pcie3) end,
  ["C-008"] = function () return 20 * measured("proact-cdp").time_s / 60 end,
  ["C-009"] = function () return crossing(pcie3) end,
  ["C-012"] = function () return measured("proact-poll").time_s / measured("proact-cdp").time_s end,
  ["C-024"] = function () return 100 * measured("proact-cdp").opportunity end,
  ["C-025"] = function () return measured("proact-cdp").speedup / measured("memcpy").speedup end,
  ["C-026"] = function () return measured("proact-cdp").speedup end,
  ["C-027"] = function () return measured("infinite", 2).speedup - measured("memcpy", 2).speedup end,
  ["C-030"] = function () return speedup("memcpy", 10, pcie3) end,
  ["C-031"] = function () return saturation(pcie3) end,
  ["C-032"] = function () return peak(pcie3) end,
  ["C-033"] = function () return near_ideal(pcie3) end,
  ["C-034"] = function () return near_ideal(pcie5) end,
  ["C-035"] = function () return speedup("memcpy", 20, pcie5) end,
  ["C-036"] = function () return saturation(pcie5) end,
  ["C-037"] = function () return hidden() end,
  ["C-038"] = function () return measured("infinite").speedup / measured("memcpy").speedup end,

  -- figures
  ["3.1"] = {
    title = "CT by bulk copies, PCIe 3", log = "xy",
    x = "GPUs", y = "speedup over one GPU",
    rows = function ()
      local list = {}
      for n = 1, 32 do
        list[#list + 1] = { "ideal", n, n }
        list[#list + 1] = { "memcpy", n, speedup("memcpy", n, pcie3) }
      end
      return list
    end,
  },
  ["3.5"] = {
    title = "CT on K40m GPUs", x = "GPUs", y = "speedup over one GPU",
    categories = { "2 GPUs", "4 GPUs" },
    rows = function ()
      local list = {}
      for _, p in ipairs { "memcpy", "proact-cdp", "infinite" } do
        for i = 1, 2 do list[#list + 1] = { p, i, measured(p, 2 * i).speedup } end
      end
      local proact = gs.printed("C-026")
      local memcpy = proact / gs.printed("C-025")
      list[#list + 1] = { "proact-cdp", 2, proact, "printed" }
      list[#list + 1] = { "memcpy", 2, memcpy, "printed" }
      list[#list + 1] = { "infinite", 2, memcpy * gs.printed("C-038"), "printed" }
      return list
    end,
  },
  ["3.6"] = {
    title = "CT on one bus, and with real packets", log = "xy",
    x = "GPUs", y = "speedup over one GPU",
    rows = function ()
      local list = {
        { "memcpy, 16 GB/s", 10, gs.printed("C-030"), "printed" },
        { "memcpy, 64 GB/s", 20, gs.printed("C-035"), "printed" },
        { "PROACT, 16 GB/s", 12, 12, "printed" },
        { "PROACT, 64 GB/s", 24, 24, "printed" },
      }
      for _, n in ipairs { 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32 } do
        list[#list + 1] = { "memcpy, 16 GB/s", n, speedup("memcpy", n, pcie3) }
        list[#list + 1] = { "PROACT, 16 GB/s", n, speedup("proact-hw", n, pcie3) }
        list[#list + 1] = { "memcpy, 64 GB/s", n, speedup("memcpy", n, pcie5) }
        list[#list + 1] = { "PROACT, 64 GB/s", n, speedup("proact-hw", n, pcie5) }
        list[#list + 1] = { "memcpy, PCIe 3 packets", n, packets("memcpy", n, "pcie3") }
        list[#list + 1] = { "PROACT, PCIe 3 packets", n, packets("proact-hw", n, "pcie3") }
        list[#list + 1] = { "memcpy, PCIe 5 packets", n, packets("memcpy", n, "pcie5") }
        list[#list + 1] = { "PROACT, PCIe 5 packets", n, packets("proact-hw", n, "pcie5") }
      end
      return list
    end,
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
