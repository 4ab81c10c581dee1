-- choices.lua - every number of ours behind the printed ones: constants fitted to
-- printed numbers (gs.fit), and what we chose because nothing printed says it
-- (gs.choose).  Recipes take them by gs.constant(NAME); `reproduce` counts them,
-- `reproduce --refit` fits the first kind anew, each to the rows it names.

local gs = require "gpuscale"
local fit, choose = gs.fit, gs.choose

-- ---- fitted ----------------------------------------------------------------------

fit { name = "k40x4 cdp.gap", value = 14.61, unit = "us", from = 0.3, to = 30,
      rows = "P-053" }
fit { name = "k40x4 store.interference", value = 55.44, unit = "ps/B", from = 1,
      to = 100, rows = "P-056" }
fit { name = "p100x4 store.interference", value = 2.691, unit = "ps/B", from = 0.1,
      to = 30, rows = "P-060" }
fit { name = "als stores of 4 B", value = 0.7692, from = 0.1, to = 1,
      rows = "P-072" }
fit { name = "ct subsets", value = 24, unit = "whole", from = 24, to = 24,
      rows = "C-009" } -- or 1: read so after the row was seen
fit { name = "ct forward", value = 0.0951, from = 0.02, to = 0.5, rows = "C-033" }
fit { name = "ct t1", value = 116.78, unit = "s", from = 50, to = 200,
      rows = "C-008" }
fit { name = "k40x4 ct imbalance", value = 1.133, from = 1, to = 1.5,
      rows = "C-026" }
fit { name = "k40x4 link.rate", value = 6.531, unit = "GB/s", from = 1, to = 20,
      rows = "C-038" }
fit { name = "gps imbalance", value = 1.31, from = 1, to = 2,
      rows = "G-060" }
fit { name = "als scattered", value = 1.607, from = 1, to = 10, rows = "P-008" }

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

choose { name = "host threads", value = 1,
         why = "PROACT, FinePack: one thread goes through the GPUs (Listing IV.1)" }
choose { name = "host order", value = "phase",
         why = "it launches on all GPUs, then copies (Listing IV.1)" }
choose { name = "host blocking", value = "yes",
         why = "by cudaMemcpy, one copy at a time (section 3.4.1)" }
choose { name = "pagerank gathers", value = 1,
         why = "PROACT, FinePack: a block writes to one chunk (Algorithm 1)" }
choose { name = "pagerank store", value = 4,
         why = "B: its stores do not meet in a warp (section 2.5.2)" }
choose { name = "jacobi bands", value = 7,
         why = "diagonals of its stored matrix: those of params/traces/jacobi" }
choose { name = "k40x4 L2", value = "1.5 MiB", why = "data sheet" }
choose { name = "p100x4 L2", value = "4 MiB", why = "data sheet" }
choose { name = "v100x4 L2", value = "6 MiB", why = "data sheet" }
choose { name = "v100-sim4 L2", value = "6 MiB", why = "MICRO, table 1" }
choose { name = "dgx2 L2", value = "6 MiB", why = "data sheet" }
choose { name = "eqwp x", value = 500, why = "Tartan, b2reqwp: b2r_config.h" }
choose { name = "eqwp y", value = 40, why = "Tartan, b2reqwp: b2r_config.h" }
choose { name = "eqwp z", value = 500, why = "Tartan, b2reqwp: b2r_config.h" }
choose { name = "diffusion n", value = 400,
         why = "Tartan, diffusion: run_2g_strong.sh" }
choose { name = "hit n", value = 256, why = "Tartan, hit: run.conf" }
choose { name = "cdp.latency of CT", value = "14.6 us",
         why = "from a launch to its copy, as measured on H200" }
choose { name = "Volta launches", value = 1,
         why = "cdp.gap of V100 over Kepler's: 'higher on Volta' (2.5.1), at least" }
choose { name = "page of faults", value = 65536,
         why = "B that one fault of 50 us moves (section 4.6.2), one at a time" }
choose { name = "fault", value = 50, why = "us: section 4.6.2" }
choose { name = "hit page", value = 65536, why = "B: table 4.1's pages" }
choose { name = "hit piece", value = 1024,
         why = "B of a page of Hit for each GPU: hit.lua" }
choose { name = "PCIe payload", value = 4096, why = "B: section 5.3.2" }

return {}
