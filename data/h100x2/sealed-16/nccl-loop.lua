-- nccl-loop.lua - twenty collectives in a row, then a wait: what NCCL's own tests
-- and params/bench/nccl.cu time, the sizes as they state them.

local gs = require "gpuscale"

local kinds = { "all-reduce", "all-gather", "reduce-scatter", "broadcast", "reduce",
                "all-to-all", "send-recv" }

return gs.workload {
  name = "nccl-loop",
  summary = "twenty collectives in a row",

  knobs = {
    kind = gs.knob { default = 1, least = 1, most = 7, whole = true,
                     doc = "all-reduce, all-gather, reduce-scatter, broadcast, " ..
                           "reduce, all-to-all, send-recv" },
    bytes = gs.knob { default = 1048576, least = 4, whole = true,
                      doc = "of the whole array; of a pair; of what one sends" },
  },

  step = function (k)
    return {
      -- A phase that does nothing: a description must have one.
      gs.phase { name = "none", units = 1, flop = 1, bytes = 1, footprint = 1 },
      host = { threads = "one" },
      schedule = function (g, n)
        gs.launch("none")
        for _ = 1, 20 do
          -- All-to-all: of a GPU's whole array.
          local bytes = kinds[k.kind] == "all-to-all" and n * k.bytes or k.bytes
          gs.collective { kind = kinds[k.kind], bytes = bytes }
          gs.barrier() -- one thread: now for the next GPU
        end
        gs.synchronize {}
      end,
    }
  end,
}
