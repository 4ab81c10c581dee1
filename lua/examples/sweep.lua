-- sweep.lua - from what size on does Jacobi profit from eight GPUs, and how
-- should it move its halos?          gpuscale run lua/examples/sweep.lua
--
-- A script may call what a description may, and gs.predict, gs.rows and print.

local gs = require "gpuscale"

-- The fastest row that moves data.
local function best (rows)
  local found
  for _, r in ipairs(rows) do
    if r.paradigm ~= "infinite" and (not found or r.time_s < found.time_s) then
      found = r
    end
  end
  return found
end

local list = {}
for _, n in ipairs { 64, 128, 256, 512, 1024 } do
  local row = best(gs.predict {
    workload = "jacobi", system = "h200x8", gpus = 8, set = { n = n },
  })
  row.n = n -- a column of our own
  list[#list + 1] = row
end

gs.rows(list, { "n", "paradigm", "time_s", "speedup", "efficiency", "bound" })
-- SPDX-License-Identifier: GPL-3.0-or-later
