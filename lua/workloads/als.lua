-- als.lua - one iteration of alternating least squares, by gradient descent.
--
-- A sparse matrix R of n rows and columns is approximated by U'V, where U and V
-- have `rank` numbers for each row and column.  U moves against the gradient
-- while V is kept, then V while U is kept:
--
--     e = R[i][j] - U[i].V[j];   U[i] = U[i] + rate (e V[j] - lambda U[i])
--
-- One warp takes one row (then one column) and sums its gradient up, so each
-- number of a factor is stored once.  Every other GPU needs it in the next
-- phase, because any rating may refer to it.
--
-- With atomic=yes each number is an atomic addition, as GPS says of its ALS
-- [Gps21, 7.4].

-- With whole=yes a row is taken by as many threads as it has numbers, and a warp
-- stores 128 bytes at once: params/bench/apps/als.cu, on a random matrix.
--
-- R is Fluorem/HV15R of the SuiteSparse (University of Florida) collection:
-- 2 017 169 rows and columns, 283 073 458 nonzeros.

local gs = require "gpuscale"

return gs.workload {
  name = "als",
  summary = "matrix factorization of HV15R, both factors go to all GPUs",

  knobs = {
    rows    = gs.knob { default = 2017169, least = 2, whole = true,
                        doc = "rows, and columns, of the matrix" },
    ratings = gs.knob { default = 283073458, least = 1, whole = true,
                        doc = "nonzeros of the matrix" },
    -- The papers that use this program do not say it.
    rank    = gs.knob { default = 16, least = 1, most = 1024, whole = true,
                        doc = "numbers per row of a factor" },
    whole   = gs.knob { default = false, doc = "warps store whole lines" },
    missed  = gs.knob { default = 0.892, least = 0, most = 1,
                        doc = "unless whole: share of gathered numbers that " ..
                              "miss the cache" },
    atomic  = gs.knob { default = false, doc = "atomic additions, not stores" },
    threads = gs.knob { default = 0, least = 0, most = 1, whole = true,
                        doc = "1: one host thread for all GPUs; " ..
                              "0: one for each" },
  },

  -- One host thread goes through the GPUs and copies for one after the other
  -- ([Diss22] Listing IV.1, 3.4.1).
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { threads = 1, ["host.order"] = "phase",
              ["host.blocking"] = "yes" },
    finepack = { like = "paper" },
    gps21 = { like = "paper", ["rows.compute.imbalance"] = 1.31,
              ["columns.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["rows.load.prefetch"] = 1,
                        ["columns.load.prefetch"] = 1 },
  },

  -- As dense a matrix.
  weak = function () return { rows = 1, ratings = 1 } end,

  step = function (k)
    local factor = 4 * k.rows * k.rank -- bytes of U, or of V

    local whole  = k.whole
    local stores = { { 4, gs.fitted(0.7692, "P-072: 26 times the transactions"),
                       "partial" },
                     { 8, 0.2308, "partial" } }

    local rounds = whole and math.ceil(k.ratings / k.rows / 4) or 0

    local function half (name)
      -- Row and rating of each nonzero, the offsets, and one factor read and
      -- written; the other is gathered, `rank` numbers for each rating.
      local streamed = 8 * k.ratings + 4 * k.rows + 2 * factor
      local gathered = 4 * k.rank * k.ratings
      return gs.phase {
        name  = name,
        units = k.rows,
        -- A product of vectors and a sum of vectors: 2 rank each; then the
        -- step itself, 4 for each number of the factor.
        flop  = 4 * k.rank * k.ratings + 4 * k.rank * k.rows,
        -- Unless whole the share is fitted to [Proact21]'s lead over copies at 16
        -- GPUs (P-008); a half was guessed before.
        bytes = whole and streamed or
                gs.fitted(streamed + k.missed * gathered, "P-008"),
        -- R by rows and by columns, though a phase reads one of them
        footprint = 2 * 8 * k.ratings + 2 * 4 * k.rows + 2 * factor,

        blocks  = {
          -- 256 threads: 8 rows, or 256 numbers
          count = factor / (whole and 1024 or 8 * 4 * k.rank),
          residents = whole and 6 or 0, -- 40 registers a thread
          -- Four ratings at a time: which, then the vectors they refer to.  The
          -- ratings pass by once, the vectors stay.
          { path = { { rounds }, { rounds, factor, "published" } } },
        },

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent   = { block = 256, loads = 4, chunk_of = "grid" },
        to      = "all",
        publish = factor,
        load    = { bytes = 4 * k.rank, count = k.ratings,
                    gathered = whole and gathered or 0, array = factor },
        -- Printed: 26 times more store transactions than bulk copies, which
        -- take 128 bytes each.  128 B / 26 = 4.9 B in the mean: as if one
        -- store in four met its neighbour.
        -- Warps take turns, a vector each: params/traces counts (reuse_B)
        -- that a line is stored to again after some 12 KiB of others.
        store   = { size = whole and 128 or stores, atomic = k.atomic,
                    locality = {
                      stride = whole and 0 or 4 * k.rank,
                      reuse_distance = whole and 0 or "12 KiB",
                    } },
      }
    end

    return {
      host = { threads = k.threads },
      half "rows",
      half "columns",
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
