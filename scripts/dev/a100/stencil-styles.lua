-- stencil-styles.lua - a Jacobi stencil on a ring of GPUs, in the four host styles
-- of ParCoreLab's CPU-Free-model, call by call.
--
-- One host thread a GPU, two barriers of them in a step; cut along the last axis,
-- each GPU sends its first and last plane (row in 2-D) to its two neighbours.
--
--   copy     style=0  waits for what the neighbours sent; one kernel; a barrier;
--                     a peer copy in each of two further streams; a barrier
--   overlap  style=1  the interior's kernel beside one boundary kernel a side, each
--                     with its copy in a stream of its own
--   p2p      style=2  one kernel that stores into the neighbours' memory
--   nvshmem  style=3  a process a GPU: a kernel that puts, a small one that signals
--
-- copy and overlap are run by `schedule`, p2p and nvshmem by `inline`.

local gs = require "gpuscale"

return gs.workload {
  name = "stencil-styles",
  summary = "stencil on a ring of GPUs: copies, copies beside, peer stores, puts",

  knobs = {
    dims  = gs.knob { default = 2, least = 2, most = 3, whole = true,
                      doc = "dimensions of the grid" },
    n     = gs.knob { default = 16384, least = 8, most = 65536, whole = true,
                      doc = "points per edge" },
    style = gs.knob { default = 0, least = 0, most = 3, whole = true,
                      doc = "0: copy, 1: overlap, 2: p2p, 3: nvshmem" },
    compute = gs.knob { default = 1, least = 0, most = 1, whole = true,
                        doc = "0: the kernels touch nothing" },
  },

  step = function (k)
    local points = k.n ^ k.dims
    local face   = k.n ^ (k.dims - 1) * 4 -- bytes
    local sides  = { { -1, "up", "down" }, { 1, "down", "up" } }

    local function send(g, n, side)
      local to = (g + side[1]) % n
      gs.copy { to = to, bytes = face, stream = side[2] }
    end

    -- What the neighbour sent here in the step before: its other side.
    local function arrived(g, n, i, side, stream)
      gs.wait(side[3] .. 1 - i, { of = (g + side[1]) % n, stream = stream })
    end

    local function copies(g, n, i)
      for _, side in ipairs(sides) do arrived(g, n, i, side, "main") end
      gs.launch("sweep")
      gs.record("swept" .. i)
      gs.barrier()
      for _, side in ipairs(sides) do
        gs.wait("swept" .. i, { stream = side[2] })
        send(g, n, side)
        gs.record(side[2] .. i, { stream = side[2] })
      end
      gs.barrier()
    end

    local function overlap(g, n, i)
      local edge = math.min(n / k.n, 0.25) -- of a GPU's planes

      gs.launch("sweep", { share = 1 - 2 * edge })
      gs.record("swept" .. i)
      gs.barrier()
      for _, side in ipairs(sides) do
        gs.wait("swept" .. 1 - i, { stream = side[2] })
        arrived(g, n, i, side, side[2])
        gs.launch("sweep", { share = edge, stream = side[2] })
        send(g, n, side)
        gs.record(side[2] .. i, { stream = side[2] })
      end
      gs.barrier()
    end

    local function stores(g, n, i)
      for _, side in ipairs(sides) do
        gs.wait("done" .. 1 - i, { of = (g + side[1]) % n })
      end
      gs.launch("sweep")
      gs.publish("sweep")
      if k.style == 3 then gs.memset { bytes = 4 } end -- the signal
      gs.record("done" .. i)
      gs.barrier()
      if k.style == 2 then gs.barrier() end
    end

    return {
      host = { threads = "per gpu", streams = { "main", "up", "down" } },
      schedule = function (g, n, i)
        if k.style == 0 then copies(g, n, i)
        elseif k.style == 1 then overlap(g, n, i)
        else stores(g, n, i) end
      end,
      gs.phase {
        name  = "sweep",
        units = k.n, -- rows or planes
        flop  = k.compute * (2 * k.dims + 1) * points,
        compute = { precision = "fp32" },
        bytes = k.compute == 1 and 8 * points or 1,
        footprint = 8 * points,
        to = "neighbours",
        publish = k.style > 1 and face or 0,
        store = 128,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
