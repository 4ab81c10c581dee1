-- template.lua - your program, known by one run on one GPU and what it sends.
--
-- Use it as it is, with -P, or copy it and write your numbers in.  The page
-- docs/tutorials/from-one-run.md does both in ten minutes.  You need:
--
--   t1         the time of one step on one GPU (-P t1=18.6ms)
--   publish    how many bytes of it other GPUs need before their next step
--   to         which others
--
-- and, where you can say it, how the work divides (units, serial), how much
-- memory it takes, and in what pieces the data is written (store).  What you do
-- not know, leave: each default is said.

local gs = require "gpuscale"

return gs.workload {
  name = "template",
  summary = "a program known by its time on one GPU and what it exchanges",

  knobs = {
    kernels = gs.knob { default = 1, least = 1, most = 1e4, whole = true,
                        doc = "kernels launched per step" },

    -- How it divides.  Slabs of a grid: its planes.  Rows of a matrix: rows.
    -- With 1000 units, 3 GPUs get 334, 333 and 333 of them.
    units   = gs.knob { default = 1000000, least = 1, whole = true,
                        doc = "pieces of work that cannot be divided" },
    serial  = gs.knob { default = 0, least = 0, most = 1,
                        doc = "share of the work that every GPU repeats" },
    memory  = gs.knob { default = "1 GB", unit = "bytes", least = "1 B",
                        doc = "all arrays together" },

    -- What others need.  To neighbours: the bytes of one halo; else the bytes
    -- made by all GPUs together, each counted once.
    publish = gs.knob { default = "100 MB", unit = "bytes", least = "0 B",
                        doc = "bytes that others need after each step" },
    to      = gs.knob { default = "all",
                        words = { "none", "neighbours", "all", "random",
                                  "partition" },
                        doc = "nobody, neighbours, all, one GPU at random, " ..
                              "an equal part to each" },

    -- How it is written and moved.
    first   = gs.knob { default = 0, least = 0, most = 1,
                        doc = "share of the step before any of it is ready" },
    store   = gs.knob { default = 128, least = 1, most = 4096,
                        doc = "bytes a warp writes side by side: 128 dense, " ..
                              "4 scattered" },
    copies  = gs.knob { default = 1, least = 1, most = 1e6, whole = true,
                        doc = "pieces to copy for each destination" },
  },

  step = function (k)
    return {
      -- What you measure: the wall time of one step in a steady loop on one
      -- GPU, a median, with the spread of it, and where it comes from.
      t1 = gs.measured("10 ms", "0 s", "your runs"),
      -- host = { threads = 1,   -- one drives all GPUs; default: one each
      --          streams = 2 }, -- copies in flight of each; default: 1

      -- One phase for each moment at which GPUs wait for each other.  If there
      -- are several, t1 is divided among them in proportion to the time that
      -- their `bytes` and `flop` would take.
      gs.phase {
        name    = "step",
        host    = { kernels = k.kernels },
        units   = k.units,
        compute = { serial = k.serial },
        -- With t1 given, only how these change with N matters: here each GPU
        -- reads and writes its share of the memory.  Put `flop` instead for a
        -- program that is bound by arithmetic.
        bytes     = k.memory,
        footprint = k.memory,

        to      = k.to,
        -- A number you are not sure of: say so, and predictions show it, here
        -- gs.assumed("100 MB", {"80 MB", "200 MB"}, "depends on...").
        publish = { bytes = k.publish, copies = k.copies },
        store   = { size = { { k.store, 1, k.store < 32 and "partial" or nil } } },
        -- What its thread blocks do, in the order they run.
        blocks  = { { share = k.first }, { publishes = 1 } },

        -- More that can be said, with its default (`gpuscale list fields`):
        -- publish = { rewrites = 1,  -- stores per byte before anyone needs it
        --   read = 1,                -- share of the bytes that is read
        --   copies = { 1, 1 },       -- and bytes they move / bytes needed
        --   pack = { kernels = 1, bytes = "1 GB" } },
        --                            -- what copies of whole pieces need besides
        -- compute = { imbalance = 1 }, -- work of the busiest GPU / mean
        -- blocks = { count = 1000, -- thread blocks of the whole problem
        --   threads = 256 },       -- of each
      },
    }
  end,
}
