-- sgd.lua - gradient descent on a network of two layers, its batch dealt to the
-- GPUs: in a step all of them add up the gradient of all weights.
--
-- As params/bench/apps/sgd.cu: 256 numbers in and 256 out, `wide` between them,
-- products by the kernels of the program itself, tiles of 64 x 64.

local gs = require "gpuscale"

return gs.workload {
  name = "sgd",
  summary = "training of a two-layer network: a sum of all gradients a step",

  knobs = {
    batch = gs.knob { default = 4096, least = 1, most = 1048576, whole = true,
                      doc = "samples of a step, of all GPUs together" },
    wide  = gs.knob { default = 1024, least = 1, most = 32768, whole = true,
                      doc = "numbers between the layers" },
    word  = gs.knob { default = 4, least = 4, most = 4, whole = true,
                      doc = "bytes of a number: 4" },
  },

  -- Each GPU keeps its number of samples.
  weak = function () return { batch = 1 } end,

  step = function (k)
    local inputs, outputs = 256, 256
    local weights = k.wide * (inputs + outputs) * k.word -- bytes
    local samples = k.batch * (inputs + 2 * outputs + 2 * k.wide) * k.word

    -- Blocks of a product: tiles of 64 x 64.  Those of samples are dealt; of a
    -- gradient every GPU has all, each a sum over its samples.
    local function tiles(m, n) return math.ceil(m / 64) * math.ceil(n / 64) end

    return {
      gs.phase {
        name  = "learn",
        units = k.batch,
        -- Two products with the first layer's weights, three with the second's:
        -- a multiplication and an addition each.
        flop  = 2 * k.batch * k.wide * (2 * inputs + 3 * outputs),
        bytes = 2 * samples, -- each is written once and read once, or more
        footprint = samples + 2 * weights,
        host  = { kernels = 5 },
        reduce = weights,
        -- Each chunk is all of its blocks', one after the other (params/bench/agent.cuh).
        agent = { block = 256, loads = 4, chunk_of = "grid" },
        store  = 64, -- 16 lanes of 4 bytes: half a warp writes a row
        -- Of five products, each as much arithmetic, the third makes the
        -- gradient of the second layer, the last that of the first.
        blocks = {
          { share = 0.2, count = tiles(k.batch, k.wide) },
          { share = 0.2, count = tiles(k.batch, outputs) },
          { share = 0.2, each = tiles(k.wide, outputs), publishes = 0.5,
            row = tiles(64, outputs) },
          { share = 0.2, count = tiles(k.batch, k.wide) },
          { share = 0.2, each = tiles(inputs, k.wide), publishes = 0.5,
            row = tiles(64, k.wide) },
        },
      },
      gs.phase {
        name  = "move", -- w -= rate * gradient, on every GPU
        flop  = 2 * weights / k.word,
        bytes = 3 * weights,
        footprint = 2 * weights,
        compute = { serial = 1 },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
