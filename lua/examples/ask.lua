-- ask.lua - how much faster must the links be, and what is gained on the way?
--                                      gpuscale run lua/examples/ask.lua
--
-- gs.solve says at which value a target is reached, gs.sweep what is predicted
-- at many values; both take what gs.predict takes, and return lists.

local gs = require "gpuscale"

local what = { workload = "jacobi", system = "h200x8", gpus = 4,
               paradigm = "memcpy" }

-- One question with more said in it.
local function ask (call, more)
  for key, value in pairs(what) do more[key] = value end
  return call(more)
end

local found, holds = ask(gs.solve,
  { ["for"] = "rate", ["until"] = "opportunity=0.8" })
if #found == 0 then
  print(holds and "80 % of the ideal at any rate" or "never 80 % of the ideal")
end
for _, f in ipairs(found) do
  print(string.format("80 %% of the ideal %s %.3g GB/s", f.holds, f.value / 1e9))
end

-- From a quarter of that to four times.
local rate = #found > 0 and found[1].value or 450e9
local rows = ask(gs.sweep, {
  over = { ["link.rate"] = string.format("%.6g B/s..%.6g B/s,log,5", rate / 4,
                                         rate * 4) },
})
gs.rows(rows, { "link.rate_Bps", "time_s", "efficiency", "opportunity",
                "bound" })
-- SPDX-License-Identifier: GPL-3.0-or-later
