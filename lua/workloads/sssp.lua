-- sssp.lua - one iteration of Bellman-Ford, shortest paths from one vertex.
--
-- As a product of matrix and vector in which + is min and * is +: row i holds
-- the edges into vertex i, and
--
--     distance[i] = min(distance[i], distance[j] + weight[i][j])
--
-- A warp takes 32 edges of a row at a time and ends with an atomic minimum of
-- 4 bytes.  Rows are dealt to the GPUs, each of which has its own copy of the
-- distances, and a new distance goes to the GPUs whose rows refer to it.
--
-- The matrix is Fluorem/HV15R of the SuiteSparse (University of Florida)
-- collection, from computational fluid dynamics: 2 017 169 rows, 283 073 458
-- nonzeros, 140 a row.  The rows of such a matrix refer to a band of columns.

-- With atomic=no it stores it: [Proact21] and FinePack's chapter name no atomics.

-- params/bench/apps/sssp.cu is the program with whole=yes, on a generated band: a
-- warp takes a whole row and stores its distance once, changed or not.

local gs = require "gpuscale"

-- The share of vertices that another GPU needs, when vertices lie in `gpus`
-- blocks and each is needed within `reach` blocks before and after it; how much
-- more than the mean the busiest GPU sends (a band is symmetric: as much more it
-- gets); which part of all edges leads to another GPU's vertices; and how many
-- other GPUs need a vertex, in the mean of all.
local function subscribers (gpus, reach)
  local places = gpus > 16 and 32 or 1024 -- per block
  local needed, all, busiest, far = 0, 0, 0, 0 -- of all places
  local sent, reached, away = 0, 0, 0 -- of a block

  for block = 0, (gpus - 1) // 2 do -- the other half mirrors them
    -- Blocks whose reach ends within the GPUs, on both sides, are alike.
    if block - 1 < reach or block + 1 + reach > gpus then
      sent, reached, away = 0, 0, 0
      for p = 1, places do
        local at = block + (p - 0.5) / places
        local from = at > reach and at - reach or 0
        local to = at + reach < gpus and at + reach or gpus
        local others = (to < gpus and to // 1 or gpus - 1) - from // 1
        local near = (to < block + 1 and to or block + 1) -
                     (from > block and from or block)
        away = away + 1 - near / (to - from)
        sent = sent + others
        if others > 0 then reached = reached + 1 end
      end
    end
    local twice = 2 * block < gpus - 1 and 2 or 1
    needed, far = needed + twice * reached, far + twice * away
    all, busiest = all + twice * sent, math.max(busiest, sent)
  end
  local n = gpus * places
  return needed / n, all > 0 and busiest * gpus / all or 1, far / n, all / n
end

return gs.workload {
  name = "sssp",
  summary = "Bellman-Ford shortest paths on HV15R, new distances to some GPUs",

  knobs = {
    rows     = gs.knob { default = 2017169, least = 2, whole = true,
                         doc = "vertices" },
    nonzeros = gs.knob { default = 283073458, least = 1, whole = true,
                         doc = "edges" },
    -- Guesses: neither the collection nor the papers print them.
    band     = gs.knob { default = gs.assumed(0.25, { 0.05, 0.75 },
                                              "a band, its width unknown"),
                         least = 0.001, most = 1,
                         doc = "half bandwidth of the matrix / its rows; " ..
                               "1: all GPUs need all" },
    changed  = gs.knob { default = 0.5, least = 0.001, most = 1,
                         doc = "share of distances that an iteration changes" },
    whole    = gs.knob { default = false,
                         doc = "a warp takes a whole row, not 32 edges" },
    atomic   = gs.knob { default = true,
                         doc = "unless whole: a warp ends with an atomic" },
    threads  = gs.knob { default = 0, least = 0, most = 1, whole = true,
                         doc = "1: one host thread for all GPUs; " ..
                               "0: one for each" },
  },

  -- One host thread goes through the GPUs and copies for one after the other
  -- ([Diss22] Listing IV.1, 3.4.1).  No atomics are named.
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { threads = 1, ["host.order"] = "phase",
              ["host.blocking"] = "yes", atomic = "no" },
    finepack = { like = "paper" },
    gps21 = { like = "paper", ["relax.compute.imbalance"] = 1.31 },
    -- Copies bring every update to all GPUs ([Gps21] 6).
    ["gps21-copies"] = { like = "gps21", ["relax.publish.to"] = "all" },
    ["gps21-hints"] = { like = "gps21", ["relax.load.prefetch"] = 1 },
  },

  ignores = "at", -- of 0.1: the GPUs that the band is cut for

  -- As dense a graph.
  weak = function () return { rows = 1, nonzeros = 1 } end,

  step = function (k, gpus)
    local n, nz = k.rows, k.nonzeros
    local distances = 4 * n

    local whole  = k.whole
    local blocks = math.max(2, gpus)
    local needed, busiest, far, copies = subscribers(blocks, k.band * blocks)

    -- A row's `parts` warps end in any order and one in i improves on those
    -- before it: 1 + 1/2 + ... + 1/parts stores of a distance that changes.
    local parts, rewrites = whole and 1 or math.ceil(nz / n / 32), 0
    for i = 1, math.min(parts, 1000) do rewrites = rewrites + 1 / i end

    -- The row, then for each of a lane's edges the edge and a distance, which
    -- lies anywhere.
    local rounds = math.ceil(nz / n / 32)
    local function path (where)
      return { { 1 + rounds }, { rounds, distances, where } }
    end

    return {
      host = { threads = k.threads },

      gs.phase {
        name  = "relax",
        units = n,
        flop  = 2 * nz, -- an addition and a minimum
        -- Column and weight of each edge, the offsets, the distances read and
        -- written.  In a band a distance is read from memory once and from
        -- cache by the other rows.
        bytes = 8 * nz + 4 * n + 2 * distances,
        footprint = 8 * nz + 4 * n + distances,

        -- Only a distance that changed is stored; bulk copies move all.
        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = { needed },
        publish = {
          bytes = whole and gs.derived(k.changed * distances) or
                  gs.assumed(k.changed * distances, { 0, distances },
                             "few distances change first and last"),
          imbalance = { busiest, busiest },
          copies = { 1, 1 / k.changed },
          rewrites = whole and 1 or
                     gs.assumed(rewrites, { 1, 1 + parts },
                                "edges may be sorted by length"),
        },
        -- A warp ends with one distance in one lane; nothing to coalesce.
        store   = { size = { { 4, 1, "partial" } },
                    atomic = k.atomic and not whole },
        -- Loads are taken to go to all who make what is needed, as likely: a
        -- part copies / (1 + copies) of them far; in a band it is less.
        load    = { bytes = 32,
                    readers = needed > 0 and copies / needed or 0,
                    count = copies > 0 and nz * far * (1 + copies) / copies or
                            0 },
        blocks  = {
          count = k.changed * distances * parts / (8 * 4), -- 8 warps each
          -- The rows near the edge of a GPU's part come first.
          whole and { share = 1, per = "sent", publishes = 1, reads = true,
                      path = path("published") } or nil,
          whole and { path = path() } or nil,
        },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
