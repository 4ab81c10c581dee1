-- gh200x4.lua - four GH200 of a node: each GPU joined to each other one by six links
-- of NVLink 4, each with a Grace CPU of its own.
--
-- Nobody measured it here: projected from Hopper. Its hosts are taken to be as those
-- of x86 machines; copies to them go by NVLink-C2C, which is not described.

local gs = require "gpuscale"
local spec, assumed = gs.spec, gs.assumed

return gs.project {
  name     = "gh200x4",
  summary  = "four GH200 of a node, six links of NVLink 4 between any two",
  from     = { "h200x8", "h200x4", "h200x2", "h100x4", "h100x2" },
  device   = "gh200",
  gpus     = 4,
  topology = gs.topology {
    kind = "mesh", per_link = spec(1 / 18, "six of eighteen links to each"),
    links = { { 0, 6, 6, 6 }, { 6, 0, 6, 6 }, { 6, 6, 0, 6 }, { 6, 6, 6, 0 } },
  },
  can      = { peer = "atomics", managed = true, device_launch = true },
  link     = "nvlink4",

  -- No watt of such a node was measured. A module, with CPU and its memory, may draw
  -- 1000 W: Hopper (microarchitecture), wikimili.com.
  power = {
    gpu_busy      = assumed("561 W", { "421 W", "701 W" }, "as measured on h100x2, the same die"),
    gpu_idle      = assumed("121 W", { "81 W", "161 W" }, "as measured on h100x2"),
    link          = assumed("407 pJ/B", { "207 pJ/B", "607 pJ/B" }, "as measured on h100x2, by NVLink 4 too"),
    host_busy     = assumed("150 W", { "60 W", "240 W" }, "a part of the 300 W that the GPU's 700 leave it"),
    host_asleep   = assumed("60 W", { "25 W", "95 W" }, "idle"),
    memory_busy   = assumed("20 W", { "5 W", "35 W" }, "LPDDR5X, of the module"),
    memory_asleep = assumed("8 W", { "2 W", "14 W" }, "refreshed"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
