-- ct.lua - one iteration of X-ray CT reconstruction with ordered subsets.
--
-- From the dissertation of Muthukrishnan (2022), chapter III: helical CT, a
-- 512^3 image from 7256 views of 64 rows by 888 channels, 24 subsets.  For each
-- subset the GPUs project the image forward and exchange the residuals of the
-- detector; then they project back, regularise and update, and exchange the
-- image.  Everything published goes to all GPUs.
--
-- That makes four phases.  "Each thread performs the back projection, regularization
-- and update of one image voxel" (3.2.1), so that voxels are ready one by one: three
-- of them are one kernel, unless fused=no.
--
-- What is not in the document:
--   * A word is 4 bytes.
--   * The image is exchanged once per subset, 24 times an iteration.  The text
--     can be read as once an iteration.  The choice was made after seeing the
--     printed speedups: with one exchange, copies would equal compute at 30
--     GPUs; it prints 12.  So these numbers do not test that choice.
--   * How much of the compute is forward projection.  Each phase can hide only
--     its own exchange, so with one half near-ideal scaling ends at 9 GPUs; the
--     printed 12 needs 11 %, forward projection's part of the bytes.

-- params/bench/apps/ct.cu is a program with the same exchanges, of one slice
-- from parallel beams (flat=yes): the image is a square, a phase's arithmetic is
-- the points that its rays pass, counted, and 32 bins or a row are one unit.

local gs = require "gpuscale"

-- Counted with params/traces/projector.c at the printed sizes, 512^3 voxels and 7256
-- views of 64 x 888 (3000 rays, 2000 voxels drawn): voxels that a ray meets in each
-- plane, and bins that a voxel's shadow has, in the mean over all views, most of
-- which do not see it.
local CORNERS, SHADOW = 2.99, 0.80
local NEIGHBOURS = 26 -- of a voxel, for the regulariser

return gs.workload {
  name = "ct",
  summary = "CT reconstruction with ordered subsets, two exchanges per subset",

  knobs = {
    subsets  = gs.knob { default = 24, least = 1, whole = true,
                         doc = "ordered subsets of an iteration" },
    views    = gs.knob { default = 7256, least = 1, whole = true,
                         doc = "projections" },
    rows     = gs.knob { default = 64, least = 1, whole = true,
                         doc = "detector rows" },
    channels = gs.knob { default = 888, least = 1, whole = true,
                         doc = "detector channels" },
    image    = gs.knob { default = 512, least = 1, most = 16384, whole = true,
                         doc = "voxels per edge of the image" },
    word     = gs.knob { default = 4, least = 1, most = 16, whole = true,
                         doc = "bytes per detector bin and per voxel" },
    threads  = gs.knob { default = 0, least = 0, most = 1, whole = true,
                         doc = "1: one host thread for all GPUs; " ..
                               "0: one for each" },
    fused    = gs.knob { default = true,
                         doc = "a thread projects back, regularises and " ..
                               "updates its voxel; no: a kernel for each" },
    flat     = gs.knob { default = false,
                         doc = "one slice, the program in params/bench" },
    forward  = gs.knob { default = 0.0951, least = 0.01, most = 0.99,
                         doc = "share of the compute in forward projection" },
  },

  -- One host thread goes through the GPUs and copies for one after the other
  -- ([Diss22] Listing IV.1, 3.4.1).  On four K40m the parts are uneven: 1.133 is
  -- fitted to C-026.  On a V100 the printed time (C-008, C-004, C-026) is as much
  -- shorter as the peak of Table 2.1 is higher: 116.775 s * 1.43 / 7.8.
  -- Even programs make 3 of 4 GPUs without communication; fitted to G-060.
  presets = {
    paper = { threads = 1, ["host.order"] = "phase",
              ["host.blocking"] = "yes" },
    ct = { like = "paper", ["forward.compute.imbalance"] = 1.133,
           ["back.compute.imbalance"] = 1.133 },
    finepack = { like = "paper", t1 = "21.40875 s" },
    gps21 = { like = "paper", t1 = "21.40875 s",
              ["forward.compute.imbalance"] = 1.31,
              ["back.compute.imbalance"] = 1.31 },
    ["gps21-hints"] = { like = "gps21", ["forward.load.prefetch"] = 1,
                        ["back.load.prefetch"] = 1 },
  },

  step = function (k)
    local bins   = math.ceil(k.views * k.rows * k.channels / k.subsets)
    local flat   = k.flat
    local voxels = k.image ^ (flat and 2 or 3)
    local memory = (k.views * k.rows * k.channels + 2 * voxels) * k.word

    -- 20 iterations took 11.25 min on four GPUs, 3.46 times as fast as on one:
    -- 11.25 * 60 s / 20 * 3.46 = 116.78 s, at the printed sizes.  At others the
    -- arithmetic grows with the points of all rays.
    local points = k.views * k.rows * k.channels * k.image
    local scale = points / (7256 * 64 * 888 * 512)
    local t1 = k.t1 > 0 and k.t1 or 116.78 * scale

    -- Only the ratio of the two phases' arithmetic matters, because the time of
    -- both together is given.  The scale is what a K40m's 1.43 Tflop/s could do
    -- in that time.
    local flop = 1.43e12 * t1 / k.subsets
    -- Flat: a ray passes `image` points, a point a ray of each view; with either
    -- about 10 operations on its coordinates and a sum.
    if flat then flop = 2 * 10 * bins * k.image end
    local function share (x)
      if flat then return gs.derived(flop / 2) end
      return gs.fitted(x * flop, "C-033: the document gives no shares")
    end

    -- What a kernel after the first reads for each voxel, and its operations: 10 of
    -- back projection for each bin, 5 for each neighbour, 6 to update.
    local fused = flat or k.fused
    local precision = { precision = flat and "fp32" or "fp64" }
    local seen = (flat and 1 or SHADOW) * k.views / k.subsets
    local work = 10 * seen + 5 * NEIGHBOURS + 6

    -- A phase of a thread for each voxel; only the last of them has voxels to send.
    local function last (name, part, reads, publishes)
      return gs.phase {
        name = name, repeats = k.subsets,
        units = flat and k.image or voxels,
        flop = share(part), compute = precision, footprint = memory,
        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent = { block = 256, loads = 4, chunk_of = "grid" },
        to = publishes and "all" or "none",
        publish = publishes and voxels * k.word or 0,
        load = name == "back" and { bytes = 32, count = voxels * reads / 8 } or
               nil,
        blocks = {
          count = voxels / 256,
          residents = flat and 6 or 0,
          -- Flat: a point takes four of the subset's views at a time.
          { path = { { flat and math.ceil(k.views / k.subsets / 4) or 0 } } },
        },
      }
    end

    local timed = not flat and scale == 1 or k.t1 > 0

    return {
      t1 = timed and gs.measured(t1, 0, "11.25 min / 20 * 3.46 on 4 K40m") or nil,
      t1_on = timed and "k40x4 ct-bus" or nil,
      host = { threads = k.threads },

      -- The document takes compute to scale linearly, so the units are as small
      -- as they can be: detector bins and voxels.  A real program deals out
      -- views or slices, which is coarser.
      gs.phase {
        name = "forward", repeats = k.subsets,
        units = flat and math.ceil(bins / 32) or bins,
        flop = share(k.forward), compute = precision, footprint = memory,
        agent = { block = 256, loads = 4, chunk_of = "grid" },
        to = "all", publish = bins * k.word,
        -- One bin per thread, 256 threads.  Flat: 8 threads a bin, so a warp
        -- stores 4.
        store = flat and 4 * k.word or 128,
        -- Flat: 8 threads share a ray and take four points at a time; lanes pass
        -- side by side, so a sector of 32 B serves 8 points.  Else a ray has three
        -- voxels of each plane that it crosses.
        load = { bytes = 32,
                 count = (flat and 1 or CORNERS) * bins * k.image / 8 },
        blocks = {
          count = bins / (flat and 32 or 256),
          residents = flat and 6 or 0, -- 36 to 40 registers a thread
          { path = { { flat and math.ceil(k.image / 32) or 0 } } },
        },
      },
      table.unpack(fused and { last("back", 1 - k.forward, seen, true) } or {
        last("back", (1 - k.forward) * 10 * seen / work, seen),
        last("regularise", (1 - k.forward) * 5 * NEIGHBOURS / work, 0),
        last("update", (1 - k.forward) * 6 / work, 0, true),
      }),
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
