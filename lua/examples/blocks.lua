-- blocks.lua - a seven-point stencil on a box that is cut in one, two or three
-- dimensions: `gpuscale predict lua/examples/blocks.lua --system h200x8`.
--
-- N GPUs stand in a line, or in a grid that is as near to a square or a cube as
-- N allows.  A cut across the box is shared by the GPUs that stand along the
-- other dimensions, so the more dimensions are cut, the fewer bytes a GPU sends,
-- in more and smaller faces.

local gs = require "gpuscale"

return gs.workload {
  name = "blocks",
  summary = "seven-point stencil on a box cut in 1 to 3 dimensions",

  knobs = {
    cut = gs.knob { default = 3, least = 1, most = 3, whole = true,
                    doc = "dimensions in which the box is cut" },
    x = gs.knob { default = 512, least = 8, whole = true,
                  doc = "points along the dimension that lies in memory" },
    y = gs.knob { default = 512, least = 8, whole = true, doc = "and across" },
    z = gs.knob { default = 1024, least = 8, whole = true,
                  doc = "planes: cut first" },
    word = gs.knob { default = 4, least = 4, most = 8, whole = true,
                     doc = "bytes per point: 4 or 8" },
    periodic = gs.knob { default = false, doc = "opposite faces are one" },
  },

  step = function (k)
    local points = k.x * k.y * k.z
    local plane, row, column = k.x * k.y, k.x * k.z, k.y * k.z -- points

    return {
      gs.phase {
        name  = "sweep",
        units = ({ k.z, k.z * k.y, points })[k.cut],
        flop  = 7 * points,
        bytes = 2 * points * k.word, -- a read and a write of each
        footprint = 2 * points * k.word,

        to = "neighbours",
        publish = plane * k.word,
        grid = {
          gpus = ({ {0}, {0, 0}, {0, 0, 0} })[k.cut],
          cut  = { plane * k.word, row * k.word, column * k.word },
          periodic = k.periodic,
        },
        -- Faces that do not lie together in memory are put together before
        -- they are stored; that costs nothing here.
        store = 128,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
