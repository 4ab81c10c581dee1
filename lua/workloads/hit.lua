-- hit.lua - one step of homogeneous isotropic turbulence, pseudo-spectral.
--
-- Navier-Stokes in a periodic cube of n^3 points.  Velocities live in spectral
-- space; their product u x curl u is formed in physical space.  Each stage of
-- the Runge-Kutta step takes 6 fields (3 velocities, 3 vorticities) to physical
-- space and 3 fields back.
--
-- The cube is cut into slabs: in spectral space all of z, in physical space all
-- of x and y.  So a transform is 1-D along z, then every GPU sends each other
-- one an equal part (a transpose), then 2-D; and back in the opposite order.
--
-- A spectral field is n * n * (n/2 + 1) complex numbers; it is counted as half
-- of n^3, which makes it as large as the field itself.  A transform of length n
-- takes 5 n log2 n flop.

local gs = require "gpuscale"

return gs.workload {
  name = "hit",
  summary = "spectral turbulence, three phases per stage, two transposes",

  knobs = {
    n      = gs.knob { default = 512, least = 16, most = 16384, whole = true,
                       doc = "points per edge" },
    stages = gs.knob { default = 2, least = 1, most = 8, whole = true,
                       doc = "stages of the Runge-Kutta step" },
    word   = gs.knob { default = 4, least = 4, most = 8, whole = true,
                       doc = "bytes per real number: 4 or 8" },
  },

  -- The size of Tartan's run.conf.
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { n = 256 },
    gps21 = { like = "paper", ["to_planes.compute.imbalance"] = 1.31,
              ["product.compute.imbalance"] = 1.31,
              ["advance.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["to_planes.load.prefetch"] = 1,
                        ["product.load.prefetch"] = 1,
                        ["advance.load.prefetch"] = 1 },
  },

  -- Each GPU keeps its number of points.
  weak = function () return { n = 1 / 3 } end,

  step = function (k)
    local points = k.n ^ 3
    local field  = points * k.word
    local log    = math.log(k.n, 2)
    local fft_1d = 2.5 * points * log -- n^2/2 complex lines along z
    local fft_2d = 5 * points * log   -- n^2 real lines, n^2/2 complex lines
    -- velocities, vorticities, products, an earlier stage; as many again to
    -- send from and receive into as the larger exchange has
    local memory = (3 + 3 + 3 + 3 + 6) * field

    -- A line or plane holds a short piece for each GPU.  Stores place it
    -- directly; bulk copies need it gathered by one kernel before and
    -- scattered by one after, and then move one piece per field.  Nothing is
    -- ready before `first` of the phase.
    local function exchange (p, fields, first)
      p.repeats, p.units, p.footprint = k.stages, k.n, memory
      p.compute = { precision = k.word > 4 and "fp64" or "fp32" }
      if fields > 0 then
        p.to = "partition"
        p.publish = {
          bytes = fields * field, copies = fields,
          pack = { kernels = 2, bytes = 4 * fields * field },
        }
        p.store = 128  -- 32 lanes of 8 or 16 bytes, in the order of memory
        p.blocks = {
          -- A block makes a line of complex numbers.
          count = fields * field / (2 * k.word * k.n) / (1 - first),
          { share = first }, { publishes = 1 },
        }
      end
      return gs.phase(p)
    end

    return {
      -- Vorticity (reads 3 fields, writes 3; 6 products and 3 differences of
      -- complex numbers and a real factor), then 6 transforms along z that
      -- read and write a field each.
      exchange({
        name = "to_planes", host = { kernels = 1 + 6 },
        flop  = 6 * fft_1d + 18 * points / 2,
        bytes = (6 + 6 * 2) * field,
      }, 6, 1 / 3), -- vorticity: 6 of 18

      -- 6 transforms in two passes, the product (9 flop; reads 6, writes 3),
      -- 3 transforms back in two passes.
      exchange({
        name = "product", host = { kernels = 6 * 2 + 1 + 3 * 2 },
        flop  = (6 + 3) * fft_2d + 9 * points,
        bytes = (6 * 4 + 9 + 3 * 4) * field,
      }, 3, 33 / 45),

      -- 3 transforms along z, then projection and the Runge-Kutta step: reads
      -- products, velocities and an earlier stage, writes velocities.  For each
      -- triple of complex numbers k.N (10 flop), N - k (k.N)/k^2 (15), decay
      -- and step (18).
      exchange({
        name = "advance", host = { kernels = 3 + 1 },
        flop  = 3 * fft_1d + 43 * points / 2,
        bytes = (3 * 2 + 12) * field,
      }, 0),
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
