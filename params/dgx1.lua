-- dgx1.lua - DGX-1 with eight P100 GPUs: the hybrid cube mesh of NVLink 1.
--
-- Two quads in which every pair has a link, and a link from GPU i to GPU i + 4.
-- The other twelve pairs have none and copy through the host's memory.  The
-- matrix and the copies were measured by others (Tartan, IISWC 2018); all else is
-- projected from Hopper.
--
-- Stores to a GPU without a link are not possible on this machine: what needs
-- them is refused where a program sends to such a GPU.

local gs = require "gpuscale"
local spec, measured, assumed = gs.spec, gs.measured, gs.assumed

return gs.project {
  name       = "dgx1",
  summary    = "DGX-1: eight P100 GPUs, hybrid cube mesh of NVLink 1",
  from       = { "h200x8", "h200x4", "h200x2", "h100x2" },
  device     = "p100",
  gpus       = 8,
  topology   = gs.topology {
    kind     = "mesh",
    per_link = spec("20 GB/s", "NVLink 1: 8 lanes of 20 Gb/s"),
    links    = {
      { 0, 1, 1, 1,  1, 0, 0, 0 },
      { 1, 0, 1, 1,  0, 1, 0, 0 },
      { 1, 1, 0, 1,  0, 0, 1, 0 },
      { 1, 1, 1, 0,  0, 0, 0, 1 },

      { 1, 0, 0, 0,  0, 1, 1, 1 },
      { 0, 1, 0, 0,  1, 0, 1, 1 },
      { 0, 0, 1, 0,  1, 1, 0, 1 },
      { 0, 0, 0, 1,  1, 1, 1, 0 },
    },
    -- Two GPUs behind one PCIe switch that copy both ways at once share its
    -- uplink, as they do when all eight copy: 10.61 GB/s together.  Here in
    -- bytes of NVLink's format: 10.61 / 2 / (0.981 * 16/17).
    staged = measured("5.75 GB/s", "0.6 GB/s",
                      "uuudown/Tartan, scale_up_p2p_test, no peer access"),
  },
  can        = { peer = "atomics", managed = true, device_launch = true },
  link       = "nvlink1", -- four links of 20 GB/s
  copy_sizes = { "1 B", "256 MiB" },

  copy = {
    -- 18.47 GB/s of one link, one way or both, over 18.82 (16 of 17 flits)
    efficiency = measured(0.981, 0.005, "uuudown/Tartan, scale_up_p2p_test"),
    contended  = assumed(0.92, { 0.67, 1 }, "h200x4: 0.74; here own links"),
    -- one of many small copies in a row
    initiation = measured("9.84 us", "0.24 us",
                          "uuudown/Tartan, scale_up_p2p_packet"),
  },

  store = {
    -- NCCL reckons with 18 GB/s of a link; 8 of 9 flits are 17.8 GB/s
    efficiency = assumed(1, { 0.9, 1 },
                         "NCCL, graph/topo.h: 18 GB/s a link on SM60"),
  },
}
-- SPDX-License-Identifier: GPL-3.0-or-later
