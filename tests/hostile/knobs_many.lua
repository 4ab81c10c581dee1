-- more knobs than anybody turns
local knobs = {}
for i = 1, 10000 do knobs["k" .. i] = gs.knob { default = i } end
return gs.workload { name = "x", knobs = knobs, step = function () end }
