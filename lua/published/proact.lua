-- proact.lua - printed numbers of PROACT (dissertation chapters I and II, ISCA
-- 2021): beside the id of each row the expression that gives ours.

local gs = require "gpuscale"
local K = gs.constant

-- ---- helpers -----------------------------------------------------------------

local function with (set, more)
  local all = {}
  for k, v in pairs(set) do all[k] = v end
  for k, v in pairs(more) do all[k] = v end
  return all
end

local function one (workload, system, gpus, paradigm, set)
  return gs.predict { workload = workload, system = system, gpus = gpus,
                      paradigm = paradigm, set = set }[1]
end

local function geomean (list)
  local product = 1
  for _, v in ipairs(list) do product = product * v end
  return product ^ (1 / #list)
end

local programs = { "ct", "jacobi", "pagerank", "sssp", "als" }
local machines = { "k40x4", "p100x4", "v100x4" }

-- f(program, machine) of all 15, sorted.
local function of_all (f, list)
  local values = {}
  for _, m in ipairs(list or machines) do
    for _, p in ipairs(programs) do values[#values + 1] = f(p, m) end
  end
  table.sort(values)
  return values
end

-- ---- the microbenchmark --------------------------------------------------------

-- One GPU makes 256 MB for three others; its kernel is as long as the copy.
local function micro (machine, paradigm, more)
  local copy = one("proact-micro", machine, 4, "memcpy", { ratio = 1 })
  local t1 = string.format("%.17g s", copy.time_s - copy.compute_s - copy.host_s)
  return one("proact-micro", machine, 4, paradigm,
             with({ t1 = t1 }, more or {}))
end

-- Speed over memcpy by chunk, and the chunks: 4 KiB to 256 MiB.
local function sweep (machine, paradigm)
  local memcpy, gain, chunk = micro(machine, "memcpy").time_s, {}, {}
  for i = 12, 28 do
    chunk[#chunk + 1] = 2 ^ i
    gain[#gain + 1] = memcpy / micro(machine, paradigm,
      { [paradigm .. ".chunk"] = string.format("%.0f B", 2 ^ i) }).time_s
  end
  return gain, chunk
end

local function peak (machine, paradigm)
  return math.max(table.unpack((sweep(machine, paradigm))))
end

-- First and last chunk at which the gain is at least that.
local function range (machine, paradigm, least)
  local gain, chunk = sweep(machine, paradigm)
  local first, last
  for i, g in ipairs(gain) do
    if g >= least then
      first, last = first or chunk[i], chunk[i]
    end
  end
  return first, last
end

local function from (machine, paradigm, least)
  return (range(machine, paradigm, least))
end

local function to (machine, paradigm, least)
  return (select(2, range(machine, paradigm, least)))
end

-- In how many of the chunks polling is ahead, less those in which it is not.
local function ahead (machine)
  local poll, cdp = sweep(machine, "proact-poll"), sweep(machine, "proact-cdp")
  local n = 0
  for i in ipairs(poll) do n = n + (poll[i] > cdp[i] and 1 or -1) end
  return n / #poll
end

-- Nothing but the transfer: 64 MB to one GPU.
local function transfer_rate (machine, chunk, width)
  local bytes = 1e6 * K "useful transfer"
  local r = one("proact-micro", machine, 2, "proact-poll",
    { ratio = 1, bytes = string.format("%.0f B", bytes), ["agent.contention"] = 1,
      ["proact-poll.chunk"] = string.format("%.0f B", chunk),
      ["proact-poll.width"] = width })
  return bytes / (r.time_s - r.host_s)
end

-- Fewest threads, of powers of two, within 5 % of the most, chunks of 1 MiB.
local function threads_needed (machine)
  local chunk = 2 ^ K "chunk of threads"
  local most = transfer_rate(machine, chunk, K "most threads")
  for i = 5, 13 do
    if transfer_rate(machine, chunk, 2 ^ i) >= K "near the best" * most then
      return 2 ^ i
    end
  end
end

-- ---- the programs ----------------------------------------------------------------

-- The presets of the five programs, in lua/workloads/.
local function preset (program, machine)
  if machine == "k40x4" and program == "ct" then return "ct" end
  return "paper"
end

local function on (program, machine, gpus, paradigm, more)
  return gs.predict { workload = program, system = machine, gpus = gpus,
    preset = preset(program, machine), paradigm = paradigm, set = more }[1]
end

local function four (program, machine, paradigm, more)
  return on(program, machine, 4, paradigm, more)
end

local mechanisms = { "inline", "proact-cdp", "proact-poll" }

-- The agents of Table 2.2.
local decoupled = { k40x4 = "proact-cdp", p100x4 = "proact-poll",
                    v100x4 = "proact-poll", dgx2 = "proact-poll" }

local function time_of (program, machine, paradigm, more)
  return four(program, machine, paradigm, more).time_s
end

-- Share of the profiler's configurations within the tolerance of the best:
-- inline, and two agents with chunks of 4 KiB to 16 MiB and 32 to 8192 threads,
-- each 16 times the one before.
local function share_near (program, machine, best, tolerance)
  local near, all = 0, 1
  if time_of(program, machine, "inline") <= (1 + tolerance) * best then
    near = 1
  end
  for _, paradigm in ipairs { "proact-cdp", "proact-poll" } do
    for chunk = 12, 24, 4 do
      for width = 5, 13, 4 do
        local time = time_of(program, machine, paradigm, {
          [paradigm .. ".chunk"] = string.format("%.0f B", 2 ^ chunk),
          [paradigm .. ".width"] = 2 ^ width })
        all = all + 1
        if time <= (1 + tolerance) * best then near = near + 1 end
      end
    end
  end
  return near / all
end

-- Table 2.2: time of the printed configuration over that of our best.
local function choice (program, machine, paradigm, chunk, width)
  local best, name
  for _, m in ipairs(mechanisms) do
    local r = four(program, machine, m)
    if not best or r.time_s < best then
      best, name = r.time_s, m .. " " .. r.knobs
    end
  end
  local printed = chunk and { [paradigm .. ".chunk"] = chunk,
                              [paradigm .. ".width"] = width }
  return time_of(program, machine, paradigm, printed) / best,
         string.format("best: %s", name),
         share_near(program, machine, best, 0.05)
end

-- Stores of a line that one transaction of an agent takes: als.lua has stores of
-- 4 and of 8 B.
local function transactions ()
  local four = K "als stores of 4 B"
  return 128 / (four * 4 + (1 - four) * 8)
end

local function inline_wins ()
  local n = 0
  for _, m in ipairs(machines) do
    for _, p in ipairs(programs) do
      local inline = K "inline wins by" * time_of(p, m, "inline")
      if inline < time_of(p, m, "proact-cdp") and
         inline < time_of(p, m, "proact-poll") then
        n = n + 1
      end
    end
  end
  return n
end

local function speedup (program, machine, paradigm)
  return four(program, machine, paradigm).speedup
end

-- Compute with counters over compute without, in percent more.
local function overhead (program, machine)
  local agent = decoupled[machine]
  local r = four(program, machine, agent)
  return 100 * r.tracking_s / r.compute_s
end

local function platform_overhead (machine)
  local sum = 0
  for _, p in ipairs(programs) do sum = sum + overhead(p, machine) end
  return sum / #programs
end

-- Share of the copies' time that is hidden, as section 2.4.3 defines it.
local function overlap (program, machine)
  local agent = decoupled[machine]
  local copy = four(program, machine, "memcpy")
  local beside = four(program, machine, agent)
  local with_transfers = beside.time_s
  local without = beside.compute_s + beside.host_s + beside.tracking_s
  return 100 * (1 - (with_transfers - without) /
                    (copy.time_s - copy.compute_s - copy.host_s))
end

-- ---- means over the five programs -----------------------------------------------

-- Speedup by PROACT, which has a profiler: the best of its mechanisms.
local function proact (program, machine, gpus)
  local best = 0
  for _, m in ipairs(mechanisms) do
    best = math.max(best, on(program, machine, gpus, m).speedup)
  end
  return best
end

-- Geometric mean of speedups on a machine, or on some.
local function mean (paradigm, where, gpus)
  return geomean(of_all(function (p, m)
    if paradigm == "proact" then return proact(p, m, gpus or 4) end
    return on(p, m, gpus or 4, paradigm).speedup
  end, where))
end

local function dgx2 (gpus, paradigm) return mean(paradigm, { "dgx2" }, gpus) end

-- The number of GPUs with the largest mean speedup by memcpy.
local function memcpy_peak (machine, most)
  local best, at = 0, nil
  for n = 1, most do
    local s = mean("memcpy", { machine }, n)
    if s > best then best, at = s, n end
  end
  return at
end

local function farthest (value, of)
  local far = of[1]
  for _, v in ipairs(of) do
    if math.abs(v - value) > math.abs(far - value) then far = v end
  end
  return far
end

-- The last number of GPUs, from 2 on, at which memcpy is not behind.
local function competitive (machine)
  local last = 1
  for n = 2, K(machine .. " most") do
    if mean("proact", { machine }, n) >
       K "falls behind" * mean("memcpy", { machine }, n) then
      break
    end
    last = n
  end
  return last
end

-- The largest difference at two GPUs.
local function apart_at_two ()
  local most = 0
  for _, m in ipairs(machines) do
    most = math.max(most, math.abs(mean("proact", { m }, 2) -
                                   mean("memcpy", { m }, 2)))
  end
  return most
end

-- ---- packets ---------------------------------------------------------------------

-- With byte enables unless a store has all of a line: finepack.lua.
local function nvlink (size)
  return gs.goodput { link = "nvlink2", size = size, partial = size < 128 }
end

-- Smallest store, of powers of two, that makes good use of either link.
local function efficient_store ()
  for i = 2, 9 do
    if gs.goodput { link = "pcie3", size = 2 ^ i } >= K "high goodput" and
       nvlink(2 ^ i) >= K "high goodput" then
      return 2 ^ i
    end
  end
end

-- ---- figures ---------------------------------------------------------------------

-- stated: paradigm, chunk in KiB, id
local function sweep_figure (machine, name, stated)
  return {
    title = "the microbenchmark on " .. name, log = "x",
    x = "chunk [B]", y = "speed over memcpy",
    rows = function ()
      local list = {}
      for _, paradigm in ipairs { "proact-cdp", "proact-poll" } do
        local gain, chunk = sweep(machine, paradigm)
        for i in ipairs(gain) do
          list[#list + 1] = { paradigm, chunk[i], gain[i] }
        end
      end
      for _, s in ipairs(stated) do
        list[#list + 1] = { s[1], 1024 * s[2], gs.printed(s[3]), "printed" }
      end
      return list
    end,
  }
end

-- f(program, machine, paradigm) for all 15, and what is stated of a mean.
local function by_program (title, y, paradigms, f, stated)
  local names = {}
  for _, m in ipairs(machines) do
    for _, p in ipairs(programs) do names[#names + 1] = p .. " " .. m end
  end
  if stated then names[#names + 1] = "mean" end
  return {
    title = title, x = "program and machine", y = y, categories = names,
    rows = function ()
      local list = {}
      for _, paradigm in ipairs(paradigms) do
        local all, i = {}, 0
        for _, m in ipairs(machines) do
          for _, p in ipairs(programs) do
            i = i + 1
            -- Kepler has no hints (compute capability 3.5).
            if not (paradigm == "um-hints" and m == "k40x4") then
              all[#all + 1] = f(p, m, paradigm)
              list[#list + 1] = { paradigm, i, all[#all] }
            end
          end
        end
        if stated then list[#list + 1] = { paradigm, i + 1, geomean(all) } end
      end
      for _, s in ipairs(stated or {}) do
        list[#list + 1] = { s[1], #names, gs.printed(s[2]), "printed" }
      end
      return list
    end,
  }
end

return {
  -- chapter I
  ["P-001"] = function () return gs.printed("P-027") / gs.printed("P-024") end,
  ["P-002"] = function () return gs.printed("P-045") / gs.printed("P-042") end,
  ["P-005"] = function () return geomean(of_all(function (p, m) return speedup(p, m, "rdl") end, { "v100x4" })) end,
  ["P-006"] = function () return geomean(of_all(function (p, m) return speedup(p, m, "infinite") end, { "v100x4" })) end,

  -- Fig 2.2
  ["P-011"] = function () return efficient_store() end,
  ["P-012"] = function () return 100 * nvlink(4) end,
  ["P-013"] = function () return 100 * gs.goodput { link = "pcie3", size = 4 } end,

  -- Fig 2.4
  ["P-015"] = function () return from("k40x4", "proact-cdp", K "near the best" * peak("k40x4", "proact-cdp")) / 1024 end,
  ["P-016"] = function () return to("k40x4", "proact-cdp", K "near the best" * peak("k40x4", "proact-cdp")) / 2 ^ 20 end,
  ["P-017"] = function () return threads_needed("k40x4") end,
  ["P-018"] = function () return threads_needed("k40x4") end,

  -- Fig 2.6
  ["P-049"] = function () return micro("k40x4", "memcpy").time_s / micro("k40x4", "infinite").time_s end,
  ["P-053"] = function () return from("k40x4", "proact-cdp", 1) / 1024 end,
  ["P-054"] = function () return (sweep("k40x4", "proact-cdp"))[1] end,
  ["P-055"] = function () return to("k40x4", "proact-cdp", K "near the best" * peak("k40x4", "proact-cdp")) / 2 ^ 20 end,
  ["P-056"] = function () return peak("k40x4", "proact-cdp") end,
  ["P-057"] = function () local gain = sweep("k40x4", "proact-cdp") return gain[#gain] end,
  ["P-058"] = function () return peak("k40x4", "proact-poll") end,
  ["P-059"] = function () return peak("p100x4", "proact-cdp") end,
  ["P-060"] = function () return peak("p100x4", "proact-poll") end,
  ["P-061"] = function () return peak("v100x4", "proact-cdp") end,
  ["P-062"] = function () return (sweep("v100x4", "proact-cdp"))[1] end,
  ["P-063"] = function () return ahead("v100x4") end,

  -- Fig 2.7
  ["P-068"] = function () return speedup("jacobi", "p100x4", "um-hints") / speedup("jacobi", "p100x4", "memcpy") end,
  ["P-069"] = function () return math.max(speedup("pagerank", "p100x4", "memcpy"), speedup("pagerank", "v100x4", "memcpy")) end,
  ["P-070"] = function () return of_all(function (p, m) return p == "pagerank" and m ~= "k40x4" and 9 or speedup(p, m, "memcpy") end)[1] end,
  ["P-071"] = function () return inline_wins() end,
  ["P-072"] = function () return transactions() end,
  ["P-092"] = function () return mean("infinite") end,
  ["P-093"] = function () return mean("proact") end,
  ["P-094"] = function () return mean("proact") end,
  ["P-095"] = function () return 100 * mean("proact") / mean("infinite") end,
  ["P-096"] = function () return mean("memcpy") end,
  ["P-097"] = function () return geomean(of_all(function (p, m) return speedup(p, m, "um-hints") end, { "p100x4", "v100x4" })) end,

  -- Table 2.2
  ["P-073"] = function () return choice("ct", "k40x4", "proact-cdp", "16 KiB", 256) end,
  ["P-074"] = function () return choice("ct", "p100x4", "inline") end,
  ["P-075"] = function () return choice("ct", "v100x4", "inline") end,
  ["P-076"] = function () return choice("jacobi", "k40x4", "inline") end,
  ["P-077"] = function () return choice("jacobi", "p100x4", "inline") end,
  ["P-078"] = function () return choice("jacobi", "v100x4", "proact-poll", "128 KiB", 2048) end,
  ["P-079"] = function () return choice("pagerank", "k40x4", "proact-cdp", "16 KiB", 256) end,
  ["P-080"] = function () return choice("pagerank", "p100x4", "proact-poll", "1 MiB", 4096) end,
  ["P-081"] = function () return choice("pagerank", "v100x4", "proact-poll", "128 KiB", 2048) end,
  ["P-082"] = function () return choice("sssp", "k40x4", "proact-cdp", "16 KiB", 256) end,
  ["P-083"] = function () return choice("sssp", "p100x4", "proact-poll", "1 MiB", 4096) end,
  ["P-084"] = function () return choice("sssp", "v100x4", "proact-poll", "128 KiB", 2048) end,
  ["P-085"] = function () return choice("als", "k40x4", "proact-cdp", "16 KiB", 256) end,
  ["P-086"] = function () return choice("als", "p100x4", "proact-poll", "1 MiB", 4096) end,
  ["P-087"] = function () return choice("als", "v100x4", "proact-poll", "128 KiB", 2048) end,

  -- Figs 2.8 and 2.9
  ["P-098"] = function () return math.min(platform_overhead("k40x4"), platform_overhead("p100x4"), platform_overhead("v100x4")) end,
  ["P-099"] = function () return math.max(platform_overhead("k40x4"), platform_overhead("p100x4"), platform_overhead("v100x4")) end,
  ["P-100"] = function () return of_all(overhead)[15] end,
  ["P-101"] = function () return of_all(overhead)[1] end,
  ["P-103"] = function () return of_all(overlap)[1] end,
  ["P-104"] = function () return of_all(overlap)[K "many"] end,

  -- Fig 2.10
  ["P-106"] = function () return apart_at_two() end,
  ["P-107"] = function () return farthest(4, { memcpy_peak("k40x4", K "k40x4 most"), memcpy_peak("p100x4", K "p100x4 most") }) end,
  ["P-108"] = function () return memcpy_peak("dgx2", 16) end,
  ["P-109"] = function () return competitive("k40x4") + 1 end,
  ["P-110"] = function () return competitive("p100x4") end,
  ["P-111"] = function () return memcpy_peak("dgx2", 16) end,
  ["P-112"] = function () return dgx2(4, "proact") / dgx2(4, "memcpy") end,
  ["P-113"] = function () return dgx2(8, "proact") / dgx2(8, "memcpy") end,
  ["P-114"] = function () return dgx2(16, "proact") / dgx2(16, "memcpy") end,
  ["P-008"] = function () return dgx2(16, "proact") / dgx2(16, "memcpy") end,
  ["P-121"] = function () return dgx2(16, "proact") / dgx2(16, "memcpy") end,
  ["P-115"] = function () return 100 * dgx2(4, "proact") / dgx2(4, "infinite") end,
  ["P-116"] = function () return 100 * dgx2(8, "proact") / dgx2(8, "infinite") end,
  ["P-117"] = function () return 100 * dgx2(16, "proact") / dgx2(16, "infinite") end,
  ["P-119"] = function () return 100 * dgx2(16, "proact") / dgx2(16, "infinite") end,
  ["P-122"] = function () return 100 * dgx2(16, "proact") / dgx2(16, "infinite") end,
  ["P-007"] = function () return dgx2(16, "proact") end,
  ["P-118"] = function () return dgx2(16, "proact") end,
  ["P-120"] = function () return dgx2(16, "proact") end,

  -- figures
  ["1.1"] = {
    title = "a GPU's memory, its links as printed, and what copies make of them", log = "y",
    x = "machine", y = "rate, both ways for links [GB/s]", categories = { "Kepler", "Pascal", "Volta", "16 Volta" },
    rows = function ()
      local list, of = {}, { k40x4 = { "P-027", "P-024" }, p100x4 = { "P-033", "P-030" },
                             v100x4 = { "P-039", "P-036" }, dgx2 = { "P-045", "P-042" } }
      for i, m in ipairs { "k40x4", "p100x4", "v100x4", "dgx2" } do
        list[#list + 1] = { "memory", i, gs.printed(of[m][1]), "printed" }
        list[#list + 1] = { "links", i, gs.printed(of[m][2]), "printed" }
        -- All to all, both ways: what every GPU gets and gives in the time of copies.
        local r = one("allgather", m, 4, "memcpy")
        list[#list + 1] = { "all to all by copies", i, 2 * r.useful_B / 4 / r.transfer_s / 1e9 }
      end
      return list
    end,
  },
  ["1.2"] = {
    title = "loads from other GPUs, and compute alone, four V100", x = "program", y = "speedup over one GPU",
    categories = { "ct", "jacobi", "pagerank", "sssp", "als", "mean" },
    rows = function ()
      local list = {}
      for _, s in ipairs { { "rdl", "P-005" }, { "infinite", "P-006" } } do
        local all = {}
        for i, p in ipairs(programs) do
          all[i] = speedup(p, "v100x4", s[1])
          list[#list + 1] = { s[1], i, all[i] }
        end
        list[#list + 1] = { s[1], #programs + 1, geomean(all) }
        list[#list + 1] = { s[1], #programs + 1, gs.printed(s[2]), "printed" }
      end
      return list
    end,
  },
  ["2.2"] = {
    title = "goodput of one store", log = "x",
    x = "store [B]", y = "useful share of the bytes on the wire [%]",
    rows = function ()
      local list = { { "PCIe", 4, gs.printed("P-013"), "printed" },
                     { "NVLink", 4, gs.printed("P-012"), "printed" } }
      for i = 2, 8 do
        local size = 2 ^ i
        list[#list + 1] = { "PCIe", size, 100 * gs.goodput { link = "pcie3", size = size } }
        list[#list + 1] = { "NVLink", size, 100 * nvlink(size) }
      end
      return list
    end,
  },
  ["2.4"] = {
    title = "throughput of polling threads, Kepler", log = "x",
    x = "chunk [B]", y = "useful throughput to one GPU [GB/s]",
    rows = function ()
      local list = {}
      for _, width in ipairs { 32, 64, 128, 256, 1024 } do
        for i = 12, 26 do
          list[#list + 1] = { string.format("%d threads", width), 2 ^ i,
            transfer_rate("k40x4", 2 ^ i, width) / 1e9 }
        end
      end
      return list
    end,
  },
  ["2.6a"] = sweep_figure("k40x4", "Kepler", { { "proact-cdp", 16, "P-056" }, { "proact-cdp", 1024, "P-056" } }),
  ["2.6b"] = sweep_figure("p100x4", "Pascal", { { "proact-cdp", 1024, "P-059" }, { "proact-poll", 1024, "P-060" } }),
  ["2.6c"] = sweep_figure("v100x4", "Volta", { { "proact-cdp", 16384, "P-061" } }),
  ["2.7"] = by_program("speedup on four GPUs; geometric mean stated", "speedup over one GPU", { "um-hints", "memcpy", "inline", "decoupled", "infinite" },
    function (p, m, paradigm)
      if paradigm ~= "decoupled" then return speedup(p, m, paradigm) end
      return math.max(speedup(p, m, "proact-cdp"), speedup(p, m, "proact-poll"))
    end,
    { { "infinite", "P-092" }, { "decoupled", "P-093" }, { "memcpy", "P-096" } }),
  ["2.8"] = by_program("slow-down by counters", "compute [% more]", { "decoupled" }, function (p, m) return overhead(p, m) end),
  ["2.9"] = by_program("copies hidden", "share of the time of copies [%]", { "decoupled" }, function (p, m) return overlap(p, m) end),
  ["2.10"] = {
    title = "mean of the five programs on DGX-2", log = "xy",
    x = "GPUs", y = "speedup over one GPU",
    rows = function ()
      local list = {}
      for _, n in ipairs { 1, 2, 3, 4, 5, 6, 8, 12, 16 } do
        for _, p in ipairs { "memcpy", "proact", "infinite" } do
          list[#list + 1] = { p, n, dgx2(n, p) }
        end
      end
      local shares = { [4] = "P-115", [8] = "P-116", [16] = "P-117" }
      local leads = { [4] = "P-112", [8] = "P-113", [16] = "P-114" }
      -- The text states shares and ratios: of PROACT's printed 11.0x at 16.
      local proact = gs.printed("P-120")
      list[#list + 1] = { "proact", 16, proact, "printed" }
      list[#list + 1] = { "memcpy", 16, proact / gs.printed(leads[16]), "printed" }
      list[#list + 1] = { "infinite", 16, 100 * proact / gs.printed(shares[16]), "printed" }
      -- At 4 its limit is that of Fig 2.7.
      local four = gs.printed("P-092") * gs.printed(shares[4]) / 100
      list[#list + 1] = { "infinite", 4, gs.printed("P-092"), "printed" }
      list[#list + 1] = { "proact", 4, four, "printed" }
      list[#list + 1] = { "memcpy", 4, four / gs.printed(leads[4]), "printed" }
      return list
    end,
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
