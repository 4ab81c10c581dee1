-- publish.lua - a host of its own, and every way of moving data: jacobi whose host
-- waits for nobody.  GPUs follow each other by events, a step ahead; the norm goes
-- to the host each step and is read a step late.
--
--     gpuscale predict lua/examples/publish.lua --system h200x8
--
-- `gs.publish` stands where the program moves its rows; each paradigm puts its
-- copies, stores or loads there.  With `-P chained=no` the host waits for each
-- step instead, as `host = { waits = "phase" }` of jacobi.lua says in short.

local gs = require "gpuscale"

return gs.workload {
  name = "publish",
  summary = "five-point stencil, host threads that run ahead of the GPUs",

  knobs = {
    n       = gs.knob { default = 2048, least = 8, most = 65536, whole = true,
                        doc = "points per edge" },
    chained = gs.knob { default = true,
                        doc = "events between GPUs, else the host waits" },
  },

  step = function (k)
    local points, row = k.n ^ 2, 4 * k.n -- bytes of a row
    local grid = 4 * points

    local function meet ()
      gs.launch("sweep")
      gs.publish("sweep")
      gs.synchronize {}
      gs.barrier()
    end

    local function chain (g, n, i)
      for j = g - 1, g + 1, 2 do -- whose rows it reads have sent them
        if j >= 0 and j < n then gs.wait("done" .. 1 - i, { of = j }) end
      end
      gs.launch("sweep")
      gs.publish("sweep")
      gs.record("done" .. i)
      gs.copy { kind = "d2h", bytes = 4 }
      gs.record("norm" .. i)
      gs.synchronize { event = "norm" .. 1 - i }
    end

    return {
      schedule = function (g, n, i)
        if k.chained then chain(g, n, i) else meet() end
      end,

      gs.phase {
        name  = "sweep",
        units = k.n, -- rows
        flop  = 5 * points,
        bytes = 2 * grid,
        footprint = 2 * grid, -- the old and the new grid

        to      = "neighbours",
        publish = row,
        store   = 128,
        blocks  = {
          count = points / 1024,
          { share = 1 / k.n, per = "face", publishes = 1 }, -- both come first
          {},
        },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
