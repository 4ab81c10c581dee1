-- taped.lua - whatever step() may do with a knob that stays arithmetic.
local gs = require "gpuscale"
--[[ a == b, [k] ]] local text = "n == 3 [n] --"
local by = { [1] = 2, [2] = 8, ["x"] = 5 }
local longest = [==[ a ~= [[b]] ]==]
return gs.workload {
  name = "odd",
  knobs = {
    n = gs.knob { default = 64, least = 1, most = 1000, whole = true },
    f = gs.knob { default = 0.5, least = 0, most = 100 },
    b = gs.knob { default = "1 MB", unit = "bytes" },
  },
  step = function (k)
    local blocks = math.ceil(k.n / 32) * 3 - 1
    local even = k.n % 2 == 0 and 1 or 2
    local third = (k.n // 3) + math.max(k.f, 1, k.n / 100) - math.min(k.f, 2)
    local eight = k.n == 8 and 7 or (8 ~= k.n and 1 or 3)
    local power = k.n ^ 2 + 2 ^ k.f + k.n ^ 0.5 - -k.n
    local logs = math.log(k.n + 1) + math.log(k.n + 1, 2) + math.log(k.n, 3)
    local more = math.sqrt(k.f) + math.exp(-k.f) + math.abs(k.f - 1) + blocks
    local near = not (k.f >= 1) and k.f < 0.75 or k.f == 4
    return {
      gs.phase { name = "one", units = math.max(1, math.floor(k.f)) + k.n,
                 flop = 1e6 * power, bytes = k.b * logs, footprint = k.b,
                 to = "neighbours", publish = { bytes = 4096 * more * by[2],
                 copies = math.max(1, third) },
                 blocks = { count = blocks * 10,
                            { share = 1 / (k.n + 1), per = "face", publishes = 1 }, {} } },
      gs.phase { name = "two", flop = 1e8 * eight, bytes = even * k.b,
                 publish = near and k.b or 4096 + k.f, to = "all" },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
