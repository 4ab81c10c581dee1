-- epidemics.lua - the GPUs' part of EpiSimdemics: visits that CPUs computed
-- arrive as messages; a GPU unpacks those of its locations, then computes who
-- meets whom.
--
-- The paper prints shares of a step and no sizes: bytes a person are set so that
-- they fit (lua/published/mpi-acc.lua).

local gs = require "gpuscale"

return gs.workload {
  name = "epidemics",
  summary = "EpiSimdemics: visits unpacked on GPUs, then interactions",

  knobs = {
    people   = gs.knob { default = 5700000, least = 1, whole = true,
                         doc = "of the population" },
    visits   = gs.knob { default = 128, least = 0,
                         doc = "bytes of a person's visits, sent each step" },
    unpack   = gs.knob { default = 4000, least = 0,
                         doc = "bytes a person moves by unpacking; 0: hidden" },
    interact = gs.knob { default = 20000, least = 1,
                         doc = "bytes a person moves by interactions" },
    fixed    = gs.knob { default = "10 ms", unit = "time",
                         doc = "of a step, whatever the number of GPUs" },
  },

  -- Fitted to M-034 and M-003, and to M-033; only the shares of a step matter.
  presets = { mpiacc16 = { unpack = 3388, fixed = "14.07 ms", interact = 20000 } },

  -- Each GPU keeps its number of people.
  weak = function () return { people = 1 } end,

  step = function (k)
    return {
      gs.phase {
        name  = "interactions",
        units = k.people,
        bytes = k.people * (k.unpack + k.interact),
        footprint = k.people * (k.visits + 200),
        compute = { fixed = k.fixed },
        to      = "all",
        publish = k.people * k.visits,
        store   = 128,
      },
    }
  end,
}
-- SPDX-License-Identifier: GPL-3.0-or-later
