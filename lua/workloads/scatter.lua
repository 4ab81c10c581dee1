-- scatter.lua - updates at random places of a table that all GPUs share.
--
-- Each GPU makes its share of `updates` values and stores each at a random
-- place.  Stores of single words, no locality at all: what graph and sparse
-- programs do at their worst.

-- With all=yes (params/bench/apps/scatter.cu) every GPU needs the whole table, and
-- each place is written once, by the GPU that owns it, in scattered order within
-- 64 KiB: a copy needs no sorting.

local gs = require "gpuscale"

return gs.workload {
  name = "scatter",
  summary = "single words stored at random places of a table on all GPUs",

  knobs = {
    updates = gs.knob { default = 67108864, least = 1, whole = true,
                        doc = "values stored per step" },
    slots   = gs.knob { default = 268435456, least = 1, whole = true,
                        doc = "places in the table" },
    word    = gs.knob { default = 4, least = 4, most = 16, whole = true,
                        doc = "bytes per value" },
    all     = gs.knob { default = false, doc = "all GPUs need all places" },
  },

  -- As full a table.
  weak = function () return { updates = 1, slots = 1 } end,

  step = function (k)
    local table_bytes = k.slots * k.word
    -- Of x updates per slot some hit the same slot; 1 - exp(-x) slots get any
    -- (Poisson).
    local x = math.max(1e-6, k.updates / k.slots)
    local rewrites = math.max(1, x / (1 - math.exp(-x)))
    local needed   = k.updates * k.word / rewrites

    if k.all then
      local made = k.updates * k.word
      return {
        gs.phase {
          name  = "scatter",
          units = math.ceil(made / 65536), -- windows
          -- Read in order; in a cache the stores of a window become lines.
          bytes = 2 * made,
          footprint = 2 * made,

          -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
          agent   = { block = 256, loads = 4, chunk_of = "grid" },
          to      = "all",
          -- In apps/scatter.cu the next step reads none of it: loads on demand
          -- would move nothing.
          publish = { bytes = made, read = 0 },
          store   = k.word,
          blocks  = { count = made / 4096 },
        },
      }
    end

    -- Bulk copies need the updates sorted by owner: a kernel that counts and
    -- one that deals out pairs of index (4 bytes) and value, then, at the
    -- owner, one that stores them.  They carry all pairs.
    local pairs_bytes = k.updates * (4 + k.word)

    return {
      gs.phase {
        name  = "scatter",
        units = math.ceil(k.updates / 256), -- thread blocks
        -- Read index and value; a store fetches and writes a sector of 32 B.
        bytes = pairs_bytes + 64 * k.updates,
        footprint = pairs_bytes + table_bytes,

        agent    = { block = 256, loads = 4, chunk_of = "grid" },
        to       = "random",
        publish  = {
          bytes = needed, rewrites = rewrites,
          copies = { 1, pairs_bytes / needed }, -- all pairs, not the needed
          pack = { kernels = 3, bytes = 4 * pairs_bytes },
        },
        store    = k.word,
        blocks   = { count = k.updates / 256 },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
