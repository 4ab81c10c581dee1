-- moe.lua - a layer of experts that are dealt to the GPUs: each token goes to its
-- experts and comes back (dispatch and combine), each time by an all-to-all.
--
-- What a step takes on one GPU is given: `gemm`, of all experts, which as shipped is
-- an H200's, and as such is carried to others by the bandwidth of their memory.
-- Some get more tokens than others: the busiest GPU `imbalance` times the mean, of
-- tokens and of products.  An all-to-all is as long as if all GPUs sent what the
-- busiest gets.

local gs = require "gpuscale"

local SHIPPED, RATE = 2e-3, 4.1e12 -- s; B/s of an H200's memory

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
                       doc = "a step of one GPU, measured; the default is an H200's" },
  },

  step = function (k)
    local all = k.tokens * k.top * k.hidden * k.word
    local bytes = k.gemm * RATE

    return {
      t1 = gs.measured(k.gemm, 0, "knob gemm"),
      t1_on = k.gemm == SHIPPED and "h200x4 h200x2 h200x8" or nil,
      gs.phase { name = "experts", units = 1, footprint = all, host = { kernels = 2 },
                 bytes = gs.assumed(bytes, { bytes / 1.6, bytes * 1.6 },
                                    "tensor cores differ by up to 1.7 times more than memories") },
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
