-- counted.lua - what a program publishes in one phase, by the counts of
-- `params/traces/PROGRAM --count`; its compute is left out.
--
-- It is for bytes on the wire: which way of moving data makes how many of them.

local gs = require "gpuscale"

local function share (default, doc)
  return gs.knob { default = default, least = 0, most = 1, doc = doc }
end

return gs.workload {
  name = "counted",
  summary = "bytes published by a program, as its trace counts them",

  knobs = {
    publish  = gs.knob { default = "1 MB", unit = "bytes", least = "1 B",
                         doc = "bytes that others need, once each" },
    s4       = share(0, "share of stores of 4 B, as they leave an SM"),
    s8       = share(0, "of 8 B"),
    s16      = share(0, "of 16 B"),
    s32      = share(0, "of 32 B"),
    s64      = share(0, "of 64 B"),
    s128     = share(1, "of 128 B; the shares are made to add up to 1"),
    rewrites = gs.knob { default = 1, least = 1,
                         doc = "stores of a byte before it is needed" },
    spread   = gs.knob { default = "0 B", unit = "bytes", least = "0 B",
                         doc = "array that stores scatter over; 0: in order" },
    reuse    = gs.knob { default = "0 B", unit = "bytes", least = "0 B",
                         doc = "in order: bytes of lines before stores come " ..
                               "back to one; 0: all of them" },
    j16      = share(0, "share that lies next to an earlier store, with " ..
                        "fewer than 16 other lines in between"),
    j32      = share(0, "with 16 to 31"),
    j64      = share(0, "with 32 to 63"),
    j128     = share(0, "with 64 to 127"),
    j256     = share(0, "with 128 to 255"),
    to       = gs.knob { default = "subscribers",
                         words = { "subscribers", "random" },
                         doc = "whoever needs it, or the program names a " ..
                               "GPU, any of them, itself too" },
    atomic   = gs.knob { default = false, doc = "they are atomic updates" },
    block    = gs.knob { default = "4 KiB", unit = "bytes", least = "4 B",
                         doc = "bytes that are needed by the same others" },
    needed1  = share(1, "share that one other GPU needs"),
    needed2  = share(0, "share that two others need"),
    needed3  = share(0, "share that three others need"),
  },

  step = function (k)
    local sizes, sum = { 4, 8, 16, 32, 64, 128 }, 0
    for _, s in ipairs(sizes) do sum = sum + k["s" .. s] end
    local stores = {}
    for _, s in ipairs(sizes) do
      local share = k["s" .. s] / sum
      if share > 0 then
        stores[#stores + 1] = s < 32 and { s, share, "partial" } or { s, share }
      end
    end
    local needed = math.max(1, k.needed1 + k.needed2 + k.needed3)
    return {
      gs.phase {
        name = "published", units = 1e6, bytes = k.publish,
        to = k.to == "subscribers" and
          { k.needed1 / needed, k.needed2 / needed, k.needed3 / needed } or
          k.to,
        publish = { bytes = k.publish, rewrites = k.rewrites },
        store = {
          size = stores, atomic = k.atomic,
          locality = {
            spread = k.spread, reuse_distance = k.reuse,
            joins = { k.j16, k.j32, k.j64, k.j128, k.j256 },
          },
        },
        blocks = { count = k.publish / k.block },
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
