-- pagerank.lua - one iteration of PageRank on a graph of links.
--
-- Vertices are dealt to the GPUs with their outgoing edges.  Each vertex adds
-- its rank / degree to the sum of every vertex it links to, by an atomic add of
-- 4 bytes; when all sums are there, they become the new ranks (`push`, the
-- default).  Or each vertex reads the ranks of those that link to it (pull=yes):
-- then every GPU needs the new ranks of all others.
--
-- The graph is the link graph of Wikipedia of 2007-02-06 in the SuiteSparse
-- (University of Florida) collection, Gleich/wikipedia-20070206: 3 566 907
-- vertices, 45 030 389 edges.  The papers that use "the Wikipedia dataset" of
-- that collection do not say which of its four crawls; this is the largest.

-- params/bench/apps/pagerank.cu pulls, on a generated graph: it counts `skew`,
-- and its warps store the ranks of four vertices at once, store=16.

local gs = require "gpuscale"

-- If a page has at least d links with probability least / d, up to `hub`, the
-- mean is least (1 + ln(hub / least)).
local function least_links (mean, hub)
  local least = 1
  for _ = 1, 50 do
    least = mean / (1 + math.log(math.max(hub, 2 * least) / least))
  end
  return least
end

-- Rounds of 32 links (eight threads, four at a time) for the one of `pages`
-- pages that has most, in the mean: the sum of the probabilities that there are
-- more than 0, 1, 2, ... rounds.
local function longest_rounds (pages, mean, hub)
  local least, rounds = least_links(mean, hub), 0
  for r = 0, math.ceil(hub / 32) - 1 do
    local more = math.min(1, least / (32 * r + 1))
    rounds = rounds + 1 - (1 - more) ^ pages
  end
  return rounds
end

return gs.workload {
  name = "pagerank",
  summary = "PageRank on the Wikipedia link graph, scattered updates of ranks",

  knobs = {
    vertices = gs.knob { default = 3566907, least = 2, whole = true,
                         doc = "pages" },
    edges    = gs.knob { default = 45030389, least = 1, whole = true,
                         doc = "links" },
    pull     = gs.knob { default = false,
                         doc = "gather ranks instead of pushing updates" },
    store    = gs.knob { default = 128, least = 4, most = 128, whole = true,
                         doc = "pull: bytes of ranks that a warp stores" },
    skew     = gs.knob { default = 0, least = 0, most = 1024,
                         doc = "edges of the busiest GPU / mean, if counted" },
    hub      = gs.knob { default = 0, least = 0, whole = true,
                         doc = "pull: links to the page that has most" },
    cached   = gs.knob { default = false,
                         doc = "scattered accesses miss by the GPU's caches; " ..
                               "no: a quarter miss" },
    threads  = gs.knob { default = 0, least = 0, most = 1, whole = true,
                         doc = "1: one host thread for all GPUs; " ..
                               "0: one for each" },
  },

  -- One host thread goes through the GPUs and copies for one after the other
  -- ([Diss22] Listing IV.1, 3.4.1).  A block writes to one chunk (Algorithm 1), and its
  -- stores do not meet in a warp (2.5.2).
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { threads = 1, ["host.order"] = "phase",
              ["host.blocking"] = "yes",
              pull = "yes", store = 4, cached = "yes" },
    finepack = { like = "paper" },
    gps21 = { like = "paper", ["pull.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["pull.load.prefetch"] = 1 },
  },

  ignores = "at", -- of 0.1: the GPUs that shares are worked out for

  -- As dense a graph.
  weak = function () return { vertices = 1, edges = 1 } end,

  step = function (k, n)
    local v, e = k.vertices, k.edges
    local gpus = math.max(2, n)
    -- One GPU's edges hold x links to a vertex in the mean.  If links fell
    -- evenly, it would touch this share of all vertices (Poisson):
    local x = math.max(1e-6, e / v / gpus)
    local touched = 1 - math.exp(-x)

    -- Once through the edges (a target of 4 bytes), the offsets and the ranks.
    local streamed = 4 * e + 4 * v + 4 * v
    -- One access to the vector of sums, or ranks, for each edge: from the
    -- vector being in cache (once 8 bytes per vertex) to a sector of 32 bytes
    -- for each edge, fetched and, when pushed, written back.
    local sector = k.pull and 32 or 64
    local all = gs.assumed(sector * e, { 0, sector * e },
                           "how many scattered accesses miss the cache")
    local bytes = k.cached and streamed + 8 * v or
                  gs.assumed(streamed + 8 * v + sector * e / 4,
                             { streamed, streamed + 8 * v + sector * e },
                             "how many scattered accesses miss the cache")
    -- Equal numbers of vertices are not equal numbers of edges.
    local skew = k.skew > 0 and gs.counted(math.max(1, k.skew)) or
                 gs.assumed(1.1, { 1, 1.5 }, "edges of the busiest GPU / mean")
    local footprint = 4 * e + 4 * v + 8 * v -- edges, offsets, ranks and sums

    local rounds = math.ceil(k.hub / 32)
    -- On the generated graph a link comes from any page, and is a sector.
    local anywhere = k.hub > 0

    if k.pull then
      return {
        host = { threads = k.threads },
        gs.phase {
          name = "pull", units = v,
          flop = e + 3 * v, bytes = anywhere and streamed + 8 * v or bytes,
          footprint = footprint,
          compute = { imbalance = skew },
          -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
          agent = { block = 256, loads = 4, chunk_of = "grid" },
          to = "all",
          publish = {
            bytes = 4 * v,
            -- Another GPU reads the ranks that its edges come from.
            read = gs.assumed(touched, { 0, 1 }, "links do not fall evenly"),
          },
          -- 128: a warp has 32 vertices in a row; below 16 less than a flit.
          store = { size = { { k.store, 1, k.store < 16 and "partial" or nil } } },
          load = { -- a sector for each link
            bytes = 32, count = e,
            gathered = anywhere and 32 * e or k.cached and all or 0,
            array = 4 * v,
          },
          blocks = {
            count = 4 * v / (8 * k.store), -- 8 warps each
            {
              -- Eight threads take a page, four links at a time: the link, then
              -- the rank it leads to.
              path = { { rounds }, { rounds, 4 * v, "published" } },
              -- A block has 32 pages, and waits for the one with most links.
              straggler = k.hub > 0 and
                          longest_rounds(32, e / v, k.hub) / rounds or 0,
            },
          },
        },
      }
    end

    -- Inline, every update goes to the one owner of the vertex, 4 bytes at a
    -- time.  Otherwise a GPU sums up what it has for a vertex, so that only the
    -- last value of x / touched is needed; it cannot tell which vertices it
    -- touched and copies all sums of an owner's vertices, 4 * v bytes from
    -- each GPU.  The owner then adds up the vectors of all GPUs.
    local rewrites = math.max(1, x / touched)
    local whole  = 4 * v * gpus -- all sums of all GPUs
    local needed = 4 * e / rewrites

    return {
      host = { threads = k.threads },
      gs.phase {
        name = "push", units = v,
        flop = e + v, -- an addition per edge, a division per vertex
        bytes = bytes, footprint = footprint,
        load = { gathered = k.cached and all or 0, array = 4 * v },
        compute = { imbalance = skew },

        agent = { block = 256, loads = 4, chunk_of = "grid" },
        to = "random",
        publish = {
          bytes = needed,
          rewrites = gs.assumed(rewrites,
                                { 1, math.max(2 * rewrites, e / v) },
                                "links do not fall evenly"),
          copies = { 1, math.max(1, whole / needed) },
          -- Set the sums to 0 and add those of the others.
          pack = { kernels = 2, bytes = 2 * whole, flop = whole / 4 },
        },
        -- The targets of one warp's edges lie anywhere.
        store  = { size = { { 4, 1, "partial" } }, atomic = true },
        blocks = {
          count = needed / (256 * 4 * e / v), -- 256 vertices each
          { publishes = 1, scattered = true }, -- updates come in any order
        },
      },
      gs.phase { -- new rank = (1 - d) / v + d * sum
        name = "rank", units = v,
        flop = 2 * v, bytes = 4 * 3 * v, -- read the sum, write rank and sum
        footprint = 8 * v,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
