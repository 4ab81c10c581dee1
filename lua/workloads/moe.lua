-- moe.lua - a layer of experts that are dealt to the GPUs: each token goes to its
-- experts and comes back (dispatch and combine), each time by an all-to-all.
--
-- What the experts take is given, never modelled: `gemm`, all of them on one GPU.
-- Some get more tokens than others: the busiest GPU `imbalance` times the mean, of
-- tokens and of products.  An all-to-all is as long as if all GPUs sent what the
-- busiest gets.

local gs = require "gpuscale"

return gs.workload {
  name = "moe",
  summary = "a mixture of experts: tokens to them and back, two all-to-all",

  knobs = {
    tokens = gs.knob { default = 4096, least = 1, most = 16777216, whole = true,
                       doc = "of a step, of all GPUs together" },
    hidden = gs.knob { default = 4096, least = 64, most = 131072, whole = true,
                       doc = "numbers of a token" },
    top    = gs.knob { default = 2, least = 1, most = 64, whole = true,
                       doc = "experts of a token" },
    word   = gs.knob { default = 2, least = 1, most = 4, whole = true,
                       doc = "bytes of a number" },
    imbalance = gs.knob { default = 1.2, least = 1, most = 64,
                          doc = "tokens of the busiest GPU / mean" },
    gemm   = gs.knob { default = "2 ms", unit = "time", least = "1 us",
                       doc = "products of all experts on one GPU, measured" },
  },

  step = function (k)
    local all = k.tokens * k.top * k.hidden * k.word

    return {
      gs.phase { name = "experts", units = 1, bytes = 1, footprint = all,
                 compute = { fixed = k.gemm }, host = { kernels = 2 } },
      schedule = function (g, n)
        local busiest = math.min(1, k.imbalance / n) -- of all tokens
        local function exchange()
          if n > 1 then gs.collective { kind = "all-to-all", bytes = busiest * all } end
        end
        exchange()
        gs.launch("experts", { share = busiest })
        exchange()
        gs.synchronize {}
        gs.barrier()
      end,
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
