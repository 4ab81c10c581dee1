-- template.lua - your program, known by one run on one GPU and what it sends.
--
-- Use it as it is, with -P, or copy it and write your numbers in.  README.md
-- beside it walks through both in ten minutes.  You need:
--
--   t1         the time of one step on one GPU
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
    -- What you measure: the wall time of one step in a steady loop on one GPU,
    -- a median, with the spread of it.
    t1      = gs.knob { default = "10 ms", unit = "time", least = "1 us",
                        doc = "time of one step on one GPU" },
    spread  = gs.knob { default = "0 s", unit = "time", least = "0 s",
                        doc = "standard error of t1" },
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
    to      = gs.knob { default = 2, least = 0, most = 4, whole = true,
                        doc = "0 nobody, 1 neighbours, 2 all, 3 one GPU at " ..
                              "random, 4 an equal part to each" },

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
    local patterns = { "neighbours", "all", "random", "partition" }

    return {
      -- A file of your own says here where the number comes from.
      single = gs.measured(k.t1, k.spread, "given as t1"),
      -- threads = 1,   -- one host thread drives all GPUs; default: one each
      -- streams = 2,   -- copies in flight of each thread; default: 1

      -- One phase for each moment at which GPUs wait for each other.  If there
      -- are several, t1 is divided among them in proportion to the time that
      -- their `bytes` and `flop` would take.
      gs.phase {
        name    = "step",
        kernels = k.kernels,
        units   = k.units,
        serial  = k.serial,
        -- With t1 given, only how these change with N matters: here each GPU
        -- reads and writes its share of the memory.  Put `flop` instead for a
        -- program that is bound by arithmetic.
        bytes     = k.memory,
        footprint = k.memory,

        to      = k.to == 0 and "none" or patterns[k.to],
        publish = k.publish,
        copies  = k.copies,
        store   = k.store,
        masked  = k.store < 32,
        ready   = { {0, 0}, {k.first, 0}, {1, 1} },

        -- More that can be said, with its default:
        -- rewrites = 1,    -- stores per byte before anyone needs it
        -- read = 1,        -- share of the published bytes that is read
        -- over = 1,        -- bytes that bulk copies move / bytes needed
        -- compute_max = 1, -- work of the busiest GPU / mean
        -- block = 4096,    -- bytes that one thread block publishes
        -- extra = { memcpy = { kernels = 1, bytes = "1 GB" } },
        --                  -- kernels that one way of moving data needs

        -- A number you are not sure of: say so, and predictions show it.
        -- publish = gs.assumed("100 MB", {"80 MB", "200 MB"}, "depends on..."),
      },
    }
  end,
}
