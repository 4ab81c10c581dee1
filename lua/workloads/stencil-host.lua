-- stencil-host.lua - a stencil that sends its faces by peer copies, and what its
-- host does around them: the styles of params/bench/styles.cuh, call by call.
--
-- Its kernels and bytes are those of jacobi.lua (dims = 2: a square in rows; 3: a
-- cube in planes), its knobs those by which the rows of its runs name a style:
--
--   per-gpu    (none)                       kernel, copies, a wait, a barrier
--   one        threads=1                    one thread, GPU after GPU
--   barriers3  barriers=3                   barriers behind kernel and issue too
--   barriers7  barriers=7                   and around either copy
--   chained    threads=1 waits=0            events between GPUs, no wait at all
--   norm       norm=1                       the largest change, read at once
--   norm-late  threads=1 waits=0 norm=2     ... read a step late
--   fetch      fetch=65536                  so many bytes to the host each step
--
-- All is issued to one stream of a GPU.

local gs = require "gpuscale"

return gs.workload {
  name = "stencil-host",
  summary = "stencil with peer copies, host styles as a schedule of its own",

  knobs = {
    dims = gs.knob { default = 2, least = 2, most = 3, whole = true,
                     doc = "dimensions of the grid" },
    n    = gs.knob { default = 2048, least = 8, most = 65536, whole = true,
                     doc = "points per edge" },
    word = gs.knob { default = 4, least = 4, most = 8, whole = true,
                     doc = "bytes per point: 4 or 8" },
    threads  = gs.knob { default = 0, least = 0, most = 1, whole = true,
                         doc = "1: one host thread for all GPUs; " ..
                               "0: one for each" },
    barriers = gs.knob { default = 1, least = 1, most = 7, whole = true,
                         doc = "of the host threads in a step: 1, 3 or 7" },
    waits    = gs.knob { default = 1, least = 0, most = 1, whole = true,
                         doc = "0: the host never waits for its copies" },
    norm     = gs.knob { default = 0, least = 0, most = 2, whole = true,
                         doc = "1: of each step, read at once; 2: late" },
    fetch    = gs.knob { default = 0, least = 0, whole = true,
                         doc = "bytes copied to the host in each step" },
  },

  -- Each GPU keeps its number of points.
  weak = function (k) return { n = 1 / k.dims } end,

  step = function (k)
    local points = k.n ^ k.dims
    local face   = k.n ^ (k.dims - 1) * k.word -- bytes of one cut face
    local grid   = points * k.word
    local chained = k.waits == 0

    if k.barriers ~= 1 and k.barriers ~= 3 and k.barriers ~= 7 then
      error("barriers: 1, 3 or 7")
    end
    if k.barriers > 1 and (k.threads == 1 or chained) then
      error("barriers: between the threads of several GPUs that wait")
    end
    if chained ~= (k.norm == 2) and k.norm > 0 or chained and k.threads == 0 then
      error("waits = 0: with threads = 1, and norm = 0 or 2; norm = 2: with it")
    end

    -- The kernel, and what is behind it in its stream.
    local function compute(n)
      gs.launch("sweep")
      if k.norm > 0 then
        gs.memset { bytes = 4 }
        gs.launch("change")
        gs.copy { kind = "d2h", bytes = 4 }
      end
      if k.fetch > 0 then
        gs.copy { kind = "d2h", bytes = math.min(k.fetch, grid / n) }
      end
    end

    -- One of its faces, if there is somebody to send it to.
    local function send(g, n, side)
      local to = g + side
      if to >= 0 and to < n then gs.copy { to = to, bytes = face } end
    end

    -- A GPU's kernel follows the last step of those that it exchanges faces
    -- with: they have read what it overwrites, and sent what it reads.
    local function chain(g, n, i)
      for j = g - 1, g + 1, 2 do
        if j >= 0 and j < n then gs.wait("done" .. 1 - i, { of = j }) end
      end
      compute(n)
      if k.norm > 0 then gs.record("read" .. i) end
      send(g, n, -1)
      send(g, n, 1)
      gs.record("done" .. i)
      gs.barrier() -- all GPUs are issued to before any norm is read
      if k.norm > 0 then gs.synchronize { event = "read" .. 1 - i } end
    end

    local function meet(g, n)
      compute(n)
      if k.barriers == 7 then gs.barrier() end
      if k.barriers > 1 then
        gs.synchronize {}
        gs.barrier()
      end
      for side = -1, 1, 2 do
        send(g, n, side)
        if k.barriers == 7 then
          gs.barrier()
          gs.synchronize {}
          gs.barrier()
        end
      end
      if k.barriers == 3 or k.threads == 1 then gs.barrier() end
      if k.barriers < 7 then gs.synchronize {} end
      gs.barrier()
    end

    local phases = {
      host = { threads = k.threads == 1 and "one" or "per gpu" },
      schedule = function (g, n, i)
        if chained then chain(g, n, i) else meet(g, n) end
      end,

      gs.phase {
        name  = "sweep",
        units = k.n, -- rows or planes
        flop  = (2 * k.dims + 1) * points, -- as jacobi.lua counts it
        compute = { precision = k.word > 4 and "fp64" or "fp32" },
        bytes = 2 * grid,
        footprint = 2 * grid,
      },
    }
    if k.norm > 0 then
      phases[2] = gs.phase {
        name  = "change",
        units = k.n,
        flop  = 3 * points, -- a difference, its size, the larger one
        compute = { precision = k.word > 4 and "fp64" or "fp32" },
        bytes = 2 * grid, -- both versions are read
        footprint = 2 * grid,
      }
    end
    return phases
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
