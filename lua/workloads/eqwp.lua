-- eqwp.lua - one time step of an earthquake wave through a box of rock.
--
-- Three velocities and six stresses on a staggered grid, derivatives of fourth
-- order in space: two values on either side of a point.  First the velocities
-- follow from the stresses, then the stresses from the velocities; each time
-- two planes of the fields that are differentiated across the cut (along z) go
-- to either neighbour: the three velocities, and three of the six stresses
-- (xz, yz, zz).
--
-- Or the acoustic equation (acoustic=yes, params/bench/apps/eqwp.cu): one field,
-- second order in time, one phase, two planes of it to either neighbour.

local gs = require "gpuscale"

return gs.workload {
  name = "eqwp",
  summary = "earthquake wave propagation, fourth order, halos of two planes",

  knobs = {
    nx   = gs.knob { default = 512, least = 8, most = 65536, whole = true,
                     doc = "points along x" },
    ny   = gs.knob { default = 512, least = 8, most = 65536, whole = true,
                     doc = "points along y" },
    nz   = gs.knob { default = 512, least = 8, most = 65536, whole = true,
                     doc = "points along z, which is cut" },
    word = gs.knob { default = 4, least = 4, most = 8, whole = true,
                     doc = "bytes per value: 4 or 8" },
    acoustic = gs.knob { default = false, doc = "one field of pressure" },
  },

  -- Sizes of Tartan's b2r_config.h.
  -- Hints prefetch before each kernel ([Gps21] 6).
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { nx = 500, ny = 40, nz = 500 },
    gps21 = { like = "paper", ["velocity.compute.imbalance"] = 1.31,
              ["stress.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["velocity.load.prefetch"] = 1,
                        ["stress.load.prefetch"] = 1 },
  },

  -- Longer along the axis that is cut.
  weak = function () return { nz = 1 } end,

  step = function (k)
    local points = k.nx * k.ny * k.nz
    local field  = points * k.word
    local plane  = k.nx * k.ny * k.word
    local edge   = 2 / k.nz -- the share of the work in two planes

    local function update (name, flop, fields)
      return gs.phase {
        name  = name,
        units = k.nz,
        flop  = flop * points,
        compute = { precision = k.word > 4 and "fp64" or "fp32" },
        -- Every array once; the other reads of a value hit in a cache.
        bytes = fields * field,
        footprint = 12 * field, -- 3 + 6 fields, density, two moduli

        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent    = { block = 256, loads = 4, chunk_of = "grid" },
        to       = "neighbours",
        publish  = {
          bytes  = 3 * 2 * plane,
          copies = 3, -- one per field: two planes lie side by side
          -- On a staggered grid a derivative reaches two planes to one side
          -- and one to the other; programs move two both ways.
          read   = 0.75,
        },
        store    = 128,
        blocks   = {
          count = 3 * points / 256, -- a value of 3 fields by each of 256 threads
          { share = edge, per = "face", publishes = 0.5 },
          {},
          { share = edge, per = "face", publishes = 0.5 },
        },
      }
    end

    if k.acoustic then
      return {
        gs.phase {
          name  = "wave",
          units = k.nz,
          -- Two sums of six, then new = 2 here - before + r (a here + b near +
          -- c next): 10, and four products and four sums, and 2 here.
          flop  = 19 * points,
          compute = { precision = k.word > 4 and "fp64" or "fp32" },
          bytes = 3 * field, -- the field, the one before, the new in its place
          footprint = 2 * field,

          agent    = { block = 256, loads = 4, chunk_of = "grid" },
          to       = "neighbours",
          publish  = 2 * plane,
          store    = 128,
          blocks   = {
            count = points / 2048, -- 128 x 8 points of two planes
            residents = 3, -- of 256 threads with 80 registers each
            { share = edge, per = "face", publishes = 1 }, -- both ends first
            {},
          },
        },
      }
    end

    -- A derivative is c1 (a - b) + c2 (c - d): 5 flop.
    return {
      -- Per velocity three derivatives, two sums, times dt/density, added:
      -- 3 * 19.  Reads 6 stresses, 3 velocities, density; writes 3.
      update("velocity", 57, 13),
      -- Nine derivatives: 45.  Trace and lambda * trace: 3.  Per normal stress
      -- 2 mu d, sum, times dt, added: 3 * 4.  Per shear stress a sum, times mu,
      -- times dt, added: 3 * 4.  Reads 3 + 6 fields and two moduli; writes 6.
      update("stress", 72, 17),
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
