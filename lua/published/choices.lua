-- choices.lua - every number of ours behind the printed ones: constants fitted to
-- printed numbers (gs.fit), and what we chose because nothing printed says it
-- (gs.choose).  Recipes take them by gs.constant(NAME); `reproduce` counts them,
-- `reproduce --refit` fits the first kind anew, each to the rows it names.

local gs = require "gpuscale"
local fit, choose, setting = gs.fit, gs.choose, gs.setting

-- Presets of the papers' programs (lua/workloads/), whose values stand there too.
local all = "paper ct finepack gps21"

local function on_five (key)
  local list = {}
  for i, p in ipairs { "jacobi", "pagerank", "sssp", "als", "ct" } do
    list[i] = p .. ":" .. key
  end
  return table.concat(list, " ")
end

local phases = {
  jacobi = { "sweep" }, pagerank = { "pull" }, sssp = { "relax" },
  als = { "rows", "columns" }, ct = { "forward", "back" },
  eqwp = { "velocity", "stress" }, diffusion = { "step" },
  hit = { "to_planes", "product", "advance" },
}

local function on_phases (key)
  local list = {}
  for program, names in pairs(phases) do
    for _, phase in ipairs(names) do
      list[#list + 1] = program .. ":" .. phase .. "." .. key
    end
  end
  table.sort(list)
  return table.concat(list, " ")
end

-- ---- fitted ----------------------------------------------------------------------

fit { name = "k40x4 cdp.gap", system = "k40x4 v100x4 dgx2", key = "cdp.gap",
      unit = "us", from = 0.3, to = 30, rows = "P-053" }
fit { name = "k40x4 store.interference", system = "k40x4",
      key = "store.interference", unit = "ps/B", from = 1, to = 100,
      rows = "P-056" }
fit { name = "p100x4 store.interference", system = "p100x4",
      key = "store.interference", unit = "ps/B", from = 0.1, to = 30,
      rows = "P-060" }
fit { name = "als stores of 4 B", value = 0.7692, from = 0.1, to = 1,
      rows = "P-072" }
fit { name = "ct subsets", workload = "ct", key = "subsets", unit = "whole",
      from = 24, to = 24, rows = "C-009" } -- or 1: read so after the row was seen
fit { name = "ct forward", workload = "ct", key = "forward", from = 0.02,
      to = 0.5, rows = "C-033" }
fit { name = "ct t1", workload = "ct", key = "t1", unit = "s", from = 50,
      to = 200, rows = "C-008" }
fit { name = "als missed", workload = "als", key = "missed", from = 0, to = 1,
      rows = "P-008" }
fit { name = "k40x4 ct imbalance", value = 1.133, preset = "ct",
      key = "ct:forward.compute.imbalance ct:back.compute.imbalance", from = 1, to = 1.5,
      rows = "C-026" }
fit { name = "k40x4 link.rate", system = "k40x4", key = "link.rate",
      unit = "GB/s", from = 1, to = 20, rows = "C-038" }
fit { name = "gps imbalance", value = 1.31, from = 1, to = 2,
      after = "G-058, G-059 and G-061 are missed: 25 of 44",
      preset = "gps21", rows = "G-060", key = on_phases "compute.imbalance" }

-- ---- what the words of the text mean -----------------------------------------------

choose { name = "near the best", value = 0.95,
         why = "a range of good chunks: within 5 % of the peak" }
choose { name = "most threads", value = 8192,
         why = "the profiler's largest number of threads (ISCA, section III)" }
choose { name = "useful transfer", value = 64,
         why = "MB, sent to one GPU to see a rate; larger ones change nothing" }
choose { name = "chunk of threads", value = 20,
         why = "log2 B of the chunks for which threads are counted: Fig 2.4's best" }
choose { name = "inline wins by", value = 1.001,
         why = "less than a thousandth is no win" }
choose { name = "falls behind", value = 1.1,
         why = "memcpy degrades where it is a tenth slower than PROACT" }
choose { name = "many", value = 13,
         why = "P-104: overlap near 100 % in 'many cases': three of 15" }
choose { name = "high goodput", value = 0.8,
         why = "P-011: what 'high efficiency' is" }
choose { name = "k40x4 most", value = 8,
         why = "GPUs up to which a peak is sought: more than the four built" }
choose { name = "p100x4 most", value = 4,
         why = "GPUs up to which a peak is sought: all that a mesh has" }
choose { name = "saturated", value = 0.98,
         why = "C-031: a speedup saturates at 98 % of its peak" }
choose { name = "near ideal", value = 0.95,
         why = "C-033: near-ideal is 95 % of what compute alone would give" }
choose { name = "full TLB", value = 98,
         why = "G-053: % of hits that is 'about 100'" }
choose { name = "small store", value = 32, why = "B: F-004's own limit" }
choose { name = "flat sub-headers", value = 1.05,
         why = "F-033: within 5 % of the fewest bytes" }
choose { name = "copy above", value = 128,
         why = "B: what is larger than a line is a copy (section 5.1)" }

-- ---- the papers' programs and machines ---------------------------------------------

choose { name = "host threads", preset = all, key = on_five "threads",
         value = 1, other = "0",
         after = "P-112, P-113 and G-061 are missed: 25 of 44",
         why = "PROACT, FinePack: one thread goes through the GPUs (Listing IV.1)" }
choose { name = "host order", preset = all, key = on_five "host.order",
         value = "phase", other = "gpu",
         why = "it launches on all GPUs, then copies (Listing IV.1)" }
choose { name = "host blocking", preset = all, key = on_five "host.blocking",
         value = "yes", other = "no",
         after = "P-112, P-113 and G-061 are missed: 25 of 44",
         why = "by cudaMemcpy, one copy at a time (section 3.4.1)" }
choose { name = "pagerank gathers", preset = all, key = "pagerank:pull",
         value = 1,
         why = "PROACT, FinePack: a block writes to one chunk (Algorithm 1)" }
choose { name = "pagerank store", preset = all, key = "pagerank:store",
         value = 4,
         why = "B: its stores do not meet in a warp (section 2.5.2)" }
choose { name = "jacobi bands", preset = all, key = "jacobi:bands",
         value = 7,
         why = "diagonals of its stored matrix: those of params/traces/jacobi" }
choose { name = "eqwp x", preset = all, key = "eqwp:nx",
         value = 500, why = "Tartan, b2reqwp: b2r_config.h" }
choose { name = "eqwp y", preset = all, key = "eqwp:ny",
         value = 40, why = "Tartan, b2reqwp: b2r_config.h" }
choose { name = "eqwp z", preset = all, key = "eqwp:nz",
         value = 500, why = "Tartan, b2reqwp: b2r_config.h" }
choose { name = "diffusion n", preset = all, key = "diffusion:nx diffusion:ny diffusion:nz",
         value = 400,
         why = "Tartan, diffusion: run_2g_strong.sh" }
choose { name = "hit n", preset = all, key = "hit:n",
         value = 256, why = "Tartan, hit: run.conf" }
choose { name = "hit page", value = 65536, why = "B: table 4.1's pages" }
choose { name = "hit piece", value = 1024,
         why = "B of a page of Hit for each GPU: hit.lua" }
choose { name = "PCIe payload", value = 4096, why = "B: section 5.3.2" }

-- ---- what a question may set, and where its value is printed ---------------------

setting { key = "atomic.merge",
          from = "[Gps21] 7.4, line 390, does not say: word, sector, line; all shown" }
setting { key = "t1",
          from = "C-008, C-004, C-026 and the peaks of Table 2.1 (P-026, P-032, P-038); Fig 2.6: as long as the copies; ALS: P-008" }
setting { key = "subsets",
          from = "[Diss22] 3.3, line 707: 24 subsets; exchanges: C-009" }
setting { key = "forward", from = "C-033" }
setting { key = "ratio", from = "[Diss22] 2.5.1: a kernel as long as its copies" }
setting { key = "bytes", from = "[Diss22] 2.5.1: to one GPU only" }
setting { key = "agent.contention", from = "[Diss22] Fig 2.4: nothing but the transfer" }
setting { key = "proact-cdp.chunk", from = "[Diss22] Table 2.2; Fig 2.6: swept" }
setting { key = "proact-cdp.width", from = "[Diss22] Table 2.2" }
setting { key = "proact-poll.chunk",
          from = "[Diss22] Table 2.2; Figs 2.4 and 2.6: swept" }
setting { key = "proact-poll.width", from = "[Diss22] Table 2.2; Fig 2.4: swept" }
setting { key = "link.rate",
          from = "[Diss22] 3.4.2, 5.4; [Gps21] table 1: 16, 32, 64, 128 GB/s" }
setting { key = "nx",
          from = "Tartan, b2r_config.h; [Oden14] 4.5, 5.8, 6.9: sizes of Himeno" }
setting { key = "ny", from = "as nx" }
setting { key = "nz", from = "as nx" }
setting { key = "n", from = "Tartan, run.conf; [Oden14] 6.8; [MpiAcc16] 6.3: sizes" }
setting { key = "remote.stage.down", from = "M-052, M-054" }
setting { key = "people", from = "M-029" }
setting { key = "unpack", from = "M-034; 0: hidden" }
setting { key = "updates", from = "[Oden14] 6.9.3: look-ahead" }
setting { key = "gps.page", from = "[Gps21] 7.4: 64 KiB and 2 MiB" }
setting { key = "gps.entries", from = "[Gps21] Fig 14: swept" }
setting { key = "finepack.subheader", from = "[Diss22] Table 5.2, Fig 5.10: swept" }
for _, phase in ipairs { "sweep", "velocity", "stress", "step" } do
  setting { key = phase .. ".publish.to", from = "[Gps21] 6: copies broadcast all updates" }
  setting { key = phase .. ".publish.bytes", from = "[Gps21] 6: of halos once" }
end

return {}
-- SPDX-License-Identifier: GPL-3.0-or-later
