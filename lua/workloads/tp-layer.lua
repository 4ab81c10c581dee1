-- tp-layer.lua - a layer of a transformer whose weights are dealt to the GPUs
-- (tensor-parallel): two groups of products, behind each an all-reduce of what
-- all tokens have.
--
-- What a step takes on one GPU is given: `gemm`, which as shipped is an H200's, and
-- as such is carried to others by the bandwidth of their memory.  `half` is what is left of it
-- where each GPU has half of the weights; measure both, for few tokens, which wait
-- for weights, leave more than half.  A product of n GPUs takes gemm half^log2(n).  As params/bench/apps/tplayer.cu: a third of the
-- products' arithmetic is before the first sum (attention), the rest before the
-- second (feed forward).
--
-- Decode: `tokens` is the batch.  Prefill: batch times length of the prompts.

local gs = require "gpuscale"

local SHIPPED = 407e-6 -- s, data/h200x2/layer

return gs.workload {
  name = "tp-layer",
  summary = "a tensor-parallel transformer layer: two all-reduces of all tokens",

  knobs = {
    tokens = gs.knob { default = 64, least = 1, most = 1048576, whole = true,
                       doc = "of a step: the batch in decode, all prompts in prefill" },
    hidden = gs.knob { default = 8192, least = 64, most = 131072, whole = true,
                       doc = "numbers of a token" },
    word   = gs.knob { default = 2, least = 1, most = 4, whole = true,
                       doc = "bytes of a number" },
    gemm   = gs.knob { default = "407 us", unit = "time", least = "1 us",
                       doc = "a step of one GPU, measured; the default is an H200's" },
    half   = gs.knob { default = 0.55, least = 0.3, most = 1,
                       doc = "of that with half of the weights, measured" },
  },

  step = function (k)
    local sum = k.tokens * k.hidden * k.word

    local function products(name, share)
      local weights = share * 12 * k.hidden ^ 2 * k.word

      return gs.phase { name = name, units = 1, bytes = weights, footprint = weights,
                        host = { kernels = 2 } }
    end

    return {
      t1 = gs.measured(k.gemm, 0, "knob gemm"),
      t1_on = k.gemm == SHIPPED and "h200x4 h200x2 h200x8" or nil,
      products("attend", 1 / 3),
      products("feed", 2 / 3),
      schedule = function (g, n)
        local left = k.half ^ (math.log(n) / math.log(2))
        for _, name in ipairs { "attend", "feed" } do
          gs.launch(name, { share = left })
          if n > 1 then gs.collective { kind = "all-reduce", bytes = sum } end
        end
        gs.synchronize {}
        gs.barrier()
      end,
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
